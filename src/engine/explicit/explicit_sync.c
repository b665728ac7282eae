// Operations on synchronisation objects, as the rules of ir/sync.h say; rule_tree.c has compiled these. The state of a
// lock, semaphore, barrier or once lives in the bytes of its own object; a waiting thread carries in `waiting` the
// address that it waits at.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"
#include "engine/explicit/rule_tree.h"

enum { STATE_BYTES = IR_RW_WRITER + 4 };  // of the state of any synchronisation object

// An object that an operation names.
typedef struct sync_object_ref {
  ir_family family;
  uint64_t address;
  state_object *o;
  uint32_t at;  // offset in o
  bool fresh;   // not initialised or destroyed: its words count as 0
} sync_object_ref;

// One operation. If it names a mutex, `object` is what the thread waits at, and the words of the rule are those of the
// mutex.
typedef struct sync_operation_run {
  current_state *w;
  state_thread *t;
  uint32_t slot;
  const insn *i;
  const ir_sync *facts;
  const ir_rule *rule;
  sync_object_ref object, mutex;
  sync_object_ref *words;
  const rule_tree *tree;
  bool in_step;               // its reads are recorded in the step being executed
  rule_inputs inputs;         // inputs of the rule
  uint8_t copy[STATE_BYTES];  // of the words of an object that is too small
} sync_operation_run;

// ---- the words of an object ---------------------------------------------------------------------------
static uint32_t word_offset (const sync_operation_run *x, const sync_object_ref *u, ir_word word) {
  return u->at + ir_word_at (x->w->program, u->family, word);
}

static bool is_undefined_word (const state_object *o, uint32_t at) {
  if (!o->any_undefined) return false;
  for (uint32_t k = 0; k < 4; k++)
    if (at + k < o->size && o->undefined[at + k] != XS_ALL_BITS) return false;
  return true;
}

static bool is_uninitialised (const sync_object_ref *u) {
  if (is_undefined_word (u->o, u->at)) return true;
  return u->family != IR_F_ONCE &&
         xs_object_word (u->o, u->at + ir_word_places[u->family][IR_W_STATE] - 1) == IR_DESTROYED;
}

// Finds the memory of the object; returns false if it cannot be accessed.
static inline bool find_operand (sync_operation_run *x, sync_object_ref *u) {
  current_state *w = x->w;
  u->o = xs_object_access (w, u->address, 4, x->facts->action != IR_A_READ);
  u->at = (uint32_t) pointer_offset (w, u->address);
  if (!u->o) {
    w->step.uncacheable = true;
    return false;
  }
  if (x->in_step) xs_object_note_read (w, u->o, u->at, STATE_BYTES);
  u->fresh = is_uninitialised (u);
  return true;
}

static inline void operation_init (sync_operation_run *x, const current_state *w, uint32_t slot, const insn *i,
                                   bool in_step) {
  x->w = (current_state *) w;
  x->t = (state_thread *) &w->threads[slot];
  x->slot = slot;
  x->i = i;
  x->facts = ir_sync_of (i->ir);
  x->rule = ir_rule_of (i->ir);
  x->in_step = in_step;
  x->tree = &w->code->rule_trees[i->ir];
  x->object = (sync_object_ref){.family = x->facts->family, .address = xs_exec_value (w, slot, i->a)};
  x->words = x->facts->names_mutex ? &x->mutex : &x->object;
  x->mutex.o = NULL;
  if (x->facts->names_mutex)
    x->mutex = (sync_object_ref){.family = IR_F_MUTEX, .address = xs_exec_value (w, slot, i->b)};
}

// ---- inputs of rules ----------------------------------------------------------------------------------
static uint32_t waiters (const sync_operation_run *x, uint32_t *slots) {
  current_state *w = x->w;
  w->step.uncacheable = true;  // reads all threads
  uint32_t count = 0;
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING && w->threads[u].waiting == x->object.address) slots[count++] = u;
  return count;
}

static uint32_t times_reading (const sync_operation_run *x) {
  const state_held_lock *h = xs_thread_held (x->w, x->slot, x->words->address, HELD_READ);
  return h ? h->count : 0;
}

// Words of a fresh object count as 0, and so do those that lie behind the end of one that is too small.
static inline const uint8_t *operand_words (sync_operation_run *x) {
  static const uint8_t zeros[STATE_BYTES];
  const sync_object_ref *u = x->words;
  if (!u->o || u->fresh) return zeros;
  if (u->at + x->tree->size <= u->o->size) return u->o->bytes + u->at;
  memset (x->copy, 0, sizeof x->copy);
  memcpy (x->copy, u->o->bytes + u->at, u->o->size - u->at);
  return x->copy;
}

static void set_input (sync_operation_run *x, uint32_t input, uint32_t value) {
  x->inputs.others[input - INPUT_ZERO] = value;
}

