// The workers of a team: starts them, listens to them, and makes one verdict of the answers of all.
#include "engine/auto/team_impl.h"

#include <string.h>

#include "base/diag.h"
#include "ir/reason.h"

static bool verdict_has_violation (const verdict *v, uint32_t properties) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == GOAL_VIOLATED && properties >> v->goals.data[k].property & 1) return true;
  return false;
}

bool team_has_violation (const team *t) { return verdict_has_violation (t->run->verdict, t->properties); }

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
static bool is_bug (const worker *w) { return answer_kind (worker_answer (w)) == VERDICT_BUG && !worker_was_late (w); }

// Whether the worker has found a run that breaks the formula, if only on a condition: the other engines would find it,
// too.
static bool has_run (const worker *w) { return worker_answer (w)->answers[IR_P_FORMULA].status == GOAL_CONDITIONAL; }

static void note_answer (team *t, uint32_t number) {
  const wire_answer *a = worker_answer (t->list.data[number]);
  given_slice *given = &t->slices.data[number];
  given->is_heard = true;
  given->is_exhausted = budget_now () - given->begin < given->seconds / 2;
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++)
    if (a->answers[p].status == GOAL_PROVED) t->proved |= 1u << p;
}

static uint32_t num_running (const team *t) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < t->list.count; k++) count += !worker_has_ended (t->list.data[k]);
  return count;
}

// Whether every property is proved, or a bug is found.
static bool question_is_settled (team *t) {
  bool bug = false;
  for (uint32_t k = 0; k < t->list.count; k++) {
    if (!worker_has_ended (t->list.data[k])) continue;
    if (!t->slices.data[k].is_heard) note_answer (t, k);
    bug |= is_bug (t->list.data[k]) || has_run (t->list.data[k]);
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
// One engine may have found violations of a property that another one sums up: the violations count.
static void reconcile (engine_run *r) {
  verdict *v = r->verdict;
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    property_answer *a = &v->answers[p];
    if (a->status == GOAL_VIOLATED || !verdict_has_violation (v, 1u << p)) continue;
    if (a->status == GOAL_PROVED) {
      r->parted = "one engine has found a violation that another says cannot be";
      diag_warn ("internal error: %s: %s", r->parted, ir_property_name[p]);
    }
    a->status = GOAL_VIOLATED;
  }
}

// Gives all properties that are open for the old reason the better one.
static void replace_reason (verdict *v, const reason *old, const reason *better) {
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    property_answer *a = &v->answers[p];
    if (!a->why || !reason_says_the_same (a->why, old)) continue;
    a->why = better;
    if (a->status == GOAL_UNKNOWN) a->message = better->text;
  }
  if (v->stop && reason_says_the_same (v->stop, old)) v->stop = better;
}

// Replaces the time limit of an engine, which had only part of the time and is unknown to the user, by the limit of the
// whole run or the interruption.
static void use_limit_of_run (verdict *v, const reason *spent) {
  bool open = v->kind == VERDICT_UNKNOWN || v->kind == VERDICT_BUG;
  if (spent && open && reason_kind_of (v->reason) == REASON_TIME) replace_reason (v, v->reason, spent);
}

// ---- why there is no answer ---------------------------------------------------------------------------
// The verdict is that of one engine, but another one may know better why there is no answer: it came to a construct
// that is not supported, while the first had no time or gave up for another reason.
static void use_most_useful_reason (const team *t) {
  verdict *v = t->run->verdict;
  const reason *best = v->reason;
  if (v->kind == VERDICT_SAFE || v->kind == VERDICT_BOUNDED || !best) return;
  for (uint32_t k = 0; k < t->list.count; k++) {
    const worker *w = t->list.data[k];
    if (!worker_has_ended (w) || answer_kind (worker_answer (w)) != VERDICT_UNKNOWN) continue;
    const reason *why = answer_reason (worker_answer (w));
    if (reason_is_better (why, best)) best = why;
  }
  if (best != v->reason) replace_reason (v, v->reason, best);
}

