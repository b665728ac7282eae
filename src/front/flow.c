// Terminators: branches become exclusive and complete assume edges.
//
// A switch has one edge per target, not per case: the condition of a target is the disjunction of its cases, that of
// the default target the negation of all others.  Disjunctions are balanced, so that a switch of a thousand cases
// stays shallow.
#include "front/translate_impl.h"

static uint64_t key_of (const void *p) { return (uint64_t) (uintptr_t) p; }

ir_loc flow_location (routine *r, LLVMBasicBlockRef block) {
  uint64_t *known = map_find (&r->blocks, key_of (block));
  if (known) return (ir_loc){(uint32_t) *known};
  ir_loc l = ir_add_loc (r->p, r->proc);
  map_insert (&r->blocks, key_of (block), l.i, NULL);
  return l;
}

void flow_jump (routine *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  if (phi_in_block (to)) phi_copy_all (r, from, to);
  else emit_to (r, IR_NOP, flow_location (r, to));
}

// A jump to an unknown place.
static void end_unsupported (routine *r, const char *what) {
  emit_unsupported (r, "%s", what);
  emit_exit (r, value_number (r, 32, 0));
}

// One branch of the location `at`, which stays where it is.
static void branch (routine *r, ir_expr condition, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
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
  ir_expr condition = value_of (r, LLVMGetCondition (i));
  const ir_expr_node *n = ir_expr_at (r->p, condition);
  if (n->op == IR_X_CONST) {
    flow_jump (r, from, LLVMGetSuccessor (i, n->value ? 0 : 1));
    return;
  }
  branch (r, condition, from, first);
  branch (r, ir_not (r->p, condition), from, LLVMGetSuccessor (i, 1));
  r->at.i = IR_NONE;
}

// ---- switch ------------------------------------------------------------------------------------------
typedef struct target {
  LLVMBasicBlockRef block;
  expr_list cases;
} target;
typedef struct target_list {
  target *data;
  uint32_t count, capacity;
} target_list;  // a VEC

static ir_expr any_of (routine *r, const ir_expr *x, uint32_t count) {
  if (count == 0) return value_number (r, 1, 0);
  if (count == 1) return x[0];
  uint32_t half = count / 2;
  return ir_binary (r->p, IR_X_OR, any_of (r, x, half), any_of (r, x + half, count - half));
}

static target *target_of (target_list *targets, map *index, LLVMBasicBlockRef block) {
  bool is_new;
  uint64_t *i = map_insert (index, key_of (block), targets->count, &is_new);
  if (is_new) vec_push (targets, ((target){.block = block}));
  return &targets->data[*i];
}

// One edge per target; those that are not `otherwise` have their cases, `otherwise` (or NULL) gets what is left.
static void branch_to_targets (routine *r, LLVMBasicBlockRef from, target_list *targets, LLVMBasicBlockRef otherwise) {
  expr_list taken = {0};
  for (uint32_t k = 0; k < targets->count; k++) {
    target *x = &targets->data[k];
    if (x->block == otherwise) continue;
    ir_expr condition = any_of (r, x->cases.data, x->cases.count);
    vec_push (&taken, condition);
    branch (r, condition, from, x->block);
  }
  ir_expr rest = ir_not (r->p, any_of (r, taken.data, taken.count));
  if (otherwise) {
    branch (r, rest, from, otherwise);
    r->at.i = IR_NONE;
  } else {
    ir_edge e = emit_edge (r, IR_ASSUME);
    ir_add_arg (r->p, e, rest);
  }
  vec_release (&taken);
}

static void release_targets (target_list *targets, map *index) {
  for (uint32_t k = 0; k < targets->count; k++) vec_release (&targets->data[k].cases);
  vec_release (targets);
  map_release (index);
}

static void translate_switch (routine *r, LLVMValueRef i) {
  target_list targets = {0};
  map index = {0};
  LLVMBasicBlockRef from = LLVMGetInstructionParent (i), otherwise = LLVMGetSwitchDefaultDest (i);
  ir_expr x = value_of (r, LLVMGetOperand (i, 0));
  target_of (&targets, &index, otherwise);
  // Operands are: value, default, then case and block in turn; successor 0 is the default.
  for (unsigned k = 1; k < LLVMGetNumSuccessors (i); k++) {
    ir_expr value = value_of (r, LLVMGetOperand (i, 2 * k));
    target *to = target_of (&targets, &index, LLVMGetSuccessor (i, k));
    vec_push (&to->cases, ir_binary (r->p, IR_X_EQ, x, value));
  }
  if (targets.count == 1) flow_jump (r, from, otherwise);
  else branch_to_targets (r, from, &targets, otherwise);
  release_targets (&targets, &index);
}

static void translate_computed_goto (routine *r, LLVMValueRef i) {
  target_list targets = {0};
  map index = {0};
  ir_expr x = value_of (r, LLVMGetOperand (i, 0));
  for (unsigned k = 0; k < LLVMGetNumSuccessors (i); k++) {
    LLVMBasicBlockRef block = LLVMGetSuccessor (i, k);
    target *to = target_of (&targets, &index, block);
    if (!to->cases.count) vec_push (&to->cases, ir_binary (r->p, IR_X_EQ, x, block_number (r->t, block)));
  }
  branch_to_targets (r, LLVMGetInstructionParent (i), &targets, NULL);
  release_targets (&targets, &index);
  end_unsupported (r, "computed goto to something that is not a label of this function");
}

// ---- ends --------------------------------------------------------------------------------------------
static void translate_return (routine *r, LLVMValueRef i) {
  bool has_value = LLVMGetNumOperands (i) && type_bits (r->t, LLVMTypeOf (LLVMGetOperand (i, 0)));
  ir_expr x = {IR_NONE};
  if (LLVMGetNumOperands (i) && !has_value && type_size (r->t, LLVMTypeOf (LLVMGetOperand (i, 0))))
    emit_unsupported (r, "result of more than 128 bits");
  if (has_value) x = value_of (r, LLVMGetOperand (i, 0));
  if (r->atomic) emit_edge (r, IR_ATOMIC_END);
  if (r->caller && !LLVMGetNextBasicBlock (LLVMGetEntryBasicBlock (r->function))) {  // straight-line code just goes on
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

// clang writes `unreachable` behind calls that do not return, for __builtin_unreachable, and at the end of a function
// that is declared not to return.  No execution gets there in the first case.  In the other two an execution that does
// has undefined behaviour.  It counts as a memory error: the compiled program may run on into any code.
static void translate_unreachable (routine *r, LLVMValueRef i) {
  LLVMValueRef before = LLVMGetPreviousInstruction (i);
  bool is_undefined = !r->internal && !(before && LLVMIsACallInst (before) && call_does_not_return (before));
  ir_edge e = emit_edge (r, is_undefined ? IR_CHECK : IR_ASSUME);
  ir_add_arg (r->p, e, value_number (r, 1, 0));
  if (is_undefined) {
    ir_edge_at (r->p, e)->aux = IR_P_MEMORY;
    ir_edge_at (r->p, e)->message = "`__builtin_unreachable`, or the end of a function that must not return, is reached";
  }
  emit_exit (r, value_number (r, 32, 0));
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
