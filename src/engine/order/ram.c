// Accesses of memory. Bytes that at most one thread uses at a time are part of the contents of its path. Shared bytes
// are cells, and an access of them is an event. A possible error of an address becomes a goal; the path goes on without
// the error.
#include "base/limits.h"
#include "engine/order/walk_impl.h"

#include "base/hash.h"

#define NOT_YET ((contents){IR_NONE})  // the object did not exist when the second thread was started

// ---- objects ----------------------------------------------------------------------------------------
static walk_object_kind static_object_kind (ir_object_kind k) {
  return k == IR_O_CONSTANT ? MADE_CONSTANT : k == IR_O_FUNCTION ? MADE_FUNCTION : MADE_STATIC;
}

// Other threads may have the address of an object before the walk reaches the place that makes it.
static void add_expected_object (order_walk *w, uint32_t object) {
  const sharing_object_facts *f = &w->sharing->objects.data[object];
  uint32_t size = f->size == IR_NONE ? LIMIT_ORDER_OBJECT_BYTES : f->size;
  walk_object o = {
      .kind = f->kind, .thread = f->thread, .exists = f->known, .most_bytes = size, .before = CONTENTS_UNDEFINED};
  o.size = walk_number (w, 32, size);
  if (f->kind == MADE_INTERNAL) o.before = CONTENTS_ZERO;
  o.has_unknown_size = f->size == IR_NONE;
  vec_push (&w->objects, o);
}

void ram_begin (order_walk *w) {
  for (uint32_t k = 0; k < w->program->objects.count; k++) {
    const ir_object_data *d = &w->program->objects.data[k];
    walk_object o = {.kind = static_object_kind (d->kind), .thread = IR_NONE, .exists = k > 0, .most_bytes = d->size};
    o.size = walk_number (w, 32, d->size);
    o.before = contents_initial (&w->contents, (ir_object){k});
    o.made = true;
    vec_push (&w->objects, o);
  }
  for (uint32_t k = w->objects.count; k < w->sharing->objects.count; k++) add_expected_object (w, k);
}

void walk_set_object (order_walk *w, uint32_t object, walk_object o) {
  while (w->objects.count <= object) vec_push (&w->objects, ((walk_object){.size = TERM_NONE}));
  o.exists = o.made = true;
  w->objects.data[object] = o;
}

static uint32_t number_here (order_walk *w) {
  bool is_new;
  uint64_t *count = map_insert (&walk_self (w)->occurrences, w->edge.i, 0, &is_new);
  return (uint32_t) (*count)++;
}

// Other threads may see the object from its beginning: its bytes begin with an event each.
static void fill_cells (order_walk *w, uint32_t object, contents c) {
  const walk_object *o = &w->objects.data[object];
  const sharing_object_facts *f = &w->sharing->objects.data[object];
  uint32_t step = f->grain, filled = 0;
  for (uint32_t at = 0; at < o->most_bytes && at < f->bytes.count;) {
    uint32_t end = step ? at + step : sharing_cell_end (w->sharing, object, at, o->most_bytes);
    if (f->bytes.data[at].shared && (step || f->bytes.data[at].cut) && end - at <= 8) {
      if (at_limit (ORDER_FILLED_CELLS, filled++)) {
        walk_mark_incomplete (w, w->terms->truth, "a large shared object is made while threads run");
        return;
      }
      term offset = walk_number (w, 32, at);
      ram_cell_write (w, object, offset, end - at, contents_load (&w->contents, c, offset, end - at), w->terms->truth);
    }
    at = end;
  }
}

uint32_t ram_make (order_walk *w, walk_object_kind kind, term size, contents c) {
  uint32_t object = sharing_object (w->sharing, w->thread, w->edge, number_here (w));
  bool known = term_is_const (w->terms, size) && term_value (w->terms, size) < LIMIT_ORDER_OBJECT_BYTES;
  uint32_t most = known ? (uint32_t) term_value (w->terms, size) : LIMIT_ORDER_OBJECT_BYTES;
  walk_set_object (
      w, object,
      (walk_object){.kind = kind, .thread = w->thread, .size = size, .most_bytes = most, .before = CONTENTS_UNDEFINED});
  sharing_mark_made (w->sharing, object, kind, w->thread, known ? most : IR_NONE);
  path_set_memory (w, w->now, object, c);
  if (w->now->published && sharing_shared (w->sharing, object, 0, most)) fill_cells (w, object, c);
  return object;
}

