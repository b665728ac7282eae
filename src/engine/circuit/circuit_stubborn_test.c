// Checks the stubborn sets in the states that paper CIRC names (figures 1 and 2), the schedules that the circuit admits
// against a naive enumeration, and on random machines that every violation that exists without a reduction exists with
// it.
#include <string.h>

#include "engine/circuit/circuit_stubborn.h"

#include "base/intern.h"
#include "base/rng.h"
#include "base/test.h"
#include "encode/evaluate.h"
#include "engine/circuit/circuit_lower.h"
#include "engine/circuit/sticky_steps.h"
#include "netlist/netlist_simulate.h"

enum { MAX_THREADS = 3, MAX_OPS = 8, NUM_DATA = 6, NUM_LOCKS = 2 };
static const system_reduction reductions[] = {REDUCE_NOTHING, REDUCE_STUBBORN, REDUCE_LOCK_PATTERNS};

// ---- straight-line programs -------------------------------------------------------------------------
// "=x ?y +0 -0": writes x, reads y, acquires lock 0, releases it; the data are a, b, x, y, z, w.
typedef struct op {
  char what;
  uint32_t which;
} op;
typedef struct straight_program {
  uint32_t num_threads, length[MAX_THREADS];
  op ops[MAX_THREADS][MAX_OPS];
} straight_program;

static straight_program parse (uint32_t num_threads, const char *const *threads) {
  static const char data[] = "abxyzw";
  straight_program p = {.num_threads = num_threads};
  for (uint32_t t = 0; t < num_threads; t++)
    for (const char *c = threads[t]; *c; c += c[2] ? 3 : 2) {
      bool is_lock = c[0] == '+' || c[0] == '-';
      uint32_t which = is_lock ? (uint32_t) (c[1] - '0') : (uint32_t) (strchr (data, c[1]) - data);
      p.ops[t][p.length[t]++] = (op){c[0], which};
    }
  return p;
}

typedef struct stubborn_fixture {
  efsm m;
  transition_system s;
  stubborn_sets sets;
} stubborn_fixture;

static void add_op (efsm *m, uint32_t thread, uint32_t point, op o, uint32_t first_lock) {
  term_pool *p = &m->terms;
  efsm_point *x = &m->points.data[point];
  x->shared = x->opens = x->closes = true;
  uint32_t v = o.what == '+' || o.what == '-' ? first_lock + o.which : o.which;
  term now = m->variables.data[v].now, free = term_const (p, 2, 0), guard = p->truth;
  if (o.what == '+') {
    x->acquires = (uint64_t) 1 << o.which;
    guard = term_eq (p, now, free);
    efsm_set (m, point, v, term_const (p, 2, thread + 1));
  } else if (o.what == '-') {
    x->releases = (uint64_t) 1 << o.which;
    efsm_set (m, point, v, free);
  } else if (o.what == '=') efsm_set (m, point, v, term_const (p, 8, point + 1));
  else vec_push (&x->touches, ((efsm_touch){v, false}));
  efsm_add_exit (m, point, point + 1, guard);
}

static void build_straight (efsm *m, const straight_program *q) {
  efsm_init (m);
  m->num_locks = NUM_LOCKS;
  for (uint32_t k = 0; k < NUM_DATA; k++) efsm_add_variable (m, 8, IR_NONE, term_const (&m->terms, 8, 0), NULL);
  for (uint32_t k = 0; k < NUM_LOCKS; k++) efsm_add_variable (m, 2, IR_NONE, term_const (&m->terms, 2, 0), NULL);
  for (uint32_t t = 0; t < q->num_threads; t++) {
    efsm_add_thread (m);
    m->threads.data[t].start = m->points.count;
    for (uint32_t k = 0; k <= q->length[t]; k++) efsm_add_point (m, t, NULL);
    for (uint32_t k = 0; k < q->length[t]; k++) add_op (m, t, m->threads.data[t].start + k, q->ops[t][k], NUM_DATA);
  }
}

static void stubborn_fixture_init (stubborn_fixture *x, const straight_program *q, system_reduction kind) {
  build_straight (&x->m, q);
  system_init (&x->s, &x->m, NULL, 0);
  system_reduce (&x->s, kind, &x->sets);
}

