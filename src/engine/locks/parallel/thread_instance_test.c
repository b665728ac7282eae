// Threads told apart by their argument: can two of them touch a common byte by the accesses named?
#include "engine/locks/parallel/parallel.h"

#include "engine/locks/states/states_test.h"

// Creates threads that run `one` with the argument; r6 counts them.
#define LOOP(BEFORE, ARGUMENT, AFTER) \
  "r6 = assign 0:32; L1: " BEFORE CREATE ("one", ARGUMENT) AFTER "r6 = assign (r6 + 1:32); if (r6 s< 4:32) L1; " EXIT
#define ELEMENT "(&s + (sext.64(r6) * 48:64))"
#define NUMBER "sext.64(r6)"
#define DATA "store.8 (r0 + 40:64), 1:64 name 'data'; "

static placed_access access_of (lock_fixture *f, const char *kind, const char *name) {
  ir_edge e = edge_of (f, name);
  return (placed_access){.kind = kind_named (f, kind), .edge = e, .bytes = ir_edge_at (f->program, e)->bytes};
}

static bool apart_with (const char *start, const char *one, const char *help, const char *kind, const char *x,
                        const char *y) {
  lock_fixture f;
  instances t;
  fixture_init (&f, start, one, NULL, help);
  instances_init (&t, &f.a);
  bool yes = instances_disjoint (&t, access_of (&f, kind, x), access_of (&f, "one", y));
  assert_int_equal (yes, instances_disjoint (&t, access_of (&f, "one", y), access_of (&f, kind, x)));
  instances_release (&t);
  fixture_release (&f);
  return yes;
}

static bool apart (const char *start, const char *one) { return apart_with (start, one, NULL, "one", "data", "data"); }

static void each_has_its_own_element (void **state) {
  (void) state;
  assert_true (apart (LOOP ("", ELEMENT, ""), DATA RETURN));
  assert_true (apart (LOOP ("", NUMBER, ""), "store.8 (&s + (r0 * 8:64)), 1:64 name 'data'; " RETURN));
  assert_true (apart (LOOP ("", NUMBER, ""), "store.8 (&s + (r0 << 3:64)), 1:64 name 'data'; " RETURN));
}

static void all_have_the_same_argument (void **state) {
  (void) state;
  assert_false (apart (LOOP ("", "&s", ""), DATA RETURN));
}

static void the_access_does_not_depend_on_the_argument (void **state) {
  (void) state;
  assert_false (apart (LOOP ("", ELEMENT, ""), "store.8 &x, 1:64 name 'data'; " RETURN));
  assert_false (
      apart (LOOP ("", ELEMENT, ""), "r1 = load.8 &x; store.8 (r0 + r1), 1:64 name 'data'; store.8 &x, 1:64; " RETURN));
  assert_false (apart (LOOP ("", ELEMENT, ""), "r0 = assign &s; " DATA RETURN));
}

static void elements_overlap_if_they_are_too_near (void **state) {
  (void) state;
  assert_false (apart (LOOP ("", NUMBER, ""), "store.8 (&s + (r0 * 4:64)), 1:64 name 'data'; " RETURN));
  assert_true (apart (LOOP ("", NUMBER, ""), "store.4 (&s + (r0 * 4:64)), 1:32 name 'data'; " RETURN));
  const char *both = DATA "store.8 (r0 + 88:64), 1:64 name 'next'; store.8 (r0 + 8:64), 1:64 name 'near'; " RETURN;
  assert_false (apart_with (LOOP ("", ELEMENT, ""), both, NULL, "one", "data", "next"));
  assert_true (apart_with (LOOP ("", ELEMENT, ""), both, NULL, "one", "data", "near"));
}

static void accesses_at_different_strides_overlap_somewhere (void **state) {
  (void) state;
  const char *both =
      "store.8 (&s + (r0 * 8:64)), 1:64 name 'data'; store.8 (&s + (r0 * 16:64)), 1:64 name 'wide'; " RETURN;
  assert_false (apart_with (LOOP ("", NUMBER, ""), both, NULL, "one", "data", "wide"));
  assert_true (apart_with (LOOP ("", NUMBER, ""), both, NULL, "one", "wide", "wide"));
}

static void the_counter_must_count (void **state) {
  (void) state;
  assert_false (
      apart ("r6 = assign 0:32; L1: " CREATE (
                 "one", ELEMENT) "r10 = nondet; if r10 L1; r6 = assign (r6 + 1:32); if (r6 s< 4:32) L1; " EXIT,
             DATA RETURN));
  assert_false (apart (LOOP ("", ELEMENT, "r10 = nondet; if r10 L2; r6 = assign 0:32; L2: "), DATA RETURN));
  assert_false (apart ("L2: " LOOP ("", ELEMENT, "r10 = nondet; if r10 L2; "), DATA RETURN));
  assert_false (apart (LOOP ("r6 = nondet; ", ELEMENT, ""), DATA RETURN));
  assert_false (
      apart ("L2: r6 = assign 0:32; L1: " CREATE (
                 "one", ELEMENT) "r6 = assign (r6 + 1:32); if (r6 s< 4:32) L1; r10 = nondet; if r10 L2; " EXIT,
             DATA RETURN));
}

#define FROM "(r1 + (sext.64(r6) * 48:64))"

