// Reads the BTOR2 files of random systems with a small evaluator, which shares no code with the writer, and executes it
// beside the circuit of gates, step by step.
#include "engine/circuit/btor2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/circuit/circuit_lower.h"
#include "engine/circuit/random_system_test.h"
#include "netlist/netlist_simulate.h"

enum { SYSTEMS = 150, STEPS = 6, MAX_LINES = 20000 };

// ---- the reader -------------------------------------------------------------------------------------
typedef unsigned __int128 word;
typedef struct row {
  char op[16], name[64];
  unsigned bits;
  long arg[4];
  word value, next;  // `next` of a state: its next value
  word constant;
} row;

static row *rows;
static unsigned num_rows;

static word mask (unsigned bits) { return bits >= 128 ? ~(word) 0 : ((word) 1 << bits) - 1; }

static word read_digits (const char *text) {
  word x = 0;
  for (; *text == '0' || *text == '1'; text++) x = x << 1 | (word) (*text - '0');
  return x;
}

static bool is_op (const row *x, const char *op) { return !strcmp (x->op, op); }

static bool is_one_of (const row *x, const char *a, const char *b, const char *c, const char *d) {
  return is_op (x, a) || is_op (x, b) || is_op (x, c) || is_op (x, d);
}

static void read_row (char *line) {
  char *words[8], *rest = line;
  unsigned count = 0;
  for (char *w; count < 8 && (w = strtok_r (rest, " ", &rest));) words[count++] = w;
  assert_true (count >= 3 && (unsigned) atoi (words[0]) == num_rows + 1);
  row *x = &rows[++num_rows];
  assert_true (num_rows < MAX_LINES - 1);
  *x = (row){0};
  snprintf (x->op, sizeof x->op, "%s", words[1]);
  if (is_op (x, "sort")) {
    assert_string_equal (words[2], "bitvec");
    x->bits = (unsigned) atoi (words[3]);
    return;
  }
  unsigned first = 3;
  if (is_op (x, "bad") || is_op (x, "constraint")) first = 2;
  else {
    assert_true (is_op (&rows[atoi (words[2])], "sort"));
    x->bits = rows[atoi (words[2])].bits;
  }
  if (is_op (x, "const")) {
    assert_int_equal (strlen (words[3]), x->bits);
    x->constant = read_digits (words[3]);
    return;
  }
  bool has_name = is_op (x, "state") || is_op (x, "input");
  for (unsigned k = first; k < count && !has_name && k - first < 4; k++) x->arg[k - first] = atol (words[k]);
  if (has_name && count > 3) snprintf (x->name, sizeof x->name, "%s", words[3]);
  if (is_op (x, "bad") && count > 3) snprintf (x->name, sizeof x->name, "%s", words[3]);
}

static void read_file (strbuf *text) {
  num_rows = 0;
  for (char *line = (char *) strbuf_text (text), *end; *line; line = end + 1) {
    end = strchr (line, '\n');
    assert_non_null (end);
    *end = 0;
    if (*line != ';') read_row (line);
  }
}

// ---- operators --------------------------------------------------------------------------------------
static __int128 as_signed (word x, unsigned bits) {
  return x >> (bits - 1) & 1 ? (__int128) (x | ~mask (bits)) : (__int128) x;
}

static const row *operand (const row *x, unsigned k) {
  assert_true (x->arg[k] > 0 && x - rows > x->arg[k]);
  return &rows[x->arg[k]];
}

static word shifted (const row *x, word a, word b, unsigned bits) {
  bool negative = is_op (x, "sra") && a >> (bits - 1) & 1;
  if (b >= bits) return negative ? mask (bits) : 0;
  if (is_op (x, "sll")) return a << b;
  return a >> b | (negative ? ~(mask (bits) >> b) : 0);
}

static bool out_of_range (__int128 x, unsigned bits) {
  return x < -((__int128) 1 << (bits - 1)) || x >= (__int128) 1 << (bits - 1);
}

static word divided (const row *x, word a, word b, __int128 sa, __int128 sb, unsigned bits) {
  if (is_op (x, "udiv")) return b ? a / b : mask (bits);
  if (is_op (x, "urem")) return b ? a % b : a;
  if (is_op (x, "sdiv")) return b ? (word) (sa / sb) : sa < 0 ? 1 : mask (bits);
  return b ? (word) (sa % sb) : a;
}

