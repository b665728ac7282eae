// Which threads run in parallel, in small programs in text form. Locations are found by the names of their accesses; a
// kind by the name of its procedure.
#include "analysis/threads.h"

#include "analysis/text_test.h"

// Handles are in g and in main's local array r1; w and v are procedures of threads, which access x.
#define HEADER                                                                                                       \
  "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 g : 64 bytes global #2 n : 4 bytes global #3 x : 8 bytes " \
  "function #4 main : 0 bytes function #5 w : 0 bytes function #6 v : 0 bytes function #7 help : 0 bytes start &main "
#define REGS "regs r1:64, r2:64, r3:64, r4:64, r5:32, r6:1, r7:32, r8:32 "
#define MAIN "proc main = #4 () entry L0 { regs r0:64 " REGS " L0: r1 = alloc stack 64:64 -> L1 "
#define W \
  "proc w = #5 (r0:64) -> 64 entry L100 { " REGS " L100: store.8 &x, 1:64 name \"w\" -> L101 L101: return 0:64 } "
#define V \
  "proc v = #6 (r0:64) -> 64 entry L110 { " REGS " L110: store.8 &x, 1:64 name \"v\" -> L111 L111: return 0:64 } "
#define HELP "proc help = #7 (r0:64) -> 64 entry L120 { " REGS " L120: return 0:64 } "

typedef struct fixture {
  ir_program *p;
  pointsto *pointsto;
  threads *t;
} fixture;

static void fixture_init (fixture *f, const char *text) {
  f->p = program_of_text (text);
  f->pointsto = pointsto_new (f->p);
  f->t = threads_new (f->p, f->pointsto);
}

static void fixture_release (fixture *f) {
  threads_free (f->t);
  pointsto_free (f->pointsto);
  ir_program_free (f->p);
}

static ir_loc place (const fixture *f, const char *name) { return ir_edge_at (f->p, edge_named (f->p, name))->from; }

// Returns whether the two accesses may happen in parallel, in some threads.
static bool meet (const fixture *f, const char *x, const char *y) {
  ir_loc lx = place (f, x), ly = place (f, y);
  for (uint32_t a = 0; a < threads_count (f->t); a++)
    for (uint32_t b = 0; b < threads_count (f->t); b++) {
      bool may = threads_parallel (f->t, a, lx, b, ly);
      assert_int_equal (may, threads_parallel (f->t, b, ly, a, lx));
      if (may) return true;
    }
  return false;
}

// Checks pairs of names, separated by blanks: "main:w" may happen in parallel, "!main:w" may not.
static void assert_meet (const char *text, const char *pairs) {
  fixture f;
  fixture_init (&f, text);
  char copy[200], *state;
  snprintf (copy, sizeof copy, "%s", pairs);
  for (char *pair = strtok_r (copy, " ", &state); pair; pair = strtok_r (NULL, " ", &state)) {
    bool expected = *pair != '!';
    char *first = pair + !expected, *second = strchr (first, ':');
    *second++ = 0;
    if (meet (&f, first, second) != expected)
      fail_msg ("%s and %s: %s expected", first, second, expected ? "parallel" : "apart");
  }
  fixture_release (&f);
}

static void before_and_after (void **state) {
  (void) state;
  assert_meet (HEADER MAIN
               "L1: store.8 &x, 0:64 name \"before\" -> L2 L2: r7 = thread_create r1, &w, 0:64 -> L3"
               " L3: store.8 &x, 0:64 name \"during\" -> L4 L4: r2 = load.8 r1 -> L5 L5: r3 = thread_join r2 -> L6"
               " L6: store.8 &x, 0:64 name \"after\" -> L7 L7: exit 0:32 } " W V HELP,
               "!before:w during:w !after:w !w:w");
}

static void handle_that_was_overwritten (void **state) {
  (void) state;
  assert_meet (HEADER MAIN "L1: r7 = thread_create r1, &w, 0:64 -> L2 L2: r7 = thread_create r1, &v, 0:64 -> L3"
                           " L3: r2 = load.8 r1 -> L4 L4: r3 = thread_join r2 -> L5"
                           " L5: store.8 &x, 0:64 name \"after\" -> L6 L6: exit 0:32 } " W V HELP,
               "after:w !after:v v:w");
}

