// Effects of all paths from the entry of a procedure to each of its locations, by tabulation.  A node is a location
// with an effect.  Nodes are continued over edges, and over a call by every effect of the callee, whether it is known
// already or found later (Sharir and Pnueli 1981, functional approach; the same fixpoint as post* on the pushdown
// system of LOCK section 2, so recursion is exact).  The domain is finite, and of two effects at one location only the
// weaker one is continued.
#include "base/limits.h"
#include "engine/locks/states/states_impl.h"

#include <string.h>

#include "base/diag.h"
#include "base/hash.h"

// ---- calls ---------------------------------------------------------------------------------------------------
void for_each_callee (const lock_analysis *a, ir_edge call, void (*f) (void *state, ir_proc), void *state) {
  calls_list callees = calls_of (a->calls, call);
  for (uint32_t k = 0; k < callees.count; k++) f (state, callees.procs[k]);
}

// ---- which procedures touch locks -------------------------------------------------------------------------------
typedef struct lock_relevance {
  lock_analysis *a;
  VEC (uint32_t) *callers;
  VEC (uint32_t) waiting;
  uint32_t caller;
} lock_relevance;

static void note_caller (void *state, ir_proc f) {
  lock_relevance *m = state;
  vec_push (&m->callers[f.i], m->caller);
}

static void mark_relevant (lock_relevance *m, uint32_t f) {
  if (!m->a->summaries[f].neutral) return;
  m->a->summaries[f].neutral = false;
  vec_push (&m->waiting, f);
}

static void find_neutral (lock_analysis *a) {
  const ir_program *p = a->program;
  lock_relevance m = {.a = a, .callers = mem_zalloc (sizeof *m.callers * (p->procs.count + 1))};
  for (uint32_t f = 0; f < p->procs.count; f++) a->summaries[f].neutral = true;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    m.caller = ir_loc_at (p, d->from)->proc.i;
    if (d->op == IR_CALL) for_each_callee (a, (ir_edge){e}, note_caller, &m);
    if (edge_touches_locks (a, (ir_edge){e}) || flag_observed (a, (ir_edge){e}, &(lock_use){0}))
      mark_relevant (&m, m.caller);
  }
  while (m.waiting.count) {
    uint32_t f = vec_pop (&m.waiting);
    for (uint32_t k = 0; k < m.callers[f].count; k++) mark_relevant (&m, m.callers[f].data[k]);
  }
  for (uint32_t f = 0; f < p->procs.count; f++) vec_release (&m.callers[f]);
  mem_free (m.callers, sizeof *m.callers * (p->procs.count + 1));
  vec_release (&m.waiting);
}

// ---- nodes ----------------------------------------------------------------------------------------------------
static void weaken_effect (lock_analysis *a, effect *e, uint32_t siblings) {
  if (!at_limit (SUMMARY_VALUES, siblings)) return;
  e->num_tracked = 0;
  if (!at_limit (SUMMARY_HISTORIES, siblings)) return;
  a->histories_dropped = true;
  effect_drop_histories (&a->effects, e);
  if (!at_limit (SUMMARY_STATES, siblings)) return;
  a->overflowed = true;
  e->overflowed = true;
  e->num_held = e->num_released = 0;
  e->acquired = e->needs_free = e->facts = e->created = e->since = IDSET_EMPTY;
}

static bool is_subsumed (lock_analysis *a, ir_loc at, const effect *e) {
  for (uint32_t k = 0; k < a->at[at.i].count; k++) {
    const summary_node *n = &a->nodes.data[a->at[at.i].data[k]];
    effect known;
    if (n->covered) continue;
    effect_load (&a->effects, n->effect, &known);
    if (effect_subsumes (&a->effects, &known, e)) return true;
  }
  return false;
}

static void cover_stronger (lock_analysis *a, ir_loc at, const effect *e) {
  for (uint32_t k = 0; k < a->at[at.i].count; k++) {
    summary_node *n = &a->nodes.data[a->at[at.i].data[k]];
    effect known;
    if (n->covered) continue;
    effect_load (&a->effects, n->effect, &known);
    if (effect_subsumes (&a->effects, e, &known)) n->covered = true;
  }
}

