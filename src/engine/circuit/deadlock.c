// Adds the threads that are in a deadlock as terms. The set is a greatest fixpoint: it begins with all blocked threads;
// each round removes those whose wait may be ended by a thread outside the set. There are at most as many rounds as
// threads; all are laid out as terms.
#include "engine/circuit/deadlock.h"

#include "analysis/wakers.h"

enum { NUM_KINDS = 3 };  // number of WAKES_* kinds

typedef VEC (term) term_list;

typedef struct deadlock {
  transition_system *s;
  const ir_program *program;
  term_pool *p;
  uint8_t *wakers;        // by location
  term_list ended;        // by thread
  term_list can_wake;     // by thread and kind
  term_list stack_wakes;  // by copy and kind; TERM_NONE: not computed yet
} deadlock;

static const efsm_point *step_start_point (const deadlock *d, uint32_t step) {
  return &d->s->m->points.data[d->s->steps.steps.data[step].point];
}
static uint8_t wakes_at (const deadlock *d, ir_loc l) { return l.i == IR_NONE ? 0 : d->wakers[l.i]; }
static term truth_constant (const deadlock *d, bool x) { return x ? d->p->truth : d->p->falsity; }

// ---- wakers -----------------------------------------------------------------------------------------
static ir_loc place_of_call (const deadlock *d, const efsm_site *x) {
  const efsm_point *from = &d->s->m->points.data[x->from];
  return from->steps.count ? ir_edge_at (d->program, vec_last (&from->steps).edge)->from : from->location;
}

// Can the callers of this copy wake a waiting thread? The location before the call decides, so the call counts as a
// whole, as in the interpreter.
static term stack_wakes (deadlock *d, uint32_t copy, uint32_t kind) {
  term *known = &d->stack_wakes.data[copy * NUM_KINDS + kind];
  if (known->i != TERM_NONE.i) return *known;
  *known = d->p->falsity;
  term any = d->p->falsity;
  for (uint32_t k = 0; k < d->s->m->sites.count; k++) {
    const efsm_site *x = &d->s->m->sites.data[k];
    if (x->copy != copy) continue;
    term here = truth_constant (d, wakes_at (d, place_of_call (d, x)) >> kind & 1);
    term wakes = term_or (d->p, here, stack_wakes (d, d->s->m->points.data[x->from].copy, kind));
    any = term_or (d->p, any, term_and (d->p, x->current, wakes));
  }
  d->stack_wakes.data[copy * NUM_KINDS + kind] = any;
  return any;
}

// A thread that has not taken a step is at the entry of the function that it starts with.
static term wakes_from_start (deadlock *d, const efsm_point *start, uint32_t kind) {
  term any = d->p->falsity;
  for (uint32_t k = 0; k < start->exits.count; k++) {
    ir_loc entry = d->s->m->points.data[start->exits.data[k].to].location;
    if (wakes_at (d, entry) >> kind & 1) any = term_or (d->p, any, start->exits.data[k].guard);
  }
  return any;
}

static term wakes_from (deadlock *d, uint32_t step, uint32_t kind) {
  const efsm_point *p = step_start_point (d, step);
  if (p->location.i == IR_NONE) return wakes_from_start (d, p, kind);
  return term_or (d->p, truth_constant (d, wakes_at (d, p->location) >> kind & 1), stack_wakes (d, p->copy, kind));
}

static void find_wakers (deadlock *d) {
  for (uint32_t k = 0; k < d->s->m->copies.count * NUM_KINDS; k++) vec_push (&d->stack_wakes, TERM_NONE);
  for (uint32_t k = 0; k < system_num_threads (d->s) * NUM_KINDS; k++) vec_push (&d->can_wake, d->p->falsity);
  for (uint32_t t = 0; t < system_num_threads (d->s); t++) vec_push (&d->ended, d->p->falsity);
  for (uint32_t step = 0; step < d->s->steps.steps.count; step++) {
    const efsm_point *p = step_start_point (d, step);
    term there = system_is_at_step (d->s, step);
    if (d->s->m->threads.data[p->thread].end == d->s->steps.steps.data[step].point) d->ended.data[p->thread] = there;
    for (uint32_t kind = 0; kind < NUM_KINDS; kind++) {
      term *can = &d->can_wake.data[p->thread * NUM_KINDS + kind];
      *can = term_or (d->p, *can, term_and (d->p, there, wakes_from (d, step, kind)));
    }
  }
}

