// Effects of all paths from the entry of a procedure to each of its locations, by tabulation: a node is a location with an
// effect, nodes are continued over edges, and over a call by every effect of the callee that is known, or becomes known later
// (Sharir and Pnueli 1981, functional approach; the same fixpoint as post* on the pushdown system of LOCK section 2, so
// recursion is exact).  The domain is finite, and of two effects at one place only the weaker is continued.
#include "engine/locks/states/states_impl.h"

#include <string.h>

#include "base/diag.h"
#include "base/hash.h"

enum { MANY_NODES = 48, MOST_HISTORIES = 96, TOO_MANY_NODES = 160 };

// ---- calls ---------------------------------------------------------------------------------------------------
void for_each_callee (const lock_analysis *a, ir_edge call, void (*f) (void *state, ir_proc), void *state) {
  calls_list callees = calls_of (a->calls, call);
  for (uint32_t k = 0; k < callees.count; k++) f (state, callees.procs[k]);
}

// ---- which procedures touch locks -------------------------------------------------------------------------------
typedef struct marking {
  lock_analysis *a;
  VEC (uint32_t) *callers;
  VEC (uint32_t) waiting;
  uint32_t caller;
} marking;

static void note_caller (void *state, ir_proc f) {
  marking *m = state;
  vec_push (&m->callers[f.i], m->caller);
}

static void mark_relevant (marking *m, uint32_t f) {
  if (!m->a->summaries[f].plain) return;
  m->a->summaries[f].plain = false;
  vec_push (&m->waiting, f);
}

static void find_plain (lock_analysis *a) {
  const ir_program *p = a->program;
  marking m = {.a = a, .callers = mem_zalloc (sizeof *m.callers * (p->procs.count + 1))};
  for (uint32_t f = 0; f < p->procs.count; f++) a->summaries[f].plain = true;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    m.caller = ir_loc_at (p, d->from)->proc.i;
    if (d->op == IR_CALL) for_each_callee (a, (ir_edge){e}, note_caller, &m);
    if (step_is_relevant (a, (ir_edge){e}) || flag_seen (a, (ir_edge){e}, &(lock_use){0})) mark_relevant (&m, m.caller);
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
static void weaken (lock_analysis *a, effect *e, uint32_t siblings) {
  if (siblings < MANY_NODES) return;
  e->num_known = 0;
  if (siblings < MOST_HISTORIES) return;
  a->shortened = true;
  effect_forget_histories (&a->effects, e);
  if (siblings < TOO_MANY_NODES) return;
  a->lost = true;
  e->lost = true;
  e->num_held = e->num_released = 0;
  e->acquired = e->wanted = e->facts = e->created = e->since = IDSET_EMPTY;
}

static bool is_covered (lock_analysis *a, ir_loc at, const effect *e) {
  for (uint32_t k = 0; k < a->at[at.i].count; k++) {
    const node *n = &a->nodes.data[a->at[at.i].data[k]];
    effect known;
    if (n->covered) continue;
    effect_load (&a->effects, n->effect, &known);
    if (effect_covers (&a->effects, &known, e)) return true;
  }
  return false;
}

static void cover_stronger (lock_analysis *a, ir_loc at, const effect *e) {
  for (uint32_t k = 0; k < a->at[at.i].count; k++) {
    node *n = &a->nodes.data[a->at[at.i].data[k]];
    effect known;
    if (n->covered) continue;
    effect_load (&a->effects, n->effect, &known);
    if (effect_covers (&a->effects, e, &known)) n->covered = true;
  }
}

static uint32_t num_open (const lock_analysis *a, ir_loc at) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < a->at[at.i].count; k++) count += !a->nodes.data[a->at[at.i].data[k]].covered;
  return count;
}

// What excludes nobody need not be told apart.
static void join_alike (lock_analysis *a, ir_loc at, effect *e) {
  for (uint32_t k = 0; k < a->at[at.i].count; k++) {
    const node *n = &a->nodes.data[a->at[at.i].data[k]];
    effect known;
    if (n->covered) continue;
    effect_load (&a->effects, n->effect, &known);
    effect_join (&a->effects, e, &known);
  }
}

// The same effect again, be it open or covered.
static bool is_known (lock_analysis *a, ir_loc at, const effect *e) {
  uint32_t number = effect_intern (&a->effects, e);
  for (uint32_t k = a->at[at.i].count; k-- > 0;)
    if (a->nodes.data[a->at[at.i].data[k]].effect == number) return true;
  return false;
}

static void add_node (lock_analysis *a, node n, effect *e) {
  knowledge_drop (a, n.at, e);
  if (is_known (a, n.at, e)) return;
  weaken (a, e, num_open (a, n.at));
  join_alike (a, n.at, e);
  if (is_covered (a, n.at, e)) return;
  cover_stronger (a, n.at, e);
  n.effect = effect_intern (&a->effects, e);
  vec_push (&a->at[n.at.i], a->nodes.count);
  vec_push (&a->worklist, a->nodes.count);
  vec_push (&a->nodes, n);
}

