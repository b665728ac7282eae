// Reads LLVM input that is not trusted in a child process first.
//
// LLVM's readers of bitcode and assembly expect files that LLVM wrote: of 300 damaged files 24 crashed them.  A child,
// forked before this process has called LLVM, reads and verifies each file.  If the child crashes, the file is bad.
// The child writes a file of the user again as clean bitcode, and this process reads only that; of clang's output the
// child only checks that it can be read.
#define _GNU_SOURCE
#include "front/child.h"
#include "front/driver_impl.h"

#include <errno.h>
#include <llvm-c/BitWriter.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"

enum { LEAST_MEMORY = 96 << 20 };

typedef struct source_check {
  translation_unit *source;
  process *child;  // NULL: not running
  int clean;       // file for the child's clean bitcode; -1: none
  int errors;      // file for its messages and for those of LLVM's fatal errors; -1: none
} source_check;
typedef VEC (source_check) source_check_list;

// ---- in the child -------------------------------------------------------------------------------------

static int read_and_verify (void *state, int pipe) {
  (void) pipe;  // the exit code is the result
  source_check *r = state;
  llvm_messages messages = {0};
  LLVMContextRef context = LLVMContextCreate ();
  module_catch_messages (context, &messages);
  LLVMModuleRef module = module_read (context, r->source, &messages);
  if (!module || (r->source->bitcode && !module_is_valid (module, r->source->file))) _exit (EXIT_USAGE);
  if (r->clean >= 0 && LLVMWriteBitcodeToFD (module, r->clean, 0, 0)) {
    diag_error (r->source->file, 0, 0, "there is no room for its bitcode");
    _exit (EXIT_USAGE);
  }
  _exit (0);  // without freeing memory
}

// ---- in the parent ------------------------------------------------------------------------------------

static bool start_reader (source_check *r, const front_options *options) {
  size_t bytes = options->budget ? options->budget->bytes : 0;
  if (!r->source->bitcode) r->clean = memfd_create ("lockstep-clean-bitcode", MFD_CLOEXEC);
  if (bytes && bytes < LEAST_MEMORY) bytes = LEAST_MEMORY;
  int error = !r->source->bitcode && r->clean < 0 ? errno : 0;
  r->errors = memfd_create ("lockstep-messages", MFD_CLOEXEC);
  if (!error)
    error = process_start (&(process_plan){.work = read_and_verify,
                                           .state = r,
                                           .is_isolated = true,
                                           .errors = r->errors > 0 ? r->errors : 0,
                                           .bytes = bytes},
                           &r->child);
  if (error) diag_error (r->source->file, 0, 0, "no process can be started to read it: %s", strerror (error));
  return !error;
}

static void report_crash (const translation_unit *s, int signal_number) {
  if (s->bitcode)
    diag_error (s->file, 0, 0, "cannot read what clang wrote: LLVM's reader crashed (signal %d)", signal_number);
  else
    diag_error (s->file, 0, 0, "not valid LLVM %s: LLVM's reader crashed (signal %d)",
                s->kind == SOURCE_ASSEMBLY ? "assembly" : "bitcode", signal_number);
}

static bool map_clean_bitcode (source_check *r) {
  translation_unit *s = r->source;
  struct stat info;
  if (r->clean < 0) return true;
  void *bytes = fstat (r->clean, &info) || info.st_size <= 0
                    ? MAP_FAILED
                    : mmap (NULL, (size_t) info.st_size, PROT_READ, MAP_PRIVATE, r->clean, 0);
  if (bytes == MAP_FAILED) {
    diag_error (s->file, 0, 0, "it could not be read");
    return false;
  }
  s->bitcode = bytes;
  s->bitcode_size = (size_t) info.st_size;
  return true;
}

// Reports why the child failed.  If memory is exhausted, LLVM ends the process in one of several ways; all of them
// print a line about memory.
static void report_reading_failure (const source_check *r, const front_options *options) {
  strbuf why = {0};
  size_t size = 0;
  char *messages = r->errors >= 0 ? clang_map_file (r->errors, &size) : NULL;
  if (child_was_stopped ("the process that reads it", r->child, messages, size, options->budget, &why)) {
    front_stop (options, strbuf_text (&why));
    diag_error (r->source->file, 0, 0, "%s while reading", strbuf_text (&why));
  } else {
    clang_pass_on (messages, size);
    if (process_fate_of (r->child) == PROCESS_SIGNALLED) report_crash (r->source, process_code (r->child));
    else if (process_code (r->child) > EXIT_USAGE) diag_error (r->source->file, 0, 0, "it could not be read");
  }
  if (messages) munmap (messages, size);
  strbuf_release (&why);
}

static void close_reader_files (source_check *r) {
  if (r->clean >= 0) close (r->clean);
  if (r->errors >= 0) close (r->errors);
  r->clean = r->errors = -1;
}

static bool finish_reader (source_check *r, const front_options *options) {
  const char *spent = process_wait (r->child, options->budget);
  bool good = !spent && child_has_succeeded (r->child);
  if (spent) {
    front_stop (options, spent);
    diag_error (r->source->file, 0, 0, "%s while reading", spent);
  } else if (!good) report_reading_failure (r, options);
  process_free (r->child);
  r->child = NULL;
  if (good) good = map_clean_bitcode (r);
  close_reader_files (r);
  return good;
}

static void end_readers (source_check_list *all) {
  for (uint32_t i = 0; i < all->count; i++) {
    source_check *r = &all->data[i];
    process_free (r->child);
    close_reader_files (r);
  }
  vec_release (all);
}

bool reader_check (source_list *sources, const front_options *options) {
  long processors = sysconf (_SC_NPROCESSORS_ONLN);
  uint32_t limit = processors > 0 ? (uint32_t) processors : 1, running = 0, next = 0;
  source_check_list all = {0};
  bool good = true;
  for (uint32_t i = 0; i < sources->count; i++)
    vec_push (&all, ((source_check){.source = &sources->data[i], .clean = -1, .errors = -1}));
  // As for clang, children are started and waited for in the order of the files, so messages come in that order, too.
  for (uint32_t oldest = 0; oldest < all.count; oldest++) {
    for (; good && running < limit && next < all.count; next++, running++)
      if (!(good = start_reader (&all.data[next], options))) break;
    if (!all.data[oldest].child) break;
    if (!finish_reader (&all.data[oldest], options)) good = false;
    running--;
    if (!good && options->budget && budget_spent (options->budget)) break;
  }
  end_readers (&all);
  return good;
}
