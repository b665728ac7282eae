// Operations on synchronisation objects, as the rules of ir/sync.h say; rule_tree.c has compiled these. The state of a
// lock, semaphore, barrier or once lives in the bytes of its own object; a waiting thread carries in `waiting` the
// address that it waits at.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"
#include "engine/explicit/rule_tree.h"

enum { STATE_BYTES = IR_RW_WRITER + 4 };  // of the state of any synchronisation object

// An object that an operation names.
typedef struct use {
  ir_family family;
  uint64_t address;
  object *o;
  uint32_t at;  // its offset in o
  bool fresh;   // not initialised or destroyed: its words count as 0
} use;

// Of an operation that names a mutex, `object` is what the thread waits at, and the words of the rule are the mutex's.
typedef struct operation {
  world *w;
  thread *t;
  uint32_t slot;
  const insn *i;
  const ir_sync *facts;
  const ir_rule *rule;
  use object, mutex;
  use *words;
  const rule_tree *tree;
  bool in_step;               // what it reads matters to the step that is being executed
  rule_inputs inputs;         // what the rule speaks of
  uint8_t copy[STATE_BYTES];  // of the words of an object that is too small
} operation;

// ---- the words of an object ----------------------------------------------------------------------------
static uint32_t field (const operation *x, const use *u, ir_word word) {
  return u->at + ir_word_at (x->w->program, u->family, word);
}

static bool all_undefined (const object *o, uint32_t at) {
  if (!o->any_undefined) return false;
  for (uint32_t k = 0; k < 4; k++)
    if (at + k < o->size && o->undefined[at + k] != XS_ALL_BITS) return false;
  return true;
}

static bool is_fresh (const use *u) {
  if (all_undefined (u->o, u->at)) return true;
  return u->family != IR_F_ONCE &&
         xs_object_word (u->o, u->at + ir_word_places[u->family][IR_W_STATE] - 1) == IR_DESTROYED;
}

// False: its memory cannot be accessed.
static inline bool look_at (operation *x, use *u) {
  world *w = x->w;
  u->o = xs_object_access (w, u->address, 4, x->facts->action != IR_A_READ);
  u->at = (uint32_t) pointer_offset (w, u->address);
  if (!u->o) {
    w->step.uncacheable = true;
    return false;
  }
  if (x->in_step) xs_object_note_read (w, u->o, u->at, STATE_BYTES);
  u->fresh = is_fresh (u);
  return true;
}

static inline void begin (operation *x, const world *w, uint32_t slot, const insn *i, bool in_step) {
  x->w = (world *) w;
  x->t = (thread *) &w->threads[slot];
  x->slot = slot;
  x->i = i;
  x->facts = ir_sync_of (i->ir);
  x->rule = ir_rule_of (i->ir);
  x->in_step = in_step;
  x->tree = &w->code->rule_trees[i->ir];
  x->object = (use){.family = x->facts->family, .address = xs_exec_value (w, slot, i->a)};
  x->words = x->facts->names_mutex ? &x->mutex : &x->object;
  x->mutex.o = NULL;
  if (x->facts->names_mutex) x->mutex = (use){.family = IR_F_MUTEX, .address = xs_exec_value (w, slot, i->b)};
}

// ---- what a rule speaks of -----------------------------------------------------------------------------
static uint32_t waiters (const operation *x, uint32_t *slots) {
  world *w = x->w;
  w->step.uncacheable = true;  // looks at all threads
  uint32_t count = 0;
  for (uint32_t u = 0; u < w->num_slots; u++)
    if (w->threads[u].status == T_RUNNING && w->threads[u].waiting == x->object.address) slots[count++] = u;
  return count;
}

static uint32_t times_reading (const operation *x) {
  const held_lock *h = xs_thread_held (x->w, x->slot, x->words->address, HELD_READ);
  return h ? h->count : 0;
}

// Words of a fresh object count as 0, and so do those that lie behind the end of one that is too small.
static inline const uint8_t *bytes_of (operation *x) {
  static const uint8_t zeros[STATE_BYTES];
  const use *u = x->words;
  if (!u->o || u->fresh) return zeros;
  if (u->at + x->tree->size <= u->o->size) return u->o->bytes + u->at;
  memset (x->copy, 0, sizeof x->copy);
  memcpy (x->copy, u->o->bytes + u->at, u->o->size - u->at);
  return x->copy;
}

static void set_input (operation *x, uint32_t input, uint32_t value) { x->inputs.others[input - INPUT_ZERO] = value; }

