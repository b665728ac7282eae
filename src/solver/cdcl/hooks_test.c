// Hooks of the SAT solver: a hook that knows clauses which the solver does not have must make it answer as if it had
// them; at-most-one without clauses; an order of decisions.
#include "solver/cdcl/cdcl_impl.h"
#include "solver/cdcl/testing.h"

static const budget no_limit = {0};

// ---- hidden clauses --------------------------------------------------------------------------------------------
// Some clauses are known only to a hook. It keeps its own copy of the assignment, compares it with the solver's, and
// reports implications at random times (at once, late, or when the model is complete), as literals that it explains
// later or as clauses.

enum { MOST_HIDDEN = 30, WIDTH = 3 };

typedef struct hidden {
  int clause[MOST_HIDDEN][WIDTH];
  uint32_t count;
  rng r;
  uint32_t laziness;  // stays silent in so many of 8 calls
  bool adds_clauses;  // instead of implying literals
  int8_t value[SMALL_VARS + 1];
  number_list trail;      // literals reported to the hook
  VEC (uint32_t) levels;  // of each
  int8_t was_given[MOST_HIDDEN];
  int because[2 * SMALL_VARS + 1];  // hidden clause by which a literal was implied
  number_list *formula;             // gets the clauses of the hook, for the proof checker
  unsigned implied, conflicts, refused;
} hidden;

static void on_assigned (void *user, int literal, uint32_t level) {
  hidden *h = user;
  assert_int_equal (h->value[abs (literal)], 0);
  if (h->levels.count) assert_true (vec_last (&h->levels) <= level);
  h->value[abs (literal)] = literal > 0 ? 1 : -1;
  vec_push (&h->trail, literal);
  vec_push (&h->levels, level);
}

static void on_backtracked (void *user, uint32_t level) {
  hidden *h = user;
  while (h->levels.count && vec_last (&h->levels) > level) {
    h->value[abs (vec_pop (&h->trail))] = 0;
    h->levels.count--;
  }
}

static int8_t value_of (const hidden *h, int literal) {
  return literal > 0 ? h->value[literal] : (int8_t) -h->value[-literal];
}

static void check_picture (const hidden *h, const cdcl *s) {
  for (int v = 1; v <= SMALL_VARS; v++) assert_int_equal (h->value[v], cdcl_assigned (s, v));
  if (h->levels.count) assert_true (vec_last (&h->levels) <= cdcl_level (s));
}

// The literal that follows from a clause, which may be false itself; 0: none.
static int implied_by (const hidden *h, const int *clause) {
  int open = 0;
  for (unsigned i = 0; i < WIDTH; i++) {
    int8_t value = value_of (h, clause[i]);
    if (value > 0 || (!value && open && clause[i] != open)) return 0;
    if (!value) open = clause[i];
  }
  return open ? open : clause[0];
}

static void give_clause (hidden *h, cdcl *s, uint32_t i) {
  cdcl_add_clause (s, h->clause[i], WIDTH);
  list_clause (h->formula, h->clause[i], WIDTH);
}

static int on_propagate (void *user, cdcl *s) {
  hidden *h = user;
  check_picture (h, s);
  for (uint32_t i = 0; i < h->count; i++) {
    if (rng_below (&h->r, 8) < h->laziness) continue;
    if (h->adds_clauses) {  // whatever their values are
      if (h->was_given[i]) continue;
      h->was_given[i] = 1;
      give_clause (h, s, i);
      continue;
    }
    int literal = implied_by (h, h->clause[i]);
    if (!literal) continue;
    h->because[SMALL_VARS + literal] = (int) i;
    h->implied++;
    h->conflicts += value_of (h, literal) < 0;
    return literal;
  }
  return 0;
}

static uint32_t on_explain (void *user, int literal, const int **clause) {
  hidden *h = user;
  *clause = h->clause[h->because[SMALL_VARS + literal]];
  list_clause (h->formula, *clause, WIDTH);
  return WIDTH;
}