static void stubborn_fixture_release (stubborn_fixture *x) {
  stubborn_sets_release (&x->sets);
  system_release (&x->s);
  efsm_release (&x->m);
}

// ---- the circuit, step by step ----------------------------------------------------------------------
typedef struct schedule_walk {
  stubborn_fixture *x;
  lowered l;
  net_simulation n;
  uint64_t schedules;
  bool wrong;   // a violation is possible
  intern ends;  // final states
} schedule_walk;

static void set_word (schedule_walk *w, uint32_t first, unsigned bits, uint64_t value, bool is_latch) {
  for (unsigned b = 0; b < bits; b++) {
    uint64_t all = value >> b & 1 ? UINT64_MAX : 0;
    if (is_latch) net_set_latch (&w->n, first + b, all);
    else net_set_input (&w->n, first + b, all);
  }
}

static void save (schedule_walk *w, uint8_t *latches) {
  for (uint32_t k = 0; k < w->l.circuit.latches.count; k++)
    latches[k] = net_value (&w->n, w->l.circuit.latches.data[k].now) & 1;
}

static void load (schedule_walk *w, const uint8_t *latches) {
  for (uint32_t k = 0; k < w->l.circuit.latches.count; k++) net_set_latch (&w->n, k, latches[k] ? UINT64_MAX : 0);
}

// Enumerates every choice that the constraints admit and that changes the state; a state without such a choice ends a
// schedule.
static void enumerate (schedule_walk *w) {
  uint8_t before[256], after[256];
  uint32_t count = w->l.circuit.latches.count;
  bool moved = false;
  assert_true (count <= sizeof before);
  save (w, before);
  const uint64_t *who = map_find (&w->l.input_of, w->x->s.scheduled.i);
  for (uint32_t t = 0; t < w->x->m.threads.count; t++) {
    load (w, before);
    set_word (w, (uint32_t) *who, term_bits (&w->x->m.terms, w->x->s.scheduled), t, false);
    net_evaluate (&w->n);
    if (!(net_constraints_hold (&w->n) & 1)) continue;
    w->wrong |= net_value (&w->n, w->l.circuit.bads.data[0].holds) & 1;
    net_step (&w->n);
    save (w, after);
    if (!memcmp (before, after, count)) continue;
    moved = true;
    enumerate (w);
  }
  load (w, before);
  if (moved) return;
  w->schedules++;
  intern_add (&w->ends, before, count, NULL);
}

static void schedule_walk_init (schedule_walk *w, stubborn_fixture *x) {
  bool asked[] = {true};
  *w = (schedule_walk){.x = x};
  assert_true (x->s.goals.count <= 1);
  lower_goals (&x->s, asked, &w->l);
  net_simulation_init (&w->n, &w->l.circuit);
  rng unused = {1};
  net_reset_latches (&w->n, &unused);
}

static void schedule_walk_release (schedule_walk *w) {
  net_simulation_release (&w->n);
  lowered_release (&w->l);
  intern_release (&w->ends);
}

static void circuit_schedules (const straight_program *q, system_reduction kind, uint64_t *schedules, uint32_t *ends) {
  stubborn_fixture x;
  schedule_walk w;
  stubborn_fixture_init (&x, q, kind);
  schedule_walk_init (&w, &x);
  enumerate (&w);
  *schedules = w.schedules;
  *ends = intern_count (&w.ends);
  schedule_walk_release (&w);
  stubborn_fixture_release (&x);
}

// ---- the same by the definitions --------------------------------------------------------------------
typedef struct straight_state {
  uint32_t at[MAX_THREADS];
} straight_state;

static bool is_lock (op o) { return o.what == '+' || o.what == '-'; }
static bool is_done (const straight_program *q, const straight_state *m, uint32_t t) {
  return m->at[t] == q->length[t];
}

