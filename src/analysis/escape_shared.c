// Objects that other threads reach at some time, independent of the order of events: objects passed to a new thread or
// returned by one, and objects whose address is stored in a shared object, beginning with the globals.
#include "analysis/escape_impl.h"
#include "ir/sync.h"

typedef struct shared_search {
  const ir_program *p;
  const pointsto *facts;
  const calls *calls;
  bool *shared;        // [object]
  uint8_t *set_known;  // [points-to set]: some object in it is shared
  uint8_t *set_done;   // [points-to set]: all objects in it are shared
  bool changed;
} shared_search;

unsigned escape_stored_value (ir_op op) {
  switch (op) {
  case IR_STORE:
  case IR_STORE_RAW:
  case IR_RMW: return 1;
  case IR_CMPXCHG: return 2;
  case IR_LOCAL_OPERATIONS:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_LOAD:
  case IR_LOAD_RAW:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_OPERATIONS:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  return ir_sync_stores_argument (op);
}

bool escape_set_private (const bool *shared, pointsto_set s) {
  for (uint32_t k = 0; k < s.count; k++)
    if (shared[s.objects[k]]) return false;
  return !s.anything;
}

static bool reaches_shared (shared_search *s, pointsto_set set) {
  if (!s->set_known[set.id]) s->set_known[set.id] = set.anything || !escape_set_private (s->shared, set);
  return s->set_known[set.id];
}

static void share_targets (shared_search *s, ir_edge e, unsigned k) {
  pointsto_set set = pointsto_arg (s->facts, e, k);
  if (s->set_done[set.id]) return;
  s->set_done[set.id] = s->changed = true;
  for (uint32_t i = 0; i < set.count; i++) s->shared[set.objects[i]] = true;
}

static void share_over_edge (shared_search *s, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (s->p, e);
  unsigned value = escape_stored_value (d->op);
  if (value && reaches_shared (s, pointsto_arg (s->facts, e, 0))) share_targets (s, e, value);
  else if (d->op == IR_THREAD_CREATE) share_targets (s, e, 2);
  else if (d->op == IR_THREAD_EXIT) share_targets (s, e, 0);
  else if (d->op == IR_RETURN && d->num_args && calls_starts_thread (s->calls, edge_procedure (s->p, e)))
    share_targets (s, e, 0);
}

// Marks all objects except thread-locals and the objects of ALLOC edges.
static void share_initially (shared_search *s) {
  for (uint32_t o = 1; o < pointsto_num_objects (s->facts); o++)
    s->shared[o] = o >= s->p->objects.count || s->p->objects.data[o].kind != IR_O_THREAD_LOCAL;
  for (uint32_t e = 0; e < s->p->edges.count; e++)
    if (s->p->edges.data[e].op == IR_ALLOC) s->shared[pointsto_site (s->facts, (ir_edge){e})] = false;
}

bool *escape_find_shared (const ir_program *p, const pointsto *facts, const calls *graph) {
  shared_search s = {.p = p, .facts = facts, .calls = graph};
  uint32_t sets = pointsto_num_sets (facts);
  s.shared = mem_zalloc (sizeof (bool) * pointsto_num_objects (facts));
  s.set_known = mem_zalloc (sets);
  s.set_done = mem_zalloc (sets);
  share_initially (&s);
  do {
    s.changed = false;
    for (uint32_t e = 0; e < p->edges.count; e++) share_over_edge (&s, (ir_edge){e});
  } while (s.changed);
  mem_free (s.set_known, sets);
  mem_free (s.set_done, sets);
  return s.shared;
}