static uint32_t num_open (const lock_analysis *a, ir_loc at) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < a->at[at.i].count; k++) count += !a->nodes.data[a->at[at.i].data[k]].covered;
  return count;
}

// Joins effects that differ only in may-held and unresolved locks, which exclude no thread.
static void join_similar (lock_analysis *a, ir_loc at, effect *e) {
  for (uint32_t k = 0; k < a->at[at.i].count; k++) {
    const summary_node *n = &a->nodes.data[a->at[at.i].data[k]];
    effect known;
    if (n->covered) continue;
    effect_load (&a->effects, n->effect, &known);
    effect_join (&a->effects, e, &known);
  }
}

// A node with this effect exists, covered or not.
static bool is_known_effect (lock_analysis *a, ir_loc at, const effect *e) {
  uint32_t number = effect_intern (&a->effects, e);
  for (uint32_t k = a->at[at.i].count; k-- > 0;)
    if (a->nodes.data[a->at[at.i].data[k]].effect == number) return true;
  return false;
}

static void add_summary_node (lock_analysis *a, summary_node n, effect *e) {
  drop_dead_values (a, n.at, e);
  if (is_known_effect (a, n.at, e)) return;
  weaken_effect (a, e, num_open (a, n.at));
  join_similar (a, n.at, e);
  if (is_subsumed (a, n.at, e)) return;
  cover_stronger (a, n.at, e);
  n.effect = effect_intern (&a->effects, e);
  vec_push (&a->at[n.at.i], a->nodes.count);
  vec_push (&a->worklist, a->nodes.count);
  vec_push (&a->nodes, n);
}

// ---- names across calls ------------------------------------------------------------------------------------------
typedef struct call_renaming {
  lock_analysis *a;
  ir_edge call;
  ir_proc callee, caller;
} call_renaming;

static value_term substitute_argument (void *state, value_term leaf) {
  call_renaming *r = state;
  lock_analysis *a = r->a;
  const ir_edge_data *d = ir_edge_at (a->program, r->call);
  const value_node *n = value_node_at (&a->values, leaf);
  if (n->kind == V_RESULT)
    return d->dst.i == IR_NONE ? (value_term){VALUE_NONE} : value_reg (&a->values, r->caller, d->dst.i);
  uint32_t k;
  if (!value_is_param (&a->values, leaf, r->callee, &k) || k + 1 >= d->num_args) return (value_term){VALUE_NONE};
  return value_of_expr (&a->values, r->caller, ir_arg (a->program, r->call, k + 1));
}

static uint32_t name_in_caller (void *state, uint32_t use) {
  call_renaming *r = state;
  lock_analysis *a = r->a;
  lock_use u = {use};
  lock_node n = *lock_at (&a->locks, use_lock (u));
  if (n.edge == IR_NONE || n.base == VALUE_NONE) return use;
  lock_site site = lock_site_of (&n);
  uint32_t k;
  if (value_is_param (&a->values, (value_term){n.base}, r->callee, &k) &&
      k + 1 < ir_edge_at (a->program, r->call)->num_args)
    site = (lock_site){r->call, k + 1, n.offset};
  value_term base = value_replace (&a->values, (value_term){n.base}, substitute_argument, r);
  term_address at = address_split (&a->values, base);
  at.offset += n.offset;
  return use_of (lock_named (&a->locks, (ir_family) n.family, at, site), use_reads (u)).i;
}

// A tracked result becomes a tracked value of the register that the call assigns.
static void rename_known (call_renaming *r, effect *e) {
  const ir_edge_data *d = ir_edge_at (r->a->program, r->call);
  ir_value x;
  bool known = d->dst.i != IR_NONE && effect_tracked_value (e, value_result (&r->a->values), &x);
  e->num_tracked = 0;
  if (known) effect_track (e, value_reg (&r->a->values, r->caller, d->dst.i), x);
}

