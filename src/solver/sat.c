// CaDiCaL 1.5.3 behind sat.h.
//
// The library aborts the process when it is called in a wrong state or with a wrong literal (`REQUIRE` in its
// solver.cpp), and prints unless told not to. So this file tracks the library's state, checks every literal and makes
// only calls that the library accepts: `val` only after a satisfiable answer and before anything else, `failed` only
// for literals that were assumed in the last call.
//
// Limits: CaDiCaL calls its terminator every few decisions and inside each simplification. Reading the clock costs less
// than the work in between, so each call reads it. The library's heap is not counted by base/memory.h, so the resident
// memory is read from the kernel a few times a second.
#include "solver/sat.h"

#include <ccadical.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/vec.h"
#include "solver/cxx_new.h"
#include "solver/sat_save.h"

#define SECONDS_BETWEEN_LOOKS_AT_MEMORY 0.05

typedef enum sat_state { CHANGED, SATISFIED, UNSATISFIED, STOPPED } sat_state;

struct sat {
  CCaDiCaL *solver;
  const budget *budget;
  sat_state state;  // of the last answer
  uint32_t num_vars;
  uint64_t num_clauses, num_calls, conflicts;
  VEC (int) assumed;     // in the last call, sorted
  VEC (int) constraint;  // for the next call
  double last_look;      // at memory
  sat_save *save;        // NULL: questions are not saved
};

// ---- limits ----------------------------------------------------------------------------------------------------

static size_t resident_bytes (void) {
  unsigned long total, resident = 0;
  FILE *f = fopen ("/proc/self/statm", "r");
  if (!f) return 0;
  if (fscanf (f, "%lu %lu", &total, &resident) != 2) resident = 0;
  fclose (f);
  return resident * (size_t) sysconf (_SC_PAGESIZE);
}

static bool memory_is_spent (sat *s) {
  if (!s->budget->bytes) return false;
  double now = budget_now ();
  if (now - s->last_look < SECONDS_BETWEEN_LOOKS_AT_MEMORY) return false;
  s->last_look = now;
  if (resident_bytes () <= s->budget->bytes) return false;
  budget_strike (s->budget, LIMIT_MEMORY);
  return true;
}

static int terminating (void *state) {
  sat *s = state;
  return budget_spent (s->budget) || memory_is_spent (s);
}

// ---- life ------------------------------------------------------------------------------------------------------

sat *sat_new (const budget *b) {
  cxx_new_replace ();
  sat *s = mem_zalloc (sizeof *s);
  s->solver = ccadical_init ();
  s->save = sat_save_new ();
  s->budget = b;
  ccadical_set_option (s->solver, "quiet", 1);
  ccadical_set_terminate (s->solver, s, terminating);
  return s;
}

sat *sat_new_plain (const budget *b) {
  static const char *const off[] = {"inprocessing", "lucky", "walk"};
  sat *s = sat_new (b);
  for (unsigned i = 0; i < sizeof off / sizeof *off; i++) ccadical_set_option (s->solver, off[i], 0);
  return s;
}

void sat_free (sat *s) {
  if (!s) return;
  if (!budget_process_is_ending ()) ccadical_release (s->solver);
  sat_save_free (s->save);
  vec_release (&s->assumed);
  vec_release (&s->constraint);
  mem_free (s, sizeof *s);
}

int sat_new_var (sat *s) {
  CHECK (s->num_vars < INT_MAX - 1, "a SAT solver should get less than %d variables", INT_MAX - 1);
  s->state = CHANGED;
  return (int) ++s->num_vars;
}

static void check_literal (const sat *s, int literal) {
  CHECK (literal && literal != INT_MIN && (uint32_t) abs (literal) <= s->num_vars,
         "literal %d should be of a variable in 1..%u", literal, s->num_vars);
}

void sat_add_clause (sat *s, const int *literals, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) check_literal (s, literals[i]);
  s->state = CHANGED;
  s->num_clauses++;
  sat_save_clause (s->save, literals, count);
  for (uint32_t i = 0; i < count; i++) ccadical_add (s->solver, literals[i]);
  ccadical_add (s->solver, 0);
}

void sat_constrain (sat *s, const int *literals, uint32_t count) {
  CHECK (count && !s->constraint.count, "there should be one constraint for a call, and it should have literals");
  for (uint32_t i = 0; i < count; i++) {
    check_literal (s, literals[i]);
    vec_push (&s->constraint, literals[i]);
  }
  s->state = CHANGED;
}

// ---- answers ---------------------------------------------------------------------------------------------------

static int compare_literals (const void *a, const void *b) {
  int x = *(const int *) a, y = *(const int *) b;
  return (x > y) - (x < y);
}

static void assume_literals (sat *s, const int *assumptions, uint32_t count) {
  vec_clear (&s->assumed);
  for (uint32_t i = 0; i < count; i++) {
    check_literal (s, assumptions[i]);
    vec_push (&s->assumed, assumptions[i]);
    ccadical_assume (s->solver, assumptions[i]);
  }
  if (count) qsort (s->assumed.data, count, sizeof *s->assumed.data, compare_literals);
}

// The library forgets the constraint after each call, so it is added only when a call really follows.
static void add_constraint (sat *s) {
  if (!s->constraint.count) return;
  for (uint32_t i = 0; i < s->constraint.count; i++) ccadical_constrain (s->solver, s->constraint.data[i]);
  ccadical_constrain (s->solver, 0);
}

void sat_limit_conflicts (sat *s, uint64_t conflicts) { s->conflicts = conflicts; }

sat_answer sat_solve (sat *s, const int *assumptions, uint32_t count) {
  uint64_t conflicts = s->conflicts;
  s->conflicts = 0;
  s->num_calls++;
  s->state = STOPPED;
  bool stopping = terminating (s);
  sat_save_call (s->save, assumptions, count, s->constraint.data, s->constraint.count);
  if (!stopping) add_constraint (s);
  vec_clear (&s->constraint);
  if (stopping) return SAT_STOPPED;
  assume_literals (s, assumptions, count);
  if (conflicts) ccadical_limit (s->solver, "conflicts", conflicts < INT_MAX ? (int) conflicts : INT_MAX);
  int answer = ccadical_solve (s->solver);
  sat_save_answer (s->save, s->num_vars);
  switch (answer) {
  case 10: s->state = SATISFIED; return SAT_YES;
  case 20: s->state = UNSATISFIED; return SAT_NO;
  default: return SAT_STOPPED;
  }
}

bool sat_value (const sat *s, int literal) {
  CHECK (s->state == SATISFIED, "values should be asked for after a satisfiable answer, before anything is added");
  check_literal (s, literal);
  return (ccadical_val (s->solver, abs (literal)) > 0) ==
         (literal > 0);  // of a negative literal it tells the wrong sign
}

bool sat_in_core (const sat *s, int assumption) {
  CHECK (s->state == UNSATISFIED, "a core should be asked for after an unsatisfiable answer, before anything is added");
  CHECK (s->assumed.count &&
             bsearch (&assumption, s->assumed.data, s->assumed.count, sizeof assumption, compare_literals),
         "only literals that were assumed can be in the core, %d was not", assumption);
  return ccadical_failed (s->solver, assumption) != 0;
}

uint32_t sat_num_vars (const sat *s) { return s->num_vars; }
uint64_t sat_num_clauses (const sat *s) { return s->num_clauses; }
uint64_t sat_num_calls (const sat *s) { return s->num_calls; }
