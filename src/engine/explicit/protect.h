// Which locks protect which variables: inferred while the search runs (TXN section 6), for transactions and for the
// report.
#ifndef LOCKSTEP_EXPLICIT_PROTECT_H
#define LOCKSTEP_EXPLICIT_PROTECT_H

#include "engine/explicit/next_footprint.h"

enum { VARIABLE_BYTES = 4, PROTECTING_ROOM = 4 };

typedef struct protecting_lock {
  uint64_t address;
  bool shared_only;            // held for reading at some access
} protecting_lock;

// Four bytes of memory, or a lock. Until a second thread accesses it, it belongs to the first one.
typedef struct protected_variable {
  uint64_t address;
  uint32_t owner;              // slot
  bool lock;                   // it is a lock that has been held
  bool disturbed;              // written like data while several threads were running
  bool shared, written, lost;  // lost: it is written, and no lock is held at every access
  uint32_t num_locks, accesses;
  protecting_lock locks[PROTECTING_ROOM];
  VEC (state_id) relying;      // states whose transactions relied on its protection
} protected_variable;

struct protect {
  VEC (protected_variable) variables;
  map by_address;
  bool overwritten;            // a lock was written like data
  VEC (uint32_t) lost;  // variables that have lost their protection and whose relying states are not reopened yet
};

void protect_release (protect *);
// records an access that is being executed
void protect_note (protect *, const current_state *, uint32_t slot, uint64_t address, uint32_t bytes, bool write);
// Other threads look at the lock while it is held: no thread has exclusive access to it
void protect_give_up (protect *, uint64_t lock);
// Records an operation on a lock or semaphore: gives the protection up if the operation can observe another holder.
void protect_note_sync (protect *, uint8_t ir, uint64_t lock);
// Returns whether the thread has exclusive access to these bytes (TXN 4.1: E(t,x)); adds the variables on which the
// answer relies to `relied`.
typedef VEC (uint32_t) variable_list;
bool protect_exclusive (protect *, const current_state *, uint32_t slot, const step_access *, variable_list *relied);
bool protect_exclusive_lock (protect *, uint64_t lock, variable_list *relied);   // the thread must hold the lock
void protect_merge (protect *, const protect *other);    // as if all accesses of the other one had been recorded here
void protect_report (const protect *, const current_state *, verdict *);

#endif
