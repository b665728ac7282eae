// Gives uninitialised locals an arbitrary value.  mem2reg would make them undefined and fold expressions that depend on
// them.  So each scalar local that mem2reg promotes gets a value from an external function where its lifetime starts.
//
// A local whose address escapes is not changed: its bytes in memory start undefined.  mem2reg must not promote such a
// local either, but it promotes `p` of `p = &v` and then, in the same run, `v`.  So a local that is not to be promoted
// is pinned, by passing its address to a function, and considered again when mem2reg has finished.
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "front/translate_impl.h"

static bool is_scalar (LLVMTypeRef type) {
  switch (LLVMGetTypeKind (type)) {
  case LLVMIntegerTypeKind:
  case LLVMPointerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMVectorTypeKind:
  case LLVMBFloatTypeKind: return true;
  default: return false;
  }
}

static bool is_lifetime (LLVMValueRef user, const char *which) {
  LLVMValueRef callee = LLVMIsACallInst (user) ? LLVMGetCalledValue (user) : NULL;
  return callee && LLVMIsAFunction (callee) && !strncmp (value_name (callee), which, strlen (which));
}

static bool is_plain_access (LLVMValueRef user, LLVMValueRef local) {
  LLVMTypeRef type = LLVMGetAllocatedType (local);
  if (LLVMIsALoadInst (user)) return !LLVMGetVolatile (user) && LLVMTypeOf (user) == type;
  if (!LLVMIsAStoreInst (user) || LLVMGetVolatile (user)) return false;
  return LLVMGetOperand (user, 0) != local && LLVMTypeOf (LLVMGetOperand (user, 0)) == type;
}

// The condition under which mem2reg promotes the local.
static bool is_promotable (LLVMValueRef local) {
  if (!is_scalar (LLVMGetAllocatedType (local))) return false;
  LLVMValueRef count = LLVMGetOperand (local, 0);
  if (!LLVMIsAConstantInt (count) || LLVMConstIntGetZExtValue (count) != 1) return false;
  for (LLVMUseRef u = LLVMGetFirstUse (local); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (!is_plain_access (user, local) && !is_lifetime (user, "llvm.lifetime.") && !is_lifetime (user, "llvm.dbg."))
      return false;
  }
  return true;
}

static LLVMValueRef arbitrary_value_function (LLVMModuleRef module, LLVMTypeRef type) {
  char *text = LLVMPrintTypeToString (type);
  strbuf name = {0};
  strbuf_printf (&name, LOCKSTEP_PREFIX "uninit.%s", text);
  LLVMDisposeMessage (text);
  LLVMValueRef f = LLVMGetNamedFunction (module, strbuf_text (&name));
  if (!f) f = LLVMAddFunction (module, strbuf_text (&name), LLVMFunctionType (type, NULL, 0, 0));
  strbuf_release (&name);
  return f;
}

static void store_after (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef local, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMGetAllocatedType (local);
  LLVMValueRef source = arbitrary_value_function (module, type);
  LLVMPositionBuilderBefore (b, LLVMGetNextInstruction (instruction));
  LLVMSetCurrentDebugLocation2 (b, LLVMInstructionGetDebugLoc (instruction));
  LLVMBuildStore (b, LLVMBuildCall2 (b, LLVMGlobalGetValueType (source), source, NULL, 0, ""), local);
}

// True for clang's own local that holds the result of the function.
static bool is_return_value (LLVMValueRef local) {
  size_t length;
  return !strcmp (LLVMGetValueName2 (local, &length), "retval");
}

static void collect_lifetime_calls (LLVMValueRef local, const char *which, value_list *users) {
  for (LLVMUseRef u = LLVMGetFirstUse (local); u; u = LLVMGetNextUse (u)) {
    if (is_lifetime (LLVMGetUser (u), which)) vec_push (users, LLVMGetUser (u));
  }
}

static void store_arbitrary_values (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef local, bool missing_results,
                                    bool had_address) {
  value_list starts = {0};
  collect_lifetime_calls (local, "llvm.lifetime.start", &starts);
  if (!starts.count && is_return_value (local) && !missing_results) {
    // The function ends without a return.  Using its result is wrong in any case, so any value is good enough.
    LLVMPositionBuilderBefore (b, LLVMGetNextInstruction (local));
    LLVMBuildStore (b, LLVMConstNull (LLVMGetAllocatedType (local)), local);
    vec_release (&starts);
    return;
  }
  if (!starts.count) vec_push (&starts, local);
  if (had_address) collect_lifetime_calls (local, "llvm.lifetime.end", &starts);  // another local may still point to it
  for (uint32_t i = 0; i < starts.count; i++) store_after (module, b, local, starts.data[i]);
  vec_release (&starts);
}

// ---- pins --------------------------------------------------------------------------------------------
#define PIN LOCKSTEP_PREFIX "pin"

static void pin_local (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef local) {
  LLVMTypeRef pointer = LLVMTypeOf (local);
  LLVMTypeRef type = LLVMFunctionType (LLVMVoidTypeInContext (LLVMGetModuleContext (module)), &pointer, 1, 0);
  LLVMValueRef f = LLVMGetNamedFunction (module, PIN);
  if (!f) f = LLVMAddFunction (module, PIN, type);
  LLVMPositionBuilderBefore (b, LLVMGetNextInstruction (local));
  LLVMSetCurrentDebugLocation2 (b, NULL);
  LLVMBuildCall2 (b, type, f, &local, 1, "");
}

void remove_pins (LLVMModuleRef module) {
  LLVMValueRef f = LLVMGetNamedFunction (module, PIN);
  if (!f) return;
  for (LLVMUseRef u; (u = LLVMGetFirstUse (f));) LLVMInstructionEraseFromParent (LLVMGetUser (u));
  LLVMDeleteFunction (f);
}

// Prepares the locals of a function and returns the number of promotable ones; mem2reg promotes only allocations in the
// first block.
static uint32_t prepare_locals (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef function, bool missing_results,
                                bool again) {
  value_list locals = {0}, others = {0};
  LLVMValueRef first =
      LLVMIsDeclaration (function) ? NULL : LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function));
  for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction (i)) {
    if (!LLVMIsAAllocaInst (i)) continue;
    if (is_promotable (i)) vec_push (&locals, i);
    else vec_push (&others, i);
  }
  uint32_t count = locals.count;
  for (uint32_t i = 0; i < count; i++) store_arbitrary_values (module, b, locals.data[i], missing_results, again);
  for (uint32_t i = 0; i < others.count; i++) pin_local (module, b, others.data[i]);
  vec_release (&locals);
  vec_release (&others);
  return count;
}

uint32_t insert_uninitialised (LLVMModuleRef module, bool missing_results, bool again) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext (LLVMGetModuleContext (module));
  uint32_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f; f = LLVMGetNextFunction (f))
    count += prepare_locals (module, b, f, missing_results, again);
  LLVMDisposeBuilder (b);
  return count;
}
