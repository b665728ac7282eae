// Terms with other terms in place of their variables: a transition, written once over the variables of a state, at the state of some depth.
//
//   substitution s;
//   substitution_init (&s, &pool);            // for terms that exist now
//   substitution_begin (&s, value_of, state); // forgets the last one
//   term y = substitute (&s, x);
#ifndef LOCKSTEP_SUBSTITUTE_H
#define LOCKSTEP_SUBSTITUTE_H

#include "encode/term.h"

typedef term substitute_variable (void *state, term variable);

typedef struct substitution {
  term_pool *pool;
  substitute_variable *value_of;
  void *state;
  uint32_t num_nodes;          // terms with larger numbers are not looked into
  term *result;                // [0..num_nodes[, valid where the stamp is the current one
  uint32_t *stamp, now;
} substitution;

void substitution_init (substitution *, term_pool *);
void substitution_release (substitution *);
void substitution_begin (substitution *, substitute_variable *, void *state);
term substitute (substitution *, term);

#endif