// Returns the locks that the thread has acquired and not released.
static uint32_t holds (const straight_program *q, const straight_state *m, uint32_t t) {
  uint32_t held = 0;
  for (uint32_t k = 0; k < m->at[t]; k++) {
    if (q->ops[t][k].what == '+') held |= 1u << q->ops[t][k].which;
    if (q->ops[t][k].what == '-') held &= ~(1u << q->ops[t][k].which);
  }
  return held;
}

static bool can_move (const straight_program *q, const straight_state *m, uint32_t t) {
  if (is_done (q, m, t)) return false;
  op o = q->ops[t][m->at[t]];
  for (uint32_t u = 0; o.what == '+' && u < q->num_threads; u++)
    if (holds (q, m, u) >> o.which & 1) return false;
  return true;
}

static bool depend (op a, op b) {
  return is_lock (a) == is_lock (b) && a.which == b.which && (is_lock (a) || a.what == '=' || b.what == '=');
}

static bool interferes (const straight_program *q, const straight_state *m, uint32_t i, uint32_t j,
                        system_reduction kind) {
  uint32_t held = kind == REDUCE_LOCK_PATTERNS ? holds (q, m, i) : 0;
  for (uint32_t k = m->at[j]; !is_done (q, m, i) && k < q->length[j]; k++) {
    op o = q->ops[j][k];
    if (o.what == '+' && held >> o.which & 1) return false;
    if (depend (q->ops[i][m->at[i]], o)) return true;
  }
  return false;
}

static uint32_t set_from (const straight_program *q, const straight_state *m, uint32_t i, system_reduction kind) {
  uint32_t set = 1u << i;
  for (uint32_t before = 0; before != set;) {
    before = set;
    for (uint32_t a = 0; a < q->num_threads; a++)
      for (uint32_t b = 0; b < q->num_threads; b++)
        if (set >> a & 1 && a != b && interferes (q, m, a, b, kind)) set |= 1u << b;
  }
  return set;
}

// Returns the threads that are explored.
static uint32_t smallest_set (const straight_program *q, const straight_state *m, system_reduction kind) {
  uint32_t enabled = 0, best = 0;
  for (uint32_t t = 0; t < q->num_threads; t++) enabled |= (uint32_t) can_move (q, m, t) << t;
  if (kind == REDUCE_NOTHING) return enabled;
  for (uint32_t t = 0; t < q->num_threads; t++) {
    uint32_t set = set_from (q, m, t, kind) & enabled;
    if (enabled >> t & 1 && (!best || __builtin_popcount (set) < __builtin_popcount (best))) best = set;
  }
  return best;
}

static uint64_t naive_schedules (const straight_program *q, const straight_state *m, system_reduction kind) {
  uint32_t set = smallest_set (q, m, kind);
  uint64_t count = !set;
  for (uint32_t t = 0; t < q->num_threads; t++) {
    if (!(set >> t & 1)) continue;
    straight_state next = *m;
    next.at[t]++;
    count += naive_schedules (q, &next, kind);
  }
  return count;
}

// ---- figures ----------------------------------------------------------------------------------------
static const char *const figure_1[] = {"=a +0 =x -0 =a", "=z +0 =x -0 =x"};
static const char *const figure_2[] = {"=a +0 +1 =y -1 =x -0", "=b +1 +0 =z -0 =x -1"};
// Figure 1 where 1b and 5a write the same variable, so that stepping T2 alone is not enough.
static const char *const figure_1_shared[] = {"=a +0 =x -0 =z", "=z +0 =x -0 =x"};

typedef struct at_state {
  stubborn_fixture *x;
  const uint32_t *at;
  uint32_t owners[NUM_LOCKS];
} at_state;

static bool state_value (void *user, term t, ir_value *value) {
  const at_state *a = user;
  const transition_system *s = &a->x->s;
  const uint64_t *v = map_find (&s->m->variable_of, t.i);
  *value = v && *v >= NUM_DATA ? a->owners[*v - NUM_DATA] : 0;
  for (uint32_t k = 0; k < s->pc.count; k++)
    if (s->states.data[s->pc.data[k]].now.i == t.i)
      *value = s->code.data[s->steps.step_of.data[s->m->threads.data[k].start + a->at[k]]];
  return true;
}

