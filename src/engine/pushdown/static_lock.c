// Locks in formulas about one thread: which lock an operation means, and what outcomes it has for a thread alone.
// Other threads only make it wait, so a thread gets every lock that it does not hold.  When it acquires a lock that it
// holds, it gets the lock again, gets an error, or blocks for ever, as the kind of the lock says.  The state of a lock
// in a global variable can be followed; for any other lock there is only its points-to set.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/pushdown/pushdown_impl.h"

enum { BUSY = 16, DEADLOCK = 35, TIMED_OUT = 110 };

lock_op lockop_of (ir_op op) {
  const ir_sync *s = ir_sync_of (op);
  if (s->names_mutex) return (lock_op){s->action == IR_A_WAIT ? IR_A_WAIT : IR_A_RESUME, IR_F_MUTEX, 1};
  bool moves =
      s->action == IR_A_ACQUIRE || s->action == IR_A_TRY || s->action == IR_A_TIMED || s->action == IR_A_RELEASE;
  return moves && ir_family_is_lock (s->family) ? (lock_op){s->action, s->family, 0} : (lock_op){0};
}

// ---- which lock --------------------------------------------------------------------------------------

// Descends into the type by ".member" or "[index]"; false if there is no such part.
static bool descend_member (const ir_program *p, const char **path, static_lock *at, ir_type *type) {
  const ir_type_data *t = ir_type_at (p, *type);
  size_t length = strcspn (*path + 1, ".[");
  for (uint32_t k = 0; k < t->members.count; k++) {
    const ir_member *m = &t->members.data[k];
    if (!m->name || strlen (m->name) != length || strncmp (m->name, *path + 1, length)) continue;
    at->offset += m->offset;
    *type = m->type;
    *path += 1 + length;
    return true;
  }
  return false;
}

static bool descend_element (const ir_program *p, const char **path, static_lock *at, ir_type *type) {
  const ir_type_data *t = ir_type_at (p, *type);
  char *end;
  if (t->kind != IR_T_ARRAY || !isdigit ((unsigned char) (*path)[1])) return false;
  unsigned long index = strtoul (*path + 1, &end, 10);
  if (*end != ']' || index >= t->count) return false;
  at->offset += (uint32_t) index * ir_type_at (p, t->target)->size;
  *type = t->target;
  *path = end + 1;
  return true;
}

static bool follow_lock_path (const ir_program *p, const char *path, static_lock *at, ir_type type) {
  while (*path) {
    if (type.i == IR_NONE) return false;
    if (*path == '.' ? !descend_member (p, &path, at, &type) : *path != '[' || !descend_element (p, &path, at, &type))
      return false;
  }
  return true;
}

// The name of an object may itself contain a dot (a static variable of a function), so all objects are tried.
bool static_lock_find (const ir_program *p, const char *name, static_lock *out) {
  for (uint32_t k = 1; k < p->objects.count; k++) {
    const ir_object_data *o = &p->objects.data[k];
    size_t length = o->name ? strlen (o->name) : 0;
    if (o->kind != IR_O_GLOBAL || !length || strncmp (o->name, name, length)) continue;
    *out = (static_lock){k, 0};
    if (follow_lock_path (p, name + length, out, o->type)) return true;
  }
  return false;
}

static uint32_t lock_size (const ir_program *p, ir_family sort) {
  bool wide = p->pointer_bits == 64;
  return sort == IR_F_SPIN ? 4 : sort == IR_F_RWLOCK ? (wide ? 56 : 32) : (wide ? 40 : 24);
}

static bool is_global (const ir_program *p, uint32_t object) {
  return object && object < p->objects.count && p->objects.data[object].kind == IR_O_GLOBAL;
}

bool lockop_exact (const pushdown *d, ir_edge e, lock_op op, bool has_address, uint64_t address, static_lock *out) {
  const ir_program *p = d->program;
  if (has_address) {
    *out = (static_lock){(uint32_t) (address >> p->offset_bits),
                         (uint32_t) (address & ((UINT64_C (1) << p->offset_bits) - 1))};
    return is_global (p, out->object);
  }
  pointsto_set s = pointsto_arg (d->targets, e, op.arg);
  if (s.anything || s.count != 1 || !is_global (p, s.objects[0])) return false;
  *out = (static_lock){s.objects[0], 0};
  return p->objects.data[s.objects[0]].size <= lock_size (p, op.sort);  // nothing but this lock is there
}

