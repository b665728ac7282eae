// A term is linear in a leaf if it is coefficient * leaf + rest.  The arguments of a kind of threads are s * i + t, for
// a counter i that has different values at any two creations, and a t that is the same at all of them.  An access of
// such a thread lies at k * argument + r.  The distance of two accesses by different threads is k * s * (i - i') + (r -
// r').
#include "base/limits.h"
#include "engine/locks/parallel/parallel.h"

#include <string.h>

// ---- linear terms -----------------------------------------------------------------------------------------------
typedef struct linear {
  bool yes;
  int64_t factor;
  value_term base;
  int64_t offset;
} linear;  // factor * leaf + base + offset; base may be VALUE_NONE: zero

static linear not_linear (void) { return (linear){.yes = false, .base = {VALUE_NONE}}; }

static int64_t signed_offset (ir_value x, unsigned bits) {
  if (bits >= 64) return (int64_t) (uint64_t) x;
  uint64_t sign = 1ull << (bits - 1);
  return (int64_t) (((uint64_t) x ^ sign) - sign);
}

static linear linear_in (lock_analysis *a, value_term v, value_term leaf);

static linear linear_sum (lock_analysis *a, linear x, linear y, unsigned bits) {
  if (!x.yes || !y.yes) return not_linear ();
  linear s = {true, x.factor + y.factor, x.base, x.offset + y.offset};
  if (x.base.i == VALUE_NONE) s.base = y.base;
  else if (y.base.i != VALUE_NONE) s.base = value_apply (&a->values, IR_X_ADD, bits, x.base, y.base);
  return s;
}

static linear times (linear x, int64_t factor) {
  if (!x.yes || (x.base.i != VALUE_NONE && factor != 1)) return not_linear ();
  return (linear){true, x.factor * factor, x.base, x.offset * factor};
}

static linear without_leaf (lock_analysis *a, value_term v) {
  ir_value x;
  const value_node *n = value_node_at (&a->values, v);
  if (value_constant (&a->values, v, &x)) return (linear){true, 0, {VALUE_NONE}, signed_offset (x, n->bits)};
  term_address at = address_split (&a->values, v);
  return (linear){true, 0, at.base, at.offset};
}

static bool value_mentions (const lock_analysis *a, value_term v, value_term leaf) {
  const value_node *n = value_node_at (&a->values, leaf);
  return value_uses (&a->values, v, (ir_proc){n->a}, n->b);
}

// Widening keeps a number that does not overflow.  Narrowing to 32 bits keeps numbers apart that differ by less than
// 2^32. Narrower counters wrap around too early.
static linear of_operator (lock_analysis *a, const value_node *n, value_term leaf) {
  value_term left = {n->a}, right = {n->b};
  ir_value x;
  switch (n->op) {
  case IR_X_ADD: return linear_sum (a, linear_in (a, left, leaf), linear_in (a, right, leaf), n->bits);
  case IR_X_SUB: return linear_sum (a, linear_in (a, left, leaf), times (linear_in (a, right, leaf), -1), n->bits);
  case IR_X_MUL:
    if (value_constant (&a->values, right, &x)) return times (linear_in (a, left, leaf), signed_offset (x, n->bits));
    if (value_constant (&a->values, left, &x)) return times (linear_in (a, right, leaf), signed_offset (x, n->bits));
    return not_linear ();
  case IR_X_SHL:
    return value_constant (&a->values, right, &x) && x < 32
               ? times (linear_in (a, left, leaf), (int64_t) 1 << (unsigned) x)
               : not_linear ();
  case IR_X_SEXT:
  case IR_X_ZEXT: return value_node_at (&a->values, left)->bits >= 32 ? linear_in (a, left, leaf) : not_linear ();
  case IR_X_TRUNC: return n->bits >= 32 ? linear_in (a, left, leaf) : not_linear ();
  default: return not_linear ();
  }
}

static linear linear_in (lock_analysis *a, value_term v, value_term leaf) {
  if (v.i == leaf.i)
    return value_node_at (&a->values, v)->bits >= 32 ? (linear){true, 1, {VALUE_NONE}, 0} : not_linear ();
  if (!value_mentions (a, v, leaf)) return without_leaf (a, v);
  const value_node n = *value_node_at (&a->values, v);
  return n.kind == V_OP ? of_operator (a, &n, leaf) : not_linear ();
}

