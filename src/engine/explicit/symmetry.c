// Interchangeable threads.  Two threads with the same component stand at the same place with the same registers, wait for the same and hold the same: whichever
// steps first, what follows differs only by their names.  So only the first of them is explored.
//
// Names matter to the threads themselves (pthread_self, thread-locals, objects they have made, threads they start) and to whoever joins them.  Joining one and
// then the other is the same as joining the other and then the one if nothing can be noticed in between and the results are not used.
#include "engine/explicit/lock_family.h"
#include "engine/explicit/reduce.h"

// Made objects have the maker's name in their addresses.
static bool owns_objects (const world *w, uint32_t slot) {
  const thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->objects.count; k++)
    if (t->objects.data[k]->state != OBJ_ABSENT) return true;
  return t->owned.count > 0;
}

static bool is_nameless (search *s, uint32_t slot) {
  const world *w = &s->world;
  const future *f = futures_of (s->reducer->futures, w, slot);
  return !f->everything && !f->names_itself && !f->creates && !f->joins && !f->detaches && !w->threads[slot].detached &&
         !owns_objects (w, slot);
}

// Joining itself, reading the handles for it, and what is private, nobody notices.
static bool is_noticed (search *s, const future_access *a) {
  const world *w = &s->world;
  uint64_t number = a->kind == REGION_RANGE ? pointer_object (w, a->at) : a->at;
  if (a->kind > REGION_OBJECT) return true;
  if (a->at >= touch_thread_entry (w->program, 0) && a->kind == REGION_RANGE) return a->at >= touch_events (w->program);
  if (a->kind == REGION_RANGE && !a->write && futures_is_handle (s->reducer->futures, a->at)) return false;
  const object *o = xs_object_find (w, number << w->program->offset_bits);
  return !o || o->shared;
}

// Is everything the thread does before both have ended, or after, and nothing in between?
static bool joins_both_or_none (search *s, const future *f, lock_set one, lock_set other) {
  for (uint32_t k = 0; k < f->accesses.count; k++) {
    const lock_family *before = &f->accesses.data[k].before;
    if (!is_noticed (s, &f->accesses.data[k])) continue;
    for (uint32_t n = 0; n < before->count; n++)
      if (!(before->sets[n] & one) != !(before->sets[n] & other)) return false;
  }
  return true;
}

static bool others_do_not_care (search *s, state_view *v, uint32_t i, uint32_t j) {
  for (uint32_t k = 0; k < v->num_threads; k++) {
    if (k == i || k == j) continue;
    const future *f = futures_of (s->reducer->futures, &s->world, v->threads[k].slot);
    if (f->everything || f->detaches) return false;
    if (!f->joins) continue;
    lock_set one = stubborn_alive (v, i), other = stubborn_alive (v, j);
    if (f->uses_results || !one || !other || !joins_both_or_none (s, f, one, other)) return false;
  }
  return true;
}

static bool is_like (search *s, state_view *v, uint32_t i, uint32_t j) {
  const world *w = &s->world;
  uint32_t a = v->threads[i].slot, b = v->threads[j].slot;
  if (w->current.data[w->threads[a].position] != w->current.data[w->threads[b].position]) return false;
  return is_nameless (s, a) && others_do_not_care (s, v, i, j);
}

// The world is at the state of the view, committed.
void symmetry_drop (search *s, state_view *v, thread_choice *chosen) {
  uint32_t kept = 0;
  for (uint32_t j = 0; j < chosen->count; j++) {
    bool again = false;
    for (uint32_t i = 0; i < kept && !again; i++) again = is_like (s, v, chosen->index[i], chosen->index[j]);
    if (!again) chosen->index[kept++] = chosen->index[j];
  }
  s->reducer->counts.symmetric += chosen->count - kept;
  chosen->count = kept;
}
