// A fault says what exactly is wrong at a violation.  The judge (src/verdict) determines the fault, the rules of
// synchronisation (ir/sync.h) name faults, and reports choose their explanations by fault.  The words of each fault are
// in the table of fault.c and nowhere else.
#ifndef LOCKSTEP_IR_FAULT_H
#define LOCKSTEP_IR_FAULT_H

#include "base/arena.h"

typedef enum ir_fault {
  IR_FAULT_NONE,
  // accesses of memory
  IR_FAULT_NULL, IR_FAULT_INVALID,
  IR_FAULT_FREED,              // use after free
  IR_FAULT_STACK,              // a local of a function or block that has ended
  IR_FAULT_THREAD_STACK,       // a local of a thread that has ended
  IR_FAULT_BOUNDS,
  IR_FAULT_CONSTANT,           // write to constant memory
  IR_FAULT_BAD_FREE, IR_FAULT_DOUBLE_FREE, IR_FAULT_BAD_CALL,
  IR_FAULT_LEAK,
  // exclusive access (lockstep_own)
  IR_FAULT_INTRUSION,          // access to memory that another thread owns
  IR_FAULT_OWNED_TWICE,
  IR_FAULT_OWNER_CHANGED,      // a thread changes the ownership of another thread
  // synchronisation objects and threads
  IR_FAULT_UNINITIALISED, IR_FAULT_DESTROYED,
  IR_FAULT_RELOCK,             // the holder locks a lock that is not recursive
  IR_FAULT_UNLOCK_FREE,        // unlock of a lock that no thread holds
  IR_FAULT_UNLOCK_FOREIGN,     // unlock of a lock that another thread holds
  IR_FAULT_UNLOCK_OTHERS,      // unlock of a reader-writer lock that only other threads hold
  IR_FAULT_WAIT_UNLOCKED,      // wait at a condition variable without its mutex
  IR_FAULT_INIT_HELD, IR_FAULT_INIT_IN_USE,
  IR_FAULT_DESTROY_HELD, IR_FAULT_DESTROY_COND, IR_FAULT_DESTROY_BARRIER,  // COND, BARRIER: threads wait at it
  IR_FAULT_END_HOLDING,        // a thread ends and holds a lock
  IR_FAULT_BAD_JOIN, IR_FAULT_BAD_DETACH,
  // checks of the program
  IR_FAULT_CHECK,              // the message comes from the program or the library model
  IR_FAULT_REACH_ERROR, IR_FAULT_VERIFIER_ERROR,  // a call of reach_error or __VERIFIER_error (SV-COMP)
  IR_NUM_FAULTS
} ir_fault;

// Returns a text such as "relock of {}, which this thread already holds".  {} stands for the name of the object;
// `object` is the word for the kind of the object, such as "mutex".
const char *ir_fault_text (arena *, ir_fault, const char *object);

#endif
