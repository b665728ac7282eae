// Which locations are threaded and which loads are stable.  Names of loads begin with + if they should be stable, else
// with -.
#include "engine/locks/states/states_impl.h"

#include "engine/locks/states/states_test.h"

#define THREAD CREATE ("one", "0:64")

static void check_stable (const char *start, const char *one, const char *help) {
  ir_program *p = program_of_bodies (start, one, NULL, help);
  pointsto *targets = pointsto_new (p);
  stable s;
  uint32_t checked = 0;
  stable_init (&s, p, targets);
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const char *name = p->edges.data[e].name;
    if (!name || (name[0] != '+' && name[0] != '-')) continue;
    if (stable_load (&s, (ir_edge){e}) != (name[0] == '+')) fail_msg ("%s is not as it should be", name);
    checked++;
  }
  assert_true (checked > 0);
  stable_release (&s);
  pointsto_free (targets);
  ir_program_free (p);
}

static void written_only_before_the_first_thread (void **state) {
  (void) state;
  check_stable ("store.8 &p, &a; r0 = load.8 &p name '- early'; " THREAD "r0 = load.8 &p name '+ late'; " EXIT,
                "r1 = load.8 &p name '+ in the thread'; " RETURN, NULL);
}

static void written_later (void **state) {
  (void) state;
  check_stable (THREAD "store.8 &p, &a; " EXIT, "r1 = load.8 &p name '-'; r1 = load.8 &x name '+ another'; " RETURN,
                NULL);
  check_stable (THREAD EXIT, "r1 = load.8 &p name '-'; r1 = rmw.8 add seq_cst &p, 1:64; " RETURN, NULL);
  check_stable (THREAD EXIT, "r1, r10 = cmpxchg.8 seq_cst &p, 0:64, 1:64; r1 = load.8 &p name '-'; " RETURN, NULL);
  check_stable (THREAD EXIT, "r1 = load.8 &h name '+ before it is written'; " RETURN, NULL);
  check_stable (THREAD THREAD EXIT, "r1 = load.8 &h name '- a handle'; " RETURN, NULL);
}

static void written_in_a_loop_that_creates (void **state) {
  (void) state;
  check_stable ("L1: store.8 &p, &a; " THREAD "r10 = nondet; if r10 L1; " EXIT, "r1 = load.8 &p name '-'; " RETURN,
                NULL);
  check_stable ("L1: store.8 &p, &a; r10 = nondet; if r10 L1; " THREAD EXIT, "r1 = load.8 &p name '+'; " RETURN, NULL);
}

#define SETS "store.8 r0, r1; " RETURN

static void a_helper_that_is_called_early_and_late_is_late (void **state) {
  (void) state;
  check_stable ("r0 = call &help, &p, &a; " THREAD EXIT, "r1 = load.8 &p name '+'; " RETURN, SETS);
  check_stable ("r0 = call &help, &p, &a; " THREAD "r0 = call &help, &x, &a; " EXIT, "r1 = load.8 &p name '-'; " RETURN,
                SETS);
}

static void what_follows_a_call_that_creates_is_late (void **state) {
  (void) state;
  check_stable ("r0 = call &help, 0:64, 0:64; store.8 &p, &a; " EXIT, "r1 = load.8 &p name '-'; " RETURN,
                THREAD RETURN);
  check_stable ("store.8 &p, &a; r0 = call &help, 0:64, 0:64; " EXIT, "r1 = load.8 &p name '+'; " RETURN,
                THREAD RETURN);
}

static void words_of_an_object_are_told_apart (void **state) {
  (void) state;
  check_stable (
      THREAD "store.4 &s+20, 1:32; " EXIT,
      "r1 = load.8 &s+8 name '+'; r1 = load.8 &s+16 name '-'; r1 = load.8 &s+24 name '+'; r6 = load.4 &s+22 name '-'; "
      "r6 = load.4 &s+14 name '- over the border'; " RETURN,
      NULL);
  check_stable (THREAD "r1 = nondet number; store.8 (&s + r1), 1:64; " EXIT,
                "r1 = load.8 &s+8 name '- anywhere'; " RETURN, NULL);
  check_stable (THREAD "store.8 &s+8, 1:64; " EXIT,
                "r1 = nondet number; r1 = load.8 (&s + r1) name '- from anywhere'; " RETURN, NULL);
}

static void freed_memory_is_not_stable (void **state) {
  (void) state;
  check_stable ("r0 = alloc heap 8:64; store.8 r0, 1:64; store.8 &p, r0; " THREAD EXIT,
                "r1 = load.8 &p; r2 = load.8 r1 name '+'; " RETURN, NULL);
  check_stable ("r0 = alloc heap 8:64; store.8 r0, 1:64; store.8 &p, r0; " THREAD "free r0; " EXIT,
                "r1 = load.8 &p; r2 = load.8 r1 name '-'; " RETURN, NULL);
}

static void a_store_to_anywhere_may_hit_everything (void **state) {
  (void) state;
  check_stable (THREAD EXIT, "r1 = nondet; store.8 r1, 1:64; r2 = load.8 &p name '-'; " RETURN, NULL);
}

TEST_MAIN (cmocka_unit_test (written_only_before_the_first_thread), cmocka_unit_test (written_later),
           cmocka_unit_test (written_in_a_loop_that_creates),
           cmocka_unit_test (a_helper_that_is_called_early_and_late_is_late),
           cmocka_unit_test (what_follows_a_call_that_creates_is_late),
           cmocka_unit_test (words_of_an_object_are_told_apart), cmocka_unit_test (freed_memory_is_not_stable),
           cmocka_unit_test (a_store_to_anywhere_may_hit_everything))
