// The front end's driver: from the files that the user names to a checked program.
//
// clang children compile the files in parallel.  The modules are read into one LLVM context, linked in the order of the
// files, completed by the library models, and translated.
#include "front/driver_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

void front_stop (const front_options *options, const char *why) {
  if (options->stopped && !options->stopped->count) strbuf_add (options->stopped, why);
}

// ---- sources -------------------------------------------------------------------------------------------

static bool add_file (source_list *sources, const char *file, const front_options *options, flags_left_out *left_out) {
  translation_unit s = {.file = file, .kind = source_kind_of (file), .output = -1, .errors = -1};
  if (s.kind == SOURCE_OTHER) {
    diag_error (NULL, 0, 0, "do not know what to do with `%s`: the name should end in .c, .i, .ll, .bc or .bp", file);
    return false;
  }
  if (!source_is_readable (file)) return false;
  clang_add_flags (&s.flags, options, left_out);
  vec_push (sources, s);
  return true;
}

static bool find_sources (source_list *sources, compile_database *database, const front_options *options) {
  bool good = true;
  flags_left_out left_out = {0};
  if (options->build_dir) {
    good = compdb_read (database, options->build_dir) && compdb_sources (database, options, &left_out, sources);
    // Bitcode and assembly need no flags of the database.
    for (uint32_t i = 0; i < options->files.count && good; i++) {
      source_kind kind = source_kind_of (options->files.data[i]);
      if (kind != SOURCE_C && kind != SOURCE_PREPROCESSED)
        good = add_file (sources, options->files.data[i], options, &left_out);
    }
  } else {
    for (uint32_t i = 0; i < options->files.count; i++)
      good &= add_file (sources, options->files.data[i], options, &left_out);
  }
  flags_report_left_out (&left_out);
  if (good && !sources->count) {
    diag_error (NULL, 0, 0, "no input files");
    good = false;
  }
  return good;
}

// ---- modules -------------------------------------------------------------------------------------------

// Checks that one file defines the entry function.  A build directory may hold many programs; then the user has to
// choose.
static bool entry_is_unique (LLVMModuleRef *modules, const source_list *sources, const front_options *options) {
  const char *entry = options->entry ? options->entry : "main";
  strbuf files = {0};
  uint32_t count = 0;
  for (uint32_t i = 0; i < sources->count; i++) {
    if (!module_defines (modules[i], entry)) continue;
    strbuf_printf (&files, "%s`%s`", count ? ", " : "", sources->data[i].file);
    count++;
  }
  if (!count)
    diag_error (NULL, 0, 0, "no file defines the function `%s`%s", entry,
                options->entry ? "" : "; --entry names another one");
  else if (count > 1)
    diag_error (NULL, 0, 0, "%u files define `%s`: %s; name the FILES of one program", count, entry,
                strbuf_text (&files));
  strbuf_release (&files);
  return count == 1;
}

static bool link_modules (LLVMModuleRef *modules, const source_list *sources, llvm_messages *messages) {
  const char *layout = LLVMGetDataLayoutStr (modules[0]);
  bool good = true;
  for (uint32_t i = 1; i < sources->count && good; i++) {
    // Hand-written assembly may have no data layout; then it gets that of the other files.
    if (!layout[0]) LLVMSetDataLayout (modules[0], LLVMGetDataLayoutStr (modules[i]));
    else if (!LLVMGetDataLayoutStr (modules[i])[0]) LLVMSetDataLayout (modules[i], layout);
    layout = LLVMGetDataLayoutStr (modules[0]);
    good = module_link (modules[0], modules[i], sources->data[i].file, messages);
    modules[i] = NULL;
  }
  return good && models_link (modules[0], sources->data[0].file, messages);
}

