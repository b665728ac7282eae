// Functions known by name: functions of verifiers (SV-COMP, ESBMC, CBMC, Goblint, lockstep.h), assertions, functions
// that end the process.
//
// A definition in the program wins, except that a call of `reach_error` or `__VERIFIER_error` is a violation whatever
// the definition does.
#include <string.h>

#include "base/text.h"
#include "front/translate_impl.h"

typedef enum library_action {
  ACTION_NONE,
  ACTION_ERROR,
  ACTION_ASSERT_FAIL,
  ACTION_ASSERT,
  ACTION_ASSUME,
  ACTION_ATOMIC_BEGIN,
  ACTION_ATOMIC_END,
  ACTION_OWN,
  ACTION_EXIT,
  ACTION_EXIT_AT_ONCE,
  ACTION_ABORT,
  ACTION_LONGJMP,
  ACTION_SETJMP
} library_action;

static const struct {
  const char *name;
  library_action action;
  bool always;
} table[] = {
    {"reach_error", ACTION_ERROR, true},
    {"__VERIFIER_error", ACTION_ERROR, true},
    {"__ESBMC_unreachable", ACTION_ERROR, false},
    {"__assert_fail", ACTION_ASSERT_FAIL, false},
    {"__assert", ACTION_ASSERT_FAIL, false},
    {"__assert_rtn", ACTION_ASSERT_FAIL, false},
    {"__assert_perror_fail", ACTION_ASSERT_FAIL, false},
    {"__VERIFIER_assert", ACTION_ASSERT, false},
    {"lockstep_assert", ACTION_ASSERT, false},
    {"__ESBMC_assert", ACTION_ASSERT, false},
    {"__CPROVER_assert", ACTION_ASSERT, false},
    {"__goblint_check", ACTION_ASSERT, false},
    {"__goblint_assert", ACTION_ASSERT, false},
    {"assert", ACTION_ASSERT, false},
    {"__VERIFIER_assume", ACTION_ASSUME, false},
    {"lockstep_assume", ACTION_ASSUME, false},
    {"__ESBMC_assume", ACTION_ASSUME, false},
    {"__CPROVER_assume", ACTION_ASSUME, false},
    {"__VERIFIER_atomic_begin", ACTION_ATOMIC_BEGIN, false},
    {"__ESBMC_atomic_begin", ACTION_ATOMIC_BEGIN, false},
    {"__CPROVER_atomic_begin", ACTION_ATOMIC_BEGIN, false},
    {"lockstep_atomic_begin", ACTION_ATOMIC_BEGIN, false},
    {"__VERIFIER_atomic_end", ACTION_ATOMIC_END, false},
    {"__ESBMC_atomic_end", ACTION_ATOMIC_END, false},
    {"__CPROVER_atomic_end", ACTION_ATOMIC_END, false},
    {"lockstep_atomic_end", ACTION_ATOMIC_END, false},
    {"lockstep_own", ACTION_OWN, false},
    {"exit", ACTION_EXIT, false},
    {"_exit", ACTION_EXIT_AT_ONCE, false},
    {"_Exit", ACTION_EXIT_AT_ONCE, false},
    {"quick_exit", ACTION_EXIT_AT_ONCE, false},
    {"abort", ACTION_ABORT, false},
    {"longjmp", ACTION_LONGJMP, false},
    {"_longjmp", ACTION_LONGJMP, false},
    {"siglongjmp", ACTION_LONGJMP, false},
    {"setjmp", ACTION_SETJMP, false},
    {"_setjmp", ACTION_SETJMP, false},
    {"__sigsetjmp", ACTION_SETJMP, false},
};

enum { ABORTED = 134 };  // the exit code that a shell reports for SIGABRT

static library_action find_action (const char *name, bool has_body) {
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    if ((!has_body || table[i].always) && !strcmp (table[i].name, name)) return table[i].action;
  }
  return ACTION_NONE;
}

// ---- assertions --------------------------------------------------------------------------------------
static ir_edge emit_assertion (routine *r, ir_expr condition, const char *message) {
  ir_edge e = emit_edge (r, IR_CHECK);
  ir_edge_at (r->p, e)->aux = IR_P_ASSERT;
  ir_edge_at (r->p, e)->message = arena_strdup (r->p->arena, message);
  ir_add_arg (r->p, e, condition);
  return e;
}

