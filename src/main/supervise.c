// Supervises the child process in which the engine works.  The child also writes the reports, and its exit code is that
// of the command.  The child sends the parent each confirmed violation.  If the child dies, overruns its time or holds
// too much memory, the parent ends it and reports in its place: from the state before the engine began and from the
// claims, which it confirms once more.
//
// So no library, and no loop that does not check the clock, can make a run endless; a crash loses no finding; and
// memory that CaDiCaL, Z3, BuDDy or LLVM allocate counts, although base/memory.h knows only lockstep's own blocks.
// Engines still call budget_spent and stop by themselves, because all results of an engine but its claims are lost when
// its process is killed.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/process.h"
#include "engine/auto/wire.h"
#include "main/main_impl.h"

enum { WAKE_MILLISECONDS = 20 };
static const double SECONDS_TO_END = 0.35;  // grace time of a child after its time is up, or after a signal
static const double SHARE_TO_END = 0.04;    // the same as a share of its time, if that is more
// The engine must stop earlier than the child, to report its results: by this share of the time, but at most by these
// seconds.
static const double SHARE_TO_SUM_UP = 0.05, SECONDS_TO_SUM_UP = 0.2;
static const double SECONDS_TO_REPORT = 1.5;  // instead of SECONDS_TO_END, for a child that is making reports
// Memory that a child may hold beyond --memory, the larger of the two: for code, stacks, and blocks of libraries, which
// base/memory.h does not count.
static const size_t SLACK_BYTES = 64ull << 20;
static const double SLACK_SHARE = 0.04;

struct supervised {
  int pipe;        // in the child: pipe to the parent
  process *child;  // in the parent: the child
  uint32_t taken;  // number of received bytes that have been read as messages
  VEC (claim) claims;
  bool reports;              // the child has begun to make reports
  bool writes;               // the child has begun to write reports
  double interrupted_since;  // time of the interrupt; 0: none
  size_t first_bytes;        // memory of the child at its start
};

// ---- in the child -------------------------------------------------------------------------------------
// An error is ignored: if the parent has gone, the system is about to kill this process, too.
static void send_to_parent (const supervised *s, strbuf *b) {
  process_send (s->pipe, b);
  strbuf_release (b);
}

void supervised_send_claim (void *state, const claim *c) {
  strbuf b = {0};
  wire_put_claim (&b, c);
  send_to_parent (state, &b);
}

double supervised_margin (const budget *b) {
  double part = b->seconds * SHARE_TO_SUM_UP;
  return part < SECONDS_TO_SUM_UP ? part : SECONDS_TO_SUM_UP;
}

static void send_phase (const supervised *s, const char *word) {
  strbuf b = {0};
  if (!s) return;
  wire_put_progress (&b, word);
  send_to_parent (s, &b);
}

void supervised_enter_reporting (supervised *s) { send_phase (s, "reports"); }

void supervised_enter_writing (supervised *s) { send_phase (s, "writes"); }

// ---- memory -------------------------------------------------------------------------------------------
// Returns the memory of a process without mapped files; 0: the process has ended.
static size_t own_bytes (pid_t pid) {
  char path[64];
  unsigned long size = 0, resident = 0, shared = 0;
  snprintf (path, sizeof path, "/proc/%d/statm", (int) pid);
  FILE *f = fopen (path, "r");
  if (!f) return 0;
  if (fscanf (f, "%lu %lu %lu", &size, &resident, &shared) != 3) resident = shared = 0;
  fclose (f);
  return resident > shared ? (resident - shared) * (size_t) sysconf (_SC_PAGESIZE) : 0;
}

// Returns the memory of a process and its descendants (the workers of `auto`).  Pages that a child has shared with its
// parent since the fork count once.
static size_t family_bytes (pid_t pid, size_t inherited) {
  char path[64];
  int child;
  size_t own = own_bytes (pid), bytes = own > inherited ? own - inherited : 0;
  snprintf (path, sizeof path, "/proc/%d/task/%d/children", (int) pid, (int) pid);
  FILE *f = fopen (path, "r");
  while (f && fscanf (f, "%d", &child) == 1) bytes += family_bytes (child, inherited);
  if (f) fclose (f);
  return bytes;
}

static bool holds_too_much (const supervised *s, const budget *b) {
  double share = SLACK_SHARE * (double) b->bytes;
  size_t slack = share > (double) SLACK_BYTES ? (size_t) share : SLACK_BYTES;
  return b->bytes && s->first_bytes + family_bytes (process_pid (s->child), s->first_bytes) > b->bytes + slack;
}

