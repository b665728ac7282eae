// Points-to sets of small programs in text form. An access is found by its name; the objects that it may access are
// listed by name: static ones by their own, allocated ones by that of the ALLOC edge.
#include "analysis/pointsto.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/test.h"

#define HEADER "lockstep-ir 1 pointer_bits 64 offset_bits 32 "
#define OBJECTS "global #1 a : 8 bytes global #2 b : 8 bytes global #3 p : 8 bytes global #4 s : 24 bytes "
#define MAIN OBJECTS "function #5 main : 0 bytes start &main proc main = #5 () entry L0 "

typedef struct fixture {
  ir_program *p;
  pointsto *r;
  strbuf text;
} fixture;

static void fixture_init (fixture *f, const char *text) {
  char *error = NULL;
  *f = (fixture){.p = ir_parse (text, "t.ir", &error)};
  if (!f->p || !ir_check (f->p, &error)) fail_msg ("%s", error);
  f->r = pointsto_new (f->p);
}

static void fixture_release (fixture *f) {
  pointsto_free (f->r);
  ir_program_free (f->p);
  strbuf_release (&f->text);
}

static ir_edge edge_named (const fixture *f, const char *name) {
  for (uint32_t e = 0; e < f->p->edges.count; e++)
    if (f->p->edges.data[e].name && !strcmp (f->p->edges.data[e].name, name)) return (ir_edge){e};
  fail_msg ("no edge %s", name);
  return (ir_edge){0};
}

static const char *object_name (const fixture *f, uint32_t o) {
  if (o < f->p->objects.count) return f->p->objects.data[o].name;
  for (uint32_t e = 0; e < f->p->edges.count; e++)
    if (f->p->edges.data[e].op == IR_ALLOC && pointsto_site (f->r, (ir_edge){e}) == o) return f->p->edges.data[e].name;
  return "?";
}

static const char *touched (fixture *f, const char *edge) {
  ir_edge e = edge_named (f, edge);
  pointsto_set s = pointsto_arg (f->r, e, 0);
  strbuf_clear (&f->text);
  if (s.anything) strbuf_printf (&f->text, "anything");
  for (uint32_t k = 0; k < s.count; k++) {
    strbuf_printf (&f->text, "%s%s", k ? " " : "", object_name (f, s.objects[k]));
    assert_true (pointsto_may (f->r, e, 0, s.objects[k]));
    assert_true (k == 0 || s.objects[k - 1] < s.objects[k]);
  }
  uint32_t members = 0;
  for (uint32_t o = 1; o < pointsto_num_objects (f->r); o++) members += pointsto_may (f->r, e, 0, o);
  assert_int_equal (members, s.anything ? pointsto_num_objects (f->r) - 1 : s.count);
  return strbuf_text (&f->text);
}

static void assert_touches (const char *text, const char *edge, const char *expected) {
  fixture f;
  fixture_init (&f, text);
  assert_string_equal (touched (&f, edge), expected);
  fixture_release (&f);
}

// ---- values -------------------------------------------------------------------------------------------

static void address_and_copy (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ regs r0:64, r1:64, r2:64 L0: r0 = assign &a -> L1 L1: r1 = assign r0 -> L2"
                              " L2: store.8 r1, 0:64 name \"x\" -> L3 L3: exit 0:32 }",
                  "x", "a");
  assert_touches (HEADER MAIN "{ regs r0:64, r1:1 L0: r0 = assign (r1 ? &a : &b) -> L1"
                              " L1: store.8 r0, 0:64 name \"x\" -> L2 L2: exit 0:32 }",
                  "x", "a b");
  assert_touches (HEADER MAIN "{ regs r0:64 L0: store.8 r0, 0:64 name \"x\" -> L1 L1: exit 0:32 }", "x", "");
}

