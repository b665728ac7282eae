// Well-formedness: the rules on which every reader of a program may rely.  ir_check runs after the front end, after the
// parser and, in tests, after every transformation.  It reports the first rule that is broken, with its place.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ir_impl.h"
#include "ir/sync.h"

typedef struct ir_checker {
  const ir_program *p;
  strbuf message;
  uint32_t *seen_in;         // per expression: 1 + the procedure whose registers it was checked against
  const ir_proc_data *proc;  // the procedure being checked, or NULL
  const ir_edge_data *edge;  // the edge being checked, or NULL
} ir_checker;

// Records the broken rule and its place.  Returns false, so that a rule can end with this call.
static bool rule_error (ir_checker *c, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
static bool rule_error (ir_checker *c, const char *format, ...) {
  if (c->proc) strbuf_printf (&c->message, "procedure %s: ", c->proc->name ? c->proc->name : "?");
  if (c->edge) {
    strbuf_printf (&c->message, "L%u: ", c->edge->from.i);
    if (c->edge->pos.file)
      strbuf_printf (&c->message, "%s:%u:%u: ", c->edge->pos.file, c->edge->pos.line, c->edge->pos.column);
    if (c->edge->op < IR_NUM_OPS) strbuf_printf (&c->message, "%s: ", ir_op_table[c->edge->op].text);
  }
  va_list list;
  va_start (list, format);
  strbuf_vprintf (&c->message, format, list);
  va_end (list);
  return false;
}

static bool is_float_width (unsigned bits) { return bits == 32 || bits == 64 || bits == 80; }
static bool is_type (const ir_program *p, ir_type t) { return t.i == IR_NONE || t.i < p->types.count; }

// ---- expressions -----------------------------------------------------------------------------------------

static const char *leaf_rule (const ir_program *p, const ir_expr_node *n) {
  switch (n->op) {
  case IR_X_CONST: return n->value & ~ir_mask (n->bits) ? "has bits above its width" : NULL;
  case IR_X_ADDR:
    if (n->bits != p->pointer_bits) return "should have the width of a pointer";
    return n->object.i < p->objects.count ? NULL : "is of no object";
  default: return NULL;  // registers are checked where they are used
  }
}

static const char *unary_rule (const ir_program *p, const ir_expr_node *n) {
  unsigned from = ir_expr_at (p, n->arg[0])->bits;
  switch (n->op) {
  case IR_X_ZEXT:
  case IR_X_SEXT: return n->bits > from ? NULL : "should be wider than its operand";
  case IR_X_TRUNC: return n->bits < from ? NULL : "should be narrower than its operand";
  case IR_X_CTPOP:
  case IR_X_CTLZ:
  case IR_X_CTTZ:
  case IR_X_BITREV: return n->bits == from ? NULL : "should have its operand's width";
  case IR_X_BSWAP: return n->bits == from && from % 8 == 0 ? NULL : "should have its operand's width, in whole bytes";
  case IR_X_FTOSI:
  case IR_X_FTOUI: return is_float_width (from) ? NULL : "needs a float of 32, 64 or 80 bits";
  case IR_X_SITOF:
  case IR_X_UITOF: return is_float_width (n->bits) ? NULL : "should be a float of 32, 64 or 80 bits";
  case IR_X_FCONV:
    return is_float_width (from) && is_float_width (n->bits) ? NULL : "joins floats of 32, 64 or 80 bits";
  default:
    return n->bits == from && is_float_width (from) ? NULL
                                                    : "should be a float of its operand's width: 32, 64 or 80 bits";
  }
}

static bool is_float_op (ir_expr_op op) { return op >= IR_X_FADD; }

static const char *binary_rule (const ir_program *p, const ir_expr_node *n) {
  unsigned left = ir_expr_at (p, n->arg[0])->bits, right = ir_expr_at (p, n->arg[1])->bits;
  if (left != right) return "needs operands of one width";
  if (is_float_op (n->op) && !is_float_width (left)) return "needs floats of 32, 64 or 80 bits";
  return n->bits == ir_result_bits (n->op, left) ? NULL : "has a result of the wrong width";
}

static const char *choice_rule (const ir_program *p, const ir_expr_node *n) {
  if (ir_expr_at (p, n->arg[0])->bits != 1) return "needs a condition of one bit";
  bool equal = ir_expr_at (p, n->arg[1])->bits == n->bits && ir_expr_at (p, n->arg[2])->bits == n->bits;
  return equal ? NULL : "needs branches of its own width";
}

static bool check_exprs (ir_checker *c) {
  const ir_program *p = c->p;
  for (uint32_t i = 0; i < p->exprs.count; i++) {
    const ir_expr_node *n = &p->exprs.data[i];
    if (n->op >= IR_NUM_EXPR_OPS) return rule_error (c, "expression %u has no operator", i);
    if (n->bits < 1 || n->bits > 128)
      return rule_error (c, "expression %u: %s should have 1 to 128 bits, not %u", i, ir_expr_op_text[n->op], n->bits);
    unsigned arity = ir_expr_arity (n->op);
    for (unsigned k = 0; k < arity; k++)  // operands come first: no cycles
      if (n->arg[k].i >= i)
        return rule_error (c, "expression %u: %s has an operand that does not come before it", i,
                           ir_expr_op_text[n->op]);
    const char *rule = arity == 0   ? leaf_rule (p, n)
                       : arity == 1 ? unary_rule (p, n)
                       : arity == 2 ? binary_rule (p, n)
                                    : choice_rule (p, n);
    if (!rule) continue;
    strbuf text = {0};
    ir_print_expr (p, (ir_expr){i}, &text);
    rule_error (c, "expression %s: %s %s", strbuf_text (&text), ir_expr_op_text[n->op], rule);
    strbuf_release (&text);
    return false;
  }
  return true;
}

// Checks that every register in the expression is a register of the procedure and has the width of that register.
static bool check_registers (ir_checker *c, ir_expr x) {
  uint32_t stamp = (uint32_t) (c->proc - c->p->procs.data) + 1;
  if (c->seen_in[x.i] == stamp) return true;
  c->seen_in[x.i] = stamp;
  const ir_expr_node *n = ir_expr_at (c->p, x);
  if (n->op == IR_X_REG) {
    if (n->reg.i >= c->proc->regs.count) return rule_error (c, "r%u is not a register of this procedure", n->reg.i);
    unsigned bits = c->proc->regs.data[n->reg.i].bits;
    if (bits != n->bits) return rule_error (c, "r%u has %u bits, not %u", n->reg.i, bits, n->bits);
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (!check_registers (c, n->arg[k])) return false;
  return true;
}

// ---- operations --------------------------------------------------------------------------------------------

static unsigned arg_bits (ir_checker *c, unsigned k) {
  return ir_expr_at (c->p, c->p->args.data[c->edge->first_arg + k])->bits;
}
static unsigned checked_register_bits (ir_checker *c, ir_reg r) { return c->proc->regs.data[r.i].bits; }

static bool need_address (ir_checker *c, unsigned k) {
  if (arg_bits (c, k) == c->p->pointer_bits) return true;
  return rule_error (c, "operand %u should be an address of %u bits, not %u", k + 1, c->p->pointer_bits,
                     arg_bits (c, k));
}

static bool need_condition (ir_checker *c) {
  return arg_bits (c, 0) == 1 || rule_error (c, "the condition should have one bit, not %u", arg_bits (c, 0));
}

// Checks the width of the value that is moved to or from memory.
static bool need_fit (ir_checker *c, const char *what, unsigned bits) {
  return bits <= 8u * c->edge->bytes ||
         rule_error (c, "%s of %u bits does not fit into %u bytes", what, bits, c->edge->bytes);
}

static bool need_mask (ir_checker *c, unsigned bits) {
  unsigned needed = c->edge->aux == IR_MASK_OF_BITS ? 8u * c->edge->bytes : c->edge->bytes;
  return bits >= needed || rule_error (c, "the mask of %u bits is too narrow for %u bytes", bits, c->edge->bytes);
}

static bool accesses_memory (ir_op op) {
  return op == IR_LOAD || op == IR_STORE || op == IR_LOAD_RAW || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG;
}

static bool check_access (ir_checker *c) {
  const ir_edge_data *e = c->edge;
  if (e->bytes < 1 || e->bytes > 8) return rule_error (c, "an access has 1 to 8 bytes, not %u", e->bytes);
  if (!need_address (c, 0)) return false;
  switch (e->op) {
  case IR_LOAD: return need_fit (c, "the result", checked_register_bits (c, e->dst));
  case IR_STORE: return need_fit (c, "the value", arg_bits (c, 1));
  case IR_LOAD_RAW:
    return need_fit (c, "the result", checked_register_bits (c, e->dst)) &&
           need_mask (c, checked_register_bits (c, e->dst2));
  case IR_STORE_RAW: return need_fit (c, "the value", arg_bits (c, 1)) && need_mask (c, arg_bits (c, 2));
  case IR_RMW:
    if (checked_register_bits (c, e->dst) != arg_bits (c, 1))
      return rule_error (c, "result and value should have one width");
    return need_fit (c, "the value", arg_bits (c, 1));
  case IR_LOCAL_OPERATIONS:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_CMPXCHG:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_OPERATIONS:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  if (arg_bits (c, 1) != arg_bits (c, 2) || arg_bits (c, 1) != checked_register_bits (c, e->dst))
    return rule_error (c, "result, expected and new value should have one width");
  if (checked_register_bits (c, e->dst2) != 1) return rule_error (c, "the second result should have one bit");
  return need_fit (c, "the value", arg_bits (c, 1));
}

static bool check_own (ir_checker *c) {
  if (c->edge->bytes < 1 || c->edge->bytes > 8)
    return rule_error (c, "a cell has 1 to 8 bytes, not %u", c->edge->bytes);
  if (arg_bits (c, 1) > 64 || arg_bits (c, 3) > 64) return rule_error (c, "size and value should have at most 64 bits");
  return need_address (c, 0) && need_address (c, 2);
}

static bool check_return_edge (ir_checker *c) {
  const ir_edge_data *e = c->edge;
  if (!c->proc->result_bits)
    return !e->num_args || rule_error (c, "a procedure without a result should return no value");
  if (!e->num_args) return rule_error (c, "a procedure with a result should return a value");
  return arg_bits (c, 0) == c->proc->result_bits ||
         rule_error (c, "the value should have the procedure's %u bits, not %u", c->proc->result_bits, arg_bits (c, 0));
}

static bool check_operands (ir_checker *c) {
  const ir_edge_data *e = c->edge;
  switch (e->op) {
  case IR_ASSUME: return need_condition (c);
  case IR_CHECK: return need_condition (c) && (e->message || rule_error (c, "a check needs a message"));
  case IR_UNSUPPORTED: return e->message || rule_error (c, "it needs a message that names the construct");
  case IR_ASSIGN:
    return checked_register_bits (c, e->dst) == arg_bits (c, 0) ||
           rule_error (c, "r%u has %u bits, its value %u", e->dst.i, checked_register_bits (c, e->dst),
                       arg_bits (c, 0));
  case IR_RETURN: return check_return_edge (c);
  case IR_ALLOC:
    if (checked_register_bits (c, e->dst) != c->p->pointer_bits)
      return rule_error (c, "the result should have the width of a pointer");
    return arg_bits (c, 0) <= 64 || rule_error (c, "the size should have at most 64 bits");
  case IR_THREAD_CREATE: return need_address (c, 0) && need_address (c, 1) && need_address (c, 2);
  case IR_OUTPUT: return need_address (c, 1);
  case IR_CALL:
  case IR_FREE:
  case IR_FORGET: return need_address (c, 0);
  case IR_OWN: return check_own (c);
  case IR_NOP:
  case IR_NONDET:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_LOAD:
  case IR_STORE:
  case IR_LOAD_RAW:
  case IR_STORE_RAW:
  case IR_RMW:
  case IR_CMPXCHG:
  case IR_FENCE:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH:
  case IR_THREAD_EXIT:
  case IR_EXIT:
  case IR_OBJECT_OPERATIONS: break;
  }
  if (accesses_memory (e->op)) return check_access (c);
  if (ir_sync_of (e->op)->names_mutex && !need_address (c, 1)) return false;
  return ir_op_table[e->op].group != 'S' || !e->num_args || need_address (c, 0);
}

static bool can_be_unseen (ir_op op) {
  return op == IR_ATOMIC_BEGIN || op == IR_ATOMIC_END || op == IR_THREAD_DETACH || op == IR_STORE;
}

static bool is_raw (ir_op op) { return op == IR_LOAD_RAW || op == IR_STORE_RAW; }

static bool check_aux (ir_checker *c) {
  const ir_edge_data *e = c->edge;
  unsigned limit = e->op == IR_ALLOC       ? IR_ALLOC_HEAP_ZEROED
                   : e->op == IR_NONDET    ? IR_NONDET_UNWRITTEN
                   : e->op == IR_RMW       ? IR_NUM_RMW_OPS - 1
                   : e->op == IR_CHECK     ? IR_NUM_PROPERTIES - 1
                   : e->op == IR_EXIT      ? IR_EXIT_AT_ONCE
                   : can_be_unseen (e->op) ? IR_UNSEEN
                   : is_raw (e->op)        ? IR_MASK_OF_BITS
                                           : 0;
  if (e->aux > limit) return rule_error (c, "aux can be %u at most, not %u", limit, e->aux);
  unsigned last = e->op == IR_NONDET ? IR_INTERRUPT : e->op == IR_FORGET ? IR_INVENTED : IR_INPUT;
  if (e->origin > last) return rule_error (c, "its origin can be %u at most, not %u", last, e->origin);
  if (e->order > IR_SEQ_CST) return rule_error (c, "there is no memory order %u", e->order);
  if (e->order && ir_op_table[e->op].group != 'M') return rule_error (c, "only memory operations have an order");
  return !e->bytes || accesses_memory (e->op) || e->op == IR_OWN ||
         rule_error (c, "only accesses of memory have a number of bytes");
}

static bool check_results (ir_checker *c) {
  const ir_edge_data *e = c->edge;
  char result = ir_op_table[e->op].result;
  if (result == '-' && e->dst.i != IR_NONE) return rule_error (c, "it has no result");
  if (result != 'R' && e->dst2.i != IR_NONE) return rule_error (c, "it has no second result");
  if ((result == 'r' || result == 'R') && e->dst.i == IR_NONE) return rule_error (c, "its result needs a register");
  if (result == 'R' && e->dst2.i == IR_NONE) return rule_error (c, "its second result needs a register");
  for (unsigned k = 0; k < 2; k++) {
    ir_reg r = k ? e->dst2 : e->dst;
    if (r.i != IR_NONE && r.i >= c->proc->regs.count)
      return rule_error (c, "r%u is not a register of this procedure", r.i);
  }
  return true;
}

static bool check_list (ir_checker *c, uint32_t first, uint32_t count) {
  const ir_program *p = c->p;
  if ((uint64_t) first + count > p->args.count) return rule_error (c, "its operands lie outside the program");
  for (uint32_t k = 0; k < count; k++) {
    ir_expr x = p->args.data[first + k];
    if (x.i >= p->exprs.count) return rule_error (c, "operand %u is no expression", k + 1);
    if (!check_registers (c, x)) return false;
  }
  return true;
}

static uint32_t count_places (const char *name) {
  uint32_t n = 0;
  for (; name && (name = strstr (name, "{}")); name += 2) n++;
  return n;
}

static bool check_edge (ir_checker *c) {
  const ir_edge_data *e = c->edge;
  if (e->op >= IR_NUM_OPS) return rule_error (c, "there is no operation %u", (unsigned) e->op);
  const ir_op_info *info = &ir_op_table[e->op];
  if (e->num_args < info->min_args) return rule_error (c, "it needs %u operands, not %u", info->min_args, e->num_args);
  bool any_number = info->min_args && !info->max_args;
  if (!any_number && e->num_args > info->max_args)
    return rule_error (c, "it takes at most %u operands, not %u", info->max_args, e->num_args);
  if (!check_list (c, e->first_arg, e->num_args) || !check_list (c, e->first_name_arg, e->num_name_args)) return false;
  if (count_places (e->name) != e->num_name_args)
    return rule_error (c, "its name has %u places for %u values", count_places (e->name), e->num_name_args);
  bool ends = e->op == IR_RETURN || e->op == IR_EXIT || e->op == IR_THREAD_EXIT;
  if (ends != (e->to.i == IR_NONE))
    return rule_error (c, ends ? "nothing comes after it" : "it needs a location after it");
  if (!ends && (e->to.i >= c->p->locs.count || ir_loc_at (c->p, e->to)->proc.i != ir_loc_at (c->p, e->from)->proc.i))
    return rule_error (c, "L%u is not a location of this procedure", e->to.i);
  return check_results (c) && check_aux (c) && check_operands (c);
}

// ---- procedures, objects, types ------------------------------------------------------------------------------

static bool check_loc (ir_checker *c, ir_loc l) {
  const ir_loc_data *d = ir_loc_at (c->p, l);
  if (!d->num_edges) return rule_error (c, "L%u has no edge", l.i);
  if ((uint64_t) d->first_edge + d->num_edges > c->p->edges.count)
    return rule_error (c, "L%u has edges outside the program", l.i);
  for (uint32_t k = 0; k < d->num_edges; k++) {
    c->edge = &c->p->edges.data[d->first_edge + k];
    if (c->edge->from.i != l.i) return rule_error (c, "it is listed at L%u: the program is not finished", l.i);
    if (d->num_edges > 1 && c->edge->op != IR_ASSUME)
      return rule_error (c, "a location with several edges has only assume edges");
    if (!check_edge (c)) return false;
  }
  c->edge = NULL;
  return true;
}

static bool check_proc (ir_checker *c, ir_proc f) {
  const ir_program *p = c->p;
  const ir_proc_data *d = c->proc = ir_proc_at (p, f);
  if (!d->name) return rule_error (c, "it has no name");
  if (d->object.i >= p->objects.count || ir_object_at (p, d->object)->kind != IR_O_FUNCTION ||
      ir_object_at (p, d->object)->proc.i != f.i)
    return rule_error (c, "it should have a function object that refers back to it");
  if (d->num_params > d->regs.count)
    return rule_error (c, "it has %u parameters but %u registers", d->num_params, d->regs.count);
  if (d->result_bits > 128) return rule_error (c, "its result has %u bits", d->result_bits);
  for (uint32_t r = 0; r < d->regs.count; r++) {
    if (d->regs.data[r].bits < 1 || d->regs.data[r].bits > 128)
      return rule_error (c, "r%u should have 1 to 128 bits, not %u", r, d->regs.data[r].bits);
    if (!is_type (p, d->regs.data[r].type)) return rule_error (c, "r%u has no type t%u", r, d->regs.data[r].type.i);
  }
  if (d->entry.i >= p->locs.count || ir_loc_at (p, d->entry)->proc.i != f.i)
    return rule_error (c, "its entry should be one of its locations");
  for (uint32_t i = 0; i < d->locs.count; i++) {
    ir_loc l = d->locs.data[i];
    if (l.i >= p->locs.count || ir_loc_at (p, l)->proc.i != f.i)
      return rule_error (c, "L%u is not one of its locations", l.i);
    if (!check_loc (c, l)) return false;
  }
  c->proc = NULL;
  return true;
}

static bool check_object (ir_checker *c, uint32_t i) {
  const ir_program *p = c->p;
  const ir_object_data *d = &p->objects.data[i];
  if (!d->name) return rule_error (c, "object #%u has no name", i);
  if (d->kind > IR_O_FUNCTION) return rule_error (c, "object %s has no kind", d->name);
  if (!is_type (p, d->type)) return rule_error (c, "object %s: there is no type t%u", d->name, d->type.i);
  if (p->offset_bits < 32 && d->size >> p->offset_bits)
    return rule_error (c, "object %s is larger than %u bits of offset reach", d->name, p->offset_bits);
  if (d->proc.i != IR_NONE && (d->proc.i >= p->procs.count || ir_proc_at (p, d->proc)->object.i != i))
    return rule_error (c, "object %s refers to a procedure that does not refer back", d->name);
  for (uint32_t k = 0; k < d->relocations.count; k++) {
    const ir_relocation *r = &d->relocations.data[k];
    if (r->target.i >= p->objects.count)
      return rule_error (c, "object %s: there is no object #%u to point to", d->name, r->target.i);
    if ((uint64_t) r->offset + p->pointer_bits / 8 > d->size)
      return rule_error (c, "object %s: the pointer at offset %u lies outside", d->name, r->offset);
  }
  return true;
}

static bool check_type (ir_checker *c, uint32_t i) {
  const ir_program *p = c->p;
  const ir_type_data *d = &p->types.data[i];
  if (d->kind > IR_T_OTHER) return rule_error (c, "type t%u has no kind", i);
  if (!is_type (p, d->target)) return rule_error (c, "type t%u: there is no type t%u", i, d->target.i);
  for (uint32_t k = 0; k < d->members.count; k++)
    if (!is_type (p, d->members.data[k].type))
      return rule_error (c, "type t%u: there is no type t%u", i, d->members.data[k].type.i);
  return true;
}

static bool check_program (ir_checker *c) {
  const ir_program *p = c->p;
  if (p->pointer_bits != 32 && p->pointer_bits != 64)
    return rule_error (c, "a pointer has 32 or 64 bits, not %u", p->pointer_bits);
  if (p->offset_bits < 1 || p->offset_bits > 32 || p->offset_bits >= p->pointer_bits)
    return rule_error (c, "an offset has 1 to 32 bits and fewer than a pointer, not %u", p->offset_bits);
  if (!p->objects.count || p->objects.data[0].size) return rule_error (c, "object #0 should be the null object");
  if (p->start.i >= p->procs.count) return rule_error (c, "the program has no start");
  if (!check_exprs (c)) return false;
  for (uint32_t i = 0; i < p->types.count; i++)
    if (!check_type (c, i)) return false;
  for (uint32_t i = 0; i < p->objects.count; i++)
    if (!check_object (c, i)) return false;
  uint64_t locs = 0, edges = 0;
  for (uint32_t i = 0; i < p->procs.count; i++) {
    if (!check_proc (c, (ir_proc){i})) return false;
    locs += p->procs.data[i].locs.count;
  }
  for (uint32_t i = 0; i < p->locs.count; i++) edges += p->locs.data[i].num_edges;
  if (locs != p->locs.count) return rule_error (c, "each location should be listed once by its procedure");
  if (edges != p->edges.count)
    return rule_error (c, "each edge should be listed by its location: the program is not finished");
  if (ir_proc_at (p, p->start)->num_params)
    return rule_error (c, "the start %s should have no parameters", ir_proc_at (p, p->start)->name);
  return true;
}

bool ir_check (const ir_program *p, char **error) {
  ir_checker c = {.p = p};
  size_t bytes = p->exprs.count * sizeof *c.seen_in;
  c.seen_in = mem_zalloc (bytes);
  bool good = check_program (&c);
  if (!good && error) *error = strdup (strbuf_text (&c.message));
  strbuf_release (&c.message);
  mem_free (c.seen_in, bytes);
  return good;
}
