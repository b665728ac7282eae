// The text form: printing and parsing a program yields the same program; bad text is rejected with its line.
#include "base/test.h"
#include "ir/random_program_test.h"

static char *print_to_text (const ir_program *p) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream (&text, &size);
  ir_print (p, file);
  fclose (file);
  return text;
}

static ir_program *must_parse (const char *text) {
  char *error = NULL;
  ir_program *p = ir_parse (text, "t.ir", &error);
  if (!p) fail_msg ("%s", error);
  return p;
}

static void assert_same_text (const char *a, const char *b) {
  if (a && b) assert_true ((strcmp (a, b) == 0));
  else assert_true (a == b);
}

static void assert_same_position (const ir_position *a, const ir_position *b) {
  assert_same_text (a->file, b->file);
  assert_true (!a->file || (a->line == b->line && a->column == b->column));
}

static void assert_same_expr (const ir_program *p, ir_expr x, const ir_program *q, ir_expr y) {
  const ir_expr_node *a = ir_expr_at (p, x), *b = ir_expr_at (q, y);
  assert_int_equal (a->op, b->op);
  assert_int_equal (a->bits, b->bits);
  assert_int_equal (a->nsw, b->nsw);
  assert_int_equal (a->nuw, b->nuw);
  for (unsigned k = 0; k < ir_expr_arity (a->op); k++) assert_same_expr (p, a->arg[k], q, b->arg[k]);
  if (a->op == IR_X_CONST) assert_true (a->value == b->value);
  if (a->op == IR_X_REG) assert_int_equal (a->reg.i, b->reg.i);
  if (a->op == IR_X_ADDR) assert_true (a->object.i == b->object.i && a->offset == b->offset);
}

static void assert_same_edge (const ir_program *p, const ir_edge_data *a, const ir_program *q, const ir_edge_data *b) {
  assert_int_equal (a->op, b->op);
  assert_int_equal (a->from.i, b->from.i);
  assert_int_equal (a->to.i, b->to.i);
  assert_int_equal (a->dst.i, b->dst.i);
  assert_int_equal (a->dst2.i, b->dst2.i);
  assert_int_equal (a->bytes, b->bytes);
  assert_int_equal (a->order, b->order);
  assert_int_equal (a->aux, b->aux);
  assert_int_equal (a->origin, b->origin);
  assert_int_equal (a->is_volatile, b->is_volatile);
  assert_int_equal (a->num_args, b->num_args);
  assert_int_equal (a->num_name_args, b->num_name_args);
  for (uint32_t k = 0; k < a->num_args; k++)
    assert_same_expr (p, p->args.data[a->first_arg + k], q, q->args.data[b->first_arg + k]);
  for (uint32_t k = 0; k < a->num_name_args; k++)
    assert_same_expr (p, p->args.data[a->first_name_arg + k], q, q->args.data[b->first_name_arg + k]);
  assert_same_text (a->message, b->message);
  assert_same_text (a->name, b->name);
  assert_same_position (&a->pos, &b->pos);
}

static void assert_same_object (const ir_object_data *a, const ir_object_data *b) {
  assert_same_text (a->name, b->name);
  assert_true (a->kind == b->kind && a->size == b->size && a->align == b->align && a->type.i == b->type.i);
  assert_int_equal (!a->outside, !b->outside);
  if (a->outside) assert_string_equal (a->outside, b->outside);
  assert_true (a->proc.i == b->proc.i && a->internal == b->internal && !a->init == !b->init);
  assert_int_equal (a->argument, b->argument);
  assert_same_position (&a->pos, &b->pos);
  if (a->init) assert_memory_equal (a->init, b->init, a->size);
  assert_int_equal (a->relocations.count, b->relocations.count);
  for (uint32_t i = 0; i < a->relocations.count; i++)
    assert_memory_equal (&a->relocations.data[i], &b->relocations.data[i], sizeof (ir_relocation));
}

