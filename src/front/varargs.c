// Variable arguments.  The caller lays them out in a stack object as the ABI lays out arguments that do not fit into
// registers; va_start returns the address of that object.  So the code that clang makes for va_arg works unchanged.
//
// x86-64: slots of 8 bytes, values aligned to 16 at multiples of 16; the va_list says that all registers are used up.
// i386: slots of 4 bytes; the va_list is the pointer itself.
#include "front/translate_impl.h"

enum { GP_OFFSET_USED_UP = 48, FP_OFFSET_USED_UP = 304 };  // psABI: 6 * 8, and 16 * 16 more

static uint64_t slot_bytes (const routine *r) { return r->p->pointer_bits / 8; }

static uint64_t round_up (uint64_t n, uint64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

typedef struct vararg_slot {
  uint64_t offset, size;
  LLVMTypeRef byval;
} vararg_slot;

// Returns the slot of argument `index` if the next free byte is `next`.
static vararg_slot argument_slot (routine *r, LLVMValueRef call, unsigned index, uint64_t next) {
  LLVMTypeRef type = LLVMTypeOf (LLVMGetOperand (call, index)), byval = type_of_byval (call, index);
  LLVMTypeRef stored = byval ? byval : type;
  uint64_t align = slot_bytes (r);
  if (r->p->pointer_bits == 64 && LLVMABIAlignmentOfType (r->t->layout, stored) >= 16) align = 16;
  return (vararg_slot){round_up (next, align), type_size (r->t, stored), byval};
}

ir_expr varargs_pass (routine *r, LLVMValueRef call, unsigned first) {
  uint64_t next = 0;
  unsigned count = LLVMGetNumArgOperands (call);
  for (unsigned i = first; i < count; i++) {
    vararg_slot s = argument_slot (r, call, i, next);
    next = round_up (s.offset + s.size, slot_bytes (r));
  }
  ir_expr area =
      emit_alloc (r, value_from_number (r, routine_pointer_bits (r), next), IR_ALLOC_STACK, NULL, (ir_type){IR_NONE});
  next = 0;
  for (unsigned i = first; i < count; i++) {
    vararg_slot s = argument_slot (r, call, i, next);
    LLVMTypeRef type = LLVMTypeOf (LLVMGetOperand (call, i));
    next = round_up (s.offset + s.size, slot_bytes (r));
    memory_access to = {.address = pointer_add (r->t, area, (int64_t) s.offset)};
    memory_access from = {.address = call_argument (r, call, i)};
    if (s.byval) emit_copy_bytes (r, &to, &from, s.size, false);
    else if (type_bits (r->t, type)) store_value (r, type, &to, from.address);
  }
  return area;
}

static void store_number (routine *r, ir_expr list, unsigned offset, ir_expr x) {
  memory_access a = {.address = pointer_add (r->t, list, offset)};
  store_bits (r, &a, x);
}

void translate_va_start (routine *r, LLVMValueRef call) {
  ir_expr list = call_argument (r, call, 0);
  if (r->varargs.i == IR_NONE) {
    emit_unsupported (r, "va_start in a function without variable arguments");
    return;
  }
  if (r->p->pointer_bits == 32) {
    store_number (r, list, 0, r->varargs);
    return;
  }
  store_number (r, list, 0, value_from_number (r, 32, GP_OFFSET_USED_UP));
  store_number (r, list, 4, value_from_number (r, 32, FP_OFFSET_USED_UP));
  store_number (r, list, 8, r->varargs);
  store_number (r, list, 16, value_from_number (r, 64, 0));
}

void translate_va_copy (routine *r, LLVMValueRef call) {
  memory_access to = {.address = call_argument (r, call, 0)}, from = {.address = call_argument (r, call, 1)};
  emit_copy_bytes (r, &to, &from, r->p->pointer_bits == 32 ? 4 : 24, false);
}
