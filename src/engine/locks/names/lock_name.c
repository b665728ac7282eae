// Names of locks.  A fixed name is its address alone; any other also keeps the site where the address was first seen,
// because points-to tells there what the lock may be.
#include "engine/locks/names/names.h"

#include <string.h>

#include "base/strbuf.h"
#include "ir/sync.h"

const lock_node *lock_at (const lock_table *t, uint32_t lock) { return &t->nodes.data[lock]; }

static uint32_t add_lock_node (lock_table *t, lock_node n) {
  lock_node name = n.base == VALUE_NONE ? n : (lock_node){n.base, n.family, n.offset, 0, 0, 0};
  uint32_t lock = intern_add (&t->names, &name, sizeof name, NULL);
  if (lock == t->nodes.count) vec_push (&t->nodes, n);
  return lock;
}

// ---- places ------------------------------------------------------------------------------------------------
static void add_lock_place (lock_places *out, uint32_t object, int64_t offset) {
  bool known = offset >= 0 && offset < POINTSTO_ANY_OFFSET;
  vec_push (&out->at, ((pointsto_target){object, known ? (uint32_t) offset : POINTSTO_ANY_OFFSET}));
}

static void places_at_site (const lock_table *t, const lock_node *n, lock_places *out) {
  pointsto_list all = pointsto_targets (t->targets, (ir_edge){n->edge}, n->arg);
  out->anything |= all.anything || !all.count;  // without a known target it may be any lock
  for (uint32_t k = 0; k < all.count; k++)
    add_lock_place (out, all.targets[k].object,
                    all.targets[k].offset == POINTSTO_ANY_OFFSET ? -1
                                                                 : (int64_t) all.targets[k].offset + n->site_offset);
}

// ---- names by terms and by places ---------------------------------------------------------------------------
// Unresolved locks with equal may-alias sets have one name, with the first site of any of them.
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
  uint32_t kind = intern_add (&t->unresolved_sets, key.data, key.count * sizeof *key.data, NULL);
  if (kind == t->unresolved_of_set.count) vec_push (&t->unresolved_of_set, add_lock_node (t, n));
  vec_release (&key);
  vec_release (&at.at);
  return t->unresolved_of_set.data[kind];
}

uint32_t lock_unresolved (lock_table *t, ir_family family, lock_site s) {
  lock_node n = {VALUE_NONE, family, 0, s.edge.i, s.arg, s.offset};
  uint32_t site = intern_add (&t->unresolved_sites, &n, sizeof n, NULL);
  if (site == t->unresolved_at_site.count) vec_push (&t->unresolved_at_site, name_by_places (t, n));
  return t->unresolved_at_site.data[site];
}

// The name is the term alone; its first site tells what a loaded address may be.
static uint32_t fixed_name (lock_table *t, ir_family family, term_address a, lock_site s) {
  uint32_t lock = add_lock_node (t, (lock_node){a.base.i, family, a.offset, IR_NONE, 0, 0});
  bool is_new = false;
  if (s.edge.i != IR_NONE && value_node_at (t->values, a.base)->kind != V_ADDR)
    map_insert (&t->loaded, lock, t->loaded_sites.count, &is_new);
  if (is_new) vec_push (&t->loaded_sites, s);
  return lock;
}

uint32_t lock_named (lock_table *t, ir_family family, term_address a, lock_site s) {
  if (a.base.i == VALUE_NONE) return lock_unresolved (t, family, s);
  if (value_is_fixed (t->values, a.base)) return fixed_name (t, family, a, s);
  return add_lock_node (t, (lock_node){a.base.i, family, a.offset, s.edge.i, s.arg, s.offset});
}

uint32_t lock_without_term (lock_table *t, uint32_t lock) {
  lock_node n = *lock_at (t, lock);
  return n.edge == IR_NONE ? lock : lock_unresolved (t, (ir_family) n.family, lock_site_of (&n));
}

bool lock_is_fixed (const lock_table *t, uint32_t lock) { return lock_at (t, lock)->edge == IR_NONE; }
bool lock_is_unresolved (const lock_table *t, uint32_t lock) { return lock_at (t, lock)->base == VALUE_NONE; }

// ---- what it may be ---------------------------------------------------------------------------------------
static void places_of_loaded (const lock_table *t, uint32_t lock, lock_places *out) {
  const uint64_t *at = map_find (&t->loaded, lock);
  if (!at) {
    out->anything = true;
    return;
  }
  lock_site s = t->loaded_sites.data[*at];
  places_at_site (t, &(lock_node){.edge = s.edge.i, .arg = s.arg, .site_offset = s.offset}, out);
}

