// Hooks: the solver reports assignments and backtracking to them, and takes decisions, implied literals and clauses
// from them.
//
// BOOL (Cook, Kroening and Sharygina 2005) section 3.4 has its partial-order reduction in the solver's case split
// instead of in clauses; hooks make that possible.  The interface has what the lazy approaches to satisfiability modulo
// theories need, too (Nieuwenhuis, Oliveras and Tinelli 2006, section 3), with explanations asked for only when a
// conflict needs them.
//
// The literals of a clause from a hook may have any values. The search then backtracks as far as necessary to restore
// the invariant of watches: until the clause is a conflict of the current level, or implies a literal at the current
// level.
#include "solver/cdcl/cdcl_impl.h"

static inline void swap (lit *a, lit *b) {
  lit x = *a;
  *a = *b;
  *b = x;
}

// ---- telling ---------------------------------------------------------------------------------------------------

void cdcl_tell_backtracked (cdcl *s, uint32_t level) {
  if (s->told > s->trail.count) s->told = s->trail.count;
  if (s->hooks.backtracked) s->hooks.backtracked (s->hooks.user, level);
}

static void tell_assigned (cdcl *s) {
  if (s->hooks.assigned)
    for (uint32_t i = s->told; i < s->trail.count; i++)
      s->hooks.assigned (s->hooks.user, lit_outside (s->trail.data[i]), literal_level (s, s->trail.data[i]));
  s->told = s->trail.count;
}

// ---- clauses that come during the search -----------------------------------------------------------------------

// Sorts literals so that the best to watch come first: those that are not false, then those made false last.
static uint32_t watch_rank (const cdcl *s, lit l) { return s->values[l] < 0 ? literal_level (s, l) : UINT32_MAX; }

static void watch_best_two (const cdcl *s, lits *c) {
  for (uint32_t k = 0; k < 2; k++)
    for (uint32_t i = k + 1; i < c->count; i++)
      if (watch_rank (s, c->data[i]) > watch_rank (s, c->data[k])) swap (&c->data[i], &c->data[k]);
}

// The clause has at least two literals, the best to watch first. Backtracks; returns the clause if it is a conflict of
// the level then reached.
static cref take_in (cdcl *s, cref at, lit first, lit second) {
  if (s->values[second] >= 0) return NO_CLAUSE;
  uint32_t level = literal_level (s, second);
  if (s->values[first] > 0 && literal_level (s, first) <= level) return NO_CLAUSE;
  bool is_conflict = s->values[first] < 0 && literal_level (s, first) == level;
  cdcl_backtrack (s, level);
  if (is_conflict) return at;
  cdcl_assign (s, first, at);
  return NO_CLAUSE;
}

static cref add_hook_clause (cdcl *s, const int *literals, uint32_t count, bool is_learnt) {
  lits *c = &s->taken;
  if (!cdcl_take_clause (s, literals, count)) return NO_CLAUSE;
  if (!c->count) {
    cdcl_contradiction (s);
    return NO_CLAUSE;
  }
  if (c->count == 1) {
    cdcl_backtrack (s, 0);
    cdcl_assign (s, c->data[0], NO_CLAUSE);
    return NO_CLAUSE;
  }
  watch_best_two (s, c);
  cref at = clause_attach (s, c->data, c->count, is_learnt, c->count);
  return take_in (s, at, c->data[0], c->data[1]);
}

static bool has_pending (const cdcl *s) { return s->pending_done < s->pending.count; }

static cref add_pending (cdcl *s) {
  const int *literals = s->pending.data + s->pending_done;
  uint32_t count = 0;
  while (literals[count]) count++;
  s->pending_done += count + 1;
  cref conflict = add_hook_clause (s, literals, count, false);
  if (!has_pending (s)) s->pending.count = s->pending_done = 0;
  return conflict;
}

void cdcl_add_all_pending (cdcl *s) {
  while (has_pending (s)) add_pending (s);
}

// ---- implied literals ------------------------------------------------------------------------------------------