// ---- paths within a procedure --------------------------------------------------------------------------------------
// Is there a path from the end of `from` to the beginning of `to` that does not take `avoided`?
static bool leads_to_without (const ir_program *p, ir_edge from, ir_edge to, uint32_t avoided) {
  bool *seen = mem_zalloc (p->locs.count + 1);
  VEC (uint32_t) waiting = {0};
  bool found = false;
  if (ir_edge_at (p, from)->to.i != IR_NONE) vec_push (&waiting, ir_edge_at (p, from)->to.i);
  while (waiting.count && !found) {
    uint32_t l = vec_pop (&waiting);
    if (seen[l]) continue;
    seen[l] = true;
    const ir_loc_data *d = &p->locs.data[l];
    for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++) {
      found |= e == to.i;
      if (e != avoided && p->edges.data[e].to.i != IR_NONE) vec_push (&waiting, p->edges.data[e].to.i);
    }
  }
  vec_release (&waiting);
  mem_free (seen, p->locs.count + 1);
  return found;
}

// ---- counters -------------------------------------------------------------------------------------------------------
typedef struct creation_counter {
  ir_edge initial, increment;
  int64_t step;
  uint32_t definitions;
} creation_counter;

static bool is_increment (lock_analysis *a, ir_proc f, ir_edge e, value_term counter, int64_t *step) {
  if (ir_edge_at (a->program, e)->op != IR_ASSIGN) return false;
  linear x = linear_in (a, value_of_expr (&a->values, f, ir_arg (a->program, e, 0)), counter);
  *step = x.offset;
  return x.yes && x.factor == 1 && x.base.i == VALUE_NONE && x.offset;
}

static creation_counter counting_of (lock_analysis *a, ir_proc f, value_term counter) {
  creation_counter c = {{IR_NONE}, {IR_NONE}, 0, 0};
  const ir_proc_data *d = ir_proc_at (a->program, f);
  uint32_t reg = value_node_at (&a->values, counter)->b;
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (a->program, d->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
      if (a->program->edges.data[e].dst.i != reg) continue;
      int64_t step;
      c.definitions++;
      if (is_increment (a, f, (ir_edge){e}, counter, &step)) c.increment = (ir_edge){e}, c.step = step;
      else c.initial = (ir_edge){e};
    }
  }
  return c;
}

// The counter is incremented between any two creations, and not reset after a creation.
static bool counts_creations (const lock_analysis *a, ir_edge create, const creation_counter *c) {
  const ir_program *p = a->program;
  if (c->definitions != 2 || c->initial.i == IR_NONE || c->increment.i == IR_NONE) return false;
  return !leads_to_without (p, create, create, c->increment.i) && !leads_to_without (p, create, c->initial, IR_NONE);
}

// ---- procedures that run once ---------------------------------------------------------------------------------------
typedef struct counting_calls {
  instances *x;
  uint32_t edge;
} counting_calls;

static void note_call (void *user, ir_proc f) {
  counting_calls *c = user;
  c->x->num_callers[f.i]++;
  c->x->caller[f.i] = c->edge;
}

static bool runs_once (const instances *x, ir_proc f, unsigned depth) {
  const ir_program *p = x->analysis->program;
  if (f.i == p->start.i) return x->num_callers[f.i] == 0;
  if (at_limit (LOCK_CALLERS, depth) || x->num_callers[f.i] != 1) return false;
  for (uint32_t k = 1; k < threads_count (x->analysis->threads); k++)
    if (threads_entry (x->analysis->threads, k).i == f.i) return false;
  ir_edge call = {x->caller[f.i]};
  return !leads_to_without (p, call, call, IR_NONE) &&
         runs_once (x, ir_loc_at (p, ir_edge_at (p, call)->from)->proc, depth + 1);
}

// ---- what is the same at every creation -----------------------------------------------------------------------------
// No assignment to the register lies between two creations.
static bool register_stays (const lock_analysis *a, ir_edge create, const value_node *n) {
  const ir_program *p = a->program;
  ir_proc f = ir_loc_at (p, ir_edge_at (p, create)->from)->proc;
  if (n->a != f.i) return false;
  const ir_proc_data *d = ir_proc_at (p, f);
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
      bool assigns = p->edges.data[e].dst.i == n->b || p->edges.data[e].dst2.i == n->b;
      if (assigns && leads_to_without (p, create, (ir_edge){e}, IR_NONE) &&
          leads_to_without (p, (ir_edge){e}, create, IR_NONE))
        return false;
    }
  }
  return true;
}