static bool on_complete (void *user, cdcl *s) {
  hidden *h = user;
  check_picture (h, s);
  bool is_good = true;
  for (uint32_t i = 0; i < h->count; i++) {
    if (implied_by (h, h->clause[i]) == 0) continue;  // satisfied, as all have values
    is_good = false;
    h->refused++;
    give_clause (h, s, i);
    if (rng_below (&h->r, 2)) break;
  }
  return is_good;
}

static const cdcl_hooks hidden_hooks = {
    .assigned = on_assigned,
    .backtracked = on_backtracked,
    .propagate = on_propagate,
    .explain = on_explain,
    .complete = on_complete,
};

static void add_random (hidden *h, cdcl *s, model_set *models, number_list *formula, rng *r) {
  for (unsigned i = 0; i < 5; i++) {
    int clause[WIDTH];
    for (unsigned k = 0; k < WIDTH; k++) clause[k] = random_literal (r, SMALL_VARS);
    models_restrict (models, clause, WIDTH);
    if (rng_below (r, 2) && h->count < MOST_HIDDEN) {
      memcpy (h->clause[h->count++], clause, sizeof clause);
      continue;
    }
    cdcl_add_clause (s, clause, WIDTH);
    list_clause (formula, clause, WIDTH);
  }
}

typedef struct totals {
  unsigned implied, conflicts, refused;
} totals;

static void one_round (rng *r, unsigned round, totals *all) {
  number_list formula = {0}, last = {0};
  hidden h = {.r = {round}, .laziness = round % 9, .adds_clauses = round % 3 == 0, .formula = &formula};
  model_set models;
  FILE *proof = tmpfile ();
  cdcl *s = cdcl_new (&no_limit);
  cdcl_hooks hooks = hidden_hooks;
  hooks.user = &h;
  cdcl_write_proof (s, proof);
  cdcl_set_hooks (s, &hooks);
  s->reduce_at = s->reduce_unit = 2;
  for (unsigned v = 0; v < SMALL_VARS; v++) cdcl_new_var (s);
  models_all (&models);
  for (unsigned step = 0; step < 10; step++) {
    int assumed[3];
    uint32_t count = rng_below (r, 4);
    for (uint32_t i = 0; i < count; i++) assumed[i] = random_literal (r, SMALL_VARS);
    add_random (&h, s, &models, &formula, r);
    check_small_answer (s, &models, assumed, count);
  }
  *all = (totals){all->implied + h.implied, all->conflicts + h.conflicts, all->refused + h.refused};
  cdcl_free (s);
  check_proof (&formula, proof, &last);
  fclose (proof);
  vec_release (&formula);
  vec_release (&last);
  vec_release (&h.trail);
  vec_release (&h.levels);
}

static void hidden_clauses_count (void **state) {
  (void) state;
  rng r = {21};
  totals all = {0};
  for (unsigned round = 0; round < 500; round++) one_round (&r, round, &all);
  assert_true (all.implied > 2000 && all.conflicts > 200 && all.refused > 200);
}

// ---- at most one -----------------------------------------------------------------------------------------------
// The pigeonhole problem: a hook sees to it that a hole has at most one pigeon. Beside it, the same with clauses.

enum { HOLES = 5, PIGEONS = 6 };

typedef struct holes {
  int owner[HOLES];  // the literal that is true first, or 0
  VEC (int) owned;   // holes in the order in which they were taken
  VEC (uint32_t) levels;
  int reason[2];
} holes;

static int pigeon_in (int pigeon, int hole) { return pigeon * HOLES + hole + 1; }

static void hole_taken (void *user, int literal, uint32_t level) {
  holes *h = user;
  int hole = (abs (literal) - 1) % HOLES;
  if (literal < 0 || h->owner[hole]) return;
  h->owner[hole] = literal;
  vec_push (&h->owned, hole);
  vec_push (&h->levels, level);
}

static void holes_left (void *user, uint32_t level) {
  holes *h = user;
  while (h->levels.count && vec_last (&h->levels) > level) {
    h->owner[vec_pop (&h->owned)] = 0;
    h->levels.count--;
  }
}

