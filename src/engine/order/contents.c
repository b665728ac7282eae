// Loads look through the history of stores, newest first.  Where both offsets are constants a store is either what is looked for, or
// skipped, or taken apart into bytes; where one is a term the answer is an if-then-else over whether they are equal.  So nothing is ever
// spread over the cells of an array: an access costs as much as there are stores it may have to do with, not cells.
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

static contents add (contents_pool *p, contents_node n) {
  vec_push (&p->nodes, n);
  return (contents){p->nodes.count - 1};
}

contents contents_initial (contents_pool *p, ir_object o) {
  const ir_object_data *d = ir_object_at (p->program, o);
  if (!d->init && !d->relocations.count) return CONTENTS_ZERO;
  bool is_new;
  uint64_t *known = map_insert (&p->initial, o.i, 0, &is_new);
  if (is_new) *known = add (p, (contents_node){.kind = CONTENTS_K_INITIAL, .object = o}).i;
  return (contents){(uint32_t) *known};
}

contents contents_store (contents_pool *p, contents c, term offset, uint32_t bytes, cells stored) {
  const contents_node *n = &p->nodes.data[c.i];
  if (n->kind == CONTENTS_K_STORE && n->at.i == offset.i && n->bytes == bytes) c = n->before;  // it is overwritten
  return add (p,
              (contents_node){.kind = CONTENTS_K_STORE, .at = offset, .bytes = bytes, .stored = stored, .before = c});
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
  contents c = add (p, (contents_node){.kind = CONTENTS_K_CHOICE, .at = condition, .before = a, .otherwise = b});
  *known = c.i;
  return c;
}

// ---- pieces ---------------------------------------------------------------------------------------------
static term offset_plus (contents_pool *p, term offset, uint32_t k) {
  return term_add (p->terms, offset, term_const (p->terms, OFFSET_BITS, k));
}

static cells load_bytewise (contents_pool *p, contents c, term offset, uint32_t bytes) {
  cells all = contents_load (p, c, offset, 1);
  for (uint32_t k = 1; k < bytes; k++)
    all = cells_join (p->terms, all, contents_load (p, c, offset_plus (p, offset, k), 1));
  return all;
}

// ---- initial bytes --------------------------------------------------------------------------------------
// A table by a term: every element the offset can name, equal neighbours together.
static term look_up (contents_pool *p, ir_object o, term offset, uint32_t bytes) {
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
                   : look_up (p, o, offset, bytes);
  return cells_defined (p->terms, value, bytes);
}

// ---- through stores -------------------------------------------------------------------------------------
static bool is_aligned (const contents_pool *p, term offset, uint32_t bytes) {
  return !(bytes & (bytes - 1)) && (term_known_bits (p->terms, offset).zeros & (bytes - 1)) == bytes - 1;
}

typedef enum meeting { APART, SAME, PARTLY, PERHAPS } meeting;

static meeting how_they_meet (const contents_pool *p, const contents_node *store, term offset, uint32_t bytes) {
  if (store->at.i == offset.i && store->bytes == bytes) return SAME;
  if (!term_is_const (p->terms, store->at) || !term_is_const (p->terms, offset)) return PERHAPS;
  uint64_t a = (uint64_t) term_value (p->terms, store->at), b = (uint64_t) term_value (p->terms, offset);
  return a + store->bytes <= b || b + bytes <= a ? APART : PARTLY;
}

// One byte, from a store whose range may or may not cover it.
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
  meeting m = how_they_meet (p, &store, offset, bytes);
  if (m == PERHAPS && store.bytes == bytes && is_aligned (p, store.at, bytes) && is_aligned (p, offset, bytes)) {
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
  if (m != PARTLY) return load_byte_through (p, store, offset);
  return cells_part (p->terms, store.stored,
                     (uint32_t) (term_value (p->terms, offset) - term_value (p->terms, store.at)), 1);
}

static cells load (contents_pool *p, contents c, term offset, uint32_t bytes) {
  for (;;) {
    contents_node n = p->nodes.data[c.i];
    if (n.kind != CONTENTS_K_STORE) break;
    meeting m = how_they_meet (p, &n, offset, bytes);
    if (m == SAME) return n.stored;
    if (m != APART)
      return bytes > 1 && m == PARTLY ? load_bytewise (p, c, offset, bytes) : load_through (p, n, offset, bytes);
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
  while (p->nodes.data[c.i].kind == CONTENTS_K_STORE && how_they_meet (p, &p->nodes.data[c.i], offset, bytes) == APART)
    c = p->nodes.data[c.i].before;
  uint64_t key = (uint64_t) c.i << 32 | offset.i, *known = map_find (&p->loads[bytes], key);
  if (known) return p->found.data[*known];
  cells found = load (p, c, offset, bytes);
  map_insert (&p->loads[bytes], key, p->found.count, NULL);
  vec_push (&p->found, found);
  return found;
}