// Returns J_i, by the circuit's terms and by definition, with the threads before these operations.
static uint32_t set_at (const char *const *threads, system_reduction kind, uint32_t i, uint32_t at0, uint32_t at1) {
  straight_program q = parse (2, threads);
  straight_state m = {.at = {at0, at1}};
  stubborn_fixture x;
  stubborn_fixture_init (&x, &q, kind);
  at_state a = {.x = &x, .at = m.at};
  for (uint32_t t = 0; t < 2; t++)
    for (uint32_t l = 0; l < NUM_LOCKS; l++)
      if (holds (&q, &m, t) >> l & 1) a.owners[l] = t + 1;
  evaluator e = {.pool = &x.m.terms, .leaf_value = state_value, .state = &a};
  uint32_t set = 0;
  for (uint32_t j = 0; j < 2; j++) set |= (uint32_t) evaluate_term (&e, x.sets.closure.data[i * 2 + j]) << j;
  assert_int_equal (set, set_from (&q, &m, i, kind));
  evaluator_release (&e);
  stubborn_fixture_release (&x);
  return set;
}

enum { T1_ALONE = 1, BOTH = 3 };

static void figure_1_needs_a_switch_before_3a_only_with_5b (void **state) {
  (void) state;
  assert_int_equal (set_at (figure_1, REDUCE_STUBBORN, 0, 2, 0), BOTH);
  assert_int_equal (set_at (figure_1, REDUCE_LOCK_PATTERNS, 0, 2, 0), T1_ALONE);
  assert_int_equal (set_at (figure_1, REDUCE_STUBBORN, 0, 2, 4), BOTH);
  assert_int_equal (set_at (figure_1, REDUCE_LOCK_PATTERNS, 0, 2, 4), BOTH);
}

static void figure_2_needs_no_switch_before_6a (void **state) {
  (void) state;
  assert_int_equal (set_at (figure_2, REDUCE_STUBBORN, 0, 5, 0), BOTH);
  assert_int_equal (set_at (figure_2, REDUCE_LOCK_PATTERNS, 0, 5, 0), T1_ALONE);
}

static void expect_schedules (uint32_t threads, const char *const *text, const uint64_t expected[3]) {
  straight_program q = parse (threads, text);
  for (uint32_t k = 0; k < 3; k++) {
    uint64_t schedules;
    uint32_t ends;
    circuit_schedules (&q, reductions[k], &schedules, &ends);
    assert_int_equal (schedules, expected[k]);
  }
}

// Figure 1 in full: 4a comes before 2b in 6 + 5 * 4 ways, 4b before 2a in as many. Reduced: the schedules differ in
// whose critical section comes first, and if it is that of T2, in whether 5b comes before 3a or after it. With z
// shared: 1b first, then as before; or 2a first, and then 1b before 3a, 4a, 5a or after it (4 ways), of which lock
// patterns leave the last two. Figure 2, reduced: the schedules differ in which thread acquires its first lock first,
// and in whether the other thread acquires its own lock before the first one acquires its second, which is the
// deadlock.
static void circuits_admit_the_schedules_of_the_figures (void **state) {
  (void) state;
  expect_schedules (2, figure_1, (const uint64_t[]){52, 3, 3});
  expect_schedules (2, figure_1_shared, (const uint64_t[]){52, 7, 5});
  expect_schedules (2, figure_2, (const uint64_t[]){48, 4, 4});
}

// ---- random straight-line programs ------------------------------------------------------------------
static void add_random_op (straight_program *q, rng *r, uint32_t t, uint32_t *held) {
  op o = {"=?"[rng_below (r, 2)], 2 + rng_below (r, 3)};
  if (!rng_below (r, 2)) {
    o.which = rng_below (r, NUM_LOCKS);
    o.what = *held >> o.which & 1 ? '-' : '+';
    *held ^= 1u << o.which;
  }
  q->ops[t][q->length[t]++] = o;
}

static straight_program random_straight (uint64_t seed) {
  rng r = {seed};
  straight_program q = {.num_threads = 2 + seed % 2};
  for (uint32_t t = 0; t < q.num_threads; t++)
    for (uint32_t held = 0, left = 8 / q.num_threads + 1; left--;) add_random_op (&q, &r, t, &held);
  return q;
}

