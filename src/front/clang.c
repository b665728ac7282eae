// Compiles C to bitcode in a clang child.
//
// The child is started without a shell and writes to files that have no name (memfd), so no file remains, even if the
// child or lockstep is killed.  lockstep's flags come after the user's: the translation relies on the optimisation
// level, the debug information and the output; all other flags are the user's choice.  -O1 with the passes disabled
// gives lifetime markers and no optimisation; see DESIGN.md, section 3.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/diag.h"
#include "base/text.h"
#include "front/child.h"
#include "front/driver_impl.h"

#ifndef LOCKSTEP_CLANG
#define LOCKSTEP_CLANG "clang-19"
#endif

// ---- flags ---------------------------------------------------------------------------------------------

// Returns the number of words of the flag at `word` if the flag is about outputs, else 0.
static unsigned output_flag_words (const char *word) {
  // clang-format off
  static const char *const alone[] = {
    "-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-MV", "-emit-llvm",
    "-fsyntax-only", "-###", "--", NULL};
  static const char *const paired[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-dumpbase", "-dumpdir", "-auxbase", "-dependency-file",
    "--serialize-diagnostics", NULL};
  static const char *const joined[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-save-temps", "--save-temps", "-Wp,-M", "-ffile-prefix-map=",
    "-fdebug-prefix-map=", "-fdiagnostics-color", NULL};
  // clang-format on
  if (text_is_one_of (word, alone)) return 1;
  if (text_is_one_of (word, paired)) return 2;
  return text_starts_with_one_of (word, joined);
}

void clang_drop_output_flags (word_list *flags) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < flags->count;) {
    unsigned drop = output_flag_words (flags->data[i]);
    if (!drop) flags->data[kept++] = flags->data[i];
    i += drop ? drop : 1;
  }
  flags->count = kept;
}

void clang_add_flags (word_list *flags, const front_options *options, flags_left_out *left_out) {
  word_list given = {0};
  for (uint32_t i = 0; i < options->clang_flags.count; i++) vec_push (&given, options->clang_flags.data[i]);
  if (options->clang_flags_are_saved && !options->trust_flags) flags_keep_harmless (&given, left_out);
  for (uint32_t i = 0; i < given.count; i++) vec_push (flags, given.data[i]);
  vec_release (&given);
  clang_drop_output_flags (flags);
}

// Finds the folder of lockstep.h: beside the program (source tree, or PREFIX/include/lockstep), else the one that the
// build has set.
static bool find_include_dir (char path[PATH_MAX]) {
  static const char *const places[] = {"../include/lockstep", "../include"};
  char program[PATH_MAX];
  ssize_t length = readlink ("/proc/self/exe", program, sizeof program - 1);
  char *slash = NULL;
  if (length > 0) {
    program[length] = 0;
    slash = strrchr (program, '/');
  }
  for (unsigned i = 0; slash && i < sizeof places / sizeof *places; i++) {
    int written = snprintf (path, PATH_MAX, "%.*s/%s/lockstep.h", (int) (slash - program), program, places[i]);
    if (written >= PATH_MAX || access (path, R_OK)) continue;
    *strrchr (path, '/') = 0;
    return true;
  }
#ifdef LOCKSTEP_INCLUDE_DIR
  snprintf (path, PATH_MAX, "%s", LOCKSTEP_INCLUDE_DIR);
  return !access (path, R_OK);
#else
  return false;
#endif
}

static void add_words (word_list *out, const char *const *words) {
  for (; *words; words++) vec_push (out, *words);
}

// clang computes INT_MAX + 1 itself; the bitcode does not show that it overflows, but this warning does.
static const char overflow_warning[] = "-Winteger-overflow";

