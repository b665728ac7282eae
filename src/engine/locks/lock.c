// Names of locks.  A fixed name is its address alone; any other keeps the place where it was seen, because what it may be is
// known from there.
#include "engine/locks/lock.h"

#include <string.h>

#include "base/strbuf.h"

enum { ALL_KINDS = 1 << IR_MUTEX_NORMAL | 1 << IR_MUTEX_RECURSIVE | 1 << IR_MUTEX_ERRORCHECK };

const lock_node *lock_at (const lock_table *t, uint32_t lock) { return &t->nodes.data[lock]; }

static uint32_t add_node (lock_table *t, lock_node n) {
  lock_node name = n.base == VALUE_NONE ? n : (lock_node){n.base, n.family, n.offset, 0, 0, 0};
  uint32_t lock = intern_add (&t->names, &name, sizeof name, NULL);
  if (lock == t->nodes.count) vec_push (&t->nodes, n);
  return lock;
}

// ---- places ------------------------------------------------------------------------------------------------
static void add_place (lock_places *out, uint32_t object, int64_t offset) {
  bool known = offset >= 0 && offset < POINTSTO_ANY_OFFSET;
  vec_push (&out->at, ((pointsto_target){object, known ? (uint32_t) offset : POINTSTO_ANY_OFFSET}));
}

static void places_at_site (const lock_table *t, const lock_node *n, lock_places *out) {
  pointsto_list all = pointsto_targets (t->targets, (ir_edge){n->edge}, n->arg);
  out->anything |= all.anything || !all.count;  // no address that we know of: who knows what it is
  for (uint32_t k = 0; k < all.count; k++)
    add_place (out, all.targets[k].object,
               all.targets[k].offset == POINTSTO_ANY_OFFSET ? -1 : (int64_t) all.targets[k].offset + n->site_offset);
}

// ---- names by terms and by places ---------------------------------------------------------------------------
// Vague locks that may be the same ones have one name, that of the place where one of them was seen first.
static uint32_t name_by_places (lock_table *t, lock_node n) {
  lock_places at = {0};
  places_at_site (t, &n, &at);
  if (at.anything) at.at.count = 0;
  VEC (uint32_t) key = {0};
  vec_push (&key, n.family);
  vec_push (&key, at.anything);
  for (uint32_t k = 0; k < at.at.count; k++) {
    vec_push (&key, at.at.data[k].object);
    vec_push (&key, at.at.data[k].offset);
  }
  uint32_t kind = intern_add (&t->vague_kinds, key.data, key.count * sizeof *key.data, NULL);
  if (kind == t->vague_locks.count) vec_push (&t->vague_locks, add_node (t, n));
  vec_release (&key);
  vec_release (&at.at);
  return t->vague_locks.data[kind];
}

uint32_t lock_vague (lock_table *t, lock_family family, lock_site s) {
  lock_node n = {VALUE_NONE, family, 0, s.edge.i, s.arg, s.offset};
  uint32_t site = intern_add (&t->vague_sites, &n, sizeof n, NULL);
  if (site == t->vague_names.count) vec_push (&t->vague_names, name_by_places (t, n));
  return t->vague_names.data[site];
}

uint32_t lock_named (lock_table *t, lock_family family, address a, lock_site s) {
  if (a.base.i == VALUE_NONE) return lock_vague (t, family, s);
  if (value_is_fixed (t->values, a.base)) return add_node (t, (lock_node){a.base.i, family, a.offset, IR_NONE, 0, 0});
  return add_node (t, (lock_node){a.base.i, family, a.offset, s.edge.i, s.arg, s.offset});
}

uint32_t lock_forgotten (lock_table *t, uint32_t lock) {
  lock_node n = *lock_at (t, lock);
  return n.edge == IR_NONE ? lock : lock_vague (t, (lock_family) n.family, (lock_site){{n.edge}, n.arg, n.site_offset});
}

bool lock_is_fixed (const lock_table *t, uint32_t lock) { return lock_at (t, lock)->edge == IR_NONE; }
bool lock_is_vague (const lock_table *t, uint32_t lock) { return lock_at (t, lock)->base == VALUE_NONE; }

