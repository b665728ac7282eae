// Computes futures of thread components, and whether a future conflicts with an access. A thread's future depends only
// on its own component (its frames and live registers), so each component is analysed once, however many states contain
// it.
#include <string.h>

#include "analysis/pointsto.h"
#include "base/hash.h"
#include "engine/explicit/future_impl.h"

// ---- memory -------------------------------------------------------------------------------------------
static bool set_has (const thread_futures *f, const future_access *a, const state_object *o) {
  ir_edge e = {(uint32_t) (a->at >> 8)};
  unsigned arg = a->at & 0xff;
  if (o->number < f->num_static) return pointsto_may (f->pointsto, e, arg, o->number);
  pointsto_set set = pointsto_arg (f->pointsto, e, arg);
  if (set.anything) return true;
  for (uint32_t k = set.count; k-- > 0;) {  // allocation sites come last
    uint32_t x = set.objects[k];
    if (x >= f->num_static || f->program->objects.data[x].kind == IR_O_THREAD_LOCAL) return true;
  }
  return false;
}

// Thread-locals die with the thread, that is, with its first frame.
static bool is_stack_of (const current_state *w, const state_object *o, uint32_t slot, uint64_t depth) {
  bool ends = (o->kind == OBJ_STACK && o->depth >= depth) || (o->kind == OBJ_TLS && depth <= 1);
  return ends && o->number >= w->num_static && (o->number - w->num_static) % IR_MAX_THREADS == slot;
}

static bool is_at_region (const thread_futures *f, const current_state *w, uint32_t slot, const future_access *a,
                          const step_access *t) {
  const state_object *o;
  switch (a->kind) {
  case REGION_RANGE: return xs_ranges_overlap (a->at, a->bytes, t->address, t->bytes);
  case REGION_OBJECT: return pointer_object (w, t->address) == a->at;
  default: o = xs_object_find (w, t->address);
  }
  if (!o) return false;
  if (a->kind == REGION_STACK) return is_stack_of (w, o, slot, a->at);
  return a->kind == REGION_TLS ? o->kind == OBJ_TLS : set_has (f, a, o);
}

// Returns the bit (of 64) that stands for a static object; all bits for other objects.
static uint64_t object_bit (const thread_futures *f, uint64_t number) {
  return number < f->num_static ? 1ull << (number & 63) : ~0ull;
}

static uint64_t objects_of (const thread_futures *f, const future_access *a) {
  uint64_t bits = 0;
  if (a->kind == REGION_RANGE) return object_bit (f, a->at >> f->program->offset_bits);
  if (a->kind == REGION_OBJECT) return object_bit (f, a->at);
  if (a->kind != REGION_SET) return 0;  // it contains no static object
  pointsto_set set = pointsto_arg (f->pointsto, (ir_edge){(uint32_t) (a->at >> 8)}, a->at & 0xff);
  if (set.anything) return ~0ull;
  for (uint32_t k = 0; k < set.count; k++)
    if (set.objects[k] < f->num_static) bits |= object_bit (f, set.objects[k]);
  return bits;
}

static const thread_future *future_of_component (thread_futures *, const current_state *, uint32_t slot);

// ---- lock bits ----------------------------------------------------------------------------------------
lock_set futures_bit (thread_futures *f, bit_kind kind, uint64_t key) {
  uint32_t k = 0;
  while (k < f->bits.count && (f->bits.data[k].kind != kind || f->bits.data[k].key != key)) k++;
  if (k == LOCK_BITS) return 0;
  if (k == f->bits.count) vec_push (&f->bits, ((lock_bit){kind, key}));
  return 1ull << k;
}

static uint64_t cell_value (const current_state *w, uint64_t address) {
  uint32_t bytes = w->program->pointer_bits / 8;
  const state_object *o = xs_object_access (w, address, bytes, false);
  uint64_t value = 0;
  if (o) memcpy (&value, o->bytes + pointer_offset (w, address), bytes);
  return value;
}

// The death of the cell's frame does not count as a write: no thread joins after it.
static bool may_write_cell (const thread_futures *f, const current_state *w, uint32_t slot, const thread_future *later,
                            uint64_t address, bool handles) {
  step_access t = {address, w->program->pointer_bits / 8u, false, false};
  if (later->everything) return true;
  for (uint32_t k = 0; k < later->accesses.count; k++) {
    const future_access *a = &later->accesses.data[k];
    if (a->write && (handles || !a->handle) && a->kind != REGION_STACK && is_at_region (f, w, slot, a, &t)) return true;
  }
  return false;
}

