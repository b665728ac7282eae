// Isolated child programs: their environment, and why they ended.
//
// The environment of a child is made from a short list of names, because clang reads many variables, and some make it
// load or write files (CCC_OVERRIDE_OPTIONS, CC_PRINT_OPTIONS_FILE, COMPILER_PATH, CLANG_MODULE_CACHE_PATH).  If clang
// crashes, which `#pragma clang __debug crash` makes it do, it would start llvm-symbolizer and leave files in the
// folder for temporary files; the variable LLVM_DISABLE_SYMBOLIZATION forbids that.
//
// The program is looked up before the child changes its directory, and the child gets only the absolute folders of
// PATH and LD_LIBRARY_PATH:  `.` or an empty entry would name programs and libraries in the folder of a
// compile_commands.json.
#define _GNU_SOURCE
#include "front/child.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

extern char **environ;

// ---- environment --------------------------------------------------------------------------------------

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

// Keeps the absolute folders of a list, which mean the same in each directory; the text shrinks in place.
static void keep_absolute_folders (char *list) {
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

// Returns a safe copy of the variable, in `texts`, if it lists folders of programs or libraries (NULL: none remain);
// else the variable itself.
static char *safe_variable (arena *texts, char *variable) {
  static const char *const lists[] = {"PATH=", "LD_LIBRARY_PATH="};
  for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++) {
    size_t length = strlen (lists[i]);
    if (strncmp (variable, lists[i], length)) continue;
    char *copy = arena_strdup (texts, variable);
    keep_absolute_folders (copy + length);
    return copy[length] ? copy : NULL;
  }
  return variable;
}

static void make_environment (arena *texts, environment *out) {
  for (char **v = environ; v && *v; v++) {
    char *variable = is_passed_on (*v) ? safe_variable (texts, *v) : NULL;
    if (variable) vec_push (out, variable);
  }
  vec_push (out, arena_strdup (texts, "LLVM_DISABLE_SYMBOLIZATION=1"));
  vec_push (out, NULL);
}

int child_start_program (const process_plan *plan, process **out) {
  arena *texts = arena_new ();
  environment variables = {0};
  process_plan harmless = *plan;
  make_environment (texts, &variables);
  harmless.variables = variables.data;
  int error = process_start (&harmless, out);
  vec_release (&variables);
  arena_free (texts);
  return error;
}

// ---- end ----------------------------------------------------------------------------------------------
static bool contains_phrase (const char *text, size_t size, const char *phrase) {
  return memmem (text, size, phrase, strlen (phrase)) != NULL;
}

// True for a line that a program prints when an allocation fails.  Messages also quote lines of the source, which may
// contain the same phrase; but a message about the source begins with the name of a file, and a quoted line with blanks
// or a number.
static bool is_line_about_memory (const char *line, size_t size) {
  static const char *const starts[] = {"LLVM ERROR: ",  "Allocation failed", "terminate called",
                                       "fatal error: ", "error: ",           "clang"};
  static const char *const phrases[] = {"out of memory", "bad_alloc", "Cannot allocate memory", "llocation failed"};
  bool good = false;
  for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++)
    good |= size >= strlen (starts[i]) && !memcmp (line, starts[i], strlen (starts[i]));
  for (unsigned i = 0; good && i < sizeof phrases / sizeof *phrases; i++)
    if (contains_phrase (line, size, phrases[i])) return true;
  return false;
}

static bool are_about_memory (const char *messages, size_t size) {
  for (const char *line = messages, *end = messages + size; line && line < end;) {
    const char *stop = memchr (line, '\n', (size_t) (end - line));
    if (!stop) stop = end;
    if (is_line_about_memory (line, (size_t) (stop - line))) return true;
    line = stop + 1;
  }
  return false;
}

bool child_was_stopped (const char *name, const process *p, const char *messages, size_t size, const budget *b,
                        strbuf *why) {
  int signal_number = process_fate_of (p) == PROCESS_SIGNALLED ? process_code (p) : 0;
  bool is_limited = b && b->bytes, exhausted = process_fate_of (p) == PROCESS_OUT_OF_MEMORY;
  if (is_limited && (exhausted || are_about_memory (messages, size)))
    strbuf_printf (why, "memory limit of %zu MB", b->bytes >> 20);
  else if (exhausted) strbuf_add (why, "out of memory");
  else if (signal_number == SIGKILL) strbuf_printf (why, "%s was killed, perhaps for lack of memory", name);
  else if (signal_number == SIGXCPU) strbuf_printf (why, "%s was ended by the limit of processor time", name);
  return why->count;
}

bool child_has_succeeded (const process *p) { return process_fate_of (p) == PROCESS_EXITED && !process_code (p); }
