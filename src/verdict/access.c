// The memory operations on edges: load, store, their raw forms, read-modify-write, compare-exchange, alloc,
// free, forget.  Each checks its access first, so a violation leaves the machine as it was.
#include "verdict/verdict_impl.h"

// Reads the value that a load finds.  If all bytes are undefined, the value is a choice; single undefined bytes read as
// zero.  Either is written back to memory, so that the next load finds the same value.
static step_kind read_or_choose (action *a, uint64_t address, uint64_t *value) {
  machine *m = a->m;
  unsigned bytes = a->d->bytes;
  uint64_t mask = memory_undefined (m, address, bytes);
  *value = memory_read (m, address, bytes);
  if (!mask) return STEP_DONE;
  if (mask == ((uint64_t) 1 << bytes) - 1) {
    ir_value chosen;
    if (!m->choose (m, CHOICE_UNDEFINED, 8 * bytes, 0, &chosen)) return STEP_NO_CHOICE;
    *value = (uint64_t) (chosen & value_mask (8 * bytes));
    m->chose = true;
    m->chose_at = address;
  } else {
    for (unsigned i = 0; i < bytes; i++)
      if (mask >> i & 1) *value &= ~((uint64_t) 0xff << (8 * i));
  }
  memory_write (m, address, bytes, *value);
  return STEP_DONE;
}

static step_kind execute_load (action *a, uint64_t address) {
  uint64_t value;
  step_kind result = read_or_choose (a, address, &value);
  if (result == STEP_DONE) action_set (a, a->d->dst, value);
  return result;
}

static step_kind execute_load_raw (action *a, uint64_t address) {
  bool of_bits = a->d->aux == IR_MASK_OF_BITS;
  uint64_t mask =
      of_bits ? memory_undefined_bits (a->m, address, a->d->bytes) : memory_undefined (a->m, address, a->d->bytes);
  action_set (a, a->d->dst, memory_read_zeroed (a->m, address, a->d->bytes));
  action_set (a, a->d->dst2, mask);
  return STEP_DONE;
}

static step_kind execute_store_raw (action *a, uint64_t address) {
  uint64_t value = (uint64_t) action_arg (a, 1), mask = (uint64_t) action_arg (a, 2);
  bool of_bits = a->d->aux == IR_MASK_OF_BITS;
  memory_write (a->m, address, a->d->bytes, of_bits ? value & ~mask : value);
  if (of_bits) memory_set_undefined_bits (a->m, address, a->d->bytes, mask);
  else memory_set_undefined (a->m, address, a->d->bytes, mask);
  return STEP_DONE;
}

static ir_value combine_operands (ir_rmw_op op, unsigned bits, ir_value old, ir_value operand) {
  bool less = value_signed (old, bits) < value_signed (operand, bits);
  switch (op) {
  case IR_RMW_XCHG: return operand;
  case IR_RMW_ADD: return old + operand;
  case IR_RMW_SUB: return old - operand;
  case IR_RMW_AND: return old & operand;
  case IR_RMW_OR: return old | operand;
  case IR_RMW_XOR: return old ^ operand;
  case IR_RMW_NAND: return ~(old & operand);
  case IR_RMW_MAX: return less ? operand : old;
  case IR_RMW_MIN: return less ? old : operand;
  case IR_RMW_UMAX: return old < operand ? operand : old;
  case IR_RMW_UMIN: return old < operand ? old : operand;
  case IR_RMW_FADD: return eval_float (IR_X_FADD, bits, bits, old, operand);
  case IR_RMW_FSUB: return eval_float (IR_X_FSUB, bits, bits, old, operand);
  case IR_NUM_RMW_OPS: break;
  }
  return old;
}

static step_kind execute_rmw (action *a, uint64_t address) {
  uint64_t old;
  step_kind result = read_or_choose (a, address, &old);
  if (result != STEP_DONE) return result;
  unsigned bits = 8u * a->d->bytes;
  ir_value operand = action_arg (a, 1) & value_mask (bits);
  memory_write (a->m, address, a->d->bytes,
                (uint64_t) (combine_operands (a->d->aux, bits, old, operand) & value_mask (bits)));
  action_set (a, a->d->dst, old);
  return STEP_DONE;
}

