// Answers about AIGER circuits as text: AIGER's witnesses, and the counterexamples that ABC writes with `write_cex -a`.
//
//   1                 violated (0: it holds, 2: unknown)
//   b0                by bad state 0 (j0: justice property 0)
//   010               latches at step 0
//   11                inputs, a line for each step; x: any value
//   .
//
// ABC writes only the latches and the inputs, and `# DONE` behind them.
#ifndef LOCKSTEP_AIGER_WITNESS_H
#define LOCKSTEP_AIGER_WITNESS_H

#include "base/strbuf.h"
#include "netlist/netlist.h"

typedef enum aiger_status { AIGER_HOLDS, AIGER_VIOLATED, AIGER_UNKNOWN } aiger_status;
typedef struct aiger_witness {
  aiger_status status;
  bool is_justice;
  uint32_t property;           // number of the bad state or justice property
  net_path path;               // if it is violated
} aiger_witness;

void aiger_witness_print (const netlist *, const aiger_witness *, strbuf *out);
void aiger_witness_release (aiger_witness *);

// What is read fits the circuit, but whether it shows what it says is for net_path_shows.  x is read as 0, in a latch as its reset value.  A lasso goes back to
// the first state that is equal to its last one.  False: nothing to release, and `why` says what is wrong in which line.
bool aiger_witness_parse (const netlist *, const char *text, size_t count, aiger_witness *, strbuf *why);
// Without inputs ABC does not say how many steps there are: then the path ends where the bad state first holds.
bool aiger_parse_abc (const netlist *, uint32_t bad, const char *text, size_t count, net_path *, strbuf *why);

#endif