// Notes what else kept engines from an answer.  The end of an engine's slice of time is no such reason.
static void note_other_reasons (const team *t) {
  verdict *v = t->run->verdict;
  for (uint32_t k = 0; k < t->list.count; k++) {
    const worker *w = t->list.data[k];
    if (!worker_has_ended (w) || answer_kind (worker_answer (w)) != VERDICT_UNKNOWN) continue;
    const reason *why = answer_reason (worker_answer (w));
    reason_kind most = v->kind == VERDICT_BOUNDED ? REASON_UNSUPPORTED : REASON_NOT_CHECKED;
    if (why && why->kind <= most && !reason_says_the_same (why, v->reason))
      verdict_add_note (v, "engine %s gave no answer: %s", worker_engine (w)->name, why->text);
  }
}

// Returns the worker with the best answer: a decided one before one within bounds.  Of several unknown answers the last
// counts, since its worker had the most time; so does the last answer of an engine that was started again.
static const worker *best_of (const team *t) {
  const worker *best = NULL;
  for (uint32_t k = 0; k < t->list.count; k++) {
    const worker *w = t->list.data[k];
    if (!worker_has_ended (w)) continue;
    verdict_kind kind = answer_kind (worker_answer (w)), known = best ? answer_kind (worker_answer (best)) : kind;
    bool is_better = !best || kind < known, is_equal = best && kind == known;
    if (is_better || (is_equal && (kind == VERDICT_UNKNOWN || worker_engine (w) == worker_engine (best)))) best = w;
  }
  return best;
}

static const property_answer *find_proof_of_worker (const team *t, ir_property p) {
  for (uint32_t k = 0; k < t->list.count; k++) {
    const property_answer *a = &worker_answer (t->list.data[k])->answers[p];
    if (worker_has_ended (t->list.data[k]) && a->engine && a->status == GOAL_PROVED) return a;
  }
  return NULL;
}

// Makes each proof, of any engine, the answer about its property.
static void add_proofs (team *t) {
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    const property_answer *proof = t->properties >> p & 1 ? find_proof_of_worker (t, (ir_property) p) : NULL;
    if (proof) t->run->verdict->answers[p] = *proof;
  }
}

// Adds the best answer of all engines, and all proofs.
static void add_answers (team *t, const worker *best) {
  verdict *v = t->run->verdict;
  uint32_t bounds = v->bounds.count;
  if (best) answer_add_to (worker_answer (best), v);
  verdict_stop (v, best ? worker_answer (best)->stop
                        : reason_new (v->arena, REASON_ENGINE, "no process could be started"));
  add_proofs (t);
  for (uint32_t k = 0; k < t->list.count; k++) {
    if (!worker_has_ended (t->list.data[k])) continue;
    const wire_answer *a = worker_answer (t->list.data[k]);
    if (!v->certificate) v->certificate = a->certificate;
    answer_add_rest (a, v);
  }
  if (!(t->properties & ~t->proved)) {
    verdict_stop (v, NULL);
    v->bounds.count = bounds;
  }
  verdict_leave_open (v, t->properties, t->run->engine, v->stop);
}

// Makes the verdict of the team.  Workers that are still at work are ended.
static void conclude_team (team *t) {
  verdict *v = t->run->verdict;
  uint32_t asked = task_asks (t->run->task);
  add_answers (t, best_of (t));
  reconcile (t->run);
  verdict_settle (v, asked);
  const reason *spent = reason_of_budget (v->arena, t->run->budget);
  use_limit_of_run (v, spent);
  verdict_settle (v, asked);
  use_most_useful_reason (t);
  verdict_settle (v, asked);
  if (v->kind != VERDICT_SAFE && v->reason) note_other_reasons (t);
  if (spent && v->kind == VERDICT_BOUNDED)
    verdict_add_note (v, "the bounds are those reached when it was stopped: %s", spent->text);
  for (uint32_t k = 0; k < t->list.count; k++) worker_free (t->list.data[k]);
  if (t->run->parted) verdict_stop (v, reason_internal (v->arena, "%s", t->run->parted));
  verdict_settle (v, asked);
}

void team_search (engine_run *r, uint32_t properties) {
  team t = {.run = r, .properties = properties};
  team_work_off (&t, r->task->jobs);
  conclude_team (&t);
  vec_release (&t.list);
  vec_release (&t.slices);
}
