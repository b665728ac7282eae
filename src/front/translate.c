// Translates a module to a program: the start procedure, then every function that is reachable from it, in the order in
// which references to the functions are found.
//
// A pointer is object << offset_bits | offset.  With 64 bits both halves have 32 bits.  With 32 bits an offset has 16
// bits, or more if a variable or an allocation of constant size needs it; the other bits number the objects.
#include <string.h>

#include "front/translate_impl.h"

enum { SMALL_OFFSET_BITS = 16, LARGE_OFFSET_BITS = 24 };

// Returns the number of bytes that the call allocates; 0 if it does not allocate or the number is not constant.
static uint64_t allocated_by_call (LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue (call);
  if (!LLVMIsAFunction (callee)) return 0;
  const char *name = value_name (callee);
  if (strcmp (name, "malloc") && strcmp (name, "calloc") && strcmp (name, "realloc")) return 0;
  uint64_t size = 1;
  for (unsigned i = !strcmp (name, "realloc"); i < LLVMGetNumArgOperands (call); i++) {
    LLVMValueRef n = LLVMGetOperand (call, i);
    size *= LLVMIsAConstantInt (n) ? LLVMConstIntGetZExtValue (n) : 0;
  }
  return size;
}

static uint64_t largest_local (const translator *t, LLVMValueRef function) {
  uint64_t largest = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (function); b; b = LLVMGetNextBasicBlock (b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
      uint64_t size = LLVMIsAAllocaInst (i) ? type_size (t, LLVMGetAllocatedType (i))
                      : LLVMIsACallInst (i) ? allocated_by_call (i)
                                            : 0;
      if (size > largest) largest = size;
    }
  }
  return largest;
}

static uint64_t largest_object (const translator *t) {
  uint64_t largest = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal (t->module); g; g = LLVMGetNextGlobal (g)) {
    uint64_t size = type_size (t, LLVMGlobalGetValueType (g));
    if (size > largest) largest = size;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction (t->module); f; f = LLVMGetNextFunction (f)) {
    uint64_t size = largest_local (t, f);
    if (size > largest) largest = size;
  }
  for (uint32_t k = 0; t->options && t->options->args && k < t->options->args->count; k++) {
    uint64_t size = strlen (t->options->args->data[k]) + 1;
    if (size > largest) largest = size;
  }
  return largest;
}

static void choose_pointers (translator *t) {
  t->p->pointer_bits = (uint16_t) (LLVMPointerSize (t->layout) * 8);
  if (t->p->pointer_bits == 64) return;
  unsigned bits = SMALL_OFFSET_BITS;
  uint64_t largest = largest_object (t);
  while (bits < LARGE_OFFSET_BITS && largest >> bits) bits++;
  t->p->offset_bits = (uint16_t) bits;
}

static LLVMValueRef find_entry (translator *t) {
  const char *name = t->options && t->options->entry ? t->options->entry : "main";
  LLVMValueRef entry = LLVMGetNamedFunction (t->module, name);
  if (entry && !LLVMIsDeclaration (entry)) return entry;
  const char *file = t->options && t->options->files.count ? t->options->files.data[0] : "the program";
  diag_error (NULL, 0, 0, "no function `%s` in %s", name, file);
  return NULL;
}

static bool is_supported_machine (translator *t) {
  unsigned size = LLVMPointerSize (t->layout);
  if ((size == 4 || size == 8) && LLVMByteOrder (t->layout) == LLVMLittleEndian) return true;
  diag_error (NULL, 0, 0, "only little-endian machines with pointers of 32 or 64 bits are supported");
  return false;
}

static void translator_release (translator *t) {
  map_release (&t->objects);
  map_release (&t->procs);
  map_release (&t->thunks);
  map_release (&t->block_numbers);
  strmap_release (&t->strings);
  vec_release (&t->pending);
  vec_release (&t->contents);
  vec_release (&t->externals);
  vec_release (&t->unknown);
  debug_free (t->debug);
}

static bool translate_next (translator *t) {
  if (t->next < t->pending.count) translate_function (t, t->pending.data[t->next++]);
  else if (t->next_contents < t->contents.count) define_variable (t, t->contents.data[t->next_contents++]);
  else return false;
  return true;
}

ir_program *translate_module (LLVMModuleRef module, const front_options *options, const word_list *system_folders) {
  translator t = {.module = module,
                  .layout = LLVMGetModuleDataLayout (module),
                  .options = options,
                  .system_folders = system_folders};
  LLVMValueRef entry = is_supported_machine (&t) ? find_entry (&t) : NULL;
  if (!entry) return NULL;
  t.p = ir_program_new ();
  if (options->check_uninit) ir_keep_undefined (t.p);
  choose_pointers (&t);
  t.debug = debug_new (module, t.p);
  translate_start (&t, entry);
  while (!t.failed && translate_next (&t)) {}
  if (!t.failed && (t.externals.count || t.unknown.count)) external_initialise (&t);
  reuse_assume (t.p);
  bool failed = t.failed;
  ir_program *p = t.p;
  translator_release (&t);
  if (!failed) ir_finish (p);
  else ir_program_free (p);
  return failed ? NULL : p;
}
