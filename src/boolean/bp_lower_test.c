// Lowering: the edges of single statements.  Verdicts of whole programs are rows of tests/tasks.txt.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boolean/text_test.h"

static char *lowered (const char *source) {
  bp_program *p = program_of (source);
  ir_program *out = bp_lower (p);
  bp_program_free (p);  // the result does not refer to it
  if (!out) return NULL;
  ir_simplify (out);
  char *error = NULL, *text = NULL;
  if (!ir_check (out, &error)) fail_msg ("%s", error);
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  ir_print (out, f);
  fclose (f);
  ir_program_free (out);
  return text;
}

static const struct {
  const char *source, *has, *has_not;
} cases[] = {
    // one access is one step without a region; a variable that is assigned before it is read gets no initial value
    {"decl a; void main() begin a := 1; assume(a); end", "store.1 seq_cst &a, 1:8 name \"a\" @1:27", "atomic_begin"},
    {"decl a; void main() begin a := 1; assume(a); end", "load.1 seq_cst &a", "nondet"},
    {"decl a, b; void main() begin a, b := 0, 0; end", "atomic_begin aux 1", "nondet"},
    {"decl a; void main() begin a := !a; end", "atomic_begin aux 1", "atomic_begin @"},
    // a statement in an atomic region of the source needs no region of its own
    {"decl a; void main() begin atomic_begin; a := 0; a := !a; atomic_end; end", "atomic_begin @", "aux 1"},
    // locals are bits; a value that is never read is not chosen
    {"void main() begin decl x; x := *; end", "thread_exit", "nondet"},
    {"void main() begin decl x; assert(x); end", "message \"assertion `x` failed\"", "load"},
    // a condition is evaluated once, and no choice is made
    {"decl a; void main() begin a := 0; if a then a := 1; fi; end", "assume trunc.1(", "nondet"},
    {"decl a; void main() begin a := 0; goto L, M; L: assume(a); a := 0; M: assume(!a); end", "assume trunc.1(",
     "nondet"},
    {"decl a; void main() begin a := 0; goto L, M; L: assume(a); a := 0; M: assume(a); end", "nondet", "aux 1"},
    // locals are passed to a new thread as bits of its argument
    {"decl a; void main() begin decl x, y, z; start_thread goto L; end_thread; L: a := x & z; end", "<< 1:64",
     "<< 2:64"},
};

static void statements_become_edges (void **state) {
  (void) state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = lowered (cases[i].source);
    if (!strstr (text, cases[i].has)) fail_msg ("%s\nhas no `%s`:\n%s", cases[i].source, cases[i].has, text);
    if (strstr (text, cases[i].has_not)) fail_msg ("%s\nhas `%s`:\n%s", cases[i].source, cases[i].has_not, text);
    free (text);
  }
}

// Edges have the numbers of their statement and choice.  Statements: 0: goto   1: a := *   2: end_thread.
static void edges_know_where_they_come_from (void **state) {
  (void) state;
  bp_program *p = program_of ("decl a, b; void main() begin L: goto L, M; M: a := b & *; end");
  ir_program *out = bp_lower (p);
  uint32_t found = 0;
  ir_simplify (out);
  for (uint32_t e = 0; e < out->edges.count; e++) {
    const ir_edge_data *d = &out->edges.data[e];
    bool initial = d->op == IR_NONDET && !d->statement, jump = d->op == IR_NONDET && d->statement == 1;
    if (initial) assert_int_equal (d->choice, 2);  // b; a is assigned before it is read
    if (jump) assert_int_equal (d->choice, 1);     // the first target
    if (d->op == IR_NONDET && !initial && !jump) assert_true (d->statement == 2 && d->choice == 1);
    if (d->op == IR_THREAD_EXIT) assert_int_equal (d->statement, 3);
    found += d->op == IR_NONDET || d->op == IR_THREAD_EXIT;
  }
  assert_int_equal (found, 4);
  ir_program_free (out);
  bp_program_free (p);
}

// 65 locals do not fit into an argument; those that are dead do not count.
static void many_locals (void **state) {
  (void) state;
  for (int needed = 64; needed <= 65; needed++) {
    strbuf text = {0};
    strbuf_add (&text, "decl a; void main() begin decl x0");
    for (int k = 1; k < 80; k++) strbuf_printf (&text, ", x%d", k);
    strbuf_add (&text, "; start_thread goto L; end_thread; L: a := x0");
    for (int k = 1; k < needed; k++) strbuf_printf (&text, " ^ x%d", k);
    strbuf_add (&text, "; end");
    char *out = lowered (strbuf_text (&text));
    assert_int_equal (out != NULL, needed == 64);
    free (out);
    strbuf_release (&text);
  }
}

TEST_MAIN (cmocka_unit_test (statements_become_edges), cmocka_unit_test (edges_know_where_they_come_from),
           cmocka_unit_test (many_locals))
