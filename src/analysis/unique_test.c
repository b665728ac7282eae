// Unique objects of small programs in text form; the objects of ALLOC edges are found by the names of the edges.
#include "analysis/unique.h"

#include <string.h>

#include "base/test.h"

#define HEADER "lockstep-ir 1 pointer_bits 64 offset_bits 32 "
#define OBJECTS                                                                                               \
  "global #1 g : 8 bytes thread_local #2 local : 8 bytes function #3 main : 0 bytes function #4 f : 0 bytes " \
  "function #5 worker : 0 bytes start &main "
#define WORKER "proc worker = #5 (r0:64) -> 64 entry L20 { L20: nop -> L21 L21: return 0:64 } "
#define F "proc f = #4 () entry L12 { regs r0:64, r1:64, r2:1 "

// Checks the objects of ALLOC edges, whose names say: unique or not.
static void check (const char *text) {
  char *error = NULL;
  ir_program *p = ir_parse (text, "t.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s", error);
  pointsto *facts = pointsto_new (p);
  unique *u = unique_new (p, facts);
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const char *name = p->edges.data[e].name;
    if (p->edges.data[e].op != IR_ALLOC) continue;
    bool should = !strncmp (name, "unique", strlen ("unique"));
    if (unique_object (u, pointsto_site (facts, (ir_edge){e})) != should) fail_msg ("%s is not so in %s", name, text);
  }
  assert_true (unique_object (u, 1));
  assert_false (unique_object (u, 2));
  unique_free (u);
  pointsto_free (facts);
  ir_program_free (p);
}

// A program of twelve locations, of which the test's text fills the first; the rest is never reached.
#define MAIN(BODY) HEADER OBJECTS "proc main = #3 () entry L0 { regs r0:64, r1:32, r2:1 " BODY " } "
#define FILL(A) " L" #A ": exit 0:32"
#define FROM_4 FILL (4) FILL (5) FILL (6) FILL (7) FILL (8) FILL (9) FILL (10) FILL (11)
#define F_MAKES \
  F "L12: r0 = alloc stack 8:64 name \"%s\" -> L13 L13: r1 = alloc heap 8:64 name \"%s\" -> L14 L14: return" REST
#define REST " L15: return L16: return L17: return L18: return L19: return } "

static void check_f (const char *main_part, const char *stack, const char *heap) {
  char text[2000], f[500];
  snprintf (f, sizeof f, F_MAKES, stack, heap);
  snprintf (text, sizeof text, "%s%s%s", main_part, f, WORKER);
  check (text);
}

static void in_main (void **state) {
  (void) state;
  check_f (
      MAIN ("L0: r0 = alloc heap 8:64 name \"unique\" -> L1 L1: r0 = alloc stack 8:64 name \"many: in a loop\" -> L2"
            " L2: assume r2 -> L1 L2: assume (r2 == 0:1) -> L3" FILL (3) FROM_4),
      "unique: never made", "unique: never made");
}

static void in_main_outside_the_loop (void **state) {
  (void) state;
  check_f (MAIN ("L0: r0 = alloc heap 8:64 name \"unique\" -> L1 L1: r0 = alloc heap 8:64 name \"many\" -> L2"
                 " L2: assume r2 -> L1 L2: assume (r2 == 0:1) -> L3" FILL (3) FROM_4),
           "unique: never made", "unique: never made");
}

static void in_a_procedure (void **state) {
  (void) state;
  check_f (MAIN ("L0: call &f -> L1 L1: nop -> L2 L2: nop -> L3" FILL (3) FROM_4), "unique", "unique");
  check_f (MAIN ("L0: call &f -> L1 L1: call &f -> L2 L2: nop -> L3" FILL (3) FROM_4), "unique at a time", "many");
  check_f (MAIN ("L0: call &f -> L1 L1: assume r2 -> L0 L1: assume (r2 == 0:1) -> L2 L2: nop -> L3" FILL (3) FROM_4),
           "unique at a time", "many");
}

static void in_threads (void **state) {
  (void) state;
  check_f (MAIN ("L0: r1 = thread_create &g, &f, 0:64 -> L1 L1: nop -> L2 L2: nop -> L3" FILL (3) FROM_4), "unique",
           "unique");
  check_f (MAIN ("L0: r1 = thread_create &g, &f, 0:64 -> L1 L1: call &f -> L2 L2: nop -> L3" FILL (3) FROM_4), "many",
           "many");
  check_f (
      MAIN ("L0: r1 = thread_create &g, &f, 0:64 -> L1 L1: r1 = thread_create &g, &f, 0:64 -> L2 L2: nop -> L3" FILL (3)
                FROM_4),
      "many", "many");
  check_f (MAIN ("L0: r1 = thread_create &g, &f, 0:64 -> L1 L1: assume r2 -> L0 L1: assume (r2 == 0:1) -> L2 L2: nop "
                 "-> L3" FILL (3) FROM_4),
           "many", "many");
}

static void in_recursion (void **state) {
  (void) state;
  check (MAIN ("L0: call &f -> L1 L1: nop -> L2 L2: nop -> L3" FILL (3) FROM_4) F
         "L12: r0 = alloc stack 8:64 name \"many\" -> L13 L13: call &f -> L14 L14: return" REST WORKER);
  check (MAIN ("L0: r0 = alloc stack 8:64 name \"many\" -> L1 L1: call &f -> L2 L2: nop -> L3" FILL (3) FROM_4) F
         "L12: call &main -> L13 L13: nop -> L14 L14: return" REST WORKER);
}

TEST_MAIN (cmocka_unit_test (in_main), cmocka_unit_test (in_main_outside_the_loop), cmocka_unit_test (in_a_procedure),
           cmocka_unit_test (in_threads), cmocka_unit_test (in_recursion))
