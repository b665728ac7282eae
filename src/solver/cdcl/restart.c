// When to restart. Two modes alternate (Oh 2015, "Between SAT and UNSAT"): fast restarts, whenever the clauses
// learnt of late have larger glue than usual (Biere and Fröhlich 2015, "Evaluating CDCL restart schemes"), which are
// good at proofs; and a stable mode with few restarts, at Luby's intervals by Knuth's reluctant doubling, which is good
// at models.
#include "solver/cdcl/cdcl_impl.h"

enum { FAST_INTERVAL = 4, RELUCTANT_UNIT = 1024, MODE_UNIT = 1000 };
static const double fast_weight = 1 / 33.0, slow_weight = 1e-5, margin = 1.10;

// Until enough numbers have come, the average is the plain mean.
static void average_add (average *a, double x, double weight) {
  if (a->weight == 0) a->weight = 1;
  a->value += a->weight * (x - a->value);
  a->weight = a->weight / (1 + a->weight);
  if (a->weight < weight) a->weight = weight;
}

static void set_next_restart (cdcl *s) {
  if (!s->is_stable) {
    s->restart_at = s->counters.conflicts + FAST_INTERVAL;
    return;
  }
  if ((s->reluctant_u & -s->reluctant_u) == s->reluctant_v) {
    s->reluctant_u++;
    s->reluctant_v = 1;
  } else s->reluctant_v *= 2;
  s->restart_at = s->counters.conflicts + s->reluctant_v * RELUCTANT_UNIT;
}

static void change_mode (cdcl *s) {
  s->is_stable = !s->is_stable;
  s->modes++;
  s->mode_ends = s->counters.conflicts + MODE_UNIT * (s->modes / 2 + 1) * (s->modes / 2 + 1);
  s->target_size = 0;
  s->reluctant_u = s->reluctant_v = 1;
}

void cdcl_note_glue (cdcl *s, uint32_t glue) {
  average_add (&s->fast, glue, fast_weight);
  average_add (&s->slow, glue, slow_weight);
}

bool cdcl_restarting (const cdcl *s) {
  if (cdcl_current_level (s) <= s->assumptions.count || s->counters.conflicts < s->restart_at) return false;
  return s->is_stable || s->counters.conflicts >= s->mode_ends || s->fast.value > margin * s->slow.value;
}

// Keeps the decisions that would be taken again in the same order (van der Tak, Ramos and Heule 2011). What hooks would
// decide is not known, so their decisions are undone.
static uint32_t level_to_keep (cdcl *s) {
  uint32_t level = s->assumptions.count;
  if (s->has_hooks) return level;
  while (s->order.count && s->values[2 * heap_best (&s->order)]) heap_take (&s->order);
  if (!s->order.count) return cdcl_current_level (s);
  uint32_t next = heap_best (&s->order);
  while (level < cdcl_current_level (s) && heap_above (&s->order, lit_var (s->trail.data[s->levels.data[level]]), next))
    level++;
  return level;
}

void cdcl_restart (cdcl *s) {
  s->counters.restarts++;
  if (s->counters.conflicts >= s->mode_ends) change_mode (s);
  cdcl_backtrack (s, level_to_keep (s));
  set_next_restart (s);
}
