// Futures of thread components, and whether a future can meet a touch.  A thread's future depends only on its own component (its frames and
// live registers), so each component is analysed once, however many states it occurs in.
#include <string.h>

#include "analysis/pointsto.h"
#include "base/hash.h"
#include "engine/explicit/future_impl.h"

// ---- places --------------------------------------------------------------------------------------------
static bool set_has (const futures *f, const future_access *a, const object *o) {
  ir_edge e = {(uint32_t) (a->at >> 8)};
  unsigned arg = a->at & 0xff;
  if (o->number < f->num_static) return pointsto_may (f->pointsto, e, arg, o->number);
  pointsto_set set = pointsto_arg (f->pointsto, e, arg);
  if (set.anything) return true;
  for (uint32_t k = set.count; k-- > 0;) {  // sites come last
    uint32_t x = set.objects[k];
    if (x >= f->num_static || f->program->objects.data[x].kind == IR_O_THREAD_LOCAL) return true;
  }
  return false;
}

// Thread-locals end with the thread, that is with its first frame.
static bool is_stack_of (const world *w, const object *o, uint32_t slot, uint64_t depth) {
  bool ends = (o->kind == OBJ_STACK && o->depth >= depth) || (o->kind == OBJ_TLS && depth <= 1);
  return ends && o->number >= w->num_static && (o->number - w->num_static) % IR_MAX_THREADS == slot;
}

static bool same_place (const futures *f, const world *w, uint32_t slot, const future_access *a, const touch *t) {
  const object *o;
  switch (a->kind) {
  case REGION_RANGE: return touch_overlaps (a->at, a->bytes, t->address, t->bytes);
  case REGION_OBJECT: return pointer_object (w, t->address) == a->at;
  default: o = xs_object_find (w, t->address);
  }
  if (!o) return false;
  if (a->kind == REGION_STACK) return is_stack_of (w, o, slot, a->at);
  return a->kind == REGION_TLS ? o->kind == OBJ_TLS : set_has (f, a, o);
}

// Which of the 64 bits stands for a static object; for others all of them.
static uint64_t object_bit (const futures *f, uint64_t number) {
  return number < f->num_static ? 1ull << (number & 63) : ~0ull;
}

static uint64_t objects_of (const futures *f, const future_access *a) {
  uint64_t bits = 0;
  if (a->kind == REGION_RANGE) return object_bit (f, a->at >> f->program->offset_bits);
  if (a->kind == REGION_OBJECT) return object_bit (f, a->at);
  if (a->kind != REGION_SET) return 0;  // no static object
  pointsto_set set = pointsto_arg (f->pointsto, (ir_edge){(uint32_t) (a->at >> 8)}, a->at & 0xff);
  if (set.anything) return ~0ull;
  for (uint32_t k = 0; k < set.count; k++)
    if (set.objects[k] < f->num_static) bits |= object_bit (f, set.objects[k]);
  return bits;
}

static const future *future_of_component (futures *, const world *, uint32_t slot);

// ---- lock bits -----------------------------------------------------------------------------------------
lock_set futures_bit (futures *f, bit_kind kind, uint64_t key) {
  uint32_t k = 0;
  while (k < f->bits.count && (f->bits.data[k].kind != kind || f->bits.data[k].key != key)) k++;
  if (k == LOCK_BITS) return 0;
  if (k == f->bits.count) vec_push (&f->bits, ((lock_bit){kind, key}));
  return 1ull << k;
}

static uint64_t cell_value (const world *w, uint64_t address) {
  uint32_t bytes = w->program->pointer_bits / 8;
  const object *o = xs_object_access (w, address, bytes, false);
  uint64_t value = 0;
  if (o) memcpy (&value, o->bytes + pointer_offset (w, address), bytes);
  return value;
}

// The end of the frame that the cell is in does not count: nobody joins after that.
static bool may_write_cell (const futures *f, const world *w, uint32_t slot, const future *later, uint64_t address,
                            bool handles) {
  touch t = {address, w->program->pointer_bits / 8u, false, false};
  if (later->everything) return true;
  for (uint32_t k = 0; k < later->accesses.count; k++) {
    const future_access *a = &later->accesses.data[k];
    if (a->write && (handles || !a->handle) && a->kind != REGION_STACK && same_place (f, w, slot, a, &t)) return true;
  }
  return false;
}

// Asked in every state, for few cells and futures: remembered.
static bool writes_cell (futures *f, const world *w, uint32_t slot, const future *later, uint64_t address,
                         bool handles) {
  bool is_new;
  uint64_t *known =
      map_insert (&f->cell_writers, hash_pair ((uint64_t) later->index << 1 | handles, address), 0, &is_new);
  if (is_new) *known = may_write_cell (f, w, slot, later, address, handles);
  return *known;
}

