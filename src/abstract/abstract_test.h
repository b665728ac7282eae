// A fixture for the tests of this folder: a machine of one thread with two variables of three bits, its edges on all
// values, and the steps that an abstract edge admits.
#ifndef LOCKSTEP_ABSTRACT_TEST_H
#define LOCKSTEP_ABSTRACT_TEST_H

#include "abstract/abstract.h"
#include "base/rng.h"
#include "base/test.h"
#include "encode/evaluate.h"

enum { SMALL_BITS = 3, NUM_VALUES = 1 << 2 * SMALL_BITS };

typedef struct small_machine {
  efsm m;
  folded steps;
  abstraction a;
  uint32_t x, y;               // variables
  ir_value value[2];           // values of the variables
} small_machine;

static const budget test_budget = {0};

static inline term small_const (small_machine *s, unsigned value) {
  return term_const (&s->m.terms, SMALL_BITS, value % (1 << SMALL_BITS));
}
static inline term now_of (const small_machine *s, uint32_t variable) { return s->m.variables.data[variable].now; }

// Makes a machine whose thread has this many points, in a row; each begins a large step.
static inline void small_machine_init (small_machine *s, uint32_t points) {
  *s = (small_machine){0};
  efsm_init (&s->m);
  s->m.over = IR_NONE;
  uint32_t t = efsm_add_thread (&s->m);
  s->x = efsm_add_variable (&s->m, SMALL_BITS, IR_NONE, small_const (s, 0), "x");
  s->y = efsm_add_variable (&s->m, SMALL_BITS, t, small_const (s, 0), "y");
  for (uint32_t k = 0; k < points; k++) {
    uint32_t p = efsm_add_point (&s->m, t, NULL);
    s->m.points.data[p].opens = true;
  }
  s->m.threads.data[t].start = 0;
}

static inline void small_machine_fold (small_machine *s, abstraction_kind kind) {
  fold (&s->m, &s->steps);
  abstraction_init (&s->a, &s->steps, (abstraction_options){.budget = &test_budget, .kind = kind});
}

static inline void small_machine_release (small_machine *s) {
  abstraction_release (&s->a);
  folded_release (&s->steps);
  efsm_release (&s->m);
}

// ---- on values --------------------------------------------------------------------------------------
static inline bool small_value (void *state, term t, ir_value *v) {
  const small_machine *s = state;
  if (term_at (&s->m.terms, t)->op != IR_X_REG) return false;
  *v = s->value[t.i == now_of (s, s->y).i];
  return true;
}

static inline ir_value small_eval (small_machine *s, term t, uint32_t values) {
  evaluator e = {.pool = &s->m.terms, .leaf_value = small_value, .state = s};
  s->value[0] = values % (1 << SMALL_BITS), s->value[1] = values >> SMALL_BITS;
  ir_value v = evaluate_term (&e, t);
  evaluator_release (&e);
  return v;
}

static inline uint32_t small_valuation (small_machine *s, uint32_t values) {   // values of the predicates
  uint32_t v = 0;
  for (uint32_t k = 0; k < s->a.predicates.all.count; k++) v |= (uint32_t) small_eval (s,
       s->a.predicates.all.data[k].holds, values) << k;
  return v;
}

static inline uint32_t small_update (small_machine *s, uint32_t step, uint32_t values) {
  const fold_step *f = &s->steps.steps.data[step];
  uint32_t next[2] = {values % (1 << SMALL_BITS), values >> SMALL_BITS};
  for (uint32_t k = 0; k < f->updates.count; k++)
    next[f->updates.data[k].variable == s->y] = (uint32_t) small_eval (s, f->updates.data[k].value, values);
  return next[0] | next[1] << SMALL_BITS;
}

// ---- steps that an abstract edge admits ---------------------------------------------------------------
static inline bool small_satisfied (const clauses *c, uint32_t before, uint32_t after) {
  for (uint32_t k = 0; k < c->ends.count; k++) {
    bool any = false;
    for (uint32_t i = clauses_begin (c, k); i < c->ends.data[k]; i++) {
      uint32_t l = c->literals.data[i];
      any |= ((l & 2 ? after : before) >> l / 4 & 1) != (l & 1);
    }
    if (!any) return false;
  }
  return true;
}

static inline bool small_admits (const abstract_edge *e, uint32_t before, uint32_t after) {
  uint32_t changed = 0;
  if (!e->is_possible || !small_satisfied (&e->guard, before, after) || !small_satisfied (&e->together, before,
      after)) return false;
  for (uint32_t k = 0; k < e->changed.count; k++) {
    changed |= 1u << e->changed.data[k];
    if (!small_satisfied (&e->values.data[k], before, after)) return false;
  }
  return !((before ^ after) & ~changed);
}

#endif
