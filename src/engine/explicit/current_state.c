// The current state: one concrete state, changed in place by execution, loaded from and committed to tuples of
// components. Loading compares the wanted tuple with the present one and restores only the differences; committing
// packs only what was changed: so a step costs time in proportion to what it changes.
#include <string.h>

#include "analysis/wakers.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "base/rng.h"
#include "engine/explicit/explicit_impl.h"

typedef struct page_header {
  uint8_t kind, state, shared, leaked;
  uint8_t any_undefined, page_undefined;
  uint16_t depth, order;
  uint16_t padding;
  uint32_t size;
} page_header;

// ---- positions ----------------------------------------------------------------------------------------
void position_names_init (position_names *n) {
  *n = (position_names){0};
  mutex_init (&n->mutex);
}

void position_names_release (position_names *n) {
  pthread_mutex_destroy (&n->mutex);
  vec_release (&n->names);
  map_release (&n->numbers);
}

// Returns the object of that number; an object that this current state has never had is absent.
static state_object *object_numbered (current_state *w, uint32_t number) {
  if (number < w->num_static) return w->statics[number];
  uint32_t slot = (number - w->num_static) % IR_MAX_THREADS, index = (number - w->num_static) / IR_MAX_THREADS;
  if (slot >= w->num_slots) w->num_slots = slot + 1;
  while (w->threads[slot].objects.count <= index) xs_object_add (w, slot);
  return w->threads[slot].objects.data[index];
}

static void learn_thread_position (current_state *w, uint32_t slot) {
  if (slot >= w->num_slots) w->num_slots = slot + 1;
  w->threads[slot].position = w->positions.count;
  vec_push (&w->positions, ((position){.is_thread = true, .slot = slot}));
}

static void learn_page_position (current_state *w, uint32_t number, uint32_t page) {
  state_object *o = object_numbered (w, number);
  while (o->page_position.count <= page) {
    vec_push (&o->page_dirty, 0);
    vec_push (&o->page_position, IR_NONE);
  }
  o->page_position.data[page] = w->positions.count;
  vec_push (&w->positions, ((position){.object = o, .page = page}));
}

static void learn_positions (current_state *w) {
  for (uint32_t k = w->positions.count; k < w->names->names.count; k++) {
    position_name n = w->names->names.data[k];
    if (n.object == IR_NONE) learn_thread_position (w, n.index);
    else learn_page_position (w, n.object, n.index);
    vec_push (&w->ids, 0);
  }
}

// Learns the positions that other workers have named.
static void learn_all_positions (current_state *w) {
  pthread_mutex_lock (&w->names->mutex);
  learn_positions (w);
  pthread_mutex_unlock (&w->names->mutex);
}

static void name_position (current_state *w, position_name n) {
  bool is_new;
  pthread_mutex_lock (&w->names->mutex);
  map_insert (&w->names->numbers, (uint64_t) n.object << 32 | n.index, w->names->names.count, &is_new);
  if (is_new) vec_push (&w->names->names, n);
  learn_positions (w);
  pthread_mutex_unlock (&w->names->mutex);
}

bool xs_state_is_only_thread (const current_state *w) {
  if (w->running > 1) return false;
  for (uint32_t t = 0; w->notices_ended && t < w->num_slots; t++)
    if (w->threads[t].status == T_ENDED) return false;
  return true;
}

void xs_state_mark_thread (current_state *w, uint32_t slot) {
  state_thread *t = &w->threads[slot];
  if (t->dirty) return;
  t->dirty = true;
  vec_push (&w->dirty_threads, slot);
}

// ---- pages --------------------------------------------------------------------------------------------
static uint32_t page_bytes (const state_object *o, uint32_t page) {
  uint32_t from = page * PAGE_BYTES;
  if (o->size <= from) return 0;
  return o->size - from < PAGE_BYTES ? o->size - from : PAGE_BYTES;
}

static bool page_undefined (const state_object *o, uint32_t page) {
  const uint8_t *bits = o->undefined + page * PAGE_BYTES;
  uint32_t bytes = o->any_undefined ? page_bytes (o, page) : 0;
  for (uint32_t k = 0; k < bytes; k++)
    if (bits[k]) return true;
  return false;
}

