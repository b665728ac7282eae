// Memory as variables: an object is cut into cells wherever an access begins or ends; each cell is a variable. An
// access whose offset is not a constant is a choice between all offsets that it may have. Objects whose lifetime ends
// have a variable that says whether they are alive.
#include "base/limits.h"
#include "efsm/build_impl.h"

static build_object *object_at (build *b, uint32_t object) { return &b->facts->objects.data[object]; }
static bool ends (const build_object *o) { return o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP; }
static bool can_be_undefined (const build_object *o) { return ends (o) || o->is.forgotten; }

static uint32_t owner_of (build *b, uint32_t object) {
  return build_facts_shared (b->facts, object)
             ? IR_NONE
             : (uint32_t) __builtin_ctzll (object_at (b, object)->is.users | (uint64_t) 1 << b->thread);
}

// ---- cells ------------------------------------------------------------------------------------------
static term initial_of (build *b, const build_object *o, uint32_t at, uint32_t bytes) {
  if (ends (o)) return build_number (b, 8 * bytes, 0);
  return term_const (b->terms, 8 * bytes, ir_initial_value (b->program, o->source, at, bytes));
}

static uint32_t cell_end (const build_object *o, uint32_t at) {
  uint32_t end = at + 1;
  while (end < o->is.bytes && !o->is.cuts[end]) end++;
  return end;
}

static uint32_t cell_variable (build *b, uint32_t object, uint32_t at, uint32_t bytes) {
  build_object o = *object_at (b, object);
  return build_variable (b, V_CELL, object, at, 8 * bytes, owner_of (b, object), initial_of (b, &o, at, bytes));
}

static uint32_t undefined_variable (build *b, uint32_t object, uint32_t at) {
  return build_variable (b, V_UNDEFINED, object, at, 1, owner_of (b, object), b->terms->falsity);
}

static term cell_undefined (build *b, uint32_t object, uint32_t at, uint32_t bytes) {
  if (!can_be_undefined (object_at (b, object))) return build_number (b, bytes, 0);
  term flag = build_get (b, undefined_variable (b, object, at));
  return term_ite (b->terms, flag, build_number (b, bytes, ((uint64_t) 1 << bytes) - 1), build_number (b, bytes, 0));
}

// Memory that never changes is no variable.
static cells read_cell (build *b, uint32_t object, uint32_t at, uint32_t bytes) {
  build_object o = *object_at (b, object);
  if (!ends (&o) && !o.is.writers) return cells_defined (b->terms, initial_of (b, &o, at, bytes), bytes);
  return (cells){build_get (b, cell_variable (b, object, at, bytes)), cell_undefined (b, object, at, bytes)};
}

// The cells of this build; if these bytes are no cell, the next build adds them.
static bool is_cut (build *b, uint32_t object, uint32_t at, uint32_t bytes) {
  const object_facts *o = &object_at (b, object)->is;
  build_facts_cut (b->facts, object, at);
  build_facts_cut (b->facts, object, at + bytes);
  return o->cuts && at + bytes <= o->bytes && o->cuts[at] && o->cuts[at + bytes];
}

static cells read_at (build *b, uint32_t object, uint32_t at, uint32_t bytes) {
  build_facts_use (b->facts, object, b->thread, false);
  if (!is_cut (b, object, at, bytes)) return cells_defined (b->terms, build_number (b, 8 * bytes, 0), bytes);
  cells all = {TERM_NONE, TERM_NONE};
  for (uint32_t k = at; k < at + bytes;) {
    uint32_t end = cell_end (object_at (b, object), k);
    cells c = read_cell (b, object, k, end - k);
    all = k == at ? c : cells_join (b->terms, all, c);
    k = end;
  }
  return all;
}

static void write_cell (build *b, uint32_t object, uint32_t at, uint32_t bytes, cells v, term condition) {
  build_put (b, cell_variable (b, object, at, bytes), v.value, condition);
  term all = build_number (b, bytes, ((uint64_t) 1 << bytes) - 1), none = build_number (b, bytes, 0);
  if (!can_be_undefined (object_at (b, object))) {
    if (v.undefined.i != none.i) build_facts_forgotten (b->facts, object);  // copies undefined bytes
    return;
  }
  term is_all = term_eq (b->terms, v.undefined, all), is_none = term_eq (b->terms, v.undefined, none);
  if (!term_is_true (b->terms, term_or (b->terms, is_all, is_none)) && bytes > 1)
    for (uint32_t k = 1; k < bytes; k++) build_facts_cut (b->facts, object, at + k);  // some of the bytes are undefined
  build_put (b, undefined_variable (b, object, at), is_all, condition);
}

