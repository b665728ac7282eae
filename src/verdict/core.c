// Finds the core of a deadlock: a smallest set of blocked threads that stay blocked whatever all other threads do.  The
// core is a cycle of threads that wait for each other, or one thread whose wait no thread can end.  All other blocked
// threads are bystanders: they wait for a thread of the core to end, for a lock that it holds, or for a signal that a
// blocked thread would have sent.  Which bystanders there are depends on the interleaving and not on the mistake in the
// program, so a deadlock is identified and described by its core.
//
// The search removes threads one by one: if the remaining threads, or some of them, still block each other, the removed
// thread is not needed.  The search uses nothing but `detect_lasting`, so it is right for every kind of wait, including
// a writer that several readers block.  Threads with high numbers are removed first, so the same state has the same
// core whatever the engine claims.
#include "verdict/verdict_impl.h"

static void copy_set (const bool *from, bool *to) { memcpy (to, from, sizeof (bool) * IR_MAX_THREADS); }

static void minimise_core (machine *m, bool *set) {
  for (uint32_t slot = m->num_slots; slot-- > 0;) {
    bool rest[IR_MAX_THREADS];
    if (!set[slot]) continue;
    copy_set (set, rest);
    rest[slot] = false;
    if (detect_lasting (m, rest)) copy_set (rest, set);
  }
}

// Lists the threads from each one to the holder of what it waits for.  The first chain begins with the first thread
// that waits for something other than the end of a thread; threads that no other thread of the core waits for follow by
// number.
static void list_wait_chain (machine *m, deadlock_core *c, bool *listed, uint32_t at) {
  while (at != IR_NONE && c->stuck[at] && !listed[at]) {
    listed[at] = true;
    c->thread[c->num_threads++] = at;
    at = detect_cause (m, at, c->stuck).holder;
  }
}

static void order_core (machine *m, deadlock_core *c) {
  bool listed[IR_MAX_THREADS] = {false};
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (c->stuck[slot] && detect_cause (m, slot, c->stuck).kind != WAIT_THREAD) list_wait_chain (m, c, listed, slot);
  for (uint32_t slot = 0; slot < m->num_slots; slot++) list_wait_chain (m, c, listed, slot);
}

// Finds the threads that are blocked because of this core: no other, independent deadlock blocks them.
static void find_bystanders (machine *m, const bool *stuck, deadlock_core *c) {
  bool independent[IR_MAX_THREADS];
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) independent[slot] = stuck[slot] && !c->stuck[slot];
  detect_lasting (m, independent);
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (stuck[slot] && !c->stuck[slot] && !independent[slot]) c->waiting[c->num_waiting++] = slot;
}

void core_find (machine *m, const bool among[IR_MAX_THREADS], deadlock_core *c) {
  bool stuck[IR_MAX_THREADS];
  *c = (deadlock_core){0};
  detect_stuck (m, stuck);
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) c->stuck[slot] = stuck[slot] && among[slot];
  if (!detect_lasting (m, c->stuck)) copy_set (stuck, c->stuck);
  minimise_core (m, c->stuck);
  order_core (m, c);
  find_bystanders (m, stuck, c);
}
