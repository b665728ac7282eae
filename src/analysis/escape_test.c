// Private memory in small programs in text form. An access is found by its name; it accesses what its first operand
// points to.
#include "analysis/escape.h"

#include "analysis/text_test.h"

#define HEADER "lockstep-ir 1 pointer_bits 64 offset_bits 32 "
#define OBJECTS                                                                                                \
  "global #1 head : 8 bytes thread_local #2 mine : 16 bytes global #3 t : 8 bytes function #4 main : 0 bytes " \
  "function #5 f : 0 bytes function #6 worker : 0 bytes function #7 begin : 0 bytes start &begin "             \
  "proc begin = #7 () entry L70 { regs r0:32 L70: r0 = thread_create &t, &worker, 0:64 -> L71"                 \
  " L71: call &main -> L72 L72: exit 0:32 } "
#define WORKER \
  "proc worker = #6 (r0:64) -> 64 entry L90 { L90: store.8 r0, 0:64 name \"at worker\" -> L91 L91: return 0:64 } "
#define MAIN HEADER OBJECTS WORKER "proc main = #4 () entry L0 "
#define REGS "regs r0:64, r1:64, r2:64, r3:64, r4:32, r5:1 "
#define CREATE(ARG) "r4 = thread_create &t, &worker, " ARG " "
#define F_NOTHING "proc f = #5 () entry L80 { L80: return } "

typedef struct fixture {
  ir_program *p;
  pointsto *facts;
  escape *x;
} fixture;

static void fixture_init (fixture *f, const char *text) {
  f->p = program_of_text (text);
  f->facts = pointsto_new (f->p);
  f->x = escape_new (f->p, f->facts);
}

static void fixture_release (fixture *f) {
  escape_free (f->x);
  pointsto_free (f->facts);
  ir_program_free (f->p);
}

// Checks that accesses whose names begin with + are private, and those with - are not.
static void check (const char *text) {
  fixture f;
  uint32_t checked = 0;
  fixture_init (&f, text);
  for (uint32_t e = 0; e < f.p->edges.count; e++) {
    const char *name = f.p->edges.data[e].name;
    if (!name || (name[0] != '+' && name[0] != '-')) continue;
    if (escape_private (f.x, (ir_edge){e}, 0) != (name[0] == '+'))
      fail_msg ("%s is not as it should be in %s", name, text);
    checked++;
  }
  assert_true (checked > 0);
  fixture_release (&f);
}

static void check_shared (const char *text, const char *alloc, bool shared) {
  fixture f;
  fixture_init (&f, text);
  assert_int_equal (escape_shared (f.x, pointsto_site (f.facts, edge_named (f.p, alloc))), shared);
  fixture_release (&f);
}

// ---- objects that are never shared --------------------------------------------------------------------

static void stack_and_thread_local (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc stack 8:64 name \"s\" -> L1 L1: store.8 r0, 1:64 name \"+own\" -> L2"
              " L2: store.8 &mine, r0 name \"+local\" -> L3 L3: r1 = load.8 &mine name \"+pointer\" -> L4"
              " L4: store.8 r1, 1:64 name \"+loaded\" -> L5 L5: store.8 &head, 1:64 name \"-global\" -> L6 L6: exit "
              "0:32 } " F_NOTHING);
  check (MAIN
         "{ " REGS
         "L0: store.8 &head, &mine -> L1 L1: store.8 &mine, 0:64 name \"-local\" -> L2 L2: exit 0:32 } " F_NOTHING);
  check_shared (MAIN "{ " REGS
                     "L0: r0 = alloc stack 8:64 name \"s\" -> L1 L1: " CREATE ("r0") "-> L2 L2: exit 0:32 } " F_NOTHING,
                "s", true);
  check_shared (MAIN
                "{ " REGS
                "L0: r0 = alloc stack 8:64 name \"s\" -> L1 L1: " CREATE ("0:64") "-> L2 L2: exit 0:32 } " F_NOTHING,
                "s", false);
}

static void result_of_a_thread (void **state) {
  (void) state;
  check_shared (HEADER OBJECTS "proc main = #4 () entry L0 { " REGS
                               "L0: " CREATE ("0:64") "-> L1 L1: exit 0:32 } " F_NOTHING
                                                      "proc worker = #6 (r0:64) -> 64 entry L90 { regs r1:64 L90: r1 = "
                                                      "alloc heap 8:64 name \"h\" -> L91 L91: return r1 }",
                "h", true);
}

