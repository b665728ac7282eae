// Proves typical circuits: counters, shift registers, a token ring, a queue. Where induction has to go deep, IC3 need
// not.
#include <stdio.h>
#include <string.h>

#include "base/test.h"
#include "netlist/netlist_simulate.h"
#include "prove/prove.h"

enum { MAX_WIDTH = 16 };
static const budget no_limit = {0};
static const prove_options plain = {.budget = &no_limit};
typedef void prover (const netlist *, uint32_t bad, const prove_options *, prove_result *);

// ---- words ------------------------------------------------------------------------------------------

typedef struct word {
  unsigned width;
  aig_lit bit[MAX_WIDTH];  // the lowest first
} word;

// Adds latches for the bits of a word; returns the number of the first.
static uint32_t add_word (netlist *n, unsigned width, word *w) {
  uint32_t first = n->latches.count;
  w->width = width;
  for (unsigned k = 0; k < width; k++) w->bit[k] = netlist_add_latch (n, NET_ZERO, NULL);
  return first;
}

static void set_next (netlist *n, uint32_t first, const word *w) {
  for (unsigned k = 0; k < w->width; k++) netlist_set_next (n, first + k, w->bit[k]);
}

static word plus (netlist *n, const word *x, aig_lit one) {  // x + one
  word sum = {.width = x->width};
  for (unsigned k = 0; k < x->width; k++) {
    sum.bit[k] = aig_xor (&n->graph, x->bit[k], one);
    one = aig_and (&n->graph, x->bit[k], one);
  }
  return sum;
}

static word minus (netlist *n, const word *x, const word *y) {
  word result = {.width = x->width};
  aig_lit carry = AIG_TRUE;
  for (unsigned k = 0; k < x->width; k++) {
    aig_lit a = x->bit[k], b = aig_not (y->bit[k]), odd = aig_xor (&n->graph, a, b);
    result.bit[k] = aig_xor (&n->graph, odd, carry);
    carry = aig_mux (&n->graph, odd, carry, a);
  }
  return result;
}

static word choose (netlist *n, aig_lit condition, const word *x, const word *y) {
  word result = {.width = x->width};
  for (unsigned k = 0; k < x->width; k++) result.bit[k] = aig_mux (&n->graph, condition, x->bit[k], y->bit[k]);
  return result;
}

static aig_lit equals (netlist *n, const word *x, unsigned value) {
  aig_lit result = AIG_TRUE;
  for (unsigned k = 0; k < x->width; k++)
    result = aig_and (&n->graph, result, (aig_lit){x->bit[k].i ^ !(value >> k & 1)});
  return result;
}

static aig_lit differ (netlist *n, const word *x, const word *y) {
  aig_lit result = AIG_FALSE;
  for (unsigned k = 0; k < x->width; k++)
    result = aig_or (&n->graph, result, aig_xor (&n->graph, x->bit[k], y->bit[k]));
  return result;
}

// ---- answers ----------------------------------------------------------------------------------------

static void expect_path (const netlist *n, prover *prove, uint32_t length) {
  prove_result r;
  prove (n, 0, &plain, &r);
  assert_int_equal (r.answer, PROVE_VIOLATED);
  assert_true (net_path_shows (n, 0, &r.path));
  assert_int_equal (r.path.length, length);
  prove_result_release (&r);
}

static uint32_t expect_proof (const netlist *n, prover *prove) {
  prove_result r;
  prove (n, 0, &plain, &r);
  assert_int_equal (r.answer, PROVE_HOLDS);
  assert_true (certificate_is_good (n, 0, &r.certificate, &no_limit));
  uint32_t depth = r.certificate.depth;
  prove_result_release (&r);
  return depth;
}

static void expect_bound (const netlist *n, prover *prove, uint32_t depth) {
  prove_options options = plain;
  prove_result r;
  options.max_depth = depth;
  prove (n, 0, &options, &r);
  assert_int_equal (r.answer, PROVE_BOUNDED);
  assert_int_equal (r.depth, depth);
  assert_non_null (r.why);
  prove_result_release (&r);
}