static void write_at (build *b, uint32_t object, uint32_t at, uint32_t bytes, cells v, term condition) {
  build_facts_use (b->facts, object, b->thread, true);
  if (!is_cut (b, object, at, bytes)) return;
  for (uint32_t k = at; k < at + bytes;) {
    uint32_t end = cell_end (object_at (b, object), k);
    write_cell (b, object, k, end - k, cells_part (b->terms, v, k - at, end - k), condition);
    k = end;
  }
}

// ---- offsets ----------------------------------------------------------------------------------------
// The constants that an offset may be: all values of the term are `first` plus a multiple of `stride`, unless its
// arithmetic wraps around.
typedef struct choices {
  uint32_t first, stride, count;
} choices;
static choices choices_for (build *b, const target *t, uint32_t at, uint32_t bytes) {
  uint32_t size = object_at (b, t->object)->is.bytes;
  if (size < at + bytes) return (choices){0, 1, 0};
  if (term_is_const (b->terms, t->offset)) {
    uint64_t place = (uint64_t) term_value (b->terms, t->offset);
    return (choices){(uint32_t) place, 1, place + at + bytes <= size};
  }
  steps s = t->steps;
  uint32_t first = (uint32_t) (s.rest % s.stride), last = size - at - bytes;
  return (choices){first, (uint32_t) s.stride, first > last ? 0 : (last - first) / (uint32_t) s.stride + 1};
}

static term is_place (build *b, const target *t, uint32_t place) {
  return term_and (b->terms, t->condition, term_eq (b->terms, t->offset, build_number (b, 32, place)));
}

uint32_t store_places (build *b, const target *t, uint32_t bytes, uint32_t number) {
  choices c = choices_for (b, t, 0, bytes);
  return number < c.count && !over_limit (MACHINE_CHOICES, c.count) ? c.first + number * c.stride : IR_NONE;
}

cells store_read (build *b, const targets *t, uint32_t at, uint32_t bytes) {
  cells all = cells_defined (b->terms, build_number (b, 8 * bytes, 0), bytes);
  bool first = true;
  for (uint32_t k = 0; k < t->list.count; k++) {
    const target *x = &t->list.data[k];
    choices c = choices_for (b, x, at, bytes);
    if (over_limit (MACHINE_CHOICES, c.count)) build_doubt (b, x->condition, "an index may be too many");
    for (uint32_t n = 0; n < c.count && c.count <= LIMIT_MACHINE_CHOICES; n++) {
      uint32_t place = c.first + n * c.stride;
      cells found = read_at (b, x->object, place + at, bytes);
      all = first ? found : cells_choose (b->terms, is_place (b, x, place), found, all);
      first = false;
    }
  }
  return all;
}

void store_write (build *b, const targets *t, uint32_t at, uint32_t bytes, cells v, term condition) {
  for (uint32_t k = 0; k < t->list.count; k++) {
    const target *x = &t->list.data[k];
    choices c = choices_for (b, x, at, bytes);
    if (over_limit (MACHINE_CHOICES, c.count)) build_doubt (b, x->condition, "an index may be too many");
    for (uint32_t n = 0; n < c.count && c.count <= LIMIT_MACHINE_CHOICES; n++) {
      uint32_t place = c.first + n * c.stride;
      write_at (b, x->object, place + at, bytes, v, term_and (b->terms, condition, is_place (b, x, place)));
    }
  }
}

// ---- objects ----------------------------------------------------------------------------------------
static uint32_t alive_variable (build *b, uint32_t object) {
  return build_variable (b, V_ALIVE, object, 0, 1, owner_of (b, object), b->terms->falsity);
}

// An object of another thread: alive until that thread has ended.
static term is_local_alive (build *b, uint32_t object, uint32_t owner) {
  build_facts_use (b->facts, object, b->thread, false);
  build_facts_use (b->facts, object, owner, true);
  if (!build_facts_shared (b->facts, object)) return b->terms->truth;
  return term_not (b->terms, build_get (b, build_variable (b, V_ENDED, owner, 0, 1, IR_NONE, b->terms->falsity)));
}

