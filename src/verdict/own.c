// Checks exclusive access as the program declares it (lockstep_owned_while): while the cell holds the value, only the
// declaring thread may use the bytes.  These are the exclusive access predicates of Flanagan and Qadeer (2003, section
// 4.1), with their two conditions and their check of every access (section 4.2).  Each step is checked as long as there
// are declarations.
//
// A violation leaves the machine as it was.  What an access does to the cells shows only afterwards, so its few bytes
// and registers are saved and restored.  Operations that are no accesses (of locks, of the stack) are expected not to
// change the cells of other threads; an operation that does so cannot be undone, and ends the run as unsupported.
#include "verdict/verdict_impl.h"

typedef struct saved_access {
  uint64_t address, value, undefined;
  ir_value dst[2];
} saved_access;

static bool byte_ranges_overlap (uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes;
}

bool own_holds (machine *m, const ownership *o) {
  return !o->ended && memory_read_zeroed (m, o->cell, o->cell_bytes) == o->value;
}

// Returns the declaration by which another thread owns some of these bytes now; NULL: none.
static const ownership *find_other (machine *m, uint32_t self, uint64_t address, uint64_t bytes, uint32_t *owner) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    const thread *t = &m->threads[slot];
    for (uint32_t i = 0; slot != self && i < t->owned.count; i++) {
      const ownership *o = &t->owned.data[i];
      if (!byte_ranges_overlap (address, bytes, o->address, o->bytes) || !own_holds (m, o)) continue;
      *owner = slot;
      return o;
    }
  }
  return NULL;
}

static bool set_ownership_fault (machine *m, ir_fault kind, uint32_t owner, const ownership *o) {
  m->fault = (fault){IR_P_ASSERT, kind, o->address, o->bytes};
  m->owner = owner;
  m->broken = o;
  return true;
}

// ---- declarations --------------------------------------------------------------------------------------

static const char *name_for_trace (const action *a, uint64_t address) {
  if (!a->m->keep_lock_names) return NULL;
  strbuf name = {0};
  name_shared (a, address, &name);
  const char *copy = arena_strdup (a->m->arena, strbuf_text (&name));
  strbuf_release (&name);
  return copy;
}

static ownership *find_same (thread *t, const ownership *o) {
  for (uint32_t i = 0; i < t->owned.count; i++) {
    ownership *known = &t->owned.data[i];
    if (!known->ended && known->address == o->address && known->cell == o->cell) return known;
  }
  return NULL;
}

step_kind own_declare (action *a) {
  machine *m = a->m;
  ir_value size = action_arg (a, 1);
  ownership o = {.address = (uint64_t) action_arg (a, 0),
                 .bytes = size < UINT32_MAX ? (uint32_t) size : UINT32_MAX,
                 .cell = (uint64_t) action_arg (a, 2),
                 .cell_bytes = (uint8_t) a->d->bytes,
                 .value = (uint64_t) (action_arg (a, 3) & value_mask (8u * a->d->bytes)),
                 .edge = action_user_edge (a)};
  if (memory_fails (m, o.address, o.bytes, false) || memory_fails (m, o.cell, o.cell_bytes, false))
    return STEP_VIOLATION;
  uint32_t owner;
  const ownership *other = own_holds (m, &o) ? find_other (m, a->t->slot, o.address, o.bytes, &owner) : NULL;
  if (other) {
    set_ownership_fault (m, IR_FAULT_OWNED_TWICE, owner, other);
    return STEP_VIOLATION;
  }
  o.name = name_for_trace (a, o.address);
  ownership *same = find_same (a->t, &o);
  if (same) *same = o;
  else {
    vec_push (&a->t->owned, o);
    m->num_owned++;
  }
  return STEP_DONE;
}

void own_end_object (machine *m, uint64_t number) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    thread *t = &m->threads[slot];
    for (uint32_t i = 0; i < t->owned.count; i++) {
      ownership *o = &t->owned.data[i];
      if (address_object (m->program, o->address) == number || address_object (m->program, o->cell) == number)
        o->ended = true;
    }
  }
}

void own_end_thread (machine *m, thread *t) {
  m->num_owned -= t->owned.count;
  vec_clear (&t->owned);
}

// ---- watching a step -----------------------------------------------------------------------------------

static bool accesses_owned (const action *a, uint64_t address, uint64_t bytes) {
  uint32_t owner;
  const ownership *o = find_other (a->m, a->t->slot, address, bytes, &owner);
  return o && set_ownership_fault (a->m, IR_FAULT_INTRUSION, owner, o);
}