static void circle_of_copies (void **state) {
  (void) state;
  const char *text = HEADER MAIN "{ regs r0:64, r1:64, r2:64, r3:64 L0: r0 = assign r2 -> L1 L1: r1 = assign r0 -> L2"
                                 " L2: r2 = assign r1 -> L3 L3: r1 = assign &a -> L4 L4: r0 = load.8 &p -> L5"
                                 " L5: store.8 &p, &b -> L6 L6: store.8 r0, 0:64 name \"x\" -> L7"
                                 " L7: store.8 r2, 0:64 name \"y\" -> L8 L8: exit 0:32 }";
  assert_touches (text, "x", "a b");
  assert_touches (text, "y", "a b");
}

static void round_trips_through_integers (void **state) {
  (void) state;
  static const char *const round_trips[] = {
      "((&a | 1:64) & -2:64)",  "((&a ^ 77:64) ^ 77:64)", "(zext.64(trunc.32((&a u>> 32:64))) << 32:64)",
      "bswap.64(bswap.64(&a))", "trunc.64(zext.128(&a))", "((&a * 3:64) u/ 3:64)"};
  for (size_t k = 0; k < sizeof round_trips / sizeof *round_trips; k++) {
    char text[1000];
    snprintf (text, sizeof text,
              HEADER MAIN "{ regs r0:64 L0: r0 = assign %s -> L1 L1: store.8 r0, 0:64 name \"x\" -> L2 L2: exit 0:32 }",
              round_trips[k]);
    assert_touches (text, "x", "a");
  }
}

static void comparisons_carry_nothing (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ regs r0:64 L0: r0 = assign (&b + zext.64((&a == r0))) -> L1"
                              " L1: store.8 r0, 0:64 name \"x\" -> L2 L2: exit 0:32 }",
                  "x", "b");
}

static void inputs (void **state) {
  (void) state;
  const char *text =
      HEADER MAIN "{ regs r0:64, r1:32, r2:64, r3:64, r4:64, r5:8, r6:64"
                  " L0: r0 = nondet -> L1 L1: r1 = nondet -> L2 L2: r2 = alloc heap 8:64 name \"h\" -> L3"
                  " L3: store.1 r0, 0:8 name \"input\" -> L4"
                  " L4: store.1 (r0 + 8:64), 0:8 name \"moved\" -> L5"
                  " L5: store.1 (&a + r0), 0:8 name \"static[]\" -> L6"
                  " L6: store.4 (r2 + (r0 * 4:64)), 0:32 name \"scaled[]\" -> L7"
                  " L7: store.1 (r2 + (r0 & 255:64)), 0:8 name \"small[]\" -> L8"
                  " L8: store.1 (r2 + sext.64(r1)), 0:8 name \"narrow[]\" -> L9"
                  " L9: store.1 (r2 + r0), 0:8 name \"wide[]\" -> L10"
                  " L10: store.8 &s, r0 -> L11 L11: r5 = load.1 &s -> L12 L12: store.1 &p, r5 -> L13"
                  " L13: r6 = load.8 &p -> L14 L14: store.1 r6, 0:8 name \"bytewise\" -> L15 L15: exit 0:32 }";
  static const char *const expected[][2] = {{"input", "anything"},  {"moved", "anything"},   {"static[]", "a"},
                                            {"scaled[]", "h"},      {"small[]", "h"},        {"narrow[]", "h"},
                                            {"wide[]", "anything"}, {"bytewise", "anything"}};
  fixture f;
  fixture_init (&f, text);
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
    assert_string_equal (touched (&f, expected[k][0]), expected[k][1]);
  fixture_release (&f);
}

static void constant_may_name_an_object (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ L0: store.8 0x200000000:64, 0:64 name \"x\" -> L1 L1: exit 0:32 }", "x", "b");
  assert_touches (HEADER MAIN "{ L0: store.8 -1:64, 0:64 name \"x\" -> L1 L1: exit 0:32 }", "x", "");
}

// ---- memory -------------------------------------------------------------------------------------------

