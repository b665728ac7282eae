// The workers of a team: starting them, listening to them, and one verdict from the answers of all.
#include "engine/auto/team_impl.h"

#include <string.h>

#include "base/diag.h"
#include "ir/reason.h"

bool goal_is_summary (const goal *g) {
  return !strcmp (g->id, ir_property_name[g->property]) || !strcmp (g->id, "pair") || !strcmp (g->id, "ltl");
}

static bool has_violation (const verdict *v, uint32_t properties) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == GOAL_VIOLATED && properties >> v->goals.data[k].property & 1) return true;
  return false;
}

bool team_has_violation (const team *t) { return has_violation (t->run->verdict, t->properties); }

uint32_t team_asks (const team *t) {
  return t->run->task->ltl ? t->run->task->semantics.properties : t->properties & ~t->proved;
}

void team_start (team *t, const engine *e, worker_share share) {
  worker *w = worker_start (t->run, e, share);
  if (!w) return;
  vec_push (&t->list, w);
  vec_push (&t->slices, ((given_slice){.begin = budget_now (), .seconds = share.seconds}));
}

// ---- answers ------------------------------------------------------------------------------------------
// Whether the worker has found a bug and has ended by itself.  A bug of a worker that was stopped settles nothing: the
// next engine may find more.
static bool is_bug (const worker *w) { return worker_answer (w)->kind == VERDICT_BUG && !worker_was_late (w); }

static void note_answer (team *t, uint32_t number) {
  const answer *a = worker_answer (t->list.data[number]);
  given_slice *given = &t->slices.data[number];
  given->is_heard = true;
  given->is_exhausted = budget_now () - given->begin < given->seconds / 2;
  for (uint32_t k = 0; k < a->goals.count; k++)
    if (goal_is_summary (&a->goals.data[k]) && a->goals.data[k].status == GOAL_PROVED)
      t->proved |= 1u << a->goals.data[k].property;
}

static uint32_t num_running (const team *t) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < t->list.count; k++) count += !worker_has_ended (t->list.data[k]);
  return count;
}

// Every property is proved, or a bug is found.
static bool question_is_settled (team *t) {
  bool bug = false;
  for (uint32_t k = 0; k < t->list.count; k++) {
    if (!worker_has_ended (t->list.data[k])) continue;
    if (!t->slices.data[k].is_heard) note_answer (t, k);
    bug |= is_bug (t->list.data[k]);
  }
  return bug || !(t->properties & ~t->proved);
}

bool team_wait (team *t, uint32_t most_running, double seconds) {
  double end = budget_now () + seconds;
  while (!question_is_settled (t)) {
    if (num_running (t) <= most_running || budget_now () > end) return false;
    workers_wait (t->run, t->list.data, t->list.count);
  }
  return true;
}

// ---- one verdict --------------------------------------------------------------------------------------
// One has found violations of a property, another sums it up: what is found stands.
static void reconcile (engine_run *r) {
  verdict *v = r->verdict;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (!goal_is_summary (g) || !has_violation (v, 1u << g->property)) continue;
    if (g->status == GOAL_PROVED) {
      r->parted = "one engine has found a violation that another says cannot be";
      diag_warn ("internal error: %s: %s", r->parted, ir_property_name[g->property]);
    }
    verdict_drop_goal (v, k--);
  }
}

static void rename_reason (verdict *v, const char *old, const char *reason) {
  v->reason = reason;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    goal *g = &v->goals.data[k];
    if (g->status == GOAL_UNKNOWN && g->message && old && !strcmp (g->message, old)) g->message = reason;
  }
}

// One that had only part of the time ended for lack of it, but that is not what the user knows of: the limit of the
// whole run, or the interruption.
static void tell_why_it_ended (verdict *v, const char *spent) {
  const char *reason = v->reason;
  bool open = v->kind == VERDICT_UNKNOWN || v->kind == VERDICT_BUG;
  if (!spent || !open || !reason || strncmp (reason, "time limit", strlen ("time limit"))) return;
  rename_reason (v, reason, arena_strdup (v->arena, spent));
}

// ---- why there is no answer ---------------------------------------------------------------------------
// The verdict is that of one engine, but another may know more about why there is no answer: it came to a construct
// that is not supported, where the first one had no time or gave up for a reason of its own.
static void tell_most_useful_reason (const team *t) {
  verdict *v = t->run->verdict;
  const char *best = v->reason;
  if (v->kind == VERDICT_SAFE || v->kind == VERDICT_BOUNDED || !best) return;
  for (uint32_t k = 0; k < t->list.count; k++) {
    const worker *w = t->list.data[k];
    const char *reason = worker_has_ended (w) ? worker_answer (w)->reason : NULL;
    if (worker_answer (w)->kind == VERDICT_UNKNOWN && reason_kind_of (reason) < reason_kind_of (best)) best = reason;
  }
  if (best != v->reason) rename_reason (v, v->reason, arena_strdup (v->arena, best));
}

