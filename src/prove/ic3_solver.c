// Queries about one step. Each goes to a solver that has the lemmas of its frame.
//
// A solver only has the parts of the circuit that some query was about, and the constraints. That a step starts outside
// of the cube it leads to is a clause for this query alone, without a literal that would have to be switched off for
// ever after (Froleyks and Biere, Single Clause Assumption without Activation Literals to Speed-up IC3, 2021).
#include "base/diag.h"
#include "prove/ic3_impl.h"

enum { SUPERSEDED_SPARE = 1000 };

// ---- solvers ----------------------------------------------------------------------------------------

static aig_lit latch_value_literal (const ic3 *p, uint32_t literal) {
  return (aig_lit){p->net->latches.data[literal / 2].now.i ^ (literal & 1)};
}
static aig_lit next_value_literal (const ic3 *p, uint32_t literal) {
  return (aig_lit){p->net->latches.data[literal / 2].next.i ^ (literal & 1)};
}

static void add_unit (group *g, aig_lit x) {
  int literal = cnf_literal (&g->cnf, x);
  sat_add_clause (g->solver, &literal, 1);
}

static void add_group_constraints (const ic3 *p, group *g) {
  for (uint32_t i = 0; i < p->net->constraints.count; i++) add_unit (g, p->net->constraints.data[i].holds);
}

static void add_reset (const ic3 *p, group *g) {
  for (uint32_t i = 0; i < p->net->latches.count; i++) {
    const net_latch *l = &p->net->latches.data[i];
    if (l->reset != NET_ANY) add_unit (g, (aig_lit){l->now.i ^ (l->reset == NET_ZERO)});
  }
}

static void group_init (const ic3 *p, group *g, uint32_t first, uint32_t last) {
  *g = (group){.solver = sat_new_plain (p->options->budget), .first = first, .last = last};
  cnf_init (&g->cnf, &p->net->graph, g->solver);
  add_group_constraints (p, g);
  for (uint32_t level = first; level < last; level++) vec_push (&g->on, sat_new_var (g->solver));
}

static void group_release (ic3 *p, group *g) {
  p->result->sat_calls += sat_num_calls (g->solver);
  cnf_release (&g->cnf);
  sat_free (g->solver);
  vec_release (&g->on);
}

void ic3_solvers_init (ic3 *p) {
  group start;
  group_init (p, &start, 0, 0);
  add_reset (p, &start);
  vec_push (&p->groups, start);
  group_init (p, &p->endless_group, IC3_ENDLESS, IC3_ENDLESS);
}

void ic3_solvers_release (ic3 *p) {
  for (uint32_t i = 0; i < p->groups.count; i++) group_release (p, &p->groups.data[i]);
  vec_release (&p->groups);
  group_release (p, &p->endless_group);
  vec_release (&p->assumed);
  vec_release (&p->clause);
}

static group *frame_group (ic3 *p, uint32_t frame) {
  if (frame == IC3_ENDLESS) return &p->endless_group;
  return &p->groups.data[frame ? 1 + (frame - 1) / p->frames_per_group : 0];
}

// ---- lemmas -----------------------------------------------------------------------------------------

static void add_lemma_clause (ic3 *p, group *g, const cube *c, uint32_t level) {
  vec_clear (&p->clause);
  for (uint32_t i = 0; i < c->count; i++)
    vec_push (&p->clause, -cnf_literal (&g->cnf, latch_value_literal (p, c->literal[i])));
  if (level < g->last) vec_push (&p->clause, -g->on.data[level - g->first]);
  sat_add_clause (g->solver, p->clause.data, p->clause.count);
  g->num_lemmas++;
}

static void add_group_lemmas (ic3 *p, group *g) {
  for (uint32_t i = 0; i < p->endless.count; i++) add_lemma_clause (p, g, p->endless.data[i], IC3_ENDLESS);
  for (uint32_t level = g->first; level < p->levels.count; level++)
    for (uint32_t i = 0; i < p->levels.data[level].count; i++)
      add_lemma_clause (p, g, p->levels.data[level].data[i], level);
}