static void fill_rare_inputs (operation *x) {
  uint32_t slots[IR_MAX_THREADS];
  if (x->facts->action == IR_A_INIT) set_input (x, INPUT_ARG, (uint32_t) xs_exec_value (x->w, x->slot, x->i->b));
  if (x->rule->looks_at_reads) set_input (x, INPUT_READS, times_reading (x));
  if (x->rule->looks_at_use) set_input (x, INPUT_IN_USE, waiters (x, slots) > 0);
}

static inline void fill_inputs (operation *x) {
  x->inputs.bytes = bytes_of (x);
  set_input (x, INPUT_ZERO, 0);
  set_input (x, INPUT_SELF, x->slot + 1);
  set_input (x, INPUT_WAITING, x->t->waiting != 0);
  if (x->tree->has_rare_inputs) fill_rare_inputs (x);
}

// Looks at the objects whose memory the operation accesses; false: at one of them it cannot.
static inline bool look (operation *x) {
  if (!x->facts->untouched && !look_at (x, &x->object)) return false;
  if (x->facts->names_mutex && !look_at (x, &x->mutex)) return false;
  fill_inputs (x);
  return true;
}

// ---- what changes --------------------------------------------------------------------------------------
static void misuse (operation *x) { xs_exec_violate (x->w, IR_P_LOCKS, x->slot, x->i->edge, IR_NONE); }

static void set_word (operation *x, const use *u, ir_word word, uint32_t value) {
  xs_object_set_word (x->w, u->o, field (x, u, word), value);
}

static void zero (operation *x, use *u) {
  for (ir_word k = 0; k < IR_NUM_WORDS; k++)
    if (ir_word_at (x->w->program, u->family, k) != IR_NONE) set_word (x, u, k, 0);
  u->fresh = false;
}

// Misuse; then it counts as zero-filled.
static void revive (operation *x, use *u) {
  if (!u->o || !u->fresh) return;
  x->w->misused = x->i->edge;
  misuse (x);
  zero (x, u);
}

static hold_mode kind_held (ir_family family, bool shared) {
  switch (family) {
  case IR_F_MUTEX: return HELD_MUTEX;
  case IR_F_SPIN: return HELD_SPIN;
  case IR_F_RWLOCK: return shared ? HELD_READ : HELD_WRITE;
  default: return HELD_ONCE;
  }
}

// An owner word names a slot, or is 0, or says that the owner has ended.
static bool is_slot (const world *w, uint32_t owner) { return owner && owner <= w->num_slots; }

// No thread holds it in this way any longer. Where the program has written over the lock, the owner word does not tell
// which thread held it.
static void drop_everywhere (operation *x, hold_mode kind) {
  world *w = x->w;
  uint64_t address = x->words->address;
  for (uint32_t u = 0; u < w->num_slots; u++) {
    if (!w->threads[u].held.count || !xs_thread_held (w, u, address, kind)) continue;
    if (u != x->slot) w->foreign_release = w->step.uncacheable = true;
    while (xs_thread_drop (w, u, address, kind)) continue;
  }
}

// The words are still those before the operation.
static uint32_t owner_of (const operation *x) {
  uint32_t place = ir_word_places[x->words->family][IR_W_OWNER];
  return place ? rule_input (&x->inputs, (uint8_t) (place - 1)) : 0;
}

static void give_away (operation *x) {
  world *w = x->w;
  ir_family family = x->words->family;
  uint32_t owner = owner_of (x);
  bool is_rwlock = family == IR_F_RWLOCK;
  if (family == IR_F_ONCE || (is_rwlock && !x->rule->gives_all)) {
    xs_thread_drop (w, x->slot, x->words->address, kind_held (family, owner != x->slot + 1));
    return;
  }
  w->foreign_release |= is_slot (w, owner) && owner != x->slot + 1;
  if (is_rwlock) drop_everywhere (x, HELD_READ);
  drop_everywhere (x, kind_held (family, false));
}

static void wake (operation *x) {
  world *w = x->w;
  uint32_t slots[IR_MAX_THREADS], count = waiters (x, slots), first = 0;
  bool one = x->facts->action == IR_A_WAKE_ONE;
  if (one && count > 1) {
    first = world_choose (w, count);
    vec_push (&w->step.chosen, (ir_value) slots[first]);
  }
  for (uint32_t k = first; k < (one && count ? first + 1 : count); k++) {
    w->threads[slots[k]].waiting = 0;
    world_touch_thread (w, slots[k]);
  }
}

// A spurious wake-up is chosen when the wait begins; to wait for a signal is tried first.
static bool wakes_alone (operation *x) {
  world *w = x->w;
  if (!x->rule->may_wake_alone || !w->semantics->spurious_wakeups) return false;
  uint32_t spurious = world_choose (w, 2);
  vec_push (&w->step.chosen, (ir_value) spurious);
  w->step.spurious |= spurious;
  return spurious != 0;
}

