// Places in an object, and the effect of arithmetic on them. A pointer into an array of structs that is moved by an
// unknown number of elements keeps its offset modulo the size of an element, so that fields stay distinct: a[i].name is
// never a[k].next.
#include "analysis/pointsto_impl.h"

stride_place place_stride (const place_table *t, uint32_t place) {
  if (place < NUM_OFFSETS || place >= NUM_PLACES) return (stride_place){0};
  return t->places.data[place - NUM_OFFSETS];
}

bool place_is_aligned (const place_table *t, uint32_t place) {
  if (place >= NUM_PLACES) return place == PLACE_ALIGNED;
  return place % t->word == 0;  // also for places with strides, by their numbers
}

static uint32_t unknown_place (bool aligned) { return aligned ? PLACE_ALIGNED : PLACE_ANY; }

// Returns the place of an offset, which may be negative: a pointer may leave its object and come back.
uint32_t place_at (const place_table *t, int64_t offset) {
  if (offset >= 0 && offset < NUM_OFFSETS) return (uint32_t) offset;
  return unknown_place (offset % t->word == 0);
}

// Returns the place of this offset plus multiples of the stride, which is a multiple of a word.
static uint32_t place_with_stride (place_table *t, uint64_t offset, uint64_t stride) {
  uint32_t rest = (uint32_t) (offset % 8), *used = &t->used[rest];
  bool aligned = offset % t->word == 0;
  if (stride <= t->word || stride > NUM_OFFSETS) return unknown_place (aligned);
  uint64_t key = stride << 32 | offset;
  const uint64_t *found = map_find (&t->numbers, key);
  if (found) return (uint32_t) *found;
  uint32_t place = NUM_OFFSETS + 8 * *used + rest;
  if (place >= NUM_PLACES) return unknown_place (aligned);
  while (t->places.count <= place - NUM_OFFSETS) vec_push (&t->places, (stride_place){0});
  t->places.data[place - NUM_OFFSETS] = (stride_place){(uint32_t) offset, (uint32_t) stride};
  map_insert (&t->numbers, key, place, NULL);
  ++*used;
  return place;
}

uint32_t place_shift (place_table *t, uint32_t place, int64_t amount) {
  stride_place p = place_stride (t, place);
  if (place < NUM_OFFSETS) return place_at (t, (int64_t) (place + (uint64_t) amount));
  if (!p.stride) return unknown_place (place == PLACE_ALIGNED && amount % t->word == 0);
  int64_t moved = ((int64_t) p.offset + amount % (int64_t) p.stride + (int64_t) p.stride) % (int64_t) p.stride;
  return place_with_stride (t, (uint64_t) moved, p.stride);
}

uint64_t common_factor (uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint32_t place_spread (place_table *t, uint32_t place, uint64_t factor) {
  stride_place p = place_stride (t, place);
  if (!factor || factor % t->word || place == PLACE_ANY) return PLACE_ANY;
  if (place == PLACE_ALIGNED) return PLACE_ALIGNED;
  if (!p.stride) return place_with_stride (t, place % factor, factor);
  uint64_t stride = common_factor (p.stride, factor);
  return place_with_stride (t, p.offset % stride, stride);
}
