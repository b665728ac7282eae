// The value of a local before its first assignment: a call that uninit_locals.c has inserted.
//
// The value is chosen where the lifetime of the local starts, so that all uses see the same value.  A value with a
// single use that is executed at most once per lifetime is chosen at that use instead: most such uses are on paths that
// are rarely or never taken, and a choice that is never read would only multiply the executions.  (With
// --property=uninit there is no choice, and the position of the edge is the declaration of the local.)
#include <string.h>

#include "front/translate_impl.h"

bool value_is_uninitialised (LLVMValueRef v) {
  LLVMValueRef callee = LLVMIsACallInst (v) ? LLVMGetCalledValue (v) : NULL;
  const char *prefix = LOCKSTEP_PREFIX "uninit.";
  return callee && LLVMIsAFunction (callee) && LLVMIsDeclaration (callee) &&
         !strncmp (value_name (callee), prefix, strlen (prefix));
}

ir_expr value_of_uninitialised (routine *r, LLVMValueRef call) {
  const char *variable = debug_value_name (r->t->debug, call);
  strbuf text = {0};
  if (r->t->options->check_uninit) strbuf_printf (&text, variable ? "`%s`" : "a variable", variable);
  else if (variable) strbuf_printf (&text, "uninitialised `%s`", variable);
  else strbuf_add (&text, "uninitialised variable");
  ir_expr x = value_unwritten (r, call_bits (r, call), strbuf_text (&text));
  strbuf_release (&text);
  return x;
}

// Returns the block of a use: for a phi node, the block from which the value comes.
static LLVMBasicBlockRef block_of_use (LLVMValueRef user, LLVMValueRef v) {
  for (unsigned i = 0; LLVMIsAPHINode (user) && i < LLVMCountIncoming (user); i++) {
    if (LLVMGetIncomingValue (user, i) == v) return LLVMGetIncomingBlock (user, i);
  }
  return LLVMGetInstructionParent (user);
}

// Returns whether `block` can be executed again without executing `barrier` in between.
static bool is_in_loop (LLVMBasicBlockRef block, LLVMBasicBlockRef barrier) {
  if (block == barrier) return false;
  map seen = {0};
  VEC (LLVMBasicBlockRef) work = {0};
  vec_push (&work, block);
  bool found = false;
  while (work.count && !found) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator (vec_pop (&work));
    for (unsigned i = 0; i < LLVMGetNumSuccessors (end); i++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor (end, i);
      bool is_new;
      if (next == block) found = true;
      if (next == barrier) continue;
      map_insert (&seen, llvm_key (next), 0, &is_new);
      if (is_new) vec_push (&work, next);
    }
  }
  vec_release (&work);
  map_release (&seen);
  return found;
}

void translate_uninitialised (routine *r, LLVMValueRef call) {
  LLVMUseRef use = LLVMGetFirstUse (call);
  if (!use) return;
  bool single = !LLVMGetNextUse (use) && !r->t->options->check_uninit;
  if (single && !is_in_loop (block_of_use (LLVMGetUser (use), call), LLVMGetInstructionParent (call))) return;
  value_bind (r, call, value_of_uninitialised (r, call));
}
