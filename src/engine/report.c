// Turns claims into goals, and only this file does: each claim is replayed by the interpreter, numbered, and counted
// once per place.
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "engine/engine.h"

static const double SHORT_REPLAY = 0.1;        // seconds: a replay this short can begin at any time
static const double NEXT_REPLAY_FACTOR = 1.5;  // of the duration of a longer replay: time to keep for the next one

static bool is_same_position (const goal_location *a, const goal_location *b) {
  bool same_file = a->pos.file == b->pos.file || (a->pos.file && b->pos.file && !strcmp (a->pos.file, b->pos.file));
  return same_file && a->pos.line == b->pos.line && a->pos.column == b->pos.column;
}

// Whether the thread waits for the end of another one.  Such threads are rarely the mistake: main may be at any of its
// calls of pthread_join when other threads deadlock.  They identify a deadlock only if it has no other waits.
static bool waits_for_end_of_thread (const ir_program *p, const goal *g, uint32_t k) {
  return g->property == IR_P_DEADLOCK && k < g->claim.num_threads &&
         ir_edge_at (p, g->claim.edge[k])->op == IR_THREAD_JOIN;
}

static bool has_other_waits (const ir_program *p, const goal *g) {
  for (uint32_t k = 0; k < g->locations.count; k++)
    if (!waits_for_end_of_thread (p, g, k)) return true;
  return false;
}

static bool identifies (const ir_program *p, const goal *g, uint32_t k) {
  return !waits_for_end_of_thread (p, g, k) || !has_other_waits (p, g);
}

static bool has_place (const ir_program *p, const goal *g, const goal_location *place) {
  for (uint32_t k = 0; k < g->locations.count; k++)
    if (identifies (p, g, k) && is_same_position (&g->locations.data[k], place)) return true;
  return false;
}

static bool has_places_of (const ir_program *p, const goal *a, const goal *b) {
  for (uint32_t k = 0; k < b->locations.count; k++)
    if (identifies (p, b, k) && !has_place (p, a, &b->locations.data[k])) return false;
  return true;
}

// Whether the goals have the same places, whatever the order of the threads.  How many threads of a deadlock wait at
// one place is not part of the mistake.
static bool same_bug (const ir_program *p, const goal *a, const goal *b) {
  if (a->status != b->status || a->property != b->property) return false;
  if (a->status != GOAL_VIOLATED && a->status != GOAL_CONDITIONAL) return false;
  if (a->property != IR_P_DEADLOCK && a->locations.count != b->locations.count) return false;
  return has_places_of (p, a, b) && has_places_of (p, b, a);
}

static goal *find_known (engine_run *run, const goal *g) {
  for (uint32_t k = 0; k < run->verdict->goals.count; k++)
    if (same_bug (run->program, g, &run->verdict->goals.data[k])) return &run->verdict->goals.data[k];
  return NULL;
}

static uint32_t number_with (const verdict *v, ir_property property, goal_status status) {
  uint32_t number = 1;
  for (uint32_t k = 0; k < v->goals.count; k++)
    number += v->goals.data[k].status == status && v->goals.data[k].property == property;
  return number;
}

static uint32_t next_number (const verdict *v, ir_property property) {
  return number_with (v, property, GOAL_VIOLATED);
}

// ---- conditional findings ------------------------------------------------------------------------------
// Whether the same violation is known as a bug without any condition.
static bool is_bug_anyway (engine_run *run, goal *g) {
  g->status = GOAL_VIOLATED;
  bool known = find_known (run, g) != NULL;
  g->status = GOAL_CONDITIONAL;
  return known;
}

// Drops the conditional violations that are the same as this bug.
static void replace_conditional (engine_run *run, goal *g) {
  verdict *v = run->verdict;
  g->status = GOAL_CONDITIONAL;
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (same_bug (run->program, g, &v->goals.data[k])) verdict_drop_goal (v, k--);
  g->status = GOAL_VIOLATED;
}

static const char *conditional_id (const verdict *v, const char *name, ir_property p) {
  return arena_printf (v->arena, "%s-conditional-%u", name, number_with (v, p, GOAL_CONDITIONAL));
}

static void drop_claim (claim *c, goal *g) {
  schedule_release (&c->schedule);
  for (uint32_t k = 0; k < g->steps.count; k++) vec_release (&g->steps.data[k].held);
  vec_release (&g->steps);
  vec_release (&g->locations);
  vec_release (&g->conditions);
}

static void add_found_goal (engine_run *run, claim *c, goal *g) {
  g->claim = *c;
  c->schedule = (schedule){0};
  vec_push (&run->verdict->goals, *g);
  if (run->found) run->found (run->found_state, &g->claim);
}

