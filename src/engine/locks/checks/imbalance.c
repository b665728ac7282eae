// Most procedures that return with a lock on some paths only are meant to: they try, an argument tells them to, or
// their result tells the caller.  So a return is not reported if some caller releases the lock (lock_leak.c), nor if
// the procedure only acquires the lock and may tell by its result whether it did.  The search leaves out library
// models, main, and start routines: for a thread that ends with a lock there is the check of misuses (lock_misuse.c).
#include "engine/locks/checks/checks_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

// Several clones of a procedure (cloning.c) are one finding.  If one of them is excused, the finding is.
typedef struct imbalance_finding {
  uneven_return shown;
  bool excused;
} imbalance_finding;

typedef struct occurrence {
  ir_proc proc;
  ir_edge taken;
  uint32_t finding;
} occurrence;

typedef struct imbalance_search {
  lock_analysis *a;
  arena *arena;
  VEC (imbalance_finding) findings;
  strmap numbers;  // texts of a finding -> its number
  VEC (occurrence) occurrences;
} imbalance_search;

// ---- two paths ---------------------------------------------------------------------------------------------------
static bool have_same_end (const lock_paths *w, uint32_t x, uint32_t y) {
  const lock_path_node *a = &w->nodes.data[x], *b = &w->nodes.data[y];
  return a->edge != IR_NONE && a->edge == b->edge && a->from != b->from;
}

// Goes back to the last edges before the two paths join; to the ends themselves if they do not join.
static void find_parting (const lock_paths *w, uint32_t *x, uint32_t *y) {
  while (have_same_end (w, *x, *y)) {
    *x = w->nodes.data[*x].from;
    *y = w->nodes.data[*y].from;
  }
}

static bool is_decided (const lock_paths *w, uint32_t node) {
  lock_analysis *a = w->analysis;
  const ir_edge_data *d = ir_edge_at (a->program, (ir_edge){w->nodes.data[node].edge});
  effect e;
  ir_value x;
  if (d->op != IR_ASSUME) return false;
  effect_load (&a->effects, w->nodes.data[w->nodes.data[node].from].effect, &e);
  value_term v = value_of_expr (&a->values, ir_loc_at (a->program, d->from)->proc,
                                ir_arg (a->program, (ir_edge){w->nodes.data[node].edge}, 0));
  return evaluate_tracked (a, &e, v, &x);
}

// Clang leads all returns out of a scope with variables to one switch, whose position is the beginning of the scope.
// Goes back to the last edge that belongs to a statement of the program.
static uint32_t before_switch (const lock_paths *w, uint32_t node) {
  const ir_program *p = w->analysis->program;
  uint32_t found = node;
  for (uint32_t n = node; w->nodes.data[n].edge != IR_NONE; n = w->nodes.data[n].from) {
    ir_position here = ir_edge_at (p, (ir_edge){w->nodes.data[n].edge})->pos,
                last = ir_edge_at (p, (ir_edge){w->nodes.data[node].edge})->pos;
    if (here.line != last.line || here.column != last.column) break;
    if (is_decided (w, n)) found = w->nodes.data[n].from;
  }
  return found;
}

static ir_position way_out (const lock_paths *w, uint32_t end, uint32_t parting, bool same_return) {
  ir_edge ret;
  lock_paths_stops_before (w, end, IR_RETURN, &ret);
  uint32_t edge = w->nodes.data[before_switch (w, parting)].edge;
  return ir_edge_at (w->analysis->program, same_return && edge != IR_NONE ? (ir_edge){edge} : ret)->pos;
}

// The node behind the last edge of the path that acquired, or released, the lock; the first node if there is none.
static uint32_t last_change (const lock_paths *w, uint32_t end, lock_fate to) {
  uint32_t n = end;
  while (w->nodes.data[n].from != IR_NONE &&
         (lock_paths_fate (w, n) != to || lock_paths_fate (w, w->nodes.data[n].from) == to))
    n = w->nodes.data[n].from;
  return n;
}

static ir_edge edge_to (const lock_paths *w, uint32_t node) { return (ir_edge){w->nodes.data[node].edge}; }

static uneven_return describe_imbalance (imbalance_search *j, const lock_paths *w, uint32_t with, uint32_t without) {
  const ir_program *p = j->a->program;
  uint32_t x = with, y = without;
  bool same_return = w->nodes.data[with].at.i == w->nodes.data[without].at.i;
  if (same_return) find_parting (w, &x, &y);
  uneven_return u = {.function = ir_proc_at (p, ir_loc_at (p, w->nodes.data[with].at)->proc)->name,
                     .lock = name_of_lock (&j->a->locks, w->lock, j->arena),
                     .taken = ir_edge_at (p, edge_to (w, last_change (w, with, FATE_HELD)))->pos,
                     .with = way_out (w, with, x, same_return),
                     .without = way_out (w, without, y, same_return)};
  if (w->nodes.data[without].released)
    u.given_back = ir_edge_at (p, edge_to (w, last_change (w, without, FATE_FREE)))->pos;
  return u;
}