uint32_t ram_local_copy (order_walk *w, ir_object o) {
  walk_thread *t = walk_self (w);
  for (uint32_t k = 0; k < t->locals.count; k += 2)
    if (t->locals.data[k] == o.i) return t->locals.data[k + 1];
  uint32_t object = sharing_object (w->sharing, w->thread, (ir_edge){(1u << 25) - 1 - o.i}, 0);
  const ir_object_data *d = ir_object_at (w->program, o);
  walk_set_object (w, object,
                   (walk_object){.kind = MADE_LOCAL,
                                 .thread = w->thread,
                                 .size = walk_number (w, 32, d->size),
                                 .most_bytes = d->size,
                                 .before = contents_initial (&w->contents, o)});
  sharing_mark_made (w->sharing, object, MADE_LOCAL, w->thread, d->size);
  vec_push (&t->locals, o.i);
  vec_push (&t->locals, object);
  return object;
}

// ---- cells ------------------------------------------------------------------------------------------
static uint32_t cell_number (order_walk *w, cell_name name) {
  bool is_new;
  uint64_t key = (uint64_t) name.object << 36 | (uint64_t) name.first << 4 |
                 (name.first == ANY_OFFSET ? 0 : name.end - name.first);
  uint64_t *number = map_insert (&w->cells, key, w->cell_names.count, &is_new);
  if (is_new) {
    vec_push (&w->cell_names, name);
    w->out->num_cells = w->cell_names.count;
  }
  return (uint32_t) *number;
}

// The value of the cell before all events; *undefined: the mask of its undefined bytes, or TERM_NONE.
static term initial_cell_value (order_walk *w, uint32_t cell, uint32_t object, term offset, uint32_t bytes,
                                term *undefined) {
  *undefined = TERM_NONE;
  bool says_dead =
      term_is_const (w->terms, offset) && term_value (w->terms, offset) == w->objects.data[object].most_bytes;
  if (says_dead || w->objects.data[object].kind == MADE_INTERNAL) return walk_number (w, 8 * bytes, 0);
  bool published = object < w->published.count && w->published.data[object].i != NOT_YET.i;
  if (!published && w->objects.data[object].kind != MADE_LOCAL) return TERM_NONE;
  cells c = contents_load (&w->contents, published ? w->published.data[object] : w->objects.data[object].before, offset,
                           bytes);
  if (term_is_const (w->terms, c.undefined) && !term_value (w->terms, c.undefined)) return c.value;
  bool is_new = true;
  uint64_t fresh = 0, *variable = &fresh;
  if (term_is_const (w->terms, offset))
    variable = map_insert (&w->initial_choices, hash_pair (cell, offset.i), 0, &is_new);
  else w->out->inexact = true;
  if (is_new) *variable = term_var (w->terms, 8 * bytes).i;
  term all = walk_number (w, bytes, ((uint64_t) 1 << bytes) - 1);
  *undefined = c.undefined;
  if (c.undefined.i != all.i) w->out->inexact = true;
  return term_ite (w->terms, term_eq (w->terms, c.undefined, all), (term){(uint32_t) *variable}, c.value);
}

typedef struct access_part {
  uint32_t cell, first, bytes;
  term offset;
} access_part;  // first: index of the first byte in the access

