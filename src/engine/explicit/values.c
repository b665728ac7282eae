// Which values an input is tried on.  Up to 8 bits: all.  Wider: if every use of the input is a comparison with a constant (or only
// its low bits, or a remainder by a small constant), one value per region of equal outcomes is as good as all of them.  Otherwise
// the values that matter are tried: the constants the program compares with, their neighbours and the limits; the verdict is
// then "within bounds".
#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "engine/explicit/explicit_impl.h"

enum { SMALL_RANGE = 256 };

typedef struct value_set {
  VEC (ir_value) values;
  bool complete, used;
  unsigned bits;
} value_set;

struct value_table {
  const ir_program *program;
  map by_edge;  // edge -> index + 1 into sets
  VEC (value_set) sets;
  VEC (uint32_t) edges;      // of sets
  VEC (ir_value) constants;  // what the program compares with, as sign-extended 128-bit values
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

static ir_value mask_of (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }

static ir_value sign_extended (ir_value x, unsigned bits) {
  ir_value sign = (ir_value) 1 << (bits - 1);
  return (x ^ sign) - sign;
}

static void add (value_set *s, ir_value x) {
  x &= mask_of (s->bits);
  for (uint32_t k = 0; k < s->values.count; k++)
    if (s->values.data[k] == x) return;
  vec_push (&s->values, x);
}

static void add_neighbours (value_set *s, ir_value x) {
  add (s, x);
  add (s, x - 1);
  add (s, x + 1);
}

static void add_limits (value_set *s) {
  ir_value sign = (ir_value) 1 << (s->bits - 1);
  add (s, 0);
  add (s, 1);
  add (s, mask_of (s->bits));  // -1
  add (s, sign - 1);
  add (s, sign);
}

static bool is_comparison (ir_expr_op op) { return op >= IR_X_EQ && op <= IR_X_SLE; }

// ---- how the register is used, and those that it is copied to ------------------------------------------
typedef struct place {
  uint32_t proc, reg;
} place;
typedef struct usage {
  const ir_program *program;
  uint32_t reg;        // now
  VEC (place) places;  // all of them
  value_set *set;
  bool compared, other;  // other: a use that is none of the recognised ones
  unsigned low_bits;     // only the low bits are looked at, here and there; 0: no such use
  ir_value modulus;      // remainder by a constant; 0: no such use
  ir_expr_op remainder;  // signed or unsigned: both together are not covered
} usage;

static const ir_expr_node *node (const usage *u, ir_expr x) { return ir_expr_at (u->program, x); }
static bool is_reg (const usage *u, ir_expr x) { return node (u, x)->op == IR_X_REG && node (u, x)->reg.i == u->reg; }

// The register itself, or widened: comparisons with constants then still cut its range into intervals.
static bool is_reg_widened (const usage *u, ir_expr x) {
  const ir_expr_node *n = node (u, x);
  return is_reg (u, x) || ((n->op == IR_X_ZEXT || n->op == IR_X_SEXT) && is_reg (u, n->arg[0]));
}

static bool compared_with_constant (usage *u, const ir_expr_node *n) {
  for (unsigned k = 0; k < 2; k++) {
    const ir_expr_node *c = node (u, n->arg[1 - k]);
    if (!is_reg_widened (u, n->arg[k]) || c->op != IR_X_CONST) continue;
    add_neighbours (u->set, c->value);
    u->compared = true;
    return true;
  }
  return false;
}

static bool low_bits_only (usage *u, const ir_expr_node *n) {
  unsigned bits = 0;
  if (n->op == IR_X_TRUNC && is_reg (u, n->arg[0])) bits = n->bits;
  if (n->op == IR_X_AND && is_reg (u, n->arg[0]) && node (u, n->arg[1])->op == IR_X_CONST) {
    ir_value mask = node (u, n->arg[1])->value;
    while (mask >> bits) bits++;
  }
  if (!bits || bits > 8) return false;
  if (bits > u->low_bits) u->low_bits = bits;
  return true;
}

static bool small_remainder (usage *u, const ir_expr_node *n) {
  if ((n->op != IR_X_UREM && n->op != IR_X_SREM) || !is_reg (u, n->arg[0])) return false;
  const ir_expr_node *c = node (u, n->arg[1]);
  if (c->op != IR_X_CONST || !c->value || c->value > SMALL_RANGE / 2 ||
      (u->modulus && (u->modulus != c->value || u->remainder != n->op)))
    return false;
  u->modulus = c->value;
  u->remainder = n->op;
  for (ir_value k = 0; k < c->value; k++) {
    add (u->set, k);
    if (n->op == IR_X_SREM) add (u->set, -k);
  }
  return true;
}

static void scan (usage *u, ir_expr x) {
  const ir_expr_node *n = node (u, x);
  if (n->op == IR_X_REG) {
    u->other |= n->reg.i == u->reg;
    return;
  }
  if (is_comparison (n->op) && compared_with_constant (u, n)) return;
  if (low_bits_only (u, n) || small_remainder (u, n)) return;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) scan (u, n->arg[k]);
}

