// The synchronous model of section 3 and 8, for comparison: one copy of what is shared, a scheduler, and wait cycles.
// The thread that has the token moves, the others stay where they are; at a write sync the token may go to anybody.  A
// race is seen as in the lazy model: the thread that gets the token is about to access what the one before it has just
// accessed.
#include "engine/lazy/lazy.h"

enum { HOLDER_BITS = 6 };
// The last access, and after the token went on the one that was last then; in this order in lazy_model.access.
enum { A_VALID, A_ADDRESS, A_BYTES, A_WRITE, A_PLAIN, A_OUTSIDE, A_EDGE_AND_STEP, A_COUNT };
enum { LAST, PASSED = LAST + A_COUNT, EAGER_ACCESS = PASSED + A_COUNT };
enum { BYTES_BITS = 32, EDGE_BITS = 64 };

static term number (lazy_model *u, unsigned bits, uint64_t value) { return term_const (u->terms, bits, value); }

static unsigned address_bits (const lazy_model *u) {
  for (uint32_t k = 0; k < u->m->points.count; k++)
    if (u->m->points.data[k].accesses.count) return term_bits (u->terms, u->m->points.data[k].accesses.data[0].address);
  return 64;
}

static term *access_at (lazy_model *u, uint32_t depth, uint32_t which) {
  return &u->access.data[depth * EAGER_ACCESS + which];
}

term eager_passed_access (const lazy_model *u, uint32_t depth) {
  return u->access.data[depth * EAGER_ACCESS + PASSED + A_EDGE_AND_STEP];
}

static void add_no_access (lazy_model *u) {
  for (uint32_t k = 0; k < 2; k++) {
    vec_push (&u->access, u->terms->falsity);
    vec_push (&u->access, number (u, address_bits (u), 0));
    vec_push (&u->access, number (u, BYTES_BITS, 0));
    vec_push (&u->access, u->terms->falsity);
    vec_push (&u->access, u->terms->falsity);
    vec_push (&u->access, u->terms->falsity);
    vec_push (&u->access, number (u, EDGE_BITS, 0));
  }
}

void eager_begin (lazy_model *u) {
  term holder = term_var (u->terms, HOLDER_BITS), some = u->terms->falsity;
  for (uint32_t t = 0; t < u->lanes.count; t++)
    if (u->m->threads.data[t].started == IR_NONE)
      some = term_or (u->terms, some, term_eq (u->terms, holder, number (u, HOLDER_BITS, t)));
  decider_assert (u->decider, some);
  vec_push (&u->holder, holder);
  add_no_access (u);
}

static term moves (lazy_model *u, uint32_t thread, uint32_t depth) {
  return term_eq (u->terms, u->holder.data[depth], number (u, HOLDER_BITS, thread));
}

// The process has not ended: what a thread does by itself does not look at that.
static term goes_on (lazy_model *u, uint32_t depth) {
  return u->m->over == IR_NONE ? u->terms->truth
                               : term_not (u->terms, u->lanes.data[0].frames.data[depth].value[u->m->over]);
}

// ---- one step ---------------------------------------------------------------------------------------
typedef struct stepping {
  lazy_model *u;
  uint32_t depth;
  term *value;
} stepping;

static void reach_eager_point (const stepping *s, uint32_t t, lazy_frame *next, uint32_t point, term condition) {
  const lazy_lane *l = &s->u->lanes.data[t];
  const reach_at *a = reach_find (&l->reach, s->depth + 1, point);
  if (!a) return;
  term *at = &next->at.data[a - l->reach.depths.data[s->depth + 1].points.data];
  *at = term_or (s->u->terms, *at, condition);
}

static void keep (const stepping *s, uint32_t which, term condition, term value) {
  term *next = access_at (s->u, s->depth + 1, which);
  *next = term_ite (s->u->terms, condition, value, *next);
}

