// Proofs of the SAT solver: each step is checked by a checker of our own, with deletions, and the last clause is what
// was claimed.
#include "solver/cdcl/cdcl_impl.h"
#include "solver/cdcl/testing.h"

static const budget no_limit = {0};

typedef struct proved {
  cdcl *solver;
  FILE *proof;
  number_list formula, last;
} proved;

static void start (proved *p, uint32_t vars) {
  *p = (proved){.solver = cdcl_new (&no_limit), .proof = tmpfile ()};
  assert_non_null (p->proof);
  cdcl_write_proof (p->solver, p->proof);
  p->solver->reduce_at = p->solver->reduce_unit = 2;
  for (uint32_t v = 0; v < vars; v++) cdcl_new_var (p->solver);
}

static void add (proved *p, const int *literals, uint32_t count) {
  cdcl_add_clause (p->solver, literals, count);
  list_clause (&p->formula, literals, count);
}

static void finish (proved *p) {
  cdcl_free (p->solver);
  fclose (p->proof);
  vec_release (&p->formula);
  vec_release (&p->last);
}

static void pigeons (void **state) {
  (void) state;
  proved p;
  start (&p, 42);
  list_pigeons (&p.formula, 6);
  add_list (p.solver, &p.formula);
  assert_int_equal (cdcl_solve (p.solver, NULL, 0), SAT_NO);
  assert_true (cdcl_statistics (p.solver)->deleted > 0);
  check_proof (&p.formula, p.proof, &p.last);
  assert_int_equal (p.last.count, 0);
  finish (&p);
}

// The last clause after an unsatisfiable answer consists of complements of the core.
static void check_last_clause (proved *p, const int *assumed, uint32_t count) {
  check_proof (&p->formula, p->proof, &p->last);
  for (uint32_t i = 0; i < p->last.count; i++) {
    bool is_assumed = false;
    for (uint32_t k = 0; k < count; k++) is_assumed |= p->last.data[i] == -assumed[k];
    assert_true (is_assumed && cdcl_in_core (p->solver, -p->last.data[i]));
  }
  fseek (p->proof, 0, SEEK_END);
}

// Formulas grow between calls; among the clauses are units, duplicates and tautologies.
static void random_formulas (void **state) {
  (void) state;
  rng r = {5};
  unsigned checked = 0;
  for (unsigned round = 0; round < 60; round++) {
    uint32_t vars = 10 + rng_below (&r, 50);
    int clause[5], assumed[3];
    proved p;
    start (&p, vars);
    for (unsigned step = 0; step < 8; step++) {
      for (uint32_t i = 0; i < vars; i++) {
        uint32_t count = rng_below (&r, 3 * vars) ? 3 : random_clause (&r, vars, 5, clause);
        for (uint32_t k = 0; k < count; k++) clause[k] = random_literal (&r, vars);
        add (&p, clause, count);
      }
      for (unsigned i = 0; i < 3; i++) assumed[i] = random_literal (&r, vars);
      if (cdcl_solve (p.solver, assumed, 3) != SAT_NO) continue;
      checked++;
      check_last_clause (&p, assumed, 3);
    }
    finish (&p);
  }
  assert_true (checked > 200);
}

static void checker_refuses (void **state) {
  (void) state;
  proof_checker c = {.literals = {0}};
  checker_add (&c, (int[]){1, 2}, 2);
  checker_add (&c, (int[]){-1, 3}, 2);
  assert_false (checker_follows (&c, (int[]){3}, 1));
  assert_true (checker_follows (&c, (int[]){2, 3}, 2));
  assert_false (checker_follows (&c, NULL, 0));
  assert_false (checker_delete (&c, (int[]){1, 3}, 2));
  assert_true (checker_delete (&c, (int[]){3, -1}, 2));
  assert_false (checker_follows (&c, (int[]){2, 3}, 2));
  checker_release (&c);
}

TEST_MAIN (cmocka_unit_test (checker_refuses), cmocka_unit_test (pigeons), cmocka_unit_test (random_formulas))
