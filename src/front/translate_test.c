// Translates small C programs and checks the result: an edge with a given text, an assumption, an error.
#define _GNU_SOURCE
#include "front/driver_impl.h"
#include "front/front_test.h"

typedef struct fixture {
  test_folder folder;
  LLVMContextRef context;
  llvm_messages messages;
  LLVMModuleRef module;
  ir_program *program;  // NULL: the translation has failed
} fixture;

static void fixture_init (fixture *f, const char *source_text, bool ilp32) {
  *f = (fixture){0};
  test_folder_init (&f->folder);
  f->context = LLVMContextCreate ();
  module_catch_messages (f->context, &f->messages);
  front_options options = {.entry = "main", .ilp32 = ilp32};
  source_list sources = {0};
  translation_unit s = {
      .file = test_text (&f->folder, "t.c", source_text), .kind = SOURCE_C, .output = -1, .errors = -1};
  vec_push (&sources, s);
  assert_true (clang_compile (&sources, &options));
  f->module = module_read (f->context, &sources.data[0], &f->messages);
  assert_non_null (f->module);
  source_list_release (&sources);
  passes_run (f->module, false, false);
  f->program = translate_module (f->module, &options, NULL);
  char *error = NULL;
  if (f->program && !ir_check (f->program, &error)) fail_msg ("%s\n%s", error, source_text);
}

static void fixture_release (fixture *f) {
  ir_program_free (f->program);
  LLVMDisposeModule (f->module);
  LLVMContextDispose (f->context);
  strbuf_release (&f->messages.text);
  test_folder_release (&f->folder);
}

// The edges of all procedures, one per line.
static void print_edges (const ir_program *p, strbuf *out) {
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_print_edge (p, (ir_edge){e}, out);
    strbuf_add_char (out, '\n');
  }
}

static unsigned count_operations (const ir_program *p, ir_op op) {
  unsigned n = 0;
  for (uint32_t e = 0; e < p->edges.count; e++) n += p->edges.data[e].op == op;
  return n;
}

