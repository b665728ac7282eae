// Translates terminators: branches become assume edges that exclude each other and cover all cases.
//
// A switch has one edge per target, not per case.  The condition of a target is the disjunction of its cases; the
// condition of the default target is the negation of all others.  Disjunctions are balanced, so that the expression of
// a switch with a thousand cases is not deep.
#include "front/translate_impl.h"

ir_loc flow_location (routine *r, LLVMBasicBlockRef block) {
  uint64_t *known = map_find (&r->blocks, llvm_key (block));
  if (known) return (ir_loc){(uint32_t) *known};
  ir_loc l = ir_add_loc (r->p, r->proc);
  map_insert (&r->blocks, llvm_key (block), l.i, NULL);
  return l;
}

void flow_jump (routine *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  if (phi_in_block (to)) phi_copy_all (r, from, to);
  else emit_to (r, IR_NOP, flow_location (r, to));
}

// Ends the path at a jump to an unknown location.
static void end_unsupported (routine *r, const char *what) {
  emit_unsupported (r, "%s", what);
  emit_exit (r, value_from_number (r, 32, 0));
}

// Adds one branch at the location `at`; `at` does not change.
static void add_branch (routine *r, ir_expr condition, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  ir_loc here = r->at;
  if (phi_in_block (to)) {
    ir_edge e = emit_edge (r, IR_ASSUME);
    ir_add_arg (r->p, e, condition);
    phi_copy_all (r, from, to);
  } else {
    ir_edge e = emit_to (r, IR_ASSUME, flow_location (r, to));
    ir_add_arg (r->p, e, condition);
  }
  r->at = here;
}

static void translate_branch (routine *r, LLVMValueRef i) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent (i), first = LLVMGetSuccessor (i, 0);
  if (!LLVMIsConditional (i) || LLVMGetSuccessor (i, 1) == first) {
    flow_jump (r, from, first);
    return;
  }
  ir_expr condition = operand_value (r, LLVMGetCondition (i));
  const ir_expr_node *n = ir_expr_at (r->p, condition);
  if (n->op == IR_X_CONST) {
    flow_jump (r, from, LLVMGetSuccessor (i, n->value ? 0 : 1));
    return;
  }
  add_branch (r, condition, from, first);
  add_branch (r, ir_not (r->p, condition), from, LLVMGetSuccessor (i, 1));
  r->at.i = IR_NONE;
}

// ---- switch ------------------------------------------------------------------------------------------
typedef struct switch_target {
  LLVMBasicBlockRef block;
  expr_list cases;
} switch_target;
typedef struct switch_target_list {
  switch_target *data;
  uint32_t count, capacity;
} switch_target_list;  // a VEC

static ir_expr any_of (routine *r, const ir_expr *x, uint32_t count) {
  if (count == 0) return value_from_number (r, 1, 0);
  if (count == 1) return x[0];
  uint32_t half = count / 2;
  return ir_binary (r->p, IR_X_OR, any_of (r, x, half), any_of (r, x + half, count - half));
}

static switch_target *switch_target_for (switch_target_list *targets, map *index, LLVMBasicBlockRef block) {
  bool is_new;
  uint64_t *i = map_insert (index, llvm_key (block), targets->count, &is_new);
  if (is_new) vec_push (targets, ((switch_target){.block = block}));
  return &targets->data[*i];
}

// Adds one edge per target.  The condition of a target is that one of its cases is true; that of `otherwise`, the
// default target or NULL, that no case is true.
static void branch_to_targets (routine *r, LLVMBasicBlockRef from, switch_target_list *targets,
                               LLVMBasicBlockRef otherwise) {
  expr_list taken = {0};
  for (uint32_t k = 0; k < targets->count; k++) {
    switch_target *x = &targets->data[k];
    if (x->block == otherwise) continue;
    ir_expr condition = any_of (r, x->cases.data, x->cases.count);
    vec_push (&taken, condition);
    add_branch (r, condition, from, x->block);
  }
  ir_expr rest = ir_not (r->p, any_of (r, taken.data, taken.count));
  if (otherwise) {
    add_branch (r, rest, from, otherwise);
    r->at.i = IR_NONE;
  } else {
    ir_edge e = emit_edge (r, IR_ASSUME);
    ir_add_arg (r->p, e, rest);
  }
  vec_release (&taken);
}

static void release_switch_targets (switch_target_list *targets, map *index) {
  for (uint32_t k = 0; k < targets->count; k++) vec_release (&targets->data[k].cases);
  vec_release (targets);
  map_release (index);
}