static void load_and_store (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ regs r0:64 L0: store.8 &p, &a -> L1 L1: r0 = load.8 &p -> L2"
                              " L2: store.8 r0, 0:64 name \"x\" -> L3 L3: exit 0:32 }",
                  "x", "a");
  assert_touches (HEADER MAIN "{ regs r0:64, r1:64, r2:1 L0: r0 = rmw.8 xchg &p, &a -> L1"
                              " L1: r1, r2 = cmpxchg.8 &p, &a, &b -> L2"
                              " L2: store.8 r1, 0:64 name \"x\" -> L3 L3: exit 0:32 }",
                  "x", "a b");
}

// Words of an object are distinguished until an access may be to several.
static void fields (void **state) {
  (void) state;
  const char *text = HEADER MAIN
      "{ regs r0:64, r1:64, r2:64, r3:64 L0: r0 = assign &s -> L1 L1: store.8 r0, &a -> L2"
      " L2: store.8 (r0 + 8:64), &b -> L3 L3: r1 = load.8 &s -> L4 L4: r2 = load.8 &s+8 -> L5"
      " L5: r3 = load.8 (r0 + (zext.64(trunc.8(r0)) * 8:64)) -> L6 L6: store.8 r1, 0:64 name \"first\" -> L7"
      " L7: store.8 r2, 0:64 name \"second\" -> L8 L8: store.8 r3, 0:64 name \"some\" -> L9 L9: exit 0:32 }";
  assert_touches (text, "first", "a");
  assert_touches (text, "second", "b");
  assert_touches (text, "some", "a b");
}

static void store_at_unknown_offset (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ regs r0:64, r1:64, r2:32 L0: r2 = nondet -> L1"
                              " L1: store.8 (&s + (zext.64(r2) * 8:64)), &a -> L2 L2: r0 = load.8 &s+16 -> L3"
                              " L3: store.8 r0, 0:64 name \"x\" -> L4 L4: exit 0:32 }",
                  "x", "a");
}

// A pointer that moves through its object in a loop.
static void walk (void **state) {
  (void) state;
  const char *text = HEADER MAIN
      "{ regs r0:64, r1:64, r2:1 L0: store.8 &s+16, &b -> L1 L1: r0 = assign &s -> L2 L2: r1 = load.8 r0 -> L3"
      " L3: store.8 r1, 0:64 name \"x\" -> L4 L4: r0 = assign (r0 + 8:64) -> L5"
      " L5: assume r2 -> L2 L5: assume (r2 ^ 1:1) -> L6 L6: exit 0:32 }";
  assert_touches (text, "x", "b");
}

static void struct_copied_bytewise (void **state) {
  (void) state;
  const char *text = HEADER MAIN
      "{ regs r0:64, r1:8, r2:8, r3:64, r4:1, r5:64 L0: store.8 &s+8, &a -> L1 L1: r5 = alloc stack 24:64 -> L2"
      " L2: r1, r2 = load_raw.1 (&s + r0) -> L3 L3: store_raw.1 (r5 + r0), r1, r2 -> L4"
      " L4: r0 = assign (r0 + 1:64) -> L5 L5: assume r4 -> L2 L5: assume (r4 ^ 1:1) -> L6"
      " L6: r3 = load.8 (r5 + 8:64) -> L7 L7: store.8 r3, 0:64 name \"x\" -> L8 L8: exit 0:32 }";
  assert_touches (text, "x", "a");
}

// The low half of a pointer to s is overwritten: then it may point to any word of s.
static void partly_overwritten_pointer (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ regs r0:64, r1:64 L0: store.8 &s+16, &a -> L1 L1: store.8 &p, &s -> L2"
                              " L2: store.4 &p, 16:32 -> L3 L3: r0 = load.8 &p -> L4 L4: r1 = load.8 r0 -> L5"
                              " L5: store.8 r1, 0:64 name \"x\" -> L6 L6: exit 0:32 }",
                  "x", "a");
}

