// Phi nodes: each becomes a register, assigned on the edges that lead to its block.
//
// All phis of a block take their values at once.  The copies are ordered so that no copy overwrites a register that a
// later one reads; only a cycle needs a temporary.  (Values are registers, constants or addresses, see
// translate_impl.h.)
#include "front/translate_impl.h"

typedef struct phi_copy {
  ir_reg to;
  ir_expr from;
} phi_copy;
typedef struct copy_list {
  phi_copy *data;
  uint32_t count, capacity;
} copy_list;  // a VEC

bool phi_in_block (LLVMBasicBlockRef block) {
  LLVMValueRef first = LLVMGetFirstInstruction (block);
  return first && LLVMIsAPHINode (first);
}

ir_expr phi_register (routine *r, LLVMValueRef phi) {
  uint64_t *known = map_find (&r->values, llvm_key (phi));
  if (known) return (ir_expr){(uint32_t) *known};
  unsigned bits = type_bits (r->t, LLVMTypeOf (phi));
  ir_expr x = reg_use (r, reg_new (r, bits ? bits : 1, debug_value_name (r->t->debug, phi)));
  value_bind (r, phi, x);
  return x;
}

static bool is_use_of_register (routine *r, ir_expr x, ir_reg reg) {
  const ir_expr_node *n = ir_expr_at (r->p, x);
  return n->op == IR_X_REG && n->reg.i == reg.i;
}

static LLVMValueRef incoming_value (LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming (phi); i++) {
    if (LLVMGetIncomingBlock (phi, i) == from) return LLVMGetIncomingValue (phi, i);
  }
  BUG ("a phi node should have a value for every predecessor");
}

static void collect_copies (routine *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to, copy_list *copies) {
  for (LLVMValueRef i = LLVMGetFirstInstruction (to); i && LLVMIsAPHINode (i); i = LLVMGetNextInstruction (i)) {
    ir_reg reg = ir_expr_at (r->p, phi_register (r, i))->reg;
    LLVMValueRef v = incoming_value (i, from);
    if (!type_bits (r->t, LLVMTypeOf (v))) continue;
    ir_expr x = operand_value (r, v);
    if (!is_use_of_register (r, x, reg)) vec_push (copies, ((phi_copy){reg, x}));
  }
}

static bool is_read_by_another (routine *r, const copy_list *copies, uint32_t index) {
  for (uint32_t i = 0; i < copies->count; i++) {
    if (i != index && is_use_of_register (r, copies->data[i].from, copies->data[index].to)) return true;
  }
  return false;
}

static uint32_t find_free_copy (routine *r, const copy_list *copies) {
  for (uint32_t i = 0; i < copies->count; i++)
    if (!is_read_by_another (r, copies, i)) return i;
  return IR_NONE;
}

static void emit_copy (routine *r, ir_reg to, ir_expr from, ir_loc target, bool last) {
  ir_edge e = last ? emit_to (r, IR_ASSIGN, target) : emit_edge (r, IR_ASSIGN);
  ir_edge_at (r->p, e)->dst = to;
  ir_add_arg (r->p, e, from);
}

// Breaks a cycle: each remaining copy overwrites a register that another one reads.  Saves one target, and lets its
// readers read the saved value.
static void break_cycle (routine *r, copy_list *copies) {
  ir_reg saved = copies->data[0].to;
  ir_expr value = reg_use (r, saved);
  ir_reg temporary = reg_new (r, value_bits (r, value), NULL);
  emit_copy (r, temporary, value, (ir_loc){IR_NONE}, false);
  for (uint32_t i = 0; i < copies->count; i++) {
    if (is_use_of_register (r, copies->data[i].from, saved)) copies->data[i].from = reg_use (r, temporary);
  }
}

void phi_copy_all (routine *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  copy_list copies = {0};
  collect_copies (r, from, to, &copies);
  ir_loc target = flow_location (r, to);
  if (!copies.count) emit_to (r, IR_NOP, target);
  while (copies.count) {
    uint32_t i = find_free_copy (r, &copies);
    if (i == IR_NONE) {
      break_cycle (r, &copies);
      continue;
    }
    phi_copy c = copies.data[i];
    for (uint32_t k = i + 1; k < copies.count; k++) copies.data[k - 1] = copies.data[k];
    copies.count--;
    emit_copy (r, c.to, c.from, target, !copies.count);
  }
  vec_release (&copies);
}
