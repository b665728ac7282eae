// Compiles small C functions with clang and compares the name of the last store (or locked mutex) of each with the C
// text.
#define _GNU_SOURCE
#include "front/debug_impl.h"
#include "front/driver_impl.h"
#include "front/front_test.h"

static const char declarations[] =
    "#include <pthread.h>\n"
    "struct node { struct node *next; int v : 3, w : 5, x : 20; union { int a; struct { char c; long d; } s; }; long "
    "array[4]; };\n"
    "typedef struct { int n; struct node *list; int m[3][4]; struct node inner; pthread_mutex_t lock; } box;\n"
    "struct empty { };\n"
    "struct device { int id; struct empty nothing; struct node part; };\n"
    "struct tail { int n; struct node items[]; };\n"
    "union either { struct node node; struct { short first, second; } pair; short word; };\n"
    "box g, *h, many[5]; struct node *head; int count, *cell, **cells, row[10]; char name[10]; __thread int own; union "
    "either e;\n"
    "struct tail *t; void *any; volatile int vol; pthread_mutex_t mu, locks[3];\n"
    "int index_of (void); struct node *find (void);\n";

// The statement, the name of its last access, and how many {} it has.
static const struct {
  const char *parameters, *statement, *name;
  unsigned indices;
} cases[] = {
    {"void", "count = 1;", "count", 0},
    {"void", "vol = 1;", "vol", 0},
    {"void", "own = 1;", "own", 0},
    {"void", "static int calls; calls = 1;", "calls", 0},
    {"int *p", "*p = 1;", "*p", 0},
    {"int **p", "**p = 1;", "**p", 0},
    {"int **p", "*p = 0;", "*p", 0},
    {"int **p, int i", "(*p)[i] = 1;", "(*p)[{}]", 1},
    {"int *p", "p[0] = 1;", "p[0]", 0},
    {"int *p", "p[-3] = 1;", "p[-3]", 0},
    {"int *p, int i", "p[i] = 1;", "p[{}]", 1},
    {"void", "*cell = 1;", "*cell", 0},
    {"void", "cell[2] = 1;", "cell[2]", 0},
    {"void", "**cells = 1;", "**cells", 0},
    {"int i, int j", "cells[i][j] = 1;", "cells[{}][{}]", 2},
    {"void", "row[3] = 1;", "row[3]", 0},
    {"int i", "row[i] = 1;", "row[{}]", 1},
    {"int i", "name[i] = 1;", "name[{}]", 1},
    {"int i", "row[index_of ()] = i;", "row[{}]", 1},
    {"void", "g.n = 1;", "g.n", 0},
    {"void", "g.inner.next = 0;", "g.inner.next", 0},
    {"int i, int j", "g.m[i][j] = 1;", "g.m[{}][{}]", 2},
    {"void", "g.m[1][2] = 1;", "g.m[1][2]", 0},
    {"void", "h->n = 1;", "h->n", 0},
    {"void", "h->list->next = 0;", "h->list->next", 0},
    {"int i", "h->list[i].next = 0;", "h->list[{}].next", 1},
    {"int i", "h->inner.array[i] = 1;", "h->inner.array[{}]", 1},
    {"int i", "many[i].m[1][i] = 1;", "many[{}].m[1][{}]", 2},
    {"int i", "many[i].inner.s.d = 1;", "many[{}].inner.s.d", 1},
    {"struct node *q", "q->next->next = 0;", "q->next->next", 0},
    {"struct node *q", "q->s.c = 0;", "q->s.c", 0},
    {"struct node *q", "q->v = 1;", "q->v", 0},
    {"struct node *q", "q->w = 1;", "q->w", 0},
    {"struct node *q", "q->x = 1;", "q->x", 0},
    {"struct node **q", "(*q)->next = 0;", "(*q)->next", 0},
    {"void", "struct node *q = head; q->next = 0;", "q->next", 0},
    {"void", "for (struct node *q = head; q; q = q->next) q->array[1] = 0;", "q->array[1]", 0},
    {"void *argument", "box *b = argument; b->n = 1;", "b->n", 0},
    {"void *argument", "int *p = argument; *p = 1;", "*p", 0},
    {"void *argument", "((box *) argument)->n = 1;", "argument->n", 0},
    {"void *argument", "*(int *) argument = 1;", "*argument", 0},
    {"void", "((struct node *) any)->next = 0;", "any->next", 0},
    {"int i", "t->items[i].next = 0;", "t->items[{}].next", 1},
    {"struct device *p", "p->part.array[1] = 1;", "p->part.array[1]", 0},
    {"struct node *n",
     "struct device *p = (struct device *) ((char *) n - __builtin_offsetof (struct device, part)); p->id = 1;",
     "p->id", 0},
    {"void", "e.node.next = 0;", "e.node.next", 0},
    {"void", "e.pair.second = 0;", "e.pair.second", 0},
    {"void", "e.word = 0;", "e", 0},  // or e.pair.first
    {"union either *p", "p->node.next = 0;", "p->node.next", 0},
    {"struct node *q", "q->a = 1;", "q->a", 0},
    {"void", "row[0] = 1;", "row[0]", 0},
    {"void", "g.m[0][0] = 1;", "g.m[0][0]", 0},
    {"void", "many[2].n = 1;", "many[2].n", 0},
    {"int i", "int local[4]; local[i] = 1; any = local;", "any", 0},
    {"int i", "int local[4]; any = local; local[i] = 1;", "local[{}]", 1},
    {"int i", "int vla[i]; any = vla; vla[i - 1] = 1;", "vla[{}]", 1},
    {"int (*rows)[4], int i", "rows[i][2] = 1;", "rows[{}][2]", 1},
    {"int (*rows)[4], int i", "(*rows)[i] = 1;", "(*rows)[{}]", 1},
    {"void", "find ()->next = 0;", NULL, 0},
    {"long x", "*(int *) x = 0;", NULL, 0},
    {"void", "pthread_mutex_lock (&mu);", "mu", 0},
    {"pthread_mutex_t *m", "pthread_mutex_lock (m);", "*m", 0},
    {"int i", "pthread_mutex_lock (&locks[i]);", "locks[{}]", 1},
    {"box *b", "pthread_mutex_lock (&b->lock);", "b->lock", 0},
};
enum { NUM_CASES = sizeof cases / sizeof *cases };

