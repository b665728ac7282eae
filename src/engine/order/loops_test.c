// The order in which locations are unwound, on random graphs: edges lead forward except to heads of loops around them,
// and loops are contiguous.
#include "engine/order/loops.h"

#include "base/rng.h"
#include "base/strbuf.h"
#include "base/test.h"

enum { GRAPHS = 400, MAX_LOCATIONS = 24 };

typedef struct graph {
  ir_program *program;
  loop_nesting loops;
  uint32_t count;
} graph;

// ---- graphs -----------------------------------------------------------------------------------------
static void parse (graph *g, const char *text, uint32_t count) {
  char *error = NULL;
  g->program = ir_parse (text, "t.ir", &error);
  if (!g->program) fail_msg ("%s\n%s", error, text);
  g->count = count;
  loops_init (&g->loops, g->program);
  loops_need (&g->loops, g->program->start);
}

static void begin_program (strbuf *text) {
  strbuf_add (text, "lockstep-ir 1 pointer_bits 64 offset_bits 32 function #1 start : 0 bytes start &start\n"
                    "proc start = #1 () entry L0 { regs r0:1\n");
}

// Every location has a branch, a single successor, or an exit.
static void graph_random (graph *g, rng *r) {
  strbuf text = {0};
  uint32_t count = 1 + rng_below (r, MAX_LOCATIONS);
  begin_program (&text);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t kind = rng_below (r, 8);
    if (kind > 2)
      strbuf_printf (&text, "L%u: assume r0 -> L%u\nL%u: assume (r0 ^ 1:1) -> L%u\n", k, rng_below (r, count), k,
                     rng_below (r, count));
    else if (kind) strbuf_printf (&text, "L%u: nop -> L%u\n", k, rng_below (r, count));
    else strbuf_printf (&text, "L%u: exit 0:32\n", k);
  }
  strbuf_add (&text, "}\n");
  parse (g, strbuf_text (&text), count);
  strbuf_release (&text);
}

// Lines of edges, to be put between the head and the end of the program.
static void graph_of (graph *g, const char *edges, uint32_t count) {
  strbuf text = {0};
  begin_program (&text);
  strbuf_printf (&text, "%s}\n", edges);
  parse (g, strbuf_text (&text), count);
  strbuf_release (&text);
}

static void graph_release (graph *g) {
  loops_release (&g->loops);
  ir_program_free (g->program);
}

static uint32_t num_edges (const graph *g, uint32_t at) { return g->program->locs.data[at].num_edges; }
static uint32_t next_of (const graph *g, uint32_t at, uint32_t k) {
  return g->program->edges.data[g->program->locs.data[at].first_edge + k].to.i;
}
static uint32_t rank_of (const graph *g, uint32_t at) { return g->loops.rank.data[at]; }
static bool is_head (const graph *g, uint32_t at) { return g->loops.loop.data[at] == at; }

// ---- properties of the order ------------------------------------------------------------------------
static void mark_reachable (const graph *g, uint32_t at, bool *reached) {
  if (reached[at]) return;
  reached[at] = true;
  for (uint32_t k = 0; k < num_edges (g, at); k++)
    if (next_of (g, at, k) != IR_NONE) mark_reachable (g, next_of (g, at, k), reached);
}

static uint32_t check_ranks (const graph *g, const bool *reached) {
  bool taken[MAX_LOCATIONS] = {0};
  uint32_t count = 0;
  for (uint32_t k = 0; k < g->count; k++) {
    assert_int_equal (rank_of (g, k) != IR_NONE, reached[k]);
    if (!reached[k]) continue;
    assert_true (rank_of (g, k) < g->count && !taken[rank_of (g, k)]);
    taken[rank_of (g, k)] = true;
    count++;
  }
  for (uint32_t k = 0; k < count; k++) assert_true (taken[k]);
  assert_int_equal (rank_of (g, 0), 0);
  return count;
}

static void check_edges (const graph *g, const bool *reached) {
  for (uint32_t from = 0; from < g->count; from++)
    for (uint32_t k = 0; reached[from] && k < num_edges (g, from); k++) {
      uint32_t to = next_of (g, from, k);
      if (to == IR_NONE || rank_of (g, from) < rank_of (g, to)) continue;
      assert_true (is_head (g, to) && loops_contains (&g->loops, to, from));
    }
}

