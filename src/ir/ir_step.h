// What one step of an interleaving does, as shown in traces.  The judge, the engines and the reports pass the value.
// The words of each step, for people and in the field "op" of docs/formats/json.md, are in the table of ir_step.c and
// nowhere else.
#ifndef LOCKSTEP_IR_STEP_H
#define LOCKSTEP_IR_STEP_H

#include <stdbool.h>

typedef enum ir_step {
  IR_STEP_NONE,                // not shown
  // memory
  IR_STEP_LOAD, IR_STEP_STORE, IR_STEP_RMW, IR_STEP_CMPXCHG, IR_STEP_ALLOC, IR_STEP_FREE, IR_STEP_FORGET, IR_STEP_OWN,
  // locks
  IR_STEP_LOCK, IR_STEP_TRYLOCK, IR_STEP_TIMEDLOCK, IR_STEP_UNLOCK,
  IR_STEP_RDLOCK, IR_STEP_WRLOCK, IR_STEP_TRYRDLOCK, IR_STEP_TRYWRLOCK, IR_STEP_TIMEDRDLOCK, IR_STEP_TIMEDWRLOCK,
  IR_STEP_ATOMIC_BEGIN, IR_STEP_ATOMIC_END,
  // other synchronisation
  IR_STEP_INIT, IR_STEP_DESTROY, IR_STEP_WAIT, IR_STEP_WAKE, IR_STEP_SIGNAL, IR_STEP_BROADCAST,
  IR_STEP_TRYWAIT, IR_STEP_TIMEDWAIT, IR_STEP_POST, IR_STEP_GETVALUE, IR_STEP_ARRIVE, IR_STEP_LEAVE,
  IR_STEP_ONCE, IR_STEP_ONCE_END,
  // threads
  IR_STEP_CREATE, IR_STEP_JOIN, IR_STEP_DETACH, IR_STEP_START, IR_STEP_END,
  // everything else
  IR_STEP_CALL, IR_STEP_RETURN, IR_STEP_CHOOSE, IR_STEP_CHECK, IR_STEP_OUTPUT, IR_STEP_EXIT,
  IR_STEP_AT,                  // the thread is at a place that the user has named (--reach-pair)
  IR_STEP_OTHER,
  IR_NUM_STEPS
} ir_step;

typedef struct ir_step_info {
  const char *word;            // in JSON: "load"
  const char *verb;            // for people: "read"
  bool reads, writes;          // it reads, writes memory that the program can name
  bool takes;                  // it acquires a lock, if it succeeds
  bool takes_shared;           // ... for reading, with other readers
  bool gives_value;            // its value is that of the object: "x = 1"; otherwise it is a result: "m: EBUSY"
  bool is_plain;               // of little interest to other threads: a long sequence of such steps may be abbreviated
} ir_step_info;
extern const ir_step_info ir_step_table[IR_NUM_STEPS];
static inline const ir_step_info *ir_step_of (ir_step s) { return &ir_step_table[s]; }

#endif
