// Answers about AIGER circuits as text: AIGER witnesses, and the counterexamples that ABC writes with `write_cex -a`.
//
//   1                 violated (0: holds, 2: unknown)
//   b0                by bad state 0 (j0: justice property 0)
//   010               latches at step 0
//   11                inputs, a line for each step; x: any value
//   .
//
// ABC writes only the latches and the inputs, and then `# DONE`.
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

// Reads a witness, whose numbers of inputs and latches fit the circuit; net_path_shows checks whether it shows a
// violation. x is read as 0, and for a latch as its reset value.  The loop of a lasso begins at the first state that is
// equal to its last state.  False: there is nothing to release, and `why` names the mistake and its line.
bool aiger_witness_parse (const netlist *, const char *text, size_t count, aiger_witness *, strbuf *why);
// Reads a counterexample of ABC.  For a circuit without inputs, ABC does not write the number of steps: then the path
// ends at the first step at which the bad state holds.
bool aiger_parse_abc (const netlist *, uint32_t bad, const char *text, size_t count, net_path *, strbuf *why);

#endif
