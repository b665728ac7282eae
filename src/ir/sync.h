// What the synchronisation operations mean, as data: one row of facts and one rule for each.  docs/formats/ir.md says
// the same in words.  The engines, the analyses and the traces work from here.  The interpreter in src/verdict, which
// judges the engines, is written by hand; src/verdict/rules_test.c compares it with the rules in all small states.
//
//   const ir_sync *s = ir_sync_of (edge->op);           // family IR_NO_FAMILY: it does not synchronise
//   if (s->blocks) ...                                  // a fact
//   const ir_rule *r = ir_rule_of (edge->op);           // its meaning
//   if (!r->enabled || holds (r->enabled)) for each r->effects ...
#ifndef LOCKSTEP_IR_SYNC_H
#define LOCKSTEP_IR_SYNC_H

#include "ir/fault.h"
#include "ir/ir.h"
#include "ir/step.h"

// ---- facts -------------------------------------------------------------------------------------------
typedef enum ir_family {
  IR_NO_FAMILY, IR_F_MUTEX, IR_F_RWLOCK, IR_F_SPIN, IR_F_COND, IR_F_SEM, IR_F_BARRIER, IR_F_ONCE, IR_F_REGION,
  IR_F_THREAD, IR_NUM_FAMILIES
} ir_family;
typedef enum ir_action {
  IR_NO_ACTION,
  IR_A_INIT, IR_A_DESTROY,
  IR_A_ACQUIRE,                // waits until it gets the object
  IR_A_TRY, IR_A_TIMED,        // gets it or gives up
  IR_A_RELEASE,
  IR_A_WAIT,                   // gives the mutex away and begins to wait; IR_A_RESUME and IR_A_TIMED_RESUME end that
  IR_A_RESUME, IR_A_TIMED_RESUME,
  IR_A_WAKE_ONE, IR_A_WAKE_ALL,
  IR_A_READ,                   // looks at the value
  IR_A_ARRIVE, IR_A_LEAVE,     // at a barrier
  IR_A_START, IR_A_JOIN, IR_A_DETACH, IR_A_END, IR_A_NAME, // of a thread
} ir_action;

// Kinds of waits that operations of other threads end.
enum { IR_WAKES_COND = 1, IR_WAKES_SEM = 2, IR_WAKES_BARRIER = 4 };
typedef enum ir_mover { IR_NON_MOVER, IR_RIGHT_MOVER, IR_LEFT_MOVER } ir_mover;  // TXN section 2, if it succeeds
typedef enum ir_order_edge {
  IR_ORDERS_NOTHING,
  IR_ORDERS_AFTER,             // acquires what was released
  IR_ORDERS_BEFORE             // releases
} ir_order_edge;

typedef struct ir_sync {
  ir_family family;
  ir_action action;
  bool shared;                 // of an rwlock: for reading
  bool blocks;                 // it may have to wait; a timed operation does not
  bool names_mutex;            // its second argument is a mutex
  bool untouched;              // does not access its first argument's object, which may be gone by then
  uint8_t ends;                // kinds of waits (IR_WAKES_*) that it may end
  uint8_t needs;               // kind of wait that it is, which only other threads' operations end
  ir_mover mover;
  ir_order_edge happens;       // its happens-before edge
  ir_step step;                // what a trace shows of it
} ir_sync;

extern const ir_sync ir_sync_table[IR_NUM_OPS];
static inline const ir_sync *ir_sync_of (ir_op op) { return &ir_sync_table[op]; }
const char *ir_family_name (ir_family);            // "mutex", "condition variable", ...
uint32_t ir_family_bytes (const ir_program *, ir_family);  // of the object's state
bool ir_family_is_lock (ir_family);                // mutex, rwlock, spin lock

