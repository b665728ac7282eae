// Threads of the current state: frames and registers, packing into components, start and end, held locks, ownership
// declarations.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"

typedef struct thread_header {
  uint8_t status, detached, pending_write, pending_plain;
  uint16_t atomic, num_held;
  uint32_t num_frames, pending_bytes;
  uint64_t waiting, result, pending_address, pending_mutex;
} thread_header;

typedef struct frame_header {
  uint32_t proc, pc, num_stack;
} frame_header;

static const live_list *frame_live (const current_state *w, const state_frame *f) {
  const insn *i = &w->code->insns.data[f->pc];
  ASSERT (i->live != IR_NONE);
  return &w->code->live_lists.data[i->live];
}

static uint8_t *pack_bytes (uint8_t *at, const void *bytes, size_t count) {
  if (count) memcpy (at, bytes, count);
  return at + count;
}

static size_t packed_size (const current_state *w, const state_thread *t) {
  size_t size =
      sizeof (thread_header) + t->held.count * sizeof (state_held_lock) + t->owned.count * sizeof (owned_bytes);
  for (uint32_t k = 0; k < t->frames.count; k++)
    size += sizeof (frame_header) + frame_live (w, &t->frames.data[k])->count * sizeof (uint64_t);
  return size;
}

void xs_thread_pack (current_state *w, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  size_t size = packed_size (w, t);
  vec_reserve (&w->scratch, (uint32_t) size);
  thread_header h = {t->status,        t->detached,        t->pending.write,
                     t->pending.plain, t->atomic,          (uint16_t) t->held.count,
                     t->frames.count,  t->pending.bytes,   t->waiting,
                     t->result,        t->pending.address, t->pending.mutex};
  uint8_t *at = pack_bytes (w->scratch.data, &h, sizeof h);
  at = pack_bytes (at, t->held.data, t->held.count * sizeof (state_held_lock));
  for (uint32_t k = 0; k < t->frames.count; k++) {
    const state_frame *f = &t->frames.data[k];
    frame_header fh = {f->proc, f->pc, f->num_stack};
    at = pack_bytes (at, &fh, sizeof fh);
    const live_list *live = frame_live (w, f);
    for (uint32_t i = 0; i < live->count; i++)
      at = pack_bytes (at, &t->regs.data[f->base + w->code->live_slots.data[live->first + i]], sizeof (uint64_t));
  }
  pack_bytes (at, t->owned.data, t->owned.count * sizeof (owned_bytes));
  w->scratch.count = (uint32_t) size;
}

static const uint8_t *unpack_bytes (const uint8_t *at, void *bytes, size_t count) {
  if (count) memcpy (bytes, at, count);
  return at + count;
}

// Registers that are not live keep arbitrary values: they will not be read.
static const uint8_t *unpack_frame (current_state *w, state_thread *t, const uint8_t *at) {
  frame_header fh;
  at = unpack_bytes (at, &fh, sizeof fh);
  state_frame f = {fh.proc, fh.pc, t->regs.count, fh.num_stack};
  uint32_t slots = w->code->procs.data[f.proc].num_slots;
  vec_reserve (&t->regs, f.base + slots);
  t->regs.count = f.base + slots;
  vec_push (&t->frames, f);
  const live_list *live = frame_live (w, &f);
  for (uint32_t i = 0; i < live->count; i++)
    at = unpack_bytes (at, &t->regs.data[f.base + w->code->live_slots.data[live->first + i]], sizeof (uint64_t));
  return at;
}

void xs_thread_unpack (current_state *w, uint32_t slot, const uint8_t *bytes, uint32_t size) {
  state_thread *t = &w->threads[slot];
  vec_clear (&t->held);
  vec_clear (&t->owned);
  vec_clear (&t->frames);
  vec_clear (&t->regs);
  if (!bytes) {
    t->status = T_FREE;
    return;
  }
  thread_header h;
  const uint8_t *at = unpack_bytes (bytes, &h, sizeof h);
  t->status = h.status, t->detached = h.detached, t->atomic = h.atomic;
  t->waiting = h.waiting, t->result = h.result;
  t->pending = (next_access){h.pending_address, h.pending_bytes, h.pending_write, h.pending_plain, h.pending_mutex};
  vec_reserve (&t->held, h.num_held);
  t->held.count = h.num_held;
  at = unpack_bytes (at, t->held.data, h.num_held * sizeof (state_held_lock));
  for (uint32_t k = 0; k < h.num_frames; k++) at = unpack_frame (w, t, at);
  uint32_t num_owned = (uint32_t) (bytes + size - at) / sizeof (owned_bytes);  // the rest of the component
  vec_reserve (&t->owned, num_owned);
  t->owned.count = num_owned;
  unpack_bytes (at, t->owned.data, num_owned * sizeof (owned_bytes));
}

