// Which kinds a mutex may have: normal, recursive, error-checking.  Initialisations give kinds.  They are collected by
// object, since their pointers need not be exact.  The static initialiser counts as well, unless the mutex is certainly
// initialised before the first thread exists.
#include "engine/locks/names/names.h"

enum { ALL_KINDS = 1 << IR_MUTEX_NORMAL | 1 << IR_MUTEX_RECURSIVE | 1 << IR_MUTEX_ERRORCHECK };

// ---- initialisations ---------------------------------------------------------------------------------------
static void note_kind (lock_table *t, bool threaded, uint64_t object, unsigned set) {
  *map_insert (&t->kinds_given[threaded], object, 0, NULL) |= set;
}

static void note_initialisation (lock_table *t, ir_edge e) {
  const ir_expr_node *kind = ir_expr_at (t->program, ir_arg (t->program, e, 1));
  unsigned set =
      kind->op == IR_X_CONST && kind->value <= IR_MUTEX_ERRORCHECK ? 1u << (unsigned) kind->value : ALL_KINDS;
  bool threaded = t->values->stable->threaded[ir_edge_at (t->program, e)->from.i];
  pointsto_list all = pointsto_targets (t->targets, e, 0);
  if (all.anything) note_kind (t, threaded, 0, set);
  for (uint32_t k = 0; k < all.count; k++) note_kind (t, threaded, all.targets[k].object, set);
}

// ---- kinds that occur at all -------------------------------------------------------------------------------
static uint32_t initial_word_at (const ir_object_data *o, uint32_t at) {
  return (uint32_t) o->init[at] | (uint32_t) o->init[at + 1] << 8 | (uint32_t) o->init[at + 2] << 16 |
         (uint32_t) o->init[at + 3] << 24;
}

static bool bytes_are_zero (const ir_object_data *o, uint32_t at, uint32_t end) {
  while (at < end && !o->init[at]) at++;
  return at >= end;
}

// glibc's static initialisers of mutexes that are not normal: zeros everywhere but for the kind.
static unsigned kinds_in_initialiser (const ir_program *p, const ir_object_data *o) {
  uint32_t pointer = p->pointer_bits / 8, kind_at = IR_MUTEX_KIND (p), size = pointer == 8 ? 40 : 24;
  unsigned set = 0;
  for (uint32_t at = 0; o->init && at + size <= o->size; at += pointer) {
    uint32_t kind = initial_word_at (o, at + kind_at);
    bool is_kind = kind == IR_MUTEX_RECURSIVE || kind == IR_MUTEX_ERRORCHECK;
    if (is_kind && bytes_are_zero (o, at, at + kind_at) && bytes_are_zero (o, at + kind_at + 4, at + size))
      set |= 1u << kind;
  }
  return set;
}

static void find_possible_kinds (lock_table *t) {
  const ir_program *p = t->program;
  t->possible_kinds = 1u << IR_MUTEX_NORMAL;
  for (uint32_t k = 0; k < p->objects.count; k++) t->possible_kinds |= kinds_in_initialiser (p, &p->objects.data[k]);
  for (int threaded = 0; threaded < 2; threaded++)
    for (uint32_t k = 0; k < t->kinds_given[threaded].entries.count; k++)
      t->possible_kinds |= (unsigned) t->kinds_given[threaded].entries.data[k].value;
}

void lock_kinds_init (lock_table *t) {
  for (uint32_t e = 0; e < t->program->edges.count; e++)
    if (t->program->edges.data[e].op == IR_MUTEX_INIT) note_initialisation (t, (ir_edge){e});
  find_possible_kinds (t);
}

void lock_kinds_release (lock_table *t) {
  for (int threaded = 0; threaded < 2; threaded++) {
    vec_release (&t->kinds[threaded]);
    map_release (&t->kinds_given[threaded]);
  }
  map_release (&t->surely_initialised);
}

// ---- certainly initialised before threads exist -------------------------------------------------------------
typedef struct init_coverage {
  const lock_table *t;
  pointsto_target place;
  bool *always;  // [procedure]: every path through it initialises the place
} init_coverage;

static bool initialises (const init_coverage *c, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (c->t->program, e);
  if (d->op == IR_CALL) {
    const ir_expr_node *callee = ir_expr_at (c->t->program, ir_arg (c->t->program, e, 0));
    ir_proc f = callee->op == IR_X_ADDR && !callee->offset ? ir_object_at (c->t->program, callee->object)->proc
                                                           : (ir_proc){IR_NONE};
    return f.i != IR_NONE && c->always[f.i];
  }
  if (d->op != IR_MUTEX_INIT || c->t->values->stable->threaded[d->from.i]) return false;
  pointsto_list all = pointsto_targets (c->t->targets, e, 0);
  return !all.anything && all.count == 1 && all.targets[0].object == c->place.object &&
         all.targets[0].offset == c->place.offset && c->place.offset != POINTSTO_ANY_OFFSET;
}