static void one_after_the_other (void **state) {
  (void) state;
  assert_meet (HEADER MAIN
               "L1: r7 = thread_create &g, &w, 0:64 -> L2 L2: r2 = load.8 &g -> L3 L3: r3 = thread_join r2 -> L4"
               " L4: r7 = thread_create &g, &v, 0:64 -> L5 L5: exit 0:32 } " W V HELP,
               "!v:w");
}

static void detached_is_not_joined (void **state) {
  (void) state;
  assert_meet (HEADER MAIN
               "L1: r7 = thread_create &g, &w, 0:64 -> L2 L2: r2 = load.8 &g -> L3 L3: thread_detach r2 -> L4"
               " L4: r3 = thread_join r2 -> L5 L5: store.8 &x, 0:64 name \"after\" -> L6 L6: exit 0:32 } " W V HELP,
               "after:w");
}

#define LOOP(COUNTER, FIRST, BOUND, HEAD, BODY, END)                                                              \
  "L" #FIRST ": " COUNTER " = assign 0:32 -> L" #HEAD " L" #HEAD ": assume (" COUNTER " s< " BOUND ") -> L" #BODY \
  " L" #HEAD ": assume (" BOUND " s<= " COUNTER ") -> L" #END " "
#define STEP(COUNTER, AT, HEAD) "L" #AT ": " COUNTER " = assign (" COUNTER " + 1:32) -> L" #HEAD " "

#define JOIN_ALL(BOUND)           \
  LOOP ("r7", 7, BOUND, 8, 9, 12) \
  "L9: r2 = load.8 (r1 + (sext.64(r7) * 8:64)) -> L10 L10: r3 = thread_join r2 -> L11 " STEP ("r7", 11, 8)
#define AFTER "L12: store.8 &x, 0:64 name \"after\" -> L13 L13: exit 0:32 } " W V HELP

#define BATCH(CREATED, BETWEEN, JOINED)                                                                         \
  HEADER "proc main = #4 () entry L0 { regs r0:64 regs r1:64, r2:64, r3:64, r4:32, r5:32, r6:1, r7:32, r8:32 "  \
         "L0: r1 = alloc stack 64:64 -> L1 L1: r8 = nondet -> L2 " LOOP (                                       \
             "r5", 2, CREATED, 3, 4,                                                                            \
             6) "L4: r4 = thread_create (r1 + (sext.64(r5) * 8:64)), &w, 0:64 -> L5 " STEP ("r5", 5, 3) BETWEEN \
         JOIN_ALL (JOINED)                                                                                      \
  AFTER

static void loops_with_constant_bounds (void **state) {
  (void) state;
  assert_meet (BATCH ("4:32", "L6: nop -> L7 ", "4:32"), "w:w !after:w");
  assert_meet (BATCH ("4:32", "L6: nop -> L7 ", "3:32"), "w:w after:w");
  assert_meet (BATCH ("1000:32", "L6: nop -> L7 ", "1000:32"), "w:w !after:w");
}

static void loops_with_unknown_bounds (void **state) {
  (void) state;
  assert_meet (BATCH ("r8", "L6: nop -> L7 ", "r8"), "w:w !after:w");
  assert_meet (BATCH ("r8", "L6: r8 = nondet -> L7 ", "r8"), "after:w");
  assert_meet (BATCH ("r8", "L6: nop -> L7 ", "r4"), "after:w");
  assert_meet (BATCH ("r8", "L6: store.8 r1, 0:64 -> L7 ", "r8"), "after:w");
  assert_meet (BATCH ("r8", "L6: r4 = thread_create r1, &v, 0:64 -> L7 ", "r8"), "after:w");
}

// r9 is an object of the round; MADE, LINK and CREATE continue at L5.
#define ELEMENT(COUNTER) "(r1 + (sext.64(" COUNTER ") * 8:64))"
#define LINKED(BODY, BETWEEN, HANDLE)                                                                                  \
  HEADER                                                                                                               \
  "proc main = #4 () entry L0 { regs r0:64 regs r1:64, r2:64, r3:64, r4:32, r5:32, r6:1, r7:32, r8:32, r9:64, r10:64 " \
  "L0: r1 = alloc stack 64:64 -> L1 L1: r8 = nondet -> L2 " LOOP ("r5", 2, "r8", 3, 4, 6) BODY STEP ("r5", 5, 3)       \
      BETWEEN LOOP ("r7", 7, "r8", 8, 9, 12) "L9: r10 = load.8 " ELEMENT (                                             \
          "r7") " -> L30 L30: r2 = load.8 " HANDLE                                                                     \
                " -> L10 L10: r3 = thread_join r2 -> L31 L31: store.8 &x, 0:64 name \"joined\" -> L11 " STEP (         \
                    "r7", 11, 8) AFTER
