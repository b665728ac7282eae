// Operations on synchronisation objects, as the rules of ir/sync.h say: an operation reads the words of its object,
// goes on only if it is enabled (a thread whose operation is not enabled stays where it is), and writes the new words,
// all in one step.  The executor keeps what the words do not tell, such as how often a thread reads an rwlock.
//
//   executor x = ...;
//   synchronise (&x, &my_sync_hooks, waiters, spurious_wakeups);
#ifndef LOCKSTEP_SYMBOLIC_SYNCHRONISE_H
#define LOCKSTEP_SYMBOLIC_SYNCHRONISE_H

#include "encode/rule.h"
#include "symbolic/executor.h"

typedef struct sync_hooks sync_hooks;
typedef unsigned __int128 sync_threads;  // a set: bit t for thread t

// An operation that is executed.
typedef struct sync_step {
  const executor *x;
  term_pool *p;
  const sync_hooks *hooks;
  const ir_sync *facts;
  const ir_rule *rule;
  rule_terms terms;            // of the rule
  ir_family family;            // of the object whose words the rule speaks of
  targets at;                  // that object, good for an access
  term address;                // its address
  term waited_at;              // the first argument
  term self;                   // thread + 1, as the words have it
  sync_threads waiters;        // those that may wait at some object, perhaps the running thread among them
  bool spurious_wakeups;       // a wait may end without a signal
} sync_step;

// What the operation does, worked out before any word changes; conditions are falsity and `reads` is TERM_NONE where
// the rule does not speak of them.
typedef struct sync_change {
  term takes, gives, wakes, waits;  // as in ir_rule
  term mine;                   // a lock that is given: the thread owns it
  term reads;                  // of an rwlock: how often the thread reads it
  term waiting;                // the thread has not been woken yet
} sync_change;

// NULL: there is nothing to do, if it is a note.
struct sync_hooks {
  term (*waits_at) (const sync_step *, uint32_t thread);         // address of the object at which it waits, or 0
  void (*set_waits_at) (const sync_step *, uint32_t thread, term address, term condition);
  term (*word) (const sync_step *, ir_word);                     // before the operation
  void (*set_word) (const sync_step *, ir_word, term value, term condition);
  term (*mine) (const sync_step *);                              // the running thread owns it
  term (*reads) (const sync_step *);                             // how often it holds it for reading
  term (*unusable) (const sync_step *);                          // it is not initialised, or was destroyed
  // of an rwlock or pthread_once: others that could end it
  void (*complete_wait) (const sync_step *, waiting *);
  bool (*wake_one) (const sync_step *);                          // false: it leaves that to us
  // One of several threads is woken by a choice.  `any` can be woken, `woken` is.
  void (*settle_choice) (const sync_step *, term several, term any, term woken);
  void (*note_begin) (const sync_step *);                        // before it waits
  void (*note_misuse) (const sync_step *, term wrong);
  void (*note_change) (const sync_step *, const sync_change *);  // before the words change
  void (*change_holds) (const sync_step *, const sync_change *); // after they have
};

void synchronise (const executor *, const sync_hooks *, sync_threads waiters, bool spurious_wakeups);

// For hooks.
term sync_number (const sync_step *, uint64_t value);            // of 32 bits
term sync_read (const sync_step *, ir_word);                     // the word as it stands in memory
void sync_write (const sync_step *, ir_word, term value, term condition);
term sync_is (const sync_step *, term, uint64_t value);
bool sync_sets_up (const sync_step *);                           // it initialises or destroys the object

#endif