// The value goes on in another register: of this procedure, or as a parameter of one that is called.
static void follow (usage *u, uint32_t proc, uint32_t reg) {
  for (uint32_t k = 0; k < u->places.count; k++)
    if (u->places.data[k].proc == proc && u->places.data[k].reg == reg) return;
  if (at_limit (EXPLICIT_REGISTERS, u->places.count)) u->other = true;
  else vec_push (&u->places, ((place){proc, reg}));
}

// A copy is also `condition ? constant : register`, either way round.
static bool is_copied (usage *u, ir_expr x) {
  const ir_expr_node *n = node (u, x);
  if (is_reg_widened (u, x)) return true;
  if (n->op != IR_X_ITE) return false;
  for (unsigned k = 1; k <= 2; k++)
    if (is_reg_widened (u, n->arg[k]) && node (u, n->arg[3 - k])->op == IR_X_CONST) {
      scan (u, n->arg[0]);
      return true;
    }
  return false;
}

// The procedure that the edge calls; IR_NONE: it calls none, or one that is not known.
static uint32_t callee (const usage *u, const ir_edge_data *e) {
  if (e->op != IR_CALL) return IR_NONE;
  const ir_expr_node *f = node (u, u->program->args.data[e->first_arg]);
  return f->op == IR_X_ADDR && !f->offset ? ir_object_at (u->program, f->object)->proc.i : IR_NONE;
}

static void scan_edge (usage *u, uint32_t proc, const ir_edge_data *e) {
  uint32_t called = callee (u, e);
  for (uint32_t k = 0; k < e->num_args; k++) {
    ir_expr x = u->program->args.data[e->first_arg + k];
    if (e->op == IR_ASSIGN && is_copied (u, x)) follow (u, proc, e->dst.i);
    else if (called == IR_NONE || !k || !is_copied (u, x)) scan (u, x);
    else if (k <= u->program->procs.data[called].num_params) follow (u, called, k - 1);
  }
}

static void scan_proc (usage *u, uint32_t proc) {
  const ir_program *p = u->program;
  const ir_proc_data *d = &p->procs.data[proc];
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
    for (uint32_t e = 0; e < loc->num_edges; e++) scan_edge (u, proc, &p->edges.data[loc->first_edge + e]);
  }
}

static void scan_places (usage *u, uint32_t proc, uint32_t reg) {
  follow (u, proc, reg);
  for (uint32_t k = 0; k < u->places.count; k++) {
    u->reg = u->places.data[k].reg;
    scan_proc (u, u->places.data[k].proc);
  }
  vec_release (&u->places);
}

