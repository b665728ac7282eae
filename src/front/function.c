// Translates one function: parameters and blocks; with the helpers that add edges and registers for all other files.
//
// Blocks are translated in reverse post-order, so that a value is translated before its uses (phi operands are
// translated on the edge into the block).  A block gets its location when an edge to it is translated.  Blocks that no
// edge leads to, because an operation before them does not return, are left out.
#include <stdarg.h>
#include <string.h>

#include "front/translate_impl.h"

// ---- edges, registers, values ------------------------------------------------------------------------
static ir_edge append_edge (routine *r, ir_op op, ir_loc to) {
  CHECK (r->at.i != IR_NONE, "`%s` should not add edges after an operation that does not return",
         value_name (r->function));
  ir_edge e = ir_add_edge (r->p, op, r->at, to);
  ir_edge_at (r->p, e)->pos = r->pos;
  r->at = to;
  return e;
}

ir_edge emit_edge (routine *r, ir_op op) { return append_edge (r, op, ir_add_loc (r->p, r->proc)); }

ir_edge emit_last (routine *r, ir_op op) { return append_edge (r, op, (ir_loc){IR_NONE}); }

ir_edge emit_to (routine *r, ir_op op, ir_loc to) {
  ir_edge e = append_edge (r, op, to);
  r->at.i = IR_NONE;
  return e;
}

void emit_exit (routine *r, ir_expr code) {
  ir_edge e = emit_last (r, IR_EXIT);
  ir_add_arg (r->p, e, code);
}

void emit_exit_at_once (routine *r, ir_expr code) {
  ir_edge e = emit_last (r, IR_EXIT);
  ir_edge_at (r->p, e)->aux = IR_EXIT_AT_ONCE;
  ir_add_arg (r->p, e, code);
}

void emit_unsupported (routine *r, const char *format, ...) {
  strbuf text = {0};
  va_list list;
  va_start (list, format);
  strbuf_vprintf (&text, format, list);
  va_end (list);
  ir_edge e = emit_edge (r, IR_UNSUPPORTED);
  ir_edge_at (r->p, e)->message = arena_strdup (r->p->arena, strbuf_text (&text));
  strbuf_release (&text);
  r->unsupported = true;
}

ir_reg reg_new (routine *r, unsigned bits, const char *name) { return ir_add_reg (r->p, r->proc, bits, name); }

ir_expr reg_use (routine *r, ir_reg reg) { return ir_use (r->p, r->proc, reg); }

unsigned value_bits (const routine *r, ir_expr x) { return ir_expr_at (r->p, x)->bits; }

unsigned routine_pointer_bits (const routine *r) { return r->p->pointer_bits; }

ir_expr value_from_number (routine *r, unsigned bits, ir_value n) { return ir_const (r->p, bits, n); }

ir_expr value_resize (routine *r, ir_expr x, unsigned bits, bool is_signed) {
  unsigned now = value_bits (r, x);
  if (now == bits) return x;
  return ir_unary (r->p, now > bits ? IR_X_TRUNC : is_signed ? IR_X_SEXT : IR_X_ZEXT, bits, x);
}

ir_expr value_assign (routine *r, ir_expr x, const char *name) {
  ir_expr_op op = ir_expr_at (r->p, x)->op;
  if (op == IR_X_REG || op == IR_X_CONST || op == IR_X_ADDR) return x;
  ir_reg reg = reg_new (r, value_bits (r, x), name);
  ir_edge e = emit_edge (r, IR_ASSIGN);
  ir_edge_at (r->p, e)->dst = reg;
  ir_add_arg (r->p, e, x);
  return reg_use (r, reg);
}

ir_expr value_invented (routine *r, ir_nondet_kind kind, ir_origin origin, unsigned bits, const char *message) {
  ir_reg reg = reg_new (r, bits, NULL);
  ir_edge e = emit_edge (r, IR_NONDET);
  ir_edge_data *d = ir_edge_at (r->p, e);
  d->dst = reg;
  d->aux = (uint8_t) kind;
  d->origin = (uint8_t) origin;
  d->message = arena_strdup (r->p->arena, message);
  return reg_use (r, reg);
}

static ir_expr new_nondet_value (routine *r, ir_nondet_kind kind, unsigned bits, const char *message) {
  return value_invented (r, kind, IR_INPUT, bits, message);
}

ir_expr value_nondet (routine *r, unsigned bits, const char *message) {
  return new_nondet_value (r, IR_NONDET_ANY, bits, message);
}

ir_expr value_nondet_number (routine *r, unsigned bits, const char *message) {
  return new_nondet_value (r, IR_NONDET_NUMBER, bits, message);
}

