// A lock protects data only if its holder alone releases it.  This file looks at each release in each state in which a
// thread may execute it: if the thread does not certainly hold the lock there, all locks that the release may mean are
// undisciplined. The same holds for locks that a thread initialises or destroys while other threads run or while it
// holds them, and for locks that it overwrites.
//
// Assumption: an index into an array that is a member of an object does not lead into another member.  For a static
// object, its type tells whether it has such an array at all.  The types of other objects are not known, but if no
// operation initialises a lock in one of them, a write has to do it.
#include "engine/locks/states/states_impl.h"

#include "ir/sync.h"

enum { LOCK_BYTES = 40 };

// ---- places ------------------------------------------------------------------------------------------------------
void mark_undisciplined (lock_analysis *a, pointsto_target at) {
  if (at.offset == POINTSTO_ANY_OFFSET) map_insert (&a->undisciplined_objects, at.object, 1, NULL);
  else map_insert (&a->undisciplined, (uint64_t) at.object << 32 | at.offset, 1, NULL);
  map_insert (&a->partly_undisciplined, at.object, 1, NULL);
}

static void mark_argument_undisciplined (lock_analysis *a, ir_edge e, unsigned arg) {
  pointsto_list all = pointsto_targets (a->targets, e, arg);
  a->all_undisciplined |= all.anything || !all.count;
  for (uint32_t k = 0; k < all.count; k++) mark_undisciplined (a, all.targets[k]);
}

static bool place_is_disciplined (const lock_analysis *a, pointsto_target at) {
  if (map_find (&a->undisciplined_objects, at.object)) return false;
  if (at.offset == POINTSTO_ANY_OFFSET) return !map_find (&a->partly_undisciplined, at.object);
  return !map_find (&a->undisciplined, (uint64_t) at.object << 32 | at.offset);
}

bool lock_is_disciplined (const lock_analysis *a, uint32_t lock) {
  if (lock_at (&a->locks, lock)->family == IR_F_REGION) return true;
  if (a->all_undisciplined) return false;
  lock_places at = {0};
  lock_places_of (&a->locks, lock, &at);
  bool disciplined = !at.anything || !a->partly_undisciplined.entries.count;
  for (uint32_t k = 0; k < at.at.count && disciplined; k++) disciplined = place_is_disciplined (a, at.at.data[k]);
  vec_release (&at.at);
  return disciplined;
}

// ---- releases ----------------------------------------------------------------------------------------------------
typedef struct release_check {
  lock_analysis *a;
  ir_edge edge;
  unsigned arg;
  bool foreign;
} release_check;

// Some thread may be there in a state that the visitor calls foreign.
static bool in_some_state (lock_analysis *a, ir_edge e, unsigned arg, state_visitor *look) {
  release_check r = {a, e, arg, false};
  ir_loc at = ir_edge_at (a->program, e)->from;
  for (uint32_t k = 0; k < threads_count (a->threads) && !r.foreign; k++)
    if (threads_runs (a->threads, k, at)) for_each_state (a, k, at, look, &r);
  return r.foreign;
}

static void look_for_foreign_release (void *user, uint32_t context, uint32_t node, effect *state) {
  release_check *r = user;
  (void) node;
  lock_use u = context_lock (r->a, context, edge_lock (r->a, r->edge, r->arg, false));
  r->foreign |= !effect_must_hold (&r->a->effects, state, u);
}

// Unlocking a recursive or error-checking mutex without holding it is an error that changes nothing.
static bool may_be_released_by_others (lock_analysis *a, ir_edge e, unsigned arg) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  const ir_sync *s = ir_sync_of (d->op);
  if (s->family != IR_F_MUTEX || s->action != IR_A_RELEASE) return true;
  return lock_may_be (&a->locks, use_lock (edge_lock (a, e, arg, false)), IR_MUTEX_NORMAL,
                      a->stable.threaded[d->from.i]);
}

static void check_release (lock_analysis *a, ir_edge e, unsigned arg) {
  if (in_some_state (a, e, arg, look_for_foreign_release) && may_be_released_by_others (a, e, arg))
    mark_argument_undisciplined (a, e, arg);
}

// ---- initialisation and destruction --------------------------------------------------------------------------------
static bool initialises_lock (ir_op op) {
  return ir_sync_of (op)->action == IR_A_INIT && ir_family_is_lock (ir_sync_of (op)->family);
}

static bool changes_life (lock_analysis *a, ir_edge e) {
  const ir_sync *s = ir_sync_of (ir_edge_at (a->program, e)->op);
  if (s->action != IR_A_INIT && s->action != IR_A_DESTROY) return false;
  return s->family == IR_F_SEM ? semaphore_touched (a, e) : ir_family_is_lock (s->family);
}

