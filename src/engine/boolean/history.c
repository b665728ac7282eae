// IsHistory of paper BOOL, section 4: states with other locations are distinguished by a hash table, states with equal
// formulas are recognised by another one; only the rest needs queries.
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

static uint32_t num_state_values (const subsumption *s, const sym_state *x) {
  return s->layout->num_globals + x->num_threads * s->layout->num_locals;
}

static uint64_t hash_all (const subsumption *s, const sym_state *x) {
  uint64_t values = hash_bytes (x->values, sizeof *x->values * num_state_values (s, x), hash_places (x));
  return hash_bytes (x->guard, sizeof *x->guard * x->num_guard, values);
}

static bool has_same_locations (const sym_state *a, const sym_state *b) {
  return a->num_threads == b->num_threads && !memcmp (a->at, b->at, sizeof *a->at * a->num_threads);
}

static bool is_same_state (const subsumption *s, const sym_state *a, const sym_state *b) {
  return has_same_locations (a, b) && a->num_guard == b->num_guard &&
         !memcmp (a->values, b->values, sizeof *a->values * num_state_values (s, a)) &&
         !memcmp (a->guard, b->guard, sizeof *a->guard * a->num_guard);
}

static uint32_t add_to_history (history *h, const sym_state *x) {
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
    if (!has_same_locations (h->states.data[i], x)) continue;
    sat_answer a = subsumes (s, h->states.data[i], x);
    *by = i;
    if (a != SAT_NO) return a;
  }
  return SAT_NO;
}

// Equal formulas may belong to a state that was kept or to one that was subsumed.
sat_answer history_find_or_add (history *h, subsumption *s, const sym_state *x, uint32_t *by) {
  uint64_t hash = hash_all (s, x);
  const uint64_t *same = map_find (&h->same, hash);
  if (same && is_same_state (s, h->met.data[*same].state, x)) {
    h->met_again++;
    *by = h->met.data[*same].by;
    return SAT_YES;
  }
  sat_answer a = find_subsuming (h, s, x, by);
  if (a == SAT_STOPPED) return a;
  if (a == SAT_YES) h->subsumed++;
  else *by = add_to_history (h, x);
  map_insert (&h->same, hash, h->met.count, NULL);
  vec_push (&h->met, ((struct known_state){x, *by}));
  return a;
}
