// Functions without a body that get a function as an argument: they may call it once before they return.
//
// Only functions that the call names are called, and only if their arguments are known: a function without parameters,
// or one whose only parameter is the pointer after it in the call, as in `each (list, visit, &state)`.  Calls at other
// times, by other threads, or more than once are not covered; the report lists that as a bound.
#include "front/translate_impl.h"

// Returns the function with a body that is this argument of the call, or NULL.
static LLVMValueRef function_argument (LLVMValueRef call, unsigned index) {
  LLVMValueRef f = global_resolve_alias (LLVMGetOperand (call, index));
  return LLVMIsAFunction (f) && !LLVMIsDeclaration (f) && !value_is_internal (f) ? f : NULL;
}

static bool can_be_called (LLVMValueRef f, LLVMValueRef call, unsigned next) {
  if (LLVMIsFunctionVarArg (LLVMGlobalGetValueType (f)) && LLVMCountParams (f)) return false;
  if (!LLVMCountParams (f)) return true;
  return LLVMCountParams (f) == 1 && value_is_pointer (LLVMGetParam (f, 0)) && next < LLVMGetNumArgOperands (call) &&
         value_is_pointer (LLVMGetOperand (call, next)) && !type_of_byval (f, 0);
}

static void emit_callback_branch (routine *r, ir_expr condition, ir_loc to) {
  ir_loc here = r->at;
  ir_edge e = emit_to (r, IR_ASSUME, to);
  ir_add_arg (r->p, e, condition);
  r->at = here;
}

static void call_or_not (routine *r, LLVMValueRef f, const char *message, ir_expr data) {
  ir_expr calls = value_nondet_number (r, 1, message);
  ir_loc yes = ir_add_loc (r->p, r->proc), after = ir_add_loc (r->p, r->proc);
  emit_callback_branch (r, calls, yes);
  emit_callback_branch (r, ir_not (r->p, calls), after);
  r->at = yes;
  ir_expr address = global_address (r->t, f);
  ir_edge e = emit_edge (r, IR_CALL);
  ir_add_arg (r->p, e, address);
  if (data.i != IR_NONE) ir_add_arg (r->p, e, data);
  emit_to (r, IR_NOP, after);
  r->at = after;
}

void callback_call (routine *r, LLVMValueRef call, LLVMValueRef callee) {
  if (external_is_of_system (r->t, callee)) return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands (call); i++) {
    LLVMValueRef f = function_argument (call, i);
    if (!f || !can_be_called (f, call, i + 1)) continue;
    ir_expr data = LLVMCountParams (f) ? call_argument (r, call, i + 1) : (ir_expr){IR_NONE};
    ir_add_gap (r->p, "`%s` has no body: may call `%s` once before it returns", value_name (callee), value_name (f));
    strbuf text = {0};
    strbuf_printf (&text, "`%s` calls `%s`", value_name (callee), value_name (f));
    call_or_not (r, f, strbuf_text (&text), data);
    strbuf_release (&text);
  }
}
