// Makes from the options what the commands need: the program, the semantics, the budget, the style of reports.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/hash.h"
#include "boolean/bp_program.h"
#include "front/front.h"
#include "main/main_impl.h"

// ---- Boolean programs ----------------------------------------------------------------------------------

static bool is_boolean (const options *o) {
  for (uint32_t i = 0; i < o->files.count; i++)
    if (bp_is_file (o->files.data[i])) return true;
  return false;
}

const char *load_language (const options *o) { return is_boolean (o) ? "Boolean program" : "C"; }

enum { USUAL_PROPERTIES = 1 << IR_P_ASSERT | 1 << IR_P_RACE | 1 << IR_P_DEADLOCK | 1 << IR_P_LOCKS | 1 << IR_P_MEMORY };

// Returns the requested properties.  For a Boolean program the default properties are assertions only: it has no races
// on variables, no locks and no memory.  (`replay` has read the default properties from a report, as if they had been
// given.)
static uint32_t load_properties (const options *o) {
  uint32_t properties = (uint32_t) o->value[OPT_PROPERTY].number;
  if (o->value[OPT_REACH_PAIR].text) return 1u << IR_P_RACE;
  return is_boolean (o) && properties == USUAL_PROPERTIES ? 1u << IR_P_ASSERT : properties;
}

// Checks that no option is given that has no meaning for Boolean programs.  False after diag_error.
static bool boolean_fits (const options *o) {
  const char *why = NULL;
  if (o->files.count > 1 || o->value[OPT_BUILD_DIR].text) why = "a Boolean program is one file, and there are others";
  else if (load_properties (o) >> IR_P_DEADLOCK & 1)
    why = "--property=deadlock: a Boolean program has no deadlocks; where an assume never holds, the execution ends";
  else if (load_properties (o) >> IR_P_UNINIT & 1)
    why = "--property=uninit: a Boolean program has no values that were never written";
  else if (strcmp (o->value[OPT_ENTRY].text, "main")) why = "--entry: a Boolean program starts in its procedure `main`";
  else if (o->value[OPT_ARGS].text) why = "--args: a Boolean program has no arguments";
  if (why) diag_error (NULL, 0, 0, "%s", why);
  return !why;
}

static ir_program *load_boolean (const options *o, const front_options *front, bp_program **boolean) {
  bp_program *source = boolean_fits (o) ? bp_load (o->files.data[0]) : NULL;
  ir_program *program = source ? bp_lower (source) : NULL;
  if (source && boolean) *boolean = source;
  else if (source) bp_program_free (source);
  if (!program || front_finish (program, front)) return program;
  ir_program_free (program);
  return NULL;
}

// ---- programs ------------------------------------------------------------------------------------------

// Checks that --args is used only if the program starts in `main`.  False after diag_error.
static bool args_fit (const options *o) {
  const char *entry = o->value[OPT_ENTRY].text;
  if (!o->value[OPT_ARGS].text || is_boolean (o) || !strcmp (entry, "main")) return true;
  diag_error (NULL, 0, 0, "--args are the arguments of `main`, but the program starts in `%s`", entry);
  return false;
}

ir_program *load_program (const options *o, load_limits *limits) { return load_program_from (o, limits, NULL); }

