// The solver has clauses for the nodes of the graph. The first decision is that some case is true. If the case is
// impossible, it becomes false below all decisions, and the next case is tried; when no case is left, the answer is no.
// If a case is true, only the choices of this query are decided: when they have values, everything in the query has a
// value, and the rest of the graph can be completed, since its clauses only define nodes.
#include "engine/boolean/independence_query.h"

#include "base/diag.h"
#include "encode/cnf.h"

struct independence_solver {
  cdcl *solver;
  const aig *graph;
  cnf clauses;
  cone cone;
  VEC (int) cases;
  const aig_lit *guard, *wanted;  // the current query, and
  uint32_t num_guard, num_wanted;
  bool has_choices;
  VEC (int) choices;  // literals of the inputs of the query, once they are needed
  VEC (int) assumed;
  uint32_t next_choice;  // choices before this one have values
  bool *seen;
  bool some;
};

// ---- the decision procedure -------------------------------------------------------------------------
static void look_at_cases (independence_solver *a, cdcl *s) {
  a->some = false;
  for (uint32_t i = 0; i < a->cases.count; i++) {
    a->seen[i] = cdcl_assigned (s, a->cases.data[i]) > 0;
    a->some |= a->seen[i];
  }
}

// Returns a case that may be true; 0: one is true, or none can be.
static int open_case (const independence_solver *a, cdcl *s, bool *some) {
  int open = 0;
  for (uint32_t i = a->cases.count; i-- > 0 && !*some;) {
    int value = cdcl_assigned (s, a->cases.data[i]);
    if (!value) open = a->cases.data[i];
    *some = value > 0;
  }
  return *some ? 0 : open;
}

// Collects the choices of the query; all its nodes have literals.
static void collect_query_choices (independence_solver *a) {
  cone_begin (&a->cone, a->graph);
  for (uint32_t i = 0; i < a->num_guard; i++) cone_add (&a->cone, a->graph, a->guard[i]);
  for (uint32_t i = 0; i < a->num_wanted; i++) cone_add (&a->cone, a->graph, a->wanted[i]);
  vec_clear (&a->choices);
  for (uint32_t i = 0; i < a->cone.nodes.count; i++)
    if (aig_is_input (a->graph, a->cone.nodes.data[i]))
      vec_push (&a->choices, cnf_find_literal (&a->clauses, (aig_lit){2 * a->cone.nodes.data[i]}));
  a->has_choices = true;
  a->next_choice = 0;
}

// Returns a choice without value; 0: there is none.
static int open_choice (independence_solver *a, cdcl *s) {
  if (!a->has_choices) collect_query_choices (a);
  while (a->next_choice < a->choices.count && cdcl_assigned (s, a->choices.data[a->next_choice])) a->next_choice++;
  return a->next_choice < a->choices.count ? a->choices.data[a->next_choice] : 0;
}

static int decide_case_or_choice (void *user, cdcl *s) {
  independence_solver *a = user;
  bool some = false;
  int open = open_case (a, s, &some);
  if (some) open = -open_choice (a, s);
  if (open) return open;
  CHECK (some || cdcl_level (s) <= a->assumed.count, "cases should be refuted below all decisions");
  look_at_cases (a, s);
  return CDCL_ENOUGH;
}

static void backtracked (void *user, uint32_t level) {
  (void) level;
  ((independence_solver *) user)->next_choice = 0;
}

static bool complete_assignment (void *user, cdcl *s) {
  look_at_cases (user, s);
  return true;
}

// ---- queries ----------------------------------------------------------------------------------------
independence_solver *independence_new (const aig *graph, const budget *b) {
  independence_solver *a = mem_zalloc (sizeof *a);
  a->solver = cdcl_new (b);
  a->graph = graph;
  cnf_init_cdcl (&a->clauses, graph, a->solver);
  cdcl_set_hooks (a->solver, &(cdcl_hooks){.user = a,
                                           .decide = decide_case_or_choice,
                                           .backtracked = backtracked,
                                           .complete = complete_assignment});
  return a;
}

void independence_free (independence_solver *a) {
  cnf_release (&a->clauses);
  cone_release (&a->cone);
  cdcl_free (a->solver);
  vec_release (&a->cases);
  vec_release (&a->choices);
  vec_release (&a->assumed);
  mem_free (a, sizeof *a);
}

static void add_literals (independence_solver *a, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases,
                          uint32_t num_cases) {
  vec_clear (&a->assumed);
  vec_clear (&a->cases);
  for (uint32_t i = 0; i < num_guard; i++) vec_push (&a->assumed, cnf_literal (&a->clauses, guard[i]));
  for (uint32_t i = 0; i < num_cases; i++) vec_push (&a->cases, cnf_literal (&a->clauses, cases[i]));
}

sat_answer independence_ask (independence_solver *a, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases,
                             uint32_t num_cases, bool *seen) {
  if (!num_cases) return SAT_NO;
  add_literals (a, guard, num_guard, cases, num_cases);
  a->seen = seen;
  a->guard = guard, a->num_guard = num_guard, a->wanted = cases, a->num_wanted = num_cases;
  a->some = a->has_choices = false;
  sat_answer answer = cdcl_solve (a->solver, a->assumed.data, a->assumed.count);
  return answer == SAT_YES && !a->some ? SAT_NO : answer;
}

const cdcl_counters *independence_statistics (const independence_solver *a) { return cdcl_statistics (a->solver); }