// Appends the child's command line.  Its words are flags of the source, constants, `include_dir`, or `name`.  clang
// replaces a word that begins with @ by the contents of a file, also after `--`.
static void command_line (const translation_unit *s, const front_options *options, const char *include_dir,
                          strbuf *name, word_list *out) {
  // clang-format off
  static const char *const ours[] = {
    "-O1", "-Xclang", "-disable-llvm-passes", "-g", "-fno-discard-value-names", "-fno-delete-null-pointer-checks",
    "-fno-lto", "-fno-sanitize=all", "-U_FORTIFY_SOURCE", "-Qunused-arguments", "-Wno-unknown-warning-option",
    "-Wno-error", "-Wno-error=implicit-function-declaration", "-Wno-error=int-conversion", "-Wno-error=implicit-int",
    "-Wno-error=incompatible-function-pointer-types", "-fintegrated-cc1", "-fno-crash-diagnostics", "-emit-llvm",
    "-c", "-o", "-", NULL};
  // clang-format on
  vec_push (out, LOCKSTEP_CLANG);
  vec_push (out, "--no-default-config");
  // For the first -include clang prefers x.h.pch and x.h.gch, binary files whose contents may differ from x.h.  So the
  // first -include is ours.
  add_words (out, (const char *const[]){"-include", "/dev/null", NULL});
  for (uint32_t i = 0; i < s->flags.count; i++)
    if (!options->check_overflow || strcmp (s->flags.data[i], "-w")) vec_push (out, s->flags.data[i]);
  if (options->ilp32) vec_push (out, "-m32");
  if (include_dir) {
    vec_push (out, "-I");
    vec_push (out, include_dir);
  }
  if (diag_verbosity () < 1) vec_push (out, options->check_overflow ? "-Wno-everything" : "-w");
  if (options->check_overflow)
    add_words (out, (const char *const[]){overflow_warning, "-Wno-error=integer-overflow", NULL});
  add_words (out, ours);
  if (s->kind == SOURCE_PREPROCESSED) add_words (out, (const char *const[]){"-x", "cpp-output", NULL});
  vec_push (out, "--");
  strbuf_printf (name, "%s%s", s->file[0] == '@' ? "./" : "", s->file);
  vec_push (out, strbuf_text (name));
  vec_push (out, NULL);
}

// ---- the child -----------------------------------------------------------------------------------------

static void close_compiler_files (translation_unit *s) {
  if (s->output >= 0) close (s->output);
  if (s->errors >= 0) close (s->errors);
  s->output = s->errors = -1;
}

// Memory that clang needs in any case, whatever --memory says.
enum { LEAST_MEMORY = 96 << 20 };

static size_t compiler_memory (const front_options *options) {
  size_t bytes = options->budget ? options->budget->bytes : 0;
  return bytes && bytes < LEAST_MEMORY ? LEAST_MEMORY : bytes;
}

static int spawn_compiler (translation_unit *s, const front_options *options, const word_list *words) {
  strbuf program = {0};
  int error = ENOENT;
  if (process_find_program (LOCKSTEP_CLANG, &program))
    error = child_start_program (&(process_plan){.program = strbuf_text (&program),
                                                 .words = words->data,
                                                 .directory = s->directory,
                                                 .output = s->output,
                                                 .errors = s->errors,
                                                 .bytes = compiler_memory (options)},
                                 &s->child);
  strbuf_release (&program);
  return error;
}

static bool start_compiler (translation_unit *s, const front_options *options, const char *include_dir) {
  s->output = memfd_create ("lockstep-bitcode", MFD_CLOEXEC);
  s->errors = memfd_create ("lockstep-messages", MFD_CLOEXEC);
  int error = s->output < 0 || s->errors < 0 ? errno : 0;
  if (error) diag_error (s->file, 0, 0, "no place for the compiler's output: %s", strerror (error));
  else {
    word_list words = {0};
    strbuf name = {0};
    command_line (s, options, include_dir, &name, &words);
    error = spawn_compiler (s, options, &words);
    vec_release (&words);
    strbuf_release (&name);
    if (error == ENOENT && s->directory && access (s->directory, X_OK))
      diag_error (s->file, 0, 0, "cannot enter the directory `%s`: %s", s->directory, strerror (errno));
    else if (error == ENOENT)
      diag_error (NULL, 0, 0, "cannot find `%s`, which reads C for lockstep: install the package clang-19",
                  LOCKSTEP_CLANG);
    else if (error) diag_error (NULL, 0, 0, "cannot run `%s`: %s", LOCKSTEP_CLANG, strerror (error));
  }
  if (error) close_compiler_files (s);
  return !error;
}

