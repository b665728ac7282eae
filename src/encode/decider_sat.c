// The back end that translates terms to gates and gates to clauses, and queries CaDiCaL.
#include "encode/blast.h"
#include "encode/cnf.h"
#include "encode/decider_impl.h"
#include "encode/encode_impl.h"

typedef struct by_sat {
  blaster blaster;
  cnf cnf;
  sat *solver;
  VEC (int) literals;  // scratch
  VEC (int) assumed;   // assumptions of the last check
} by_sat;

static void *new_sat (term_pool *pool, const budget *b) {
  by_sat *s = mem_zalloc (sizeof *s);
  s->solver = sat_new (b);
  blaster_init (&s->blaster, pool);
  cnf_init (&s->cnf, &s->blaster.graph, s->solver);
  return s;
}

static void free_sat (void *state) {
  by_sat *s = state;
  cnf_release (&s->cnf);
  blaster_release (&s->blaster);
  sat_free (s->solver);
  vec_release (&s->literals);
  vec_release (&s->assumed);
  mem_free (s, sizeof *s);
}

static void add_clause_sat (void *state, const term *conditions, uint32_t count) {
  by_sat *s = state;
  vec_clear (&s->literals);
  for (uint32_t i = 0; i < count; i++) {
    aig_lit x = *blast (&s->blaster, conditions[i]);
    if (x.i == AIG_TRUE.i) return;
    if (x.i == AIG_FALSE.i) continue;
    vec_push (&s->literals, cnf_literal (&s->cnf, x));
  }
  sat_add_clause (s->solver, s->literals.data, s->literals.count);
}

static int constant_sign (aig_lit x) { return x.i == AIG_TRUE.i ? 1 : -1; }

// Asserts the equality with two clauses for each bit, without a gate.  `unless`: literal of the negated condition.
static void make_equal_if (by_sat *s, int unless, aig_lit x, aig_lit y) {
  bool x_known = x.i <= AIG_TRUE.i, y_known = y.i <= AIG_TRUE.i;
  if (x.i == y.i) return;
  if (x_known && y_known) {
    sat_add_clause (s->solver, &unless, 1);
    return;
  }
  if (x_known || y_known) {
    int other = cnf_literal (&s->cnf, x_known ? y : x) * constant_sign (x_known ? x : y);
    sat_add_clause (s->solver, (int[]){unless, other}, 2);
    return;
  }
  int a = cnf_literal (&s->cnf, x), b = cnf_literal (&s->cnf, y);
  sat_add_clause (s->solver, (int[]){unless, -a, b}, 3);
  sat_add_clause (s->solver, (int[]){unless, a, -b}, 3);
}

static void equal_if_sat (void *state, term condition, term a, term b) {
  by_sat *s = state;
  blast (&s->blaster, a);
  blast (&s->blaster, b);
  int unless = -cnf_literal (&s->cnf, *blast (&s->blaster, condition));
  for (unsigned i = 0; i < term_bits (s->blaster.pool, a); i++)
    make_equal_if (s, unless, blasted (&s->blaster, a)[i], blasted (&s->blaster, b)[i]);
}

static decided check_sat (void *state, const term *assumptions, uint32_t count) {
  by_sat *s = state;
  vec_clear (&s->assumed);
  for (uint32_t i = 0; i < count; i++) {
    aig_lit x = *blast (&s->blaster, assumptions[i]);
    vec_push (&s->assumed, cnf_literal (&s->cnf, x));
  }
  switch (sat_solve (s->solver, s->assumed.data, s->assumed.count)) {
  case SAT_YES: return DECIDED_YES;
  case SAT_NO: return DECIDED_NO;
  default: return DECIDED_STOPPED;
  }
}

static bool in_core_sat (void *state, uint32_t assumption) {
  by_sat *s = state;
  return sat_in_core (s->solver, s->assumed.data[assumption]);
}

static bool leaf_value_sat (void *state, term t, ir_value *value) {
  by_sat *s = state;
  const aig_lit *bits = blasted (&s->blaster, t);
  if (!bits) return false;
  *value = 0;
  for (unsigned i = 0; i < term_bits (s->blaster.pool, t); i++) {
    int literal = cnf_find_literal (&s->cnf, bits[i]);
    if (literal && sat_value (s->solver, literal)) *value |= (ir_value) 1 << i;
  }
  return true;
}

static bool is_exact_sat (const void *state) { return ((const by_sat *) state)->blaster.is_exact; }

static decider_stats stats_sat (const void *state) {
  const by_sat *s = state;
  return (decider_stats){.calls = sat_num_calls (s->solver),
                         .variables = sat_num_vars (s->solver),
                         .clauses = sat_num_clauses (s->solver),
                         .and_gates = s->blaster.graph.num_ands};
}

const decide_backend decide_by_sat = {new_sat,     free_sat,       add_clause_sat, equal_if_sat, check_sat,
                                      in_core_sat, leaf_value_sat, is_exact_sat,   stats_sat,    NULL};