static bool ends_coverage (const init_coverage *c, ir_edge e, bool until_late) {
  const ir_edge_data *d = ir_edge_at (c->t->program, e);
  return until_late ? d->to.i != IR_NONE && c->t->values->stable->threaded[d->to.i] : d->op == IR_RETURN;
}

// Does a path through the procedure reach its end, or a threaded location, without initialising the place?
static bool path_avoids_init (const init_coverage *c, ir_proc f, bool until_late) {
  const ir_program *p = c->t->program;
  bool *seen = mem_zalloc (p->locs.count + 1), found = false;
  VEC (uint32_t) waiting = {0};
  vec_push (&waiting, ir_proc_at (p, f)->entry.i);
  while (waiting.count && !found) {
    const ir_loc_data *l = &p->locs.data[vec_pop (&waiting)];
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
      uint32_t to = p->edges.data[e].to.i;
      if (initialises (c, (ir_edge){e})) continue;
      found |= ends_coverage (c, (ir_edge){e}, until_late);
      if (to == IR_NONE || seen[to]) continue;
      seen[to] = true;
      vec_push (&waiting, to);
    }
  }
  vec_release (&waiting);
  mem_free (seen, p->locs.count + 1);
  return found;
}

enum { NUM_CALLS = 4 };  // between the start and the initialisation

static bool find_surely_initialised (const lock_table *t, pointsto_target place) {
  uint32_t procs = t->program->procs.count;
  init_coverage c = {t, place, mem_zalloc (procs + 1)};
  for (uint32_t round = 0; round < NUM_CALLS; round++)
    for (uint32_t f = 0; f < procs; f++)
      if (!c.always[f]) c.always[f] = !path_avoids_init (&c, (ir_proc){f}, false);
  bool certain = !path_avoids_init (&c, t->program->start, true);
  mem_free (c.always, procs + 1);
  return certain;
}

static bool surely_initialised (lock_table *t, pointsto_target place) {
  uint64_t key = (uint64_t) place.object << 32 | place.offset;
  const uint64_t *known = map_find (&t->surely_initialised, key);
  if (known) return *known;
  bool certain = find_surely_initialised (t, place);
  map_insert (&t->surely_initialised, key, certain, NULL);
  return certain;
}

// ---- kinds ---------------------------------------------------------------------------------------------------
// The kinds that the static initialiser of the object gives, wherever in it the mutex lies.
static unsigned initial_kinds (const lock_table *t, pointsto_target at) {
  const ir_program *p = t->program;
  if (at.object >= p->objects.count) return 0;
  const ir_object_data *o = &p->objects.data[at.object];
  if (!o->init) return 1u << IR_MUTEX_NORMAL;
  if (at.offset == POINTSTO_ANY_OFFSET) return ALL_KINDS;
  uint32_t byte = at.offset + IR_MUTEX_KIND (p);
  unsigned kind = byte < o->size ? o->init[byte] & 3u : 0;
  return kind == IR_MUTEX_RECURSIVE || kind == IR_MUTEX_ERRORCHECK ? 1u << kind : 1u << IR_MUTEX_NORMAL;
}

static unsigned given_kinds (const lock_table *t, bool threaded, uint32_t object) {
  const uint64_t *here = map_find (&t->kinds_given[threaded], object),
                 *anywhere = map_find (&t->kinds_given[threaded], 0);
  return (here ? (unsigned) *here : 0) | (anywhere ? (unsigned) *anywhere : 0);
}

static unsigned kinds_at (lock_table *t, pointsto_target at, bool threaded) {
  unsigned early = given_kinds (t, false, at.object), whenever = early | given_kinds (t, true, at.object);
  return threaded && early && surely_initialised (t, at) ? whenever : whenever | initial_kinds (t, at);
}

static unsigned find_mutex_kinds (lock_table *t, uint32_t lock, bool threaded) {
  if (lock_at (t, lock)->family != IR_F_MUTEX) return 1u << IR_MUTEX_NORMAL;
  lock_places at = {0};
  lock_places_of (t, lock, &at);
  unsigned set = at.anything ? ALL_KINDS : 0;
  for (uint32_t k = 0; k < at.at.count; k++) set |= kinds_at (t, at.at.data[k], threaded);
  vec_release (&at.at);
  set &= t->possible_kinds;
  return set ? set : 1u << IR_MUTEX_NORMAL;
}

bool lock_may_be (lock_table *t, uint32_t lock, ir_mutex_kind kind, bool threaded) {
  while (t->kinds[threaded].count <= lock) vec_push (&t->kinds[threaded], 0);
  uint8_t *known = &t->kinds[threaded].data[lock];
  if (!*known) *known = (uint8_t) find_mutex_kinds (t, lock, threaded);
  return *known >> kind & 1;
}

bool lock_ever_may_be (lock_table *t, uint32_t lock, ir_mutex_kind kind) {
  return lock_may_be (t, lock, kind, false) || lock_may_be (t, lock, kind, true);
}
