// What a thread touches in its next step.  In a stored state every thread stands before a visible operation whose address is known,
// so this is exact but for atomic regions; the local work that follows touches nothing others can see.
#include "engine/explicit/touch.h"

#include "ir/sync.h"

static void add (touch_set *out, uint64_t address, uint32_t bytes, bool write, bool plain) {
  vec_push (&out->items, ((touch){address, bytes, write, plain}));
}

static void add_object (const world *w, touch_set *out, const object *o) {
  add (out, (uint64_t) o->number << w->program->offset_bits, o->size ? o->size : 1, true, true);
}

static bool any_undefined (const object *o, uint64_t offset, uint32_t bytes) {
  for (uint32_t k = 0; o->any_undefined && k < bytes; k++)
    if (o->undefined[offset + k]) return true;
  return false;
}

static uint64_t value_at (const object *o, uint64_t offset, uint32_t bytes) {
  uint64_t x = 0;
  for (uint32_t k = 0; k < bytes; k++) x |= (uint64_t) o->bytes[offset + k] << 8 * k;
  return x;
}

// Does it change memory?  A store of what is there already and a comparison that fails do not, but they are part of races all the same.  Reading
// memory that is undefined gives it a value.
static bool writes (const world *w, const object *o, uint64_t pointer, uint32_t slot, const insn *i) {
  uint64_t offset = pointer_offset (w, pointer), mask = i->bytes >= 8 ? ~0ull : (1ull << 8 * i->bytes) - 1;
  bool races = w->semantics->properties >> IR_P_RACE & 1;
  if (i->op != BC_LOAD_RAW && any_undefined (o, offset, i->bytes)) return true;
  if (i->op == BC_LOAD || i->op == BC_LOAD_RAW) return false;
  if (races || i->op == BC_RMW || i->op == BC_STORE_RAW) return true;
  bool same = value_at (o, offset, i->bytes) == (xs_exec_value (w, slot, i->b) & mask);
  return i->op == BC_STORE ? !same : same;
}

static void add_access (const world *w, uint32_t slot, const insn *i, touch_set *out) {
  uint64_t pointer = xs_exec_value (w, slot, i->a);
  bool may_write = i->op != BC_LOAD && i->op != BC_LOAD_RAW;
  const object *o = xs_object_access (w, pointer, i->bytes, may_write);
  if (!o) {  // a memory error ends the execution; what it goes for is touched all the same
    out->everything = true;
    add (out, pointer, i->bytes, may_write, i->order == IR_PLAIN);
  } else if (o->shared) add (out, pointer, i->bytes, writes (w, o, pointer, slot, i), i->order == IR_PLAIN);
}

static void add_freed (const world *w, uint32_t slot, const insn *i, touch_set *out) {
  uint64_t pointer = xs_exec_value (w, slot, i->a);
  const object *o = pointer_object (w, pointer) ? xs_object_find (w, pointer) : NULL;
  if (!pointer) return;
  if (o) add_object (w, out, o);
  if (!o || o->state != OBJ_ALIVE) out->everything = true;
}

// Leaving a frame ends the life of what others may know the address of.
static void add_stack (const world *w, uint32_t slot, uint32_t depth, touch_set *out) {
  const thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < w->tls.count && !depth; k++)
    if (t->objects.data[k]->state == OBJ_ALIVE && t->objects.data[k]->shared) add_object (w, out, t->objects.data[k]);
  for (uint32_t k = w->tls.count; k < t->objects.count; k++) {
    const object *o = t->objects.data[k];
    if (o->kind == OBJ_STACK && o->state == OBJ_ALIVE && o->shared && o->depth >= depth) add_object (w, out, o);
  }
}

// Declaring ownership, and ending what one has declared, is noticed by whoever uses the variable or the cell.
static void add_declaration (const world *w, uint32_t slot, const insn *i, touch_set *out) {
  const call_operand *x = &w->code->call_operands.data[w->code->calls.data[i->other].first];
  add (out, xs_exec_value (w, slot, x[0].value), (uint32_t) xs_exec_value (w, slot, x[1].value), true, false);
  add (out, xs_exec_value (w, slot, x[2].value), i->bytes, true, false);
  out->everything = true;
}