ir_program *load_program_from (const options *o, load_limits *limits, bp_program **boolean) {
  const char *build_dir = o->value[OPT_BUILD_DIR].text;
  if (!o->files.count && !build_dir) {
    diag_error (NULL, 0, 0, "no input file");
    return NULL;
  }
  if (!args_fit (o)) return NULL;
  front_options front = {
      .build_dir = build_dir,
      .clang_flags_are_saved = o->clang_flags_are_saved,
      .trust_flags = o->value[OPT_TRUST_FLAGS].number != 0,
      .entry = o->value[OPT_ENTRY].text,
      .ilp32 = o->value[OPT_DATA_MODEL].number == DATA_MODEL_ILP32,
      .may_fail = o->value[OPT_MAY_FAIL].number != 0,
      .check_overflow = o->value[OPT_PROPERTY].number >> IR_P_OVERFLOW & 1,
      .check_leak = o->value[OPT_PROPERTY].number >> IR_P_LEAK & 1,
      .check_uninit = o->value[OPT_PROPERTY].number >> IR_P_UNINIT & 1,
      .error_label = o->value[OPT_ERROR_LABEL].text,
      .pair = o->value[OPT_REACH_PAIR].text,
      .keep_models = true,
      .budget = limits ? limits->budget : NULL,
      .stopped = limits ? &limits->stopped : NULL,
  };
  word_list args = {0};
  if (o->value[OPT_ARGS].text) {
    CHECK (words_split (o->arena, o->value[OPT_ARGS].text, &args), "--args should have been checked when it was read");
    front.args = &args;
  }
  for (uint32_t i = 0; i < o->files.count; i++) vec_push (&front.files, o->files.data[i]);
  for (uint32_t i = 0; i < o->clang_flags.count; i++) vec_push (&front.clang_flags, o->clang_flags.data[i]);
  ir_program *program = is_boolean (o) ? load_boolean (o, &front, boolean) : front_load (&front);
  vec_release (&front.files);
  vec_release (&front.clang_flags);
  vec_release (&args);
  return program;
}

bool load_report_stop (load_limits *l) {
  bool stopped = l->stopped.count;
  if (stopped) printf ("VERDICT: UNKNOWN (%s)\n", strbuf_text (&l->stopped));
  strbuf_release (&l->stopped);
  return stopped;
}

semantics load_semantics (const options *o) {
  return (semantics){
      .properties = load_properties (o),
      .spurious_wakeups = o->value[OPT_SPURIOUS_WAKEUPS].number != 0,
      .may_fail = o->value[OPT_MAY_FAIL].number != 0,
      .all_leaks = o->value[OPT_LEAKS].number == LEAKS_ALL,
      .max_threads = (uint32_t) o->value[OPT_MAX_THREADS].number,
  };
}

uint64_t load_hash (const ir_program *program) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  CHECK (f, "a stream in memory should open");
  ir_print (program, f);
  fclose (f);
  uint64_t hash = hash_bytes (text, size, 0);
  free (text);
  return hash;
}

// Returns the memory of the machine, or of the container in which lockstep runs; 0: unknown.
static size_t machine_memory (void) {
  long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  size_t bytes = pages > 0 && page > 0 ? (size_t) pages * (size_t) page : 0;
  FILE *f = fopen ("/sys/fs/cgroup/memory.max", "r");
  unsigned long long group = 0;
  if (f) {
    if (fscanf (f, "%llu", &group) == 1 && group && (!bytes || group < bytes)) bytes = group;
    fclose (f);
  }
  return bytes;
}

void load_budget (const options *o, double start, budget *b) {
  size_t bytes = o->value[OPT_MEMORY].number, machine = machine_memory ();
  if (!o->value[OPT_MEMORY].given && machine && bytes > machine / 4 * 3) bytes = machine / 4 * 3;
  budget_start (b, (double) o->value[OPT_TIMEOUT].number / 1000, bytes);
  b->start = start;
}

report_style load_style (const options *o, FILE *stream) {
  const char *no_color = getenv ("NO_COLOR"), *terminal = getenv ("TERM");
  bool is_terminal = isatty (fileno (stream));
  struct winsize size = {0};
  if (is_terminal && ioctl (fileno (stream), TIOCGWINSZ, &size)) size.ws_col = 0;
  return (report_style){
      .color = is_terminal && !o->value[OPT_NO_COLOR].number && !(no_color && *no_color) &&
               !(terminal && !strcmp (terminal, "dumb")),
      .full_trace = o->value[OPT_FULL_TRACE].number != 0,
      .stats = o->value[OPT_STATS].number != 0,
      .explain = o->value[OPT_EXPLAIN].number != 0,
      .lock_report = o->value[OPT_LOCK_REPORT].number != 0,
      .quiet = o->value[OPT_QUIET].number != 0,
      .all_limits = o->value[OPT_VERBOSE].number != 0,
      .columns = size.ws_col,
  };
}

bool stdout_finish (void) {
  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout)) return true;
  diag_error (NULL, 0, 0, "cannot write to standard output: %s", errno ? strerror (errno) : "write error");
  return false;
}
