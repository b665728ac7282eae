// Adds the last writer of each variable that has few values. If a program uses such a variable as a lock, the variable
// does not say which thread holds the lock, so a proof has to compare any two threads; with the holder known, the state
// of one thread is enough more often. The last writer is a state of its own on which nothing else depends (a history
// variable: Owicki and Gries 1976; Abadi and Lamport 1991, section 5).
#include "base/limits.h"
#include "engine/circuit/circuit_replicas.h"

enum { VALUE_BITS = 1 };

static bool may_have_last_writer (const transition_system *s, uint32_t state) {
  const system_state *x = &s->states.data[state];
  if (x->variable == IR_NONE || x->next.i == x->now.i || term_bits (&s->m->terms, x->now) > VALUE_BITS) return false;
  const efsm_variable *v = &s->m->variables.data[x->variable];
  return v->owner == IR_NONE && v->crowd_thread == IR_NONE && !v->names_thread;
}

void replicas_add_writers (transition_system *s) {
  term_pool *p = &s->m->terms;
  unsigned bits = term_bits (p, s->scheduled) + 1;
  term it = term_add (p, term_resize (p, s->scheduled, bits), term_const (p, bits, 1));
  for (uint32_t k = 0, count = s->states.count; k < count; k++) {
    if (!may_have_last_writer (s, k) || at_limit (CROWD_WRITERS, s->writers.count)) continue;
    uint32_t helper = system_add_helper (s, bits, 0);
    system_state *x = &s->states.data[helper];
    term same = term_eq (p, s->states.data[k].now, s->states.data[k].next);
    x->next = term_ite (p, same, x->now, it);
    vec_push (&s->writers, ((system_writer){helper, k}));
  }
}
