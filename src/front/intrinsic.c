// LLVM's own functions, llvm.*: lifetimes, copies, stack, variable arguments.  Intrinsics that compute are in bits.c
// and classify.c.
#include <string.h>

#include "base/text.h"
#include "front/translate_impl.h"

// ---- lifetimes ---------------------------------------------------------------------------------------
static bool is_lifetime_or_debug (LLVMValueRef i) {
  LLVMValueRef callee = LLVMIsACallInst (i) ? LLVMGetCalledValue (i) : NULL;
  if (!callee || !LLVMIsAFunction (callee)) return false;
  return text_starts_with (value_name (callee), "llvm.lifetime.end") ||
         text_starts_with (value_name (callee), "llvm.dbg.");
}

// After this instruction the function returns without another access, and the return ends its objects' lifetimes
// anyway.
static bool is_followed_by_return (LLVMValueRef i) {
  LLVMValueRef next = LLVMGetNextInstruction (i);
  for (unsigned steps = 0; next && steps < 100; steps++) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode (next);
    if (opcode == LLVMRet) return true;
    if (opcode == LLVMBr && !LLVMIsConditional (next)) next = LLVMGetFirstInstruction (LLVMGetSuccessor (next, 0));
    else if (opcode == LLVMPHI || is_lifetime_or_debug (next)) next = LLVMGetNextInstruction (next);
    else return false;
  }
  return false;
}

// In the entry block an object is fresh at the start of its lifetime, because that block is executed once per call.
static bool is_fresh_at_start (routine *r, LLVMValueRef call, LLVMValueRef object) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock (r->function);
  return LLVMIsAAllocaInst (object) && LLVMGetInstructionParent (object) == entry &&
         LLVMGetInstructionParent (call) == entry;
}

static void translate_lifetime (routine *r, LLVMValueRef call, bool start) {
  LLVMValueRef object = LLVMGetOperand (call, 1);
  if (start ? is_fresh_at_start (r, call, object) : is_followed_by_return (call)) return;
  memory_access a = {.address = operand_value (r, object), .pointer = object};
  emit_access (r, IR_FORGET, &a, 0, &a.address, 1);
}

// ---- the stack ---------------------------------------------------------------------------------------
static void translate_stack_save (routine *r, LLVMValueRef call) {
  ir_reg reg = call_result_reg (r, call, routine_pointer_bits (r));
  ir_edge e = emit_edge (r, IR_STACK_SAVE);
  ir_edge_at (r->p, e)->dst = reg;
  value_bind (r, call, reg_use (r, reg));
}

static void translate_stack_restore (routine *r, LLVMValueRef call) {
  ir_expr saved = call_argument (r, call, 0);
  ir_edge e = emit_edge (r, IR_STACK_RESTORE);
  ir_add_arg (r->p, e, saved);
}

// ---- labels ------------------------------------------------------------------------------------------
// Adds a nop, so that the label has its own position.
static void translate_label (routine *r, LLVMValueRef call) {
  ir_loc_at (r->p, r->at)->label = debug_label_name (r->t->debug, call);
  emit_edge (r, IR_NOP);
}

// ---- all of them -------------------------------------------------------------------------------------
static bool has_no_effect (const char *name) {
  static const char *const names[] = {"llvm.dbg.",
                                      "llvm.assume",
                                      "llvm.invariant.",
                                      "llvm.va_end",
                                      "llvm.prefetch",
                                      "llvm.donothing",
                                      "llvm.sideeffect",
                                      "llvm.var.annotation",
                                      "llvm.pseudoprobe",
                                      "llvm.debugtrap",
                                      "llvm.experimental.noalias.scope.decl",
                                      "llvm.codeview.annotation",
                                      "llvm.fake.use",
                                      "llvm.clear_cache",
                                      "llvm.pcmarker",
                                      NULL};
  return text_starts_with_one_of (name, names);
}

static bool is_identity (const char *name) {
  static const char *const names[] = {"llvm.expect.",
                                      "llvm.annotation.",
                                      "llvm.ptr.annotation.",
                                      "llvm.launder.",
                                      "llvm.strip.",
                                      "llvm.threadlocal.address",
                                      "llvm.ssa.copy",
                                      "llvm.preserve.",
                                      "llvm.arithmetic.fence.",
                                      NULL};
  return text_starts_with_one_of (name, names);
}

static bool translate_query (routine *r, LLVMValueRef call, const char *name) {
  unsigned bits = call_bits (r, call);
  if (text_starts_with (name, "llvm.is.constant.")) value_bind (r, call, value_from_number (r, bits, 0));
  else if (text_starts_with (name, "llvm.objectsize."))
    call_bind_result (r, call,
                      // 1 bit, sign-extended: -1 or 0
                      value_from_number (r, 1, LLVMIsNull (LLVMGetOperand (call, 1))));
  else if (text_starts_with (name, "llvm.returnaddress") || text_starts_with (name, "llvm.frameaddress"))
    value_bind (r, call, value_nondet_number (r, bits, name));
  else if (text_starts_with (name, "llvm.readcyclecounter") || text_starts_with (name, "llvm.flt.rounds") ||
           text_starts_with (name, "llvm.get.rounding"))
    value_bind (r, call, value_nondet_number (r, bits, name));
  else if (text_starts_with (name, "llvm.ptrmask.")) {
    ir_expr mask = value_resize (r, call_argument (r, call, 1), bits, true);
    call_bind_result (r, call, ir_binary (r->p, IR_X_AND, call_argument (r, call, 0), mask));
  } else return false;
  return true;
}

static bool is_trap (const char *name) {
  return !strcmp (name, "llvm.trap") || text_starts_with (name, "llvm.ubsantrap");
}

void translate_intrinsic (routine *r, LLVMValueRef call, const char *name) {
  if (text_starts_with (name, "llvm.dbg.label")) translate_label (r, call);
  if (has_no_effect (name)) return;
  if (is_identity (name)) {
    call_bind_result (r, call, call_argument (r, call, 0));
    return;
  }
  if (text_starts_with (name, "llvm.lifetime.start")) translate_lifetime (r, call, true);
  else if (text_starts_with (name, "llvm.lifetime.end")) translate_lifetime (r, call, false);
  else if (text_starts_with (name, "llvm.memcpy") || text_starts_with (name, "llvm.memmove") ||
           text_starts_with (name, "llvm.memset"))
    translate_copy (r, call, name);
  else if (text_starts_with (name, "llvm.stacksave")) translate_stack_save (r, call);
  else if (text_starts_with (name, "llvm.stackrestore")) translate_stack_restore (r, call);
  else if (text_starts_with (name, "llvm.va_start")) translate_va_start (r, call);
  else if (text_starts_with (name, "llvm.va_copy")) translate_va_copy (r, call);
  else if (is_trap (name)) emit_exit_at_once (r, value_from_number (r, 32, 134));
  else if (translate_query (r, call, name)) return;
  else if (translate_classification (r, call, name)) return;
  else if (translate_bit_intrinsic (r, call, name) || translate_float_intrinsic (r, call, name)) return;
  else emit_unsupported (r, "intrinsic `%s`", name);
}
