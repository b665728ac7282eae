// Decides formulas with few variables by the truth table of the matrix. Most formulas have few, and a table of 32,768
// bits takes less time than the construction of a solver.
#include "engine/boolean/qbf.h"
#include "engine/boolean/truth.h"

// The universals become the lower bits of a position. Returns their number.
static uint32_t put_universals_first (const qbf *q, truth *t) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->inputs.count; i++) {
    uint32_t node = t->inputs.data[i];
    if (q->is_existential.data[q->graph.nodes.data[node].right.i]) continue;
    t->inputs.data[i] = t->inputs.data[count];
    t->inputs.data[count++] = node;
  }
  return count;
}

// Joins the parts of the table for all values of the existentials; true if all bits are set.
static bool is_true_for_universals (const truth *t, aig_lit matrix, uint32_t universals) {
  uint64_t all[TRUTH_WORDS] = {0};
  uint32_t wanted = universals > TRUTH_WORD_INPUTS ? 1u << (universals - TRUTH_WORD_INPUTS) : 1;
  for (uint32_t w = 0; w < t->num_words; w++) all[w % wanted] |= truth_word (t, matrix, w);
  for (uint32_t k = TRUTH_WORD_INPUTS; k-- > universals;) all[0] |= all[0] >> (1u << k);
  uint64_t mask = universals < TRUTH_WORD_INPUTS ? ((uint64_t) 1 << (1u << universals)) - 1 : UINT64_MAX;
  for (uint32_t w = 0; w < wanted; w++)
    if ((all[w] & mask) != mask) return false;
  return true;
}

bool qbf_decide_by_table (const qbf *q, sat_answer *answer) {
  truth t = {0};
  truth_begin (&t, &q->graph);
  truth_add (&t, &q->graph, q->matrix);
  bool small = truth_is_small (&t, &q->graph);
  if (small) {
    uint32_t universals = put_universals_first (q, &t);
    truth_fill (&t, &q->graph);
    *answer = is_true_for_universals (&t, q->matrix, universals) ? SAT_YES : SAT_NO;
  }
  truth_release (&t);
  return small;
}
