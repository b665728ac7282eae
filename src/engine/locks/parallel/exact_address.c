// If the creator of a thread passes a fixed address as its argument, accesses at a distance from that argument have
// fixed addresses too, although other threads run the same code with other arguments.  If the argument is not an
// address (null), there is no access.
#include "engine/locks/parallel/parallel.h"

typedef struct passing {
  lock_analysis *a;
  ir_proc entry;
  value_term argument;
} passing;

static value_term leaf_passed (void *state, value_term leaf) {
  const passing *p = state;
  uint32_t k;
  return value_is_param (&p->a->values, leaf, p->entry, &k) && !k ? p->argument : (value_term){VALUE_NONE};
}

// The fixed argument of the threads of this kind; VALUE_NONE: not known.
static value_term argument_of (instances *x, uint32_t kind) {
  lock_analysis *a = x->analysis;
  ir_edge create = threads_creator (a->threads, kind);
  value_term unknown = {VALUE_NONE};
  if (create.i == IR_NONE || ir_edge_at (a->program, create)->op != IR_THREAD_CREATE) return unknown;
  ir_proc creator = ir_loc_at (a->program, ir_edge_at (a->program, create)->from)->proc;
  value_term v = value_of_expr (&a->values, creator, ir_arg (a->program, create, 2));
  return v.i != VALUE_NONE && value_is_fixed (&a->values, v) ? v : unknown;
}

static value_term address_by_argument (instances *x, placed_access p) {
  lock_analysis *a = x->analysis;
  ir_proc entry = threads_entry (a->threads, p.kind);
  passing way = {a, entry, argument_of (x, p.kind)};
  value_term unknown = {VALUE_NONE};
  if (way.argument.i == VALUE_NONE || !ir_proc_at (a->program, entry)->num_params || x->num_callers[entry.i])
    return unknown;
  value_term v = instances_address (x, p, entry);
  return v.i == VALUE_NONE ? v : value_replace (&a->values, v, leaf_passed, &way);
}

static value_term address_of_access (instances *x, placed_access p) {
  lock_analysis *a = x->analysis;
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, p.edge)->from)->proc;
  value_term own = value_of_expr (&a->values, f, ir_arg (a->program, p.edge, p.arg));
  return own.i != VALUE_NONE && value_is_fixed (&a->values, own) ? own : address_by_argument (x, p);
}

static exact_address find_exact_address (instances *x, placed_access p) {
  lock_analysis *a = x->analysis;
  value_term v = address_of_access (x, p);
  ir_value number;
  if (v.i == VALUE_NONE) return (exact_address){.known = ADDRESS_UNKNOWN};
  if (value_constant (&a->values, v, &number)) return (exact_address){.known = NO_ACCESS};
  term_address at = address_split (&a->values, v);
  const value_node *base = value_node_at (&a->values, at.base);
  if (base->kind != V_ADDR || !value_is_fixed (&a->values, at.base)) return (exact_address){.known = ADDRESS_UNKNOWN};
  return (exact_address){ADDRESS_EXACT, base->a, at.offset};
}

uint32_t exact_address_find (instances *x, placed_access p) {
  if (!x->places.count) vec_push (&x->places, (exact_address){.known = ADDRESS_UNKNOWN});
  vec_push (&x->places, find_exact_address (x, p));
  return x->places.count - 1;
}

static exact_address exact_address_of (instances *x, placed_access p) {
  return p.place ? x->places.data[p.place] : find_exact_address (x, p);
}

static bool may_be_in (const lock_analysis *a, placed_access p, uint32_t object) {
  pointsto_list all = pointsto_targets (a->targets, p.edge, p.arg);
  bool may = all.anything;
  for (uint32_t k = 0; k < all.count; k++) may |= all.targets[k].object == object;
  return may;
}

bool exact_addresses_disjoint (instances *x, placed_access p, placed_access q) {
  exact_address a = exact_address_of (x, p), b = exact_address_of (x, q);
  if (a.known == NO_ACCESS || b.known == NO_ACCESS) return true;
  if (a.known == ADDRESS_EXACT && b.known == ADDRESS_EXACT)
    return a.object != b.object || a.offset + (int64_t) p.bytes <= b.offset || b.offset + (int64_t) q.bytes <= a.offset;
  if (a.known == ADDRESS_EXACT) return !may_be_in (x->analysis, q, a.object);
  return b.known == ADDRESS_EXACT && !may_be_in (x->analysis, p, b.object);
}