uint32_t summary_substitute (lock_analysis *a, ir_edge call, ir_proc callee, uint32_t number) {
  uint64_t key = (uint64_t) call.i << 32 | number;
  const uint64_t *known = map_find (&a->substituted, hash_pair (key, callee.i));
  if (known) return (uint32_t) *known;
  call_renaming r = {a, call, callee, ir_loc_at (a->program, ir_edge_at (a->program, call)->from)->proc};
  effect e;
  effect_load (&a->effects, number, &e);
  effect_rename (&a->effects, &e, name_in_caller, &r);
  rename_known (&r, &e);
  uint32_t result = effect_intern (&a->effects, &e);
  map_insert (&a->substituted, hash_pair (key, callee.i), result, NULL);
  return result;
}

// ---- the end of a procedure ----------------------------------------------------------------------------------------
// Callers can name a lock by the parameters or as the result; any other lock becomes unresolved.
typedef struct summary_exit {
  lock_analysis *a;
  ir_proc proc;
  value_term returned;
} summary_exit;

static uint32_t name_for_callers (void *state, uint32_t use) {
  const summary_exit *l = state;
  lock_analysis *a = l->a;
  lock_use u = {use};
  lock_node n = *lock_at (&a->locks, use_lock (u));
  if (n.edge == IR_NONE || n.base == VALUE_NONE || value_over_params (&a->values, (value_term){n.base}, l->proc))
    return use;
  lock_site site = lock_site_of (&n);
  term_address result = {value_result (&a->values), n.offset};
  if (l->returned.i == n.base)
    return use_of (lock_named (&a->locks, (ir_family) n.family, result, site), use_reads (u)).i;
  return use_without_term (&a->locks, u).i;
}

uint32_t summary_export (lock_analysis *a, ir_edge ret, const effect *at_end) {
  effect e = *at_end;
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, ret)->from)->proc;
  summary_exit l = {a, f, {VALUE_NONE}};
  ir_value x;
  bool known = false;
  if (ir_edge_at (a->program, ret)->num_args) {
    l.returned = value_of_expr (&a->values, f, ir_arg (a->program, ret, 0));
    known = evaluate_tracked (a, &e, l.returned, &x);
  }
  e.num_tracked = 0;
  if (known && a->summaries[f.i].exits.count < LIMIT_SUMMARY_VALUES) effect_track (&e, value_result (&a->values), x);
  effect_rename (&a->effects, &e, name_for_callers, &l);
  return effect_intern (&a->effects, &e);
}

// ---- continuing -----------------------------------------------------------------------------------------------------
static void forget_result (lock_analysis *a, ir_edge call, effect *e) {
  const ir_edge_data *d = ir_edge_at (a->program, call);
  if (d->dst.i != IR_NONE) effect_kill_register (&a->effects, e, ir_loc_at (a->program, d->from)->proc, d->dst.i);
}

bool summary_apply (lock_analysis *a, ir_edge call, ir_proc callee, uint32_t exported, effect *e) {
  effect second;
  effect_load (&a->effects, summary_substitute (a, call, callee, exported), &second);
  forget_result (a, call, e);
  if (!effect_compose (&a->effects, e, &second, a->stable.threaded[ir_edge_at (a->program, call)->from.i]))
    return false;
  for (uint32_t k = 0; k < second.num_tracked; k++)
    effect_track (e, (value_term){second.tracked[k].value}, second.tracked[k].low);
  return true;
}

static void return_to_caller (lock_analysis *a, uint32_t from, ir_edge call, ir_proc callee, uint32_t exit) {
  effect e;
  effect_load (&a->effects, a->nodes.data[from].effect, &e);
  if (!summary_apply (a, call, callee, a->summaries[callee.i].exports.data[exit], &e)) return;
  add_summary_node (a,
                    (summary_node){.at = ir_edge_at (a->program, call)->to,
                                   .from = from,
                                   .edge = call.i,
                                   .through = a->summaries[callee.i].exits.data[exit]},
                    &e);
}

static void enter_procedure (lock_analysis *a, ir_proc f) {
  ir_loc entry = ir_proc_at (a->program, f)->entry;
  if (a->at[entry.i].count) return;
  effect nothing;
  effect_load (&a->effects, a->empty, &nothing);
  add_summary_node (a, (summary_node){.at = entry, .from = IR_NONE, .edge = IR_NONE, .through = IR_NONE}, &nothing);
}

