// Functions known by name: those of verifiers (SV-COMP, ESBMC, CBMC, Goblint, lockstep.h), assertions, the ends of a
// process.
//
// A definition in the program wins, except that `reach_error` and `__VERIFIER_error` are the violation itself,
// whatever they do.
#include <string.h>

#include "front/translate_impl.h"

typedef enum meaning {
  M_NONE,
  M_ERROR,
  M_ASSERT_FAIL,
  M_ASSERT,
  M_ASSUME,
  M_ATOMIC_BEGIN,
  M_ATOMIC_END,
  M_OWN,
  M_EXIT,
  M_EXIT_AT_ONCE,
  M_ABORT,
  M_LONGJMP,
  M_SETJMP
} meaning;

static const struct {
  const char *name;
  meaning meaning;
  bool always;
} table[] = {
    {"reach_error", M_ERROR, true},
    {"__VERIFIER_error", M_ERROR, true},
    {"__ESBMC_unreachable", M_ERROR, false},
    {"__assert_fail", M_ASSERT_FAIL, false},
    {"__assert", M_ASSERT_FAIL, false},
    {"__assert_rtn", M_ASSERT_FAIL, false},
    {"__assert_perror_fail", M_ASSERT_FAIL, false},
    {"__VERIFIER_assert", M_ASSERT, false},
    {"lockstep_assert", M_ASSERT, false},
    {"__ESBMC_assert", M_ASSERT, false},
    {"__CPROVER_assert", M_ASSERT, false},
    {"__goblint_check", M_ASSERT, false},
    {"__goblint_assert", M_ASSERT, false},
    {"assert", M_ASSERT, false},
    {"__VERIFIER_assume", M_ASSUME, false},
    {"lockstep_assume", M_ASSUME, false},
    {"__ESBMC_assume", M_ASSUME, false},
    {"__CPROVER_assume", M_ASSUME, false},
    {"__VERIFIER_atomic_begin", M_ATOMIC_BEGIN, false},
    {"__ESBMC_atomic_begin", M_ATOMIC_BEGIN, false},
    {"__CPROVER_atomic_begin", M_ATOMIC_BEGIN, false},
    {"lockstep_atomic_begin", M_ATOMIC_BEGIN, false},
    {"__VERIFIER_atomic_end", M_ATOMIC_END, false},
    {"__ESBMC_atomic_end", M_ATOMIC_END, false},
    {"__CPROVER_atomic_end", M_ATOMIC_END, false},
    {"lockstep_atomic_end", M_ATOMIC_END, false},
    {"lockstep_own", M_OWN, false},
    {"exit", M_EXIT, false},
    {"_exit", M_EXIT_AT_ONCE, false},
    {"_Exit", M_EXIT_AT_ONCE, false},
    {"quick_exit", M_EXIT_AT_ONCE, false},
    {"abort", M_ABORT, false},
    {"longjmp", M_LONGJMP, false},
    {"_longjmp", M_LONGJMP, false},
    {"siglongjmp", M_LONGJMP, false},
    {"setjmp", M_SETJMP, false},
    {"_setjmp", M_SETJMP, false},
    {"__sigsetjmp", M_SETJMP, false},
};

enum { ABORTED = 134 };  // what a shell says of SIGABRT

static meaning find_meaning (const char *name, bool has_body) {
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    if ((!has_body || table[i].always) && !strcmp (table[i].name, name)) return table[i].meaning;
  }
  return M_NONE;
}

// ---- assertions --------------------------------------------------------------------------------------
static ir_edge check (routine *r, ir_expr condition, const char *message) {
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
static void fail_assertion (routine *r, LLVMValueRef call, const char *name) {
  const char *text = text_argument (call, !strcmp (name, "__assert_rtn") ? 3 : 0);
  strbuf message = {0};
  if (text) strbuf_printf (&message, "assertion `%s` failed", text);
  else strbuf_add (&message, "assertion failed");
  check (r, value_number (r, 1, 0), strbuf_text (&message));
  strbuf_release (&message);
  emit_exit_at_once (r, value_number (r, 32, ABORTED));
}

static void check_assertion (routine *r, LLVMValueRef call) {
  const char *text = text_argument (call, 1);
  if (!LLVMGetNumArgOperands (call)) return;
  check (r, value_condition (r, LLVMGetOperand (call, 0)), text && *text ? text : "assertion failed");
}

static void fail_always (routine *r, const char *name) {
  strbuf message = {0};
  strbuf_printf (&message, "`%s` is reached", name);
  ir_edge e = check (r, value_number (r, 1, 0), strbuf_text (&message));
  ir_edge_at (r->p, e)->name = arena_strdup (r->p->arena, name);
  strbuf_release (&message);
  emit_exit_at_once (r, value_number (r, 32, ABORTED));
}

static void assume (routine *r, LLVMValueRef call) {
  if (!LLVMGetNumArgOperands (call)) return;
  ir_expr condition = value_condition (r, LLVMGetOperand (call, 0));
  ir_edge e = emit_edge (r, IR_ASSUME);
  ir_add_arg (r->p, e, condition);
}

// lockstep_own (address, size, address of the cell, bytes of the cell, value)
static void own (routine *r, LLVMValueRef call) {
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
  access a = {.address = args[0], .pointer = LLVMGetOperand (call, 0)};
  emit_access (r, IR_OWN, &a, (unsigned) LLVMConstIntGetZExtValue (bytes), args, 4);
}

// ---- any value ---------------------------------------------------------------------------------------
static bool is_nondet (const char *name) {
  static const char *const prefixes[] = {"__VERIFIER_nondet_", "nondet_",         "lockstep_nondet_",
                                         "__lockstep_nondet",  "__ESBMC_nondet_", "__CPROVER_nondet_"};
  for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp (name, prefixes[i], strlen (prefixes[i]))) return true;
  return false;
}