// ---- circuits ---------------------------------------------------------------------------------------

// Makes a counter, which with `enabled` counts only while an input says so; after `last` comes 0.
static void init_counter (netlist *n, unsigned width, unsigned last, unsigned bad, bool enabled) {
  word count, zero = {.width = width};
  netlist_init (n);
  uint32_t first = add_word (n, width, &count);
  word more = plus (n, &count, enabled ? netlist_add_input (n, "enable") : AIG_TRUE);
  more = choose (n, equals (n, &count, last), &zero, &more);
  set_next (n, first, &more);
  netlist_add_bad (n, equals (n, &count, bad), "reached");
}

static void counters (void **state) {
  (void) state;
  for (unsigned enabled = 0; enabled < 2; enabled++) {
    netlist n;
    init_counter (&n, 6, 63, 63, enabled);
    expect_path (&n, prove_by_bmc, 64);
    expect_path (&n, prove_by_induction, 64);
    expect_path (&n, prove_by_ic3, 64);
    netlist_release (&n);
    init_counter (&n, 10, 300, 1000, enabled);  // induction would have to go back from 1000 to 301
    assert_int_equal (expect_proof (&n, prove_by_ic3), 1);
    expect_bound (&n, prove_by_induction, 20);
    expect_bound (&n, prove_by_bmc, 20);
    netlist_release (&n);
  }
}

// Makes a shift register: an input goes through latches without reset value; with a constraint on the input, its output
// is constrained, too.
static void init_shift_register (netlist *n, unsigned length, bool constrained) {
  netlist_init (n);
  aig_lit in = netlist_add_input (n, "in"), last = in;
  for (unsigned k = 0; k < length; k++) {
    aig_lit latch = netlist_add_latch (n, k ? NET_ZERO : NET_ANY, NULL);
    netlist_set_next (n, k, last);
    last = latch;
  }
  if (constrained) {
    netlist_add_constraint (n, aig_not (in), "never on");
    netlist_add_constraint (n, aig_not (n->latches.data[0].now), "nor at the start");
  }
  netlist_add_bad (n, last, "out");
}

static void shift_registers (void **state) {
  (void) state;
  netlist n;
  init_shift_register (&n, 12, false);
  expect_path (&n, prove_by_bmc, 12);  // from the latch with an arbitrary initial value
  expect_path (&n, prove_by_ic3, 12);
  netlist_release (&n);
  init_shift_register (&n, 12, true);
  assert_int_equal (expect_proof (&n, prove_by_ic3), 1);
  assert_true (expect_proof (&n, prove_by_induction) >= 10);
  expect_bound (&n, prove_by_bmc, 30);
  netlist_release (&n);
}

// The station with the token may enter, and passes the token on only while it is outside. `broken`: also while inside.
static void init_token_ring (netlist *n, unsigned stations, bool broken) {
  aig_lit token[MAX_WIDTH], inside[MAX_WIDTH], gives[MAX_WIDTH], two = AIG_FALSE, one = AIG_FALSE;
  aig *g = &n->graph;
  netlist_init (n);
  for (unsigned k = 0; k < stations; k++) token[k] = netlist_add_latch (n, k ? NET_ZERO : NET_ONE, NULL);
  for (unsigned k = 0; k < stations; k++) inside[k] = netlist_add_latch (n, NET_ZERO, NULL);
  for (unsigned k = 0; k < stations; k++)
    gives[k] =
        aig_and (g, aig_and (g, token[k], netlist_add_input (n, "give")), broken ? AIG_TRUE : aig_not (inside[k]));
  for (unsigned k = 0; k < stations; k++) {
    aig_lit keeps = aig_and (g, token[k], aig_not (gives[k]));
    netlist_set_next (n, k, aig_or (g, keeps, gives[(k + stations - 1) % stations]));
    aig_lit enters = aig_and (g, keeps, netlist_add_input (n, "enter")),
            stays = aig_and (g, inside[k], netlist_add_input (n, "stay"));
    netlist_set_next (n, stations + k, aig_or (g, enters, stays));
    two = aig_or (g, two, aig_and (g, one, inside[k]));
    one = aig_or (g, one, inside[k]);
  }
  netlist_add_bad (n, two, "two inside");
}

