// Executes each simple cycle of large steps of a thread twice, symbolically. Is there a state in which no step of the
// cycle changes anything shared, and in which the thread's variables have the same values after the second execution as
// after the first? In the first execution the thread may copy what it reads from shared memory to its own variables.
#include "engine/circuit/circuit_busy_wait.h"

#include "base/limits.h"
#include "base/scc.h"
#include "encode/decider.h"
#include "encode/substitute.h"

typedef struct step_exit {
  uint32_t step, exit;
} step_exit;

typedef struct busy_wait_search {
  transition_system *s;
  term_pool *p;
  const budget *budget;
  term_substitution substitution;
  map value;  // variable -> its current term, for the variables that have changed
  VEC (step_exit) path;
  uint32_t paths;
  VEC (uint32_t) component;  // by step: its strongly connected component
} busy_wait_search;

static const fold_step *busy_step (const busy_wait_search *z, uint32_t step) { return &z->s->steps.steps.data[step]; }

static term busy_variable_term (const busy_wait_search *z, uint32_t variable) {
  const uint64_t *found = map_find (&z->value, variable);
  return found ? (term){(uint32_t) *found} : z->s->m->variables.data[variable].now;
}

static term current_leaf_term (void *state, term leaf) {
  const busy_wait_search *z = state;
  const uint64_t *variable = map_find (&z->s->m->variable_of, leaf.i);
  return variable ? busy_variable_term (z, (uint32_t) *variable) : leaf;
}

// ---- one cycle --------------------------------------------------------------------------------------
// Executes the step; returns the condition under which it can be taken and changes nothing that another thread can see.
static term execute_busy_step (busy_wait_search *z, step_exit h) {
  const fold_step *x = busy_step (z, h.step);
  VEC (term) next = {0};
  substitution_begin (&z->substitution, current_leaf_term, z);
  term all = substitute_term (&z->substitution, x->exits.data[h.exit].condition);
  for (uint32_t k = 0; k < x->updates.count; k++)
    vec_push (&next, substitute_term (&z->substitution, x->updates.data[k].value));
  for (uint32_t k = 0; k < x->updates.count; k++) {
    uint32_t v = x->updates.data[k].variable;
    bool is_shared = z->s->m->variables.data[v].owner == IR_NONE;
    if (is_shared) all = term_and (z->p, all, term_eq (z->p, busy_variable_term (z, v), next.data[k]));
    else *map_insert (&z->value, v, 0, NULL) = next.data[k].i;
  }
  vec_release (&next);
  return all;
}

static term execute_cycle (busy_wait_search *z) {
  term all = z->p->truth;
  for (uint32_t k = 0; k < z->path.count; k++) all = term_and (z->p, all, execute_busy_step (z, z->path.data[k]));
  return all;
}

static bool can_wait (busy_wait_search *z) {
  map_clear (&z->value);
  term all = execute_cycle (z);
  VEC (term) first = {0};
  for (uint32_t k = 0; k < z->value.entries.count; k++)
    vec_push (&first, ((term){(uint32_t) z->value.entries.data[k].value}));
  all = term_and (z->p, all, execute_cycle (z));
  for (uint32_t k = 0; k < first.count; k++)
    all = term_and (z->p, all, term_eq (z->p, first.data[k], (term){(uint32_t) z->value.entries.data[k].value}));
  vec_release (&first);
  if (term_is_false (z->p, all)) return false;
  decider *d = decider_new (z->p, DECIDE_BY_SAT, z->budget);
  bool can = decider_check (d, &all, 1) != DECIDED_NO;
  decider_free (d);
  return can;
}

// ---- all cycles -------------------------------------------------------------------------------------
static bool cycle_reads_shared (const busy_wait_search *z) {
  for (uint32_t k = 0; k < z->path.count; k++)
    if (z->s->m->points.data[busy_step (z, z->path.data[k].step)->point].shared) return true;
  return false;
}

static bool is_on_path (const busy_wait_search *z, uint32_t step) {
  for (uint32_t k = 0; k < z->path.count; k++)
    if (z->path.data[k].step == step) return true;
  return false;
}

// Is there a busy wait on a simple cycle in which `first` is the step with the smallest number?
static bool some_cycle_waits (busy_wait_search *z, uint32_t first, uint32_t step) {
  if (over_limit (BUSY_PATHS, ++z->paths) || at_limit (BUSY_STEPS, z->path.count)) return true;
  for (uint32_t k = 0; k < busy_step (z, step)->exits.count; k++) {
    uint32_t to = busy_step (z, step)->exits.data[k].to;
    if (to == FOLD_STUCK || z->component.data[to] != z->component.data[first] || to < first ||
        (to != first && is_on_path (z, to)))
      continue;
    vec_push (&z->path, ((step_exit){step, k}));
    bool waits = to == first ? cycle_reads_shared (z) && can_wait (z) : some_cycle_waits (z, first, to);
    (void) vec_pop (&z->path);
    if (waits) return true;
  }
  return false;
}

static void find_step_components (busy_wait_search *z) {
  VEC (uint32_t) first = {0}, targets = {0};
  for (uint32_t k = 0; k < z->s->steps.steps.count; k++) {
    vec_push (&first, targets.count);
    vec_push (&z->component, 0);
    for (uint32_t e = 0; e < busy_step (z, k)->exits.count; e++)
      if (busy_step (z, k)->exits.data[e].to != FOLD_STUCK) vec_push (&targets, busy_step (z, k)->exits.data[e].to);
  }
  vec_push (&first, targets.count);
  scc_find (z->s->steps.steps.count, first.data, targets.data, z->component.data);
  vec_release (&first);
  vec_release (&targets);
}

uint32_t system_busy_wait_step (transition_system *s, const budget *b) {
  busy_wait_search z = {.s = s, .p = &s->m->terms, .budget = b};
  uint32_t found = IR_NONE;
  substitution_init (&z.substitution, z.p);
  find_step_components (&z);
  for (uint32_t k = 0; k < s->steps.steps.count && found == IR_NONE; k++)
    if (some_cycle_waits (&z, k, k)) found = k;
  substitution_release (&z.substitution);
  map_release (&z.value);
  vec_release (&z.path);
  vec_release (&z.component);
  return found;
}
