// The contents of memory. Each word of an object that is accessed at a known offset has a node, its cell. Accesses at
// unknown offsets go through two nodes per object: `in` flows into all its words, all words flow into `out`. In the
// same way every stride-th word from a certain one on (a class) has two nodes: values stored in elements of an array
// flow into those words of the object that the elements may occupy.
//
// A pointer of which only a part is read, or that is partly overwritten, may come out with another offset: its targets
// are blurred.
#include "analysis/pointsto_impl.h"
#include "base/limits.h"

static uint32_t find_memory_cell (const solver *s, uint32_t object, uint32_t word) {
  const uint64_t *found = map_find (&s->cells, (uint64_t) object << 32 | word);
  return found ? (uint32_t) *found : NODE_NOTHING;
}

static bool classes_overlap (const cell_class *a, const cell_class *b) {
  uint64_t factor = common_factor (a->stride, b->stride);
  return a->word % factor == b->word % factor;
}

static bool class_has_word (const cell_class *c, uint32_t word) { return word % c->stride == c->word; }

// Values stored through node `from` can be loaded through node `to`.
static void connect_memory_nodes (solver *s, uint32_t object, uint32_t from, uint32_t to) {
  solver_add_copy (s, from, to);
  if (s->objects[object].torn) solver_blur_into (s, from, to);
}

void memory_tear_object (solver *s, uint32_t object) {
  object_cells *o = &s->objects[object];
  if (o->torn) return;
  o->torn = true;
  for (uint32_t k = 0; k < o->cells.count; k++) solver_blur_into (s, o->cells.data[k].node, o->cells.data[k].node);
  solver_blur_into (s, o->in, o->out);
  for (uint32_t k = 0; k < o->classes.count; k++) {
    solver_blur_into (s, o->in, o->classes.data[k].out);
    solver_blur_into (s, o->classes.data[k].in, o->out);
    for (uint32_t j = 0; j < o->classes.count; j++)
      if (classes_overlap (&o->classes.data[k], &o->classes.data[j]))
        solver_blur_into (s, o->classes.data[k].in, o->classes.data[j].out);
  }
}

// ---- nodes of an object -------------------------------------------------------------------------------

static object_cells *object_cells_of (solver *s, uint32_t object) {
  object_cells *o = &s->objects[object];
  if (o->in) return o;
  o->in = solver_add_node (s);
  o->out = solver_add_node (s);
  solver_add_copy (s, s->everywhere, o->in);
  solver_add_copy (s, o->in, o->out);
  if (s->all_torn) memory_tear_object (s, object);
  return o;
}

static uint32_t memory_cell_at (solver *s, uint32_t object, uint32_t word) {
  uint32_t node = find_memory_cell (s, object, word);
  if (node != NODE_NOTHING) return node;
  object_cells *o = object_cells_of (s, object);
  node = solver_add_node (s);
  map_insert (&s->cells, (uint64_t) object << 32 | word, node, NULL);
  vec_push (&o->cells, ((pointsto_cell){word, node}));
  solver_add_copy (s, o->in, node);
  solver_add_copy (s, node, o->out);
  for (uint32_t k = 0; k < o->classes.count; k++) {
    const cell_class *c = &o->classes.data[k];
    if (!class_has_word (c, word)) continue;
    solver_add_copy (s, c->in, node);
    solver_add_copy (s, node, c->out);
  }
  if (o->torn) solver_blur_into (s, node, node);
  return node;
}

static void join_class (solver *s, uint32_t object, const cell_class *c) {
  const object_cells *o = &s->objects[object];
  connect_memory_nodes (s, object, o->in, c->out);
  connect_memory_nodes (s, object, c->in, o->out);
  for (uint32_t k = 0; k < o->cells.count; k++) {
    if (!class_has_word (c, o->cells.data[k].word)) continue;
    solver_add_copy (s, c->in, o->cells.data[k].node);
    solver_add_copy (s, o->cells.data[k].node, c->out);
  }
  for (uint32_t k = 0; k < o->classes.count; k++) {
    if (!classes_overlap (c, &o->classes.data[k])) continue;
    connect_memory_nodes (s, object, c->in, o->classes.data[k].out);
    connect_memory_nodes (s, object, o->classes.data[k].in, c->out);
  }
}

