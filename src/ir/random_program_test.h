// For tests: random well-formed programs, and a plain one-thread interpreter that records what such a program does.
// Random programs use every kind of object, type, operation and operator.
#ifndef LOCKSTEP_IR_RANDOM_TEST_H
#define LOCKSTEP_IR_RANDOM_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "ir/ir_impl.h"

// ---- expressions -------------------------------------------------------------------------------------------------

typedef struct maker {
  ir_program *p;
  rng r;
  ir_proc f;
} maker;

static const uint16_t random_widths[] = {1, 3, 8, 16, 32, 32, 32, 64, 64, 80, 128};
enum { NUM_RANDOM_WIDTHS = sizeof random_widths / sizeof *random_widths };

static inline unsigned random_width (maker *m) { return random_widths[rng_below (&m->r, NUM_RANDOM_WIDTHS)]; }

// Returns a random value; extreme values are more likely than others.
static inline ir_value random_value (rng *r, unsigned bits) {
  ir_value top = (ir_value) 1 << (bits - 1), v;
  switch (rng_below (r, 8)) {
  case 0: v = 0; break;
  case 1: v = 1; break;
  case 2: v = ~(ir_value) 0; break;
  case 3: v = top; break;
  case 4: v = top - 1; break;
  case 5: v = rng_below (r, 200); break;
  default: v = (ir_value) rng_next (r) << 64 | rng_next (r); break;
  }
  return v & ir_mask (bits);
}

static inline bool is_float_width (unsigned bits) { return bits == 32 || bits == 64 || bits == 80; }

// Returns a register of this width, and adds one if there is none.
static inline ir_reg random_reg (maker *m, unsigned bits) {
  uint32_t count = ir_proc_at (m->p, m->f)->regs.count;
  for (uint32_t tries = 0; count && tries < 8; tries++) {
    ir_reg r = {rng_below (&m->r, count)};
    if (ir_proc_at (m->p, m->f)->regs.data[r.i].bits == bits) return r;
  }
  return ir_add_reg (m->p, m->f, bits, rng_below (&m->r, 3) ? NULL : "x \"quoted\"\n");
}

static inline ir_expr random_leaf (maker *m, unsigned bits) {
  ir_program *p = m->p;
  if (bits == p->pointer_bits && !rng_below (&m->r, 3)) {
    ir_object o = {1 + rng_below (&m->r, p->objects.count - 1)};
    return ir_intern (
        p, &(ir_expr_node){.op = IR_X_ADDR, .bits = (uint16_t) bits, .object = o, .offset = rng_below (&m->r, 9)});
  }
  if (!rng_below (&m->r, 3)) return ir_const (p, bits, random_value (&m->r, bits));
  return ir_use (p, m->f, random_reg (m, bits));
}

// Can this operator have a result of this width?  *from: a width of its operands.
static inline bool random_operands (maker *m, ir_expr_op op, unsigned bits, unsigned *from) {
  *from = bits;
  bool compares = ir_expr_arity (op) == 2 && ir_result_bits (op, 2) == 1;
  if (compares) {
    *from = random_width (m);
    return bits == 1 && (op < IR_X_FADD || is_float_width (*from));
  }
  switch (op) {
  case IR_X_ZEXT:
  case IR_X_SEXT: *from = random_width (m); return *from < bits;
  case IR_X_TRUNC: *from = random_width (m); return *from > bits;
  case IR_X_BSWAP: return bits % 8 == 0;
  case IR_X_FTOSI:
  case IR_X_FTOUI: *from = rng_below (&m->r, 2) ? 32 : 64; return true;
  case IR_X_SITOF:
  case IR_X_UITOF: *from = random_width (m); return is_float_width (bits);
  case IR_X_FCONV: *from = random_width (m); return is_float_width (bits) && is_float_width (*from);
  default: return op < IR_X_FADD || is_float_width (bits);
  }
}

