// The values on which an input is tried. Inputs of up to 8 bits: all values. Wider ones: if every use of the input is a
// comparison with a constant (or reads only its low bits, or is a remainder by a small constant), one value per region
// of equal results is as good as all values. Otherwise a sample is tried: the constants that the program compares with,
// their neighbours and the limits; the verdict is then "within bounds".
#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "engine/explicit/explicit_impl.h"

enum { SMALL_RANGE = 256 };

typedef struct tried_values {
  VEC (ir_value) values;
  bool complete, used;
  unsigned bits;
} tried_values;

struct value_table {
  const ir_program *program;
  map by_edge;  // edge and width -> index in sets
  VEC (tried_values) sets;
  VEC (uint32_t) edges;      // edges of the sets
  VEC (ir_value) constants;  // constants that the program compares with, as sign-extended 128-bit values
  bool constants_known;
};

value_table *values_new (const ir_program *p) {
  value_table *t = mem_zalloc (sizeof *t);
  t->program = p;
  return t;
}

void values_free (value_table *t) {
  for (uint32_t k = 0; k < t->sets.count; k++) vec_release (&t->sets.data[k].values);
  vec_release (&t->sets);
  vec_release (&t->edges);
  vec_release (&t->constants);
  map_release (&t->by_edge);
  mem_free (t, sizeof *t);
}

static ir_value value_bits_mask (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }

static ir_value sign_extended (ir_value x, unsigned bits) {
  ir_value sign = (ir_value) 1 << (bits - 1);
  return (x ^ sign) - sign;
}

static void add_tried_value (tried_values *s, ir_value x) {
  x &= value_bits_mask (s->bits);
  for (uint32_t k = 0; k < s->values.count; k++)
    if (s->values.data[k] == x) return;
  vec_push (&s->values, x);
}

static void add_neighbours (tried_values *s, ir_value x) {
  add_tried_value (s, x);
  add_tried_value (s, x - 1);
  add_tried_value (s, x + 1);
}

static void add_limits (tried_values *s) {
  ir_value sign = (ir_value) 1 << (s->bits - 1);
  add_tried_value (s, 0);
  add_tried_value (s, 1);
  add_tried_value (s, value_bits_mask (s->bits));  // -1
  add_tried_value (s, sign - 1);
  add_tried_value (s, sign);
}

static bool is_input_comparison (ir_expr_op op) { return op >= IR_X_EQ && op <= IR_X_SLE; }

// ---- uses of the register and of its copies -----------------------------------------------------------
typedef struct register_ref {
  uint32_t proc, reg;
} register_ref;
typedef struct input_usage {
  const ir_program *program;
  uint32_t reg;               // the register being scanned
  VEC (register_ref) places;  // the register and all its copies
  tried_values *set;
  bool compared, other;  // other: there is a use of another kind
  unsigned low_bits;     // number of low bits used, if a use reads only those; 0: no such use
  ir_value modulus;      // remainder by a constant; 0: no such use
  ir_expr_op remainder;  // signed or unsigned: the two together are not covered
} input_usage;

static const ir_expr_node *node (const input_usage *u, ir_expr x) { return ir_expr_at (u->program, x); }
static bool is_scanned_register (const input_usage *u, ir_expr x) {
  return node (u, x)->op == IR_X_REG && node (u, x)->reg.i == u->reg;
}

// Returns whether x is the register or an extension of it: comparisons with constants then still divide its range into
// intervals.
static bool is_reg_widened (const input_usage *u, ir_expr x) {
  const ir_expr_node *n = node (u, x);
  return is_scanned_register (u, x) ||
         ((n->op == IR_X_ZEXT || n->op == IR_X_SEXT) && is_scanned_register (u, n->arg[0]));
}

static bool compared_with_constant (input_usage *u, const ir_expr_node *n) {
  for (unsigned k = 0; k < 2; k++) {
    const ir_expr_node *c = node (u, n->arg[1 - k]);
    if (!is_reg_widened (u, n->arg[k]) || c->op != IR_X_CONST) continue;
    add_neighbours (u->set, c->value);
    u->compared = true;
    return true;
  }
  return false;
}

