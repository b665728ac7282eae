// Deletes learnt clauses of little use, and clauses that level 0 satisfies.
//
// Three tiers (Oh 2015): clauses of glue at most 2 are kept for ever; those of glue up to 6 are kept if a conflict used
// them since the last but one reduction; all others if a conflict used them since the last one. The rest are
// candidates, and the worse half of them is deleted: larger glue first, then the longer, then the older. The number of
// conflicts between two reductions grows with the square root of the number of reductions, so more learnt clauses are
// kept in time.
#include "solver/cdcl/cdcl_impl.h"

#include <math.h>
#include <stdlib.h>

enum { GLUE_KEPT_LONGER = 6 };

bool cdcl_reducing (const cdcl *s) { return s->counters.conflicts >= s->reduce_at; }

static bool is_reason (const cdcl *s, cref at) {
  const clause *c = clause_at (s, at);
  for (unsigned i = 0; i < 2; i++)
    if (s->values[c->literal[i]] > 0 && s->assigned[lit_var (c->literal[i])].reason == at) return true;
  return false;
}

static bool is_deletable (cdcl *s, cref at) {
  clause *c = clause_at (s, at);
  unsigned used = c->used;
  if (c->size == 2 || c->glue <= GLUE_KEPT_FOR_EVER) return false;
  if (used) c->used--;
  if (used && (c->glue <= GLUE_KEPT_LONGER || used == 2)) return false;
  return !is_reason (s, at);
}

static int compare_candidates (const void *a, const void *b) {
  const deletion_candidate *x = a, *y = b;
  if (x->badness != y->badness) return x->badness < y->badness ? 1 : -1;
  return (x->at > y->at) - (x->at < y->at);
}

void cdcl_reduce (cdcl *s) {
  vec_clear (&s->candidates);
  proof_add_units (s);
  for (uint32_t i = 0; i < s->learnt.count; i++) {
    cref at = s->learnt.data[i];
    if (!is_deletable (s, at)) continue;
    const clause *c = clause_at (s, at);
    vec_push (&s->candidates, ((deletion_candidate){.badness = (uint64_t) c->glue << 32 | c->size, .at = at}));
  }
  uint32_t count = s->candidates.count;
  if (count) qsort (s->candidates.data, count, sizeof *s->candidates.data, compare_candidates);
  for (uint32_t i = 0; i < count / 2; i++) clause_discard (s, clause_at (s, s->candidates.data[i].at));
  s->counters.deleted += count / 2;
  s->reductions++;
  s->reduce_at = s->counters.conflicts + (uint64_t) (s->reduce_unit * sqrt ((double) (s->reductions + 1)));
  cdcl_collect_garbage (s);
}

// ---- what is true or false for ever ------------------------------------------------------------------------------

static bool is_satisfied (const cdcl *s, const clause *c) {
  for (uint32_t i = 0; i < c->size; i++)
    if (s->values[c->literal[i]] > 0) return true;
  return false;
}

static void remove_false_literals (cdcl *s, clause *c) {
  uint32_t kept = 2;
  for (uint32_t i = 2; i < c->size; i++) kept += !s->values[c->literal[i]];
  if (kept == c->size) return;
  if (s->proof) {
    vec_clear (&s->learning);
    for (uint32_t i = 0; i < c->size; i++)
      if (!s->values[c->literal[i]]) vec_push (&s->learning, c->literal[i]);
    proof_add (s, s->learning.data, s->learning.count);
    proof_delete (s, c->literal, c->size);
  }
  for (uint32_t i = kept = 2; i < c->size; i++)
    if (!s->values[c->literal[i]]) c->literal[kept++] = c->literal[i];
  c->size = kept;
}

static void simplify (cdcl *s, const clause_list *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    clause *c = clause_at (s, list->data[i]);
    if (is_satisfied (s, c)) clause_discard (s, c);
    else remove_false_literals (s, c);
  }
}

// Simplification visits all clauses, so it waits until unit propagation has done as much work since the last time.
bool cdcl_simplifying (const cdcl *s) {
  return !cdcl_current_level (s) && s->trail.count > s->simplified_units && s->counters.propagations >= s->simplify_at;
}

void cdcl_simplify (cdcl *s) {
  proof_add_units (s);
  simplify (s, &s->given);
  simplify (s, &s->learnt);
  cdcl_collect_garbage (s);
  s->simplified_units = s->trail.count;
  s->simplify_at = s->counters.propagations + s->words.count / 4;
}
