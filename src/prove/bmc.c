// Bounded model checking (Biere, Cimatti, Clarke and Zhu, Symbolic Model Checking without BDDs, 1999): is there a path
// of 1, 2, 3, ... steps to the bad state?
#include "prove/prove_impl.h"
#include "prove/unroll.h"

// Is there a path to the bad state of exactly the current number of steps? If not, this fact becomes a clause of the
// solver.
static sat_answer query_last_step (unroll *u, aig_lit bad) {
  uint32_t step = u->num_steps - 1;
  if (unroll_find (u, step, bad).i == AIG_FALSE.i) return SAT_NO;
  int literal = unroll_literal (u, step, bad);
  sat_answer answer = sat_solve (u->solver, &literal, 1);
  if (answer == SAT_NO) sat_add_clause (u->solver, (int[]){-literal}, 1);
  return answer;
}

static void search_shortest_path (unroll *u, aig_lit bad, const prove_options *o, prove_result *r) {
  while (!o->max_depth || r->depth < o->max_depth) {
    sat_answer answer = unroll_add_step (u) ? query_last_step (u, bad) : SAT_STOPPED;
    if (answer == SAT_YES) {
      r->answer = PROVE_VIOLATED;
      r->depth = u->num_steps;
      unroll_read_path (u, u->num_steps, &r->path);
      return;
    }
    if (answer == SAT_STOPPED || budget_spent (o->budget)) {
      r->why = prove_out_of_budget;
      break;
    }
    r->depth++;
    prove_say (o, "no path of %u steps; %u gates, %llu clauses", r->depth, u->graph.num_ands,
               (unsigned long long) sat_num_clauses (u->solver));
  }
  if (!r->why) r->why = prove_out_of_depth;
  r->answer = r->depth ? PROVE_BOUNDED : PROVE_UNKNOWN;
}

void prove_by_bmc (const netlist *n, uint32_t bad, const prove_options *options, prove_result *result) {
  unroll u;
  *result = (prove_result){0};
  unroll_init (&u, n, n->bads.data[bad].holds, true, options->budget);
  search_shortest_path (&u, n->bads.data[bad].holds, options, result);
  result->sat_calls = sat_num_calls (u.solver);
  result->clauses = sat_num_clauses (u.solver);
  unroll_release (&u);
}
