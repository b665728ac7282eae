// The SAT solver: small formulas against exhaustive search, cores, values, limits, growth between calls.
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/test.h"
#include "solver/sat.h"

static const budget no_limit = {0};

static void units_and_cores (void **state) {
  (void) state;
  sat *s = sat_new (&no_limit);
  int x = sat_new_var (s), y = sat_new_var (s), unused = sat_new_var (s);
  sat_add_clause (s, (int[]){x, -y}, 2);
  assert_int_equal (sat_solve (s, (int[]){y}, 1), SAT_YES);
  assert_true (sat_value (s, x) && sat_value (s, y) && !sat_value (s, -x));
  assert_false (sat_value (s, unused));
  assert_int_equal (sat_solve (s, (int[]){unused, y, -x}, 3), SAT_NO);
  assert_true (sat_in_core (s, y) && sat_in_core (s, -x));
  assert_false (sat_in_core (s, unused));
  sat_add_clause (s, (int[]){-x}, 1);
  assert_int_equal (sat_solve (s, NULL, 0), SAT_YES);
  assert_false (sat_value (s, y));
  sat_add_clause (s, NULL, 0);
  assert_int_equal (sat_solve (s, (int[]){x}, 1), SAT_NO);
  assert_int_equal (sat_num_vars (s), 3);
  assert_int_equal (sat_num_clauses (s), 3);
  assert_int_equal (sat_num_calls (s), 4);
  sat_free (s);
}

enum { VARS = 10, MAX_CLAUSES = 60, WIDTH = 3 };
typedef struct formula {
  int clause[MAX_CLAUSES][WIDTH];
  unsigned count;
} formula;

static bool holds (int literal, unsigned model) { return (model >> (abs (literal) - 1) & 1) == (literal > 0); }

static bool satisfies (const formula *f, unsigned model) {
  for (unsigned i = 0; i < f->count; i++)
    if (!holds (f->clause[i][0], model) && !holds (f->clause[i][1], model) && !holds (f->clause[i][2], model))
      return false;
  return true;
}

static bool satisfiable (const formula *f, int a, int b) {
  for (unsigned model = 0; model < 1u << VARS; model++)
    if (holds (a, model) && holds (b, model) && satisfies (f, model)) return true;
  return false;
}

static int random_literal (rng *r) { return (int) (1 + rng_below (r, VARS)) * (rng_below (r, 2) ? 1 : -1); }

// A constraint acts like a clause, but only in the next call.
static void check_constrained (sat *s, formula f, rng *r) {
  for (unsigned k = 0; k < WIDTH; k++) f.clause[f.count][k] = random_literal (r);
  int assumed = random_literal (r);
  sat_constrain (s, f.clause[f.count++], WIDTH);
  bool expected = satisfiable (&f, assumed, assumed);
  assert_int_equal (sat_solve (s, &assumed, 1), expected ? SAT_YES : SAT_NO);
  if (!expected && !sat_in_core (s, assumed)) assert_false (satisfiable (&f, 1, 1) || satisfiable (&f, -1, -1));
}

// Clauses are added a few at a time, with a call under two assumptions in between.
static void matches_exhaustive_search (void **state) {
  (void) state;
  rng r = {7};
  for (unsigned round = 0; round < 60; round++) {
    formula f = {.count = 0};
    sat *s = round % 2 ? sat_new (&no_limit) : sat_new_plain (&no_limit);
    for (unsigned v = 0; v < VARS; v++) sat_new_var (s);
    while (f.count + 6 <= MAX_CLAUSES) {
      for (unsigned i = 0; i < 6; i++, f.count++) {
        for (unsigned k = 0; k < WIDTH; k++) f.clause[f.count][k] = random_literal (&r);
        sat_add_clause (s, f.clause[f.count], WIDTH);
      }
      if (f.count < MAX_CLAUSES) check_constrained (s, f, &r);
      int assumed[2] = {random_literal (&r), random_literal (&r)};
      sat_answer answer = sat_solve (s, assumed, 2);
      assert_int_equal (answer, satisfiable (&f, assumed[0], assumed[1]) ? SAT_YES : SAT_NO);
      unsigned model = 0;
      if (answer == SAT_YES) {
        for (int v = 1; v <= VARS; v++) model |= (unsigned) sat_value (s, v) << (v - 1);
        assert_true (satisfies (&f, model) && holds (assumed[0], model) && holds (assumed[1], model));
      } else if (!sat_in_core (s, assumed[0])) assert_false (satisfiable (&f, assumed[1], assumed[1]));
    }
    sat_free (s);
  }
}

