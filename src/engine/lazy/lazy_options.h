// The options of engine `lazy`.
#ifndef LOCKSTEP_LAZY_OPTIONS_H
#define LOCKSTEP_LAZY_OPTIONS_H

#include "encode/decider.h"
#include "engine/engine.h"

#define ENCODING_WORDS(WORD) WORD (ENCODING_LAZY, "lazy") WORD (ENCODING_EAGER, "eager")
typedef enum encoding_choice { ENCODING_WORDS (OPTION_WORD_ID) } encoding_choice;

// field, type, name, kind, argument, initial value, min, max, uses, ways, help
// clang-format off
#define LAZY_OPTIONS(OPTION)                                                                                          \
  OPTION (encoding, encoding_choice, "--encoding", CHOICE, OPTION_CHOICES (ENCODING_WORDS), ENCODING_LAZY, 0, 0,      \
          FOR_CHECK, WAY_PROPERTIES,                                                                                  \
          "interleavings as a token that threads pass on demand, or as a scheduler that lets one thread "             \
          "move at a time")                                                                                           \
  OPTION (csr, bool, "--csr", SWITCH, "on|off", true, 0, 0, FOR_CHECK, WAY_PROPERTIES,                                \
          "use control-state reachability per depth")                                                                 \
  OPTION (pb, bool, "--pb", SWITCH, "on|off", true, 0, 0, FOR_CHECK, WAY_PROPERTIES,                                  \
          "balance paths and loops with idle steps")                                                                  \
  OPTION (cxt, bool, "--cxt", SWITCH, "on|off", true, 0, 0, FOR_CHECK, WAY_PROPERTIES,                                \
          "match calls and returns in control-state reachability")                                                    \
  OPTION (solver, decide_by, "--solver", CHOICE, OPTION_CHOICES (DECIDE_BY_WORDS), DECIDE_BY_SAT, 0, 0,               \
          FOR_CHECK, WAY_PROPERTIES,                                                                                  \
          "the solver that answers questions; both: compare the two, for tests")
// clang-format on

typedef struct lazy_options {
  LAZY_OPTIONS (OPTION_FIELD)
} lazy_options;

extern const option_table lazy_option_table;
const lazy_options *lazy_options_of (const task *);

#endif