static void fill_rare_inputs (sync_operation_run *x) {
  uint32_t slots[IR_MAX_THREADS];
  if (x->facts->action == IR_A_INIT) set_input (x, INPUT_ARG, (uint32_t) xs_exec_value (x->w, x->slot, x->i->b));
  if (x->rule->looks_at_reads) set_input (x, INPUT_READS, times_reading (x));
  if (x->rule->looks_at_use) set_input (x, INPUT_IN_USE, waiters (x, slots) > 0);
}

static inline void fill_inputs (sync_operation_run *x) {
  x->inputs.bytes = operand_words (x);
  set_input (x, INPUT_ZERO, 0);
  set_input (x, INPUT_SELF, x->slot + 1);
  set_input (x, INPUT_WAITING, x->t->waiting != 0);
  if (x->tree->has_rare_inputs) fill_rare_inputs (x);
}

// Finds the objects that the operation accesses; returns false if one of them cannot be accessed.
static inline bool find_operands (sync_operation_run *x) {
  if (!x->facts->untouched && !find_operand (x, &x->object)) return false;
  if (x->facts->names_mutex && !find_operand (x, &x->mutex)) return false;
  fill_inputs (x);
  return true;
}

// ---- effects ------------------------------------------------------------------------------------------
static void report_sync_misuse (sync_operation_run *x) {
  xs_exec_violate (x->w, IR_P_LOCKS, x->slot, x->i->edge, IR_NONE);
}

static void set_object_word (sync_operation_run *x, const sync_object_ref *u, ir_word word, uint32_t value) {
  xs_object_set_word (x->w, u->o, word_offset (x, u, word), value);
}

static void clear_object_words (sync_operation_run *x, sync_object_ref *u) {
  for (ir_word k = 0; k < IR_NUM_WORDS; k++)
    if (ir_word_at (x->w->program, u->family, k) != IR_NONE) set_object_word (x, u, k, 0);
  u->fresh = false;
}

// Reports the use of an uninitialised or destroyed object, and fills it with zeros.
static void clear_uninitialised (sync_operation_run *x, sync_object_ref *u) {
  if (!u->o || !u->fresh) return;
  x->w->misused = x->i->edge;
  report_sync_misuse (x);
  clear_object_words (x, u);
}

static hold_mode mode_held (ir_family family, bool shared) {
  switch (family) {
  case IR_F_MUTEX: return HELD_MUTEX;
  case IR_F_SPIN: return HELD_SPIN;
  case IR_F_RWLOCK: return shared ? HELD_READ : HELD_WRITE;
  default: return HELD_ONCE;
  }
}

// An owner word names a slot, or is 0, or says that the owner has ended.
static bool is_slot (const current_state *w, uint32_t owner) { return owner && owner <= w->num_slots; }

// Removes the lock from all threads that hold it in this mode. If the program has overwritten the lock, the owner word
// does not say which thread held it.
static void remove_from_all_holders (sync_operation_run *x, hold_mode kind) {
  current_state *w = x->w;
  uint64_t address = x->words->address;
  for (uint32_t u = 0; u < w->num_slots; u++) {
    if (!w->threads[u].held.count || !xs_thread_held (w, u, address, kind)) continue;
    if (u != x->slot) w->foreign_release = w->step.uncacheable = true;
    while (xs_thread_drop (w, u, address, kind)) continue;
  }
}

// Returns the owner before the operation: the inputs are not changed yet.
static uint32_t owner_before_operation (const sync_operation_run *x) {
  uint32_t place = ir_word_places[x->words->family][IR_W_OWNER];
  return place ? rule_input (&x->inputs, (uint8_t) (place - 1)) : 0;
}

static void release_object (sync_operation_run *x) {
  current_state *w = x->w;
  ir_family family = x->words->family;
  uint32_t owner = owner_before_operation (x);
  bool is_rwlock = family == IR_F_RWLOCK;
  if (family == IR_F_ONCE || (is_rwlock && !x->rule->gives_all)) {
    xs_thread_drop (w, x->slot, x->words->address, mode_held (family, owner != x->slot + 1));
    return;
  }
  w->foreign_release |= is_slot (w, owner) && owner != x->slot + 1;
  if (is_rwlock) remove_from_all_holders (x, HELD_READ);
  remove_from_all_holders (x, mode_held (family, false));
}

static void wake_waiters (sync_operation_run *x) {
  current_state *w = x->w;
  uint32_t slots[IR_MAX_THREADS], count = waiters (x, slots), first = 0;
  bool one = x->facts->action == IR_A_WAKE_ONE;
  if (one && count > 1) {
    first = xs_step_choose (w, count);
    vec_push (&w->step.chosen, (ir_value) slots[first]);
  }
  for (uint32_t k = first; k < (one && count ? first + 1 : count); k++) {
    w->threads[slots[k]].waiting = 0;
    xs_state_mark_thread (w, slots[k]);
  }
}

// A spurious wake-up is chosen when the wait begins; to wait for a signal is tried first.
static bool chooses_spurious_wakeup (sync_operation_run *x) {
  current_state *w = x->w;
  if (!x->rule->may_wake_alone || !w->semantics->spurious_wakeups) return false;
  uint32_t spurious = xs_step_choose (w, 2);
  vec_push (&w->step.chosen, (ir_value) spurious);
  w->step.spurious |= spurious;
  return spurious != 0;
}

