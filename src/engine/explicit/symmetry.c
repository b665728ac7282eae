// Symmetric threads. Two threads with the same component are at the same location with the same registers, wait for the
// same object and hold the same locks: whichever steps first, the executions that follow differ only by the names of
// the two. So only the first of them is explored.
//
// Names matter to the threads themselves (pthread_self, thread-locals, objects they have created, threads they start)
// and to threads that join them. Joining one and then the other is the same as joining them in the other order if
// nothing can be noticed in between and the results are not used. The address of an object contains its creator's slot.
#include "engine/explicit/explicit_reduce.h"
#include "engine/explicit/lock_antichain.h"

// Made objects have the maker's name in their addresses.
static bool owns_objects (const current_state *w, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->objects.count; k++)
    if (t->objects.data[k]->state != OBJ_ABSENT) return true;
  return t->owned.count > 0;
}

static bool is_nameless (state_search *s, uint32_t slot) {
  const current_state *w = &s->current;
  const thread_future *f = futures_of (s->reducer->futures, w, slot);
  return !f->everything && !f->names_itself && !f->creates && !f->joins && !f->detaches && !w->threads[slot].detached &&
         !owns_objects (w, slot);
}

// Returns whether other threads can notice the access. Not noticed are the join itself, the read of a joined handle,
// and accesses to private memory.
static bool is_noticed (state_search *s, const future_access *a) {
  const current_state *w = &s->current;
  uint64_t number = a->kind == REGION_RANGE ? pointer_object (w, a->at) : a->at;
  if (a->kind > REGION_OBJECT) return true;
  if (a->at >= thread_entry_address (w->program, 0) && a->kind == REGION_RANGE)
    return a->at >= events_address (w->program);
  if (a->kind == REGION_RANGE && !a->write && futures_is_handle (s->reducer->futures, a->at)) return false;
  const state_object *o = xs_object_find (w, number << w->program->offset_bits);
  return !o || o->shared;
}

// Returns whether each visible access of the thread comes before both have ended or after both have, and none in
// between.
static bool joins_both_or_none (state_search *s, const thread_future *f, lock_set one, lock_set other) {
  for (uint32_t k = 0; k < f->accesses.count; k++) {
    const lock_antichain *before = &f->accesses.data[k].before;
    if (!is_noticed (s, &f->accesses.data[k])) continue;
    for (uint32_t n = 0; n < before->count; n++)
      if (!(before->sets[n] & one) != !(before->sets[n] & other)) return false;
  }
  return true;
}

static bool others_do_not_care (state_search *s, state_snapshot *v, uint32_t i, uint32_t j) {
  for (uint32_t k = 0; k < v->num_threads; k++) {
    if (k == i || k == j) continue;
    const thread_future *f = futures_of (s->reducer->futures, &s->current, v->threads[k].slot);
    if (f->everything || f->detaches) return false;
    if (!f->joins) continue;
    lock_set one = stubborn_alive (v, i), other = stubborn_alive (v, j);
    if (f->uses_results || !one || !other || !joins_both_or_none (s, f, one, other)) return false;
  }
  return true;
}

static bool is_like (state_search *s, state_snapshot *v, uint32_t i, uint32_t j) {
  const current_state *w = &s->current;
  uint32_t a = v->threads[i].slot, b = v->threads[j].slot;
  if (w->ids.data[w->threads[a].position] != w->ids.data[w->threads[b].position]) return false;
  return is_nameless (s, a) && others_do_not_care (s, v, i, j);
}

// Removes threads that are symmetric to another chosen one. The current state is that of the snapshot, committed.
void symmetry_drop (state_search *s, state_snapshot *v, thread_choice *chosen) {
  uint32_t kept = 0;
  for (uint32_t j = 0; j < chosen->count; j++) {
    bool again = false;
    for (uint32_t i = 0; i < kept && !again; i++) again = is_like (s, v, chosen->index[i], chosen->index[j]);
    if (!again) chosen->index[kept++] = chosen->index[j];
  }
  s->reducer->counts.symmetric += chosen->count - kept;
  chosen->count = kept;
}