// Whether the claim is requested: with --reach-pair, only the accesses of the pair are.
static bool is_asked (const engine_run *run, const claim *c) {
  return !run->program->place.i ||
         (ir_edge_is_place (run->program, c->edge[0]) && ir_edge_is_place (run->program, c->edge[1]));
}

static const char *finding_name (const engine_run *run, ir_property p) {
  return run->program->place.i ? "pair" : ir_property_name[p];
}

// Whether the goal is better than a known one: of two executions that show the same bug, one without spurious wake-ups
// is.
static bool is_better (const goal *g, const goal *known) { return known->wakeups && !g->wakeups; }

static void replace_goal (engine_run *run, goal *known, goal *better, claim *c) {
  better->id = known->id;
  better->claim = *c;
  c->schedule = (schedule){0};
  drop_claim (&known->claim, known);
  *known = *better;
  if (run->found) run->found (run->found_state, &known->claim);
}

// Keeps time for the next replay.  A replay cannot be stopped, and the next one may take as long: it should begin early
// enough to end in time.
static void note_replay (const engine_run *run, double begin) {
  double seconds = budget_now () - begin;
  if (seconds > SHORT_REPLAY) budget_keep_back (run->budget, NEXT_REPLAY_FACTOR * seconds);
}

static bool confirm_in_time (engine_run *run, claim *c, goal *g, const char **why) {
  double begin = budget_now ();
  bool good = verdict_confirm (run->verdict, run->program, &run->task->semantics, c, g, why);
  note_replay (run, begin);
  return good;
}

static reported report_replayed_claim (engine_run *run, claim *c, const char **why) {
  verdict *v = run->verdict;
  goal g = {.property = c->property, .status = GOAL_VIOLATED, .engine = run->engine};
  bool asked = is_asked (run, c), replays = asked && confirm_in_time (run, c, &g, why);
  bool conditional = replays && g.conditions.count;
  g.claim = *c;
  if (conditional) g.status = GOAL_CONDITIONAL;
  run->conditional += conditional;
  goal *known = replays ? find_known (run, &g) : NULL;
  if (known && is_better (&g, known)) {
    replace_goal (run, known, &g, c);
    return conditional ? REPORTED_CONDITIONAL : REPORTED_AGAIN;
  }
  if (!replays || known || (conditional && is_bug_anyway (run, &g))) {
    bool too_large = !replays && g.status != GOAL_VIOLATED;
    drop_claim (c, &g);
    if (asked && !replays) return too_large ? TOO_LARGE_TO_REPLAY : DOES_NOT_REPLAY;
    return conditional ? REPORTED_CONDITIONAL : REPORTED_AGAIN;
  }
  if (conditional) {
    g.id = conditional_id (v, finding_name (run, c->property), c->property);
    add_found_goal (run, c, &g);
    return REPORTED_CONDITIONAL;
  }
  replace_conditional (run, &g);
  g.id = arena_printf (v->arena, "%s-%u", finding_name (run, c->property), next_number (v, c->property));
  add_found_goal (run, c, &g);
  return REPORTED_NEW;
}

// ---- deadlocks ----------------------------------------------------------------------------------------------------
// A state may contain several independent deadlocks, and an engine claims all blocked threads at once.  The judge takes
// one deadlock out of the claim; the threads that it leaves out are claimed again, until no new deadlock is found.
static bool leave_out (claim *all, const claim *core) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < all->num_threads; k++) {
    bool in_core = false;
    for (uint32_t i = 0; i < core->num_threads; i++) in_core |= core->thread[i] == all->thread[k];
    if (in_core) continue;
    all->thread[left] = all->thread[k];
    all->edge[left++] = all->edge[k];
  }
  bool fewer = left < all->num_threads;
  all->num_threads = left;
  return fewer && left;
}

static void schedule_copy (const schedule *from, schedule *to) {
  *to = (schedule){0};
  for (uint32_t k = 0; k < from->parts.count; k++) vec_push (&to->parts, from->parts.data[k]);
  for (uint32_t k = 0; k < from->choices.count; k++) vec_push (&to->choices, from->choices.data[k]);
}

static reported report_deadlocks (engine_run *run, claim *c, const char **why) {
  claim left = *c, next;
  schedule_copy (&c->schedule, &left.schedule);
  reported result = report_replayed_claim (run, c, why), last = result;
  for (const claim *core = c; last != DOES_NOT_REPLAY && last != TOO_LARGE_TO_REPLAY && leave_out (&left, core);
       core = &next) {
    const char *ignored = NULL;
    next = left;
    schedule_copy (&left.schedule, &next.schedule);
    last = report_replayed_claim (run, &next, &ignored);
    if (last == REPORTED_NEW) result = REPORTED_NEW;
  }
  schedule_release (&left.schedule);
  return result;
}

