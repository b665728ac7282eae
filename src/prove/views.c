// IC3 (Bradley 2011) for views. Two things are different. A learnt clause counts for all views of a state, in any order
// of the parts. And a state that leads to a bad one is excluded as soon as one of its views is: so an obligation has
// several premises, of which one must be blocked, and a view is reached only if all premises of one step to it are (as
// the nonlinear clauses of Hoder and Bjorner, "Generalized property directed reachability", 2012). Premises are first
// made as weak as the step allows; if none of these can be blocked that says little, since each may be reached in
// another state, and the views of this very state are tried. Views that are found to be reached are recorded.
#include "prove/views.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "encode/cnf.h"
#include "prove/prove_impl.h"
#include "solver/sat.h"

enum { TEMPORARY_LITERALS = 4000, KEPT_REACHED = 4096 };

typedef VEC (int32_t) cube;  // literals +-(bit + 1), sorted by bit
typedef VEC (cube) cube_list;
typedef VEC (int) int_list;

// The graph in a solver.
typedef struct view_solver {
  sat *solver;
  cnf cnf;
  int_list seen, next, choices;
  int allowed, bad;
} view_solver;

typedef struct view_search {
  const views *v;
  const prove_options *options;
  prove_result *result;
  view_solver steps, lifting;
  int_list level_on;      // by level: activates its clauses; 0: the state is initial
  VEC (cube_list) level;  // by level: its clauses; each is at the level that it was pushed to
  uint32_t temporary;     // number of used-up literals of the solver
  int outside;            // the last of these, or 0
  VEC (uint8_t) reached;  // [n * num_bits + bit]: views
  int_list assumed;
  bool
      // in premises: there are digits, and a clause about conditions says more than one about the digits on which a
      // step depends
      keeps_conditions;
  bool stopped;
} view_search;

// ---- the graph --------------------------------------------------------------------------------------
static void side_init (view_solver *s, const views *v, const budget *b) {
  *s = (view_solver){.solver = sat_new_plain (b)};
  cnf_init (&s->cnf, v->graph, s->solver);
  for (uint32_t k = 0; k < v->seen.count; k++) vec_push (&s->seen, cnf_literal (&s->cnf, v->seen.data[k]));
  for (uint32_t k = 0; k < v->next.count; k++) vec_push (&s->next, cnf_literal (&s->cnf, v->next.data[k]));
  for (uint32_t k = 0; k < v->choices.count; k++) vec_push (&s->choices, cnf_literal (&s->cnf, v->choices.data[k]));
  s->allowed = cnf_literal (&s->cnf, v->allowed);
  s->bad = cnf_literal (&s->cnf, v->bad);
}

static void side_release (view_search *x, view_solver *s) {
  x->result->sat_calls += sat_num_calls (s->solver);
  cnf_release (&s->cnf);
  sat_free (s->solver);
  vec_release (&s->seen);
  vec_release (&s->next);
  vec_release (&s->choices);
}

static int in_view (const view_search *x, const view_solver *s, uint32_t view, int32_t literal) {
  int bit = s->seen.data[(size_t) view * x->v->num_bits + (uint32_t) abs (literal) - 1];
  return literal < 0 ? -bit : bit;
}

static int in_next (const view_solver *s, int32_t literal) {
  int bit = s->next.data[abs (literal) - 1];
  return literal < 0 ? -bit : bit;
}

// ---- cubes ------------------------------------------------------------------------------------------
static bool is_initial (const view_search *x, const cube *c) {
  for (uint32_t k = 0; k < c->count; k++) {
    uint8_t reset = x->v->reset.data[abs (c->data[k]) - 1];
    if (reset != NET_ANY && (c->data[k] > 0) != (reset == NET_ONE)) return false;
  }
  return true;
}

static bool cube_has_state (const uint8_t *view, const cube *c) {
  for (uint32_t k = 0; k < c->count; k++)
    if (view[abs (c->data[k]) - 1] != (c->data[k] > 0)) return false;
  return true;
}

static bool has_reached_view (const view_search *x, const cube *c) {
  for (size_t k = 0; k < x->reached.count; k += x->v->num_bits)
    if (cube_has_state (x->reached.data + k, c)) return true;
  return false;
}

// Are the literals of a among those of b?
static bool is_subset (const cube *a, const cube *b) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    while (k < b->count && abs (b->data[k]) < abs (a->data[i])) k++;
    if (k == b->count || b->data[k] != a->data[i]) return false;
  }
  return true;
}

static void copy_cube (cube *to, const cube *from) {
  vec_clear (to);
  for (uint32_t k = 0; k < from->count; k++) vec_push (to, from->data[k]);
}