// Returns a random expression.  It is not folded, since the constructors are not used.
static inline ir_expr random_expr (maker *m, unsigned bits, unsigned depth) {
  unsigned from;
  if (!depth || !rng_below (&m->r, 4)) return random_leaf (m, bits);
  ir_expr_node n = {.op = IR_X_ADD + rng_below (&m->r, IR_NUM_EXPR_OPS - IR_X_ADD), .bits = (uint16_t) bits};
  if (!random_operands (m, n.op, bits, &from)) return random_leaf (m, bits);
  n.nsw = !rng_below (&m->r, 3);
  n.nuw = !rng_below (&m->r, 5);
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++)
    n.arg[k] = random_expr (m, n.op == IR_X_ITE && !k ? 1 : from, depth - 1);
  if (ir_expr_arity (n.op) == 2 && !rng_below (&m->r, 6)) n.arg[1] = n.arg[0];
  return ir_intern (m->p, &n);
}

// ---- programs --------------------------------------------------------------------------------------------------

static const char *const random_files[] = {"a.c", "dir/b c.h", "\xc3\xa4.c"};

static inline ir_position random_position (maker *m) {
  if (!rng_below (&m->r, 5)) return (ir_position){0};
  return (ir_position){random_files[rng_below (&m->r, 3)], rng_below (&m->r, 500), rng_below (&m->r, 80)};
}

static inline void random_types (maker *m) {
  for (unsigned i = 0, n = rng_below (&m->r, 6); i < n; i++) {
    ir_type_kind kind = rng_below (&m->r, IR_T_OTHER + 1);
    ir_type t = ir_add_type (m->p, kind, rng_below (&m->r, 4) ? "struct s" : NULL, rng_below (&m->r, 40));
    ir_type_data *d = ir_type_at (m->p, t);
    if (kind == IR_T_POINTER || kind == IR_T_ARRAY) d->target.i = rng_below (&m->r, i + 1);
    if (kind == IR_T_ARRAY) d->count = rng_below (&m->r, 4);
    for (unsigned k = 0; (kind == IR_T_STRUCT || kind == IR_T_UNION) && k < 3; k++) {
      ir_member member = {k ? "next" : NULL, 4 * k, {rng_below (&m->r, 2) ? IR_NONE : rng_below (&m->r, i + 1)}};
      vec_push (&d->members, member);
    }
  }
}

static inline ir_type random_type (maker *m) {
  return (ir_type){m->p->types.count && rng_below (&m->r, 2) ? rng_below (&m->r, m->p->types.count) : IR_NONE};
}

static inline void random_objects (maker *m) {
  static const char *const names[] = {"counter", "x", ".str", "a b", "x", "#3", "null", "r5"};
  unsigned n = 2 + rng_below (&m->r, 7);
  for (unsigned i = 0; i < n; i++) {
    ir_object o =
        ir_add_object (m->p, names[rng_below (&m->r, 8)], rng_below (&m->r, IR_O_FUNCTION), 8 * rng_below (&m->r, 5));
    ir_object_data *d = ir_object_at (m->p, o);
    d->align = 1u << rng_below (&m->r, 4);
    d->type = random_type (m);
    d->pos = random_position (m);
    d->internal = !rng_below (&m->r, 4);
    d->outside = rng_below (&m->r, 8) ? NULL : "`f` returns it";
    if (rng_below (&m->r, 2)) {
      d->init = arena_zalloc (m->p->arena, d->size);
      for (uint32_t k = 0; k < d->size && rng_below (&m->r, 6); k++) d->init[k] = (uint8_t) rng_next (&m->r);
    }
    if (d->size >= 8 && rng_below (&m->r, 2))
      vec_push (&d->relocations, ((ir_relocation){d->size - 8, {rng_below (&m->r, n + 1)}, rng_below (&m->r, 5)}));
  }
}

static inline bool ends_thread (ir_op op) { return op == IR_RETURN || op == IR_EXIT || op == IR_THREAD_EXIT; }
static inline bool random_accesses (ir_op op) {
  return op == IR_LOAD || op == IR_STORE || op == IR_LOAD_RAW || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG;
}

// Returns the width of operand k; `value` is the width of the value that the operation moves.
static inline unsigned random_operand_bits (maker *m, ir_op op, unsigned k, unsigned value) {
  if (op == IR_ASSUME || op == IR_CHECK) return 1;
  if (op == IR_ASSIGN) return value;
  if (op == IR_RETURN) return ir_proc_at (m->p, m->f)->result_bits;
  if (op == IR_STORE_RAW && k == 2) return 8;
  if (random_accesses (op) && k) return value;
  if (op == IR_OUTPUT && k == 1) return m->p->pointer_bits;
  if (op == IR_OWN) return k == 0 || k == 2 ? m->p->pointer_bits : 64;
  if (k == 0 || op == IR_THREAD_CREATE || op == IR_COND_WAIT || op == IR_COND_RESUME || op == IR_COND_TIMEDRESUME)
    return m->p->pointer_bits;
  return random_width (m);
}