static void add_declared (const world *w, uint32_t slot, touch_set *out) {
  const thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->owned.count; k++) {
    add (out, t->owned.data[k].address, t->owned.data[k].bytes, true, false);
    add (out, t->owned.data[k].cell, t->owned.data[k].cell_bytes, true, false);
  }
}

static void add_thread_operation (const world *w, uint32_t slot, const insn *i, ir_action action, touch_set *out) {
  uint64_t a = xs_exec_value (w, slot, i->a);
  if (action == IR_A_END) {
    add_stack (w, slot, 0, out);
    add_declared (w, slot, out);
    return;
  }
  if (action == IR_A_START) add (out, a, w->program->pointer_bits / 8u, true, false);
  else add (out, touch_thread_entry (w->program, (uint32_t) a - 1), 1, true, false);
  add (out, touch_free_slots (w->program), 1, true, false);
}

static void add_mutex (const world *w, uint64_t mutex, touch_set *out) {
  add (out, mutex, ir_family_bytes (w->program, IR_F_MUTEX), true, false);
}

static void add_sync (const world *w, uint32_t slot, const insn *i, touch_set *out) {
  const ir_sync *facts = ir_sync_of (i->ir);
  uint64_t a = xs_exec_value (w, slot, i->a);
  bool writes = facts->action != IR_A_READ;
  if (facts->family == IR_F_THREAD) {
    add_thread_operation (w, slot, i, facts->action, out);
    return;
  }
  if (facts->names_mutex) add_mutex (w, xs_exec_value (w, slot, i->b), out);
  if (!xs_object_access (w, a, 4, writes)) out->everything = true;
  else add (out, a, ir_family_bytes (w->program, facts->family), writes, false);
}

static bool check_fails (const world *w, uint32_t slot, const insn *i) { return !xs_exec_value (w, slot, i->a); }

void touch_next (const world *w, uint32_t slot, touch_set *out) {
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
  case BC_CMPXCHG: add_access (w, slot, i, out); break;
  case BC_FREE:
  case BC_FORGET: add_freed (w, slot, i, out); break;
  case BC_SYNC: add_sync (w, slot, i, out); break;
  case BC_RETURN:
    add_stack (w, slot, depth == 1 ? 0 : depth, out);
    if (depth == 1) add_declared (w, slot, out);
    break;
  case BC_OWN: add_declaration (w, slot, i, out); break;
  case BC_STACK_RESTORE: add_stack (w, slot, depth, out); break;
  case BC_ATOMIC_BEGIN: out->region = true; break;
  case BC_CHECK: out->everything = check_fails (w, slot, i); break;
  case BC_NOP: break;               // a new thread's first local work
  default: out->everything = true;  // exit, an infeasible path, a pause in a loop
  }
}

// ---- atomic regions ------------------------------------------------------------------------------------
enum { NUM_REHEARSALS = 64 };  // choices in a region

static void add_touched (const world *w, touch_set *out) {
  for (uint32_t k = 0; k < w->step.touched.count; k++) {
    const pending *p = &w->step.touched.data[k];
    add (out, p->address, p->bytes, p->write, p->plain);
    if (p->mutex) add_mutex (w, p->mutex, out);
  }
}

// An assumption that fails in the region, like all that ends the execution, meets whatever others do.
void touch_rehearse (world *w, uint32_t slot, touch_set *out) {
  touch_next (w, slot, out);
  if (!out->region) return;
  step_record kept = w->step;
  VEC (uint32_t) here = {0};
  for (uint32_t k = 0; k < w->current.count; k++) vec_push (&here, w->current.data[k]);
  w->step = (step_record){0};
  uint32_t tries = 0;
  do {
    world_begin_step (w);
    out->everything |= xs_exec_step (w, slot) != STEP_DONE || w->step.violations.count || ++tries > NUM_REHEARSALS;
    add_touched (w, out);
    world_load (w, here.data, here.count);
  } while (!out->everything && world_next_choices (w));
  world_release_step (&w->step);
  w->step = kept;
  vec_release (&here);
}
