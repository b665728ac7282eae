// Executes the `output` operation: formats values of the machine as printf does.  Each conversion is cut out of the
// program's format, rewritten for the types of the host (widths and precisions given as * are filled in), and formatted
// by the host's printf, so the text is what the compiled program prints.
#include "verdict/verdict_impl.h"

enum { CUT_FIELD = 1 << 20 };  // wider fields are cut to this width

typedef struct conversion {
  char flags[8];
  int width, precision;  // -1: none
  char length;           // 'H' hh, 'h', 'l', 'q' ll, 'L', 'z' (also t), 0
  char type;
} conversion;

typedef struct format_reader {
  const action *a;
  strbuf *out;
  uint64_t at;    // address of the next character of the format
  uint32_t next;  // index of the next argument
} format_reader;

// Returns the byte at an address; 0 if there is no such byte or it is undefined.
static char byte_or_zero (machine *m, uint64_t address) {
  if (memory_check (m, address, 1, false) != IR_FAULT_NONE || memory_undefined (m, address, 1)) return 0;
  return (char) memory_read (m, address, 1);
}

static char format_char (format_reader *p) { return byte_or_zero (p->a->m, p->at); }

static ir_value next_argument (format_reader *p, unsigned *bits) {
  const ir_program *program = p->a->m->program;
  *bits = 32;
  if (p->next >= p->a->d->num_args) return 0;
  ir_expr x = program->args.data[p->a->d->first_arg + p->next++];
  *bits = ir_expr_at (program, x)->bits;
  return eval (p->a, x);
}

// ---- reading a conversion ------------------------------------------------------------------------------

static int read_digits (format_reader *p) {
  int n = 0;
  for (char c; (c = format_char (p)) >= '0' && c <= '9'; p->at++)
    if (n < CUT_FIELD) n = 10 * n + (c - '0');
  return n < CUT_FIELD ? n : CUT_FIELD;
}

static int read_field (format_reader *p, bool *negative) {
  *negative = false;
  if (format_char (p) != '*') return read_digits (p);
  p->at++;
  unsigned bits;
  ir_value v = next_argument (p, &bits);
  __int128 n = value_signed (v, bits);
  *negative = n < 0;
  if (n < 0) n = -n;
  return n < CUT_FIELD ? (int) n : CUT_FIELD;
}

static char read_length (format_reader *p) {
  char c = format_char (p);
  if (!c || !strchr ("hlqLjzt", c)) return 0;
  p->at++;
  if ((c == 'h' || c == 'l') && format_char (p) == c) {
    p->at++;
    return c == 'h' ? 'H' : 'q';
  }
  return c == 'j' ? 'q' : c == 't' ? 'z' : c;
}

static conversion read_conversion (format_reader *p) {
  conversion c = {.width = -1, .precision = -1};
  bool negative;
  for (unsigned n = 0; format_char (p) && strchr ("-+ #0'", format_char (p)); p->at++)
    if (n < sizeof c.flags - 2 && !strchr (c.flags, format_char (p))) c.flags[n++] = format_char (p);
  if (format_char (p) == '*' || (format_char (p) >= '1' && format_char (p) <= '9')) {
    c.width = read_field (p, &negative);
    if (negative && !strchr (c.flags, '-')) c.flags[strlen (c.flags)] = '-';
  }
  if (format_char (p) == '.') {
    p->at++;
    c.precision = read_field (p, &negative);
    if (negative) c.precision = -1;
  }
  c.length = read_length (p);
  c.type = format_char (p);
  if (c.type) p->at++;
  return c;
}

// "%", flags, width, precision, then the host's length and type.
static const char *host_format (const conversion *c, const char *length_and_type, char text[64]) {
  int n = snprintf (text, 64, "%%%s", c->flags);
  if (c->width >= 0) n += snprintf (text + n, 64 - (size_t) n, "%d", c->width);
  if (c->precision >= 0) n += snprintf (text + n, 64 - (size_t) n, ".%d", c->precision);
  snprintf (text + n, 64 - (size_t) n, "%s", length_and_type);
  return text;
}

// ---- printing ------------------------------------------------------------------------------------------

static unsigned conversion_bits (const format_reader *p, char length) {
  unsigned word = p->a->m->program->pointer_bits;
  return length == 'H'                    ? 8
         : length == 'h'                  ? 16
         : length == 'q' || length == 'L' ? 64
         : length == 'l' || length == 'z' ? word
                                          : 32;
}

static void print_integer (format_reader *p, const conversion *c) {
  char text[64], type[4] = {'l', 'l', c->type, 0};
  unsigned bits, width = conversion_bits (p, c->length);
  ir_value v = next_argument (p, &bits) & value_mask (width);
  if (c->type == 'd' || c->type == 'i')
    strbuf_printf (p->out, host_format (c, type, text), (long long) value_signed (v, width));
  else strbuf_printf (p->out, host_format (c, type, text), (unsigned long long) v);
}

static void print_float (format_reader *p, const conversion *c) {
  char text[64], type[3] = {'L', c->type, 0};
  unsigned bits;
  ir_value v = next_argument (p, &bits);
  if (bits > 64) {
    long double x = 0;
    memcpy (&x, &v, 10);
    strbuf_printf (p->out, host_format (c, type, text), x);
  } else {
    uint64_t low = (uint64_t) v;
    double x;
    memcpy (&x, &low, sizeof x);
    strbuf_printf (p->out, host_format (c, type + 1, text), x);
  }
}

static void print_text (format_reader *p, const conversion *c, const char *value) {
  char text[64];
  strbuf_printf (p->out, host_format (c, "s", text), value);
}

static void print_string (format_reader *p, const conversion *c) {
  machine *m = p->a->m;
  unsigned bits, step = c->length == 'l' ? 4 : 1;
  uint64_t address = (uint64_t) next_argument (p, &bits);
  strbuf s = {0};
  if (!address) strbuf_add (&s, "(null)");
  else if (memory_check (m, address, 1, false) != IR_FAULT_NONE) strbuf_add (&s, "(invalid pointer)");
  else
    for (char ch; (c->precision < 0 || s.count < (uint32_t) c->precision) && (ch = byte_or_zero (m, address));
         address += step)
      strbuf_add_char (&s, ch);
  print_text (p, c, strbuf_text (&s));
  strbuf_release (&s);
}

static void print_pointer (format_reader *p, const conversion *c) {
  char text[32] = "(nil)";
  unsigned bits;
  ir_value v = next_argument (p, &bits);
  if (v) snprintf (text, sizeof text, "0x%llx", (unsigned long long) v);
  print_text (p, c, text);
}

static void print_conversion (format_reader *p) {
  conversion c = read_conversion (p);
  unsigned bits;
  char text[64];
  switch (c.type) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X': print_integer (p, &c); return;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A': print_float (p, &c); return;
  case 'c': strbuf_printf (p->out, host_format (&c, "c", text), (int) (unsigned char) next_argument (p, &bits)); return;
  case 's': print_string (p, &c); return;
  case 'p': print_pointer (p, &c); return;
  case 'n': next_argument (p, &bits); return;
  case 'm': print_text (p, &c, strerror (0)); return;
  case '%': strbuf_add_char (p->out, '%'); return;
  default: return;
  }
}

void output_format (const action *a, strbuf *out) {
  format_reader p = {.a = a, .out = out, .at = (uint64_t) action_arg (a, 1), .next = 2};
  for (char c; (c = format_char (&p));) {
    p.at++;
    if (c == '%') print_conversion (&p);
    else strbuf_add_char (out, c);
  }
}