// The term has the same value at all creations.  The procedure runs once.
static bool stays (lock_analysis *a, ir_edge create, value_term v) {
  if (v.i == VALUE_NONE || value_is_fixed (&a->values, v)) return true;
  const value_node n = *value_node_at (&a->values, v);
  if (n.kind == V_REG) return register_stays (a, create, &n);
  if (n.kind != V_OP) return false;
  uint32_t arg[3] = {n.a, n.b, n.c};
  for (unsigned k = 0; k < ir_expr_arity ((ir_expr_op) n.op); k++)
    if (!stays (a, create, (value_term){arg[k]})) return false;
  return true;
}

// ---- numbering the threads of a kind --------------------------------------------------------------------------------
static bool number_by (instances *x, uint32_t kind, value_term counter, value_term argument) {
  lock_analysis *a = x->analysis;
  ir_edge create = threads_creator (a->threads, kind);
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, create)->from)->proc;
  linear t = linear_in (a, argument, counter);
  creation_counter c = counting_of (a, f, counter);
  if (!t.yes || !t.factor || !counts_creations (a, create, &c) || !stays (a, create, t.base)) return false;
  x->kinds[kind] =
      (numbering){true, x->kinds[kind].fresh, f, create, c.increment, counter, argument, t.factor * c.step};
  return true;
}

static bool find_argument_counter (instances *x, uint32_t kind, value_term part, value_term argument) {
  const value_node n = *value_node_at (&x->analysis->values, part);
  if (n.kind == V_REG) return number_by (x, kind, part, argument);
  if (n.kind != V_OP) return false;
  uint32_t arg[3] = {n.a, n.b, n.c};
  for (unsigned k = 0; k < ir_expr_arity ((ir_expr_op) n.op); k++)
    if (find_argument_counter (x, kind, (value_term){arg[k]}, argument)) return true;
  return false;
}

// The argument points into memory that the creator has allocated since its previous creation.
static bool gets_fresh_memory (instances *x, ir_edge create) {
  lock_analysis *a = x->analysis;
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, create)->from)->proc;
  term_address at = address_in (&a->values, f, ir_arg (a->program, create, 2));
  if (at.base.i == VALUE_NONE) return false;
  const value_node *n = value_node_at (&a->values, at.base);
  if (n->kind != V_REG || n->a != f.i || n->b < ir_proc_at (a->program, f)->num_params) return false;
  ir_edge made = a->values.definition[f.i][n->b];
  return made.i < IR_NONE - 1 && ir_edge_at (a->program, made)->op == IR_ALLOC &&
         !leads_to_without (a->program, create, create, made.i);
}

static void number_kind (instances *x, uint32_t kind) {
  lock_analysis *a = x->analysis;
  ir_edge create = threads_creator (a->threads, kind);
  if (create.i == IR_NONE || ir_edge_at (a->program, create)->op != IR_THREAD_CREATE) return;
  x->kinds[kind].fresh = gets_fresh_memory (x, create);
  if (threads_parent (a->threads, kind) != 0) return;
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, create)->from)->proc;
  if (!runs_once (x, f, 0)) return;
  value_term argument = value_of_expr (&a->values, f, ir_arg (a->program, create, 2));
  if (argument.i != VALUE_NONE) find_argument_counter (x, kind, argument, argument);
}

void instances_init (instances *x, lock_analysis *a) {
  const ir_program *p = a->program;
  *x = (instances){.analysis = a,
                   .kinds = mem_zalloc (sizeof (numbering) * (threads_count (a->threads) + 1)),
                   .num_callers = mem_zalloc (sizeof (uint32_t) * (p->procs.count + 1)),
                   .caller = mem_zalloc (sizeof (uint32_t) * (p->procs.count + 1))};
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].op == IR_CALL) for_each_callee (a, (ir_edge){e}, note_call, &(counting_calls){x, e});
  for (uint32_t k = 0; k < threads_count (a->threads); k++) number_kind (x, k);
}

void instances_release (instances *x) {
  size_t procs = sizeof (uint32_t) * (x->analysis->program->procs.count + 1);
  mem_free (x->kinds, sizeof (numbering) * (threads_count (x->analysis->threads) + 1));
  mem_free (x->num_callers, procs);
  mem_free (x->caller, procs);
  vec_release (&x->places);
}

