// While such a variable is not 0, exactly one thread has made it so and holds it.  That requires that every write to
// the variable is one of these operations, of its whole size, and that only the holder stores 0 (discipline.c checks
// that).
#include "engine/locks/states/states_impl.h"

static bool constant_arg (lock_analysis *a, ir_edge e, unsigned k, ir_value *x) {
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, e)->from)->proc;
  value_term v = value_of_expr (&a->values, f, ir_arg (a->program, e, k));
  return v.i != VALUE_NONE && value_constant (&a->values, v, x);
}

static cas_op cas_op_shape (lock_analysis *a, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  ir_value old, new;
  switch (d->op) {
  case IR_CMPXCHG:
    if (!constant_arg (a, e, 1, &old) || !constant_arg (a, e, 2, &new)) return CAS_NONE;
    return !old && new ? CAS_ACQUIRE : old && !new ? CAS_RELEASE : old &&new ? CAS_KEEP : CAS_NONE;
  case IR_RMW: return d->aux == IR_RMW_XCHG && constant_arg (a, e, 1, &new) && new ? CAS_ACQUIRE_BY_EXCHANGE : CAS_NONE;
  case IR_STORE: return constant_arg (a, e, 1, &new) && !new ? CAS_RELEASE_BY_STORE : CAS_NONE;
  case IR_LOCAL_OPERATIONS:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_LOAD:
  case IR_LOAD_RAW:
  case IR_STORE_RAW:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_OPERATIONS:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  return CAS_NONE;
}

static bool touches_cas_lock (const lock_analysis *a, ir_edge e) {
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  for (uint32_t k = 0; k < all.count; k++)
    if (map_find (&a->cas_locks, (uint64_t) all.targets[k].object << 32 | all.targets[k].offset)) return true;
  return false;
}

void find_cas_locks (lock_analysis *a) {
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    cas_op op = cas_op_shape (a, (ir_edge){e});
    if (op != CAS_ACQUIRE && op != CAS_ACQUIRE_BY_EXCHANGE) continue;
    pointsto_list all = pointsto_targets (a->targets, (ir_edge){e}, 0);
    for (uint32_t k = 0; k < all.count; k++)
      if (all.targets[k].offset != POINTSTO_ANY_OFFSET)
        map_insert (&a->cas_locks, (uint64_t) all.targets[k].object << 32 | all.targets[k].offset,
                    a->program->edges.data[e].bytes, NULL);
  }
}

cas_op cas_op_of (lock_analysis *a, ir_edge e) {
  if (!a->cas_locks.entries.count) return CAS_NONE;
  cas_op op = cas_op_shape (a, e);
  return op != CAS_NONE && touches_cas_lock (a, e) ? op : CAS_NONE;
}

static bool writes_memory (ir_op op) {
  return op == IR_STORE || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG || op == IR_FREE || op == IR_FORGET;
}

// A write somewhere in the object, not at a known other place, is taken to hit the variable.
static void mark_written_cas_locks (lock_analysis *a, ir_edge e) {
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  a->all_undisciplined |= all.anything;
  for (uint32_t c = 0; c < a->cas_locks.entries.count; c++) {
    uint32_t object = (uint32_t) (a->cas_locks.entries.data[c].key >> 32),
             offset = (uint32_t) a->cas_locks.entries.data[c].key;
    for (uint32_t k = 0; k < all.count; k++) {
      pointsto_target t = all.targets[k];
      bool near = t.offset == POINTSTO_ANY_OFFSET || (t.offset < offset + 8 && offset < t.offset + 8);
      if (t.object == object && near) mark_undisciplined (a, (pointsto_target){object, offset});
    }
  }
}

// Marks variables that an operation touches in part, at an unknown offset, or together with neighbouring bytes.
static void mark_partly_written_cas_locks (lock_analysis *a, ir_edge e) {
  uint64_t bytes = ir_edge_at (a->program, e)->bytes;
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  for (uint32_t c = 0; c < a->cas_locks.entries.count; c++) {
    uint64_t size = a->cas_locks.entries.data[c].value;
    uint32_t object = (uint32_t) (a->cas_locks.entries.data[c].key >> 32),
             offset = (uint32_t) a->cas_locks.entries.data[c].key;
    for (uint32_t k = 0; k < all.count; k++) {
      pointsto_target t = all.targets[k];
      bool anywhere = t.offset == POINTSTO_ANY_OFFSET, whole = (anywhere || t.offset == offset) && bytes == size,
           near = anywhere || (t.offset < offset + size && offset < t.offset + bytes);
      if (t.object == object && near && !whole) mark_undisciplined (a, (pointsto_target){object, offset});
    }
  }
}

static bool starts_free (const lock_analysis *a, uint32_t object, uint32_t offset, uint64_t size) {
  if (object >= a->program->objects.count)
    return true;  // the allocating thread writes it first, or a store below hits it
  const ir_object_data *o = &a->program->objects.data[object];
  for (uint32_t k = 0; o->init && k < size && offset + k < o->size; k++)
    if (o->init[offset + k]) return false;
  return true;
}

void check_cas_locks (lock_analysis *a) {
  if (!a->cas_locks.entries.count) return;
  for (uint32_t c = 0; c < a->cas_locks.entries.count; c++) {
    uint32_t object = (uint32_t) (a->cas_locks.entries.data[c].key >> 32),
             offset = (uint32_t) a->cas_locks.entries.data[c].key;
    if (!starts_free (a, object, offset, a->cas_locks.entries.data[c].value))
      mark_undisciplined (a, (pointsto_target){object, offset});
  }
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    if (!writes_memory (a->program->edges.data[e].op) || object_is_unshared (a, (ir_edge){e})) continue;
    if (cas_op_of (a, (ir_edge){e}) == CAS_NONE) mark_written_cas_locks (a, (ir_edge){e});
    else mark_partly_written_cas_locks (a, (ir_edge){e});
  }
}
