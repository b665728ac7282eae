// What an executor of programs over terms offers to the operations that all executors share: those on memory
// (operations.c) and on synchronisation objects (synchronise.h).  Executors differ in what memory is (variables of a
// machine; contents and events of an unwound program) and in what becomes of a goal; the operations do not.
//
//   executor x = {.hooks = &my_hooks, .self = me, .program = p, .terms = &pool, .edge = e};
//   if (!executor_perform (&x)) ...   // an operation that executors do in their own ways
#ifndef LOCKSTEP_SYMBOLIC_EXECUTOR_H
#define LOCKSTEP_SYMBOLIC_EXECUTOR_H

#include "symbolic/pointers.h"

// ---- bytes of memory --------------------------------------------------------------------------------
typedef struct cells { term value, undefined; } cells;  // 8 bits and one bit per byte; undefined bytes have value 0

static inline cells cells_defined (term_pool *p, term value, uint32_t bytes) {
  return (cells){value, term_const (p, bytes, 0)};
}
static inline cells cells_choose (term_pool *p, term condition, cells x, cells otherwise) {
  return (cells){term_ite (p, condition, x.value, otherwise.value),
                 term_ite (p, condition, x.undefined, otherwise.undefined)};
}
static inline cells cells_join (term_pool *p, cells low, cells high) {
  return (cells){term_concat (p, high.value, low.value), term_concat (p, high.undefined, low.undefined)};
}
static inline cells cells_part (term_pool *p, cells c, uint32_t at, uint32_t bytes) {
  return (cells){term_extract (p, c.value, 8 * at, 8 * bytes), term_extract (p, c.undefined, at, bytes)};
}

typedef struct access_kind { uint32_t bytes; bool write, plain, hidden /* no access for races */; } access_kind;

// ---- waits ------------------------------------------------------------------------------------------
// Which threads could end a wait: the owner; any, by operations of the kind `by` (IR_WAKES_*), where `anybody` holds.
typedef struct waiting {
  term owner;                  // number of the thread + 1, or 0: none; TERM_NONE: no thread in particular
  term by_any_thread;
  uint8_t by;
  uint32_t rwlock;             // number of an rwlock: those that read it, too; or IR_NONE
  uint32_t joins;              // thread whose end is waited for, or IR_NONE
} waiting;

static inline waiting waits_for_owner (term_pool *p, term owner) {
  return (waiting){owner, p->falsity, 0, IR_NONE, IR_NONE};
}
static inline waiting waits_for_any_thread (term_pool *p, uint8_t by) {
  return (waiting){TERM_NONE, p->truth, by, IR_NONE, IR_NONE};
}

// ---- the executor -----------------------------------------------------------------------------------
typedef struct executor_hooks {
  bool (*alive) (void *self);  // the running thread can go on
  term (*get) (void *self, ir_reg, unsigned bits);
  void (*set) (void *self, ir_reg, term);  // resized; IR_NONE: nothing
  term (*address_of) (void *self, ir_object, uint32_t offset);  // thread-local objects: of the running thread's copy
  // The thread goes on only if the address may be accessed like this; the targets that are left.
  void (*check) (void *self, term address, access_kind, targets *);
  cells (*read) (void *self, const targets *, uint32_t at, uint32_t bytes);  // `at` bytes after the targets
  void (*write) (void *self, const targets *, uint32_t at, uint32_t bytes, cells, term condition);
  // Before an access of data, which may reach into a synchronisation object; value TERM_NONE: it only reads.
  void (*note_data) (void *self, const targets *, const ir_edge_data *, term value);
  term (*choose) (void *self, unsigned bits, term condition);  // a value that the running step chooses
  void (*goal) (void *self, ir_property, term wrong);  // the thread goes no further if it is wrong
  void (*misuse) (void *self, term wrong);             // of property locks; the thread goes on
  void (*doubt) (void *self, term condition, const char *what);  // it goes no further, and what follows is not known
  void (*note_wait) (void *self, term blocked, waiting);
  void (*block) (void *self, term enabled, waiting);   // it goes on only where it is enabled
} executor_hooks;

typedef struct executor {
  const executor_hooks *hooks;
  void *self;
  const ir_program *program;
  term_pool *terms;
  ir_edge edge;                // the operation
  uint32_t thread;             // that executes it
} executor;

static inline term executor_number (const executor *x, unsigned bits, uint64_t value) {
  return term_const (x->terms, bits, value);
}
static inline const ir_edge_data *executor_edge (const executor *x) { return ir_edge_at (x->program, x->edge); }

// ---- operations.c -----------------------------------------------------------------------------------
term executor_eval (const executor *, ir_expr);
term executor_argument (const executor *, unsigned number);  // of the operation
bool executor_perform (const executor *);  // accesses of memory, assignments, checks; false: the operation is none

#endif
