// Builds the constraint of the reduction. conflict_i(j): the step that T_i is before accesses what T_j may access from
// its location on. J_i is the closure of {i} under it, and the smallest J_i of a thread that can move is the stubborn
// set. A set consists of threads: it has all that a thread may do from its location on, or nothing of it.
//
// Beyond the paper:
// - A thread that cannot move is in a set with the point that it waits at, not with all of its large step (Algo1,
//   2.(a).ii). It does not count when sizes of sets are compared, since no step of it is explored.
// - Whether a thread can move may depend on inputs. A set is begun only by a thread that can move whatever the inputs
//   are, so that some member can always move.
// - The step that may end the process conflicts with all threads: it is taken with all others, or after them.
// - So does a step that stops inside an atomic region, where the other threads wait for it.
// - A thread that runs is like a lock that each thread which joins it must acquire.
//
// Why this keeps the properties. Let w lead from a state s to a violation (a goal in the last step, or two threads in a
// race at its end), and let S be the set at s. If a thread of S moves in w, its first step there depends on none of the
// steps before it and can come first: a path of the same length that begins in S. If no thread of S moves in w, take
// the step of any member that can move: w is still possible after it, and the sticky steps (sticky_steps.c) ensure that
// this does not go on for ever. Neither change removes a race: the two accesses touch a common variable, so of two
// threads that are before them both are in S or none is.
#include "engine/circuit/circuit_stubborn.h"

#include "encode/blast.h"
#include "engine/circuit/footprint.h"
#include "engine/circuit/sticky_steps.h"

typedef struct stubborn_builder {
  transition_system *s;
  term_pool *p;
  system_reduction kind;
  stubborn_sets *out;
  footprints prints;
  uint8_t *sticky;   // by step
  uint32_t *later;   // by step, for one thread and the locks that another one holds
  blaster counting;  // for counting the gates of each part
  VEC (term) now_terms, later_terms;
} stubborn_builder;

static uint32_t num_steps (const stubborn_builder *r) { return r->s->steps.steps.count; }
static uint32_t thread_of_step (const stubborn_builder *r, uint32_t step) { return system_thread_of_step (r->s, step); }

// ---- sizes ------------------------------------------------------------------------------------------
static uint32_t count_new_gates (stubborn_builder *r, const term *terms, uint32_t count) {
  uint32_t before = r->counting.graph.nodes.count;
  for (uint32_t k = 0; k < count; k++) blast (&r->counting, terms[k]);
  return r->counting.graph.nodes.count - before;
}

// ---- threads that can move --------------------------------------------------------------------------
static bool has_input (const stubborn_builder *r, term t, map *seen) {
  bool is_new;
  map_insert (seen, t.i, 0, &is_new);
  if (!is_new) return false;
  const term_node *n = term_at (r->p, t);
  if (n->op == IR_X_REG) return !map_find (&r->s->m->variable_of, t.i);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (has_input (r, n->arg[k], seen)) return true;
  return false;
}

// Only the first point of a step can block its thread: a thread that cannot continue after it is stuck, and getting
// stuck is a move.
static term first_point_is_open (const stubborn_builder *r, uint32_t step) {
  const efsm_point *x = &r->s->m->points.data[r->s->steps.steps.data[step].point];
  term open = r->p->falsity;
  for (uint32_t e = 0; e < x->exits.count; e++) open = term_or (r->p, open, x->exits.data[e].guard);
  return open;
}

// No other thread is in an atomic region.
static term no_other_region (stubborn_builder *r, uint32_t thread) {
  term all = system_goes_on (r->s);
  for (uint32_t t = 0; t < system_num_threads (r->s); t++)
    if (t != thread) all = term_and (r->p, all, term_not (r->p, system_is_inside (r->s, t)));
  return all;
}

