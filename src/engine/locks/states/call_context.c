// The lock states in which a thread of each kind may enter each procedure: what its callers hold there, named by the
// procedure's parameters where possible.  Together with the summaries this gives the state at every location.
#include "base/limits.h"
#include "engine/locks/states/states_impl.h"

#include <string.h>

#include "base/diag.h"
#include "base/hash.h"

// ---- what parameters are ------------------------------------------------------------------------------------------
// In a context, parameters that certainly hold a fixed address, such as the lock that a wrapper is called with, are
// replaced by that address.
typedef struct binding {
  uint32_t param, value;
} binding;

typedef struct binder {
  lock_analysis *a;
  ir_proc proc;
  const binding *bound;
  uint32_t count;
} binder;

static binder binder_of (lock_analysis *a, uint32_t context) {
  const context_data *c = &a->contexts.data[context];
  size_t bytes;
  const binding *bound = intern_get (&a->bindings, c->binding, &bytes);
  return (binder){a, c->proc, bound, (uint32_t) (bytes / sizeof *bound)};
}

static value_term bound_leaf (void *state, value_term leaf) {
  const binder *b = state;
  uint32_t k;
  if (value_is_param (&b->a->values, leaf, b->proc, &k))
    for (uint32_t i = 0; i < b->count; i++)
      if (b->bound[i].param == k) return (value_term){b->bound[i].value};
  return leaf;
}

static uint32_t bound_name (void *state, uint32_t use) {
  const binder *b = state;
  lock_analysis *a = b->a;
  lock_use u = {use};
  lock_node n = *lock_at (&a->locks, use_lock (u));
  if (n.edge == IR_NONE || n.base == VALUE_NONE) return use;
  term_address at =
      address_split (&a->values, value_replace (&a->values, (value_term){n.base}, bound_leaf, (void *) b));
  at.offset += n.offset;
  return use_of (lock_named (&a->locks, (ir_family) n.family, at, lock_site_of (&n)), use_reads (u)).i;
}

lock_use context_lock (lock_analysis *a, uint32_t context, lock_use u) {
  binder b = binder_of (a, context);
  return b.count ? (lock_use){bound_name (&b, u.i)} : u;
}

static uint32_t bound_effect (lock_analysis *a, uint32_t context, uint32_t number) {
  binder b = binder_of (a, context);
  if (!b.count || number == a->empty) return number;
  uint64_t key = hash_pair ((uint64_t) a->contexts.data[context].binding << 32 | number, b.proc.i);
  const uint64_t *known = map_find (&a->bound, key);
  if (known) return (uint32_t) *known;
  effect e;
  effect_load (&a->effects, number, &e);
  effect_rename (&a->effects, &e, bound_name, &b);
  uint32_t result = effect_intern (&a->effects, &e);
  map_insert (&a->bound, key, result, NULL);
  return result;
}

// ---- states ------------------------------------------------------------------------------------------------------
// The state after `path` from `state` on.  A lock that the path releases without having acquired it is left in
// `released`.
static bool state_after (lock_analysis *a, uint32_t state, uint32_t path, bool threaded, effect *out) {
  effect second;
  effect_load (&a->effects, state, out);
  if (path == a->empty) return true;
  effect_load (&a->effects, path, &second);
  if (!effect_compose (&a->effects, out, &second, threaded)) return false;
  out->needs_free = out->created = IDSET_EMPTY;
  memcpy (out->tracked, second.tracked, sizeof second.tracked);
  out->num_tracked = second.num_tracked;
  return true;
}

static const context_list *contexts_of (const lock_analysis *a, uint32_t kind, ir_proc f) {
  const uint64_t *at = map_find (&a->context_lists, (uint64_t) kind << 32 | f.i);
  return at ? &a->lists.data[*at] : NULL;
}

static void visit_node (lock_analysis *a, uint32_t c, uint32_t n, ir_loc at, state_visitor *f, void *user) {
  effect state;
  uint32_t path = n == IR_NONE ? a->empty : bound_effect (a, c, a->nodes.data[n].effect);
  if (state_after (a, a->contexts.data[c].state, path, a->stable.threaded[at.i], &state)) f (user, c, n, &state);
}

