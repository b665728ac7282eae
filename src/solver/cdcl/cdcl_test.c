// The SAT solver: small formulas against exhaustive search, larger ones against CaDiCaL, cores, values, limits, growth
// between calls.
#include <setjmp.h>

#include "solver/cdcl/cdcl_impl.h"
#include "solver/cdcl/testing.h"

static const budget no_limit = {0};

static void units_and_cores (void **state) {
  (void) state;
  cdcl *s = cdcl_new (&no_limit);
  int x = cdcl_new_var (s), y = cdcl_new_var (s), unused = cdcl_new_var (s);
  cdcl_add_clause (s, (int[]){x, -y}, 2);
  assert_int_equal (cdcl_solve (s, (int[]){y}, 1), SAT_YES);
  assert_true (cdcl_value (s, x) && cdcl_value (s, y) && !cdcl_value (s, -x));
  assert_false (cdcl_value (s, unused));
  assert_int_equal (cdcl_solve (s, (int[]){unused, y, -x}, 3), SAT_NO);
  assert_true (cdcl_in_core (s, y) && cdcl_in_core (s, -x));
  assert_false (cdcl_in_core (s, unused));
  assert_int_equal (cdcl_solve (s, (int[]){x, unused, -x}, 3), SAT_NO);
  assert_true (cdcl_in_core (s, x) && cdcl_in_core (s, -x) && !cdcl_in_core (s, unused));
  cdcl_add_clause (s, (int[]){-x}, 1);
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_YES);
  assert_false (cdcl_value (s, y));
  assert_int_equal (cdcl_solve (s, (int[]){unused, x}, 2), SAT_NO);
  assert_true (cdcl_in_core (s, x) && !cdcl_in_core (s, unused));
  cdcl_add_clause (s, (int[]){y, -y}, 2);
  cdcl_add_clause (s, NULL, 0);
  assert_int_equal (cdcl_solve (s, (int[]){x}, 1), SAT_NO);
  assert_false (cdcl_in_core (s, x));
  assert_int_equal (cdcl_num_vars (s), 3);
  assert_int_equal (cdcl_statistics (s)->calls, 6);
  cdcl_free (s);
}

// ---- against exhaustive search ---------------------------------------------------------------------------------

// Clauses are added a few at a time, with calls under assumptions in between.
static void matches_exhaustive_search (void **state) {
  (void) state;
  rng r = {7};
  uint64_t answers = 0;
  for (unsigned round = 0; round < 400; round++) {
    model_set models;
    int clause[4], assumed[4];
    models_all (&models);
    cdcl *s = cdcl_new (&no_limit);
    s->reduce_at = s->reduce_unit = 3;
    for (unsigned v = 0; v < SMALL_VARS; v++) cdcl_new_var (s);
    for (unsigned step = 0; step < 12; step++) {
      for (unsigned i = 0; i < 5; i++) {
        uint32_t count = random_clause (&r, SMALL_VARS, 4, clause);
        if (count == 1 && rng_below (&r, 4)) continue;
        cdcl_add_clause (s, clause, count);
        models_restrict (&models, clause, count);
      }
      uint32_t count = rng_below (&r, 5);
      for (uint32_t i = 0; i < count; i++) assumed[i] = random_literal (&r, SMALL_VARS);
      check_small_answer (s, &models, assumed, count);
      answers++;
    }
    cdcl_free (s);
  }
  assert_int_equal (answers, 4800);
}

// ---- against CaDiCaL -------------------------------------------------------------------------------------------

typedef struct pair {
  cdcl *ours;
  sat *theirs;
  uint32_t num_vars;
  number_list clauses;
} pair;

static void add_to_both (pair *p, rng *r, uint32_t count) {
  int clause[3];
  for (uint32_t i = 0; i < count; i++) {
    for (unsigned k = 0; k < 3; k++) clause[k] = random_literal (r, p->num_vars);
    cdcl_add_clause (p->ours, clause, 3);
    sat_add_clause (p->theirs, clause, 3);
    list_clause (&p->clauses, clause, 3);
  }
}

static void check_model (const pair *p) {
  const int *clause;
  for (uint32_t at = 0, count; list_next (&p->clauses, &at, &clause, &count);) {
    bool holds = false;
    for (uint32_t i = 0; i < count; i++) holds |= cdcl_value (p->ours, clause[i]);
    assert_true (holds);
  }
}

static void compare (pair *p, const int *assumed, uint32_t count) {
  int core[8];
  uint32_t in_core = 0;
  sat_answer answer = cdcl_solve (p->ours, assumed, count);
  assert_int_equal (answer, sat_solve (p->theirs, assumed, count));
  if (answer == SAT_YES) check_model (p);
  if (answer != SAT_NO) return;
  for (uint32_t i = 0; i < count; i++)
    if (cdcl_in_core (p->ours, assumed[i])) core[in_core++] = assumed[i];
  assert_int_equal (sat_solve (p->theirs, core, in_core), SAT_NO);
}