static void partly_overwritten_somewhere (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ regs r0:64, r1:64, r2:32 L0: store.8 &s+16, &a -> L1 L1: store.8 &p, &s -> L2"
                              " L2: store.4 (&p + (zext.64(r2) * 4:64)), 16:32 -> L3 L3: r0 = load.8 &p -> L4"
                              " L4: r1 = load.8 r0 -> L5 L5: store.8 r1, 0:64 name \"x\" -> L6 L6: exit 0:32 }",
                  "x", "a");
}

static void store_through_anything (void **state) {
  (void) state;
  assert_touches (HEADER MAIN "{ regs r0:64, r1:64 L0: r0 = nondet -> L1 L1: store.8 r0, &b -> L2"
                              " L2: r1 = load.8 &s+8 -> L3 L3: store.8 r1, 0:64 name \"x\" -> L4 L4: exit 0:32 }",
                  "x", "b");
}

static void initial_addresses (void **state) {
  (void) state;
  assert_touches (HEADER "global #1 a : 8 bytes constant #2 table : 16 bytes reloc 0 &main reloc 8 &a+4 "
                         "function #3 main : 0 bytes start &main proc main = #3 () entry L0"
                         "{ regs r0:64 L0: r0 = load.8 &table+8 -> L1"
                         " L1: store.4 r0, 0:32 name \"x\" -> L2 L2: exit 0:32 }",
                  "x", "a");
}

// ---- calls and threads --------------------------------------------------------------------------------

#define FUNCTIONS                                                                                  \
  "global #1 a : 8 bytes global #2 b : 8 bytes global #3 p : 8 bytes thread_local #4 tl : 8 bytes" \
  " function #5 main : 0 bytes function #6 id : 0 bytes function #7 other : 0 bytes start &main"   \
  " proc id = #6 (r0:64) -> 64 entry L0 { L0: return r0 }"                                         \
  " proc other = #7 (r0:64) -> 64 entry L1 { regs r1:64"                                           \
  " L1: store.8 r0, 0:64 name \"argument\" -> L2 L2: thread_exit &tl } "

static void calls (void **state) {
  (void) state;
  const char *text =
      HEADER FUNCTIONS "proc main = #5 () entry L3 { regs r0:64, r1:64, r2:64 L3: r0 = call &id, &a -> L4"
                       " L4: store.8 r0, 0:64 name \"result\" -> L5 L5: exit 0:32 }";
  assert_touches (text, "result", "a");
  assert_touches (text, "argument", "");
}

static void indirect_calls (void **state) {
  (void) state;
  const char *one = HEADER FUNCTIONS
      "proc main = #5 () entry L3 { regs r0:64, r1:64 L3: store.8 &p, &id -> L4 L4: r0 = load.8 &p -> L5"
      " L5: r1 = call r0, &a -> L6 L6: store.8 r1, 0:64 name \"result\" -> L7 L7: exit 0:32 }";
  const char *any =
      HEADER FUNCTIONS "proc main = #5 () entry L3 { regs r0:64, r1:64 L3: r0 = nondet -> L4"
                       " L4: r1 = call r0, &a -> L5 L5: store.8 r1, 0:64 name \"result\" -> L6 L6: exit 0:32 }";
  assert_touches (one, "result", "a");
  assert_touches (one, "argument", "");
  assert_touches (any, "result", "a");
  assert_touches (any, "argument", "a");
}

static void threads (void **state) {
  (void) state;
  const char *text =
      HEADER FUNCTIONS "proc main = #5 () entry L3 { regs r0:32, r1:64 L3: r0 = thread_create &p, &other, &b -> L4"
                       " L4: r1 = thread_join 2:64 -> L5 L5: store.8 r1, 0:64 name \"result\" -> L6 L6: exit 0:32 }";
  assert_touches (text, "argument", "b");
  assert_touches (text, "result", "tl");
}

