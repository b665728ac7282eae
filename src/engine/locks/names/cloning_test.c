// clone_per_call: which functions are cloned, and that a clone is like its original.
#include "engine/locks/names/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/test.h"

#define HEADER                                                                                                     \
  "lockstep-ir 1 pointer_bits 64 offset_bits 32 function #1 main : 0 bytes function #2 get : 0 bytes function #3 " \
  "node : 0 bytes function #4 run : 0 bytes global #5 x : 8 bytes start &main\n"
#define GET \
  "proc get = #2 (r0:64) -> 64 entry L0 { regs r1:64 L0: r1 = alloc heap r0 @\"a.c\":1:2 -> L1 L1: return r1 }\n"
#define NODE "proc node = #3 () -> 64 entry L2 { regs r0:64 L2: r0 = call &get, 16:64 -> L3 L3: return (r0 + 8:64) }\n"
#define RUN "proc run = #4 (r0:64) -> 64 entry L8 { L8: call r0 -> L9 L9: return 0:64 }\n"
#define MAIN                                                                                                         \
  "proc main = #1 () entry L4 { regs r0:64 L4: r0 = call &node @\"b.c\":7:1 -> L5 L5: r0 = call &node -> L6 L6: r0 " \
  "= call &get, 4:64 -> L7 L7: exit 0:32 }\n"

static ir_program *parsed_text (const char *text) {
  char *error = NULL;
  ir_program *p = ir_parse (text, "t.ir", &error);
  if (!p) fail_msg ("%s", error);
  return p;
}

static ir_program *cloned_text (const ir_program *original) {
  char *error = NULL;
  ir_program *p = clone_per_call (original);
  if (!ir_check (p, &error)) fail_msg ("%s", error);
  return p;
}

static unsigned count_procs (const ir_program *p, const char *name) {
  unsigned count = 0;
  for (uint32_t f = 0; f < p->procs.count; f++) count += !strcmp (p->procs.data[f].name, name);
  return count;
}

static unsigned copies_of (const char *text, const char *name) {
  ir_program *original = parsed_text (text), *p = cloned_text (original);
  unsigned count = count_procs (p, name) - 1;
  ir_program_free (p);
  ir_program_free (original);
  return count;
}

// Every call in what main reaches has an allocation of its own.
static void each_call_has_its_copy (void **state) {
  (void) state;
  ir_program *original = parsed_text (HEADER GET NODE RUN MAIN), *p = cloned_text (original);
  assert_int_equal (count_procs (p, "node"), 3);  // two copies and the original
  assert_int_equal (count_procs (p, "get"), 4);
  map callees = {0};
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    ir_proc caller = ir_loc_at (p, d->from)->proc;
    if (d->op != IR_CALL || (caller.i < 4 && strcmp (ir_proc_at (p, caller)->name, "main")))
      continue;  // originals that no function calls any more
    bool is_new;
    map_insert (&callees, ir_expr_at (p, ir_arg (p, (ir_edge){e}, 0))->object.i, 0, &is_new);
    assert_true (is_new);
  }
  assert_int_equal (callees.entries.count, 5);
  map_release (&callees);
  ir_program_free (p);
  ir_program_free (original);
}

static void copy_is_like_its_original (void **state) {
  (void) state;
  ir_program *original = parsed_text (HEADER GET NODE RUN MAIN), *p = cloned_text (original);
  const ir_proc_data *get = &p->procs.data[0], *copy = &p->procs.data[5];  // what the first call of node calls
  assert_string_equal (copy->name, "get");
  assert_int_equal (copy->num_params, get->num_params);
  assert_int_equal (copy->result_bits, get->result_bits);
  assert_int_equal (copy->regs.count, get->regs.count);
  assert_int_equal (copy->locs.count, get->locs.count);
  const ir_edge_data *made = &p->edges.data[ir_loc_at (p, copy->entry)->first_edge];
  assert_int_equal (made->op, IR_ALLOC);
  assert_int_equal (made->aux, IR_ALLOC_HEAP);
  assert_int_equal (made->pos.line, 7);  // of the call, for people
  ir_program_free (p);
  ir_program_free (original);
}