static void look_at_init_or_destroy (void *user, uint32_t context, uint32_t node, effect *state) {
  release_check *r = user;
  (void) node;
  lock_use u = context_lock (r->a, context, edge_lock (r->a, r->edge, r->arg, false));
  r->foreign |= state->overflowed || effect_may_hold (&r->a->effects, state, u);
}

// A thread that initialises or destroys a lock that it holds no longer holds it.
static void check_life (lock_analysis *a, ir_edge e) {
  if (!object_is_unshared (a, e) || in_some_state (a, e, 0, look_at_init_or_destroy))
    mark_argument_undisciplined (a, e, 0);
}

// ---- initialisations and stores ------------------------------------------------------------------------------------
bool object_is_unshared (const lock_analysis *a, ir_edge e) {
  ir_loc at = ir_edge_at (a->program, e)->from;
  if (!a->stable.threaded[at.i] || escape_private (a->escape, e, 0)) return true;
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (threads_runs (a->threads, k, at) && !threads_alone (a->threads, k, at)) return false;
  return true;
}

// The first offset from `from` on of a lock that the written bytes may hit, or UINT32_MAX: it begins among the bytes,
// or less than the size of a lock before them.
static uint32_t lock_around (const lock_analysis *a, pointsto_target at, uint32_t bytes, uint32_t from) {
  uint32_t first = at.offset >= LOCK_BYTES ? at.offset - LOCK_BYTES + 1 : 0;
  uint64_t end = (uint64_t) at.offset + (bytes ? bytes : 1);
  for (uint32_t offset = from > first ? from : first; offset < end; offset++)
    if (map_find (&a->lock_places, (uint64_t) at.object << 32 | offset)) return offset;
  return UINT32_MAX;
}

static void mark_locks_around (lock_analysis *a, pointsto_target at, uint32_t bytes) {
  if (at.offset == POINTSTO_ANY_OFFSET) {
    mark_undisciplined (a, at);
    return;
  }
  for (uint32_t offset = 0; (offset = lock_around (a, at, bytes, offset)) != UINT32_MAX; offset++)
    mark_undisciplined (a, (pointsto_target){at.object, offset});
}

static bool lock_may_lie_in_written (const lock_analysis *a, uint32_t lock, const pointsto_list *written) {
  lock_places at = {0};
  lock_places_of (&a->locks, lock, &at);
  bool may = at.anything;
  for (uint32_t i = 0; i < at.at.count; i++)
    for (uint32_t k = 0; k < written->count; k++) may |= at.at.data[i].object == written->targets[k].object;
  vec_release (&at.at);
  return may;
}

static void look_at_store (void *user, uint32_t context, uint32_t node, effect *state) {
  release_check *r = user;
  (void) node, (void) context;
  pointsto_list written = pointsto_targets (r->a->targets, r->edge, r->arg);
  r->foreign |= state->overflowed;
  for (uint32_t k = 0; k < state->num_held; k++)
    r->foreign |= lock_may_lie_in_written (r->a, use_lock ((lock_use){state->held[k].use}), &written);
}

static bool meets_locks (const lock_analysis *a, const pointsto_list *written) {
  for (uint32_t k = 0; k < written->count; k++)
    if (map_find (&a->lock_objects, written->targets[k].object)) return true;
  return false;
}

// No other thread can reach the written memory, and the writing thread holds no lock in it.
static bool store_hits_no_lock (lock_analysis *a, ir_edge e) {
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  return object_is_unshared (a, e) && !(meets_locks (a, &all) && in_some_state (a, e, 0, look_at_store));
}

// A raw store, or a store in a library model, may lead anywhere in an object.
static bool is_raw_store (const lock_analysis *a, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  return d->op == IR_STORE_RAW || ir_proc_at (a->program, ir_loc_at (a->program, d->from)->proc)->internal;
}

// How many bytes of its argument's object hold the state of the lock.
static uint32_t state_bytes (const ir_program *p, ir_op op, unsigned arg) {
  ir_family family = arg && ir_sync_of (op)->names_mutex ? IR_F_MUTEX : ir_sync_of (op)->family;
  return ir_family_is_lock (family) ? ir_family_bytes (p, family) : 4;
}

static bool writes_zero (const ir_program *p, ir_edge e) {
  ir_op op = ir_edge_at (p, e)->op;
  const ir_expr_node *n = ir_expr_at (p, ir_arg (p, e, 1));
  return (op == IR_STORE || op == IR_STORE_RAW) && n->op == IR_X_CONST && !n->value;
}

// The written bytes may overlap the state of some lock.
static bool meets_state (const lock_analysis *a, pointsto_target at, uint32_t bytes) {
  for (uint32_t from = 0; (from = lock_around (a, at, bytes, from)) != UINT32_MAX; from++)
    if (from + *map_find (&a->lock_places, (uint64_t) at.object << 32 | from) > at.offset) return true;
  return false;
}