#define MADE(FROM, TO) "L" #FROM ": r9 = alloc heap 32:64 -> L" #TO " "
#define LINK(FROM, TO) "L" #FROM ": store.8 " ELEMENT ("r5") ", r9 -> L" #TO " "
#define CREATED(FROM, TO) "L" #FROM ": r4 = thread_create (r9 + 8:64), &w, r9 name \"create\" -> L" #TO " "
#define NOTHING "L6: nop -> L7 "

static void loops_over_pointers_to_handles (void **state) {
  (void) state;
  assert_meet (LINKED (MADE (4, 20) LINK (20, 21) CREATED (21, 5), NOTHING, "(r10 + 8:64)"), "w:w !after:w");
  assert_meet (LINKED (MADE (4, 20) LINK (20, 21) CREATED (21, 5), NOTHING, "r10"), "after:w");
  assert_meet (LINKED (MADE (4, 20) CREATED (20, 21) LINK (21, 5), NOTHING, "(r10 + 8:64)"), "after:w");
  assert_meet (LINKED (LINK (4, 20) MADE (20, 21) CREATED (21, 5), NOTHING, "(r10 + 8:64)"), "after:w");
  assert_meet (LINKED (MADE (4, 20) LINK (20, 21) CREATED (21, 5), "L6: store.8 r1, 0:64 -> L7 ", "(r10 + 8:64)"),
               "after:w");
  assert_meet (LINKED (MADE (4, 20) LINK (20, 21) CREATED (21, 22) "L22: store.8 (r9 + 4:64), 0:64 -> L5 ", NOTHING,
                       "(r10 + 8:64)"),
               "after:w");
  assert_meet (LINKED (MADE (4, 20) LINK (20, 21) CREATED (21, 22) "L22: store.8 (r9 + 16:64), 0:64 -> L5 ", NOTHING,
                       "(r10 + 8:64)"),
               "!after:w");
}

static void the_thread_of_the_round_has_been_joined (void **state) {
  (void) state;
  fixture f;
  threads_round r;
  fixture_init (&f, LINKED (MADE (4, 20) LINK (20, 21) CREATED (21, 5), NOTHING, "(r10 + 8:64)"));
  ir_edge create = edge_named (f.p, "create"), joined = edge_named (f.p, "joined");
  assert_true (threads_joined_in_round (f.t, create, ir_edge_at (f.p, joined)->from, &r));
  assert_true (r.created.i == 5 && r.joined.i == 7 && r.link.i != IR_NONE && r.pointer.i != IR_NONE);
  assert_false (threads_joined_in_round (f.t, create, ir_edge_at (f.p, r.pointer)->from, &r));
  assert_false (threads_joined_in_round (f.t, create, ir_edge_at (f.p, create)->from, &r));
  assert_false (threads_joined_in_round (f.t, joined, ir_edge_at (f.p, joined)->from, &r));
  fixture_release (&f);
}

#define SPAWN                                                                                                     \
  "proc help = #7 (r0:64, r1:64) -> 64 entry L120 { regs r2:64, r3:64, r4:32 L120: r2 = alloc stack 8:64 -> L121" \
  " L121: r4 = thread_create r2, r0, r1 -> L122 L122: r3 = load.8 r2 -> L123 L123: return r3 } "

static void creation_in_a_helper (void **state) {
  (void) state;
  assert_meet (HEADER MAIN
               "L1: r2 = call &help, &w, 0:64 -> L2 L2: r3 = call &help, &v, 0:64 -> L3"
               " L3: r4 = thread_join r2 -> L4 L4: store.8 &x, 0:64 name \"middle\" -> L5"
               " L5: r4 = thread_join r3 -> L6 L6: store.8 &x, 0:64 name \"after\" -> L7 L7: exit 0:32 } " W V SPAWN,
               "!middle:w middle:v !after:v !after:w v:w");
}