// ---- in the parent ------------------------------------------------------------------------------------
static void receive_messages (supervised *s, arena *a) {
  strbuf *received = process_received (s->child);
  message m;
  while (wire_take (received, &s->taken, a, &m) == WIRE_MESSAGE) {
    if (m.kind == MESSAGE_CLAIM) vec_push (&s->claims, m.claim);
    else if (m.kind == MESSAGE_PROGRESS) s->writes = !strcmp (m.line, "writes"), s->reports = true;
  }
  if (s->taken == received->count) strbuf_clear (received), s->taken = 0;
}

// Returns the reason why the child must be ended now, or NULL.  A child that writes reports may overrun its time: the
// reader of a report may be slow, and half of a report is worth nothing.
static const reason *reason_to_end (supervised *s, const budget *b, arena *a) {
  double more = s->reports ? SECONDS_TO_REPORT : SECONDS_TO_END, now = budget_now (), part = b->seconds * SHARE_TO_END;
  if (!s->interrupted_since && more < part) more = part;
  if (budget_interrupted () && !s->interrupted_since) {
    s->interrupted_since = now;
    process_ask_to_stop (s->child, 0);
  }
  if (s->interrupted_since && now - s->interrupted_since > more)
    return reason_new (a, REASON_INTERRUPTED, budget_limit_text (b, LIMIT_SIGNAL));
  if (s->writes) return NULL;
  if (budget_left (b) < -more) return reason_of_budget (a, b);
  if (!s->reports && holds_too_much (s, b)) {
    budget_strike (b, LIMIT_MEMORY);
    return reason_new (a, REASON_MEMORY, budget_limit_text (b, LIMIT_MEMORY));
  }
  return NULL;
}

// Returns NULL if the child has ended normally, so that its exit code is an answer; else the reason why there is none.
// A child that ended before it wrote a report has given no answer, whatever its exit code is: a library may have called
// exit, or memory was exhausted while the verdict was completed.
static const reason *reason_for_no_answer (const supervised *s, const budget *b, arena *a) {
  int code = process_code (s->child);
  if (process_fate_of (s->child) != PROCESS_SIGNALLED) {
    if (s->writes) return NULL;
    if (process_fate_of (s->child) == PROCESS_OUT_OF_MEMORY) return &reason_out_of_memory;
    return reason_internal (a, "the process of the engine ended without an answer");
  }
  if (code == SIGPIPE) raise (SIGPIPE);  // the reader of our output has gone
  const reason *spent = reason_of_budget (a, b);
  if (spent) return spent;
  if (code == SIGKILL)
    return reason_new (a, REASON_ENGINE, "the process of the engine was killed, perhaps for lack of memory");
  return reason_internal (a, "the process of the engine died: %s", strsignal (code));
}

// Waits until the child has ended.  After ending a child that makes no reports, do not wait for it: the system needs a
// while to free much memory, and nothing depends on that.
static const reason *watch_child (supervised *s, const budget *b, arena *a) {
  const reason *why = NULL;
  while (!why && process_is_alive (s->child)) {
    processes_listen (&s->child, 1, WAKE_MILLISECONDS);
    receive_messages (s, a);
    if (process_is_alive (s->child)) why = reason_to_end (s, b, a);
  }
  if (!why) return reason_for_no_answer (s, b, a);
  if (s->reports) process_kill (s->child);
  else process_leave (s->child);
  receive_messages (s, a);
  return why;
}

supervised *supervise (const budget *b, arena *a, supervision *out) {
  int pipe;
  *out = (supervision){.is_child = true};
  process *child = process_split (&pipe);
  if (!child && pipe < 0) return NULL;  // no process can be made: the engine works here
  supervised *s = mem_zalloc (sizeof *s);
  s->child = child;
  s->pipe = pipe;
  if (!child) return s;
  out->is_child = false;
  s->first_bytes = own_bytes (getpid ());
  out->why = watch_child (s, b, a);
  out->code = process_fate_of (child) == PROCESS_SIGNALLED ? 0 : process_code (child);
  out->has_written = s->writes;
  return s;
}

// engine_report drops claims that are not confirmed.
void supervised_report_claims (supervised *s, engine_run *r) {
  for (uint32_t k = 0; k < s->claims.count; k++)
    if (!s->claims.data[k].is_run) engine_report (r, &s->claims.data[k]);
    else schedule_release (&s->claims.data[k].schedule);
  s->claims.count = 0;
}

void supervised_free (supervised *s) {
  if (!s) return;
  process_free (s->child);
  for (uint32_t k = 0; k < s->claims.count; k++) schedule_release (&s->claims.data[k].schedule);
  vec_release (&s->claims);
  mem_free (s, sizeof *s);
}
