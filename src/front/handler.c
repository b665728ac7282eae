// Signal handlers.  They are not run, so a program that installs one is never proved: each is a bound, by its name.  Of
// a handler that does nothing, and of SIG_IGN and SIG_DFL, nothing is left out.
#include <string.h>

#include "front/translate_impl.h"

enum { MOST_DEPTH = 4 };

// Which argument is the handler, or leads to a struct in which it stands.
static const struct {
  const char *name;
  unsigned argument;
  bool in_struct;
} table[] = {{"signal", 1, false},        {"bsd_signal", 1, false}, {"sysv_signal", 1, false},
             {"__sysv_signal", 1, false}, {"sigset", 1, false},     {"sigaction", 1, true},
             {"timer_create", 1, true}};

// What clang and passes.c put into every function.
static bool is_without_effect (const char *name) {
  return !strncmp (name, "llvm.", 5) || !strncmp (name, LOCKSTEP_PREFIX "uninit", strlen (LOCKSTEP_PREFIX "uninit"));
}

static bool does_nothing (LLVMValueRef f) {
  if (LLVMIsDeclaration (f) || LLVMCountBasicBlocks (f) != 1) return false;
  LLVMBasicBlockRef block = LLVMGetEntryBasicBlock (f);
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); i; i = LLVMGetNextInstruction (i)) {
    LLVMValueRef callee = LLVMIsACallInst (i) ? LLVMGetCalledValue (i) : NULL;
    bool is_intrinsic = callee && LLVMIsAFunction (callee) && is_without_effect (value_name (callee));
    bool is_local = LLVMIsAStoreInst (i) && LLVMIsAAllocaInst (LLVMGetOperand (i, 1));
    if (!LLVMIsAAllocaInst (i) && !LLVMIsAReturnInst (i) && !is_local && !is_intrinsic) return false;
  }
  return true;
}

static void note_handler (routine *r, LLVMValueRef f) {
  if (!does_nothing (f)) ir_add_gap (r->p, "the signal handler `%s` is not run", value_name (f));
}

// SIG_DFL is 0 and SIG_IGN 1.
static bool is_no_function (LLVMValueRef v) {
  return LLVMIsAConstantPointerNull (v) || LLVMIsAConstantInt (v) ||
         (LLVMIsAConstantExpr (v) && LLVMGetConstOpcode (v) == LLVMIntToPtr);
}

// False: it is not known which function that is.
static bool note_value (routine *r, LLVMValueRef v) {
  LLVMValueRef f = global_resolve_alias (v);
  if (LLVMIsAFunction (f)) note_handler (r, f);
  return LLVMIsAFunction (f) || is_no_function (v);
}

static bool note_constant (routine *r, LLVMValueRef v, unsigned depth) {
  bool found = LLVMIsAFunction (v) && note_value (r, v);
  for (int k = 0; depth && !LLVMIsAFunction (v) && k < LLVMGetNumOperands (v); k++)
    found |= note_constant (r, LLVMGetOperand (v, (unsigned) k), depth - 1);
  return found;
}

// Functions that are stored into the struct, and in its initial value.
static bool note_stored (routine *r, LLVMValueRef place, unsigned depth) {
  bool found = false;
  LLVMValueRef initial = LLVMIsAGlobalVariable (place) ? LLVMGetInitializer (place) : NULL;
  if (initial) found = note_constant (r, initial, MOST_DEPTH);
  for (LLVMUseRef u = LLVMGetFirstUse (place); u && depth; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (LLVMIsAStoreInst (user) && LLVMGetOperand (user, 1) == place)
      found |= LLVMGetTypeKind (LLVMTypeOf (LLVMGetOperand (user, 0))) == LLVMPointerTypeKind &&
               note_value (r, LLVMGetOperand (user, 0));
    bool is_copied = LLVMIsACallInst (user) && LLVMGetNumArgOperands (user) > 1 && LLVMGetOperand (user, 0) == place;
    if (is_copied && LLVMIsAGlobalVariable (LLVMGetOperand (user, 1)))
      found |= note_stored (r, LLVMGetOperand (user, 1), 0);
    if (LLVMIsAGetElementPtrInst (user)) found |= note_stored (r, user, depth - 1);
  }
  return found;
}

void handler_note (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  const char *name = value_name (callee);
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp (table[k].name, name) || table[k].argument >= LLVMGetNumArgOperands (call)) continue;
    LLVMValueRef v = LLVMGetOperand (call, table[k].argument);
    bool nothing = table[k].in_struct && LLVMIsAConstantPointerNull (v);  // it only asks
    bool known = table[k].in_struct ? note_stored (r, v, MOST_DEPTH) : note_value (r, v);
    if (!known && !nothing) ir_add_gap (r->p, "signal handlers are not run");
  }
}
