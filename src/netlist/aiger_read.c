// Reads the bytes of an AIGER file into tables, and trusts no number in the file: each count is compared with the size
// of the file before memory is allocated for it, each literal is compared with the largest variable, and each variable
// must be defined once.
#include "netlist/aiger_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A binary file needs no bytes for its inputs, and an ASCII file none for variables it does not use; no more of them
// than this are believed.
#define VARIABLES_WITHOUT_BYTES (1u << 24)

// ---- mistakes ---------------------------------------------------------------------------------------

static bool add_message (aiger_reader *r, const char *unit, size_t number, const char *format, va_list list) {
  if (!r->why->count) {
    strbuf_printf (r->why, "%s %zu: ", unit, number);
    strbuf_vprintf (r->why, format, list);
  }
  return false;
}

bool aiger_fail (aiger_reader *r, const char *format, ...) {
  va_list list;
  va_start (list, format);
  add_message (r, "line", r->line, format, list);
  va_end (list);
  return false;
}

bool aiger_fail_at (aiger_reader *r, uint32_t line, const char *format, ...) {
  va_list list;
  va_start (list, format);
  add_message (r, "line", line, format, list);
  va_end (list);
  return false;
}

static bool fail_at_byte (aiger_reader *r, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
static bool fail_at_byte (aiger_reader *r, const char *format, ...) {
  va_list list;
  va_start (list, format);
  add_message (r, "byte", r->at, format, list);
  va_end (list);
  return false;
}

// ---- words ------------------------------------------------------------------------------------------

bool aiger_take (aiger_reader *r, char c) {
  if (r->at == r->count || r->bytes[r->at] != c) return false;
  r->at++;
  r->line += c == '\n';
  return true;
}

static bool is_digit (const aiger_reader *r) {
  return r->at < r->count && r->bytes[r->at] >= '0' && r->bytes[r->at] <= '9';
}

bool aiger_number (aiger_reader *r, const char *what, uint32_t limit, uint32_t *number) {
  uint64_t x = 0;
  if (!is_digit (r))
    return aiger_fail (r, r->at == r->count ? "the file ends before %s" : "expected %s, a number", what);
  for (; is_digit (r); r->at++) {
    x = 10 * x + (uint64_t) (r->bytes[r->at] - '0');
    if (x > limit) return aiger_fail (r, "%s should be at most %u", what, limit);
  }
  *number = (uint32_t) x;
  return true;
}

static bool end_of_line (aiger_reader *r) {
  return aiger_take (r, '\n') ||
         aiger_fail (r, r->at == r->count ? "the file ends in the middle of a line" : "expected the end of the line");
}

static bool space (aiger_reader *r) { return aiger_take (r, ' ') || aiger_fail (r, "expected a space"); }

static bool read_literal (aiger_reader *r, const char *what, uint32_t *x) {
  return aiger_number (r, what, 2 * r->sizes.variables + 1, x);
}

static bool define_aiger_variable (aiger_reader *r, uint32_t x, uint32_t as) {
  if (x & 1) return aiger_fail (r, "literal %u is defined, but it is odd", x);
  if (x == 0) return aiger_fail (r, "the constant 0 is defined again");
  if (r->defined.data[x / 2] != AIGER_UNDEFINED) return aiger_fail (r, "literal %u is defined a second time", x);
  r->defined.data[x / 2] = as;
  return true;
}

// ---- head -------------------------------------------------------------------------------------------

static bool sizes_are_possible (aiger_reader *r) {
  const aiger_sizes *s = &r->sizes;
  uint64_t defined = (uint64_t) s->inputs + s->latches + s->ands, rows = (uint64_t) s->latches + s->ands;
  if (defined > s->variables || (r->form == AIGER_BINARY && defined != s->variables))
    return aiger_fail_at (r, 1, "inputs, latches and ands make %llu variables, but the largest is said to be %u",
                          (unsigned long long) defined, s->variables);
  if (rows > r->count || s->variables > r->count + VARIABLES_WITHOUT_BYTES)
    return aiger_fail_at (r, 1, "a file of %zu bytes cannot have %u variables", r->count, s->variables);
  return true;
}

static bool read_head (aiger_reader *r) {
  bool ascii = r->count >= 4 && !memcmp (r->bytes, "aag ", 4), binary = r->count >= 4 && !memcmp (r->bytes, "aig ", 4);
  if (!ascii && !binary) return aiger_fail (r, "expected `aag` or `aig`: this is no AIGER file");
  r->form = binary ? AIGER_BINARY : AIGER_ASCII;
  r->at = 3;
  aiger_sizes *s = &r->sizes;
  uint32_t *numbers[] = {&s->variables, &s->inputs,      &s->latches, &s->outputs, &s->ands,
                         &s->bads,      &s->constraints, &s->justice, &s->fairness};
  for (unsigned k = 0; k < 9 && (k < 5 || (r->at < r->count && r->bytes[r->at] == ' ')); k++)
    if (!space (r) || !aiger_number (r, "a size", UINT32_MAX / 4, numbers[k])) return false;
  return end_of_line (r) && sizes_are_possible (r);
}

// ---- sections ---------------------------------------------------------------------------------------

static bool read_input (aiger_reader *r, uint32_t k) {
  uint32_t x = 2 * (k + 1);
  if (r->form == AIGER_ASCII && !read_literal (r, "an input", &x)) return false;
  vec_push (&r->inputs, x);
  return define_aiger_variable (r, x, AIGER_LEAF) && (r->form == AIGER_BINARY || end_of_line (r));
}

static bool read_reset (aiger_reader *r, aiger_latch *l) {
  uint32_t reset = 0;
  if (aiger_take (r, ' ') && !read_literal (r, "a reset value", &reset)) return false;
  if (reset > 1 && reset != l->now)
    return aiger_fail (r, "a reset value is 0, 1 or the latch (%u), not %u", l->now, reset);
  l->reset = reset == 0 ? NET_ZERO : reset == 1 ? NET_ONE : NET_ANY;
  return true;
}

static bool read_latch (aiger_reader *r, uint32_t k) {
  aiger_latch l = {.now = 2 * (r->sizes.inputs + k + 1)};
  if (r->form == AIGER_ASCII && (!read_literal (r, "a latch", &l.now) || !space (r))) return false;
  if (!read_literal (r, "the next value of a latch", &l.next) || !read_reset (r, &l) ||
      !define_aiger_variable (r, l.now, AIGER_LEAF))
    return false;
  vec_push (&r->latches, l);
  return end_of_line (r);
}

static bool read_literals (aiger_reader *r, const char *what, uint32_t count, aiger_literals *out) {
  for (uint32_t k = 0, x; k < count; k++) {
    if (!read_literal (r, what, &x) || !end_of_line (r)) return false;
    vec_push (out, x);
  }
  return true;
}

static bool read_justice (aiger_reader *r) {
  for (uint32_t k = 0, size; k < r->sizes.justice; k++) {
    if (!aiger_number (r, "the size of a justice property", UINT32_MAX / 4, &size) || !end_of_line (r)) return false;
    vec_push (&r->justice_sizes, size);
  }
  for (uint32_t k = 0; k < r->justice_sizes.count; k++)
    if (!read_literals (r, "a justice condition", r->justice_sizes.data[k], &r->justice)) return false;
  return true;
}

static bool read_ascii_and (aiger_reader *r, aiger_and *a) {
  return read_literal (r, "an and", &a->result) &&
         define_aiger_variable (r, a->result, AIGER_FIRST_AND + r->ands.count) && space (r) &&
         read_literal (r, "an operand of an and", &a->left) && space (r) &&
         read_literal (r, "an operand of an and", &a->right) && end_of_line (r);
}

// Reads a difference: seven bits per byte, the lowest first; the highest bit of a byte says that more bytes follow.
static bool read_difference (aiger_reader *r, uint32_t limit, uint32_t *difference) {
  uint64_t x = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (r->at == r->count) return fail_at_byte (r, "the file ends after %u of %u ands", r->ands.count, r->sizes.ands);
    uint8_t byte = (uint8_t) r->bytes[r->at];
    x |= (uint64_t) (byte & 127) << shift;
    if (x > limit || shift > 28) return fail_at_byte (r, "an operand of and %u is not below it", r->ands.count);
    r->at++;
    if (byte < 128) break;
  }
  *difference = (uint32_t) x;
  return true;
}

