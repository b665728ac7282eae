// Chooses sticky steps. A cycle of states projects to a cycle of steps in each thread that moves in it. So it is enough
// to hit every cycle of steps: from each strongly connected component the step with the most paths through it is
// removed, and the remaining graph is decomposed again, until no cycle is left. This covers all cycles, not only the
// simple ones that the paper's implementation covered.
#include "engine/circuit/sticky_steps.h"

#include "base/scc.h"

typedef struct step_cycles {
  const folded *f;
  uint8_t *sticky;
  uint32_t *component;  // by step: its strongly connected component
  VEC (uint32_t) first, targets;
} step_cycles;

static void build_step_graph (step_cycles *l) {
  vec_clear (&l->first);
  vec_clear (&l->targets);
  for (uint32_t k = 0; k < l->f->steps.count; k++) {
    const fold_step *s = &l->f->steps.data[k];
    vec_push (&l->first, l->targets.count);
    for (uint32_t e = 0; !l->sticky[k] && e < s->exits.count; e++) {
      uint32_t to = s->exits.data[e].to;
      if (to != FOLD_STUCK && !l->sticky[to]) vec_push (&l->targets, to);
    }
  }
  vec_push (&l->first, l->targets.count);
}

// Counts for each step the edges of its component that enter it and those that leave it.
static void count_ways (const step_cycles *l, uint64_t *in, uint64_t *out) {
  for (uint32_t k = 0; k < l->f->steps.count; k++) in[k] = out[k] = 0;
  for (uint32_t k = 0; k < l->f->steps.count; k++)
    for (uint32_t e = l->first.data[k]; e < l->first.data[k + 1]; e++) {
      uint32_t to = l->targets.data[e];
      if (l->component[to] == l->component[k]) in[to]++, out[k]++;
    }
}

// Marks one step of each component that has a cycle; returns their number.
static uint32_t mark_component_steps (step_cycles *l, uint64_t *in, uint64_t *out, uint32_t *best) {
  uint32_t count = l->f->steps.count, marked = 0;
  build_step_graph (l);
  scc_find (count, l->first.data, l->targets.data, l->component);
  count_ways (l, in, out);
  for (uint32_t k = 0; k < count; k++) best[k] = IR_NONE;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t *b = &best[l->component[k]];
    if (in[k] && out[k] && (*b == IR_NONE || in[k] * out[k] > in[*b] * out[*b])) *b = k;
  }
  for (uint32_t c = 0; c < count; c++)
    if (best[c] != IR_NONE) l->sticky[best[c]] = 1, marked++;
  return marked;
}

uint32_t find_sticky_steps (const folded *f, uint8_t *sticky) {
  uint32_t count = f->steps.count, total = 0, marked;
  size_t words = sizeof (uint32_t) * (count + 1), longs = sizeof (uint64_t) * (count + 1);
  step_cycles l = {.f = f, .sticky = sticky, .component = mem_zalloc (words)};
  uint64_t *in = mem_zalloc (longs), *out = mem_zalloc (longs);
  uint32_t *best = mem_zalloc (words);
  while ((marked = mark_component_steps (&l, in, out, best))) total += marked;
  mem_free (l.component, words);
  mem_free (in, longs);
  mem_free (out, longs);
  mem_free (best, words);
  vec_release (&l.first);
  vec_release (&l.targets);
  return total;
}