static void circuits_admit_the_schedules_of_the_definitions (void **state) {
  (void) state;
  uint64_t total[3] = {0};
  for (uint64_t seed = 1; seed <= 150; seed++) {
    straight_program q = random_straight (seed);
    uint32_t ends[3];
    for (uint32_t k = 0; k < 3; k++) {
      uint64_t schedules;
      circuit_schedules (&q, reductions[k], &schedules, &ends[k]);
      assert_int_equal (schedules, naive_schedules (&q, &(straight_state){0}, reductions[k]));
      assert_int_equal (ends[k], ends[0]);  // every final state is still reached
      total[k] += schedules;
    }
  }
  assert_true (total[1] * 3 < total[0] && total[2] < total[1]);
}

// ---- locks that do not protect ----------------------------------------------------------------------
// T3 releases what T1 holds: then T2 can write between the two writes of T1.
static void a_lock_that_others_release_is_no_pattern (void **state) {
  (void) state;
  static const char *const threads[] = {"+0 =x =y -0", "+0 =x =y -0", "-0"};
  straight_program q = parse (3, threads);
  uint64_t schedules;
  uint32_t ends[2];
  circuit_schedules (&q, REDUCE_NOTHING, &schedules, &ends[0]);
  circuit_schedules (&q, REDUCE_LOCK_PATTERNS, &schedules, &ends[1]);
  assert_int_equal (ends[0], ends[1]);
}

// T2, which waits for the lock, goes wrong if x has the first value that T1 writes: that state exists only between the
// two writes.
static void what_goes_wrong_at_a_lock_needs_no_lock (void **state) {
  (void) state;
  static const char *const threads[] = {"+0 =x =x -0", "+0 -0"};
  straight_program q = parse (2, threads);
  for (uint32_t k = 0; k < 3; k++) {
    stubborn_fixture x;
    schedule_walk w;
    build_straight (&x.m, &q);
    uint32_t at = x.m.threads.data[1].start, variable = q.ops[0][1].which;
    term first = term_eq (&x.m.terms, x.m.variables.data[variable].now, term_const (&x.m.terms, 8, 2));
    vec_push (&x.m.points.data[at].goals, ((efsm_goal){.property = IR_P_ASSERT, .condition = first}));
    system_init (&x.s, &x.m, NULL, 1u << IR_P_ASSERT);
    system_reduce (&x.s, reductions[k], &x.sets);
    schedule_walk_init (&w, &x);
    enumerate (&w);
    assert_true (w.wrong);
    schedule_walk_release (&w);
    stubborn_fixture_release (&x);
  }
}

// ---- random machines --------------------------------------------------------------------------------
// Random machines have loops, choices, inputs, a lock that others may release, the end of the process, and goals and
// accesses everywhere.
enum { MACHINES = 500, MAX_STATES = 1000, MAX_WORDS = 32, NUM_BITS = 5 };

typedef struct tiny_machine {
  efsm m;
  rng r;
  term input;
  uint32_t lock;
  bool held;  // held by the thread under construction, as long as its code is straight-line
} tiny_machine;

static term tiny_condition (tiny_machine *y, uint32_t thread) {
  uint32_t v = rng_below (&y->r, NUM_BITS + 2);
  term t = v == NUM_BITS + 1 ? y->input : y->m.variables.data[v == NUM_BITS ? NUM_BITS + thread : v].now;
  return rng_below (&y->r, 2) ? t : term_not (&y->m.terms, t);
}

static void touch_data (tiny_machine *y, uint32_t thread, uint32_t point) {
  uint32_t v = rng_below (&y->r, NUM_BITS);
  bool write = rng_below (&y->r, 2);
  if (write) efsm_set (&y->m, point, v, tiny_condition (y, thread));
  else efsm_set (&y->m, point, NUM_BITS + thread, y->m.variables.data[v].now);
  efsm_point *x = &y->m.points.data[point];
  efsm_access a = {.condition = y->m.terms.truth, .bytes = 1, .plain = true, .write = write};
  a.address = term_const (&y->m.terms, 8, v);
  vec_push (&x->accesses, a);
  vec_push (&x->touches, ((efsm_touch){v, write}));
}

