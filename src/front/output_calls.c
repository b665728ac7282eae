// printf and similar functions: the model __lockstep_read_string reads their strings, so that races and bad pointers
// are found; then one output edge prints.
//
// The value of the stream becomes 1 for standard output, 2 for standard error, and 0 for any other stream, which is not
// printed.
#include <stdlib.h>
#include <string.h>

#include "front/translate_impl.h"

static const struct {
  const char *name;
  int file, format, first;
  const char *fixed;
} table[] = {
    // number of the stream argument (-1: stdout), number of the format argument (-1: fixed), number of the first value
    {"printf", -1, 0, 1, NULL},   {"fprintf", 0, 1, 2, NULL},       {"dprintf", 0, 1, 2, NULL},
    {"puts", -1, -1, 0, "%s\n"},  {"putchar", -1, -1, 0, "%c"},     {"putchar_unlocked", -1, -1, 0, "%c"},
    {"fputs", 1, -1, 0, "%s"},    {"fputc", 1, -1, 0, "%c"},        {"putc", 1, -1, 0, "%c"},
    {"_IO_putc", 1, -1, 0, "%c"}, {"__printf_chk", -1, 1, 2, NULL}, {"__fprintf_chk", 0, 2, 3, NULL},
};

// ---- streams -----------------------------------------------------------------------------------------
static ir_expr is_stream (routine *r, ir_expr file, const char *name) {
  LLVMValueRef global = LLVMGetNamedGlobal (r->t->module, name);
  LLVMValueRef init = global ? LLVMGetInitializer (global) : NULL;
  ir_expr known = init && LLVMIsGlobalConstant (global) ? constant_expr (r->t, init) : (ir_expr){IR_NONE};
  if (known.i == IR_NONE || value_bits (r, known) != value_bits (r, file)) return value_from_number (r, 1, 0);
  return ir_binary (r->p, IR_X_EQ, file, known);
}

static ir_expr output_stream (routine *r, LLVMValueRef call, int file, bool is_descriptor) {
  if (file < 0) return value_from_number (r, 32, 1);
  ir_expr x = call_argument (r, call, (unsigned) file);
  if (is_descriptor) return x;
  ir_expr other = ir_ite (r->p, is_stream (r, x, "stderr"), value_from_number (r, 32, 2), value_from_number (r, 32, 0));
  return ir_ite (r->p, is_stream (r, x, "stdout"), value_from_number (r, 32, 1), other);
}

// ---- strings -----------------------------------------------------------------------------------------
static void read_string (routine *r, ir_expr pointer) {
  LLVMValueRef model = LLVMGetNamedFunction (r->t->module, "__lockstep_read_string");
  if (!model || LLVMIsDeclaration (model) || value_bits (r, pointer) != routine_pointer_bits (r)) return;
  call_by_name (r, "__lockstep_read_string", &pointer, 1, NULL);
}

static void read_value (routine *r, LLVMValueRef call, unsigned index) {
  size_t n;
  if (index >= LLVMGetNumArgOperands (call) || constant_text (LLVMGetOperand (call, index), &n)) return;
  read_string (r, call_argument (r, call, index));
}

// Reads the string of a %.7s: that many characters, or up to the terminator.
static void read_within (routine *r, LLVMValueRef call, unsigned index, ir_expr most) {
  LLVMValueRef model = LLVMGetNamedFunction (r->t->module, "__lockstep_read_string_within");
  size_t n;
  if (!model || LLVMIsDeclaration (model) || index >= LLVMGetNumArgOperands (call) ||
      constant_text (LLVMGetOperand (call, index), &n))
    return;
  ir_expr args[2] = {call_argument (r, call, index), most};
  if (value_bits (r, args[0]) == routine_pointer_bits (r) && value_bits (r, most) == 32)
    call_by_name (r, "__lockstep_read_string_within", args, 2, NULL);
}

// Returns the precision that a directive states or takes from an argument; IR_NONE: none.
static ir_expr precision_of (routine *r, LLVMValueRef call, const char *after_dot, unsigned next) {
  if (*after_dot != '*') return value_from_number (r, 32, (uint32_t) strtoul (after_dot, NULL, 10));
  return next < LLVMGetNumArgOperands (call) ? call_argument (r, call, next) : (ir_expr){IR_NONE};
}

