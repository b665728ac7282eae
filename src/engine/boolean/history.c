// IsHistory of paper BOOL, section 4: states at other places are told apart by a hash table, equal formulas by another one; only the rest is asked about.
#include "engine/boolean/history.h"

#include <string.h>

#include "base/hash.h"

void history_release (history *h) {
  vec_release (&h->states);
  vec_release (&h->older);
  vec_release (&h->met);
  map_release (&h->newest);
  map_release (&h->same);
}

static uint64_t hash_places (const sym_state *s) {
  return hash_bytes (s->at, sizeof *s->at * s->num_threads, s->num_threads);
}

static uint32_t num_values (const subsumption *s, const sym_state *x) {
  return s->layout->num_globals + x->num_threads * s->layout->num_locals;
}

static uint64_t hash_all (const subsumption *s, const sym_state *x) {
  uint64_t values = hash_bytes (x->values, sizeof *x->values * num_values (s, x), hash_places (x));
  return hash_bytes (x->guard, sizeof *x->guard * x->num_guard, values);
}

static bool same_places (const sym_state *a, const sym_state *b) {
  return a->num_threads == b->num_threads && !memcmp (a->at, b->at, sizeof *a->at * a->num_threads);
}

static bool is_same (const subsumption *s, const sym_state *a, const sym_state *b) {
  return same_places (a, b) && a->num_guard == b->num_guard &&
         !memcmp (a->values, b->values, sizeof *a->values * num_values (s, a)) &&
         !memcmp (a->guard, b->guard, sizeof *a->guard * a->num_guard);
}

static uint32_t add (history *h, const sym_state *x) {
  bool is_new;
  uint32_t number = h->states.count;
  uint64_t *newest = map_insert (&h->newest, hash_places (x), number, &is_new);
  vec_push (&h->states, x);
  vec_push (&h->older, is_new ? BP_NONE : (uint32_t) *newest);
  *newest = number;
  return number;
}

static sat_answer find_subsuming (const history *h, subsumption *s, const sym_state *x, uint32_t *by) {
  const uint64_t *newest = map_find (&h->newest, hash_places (x));
  for (uint32_t i = newest ? (uint32_t) *newest : BP_NONE; i != BP_NONE; i = h->older.data[i]) {
    if (!same_places (h->states.data[i], x)) continue;
    sat_answer a = subsumes (s, h->states.data[i], x);
    *by = i;
    if (a != SAT_NO) return a;
  }
  return SAT_NO;
}

// The formulas may have been met before, whether they were kept then or subsumed.
sat_answer history_meet (history *h, subsumption *s, const sym_state *x, uint32_t *by) {
  uint64_t hash = hash_all (s, x);
  const uint64_t *same = map_find (&h->same, hash);
  if (same && is_same (s, h->met.data[*same].state, x)) {
    h->met_again++;
    *by = h->met.data[*same].by;
    return SAT_YES;
  }
  sat_answer a = find_subsuming (h, s, x, by);
  if (a == SAT_STOPPED) return a;
  if (a == SAT_YES) h->subsumed++;
  else *by = add (h, x);
  map_insert (&h->same, hash, h->met.count, NULL);
  vec_push (&h->met, ((struct met_state){x, *by}));
  return a;
}
