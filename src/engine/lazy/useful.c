// Passes of the token that bring something new.  If what a thread does first with the token has nothing to do with what
// the thread before it did, it could as well have done it before that one.  Asked only where the number of the thread
// goes down: among equal executions there is one whose threads, in the order in which they run, come first in the
// dictionary (Anisimov and Knuth 1979), and such passes do not occur in it.  Asked of both orders, two threads that
// have nothing to do with each other would wait for each other for ever.
#include "engine/lazy/lazy.h"

// What a thread does from a point on before another can run.
typedef struct unit {
  VEC (uint32_t) work;
  map seen;
} unit;

static void unit_add (unit *x, uint32_t point) {
  bool is_new;
  map_insert (&x->seen, point, 0, &is_new);
  if (is_new) vec_push (&x->work, point);
}

static void unit_find (const lazy_model *u, uint32_t start, unit *x) {
  unit_add (x, start);
  for (uint32_t n = 0; n < x->work.count; n++) {
    const efsm_point *p = &u->m->points.data[x->work.data[n]];
    for (uint32_t k = 0; k < p->exits.count; k++)
      if (u->m->points.data[p->exits.data[k].to].kind != POINT_WRITE_SYNC) unit_add (x, p->exits.data[k].to);
  }
}

// The thread has written the variable since it took the token.
static term written (lazy_model *u, uint32_t thread, uint32_t depth, uint32_t variable) {
  if (!depth) return u->terms->falsity;
  uint64_t key = ((uint64_t) thread << 20 | depth) << 32 | variable;
  const uint64_t *known = map_find (&u->written, key);
  if (known) return (term){(uint32_t) *known};
  const lazy_lane *l = &u->lanes.data[thread];
  const reach_depth *r = &l->reach.depths.data[depth - 1];
  term before = term_and (u->terms, written (u, thread, depth - 1, variable),
                          term_not (u->terms, l->frames.data[depth - 1].takes));
  for (uint32_t k = 0; k < r->points.count; k++) {
    const uint32_t *end = touched_end (&u->touched, r->points.data[k].point);
    for (const uint32_t *x = touched_begin (&u->touched, r->points.data[k].point); x < end; x++)
      if (*x == (variable << 1 | 1)) before = term_or (u->terms, before, l->frames.data[depth - 1].at.data[k]);
  }
  map_insert (&u->written, key, before.i, NULL);
  return before;
}

static bool may_read (const lazy_model *u, uint32_t thread, uint32_t variable) {
  return map_find (&u->readers, (uint64_t) thread << 32 | variable);
}

void lazy_find_readers (lazy_model *u) {
  for (uint32_t p = 0; p < u->m->points.count; p++) {
    const uint32_t *end = touched_end (&u->touched, p);
    for (const uint32_t *x = touched_begin (&u->touched, p); x < end; x++)
      map_insert (&u->readers, (uint64_t) u->m->points.data[p].thread << 32 | *x >> 1, 0, NULL);
  }
}

static term touches_what_was_written (lazy_model *u, const lazy_pass *p, uint32_t point) {
  term any = u->terms->falsity;
  const uint32_t *end = touched_end (&u->touched, point);
  for (const uint32_t *x = touched_begin (&u->touched, point); x < end && !term_is_true (u->terms, any); x++) {
    any = term_or (u->terms, any, written (u, p->j, p->h, *x >> 1));
    if ((*x & 1) && may_read (u, p->j, *x >> 1)) any = u->terms->truth;
  }
  return any;
}

static term conflicts (lazy_model *u, const lazy_pass *p) {
  const reach_depth *r = &u->lanes.data[p->i].reach.depths.data[p->k];
  term any = u->terms->falsity;
  for (uint32_t k = 0; k < r->points.count && !term_is_true (u->terms, any); k++) {
    const efsm_point *sync = &u->m->points.data[r->points.data[k].point];
    if (sync->kind != POINT_READ_SYNC) continue;
    unit x = {0};
    unit_find (u, sync->block, &x);
    for (uint32_t n = 0; n < x.work.count; n++)
      any = term_or (u->terms, any, touches_what_was_written (u, p, x.work.data[n]));
    vec_release (&x.work);
    map_release (&x.seen);
  }
  return any;
}

// The access right before this write sync is the first of a race that is found.  What races there are is not known yet.
static term begins_race (lazy_model *u, uint32_t thread, uint32_t depth) {
  bool is_new;
  uint64_t key = (uint64_t) thread << 32 | depth, *found = map_insert (&u->begins_race, key, 0, &is_new);
  if (is_new) *found = term_var (u->terms, 1).i;
  return (term){(uint32_t) *found};
}

term lazy_useful (lazy_model *u, const lazy_pass *p) {
  if (p->i > p->j) return u->terms->truth;
  bool races = u->options.properties >> IR_P_RACE & 1;
  term needed = conflicts (u, p);
  return races && !term_is_true (u->terms, needed) ? term_or (u->terms, needed, begins_race (u, p->i, p->k + 2))
                                                   : needed;
}

// Its value is the literal, and above it the one that stands for races that are still to be found; 0: nothing is said
// of it yet. Each of these literals is true only if one of the races found so far begins there, or one that is found at
// a larger depth.
void lazy_connect_races (lazy_model *u, uint32_t first_goal) {
  for (uint32_t n = 0; n < u->begins_race.entries.count; n++) {
    map_entry *e = &u->begins_race.entries.data[n];
    VEC (term) clause = {0};
    term later = term_var (u->terms, 1), open = {(uint32_t) (e->value >> 32)};
    bool is_new = !open.i;
    vec_push (&clause, term_not (u->terms, is_new ? (term){(uint32_t) e->value} : open));
    for (uint32_t g = is_new ? 0 : first_goal; g < u->goals.count; g++) {
      const lazy_goal *x = &u->goals.data[g];
      if (x->property != IR_P_RACE) continue;
      const lazy_pass *p = &u->passes.data[x->pass];
      if (((uint64_t) p->j << 32 | p->h) == e->key) vec_push (&clause, x->literal);
    }
    e->value = (uint64_t) later.i << 32 | (uint32_t) e->value;
    vec_push (&clause, later);
    decider_clause (u->decider, clause.data, clause.count);
    decider_clause (u->decider, (term[]){term_not (u->terms, later), term_not (u->terms, u->last_depth)}, 2);
    vec_release (&clause);
  }
}