static term is_alive (build *b, uint32_t object) {
  const build_object *o = object_at (b, object);
  if (o->kind == OBJECT_LOCAL && o->thread != b->thread) return is_local_alive (b, object, o->thread);
  if (!ends (object_at (b, object))) return b->terms->truth;
  build_facts_use (b->facts, object, b->thread, false);
  return build_get (b, alive_variable (b, object));
}

static void set_alive (build *b, uint32_t object, term alive, term condition) {
  build_facts_use (b->facts, object, b->thread, true);
  build_put (b, alive_variable (b, object), alive, condition);
}

static term size_of (build *b, uint32_t object) {
  const build_object *o = object_at (b, object);
  if (!o->is.sized) return build_number (b, 32, o->is.bytes);
  return build_get (b, build_variable (b, V_SIZE, object, 0, 32, owner_of (b, object), build_number (b, 32, 0)));
}

uint32_t store_local_copy (build *b, ir_object source) {
  uint64_t key = (uint64_t) 1 << 60 | (uint64_t) b->thread << 32 | source.i;
  const ir_object_data *d = ir_object_at (b->program, source);
  return build_facts_object (
      b->facts, key, 0,
      (build_object){.kind = OBJECT_LOCAL, .source = source, .thread = b->thread, .is = {.bytes = d->size}});
}

static term within (build *b, const target *t, uint32_t bytes) {
  term_pool *p = b->terms;
  term size = size_of (b, t->object), room = term_sub (p, size, build_number (b, 32, bytes));
  return term_and (p, term_ule (p, build_number (b, 32, bytes), size), term_ule (p, t->offset, room));
}

// The condition leaves out whether the object is alive: when a race is detected, its other access has just been made
// and was good, but may have ended the object.
static void record_store_access (build *b, term address, access_kind a, term condition) {
  efsm_access x = {.condition = condition,
                   .address = address,
                   .bytes = a.bytes,
                   .step = b->step,
                   .edge = b->edge,
                   .write = a.write,
                   .plain = a.plain,
                   .in_region = b->region > 0};
  bool compared = !b->places.data[b->point].region;
  if (!a.hidden && compared) vec_push (&b->m->points.data[b->point].accesses, x);
}

// A race needs one thread outside atomic regions. If the region of the other thread has several points, only the
// accesses of its first point are compared.
static void note_region (build *b, const targets *t, access_kind a) {
  bool compared = !b->places.data[b->point].region;
  for (uint32_t k = 0; k < t->list.count && !a.hidden; k++) {
    uint32_t object = t->list.data[k].object;
    if (!b->region) build_facts_outside (b->facts, object, b->thread);
    else if (!compared && build_selected (b, IR_P_RACE) &&
             (object_at (b, object)->is.outside & ~((uint64_t) 1 << b->thread)) &&
             build_facts_shared (b->facts, object))
      build_doubt (b, t->list.data[k].condition, "a long atomic region may race with accesses outside");
  }
}

static void find_targets (build *b, term address, targets *t) {
  pointers_targets (&b->facts->pointers, address, t);
  build_doubt (b, t->crowded, "an address may point into too many objects");
  if (!t->wild) return;
  term known = b->terms->falsity;
  for (uint32_t i = 0; i < t->list.count; i++) known = term_or (b->terms, known, t->list.data[i].condition);
  build_doubt (b, term_not (b->terms, known), "an address comes from an input");
}

// An offset within the object that is none of the choices: the arithmetic wrapped around.
static void check_choices (build *b, const target *t, uint32_t bytes) {
  if (term_is_const (b->terms, t->offset) || t->steps.stride == 1) return;
  choices c = choices_for (b, t, 0, bytes);
  term any = b->terms->falsity;
  for (uint32_t n = 0; n < c.count && c.count <= LIMIT_MACHINE_CHOICES; n++)
    any = term_or (b->terms, any, is_place (b, t, c.first + n * c.stride));
  build_doubt (b, term_and (b->terms, t->condition, term_not (b->terms, any)),
               "the arithmetic of an address wraps around");
}

