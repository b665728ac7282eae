// The graph is a partial order that need not have a line: two writes may be unordered where any order of them is wrong.  The nodes are
// lined up greedily, staying in one thread as long as possible; where that gets stuck, a literal for the order of two writes is
// given to the solver, and from then on it decides.
#include "base/diag.h"
#include "engine/order/order_graph_impl.h"
#include "engine/order/total_order.h"

enum { NUM_ATTEMPTS = 4 };

typedef struct lining {
  order_graph *g;
  VEC (uint32_t) done;    // by thread: nodes that have happened
  VEC (uint32_t) unread;  // by event: reads of this write that are still to come
  map unread_initial;     // place -> the same of what was there before everything
  map current;            // place -> the last write
  uint32_t running;
} lining;

static uint64_t place_of (const order_graph *g, uint32_t e) {
  return (uint64_t) event_at (g, e)->cell << 32 | (uint32_t) g->offset.data[e];
}

static uint32_t current_write (const lining *l, uint32_t e) {
  const uint64_t *known = map_find (&l->current, place_of (l->g, e));
  return known ? (uint32_t) *known : IR_NONE;
}

static bool all_before_done (const lining *l, uint32_t a) {
  const uint32_t *after = after_of (l->g, a);
  for (uint32_t t = 0; t < l->g->num_threads; t++)
    if (after[t] > l->done.data[t]) return false;
  return true;
}

static uint32_t source_of (const order_graph *g, uint32_t read) {
  return g->o->readings.data[g->writer.data[read]].write;
}

// How many reads still wait for what is at the place of this event now.
static uint64_t *num_unread (lining *l, uint32_t e, uint32_t source, uint64_t *of_write) {
  bool is_new;
  if (source == IR_NONE) return map_insert (&l->unread_initial, place_of (l->g, e), 0, &is_new);
  *of_write = l->unread.data[source];
  return of_write;
}

static void count_unread (lining *l) {
  const order_graph *g = l->g;
  for (uint32_t e = 0; e < g->u->events.count; e++) vec_push (&l->unread, 0);
  for (uint32_t e = 0; e < g->u->events.count; e++) {
    uint64_t ignored;
    if (g->writer.data[e] == IR_NONE) continue;
    if (source_of (g, e) == IR_NONE) ++*num_unread (l, e, IR_NONE, &ignored);
    else l->unread.data[source_of (g, e)]++;
  }
}

// stuck: the write that has to wait, and the one whose readers it would cut off.
static bool may_happen (lining *l, const uint32_t *events, uint32_t count, uint32_t stuck[2]) {
  const order_graph *g = l->g;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t e = events[k];
    if (!g->shown.data[e] || !event_at (g, e)->write) continue;
    uint64_t of_write, own = 0;
    uint32_t now = current_write (l, e);
    for (uint32_t i = 0; i < count; i++)
      own += g->writer.data[events[i]] != IR_NONE && source_of (g, events[i]) == now &&
             place_of (g, events[i]) == place_of (g, e);
    if (*num_unread (l, e, now, &of_write) <= own) continue;
    stuck[0] = e, stuck[1] = now;
    return false;
  }
  return true;
}

static void happen (lining *l, uint32_t a, const uint32_t *events, uint32_t count) {
  order_graph *g = l->g;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t e = events[k];
    uint64_t ignored;
    bool is_new;
    if (g->writer.data[e] != IR_NONE) {
      if (source_of (g, e) == IR_NONE) --*num_unread (l, e, IR_NONE, &ignored);
      else l->unread.data[source_of (g, e)]--;
    }
    if (g->shown.data[e] && event_at (g, e)->write) *map_insert (&l->current, place_of (g, e), e, &is_new) = e;
  }
  l->done.data[thread_of (g, a)]++;
  vec_push (&g->o->line, g->active.data[a]);
}

static bool line_up_once (order_graph *g, uint32_t attempt, const uint32_t *first, const uint32_t *events,
                          uint32_t stuck[2]) {
  lining l = {.g = g, .running = attempt % (g->num_threads ? g->num_threads : 1)};
  for (uint32_t t = 0; t < g->num_threads; t++) vec_push (&l.done, 0);
  vec_clear (&g->o->line);
  count_unread (&l);
  stuck[0] = stuck[1] = IR_NONE;
  while (g->o->line.count < g->num_active) {
    uint32_t tried = 0;
    for (; tried < g->num_threads; tried++) {
      uint32_t t = (l.running + tried) % g->num_threads, k = l.done.data[t];
      if (k == g->of_thread.data[t].count) continue;
      uint32_t a = g->of_thread.data[t].data[k], n = g->active.data[a];
      if (!all_before_done (&l, a) || !may_happen (&l, events + first[n], first[n + 1] - first[n], stuck)) continue;
      happen (&l, a, events + first[n], first[n + 1] - first[n]);
      l.running = t;
      break;
    }
    if (tried == g->num_threads) break;
  }
  vec_release (&l.done);
  vec_release (&l.unread);
  map_release (&l.unread_initial);
  map_release (&l.current);
  return g->o->line.count == g->num_active;
}

// The solver decides from now on which of the two comes first.
static void ask_for_order (order_graph *g, const uint32_t stuck[2]) {
  CHECK (stuck[0] != IR_NONE && stuck[1] != IR_NONE, "who is stuck should wait for readers of a write");
  for (uint32_t k = 0; k < g->o->write_orders.count; k++) {
    const write_order *w = &g->o->write_orders.data[k];
    CHECK (w->first != stuck[0] || w->second != stuck[1], "the order of two writes should be asked for once");
  }
  vec_push (&g->o->write_orders, ((write_order){stuck[0], stuck[1], term_var (g->o->terms, 1)}));
}

static bool take_total_order (order_graph *g) {
  VEC (bool) happens = {0};
  for (uint32_t n = 0; n < g->u->nodes.count; n++) vec_push (&happens, g->number.data[n] != IR_NONE);
  total_order_line_up (g->o->total, happens.data);
  vec_release (&happens);
  return true;
}

bool order_graph_find_line (order_graph *g) {
  VEC (uint32_t) first = {0}, events = {0};
  for (uint32_t n = 0; n <= g->u->nodes.count; n++) vec_push (&first, 0);
  for (uint32_t e = 0; e < g->u->events.count; e++) first.data[event_at (g, e)->node + 1]++;
  for (uint32_t n = 0; n < g->u->nodes.count; n++) first.data[n + 1] += first.data[n];
  vec_reserve (&events, g->u->events.count + 1);
  events.count = g->u->events.count;
  VEC (uint32_t) fill = {0};
  for (uint32_t n = 0; n <= g->u->nodes.count; n++) vec_push (&fill, first.data[n]);
  for (uint32_t e = 0; e < g->u->events.count; e++) events.data[fill.data[event_at (g, e)->node]++] = e;
  uint32_t stuck[2];
  bool found = false;
  for (uint32_t attempt = 0; attempt < NUM_ATTEMPTS && !found; attempt++)
    found = line_up_once (g, attempt, first.data, events.data, stuck);
  if (!found && g->o->total) found = take_total_order (g);
  if (!found) ask_for_order (g, stuck);
  vec_release (&first);
  vec_release (&events);
  vec_release (&fill);
  return found;
}
