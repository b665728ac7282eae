// Which locks protect what: learned while the search runs (TXN section 6), for transactions and for the report.
#ifndef LOCKSTEP_EXPLICIT_PROTECT_H
#define LOCKSTEP_EXPLICIT_PROTECT_H

#include "engine/explicit/touch.h"

enum { VARIABLE_BYTES = 4, PROTECTING_ROOM = 4 };

typedef struct protecting_lock { uint64_t address; bool shared_only; /* held for reading at some access */ } protecting_lock;

// Four bytes of memory, or a lock.  Until a second thread comes it belongs to the first one.
typedef struct protected_variable {
  uint64_t address;
  uint32_t owner;              // slot
  bool lock;                   // it has been held
  bool disturbed;              // written to like data while there were several threads
  bool shared, written, lost;  // lost: not even read-only, and no lock is held at every access
  uint32_t num_locks, accesses;
  protecting_lock locks[PROTECTING_ROOM];
  VEC (state_id) relying;      // states whose transactions took it as protected
} protected_variable;

struct protect {
  VEC (protected_variable) variables;
  map by_address;
  bool overwritten;            // a lock has been written to like data
  VEC (uint32_t) lost;         // variables that have lost their protection and whose relying states are not yet reopened
};

void protect_release (protect *);
void protect_note (protect *, const world *, uint32_t slot, uint64_t address, uint32_t bytes, bool write);  // an access is being made
void protect_give_up (protect *, uint64_t lock);         // looked at by others while it is held: no exclusive access to it
// Has the thread exclusive access to these bytes (TXN 4.1: E(t,x))?  The variables it is true of are added to `relied`.
typedef VEC (uint32_t) variable_list;
bool protect_exclusive (protect *, const world *, uint32_t slot, const touch *, variable_list *relied);
bool protect_exclusive_lock (protect *, uint64_t lock, variable_list *relied);   // given that the thread holds it
void protect_merge (protect *, const protect *other);    // as if all accesses of the other had been noted here
void protect_report (const protect *, const world *, verdict *);

#endif