static void recursion_through_the_heap (void **state) {
  (void) state;
  const char *text = HEADER
      "global #1 a : 8 bytes function #2 main : 0 bytes function #3 push : 0 bytes start &main"
      " proc push = #3 (r0:64, r1:1) -> 64 entry L0 { regs r2:64, r3:64 L0: r2 = alloc heap 16:64 name \"node\" -> L1"
      " L1: store.8 (r2 + 8:64), r0 -> L2 L2: store.8 r2, &a -> L3 L3: assume r1 -> L4 L3: assume (r1 ^ 1:1) -> L5"
      " L4: r3 = call &push, r2, r1 -> L6 L5: return r2 L6: return r3 }"
      " proc main = #2 () entry L7 { regs r0:64, r1:64, r2:64 L7: r0 = call &push, 0:64, 1:1 -> L8"
      " L8: r1 = load.8 (r0 + 8:64) name \"next\" -> L9 L9: r2 = load.8 r1 name \"data\" -> L10"
      " L10: store.8 r2, 0:64 name \"x\" -> L11 L11: exit 0:32 }";
  assert_touches (text, "next", "node");
  assert_touches (text, "data", "node");
  assert_touches (text, "x", "a");
}

// ---- offsets ------------------------------------------------------------------------------------------

static void offsets (void **state) {
  (void) state;
  fixture f;
  fixture_init (
      &f, HEADER MAIN
      "{ regs r0:64, r1:1, r2:32, r3:64 L0: r0 = assign (r1 ? &s : &s+8) -> L1"
      " L1: store.4 r0, 0:32 name \"two\" -> L2 L2: store.4 &s+4, 0:32 name \"between\" -> L3"
      " L3: store.8 &s+4, 0:64 name \"across\" -> L4"
      " L4: store.4 (r0 + sext.64(r2)), 0:32 name \"somewhere\" -> L5"
      " L5: r3 = assign (&b + 4096:64) -> L6 L6: store.4 r3, 0:32 name \"far\" -> L7"
      " L7: store.4 &b, 0:32 name \"near\" -> L8 L8: r3 = nondet -> L9"
      " L9: store.4 r3, 0:32 name \"guessed\" -> L10 L10: store.4 0:64, 0:32 name \"null\" -> L11 L11: exit 0:32 }");
  ir_edge two = edge_named (&f, "two"), between = edge_named (&f, "between"), across = edge_named (&f, "across"),
          somewhere = edge_named (&f, "somewhere"), far = edge_named (&f, "far"), near = edge_named (&f, "near"),
          guessed = edge_named (&f, "guessed"), null = edge_named (&f, "null");
  pointsto_list l = pointsto_targets (f.r, two, 0);
  assert_int_equal (l.count, 2);
  assert_int_equal (l.targets[0].offset, 0);
  assert_int_equal (l.targets[1].offset, 8);
  l = pointsto_targets (f.r, somewhere, 0);
  assert_int_equal (l.count, 1);
  assert_int_equal (l.targets[0].offset, POINTSTO_ANY_OFFSET);
  assert_false (pointsto_overlap (f.r, two, 0, 4, between, 0, 4));
  assert_true (pointsto_overlap (f.r, two, 0, 4, across, 0, 8));
  assert_true (pointsto_overlap (f.r, between, 0, 4, across, 0, 8));
  assert_true (pointsto_overlap (f.r, between, 0, 4, somewhere, 0, 4));
  assert_true (pointsto_overlap (f.r, far, 0, 4, near, 0, 4));
  assert_false (pointsto_overlap (f.r, near, 0, 4, somewhere, 0, 4));
  assert_true (pointsto_overlap (f.r, guessed, 0, 4, two, 0, 4));
  assert_false (pointsto_overlap (f.r, guessed, 0, 4, null, 0, 4));
  fixture_release (&f);
}

