// For the tests of the translation: words, formulas evaluated on them by the definition, and automata of any origin.
#ifndef LOCKSTEP_LOGIC_WORDS_TEST_H
#define LOCKSTEP_LOGIC_WORDS_TEST_H

#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "logic/logic.h"

enum { ATOMS = 3, LETTERS = 1 << ATOMS, LONGEST = 12 };

// letters [0..length[; at its end the word goes back to `back`, or is over if back == length.
typedef struct word {
  uint32_t length, back;
  uint8_t letters[LONGEST];
} word;

static inline word word_random (rng *r, bool finite) {
  word w = {.length = 1 + rng_below (r, finite ? 7 : 9)};
  w.back = finite ? w.length : rng_below (r, w.length);
  for (uint32_t k = 0; k < w.length; k++) w.letters[k] = (uint8_t) rng_below (r, LETTERS);
  return w;
}

// ---- formulas ----------------------------------------------------------------------------------------
static inline ltl_pool *pool_with_atoms (void) {
  static const char *const names[ATOMS] = {"p0", "p1", "p2"};
  ltl_pool *p = ltl_pool_new ();
  for (int k = 0; k < ATOMS; k++) ltl_add_atom (p, LTL_IN, names[k], 0);
  return p;
}

// with_next: such formulas are for infinite words.
static inline ltl formula_random_with (ltl_pool *p, rng *r, uint32_t size, bool with_next) {
  if (size <= 1 && !rng_below (r, 12)) return ltl_constant (rng_below (r, 2));
  if (size <= 1) return ltl_literal (p, rng_below (r, ATOMS), rng_below (r, 2));
  uint32_t left = 1 + rng_below (r, size - 1);
  ltl a = formula_random_with (p, r, left, with_next), b = formula_random_with (p, r, size - left, with_next);
  if (with_next && !rng_below (r, 4)) return ltl_next (p, a);
  switch (rng_below (r, 8)) {
  case 0: return ltl_and (p, a, b);
  case 1: return ltl_or (p, a, b);
  case 2: return ltl_until (p, ltl_constant (true), a);
  case 3: return ltl_release (p, ltl_constant (false), a);
  case 4: return ltl_not (p, ltl_until (p, a, b));
  case 5: return ltl_release (p, a, b);
  default: return ltl_until (p, a, b);
  }
}

static inline ltl formula_random (ltl_pool *p, rng *r, uint32_t size) {
  return formula_random_with (p, r, size, false);
}

// Truth of f at every position, by definition.  On a lasso an until is a least and a release a greatest fixpoint.
static inline void formula_truth (const ltl_pool *p, ltl f, const word *w, bool *truth) {
  const ltl_node *n = ltl_at (p, f);
  bool left[LONGEST + 1] = {0}, right[LONGEST + 1], is_until = n->op == LTL_UNTIL, finite = w->back == w->length;
  if (n->op > LTL_LITERAL) formula_truth (p, n->left, w, left), formula_truth (p, n->right, w, right);
  for (uint32_t k = 0; k < w->length; k++)
    switch ((ltl_op) n->op) {
    case LTL_FALSE: truth[k] = false; break;
    case LTL_TRUE: truth[k] = true; break;
    case LTL_LITERAL: truth[k] = (w->letters[k] >> n->atom & 1) != (int) n->negated; break;
    case LTL_AND: truth[k] = left[k] && right[k]; break;
    case LTL_OR: truth[k] = left[k] || right[k]; break;
    case LTL_NEXT: truth[k] = left[k + 1 < w->length ? k + 1 : w->back]; break;
    default: truth[k] = !is_until;
    }
  if (n->op < LTL_UNTIL) return;
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t k = w->length; k-- > 0;) {
      bool next = k + 1 < w->length ? truth[k + 1] : finite ? !is_until : truth[w->back];
      truth[k] = is_until ? right[k] || (left[k] && next) : right[k] && (left[k] || next);
    }
}

static inline bool formula_holds (const ltl_pool *p, ltl f, const word *w) {
  bool truth[LONGEST];
  formula_truth (p, f, w, truth);
  return truth[0];
}

// ---- automata ----------------------------------------------------------------------------------------
typedef struct machine_edge { uint32_t from, to; uint8_t letters[LETTERS]; uint32_t marks; } machine_edge;
typedef struct machine {
  uint32_t num_states, initial, num_marks;  // an infinite run has to see each mark again and again
  VEC (machine_edge) edges;
} machine;
static inline void machine_release (machine *m) { vec_release (&m->edges); }

static inline void machine_from_buchi (const buchi *b, machine *out) {
  *out = (machine){.num_states = b->states.count, .num_marks = 1};
  for (uint32_t s = 0; s < b->states.count; s++)
    for (uint32_t k = 0; k < b->states.data[s].num_edges; k++) {
      const buchi_edge *e = &b->edges.data[b->states.data[s].first_edge + k];
      machine_edge m = {.from = s, .to = e->target, .marks = e->accepting};
      for (uint32_t letter = 0; letter < LETTERS; letter++) m.letters[letter] = buchi_enabled (e, letter);
      vec_push (&out->edges, m);
    }
}

// good: pairs (position, state), position major. Keeps those from which an edge inside `good` with this mark can still
// be reached.
static inline bool keep_reaching (const machine *m, const word *w, uint8_t *good, uint32_t mark) {
  uint32_t size = w->length * m->num_states;
  uint8_t *reach = mem_zalloc (size);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = w->length; k-- > 0;)
      for (uint32_t e = 0; e < m->edges.count; e++) {
        const machine_edge *edge = &m->edges.data[e];
        uint32_t next = k + 1 < w->length ? k + 1 : w->back;
        uint32_t from = k * m->num_states + edge->from, to = next * m->num_states + edge->to;
        if (reach[from] || !good[from] || !good[to] || !edge->letters[w->letters[k]]) continue;
        if (edge->marks >> mark & 1 || reach[to]) reach[from] = changed = true;
      }
  }
  bool lost = false;
  for (uint32_t k = 0; k < size; k++)
    if (good[k] && !reach[k]) good[k] = 0, lost = true;
  mem_free (reach, size);
  return lost;
}

static inline bool machine_accepts_lasso (const machine *m, const word *w) {
  uint32_t size = w->length * m->num_states;
  uint8_t *good = mem_alloc (size);
  memset (good, 1, size);
  for (bool lost = true; lost;) {
    lost = false;
    for (uint32_t mark = 0; mark < m->num_marks; mark++) lost |= keep_reaching (m, w, good, mark);
  }
  bool accepted = good[m->initial];
  mem_free (good, size);
  return accepted;
}

static inline bool buchi_accepts_finite (const buchi *b, const word *w) {
  uint8_t *now = mem_zalloc (b->states.count), *next = mem_alloc (b->states.count);
  now[0] = 1;
  for (uint32_t k = 0; k < w->length; k++) {
    memset (next, 0, b->states.count);
    for (uint32_t s = 0; s < b->states.count; s++)
      for (uint32_t j = 0; now[s] && j < b->states.data[s].num_edges; j++) {
        const buchi_edge *e = &b->edges.data[b->states.data[s].first_edge + j];
        if (buchi_enabled (e, w->letters[k])) next[e->target] = 1;
      }
    memcpy (now, next, b->states.count);
  }
  bool accepted = false;
  for (uint32_t s = 0; s < b->states.count; s++) accepted |= now[s] && b->states.data[s].final;
  mem_free (now, b->states.count);
  mem_free (next, b->states.count);
  return accepted;
}

#endif
