// Uninitialised locals have any value.  mem2reg would make them undefined, and fold what depends on them; so each
// scalar local that mem2reg promotes first gets a value from an external function where its life starts.
//
// A local whose address escapes is left alone: its bytes in memory start undefined.  That must hold while mem2reg runs,
// too: it promotes `p` of `p = &v` and then, in one go, `v`.  So a local that is not promoted this time is pinned, by
// handing its address to a function, and looked at again when mem2reg is through.
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

// The condition under which mem2reg turns the local into values.
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

static LLVMValueRef source_of (LLVMModuleRef module, LLVMTypeRef type) {
  char *text = LLVMPrintTypeToString (type);
  strbuf name = {0};
  strbuf_printf (&name, LOCKSTEP_PREFIX "uninit.%s", text);
  LLVMDisposeMessage (text);
  LLVMValueRef f = LLVMGetNamedFunction (module, strbuf_text (&name));
  if (!f) f = LLVMAddFunction (module, strbuf_text (&name), LLVMFunctionType (type, NULL, 0, 0));
  strbuf_release (&name);
  return f;
}

static void store_after (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef local, LLVMValueRef place) {
  LLVMTypeRef type = LLVMGetAllocatedType (local);
  LLVMValueRef source = source_of (module, type);
  LLVMPositionBuilderBefore (b, LLVMGetNextInstruction (place));
  LLVMSetCurrentDebugLocation2 (b, LLVMInstructionGetDebugLoc (place));
  LLVMBuildStore (b, LLVMBuildCall2 (b, LLVMGlobalGetValueType (source), source, NULL, 0, ""), local);
}

// clang's own local for the result.
static bool is_return_value (LLVMValueRef local) {
  size_t length;
  return !strcmp (LLVMGetValueName2 (local, &length), "retval");
}

static void find_users (LLVMValueRef local, const char *which, value_list *users) {
  for (LLVMUseRef u = LLVMGetFirstUse (local); u; u = LLVMGetNextUse (u)) {
    if (is_lifetime (LLVMGetUser (u), which)) vec_push (users, LLVMGetUser (u));
  }
}

static void initialise (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef local, bool missing_results, bool had_address) {
  value_list starts = {0};
  find_users (local, "llvm.lifetime.start", &starts);
  if (!starts.count && is_return_value (local) && !missing_results) {
    // A function that ends without a return: who uses its result is wrong anyway, so any value will do.
    LLVMPositionBuilderBefore (b, LLVMGetNextInstruction (local));
    LLVMBuildStore (b, LLVMConstNull (LLVMGetAllocatedType (local)), local);
    vec_release (&starts);
    return;
  }
  if (!starts.count) vec_push (&starts, local);
  if (had_address) find_users (local, "llvm.lifetime.end", &starts);  // through another local it may still be read
  for (uint32_t i = 0; i < starts.count; i++) store_after (module, b, local, starts.data[i]);
  vec_release (&starts);
}

// ---- pins --------------------------------------------------------------------------------------------
#define PIN LOCKSTEP_PREFIX "pin"

static void pin (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef local) {
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

// mem2reg looks at the first block only.
static uint32_t visit_function (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef function, bool missing_results, bool again) {
  value_list locals = {0}, others = {0};
  LLVMValueRef first = LLVMIsDeclaration (function) ? NULL : LLVMGetFirstInstruction (LLVMGetEntryBasicBlock (function));
  for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction (i)) {
    if (!LLVMIsAAllocaInst (i)) continue;
    if (is_promotable (i)) vec_push (&locals, i);
    else vec_push (&others, i);
  }
  uint32_t count = locals.count;
  for (uint32_t i = 0; i < count; i++) initialise (module, b, locals.data[i], missing_results, again);
  for (uint32_t i = 0; i < others.count; i++) pin (module, b, others.data[i]);
  vec_release (&locals);
  vec_release (&others);
  return count;
}

uint32_t insert_uninitialised (LLVMModuleRef module, bool missing_results, bool again) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext (LLVMGetModuleContext (module));
  uint32_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f; f = LLVMGetNextFunction (f))
    count += visit_function (module, b, f, missing_results, again);
  LLVMDisposeBuilder (b);
  return count;
}
