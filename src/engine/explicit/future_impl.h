// Private to future.c (thread components, locks held, the test) and future_walk.c (abstract execution of a frame).
#ifndef LOCKSTEP_EXPLICIT_FUTURE_IMPL_H
#define LOCKSTEP_EXPLICIT_FUTURE_IMPL_H

#include "engine/explicit/lock_family.h"

struct pointsto;

// Abstract values of registers: what is known for certain about a value at all times to come.
typedef struct abstract_value value;
typedef enum value_kind {
  V_NONE,    // no value yet
  V_CONST,   // x
  V_OBJECT,  // somewhere in object number x
  V_FRESH,   // in an object still to be allocated: nobody else can touch it now
  V_TLS,     // in a thread-local of the thread itself
  V_CELL,    // whatever memory holds at address x
  V_SELF,    // the thread's own handle
  V_RESULT,  // what a joined thread returned
  V_ANY
} value_kind;

typedef enum bit_kind { BIT_EXCLUSIVE, BIT_SHARED, BIT_JOIN_CELL, BIT_JOIN_HANDLE } bit_kind;
typedef struct lock_bit { bit_kind kind; uint64_t key; } lock_bit;  // key: address of lock or cell, or handle
enum { LOCK_BITS = 64, ACTIVE_PROCS = 48 };

struct futures {
  const code *code;
  const ir_program *program;
  uint32_t num_static;
  bool use_locks, use_joins;
  struct pointsto *pointsto;
  VEC (lock_bit) bits;
  future unknown;                  // of a thread about which nothing can be said
  VEC (future *) all;              // owned; [0] unused
  map frames;                      // hash of a frame's place and values -> index in all
  map summaries;                   // hash of a procedure and its arguments -> the same
  map cell_writers;                // hash of a future and a cell -> whether it may write it
  VEC (uint32_t) of_component;     // thread component -> index in all, 0
  VEC (uint32_t) active;           // procedures being analysed
};

lock_set futures_bit (futures *, bit_kind, uint64_t key);  // 0 when there are too many
future *futures_add (futures *);
// Appends what `later` may do after `prefix` has been taken and `held` is held.
void future_append (future *out, const future *later, const lock_family *prefix, const lock_state *held);
void future_note (future *out, future_access);             // joins it with an equal one, as the next two
void future_note_racy (future *out, racy_access);
void future_note_check (future *out, uint32_t edge);
void future_note_not_self (future *out, uint64_t cell);
void future_note_release (future *out, future_access);

// From pc in a procedure, with these registers (consumed), until it returns.  `frame`: its depth, 0 for a call still to be made.
typedef struct frame_start { uint32_t pc; value *regs; uint32_t frame; } frame_start;
void future_of_frame (futures *, uint32_t proc, frame_start, future *out);
future *future_of_call (futures *, uint32_t proc, const value *args, uint32_t num_args);

#endif