// n + 1 pigeons do not fit into n holes, which takes resolution long to see.
static void add_pigeons (sat *s, int holes) {
  int *var = malloc (sizeof *var * (size_t) ((holes + 1) * holes)), *clause = malloc (sizeof *clause * (size_t) holes);
  for (int i = 0; i < (holes + 1) * holes; i++) var[i] = sat_new_var (s);
  for (int p = 0; p <= holes; p++) {
    for (int h = 0; h < holes; h++) clause[h] = var[p * holes + h];
    sat_add_clause (s, clause, (uint32_t) holes);
    for (int q = 0; q < p; q++)
      for (int h = 0; h < holes; h++) sat_add_clause (s, (int[]){-var[p * holes + h], -var[q * holes + h]}, 2);
  }
  free (var);
  free (clause);
}

static void limits_stop_it (void **state) {
  (void) state;
  budget b;
  budget_start (&b, 0.2, 0);
  sat *s = sat_new (&b);
  add_pigeons (s, 14);
  assert_int_equal (sat_solve (s, NULL, 0), SAT_STOPPED);
  double elapsed = budget_elapsed (&b);
  assert_true (elapsed > 0.15 && elapsed < TEST_PATIENCE);
  assert_int_equal (sat_solve (s, NULL, 0), SAT_STOPPED);  // stops at once
  assert_true (budget_elapsed (&b) - elapsed < TEST_PATIENCE);

  budget_start (&b, 0, 0);
  sat_limit_conflicts (s, 100);
  assert_int_equal (sat_solve (s, NULL, 0), SAT_STOPPED);
  int way_out = sat_new_var (s);  // the solver can go on after it was stopped
  sat_add_clause (s, (int[]){way_out}, 1);
  sat_limit_conflicts (s, 100);
  assert_int_equal (sat_solve (s, (int[]){-way_out}, 1), SAT_NO);
  assert_true (sat_in_core (s, -way_out));

  budget_start (&b, 0, 1 << 20);  // less than this program has
  assert_int_equal (sat_solve (s, NULL, 0), SAT_STOPPED);
  sat_free (s);
}

// For bench/cdcl.
static void questions_are_saved (void **state) {
  (void) state;
  char place[] = "/tmp/sat_test.XXXXXX", text[64], name[128];
  assert_non_null (mkdtemp (place));
  snprintf (text, sizeof text, "%s:0", place);
  setenv ("LOCKSTEP_SAVE_CNF", text, 1);
  sat *s = sat_new (&no_limit);
  unsetenv ("LOCKSTEP_SAVE_CNF");
  sat_free (s);
  assert_int_equal (rmdir (place), 0);  // no question, no file

  assert_int_equal (mkdir (place, 0700), 0);
  setenv ("LOCKSTEP_SAVE_CNF", text, 1);
  s = sat_new (&no_limit);
  int x = sat_new_var (s), y = sat_new_var (s);
  sat_add_clause (s, (int[]){x, -y}, 2);
  assert_int_equal (sat_solve (s, (int[]){y}, 1), SAT_YES);
  sat_constrain (s, (int[]){-x, -y}, 2);
  assert_int_equal (sat_solve (s, (int[]){y}, 1), SAT_NO);
  sat_free (s);
  unsetenv ("LOCKSTEP_SAVE_CNF");
  static const char *const expected[] = {"p cnf 2 2\n1 -2 0\n2 0\n", "p cnf 2 3\n1 -2 0\n2 0\n-1 -2 0\n"};
  for (unsigned call = 0; call < 2; call++) {
    char content[128] = "";
    snprintf (name, sizeof name, "%s/%d-2-%u.cnf", place, (int) getpid (), call + 1);
    FILE *f = fopen (name, "r");
    assert_non_null (f);
    content[fread (content, 1, sizeof content - 1, f)] = 0;
    fclose (f);
    assert_string_equal (content, expected[call]);
    remove (name);
  }
  assert_int_equal (rmdir (place), 0);
}

TEST_MAIN (cmocka_unit_test (units_and_cores), cmocka_unit_test (matches_exhaustive_search),
           cmocka_unit_test (limits_stop_it), cmocka_unit_test (questions_are_saved))