static step_kind execute_cmpxchg (action *a, uint64_t address) {
  uint64_t old;
  step_kind result = read_or_choose (a, address, &old);
  if (result != STEP_DONE) return result;
  ir_value mask = value_mask (8u * a->d->bytes), expected = action_arg (a, 1) & mask,
           desired = action_arg (a, 2) & mask;
  if (old == expected) memory_write (a->m, address, a->d->bytes, (uint64_t) desired);
  action_set (a, a->d->dst, old);
  action_set (a, a->d->dst2, old == expected);
  return STEP_DONE;
}

ir_fault memory_free_check (machine *m, uint64_t address, object **found) {
  *found = NULL;
  if (!address) return IR_FAULT_NONE;
  uint64_t number = address_object (m->program, address);
  object *o = number ? object_find (m, number) : NULL;
  if (!o || o->kind != OBJECT_HEAP || address_offset (m->program, address)) return IR_FAULT_BAD_FREE;
  if (!o->alive) return IR_FAULT_DOUBLE_FREE;
  *found = o;
  return IR_FAULT_NONE;
}

static step_kind execute_free (action *a, uint64_t address) {
  object *o;
  ir_fault kind = memory_free_check (a->m, address, &o);
  if (kind != IR_FAULT_NONE) {
    a->m->fault = (fault){IR_P_MEMORY, kind, address, 0};
    return STEP_VIOLATION;
  }
  if (!o) return STEP_DONE;
  o->ended_by = action_user_edge (a).i;
  o->freeing_thread = (uint8_t) a->t->slot;
  memory_kill (a->m, address_object (a->m->program, address));
  return STEP_DONE;
}

static bool op_writes_memory (ir_op op) { return op != IR_LOAD && op != IR_LOAD_RAW && op != IR_FORGET; }

step_kind memory_step (action *a) {
  if (a->d->op == IR_FENCE) return STEP_DONE;
  uint64_t address = (uint64_t) action_arg (a, 0);
  if (a->d->op == IR_FREE) return execute_free (a, address);
  if (memory_fails (a->m, address, a->d->op == IR_FORGET ? 0 : a->d->bytes, op_writes_memory (a->d->op)))
    return STEP_VIOLATION;
  switch (a->d->op) {
  case IR_LOAD: return execute_load (a, address);
  case IR_LOAD_RAW: return execute_load_raw (a, address);
  case IR_STORE: memory_write (a->m, address, a->d->bytes, (uint64_t) action_arg (a, 1)); return STEP_DONE;
  case IR_STORE_RAW: return execute_store_raw (a, address);
  case IR_RMW: return execute_rmw (a, address);
  case IR_CMPXCHG: return execute_cmpxchg (a, address);
  default: memory_forget (a->m, address); return STEP_DONE;
  }
}

step_kind memory_alloc (action *a) {
  machine *m = a->m;
  ir_value size = action_arg (a, 0), fails = 0;
  bool stack = a->d->aux == IR_ALLOC_STACK;
  if (!stack && m->semantics.may_fail && !m->choose (m, CHOICE_FAIL, 1, 0, &fails)) return STEP_NO_CHOICE;
  uint64_t address = 0;
  if (!(fails & 1)) {
    uint32_t origin = stack ? a->e.i : action_user_edge (a).i;
    if (!memory_new (m, a->t->slot, stack ? OBJECT_STACK : OBJECT_HEAP, size, a->d->aux == IR_ALLOC_HEAP_ZEROED, origin,
                     &address))
      return STEP_UNSUPPORTED;
    if (stack) vec_push (&a->t->stack, object_index (m->program, address_object (m->program, address)));
  }
  action_set (a, a->d->dst, address);
  return STEP_DONE;
}