static void find_movable_threads (stubborn_builder *r) {
  for (uint32_t t = 0; t < system_num_threads (r->s); t++) {
    vec_push (&r->out->may_move, r->p->falsity);
    vec_push (&r->out->must_move, r->p->falsity);
  }
  for (uint32_t k = 0; k < num_steps (r); k++) {
    map seen = {0};
    term open = first_point_is_open (r, k), here = system_is_at_step (r->s, k);
    bool depends = has_input (r, open, &seen);
    map_release (&seen);
    term *may = &r->out->may_move.data[thread_of_step (r, k)], *must = &r->out->must_move.data[thread_of_step (r, k)];
    *may = term_or (r->p, *may, depends ? here : term_and (r->p, here, open));
    if (!depends) *must = term_or (r->p, *must, term_and (r->p, here, open));
  }
  for (uint32_t t = 0; t < system_num_threads (r->s); t++) {
    term *may = &r->out->may_move.data[t], *must = &r->out->must_move.data[t], runs = no_other_region (r, t);
    *may = term_and (r->p, *may, runs);
    *must = term_and (r->p, *must, runs);
  }
}

// ---- conflicts --------------------------------------------------------------------------------------
static term is_at_some_step (stubborn_builder *r, uint32_t steps) {
  uint32_t count;
  const uint32_t *step = idset_items (&r->prints.sets, steps, &count);
  term any = r->p->falsity;
  for (uint32_t k = 0; k < count; k++) any = term_or (r->p, any, system_is_at_step (r->s, step[k]));
  return any;
}

static step_holds locks_held_at (const stubborn_builder *r, uint32_t step) {
  const step_footprint *x = &r->prints.steps.data[step];
  if (r->kind != REDUCE_LOCK_PATTERNS) return (step_holds){0, IR_NONE};
  return (step_holds){x->held, x->runs ? thread_of_step (r, step) : IR_NONE};
}

// Returns the set of those steps of the other thread from which it may interfere with this footprint.
static uint32_t interferers (stubborn_builder *r, uint32_t touches, uint32_t other) {
  VEC (uint32_t) found = {0};
  for (uint32_t k = 0; k < num_steps (r); k++)
    if (thread_of_step (r, k) == other && footprints_conflict (&r->prints, touches, r->later[k])) vec_push (&found, k);
  uint32_t set = found.count ? idset_make (&r->prints.sets, found.data, found.count) : IDSET_EMPTY;
  vec_release (&found);
  return set;
}

// Steps of T_i that conflict with the same steps of T_j: at any time with those in `waiting`, and with those in
// `moving` if T_i can move.
typedef struct conflict_class {
  uint32_t steps, waiting, moving;
} conflict_class;
typedef VEC (conflict_class) conflict_classes;

static void add_to_conflict_class (stubborn_builder *r, conflict_classes *all, uint32_t step, uint32_t other) {
  const step_footprint *x = &r->prints.steps.data[step];
  uint32_t waiting = interferers (r, x->first, other), moving = interferers (r, x->all, other);
  if (!moving) return;
  for (uint32_t k = 0; k < all->count; k++) {
    conflict_class *c = &all->data[k];
    if (c->waiting != waiting || c->moving != moving) continue;
    c->steps = idset_add (&r->prints.sets, c->steps, step);
    return;
  }
  vec_push (all, ((conflict_class){idset_add (&r->prints.sets, IDSET_EMPTY, step), waiting, moving}));
}

static bool same_holding (step_holds a, step_holds b) { return a.locks == b.locks && a.thread == b.thread; }

// Computes the classes. What T_j may access later depends on what T_i holds, so steps of T_i that hold the same are
// handled at once.
static void find_conflict_classes (stubborn_builder *r, uint32_t i, uint32_t j, conflict_classes *all) {
  VEC (step_holds) seen = {0};
  for (uint32_t a = 0; a < num_steps (r); a++) {
    if (thread_of_step (r, a) != i) continue;
    step_holds h = locks_held_at (r, a);
    bool is_new = true;
    for (uint32_t k = 0; k < seen.count; k++) is_new &= !same_holding (seen.data[k], h);
    if (!is_new) continue;
    vec_push (&seen, h);
    footprints_later (&r->prints, j, h, r->later);
    for (uint32_t b = a; b < num_steps (r); b++)
      if (thread_of_step (r, b) == i && same_holding (locks_held_at (r, b), h)) add_to_conflict_class (r, all, b, j);
  }
  vec_release (&seen);
}

