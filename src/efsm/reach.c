// Control-state reachability. The graph of points in contexts is built once; each depth is then the set of successors
// of the previous one. Must-held locks are a forward analysis on the same graph, so contexts make them more precise,
// too.
#include "efsm/reach.h"

#include <stdlib.h>

// ---- the graph --------------------------------------------------------------------------------------
static uint32_t node_at (reach *r, uint32_t point, uint32_t context) {
  bool is_new;
  uint64_t key = (uint64_t) point << 32 | context;
  uint32_t n = (uint32_t) *map_insert (&r->node_of, key, r->nodes.count, &is_new);
  if (is_new) vec_push (&r->nodes, ((reach_node){point, context, UINT64_MAX, UINT64_MAX}));
  return n;
}

static uint32_t enter (reach *r, uint32_t caller, uint32_t site) {
  bool is_new;
  uint32_t c = (uint32_t) *map_insert (&r->context_of, (uint64_t) caller << 32 | site, r->contexts.count, &is_new);
  if (is_new) vec_push (&r->contexts, ((reach_context){caller, site}));
  return c;
}

// The context after the exit; IR_NONE: the return does not match the call.
static uint32_t context_after (reach *r, uint32_t context, const efsm_exit *e) {
  if (!r->options.cxt) return 0;
  if (e->call != IR_NONE) return enter (r, context, e->call);
  if (e->returns == IR_NONE) return context;
  reach_context c = r->contexts.data[context];
  return context && c.site == e->returns ? c.caller : IR_NONE;
}

static void find_waits (reach *r) {
  reach_waits w = r->options.waits;
  if (w == WAITS_AFTER_SYNC) map_insert (&r->waits_at, r->m->threads.data[r->thread].start, 0, NULL);
  for (uint32_t k = 0; k < r->m->points.count && w != WAITS_NOWHERE; k++) {
    const efsm_point *p = &r->m->points.data[k];
    if (w == WAITS_AT_SHARED && p->shared) map_insert (&r->waits_at, k, 0, NULL);
    for (uint32_t x = 0; w == WAITS_AFTER_SYNC && p->kind == POINT_WRITE_SYNC && x < p->exits.count; x++)
      map_insert (&r->waits_at, p->exits.data[x].to, 0, NULL);
  }
}

static void explore (reach *r) {
  node_at (r, r->m->threads.data[r->thread].start, 0);
  for (uint32_t n = 0; n < r->nodes.count; n++) {
    reach_node x = r->nodes.data[n];
    const efsm_point *p = &r->m->points.data[x.point];
    vec_push (&r->first, r->targets.count);
    for (uint32_t k = 0; k < p->exits.count; k++) {
      uint32_t context = context_after (r, x.context, &p->exits.data[k]);
      if (context != IR_NONE && !term_is_false (&r->m->terms, p->exits.data[k].guard))
        vec_push (&r->targets, node_at (r, p->exits.data[k].to, context));
    }
    if (map_find (&r->waits_at, x.point)) vec_push (&r->targets, n);
  }
  vec_push (&r->first, r->targets.count);
}

// ---- locks ------------------------------------------------------------------------------------------
static void find_locks (reach *r) {
  r->nodes.data[0].held = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < r->nodes.count; n++) {
      reach_node *x = &r->nodes.data[n];
      if (x->held == UINT64_MAX) continue;
      const efsm_point *p = &r->m->points.data[x->point];
      x->held_after = (x->held & ~p->releases) | p->acquires;
      bool waits = map_find (&r->waits_at, x->point);  // the wait comes last in the point, and changes nothing
      for (uint32_t k = r->first.data[n]; k + waits < r->first.data[n + 1]; k++) {
        reach_node *y = &r->nodes.data[r->targets.data[k]];
        uint64_t held = y->held & x->held_after;
        changed |= held != y->held;
        y->held = held;
      }
    }
  }
}

