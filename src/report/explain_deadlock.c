// Explains deadlocks: which thread acquired which lock in which order, and which order would help; for waits that no
// thread can end, what came too early.
#include <stdlib.h>
#include <string.h>

#include "report/explain_impl.h"

// Returns what the party waits for, if its wait is of this kind; else NULL.
static const char *awaits (const party *p, role_kind kind) { return p->role.kind == kind ? p->role.object : NULL; }

// ---- a cycle of locks -------------------------------------------------------------------------------
// One thread of the cycle: it holds `from` and waits for `to`.
typedef struct cycle_link {
  const party *party;
  const char *from, *to;
} cycle_link;
typedef VEC (cycle_link) chain;

static const party *holder_of (const party *p, uint32_t count, const char *lock, const party *not_this) {
  for (uint32_t k = 0; k < count; k++)
    if (&p[k] != not_this && party_holds (&p[k], lock)) return &p[k];
  return NULL;
}

// Follows each waiting thread to the holder of its lock until a thread comes again; false: there is no cycle of locks.
static bool find_chain (const party *p, uint32_t count, chain *c) {
  for (uint32_t start = 0; start < count; start++) {
    const party *at = &p[start];
    vec_clear (c);
    for (uint32_t n = 0; at && n < count; n++) {
      const char *lock = awaits (at, ROLE_WAITS_LOCK);
      const party *next = lock ? holder_of (p, count, lock, at) : NULL;
      if (!next) break;
      vec_push (c, ((cycle_link){.party = at, .to = lock}));
      at = next;
      if (at != &p[start]) continue;
      for (uint32_t k = 0; k < c->count; k++) c->data[k].from = c->data[(k + c->count - 1) % c->count].to;
      return c->count > 1 && strcmp (c->data[0].from, c->data[0].to);
    }
  }
  return false;
}

static void explain_link (explanation *e, const cycle_link *l, bool first) {
  uint32_t taken = step_taking (e->goal, l->party->thread, l->from);
  strbuf_printf (&e->why, "%sthread %u took `%s`", first ? "" : "; ", l->party->thread, l->from);
  if (taken != IR_NONE) strbuf_printf (&e->why, " at %s", place_of_step (e->arena, e->goal, taken));
  strbuf_printf (&e->why, " and then asks for `%s` at %s", l->to, position_text (e->arena, l->party->pos));
}

static int by_name (const void *x, const void *y) {
  return strcmp (((const cycle_link *) x)->from, ((const cycle_link *) y)->from);
}

// Proposes to acquire the locks in the order of their names.  A thread violates that order if it waits for an earlier
// lock while it holds a later one.
static void propose_order (explanation *e, chain *c) {
  qsort (c->data, c->count, sizeof *c->data, by_name);
  strbuf_add (&e->fix, "take these locks in one order everywhere, for example ");
  for (uint32_t k = 0; k < c->count; k++) strbuf_printf (&e->fix, "%s`%s`", k ? " before " : "", c->data[k].from);
  const char *separator = "; against it is ";
  for (uint32_t k = 0; k < c->count; k++) {
    const cycle_link *l = &c->data[k];
    if (strcmp (l->from, l->to) < 0) continue;
    strbuf_printf (&e->fix, "%sthread %u at %s", separator, l->party->thread, position_text (e->arena, l->party->pos));
    separator = ", ";
  }
  strbuf_add (&e->fix, ".");
}

static bool explain_cycle (explanation *e, const party *p, uint32_t count) {
  chain c = {0};
  bool found = find_chain (p, count, &c);
  if (found) {
    strbuf_add (&e->why, "The order of taking goes in a circle: ");
    for (uint32_t k = 0; k < c.count; k++) explain_link (e, &c.data[k], !k);
    strbuf_add (&e->why, ".");
    propose_order (e, &c);
  }
  vec_release (&c);
  return found;
}

// ---- a lock that is never released ------------------------------------------------------------------
static bool explain_own_lock (explanation *e, const party *p) {
  bool waits = p->role.kind == ROLE_WAITS_LOCK || p->role.kind == ROLE_WAITS_ONCE;
  const char *lock = p->role.object;
  if (!waits || !lock || p->role.holder != HOLDER_SELF) return false;
  uint32_t taken = step_taking (e->goal, p->thread, lock);
  strbuf_printf (&e->why, "Thread %u holds `%s` itself", p->thread, lock);
  if (taken != IR_NONE) strbuf_printf (&e->why, ", since %s", place_of_step (e->arena, e->goal, taken));
  strbuf_printf (&e->why, "; the lock does not let its holder in again, so the wait at %s has no end.",
                 position_text (e->arena, p->pos));
  if (p->role.shared)
    strbuf_printf (
        &e->fix, "give `%s` back before it is taken for writing, and then look again at what was read under it.", lock);
  else
    strbuf_printf (&e->fix,
                   "give `%s` back before %s, or call a variant there that expects it to be held (a recursive mutex "
                   "would also do).",
                   lock, position_text (e->arena, p->pos));
  return true;
}

static bool explain_lost_lock (explanation *e, const party *p) {
  const char *lock = awaits (p, ROLE_WAITS_LOCK);
  if (!lock || p->role.holder != HOLDER_ENDED) return false;
  uint32_t taken = step_by_others (e->goal, steps_done (e->goal), p->thread, IR_STEP_LOCK, lock);
  strbuf_printf (&e->why, "The thread that took `%s`", lock);
  if (taken != IR_NONE) strbuf_printf (&e->why, " at %s", place_of_step (e->arena, e->goal, taken));
  strbuf_add (&e->why, " has ended without giving it back.");
  strbuf_printf (&e->fix, "unlock `%s` on every way out of the function that takes it.", lock);
  return true;
}

