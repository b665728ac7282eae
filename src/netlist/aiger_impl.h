// Declarations private to the AIGER reader.  In reading order: aiger_read.c (bytes to tables), aiger_build.c (tables to
// a netlist), aiger_symbols.c (names).
#ifndef LOCKSTEP_AIGER_IMPL_H
#define LOCKSTEP_AIGER_IMPL_H

#include "netlist/aiger.h"

typedef struct aiger_latch { uint32_t now, next; net_reset reset; } aiger_latch;
typedef struct aiger_and { uint32_t result, left, right; } aiger_and;
typedef VEC (uint32_t) aiger_literals;
// The numbers in the first line of a file.
typedef struct aiger_sizes {
  uint32_t variables, inputs, latches, outputs, ands, bads, constraints, justice, fairness;
} aiger_sizes;

enum { AIGER_UNDEFINED, AIGER_LEAF, AIGER_FIRST_AND };

typedef struct aiger_reader {
  const char *bytes;
  size_t count, at;
  uint32_t line;               // line number of `at`, from 1 on
  strbuf *why;                 // message of the first mistake
  aiger_form form;
  aiger_sizes sizes;
  aiger_literals inputs, outputs, bads, constraints, justice_sizes, justice, fairness;
  VEC (aiger_latch) latches;
  VEC (aiger_and) ands;
  VEC (uint32_t) defined;      // by variable: undefined, a leaf, or AIGER_FIRST_AND + number of the and
  uint32_t latches_line, outputs_line, ands_line;   // first line of each section
} aiger_reader;

// Both set the message, "line 3: ...", and return false.
bool aiger_fail (aiger_reader *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
bool aiger_fail_at (aiger_reader *, uint32_t line, const char *format, ...) __attribute__ ((format (printf, 3, 4)));
bool aiger_number (aiger_reader *, const char *what, uint32_t limit, uint32_t *);  // reads a decimal, at most `limit`
bool aiger_take (aiger_reader *, char);                                            // skips the character if it is next
bool aiger_build (aiger_reader *, netlist *);                                      // the netlist must be initialised
bool aiger_symbols (aiger_reader *, netlist *);                                    // reads names, up to the comment

static inline bool aiger_outputs_are_bads (const aiger_reader *r) { return !r->sizes.bads && !r->sizes.justice; }

#endif