static inline void random_results (maker *m, ir_edge e, ir_op op, unsigned value) {
  char result = ir_op_table[op].result;
  if (result == '-' || (result == 'o' && rng_below (&m->r, 2))) return;
  ir_reg dst = random_reg (m, op == IR_ALLOC ? m->p->pointer_bits : value);
  ir_edge_at (m->p, e)->dst = dst;
  if (result != 'R') return;
  ir_reg dst2 = random_reg (m, op == IR_CMPXCHG ? 1 : 8);
  ir_edge_at (m->p, e)->dst2 = dst2;
}

static inline void random_edge (maker *m, ir_op op, ir_loc from, ir_loc to) {
  ir_program *p = m->p;
  ir_edge e = ir_add_edge (p, op, from, ends_thread (op) ? (ir_loc){IR_NONE} : to);
  unsigned value = random_width (m);
  if (random_accesses (op)) {
    unsigned bytes = 1 + rng_below (&m->r, 8);
    ir_edge_at (p, e)->bytes = (uint16_t) bytes;
    while (value > 8 * bytes) value = random_width (m);
  }
  if (op == IR_OWN) ir_edge_at (p, e)->bytes = (uint16_t) (1 + rng_below (&m->r, 8));
  const ir_op_info *info = &ir_op_table[op];
  unsigned args = info->min_args + (info->min_args && !info->max_args ? rng_below (&m->r, 3) : 0);
  if (op == IR_RETURN) args = ir_proc_at (p, m->f)->result_bits != 0;
  for (unsigned k = 0; k < args; k++) ir_add_arg (p, e, random_expr (m, random_operand_bits (m, op, k, value), 3));
  random_results (m, e, op, value);
  ir_edge_data *d = ir_edge_at (p, e);
  d->pos = random_position (m);
  if (info->group == 'M') d->order = (uint8_t) rng_below (&m->r, IR_SEQ_CST + 1), d->is_volatile = rng_below (&m->r, 2);
  if (op == IR_RMW) d->aux = (uint8_t) rng_below (&m->r, IR_NUM_RMW_OPS);
  if (op == IR_ALLOC) d->aux = (uint8_t) rng_below (&m->r, 3);
  if (op == IR_CHECK) d->aux = (uint8_t) rng_below (&m->r, IR_NUM_PROPERTIES);
  if (op == IR_NONDET) d->origin = (uint8_t) rng_below (&m->r, IR_INTERRUPT + 1);
  if (op == IR_FORGET) d->origin = (uint8_t) rng_below (&m->r, IR_INVENTED + 1);
  if (op == IR_CHECK || op == IR_UNSUPPORTED || op == IR_NONDET)
    d->message = arena_printf (p->arena, "where \t%u", e.i);
  if (info->group != 'L' && rng_below (&m->r, 2)) {
    d->name = "buf[{}]";
    ir_add_name_arg (p, e, random_expr (m, random_width (m), 2));
  }
}

// Returns a random operation.  Assigns are frequent, so that ir_simplify has work to do.
static inline ir_op random_op (maker *m) {
  ir_op op = rng_below (&m->r, IR_NUM_OPS);
  if (rng_below (&m->r, 8) < 4) return IR_ASSIGN;
  if (rng_below (&m->r, 8) < 2) return rng_below (&m->r, 2) ? IR_LOAD : IR_STORE;
  return op == IR_ASSUME || (ends_thread (op) && rng_below (&m->r, 2)) ? IR_NOP : op;
}

