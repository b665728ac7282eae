// Follows which slot each thread has.  A thread has one slot in its life.  What happens to the thread shows in the
// updates of the flags that efsm_thread names; an engine may not know the values in between.
#include "engine/slots.h"

#include "encode/substitute.h"

static void take_first_slot (slots *s, uint32_t thread) {
  uint32_t slot = 0;
  while (slot + 1 < NUM_SLOTS && s->used[slot]) slot++;
  s->used[slot] = true;
  s->of[thread] = slot;
  s->life[thread] = SLOT_TAKEN;
}

static void give_slot_back (slots *s, uint32_t thread) {
  s->used[s->of[thread]] = false;
  s->life[thread] = SLOT_LEFT;
}

void slots_init (slots *s, const efsm *m) {
  *s = (slots){0};
  for (uint32_t t = 0; t < m->threads.count; t++)
    if (m->threads.data[t].started == IR_NONE) take_first_slot (s, t);
}

// Records that the flag of this thread becomes true at the point.
static void note_flag (slots *s, uint32_t thread, const efsm_thread *x, const efsm_point *p, uint32_t flag) {
  if (flag == x->started && s->life[thread] == SLOT_NONE) take_first_slot (s, thread);
  if (flag == x->ended) s->ended[thread] = true;
  if (flag == x->gone && !p->joins) s->detached[thread] = true;
  bool joined = flag == x->gone && p->joins;
  if (s->life[thread] == SLOT_TAKEN && (joined || (s->ended[thread] && s->detached[thread])))
    give_slot_back (s, thread);
}

static bool is_flag_of (const efsm_thread *x, uint32_t variable) {
  return variable == x->started || variable == x->gone || variable == x->ended;
}

static bool is_set (const slots *s, uint32_t thread, const efsm_thread *x, uint32_t flag) {
  if (flag == x->started) return s->life[thread] != SLOT_NONE;
  if (flag == x->ended) return s->ended[thread];
  return s->life[thread] == SLOT_LEFT || s->detached[thread];
}

// The values of the threads' flags before the point.
typedef struct knowledge {
  const slots *s;
  efsm *m;
} knowledge;

static term truth_of (const term_pool *p, bool x) { return x ? p->truth : p->falsity; }

static term known_flag (void *state, term variable) {
  const knowledge *k = state;
  const term_pool *p = &k->m->terms;
  const uint64_t *v = map_find (&k->m->variable_of, variable.i);
  for (uint32_t t = 1; v && t < k->m->threads.count; t++) {
    const efsm_thread *x = &k->m->threads.data[t];
    if (is_flag_of (x, (uint32_t) *v)) return truth_of (p, is_set (k->s, t, x, (uint32_t) *v));
  }
  return variable;
}

// A flag that was set before stays set, and its update changes nothing: joining a thread that is detached and runs does
// not end its life.
void slots_pass (slots *s, efsm *m, const efsm_point *p, bool (*holds) (void *, term), void *state) {
  const slots before = *s;
  term_substitution known;
  substitution_init (&known, &m->terms);
  substitution_begin (&known, known_flag, &(knowledge){&before, m});
  for (uint32_t k = 0; k < p->updates.count; k++)
    for (uint32_t t = 1; t < m->threads.count; t++) {
      const efsm_update *u = &p->updates.data[k];
      const efsm_thread *x = &m->threads.data[t];
      if (!is_flag_of (x, u->variable) || is_set (&before, t, x, u->variable)) continue;
      if (holds (state, substitute_term (&known, u->value))) note_flag (s, t, x, p, u->variable);
    }
  substitution_release (&known);
}
