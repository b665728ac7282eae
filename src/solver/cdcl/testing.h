// For the tests of the SAT solver: formulas of few variables with the set of their models, and a checker of proofs.
//
// A model of up to 10 variables is a number, a set of models 1024 bits. The checker is as simple as possible: a step is
// right if unit propagation from its negation, by repeated scans of all clauses, leads to a conflict (RUP; Goldberg and
// Novikov 2003). It shares no code with the solver.
#ifndef LOCKSTEP_CDCL_TESTING_H
#define LOCKSTEP_CDCL_TESTING_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "base/vec.h"
#include "solver/cdcl/cdcl.h"

// ---- formulas ---------------------------------------------------------------------------------------
typedef VEC (int) number_list;                   // clauses, each with 0 behind it

enum { SMALL_VARS = 10, SMALL_MODELS = 1 << SMALL_VARS };
typedef struct model_set { uint64_t bits[SMALL_MODELS / 64]; } model_set;

static inline int random_literal (rng *r, uint32_t vars) {
  return (int) (1 + rng_below (r, vars)) * (rng_below (r, 2) ? 1 : -1);
}
static inline uint32_t random_clause (rng *r, uint32_t vars, uint32_t most, int *literals) {
  uint32_t count = 1 + rng_below (r, most);
  for (uint32_t i = 0; i < count; i++) literals[i] = random_literal (r, vars);
  return count;
}

static inline void list_clause (number_list *list, const int *literals, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) vec_push (list, literals[i]);
  vec_push (list, 0);
}

// The clauses of a list one by one, from *at = 0 on; false at the end.
static inline bool list_next (const number_list *list, uint32_t *at, const int **clause, uint32_t *count) {
  if (*at == list->count) return false;
  *clause = list->data + *at;
  for (*count = 0; (*clause)[*count]; ++*count) continue;
  *at += *count + 1;
  return true;
}

static inline void add_list (cdcl *s, const number_list *list) {
  const int *clause;
  for (uint32_t at = 0, count; list_next (list, &at, &clause, &count);) cdcl_add_clause (s, clause, count);
}

static inline bool model_has (unsigned model, int literal) {
  return (model >> (abs (literal) - 1) & 1) == (literal > 0);
}

static inline bool model_satisfies (unsigned model, const int *literals, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (model_has (model, literals[i])) return true;
  return false;
}

static inline void models_all (model_set *m) { memset (m, 0xff, sizeof *m); }
static inline bool models_have (const model_set *m, unsigned model) { return m->bits[model / 64] >> model % 64 & 1; }
static inline void models_drop (model_set *m, unsigned model) { m->bits[model / 64] &= ~((uint64_t) 1 << model % 64); }

static inline void models_restrict (model_set *m, const int *literals, uint32_t count) {
  for (unsigned model = 0; model < SMALL_MODELS; model++)
    if (!model_satisfies (model, literals, count)) models_drop (m, model);
}

static inline bool models_exist (const model_set *m, const int *assumed, uint32_t count) {
  model_set left = *m;
  for (uint32_t i = 0; i < count; i++) models_restrict (&left, assumed + i, 1);
  for (unsigned i = 0; i < SMALL_MODELS / 64; i++)
    if (left.bits[i]) return true;
  return false;
}