// Reads the arguments of each %s.
static void read_strings (routine *r, LLVMValueRef call, const char *format, unsigned next) {
  for (const char *s = format; *s; s++) {
    if (*s != '%') continue;
    ir_expr most = {IR_NONE};
    for (s++; *s && strchr ("-+ #0123456789.*'hlLqjzt", *s); s++) {
      if (*s == '.') most = precision_of (r, call, s + 1, next);
      if (*s == '*') next++;
    }
    if (!*s) return;
    if (*s == '%') continue;
    if (*s == 'n') emit_unsupported (r, "`%%n` in a format");
    if (*s == 's' && s[-1] != 'l' && most.i == IR_NONE) read_value (r, call, next);
    else if (*s == 's' && s[-1] != 'l') read_within (r, call, next, most);
    if (*s != 'm') next++;
  }
}

// ---- the edge ----------------------------------------------------------------------------------------
static void translate_print (routine *r, LLVMValueRef call, unsigned row) {
  ir_expr stream = output_stream (r, call, table[row].file, !strcmp (table[row].name, "dprintf"));
  ir_expr format;
  if (table[row].fixed) {
    format = ir_addr (r->p, object_of_string (r->t, table[row].fixed), 0);
    read_strings (r, call, table[row].fixed, (unsigned) table[row].first);
  } else {
    size_t n;
    LLVMValueRef text = LLVMGetOperand (call, (unsigned) table[row].format);
    const char *known = constant_text (text, &n);
    format = operand_value (r, text);
    if (known) read_strings (r, call, known, (unsigned) table[row].first);
    else {
      read_string (r, format);
      ir_add_gap (r->p, "what `%s` reads for a format that is not known", table[row].name);
    }
  }
  expr_list values = {0};
  unsigned count = table[row].fixed ? 1 : LLVMGetNumArgOperands (call);
  for (unsigned i = (unsigned) table[row].first; i < count; i++) vec_push (&values, call_argument (r, call, i));
  ir_edge e = emit_edge (r, IR_OUTPUT);
  ir_add_arg (r->p, e, stream);
  ir_add_arg (r->p, e, format);
  for (uint32_t i = 0; i < values.count; i++) ir_add_arg (r->p, e, values.data[i]);
  vec_release (&values);
}

// ---- results -----------------------------------------------------------------------------------------
// Returns how many characters `format` prints if that is the same for all arguments, else -1.
static int64_t fixed_length (const char *format, size_t length) {
  int64_t printed = 0;
  for (size_t k = 0; k < length; k++, printed++)
    if (format[k] == '%' && (++k == length || (format[k] != '%' && format[k] != 'c'))) return -1;
  return printed;
}

// Returns the result of printf: the number of printed characters.  It depends on the arguments and is not computed
// here, so a finding that needs certain values of it is conditional.
static ir_expr printed_length (routine *r, LLVMValueRef call, unsigned row, unsigned bits) {
  size_t n;
  const char *format = constant_text (LLVMGetOperand (call, (unsigned) table[row].format), &n);
  int64_t length = format ? fixed_length (format, strlen (format)) : -1;
  if (length >= 0) return value_from_number (r, bits, (ir_value) length);
  const char *message = arena_printf (r->p->arena, "result of `%s`", table[row].name);
  ir_expr any = value_invented (r, IR_NONDET_NUMBER, IR_INVENTED, bits, message);
  ir_edge e = emit_edge (r, IR_ASSUME);
  ir_add_arg (r->p, e, ir_binary (r->p, IR_X_SLE, value_from_number (r, bits, 0), any));
  return any;
}

// Returns the result: the character for putchar, any number from 0 on for puts.
static ir_expr print_result (routine *r, LLVMValueRef call, unsigned row, unsigned bits) {
  if (!table[row].fixed) return printed_length (r, call, row, bits);
  if (!strcmp (table[row].fixed, "%c")) {
    ir_expr c = value_resize (r, call_argument (r, call, (unsigned) table[row].first), 8, false);
    return value_resize (r, c, bits, false);
  }
  ir_expr any = value_nondet_number (r, bits, arena_printf (r->p->arena, "result of `%s`", table[row].name));
  return ir_binary (r->p, IR_X_AND, any, value_from_number (r, bits, ((ir_value) 1 << (bits - 1)) - 1));
}

bool translate_output (routine *r, LLVMValueRef call, const char *name) {
  for (unsigned row = 0; row < sizeof table / sizeof *table; row++) {
    if (strcmp (table[row].name, name)) continue;
    int needed = table[row].first > table[row].file ? table[row].first : table[row].file + 1;
    if (needed < 1) needed = 1;
    if ((int) LLVMGetNumArgOperands (call) < needed) return false;
    translate_print (r, call, row);
    unsigned bits = call_bits (r, call);
    if (bits && LLVMGetFirstUse (call)) value_bind (r, call, print_result (r, call, row, bits));
    return true;
  }
  return false;
}
