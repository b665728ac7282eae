// Each simple circle of large steps of a thread is followed twice, as terms: can it be that no step changes anything that is shared, and that the thread has after the second
// time what it had after the first?  In the first it may take into its own variables what it sees.
#include "engine/circuit/busy.h"

#include "base/limits.h"
#include "base/scc.h"
#include "encode/decide.h"
#include "encode/substitute.h"

typedef struct hop {
  uint32_t step, exit;
} hop;

typedef struct busy {
  transition_system *s;
  term_pool *p;
  const budget *budget;
  substitution substitution;
  map value;  // variable -> term, of those that have changed
  VEC (hop) path;
  uint32_t paths;
  VEC (uint32_t) component;  // by step: those that lead to each other
} busy;

static const fold_step *step_at (const busy *z, uint32_t step) { return &z->s->steps.steps.data[step]; }

static term value_of (const busy *z, uint32_t variable) {
  const uint64_t *found = map_find (&z->value, variable);
  return found ? (term){(uint32_t) *found} : z->s->m->variables.data[variable].now;
}

static term put_in (void *state, term leaf) {
  const busy *z = state;
  const uint64_t *variable = map_find (&z->s->m->variable_of, leaf.i);
  return variable ? value_of (z, (uint32_t) *variable) : leaf;
}

// ---- one circle ----------------------------------------------------------------------------------------------------------------
// Takes the step: what has to hold for that, and for nobody else to notice.
static term take (busy *z, hop h) {
  const fold_step *x = step_at (z, h.step);
  VEC (term) next = {0};
  substitution_begin (&z->substitution, put_in, z);
  term all = substitute (&z->substitution, x->exits.data[h.exit].condition);
  for (uint32_t k = 0; k < x->updates.count; k++)
    vec_push (&next, substitute (&z->substitution, x->updates.data[k].value));
  for (uint32_t k = 0; k < x->updates.count; k++) {
    uint32_t v = x->updates.data[k].variable;
    bool is_shared = z->s->m->variables.data[v].owner == IR_NONE;
    if (is_shared) all = term_and (z->p, all, term_eq (z->p, value_of (z, v), next.data[k]));
    else *map_insert (&z->value, v, 0, NULL) = next.data[k].i;
  }
  vec_release (&next);
  return all;
}

static term go_round (busy *z) {
  term all = z->p->truth;
  for (uint32_t k = 0; k < z->path.count; k++) all = term_and (z->p, all, take (z, z->path.data[k]));
  return all;
}

static bool can_wait (busy *z) {
  map_clear (&z->value);
  term all = go_round (z);
  VEC (term) first = {0};
  for (uint32_t k = 0; k < z->value.entries.count; k++)
    vec_push (&first, ((term){(uint32_t) z->value.entries.data[k].value}));
  all = term_and (z->p, all, go_round (z));
  for (uint32_t k = 0; k < first.count; k++)
    all = term_and (z->p, all, term_eq (z->p, first.data[k], (term){(uint32_t) z->value.entries.data[k].value}));
  vec_release (&first);
  if (term_is_false (z->p, all)) return false;
  decider *d = decider_new (z->p, DECIDE_BY_SAT, z->budget);
  bool can = decider_check (d, &all, 1) != DECIDED_NO;
  decider_free (d);
  return can;
}

// ---- all circles ---------------------------------------------------------------------------------------------------------------
static bool looks_at_others (const busy *z) {
  for (uint32_t k = 0; k < z->path.count; k++)
    if (z->s->m->points.data[step_at (z, z->path.data[k].step)->point].shared) return true;
  return false;
}

static bool is_on_path (const busy *z, uint32_t step) {
  for (uint32_t k = 0; k < z->path.count; k++)
    if (z->path.data[k].step == step) return true;
  return false;
}

// Circles through `first`, of which it is the step with the smallest number.
static bool some_circle_waits (busy *z, uint32_t first, uint32_t step) {
  if (over_limit (BUSY_PATHS, ++z->paths) || at_limit (BUSY_STEPS, z->path.count)) return true;
  for (uint32_t k = 0; k < step_at (z, step)->exits.count; k++) {
    uint32_t to = step_at (z, step)->exits.data[k].to;
    if (to == FOLD_STUCK || z->component.data[to] != z->component.data[first] || to < first ||
        (to != first && is_on_path (z, to)))
      continue;
    vec_push (&z->path, ((hop){step, k}));
    bool waits = to == first ? looks_at_others (z) && can_wait (z) : some_circle_waits (z, first, to);
    (void) vec_pop (&z->path);
    if (waits) return true;
  }
  return false;
}

static void find_components (busy *z) {
  VEC (uint32_t) first = {0}, targets = {0};
  for (uint32_t k = 0; k < z->s->steps.steps.count; k++) {
    vec_push (&first, targets.count);
    vec_push (&z->component, 0);
    for (uint32_t e = 0; e < step_at (z, k)->exits.count; e++)
      if (step_at (z, k)->exits.data[e].to != FOLD_STUCK) vec_push (&targets, step_at (z, k)->exits.data[e].to);
  }
  vec_push (&first, targets.count);
  scc_find (z->s->steps.steps.count, first.data, targets.data, z->component.data);
  vec_release (&first);
  vec_release (&targets);
}

uint32_t system_busy_step (transition_system *s, const budget *b) {
  busy z = {.s = s, .p = &s->m->terms, .budget = b};
  uint32_t found = IR_NONE;
  substitution_init (&z.substitution, z.p);
  find_components (&z);
  for (uint32_t k = 0; k < s->steps.steps.count && found == IR_NONE; k++)
    if (some_circle_waits (&z, k, k)) found = k;
  substitution_release (&z.substitution);
  map_release (&z.value);
  vec_release (&z.path);
  vec_release (&z.component);
  return found;
}
