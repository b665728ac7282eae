// The engine works in a child process, which then writes the reports and whose exit code is the command's.  The parent only watches: it knows
// what the child has confirmed so far, and when the child dies, overruns its time or holds more memory than it may, the parent ends it and
// reports instead, from the state before the engine began and the claims, which it confirms once more.
//
// So no library and no loop that forgets to ask for the time can hold a run, a crash loses nothing that was found, and what CaDiCaL, Z3, BuDDy
// or LLVM allocate counts: base/memory.h knows only of our own blocks.  Engines still ask budget_spent and end by themselves, because what an
// engine knows apart from its claims is lost with it.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/process.h"
#include "engine/auto/wire.h"
#include "main/main_impl.h"

enum { WAKE_MILLISECONDS = 20 };
static const double SECONDS_TO_END = 0.35;  // that a child has after its time is up, or after a signal
static const double SHARE_TO_END = 0.04;    // of long times
static const double SHARE_TO_SUM_UP = 0.05, SECONDS_TO_SUM_UP = 0.2;  // at most so much earlier it is to stop by itself
static const double SECONDS_TO_REPORT = 1.5;                          // the same when it is writing reports
// Beyond --memory, whichever is more: the program itself, its libraries and stacks; blocks of libraries, which are not
// counted.
static const size_t SLACK_BYTES = 64ull << 20;
static const double SLACK_SHARE = 0.04;

struct supervised {
  int pipe;
  pid_t child;
  strbuf received;
  uint32_t taken;
  VEC (claim) claims;
  bool reports;              // the child has begun to make them
  bool writes;               // the child has begun to write them
  double interrupted_since;  // 0: not
  size_t first_bytes;        // of the child at its beginning
};

// ---- in the child -------------------------------------------------------------------------------------
static void say (const supervised *s, strbuf *b) {
  for (uint32_t at = 0; at < b->count;) {
    ssize_t n = write (s->pipe, b->data + at, b->count - at);
    if (n < 0 && errno != EINTR) break;  // the parent has gone; this process will be ended, too
    if (n > 0) at += (uint32_t) n;
  }
  strbuf_release (b);
}

void supervised_found (void *state, const claim *c) {
  strbuf b = {0};
  wire_put_claim (&b, c);
  say (state, &b);
}

double supervised_margin (const budget *b) {
  double part = b->seconds * SHARE_TO_SUM_UP;
  return part < SECONDS_TO_SUM_UP ? part : SECONDS_TO_SUM_UP;
}

static void say_word (const supervised *s, const char *word) {
  strbuf b = {0};
  if (!s) return;
  wire_put_progress (&b, word);
  say (s, &b);
}

void supervised_reports (supervised *s) { say_word (s, "reports"); }

void supervised_writes (supervised *s) { say_word (s, "writes"); }

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

// With those of its own children (the workers of `auto`).  Pages that a child has from its parent count once.
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
  return b->bytes && s->first_bytes + bytes_of_family (s->child, s->first_bytes) > b->bytes + slack;
}

