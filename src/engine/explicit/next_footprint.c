// The footprint of a thread's next step. In a stored state the next operation of every thread is visible and its
// address known, so the footprint is exact except for atomic regions; the local work that follows accesses nothing that
// other threads can see.
#include "engine/explicit/next_footprint.h"

#include "ir/sync.h"

static void add_step_access (next_footprint *out, uint64_t address, uint32_t bytes, bool write, bool plain) {
  vec_push (&out->items, ((step_access){address, bytes, write, plain}));
}

static void add_whole_object (const current_state *w, next_footprint *out, const state_object *o) {
  add_step_access (out, (uint64_t) o->number << w->program->offset_bits, o->size ? o->size : 1, true, true);
}

static bool any_undefined (const state_object *o, uint64_t offset, uint32_t bytes) {
  for (uint32_t k = 0; o->any_undefined && k < bytes; k++)
    if (o->undefined[offset + k]) return true;
  return false;
}

static uint64_t stored_value (const state_object *o, uint64_t offset, uint32_t bytes) {
  uint64_t x = 0;
  for (uint32_t k = 0; k < bytes; k++) x |= (uint64_t) o->bytes[offset + k] << 8 * k;
  return x;
}

// Returns whether the access changes memory. A store of the same value and a failing comparison do not, but they take
// part in races all the same. A read of undefined memory gives it a value.
static bool may_change_memory (const current_state *w, const state_object *o, uint64_t pointer, uint32_t slot,
                               const insn *i) {
  uint64_t offset = pointer_offset (w, pointer), mask = i->bytes >= 8 ? ~0ull : (1ull << 8 * i->bytes) - 1;
  bool races = w->semantics->properties >> IR_P_RACE & 1;
  if (i->op != BC_LOAD_RAW && any_undefined (o, offset, i->bytes)) return true;
  if (i->op == BC_LOAD || i->op == BC_LOAD_RAW) return false;
  if (races || i->op == BC_RMW || i->op == BC_STORE_RAW) return true;
  bool same = stored_value (o, offset, i->bytes) == (xs_exec_value (w, slot, i->b) & mask);
  return i->op == BC_STORE ? !same : same;
}

static void add_memory_access (const current_state *w, uint32_t slot, const insn *i, next_footprint *out) {
  uint64_t pointer = xs_exec_value (w, slot, i->a);
  bool may_write = i->op != BC_LOAD && i->op != BC_LOAD_RAW;
  const state_object *o = xs_object_access (w, pointer, i->bytes, may_write);
  if (!o) {  // a memory error ends the execution; its address counts as accessed all the same
    out->everything = true;
    add_step_access (out, pointer, i->bytes, may_write, i->order == IR_PLAIN);
  } else if (o->shared)
    add_step_access (out, pointer, i->bytes, may_change_memory (w, o, pointer, slot, i), i->order == IR_PLAIN);
}

static void add_freed (const current_state *w, uint32_t slot, const insn *i, next_footprint *out) {
  uint64_t pointer = xs_exec_value (w, slot, i->a);
  const state_object *o = pointer_object (w, pointer) ? xs_object_find (w, pointer) : NULL;
  if (!pointer) return;
  if (o) add_whole_object (w, out, o);
  if (!o || o->state != OBJ_ALIVE) out->everything = true;
}

// Returning from a frame ends the lifetime of objects whose address other threads may know.
static void add_stack (const current_state *w, uint32_t slot, uint32_t depth, next_footprint *out) {
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < w->tls.count && !depth; k++)
    if (t->objects.data[k]->state == OBJ_ALIVE && t->objects.data[k]->shared)
      add_whole_object (w, out, t->objects.data[k]);
  for (uint32_t k = w->tls.count; k < t->objects.count; k++) {
    const state_object *o = t->objects.data[k];
    if (o->kind == OBJ_STACK && o->state == OBJ_ALIVE && o->shared && o->depth >= depth) add_whole_object (w, out, o);
  }
}

// An ownership declaration, and its end, matter to every thread that uses the variable or the cell.
static void add_declaration (const current_state *w, uint32_t slot, const insn *i, next_footprint *out) {
  const call_operand *x = &w->code->call_operands.data[w->code->calls.data[i->other].first];
  add_step_access (out, xs_exec_value (w, slot, x[0].value), (uint32_t) xs_exec_value (w, slot, x[1].value), true,
                   false);
  add_step_access (out, xs_exec_value (w, slot, x[2].value), i->bytes, true, false);
  out->everything = true;
}

