// Busy waiting that nobody will end: every thread that can step only reads, again and again, and comes back to where it
// was.  Such a state is no deadlock by definition (threads do step), but who asks for deadlocks must not be told that all
// is well.  Memory stays as it is throughout, so each thread may be looked at alone.
#include "base/limits.h"
#include "engine/explicit/search.h"

typedef enum change { NOTHING_CHANGED, OWN_CHANGED, SHARED_CHANGED } change;

// What differs from the state: nothing, only the thread itself and objects of its own, or more.
static change changes_since (const world *w, const uint32_t *ids, uint32_t count, uint32_t slot) {
  change most = NOTHING_CHANGED;
  for (uint32_t k = 0; k < w->current.count; k++) {
    if (w->current.data[k] == (k < count ? ids[k] : 0)) continue;
    const position *p = &w->positions.data[k];
    if (p->is_thread ? p->slot != slot : p->object->shared) return SHARED_CHANGED;
    most = OWN_CHANGED;
  }
  return most;
}

static bool spins_alone (search *s, state_id state, uint32_t slot) {
  world *w = &s->world;
  uint32_t count;
  const uint32_t *ids = store_state (&s->store, state, &count);
  world_load (w, ids, count);
  for (uint32_t k = 0; !at_limit (EXPLICIT_SPIN, k); k++) {
    if (w->threads[slot].status != T_RUNNING) return false;
    if (!w->threads[slot].pending.bytes) return false;  // does not look at memory
    vec_clear (&w->step.choices);
    world_begin_step (w);
    if (xs_exec_step (w, slot) != STEP_DONE || w->step.choices.count) return false;
    world_commit (w);
    change c = changes_since (w, ids, count, slot);
    if (c != OWN_CHANGED) return c == NOTHING_CHANGED;
  }
  return false;
}

// Main has run out, without waiting for the others: it will not help them (see wakers.c).
static bool leaves_main (const search *s, uint32_t slot) {
  const insn *i = xs_exec_insn (&s->world, slot);
  const ir_program *p = s->world.program;
  return i->op == BC_EXIT && ir_loc_at (p, p->edges.data[i->edge].from)->proc.i == p->start.i;
}

uint32_t spin_endless (search *s, state_id state, const uint32_t *enabled, uint32_t num_enabled) {
  uint32_t spinning[IR_MAX_THREADS], count = 0;
  for (uint32_t k = 0; k < num_enabled; k++)
    if (!leaves_main (s, enabled[k])) spinning[count++] = enabled[k];
  for (uint32_t k = 0; k < count; k++)
    if (!spins_alone (s, state, spinning[k])) return IR_NONE;
  return count ? spinning[0] : IR_NONE;
}