// ---- clauses ----------------------------------------------------------------------------------------
static void add_clauses (view_search *x, const cube *c, int on) {
  int_list clause = {0};
  for (uint32_t v = 0; v < x->v->num_views; v++) {
    vec_clear (&clause);
    vec_push (&clause, -on);
    for (uint32_t k = 0; k < c->count; k++) vec_push (&clause, -in_view (x, &x->steps, v, c->data[k]));
    sat_add_clause (x->steps.solver, clause.data, clause.count);
  }
  vec_release (&clause);
}

static void let_be_initial (view_search *x, int on) {
  for (uint32_t v = 0; v < x->v->num_views; v++)
    for (uint32_t b = 0; b < x->v->num_bits; b++) {
      if (x->v->reset.data[b] == NET_ANY) continue;
      int bit = in_view (x, &x->steps, v, (int32_t) b + 1);
      sat_add_clause (x->steps.solver, (int[]){-on, x->v->reset.data[b] == NET_ONE ? bit : -bit}, 2);
    }
}

static void start_solver (view_search *x) {
  side_init (&x->steps, x->v, x->options->budget);
  sat_add_clause (x->steps.solver, &x->steps.allowed, 1);
  vec_clear (&x->level_on);
  x->temporary = 0;
  x->outside = 0;
  for (uint32_t l = 0; l < x->level.count; l++) {
    int on = sat_new_var (x->steps.solver);
    vec_push (&x->level_on, on);
    if (!l) let_be_initial (x, on);
    for (uint32_t k = 0; k < x->level.data[l].count; k++) add_clauses (x, &x->level.data[l].data[k], on);
  }
}

static void add_level (view_search *x) {
  vec_push (&x->level, ((cube_list){0}));
  vec_push (&x->level_on, sat_new_var (x->steps.solver));
}

static void forget_weaker (view_search *x, const cube *c, uint32_t level) {
  for (uint32_t l = 1; l <= level; l++) {
    cube_list *list = &x->level.data[l];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < list->count; k++) {
      if (is_subset (c, &list->data[k])) vec_release (&list->data[k]);
      else list->data[kept++] = list->data[k];
    }
    list->count = kept;
  }
}

static void learn_view_clause (view_search *x, const cube *c, uint32_t level) {
  cube own = {0};
  copy_cube (&own, c);
  forget_weaker (x, c, level);
  vec_push (&x->level.data[level], own);
  add_clauses (x, c, x->level_on.data[level]);
  x->result->clauses++;
}

static bool is_excluded_at (const view_search *x, const cube *c, uint32_t level) {
  for (uint32_t l = level; l < x->level.count; l++)
    for (uint32_t k = 0; k < x->level.data[l].count; k++)
      if (is_subset (&x->level.data[l].data[k], c)) return true;
  return false;
}

// ---- queries ----------------------------------------------------------------------------------------
static sat_answer query_steps (view_search *x, uint32_t level) {
  for (uint32_t l = level; l < x->level.count; l++) vec_push (&x->assumed, x->level_on.data[l]);
  sat_answer a = sat_solve (x->steps.solver, x->assumed.data, x->assumed.count);
  if (a == SAT_STOPPED || budget_spent (x->options->budget)) x->stopped = true;
  return x->stopped ? SAT_STOPPED : a;
}

// Deactivates the clauses of the last query. That is not done at once, since its model is still read.
static void forget_query (view_search *x) {
  int off = -x->outside;
  if (off) sat_add_clause (x->steps.solver, &off, 1);
  x->outside = 0;
}

// Can a step from this level lead into the cube, from a state no view of which is in the cube?
static sat_answer query_step (view_search *x, const cube *c, uint32_t level) {
  if (x->temporary > TEMPORARY_LITERALS) {
    side_release (x, &x->steps);
    start_solver (x);
  }
  forget_query (x);
  x->outside = sat_new_var (x->steps.solver);
  add_clauses (x, c, x->outside);
  x->temporary++;
  vec_clear (&x->assumed);
  vec_push (&x->assumed, x->outside);
  for (uint32_t k = c->count; k-- > 0;) vec_push (&x->assumed, in_next (&x->steps, c->data[k]));
  return query_steps (x, level);
}

// Shrinks the cube to the literals that mattered for the answer "no"; it stays outside of the initial states.
static void shrink_to_core (view_search *x, cube *c) {
  cube core = {0};
  for (uint32_t k = 0; k < c->count; k++)
    if (sat_in_core (x->steps.solver, in_next (&x->steps, c->data[k]))) vec_push (&core, c->data[k]);
  for (uint32_t k = 0; k < c->count && is_initial (x, &core); k++) {
    cube one = {0};
    vec_push (&one, c->data[k]);
    if (!is_initial (x, &one)) {
      uint32_t at = 0;
      while (at < core.count && abs (core.data[at]) < abs (c->data[k])) at++;
      vec_push (&core, 0);
      memmove (core.data + at + 1, core.data + at, (core.count - 1 - at) * sizeof *core.data);
      core.data[at] = c->data[k];
    }
    vec_release (&one);
  }
  copy_cube (c, &core);
  vec_release (&core);
}