// The values are those before anything changes.
static void execute (operation *x) {
  const ir_rule *r = x->rule;
  const rule_outcome *out = rule_tree_outcome (x->tree, &x->inputs);
  uint32_t values[IR_MOST_EFFECTS], result = rule_term_value (&out->result, &x->inputs);
  for (uint32_t k = 0; k < out->num_changes; k++) values[k] = rule_term_value (&out->changes[k].value, &x->inputs);
  bool spurious = out->waits && wakes_alone (x);
  if (out->misused) misuse (x);
  if (out->gives) give_away (x);
  // In another interleaving some thread may hold what is released without being held.
  x->w->foreign_release |= out->misused && out->gives && x->facts->action == IR_A_RELEASE;
  for (uint32_t k = 0; k < out->num_changes; k++)
    xs_object_set_word (x->w, x->words->o, x->words->at + out->changes[k].at, values[k]);
  if (out->takes) xs_thread_hold (x->w, x->slot, x->words->address, kind_held (x->words->family, x->facts->shared));
  if (out->wakes) wake (x);
  if (r->stops_waiting) x->t->waiting = 0;
  if (out->waits && !spurious) x->t->waiting = x->object.address;
  if (r->result) xs_thread_set_result (x->t, x->i, (uint64_t) (int32_t) result);
}

// ---- entry points --------------------------------------------------------------------------------------
void xs_sync_pending (const world *w, uint32_t slot, const insn *i, pending *p) {
  const ir_sync *facts = ir_sync_of (i->ir);
  *p = (pending){0};
  if (i->ir == IR_THREAD_CREATE)
    *p = (pending){xs_exec_value (w, slot, i->a), w->program->pointer_bits / 8u, true, false, 0};
  else if (facts->family != IR_F_THREAD && !facts->untouched)
    *p = (pending){xs_exec_value (w, slot, i->a), 4, facts->action != IR_A_READ, false, 0};
  if (facts->names_mutex) p->mutex = xs_exec_value (w, slot, i->b);
}

bool xs_sync_can_step (const world *w, uint32_t slot, const insn *i, bool in_step) {
  operation x;
  if (i->ir == IR_THREAD_JOIN) return xs_join_can_end (w, xs_exec_value (w, slot, i->a));
  if (!ir_sync_of (i->ir)->blocks) return true;
  begin (&x, w, slot, i, in_step);
  if (!look (&x) || x.words->fresh) return true;  // the step shows the error
  return rule_tree_enabled (x.tree, &x.inputs);
}

// Judged by the owner's word, not by what the thread once took: the lock may have been overwritten since.
bool xs_sync_relocks (const world *w, uint32_t slot, const insn *i) {
  operation x;
  if (!ir_rule_of (i->ir) || !ir_rule_of (i->ir)->for_ever.when) return false;
  begin (&x, w, slot, i, false);
  return look (&x) && rule_tree_for_ever (x.tree, &x.inputs);
}

// Where the object is used although it is not initialised or was destroyed, the operation may be impossible even on a
// zero-filled one.
static sync_result execute_if_possible (operation *x) {
  bool fresh = x->words->o && x->words->fresh;
  if (x->facts->action != IR_A_INIT) {
    revive (x, &x->object);
    revive (x, &x->mutex);
  }
  if (fresh && !rule_tree_enabled (x->tree, &x->inputs)) return SYNC_VIOLATION;
  execute (x);
  return SYNC_GO;
}

sync_result xs_sync_execute (world *w, uint32_t slot, const insn *i) {
  operation x;
  if (ir_sync_of (i->ir)->family == IR_F_THREAD) return xs_thread_operation (w, slot, i);
  begin (&x, w, slot, i, true);
  CHECK (x.rule, "synchronisation operation %s should have a rule", ir_op_table[i->ir].text);
  if (look (&x)) return execute_if_possible (&x);
  xs_exec_violate (w, IR_P_MEMORY, slot, i->edge, IR_NONE);
  return SYNC_VIOLATION;
}

// The slot may get a new thread, which must not be taken for the owner of what this one leaves locked.
void xs_sync_abandon (world *w, const held_lock *h) {
  object *o = xs_object_access (w, h->address, 4, true);
  uint32_t owner = ir_word_at (w->program, xs_family_held (h->kind), IR_W_OWNER);
  if (!o || h->kind == HELD_READ || owner == IR_NONE) return;
  xs_object_set_word (w, o, (uint32_t) pointer_offset (w, h->address) + owner, IR_OWNER_ENDED);
}