void lock_places_of (const lock_table *t, uint32_t lock, lock_places *out) {
  const lock_node *n = lock_at (t, lock);
  if (n->edge != IR_NONE) {
    places_at_site (t, n, out);
    return;
  }
  const value_node *base = value_node_at (t->values, (value_term){n->base});
  if (base->kind == V_ADDR) add_lock_place (out, base->a, n->offset);
  else places_of_loaded (t, lock, out);
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

static bool is_address_constant (const lock_table *t, uint32_t lock) {
  const lock_node *n = lock_at (t, lock);
  return n->edge == IR_NONE && value_node_at (t->values, (value_term){n->base})->kind == V_ADDR;
}

static bool find_may_alias (const lock_table *t, uint32_t a, uint32_t b) {
  lock_places at_a = {0}, at_b = {0};
  lock_places_of (t, a, &at_a);
  lock_places_of (t, b, &at_b);
  bool may = share_a_place (&at_a, &at_b);
  vec_release (&at_a.at);
  vec_release (&at_b.at);
  return may;
}

bool lock_may_alias (const lock_table *t, uint32_t a, uint32_t b) {
  if (a == b) return true;
  if (lock_at (t, a)->family != lock_at (t, b)->family) return false;
  if (is_address_constant (t, a) && is_address_constant (t, b)) return false;
  uint64_t key = a < b ? (uint64_t) a << 32 | b : (uint64_t) b << 32 | a;
  const uint64_t *known = map_find (t->may_alias, key);
  if (known) return *known;
  bool may = find_may_alias (t, a, b);
  map_insert (t->may_alias, key, may, NULL);
  return may;
}

// ---- life cycle -------------------------------------------------------------------------------------------
void lock_table_init (lock_table *t, const ir_program *p, const pointsto *targets, values_table *values) {
  *t = (lock_table){.program = p, .targets = targets, .values = values, .may_alias = mem_zalloc (sizeof (map))};
  lock_kinds_init (t);
}

void lock_table_release (lock_table *t) {
  map_release (t->may_alias);
  mem_free (t->may_alias, sizeof (map));
  intern_release (&t->names);
  intern_release (&t->unresolved_sites);
  intern_release (&t->unresolved_sets);
  vec_release (&t->unresolved_at_site);
  vec_release (&t->unresolved_of_set);
  vec_release (&t->loaded_sites);
  map_release (&t->loaded);
  vec_release (&t->nodes);
  lock_kinds_release (t);
}

// ---- names ------------------------------------------------------------------------------------------------
// Replaces holes by dots: "a[{}].m" names the lock of some element.
static const char *without_holes (const char *name, arena *a) {
  const char *hole = strstr (name, "{}");
  return hole ? without_holes (arena_printf (a, "%.*s...%s", (int) (hole - name), name, hole + 2), a) : name;
}

static const char *name_at_site (const lock_table *t, const lock_node *n, arena *a) {
  const ir_edge_data *d = &t->program->edges.data[n->edge];
  if (d->name && d->op != IR_CALL) return without_holes (d->name, a);
  return arena_printf (a, "lock at %s:%u", d->pos.file ? d->pos.file : "?", d->pos.line);
}

// Members of the C library's lock types begin with two underscores.  The path ends at the lock.
static void print_path (const ir_program *p, ir_type type, uint32_t offset, strbuf *out) {
  uint32_t start = out->count;
  ir_type_path (p, type, offset, out);
  char *inner = out->count > start ? strstr (out->data + start, ".__") : NULL;
  if (!inner) return;
  *inner = 0;
  out->count = (uint32_t) (inner - out->data);
}

static void print_term (const lock_table *t, value_term v, int64_t offset, strbuf *out) {
  const ir_program *p = t->program;
  const value_node *n = value_node_at (t->values, v);
  if (n->kind == V_ADDR && n->a < p->objects.count) {
    const ir_object_data *o = &p->objects.data[n->a];
    strbuf_add (out, o->name);
    if (o->type.i != IR_NONE) print_path (p, o->type, (uint32_t) offset, out);
    else if (offset) strbuf_printf (out, "+%lld", (long long) offset);
  } else if (n->kind == V_LOAD) {
    term_address inner = {{n->a}, 0};
    const value_node *at = value_node_at (t->values, inner.base);
    ir_value x;
    if (at->kind == V_OP && at->op == IR_X_ADD && value_constant (t->values, (value_term){at->b}, &x))
      inner = (term_address){{at->a}, (int64_t) (uint64_t) x};
    print_term (t, inner.base, inner.offset, out);
    strbuf_printf (out, offset ? "->+%lld" : "[0]", (long long) offset);
  } else strbuf_printf (out, "?+%lld", (long long) offset);
}

const char *name_of_lock (const lock_table *t, uint32_t lock, arena *a) {
  const lock_node *n = lock_at (t, lock);
  if (n->family == IR_F_REGION) return ir_family_name (IR_F_REGION);
  if (n->edge != IR_NONE) return name_at_site (t, n, a);
  strbuf text = {0};
  print_term (t, (value_term){n->base}, n->offset, &text);
  const char *name = arena_strdup (a, strbuf_text (&text));
  strbuf_release (&text);
  return name;
}
