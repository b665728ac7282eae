// All pairs of accesses to overlapping places, at least one a write and at least one plain, by threads that may run in
// parallel, with compatible lock sets.  Two threads suffice (LOCK proposition 1); two threads of one kind count as two.
#include "base/limits.h"
#include "engine/locks/checks/checks_impl.h"

#include "base/hash.h"

typedef struct race_hunt {
  access_table *t;
  const budget *budget;
  possible_races *out;
  map seen;
  uint64_t looks;
  uint32_t most;       // races to be found in this object
  uint64_t last_look;  // how far `looks` may go at this object
  bool more, spent;
} race_hunt;

static bool conflict (const shared_access *x, const shared_access *y) {
  return (x->write || y->write) && (x->plain || y->plain);
}

static bool parallel (const lock_analysis *a, const shared_access *x, const shared_access *y) {
  return threads_parallel (a->threads, x->kind, ir_edge_at (a->program, x->edge)->from, y->kind,
                           ir_edge_at (a->program, y->edge)->from);
}

static bool excluded_by_parent_locks (access_table *t, uint32_t kind, uint32_t number, uint32_t other_kind,
                                      uint32_t other_number) {
  lockset g, other;
  lockset_load (&t->locksets, number, &g);
  lockset_load (&t->locksets, other_number, &other);
  return parent_locks_exclude (&t->parent_locks, kind, &g, other_kind, &other);
}

// A progress flag tells one of the threads that the other one has passed its access.
static bool excluded_by_flags (access_table *t, const shared_access *x, uint32_t number, const shared_access *y,
                               uint32_t other_number) {
  lock_analysis *a = t->analysis;
  lockset g, other;
  lockset_load (&t->locksets, number, &g);
  lockset_load (&t->locksets, other_number, &other);
  return flags_exclude (a, x->kind, ir_edge_at (a->program, x->edge)->from, other.facts) ||
         flags_exclude (a, y->kind, ir_edge_at (a->program, y->edge)->from, g.facts);
}

// `whole_class`: the answer is used for all accesses of these two classes.
static bool locksets_let_meet (race_hunt *h, const shared_access *x, const shared_access *y, bool whole_class,
                               uint32_t lockset[2]) {
  access_table *t = h->t;
  bool same_address = x->exact && y->exact && x->bytes == y->bytes;
  for (uint32_t i = 0; i < x->num_locksets; i++)
    for (uint32_t k = 0; k < y->num_locksets; k++) {
      lockset[0] = x->first_lockset + i;
      lockset[1] = y->first_lockset + k;
      uint32_t g = t->access_locksets.data[lockset[0]].lockset, other = t->access_locksets.data[lockset[1]].lockset;
      if (locksets_compatible (&t->locksets, g, other, same_address) &&
          !excluded_by_parent_locks (t, x->kind, g, y->kind, other) &&
          (whole_class || !excluded_by_flags (t, x, g, y, other)))
        return true;
    }
  return false;
}

static bool touch_other_bytes (access_table *t, const shared_access *x, const shared_access *y) {
  const lock_analysis *a = t->analysis;
  bool sized = x->bytes != UINT32_MAX && y->bytes != UINT32_MAX;
  return extents_disjoint (a->program, &x->extent, &y->extent) ||
         (sized && !pointsto_overlap (a->targets, x->edge, x->arg, x->bytes, y->edge, y->arg, y->bytes));
}

static bool accesses_disjoint (access_table *t, const shared_access *x, const shared_access *y) {
  if (touch_other_bytes (t, x, y)) return true;
  return instances_disjoint (&t->instances, (placed_access){x->kind, x->edge, x->arg, x->bytes, x->place},
                             (placed_access){y->kind, y->edge, y->arg, y->bytes, y->place});
}

static uint64_t possible_race_key (const shared_access *x, const shared_access *y) {
  uint32_t a = x->edge.i, b = y->edge.i;
  return a < b ? (uint64_t) a << 32 | b : (uint64_t) b << 32 | a;
}