static const char *text_argument (LLVMValueRef call, unsigned index) {
  size_t n;
  return index < LLVMGetNumArgOperands (call) ? constant_text (LLVMGetOperand (call, index), &n) : NULL;
}

// glibc: (expression, file, line, function); BSD __assert_rtn: (function, file, line, expression); __assert:
// (function or expression, file, line).
static void translate_assertion_failure (routine *r, LLVMValueRef call, const char *name) {
  const char *text = text_argument (call, !strcmp (name, "__assert_rtn") ? 3 : 0);
  strbuf message = {0};
  if (text) strbuf_printf (&message, "assertion `%s` failed", text);
  else strbuf_add (&message, "assertion failed");
  emit_assertion (r, value_from_number (r, 1, 0), strbuf_text (&message));
  strbuf_release (&message);
  emit_exit_at_once (r, value_from_number (r, 32, ABORTED));
}

static void translate_assertion (routine *r, LLVMValueRef call) {
  const char *text = text_argument (call, 1);
  if (!LLVMGetNumArgOperands (call)) return;
  emit_assertion (r, value_condition (r, LLVMGetOperand (call, 0)), text && *text ? text : "assertion failed");
}

static void translate_error (routine *r, const char *name) {
  strbuf message = {0};
  strbuf_printf (&message, "`%s` is reached", name);
  ir_edge e = emit_assertion (r, value_from_number (r, 1, 0), strbuf_text (&message));
  ir_edge_at (r->p, e)->name = arena_strdup (r->p->arena, name);
  strbuf_release (&message);
  emit_exit_at_once (r, value_from_number (r, 32, ABORTED));
}

static void translate_assume (routine *r, LLVMValueRef call) {
  if (!LLVMGetNumArgOperands (call)) return;
  ir_expr condition = value_condition (r, LLVMGetOperand (call, 0));
  ir_edge e = emit_edge (r, IR_ASSUME);
  ir_add_arg (r->p, e, condition);
}

// lockstep_own (address, size, address of the cell, bytes of the cell, value)
static void translate_own (routine *r, LLVMValueRef call) {
  LLVMValueRef bytes = LLVMGetNumArgOperands (call) == 5 ? LLVMGetOperand (call, 3) : NULL;
  if (!bytes || !LLVMIsAConstantInt (bytes) || LLVMConstIntGetZExtValue (bytes) - 1 > 7) {
    emit_unsupported (r, "`lockstep_own` with a cell that does not have 1 to 8 bytes");
    return;
  }
  unsigned pointer_bits = routine_pointer_bits (r);
  ir_expr args[4] = {value_resize (r, call_argument (r, call, 0), pointer_bits, false),
                     value_resize (r, call_argument (r, call, 1), 64, false),
                     value_resize (r, call_argument (r, call, 2), pointer_bits, false),
                     value_resize (r, call_argument (r, call, 4), 64, false)};
  memory_access a = {.address = args[0], .pointer = LLVMGetOperand (call, 0)};
  emit_access (r, IR_OWN, &a, (unsigned) LLVMConstIntGetZExtValue (bytes), args, 4);
}

// ---- non-deterministic values ------------------------------------------------------------------------
static bool is_nondet (const char *name) {
  static const char *const prefixes[] = {
      "__VERIFIER_nondet_", "nondet_", "lockstep_nondet_", "__lockstep_nondet", "__ESBMC_nondet_",
      "__CPROVER_nondet_",  NULL};
  return text_starts_with_one_of (name, prefixes);
}

static bool has_bool_result (const char *name) {
  const char *last = strrchr (name, '_');
  return last &&
         (!strcmp (last, "_bool") || !strcmp (last, "_failure") || !strcmp (last, "_Bool") || !strcmp (last, "__Bool"));
}

// Returns the name of the library function whose model is translated, as the program calls it.
static const char *modelled_function (const routine *r) {
  while (r->caller && r->caller->internal) r = r->caller;
  return value_name (r->function);
}

// Returns 1 if the model behaves in an unusual way, else 0.  A finding that needs the unusual way is conditional.
static ir_expr unusual_behaviour (routine *r, unsigned bits, const char *does) {
  const char *text = arena_printf (r->p->arena, "`%s` %s", modelled_function (r), does);
  ir_expr any = value_invented (r, IR_NONDET_NUMBER, IR_FAILURE, 1, text);
  return ir_unary (r->p, IR_X_ZEXT, bits < 2 ? 2 : bits, any);
}

