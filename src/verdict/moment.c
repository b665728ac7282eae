// Evaluates the propositions of a formula about the program in the machine's current state, as temporal/temporal.h
// defines them.  It shares no code with the engines' evaluations.
#include "verdict/verdict_impl.h"

bool moment_is_one (machine *m) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    if (m->threads[slot].state != THREAD_RUNNING || !m->threads[slot].atomic) continue;
    action a = action_of (m, slot);
    if (action_enabled (&a)) return false;
  }
  return true;
}

// ---- where threads are ---------------------------------------------------------------------------------

static bool is_frame_of_user (const machine *m, const judge_frame *f) {
  return !ir_proc_at (m->program, f->proc)->internal;
}

static bool user_location (const machine *m, const thread *t, ir_loc *out) {
  for (uint32_t k = t->frames.count; k-- > 0;) {
    const judge_frame *f = &t->frames.data[k];
    if (!is_frame_of_user (m, f)) continue;
    *out = k + 1 < t->frames.count ? ir_edge_at (m->program, f->call)->from : f->loc;
    return true;
  }
  return false;
}

static bool started_in (const machine *m, const thread *t, ir_proc *out) {
  for (uint32_t k = 0; k < t->frames.count; k++) {
    if (!is_frame_of_user (m, &t->frames.data[k])) continue;
    *out = t->frames.data[k].proc;
    return true;
  }
  return false;
}

static bool speaks_of_thread (const machine *m, const temporal_threads *who, const thread *t) {
  ir_proc root;
  if (t->state != THREAD_RUNNING) return false;
  switch (who->which) {
  case THREADS_ALL: return true;
  case THREADS_NUMBERED: return t->slot == who->slot;
  case THREADS_STARTED_IN: return started_in (m, t, &root) && who->procs[root.i];
  }
  return false;
}

// ---- propositions --------------------------------------------------------------------------------------

static bool is_at (const machine *m, const temporal_atom *a) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    ir_loc at;
    if (speaks_of_thread (m, &a->threads, &m->threads[slot]) && user_location (m, &m->threads[slot], &at) &&
        a->locs[at.i])
      return true;
  }
  return false;
}

static sync_use lock_of (const machine *m, const temporal_atom *a) {
  static const sync_kind kinds[] = {[IR_F_MUTEX] = SYNC_MUTEX, [IR_F_RWLOCK] = SYNC_RWLOCK, [IR_F_SPIN] = SYNC_SPIN};
  return (sync_use){kinds[a->lock.kind], address_make (m->program, a->lock.object.i, a->lock.offset)};
}

static uint32_t lock_owner (machine *m, sync_use s) {
  uint32_t at = s.kind == SYNC_MUTEX ? IR_MUTEX_OWNER : s.kind == SYNC_RWLOCK ? IR_RW_WRITER : IR_SPIN_OWNER;
  return sync_word (m, s, at);
}

static bool lock_is_taken (machine *m, const temporal_atom *a) {
  sync_use s = lock_of (m, a);
  return lock_owner (m, s) || (s.kind == SYNC_RWLOCK && sync_word (m, s, IR_RW_READERS));
}

static bool lock_is_held (machine *m, const temporal_atom *a) {
  sync_use s = lock_of (m, a);
  uint32_t owner = lock_owner (m, s);
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    const thread *t = &m->threads[slot];
    if (!speaks_of_thread (m, &a->threads, t)) continue;
    if (owner == slot + 1 || (s.kind == SYNC_RWLOCK && lock_count (t, s.address, LOCK_READ))) return true;
  }
  return false;
}

static __int128 operand_now (machine *m, const temporal_operand *o) {
  if (o->is_constant) return o->constant;
  return temporal_value (o, memory_read_zeroed (m, address_make (m->program, o->object.i, o->offset), o->bytes));
}

static bool some_thread_runs (const machine *m, const temporal_atom *a) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (speaks_of_thread (m, &a->threads, &m->threads[slot])) return true;
  return false;
}

static bool is_proposition_true (machine *m, const temporal_atom *a, bool process_ended) {
  switch (a->kind) {
  case LTL_AT: return !process_ended && is_at (m, a);
  case LTL_HOLDS: return !process_ended && lock_is_held (m, a);
  case LTL_LOCKED: return lock_is_taken (m, a);
  case LTL_COMPARE: return temporal_compare (a->relation, operand_now (m, &a->left), operand_now (m, &a->right));
  case LTL_ENDED: return process_ended || !some_thread_runs (m, a);
  default: BUG ("a formula about the program should not say %s", a->text);
  }
}

uint64_t moment_letter (machine *m, const temporal *t, bool process_ended, uint64_t *started) {
  uint64_t letter = 0;
  for (uint32_t k = 0; k < t->num_atoms; k++) {
    const temporal_atom *a = &t->atoms[k];
    uint64_t bit = UINT64_C (1) << k;
    if (a->kind == LTL_ENDED && some_thread_runs (m, a)) *started |= bit;
    if (is_proposition_true (m, a, process_ended) && (a->kind != LTL_ENDED || *started & bit)) letter |= bit;
  }
  return letter;
}
