// The semantics of the synchronisation operations, as data: one row of facts and one rule for each operation.
// docs/formats/ir.md says the same in words.  The engines, the analyses and the traces use these tables.  The judge in
// src/verdict is written by hand instead; src/verdict/rules_test.c compares it with the rules in all small states.
//
//   const ir_sync *s = ir_sync_of (edge->op);           // family IR_NO_FAMILY: not a synchronisation operation
//   if (s->blocks) ...                                  // a fact
//   const ir_rule *r = ir_rule_of (edge->op);           // what the operation does
//   if (!r->enabled || holds (r->enabled)) for each r->effects ...
#ifndef LOCKSTEP_IR_SYNC_H
#define LOCKSTEP_IR_SYNC_H

#include "ir/fault.h"
#include "ir/ir.h"
#include "ir/ir_step.h"

// ---- facts -------------------------------------------------------------------------------------------
typedef enum ir_family {
  IR_NO_FAMILY, IR_F_MUTEX, IR_F_RWLOCK, IR_F_SPIN, IR_F_COND, IR_F_SEM, IR_F_BARRIER, IR_F_ONCE, IR_F_REGION,
  IR_F_THREAD, IR_NUM_FAMILIES
} ir_family;
typedef enum ir_action {
  IR_NO_ACTION,
  IR_A_INIT, IR_A_DESTROY,
  IR_A_ACQUIRE,                // waits until it has acquired the object
  IR_A_TRY, IR_A_TIMED,        // acquires the object or fails
  IR_A_RELEASE,
  IR_A_WAIT,                   // releases the mutex and begins to wait; IR_A_RESUME and IR_A_TIMED_RESUME end the wait
  IR_A_RESUME, IR_A_TIMED_RESUME,
  IR_A_WAKE_ONE, IR_A_WAKE_ALL,
  IR_A_READ,                   // reads the value
  IR_A_ARRIVE, IR_A_LEAVE,     // at a barrier
  IR_A_START, IR_A_JOIN, IR_A_DETACH, IR_A_END, IR_A_NAME, // of a thread
} ir_action;

// Kinds of waits that only operations of other threads end; a set of bits.
enum { IR_WAKES_COND = 1, IR_WAKES_SEM = 2, IR_WAKES_BARRIER = 4 };
typedef enum ir_mover { IR_NON_MOVER, IR_RIGHT_MOVER, IR_LEFT_MOVER } ir_mover;  // TXN section 2, of a success
typedef enum ir_order_edge {
  IR_ORDERS_NOTHING,
  IR_ORDERS_AFTER,             // an acquire: happens after the release of the object
  IR_ORDERS_BEFORE             // a release: happens before the next acquire of the object
} ir_order_edge;

typedef struct ir_sync {
  ir_family family;
  ir_action action;
  bool shared;                 // it holds or releases a reader-writer lock for reading
  bool blocks;                 // it may wait without a limit (a timed operation does not)
  bool names_mutex;            // its second operand is the address of a mutex
  bool untouched;              // it does not access the object of its first operand, which may no longer exist
  uint8_t ends;                // the kinds of waits (IR_WAKES_*) that it may end
  uint8_t needs;               // the kind of wait (IR_WAKES_*) that it is itself, or 0
  ir_mover mover;
  ir_order_edge happens;       // its side of a happens-before edge
  ir_step step;                // how a trace shows it
} ir_sync;

extern const ir_sync ir_sync_table[IR_NUM_OPS];
static inline const ir_sync *ir_sync_of (ir_op op) { return &ir_sync_table[op]; }
const char *ir_family_name (ir_family);            // "mutex", "condition variable", ...
uint32_t ir_family_bytes (const ir_program *, ir_family);  // the size of the object's state
bool ir_family_is_lock (ir_family);                // mutex, rwlock, or spin lock