// ---- not yet exposed ----------------------------------------------------------------------------------

static void private_until_stored (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 16:64 -> L1 L1: store.8 r0, 1:64 name \"+before\" -> L2"
              " L2: mutex_init (r0 + 8:64), 0:32 name \"+lock\" -> L3 L3: r1 = load.8 &head -> L4"
              " L4: store.8 r0, r1 name \"+next\" -> L5 L5: store.8 &head, r0 name \"-head\" -> L6"
              " L6: store.8 r0, 1:64 name \"-after\" -> L7 L7: store.8 r1, 1:64 name \"-other\" -> L8 L8: exit 0:32 "
              "} " F_NOTHING);
}

static void private_until_a_thread_gets_it (void **state) {
  (void) state;
  check (MAIN
         "{ " REGS "L0: r0 = alloc stack 16:64 -> L1 L1: store.8 r0, 1:64 name \"+before\" -> L2"
         " L2: " CREATE ("(r0 + 8:64)") "-> L3 L3: store.8 r0, 1:64 name \"-after\" -> L4 L4: exit 0:32 } " F_NOTHING);
}

static void on_one_path_only (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: assume r5 -> L2 L1: assume (r5 == 0:1) -> L3"
              " L2: store.8 &head, r0 -> L4 L3: store.8 r0, 1:64 name \"+not here\" -> L4"
              " L4: store.8 r0, 1:64 name \"-join\" -> L5 L5: exit 0:32 } " F_NOTHING);
}

static void one_of_two (void **state) {
  (void) state;
  const char *text = MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2"
                          " L2: r2 = assign (r5 ? r0 : r1) -> L3 L3: store.8 r2, 0:64 name \"+either\" -> L4"
                          " L4: store.8 &head, r1 -> L5 L5: store.8 r2, 0:64 name \"-either now\" -> L6"
                          " L6: store.8 r0, 0:64 name \"+the other\" -> L7 L7: exit 0:32 } " F_NOTHING;
  check (text);
}

static void through_integers (void **state) {
  (void) state;
  check (MAIN
         "{ regs r0:64, r1:32, r2:64 L0: r0 = alloc heap 8:64 -> L1 L1: r1 = assign trunc.32((r0 u>> 32:64)) -> L2"
         " L2: r2 = assign (zext.64(r1) << 32:64) -> L3 L3: store.8 r2, 0:64 name \"+copy\" -> L4"
         " L4: store.4 (&head + 4:64), r1 -> L5 L5: store.8 r0, 0:64 name \"-seen\" -> L6 L6: exit 0:32 } " F_NOTHING);
}

static void index_from_a_global (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 80:64 -> L1 L1: r4 = load.4 &t -> L2"
              " L2: store.8 (r0 + (sext.64(r4) * 8:64)), 0:64 name \"+element\" -> L3 L3: store.8 &head, r0 -> L4 L4: "
              "exit 0:32 } " F_NOTHING);
}

// ---- memory that keeps addresses ----------------------------------------------------------------------

static void given_away_with_its_holder (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 -> L3"
              " L3: store.8 r1, 0:64 name \"+inner\" -> L4 L4: r2 = load.8 r0 -> L5 L5: store.8 r2, 0:64 name \"+inner "
              "loaded\" -> L6"
              " L6: store.8 &head, r0 -> L7 L7: store.8 r1, 0:64 name \"-inner\" -> L8"
              " L8: store.8 r2, 0:64 name \"-inner loaded\" -> L9 L9: exit 0:32 } " F_NOTHING);
}

static void given_away_after_loading (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 -> L3"
              " L3: r2 = load.8 r0 -> L4 L4: store.8 &head, r2 -> L5 L5: store.8 r1, 0:64 name \"-inner\" -> L6"
              " L6: store.8 r0, 0:64 name \"+outer\" -> L7 L7: store.8 &head, r0 -> L8 L8: exit 0:32 } " F_NOTHING);
}

