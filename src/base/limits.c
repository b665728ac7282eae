// The record of the limits that a run has met (limits.h).
#include "base/limits.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <sys/mman.h>

typedef _Atomic uint8_t flag;

static const limit_row rows[NUM_LIMITS] = {
#define X(NAME, VALUE, PART, COUNTED, BEYOND) {#NAME, VALUE, PART, COUNTED, BEYOND},
    LIMITS (X)
#undef X
};

static flag own[NUM_LIMITS];
static flag *met = own;

const limit_row *limit_at (limit_id id) { return &rows[id]; }

// If no page can be mapped, each process has its own record: the report may then name too few limits, and nothing else
// changes.
void limits_share (void) {
  void *page = mmap (NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) met = page;
}

// Reading first keeps the cache line shared between threads that meet the same limit again and again.
bool limit_note (limit_id id) {
  if (!limit_was_met (id)) atomic_store_explicit (&met[id], 1, memory_order_relaxed);
  return true;
}

bool limit_was_met (limit_id id) { return atomic_load_explicit (&met[id], memory_order_relaxed); }

void limits_forget (void) {
  for (limit_id id = 0; id < NUM_LIMITS; id++) atomic_store_explicit (&met[id], 0, memory_order_relaxed);
}

void limit_describe (limit_id id, strbuf *out) {
  const limit_row *r = &rows[id];
  strbuf_printf (out, "%s: at most %" PRIu64 " %s; beyond that, %s", r->part, r->value, r->counted, r->beyond);
}
