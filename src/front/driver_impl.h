// What the driver's files (driver.c, flags.c, clang.c, reader.c, compdb.c, system.c, module.c, models.c, passes.c) share.
//
//   sources -> clang_compile -> reader_check -> module_read -> module_link -> models_link -> passes_run -> translate_module
#ifndef LOCKSTEP_DRIVER_IMPL_H
#define LOCKSTEP_DRIVER_IMPL_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "front/front_impl.h"

typedef enum source_kind { SOURCE_C, SOURCE_PREPROCESSED, SOURCE_ASSEMBLY, SOURCE_BITCODE, SOURCE_OTHER } source_kind;

// One translation unit.
typedef struct source {
  const char *file;  // as the user or the database names it
  source_kind kind;
  const char *directory;  // where clang runs; NULL: here
  word_list flags;        // the user's, for clang
  bool is_lenient;        // flags clang refuses are dropped: they were written for another compiler
  process *child;         // clang; NULL: not running
  int output, errors;     // of the child: files without a name; -1: none
  char *bitcode;          // [0..bitcode_size[, mapped; what clang wrote
  size_t bitcode_size;
  word_list overflows;    // FILE:LINE of constant expressions that overflow, if check_overflow; malloced
} source;
typedef VEC (source) source_list;

source_kind source_kind_of (const char *file);  // by suffix
bool source_is_readable (const char *file);     // else diag_error says why
void source_list_release (source_list *);

// ---- flags.c -------------------------------------------------------------------------------------------
typedef struct flags_left_out {
  strmap seen;
  strbuf text;  // the first of them, for the message
  uint32_t count;
} flags_left_out;
// For flags from a file: only those stay that are known to do no more than say how the source is read.
void flags_keep_harmless (word_list *, flags_left_out *);
void flags_tell_left_out (flags_left_out *);  // one line for all of them, and releases it

// ---- driver.c ------------------------------------------------------------------------------------------
void front_stop (const front_options *, const char *why);  // notes that the budget ended the work

// ---- clang.c -------------------------------------------------------------------------------------------
// Removes flags that name outputs or stages (-o -c -E -MF ...): where the result goes is our choice.
void clang_drop_output_flags (word_list *);
// Adds the flags of the options, less those.
void clang_add_flags (word_list *, const front_options *, flags_left_out *);
// Compiles the C sources, several at a time.  False after diag_error.
bool clang_compile (source_list *, const front_options *);
char *clang_map_file (int file, size_t *size);         // what a child wrote, to be unmapped; NULL if it is nothing
void clang_pass_on (const char *messages, size_t size); // to standard error

// ---- compdb.c ------------------------------------------------------------------------------------------
typedef struct compile_command {
  const char *directory, *file;
  word_list arguments;  // with the compiler
} compile_command;
typedef struct compile_database {
  arena *arena;  // owns the strings
  VEC (compile_command) commands;
} compile_database;
// Reads DIR/compile_commands.json.  False after diag_error; release it in both cases.
bool compdb_read (compile_database *, const char *directory);
void compdb_release (compile_database *);
const char *compdb_path (arena *, const char *directory, const char *file);  // absolute, without "." and ".."
// The sources of the commands for these files, or of all commands if there are none.  False after diag_error.
bool compdb_sources (compile_database *, const front_options *, flags_left_out *, source_list *out);

// ---- system.c ------------------------------------------------------------------------------------------
// Appends the folders, as clean absolute paths, whose headers are those of a system by the flags of the sources.
void system_folders (arena *, const source_list *, word_list *out);

// ---- module.c ------------------------------------------------------------------------------------------
typedef struct llvm_messages {
  strbuf text;
} llvm_messages;  // what LLVM had to say since the last clear
// From here on LLVM prints nothing itself and never ends the process in silence.
void module_catch_messages (LLVMContextRef, llvm_messages *);
LLVMModuleRef module_read (LLVMContextRef, const source *, llvm_messages *);  // NULL after diag_error
// NULL: the messages say why.
LLVMModuleRef module_parse_bitcode (LLVMContextRef, const char *bytes, size_t size, const char *name);
// The same, but bodies of functions are read only when they are linked.  The bytes must stay where they are.
LLVMModuleRef module_open_bitcode (LLVMContextRef, const char *bytes, size_t size, const char *name);
// Adds `from` to `into` and disposes of it.  False after diag_error.
bool module_link (LLVMModuleRef into, LLVMModuleRef from, const char *file, llvm_messages *);
bool module_defines (LLVMModuleRef, const char *function);
bool module_is_valid (LLVMModuleRef, const char *file);  // else diag_error
enum { MODULE_NO_MEMORY = EXIT_UNKNOWN };                // exit code when LLVM itself ends the process for lack of memory

// ---- reader.c ------------------------------------------------------------------------------------------
// Reads all sources in children, which may crash; bitcode and assembly are then clean bitcode.  False after diag_error.
bool reader_check (source_list *, const front_options *);

// ---- models.c ------------------------------------------------------------------------------------------
// Adds the library models the module needs.  What the program defines itself wins.  False after diag_error.
bool models_link (LLVMModuleRef, const char *file, llvm_messages *);

// ---- passes.c ------------------------------------------------------------------------------------------
// Does a function of the module have the C label, given as `label` or `function:label`?
bool module_has_label (LLVMModuleRef, const char *place);
void passes_run (LLVMModuleRef, bool check_uninit, bool keep_variables);

#endif