// Returns the next cell that an access overlaps.
static access_part part_at (order_walk *w, uint32_t object, term offset, uint32_t bytes, uint32_t first) {
  uint32_t grain = w->sharing->objects.data[object].grain;
  term at = term_add (w->terms, offset, walk_number (w, 32, first));
  if (grain) return (access_part){cell_number (w, (cell_name){object, ANY_OFFSET, grain}), first, grain, at};
  uint32_t from = (uint32_t) term_value (w->terms, offset), begin = from + first;
  uint32_t end = sharing_cell_end (w->sharing, object, begin, from + bytes);
  return (access_part){cell_number (w, (cell_name){object, begin, end}), first, end - begin, at};
}

static uint32_t offset_or_any (order_walk *w, uint32_t object, term offset) {
  return w->sharing->objects.data[object].grain || !term_is_const (w->terms, offset)
             ? ANY_OFFSET
             : (uint32_t) term_value (w->terms, offset);
}

static term event_offset (order_walk *w, uint32_t object, term offset) {
  return w->sharing->objects.data[object].grain ? offset : TERM_NONE;
}

// Events do not model undefined bytes: these have arbitrary values instead. That is not enough for --property=uninit.
static void mark_undefined (order_walk *w, term mask, uint32_t bytes, term condition) {
  if (mask.i == TERM_NONE.i || !walk_selected (w, IR_P_UNINIT)) return;
  term some = term_not (w->terms, term_eq (w->terms, mask, walk_number (w, bytes, 0)));
  walk_mark_incomplete (w, term_and (w->terms, some, condition), "memory that was not written is shared");
}

static term read_part (order_walk *w, uint32_t object, access_part p, uint32_t addresses, term condition) {
  term undefined;
  term initial = initial_cell_value (w, p.cell, object, p.offset, p.bytes, &undefined);
  mark_undefined (w, undefined, p.bytes, condition);
  term variable = term_var (w->terms, 8 * p.bytes);
  map_insert (&walk_pointers (w)->of_variable, variable.i, addresses, NULL);
  unwound_event e = {.node = walk_node (w),
                     .cell = p.cell,
                     .offset = event_offset (w, object, p.offset),
                     .value = variable,
                     .guard = term_and (w->terms, w->now->guard, condition),
                     .initial = initial,
                     .undefined = undefined.i != TERM_NONE.i};
  vec_push (&w->out->events, e);
  return variable;
}

// An access is split into its cells, which must all be known; if they are not, another walk is needed anyway.
static void need_cells (order_walk *w, uint32_t object, term offset, uint32_t bytes) {
  uint32_t grain = w->sharing->objects.data[object].grain;
  if (!grain && term_is_const (w->terms, offset)) {
    uint32_t first = (uint32_t) term_value (w->terms, offset);
    sharing_need_cell (w->sharing, object, first, first + bytes);
    return;
  }
  if (!term_is_const (w->terms, offset)) sharing_share_all (w->sharing, object, w->objects.data[object].most_bytes);
  ir_value zeros = term_known_bits (w->terms, offset).zeros;
  uint32_t step = 1;
  while (step < 8 && (zeros & step)) step *= 2;
  sharing_need_grain (w->sharing, object, grain ? grain : bytes);
  sharing_need_grain (w->sharing, object, bytes);
  sharing_need_grain (w->sharing, object, step);
}

// Set of addresses in the whole value: the single parts do not show an address.
static uint32_t addresses_at (order_walk *w, uint32_t object, term offset, uint32_t bytes) {
  term undefined;
  uint32_t set = sharing_targets (w->sharing, object, offset_or_any (w, object, offset));
  if (8 * bytes < w->program->pointer_bits) return set;
  term initial = initial_cell_value (w, IR_NONE, object, offset, bytes, &undefined);
  return initial.i == TERM_NONE.i
             ? set
             : idset_unite (&walk_pointers (w)->sets, set, pointers_in (walk_pointers (w), initial));
}

cells ram_cell_read (order_walk *w, uint32_t object, term offset, uint32_t bytes, term condition) {
  need_cells (w, object, offset, bytes);
  term all = TERM_NONE;
  uint32_t addresses = addresses_at (w, object, offset, bytes);
  for (uint32_t at = 0; at < bytes;) {
    access_part p = part_at (w, object, offset, bytes, at);
    term one = read_part (w, object, p, addresses, condition);
    all = at ? term_concat (w->terms, one, all) : one;
    at += p.bytes;
  }
  return cells_defined (w->terms, all, bytes);
}

