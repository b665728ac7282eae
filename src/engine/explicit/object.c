// Memory of the world: objects by number, made, killed, written; and when an object becomes visible to others.
//
// An object is private until its address is written to a shared object or handed to a new thread; accesses to a
// private object are local work.  An address may lie anywhere, also in a packed struct or in a buffer of bytes; one in disguise
// (inverted, split) is not seen, but is when it is used (run_is_disguised).  Numbers of dead objects are used again once nothing in the state refers to them,
// so that programs which allocate and free in a loop have finitely many states while dangling pointers stay dangling.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"

static uint32_t num_pages (const object *o) { return o->size ? (o->size + PAGE_BYTES - 1) / PAGE_BYTES : 1; }

static void touch_page (world *w, object *o, uint32_t page) {
  while (o->page_dirty.count <= page) {
    vec_push (&o->page_dirty, 0);
    vec_push (&o->page_position, IR_NONE);
  }
  if (o->page_dirty.data[page]) return;
  o->page_dirty.data[page] = 1;
  vec_push (&w->dirty_pages, ((dirty_page){o, page}));
}

void xs_object_touch (world *w, object *o, uint32_t offset, uint32_t bytes) {
  uint32_t last = bytes ? (offset + bytes - 1) / PAGE_BYTES : offset / PAGE_BYTES;
  for (uint32_t page = offset / PAGE_BYTES; page <= last; page++) touch_page (w, o, page);
}

void xs_object_clear_pages (world *w, object *o) {
  for (uint32_t page = 0; page < o->page_dirty.count || page < num_pages (o); page++) touch_page (w, o, page);
}

// An object made at run time has its header in its first page.
void xs_object_note_read (world *w, object *o, uint32_t offset, uint32_t bytes) {
  if (o->kind == OBJ_CONSTANT || o->kind == OBJ_FUNCTION) return;
  uint32_t last = (offset + (bytes ? bytes - 1 : 0)) / PAGE_BYTES;
  if (last >= num_pages (o)) last = num_pages (o) - 1;
  if (o->kind != OBJ_STATIC) vec_push (&w->step.reads, world_page_position (w, o, 0));
  for (uint32_t page = offset / PAGE_BYTES; page <= last; page++)
    vec_push (&w->step.reads, world_page_position (w, o, page));
}

// ---- references ----------------------------------------------------------------------------------------
static uint64_t read_pointer (const world *w, const uint8_t *bytes) {
  if (w->program->pointer_bits == 32) {
    uint32_t x;
    memcpy (&x, bytes, 4);
    return x;
  }
  uint64_t x;
  memcpy (&x, bytes, 8);
  return x;
}

// The upper bytes of an address are the number, the first of them is rarely met.
static bool bytes_refer (const world *w, const object *o, uint64_t number) {
  uint32_t offset = w->program->offset_bits / 8, bytes = w->program->pointer_bits / 8 - offset;
  if (o->size < offset + bytes) return false;
  const uint8_t *at = o->bytes + offset, *end = o->bytes + o->size - bytes + 1;
  while (at < end && (at = memchr (at, (int) (number & 255), (size_t) (end - at))))
    if (!memcmp (at++, &number, bytes)) return true;
  return false;
}

static bool object_refers (const world *w, const object *o, uint64_t number) {
  if (o->state != OBJ_ALIVE || o->kind == OBJ_CONSTANT || o->kind == OBJ_FUNCTION) return false;
  if (w->program->offset_bits % 8 == 0) return bytes_refer (w, o, number);
  uint32_t word = w->program->pointer_bits / 8;
  for (uint32_t at = 0; at + word <= o->size; at++)
    if (pointer_object (w, read_pointer (w, o->bytes + at)) == number) return true;
  return false;
}

static bool memory_refers (const world *w, uint64_t number) {
  for (uint32_t k = 1; k < w->num_static; k++)
    if (object_refers (w, w->statics[k], number)) return true;
  for (uint32_t t = 0; t < w->num_slots; t++)
    for (uint32_t k = 0; k < w->threads[t].objects.count; k++)
      if (w->threads[t].objects.data[k]->number != number && object_refers (w, w->threads[t].objects.data[k], number))
        return true;
  return false;
}

static bool is_referenced (const world *w, const object *o) {
  for (uint32_t t = 0; t < w->num_slots; t++)
    if (xs_thread_refers (w, t, o->number)) return true;
  return o->leaked && memory_refers (w, o->number);
}