// Cached, because it is queried in every state for few cells and futures.
static bool writes_cell (thread_futures *f, const current_state *w, uint32_t slot, const thread_future *later,
                         uint64_t address, bool handles) {
  bool is_new;
  uint64_t *known =
      map_insert (&f->cell_writers, hash_pair ((uint64_t) later->index << 1 | handles, address), 0, &is_new);
  if (is_new) *known = may_write_cell (f, w, slot, later, address, handles);
  return *known;
}

// Returns whether joining the thread waits for its end: not if it is detached or may become detached.
static bool joins_wait (thread_futures *f, const current_state *w, uint32_t slot) {
  if (w->threads[slot].detached) return false;
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING &&
        (future_of_component (f, w, u)->detaches || future_of_component (f, w, u)->everything))
      return false;
  return true;
}

// Returns whether no thread can overwrite the handle in this cell; only then does the cell say which thread will be
// joined.
static bool cell_is_stable (thread_futures *f, const current_state *w, uint64_t address) {
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING && writes_cell (f, w, u, future_of_component (f, w, u), address, true))
      return false;
  return true;
}

bool futures_use_locks (const thread_futures *f) { return f->use_locks; }

static lock_set bit_if_known (const thread_futures *f, bit_kind kind, uint64_t key) {
  for (uint32_t k = 0; k < f->bits.count; k++)
    if (f->bits.data[k].kind == kind && f->bits.data[k].key == key) return 1ull << k;
  return 0;
}

// A release through an unknown pointer matters if it may release one of the tracked locks.
static bool may_be_followed (const thread_futures *f, const current_state *w, uint32_t slot, const future_access *a) {
  for (uint32_t k = 0; k < f->bits.count; k++) {
    step_access t = {f->bits.data[k].key, 4, true, false};
    if (f->bits.data[k].kind == BIT_EXCLUSIVE && is_at_region (f, w, slot, a, &t)) return true;
  }
  return false;
}

bool futures_may_release_foreign (thread_futures *f, const current_state *w, uint32_t slot,
                                  const thread_future *later) {
  if (later->releases_twice || (later->unheld & ~futures_holding (f, w, slot).any)) return true;
  for (uint32_t k = 0; k < later->releases.count; k++)
    if (may_be_followed (f, w, slot, &later->releases.data[k])) return true;
  return false;
}

bool futures_is_handle (const thread_futures *f, uint64_t address) {
  return bit_if_known (f, BIT_JOIN_CELL, address) != 0;
}

lock_set futures_held (thread_futures *f, const current_state *w, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  lock_set held = 0;
  for (uint32_t k = 0; f->use_locks && k < t->held.count; k++)
    held |= bit_if_known (f, t->held.data[k].kind == HELD_READ ? BIT_SHARED : BIT_EXCLUSIVE, t->held.data[k].address);
  return held;
}

// Returns the slot of the thread whose end a join with this bit waits for, or IR_NONE.
static uint32_t joined_thread (thread_futures *f, const current_state *w, lock_bit b) {
  uint64_t handle = b.kind == BIT_JOIN_CELL ? cell_value (w, b.key) : b.key;
  if (!handle || handle > w->num_slots || w->threads[handle - 1].status != T_RUNNING) return IR_NONE;
  if (b.kind == BIT_JOIN_CELL && !cell_is_stable (f, w, b.key)) return IR_NONE;
  return joins_wait (f, w, (uint32_t) handle - 1) ? (uint32_t) handle - 1 : IR_NONE;
}

void futures_alive (thread_futures *f, const current_state *w, lock_set alive[IR_MAX_THREADS]) {
  for (uint32_t t = 0; t < w->num_slots; t++) alive[t] = 0;
  for (uint32_t k = 0; f->use_joins && k < f->bits.count; k++) {
    if (f->bits.data[k].kind < BIT_JOIN_CELL) continue;
    uint32_t slot = joined_thread (f, w, f->bits.data[k]);
    if (slot != IR_NONE) alive[slot] |= 1ull << k;
  }
}

