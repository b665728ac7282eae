// Endless busy waiting: every enabled thread only reads, again and again, and comes back to its location. Such a state
// is no deadlock by definition (threads do step), but the engine must not answer that there is no deadlock. Memory does
// not change throughout, so each thread can be examined on its own.
#include "base/limits.h"
#include "engine/explicit/explicit_search.h"

typedef enum state_change { NOTHING_CHANGED, OWN_CHANGED, SHARED_CHANGED } state_change;

// Compares the current state with the given one: nothing differs, only the thread itself and private objects, or more.
static state_change changes_since (const current_state *w, const uint32_t *ids, uint32_t count, uint32_t slot) {
  state_change most = NOTHING_CHANGED;
  for (uint32_t k = 0; k < w->ids.count; k++) {
    if (w->ids.data[k] == (k < count ? ids[k] : 0)) continue;
    const position *p = &w->positions.data[k];
    if (p->is_thread ? p->slot != slot : p->object->shared) return SHARED_CHANGED;
    most = OWN_CHANGED;
  }
  return most;
}

static bool waits_busily (state_search *s, state_id state, uint32_t slot) {
  current_state *w = &s->current;
  uint32_t count;
  const uint32_t *ids = store_state (&s->store, state, &count);
  xs_state_load (w, ids, count);
  for (uint32_t k = 0; !at_limit (EXPLICIT_SPIN, k); k++) {
    if (w->threads[slot].status != T_RUNNING) return false;
    if (!w->threads[slot].pending.bytes) return false;  // it does not read memory
    vec_clear (&w->step.choices);
    xs_step_begin (w);
    if (xs_exec_step (w, slot) != STEP_DONE || w->step.choices.count) return false;
    xs_state_commit (w);
    state_change c = changes_since (w, ids, count, slot);
    if (c != OWN_CHANGED) return c == NOTHING_CHANGED;
  }
  return false;
}

// Returns whether main ends the process without waiting for other threads: it will not wake them (see wakers.c).
static bool is_end_of_main (const state_search *s, uint32_t slot) {
  const insn *i = xs_exec_insn (&s->current, slot);
  const ir_program *p = s->current.program;
  return i->op == BC_EXIT && ir_loc_at (p, p->edges.data[i->edge].from)->proc.i == p->start.i;
}

uint32_t busy_wait_endless (state_search *s, state_id state, const uint32_t *enabled, uint32_t num_enabled) {
  uint32_t spinning[IR_MAX_THREADS], count = 0;
  for (uint32_t k = 0; k < num_enabled; k++)
    if (!is_end_of_main (s, enabled[k])) spinning[count++] = enabled[k];
  for (uint32_t k = 0; k < count; k++)
    if (!waits_busily (s, state, spinning[k])) return IR_NONE;
  return count ? spinning[0] : IR_NONE;
}