// ---- what it may be ---------------------------------------------------------------------------------------
// A fixed term whose base is loaded: where it was first seen is not kept, so it may be anything of its family.
void lock_places_of (const lock_table *t, uint32_t lock, lock_places *out) {
  const lock_node *n = lock_at (t, lock);
  if (n->edge != IR_NONE) {
    places_at_site (t, n, out);
    return;
  }
  const value_node *base = value_at (t->values, (value){n->base});
  if (base->kind == V_ADDR) add_place (out, base->a, n->offset);
  else out->anything = true;
}

static bool share_a_place (const lock_places *a, const lock_places *b) {
  if (a->anything || b->anything) return true;
  for (uint32_t i = 0; i < a->at.count; i++)
    for (uint32_t k = 0; k < b->at.count; k++) {
      pointsto_target x = a->at.data[i], y = b->at.data[k];
      if (x.object == y.object &&
          (x.offset == y.offset || x.offset == POINTSTO_ANY_OFFSET || y.offset == POINTSTO_ANY_OFFSET))
        return true;
    }
  return false;
}

static bool is_address (const lock_table *t, uint32_t lock) {
  const lock_node *n = lock_at (t, lock);
  return n->edge == IR_NONE && value_at (t->values, (value){n->base})->kind == V_ADDR;
}

static bool find_alike (const lock_table *t, uint32_t a, uint32_t b) {
  lock_places at_a = {0}, at_b = {0};
  lock_places_of (t, a, &at_a);
  lock_places_of (t, b, &at_b);
  bool may = share_a_place (&at_a, &at_b);
  vec_release (&at_a.at);
  vec_release (&at_b.at);
  return may;
}

bool lock_may_equal (const lock_table *t, uint32_t a, uint32_t b) {
  if (a == b) return true;
  if (lock_at (t, a)->family != lock_at (t, b)->family) return false;
  if (is_address (t, a) && is_address (t, b)) return false;
  uint64_t key = a < b ? (uint64_t) a << 32 | b : (uint64_t) b << 32 | a;
  const uint64_t *known = map_find (t->alike, key);
  if (known) return *known;
  bool may = find_alike (t, a, b);
  map_insert (t->alike, key, may, NULL);
  return may;
}

// ---- kinds of mutexes ---------------------------------------------------------------------------------------
static void note_kind (lock_table *t, bool late, uint64_t object, unsigned set) {
  *map_insert (&t->given[late], object, 0, NULL) |= set;
}

static void note_initialisation (lock_table *t, ir_edge e) {
  const ir_expr_node *kind = ir_expr_at (t->program, ir_arg (t->program, e, 1));
  unsigned set =
      kind->op == IR_X_CONST && kind->value <= IR_MUTEX_ERRORCHECK ? 1u << (unsigned) kind->value : ALL_KINDS;
  bool late = t->values->stable->late[ir_edge_at (t->program, e)->from.i];
  pointsto_list all = pointsto_targets (t->targets, e, 0);
  if (all.anything) note_kind (t, late, 0, set);
  for (uint32_t k = 0; k < all.count; k++) note_kind (t, late, all.targets[k].object, set);
}

void lock_table_init (lock_table *t, const ir_program *p, const pointsto *targets, values_table *values) {
  *t = (lock_table){.program = p, .targets = targets, .values = values, .alike = mem_zalloc (sizeof (map))};
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].op == IR_MUTEX_INIT) note_initialisation (t, (ir_edge){e});
}

void lock_table_release (lock_table *t) {
  map_release (t->alike);
  mem_free (t->alike, sizeof (map));
  intern_release (&t->names);
  intern_release (&t->vague_sites);
  intern_release (&t->vague_kinds);
  vec_release (&t->vague_names);
  vec_release (&t->vague_locks);
  vec_release (&t->nodes);
  for (int late = 0; late < 2; late++) {
    vec_release (&t->kinds[late]);
    map_release (&t->given[late]);
  }
}

// What the static initialiser says, wherever in the object the mutex lies.
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