// ---- a wait that no thread ends ---------------------------------------------------------------------
// Finds a read of the thread before its wait whose variable another thread changed before the wait; *change: that
// write.
static uint32_t stale_read (const goal *g, uint32_t thread, uint32_t wait, uint32_t *change) {
  for (uint32_t k = wait; k-- > 0;) {
    const trace_step *s = &g->steps.data[k];
    if (s->thread != thread || s->op != IR_STEP_LOAD || !s->object) continue;
    *change = step_by_others (g, wait, thread, IR_STEP_STORE, s->object);
    if (*change != IR_NONE && *change > k) return k;
  }
  return IR_NONE;
}

// Returns the lock that is held before the wait and not during it.
static const char *mutex_of_wait (const goal *g, uint32_t wait) {
  const trace_step *s = &g->steps.data[wait];
  uint32_t before = step_by (g, wait, s->thread, IR_STEP_NONE, NULL);
  for (uint32_t k = 0; before != IR_NONE && k < g->steps.data[before].held.count; k++) {
    const char *lock = g->steps.data[before].held.data[k];
    bool still = false;
    for (uint32_t i = 0; i < s->held.count; i++) still |= !strcmp (s->held.data[i], lock);
    if (!still) return lock;
  }
  return NULL;
}

// Finds a signal before the wait that woke no thread.
static uint32_t early_signal (const goal *g, uint32_t wait, uint32_t thread, const char *name) {
  uint32_t k = wait;
  while ((k = step_by_others (g, k, thread, IR_STEP_SIGNAL, name)) != IR_NONE)
    if (g->steps.data[k].other == IR_NONE) return k;
  return step_by_others (g, wait, thread, IR_STEP_BROADCAST, name);
}

static void propose_recheck (explanation *e, const goal *g, uint32_t wait, uint32_t read) {
  const char *mutex = mutex_of_wait (g, wait), *name = g->steps.data[wait].object;
  strbuf_printf (&e->fix,
                 "read `%s` while holding %s%s%s, and wait in a loop as long as the condition does not hold: then it "
                 "cannot change between the test and the wait at `%s`.",
                 g->steps.data[read].object, mutex ? "`" : "", mutex ? mutex : "the mutex", mutex ? "`" : "", name);
}

static bool explain_condition (explanation *e, const party *p) {
  const char *name = awaits (p, ROLE_WAITS_COND);
  if (!name) return false;
  const goal *g = e->goal;
  uint32_t wait = step_by (g, steps_done (g), p->thread, IR_STEP_WAIT, name), change = IR_NONE;
  if (wait == IR_NONE) return false;
  uint32_t signal = early_signal (g, wait, p->thread, name), read = stale_read (g, p->thread, wait, &change);
  if (signal != IR_NONE)
    strbuf_printf (&e->why,
                   "The wake-up is lost: `%s` was signalled at %s, before thread %u began to wait at %s, and a signal "
                   "is not kept for later.",
                   name, place_of_step (e->arena, g, signal), p->thread, place_of_step (e->arena, g, wait));
  else strbuf_printf (&e->why, "No thread is left that could signal `%s`.", name);
  if (read != IR_NONE) {
    strbuf_printf (&e->why, " Thread %u had read `%s` at %s; it was changed at %s, and not read again before the wait.",
                   p->thread, g->steps.data[read].object, place_of_step (e->arena, g, read),
                   place_of_step (e->arena, g, change));
    propose_recheck (e, g, wait, read);
  } else if (signal != IR_NONE)
    strbuf_printf (&e->fix,
                   "keep in a variable, under the mutex, that `%s` was signalled, and wait only while the variable "
                   "says that it was not.",
                   name);
  else
    strbuf_printf (
        &e->fix,
        "signal `%s` on every path after the condition has become true; broadcast, if several threads may wait for it.",
        name);
  return true;
}

static uint32_t count_steps_on (const goal *g, ir_step op, const char *object) {
  uint32_t count = 0, done = steps_done (g);
  for (uint32_t k = 0; k < done; k++)
    count += g->steps.data[k].op == op && g->steps.data[k].object && !strcmp (g->steps.data[k].object, object);
  return count;
}

static bool explain_counter (explanation *e, const party *p) {
  bool semaphore = p->role.kind == ROLE_WAITS_SEM;
  const char *name = awaits (p, semaphore ? ROLE_WAITS_SEM : ROLE_WAITS_BARRIER);
  if (!name) return false;
  uint32_t arrived = count_steps_on (e->goal, IR_STEP_ARRIVE, name);
  if (semaphore)
    strbuf_printf (&e->why,
                   "In this execution `%s` was posted %u and taken %u times; thread %u needs one more, and no thread "
                   "is left that could post.",
                   name, count_steps_on (e->goal, IR_STEP_POST, name), count_steps_on (e->goal, IR_STEP_WAIT, name),
                   p->thread);
  else
    strbuf_printf (
        &e->why,
        "In this execution `%s` was reached %u time%s; it waits for more, and no thread is left that could come.", name,
        arrived, arrived == 1 ? "" : "s");
  strbuf_printf (&e->fix,
                 semaphore ? "post `%s` once for every wait, also on the paths that end early."
                           : "start `%s` with the number of threads that really come to it.",
                 name);
  return true;
}

void explain_deadlock (explanation *e) {
  const party *p;
  uint32_t count = explain_parties (e, &p);
  if (explain_cycle (e, p, count)) return;
  for (uint32_t k = 0; k < count; k++)
    if (explain_own_lock (e, &p[k]) || explain_lost_lock (e, &p[k]) || explain_condition (e, &p[k]) ||
        explain_counter (e, &p[k]))
      return;
}