void store_check (build *b, term address, access_kind a, targets *good) {
  targets all = {0};
  find_targets (b, address, &all);
  term may = b->terms->falsity, stands = b->terms->falsity;
  for (uint32_t k = 0; k < all.list.count; k++) {
    target t = all.list.data[k];
    object_kind kind = object_at (b, t.object)->kind;
    if (!t.object || kind == OBJECT_FUNCTION || (kind == OBJECT_CONSTANT && a.write)) continue;
    t.condition = term_and (b->terms, t.condition, within (b, &t, a.bytes));
    stands = term_or (b->terms, stands, t.condition);
    t.condition = term_and (b->terms, t.condition, is_alive (b, t.object));
    may = term_or (b->terms, may, t.condition);
    if (!term_is_false (b->terms, t.condition)) vec_push (&good->list, t);
  }
  pointers_release_targets (&all);
  term before = b->alive;
  build_goal (b, IR_P_MEMORY, term_not (b->terms, may));
  for (uint32_t k = 0; k < good->list.count; k++) check_choices (b, &good->list.data[k], a.bytes);
  record_store_access (b, address, a, term_and (b->terms, before, stands));
  note_region (b, good, a);
}

// ---- allocation -------------------------------------------------------------------------------------
static void make_undefined (build *b, uint32_t object, bool zeroed, term condition) {
  build_object *o = object_at (b, object);
  if (!o->is.bytes) return;
  build_facts_cut (b->facts, object, 0);
  for (uint32_t k = 0; o->is.cuts && k < o->is.bytes;) {
    uint32_t end = cell_end (o, k);
    if (end - k > 8) {  // no thread reads the contents of large undefined memory
      k = end;
      continue;
    }
    build_facts_use (b->facts, object, b->thread, true);
    build_put (b, cell_variable (b, object, k, end - k), build_number (b, 8 * (end - k), 0), condition);
    build_put (b, undefined_variable (b, object, k), zeroed ? b->terms->falsity : b->terms->truth, condition);
    k = end;
  }
}

static term alloc_one (build *b, uint32_t ordinal, term size, term condition) {
  const ir_edge_data *d = ir_edge_at (b->program, b->edge);
  bool heap = d->aux != IR_ALLOC_STACK, constant = term_is_const (b->terms, size);
  uint64_t most =
      constant ? (uint64_t) term_value (b->terms, size) : (uint64_t) ~term_known_bits (b->terms, size).zeros;
  if (over_limit (MACHINE_OBJECT_BYTES, most)) {
    build_doubt (b, condition, "an object may be very large");
    most = 8;
  }
  build_object o = {.kind = heap ? OBJECT_HEAP : OBJECT_STACK,
                    .copy = b->copy,
                    .made_by = b->edge,
                    .is = {.bytes = (uint32_t) most, .sized = !constant}};
  uint32_t object = build_facts_object (b->facts, (uint64_t) b->copy << 32 | b->edge.i, ordinal, o);
  if (heap) build_cut (b, term_and (b->terms, condition, is_alive (b, object)), "objects made by one allocation");
  set_alive (b, object, b->terms->truth, condition);
  if (object_at (b, object)->is.sized)
    build_put (b, build_variable (b, V_SIZE, object, 0, 32, owner_of (b, object), build_number (b, 32, 0)),
               term_resize (b->terms, size, 32), condition);
  make_undefined (b, object, d->aux == IR_ALLOC_HEAP_ZEROED, condition);
  return pointers_to (&b->facts->pointers, object, 0);
}

// Heap objects of an allocation that is executed again and again are used one after the other.
void store_alloc (build *b) {
  const ir_edge_data *d = ir_edge_at (b->program, b->edge);
  term size = build_arg (b, 0);
  uint32_t most = d->aux == IR_ALLOC_STACK ? 0 : build_facts_repeats (b->facts, b->copy, b->edge);
  if (!most) {
    build_result (b, alloc_one (b, 0, size, b->terms->truth));
    return;
  }
  uint32_t made = build_variable (b, V_MADE, b->copy, b->edge.i, 8, b->thread, build_number (b, 8, 0));
  term count = build_get (b, made), address = build_number (b, b->program->pointer_bits, 0);
  build_cut (b, term_ule (b->terms, build_number (b, 8, most), count), "objects made by one allocation");
  for (uint32_t k = 0; k < most; k++) {
    term is_it = term_eq (b->terms, count, build_number (b, 8, k));
    address = term_ite (b->terms, is_it, alloc_one (b, k, size, is_it), address);
  }
  build_put (b, made, term_add (b->terms, count, build_number (b, 8, 1)), b->terms->truth);
  build_result (b, address);
}