static int one_per_hole (void *user, cdcl *s) {
  holes *h = user;
  for (uint32_t i = 0; i < h->owned.count; i++)
    for (int pigeon = 0; pigeon < PIGEONS; pigeon++) {
      int x = pigeon_in (pigeon, h->owned.data[i]);
      if (x != h->owner[h->owned.data[i]] && cdcl_assigned (s, x) >= 0) return -x;
    }
  return 0;
}

static uint32_t hole_is_taken (void *user, int literal, const int **clause) {
  holes *h = user;
  h->reason[0] = literal;
  h->reason[1] = -h->owner[(abs (literal) - 1) % HOLES];
  *clause = h->reason;
  return 2;
}

static cdcl *pigeons_without_holes (void) {
  cdcl *s = cdcl_new (&no_limit);
  for (int i = 0; i < PIGEONS * HOLES; i++) cdcl_new_var (s);
  for (int p = 0; p < PIGEONS; p++) {
    int clause[HOLES];
    for (int h = 0; h < HOLES; h++) clause[h] = pigeon_in (p, h);
    cdcl_add_clause (s, clause, HOLES);
  }
  return s;
}

static void at_most_one (void **state) {
  (void) state;
  holes h = {.reason = {0}};
  cdcl_hooks hooks = {.user = &h,
                      .assigned = hole_taken,
                      .backtracked = holes_left,
                      .propagate = one_per_hole,
                      .explain = hole_is_taken};
  cdcl *s = pigeons_without_holes ();
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_YES);  // without the hook there is a model
  cdcl_set_hooks (s, &hooks);
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_NO);
  assert_true (cdcl_statistics (s)->explanations > 0);
  cdcl_free (s);

  holes_left (&h, 0);
  for (uint32_t i = 0; i < h.levels.count; i++) assert_int_equal (h.levels.data[i], 0);
  memset (h.owner, 0, sizeof h.owner);
  vec_clear (&h.owned);
  vec_clear (&h.levels);
  s = pigeons_without_holes ();
  cdcl_set_hooks (s, &hooks);
  int full = cdcl_new_var (s);  // takes part in nothing
  int together[] = {full, pigeon_in (0, 1), pigeon_in (2, 3), pigeon_in (1, 1)};
  assert_int_equal (cdcl_solve (s, together, 4), SAT_NO);
  assert_true (cdcl_in_core (s, together[1]) && cdcl_in_core (s, together[3]));
  assert_false (cdcl_in_core (s, together[2]));
  cdcl_set_hooks (s, NULL);
  assert_int_equal (cdcl_solve (s, together + 1, 3), SAT_YES);
  cdcl_free (s);
  vec_release (&h.owned);
  vec_release (&h.levels);
}

// ---- an order of decisions -------------------------------------------------------------------------------------
// Deciding variables in their order, false first, the first model is the first in the order of binary numbers, whatever
// is learnt; then it is excluded, and so on.

typedef struct listing {
  VEC (unsigned) models;
} listing;

static int first_open (void *user, cdcl *s) {
  (void) user;
  for (int v = 1; v <= SMALL_VARS; v++)
    if (!cdcl_assigned (s, v)) return -v;
  return 0;
}

static bool list_and_exclude (void *user, cdcl *s) {
  listing *l = user;
  unsigned model = 0;
  int clause[SMALL_VARS];
  for (int v = 1; v <= SMALL_VARS; v++) {
    bool is_true = cdcl_assigned (s, v) > 0;
    model = model << 1 | is_true;
    clause[v - 1] = is_true ? -v : v;
  }
  vec_push (&l->models, model);
  cdcl_add_clause (s, clause, SMALL_VARS);
  return false;
}

static unsigned reversed (unsigned number) {
  unsigned result = 0;
  for (unsigned i = 0; i < SMALL_VARS; i++) result |= (number >> i & 1) << (SMALL_VARS - 1 - i);
  return result;
}