static void write_part (order_walk *w, uint32_t object, access_part p, cells c, term condition) {
  term value = term_extract (w->terms, c.value, 8 * p.first, 8 * p.bytes);
  term mask = term_extract (w->terms, c.undefined, p.first, p.bytes);
  bool undefined = !term_is_const (w->terms, mask) || term_value (w->terms, mask);
  if (undefined) {
    mark_undefined (w, mask, p.bytes, condition);
    term all = walk_number (w, p.bytes, ((uint64_t) 1 << p.bytes) - 1);
    w->out->inexact |= mask.i != all.i;
    value = term_ite (w->terms, term_eq (w->terms, mask, all), term_var (w->terms, 8 * p.bytes), value);
  }
  unwound_event e = {.node = walk_node (w),
                     .cell = p.cell,
                     .offset = event_offset (w, object, p.offset),
                     .value = value,
                     .write = true,
                     .guard = term_and (w->terms, w->now->guard, condition),
                     .undefined = undefined,
                     .initial = TERM_NONE};
  if (!term_is_false (w->terms, e.guard)) vec_push (&w->out->events, e);
}

void ram_cell_write (order_walk *w, uint32_t object, term offset, uint32_t bytes, cells c, term condition) {
  need_cells (w, object, offset, bytes);
  sharing_add_targets (w->sharing, object, offset_or_any (w, object, offset), pointers_in (walk_pointers (w), c.value));
  for (uint32_t at = 0; at < bytes;) {
    access_part p = part_at (w, object, offset, bytes, at);
    write_part (w, object, p, c, condition);
    at += p.bytes;
  }
}

// ---- shared bytes -----------------------------------------------------------------------------------
typedef struct byte_range {
  uint32_t first, end;
} byte_range;

static byte_range range_of (order_walk *w, const target *t, uint32_t at, uint32_t bytes) {
  const walk_object *o = &w->objects.data[t->object];
  if (!term_is_const (w->terms, t->offset)) return (byte_range){0, o->most_bytes};
  uint32_t first = (uint32_t) term_value (w->terms, t->offset) + at;
  return (byte_range){first, first + bytes};
}

static void record_memory_use (order_walk *w, uint32_t object, byte_range r, bool write) {
  const walk_object *o = &w->objects.data[object];
  if (!w->now->published || o->kind == MADE_CONSTANT || o->kind == MADE_FUNCTION) return;
  if (o->kind >= MADE_LOCAL && o->kind <= MADE_STACK && o->thread != w->thread) sharing_mark_end (w->sharing, object);
  bool is_new = sharing_use (w->sharing, (memory_use){.object = object,
                                                      .first = r.first,
                                                      .end = r.end,
                                                      .thread = w->thread,
                                                      .num_children = walk_self (w)->num_children,
                                                      .joined = w->now->joined,
                                                      .write = write});
  if (is_new && write) vec_push (&walk_self (w)->written, ((written_range){object, r.first, r.end}));
}

static bool is_in_events (order_walk *w, uint32_t object, byte_range r) {
  return w->now->published && sharing_shared (w->sharing, object, r.first, r.end);
}

// Records what memory holds when the path's first thread is started. Paths that start their first threads at different
// places exclude each other, so a read of the initial values belongs to one of the paths that have started a thread.
void ram_publish (order_walk *w, symbolic_path *p) {
  p->published = true;
  while (w->published.count < w->objects.count) vec_push (&w->published, NOT_YET);
  for (uint32_t k = 0; k < w->objects.count; k++) {
    contents *all = &w->published.data[k];
    bool is_there = w->objects.data[k].made && (!w->concurrent || k < p->memory.count || all->i != NOT_YET.i);
    if (!is_there) continue;
    contents here = path_memory (w, p, k);
    *all = all->i == NOT_YET.i ? here : contents_choose (&w->contents, p->guard, here, *all);
  }
  w->concurrent = true;
}

