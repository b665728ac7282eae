// Declarations that the driver's files share: driver.c, flags.c, clang.c, reader.c, compdb.c, system_headers.c,
// module.c, models.c, passes.c.
//
//   sources -> clang_compile -> reader_check -> module_read -> module_link -> models_link -> passes_run
//           -> translate_module
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
typedef struct translation_unit {
  const char *file;  // as the user or the database names it
  source_kind kind;
  const char *directory;  // where clang runs; NULL: the current one
  word_list flags;        // the user's flags for clang
  bool is_lenient;        // drop flags that clang refuses: they were written for another compiler
  process *child;         // clang; NULL: not running
  int output, errors;     // descriptors of the child's output, in files without a name; -1: none
  char *bitcode;          // [0..bitcode_size[, mapped: clang's result
  size_t bitcode_size;
  word_list overflows;    // FILE:LINE of constant expressions that overflow, if check_overflow; malloced
} translation_unit;
typedef VEC (translation_unit) source_list;

source_kind source_kind_of (const char *file);  // by suffix
bool source_is_readable (const char *file);     // else diag_error says why
void source_list_release (source_list *);

// ---- flags.c -------------------------------------------------------------------------------------------
typedef struct flags_left_out {
  strmap seen;
  strbuf text;  // the first flags, for the message
  uint32_t count;
} flags_left_out;
// Keeps those flags from a file that are known to say only how the source is read.
void flags_keep_harmless (word_list *, flags_left_out *);
void flags_report_left_out (flags_left_out *);  // prints one line for all of them, and releases the list

// ---- driver.c ------------------------------------------------------------------------------------------
void front_stop (const front_options *, const char *why);  // records that the budget ended the work

// ---- clang.c -------------------------------------------------------------------------------------------
// Removes flags that name outputs or stages (-o -c -E -MF ...): lockstep chooses where the result goes.
void clang_drop_output_flags (word_list *);
// Adds the flags of the options, without those about outputs.
void clang_add_flags (word_list *, const front_options *, flags_left_out *);
// Compiles the C sources, several at a time.  False after diag_error.
bool clang_compile (source_list *, const front_options *);
char *clang_map_file (int file, size_t *size);          // a child's output, to be unmapped; NULL if it is empty
void clang_pass_on (const char *messages, size_t size);  // prints clang's messages on standard error

// ---- compdb.c ------------------------------------------------------------------------------------------
typedef struct compile_command {
  const char *directory, *file;
  word_list arguments;  // the first is the compiler
} compile_command;
typedef struct compile_database {
  arena *arena;  // owns the strings
  VEC (compile_command) commands;
} compile_database;
// Reads DIR/compile_commands.json.  Returns false after diag_error; release the database in both cases.
bool compdb_read (compile_database *, const char *directory);
void compdb_release (compile_database *);
const char *compdb_path (arena *, const char *directory, const char *file);  // absolute, without "." and ".."
// Appends the sources of the commands for the files of the options, or of all commands if the options name no file.
// Returns false after diag_error.
bool compdb_sources (compile_database *, const front_options *, flags_left_out *, source_list *out);

// ---- system_headers.c ----------------------------------------------------------------------------------
// Appends the folders, as clean absolute paths, whose headers are system headers by the flags of the sources.
void system_folders (arena *, const source_list *, word_list *out);

// ---- module.c ------------------------------------------------------------------------------------------
typedef struct llvm_messages {
  strbuf text;
} llvm_messages;  // LLVM's messages since the last clear
// Redirects LLVM's messages: afterwards LLVM prints nothing itself and never ends the process in silence.
void module_catch_messages (LLVMContextRef, llvm_messages *);
LLVMModuleRef module_read (LLVMContextRef, const translation_unit *, llvm_messages *);  // NULL after diag_error
// Returns NULL if the bitcode is bad; the messages say why.
LLVMModuleRef module_parse_bitcode (LLVMContextRef, const char *bytes, size_t size, const char *name);
// The same, but reads bodies of functions only when they are linked.  The bytes must stay where they are.
LLVMModuleRef module_open_bitcode (LLVMContextRef, const char *bytes, size_t size, const char *name);
// Adds `from` to `into` and disposes of `from`.  Returns false after diag_error.
bool module_link (LLVMModuleRef into, LLVMModuleRef from, const char *file, llvm_messages *);
bool module_defines (LLVMModuleRef, const char *function);
bool module_is_valid (LLVMModuleRef, const char *file);  // else diag_error
// exit code when LLVM itself ends the process for lack of memory
enum { MODULE_NO_MEMORY = EXIT_UNKNOWN };

// ---- reader.c ------------------------------------------------------------------------------------------
// Reads all sources in child processes, which may crash, and turns bitcode and assembly into clean bitcode.  Returns
// false after diag_error.
bool reader_check (source_list *, const front_options *);

// ---- models.c ------------------------------------------------------------------------------------------
// Adds the library models that the module needs.  A definition in the program wins over a model.  Returns false after
// diag_error.
bool models_link (LLVMModuleRef, const char *file, llvm_messages *);

// ---- passes.c ------------------------------------------------------------------------------------------
// Does a function of the module have the C label, given as `label` or `function:label`?
bool module_has_label (LLVMModuleRef, const char *label);
void passes_run (LLVMModuleRef, bool check_uninit, bool keep_variables);

#endif
