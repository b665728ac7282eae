// The solver knows what the nodes of the graph mean, and by clauses one selector for each question.
//
// By decisions: the first literal that is decided is a case.  One that cannot be is false then, below all decisions, and the next one is tried; when none is left,
// the answer is no.  Beside a case that is true only choices of this question are decided: when they have values, so has everything that the question is made of, and the rest of
// the graph can be completed, since it only says what nodes mean.
#include "engine/boolean/alone.h"

#include "base/diag.h"
#include "encode/cnf.h"

struct alone {
  cdcl *solver;
  const aig *graph;
  cnf clauses;
  cone cone;  // of the question at hand
  bool by_clauses;
  int selector;
  VEC (int) cases;
  VEC (int) choices;  // literals of the inputs in the cone
  VEC (int) clause;   // scratch
  VEC (int) assumed;
  uint32_t next_choice;  // those before it have values
  bool *seen;
  bool some;
};

static int new_var (void *solver) { return cdcl_new_var (solver); }
static void add_clause (void *solver, const int *literals, uint32_t count) {
  cdcl_add_clause (solver, literals, count);
}

// ---- the decision procedure --------------------------------------------------------------------------------------------------------
static void look_at_cases (alone *a, cdcl *s) {
  a->some = false;
  for (uint32_t i = 0; i < a->cases.count; i++) {
    a->seen[i] = cdcl_assigned (s, a->cases.data[i]) > 0;
    a->some |= a->seen[i];
  }
}

// A case that may be true; 0: one is true, or none can be.
static int open_case (const alone *a, cdcl *s, bool *some) {
  int open = 0;
  for (uint32_t i = a->cases.count; i-- > 0 && !*some;) {
    int value = cdcl_assigned (s, a->cases.data[i]);
    if (!value) open = a->cases.data[i];
    *some = value > 0;
  }
  return *some ? 0 : open;
}

static int decide (void *user, cdcl *s) {
  alone *a = user;
  bool some = false;
  int open = open_case (a, s, &some);
  if (open) return open;
  while (some && a->next_choice < a->choices.count && cdcl_assigned (s, a->choices.data[a->next_choice]))
    a->next_choice++;
  if (some && a->next_choice < a->choices.count) return -a->choices.data[a->next_choice];
  CHECK (some || cdcl_level (s) <= a->assumed.count, "cases should be refuted below all decisions");
  look_at_cases (a, s);
  return CDCL_ENOUGH;
}

static void backtracked (void *user, uint32_t level) {
  (void) level;
  ((alone *) user)->next_choice = 0;
}

static bool complete (void *user, cdcl *s) {
  look_at_cases (user, s);
  return true;
}

// ---- questions ---------------------------------------------------------------------------------------------------------------------
alone *alone_new (const aig *graph, const budget *b, bool by_clauses) {
  alone *a = mem_zalloc (sizeof *a);
  a->solver = cdcl_new (b);
  a->graph = graph;
  a->by_clauses = by_clauses;
  cnf_init_sink (&a->clauses, graph, &(clause_sink){a->solver, new_var, add_clause});
  if (!by_clauses)
    cdcl_set_hooks (a->solver,
                    &(cdcl_hooks){.user = a, .decide = decide, .backtracked = backtracked, .complete = complete});
  return a;
}

void alone_free (alone *a) {
  cnf_release (&a->clauses);
  cone_release (&a->cone);
  cdcl_free (a->solver);
  vec_release (&a->cases);
  vec_release (&a->choices);
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

static sat_answer ask_by_clause (alone *a) {
  a->selector = cdcl_new_var (a->solver);
  vec_push (&a->assumed, a->selector);
  vec_clear (&a->clause);
  vec_push (&a->clause, -a->selector);
  for (uint32_t i = 0; i < a->cases.count; i++) vec_push (&a->clause, a->cases.data[i]);
  cdcl_add_clause (a->solver, a->clause.data, a->clause.count);
  sat_answer answer = cdcl_solve (a->solver, a->assumed.data, a->assumed.count);
  for (uint32_t i = 0; i < a->cases.count && answer == SAT_YES; i++)
    a->seen[i] = cdcl_value (a->solver, a->cases.data[i]);
  int never_again = -a->selector;
  cdcl_add_clause (a->solver, &never_again, 1);
  return answer;
}

static void find_choices (alone *a, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases,
                          uint32_t num_cases) {
  cone_begin (&a->cone, a->graph);
  for (uint32_t i = 0; i < num_guard; i++) cone_add (&a->cone, a->graph, guard[i]);
  for (uint32_t i = 0; i < num_cases; i++) cone_add (&a->cone, a->graph, cases[i]);
  vec_clear (&a->choices);
  for (uint32_t i = 0; i < a->cone.nodes.count; i++)
    if (aig_is_input (a->graph, a->cone.nodes.data[i]))
      vec_push (&a->choices, cnf_literal (&a->clauses, (aig_lit){2 * a->cone.nodes.data[i]}));
  a->next_choice = 0;
}

sat_answer alone_ask (alone *a, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases, uint32_t num_cases,
                      bool *seen) {
  if (!num_cases) return SAT_NO;
  add_literals (a, guard, num_guard, cases, num_cases);
  a->seen = seen;
  if (a->by_clauses) return ask_by_clause (a);
  find_choices (a, guard, num_guard, cases, num_cases);
  a->some = false;
  sat_answer answer = cdcl_solve (a->solver, a->assumed.data, a->assumed.count);
  return answer == SAT_YES && !a->some ? SAT_NO : answer;
}

const cdcl_counters *alone_statistics (const alone *a) { return cdcl_statistics (a->solver); }