lock_state futures_holding (thread_futures *f, const current_state *w, uint32_t slot) {
  lock_state out = {0};
  const state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->held.count; k++) {
    lock_set bit = t->held.data[k].kind == HELD_ONCE ? 0 : futures_bit (f, BIT_EXCLUSIVE, t->held.data[k].address);
    out.any |= bit;
    if (t->held.data[k].kind != HELD_READ) out.exclusive |= bit;
  }
  return out;
}

// ---- building -----------------------------------------------------------------------------------------
thread_future *futures_add (thread_futures *f) {
  thread_future *out = mem_zalloc (sizeof *out);
  out->index = f->all.count;
  vec_push (&f->all, out);
  return out;
}

static bool same_access (const future_access *a, const future_access *b) {
  return a->kind == b->kind && a->write == b->write && a->at == b->at && a->bytes == b->bytes && a->own == b->own &&
         a->handle == b->handle;
}

void future_note (thread_future *out, future_access a) {
  if (!a.before.count) return;
  for (uint32_t k = 0; k < out->accesses.count; k++)
    if (same_access (&out->accesses.data[k], &a)) {
      antichain_join (&out->accesses.data[k].before, &a.before);
      return;
    }
  vec_push (&out->accesses, a);
}

void future_note_racy (thread_future *out, racy_access a) {
  if (!a.access.before.count) return;
  for (uint32_t k = 0; k < out->racy.count; k++) {
    racy_access *b = &out->racy.data[k];
    if (b->edge != a.edge || !same_access (&b->access, &a.access)) continue;
    antichain_join (&b->access.before, &a.access.before);
    lock_state_join (&b->locks, &a.locks);
    return;
  }
  vec_push (&out->racy, a);
}

void future_note_check (thread_future *out, uint32_t edge) {
  for (uint32_t k = 0; k < out->checks.count; k++)
    if (out->checks.data[k] == edge) return;
  vec_push (&out->checks, edge);
}

void future_note_release (thread_future *out, future_access a) {
  for (uint32_t k = 0; k < out->releases.count; k++)
    if (same_access (&out->releases.data[k], &a)) return;
  vec_push (&out->releases, a);
}

void future_note_not_self (thread_future *out, uint64_t cell) {
  for (uint32_t k = 0; k < out->not_self.count; k++)
    if (out->not_self.data[k] == cell) return;
  vec_push (&out->not_self, cell);
}

static void append_goals (thread_future *out, const thread_future *later, const lock_antichain *prefix,
                          const lock_state *held) {
  for (uint32_t k = 0; k < later->not_self.count; k++) future_note_not_self (out, later->not_self.data[k]);
  for (uint32_t k = 0; k < later->checks.count; k++) future_note_check (out, later->checks.data[k]);
  for (uint32_t k = 0; k < later->racy.count; k++) {
    racy_access a = later->racy.data[k];
    a.access.before = antichain_then (prefix, &a.access.before);
    a.locks = lock_state_then (held, &a.locks);
    future_note_racy (out, a);
  }
}

void future_append (thread_future *out, const thread_future *later, const lock_antichain *prefix,
                    const lock_state *held) {
  out->everything |= later->everything;
  out->detaches |= later->detaches;
  out->unheld |= later->unheld & ~held->any;
  out->releases_twice |= later->releases_twice;
  for (uint32_t k = 0; k < later->releases.count; k++) future_note_release (out, later->releases.data[k]);
  out->unsafe |= later->unsafe;
  out->unsupported |= later->unsupported;
  out->blocks |= later->blocks;
  out->joins |= later->joins;
  out->loops |= later->loops;
  out->locks |= later->locks;
  out->creates |= later->creates;
  out->names_itself |= later->names_itself;
  out->uses_results |= later->uses_results;
  append_goals (out, later, prefix, held);
  for (uint32_t k = 0; k < later->accesses.count && !out->everything; k++) {
    future_access a = later->accesses.data[k];
    a.before = antichain_then (prefix, &a.before);
    future_note (out, a);
  }
}

static uint64_t hash_values (uint64_t seed, const future_value *values, uint32_t count) {
  uint64_t hash = seed;
  for (uint32_t k = 0; k < count; k++) hash = hash_pair (hash_pair (hash, values[k].kind), values[k].x);
  return hash;
}

