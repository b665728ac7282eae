// Tests random systems of like parts, given as tables: proofs about views are compared with the fixpoint over all
// views, and with the states of systems that have one to five parts.
#include "prove/views.h"

#include <string.h>

#include "base/rng.h"
#include "base/test.h"

enum { SHARED = 2, PRIVATE = 2, ENTRIES = 32 /* shared, private, a choice */, MAX_PARTS = 5, MAX_VIEWS = 64 };

static const budget no_limit = {0};
static const prove_options plain = {.budget = &no_limit};

// The behaviour of a part, by shared | private << 2 | choice << 4.
typedef struct part {
  uint8_t next[ENTRIES];  // shared | private << 2
  bool moves[ENTRIES], bad[ENTRIES];
} part;

static void random_part (part *p, rng *r) {
  *p = (part){0};
  unsigned often = 2 + rng_below (r, 4);
  for (unsigned k = 0; k < ENTRIES; k++) {
    p->next[k] = (uint8_t) rng_below (r, 16);
    p->moves[k] = !rng_below (r, often);
    p->bad[k] = !rng_below (r, 16);
  }
}

// ---- enumeration ------------------------------------------------------------------------------------
static unsigned private_of (unsigned state, unsigned part) { return state >> (SHARED + PRIVATE * part) & 3; }

static unsigned with_private (unsigned state, unsigned part, unsigned value) {
  unsigned at = SHARED + PRIVATE * part;
  return (state & ~(3u << at)) | value << at;
}

static unsigned entry_of (unsigned state, unsigned part, unsigned choice) {
  return (state & 3) | private_of (state, part) << 2 | choice << 4;
}

static unsigned after (const part *p, unsigned state, unsigned part, unsigned choice) {
  unsigned entry = entry_of (state, part, choice), next = p->next[entry];
  if (!p->moves[entry]) return state;
  return with_private ((state & ~3u) | (next & 3), part, next >> 2);
}

static bool goes_wrong_with (const part *p, unsigned parts) {
  static bool seen[1 << (SHARED + PRIVATE * MAX_PARTS)];
  static unsigned open[1 << (SHARED + PRIVATE * MAX_PARTS)];
  memset (seen, 0, sizeof seen);
  unsigned count = 1;
  open[0] = 0;
  seen[0] = true;
  while (count) {
    unsigned state = open[--count];
    for (unsigned i = 0; i < 2 * parts; i++) {
      unsigned next = after (p, state, i / 2, i % 2);
      if (p->bad[entry_of (state, i / 2, i % 2)]) return true;
      if (!seen[next]) seen[next] = true, open[count++] = next;
    }
  }
  return false;
}

// Returns the view of `state` with these parts, in this order.
static unsigned view_of (unsigned state, const unsigned *parts, unsigned tracked) {
  unsigned view = state & 3;
  for (unsigned k = 0; k < tracked; k++) view = with_private (view, k, private_of (state, parts[k]));
  return view;
}

typedef struct order {
  unsigned parts[2];
} order;

// All choices of parts; those that differ as sets come first.
static unsigned orders (unsigned tracked, order *out) {
  if (tracked == 1) {
    out[0] = (order){{0}}, out[1] = (order){{1}};
    return 2;
  }
  static const order of_two[] = {{{0, 1}}, {{2, 1}}, {{0, 2}}, {{1, 0}}, {{1, 2}}, {{2, 0}}};
  memcpy (out, of_two, sizeof of_two);
  return 6;
}

// Computes the least set of views that is closed under steps of the tracked parts and of one more; can a bad step occur
// in it?
static bool views_go_wrong (const part *p, unsigned tracked) {
  bool in[MAX_VIEWS] = {true}, grew = true;
  order way[6];
  unsigned ways = orders (tracked, way);
  while (grew) {
    grew = false;
    for (unsigned state = 0; state < 1u << (SHARED + PRIVATE * (tracked + 1)); state++) {
      bool all = true;
      for (unsigned v = 0; v < ways; v++) all &= in[view_of (state, way[v].parts, tracked)];
      for (unsigned i = 0; all && i < 2 * (tracked + 1); i++) {
        if (p->bad[entry_of (state, i / 2, i % 2)]) return true;
        unsigned next = view_of (after (p, state, i / 2, i % 2), way[0].parts, tracked);
        grew |= !in[next];
        in[next] = true;
      }
    }
  }
  return false;
}

// ---- gates ------------------------------------------------------------------------------------------
typedef struct gates {
  aig graph;
  aig_lit shared[SHARED], local[3][PRIVATE], choice, mover[2];
} gates;

