// Numbers drawn from a counter: which locations are never reached, and what prevents a bound.
#include "analysis/tickets.h"

#include "analysis/text_test.h"

#define OBJECTS                                                                               \
  "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 n : 4 bytes global #2 h : 8 bytes " \
  "function #3 main : 0 bytes function #4 draw : 0 bytes function #5 worker : 0 bytes start &main "
#define DRAW(LIMIT)                                                                       \
  "proc draw = #4 () entry L50 { regs r0:32 L50: r0 = rmw.4 add seq_cst &n, 1:32 -> L51 " \
  "L51: assume (" LIMIT ":32 u<= r0) -> L52 L51: assume (r0 u< " LIMIT ":32) -> L53 "     \
  "L52: store.4 &h, 0:32 name \"full\" -> L53 L53: return } "
#define WORKER(BODY) "proc worker = #5 (r0:64) -> 64 entry L70 { regs r1:32 " BODY " L79: return 0:64 } "
#define IDLE WORKER ("L70: nop -> L79")
#define MAIN(BODY) OBJECTS "proc main = #3 () entry L0 { regs r0:32, r1:1, r2:64 " BODY " L9: exit 0:32 } "

static bool gets_full (const char *text) {
  ir_program *p = program_of_text (text);
  pointsto *targets = pointsto_new (p);
  tickets *t = tickets_new (p, targets);
  assert_true (tickets_allow (t, ir_proc_at (p, p->start)->entry));
  bool yes = tickets_allow (t, ir_edge_at (p, edge_named (p, "full"))->from);
  tickets_free (t);
  pointsto_free (targets);
  ir_program_free (p);
  return yes;
}

#define ONCE "L0: call &draw -> L1 L1: nop -> L9"
#define TWICE "L0: call &draw -> L1 L1: call &draw -> L9"

static void as_many_as_there_are_calls (void **state) {
  (void) state;
  assert_false (gets_full (MAIN (ONCE) DRAW ("1") IDLE));
  assert_true (gets_full (MAIN (TWICE) DRAW ("1") IDLE));
  assert_false (gets_full (MAIN (TWICE) DRAW ("2") IDLE));
}

static void loops_and_recursion_have_no_end (void **state) {
  (void) state;
  assert_true (
      gets_full (MAIN ("L0: call &draw -> L1 L1: r1 = nondet -> L2 L2: assume r1 -> L0 L2: assume (r1 == 0:1) -> L9")
                     DRAW ("200") IDLE));
  assert_true (gets_full (MAIN ("L0: call &worker, 0:64 -> L9") DRAW ("200")
                              WORKER ("L70: call &draw -> L71 L71: call &worker, 0:64 -> L79")));
}

static void threads_count_as_well (void **state) {
  (void) state;
  const char *one = MAIN ("L0: r0 = thread_create &h, &worker, 0:64 -> L1 L1: call &draw -> L9") DRAW ("2")
      WORKER ("L70: call &draw -> L79");
  const char *two =
      MAIN ("L0: r0 = thread_create &h, &worker, 0:64 -> L1 L1: r0 = thread_create &h, &worker, 0:64 -> L2 "
            "L2: call &draw -> L9") DRAW ("2") WORKER ("L70: call &draw -> L79");
  assert_false (gets_full (one));
  assert_true (gets_full (two));
}

static void whoever_else_writes_spoils_it (void **state) {
  (void) state;
  assert_true (gets_full (MAIN ("L0: store.4 &n, 5:32 -> L1 L1: call &draw -> L9") DRAW ("1") IDLE));
  assert_true (gets_full (MAIN ("L0: r0 = rmw.4 add seq_cst &n, 2:32 -> L1 L1: call &draw -> L9") DRAW ("1") IDLE));
  assert_true (gets_full (MAIN ("L0: store.8 &h, &n -> L1 L1: call &draw -> L9") DRAW ("1") IDLE));
  assert_true (
      gets_full (MAIN ("L0: r2 = nondet -> L1 L1: store.4 r2, 5:32 -> L2 L2: call &draw -> L9") DRAW ("1") IDLE));
}

TEST_MAIN (cmocka_unit_test (as_many_as_there_are_calls), cmocka_unit_test (loops_and_recursion_have_no_end),
           cmocka_unit_test (threads_count_as_well), cmocka_unit_test (whoever_else_writes_spoils_it))
