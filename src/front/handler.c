// Signal handlers.  lockstep does not run them, so a program that installs one is never proved: the report lists each
// handler as a bound.  A handler that does nothing, SIG_IGN and SIG_DFL are no bounds.  A handler may also end a wait,
// so a deadlock after its installation depends on the assumption that it does not run (ir_origin).
#include <string.h>

#include "base/limits.h"
#include "front/translate_impl.h"

// Number of the argument that is the handler, or that points to a struct with the handler.
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

// Adds the function that is the value v; returns false if it is not known which function v is.
static bool add_handler (LLVMValueRef v, value_list *out) {
  LLVMValueRef f = global_resolve_alias (v);
  if (LLVMIsAFunction (f)) vec_push (out, f);
  return LLVMIsAFunction (f) || is_no_function (v);
}

static bool add_constant_handlers (LLVMValueRef v, unsigned depth, value_list *out) {
  bool found = LLVMIsAFunction (v) && add_handler (v, out);
  if (!depth && !LLVMIsAFunction (v) && LLVMGetNumOperands (v) > 0) limit_met (HANDLER_DEPTH);
  for (int k = 0; depth && !LLVMIsAFunction (v) && k < LLVMGetNumOperands (v); k++)
    found |= add_constant_handlers (LLVMGetOperand (v, (unsigned) k), depth - 1, out);
  return found;
}

// Adds the functions in the initial value of the struct, and those that are stored into it; returns whether one was
// found.
static bool add_stored_handlers (LLVMValueRef pointer, unsigned depth, value_list *out) {
  bool found = false;
  LLVMValueRef initial = LLVMIsAGlobalVariable (pointer) ? LLVMGetInitializer (pointer) : NULL;
  if (initial) found = add_constant_handlers (initial, LIMIT_HANDLER_DEPTH, out);
  for (LLVMUseRef u = LLVMGetFirstUse (pointer); u && depth; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u);
    if (LLVMIsAStoreInst (user) && LLVMGetOperand (user, 1) == pointer)
      found |= value_is_pointer (LLVMGetOperand (user, 0)) && add_handler (LLVMGetOperand (user, 0), out);
    bool is_copied = LLVMIsACallInst (user) && LLVMGetNumArgOperands (user) > 1 && LLVMGetOperand (user, 0) == pointer;
    if (is_copied && LLVMIsAGlobalVariable (LLVMGetOperand (user, 1)))
      found |= add_stored_handlers (LLVMGetOperand (user, 1), 0, out);
    if (LLVMIsAGetElementPtrInst (user)) found |= add_stored_handlers (user, depth - 1, out);
  }
  return found;
}

// Returns whether the memory may be written through other pointers than those seen here: by a function of the program,
// or as a copy.
static bool may_be_written_elsewhere (LLVMValueRef pointer, unsigned depth) {
  for (LLVMUseRef u = LLVMGetFirstUse (pointer); u; u = LLVMGetNextUse (u)) {
    LLVMValueRef user = LLVMGetUser (u), callee = LLVMIsACallInst (user) ? LLVMGetCalledValue (user) : NULL;
    bool is_part = LLVMIsAGetElementPtrInst (user) || LLVMIsABitCastInst (user);
    if (is_part && ((!depth && limit_met (HANDLER_DEPTH)) || may_be_written_elsewhere (user, depth - 1))) return true;
    if (LLVMIsAPHINode (user) || LLVMIsASelectInst (user)) return true;
    if (LLVMIsAStoreInst (user) && LLVMGetOperand (user, 0) == pointer) return true;
    if (!callee) continue;
    bool is_copy = !strncmp (value_name (callee), "llvm.memcpy", 11) && LLVMGetOperand (user, 0) == pointer;
    if (is_copy && !LLVMIsAGlobalVariable (LLVMGetOperand (user, 1))) return true;
    if (!LLVMIsAFunction (callee) || (!LLVMIsDeclaration (callee) && !value_is_internal (callee))) return true;
  }
  return false;
}

bool handler_stored (LLVMValueRef pointer, value_list *out) {
  return add_stored_handlers (pointer, LIMIT_HANDLER_DEPTH, out) &&
         !may_be_written_elsewhere (pointer, LIMIT_HANDLER_DEPTH);
}

void handler_note (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  const char *name = value_name (callee);
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp (table[k].name, name) || table[k].argument >= LLVMGetNumArgOperands (call)) continue;
    LLVMValueRef v = LLVMGetOperand (call, table[k].argument);
    bool nothing = table[k].in_struct && LLVMIsAConstantPointerNull (v);  // the call only queries the handler
    value_list found = {0};
    bool known = table[k].in_struct ? handler_stored (v, &found) : add_handler (v, &found);
    for (uint32_t i = 0; i < found.count; i++) note_handler (r, found.data[i]);
    vec_release (&found);
    if (known || nothing) continue;
    ir_add_gap (r->p, "signal handlers are not run");
    assume_not_run (r, IR_HANDLER, "no signal handler runs");
  }
}