static term conflict_between (stubborn_builder *r, uint32_t i, uint32_t j) {
  conflict_classes all = {0};
  find_conflict_classes (r, i, j, &all);
  term any = r->p->falsity;
  for (uint32_t k = 0; k < all.count; k++) {
    const conflict_class *c = &all.data[k];
    term now = is_at_some_step (r, c->steps), waiting = is_at_some_step (r, c->waiting),
         moving = is_at_some_step (r, c->moving);
    vec_push (&r->now_terms, now);
    vec_push (&r->later_terms, waiting);
    vec_push (&r->later_terms, moving);
    moving = term_and (r->p, moving, r->out->may_move.data[i]);
    any = term_or (r->p, any, term_and (r->p, now, term_or (r->p, waiting, moving)));
  }
  vec_release (&all);
  return any;
}

// Does the step stop inside an atomic region? The other threads wait until the thread leaves it.
static bool enters_region (const stubborn_builder *r, uint32_t step) {
  const fold_step *s = &r->s->steps.steps.data[step];
  for (uint32_t e = 0; e < s->exits.count; e++)
    if (s->exits.data[e].to != FOLD_STUCK &&
        r->s->m->points.data[r->s->steps.steps.data[s->exits.data[e].to].point].inside)
      return true;
  return false;
}

static bool needs_all_threads (const stubborn_builder *r, uint32_t step) {
  return r->sticky[step] || r->prints.steps.data[step].ends_process || enters_region (r, step);
}

// Is the thread before a step that is taken with all other threads, if they can move: a sticky step, one that may end
// the process, or one that keeps the others waiting?
static term is_at_step_with_all (stubborn_builder *r, uint32_t thread) {
  term any = r->p->falsity;
  for (uint32_t k = 0; k < num_steps (r); k++)
    if (thread_of_step (r, k) == thread && needs_all_threads (r, k))
      any = term_or (r->p, any, system_is_at_step (r->s, k));
  return term_and (r->p, any, r->out->may_move.data[thread]);
}

static void find_conflicts (stubborn_builder *r) {
  for (uint32_t i = 0; i < system_num_threads (r->s); i++) {
    term all = is_at_step_with_all (r, i);
    for (uint32_t j = 0; j < system_num_threads (r->s); j++)
      vec_push (&r->out->conflict, i == j ? r->p->falsity : term_or (r->p, all, conflict_between (r, i, j)));
  }
}

