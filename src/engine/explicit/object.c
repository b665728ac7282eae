// Memory of the current state: objects by number, creation, death, writing; and when an object becomes visible to other
// threads.
//
// An object is private until its address is written to a shared object or passed to a new thread; accesses to a private
// object are local work. An address may be stored anywhere, also in a packed struct or in a buffer of bytes. An address
// in disguise (inverted, split) is not recognised when it is stored, only when it is used (run_is_disguised). Numbers
// of dead objects are used again as soon as nothing in the state refers to them; so programs which allocate and free in
// a loop have finitely many states while dangling pointers stay dangling.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"

static uint32_t num_pages (const state_object *o) { return o->size ? (o->size + PAGE_BYTES - 1) / PAGE_BYTES : 1; }

static void mark_page_dirty (current_state *w, state_object *o, uint32_t page) {
  while (o->page_dirty.count <= page) {
    vec_push (&o->page_dirty, 0);
    vec_push (&o->page_position, IR_NONE);
  }
  if (o->page_dirty.data[page]) return;
  o->page_dirty.data[page] = 1;
  vec_push (&w->dirty_pages, ((dirty_page){o, page}));
}

void xs_object_mark_dirty (current_state *w, state_object *o, uint32_t offset, uint32_t bytes) {
  uint32_t last = bytes ? (offset + bytes - 1) / PAGE_BYTES : offset / PAGE_BYTES;
  for (uint32_t page = offset / PAGE_BYTES; page <= last; page++) mark_page_dirty (w, o, page);
}

void xs_object_clear_pages (current_state *w, state_object *o) {
  for (uint32_t page = 0; page < o->page_dirty.count || page < num_pages (o); page++) mark_page_dirty (w, o, page);
}

// An object created at run time has its header in its first page, so the step depends on that page, too.
void xs_object_note_read (current_state *w, state_object *o, uint32_t offset, uint32_t bytes) {
  if (o->kind == OBJ_CONSTANT || o->kind == OBJ_FUNCTION) return;
  uint32_t last = (offset + (bytes ? bytes - 1 : 0)) / PAGE_BYTES;
  if (last >= num_pages (o)) last = num_pages (o) - 1;
  if (o->kind != OBJ_STATIC) vec_push (&w->step.reads, xs_state_page_position (w, o, 0));
  for (uint32_t page = offset / PAGE_BYTES; page <= last; page++)
    vec_push (&w->step.reads, xs_state_page_position (w, o, page));
}

// ---- references ---------------------------------------------------------------------------------------
static uint64_t read_pointer (const current_state *w, const uint8_t *bytes) {
  if (w->program->pointer_bits == 32) {
    uint32_t x;
    memcpy (&x, bytes, 4);
    return x;
  }
  uint64_t x;
  memcpy (&x, bytes, 8);
  return x;
}

// The upper bytes of an address are the object's number; the first of these bytes is rarely found, which makes memchr
// fast.
static bool bytes_refer (const current_state *w, const state_object *o, uint64_t number) {
  uint32_t offset = w->program->offset_bits / 8, bytes = w->program->pointer_bits / 8 - offset;
  if (o->size < offset + bytes) return false;
  const uint8_t *at = o->bytes + offset, *end = o->bytes + o->size - bytes + 1;
  while (at < end && (at = memchr (at, (int) (number & 255), (size_t) (end - at))))
    if (!memcmp (at++, &number, bytes)) return true;
  return false;
}

static bool object_refers (const current_state *w, const state_object *o, uint64_t number) {
  if (o->state != OBJ_ALIVE || o->kind == OBJ_CONSTANT || o->kind == OBJ_FUNCTION) return false;
  if (w->program->offset_bits % 8 == 0) return bytes_refer (w, o, number);
  uint32_t word = w->program->pointer_bits / 8;
  for (uint32_t at = 0; at + word <= o->size; at++)
    if (pointer_object (w, read_pointer (w, o->bytes + at)) == number) return true;
  return false;
}

static bool memory_refers (const current_state *w, uint64_t number) {
  for (uint32_t k = 1; k < w->num_static; k++)
    if (object_refers (w, w->statics[k], number)) return true;
  for (uint32_t t = 0; t < w->num_slots; t++)
    for (uint32_t k = 0; k < w->threads[t].objects.count; k++)
      if (w->threads[t].objects.data[k]->number != number && object_refers (w, w->threads[t].objects.data[k], number))
        return true;
  return false;
}

static bool is_referenced (const current_state *w, const state_object *o) {
  for (uint32_t t = 0; t < w->num_slots; t++)
    if (xs_thread_refers (w, t, o->number)) return true;
  return o->leaked && memory_refers (w, o->number);
}

// ---- life and death -----------------------------------------------------------------------------------
static void make_absent (current_state *w, state_object *o) {
  xs_object_clear_pages (w, o);
  o->state = OBJ_ABSENT;
}