// Who joins a thread waits for its end unless it is, or will be, detached.
static bool joins_wait (futures *f, const world *w, uint32_t slot) {
  if (w->threads[slot].detached) return false;
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING &&
        (future_of_component (f, w, u)->detaches || future_of_component (f, w, u)->everything))
      return false;
  return true;
}

// A handle in memory says who is joined only as long as nobody can overwrite it.
static bool cell_is_stable (futures *f, const world *w, uint64_t address) {
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING && writes_cell (f, w, u, future_of_component (f, w, u), address, true))
      return false;
  return true;
}

bool futures_use_locks (const futures *f) { return f->use_locks; }

static lock_set bit_if_known (const futures *f, bit_kind kind, uint64_t key) {
  for (uint32_t k = 0; k < f->bits.count; k++)
    if (f->bits.data[k].kind == kind && f->bits.data[k].key == key) return 1ull << k;
  return 0;
}

// A release through an unknown pointer matters if it may be one of the locks we follow.
static bool may_be_followed (const futures *f, const world *w, uint32_t slot, const future_access *a) {
  for (uint32_t k = 0; k < f->bits.count; k++) {
    touch t = {f->bits.data[k].key, 4, true, false};
    if (f->bits.data[k].kind == BIT_EXCLUSIVE && same_place (f, w, slot, a, &t)) return true;
  }
  return false;
}

bool futures_may_release_foreign (futures *f, const world *w, uint32_t slot, const future *later) {
  if (later->releases_twice || (later->unheld & ~futures_holding (f, w, slot).any)) return true;
  for (uint32_t k = 0; k < later->releases.count; k++)
    if (may_be_followed (f, w, slot, &later->releases.data[k])) return true;
  return false;
}

bool futures_is_handle (const futures *f, uint64_t address) { return bit_if_known (f, BIT_JOIN_CELL, address) != 0; }

lock_set futures_held (futures *f, const world *w, uint32_t slot) {
  const thread *t = &w->threads[slot];
  lock_set held = 0;
  for (uint32_t k = 0; f->use_locks && k < t->held.count; k++)
    held |= bit_if_known (f, t->held.data[k].kind == HELD_READ ? BIT_SHARED : BIT_EXCLUSIVE, t->held.data[k].address);
  return held;
}

// The thread that is waited for by whoever joins with this bit, or IR_NONE.
static uint32_t joined_thread (futures *f, const world *w, lock_bit b) {
  uint64_t handle = b.kind == BIT_JOIN_CELL ? cell_value (w, b.key) : b.key;
  if (!handle || handle > w->num_slots || w->threads[handle - 1].status != T_RUNNING) return IR_NONE;
  if (b.kind == BIT_JOIN_CELL && !cell_is_stable (f, w, b.key)) return IR_NONE;
  return joins_wait (f, w, (uint32_t) handle - 1) ? (uint32_t) handle - 1 : IR_NONE;
}

void futures_alive (futures *f, const world *w, lock_set alive[IR_MAX_THREADS]) {
  for (uint32_t t = 0; t < w->num_slots; t++) alive[t] = 0;
  for (uint32_t k = 0; f->use_joins && k < f->bits.count; k++) {
    if (f->bits.data[k].kind < BIT_JOIN_CELL) continue;
    uint32_t slot = joined_thread (f, w, f->bits.data[k]);
    if (slot != IR_NONE) alive[slot] |= 1ull << k;
  }
}

lock_state futures_holding (futures *f, const world *w, uint32_t slot) {
  lock_state out = {0};
  const thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->held.count; k++) {
    lock_set bit = t->held.data[k].kind == HELD_ONCE ? 0 : futures_bit (f, BIT_EXCLUSIVE, t->held.data[k].address);
    out.any |= bit;
    if (t->held.data[k].kind != HELD_READ) out.exclusive |= bit;
  }
  return out;
}

// ---- building ------------------------------------------------------------------------------------------
future *futures_add (futures *f) {
  future *out = mem_zalloc (sizeof *out);
  out->index = f->all.count;
  vec_push (&f->all, out);
  return out;
}

static bool same_access (const future_access *a, const future_access *b) {
  return a->kind == b->kind && a->write == b->write && a->at == b->at && a->bytes == b->bytes && a->own == b->own &&
         a->handle == b->handle;
}

void future_note (future *out, future_access a) {
  if (!a.before.count) return;
  for (uint32_t k = 0; k < out->accesses.count; k++)
    if (same_access (&out->accesses.data[k], &a)) {
      family_join (&out->accesses.data[k].before, &a.before);
      return;
    }
  vec_push (&out->accesses, a);
}