// ---- where an access lies -------------------------------------------------------------------------------------------
typedef struct lifting {
  instances *x;
  ir_proc callee;
  ir_edge call;
} lifting;

static value_term lift_to_caller (void *state, value_term leaf) {
  lifting *l = state;
  lock_analysis *a = l->x->analysis;
  uint32_t k;
  if (!value_is_param (&a->values, leaf, l->callee, &k) || k + 1 >= ir_edge_at (a->program, l->call)->num_args)
    return (value_term){VALUE_NONE};
  ir_proc caller = ir_loc_at (a->program, ir_edge_at (a->program, l->call)->from)->proc;
  return value_of_expr (&a->values, caller, ir_arg (a->program, l->call, k + 1));
}

// Substitutes arguments for parameters, from the access up to procedure `top`.
value_term instances_address (instances *x, placed_access p, ir_proc top) {
  lock_analysis *a = x->analysis;
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, p.edge)->from)->proc;
  value_term v = value_of_expr (&a->values, f, ir_arg (a->program, p.edge, p.arg));
  for (unsigned k = 0; f.i != top.i; k++) {
    if (v.i == VALUE_NONE || at_limit (LOCK_CALLERS, k) || x->num_callers[f.i] != 1) return (value_term){VALUE_NONE};
    lifting l = {x, f, {x->caller[f.i]}};
    v = value_replace (&a->values, v, lift_to_caller, &l);
    f = ir_loc_at (a->program, ir_edge_at (a->program, l.call)->from)->proc;
  }
  return v;
}

static linear place_by_argument (instances *x, placed_access p) {
  lock_analysis *a = x->analysis;
  ir_proc entry = threads_entry (a->threads, p.kind);
  if (!ir_proc_at (a->program, entry)->num_params || a->values.assigned_param[entry.i] || x->num_callers[entry.i])
    return not_linear ();
  value_term v = instances_address (x, p, entry);
  return v.i == VALUE_NONE ? not_linear () : linear_in (a, v, value_reg (&a->values, entry, 0));
}

static bool far_enough (int64_t apart, int64_t offset, placed_access p, placed_access q) {
  uint32_t bytes = p.bytes > q.bytes ? p.bytes : q.bytes;
  int64_t size = apart < 0 ? -apart : apart, difference = offset < 0 ? -offset : offset;
  return bytes < 4096 && size < INT32_MAX && difference < INT32_MAX && size >= difference + (int64_t) bytes;
}

static bool same_base (instances *x, value_term a, value_term b) {
  return a.i == b.i && (a.i == VALUE_NONE || value_is_fixed (&x->analysis->values, a));
}

static bool same_kind_disjoint (instances *x, placed_access p, placed_access q) {
  const numbering *n = &x->kinds[p.kind];
  linear s = place_by_argument (x, p), t = place_by_argument (x, q);
  if (!s.yes || !t.yes || !s.factor || s.factor != t.factor || !same_base (x, s.base, t.base)) return false;
  return far_enough (s.factor * n->distance, s.offset - t.offset, p, q);
}

// Both accesses are at a distance from the arguments, and so in the objects that the threads were given.
static bool both_in_own_memory (instances *x, placed_access p, placed_access q) {
  linear s = place_by_argument (x, p), t = place_by_argument (x, q);
  return s.yes && t.yes && s.factor == 1 && t.factor == 1 && s.base.i == VALUE_NONE && t.base.i == VALUE_NONE;
}

// The creator, before it creates the thread for the present value of the counter, touches only that thread's part.
static bool creator_disjoint (instances *x, placed_access creator, placed_access thread) {
  lock_analysis *a = x->analysis;
  const numbering *n = &x->kinds[thread.kind];
  linear t = place_by_argument (x, thread);
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, creator.edge)->from)->proc;
  if (creator.kind != 0 || f.i != n->creator.i || !t.yes || t.factor != 1 || t.base.i != VALUE_NONE) return false;
  if (leads_to_without (a->program, n->create, creator.edge, n->increment.i)) return false;
  linear mine =
      linear_in (a, value_of_expr (&a->values, f, ir_arg (a->program, creator.edge, creator.arg)), n->counter);
  linear theirs = linear_in (a, n->argument, n->counter);
  if (!mine.yes || !mine.factor || mine.factor != theirs.factor || !same_base (x, mine.base, theirs.base)) return false;
  return far_enough (n->distance, mine.offset - theirs.offset - t.offset, creator, thread);
}

