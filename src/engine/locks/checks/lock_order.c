// The lock order graph.  Its nodes are waiting states and locks: an edge leads from a state to the lock it waits for,
// and from a lock to each state that may hold it.  Waiting states on a common cycle are in one component of this
// graph.  It has one edge per held lock, not one per pair of states, and most programs keep an order of locks, so that
// no component is left.
#include "engine/locks/checks/checks_impl.h"

#include "base/scc.h"

typedef struct order_arrow {
  uint32_t from, to;
} order_arrow;

typedef struct lock_order_graph {
  const deadlocks *d;
  map wanted, kept;  // lock -> node, for wanting and for holding
  VEC (order_arrow) arrows;
  uint32_t num_nodes;  // states first, then the node of joins, then locks
} lock_order_graph;

static uint32_t lock_node_of (lock_order_graph *o, map *nodes, uint32_t use) {
  bool is_new;
  uint64_t *node = map_insert (nodes, use_lock ((lock_use){use}), o->num_nodes, &is_new);
  o->num_nodes += is_new;
  return (uint32_t) *node;
}

static void add_arrow (lock_order_graph *o, uint32_t from, uint32_t to) {
  vec_push (&o->arrows, ((order_arrow){from, to}));
}

static void add_state_node (lock_order_graph *o, uint32_t k) {
  const waiting_state *s = &o->d->states.data[k];
  uint32_t joins = o->d->states.count;
  if (!s->ended) add_arrow (o, k, s->wants == IR_NONE ? joins : lock_node_of (o, &o->wanted, s->wants));
  if (waiting_state_is_joinable (o->d, s)) add_arrow (o, joins, k);
  for (uint32_t h = 0; h < s->num_held; h++)
    add_arrow (o, lock_node_of (o, &o->kept, o->d->held.data[s->first_held + h]), k);
}

static void add_equal_locks (lock_order_graph *o) {
  for (uint32_t w = 0; w < o->wanted.entries.count; w++)
    for (uint32_t h = 0; h < o->kept.entries.count; h++) {
      const map_entry *x = &o->wanted.entries.data[w], *y = &o->kept.entries.data[h];
      if (lock_may_alias (&o->d->analysis->locks, (uint32_t) x->key, (uint32_t) y->key))
        add_arrow (o, (uint32_t) x->value, (uint32_t) y->value);
    }
}

// Sorts the edges by their source (counting sort) and finds the components.
static void find_order_components (const lock_order_graph *o, uint32_t *component) {
  size_t first_bytes = sizeof (uint32_t) * (o->num_nodes + 2), target_bytes = sizeof (uint32_t) * (o->arrows.count + 1);
  uint32_t *first = mem_zalloc (first_bytes), *targets = mem_zalloc (target_bytes);
  for (uint32_t k = 0; k < o->arrows.count; k++) first[o->arrows.data[k].from + 2]++;
  for (uint32_t n = 0; n < o->num_nodes; n++) first[n + 2] += first[n + 1];
  for (uint32_t k = 0; k < o->arrows.count; k++) targets[first[o->arrows.data[k].from + 1]++] = o->arrows.data[k].to;
  scc_find (o->num_nodes, first, targets, component);
  mem_free (first, first_bytes);
  mem_free (targets, target_bytes);
}

// No state has an edge to itself, so a state alone in its component is on no cycle.
static void keep_cyclic (const lock_order_graph *o, const uint32_t *all, uint32_t *component) {
  size_t bytes = sizeof (uint32_t) * (o->num_nodes + 1);
  uint32_t *size = mem_zalloc (bytes);
  for (uint32_t n = 0; n < o->num_nodes; n++) size[all[n]]++;
  for (uint32_t k = 0; k < o->d->states.count; k++) component[k] = size[all[k]] > 1 ? all[k] : ORDER_ACYCLIC;
  mem_free (size, bytes);
}

void lock_order_find (const deadlocks *d, uint32_t *component) {
  lock_order_graph o = {.d = d, .num_nodes = d->states.count + 1};
  for (uint32_t k = 0; k < d->states.count; k++) add_state_node (&o, k);
  add_equal_locks (&o);
  size_t bytes = sizeof (uint32_t) * (o.num_nodes + 1);
  uint32_t *all = mem_zalloc (bytes);
  find_order_components (&o, all);
  keep_cyclic (&o, all, component);
  mem_free (all, bytes);
  map_release (&o.wanted);
  map_release (&o.kept);
  vec_release (&o.arrows);
}
