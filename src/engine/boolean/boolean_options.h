// The options of engine `boolean`; `lockstep abstract` has them, too.
#ifndef LOCKSTEP_BOOLEAN_OPTIONS_H
#define LOCKSTEP_BOOLEAN_OPTIONS_H

#include "engine/boolean/symbolic_search.h"
#include "engine/engine.h"

#define ABSTRACTION_WORDS(WORD)               \
  WORD (ABSTRACTION_AUTO, "auto")             \
  WORD (ABSTRACTION_CARTESIAN, "cartesian")   \
  WORD (ABSTRACTION_EXACT, "exact")
typedef enum abstraction_choice { ABSTRACTION_WORDS (OPTION_WORD_ID) } abstraction_choice;

#define PARAMETERS_WORDS(WORD) WORD (PARAMETERS_CANONICAL, "canonical") WORD (PARAMETERS_PLAIN, "plain")
typedef enum parameters_choice { PARAMETERS_WORDS (OPTION_WORD_ID) } parameters_choice;

// Columns: field, type, name, kind, argument, initial value, min, max, uses, ways, help
// clang-format off
#define BOOLEAN_OPTIONS(OPTION)                                                                                       \
  OPTION (por, por_kind, "--por", CHOICE, OPTION_CHOICES (POR_WORDS), POR_DECIDE, 0, 0,                               \
          FOR_CHECK | FOR_ABSTRACT, WAY_BOOLEAN | WAY_PROPERTIES,                                                     \
          "threads that may run first alone: found in the solver's decisions, by clauses, or not at all")             \
  OPTION (abstraction, abstraction_choice, "--abstraction", CHOICE, OPTION_CHOICES (ABSTRACTION_WORDS),               \
          ABSTRACTION_AUTO, 0, 0, FOR_CHECK | FOR_ABSTRACT, WAY_PROPERTIES,                                           \
          "new values of predicates: one by one (cartesian), all together (exact), or together where that "           \
          "fails (auto)")                                                                                             \
  OPTION (rounds, uint64_t, "--rounds", NUMBER, "N", 0, 0, UINT32_MAX, FOR_ABSTRACT, 0,                               \
          "most refinements before the Boolean program is written; it is refined as long as it has spurious paths")   \
  OPTION (qbf, qbf_solver, "--qbf", CHOICE, OPTION_CHOICES (QBF_SOLVER_WORDS), QBF_OWN, 0, 0,                         \
          FOR_CHECK | FOR_ABSTRACT, WAY_BOOLEAN | WAY_PROPERTIES,                                                     \
          "the solver that decides whether states were seen before; both: compare the two, for tests")                \
  OPTION (qbf_form, qbf_form, "--qbf-form", CHOICE, OPTION_CHOICES (QBF_FORM_WORDS), QBF_AUTO, 0, 0,                  \
          FOR_CHECK | FOR_ABSTRACT, WAY_BOOLEAN | WAY_PROPERTIES,                                                     \
          "what --qbf ranges over: choices, values of variables, or (auto) whichever are fewer")                      \
  OPTION (parameters, parameters_choice, "--parameters", CHOICE, OPTION_CHOICES (PARAMETERS_WORDS),                   \
          PARAMETERS_CANONICAL, 0, 0, FOR_CHECK | FOR_ABSTRACT, WAY_BOOLEAN | WAY_PROPERTIES,                         \
          "formulas of few variables are built again from their values (canonical), or stay as they are (plain)")
// clang-format on

typedef struct boolean_options {
  BOOLEAN_OPTIONS (OPTION_FIELD)
} boolean_options;

extern const option_table boolean_option_table;
const boolean_options *boolean_options_of (const task *);

#endif