static void contents_from_elsewhere (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = load.8 &head -> L2 L2: store.8 r0, r1 -> L3"
              " L3: r2 = load.8 r0 name \"+outer\" -> L4 L4: store.8 r2, 0:64 name \"-loaded\" -> L5"
              " L5: store.8 &head, r0 -> L6 L6: exit 0:32 } " F_NOTHING);
  check (MAIN
         "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 -> L3"
         " L3: r2 = load.8 &head -> L4 L4: store.8 r1, r2 -> L5 L5: r3 = load.8 r0 -> L6 L6: r3 = load.8 r3 -> L7"
         " L7: store.8 r3, 0:64 name \"-two loads away\" -> L8 L8: store.8 &head, r0 -> L9 L9: exit 0:32 } " F_NOTHING);
}

static void stored_under_another_name (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 -> L3"
              " L3: r2 = load.8 r0 -> L4 L4: r3 = load.8 &head -> L5 L5: store.8 r2, r3 -> L6 L6: r3 = load.8 r1 -> L7"
              " L7: store.8 r3, 0:64 name \"-loaded\" -> L8 L8: store.8 &head, r0 -> L9 L9: exit 0:32 } " F_NOTHING);
}

static void kept_with_contents_from_elsewhere (void **state) {
  (void) state;
  check (MAIN
         "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = load.8 &head -> L2 L2: store.8 r0, r1 -> L3"
         " L3: r2 = alloc heap 8:64 -> L4 L4: store.8 r2, r0 -> L5 L5: r3 = load.8 r2 -> L6 L6: r3 = load.8 r3 -> L7"
         " L7: store.8 r3, 0:64 name \"-two loads away\" -> L8 L8: store.8 &head, r2 -> L9 L9: exit 0:32 } " F_NOTHING);
}

// ---- loops --------------------------------------------------------------------------------------------

static void new_object_in_every_round (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: nop -> L1 L1: r0 = alloc heap 8:64 -> L2 L2: store.8 r0, 0:64 name \"+new\" -> L3"
              " L3: store.8 &head, r0 -> L4 L4: store.8 r0, 0:64 name \"-given away\" -> L5 L5: assume r5 -> L1"
              " L5: assume (r5 == 0:1) -> L6 L6: exit 0:32 } " F_NOTHING);
}

static void object_of_the_last_round (void **state) {
  (void) state;
  check (MAIN "{ " REGS
              "L0: r1 = assign 0:64 -> L1 L1: r0 = alloc heap 8:64 -> L2 L2: store.8 r1, 0:64 name \"-old\" -> L3"
              " L3: store.8 r0, 0:64 name \"-old or new\" -> L4 L4: store.8 &head, r0 -> L5 L5: r1 = assign r0 -> L6"
              " L6: assume r5 -> L1 L6: assume (r5 == 0:1) -> L7 L7: exit 0:32 } " F_NOTHING);
}

static void list_of_private_objects (void **state) {
  (void) state;
  check (MAIN "{ " REGS
              "L0: r1 = assign 0:64 -> L1 L1: r0 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 name \"+new\" -> L3"
              " L3: r1 = assign r0 -> L4 L4: assume r5 -> L1 L4: assume (r5 == 0:1) -> L5"
              " L5: r2 = load.8 r1 name \"+first\" -> L6 L6: store.8 r2, 0:64 name \"+second\" -> L7"
              " L7: store.8 &head, r1 -> L8 L8: store.8 r2, 0:64 name \"-second\" -> L9 L9: exit 0:32 } " F_NOTHING);
}

static void contents_of_the_last_round (void **state) {
  (void) state;
  check (MAIN
         "{ " REGS
         "L0: r1 = assign 0:64 -> L1 L1: r0 = alloc heap 8:64 -> L2 L2: store.8 r1, 0:64 name \"-old inner\" -> L3"
         " L3: r2 = alloc heap 8:64 -> L4 L4: store.8 r0, r2 -> L5 L5: r1 = load.8 r0 -> L6 L6: store.8 &head, r0 -> L7"
         " L7: assume r5 -> L1 L7: assume (r5 == 0:1) -> L8 L8: exit 0:32 } " F_NOTHING);
}

// ---- calls --------------------------------------------------------------------------------------------