// Fields of array elements are distinguished for every index.
static void array_of_structs (void **state) {
  (void) state;
  const char *text = HEADER
      "global #1 a : 8 bytes global #2 b : 8 bytes global #3 t : 160 bytes function #4 main : 0 bytes start &main"
      " proc main = #4 () entry L0 { regs r0:64, r1:64, r2:64"
      " L0: store.8 ((&t + (r0 * 16:64)) + 8:64), &a name \"field\" -> L1 L1: store.8 (&t + (r1 * 16:64)), &b name "
      "\"head\" -> L2"
      " L2: r2 = load.8 (&t + (r1 * 16:64)) -> L3 L3: store.8 r2, 0:64 name \"first\" -> L4"
      " L4: r2 = load.8 &t+40 -> L5 L5: exit 0:32 }";
  fixture f;
  fixture_init (&f, text);
  assert_false (pointsto_overlap (f.r, edge_named (&f, "field"), 0, 8, edge_named (&f, "head"), 0, 8));
  assert_true (pointsto_overlap (f.r, edge_named (&f, "field"), 0, 8, edge_named (&f, "field"), 0, 8));
  fixture_release (&f);
  assert_touches (text, "first", "a b");  // r2 is loaded twice: field of element 2, and head of any
}

static void kinds_of_input (void **state) {
  (void) state;
  const char *text = HEADER MAIN
      "{ regs r0:64, r1:64, r2:64 L0: r0 = nondet number -> L1 L1: r1 = nondet outside message \"f\" -> L2"
      " L2: r2 = load.8 (r1 + 8:64) -> L3 L3: store.8 r0, 0:64 name \"number\" -> L4"
      " L4: store.8 r1, &a name \"outside\" -> L5 L5: store.8 r2, 0:64 name \"inside\" -> L6 L6: exit 0:32 }";
  assert_touches (text, "number", "");
  assert_touches (text, "outside", "?");
  assert_touches (text, "inside", "?");
}

// The values that one call of a library model copies are not in the result of another.
static void models_are_copied (void **state) {
  (void) state;
  const char *text = HEADER OBJECTS
      "function #5 main : 0 bytes function #6 copy : 0 bytes start &main"
      " proc copy = #6 (r0:64, r1:64) internal entry L0 { regs r2:64, r3:64 L0: r2, r3 = load_raw.8 r1 -> L1"
      " L1: store_raw.8 r0, r2, r3 -> L2 L2: return }"
      " proc main = #5 () entry L3 { regs r0:64 L3: store.8 &s, &a -> L4 L4: store.8 &s+8, &b -> L5 L5: call &copy, "
      "&p, &s -> L6"
      " L6: call &copy, &s+16, &s+8 -> L7 L7: r0 = load.8 &p -> L8 L8: store.8 r0, 0:64 name \"x\" -> L9 L9: exit 0:32 "
      "}";
  assert_touches (text, "x", "a");
}

TEST_MAIN (cmocka_unit_test (array_of_structs), cmocka_unit_test (kinds_of_input), cmocka_unit_test (models_are_copied),
           cmocka_unit_test (address_and_copy), cmocka_unit_test (circle_of_copies),
           cmocka_unit_test (round_trips_through_integers), cmocka_unit_test (comparisons_carry_nothing),
           cmocka_unit_test (inputs), cmocka_unit_test (constant_may_name_an_object), cmocka_unit_test (load_and_store),
           cmocka_unit_test (fields), cmocka_unit_test (store_at_unknown_offset), cmocka_unit_test (walk),
           cmocka_unit_test (struct_copied_bytewise), cmocka_unit_test (partly_overwritten_pointer),
           cmocka_unit_test (partly_overwritten_somewhere), cmocka_unit_test (store_through_anything),
           cmocka_unit_test (initial_addresses), cmocka_unit_test (calls), cmocka_unit_test (indirect_calls),
           cmocka_unit_test (threads), cmocka_unit_test (recursion_through_the_heap), cmocka_unit_test (offsets))
