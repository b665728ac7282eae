// Terms are interned nodes.  Sums are flattened, their constants added up and their parts sorted, so that `a + i*16 +
// 8` and `(a + 8) + i*16` are one term.
//
// A term may replace a register only if it still equals the register wherever the register is used.  For a register
// with one definition r := e that holds, because in SSA form the definitions of the registers in e dominate r's, and no
// path leads from a redefinition of one of them to a use of r without passing r's own definition.  It does not hold
// among the assignments that carry values to a join (phi functions): there, a register of e may already have its next
// value while r still has the old one (value_assigned).
#include "base/limits.h"
#include "engine/locks/names/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

static value_term none (void) { return (value_term){VALUE_NONE}; }
static bool is_none (value_term v) { return v.i == VALUE_NONE; }

const value_node *value_node_at (const values_table *t, value_term v) { return intern_get (&t->nodes, v.i, NULL); }

static unsigned num_arguments (const value_node *n) {
  return n->kind == V_LOAD ? 1 : n->kind == V_OP ? ir_expr_arity ((ir_expr_op) n->op) : 0;
}

static value_term argument (const value_node *n, unsigned k) {
  return (value_term){k == 0 ? n->a : k == 1 ? n->b : n->c};
}

static uint32_t term_size (const values_table *t, const value_node *n) {
  uint64_t size = 1;
  for (unsigned k = 0; k < num_arguments (n); k++) size += t->sizes.data[argument (n, k).i];
  return size < UINT32_MAX ? (uint32_t) size : UINT32_MAX;
}

static value_term add_value_node (values_table *t, value_node n) {
  uint32_t number = intern_add (&t->nodes, &n, sizeof n, NULL);
  if (number == t->sizes.count) vec_push (&t->sizes, term_size (t, &n));
  return (value_term){number};
}

value_term value_const (values_table *t, unsigned bits, ir_value x) {
  return add_value_node (
      t, (value_node){.kind = V_CONST, .bits = (uint16_t) bits, .low = (uint64_t) x, .high = (uint64_t) (x >> 64)});
}

value_term value_reg (values_table *t, ir_proc f, uint32_t reg) {
  uint16_t bits = ir_proc_at (t->program, f)->regs.data[reg].bits;
  return add_value_node (t, (value_node){.kind = V_REG, .bits = bits, .a = f.i, .b = reg});
}

value_term value_result (values_table *t) { return add_value_node (t, (value_node){.kind = V_RESULT}); }

static value_term value_addr (values_table *t, uint32_t object) {
  return add_value_node (t, (value_node){.kind = V_ADDR, .bits = t->program->pointer_bits, .a = object});
}

bool value_constant (const values_table *t, value_term v, ir_value *x) {
  const value_node *n = value_node_at (t, v);
  if (n->kind != V_CONST) return false;
  *x = (ir_value) n->high << 64 | n->low;
  return true;
}

// ---- definitions ----------------------------------------------------------------------------------------
static bool assign_same_constant (const ir_program *p, uint32_t a, uint32_t b) {
  if (p->edges.data[a].op != IR_ASSIGN || p->edges.data[b].op != IR_ASSIGN) return false;
  ir_expr x = ir_arg (p, (ir_edge){a}, 0), y = ir_arg (p, (ir_edge){b}, 0);
  return x.i == y.i && ir_expr_at (p, x)->op == IR_X_CONST;
}

// Several definitions that assign the same constant count as one.
static void note_register_definition (values_table *t, ir_proc f, ir_reg r, uint32_t edge) {
  if (r.i == IR_NONE) return;
  uint32_t *known = &t->definition[f.i][r.i].i;
  if (*known < IR_NONE - 1 && assign_same_constant (t->program, *known, edge)) return;
  *known = *known == IR_NONE - 1 ? edge : IR_NONE;
}

