// An engine in a child process (base/process.h), which sends its claims, lines of progress and its answer as
// messages (wire.h).  The worker has replayed each claim, as every engine has; the parent replays it once more,
// since the worker may have damaged its own memory.
#include "engine/auto/worker.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/process.h"

enum { WAKE_MILLISECONDS = 100 };
// A worker is killed so long after the end of its time, or after it was asked to stop.
static const double SECONDS_TO_END = 0.25;

struct worker {
  const engine *engine;
  process *process;
  uint32_t taken;  // number of received bytes that were read as messages
  budget time;
  const budget *all;  // budget of the whole run
  uint32_t asked;     // requested properties, a bit set of 1 << ir_property
  bool has_ended, was_late, was_asked, is_garbled, has_answer;
  wire_answer answer;
  arena *arena;  // of the verdict
};

// ---- in the worker ------------------------------------------------------------------------------------
typedef struct worker_job {
  const engine_run *run;  // of the parent
  const engine *engine;
  worker_share share;
  uint32_t asked;  // properties
  budget *time;
  int pipe;
} worker_job;

// Stop working once the parent has closed its end of the pipe.
static void send_message (const worker_job *j, strbuf *b) {
  if (!process_send (j->pipe, b)) _exit (1);
  strbuf_release (b);
}

static void send_claim (void *job, const claim *c) {
  strbuf b = {0};
  wire_put_claim (&b, c);
  send_message (job, &b);
}

static void send_progress (void *job, const char *line) {
  strbuf b = {0};
  wire_put_progress (&b, line);
  send_message (job, &b);
}

static void send_answer (const worker_job *j, const wire_answer *a) {
  strbuf b = {0};
  wire_put_answer (&b, a);
  send_message (j, &b);
}

// Sends an answer after the heap is exhausted: it may just have room for this small message.
static _Noreturn void answer_exhausted (void *job) {
  mem_set_exhausted_handler (NULL, NULL);
  const worker_job *j = job;
  wire_answer a = answer_of_failure (j->asked, &reason_out_of_memory);
  send_answer (j, &a);
  _exit (0);
}

static int work_in_process (void *job, int pipe) {
  worker_job *j = job;
  j->pipe = pipe;
  engine_run run = *j->run;
  task t = *run.task;
  mark before = mark_of (run.verdict);
  answers_forget (run.verdict->answers, UINT32_MAX);
  t.semantics.properties = j->share.properties;
  t.jobs = j->share.jobs;
  run.task = &t;
  run.budget = j->time;
  run.engine = j->engine->name;
  run.found = send_claim;
  if (run.progress) run.progress = send_progress;
  run.found_state = run.progress_state = j;
  run.parted = NULL;
  mem_set_exhausted_handler (answer_exhausted, j);
  engine_work (j->engine, &run);
  wire_answer a;
  answer_since (run.verdict, before, j->asked, &a);
  a.parted = run.parted;
  send_answer (j, &a);
  _exit (0);  // the engine's blocks are not freed one by one
}

// ---- starting -----------------------------------------------------------------------------------------
// A worker that got the whole remaining budget reports the user's limit, not its own.
static void start_time (const engine_run *r, worker_share s, budget *time) {
  budget_start (time, s.seconds, s.bytes);
  if (s.seconds < budget_left (r->budget)) return;
  time->start = r->budget->start;
  time->seconds = r->budget->seconds;
  time->whole = r->budget->whole;
}

worker *worker_start (const engine_run *r, const engine *e, worker_share s) {
  worker *w = mem_zalloc (sizeof *w);
  uint32_t asked = r->task->ltl ? task_asks (r->task) : s.properties;
  *w = (worker){.engine = e, .all = r->budget, .asked = asked, .arena = r->verdict->arena};
  start_time (r, s, &w->time);
  worker_job job = {.run = r, .engine = e, .share = s, .asked = asked, .time = &w->time};
  if (process_start (&(process_plan){.work = work_in_process, .state = &job}, &w->process)) {
    mem_free (w, sizeof *w);
    return NULL;
  }
  if (w->time.seconds) process_set_deadline (w->process, w->time.start + w->time.seconds + SECONDS_TO_END);
  return w;
}

// ---- listening ----------------------------------------------------------------------------------------
static void confirm_run_claim (engine_run *r, claim *c) {
  temporal formula;
  ltl_error error;
  if (temporal_init (&formula, r->program, r->task->ltl, &error)) engine_report_run (r, &formula, c);
  temporal_release (&formula);
  schedule_release (&c->schedule);
}

