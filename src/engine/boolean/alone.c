// A selector for the question is assumed; which case is looked at is told by the hooks.  A case that cannot be is false sooner or later, and if all are, that is a
// conflict, explained by the clause that was not added.
#include "engine/boolean/alone.h"

#include "encode/cnf.h"

struct alone {
  cdcl *solver;
  cnf clauses;
  bool by_clauses;
  int selector;  // of the question at hand
  VEC (int) cases;
  VEC (int) clause;  // scratch, and explanations
  VEC (int) assumed;
};

static int new_var (void *solver) { return cdcl_new_var (solver); }
static void add_clause (void *solver, const int *literals, uint32_t count) {
  cdcl_add_clause (solver, literals, count);
}

// ---- the decision procedure --------------------------------------------------------------------------------------------------------
static int decide (void *user, cdcl *s) {
  const alone *a = user;
  int open = 0;
  for (uint32_t i = a->cases.count; i-- > 0;) {
    int value = cdcl_assigned (s, a->cases.data[i]);
    if (value > 0) return 0;
    if (!value) open = a->cases.data[i];
  }
  return open;
}

// The last case that is left, or a conflict if there is none.
static int propagate (void *user, cdcl *s) {
  const alone *a = user;
  int open = 0;
  if (cdcl_assigned (s, a->selector) <= 0) return 0;
  for (uint32_t i = 0; i < a->cases.count; i++) {
    int value = cdcl_assigned (s, a->cases.data[i]);
    if (value > 0 || (!value && open)) return 0;
    if (!value) open = a->cases.data[i];
  }
  return open ? open : a->cases.data[0];
}

static void make_clause (alone *a) {
  vec_clear (&a->clause);
  vec_push (&a->clause, -a->selector);
  for (uint32_t i = 0; i < a->cases.count; i++) vec_push (&a->clause, a->cases.data[i]);
}

static uint32_t explain (void *user, int literal, const int **clause) {
  alone *a = user;
  (void) literal;
  make_clause (a);
  *clause = a->clause.data;
  return a->clause.count;
}

// ---- questions ---------------------------------------------------------------------------------------------------------------------
alone *alone_new (const aig *graph, const budget *b, bool by_clauses) {
  alone *a = mem_zalloc (sizeof *a);
  a->solver = cdcl_new (b);
  a->by_clauses = by_clauses;
  cnf_init_sink (&a->clauses, graph, &(clause_sink){a->solver, new_var, add_clause});
  if (!by_clauses)
    cdcl_set_hooks (a->solver, &(cdcl_hooks){.user = a, .propagate = propagate, .explain = explain, .decide = decide});
  return a;
}

void alone_free (alone *a) {
  cnf_release (&a->clauses);
  cdcl_free (a->solver);
  vec_release (&a->cases);
  vec_release (&a->clause);
  vec_release (&a->assumed);
  mem_free (a, sizeof *a);
}

static void add_literals (alone *a, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases,
                          uint32_t num_cases) {
  vec_clear (&a->assumed);
  vec_clear (&a->cases);
  for (uint32_t i = 0; i < num_guard; i++) vec_push (&a->assumed, cnf_literal (&a->clauses, guard[i]));
  for (uint32_t i = 0; i < num_cases; i++) vec_push (&a->cases, cnf_literal (&a->clauses, cases[i]));
}

sat_answer alone_ask (alone *a, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases, uint32_t num_cases) {
  if (!num_cases) return SAT_NO;
  add_literals (a, guard, num_guard, cases, num_cases);
  a->selector = cdcl_new_var (a->solver);
  vec_push (&a->assumed, a->selector);
  if (a->by_clauses) {
    make_clause (a);
    cdcl_add_clause (a->solver, a->clause.data, a->clause.count);
  }
  sat_answer answer = cdcl_solve (a->solver, a->assumed.data, a->assumed.count);
  int never_again = -a->selector;
  cdcl_add_clause (a->solver, &never_again, 1);
  return answer;
}

const cdcl_counters *alone_statistics (const alone *a) { return cdcl_statistics (a->solver); }