void ic3_solvers_add_frame (ic3 *p, uint32_t frame) {
  uint32_t place = 1 + (frame - 1) / p->frames_per_group;
  if (place < p->groups.count) return;
  group g;
  group_init (p, &g, frame, frame + p->frames_per_group - 1);
  add_group_lemmas (p, &g);
  vec_push (&p->groups, g);
}

// Are too many of the solver's clauses superseded?
static bool needs_rebuilding (const ic3 *p, const group *g) {
  if (g->num_lemmas < SUPERSEDED_SPARE) return false;
  uint64_t live = p->endless.count;
  for (uint32_t level = g->first; level < p->levels.count; level++) live += p->levels.data[level].count;
  return g->num_lemmas > 2 * live + SUPERSEDED_SPARE;
}

static void rebuild_group_solver (ic3 *p, group *g) {
  uint32_t first = g->first, last = g->last;
  group_release (p, g);
  group_init (p, g, first, last);
  add_group_lemmas (p, g);
}

void ic3_solvers_add_lemma (ic3 *p, const cube *c, uint32_t from, uint32_t level) {
  if (level == IC3_ENDLESS) add_lemma_clause (p, &p->endless_group, c, level);
  for (uint32_t i = 1; i < p->groups.count && p->groups.data[i].first <= level; i++) {
    group *g = &p->groups.data[i];
    if (from && from >= g->last) continue;  // the solver has the lemma already
    add_lemma_clause (p, g, c, level);
    if (needs_rebuilding (p, g)) rebuild_group_solver (p, g);
  }
}

// ---- queries ----------------------------------------------------------------------------------------

static void assume_frame (ic3 *p, const group *g, uint32_t frame) {
  vec_clear (&p->assumed);
  for (uint32_t level = frame; level < g->last && level < p->levels.count; level++)
    vec_push (&p->assumed, g->on.data[level - g->first]);
}

static bool is_satisfiable (ic3 *p, group *g) {
  p->answered = g;
  sat_answer answer = sat_solve (g->solver, p->assumed.data, p->assumed.count);
  if (answer == SAT_STOPPED) p->stopped = true;
  return answer == SAT_YES;
}

bool ic3_is_bad (ic3 *p, uint32_t frame) {
  group *g = frame_group (p, frame);
  assume_frame (p, g, frame);
  vec_push (&p->assumed, cnf_literal (&g->cnf, p->bad));
  return is_satisfiable (p, g);
}

static void stay_outside (ic3 *p, group *g, const literals *cube) {
  vec_clear (&p->clause);
  for (uint32_t i = 0; i < cube->count; i++)
    vec_push (&p->clause, -cnf_literal (&g->cnf, latch_value_literal (p, cube->data[i])));
  sat_constrain (g->solver, p->clause.data, p->clause.count);
}

static void read_core (const ic3 *p, const group *g, const literals *cube, uint32_t first, literals *core) {
  literals kept = {0};
  for (uint32_t i = 0; i < cube->count; i++)
    if (sat_in_core (g->solver, p->assumed.data[first + i])) vec_push (&kept, cube->data[i]);
  ic3_keep_from_start (p, &kept, cube);
  literals_copy (core, &kept);
  vec_release (&kept);
}

bool ic3_enters (ic3 *p, uint32_t frame, const literals *cube, bool outside, literals *core) {
  group *g = frame_group (p, frame);
  assume_frame (p, g, frame);
  uint32_t first = p->assumed.count;
  for (uint32_t i = 0; i < cube->count; i++)
    vec_push (&p->assumed, cnf_literal (&g->cnf, next_value_literal (p, cube->data[i])));
  if (outside && frame) stay_outside (p, g, cube);
  if (is_satisfiable (p, g)) return true;
  if (!p->stopped) read_core (p, g, cube, first, core);
  return false;
}