void future_note_racy (future *out, racy_access a) {
  if (!a.access.before.count) return;
  for (uint32_t k = 0; k < out->racy.count; k++) {
    racy_access *b = &out->racy.data[k];
    if (b->edge != a.edge || !same_access (&b->access, &a.access)) continue;
    family_join (&b->access.before, &a.access.before);
    lock_state_join (&b->locks, &a.locks);
    return;
  }
  vec_push (&out->racy, a);
}

void future_note_check (future *out, uint32_t edge) {
  for (uint32_t k = 0; k < out->checks.count; k++)
    if (out->checks.data[k] == edge) return;
  vec_push (&out->checks, edge);
}

void future_note_release (future *out, future_access a) {
  for (uint32_t k = 0; k < out->releases.count; k++)
    if (same_access (&out->releases.data[k], &a)) return;
  vec_push (&out->releases, a);
}

void future_note_not_self (future *out, uint64_t cell) {
  for (uint32_t k = 0; k < out->not_self.count; k++)
    if (out->not_self.data[k] == cell) return;
  vec_push (&out->not_self, cell);
}

static void append_goals (future *out, const future *later, const lock_family *prefix, const lock_state *held) {
  for (uint32_t k = 0; k < later->not_self.count; k++) future_note_not_self (out, later->not_self.data[k]);
  for (uint32_t k = 0; k < later->checks.count; k++) future_note_check (out, later->checks.data[k]);
  for (uint32_t k = 0; k < later->racy.count; k++) {
    racy_access a = later->racy.data[k];
    a.access.before = family_then (prefix, &a.access.before);
    a.locks = lock_state_then (held, &a.locks);
    future_note_racy (out, a);
  }
}

void future_append (future *out, const future *later, const lock_family *prefix, const lock_state *held) {
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
    a.before = family_then (prefix, &a.before);
    future_note (out, a);
  }
}

static uint64_t hash_values (uint64_t seed, const value *values, uint32_t count) {
  uint64_t hash = seed;
  for (uint32_t k = 0; k < count; k++) hash = hash_pair (hash_pair (hash, values[k].kind), values[k].x);
  return hash;
}

static bool is_active (const futures *f, uint32_t proc) {
  for (uint32_t k = 0; k < f->active.count; k++)
    if (f->active.data[k] == proc) return true;
  return f->active.count > ACTIVE_PROCS;
}

future *future_of_call (futures *f, uint32_t proc, const value *args, uint32_t num_args) {
  const code_proc *p = &f->code->procs.data[proc];
  if (p->entry == IR_NONE || is_active (f, proc)) return NULL;
  uint64_t key = hash_values (hash_pair (proc, num_args), args, num_args);
  uint64_t *known = map_find (&f->summaries, key);
  if (known) return f->all.data[*known];
  future *out = futures_add (f);
  uint32_t index = f->all.count - 1;
  value *regs = mem_zalloc (sizeof *regs * (p->num_slots + 1));
  for (uint32_t k = 0; k < p->param_slot.count; k++) {
    uint32_t slot = p->param_slot.data[k];
    regs[slot] = k < num_args && p->param_bits.data[k] <= 64 ? args[k] : (value){V_ANY, 0};
    if (p->param_bits.data[k] < 64 && regs[slot].kind == V_CONST) regs[slot].x &= (1ull << p->param_bits.data[k]) - 1;
    if (p->param_bits.data[k] > 64) regs[slot + 1] = (value){V_ANY, 0};
  }
  future_of_frame (f, proc, (frame_start){.pc = p->entry, .regs = regs}, out);
  mem_free (regs, sizeof *regs * (p->num_slots + 1));
  map_insert (&f->summaries, key, index, NULL);
  return out;
}

// ---- frames of a thread --------------------------------------------------------------------------------
// The registers of a frame that has called another: the call's result comes from above.
static value *frame_registers (const futures *f, const thread *t, uint32_t k, value result) {
  const frame *fr = &t->frames.data[k];
  const code_proc *p = &f->code->procs.data[fr->proc];
  const insn *i = &f->code->insns.data[fr->pc];
  const live_list *live = &f->code->live_lists.data[i->live];
  value *regs = mem_zalloc (sizeof *regs * (p->num_slots + 1));
  for (uint32_t n = 0; n < live->count; n++) {
    uint32_t slot = f->code->live_slots.data[live->first + n];
    regs[slot] = (value){V_CONST, t->regs.data[fr->base + slot]};
  }
  if (k + 1 == t->frames.count || i->dst == IR_NONE) return regs;
  bool narrow = result.kind == V_CONST && i->bits < 64;
  regs[i->dst] = i->bits > 64 ? (value){V_ANY, 0} : result;
  if (narrow) regs[i->dst].x &= (1ull << i->bits) - 1;
  if (i->bits > 64) regs[i->dst + 1] = (value){V_ANY, 0};
  return regs;
}

