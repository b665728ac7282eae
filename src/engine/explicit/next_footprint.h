// The footprint of a thread's next step: what it accesses, as far as other threads could notice.
#ifndef LOCKSTEP_EXPLICIT_TOUCH_H
#define LOCKSTEP_EXPLICIT_TOUCH_H

#include "engine/explicit/explicit_impl.h"

// An access: bytes of memory, of a synchronisation object, or of a thread's entry in the thread table (a
// pseudo-address).
typedef struct step_access {
  uint64_t address;
  uint32_t bytes;
  bool write, plain;
} step_access;

typedef struct next_footprint {
  VEC (step_access) items;
  bool everything;  // the step ends the execution, or its accesses are unknown: it conflicts with all other steps
  bool region;                 // it runs an atomic region, whose accesses next_footprint_rehearse finds
} next_footprint;

// Computes the footprint of the thread's next step, which is a visible operation.
void next_footprint_find (const current_state *, uint32_t slot, next_footprint *out);
// The same with the accesses of an atomic region, which are found by executing it. The state must be committed, and is
// unchanged afterwards.
void next_footprint_rehearse (current_state *, uint32_t slot, next_footprint *out);
static inline uint64_t thread_entry_address (const ir_program *p, uint32_t slot) {  // no object has this number
  return ((uint64_t) UINT32_MAX << p->offset_bits) + slot * 4ull;
}
// Pseudo-address of the free slots: which slot, and so which handle, a new thread gets depends on the threads joined
// before.
static inline uint64_t free_slots_address (const ir_program *p) { return thread_entry_address (p, IR_MAX_THREADS); }
// address that no operation writes
static inline uint64_t events_address (const ir_program *p) { return thread_entry_address (p, IR_MAX_THREADS + 1); }
static inline bool xs_ranges_overlap (uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

#endif
