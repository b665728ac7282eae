// The backward jumps that are marked: those of loops that do not count. The property behind it, on random code: a cycle
// of instructions without a marked jump contains an addition that makes each round different, or nothing that other
// threads could see.
#include "base/rng.h"
#include "engine/explicit/explicit_test.h"

// ---- loops --------------------------------------------------------------------------------------------
static uint32_t line_of (const code *c, const insn *i) { return c->program->edges.data[i->edge].pos.line; }

// Checks which operations of the thread end in a marked backward jump, by their positions in its line from 1 on: "3 5".
static void expect_marked (const char *line, const char *places) {
  const char *threads[] = {"", line};
  ir_program *p = program_of ("x:4 y:4 *own:4", threads, 2);
  code c;
  code_init (&c, p);
  strbuf marked = {0};
  for (uint32_t k = c.procs.data[1].entry; k < c.procs.data[1].end; k++)
    if (c.insns.data[k].sticky)
      strbuf_printf (&marked, "%s%u", marked.count ? " " : "", line_of (&c, &c.insns.data[k]));
  assert_string_equal (strbuf_text (&marked), places);
  strbuf_release (&marked);
  code_release (&c);
  ir_program_free (p);
}

static void counting_loops_are_not_marked (void **state) {
  (void) state;
  expect_marked ("r1 = assign 0:32; 1: store.4 &x, r1; r1 = assign (r1 + 1:32); r8 = assign (r1 u< 9:32); if r8 goto 1",
                 "");
  expect_marked (
      "r5 = assign 9:64; 1: store.4 &x, 1:32; r5 = assign (r5 - 2:64); r8 = assign (r5 != 0:64); if r8 goto 1", "");
}

static void endless_loops_are_marked (void **state) {
  (void) state;
  expect_marked ("1: store.4 &x, 1:32; goto 1", "2");
  expect_marked ("store.4 &y, 1:32; 1: r1 = load.4 &x; if r1 goto 1; store.4 &x, 2:32", "3");
}

static void walks_along_lists_are_marked (void **state) {
  (void) state;
  expect_marked ("r5 = assign r0; 1: r5 = load.8 r5; r8 = assign (r5 != 0:64); if r8 goto 1", "4");
}

static void invisible_loops_are_not_marked (void **state) {
  (void) state;
  expect_marked ("1: r1 = assign (r1 ^ 1:32); goto 1; store.4 &x, 1:32", "");
}

// The inner counter starts again in each round of the outer loop.
static void loops_in_loops (void **state) {
  (void) state;
  static const char counted[] = "r1 = assign 0:32; 1: r2 = assign 0:32; 2: store.4 &x, r2; r2 = assign (r2 + 1:32);"
                                "r8 = assign (r2 u< 3:32); if r8 goto 2;"
                                "r1 = assign (r1 + 1:32); r8 = assign (r1 u< 3:32); if r8 goto 1",
                    endless[] = "1: r2 = assign 0:32; 2: store.4 &x, r2; r2 = assign (r2 + 1:32);"
                                "r8 = assign (r2 u< 3:32); if r8 goto 2; goto 1";
  expect_marked (counted, "");
  expect_marked (endless, "5 6");  // both, since they are one component and nothing in it counts
}

// A round without the addition does not count.
static void rounds_that_skip_the_counter_are_marked (void **state) {
  (void) state;
  expect_marked ("1: r3 = load.4 &x; if r3 goto 1; r1 = assign (r1 + 1:32); store.4 &y, r1; goto 1", "2");
}

static void narrow_counters_come_round (void **state) {
  (void) state;
  expect_marked ("1: store.1 &x, r7; r7 = assign (r7 + 1:8); r8 = assign (r7 != 0:8); if r8 goto 1", "4");
}

static void adding_nothing_or_something_unknown_is_no_counting (void **state) {
  (void) state;
  expect_marked ("1: r1 = assign (r1 + r2); store.4 &x, r1; goto 1", "3");
  expect_marked ("1: r1 = assign (r1 * 2:32); store.4 &x, r1; goto 1", "3");
}

static void a_counter_that_is_also_set_is_none (void **state) {
  (void) state;
  expect_marked ("1: r1 = assign (r1 + 1:32); store.4 &x, r1; r1 = load.4 &y; goto 1", "4");
}

// ---- random code --------------------------------------------------------------------------------------
enum { SIZE = 9, REGISTERS = 3 };

static insn random_insn (rng *r, uint32_t at) {
  insn i = {.dst = IR_NONE, .dst2 = IR_NONE, .bits = 32};
  switch (rng_below (r, 7)) {
  case 0:
    i.op = BC_ADD, i.dst = rng_below (r, REGISTERS), i.a = rng_below (r, REGISTERS), i.b = CONST_BIT | rng_below (r, 2);
    if (!rng_below (r, 5)) i.bits = 8;
    return i;
  case 1: i.op = BC_MOVE, i.dst = rng_below (r, REGISTERS), i.a = rng_below (r, REGISTERS); return i;
  case 2: i.op = BC_MOVE, i.dst = rng_below (r, REGISTERS), i.a = CONST_BIT; return i;
  case 3: i.op = BC_LOAD, i.dst = rng_below (r, REGISTERS), i.bytes = 4; return i;
  case 4: i.op = BC_STORE, i.bytes = 4; return i;
  case 5: i.op = BC_BRANCH_IF; break;
  default: i.op = rng_below (r, 2) ? BC_JUMP : BC_BRANCH;
  }
  i.target = rng_below (r, SIZE);
  i.other = rng_below (r, SIZE);
  i.back = i.target <= at || (i.op == BC_BRANCH && i.other <= at);
  return i;
}