static term use_lock (tiny_machine *y, uint32_t thread, uint32_t point) {
  term_pool *p = &y->m.terms;
  efsm_point *x = &y->m.points.data[point];
  term owner = y->m.variables.data[y->lock].now, free = term_const (p, 2, 0), self = term_const (p, 2, thread + 1);
  bool takes = !y->held;
  if (rng_below (&y->r, 16)) y->held = !y->held;
  else takes = !takes;
  if (takes) {
    x->acquires = 1;
    efsm_set (&y->m, point, y->lock, self);
    return term_or (p, term_eq (p, owner, free), term_eq (p, owner, self));
  }
  x->releases = 1;
  bool only_own = rng_below (&y->r, 2);
  efsm_set (&y->m, point, y->lock, only_own ? term_ite (p, term_eq (p, owner, self), free, owner) : free);
  return p->truth;
}

static void fill_tiny_point (tiny_machine *y, uint32_t thread, uint32_t point, uint32_t first, uint32_t count) {
  term_pool *p = &y->m.terms;
  term alive = p->truth;
  y->m.points.data[point].shared = y->m.points.data[point].opens = y->m.points.data[point].closes =
      rng_below (&y->r, 5);
  if (rng_below (&y->r, 5) > 1) touch_data (y, thread, point);
  else alive = use_lock (y, thread, point);
  if (!rng_below (&y->r, 10)) alive = term_and (p, alive, rng_below (&y->r, 2) ? y->input : tiny_condition (y, thread));
  if (!rng_below (&y->r, 40)) efsm_set (&y->m, point, y->m.over, p->truth);
  uint32_t a = first + rng_below (&y->r, count),
           b = rng_below (&y->r, 16) ? point + 1 : first + rng_below (&y->r, count);
  term c = tiny_condition (y, thread);
  efsm_add_exit (&y->m, point, b, term_and (p, alive, term_not (p, c)));
  efsm_add_exit (&y->m, point, rng_below (&y->r, 5) ? b : a, term_and (p, alive, c));
  efsm_goal g = {.property = IR_P_ASSERT,
                 .condition = term_and (p, tiny_condition (y, thread), tiny_condition (y, thread))};
  if (!rng_below (&y->r, 4)) vec_push (&y->m.points.data[point].goals, g);
}

static void tiny_init (tiny_machine *y, uint64_t seed) {
  *y = (tiny_machine){.r = {seed}};
  efsm_init (&y->m);
  uint32_t num_threads = 2 + rng_below (&y->r, 2);
  y->input = term_var (&y->m.terms, 1);
  for (uint32_t k = 0; k < NUM_BITS; k++) efsm_add_variable (&y->m, 1, IR_NONE, y->m.terms.falsity, NULL);
  for (uint32_t t = 0; t < num_threads; t++) efsm_add_variable (&y->m, 1, t, y->m.terms.falsity, NULL);
  y->lock = efsm_add_variable (&y->m, 2, IR_NONE, term_const (&y->m.terms, 2, 0), NULL);
  y->m.over = efsm_add_variable (&y->m, 1, IR_NONE, y->m.terms.falsity, NULL);
  y->m.num_locks = 1;
  for (uint32_t t = 0; t < num_threads; t++) {
    uint32_t first = y->m.points.count, count = 4 + rng_below (&y->r, 3);
    efsm_add_thread (&y->m);
    y->m.threads.data[t].start = first;
    y->held = false;
    for (uint32_t k = 0; k <= count; k++) efsm_add_point (&y->m, t, NULL);
    for (uint32_t k = 0; k < count; k++) fill_tiny_point (y, t, first + k, first, count + 1);
  }
}

typedef struct tiny_search {
  tiny_machine *y;
  transition_system s;
  evaluator e;
  intern states;
  const ir_value *now;  // by state of the system
  uint32_t thread;
  bool input;
  bool *met;  // by goal: it was reached
} tiny_search;

