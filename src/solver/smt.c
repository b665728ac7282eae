// Z3 4.8 behind smt.h.
//
// The solver is made for the logic QF_BV: without a declared logic incremental use is two orders of magnitude slower.
// Z3 reports errors through a handler and a code. Our handler does nothing; the code is checked after each step, so an
// error makes the answer "stopped" and never ends the process. Z3 accepts only literals as assumptions, so each assumed
// condition gets a Boolean that implies it.
#include "solver/smt.h"

#include <limits.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/map.h"
#include "solver/smt_impl.h"

typedef enum smt_state { CHANGED, SATISFIED, UNSATISFIED } smt_state;
typedef struct word {
  Z3_ast term;
  uint16_t bits;
} word;

struct smt {
  Z3_context context;
  Z3_solver solver;
  Z3_model model;  // after a satisfiable answer, else NULL
  const budget *budget;
  VEC (word) words;
  map proxies;  // condition -> index of the Boolean that implies it, in `literals`
  VEC (Z3_ast) literals;
  VEC (Z3_ast) assumed;  // in the last check, the literals
  map core;              // Z3's numbers of the literals that mattered
  smt_state state;
  bool failed;
  uint32_t num_vars;
  uint64_t num_calls, num_clauses;
};

static void ignore_error (Z3_context z, Z3_error_code code) { (void) z, (void) code; }

static void look_for_errors (smt *s) {
  if (Z3_get_error_code (s->context) != Z3_OK) s->failed = true;
}

// ---- life -------------------------------------------------------------------------------------------

// With less memory than this, Z3 dies while it builds its tables. The parent process allows some memory for libraries
// beyond the limit (main/supervise.c).
enum { LEAST_MEGABYTES = 32 };

static void limit_memory (const budget *b) {
  char megabytes[32];
  if (!b->bytes) return;
  size_t limit = b->bytes >> 20;
  snprintf (megabytes, sizeof megabytes, "%zu", limit < LEAST_MEGABYTES ? (size_t) LEAST_MEGABYTES : limit);
  Z3_global_param_set ("memory_max_size", megabytes);
}

smt *smt_new (const budget *b) {
  smt *s = mem_zalloc (sizeof *s);
  s->budget = b;
  limit_memory (b);
  Z3_config config = Z3_mk_config ();
  s->context = Z3_mk_context (config);  // keeps its terms itself, until it is deleted
  Z3_del_config (config);
  Z3_set_error_handler (s->context, ignore_error);
  s->solver = Z3_mk_solver_for_logic (s->context, Z3_mk_string_symbol (s->context, "QF_BV"));
  Z3_solver_inc_ref (s->context, s->solver);
  look_for_errors (s);
  return s;
}

static void drop_model (smt *s) {
  if (s->model) Z3_model_dec_ref (s->context, s->model);
  s->model = NULL;
  s->state = CHANGED;
}

void smt_free (smt *s) {
  if (!s) return;
  drop_model (s);
  Z3_solver_dec_ref (s->context, s->solver);
  Z3_del_context (s->context);
  vec_release (&s->words);
  vec_release (&s->literals);
  vec_release (&s->assumed);
  map_release (&s->proxies);
  map_release (&s->core);
  mem_free (s, sizeof *s);
}

// ---- words ------------------------------------------------------------------------------------------

static smt_word add_word (smt *s, unsigned bits, Z3_ast term) {
  look_for_errors (s);
  if (s->failed) term = NULL;  // all later checks are SMT_STOPPED
  vec_push (&s->words, ((word){term, (uint16_t) bits}));
  return (smt_word){s->words.count - 1};
}

static const word *smt_word_at (const smt *s, smt_word x) {
  CHECK (x.i < s->words.count, "word %u should be one of %u", x.i, s->words.count);
  return &s->words.data[x.i];
}

smt_word smt_const (smt *s, unsigned bits, ir_value value) {
  return add_word (s, bits, s->failed ? NULL : smt_op_const (s->context, bits, value));
}

static Z3_ast fresh (smt *s, unsigned bits) {
  Z3_context z = s->context;
  Z3_sort sort = bits == 1 ? Z3_mk_bool_sort (z) : Z3_mk_bv_sort (z, bits);
  s->num_vars++;
  return Z3_mk_fresh_const (z, "v", sort);
}

smt_word smt_var (smt *s, unsigned bits) { return add_word (s, bits, s->failed ? NULL : fresh (s, bits)); }

smt_word smt_apply (smt *s, ir_expr_op op, unsigned bits, smt_word a, smt_word b, smt_word c) {
  smt_word given[3] = {a, b, c};
  Z3_ast arg[3] = {0};
  CHECK (smt_has_op (op), "operator %d should be known to the SMT solver", op);
  for (unsigned k = 0; k < ir_expr_arity (op); k++) arg[k] = smt_word_at (s, given[k])->term;
  unsigned from = smt_word_at (s, given[op == IR_X_ITE])->bits;
  return add_word (s, bits, s->failed ? NULL : smt_op_apply (s->context, op, bits, from, arg));
}

