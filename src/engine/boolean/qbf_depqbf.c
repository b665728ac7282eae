// Gives the formula to DepQBF as clauses: the gates are existential, after all universals.
#include "encode/cnf.h"
#include "engine/boolean/qbf.h"
#include "solver/depqbf.h"

typedef struct qdimacs_writer {
  quantified_clauses out;
  int num_vars;
} qdimacs_writer;

static int new_var (void *state) { return ++((qdimacs_writer *) state)->num_vars; }

static void add_qdimacs_clause (void *state, const int *literals, uint32_t count) {
  qdimacs_writer *w = state;
  for (uint32_t i = 0; i < count; i++) vec_push (&w->out.clauses, literals[i]);
  vec_push (&w->out.clauses, 0);
}

static void quantify (const qbf *q, const cnf *c, qdimacs_writer *w) {
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
  qdimacs_writer w = {0};
  cnf c;
  cnf_init_sink (&c, &q->graph, &(clause_sink){&w, new_var, add_qdimacs_clause});
  int matrix = cnf_literal (&c, q->matrix);
  add_qdimacs_clause (&w, &matrix, 1);
  quantify (q, &c, &w);
  sat_answer a = depqbf_solve (&w.out, b);
  cnf_release (&c);
  vec_release (&w.out.universals);
  vec_release (&w.out.existentials);
  vec_release (&w.out.clauses);
  return a;
}
