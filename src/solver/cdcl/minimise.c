// Superfluous literals of a learnt clause: those that follow from others of it by reasons (Sörensson and Biere 2009,
// "Minimizing learned clauses").
//
// A literal is removable if each other literal of its reason is of level 0, in the clause, or removable. Results stay
// marked, so each variable is examined once per conflict. A literal whose level has no literal in the clause cannot be
// removable, so the search ends there. The recursion depth is bounded. Hooks are not asked for reasons here: an
// explanation could cost more than the literal.
#include "solver/cdcl/cdcl_impl.h"

enum { DEPTH_MOST = 500 };

static bool is_removable (cdcl *s, uint32_t var, unsigned depth);

static bool reason_is_covered (cdcl *s, cref reason, uint32_t var, unsigned depth) {
  const clause *c = clause_at (s, reason);
  for (uint32_t i = 0; i < c->size; i++) {
    uint32_t other = lit_var (c->literal[i]);
    if (other != var && !is_removable (s, other, depth + 1)) return false;
  }
  return true;
}

static bool is_removable (cdcl *s, uint32_t var, unsigned depth) {
  const assignment *a = &s->assigned[var];
  uint8_t marks = s->marks[var];
  if (!a->level || marks & MARK_REMOVABLE || (depth && marks & MARK_SEEN)) return true;
  if (a->reason < CLAUSE_FIRST || marks & MARK_POISON || depth > DEPTH_MOST) return false;
  if (s->stamps.data[a->level] != s->stamp) return false;
  bool is_covered = reason_is_covered (s, a->reason, var, depth);
  cdcl_mark (s, var, is_covered ? MARK_REMOVABLE : MARK_POISON);
  return is_covered;
}

static void stamp_levels (cdcl *s) {
  while (s->stamps.count <= cdcl_current_level (s)) vec_push (&s->stamps, 0);
  s->stamp++;
  for (uint32_t i = 0; i < s->learning.count; i++) s->stamps.data[literal_level (s, s->learning.data[i])] = s->stamp;
}

void cdcl_minimise (cdcl *s) {
  uint32_t kept = 1;
  stamp_levels (s);
  for (uint32_t i = 1; i < s->learning.count; i++) {
    lit l = s->learning.data[i];
    if (!is_removable (s, lit_var (l), 0)) s->learning.data[kept++] = l;
  }
  s->counters.minimised_literals += s->learning.count - kept;
  s->learning.count = kept;
}