bool lockop_may_mean (const pushdown *d, ir_edge e, lock_op op, static_lock lock) {
  return pointsto_may (d->targets, e, op.arg, lock.object);
}

// The text of a wait names the condition variable only, not the mutex.
bool lockop_named (const ir_program *p, ir_edge e, lock_op op, const char *name) {
  const char *text = ir_edge_at (p, e)->name;
  if (!text || op.arg) return false;
  while (*text) {
    if (!strncmp (text, "{}", 2)) {
      size_t any = strcspn (name, "]");
      if (!any) return false;
      name += any;
      text += 2;
    } else if (*text++ != *name++) return false;
  }
  return !*name;
}

// ---- kinds -------------------------------------------------------------------------------------------

static uint32_t initial_word (const ir_object_data *o, uint32_t offset) {
  uint32_t word = 0;
  if (o->init && offset + 4 <= o->size) memcpy (&word, o->init + offset, 4);
  return word;
}

enum { ALL_KINDS = 1 << IR_MUTEX_NORMAL | 1 << IR_MUTEX_RECURSIVE | 1 << IR_MUTEX_ERRORCHECK };

static uint8_t kind_bit (uint64_t kind) { return kind <= IR_MUTEX_ERRORCHECK ? (uint8_t) (1u << kind) : ALL_KINDS; }

// The kinds that a mutex may have, by its initial bytes and by every mutex_init that may initialise it.
static uint8_t mutex_kinds (const pushdown *d, static_lock lock) {
  const ir_program *p = d->program;
  uint8_t kinds = kind_bit (initial_word (ir_object_at (p, (ir_object){lock.object}), lock.offset + IR_MUTEX_KIND (p)));
  for (uint32_t k = 0; k < p->edges.count; k++) {
    if (p->edges.data[k].op != IR_MUTEX_INIT || !pointsto_may (d->targets, (ir_edge){k}, 0, lock.object)) continue;
    const ir_expr_node *where = ir_expr_at (p, ir_arg (p, (ir_edge){k}, 0)),
                       *kind = ir_expr_at (p, ir_arg (p, (ir_edge){k}, 1));
    if (where->op == IR_X_ADDR && where->object.i == lock.object && where->offset != lock.offset) continue;
    kinds |= kind->op == IR_X_CONST ? kind_bit ((uint64_t) kind->value) : ALL_KINDS;
  }
  return kinds;
}

// The family of the operations that may be on the lock.  If they differ, the lock may be of any kind.
static uint8_t lock_kinds (const pushdown *d, static_lock lock) {
  const ir_program *p = d->program;
  uint8_t kinds = 0;
  for (uint32_t k = 0; k < p->edges.count; k++) {
    lock_op op = lockop_of (p->edges.data[k].op);
    if (op.action == IR_NO_ACTION || !lockop_may_mean (d, (ir_edge){k}, op, lock)) continue;
    if (op.sort == IR_F_SPIN) kinds |= 1 << IR_MUTEX_NORMAL;
    else if (op.sort == IR_F_RWLOCK) kinds |= ALL_KINDS;
    else return kinds | mutex_kinds (d, lock);
  }
  return kinds ? kinds : ALL_KINDS;
}

uint32_t static_lock_index (const pushdown *d, static_lock lock) {
  for (uint32_t k = 0; k < d->num_followed; k++)
    if (d->followed[k].object == lock.object && d->followed[k].offset == lock.offset) return k;
  return NONE;
}

bool static_lock_follow (pushdown *d, static_lock lock) {
  if (static_lock_index (d, lock) != NONE) return true;
  if (at_limit (PUSHDOWN_LOCKS, d->num_followed)) return false;
  d->followed_kinds[d->num_followed] = lock_kinds (d, lock);
  d->followed[d->num_followed++] = lock;
  return true;
}

// ---- how it goes -------------------------------------------------------------------------------------

