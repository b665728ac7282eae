// One pipe per worker, from it to us.  The worker replays what it finds, as everybody does; we replay it again, because we believe nobody.
#include "engine/auto/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/process.h"

enum { LONGEST_LIST = 16, WAKE_MILLISECONDS = 100 };
static const double SECONDS_TO_END = 0.25;  // so long a worker has after its time is up, or after it was asked to stop

struct worker {
  const engine *engine;
  pid_t pid;
  int pipe;  // -1: nothing will come any more
  strbuf received;
  uint32_t taken;
  budget time;
  const budget *all;  // that of the whole run
  bool asked_to_stop, was_late, is_garbled;
  double stopping_since;
  bool has_answer;
  answer answer;
  arena *arena;  // of the verdict
};

// ---- in the worker ----------------------------------------------------------------------------------------------------
typedef struct voice {
  int pipe;
  const engine *engine;
} voice;

// Who listens no more needs no more: the worker ends.
static void say (const voice *v, strbuf *b) {
  for (uint32_t at = 0; at < b->count;) {
    ssize_t n = write (v->pipe, b->data + at, b->count - at);
    if (n < 0 && errno != EINTR) _exit (1);
    if (n > 0) at += (uint32_t) n;
  }
  strbuf_release (b);
}

static void say_claim (void *state, const claim *c) {
  strbuf b = {0};
  wire_put_claim (&b, c);
  say (state, &b);
}

static void say_progress (void *state, const char *line) {
  strbuf b = {0};
  wire_put_progress (&b, line);
  say (state, &b);
}

static void say_answer (const voice *v, const answer *a) {
  strbuf b = {0};
  wire_put_answer (&b, a);
  say (v, &b);
}

// With what little memory is left.
static _Noreturn void say_exhausted (void *state) {
  const voice *v = state;
  mem_set_exhausted_handler (NULL, NULL);
  answer a = {.kind = VERDICT_UNKNOWN, .reason = "out of memory", .peak_bytes = mem_peak_bytes ()};
  say_answer (v, &a);
  _exit (0);
}

static _Noreturn void work (const engine_run *r, const task *t, budget *b, voice *v) {
  engine_run run = *r;
  mark before = mark_of (r->verdict);
  run.task = t;
  run.budget = b;
  run.engine = v->engine->name;
  run.found = say_claim;
  run.progress = r->progress ? say_progress : NULL;
  run.found_state = run.progress_state = v;
  run.parted = NULL;
  mem_set_exhausted_handler (say_exhausted, v);
  engine_work (v->engine, &run);
  answer a;
  answer_since (r->verdict, before, &a);
  a.parted = run.parted;
  say_answer (v, &a);
  _exit (0);
}

// ---- starting --------------------------------------------------------------------------------------------------------------
static _Noreturn void begin_work (const engine_run *r, worker_share s, budget *time, voice *v) {
  task t = *r->task;
  t.semantics.properties = s.properties;
  t.jobs = s.jobs;
  signal (SIGPIPE, SIG_IGN);
  work (r, &t, time, v);
}

// A worker that got the whole remaining budget reports the user's limit, not its own.
static void start_time (const engine_run *r, worker_share s, budget *time) {
  budget_start (time, s.seconds, s.bytes);
  if (s.seconds < budget_left (r->budget)) return;
  time->start = r->budget->start;
  time->seconds = r->budget->seconds;
  time->whole = r->budget->whole;
}

worker *worker_start (const engine_run *r, const engine *e, worker_share s) {
  int ends[2];
  if (pipe (ends)) return NULL;
  worker *w = mem_zalloc (sizeof *w);
  *w = (worker){.engine = e, .pipe = ends[0], .all = r->budget, .arena = r->verdict->arena};
  start_time (r, s, &w->time);
  pid_t parent = getpid (), pid = fork ();
  if (pid == 0) {
    close (ends[0]);
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    if (getppid () != parent) _exit (1);
    begin_work (r, s, &w->time, &(voice){ends[1], e});
  }
  close (ends[1]);
  if (pid < 0) {
    close (ends[0]);
    mem_free (w, sizeof *w);
    return NULL;
  }
  w->pid = pid;
  return w;
}

// ---- listening --------------------------------------------------------------------------------------------------------------
static void believe_run (engine_run *r, claim *c) {
  temporal formula;
  ltl_error error;
  if (temporal_init (&formula, r->program, r->task->ltl, &error)) engine_report_run (r, &formula, c);
  temporal_release (&formula);
  schedule_release (&c->schedule);
}

static void believe (engine_run *r, const worker *w, claim *c) {
  engine_run run = *r;
  run.engine = w->engine->name;
  if (c->is_run) believe_run (&run, c);
  else engine_report (&run, c);
  if (run.parted) r->parted = run.parted;
}

