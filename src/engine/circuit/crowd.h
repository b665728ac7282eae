// Which states of the system belong to which thread of a crowd (efsm/crowd.c), and what becomes of a state if such threads change places.
//
// The threads of a crowd have parts: the first `followed` ones are looked at, the next is any other one, and the last is nobody but has a number: it owns the locks of all the others.
//
//   crowds c;
//   const char *why = crowds_init (&c, &system, &lowered, followed);
//   if (!why) why = crowds_are_alike (&c, budget);            // NULL: exchanging two threads of a crowd changes nothing
//   if (!why) crowds_make_views (&c, &views), ...
//   crowds_release (&c);                                      // also after a failure
#ifndef LOCKSTEP_CIRCUIT_CROWD_H
#define LOCKSTEP_CIRCUIT_CROWD_H

#include "engine/circuit/lower.h"
#include "prove/views.h"

// What a state that names threads has for each of them; IR_NONE: no value of its own means this one.
typedef struct crowd_names { uint32_t state; VEC (uint32_t) code; /* by thread */ } crowd_names;
typedef struct crowd { uint32_t threads[8]; } crowd;  // [0..size[

typedef struct crowds {
  transition_system *s;
  lowered *l;
  uint32_t followed, size;     // of each crowd: size is followed + 2
  VEC (crowd) list;
  VEC (uint32_t) thread;       // by state of the system: whose it is in a crowd, or IR_NONE
  VEC (uint32_t) twin;         // by state: that of the first thread of the crowd; or IR_NONE
  map at;                      // twin << 32 | thread -> state
  VEC (crowd_names) names;
  VEC (uint8_t) matters;       // by latch: something that can go wrong depends on it
  VEC (uint8_t) node_matters;  // by node of the graph
} crowds;

// Comparisons in the system, which become `predicates` of it; before it is lowered.  asked: by goal.
void crowds_find_predicates (transition_system *, uint32_t followed, const bool *asked, bool more /* than the program writes down */);
void crowds_add_writers (transition_system *);                 // before it is lowered
const char *crowds_init (crowds *, transition_system *, lowered *, uint32_t followed);  // NULL, or why not
void crowds_release (crowds *);
const char *crowds_are_alike (crowds *, const budget *);       // NULL, or why it is not known
void crowds_make_views (crowds *, views *);                    // adds to the graph of the circuit

// For these files.
unsigned crowds_bits (const crowds *, uint32_t state);
bool crowds_state_matters (const crowds *, uint32_t state);
uint32_t crowds_state (const crowds *, uint32_t state, uint32_t thread);       // what is the same of this one of its crowd
const crowd_names *crowds_names (const crowds *, uint32_t state);              // NULL: it names no threads
enum { CROWD_WORD_BITS = 3 };  // variables with at least so many are numbers
typedef struct crowd_word { aig_lit bit[128]; } crowd_word;
// The word, with each thread's code replaced by that of to[thread]; IR_NONE: it stays.
void crowds_rename (aig *, const crowd_names *, unsigned bits, const uint32_t *to, crowd_word *);
aig_lit crowds_word_is (aig *, const aig_lit *word, unsigned bits, uint64_t value);

#endif