static void models_in_order (void **state) {
  (void) state;
  rng r = {8};
  for (unsigned round = 0; round < 60; round++) {
    listing l = {.models = {0}};
    cdcl_hooks hooks = {.user = &l, .decide = first_open, .complete = list_and_exclude};
    model_set models;
    int clause[3];
    cdcl *s = cdcl_new (&no_limit);
    models_all (&models);
    for (unsigned v = 0; v < SMALL_VARS; v++) cdcl_new_var (s);
    for (unsigned i = 0; i < round; i++) {
      for (unsigned k = 0; k < 3; k++) clause[k] = random_literal (&r, SMALL_VARS);
      cdcl_add_clause (s, clause, 3);
      models_restrict (&models, clause, 3);
    }
    cdcl_set_hooks (s, &hooks);
    assert_int_equal (cdcl_solve (s, NULL, 0), SAT_NO);
    uint32_t found = 0;
    for (unsigned number = 0; number < SMALL_MODELS; number++) {
      if (!models_have (&models, reversed (number))) continue;
      assert_true (found < l.models.count);
      assert_int_equal (l.models.data[found++], number);
    }
    assert_int_equal (found, l.models.count);
    cdcl_free (s);
    vec_release (&l.models);
  }
}

// ---- growth ----------------------------------------------------------------------------------------------------
// A hook may bring new variables: here a chain, one link whenever the model is complete, up to a contradiction.

static bool add_link (void *user, cdcl *s) {
  int *links = user, last = (int) cdcl_num_vars (s);
  if (++*links < 100) cdcl_add_clause (s, (int[]){-last, cdcl_new_var (s)}, 2);
  else cdcl_add_clause (s, (int[]){-last}, 1);
  return false;
}

static void hooks_add_variables (void **state) {
  (void) state;
  int links = 0;
  cdcl_hooks hooks = {.user = &links, .complete = add_link};
  cdcl *s = cdcl_new (&no_limit);
  int first = cdcl_new_var (s);
  cdcl_set_hooks (s, &hooks);
  assert_int_equal (cdcl_solve (s, &first, 1), SAT_NO);
  assert_true (cdcl_in_core (s, first));
  assert_int_equal (links, 100);
  assert_int_equal (cdcl_num_vars (s), 100);
  cdcl_set_hooks (s, NULL);
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_YES);
  assert_false (cdcl_value (s, first));
  cdcl_free (s);
}

// ---- enough ----------------------------------------------------------------------------------------------------
// x or y; x implies z. The hook decides x and then needs no more values.
typedef struct stopping_early {
  int x, decisions;
} stopping_early;

static int x_will_do (void *user, cdcl *s) {
  stopping_early *e = user;
  e->decisions++;
  return cdcl_assigned (s, e->x) ? CDCL_ENOUGH : e->x;
}

static void a_hook_has_enough (void **state) {
  (void) state;
  cdcl *s = cdcl_new (&no_limit);
  stopping_early e = {.x = cdcl_new_var (s)};
  int y = cdcl_new_var (s), z = cdcl_new_var (s);
  cdcl_add_clause (s, (int[]){e.x, y}, 2);
  cdcl_add_clause (s, (int[]){-e.x, z}, 2);
  cdcl_set_hooks (s, &(cdcl_hooks){.user = &e, .decide = x_will_do});
  assert_int_equal (cdcl_solve (s, NULL, 0), SAT_YES);
  assert_int_equal (e.decisions, 2);
  assert_int_equal (cdcl_statistics (s)->decisions, 1);
  assert_true (cdcl_value (s, e.x) && cdcl_value (s, z));
  cdcl_set_hooks (s, NULL);
  assert_int_equal (cdcl_solve (s, (int[]){-e.x, -y}, 2), SAT_NO);  // as before
  cdcl_free (s);
}

TEST_MAIN (cmocka_unit_test (a_hook_has_enough), cmocka_unit_test (hidden_clauses_count),
           cmocka_unit_test (at_most_one), cmocka_unit_test (models_in_order), cmocka_unit_test (hooks_add_variables))