static aig_lit by_table (gates *g, const unsigned *bit_of_entry, const aig_lit *in, unsigned width) {
  if (!width) return *bit_of_entry ? AIG_TRUE : AIG_FALSE;
  aig_lit high = by_table (g, bit_of_entry + (1u << (width - 1)), in, width - 1),
          low = by_table (g, bit_of_entry, in, width - 1);
  return aig_mux (&g->graph, in[width - 1], high, low);
}

static aig_lit of_part (gates *g, unsigned number, const unsigned *table) {
  aig_lit in[] = {g->shared[0], g->shared[1], g->local[number][0], g->local[number][1], g->choice};
  return by_table (g, table, in, 5);
}

static aig_lit is_mover (gates *g, unsigned number) {
  aig_lit low = number & 1 ? g->mover[0] : aig_not (g->mover[0]);
  return aig_and (&g->graph, low, number & 2 ? g->mover[1] : aig_not (g->mover[1]));
}

static void make_inputs (gates *g, unsigned parts, views *v) {
  aig_init (&g->graph);
  for (unsigned k = 0; k < SHARED; k++) g->shared[k] = aig_input (&g->graph);
  for (unsigned i = 0; i < parts; i++)
    for (unsigned k = 0; k < PRIVATE; k++) g->local[i][k] = aig_input (&g->graph);
  g->choice = aig_input (&g->graph);
  for (unsigned k = 0; k < 2; k++) g->mover[k] = aig_input (&g->graph);
  views_init (v, &g->graph);
  vec_push (&v->choices, g->choice);
  vec_push (&v->choices, g->mover[0]);
  vec_push (&v->choices, g->mover[1]);
}

static void see (gates *g, unsigned tracked, views *v) {
  order way[6];
  v->num_views = orders (tracked, way);
  v->num_sets = tracked + 1;
  v->num_bits = v->num_plain = SHARED + PRIVATE * tracked;
  for (unsigned k = 0; k < v->num_views; k++) {
    for (unsigned b = 0; b < SHARED; b++) vec_push (&v->seen, g->shared[b]);
    for (unsigned i = 0; i < tracked; i++)
      for (unsigned b = 0; b < PRIVATE; b++) vec_push (&v->seen, g->local[way[k].parts[i]][b]);
  }
  for (unsigned b = 0; b < v->num_bits; b++) {
    vec_push (&v->reset, NET_ZERO);
    vec_push (&v->kind, VIEW_FACT);
  }
}

// Bit number `bit` of the entries, where the part moves; and whether it does.
static aig_lit moved (gates *g, const part *p, unsigned number, unsigned bit, aig_lit before) {
  unsigned value[ENTRIES], moves[ENTRIES];
  for (unsigned k = 0; k < ENTRIES; k++) value[k] = p->next[k] >> bit & 1, moves[k] = p->moves[k];
  aig_lit it = aig_and (&g->graph, is_mover (g, number), of_part (g, number, moves));
  return aig_mux (&g->graph, it, of_part (g, number, value), before);
}

static void make_views (gates *g, const part *p, unsigned tracked, views *v) {
  unsigned bad[ENTRIES];
  make_inputs (g, tracked + 1, v);
  see (g, tracked, v);
  for (unsigned b = 0; b < SHARED; b++) {
    aig_lit next = g->shared[b];
    for (unsigned i = 0; i <= tracked; i++) next = moved (g, p, i, b, next);
    vec_push (&v->next, next);
  }
  for (unsigned i = 0; i < tracked; i++)
    for (unsigned b = 0; b < PRIVATE; b++) vec_push (&v->next, moved (g, p, i, SHARED + b, g->local[i][b]));
  v->allowed = AIG_TRUE;
  for (unsigned k = 0; k < ENTRIES; k++) bad[k] = p->bad[k];
  for (unsigned i = 0; i <= tracked; i++)
    v->bad = aig_or (&g->graph, v->bad, aig_and (&g->graph, is_mover (g, i), of_part (g, i, bad)));
}

// ---- comparisons ------------------------------------------------------------------------------------
typedef struct tally {
  unsigned proved, only_two, spoilt_refused;
} tally;

static bool is_wrong_anywhere (const part *p) {
  for (unsigned parts = 1; parts <= MAX_PARTS; parts++)
    if (goes_wrong_with (p, parts)) return true;
  return false;
}

// Without one of its clauses a proof may still be one; but not if a bad step is possible.
static void spoil (const views *v, const part *p, prove_certificate *c, tally *t) {
  uint32_t end = c->clauses.count;
  if (!end) return;
  c->clauses.count--;
  while (c->clauses.count && vec_last (&c->clauses)) c->clauses.count--;
  bool good = views_certificate_is_good (v, c, &no_limit);
  assert_false (good && is_wrong_anywhere (p));
  t->spoilt_refused += !good;
}