static const future *frame_future (futures *f, const thread *t, uint32_t k, value result) {
  const frame *fr = &t->frames.data[k];
  uint32_t slots = f->code->procs.data[fr->proc].num_slots + 1;
  bool top = k + 1 == t->frames.count;
  value *regs = frame_registers (f, t, k, result);
  uint64_t key = hash_values (hash_pair ((uint64_t) k << 32 | fr->pc, top), regs, slots);
  uint64_t *known = map_find (&f->frames, key);
  if (!known) {
    future *out = futures_add (f);
    uint32_t index = f->all.count - 1;
    frame_start start = {top ? fr->pc : fr->pc + 1, regs, k + 1};
    future_of_frame (f, fr->proc, start, out);
    known = map_insert (&f->frames, key, index, NULL);
  }
  mem_free (regs, sizeof *regs * slots);
  return f->all.data[*known];
}

// From the top frame down, each after what the frames above must have taken.
static uint32_t analyse (futures *f, const thread *t) {
  future *out = futures_add (f);
  uint32_t index = f->all.count - 1;
  lock_family taken = NO_LOCKS;
  lock_state held = {0};
  value result = {V_ANY, 0};
  for (uint32_t k = t->frames.count; k-- > 0 && !out->everything;) {
    const future *g = frame_future (f, t, k, result);
    future_append (out, g, &taken, &held);
    if (!g->returns) break;
    taken = family_then (&taken, &g->exit);
    held = lock_state_then (&held, &g->exit_locks);
    result = g->result.kind == V_NONE ? (value){V_ANY, 0} : g->result;
  }
  for (uint32_t k = 0; k < out->accesses.count; k++) out->objects |= objects_of (f, &out->accesses.data[k]);
  return index;
}

static const future *future_of_component (futures *f, const world *w, uint32_t slot) {
  const thread *t = &w->threads[slot];
  uint32_t id = w->current.data[t->position];
  while (f->of_component.count <= id) vec_push (&f->of_component, 0);
  if (!f->of_component.data[id]) f->of_component.data[id] = analyse (f, t);
  return f->all.data[f->of_component.data[id]];
}

// A future takes some handles in memory not to be the thread's own.  That holds if they are not and nobody can copy it there; a new
// thread's handle is never that of a living one.
static bool takes_self_for_other (futures *f, const world *w, uint32_t slot, uint64_t cell) {
  if (cell_value (w, cell) == slot + 1) return true;
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING && writes_cell (f, w, u, future_of_component (f, w, u), cell, false))
      return true;
  return false;
}

const future *futures_of (futures *f, const world *w, uint32_t slot) {
  const future *out = future_of_component (f, w, slot);
  for (uint32_t k = 0; k < out->not_self.count; k++)
    if (takes_self_for_other (f, w, slot, out->not_self.data[k])) return &f->unknown;
  return out;
}

bool futures_meet (const futures *f, const world *w, uint32_t slot, const future *later, const touch *t,
                   lock_set held) {
  if (later->everything) return true;
  if (!(object_bit (f, pointer_object (w, t->address)) & later->objects) &&
      pointer_object (w, t->address) < f->num_static)
    return false;
  for (uint32_t k = 0; k < later->accesses.count; k++) {
    const future_access *a = &later->accesses.data[k];
    // Whoever stands before a lock operation may already race with a plain access to the lock's memory.
    if ((a->write || t->write) && same_place (f, w, slot, a, t) &&
        family_avoids (&a->before, held, t->plain ? 0 : a->own))
      return true;
  }
  return false;
}

bool future_places_overlap (const world *w, const future_access *a, const future_access *b) {
  uint32_t shift = w->program->offset_bits;
  if (a->kind == REGION_STACK || b->kind == REGION_STACK) return false;  // the end of a frame is no access
  if (a->kind == REGION_RANGE && b->kind == REGION_RANGE) return touch_overlaps (a->at, a->bytes, b->at, b->bytes);
  if (a->kind > REGION_OBJECT || b->kind > REGION_OBJECT) return true;  // unknown pointers
  uint64_t x = a->kind == REGION_RANGE ? a->at >> shift : a->at, y = b->kind == REGION_RANGE ? b->at >> shift : b->at;
  return x == y;
}

// ---- life cycle ----------------------------------------------------------------------------------------
futures *futures_new (const world *w, bool use_locks, bool use_joins) {
  futures *f = mem_zalloc (sizeof *f);
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

void futures_free (futures *f) {
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