void store_end_frame (build *b) {
  for (uint32_t k = 0; k < b->facts->objects.count; k++) {
    const build_object *o = object_at (b, k);
    if (o->kind == OBJECT_STACK && o->copy == b->copy) set_alive (b, k, b->terms->falsity, b->terms->truth);
  }
}

void store_end_thread (build *b) {
  for (uint32_t k = 0; k < b->facts->objects.count; k++) {
    const build_object *o = object_at (b, k);
    if (o->kind == OBJECT_STACK && b->facts->copies.data[o->copy].thread == b->thread)
      set_alive (b, k, b->terms->falsity, b->terms->truth);
  }
}

void store_object_size (build *b) {
  targets t = {0};
  find_targets (b, build_arg (b, 0), &t);
  unsigned bits = b->program->pointer_bits;
  term size = build_number (b, bits, 0);
  for (uint32_t k = 0; k < t.list.count; k++) {
    const target *x = &t.list.data[k];
    term there = term_and (b->terms, x->condition, is_alive (b, x->object));
    size = term_ite (b->terms, there, term_resize (b->terms, size_of (b, x->object), bits), size);
  }
  pointers_release_targets (&t);
  build_result (b, size);
}

void store_free (build *b) {
  term address = build_arg (b, 0), good = term_eq (b->terms, address, build_number (b, b->program->pointer_bits, 0));
  targets t = {0};
  find_targets (b, address, &t);
  term before = b->alive;
  for (uint32_t k = 0; k < t.list.count; k++) {
    const target *x = &t.list.data[k];
    if (object_at (b, x->object)->kind != OBJECT_HEAP) continue;
    term stands = is_place (b, x, 0), here = term_and (b->terms, stands, is_alive (b, x->object));
    record_store_access (b, address,
                         (access_kind){.bytes = object_at (b, x->object)->is.bytes, .write = true, .plain = true},
                         term_and (b->terms, before, stands));
    good = term_or (b->terms, good, here);
    set_alive (b, x->object, b->terms->falsity, here);
  }
  pointers_release_targets (&t);
  build_goal (b, IR_P_MEMORY, term_not (b->terms, good));
}

void store_forget (build *b) {
  targets t = {0};
  store_check (b, build_arg (b, 0), (access_kind){.bytes = 0, .write = true, .hidden = true}, &t);
  for (uint32_t k = 0; k < t.list.count; k++) {
    uint32_t object = t.list.data[k].object;
    if (!ends (object_at (b, object))) build_facts_forgotten (b->facts, object);
    if (can_be_undefined (object_at (b, object))) make_undefined (b, object, false, t.list.data[k].condition);
  }
  pointers_release_targets (&t);
}

// ---- shared memory ----------------------------------------------------------------------------------
static bool site_is_shared (const build *b, ir_edge e) {
  for (uint32_t k = 0; k < LIMIT_MACHINE_ROUNDS; k++) {
    const uint64_t *object = map_find (&b->facts->object_of, MADE_KEY ((uint64_t) b->copy << 32 | e.i, k));
    if (object && build_facts_shared (b->facts, (uint32_t) *object)) return true;
  }
  return false;
}

static bool frame_is_shared (const build *b) {
  for (uint32_t k = 0; k < b->facts->objects.count; k++)
    if (b->facts->objects.data[k].kind == OBJECT_STACK && b->facts->objects.data[k].copy == b->copy &&
        build_facts_shared (b->facts, k))
      return true;
  return false;
}

bool store_is_shared (build *b, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (b->program, e);
  if (d->op == IR_FENCE) return false;
  if (d->op == IR_RETURN) return frame_is_shared (b);
  if (d->op == IR_ALLOC) return site_is_shared (b, e);
  targets t = {0};
  bool shared = false;
  executor x = build_executor (b);
  pointers_targets (&b->facts->pointers, executor_eval (&x, ir_arg (b->program, e, 0)), &t);
  for (uint32_t k = 0; k < t.list.count; k++) shared |= build_facts_shared (b->facts, t.list.data[k].object);
  pointers_release_targets (&t);
  return shared;
}