// ---- reading and writing ----------------------------------------------------------------------------
static cells read_one (order_walk *w, const target *t, uint32_t at, uint32_t bytes) {
  byte_range r = range_of (w, t, at, bytes);
  term offset = term_add (w->terms, t->offset, walk_number (w, 32, at));
  record_memory_use (w, t->object, r, false);
  if (is_in_events (w, t->object, r)) return ram_cell_read (w, t->object, offset, bytes, t->condition);
  return contents_load (&w->contents, path_memory (w, w->now, t->object), offset, bytes);
}

cells ram_read (order_walk *w, const targets *t, uint32_t at, uint32_t bytes) {
  cells all = {walk_number (w, 8 * bytes, 0), walk_number (w, bytes, 0)};
  for (uint32_t k = 0; k < t->list.count; k++) {
    const target *one = &t->list.data[k];
    cells c = read_one (w, one, at, bytes);
    all = k ? (cells){term_ite (w->terms, one->condition, c.value, all.value),
                      term_ite (w->terms, one->condition, c.undefined, all.undefined)}
            : c;
  }
  return all;
}

static void write_one (order_walk *w, const target *t, uint32_t at, uint32_t bytes, cells c, term condition) {
  byte_range r = range_of (w, t, at, bytes);
  term offset = term_add (w->terms, t->offset, walk_number (w, 32, at));
  term both = term_and (w->terms, condition, t->condition);
  if (term_is_false (w->terms, both)) return;
  record_memory_use (w, t->object, r, true);
  if (is_in_events (w, t->object, r)) {
    ram_cell_write (w, t->object, offset, bytes, c, both);
    return;
  }
  contents before = path_memory (w, w->now, t->object);
  contents after = contents_store (&w->contents, before, offset, bytes, c);
  path_set_memory (w, w->now, t->object, contents_choose (&w->contents, both, after, before));
}

void ram_write (order_walk *w, const targets *t, uint32_t at, uint32_t bytes, cells c, term condition) {
  for (uint32_t k = 0; k < t->list.count; k++) write_one (w, &t->list.data[k], at, bytes, c, condition);
}

// ---- good and bad addresses -------------------------------------------------------------------------
// Whether the object of an access has ended, and the event that reads this, or IR_NONE.
typedef struct object_lifetime {
  term dead;
  uint32_t read;
} object_lifetime;

static object_lifetime lifetime_at (order_walk *w, const target *t) {
  const walk_object *o = &w->objects.data[t->object];
  target byte = target_at (t->condition, t->object, walk_number (w, 32, o->most_bytes));
  if (!sharing_ends (w->sharing, t->object)) return (object_lifetime){w->terms->falsity, IR_NONE};
  uint32_t before = w->out->events.count;
  term value = read_one (w, &byte, 0, 1).value;
  term dead = term_eq (w->terms, value, walk_number (w, 8, 1));
  return (object_lifetime){dead, w->out->events.count > before ? before : IR_NONE};
}

static term byte_says_dead (order_walk *w, const target *t) { return lifetime_at (w, t).dead; }

static term is_within (order_walk *w, const target *t, uint32_t bytes) {
  term size = w->objects.data[t->object].size, n = walk_number (w, 32, bytes);
  return term_and (w->terms, term_ule (w->terms, n, size),
                   term_ule (w->terms, t->offset, term_sub (w->terms, size, n)));
}

// As far as this is known without knowing whether the object is still alive.
static term is_accessible (order_walk *w, const target *t, access_kind a) {
  const walk_object *o = &w->objects.data[t->object];
  if (o->kind == MADE_FUNCTION || (o->over && o->thread == w->thread) || (a.write && o->kind == MADE_CONSTANT))
    return w->terms->falsity;
  if (o->kind == MADE_STATIC && w->program->objects.data[t->object].kind == IR_O_THREAD_LOCAL) return w->terms->falsity;
  return is_within (w, t, a.bytes);
}