static bool is_active (const thread_futures *f, uint32_t proc) {
  for (uint32_t k = 0; k < f->active.count; k++)
    if (f->active.data[k] == proc) return true;
  return f->active.count > ACTIVE_PROCS;
}

thread_future *future_of_call (thread_futures *f, uint32_t proc, const future_value *args, uint32_t num_args) {
  const code_proc *p = &f->code->procs.data[proc];
  if (p->entry == IR_NONE || is_active (f, proc)) return NULL;
  uint64_t key = hash_values (hash_pair (proc, num_args), args, num_args);
  uint64_t *known = map_find (&f->summaries, key);
  if (known) return f->all.data[*known];
  thread_future *out = futures_add (f);
  uint32_t index = f->all.count - 1;
  future_value *regs = mem_zalloc (sizeof *regs * (p->num_slots + 1));
  for (uint32_t k = 0; k < p->param_slot.count; k++) {
    uint32_t slot = p->param_slot.data[k];
    regs[slot] = k < num_args && p->param_bits.data[k] <= 64 ? args[k] : (future_value){V_ANY, 0};
    if (p->param_bits.data[k] < 64 && regs[slot].kind == V_CONST) regs[slot].x &= (1ull << p->param_bits.data[k]) - 1;
    if (p->param_bits.data[k] > 64) regs[slot + 1] = (future_value){V_ANY, 0};
  }
  future_of_frame (f, proc, (frame_start){.pc = p->entry, .regs = regs}, out);
  mem_free (regs, sizeof *regs * (p->num_slots + 1));
  map_insert (&f->summaries, key, index, NULL);
  return out;
}

// ---- frames of a thread -------------------------------------------------------------------------------
// Returns the registers of a frame; in a caller, the result register gets the callee's result.
static future_value *frame_registers (const thread_futures *f, const state_thread *t, uint32_t k, future_value result) {
  const state_frame *fr = &t->frames.data[k];
  const code_proc *p = &f->code->procs.data[fr->proc];
  const insn *i = &f->code->insns.data[fr->pc];
  const live_list *live = &f->code->live_lists.data[i->live];
  future_value *regs = mem_zalloc (sizeof *regs * (p->num_slots + 1));
  for (uint32_t n = 0; n < live->count; n++) {
    uint32_t slot = f->code->live_slots.data[live->first + n];
    regs[slot] = (future_value){V_CONST, t->regs.data[fr->base + slot]};
  }
  if (k + 1 == t->frames.count || i->dst == IR_NONE) return regs;
  bool narrow = result.kind == V_CONST && i->bits < 64;
  regs[i->dst] = i->bits > 64 ? (future_value){V_ANY, 0} : result;
  if (narrow) regs[i->dst].x &= (1ull << i->bits) - 1;
  if (i->bits > 64) regs[i->dst + 1] = (future_value){V_ANY, 0};
  return regs;
}

static const thread_future *frame_future (thread_futures *f, const state_thread *t, uint32_t k, future_value result) {
  const state_frame *fr = &t->frames.data[k];
  uint32_t slots = f->code->procs.data[fr->proc].num_slots + 1;
  bool top = k + 1 == t->frames.count;
  future_value *regs = frame_registers (f, t, k, result);
  uint64_t key = hash_values (hash_pair ((uint64_t) k << 32 | fr->pc, top), regs, slots);
  uint64_t *known = map_find (&f->frames, key);
  if (!known) {
    thread_future *out = futures_add (f);
    uint32_t index = f->all.count - 1;
    frame_start start = {top ? fr->pc : fr->pc + 1, regs, k + 1};
    future_of_frame (f, fr->proc, start, out);
    known = map_insert (&f->frames, key, index, NULL);
  }
  mem_free (regs, sizeof *regs * slots);
  return f->all.data[*known];
}

// Analyses frames from the top down, each after the locks that the frames above it must have acquired.
static uint32_t analyse_component (thread_futures *f, const state_thread *t) {
  thread_future *out = futures_add (f);
  uint32_t index = f->all.count - 1;
  lock_antichain taken = NO_LOCKS;
  lock_state held = {0};
  future_value result = {V_ANY, 0};
  for (uint32_t k = t->frames.count; k-- > 0 && !out->everything;) {
    const thread_future *g = frame_future (f, t, k, result);
    future_append (out, g, &taken, &held);
    if (!g->returns) break;
    taken = antichain_then (&taken, &g->exit);
    held = lock_state_then (&held, &g->exit_locks);
    result = g->result.kind == V_NONE ? (future_value){V_ANY, 0} : g->result;
  }
  for (uint32_t k = 0; k < out->accesses.count; k++) out->objects |= objects_of (f, &out->accesses.data[k]);
  return index;
}

