// Evaluates formulas on lassos (a stem, then a loop for ever) directly by the definition: the truth of every subformula
// at every position, inner subformulas first. An until is the least and a release the greatest fixpoint of its
// unfolding law, reached after two passes over the word from its end to its beginning: the first settles the loop, the
// second the stem. The judge confirms lassos with this evaluation, which shares nothing with the searches.
#include <string.h>

#include "base/memory.h"
#include "logic/logic.h"

typedef struct evaluation {
  const ltl_pool *pool;
  const uint64_t *letters;
  uint32_t length, back;
  bool **truth;  // by node: [0..length[, or NULL until it is needed
} evaluation;

static uint32_t next_of (const evaluation *e, uint32_t k) { return k + 1 < e->length ? k + 1 : e->back; }

static void unfold (const evaluation *e, const ltl_node *n, bool *truth) {
  const bool *left = e->truth[n->left.i], *right = e->truth[n->right.i];
  bool is_until = n->op == LTL_UNTIL;
  memset (truth, !is_until, e->length);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t k = e->length; k-- > 0;) {
      bool next = truth[next_of (e, k)];
      truth[k] = is_until ? right[k] || (left[k] && next) : right[k] && (left[k] || next);
    }
}

static void evaluate_at (const evaluation *e, const ltl_node *n, uint32_t k, bool *truth) {
  switch ((ltl_op) n->op) {
  case LTL_FALSE: truth[k] = false; return;
  case LTL_TRUE: truth[k] = true; return;
  case LTL_LITERAL: truth[k] = (e->letters[k] >> n->atom & 1) != n->negated; return;
  case LTL_AND: truth[k] = e->truth[n->left.i][k] && e->truth[n->right.i][k]; return;
  case LTL_OR: truth[k] = e->truth[n->left.i][k] || e->truth[n->right.i][k]; return;
  case LTL_NEXT: truth[k] = e->truth[n->left.i][next_of (e, k)]; return;
  case LTL_UNTIL:
  case LTL_RELEASE: return;
  }
}

static void evaluate_formula (evaluation *e, ltl f) {
  if (e->truth[f.i]) return;
  const ltl_node *n = ltl_at (e->pool, f);
  if (n->op > LTL_LITERAL) evaluate_formula (e, n->left);
  if (n->op > LTL_LITERAL && n->op != LTL_NEXT) evaluate_formula (e, n->right);
  bool *truth = e->truth[f.i] = mem_alloc (e->length);
  if (n->op == LTL_UNTIL || n->op == LTL_RELEASE) unfold (e, n, truth);
  else
    for (uint32_t k = 0; k < e->length; k++) evaluate_at (e, n, k, truth);
}

bool ltl_holds_on (const ltl_pool *pool, ltl f, const uint64_t *letters, uint32_t length, uint32_t back) {
  evaluation e = {.pool = pool, .letters = letters, .length = length, .back = back};
  size_t bytes = pool->nodes.count * sizeof *e.truth;
  e.truth = mem_zalloc (bytes);
  evaluate_formula (&e, f);
  bool holds = e.truth[f.i][0];
  for (uint32_t k = 0; k < pool->nodes.count; k++)
    if (e.truth[k]) mem_free (e.truth[k], length);
  mem_free (e.truth, bytes);
  return holds;
}

bool ltl_has_next (const ltl_pool *pool, ltl f) {
  const ltl_node *n = ltl_at (pool, f);
  if (n->op == LTL_NEXT) return true;
  return n->op > LTL_LITERAL && (ltl_has_next (pool, n->left) || ltl_has_next (pool, n->right));
}
