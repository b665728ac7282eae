// A semaphore excludes like a mutex while its value plus the number of threads that hold it (that have waited for it
// and not posted it since) is at most 1.  That is so after an initialisation to 1 while no thread holds it.  A wait
// takes one from the value and adds a holder; a post by a holder does the opposite.  The invariant is broken by a post
// of a thread that does not hold it, by an initialisation while a thread holds it (discipline.c looks at both), by
// another initial value, and by stores of something else than 0 into its bytes.
//
// In contrast to a mutex, a second wait by the same thread is not taken to block: most semaphores are not locks, and
// whether this one is shows only when all paths are known.  If it is one, the code behind such a wait is never reached.
#include "engine/locks/states/states_impl.h"

#include "ir/sync.h"

enum { VALUE_BYTES = 4 };

static uint64_t semaphore_key (pointsto_target at) { return (uint64_t) at.object << 32 | at.offset; }

static pointsto_target semaphore_place (const lock_analysis *a, uint32_t k) {
  uint64_t key = a->semaphores.entries.data[k].key;
  return (pointsto_target){(uint32_t) (key >> 32), (uint32_t) key};
}

static bool argument_constant (const lock_analysis *a, ir_edge e, unsigned arg, ir_value *x) {
  const ir_expr_node *n = ir_expr_at (a->program, ir_arg (a->program, e, arg));
  *x = n->value;
  return n->op == IR_X_CONST;
}

// ---- candidates --------------------------------------------------------------------------------------------------
static bool initialises_to_one (const lock_analysis *a, ir_edge e) {
  ir_value x;
  return argument_constant (a, e, 1, &x) && x == 1;
}

static void add_candidates (lock_analysis *a, ir_edge e) {
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  for (uint32_t k = 0; k < all.count; k++)
    if (all.targets[k].offset != POINTSTO_ANY_OFFSET)
      map_insert (&a->semaphores, semaphore_key (all.targets[k]), 1, NULL);
}

static bool may_be_at (pointsto_target place, pointsto_target target) {
  return place.object == target.object && (target.offset == POINTSTO_ANY_OFFSET || target.offset == place.offset);
}

static bool may_mean (const lock_analysis *a, ir_edge e, pointsto_target place) {
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  bool may = all.anything || !all.count;
  for (uint32_t k = 0; k < all.count; k++) may |= may_be_at (place, all.targets[k]);
  return may;
}

static bool is_given_otherwise (const lock_analysis *a, pointsto_target place) {
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    if (a->program->edges.data[e].op == IR_SEM_INIT && !initialises_to_one (a, (ir_edge){e}) &&
        may_mean (a, (ir_edge){e}, place))
      return true;
  return false;
}

static bool starts_with_nothing (const lock_analysis *a, pointsto_target place) {
  if (place.object >= a->program->objects.count) return true;  // memory without a static initialiser
  const ir_object_data *o = &a->program->objects.data[place.object];
  for (uint32_t k = 0; o->init && k < VALUE_BYTES && place.offset + k < o->size; k++)
    if (o->init[place.offset + k]) return false;
  return true;
}

void find_semaphores (lock_analysis *a) {
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    if (a->program->edges.data[e].op == IR_SEM_INIT && initialises_to_one (a, (ir_edge){e}))
      add_candidates (a, (ir_edge){e});
  for (uint32_t k = 0; k < a->semaphores.entries.count; k++) {
    pointsto_target at = semaphore_place (a, k);
    a->semaphores.entries.data[k].value = starts_with_nothing (a, at) && !is_given_otherwise (a, at);
  }
}

bool semaphore_touched (lock_analysis *a, ir_edge e) {
  if (ir_sync_of (ir_edge_at (a->program, e)->op)->family != IR_F_SEM) return false;
  for (uint32_t k = 0; k < a->semaphores.entries.count; k++)
    if (a->semaphores.entries.data[k].value && may_mean (a, e, semaphore_place (a, k))) return true;
  return false;
}

// ---- stores ------------------------------------------------------------------------------------------------------
static bool stores_something (const lock_analysis *a, ir_edge e) {
  ir_op op = ir_edge_at (a->program, e)->op;
  ir_value x;
  if (op == IR_RMW || op == IR_CMPXCHG) return true;
  return (op == IR_STORE || op == IR_STORE_RAW) && !(argument_constant (a, e, 1, &x) && !x);
}

// As for other locks (discipline.c), a store of the program itself at an unknown index stays in its array.
static bool may_write_semaphore (const lock_analysis *a, ir_edge e, pointsto_target place) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  bool raw = d->op == IR_STORE_RAW || ir_proc_at (a->program, ir_loc_at (a->program, d->from)->proc)->internal;
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  bool may = all.anything && raw;
  for (uint32_t k = 0; k < all.count; k++) {
    pointsto_target t = all.targets[k];
    bool near = t.offset == POINTSTO_ANY_OFFSET
                    ? raw
                    : t.offset < place.offset + VALUE_BYTES && place.offset < t.offset + d->bytes;
    may |= t.object == place.object && near;
  }
  return may;
}

// Also looks at stores before other threads run: they decide how many threads may enter.
void check_semaphore_locks (lock_analysis *a) {
  if (!a->semaphores.entries.count) return;
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    for (uint32_t k = 0; k < a->semaphores.entries.count && stores_something (a, (ir_edge){e}); k++)
      if (may_write_semaphore (a, (ir_edge){e}, semaphore_place (a, k))) mark_undisciplined (a, semaphore_place (a, k));
}