static void assert_same_type (const ir_type_data *a, const ir_type_data *b) {
  assert_same_text (a->name, b->name);
  assert_true (a->kind == b->kind && a->size == b->size && a->target.i == b->target.i && a->count == b->count);
  assert_int_equal (a->members.count, b->members.count);
  for (uint32_t i = 0; i < a->members.count; i++) {
    assert_same_text (a->members.data[i].name, b->members.data[i].name);
    assert_true (a->members.data[i].offset == b->members.data[i].offset &&
                 a->members.data[i].type.i == b->members.data[i].type.i);
  }
}

static void assert_same_proc (const ir_proc_data *a, const ir_proc_data *b) {
  assert_same_text (a->name, b->name);
  assert_same_position (&a->pos, &b->pos);
  assert_true (a->object.i == b->object.i && a->internal == b->internal && a->num_params == b->num_params);
  assert_true (a->result_bits == b->result_bits && a->entry.i == b->entry.i);
  assert_int_equal (a->regs.count, b->regs.count);
  for (uint32_t i = 0; i < a->regs.count; i++) {
    assert_same_text (a->regs.data[i].name, b->regs.data[i].name);
    assert_true (a->regs.data[i].bits == b->regs.data[i].bits && a->regs.data[i].type.i == b->regs.data[i].type.i);
  }
  assert_int_equal (a->locs.count, b->locs.count);
  for (uint32_t i = 0; i < a->locs.count; i++) assert_int_equal (a->locs.data[i].i, b->locs.data[i].i);
}

static void assert_same_program (const ir_program *p, const ir_program *q) {
  assert_true (p->pointer_bits == q->pointer_bits && p->offset_bits == q->offset_bits && p->start.i == q->start.i);
  assert_true (p->objects.count == q->objects.count && p->procs.count == q->procs.count &&
               p->locs.count == q->locs.count);
  assert_true (p->edges.count == q->edges.count && p->types.count == q->types.count &&
               p->files.count == q->files.count);
  assert_int_equal (p->assumptions.count, q->assumptions.count);
  assert_int_equal (p->gaps.count, q->gaps.count);
  for (uint32_t i = 0; i < p->gaps.count; i++) assert_same_text (p->gaps.data[i], q->gaps.data[i]);
  for (uint32_t i = 0; i < p->files.count; i++) assert_same_text (p->files.data[i], q->files.data[i]);
  for (uint32_t i = 0; i < p->assumptions.count; i++) assert_same_text (p->assumptions.data[i], q->assumptions.data[i]);
  for (uint32_t i = 0; i < p->types.count; i++) assert_same_type (&p->types.data[i], &q->types.data[i]);
  for (uint32_t i = 0; i < p->objects.count; i++) assert_same_object (&p->objects.data[i], &q->objects.data[i]);
  for (uint32_t i = 0; i < p->procs.count; i++) assert_same_proc (&p->procs.data[i], &q->procs.data[i]);
  for (uint32_t i = 0; i < p->locs.count; i++) {
    const ir_loc_data *a = &p->locs.data[i], *b = &q->locs.data[i];
    assert_true (a->proc.i == b->proc.i && a->first_edge == b->first_edge && a->num_edges == b->num_edges);
    assert_same_text (a->label, b->label);
  }
  for (uint32_t i = 0; i < p->edges.count; i++) assert_same_edge (p, &p->edges.data[i], q, &q->edges.data[i]);
}

static void random_programs_survive (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    ir_program *p = random_program (seed);
    char *error = NULL;
    if (!ir_check (p, &error)) fail_msg ("seed %u: %s", (unsigned) seed, error);
    char *text = print_to_text (p);
    ir_program *q = must_parse (text);
    char *again = print_to_text (q);
    assert_string_equal (text, again);
    assert_same_program (p, q);
    if (!ir_check (q, &error)) fail_msg ("seed %u after parsing: %s", (unsigned) seed, error);
    free (text);
    free (again);
    ir_program_free (p);
    ir_program_free (q);
  }
}