static inline void random_body (maker *m, ir_proc f) {
  ir_program *p = m->p;
  m->f = f;
  uint32_t first = p->locs.count, n = 4 + rng_below (&m->r, 30);
  for (uint32_t i = 0; i < n; i++) {
    ir_loc l = ir_add_loc (p, f);
    if (!rng_below (&m->r, 6)) ir_loc_at (p, l)->label = "again";
  }
  ir_proc_at (p, f)->entry.i = first;
  for (uint32_t i = 0; i < n; i++) {
    ir_loc l = {first + i}, next = {first + (rng_below (&m->r, 8) && i + 1 < n ? i + 1 : rng_below (&m->r, n))};
    if (rng_below (&m->r, 5)) random_edge (m, i + 1 == n ? IR_RETURN : random_op (m), l, next);
    else {
      ir_expr c = random_expr (m, 1, 3);
      ir_add_arg (p, ir_add_edge (p, IR_ASSUME, l, next), c);
      ir_add_arg (p, ir_add_edge (p, IR_ASSUME, l, (ir_loc){first + rng_below (&m->r, n)}), ir_not (p, c));
    }
  }
}

static inline ir_program *random_program (uint64_t seed) {
  maker m = {.p = ir_program_new (), .r = {seed}};
  ir_program *p = m.p;
  if (!rng_below (&m.r, 4)) p->pointer_bits = 32, p->offset_bits = 20;
  vec_push (&p->files, "a.c");
  ir_assume_in_report (p, "seed %u", (unsigned) seed);
  if (seed % 2) ir_add_gap (p, "`f%u` has no body", (unsigned) seed);
  random_types (&m);
  random_objects (&m);
  unsigned procs = 1 + rng_below (&m.r, 3);
  for (unsigned i = 0; i < procs; i++) {
    ir_proc f = ir_add_proc (p, i == 1 ? "odd name" : "main");
    ir_proc_data *d = ir_proc_at (p, f);
    d->pos = random_position (&m);
    d->internal = rng_below (&m.r, 2);
    d->result_bits = rng_below (&m.r, 2) ? 32 : 0;
    for (unsigned k = 0; i && k < rng_below (&m.r, 3); k++) ir_add_reg (p, f, 32, "argument");
    d->num_params = d->regs.count;
  }
  p->start.i = 0;
  for (unsigned i = 0; i < procs; i++) random_body (&m, (ir_proc){i});
  ir_finish (p);
  return p;
}

// ---- interpreter -------------------------------------------------------------------------------------------------

static inline ir_value plain_value (const ir_program *p, ir_expr x, const ir_value *regs) {
  const ir_expr_node *n = ir_expr_at (p, x);
  ir_value v[3] = {0};
  if (n->op == IR_X_CONST) return n->value;
  if (n->op == IR_X_REG) return regs[n->reg.i];
  if (n->op == IR_X_ADDR) {  // the running thread's copy of a thread-local has another address
    bool is_copy = ir_object_at (p, n->object)->kind == IR_O_THREAD_LOCAL;
    return (((ir_value) (n->object.i + (is_copy ? 1000 : 0)) << p->offset_bits) + n->offset) & ir_mask (n->bits);
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) v[k] = plain_value (p, n->arg[k], regs);
  return ir_eval_op (n->op, n->bits, ir_expr_at (p, n->arg[n->op == IR_X_ITE ? 1 : 0])->bits, v);
}

// Does the evaluation of the expression violate --property=overflow?
static inline bool plain_fails (const ir_program *p, ir_expr x, const ir_value *regs) {
  const ir_expr_node *n = ir_expr_at (p, x);
  unsigned arity = ir_expr_arity (n->op), bits = n->bits;
  if (n->op == IR_X_ITE)
    return plain_fails (p, n->arg[0], regs) || plain_fails (p, n->arg[plain_value (p, n->arg[0], regs) ? 1 : 2], regs);
  for (unsigned k = 0; k < arity; k++)
    if (plain_fails (p, n->arg[k], regs)) return true;
  if (arity != 2) return false;
  ir_value v[3] = {plain_value (p, n->arg[0], regs), plain_value (p, n->arg[1], regs)},
           least = (ir_value) 1 << (bits - 1);
  switch (n->op) {
  case IR_X_ADD: return n->nsw && ir_eval_op (IR_X_SADDO, 1, bits, v);
  case IR_X_SUB: return n->nsw && ir_eval_op (IR_X_SSUBO, 1, bits, v);
  case IR_X_MUL: return n->nsw && ir_eval_op (IR_X_SMULO, 1, bits, v);
  case IR_X_UDIV:
  case IR_X_UREM: return !v[1];
  case IR_X_SDIV:
  case IR_X_SREM: return !v[1] || (v[0] == least && v[1] == ir_mask (bits));
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR: {
    if (v[1] >= bits) return true;
    ir_value up = ir_eval_op (IR_X_SHL, bits, bits, v);
    return n->op == IR_X_SHL && n->nsw && ir_eval_op (IR_X_ASHR, bits, bits, (ir_value[3]){up, v[1]}) != v[0];
  }
  default: return false;
  }
}

