// Explains misuse of locks: what the primitive requires, and the step that violates it.
#include "report/explain_impl.h"

typedef struct misuse_rule {
  const char *demand, *fix;
} misuse_rule;

static const misuse_rule of_unlock = {"Only the thread that holds a lock may give it back.",
                                      "unlock only behind a lock of the same thread, once for each, on every path."};
static const misuse_rule of_relock = {
    "A lock of this kind does not let its holder in again.",
    "give it back first, or call a variant of the function that expects it to be held; a recursive mutex would also "
    "do."};
static const misuse_rule of_wait = {
    "A wait at a condition variable gives its mutex back, so the waiting thread has to hold it.",
    "lock the mutex before the condition is tested, and wait with that mutex."};
static const misuse_rule of_destruction = {"No thread may hold a lock when it is destroyed.",
                                           "unlock it before, or destroy it after its users have been joined."};
static const misuse_rule of_waiters = {"No thread may wait at a condition variable when it is destroyed.",
                                       "join the waiting threads before it is destroyed."};
static const misuse_rule of_initialisation = {"A lock may be initialised once only, before any thread uses it.",
                                              "initialise it before the threads are created."};
static const misuse_rule of_first_use = {"It has to be initialised before its first use.",
                                         "initialise it before the threads that use it are created."};
static const misuse_rule of_last_use = {"It must not be used after its destruction.",
                                        "destroy it only after all its users have been joined."};
static const misuse_rule of_end = {
    "No other thread can release the lock after the end of its holder, so all threads that wait for it wait for ever.",
    "unlock it on every way out of the thread."};
static const misuse_rule of_join = {"A thread may be joined once only, and not after it was detached.",
                                    "keep one owner of each thread, which joins it once."};
static const misuse_rule of_detach = {"A thread may be detached once only, and not after it was joined.",
                                      "detach a thread right after its creation, or join it, not both."};

// Returns the rule that the fault violates; NULL: there is no advice.
static const misuse_rule *rule_of (const goal *g) {
  switch (g->fault) {
  case IR_FAULT_UNLOCK_FREE:
  case IR_FAULT_UNLOCK_FOREIGN:
  case IR_FAULT_UNLOCK_OTHERS: return &of_unlock;
  case IR_FAULT_RELOCK: return &of_relock;
  case IR_FAULT_WAIT_UNLOCKED: return &of_wait;
  case IR_FAULT_DESTROY_HELD: return &of_destruction;
  case IR_FAULT_DESTROY_COND: return &of_waiters;
  case IR_FAULT_INIT_HELD: return &of_initialisation;
  case IR_FAULT_UNINITIALISED: return &of_first_use;
  case IR_FAULT_DESTROYED: return &of_last_use;
  case IR_FAULT_END_HOLDING: return &of_end;
  case IR_FAULT_BAD_JOIN: return &of_join;
  case IR_FAULT_BAD_DETACH: return &of_detach;
  default: return NULL;
  }
}

static void add_lock_event (explanation *e, const char *verb, uint32_t step, const char *since) {
  strbuf_printf (&e->why, " `%s` was %s at %s by thread %u%s.", e->goal->about, verb,
                 place_of_step (e->arena, e->goal, step), e->goal->steps.data[step].thread, since);
}

// Returns the step at which the holder of the lock acquired it; IR_NONE: the lock is free, or its holder is not known.
static uint32_t step_of_holder (const goal *g, const char *lock) {
  if (g->fault == IR_FAULT_UNLOCK_FREE) return IR_NONE;
  for (uint32_t k = steps_done (g); k-- > 0;) {
    uint32_t thread = g->steps.data[k].thread, taken = step_taking (g, thread, lock);
    bool is_other = thread != g->claim.thread[0];
    if (taken != IR_NONE && (is_other || g->fault != IR_FAULT_UNLOCK_FOREIGN)) return taken;
  }
  return IR_NONE;
}

static uint32_t last_step (const goal *g, ir_step op, const char *object) {
  return step_by_others (g, steps_done (g), IR_NONE, op, object);  // IR_NONE: by any thread
}

static void add_history (explanation *e) {
  const goal *g = e->goal;
  if (!g->about || g->sides.count) return;
  uint32_t holder = step_of_holder (g, g->about), unlocked = last_step (g, IR_STEP_UNLOCK, g->about),
           destroyed = last_step (g, IR_STEP_DESTROY, g->about);
  if (destroyed != IR_NONE) add_lock_event (e, "destroyed", destroyed, "");
  else if (holder != IR_NONE) add_lock_event (e, "taken", holder, " and not given back since");
  else if (unlocked != IR_NONE) add_lock_event (e, "last given back", unlocked, "");
}

void explain_misuse (explanation *e) {
  const misuse_rule *r = rule_of (e->goal);
  if (!r) return;
  strbuf_add (&e->why, r->demand);
  add_history (e);
  strbuf_add (&e->fix, r->fix);
}