bool xs_thread_refers (const current_state *w, uint32_t slot, uint64_t number) {
  const state_thread *t = &w->threads[slot];
  if (t->status == T_FREE) return false;
  if (pointer_object (w, t->result) == number) return true;
  for (uint32_t k = 0; k < t->owned.count; k++)
    if (pointer_object (w, t->owned.data[k].value) == number) return true;
  for (uint32_t k = 0; k < t->frames.count; k++) {
    const state_frame *f = &t->frames.data[k];
    const live_list *live = frame_live (w, f);
    for (uint32_t i = 0; i < live->count; i++)
      if (pointer_object (w, t->regs.data[f->base + w->code->live_slots.data[live->first + i]]) == number) return true;
  }
  return false;
}

// ---- frames -------------------------------------------------------------------------------------------
void xs_thread_push_frame (current_state *w, state_thread *t, uint32_t proc) {
  const code_proc *p = &w->code->procs.data[proc];
  state_frame f = {proc, p->entry, t->regs.count, 0};
  vec_reserve (&t->regs, f.base + p->num_slots);
  if (p->num_slots) memset (t->regs.data + f.base, 0, p->num_slots * sizeof (uint64_t));
  t->regs.count = f.base + p->num_slots;
  vec_push (&t->frames, f);
}

static bool is_stack_from (const state_object *o, uint32_t depth, uint32_t order) {
  return o->kind == OBJ_STACK && o->state == OBJ_ALIVE &&
         (o->depth > depth || (o->depth == depth && o->order >= order));
}

bool xs_thread_shares_stack (const current_state *w, uint32_t slot, uint32_t depth, uint32_t order) {
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = w->tls.count; k < t->objects.count; k++)
    if (is_stack_from (t->objects.data[k], depth, order) && t->objects.data[k]->shared) return true;
  return false;
}

bool xs_thread_shares_locals (const current_state *w, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < w->tls.count; k++)
    if (t->objects.data[k]->state == OBJ_ALIVE && t->objects.data[k]->shared) return true;
  return xs_thread_shares_stack (w, slot, 0, 0);
}

// Kills all of them before scanning for references: objects to which only dead objects refer disappear, too.
void xs_thread_kill_stack (current_state *w, uint32_t slot, uint32_t depth, uint32_t order) {
  w->step.uncacheable = true;
  state_thread *t = &w->threads[slot];
  uint32_t killed = 0;
  for (uint32_t k = w->tls.count; k < t->objects.count; k++)
    if (is_stack_from (t->objects.data[k], depth, order)) {
      xs_object_kill (w, t->objects.data[k], false);
      killed++;
    }
  for (uint32_t k = w->tls.count; killed && k < t->objects.count; k++) {
    state_object *o = t->objects.data[k];
    if (o->kind == OBJ_STACK && o->state == OBJ_DEAD) xs_object_kill (w, o, true);
  }
}

// ---- start and end ------------------------------------------------------------------------------------
static uint32_t free_slot (const current_state *w) {
  for (uint32_t t = 0; t < w->num_slots; t++)
    if (w->threads[t].status == T_FREE) return t;
  return w->num_slots;
}

static void make_thread_locals (current_state *w, uint32_t slot) {
  state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < w->tls.count; k++) {
    if (k == t->objects.count) {
      state_object *fresh = mem_zalloc (sizeof *fresh);
      fresh->number = w->num_static + k * IR_MAX_THREADS + slot;
      vec_push (&t->objects, fresh);
    }
    state_object *o = t->objects.data[k];
    const state_object *model = w->statics[w->tls.data[k]];
    xs_object_resize (o, model->size);
    o->kind = OBJ_TLS, o->state = OBJ_ALIVE;
    o->shared = o->leaked = o->any_undefined = false;
    memcpy (o->bytes, model->initial, model->size);
    xs_object_clear_pages (w, o);
  }
}

uint32_t xs_thread_start (current_state *w, uint32_t proc, uint64_t argument) {
  uint32_t slot = free_slot (w);
  if (w->running >= w->semantics->max_threads || slot == IR_MAX_THREADS) return IR_NONE;
  if (slot == w->num_slots) w->num_slots++;
  state_thread *t = &w->threads[slot];
  t->status = T_RUNNING;
  t->detached = false;
  t->atomic = 0;
  t->waiting = t->result = 0;
  t->pending = (next_access){0};
  vec_clear (&t->held);
  vec_clear (&t->owned);
  vec_clear (&t->frames);
  vec_clear (&t->regs);
  xs_thread_push_frame (w, t, proc);
  const code_proc *p = &w->code->procs.data[proc];
  if (p->param_slot.count) t->regs.data[p->param_slot.data[0]] = argument;
  make_thread_locals (w, slot);
  xs_state_mark_thread (w, slot);
  w->running++;
  return slot;
}

