// Starts child processes and sets up what they inherit.  process_wait.c listens to them and ends them.
//
// A child starts with a copy of all descriptors of its parent.  It closes its copies of the parent's ends of its
// siblings' pipes, and of the pipe to the parent's own parent if there is one: the reader of a pipe sees its end only
// when all writers have closed it, and the writer only when all readers have.
//
// A process also inherits more than its command line.  Where SIGCHLD is ignored, the system forgets children at
// once, and waitpid cannot tell how they ended.  Where a standard file is closed, the next file that is opened gets
// its number, and printed text is written to that file.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/process_impl.h"

extern char **environ;

enum { CANNOT_BEGIN = 126, CANNOT_EXECUTE = 127 };  // exit codes, as shells use them

static process *children;     // of this process, those that are not freed
static int pipe_upward = -1;  // to the parent, if process_start or process_split made this process

void process_forget (process *p) {
  process **link = &children;
  while (*link != p) link = &(*link)->next;
  *link = p->next;
  mem_free (p, sizeof *p);
}

// ---- in the child -------------------------------------------------------------------------------------
static void close_inherited (void) {
  for (const process *p = children; p; p = p->next) {
    if (p->pipe >= 0) close (p->pipe);
    if (p->handle >= 0) close (p->handle);
  }
  children = NULL;
  if (pipe_upward >= 0) close (pipe_upward);
}

// Checks the parent again, because it may have died before prctl was called.
static void die_with_parent (pid_t parent) {
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent) _exit (CANNOT_BEGIN);
}

static void set_limit (__rlimit_resource_t what, size_t most) {
  struct rlimit limit;
  if (getrlimit (what, &limit)) return;
  if (limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max) limit.rlim_max = most;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (what, &limit);
}

// RLIMIT_DATA leaves out the code of libraries.  A sanitizer's own tables are far larger than any limit.
static void limit_child_memory (const process_plan *plan) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  if (!plan->program) return;
#endif
  if (plan->bytes) set_limit (RLIMIT_DATA, plan->bytes);
}

static bool isolate_child (const process_plan *plan) {
  static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++) signal (usual[i], SIG_DFL);
  setpgid (0, 0);
  set_limit (RLIMIT_CORE, 0);
  limit_child_memory (plan);
  int in = open ("/dev/null", O_RDONLY);
  if (in < 0 || dup2 (in, STDIN_FILENO) < 0) return false;
  if (plan->output && dup2 (plan->output, STDOUT_FILENO) < 0) return false;
  if (plan->errors && dup2 (plan->errors, STDERR_FILENO) < 0) return false;
  return !plan->directory || !chdir (plan->directory);
}

static _Noreturn void exit_without_memory (void *state) {
  (void) state;
  _exit (MEM_EXHAUSTED_EXIT_CODE);
}

static _Noreturn void do_work (const process_plan *plan, int pipe) {
  if (plan->is_isolated && !isolate_child (plan)) _exit (CANNOT_BEGIN);
  if (!plan->is_isolated) signal (SIGPIPE, SIG_IGN);
  mem_set_exhausted_handler (exit_without_memory, NULL);
  int code = plan->work (plan->state, pipe);
  fflush (NULL);
  _exit (code);
}

// The pipe carries the errno if the program cannot be executed; it is closed when the program has begun.
static _Noreturn void execute_program (const process_plan *plan, int pipe) {
  if (isolate_child (plan))
    execve (plan->program, (char *const *) plan->words, plan->variables ? plan->variables : environ);
  int error = errno;
  _exit (write (pipe, &error, sizeof error) < 0 ? CANNOT_BEGIN : CANNOT_EXECUTE);
}

bool process_send (int pipe, const strbuf *b) {
  for (uint32_t at = 0; at < b->count;) {
    ssize_t n = write (pipe, b->data + at, b->count - at);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) at += (uint32_t) n;
  }
  return true;
}

// ---- in the parent ------------------------------------------------------------------------------------
// Forks.  Flushes standard files first, so that parent and child do not both write their buffers.  In the child the
// result is NULL, and *error is 0.
static process *make_child (int *pipe, int *error) {
  int ends[2];
  *pipe = -1, *error = 0;
  if (pipe2 (ends, O_CLOEXEC)) return *error = errno, NULL;
  process *p = mem_zalloc (sizeof *p);
  fflush (NULL);
  pid_t parent = getpid ();
  p->pid = fork ();
  if (p->pid > 0) {
    close (ends[1]);
    fcntl (ends[0], F_SETFL, O_NONBLOCK);
    p->pipe = ends[0];
    p->handle = (int) syscall (SYS_pidfd_open, p->pid, 0);
    p->next = children;
    return children = p;
  }
  bool is_child = p->pid == 0;
  if (!is_child) *error = errno;
  close (ends[0]);
  mem_free (p, sizeof *p);
  if (is_child) {
    die_with_parent (parent);
    close_inherited ();
    return *pipe = pipe_upward = ends[1], NULL;
  }
  close (ends[1]);
  return NULL;
}

process *process_split (int *pipe) { return make_child (pipe, &(int){0}); }

// Waits until the program has begun.  Returns 0, or the errno that says why it cannot be executed.
static int wait_for_beginning (process *p) {
  int error = 0;
  fcntl (p->pipe, F_SETFL, 0);
  ssize_t got;
  while ((got = read (p->pipe, &error, sizeof error)) < 0 && errno == EINTR) {}
  close (p->pipe);
  p->pipe = -1;
  return got == sizeof error ? error : 0;
}

int process_start (const process_plan *plan, process **out) {
  int pipe, error;
  process *p = make_child (&pipe, &error);
  if (pipe >= 0 && plan->program) execute_program (plan, pipe);
  if (pipe >= 0) do_work (plan, pipe);
  *out = NULL;
  if (!p) return error;
  p->is_program = plan->program != NULL;
  p->is_isolated = p->is_program || plan->is_isolated;
  if (p->is_program) error = wait_for_beginning (p);
  if (error) process_free (p);
  else *out = p;
  return error;
}

// ---- programs and standard files ----------------------------------------------------------------------
bool process_find_program (const char *name, strbuf *path) {
  if (strchr (name, '/')) {
    strbuf_add (path, name);
    return true;
  }
  for (const char *folder = getenv ("PATH"); folder && *folder;) {
    size_t length = strcspn (folder, ":");
    strbuf_clear (path);
    strbuf_printf (path, "%.*s/%s", (int) length, folder, name);
    if (*folder == '/' && !access (strbuf_text (path), X_OK)) return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}

// /dev/null opened for reading: standard input is empty, and to write is an error, as it would be with the file closed.
static void open_standard_files (void) {
  for (int file = 0; file <= STDERR_FILENO; file++)
    if (fcntl (file, F_GETFD) < 0 && open ("/dev/null", O_RDONLY) < 0) return;
}

void process_begin (void) {
  open_standard_files ();
  signal (SIGCHLD, SIG_DFL);
}
