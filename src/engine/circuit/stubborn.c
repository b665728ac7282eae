// conflict_i(j): the step that T_i stands before touches what T_j may touch from where it stands.  J_i is the closure of {i} under it, and the smallest J_i of a thread that can move is the set.  Threads
// are the unit: all that a thread may do from where it stands is in the set, or nothing of it.
//
// Beyond the paper:
// - Who cannot move is in a set with the point that it waits at, not with all of its large step (Algo1, 2.(a).ii), and does not count when sets are compared: nobody explores it.
// - Whether a thread can move may depend on inputs.  A set is begun only by who can move whatever they are, so that there is always a way on.
// - The step that may end the process conflicts with everybody: it is taken with all others, or after them.
// - So does one that stops inside an atomic region, where the others wait for it.
// - A thread that runs is a lock that whoever joins it must take.
//
// Why what is asked for is kept.  Let w lead from a state s to something that goes wrong (a goal in the last step, or two threads in a race at its end), and S be the set at s.  If a thread of S moves in w, its
// first step there depends on none of the steps before it, and can come first: a way of the same length that begins in S.  If none does, take the step of any member that can move: w is still possible behind it,
// and the sticky steps (sticky.c) see to it that this does not go on for ever.  Neither takes a race away: its accesses touch a common variable, so of two threads that stand there both are in S or
// none is.
#include "engine/circuit/stubborn.h"

#include "encode/blast.h"
#include "engine/circuit/footprint.h"
#include "engine/circuit/sticky.h"

typedef struct reducing {
  transition_system *s;
  term_pool *p;
  system_reduction kind;
  stubborn_sets *out;
  footprints prints;
  uint8_t *sticky;   // by step
  uint32_t *later;   // by step, for one thread and what another holds
  blaster counting;  // how many gates there are so far
  VEC (term) now_terms, later_terms;
} reducing;

static uint32_t num_threads (const reducing *r) { return r->out->num_threads; }
static uint32_t num_steps (const reducing *r) { return r->s->steps.steps.count; }
static uint32_t thread_of (const reducing *r, uint32_t step) { return system_thread_of_step (r->s, step); }

// ---- sizes -------------------------------------------------------------------------------------------------------------------------
static uint32_t gates_of (reducing *r, const term *terms, uint32_t count) {
  uint32_t before = r->counting.graph.nodes.count;
  for (uint32_t k = 0; k < count; k++) blast (&r->counting, terms[k]);
  return r->counting.graph.nodes.count - before;
}

// ---- who can move --------------------------------------------------------------------------------------------------------------------
static bool has_input (const reducing *r, term t, map *seen) {
  bool is_new;
  map_insert (seen, t.i, 0, &is_new);
  if (!is_new) return false;
  const term_node *n = term_at (r->p, t);
  if (n->op == IR_X_REG) return !map_find (&r->s->m->variable_of, t.i);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (has_input (r, n->arg[k], seen)) return true;
  return false;
}

// Only the first point of a step can hold its thread back: who does not get on behind it is stuck, and that is a move.
static term way_on (const reducing *r, uint32_t step) {
  const efsm_point *x = &r->s->m->points.data[r->s->steps.steps.data[step].point];
  term open = r->p->falsity;
  for (uint32_t e = 0; e < x->exits.count; e++) open = term_or (r->p, open, x->exits.data[e].guard);
  return open;
}

// Nobody else is in an atomic region.
static term may_run (reducing *r, uint32_t thread) {
  term all = system_goes_on (r->s);
  for (uint32_t t = 0; t < num_threads (r); t++)
    if (t != thread) all = term_and (r->p, all, term_not (r->p, system_is_inside (r->s, t)));
  return all;
}

static void find_moves (reducing *r) {
  for (uint32_t t = 0; t < num_threads (r); t++) {
    vec_push (&r->out->may_move, r->p->falsity);
    vec_push (&r->out->must_move, r->p->falsity);
  }
  for (uint32_t k = 0; k < num_steps (r); k++) {
    map seen = {0};
    term open = way_on (r, k), here = system_stands_at (r->s, k);
    bool depends = has_input (r, open, &seen);
    map_release (&seen);
    term *may = &r->out->may_move.data[thread_of (r, k)], *must = &r->out->must_move.data[thread_of (r, k)];
    *may = term_or (r->p, *may, depends ? here : term_and (r->p, here, open));
    if (!depends) *must = term_or (r->p, *must, term_and (r->p, here, open));
  }
  for (uint32_t t = 0; t < num_threads (r); t++) {
    term *may = &r->out->may_move.data[t], *must = &r->out->must_move.data[t], runs = may_run (r, t);
    *may = term_and (r->p, *may, runs);
    *must = term_and (r->p, *must, runs);
  }
}