// Checks the answer about SMALL_VARS variables, and its model or core.
static inline void check_small_answer (cdcl *s, const model_set *models, const int *assumed, uint32_t count) {
  int core[4];
  uint32_t in_core = 0;
  sat_answer answer = cdcl_solve (s, assumed, count);
  assert_int_equal (answer, models_exist (models, assumed, count) ? SAT_YES : SAT_NO);
  if (answer == SAT_YES) {
    unsigned model = 0;
    for (int v = 1; v <= SMALL_VARS; v++) model |= (unsigned) cdcl_value (s, v) << (v - 1);
    assert_true (models_have (models, model));
    for (uint32_t i = 0; i < count; i++) assert_true (model_has (model, assumed[i]));
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    if (cdcl_in_core (s, assumed[i])) core[in_core++] = assumed[i];
  assert_false (models_exist (models, core, in_core));
}

// n + 1 pigeons do not fit into n holes, which takes resolution long to see.
static inline void list_pigeons (number_list *list, int holes) {
  for (int p = 0; p <= holes; p++) {
    for (int h = 1; h <= holes; h++) vec_push (list, p * holes + h);
    vec_push (list, 0);
    for (int q = 0; q < p; q++)
      for (int h = 1; h <= holes; h++) list_clause (list, (int[]){-(p * holes + h), -(q * holes + h)}, 2);
  }
}

// ---- proofs -----------------------------------------------------------------------------------------
typedef struct proof_checker {
  number_list literals;        // of all clauses
  VEC (uint32_t) starts;       // of the clauses that are not deleted, in `literals`
  VEC (int8_t) values;         // by variable
  number_list trail;           // variables with values
} proof_checker;

static inline void checker_add (proof_checker *c, const int *literals, uint32_t count) {
  vec_push (&c->starts, c->literals.count);
  list_clause (&c->literals, literals, count);
  for (uint32_t i = 0; i < count; i++)
    while (c->values.count <= (uint32_t) abs (literals[i])) vec_push (&c->values, 0);
}

static inline int8_t checker_value (const proof_checker *c, int literal) {
  int8_t value = c->values.data[abs (literal)];
  return literal > 0 ? value : (int8_t) -value;
}

static inline void checker_assign (proof_checker *c, int literal) {
  c->values.data[abs (literal)] = literal > 0 ? 1 : -1;
  vec_push (&c->trail, abs (literal));
}

// 0: nothing follows from the clause; 1: a literal was assigned; -1: it is a conflict.
static inline int checker_look_at (proof_checker *c, const int *clause) {
  int open = 0;
  for (; *clause; clause++) {
    int8_t value = checker_value (c, *clause);
    if (value > 0 || (!value && open && open != *clause)) return 0;
    if (!value) open = *clause;
  }
  if (!open) return -1;
  checker_assign (c, open);
  return 1;
}

static inline bool checker_propagates_to_conflict (proof_checker *c) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t i = 0; i < c->starts.count; i++) {
      int step = checker_look_at (c, c->literals.data + c->starts.data[i]);
      if (step < 0) return true;
      is_changed |= step > 0;
    }
  }
  return false;
}

static inline bool checker_follows (proof_checker *c, const int *literals, uint32_t count) {
  bool is_conflict = false;
  for (uint32_t i = 0; i < count && !is_conflict; i++) {
    while (c->values.count <= (uint32_t) abs (literals[i])) vec_push (&c->values, 0);
    if (checker_value (c, literals[i]) > 0) is_conflict = true;
    else if (!checker_value (c, literals[i])) checker_assign (c, -literals[i]);
  }
  is_conflict = is_conflict || checker_propagates_to_conflict (c);
  while (c->trail.count) c->values.data[vec_pop (&c->trail)] = 0;
  return is_conflict;
}

// The literals have no duplicates; the clause may have some.
static inline bool same_literals (const int *clause, const int *literals, uint32_t count) {
  uint32_t found = 0, size = 0;
  while (clause[size]) size++;
  for (uint32_t i = 0; i < count && found == i; i++)
    for (uint32_t k = 0; k < size && found == i; k++) found += clause[k] == literals[i];
  return size == count && found == count;
}

static inline bool checker_delete (proof_checker *c, const int *literals, uint32_t count) {
  for (uint32_t i = 0; i < c->starts.count; i++) {
    if (!same_literals (c->literals.data + c->starts.data[i], literals, count)) continue;
    c->starts.data[i] = vec_last (&c->starts);
    c->starts.count--;
    return true;
  }
  return false;
}

static inline void checker_release (proof_checker *c) {
  vec_release (&c->literals);
  vec_release (&c->starts);
  vec_release (&c->values);
  vec_release (&c->trail);
}

// One line of a proof; its literals go to *clause.  False at the end.
static inline bool proof_read_line (FILE *proof, bool *is_deletion, number_list *clause) {
  int c = getc (proof), literal;
  if (c == EOF) return false;
  *is_deletion = c == 'd';
  if (!*is_deletion) ungetc (c, proof);
  vec_clear (clause);
  while (fscanf (proof, "%d", &literal) == 1 && literal) vec_push (clause, literal);
  getc (proof);
  return true;
}

// Checks every step of a proof about the clauses of a formula.  The last clause that was added goes to *last.
static inline void check_proof (const number_list *formula, FILE *proof, number_list *last) {
  proof_checker c = {.literals = {0}};
  number_list clause = {0};
  bool is_deletion;
  const int *given;
  for (uint32_t at = 0, count; list_next (formula, &at, &given, &count);) checker_add (&c, given, count);
  rewind (proof);
  vec_clear (last);
  while (proof_read_line (proof, &is_deletion, &clause)) {
    if (is_deletion) {
      assert_true (checker_delete (&c, clause.data, clause.count));
      continue;
    }
    assert_true (checker_follows (&c, clause.data, clause.count));
    checker_add (&c, clause.data, clause.count);
    vec_clear (last);
    for (uint32_t i = 0; i < clause.count; i++) vec_push (last, clause.data[i]);
  }
  vec_release (&clause);
  checker_release (&c);
}

#endif
