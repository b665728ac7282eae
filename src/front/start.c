// The start procedure: calls constructors by priority, then the entry with its arguments (for main: main_arguments.c);
// the entry's result is the exit code of the process.  Destructors run when the entry returns and when `exit` is
// called.
#include <stdlib.h>
#include <string.h>

#include "front/translate_impl.h"

typedef struct constructor {
  uint64_t priority;
  unsigned order;
  LLVMValueRef function;
} constructor;
typedef struct constructor_list {
  constructor *data;
  uint32_t count, capacity;
} constructor_list;  // a VEC

static int compare_constructors (const void *a, const void *b) {
  const constructor *x = a, *y = b;
  if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

static void collect_constructors (translator *t, const char *name, constructor_list *list) {
  LLVMValueRef global = LLVMGetNamedGlobal (t->module, name), init = global ? LLVMGetInitializer (global) : NULL;
  if (!init || LLVMGetTypeKind (LLVMTypeOf (init)) != LLVMArrayTypeKind) return;
  for (unsigned i = 0; i < type_num_elements (LLVMTypeOf (init)); i++) {
    LLVMValueRef row = LLVMGetAggregateElement (init, i);
    LLVMValueRef function = global_resolve_alias (LLVMGetAggregateElement (row, 1));
    if (!LLVMIsAFunction (function) || LLVMIsDeclaration (function)) continue;
    vec_push (list, ((constructor){LLVMConstIntGetZExtValue (LLVMGetAggregateElement (row, 0)), i, function}));
  }
  if (list->count) qsort (list->data, list->count, sizeof *list->data, compare_constructors);
}

static void add_any_arguments (routine *r, LLVMValueRef entry, expr_list *args) {
  for (unsigned i = 0; i < LLVMCountParams (entry); i++) {
    unsigned bits = type_bits (r->t, LLVMTypeOf (LLVMGetParam (entry, i)));
    vec_push (args, value_nondet (r, bits ? bits : 1, "argument of the entry"));
  }
}

// ---- the procedure -----------------------------------------------------------------------------------
static ir_edge call_edge (routine *r, LLVMValueRef function) {
  ir_proc f = function_proc (r->t, function);
  r->pos = debug_function_position (r->t->debug, function);
  ir_edge e = emit_edge (r, IR_CALL);
  ir_add_arg (r->p, e, ir_addr (r->p, ir_proc_at (r->p, f)->object, 0));
  return e;
}

static void call_constructors (routine *r, const char *name) {
  constructor_list list = {0};
  collect_constructors (r->t, name, &list);
  for (uint32_t i = 0; i < list.count; i++) call_edge (r, list.data[i].function);
  vec_release (&list);
}

void emit_orderly_exit (routine *r, ir_expr code) {
  call_constructors (r, "llvm.global_dtors");
  emit_exit (r, code);
}

// Reports that destructors are not run if the last thread ends by `pthread_exit`: the translation cannot know which
// thread is the last.
static void note_destructors (routine *r) {
  constructor_list list = {0};
  collect_constructors (r->t, "llvm.global_dtors", &list);
  bool may_end_otherwise =
      LLVMGetNamedFunction (r->t->module, "pthread_exit") || LLVMGetNamedFunction (r->t->module, "thrd_exit");
  if (list.count && may_end_otherwise)
    ir_add_gap (r->p, "destructors are not run where the last thread ends by `pthread_exit`");
  vec_release (&list);
}

static void call_entry (routine *r, LLVMValueRef entry) {
  expr_list args = {0};
  bool any = false;
  if (!strcmp (value_name (entry), "main")) any = arguments_of_main (r, entry, &args);
  else add_any_arguments (r, entry, &args);
  unsigned bits = type_bits (r->t, LLVMGetReturnType (LLVMGlobalGetValueType (entry)));
  ir_reg result = bits ? reg_new (r, bits, NULL) : (ir_reg){IR_NONE};
  ir_edge e = call_edge (r, entry);
  ir_edge_at (r->p, e)->dst = result;
  if (any) ir_edge_at (r->p, e)->message = "arguments";
  for (uint32_t i = 0; i < args.count; i++) ir_add_arg (r->p, e, args.data[i]);
  emit_orderly_exit (r, bits ? value_resize (r, reg_use (r, result), 32, false) : value_from_number (r, 32, 0));
  vec_release (&args);
}

void translate_start (translator *t, LLVMValueRef entry) {
  ir_proc start = ir_add_proc (t->p, "start");
  routine r = {.t = t, .p = t->p, .function = entry, .proc = start};
  r.at = ir_add_loc (t->p, start);
  r.varargs.i = r.result.i = IR_NONE;
  ir_proc_at (t->p, start)->entry = r.at;
  ir_proc_at (t->p, start)->internal = true;
  t->p->start = start;
  note_destructors (&r);
  call_constructors (&r, "llvm.global_ctors");
  call_entry (&r, entry);
  routine_release (&r);
}
