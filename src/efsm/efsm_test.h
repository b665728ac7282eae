// Fixtures for the tests of this folder: random machines, and runs of a machine on concrete values.
#ifndef LOCKSTEP_EFSM_TEST_H
#define LOCKSTEP_EFSM_TEST_H

#include "base/hash.h"
#include "base/rng.h"
#include "base/test.h"
#include "efsm/efsm.h"
#include "encode/substitute.h"

// ---- random machines --------------------------------------------------------------------------------
typedef struct random_machine {
  efsm m;
  rng rng;
  uint32_t points;             // of each thread
  bool loops;
  term input;
} random_machine;

static inline bool toss (random_machine *r, uint32_t sides) { return !rng_below (&r->rng, sides); }

static inline term random_const (random_machine *r, unsigned bits) {
  static const uint64_t few[] = {0, 1, 2, 3, 0x80, 0x1000, 0x5500, 0xf00000000};
  uint64_t mask = bits < 64 ? ((uint64_t) 1 << bits) - 1 : UINT64_MAX;
  return term_const (&r->m.terms, bits, few[rng_below (&r->rng, 8)] & mask);
}

// A variable of this width that the thread may use, or an input.
static inline term random_leaf (random_machine *r, uint32_t thread, unsigned bits) {
  if (toss (r, 3)) return random_const (r, bits);
  for (;;) {
    uint32_t v = rng_below (&r->rng, r->m.variables.count + 1);
    if (v == r->m.variables.count)
      return toss (r, 4) ? term_resize (&r->m.terms, r->input, bits) : random_const (r, bits);
    uint32_t owner = r->m.variables.data[v].owner;
    if (owner == IR_NONE || owner == thread) return term_resize (&r->m.terms, r->m.variables.data[v].now, bits);
  }
}

static inline term random_condition (random_machine *r, uint32_t thread) {
  unsigned bits = toss (r, 2) ? 8 : 64;
  term x = random_leaf (r, thread, bits), y = random_leaf (r, thread, bits);
  return toss (r, 2) ? term_eq (&r->m.terms, x, y) : term_ult (&r->m.terms, x, y);
}

static inline term random_value (random_machine *r, uint32_t thread, unsigned bits) {
  static const ir_expr_op ops[] = {IR_X_ADD, IR_X_AND, IR_X_OR, IR_X_XOR};
  term x = random_leaf (r, thread, bits), y = random_leaf (r, thread, bits);
  if (toss (r, 2)) return x;
  if (toss (r, 2)) return term_ite (&r->m.terms, random_condition (r, thread), x, y);
  return term_apply (&r->m.terms, ops[rng_below (&r->rng, 4)], bits, x, y, TERM_NONE);
}

static inline void add_random_variables (random_machine *r, uint32_t thread, uint32_t count) {
  static const unsigned widths[] = {1, 8, 13, 64, 80};
  for (uint32_t k = 0; k < count; k++) {
    unsigned bits = widths[rng_below (&r->rng, 5)];
    efsm_add_variable (&r->m, bits, thread, toss (r, 6) ? TERM_NONE : random_const (r, bits), NULL);
  }
}

static inline void add_random_exits (random_machine *r, uint32_t thread, uint32_t first, uint32_t k) {
  uint32_t from = first + k, least = r->loops ? 0 : k + 1;
  if (least >= r->points) return;
  uint32_t a = first + least + rng_below (&r->rng, r->points - least);
  uint32_t b = first + least + rng_below (&r->rng, r->points - least);
  term condition = random_condition (r, thread);
  if (toss (r, 3)) efsm_add_exit (&r->m, from, a, toss (r, 4) ? condition : r->m.terms.truth);
  else {
    efsm_add_exit (&r->m, from, a, condition);
    efsm_add_exit (&r->m, from, b, term_not (&r->m.terms, condition));
  }
}

static inline void fill_random_point (random_machine *r, uint32_t thread, uint32_t point) {
  for (uint32_t v = 0; v < r->m.variables.count; v++) {
    uint32_t owner = r->m.variables.data[v].owner;
    unsigned bits = term_bits (&r->m.terms, r->m.variables.data[v].now);
    if ((owner == IR_NONE || owner == thread) && toss (r, 4))
      efsm_set (&r->m, point, v, random_value (r, thread, bits));
  }
  efsm_goal goal = {.property = IR_P_ASSERT, .condition = random_condition (r, thread)};
  efsm_loss loss = {.condition = random_condition (r, thread), .what = "nothing"};
  efsm_access access = {.condition = random_condition (r, thread), .address = random_value (r, thread, 64), .bytes = 4};
  efsm_step step = {{0}, r->input, random_condition (r, thread)};
  efsm_point *p = &r->m.points.data[point];
  vec_push (&p->goals, goal);
  vec_push (&p->losses, loss);
  vec_push (&p->accesses, access);
  vec_push (&p->steps, step);
}

static inline void random_machine_init (random_machine *r, uint64_t seed, uint32_t threads, uint32_t points,
                                        bool loops) {
  *r = (random_machine){.rng = {seed}, .points = points, .loops = loops};
  efsm_init (&r->m);
  r->input = term_var (&r->m.terms, 16);
  add_random_variables (r, IR_NONE, 3);
  for (uint32_t t = 0; t < threads; t++) {
    efsm_add_thread (&r->m);
    add_random_variables (r, t, 4);
    uint32_t first = r->m.points.count;
    r->m.threads.data[t].start = first;
    for (uint32_t k = 0; k < points; k++) {
      uint32_t p = efsm_add_point (&r->m, t, NULL);
      r->m.points.data[p].copy = t;
      r->m.points.data[p].location.i = p;
    }
    vec_push (&r->m.copies, ((efsm_copy){.entry = first}));
  }
  for (uint32_t t = 0; t < threads; t++)
    for (uint32_t k = 0; k < points; k++) {
      uint32_t first = r->m.threads.data[t].start;
      add_random_exits (r, t, first, k);
      fill_random_point (r, t, first + k);
    }
}