// Packs a page; absent objects and pages beyond the end become position value 0.
static uint32_t pack_page (current_state *w, state_object *o, uint32_t page) {
  uint32_t bytes = page_bytes (o, page);
  if (o->state == OBJ_ABSENT || (page && (o->state == OBJ_DEAD || !bytes))) return 0;
  page_header h = {o->kind,  o->state, o->shared, o->leaked, o->any_undefined, page_undefined (o, page),
                   o->depth, o->order, 0,         o->size};
  if (o->size <= PAGE_BYTES || o->initial) h.any_undefined = h.page_undefined;
  if (o->state == OBJ_DEAD) h = (page_header){.kind = o->kind, .state = OBJ_DEAD, .leaked = o->leaked};
  vec_reserve (&w->scratch, sizeof h + 2 * PAGE_BYTES);
  memcpy (w->scratch.data, &h, sizeof h);
  uint32_t size = sizeof h;
  if (o->state == OBJ_ALIVE) {
    memcpy (w->scratch.data + size, o->bytes + page * PAGE_BYTES, bytes);
    size += bytes;
    if (h.page_undefined) {
      memcpy (w->scratch.data + size, o->undefined + page * PAGE_BYTES, bytes);
      size += bytes;
    }
  }
  return store_intern (w->store, w->scratch.data, size);
}

// Static objects have no page header that says so, because an unchanged page is not packed.
static void allow_undefined (state_object *o) {
  if (!o->any_undefined) memset (o->undefined, 0, o->size);
  o->any_undefined = true;
}

static void unpack_page (state_object *o, uint32_t page, const uint8_t *bytes) {
  page_header h;
  memcpy (&h, bytes, sizeof h);
  if (o->size != h.size || h.size > o->capacity) xs_object_resize (o, h.size);
  if (!page) {
    o->kind = h.kind, o->state = h.state;
    o->shared = h.shared, o->leaked = h.leaked;
    o->depth = h.depth, o->order = h.order;
    if (!o->initial) o->any_undefined = h.any_undefined;
  }
  if (o->initial && h.page_undefined) allow_undefined (o);
  if (h.state != OBJ_ALIVE) return;
  uint32_t count = page_bytes (o, page);
  memcpy (o->bytes + page * PAGE_BYTES, bytes + sizeof h, count);
  if (h.page_undefined) memcpy (o->undefined + page * PAGE_BYTES, bytes + sizeof h + count, count);
  else memset (o->undefined + page * PAGE_BYTES, 0, count);
}

static void reset_page (state_object *o, uint32_t page) {
  uint32_t from = page * PAGE_BYTES, bytes = page_bytes (o, page);
  if (o->initial) {
    memcpy (o->bytes + from, o->initial + from, bytes);
    if (o->any_undefined) memset (o->undefined + from, 0, bytes);
  } else if (!page) o->state = OBJ_ABSENT;
}

// A static page that equals its initial content, all of it defined, is position value 0; so the first write of the old
// content closes cycles.
static uint32_t page_component (current_state *w, state_object *o, uint32_t page) {
  uint32_t from = page * PAGE_BYTES;
  if (o->initial && !page_undefined (o, page) && !memcmp (o->bytes + from, o->initial + from, page_bytes (o, page)))
    return 0;
  return pack_page (w, o, page);
}

// ---- commit and load ----------------------------------------------------------------------------------
static void set_current (current_state *w, uint32_t position, uint32_t id) {
  uint32_t old = w->ids.data[position];
  if (old == id) return;
  if (old) w->hash -= hash_pair (position, old);
  if (id) w->hash += hash_pair (position, id);
  w->ids.data[position] = id;
}

static void commit_thread (current_state *w, uint32_t slot) {
  state_thread *t = &w->threads[slot];
  t->dirty = false;
  if (t->position == IR_NONE) name_position (w, (position_name){IR_NONE, slot});
  uint32_t id = 0;
  if (t->status != T_FREE) {
    xs_thread_pack (w, slot);
    id = store_intern (w->store, w->scratch.data, w->scratch.count);
  }
  set_current (w, t->position, id);
}

uint32_t xs_state_page_position (current_state *w, state_object *o, uint32_t page) {
  if (o->page_position.count <= page || o->page_position.data[page] == IR_NONE)
    name_position (w, (position_name){o->number, page});
  return o->page_position.data[page];
}

