// What a thread touches in its next step, as far as other threads could notice.
#ifndef LOCKSTEP_EXPLICIT_TOUCH_H
#define LOCKSTEP_EXPLICIT_TOUCH_H

#include "engine/explicit/explicit_impl.h"

// Bytes of memory, of a synchronisation object, or of a thread's entry in the table of threads (its pseudo-address).
typedef struct touch {
  uint64_t address;
  uint32_t bytes;
  bool write, plain;
} touch;

typedef struct touch_set {
  VEC (touch) items;
  bool everything;             // the step ends the execution, or nobody knows: it meets whatever others do
  bool region;                 // it runs an atomic region: touch_rehearse knows what that touches
} touch_set;

// Of the step that the thread would take now; it stands before a visible operation.
void touch_next (const world *, uint32_t slot, touch_set *out);
// The same with what an atomic region touches, which is found by running it.  The world must be committed, and is left as it was.
void touch_rehearse (world *, uint32_t slot, touch_set *out);
static inline uint64_t touch_thread_entry (const ir_program *p, uint32_t slot) {  // no object has this number
  return ((uint64_t) UINT32_MAX << p->offset_bits) + slot * 4ull;
}
// Which slot a new thread gets, and so its handle, depends on who has been joined before.
static inline uint64_t touch_free_slots (const ir_program *p) { return touch_thread_entry (p, IR_MAX_THREADS); }
static inline uint64_t touch_events (const ir_program *p) { return touch_thread_entry (p, IR_MAX_THREADS + 1); }  // nobody writes here
static inline bool touch_overlaps (uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

#endif