static void take_message (engine_run *r, worker *w, message *m) {
  if (m->kind == MESSAGE_CLAIM) believe (r, w, &m->claim);
  else if (m->kind == MESSAGE_PROGRESS && r->progress) r->progress (r->progress_state, m->line);
  else if (m->kind == MESSAGE_ANSWER) {
    answer_release (&w->answer);
    w->answer = m->answer;
    w->has_answer = true;
    if (m->answer.parted) r->parted = m->answer.parted;
  }
}

static const char *how_it_died (const worker *w, int status) {
  const char *spent = w->was_late || w->asked_to_stop ? budget_spent (w->all) : NULL;
  if (spent) return arena_strdup (w->arena, spent);
  if (w->was_late || w->asked_to_stop)
    return arena_printf (w->arena, "engine %s did not stop in time and was ended", w->engine->name);
  if (w->is_garbled) return arena_printf (w->arena, "internal error: engine %s sent nonsense", w->engine->name);
  if (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL)
    return arena_printf (w->arena, "engine %s was killed, perhaps for lack of memory", w->engine->name);
  if (WIFSIGNALED (status))
    return arena_printf (w->arena, "internal error: engine %s died: %s", w->engine->name,
                         strsignal (WTERMSIG (status)));
  return arena_printf (w->arena, "internal error: engine %s ended without an answer", w->engine->name);
}

// Nothing more will come from it.
static void take_leave (worker *w) {
  int status = 0;
  close (w->pipe);
  w->pipe = -1;
  w->was_late |= budget_left (&w->time) < 0;
  process_wait (w->pid, &status);
  if (w->has_answer) return;
  w->answer = (answer){.kind = VERDICT_UNKNOWN, .reason = how_it_died (w, status)};
  if (!w->asked_to_stop && !budget_spent (w->all)) diag_warn ("%s; what it had found is kept", w->answer.reason);
}

static void end_now (worker *w) {
  kill (w->pid, SIGKILL);
  take_leave (w);
}

static void listen_to (engine_run *r, worker *w) {
  char buffer[1 << 16];
  ssize_t n = read (w->pipe, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    take_leave (w);
    return;
  }
  strbuf_add_bytes (&w->received, buffer, (size_t) n);
  message m;
  wire_state s;
  while ((s = wire_take (&w->received, &w->taken, w->arena, &m)) == WIRE_MESSAGE) take_message (r, w, &m);
  if (s == WIRE_GARBLED) w->is_garbled = true, end_now (w);
  if (w->taken == w->received.count) strbuf_clear (&w->received), w->taken = 0;
}

// A first signal asks it to stop and to say what it knows.  When its time is up it does so by itself.
static void hurry (engine_run *r, worker *w) {
  bool is_late = budget_left (&w->time) < -SECONDS_TO_END,
       stop = budget_spent (r->budget) && (budget_interrupted () || budget_left (&w->time) > 0);
  if (stop && !w->asked_to_stop) {
    w->asked_to_stop = true;
    w->stopping_since = budget_now ();
    kill (w->pid, SIGTERM);
  }
  if (is_late || (w->asked_to_stop && budget_now () - w->stopping_since > SECONDS_TO_END)) {
    w->was_late = true;
    end_now (w);
  }
}

void workers_wait (engine_run *r, worker *const *list, uint32_t count) {
  struct pollfd polled[LONGEST_LIST];
  worker *at_work[LONGEST_LIST];
  uint32_t n = 0;
  CHECK (count <= LONGEST_LIST, "there should be at most %u workers", (unsigned) LONGEST_LIST);
  for (uint32_t k = 0; k < count; k++) {
    if (list[k]->pipe < 0) continue;
    polled[n] = (struct pollfd){.fd = list[k]->pipe, .events = POLLIN};
    at_work[n++] = list[k];
  }
  if (n && poll (polled, n, WAKE_MILLISECONDS) < 0) return;
  for (uint32_t k = 0; k < n; k++) {
    if (polled[k].revents) listen_to (r, at_work[k]);
    if (at_work[k]->pipe >= 0) hurry (r, at_work[k]);
  }
}

bool worker_has_ended (const worker *w) { return w->pipe < 0; }
bool worker_was_late (const worker *w) { return w->was_late; }
const engine *worker_engine (const worker *w) { return w->engine; }
const answer *worker_answer (const worker *w) { return &w->answer; }

void worker_free (worker *w) {
  if (!w) return;
  w->asked_to_stop = true;
  if (w->pipe >= 0) end_now (w);
  mem_note_peak ((size_t) w->answer.peak_bytes);
  strbuf_release (&w->received);
  answer_release (&w->answer);
  mem_free (w, sizeof *w);
}