void xs_thread_end (current_state *w, uint32_t slot, uint64_t result) {
  w->step.uncacheable = true;
  state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->held.count; k++) xs_sync_abandon (w, &t->held.data[k]);
  vec_clear (&t->held);
  w->num_owned -= t->owned.count;
  vec_clear (&t->owned);
  vec_clear (&t->frames);
  vec_clear (&t->regs);
  t->status = t->detached ? T_FREE : T_ENDED;
  t->result = t->detached ? 0 : result;
  t->waiting = 0;
  t->pending = (next_access){0};
  t->atomic = 0;
  w->running--;
  xs_object_publish (w, t->result);
  xs_thread_kill_stack (w, slot, 0, 0);
  for (uint32_t k = 0; k < w->tls.count; k++) xs_object_kill (w, t->objects.data[k], true);
  xs_state_mark_thread (w, slot);
}

// ---- held locks ---------------------------------------------------------------------------------------
ir_family xs_family_held (uint32_t kind) {
  static const ir_family families[] = {[HELD_MUTEX] = IR_F_MUTEX,
                                       [HELD_SPIN] = IR_F_SPIN,
                                       [HELD_READ] = IR_F_RWLOCK,
                                       [HELD_WRITE] = IR_F_RWLOCK,
                                       [HELD_ONCE] = IR_F_ONCE};
  return families[kind];
}

void xs_thread_set_result (state_thread *t, const insn *i, uint64_t value) {
  if (i->dst == IR_NONE) return;
  uint64_t mask = i->bits >= 64 ? ~0ull : (1ull << i->bits) - 1;
  t->regs.data[vec_last (&t->frames).base + i->dst] = value & mask;
}

state_held_lock *xs_thread_held (const current_state *w, uint32_t slot, uint64_t address, hold_mode kind) {
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->held.count; k++)
    if (t->held.data[k].address == address && t->held.data[k].kind == kind) return &t->held.data[k];
  return NULL;
}

void xs_thread_hold (current_state *w, uint32_t slot, uint64_t address, hold_mode kind) {
  state_thread *t = &w->threads[slot];
  xs_state_mark_thread (w, slot);
  state_held_lock *h = xs_thread_held (w, slot, address, kind);
  if (h) {
    h->count++;
    return;
  }
  vec_push (&t->held, ((state_held_lock){address, 1, kind}));
  for (uint32_t k = t->held.count - 1; k && t->held.data[k - 1].address > address; k--) {
    state_held_lock swap = t->held.data[k];
    t->held.data[k] = t->held.data[k - 1];
    t->held.data[k - 1] = swap;
  }
}

bool xs_thread_drop (current_state *w, uint32_t slot, uint64_t address, hold_mode kind) {
  state_held_lock *h = xs_thread_held (w, slot, address, kind);
  if (!h) return false;
  xs_state_mark_thread (w, slot);
  if (--h->count) return true;
  state_thread *t = &w->threads[slot];
  uint32_t k = (uint32_t) (h - t->held.data);
  memmove (h, h + 1, (t->held.count - k - 1) * sizeof *h);
  t->held.count--;
  return true;
}

// ---- ownership ----------------------------------------------------------------------------------------
static bool declaration_precedes (const owned_bytes *a, const owned_bytes *b) {
  return a->address < b->address || (a->address == b->address && a->cell < b->cell);
}

void xs_thread_declare (current_state *w, uint32_t slot, const owned_bytes *d) {
  state_thread *t = &w->threads[slot];
  uint32_t k = 0;
  xs_state_mark_thread (w, slot);
  while (k < t->owned.count && declaration_precedes (&t->owned.data[k], d)) k++;
  if (k == t->owned.count || declaration_precedes (d, &t->owned.data[k])) {
    vec_push (&t->owned, *d);
    memmove (&t->owned.data[k + 1], &t->owned.data[k], (t->owned.count - k - 1) * sizeof *d);
    w->num_owned++;
  }
  t->owned.data[k] = *d;
}

static void disown (current_state *w, uint32_t slot, const state_object *o) {
  state_thread *t = &w->threads[slot];
  uint32_t kept = 0;
  for (uint32_t k = 0; k < t->owned.count; k++) {
    owned_bytes d = t->owned.data[k];
    if (pointer_object (w, d.address) != o->number && pointer_object (w, d.cell) != o->number)
      t->owned.data[kept++] = d;
  }
  if (kept == t->owned.count) return;
  w->num_owned -= t->owned.count - kept;
  t->owned.count = kept;
  xs_state_mark_thread (w, slot);
}

void xs_thread_disown (current_state *w, const state_object *o) {
  for (uint32_t slot = 0; slot < w->num_slots; slot++) disown (w, slot, o);
}

bool xs_thread_owns (const current_state *w, uint32_t slot, uint64_t address, uint32_t bytes) {
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->owned.count; k++) {
    const owned_bytes *d = &t->owned.data[k];
    if (d->holds && d->address <= address && address + bytes <= d->address + d->bytes) return true;
  }
  return false;
}
