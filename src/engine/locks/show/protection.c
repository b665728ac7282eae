// A variable is a run of overlapping places of one object.  A lock protects it if every state that accesses it holds
// the lock, and holds it not only for reading where the access is a write.  Accesses that run in parallel with no other
// thread do not count.
#include "engine/locks/show/show_impl.h"

#include <stdlib.h>
#include <string.h>

typedef struct variable {
  access_table *t;
  const access_place *places;  // [first..last[
  uint32_t first, last;
  bool writes, plain, one_thread;
} variable;

typedef struct protection_writer {
  verdict *verdict;
  access_table *t;
  const variable_names *names;
  map meeting;
  bool complete;
} protection_writer;

static const shared_access *access_of_variable (const variable *v, uint32_t k) {
  return &v->t->accesses.data[v->places[k].access];
}

static bool is_free (const access_table *t, const access_place *p) {  // it ends the life of the variable
  return ir_edge_at (t->analysis->program, t->accesses.data[p->access].edge)->op == IR_FREE;
}

// ---- what is held everywhere -------------------------------------------------------------------------------------
static bool lockset_has (const lockset *g, uint32_t lock, bool writes) {
  for (uint32_t k = 0; k < g->num_locks; k++) {
    lock_use u = {g->locks[k].use};
    if (use_lock (u) == lock && !(writes && use_reads (u))) return true;
  }
  return false;
}

static bool has_relative_lock_for (const lockset *g, const relative_lock *b, bool writes) {
  for (uint32_t k = 0; k < g->num_relative; k++)
    if (relative_locks_equal (&g->relative[k], b) && !(writes && g->relative[k].reads)) return true;
  return false;
}

// Does the lock set have the lock?  `lock` points to the number of a lock, or to a relative_lock.
typedef bool lockset_test (const lockset *, const void *lock, bool writes);
static bool test_lock (const lockset *g, const void *lock, bool writes) {
  return lockset_has (g, *(const uint32_t *) lock, writes);
}
static bool test_relative_lock (const lockset *g, const void *lock, bool writes) {
  return has_relative_lock_for (g, lock, writes);
}

static bool is_held_everywhere (const variable *v, lockset_test *test, const void *lock) {
  for (uint32_t k = v->first; k < v->last; k++) {
    const shared_access *x = access_of_variable (v, k);
    for (uint32_t i = 0; i < x->num_locksets && !is_free (v->t, &v->places[k]); i++) {
      lockset g;
      lockset_load (&v->t->locksets, v->t->access_locksets.data[x->first_lockset + i].lockset, &g);
      if (!test (&g, lock, x->write)) return false;
    }
  }
  return true;
}

static void name_locks (protection_writer *w, const variable *v, protection *p) {
  arena *arena = w->verdict->arena;
  lockset g;
  lockset_load (&v->t->locksets, v->t->access_locksets.data[access_of_variable (v, v->first)->first_lockset].lockset,
                &g);
  const char **names = arena_alloc (arena, sizeof *names * (g.num_locks + g.num_relative + 1));
  for (uint32_t k = 0; k < g.num_locks; k++) {
    uint32_t lock = use_lock ((lock_use){g.locks[k].use});
    if (is_held_everywhere (v, test_lock, &lock))
      names[p->num_locks++] = name_of_lock (&w->t->analysis->locks, lock, arena);
  }
  for (uint32_t k = 0; k < g.num_relative; k++)
    if (is_held_everywhere (v, test_relative_lock, &g.relative[k]))
      names[p->num_locks++] =
          arena_printf (arena, "the lock at offset %+lld from it", (long long) g.relative[k].distance);
  p->locks = names;
}

// ---- accesses that may race ----------------------------------------------------------------------------------------
static uint64_t edge_pair_key (ir_edge a, ir_edge b) {
  return a.i < b.i ? (uint64_t) a.i << 32 | b.i : (uint64_t) b.i << 32 | a.i;
}

static bool may_have_meeting (const protection_writer *w, const variable *v) {
  if (map_find (&w->t->truncated, v->places[v->first].object)) return true;
  for (uint32_t i = v->first; i < v->last; i++)
    for (uint32_t k = i; k < v->last; k++)
      if (map_find (&w->meeting, edge_pair_key (access_of_variable (v, i)->edge, access_of_variable (v, k)->edge)))
        return true;
  return false;
}

static protection_kind protection_of (const protection_writer *w, const variable *v, uint32_t num_locks) {
  if (v->one_thread) return PROTECTED_BY_THREAD;
  if (!v->writes) return PROTECTED_BY_READING;
  if (num_locks) return PROTECTED_BY_LOCKS;
  if (!v->plain) return PROTECTED_BY_ATOMICS;
  return w->complete && !may_have_meeting (w, v) ? PROTECTED_BY_ORDER : UNPROTECTED;
}

// ---- one access ----------------------------------------------------------------------------------------------------
static bool is_held_always (const variable *v, const shared_access *x, uint32_t lock) {
  for (uint32_t i = 0; i < x->num_locksets; i++) {
    lockset g;
    lockset_load (&v->t->locksets, v->t->access_locksets.data[x->first_lockset + i].lockset, &g);
    if (!lockset_has (&g, lock, x->write)) return false;
  }
  return true;
}

