// Deadlocks: some threads wait, and every thread that could wake them waits, too, or has ended. Each wait gets a
// literal that says that it lasts for ever; the values that the wait reads are then the final ones. A wait for the
// owner of a lock lasts if the owner's wait does, or if the owner has ended. A wait for the end of a thread lasts if
// that thread's wait does. A wait that any thread could end (at a condition variable, a semaphore, a barrier) lasts if
// all other threads wait for ever, have ended, or have stopped where they cannot wake it any more. These conditions are
// too weak where it is not known which threads could end a wait; the judge decides.
#include "engine/order/contexts.h"
#include "engine/order/total_order.h"

enum { UNKNOWN_OPERATIONS = 0x80 /* any operation might end a wait of this kind */ };

static term waits_for_ever (order *o, uint32_t thread) {
  term any = o->terms->falsity;
  for (uint32_t k = 0; k < o->stuck.count; k++)
    if (o->u->waits.data[o->stuck.data[k].wait].thread == thread)
      any = term_or (o->terms, any, o->stuck.data[k].literal);
  return any;
}

static term is_over (order *o, uint32_t thread) {
  const unwound_thread *t = &o->u->threads.data[thread];
  return term_or (o->terms, t->ended, t->leaves);
}

// The thread whose number is in the owner's word.
static term owner_never_releases (order *o, term owner) {
  term any = o->terms->falsity;
  for (uint32_t t = 0; t < o->u->threads.count; t++) {
    term is_it = term_eq (o->terms, owner, term_const (o->terms, 32, t + 1));
    term stays = term_or (o->terms, waits_for_ever (o, t), is_over (o, t));
    any = term_or (o->terms, any, term_and (o->terms, is_it, stays));
  }
  return any;
}

// The thread goes no further, and could not execute an operation that ends such a wait if it did.
static term stops_harmlessly (order *o, uint32_t thread, uint8_t kind) {
  term any = o->terms->falsity;
  for (uint32_t k = 0; k < o->u->stops.count; k++) {
    const unwound_stop *s = &o->u->stops.data[k];
    if (s->thread == thread && !((s->wakes | UNKNOWN_OPERATIONS) & kind)) any = term_or (o->terms, any, s->condition);
  }
  return any;
}

static term all_others_stay (order *o, uint32_t thread, uint8_t kind) {
  term all = o->terms->truth;
  for (uint32_t t = 0; t < o->u->threads.count; t++) {
    if (t == thread) continue;
    term stays = term_or (o->terms, waits_for_ever (o, t), is_over (o, t));
    stays = term_or (o->terms, stays, stops_harmlessly (o, t, kind));
    all = term_and (o->terms, all, term_implies (o->terms, o->u->threads.data[t].guard, stays));
  }
  return all;
}

static term can_last_for_ever (order *o, const unwound_wait *w) {
  if (w->joins != IR_NONE) return waits_for_ever (o, w->joins);
  if (w->owner.i == TERM_NONE.i) return all_others_stay (o, w->thread, w->by);
  term by_owner = owner_never_releases (o, w->owner);
  return term_is_false (o->terms, w->by_any_thread)
             ? by_owner
             : term_ite (o->terms, w->by_any_thread, all_others_stay (o, w->thread, w->by), by_owner);
}

void order_add_deadlocks (order *o) {
  for (uint32_t k = 0; k < o->u->waits.count; k++) vec_push (&o->stuck, ((lasting_wait){k, term_var (o->terms, 1)}));
  for (uint32_t k = 0; k < o->stuck.count && !budget_spent (o->budget); k++) {
    const unwound_wait *w = &o->u->waits.data[o->stuck.data[k].wait];
    term not = term_not (o->terms, o->stuck.data[k].literal);
    decider_clause (o->decider, (term[]){not, w->blocked}, 2);
    decider_clause (o->decider, (term[]){not, can_last_for_ever (o, w)}, 2);
    if (o->total && w->node != IR_NONE) total_order_add_stuck (o->total, &o->stuck.data[k]);
  }
  if (o->contexts) contexts_restrict_deadlocks (o->contexts);
}