// Returns an input of the program or of a library model; models use numbers only, no addresses.
static ir_expr nondet_input (routine *r, unsigned bits, const char *name) {
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_invented_handler")) {
    const char *text = arena_printf (r->p->arena, "`%s` runs no signal handler", modelled_function (r));
    return value_invented (r, IR_NONDET_NUMBER, IR_INVENTED, bits, text);
  }
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_variable_set"))
    return unusual_behaviour (r, bits, "does not find what the program has set");
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_no_limit")) return unusual_behaviour (r, bits, "knows no limit");
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_failure") && !r->t->options->may_fail)
    return value_from_number (r, bits, 0);
  bool in_model = !strncmp (name, LOCKSTEP_PREFIX, strlen (LOCKSTEP_PREFIX));
  strbuf text = {0};
  if (in_model && r->internal) strbuf_printf (&text, "result of `%s`", modelled_function (r));
  else strbuf_add (&text, name);
  const char *what = strbuf_text (&text);
  ir_expr any = has_bool_result (name) ? ir_unary (r->p, IR_X_ZEXT, bits < 2 ? 2 : bits, value_nondet (r, 1, what))
                : in_model             ? value_nondet_number (r, bits, what)
                                       : value_nondet (r, bits, what);
  strbuf_release (&text);
  return any;
}

// A void function (__VERIFIER_nondet_memory) makes its object undefined.
static void translate_nondet (routine *r, LLVMValueRef call, const char *name) {
  unsigned bits = call_bits (r, call);
  if (bits) {
    call_bind_result (r, call, nondet_input (r, bits, name));
  } else if (LLVMGetNumArgOperands (call)) {
    memory_access a = {.address = value_resize (r, call_argument (r, call, 0), routine_pointer_bits (r), false),
                       .pointer = LLVMGetOperand (call, 0)};
    ir_expr args[2] = {a.address, value_resize (r, call_argument (r, call, 1), routine_pointer_bits (r), false)};
    if (r->t->options->check_uninit) call_by_name (r, "__lockstep_input_bytes", args, 2, NULL);
    else emit_access (r, IR_FORGET, &a, 0, &a.address, 1);
  }
}

// ---- all of them -------------------------------------------------------------------------------------
static void translate_action (routine *r, LLVMValueRef call, const char *name, library_action action) {
  switch (action) {
  case ACTION_ERROR: translate_error (r, name); break;
  case ACTION_ASSERT_FAIL: translate_assertion_failure (r, call, name); break;
  case ACTION_ASSERT: translate_assertion (r, call); break;
  case ACTION_ASSUME: translate_assume (r, call); break;
  case ACTION_ATOMIC_BEGIN: emit_edge (r, IR_ATOMIC_BEGIN); break;
  case ACTION_ATOMIC_END: emit_edge (r, IR_ATOMIC_END); break;
  case ACTION_OWN: translate_own (r, call); break;
  case ACTION_EXIT: emit_orderly_exit (r, value_resize (r, call_argument (r, call, 0), 32, false)); return;
  case ACTION_EXIT_AT_ONCE: emit_exit_at_once (r, value_resize (r, call_argument (r, call, 0), 32, false)); return;
  case ACTION_ABORT: emit_exit_at_once (r, value_from_number (r, 32, ABORTED)); return;
  case ACTION_LONGJMP: emit_unsupported (r, "call of `%s`", name); return;
  case ACTION_SETJMP: call_bind_result (r, call, value_from_number (r, 32, 0)); return;
  case ACTION_NONE: return;
  }
  if (r->at.i != IR_NONE && call_bits (r, call))
    call_bind_result (r, call, value_from_number (r, 32, 0));  // declared without prototype: int
}

bool translate_library (routine *r, LLVMValueRef call, LLVMValueRef callee, const char *name) {
  bool has_body = !LLVMIsDeclaration (callee);
  library_action action = find_action (name, has_body);
  if (action != ACTION_NONE) {
    translate_action (r, call, name, action);
    return true;
  }
  if (has_body) return false;
  if (is_nondet (name)) {
    translate_nondet (r, call, name);
    return true;
  }
  return translate_model_operation (r, call, name) || translate_output (r, call, name) ||
         translate_atomic_library (r, call, name) || translate_float_intrinsic (r, call, name);
}
