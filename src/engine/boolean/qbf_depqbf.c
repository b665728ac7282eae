// The same question as clauses, for DepQBF: the gates are existential, behind all universals.
#include "encode/cnf.h"
#include "engine/boolean/qbf.h"
#include "solver/depqbf.h"

typedef struct writer {
  quantified_clauses out;
  int num_vars;
} writer;

static int new_var (void *state) { return ++((writer *) state)->num_vars; }

static void add_clause (void *state, const int *literals, uint32_t count) {
  writer *w = state;
  for (uint32_t i = 0; i < count; i++) vec_push (&w->out.clauses, literals[i]);
  vec_push (&w->out.clauses, 0);
}

static void quantify (const qbf *q, const cnf *c, writer *w) {
  VEC (bool) universal = {0};
  for (int v = 0; v <= w->num_vars; v++) vec_push (&universal, false);
  for (uint32_t node = 1; node < q->graph.nodes.count; node++) {
    int variable = cnf_find_literal (c, (aig_lit){2 * node});
    if (variable && aig_is_input (&q->graph, node))
      universal.data[variable] = !q->is_existential.data[q->graph.nodes.data[node].right.i];
  }
  for (int v = 1; v <= w->num_vars; v++)
    if (universal.data[v]) vec_push (&w->out.universals, v);
    else vec_push (&w->out.existentials, v);
  vec_release (&universal);
}

sat_answer qbf_decide_by_depqbf (const qbf *q, const budget *b) {
  if (q->matrix.i < 2) return q->matrix.i == AIG_TRUE.i ? SAT_YES : SAT_NO;
  writer w = {0};
  cnf c;
  cnf_init_sink (&c, &q->graph, &(clause_sink){&w, new_var, add_clause});
  int matrix = cnf_literal (&c, q->matrix);
  add_clause (&w, &matrix, 1);
  quantify (q, &c, &w);
  sat_answer a = depqbf_solve (&w.out, b);
  cnf_release (&c);
  vec_release (&w.out.universals);
  vec_release (&w.out.existentials);
  vec_release (&w.out.clauses);
  return a;
}