// ---- assertions -------------------------------------------------------------------------------------

void smt_add_clause (smt *s, const smt_word *conditions, uint32_t count) {
  VEC (Z3_ast) parts = {0};
  drop_model (s);
  s->num_clauses++;
  for (uint32_t i = 0; i < count; i++) {
    CHECK (smt_word_at (s, conditions[i])->bits == 1, "a condition should have one bit");
    vec_push (&parts, smt_word_at (s, conditions[i])->term);
  }
  if (!s->failed) {
    Z3_ast clause = count == 1 ? parts.data[0]
                    : count    ? Z3_mk_or (s->context, count, parts.data)
                               : Z3_mk_false (s->context);
    Z3_solver_assert (s->context, s->solver, clause);
    look_for_errors (s);
  }
  vec_release (&parts);
}

// The literal that stands for an assumed condition.
static Z3_ast proxy (smt *s, smt_word condition) {
  bool is_new;
  CHECK (smt_word_at (s, condition)->bits == 1, "a condition should have one bit");
  uint64_t index = *map_insert (&s->proxies, condition.i, s->literals.count, &is_new);
  if (!is_new) return s->literals.data[index];
  Z3_ast literal = fresh (s, 1);
  vec_push (&s->literals, literal);
  Z3_solver_assert (s->context, s->solver, Z3_mk_implies (s->context, literal, smt_word_at (s, condition)->term));
  return literal;
}

// ---- answers ----------------------------------------------------------------------------------------

static void set_limits (smt *s) {
  Z3_context z = s->context;
  double left = budget_left (s->budget) * 1000;
  Z3_params params = Z3_mk_params (z);
  Z3_params_inc_ref (z, params);
  Z3_params_set_uint (z, params, Z3_mk_string_symbol (z, "timeout"),
                      left >= UINT_MAX ? UINT_MAX
                      : left < 1       ? 1
                                       : (unsigned) left);
  Z3_params_set_bool (z, params, Z3_mk_string_symbol (z, "ctrl_c"), false);  // the signal is ours
  Z3_solver_set_params (z, s->solver, params);
  Z3_params_dec_ref (z, params);
}

static void save_core (smt *s) {
  Z3_ast_vector core = Z3_solver_get_unsat_core (s->context, s->solver);
  Z3_ast_vector_inc_ref (s->context, core);
  for (unsigned i = 0; i < Z3_ast_vector_size (s->context, core); i++)
    map_insert (&s->core, Z3_get_ast_id (s->context, Z3_ast_vector_get (s->context, core, i)), 1, NULL);
  Z3_ast_vector_dec_ref (s->context, core);
}

smt_answer smt_check (smt *s, const smt_word *assumptions, uint32_t count) {
  drop_model (s);
  map_clear (&s->core);
  vec_clear (&s->assumed);
  s->num_calls++;
  if (s->failed || budget_spent (s->budget)) return SMT_STOPPED;
  for (uint32_t i = 0; i < count; i++) vec_push (&s->assumed, proxy (s, assumptions[i]));
  set_limits (s);
  Z3_lbool answer = Z3_solver_check_assumptions (s->context, s->solver, count, s->assumed.data);
  look_for_errors (s);
  if (s->failed || answer == Z3_L_UNDEF) return SMT_STOPPED;
  s->state = answer == Z3_L_TRUE ? SATISFIED : UNSATISFIED;
  if (s->state == UNSATISFIED) {
    save_core (s);
    return SMT_NO;
  }
  s->model = Z3_solver_get_model (s->context, s->solver);
  Z3_model_inc_ref (s->context, s->model);
  return SMT_YES;
}

static ir_value parse_number (const char *decimal) {
  ir_value r = 0;
  for (; *decimal; decimal++) r = r * 10 + (ir_value) (*decimal - '0');
  return r;
}

ir_value smt_value (smt *s, smt_word x) {
  CHECK (s->state == SATISFIED, "values should be asked for after a satisfiable answer, before anything is asserted");
  Z3_ast value;
  if (!Z3_model_eval (s->context, s->model, smt_word_at (s, x)->term, true, &value))
    BUG ("a model should give a value to each word");
  if (smt_word_at (s, x)->bits == 1) return Z3_get_bool_value (s->context, value) == Z3_L_TRUE;
  return parse_number (Z3_get_numeral_string (s->context, value));
}

bool smt_in_core (const smt *s, uint32_t assumption) {
  CHECK (s->state == UNSATISFIED && assumption < s->assumed.count,
         "a core should be asked for after an unsatisfiable answer");
  return map_find (&s->core, Z3_get_ast_id (s->context, s->assumed.data[assumption])) != NULL;
}

uint64_t smt_num_calls (const smt *s) { return s->num_calls; }
uint64_t smt_num_clauses (const smt *s) { return s->num_clauses; }
uint32_t smt_num_vars (const smt *s) { return s->num_vars; }
