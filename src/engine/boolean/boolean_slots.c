// Assigns places to locals. Procedures are inlined, so a thread has the locals of all of them, and few are live at a
// time. Two locals may share a place unless one is assigned, or live, where the other one is live: graph colouring, as
// compilers do for registers; greedy, in the order of declaration.
#include "engine/boolean/symbolic.h"

typedef struct colouring {
  state_layout *layout;
  uint32_t words;         // length of a row, by variable
  uint64_t *conflicts;    // [var * words + word]: locals that need another place
  VEC (uint32_t) wanted;  // locals that are live at the current location
  VEC (bool) taken;       // by place
} colouring;

static bool is_local (const state_layout *l, uint32_t v) { return !l->program->vars.data[v].global; }

static void add_slot_conflict (colouring *c, uint32_t v, uint32_t u) {
  if (u == v) return;
  c->conflicts[(size_t) v * c->words + u / 64] |= 1ull << u % 64;
  c->conflicts[(size_t) u * c->words + v / 64] |= 1ull << v % 64;
}

static void find_wanted (colouring *c, bp_loc at) {
  const state_layout *l = c->layout;
  vec_clear (&c->wanted);
  const uint64_t *live = dataflow_live_at (&l->live, at.i);
  for (uint32_t w = 0; w < l->live.words; w++)
    for (uint64_t left = live[w]; left; left &= left - 1) {
      uint32_t v = 64 * w + (uint32_t) __builtin_ctzll (left);
      if (is_local (l, v)) vec_push (&c->wanted, v);
    }
}

static void add_slot_conflicts_at (colouring *c, uint32_t location) {
  const bp_location *d = &c->layout->program->locs.data[location];
  find_wanted (c, (bp_loc){location});
  for (uint32_t i = 0; i < c->wanted.count; i++)
    for (uint32_t k = 0; k < i; k++) add_slot_conflict (c, c->wanted.data[i], c->wanted.data[k]);
  if (!d->targets.count) return;
  find_wanted (c, d->next.data[0]);
  for (uint32_t i = 0; i < d->targets.count; i++)
    for (uint32_t k = 0; k < c->wanted.count; k++)
      if (is_local (c->layout, d->targets.data[i].i)) add_slot_conflict (c, d->targets.data[i].i, c->wanted.data[k]);
}

// The variables before it have their places.
static uint32_t free_place (colouring *c, uint32_t v) {
  uint32_t place = 0;
  for (uint32_t i = 0; i < c->taken.count; i++) c->taken.data[i] = false;
  for (uint32_t u = 0; u < v; u++)
    if (is_local (c->layout, u) && c->conflicts[(size_t) v * c->words + u / 64] >> u % 64 & 1)
      c->taken.data[c->layout->number[u]] = true;
  while (place < c->taken.count && c->taken.data[place]) place++;
  if (place == c->taken.count) vec_push (&c->taken, false);
  return place;
}

static void find_live_slots (colouring *c) {
  state_layout *l = c->layout;
  l->slot_words = l->num_locals / 64 + 1;
  l->live_slots = mem_zalloc (sizeof *l->live_slots * l->slot_words * l->program->locs.count);
  for (uint32_t at = 0; at < l->program->locs.count; at++) {
    find_wanted (c, (bp_loc){at});
    for (uint32_t i = 0; i < c->wanted.count; i++) {
      uint32_t slot = l->number[c->wanted.data[i]];
      l->live_slots[(size_t) at * l->slot_words + slot / 64] |= 1ull << slot % 64;
    }
  }
}

void state_layout_find_slots (state_layout *l) {
  uint32_t vars = l->program->vars.count;
  colouring c = {.layout = l, .words = vars / 64 + 1};
  c.conflicts = mem_zalloc (sizeof *c.conflicts * c.words * vars);
  for (uint32_t at = 0; at < l->program->locs.count; at++) add_slot_conflicts_at (&c, at);
  for (uint32_t v = 0; v < vars; v++)
    if (is_local (l, v)) l->number[v] = free_place (&c, v);
  l->num_locals = c.taken.count;
  find_live_slots (&c);
  mem_free (c.conflicts, sizeof *c.conflicts * c.words * vars);
  vec_release (&c.wanted);
  vec_release (&c.taken);
}

void state_layout_release_slots (state_layout *l) {
  mem_free (l->live_slots, sizeof *l->live_slots * l->slot_words * l->program->locs.count);
}