static bool read_binary_and (aiger_reader *r, aiger_and *a) {
  uint32_t first, second;
  a->result = 2 * (r->sizes.inputs + r->sizes.latches + r->ands.count + 1);
  if (!read_difference (r, a->result, &first)) return false;
  if (!first) return fail_at_byte (r, "and %u is its own operand", r->ands.count);
  a->left = a->result - first;
  if (!read_difference (r, a->left, &second)) return false;
  a->right = a->left - second;
  return define_aiger_variable (r, a->result, AIGER_FIRST_AND + r->ands.count);
}

static bool read_ands (aiger_reader *r) {
  for (uint32_t k = 0; k < r->sizes.ands; k++) {
    aiger_and a;
    if (r->form == AIGER_ASCII ? !read_ascii_and (r, &a) : !read_binary_and (r, &a)) return false;
    vec_push (&r->ands, a);
  }
  return true;
}

static bool read_sections (aiger_reader *r) {
  const aiger_sizes *s = &r->sizes;
  for (uint32_t k = 0; k <= s->variables; k++) vec_push (&r->defined, k ? AIGER_UNDEFINED : AIGER_LEAF);
  for (uint32_t k = 0; k < s->inputs; k++)
    if (!read_input (r, k)) return false;
  r->latches_line = r->line;
  for (uint32_t k = 0; k < s->latches; k++)
    if (!read_latch (r, k)) return false;
  r->outputs_line = r->line;
  if (!read_literals (r, "an output", s->outputs, &r->outputs) ||
      !read_literals (r, "a bad state", s->bads, &r->bads) ||
      !read_literals (r, "a constraint", s->constraints, &r->constraints) || !read_justice (r) ||
      !read_literals (r, "a fairness condition", s->fairness, &r->fairness))
    return false;
  r->ands_line = r->line;
  return read_ands (r);
}

