// Substitution: terms with other terms in place of their variables.  For example a transition, built once over the
// variables of a state, is instantiated at the state of some depth.
//
//   term_substitution s;
//   substitution_init (&s, &pool);            // for the terms that exist now
//   substitution_begin (&s, value_of, state); // begins a new substitution and forgets the last one
//   term y = substitute_term (&s, x);
#ifndef LOCKSTEP_SUBSTITUTE_H
#define LOCKSTEP_SUBSTITUTE_H

#include "encode/term.h"

typedef term substitute_variable (void *state, term variable);

typedef struct term_substitution {
  term_pool *pool;
  substitute_variable *value_of;
  void *state;
  uint32_t num_nodes;          // terms with larger numbers are returned unchanged
  term *result;                // [0..num_nodes[, valid if the stamp is equal to `now`
  uint32_t *stamp, now;
} term_substitution;

void substitution_init (term_substitution *, term_pool *);
void substitution_release (term_substitution *);
void substitution_begin (term_substitution *, substitute_variable *, void *state);
term substitute_term (term_substitution *, term);

#endif
