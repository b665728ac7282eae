// Who works when.  The explicit search begins: it finds what is shallow or small.  Then order, for what depends on data; and for what it has neither refuted nor proved
// in its part of the time, circuit, which needs no bounds.  Of Boolean programs the engine boolean comes before order: it knows their choices, and needs no bounds either; of C programs it has a
// short turn, since predicates that are found late are mostly too many.
#include "engine/auto/team.h"

#include <string.h>

#include "base/diag.h"
#include "ir/reason.h"

enum {
  FIRST_SECONDS = 2,
  SHORT_SECONDS = 5,
  SOLVER_SECONDS = 60 /* if there is no limit */,
  LAZY_SHARE = 3,
  CIRCUIT_SHARE = 2
};
#define FOR_EVER 1e9
#define ABSTRACTION_SHARE 0.2          // of the time that is left
static const double HEAD_START = 0.1;  // seconds

typedef struct team {
  engine_run *run;
  uint32_t properties;  // that are asked for
  VEC (worker *) list;  // all who were started
  VEC (bool) heard;     // by worker: what it has proved is counted
  uint32_t proved;
} team;

bool goal_is_summary (const goal *g) {
  return !strcmp (g->id, ir_property_name[g->property]) || !strcmp (g->id, "pair") || !strcmp (g->id, "ltl");
}

static bool has_violation (const verdict *v, uint32_t properties) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == GOAL_VIOLATED && properties >> v->goals.data[k].property & 1) return true;
  return false;
}

// ---- who can help ------------------------------------------------------------------------------------------------------
static uint32_t asked (const team *t) {
  return t->run->task->ltl ? t->run->task->semantics.properties : t->properties & ~t->proved;
}

// Engines that would ignore a bound that the user gave are not started.
static bool may_start (const team *t, const engine *e) {
  const task *k = t->run->task;
  for (uint32_t i = 0; i < k->num_not_started; i++)
    if (k->not_started[i] == e) return false;
  return true;
}

static bool can_help (const team *t, const engine *e) {
  const engine_run *r = t->run;
  const char *why_not = NULL;
  task open = *r->task;
  open.semantics.properties = asked (t);
  return may_start (t, e) && !r->program->place.i && engine_applies (e, r->program, &open, &why_not);
}

static bool solver_is_wanted (const team *t, const engine *e) {
  return can_help (t, e) && !has_violation (t->run->verdict, t->properties);
}

// Not more than so many seconds of what is left.
static double at_most (const team *t, double seconds) {
  double left = budget_left (t->run->budget);
  return seconds < left ? seconds : left > 0.001 ? left : 0.001;
}

static double all_that_is_left (const team *t) { return at_most (t, budget_left (t->run->budget)); }

// A part of what is left.
static double part (const team *t, uint32_t share) {
  return t->run->budget->seconds ? all_that_is_left (t) / share : SOLVER_SECONDS;
}

// One of so many at once.
static void start (team *t, const engine *e, double seconds, uint32_t at_once, uint64_t jobs) {
  worker_share s = {asked (t), seconds, t->run->budget->bytes / at_once, jobs};
  worker *w = worker_start (t->run, e, s);
  if (!w) return;
  vec_push (&t->list, w);
  vec_push (&t->heard, false);
}

// ---- answers -----------------------------------------------------------------------------------------------------------
// A bug is the answer if the engine has ended by itself; else it may find more.
static bool is_bug (const worker *w) { return worker_answer (w)->kind == VERDICT_BUG && !worker_was_late (w); }

static void hear (team *t, const worker *w) {
  const answer *a = worker_answer (w);
  for (uint32_t k = 0; k < a->goals.count; k++)
    if (goal_is_summary (&a->goals.data[k]) && a->goals.data[k].status == GOAL_PROVED)
      t->proved |= 1u << a->goals.data[k].property;
}

static uint32_t num_at_work (const team *t) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < t->list.count; k++) count += !worker_has_ended (t->list.data[k]);
  return count;
}

// There is nothing left to be done.
static bool is_settled (team *t) {
  bool bug = false;
  for (uint32_t k = 0; k < t->list.count; k++) {
    if (!worker_has_ended (t->list.data[k])) continue;
    if (!t->heard.data[k]) hear (t, t->list.data[k]);
    t->heard.data[k] = true;
    bug |= is_bug (t->list.data[k]);
  }
  return bug || !(t->properties & ~t->proved);
}

// True: it is settled.  Until then, or until so few are at work, or so many seconds have gone by.
static bool wait_until (team *t, uint32_t few, double seconds) {
  double end = budget_now () + seconds;
  while (!is_settled (t)) {
    if (num_at_work (t) <= few || budget_now () > end) return false;
    workers_wait (t->run, t->list.data, t->list.count);
  }
  return true;
}

// ---- one verdict -------------------------------------------------------------------------------------------------------
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

// One that had only part of the time ended for lack of it, but that is not what the user knows of: the limit of the whole run, or the interruption.
static void tell_why_it_ended (verdict *v, const char *spent) {
  const char *reason = v->reason;
  bool open = v->kind == VERDICT_UNKNOWN || v->kind == VERDICT_BUG;
  if (!spent || !open || !reason || strncmp (reason, "time limit", strlen ("time limit"))) return;
  rename_reason (v, reason, arena_strdup (v->arena, spent));
}

// ---- why there is no answer --------------------------------------------------------------------------------------------
// The verdict is that of one engine, but another may know more about why there is no answer: it came to a construct that is not supported,
// where the first one had no time or gave up for a reason of its own.
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

// An answer, or at least one within bounds; of those who know nothing the last had the most time, and so had an engine when it was asked again.
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