// What else kept engines from an answer; that a part of the time was over says nothing.
static void note_other_reasons (const team *t) {
  verdict *v = t->run->verdict;
  for (uint32_t k = 0; k < t->list.count; k++) {
    const worker *w = t->list.data[k];
    const answer *a = worker_answer (w);
    if (!worker_has_ended (w) || a->kind != VERDICT_UNKNOWN || !a->reason) continue;
    reason_kind kind = reason_kind_of (a->reason),
                most = v->kind == VERDICT_BOUNDED ? REASON_UNSUPPORTED : REASON_ENGINE;
    if (kind <= most && (!v->reason || strcmp (a->reason, v->reason)))
      verdict_add_note (v, "engine %s gave no answer: %s", worker_engine (w)->name, a->reason);
  }
}

// An answer, or at least one within bounds; of those who know nothing the last had the most time, and so had an
// engine when it was asked again.
static const worker *best_of (const team *t) {
  const worker *best = NULL;
  for (uint32_t k = 0; k < t->list.count; k++) {
    const worker *w = t->list.data[k];
    if (!worker_has_ended (w)) continue;
    verdict_kind kind = worker_answer (w)->kind;
    bool is_better = !best || kind < worker_answer (best)->kind, is_equal = best && kind == worker_answer (best)->kind;
    if (is_better || (is_equal && (kind == VERDICT_UNKNOWN || worker_engine (w) == worker_engine (best)))) best = w;
  }
  return best;
}

static const goal *find_summary (const answer *a, ir_property p) {
  for (uint32_t k = 0; k < a->goals.count; k++)
    if (goal_is_summary (&a->goals.data[k]) && a->goals.data[k].property == p) return &a->goals.data[k];
  return NULL;
}

static const goal *find_proof (const team *t, ir_property p) {
  for (uint32_t k = 0; k < t->list.count; k++) {
    const goal *g = worker_has_ended (t->list.data[k]) ? find_summary (worker_answer (t->list.data[k]), p) : NULL;
    if (g && g->status == GOAL_PROVED) return g;
  }
  return NULL;
}

// What somebody has proved, the verdict says so.
static void put_proofs_in (team *t) {
  verdict *v = t->run->verdict;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    const goal *proof = t->properties >> p & 1 ? find_proof (t, (ir_property) p) : NULL;
    if (!proof) continue;
    for (uint32_t k = 0; k < v->goals.count; k++)
      if (goal_is_summary (&v->goals.data[k]) && v->goals.data[k].property == p) verdict_drop_goal (v, k--);
    vec_push (&v->goals, *proof);
  }
}

// The best that anybody has to say, and all proofs.  Those still at work are ended.
static void take_best (team *t) {
  static const answer none = {.kind = VERDICT_UNKNOWN, .reason = "no process could be started"};
  verdict *v = t->run->verdict;
  const worker *best = best_of (t);
  uint32_t bounds = v->bounds.count;
  answer_add_to (best ? worker_answer (best) : &none, v);
  put_proofs_in (t);
  for (uint32_t k = 0; k < t->list.count; k++) {
    if (!worker_has_ended (t->list.data[k])) continue;
    const answer *a = worker_answer (t->list.data[k]);
    if (!v->certificate) v->certificate = a->certificate;
    answer_add_rest (a, v);
  }
  if (v->kind > VERDICT_SAFE && !(t->properties & ~t->proved)) {
    v->kind = ending_kind_of_goals (v, t->properties);
    v->reason = NULL;
    v->bounds.count = bounds;
  }
  const char *spent = budget_spent (t->run->budget);
  tell_why_it_ended (v, spent);
  tell_most_useful_reason (t);
  if (v->kind != VERDICT_SAFE && v->reason) note_other_reasons (t);
  if (spent && v->kind == VERDICT_BOUNDED)
    verdict_add_note (v, "the bounds are those reached when it was stopped: %s", spent);
  for (uint32_t k = 0; k < t->list.count; k++) worker_free (t->list.data[k]);
  reconcile (t->run);
  if (t->run->parted && v->kind != VERDICT_BUG) {
    v->kind = VERDICT_UNKNOWN;
    v->reason = arena_printf (v->arena, "internal error: %s", t->run->parted);
  }
}

void team_search (engine_run *r, uint32_t properties) {
  team t = {.run = r, .properties = properties};
  team_work_off (&t, r->task->jobs);
  take_best (&t);
  vec_release (&t.list);
  vec_release (&t.slices);
}
