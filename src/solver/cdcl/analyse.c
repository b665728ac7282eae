// Conflict analysis: learns the clause of the first unique implication point (Zhang et al. 2001) by resolving the
// conflict with the reasons of its literals of the current level, last first, until one such literal remains. And the
// core: the assumptions from which the complement of an assumption follows.
//
// Variables in the conflict get a higher score. Learnt clauses in it are marked as used, and their glue, the number of
// levels of their literals (Audemard and Simon 2009), is lowered if it has become less.
#include "solver/cdcl/cdcl_impl.h"

enum { GLUE_SHRUNK_WITHIN = 30, SIZE_SHRUNK_WITHIN = 60, GLUE_MOST = (1 << 27) - 1 };

void cdcl_mark (cdcl *s, uint32_t var, uint8_t mark) {
  if (!s->marks[var]) vec_push (&s->marked, var);
  s->marks[var] |= mark;
}

static void clear_marks (cdcl *s) {
  for (uint32_t i = 0; i < s->marked.count; i++) s->marks[s->marked.data[i]] = 0;
  vec_clear (&s->marked);
}

static uint32_t count_levels (cdcl *s, const lit *literals, uint32_t size) {
  uint32_t levels = 0;
  while (s->stamps.count <= cdcl_current_level (s)) vec_push (&s->stamps, 0);
  s->stamp++;
  for (uint32_t i = 0; i < size; i++) {
    uint64_t *stamp = &s->stamps.data[literal_level (s, literals[i])];
    if (*stamp == s->stamp) continue;
    *stamp = s->stamp;
    levels++;
  }
  return levels < GLUE_MOST ? levels : GLUE_MOST;
}

static void record_use (cdcl *s, clause *c) {
  if (!c->is_learnt) return;
  c->used = 2;
  if (c->glue <= GLUE_KEPT_FOR_EVER) return;
  uint32_t glue = count_levels (s, c->literal, c->size);
  if (glue < c->glue) c->glue = glue;
}

// Resolves with a clause: literals of lower levels are learnt, those of the current one are counted.
static uint32_t visit_conflict_clause (cdcl *s, cref at) {
  clause *c = clause_at (s, at);
  uint32_t open = 0, level = cdcl_current_level (s);
  record_use (s, c);
  for (uint32_t i = 0; i < c->size; i++) {
    lit l = c->literal[i];
    uint32_t var = lit_var (l), its_level = s->assigned[var].level;
    if (s->marks[var] || !its_level) continue;
    cdcl_mark (s, var, MARK_SEEN);
    vec_push (&s->bumped, var);
    if (its_level == level) open++;
    else vec_push (&s->learning, l);
  }
  return open;
}

static void resolve_conflict (cdcl *s, cref conflict) {
  uint32_t open = visit_conflict_clause (s, conflict), at = s->trail.count;
  for (;;) {
    do at--;
    while (!s->marks[lit_var (s->trail.data[at])]);
    lit l = s->trail.data[at];
    if (open == 1) {
      s->learning.data[0] = lit_not (l);
      return;
    }
    open += visit_conflict_clause (s, cdcl_reason (s, lit_var (l))) - 1;
  }
}

// Minimises by binary clauses: if the asserting literal implies the complement of another literal of the clause, that
// literal is superfluous (Audemard and Simon 2009).
static void shrink_by_binaries (cdcl *s) {
  lit asserting = s->learning.data[0];
  const watch_list *list = &s->watches[asserting];
  uint32_t kept = 1, removed = 0;
  s->stamp++;
  while (s->stamps.count < 2 * s->num_vars) vec_push (&s->stamps, 0);
  for (uint32_t i = 1; i < s->learning.count; i++) s->stamps.data[s->learning.data[i]] = s->stamp;
  for (uint32_t i = 0; i < list->count; i++) {
    lit other = lit_not (list->data[i].blocker);
    if (!(list->data[i].tagged & 1) || s->stamps.data[other] != s->stamp) continue;
    s->stamps.data[other] = 0;
    removed++;
  }
  if (!removed) return;
  for (uint32_t i = 1; i < s->learning.count; i++)
    if (s->stamps.data[s->learning.data[i]] == s->stamp) s->learning.data[kept++] = s->learning.data[i];
  s->learning.count = kept;
  s->counters.minimised_literals += removed;
}

// Moves the literal of the highest level, apart from the asserting one, to the second place, where it is watched.
static uint32_t find_jump_level (cdcl *s) {
  lits *l = &s->learning;
  if (l->count == 1) return 0;
  uint32_t highest = 1;
  for (uint32_t i = 2; i < l->count; i++)
    if (literal_level (s, l->data[i]) > literal_level (s, l->data[highest])) highest = i;
  lit second = l->data[highest];
  l->data[highest] = l->data[1];
  l->data[1] = second;
  return literal_level (s, second);
}

static void bump_variables (cdcl *s) {
  for (uint32_t i = 0; i < s->bumped.count; i++) cdcl_bump_variable (s, s->bumped.data[i]);
  vec_clear (&s->bumped);
  cdcl_decay_scores (s);
}

void cdcl_learn (cdcl *s, cref conflict) {
  cdcl_note_phases (s);
  s->counters.conflicts++;
  vec_clear (&s->learning);
  vec_push (&s->learning, 0);
  resolve_conflict (s, conflict);
  s->counters.learnt++;
  s->counters.learnt_literals += s->learning.count;
  cdcl_minimise (s);
  clear_marks (s);
  bump_variables (s);
  uint32_t glue = count_levels (s, s->learning.data, s->learning.count);
  if (glue <= GLUE_SHRUNK_WITHIN && s->learning.count <= SIZE_SHRUNK_WITHIN) shrink_by_binaries (s);
  cdcl_note_glue (s, glue);
  proof_add (s, s->learning.data, s->learning.count);
  cdcl_backtrack (s, find_jump_level (s));
  cref at = NO_CLAUSE;
  if (s->learning.count > 1) at = clause_attach (s, s->learning.data, s->learning.count, true, glue);
  cdcl_assign (s, s->learning.data[0], at);
}

// All levels are assumptions.  Goes back from the false assumption to those that it follows from.
void cdcl_find_core (cdcl *s, lit failed) {
  vec_clear (&s->core);
  vec_push (&s->core, lit_not (failed));
  if (literal_level (s, failed)) cdcl_mark (s, lit_var (failed), MARK_SEEN);
  for (uint32_t i = s->trail.count; s->levels.count && i-- > s->levels.data[0];) {
    lit l = s->trail.data[i];
    if (!s->marks[lit_var (l)]) continue;
    cref reason = cdcl_reason (s, lit_var (l));
    if (reason == NO_CLAUSE) {
      vec_push (&s->core, lit_not (l));
      continue;
    }
    const clause *c = clause_at (s, reason);
    for (uint32_t k = 0; k < c->size; k++)
      if (literal_level (s, c->literal[k])) cdcl_mark (s, lit_var (c->literal[k]), MARK_SEEN);
  }
  clear_marks (s);
}