static bool gives_bool (const char *name) {
  const char *last = strrchr (name, '_');
  return last &&
         (!strcmp (last, "_bool") || !strcmp (last, "_failure") || !strcmp (last, "_Bool") || !strcmp (last, "__Bool"));
}

// The library function in whose model this is, as the program calls it.
static const char *library_function (const routine *r) {
  while (r->caller && r->caller->internal) r = r->caller;
  return value_name (r->function);
}

// What a model may do, but not so that a finding convicts: 1 if it does.
static ir_expr on_condition (routine *r, unsigned bits, const char *does) {
  const char *text = arena_printf (r->p->arena, "`%s` %s", library_function (r), does);
  ir_expr any = value_invented (r, IR_NONDET_NUMBER, IR_FAILURE, 1, text);
  return ir_unary (r->p, IR_X_ZEXT, bits < 2 ? 2 : bits, any);
}

// Library models ask for numbers only.
static ir_expr input (routine *r, unsigned bits, const char *name) {
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_invented_handler")) {
    const char *text = arena_printf (r->p->arena, "`%s` runs no signal handler", library_function (r));
    return value_invented (r, IR_NONDET_NUMBER, IR_INVENTED, bits, text);
  }
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_variable_set"))
    return on_condition (r, bits, "does not find what the program has set");
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_no_limit")) return on_condition (r, bits, "knows no limit");
  if (!strcmp (name, LOCKSTEP_PREFIX "nondet_failure") && !r->t->options->may_fail) return value_number (r, bits, 0);
  bool in_model = !strncmp (name, LOCKSTEP_PREFIX, strlen (LOCKSTEP_PREFIX));
  strbuf text = {0};
  if (in_model && r->internal) strbuf_printf (&text, "result of `%s`", library_function (r));
  else strbuf_add (&text, name);
  const char *what = strbuf_text (&text);
  ir_expr any = gives_bool (name) ? ir_unary (r->p, IR_X_ZEXT, bits < 2 ? 2 : bits, value_any (r, 1, what))
                : in_model        ? value_any_number (r, bits, what)
                                  : value_any (r, bits, what);
  strbuf_release (&text);
  return any;
}

// A void one (__VERIFIER_nondet_memory) makes the object it is given undefined.
static void nondet (routine *r, LLVMValueRef call, const char *name) {
  unsigned bits = call_bits (r, call);
  if (bits) {
    call_bind_result (r, call, input (r, bits, name));
  } else if (LLVMGetNumArgOperands (call)) {
    access a = {.address = value_resize (r, call_argument (r, call, 0), routine_pointer_bits (r), false),
                .pointer = LLVMGetOperand (call, 0)};
    ir_expr args[2] = {a.address, value_resize (r, call_argument (r, call, 1), routine_pointer_bits (r), false)};
    if (r->t->options->check_uninit) call_by_name (r, "__lockstep_input_bytes", args, 2, NULL);
    else emit_access (r, IR_FORGET, &a, 0, &a.address, 1);
  }
}

// ---- all of them -------------------------------------------------------------------------------------
static void apply (routine *r, LLVMValueRef call, const char *name, meaning m) {
  switch (m) {
  case M_ERROR: fail_always (r, name); break;
  case M_ASSERT_FAIL: fail_assertion (r, call, name); break;
  case M_ASSERT: check_assertion (r, call); break;
  case M_ASSUME: assume (r, call); break;
  case M_ATOMIC_BEGIN: emit_edge (r, IR_ATOMIC_BEGIN); break;
  case M_ATOMIC_END: emit_edge (r, IR_ATOMIC_END); break;
  case M_OWN: own (r, call); break;
  case M_EXIT: emit_orderly_exit (r, value_resize (r, call_argument (r, call, 0), 32, false)); return;
  case M_EXIT_AT_ONCE: emit_exit_at_once (r, value_resize (r, call_argument (r, call, 0), 32, false)); return;
  case M_ABORT: emit_exit_at_once (r, value_number (r, 32, ABORTED)); return;
  case M_LONGJMP: emit_unsupported (r, "call of `%s`", name); return;
  case M_SETJMP: call_bind_result (r, call, value_number (r, 32, 0)); return;
  case M_NONE: return;
  }
  if (r->at.i != IR_NONE && call_bits (r, call))
    call_bind_result (r, call, value_number (r, 32, 0));  // declared without prototype: int
}

bool translate_library (routine *r, LLVMValueRef call, LLVMValueRef callee, const char *name) {
  bool has_body = !LLVMIsDeclaration (callee);
  meaning m = find_meaning (name, has_body);
  if (m != M_NONE) {
    apply (r, call, name, m);
    return true;
  }
  if (has_body) return false;
  if (is_nondet (name)) {
    nondet (r, call, name);
    return true;
  }
  return translate_model_operation (r, call, name) || translate_output (r, call, name) ||
         translate_atomic_library (r, call, name) || translate_float_intrinsic (r, call, name);
}
