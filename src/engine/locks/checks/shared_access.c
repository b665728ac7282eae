// Collects accesses.  It leaves out memory that only one thread can reach, code that runs while only one thread exists,
// and constant data.
#include "engine/locks/checks/checks_impl.h"

#include <stdlib.h>

#include "base/diag.h"
#include "ir/sync.h"

typedef struct access_shape {
  bool is_access, write, plain, exact;
  uint32_t bytes;
} access_shape;

// Does the argument of a synchronisation operation point to an object that the operation reads or writes?
static bool touches_object (ir_op op, unsigned arg) {
  return ir_op_table[op].group == 'S' && (arg == 0 || (arg == 1 && ir_sync_of (op)->names_mutex));
}

static access_shape access_shape_of (const ir_program *p, const ir_edge_data *d, unsigned arg) {
  bool plain = d->order == IR_PLAIN;
  switch (d->op) {
  case IR_LOAD: return (access_shape){arg == 0, false, plain, true, d->bytes};
  case IR_STORE:
  case IR_RMW:
  case IR_CMPXCHG: return (access_shape){arg == 0, true, plain, true, d->bytes};
  case IR_LOAD_RAW: return (access_shape){arg == 0, false, plain, false, d->bytes};
  case IR_STORE_RAW: return (access_shape){arg == 0, true, plain, false, d->bytes};
  case IR_FREE: return (access_shape){arg == 0, true, true, false, UINT32_MAX};
  case IR_THREAD_CREATE: return (access_shape){arg == 0, true, false, false, p->pointer_bits / 8u};
  case IR_ATOMIC_BEGIN:
  case IR_ATOMIC_END: return (access_shape){0};
  case IR_LOCAL_OPERATIONS:
  case IR_THREAD_SELF:
  case IR_FORGET:
  case IR_FENCE:
  case IR_OWN:
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH:
  case IR_THREAD_EXIT:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  return (access_shape){touches_object (d->op, arg), ir_sync_of (d->op)->action != IR_A_READ, false, false, 4};
}

// ---- lock sets --------------------------------------------------------------------------------------------------
typedef struct gathering {
  access_table *t;
  term_address accessed;
  uint32_t first;
} gathering;

static void add_lockset (void *user, uint32_t context, uint32_t node, effect *state) {
  gathering *g = user;
  access_table *t = g->t;
  uint32_t number = lockset_of_state (&t->locksets, state, g->accessed);
  lockset mine, other;
  lockset_load (&t->locksets, number, &mine);
  for (uint32_t k = g->first; k < t->access_locksets.count; k++) {
    if (t->access_locksets.data[k].lockset == number) return;
    lockset_load (&t->locksets, t->access_locksets.data[k].lockset, &other);
    if (lockset_subsumes (&t->locksets, &other, &mine)) return;
    if (lockset_subsumes (&t->locksets, &mine, &other)) t->access_locksets.data[k--] = vec_pop (&t->access_locksets);
  }
  vec_push (&t->access_locksets, ((access_lockset){number, context, node}));
}

// ---- places --------------------------------------------------------------------------------------------------
static bool can_change (const lock_analysis *a, uint32_t object) {
  return object >= a->program->objects.count || (a->program->objects.data[object].kind != IR_O_CONSTANT &&
                                                 a->program->objects.data[object].kind != IR_O_FUNCTION);
}

// Freeing a static object is an error that ends the execution, so it is no access.
static bool can_access (const lock_analysis *a, ir_edge e, uint32_t object) {
  bool frees = ir_edge_at (a->program, e)->op == IR_FREE;
  return can_change (a, object) && escape_shared (a->escape, object) && (!frees || object >= a->program->objects.count);
}

static void add_access_places (access_table *t, ir_edge e, unsigned arg, uint32_t access) {
  const lock_analysis *a = t->analysis;
  pointsto_list all = pointsto_targets (a->targets, e, arg);
  if (all.anything) vec_push (&t->anywhere, access);
  for (uint32_t k = 0; k < all.count; k++)
    if (can_access (a, e, all.targets[k].object))
      vec_push (&t->places,
                ((access_place){all.targets[k].object, all.targets[k].offset, t->accesses.data[access].class, access}));
}

static uint32_t class_number (access_table *t, const shared_access *x) {
  VEC (uint32_t) key = {0};
  vec_push (&key, x->kind);
  vec_push (&key, x->bytes);
  vec_push (&key, (uint32_t) (x->write | x->plain << 1 | x->exact << 2));
  for (uint32_t k = 0; k < x->num_locksets; k++) vec_push (&key, t->access_locksets.data[x->first_lockset + k].lockset);
  uint32_t number = intern_add (&t->classes, key.data, key.count * sizeof *key.data, NULL);
  vec_release (&key);
  return number;
}

// Extents of accesses of the program itself, not of library models: the types of variables apply to these only.
static extent extent_of (lock_analysis *a, const ir_edge_data *d, const gathering *g, uint32_t bytes) {
  bool raw = d->op == IR_STORE_RAW || d->op == IR_LOAD_RAW || d->op == IR_FREE ||
             ir_proc_at (a->program, ir_loc_at (a->program, d->from)->proc)->internal;
  return raw ? (extent){0} : element_extent (&a->values, g->accessed, bytes);
}

// The elements overlap: the access is wider than the stride of its index.
static bool overlaps_its_neighbour (lock_analysis *a, term_address accessed, uint32_t bytes) {
  element e = element_of (&a->values, accessed);
  return e.found && e.stride < bytes;
}

static void add_shared_access (access_table *t, ir_edge e, unsigned arg, uint32_t kind, access_shape shape) {
  lock_analysis *a = t->analysis;
  const ir_edge_data *d = ir_edge_at (a->program, e);
  gathering g = {t, address_in (&a->values, ir_loc_at (a->program, d->from)->proc, ir_arg (a->program, e, arg)),
                 t->access_locksets.count};
  for_each_state (a, kind, d->from, add_lockset, &g);
  if (t->access_locksets.count == g.first) return;  // no path leads there
  pointsto_set all = pointsto_arg (a->targets, e, arg);
  placed_access placed = {.kind = kind, .edge = e, .arg = arg, .bytes = shape.bytes};
  vec_push (&t->accesses, ((shared_access){.edge = e,
                                           .arg = (uint8_t) arg,
                                           .kind = kind,
                                           .bytes = shape.bytes,
                                           .write = shape.write,
                                           .plain = shape.plain,
                                           .exact = shape.exact && !overlaps_its_neighbour (a, g.accessed, shape.bytes),
                                           .anything = all.anything,
                                           .place = exact_address_find (&t->instances, placed),
                                           .extent = extent_of (a, d, &g, shape.bytes),
                                           .first_lockset = g.first,
                                           .num_locksets = t->access_locksets.count - g.first}));
  vec_last (&t->accesses).class = class_number (t, &vec_last (&t->accesses));
  add_access_places (t, e, arg, t->accesses.count - 1);
}

static bool reaches_shared_object (const access_table *t, ir_edge e, unsigned arg) {
  pointsto_set all = pointsto_arg (t->analysis->targets, e, arg);
  for (uint32_t k = 0; k < all.count; k++)
    if (can_access (t->analysis, e, all.objects[k])) return true;
  return all.anything;
}

static void look_at_argument (access_table *t, ir_edge e, unsigned arg) {
  const lock_analysis *a = t->analysis;
  const ir_edge_data *d = ir_edge_at (a->program, e);
  access_shape shape = access_shape_of (a->program, d, arg);
  if (!shape.is_access || !reaches_shared_object (t, e, arg)) return;
  if (escape_private (a->escape, e, arg) && !pointsto_arg (a->targets, e, arg).anything) return;
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (threads_runs (a->threads, k, d->from) && !threads_alone (a->threads, k, d->from))
      add_shared_access (t, e, arg, k, shape);
}

static int by_access_place (const void *x, const void *y) {
  const access_place *a = x, *b = y;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  if (a->class != b->class) return a->class < b->class ? -1 : 1;
  return (a->access > b->access) - (a->access < b->access);
}

void access_table_init (access_table *t, lock_analysis *a) {
  *t = (access_table){.analysis = a};
  locksets_init (&t->locksets, a);
  instances_init (&t->instances, a);
  parent_locks_init (&t->parent_locks, a, &t->locksets);
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    uint32_t args = a->program->edges.data[e].num_args;
    for (unsigned arg = 0; arg < args && arg < 2; arg++) look_at_argument (t, (ir_edge){e}, arg);
  }
  if (t->places.count) qsort (t->places.data, t->places.count, sizeof *t->places.data, by_access_place);
}

void access_table_release (access_table *t) {
  locksets_release (&t->locksets);
  instances_release (&t->instances);
  parent_locks_release (&t->parent_locks);
  vec_release (&t->accesses);
  vec_release (&t->access_locksets);
  intern_release (&t->classes);
  vec_release (&t->places);
  vec_release (&t->anywhere);
  map_release (&t->truncated);
}