// ---- runs -------------------------------------------------------------------------------------------
typedef struct machine_run {
  efsm *m;
  uint64_t seed;
  uint32_t step;
  VEC (ir_value) value;        // by variable
  VEC (uint32_t) at;           // by thread
  term_substitution substitution;   // constants for variables
} machine_run;
typedef VEC (uint64_t) run_log;  // all that a run shows

static inline ir_value cut_to (ir_value x, unsigned bits) { return bits >= 128 ? x : x & (((ir_value) 1 << bits) - 1); }

static inline term run_leaf (void *state, term t) {
  machine_run *r = state;
  unsigned bits = term_bits (&r->m->terms, t);
  const uint64_t *v = map_find (&r->m->variable_of, t.i);
  uint64_t chosen[2] = {r->seed, r->step};
  uint64_t value = v ? r->value.data[*v] : cut_to (hash_bytes (chosen, sizeof chosen, 0) & 3, bits);
  return term_const (&r->m->terms, bits, value);
}

static inline ir_value run_value (machine_run *r, term t) {
  term value = substitute_term (&r->substitution, t);
  assert_true (term_is_const (&r->m->terms, value));
  return term_value (&r->m->terms, value);
}

// A variable without initial value begins with a value that depends on the seed only.
static inline void run_init (machine_run *r, efsm *m, uint64_t seed) {
  *r = (machine_run){.m = m, .seed = seed};
  substitution_init (&r->substitution, &m->terms);
  substitution_begin (&r->substitution, run_leaf, r);
  for (uint32_t v = 0; v < m->variables.count; v++) {
    uint64_t any[2] = {seed, v};
    term initial = m->variables.data[v].initial;
    unsigned bits = term_bits (&m->terms, m->variables.data[v].now);
    vec_push (&r->value, (initial.i == TERM_NONE.i ? cut_to (hash_bytes (any, sizeof any, 0), bits)
                                                   : run_value (r, initial)));
  }
  for (uint32_t t = 0; t < m->threads.count; t++) vec_push (&r->at, m->threads.data[t].start);
}

static inline void run_release (machine_run *r) {
  vec_release (&r->value);
  vec_release (&r->at);
  substitution_release (&r->substitution);
}

static inline void log_value (run_log *log, ir_value x) {
  vec_push (log, (uint64_t) x);
  vec_push (log, (uint64_t) (x >> 64));
}

static inline void log_point (machine_run *r, const efsm_point *p, run_log *log) {
  for (uint32_t k = 0; k < p->goals.count; k++) log_value (log, run_value (r, p->goals.data[k].condition));
  for (uint32_t k = 0; k < p->losses.count; k++) log_value (log, run_value (r, p->losses.data[k].condition));
  for (uint32_t k = 0; k < p->steps.count; k++) log_value (log, run_value (r, p->steps.data[k].chooses));
  for (uint32_t k = 0; k < p->accesses.count; k++) {
    log_value (log, run_value (r, p->accesses.data[k].condition));
    log_value (log, run_value (r, p->accesses.data[k].address));
  }
}

// One step of the thread; false: no exit is enabled.
static inline bool run_step (machine_run *r, uint32_t thread, run_log *log) {
  const efsm_point *p = &r->m->points.data[r->at.data[thread]];
  uint32_t to = IR_NONE;
  substitution_begin (&r->substitution, run_leaf, r);
  if (p->kind != POINT_IDLE) vec_push (log, p->location.i);
  log_point (r, p, log);
  for (uint32_t k = 0; k < p->exits.count; k++)
    if (run_value (r, p->exits.data[k].guard)) to = p->exits.data[k].to;
  if (to == IR_NONE) return false;
  VEC (ir_value) next = {0};
  for (uint32_t k = 0; k < p->updates.count; k++) vec_push (&next, run_value (r, p->updates.data[k].value));
  for (uint32_t k = 0; k < p->updates.count; k++) r->value.data[p->updates.data[k].variable] = next.data[k];
  vec_release (&next);
  r->at.data[thread] = to;
  r->step++;
  return true;
}

static inline void run_machine (efsm *m, uint64_t seed, uint32_t steps, run_log *log) {
  machine_run r;
  rng order = {seed};
  run_init (&r, m, seed);
  for (uint32_t k = 0; k < steps; k++) run_step (&r, rng_below (&order, m->threads.count), log);
  run_release (&r);
}

static inline void assert_same_log (const run_log *a, const run_log *b, uint64_t seed) {
  for (uint32_t k = 0; k < a->count || k < b->count; k++)
    if (k >= a->count || k >= b->count || a->data[k] != b->data[k])
      fail_msg ("seed %llu: runs differ at entry %u", (unsigned long long) seed, k);
}

// A pass over random machines must not change what any run shows.
static inline void assert_keeps_behaviour (void (*pass) (efsm *), uint64_t seeds) {
  enum { RUNS = 6, STEPS = 60 };
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    random_machine r;
    random_machine_init (&r, seed, 1 + seed % 3, 3 + seed % 5, seed % 4);
    run_log before = {0}, after = {0};
    for (uint64_t k = 0; k < RUNS; k++) run_machine (&r.m, seed * RUNS + k, STEPS, &before);
    pass (&r.m);
    for (uint64_t k = 0; k < RUNS; k++) run_machine (&r.m, seed * RUNS + k, STEPS, &after);
    assert_same_log (&before, &after, seed);
    vec_release (&before);
    vec_release (&after);
    efsm_release (&r.m);
  }
}

#endif
