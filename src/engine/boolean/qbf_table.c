// Few variables: the truth table of the matrix.  Most questions have few, and a table of 4,096 bits takes less time than it takes to make a solver.
#include "engine/boolean/qbf.h"

enum { MOST_INPUTS = 12, WORD_INPUTS = 6, MOST_WORDS = 1 << (MOST_INPUTS - WORD_INPUTS) };
typedef struct table {
  uint64_t word[MOST_WORDS];
} table;

typedef struct tables {
  qbf *q;
  cone matrix;
  VEC (uint32_t) inputs;  // nodes; the universals first
  uint32_t num_universals, num_words;
  VEC (uint32_t) place;  // by node: of its table
  VEC (table) list;      // [0] is the constant
} tables;

// Bit `place` of a position in the table.
static void fill_input (table *t, uint32_t place, uint32_t num_words) {
  static const uint64_t pattern[WORD_INPUTS] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                                0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  for (uint32_t w = 0; w < num_words; w++)
    t->word[w] = place < WORD_INPUTS ? pattern[place] : w >> (place - WORD_INPUTS) & 1 ? UINT64_MAX : 0;
}

static void fill_and (const tables *t, table *out, aig_node n) {
  const table *a = &t->list.data[t->place.data[n.left.i / 2]], *b = &t->list.data[t->place.data[n.right.i / 2]];
  uint64_t flip_a = -(uint64_t) (n.left.i & 1), flip_b = -(uint64_t) (n.right.i & 1);
  for (uint32_t w = 0; w < t->num_words; w++) out->word[w] = (a->word[w] ^ flip_a) & (b->word[w] ^ flip_b);
}

static bool find_inputs (tables *t) {
  const aig *g = &t->q->graph;
  cone_begin (&t->matrix, g);
  cone_add (&t->matrix, g, t->q->matrix);
  for (unsigned existential = 0; existential < 2; existential++) {
    for (uint32_t i = 0; i < t->matrix.nodes.count; i++) {
      uint32_t node = t->matrix.nodes.data[i];
      if (aig_is_input (g, node) && t->q->is_existential.data[g->nodes.data[node].right.i] == existential)
        vec_push (&t->inputs, node);
    }
    if (!existential) t->num_universals = t->inputs.count;
  }
  t->num_words = t->inputs.count > WORD_INPUTS ? 1u << (t->inputs.count - WORD_INPUTS) : 1;
  return t->inputs.count <= MOST_INPUTS;
}

static void fill (tables *t) {
  const aig *g = &t->q->graph;
  for (uint32_t i = 0; i < g->nodes.count; i++) vec_push (&t->place, 0);
  vec_push (&t->list, (table){0});
  for (uint32_t i = 0; i < t->inputs.count; i++) {
    t->place.data[t->inputs.data[i]] = t->list.count;
    vec_push (&t->list, (table){0});
    fill_input (&vec_last (&t->list), i, t->num_words);
  }
  for (uint32_t i = 0; i < t->matrix.nodes.count; i++) {
    uint32_t node = t->matrix.nodes.data[i];
    if (aig_is_input (g, node)) continue;
    t->place.data[node] = t->list.count;
    vec_push (&t->list, (table){0});
    fill_and (t, &vec_last (&t->list), g->nodes.data[node]);
  }
}

// The existentials are the upper bits of a position: the parts of the table for their values are put on top of each other.
static bool is_true (const tables *t) {
  uint64_t flip = -(uint64_t) (t->q->matrix.i & 1);
  table all = t->list.data[t->place.data[t->q->matrix.i / 2]];
  uint32_t words = t->num_words, wanted = t->num_universals > WORD_INPUTS ? 1u << (t->num_universals - WORD_INPUTS) : 1;
  for (uint32_t w = 0; w < words; w++) all.word[w] ^= flip;
  for (uint32_t w = wanted; w < words; w++) all.word[w % wanted] |= all.word[w];
  for (uint32_t k = WORD_INPUTS; k-- > t->num_universals;) all.word[0] |= all.word[0] >> (1u << k);
  uint64_t mask = t->num_universals < WORD_INPUTS ? ((uint64_t) 1 << (1u << t->num_universals)) - 1 : UINT64_MAX;
  for (uint32_t w = 0; w < wanted; w++)
    if ((all.word[w] & mask) != mask) return false;
  return true;
}

bool qbf_decide_by_table (qbf *q, sat_answer *answer) {
  tables t = {.q = q};
  bool small = find_inputs (&t);
  if (small) {
    fill (&t);
    *answer = is_true (&t) ? SAT_YES : SAT_NO;
  }
  cone_release (&t.matrix);
  vec_release (&t.inputs);
  vec_release (&t.place);
  vec_release (&t.list);
  return small;
}
