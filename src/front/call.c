// Calls: direct, through pointers, through declarations without prototype; calls of functions without a body.
//
// A variadic function takes one argument more than it declares: the address of a stack object with the variable
// arguments (varargs.c).  `int f ();` is variadic for LLVM; since a real variadic function has a named parameter, a
// call through a type without parameters passes its arguments unchanged.
#include <string.h>

#include "base/text.h"
#include "front/translate_impl.h"

// ---- arguments and results ---------------------------------------------------------------------------
unsigned call_bits (routine *r, LLVMValueRef call) { return type_bits (r->t, LLVMTypeOf (call)); }

ir_expr call_argument (routine *r, LLVMValueRef call, unsigned index) {
  if (index >= LLVMGetNumArgOperands (call)) return value_from_number (r, 32, 0);
  LLVMValueRef v = LLVMGetOperand (call, index);
  return type_bits (r->t, LLVMTypeOf (v)) ? operand_value (r, v) : value_from_number (r, 1, 0);
}

ir_reg call_result_reg (routine *r, LLVMValueRef call, unsigned default_bits) {
  unsigned bits = call_bits (r, call);
  return reg_new (r, bits ? bits : default_bits, debug_value_name (r->t->debug, call));
}

void call_bind_result (routine *r, LLVMValueRef call, ir_expr x) {
  unsigned bits = call_bits (r, call);
  if (!bits) return;
  const char *name = debug_value_name (r->t->debug, call);
  x = value_assign (r, value_resize (r, x, bits, true), name);
  value_bind (r, call, x);
  if (ir_expr_at (r->p, x)->op != IR_X_REG) return;
  ir_reg_data *reg = &ir_proc_at (r->p, r->proc)->regs.data[ir_expr_at (r->p, x)->reg.i];
  if (!reg->name && name) reg->name = arena_strdup (r->p->arena, name);
}

LLVMTypeRef type_of_byval (LLVMValueRef v, unsigned index) {
  unsigned kind = LLVMGetEnumAttributeKindForName ("byval", 5);
  LLVMAttributeRef a = LLVMIsAFunction (v) ? LLVMGetEnumAttributeAtIndex (v, index + 1, kind)
                                           : LLVMGetCallSiteEnumAttribute (v, index + 1, kind);
  return a ? LLVMGetTypeAttributeValue (a) : NULL;
}

static bool has_attribute (LLVMValueRef call, LLVMValueRef callee, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName (name, strlen (name));
  LLVMAttributeIndex whole = (LLVMAttributeIndex) LLVMAttributeFunctionIndex;
  return LLVMGetCallSiteEnumAttribute (call, whole, kind) || LLVMGetEnumAttributeAtIndex (callee, whole, kind);
}

// ---- the edge ----------------------------------------------------------------------------------------
static void emit_call (routine *r, ir_expr callee, const expr_list *args, ir_reg result) {
  ir_edge e = emit_edge (r, IR_CALL);
  ir_edge_at (r->p, e)->dst = result;
  ir_add_arg (r->p, e, callee);
  for (uint32_t i = 0; i < args->count; i++) ir_add_arg (r->p, e, args->data[i]);
}

static void finish_call (routine *r, LLVMValueRef call, ir_expr callee, const expr_list *args) {
  ir_reg result = {IR_NONE};
  if (call_bits (r, call) && LLVMGetFirstUse (call)) result = call_result_reg (r, call, 0);
  emit_call (r, callee, args, result);
  if (result.i != IR_NONE) value_bind (r, call, reg_use (r, result));
}

// The caller may pass a small struct as one argument where the callee has several parameters: widths are adapted,
// values are not reinterpreted.
static ir_expr convert_argument (routine *r, ir_expr x, LLVMTypeRef type) {
  unsigned bits = type_bits (r->t, type);
  return bits ? value_resize (r, x, bits, false) : x;
}

static void pad_arguments (routine *r, expr_list *args, LLVMValueRef callee, unsigned count) {
  for (unsigned i = args->count; i < count; i++) {
    unsigned bits = type_bits (r->t, LLVMTypeOf (LLVMGetParam (callee, i)));
    vec_push (args, value_from_number (r, bits ? bits : 1, 0));
  }
}

static void call_function (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  unsigned given = LLVMGetNumArgOperands (call), params = LLVMCountParams (callee);
  bool variadic = LLVMIsFunctionVarArg (LLVMGlobalGetValueType (callee)) && params;
  expr_list args = {0};
  for (unsigned i = 0; i < given && i < params; i++) {
    vec_push (&args, convert_argument (r, call_argument (r, call, i), LLVMTypeOf (LLVMGetParam (callee, i))));
  }
  pad_arguments (r, &args, callee, params);
  ir_expr saved = {IR_NONE};
  if (variadic) {
    saved = reg_use (r, reg_new (r, routine_pointer_bits (r), NULL));
    ir_edge e = emit_edge (r, IR_STACK_SAVE);
    ir_edge_at (r->p, e)->dst = ir_expr_at (r->p, saved)->reg;
    vec_push (&args, varargs_pass (r, call, params));
  }
  ir_proc f = function_proc (r->t, callee);
  finish_call (r, call, ir_addr (r->p, ir_proc_at (r->p, f)->object, 0), &args);
  if (variadic) {
    ir_edge e = emit_edge (r, IR_STACK_RESTORE);
    ir_add_arg (r->p, e, saved);
  }
  vec_release (&args);
}