static word compared (const row *x, word a, word b, __int128 sa, __int128 sb, unsigned bits) {
  if (is_op (x, "eq")) return a == b;
  if (is_op (x, "neq")) return a != b;
  if (is_op (x, "ult")) return a < b;
  if (is_op (x, "ulte")) return a <= b;
  if (is_op (x, "slt")) return sa < sb;
  if (is_op (x, "slte")) return sa <= sb;
  if (is_op (x, "saddo")) return out_of_range (sa + sb, bits);
  if (is_op (x, "ssubo")) return out_of_range (sa - sb, bits);
  if (is_op (x, "smulo")) return out_of_range (sa * sb, bits);
  if (is_op (x, "uaddo")) return a + b > mask (bits);
  if (is_op (x, "usubo")) return a < b;
  if (is_op (x, "umulo")) return a * b > mask (bits);
  fail_msg ("operator %s", x->op);
  return 0;
}

static word binary (const row *x) {
  const row *left = operand (x, 0), *right = operand (x, 1);
  word a = left->value, b = right->value;
  unsigned bits = left->bits;
  if (is_op (x, "concat")) {
    assert_int_equal (x->bits, left->bits + right->bits);
    return a << right->bits | b;
  }
  assert_int_equal (left->bits, right->bits);
  __int128 sa = as_signed (a, bits), sb = as_signed (b, bits);
  if (is_one_of (x, "udiv", "urem", "sdiv", "srem")) return divided (x, a, b, sa, sb, bits);
  if (is_one_of (x, "sll", "srl", "sra", "sra")) return shifted (x, a, b, bits);
  if (is_op (x, "add")) return a + b;
  if (is_op (x, "sub")) return a - b;
  if (is_op (x, "mul")) return a * b;
  if (is_op (x, "and")) return a & b;
  if (is_op (x, "or")) return a | b;
  if (is_op (x, "xor")) return a ^ b;
  assert_int_equal (x->bits, 1);
  return compared (x, a, b, sa, sb, bits);
}

static word computed (const row *x) {
  if (is_op (x, "const")) return x->constant;
  const row *a = operand (x, 0);
  if (is_op (x, "bad") || is_op (x, "constraint")) return a->value;
  if (is_op (x, "slice")) {
    assert_int_equal (x->bits, x->arg[1] - x->arg[2] + 1);
    return a->value >> x->arg[2];
  }
  if (is_op (x, "uext") || is_op (x, "sext")) {
    assert_int_equal (x->bits, a->bits + x->arg[1]);
    return is_op (x, "sext") ? (word) as_signed (a->value, a->bits) : a->value;
  }
  if (is_op (x, "ite")) return a->value ? operand (x, 1)->value : operand (x, 2)->value;
  return binary (x);
}

static void evaluate_rows (void) {
  for (unsigned k = 1; k <= num_rows; k++) {
    row *x = &rows[k];
    if (is_one_of (x, "sort", "state", "input", "init")) continue;
    if (is_op (x, "next")) rows[x->arg[0]].next = rows[x->arg[1]].value;
    else x->value = computed (x) & mask (x->bits ? x->bits : 1);
  }
}

static row *find_named (const char *op, const char *name) {
  char word_of[64];
  snprintf (word_of, sizeof word_of, "%s", name);
  for (char *c = word_of; *c; c++) *c = *c == ' ' ? '_' : *c;
  for (unsigned k = 1; k <= num_rows; k++)
    if (is_op (&rows[k], op) && !strcmp (rows[k].name, word_of)) return &rows[k];
  return NULL;
}

// ---- comparison with the gates ----------------------------------------------------------------------
typedef struct pair {
  transition_system *s;
  lowered *l;
  net_simulation gates;
} pair;

static ir_value latch_word (const pair *p, uint32_t state, unsigned bits) {
  ir_value x = 0;
  for (unsigned bit = 0; bit < bits; bit++) {
    aig_lit now = p->l->circuit.latches.data[p->l->latch_of.data[state] + bit].now;
    x |= (ir_value) (net_value (&p->gates, now) & 1) << bit;
  }
  return x;
}

