// Replicated threads (efsm/crowd.c) in the transition system: which states belong to which thread of a group of like
// threads, and how a state changes if two threads of a group are exchanged.
//
// The threads of a group have roles: the first `tracked` ones are tracked exactly, the next one is an arbitrary other
// thread, and the last is only a number: it owns the locks of all remaining threads.
//
//   replicas c;
//   const char *why = replicas_init (&c, &system, &lowered, tracked);
//   if (!why) why = replicas_are_symmetric (&c, budget);      // NULL: exchanging two threads changes nothing
//   if (!why) replicas_make_views (&c, &views), ...
//   replicas_release (&c);                                    // also after a failure
#ifndef LOCKSTEP_CIRCUIT_REPLICAS_H
#define LOCKSTEP_CIRCUIT_REPLICAS_H

#include "engine/circuit/circuit_lower.h"
#include "prove/views.h"

// The value by which a state that names threads (the owner of a lock) names each of them.
typedef struct replica_names { uint32_t state; VEC (uint32_t) code; /* by thread */ } replica_names;
typedef struct replica_group { uint32_t threads[8]; } replica_group;  // [0..size[

typedef struct replicas {
  transition_system *s;
  lowered *l;
  uint32_t tracked, size;      // of each group; size is tracked + 2
  VEC (replica_group) list;
  VEC (uint32_t) thread;       // by state of the system: the replicated thread that it belongs to, or IR_NONE
  VEC (uint32_t) twin;         // by state: the same state of the first thread of the group; or IR_NONE
  map at;                      // twin << 32 | thread -> state
  VEC (replica_names) names;
  VEC (uint8_t) matters;       // by latch: a bad state depends on it
  VEC (uint8_t) node_matters;  // by node of the graph
} replicas;

// Adds comparisons that the system makes as `predicates` of it; to be called before it is lowered.
// asked: by goal. more: also conditions that the program does not contain.
void replicas_find_predicates (transition_system *, uint32_t tracked, const bool *asked, bool more);
void replicas_add_writers (transition_system *);               // to be called before the system is lowered
// Returns NULL, or why there are no such proofs.
const char *replicas_init (replicas *, transition_system *, lowered *, uint32_t tracked);
void replicas_release (replicas *);
const char *replicas_are_symmetric (replicas *, const budget *);   // returns NULL, or why symmetry is not known
void replicas_make_views (replicas *, views *);                // adds to the graph of the circuit

// Shared by the files of this module.
unsigned replicas_bits (const replicas *, uint32_t state);
bool replicas_state_matters (const replicas *, uint32_t state);
// Returns the same state of this other thread of the group.
uint32_t replicas_state (const replicas *, uint32_t state, uint32_t thread);
const replica_names *replicas_names (const replicas *, uint32_t state);  // NULL: the state names no threads
enum { REPLICA_WORD_BITS = 3 };  // variables with at least this many bits are numbers
typedef struct replica_word { aig_lit bit[128]; } replica_word;
// Replaces in the word the code of each thread t by the code of to[t]; IR_NONE: the code stays.
void replicas_rename (aig *, const replica_names *, unsigned bits, const uint32_t *to, replica_word *);
aig_lit replicas_word_is (aig *, const aig_lit *word, unsigned bits, uint64_t value);

#endif