static void note_access (const stepping *s, uint32_t t, const efsm_access *a, term taken) {
  lazy_model *u = s->u;
  term condition = term_and (u->terms, taken, lazy_at (u, t, s->depth, a->condition));
  keep (s, LAST + A_VALID, condition, u->terms->truth);
  keep (s, LAST + A_ADDRESS, condition, lazy_at (u, t, s->depth, a->address));
  keep (s, LAST + A_BYTES, condition, number (u, BYTES_BITS, a->bytes));
  keep (s, LAST + A_WRITE, condition, a->write ? u->terms->truth : u->terms->falsity);
  keep (s, LAST + A_PLAIN, condition, a->plain ? u->terms->truth : u->terms->falsity);
  keep (s, LAST + A_OUTSIDE, condition, a->in_region ? u->terms->falsity : u->terms->truth);
  keep (s, LAST + A_EDGE_AND_STEP, condition, number (u, EDGE_BITS, (uint64_t) a->edge.i << 32 | a->step));
}

static void leave_eager_point (const stepping *s, uint32_t t, uint32_t index, lazy_frame *next) {
  lazy_model *u = s->u;
  const lazy_lane *l = &u->lanes.data[t];
  const reach_at *r = &l->reach.depths.data[s->depth].points.data[index];
  const efsm_point *p = &u->m->points.data[r->point];
  term at = l->frames.data[s->depth].at.data[index], taken = u->terms->falsity;
  if (term_is_false (u->terms, at)) return;
  term may = term_and (u->terms, at, moves (u, t, s->depth));
  reach_eager_point (s, t, next, r->point, term_and (u->terms, at, term_not (u->terms, moves (u, t, s->depth))));
  for (uint32_t k = 0; k < p->exits.count; k++) {
    term goes = term_and (u->terms, may, lazy_at (u, t, s->depth, p->exits.data[k].guard));
    reach_eager_point (s, t, next, p->exits.data[k].to, goes);
    taken = term_or (u->terms, taken, goes);
  }
  for (uint32_t k = 0; k < p->updates.count; k++) {
    uint32_t v = p->updates.data[k].variable;
    s->value[v] = term_ite (u->terms, taken, lazy_at (u, t, s->depth, p->updates.data[k].value), s->value[v]);
  }
  if (p->shared) keep (s, LAST + A_VALID, taken, u->terms->falsity);
  for (uint32_t k = 0; k < p->accesses.count; k++) note_access (s, t, &p->accesses.data[k], taken);
}

// ---- the token, and races ---------------------------------------------------------------------------
static void pass_token (const stepping *s) {
  lazy_model *u = s->u;
  term may = u->terms->falsity, next = term_var (u->terms, HOLDER_BITS), arrives = u->terms->falsity;
  for (uint32_t t = 0; t < u->lanes.count; t++) {
    may = term_or (u->terms, may,
                   term_and (u->terms, moves (u, t, s->depth), lazy_any_sync (u, t, s->depth, POINT_WRITE_SYNC)));
    arrives = term_or (u->terms, arrives,
                       term_and (u->terms, moves (u, t, s->depth), lazy_any_sync (u, t, s->depth, POINT_READ_SYNC)));
  }
  term holder = term_ite (u->terms, may, next, u->holder.data[s->depth]);
  decider_assert (u->decider, term_ult (u->terms, holder, number (u, HOLDER_BITS, u->lanes.count)));
  vec_push (&u->holder, holder);
  term passed = term_not (u->terms, term_eq (u->terms, holder, u->holder.data[s->depth]));
  for (uint32_t k = 0; k < A_COUNT; k++) keep (s, PASSED + k, passed, *access_at (u, s->depth, LAST + k));
  keep (s, PASSED + A_VALID, arrives, u->terms->falsity);
}

static efsm_access passed_access (lazy_model *u, uint32_t depth) {
  return (efsm_access){.condition = *access_at (u, depth, PASSED + A_VALID),
                       .address = *access_at (u, depth, PASSED + A_ADDRESS)};
}