static void token_ring (void **state) {
  (void) state;
  netlist n;
  init_token_ring (&n, 8, true);
  expect_path (&n, prove_by_bmc, 4);
  netlist_release (&n);
  init_token_ring (&n, 8, false);
  assert_int_equal (expect_proof (&n, prove_by_ic3), 1);
  expect_bound (&n, prove_by_induction, 6);
  netlist_release (&n);
}

// The count of a queue is the distance of its pointers.
static void init_queue (netlist *n, unsigned width, bool broken) {
  word read, write, count;
  aig *g = &n->graph;
  netlist_init (n);
  aig_lit push = netlist_add_input (n, "push"), pop = netlist_add_input (n, "pop");
  uint32_t first_read = add_word (n, width, &read), first_write = add_word (n, width, &write),
           first_count = add_word (n, width + 1, &count);
  aig_lit pushes = aig_and (g, push, aig_not (count.bit[width])),
          pops = aig_and (g, pop, aig_not (equals (n, &count, 0)));
  aig_lit counted = broken ? push : pushes;
  word next_read = plus (n, &read, pops), next_write = plus (n, &write, pushes),
       one = {.width = width + 1, .bit = {AIG_TRUE}};
  word more = plus (n, &count, AIG_TRUE), less = minus (n, &count, &one);
  word next_count = choose (n, aig_and (g, counted, aig_not (pops)), &more, &count);
  next_count = choose (n, aig_and (g, pops, aig_not (counted)), &less, &next_count);
  set_next (n, first_read, &next_read);
  set_next (n, first_write, &next_write);
  set_next (n, first_count, &next_count);
  word distance = minus (n, &write, &read);
  netlist_add_bad (n, differ (n, &distance, &count), "wrong count");  // of the width of the pointers
}

static void queue (void **state) {
  (void) state;
  netlist n;
  init_queue (&n, 3, true);
  expect_path (&n, prove_by_bmc, 10);
  netlist_release (&n);
  init_queue (&n, 3, false);
  assert_int_equal (expect_proof (&n, prove_by_ic3), 1);
  netlist_release (&n);
}

// ---- limits -----------------------------------------------------------------------------------------

static void note (void *state, const char *text) { *(bool *) state |= strlen (text) > 0; }

static void budgets_end_it (void **state) {
  static prover *const provers[] = {prove_by_bmc, prove_by_induction, prove_by_ic3};
  (void) state;
  netlist n;
  init_counter (&n, 16, 65535, 65535, true);
  for (unsigned i = 0; i < 3; i++) {
    budget b;
    bool told = false;
    prove_result r;
    budget_start (&b, 0.3, 0);
    provers[i](&n, 0, &(prove_options){.budget = &b, .say = note, .say_state = &told}, &r);
    assert_true (budget_elapsed (&b) < TEST_PATIENCE);
    assert_int_equal (r.answer, PROVE_BOUNDED);
    assert_true (told && r.why && r.depth > 1 && r.depth < 65536);
    prove_result_release (&r);
  }
  netlist_release (&n);
}

static void seeds_vary_only_the_way (void **state) {
  (void) state;
  netlist n;
  uint64_t calls[4];
  init_queue (&n, 3, false);
  for (unsigned i = 0; i < 4; i++) {
    prove_result r;
    prove_by_ic3 (&n, 0, &(prove_options){.budget = &no_limit, .seed = i % 3}, &r);
    assert_int_equal (r.answer, PROVE_HOLDS);
    calls[i] = r.sat_calls;
    prove_result_release (&r);
  }
  assert_true (calls[0] == calls[3] && calls[0] != calls[1] && calls[0] != calls[2]);
  netlist_release (&n);
}

TEST_MAIN (cmocka_unit_test (counters), cmocka_unit_test (shift_registers), cmocka_unit_test (token_ring),
           cmocka_unit_test (queue), cmocka_unit_test (budgets_end_it), cmocka_unit_test (seeds_vary_only_the_way))