reported engine_report_if_true (engine_run *run, claim *c, const char **why) {
  return c->property == IR_P_DEADLOCK ? report_deadlocks (run, c, why) : report_replayed_claim (run, c, why);
}

bool engine_report (engine_run *run, claim *c) {
  const char *why = NULL;
  reported r = engine_report_if_true (run, c, &why);
  if (r == REPORTED_NEW || r == REPORTED_AGAIN || r == REPORTED_CONDITIONAL) return r == REPORTED_NEW;
  run->parted = why ? why : "no reason given";
  diag_warn ("internal error: a %s found by engine %s does not replay: %s", ir_property_name[c->property], run->engine,
             run->parted);
  return false;
}

bool engine_report_run_if_true (engine_run *run, const temporal *t, claim *c, const char **why) {
  verdict *v = run->verdict;
  goal g = {.property = c->property, .status = GOAL_VIOLATED, .engine = run->engine};
  double begin = budget_now ();
  bool replays = verdict_confirm_run (v, run->program, &run->task->semantics, t, run->task->fair, c, &g, why);
  note_replay (run, begin);
  if (!replays) {
    drop_claim (c, &g);
    return false;
  }
  if (g.conditions.count) g.status = GOAL_CONDITIONAL;
  const char *name = ir_property_name[IR_P_FORMULA];
  g.id = g.conditions.count ? conditional_id (v, name, c->property)
                            : arena_printf (v->arena, "%s-%u", name, next_number (v, c->property));
  add_found_goal (run, c, &g);
  v->answers[IR_P_FORMULA].engine = run->engine;
  v->answers[IR_P_FORMULA].status = g.status;
  return true;
}

bool engine_report_run (engine_run *run, const temporal *t, claim *c) {
  const char *why = NULL;
  if (engine_report_run_if_true (run, t, c, &why)) return true;
  run->parted = why ? why : "no reason given";
  diag_warn ("internal error: a run found by engine %s does not replay: %s", run->engine, run->parted);
  return false;
}

static int compare_locations (const goal_location *a, const goal_location *b) {
  int file = strcmp (a->pos.file ? a->pos.file : "", b->pos.file ? b->pos.file : "");
  if (file) return file;
  return a->pos.line != b->pos.line ? (a->pos.line < b->pos.line ? -1 : 1)
                                    : (a->pos.column > b->pos.column) - (a->pos.column < b->pos.column);
}

static int compare_goals (const void *x, const void *y) {
  const goal *a = x, *b = y;
  if (a->property != b->property) return a->property < b->property ? -1 : 1;
  for (uint32_t k = 0; k < a->locations.count && k < b->locations.count; k++) {
    int order = compare_locations (&a->locations.data[k], &b->locations.data[k]);
    if (order) return order;
  }
  return (a->locations.count > b->locations.count) - (a->locations.count < b->locations.count);
}

void engine_order_goals (engine_run *run) {
  verdict *v = run->verdict;
  if (!v->goals.count) return;
  qsort (v->goals.data, v->goals.count, sizeof *v->goals.data, compare_goals);
  uint32_t numbers[2][IR_NUM_QUESTIONS] = {0};
  for (uint32_t k = 0; k < v->goals.count; k++) {
    goal *g = &v->goals.data[k];
    bool conditional = g->status == GOAL_CONDITIONAL;
    g->id = arena_printf (v->arena, "%s%s-%u", finding_name (run, g->property), conditional ? "-conditional" : "",
                          ++numbers[conditional][g->property]);
  }
}

static void answer_with (engine_run *run, ir_property p, ending e) {
  verdict *v = run->verdict;
  bool violated = next_number (v, p) > 1;
  v->answers[p] = (property_answer){.status = violated ? GOAL_VIOLATED : e.status,
                                    .rest = e.status == GOAL_VIOLATED ? GOAL_UNKNOWN : e.status,
                                    .why = e.why,
                                    .message = e.message,
                                    .engine = run->engine};
}

void engine_summarise_one (engine_run *run, ir_property p, ending e) {
  if (task_asks (run->task) >> p & 1) answer_with (run, p, e);
}

void engine_summarise_formula (engine_run *run, ending e) { answer_with (run, IR_P_FORMULA, e); }

void engine_summarise (engine_run *run, ending e) {
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++) engine_summarise_one (run, (ir_property) p, e);
}