// ---- the words of an object --------------------------------------------------------------------------
typedef enum ir_word {
  IR_W_STATE, IR_W_OWNER /* of an rwlock: the writer */, IR_W_COUNT, IR_W_KIND, IR_W_READERS, IR_W_VALUE, IR_W_ARRIVED,
  IR_NUM_WORDS
} ir_word;
// Offset + 1, 0: the family has no such word; without the kind of a mutex.
extern const uint8_t ir_word_places[IR_NUM_FAMILIES][IR_NUM_WORDS];
// Offset in the object; IR_NONE: it has no such word.
static inline uint32_t ir_word_at (const ir_program *p, ir_family family, ir_word word) {
  if (word == IR_W_KIND && family == IR_F_MUTEX) return IR_MUTEX_KIND (p);
  return ir_word_places[family][word] - 1u;
}

// ---- rules -------------------------------------------------------------------------------------------
typedef enum ir_rule_op {
  IR_R_NUMBER,                 // `value`
  IR_R_ARG,                    // the second argument
  IR_R_SELF,                   // slot + 1, as owner words have it
  IR_R_WORD,                   // the word `value` of the object; of an operation that names a mutex: of the mutex
  IR_R_MINE,                   // 1 if the running thread is the owner
  IR_R_READS,                  // how often the running thread holds it for reading
  IR_R_WAITING,                // 1 if the running thread has not been woken yet
  IR_R_IN_USE,                 // 1 if another thread waits at the object
  IR_R_EQUAL, IR_R_NOT, IR_R_AND, IR_R_OR, IR_R_IF /* a ? b : c */, IR_R_PLUS
} ir_rule_op;
typedef struct ir_rule_expr {
  ir_rule_op op;
  uint32_t value;
  const struct ir_rule_expr *a, *b, *c;
} ir_rule_expr;

typedef struct ir_effect { ir_word word; const ir_rule_expr *value, *when /* NULL: always */; } ir_effect;
// Where `other` holds as well, it is `other_fault`.
typedef struct ir_misuse {
  const ir_rule_expr *when;
  ir_fault fault;
  const ir_rule_expr *other;
  ir_fault other_fault;
} ir_misuse;

enum { IR_MOST_EFFECTS = 4 };
typedef struct ir_rule {
  bool looks_at_reads, looks_at_use;  // one of its expressions contains READS, IN_USE
  const ir_rule_expr *enabled; // NULL: always
  ir_misuse for_ever;          // seen as soon as the thread stands before the operation, which is never enabled then
  ir_misuse misuse;            // seen when the operation is executed
  uint8_t num_effects;
  ir_effect effects[IR_MOST_EFFECTS];  // all values are those before the operation
  const ir_rule_expr *takes;   // the lock becomes the running thread's, once more for reading if `shared`; NULL: never
  const ir_rule_expr *gives;   // its owner, or the running thread if it reads, has it no longer
  bool gives_all;              // ... whoever holds it
  const ir_rule_expr *waits;   // the running thread begins to wait at the object
  bool may_wake_alone;         // ... unless it chooses a spurious wake-up
  bool stops_waiting;          // the running thread waits no longer
  const ir_rule_expr *wakes;   // others that wait at the object are woken: all, or one if the action is IR_A_WAKE_ONE
  const ir_rule_expr *result;  // NULL: none
} ir_rule;

static inline bool ir_sync_stores_argument (ir_op op) {  // its second argument becomes a word of the object
  return ir_sync_of (op)->action == IR_A_INIT && ir_op_table[op].max_args > 1;
}
// NULL: not an operation on an object, such as thread_join or atomic_begin.
extern const ir_rule *const ir_rule_table[IR_NUM_OPS];
static inline const ir_rule *ir_rule_of (ir_op op) { return ir_rule_table[op]; }

// Evaluation in a concrete state: the words at their places in `bytes`, and the other leaves (MINE is worked out).
// READS and IN_USE need to be there only if the rule looks at them.
typedef struct ir_rule_state {
  const uint8_t *bytes;        // of the object
  const uint8_t *places;       // ir_word_places of its family
  uint32_t kind_at;            // IR_MUTEX_KIND
  uint32_t arg, self, reads, waiting, in_use;
} ir_rule_state;
uint32_t ir_rule_value (const ir_rule_expr *, const ir_rule_state *);
static inline bool ir_rule_holds (const ir_rule_expr *x, const ir_rule_state *s, bool otherwise) {
  return x ? ir_rule_value (x, s) != 0 : otherwise;
}

#endif
