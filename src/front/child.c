// Child processes for what is not trusted.
//
// The environment of a program is made anew from a short list of names: clang listens to many variables, and some make
// it load or write files (CCC_OVERRIDE_OPTIONS, CC_PRINT_OPTIONS_FILE, COMPILER_PATH, CLANG_MODULE_CACHE_PATH). A child
// gets a limit of memory (RLIMIT_DATA, which leaves out the code of its libraries) and writes no core file. When clang
// crashes, which `#pragma clang __debug crash` makes it do, it would start llvm-symbolizer and leave files in the
// folder for temporary ones; a variable of ours forbids that.
//
// The program is looked up before the child changes its directory, and the child gets only the absolute folders of PATH and LD_LIBRARY_PATH:
// `.` or an empty entry would name programs and libraries in the folder of a compile_commands.json.
#define _GNU_SOURCE
#include "front/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"

extern char **environ;

enum { POLL_MILLISECONDS = 20 };

// ---- what it is given ----------------------------------------------------------------------------------

static bool is_passed_on (const char *variable) {
  static const char *const names[] = {
      "PATH", "HOME",  "LANG",           "LANGUAGE",          "TERM",     "TMPDIR",          "TMP", "TEMP",
      "TZ",   "CPATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH", "NO_COLOR", "LD_LIBRARY_PATH", NULL};
  size_t length = strcspn (variable, "=");
  if (!strncmp (variable, "LC_", 3)) return true;
  for (unsigned i = 0; names[i]; i++)
    if (strlen (names[i]) == length && !strncmp (variable, names[i], length)) return true;
  return false;
}

typedef VEC (char *) environment;

// Of a list of folders, those that mean the same in each directory; the text shrinks in place.
static void keep_absolute (char *list) {
  char *end = list;
  for (const char *folder = list; *folder;) {
    size_t length = strcspn (folder, ":"), step = length + (folder[length] == ':');
    if (*folder == '/') {
      if (end > list) *end++ = ':';
      memmove (end, folder, length);
      end += length;
    }
    folder += step;
  }
  *end = 0;
}

// A copy of the variable, in `texts`, if it is a list of folders of code; else the variable itself.
static char *made_safe (arena *texts, char *variable) {
  static const char *const lists[] = {"PATH=", "LD_LIBRARY_PATH="};
  for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++) {
    size_t length = strlen (lists[i]);
    if (strncmp (variable, lists[i], length)) continue;
    char *copy = arena_strdup (texts, variable);
    keep_absolute (copy + length);
    return copy[length] ? copy : NULL;
  }
  return variable;
}

static void make_environment (arena *texts, environment *out) {
  for (char **v = environ; v && *v; v++) {
    char *variable = is_passed_on (*v) ? made_safe (texts, *v) : NULL;
    if (variable) vec_push (out, variable);
  }
  vec_push (out, arena_strdup (texts, "LLVM_DISABLE_SYMBOLIZATION=1"));
  vec_push (out, NULL);
}

bool child_find_program (const char *name, strbuf *path) {
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

// ---- in the child --------------------------------------------------------------------------------------

static void set_limit (__rlimit_resource_t what, size_t most) {
  struct rlimit limit;
  if (getrlimit (what, &limit)) return;
  if (limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max) limit.rlim_max = most;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (what, &limit);
}

// A sanitizer's own tables are far larger than any limit.
static void set_memory (const child_plan *p) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  if (!p->program) return;
#endif
  if (p->bytes) set_limit (RLIMIT_DATA, p->bytes);
}

static bool prepare (const child_plan *p) {
  static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++) signal (usual[i], SIG_DFL);
  setpgid (0, 0);
  set_limit (RLIMIT_CORE, 0);
  set_memory (p);
  int in = open ("/dev/null", O_RDONLY);
  if (in < 0 || dup2 (in, 0) < 0) return false;
  if (p->output >= 0 && dup2 (p->output, 1) < 0) return false;
  if (p->errors >= 0 && dup2 (p->errors, 2) < 0) return false;
  return !p->directory || !chdir (p->directory);
}

