// Counted heap.  Sizes are passed to mem_free, so no header is kept per block; the count is what --memory
// and --stats speak of, and what unit tests compare with zero at their end.
#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t live, peak;
static size_t limit;
static _Thread_local void (*exhausted_handler) (void *);
static _Thread_local void *exhausted_state;

_Noreturn void mem_exhausted (void) {
  if (exhausted_handler) exhausted_handler (exhausted_state);
  fputs ("lockstep: out of memory\n", stderr);
  exit (MEM_EXHAUSTED_EXIT_CODE);
}

void mem_note_peak (size_t bytes) {
  size_t most = atomic_load_explicit (&peak, memory_order_relaxed);
  while (bytes > most && !atomic_compare_exchange_weak (&peak, &most, bytes)) continue;
}

static void count_bytes (size_t bytes) {
  size_t now = atomic_fetch_add (&live, bytes) + bytes;
  if (limit && now > limit) {
    atomic_fetch_sub (&live, bytes);
    mem_exhausted ();
  }
  mem_note_peak (now);
}

static void *counted (void *block, size_t bytes) {
  if (block) return block;
  atomic_fetch_sub (&live, bytes);
  mem_exhausted ();
}

void *mem_alloc (size_t bytes) {
  count_bytes (bytes);
  return counted (malloc (bytes ? bytes : 1), bytes);
}

void *mem_zalloc (size_t bytes) {
  count_bytes (bytes);
  return counted (calloc (1, bytes ? bytes : 1), bytes);
}

void *mem_realloc (void *old, size_t old_bytes, size_t new_bytes) {
  if (new_bytes > old_bytes) count_bytes (new_bytes - old_bytes);
  void *block = realloc (old, new_bytes ? new_bytes : 1);
  if (!block) {
    if (new_bytes > old_bytes) atomic_fetch_sub (&live, new_bytes - old_bytes);
    mem_exhausted ();
  }
  if (new_bytes < old_bytes) atomic_fetch_sub (&live, old_bytes - new_bytes);
  return block;
}

void mem_free (void *block, size_t bytes) {
  if (!block) return;
  atomic_fetch_sub (&live, bytes);
  free (block);
}

void *mem_grow (void *data, size_t element, uint32_t needed, uint32_t *capacity) {
  if (needed <= *capacity) return data;
  uint32_t grown = *capacity ? *capacity : 4;
  while (grown < needed) grown = grown > UINT32_MAX / 2 ? UINT32_MAX : grown * 2;
  data = mem_realloc (data, element * *capacity, element * grown);
  *capacity = grown;
  return data;
}

size_t mem_live_bytes (void) { return live; }
size_t mem_peak_bytes (void) { return peak; }
void mem_set_limit (size_t bytes) { limit = bytes; }

void mem_set_exhausted_handler (void (*handler) (void *), void *state) {
  exhausted_handler = handler;
  exhausted_state = state;
}