static void add_declared (const current_state *w, uint32_t slot, next_footprint *out) {
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->owned.count; k++) {
    add_step_access (out, t->owned.data[k].address, t->owned.data[k].bytes, true, false);
    add_step_access (out, t->owned.data[k].cell, t->owned.data[k].cell_bytes, true, false);
  }
}

static void add_thread_operation (const current_state *w, uint32_t slot, const insn *i, ir_action action,
                                  next_footprint *out) {
  uint64_t a = xs_exec_value (w, slot, i->a);
  if (action == IR_A_END) {
    add_stack (w, slot, 0, out);
    add_declared (w, slot, out);
    return;
  }
  if (action == IR_A_START) add_step_access (out, a, w->program->pointer_bits / 8u, true, false);
  else add_step_access (out, thread_entry_address (w->program, (uint32_t) a - 1), 1, true, false);
  add_step_access (out, free_slots_address (w->program), 1, true, false);
}

static void add_mutex (const current_state *w, uint64_t mutex, next_footprint *out) {
  add_step_access (out, mutex, ir_family_bytes (w->program, IR_F_MUTEX), true, false);
}

static void add_sync_access (const current_state *w, uint32_t slot, const insn *i, next_footprint *out) {
  const ir_sync *facts = ir_sync_of (i->ir);
  uint64_t a = xs_exec_value (w, slot, i->a);
  bool writes = facts->action != IR_A_READ;
  if (facts->family == IR_F_THREAD) {
    add_thread_operation (w, slot, i, facts->action, out);
    return;
  }
  if (facts->names_mutex) add_mutex (w, xs_exec_value (w, slot, i->b), out);
  if (!xs_object_access (w, a, 4, writes)) out->everything = true;
  else add_step_access (out, a, ir_family_bytes (w->program, facts->family), writes, false);
}

static bool check_fails (const current_state *w, uint32_t slot, const insn *i) {
  return !xs_exec_value (w, slot, i->a);
}

void next_footprint_find (const current_state *w, uint32_t slot, next_footprint *out) {
  const insn *i = xs_exec_insn (w, slot);
  uint32_t depth = w->threads[slot].frames.count;
  vec_clear (&out->items);
  out->everything = out->region = false;
  if (w->threads[slot].atomic) out->region = true;
  switch (i->op) {
  case BC_LOAD:
  case BC_LOAD_RAW:
  case BC_STORE:
  case BC_STORE_RAW:
  case BC_RMW:
  case BC_CMPXCHG: add_memory_access (w, slot, i, out); break;
  case BC_FREE:
  case BC_FORGET: add_freed (w, slot, i, out); break;
  case BC_SYNC: add_sync_access (w, slot, i, out); break;
  case BC_RETURN:
    add_stack (w, slot, depth == 1 ? 0 : depth, out);
    if (depth == 1) add_declared (w, slot, out);
    break;
  case BC_OWN: add_declaration (w, slot, i, out); break;
  case BC_STACK_RESTORE: add_stack (w, slot, depth, out); break;
  case BC_ATOMIC_BEGIN: out->region = true; break;
  case BC_CHECK: out->everything = check_fails (w, slot, i); break;
  case BC_NOP: break;               // the first local work of a new thread
  default: out->everything = true;  // exit, an infeasible path, a pause in a loop
  }
}

// ---- atomic regions -----------------------------------------------------------------------------------
enum { NUM_REHEARSALS = 64 };  // combinations of choices in a region

static void add_touched (const current_state *w, next_footprint *out) {
  for (uint32_t k = 0; k < w->step.accessed.count; k++) {
    const next_access *p = &w->step.accessed.data[k];
    add_step_access (out, p->address, p->bytes, p->write, p->plain);
    if (p->mutex) add_mutex (w, p->mutex, out);
  }
}

// A failing assumption in the region, like everything that ends the execution, conflicts with all steps of other
// threads.
void next_footprint_rehearse (current_state *w, uint32_t slot, next_footprint *out) {
  next_footprint_find (w, slot, out);
  if (!out->region) return;
  step_record kept = w->step;
  VEC (uint32_t) here = {0};
  for (uint32_t k = 0; k < w->ids.count; k++) vec_push (&here, w->ids.data[k]);
  w->step = (step_record){0};
  uint32_t tries = 0;
  do {
    xs_step_begin (w);
    out->everything |= xs_exec_step (w, slot) != STEP_DONE || w->step.violations.count || ++tries > NUM_REHEARSALS;
    add_touched (w, out);
    xs_state_load (w, here.data, here.count);
  } while (!out->everything && xs_step_next_choices (w));
  xs_step_release (&w->step);
  w->step = kept;
  vec_release (&here);
}
