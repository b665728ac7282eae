// Reads and links LLVM modules, and turns LLVM's messages into messages of lockstep.
//
// LLVM reports through three channels: a returned string (assembly), the context's diagnostic handler (bitcode,
// linking), and the fatal error handler (its own limits).  All three end in diag_error; LLVM prints nothing.
#include "front/driver_impl.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"

// ---- messages ------------------------------------------------------------------------------------------

static const char *current_file;  // file being read or linked: the fatal error handler gets no state

static void on_message (LLVMDiagnosticInfoRef info, void *state) {
  llvm_messages *messages = state;
  char *text = LLVMGetDiagInfoDescription (info);
  if (LLVMGetDiagInfoSeverity (info) == LLVMDSError) {
    if (messages->text.count) strbuf_add (&messages->text, "; ");
    strbuf_add (&messages->text, text);
  } else diag_verbose (1, "llvm", "%s", text);
  LLVMDisposeMessage (text);
}

static void on_fatal_error (const char *reason) {
  bool no_memory = strstr (reason, "out of memory") || strstr (reason, "llocation failed");
  diag_error (current_file, 0, 0, "LLVM gives up: %s", reason);
  fflush (NULL);
  _exit (no_memory ? MODULE_NO_MEMORY : EXIT_USAGE);
}

void module_catch_messages (LLVMContextRef context, llvm_messages *messages) {
  static bool installed;
  if (!installed) LLVMInstallFatalErrorHandler (on_fatal_error);
  installed = true;
  LLVMContextSetDiagnosticHandler (context, on_message, messages);
}

// LLVM's text is "FILE:LINE:COLUMN: error: MESSAGE", then the source line, which diag_error shows itself.
static void report_parse_error (const char *file, char *text) {
  unsigned line = 0, column = 0;
  char *mark = strstr (text, ": error: "), *message = mark ? mark + strlen (": error: ") : text;
  if (mark && !strncmp (text, file, strlen (file))) sscanf (text + strlen (file), ":%u:%u", &line, &column);
  message[strcspn (message, "\n")] = 0;
  diag_error (file, line, column, "%s", message);
}

// ---- reading -------------------------------------------------------------------------------------------

LLVMModuleRef module_open_bitcode (LLVMContextRef context, const char *bytes, size_t size, const char *name) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange (bytes, size, name, 0);
  LLVMModuleRef module = NULL;
  if (!LLVMGetBitcodeModuleInContext2 (context, buffer, &module)) return module;  // the module owns the buffer
  LLVMDisposeMemoryBuffer (buffer);
  return NULL;
}

LLVMModuleRef module_parse_bitcode (LLVMContextRef context, const char *bytes, size_t size, const char *name) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange (bytes, size, name, 0);
  LLVMModuleRef module = NULL;
  bool failed = LLVMParseBitcodeInContext2 (context, buffer, &module);
  LLVMDisposeMemoryBuffer (buffer);
  return failed ? NULL : module;
}

static LLVMModuleRef read_assembly (LLVMContextRef context, const char *file, LLVMMemoryBufferRef buffer) {
  LLVMModuleRef module = NULL;
  char *text = NULL;
  if (LLVMParseIRInContext (context, buffer, &module, &text)) {
    report_parse_error (file, text);
    LLVMDisposeMessage (text);
    return NULL;
  }
  return module;
}

static LLVMModuleRef read_file (LLVMContextRef context, const translation_unit *s, llvm_messages *messages) {
  LLVMMemoryBufferRef buffer;
  char *text = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile (s->file, &buffer, &text)) {
    diag_error (NULL, 0, 0, "cannot open `%s`: %s", s->file, text);
    LLVMDisposeMessage (text);
    return NULL;
  }
  if (s->kind == SOURCE_ASSEMBLY) return read_assembly (context, s->file, buffer);
  LLVMModuleRef module =
      module_parse_bitcode (context, LLVMGetBufferStart (buffer), LLVMGetBufferSize (buffer), s->file);
  LLVMDisposeMemoryBuffer (buffer);
  if (!module)
    diag_error (s->file, 0, 0, "not valid LLVM bitcode: %s",
                messages->text.count ? strbuf_text (&messages->text) : "unreadable");
  return module;
}