// Executes the operation. All values are computed before the first change.
static void execute_rule (sync_operation_run *x) {
  const ir_rule *r = x->rule;
  const rule_outcome *out = rule_tree_outcome (x->tree, &x->inputs);
  uint32_t values[IR_MOST_EFFECTS], result = rule_term_value (&out->result, &x->inputs);
  for (uint32_t k = 0; k < out->num_changes; k++) values[k] = rule_term_value (&out->changes[k].value, &x->inputs);
  bool spurious = out->waits && chooses_spurious_wakeup (x);
  if (out->misused) report_sync_misuse (x);
  if (out->gives) release_object (x);
  // In another interleaving a thread may hold the lock that is released here without being held.
  x->w->foreign_release |= out->misused && out->gives && x->facts->action == IR_A_RELEASE;
  for (uint32_t k = 0; k < out->num_changes; k++)
    xs_object_set_word (x->w, x->words->o, x->words->at + out->changes[k].at, values[k]);
  if (out->takes) xs_thread_hold (x->w, x->slot, x->words->address, mode_held (x->words->family, x->facts->shared));
  if (out->wakes) wake_waiters (x);
  if (r->stops_waiting) x->t->waiting = 0;
  if (out->waits && !spurious) x->t->waiting = x->object.address;
  if (r->result) xs_thread_set_result (x->t, x->i, (uint64_t) (int32_t) result);
}

// ---- entry points -------------------------------------------------------------------------------------
void xs_sync_pending (const current_state *w, uint32_t slot, const insn *i, next_access *p) {
  const ir_sync *facts = ir_sync_of (i->ir);
  *p = (next_access){0};
  if (i->ir == IR_THREAD_CREATE)
    *p = (next_access){xs_exec_value (w, slot, i->a), w->program->pointer_bits / 8u, true, false, 0};
  else if (facts->family != IR_F_THREAD && !facts->untouched)
    *p = (next_access){xs_exec_value (w, slot, i->a), 4, facts->action != IR_A_READ, false, 0};
  if (facts->names_mutex) p->mutex = xs_exec_value (w, slot, i->b);
}

bool xs_sync_can_step (const current_state *w, uint32_t slot, const insn *i, bool in_step) {
  sync_operation_run x;
  if (i->ir == IR_THREAD_JOIN) return xs_join_can_end (w, xs_exec_value (w, slot, i->a));
  if (!ir_sync_of (i->ir)->blocks) return true;
  operation_init (&x, w, slot, i, in_step);
  if (!find_operands (&x) || x.words->fresh) return true;  // the step reports the error
  return rule_tree_enabled (x.tree, &x.inputs);
}

// Decided by the owner word, not by the list of held locks: the lock may have been overwritten since.
bool xs_sync_relocks (const current_state *w, uint32_t slot, const insn *i) {
  sync_operation_run x;
  if (!ir_rule_of (i->ir) || !ir_rule_of (i->ir)->for_ever.when) return false;
  operation_init (&x, w, slot, i, false);
  return find_operands (&x) && rule_tree_for_ever (x.tree, &x.inputs);
}

// Executes the operation if it is enabled. On an uninitialised or destroyed object it may be disabled even after
// zero-filling.
static sync_result execute_if_possible (sync_operation_run *x) {
  bool fresh = x->words->o && x->words->fresh;
  if (x->facts->action != IR_A_INIT) {
    clear_uninitialised (x, &x->object);
    clear_uninitialised (x, &x->mutex);
  }
  if (fresh && !rule_tree_enabled (x->tree, &x->inputs)) return SYNC_VIOLATION;
  execute_rule (x);
  return SYNC_GO;
}

sync_result xs_sync_execute (current_state *w, uint32_t slot, const insn *i) {
  sync_operation_run x;
  if (ir_sync_of (i->ir)->family == IR_F_THREAD) return xs_thread_operation (w, slot, i);
  operation_init (&x, w, slot, i, true);
  CHECK (x.rule, "synchronisation operation %s should have a rule", ir_op_table[i->ir].text);
  if (find_operands (&x)) return execute_if_possible (&x);
  xs_exec_violate (w, IR_P_MEMORY, slot, i->edge, IR_NONE);
  return SYNC_VIOLATION;
}

// The holder ends with the lock held: marks the owner as ended, because a new thread in its slot must not count as the
// owner.
void xs_sync_abandon (current_state *w, const state_held_lock *h) {
  state_object *o = xs_object_access (w, h->address, 4, true);
  uint32_t owner = ir_word_at (w->program, xs_family_held (h->kind), IR_W_OWNER);
  if (!o || h->kind == HELD_READ || owner == IR_NONE) return;
  xs_object_set_word (w, o, (uint32_t) pointer_offset (w, h->address) + owner, IR_OWNER_ENDED);
}
