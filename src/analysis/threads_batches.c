// Batches: threads created by one loop and joined by another (threads_loops.c), tracked during the walk.
//
// A batch is *complete* from the moment the creating loop begins with none of its threads alive, as long as nothing it
// depends on changes: then the handles of all threads that it has created lie in the array, at the counter's values so
// far. It is *being joined* from the moment the joining loop begins, if the batch is complete and no thread is added.
// When that loop ends at its bound, all its threads have ended, except those that were detached.
#include "analysis/threads_impl.h"

static void drop_batch (thread_facts *f, uint32_t pair) {
  small_remove (&f->batches, BATCH_COMPLETE (pair));
  small_remove (&f->batches, BATCH_JOINED (pair));
}

// Objects were written. The creating edge of a batch may write its handles, and its link their addresses.
void batches_note_written (const thread_walk *w, thread_facts *f, const small_set *objects, ir_edge by) {
  for (uint32_t k = 0; k < w->pairs->count; k++) {
    const loop_pair *pair = &w->pairs->data[k];
    bool touched = small_has (objects, ANY_OBJECT) || small_intersects (objects, &pair->objects);
    if (touched && pair->create.i != by.i && pair->round.link.i != by.i) drop_batch (f, k);
  }
}

void batches_change_frame (const thread_walk *w, thread_facts *f, ir_proc proc) {
  for (uint32_t k = 0; k < w->pairs->count; k++)
    if (w->pairs->data[k].proc == proc.i && w->pairs->data[k].registers.count) drop_batch (f, k);
}

static bool depends_on (const loop_pair *pair, ir_proc proc, ir_reg r) {
  if (r.i == IR_NONE || pair->proc != proc.i) return false;
  for (uint32_t k = 0; k < pair->registers.count; k++)
    if (pair->registers.data[k] == r.i) return true;
  return false;
}

static bool others_write (const thread_walk *w, uint32_t kind, const loop_pair *pair) {
  small_set shared = w->slice->escaped;
  const small_set *foreign = &w->kinds.data[kind].foreign;
  small_intersect (&shared, &pair->objects);
  return small_has (foreign, ANY_OBJECT) || small_intersects (foreign, &shared);
}

static small_set made_by (const thread_walk *w, uint32_t kind, ir_edge create) {
  small_set made = {0};
  for (uint32_t k = 0; k < w->kinds.count; k++)
    if (w->kinds.data[k].parent == kind && w->kinds.data[k].creator.i == create.i) small_add (&made, k);
  return made;
}

static void begin_creating (const thread_walk *w, uint32_t kind, thread_facts *f, uint32_t k) {
  const loop_pair *pair = &w->pairs->data[k];
  small_set made = made_by (w, kind, pair->create);
  drop_batch (f, k);
  if (!small_intersects (&made, &f->alive) && !others_write (w, kind, pair))
    small_add (&f->batches, BATCH_COMPLETE (k));
}

static void begin_joining (thread_facts *f, uint32_t k) {
  small_remove (&f->batches, BATCH_JOINED (k));
  if (small_has (&f->batches, BATCH_COMPLETE (k))) small_add (&f->batches, BATCH_JOINED (k));
}

static void end_joining (thread_walk *w, uint32_t kind, thread_facts *f, uint32_t k) {
  if (!small_has (&f->batches, BATCH_JOINED (k))) return;
  small_set made = made_by (w, kind, w->pairs->data[k].create);
  for (uint32_t i = 0; i < w->kinds.count; i++)
    if (small_has (&made, i)) kinds_all_ended (w, f, i);
}

void batches_take_edge (thread_walk *w, uint32_t kind, ir_proc proc, thread_facts *f, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (w->program, e);
  for (uint32_t k = 0; k < w->pairs->count; k++) {
    const loop_pair *pair = &w->pairs->data[k];
    if (depends_on (pair, proc, d->dst) || depends_on (pair, proc, d->dst2)) drop_batch (f, k);
    if (e.i == pair->create_begin.i) begin_creating (w, kind, f, k);
    if (e.i == pair->create.i) small_remove (&f->batches, BATCH_JOINED (k));
    if (e.i == pair->join_begin.i) begin_joining (f, k);
    if (e.i == pair->join_end.i) end_joining (w, kind, f, k);
  }
}