// ---- who conflicts with whom --------------------------------------------------------------------------------------------------------
static term stands_in (reducing *r, uint32_t steps) {
  uint32_t count;
  const uint32_t *step = idset_items (&r->prints.sets, steps, &count);
  term any = r->p->falsity;
  for (uint32_t k = 0; k < count; k++) any = term_or (r->p, any, system_stands_at (r->s, step[k]));
  return any;
}

static holding held_at (const reducing *r, uint32_t step) {
  const step_footprint *x = &r->prints.steps.data[step];
  if (r->kind != REDUCE_LOCK_PATTERNS) return (holding){0, IR_NONE};
  return (holding){x->held, x->runs ? thread_of (r, step) : IR_NONE};
}

// The steps of the other thread from where it may interfere with these touches.
static uint32_t interferers (reducing *r, uint32_t touches, uint32_t other) {
  VEC (uint32_t) found = {0};
  for (uint32_t k = 0; k < num_steps (r); k++)
    if (thread_of (r, k) == other && footprints_meet (&r->prints, touches, r->later[k])) vec_push (&found, k);
  uint32_t set = found.count ? idset_make (&r->prints.sets, found.data, found.count) : IDSET_EMPTY;
  vec_release (&found);
  return set;
}

// Steps of T_i that conflict with the same steps of T_j: at once with `waiting` of them, with `moving` if T_i can move.
typedef struct conflict_class {
  uint32_t steps, waiting, moving;
} conflict_class;
typedef VEC (conflict_class) conflict_classes;