static void constructor (void **state) {
  (void) state;
  check (MAIN "{ " REGS
              "L0: r0 = call &f -> L1 L1: store.8 r0, 1:64 name \"+made\" -> L2 L2: r1 = load.8 (r0 + 8:64) -> L3"
              " L3: store.8 r1, 1:64 name \"+part\" -> L4 L4: store.8 &head, r0 -> L5 L5: store.8 r1, 1:64 name "
              "\"-part now\" -> L6 L6: exit 0:32 }"
              " proc f = #5 () -> 64 entry L80 { regs r0:64, r1:64 L80: r0 = alloc heap 16:64 -> L81 L81: r1 = alloc "
              "heap 8:64 -> L82"
              " L82: store.8 (r0 + 8:64), r1 name \"+making\" -> L83 L83: return r0 }");
  check (MAIN "{ " REGS "L0: r0 = call &f -> L1 L1: store.8 r0, 1:64 name \"-found\" -> L2 L2: exit 0:32 }"
              " proc f = #5 () -> 64 entry L80 { regs r0:64 L80: r0 = alloc heap 16:64 -> L81"
              " L81: store.8 &head, r0 -> L82 L82: return r0 }");
}

#define F_SETS_FIRST \
  "proc f = #5 (r0:64, r1:64) -> 64 entry L80 { L80: store.8 r0, r1 name \"%cinside\" -> L81 L81: return r0 }"

static void check_call (const char *main_part, char sign) {
  char text[3000], f[300];
  snprintf (f, sizeof f, F_SETS_FIRST, sign);
  snprintf (text, sizeof text, "%s%s%s", MAIN, main_part, f);
  check (text);
}

static void initialiser (void **state) {
  (void) state;
  check_call ("{ " REGS
              "L0: r0 = alloc heap 8:64 -> L1 L1: call &f, r0, 0:64 -> L2 L2: store.8 r0, 0:64 name \"+still\" -> L3"
              " L3: store.8 &head, r0 -> L4 L4: exit 0:32 } ",
              '+');
  check_call ("{ " REGS
              "L0: r0 = alloc heap 8:64 -> L1 L1: call &f, r0, 0:64 -> L2 L2: store.8 r0, 0:64 name \"+still\" -> L3"
              " L3: store.8 &head, r0 -> L4 L4: call &f, r0, 0:64 -> L5 L5: exit 0:32 } ",
              '-');
}

static void callee_links (void **state) {
  (void) state;
  check_call ("{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: r2 = call &f, r0, r1 -> L3"
              " L3: store.8 r1, 0:64 name \"+linked\" -> L4 L4: store.8 r2, 0:64 name \"+passed on\" -> L5"
              " L5: store.8 &head, r2 -> L6 L6: store.8 r1, 0:64 name \"-with the other\" -> L7 L7: exit 0:32 } ",
              '+');
  check_call ("{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: call &f, &head, r0 -> L3"
              " L3: store.8 r1, 0:64 name \"+not passed\" -> L4 L4: store.8 r0, 0:64 name \"-stored by callee\" -> L5"
              " L5: call &f, r1, 0:64 -> L6 L6: store.8 r1, 0:64 name \"+called again\" -> L7 L7: store.8 &head, r1 -> "
              "L8 L8: exit 0:32 } ",
              '-');
}

static void callee_mixes (void **state) {
  (void) state;
  check_call ("{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = load.8 &head -> L2 L2: call &f, r0, r1 -> L3"
              " L3: r2 = load.8 r0 -> L4 L4: store.8 r2, 0:64 name \"-not ours\" -> L5 L5: store.8 &head, r0 -> L6 L6: "
              "exit 0:32 } ",
              '+');
}

// The callee loads the inner object and exposes it.
static void callee_gives_away_contents (void **state) {
  (void) state;
  check (MAIN
         "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 -> L3"
         " L3: call &f, r0 -> L4 L4: store.8 r1, 0:64 name \"-inner\" -> L5 L5: store.8 r0, 0:64 name \"+outer\" -> L6"
         " L6: store.8 &head, r0 -> L7 L7: exit 0:32 }"
         " proc f = #5 (r0:64) entry L80 { regs r1:64 L80: r1 = load.8 r0 -> L81 L81: store.8 &head, r1 -> L82 L82: "
         "return }");
}

// Both parameters are the same object.
static void passed_twice (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: call &f, r0, r0 -> L2 L2: exit 0:32 }"
              " proc f = #5 (r0:64, r1:64) entry L80 { L80: store.8 &head, r0 -> L81 L81: store.8 r1, 0:64 name \"-the "
              "same\" -> L82 L82: return }");
  check (MAIN "{ " REGS
              "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: call &f, r0, r1 -> L3 L3: exit 0:32 }"
              " proc f = #5 (r0:64, r1:64) entry L80 { L80: store.8 &head, r0 -> L81 L81: store.8 r1, 0:64 name "
              "\"+another\" -> L82"
              " L82: store.8 &head, r1 -> L83 L83: return }");
}

