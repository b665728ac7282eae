// Primitives of library models: a call of `__lockstep_<operation>` becomes one operation, with the arguments of the
// call in the same order.  models/intrinsics.h declares them for the models.
#include <string.h>

#include "base/text.h"
#include "front/translate_impl.h"
#include "ir/sync.h"

// Operations whose edges need more than operands have their own functions below, or cannot be used in models.
static bool has_plain_call (ir_op op) {
  switch (op) {
  case IR_NOP:
  case IR_ASSIGN:
  case IR_NONDET:
  case IR_CHECK:
  case IR_CALL:
  case IR_RETURN:
  case IR_ALLOC:
  case IR_LOAD:
  case IR_STORE:
  case IR_LOAD_RAW:
  case IR_STORE_RAW:
  case IR_RMW:
  case IR_CMPXCHG:
  case IR_OWN:
  case IR_UNSUPPORTED: return false;
  case IR_ASSUME:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_FENCE:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_OPERATIONS:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  return true;
}

// Returns "robust mutex" for "robust_mutex".
static const char *spaced_words (routine *r, const char *name) {
  char *text = arena_strdup (r->p->arena, name);
  for (char *c = text; *c; c++)
    if (*c == '_') *c = ' ';
  return text;
}

static ir_op find_operation (const char *text) {
  for (unsigned op = 0; op < IR_NUM_OPS; op++)
    if (has_plain_call ((ir_op) op) && !strcmp (ir_op_table[op].text, text)) return (ir_op) op;
  return IR_NUM_OPS;
}

static bool gives_pointer_width (ir_op op) {
  return op == IR_THREAD_JOIN || op == IR_THREAD_SELF || op == IR_STACK_SAVE || op == IR_OBJECT_SIZE;
}

static bool has_lvalue_name (ir_op op) { return ir_op_table[op].group == 'S' || ir_op_table[op].group == 'M'; }

static void translate_plain_operation (routine *r, LLVMValueRef call, ir_op op) {
  const ir_op_info *info = &ir_op_table[op];
  bool variadic = info->min_args && !info->max_args;
  unsigned count = variadic ? LLVMGetNumArgOperands (call) : info->max_args;
  expr_list args = {0}, name_args = {0};
  const char *name = NULL;
  for (unsigned i = 0; i < count; i++) vec_push (&args, call_argument (r, call, i));
  if (op == IR_ASSUME) args.data[0] = value_condition (r, LLVMGetOperand (call, 0));
  if (has_lvalue_name (op) && count) access_name (r, LLVMGetOperand (call, 0), &name_args, &name);
  bool results = info->result == 'r';
  ir_reg reg =
      results ? call_result_reg (r, call, gives_pointer_width (op) ? routine_pointer_bits (r) : 32) : (ir_reg){IR_NONE};
  ir_edge e = op == IR_EXIT || op == IR_THREAD_EXIT ? emit_last (r, op) : emit_edge (r, op);
  ir_edge_at (r->p, e)->dst = reg;
  ir_edge_at (r->p, e)->name = name;
  for (uint32_t i = 0; i < args.count; i++) ir_add_arg (r->p, e, args.data[i]);
  for (uint32_t i = 0; i < name_args.count; i++) ir_add_name_arg (r->p, e, name_args.data[i]);
  if (results && call_bits (r, call)) value_bind (r, call, reg_use (r, reg));
  vec_release (&args);
  vec_release (&name_args);
}

// __lockstep_check_<property> (condition, "text")
static bool translate_model_check (routine *r, LLVMValueRef call, const char *property) {
  size_t n;
  const char *text = LLVMGetNumArgOperands (call) >= 2 ? constant_text (LLVMGetOperand (call, 1), &n) : NULL;
  for (unsigned i = 0; text && i < IR_NUM_PROPERTIES; i++) {
    if (strcmp (property, ir_property_name[i])) continue;
    ir_expr condition = value_condition (r, LLVMGetOperand (call, 0));
    ir_edge e = emit_edge (r, IR_CHECK);
    ir_edge_at (r->p, e)->aux = (uint8_t) i;
    ir_edge_at (r->p, e)->message = arena_strdup (r->p->arena, text);
    ir_add_arg (r->p, e, condition);
    return true;
  }
  return false;
}

static bool translate_allocation (routine *r, LLVMValueRef call, const char *what) {
  ir_alloc_kind kind = !strcmp (what, "calloc_bytes") ? IR_ALLOC_HEAP_ZEROED : IR_ALLOC_HEAP;
  if (kind == IR_ALLOC_HEAP && strcmp (what, "malloc")) return false;
  ir_expr x = emit_alloc (r, call_argument (r, call, 0), kind, NULL, (ir_type){IR_NONE});
  call_bind_result (r, call, x);
  return true;
}

static bool translate_model_copy (routine *r, LLVMValueRef call, const char *what) {
  if (!text_starts_with (what, "copy") || !what[4] || what[5] || !strchr ("1248", what[4])) return false;
  memory_access to = {.address = call_argument (r, call, 0), .pointer = LLVMGetOperand (call, 0)};
  memory_access from = {.address = call_argument (r, call, 1), .pointer = LLVMGetOperand (call, 1)};
  emit_copy_bytes (r, &to, &from, (uint64_t) (what[4] - '0'), false);
  return true;
}

// Emits an empty output for --property=uninit, which checks the operands of outputs; other properties need none.
static void translate_written (routine *r, LLVMValueRef call) {
  if (!r->t->options->check_uninit) return;
  ir_expr byte = call_argument (r, call, 0), format = ir_addr (r->p, object_of_string (r->t, ""), 0);
  ir_edge e = emit_edge (r, IR_OUTPUT);
  ir_add_arg (r->p, e, value_from_number (r, 32, 0));
  ir_add_arg (r->p, e, format);
  ir_add_arg (r->p, e, byte);
}

// `gap_signals_are_not_sent` reports the omission "signals are not sent" as a bound.
static void add_named_gap (routine *r, const char *words) {
  strbuf text = {0};
  for (; *words; words++) strbuf_add_char (&text, *words == '_' ? ' ' : *words);
  ir_add_gap (r->p, "%s", strbuf_text (&text));
  strbuf_release (&text);
}

// The engines cannot execute a synchronisation operation without a rule.
static bool has_rule (ir_op op) {
  return ir_op_table[op].group != 'S' || ir_sync_of (op)->family == IR_F_REGION || ir_rule_of (op);
}

static void bind_unknown_result (routine *r, LLVMValueRef call) {
  if (call_bits (r, call))
    value_bind (r, call, value_from_outside (r, LLVMTypeOf (call), "result of something that is not modelled"));
}

bool translate_model_operation (routine *r, LLVMValueRef call, const char *name) {
  if (!text_starts_with (name, LOCKSTEP_PREFIX)) return false;
  const char *what = name + strlen (LOCKSTEP_PREFIX);
  ir_op op = find_operation (what);
  if (op != IR_NUM_OPS && has_rule (op)) translate_plain_operation (r, call, op);
  else if (op != IR_NUM_OPS) {
    emit_unsupported (r, "operation %s, which has no rule", what);
    bind_unknown_result (r, call);
  } else if (text_starts_with (what, "check_") && translate_model_check (r, call, what + 6)) return true;
  else if (!strcmp (what, "written")) translate_written (r, call);
  else if (text_starts_with (what, "uninit.")) translate_uninitialised (r, call);
  else if (text_starts_with (what, "unsupported_")) {
    emit_unsupported (r, "%s", spaced_words (r, what + strlen ("unsupported_")));
    bind_unknown_result (r, call);
  } else if (text_starts_with (what, "gap_")) add_named_gap (r, what + strlen ("gap_"));
  else return translate_allocation (r, call, what) || translate_model_copy (r, call, what);
  return true;
}