// The example of docs/formats/ir.md.
static const char example[] =
    "lockstep-ir 1\n"
    "pointer_bits 64\n"
    "offset_bits 32\n"
    "file \"a.c\"\n"
    "assumption \"foo() has no body: returns any value\"\n"
    "\n"
    "type t0 int \"int\" : 4 bytes\n"
    "type t1 struct \"struct node\" : 16 bytes { 0 \"value\" type t0, 8 \"next\" type t2 }\n"
    "type t2 pointer \"struct node *\" : 8 bytes of t1\n"
    "\n"
    "global #1 counter : 4 bytes align 4 type t0 init \"\\x01\" @\"a.c\":3:5\n"
    "global #2 list : 16 bytes align 8 type t1 reloc 8 &list @\"a.c\":4:13\n"
    "function #3 main : 0 bytes\n"
    "\n"
    "start &main\n"
    "\n"
    "proc main = #3 () -> 32 @\"a.c\":6:5 entry L0 {\n"
    "  regs r0:32 \"x\" type t0, r1:32, r2:1\n"
    "  L0: r0 = load.4 &counter name \"counter\" @8:11 -> L1\n"
    "  L1: r2 = assign (r0 s< 10:32) @8:19 -> L2\n"
    "  L2: assume r2 @8:3 -> L3\n"
    "  L2: assume (r2 ^ 1:1) @8:3 -> L4\n"
    "  L3 \"again\": store.4 volatile &counter, (r0 +.nsw 1:32) name \"counter\" @9:13 -> L0\n"
    "  L4: r1 = rmw.4 add seq_cst &list+8, -1:32 name \"list.next\" @10:3 -> L5\n"
    "  L5: check assert (r1 == 0:32) message \"r1 == 0\" @11:3 -> L6\n"
    "  L6: return (r2 ? zext.32(trunc.8(r0)) : 0xdeadbeef:32) @12:3\n"
    "}\n";

static void example_is_canonical (void **state) {
  (void) state;
  ir_program *p = must_parse (example);
  char *error = NULL;
  if (!ir_check (p, &error)) fail_msg ("%s", error);
  char *text = print_to_text (p);
  assert_string_equal (text, example);
  free (text);
  strbuf line = {0};
  ir_print_edge (p, (ir_edge){5}, &line);
  assert_string_equal (strbuf_text (&line), "r1 = rmw.4 add seq_cst &list+8, -1:32 name \"list.next\" -> L5");
  strbuf_release (&line);
  ir_program_free (p);
}

static void comments_and_blanks_are_free (void **state) {
  (void) state;
  ir_program *p = must_parse ("lockstep-ir 1 // first\npointer_bits 32 offset_bits\n20 function #1 f:0 bytes start&f\n"
                              "proc f=#1() entry L0{L0:exit 0:32}// end");
  assert_int_equal (p->pointer_bits, 32);
  assert_true (ir_check (p, NULL));
  ir_program_free (p);
}

#define HEAD "lockstep-ir 1\npointer_bits 64\noffset_bits 32\n"
#define BODY(LINES) \
  HEAD "global #1 g : 4 bytes\nfunction #2 f : 0 bytes\nproc f = #2 () entry L0 {\nregs r0:32, r1:1\n" LINES "}\n"

