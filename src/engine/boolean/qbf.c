// Decides two quantifiers by counterexample-guided refinement (Janota, Marques-Silva, SAT 2011: abstraction-based
// 2QBF). One solver guesses values of the universals that no known answer fits; another one searches an answer. Its
// answer, substituted into the matrix, is one more constraint for the first: at the end there is no guess left and the
// formula is true, or there is no answer and it is false.
#include "engine/boolean/qbf.h"

#include "encode/cnf.h"

void qbf_init (qbf *q) {
  *q = (qbf){.matrix = AIG_TRUE};
  aig_init (&q->graph);
}

void qbf_release (qbf *q) {
  aig_release (&q->graph);
  vec_release (&q->is_existential);
}

static aig_lit add_qbf_input (qbf *q, bool existential) {
  vec_push (&q->is_existential, existential);
  return aig_input (&q->graph);
}

aig_lit qbf_universal (qbf *q) { return add_qbf_input (q, false); }
aig_lit qbf_existential (qbf *q) { return add_qbf_input (q, true); }

typedef struct refinement {
  qbf *q;
  sat *guesser, *answerer;
  cnf guesses, answers;
  cone matrix;
  VEC (int) assumed;
  VEC (uint32_t) inputs;  // nodes of the inputs that are in the matrix
} refinement;

static bool is_existential (const refinement *r, uint32_t node) {
  return r->q->is_existential.data[r->q->graph.nodes.data[node].right.i];
}

// A universal that no constraint on the guesses contains may have any value.
static sat_answer answer_guess (refinement *r) {
  vec_clear (&r->assumed);
  for (uint32_t i = 0; i < r->inputs.count; i++) {
    aig_lit x = {2 * r->inputs.data[i]};
    if (is_existential (r, r->inputs.data[i])) continue;
    int guessed = cnf_find_literal (&r->guesses, x), literal = cnf_literal (&r->answers, x);
    vec_push (&r->assumed, guessed && sat_value (r->guesser, guessed) ? literal : -literal);
  }
  vec_push (&r->assumed, cnf_literal (&r->answers, r->q->matrix));
  return sat_solve (r->answerer, r->assumed.data, r->assumed.count);
}

// Requires of further guesses that the matrix with this answer for the existentials is false.
static void add_counterexample (refinement *r) {
  for (uint32_t i = 0; i < r->inputs.count; i++) {
    uint32_t node = r->inputs.data[i];
    aig_lit x = {2 * node};
    if (is_existential (r, node)) {
      int literal = cnf_find_literal (&r->answers, x);
      x = literal && sat_value (r->answerer, literal) ? AIG_TRUE : AIG_FALSE;
    }
    cone_set (&r->matrix, node, x);
  }
  cone_copy (&r->matrix, &r->q->graph, &r->q->graph);
  int clause = -cnf_literal (&r->guesses, cone_image (&r->matrix, r->q->matrix));
  sat_add_clause (r->guesser, &clause, 1);
}

static sat_answer search_guesses (refinement *r, uint64_t *rounds) {
  for (;;) {
    ++*rounds;
    sat_answer guess = sat_solve (r->guesser, NULL, 0);
    if (guess != SAT_YES) return guess == SAT_NO ? SAT_YES : SAT_STOPPED;
    sat_answer found = answer_guess (r);
    if (found != SAT_YES) return found;
    add_counterexample (r);
  }
}

static void find_inputs (refinement *r) {
  cone_begin (&r->matrix, &r->q->graph);
  cone_add (&r->matrix, &r->q->graph, r->q->matrix);
  for (uint32_t i = 0; i < r->matrix.nodes.count; i++)
    if (aig_is_input (&r->q->graph, r->matrix.nodes.data[i])) vec_push (&r->inputs, r->matrix.nodes.data[i]);
}

sat_answer qbf_decide (qbf *q, const budget *b, uint64_t *rounds) {
  if (q->matrix.i < 2) return q->matrix.i == AIG_TRUE.i ? SAT_YES : SAT_NO;
  refinement r = {.q = q, .guesser = sat_new_plain (b), .answerer = sat_new_plain (b)};
  cnf_init (&r.guesses, &q->graph, r.guesser);
  cnf_init (&r.answers, &q->graph, r.answerer);
  find_inputs (&r);
  sat_answer a = search_guesses (&r, rounds);
  cnf_release (&r.guesses);
  cnf_release (&r.answers);
  sat_free (r.guesser);
  sat_free (r.answerer);
  cone_release (&r.matrix);
  vec_release (&r.assumed);
  vec_release (&r.inputs);
  return a;
}
