// Contents of memory objects as histories of stores. A load looks through the stores, newest first. If both offsets are
// constants, the load takes the stored bytes, skips the store, or is split into single bytes; if one of the offsets is
// a term, the result is an if-then-else over whether the offsets are equal. Nothing is ever copied to all elements of
// an array, so the cost of an access depends on the number of stores that may overlap it, not on the size of the array.
#include "engine/order/contents.h"

#include "base/hash.h"
#include "base/limits.h"

enum { OFFSET_BITS = 32 };

void contents_pool_init (contents_pool *p, term_pool *terms, const ir_program *program) {
  *p = (contents_pool){.terms = terms, .program = program};
  vec_push (&p->nodes, ((contents_node){.kind = CONTENTS_K_UNDEFINED}));
  vec_push (&p->nodes, ((contents_node){.kind = CONTENTS_K_ZERO}));
}

void contents_pool_release (contents_pool *p) {
  vec_release (&p->nodes);
  vec_release (&p->found);
  map_release (&p->initial);
  map_release (&p->choices);
  for (uint32_t k = 0; k < 9; k++) map_release (&p->loads[k]);
}

static contents add_contents_node (contents_pool *p, contents_node n) {
  vec_push (&p->nodes, n);
  return (contents){p->nodes.count - 1};
}

contents contents_initial (contents_pool *p, ir_object o) {
  const ir_object_data *d = ir_object_at (p->program, o);
  if (!d->init && !d->relocations.count) return CONTENTS_ZERO;
  bool is_new;
  uint64_t *known = map_insert (&p->initial, o.i, 0, &is_new);
  if (is_new) *known = add_contents_node (p, (contents_node){.kind = CONTENTS_K_INITIAL, .object = o}).i;
  return (contents){(uint32_t) *known};
}

contents contents_store (contents_pool *p, contents c, term offset, uint32_t bytes, cells stored) {
  const contents_node *n = &p->nodes.data[c.i];
  // this store overwrites all of the previous one
  if (n->kind == CONTENTS_K_STORE && n->at.i == offset.i && n->bytes == bytes) c = n->before;
  return add_contents_node (
      p, (contents_node){.kind = CONTENTS_K_STORE, .at = offset, .bytes = bytes, .stored = stored, .before = c});
}

contents contents_choose (contents_pool *p, term condition, contents a, contents b) {
  if (a.i == b.i || term_is_true (p->terms, condition)) return a;
  if (term_is_false (p->terms, condition)) return b;
  uint64_t key = hash_pair ((uint64_t) a.i << 32 | b.i, condition.i);
  bool is_new;
  uint64_t *known = map_insert (&p->choices, key, 0, &is_new);
  if (!is_new) {
    const contents_node *n = &p->nodes.data[*known];
    if (n->before.i == a.i && n->otherwise.i == b.i && n->at.i == condition.i) return (contents){(uint32_t) *known};
  }
  contents c =
      add_contents_node (p, (contents_node){.kind = CONTENTS_K_CHOICE, .at = condition, .before = a, .otherwise = b});
  *known = c.i;
  return c;
}

// ---- byte by byte -----------------------------------------------------------------------------------
static term offset_plus (contents_pool *p, term offset, uint32_t k) {
  return term_add (p->terms, offset, term_const (p->terms, OFFSET_BITS, k));
}

static cells load_bytewise (contents_pool *p, contents c, term offset, uint32_t bytes) {
  cells all = contents_load (p, c, offset, 1);
  for (uint32_t k = 1; k < bytes; k++)
    all = cells_join (p->terms, all, contents_load (p, c, offset_plus (p, offset, k), 1));
  return all;
}

// ---- initial bytes ----------------------------------------------------------------------------------
// Loads from a constant table at an offset that is a term: a choice between all elements that the offset may name;
// neighbours with equal values become one case.
static term load_from_table (contents_pool *p, ir_object o, term offset, uint32_t bytes) {
  uint32_t size = ir_object_at (p->program, o)->size;
  term_known known = term_known_bits (p->terms, offset);
  uint32_t step = 1, first = 0;
  while (step < 64 && ((known.zeros | known.ones) & step)) {
    first |= (uint32_t) known.ones & step;
    step *= 2;
  }
  if (over_limit (ORDER_TABLE, size / step)) {
    p->gave_up = true;
    return term_var (p->terms, 8 * bytes);
  }
  term all =
      term_const (p->terms, 8 * bytes, first + bytes <= size ? ir_initial_value (p->program, o, first, bytes) : 0);
  for (uint32_t at = first + step; at + bytes <= size; at += step) {
    term value = term_const (p->terms, 8 * bytes, ir_initial_value (p->program, o, at, bytes));
    all = term_ite (p->terms, term_ult (p->terms, offset, term_const (p->terms, OFFSET_BITS, at)), all, value);
  }
  return all;
}

static cells load_initial (contents_pool *p, ir_object o, term offset, uint32_t bytes) {
  term value = term_is_const (p->terms, offset)
                   ? term_const (p->terms, 8 * bytes,
                                 ir_initial_value (p->program, o, (uint32_t) term_value (p->terms, offset), bytes))
                   : load_from_table (p, o, offset, bytes);
  return cells_defined (p->terms, value, bytes);
}