static void drop_view_literals (view_search *x, cube *c, uint32_t level) {
  cube fewer = {0};
  for (uint32_t k = 0; k < c->count && !x->stopped;) {
    vec_clear (&fewer);
    for (uint32_t i = 0; i < c->count; i++)
      if (i != k) vec_push (&fewer, c->data[i]);
    if (is_initial (x, &fewer) || has_reached_view (x, &fewer) || query_step (x, &fewer, level) != SAT_NO) {
      k++;
      continue;
    }
    int32_t before = k ? c->data[k - 1] : 0;
    shrink_to_core (x, &fewer);
    copy_cube (c, &fewer);
    for (k = 0; k < c->count && abs (c->data[k]) <= abs (before);) k++;
  }
  vec_release (&fewer);
}

// Called after the answer "no" for a step from level - 1.
static void generalise_and_learn (view_search *x, const cube *from, uint32_t level) {
  cube c = {0};
  copy_cube (&c, from);
  shrink_to_core (x, &c);
  drop_view_literals (x, &c, level - 1);
  while (!x->stopped && level + 1 < x->level.count && query_step (x, &c, level) == SAT_NO) level++;
  if (!x->stopped) learn_view_clause (x, &c, level);
  vec_release (&c);
}

// ---- premises ---------------------------------------------------------------------------------------
typedef struct premises {
  cube_list whole, weak;  // by view, up to num_sets
  VEC (uint8_t) after;    // view 0 after the step
} premises;

static void premises_release (premises *p) {
  for (uint32_t k = 0; k < p->whole.count; k++) vec_release (&p->whole.data[k]);
  for (uint32_t k = 0; k < p->weak.count; k++) vec_release (&p->weak.data[k]);
  vec_release (&p->whole);
  vec_release (&p->weak);
  vec_release (&p->after);
}

static void read_state (const view_search *x, premises *p) {
  const view_solver *s = &x->steps;
  for (uint32_t v = 0; v < x->v->num_sets; v++) {
    cube c = {0};
    for (int32_t b = 1; b <= (int32_t) x->v->num_bits; b++)
      vec_push (&c, sat_value (s->solver, in_view (x, s, v, b)) ? b : -b);
    vec_push (&p->whole, c);
  }
  for (uint32_t b = 0; b < x->v->num_bits; b++) vec_push (&p->after, sat_value (s->solver, s->next.data[b]));
}

static void assume_state (view_search *x, const premises *p) {
  vec_clear (&x->assumed);
  for (uint32_t k = 0; k < x->lifting.choices.count; k++) {
    int choice = x->lifting.choices.data[k];
    vec_push (&x->assumed, sat_value (x->steps.solver, x->steps.choices.data[k]) ? choice : -choice);
  }
  for (uint32_t v = 0; v < x->v->num_sets; v++)
    for (uint32_t k = p->whole.data[v].count; k-- > 0;)
      vec_push (&x->assumed, in_view (x, &x->lifting, v, p->whole.data[v].data[k]));
}

// Finds the part of the state that is enough for this step. The target is a cube after it, or NULL: the step is bad.
static void weaken_premises (view_search *x, premises *p, const cube *target) {
  view_solver *s = &x->lifting;
  int_list not_there = {0};
  assume_state (x, p);
  vec_push (&not_there, -s->allowed);
  if (!target) vec_push (&not_there, -s->bad);
  for (uint32_t k = 0; target && k < target->count; k++) vec_push (&not_there, -in_next (s, target->data[k]));
  sat_constrain (s->solver, not_there.data, not_there.count);
  sat_answer a = sat_solve (s->solver, x->assumed.data, x->assumed.count);
  x->stopped |= a == SAT_STOPPED;
  for (uint32_t v = 0; v < x->v->num_sets; v++) {
    cube c = {0};
    for (uint32_t k = 0; k < p->whole.data[v].count; k++)
      if (a != SAT_NO || (x->keeps_conditions && k >= x->v->num_plain) ||
          sat_in_core (s->solver, in_view (x, s, v, p->whole.data[v].data[k])))
        vec_push (&c, p->whole.data[v].data[k]);
    vec_push (&p->weak, c);
  }
  vec_release (&not_there);
}

// ---- blocking ---------------------------------------------------------------------------------------
static bool block_cube (view_search *x, const cube *c, uint32_t level);

static bool block_one_of (view_search *x, const cube_list *views, uint32_t level) {
  for (uint32_t k = 0; k < views->count && !x->stopped; k++)
    if (block_cube (x, &views->data[k], level)) return true;
  return false;
}