// An object that is used before the walk reaches the place that makes it, and whose size is not constant.
static void mark_unknown_size (order_walk *w, const target *t) {
  if (w->objects.data[t->object].has_unknown_size)
    walk_mark_incomplete (w, t->condition, "an object of unknown size is used elsewhere");
}

// `guard`: of the path when it comes to the access, whether or not the access is a memory error then: it may be the
// race of these two accesses that makes it one.
static void record_race_access (order_walk *w, const target *t, access_kind a, term guard, object_lifetime l) {
  if (a.hidden || !w->now->published || !walk_selected (w, IR_P_RACE)) return;
  if (w->objects.data[t->object].kind == MADE_CONSTANT || term_is_false (w->terms, guard)) return;
  record_memory_use (w, t->object, range_of (w, t, 0, a.bytes), false);
  unwound_access x = {.node = walk_node (w),
                      .step = w->step,
                      .edge = w->edge,
                      .object = t->object,
                      .offset = t->offset,
                      .bytes = a.bytes,
                      .guard = guard,
                      .dead = l.dead,
                      .dead_read = l.read,
                      .dead_write = IR_NONE,
                      .write = a.write,
                      .plain = a.plain,
                      .in_region = w->now->atomic > 0};
  vec_push (&w->out->accesses, x);
}

static void end_where_bad (order_walk *w, term address, term good, bool wild) {
  term bad = term_not (w->terms, good);
  if (wild && !term_is_false (w->terms, bad)) {
    unsigned bits = w->program->offset_bits;
    term number = term_extract (w->terms, address, bits, w->program->pointer_bits - bits);
    term null = term_eq (w->terms, number, walk_number (w, w->program->pointer_bits - bits, 0));
    walk_mark_incomplete (w, term_and (w->terms, bad, term_not (w->terms, null)), "an address comes from an input");
  }
  walk_goal (w, IR_P_MEMORY, bad);
}

void ram_check (order_walk *w, term address, access_kind a, targets *t) {
  term_pool *p = w->terms;
  term good = p->falsity, before = w->now->guard;
  ram_targets (w, address, t);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < t->list.count; k++) {
    target one = t->list.data[k];
    object_lifetime l = lifetime_at (w, &one);
    term accessible = is_accessible (w, &one, a);
    record_race_access (w, &one, a, term_and (p, before, term_and (p, one.condition, accessible)), l);
    good = term_or (p, good, term_and (p, one.condition, term_and (p, accessible, term_not (p, l.dead))));
    if (!term_is_false (p, accessible)) t->list.data[kept++] = one;
  }
  t->list.count = kept;
  end_where_bad (w, address, good, t->wild);
  if (kept == 1) t->list.data[0].condition = p->truth;  // the path has no other target
  for (uint32_t k = 0; k < kept && walk_alive (w); k++) mark_unknown_size (w, &t->list.data[k]);
}

// ---- operations on objects --------------------------------------------------------------------------
void ram_alloc (order_walk *w) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  term size = walk_arg (w, 0), most = walk_number (w, term_bits (w->terms, size), LIMIT_ORDER_OBJECT_BYTES);
  if (!term_is_const (w->terms, size) && limit_met (ORDER_OBJECT_BYTES))
    walk_mark_incomplete (w, term_ult (w->terms, most, size), "an object may be very large");
  walk_object_kind kind = d->aux == IR_ALLOC_STACK ? MADE_STACK : MADE_HEAP;
  if (w->options->semantics->may_fail && kind == MADE_HEAP)
    walk_mark_incomplete (w, w->terms->truth, "allocations that may fail");
  uint32_t object = ram_make (w, kind, term_resize (w->terms, size, 32),
                              d->aux == IR_ALLOC_HEAP_ZEROED ? CONTENTS_ZERO : CONTENTS_UNDEFINED);
  walk_set (w, d->dst, pointers_to (walk_pointers (w), object, 0));
}