static void find_register_definitions (values_table *t) {
  const ir_program *p = t->program;
  t->definition = mem_zalloc (sizeof *t->definition * p->procs.count);
  for (uint32_t f = 0; f < p->procs.count; f++) {
    const ir_proc_data *d = &p->procs.data[f];
    t->definition[f] = mem_alloc (sizeof (ir_edge) * (d->regs.count ? d->regs.count : 1));
    for (uint32_t r = 0; r < d->regs.count; r++) t->definition[f][r].i = r < d->num_params ? IR_NONE : IR_NONE - 1;
  }
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    ir_proc f = ir_loc_at (p, d->from)->proc;
    if (d->dst.i != IR_NONE && d->dst.i < ir_proc_at (p, f)->num_params) t->assigned_param[f.i] = true;
    note_register_definition (t, f, d->dst, e);
    note_register_definition (t, f, d->dst2, e);
  }
}

void values_table_init (values_table *t, const ir_program *p, const stable *s, const unique *u) {
  *t = (values_table){.program = p, .stable = s, .unique = u};
  t->assigned_param = mem_zalloc (p->procs.count);
  find_register_definitions (t);
}

void values_table_release (values_table *t) {
  for (uint32_t f = 0; f < t->program->procs.count; f++) {
    uint32_t regs = t->program->procs.data[f].regs.count;
    mem_free (t->definition[f], sizeof (ir_edge) * (regs ? regs : 1));
  }
  mem_free (t->definition, sizeof *t->definition * t->program->procs.count);
  mem_free (t->assigned_param, t->program->procs.count);
  vec_release (&t->fixed);
  vec_release (&t->sizes);
  intern_release (&t->nodes);
  map_release (&t->resolved);
}

// ---- sums -----------------------------------------------------------------------------------------------
typedef struct sum {
  value_term part[LIMIT_LOCK_VALUE_TERMS];
  uint32_t count;
  ir_value constant;
  unsigned bits;
  bool too_long;
} sum;

static void add_part (values_table *t, sum *s, value_term v) {
  const value_node *n = value_node_at (t, v);
  ir_value x;
  if (value_constant (t, v, &x)) s->constant += x;
  else if (n->kind == V_OP && n->op == IR_X_ADD) {
    uint32_t a = n->a, b = n->b;
    add_part (t, s, (value_term){a});
    add_part (t, s, (value_term){b});
  } else if (at_limit (LOCK_VALUE_TERMS, s->count)) s->too_long = true;
  else s->part[s->count++] = v;
}

static int by_term_number (const void *x, const void *y) {
  uint32_t a = ((const value_term *) x)->i, b = ((const value_term *) y)->i;
  return (a > b) - (a < b);
}

static value_term make_op (values_table *t, ir_expr_op op, unsigned bits, value_term a, value_term b, value_term c) {
  return add_value_node (
      t, (value_node){.kind = V_OP, .op = (uint8_t) op, .bits = (uint16_t) bits, .a = a.i, .b = b.i, .c = c.i});
}

static value_term make_sum (values_table *t, value_term a, value_term b, unsigned bits) {
  sum s = {.bits = bits};
  add_part (t, &s, a);
  add_part (t, &s, b);
  if (s.too_long) return make_op (t, IR_X_ADD, bits, a, b, none ());
  if (bits < 128) s.constant &= ((ir_value) 1 << bits) - 1;
  if (!s.count) return value_const (t, bits, s.constant);
  qsort (s.part, s.count, sizeof *s.part, by_term_number);
  value_term all = s.part[0];
  for (uint32_t k = 1; k < s.count; k++) all = make_op (t, IR_X_ADD, bits, all, s.part[k], none ());
  return s.constant ? make_op (t, IR_X_ADD, bits, all, value_const (t, bits, s.constant), none ()) : all;
}

static value_term negate_constant (values_table *t, value_term v) {
  ir_value x;
  if (!value_constant (t, v, &x)) return none ();
  unsigned bits = value_node_at (t, v)->bits;
  return value_const (t, bits, bits < 128 ? (-x) & (((ir_value) 1 << bits) - 1) : -x);
}

// ---- operators ------------------------------------------------------------------------------------------
static bool all_constant (const values_table *t, const value_term arg[3], unsigned arity, ir_value out[3]) {
  for (unsigned k = 0; k < arity; k++)
    if (!value_constant (t, arg[k], &out[k])) return false;
  return true;
}

