// DepQBF behind depqbf.h: adds the prefix as two scopes, then the clauses. DepQBF's time limit is in whole seconds.
#include "solver/depqbf.h"

#include <qdpll/qdpll.h>
#include <stdio.h>

enum { ENDLESS_SECONDS = 1 << 20 };

static void add_scope (QDPLL *q, QDPLLQuantifierType type, uint32_t nesting, const int *variables, uint32_t count) {
  qdpll_new_scope_at_nesting (q, type, nesting);
  for (uint32_t i = 0; i < count; i++) qdpll_add (q, variables[i]);
  qdpll_add (q, 0);
}

static void limit_time (QDPLL *q, const budget *b) {
  char option[40];
  double left = budget_left (b);
  int seconds = left > ENDLESS_SECONDS ? ENDLESS_SECONDS : left < 1 ? 1 : (int) left + 1;
  snprintf (option, sizeof option, "--max-secs=%d", seconds);
  qdpll_configure (q, option);
}

sat_answer depqbf_solve (const quantified_clauses *f, const budget *b) {
  if (budget_spent (b)) return SAT_STOPPED;
  QDPLL *q = qdpll_create ();
  qdpll_configure (q, "--dep-man=simple");
  limit_time (q, b);
  uint32_t nesting = 1;
  if (f->universals.count) add_scope (q, QDPLL_QTYPE_FORALL, nesting++, f->universals.data, f->universals.count);
  if (f->existentials.count) add_scope (q, QDPLL_QTYPE_EXISTS, nesting, f->existentials.data, f->existentials.count);
  for (uint32_t i = 0; i < f->clauses.count; i++) qdpll_add (q, f->clauses.data[i]);
  QDPLLResult r = qdpll_sat (q);
  qdpll_delete (q);
  return r == QDPLL_RESULT_SAT ? SAT_YES : r == QDPLL_RESULT_UNSAT ? SAT_NO : SAT_STOPPED;
}
