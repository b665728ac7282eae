// And-inverter graphs and their clauses, against truth tables over six inputs.
#include "base/rng.h"
#include "base/test.h"
#include "encode/cnf.h"

enum { INPUTS = 6 };
static const uint64_t input_table[INPUTS] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                             0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
static const budget no_limit = {0};

typedef struct function {
  aig_lit literal;
  uint64_t table;
} function;

static function random_function (rng *r, const function *f, unsigned count) {
  function x = f[rng_below (r, count)];
  return rng_below (r, 2) ? x : (function){aig_not (x.literal), ~x.table};
}

static function combine (rng *r, aig *g, const function *f, unsigned count) {
  function a = random_function (r, f, count), b = random_function (r, f, count), c = random_function (r, f, count);
  switch (rng_below (r, 5)) {
  case 0: return (function){aig_or (g, a.literal, b.literal), a.table | b.table};
  case 1: return (function){aig_xor (g, a.literal, b.literal), a.table ^ b.table};
  case 2: return (function){aig_mux (g, a.literal, b.literal, c.literal), (a.table & b.table) | (~a.table & c.table)};
  default: return (function){aig_and (g, a.literal, b.literal), a.table & b.table};
  }
}

static bool table_value (const aig *g, uint64_t *node, aig_lit x, uint64_t *out) {
  *out = x.i & 1 ? ~node[x.i / 2] : node[x.i / 2];
  return x.i / 2 < g->nodes.count;
}

// Evaluates the graph node by node, and compares the literals with the tables.
static void check_tables (const aig *g, const function *f, unsigned count) {
  uint64_t node[4096] = {0}, left, right;
  assert_true (g->nodes.count <= 4096);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    aig_node n = g->nodes.data[i];
    if (aig_is_input (g, i)) node[i] = input_table[n.right.i];
    else if (table_value (g, node, n.left, &left) && table_value (g, node, n.right, &right)) node[i] = left & right;
  }
  for (unsigned i = 0; i < count; i++) {
    assert_true (table_value (g, node, f[i].literal, &left));
    assert_true (left == f[i].table);
  }
}

// Each function, and its complement, is satisfiable if and only if its table says so, and the model is in the table.
static void check_clauses (const aig *g, const function *f, unsigned count) {
  sat *s = sat_new (&no_limit);
  cnf c;
  cnf_init (&c, g, s);
  for (unsigned i = 0; i < count; i++) {
    int literal = cnf_literal (&c, f[i].literal);
    for (unsigned sign = 0; sign < 2; sign++) {
      uint64_t table = sign ? ~f[i].table : f[i].table;
      unsigned model = 0;
      assert_int_equal (sat_solve (s, (int[]){sign ? -literal : literal}, 1), table ? SAT_YES : SAT_NO);
      for (unsigned k = 0; table && k < INPUTS; k++) {
        int input = cnf_find_literal (&c, f[k].literal);
        model |= (unsigned) (input && sat_value (s, input)) << k;
      }
      if (table) assert_true (table >> model & 1);
    }
  }
  cnf_release (&c);
  sat_free (s);
}

static void random_graphs_match_tables (void **state) {
  (void) state;
  enum { COUNT = 200 };
  for (uint64_t seed = 0; seed < 100; seed++) {
    rng r = {seed};
    aig g;
    function f[COUNT];
    aig_init (&g);
    for (unsigned i = 0; i < INPUTS; i++) f[i] = (function){aig_input (&g), input_table[i]};
    for (unsigned i = INPUTS; i < COUNT; i++) f[i] = combine (&r, &g, f, i);
    check_tables (&g, f, COUNT);
    check_clauses (&g, f, COUNT);
    aig_release (&g);
  }
}

static void equal_structure_is_shared (void **state) {
  (void) state;
  aig g;
  aig_init (&g);
  aig_lit a = aig_input (&g), b = aig_input (&g), c = aig_input (&g), both = aig_and (&g, a, b);
  assert_int_equal (aig_and (&g, b, a).i, both.i);
  assert_int_equal (aig_and (&g, both, aig_not (a)).i, AIG_FALSE.i);
  assert_int_equal (aig_and (&g, a, aig_not (both)).i, aig_and (&g, a, aig_not (b)).i);
  assert_int_equal (aig_xor (&g, aig_not (a), b).i, aig_not (aig_xor (&g, a, b)).i);
  assert_int_equal (aig_mux (&g, aig_not (c), a, b).i, aig_mux (&g, c, b, a).i);
  assert_int_equal (aig_or (&g, a, AIG_TRUE).i, AIG_TRUE.i);
  aig_release (&g);
}

TEST_MAIN (cmocka_unit_test (random_graphs_match_tables), cmocka_unit_test (equal_structure_is_shared))