static void translate_switch (routine *r, LLVMValueRef i) {
  switch_target_list targets = {0};
  map index = {0};
  LLVMBasicBlockRef from = LLVMGetInstructionParent (i), otherwise = LLVMGetSwitchDefaultDest (i);
  ir_expr x = operand_value (r, LLVMGetOperand (i, 0));
  switch_target_for (&targets, &index, otherwise);
  // Operands are: value, default, then case and block in turn; successor 0 is the default.
  for (unsigned k = 1; k < LLVMGetNumSuccessors (i); k++) {
    ir_expr value = operand_value (r, LLVMGetOperand (i, 2 * k));
    switch_target *to = switch_target_for (&targets, &index, LLVMGetSuccessor (i, k));
    vec_push (&to->cases, ir_binary (r->p, IR_X_EQ, x, value));
  }
  if (targets.count == 1) flow_jump (r, from, otherwise);
  else branch_to_targets (r, from, &targets, otherwise);
  release_switch_targets (&targets, &index);
}

static void translate_computed_goto (routine *r, LLVMValueRef i) {
  switch_target_list targets = {0};
  map index = {0};
  ir_expr x = operand_value (r, LLVMGetOperand (i, 0));
  for (unsigned k = 0; k < LLVMGetNumSuccessors (i); k++) {
    LLVMBasicBlockRef block = LLVMGetSuccessor (i, k);
    switch_target *to = switch_target_for (&targets, &index, block);
    if (!to->cases.count) vec_push (&to->cases, ir_binary (r->p, IR_X_EQ, x, block_number (r->t, block)));
  }
  branch_to_targets (r, LLVMGetInstructionParent (i), &targets, NULL);
  release_switch_targets (&targets, &index);
  end_unsupported (r, "computed goto to something that is not a label of this function");
}

// ---- returns and unreachable code --------------------------------------------------------------------
static void translate_return (routine *r, LLVMValueRef i) {
  bool has_value = LLVMGetNumOperands (i) && type_bits (r->t, LLVMTypeOf (LLVMGetOperand (i, 0)));
  ir_expr x = {IR_NONE};
  if (LLVMGetNumOperands (i) && !has_value && type_size (r->t, LLVMTypeOf (LLVMGetOperand (i, 0))))
    emit_unsupported (r, "result of more than 128 bits");
  if (has_value) x = operand_value (r, LLVMGetOperand (i, 0));
  if (r->atomic) emit_edge (r, IR_ATOMIC_END);
  // straight-line code continues without a jump
  if (r->caller && !LLVMGetNextBasicBlock (LLVMGetEntryBasicBlock (r->function))) {
    r->returned = x;
    r->after = r->at;
    return;
  }
  if (r->caller && r->after.i == IR_NONE) r->after = ir_add_loc (r->p, r->proc);
  if (!r->caller) {
    ir_edge e = emit_last (r, IR_RETURN);
    if (has_value) ir_add_arg (r->p, e, x);
  } else if (has_value && r->result.i != IR_NONE) {
    x = value_resize (r, x, ir_proc_at (r->p, r->proc)->regs.data[r->result.i].bits, false);
    ir_edge e = emit_to (r, IR_ASSIGN, r->after);
    ir_edge_at (r->p, e)->dst = r->result;
    ir_add_arg (r->p, e, x);
  } else {
    emit_to (r, IR_NOP, r->after);
  }
}

// clang writes `unreachable` after calls that do not return, for __builtin_unreachable, and at the end of a function
// that is declared not to return.  In the first case no execution reaches it.  In the other two cases an execution that
// reaches it has undefined behaviour.  That counts as a memory error: the compiled program may continue in any code.
static void translate_unreachable (routine *r, LLVMValueRef i) {
  LLVMValueRef before = LLVMGetPreviousInstruction (i);
  bool is_undefined = !r->internal && !(before && LLVMIsACallInst (before) && call_does_not_return (before));
  ir_edge e = emit_edge (r, is_undefined ? IR_CHECK : IR_ASSUME);
  ir_add_arg (r->p, e, value_from_number (r, 1, 0));
  if (is_undefined) {
    ir_edge_at (r->p, e)->aux = IR_P_MEMORY;
    ir_edge_at (r->p, e)->message =
        "`__builtin_unreachable`, or the end of a function that must not return, is reached";
  }
  emit_exit (r, value_from_number (r, 32, 0));
}

bool translate_terminator (routine *r, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode (i)) {
  case LLVMRet: translate_return (r, i); return true;
  case LLVMBr: translate_branch (r, i); return true;
  case LLVMSwitch: translate_switch (r, i); return true;
  case LLVMIndirectBr: translate_computed_goto (r, i); return true;
  case LLVMUnreachable: translate_unreachable (r, i); return true;
  case LLVMCallBr: end_unsupported (r, "asm goto"); return true;
  // Assembly and bitcode need not come from C.
  case LLVMInvoke:
  case LLVMResume:
  case LLVMCleanupRet:
  case LLVMCatchRet:
  case LLVMCatchSwitch: end_unsupported (r, "exceptions"); return true;
  default: return false;
  }
}