static void commit_page (current_state *w, dirty_page d) {
  d.object->page_dirty.data[d.page] = 0;
  set_current (w, xs_state_page_position (w, d.object, d.page), page_component (w, d.object, d.page));
}

void xs_state_commit (current_state *w) {
  for (uint32_t k = 0; k < w->dirty_threads.count; k++) commit_thread (w, w->dirty_threads.data[k]);
  for (uint32_t k = 0; k < w->dirty_pages.count; k++) commit_page (w, w->dirty_pages.data[k]);
  vec_clear (&w->dirty_threads);
  vec_clear (&w->dirty_pages);
}

// Gives up uncommitted changes: dirty parts no longer match `ids`, so loading must restore them.
static void give_up_changes (current_state *w) {
  for (uint32_t k = 0; k < w->dirty_threads.count; k++) {
    state_thread *t = &w->threads[w->dirty_threads.data[k]];
    t->dirty = false;
    if (t->position == IR_NONE) xs_thread_unpack (w, w->dirty_threads.data[k], NULL, 0);
    else vec_push (&w->stale, t->position);
  }
  for (uint32_t k = 0; k < w->dirty_pages.count; k++) {
    dirty_page d = w->dirty_pages.data[k];
    d.object->page_dirty.data[d.page] = 0;
    if (d.object->page_position.data[d.page] == IR_NONE) reset_page (d.object, d.page);
    else vec_push (&w->stale, d.object->page_position.data[d.page]);
  }
  vec_clear (&w->dirty_threads);
  vec_clear (&w->dirty_pages);
}

static void restore_component (current_state *w, uint32_t at, uint32_t id) {
  const position *p = &w->positions.data[at];
  uint32_t size = 0;
  const uint8_t *bytes = id ? store_component (w->store, id, &size) : NULL;
  if (p->is_thread) xs_thread_unpack (w, p->slot, bytes, size);
  else if (bytes) unpack_page (p->object, p->page, bytes);
  else reset_page (p->object, p->page);
}

void xs_state_load (current_state *w, const uint32_t *ids, uint32_t count) {
  if (count > w->positions.count) learn_all_positions (w);
  vec_clear (&w->stale);
  give_up_changes (w);
  for (uint32_t k = 0; k < w->stale.count; k++) {
    uint32_t at = w->stale.data[k], id = at < count ? ids[at] : 0;
    set_current (w, at, id);
    restore_component (w, at, id);
  }
  for (uint32_t at = 0; at < w->ids.count; at++) {
    uint32_t id = at < count ? ids[at] : 0;
    if (w->ids.data[at] == id) continue;
    set_current (w, at, id);
    restore_component (w, at, id);
  }
  w->running = w->num_owned = 0;
  for (uint32_t t = 0; t < w->num_slots; t++) {
    w->running += w->threads[t].status == T_RUNNING;
    w->num_owned += w->threads[t].owned.count;
  }
}

// ---- choices ------------------------------------------------------------------------------------------
uint32_t xs_step_choose (current_state *w, uint32_t alternatives) {
  uint32_t first = w->chooser ? rng_below (w->chooser, alternatives) : 0;
  if (w->step.next_choice == w->step.choices.count) vec_push (&w->step.choices, ((choice_point){alternatives, first}));
  choice_point *c = &w->step.choices.data[w->step.next_choice++];
  CHECK (c->alternatives == alternatives, "a step should repeat itself (%u alternatives, now %u)", c->alternatives,
         alternatives);
  return c->taken;
}

bool xs_step_next_choices (current_state *w) {
  while (w->step.choices.count) {
    choice_point *c = &vec_last (&w->step.choices);
    if (++c->taken < c->alternatives) return true;
    w->step.choices.count--;
  }
  return false;
}

void xs_step_begin (current_state *w) {
  w->step.next_choice = 0;
  vec_clear (&w->step.chosen);
  vec_clear (&w->step.parts);
  vec_clear (&w->step.starts);
  vec_clear (&w->step.accessed);
  w->step.took_sticky_jump = w->step.spurious = false;
  vec_clear (&w->step.violations);
  vec_clear (&w->step.reads);
  w->step.uncacheable = false;
  w->step.stop_message = NULL;
}

