// Private to future.c (thread components, held locks, the conflict test) and future_walk.c (abstract execution of a
// frame).
#ifndef LOCKSTEP_EXPLICIT_FUTURE_IMPL_H
#define LOCKSTEP_EXPLICIT_FUTURE_IMPL_H

#include "engine/explicit/lock_antichain.h"

struct pointsto;

// Abstract values of registers: what holds for a value in every continuation.
typedef struct abstract_value future_value;
typedef enum future_value_kind {
  V_NONE,    // no value yet
  V_CONST,   // x
  V_OBJECT,  // an address in object number x
  V_FRESH,   // an address in an object still to be allocated: no other thread can access it now
  V_TLS,     // an address in a thread-local of the thread itself
  V_CELL,    // the content of memory at address x
  V_SELF,    // the thread's own handle
  V_RESULT,  // the result of a joined thread
  V_ANY
} future_value_kind;

typedef enum bit_kind { BIT_EXCLUSIVE, BIT_SHARED, BIT_JOIN_CELL, BIT_JOIN_HANDLE } bit_kind;
typedef struct lock_bit { bit_kind kind; uint64_t key; } lock_bit;  // key: address of lock or cell, or handle
enum { LOCK_BITS = 64, ACTIVE_PROCS = 48 };

struct thread_futures {
  const code *code;
  const ir_program *program;
  uint32_t num_static;
  bool use_locks, use_joins;
  struct pointsto *pointsto;
  VEC (lock_bit) bits;
  thread_future unknown;       // the future of a thread about which nothing is known
  VEC (thread_future *) all;   // owned; [0] unused
  map frames;                  // hash of a frame's location and values -> index in all
  map summaries;               // hash of a procedure and its arguments -> the same
  map cell_writers;            // hash of a future and a cell -> whether it may write it
  VEC (uint32_t) of_component;  // thread component -> index in all, 0: not analysed
  VEC (uint32_t) active;       // procedures being analysed
};

lock_set futures_bit (thread_futures *, bit_kind, uint64_t key);  // returns 0 if there are too many bits
thread_future *futures_add (thread_futures *);
// Appends the future `later`, which happens after `prefix` was acquired and while `held` is held.
void future_append (thread_future *out, const thread_future *later, const lock_antichain *prefix,
                    const lock_state *held);
void future_note (thread_future *out, future_access);             // merges it with an equal access; so do the next two
void future_note_racy (thread_future *out, racy_access);
void future_note_check (thread_future *out, uint32_t edge);
void future_note_not_self (thread_future *out, uint64_t cell);
void future_note_release (thread_future *out, future_access);

// Computes the future from pc in a procedure, with these registers (which it changes), until the procedure returns.
// `frame`: depth of the frame, 0 for a call still to be made.
typedef struct frame_start { uint32_t pc; future_value *regs; uint32_t frame; } frame_start;
void future_of_frame (thread_futures *, uint32_t proc, frame_start, thread_future *out);
thread_future *future_of_call (thread_futures *, uint32_t proc, const future_value *args, uint32_t num_args);

#endif