static void look_at_pair (race_hunt *h, uint32_t i, uint32_t k, uint32_t object, uint32_t offset) {
  const shared_access *x = &h->t->accesses.data[i], *y = &h->t->accesses.data[k];
  if (++h->looks % 4096 == 0 && budget_spent (h->budget)) h->spent = true;
  if (!conflict (x, y) || map_find (&h->seen, possible_race_key (x, y))) return;
  uint32_t lockset[2];
  if (!parallel (h->t->analysis, x, y) || !locksets_let_meet (h, x, y, false, lockset) ||
      accesses_disjoint (h->t, x, y))
    return;
  map_insert (&h->seen, possible_race_key (x, y), 1, NULL);
  vec_push (h->out, ((possible_race){{i, k}, {lockset[0], lockset[1]}, object, offset}));
}

static bool places_overlap (const access_table *t, const access_place *a, const access_place *b) {
  if (a->offset == POINTSTO_ANY_OFFSET || b->offset == POINTSTO_ANY_OFFSET) return true;
  uint64_t a_end = (uint64_t) a->offset + t->accesses.data[a->access].bytes,
           b_end = (uint64_t) b->offset + t->accesses.data[b->access].bytes;
  return a->offset < b_end && b->offset < a_end;
}

// The end of a run of accesses of one class at one place: what excludes one of them excludes all.
static uint32_t run_end (const access_table *t, uint32_t first, uint32_t last) {
  const access_place *p = t->places.data;
  uint32_t end = first + 1;
  while (end < last && p[end].offset == p[first].offset && p[end].class == p[first].class) end++;
  return end;
}

static bool runs_may_race (race_hunt *h, const access_place *a, const access_place *b) {
  const shared_access *x = &h->t->accesses.data[a->access], *y = &h->t->accesses.data[b->access];
  uint32_t lockset[2];
  return places_overlap (h->t, a, b) && conflict (x, y) && locksets_let_meet (h, x, y, true, lockset);
}

static void begin_search_of_object (race_hunt *h) {
  h->most = h->out->count + LIMIT_RACE_PAIRS_OF_OBJECT;
  h->last_look = h->looks + LIMIT_RACE_LOOKS;
}

static bool has_enough_races (const race_hunt *h) {
  if (h->out->count >= h->most) return limit_met (RACE_PAIRS_OF_OBJECT);
  return h->looks >= h->last_look && h->out->count && limit_met (RACE_LOOKS);
}

static bool search_is_over (const race_hunt *h) { return h->spent || has_enough_races (h); }

static void search_runs (race_hunt *h, uint32_t first, uint32_t first_end, uint32_t second, uint32_t second_end) {
  const access_place *p = h->t->places.data;
  for (uint32_t i = first; i < first_end && !search_is_over (h); i++)
    for (uint32_t k = first == second ? i : second; k < second_end && !search_is_over (h); k++)
      look_at_pair (h, p[i].access, p[k].access, p[i].object, p[i].offset);
}

// Searches the places [first..last[ of one object.
static void search_object (race_hunt *h, uint32_t first, uint32_t last) {
  const access_place *p = h->t->places.data;
  begin_search_of_object (h);
  for (uint32_t i = first, i_end; i < last && !search_is_over (h); i = i_end) {
    i_end = run_end (h->t, i, last);
    for (uint32_t k = i, k_end; k < last && !search_is_over (h); k = k_end) {
      k_end = run_end (h->t, k, last);
      if (runs_may_race (h, &p[i], &p[k])) search_runs (h, i, i_end, k, k_end);
    }
  }
  if (!has_enough_races (h)) return;
  h->more = true;
  map_insert (&h->t->truncated, p[first].object, 1, NULL);
}

static void search_anywhere (race_hunt *h) {
  begin_search_of_object (h);
  for (uint32_t k = 0; k < h->t->anywhere.count; k++)
    for (uint32_t i = 0; i < h->t->accesses.count && !search_is_over (h); i++)
      look_at_pair (h, h->t->anywhere.data[k], i, 0, POINTSTO_ANY_OFFSET);
  h->more |= has_enough_races (h);
}

race_coverage find_possible_races (access_table *t, const budget *b, possible_races *out) {
  race_hunt h = {.t = t, .budget = b, .out = out};
  for (uint32_t first = 0, last; first < t->places.count && !h.spent; first = last) {
    for (last = first + 1; last < t->places.count && t->places.data[last].object == t->places.data[first].object;)
      last++;
    search_object (&h, first, last);
  }
  search_anywhere (&h);
  map_release (&h.seen);
  return h.spent ? RACES_SPENT : h.more ? RACES_MORE : RACES_ALL;
}