typedef struct summary_call {
  lock_analysis *a;
  uint32_t node;
  ir_edge call;
} summary_call;

static void follow_callee (void *state, ir_proc f) {
  summary_call *c = state;
  lock_analysis *a = c->a;
  lock_summary *s = &a->summaries[f.i];
  if (s->neutral) return;
  enter_procedure (a, f);
  vec_push (&s->waiting, c->node);
  for (uint32_t k = 0; k < s->exits.count; k++) return_to_caller (a, c->node, c->call, f, k);
}

// A neutral callee, or one without a body, changes nothing.
bool summary_may_skip (lock_analysis *a, ir_edge call, effect *e) {
  pointsto_set callees = pointsto_arg (a->targets, call, 0);
  calls_list known = calls_of (a->calls, call);
  bool passes = callees.anything || !callees.count;
  for (uint32_t k = 0; k < callees.count; k++)
    passes |= callees.objects[k] >= a->program->objects.count ||
              a->program->objects.data[callees.objects[k]].proc.i == IR_NONE;
  for (uint32_t k = 0; k < known.count; k++) passes |= a->summaries[known.procs[k].i].neutral;
  if (passes) forget_result (a, call, e);
  return passes;
}

static void follow_call (lock_analysis *a, uint32_t at, ir_edge edge) {
  summary_call c = {a, at, edge};
  for_each_callee (a, edge, follow_callee, &c);
  effect e;
  effect_load (&a->effects, a->nodes.data[at].effect, &e);
  if (summary_may_skip (a, edge, &e))
    add_summary_node (
        a, (summary_node){.at = ir_edge_at (a->program, edge)->to, .from = at, .edge = edge.i, .through = IR_NONE}, &e);
}

static void export_exit (lock_analysis *a, uint32_t at, ir_edge ret) {
  ir_proc f = ir_loc_at (a->program, a->nodes.data[at].at)->proc;
  lock_summary *s = &a->summaries[f.i];
  effect e;
  effect_load (&a->effects, a->nodes.data[at].effect, &e);
  uint32_t exported = summary_export (a, ret, &e);
  for (uint32_t k = 0; k < s->exports.count; k++)
    if (s->exports.data[k] == exported) return;
  vec_push (&s->exits, at);
  vec_push (&s->exports, exported);
  for (uint32_t k = 0; k < s->waiting.count; k++) {
    uint32_t caller = s->waiting.data[k];
    ir_edge edge = {ir_loc_at (a->program, a->nodes.data[caller].at)->first_edge};
    return_to_caller (a, caller, edge, f, s->exits.count - 1);
  }
}

static void continue_node (lock_analysis *a, uint32_t at) {
  const ir_loc_data *l = ir_loc_at (a->program, a->nodes.data[at].at);
  effect before, after[EDGE_OUTCOMES];
  effect_load (&a->effects, a->nodes.data[at].effect, &before);
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    if (d->op == IR_CALL) follow_call (a, at, (ir_edge){e});
    else if (d->op == IR_RETURN) export_exit (a, at, (ir_edge){e});
    else if (d->to.i != IR_NONE) {
      uint32_t count = edge_effects (a, (ir_edge){e}, &before, after);
      for (uint32_t k = 0; k < count; k++)
        add_summary_node (a, (summary_node){.at = d->to, .from = at, .edge = e, .through = IR_NONE}, &after[k]);
    }
  }
}

void find_summaries (lock_analysis *a) {
  const ir_program *p = a->program;
  a->summaries = mem_zalloc (sizeof *a->summaries * (p->procs.count + 1));
  a->at = mem_zalloc (sizeof *a->at * (p->locs.count + 1));
  a->live = mem_zalloc (sizeof *a->live * (p->locs.count + 1));
  effect nothing = {0};
  a->empty = effect_intern (&a->effects, &nothing);
  find_neutral (a);
  find_tracked_values (a);
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (!a->summaries[threads_entry (a->threads, k).i].neutral) enter_procedure (a, threads_entry (a->threads, k));
  while (a->worklist.count) {
    uint32_t at = vec_pop (&a->worklist);
    if (!a->nodes.data[at].covered) continue_node (a, at);
    if (budget_spent (a->budget)) return;
  }
}