void xs_object_kill (current_state *w, state_object *o, bool scan) {
  w->step.uncacheable = true;
  if (w->num_owned) xs_thread_disown (w, o);
  xs_object_clear_pages (w, o);
  o->state = OBJ_DEAD;
  if (scan && !is_referenced (w, o)) make_absent (w, o);
}

state_object *xs_object_add (current_state *w, uint32_t slot) {
  state_thread *t = &w->threads[slot];
  state_object *o = mem_zalloc (sizeof *o);
  o->number = w->num_static + t->objects.count * IR_MAX_THREADS + slot;
  vec_push (&t->objects, o);
  return o;
}

static state_object *unused_object (current_state *w, uint32_t slot) {
  state_thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->objects.count; k++) {
    state_object *o = t->objects.data[k];
    if (o->state == OBJ_ABSENT) return o;
    if (o->state == OBJ_DEAD && o->kind != OBJ_TLS && !is_referenced (w, o)) return o;
  }
  return xs_object_add (w, slot);
}

static void reserve_bytes (state_object *o, uint32_t size) {
  if (size <= o->capacity && o->bytes) return;
  if (!size) size = 1;  // buffers must exist even for size 0
  mem_free (o->bytes, o->capacity);
  mem_free (o->undefined, o->capacity);
  o->bytes = mem_alloc (size);
  o->undefined = mem_alloc (size);
  o->capacity = size;
}

void xs_object_resize (state_object *o, uint32_t size) {
  reserve_bytes (o, size);
  o->size = size;
}

state_object *xs_object_allocate (current_state *w, uint32_t slot, state_object_kind kind, uint64_t size,
                                  bool undefined, uint64_t *pointer) {
  w->step.uncacheable = true;
  state_object *o = unused_object (w, slot);
  xs_object_clear_pages (w, o);  // pages of the object that had this number before
  xs_object_resize (o, (uint32_t) size);
  o->kind = (uint8_t) kind;
  o->state = OBJ_ALIVE;
  o->shared = o->leaked = false;
  o->any_undefined = undefined;
  memset (o->bytes, 0, size);
  if (undefined) memset (o->undefined, XS_ALL_BITS, size);
  o->depth = o->order = 0;
  xs_object_clear_pages (w, o);
  *pointer = (uint64_t) o->number << w->program->offset_bits;
  return o;
}

// ---- visibility ---------------------------------------------------------------------------------------
static state_object *dynamic_target (const current_state *w, uint64_t value) {
  if (pointer_object (w, value) < w->num_static) return NULL;
  return xs_object_find (w, value);
}

void xs_object_publish (current_state *w, uint64_t value) {
  w->step.uncacheable = true;
  state_object *o = dynamic_target (w, value);
  if (!o) return;
  if (!o->leaked) {
    o->leaked = true;
    xs_object_mark_dirty (w, o, 0, 0);
  }
  if (o->shared || o->state != OBJ_ALIVE) return;
  o->shared = true;
  xs_object_mark_dirty (w, o, 0, 0);
  uint32_t word = w->program->pointer_bits / 8;
  for (uint32_t at = 0; at + word <= o->size; at++) xs_object_publish (w, read_pointer (w, o->bytes + at));
}

static void record_stored_address (current_state *w, const state_object *into, uint32_t at) {
  uint64_t value = read_pointer (w, into->bytes + at);
  if (pointer_object (w, value) < w->num_static) return;
  w->step.uncacheable = true;
  state_object *o = dynamic_target (w, value);
  if (!o) return;
  if (into->shared) xs_object_publish (w, value);
  else if (!o->leaked) {
    o->leaked = true;
    xs_object_mark_dirty (w, o, 0, 0);
  }
}

// Examines the aligned words that were written, and an unaligned one that begins at `offset`.
void xs_object_note_store (current_state *w, state_object *into, uint32_t offset, uint32_t bytes) {
  uint32_t word = w->program->pointer_bits / 8;
  for (uint32_t at = offset - offset % word; at < offset + bytes && at + word <= into->size; at += word)
    record_stored_address (w, into, at);
  if (offset % word && bytes >= word) record_stored_address (w, into, offset);
}

// ---- access -------------------------------------------------------------------------------------------
uint32_t xs_object_word (const state_object *o, uint32_t offset) {
  uint32_t x = 0;
  if (offset + 4 <= o->size) memcpy (&x, o->bytes + offset, 4);
  return x;
}

uint32_t xs_object_word_at (const current_state *w, uint64_t address, uint32_t field) {
  const state_object *o = xs_object_find (w, address);
  return o ? xs_object_word (o, (uint32_t) pointer_offset (w, address) + field) : 0;
}

void xs_object_set_word (current_state *w, state_object *o, uint32_t offset, uint32_t value) {
  if (offset + 4 > o->size) return;
  xs_object_mark_dirty (w, o, offset, 4);
  memcpy (o->bytes + offset, &value, 4);
  if (o->any_undefined) memset (o->undefined + offset, 0, 4);
}