// ---- life cycle ---------------------------------------------------------------------------------------
static void apply_relocations (const ir_program *p, const ir_object_data *d, uint8_t *bytes) {
  for (uint32_t k = 0; k < d->relocations.count; k++) {
    const ir_relocation *r = &d->relocations.data[k];
    uint64_t value = ((uint64_t) r->target.i << p->offset_bits) + r->addend;
    memcpy (bytes + r->offset, &value, p->pointer_bits / 8);
  }
}

static state_object *static_object (const ir_program *p, uint32_t number) {
  const ir_object_data *d = &p->objects.data[number];
  static const uint8_t kinds[] = {[IR_O_GLOBAL] = OBJ_STATIC,
                                  [IR_O_CONSTANT] = OBJ_CONSTANT,
                                  [IR_O_THREAD_LOCAL] = OBJ_TLS,
                                  [IR_O_FUNCTION] = OBJ_FUNCTION};
  state_object *o = mem_zalloc (sizeof *o);
  o->number = number;
  o->kind = kinds[d->kind];
  o->state = OBJ_ALIVE;
  o->shared = o->leaked = d->kind == IR_O_GLOBAL;
  xs_object_resize (o, d->size);
  o->initial = mem_zalloc (d->size);
  if (d->init) memcpy (o->initial, d->init, d->size);
  apply_relocations (p, d, o->initial);
  if (d->size) memcpy (o->bytes, o->initial, d->size);
  return o;
}

void xs_state_init (current_state *w, const code *c, const semantics *s, store *st, position_names *names) {
  *w = (current_state){.code = c,
                       .program = c->program,
                       .semantics = s,
                       .store = st,
                       .names = names,
                       .ignored_error = IR_NONE,
                       .broken_ownership = IR_NONE,
                       .misused = IR_NONE};
  w->num_static = c->program->objects.count;
  w->statics = mem_zalloc (sizeof *w->statics * w->num_static);
  for (uint32_t k = 1; k < w->num_static; k++) {
    w->statics[k] = static_object (c->program, k);
    if (w->statics[k]->kind == OBJ_TLS) vec_push (&w->tls, k);
  }
  for (uint32_t t = 0; t < IR_MAX_THREADS; t++) w->threads[t].position = IR_NONE;
  w->values = values_new (c->program);
  w->words = words_new (c->program);
  w->reached = w->own_reached = mem_zalloc (c->program->edges.count + 1);
  w->wakers = wakers_new (c->program);
}

static void object_free (state_object *o) {
  if (!o) return;
  mem_free (o->bytes, o->capacity);
  mem_free (o->undefined, o->capacity);
  if (o->initial) mem_free (o->initial, o->size);
  vec_release (&o->page_position);
  vec_release (&o->page_dirty);
  mem_free (o, sizeof *o);
}

void xs_step_release (step_record *s) {
  vec_release (&s->choices);
  vec_release (&s->chosen);
  vec_release (&s->parts);
  vec_release (&s->starts);
  vec_release (&s->accessed);
  vec_release (&s->violations);
  vec_release (&s->reads);
}

void xs_state_release (current_state *w) {
  for (uint32_t k = 0; k < w->num_static; k++) object_free (w->statics[k]);
  mem_free (w->statics, sizeof *w->statics * w->num_static);
  for (uint32_t t = 0; t < IR_MAX_THREADS; t++) {
    state_thread *th = &w->threads[t];
    for (uint32_t k = 0; k < th->objects.count; k++) object_free (th->objects.data[k]);
    vec_release (&th->objects);
    vec_release (&th->held);
    vec_release (&th->owned);
    vec_release (&th->frames);
    vec_release (&th->regs);
  }
  vec_release (&w->tls);
  vec_release (&w->positions);
  vec_release (&w->ids);
  vec_release (&w->stale);
  vec_release (&w->dirty_threads);
  vec_release (&w->dirty_pages);
  vec_release (&w->scratch);
  xs_step_release (&w->step);
  values_free (w->values);
  words_free (w->words);
  mem_free (w->own_reached, w->code->program->edges.count + 1);
  wakers_free (w->wakers, w->program);
}