static bool lock_may_lie_in (const lock_analysis *a, pointsto_target at, uint32_t bytes) {
  if (map_find (&a->lock_places, (uint64_t) at.object << 32 | POINTSTO_ANY_OFFSET)) return true;
  return lock_around (a, at, bytes, 0) != UINT32_MAX;
}

// Does the type have, in an array, a cell of that size that is not part of a lock?  Locks of the C library are unions;
// a union without a lock counts like a struct.  `at` is the first byte of the type.
static bool has_cell (const lock_analysis *a, ir_type type, pointsto_target at, uint32_t bytes, bool in_array) {
  if (type.i == IR_NONE) return false;
  const ir_type_data *t = ir_type_at (a->program, type);
  if (t->kind == IR_T_ARRAY) return has_cell (a, t->target, at, bytes, true);
  if (t->kind != IR_T_STRUCT && t->kind != IR_T_UNION) return in_array && t->size == bytes;
  if (t->kind == IR_T_UNION && lock_may_lie_in (a, at, t->size)) return false;
  for (uint32_t k = 0; k < t->members.count; k++) {
    pointsto_target member = {at.object, at.offset + t->members.data[k].offset};
    if (has_cell (a, t->members.data[k].type, member, bytes, in_array)) return true;
  }
  return false;
}

// A write at an unknown offset is taken to stay in an array beside the locks, if the object can have such an array.
static bool walks_over_locks (const lock_analysis *a, pointsto_target at, uint32_t bytes) {
  if (at.object >= a->program->objects.count) return !map_find (&a->initialised_objects, at.object);
  return !has_cell (a, ir_object_at (a->program, (ir_object){at.object})->type, (pointsto_target){at.object, 0}, bytes,
                    false);
}

bool store_may_forge_lock (const lock_analysis *a, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  if (d->op != IR_STORE && d->op != IR_STORE_RAW && d->op != IR_RMW && d->op != IR_CMPXCHG) return false;
  bool raw = is_raw_store (a, e);
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  if (writes_zero (a->program, e)) return false;
  if (all.anything) return raw;
  for (uint32_t k = 0; k < all.count; k++) {
    if (!map_find (&a->lock_objects, all.targets[k].object)) continue;
    bool somewhere = all.targets[k].offset == POINTSTO_ANY_OFFSET;
    if (somewhere ? raw || walks_over_locks (a, all.targets[k], d->bytes) : meets_state (a, all.targets[k], d->bytes))
      return true;
  }
  return false;
}

static void check_store (lock_analysis *a, ir_edge e) {
  if (store_hits_no_lock (a, e)) return;
  const ir_edge_data *d = ir_edge_at (a->program, e);
  bool raw = is_raw_store (a, e);
  pointsto_list all = pointsto_targets (a->targets, e, 0);
  a->all_undisciplined |= all.anything && raw;
  for (uint32_t k = 0; k < all.count; k++)
    if ((raw || all.targets[k].offset != POINTSTO_ANY_OFFSET) && map_find (&a->lock_objects, all.targets[k].object))
      mark_locks_around (a, all.targets[k], d->bytes);
}

static void note_lock_places (lock_analysis *a) {
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    if (ir_op_table[d->op].group != 'S' || !d->num_args) continue;
    for (unsigned arg = 0; arg < d->num_args && arg < 2; arg++) {
      pointsto_list all = pointsto_targets (a->targets, (ir_edge){e}, arg);
      for (uint32_t k = 0; k < all.count; k++) {
        map_insert (&a->lock_objects, all.targets[k].object, 1, NULL);
        if (initialises_lock (d->op)) map_insert (&a->initialised_objects, all.targets[k].object, 1, NULL);
        uint64_t place = (uint64_t) all.targets[k].object << 32 | all.targets[k].offset;
        uint64_t *bytes = map_insert (&a->lock_places, place, 0, NULL), here = state_bytes (a->program, d->op, arg);
        if (*bytes < here) *bytes = here;
      }
    }
  }
}

void find_discipline (lock_analysis *a) {
  note_lock_places (a);
  check_cas_locks (a);
  check_semaphore_locks (a);
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    unsigned arg;
    if (edge_releases (a, (ir_edge){e}, &arg)) {
      bool initialises = cas_op_of (a, (ir_edge){e}) != CAS_NONE && object_is_unshared (a, (ir_edge){e});
      if (!initialises) check_release (a, (ir_edge){e}, arg);
    } else if (changes_life (a, (ir_edge){e})) check_life (a, (ir_edge){e});
    else if (d->op == IR_STORE || d->op == IR_STORE_RAW || d->op == IR_RMW || d->op == IR_CMPXCHG)
      check_store (a, (ir_edge){e});
  }
}