// ---- edges -------------------------------------------------------------------------------------------
static const struct {
  const char *declarations, *body, *edge;
} cases[] = {
    {"int x;", "x = 1;", "store.4 &x, 1:32"},
    {"int x;", "return x;", "load.4 &x"},
    {"long a[4];", "a[2] = 1;", "store.8 &a+16, 1:64"},
    {"struct { char c; int *p; } s; int y;", "s.p = &y;", "store.8 &s+8, &y"},
    {"_Atomic int x;", "x += 2;", "rmw.4 add seq_cst &x, 2:32"},
    {"_Atomic int x; int e;", "__c11_atomic_compare_exchange_strong (&x, &e, 3, 4, 2);", "cmpxchg.4 acq_rel &x"},
    {"_Atomic int x;", "__c11_atomic_store (&x, 1, 0);", "store.4 relaxed &x, 1:32"},
    {"volatile int x;", "x;", "load.4 volatile &x"},
    {"__thread int own;", "own = 3;", "store.4 &own, 3:32"},
    {"long double x;", "x = 0;", "store.2 &x+8, 0:16"},
    {"float x;", "return __builtin_isinf (x);", "assign ((0x7f800000:32 u<= r1) & (r1 u< 0x7f800001:32))"},
    {"double x;", "return __builtin_isnan (x);", "assign (0x7ff0000000000001:64 u<= r1)"},
    {"long double x;", "return __builtin_isfinite (x);", " : (r3 u< 0x7fff8000000000000000:80))"},
    {"struct { int a[3]; } s, t;", "s = t;", "load_raw.8 &t"},
    {"char b[10];", "__builtin_memset (b, 1, 10);", "store.8 &b, 0x101010101010101:64"},
    {"", "int u; return u;", "nondet number message \"uninitialised `u`\""},
    {"char *gift (void); char *x;", "x = gift ();", "nondet number failure message \"result of `gift`\""},
    {"long count (void); long x;", "x = count ();", "nondet number message \"result of `count`\""},
    {"int __VERIFIER_nondet_int (void);", "return __VERIFIER_nondet_int ();",
     "nondet message \"__VERIFIER_nondet_int\""},
    {"void __VERIFIER_assume (int); int x;", "__VERIFIER_assume (x > 2);", "assume (r2 != 0:32)"},
    {"void reach_error (void) { }", "reach_error ();", "check assert 0:1 message \"`reach_error` is reached\""},
    {"void __assert_fail (const char *, const char *, unsigned, const char *);",
     "__assert_fail (\"a == b\", \"f\", 1, \"g\");", "check assert 0:1 message \"assertion `a == b` failed\""},
    {"void lockstep_assert (int); int x;", "lockstep_assert (x);", "check assert"},
    {"void lockstep_own (void *, unsigned long, void *, unsigned long, unsigned long long); struct { int a, b; } s; "
     "char c;",
     "lockstep_own (&s.b, sizeof s.b, &c, sizeof c, 3);", "own.1 &s+4, 4:64, &c, 3:64 name \"s.b\""},
    {"void lockstep_own (void *, unsigned long, void *, unsigned long, unsigned long long); int a, c[3];",
     "lockstep_own (&a, sizeof a, c, sizeof c, 3);", "unsupported message \"`lockstep_own` with a cell"},
    {"void __VERIFIER_atomic_begin (void);", "__VERIFIER_atomic_begin ();", "atomic_begin"},
    {"int x; void __VERIFIER_atomic_add (void) { x++; }", "__VERIFIER_atomic_add ();", "atomic_end"},
    {"int x; void __VERIFIER_atomic_begin (void) { x++; }", "__VERIFIER_atomic_begin ();", "atomic_end"},
    {"_Noreturn void abort (void);", "abort ();", "exit aux 1 134:32"},
    {"int __lockstep_mutex_lock (void *); int m[6];", "__lockstep_mutex_lock (m);", "mutex_lock &m"},
    {"", "__sync_synchronize ();", "fence seq_cst"},
    {"", "__asm__ volatile (\"mfence\" ::: \"memory\");", "fence seq_cst"},
    {"", "__asm__ volatile (\"cpuid\");", "unsupported message \"inline assembly \\\"cpuid\\\"\""},
    {"int x;", "__asm__ volatile (\"cpuid\"); x = 7;", "store.4 &x, 7:32"},
    {"long x;", "long y; __asm__ volatile (\"rdtsc\" : \"=r\" (y)); x = y;",
     "nondet number message \"an unsupported operation\""},
    {"void longjmp (void *, int); void *b;", "longjmp (b, 1);", "unsupported message \"call of `longjmp`\""},
    {"int printf (const char *, ...);", "printf (\"%d\\n\", 5);", "output 1:32, &.str, 5:32"},
    {"int puts (const char *);", "puts (\"hello\");", "output 1:32, &string, &.str"},
    {"int f (int n, ...) { __builtin_va_list a; __builtin_va_start (a, n); return n; }", "return f (1, 2, 3.0);",
     "alloc stack 16:64"},
};

static void test_edges (void **state) {
  (void) state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    strbuf text = {0}, edges = {0};
    strbuf_printf (&text, "%s\nint main (void) {\n%s\nreturn 0; }\n", cases[k].declarations, cases[k].body);
    fixture f;
    fixture_init (&f, strbuf_text (&text), false);
    assert_non_null (f.program);
    print_edges (f.program, &edges);
    if (!strstr (strbuf_text (&edges), cases[k].edge))
      fail_msg ("%s\nno \"%s\" in:\n%s", strbuf_text (&text), cases[k].edge, strbuf_text (&edges));
    fixture_release (&f);
    strbuf_release (&text);
    strbuf_release (&edges);
  }
}

// ---- control flow ------------------------------------------------------------------------------------
static const ir_edge_data *edge_from (const ir_program *p, ir_loc l) {
  return l.i == IR_NONE ? NULL : &p->edges.data[ir_loc_at (p, l)->first_edge];
}

