// The tree of kinds, and the effect of creating, joining and detaching one on the thread that does it.
//
// A join waits for the end of the thread whose handle it got, unless that thread may be detached: then it may return at
// once. Threads that the joined thread has created and not joined itself may live on.
//
// Handles are numbers of slots and are used again. A join with the handle of a thread that was joined long ago may wait
// for another one; still the first has ended, and nothing more is concluded. A second detach may detach another thread;
// then no thread is presumed joinable.
#include "analysis/threads_impl.h"
#include "base/limits.h"

bool kinds_many (const thread_walk *w, uint32_t k) {
  for (; k != IR_NONE; k = w->kinds.data[k].parent)
    if (w->kinds.data[k].many) return true;
  return false;
}

// ---- the tree -----------------------------------------------------------------------------------------

static bool same_origin (const thread_kind *t, ir_edge creator, ir_proc entry) {
  return t->creator.i == creator.i && t->entry.i == entry.i;
}

// Completes the sets `below`: each kind between `by` and `top` may have all descendants of the shared kind.
static void close_sharings (thread_walk *w) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t c = 0; c < w->sharings.count; c++) {
      kind_sharing s = w->sharings.data[c];
      for (uint32_t k = s.by; k != s.top; k = w->kinds.data[k].parent)
        changed |= small_unite (&w->kinds.data[k].below, &w->kinds.data[s.shared].below);
    }
    w->changed |= changed;
  }
}

static uint32_t add_kind (thread_walk *w, thread_kind t) {
  uint32_t id = w->kinds.count;
  if (at_limit (THREAD_MEMBERS, id)) {
    w->overflow = true;
    return 0;
  }
  t.again = t.parent != IR_NONE && w->kinds.data[t.parent].again;
  t.ended_at_end = small_all ();
  vec_push (&w->kinds, t);
  for (uint32_t k = id; k != IR_NONE; k = w->kinds.data[k].parent) small_add (&w->kinds.data[k].below, id);
  close_sharings (w);
  w->changed = true;
  return id;
}

static uint32_t share_kind (thread_walk *w, uint32_t by, uint32_t shared, uint32_t top) {
  for (uint32_t k = 0; k < w->sharings.count; k++)
    if (w->sharings.data[k].by == by && w->sharings.data[k].shared == shared) return shared;
  vec_push (&w->sharings, ((kind_sharing){by, shared, top}));
  walk_drop_assumption (w, &w->kinds.data[shared].many);
  walk_drop_assumption (w, &w->kinds.data[shared].again);
  walk_drop_assumption (w, &w->kinds.data[shared].has_unknown_creator);
  close_sharings (w);
  return shared;
}

// If a thread starts threads of its own kind, directly or not, there is no tree: one kind stands for all.
static uint32_t find_ancestor (const thread_walk *w, uint32_t by, ir_edge creator, ir_proc entry) {
  for (uint32_t k = by; k != IR_NONE; k = w->kinds.data[k].parent)
    if (same_origin (&w->kinds.data[k], creator, entry)) return k;
  return IR_NONE;
}

static uint32_t find_kind (const thread_walk *w, uint32_t by, uint32_t node, ir_edge creator, ir_proc entry) {
  for (uint32_t k = 0; k < w->kinds.count; k++) {
    const thread_kind *t = &w->kinds.data[k];
    if (t->parent == by && t->node == node && same_origin (t, creator, entry)) return k;
  }
  return IR_NONE;
}

// In a flat tree all threads of one edge and procedure are one kind, whichever thread creates them.
static uint32_t created_in_flat_tree (thread_walk *w, uint32_t by, ir_edge creator, ir_proc entry) {
  uint32_t k = 0;
  while (k < w->kinds.count && !same_origin (&w->kinds.data[k], creator, entry)) k++;
  if (k == w->kinds.count)
    k = add_kind (w, (thread_kind){.parent = 0, .node = IR_NONE, .creator = creator, .entry = entry});
  return share_kind (w, by, k, 0);
}

uint32_t kinds_created (thread_walk *w, uint32_t by, uint32_t node, ir_edge creator, ir_proc entry) {
  if (w->flat && by != IR_NONE) return created_in_flat_tree (w, by, creator, entry);
  uint32_t found = find_ancestor (w, by, creator, entry);
  if (found != IR_NONE) return share_kind (w, by, found, found);
  found = find_kind (w, by, node, creator, entry);
  if (found != IR_NONE) return found;
  bool in_bulk = node == IR_NONE && by != IR_NONE;
  thread_kind t = {
      .parent = by, .node = node, .creator = creator, .entry = entry, .many = in_bulk, .has_unknown_creator = in_bulk};
  return add_kind (w, t);
}