static void call_pointer (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  LLVMTypeRef type = LLVMGetCalledFunctionType (call);
  unsigned given = LLVMGetNumArgOperands (call), params = LLVMCountParamTypes (type);
  bool variadic = LLVMIsFunctionVarArg (type) && params;
  ir_expr target = operand_value (r, callee);
  expr_list args = {0};
  for (unsigned i = 0; i < (variadic ? params : given); i++) vec_push (&args, call_argument (r, call, i));
  if (variadic) vec_push (&args, varargs_pass (r, call, params));
  finish_call (r, call, target, &args);
  vec_release (&args);
}

void call_by_name (routine *r, const char *model, const ir_expr *given, unsigned num_args, ir_expr *result) {
  LLVMValueRef callee = LLVMGetNamedFunction (r->t->module, model);
  if (!callee || LLVMIsDeclaration (callee)) {
    emit_unsupported (r, "`%s`: its library model is missing", model);
    return;
  }
  expr_list args = {0};
  for (unsigned i = 0; i < num_args && i < LLVMCountParams (callee); i++) {
    vec_push (&args, convert_argument (r, given[i], LLVMTypeOf (LLVMGetParam (callee, i))));
  }
  pad_arguments (r, &args, callee, LLVMCountParams (callee));
  unsigned bits = type_bits (r->t, LLVMGetReturnType (LLVMGlobalGetValueType (callee)));
  ir_reg reg = {IR_NONE};
  if (result && bits) reg = reg_new (r, bits, NULL);
  ir_proc f = function_proc (r->t, callee);
  emit_call (r, ir_addr (r->p, ir_proc_at (r->p, f)->object, 0), &args, reg);
  if (reg.i != IR_NONE) *result = reg_use (r, reg);
  vec_release (&args);
}

// ---- functions without a body ------------------------------------------------------------------------
// Verification tools reserve these names for functions with a special meaning; library.c knows the common ones.
static bool is_verifier_name (const char *name) {
  static const char *const prefixes[] = {"__VERIFIER_", "__CPROVER_", "__ESBMC_", NULL};
  return text_starts_with_one_of (name, prefixes);
}

// The effect of such a function on threads and locks, and whether it waits, cannot be guessed.
static bool is_threads_function (const char *name) {
  static const char *const prefixes[] = {"pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_", "call_once", NULL};
  return text_starts_with_one_of (name, prefixes);
}

// Returns whether the execution ends in this call.  A function of the program that is declared not to return may return
// nevertheless.  Assembly may end the program without a declaration.
bool call_does_not_return (LLVMValueRef call) {
  LLVMValueRef callee = global_resolve_alias (LLVMGetCalledValue (call));
  if (LLVMIsAFunction (callee))
    return has_attribute (call, callee, "noreturn") && (LLVMIsDeclaration (callee) || value_is_internal (callee));
  LLVMAttributeIndex whole = (LLVMAttributeIndex) LLVMAttributeFunctionIndex;
  return LLVMIsAInlineAsm (callee) ||
         LLVMGetCallSiteEnumAttribute (call, whole, LLVMGetEnumAttributeKindForName ("noreturn", 8));
}

static void call_unknown (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  const char *name = value_name (callee);
  if (is_verifier_name (name)) {
    emit_unsupported (r, "`%s`, another verifier's own function", name);
    return;
  }
  if (is_threads_function (name)) {
    emit_unsupported (r, "`%s`, which has no model", name);
    if (call_bits (r, call)) value_bind (r, call, value_from_outside (r, LLVMTypeOf (call), name));
    return;
  }
  if (has_attribute (call, callee, "noreturn")) {
    ir_assume_in_report (r->p, "`%s` has no body and does not return: ends the program", name);
    emit_exit_at_once (r, value_from_number (r, 32, 1));
    return;
  }
  callback_call (r, call, callee);
  behaviour_assume (r, call, callee);
  if (external_call (r, call, callee)) return;
  unsigned bits = call_bits (r, call);
  bool is_void = LLVMGetTypeKind (LLVMTypeOf (call)) == LLVMVoidTypeKind;
  bool is_pointer = value_is_pointer (call);
  ir_add_gap (r->p,
              is_void ? "`%s` has no body: taken to change nothing"
              : is_pointer
                  ? "`%s` has no body: returns null or the address of an object with any contents (a text: at most one "
                    "character), taken to change nothing"
                  : "`%s` has no body: returns any value, taken to change nothing",
              name);
  if (!bits && !is_void && type_size (r->t, LLVMTypeOf (call))) {
    emit_unsupported (r, "result of `%s` of more than 128 bits", name);
    return;
  }
  unknown_handed (r, call, callee);
  if (!bits || !LLVMGetFirstUse (call)) return;
  value_bind (r, call, value_assign (r, unknown_result (r, call, callee), debug_value_name (r->t->debug, call)));
}

void translate_call (routine *r, LLVMValueRef call) {
  LLVMValueRef callee = global_resolve_alias (LLVMGetCalledValue (call));
  if (LLVMIsAInlineAsm (callee)) {
    translate_asm (r, call, callee);
    return;
  }
  if (!LLVMIsAFunction (callee)) {
    call_pointer (r, call, callee);
    return;
  }
  const char *name = value_name (callee);
  if (!r->internal) handler_note (r, call, callee);
  if (r->t->options->check_uninit && !strcmp (name, "__lockstep_any_bytes")) {  // input counts as written
    name = "__lockstep_input_bytes";
    callee = LLVMGetNamedFunction (r->t->module, name);
  }
  if (!strncmp (name, "llvm.", 5)) translate_intrinsic (r, call, name);
  else if (translate_library (r, call, callee, name)) return;
  else if (LLVMIsDeclaration (callee)) call_unknown (r, call, callee);
  else if (call_inlining (r, call, callee)) call_inline (r, call, callee);
  else call_function (r, call, callee);
}