// Compiles the text, for one data model, as the driver does.
static LLVMModuleRef compile (LLVMContextRef context, const char *text, bool ilp32, llvm_messages *messages) {
  test_folder folder;
  test_folder_init (&folder);
  front_options options = {.ilp32 = ilp32};
  source_list sources = {0};
  translation_unit s = {.file = test_text (&folder, "lvalues.c", text), .kind = SOURCE_C, .output = -1, .errors = -1};
  vec_push (&sources, s);
  bool compiled = clang_compile (&sources, &options);
  assert_true (compiled);
  LLVMModuleRef module = module_read (context, &sources.data[0], messages);
  assert_non_null (module);
  source_list_release (&sources);
  test_folder_release (&folder);
  passes_run (module, false, false);
  return module;
}

// Returns the pointer of the last store of the function, with the number of bytes stored; or that of its call of
// pthread_mutex_lock, with 0.
static LLVMValueRef last_pointer (LLVMModuleRef module, LLVMValueRef function, unsigned *bytes) {
  LLVMValueRef pointer = NULL;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock (function); b; b = LLVMGetNextBasicBlock (b))
    for (LLVMValueRef i = LLVMGetFirstInstruction (b); i; i = LLVMGetNextInstruction (i)) {
      if (LLVMGetInstructionOpcode (i) == LLVMStore) {
        pointer = LLVMGetOperand (i, 1);
        *bytes = (unsigned) LLVMStoreSizeOfType (LLVMGetModuleDataLayout (module), LLVMTypeOf (LLVMGetOperand (i, 0)));
      }
      if (LLVMGetInstructionOpcode (i) != LLVMCall) continue;
      if (strcmp (LLVMGetValueName (LLVMGetCalledValue (i)), "pthread_mutex_lock")) continue;
      pointer = LLVMGetOperand (i, 0);
      *bytes = 0;
    }
  return pointer;
}

static void check_cases (bool ilp32) {
  strbuf text = {0};
  strbuf_add (&text, declarations);
  for (unsigned i = 0; i < NUM_CASES; i++)
    strbuf_printf (&text, "void f%u (%s) { %s }\n", i, cases[i].parameters, cases[i].statement);
  LLVMContextRef context = LLVMContextCreate ();
  llvm_messages messages = {0};
  module_catch_messages (context, &messages);
  LLVMModuleRef module = compile (context, strbuf_text (&text), ilp32, &messages);
  ir_program *program = ir_program_new ();
  program->pointer_bits = ilp32 ? 32 : 64;
  debug_info *debug = debug_new (module, program);
  unsigned wrong = 0;
  for (unsigned i = 0; i < NUM_CASES; i++) {
    char function[16];
    snprintf (function, sizeof function, "f%u", i);
    unsigned bytes = 0;
    LLVMValueRef pointer = last_pointer (module, LLVMGetNamedFunction (module, function), &bytes);
    assert_non_null (pointer);
    value_list indices = {0};
    const char *name =
        bytes ? lvalue_access_name (debug, pointer, bytes, &indices) : lvalue_name (debug, pointer, &indices);
    bool same = cases[i].name ? name && !strcmp (name, cases[i].name) : !name;
    if (!same || indices.count != cases[i].indices) {
      print_error ("%s: `%s` with %u indices, not `%s`\n", cases[i].statement, name ? name : "(none)", indices.count,
                   cases[i].name ? cases[i].name : "(none)");
      wrong++;
    }
    vec_release (&indices);
  }
  assert_int_equal (wrong, 0);
  debug_free (debug);
  ir_program_free (program);
  LLVMDisposeModule (module);
  LLVMContextDispose (context);
  strbuf_release (&messages.text);
  strbuf_release (&text);
}

static void names_in_lp64 (void **state) {
  (void) state;
  check_cases (false);
}
static void names_in_ilp32 (void **state) {
  (void) state;
  check_cases (true);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (names_in_lp64), cmocka_unit_test (names_in_ilp32)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
