// Evaluates the propositions of a formula about the program in the current state: the atoms of temporal.h over the
// threads and objects of the state. (The judge has its own version: verdict/moment.c.)
#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"

// ---- where threads are --------------------------------------------------------------------------------
static bool is_user_frame (const current_state *w, const state_frame *f) {
  return !w->program->procs.data[f->proc].internal;
}

static const state_frame *innermost (const current_state *w, const state_thread *t) {
  for (uint32_t k = t->frames.count; k-- > 0;)
    if (is_user_frame (w, &t->frames.data[k])) return &t->frames.data[k];
  return NULL;
}

static const state_frame *outermost (const current_state *w, const state_thread *t) {
  for (uint32_t k = 0; k < t->frames.count; k++)
    if (is_user_frame (w, &t->frames.data[k])) return &t->frames.data[k];
  return NULL;
}

static uint32_t frame_location (const current_state *w, const state_frame *f) {
  return w->program->edges.data[w->code->insns.data[f->pc].edge].from.i;
}

static bool is_meant_thread (const current_state *w, const temporal_threads *who, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  if (t->status != T_RUNNING) return false;
  if (who->which == THREADS_ALL) return true;
  if (who->which == THREADS_NUMBERED) return slot == who->slot;
  const state_frame *f = outermost (w, t);
  return f && who->procs[f->proc];
}

static bool any_at (const current_state *w, const temporal_atom *a) {
  for (uint32_t slot = 0; slot < w->num_slots; slot++) {
    if (!is_meant_thread (w, &a->threads, slot)) continue;
    const state_frame *f = innermost (w, &w->threads[slot]);
    if (f && a->locs[frame_location (w, f)]) return true;
  }
  return false;
}

static bool any_alive (const current_state *w, const temporal_atom *a) {
  for (uint32_t slot = 0; slot < w->num_slots; slot++)
    if (is_meant_thread (w, &a->threads, slot)) return true;
  return false;
}

// ---- locks and variables ------------------------------------------------------------------------------
static uint32_t lock_word_now (const current_state *w, const temporal_lock *l, uint32_t at) {
  const state_object *o = w->statics[l->object.i];
  if (xs_object_word (o, l->offset) == IR_DESTROYED && l->kind != IR_F_SPIN) return 0;
  uint32_t value = xs_object_word (o, l->offset + at);
  return l->kind == IR_F_SPIN && value == IR_DESTROYED ? 0 : value;
}

static uint32_t lock_owner_now (const current_state *w, const temporal_lock *l) {
  return lock_word_now (w, l, ir_word_at (w->program, l->kind, IR_W_OWNER));
}

static bool is_lock_held_now (const current_state *w, const temporal_lock *l) {
  return lock_owner_now (w, l) || (l->kind == IR_F_RWLOCK && lock_word_now (w, l, IR_RW_READERS));
}

static bool any_holds (const current_state *w, const temporal_atom *a) {
  uint64_t address = ((uint64_t) a->lock.object.i << w->program->offset_bits) + a->lock.offset;
  uint32_t owner = lock_owner_now (w, &a->lock);
  for (uint32_t slot = 0; slot < w->num_slots; slot++) {
    if (!is_meant_thread (w, &a->threads, slot)) continue;
    bool reads = a->lock.kind == IR_F_RWLOCK && xs_thread_held (w, slot, address, HELD_READ);
    if (reads || owner == slot + 1) return true;
  }
  return false;
}

static __int128 proposition_operand_value (const current_state *w, const temporal_operand *o) {
  uint64_t bytes = 0;
  if (o->is_constant) return o->constant;
  for (uint32_t k = 0; k < o->bytes; k++) bytes |= (uint64_t) w->statics[o->object.i]->bytes[o->offset + k] << (8 * k);
  return temporal_value (o, bytes);
}

// ---- the letter ---------------------------------------------------------------------------------------
static bool is_true_in_state (const current_state *w, const formula_observer *watch, uint32_t atom,
                              bool process_ended) {
  const temporal_atom *a = &watch->formula->atoms[atom];
  switch (a->kind) {
  case LTL_AT: return !process_ended && any_at (w, a);
  case LTL_HOLDS: return !process_ended && any_holds (w, a);
  case LTL_LOCKED: return is_lock_held_now (w, &a->lock);
  case LTL_COMPARE:
    return temporal_compare (a->relation, proposition_operand_value (w, &a->left),
                             proposition_operand_value (w, &a->right));
  case LTL_ENDED: return watch->started >> atom & 1 && (process_ended || !any_alive (w, a));
  default: BUG ("a formula about the program should not say %s", a->text);
  }
}

uint64_t true_propositions (const current_state *w, formula_observer *watch, bool process_ended) {
  uint64_t letter = 0;
  for (uint32_t k = 0; k < watch->formula->num_atoms; k++) {
    if (watch->formula->remembers >> k & 1 && any_alive (w, &watch->formula->atoms[k]))
      watch->started |= UINT64_C (1) << k;
    if (is_true_in_state (w, watch, k, process_ended)) letter |= UINT64_C (1) << k;
  }
  return letter;
}