// Whether the operation uses bytes that another thread owns.  An access that is a memory error is not executed.
static bool intrudes (const action *a) {
  machine *m = a->m;
  const judge_pending *p = pending_of (m, a->t->slot);
  if (a->d->op == IR_FORGET) {
    uint64_t number = address_object (m->program, (uint64_t) action_arg (a, 0));
    const object *o = number ? object_find (m, number) : NULL;
    return o && o->alive && accesses_owned (a, address_make (m->program, number, 0), o->size);
  }
  for (uint32_t i = 0; i < p->count; i++)
    if (memory_check (m, p->access[i].address, p->access[i].bytes, p->access[i].write) != IR_FAULT_NONE) return false;
  for (uint32_t i = 0; i < p->count; i++)
    if (accesses_owned (a, p->access[i].address, p->access[i].bytes)) return true;
  return false;
}

static void note_current_owners (machine *m) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    thread *t = &m->threads[slot];
    for (uint32_t i = 0; i < t->owned.count; i++) t->owned.data[i].held_before = own_holds (m, &t->owned.data[i]);
  }
}

// Whether, since note_current_owners, the ownership of another thread has changed, or this thread has come to own bytes
// that another thread owns.
static bool is_broken (machine *m, uint32_t self) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    const thread *t = &m->threads[slot];
    for (uint32_t i = 0; i < t->owned.count; i++) {
      const ownership *o = &t->owned.data[i], *other;
      uint32_t owner;
      if (own_holds (m, o) == o->held_before) continue;
      if (slot != self) return set_ownership_fault (m, IR_FAULT_OWNER_CHANGED, slot, o);
      if (o->held_before) continue;
      other = find_other (m, self, o->address, o->bytes, &owner);
      if (other) return set_ownership_fault (m, IR_FAULT_OWNED_TWICE, owner, other);
    }
  }
  return false;
}

static bool frees_cell (const action *a) {
  machine *m = a->m;
  uint64_t address = (uint64_t) action_arg (a, 0), number = address_object (m->program, address);
  object *freed;
  if (memory_free_check (m, address, &freed) != IR_FAULT_NONE || !freed) return false;
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    const thread *t = &m->threads[slot];
    for (uint32_t i = 0; t != a->t && i < t->owned.count; i++) {
      const ownership *o = &t->owned.data[i];
      if (address_object (m->program, o->cell) == number && own_holds (m, o))
        return set_ownership_fault (m, IR_FAULT_OWNER_CHANGED, slot, o);
    }
  }
  return false;
}

// ---- accesses that can be undone -----------------------------------------------------------------------

static bool is_undoable_access (ir_op op) {
  return op == IR_LOAD || op == IR_STORE || op == IR_LOAD_RAW || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG;
}

static saved_access save_access (const action *a, uint64_t address) {
  saved_access s = {.address = address,
                    .value = memory_read (a->m, address, a->d->bytes),
                    .undefined = memory_undefined_bits (a->m, address, a->d->bytes)};
  if (a->d->dst.i != IR_NONE) s.dst[0] = a->regs[a->d->dst.i];
  if (a->d->dst2.i != IR_NONE) s.dst[1] = a->regs[a->d->dst2.i];
  return s;
}

static void undo_access (const action *a, const saved_access *s) {
  memory_write (a->m, s->address, a->d->bytes, s->value);
  memory_set_undefined_bits (a->m, s->address, a->d->bytes, s->undefined);
  action_set (a, a->d->dst, s->dst[0]);
  action_set (a, a->d->dst2, s->dst[1]);
}

static step_kind access_step (action *a, step_kind (*perform) (action *)) {
  uint64_t address = (uint64_t) action_arg (a, 0);
  if (memory_check (a->m, address, a->d->bytes, false) != IR_FAULT_NONE) return perform (a);
  saved_access s = save_access (a, address);
  note_current_owners (a->m);
  step_kind result = perform (a);
  if (result != STEP_DONE || !is_broken (a->m, a->t->slot)) return result;
  undo_access (a, &s);
  return STEP_VIOLATION;
}

step_kind own_step (action *a, step_kind (*perform) (action *)) {
  machine *m = a->m;
  uint32_t slot = a->t->slot;
  if (a->d->op == IR_OWN) return perform (a);
  if (action_enabled (a) && intrudes (a)) return STEP_VIOLATION;
  if (is_undoable_access (a->d->op)) return access_step (a, perform);
  if (a->d->op == IR_FREE && frees_cell (a)) return STEP_VIOLATION;
  note_current_owners (m);
  step_kind result = perform (a);
  if (result != STEP_DONE || !is_broken (m, slot)) return result;
  m->stop = "something other than an access changes who owns an object";
  return STEP_UNSUPPORTED;
}
