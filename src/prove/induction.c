// k-induction with simple paths (Sheeran, Singh and Stalmarck, Checking Safety Properties Using Induction and a
// SAT-Solver, 2000): no path of k steps from the start is bad, and k good steps from any state, with different states,
// are followed by a good one.
//
// That two states differ is only required of pairs that were equal in a model (Een and Sorensson, Temporal Induction by
// Incremental SAT Solving, 2003).
#include "prove/prove_impl.h"
#include "prove/unroll.h"

typedef struct induction {
  const prove_options *options;
  prove_result *result;
  aig_lit bad;
  unroll base, step;
  bool simple;  // some states were required to differ
} induction;

static sat_answer ask_for_bad (unroll *u, aig_lit bad) {
  if (unroll_find (u, u->num_steps - 1, bad).i == AIG_FALSE.i) return SAT_NO;
  int literal = unroll_literal (u, u->num_steps - 1, bad);
  return sat_solve (u->solver, &literal, 1);
}

static void exclude_bad (unroll *u, aig_lit bad) {
  int literal = unroll_literal (u, u->num_steps - 1, bad);
  sat_add_clause (u->solver, (int[]){-literal}, 1);
}

// ---- different states -------------------------------------------------------------------------------

static void require_states_differ (unroll *u, uint32_t step, uint32_t other) {
  aig_lit differ = AIG_FALSE;
  for (uint32_t i = 0; i < u->latches.count; i++) {
    aig_lit now = u->net->latches.data[u->latches.data[i]].now;
    differ = aig_or (&u->graph, differ, aig_xor (&u->graph, unroll_find (u, step, now), unroll_find (u, other, now)));
  }
  int literal = cnf_literal (&u->cnf, differ);
  sat_add_clause (u->solver, &literal, 1);
}

// Requires that states differ which are equal in the last model. Returns false if all states differ already.
static bool separate_equal_states (induction *p) {
  unroll *u = &p->step;
  bool found = false;
  unroll_evaluate (u);
  for (uint32_t step = 1; step < u->num_steps; step++)
    for (uint32_t other = 0; other < step; other++) {
      if (!unroll_states_are_equal (u, step, other)) continue;
      require_states_differ (u, step, other);
      found = p->simple = true;
      break;  // equality with others follows
    }
  return found;
}

// ---- base and step ----------------------------------------------------------------------------------

static sat_answer check_base (induction *p) {
  if (!unroll_add_step (&p->base)) return SAT_STOPPED;
  sat_answer answer = ask_for_bad (&p->base, p->bad);
  if (answer == SAT_NO) exclude_bad (&p->base, p->bad);
  return answer;
}

// Is there a simple path whose last step alone is bad? If not, all steps are made good, for the next query.
static sat_answer check_step (induction *p) {
  if (!unroll_add_step (&p->step)) return SAT_STOPPED;
  sat_answer answer;
  do answer = ask_for_bad (&p->step, p->bad);
  while (answer == SAT_YES && separate_equal_states (p));
  if (answer == SAT_YES) exclude_bad (&p->step, p->bad);
  return answer;
}

static void write_base_path (induction *p) {
  p->result->answer = PROVE_VIOLATED;
  p->result->depth = p->base.num_steps;
  unroll_read_path (&p->base, p->base.num_steps, &p->result->path);
}

static void write_certificate (induction *p) {
  p->result->answer = PROVE_HOLDS;
  p->result->certificate.depth = p->result->depth;
  p->result->certificate.simple = p->simple;
}

static void search_induction_depth (induction *p) {
  prove_result *r = p->result;
  sat_answer base = SAT_NO, step = check_step (p);  // of one step: makes it good
  while (base == SAT_NO && step != SAT_STOPPED) {
    if (p->options->max_depth && r->depth >= p->options->max_depth) break;
    base = check_base (p);
    if (base == SAT_YES) {
      write_base_path (p);
      return;
    }
    if (base == SAT_STOPPED) break;
    r->depth++;
    if (step == SAT_YES) step = check_step (p);
    if (step == SAT_NO) {
      write_certificate (p);
      return;
    }
    prove_say (p->options, "no path of %u steps, which may be followed by a bad one", r->depth);
  }
  r->answer = r->depth ? PROVE_BOUNDED : PROVE_UNKNOWN;
  r->why = base == SAT_STOPPED || step == SAT_STOPPED ? prove_out_of_budget : prove_out_of_depth;
}

void prove_by_induction (const netlist *n, uint32_t bad, const prove_options *options, prove_result *result) {
  *result = (prove_result){0};
  induction p = {.options = options, .result = result, .bad = n->bads.data[bad].holds};
  unroll_init (&p.base, n, p.bad, true, options->budget);
  unroll_init (&p.step, n, p.bad, false, options->budget);
  search_induction_depth (&p);
  result->sat_calls = sat_num_calls (p.base.solver) + sat_num_calls (p.step.solver);
  result->clauses = sat_num_clauses (p.base.solver) + sat_num_clauses (p.step.solver);
  unroll_release (&p.base);
  unroll_release (&p.step);
}