// ---- names across calls ------------------------------------------------------------------------------------------
typedef struct renaming {
  lock_analysis *a;
  ir_edge call;
  ir_proc callee, caller;
} renaming;

static value leaf_in_caller (void *state, value leaf) {
  renaming *r = state;
  lock_analysis *a = r->a;
  const ir_edge_data *d = ir_edge_at (a->program, r->call);
  const value_node *n = value_at (&a->values, leaf);
  if (n->kind == V_RESULT)
    return d->dst.i == IR_NONE ? (value){VALUE_NONE} : value_reg (&a->values, r->caller, d->dst.i);
  uint32_t k;
  if (!value_is_param (&a->values, leaf, r->callee, &k) || k + 1 >= d->num_args) return (value){VALUE_NONE};
  return value_in (&a->values, r->caller, ir_arg (a->program, r->call, k + 1));
}

static uint32_t name_in_caller (void *state, uint32_t use) {
  renaming *r = state;
  lock_analysis *a = r->a;
  lock_use u = {use};
  lock_node n = *lock_at (&a->locks, use_lock (u));
  if (n.edge == IR_NONE || n.base == VALUE_NONE) return use;
  lock_site site = {{n.edge}, n.arg, n.site_offset};
  uint32_t k;
  if (value_is_param (&a->values, (value){n.base}, r->callee, &k) && k + 1 < ir_edge_at (a->program, r->call)->num_args)
    site = (lock_site){r->call, k + 1, n.offset};
  value base = value_replace (&a->values, (value){n.base}, leaf_in_caller, r);
  address at = address_split (&a->values, base);
  at.offset += n.offset;
  return use_of (lock_named (&a->locks, (lock_family) n.family, at, site), use_reads (u)).i;
}

// What is known of the result becomes known of the register it goes to.
static void rename_known (renaming *r, effect *e) {
  const ir_edge_data *d = ir_edge_at (r->a->program, r->call);
  ir_value x;
  bool known = d->dst.i != IR_NONE && effect_knows (e, value_result (&r->a->values), &x);
  e->num_known = 0;
  if (known) effect_learn (e, value_reg (&r->a->values, r->caller, d->dst.i), x);
}

uint32_t summary_substitute (lock_analysis *a, ir_edge call, ir_proc callee, uint32_t number) {
  uint64_t key = (uint64_t) call.i << 32 | number;
  const uint64_t *known = map_find (&a->substituted, hash_pair (key, callee.i));
  if (known) return (uint32_t) *known;
  renaming r = {a, call, callee, ir_loc_at (a->program, ir_edge_at (a->program, call)->from)->proc};
  effect e;
  effect_load (&a->effects, number, &e);
  effect_rename (&a->effects, &e, name_in_caller, &r);
  rename_known (&r, &e);
  uint32_t result = effect_intern (&a->effects, &e);
  map_insert (&a->substituted, hash_pair (key, callee.i), result, NULL);
  return result;
}

// ---- the end of a procedure ----------------------------------------------------------------------------------------
// Outside, a lock may be named by the parameters or as what is returned; any other is vague.
typedef struct leaving {
  lock_analysis *a;
  ir_proc proc;
  value returned;
} leaving;

static uint32_t name_outside (void *state, uint32_t use) {
  const leaving *l = state;
  lock_analysis *a = l->a;
  lock_use u = {use};
  lock_node n = *lock_at (&a->locks, use_lock (u));
  if (n.edge == IR_NONE || n.base == VALUE_NONE || value_over_params (&a->values, (value){n.base}, l->proc)) return use;
  lock_site site = {{n.edge}, n.arg, n.site_offset};
  address result = {value_result (&a->values), n.offset};
  if (l->returned.i == n.base)
    return use_of (lock_named (&a->locks, (lock_family) n.family, result, site), use_reads (u)).i;
  return use_of (lock_forgotten (&a->locks, use_lock (u)), use_reads (u)).i;
}

uint32_t summary_export (lock_analysis *a, ir_edge ret, const effect *at_end) {
  effect e = *at_end;
  ir_proc f = ir_loc_at (a->program, ir_edge_at (a->program, ret)->from)->proc;
  leaving l = {a, f, {VALUE_NONE}};
  ir_value x;
  bool known = false;
  if (ir_edge_at (a->program, ret)->num_args) {
    l.returned = value_in (&a->values, f, ir_arg (a->program, ret, 0));
    known = step_evaluate (a, &e, l.returned, &x);
  }
  e.num_known = 0;
  if (known && a->summaries[f.i].exits.count < MANY_NODES) effect_learn (&e, value_result (&a->values), x);
  effect_rename (&a->effects, &e, name_outside, &l);
  return effect_intern (&a->effects, &e);
}

// ---- continuing ------------------------------------------------------------------------------------------------------
static void forget_result (lock_analysis *a, ir_edge call, effect *e) {
  const ir_edge_data *d = ir_edge_at (a->program, call);
  if (d->dst.i != IR_NONE) effect_forget (&a->effects, e, ir_loc_at (a->program, d->from)->proc, d->dst.i);
}

