// Looks at blocking operations in every state in which a thread may execute them.  A trylock cannot be part of a cycle
// of waiting threads and is left out.
#include "engine/locks/show/show_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "ir/sync.h"

typedef struct graph_collector {
  verdict *verdict;
  lock_analysis *a;
  strmap *seen;
  ir_edge edge;
  lock_use wanted;
} graph_collector;

static void add_order_pair (graph_collector *c, uint32_t held, lock_use wanted) {
  arena *arena = c->verdict->arena;
  const ir_program *p = c->a->program;
  const ir_edge_data *d = ir_edge_at (p, c->edge);
  lock_order o = {.from = name_of_lock (&c->a->locks, use_lock ((lock_use){held}), arena),
                  .to = name_of_lock (&c->a->locks, use_lock (wanted), arena),
                  .pos = d->pos,
                  .function = ir_proc_at (p, ir_loc_at (p, d->from)->proc)->name};
  bool is_new;
  strmap_insert (c->seen, arena_printf (arena, "%s -> %s", o.from, o.to), 1, &is_new);
  if (is_new) vec_push (&c->verdict->lock_orders, o);
}

static void add_pairs (void *user, uint32_t context, uint32_t node, effect *state) {
  graph_collector *c = user;
  (void) node;
  lock_use wanted = context_lock (c->a, context, c->wanted);
  for (uint32_t k = 0; k < state->num_held; k++) {
    lock_use h = {state->held[k].use};
    bool again = use_lock (h) == use_lock (wanted) && lock_is_fixed (&c->a->locks, use_lock (h));
    if (!again && lock_at (&c->a->locks, use_lock (h))->family != IR_F_REGION) add_order_pair (c, h.i, wanted);
  }
}

static bool blocks_for_lock (const ir_sync *s) {
  return s->blocks && (ir_family_is_lock (s->family) || s->names_mutex);
}

static int by_names (const void *x, const void *y) {
  const lock_order *a = x, *b = y;
  int order = strcmp (a->from, b->from);
  return order ? order : strcmp (a->to, b->to);
}

void add_lock_graph (verdict *v, lock_analysis *a) {
  strmap seen = {0};
  uint32_t e = 0;
  for (; e < a->program->edges.count && !budget_spent (a->budget); e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    const ir_sync *s = ir_sync_of (d->op);
    if (!blocks_for_lock (s)) continue;
    graph_collector c = {v, a, &seen, {e}, edge_lock (a, (ir_edge){e}, s->names_mutex, s->shared)};
    for (uint32_t k = 0; k < threads_count (a->threads); k++)
      if (threads_runs (a->threads, k, d->from)) for_each_state (a, k, d->from, add_pairs, &c);
  }
  v->has_lock_orders = e == a->program->edges.count;
  strmap_release (&seen);
  if (v->lock_orders.count) qsort (v->lock_orders.data, v->lock_orders.count, sizeof *v->lock_orders.data, by_names);
}