// The joiner has joined the thread of the present value of its counter, and touches only that thread's part: an element
// of the array that the arguments point into, or the object that was allocated for the thread and linked from an array.
static bool own_element (instances *x, placed_access joiner, placed_access thread, const threads_round *r, linear t) {
  lock_analysis *a = x->analysis;
  const numbering *n = &x->kinds[thread.kind];
  if (!n->known || n->counter.i != value_reg (&a->values, r->creator, r->created.i).i) return false;
  value_term address = value_of_expr (&a->values, r->joiner, ir_arg (a->program, joiner.edge, joiner.arg));
  if (address.i == VALUE_NONE) return false;
  linear mine = linear_in (a, address, value_reg (&a->values, r->joiner, r->joined.i));
  linear theirs = linear_in (a, n->argument, n->counter);
  if (!mine.yes || !mine.factor || mine.factor != theirs.factor || !same_base (x, mine.base, theirs.base)) return false;
  return far_enough (n->distance, mine.offset - theirs.offset - t.offset, joiner, thread);
}

static bool was_loaded_in_round (const lock_analysis *a, const threads_round *r, ir_edge load, ir_edge used) {
  return !leads_to_without (a->program, r->begin, used, load.i) &&
         !leads_to_without (a->program, r->step, used, load.i);
}

static bool in_own_object (instances *x, placed_access joiner, placed_access thread, const threads_round *r) {
  lock_analysis *a = x->analysis;
  if (r->link.i == IR_NONE || !x->kinds[thread.kind].fresh) return false;
  ir_edge create = threads_creator (a->threads, thread.kind);
  value_term linked = value_of_expr (&a->values, r->creator, ir_arg (a->program, r->link, 1));
  term_address given = address_in (&a->values, r->creator, ir_arg (a->program, create, 2)),
               at = address_in (&a->values, r->joiner, ir_arg (a->program, joiner.edge, joiner.arg));
  if (at.base.i == VALUE_NONE || given.base.i != linked.i) return false;
  const value_node n = *value_node_at (&a->values, at.base);
  ir_edge load = n.kind == V_REG && n.a == r->joiner.i ? a->values.definition[n.a][n.b] : (ir_edge){IR_NONE};
  if (load.i >= IR_NONE - 1 || ir_edge_at (a->program, load)->op != IR_LOAD) return false;
  value_term loaded_from = value_of_expr (&a->values, r->joiner, ir_arg (a->program, load, 0)),
             pointer_at = value_of_expr (&a->values, r->joiner, ir_arg (a->program, r->pointer, 0));
  return loaded_from.i == pointer_at.i && ir_edge_at (a->program, load)->bytes == a->program->pointer_bits / 8u &&
         was_loaded_in_round (a, r, load, joiner.edge);
}

static bool joiner_disjoint (instances *x, placed_access joiner, placed_access thread) {
  lock_analysis *a = x->analysis;
  threads_round r;
  if (joiner.kind != 0 || threads_parent (a->threads, thread.kind) != 0) return false;
  ir_loc at = ir_edge_at (a->program, joiner.edge)->from;
  if (!threads_joined_in_round (a->threads, threads_creator (a->threads, thread.kind), at, &r)) return false;
  linear t = place_by_argument (x, thread);
  if (!t.yes || t.factor != 1 || t.base.i != VALUE_NONE) return false;
  return own_element (x, joiner, thread, &r, t) || in_own_object (x, joiner, thread, &r);
}

bool instances_disjoint (instances *x, placed_access p, placed_access q) {
  if (exact_addresses_disjoint (x, p, q)) return true;
  if (p.kind == q.kind && x->kinds[p.kind].fresh && both_in_own_memory (x, p, q)) return true;
  if (p.kind == q.kind) return x->kinds[p.kind].known && same_kind_disjoint (x, p, q);
  if (joiner_disjoint (x, p, q) || joiner_disjoint (x, q, p)) return true;
  if (x->kinds[q.kind].known && creator_disjoint (x, p, q)) return true;
  return x->kinds[p.kind].known && creator_disjoint (x, q, p);
}