// Returns one module of all sources, or NULL after diag_error.
static LLVMModuleRef load_module (LLVMContextRef context, const source_list *sources, const front_options *options,
                                  llvm_messages *messages) {
  LLVMModuleRef *modules = mem_zalloc (sources->count * sizeof *modules);
  bool good = true;
  for (uint32_t i = 0; i < sources->count; i++) {
    modules[i] = module_read (context, &sources->data[i], messages);
    good &= modules[i] != NULL;
  }
  good = good && entry_is_unique (modules, sources, options) && link_modules (modules, sources, messages);
  LLVMModuleRef result = good ? modules[0] : NULL;
  for (uint32_t i = good ? 1 : 0; i < sources->count; i++)
    if (modules[i]) LLVMDisposeModule (modules[i]);
  mem_free (modules, sources->count * sizeof *modules);
  return result;
}

// ---- the program ---------------------------------------------------------------------------------------

static void check_wellformed (const ir_program *program, const char *after) {
  char *error = NULL;
  if (!ir_check (program, &error)) BUG ("the program should be well-formed after %s: %s", after, error);
}

static bool add_reach_pair (ir_program *program, const char *places) {
  char *error = NULL;
  bool good = ir_add_pair (program, places, &error);
  if (!good) diag_error (NULL, 0, 0, "--reach-pair: %s", error);
  free (error);
  return good;
}

static bool add_error_label (ir_program *program, const char *label) {
  char *error = NULL;
  bool good = ir_add_error_label (program, label, &error);
  if (!good) diag_error (NULL, 0, 0, "--error-label: %s", error);
  free (error);
  return good;
}

bool front_finish (ir_program *program, const front_options *options) {
  if (options->check_overflow) ir_add_overflow_checks (program);
  else ir_add_division_checks (program);
  if (options->check_uninit) ir_add_uninit_checks (program);
  if (options->error_label && !add_error_label (program, options->error_label)) return false;
  if (options->pair && !add_reach_pair (program, options->pair)) return false;
  ir_simplify (program);
  check_wellformed (program, "simplification");
  return true;
}

// A label in a function that is never called is not in the program.  That is no error: the label cannot be reached.
static void leave_out_unused_label (LLVMModuleRef module, ir_program *program, front_options *options) {
  const char *label = options->error_label;
  if (ir_has_label (program, label) || !module_has_label (module, label)) return;
  ir_assume_in_report (
      program, "the label `%s` occurs only in functions that are never called, or that lockstep models itself", label);
  options->error_label = NULL;
}

static void add_overflow_gaps (ir_program *program, const source_list *sources) {
  for (uint32_t i = 0; i < sources->count; i++)
    for (uint32_t k = 0; k < sources->data[i].overflows.count; k++)
      ir_add_gap (program, FRONT_COMPUTED, sources->data[i].overflows.data[k]);
}

static ir_program *translate_linked_module (LLVMModuleRef module, const source_list *sources,
                                            const front_options *options) {
  passes_run (module, options->check_uninit, options->check_leak);
  arena *paths = arena_new ();
  word_list folders = {0};
  system_folders (paths, sources, &folders);
  ir_program *program = translate_module (module, options, &folders);
  vec_release (&folders);
  arena_free (paths);
  if (!program) return NULL;
  add_overflow_gaps (program, sources);
#ifndef NDEBUG
  check_wellformed (program, "translation");
#endif
  if (!program->files.count)
    for (uint32_t i = 0; i < sources->count; i++)
      vec_push (&program->files, arena_strdup (program->arena, sources->data[i].file));
  front_options finish = *options;
  if (options->error_label) leave_out_unused_label (module, program, &finish);
  if (front_finish (program, &finish)) return program;
  ir_program_free (program);
  return NULL;
}

ir_program *front_load (const front_options *options) {
  source_list sources = {0};
  compile_database database = {0};
  ir_program *program = NULL;
  if (find_sources (&sources, &database, options) && clang_compile (&sources, options) &&
      reader_check (&sources, options)) {
    llvm_messages messages = {0};
    LLVMContextRef context = LLVMContextCreate ();
    module_catch_messages (context, &messages);
    LLVMModuleRef module = load_module (context, &sources, options, &messages);
    if (module) {
      program = translate_linked_module (module, &sources, options);
      LLVMDisposeModule (module);
    }
    LLVMContextDispose (context);
    strbuf_release (&messages.text);
  }
  source_list_release (&sources);
  compdb_release (&database);
  return program;
}