static bool block_premise (view_search *x, const premises *p, uint32_t level) {
  return block_one_of (x, &p->weak, level) || block_one_of (x, &p->whole, level);
}

static void keep_reached (view_search *x, const premises *p) {
  if (x->reached.count / (x->v->num_bits + 1) > KEPT_REACHED) vec_clear (&x->reached);
  for (uint32_t b = 0; b < p->after.count; b++) vec_push (&x->reached, p->after.data[b]);
}

// Excludes all views of the cube at this level; false: one is reached.
static bool block_cube (view_search *x, const cube *c, uint32_t level) {
  if (is_initial (x, c) || has_reached_view (x, c)) return false;
  if (!level || is_excluded_at (x, c, level)) return true;
  x->result->obligations++;
  for (;;) {
    sat_answer a = query_step (x, c, level - 1);
    if (x->stopped) return false;
    if (a == SAT_NO) {
      generalise_and_learn (x, c, level);
      return true;
    }
    premises p = {0};
    read_state (x, &p);
    weaken_premises (x, &p, c);
    bool excluded = block_premise (x, &p, level - 1);
    if (!excluded && !x->stopped) keep_reached (x, &p);
    premises_release (&p);
    if (!excluded) return false;
  }
}

// False: there is a bad step in a state all of whose views are reached.
static bool block_bad (view_search *x) {
  uint32_t top = x->level.count - 1;
  for (;;) {
    forget_query (x);
    vec_clear (&x->assumed);
    vec_push (&x->assumed, x->steps.bad);
    sat_answer a = query_steps (x, top);
    if (x->stopped || a == SAT_NO) return true;
    premises p = {0};
    read_state (x, &p);
    weaken_premises (x, &p, NULL);
    bool excluded = block_premise (x, &p, top);
    premises_release (&p);
    if (!excluded) return x->stopped;
  }
}

// ---- the search -------------------------------------------------------------------------------------
// Returns true if the clauses from this level on are inductive.
static bool push_level (view_search *x, uint32_t level) {
  cube_list all = x->level.data[level];
  x->level.data[level] = (cube_list){0};
  for (uint32_t k = 0; k < all.count; k++) {
    bool goes_on = !x->stopped && query_step (x, &all.data[k], level) == SAT_NO;
    if (goes_on) add_clauses (x, &all.data[k], x->level_on.data[level + 1]);
    vec_push (&x->level.data[goes_on ? level + 1 : level], all.data[k]);
  }
  vec_release (&all);
  return !x->stopped && !x->level.data[level].count;
}

static void make_certificate (view_search *x, uint32_t level) {
  prove_certificate *to = &x->result->certificate;
  for (uint32_t l = level; l < x->level.count; l++)
    for (uint32_t k = 0; k < x->level.data[l].count; k++) {
      const cube *c = &x->level.data[l].data[k];
      for (uint32_t i = 0; i < c->count; i++) vec_push (&to->clauses, -c->data[i]);
      vec_push (&to->clauses, 0);
    }
  to->depth = 1;
  x->result->answer = PROVE_HOLDS;
}

static void run_view_search (view_search *x) {
  while (!x->stopped) {
    if (!block_bad (x)) {
      x->result->answer = PROVE_VIOLATED;
      return;
    }
    x->result->depth = x->level.count;
    prove_say (x->options, "views: level %u, %llu clauses, %llu obligations", x->level.count,
               (unsigned long long) x->result->clauses, (unsigned long long) x->result->obligations);
    add_level (x);
    for (uint32_t l = 1; l + 1 < x->level.count && !x->stopped; l++)
      if (push_level (x, l)) {
        make_certificate (x, l + 1);
        return;
      }
  }
  x->result->why = prove_out_of_budget;
}

void views_prove (const views *v, const prove_options *options, prove_result *result) {
  *result = (prove_result){0};
  view_search x = {.v = v, .options = options, .result = result};
  for (uint32_t b = 0; b < v->num_bits; b++) x.keeps_conditions |= v->kind.data[b] == VIEW_DIGIT;
  side_init (&x.lifting, v, options->budget);
  vec_push (&x.level, ((cube_list){0}));
  vec_push (&x.level, ((cube_list){0}));
  start_solver (&x);
  run_view_search (&x);
  side_release (&x, &x.steps);
  side_release (&x, &x.lifting);
  for (uint32_t l = 0; l < x.level.count; l++) {
    for (uint32_t k = 0; k < x.level.data[l].count; k++) vec_release (&x.level.data[l].data[k]);
    vec_release (&x.level.data[l]);
  }
  vec_release (&x.level);
  vec_release (&x.level_on);
  vec_release (&x.reached);
  vec_release (&x.assumed);
}
