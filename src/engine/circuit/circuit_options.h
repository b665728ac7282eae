// The options of engine `circuit`.
#ifndef LOCKSTEP_CIRCUIT_OPTIONS_H
#define LOCKSTEP_CIRCUIT_OPTIONS_H

#include "engine/engine.h"

#define BACKEND_WORDS(WORD)             \
  WORD (BACKEND_AUTO, "auto")           \
  WORD (BACKEND_BMC, "bmc")             \
  WORD (BACKEND_INDUCTION, "induction") \
  WORD (BACKEND_IC3, "ic3")             \
  WORD (BACKEND_BDD, "bdd")             \
  WORD (BACKEND_ABC, "abc")
typedef enum backend_choice { BACKEND_WORDS (OPTION_WORD_ID) } backend_choice;

// Columns: field, type, name, kind, argument, initial value, min, max, uses, ways, help
// clang-format off
#define CIRCUIT_OPTIONS(OPTION)                                                                                       \
  OPTION (reduction, reduction_choice, "--reduction", CHOICE, OPTION_CHOICES (REDUCTION_WORDS), REDUCTION_AUTO, 0, 0, \
          FOR_CHECK, WAY_PROPERTIES,                                                                                  \
          "interleavings that explicit and circuit may leave out; auto: the most that keeps the properties")          \
  OPTION (backend, backend_choice, "--backend", CHOICE, OPTION_CHOICES (BACKEND_WORDS), BACKEND_AUTO, 0, 0,           \
          FOR_CHECK, WAY_PROPERTIES | WAY_FORMULA,                                                                    \
          "the algorithm that proves or refutes; auto: bmc for a while, then ic3; with -j they race; abc: berkeley-abc")
// clang-format on

typedef struct circuit_options {
  CIRCUIT_OPTIONS (OPTION_FIELD)
} circuit_options;

extern const option_table circuit_option_table;
const circuit_options *circuit_options_of (const task *);

#endif
