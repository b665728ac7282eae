// Creation, joining and detaching of threads, as specified by the table in docs/formats/ir.md.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"
#include "ir/sync.h"

static sync_result execute_thread_create (current_state *w, uint32_t slot, const insn *i) {
  w->step.uncacheable = true;
  uint32_t bytes = w->program->pointer_bits / 8;
  uint64_t handle = xs_exec_value (w, slot, i->a), function = xs_exec_value (w, slot, i->b);
  uint64_t argument = xs_exec_value (w, slot, i->c), number = pointer_object (w, function);
  const ir_object_data *f = number && number < w->num_static ? &w->program->objects.data[number] : NULL;
  bool callable = f && f->kind == IR_O_FUNCTION && f->proc.i != IR_NONE && !pointer_offset (w, function);
  if (!callable || !xs_object_access (w, handle, bytes, true)) {
    xs_exec_violate (w, IR_P_MEMORY, slot, i->edge, IR_NONE);
    return SYNC_VIOLATION;
  }
  xs_object_publish (w, argument);
  uint32_t started = xs_thread_start (w, f->proc.i, argument);
  if (started == IR_NONE) {
    w->step.stop_message = "more threads than --max-threads allows";
    w->step.stop_edge = i->edge;
    return SYNC_CUT;
  }
  state_object *o = xs_object_find (w, handle);
  uint32_t at = (uint32_t) pointer_offset (w, handle);
  uint64_t value = started + 1;
  xs_object_mark_dirty (w, o, at, bytes);
  memcpy (o->bytes + at, &value, bytes);
  if (o->any_undefined) memset (o->undefined + at, 0, bytes);
  vec_push (&w->step.starts, started);
  xs_thread_set_result (&w->threads[slot], i, 0);
  return SYNC_GO;
}

// Returns the slot of the thread that a handle names; IR_NONE if no joinable thread has this handle.
static uint32_t joinable (const current_state *w, uint64_t handle) {
  ((current_state *) w)->step.uncacheable = true;
  if (!handle || handle > w->num_slots) return IR_NONE;
  const state_thread *t = &w->threads[handle - 1];
  return t->status == T_FREE || t->detached ? IR_NONE : (uint32_t) handle - 1;
}

static void execute_thread_join (current_state *w, uint32_t slot, const insn *i) {
  uint32_t target = joinable (w, xs_exec_value (w, slot, i->a));
  if (target == IR_NONE) {
    xs_exec_violate (w, IR_P_LOCKS, slot, i->edge, IR_NONE);
    xs_thread_set_result (&w->threads[slot], i, 0);
    return;
  }
  xs_thread_set_result (&w->threads[slot], i, w->threads[target].result);
  xs_thread_unpack (w, target, NULL, 0);
  xs_state_mark_thread (w, target);
}

static void execute_thread_detach (current_state *w, uint32_t slot, const insn *i) {
  w->detached = true;
  uint32_t target = joinable (w, xs_exec_value (w, slot, i->a));
  if (target == IR_NONE) {
    xs_exec_violate (w, IR_P_LOCKS, slot, i->edge, IR_NONE);
    return;
  }
  state_thread *t = &w->threads[target];
  t->detached = true;
  if (t->status == T_ENDED) xs_thread_unpack (w, target, NULL, 0);
  xs_state_mark_thread (w, target);
}

bool xs_join_can_end (const current_state *w, uint64_t handle) {
  uint32_t target = joinable (w, handle);
  return target == IR_NONE || w->threads[target].status == T_ENDED;
}

sync_result xs_thread_operation (current_state *w, uint32_t slot, const insn *i) {
  switch (ir_sync_of (i->ir)->action) {
  case IR_A_START: return execute_thread_create (w, slot, i);
  case IR_A_JOIN: execute_thread_join (w, slot, i); return SYNC_GO;
  case IR_A_DETACH: execute_thread_detach (w, slot, i); return SYNC_GO;
  default: BUG ("operation %s of a thread should be known", ir_op_table[i->ir].text);
  }
}