// ---- life and death ------------------------------------------------------------------------------------
static void make_absent (world *w, object *o) {
  xs_object_clear_pages (w, o);
  o->state = OBJ_ABSENT;
}

void xs_object_kill (world *w, object *o, bool scan) {
  w->step.uncacheable = true;
  if (w->num_owned) xs_thread_disown (w, o);
  xs_object_clear_pages (w, o);
  o->state = OBJ_DEAD;
  if (scan && !is_referenced (w, o)) make_absent (w, o);
}

object *xs_object_add (world *w, uint32_t slot) {
  thread *t = &w->threads[slot];
  object *o = mem_zalloc (sizeof *o);
  o->number = w->num_static + t->objects.count * IR_MAX_THREADS + slot;
  vec_push (&t->objects, o);
  return o;
}

static object *free_object (world *w, uint32_t slot) {
  thread *t = &w->threads[slot];
  for (uint32_t k = 0; k < t->objects.count; k++) {
    object *o = t->objects.data[k];
    if (o->state == OBJ_ABSENT) return o;
    if (o->state == OBJ_DEAD && o->kind != OBJ_TLS && !is_referenced (w, o)) return o;
  }
  return xs_object_add (w, slot);
}

static void reserve_bytes (object *o, uint32_t size) {
  if (size <= o->capacity && o->bytes) return;
  if (!size) size = 1;  // so that the buffers exist
  mem_free (o->bytes, o->capacity);
  mem_free (o->undefined, o->capacity);
  o->bytes = mem_alloc (size);
  o->undefined = mem_alloc (size);
  o->capacity = size;
}

void xs_object_resize (object *o, uint32_t size) {
  reserve_bytes (o, size);
  o->size = size;
}

object *xs_object_allocate (world *w, uint32_t slot, object_kind kind, uint64_t size, bool undefined,
                            uint64_t *pointer) {
  w->step.uncacheable = true;
  object *o = free_object (w, slot);
  xs_object_clear_pages (w, o);  // of its former self
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

// ---- visibility ----------------------------------------------------------------------------------------
static object *dynamic_target (const world *w, uint64_t value) {
  if (pointer_object (w, value) < w->num_static) return NULL;
  return xs_object_find (w, value);
}

void xs_object_publish (world *w, uint64_t value) {
  w->step.uncacheable = true;
  object *o = dynamic_target (w, value);
  if (!o) return;
  if (!o->leaked) {
    o->leaked = true;
    xs_object_touch (w, o, 0, 0);
  }
  if (o->shared || o->state != OBJ_ALIVE) return;
  o->shared = true;
  xs_object_touch (w, o, 0, 0);
  uint32_t word = w->program->pointer_bits / 8;
  for (uint32_t at = 0; at + word <= o->size; at++) xs_object_publish (w, read_pointer (w, o->bytes + at));
}

static void note_address (world *w, const object *into, uint32_t at) {
  uint64_t value = read_pointer (w, into->bytes + at);
  if (pointer_object (w, value) < w->num_static) return;
  w->step.uncacheable = true;
  object *o = dynamic_target (w, value);
  if (!o) return;
  if (into->shared) xs_object_publish (w, value);
  else if (!o->leaked) {
    o->leaked = true;
    xs_object_touch (w, o, 0, 0);
  }
}

// Where words begin; and where this one does.
void xs_object_note_store (world *w, object *into, uint32_t offset, uint32_t bytes) {
  uint32_t word = w->program->pointer_bits / 8;
  for (uint32_t at = offset - offset % word; at < offset + bytes && at + word <= into->size; at += word)
    note_address (w, into, at);
  if (offset % word && bytes >= word) note_address (w, into, offset);
}

// ---- access --------------------------------------------------------------------------------------------
uint32_t xs_object_word (const object *o, uint32_t offset) {
  uint32_t x = 0;
  if (offset + 4 <= o->size) memcpy (&x, o->bytes + offset, 4);
  return x;
}

void xs_object_set_word (world *w, object *o, uint32_t offset, uint32_t value) {
  if (offset + 4 > o->size) return;
  xs_object_touch (w, o, offset, 4);
  memcpy (o->bytes + offset, &value, 4);
  if (o->any_undefined) memset (o->undefined + offset, 0, 4);
}