// Returns the register that this edge copies, or IR_NONE.
static uint32_t copied (const ir_program *p, const ir_edge_data *e) {
  if (!e || e->op != IR_ASSIGN) return IR_NONE;
  const ir_expr_node *x = ir_expr_at (p, p->args.data[e->first_arg]);
  return x->op == IR_X_REG ? x->reg.i : IR_NONE;
}

// Two phis that exchange their values: saved = a, a = b, b = saved.
static void test_phi_cycle (void **state) {
  (void) state;
  fixture f;
  fixture_init (
      &f, "int main (int n, char **v) { int a = 1, b = 2; while (n--) { int t = a; a = b; b = t; } return a; }", false);
  const ir_program *p = f.program;
  unsigned exchanges = 0;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *save = &p->edges.data[e];
    if (copied (p, save) == IR_NONE) continue;
    const ir_edge_data *first = edge_from (p, save->to), *second = edge_from (p, first->to);
    if (copied (p, first) == IR_NONE || copied (p, second) == IR_NONE) continue;
    exchanges +=
        copied (p, save) == first->dst.i && copied (p, first) == second->dst.i && copied (p, second) == save->dst.i;
  }
  assert_int_equal (exchanges, 1);
  fixture_release (&f);
}

// One edge per target of a switch, not per case.
static void test_switch (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f,
                "int main (int n, char **v) { switch (n) { case 1: case 2: case 3: case 9: return 4; case 7: return 5; "
                "} return 6; }",
                false);
  assert_int_equal (count_operations (f.program, IR_ASSUME), 3);
  fixture_release (&f);
}

// A function without a call is left out, unless its address is taken.
static void test_reachable (void **state) {
  (void) state;
  fixture f;
  fixture_init (
      &f, "void unused (void) {} void taken (void) {} void (*p) (void) = taken; int main (void) { p (); return 0; }",
      false);
  bool taken = false, unused = false;
  for (uint32_t i = 0; i < f.program->procs.count; i++) {
    taken |= !strcmp (f.program->procs.data[i].name, "taken");
    unused |= !strcmp (f.program->procs.data[i].name, "unused");
  }
  assert_true (taken);
  assert_false (unused);
  fixture_release (&f);
}

// ---- objects -----------------------------------------------------------------------------------------
static const ir_object_data *object_named (const ir_program *p, const char *name) {
  for (uint32_t i = 0; i < p->objects.count; i++)
    if (!strcmp (p->objects.data[i].name, name)) return &p->objects.data[i];
  fail_msg ("no object %s", name);
  return NULL;
}

static void test_initial_bytes (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f,
                "struct s { short a; struct s *next; int b[3]; }; struct s t = {3, &t, {1, 2}}; int *p = &t.b[2]; "
                "const int c = 5;"
                "int main (void) { return *p + c + *(&c + 0); }",
                false);
  const ir_object_data *t = object_named (f.program, "t"), *p = object_named (f.program, "p");
  assert_int_equal (t->init[0], 3);
  assert_int_equal (t->init[20], 2);
  assert_int_equal (t->relocations.count, 1);
  assert_int_equal (t->relocations.data[0].offset, 8);
  assert_int_equal (p->relocations.data[0].addend, 24);
  fixture_release (&f);
}

// With 32-bit pointers an offset has 16 bits, unless some object needs more.
static void test_pointer_layout (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, "int x; int main (void) { return x; }", true);
  assert_int_equal (f.program->pointer_bits, 32);
  assert_int_equal (f.program->offset_bits, 16);
  fixture_release (&f);
  fixture_init (&f, "char x[100000]; int main (void) { return x[5]; }", true);
  assert_int_equal (f.program->offset_bits, 17);
  fixture_release (&f);
}

// ---- assumptions and errors --------------------------------------------------------------------------
static void assert_in (const char *const *list, uint32_t count, const char *text) {
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp (list[i], text)) return;
  fail_msg ("not said: %s", text);
}