ir_expr value_unwritten (routine *r, unsigned bits, const char *message) {
  return new_nondet_value (r, r->t->options->check_uninit ? IR_NONDET_UNWRITTEN : IR_NONDET_NUMBER, bits, message);
}

ir_expr value_from_outside (routine *r, LLVMTypeRef type, const char *message) {
  bool is_pointer = LLVMGetTypeKind (type) == LLVMPointerTypeKind;
  return new_nondet_value (r, is_pointer ? IR_NONDET_OUTSIDE : IR_NONDET_NUMBER, type_bits (r->t, type), message);
}

void value_bind (routine *r, LLVMValueRef v, ir_expr x) {
  bool is_new;
  map_insert (&r->values, llvm_key (v), x.i, &is_new);
  CHECK (is_new, "a value of `%s` should be translated once", value_name (r->function));
}

void value_bind_named (routine *r, LLVMValueRef v, ir_expr x) {
  value_bind (r, v, value_assign (r, x, debug_value_name (r->t->debug, v)));
}

// clang turns 1 << 40 and 5 / 0 into a poison value: there is no operation left to check.
static void note_unchecked_overflow (routine *r) {
  strbuf where = {0};
  strbuf_printf (&where, "%s:%u", r->pos.file ? r->pos.file : "?", r->pos.line);
  ir_add_gap (r->p, FRONT_COMPUTED, strbuf_text (&where));
  strbuf_release (&where);
}

static ir_expr constant_operand (routine *r, LLVMValueRef v) {
  unsigned bits = type_bits (r->t, LLVMTypeOf (v));
  if (r->t->options->check_overflow && !r->internal && LLVMIsAPoisonValue (v)) note_unchecked_overflow (r);
  if (value_is_undefined (v) && bits) return value_unwritten (r, bits, "an undefined value");
  ir_expr x = constant_expr (r->t, v);
  if (x.i != IR_NONE) return value_assign (r, x, NULL);
  char *text = LLVMPrintValueToString (v);
  emit_unsupported (r, "constant %.100s", text);
  LLVMDisposeMessage (text);
  return value_from_number (r, bits ? bits : 1, 0);
}

ir_expr operand_value (routine *r, LLVMValueRef v) {
  uint64_t *known = map_find (&r->values, llvm_key (v));
  if (known) return (ir_expr){(uint32_t) *known};
  if (LLVMIsConstant (v)) return constant_operand (r, v);
  if (LLVMIsAPHINode (v)) return phi_register (r, v);
  if (value_is_uninitialised (v)) return value_of_uninitialised (r, v);
  char *text = LLVMPrintValueToString (v);
  emit_unsupported (r, "value %.100s", text);
  LLVMDisposeMessage (text);
  unsigned bits = type_bits (r->t, LLVMTypeOf (v));
  return value_from_number (r, bits ? bits : 1, 0);
}

ir_expr value_condition (routine *r, LLVMValueRef v) {
  ir_expr x = operand_value (r, v);
  return value_bits (r, x) == 1 ? x : ir_binary (r->p, IR_X_NE, x, value_from_number (r, value_bits (r, x), 0));
}

// ---- blocks ------------------------------------------------------------------------------------------
typedef struct block_list {
  LLVMBasicBlockRef *data;
  uint32_t count, capacity;
} block_list;  // a VEC
typedef struct block_dfs_entry {
  LLVMBasicBlockRef block;
  unsigned next;
} block_dfs_entry;

// Depth-first search with an explicit stack: generated programs have functions of many thousand blocks.
static void order_blocks (LLVMValueRef function, block_list *reversed) {
  map seen = {0};
  VEC (block_dfs_entry) stack = {0};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock (function);
  map_insert (&seen, llvm_key (entry), 0, NULL);
  vec_push (&stack, ((block_dfs_entry){entry, 0}));
  while (stack.count) {
    block_dfs_entry *top = &vec_last (&stack);
    LLVMValueRef end = LLVMGetBasicBlockTerminator (top->block);
    if (end && top->next < LLVMGetNumSuccessors (end)) {
      // The last successor first: in the result, the first branch comes first.
      unsigned index = LLVMGetNumSuccessors (end) - 1 - top->next++;
      LLVMBasicBlockRef successor = LLVMGetSuccessor (end, index);
      bool is_new;
      map_insert (&seen, llvm_key (successor), 0, &is_new);
      if (is_new) vec_push (&stack, ((block_dfs_entry){successor, 0}));
    } else {
      vec_push (reversed, top->block);
      (void) vec_pop (&stack);
    }
  }
  vec_release (&stack);
  map_release (&seen);
}

// An execution ends at an unsupported operation, but an analysis of all paths continues after it: there the result has
// any value.
static void bind_unsupported (routine *r, LLVMValueRef i) {
  unsigned bits = type_bits (r->t, LLVMTypeOf (i));
  if (bits && !map_find (&r->values, llvm_key (i)))
    value_bind (r, i, value_from_outside (r, LLVMTypeOf (i), "an unsupported operation"));
}

