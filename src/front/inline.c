// Inlines small library models into their callers.
//
// Models such as pthread_mutex_lock have a few edges each and are called very often.  Without a call and a return,
// states are smaller and an interleaving is as long as the reader of the C text expects.  Edges of an inlined body have
// the position of the user's call, and names of the caller's lvalues.
#include <string.h>

#include "front/translate_impl.h"

enum { INLINED_INSTRUCTIONS = 40, INLINED_CALLS = 4 };

static bool is_debug_call (LLVMValueRef i) {
  LLVMValueRef callee = LLVMIsACallInst (i) ? LLVMGetCalledValue (i) : NULL;
  return callee && LLVMIsAFunction (callee) && !strncmp (value_name (callee), "llvm.dbg.", 9);
}

// True for a function with few instructions, no stack objects and no computed goto.
static bool is_small (LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (function); b; b = LLVMGetNextBasicBlock (b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
      LLVMOpcode opcode = LLVMGetInstructionOpcode (i);
      if (opcode == LLVMAlloca || opcode == LLVMIndirectBr) return false;
      if (!is_debug_call (i) && ++count > INLINED_INSTRUCTIONS) return false;
    }
  }
  return true;
}

static bool takes_registers_only (LLVMValueRef function) {
  if (LLVMIsFunctionVarArg (LLVMGlobalGetValueType (function))) return false;
  for (unsigned i = 0; i < LLVMCountParams (function); i++)
    if (type_of_byval (function, i)) return false;
  return true;
}

bool call_inlining (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  if (!value_is_internal (callee) || LLVMGetNumArgOperands (call) != LLVMCountParams (callee)) return false;
  unsigned depth = 0;
  for (routine *c = r; c; c = c->caller, depth++)
    if (c->function == callee) return false;
  return depth <= INLINED_CALLS && takes_registers_only (callee) && is_small (callee);
}

void call_inline (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  routine in = {.t = r->t,
                .p = r->p,
                .function = callee,
                .proc = r->proc,
                .pos = r->pos,
                .internal = true,
                .caller = r,
                .call = call};
  in.varargs.i = in.result.i = in.returned.i = in.after.i = IR_NONE;
  for (unsigned i = 0; i < LLVMCountParams (callee); i++) {
    LLVMValueRef v = LLVMGetParam (callee, i);
    unsigned bits = type_bits (r->t, LLVMTypeOf (v));
    value_bind (&in, v, value_assign (r, value_resize (r, call_argument (r, call, i), bits ? bits : 1, false), NULL));
  }
  bool has_result = call_bits (r, call) && LLVMGetFirstUse (call);
  bool one_block = !LLVMGetNextBasicBlock (LLVMGetEntryBasicBlock (callee));
  if (has_result && !one_block) in.result = call_result_reg (r, call, 0);
  in.at = r->at;
  translate_body (&in);
  r->at = in.after;
  if (in.result.i != IR_NONE) value_bind (r, call, reg_use (r, in.result));
  else if (has_result && in.returned.i != IR_NONE) call_bind_result (r, call, in.returned);
  routine_release (&in);
}