// ---- in the parent ------------------------------------------------------------------------------------
// False: nothing more will come.
static bool listen_to (supervised *s, arena *a) {
  char buffer[1 << 16];
  struct pollfd polled = {.fd = s->pipe, .events = POLLIN};
  if (poll (&polled, 1, WAKE_MILLISECONDS) <= 0) return true;
  ssize_t n = read (s->pipe, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  strbuf_add_bytes (&s->received, buffer, (size_t) n);
  message m;
  while (wire_take (&s->received, &s->taken, a, &m) == WIRE_MESSAGE) {
    if (m.kind == MESSAGE_CLAIM) vec_push (&s->claims, m.claim);
    else if (m.kind == MESSAGE_PROGRESS) s->writes = !strcmp (m.line, "writes"), s->reports = true;
  }
  if (s->taken == s->received.count) strbuf_clear (&s->received), s->taken = 0;
  return true;
}

// Why the child must be ended now, or NULL.  A child that writes is not ended for its time: who reads the reports may be slow, and half of
// a report would be worth nothing.
static const char *why_end (supervised *s, const budget *b) {
  double more = s->reports ? SECONDS_TO_REPORT : SECONDS_TO_END, now = budget_now (), part = b->seconds * SHARE_TO_END;
  if (!s->interrupted_since && more < part) more = part;
  if (budget_interrupted () && !s->interrupted_since) {
    s->interrupted_since = now;
    kill (s->child, SIGTERM);
  }
  if (s->interrupted_since && now - s->interrupted_since > more) return "interrupted";
  if (s->writes) return NULL;
  if (budget_left (b) < -more) return budget_spent (b);
  if (!s->reports && holds_too_much (s, b)) {
    static char text[64];
    snprintf (text, sizeof text, "memory limit of %zu MB", b->bytes >> 20);
    budget_strike (b, LIMIT_MEMORY);
    return text;
  }
  return NULL;
}

// NULL: it has ended as it should, and its exit code is an answer.  One that ended before it wrote anything has given none, whatever its code:
// a library may have ended it, or mem_exhausted while the verdict was completed.
static const char *how_it_ended (const supervised *s, int status, const budget *b, arena *a) {
  if (WIFEXITED (status) && s->writes) return NULL;
  if (WIFEXITED (status) && WEXITSTATUS (status) == EXIT_UNKNOWN) return "out of memory";
  if (WIFEXITED (status)) return "internal error: the process of the engine ended without an answer";
  if (WTERMSIG (status) == SIGPIPE) raise (SIGPIPE);  // nobody reads our output
  const char *spent = budget_spent (b);
  if (spent) return arena_strdup (a, spent);
  if (WTERMSIG (status) == SIGKILL) return "the process of the engine was killed, perhaps for lack of memory";
  return arena_printf (a, "internal error: the process of the engine died: %s", strsignal (WTERMSIG (status)));
}

static const char *attend (supervised *s, const budget *b, arena *a, int *code) {
  const char *why = NULL;
  int status = 0;
  while (listen_to (s, a))
    if ((why = why_end (s, b))) {
      why = arena_strdup (a, why);
      kill (s->child, SIGKILL);
      if (!s->reports) return why;  // to give back much memory takes the system a while, and nothing depends on it
      break;
    }
  process_wait (s->child, &status);
  if (!why) why = how_it_ended (s, status, b, a);
  *code = WIFEXITED (status) ? WEXITSTATUS (status) : 0;
  return why;
}

supervised *supervise (const budget *b, arena *a, supervision *out) {
  int ends[2];
  *out = (supervision){.is_child = true};
  if (pipe (ends)) return NULL;
  fflush (NULL);
  supervised *s = mem_zalloc (sizeof *s);
  pid_t parent = getpid ();
  s->child = fork ();
  s->pipe = s->child ? ends[0] : ends[1];
  close (s->child ? ends[1] : ends[0]);
  if (s->child == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    if (getppid () != parent) _exit (1);
    return s;
  }
  if (s->child < 0) {  // no process can be made: the engine works here
    close (ends[0]);
    mem_free (s, sizeof *s);
    return NULL;
  }
  out->is_child = false;
  s->first_bytes = own_bytes (parent);
  out->why = attend (s, b, a, &out->code);
  out->has_written = s->writes;
  close (s->pipe);
  return s;
}

// What does not hold is dropped by engine_report.
void supervised_believe (supervised *s, engine_run *r) {
  for (uint32_t k = 0; k < s->claims.count; k++)
    if (!s->claims.data[k].is_run) engine_report (r, &s->claims.data[k]);
    else schedule_release (&s->claims.data[k].schedule);
  s->claims.count = 0;
}

void supervised_free (supervised *s) {
  if (!s) return;
  strbuf_release (&s->received);
  for (uint32_t k = 0; k < s->claims.count; k++) schedule_release (&s->claims.data[k].schedule);
  vec_release (&s->claims);
  mem_free (s, sizeof *s);
}