// Near the ratio of clauses to variables at which formulas are hardest; reductions and changes of mode come early.
static void matches_cadical (void **state) {
  (void) state;
  rng r = {11};
  for (unsigned round = 0; round < 150; round++) {
    pair p = {.ours = cdcl_new (&no_limit), .theirs = sat_new_plain (&no_limit), .num_vars = 20 + rng_below (&r, 80)};
    p.ours->reduce_at = p.ours->reduce_unit = 20;
    p.ours->mode_ends = 50;
    for (unsigned v = 0; v < p.num_vars; v++) {
      cdcl_new_var (p.ours);
      sat_new_var (p.theirs);
    }
    add_to_both (&p, &r, p.num_vars * 36 / 10);
    for (unsigned step = 0; step < 12; step++) {
      int assumed[8];
      uint32_t count = rng_below (&r, 8);
      for (uint32_t i = 0; i < count; i++) assumed[i] = random_literal (&r, p.num_vars);
      add_to_both (&p, &r, 1 + p.num_vars / 15);
      compare (&p, assumed, count);
    }
    cdcl_free (p.ours);
    sat_free (p.theirs);
    vec_release (&p.clauses);
  }
}

// ---- limits ----------------------------------------------------------------------------------------------------

static void add_pigeons (cdcl *s, int holes) {
  number_list list = {0};
  list_pigeons (&list, holes);
  for (int i = 0; i < (holes + 1) * holes; i++) cdcl_new_var (s);
  add_list (s, &list);
  vec_release (&list);
}

typedef struct patience {
  budget budget;
  unsigned left;  // calls of the watch function until the budget is spent
} patience;

static void lose_patience (void *state) {
  patience *p = state;
  if (!p->left--) p->budget.bytes = 1;
}

static void limits_stop_it (void **state) {
  (void) state;
  patience p = {.left = 50};
  p.budget.watch = lose_patience;
  p.budget.watch_state = &p;
  cdcl *s = cdcl_new (&p.budget);
  add_pigeons (s, 14);
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_STOPPED);
  uint64_t conflicts = cdcl_statistics (s)->conflicts;
  assert_true (conflicts > 0);
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_STOPPED);  // stops at once
  assert_int_equal (cdcl_statistics (s)->conflicts, conflicts);

  p.budget = (budget){0};
  cdcl_limit_conflicts (s, 100);
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_STOPPED);
  assert_int_equal (cdcl_statistics (s)->conflicts, conflicts + 100);
  int way_out = cdcl_new_var (s);  // the solver can go on after it was stopped
  cdcl_add_clause (s, (int[]){way_out}, 1);
  cdcl_limit_conflicts (s, 100);
  assert_int_equal (cdcl_solve (s, (int[]){-way_out}, 1), SAT_NO);
  assert_true (cdcl_in_core (s, -way_out));

  p.budget.bytes = mem_live_bytes () + 100000;  // learning needs more, after a while
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_STOPPED);
  cdcl_free (s);
}

static jmp_buf out_of_memory;
static void leave (void *state) {
  (void) state;
  longjmp (out_of_memory, 1);
}

// Wherever memory is exhausted, the solver can still be freed; TEST_MAIN counts leaked bytes.
static void memory_may_end_anywhere (void **state) {
  (void) state;
  enum { HOLES = 11 };
  static cdcl *volatile s;
  static volatile unsigned exhausted, bytes;
  static number_list list;
  list_pigeons (&list, HOLES);
  mem_set_exhausted_handler (leave, NULL);
  for (bytes = 20000; bytes < 400000; bytes += 9001) {
    s = cdcl_new (&no_limit);
    mem_set_limit (mem_live_bytes () + bytes);
    if (setjmp (out_of_memory)) exhausted++;
    else {
      s->reduce_at = s->reduce_unit = 200;
      for (unsigned i = 0; i < (HOLES + 1) * HOLES; i++) cdcl_new_var (s);
      add_list (s, &list);
      cdcl_limit_conflicts (s, 1000);
      cdcl_solve (s, NULL, 0);
    }
    mem_set_limit (0);
    cdcl_free (s);
  }
  mem_set_exhausted_handler (NULL, NULL);
  vec_release (&list);
  assert_true (exhausted > 10);
}

TEST_MAIN (cmocka_unit_test (units_and_cores), cmocka_unit_test (matches_exhaustive_search),
           cmocka_unit_test (matches_cadical), cmocka_unit_test (limits_stop_it),
           cmocka_unit_test (memory_may_end_anywhere))
