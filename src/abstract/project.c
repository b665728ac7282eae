// Uses two solvers: the first proposes valuations of the conditions that no clause excludes so far, the second decides
// whether such a valuation is possible. If it is not, the literals of the proposal that are needed for the
// contradiction become a new clause, made as short as possible. If it is, only this valuation is excluded from further
// proposals.
#include "abstract/project.h"

#include "solver/sat.h"

enum { SHORT_CORE = 12 };

struct projector {
  term_pool *pool;
  decider *decider;
  const budget *budget;
  term assumed;
  uint64_t questions;
  // Of the current query:
  sat *proposer;
  const term *conditions;
  uint32_t count;
  VEC (uint32_t) cube;  // literals of the proposal
  VEC (term) asked;
};

void clauses_release (clauses *c) {
  vec_release (&c->literals);
  vec_release (&c->ends);
}

void clauses_add (clauses *c, const uint32_t *literals, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) vec_push (&c->literals, literals[k]);
  vec_push (&c->ends, c->literals.count);
}

projector *projector_new (term_pool *pool, term assumed, const budget *b) {
  projector *p = mem_zalloc (sizeof *p);
  p->pool = pool, p->budget = b, p->assumed = assumed;
  p->decider = decider_new (pool, DECIDE_BY_SAT, b);
  decider_assert (p->decider, assumed);
  return p;
}

void projector_free (projector *p) {
  decider_free (p->decider);
  vec_release (&p->cube);
  vec_release (&p->asked);
  mem_free (p, sizeof *p);
}

uint64_t projector_questions (const projector *p) { return p->questions; }

// ---- proposals --------------------------------------------------------------------------------------
static int proposer_literal (uint32_t literal) {
  int x = (int) (literal / 2) + 1;
  return literal & 1 ? -x : x;
}

static void tell_clause (sat *s, const uint32_t *literals, uint32_t count) {
  VEC (int) clause = {0};
  for (uint32_t k = 0; k < count; k++) vec_push (&clause, proposer_literal (literals[k]));
  sat_add_clause (s, clause.data, clause.count);
  vec_release (&clause);
}

static sat *new_proposer (const budget *b, uint32_t count, const clauses *known) {
  sat *s = sat_new_plain (b);
  for (uint32_t k = 0; k < count; k++) sat_new_var (s);
  for (uint32_t k = 0; known && k < known->ends.count; k++) {
    uint32_t begin = clauses_begin (known, k);
    tell_clause (s, known->literals.data + begin, known->ends.data[k] - begin);
  }
  return s;
}

static void exclude_cube (projector *p, const uint32_t *cube, uint32_t count) {
  VEC (uint32_t) clause = {0};
  for (uint32_t k = 0; k < count; k++) vec_push (&clause, cube[k] ^ 1);
  tell_clause (p->proposer, clause.data, clause.count);
  vec_release (&clause);
}

static void take_proposal (projector *p) {
  vec_clear (&p->cube);
  for (uint32_t k = 0; k < p->count; k++)
    vec_push (&p->cube, 2 * k + !sat_value (p->proposer, proposer_literal (2 * k)));
}

// ---- possible valuations ----------------------------------------------------------------------------
static decided query_cube (projector *p, const uint32_t *cube, uint32_t count) {
  vec_clear (&p->asked);
  for (uint32_t k = 0; k < count; k++) {
    term t = p->conditions[cube[k] / 2];
    vec_push (&p->asked, cube[k] & 1 ? term_not (p->pool, t) : t);
  }
  p->questions++;
  return decider_check (p->decider, p->asked.data, p->asked.count);
}

// Excludes the valuation in the last answer.
static void exclude_model (projector *p) {
  VEC (uint32_t) model = {0};
  for (uint32_t k = 0; k < p->count; k++) vec_push (&model, 2 * k + !decider_value (p->decider, p->conditions[k]));
  exclude_cube (p, model.data, model.count);
  vec_release (&model);
}

static void keep_core_of_cube (projector *p) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < p->cube.count; k++)
    if (decider_in_core (p->decider, k)) p->cube.data[kept++] = p->cube.data[k];
  p->cube.count = kept;
}

// Drops literals that are not needed, the last ones first.
static void shorten_cube (projector *p) {
  VEC (uint32_t) rest = {0};
  for (uint32_t i = p->cube.count; i-- > 0 && p->cube.count <= SHORT_CORE;) {
    vec_clear (&rest);
    for (uint32_t k = 0; k < p->cube.count; k++)
      if (k != i) vec_push (&rest, p->cube.data[k]);
    decided d = query_cube (p, rest.data, rest.count);
    if (d == DECIDED_YES) exclude_model (p);
    if (d != DECIDED_NO) continue;
    vec_clear (&p->cube);
    for (uint32_t k = 0; k < rest.count; k++)
      if (decider_in_core (p->decider, k)) vec_push (&p->cube, rest.data[k]);
    if (i > p->cube.count) i = p->cube.count;
  }
  vec_release (&rest);
}

static void add_projected_clause (projector *p, clauses *out) {
  exclude_cube (p, p->cube.data, p->cube.count);
  for (uint32_t k = 0; k < p->cube.count; k++) p->cube.data[k] ^= 1;
  clauses_add (out, p->cube.data, p->cube.count);
}

void project_conditions (projector *p, const term *conditions, uint32_t count, uint32_t most_questions, clauses *out) {
  uint64_t last = p->questions + most_questions;
  p->conditions = conditions, p->count = count;
  p->proposer = new_proposer (p->budget, count, out);
  out->is_whole = false;
  while (p->questions < last && !budget_spent (p->budget)) {
    sat_answer a = sat_solve (p->proposer, NULL, 0);
    out->is_whole = a == SAT_NO;
    if (a != SAT_YES) break;
    take_proposal (p);
    decided d = query_cube (p, p->cube.data, p->cube.count);
    if (d == DECIDED_STOPPED) break;
    if (d == DECIDED_YES) exclude_cube (p, p->cube.data, p->cube.count);
    else {
      keep_core_of_cube (p);
      shorten_cube (p);
      add_projected_clause (p, out);
    }
  }
  sat_free (p->proposer);
}

bool clauses_leave_open (const clauses *c, uint32_t count, uint32_t free) {
  budget none = {0};
  sat *s = new_proposer (&none, count, NULL);
  VEC (uint32_t) rest = {0};
  for (uint32_t k = 0; k < c->ends.count; k++) {
    vec_clear (&rest);
    for (uint32_t i = clauses_begin (c, k); i < c->ends.data[k]; i++)
      if (c->literals.data[i] / 2 != free) vec_push (&rest, c->literals.data[i]);
    tell_clause (s, rest.data, rest.count);
  }
  bool open = sat_solve (s, NULL, 0) == SAT_YES;
  sat_free (s);
  vec_release (&rest);
  return open;
}