// ---- the smallest set -------------------------------------------------------------------------------
// The closure of the conflict relation, by Warshall's algorithm (1962).
static void close_sets (stubborn_builder *r) {
  uint32_t n = system_num_threads (r->s);
  for (uint32_t k = 0; k < n * n; k++)
    vec_push (&r->out->closure, k / n == k % n ? r->p->truth : r->out->conflict.data[k]);
  term *in = r->out->closure.data;
  for (uint32_t via = 0; via < n; via++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        if (i != via && j != via && i != j)
          in[i * n + j] = term_or (r->p, in[i * n + j], term_and (r->p, in[i * n + via], in[via * n + j]));
}

static unsigned set_size_bits (const stubborn_builder *r) {
  unsigned bits = 1;
  while ((uint64_t) 1 << bits <= system_num_threads (r->s) + 1) bits++;
  return bits;
}

// Returns the number of members that may move.
static term size_of_set (stubborn_builder *r, uint32_t i) {
  uint32_t n = system_num_threads (r->s);
  term size = term_const (r->p, set_size_bits (r), 0);
  for (uint32_t j = 0; j < n; j++) {
    term member = term_and (r->p, r->out->closure.data[i * n + j], r->out->may_move.data[j]);
    size = term_add (r->p, size, term_resize (r->p, member, set_size_bits (r)));
  }
  return size;
}

// Chooses the first set of minimal size; all threads, if no thread can begin a set.
static void find_minimal (stubborn_builder *r) {
  uint32_t n = system_num_threads (r->s);
  term best = term_const (r->p, set_size_bits (r), n + 1);
  for (uint32_t j = 0; j < n; j++) vec_push (&r->out->cstub, r->p->truth);
  for (uint32_t i = 0; i < n; i++) {
    term size = size_of_set (r, i), better = term_and (r->p, r->out->must_move.data[i], term_ult (r->p, size, best));
    best = term_ite (r->p, better, size, best);
    for (uint32_t j = 0; j < n; j++)
      r->out->cstub.data[j] = term_ite (r->p, better, r->out->closure.data[i * n + j], r->out->cstub.data[j]);
  }
}

// ---- the constraint ---------------------------------------------------------------------------------
// Can a violation occur although the thread cannot step?
static term may_go_wrong (stubborn_builder *r, uint32_t thread) {
  term any = r->p->falsity;
  for (uint32_t k = 0; k < num_steps (r); k++) {
    const efsm_point *x = &r->s->m->points.data[r->s->steps.steps.data[k].point];
    if (x->thread == thread && (x->goals.count || x->losses.count))
      any = term_or (r->p, any, system_is_at_step (r->s, k));
  }
  return any;
}

// The scheduler chooses a member of the set, one that can step if there is one.
static term only_members (stubborn_builder *r) {
  term any = r->p->falsity, some_thread = r->p->falsity;
  for (uint32_t t = 0; t < system_num_threads (r->s); t++)
    some_thread = term_or (r->p, some_thread, r->out->must_move.data[t]);
  for (uint32_t t = 0; t < system_num_threads (r->s); t++) {
    term acts =
        term_or (r->p, term_or (r->p, r->out->may_move.data[t], may_go_wrong (r, t)), term_not (r->p, some_thread));
    term chosen = term_and (r->p, system_executes (r->s, t), r->out->cstub.data[t]);
    any = term_or (r->p, any, term_and (r->p, chosen, acts));
  }
  return any;
}

static void measure_parts (stubborn_builder *r, term constraint) {
  stubborn_sets *o = r->out;
  uint32_t n = system_num_threads (r->s);
  blaster_init (&r->counting, r->p);
  o->sizes.enabled = count_new_gates (r, o->may_move.data, n) + count_new_gates (r, o->must_move.data, n);
  o->sizes.touch_now = count_new_gates (r, r->now_terms.data, r->now_terms.count);
  o->sizes.touch_later = count_new_gates (r, r->later_terms.data, r->later_terms.count);
  o->sizes.conflict = count_new_gates (r, o->conflict.data, n * n);
  o->sizes.closure = count_new_gates (r, o->closure.data, n * n);
  o->sizes.minimal = count_new_gates (r, o->cstub.data, n);
  o->sizes.constraint = count_new_gates (r, &constraint, 1);
  blaster_release (&r->counting);
}

void system_reduce (transition_system *s, system_reduction kind, stubborn_sets *out) {
  *out = (stubborn_sets){.num_threads = s->m->threads.count};
  if (kind == REDUCE_NOTHING) return;
  stubborn_builder r = {.s = s, .p = &s->m->terms, .kind = kind, .out = out};
  uint32_t count = s->steps.steps.count;
  r.sticky = mem_zalloc (count + 1);
  r.later = mem_zalloc (sizeof *r.later * (count + 1));
  footprints_init (&r.prints, &s->steps);
  out->sticky = find_sticky_steps (&s->steps, r.sticky);
  find_movable_threads (&r);
  find_conflicts (&r);
  close_sets (&r);
  find_minimal (&r);
  term constraint = only_members (&r);
  measure_parts (&r, constraint);
  vec_push (&s->constraints, constraint);
  footprints_release (&r.prints);
  mem_free (r.sticky, count + 1);
  mem_free (r.later, sizeof *r.later * (count + 1));
  vec_release (&r.now_terms);
  vec_release (&r.later_terms);
}

void stubborn_sets_release (stubborn_sets *s) {
  vec_release (&s->may_move);
  vec_release (&s->must_move);
  vec_release (&s->conflict);
  vec_release (&s->closure);
  vec_release (&s->cstub);
}