// The head comes first, then the other locations of the loop, and nothing else between them; the loop is endless if no
// edge leaves it.
static void check_loop (const graph *g, uint32_t head, const bool *reached) {
  uint32_t members = 0;
  bool leaves = false;
  for (uint32_t k = 0; k < g->count; k++) {
    if (!reached[k] || !loops_contains (&g->loops, head, k)) continue;
    members++;
    assert_true (rank_of (g, k) >= rank_of (g, head));
    for (uint32_t e = 0; e < num_edges (g, k); e++)
      leaves |= next_of (g, k, e) == IR_NONE || !loops_contains (&g->loops, head, next_of (g, k, e));
  }
  for (uint32_t k = 0; k < g->count; k++)
    if (reached[k] && loops_contains (&g->loops, head, k)) assert_true (rank_of (g, k) < rank_of (g, head) + members);
  assert_int_equal (g->loops.endless.data[head], !leaves);
}

static void check_nesting (const graph *g, uint32_t at) {
  uint32_t depth = 0;
  for (uint32_t h = g->loops.loop.data[at]; h != IR_NONE; h = g->loops.outer.data[h]) {
    assert_true (is_head (g, h));
    depth++;
    assert_true (depth <= g->count);
  }
  assert_int_equal (g->loops.depth.data[at], depth);
}

static void random_graphs (void **state) {
  (void) state;
  rng r = {1};
  for (uint32_t k = 0; k < GRAPHS; k++) {
    graph g;
    bool reached[MAX_LOCATIONS] = {0};
    graph_random (&g, &r);
    mark_reachable (&g, 0, reached);
    check_ranks (&g, reached);
    check_edges (&g, reached);
    for (uint32_t at = 0; at < g.count; at++) {
      if (reached[at]) check_nesting (&g, at);
      if (reached[at] && is_head (&g, at)) check_loop (&g, at, reached);
    }
    graph_release (&g);
  }
}

// ---- small graphs whose order is known --------------------------------------------------------------
static void nested_loops (void **state) {
  (void) state;
  graph g;
  graph_of (&g,
            "L0: assume r0 -> L1\nL0: assume (r0 ^ 1:1) -> L4\n"  // outer head
            "L1: assume r0 -> L2\nL1: assume (r0 ^ 1:1) -> L3\n"  // inner head
            "L2: nop -> L1\nL3: nop -> L0\nL4: exit 0:32\n",
            5);
  const uint32_t loop[] = {0, 1, 1, 0, IR_NONE}, depth[] = {1, 2, 2, 1, 0}, rank[] = {0, 1, 2, 3, 4};
  for (uint32_t k = 0; k < 5; k++) {
    assert_int_equal (g.loops.loop.data[k], loop[k]);
    assert_int_equal (g.loops.depth.data[k], depth[k]);
    assert_int_equal (g.loops.rank.data[k], rank[k]);
  }
  assert_int_equal (g.loops.outer.data[1], 0);
  assert_false (g.loops.endless.data[0] || g.loops.endless.data[1]);
  graph_release (&g);
}

static void a_loop_without_end (void **state) {
  (void) state;
  graph g;
  graph_of (&g, "L0: nop -> L1\nL1: nop -> L2\nL2: nop -> L1\n", 3);
  assert_true (g.loops.endless.data[1]);
  assert_int_equal (g.loops.loop.data[0], IR_NONE);
  assert_true (loops_contains (&g.loops, 1, 2) && !loops_contains (&g.loops, 1, 0));
  graph_release (&g);
}

// As long as a generated program; its second half is a loop.
static void a_long_procedure (void **state) {
  (void) state;
  enum { LENGTH = 200000 };
  strbuf edges = {0};
  graph g;
  for (uint32_t k = 0; k < LENGTH; k++)
    strbuf_printf (&edges, "L%u: nop -> L%u\n", k, k + 1 < LENGTH ? k + 1 : LENGTH / 2);
  graph_of (&g, strbuf_text (&edges), LENGTH);
  assert_int_equal (rank_of (&g, LENGTH - 1), LENGTH - 1);
  assert_int_equal (g.loops.loop.data[LENGTH - 1], LENGTH / 2);
  assert_int_equal (g.loops.loop.data[LENGTH / 2 - 1], IR_NONE);
  assert_int_equal (g.loops.deepest.data[g.program->start.i], 1);
  graph_release (&g);
  strbuf_release (&edges);
}

TEST_MAIN (cmocka_unit_test (random_graphs), cmocka_unit_test (nested_loops), cmocka_unit_test (a_loop_without_end),
           cmocka_unit_test (a_long_procedure))
