// Misuse of locks: what the primitive demands, and the step that is in the way of it.
#include <string.h>

#include "report/explain_impl.h"

// By the beginning of the message (verdict/misuse.c, engine/locks/checks/lock_misuse.c).
typedef struct rule {
  const char *start, *demand, *fix;
} rule;

static const rule rules[] = {
    {"unlock of", "Only the thread that holds a lock may give it back.",
     "unlock only behind a lock of the same thread, once for each, on every path."},
    {"relock of", "A lock of this kind does not let its holder in again.",
     "give it back first, or call a variant of the function that expects it to be held; a recursive mutex would also "
     "do."},
    {"wait without", "A wait at a condition variable gives its mutex back, so the waiting thread has to hold it.",
     "lock the mutex before the condition is tested, and wait with that mutex."},
    {"destruction of the held", "Nobody may hold a lock when it is destroyed.",
     "unlock it before, or destroy it after its users have been joined."},
    {"destruction of the condition", "Nobody may wait at a condition variable when it is destroyed.",
     "join those who wait before it is destroyed."},
    {"initialisation of the held", "A lock may be initialised once only, before anybody uses it.",
     "initialise it before the threads are created."},
    {"use of the uninitialised", "It has to be initialised before its first use.",
     "initialise it before the threads that use it are created."},
    {"use of the destroyed", "It must not be used after its destruction.",
     "destroy it only after all its users have been joined."},
    {"thread ends holding",
     "Nobody else can give the lock back after the end of its holder, so all who wait for it wait for ever.",
     "unlock it on every way out of the thread."},
    {"join of", "A thread may be joined once only, and not after it was detached.",
     "keep one owner of each thread, who joins it once."},
    {"detach of", "A thread may be detached once only, and not after it was joined.",
     "detach a thread right after its creation, or join it, not both."},
};

static const rule *find_rule (const char *message) {
  if (message && !strncmp (message, "possible ", 9)) message += 9;
  for (size_t k = 0; message && k < sizeof rules / sizeof *rules; k++)
    if (!strncmp (message, rules[k].start, strlen (rules[k].start))) return &rules[k];
  return NULL;
}

static void add_step (explanation *e, const char *verb, uint32_t step, const char *since) {
  strbuf_printf (&e->why, " `%s` was %s at %s by thread %u%s.", e->goal->about, verb,
                 place_of_step (e->arena, e->goal, step), e->goal->steps.data[step].thread, since);
}

// Who holds the lock now, by the steps; not where the message says that nobody does, or somebody else.
static uint32_t step_of_holder (const goal *g, const char *lock) {
  bool other = strstr (g->message, "by another thread");
  for (uint32_t k = steps_done (g); k-- > 0 && !strstr (g->message, "is not held");) {
    uint32_t thread = g->steps.data[k].thread, taken = step_taking (g, thread, lock);
    if (taken != IR_NONE && !(other && thread == g->claim.thread[0])) return taken;
  }
  return IR_NONE;
}

static uint32_t last_step (const goal *g, const char *op, const char *object) {
  return step_by_others (g, steps_done (g), IR_NONE, op, object);  // by whom does not matter
}

static void add_history (explanation *e) {
  const goal *g = e->goal;
  if (!g->about || g->sides.count) return;
  uint32_t holder = step_of_holder (g, g->about), unlocked = last_step (g, "unlock", g->about),
           destroyed = last_step (g, "destroy", g->about);
  if (destroyed != IR_NONE) add_step (e, "destroyed", destroyed, "");
  else if (holder != IR_NONE) add_step (e, "taken", holder, " and not given back since");
  else if (unlocked != IR_NONE) add_step (e, "last given back", unlocked, "");
}

void explain_misuse (explanation *e) {
  const rule *r = find_rule (e->goal->message);
  if (!r) return;
  strbuf_add (&e->why, r->demand);
  add_history (e);
  strbuf_add (&e->fix, r->fix);
}
