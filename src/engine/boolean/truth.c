// Computes tables of up to 32,768 bits, node by node.
#include "engine/boolean/truth.h"

void truth_release (truth *t) {
  cone_release (&t->cone);
  vec_release (&t->inputs);
  vec_release (&t->place);
  vec_release (&t->words);
}

void truth_begin (truth *t, const aig *g) { cone_begin (&t->cone, g); }
void truth_add (truth *t, const aig *g, aig_lit x) { cone_add (&t->cone, g, x); }

bool truth_is_small (truth *t, const aig *g) {
  vec_clear (&t->inputs);
  for (uint32_t i = 0; i < t->cone.nodes.count && t->inputs.count <= TRUTH_INPUTS; i++)
    if (aig_is_input (g, t->cone.nodes.data[i])) vec_push (&t->inputs, t->cone.nodes.data[i]);
  t->num_words = t->inputs.count > TRUTH_WORD_INPUTS ? 1u << (t->inputs.count - TRUTH_WORD_INPUTS) : 1;
  return t->inputs.count <= TRUTH_INPUTS;
}

static void fill_input_table (truth *t, uint32_t number) {
  static const uint64_t pattern[TRUTH_WORD_INPUTS] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                                      0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  for (uint32_t w = 0; w < t->num_words; w++)
    vec_push (&t->words,
              number < TRUTH_WORD_INPUTS ? pattern[number] : -(uint64_t) (w >> (number - TRUTH_WORD_INPUTS) & 1));
}

static void fill_and_table (truth *t, aig_node n) {
  for (uint32_t w = 0; w < t->num_words; w++) {
    uint64_t both = truth_word (t, n.left, w) & truth_word (t, n.right, w);
    vec_push (&t->words, both);
  }
}

void truth_fill (truth *t, const aig *g) {
  while (t->place.count < g->nodes.count) vec_push (&t->place, 0);
  vec_clear (&t->words);
  for (uint32_t w = 0; w < t->num_words; w++) vec_push (&t->words, 0);
  for (uint32_t i = 0; i < t->inputs.count; i++) {
    t->place.data[t->inputs.data[i]] = t->words.count;
    fill_input_table (t, i);
  }
  for (uint32_t i = 0; i < t->cone.nodes.count; i++) {
    uint32_t node = t->cone.nodes.data[i];
    if (aig_is_input (g, node)) continue;
    t->place.data[node] = t->words.count;
    fill_and_table (t, g->nodes.data[node]);
  }
}