// ---- through stores ---------------------------------------------------------------------------------
static bool is_aligned (const contents_pool *p, term offset, uint32_t bytes) {
  return !(bytes & (bytes - 1)) && (term_known_bits (p->terms, offset).zeros & (bytes - 1)) == bytes - 1;
}

typedef enum store_overlap { STORE_DISJOINT, STORE_SAME, STORE_PARTLY, STORE_MAY_OVERLAP } store_overlap;

static store_overlap compare_with_store (const contents_pool *p, const contents_node *store, term offset,
                                         uint32_t bytes) {
  if (store->at.i == offset.i && store->bytes == bytes) return STORE_SAME;
  if (!term_is_const (p->terms, store->at) || !term_is_const (p->terms, offset)) return STORE_MAY_OVERLAP;
  uint64_t a = (uint64_t) term_value (p->terms, store->at), b = (uint64_t) term_value (p->terms, offset);
  return a + store->bytes <= b || b + bytes <= a ? STORE_DISJOINT : STORE_PARTLY;
}

// One byte, loaded from below a store whose range may or may not contain it.
static cells load_byte_through (contents_pool *p, contents_node store, term offset) {
  term_pool *t = p->terms;
  term distance = term_sub (t, offset, store.at),
       inside = term_ult (t, distance, term_const (t, OFFSET_BITS, store.bytes));
  cells before = contents_load (p, store.before, offset, 1), found = cells_part (p->terms, store.stored, 0, 1);
  for (uint32_t k = 1; k < store.bytes; k++)
    found = cells_choose (p->terms, term_eq (t, distance, term_const (t, OFFSET_BITS, k)),
                          cells_part (p->terms, store.stored, k, 1), found);
  return cells_choose (p->terms, inside, found, before);
}

static cells load_through (contents_pool *p, contents_node store, term offset, uint32_t bytes) {
  store_overlap m = compare_with_store (p, &store, offset, bytes);
  if (m == STORE_MAY_OVERLAP && store.bytes == bytes && is_aligned (p, store.at, bytes) &&
      is_aligned (p, offset, bytes)) {
    term equal = term_eq (p->terms, store.at, offset);
    if (term_is_true (p->terms, equal)) return store.stored;
    cells before = contents_load (p, store.before, offset, bytes);
    return term_is_false (p->terms, equal) ? before : cells_choose (p->terms, equal, store.stored, before);
  }
  if (bytes > 1) {
    cells all = {TERM_NONE, TERM_NONE};
    for (uint32_t k = 0; k < bytes; k++) {
      cells one = load_through (p, store, offset_plus (p, offset, k), 1);
      all = k ? cells_join (p->terms, all, one) : one;
    }
    return all;
  }
  if (m != STORE_PARTLY) return load_byte_through (p, store, offset);
  return cells_part (p->terms, store.stored,
                     (uint32_t) (term_value (p->terms, offset) - term_value (p->terms, store.at)), 1);
}

static cells load_contents (contents_pool *p, contents c, term offset, uint32_t bytes) {
  for (;;) {
    contents_node n = p->nodes.data[c.i];
    if (n.kind != CONTENTS_K_STORE) break;
    store_overlap m = compare_with_store (p, &n, offset, bytes);
    if (m == STORE_SAME) return n.stored;
    if (m != STORE_DISJOINT)
      return bytes > 1 && m == STORE_PARTLY ? load_bytewise (p, c, offset, bytes) : load_through (p, n, offset, bytes);
    c = n.before;
  }
  contents_node n = p->nodes.data[c.i];
  switch (n.kind) {
  case CONTENTS_K_ZERO: return cells_defined (p->terms, term_const (p->terms, 8 * bytes, 0), bytes);
  case CONTENTS_K_INITIAL: return load_initial (p, n.object, offset, bytes);
  case CONTENTS_K_CHOICE: {
    cells a = contents_load (p, n.before, offset, bytes), b = contents_load (p, n.otherwise, offset, bytes);
    return cells_choose (p->terms, n.at, a, b);
  }
  default:
    return (cells){term_const (p->terms, 8 * bytes, 0), term_const (p->terms, bytes, ((ir_value) 1 << bytes) - 1)};
  }
}

cells contents_load (contents_pool *p, contents c, term offset, uint32_t bytes) {
  while (p->nodes.data[c.i].kind == CONTENTS_K_STORE &&
         compare_with_store (p, &p->nodes.data[c.i], offset, bytes) == STORE_DISJOINT)
    c = p->nodes.data[c.i].before;
  uint64_t key = (uint64_t) c.i << 32 | offset.i, *known = map_find (&p->loads[bytes], key);
  if (known) return p->found.data[*known];
  cells found = load_contents (p, c, offset, bytes);
  map_insert (&p->loads[bytes], key, p->found.count, NULL);
  vec_push (&p->found, found);
  return found;
}
