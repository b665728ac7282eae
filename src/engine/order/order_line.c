// Linear orders of the graph's nodes. A partial order need not have a linear one that is an execution: two writes may
// be unordered although both orders of them are wrong. The nodes are ordered greedily, staying in one thread as long as
// possible. If the greedy search cannot continue, the solver gets a literal for the order of two writes, and decides it
// from then on.
#include "base/diag.h"
#include "engine/order/order_graph_impl.h"
#include "engine/order/total_order.h"

enum { NUM_ATTEMPTS = 4 };

typedef struct line_builder {
  order_graph *g;
  VEC (uint32_t) done;    // by thread: number of nodes already in the order
  VEC (uint32_t) unread;  // by event: number of reads of this write that are not yet in the order
  map unread_initial;     // memory key -> number of reads of its initial value that are not yet in the order
  map current;            // memory key -> the last write
  uint32_t running;
} line_builder;

static uint64_t event_memory_key (const order_graph *g, uint32_t e) {
  return (uint64_t) unwound_event_at (g->u, e)->cell << 32 | (uint32_t) g->offset.data[e];
}

static uint32_t current_write (const line_builder *l, uint32_t e) {
  const uint64_t *known = map_find (&l->current, event_memory_key (l->g, e));
  return known ? (uint32_t) *known : IR_NONE;
}

static bool all_before_done (const line_builder *l, uint32_t a) {
  const uint32_t *after = after_of (l->g, a);
  for (uint32_t t = 0; t < l->g->num_threads; t++)
    if (after[t] > l->done.data[t]) return false;
  return true;
}

static uint32_t read_source (const order_graph *g, uint32_t read) {
  return g->o->candidates.data[g->writer.data[read]].write;
}

// The number of reads not yet in the order that need the current value of this event's memory.
static uint64_t *num_unread (line_builder *l, uint32_t e, uint32_t source, uint64_t *of_write) {
  bool is_new;
  if (source == IR_NONE) return map_insert (&l->unread_initial, event_memory_key (l->g, e), 0, &is_new);
  *of_write = l->unread.data[source];
  return of_write;
}

static void count_unread (line_builder *l) {
  const order_graph *g = l->g;
  for (uint32_t e = 0; e < g->u->events.count; e++) vec_push (&l->unread, 0);
  for (uint32_t e = 0; e < g->u->events.count; e++) {
    uint64_t ignored;
    if (g->writer.data[e] == IR_NONE) continue;
    if (read_source (g, e) == IR_NONE) ++*num_unread (l, e, IR_NONE, &ignored);
    else l->unread.data[read_source (g, e)]++;
  }
}

// stuck: the write that has to wait, and the write whose readers it would overtake.
static bool can_append_node (line_builder *l, const uint32_t *events, uint32_t count, uint32_t stuck[2]) {
  const order_graph *g = l->g;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t e = events[k];
    if (!g->shown.data[e] || !unwound_event_at (g->u, e)->write) continue;
    uint64_t of_write, own = 0;
    uint32_t now = current_write (l, e);
    for (uint32_t i = 0; i < count; i++)
      own += g->writer.data[events[i]] != IR_NONE && read_source (g, events[i]) == now &&
             event_memory_key (g, events[i]) == event_memory_key (g, e);
    if (*num_unread (l, e, now, &of_write) <= own) continue;
    stuck[0] = e, stuck[1] = now;
    return false;
  }
  return true;
}

static void append_node (line_builder *l, uint32_t a, const uint32_t *events, uint32_t count) {
  order_graph *g = l->g;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t e = events[k];
    uint64_t ignored;
    bool is_new;
    if (g->writer.data[e] != IR_NONE) {
      if (read_source (g, e) == IR_NONE) --*num_unread (l, e, IR_NONE, &ignored);
      else l->unread.data[read_source (g, e)]--;
    }
    if (g->shown.data[e] && unwound_event_at (g->u, e)->write)
      *map_insert (&l->current, event_memory_key (g, e), e, &is_new) = e;
  }
  l->done.data[thread_of_active (g, a)]++;
  vec_push (&g->o->line, g->active.data[a]);
}

static bool line_up_once (order_graph *g, uint32_t attempt, const uint32_t *first, const uint32_t *events,
                          uint32_t stuck[2]) {
  line_builder l = {.g = g, .running = attempt % (g->num_threads ? g->num_threads : 1)};
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
      if (!all_before_done (&l, a) || !can_append_node (&l, events + first[n], first[n + 1] - first[n], stuck))
        continue;
      append_node (&l, a, events + first[n], first[n + 1] - first[n]);
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

// From now on the solver decides which of the two writes comes first.
static void add_write_order (order_graph *g, const uint32_t stuck[2]) {
  CHECK (stuck[0] != IR_NONE && stuck[1] != IR_NONE,
         "a write that cannot be appended should wait for readers of another write");
  for (uint32_t k = 0; k < g->o->write_orders.count; k++) {
    const write_order *w = &g->o->write_orders.data[k];
    CHECK (w->first != stuck[0] || w->second != stuck[1],
           "the solver should have the literal for the order of two writes only once");
  }
  vec_push (&g->o->write_orders, ((write_order){stuck[0], stuck[1], term_var (g->o->terms, 1)}));
}

static bool take_total_order (order_graph *g) {
  VEC (bool) executed = {0};
  for (uint32_t n = 0; n < g->u->nodes.count; n++) vec_push (&executed, g->number.data[n] != IR_NONE);
  total_order_line_up (g->o->total, executed.data);
  vec_release (&executed);
  return true;
}

bool order_graph_find_line (order_graph *g) {
  VEC (uint32_t) first = {0}, events = {0};
  for (uint32_t n = 0; n <= g->u->nodes.count; n++) vec_push (&first, 0);
  for (uint32_t e = 0; e < g->u->events.count; e++) first.data[unwound_event_at (g->u, e)->node + 1]++;
  for (uint32_t n = 0; n < g->u->nodes.count; n++) first.data[n + 1] += first.data[n];
  vec_reserve (&events, g->u->events.count + 1);
  events.count = g->u->events.count;
  VEC (uint32_t) fill = {0};
  for (uint32_t n = 0; n <= g->u->nodes.count; n++) vec_push (&fill, first.data[n]);
  for (uint32_t e = 0; e < g->u->events.count; e++) events.data[fill.data[unwound_event_at (g->u, e)->node]++] = e;
  uint32_t stuck[2];
  bool found = false;
  for (uint32_t attempt = 0; attempt < NUM_ATTEMPTS && !found; attempt++)
    found = line_up_once (g, attempt, first.data, events.data, stuck);
  if (!found && g->o->total) found = take_total_order (g);
  if (!found) add_write_order (g, stuck);
  vec_release (&first);
  vec_release (&events);
  vec_release (&fill);
  return found;
}