// w starts v: joins it, or does not.
#define PARENT(JOINS)                                                                                   \
  "proc w = #5 (r0:64) -> 64 entry L100 { " REGS "L100: r1 = alloc stack 8:64 -> L101"                  \
  " L101: r7 = thread_create r1, &v, 0:64 -> L102 L102: r2 = load.8 r1 -> L103 L103: " JOINS " -> L104" \
  " L104: store.8 &x, 0:64 name \"w\" -> L105 L105: return 0:64 } "
#define GRANDPARENT                                                                                       \
  MAIN "L1: r7 = thread_create r1, &w, 0:64 -> L2 L2: r2 = load.8 r1 -> L3 L3: r3 = thread_join r2 -> L4" \
       " L4: store.8 &x, 0:64 name \"after\" -> L5 L5: exit 0:32 } "

static void children_of_children (void **state) {
  (void) state;
  assert_meet (HEADER GRANDPARENT PARENT ("r3 = thread_join r2") V HELP, "!after:v !after:w !w:v");
  assert_meet (HEADER GRANDPARENT PARENT ("nop") V HELP, "after:v !after:w w:v");
}

static void joined_by_another (void **state) {
  (void) state;
  assert_meet (
      HEADER MAIN
      "L1: r7 = thread_create &g, &v, 0:64 -> L2 L2: r7 = thread_create &g+8, &w, 0:64 -> L3"
      " L3: r2 = load.8 &g+8 -> L4 L4: r3 = thread_join r2 -> L5"
      " L5: store.8 &x, 0:64 name \"after\" -> L6 L6: exit 0:32 } "
      "proc w = #5 (r0:64) -> 64 entry L100 { " REGS "L100: r2 = load.8 &g -> L101"
      " L101: r3 = thread_join r2 -> L102 L102: store.8 &x, 0:64 name \"w\" -> L103 L103: return 0:64 } " V HELP,
      "!w:v !after:v !after:w");
}

static void recursion (void **state) {
  (void) state;
  assert_meet (HEADER MAIN
               "L1: r2 = call &help, 0:64 -> L2 L2: store.8 &x, 0:64 name \"after\" -> L3 L3: exit 0:32 } " W V
               "proc help = #7 (r0:64) -> 64 entry L120 { " REGS " L120: r7 = thread_create &g, &w, 0:64 -> L121"
               " L121: r2 = load.8 &g -> L122 L122: r3 = thread_join r2 -> L123 L123: r6 = nondet -> L124"
               " L124: assume r6 -> L125 L124: assume (r6 ^ 1:1) -> L126 L125: r4 = call &help, 0:64 -> L126"
               " L126: return 0:64 } ",
               "after:w w:w");
}

static void kinds (void **state) {
  (void) state;
  fixture f;
  fixture_init (&f, HEADER MAIN "L1: r7 = thread_create &g, &w, 0:64 -> L2 L2: r6 = nondet -> L3 L3: assume r6 -> L1"
                                " L3: assume (r6 ^ 1:1) -> L4 L4: exit 0:32 } " W V HELP);
  assert_int_equal (threads_count (f.t), 2);
  assert_int_equal (threads_entry (f.t, 0).i, f.p->start.i);
  assert_int_equal (threads_creator (f.t, 0).i, IR_NONE);
  assert_int_equal (threads_parent (f.t, 1), 0);
  assert_true (ir_edge_at (f.p, threads_creator (f.t, 1))->op == IR_THREAD_CREATE);
  assert_true (threads_many (f.t, 1));
  assert_false (threads_many (f.t, 0));
  assert_true (threads_runs (f.t, 1, place (&f, "w")));
  assert_false (threads_runs (f.t, 0, place (&f, "w")));
  assert_true (threads_alone (f.t, 0, ir_proc_at (f.p, f.p->start)->entry));
  assert_false (threads_alone (f.t, 1, place (&f, "w")));
  fixture_release (&f);
}

TEST_MAIN (cmocka_unit_test (before_and_after), cmocka_unit_test (handle_that_was_overwritten),
           cmocka_unit_test (one_after_the_other), cmocka_unit_test (detached_is_not_joined),
           cmocka_unit_test (loops_with_constant_bounds), cmocka_unit_test (loops_with_unknown_bounds),
           cmocka_unit_test (loops_over_pointers_to_handles),
           cmocka_unit_test (the_thread_of_the_round_has_been_joined), cmocka_unit_test (creation_in_a_helper),
           cmocka_unit_test (children_of_children), cmocka_unit_test (joined_by_another), cmocka_unit_test (recursion),
           cmocka_unit_test (kinds))