static _Noreturn void live (const child_plan *p, char *const *variables, int failed, pid_t parent) {
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent) _exit (1);
  if (prepare (p)) {
    if (!p->program) {
      int code = p->work (p->state);
      fflush (NULL);
      _exit (code);
    }
    execve (p->program, (char *const *) p->words, variables);
  }
  int error = errno;
  if (write (failed, &error, sizeof error) < 0) _exit (126);
  _exit (127);
}

// ---- in the parent -------------------------------------------------------------------------------------

int child_start (const child_plan *p, pid_t *child) {
  int ends[2], error = 0;
  if (pipe2 (ends, O_CLOEXEC)) return errno;
  arena *texts = arena_new ();
  environment variables = {0};
  make_environment (texts, &variables);
  fflush (NULL);
  pid_t parent = getpid ();
  *child = fork ();
  if (!*child) live (p, variables.data, ends[1], parent);
  if (*child < 0) error = errno;
  vec_release (&variables);
  arena_free (texts);
  close (ends[1]);
  // The pipe ends silently when the program has begun; a copy of this process keeps it open, and cannot fail to begin.
  if (!error && p->program) {
    ssize_t got;
    while ((got = read (ends[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    if (got != sizeof error) error = 0;
    else process_wait (*child, &(int){0});
  }
  close (ends[0]);
  return error;
}

static void wait_shortly (int handle) {
  struct pollfd ended = {.fd = handle, .events = POLLIN};
  if (handle >= 0) poll (&ended, 1, POLL_MILLISECONDS);
  else nanosleep (&(struct timespec){.tv_nsec = POLL_MILLISECONDS * 100 * 1000}, NULL);
}

void child_end (pid_t child) {
  kill (-child, SIGKILL);
  kill (child, SIGKILL);
  process_wait (child, &(int){0});
}

static bool has (const char *text, size_t size, const char *phrase) {
  return memmem (text, size, phrase, strlen (phrase)) != NULL;
}

// What programs print when an allocation fails. Lines of the source, which messages show, may say the same; but what
// speaks of the source begins with the name of a file, and the source's own lines with blanks or numbers.
static bool tells_of_no_memory (const char *line, size_t size) {
  static const char *const starts[] = {"LLVM ERROR: ",  "Allocation failed", "terminate called",
                                       "fatal error: ", "error: ",           "clang"};
  static const char *const phrases[] = {"out of memory", "bad_alloc", "Cannot allocate memory", "llocation failed"};
  bool good = false;
  for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++)
    good |= size >= strlen (starts[i]) && !memcmp (line, starts[i], strlen (starts[i]));
  for (unsigned i = 0; good && i < sizeof phrases / sizeof *phrases; i++)
    if (has (line, size, phrases[i])) return true;
  return false;
}

static bool tell_of_no_memory (const char *messages, size_t size) {
  for (const char *line = messages, *end = messages + size; line && line < end;) {
    const char *stop = memchr (line, '\n', (size_t) (end - line));
    if (!stop) stop = end;
    if (tells_of_no_memory (line, (size_t) (stop - line))) return true;
    line = stop + 1;
  }
  return false;
}

bool child_was_stopped (const char *name, int status, const char *messages, size_t size, const budget *b, strbuf *why) {
  int signal_number = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
  if (b && b->bytes && tell_of_no_memory (messages, size))
    strbuf_printf (why, "memory limit of %zu MB", b->bytes >> 20);
  else if (signal_number == SIGKILL) strbuf_printf (why, "%s was killed, perhaps for lack of memory", name);
  else if (signal_number == SIGXCPU) strbuf_printf (why, "%s was ended by the limit of processor time", name);
  return why->count;
}

const char *child_wait (pid_t child, const budget *b, int *status) {
  int handle = (int) syscall (SYS_pidfd_open, child, 0);
  const char *why = NULL;
  while (!process_has_ended (child, status)) {
    why = b ? budget_spent (b) : budget_interrupted () ? "interrupted" : NULL;
    if (why) {
      child_end (child);
      break;
    }
    wait_shortly (handle);
  }
  if (handle >= 0) close (handle);
  return why;
}