static void confirm_worker_claim (engine_run *r, const worker *w, claim *c) {
  engine_run run = *r;
  run.engine = w->engine->name;
  if (c->is_run) confirm_run_claim (&run, c);
  else engine_report (&run, c);
  if (run.parted) r->parted = run.parted;
}

static void take_message (engine_run *r, worker *w, message *m) {
  if (m->kind == MESSAGE_CLAIM) confirm_worker_claim (r, w, &m->claim);
  else if (m->kind == MESSAGE_PROGRESS && r->progress) r->progress (r->progress_state, m->line);
  else if (m->kind == MESSAGE_ANSWER) {
    answer_release (&w->answer);
    w->answer = m->answer;
    w->has_answer = true;
    if (m->answer.parted) r->parted = m->answer.parted;
  }
}

static const reason *why_no_answer (const worker *w) {
  arena *a = w->arena;
  const char *name = w->engine->name;
  const reason *spent = w->was_late || w->was_asked ? reason_of_budget (a, w->all) : NULL;
  if (spent) return spent;
  if (w->was_late || w->was_asked)
    return reason_printf (a, REASON_ENGINE, "engine %s did not stop in time and was ended", name);
  if (w->is_garbled) return reason_internal (a, "engine %s sent nonsense", name);
  if (process_fate_of (w->process) == PROCESS_OUT_OF_MEMORY) return &reason_out_of_memory;
  if (process_fate_of (w->process) != PROCESS_SIGNALLED)
    return reason_internal (a, "engine %s ended without an answer", name);
  if (process_code (w->process) == SIGKILL)
    return reason_printf (a, REASON_ENGINE, "engine %s was killed, perhaps for lack of memory", name);
  return reason_internal (a, "engine %s died: %s", name, strsignal (process_code (w->process)));
}

static void note_worker_end (worker *w) {
  w->has_ended = true;
  w->was_late |= process_fate_of (w->process) == PROCESS_LATE || budget_left (&w->time) < 0;
  if (w->has_answer) return;
  w->answer = answer_of_failure (w->asked, why_no_answer (w));
  if (!w->was_asked && !budget_spent (w->all)) diag_warn ("%s; what it had found is kept", w->answer.stop->text);
}

static void take_messages (engine_run *r, worker *w) {
  strbuf *received = process_received (w->process);
  message m;
  wire_state s = WIRE_MORE;
  while (!w->is_garbled && (s = wire_take (received, &w->taken, w->arena, &m)) == WIRE_MESSAGE) take_message (r, w, &m);
  if (s == WIRE_GARBLED) {
    w->is_garbled = true;
    process_kill (w->process);
  }
  if (w->taken == received->count) strbuf_clear (received), w->taken = 0;
}

// The worker watches its own time; it is asked to stop only if the whole run has to end earlier.
static void ask_to_stop (const engine_run *r, worker *w) {
  if (!budget_spent (r->budget) || !(budget_interrupted () || budget_left (&w->time) > 0)) return;
  w->was_asked = true;
  process_ask_to_stop (w->process, SECONDS_TO_END);
}

void workers_wait (engine_run *r, worker *const *list, uint32_t count) {
  VEC (process *) alive = {0};
  for (uint32_t k = 0; k < count; k++)
    if (!list[k]->has_ended) vec_push (&alive, list[k]->process);
  if (alive.count) processes_listen (alive.data, alive.count, WAKE_MILLISECONDS);
  vec_release (&alive);
  for (uint32_t k = 0; k < count; k++) {
    if (list[k]->has_ended) continue;
    take_messages (r, list[k]);
    if (process_is_alive (list[k]->process)) ask_to_stop (r, list[k]);
    else note_worker_end (list[k]);
  }
}

bool worker_has_ended (const worker *w) { return w->has_ended; }
bool worker_was_late (const worker *w) { return w->was_late; }
const engine *worker_engine (const worker *w) { return w->engine; }
const wire_answer *worker_answer (const worker *w) { return &w->answer; }

void worker_free (worker *w) {
  if (!w) return;
  mem_note_peak ((size_t) w->answer.peak_bytes);
  process_free (w->process);
  answer_release (&w->answer);
  mem_free (w, sizeof *w);
}