static void bad_text_is_refused (void **state) {
  (void) state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"", "t.ir:1: expected `lockstep-ir 1` before the end"},
      {"lockstep-ir 2", "t.ir:1: expected `lockstep-ir 1` before `lockstep-ir`"},
      {HEAD "nonsense", "t.ir:4: `nonsense` begins no statement"},
      {HEAD "global #2 g : 4 bytes", "t.ir:4: objects are numbered in order: #1 comes next"},
      {HEAD "global #1 g : 99999999999 bytes", "t.ir:4: a number here can be 4294967295 at most"},
      {HEAD "global #1 g : 2 bytes init \"abc\"", "t.ir:4: 3 initial bytes in an object of 2"},
      {HEAD "global #1 g : 2 bytes init \"abc", "t.ir:4: a string does not end"},
      {HEAD "global #1 g : 2 bytes init \"\\q\"",
       "t.ir:4: bad escape in a string: only \\n \\\" \\\\ and \\x with two digits are known"},
      {HEAD "global #1 g : 8 bytes reloc 0 &h\n\n", "t.ir:4: no object `h` is declared"},
      {HEAD "type t1 int : 4 bytes", "t.ir:4: types are numbered in order: t0 comes next"},
      {HEAD "type t0 integer : 4 bytes", "t.ir:4: `integer` is not a kind of type"},
      {HEAD "start &main", "t.ir:4: no object `main` is declared above"},
      {HEAD "function #1 f : 0 bytes\nstart &f\n", "t.ir:6: the start #1 is not a function with a body"},
      {HEAD "proc f = #1 () {}", "t.ir:4: no function #1 is declared above"},
      {HEAD "function #1 f : 0 bytes proc f = #1 () {}\nproc f = #1 () {}", "t.ir:5: function #1 has a body already"},
      {BODY ("L0: frob 1:32\n"), "t.ir:8: `frob` is not an operation"},
      {BODY ("L0: r0 = load.x &g -> L0\n"), "t.ir:8: `load.x` is not an operation"},
      {BODY ("L0: r0 = assign r7 -> L0\n"), "t.ir:8: r7 is not a register of f"},
      {BODY ("L0: r0 = assign (r0 ++ r0) -> L0\n"), "t.ir:8: `++` is not an operator"},
      {BODY ("L0: r0 = assign (r0 &.nsw r0) -> L0\n"), "t.ir:8: `&.nsw` is not an operator"},
      {BODY ("L0: r0 = assign zext.0(r0) -> L0\n"), "t.ir:8: `zext.0` is not an operator with its width"},
      {BODY ("L0: r0 = assign 256:8 -> L0\n"), "t.ir:8: a constant does not fit into its 8 bits"},
      {BODY ("L0: r0 = assign 1:129 -> L0\n"), "t.ir:8: a number here can be 128 at most"},
      {BODY ("L0: r0 = assign &h -> L0\n"), "t.ir:8: no object `h` is declared above"},
      {BODY ("L0: nop @3:4 -> L0\n"), "t.ir:8: a position without a file, in no procedure with a file"},
      {BODY ("L1: nop -> L1\n"), "t.ir:10: L0 has no line; locations are numbered without gaps"},
      {BODY ("L4000000000: nop -> L1\n"), "t.ir:8: a number here can be 159 at most"},
      {BODY ("regs r5:32"), "t.ir:8: registers are numbered in order: r2 comes next"},
      {BODY ("L0: nop -> L0 ("), "t.ir:8: expected L and a number"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *error = NULL;
    assert_null (ir_parse (cases[i].text, "t.ir", &error));
    assert_string_equal (error, cases[i].error);
    free (error);
  }
}

static void deep_nesting_is_refused (void **state) {
  (void) state;
  strbuf text = {0};
  strbuf_add (&text, HEAD "function #1 f : 0 bytes\nproc f = #1 () { L0: exit ");
  for (unsigned i = 0; i < 100000; i++) strbuf_add_char (&text, '(');
  char *error = NULL;
  assert_null (ir_parse (strbuf_text (&text), "t.ir", &error));
  assert_string_equal (error, "t.ir:5: an expression is nested deeper than 400");
  free (error);
  strbuf_release (&text);
}

// Text that is truncated or has one character changed is parsed or rejected, without a crash.
static void damaged_text_does_not_crash (void **state) {
  (void) state;
  rng r = {7};
  size_t length = strlen (example);
  char *text = malloc (length + 1);
  for (size_t i = 0; i < 3 * length; i++) {
    memcpy (text, example, length + 1);
    if (i < length) text[i] = 0;
    else text[rng_below (&r, (uint32_t) length)] = (char) (32 + rng_below (&r, 95));
    char *error = NULL;
    ir_program *p = ir_parse (text, NULL, &error);
    assert_true (!p == !!error);
    if (p && !ir_check (p, &error)) assert_non_null (error);
    free (error);
    ir_program_free (p);
  }
  free (text);
}

TEST_MAIN (cmocka_unit_test (random_programs_survive), cmocka_unit_test (example_is_canonical),
           cmocka_unit_test (comments_and_blanks_are_free), cmocka_unit_test (bad_text_is_refused),
           cmocka_unit_test (deep_nesting_is_refused), cmocka_unit_test (damaged_text_does_not_crash))
