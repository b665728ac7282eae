// What a piece of a thread's path does to its locks (LOCK, definition 4, made relative to an unknown beginning): which locks
// of the beginning it gives back, which it takes and still holds, each with its acquisition history, and which it takes
// at all (these enter the histories of what was held before).  Effects are interned: equal ones have equal numbers.
//
// The state of a thread is the effect of its path from its start, where nothing is held.
#ifndef LOCKSTEP_LOCKS_EFFECT_H
#define LOCKSTEP_LOCKS_EFFECT_H

#include "base/idset.h"
#include "engine/locks/lock.h"

typedef struct held_lock {
  uint32_t use;                // lock_use
  uint32_t history;            // idset of lock_use: taken after it
  uint16_t count;              // of a recursive mutex
  bool sure;                   // false: it may have been given back
  uint32_t edge;               // where it was taken
} held_lock;

typedef struct known_value { uint32_t value; uint32_t zero; uint64_t low; } known_value;  // a term and the number it has

enum { MOST_HELD = 32, MOST_RELEASED = 32, MOST_KNOWN = 8, MOST_COUNT = 8,
       MOST_NAMES = 16 /* of locks that are not fixed, in a set that leaves a procedure */ };

typedef struct effect {
  uint32_t num_held, num_released, num_known;
  uint32_t acquired;           // idset of lock_use
  uint32_t wanted;             // idset of lock_use: had to be free at the beginning
  uint32_t facts;              // idset of lock_use: `once` routines it has seen done
  uint32_t created;            // idset of edges: threads it has created
  uint32_t since;              // idset of `pairs`: locks held ever since a thread was created
  held_lock held[MOST_HELD];   // in order of acquisition; then those that are not sure or vague, by number
  uint32_t released[MOST_RELEASED];  // lock_use of locks of the beginning, in order; then vague ones, by number
  known_value known[MOST_KNOWN];     // by term
  bool lost;                   // too much to keep: what is held is not known
} effect;

typedef struct effects {
  lock_table *locks;
  idsets sets;
  intern table;
  intern pairs;                // held_since
  map ended;                   // locks for which a thread waited that held them: its path ended there
  bool never_ends;             // it goes on, because others may have given the lock back
} effects;

typedef struct held_since { uint32_t create, use; } held_since;

void effects_init (effects *, lock_table *);
void effects_release (effects *);
uint32_t effect_intern (effects *, const effect *);
void effect_load (const effects *, uint32_t number, effect *out);

// Taking and giving back.  False: the path ends here, because it waits for a lock that it holds itself.
bool effect_acquire (effects *, effect *, lock_use, ir_edge, bool late);
bool effect_may_fail_for_holder (const effects *, lock_use);     // without waiting, and nothing changes
void effect_release (effects *, effect *, lock_use);
void effect_release_fully (effects *, effect *, lock_use);       // however often it is held here
void effect_create (effects *, effect *, ir_edge create);
held_since effect_pair (const effects *, uint32_t item);         // of a set `since`
uint32_t effect_pair_item (effects *, held_since);
held_lock *effect_find (effect *, lock_use);                     // the same lock, held for reading or writing; NULL
const held_lock *effect_may_hold (const effects *, const effect *, lock_use);  // the first that may be the lock, by whatever name; NULL
bool effect_then (effects *, effect *first, const effect *second, bool late);  // first becomes first;second
void effect_forget (effects *, effect *, ir_proc, uint32_t reg); // the register is assigned: terms over it lose their meaning
void effect_forget_histories (effects *, effect *);              // what was taken on the way: the effect covers what it was before
// Every lock gets another name; in sets, those that become vague are dropped.
typedef uint32_t lock_renamer (void *state, uint32_t use);
void effect_rename (effects *, effect *, lock_renamer *, void *state);
bool effect_covers (const effects *, const effect *weaker, const effect *stronger);  // whatever meets `stronger` meets `weaker` as well
// If both differ only in what is not sure or vague, the first gets what the second has of that.
void effect_join (const effects *, effect *, const effect *);

void effect_learn (effect *, value, ir_value);
bool effect_knows (const effect *, value, ir_value *);

#endif