// ---- the words of an object --------------------------------------------------------------------------
typedef enum ir_word {
  IR_W_STATE, IR_W_OWNER /* of an rwlock: the writer */, IR_W_COUNT, IR_W_KIND, IR_W_READERS, IR_W_VALUE, IR_W_ARRIVED,
  IR_NUM_WORDS
} ir_word;
// Offset of the word + 1; 0: the family has no such word.  The kind of a mutex is missing (IR_MUTEX_KIND).
extern const uint8_t ir_word_places[IR_NUM_FAMILIES][IR_NUM_WORDS];
// Returns the offset of the word in the object, or IR_NONE if the family has no such word.
static inline uint32_t ir_word_at (const ir_program *p, ir_family family, ir_word word) {
  if (word == IR_W_KIND && family == IR_F_MUTEX) return IR_MUTEX_KIND (p);
  return ir_word_places[family][word] - 1u;
}

// ---- rules -------------------------------------------------------------------------------------------
typedef enum ir_rule_op {
  IR_R_NUMBER,                 // `value`
  IR_R_ARG,                    // the second operand
  IR_R_SELF,                   // slot + 1 of the running thread, as in owner words
  IR_R_WORD,                   // the word `value` of the object; for an operation that names a mutex: of the mutex
  IR_R_MINE,                   // 1 if the running thread is the owner
  IR_R_READS,                  // how often the running thread holds the lock for reading
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
// The operation is a misuse if `when` is true: `other_fault` if `other` is true as well, else `fault`.
typedef struct ir_misuse {
  const ir_rule_expr *when;
  ir_fault fault;
  const ir_rule_expr *other;
  ir_fault other_fault;
} ir_misuse;

enum { IR_MOST_EFFECTS = 4 };
// An expression of a condition may be NULL: see each field for what that means.
typedef struct ir_rule {
  bool looks_at_reads, looks_at_use;  // an expression of the rule contains READS, IN_USE
  const ir_rule_expr *enabled; // the guard; NULL: always enabled
  ir_misuse for_ever;          // reported as soon as the thread is at the operation, which is never enabled then
  ir_misuse misuse;            // reported when the operation is executed
  uint8_t num_effects;
  ir_effect effects[IR_MOST_EFFECTS];  // simultaneous: all values are computed in the state before the operation
  // the running thread acquires the lock (for reading, once more, if `shared`); NULL: never
  const ir_rule_expr *takes;
  const ir_rule_expr *gives;   // the owner, or the running thread if it holds the lock for reading, releases it
  bool gives_all;              // ... and so does every other thread that holds it
  const ir_rule_expr *waits;   // the running thread begins to wait at the object
  bool may_wake_alone;         // ... unless it chooses a spurious wake-up
  bool stops_waiting;          // the running thread stops waiting
  const ir_rule_expr *wakes;   // threads that wait at the object are woken: all, or one if the action is IR_A_WAKE_ONE
  const ir_rule_expr *result;  // the value of dst; NULL: none
} ir_rule;

// Does the second operand become a word of the object?
static inline bool ir_sync_stores_argument (ir_op op) {
  return ir_sync_of (op)->action == IR_A_INIT && ir_op_table[op].max_args > 1;
}
// The rule of each operation; NULL for an operation that works on no object, such as thread_join or atomic_begin.
extern const ir_rule *const ir_rule_table[IR_NUM_OPS];
static inline const ir_rule *ir_rule_of (ir_op op) { return ir_rule_table[op]; }

// A concrete state for evaluating a rule: the words of the object in `bytes`, and the values of the other leaves (MINE
// is computed).  READS and IN_USE are needed only if the rule looks at them.
typedef struct ir_rule_state {
  const uint8_t *bytes;        // the object's contents
  const uint8_t *places;       // ir_word_places of its family
  uint32_t kind_at;            // IR_MUTEX_KIND
  uint32_t arg, self, reads, waiting, in_use;
} ir_rule_state;
uint32_t ir_rule_value (const ir_rule_expr *, const ir_rule_state *);
static inline bool ir_rule_holds (const ir_rule_expr *x, const ir_rule_state *s, bool otherwise) {
  return x ? ir_rule_value (x, s) != 0 : otherwise;
}

#endif