// Computes the objects that other threads may write. Another thread of the same kind counts as another thread.
void kinds_compute_foreign (thread_walk *w) {
  for (uint32_t k = 0; k < w->kinds.count; k++) {
    thread_kind *t = &w->kinds.data[k];
    t->foreign = (small_set){0};
    for (uint32_t other = 0; other < w->kinds.count; other++)
      if (other != k || kinds_many (w, k)) small_unite (&t->foreign, &w->slice->writes[w->kinds.data[other].entry.i]);
  }
}

// ---- creating -----------------------------------------------------------------------------------------

static void mark_again (thread_walk *w, const small_set *kinds) {
  for (uint32_t k = 0; k < w->kinds.count; k++)
    if (small_has (kinds, k)) walk_drop_assumption (w, &w->kinds.data[k].again);
}

void kinds_create (thread_walk *w, thread_facts *f, uint32_t k) {
  thread_kind *t = &w->kinds.data[k];
  if (small_intersects (&t->below, &f->alive)) walk_drop_assumption (w, &t->many);
  if (small_intersects (&t->below, &f->created)) mark_again (w, &t->below);
  facts_forget_handle (f, k);
  small_remove (&f->gone, k);
  small_unite (&f->alive, &t->below);
  small_unite (&f->created, &t->below);
  small_subtract (&f->ended, &t->below);
}

// ---- joining ------------------------------------------------------------------------------------------

// Returns the descendants that have ended with it. A kind with an unknown creator may also have been created by other
// threads.
static small_set ended_with (const thread_walk *w, uint32_t k) {
  small_set over = w->kinds.data[k].below;
  small_subtract (&over, &w->kinds.data[k].left);
  for (uint32_t other = 0; other < w->kinds.count; other++)
    if (w->kinds.data[other].has_unknown_creator) small_subtract (&over, &w->kinds.data[other].below);
  return over;
}

static void add_ended (const thread_walk *w, thread_facts *f, const small_set *over) {
  for (uint32_t k = 0; k < w->kinds.count; k++)
    if (small_has (over, k) && !w->kinds.data[k].again) small_add (&f->ended, k);
}

void kinds_has_ended (thread_walk *w, uint32_t by, thread_facts *f, uint32_t k) {
  const thread_kind *t = &w->kinds.data[k];
  if (t->detached || w->all_detached || t->many) return;
  small_set over = ended_with (w, k);
  if (t->parent == by) small_subtract (&f->alive, &over);
  if (t->again || kinds_many (w, k)) return;
  add_ended (w, f, &over);
  if (t->ends) small_unite (&f->ended, &t->ended_at_end);
  small_subtract (&f->alive, &f->ended);
}

void kinds_all_ended (thread_walk *w, thread_facts *f, uint32_t k) {
  if (w->kinds.data[k].detached || w->all_detached) return;
  small_set over = ended_with (w, k);
  small_subtract (&f->alive, &over);
}

static void note_gone (thread_walk *w, uint32_t by, thread_facts *f, uint32_t k) {
  if (w->kinds.data[k].parent != by) walk_drop_assumption (w, &w->kinds.data[k].joined);
  small_add (&f->gone, k);
}

void kinds_join (thread_walk *w, uint32_t by, thread_facts *f, thread_value handle) {
  if (handle.tag == VALUE_HANDLE && handle.number == OWN_HANDLE) return;
  if (handle.tag == VALUE_HANDLE) {
    note_gone (w, by, f, (uint32_t) handle.number);
    kinds_has_ended (w, by, f, (uint32_t) handle.number);
  } else {
    walk_drop_assumption (w, &w->unknown_join);
  }
}

void kinds_detach (thread_walk *w, uint32_t by, thread_facts *f, thread_value handle) {
  if (handle.tag != VALUE_HANDLE) {
    walk_drop_assumption (w, &w->all_detached);
    return;
  }
  uint32_t k = handle.number == OWN_HANDLE ? by : (uint32_t) handle.number;
  thread_kind *t = &w->kinds.data[k];
  walk_drop_assumption (w, &t->detached);
  if (k == by) return;
  if (t->joined || w->unknown_join || small_has (&f->gone, k)) walk_drop_assumption (w, &w->all_detached);
  note_gone (w, by, f, k);
}

// ---- the end of a thread ------------------------------------------------------------------------------

void kinds_end (thread_walk *w, uint32_t k, const thread_facts *f) {
  thread_kind *t = &w->kinds.data[k];
  w->changed |= small_unite (&t->left, &f->alive);
  w->changed |= small_intersect (&t->ended_at_end, &f->ended);
  walk_drop_assumption (w, &t->ends);
}