// ---- one lock in one procedure -----------------------------------------------------------------------------------
static bool result_at_end (const lock_paths *w, uint32_t end, ir_value *x) {
  lock_analysis *a = w->analysis;
  ir_edge ret;
  effect e;
  if (!lock_paths_stops_before (w, end, IR_RETURN, &ret) || !ir_edge_at (a->program, ret)->num_args) return false;
  effect_load (&a->effects, w->nodes.data[end].effect, &e);
  ir_proc f = ir_loc_at (a->program, w->nodes.data[end].at)->proc;
  return evaluate_tracked (a, &e, value_of_expr (&a->values, f, ir_arg (a->program, ret, 0)), x);
}

// The result may tell the caller whether the lock is held.
static bool result_may_tell (const lock_paths *w, uint32_t with, uint32_t without) {
  const ir_program *p = w->analysis->program;
  ir_value x, y;
  if (!ir_proc_at (p, ir_loc_at (p, w->nodes.data[with].at)->proc)->result_bits) return false;
  return !result_at_end (w, with, &x) || !result_at_end (w, without, &y) || x != y;
}

// A return without the lock to compare with, preferably one where the procedure released it.
static uint32_t find_without (const lock_paths *w) {
  uint32_t found = IR_NONE;
  ir_edge ret;
  for (uint32_t k = 0; k < w->nodes.count; k++) {
    if (!lock_paths_stops_before (w, k, IR_RETURN, &ret) || lock_paths_fate (w, k) != FATE_FREE) continue;
    if (w->nodes.data[k].released) return k;
    if (found == IR_NONE) found = k;
  }
  return found;
}

// Some path through the callee leaves the lock free and returns the value that the path has seen.
static bool may_be_free (const lock_paths *w, uint32_t behind, ir_proc callee) {
  lock_analysis *a = w->analysis;
  ir_edge call = edge_to (w, behind);
  const lock_summary *s = &a->summaries[callee.i];
  const ir_edge_data *d = ir_edge_at (a->program, call);
  effect e;
  ir_value x, y;
  if (s->neutral || d->dst.i == IR_NONE) return true;
  value_term result = value_reg (&a->values, ir_loc_at (a->program, d->from)->proc, d->dst.i);
  effect_load (&a->effects, w->nodes.data[behind].effect, &e);
  bool known = effect_tracked_value (&e, result, &x), may = false;
  for (uint32_t k = 0; k < s->exports.count && !may; k++) {
    effect_load (&a->effects, summary_substitute (a, call, callee, s->exports.data[k]), &e);
    if (!effect_find (&e, use_of (w->lock, false))) may = !known || !effect_tracked_value (&e, result, &y) || x == y;
  }
  return may;
}

static bool always_takes (const lock_paths *w, ir_edge call, ir_proc callee) {
  lock_analysis *a = w->analysis;
  const lock_summary *s = &a->summaries[callee.i];
  bool always = !s->neutral;
  for (uint32_t k = 0; k < s->exports.count && always; k++) {
    effect e;
    effect_load (&a->effects, summary_substitute (a, call, callee, s->exports.data[k]), &e);
    always = effect_find (&e, use_of (w->lock, false));
  }
  return always;
}

static bool is_clear_call (const lock_paths *w, uint32_t behind) {
  calls_list callees = calls_of (w->analysis->calls, edge_to (w, behind));
  for (uint32_t k = 0; k < callees.count; k++)
    if (!always_takes (w, edge_to (w, behind), callees.procs[k]) && may_be_free (w, behind, callees.procs[k]))
      return false;
  return true;
}

// If a callee acquired the lock on some of its paths only, and its result does not tell on which, then a later branch
// of this path may contradict the path that it took through the callee: the path may be infeasible.
static bool is_clear (const lock_paths *w, uint32_t with) {
  for (uint32_t n = with; w->nodes.data[n].from != IR_NONE; n = w->nodes.data[n].from)
    if (lock_paths_fate (w, n) == FATE_HELD && lock_paths_fate (w, w->nodes.data[n].from) != FATE_HELD &&
        !is_clear_call (w, n))
      return false;
  return true;
}

static bool is_excused (const lock_paths *w, uint32_t with, uint32_t without) {
  if (!w->nodes.data[without].released && result_may_tell (w, with, without)) return true;
  return !lock_is_leaked (w, with);
}

static void add_finding (imbalance_search *j, const lock_paths *w, uint32_t with, uint32_t without) {
  const ir_program *p = j->a->program;
  uneven_return u = describe_imbalance (j, w, with, without);
  if (!u.with.file || !u.taken.file) return;
  const char *key = arena_printf (j->arena, "%s %s %s:%u %s:%u", u.function, u.lock, u.taken.file, u.taken.line,
                                  u.with.file, u.with.line);
  bool is_new;
  uint32_t number = (uint32_t) *strmap_insert (&j->numbers, key, j->findings.count, &is_new);
  if (is_new) vec_push (&j->findings, ((imbalance_finding){.shown = u}));
  j->findings.data[number].excused |= is_excused (w, with, without);
  vec_push (&j->occurrences, ((occurrence){ir_loc_at (p, w->nodes.data[with].at)->proc,
                                           edge_to (w, last_change (w, with, FATE_HELD)), number}));
}