// ---- one after the other ----------------------------------------------------------------------------------------------
// True: that is the answer, or the end.
static bool try (team *t, const engine *e, double seconds) {
  start (t, e, seconds, 1, t->run->task->jobs);
  return wait_until (t, 0, FOR_EVER) || budget_spent (t->run->budget);
}

static void work_on_formula (team *t) {
  if (try (t, &engine_explicit, can_help (t, &engine_circuit) ? part (t, CIRCUIT_SHARE) : all_that_is_left (t))) return;
  if (can_help (t, &engine_circuit)) try (t, &engine_circuit, all_that_is_left (t));
}

// Most questions are easy for one of them: each has a short turn before there are long ones.
typedef struct turn {
  const engine *engine;
  double share;    // of the time that is left, if there is a limit
  double seconds;  // if there is none, 0: no turn; a short turn never has more
} turn;

static const turn turns[] = {{&engine_explicit, 1, FIRST_SECONDS},
                             {&engine_boolean, 0.5, SOLVER_SECONDS},
                             {&engine_order, 0.1, SHORT_SECONDS},
                             {&engine_circuit, 0.1, SHORT_SECONDS},
                             {&engine_boolean, ABSTRACTION_SHARE, SHORT_SECONDS},
                             {&engine_order, 0.33, SOLVER_SECONDS},
                             {&engine_circuit, 0.5, SOLVER_SECONDS},
                             {&engine_explicit, 1, FOR_EVER},
                             {&engine_circuit, 1, 0}};
enum { NUM_TURNS = sizeof turns / sizeof *turns };

static bool is_short (const turn *u) { return u->seconds && u->seconds < SOLVER_SECONDS; }

// Boolean programs have the long turns of engine boolean, those in C the short ones.
static bool is_for_language (const team *t, const turn *u) {
  return u->engine != &engine_boolean || (t->run->task->boolean != NULL) != is_short (u);
}

// The search begins only where others can go on; else it has all the time at once.
static bool is_wanted (const team *t, const turn *u, const bool *through) {
  for (uint32_t k = 0; k < NUM_TURNS; k++)
    if (through[k] && turns[k].engine == u->engine) return false;
  if (u->engine != &engine_explicit) return is_for_language (t, u) && solver_is_wanted (t, u->engine);
  return may_start (t, u->engine) && (!is_short (u) || can_help (t, &engine_order));
}

static bool others_follow (const team *t, uint32_t number, const bool *through) {
  for (uint32_t k = number + 1; k < NUM_TURNS; k++)
    if (turns[k].engine != turns[number].engine && is_wanted (t, &turns[k], through)) return true;
  return false;
}

static double time_of (const team *t, uint32_t number, const bool *through) {
  const turn *u = &turns[number];
  if (!t->run->budget->seconds) return u->seconds;
  double part = all_that_is_left (t) * u->share;
  if (is_short (u)) return part < u->seconds ? part : u->seconds;
  return others_follow (t, number, through) ? part : all_that_is_left (t);
}

// Who needs less than half of his time has said all he can.
static void work_in_turn (team *t) {
  bool through[NUM_TURNS] = {0};  // by turn
  for (uint32_t k = 0; k < NUM_TURNS; k++) {
    double begin = budget_now (), seconds = time_of (t, k, through);
    if (!seconds || !is_wanted (t, &turns[k], through)) continue;
    if (try (t, turns[k].engine, seconds)) return;
    through[k] = budget_now () - begin < seconds / 2;
  }
}

// ---- side by side -----------------------------------------------------------------------------------------------------
static double short_turn (const team *t) {
  double part = all_that_is_left (t) * ABSTRACTION_SHARE;
  return t->run->budget->seconds && part < SHORT_SECONDS ? part : SHORT_SECONDS;
}

// The search begins alone: where it ends at once nobody else is needed.  With two at a time order makes room for circuit after its part of the time.  Abstraction of C
// programs has a short turn here, too.
static void start_next (team *t, const engine *e, uint32_t jobs) {
  bool is_order = e == &engine_order, shares = is_order && jobs < 3 && can_help (t, &engine_circuit),
       is_abstraction = e == &engine_boolean && !t->run->task->boolean;
  double seconds = is_abstraction ? short_turn (t) : shares ? part (t, LAZY_SHARE) : all_that_is_left (t);
  if (is_order ? can_help (t, e) : solver_is_wanted (t, e)) start (t, e, seconds, jobs, 1);
}

static void work_side_by_side (team *t) {
  static const engine *const others[] = {&engine_boolean, &engine_order, &engine_circuit};
  enum { NUM_OTHERS = sizeof others / sizeof *others };
  uint64_t all = t->run->task->jobs;
  uint32_t next = 0, jobs = all < 3 ? (uint32_t) all : 3;
  if (may_start (t, &engine_explicit)) start (t, &engine_explicit, all_that_is_left (t), jobs, all > 3 ? all - 2 : 1);
  bool done = wait_until (t, 0, HEAD_START);
  while (!done && (num_at_work (t) || next < NUM_OTHERS)) {
    for (; next < NUM_OTHERS && (num_at_work (t) < jobs || budget_spent (t->run->budget)); next++)
      if (!budget_spent (t->run->budget)) start_next (t, others[next], jobs);
    done = wait_until (t, next < NUM_OTHERS ? jobs - 1 : 0, FOR_EVER);
  }
}

void team_search (engine_run *r, uint32_t properties) {
  team t = {.run = r, .properties = properties};
  if (r->task->jobs > 1 && (can_help (&t, &engine_order) || can_help (&t, &engine_circuit))) work_side_by_side (&t);
  else if (r->task->ltl) work_on_formula (&t);
  else work_in_turn (&t);
  take_best (&t);
  vec_release (&t.list);
  vec_release (&t.heard);
}