static value_term apply_operator (values_table *t, ir_expr_op op, unsigned bits, const value_term arg[3]) {
  unsigned arity = ir_expr_arity (op);
  ir_value x[3] = {0};
  for (unsigned k = 0; k < arity; k++)
    if (is_none (arg[k])) return none ();
  if (all_constant (t, arg, arity, x)) {
    unsigned operand_bits = value_node_at (t, arg[arity == 3 ? 1 : 0])->bits;
    return value_const (t, bits, ir_eval_op (op, bits, operand_bits, x));
  }
  if (op == IR_X_ADD) return make_sum (t, arg[0], arg[1], bits);
  if (op == IR_X_SUB) {
    value_term minus = negate_constant (t, arg[1]);
    if (!is_none (minus)) return make_sum (t, arg[0], minus, bits);
  }
  return make_op (t, op, bits, arg[0], arity > 1 ? arg[1] : none (), arity > 2 ? arg[2] : none ());
}

value_term value_apply (values_table *t, ir_expr_op op, unsigned bits, value_term a, value_term b) {
  return apply_operator (t, op, bits, (const value_term[3]){a, b, none ()});
}

// ---- registers and expressions -----------------------------------------------------------------------------
value_term value_load (values_table *t, value_term at, uint32_t bytes) {
  if (is_none (at)) return at;
  return add_value_node (t, (value_node){.kind = V_LOAD, .bits = (uint16_t) (8 * bytes), .a = at.i, .b = bytes});
}

static value_term of_load (values_table *t, ir_proc f, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (t->program, e);
  if (!stable_load (t->stable, e)) return none ();
  return value_load (t, value_of_expr (t, f, ir_arg (t->program, e, 0)), d->bytes);
}

static value_term of_definition (values_table *t, ir_proc f, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (t->program, e);
  switch (d->op) {
  case IR_ASSIGN: return value_of_expr (t, f, ir_arg (t->program, e, 0));
  case IR_LOAD: return of_load (t, f, e);
  case IR_ALLOC: {
    uint32_t site = pointsto_site (t->stable->targets, e);
    return unique_object (t->unique, site) ? value_addr (t, site) : none ();
  }
  case IR_NOP:
  case IR_ASSUME:
  case IR_NONDET:
  case IR_CHECK:
  case IR_CALL:
  case IR_RETURN:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_STORE:
  case IR_LOAD_RAW:
  case IR_STORE_RAW:
  case IR_RMW:
  case IR_CMPXCHG:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_OPERATIONS:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  return none ();
}

static value_term of_register (values_table *t, ir_proc f, uint32_t reg) {
  ir_edge e = t->definition[f.i][reg];
  if (e.i >= IR_NONE - 1 || at_limit (LOCK_VALUE_DEPTH, t->depth)) return value_reg (t, f, reg);
  t->depth++;
  value_term v = of_definition (t, f, e);
  t->depth--;
  return is_none (v) || over_limit (LOCK_VALUE_NODES, t->sizes.data[v.i]) ? value_reg (t, f, reg) : v;
}

static value_term of_expression (values_table *t, ir_proc f, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (t->program, x);
  switch (n->op) {
  case IR_X_CONST: return value_const (t, n->bits, n->value);
  case IR_X_REG: return of_register (t, f, n->reg.i);
  case IR_X_ADDR: {
    value_term object = value_addr (t, n->object.i);
    return n->offset ? make_sum (t, object, value_const (t, n->bits, n->offset), n->bits) : object;
  }
  default: break;
  }
  value_term arg[3] = {none (), none (), none ()};
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) arg[k] = value_of_expr (t, f, n->arg[k]);
  return apply_operator (t, n->op, n->bits, arg);
}

// A register whose term is too large, or whose chain of definitions is too long, is a leaf.
value_term value_of_expr (values_table *t, ir_proc f, ir_expr x) {
  uint64_t key = (uint64_t) f.i << 32 | x.i;
  const uint64_t *known = map_find (&t->resolved, key);
  if (known) return (value_term){(uint32_t) *known};
  value_term v = of_expression (t, f, x);
  map_insert (&t->resolved, key, v.i, NULL);
  return v;
}

