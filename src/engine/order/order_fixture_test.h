// Fixture for the tests of this engine, with small programs: thread 0 starts `one` and `two`, joins both, and reads the
// globals.
// A thread is a line of operations in the text form (docs/formats/ir.md), executed one after the other.
//
//   scene s;
//   order_fixture_init (&s, (lines){.one = "store.4 &x, 1:32", .two = "r1 = load.4 &x; store.4 &p, r1"}, 1);
// //   order_fixture_outcomes (&s);              // bit v: there is an execution after which 2 p + q is v
//   order_fixture_release (&s);
//
// Globals: x, y, p, q of 4 bytes, array of 16, m a mutex, h handles.  Registers: r0:64 the argument, r1:32 to r4:32,
// r5:64, r6:64.
#ifndef LOCKSTEP_ORDER_SCENE_TEST_H
#define LOCKSTEP_ORDER_SCENE_TEST_H

#include <stdlib.h>

#include "analysis/text_test.h"
#include "engine/order/event_order.h"
#include "engine/order/walk.h"

// before, between, after: of thread 0; NULL: nothing
typedef struct lines { const char *before, *between, *one, *two, *after; } lines;
typedef struct order_fixture {
  ir_program *program;
  loop_nesting loops;
  sharing sharing;
  term_pool terms;
  unwound unwound;
  decider *decider;
  order *order;
  semantics semantics;
  budget budget;
} order_fixture;

enum { NUM_OUTCOMES = 4, MAX_FIXTURE_WALKS = 20 };
static const char order_fixture_objects[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 global #1 x : 4 bytes global #2 y : 4 bytes "
    "global #3 p : 4 bytes global #4 q : 4 bytes "
    "global #5 array : 16 bytes global #6 m : 40 bytes global #7 h : 16 bytes "
    "function #8 start : 0 bytes function #9 one : 0 bytes "
    "function #10 two : 0 bytes start &start ";
#define ORDER_FIXTURE_REGISTERS "r1:32, r2:32, r3:32, r4:32, r5:64, r6:64"

static inline void order_fixture_add (strbuf *text, const char *operations, uint32_t *at) {
  for (const char *end; operations && *operations; operations = *end ? end + 1 : end) {
    end = operations + strcspn (operations, ";");
    strbuf_printf (text, "L%u: %.*s -> L%u\n", *at, (int) (end - operations), operations, *at + 1);
    ++*at;
  }
}

static inline void order_fixture_add_thread (strbuf *text, const char *head, const char *operations, uint32_t *at) {
  strbuf_printf (text, "proc %s -> 64 entry L%u { regs " ORDER_FIXTURE_REGISTERS "\n", head, *at);
  order_fixture_add (text, operations, at);
  strbuf_printf (text, "L%u: return 0:64 }\n", *at);
  ++*at;
}

static inline ir_program *order_fixture_program (lines l) {
  strbuf text = {0};
  uint32_t at = 1;
  strbuf_printf (&text, "%s proc start = #8 () entry L%u { regs r0:64, " ORDER_FIXTURE_REGISTERS "\n",
                 order_fixture_objects, at);
  order_fixture_add (&text, l.before, &at);
  order_fixture_add (&text, "r1 = thread_create &h, &one, 0:64; r1 = thread_create &h+8, &two, 0:64", &at);
  order_fixture_add (&text, l.between, &at);
  order_fixture_add (&text, "r5 = load.8 &h; r6 = thread_join r5; r5 = load.8 &h+8; r6 = thread_join r5", &at);
  order_fixture_add (&text, l.after, &at);
  order_fixture_add (&text, "r1 = load.4 &p; r2 = load.4 &q", &at);
  for (uint32_t v = 0; v < NUM_OUTCOMES; v++) {
    char check[80];
    snprintf (check, sizeof check, "check assert (((r1 + r1) + r2) != %u:32) message \"%u\"", v, v);
    order_fixture_add (&text, check, &at);
  }
  strbuf_printf (&text, "L%u: exit 0:32 }\n", at++);
  order_fixture_add_thread (&text, "one = #9 (r0:64)", l.one, &at);
  order_fixture_add_thread (&text, "two = #10 (r0:64)", l.two, &at);
  ir_program *p = program_of_text (strbuf_text (&text));
  strbuf_release (&text);
  return p;
}

// Repeats the walk until it finds no new facts about sharing.
static inline void order_fixture_walk (order_fixture *s, uint32_t unwind) {
  walk_options o = {.program = s->program, .semantics = &s->semantics, .budget = &s->budget, .unwind = unwind,
                    .most_threads = 8, .iteration_limit = 100, .most_steps = 100000};
  for (uint32_t k = 0; k < MAX_FIXTURE_WALKS; k++) {
    assert_true (walk_program (&o, &s->loops, &s->sharing, &s->terms, &s->unwound));
    if (!s->sharing.grew) return;
    unwound_release (&s->unwound);
    unwound_init (&s->unwound);
    term_pool_release (&s->terms);
    term_pool_init (&s->terms);
  }
  fail_msg ("the facts about sharing still grow");
}

static inline void order_fixture_init (order_fixture *s, lines l, uint32_t unwind) {
  *s = (order_fixture){.program = order_fixture_program (l),
                       .semantics = {.properties = 1 << IR_P_ASSERT, .max_threads = 8}};
  loops_init (&s->loops, s->program);
  sharing_init (&s->sharing, s->program, s->program->objects.count);
  term_pool_init (&s->terms);
  unwound_init (&s->unwound);
  order_fixture_walk (s, unwind);
  s->decider = decider_new (&s->terms, DECIDE_BY_SAT, &s->budget);
  s->order = order_new (&s->unwound, &s->terms, s->decider, &s->budget);
}

static inline void order_fixture_release (order_fixture *s) {
  order_free (s->order);
  decider_free (s->decider);
  unwound_release (&s->unwound);
  term_pool_release (&s->terms);
  sharing_release (&s->sharing);
  loops_release (&s->loops);
  ir_program_free (s->program);
}

static inline bool order_fixture_can (order_fixture *s, term condition) {
  return order_check (s->order, &condition, 1) == DECIDED_YES;
}

static inline uint32_t order_fixture_outcomes (order_fixture *s) {
  uint32_t outcomes = 0;
  for (uint32_t k = 0; k < s->unwound.goals.count; k++) {
    const unwound_goal *g = &s->unwound.goals.data[k];
    if (!order_fixture_can (s, order_condition (s->order, g))) continue;
    outcomes |= 1u << atoi (s->program->edges.data[g->edge.i].message);
  }
  return outcomes;
}

// Nothing is cut or incomplete, and the outcomes are these.
static inline void assert_outcomes (lines l, uint32_t expected) {
  order_fixture s;
  order_fixture_init (&s, l, 1);
  assert_int_equal (s.unwound.cuts.count, 0);
  for (uint32_t k = 0; k < s.unwound.incomplete.count; k++)
    assert_false (order_fixture_can (&s, s.unwound.incomplete.data[k]));
  assert_int_equal (order_fixture_outcomes (&s), expected);
  order_fixture_release (&s);
}

#endif
