// Fixes invented values: returns a program in which each invented value has one value chosen beforehand.
//
// A bug that depends on no invented value exists for all of these values, so it also exists in the program with fixed
// values; a violation that does not exist there depends on another value.  So after an engine has found a conditional
// violation, it can be run again on a program in which the condition of that violation is false
// (engine/retry_conditional.c).
//
// The NONDET edges stay, and an assumption follows each of them.  After a FORGET the contents of the object are chosen
// at once.  All additions are at new locations, so every edge keeps its number, and added edges have larger numbers.
#include "base/limits.h"
#include "ir/ir_impl.h"

bool ir_invents (const ir_program *p) {
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].origin != IR_INPUT) return true;
  return false;
}

// ---- constants that a register is compared with ---------------------------------------------------------------------
static bool is_register_use (const ir_program *p, ir_expr x, ir_reg r) {
  const ir_expr_node *n = ir_expr_at (p, x);
  while (n->op != IR_X_REG && ir_expr_arity (n->op) == 1) n = ir_expr_at (p, n->arg[0]);
  return n->op == IR_X_REG && n->reg.i == r.i;
}

static bool find_compared (const ir_program *p, ir_expr x, ir_reg r, ir_value *value) {
  const ir_expr_node *n = ir_expr_at (p, x);
  unsigned arity = ir_expr_arity (n->op);
  for (unsigned k = 0; k < 2 && arity == 2 && n->bits == 1; k++) {
    const ir_expr_node *other = ir_expr_at (p, n->arg[1 - k]);
    *value = other->value;
    if (is_register_use (p, n->arg[k], r) && other->op == IR_X_CONST) return true;
  }
  for (unsigned k = 0; k < arity; k++)
    if (find_compared (p, n->arg[k], r, value)) return true;
  return false;
}

static ir_value value_compared (const ir_program *p, ir_proc proc, ir_reg r) {
  ir_value value = 0;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    if (ir_loc_at (p, d->from)->proc.i != proc.i) continue;
    for (uint32_t k = 0; k < d->num_args; k++)
      if (find_compared (p, p->args.data[d->first_arg + k], r, &value)) return value;
  }
  return 2;  // compared with no constant: use another small number than ZERO and ONE
}

// ---- added edges ----------------------------------------------------------------------------------------------------
static ir_value settlement_value (const ir_program *p, ir_settlement how, const ir_edge_data *d, ir_proc proc,
                                  unsigned bits) {
  if (d->origin != IR_INVENTED || how == IR_SETTLE_ZERO) return 0;
  if (how == IR_SETTLE_COMPARED) return value_compared (p, proc, d->dst) & ir_mask (bits);
  return how == IR_SETTLE_ONE ? 1 : ir_mask (bits);
}

// Adds an edge after `e`, between `e` and its target.
static ir_edge add_edge_behind (ir_program *p, ir_edge e, ir_op op) {
  ir_loc to = ir_edge_at (p, e)->to, between = ir_add_loc (p, ir_loc_at (p, ir_edge_at (p, e)->from)->proc);
  ir_edge_at (p, e)->to = between;
  ir_edge added = ir_add_edge (p, op, between, to);
  ir_edge_at (p, added)->pos = ir_edge_at (p, e)->pos;
  return added;
}

static ir_edge assume_settled_value (ir_program *p, ir_edge e, ir_settlement how) {
  const ir_edge_data d = *ir_edge_at (p, e);
  ir_proc proc = ir_loc_at (p, d.from)->proc;
  unsigned bits = ir_proc_at (p, proc)->regs.data[d.dst.i].bits;
  bool never = how == IR_SETTLE_NEVER && d.origin == IR_INVENTED;
  ir_expr wanted = ir_const (p, bits, settlement_value (p, how, &d, proc, bits));
  ir_edge assumed = add_edge_behind (p, e, IR_ASSUME);
  ir_add_arg (p, assumed, never ? ir_const (p, 1, 0) : ir_binary (p, IR_X_EQ, ir_use (p, proc, d.dst), wanted));
  return assumed;
}

static ir_edge settle_word (ir_program *p, ir_edge behind, ir_object o, uint32_t offset, uint32_t bytes,
                            ir_settlement how) {
  ir_proc proc = ir_loc_at (p, ir_edge_at (p, behind)->from)->proc;
  const char *message = ir_edge_at (p, behind)->message;
  ir_reg reg = ir_add_reg (p, proc, 8 * bytes, NULL);
  ir_edge chosen = add_edge_behind (p, behind, IR_NONDET);
  ir_edge_data *d = ir_edge_at (p, chosen);
  d->dst = reg;
  d->aux = IR_NONDET_NUMBER;
  d->origin = IR_INVENTED;
  d->message = message;
  ir_edge stored =
      add_edge_behind (p, assume_settled_value (p, chosen, how == IR_SETTLE_NEVER ? IR_SETTLE_ZERO : how), IR_STORE);
  ir_edge_at (p, stored)->bytes = (uint16_t) bytes;
  ir_edge_at (p, stored)->message = message;
  ir_add_arg (p, stored, ir_addr (p, o, offset));
  ir_add_arg (p, stored, ir_use (p, proc, reg));
  return stored;
}

static void settle_contents (ir_program *p, ir_edge e, ir_settlement how) {
  const ir_expr_node address = *ir_expr_at (p, ir_arg (p, e, 0));
  if (address.op != IR_X_ADDR || address.offset) return;
  uint32_t size = ir_object_at (p, address.object)->size;
  if (ir_object_at (p, address.object)->kind != IR_O_GLOBAL || over_limit (SETTLED_BYTES, size)) return;
  for (uint32_t done = 0; done < size;) {
    uint32_t left = size - done, bytes = left >= 8 ? 8 : left >= 4 ? 4 : 1;
    e = settle_word (p, e, address.object, done, bytes, how);
    done += bytes;
  }
}

ir_program *ir_settle (const ir_program *original, ir_settlement how) {
  ir_program *p = ir_clone (original);
  for (uint32_t e = 0; e < original->edges.count; e++) {
    const ir_edge_data *d = &original->edges.data[e];
    if (d->origin == IR_INPUT) continue;
    if (d->op == IR_NONDET && (!d->num_args || how == IR_SETTLE_NEVER)) assume_settled_value (p, (ir_edge){e}, how);
    if (d->op == IR_FORGET) settle_contents (p, (ir_edge){e}, how);
  }
  ir_finish (p);
  return p;
}
