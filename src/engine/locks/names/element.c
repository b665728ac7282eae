// A lock in an array protects the element with the same index of another array: two threads that access the same
// element have the same index, and so the same lock.
//
// Assumption, as in discipline.c: an index into an array that is a member of an object does not lead into another
// member. The constant part of the address tells which member that is, by the types of the object.  Arithmetic on
// pointers may have changed that part, but not from an array to one with elements of another size: so nothing is said
// about two arrays whose elements have the same size.
//
// An array that is the first member of a struct has the address of the struct, and a loop over all bytes, or words, of
// the struct looks like one over that array.  So the extent of such an array is that of the largest struct that begins
// there; at the beginning of an element of an array around it, that of the whole array.
#include "base/limits.h"
#include "engine/locks/names/names.h"

enum { NARROW = 32 };

// ---- sums --------------------------------------------------------------------------------------------------------
typedef struct parts {
  value_term part[LIMIT_LOCK_INDEX_TERMS];
  uint32_t count;
  bool too_many;
} parts;

static void collect_summands (const values_table *t, value_term v, parts *out) {
  const value_node *n = value_node_at (t, v);
  if (n->kind == V_OP && n->op == IR_X_ADD) {
    collect_summands (t, (value_term){n->a}, out);
    collect_summands (t, (value_term){n->b}, out);
  } else if (at_limit (LOCK_INDEX_TERMS, out->count)) out->too_many = true;
  else out->part[out->count++] = v;
}

static void split_multiple (const values_table *t, value_term v, value_term *index, int64_t *stride) {
  const value_node *n = value_node_at (t, v);
  ir_value x;
  bool scaled = n->kind == V_OP && (n->op == IR_X_MUL || n->op == IR_X_SHL) &&
                value_constant (t, (value_term){n->b}, &x) && x && x < (n->op == IR_X_SHL ? NARROW - 1 : INT32_MAX);
  *index = scaled ? (value_term){n->a} : v;
  *stride = !scaled ? 1 : n->op == IR_X_SHL ? (int64_t) 1 << (unsigned) x : (int64_t) x;
}

element element_of (values_table *t, term_address at) {
  element e = {.base = {VALUE_NONE}, .index = {VALUE_NONE}, .offset = at.offset};
  parts all = {.count = 0};
  if (at.base.i == VALUE_NONE) return e;
  collect_summands (t, at.base, &all);
  for (uint32_t k = 0; k < all.count; k++) {
    bool fixed = value_is_fixed (t, all.part[k]);
    if ((fixed ? e.base : e.index).i != VALUE_NONE) return e;
    if (fixed) e.base = all.part[k];
    else split_multiple (t, all.part[k], &e.index, &e.stride);
  }
  e.found = !all.too_many && e.base.i != VALUE_NONE && e.index.i != VALUE_NONE;
  return e;
}

static unsigned num_twos (int64_t x) {
  unsigned k = 0;
  while (k < 63 && !(x >> k & 1)) k++;
  return k;
}

// Two indices that were widened from 32 bits differ by less than 2^32, so with a stride below 2^31 they have different
// addresses.  Other indices have equal addresses if they differ by 2^64 / 2^k, where 2^k divides the stride.
bool element_fixes_lock (const values_table *t, element accessed, int64_t lock_stride) {
  const value_node *n = value_node_at (t, accessed.index);
  bool widened = n->kind == V_OP && (n->op == IR_X_SEXT || n->op == IR_X_ZEXT) && n->bits == 64 &&
                 value_node_at (t, (value_term){n->a})->bits <= NARROW;
  return widened || num_twos (lock_stride) >= num_twos (accessed.stride);
}

// ---- extents -----------------------------------------------------------------------------------------------------
typedef struct descent {
  const ir_program *program;
  ir_type type;
  uint64_t start, offset;  // of the type in the object; looked for, in the object
} descent;

// Descends into the member or element that contains the offset.
static bool descend (descent *d) {
  const ir_type_data *t = ir_type_at (d->program, d->type);
  if (t->kind == IR_T_ARRAY) {
    uint64_t size = ir_type_at (d->program, t->target)->size, k = size ? (d->offset - d->start) / size : t->count;
    d->type = t->target;
    d->start += k * size;
    return k < t->count;
  }
  for (uint32_t k = 0; t->kind == IR_T_STRUCT && k < t->members.count; k++) {
    const ir_member *m = &t->members.data[k];
    uint64_t from = d->start + m->offset;
    if (d->offset < from || d->offset >= from + ir_type_at (d->program, m->type)->size) continue;
    d->type = m->type;
    d->start = from;
    return true;
  }
  return false;
}

static uint64_t element_size (const descent *d) {
  const ir_type_data *t = ir_type_at (d->program, d->type);
  return t->kind == IR_T_ARRAY ? ir_type_at (d->program, t->target)->size : 0;
}

static descent descent_into (const ir_program *p, uint32_t object, uint64_t offset) {
  return (descent){p, p->objects.data[object].type, 0, offset};
}

// Finds the outermost array with elements of that size that contains the offset.  False: there is none.
static bool find_array (const ir_program *p, uint32_t object, uint64_t offset, uint64_t size, descent *at) {
  *at = descent_into (p, object, offset);
  if (at->type.i == IR_NONE) return false;
  while (element_size (at) != size)
    if (!descend (at)) return false;
  return true;
}

// May a pointer to this place be one to the beginning of the type, or of one of its elements?
static bool begins_in (const descent *d, uint64_t place) {
  uint64_t size = element_size (d);
  return size ? (place - d->start) % size == 0 : place == d->start;
}

static void find_all_it_may_index (descent *array, uint32_t object) {
  descent around = descent_into (array->program, object, array->start);
  while (around.type.i != array->type.i && !begins_in (&around, array->start))
    if (!descend (&around)) return;
  *array = around;
}

static extent extent_of_array (const ir_program *p, uint32_t object, const element *e) {
  descent at;
  if (e->offset < 0 || !find_array (p, object, (uint64_t) e->offset, (uint64_t) e->stride, &at)) return (extent){0};
  find_all_it_may_index (&at, object);
  uint64_t end = at.start + ir_type_at (p, at.type)->size;
  return (extent){true, object, (uint32_t) at.start, (uint32_t) end, (uint32_t) e->stride};
}

extent element_extent (values_table *t, term_address at, uint32_t bytes) {
  element e = element_of (t, at);
  value_term base = e.found ? e.base : at.base;
  const value_node *n = base.i == VALUE_NONE ? NULL : value_node_at (t, base);
  if (!n || n->kind != V_ADDR || n->a >= t->program->objects.count || !value_is_fixed (t, base)) return (extent){0};
  if (e.found) return extent_of_array (t->program, n->a, &e);
  if (at.offset < 0 || at.offset + (int64_t) bytes >= INT32_MAX) return (extent){0};
  return (extent){true, n->a, (uint32_t) at.offset, (uint32_t) at.offset + bytes, 0};
}

static bool is_element (const ir_program *p, const extent *place, uint32_t size) {
  descent at;
  return p->objects.data[place->object].type.i == IR_NONE || find_array (p, place->object, place->low, size, &at);
}

bool extents_disjoint (const ir_program *p, const extent *x, const extent *y) {
  if (!x->known || !y->known || x->object != y->object || x->stride == y->stride) return false;
  if (!x->stride && is_element (p, x, y->stride)) return false;
  if (!y->stride && is_element (p, y, x->stride)) return false;
  return x->high <= y->low || y->high <= x->low;
}
