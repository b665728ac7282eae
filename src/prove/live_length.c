// Where every path ends because its constraints fail, no condition is true infinitely often: for some n no path has n
// steps. An example is the product of a program that always ends with a Büchi automaton that has no transition after
// the end. Proof by counting (live_descent.c) finds that out as well, but in as many rounds as there are steps.
#include "base/limits.h"
#include "prove/prove_live.h"
#include "prove/prove_impl.h"
#include "prove/unroll.h"

// Searches longer and longer paths; `from`: skips shorter ones.
static sat_answer lengthen (unroll *u, uint32_t from, uint32_t most) {
  sat_answer answer = SAT_YES;
  while (answer == SAT_YES && (!most || u->num_steps < most)) {
    if (!unroll_add_step (u)) return SAT_STOPPED;
    if (u->num_steps >= from) answer = sat_solve (u->solver, NULL, 0);
  }
  return answer;
}

void prove_live_by_length (const netlist *n, const prove_options *o, prove_result *r, uint32_t *length) {
  unroll u;
  *r = (prove_result){.why = "paths do not end"};
  *length = 0;
  if (!n->constraints.count) return;
  unroll_init (&u, n, AIG_FALSE, true, o->budget);
  sat_answer answer = lengthen (&u, 1, o->max_depth);
  if (answer == SAT_YES) limit_met (LIVE_PATH_LENGTH);
  if (answer == SAT_STOPPED) r->why = prove_out_of_budget;
  if (answer == SAT_NO) *r = (prove_result){.answer = PROVE_HOLDS}, *length = u.num_steps;
  r->sat_calls = sat_num_calls (u.solver);
  r->clauses = sat_num_clauses (u.solver);
  unroll_release (&u);
}

bool live_paths_end (const netlist *n, uint32_t length, const budget *b) {
  unroll u;
  unroll_init (&u, n, AIG_FALSE, true, b);
  bool end = length && lengthen (&u, length, length) == SAT_NO;
  unroll_release (&u);
  return end;
}