static void add_access_fact (protection_writer *w, const variable *v, uint32_t k, const char *name) {
  const lock_analysis *a = w->t->analysis;
  const shared_access *x = access_of_variable (v, k);
  const access_lockset *first = &v->t->access_locksets.data[x->first_lockset];
  arena *arena = w->verdict->arena;
  ir_edge user = path_user_edge (a, first->context, x->edge);
  access_fact f = {.variable = name, .pos = ir_edge_at (a->program, user)->pos, .write = x->write};
  f.function = ir_proc_at (a->program, ir_loc_at (a->program, ir_edge_at (a->program, user)->from)->proc)->name;
  lockset g;
  lockset_load (&v->t->locksets, first->lockset, &g);
  const char **names = arena_alloc (arena, sizeof *names * (g.num_locks + 1));
  for (uint32_t i = 0; i < g.num_locks; i++) {
    uint32_t lock = use_lock ((lock_use){g.locks[i].use});
    if (is_held_always (v, x, lock)) names[f.num_locks++] = name_of_lock (&a->locks, lock, arena);
  }
  f.locks = names;
  vec_push (&w->verdict->accesses, f);
}

static void add_accesses (protection_writer *w, const variable *v, const char *name) {
  for (uint32_t k = v->first; k < v->last; k++)
    if (access_of_variable (v, k)->num_locksets && !is_free (w->t, &v->places[k])) add_access_fact (w, v, k, name);
}

// ---- one variable ------------------------------------------------------------------------------------------------
static void describe_variable (protection_writer *w, variable *v) {
  const lock_analysis *a = w->t->analysis;
  map edges = {0};
  bool is_sync = true;
  uint32_t kind = access_of_variable (v, v->first)->kind;
  v->one_thread = !threads_many (a->threads, kind);
  for (uint32_t k = v->first; k < v->last; k++) {
    const shared_access *x = access_of_variable (v, k);
    if (is_free (w->t, &v->places[k])) continue;
    char group = ir_op_table[ir_edge_at (a->program, x->edge)->op].group;
    is_sync &= group == 'S' || group == 'T';
    v->writes |= x->write;
    v->plain |= x->plain;
    v->one_thread &= x->kind == kind;
    map_insert (&edges, x->edge.i, 1, NULL);
  }
  access_place at = v->places[v->first];
  bool internal = at.object < a->program->objects.count && a->program->objects.data[at.object].internal;
  if (!is_sync && !internal) {
    protection p = {.variable = variable_name (w->names, at.object, at.offset, w->verdict->arena),
                    .accesses = edges.entries.count};
    name_locks (w, v, &p);
    p.kind = protection_of (w, v, p.num_locks);
    if (p.kind != PROTECTED_BY_LOCKS) p.num_locks = 0;
    vec_push (&w->verdict->protections, p);
    if (p.kind == UNPROTECTED) add_accesses (w, v, p.variable);
  }
  map_release (&edges);
}

// ---- all variables -------------------------------------------------------------------------------------------------
static uint64_t end_of_place (const access_table *t, const access_place *p) {
  return p->offset == POINTSTO_ANY_OFFSET
             ? UINT64_MAX
             : (uint64_t) p->offset + (is_free (t, p) ? 1 : t->accesses.data[p->access].bytes);
}

// An unknown offset sorts last and makes the whole object one variable.
static uint32_t find_end (const access_table *t, uint32_t first) {
  const access_place *p = t->places.data;
  uint32_t last = first, object_end = first;
  while (object_end < t->places.count && p[object_end].object == p[first].object) object_end++;
  if (p[object_end - 1].offset == POINTSTO_ANY_OFFSET) return object_end;
  for (uint64_t end = end_of_place (t, &p[first]); last < object_end && p[last].offset < end; last++)
    if (end_of_place (t, &p[last]) > end) end = end_of_place (t, &p[last]);
  return last > first ? last : first + 1;
}

static int by_kind (const void *x, const void *y) {
  const protection *a = x, *b = y;
  if ((a->kind == UNPROTECTED) != (b->kind == UNPROTECTED)) return a->kind == UNPROTECTED ? -1 : 1;
  return strcmp (a->variable, b->variable);
}

void add_protections (verdict *v, access_table *t, const variable_names *names, const possible_races *found,
                      bool complete) {
  protection_writer w = {.verdict = v, .t = t, .names = names, .complete = complete};
  for (uint32_t k = 0; k < found->count; k++)
    map_insert (&w.meeting,
                edge_pair_key (t->accesses.data[found->data[k].access[0]].edge,
                               t->accesses.data[found->data[k].access[1]].edge),
                1, NULL);
  for (uint32_t first = 0, last; first < t->places.count; first = last) {
    last = find_end (t, first);
    describe_variable (&w, &(variable){.t = t, .places = t->places.data, .first = first, .last = last});
  }
  map_release (&w.meeting);
  if (v->protections.count) qsort (v->protections.data, v->protections.count, sizeof *v->protections.data, by_kind);
}