// ---- whole ------------------------------------------------------------------------------------------

static void release_tables (aiger_reader *r) {
  aiger_literals *lists[] = {&r->inputs,        &r->outputs, &r->bads,    &r->constraints,
                             &r->justice_sizes, &r->justice, &r->fairness};
  for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++) vec_release (lists[k]);
  vec_release (&r->latches);
  vec_release (&r->ands);
  vec_release (&r->defined);
}

bool aiger_parse (netlist *n, const char *bytes, size_t count, strbuf *why) {
  strbuf message = {0};
  aiger_reader r = {.bytes = bytes, .count = count, .line = 1, .why = &message};
  netlist_init (n);
  bool good = read_head (&r) && read_sections (&r) && aiger_build (&r, n) && aiger_symbols (&r, n);
  if (!good) {
    netlist_release (n);
    strbuf_add (why, strbuf_text (&message));
  }
  strbuf_release (&message);
  release_tables (&r);
  return good;
}

bool aiger_read (netlist *n, const char *path, strbuf *why) {
  strbuf bytes = {0};
  bool good = strbuf_add_file (&bytes, path);
  if (!good) strbuf_printf (why, "cannot read %s: %s", path, strerror (errno));
  if (good) {
    strbuf message = {0};
    good = aiger_parse (n, strbuf_text (&bytes), bytes.count, &message);
    if (!good) strbuf_printf (why, "%s: %s", path, strbuf_text (&message));
    strbuf_release (&message);
  }
  strbuf_release (&bytes);
  return good;
}
