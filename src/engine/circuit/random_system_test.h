// Random transition systems for tests: a few states and inputs of all widths, next values and bad states made of all
// operators.
#ifndef LOCKSTEP_CIRCUIT_RANDOM_SYSTEM_TEST_H
#define LOCKSTEP_CIRCUIT_RANDOM_SYSTEM_TEST_H

#include "base/rng.h"
#include "base/test.h"
#include "engine/circuit/transition_system.h"

enum { RANDOM_STATES = 6, RANDOM_INPUTS = 3, RANDOM_PROPERTIES = 1 << IR_P_ASSERT | 1 << IR_P_RACE | 1 << IR_P_MEMORY };
static const unsigned random_widths[] = {1, 2, 5, 8, 16, 32, 64};

static inline unsigned random_width (rng *r) {
  return random_widths[rng_below (r, sizeof random_widths / sizeof *random_widths)];
}

// Returns a leaf of this width: a variable of the pool, truncated or extended, or a constant.
static inline term random_leaf (term_pool *p, rng *r, unsigned bits) {
  ir_value ones = ((ir_value) 1 << bits) - 1;
  if (!rng_below (r, 4)) return term_const (p, bits, (rng_below (r, 2) ? rng_below (r,
      4) : (ir_value) rng_next (r)) & ones);
  return term_resize (p, p->variables.data[rng_below (r, p->variables.count)], bits);
}

static inline bool is_comparison_op (ir_expr_op op) {
  return (op >= IR_X_EQ && op <= IR_X_SLE) || (op >= IR_X_SADDO && op <= IR_X_UMULO);
}

static inline term random_term (term_pool *p, rng *r, unsigned bits, unsigned depth) {
  if (!depth) return random_leaf (p, r, bits);
  unsigned from = random_width (r);
  ir_expr_op op = (ir_expr_op) (IR_X_ADD + rng_below (r, IR_X_BITREV - IR_X_ADD + 1));
  term x, y;
  if (is_comparison_op (op)) {
    x = random_term (p, r, from, depth - 1), y = random_term (p, r, from, depth - 1);
    return term_resize (p, term_apply (p, op, 1, x, y, TERM_NONE), bits);
  }
  if (op == IR_X_ITE) {
    term c = random_term (p, r, 1, depth - 1);
    x = random_term (p, r, bits, depth - 1), y = random_term (p, r, bits, depth - 1);
    return term_ite (p, c, x, y);
  }
  if (op == IR_X_ZEXT || op == IR_X_SEXT || op == IR_X_TRUNC) {
    if (from == bits || (from > bits) != (op == IR_X_TRUNC)) return random_term (p, r, bits, depth - 1);
    return term_apply (p, op, bits, random_term (p, r, from, depth - 1), TERM_NONE, TERM_NONE);
  }
  if (op == IR_X_BSWAP && bits % 16) return random_term (p, r, bits, depth - 1);
  x = random_term (p, r, bits, depth - 1);
  if (ir_expr_arity (op) == 1) return term_apply (p, op, bits, x, TERM_NONE, TERM_NONE);
  y = random_term (p, r, bits, depth - 1);
  return term_apply (p, op, bits, x, y, TERM_NONE);
}

static inline void random_system (transition_system *s, efsm *m, rng *r) {
  efsm_init (m);
  *s = (transition_system){.m = m};
  s->scheduled = term_var (&m->terms, 2);
  for (unsigned k = 0; k < RANDOM_INPUTS; k++)
    vec_push (&m->inputs, ((efsm_input){term_var (&m->terms, random_width (r)), arena_printf (m->arena, "input %u",
              k)}));
  for (unsigned k = 0; k < RANDOM_STATES; k++) {
    unsigned bits = random_width (r);
    ir_value first = (ir_value) rng_next (r) & (((ir_value) 1 << bits) - 1);
    term initial = rng_below (r, 4) ? term_const (&m->terms, bits, first) : TERM_NONE;
    uint32_t v = efsm_add_variable (m, bits, IR_NONE, initial, arena_printf (m->arena, "state %u", k));
    vec_push (&s->states, ((system_state){m->variables.data[v].now, TERM_NONE, initial, v, IR_NONE}));
  }
  for (unsigned k = 0; k < RANDOM_STATES; k++)
    s->states.data[k].next = random_term (&m->terms, r, term_bits (&m->terms, s->states.data[k].now), 3);
  for (unsigned k = 0; k < 4; k++)
    vec_push (&s->goals, ((system_goal){.property = k % 2 ? IR_P_ASSERT : IR_P_RACE, .holds = random_term (&m->terms,
              r, 1, 3)}));
  vec_push (&s->omissions, ((system_omission){random_term (&m->terms, r, 1, 3), "something", true, {IR_NONE}}));
  vec_push (&s->constraints, term_or (&m->terms, random_term (&m->terms, r, 1, 2), random_term (&m->terms, r, 1, 2)));
}

#endif