// Returns the nodes of the words word + k * stride: those of a class, or of all words if the object has too many
// classes.
static cell_class cell_class_at (solver *s, uint32_t object, uint32_t word, uint32_t stride) {
  object_cells *o = object_cells_of (s, object);
  for (uint32_t k = 0; k < o->classes.count; k++)
    if (o->classes.data[k].word == word && o->classes.data[k].stride == stride) return o->classes.data[k];
  if (at_limit (POINTSTO_CLASSES, o->classes.count)) return (cell_class){.in = o->in, .out = o->out};
  cell_class c = {word, stride, solver_add_node (s), solver_add_node (s)};
  vec_push (&o->classes, c);
  join_class (s, object, &c);
  return c;
}

uint32_t memory_in (solver *s, uint32_t object) { return object_cells_of (s, object)->in; }
uint32_t memory_out (solver *s, uint32_t object) { return object_cells_of (s, object)->out; }

uint32_t solver_cell (solver *s, uint32_t object, uint32_t offset) {
  return offset < NUM_OFFSETS ? memory_cell_at (s, object, offset / s->word) : object_cells_of (s, object)->in;
}

// ---- accesses -----------------------------------------------------------------------------------------

// Returns whether an access of so many bytes at this place reads or writes whole pointers.
static bool is_whole_word_access (const solver *s, uint32_t place, unsigned bytes) {
  return bytes == s->word && place_is_aligned (&s->places, place);
}

// Returns whether the access would end after the object, so that it cannot succeed.
static bool access_misses_object (const solver *s, uint32_t object, uint32_t place, unsigned bytes) {
  uint32_t from = place < NUM_OFFSETS ? place : 0;
  return (uint64_t) from + bytes > s->objects[object].size;
}

void memory_load (solver *s, const pointsto_rule *r, target t) {
  uint32_t object = target_object (t), place = target_place (t);
  uint32_t to = is_whole_word_access (s, place, r->bytes) ? r->other : r->pieces;
  if (s->objects[object].empty || access_misses_object (s, object, place, r->bytes)) return;
  if (place >= NUM_PLACES) {
    solver_add_copy (s, object_cells_of (s, object)->out, to);
    return;
  }
  stride_place p = place_stride (&s->places, place);
  uint32_t offset = p.stride ? p.offset : place, stride = p.stride / s->word;
  for (uint32_t w = offset / s->word; w <= (offset + r->bytes - 1) / s->word; w++)
    solver_add_copy (s, stride ? cell_class_at (s, object, w % stride, stride).out : memory_cell_at (s, object, w), to);
}

void memory_store (solver *s, const pointsto_rule *r, target t) {
  uint32_t object = target_object (t), place = target_place (t);
  bool whole = !r->mixes && is_whole_word_access (s, place, r->bytes);
  uint32_t value = whole ? r->other : r->pieces;
  if (s->objects[object].constant || access_misses_object (s, object, place, r->bytes) ||
      (whole && value == NODE_NOTHING))
    return;
  stride_place p = place_stride (&s->places, place);
  if (place >= NUM_PLACES) solver_add_copy (s, value, object_cells_of (s, object)->in);
  else {
    uint32_t offset = p.stride ? p.offset : place, stride = p.stride / s->word;
    for (uint32_t w = offset / s->word; w <= (offset + r->bytes - 1) / s->word; w++) {
      uint32_t node = stride ? cell_class_at (s, object, w % stride, stride).in : memory_cell_at (s, object, w);
      solver_add_copy (s, value, node);
      if (!whole && !stride) solver_blur_into (s, node, node);
    }
  }
  if (!whole && (place >= NUM_PLACES || p.stride)) memory_tear_object (s, object);
}

void memory_store_anywhere (solver *s, const pointsto_rule *r) {
  solver_add_copy (s, r->pieces, s->everywhere);
  if (s->all_torn) return;
  s->all_torn = true;
  for (uint32_t o = 0; o < s->num_objects; o++)
    if (s->objects[o].in) memory_tear_object (s, o);
}
