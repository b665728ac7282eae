// Memory operations of a step. An access to a shared object is visible, so a step stops before it; an access to a
// private object is local work.
#include <string.h>

#include "base/limits.h"
#include "engine/explicit/exec.h"
#include "engine/explicit/protect.h"
#include "ir/sync.h"

step_continuation run_memory_violation (run *r) {
  r->w->step.uncacheable = true;
  if (run_stopping (r)) return run_stop_before (r, (next_access){0});
  xs_exec_violate (r->w, IR_P_MEMORY, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

// Returns whether the object is private to another thread, which has passed its address on in a form that the engine
// cannot see: the owner's accesses were taken for local work, so interleavings would be missed. This also holds when
// the owner has ended, because its last steps were not separated.
bool run_is_disguised (const run *r, const state_object *o) {
  const current_state *w = r->w;
  return !o->shared && o->state == OBJ_ALIVE && o->number >= w->num_static &&
         (o->number - w->num_static) % IR_MAX_THREADS != r->slot;
}

step_continuation run_stop_at_disguise (run *r) {
  if (run_stopping (r)) return run_stop_before (r, (next_access){0});
  r->w->step.stop_message = "use of an address that another thread has passed on in disguise (not as a pointer)";
  r->w->step.stop_edge = r->i->edge;
  return UNSUPPORTED_OP;
}

// Finds the object of an access; otherwise says how the step continues: it stops before the access, or ends with a
// violation.
static step_continuation access_object (run *r, uint64_t pointer, uint32_t bytes, bool write, state_object **found) {
  current_state *w = r->w;
  state_object *o = *found = xs_object_access (w, pointer, bytes, write);
  if (!o) return run_memory_violation (r);
  xs_object_note_read (w, o, (uint32_t) pointer_offset (w, pointer), bytes);
  if (!o->shared) return run_is_disguised (r, o) ? run_stop_at_disguise (r) : GO;
  if (w->running == 1 && xs_state_is_only_thread (w)) return GO;
  next_access p = {pointer, bytes, write, r->i->order == IR_PLAIN, 0};
  if (run_stopping (r)) return run_stop_before (r, p);
  if (r->t->atomic) run_check_atomic_race (r, &p);
  if (w->protect) protect_note (w->protect, w, r->slot, pointer, bytes, write);
  return run_intruding (r, pointer, bytes) ? run_break_ownership (r) : GO;
}

static uint64_t read_stored_bytes (const uint8_t *at, unsigned bytes) {
  uint64_t x = 0;
  switch (bytes) {
  case 1: return *at;
  case 4: {
    uint32_t y;
    memcpy (&y, at, 4);
    return y;
  }
  case 8: memcpy (&x, at, 8); return x;
  default: memcpy (&x, at, bytes); return x;
  }
}

// Overwriting a lock that a thread holds releases it without the holder's knowledge.
static void check_overwritten_lock (current_state *w, const state_object *o, uint32_t offset, unsigned bytes) {
  uint64_t from = ((uint64_t) o->number << w->program->offset_bits) + offset;
  for (uint32_t u = 0; u < w->num_slots; u++)
    for (uint32_t k = 0; k < w->threads[u].held.count; k++) {
      const state_held_lock *h = &w->threads[u].held.data[k];
      uint32_t size = ir_family_bytes (w->program, xs_family_held (h->kind));
      if (h->address < from + bytes && from < h->address + size) w->foreign_release = true;
    }
}

static void write_stored_bytes (run *r, state_object *o, uint32_t offset, uint64_t value, unsigned bytes) {
  if (r->w->reduced && o->shared) check_overwritten_lock (r->w, o, offset, bytes);
  xs_object_mark_dirty (r->w, o, offset, bytes);
  memcpy (o->bytes + offset, &value, bytes);
  if (o->any_undefined) memset (o->undefined + offset, 0, bytes);
  xs_object_note_store (r->w, o, offset, bytes);
}

static unsigned count_undefined (const state_object *o, uint32_t offset, unsigned bytes) {
  unsigned count = 0;
  if (o->any_undefined)
    for (unsigned k = 0; k < bytes; k++) count += o->undefined[offset + k] == XS_ALL_BITS;
  return count;
}

static bool is_command_line_word (const current_state *w, const state_object *o) {
  return o->number < w->program->objects.count && w->program->objects.data[o->number].argument;
}

// Only some contents are tried for a word of the command line.
static uint64_t choose_undefined_bytes (run *r, const state_object *o, uint32_t offset, unsigned bytes) {
  if (!is_command_line_word (r->w, o)) return xs_exec_nondet (r->w, r->i->edge, bytes * 8, NULL);
  uint64_t candidates[LIMIT_EXPLICIT_WORDS];
  uint64_t value = candidates[xs_step_choose (r->w, words_candidates (r->w->words, o, offset, bytes, candidates))];
  vec_push (&r->w->step.chosen, value);
  return value;
}

// A value that is undefined in all its bytes is chosen when it is first read, and then stored.
static uint64_t read_defined_value (run *r, state_object *o, uint32_t offset, unsigned bytes) {
  if (count_undefined (o, offset, bytes) == bytes && bytes) {
    uint64_t value = choose_undefined_bytes (r, o, offset, bytes);
    write_stored_bytes (r, o, offset, value, bytes);
  }
  return read_stored_bytes (o->bytes + offset, bytes);
}

step_continuation run_load (run *r) {
  uint64_t pointer = run_get (r, r->i->a);
  state_object *o;
  step_continuation f = access_object (r, pointer, r->i->bytes, false, &o);
  if (f != GO) return f;
  r->regs[r->i->dst] =
      read_defined_value (r, o, (uint32_t) pointer_offset (r->w, pointer), r->i->bytes) & run_mask (r->i->bits);
  return GO;
}

step_continuation run_store (run *r) {
  uint64_t pointer = run_get (r, r->i->a);
  state_object *o;
  step_continuation f = access_object (r, pointer, r->i->bytes, true, &o);
  if (f == GO) write_stored_bytes (r, o, (uint32_t) pointer_offset (r->w, pointer), run_get (r, r->i->b), r->i->bytes);
  return f;
}

step_continuation run_load_raw (run *r) {
  uint64_t pointer = run_get (r, r->i->a);
  state_object *o;
  step_continuation f = access_object (r, pointer, r->i->bytes, false, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  uint64_t mask = 0;
  if (o->any_undefined && r->i->aux == IR_MASK_OF_BITS) memcpy (&mask, o->undefined + offset, r->i->bytes);
  else if (o->any_undefined)
    for (unsigned k = 0; k < r->i->bytes; k++) mask |= (uint64_t) (o->undefined[offset + k] == XS_ALL_BITS) << k;
  r->regs[r->i->dst] = read_stored_bytes (o->bytes + offset, r->i->bytes) & run_mask (r->i->bits);
  r->regs[r->i->dst2] = mask;
  return GO;
}

step_continuation run_store_raw (run *r) {
  uint64_t pointer = run_get (r, r->i->a);
  state_object *o;
  step_continuation f = access_object (r, pointer, r->i->bytes, true, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  uint64_t value = run_get (r, r->i->b), mask = run_get (r, r->i->c);
  bool of_bits = r->i->aux == IR_MASK_OF_BITS;
  write_stored_bytes (r, o, offset, of_bits ? value & ~mask : value, r->i->bytes);
  if (mask && !o->any_undefined) {
    memset (o->undefined, 0, o->size);
    o->any_undefined = true;
    xs_object_mark_dirty (r->w, o, 0, 0);
  }
  if (of_bits && mask) memcpy (o->undefined + offset, &mask, r->i->bytes);
  for (unsigned k = 0; !of_bits && k < r->i->bytes; k++)
    if (mask >> k & 1) o->undefined[offset + k] = XS_ALL_BITS, o->bytes[offset + k] = 0;
  return GO;
}

static uint64_t float_rmw (ir_rmw_op op, uint64_t a, uint64_t b, unsigned bits) {
  ir_value args[3] = {a, b, 0};
  return (uint64_t) ir_eval_op (op == IR_RMW_FADD ? IR_X_FADD : IR_X_FSUB, bits, bits, args);
}

static uint64_t rmw_result (ir_rmw_op op, uint64_t a, uint64_t b, unsigned bits) {
  switch (op) {
  case IR_RMW_XCHG: return b;
  case IR_RMW_ADD: return a + b;
  case IR_RMW_SUB: return a - b;
  case IR_RMW_AND: return a & b;
  case IR_RMW_OR: return a | b;
  case IR_RMW_XOR: return a ^ b;
  case IR_RMW_NAND: return ~(a & b);
  case IR_RMW_MAX: return run_signed (a, bits) > run_signed (b, bits) ? a : b;
  case IR_RMW_MIN: return run_signed (a, bits) < run_signed (b, bits) ? a : b;
  case IR_RMW_UMAX: return a > b ? a : b;
  case IR_RMW_UMIN: return a < b ? a : b;
  default: return float_rmw (op, a, b, bits);
  }
}

step_continuation run_rmw (run *r) {
  uint64_t pointer = run_get (r, r->i->a);
  state_object *o;
  step_continuation f = access_object (r, pointer, r->i->bytes, true, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  unsigned bits = r->i->bytes * 8u;
  uint64_t old = read_defined_value (r, o, offset, r->i->bytes);
  write_stored_bytes (
      r, o, offset, rmw_result ((ir_rmw_op) r->i->aux, old, run_get (r, r->i->b), bits) & run_mask (bits), r->i->bytes);
  r->regs[r->i->dst] = old & run_mask (r->i->bits);
  return GO;
}

step_continuation run_cmpxchg (run *r) {
  uint64_t pointer = run_get (r, r->i->a);
  state_object *o;
  step_continuation f = access_object (r, pointer, r->i->bytes, true, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  uint64_t old = read_defined_value (r, o, offset, r->i->bytes), expected = run_get (r, r->i->b),
           desired = run_get (r, r->i->c);
  if (old == expected) write_stored_bytes (r, o, offset, desired, r->i->bytes);
  r->regs[r->i->dst] = old & run_mask (r->i->bits);
  r->regs[r->i->dst2] = old == expected;
  return GO;
}

step_continuation run_alloc (run *r) {
  current_state *w = r->w;
  uint64_t size = run_get (r, r->i->a), pointer = 0;
  bool heap = r->i->aux != IR_ALLOC_STACK;
  if (heap && w->semantics->may_fail) {
    uint32_t fails = xs_step_choose (w, 2);
    vec_push (&w->step.chosen, (ir_value) fails);
    if (fails) {
      r->regs[r->i->dst] = 0;
      return GO;
    }
  }
  if (size >= 1ull << (w->program->offset_bits - 1) || over_limit (EXPLICIT_OBJECT_BYTES, size))
    return run_cut (r, "an allocation is too large for the explicit engine");
  if (!heap && vec_last (&r->t->frames).num_stack >= UINT16_MAX)
    return run_cut (r, "a call has more than 65534 objects on its stack");
  state_object *o =
      xs_object_allocate (w, r->slot, heap ? OBJ_HEAP : OBJ_STACK, size, r->i->aux != IR_ALLOC_HEAP_ZEROED, &pointer);
  if (!heap) {
    o->depth = (uint16_t) r->t->frames.count;
    o->order = (uint16_t) vec_last (&r->t->frames).num_stack++;
  }
  if ((uint64_t) o->number >> (w->program->pointer_bits - w->program->offset_bits))
    return run_cut (r, "too many memory objects for the pointers of this data model");
  r->regs[r->i->dst] = pointer;
  return GO;
}

step_continuation run_free (run *r) {
  current_state *w = r->w;
  uint64_t pointer = run_get (r, r->i->a);
  if (!pointer) return GO;
  state_object *o = pointer_object (w, pointer) ? xs_object_find (w, pointer) : NULL;
  w->step.uncacheable = true;
  bool valid = o && o->kind == OBJ_HEAP && o->state == OBJ_ALIVE && !pointer_offset (w, pointer);
  if (!valid) return run_memory_violation (r);
  if (run_is_disguised (r, o)) return run_stop_at_disguise (r);
  if (o->shared && (w->running > 1 || !xs_state_is_only_thread (w))) {
    next_access p = {pointer, o->size, true, true, 0};
    if (run_stopping (r)) return run_stop_before (r, p);
    if (r->t->atomic) run_check_atomic_race (r, &p);
    if (run_intruding (r, pointer, o->size)) return run_break_ownership (r);
  }
  xs_object_kill (w, o, true);
  return GO;
}

step_continuation run_forget (run *r) {
  current_state *w = r->w;
  uint64_t pointer = run_get (r, r->i->a);
  state_object *o = xs_object_access (w, pointer, 0, true);
  w->step.uncacheable = true;  // writes all pages of the object
  if (!o) return run_memory_violation (r);
  if (run_is_disguised (r, o)) return run_stop_at_disguise (r);
  if (o->shared && run_stopping (r)) return run_stop_before (r, (next_access){0});
  if (run_intruding (r, (uint64_t) o->number << w->program->offset_bits, o->size)) return run_break_ownership (r);
  xs_object_clear_pages (w, o);
  memset (o->bytes, 0, o->size);
  memset (o->undefined, XS_ALL_BITS, o->size);
  o->any_undefined = true;
  return GO;
}