typedef struct event {
  ir_op op;
  uint64_t operands;
} event;  // a hash of the values of operands and names
typedef struct recording {
  VEC (event) events;
  enum { STOPPED, ENDED, INFEASIBLE, OVERFLOWED } end;
} recording;

enum { MAX_STEPS = 3000, MAX_EVENTS = 200 };

static inline uint64_t hash_operands (const ir_program *p, const ir_edge_data *e, const ir_value *regs) {
  uint64_t h = hash_pair (e->bytes, (uint64_t) e->order << 16 | (uint64_t) e->aux << 8 | e->is_volatile);
  for (uint32_t k = 0; k < e->num_args + e->num_name_args; k++) {
    ir_value v =
        plain_value (p, p->args.data[k < e->num_args ? e->first_arg + k : e->first_name_arg + k - e->num_args], regs);
    h = hash_pair (hash_pair (h, (uint64_t) v), (uint64_t) (v >> 64));
  }
  return h;
}

static inline bool location_fails (const ir_program *p, const ir_loc_data *l, const ir_value *regs) {
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++)
    for (uint32_t k = 0; k < p->edges.data[e].num_args; k++)
      if (plain_fails (p, p->args.data[p->edges.data[e].first_arg + k], regs)) return true;
  return false;
}

// Computes results from a hash of the events so far, so that two programs with equal behaviour get equal results.
static inline void make_results (const ir_proc_data *f, const ir_edge_data *e, ir_value *regs, uint64_t salt) {
  rng r = {salt};
  if (e->dst.i != IR_NONE) regs[e->dst.i] = random_value (&r, f->regs.data[e->dst.i].bits);
  if (e->dst2.i != IR_NONE) regs[e->dst2.i] = random_value (&r, f->regs.data[e->dst2.i].bits);
}

// Executes one procedure from its entry.  `detect`: the interpreter stops before an overflow; otherwise failing checks
// of overflow stop the execution.
static inline void record_run (const ir_program *p, ir_proc proc, bool detect, recording *out) {
  const ir_proc_data *f = ir_proc_at (p, proc);
  ir_value *regs = calloc (f->regs.count + 1, sizeof *regs);
  ir_loc at = f->entry;
  *out = (recording){.end = STOPPED};
  for (unsigned step = 0; step < MAX_STEPS && out->events.count < MAX_EVENTS; step++) {
    const ir_loc_data *l = ir_loc_at (p, at);
    const ir_edge_data *e = &p->edges.data[l->first_edge];
    if (detect && location_fails (p, l, regs)) {
      out->end = OVERFLOWED;
      break;
    }
    for (uint32_t k = 0; e->op == IR_ASSUME && !plain_value (p, p->args.data[e->first_arg], regs);)
      if (++k < l->num_edges) e++;
      else {
        out->end = INFEASIBLE;
        goto done;
      }
    if (!detect && e->op == IR_CHECK && e->aux == IR_P_OVERFLOW && !e->name && strncmp (e->message, "where", 5)) {
      if (!plain_value (p, p->args.data[e->first_arg], regs)) {
        out->end = OVERFLOWED;
        break;
      }
    } else if (e->op == IR_ASSIGN) regs[e->dst.i] = plain_value (p, p->args.data[e->first_arg], regs);
    else if (e->op == IR_NONDET)
      make_results (f, e, regs, hash_bytes (e->message, strlen (e->message), out->events.count));
    else if (e->op != IR_ASSUME && e->op != IR_NOP) {
      vec_push (&out->events, ((event){e->op, hash_operands (p, e, regs)}));
      make_results (f, e, regs, out->events.count);
    }
    if (e->to.i == IR_NONE) {
      out->end = ENDED;
      break;
    }
    at = e->to;
  }
done:
  free (regs);
}

#endif
