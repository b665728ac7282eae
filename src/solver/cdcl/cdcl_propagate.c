// Unit propagation with two watched literals (Moskewicz et al. 2001, section 2; blocking literals: Sörensson and Eén
// 2008), and its undoing.
//
// The solver spends most of its time here. The values of blockers lie in one array of bytes. A clause is read only if
// its blocker is not true, and a clause of two literals never: the blocker is its other literal.
#include "solver/cdcl/cdcl_impl.h"

// The clause is not satisfied by its blocker, and `falsified` is one of its first two literals. If another literal can
// be watched, moves the clause to that literal's list and returns true. Otherwise the clause stays; *other is its other
// watched literal, and all literals but *other are false unless *other is true.
static inline bool watch_another (cdcl *s, clause *c, watch w, lit falsified, lit *other) {
  const int8_t *values = s->values;
  lit *literal = c->literal;
  *other = literal[0] ^ literal[1] ^ falsified;
  if (values[*other] > 0) return false;
  lit *end = literal + c->size, *k = literal + 2;
  while (k != end && values[*k] < 0) k++;
  if (k == end) return false;
  if (values[*k] > 0) {  // satisfied: the watch stays, with a better blocker
    *other = *k;
    return false;
  }
  lit found = *k;
  literal[0] = *other;
  literal[1] = found;
  *k = falsified;
  vec_push (&s->watches[found], ((watch){.blocker = *other, .tagged = w.tagged}));
  return true;
}

static cref propagate_literal (cdcl *s, lit falsified) {
  watch_list *list = &s->watches[falsified];
  const int8_t *values = s->values;
  watch *from = list->data, *end = from + list->count, *to = from;
  cref conflict = NO_CLAUSE;
  while (from != end) {
    watch w = *to++ = *from++;
    int8_t value = values[w.blocker];
    if (value > 0) continue;
    lit other = w.blocker;
    if (!(w.tagged & 1)) {
      if (watch_another (s, clause_at (s, w.tagged >> 1), w, falsified, &other)) {
        to--;
        continue;
      }
      to[-1].blocker = other;
      value = values[other];
      if (value > 0) continue;
    }
    if (value < 0) {
      conflict = w.tagged >> 1;
      break;
    }
    cdcl_assign (s, other, w.tagged >> 1);
  }
  while (from != end) *to++ = *from++;
  list->count = (uint32_t) (to - list->data);
  return conflict;
}

cref cdcl_propagate (cdcl *s) {
  cref conflict = NO_CLAUSE;
  uint32_t start = s->propagated;
  while (!conflict && s->propagated < s->trail.count)
    conflict = propagate_literal (s, lit_not (s->trail.data[s->propagated++]));
  s->counters.propagations += s->propagated - start;
  return conflict;
}

void cdcl_backtrack (cdcl *s, uint32_t level) {
  if (cdcl_current_level (s) <= level) return;
  uint32_t length = s->levels.data[level];
  for (uint32_t i = s->trail.count; i-- > length;) {
    lit l = s->trail.data[i];
    uint32_t var = lit_var (l);
    s->values[l] = s->values[lit_not (l)] = 0;
    s->phases[var] = l & 1 ? -1 : 1;
    heap_insert (&s->order, var);
  }
  s->trail.count = length;
  if (s->propagated > length) s->propagated = length;
  s->levels.count = level;
  if (s->has_hooks) cdcl_tell_backtracked (s, level);
}