void for_each_state (lock_analysis *a, uint32_t kind, ir_loc at, state_visitor *f, void *user) {
  ir_proc proc = ir_loc_at (a->program, at)->proc;
  const context_list *list = contexts_of (a, kind, proc);
  for (uint32_t k = 0; list && k < list->items.count; k++) {
    uint32_t c = list->items.data[k];
    if (a->summaries[proc.i].neutral) visit_node (a, c, IR_NONE, at, f, user);
    else
      for (uint32_t n = 0; n < a->at[at.i].count; n++)
        if (!a->nodes.data[a->at[at.i].data[n]].covered) visit_node (a, c, a->at[at.i].data[n], at, f, user);
  }
}

// ---- entering a procedure -------------------------------------------------------------------------------------------
typedef struct entering {
  lock_analysis *a;
  ir_edge call;
  ir_proc caller, callee;
  uint32_t context, node;
  effect state;
} entering;

// Names a lock that the caller holds by the callee's parameters.
static uint32_t name_inside (void *state, uint32_t use) {
  const entering *e = state;
  lock_analysis *a = e->a;
  lock_use u = {use};
  lock_node n = *lock_at (&a->locks, use_lock (u));
  if (n.edge == IR_NONE || n.base == VALUE_NONE) return use;
  const ir_edge_data *d = ir_edge_at (a->program, e->call);
  uint32_t params = ir_proc_at (a->program, e->callee)->num_params;
  for (uint32_t k = 0; k + 1 < d->num_args && k < params && !a->values.assigned_param[e->callee.i]; k++) {
    term_address arg = address_in (&a->values, e->caller, ir_arg (a->program, e->call, k + 1));
    if (arg.base.i != n.base) continue;
    term_address inside = {value_reg (&a->values, e->callee, k), n.offset - arg.offset};
    return use_of (lock_named (&a->locks, (ir_family) n.family, inside, lock_site_of (&n)), use_reads (u)).i;
  }
  return use_without_term (&a->locks, u).i;
}

static effect state_inside (entering *e) {
  effect s = e->state;
  s.num_tracked = s.num_released = 0;
  s.needs_free = s.created = IDSET_EMPTY;
  effect_rename (&e->a->effects, &s, name_inside, e);
  return s;
}

static void forget_names (lock_analysis *a, effect *s) {
  for (uint32_t k = 0; k < s->num_held; k++) {
    lock_use u = {s->held[k].use};
    s->held[k].use = use_without_term (&a->locks, u).i;
  }
}

static void weaken_context (lock_analysis *a, effect *s, uint32_t siblings) {
  if (at_limit (CONTEXT_HISTORIES, siblings)) {
    a->histories_dropped = true;
    effect_drop_histories (&a->effects, s);
  }
  if (at_limit (CONTEXT_NAMES, siblings)) forget_names (a, s);
  if (!at_limit (CONTEXT_STATES, siblings)) return;
  s->overflowed = a->overflowed = true;
  s->num_held = 0;
  s->facts = s->acquired = s->since = IDSET_EMPTY;
}

static uint32_t bindings_of (lock_analysis *a, const binding *bound, uint32_t count) {
  return intern_add (&a->bindings, bound ? (const void *) bound : "", count * sizeof *bound, NULL);
}

static context_list *list_for (lock_analysis *a, uint32_t kind, ir_proc f) {
  bool is_new;
  uint64_t *at = map_insert (&a->context_lists, (uint64_t) kind << 32 | f.i, a->lists.count, &is_new);
  if (is_new) vec_push (&a->lists, (context_list){0});
  return &a->lists.data[*at];
}

