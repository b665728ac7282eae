// Uninitialised locals have any value.  mem2reg would make them undefined, and fold what depends on them; so each
// scalar local that mem2reg promotes first gets a value from an external function where its life starts.
//
// A local whose address escapes is left alone: its bytes in memory start undefined.
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

static void initialise (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef local, bool missing_results) {
  value_list starts = {0};
  for (LLVMUseRef u = LLVMGetFirstUse (local); u; u = LLVMGetNextUse (u)) {
    if (is_lifetime (LLVMGetUser (u), "llvm.lifetime.start")) vec_push (&starts, LLVMGetUser (u));
  }
  if (!starts.count && is_return_value (local) && !missing_results) {
    // A function that ends without a return: who uses its result is wrong anyway, so any value will do.
    LLVMPositionBuilderBefore (b, LLVMGetNextInstruction (local));
    LLVMBuildStore (b, LLVMConstNull (LLVMGetAllocatedType (local)), local);
    vec_release (&starts);
    return;
  }
  if (!starts.count) vec_push (&starts, local);
  for (uint32_t i = 0; i < starts.count; i++) store_after (module, b, local, starts.data[i]);
  vec_release (&starts);
}

static void visit_function (LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef function, bool missing_results) {
  value_list locals = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block; block = LLVMGetNextBasicBlock (block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction (block); i; i = LLVMGetNextInstruction (i)) {
      if (LLVMIsAAllocaInst (i) && is_promotable (i)) vec_push (&locals, i);
    }
  }
  for (uint32_t i = 0; i < locals.count; i++) initialise (module, b, locals.data[i], missing_results);
  vec_release (&locals);
}

void insert_uninitialised (LLVMModuleRef module, bool missing_results) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext (LLVMGetModuleContext (module));
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f; f = LLVMGetNextFunction (f))
    visit_function (module, b, f, missing_results);
  LLVMDisposeBuilder (b);
}
