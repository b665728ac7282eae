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

// The formulas were met before, whether they were kept then or subsumed.
static bool is_met_again (history *h, const subsumption *s, const sym_state *x) {
  bool is_new;
  const uint64_t *same = map_insert (&h->same, hash_all (s, x), h->met.count, &is_new);
  if (is_new) vec_push (&h->met, x);
  else if (is_same (s, h->met.data[*same], x)) {
    h->met_again++;
    return true;
  }
  return false;
}

sat_answer history_has (history *h, subsumption *s, const sym_state *x) {
  if (is_met_again (h, s, x)) return SAT_YES;
  const uint64_t *newest = map_find (&h->newest, hash_places (x));
  for (uint32_t i = newest ? (uint32_t) *newest : BP_NONE; i != BP_NONE; i = h->older.data[i]) {
    if (!same_places (h->states.data[i], x)) continue;
    sat_answer a = subsumes (s, h->states.data[i], x);
    if (a == SAT_YES) h->subsumed++;
    if (a != SAT_NO) return a;
  }
  return SAT_NO;
}

uint32_t history_add (history *h, const sym_state *x) {
  bool is_new;
  uint32_t number = h->states.count;
  uint64_t *newest = map_insert (&h->newest, hash_places (x), number, &is_new);
  vec_push (&h->states, x);
  vec_push (&h->older, is_new ? BP_NONE : (uint32_t) *newest);
  *newest = number;
  return number;
}