static unsigned given_kinds (const lock_table *t, bool late, uint32_t object) {
  const uint64_t *here = map_find (&t->given[late], object), *anywhere = map_find (&t->given[late], 0);
  return (here ? (unsigned) *here : 0) | (anywhere ? (unsigned) *anywhere : 0);
}

// Once threads exist, what was initialised before has the kind given then.
static unsigned kinds_at (const lock_table *t, pointsto_target at, bool late) {
  unsigned early = given_kinds (t, false, at.object), whenever = early | given_kinds (t, true, at.object);
  return late && early ? whenever : whenever | initial_kinds (t, at);
}

static unsigned find_kinds (const lock_table *t, uint32_t lock, bool late) {
  if (lock_at (t, lock)->family != LOCK_MUTEX) return 1u << IR_MUTEX_NORMAL;
  lock_places at = {0};
  lock_places_of (t, lock, &at);
  unsigned set = at.anything ? ALL_KINDS : 0;
  for (uint32_t k = 0; k < at.at.count; k++) set |= kinds_at (t, at.at.data[k], late);
  vec_release (&at.at);
  return set ? set : 1u << IR_MUTEX_NORMAL;
}

bool lock_may_be (lock_table *t, uint32_t lock, ir_mutex_kind kind, bool late) {
  while (t->kinds[late].count <= lock) vec_push (&t->kinds[late], 0);
  uint8_t *known = &t->kinds[late].data[lock];
  if (!*known) *known = (uint8_t) find_kinds (t, lock, late);
  return *known >> kind & 1;
}

// ---- names ------------------------------------------------------------------------------------------------
// "a[{}].m" names the lock of some element.
static const char *without_holes (const char *name, arena *a) {
  const char *hole = strstr (name, "{}");
  return hole ? without_holes (arena_printf (a, "%.*s...%s", (int) (hole - name), name, hole + 2), a) : name;
}

static const char *name_at_site (const lock_table *t, const lock_node *n, arena *a) {
  const ir_edge_data *d = &t->program->edges.data[n->edge];
  if (d->name && d->op != IR_CALL) return without_holes (d->name, a);
  return arena_printf (a, "lock at %s:%u", d->pos.file ? d->pos.file : "?", d->pos.line);
}

// The members of the C library's lock types start with two underscores; the lock is what people know.
static void print_path (const ir_program *p, ir_type type, uint32_t offset, strbuf *out) {
  uint32_t start = out->count;
  ir_type_path (p, type, offset, out);
  char *inner = out->count > start ? strstr (out->data + start, ".__") : NULL;
  if (!inner) return;
  *inner = 0;
  out->count = (uint32_t) (inner - out->data);
}

static void print_term (const lock_table *t, value v, int64_t offset, strbuf *out) {
  const ir_program *p = t->program;
  const value_node *n = value_at (t->values, v);
  if (n->kind == V_ADDR && n->a < p->objects.count) {
    const ir_object_data *o = &p->objects.data[n->a];
    strbuf_add (out, o->name);
    if (o->type.i != IR_NONE) print_path (p, o->type, (uint32_t) offset, out);
    else if (offset) strbuf_printf (out, "+%lld", (long long) offset);
  } else if (n->kind == V_LOAD) {
    address inner = {{n->a}, 0};
    const value_node *at = value_at (t->values, inner.base);
    ir_value x;
    if (at->kind == V_OP && at->op == IR_X_ADD && value_constant (t->values, (value){at->b}, &x))
      inner = (address){{at->a}, (int64_t) (uint64_t) x};
    print_term (t, inner.base, inner.offset, out);
    strbuf_printf (out, offset ? "->+%lld" : "[0]", (long long) offset);
  } else strbuf_printf (out, "?+%lld", (long long) offset);
}

const char *lock_name (const lock_table *t, uint32_t lock, arena *a) {
  const lock_node *n = lock_at (t, lock);
  if (n->family == LOCK_ATOMIC) return "atomic region";
  if (n->edge != IR_NONE) return name_at_site (t, n, a);
  strbuf text = {0};
  print_term (t, (value){n->base}, n->offset, &text);
  const char *name = arena_strdup (a, strbuf_text (&text));
  strbuf_release (&text);
  return name;
}