static bool low_bits_only (input_usage *u, const ir_expr_node *n) {
  unsigned bits = 0;
  if (n->op == IR_X_TRUNC && is_scanned_register (u, n->arg[0])) bits = n->bits;
  if (n->op == IR_X_AND && is_scanned_register (u, n->arg[0]) && node (u, n->arg[1])->op == IR_X_CONST) {
    ir_value mask = node (u, n->arg[1])->value;
    while (mask >> bits) bits++;
  }
  if (!bits || bits > 8) return false;
  if (bits > u->low_bits) u->low_bits = bits;
  return true;
}

static bool small_remainder (input_usage *u, const ir_expr_node *n) {
  if ((n->op != IR_X_UREM && n->op != IR_X_SREM) || !is_scanned_register (u, n->arg[0])) return false;
  const ir_expr_node *c = node (u, n->arg[1]);
  if (c->op != IR_X_CONST || !c->value || c->value > SMALL_RANGE / 2 ||
      (u->modulus && (u->modulus != c->value || u->remainder != n->op)))
    return false;
  u->modulus = c->value;
  u->remainder = n->op;
  for (ir_value k = 0; k < c->value; k++) {
    add_tried_value (u->set, k);
    if (n->op == IR_X_SREM) add_tried_value (u->set, -k);
  }
  return true;
}

static void scan_expression_uses (input_usage *u, ir_expr x) {
  const ir_expr_node *n = node (u, x);
  if (n->op == IR_X_REG) {
    u->other |= n->reg.i == u->reg;
    return;
  }
  if (is_input_comparison (n->op) && compared_with_constant (u, n)) return;
  if (low_bits_only (u, n) || small_remainder (u, n)) return;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) scan_expression_uses (u, n->arg[k]);
}

// Adds a register to which the value is copied: in this procedure, or a parameter of a called one.
static void add_register_copy (input_usage *u, uint32_t proc, uint32_t reg) {
  for (uint32_t k = 0; k < u->places.count; k++)
    if (u->places.data[k].proc == proc && u->places.data[k].reg == reg) return;
  if (at_limit (EXPLICIT_REGISTERS, u->places.count)) u->other = true;
  else vec_push (&u->places, ((register_ref){proc, reg}));
}

// Returns whether x copies the register; `condition ? constant : register`, either way round, counts as a copy, too.
static bool is_copied (input_usage *u, ir_expr x) {
  const ir_expr_node *n = node (u, x);
  if (is_reg_widened (u, x)) return true;
  if (n->op != IR_X_ITE) return false;
  for (unsigned k = 1; k <= 2; k++)
    if (is_reg_widened (u, n->arg[k]) && node (u, n->arg[3 - k])->op == IR_X_CONST) {
      scan_expression_uses (u, n->arg[0]);
      return true;
    }
  return false;
}

// Returns the procedure that the edge calls; IR_NONE: it calls none, or an unknown one.
static uint32_t called_procedure (const input_usage *u, const ir_edge_data *e) {
  if (e->op != IR_CALL) return IR_NONE;
  const ir_expr_node *f = node (u, u->program->args.data[e->first_arg]);
  return f->op == IR_X_ADDR && !f->offset ? ir_object_at (u->program, f->object)->proc.i : IR_NONE;
}

static void scan_edge_uses (input_usage *u, uint32_t proc, const ir_edge_data *e) {
  uint32_t called = called_procedure (u, e);
  for (uint32_t k = 0; k < e->num_args; k++) {
    ir_expr x = u->program->args.data[e->first_arg + k];
    if (e->op == IR_ASSIGN && is_copied (u, x)) add_register_copy (u, proc, e->dst.i);
    else if (called == IR_NONE || !k || !is_copied (u, x)) scan_expression_uses (u, x);
    else if (k <= u->program->procs.data[called].num_params) add_register_copy (u, called, k - 1);
  }
}

static void scan_procedure_uses (input_usage *u, uint32_t proc) {
  const ir_program *p = u->program;
  const ir_proc_data *d = &p->procs.data[proc];
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
    for (uint32_t e = 0; e < loc->num_edges; e++) scan_edge_uses (u, proc, &p->edges.data[loc->first_edge + e]);
  }
}

static void scan_all_copies (input_usage *u, uint32_t proc, uint32_t reg) {
  add_register_copy (u, proc, reg);
  for (uint32_t k = 0; k < u->places.count; k++) {
    u->reg = u->places.data[k].reg;
    scan_procedure_uses (u, u->places.data[k].proc);
  }
  vec_release (&u->places);
}

