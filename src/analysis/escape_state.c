// The effects of stores, calls and thread creations on the sources of one activation.
//
// KEPT makes aliases possible: the address is somewhere in private memory, so it may come back as part of the contents
// of any source, and with any of these it may be exposed.
#include "analysis/escape_impl.h"

fate state_fate (const frame_state *s, uint32_t source) {
  fate f = 0;
  for (unsigned p = 0; p < NUM_PLANES; p++)
    if (bits_have (state_plane (s, p), source)) f |= (fate) (1 << p);
  return f;
}

void state_add_fate (const frame_state *s, uint32_t source, fate f) {
  for (unsigned p = 0; p < NUM_PLANES; p++)
    if (f >> p & 1) bits_add (state_plane (s, p), source);
}

void state_drop_fate (const frame_state *s, uint32_t source, fate f) {
  for (unsigned p = 0; p < NUM_PLANES; p++)
    if (f >> p & 1) bits_remove (state_plane (s, p), source);
}

static bool in_plane (const frame_state *s, const uint64_t *set, plane p) {
  return bits_intersect (set, state_plane (s, p), s->words);
}
static void add_to_plane (const frame_state *s, plane p, const uint64_t *set) {
  bits_unite (state_plane (s, p), set, s->words);
}
static bool has_params (const frame_state *s, const uint64_t *set) {
  return s->words && (set[0] & (((uint64_t) 1 << s->num_params) - 1));
}

bool state_is_private (const frame_state *s, const origin *o) {
  return !o->elsewhere && !in_plane (s, o->objects, OBJECTS_OUT) && !in_plane (s, o->contents, CONTENTS_OUT) &&
         !in_plane (s, o->contents, CONTENTS_MIXED);
}

static bool has_clean_contents (const frame_state *s, const uint64_t *set) {
  return !in_plane (s, set, CONTENTS_OUT) && !in_plane (s, set, CONTENTS_MIXED);
}

bool state_is_private_throughout (const frame_state *s, const origin *o) {
  return state_is_private (s, o) && has_clean_contents (s, o->objects) && has_clean_contents (s, o->contents);
}

// Private memory becomes known elsewhere, and with it everything whose address it contains.
void state_expose_kept (const frame_state *s) {
  uint64_t *objects = state_plane (s, OBJECTS_KEPT), *contents = state_plane (s, CONTENTS_KEPT);
  add_to_plane (s, OBJECTS_OUT, objects);
  add_to_plane (s, CONTENTS_OUT, objects);
  add_to_plane (s, CONTENTS_OUT, contents);
  memset (objects, 0, sizeof (uint64_t) * s->words);
  memset (contents, 0, sizeof (uint64_t) * s->words);
}

void state_expose (const frame_state *s, const origin *o) {
  bool reaches_kept = !bits_empty (o->contents, s->words) || in_plane (s, o->objects, OBJECTS_KEPT) ||
                      in_plane (s, o->objects, CONTENTS_KEPT) || has_params (s, o->objects);
  add_to_plane (s, OBJECTS_OUT, o->objects);
  add_to_plane (s, CONTENTS_OUT, o->objects);
  add_to_plane (s, CONTENTS_OUT, o->contents);
  if (reaches_kept) state_expose_kept (s);
}

// Collects the sources whose contents may change if memory of this origin is written. If the memory may have aliases,
// these include all sources that keep an address, are kept, or are parameters. `deep`: also memory reached from it.
static void written_contents (const frame_state *s, const origin *o, bool deep, uint64_t *set) {
  bool aliased = !bits_empty (o->contents, s->words) || in_plane (s, o->objects, OBJECTS_KEPT);
  if (deep) aliased |= in_plane (s, o->objects, CONTENTS_KEPT) || has_params (s, o->objects);
  for (uint32_t k = 0; k < s->words; k++) {
    set[k] = o->objects[k] | o->contents[k];
    if (aliased) set[k] |= state_plane (s, OBJECTS_KEPT)[k] | state_plane (s, CONTENTS_KEPT)[k];
  }
  if (aliased) set[0] |= ((uint64_t) 1 << s->num_params) - 1;
}

void state_store (const frame_state *s, const origin *address, const origin *value) {
  uint64_t touched[SOURCE_WORDS];
  if (!state_is_private (s, address)) state_expose (s, value);
  bool keeps = !bits_empty (value->objects, s->words) || !bits_empty (value->contents, s->words);
  bool mixes = !state_is_private_throughout (s, value);
  add_to_plane (s, OBJECTS_KEPT, value->objects);
  written_contents (s, address, false, touched);
  if (keeps) add_to_plane (s, CONTENTS_KEPT, touched);
  if (mixes) add_to_plane (s, CONTENTS_MIXED, touched);
}

void state_disturb (const frame_state *s, const origin *o, fate f) {
  uint64_t touched[SOURCE_WORDS];
  if (f >> OBJECTS_OUT & 1) {
    state_expose (s, o);
    return;
  }
  if (f >> OBJECTS_KEPT & 1) add_to_plane (s, OBJECTS_KEPT, o->objects);
  written_contents (s, o, true, touched);
  if (f >> CONTENTS_KEPT & 1) add_to_plane (s, CONTENTS_KEPT, touched);
  if (f >> CONTENTS_MIXED & 1) add_to_plane (s, CONTENTS_MIXED, touched);
  if (!(f >> CONTENTS_OUT & 1)) return;
  add_to_plane (s, CONTENTS_OUT, touched);
  state_expose_kept (s);
}