static bool changes (const values_table *t, value_term v) {
  const value_node *n = value_node_at (t, v);
  if (n->kind == V_REG)
    return t->definition[n->a][n->b].i == IR_NONE && !value_is_param (t, v, (ir_proc){n->a}, &(uint32_t){0});
  for (unsigned k = 0; k < num_arguments (n); k++)
    if (changes (t, argument (n, k))) return true;
  return false;
}

value_term value_assigned (values_table *t, ir_proc f, ir_edge assign) {
  const ir_edge_data *d = ir_edge_at (t->program, assign);
  ir_expr x = ir_arg (t->program, assign, 0);
  const ir_expr_node *n = ir_expr_at (t->program, x);
  value_term v = value_of_expr (t, f, x);
  bool carries = t->definition[f.i][d->dst.i].i == IR_NONE;
  if (is_none (v) || !carries || (n->op == IR_X_REG && v.i == value_reg (t, f, n->reg.i).i)) return v;
  return changes (t, v) ? none () : v;
}

// ---- addresses --------------------------------------------------------------------------------------------
term_address address_split (values_table *t, value_term v) {
  if (is_none (v)) return (term_address){v, 0};
  const value_node *n = value_node_at (t, v);
  ir_value x;
  if (n->kind != V_OP || n->op != IR_X_ADD || !value_constant (t, (value_term){n->b}, &x)) return (term_address){v, 0};
  int64_t offset = (int64_t) (uint64_t) x;
  if (n->bits == 32) offset = (int32_t) offset;
  return (term_address){{n->a}, offset};
}

term_address address_in (values_table *t, ir_proc f, ir_expr x) { return address_split (t, value_of_expr (t, f, x)); }

// ---- questions --------------------------------------------------------------------------------------------
bool value_is_fixed (values_table *t, value_term v) {
  if (is_none (v)) return false;
  while (t->fixed.count < intern_count (&t->nodes)) {
    const value_node *n = value_node_at (t, (value_term){t->fixed.count});
    bool yes = n->kind == V_CONST || n->kind == V_LOAD || n->kind == V_OP ||
               (n->kind == V_ADDR && unique_object (t->unique, n->a));
    for (unsigned k = 0; k < num_arguments (n); k++) yes = yes && t->fixed.data[argument (n, k).i];
    vec_push (&t->fixed, yes);
  }
  return t->fixed.data[v.i];
}

bool value_uses (const values_table *t, value_term v, ir_proc f, uint32_t reg) {
  if (is_none (v)) return false;
  const value_node *n = value_node_at (t, v);
  if (n->kind == V_REG) return n->a == f.i && n->b == reg;
  for (unsigned k = 0; k < num_arguments (n); k++)
    if (value_uses (t, argument (n, k), f, reg)) return true;
  return false;
}

bool value_is_param (const values_table *t, value_term v, ir_proc f, uint32_t *k) {
  if (is_none (v)) return false;
  const value_node *n = value_node_at (t, v);
  if (n->kind != V_REG || n->a != f.i || n->b >= ir_proc_at (t->program, f)->num_params || t->assigned_param[f.i])
    return false;
  *k = n->b;
  return true;
}

bool value_over_params (const values_table *t, value_term v, ir_proc f) {
  if (is_none (v)) return false;
  const value_node *n = value_node_at (t, v);
  uint32_t k;
  if (n->kind == V_REG) return value_is_param (t, v, f, &k);
  for (unsigned i = 0; i < num_arguments (n); i++)
    if (!value_over_params (t, argument (n, i), f)) return false;
  return n->kind != V_RESULT;
}

value_term value_replace (values_table *t, value_term v, value_leaf leaf, void *state) {
  if (is_none (v)) return v;
  value_node n = *value_node_at (t, v);
  if (n.kind == V_REG || n.kind == V_RESULT) return leaf (state, v);
  if (!num_arguments (&n)) return v;
  value_term arg[3] = {none (), none (), none ()};
  for (unsigned k = 0; k < num_arguments (&n); k++) {
    arg[k] = value_replace (t, argument (&n, k), leaf, state);
    if (is_none (arg[k])) return none ();
  }
  if (n.kind == V_OP) return apply_operator (t, (ir_expr_op) n.op, n.bits, arg);
  n.a = arg[0].i;
  return add_value_node (t, n);
}