static void translate_block (routine *r, LLVMBasicBlockRef block) {
  r->at = flow_location (r, block);
  for (LLVMValueRef i = LLVMGetFirstInstruction (block); i; i = LLVMGetNextInstruction (i)) {
    ir_position pos = r->caller ? r->caller->pos : debug_position (r->t->debug, i);
    if (pos.file) r->pos = pos;
    r->unsupported = false;
    translate_instruction (r, i);
    if (r->at.i == IR_NONE) return;
    if (r->unsupported) bind_unsupported (r, i);
  }
}

void translate_body (routine *r) {
  block_list reversed = {0};
  order_blocks (r->function, &reversed);
  map_insert (&r->blocks, llvm_key (LLVMGetEntryBasicBlock (r->function)), r->at.i, NULL);
  map done = {0};
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = reversed.count; i-- > 0;) {
      LLVMBasicBlockRef block = reversed.data[i];
      if (!map_find (&r->blocks, llvm_key (block)) || map_find (&done, llvm_key (block))) continue;
      map_insert (&done, llvm_key (block), 0, NULL);
      translate_block (r, block);
      again = true;
    }
  }
  map_release (&done);
  vec_release (&reversed);
}

// ---- the function ------------------------------------------------------------------------------------
void routine_release (routine *r) {
  map_release (&r->values);
  map_release (&r->seconds);
  map_release (&r->blocks);
  map_release (&r->wides);
  vec_release (&r->limbs);
}

// Functions named __VERIFIER_atomic_* run without interruption, by the rules of SV-COMP; so do __VERIFIER_atomic_begin
// and __VERIFIER_atomic_end if the program defines them.
static bool is_atomic_function (LLVMValueRef function) {
  const char *name = value_name (function), *prefix = "__VERIFIER_atomic_";
  return !strncmp (name, prefix, strlen (prefix));
}

// Registers 0..n-1 are the parameters; a variadic function has one more, the address of its variable arguments.
static void add_parameters (routine *r) {
  unsigned n = LLVMCountParams (r->function);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef v = LLVMGetParam (r->function, i);
    unsigned bits = type_bits (r->t, LLVMTypeOf (v));
    const char *name = debug_value_name (r->t->debug, v);
    value_bind (r, v, reg_use (r, reg_new (r, bits ? bits : 1, name)));
  }
  r->varargs.i = IR_NONE;
  if (LLVMIsFunctionVarArg (LLVMGlobalGetValueType (r->function)) && n) {
    r->varargs = reg_use (r, reg_new (r, routine_pointer_bits (r), NULL));
    n++;
  }
  ir_proc_at (r->p, r->proc)->num_params = n;
}

// The callee has its own copy of a struct that is passed by value.
static void copy_byval_parameters (routine *r) {
  for (unsigned i = 0; i < LLVMCountParams (r->function); i++) {
    LLVMTypeRef type = type_of_byval (r->function, i);
    LLVMValueRef v = LLVMGetParam (r->function, i);
    if (!type) continue;
    uint64_t size = type_size (r->t, type);
    memory_access from = {.address = operand_value (r, v)};
    ir_expr copy = emit_alloc (r, value_from_number (r, routine_pointer_bits (r), size), IR_ALLOC_STACK,
                               debug_value_name (r->t->debug, v), (ir_type){IR_NONE});
    memory_access to = {.address = copy};
    emit_copy_bytes (r, &to, &from, size, false);
    *map_find (&r->values, llvm_key (v)) = copy.i;
  }
}

void translate_function (translator *t, LLVMValueRef function) {
  routine r = {.t = t, .p = t->p, .function = function, .proc = function_proc (t, function), .result = {IR_NONE}};
  LLVMTypeRef result = LLVMGetReturnType (LLVMGlobalGetValueType (function));
  r.internal = value_is_internal (function);
  r.atomic = is_atomic_function (function);
  r.pos = debug_function_position (t->debug, function);
  ir_proc_data *d = ir_proc_at (t->p, r.proc);
  d->internal = r.internal;
  d->pos = r.pos;
  d->result_bits = (uint16_t) type_bits (t, result);
  ir_object_at (t->p, d->object)->pos = r.pos;
  ir_object_at (t->p, d->object)->internal = r.internal;
  add_parameters (&r);
  r.at = ir_add_loc (t->p, r.proc);
  ir_proc_at (t->p, r.proc)->entry = r.at;
  if (r.atomic) emit_edge (&r, IR_ATOMIC_BEGIN);
  copy_byval_parameters (&r);
  translate_body (&r);
  routine_release (&r);
}