static void the_original_stays_as_it_was (void **state) {
  (void) state;
  ir_program *original = parsed_text (HEADER GET NODE RUN MAIN);
  uint32_t procs = original->procs.count, edges = original->edges.count, args = original->args.count;
  ir_expr callee =
      ir_arg (original, (ir_edge){ir_loc_at (original, ir_proc_at (original, original->start)->entry)->first_edge}, 0);
  ir_program_free (cloned_text (original));
  assert_int_equal (original->procs.count, procs);
  assert_int_equal (original->edges.count, edges);
  assert_int_equal (original->args.count, args);
  assert_int_equal (
      ir_arg (original, (ir_edge){ir_loc_at (original, ir_proc_at (original, original->start)->entry)->first_edge}, 0)
          .i,
      callee.i);
  ir_program_free (original);
}

static void others_have_none (void **state) {
  (void) state;
  assert_int_equal (copies_of (HEADER "proc get = #2 (r0:64) -> 64 entry L0 { regs r1:64 L0: r1 = alloc heap r0 -> L1 "
                                      "L1: return r0 }\n" NODE RUN MAIN,
                               "get"),
                    0);
}

static void recursion_ends (void **state) {
  (void) state;
  assert_int_equal (copies_of (HEADER GET RUN
                               "proc node = #3 () -> 64 entry L2 { regs r0:64, r1:64 L2: r0 = call &get, 16:64 "
                               "-> L3 L3: r1 = call &node -> L10 L10: return r0 }\n" MAIN,
                               "node"),
                    2);
}

static void what_parameters_point_to (void **state) {
  (void) state;
#define MAIN_STORES \
  "proc main = #1 () entry L2 { L2: call &get, &x -> L3 L3: call &get, (&x + 4:64) -> L4 L4: exit 0:32 }\n"
  assert_int_equal (copies_of (HEADER
                               "proc get = #2 (r0:64) entry L0 { L0: store.4 r0, 1:32 -> L1 L1: return }\n" MAIN_STORES,
                               "get"),
                    2);
  assert_int_equal (copies_of (HEADER
                               "proc get = #2 (r0:64) entry L0 { L0: store.4 &x, 1:32 -> L1 L1: return }\n" MAIN_STORES,
                               "get"),
                    0);
}

// Two creators by way of node, so two edges that create; and for each of them a copy of where its thread starts.
static void creators_and_starts (void **state) {
  (void) state;
#define NODE_CREATES \
  "proc node = #3 (r0:64) -> 32 entry L2 { regs r1:32 L2: r1 = thread_create &x, &run, r0 -> L3 L3: return r1 }\n"
#define RUN_LAST "proc run = #4 (r0:64) -> 64 entry L7 { L7: call r0 -> L8 L8: return 0:64 }\n"
#define MAIN_CREATES                                                                                             \
  "proc main = #1 () entry L4 { regs r0:32 L4: r0 = call &node, &get -> L5 L5: r0 = call &node, &get -> L6 L6: " \
  "exit 0:32 }\n"
  const char *text = HEADER GET NODE_CREATES MAIN_CREATES RUN_LAST;
  assert_int_equal (copies_of (text, "node"), 2);
  assert_int_equal (copies_of (text, "run"), 3);  // the original of node has one too
  assert_int_equal (copies_of (text, "get"), 0);  // its address is taken, it is not called by name
}

TEST_MAIN (cmocka_unit_test (each_call_has_its_copy), cmocka_unit_test (copy_is_like_its_original),
           cmocka_unit_test (the_original_stays_as_it_was), cmocka_unit_test (others_have_none),
           cmocka_unit_test (recursion_ends), cmocka_unit_test (what_parameters_point_to),
           cmocka_unit_test (creators_and_starts))
