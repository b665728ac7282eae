// Which variable is decided next, and which value it gets.
//
// The variable: the one with the highest score, where conflicts raise the scores of the variables they meet, the more
// the later (VSIDS, Moskewicz et al. 2001, with exponentially growing bumps instead of decay: Eén and Sörensson 2003).
// The value: the one it had last (Pipatsrisawat and Darwiche 2007); while restarts are rare, the one it had in the
// largest assignment without conflict (Biere and Fleury 2020, "Chasing target phases"), to come closer to a model.
#include "solver/cdcl/cdcl_impl.h"

#include <string.h>

#define SCORE_MOST 1e150
static const double decay_when_fast = 1 / 0.92, decay_when_stable = 1 / 0.95;

void cdcl_bump_variable (cdcl *s, uint32_t var) {
  double score = heap_score (&s->order, var) + s->bump;
  heap_raise (&s->order, var, score);
  if (score <= SCORE_MOST) return;
  heap_scale (&s->order, 1 / SCORE_MOST);
  s->bump /= SCORE_MOST;
}

void cdcl_decay_scores (cdcl *s) { s->bump *= s->is_stable ? decay_when_stable : decay_when_fast; }

// The trail up to the last decision has no conflict.
void cdcl_note_phases (cdcl *s) {
  if (!s->is_stable) return;
  uint32_t size = s->levels.data[s->levels.count - 1];
  if (size <= s->target_size) return;
  s->target_size = size;
  memcpy (s->target_phases, s->phases, s->num_vars * sizeof *s->phases);
  for (uint32_t i = 0; i < size; i++) s->target_phases[lit_var (s->trail.data[i])] = s->trail.data[i] & 1 ? -1 : 1;
}

bool cdcl_decide (cdcl *s) {
  uint32_t var;
  do {
    if (!s->order.count) return false;
    var = heap_take (&s->order);
  } while (s->values[2 * var]);
  int8_t phase = s->is_stable && s->target_phases[var] ? s->target_phases[var] : s->phases[var];
  s->counters.decisions++;
  vec_push (&s->levels, s->trail.count);
  cdcl_assign (s, 2 * var + (phase < 0), NO_CLAUSE);
  return true;
}