void ram_end (order_walk *w, uint32_t object) {
  target byte = target_at (w->terms->truth, object, walk_number (w, 32, w->objects.data[object].most_bytes));
  if (sharing_ends (w->sharing, object))
    write_one (w, &byte, 0, 1, cells_defined (w->terms, walk_number (w, 8, 1), 1), w->terms->truth);
}

// The objects that may be freed; the lifetime of each has the same index.
typedef VEC (object_lifetime) life_list;

static term find_freed (order_walk *w, targets *t, life_list *lives) {
  term good = w->terms->falsity, zero = walk_number (w, 32, 0);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < t->list.count; k++) {
    target one = t->list.data[k];
    if (w->objects.data[one.object].kind != MADE_HEAP) continue;
    sharing_mark_end (w->sharing, one.object);
    object_lifetime l = lifetime_at (w, &one);
    one.condition = term_and (w->terms, one.condition, term_eq (w->terms, one.offset, zero));
    one.offset = zero;
    good = term_or (w->terms, good, term_and (w->terms, one.condition, term_not (w->terms, l.dead)));
    vec_push (lives, l);
    t->list.data[kept++] = one;
  }
  t->list.count = kept;
  return good;
}

static void free_one (order_walk *w, const target *t, object_lifetime l, term before) {
  access_kind all = {.bytes = w->objects.data[t->object].most_bytes, .write = true, .plain = true};
  uint32_t accesses = w->out->accesses.count;
  record_race_access (w, t, all, term_and (w->terms, before, t->condition), l);
  target byte = target_at (t->condition, t->object, walk_number (w, 32, w->objects.data[t->object].most_bytes));
  uint32_t events = w->out->events.count;
  write_one (w, &byte, 0, 1, cells_defined (w->terms, walk_number (w, 8, 1), 1), w->terms->truth);
  if (w->out->accesses.count > accesses && w->out->events.count > events)
    vec_last (&w->out->accesses).dead_write = events;
}

void ram_free (order_walk *w) {
  term address = walk_arg (w, 0), before = w->now->guard;
  term null = term_eq (w->terms, address, walk_number (w, term_bits (w->terms, address), 0));
  targets t = {0};
  life_list lives = {0};
  ram_targets (w, address, &t);
  term good = find_freed (w, &t, &lives);
  end_where_bad (w, address, term_or (w->terms, null, good), t.wild);
  for (uint32_t k = 0; k < t.list.count; k++) free_one (w, &t.list.data[k], lives.data[k], before);
  pointers_release_targets (&t);
  vec_release (&lives);
}

void ram_forget (order_walk *w) {
  targets t = {0};
  ram_targets (w, walk_arg (w, 0), &t);
  for (uint32_t k = 0; k < t.list.count; k++) {
    uint32_t object = t.list.data[k].object;
    const walk_object *o = &w->objects.data[object];
    record_memory_use (w, object, (byte_range){0, o->most_bytes}, true);
    path_set_memory (
        w, w->now, object,
        contents_choose (&w->contents, t.list.data[k].condition, CONTENTS_UNDEFINED, path_memory (w, w->now, object)));
    if (is_in_events (w, object, (byte_range){0, o->most_bytes})) fill_cells (w, object, CONTENTS_UNDEFINED);
  }
  pointers_release_targets (&t);
}

void ram_object_size (order_walk *w) {
  const ir_edge_data *d = &w->program->edges.data[w->edge.i];
  unsigned bits = ir_proc_at (w->program, ir_loc_at (w->program, d->from)->proc)->regs.data[d->dst.i].bits;
  term size = walk_number (w, bits, 0);
  targets t = {0};
  ram_targets (w, walk_arg (w, 0), &t);
  for (uint32_t k = 0; k < t.list.count; k++) {
    const target *one = &t.list.data[k];
    if (w->objects.data[one->object].kind == MADE_FUNCTION) continue;
    term alive = term_and (w->terms, one->condition, term_not (w->terms, byte_says_dead (w, one)));
    size = term_ite (w->terms, alive, term_resize (w->terms, w->objects.data[one->object].size, bits), size);
  }
  walk_set (w, d->dst, size);
  pointers_release_targets (&t);
}