bool summary_follow (lock_analysis *a, ir_edge call, ir_proc callee, uint32_t exported, effect *e) {
  effect second;
  effect_load (&a->effects, summary_substitute (a, call, callee, exported), &second);
  forget_result (a, call, e);
  if (!effect_then (&a->effects, e, &second, a->stable.late[ir_edge_at (a->program, call)->from.i])) return false;
  for (uint32_t k = 0; k < second.num_known; k++) effect_learn (e, (value){second.known[k].value}, second.known[k].low);
  return true;
}

static void return_to (lock_analysis *a, uint32_t from, ir_edge call, ir_proc callee, uint32_t exit) {
  effect e;
  effect_load (&a->effects, a->nodes.data[from].effect, &e);
  if (!summary_follow (a, call, callee, a->summaries[callee.i].exports.data[exit], &e)) return;
  add_node (a,
            (node){.at = ir_edge_at (a->program, call)->to,
                   .from = from,
                   .edge = call.i,
                   .through = a->summaries[callee.i].exits.data[exit]},
            &e);
}

static void enter (lock_analysis *a, ir_proc f) {
  ir_loc entry = ir_proc_at (a->program, f)->entry;
  if (a->at[entry.i].count) return;
  effect nothing;
  effect_load (&a->effects, a->empty, &nothing);
  add_node (a, (node){.at = entry, .from = IR_NONE, .edge = IR_NONE, .through = IR_NONE}, &nothing);
}

typedef struct calling {
  lock_analysis *a;
  uint32_t node;
  ir_edge call;
} calling;

static void call_one (void *state, ir_proc f) {
  calling *c = state;
  lock_analysis *a = c->a;
  summary *s = &a->summaries[f.i];
  if (s->plain) return;
  enter (a, f);
  vec_push (&s->waiting, c->node);
  for (uint32_t k = 0; k < s->exits.count; k++) return_to (a, c->node, c->call, f, k);
}

// A callee without locks, or without a body, changes nothing.
bool summary_passes (lock_analysis *a, ir_edge call, effect *e) {
  pointsto_set callees = pointsto_arg (a->targets, call, 0);
  calls_list known = calls_of (a->calls, call);
  bool passes = callees.anything || !callees.count;
  for (uint32_t k = 0; k < callees.count; k++)
    passes |= callees.objects[k] >= a->program->objects.count ||
              a->program->objects.data[callees.objects[k]].proc.i == IR_NONE;
  for (uint32_t k = 0; k < known.count; k++) passes |= a->summaries[known.procs[k].i].plain;
  if (passes) forget_result (a, call, e);
  return passes;
}

static void call (lock_analysis *a, uint32_t at, ir_edge edge) {
  calling c = {a, at, edge};
  for_each_callee (a, edge, call_one, &c);
  effect e;
  effect_load (&a->effects, a->nodes.data[at].effect, &e);
  if (summary_passes (a, edge, &e))
    add_node (a, (node){.at = ir_edge_at (a->program, edge)->to, .from = at, .edge = edge.i, .through = IR_NONE}, &e);
}

static void leave (lock_analysis *a, uint32_t at, ir_edge ret) {
  ir_proc f = ir_loc_at (a->program, a->nodes.data[at].at)->proc;
  summary *s = &a->summaries[f.i];
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
    return_to (a, caller, edge, f, s->exits.count - 1);
  }
}

static void continue_node (lock_analysis *a, uint32_t at) {
  const ir_loc_data *l = ir_loc_at (a->program, a->nodes.data[at].at);
  effect before, after[MOST_OUTCOMES];
  effect_load (&a->effects, a->nodes.data[at].effect, &before);
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    if (d->op == IR_CALL) call (a, at, (ir_edge){e});
    else if (d->op == IR_RETURN) leave (a, at, (ir_edge){e});
    else if (d->to.i != IR_NONE) {
      uint32_t count = step_edge (a, (ir_edge){e}, &before, after);
      for (uint32_t k = 0; k < count; k++)
        add_node (a, (node){.at = d->to, .from = at, .edge = e, .through = IR_NONE}, &after[k]);
    }
  }
}

void summarise (lock_analysis *a) {
  const ir_program *p = a->program;
  a->summaries = mem_zalloc (sizeof *a->summaries * (p->procs.count + 1));
  a->at = mem_zalloc (sizeof *a->at * (p->locs.count + 1));
  a->live = mem_zalloc (sizeof *a->live * (p->locs.count + 1));
  effect nothing = {0};
  a->empty = effect_intern (&a->effects, &nothing);
  find_plain (a);
  find_knowledge (a);
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (!a->summaries[threads_entry (a->threads, k).i].plain) enter (a, threads_entry (a->threads, k));
  while (a->worklist.count) {
    uint32_t at = vec_pop (&a->worklist);
    if (!a->nodes.data[at].covered) continue_node (a, at);
    if (budget_spent (a->budget)) return;
  }
}
