// The back end that passes terms to Z3 as bit-vectors.  An operator that src/solver/smt.h does not support is a
// variable with any value.
#include "encode/decider_impl.h"
#include "encode/encode_impl.h"
#include "solver/smt.h"

typedef struct by_smt {
  const term_pool *pool;
  smt *solver;
  VEC (smt_word) word;   // by term; SMT_NONE: not translated
  VEC (term) stack;      // terms being translated
  VEC (smt_word) words;  // scratch
  bool is_exact;
} by_smt;

static void *new_smt (term_pool *pool, const budget *b) {
  by_smt *s = mem_zalloc (sizeof *s);
  s->pool = pool;
  s->solver = smt_new (b);
  s->is_exact = true;
  return s;
}

static void free_smt (void *state) {
  by_smt *s = state;
  smt_free (s->solver);
  vec_release (&s->word);
  vec_release (&s->stack);
  vec_release (&s->words);
  mem_free (s, sizeof *s);
}

// ---- terms to words ------------------------------------------------------------------------------------------------

static bool has_smt_word (const by_smt *s, term t) { return t.i < s->word.count && s->word.data[t.i].i != SMT_NONE.i; }

static bool operands_have_words (by_smt *s, const term_node *n) {
  bool ready = true;
  if (!smt_has_op (n->op)) return true;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) {
    if (has_smt_word (s, n->arg[k])) continue;
    vec_push (&s->stack, n->arg[k]);
    ready = false;
  }
  return ready;
}

static smt_word make_word (by_smt *s, const term_node *n) {
  smt_word arg[3] = {SMT_NONE, SMT_NONE, SMT_NONE};
  if (n->op == IR_X_CONST) return smt_const (s->solver, n->bits, n->value);
  if (!smt_has_op (n->op)) {
    if (n->op != IR_X_REG) s->is_exact = false;
    return smt_var (s->solver, n->bits);
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) arg[k] = s->word.data[n->arg[k].i];
  return smt_apply (s->solver, n->op, n->bits, arg[0], arg[1], arg[2]);
}

static smt_word build_smt_word (by_smt *s, term t) {
  while (s->word.count < s->pool->nodes.count) vec_push (&s->word, SMT_NONE);
  vec_push (&s->stack, t);
  while (s->stack.count) {
    term top = vec_last (&s->stack);
    const term_node *n = term_at (s->pool, top);
    if (!has_smt_word (s, top)) {
      if (!operands_have_words (s, n)) continue;
      s->word.data[top.i] = make_word (s, n);
    }
    s->stack.count--;
  }
  return s->word.data[t.i];
}

static void translate_all (by_smt *s, const term *conditions, uint32_t count) {
  vec_clear (&s->words);
  for (uint32_t i = 0; i < count; i++) vec_push (&s->words, build_smt_word (s, conditions[i]));
}

// ---- the back end -----------------------------------------------------------------------------------

static void add_clause_smt (void *state, const term *conditions, uint32_t count) {
  by_smt *s = state;
  translate_all (s, conditions, count);
  smt_add_clause (s->solver, s->words.data, count);
}

static void equal_if_smt (void *state, term condition, term a, term b) {
  by_smt *s = state;
  smt_word words[2] = {build_smt_word (s, condition), SMT_NONE};
  words[0] = smt_apply (s->solver, IR_X_XOR, 1, words[0], smt_const (s->solver, 1, 1), SMT_NONE);
  smt_word left = build_smt_word (s, a), right = build_smt_word (s, b);
  words[1] = smt_apply (s->solver, IR_X_EQ, 1, left, right, SMT_NONE);
  smt_add_clause (s->solver, words, 2);
}

static decided check_smt (void *state, const term *assumptions, uint32_t count) {
  by_smt *s = state;
  translate_all (s, assumptions, count);
  switch (smt_check (s->solver, s->words.data, count)) {
  case SMT_YES: return DECIDED_YES;
  case SMT_NO: return DECIDED_NO;
  default: return DECIDED_STOPPED;
  }
}

static bool in_core_smt (void *state, uint32_t assumption) {
  return smt_in_core (((by_smt *) state)->solver, assumption);
}

static bool leaf_value_smt (void *state, term t, ir_value *value) {
  by_smt *s = state;
  if (!has_smt_word (s, t)) return false;
  *value = smt_value (s->solver, s->word.data[t.i]);
  return true;
}

static bool is_exact_smt (const void *state) { return ((const by_smt *) state)->is_exact; }

static decider_stats stats_smt (const void *state) {
  const by_smt *s = state;
  return (decider_stats){.calls = smt_num_calls (s->solver),
                         .variables = smt_num_vars (s->solver),
                         .clauses = smt_num_clauses (s->solver)};
}

const decide_backend decide_by_smt = {new_smt,     free_smt,       add_clause_smt, equal_if_smt, check_smt,
                                      in_core_smt, leaf_value_smt, is_exact_smt,   stats_smt,    NULL};