// The successors of an instruction that are reached without a marked jump, as bits.
static uint32_t unmarked_successors (const code *c, uint32_t k) {
  const insn *i = &c->insns.data[k];
  uint32_t jumps = 0, falls = i->op == BC_JUMP || i->op == BC_BRANCH || i->op == BC_RETURN ? 0 : 1u << (k + 1);
  if (i->op == BC_JUMP || i->op == BC_BRANCH || i->op == BC_BRANCH_IF) jumps |= 1u << i->target;
  if (i->op == BC_BRANCH) jumps |= 1u << i->other;
  return falls | (i->sticky ? jumps & ~((2u << k) - 1) : jumps);
}

// Returns whether every instruction of the set can reach every other inside the set.
static bool is_unmarked_cycle (const code *c, uint32_t set) {
  for (uint32_t from = 0; from < SIZE; from++) {
    if (!(set >> from & 1)) continue;
    uint32_t reached = 0, next = unmarked_successors (c, from) & set;
    while (next & ~reached) {
      reached |= next;
      for (uint32_t k = 0; k < SIZE; k++)
        if (reached >> k & 1) next |= unmarked_successors (c, k) & set;
    }
    if (reached != set) return false;
  }
  return true;
}

static uint32_t writers (const code *c, uint32_t set, uint32_t slot) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < SIZE; k++)
    if ((set >> k & 1) && c->insns.data[k].dst == slot) found |= 1u << k;
  return found;
}

// Returns whether the instruction is a counter: r = r + c, or t = r + c and r = t, and nothing else in the set writes
// these registers; so each round changes r.
static bool counts (const code *c, uint32_t set, uint32_t k) {
  const insn *i = &c->insns.data[k];
  if (!(set >> k & 1) || i->op != BC_ADD || i->bits < 32 || !c->constants.data[i->b & ~CONST_BIT]) return false;
  uint32_t of_sum = writers (c, set, i->dst), of_counter = writers (c, set, i->a);
  if (of_sum != 1u << k) return false;
  if (i->dst == i->a) return true;
  for (uint32_t m = 0; m < SIZE; m++)
    if (of_counter == 1u << m && c->insns.data[m].op == BC_MOVE && c->insns.data[m].a == i->dst) return true;
  return false;
}

static bool may_repeat (const code *c, uint32_t set) {
  bool visible = false;
  for (uint32_t k = 0; k < SIZE; k++) {
    visible |= (set >> k & 1) && (c->insns.data[k].op == BC_LOAD || c->insns.data[k].op == BC_STORE);
    if (counts (c, set, k)) return false;
  }
  return visible;
}

static void show (const code *c, uint32_t set) {
  for (uint32_t k = 0; k < SIZE; k++) {
    const insn *i = &c->insns.data[k];
    print_error ("%c %u: op %u dst %d a %x b %x bits %u target %u other %u%s\n", set >> k & 1 ? '>' : ' ', k, i->op,
                 (int) i->dst, i->a, i->b, i->bits, i->target, i->other, i->sticky ? " marked" : "");
  }
}

static void no_unmarked_round_repeats_itself (void **state) {
  (void) state;
  rng r = {5};
  for (uint32_t round = 0; round < 30000; round++) {
    code c = {0};
    vec_push (&c.constants, 0);
    vec_push (&c.constants, 1);
    for (uint32_t k = 0; k + 1 < SIZE; k++) vec_push (&c.insns, random_insn (&r, k));
    vec_push (&c.insns, ((insn){.op = BC_RETURN, .dst = IR_NONE, .dst2 = IR_NONE}));
    code_mark_sticky (&c, 0, SIZE);
    for (uint32_t set = 1; set < 1u << SIZE; set++)
      if (may_repeat (&c, set) && is_unmarked_cycle (&c, set)) {
        show (&c, set);
        fail_msg ("round %u: the instructions > can repeat without a marked jump", round);
      }
    vec_release (&c.insns);
    vec_release (&c.constants);
  }
}

TEST_MAIN (cmocka_unit_test (counting_loops_are_not_marked), cmocka_unit_test (endless_loops_are_marked),
           cmocka_unit_test (walks_along_lists_are_marked), cmocka_unit_test (invisible_loops_are_not_marked),
           cmocka_unit_test (loops_in_loops), cmocka_unit_test (rounds_that_skip_the_counter_are_marked),
           cmocka_unit_test (narrow_counters_come_round),
           cmocka_unit_test (adding_nothing_or_something_unknown_is_no_counting),
           cmocka_unit_test (a_counter_that_is_also_set_is_none), cmocka_unit_test (no_unmarked_round_repeats_itself))
