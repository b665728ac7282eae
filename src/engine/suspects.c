// Positions are hashes of file, line and column, and pairs are hashes of two of them: checking a pair of accesses is
// one look into a map.
#include "engine/suspects.h"

#include <string.h>

#include "base/hash.h"

static const uint64_t ANYWHERE = 0;

static uint64_t position_hash (ir_position p) {
  uint64_t file = p.file ? hash_bytes (p.file, strlen (p.file), 0) : 1;
  uint64_t place = hash_u64 (file ^ ((uint64_t) p.line << 32 | p.column));
  return place == ANYWHERE ? 1 : place;
}

// Different pairs may have the same hash: then one is a candidate without reason, which is sound.
static uint64_t pair_hash (uint64_t a, uint64_t b) { return hash_u64 (a + b) ^ (a * b); }

void suspects_init (suspects *s, const ir_program *p) {
  *s = (suspects){0};
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    bool internal = ir_proc_at (p, ir_loc_at (p, d->from)->proc)->internal;
    vec_push (&s->place, internal ? ANYWHERE : position_hash (d->pos));
  }
}

void suspects_release (suspects *s) {
  map_release (&s->pairs);
  vec_release (&s->place);
}

void suspects_add (suspects *s, ir_position a, ir_position b) {
  map_insert (&s->pairs, pair_hash (position_hash (a), position_hash (b)), 0, NULL);
}

bool suspects_have (const suspects *s, ir_edge a, ir_edge b) {
  if (!s || a.i >= s->place.count || b.i >= s->place.count) return true;  // an edge that was added later
  uint64_t here = s->place.data[a.i], there = s->place.data[b.i];
  return here == ANYWHERE || there == ANYWHERE || map_find (&s->pairs, pair_hash (here, there));
}