static void set_input (pair *p, term input, const char *name, rng *r) {
  unsigned bits = term_bits (&p->s->m->terms, input);
  ir_value value = (rng_below (r, 3) ? (ir_value) rng_next (r) : rng_below (r, 3)) & mask (bits);
  const uint64_t *first = map_find (&p->l->input_of, input.i);
  for (unsigned bit = 0; first && bit < bits; bit++)
    net_set_input (&p->gates, (uint32_t) *first + bit, value >> bit & 1 ? ~0ull : 0);
  row *x = find_named ("input", name);
  if (x) x->value = value;
}

static void start (pair *p, rng *r) {
  net_reset_latches (&p->gates, r);
  for (unsigned k = 0; k < p->s->states.count; k++) {
    row *x = find_named ("state", p->s->m->variables.data[k].name);
    if (x) x->value = latch_word (p, k, x->bits);
  }
  for (unsigned k = 1; k <= num_rows; k++)  // the initial state is the one of the file
    if (is_op (&rows[k], "init")) {
      assert_true (rows[k].arg[1] < rows[k].arg[0]);
      assert_true (rows[rows[k].arg[0]].value == rows[rows[k].arg[1]].constant);
    }
}

static void compare_bads (const pair *p) {
  unsigned bad = 0, constraints = 0;
  for (unsigned k = 1; k <= num_rows; k++) {
    if (is_op (&rows[k], "constraint")) {
      aig_lit holds = p->l->circuit.constraints.data[constraints++].holds;
      assert_true (rows[k].value == (net_value (&p->gates, holds) & 1));
    }
    if (!is_op (&rows[k], "bad")) continue;
    assert_true (rows[k].value == (net_value (&p->gates, p->l->circuit.bads.data[bad].holds) & 1));
    char *blank = strchr (rows[k].name, '_');
    if (blank) *blank = ' ';
    assert_string_equal (rows[k].name, p->l->circuit.bads.data[bad++].name);
  }
  assert_int_equal (bad, p->l->circuit.bads.count);
  assert_int_equal (constraints, p->l->circuit.constraints.count);
}

static void step (pair *p) {
  for (unsigned k = 1; k <= num_rows; k++)
    if (is_op (&rows[k], "state")) rows[k].value = rows[k].next;
  net_step (&p->gates);
  for (unsigned k = 0; k < p->s->states.count; k++) {
    row *x = find_named ("state", p->s->m->variables.data[k].name);
    if (x) assert_true (x->value == latch_word (p, k, x->bits));
  }
}

static void words_do_what_gates_do (void **state) {
  (void) state;
  rng r = {11};
  rows = calloc (MAX_LINES, sizeof *rows);
  uint64_t states = 0;
  for (unsigned k = 0; k < SYSTEMS; k++) {
    efsm m;
    transition_system s;
    lowered l;
    strbuf text = {0};
    random_system (&s, &m, &r);
    lower_by_property (&s, RANDOM_PROPERTIES, &l);
    btor2_print (&s, RANDOM_PROPERTIES, "from a test\nof two lines", &text);
    read_file (&text);
    pair p = {.s = &s, .l = &l};
    net_simulation_init (&p.gates, &l.circuit);
    start (&p, &r);
    for (unsigned t = 0; t < STEPS; t++) {
      set_input (&p, s.scheduled, "scheduler", &r);
      for (unsigned i = 0; i < m.inputs.count; i++) set_input (&p, m.inputs.data[i].now, m.inputs.data[i].name, &r);
      net_evaluate (&p.gates);
      evaluate_rows ();
      compare_bads (&p);
      step (&p);
    }
    for (unsigned i = 1; i <= num_rows; i++) states += is_op (&rows[i], "state");
    net_simulation_release (&p.gates);
    lowered_release (&l);
    system_release (&s);
    efsm_release (&m);
    strbuf_release (&text);
  }
  assert_true (states > 3 * SYSTEMS);  // most states are needed
  free (rows);
}

TEST_MAIN (cmocka_unit_test (words_do_what_gates_do))