// True if the values in the set stand for all.
static bool regions_covered (usage *u) {
  if (u->other || u->low_bits + (u->modulus != 0) + u->compared == 0) return false;
  if ((u->low_bits != 0) + (u->modulus != 0) + u->compared != 1) return false;
  if (u->low_bits)
    for (ir_value k = 0; k < (ir_value) 1 << u->low_bits; k++) add (u->set, k);
  return true;
}

// ---- constants of the whole program --------------------------------------------------------------------
static void collect_constants (value_table *t) {
  const ir_program *p = t->program;
  t->constants_known = true;
  for (uint32_t x = 0; x < p->exprs.count; x++) {
    const ir_expr_node *n = &p->exprs.data[x];
    if (!is_comparison (n->op)) continue;
    for (unsigned k = 0; k < 2; k++) {
      const ir_expr_node *c = ir_expr_at (p, n->arg[k]);
      if (c->op != IR_X_CONST || c->bits < 8 || at_limit (EXPLICIT_CONSTANTS, t->constants.count)) continue;
      vec_push (&t->constants, sign_extended (c->value, c->bits));
    }
  }
}

static void sample (value_table *t, value_set *s) {
  if (!t->constants_known) collect_constants (t);
  add_limits (s);
  add (s, 2);  // small counts: threads, cells
  add (s, 3);
  for (uint32_t k = 0; k < t->constants.count && !at_limit (EXPLICIT_VALUES, s->values.count); k++)
    add_neighbours (s, t->constants.data[k]);
}

// ---- the table -----------------------------------------------------------------------------------------
static void fill (value_table *t, value_set *s, uint32_t edge) {
  if (s->bits <= 8) {
    for (ir_value k = 0; k <= mask_of (s->bits); k++) vec_push (&s->values, k);
    s->complete = true;
    return;
  }
  const ir_edge_data *d = &t->program->edges.data[edge];
  usage u = {.program = t->program, .set = s};
  ir_proc proc = ir_loc_at (t->program, d->from)->proc;
  bool whole = d->dst.i != IR_NONE && (d->op == IR_NONDET || d->op == IR_LOAD) &&
               ir_proc_at (t->program, proc)->regs.data[d->dst.i].bits == s->bits;
  add (s, 0);
  if (whole) scan_places (&u, proc.i, d->dst.i);
  // A value that was read from memory stays there and may be read again elsewhere.
  s->complete = whole && d->op == IR_NONDET && regions_covered (&u);
  if (s->complete && u.compared) add_limits (s);
  if (!s->complete) sample (t, s);
}

static value_set *set_of (value_table *t, uint32_t edge, unsigned bits) {
  bool is_new;
  uint64_t *index = map_insert (&t->by_edge, (uint64_t) edge << 8 | bits, t->sets.count, &is_new);
  if (is_new) {
    value_set s = {.bits = bits};
    fill (t, &s, edge);
    vec_push (&t->sets, s);
    vec_push (&t->edges, edge);
  }
  return &t->sets.data[*index];
}

uint32_t values_count (value_table *t, uint32_t edge, unsigned bits) {
  value_set *s = set_of (t, edge, bits);
  s->used = true;
  return s->values.count;
}

ir_value values_get (value_table *t, uint32_t edge, unsigned bits, uint32_t k) {
  return set_of (t, edge, bits)->values.data[k];
}
bool values_complete (value_table *t, uint32_t edge, unsigned bits) { return set_of (t, edge, bits)->complete; }

void values_add_bounds (value_table *t, verdict *v) {
  for (uint32_t k = 0; k < t->sets.count; k++) {
    const value_set *s = &t->sets.data[k];
    if (s->complete || !s->used) continue;
    const ir_edge_data *d = &t->program->edges.data[t->edges.data[k]];
    const char *what = d->op == IR_NONDET ? (d->message ? d->message : "input") : "uninitialised memory";
    verdict_add_bound (v, "%s at %s:%u: %u of 2^%u values", what, d->pos.file ? d->pos.file : "?", d->pos.line,
                       s->values.count, s->bits);
  }
}
