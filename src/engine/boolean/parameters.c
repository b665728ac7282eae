// Translates formulas to the set of their values, and back.
#include "engine/boolean/parameters.h"

#include <string.h>

// ---- the set ----------------------------------------------------------------------------------------
bool parameters_find (truth *t, const aig *g, const aig_lit *values, uint32_t num_values, const aig_lit *guard,
                      uint32_t num_guard, parameter_values *set) {
  if (num_values > PARAMETER_VARIABLES) return false;
  truth_begin (t, g);
  for (uint32_t i = 0; i < num_values; i++) truth_add (t, g, values[i]);
  for (uint32_t i = 0; i < num_guard; i++) truth_add (t, g, guard[i]);
  if (!truth_is_small (t, g)) return false;
  truth_fill (t, g);
  memset (set, 0, sizeof *set);
  uint64_t different = t->inputs.count < TRUTH_WORD_INPUTS ? ((uint64_t) 1 << (1u << t->inputs.count)) - 1 : UINT64_MAX;
  for (uint32_t w = 0; w < t->num_words; w++) {
    uint64_t good = different;
    for (uint32_t i = 0; i < num_guard; i++) good &= truth_word (t, guard[i], w);
    for (; good; good &= good - 1) {
      uint32_t at = (uint32_t) __builtin_ctzll (good), v = 0;
      for (uint32_t i = 0; i < num_values; i++) v |= (uint32_t) (truth_word (t, values[i], w) >> at & 1) << i;
      set->word[v / 64] |= (uint64_t) 1 << v % 64;
    }
  }
  return true;
}

// ---- formulas ---------------------------------------------------------------------------------------
typedef enum possible { NEITHER, ONLY_0, ONLY_1, BOTH } possible;
typedef struct parameters_builder {
  aig *graph;
  const aig_lit *values;                       // of the variables that have their formulas already
  uint8_t possible[1 << PARAMETER_VARIABLES];  // by values of the variables before the current one
} parameters_builder;

// Computes for each value of the variables before it the values that variable `k` can have.
static void find_possible_values (parameters_builder *b, const parameter_values *set, uint32_t num_values, uint32_t k) {
  memset (b->possible, NEITHER, (size_t) 1 << k);
  for (uint32_t v = 0; v < 1u << num_values; v++)
    if (set->word[v / 64] >> v % 64 & 1) b->possible[v & ((1u << k) - 1)] |= v >> k & 1 ? ONLY_1 : ONLY_0;
}

typedef enum parameter_role { MAY_CHOOSE, MUST_BE_1 } parameter_role;

// Returns 0, 1, or 2 for "any": for values that do not occur, and for the forced value where there is a choice.
static unsigned wanted_value (parameter_role p, uint8_t possible) {
  if (possible == NEITHER || (p == MUST_BE_1 && possible == BOTH)) return 2;
  return p == MAY_CHOOSE ? possible == BOTH : possible == ONLY_1;
}

// Builds the function of the first `k` variables; *any: its value does not matter at all. Where the value of one half
// does not matter, the other half is used for both.
static aig_lit build_function (const parameters_builder *b, parameter_role p, uint32_t first, uint32_t k, bool *any) {
  if (!k) {
    unsigned value = wanted_value (p, b->possible[first]);
    *any = value == 2;
    return value == 1 ? AIG_TRUE : AIG_FALSE;
  }
  bool any_0, any_1;
  aig_lit at_0 = build_function (b, p, first, k - 1, &any_0),
          at_1 = build_function (b, p, first + (1u << (k - 1)), k - 1, &any_1);
  *any = any_0 && any_1;
  if (any_0 || any_1) return any_0 ? at_1 : at_0;
  return aig_mux (b->graph, b->values[k - 1], at_1, at_0);
}

void parameters_build (aig *g, const parameter_values *set, uint32_t num_values, const aig_lit *choices,
                       aig_lit *values) {
  parameters_builder b = {.graph = g, .values = values};
  bool any;
  for (uint32_t k = 0; k < num_values; k++) {
    find_possible_values (&b, set, num_values, k);
    aig_lit choose = build_function (&b, MAY_CHOOSE, 0, k, &any), must = build_function (&b, MUST_BE_1, 0, k, &any);
    values[k] = aig_mux (g, choose, choices[k], must);
  }
}