static bool compare (const part *p, unsigned tracked, tally *t) {
  gates g;
  views v;
  prove_result r;
  make_views (&g, p, tracked, &v);
  views_prove (&v, &plain, &r);
  bool holds = r.answer == PROVE_HOLDS;
  assert_true (holds || r.answer == PROVE_VIOLATED);
  assert_int_equal (holds, !views_go_wrong (p, tracked));
  if (holds) {
    assert_true (views_certificate_is_good (&v, &r.certificate, &no_limit));
    assert_false (is_wrong_anywhere (p));
    spoil (&v, p, &r.certificate, t);
  }
  prove_result_release (&r);
  views_release (&v);
  aig_release (&g.graph);
  return holds;
}

// Compares decision diagrams; without the clause that excludes one view nothing false may be proved.
static void compare_diagrams (const part *p, unsigned tracked, tally *t) {
  gates g;
  views v;
  prove_result r;
  make_views (&g, p, tracked, &v);
  views_prove_by_bdd (&v, &plain, &r);
  bool holds = r.answer == PROVE_HOLDS;
  assert_true (holds || r.answer == PROVE_VIOLATED);
  assert_int_equal (holds, !views_go_wrong (p, tracked));
  if (holds) {
    assert_true (views_certificate_is_good (&v, &r.certificate, &no_limit));
    aig_lit all = r.certificate.holds, bit = {2};
    r.certificate.holds = aig_and (&r.certificate.graph, all, bit);
    assert_false (views_certificate_is_good (&v, &r.certificate, &no_limit));
    r.certificate.holds = AIG_TRUE;
    bool good = views_certificate_is_good (&v, &r.certificate, &no_limit);
    t->spoilt_refused += !good;
  }
  t->proved += holds;
  prove_result_release (&r);
  views_release (&v);
  aig_release (&g.graph);
}

static void diagrams_match_enumeration (void **state) {
  (void) state;
  tally t = {0};
  for (uint64_t seed = 0; seed < 200; seed++) {
    rng r = {seed};
    part p;
    random_part (&p, &r);
    compare_diagrams (&p, 1, &t);
    compare_diagrams (&p, 2, &t);
  }
  assert_true (t.proved > 10 && t.spoilt_refused > 8);
}

static void conditions_can_be_forgotten (void **state) {
  (void) state;
  rng r = {3};
  part p;
  gates g;
  views v;
  random_part (&p, &r);
  make_views (&g, &p, 1, &v);
  v.num_plain = 3;
  uint32_t choices = v.choices.count;
  aig_lit last = v.seen.data[v.num_bits + 2];
  views_forget_conditions (&v);
  assert_int_equal (v.num_bits, 3);
  assert_int_equal (v.num_plain, 3);
  assert_int_equal (v.seen.count, 3 * v.num_views);
  assert_int_equal (v.choices.count, choices);
  assert_int_equal (v.seen.data[5].i, last.i);
  views_release (&v);
  aig_release (&g.graph);
}

static void proofs_match_enumeration (void **state) {
  (void) state;
  tally t = {0};
  for (uint64_t seed = 0; seed < 600; seed++) {
    rng r = {seed};
    part p;
    random_part (&p, &r);
    bool one = compare (&p, 1, &t), two = compare (&p, 2, &t);
    assert_true (two || !one);
    t.proved += one;
    t.only_two += two && !one;
  }
  assert_true (t.proved > 20 && t.only_two > 1 && t.spoilt_refused > 8);
}

// Forgotten bits of a view: an invariant is about the others.
static void forgotten_bits_are_choices (void **state) {
  (void) state;
  unsigned proved = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng r = {seed};
    part p;
    gates g;
    views v;
    prove_result result;
    random_part (&p, &r);
    make_views (&g, &p, 1, &v);
    v.kind.data[rng_below (&r, v.num_bits)] = VIEW_DIGIT;
    views_forget (&v, VIEW_DIGIT);
    assert_int_equal (v.num_bits, SHARED + PRIVATE - 1);
    views_prove (&v, &plain, &result);
    if (result.answer == PROVE_HOLDS) {
      proved++;
      assert_true (views_certificate_is_good (&v, &result.certificate, &no_limit));
      assert_false (is_wrong_anywhere (&p));
    }
    prove_result_release (&result);
    views_release (&v);
    aig_release (&g.graph);
  }
  assert_true (proved > 3);
}

TEST_MAIN (cmocka_unit_test (proofs_match_enumeration), cmocka_unit_test (diagrams_match_enumeration),
           cmocka_unit_test (forgotten_bits_are_choices), cmocka_unit_test (conditions_can_be_forgotten))
