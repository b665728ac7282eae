// The engine works in a child process, which then writes the reports and whose exit code is the command's.  The
// parent only watches.  The child sends it each confirmed violation, and when the child dies, overruns its time or
// holds more memory than it may, the parent ends it and reports instead: from the state before the engine began and
// from the claims, which it confirms once more.
//
// So neither a library nor a loop that forgets to look at the clock can hold a run, a crash loses nothing that was
// found, and the memory that CaDiCaL, Z3, BuDDy or LLVM allocate counts, although base/memory.h knows only our own
// blocks.  Engines still ask budget_spent and stop by themselves, because what an engine knows apart from its
// claims is lost when its process is killed.
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
static const double SECONDS_TO_END = 0.35;  // that a child has after its time is up, or after a signal
static const double SHARE_TO_END = 0.04;    // of its time, if that is more
// The engine is told to stop so much earlier, to sum up what it knows: this share of the time, but at most so many
// seconds.
static const double SHARE_TO_SUM_UP = 0.05, SECONDS_TO_SUM_UP = 0.2;
static const double SECONDS_TO_REPORT = 1.5;  // instead of SECONDS_TO_END, for a child that is making reports
// What a child may hold beyond --memory, whichever is more: for the code, the stacks, and the blocks of libraries,
// which base/memory.h does not count.
static const size_t SLACK_BYTES = 64ull << 20;
static const double SLACK_SHARE = 0.04;

struct supervised {
  int pipe;        // in the child, to the parent
  process *child;  // in the parent
  uint32_t taken;  // bytes received that messages were made of
  VEC (claim) claims;
  bool reports;              // the child has begun to make them
  bool writes;               // the child has begun to write them
  double interrupted_since;  // 0: not
  size_t first_bytes;        // of the child at its beginning
};

// ---- in the child -------------------------------------------------------------------------------------
// When the parent has gone, the system is about to kill this process, too.
static void send_to_parent (const supervised *s, strbuf *b) {
  process_send (s->pipe, b);
  strbuf_release (b);
}

void supervised_found (void *state, const claim *c) {
  strbuf b = {0};
  wire_put_claim (&b, c);
  send_to_parent (state, &b);
}

double supervised_margin (const budget *b) {
  double part = b->seconds * SHARE_TO_SUM_UP;
  return part < SECONDS_TO_SUM_UP ? part : SECONDS_TO_SUM_UP;
}

static void send_word (const supervised *s, const char *word) {
  strbuf b = {0};
  if (!s) return;
  wire_put_progress (&b, word);
  send_to_parent (s, &b);
}

void supervised_reports (supervised *s) { send_word (s, "reports"); }

void supervised_writes (supervised *s) { send_word (s, "writes"); }

// ---- memory -------------------------------------------------------------------------------------------
// What a process holds for itself, without files mapped into it; 0 if it is gone.
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

// With those of its own children (the workers of `auto`).  Pages that a child shares with its parent since the fork
// count once.
static size_t bytes_of_family (pid_t pid, size_t inherited) {
  char path[64];
  int child;
  size_t own = own_bytes (pid), bytes = own > inherited ? own - inherited : 0;
  snprintf (path, sizeof path, "/proc/%d/task/%d/children", (int) pid, (int) pid);
  FILE *f = fopen (path, "r");
  while (f && fscanf (f, "%d", &child) == 1) bytes += bytes_of_family (child, inherited);
  if (f) fclose (f);
  return bytes;
}

static bool holds_too_much (const supervised *s, const budget *b) {
  double share = SLACK_SHARE * (double) b->bytes;
  size_t slack = share > (double) SLACK_BYTES ? (size_t) share : SLACK_BYTES;
  return b->bytes && s->first_bytes + bytes_of_family (process_pid (s->child), s->first_bytes) > b->bytes + slack;
}

// ---- in the parent ------------------------------------------------------------------------------------
static void take_messages_of_child (supervised *s, arena *a) {
  strbuf *received = process_received (s->child);
  message m;
  while (wire_take (received, &s->taken, a, &m) == WIRE_MESSAGE) {
    if (m.kind == MESSAGE_CLAIM) vec_push (&s->claims, m.claim);
    else if (m.kind == MESSAGE_PROGRESS) s->writes = !strcmp (m.line, "writes"), s->reports = true;
  }
  if (s->taken == received->count) strbuf_clear (received), s->taken = 0;
}

// Why the child must be ended now, or NULL.  A child that writes reports is not ended for its time: the reader of a
// report may be slow, and half of a report would be worth nothing.
static const reason *why_end (supervised *s, const budget *b, arena *a) {
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

// NULL: the child has ended as it should, and its exit code is an answer.  A child that ended before it wrote
// anything has given none, whatever its code: a library may have called exit, or the memory was exhausted while the
// verdict was completed.
static const reason *why_no_verdict (const supervised *s, const budget *b, arena *a) {
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

// Until the child has ended.  A child that has to be ended, and whose reports are not awaited, is not waited for:
// the system takes a while to take back much memory, and nothing depends on it.
static const reason *watch_child (supervised *s, const budget *b, arena *a) {
  const reason *why = NULL;
  while (!why && process_is_alive (s->child)) {
    processes_listen (&s->child, 1, WAKE_MILLISECONDS);
    take_messages_of_child (s, a);
    if (process_is_alive (s->child)) why = why_end (s, b, a);
  }
  if (!why) return why_no_verdict (s, b, a);
  if (s->reports) process_kill (s->child);
  else process_leave (s->child);
  take_messages_of_child (s, a);
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

// engine_report drops claims that do not hold.
void supervised_believe (supervised *s, engine_run *r) {
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