// Returns whether the values in the set stand for all values.
static bool regions_covered (input_usage *u) {
  if (u->other || u->low_bits + (u->modulus != 0) + u->compared == 0) return false;
  if ((u->low_bits != 0) + (u->modulus != 0) + u->compared != 1) return false;
  if (u->low_bits)
    for (ir_value k = 0; k < (ir_value) 1 << u->low_bits; k++) add_tried_value (u->set, k);
  return true;
}

// ---- constants of the whole program -------------------------------------------------------------------
static void collect_constants (value_table *t) {
  const ir_program *p = t->program;
  t->constants_known = true;
  for (uint32_t x = 0; x < p->exprs.count; x++) {
    const ir_expr_node *n = &p->exprs.data[x];
    if (!is_input_comparison (n->op)) continue;
    for (unsigned k = 0; k < 2; k++) {
      const ir_expr_node *c = ir_expr_at (p, n->arg[k]);
      if (c->op != IR_X_CONST || c->bits < 8 || at_limit (EXPLICIT_CONSTANTS, t->constants.count)) continue;
      vec_push (&t->constants, sign_extended (c->value, c->bits));
    }
  }
}

static void sample (value_table *t, tried_values *s) {
  if (!t->constants_known) collect_constants (t);
  add_limits (s);
  add_tried_value (s, 2);  // small counts, for example of threads
  add_tried_value (s, 3);
  for (uint32_t k = 0; k < t->constants.count && !at_limit (EXPLICIT_VALUES, s->values.count); k++)
    add_neighbours (s, t->constants.data[k]);
}

// ---- the table ----------------------------------------------------------------------------------------
static void fill_tried_values (value_table *t, tried_values *s, uint32_t edge) {
  if (s->bits <= 8) {
    for (ir_value k = 0; k <= value_bits_mask (s->bits); k++) vec_push (&s->values, k);
    s->complete = true;
    return;
  }
  const ir_edge_data *d = &t->program->edges.data[edge];
  input_usage u = {.program = t->program, .set = s};
  ir_proc proc = ir_loc_at (t->program, d->from)->proc;
  bool whole = d->dst.i != IR_NONE && (d->op == IR_NONDET || d->op == IR_LOAD) &&
               ir_proc_at (t->program, proc)->regs.data[d->dst.i].bits == s->bits;
  add_tried_value (s, 0);
  if (whole) scan_all_copies (&u, proc.i, d->dst.i);
  // A value read from memory stays there and may be read again elsewhere.
  s->complete = whole && d->op == IR_NONDET && regions_covered (&u);
  if (s->complete && u.compared) add_limits (s);
  if (!s->complete) sample (t, s);
}

static tried_values *tried_values_at (value_table *t, uint32_t edge, unsigned bits) {
  bool is_new;
  uint64_t *index = map_insert (&t->by_edge, (uint64_t) edge << 8 | bits, t->sets.count, &is_new);
  if (is_new) {
    tried_values s = {.bits = bits};
    fill_tried_values (t, &s, edge);
    vec_push (&t->sets, s);
    vec_push (&t->edges, edge);
  }
  return &t->sets.data[*index];
}

uint32_t values_count (value_table *t, uint32_t edge, unsigned bits) {
  tried_values *s = tried_values_at (t, edge, bits);
  s->used = true;
  return s->values.count;
}

ir_value values_get (value_table *t, uint32_t edge, unsigned bits, uint32_t k) {
  return tried_values_at (t, edge, bits)->values.data[k];
}
bool values_complete (value_table *t, uint32_t edge, unsigned bits) {
  return tried_values_at (t, edge, bits)->complete;
}

void values_add_bounds (value_table *t, verdict *v) {
  for (uint32_t k = 0; k < t->sets.count; k++) {
    const tried_values *s = &t->sets.data[k];
    if (s->complete || !s->used) continue;
    const ir_edge_data *d = &t->program->edges.data[t->edges.data[k]];
    const char *what = d->op == IR_NONDET ? (d->message ? d->message : "input") : "uninitialised memory";
    verdict_add_bound (v, "%s at %s:%u: %u of 2^%u values", what, d->pos.file ? d->pos.file : "?", d->pos.line,
                       s->values.count, s->bits);
  }
}
