// Comparison with plain enumeration: the points that a thread reaches in a number of steps, with an explicit call
// stack, and the locks held there.
#include "efsm/reach.h"

#include <string.h>

#include "base/rng.h"
#include "base/test.h"

enum { PROCS = 4, POINTS = 4, LOCKS = 3, DEPTHS = 14 };

// ---- random programs with calls ---------------------------------------------------------------------
// Procedure p calls only later ones; its last point returns to all its call sites.
typedef struct calling {
  efsm m;
  rng rng;
} calling;

static uint32_t point_of (uint32_t proc, uint32_t k) { return proc * POINTS + k; }
static term guard_for (calling *c) { return rng_below (&c->rng, 8) ? c->m.terms.truth : c->m.terms.falsity; }

static void add_call (calling *c, uint32_t from, uint32_t proc, uint32_t to) {
  uint32_t callee = proc + 1 + rng_below (&c->rng, PROCS - proc - 1), site = c->m.sites.count;
  vec_push (&c->m.sites, ((efsm_site){from, callee, to, TERM_NONE, {IR_NONE}}));
  vec_push (&c->m.points.data[from].exits, ((efsm_exit){point_of (callee, 0), guard_for (c), site, IR_NONE}));
  vec_push (&c->m.points.data[point_of (callee, POINTS - 1)].exits, ((efsm_exit){to, c->m.terms.truth, IR_NONE, site}));
}

static void add_ways (calling *c, uint32_t proc, uint32_t k) {
  for (uint32_t way = 0; way < 2; way++) {
    uint32_t to = point_of (proc, rng_below (&c->rng, POINTS));
    if (proc + 1 < PROCS && !rng_below (&c->rng, 2)) add_call (c, point_of (proc, k), proc, to);
    else efsm_add_exit (&c->m, point_of (proc, k), to, guard_for (c));
  }
}

static void calling_init (calling *c, uint64_t seed) {
  c->rng = (rng){seed};
  efsm_init (&c->m);
  c->m.num_locks = LOCKS;
  efsm_add_thread (&c->m);
  c->m.threads.data[0].start = 0;
  for (uint32_t p = 0; p < PROCS * POINTS; p++) {
    uint32_t point = efsm_add_point (&c->m, 0, NULL);
    c->m.points.data[point].copy = p / POINTS;
    if (!rng_below (&c->rng, 3)) c->m.points.data[point].acquires = (uint64_t) 1 << rng_below (&c->rng, LOCKS);
    if (!rng_below (&c->rng, 3)) c->m.points.data[point].releases = (uint64_t) 1 << rng_below (&c->rng, LOCKS);
    c->m.points.data[point].shared = !rng_below (&c->rng, 4);
  }
  for (uint32_t proc = 0; proc < PROCS; proc++) {
    vec_push (&c->m.copies, ((efsm_copy){.entry = point_of (proc, 0)}));
    for (uint32_t k = 0; k + 1 < POINTS; k++) add_ways (c, proc, k);
  }
}

// ---- enumeration ------------------------------------------------------------------------------------
typedef struct standing {
  uint32_t point, height, stack[PROCS];
  uint64_t held;
} standing;
typedef VEC (standing) standings;

static void add_once (standings *all, standing s) {
  for (uint32_t k = 0; k < all->count; k++)
    if (!memcmp (&all->data[k], &s, sizeof s)) return;
  vec_push (all, s);
}

static bool follow (const calling *c, const efsm_exit *e, bool contexts, standing *s) {
  if (term_is_false (&c->m.terms, e->guard)) return false;
  s->point = e->to;
  if (!contexts) return true;
  if (e->call != IR_NONE) s->stack[s->height++] = e->call;
  if (e->returns == IR_NONE) return true;
  if (!s->height || s->stack[s->height - 1] != e->returns) return false;
  s->stack[--s->height] = 0;
  return true;
}

static standings after (const calling *c, const standings *now, reach_options o) {
  standings next = {0};
  for (uint32_t k = 0; k < now->count; k++) {
    const efsm_point *p = &c->m.points.data[now->data[k].point];
    if (o.waits == WAITS_AT_SHARED && p->shared) add_once (&next, now->data[k]);
    for (uint32_t x = 0; x < p->exits.count; x++) {
      standing s = now->data[k];
      s.held = (s.held & ~p->releases) | p->acquires;
      if (follow (c, &p->exits.data[x], o.cxt, &s)) add_once (&next, s);
    }
  }
  return next;
}

static bool stands_at (const standings *all, uint32_t point) {
  for (uint32_t k = 0; k < all->count; k++)
    if (all->data[k].point == point) return true;
  return false;
}

// The points are the same, and every must-held lock is held in all enumerated states.
static void compare (const calling *c, const reach *r, uint32_t depth, const standings *all) {
  for (uint32_t p = 0; p < c->m.points.count; p++) {
    const reach_at *a = reach_find (r, depth, p);
    assert_int_equal (a != NULL, stands_at (all, p));
    for (uint32_t k = 0; a && k < all->count; k++) {
      uint64_t held = all->data[k].held;
      if (all->data[k].point != p) continue;
      assert_int_equal (a->held & ~held, 0);
      assert_int_equal (a->held_after & ~((held & ~c->m.points.data[p].releases) | c->m.points.data[p].acquires), 0);
    }
  }
}

static void compare_depths (uint64_t seed, reach_options o) {
  calling c;
  calling_init (&c, seed);
  reach r;
  reach_init (&r, &c.m, 0, o);
  standings now = {0};
  vec_push (&now, ((standing){0}));
  for (uint32_t d = 0; d < DEPTHS; d++) {
    reach_grow (&r);
    compare (&c, &r, d, &now);
    standings next = after (&c, &now, o);
    vec_release (&now);
    now = next;
  }
  vec_release (&now);
  reach_release (&r);
  efsm_release (&c.m);
}

static void points_of_a_depth (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    compare_depths (seed, (reach_options){0});
    compare_depths (seed, (reach_options){.cxt = true});
    compare_depths (seed, (reach_options){.cxt = true, .waits = WAITS_AT_SHARED});
  }
}

// Every lock that is held in all enumerated states is found as must-held.
static void locks_held_for_certain (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    calling c;
    calling_init (&c, seed);
    reach r;
    reach_init (&r, &c.m, 0, (reach_options){.cxt = true});
    standings all = {0};
    vec_push (&all, ((standing){0}));
    for (uint32_t count = 0; count < all.count;) {
      count = all.count;
      standings more = after (&c, &all, (reach_options){.cxt = true});
      for (uint32_t k = 0; k < more.count; k++) add_once (&all, more.data[k]);
      vec_release (&more);
    }
    for (uint32_t p = 0; p < c.m.points.count; p++) {
      uint64_t sure = UINT64_MAX, found = UINT64_MAX;
      for (uint32_t k = 0; k < all.count; k++)
        if (all.data[k].point == p) sure &= all.data[k].held;
      for (uint32_t n = 0; n < r.nodes.count; n++)
        if (r.nodes.data[n].point == p) found &= r.nodes.data[n].held;
      assert_true (sure == found);
    }
    vec_release (&all);
    reach_release (&r);
    efsm_release (&c.m);
  }
}

TEST_MAIN (cmocka_unit_test (points_of_a_depth), cmocka_unit_test (locks_held_for_certain))