// LLVM IR from the user may be well-formed text and still no valid module.
bool module_is_valid (LLVMModuleRef module, const char *file) {
  char *text = NULL;
  bool broken = LLVMVerifyModule (module, LLVMReturnStatusAction, &text);
  if (broken) {
    text[strcspn (text, "\n")] = 0;
    diag_error (file, 0, 0, "not a valid LLVM module: %s", text);
  }
  LLVMDisposeMessage (text);
  return !broken;
}

LLVMModuleRef module_read (LLVMContextRef context, const translation_unit *s, llvm_messages *messages) {
  strbuf_clear (&messages->text);
  current_file = s->file;
  LLVMModuleRef module;
  if (s->bitcode) {
    module = module_parse_bitcode (context, s->bitcode, s->bitcode_size, s->file);
    if (!module) diag_error (s->file, 0, 0, "cannot read what clang wrote: %s", strbuf_text (&messages->text));
  } else {
    module = read_file (context, s, messages);
    if (module && !module_is_valid (module, s->file)) {
      LLVMDisposeModule (module);
      module = NULL;
    }
  }
  current_file = NULL;
  return module;
}

// ---- linking -------------------------------------------------------------------------------------------

bool module_defines (LLVMModuleRef module, const char *function) {
  LLVMValueRef f = LLVMGetNamedFunction (module, function);
  return f && !LLVMIsDeclaration (f) && LLVMGetLinkage (f) != LLVMInternalLinkage &&
         LLVMGetLinkage (f) != LLVMPrivateLinkage;
}

// clang names a block after the label at its start.
static bool function_has_label (LLVMValueRef f, const char *label) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (f); b; b = LLVMGetNextBasicBlock (b))
    if (!strcmp (LLVMGetBasicBlockName (b), label)) return true;
  return false;
}

bool module_has_label (LLVMModuleRef module, const char *text) {
  const char *colon = strrchr (text, ':'), *label = colon ? colon + 1 : text;
  size_t length = colon ? (size_t) (colon - text) : 0, name_length;
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f; f = LLVMGetNextFunction (f)) {
    const char *name = LLVMGetValueName2 (f, &name_length);
    bool is_requested = !colon || (name_length == length && !strncmp (name, text, length));
    if (is_requested && function_has_label (f, label)) return true;
  }
  return false;
}

// Linking drops the debug information of functions that are only declared, and with it their types; so it is
// saved and restored.
typedef struct declared_function {
  char *name;
  LLVMMetadataRef subprogram;
} declared_function;
typedef VEC (declared_function) declared_function_list;

static void collect_declared (LLVMModuleRef module, declared_function_list *out) {
  for (LLVMValueRef f = LLVMGetFirstFunction (module); f; f = LLVMGetNextFunction (f)) {
    size_t length;
    LLVMMetadataRef subprogram = LLVMIsDeclaration (f) ? LLVMGetSubprogram (f) : NULL;
    if (subprogram) vec_push (out, ((declared_function){strdup (LLVMGetValueName2 (f, &length)), subprogram}));
  }
}

static void restore_declared (LLVMModuleRef module, declared_function_list *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    LLVMValueRef f = LLVMGetNamedFunction (module, list->data[i].name);
    if (f && LLVMIsDeclaration (f) && !LLVMGetSubprogram (f)) LLVMSetSubprogram (f, list->data[i].subprogram);
    free (list->data[i].name);
  }
  vec_release (list);
}

bool module_link (LLVMModuleRef into, LLVMModuleRef from, const char *file, llvm_messages *messages) {
  const char *layout = LLVMGetDataLayoutStr (into), *other = LLVMGetDataLayoutStr (from);
  if (strcmp (layout, other)) {
    diag_error (file, 0, 0, "its data layout `%s` is not that of the other files, `%s`: compile all for one machine",
                other, layout);
    LLVMDisposeModule (from);
    return false;
  }
  strbuf_clear (&messages->text);
  current_file = file;
  declared_function_list declarations = {0};
  collect_declared (from, &declarations);
  bool failed = LLVMLinkModules2 (into, from);  // disposes of `from`
  restore_declared (into, &declarations);
  current_file = NULL;
  if (failed)
    diag_error (file, 0, 0, "cannot link: %s",
                messages->text.count ? strbuf_text (&messages->text) : "LLVM gives no reason");
  return !failed;
}