static const thread_future *future_of_component (thread_futures *f, const current_state *w, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  uint32_t id = w->ids.data[t->position];
  while (f->of_component.count <= id) vec_push (&f->of_component, 0);
  if (!f->of_component.data[id]) f->of_component.data[id] = analyse_component (f, t);
  return f->all.data[f->of_component.data[id]];
}

// A future presumes that some handles in memory are not the thread's own. That holds if they are not now and no thread
// can copy the own handle there; the handle of a new thread never equals that of a living one.
static bool takes_self_for_other (thread_futures *f, const current_state *w, uint32_t slot, uint64_t cell) {
  if (cell_value (w, cell) == slot + 1) return true;
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING && writes_cell (f, w, u, future_of_component (f, w, u), cell, false))
      return true;
  return false;
}

const thread_future *futures_of (thread_futures *f, const current_state *w, uint32_t slot) {
  const thread_future *out = future_of_component (f, w, slot);
  for (uint32_t k = 0; k < out->not_self.count; k++)
    if (takes_self_for_other (f, w, slot, out->not_self.data[k])) return &f->unknown;
  return out;
}

bool futures_may_conflict (const thread_futures *f, const current_state *w, uint32_t slot, const thread_future *later,
                           const step_access *t, lock_set held) {
  if (later->everything) return true;
  if (!(object_bit (f, pointer_object (w, t->address)) & later->objects) &&
      pointer_object (w, t->address) < f->num_static)
    return false;
  for (uint32_t k = 0; k < later->accesses.count; k++) {
    const future_access *a = &later->accesses.data[k];
    // A thread whose next operation is a lock operation may already race with a plain access to the lock's memory.
    if ((a->write || t->write) && is_at_region (f, w, slot, a, t) &&
        antichain_avoids (&a->before, held, t->plain ? 0 : a->own))
      return true;
  }
  return false;
}

bool future_places_overlap (const current_state *w, const future_access *a, const future_access *b) {
  uint32_t shift = w->program->offset_bits;
  if (a->kind == REGION_STACK || b->kind == REGION_STACK) return false;  // the death of a frame is not an access
  if (a->kind == REGION_RANGE && b->kind == REGION_RANGE) return xs_ranges_overlap (a->at, a->bytes, b->at, b->bytes);
  if (a->kind > REGION_OBJECT || b->kind > REGION_OBJECT) return true;  // pointers whose target is unknown
  uint64_t x = a->kind == REGION_RANGE ? a->at >> shift : a->at, y = b->kind == REGION_RANGE ? b->at >> shift : b->at;
  return x == y;
}

// ---- life cycle ---------------------------------------------------------------------------------------
thread_futures *futures_new (const current_state *w, bool use_locks, bool use_joins) {
  thread_futures *f = mem_zalloc (sizeof *f);
  f->code = w->code;
  f->program = w->program;
  f->num_static = w->num_static;
  f->use_locks = use_locks;
  f->use_joins = use_joins;
  f->unknown.everything = true;
  f->pointsto = pointsto_new (w->program);
  futures_add (f);
  return f;
}

void futures_free (thread_futures *f) {
  if (!f) return;
  for (uint32_t k = 0; k < f->all.count; k++) {
    vec_release (&f->all.data[k]->accesses);
    vec_release (&f->all.data[k]->racy);
    vec_release (&f->all.data[k]->checks);
    vec_release (&f->all.data[k]->not_self);
    vec_release (&f->all.data[k]->releases);
    mem_free (f->all.data[k], sizeof *f->all.data[k]);
  }
  vec_release (&f->all);
  vec_release (&f->bits);
  vec_release (&f->of_component);
  vec_release (&f->active);
  map_release (&f->frames);
  map_release (&f->summaries);
  map_release (&f->cell_writers);
  pointsto_free (f->pointsto);
  mem_free (f, sizeof *f);
}