// The second parameter is inside the first.
static void passed_with_its_holder (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 -> L3 L3: "
              "call &f, r0, r1 -> L4 L4: exit 0:32 }"
              " proc f = #5 (r0:64, r1:64) entry L80 { L80: store.8 &head, r0 -> L81 L81: store.8 r1, 0:64 name "
              "\"-inside\" -> L82 L82: return }");
}

static void recursion (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = call &f, 0:64 -> L1 L1: store.8 r0, 0:64 name \"+list\" -> L2 L2: store.8 &head, r0 "
              "-> L3 L3: exit 0:32 }"
              " proc f = #5 (r0:64) -> 64 entry L80 { regs r1:64, r2:64, r3:1 L80: r1 = alloc heap 8:64 -> L81 L81: "
              "store.8 r1, r0 name \"+new\" -> L82"
              " L82: assume r3 -> L83 L82: assume (r3 == 0:1) -> L84 L83: r2 = call &f, r1 -> L85 L84: return r1 L85: "
              "return r2 }");
}

static void loop_through_a_callee (void **state) {
  (void) state;
  check_call (
      "{ " REGS
      "L0: r0 = alloc heap 8:64 -> L1 L1: store.8 r0, 0:64 name \"-passed on\" -> L2 L2: store.8 &head, r0 -> L3"
      " L3: r0 = call &f, r0, 0:64 -> L4 L4: assume r5 -> L1 L4: assume (r5 == 0:1) -> L5 L5: exit 0:32 } ",
      '-');
}

// The result may be the object that was exposed in the last round.
static void passed_on_or_new (void **state) {
  (void) state;
  check (MAIN
         "{ " REGS
         "L0: r0 = assign 0:64 -> L1 L1: r0 = call &f, r0 -> L2 L2: store.8 r0, 0:64 name \"-old or new\" -> L3"
         " L3: store.8 &head, r0 -> L4 L4: assume r5 -> L1 L4: assume (r5 == 0:1) -> L5 L5: exit 0:32 }"
         " proc f = #5 (r0:64) -> 64 entry L80 { regs r1:64, r2:1 L80: assume r2 -> L81 L80: assume (r2 == 0:1) -> L82"
         " L81: return r0 L82: r1 = alloc heap 8:64 -> L83 L83: return r1 }");
}

// The callee gets one of the two objects, and the analysis does not know which.
static void private_or_not (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = load.8 &head -> L2 L2: call &f, (r5 ? r0 : r1) -> L3"
              " L3: store.8 r0, 0:64 name \"-perhaps given away\" -> L4 L4: exit 0:32 }"
              " proc f = #5 (r0:64) entry L80 { L80: store.8 &head, r0 -> L81 L81: return }");
}

static void parameters_with_the_same_contents (void **state) {
  (void) state;
  check (MAIN "{ " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: r2 = alloc heap 8:64 -> L3"
              " L3: store.8 r0, r2 -> L4 L4: store.8 r1, r2 -> L5 L5: call &f, r0, r1 -> L6 L6: store.8 &head, r0 -> "
              "L7 L7: exit 0:32 }"
              " proc f = #5 (r0:64, r1:64) entry L80 { regs r2:64, r3:64, r4:64, r5:64 L80: r2 = load.8 r0 -> L81 L81: "
              "r3 = load.8 "
              "&head -> L82"
              " L82: store.8 r2, r3 name \"+inner\" -> L83 L83: r4 = load.8 r1 -> L84 L84: r5 = load.8 r4 -> L85"
              " L85: store.8 r5, 0:64 name \"-from elsewhere\" -> L86 L86: return }");
}

static void worker_argument (void **state) {
  (void) state;
  check (HEADER OBJECTS "proc main = #4 () entry L0 { " REGS "L0: r0 = alloc heap 8:64 -> L1 L1: " CREATE (
      "r0") "-> L2 L2: exit 0:32 } " F_NOTHING
            "proc worker = #6 (r0:64) -> 64 entry L90 { regs r1:64 L90: store.8 r0, 0:64 name \"-argument\" -> L91"
            " L91: r1 = alloc stack 8:64 -> L92 L92: store.8 r1, 0:64 name \"+own\" -> L93 L93: return 0:64 }");
}

