// Assumptions about a function of a system header that has no model: it returns, does not wait, and calls no function
// of the program.  For most functions these assumptions cannot be wrong in a way that the program notices.  Where they
// matter, the rest of the thread depends on them, as on a result that lockstep has invented: a function that waits may
// wait until another thread has made progress; a function that gets a function as an argument may call it, now or
// later; and `execv` returns only if it fails.
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "front/translate_impl.h"

enum { FIRST_ARGUMENTS = 4 };

static const char waits[] = "does not wait", returns[] = "returns", alone[] = "runs nothing in between";

static const struct {
  const char *name, *does;
  bool for_arguments;  // it waits for events that its first arguments describe; with null pointers it only sleeps
} table[] = {{"sigwait", waits, false},
             {"sigwaitinfo", waits, false},
             {"sigtimedwait", waits, false},
             {"flockfile", waits, false},
             {"flock", waits, false},
             {"lockf", waits, false},
             {"semop", waits, false},
             {"semtimedop", waits, false},
             {"msgrcv", waits, false},
             {"mq_receive", waits, false},
             {"mq_timedreceive", waits, false},
             {"syscall", waits, false},
             {"eventfd_read", waits, false},
             {"recv", waits, true},
             {"recvfrom", waits, true},
             {"recvmsg", waits, true},
             {"recvmmsg", waits, true},
             {"readv", waits, true},
             {"poll", waits, true},
             {"ppoll", waits, true},
             {"select", waits, true},
             {"pselect", waits, true},
             {"epoll_wait", waits, true},
             {"epoll_pwait", waits, true},
             {"execl", returns, false},
             {"execle", returns, false},
             {"execlp", returns, false},
             {"execv", returns, false},
             {"execve", returns, false},
             {"execvp", returns, false},
             {"execvpe", returns, false},
             {"fexecve", returns, false},
             {"execveat", returns, false},
             {"setcontext", returns, false},
             {"swapcontext", alone, false},
             {"getcontext", "returns once", false}};

static void assume_behaviour (routine *r, LLVMValueRef callee, const char *does) {
  const char *text = arena_printf (r->p->arena, "`%s` %s", value_name (callee), does);
  ir_expr other = value_invented (r, IR_NONDET_NUMBER, IR_INVENTED, 1, text);
  ir_edge e = emit_edge (r, IR_ASSUME);
  ir_add_arg (r->p, e, ir_not (r->p, other));
}

static bool has_pointer_argument (LLVMValueRef call) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands (call) && k < FIRST_ARGUMENTS; k++) {
    LLVMValueRef v = LLVMGetOperand (call, k);
    if (value_is_pointer (v) && !LLVMIsAConstantPointerNull (v)) return true;
  }
  return false;
}

// ---- functions that it gets as arguments ---------------------------------------------------------------
bool behaviour_is_mark (LLVMValueRef callee) {
  static const char *const prefixes[] = {"llvm.dbg.", "llvm.lifetime.", LOCKSTEP_PREFIX "uninit", NULL};
  return text_starts_with_one_of (value_name (callee), prefixes);
}

static bool changes_nothing (LLVMValueRef f, unsigned depth);

static bool instruction_changes_nothing (LLVMValueRef i, unsigned depth) {
  LLVMOpcode op = LLVMGetInstructionOpcode (i);
  if (op == LLVMStore) return LLVMIsAAllocaInst (LLVMGetOperand (i, 1)) != NULL;
  if (op == LLVMCall) {
    LLVMValueRef callee = global_resolve_alias (LLVMGetCalledValue (i));
    return LLVMIsAFunction (callee) && (behaviour_is_mark (callee) || changes_nothing (callee, depth));
  }
  return op != LLVMAtomicRMW && op != LLVMAtomicCmpXchg && op != LLVMFence && op != LLVMUnreachable && op != LLVMInvoke;
}

// True for a comparison or a filter: only its caller sees an effect, the result.
static bool changes_nothing (LLVMValueRef f, unsigned depth) {
  if (LLVMIsDeclaration (f) || (!depth && limit_met (CALLBACK_DEPTH))) return false;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (f); b; b = LLVMGetNextBasicBlock (b))
    for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i))
      if (!instruction_changes_nothing (i, depth - 1)) return false;
  return true;
}

static bool has_visible_effect (LLVMValueRef f) {
  return !LLVMIsDeclaration (f) && !value_is_internal (f) && !changes_nothing (f, LIMIT_CALLBACK_DEPTH);
}

// Assumes that the callee does not call the function that is argument v, or the functions in the struct that v points
// to.
static void assume_not_called (routine *r, LLVMValueRef v, LLVMValueRef callee, unsigned k) {
  value_list found = {0};
  LLVMValueRef f = global_resolve_alias (v);
  if (LLVMIsAFunction (f)) vec_push (&found, f);
  else if (LLVMIsAAllocaInst (v) || LLVMIsAGlobalVariable (v)) handler_stored (v, &found);
  else if (debug_parameter_is_function (r->t->debug, callee, k))
    assume_behaviour (r, callee, "calls no function that it is handed");
  for (uint32_t i = 0; i < found.count; i++)
    if (has_visible_effect (found.data[i]))
      assume_behaviour (r, callee, arena_printf (r->p->arena, "does not call `%s`", value_name (found.data[i])));
  vec_release (&found);
}

void behaviour_assume (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  if (!external_is_of_system (r->t, callee)) return;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp (table[i].name, value_name (callee)) && (!table[i].for_arguments || has_pointer_argument (call)))
      assume_behaviour (r, callee, table[i].does);
  for (unsigned k = 0; k < LLVMGetNumArgOperands (call); k++) {
    LLVMValueRef v = LLVMGetOperand (call, k);
    if (value_is_pointer (v) && !LLVMIsAConstantPointerNull (v)) assume_not_called (r, v, callee, k);
  }
}