static void test_assumptions (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, "extern int out; int what (int); int main (int n, char **v) { return what (n) + out; }", false);
  const ir_program *p = f.program;
  assert_in (p->gaps.data, p->gaps.count, "`what` has no body: returns any value, taken to change nothing");
  assert_in (p->gaps.data, p->gaps.count, "`out` is not defined: holds any values");
  assert_in (p->assumptions.data, p->assumptions.count, "argc is at least 1");
  fixture_release (&f);
}

// In a program that frees memory, a compare-and-swap may find a reused address.
static void test_reuse (void **state) {
  (void) state;
  static const char swap[] =
      "#include <stdlib.h>\nvoid __lockstep_free (void *); _Atomic (int *) top; int main (void) { int *p = top; %s"
      "return __c11_atomic_compare_exchange_strong (&top, &p, (int *) malloc (4), 5, 5); }";
  static const char *const frees[] = {"", "__lockstep_free (p); "};
  for (unsigned k = 0; k < 2; k++) {
    fixture f;
    char text[400];
    snprintf (text, sizeof text, swap, frees[k]);
    fixture_init (&f, text, false);
    bool said = false;
    for (uint32_t i = 0; i < f.program->assumptions.count; i++)
      said |= strstr (f.program->assumptions.data[i], "not allocated again") != NULL;
    assert_int_equal (said, k);
    fixture_release (&f);
  }
}

// Objects whose address a function without a body may return; NULL: an invented object, or null.
static void test_returned_objects (void **state) {
  (void) state;
  static const struct {
    const char *declarations, *use, *returns;
  } functions[] = {
      {"struct s *get ();", "get ()->x", "`external struct s` or `another external struct s`"},
      {"typedef struct s *pointer; pointer get (int);", "get (1)->x",
       "`external struct s` or `another external struct s`"},
      {"union u { int x; char c; } *get (void);", "get ()->x", "`external union u` or `another external union u`"},
      {"struct s *get (void), own; static struct s hidden; const struct s fixed; __thread struct s local;",
       "get ()->x + own.x + hidden.x + fixed.x + local.x", "`external struct s`, `another external struct s` or `own`"},
      {"struct t { int n; struct s in[2]; } own; struct s *get (void); struct t *box (void);", "get ()->x + box ()->n",
       "`external struct s`, `another external struct s`, `external struct t.in[0]` or `own.in[0]`"},
      {"struct unknown *get (void);", "get () != 0", NULL},
      {"void *get (void);", "((struct s *) get ())->x", NULL},
      {"int *get (void);", "*get ()", NULL},
      {"char *get (void);", "*get ()", NULL},
      {"int (*get (void)) (void);", "get () != 0", NULL},
      {"struct s *get (void) __attribute__ ((malloc));", "get ()->x", NULL},
      {"struct s *get (void); int i;", "get ()[i].x", NULL},
      {"struct s *get (void); void free (void *);", "(free (get ()), 0)", NULL},
      {"#include <semaphore.h>\nstruct q { int x; sem_t full; } *get (void);", "get ()->x", NULL},
      {"#include <stdio.h>\nstruct q { int x; FILE *log; } *get (void);", "get ()->x",
       "`external struct q` or `another external struct q`"},
      {"#include <time.h>\n#define get() gmtime (0)", "get ()->tm_sec", NULL},
  };
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
    strbuf text = {0}, gap = {0};
    strbuf_printf (&text, "struct s { int x; };\n%s\nint main (void) { return %s; }\n", functions[i].declarations,
                   functions[i].use);
    const char *name = strstr (functions[i].declarations, "gmtime") ? "gmtime" : "get", *returns = functions[i].returns;
    strbuf_printf (&gap, "`%s` has no body: returns %sthe address of %s, taken to change nothing", name,
                   returns ? "" : "null or ",
                   returns ? returns : "an object with any contents (a text: at most one character)");
    fixture f;
    fixture_init (&f, strbuf_text (&text), i % 2);
    assert_in (f.program->gaps.data, f.program->gaps.count, strbuf_text (&gap));
    fixture_release (&f);
    strbuf_release (&gap);
    strbuf_release (&text);
  }
}