static void before_the_first_thread (void **state) {
  (void) state;
  check (HEADER
         "global #1 head : 8 bytes global #2 t : 8 bytes function #3 main : 0 bytes function #4 init : 0 bytes"
         " function #5 worker : 0 bytes function #6 once : 0 bytes start &main"
         " proc main = #3 () entry L0 { regs r0:32 L0: store.8 &head, 1:64 name \"+alone\" -> L1 L1: call &init -> L2"
         " L2: call &once -> L3 L3: r0 = thread_create &t, &worker, 0:64 -> L4"
         " L4: store.8 &head, 2:64 name \"-not alone\" -> L5 L5: exit 0:32 }"
         " proc init = #4 () entry L10 { L10: store.8 &head, 3:64 name \"-by all\" -> L11 L11: return }"
         " proc once = #6 () entry L12 { L12: store.8 &head, 3:64 name \"+by main\" -> L13 L13: return }"
         " proc worker = #5 (r0:64) -> 64 entry L20 { L20: call &init -> L21"
         " L21: store.8 &head, 2:64 name \"-thread\" -> L22 L22: return 0:64 }");
  check (HEADER
         "global #1 head : 8 bytes global #2 t : 8 bytes function #3 main : 0 bytes function #4 init : 0 bytes"
         " function #5 worker : 0 bytes start &main"
         " proc main = #3 () entry L0 { L0: call &init -> L1 L1: store.8 &head, 1:64 name \"-not alone\" -> L2 L2: "
         "exit 0:32 }"
         " proc init = #4 () entry L10 { regs r0:32 L10: r0 = thread_create &t, &worker, 0:64 -> L11 L11: return }"
         " proc worker = #5 (r0:64) -> 64 entry L20 { L20: return 0:64 }");
}

// ---- where points-to gives up -------------------------------------------------------------------------

static void guessed_addresses (void **state) {
  (void) state;
  check (MAIN "{ " REGS
              "L0: r0 = nondet -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: store.8 r0, r1 name \"-anything\" -> L3"
              " L3: store.8 r1, 0:64 name \"-stored anywhere\" -> L4 L4: exit 0:32 } " F_NOTHING);
  check (MAIN
         "{ " REGS
         "L0: r0 = nondet -> L1 L1: r1 = alloc heap 8:64 -> L2 L2: r2 = alloc heap 8:64 -> L3 L3: store.8 r1, r2 -> L4"
         " L4: store.8 r0, 0:64 -> L5 L5: r3 = load.8 r1 name \"+outer\" -> L6 L6: store.8 r3, 0:64 name \"-may be "
         "overwritten\" -> L7"
         " L7: store.8 &head, r1 -> L8 L8: exit 0:32 } " F_NOTHING);
}

TEST_MAIN (cmocka_unit_test (stack_and_thread_local), cmocka_unit_test (result_of_a_thread),
           cmocka_unit_test (private_until_stored), cmocka_unit_test (private_until_a_thread_gets_it),
           cmocka_unit_test (on_one_path_only), cmocka_unit_test (one_of_two), cmocka_unit_test (through_integers),
           cmocka_unit_test (index_from_a_global), cmocka_unit_test (given_away_with_its_holder),
           cmocka_unit_test (given_away_after_loading), cmocka_unit_test (contents_from_elsewhere),
           cmocka_unit_test (stored_under_another_name), cmocka_unit_test (new_object_in_every_round),
           cmocka_unit_test (object_of_the_last_round), cmocka_unit_test (list_of_private_objects),
           cmocka_unit_test (contents_of_the_last_round), cmocka_unit_test (constructor),
           cmocka_unit_test (initialiser), cmocka_unit_test (callee_links), cmocka_unit_test (callee_mixes),
           cmocka_unit_test (callee_gives_away_contents), cmocka_unit_test (passed_twice),
           cmocka_unit_test (passed_with_its_holder), cmocka_unit_test (recursion),
           cmocka_unit_test (loop_through_a_callee), cmocka_unit_test (passed_on_or_new),
           cmocka_unit_test (private_or_not), cmocka_unit_test (parameters_with_the_same_contents),
           cmocka_unit_test (kept_with_contents_from_elsewhere), cmocka_unit_test (worker_argument),
           cmocka_unit_test (before_the_first_thread), cmocka_unit_test (guessed_addresses))
