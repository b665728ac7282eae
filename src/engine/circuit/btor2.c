// Writes each term as a line, operands first. Division by zero and shifts that are too wide mean the same in BTOR2 as
// here (ir.h), except for the signed quotient. Operators that BTOR2 does not have (counting bits, reversing them) are
// written with others. Operators on floats become inputs, as in the circuit of gates.
#include "engine/circuit/btor2.h"

#include <stdarg.h>

#include "base/diag.h"
#include "engine/circuit/circuit_lower.h"
#include "engine/circuit/circuit_names.h"

typedef struct btor2_writer {
  const transition_system *s;
  const term_pool *terms;
  strbuf *out;
  uint32_t last;  // number of the last line written
  map line_of;    // term -> its line
  map sort_of;    // width -> its line
  map constants;  // width << 32 | small value -> its line
  map state_of;   // term -> state of the system
  map needed;     // states that the properties depend on
  map seen;       // terms visited while `needed` is computed
  VEC (term) stack;
  naming names;
} btor2_writer;

// ---- lines ------------------------------------------------------------------------------------------
static uint32_t write_line (btor2_writer *w, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
static uint32_t write_line (btor2_writer *w, const char *format, ...) {
  va_list list;
  va_start (list, format);
  strbuf_printf (w->out, "%u ", ++w->last);
  strbuf_vprintf (w->out, format, list);
  strbuf_add_char (w->out, '\n');
  va_end (list);
  return w->last;
}

// Appends a name to the line that was written last.
static void append_line_name (btor2_writer *w, const char *name) {
  if (!name || !*name) return;
  w->out->count--;
  strbuf_add_char (w->out, ' ');
  for (; *name; name++) strbuf_add_char (w->out, *name <= ' ' ? '_' : *name);
  strbuf_add_char (w->out, '\n');
}

static uint32_t write_sort (btor2_writer *w, unsigned bits) {
  const uint64_t *known = map_find (&w->sort_of, bits);
  if (known) return (uint32_t) *known;
  uint32_t s = write_line (w, "sort bitvec %u", bits);
  map_insert (&w->sort_of, bits, s, NULL);
  return s;
}

static uint32_t write_constant_line (btor2_writer *w, unsigned bits, ir_value value) {
  uint64_t key = (uint64_t) bits << 32 | (uint32_t) value, *known = value >> 32 ? NULL : map_find (&w->constants, key);
  if (known) return (uint32_t) *known;
  uint32_t of_sort = write_sort (w, bits);
  char digits[129];
  for (unsigned k = 0; k < bits; k++) digits[k] = value >> (bits - 1 - k) & 1 ? '1' : '0';
  digits[bits] = 0;
  uint32_t c = write_line (w, "const %u %s", of_sort, digits);
  if (!(value >> 32)) map_insert (&w->constants, key, c, NULL);
  return c;
}

static uint32_t write_unary (btor2_writer *w, const char *op, unsigned bits, uint32_t x, unsigned number) {
  uint32_t of_sort = write_sort (w, bits);
  return write_line (w, "%s %u %u %u", op, of_sort, x, number);
}

static uint32_t write_binary (btor2_writer *w, const char *op, unsigned bits, uint32_t x, uint32_t y) {
  uint32_t of_sort = write_sort (w, bits);
  return write_line (w, "%s %u %u %u", op, of_sort, x, y);
}

static uint32_t write_ite (btor2_writer *w, unsigned bits, uint32_t condition, uint32_t x, uint32_t y) {
  uint32_t of_sort = write_sort (w, bits);
  return write_line (w, "ite %u %u %u %u", of_sort, condition, x, y);
}

static uint32_t write_slice (btor2_writer *w, uint32_t x, unsigned low, unsigned bits) {
  uint32_t of_sort = write_sort (w, bits);
  return write_line (w, "slice %u %u %u %u", of_sort, x, low + bits - 1, low);
}

static ir_value all_ones (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }

// ---- operators that BTOR2 does not have -------------------------------------------------------------
static uint32_t write_bit_count (btor2_writer *w, unsigned bits, uint32_t x) {
  uint32_t sum = write_constant_line (w, bits, 0);
  for (unsigned k = 0; k < bits; k++) {
    uint32_t bit = write_slice (w, x, k, 1);
    sum = write_binary (w, "add", bits, sum, bits > 1 ? write_unary (w, "uext", bits, bit, bits - 1) : bit);
  }
  return sum;
}

// Returns the number of zeros before the first one, counted from the highest or from the lowest bit.
static uint32_t write_zero_count (btor2_writer *w, unsigned bits, uint32_t x, bool from_above) {
  uint32_t count = write_constant_line (w, bits, bits & all_ones (bits));
  for (unsigned k = 0; k < bits; k++) {
    unsigned place = from_above ? k : bits - 1 - k;
    uint32_t zeros = write_constant_line (w, bits, bits - 1 - k), bit = write_slice (w, x, place, 1);
    count = write_ite (w, bits, bit, zeros, count);
  }
  return count;
}

static uint32_t write_reversed (btor2_writer *w, unsigned bits, uint32_t x, unsigned unit) {
  uint32_t all = write_slice (w, x, 0, unit);
  for (unsigned low = unit; low < bits; low += unit) {
    uint32_t part = write_slice (w, x, low, unit);
    all = write_binary (w, "concat", low + unit, all, part);
  }
  return all;
}

static uint32_t signed_quotient (btor2_writer *w, unsigned bits, uint32_t x, uint32_t y) {
  uint32_t by_zero = write_binary (w, "eq", 1, y, write_constant_line (w, bits, 0)),
           quotient = write_binary (w, "sdiv", bits, x, y);
  return write_ite (w, bits, by_zero, write_constant_line (w, bits, all_ones (bits)), quotient);
}

static uint32_t fresh_input (btor2_writer *w, unsigned bits, const char *name) {
  uint32_t of_sort = write_sort (w, bits), i = write_line (w, "input %u", of_sort);
  append_line_name (w, name);
  return i;
}

// ---- terms ------------------------------------------------------------------------------------------
static const char *const simple_ops[IR_NUM_EXPR_OPS] = {
    [IR_X_ADD] = "add",     [IR_X_SUB] = "sub",     [IR_X_MUL] = "mul",     [IR_X_UDIV] = "udiv",
    [IR_X_UREM] = "urem",   [IR_X_SREM] = "srem",   [IR_X_SHL] = "sll",     [IR_X_LSHR] = "srl",
    [IR_X_ASHR] = "sra",    [IR_X_AND] = "and",     [IR_X_OR] = "or",       [IR_X_XOR] = "xor",
    [IR_X_EQ] = "eq",       [IR_X_NE] = "neq",      [IR_X_ULT] = "ult",     [IR_X_ULE] = "ulte",
    [IR_X_SLT] = "slt",     [IR_X_SLE] = "slte",    [IR_X_SADDO] = "saddo", [IR_X_SSUBO] = "ssubo",
    [IR_X_SMULO] = "smulo", [IR_X_UADDO] = "uaddo", [IR_X_USUBO] = "usubo", [IR_X_UMULO] = "umulo"};

static uint32_t term_line (const btor2_writer *w, term t) {
  const uint64_t *known = map_find (&w->line_of, t.i);
  return known ? (uint32_t) *known : 0;
}

static uint32_t resize (btor2_writer *w, const term_node *n, uint32_t x) {
  unsigned from = term_bits (w->terms, n->arg[0]);
  if (n->op == IR_X_TRUNC) return write_slice (w, x, 0, n->bits);
  return write_unary (w, n->op == IR_X_SEXT ? "sext" : "uext", n->bits, x, n->bits - from);
}

static uint32_t write_operator (btor2_writer *w, const term_node *n) {
  uint32_t x = term_line (w, n->arg[0]), y = ir_expr_arity (n->op) > 1 ? term_line (w, n->arg[1]) : 0;
  if (simple_ops[n->op]) return write_binary (w, simple_ops[n->op], n->bits, x, y);
  switch (n->op) {
  case IR_X_SDIV: return signed_quotient (w, n->bits, x, y);
  case IR_X_ITE: return write_ite (w, n->bits, x, y, term_line (w, n->arg[2]));
  case IR_X_ZEXT:
  case IR_X_SEXT:
  case IR_X_TRUNC: return resize (w, n, x);
  case IR_X_CTPOP: return write_bit_count (w, n->bits, x);
  case IR_X_CTLZ: return write_zero_count (w, n->bits, x, true);
  case IR_X_CTTZ: return write_zero_count (w, n->bits, x, false);
  case IR_X_BSWAP: return write_reversed (w, n->bits, x, 8);
  case IR_X_BITREV: return write_reversed (w, n->bits, x, 1);
  case IR_X_FNEG:
    return write_binary (w, "xor", n->bits, x, write_constant_line (w, n->bits, (ir_value) 1 << (n->bits - 1)));
  case IR_X_FABS: return write_binary (w, "and", n->bits, x, write_constant_line (w, n->bits, all_ones (n->bits - 1u)));
  default:
    CHECK (n->op >= IR_X_FADD, "operator %d should be known to BTOR2", n->op);
    return fresh_input (w, n->bits, NULL);
  }
}

static uint32_t write_node (btor2_writer *w, term t) {
  term_node n = *term_at (w->terms, t);
  if (n.op == IR_X_CONST) return write_constant_line (w, n.bits, n.value);
  // states have their lines already
  if (n.op == IR_X_REG) return fresh_input (w, n.bits, name_of_input (&w->names, t));
  return write_operator (w, &n);
}

static bool push_operands (btor2_writer *w, term t) {
  const term_node *n = term_at (w->terms, t);
  bool waits = false;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (!term_line (w, n->arg[k])) {
      vec_push (&w->stack, n->arg[k]);
      waits = true;
    }
  return waits;
}

static uint32_t write_term (btor2_writer *w, term root) {
  vec_push (&w->stack, root);
  while (w->stack.count) {
    term t = vec_last (&w->stack);
    if (!term_line (w, t)) {
      if (push_operands (w, t)) continue;
      map_insert (&w->line_of, t.i, write_node (w, t), NULL);
    }
    (void) vec_pop (&w->stack);
  }
  return term_line (w, root);
}

// ---- states -----------------------------------------------------------------------------------------
// Marks all states that the term depends on, also through next values.
static void mark_needed_states (btor2_writer *w, term root) {
  vec_push (&w->stack, root);
  while (w->stack.count) {
    term t = vec_pop (&w->stack);
    bool is_new;
    map_insert (&w->seen, t.i, 0, &is_new);
    if (!is_new) continue;
    const term_node *n = term_at (w->terms, t);
    for (unsigned k = 0; k < ir_expr_arity (n->op); k++) vec_push (&w->stack, n->arg[k]);
    const uint64_t *state = map_find (&w->state_of, t.i);
    if (!state) continue;
    map_insert (&w->needed, *state, 0, &is_new);
    if (is_new) vec_push (&w->stack, w->s->states.data[*state].next);
  }
}

static void mark_needed_for_properties (btor2_writer *w, uint32_t properties) {
  const transition_system *s = w->s;
  for (uint32_t k = 0; k < s->states.count; k++) map_insert (&w->state_of, s->states.data[k].now.i, k, NULL);
  for (uint32_t k = 0; k < s->goals.count; k++)
    if (properties >> s->goals.data[k].property & 1) mark_needed_states (w, s->goals.data[k].holds);
  for (uint32_t k = 0; k < s->omissions.count; k++) mark_needed_states (w, s->omissions.data[k].holds);
  for (uint32_t k = 0; k < s->constraints.count; k++) mark_needed_states (w, s->constraints.data[k]);
}

static bool is_needed_state (const btor2_writer *w, uint32_t state) { return map_find (&w->needed, state); }
static bool has_start (const btor2_writer *w, const system_state *x) {
  return x->initial.i != TERM_NONE.i && term_is_const (w->terms, x->initial);
}

// Writes the initial value of a state before the state, as the format demands.
static void write_states (btor2_writer *w) {
  const transition_system *s = w->s;
  for (uint32_t k = 0; k < s->states.count; k++)
    if (is_needed_state (w, k) && has_start (w, &s->states.data[k])) write_term (w, s->states.data[k].initial);
  for (uint32_t k = 0; k < s->states.count; k++) {
    if (!is_needed_state (w, k)) continue;
    const system_state *x = &s->states.data[k];
    uint32_t of_sort = write_sort (w, term_bits (w->terms, x->now)), now = write_line (w, "state %u", of_sort);
    append_line_name (w, name_of_state (&w->names, k));
    map_insert (&w->line_of, x->now.i, now, NULL);
    if (has_start (w, x)) write_line (w, "init %u %u %u", of_sort, now, term_line (w, x->initial));
  }
}

static void write_steps (btor2_writer *w) {
  const transition_system *s = w->s;
  for (uint32_t k = 0; k < s->states.count; k++) {
    if (!is_needed_state (w, k)) continue;
    const system_state *x = &s->states.data[k];
    uint32_t next = write_term (w, x->next), of_sort = write_sort (w, term_bits (w->terms, x->now));
    write_line (w, "next %u %u %u", of_sort, term_line (w, x->now), next);
  }
}

// ---- bad states -------------------------------------------------------------------------------------
static uint32_t write_disjunction (btor2_writer *w, uint32_t sum, term t) {
  uint32_t x = write_term (w, t);
  return sum ? write_binary (w, "or", 1, sum, x) : x;
}

static void write_bad (btor2_writer *w, uint32_t sum, const char *name) {
  uint32_t holds = sum ? sum : write_constant_line (w, 1, 0);
  write_line (w, "bad %u", holds);
  append_line_name (w, name);
}

static void write_properties (btor2_writer *w, uint32_t properties) {
  const transition_system *s = w->s;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (!(properties >> p & 1)) continue;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < s->goals.count; k++)
      if (s->goals.data[k].property == p) sum = write_disjunction (w, sum, s->goals.data[k].holds);
    write_bad (w, sum, ir_property_name[p]);
  }
  uint32_t lost = 0;
  for (uint32_t k = 0; k < s->omissions.count; k++) lost = write_disjunction (w, lost, s->omissions.data[k].holds);
  write_bad (w, lost, lowered_omission_name);
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    uint32_t holds = write_term (w, s->constraints.data[k]);
    write_line (w, "constraint %u", holds);
  }
}

static void write_comment (btor2_writer *w, const char *text) {
  strbuf_add (w->out, "; ");
  for (; *text; text++) {
    strbuf_add_char (w->out, *text);
    if (*text == '\n') strbuf_add (w->out, "; ");
  }
  strbuf_add_char (w->out, '\n');
}

void btor2_print (const transition_system *s, uint32_t properties, const char *comment, strbuf *out) {
  btor2_writer w = {.s = s, .terms = &s->m->terms, .out = out};
  naming_init (&w.names, s);
  if (comment) write_comment (&w, comment);
  mark_needed_for_properties (&w, properties);
  write_states (&w);
  write_steps (&w);
  write_properties (&w, properties);
  naming_release (&w.names);
  map_release (&w.line_of);
  map_release (&w.sort_of);
  map_release (&w.constants);
  map_release (&w.state_of);
  map_release (&w.needed);
  map_release (&w.seen);
  vec_release (&w.stack);
}