void reach_init (reach *r, const efsm *m, uint32_t thread, reach_options o) {
  *r = (reach){.m = m, .thread = thread, .options = o, .saturated = IR_NONE};
  vec_push (&r->contexts, ((reach_context){0, IR_NONE}));
  find_waits (r);
  explore (r);
  find_locks (r);
}

void reach_release (reach *r) {
  for (uint32_t d = 0; d < r->depths.count; d++) {
    vec_release (&r->depths.data[d].nodes);
    vec_release (&r->depths.data[d].points);
  }
  vec_release (&r->depths);
  vec_release (&r->nodes);
  vec_release (&r->first);
  vec_release (&r->targets);
  vec_release (&r->contexts);
  map_release (&r->node_of);
  map_release (&r->context_of);
  map_release (&r->waits_at);
}

// ---- depths -----------------------------------------------------------------------------------------
static int compare_points_by_number (const void *a, const void *b) {
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return x < y ? -1 : x > y;
}

static int by_point (const void *a, const void *b) {
  return compare_points_by_number (&((const reach_at *) a)->point, &((const reach_at *) b)->point);
}

static void sort_nodes (reach_depth *d) {
  if (d->nodes.count) qsort (d->nodes.data, d->nodes.count, sizeof *d->nodes.data, compare_points_by_number);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < d->nodes.count; k++)
    if (!k || d->nodes.data[k] != d->nodes.data[k - 1]) d->nodes.data[kept++] = d->nodes.data[k];
  d->nodes.count = kept;
}

// The points of these nodes without duplicates, with the locks that all nodes of the point hold.
static void project (const reach *r, reach_depth *d) {
  for (uint32_t k = 0; k < d->nodes.count; k++) {
    const reach_node *n = &r->nodes.data[d->nodes.data[k]];
    vec_push (&d->points, ((reach_at){n->point, n->held, n->held_after}));
  }
  if (d->points.count) qsort (d->points.data, d->points.count, sizeof *d->points.data, by_point);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < d->points.count; k++) {
    reach_at a = d->points.data[k];
    if (kept && d->points.data[kept - 1].point == a.point) {
      d->points.data[kept - 1].held &= a.held;
      d->points.data[kept - 1].held_after &= a.held_after;
    } else d->points.data[kept++] = a;
  }
  d->points.count = kept;
}

static bool same_points (const reach_depth *a, const reach_depth *b) {
  if (a->points.count != b->points.count) return false;
  for (uint32_t k = 0; k < a->points.count; k++)
    if (a->points.data[k].point != b->points.data[k].point) return false;
  return true;
}

static void fill_depth_points (reach *r, reach_depth *d) {
  if (r->options.everywhere)
    for (uint32_t n = 0; n < r->nodes.count; n++) vec_push (&d->nodes, n);
  else if (!r->depths.count) vec_push (&d->nodes, 0);
  else {
    const reach_depth *last = &vec_last (&r->depths);
    for (uint32_t k = 0; k < last->nodes.count; k++) {
      uint32_t n = last->nodes.data[k];
      for (uint32_t t = r->first.data[n]; t < r->first.data[n + 1]; t++) vec_push (&d->nodes, r->targets.data[t]);
    }
  }
}

void reach_grow (reach *r) {
  reach_depth d = {0};
  fill_depth_points (r, &d);
  sort_nodes (&d);
  project (r, &d);
  if (r->depths.count) {
    bool same = same_points (&vec_last (&r->depths), &d);
    if (same && r->saturated == IR_NONE) r->saturated = r->depths.count - 1;
    if (!same) r->saturated = IR_NONE;
  }
  vec_push (&r->depths, d);
}

const reach_at *reach_find (const reach *r, uint32_t depth, uint32_t point) {
  const reach_depth *d = &r->depths.data[depth];
  reach_at key = {.point = point};
  return d->points.count ? bsearch (&key, d->points.data, d->points.count, sizeof key, by_point) : NULL;
}