// A function without a body may call a function argument, if the call determines the arguments of that function.
static void test_callbacks (void **state) {
  (void) state;
  static const struct {
    const char *function, *declaration, *arguments;
    bool may_be_called;
  } cases[] = {
      {"void f (void) {}", "void out (void (*) (void));", "f", true},
      {"int n; void f (void *p) {}", "void out (int, void (*) (void *), void *);", "1, f, &n", true},
      {"void f (void *p) {}", "void out (void (*) (void *));", "f", false},
      {"void f (int n) {}", "void out (void (*) (int), int);", "f, 1", false},
      {"void f (void);", "void out (void (*) (void));", "f", false},
      {"void f (void) {}", "\n# 1 \"/usr/include/x.h\" 3\nvoid out (void (*) (void));\n# 9 \"t.c\"\n", "f", false},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    strbuf text = {0};
    strbuf_printf (&text, "%s %s int main (void) { out (%s); return 0; }\n", cases[i].function, cases[i].declaration,
                   cases[i].arguments);
    fixture f;
    fixture_init (&f, strbuf_text (&text), false);
    assert_int_equal (count_operations (f.program, IR_CALL), 1 + cases[i].may_be_called);
    if (cases[i].may_be_called)
      assert_in (f.program->gaps.data, f.program->gaps.count, "`out` has no body: may call `f` once before it returns");
    fixture_release (&f);
    strbuf_release (&text);
  }
}

// External objects start with undefined bytes, but with initialised locks and with pointers to other external objects.
static void test_external_contents (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f,
                "#include <pthread.h>\nstruct s { int x; pthread_spinlock_t spin; struct s *next; char *name; };\n"
                "struct s *get (void); int main (void) { return get ()->x; }",
                false);
  strbuf edges = {0};
  print_edges (f.program, &edges);
  assert_int_equal (count_operations (f.program, IR_FORGET), 4);
  assert_int_equal (count_operations (f.program, IR_STORE), 12);
  ir_object first = {(uint32_t) (object_named (f.program, "external struct s") - f.program->objects.data)};
  ir_object second = {(uint32_t) (object_named (f.program, "another external struct s") - f.program->objects.data)};
  strbuf expected = {0};
  strbuf_printf (&expected, "store.8 aux 1 &#%u+8, &#%u", first.i, second.i);
  assert_non_null (strstr (strbuf_text (&edges), strbuf_text (&expected)));
  strbuf_clear (&expected);
  strbuf_printf (&expected, "store.4 aux 1 &#%u+4, 0:32", second.i);
  assert_non_null (strstr (strbuf_text (&edges), strbuf_text (&expected)));
  strbuf_release (&expected);
  strbuf_release (&edges);
  fixture_release (&f);
}

static void test_no_entry (void **state) {
  (void) state;
  fixture f;
  strbuf said = {0};
  test_capture c = test_capture_begin ();
  fixture_init (&f, "int other (void) { return 0; }", false);
  test_capture_end (c, &said);
  assert_null (f.program);
  assert_says (&said, "no function `main`");
  fixture_release (&f);
  strbuf_release (&said);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_edges),
      cmocka_unit_test (test_phi_cycle),
      cmocka_unit_test (test_switch),
      cmocka_unit_test (test_reachable),
      cmocka_unit_test (test_initial_bytes),
      cmocka_unit_test (test_pointer_layout),
      cmocka_unit_test (test_assumptions),
      cmocka_unit_test (test_reuse),
      cmocka_unit_test (test_no_entry),
      cmocka_unit_test (test_returned_objects),
      cmocka_unit_test (test_external_contents),
      cmocka_unit_test (test_callbacks),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
