// What exactly is wrong where a property is violated.  The judge (src/verdict) finds it, the rules of synchronisation
// (ir/sync.h) name it, and reports choose their explanations by it.  The words of each fault are in the table of
// fault.c and nowhere else.
#ifndef LOCKSTEP_IR_FAULT_H
#define LOCKSTEP_IR_FAULT_H

#include "base/arena.h"

typedef enum ir_fault {
  IR_FAULT_NONE,
  // accesses of memory
  IR_FAULT_NULL, IR_FAULT_INVALID,
  IR_FAULT_FREED,              // use after free
  IR_FAULT_STACK,              // of a function or block that has ended
  IR_FAULT_THREAD_STACK,       // of a thread that has ended
  IR_FAULT_BOUNDS,
  IR_FAULT_CONSTANT,           // write to constant memory
  IR_FAULT_BAD_FREE, IR_FAULT_DOUBLE_FREE, IR_FAULT_BAD_CALL,
  IR_FAULT_LEAK,
  // exclusive access (lockstep_own)
  IR_FAULT_INTRUSION,          // use of what another thread owns
  IR_FAULT_OWNED_TWICE,
  IR_FAULT_OWNER_CHANGED,      // of another thread
  // synchronisation objects and threads
  IR_FAULT_UNINITIALISED, IR_FAULT_DESTROYED,
  IR_FAULT_RELOCK,             // by its holder, and it lets nobody in
  IR_FAULT_UNLOCK_FREE,        // unlock of a lock that no thread holds
  IR_FAULT_UNLOCK_FOREIGN,     // ... that another thread holds
  IR_FAULT_UNLOCK_OTHERS,      // ... that only others hold for reading, or one for writing
  IR_FAULT_WAIT_UNLOCKED,      // wait at a condition variable without its mutex
  IR_FAULT_INIT_HELD, IR_FAULT_INIT_IN_USE,
  IR_FAULT_DESTROY_HELD, IR_FAULT_DESTROY_COND, IR_FAULT_DESTROY_BARRIER,  // COND, BARRIER: threads wait there
  IR_FAULT_END_HOLDING,        // a thread ends and holds a lock
  IR_FAULT_BAD_JOIN, IR_FAULT_BAD_DETACH,
  // checks of the program
  IR_FAULT_CHECK,              // its message is the program's or the library model's
  IR_FAULT_REACH_ERROR, IR_FAULT_VERIFIER_ERROR,  // a call of these functions of SV-COMP
  IR_NUM_FAULTS
} ir_fault;

// "relock of {}, which this thread already holds": {} stands for the object, `object` is its kind, "mutex".
const char *ir_fault_text (arena *, ir_fault, const char *object);

#endif