// ---- one round --------------------------------------------------------------------------------------
static term owner_is_stuck (deadlock *d, const term_list *stuck, term owner) {
  unsigned bits = term_bits (d->p, owner);
  term any = term_eq (d->p, owner, term_const (d->p, bits, IR_OWNER_ENDED));
  for (uint32_t t = 0; t < system_num_threads (d->s); t++) {
    term is_it = term_eq (d->p, owner, term_const (d->p, bits, t + 1));
    any = term_or (d->p, any, term_and (d->p, is_it, term_or (d->p, stuck->data[t], d->ended.data[t])));
  }
  return any;
}

static term some_reader_is_stuck (deadlock *d, const term_list *stuck, uint32_t rwlock) {
  term any = d->p->falsity;
  for (uint32_t k = 0; k < d->s->m->readers.count; k++) {
    const efsm_reader *r = &d->s->m->readers.data[k];
    if (r->rwlock != rwlock) continue;
    term times = d->s->m->variables.data[r->variable].now;
    term reads = term_not (d->p, term_eq (d->p, times, term_const (d->p, term_bits (d->p, times), 0)));
    term stays = term_or (d->p, stuck->data[r->thread], d->ended.data[r->thread]);
    any = term_or (d->p, any, term_and (d->p, reads, stays));
  }
  return any;
}

static term no_outside_thread_wakes (deadlock *d, const term_list *stuck, uint8_t by) {
  term all = d->p->truth;
  for (uint32_t t = 0; t < system_num_threads (d->s); t++)
    for (uint32_t kind = 0; kind < NUM_KINDS; kind++) {
      if (!(by >> kind & 1)) continue;
      term wakes = term_and (d->p, d->can_wake.data[t * NUM_KINDS + kind], term_not (d->p, stuck->data[t]));
      all = term_and (d->p, all, term_not (d->p, wakes));
    }
  return all;
}

static term wait_lasts (deadlock *d, const term_list *stuck, const efsm_wait *w) {
  term by_owner = owner_is_stuck (d, stuck, w->owner);
  if (w->rwlock != IR_NONE) by_owner = term_or (d->p, by_owner, some_reader_is_stuck (d, stuck, w->rwlock));
  if (term_is_false (d->p, w->by_any_thread)) return by_owner;
  return term_ite (d->p, w->by_any_thread, no_outside_thread_wakes (d, stuck, w->by), by_owner);
}

// Computes the blocked threads; if `stuck` is given, only those whose wait lasts as long as the threads of `stuck` do
// not step.
static void find_blocked (deadlock *d, const term_list *stuck, term_list *out) {
  for (uint32_t t = 0; t < system_num_threads (d->s); t++) vec_push (out, d->p->falsity);
  for (uint32_t step = 0; step < d->s->steps.steps.count; step++) {
    const efsm_point *p = step_start_point (d, step);
    for (uint32_t k = 0; k < p->waits.count; k++) {
      term waits = term_and (d->p, system_is_at_step (d->s, step), p->waits.data[k].blocked);
      if (stuck) waits = term_and (d->p, waits, wait_lasts (d, stuck, &p->waits.data[k]));
      out->data[p->thread] = term_or (d->p, out->data[p->thread], waits);
    }
  }
}

static void find_stuck (deadlock *d, term_list *out) {
  find_blocked (d, NULL, out);
  for (uint32_t round = 0; round < system_num_threads (d->s); round++) {
    term_list next = {0};
    find_blocked (d, out, &next);
    for (uint32_t t = 0; t < system_num_threads (d->s); t++) out->data[t] = term_and (d->p, out->data[t], next.data[t]);
    vec_release (&next);
  }
}

void system_add_deadlock (transition_system *s, const ir_program *program) {
  deadlock d = {.s = s, .program = program, .p = &s->m->terms, .wakers = wakers_new (program)};
  term_list stuck = {0};
  term any = d.p->falsity;
  find_wakers (&d);
  find_stuck (&d, &stuck);
  for (uint32_t t = 0; t < system_num_threads (d.s); t++) {
    vec_push (&s->stuck, stuck.data[t]);
    any = term_or (d.p, any, stuck.data[t]);
  }
  any = term_and (d.p, any, system_goes_on (s));
  if (!term_is_false (d.p, any)) vec_push (&s->goals, ((system_goal){.property = IR_P_DEADLOCK, .holds = any}));
  wakers_free (d.wakers, program);
  vec_release (&stuck);
  vec_release (&d.ended);
  vec_release (&d.can_wake);
  vec_release (&d.stack_wakes);
}