static void add_context (lock_analysis *a, context_data c, effect *state) {
  context_list *list = list_for (a, c.kind, c.proc);
  weaken_context (a, state, list->items.count);
  if (at_limit (CONTEXT_NAMES, list->items.count)) c.binding = bindings_of (a, NULL, 0);
  for (uint32_t k = 0; k < list->items.count; k++) {
    effect known;
    const context_data *other = &a->contexts.data[list->items.data[k]];
    if (other->binding != c.binding) continue;
    effect_load (&a->effects, other->state, &known);
    if (effect_subsumes (&a->effects, &known, state)) return;
  }
  c.state = effect_intern (&a->effects, state);
  vec_push (&list->items, a->contexts.count);
  vec_push (&a->worklist, a->contexts.count);
  vec_push (&a->contexts, c);
}

// Collects the arguments that are fixed addresses.
static uint32_t bind_arguments (entering *e) {
  lock_analysis *a = e->a;
  binder b = binder_of (a, e->context);
  binding bound[LIMIT_CONTEXT_ARGUMENTS];
  uint32_t count = 0, params = ir_proc_at (a->program, e->callee)->num_params,
           args = ir_edge_at (a->program, e->call)->num_args;
  for (uint32_t k = 0;
       k < params && k + 1 < args && !a->summaries[e->callee.i].neutral && !at_limit (CONTEXT_ARGUMENTS, count); k++) {
    value_term v = value_of_expr (&a->values, e->caller, ir_arg (a->program, e->call, k + 1));
    if (v.i != VALUE_NONE) v = value_replace (&a->values, v, bound_leaf, &b);
    ir_value x;
    if (v.i != VALUE_NONE && value_is_fixed (&a->values, v) && !value_constant (&a->values, v, &x))
      bound[count++] = (binding){k, v.i};
  }
  return bindings_of (a, bound, count);
}

static void enter_callee (void *user, ir_proc callee) {
  entering *e = user;
  e->callee = callee;
  effect inside = state_inside (e);
  context_data c = {.kind = e->a->contexts.data[e->context].kind,
                    .proc = callee,
                    .binding = bind_arguments (e),
                    .from = e->context,
                    .node = e->node,
                    .call = e->call.i};
  add_context (e->a, c, &inside);
}

// ---- all contexts ---------------------------------------------------------------------------------------------------
static void call_from (lock_analysis *a, uint32_t c, uint32_t n, ir_edge call) {
  ir_loc at = ir_edge_at (a->program, call)->from;
  entering e = {.a = a, .call = call, .caller = ir_loc_at (a->program, at)->proc, .context = c, .node = n};
  uint32_t path = n == IR_NONE ? a->empty : bound_effect (a, c, a->nodes.data[n].effect);
  if (state_after (a, a->contexts.data[c].state, path, a->stable.threaded[at.i], &e.state))
    for_each_callee (a, call, enter_callee, &e);
}

static void continue_context (lock_analysis *a, uint32_t c) {
  const ir_program *p = a->program;
  ir_proc f = a->contexts.data[c].proc;
  const ir_proc_data *d = ir_proc_at (p, f);
  for (uint32_t l = 0; l < d->locs.count; l++) {
    ir_loc at = d->locs.data[l];
    const ir_loc_data *loc = ir_loc_at (p, at);
    if (!loc->num_edges || p->edges.data[loc->first_edge].op != IR_CALL) continue;
    if (a->summaries[f.i].neutral) call_from (a, c, IR_NONE, (ir_edge){loc->first_edge});
    else
      for (uint32_t k = 0; k < a->at[at.i].count; k++)
        if (!a->nodes.data[a->at[at.i].data[k]].covered)
          call_from (a, c, a->at[at.i].data[k], (ir_edge){loc->first_edge});
  }
}

void find_contexts (lock_analysis *a) {
  effect nothing = {0};
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    add_context (a,
                 (context_data){.kind = k,
                                .proc = threads_entry (a->threads, k),
                                .binding = bindings_of (a, NULL, 0),
                                .from = IR_NONE,
                                .node = IR_NONE,
                                .call = IR_NONE},
                 &nothing);
  while (a->worklist.count && !budget_spent (a->budget)) continue_context (a, vec_pop (&a->worklist));
}