static uint32_t ask_why (cdcl *s, lit l, const int **literals) {
  CHECK (s->hooks.explain, "a hook that implies literals should explain them");
  uint32_t count = s->hooks.explain (s->hooks.user, lit_outside (l), literals);
  bool has_it = false;
  for (uint32_t i = 0; i < count; i++) {
    cdcl_check_literal (s, (*literals)[i]);
    has_it |= (*literals)[i] == lit_outside (l);
  }
  CHECK (has_it, "the clause that explains %d should contain it", lit_outside (l));
  s->counters.explanations++;
  return count;
}

static cref explain_implication (cdcl *s, uint32_t var) {
  lit l = 2 * var + (s->values[2 * var] < 0);
  const int *literals;
  uint32_t count = ask_why (s, l, &literals);
  vec_clear (&s->taken);
  for (uint32_t i = 0; i < count; i++) {
    lit other = lit_of (literals[i]);
    CHECK (other == l ||
               (s->values[other] < 0 && (!literal_level (s, other) || s->position[lit_var (other)] < s->position[var])),
           "%d should have been false before %d was implied", literals[i], lit_outside (l));
    vec_push (&s->taken, other);
  }
  return s->assigned[var].reason = clause_new (s, s->taken.data, count, false, 0);
}

cref cdcl_reason (cdcl *s, uint32_t var) {
  cref reason = s->assigned[var].reason;
  return reason == BY_HOOK ? explain_implication (s, var) : reason;
}

static cref imply_by_clause (cdcl *s, lit l) {
  const int *literals;
  uint32_t count = ask_why (s, l, &literals);
  for (uint32_t i = 0; i < count; i++)
    CHECK (lit_of (literals[i]) == l || s->values[lit_of (literals[i])] < 0, "%d should be false, as %d is implied",
           literals[i], lit_outside (l));
  return add_hook_clause (s, literals, count, true);
}

static cref imply (cdcl *s, int literal) {
  cdcl_check_literal (s, literal);
  lit l = lit_of (literal);
  CHECK (s->values[l] <= 0, "a hook should not imply %d, which is true already", literal);
  if (s->values[l] < 0 || !cdcl_current_level (s)) return imply_by_clause (s, l);
  cdcl_assign (s, l, BY_HOOK);
  return NO_CLAUSE;
}

static int call_hook (cdcl *s, int (*hook) (void *, cdcl *)) {
  if (!hook) return 0;
  s->in_hook = true;
  int literal = hook (s->hooks.user, s);
  s->in_hook = false;
  return literal;
}

cref cdcl_propagate_all (cdcl *s) {
  for (;;) {
    cref conflict = cdcl_propagate (s);
    if (conflict || !s->has_hooks || s->has_contradiction) return conflict;
    if (has_pending (s)) conflict = add_pending (s);
    else {
      tell_assigned (s);
      int literal = call_hook (s, s->hooks.propagate);
      if (literal) conflict = imply (s, literal);
      else if (!has_pending (s)) return NO_CLAUSE;
    }
    if (conflict) return conflict;
  }
}

// ---- decisions and models --------------------------------------------------------------------------------------

hook_decision cdcl_decide_by_hook (cdcl *s) {
  int literal = call_hook (s, s->hooks.decide);
  if (has_pending (s)) return HOOK_HAS_DECIDED;
  if (!literal) return HOOK_IS_SILENT;
  if (literal == CDCL_ENOUGH) return HOOK_HAS_ENOUGH;
  cdcl_check_literal (s, literal);
  CHECK (!s->values[lit_of (literal)], "a hook should not decide %d, which has a value already", literal);
  s->counters.decisions++;
  vec_push (&s->levels, s->trail.count);
  cdcl_assign (s, lit_of (literal), NO_CLAUSE);
  return HOOK_HAS_DECIDED;
}

bool cdcl_accepts (cdcl *s) {
  if (!s->hooks.complete) return true;
  s->in_hook = true;
  bool is_accepted = s->hooks.complete (s->hooks.user, s);
  s->in_hook = false;
  bool is_new = has_pending (s) || s->trail.count < s->num_vars;
  CHECK (is_accepted || is_new, "a hook that does not accept a model should add a clause or a variable");
  return !is_new;
}