static bool kinds_include (uint8_t kinds, ir_mutex_kind kind) { return kinds >> kind & 1; }

static uint8_t one_more (uint8_t held) { return held >= LOCK_MANY ? held : (uint8_t) (held + 1); }

typedef struct outcome_list {
  lock_outcome *out;
  uint32_t count;
} outcome_list;

static void add_outcome (outcome_list *l, lock_outcome o) { l->out[l->count++] = o; }

static void add_acquired (outcome_list *l, uint8_t held) {
  add_outcome (l, (lock_outcome){.held = held, .acquired = true, .has_result = true});
}

static void add_refused (outcome_list *l, uint8_t held, uint32_t error) {
  add_outcome (l, (lock_outcome){.held = held, .has_result = true, .result = error});
}

// Outcomes where the thread holds the lock, or may hold it.
static void add_relocked (outcome_list *l, lock_op op, uint8_t kinds, uint8_t held) {
  bool normal = kinds_include (kinds, IR_MUTEX_NORMAL);
  if (kinds_include (kinds, IR_MUTEX_RECURSIVE)) add_acquired (l, one_more (held));
  if (op.action == IR_A_TRY) add_refused (l, held, BUSY);
  if (op.action == IR_A_TIMED && normal) add_refused (l, held, TIMED_OUT);
  if (op.action == IR_A_ACQUIRE && normal) add_outcome (l, (lock_outcome){.held = held, .blocks = true});
  if (op.action != IR_A_TRY && kinds_include (kinds, IR_MUTEX_ERRORCHECK)) add_refused (l, held, DEADLOCK);
}

static void add_locked (outcome_list *l, lock_op op, uint8_t kinds, uint8_t held) {
  if (held == LOCK_FREE || held == LOCK_MAYBE) {
    add_acquired (l, 1);
    if (op.action == IR_A_TRY) add_refused (l, held, BUSY);
    if (op.action == IR_A_TIMED) add_refused (l, held, TIMED_OUT);
  }
  if (held != LOCK_FREE) add_relocked (l, op, kinds, held);
}

// An unlock by a thread that does not hold the lock changes nothing for this thread.
static void add_unlocked (outcome_list *l, uint8_t kinds, uint8_t held) {
  bool counts = kinds_include (kinds, IR_MUTEX_RECURSIVE), is_held = held != LOCK_FREE && held != LOCK_MAYBE;
  lock_outcome o = {.held = LOCK_FREE, .has_result = is_held || kinds == 1 << IR_MUTEX_NORMAL};
  if (held == LOCK_MAYBE && counts) o.held = LOCK_MAYBE;
  else if (held != LOCK_MAYBE && held > 1 && counts) o.held = (uint8_t) (held - 1);
  add_outcome (l, o);
  if (held == LOCK_MANY) add_outcome (l, (lock_outcome){.held = LOCK_MANY, .has_result = true});
}

uint32_t lockop_outcomes (lock_op op, uint8_t kinds, uint8_t held, bool is_followed, lock_outcome *out) {
  outcome_list l = {.out = out};
  if (!is_followed)
    held = op.action == IR_A_RELEASE ? 1 : LOCK_FREE;  // a thread that unlocks is taken to hold the lock
  switch (op.action) {
  case IR_A_ACQUIRE:
  case IR_A_TRY:
  case IR_A_TIMED: add_locked (&l, op, kinds, held); break;
  case IR_A_RELEASE: add_unlocked (&l, kinds, held); break;
  case IR_A_WAIT: add_outcome (&l, (lock_outcome){.held = LOCK_FREE}); break;
  case IR_A_RESUME: add_outcome (&l, (lock_outcome){.held = 1, .acquired = true}); break;
  default: break;
  }
  return l.count;
}

uint8_t lockop_blur (lock_op op, uint8_t kinds, uint8_t held) {
  bool releases = op.action == IR_A_RELEASE || op.action == IR_A_WAIT;
  if (releases) return held == LOCK_FREE ? held : LOCK_MAYBE;
  if (held == LOCK_FREE) return LOCK_MAYBE;
  return kinds_include (kinds, IR_MUTEX_RECURSIVE) ? LOCK_MAYBE : held;
}