char *clang_map_file (int file, size_t *size) {
  struct stat status;
  *size = 0;
  if (fstat (file, &status) || status.st_size <= 0) return NULL;
  void *bytes = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return NULL;
  *size = (size_t) status.st_size;
  return bytes;
}

// Drops the flags that clang does not know, according to its messages; returns false if there are none.
static bool drop_refused_flags (translation_unit *s, const char *messages, size_t size) {
  static const char *const phrases[] = {"error: unknown argument", "error: unsupported option"};
  bool dropped = false;
  char *text = strndup (messages ? messages : "", size);
  for (char *line = text ? strtok (text, "\n") : NULL; line; line = strtok (NULL, "\n")) {
    char *quoted = NULL;
    for (unsigned i = 0; i < 2 && !quoted; i++)
      if (strstr (line, phrases[i])) quoted = strchr (strstr (line, phrases[i]), '\'');
    char *end = quoted ? strchr (quoted + 1, '\'') : NULL;
    if (!end) continue;
    *end = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->flags.count; i++)
      if (strcmp (s->flags.data[i], quoted + 1)) s->flags.data[kept++] = s->flags.data[i];
    dropped |= kept < s->flags.count;
    s->flags.count = kept;
  }
  free (text);
  return dropped;
}

// FILE:LINE:COLUMN: warning: overflow in expression; ... [-Winteger-overflow]
static void record_overflows (translation_unit *s, const char *messages, size_t size) {
  char *text = strndup (messages ? messages : "", size);
  for (char *line = text ? strtok (text, "\n") : NULL; line; line = strtok (NULL, "\n")) {
    char *end = strstr (line, ": warning: ");
    if (!end || !strstr (end, overflow_warning)) continue;
    *end = 0;
    char *column = strrchr (line, ':');
    if (column) *column = 0;
    vec_push (&s->overflows, strdup (line));
  }
  free (text);
}

void clang_pass_on (const char *messages, size_t size) {
  if (!size) return;
  fwrite (messages, 1, size, stderr);
  fflush (stderr);
}

// Reports why clang ended without bitcode.
static void report_compiling_failure (const translation_unit *s, const front_options *options, const process *clang,
                                      strbuf *stopped) {
  if (stopped->count) {
    const char *why = strbuf_text (stopped);
    bool no_memory = !strncmp (why, "memory limit", strlen ("memory limit"));
    front_stop (options, why);
    if (no_memory) diag_error (s->file, 0, 0, "%s needs more than the %s", LOCKSTEP_CLANG, why);
    else diag_error (s->file, 0, 0, "%s", why);
  } else if (process_fate_of (clang) == PROCESS_SIGNALLED)
    diag_error (s->file, 0, 0, "%s was ended by signal %d", LOCKSTEP_CLANG, process_code (clang));
  else if (!child_has_succeeded (clang)) diag_error (s->file, 0, 0, "%s could not compile this file", LOCKSTEP_CLANG);
  else diag_error (s->file, 0, 0, "%s wrote no bitcode", LOCKSTEP_CLANG);
}