static term reaches (lazy_model *u, term address, term into, term bytes) {
  return term_ult (u->terms, address,
                   term_add (u->terms, into, term_resize (u->terms, bytes, term_bits (u->terms, into))));
}

static void add_races_at (lazy_model *u, uint32_t t, uint32_t depth, uint32_t sync, term here) {
  uint32_t block = u->m->points.data[sync].block;
  const efsm_point *p = &u->m->points.data[block];
  efsm_access b = passed_access (u, depth);
  term length = *access_at (u, depth, PASSED + A_BYTES), writes = *access_at (u, depth, PASSED + A_WRITE),
       plain = *access_at (u, depth, PASSED + A_PLAIN), outside = *access_at (u, depth, PASSED + A_OUTSIDE);
  for (uint32_t k = 0; k < p->accesses.count; k++) {
    efsm_access a = p->accesses.data[k];
    term address = lazy_at (u, t, depth, a.address), condition = lazy_at (u, t, depth, a.condition);
    term overlap = term_and (u->terms, reaches (u, address, b.address, length),
                             reaches (u, b.address, address, number (u, BYTES_BITS, a.bytes)));
    term kinds = term_and (u->terms, a.write ? u->terms->truth : writes, a.plain ? u->terms->truth : plain);
    kinds = term_and (u->terms, kinds, a.in_region ? outside : u->terms->truth);
    term race = term_and (u->terms, term_and (u->terms, here, b.condition),
                          term_and (u->terms, condition, term_and (u->terms, overlap, kinds)));
    lazy_goal g = {.property = IR_P_RACE,
                   .literal = race,
                   .thread = t,
                   .depth = depth,
                   .point = block,
                   .step = a.step,
                   .edge = a.edge,
                   .pass = IR_NONE};
    if (!term_is_false (u->terms, race)) vec_push (&u->goals, g);
  }
}

static void add_eager_races (lazy_model *u, uint32_t t, uint32_t depth) {
  const lazy_lane *l = &u->lanes.data[t];
  const reach_depth *d = &l->reach.depths.data[depth];
  for (uint32_t k = 0; k < d->points.count; k++)
    if (u->m->points.data[d->points.data[k].point].kind == POINT_READ_SYNC)
      add_races_at (u, t, depth, d->points.data[k].point,
                    term_and (u->terms, l->frames.data[depth].at.data[k], moves (u, t, depth)));
}

void eager_step (lazy_model *u) {
  stepping s = {.u = u, .depth = u->depth};
  s.value = arena_alloc (u->arena, sizeof *s.value * (u->m->variables.count + 1));
  for (uint32_t v = 0; v < u->m->variables.count; v++) s.value[v] = u->lanes.data[0].frames.data[u->depth].value[v];
  for (uint32_t k = 0; k < EAGER_ACCESS; k++) vec_push (&u->access, u->access.data[u->depth * EAGER_ACCESS + k]);
  VEC (lazy_frame) next = {0};
  for (uint32_t t = 0; t < u->lanes.count; t++) {
    lazy_lane *l = &u->lanes.data[t];
    lazy_add_goals (u, t, u->depth, term_and (u->terms, moves (u, t, u->depth), goes_on (u, u->depth)));
    if (u->options.properties >> IR_P_RACE & 1) add_eager_races (u, t, u->depth);
    lazy_frame f = {.takes = u->terms->falsity, .gives = u->terms->falsity, .value = s.value};
    for (uint32_t k = 0; k < l->reach.depths.data[u->depth + 1].points.count; k++) vec_push (&f.at, u->terms->falsity);
    for (uint32_t k = 0; k < l->reach.depths.data[u->depth].points.count; k++) leave_eager_point (&s, t, k, &f);
    vec_push (&next, f);
  }
  for (uint32_t t = 0; t < u->lanes.count; t++) vec_push (&u->lanes.data[t].frames, next.data[t]);
  vec_release (&next);
  pass_token (&s);
}
