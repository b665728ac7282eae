// The rules of the synchronisation operations (sync.h): each operation is a guard and simultaneous assignments to the
// words of its object.  Rule expressions are constant data, built with the macros below.
#include "ir/sync.h"

#include <string.h>

enum { E_PERM = 1, E_AGAIN = 11, E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35, E_TIMEDOUT = 110 };

#define NODE(OP, VALUE, A, B, C) (&(const ir_rule_expr){IR_R_##OP, VALUE, A, B, C})
#define LEAF(OP, VALUE) NODE (OP, VALUE, NULL, NULL, NULL)
#define NUMBER(N) LEAF (NUMBER, N)
#define ARG LEAF (ARG, 0)
#define SELF LEAF (SELF, 0)
#define WORD(W) LEAF (WORD, IR_W_##W)
#define READS LEAF (READS, 0)
#define WAITING LEAF (WAITING, 0)
#define IN_USE LEAF (IN_USE, 0)
#define EQUAL(A, B) NODE (EQUAL, 0, A, B, NULL)
#define IS(A, N) EQUAL (A, NUMBER (N))
#define NOT(A) NODE (NOT, 0, A, NULL, NULL)
#define AND(A, B) NODE (AND, 0, A, B, NULL)
#define OR(A, B) NODE (OR, 0, A, B, NULL)
#define IF(A, B, C) NODE (IF, 0, A, B, C)
#define PLUS(A, N) NODE (PLUS, (uint32_t) (N), A, NULL, NULL)
#define ALWAYS NUMBER (1)
#define SET(W, VALUE) \
  { IR_W_##W, VALUE, NULL }
#define SET_IF(CONDITION, W, VALUE) \
  { IR_W_##W, VALUE, CONDITION }
#define EFFECTS(N) .num_effects = N, .effects

// ---- mutexes and spin locks --------------------------------------------------------------------------
#define FREE IS (WORD (OWNER), 0)
#define HELD NOT (FREE)
#define MINE LEAF (MINE, 0)
#define NOT_MINE &not_mine
static const ir_rule_expr not_mine = {IR_R_NOT, 0, MINE, NULL, NULL};
#define RECURSIVE IS (WORD (KIND), IR_MUTEX_RECURSIVE)
#define CHECKING IS (WORD (KIND), IR_MUTEX_ERRORCHECK)
#define NORMAL NOT (OR (RECURSIVE, CHECKING))
#define RELOCKS AND (MINE, NORMAL)
#define OBTAINABLE IF (MINE, RECURSIVE, FREE)

static const ir_rule mutex_init = {
    .misuse = {HELD, IR_FAULT_INIT_HELD},
    EFFECTS (4) = {SET (STATE, NUMBER (0)), SET (OWNER, NUMBER (0)), SET (COUNT, NUMBER (0)), SET (KIND, ARG)},
    .gives = ALWAYS,
    .gives_all = true};

static const ir_rule mutex_lock = {
    .enabled = IF (MINE, NOT (NORMAL), FREE),
    .for_ever = {RELOCKS, IR_FAULT_RELOCK},
    EFFECTS (2) = {SET_IF (NOT_MINE, OWNER, SELF),
                   SET_IF (NOT (AND (MINE, CHECKING)), COUNT, IF (MINE, PLUS (WORD (COUNT), 1), NUMBER (1)))},
    .takes = NOT_MINE,
    .result = IF (AND (MINE, CHECKING), NUMBER (E_DEADLK), NUMBER (0))};

#define ATTEMPT_MUTEX                                                                        \
  EFFECTS (2) = {SET_IF (AND (FREE, NOT_MINE), OWNER, SELF),                                 \
                 SET_IF (OBTAINABLE, COUNT, IF (MINE, PLUS (WORD (COUNT), 1), NUMBER (1)))}, \
          .takes = AND (FREE, NOT_MINE)

static const ir_rule mutex_trylock = {ATTEMPT_MUTEX, .result = IF (OBTAINABLE, NUMBER (0), NUMBER (E_BUSY))};
static const ir_rule mutex_timedlock = {
    ATTEMPT_MUTEX,
    .result = IF (OBTAINABLE, NUMBER (0), IF (AND (MINE, CHECKING), NUMBER (E_DEADLK), NUMBER (E_TIMEDOUT)))};

// True if the unlock frees the mutex: for a recursive mutex, if it is locked only once.  Unlocking a normal mutex that
// another thread holds frees it, too.
#define LAST_UNLOCK OR (NOT (RECURSIVE), OR (IS (WORD (COUNT), 1), IS (WORD (COUNT), 0)))
static const ir_rule_expr lets_go = {IR_R_IF, 0, MINE, LAST_UNLOCK, NORMAL};
#define LETS_GO &lets_go
static const ir_rule mutex_unlock = {
    .misuse = {NOT_MINE, IR_FAULT_UNLOCK_FOREIGN, FREE, IR_FAULT_UNLOCK_FREE},
    EFFECTS (2) = {SET_IF (LETS_GO, OWNER, NUMBER (0)),
                   SET_IF (OR (MINE, NORMAL), COUNT, IF (LETS_GO, NUMBER (0), PLUS (WORD (COUNT), -1)))},
    .gives = LETS_GO,
    .result = IF (OR (MINE, NORMAL), NUMBER (0), NUMBER (E_PERM))};

#define DESTROY_LOCK(TEXT, USED)                                                             \
  .misuse = {USED, TEXT}, EFFECTS (1) = {SET_IF (NOT (USED), STATE, NUMBER (IR_DESTROYED))}, \
  .result = IF (USED, NUMBER (E_BUSY), NUMBER (0))
static const ir_rule mutex_destroy = {DESTROY_LOCK (IR_FAULT_DESTROY_HELD, HELD)};

static const ir_rule spin_init = {
    .misuse = {HELD, IR_FAULT_INIT_HELD}, EFFECTS (1) = {SET (OWNER, NUMBER (0))}, .gives = ALWAYS, .gives_all = true};
static const ir_rule spin_lock = {.enabled = FREE,
                                  .for_ever = {MINE, IR_FAULT_RELOCK},
                                  EFFECTS (1) = {SET (OWNER, SELF)},
                                  .takes = ALWAYS,
                                  .result = NUMBER (0)};
static const ir_rule spin_trylock = {EFFECTS (1) = {SET_IF (FREE, OWNER, SELF)}, .takes = FREE,
                                     .result = IF (FREE, NUMBER (0), NUMBER (E_BUSY))};
static const ir_rule spin_unlock = {.misuse = {NOT_MINE, IR_FAULT_UNLOCK_FOREIGN, FREE, IR_FAULT_UNLOCK_FREE},
                                    EFFECTS (1) = {SET (OWNER, NUMBER (0))},
                                    .gives = ALWAYS,
                                    .result = NUMBER (0)};
static const ir_rule spin_destroy = {DESTROY_LOCK (IR_FAULT_DESTROY_HELD, HELD)};

// ---- reader-writer locks -----------------------------------------------------------------------------
#define WRITABLE AND (FREE, IS (WORD (READERS), 0))
#define RW_USED NOT (WRITABLE)
#define READING AND (NOT_MINE, NOT (IS (READS, 0)))
#define START_READING(CONDITION) \
  EFFECTS (1) = {SET_IF (CONDITION, READERS, PLUS (WORD (READERS), 1))}, .takes = CONDITION
#define START_WRITING(CONDITION) EFFECTS (1) = {SET_IF (CONDITION, OWNER, SELF)}, .takes = CONDITION
#define RW_BUSY(CONDITION) IF (CONDITION, NUMBER (0), NUMBER (E_BUSY))
#define RW_LATE(CONDITION) IF (CONDITION, NUMBER (0), IF (MINE, NUMBER (E_DEADLK), NUMBER (E_TIMEDOUT)))

static const ir_rule rw_init = {
    .misuse = {RW_USED, IR_FAULT_INIT_HELD},
    EFFECTS (3) = {SET (STATE, NUMBER (0)), SET (OWNER, NUMBER (0)), SET (READERS, NUMBER (0))},
    .gives = ALWAYS,
    .gives_all = true};
static const ir_rule rw_rdlock = {
    .enabled = OR (MINE, FREE), START_READING (NOT_MINE), .result = IF (MINE, NUMBER (E_DEADLK), NUMBER (0))};
static const ir_rule rw_wrlock = {
    .enabled = OR (MINE, WRITABLE), START_WRITING (NOT_MINE), .result = IF (MINE, NUMBER (E_DEADLK), NUMBER (0))};
static const ir_rule rw_tryrdlock = {START_READING (FREE), .result = RW_BUSY (FREE)};
static const ir_rule rw_trywrlock = {START_WRITING (WRITABLE), .result = RW_BUSY (WRITABLE)};
static const ir_rule rw_timedrdlock = {START_READING (FREE), .result = RW_LATE (FREE)};
static const ir_rule rw_timedwrlock = {START_WRITING (WRITABLE), .result = RW_LATE (WRITABLE)};
static const ir_rule rw_unlock = {
    .looks_at_reads = true,
    .misuse = {NOT (OR (MINE, READING)), IR_FAULT_UNLOCK_OTHERS, WRITABLE, IR_FAULT_UNLOCK_FREE},
    EFFECTS (2) = {SET_IF (MINE, OWNER, NUMBER (0)), SET_IF (READING, READERS, PLUS (WORD (READERS), -1))},
    .gives = OR (MINE, READING),
    .result = IF (OR (MINE, READING), NUMBER (0), NUMBER (E_PERM))};
static const ir_rule rw_destroy = {DESTROY_LOCK (IR_FAULT_DESTROY_HELD, RW_USED)};

// ---- condition variables -----------------------------------------------------------------------------
// In the rules of wait and resume, WORD and MINE refer to the mutex.
static const ir_rule cond_init = {
    .looks_at_use = true, .misuse = {IN_USE, IR_FAULT_INIT_IN_USE}, EFFECTS (1) = {SET (STATE, NUMBER (0))}};
static const ir_rule cond_wait = {.misuse = {NOT_MINE, IR_FAULT_WAIT_UNLOCKED},
                                  EFFECTS (2) = {SET_IF (MINE, OWNER, NUMBER (0)), SET_IF (MINE, COUNT, NUMBER (0))},
                                  .gives = MINE,
                                  .waits = ALWAYS,
                                  .may_wake_alone = true};
#define TAKE_MUTEX_AGAIN \
  EFFECTS (2) = {SET (OWNER, SELF), SET (COUNT, NUMBER (1))}, .takes = ALWAYS, .stops_waiting = true
static const ir_rule cond_resume = {.enabled = AND (NOT (WAITING), FREE), TAKE_MUTEX_AGAIN, .result = NUMBER (0)};
static const ir_rule cond_timedresume = {
    .enabled = FREE, TAKE_MUTEX_AGAIN, .result = IF (WAITING, NUMBER (E_TIMEDOUT), NUMBER (0))};
static const ir_rule cond_wake = {.wakes = ALWAYS};
static const ir_rule cond_destroy = {.looks_at_use = true,
                                     .misuse = {IN_USE, IR_FAULT_DESTROY_COND},
                                     EFFECTS (1) = {SET (STATE, NUMBER (IR_DESTROYED))},
                                     .result = NUMBER (0)};

// ---- semaphores --------------------------------------------------------------------------------------
#define POSTED NOT (IS (WORD (VALUE), 0))
#define ATTEMPT_SEM(ERROR) \
  EFFECTS (1) = {SET_IF (POSTED, VALUE, PLUS (WORD (VALUE), -1))}, .result = IF (POSTED, NUMBER (0), NUMBER (ERROR))

static const ir_rule sem_init = {EFFECTS (2) = {SET (STATE, NUMBER (0)), SET (VALUE, ARG)}};
static const ir_rule sem_wait = {
    .enabled = POSTED, EFFECTS (1) = {SET (VALUE, PLUS (WORD (VALUE), -1))}, .result = NUMBER (0)};
#ifdef IR_TEST_OPERATION
static const ir_rule sem_wait_two = {.enabled = AND (POSTED, NOT (IS (WORD (VALUE), 1))),
                                     EFFECTS (1) = {SET (VALUE, PLUS (WORD (VALUE), -2))},
                                     .result = NUMBER (0)};
#endif
static const ir_rule sem_trywait = {ATTEMPT_SEM (E_AGAIN)};
static const ir_rule sem_timedwait = {ATTEMPT_SEM (E_TIMEDOUT)};
static const ir_rule sem_post = {EFFECTS (1) = {SET (VALUE, PLUS (WORD (VALUE), 1))}, .result = NUMBER (0)};
static const ir_rule sem_getvalue = {.result = WORD (VALUE)};
static const ir_rule sem_destroy = {EFFECTS (1) = {SET (STATE, NUMBER (IR_DESTROYED))}, .result = NUMBER (0)};

// ---- barriers, once ----------------------------------------------------------------------------------
#define USABLE NOT (IS (WORD (COUNT), 0))
#define LAST AND (USABLE, EQUAL (WORD (COUNT), PLUS (WORD (ARRIVED), 1)))

static const ir_rule barrier_init = {
    .looks_at_use = true,
    .misuse = {IN_USE, IR_FAULT_INIT_IN_USE},
    EFFECTS (3) = {SET (STATE, NUMBER (0)), SET (COUNT, ARG), SET (ARRIVED, NUMBER (0))}};
static const ir_rule barrier_arrive = {
    .misuse = {NOT (USABLE), IR_FAULT_UNINITIALISED},
    EFFECTS (1) = {SET_IF (USABLE, ARRIVED, IF (LAST, NUMBER (0), PLUS (WORD (ARRIVED), 1)))},
    .wakes = LAST,
    .waits = AND (USABLE, NOT (LAST)),
    .result = IF (USABLE, IF (LAST, NUMBER (UINT32_MAX), NUMBER (0)), NUMBER (E_INVAL))};
static const ir_rule barrier_resume = {.enabled = NOT (WAITING)};
static const ir_rule barrier_destroy = {.looks_at_use = true,
                                        .misuse = {IN_USE, IR_FAULT_DESTROY_BARRIER},
                                        EFFECTS (1) = {SET (STATE, NUMBER (IR_DESTROYED))},
                                        .result = NUMBER (0)};

#define NEW IS (WORD (STATE), 0)
static const ir_rule once_begin = {.enabled = NOT (IS (WORD (STATE), 1)),
                                   EFFECTS (1) = {SET_IF (NEW, STATE, NUMBER (1))},
                                   .takes = NEW,
                                   .result = IF (NEW, NUMBER (1), NUMBER (0))};
static const ir_rule once_end = {EFFECTS (1) = {SET (STATE, NUMBER (2))}, .gives = ALWAYS};

const ir_rule *const ir_rule_table[IR_NUM_OPS] = {[IR_MUTEX_INIT] = &mutex_init,
                                                  [IR_MUTEX_LOCK] = &mutex_lock,
                                                  [IR_MUTEX_TRYLOCK] = &mutex_trylock,
                                                  [IR_MUTEX_TIMEDLOCK] = &mutex_timedlock,
                                                  [IR_MUTEX_UNLOCK] = &mutex_unlock,
                                                  [IR_MUTEX_DESTROY] = &mutex_destroy,
                                                  [IR_RW_INIT] = &rw_init,
                                                  [IR_RW_RDLOCK] = &rw_rdlock,
                                                  [IR_RW_WRLOCK] = &rw_wrlock,
                                                  [IR_RW_TRYRDLOCK] = &rw_tryrdlock,
                                                  [IR_RW_TRYWRLOCK] = &rw_trywrlock,
                                                  [IR_RW_TIMEDRDLOCK] = &rw_timedrdlock,
                                                  [IR_RW_TIMEDWRLOCK] = &rw_timedwrlock,
                                                  [IR_RW_UNLOCK] = &rw_unlock,
                                                  [IR_RW_DESTROY] = &rw_destroy,
                                                  [IR_SPIN_INIT] = &spin_init,
                                                  [IR_SPIN_LOCK] = &spin_lock,
                                                  [IR_SPIN_TRYLOCK] = &spin_trylock,
                                                  [IR_SPIN_UNLOCK] = &spin_unlock,
                                                  [IR_SPIN_DESTROY] = &spin_destroy,
                                                  [IR_COND_INIT] = &cond_init,
                                                  [IR_COND_WAIT] = &cond_wait,
                                                  [IR_COND_RESUME] = &cond_resume,
                                                  [IR_COND_TIMEDRESUME] = &cond_timedresume,
                                                  [IR_COND_SIGNAL] = &cond_wake,
                                                  [IR_COND_BROADCAST] = &cond_wake,
                                                  [IR_COND_DESTROY] = &cond_destroy,
                                                  [IR_SEM_INIT] = &sem_init,
                                                  [IR_SEM_WAIT] = &sem_wait,
#ifdef IR_TEST_OPERATION
                                                  [IR_SEM_WAIT_TWO] = &sem_wait_two,
#endif
                                                  [IR_SEM_TRYWAIT] = &sem_trywait,
                                                  [IR_SEM_TIMEDWAIT] = &sem_timedwait,
                                                  [IR_SEM_POST] = &sem_post,
                                                  [IR_SEM_GETVALUE] = &sem_getvalue,
                                                  [IR_SEM_DESTROY] = &sem_destroy,
                                                  [IR_BARRIER_INIT] = &barrier_init,
                                                  [IR_BARRIER_ARRIVE] = &barrier_arrive,
                                                  [IR_BARRIER_RESUME] = &barrier_resume,
                                                  [IR_BARRIER_DESTROY] = &barrier_destroy,
                                                  [IR_ONCE_BEGIN] = &once_begin,
                                                  [IR_ONCE_END] = &once_end};

static uint32_t rule_word (const ir_rule_state *s, uint32_t word) {
  uint32_t value, at = word == IR_W_KIND ? s->kind_at : s->places[word] - 1u;
  memcpy (&value, s->bytes + at, 4);
  return value;
}

uint32_t ir_rule_value (const ir_rule_expr *x, const ir_rule_state *s) {
  switch (x->op) {
  case IR_R_NUMBER: return x->value;
  case IR_R_ARG: return s->arg;
  case IR_R_SELF: return s->self;
  case IR_R_WORD: return rule_word (s, x->value);
  case IR_R_MINE: return rule_word (s, IR_W_OWNER) == s->self;
  case IR_R_READS: return s->reads;
  case IR_R_WAITING: return s->waiting;
  case IR_R_IN_USE: return s->in_use;
  case IR_R_EQUAL: return ir_rule_value (x->a, s) == ir_rule_value (x->b, s);
  case IR_R_NOT: return !ir_rule_value (x->a, s);
  case IR_R_AND: return ir_rule_value (x->a, s) && ir_rule_value (x->b, s);
  case IR_R_OR: return ir_rule_value (x->a, s) || ir_rule_value (x->b, s);
  case IR_R_IF: return ir_rule_value (ir_rule_value (x->a, s) ? x->b : x->c, s);
  case IR_R_PLUS: return ir_rule_value (x->a, s) + x->value;
  }
  return 0;
}
