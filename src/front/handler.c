// Signal handlers.  They are not run, so a program that installs one is never proved: each is a bound, by its name.  Of
// a handler that does nothing, and of SIG_IGN and SIG_DFL, nothing is left out.  A handler may also end a wait, so a
// deadlock behind its installation rests on it (ir_origin).
#include <string.h>

#include "base/limits.h"
#include "front/translate_impl.h"

// Which argument is the handler, or leads to a struct in which it stands.
static const struct {
  const char *name;
  unsigned argument;
  bool in_struct;
} table[] = {{"signal", 1, false}, {"bsd_signal", 1, false}, {"sysv_signal", 1, false}, {"__sysv_signal", 1, false},
             {"sigset", 1, false}, {"sigaction", 1, true},   {"timer_create", 1, true}};

static bool does_nothing (LLVMValueRef f) {
  if (LLVMIsDeclaration (f) || LLVMCountBasicBlocks (f) != 1) return false;
  LLVMBasicBlockRef block = LLVMGetEntryBasicBlock (f);
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); i; i = LLVMGetNextInstruction (i)) {
    LLVMValueRef callee = LLVMIsACallInst (i) ? LLVMGetCalledValue (i) : NULL;
    bool is_mark = callee && LLVMIsAFunction (callee) && behaviour_is_mark (callee);
    bool is_local = LLVMIsAStoreInst (i) && LLVMIsAAllocaInst (LLVMGetOperand (i, 1));
    if (!LLVMIsAAllocaInst (i) && !LLVMIsAReturnInst (i) && !is_local && !is_mark) return false;
  }
  return true;
}

static bool calls_something (LLVMValueRef f) {
  if (LLVMIsDeclaration (f)) return true;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (f); b; b = LLVMGetNextBasicBlock (b))
    for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
      LLVMValueRef callee = LLVMIsACallInst (i) ? LLVMGetCalledValue (i) : NULL;
      if (callee && !(LLVMIsAFunction (callee) && behaviour_is_mark (callee))) return true;
    }
  return false;
}

static void assume_not_run (routine *r, ir_origin origin, const char *text) {
  ir_expr runs = value_invented (r, IR_NONDET_NUMBER, origin, 1, text);
  ir_add_arg (r->p, emit_edge (r, IR_ASSUME), ir_not (r->p, runs));
}

static void note_handler (routine *r, LLVMValueRef f) {
  const char *name = value_name (f);
  if (does_nothing (f)) return;
  ir_add_gap (r->p, "the signal handler `%s` is not run", name);
  assume_not_run (r, calls_something (f) ? IR_HANDLER : IR_INTERRUPT,
                  arena_printf (r->p->arena, "the signal handler `%s` does not run", name));
}

// SIG_DFL is 0 and SIG_IGN 1.
static bool is_no_function (LLVMValueRef v) {
  return LLVMIsAConstantPointerNull (v) || LLVMIsAConstantInt (v) ||
         (LLVMIsAConstantExpr (v) && LLVMGetConstOpcode (v) == LLVMIntToPtr);
}

// False: it is not known which function that is.
static bool take_value (LLVMValueRef v, value_list *out) {
  LLVMValueRef f = global_resolve_alias (v);
  if (LLVMIsAFunction (f)) vec_push (out, f);
  return LLVMIsAFunction (f) || is_no_function (v);
}

static bool take_constant (LLVMValueRef v, unsigned depth, value_list *out) {
  bool found = LLVMIsAFunction (v) && take_value (v, out);
  if (!depth && !LLVMIsAFunction (v) && LLVMGetNumOperands (v) > 0) limit_met (HANDLER_DEPTH);
  for (int k = 0; depth && !LLVMIsAFunction (v) && k < LLVMGetNumOperands (v); k++)
    found |= take_constant (LLVMGetOperand (v, (unsigned) k), depth - 1, out);
  return found;
}

// Functions that are stored into the struct, and in its initial value.
static bool take_stored (LLVMValueRef place, unsigned depth, value_list *out) {
  bool found = false;
  LLVMValueRef initial = LLVMIsAGlobalVariable (place) ? LLVMGetInitializer (place) : NULL;
  if (initial) found = take_constant (initial, LIMIT_HANDLER_DEPTH, out);
  for (LLVMUseRef u = LLVMGetFirstUse (place); u && depth; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (LLVMIsAStoreInst (user) && LLVMGetOperand (user, 1) == place)
      found |= LLVMGetTypeKind (LLVMTypeOf (LLVMGetOperand (user, 0))) == LLVMPointerTypeKind &&
               take_value (LLVMGetOperand (user, 0), out);
    bool is_copied = LLVMIsACallInst (user) && LLVMGetNumArgOperands (user) > 1 && LLVMGetOperand (user, 0) == place;
    if (is_copied && LLVMIsAGlobalVariable (LLVMGetOperand (user, 1)))
      found |= take_stored (LLVMGetOperand (user, 1), 0, out);
    if (LLVMIsAGetElementPtrInst (user)) found |= take_stored (user, depth - 1, out);
  }
  return found;
}

// Memory of which more is written than the uses here show: by a function of the program, or as a copy.
static bool escapes (LLVMValueRef place, unsigned depth) {
  for (LLVMUseRef u = LLVMGetFirstUse (place); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u), callee = LLVMIsACallInst (user) ? LLVMGetCalledValue (user) : NULL;
    bool is_place = LLVMIsAGetElementPtrInst (user) || LLVMIsABitCastInst (user);
    if (is_place && ((!depth && limit_met (HANDLER_DEPTH)) || escapes (user, depth - 1))) return true;
    if (LLVMIsAPHINode (user) || LLVMIsASelectInst (user)) return true;
    if (LLVMIsAStoreInst (user) && LLVMGetOperand (user, 0) == place) return true;
    if (!callee) continue;
    bool is_copy = !strncmp (value_name (callee), "llvm.memcpy", 11) && LLVMGetOperand (user, 0) == place;
    if (is_copy && !LLVMIsAGlobalVariable (LLVMGetOperand (user, 1))) return true;
    if (!LLVMIsAFunction (callee) || (!LLVMIsDeclaration (callee) && !value_is_internal (callee))) return true;
  }
  return false;
}

bool handler_stored (LLVMValueRef place, value_list *out) {
  return take_stored (place, LIMIT_HANDLER_DEPTH, out) && !escapes (place, LIMIT_HANDLER_DEPTH);
}

void handler_note (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  const char *name = value_name (callee);
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp (table[k].name, name) || table[k].argument >= LLVMGetNumArgOperands (call)) continue;
    LLVMValueRef v = LLVMGetOperand (call, table[k].argument);
    bool nothing = table[k].in_struct && LLVMIsAConstantPointerNull (v);  // it only asks
    value_list found = {0};
    bool known = table[k].in_struct ? handler_stored (v, &found) : take_value (v, &found);
    for (uint32_t i = 0; i < found.count; i++) note_handler (r, found.data[i]);
    vec_release (&found);
    if (known || nothing) continue;
    ir_add_gap (r->p, "signal handlers are not run");
    assume_not_run (r, IR_HANDLER, "no signal handler runs");
  }
}