static void judge_lock (imbalance_search *j, ir_proc f, uint32_t lock) {
  lock_paths w;
  effect nothing = {0};
  ir_edge ret;
  lock_paths_init (&w, j->a, lock, true);
  lock_paths_begin (&w, ir_proc_at (j->a->program, f)->entry, &nothing);
  lock_paths_explore (&w);
  uint32_t without = find_without (&w);
  for (uint32_t k = 0; k < w.nodes.count && !w.too_long && without != IR_NONE; k++)
    if (lock_paths_stops_before (&w, k, IR_RETURN, &ret) && lock_paths_fate (&w, k) == FATE_HELD && is_clear (&w, k) &&
        !path_contradicts_itself (&w, k))
      add_finding (j, &w, k, without);
  lock_paths_release (&w);
}

// ---- which procedures and locks ----------------------------------------------------------------------------------
static bool is_judged (const lock_analysis *a, ir_proc f) {
  const lock_summary *s = &a->summaries[f.i];
  if (s->neutral || ir_proc_at (a->program, f)->internal) return false;
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (threads_entry (a->threads, k).i == f.i) return false;
  for (uint32_t k = 0; k < s->waiting.count; k++)
    if (ir_loc_at (a->program, a->nodes.data[s->waiting.data[k]].at)->proc.i == a->program->start.i) return false;
  return true;
}

static bool may_be_kept (const lock_analysis *a, const held_use *h) {
  uint32_t lock = use_lock ((lock_use){h->use});
  return h->must && lock_is_pthread (&a->locks, lock) && !lock_is_unresolved (&a->locks, lock);
}

static bool all_hold (const lock_analysis *a, const lock_summary *s, uint32_t lock) {
  for (uint32_t k = 0; k < s->exits.count; k++) {
    effect e;
    effect_load (&a->effects, a->nodes.data[s->exits.data[k]].effect, &e);
    if (!effect_find (&e, use_of (lock, false))) return false;
  }
  return true;
}

static void judge_procedure (imbalance_search *j, ir_proc f) {
  const lock_summary *s = &j->a->summaries[f.i];
  map seen = {0};
  for (uint32_t k = 0; k < s->exits.count; k++) {
    effect e;
    effect_load (&j->a->effects, j->a->nodes.data[s->exits.data[k]].effect, &e);
    for (uint32_t h = 0; h < e.num_held; h++) {
      uint32_t lock = use_lock ((lock_use){e.held[h].use});
      bool is_new;
      map_insert (&seen, lock, 1, &is_new);
      if (is_new && may_be_kept (j->a, &e.held[h]) && !all_hold (j->a, s, lock)) judge_lock (j, f, lock);
    }
  }
  map_release (&seen);
}

// ---- what is shown -----------------------------------------------------------------------------------------------
static bool is_reported_procedure (const imbalance_search *j, ir_proc f) {
  for (uint32_t k = 0; k < j->occurrences.count; k++)
    if (j->occurrences.data[k].proc.i == f.i && !j->findings.data[j->occurrences.data[k].finding].excused) return true;
  return false;
}

// If a callee that acquired the lock is reported already, its callers are not.
static void excuse_callers (imbalance_search *j) {
  VEC (uint32_t) excused = {0};
  for (uint32_t k = 0; k < j->occurrences.count; k++) {
    const occurrence *o = &j->occurrences.data[k];
    calls_list callees = calls_of (j->a->calls, o->taken);
    for (uint32_t c = 0; c < callees.count; c++)
      if (is_reported_procedure (j, callees.procs[c])) vec_push (&excused, o->finding);
  }
  for (uint32_t k = 0; k < excused.count; k++) j->findings.data[excused.data[k]].excused = true;
  vec_release (&excused);
}

static int by_return_position (const void *x, const void *y) {
  const uneven_return *a = x, *b = y;
  int order = strcmp (a->with.file, b->with.file);
  if (order) return order;
  if (a->with.line != b->with.line) return a->with.line < b->with.line ? -1 : 1;
  return strcmp (a->lock, b->lock);
}

void add_lock_imbalances (verdict *v, lock_analysis *a) {
  imbalance_search j = {.a = a, .arena = v->arena};
  for (uint32_t f = 0; f < a->program->procs.count && !budget_spent (a->budget); f++)
    if (is_judged (a, (ir_proc){f})) judge_procedure (&j, (ir_proc){f});
  excuse_callers (&j);
  for (uint32_t k = 0; k < j.findings.count; k++)
    if (!j.findings.data[k].excused) vec_push (&v->uneven_returns, j.findings.data[k].shown);
  if (v->uneven_returns.count)
    qsort (v->uneven_returns.data, v->uneven_returns.count, sizeof *v->uneven_returns.data, by_return_position);
  vec_release (&j.findings);
  vec_release (&j.occurrences);
  strmap_release (&j.numbers);
}