static void classify (reducing *r, conflict_classes *all, uint32_t step, uint32_t other) {
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

static bool same_holding (holding a, holding b) { return a.locks == b.locks && a.thread == b.thread; }

// What T_j may touch later depends on what T_i holds: steps that hold the same are looked at together.
static void find_classes (reducing *r, uint32_t i, uint32_t j, conflict_classes *all) {
  VEC (holding) seen = {0};
  for (uint32_t a = 0; a < num_steps (r); a++) {
    if (thread_of (r, a) != i) continue;
    holding h = held_at (r, a);
    bool is_new = true;
    for (uint32_t k = 0; k < seen.count; k++) is_new &= !same_holding (seen.data[k], h);
    if (!is_new) continue;
    vec_push (&seen, h);
    footprints_later (&r->prints, j, h, r->later);
    for (uint32_t b = a; b < num_steps (r); b++)
      if (thread_of (r, b) == i && same_holding (held_at (r, b), h)) classify (r, all, b, j);
  }
  vec_release (&seen);
}

static term conflict_between (reducing *r, uint32_t i, uint32_t j) {
  conflict_classes all = {0};
  find_classes (r, i, j, &all);
  term any = r->p->falsity;
  for (uint32_t k = 0; k < all.count; k++) {
    const conflict_class *c = &all.data[k];
    term now = stands_in (r, c->steps), waiting = stands_in (r, c->waiting), moving = stands_in (r, c->moving);
    vec_push (&r->now_terms, now);
    vec_push (&r->later_terms, waiting);
    vec_push (&r->later_terms, moving);
    moving = term_and (r->p, moving, r->out->may_move.data[i]);
    any = term_or (r->p, any, term_and (r->p, now, term_or (r->p, waiting, moving)));
  }
  vec_release (&all);
  return any;
}

// The others wait until it comes out of the region.
static bool enters_region (const reducing *r, uint32_t step) {
  const fold_step *s = &r->s->steps.steps.data[step];
  for (uint32_t e = 0; e < s->exits.count; e++)
    if (s->exits.data[e].to != FOLD_STUCK &&
        r->s->m->points.data[r->s->steps.steps.data[s->exits.data[e].to].point].inside)
      return true;
  return false;
}

static bool is_with_everybody (const reducing *r, uint32_t step) {
  return r->sticky[step] || r->prints.steps.data[step].ends_process || enters_region (r, step);
}

// Steps that are taken with everybody, if they can be: sticky ones, those that may end the process, and those that keep the others waiting.
static term with_everybody (reducing *r, uint32_t thread) {
  term any = r->p->falsity;
  for (uint32_t k = 0; k < num_steps (r); k++)
    if (thread_of (r, k) == thread && is_with_everybody (r, k)) any = term_or (r->p, any, system_stands_at (r->s, k));
  return term_and (r->p, any, r->out->may_move.data[thread]);
}

static void find_conflicts (reducing *r) {
  for (uint32_t i = 0; i < num_threads (r); i++) {
    term all = with_everybody (r, i);
    for (uint32_t j = 0; j < num_threads (r); j++)
      vec_push (&r->out->conflict, i == j ? r->p->falsity : term_or (r->p, all, conflict_between (r, i, j)));
  }
}

// ---- the smallest set --------------------------------------------------------------------------------------------------------------
// Warshall 1962.
static void close_sets (reducing *r) {
  uint32_t n = num_threads (r);
  for (uint32_t k = 0; k < n * n; k++)
    vec_push (&r->out->closure, k / n == k % n ? r->p->truth : r->out->conflict.data[k]);
  term *in = r->out->closure.data;
  for (uint32_t via = 0; via < n; via++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        if (i != via && j != via && i != j)
          in[i * n + j] = term_or (r->p, in[i * n + j], term_and (r->p, in[i * n + via], in[via * n + j]));
}

static unsigned count_bits (const reducing *r) {
  unsigned bits = 1;
  while ((uint64_t) 1 << bits <= num_threads (r) + 1) bits++;
  return bits;
}

// Members that may move.
static term size_of_set (reducing *r, uint32_t i) {
  uint32_t n = num_threads (r);
  term size = term_const (r->p, count_bits (r), 0);
  for (uint32_t j = 0; j < n; j++) {
    term member = term_and (r->p, r->out->closure.data[i * n + j], r->out->may_move.data[j]);
    size = term_add (r->p, size, term_resize (r->p, member, count_bits (r)));
  }
  return size;
}

// The first of the smallest; everybody, if nobody can begin one.
static void find_minimal (reducing *r) {
  uint32_t n = num_threads (r);
  term best = term_const (r->p, count_bits (r), n + 1);
  for (uint32_t j = 0; j < n; j++) vec_push (&r->out->cstub, r->p->truth);
  for (uint32_t i = 0; i < n; i++) {
    term size = size_of_set (r, i), better = term_and (r->p, r->out->must_move.data[i], term_ult (r->p, size, best));
    best = term_ite (r->p, better, size, best);
    for (uint32_t j = 0; j < n; j++)
      r->out->cstub.data[j] = term_ite (r->p, better, r->out->closure.data[i * n + j], r->out->cstub.data[j]);
  }
}

// ---- the constraint ------------------------------------------------------------------------------------------------------------------
// Something may go wrong although the thread cannot go on.
static term may_go_wrong (reducing *r, uint32_t thread) {
  term any = r->p->falsity;
  for (uint32_t k = 0; k < num_steps (r); k++) {
    const efsm_point *x = &r->s->m->points.data[r->s->steps.steps.data[k].point];
    if (x->thread == thread && (x->goals.count || x->losses.count))
      any = term_or (r->p, any, system_stands_at (r->s, k));
  }
  return any;
}

// A member of the set is chosen, one that does something if there is one.
static term only_members (reducing *r) {
  term any = r->p->falsity, somebody = r->p->falsity;
  for (uint32_t t = 0; t < num_threads (r); t++) somebody = term_or (r->p, somebody, r->out->must_move.data[t]);
  for (uint32_t t = 0; t < num_threads (r); t++) {
    term acts =
        term_or (r->p, term_or (r->p, r->out->may_move.data[t], may_go_wrong (r, t)), term_not (r->p, somebody));
    term chosen = term_and (r->p, system_executes (r->s, t), r->out->cstub.data[t]);
    any = term_or (r->p, any, term_and (r->p, chosen, acts));
  }
  return any;
}

static void measure (reducing *r, term constraint) {
  stubborn_sets *o = r->out;
  uint32_t n = num_threads (r);
  blaster_init (&r->counting, r->p);
  o->sizes.enabled = gates_of (r, o->may_move.data, n) + gates_of (r, o->must_move.data, n);
  o->sizes.touch_now = gates_of (r, r->now_terms.data, r->now_terms.count);
  o->sizes.touch_later = gates_of (r, r->later_terms.data, r->later_terms.count);
  o->sizes.conflict = gates_of (r, o->conflict.data, n * n);
  o->sizes.closure = gates_of (r, o->closure.data, n * n);
  o->sizes.minimal = gates_of (r, o->cstub.data, n);
  o->sizes.constraint = gates_of (r, &constraint, 1);
  blaster_release (&r->counting);
}

void system_reduce (transition_system *s, system_reduction kind, stubborn_sets *out) {
  *out = (stubborn_sets){.num_threads = s->m->threads.count};
  if (kind == REDUCE_NOTHING) return;
  reducing r = {.s = s, .p = &s->m->terms, .kind = kind, .out = out};
  uint32_t count = s->steps.steps.count;
  r.sticky = mem_zalloc (count + 1);
  r.later = mem_zalloc (sizeof *r.later * (count + 1));
  footprints_init (&r.prints, &s->steps);
  out->sticky = find_sticky_steps (&s->steps, r.sticky);
  find_moves (&r);
  find_conflicts (&r);
  close_sets (&r);
  find_minimal (&r);
  term constraint = only_members (&r);
  measure (&r, constraint);
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