// An element counted from a pointer that goes back, or elsewhere, may be the same one.
static void what_the_counter_is_added_to_must_stay (void **state) {
  (void) state;
  assert_true (apart ("r1 = nondet; " LOOP ("", FROM, ""), DATA RETURN));
  assert_false (apart ("r1 = assign &s; " LOOP ("", FROM, "r1 = assign (r1 - 48:64); "), DATA RETURN));
  assert_false (apart (LOOP ("r1 = nondet; ", FROM, ""), DATA RETURN));
  assert_false (
      apart ("r1 = assign &s; " LOOP ("", FROM, "r10 = nondet; if r10 L2; r1 = assign &x; L2: "), DATA RETURN));
}

#define IN_HELP "r6 = assign 0:32; L1: " CREATE ("one", ELEMENT) "r6 = assign (r6 + 1:32); if (r6 s< 4:32) L1; " RETURN

static void the_loop_must_run_once (void **state) {
  (void) state;
  assert_true (apart_with ("r0 = call &help, 0:64, 0:64; " EXIT, DATA RETURN, IN_HELP, "one", "data", "data"));
  assert_false (apart_with ("r0 = call &help, 0:64, 0:64; r0 = call &help, 0:64, 0:64; " EXIT, DATA RETURN, IN_HELP,
                            "one", "data", "data"));
  assert_false (apart_with ("L1: r0 = call &help, 0:64, 0:64; r10 = nondet; if r10 L1; " EXIT, DATA RETURN, IN_HELP,
                            "one", "data", "data"));
}

static void an_argument_passed_on_is_followed (void **state) {
  (void) state;
  const char *help = "store.8 (r1 + 40:64), 1:64 name 'data'; " RETURN;
  assert_true (apart_with (LOOP ("", ELEMENT, ""), "r1 = call &help, 0:64, r0; " RETURN, help, "one", "data", "data"));
  assert_false (apart_with (LOOP ("", ELEMENT, ""), "r1 = call &help, 0:64, &s; " RETURN, help, "one", "data", "data"));
  assert_false (apart_with (LOOP ("", ELEMENT, ""), "r1 = call &help, 0:64, &s; r1 = call &help, 0:64, r0; " RETURN,
                            help, "one", "data", "data"));
}

#define FILL "store.8 (" ELEMENT " + 40:64), 0:64 name 'fill'; "

static void the_creator_fills_an_element_before_it_gives_it_away (void **state) {
  (void) state;
  assert_true (apart_with (LOOP (FILL, ELEMENT, ""), DATA RETURN, NULL, "start", "fill", "data"));
  assert_false (apart_with (LOOP ("", ELEMENT, FILL), DATA RETURN, NULL, "start", "fill", "data"));
  assert_false (
      apart_with (LOOP ("store.8 &s+40, 0:64 name 'fill'; ", ELEMENT, ""), DATA RETURN, NULL, "start", "fill", "data"));
  assert_false (apart_with (LOOP ("store.8 ((" ELEMENT " + 40:64) - 48:64), 0:64 name 'fill'; ", ELEMENT, ""),
                            DATA RETURN, NULL, "start", "fill", "data"));
}

#define FRESH "r1 = alloc heap 64:64; "

static void each_has_memory_of_its_own (void **state) {
  (void) state;
  assert_true (apart (LOOP (FRESH, "r1", ""), DATA RETURN));
  assert_true (apart (LOOP (FRESH, "(r1 + 8:64)", ""), DATA RETURN));
  assert_false (apart (FRESH LOOP ("", "r1", ""), DATA RETURN));
  assert_false (apart (LOOP ("r10 = nondet; if r10 L2; " FRESH "L2: nop; ", "r1", ""), DATA RETURN));
  assert_false (apart (LOOP (FRESH "r1 = assign &s; ", "r1", ""), DATA RETURN));
  assert_false (apart (LOOP (FRESH "store.8 &p, r1; r2 = load.8 &p; ", "r2", ""), DATA RETURN));
}

static void memory_reached_from_there_is_not_its_own (void **state) {
  (void) state;
  assert_false (
      apart (LOOP (FRESH "store.8 r1, &s; ", "r1", ""), "r2 = load.8 r0; store.8 r2, 1:64 name 'data'; " RETURN));
  assert_false (apart (LOOP (FRESH, "r1", ""), "r0 = assign &s; " DATA RETURN));
}

// Every activation of the creator allocates.
static void the_creator_of_fresh_memory_may_run_often (void **state) {
  (void) state;
  assert_true (apart_with ("L1: r0 = call &help, 0:64, 0:64; r10 = nondet; if r10 L1; " EXIT, DATA RETURN,
                           "r2 = alloc heap 64:64; " CREATE ("one", "r2") RETURN, "one", "data", "data"));
}

TEST_MAIN (cmocka_unit_test (each_has_its_own_element), cmocka_unit_test (all_have_the_same_argument),
           cmocka_unit_test (the_access_does_not_depend_on_the_argument),
           cmocka_unit_test (elements_overlap_if_they_are_too_near),
           cmocka_unit_test (accesses_at_different_strides_overlap_somewhere),
           cmocka_unit_test (the_counter_must_count), cmocka_unit_test (what_the_counter_is_added_to_must_stay),
           cmocka_unit_test (the_loop_must_run_once), cmocka_unit_test (an_argument_passed_on_is_followed),
           cmocka_unit_test (the_creator_fills_an_element_before_it_gives_it_away),
           cmocka_unit_test (each_has_memory_of_its_own), cmocka_unit_test (memory_reached_from_there_is_not_its_own),
           cmocka_unit_test (the_creator_of_fresh_memory_may_run_often))
