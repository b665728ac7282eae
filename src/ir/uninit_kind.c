// How undefined bits can lie within bytes.  Memory knows a byte as defined or undefined; a value of which that is not
// known needs a look at its shadow when it is stored.  Found without regard to the order of edges.
#include "ir/uninit_impl.h"

ir_value uninit_known_zero (const ir_program *p, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (p, x);
  ir_value all = ir_mask (n->bits);
  switch (n->op) {
  case IR_X_CONST: return ~n->value & all;
  case IR_X_ZEXT: return (all & ~ir_mask (ir_expr_at (p, n->arg[0])->bits)) | uninit_known_zero (p, n->arg[0]);
  case IR_X_TRUNC: return uninit_known_zero (p, n->arg[0]) & all;
  case IR_X_AND: return uninit_known_zero (p, n->arg[0]) | uninit_known_zero (p, n->arg[1]);
  case IR_X_OR:
  case IR_X_XOR: return uninit_known_zero (p, n->arg[0]) & uninit_known_zero (p, n->arg[1]);
  case IR_X_SHL:
  case IR_X_LSHR: {
    if (!uninit_is_const (p, n->arg[1])) return 0;
    ir_value by = ir_expr_at (p, n->arg[1])->value, zero = uninit_known_zero (p, n->arg[0]);
    if (by >= n->bits) return all;
    if (n->op == IR_X_SHL) return (zero << by | ir_mask ((unsigned) by)) & all;
    return zero >> by | (all & ~(all >> by));
  }
  default: return 0;
  }
}

static shadow_kind worse (shadow_kind a, shadow_kind b) { return a > b ? a : b; }

// All bits undefined or none.
static shadow_kind kind_of_width (unsigned bits) {
  return bits == 1 ? SHADOW_TRUTH : bits % 8 ? SHADOW_MIXED : SHADOW_WHOLE;
}

static bool is_constant_shift_by_bytes (const uninit *u, const ir_expr_node *n) {
  const ir_expr_node *by = ir_expr_at (u->p, n->arg[1]);
  return by->op == IR_X_CONST && by->value % 8 == 0;
}

static bool is_byte_mask (const ir_expr_node *n) {
  if (n->op != IR_X_CONST) return false;
  for (unsigned k = 0; k < n->bits; k += 8)
    if ((n->value >> k & 0xff) != 0 && (n->value >> k & 0xff) != (ir_mask (n->bits) >> k & 0xff)) return false;
  return true;
}

// Of each byte, only one operand has bits that may be set.
static bool are_apart (const uninit *u, const ir_expr_node *n) {
  ir_value x = ~uninit_known_zero (u->p, n->arg[0]) & ir_mask (n->bits);
  ir_value y = ~uninit_known_zero (u->p, n->arg[1]) & ir_mask (n->bits);
  for (unsigned k = 0; k < n->bits; k += 8)
    if ((x >> k & 0xff) && (y >> k & 0xff)) return false;
  return true;
}

static shadow_kind kind_of_logic (const uninit *u, ir_proc f, const ir_expr_node *n) {
  shadow_kind both = worse (uninit_kind (u, f, n->arg[0]), uninit_kind (u, f, n->arg[1]));
  if (n->bits == 1) return SHADOW_TRUTH;
  if (n->op != IR_X_AND && are_apart (u, n)) return both;
  if (n->op == IR_X_XOR && both == SHADOW_WHOLE) return both;
  if (n->op == IR_X_AND && is_byte_mask (ir_expr_at (u->p, n->arg[1]))) return both;
  return SHADOW_MIXED;
}

static shadow_kind kind_of_arithmetic (const uninit *u, ir_proc f, const ir_expr_node *n) {
  shadow_kind both = worse (uninit_kind (u, f, n->arg[0]), uninit_kind (u, f, n->arg[1]));
  return both == SHADOW_WHOLE ? kind_of_width (n->bits) : SHADOW_MIXED;
}

shadow_kind uninit_kind (const uninit *u, ir_proc f, ir_expr x) {
  if (uninit_origin (u, f, x) == ORIGIN_NONE) return SHADOW_WHOLE;
  const ir_expr_node *n = ir_expr_at (u->p, x);
  switch (n->op) {
  case IR_X_REG: return (shadow_kind) u->kinds[uninit_reg (u, f, n->reg)];
  case IR_X_ZEXT: {
    shadow_kind inner = uninit_kind (u, f, n->arg[0]);
    return inner == SHADOW_WHOLE && ir_expr_at (u->p, n->arg[0])->bits % 8 ? SHADOW_MIXED : inner;
  }
  case IR_X_TRUNC: return worse (uninit_kind (u, f, n->arg[0]), kind_of_width (n->bits));
  case IR_X_SEXT:
    return ir_expr_at (u->p, n->arg[0])->bits == 1 ? kind_of_width (n->bits)
                                                   : worse (uninit_kind (u, f, n->arg[0]), kind_of_width (n->bits));
  case IR_X_ADD:
  case IR_X_SUB:
  case IR_X_MUL: return kind_of_arithmetic (u, f, n);
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR:
    if (!is_constant_shift_by_bytes (u, n)) return SHADOW_MIXED;
    return worse (uninit_kind (u, f, n->arg[0]), kind_of_width (n->bits));
  case IR_X_AND:
  case IR_X_OR:
  case IR_X_XOR: return kind_of_logic (u, f, n);
  case IR_X_ITE:
    return worse (uninit_kind (u, f, n->arg[1]), worse (uninit_kind (u, f, n->arg[2]), kind_of_width (n->bits)));
  case IR_X_BSWAP: return uninit_kind (u, f, n->arg[0]) == SHADOW_WHOLE ? SHADOW_WHOLE : SHADOW_MIXED;
  case IR_X_BITREV: return uninit_kind (u, f, n->arg[0]) == SHADOW_WHOLE ? kind_of_width (n->bits) : SHADOW_MIXED;
  default: return kind_of_width (n->bits);
  }
}

static void put (uninit *u, ir_proc f, ir_reg r, shadow_kind kind) {
  uint8_t *into = &u->kinds[uninit_reg (u, f, r)];
  if (*into >= kind) return;
  *into = (uint8_t) kind;
  u->changed = true;
}

static shadow_kind kind_of_value (const uninit *u, ir_proc f, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (u->p, e);
  unsigned bits = ir_proc_at (u->p, f)->regs.data[d->dst.i].bits;
  if (d->op == IR_ASSIGN) return uninit_kind (u, f, ir_arg (u->p, e, 0));
  return d->op == IR_CALL ? SHADOW_MIXED : kind_of_width (bits);
}

// What comes through a call may be anything.
void uninit_find_kinds (uninit *u) {
  for (uint32_t f = 0; f < u->p->procs.count; f++)
    for (uint32_t k = 0; k < u->p->procs.data[f].num_params; k++) u->kinds[u->procs[f].first_reg + k] = SHADOW_MIXED;
  do {
    u->changed = false;
    for (uint32_t e = 0; e < u->num_edges; e++) {
      const ir_edge_data *d = &u->p->edges.data[e];
      ir_proc f = ir_loc_at (u->p, d->from)->proc;
      if (d->dst.i != IR_NONE) put (u, f, d->dst, kind_of_value (u, f, (ir_edge){e}));
    }
  } while (u->changed);
}
