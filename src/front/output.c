// printf and its family: the strings they read are read (by the model __lockstep_read_string, so that races and bad
// pointers show), then one output edge prints.
//
// The stream is recognised by its value: 1 standard output, 2 standard error, 0 anything else, which nobody sees.
#include <stdlib.h>
#include <string.h>

#include "front/translate_impl.h"

static const struct {
  const char *name;
  int file, format, first;
  const char *fixed;
} table[] = {
    // stream call_argument (-1: stdout), format call_argument (-1: fixed), first value
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
  if (known.i == IR_NONE || value_bits (r, known) != value_bits (r, file)) return value_number (r, 1, 0);
  return ir_binary (r->p, IR_X_EQ, file, known);
}

static ir_expr stream_of (routine *r, LLVMValueRef call, int file, bool is_descriptor) {
  if (file < 0) return value_number (r, 32, 1);
  ir_expr x = call_argument (r, call, (unsigned) file);
  if (is_descriptor) return x;
  ir_expr other = ir_ite (r->p, is_stream (r, x, "stderr"), value_number (r, 32, 2), value_number (r, 32, 0));
  return ir_ite (r->p, is_stream (r, x, "stdout"), value_number (r, 32, 1), other);
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

// %.7s: so many characters, or up to the terminator.
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

// The precision that a directive names or takes from an argument; IR_NONE: none.
static ir_expr precision_of (routine *r, LLVMValueRef call, const char *behind_dot, unsigned next) {
  if (*behind_dot != '*') return value_number (r, 32, (uint32_t) strtoul (behind_dot, NULL, 10));
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
static void print (routine *r, LLVMValueRef call, unsigned row) {
  ir_expr stream = stream_of (r, call, table[row].file, !strcmp (table[row].name, "dprintf"));
  ir_expr format;
  if (table[row].fixed) {
    format = ir_addr (r->p, object_of_string (r->t, table[row].fixed), 0);
    read_strings (r, call, table[row].fixed, (unsigned) table[row].first);
  } else {
    size_t n;
    LLVMValueRef text = LLVMGetOperand (call, (unsigned) table[row].format);
    const char *known = constant_text (text, &n);
    format = value_of (r, text);
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

bool translate_output (routine *r, LLVMValueRef call, const char *name) {
  for (unsigned row = 0; row < sizeof table / sizeof *table; row++) {
    if (strcmp (table[row].name, name)) continue;
    int needed = table[row].first > table[row].file ? table[row].first : table[row].file + 1;
    if (needed < 1) needed = 1;
    if ((int) LLVMGetNumArgOperands (call) < needed) return false;
    print (r, call, row);
    unsigned bits = call_bits (r, call);
    if (bits && LLVMGetFirstUse (call)) value_bind (r, call, value_any (r, bits, "number of characters printed"));
    return true;
  }
  return false;
}