static bool tiny_value (void *user, term t, ir_value *value) {
  const tiny_search *x = user;
  *value = t.i == x->s.scheduled.i ? x->thread : x->input;
  for (uint32_t k = 0; k < x->s.states.count; k++)
    if (x->s.states.data[k].now.i == t.i) *value = x->now[k];
  return true;
}

static void take_choice (tiny_search *x) {
  ir_value next[MAX_WORDS] = {0};
  evaluator_forget (&x->e);
  for (uint32_t k = 0; k < x->s.constraints.count; k++)
    if (!evaluate_term (&x->e, x->s.constraints.data[k])) return;
  for (uint32_t k = 0; k < x->s.goals.count; k++) x->met[k] |= evaluate_term (&x->e, x->s.goals.data[k].holds);
  for (uint32_t k = 0; k < x->s.states.count; k++) next[k] = evaluate_term (&x->e, x->s.states.data[k].next);
  intern_add (&x->states, next, sizeof *next * x->s.states.count, NULL);
}

// Explores all states: records which goals are reached, returns the number of states.
static uint32_t explore (uint64_t seed, system_reduction kind, bool *met, uint32_t *num_goals) {
  tiny_machine y;
  stubborn_sets sets;
  ir_value start[MAX_WORDS];
  tiny_init (&y, seed);
  tiny_search x = {.y = &y, .met = met};
  system_init (&x.s, &y.m, NULL, 1u << IR_P_ASSERT | 1u << IR_P_RACE);
  system_reduce (&x.s, kind, &sets);
  x.e = (evaluator){.pool = &y.m.terms, .leaf_value = tiny_value, .state = &x};
  assert_true (x.s.states.count <= MAX_WORDS);
  *num_goals = x.s.goals.count;
  for (uint32_t k = 0; k < x.s.states.count; k++) start[k] = term_value (&y.m.terms, x.s.states.data[k].initial);
  intern_add (&x.states, start, sizeof *start * x.s.states.count, NULL);
  uint32_t k;
  for (k = 0; k < intern_count (&x.states) && k < MAX_STATES; k++) {
    x.now = intern_get (&x.states, k, NULL);
    for (uint32_t c = 0; c < 2 * y.m.threads.count; c++) {
      x.thread = c / 2, x.input = c % 2;
      take_choice (&x);
    }
  }
  evaluator_release (&x.e);
  intern_release (&x.states);
  stubborn_sets_release (&sets);
  system_release (&x.s);
  efsm_release (&y.m);
  return k;
}

static void reductions_keep_goals_and_races (void **state) {
  (void) state;
  uint32_t machines = 0;
  uint64_t states[3] = {0}, goals_met = 0;
  for (uint64_t seed = 1; seed <= MACHINES; seed++) {
    bool met[3][4096] = {{0}};
    uint32_t num_goals, size[3];
    size[0] = explore (seed, REDUCE_NOTHING, met[0], &num_goals);
    assert_true (num_goals <= 4096);
    if (size[0] == MAX_STATES) continue;
    machines++;
    states[0] += size[0];
    for (uint32_t k = 1; k < 3; k++) {
      states[k] += size[k] = explore (seed, reductions[k], met[k], &num_goals);
      for (uint32_t g = 0; g < num_goals; g++) {
        if (met[k][g] != met[0][g]) fail_msg ("seed %u: reduction %u, goal %u", (unsigned) seed, k, g);
        goals_met += met[0][g];
      }
    }
  }
  assert_true (machines > MACHINES / 2 && goals_met > MACHINES);
  assert_true (states[1] < states[0] && states[2] < states[1]);
}

TEST_MAIN (cmocka_unit_test (figure_1_needs_a_switch_before_3a_only_with_5b),
           cmocka_unit_test (figure_2_needs_no_switch_before_6a),
           cmocka_unit_test (circuits_admit_the_schedules_of_the_figures),
           cmocka_unit_test (circuits_admit_the_schedules_of_the_definitions),
           cmocka_unit_test (a_lock_that_others_release_is_no_pattern),
           cmocka_unit_test (what_goes_wrong_at_a_lock_needs_no_lock),
           cmocka_unit_test (reductions_keep_goals_and_races))