// Waits for the child and stores its result.  Runs the child again without the flags that it refused, if that may help.
static bool finish_compiler (translation_unit *s, const front_options *options, const char *include_dir) {
  for (;;) {
    process *clang = s->child;
    const char *spent = process_wait (clang, options->budget);
    s->child = NULL;
    size_t size;
    char *messages = clang_map_file (s->errors, &size);
    bool is_good = child_has_succeeded (clang);
    strbuf stopped = {0};
    if (!spent && !is_good) child_was_stopped (LOCKSTEP_CLANG, clang, messages, size, options->budget, &stopped);
    bool again = !spent && !is_good && s->is_lenient && drop_refused_flags (s, messages, size);
    if (!spent && !again && !stopped.count && (!is_good || diag_verbosity () > 0)) clang_pass_on (messages, size);
    if (is_good && !spent && options->check_overflow) record_overflows (s, messages, size);
    if (messages) munmap (messages, size);
    if (is_good && !spent) s->bitcode = clang_map_file (s->output, &s->bitcode_size);
    close_compiler_files (s);
    if (spent) {
      front_stop (options, spent);
      diag_error (s->file, 0, 0, "%s while compiling", spent);
    } else if (!again && !s->bitcode) report_compiling_failure (s, options, clang, &stopped);
    strbuf_release (&stopped);
    process_free (clang);
    if (!again) return s->bitcode;
    if (!start_compiler (s, options, include_dir)) return false;
  }
}

// Ends the children that are still running when the budget is spent.
static void end_compilers (source_list *sources) {
  for (uint32_t i = 0; i < sources->count; i++) {
    translation_unit *s = &sources->data[i];
    if (!s->child) continue;
    process_free (s->child);
    s->child = NULL;
    close_compiler_files (s);
  }
}

bool clang_compile (source_list *sources, const front_options *options) {
  char path[PATH_MAX];
  const char *include_dir = find_include_dir (path) ? path : NULL;
  long processors = sysconf (_SC_NPROCESSORS_ONLN);
  uint32_t limit = processors > 0 ? (uint32_t) processors : 1, running = 0, next = 0;
  bool good = true;
  // Children are started and waited for in the order of the files: messages come in that order, too.
  for (uint32_t oldest = 0; oldest < sources->count; oldest++) {
    for (; good && running < limit && next < sources->count; next++) {
      translation_unit *s = &sources->data[next];
      if (s->kind != SOURCE_C && s->kind != SOURCE_PREPROCESSED) continue;
      if (start_compiler (s, options, include_dir)) running++;
      else good = false;
    }
    if (!sources->data[oldest].child) continue;
    if (!finish_compiler (&sources->data[oldest], options, include_dir)) good = false;
    running--;
    if (!good && options->budget && budget_spent (options->budget)) break;
  }
  end_compilers (sources);
  return good;
}

// ---- sources -------------------------------------------------------------------------------------------

source_kind source_kind_of (const char *file) {
  const char *dot = strrchr (file, '.');
  if (!dot || strchr (dot, '/')) return SOURCE_OTHER;
  if (!strcmp (dot, ".c")) return SOURCE_C;
  if (!strcmp (dot, ".i")) return SOURCE_PREPROCESSED;
  if (!strcmp (dot, ".ll")) return SOURCE_ASSEMBLY;
  if (!strcmp (dot, ".bc")) return SOURCE_BITCODE;
  return SOURCE_OTHER;
}

bool source_is_readable (const char *file) {
  struct stat status;
  // Do not open the file: opening a pipe waits for a writer.  The child opens it.
  int error = stat (file, &status) || access (file, R_OK) ? errno : S_ISDIR (status.st_mode) ? EISDIR : 0;
  if (error) diag_error (NULL, 0, 0, "cannot open `%s`: %s", file, strerror (error));
  return !error;
}

void source_list_release (source_list *sources) {
  for (uint32_t i = 0; i < sources->count; i++) {
    translation_unit *s = &sources->data[i];
    if (s->bitcode) munmap (s->bitcode, s->bitcode_size);
    vec_release (&s->flags);
    for (uint32_t k = 0; k < s->overflows.count; k++) free ((char *) s->overflows.data[k]);
    vec_release (&s->overflows);
  }
  vec_release (sources);
}
