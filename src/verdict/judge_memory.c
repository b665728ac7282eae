// Stores memory objects.  Static objects lie in an array by their id, the dynamic ones of a slot in a growing table by
// their index.  A dead object keeps its record (for messages) and releases its bytes, so a dangling pointer meets the
// dead object that it pointed to.  A number is used again only if pointers have no bits left for a new one, which
// happens soon with 32-bit pointers; then the object that has been dead for longest gives its number.  The dead objects
// of a slot wait in a queue.
//
// Undefined bits are set bits of flags beside the bytes; if only some bits of a byte are undefined, these bits are 0 in
// the byte.  Stack and heap objects start with both in one block (bytes, then flags); other objects get flags when a
// byte first becomes undefined, which for static objects is very rare.
#include "base/limits.h"
#include "verdict/verdict_impl.h"

enum { ALL_BITS = 0xff };  // of a byte that is undefined as a whole

static bool flags_are_inside (const object *o) { return o->undefined && o->undefined == o->bytes + o->size; }

static void release_bytes (object *o) {
  if (!o->bytes) return;
  bool inside = flags_are_inside (o);
  if (o->undefined && !inside) mem_free (o->undefined, o->size);
  mem_free (o->bytes, inside ? 2 * (size_t) o->size : o->size);
  o->bytes = o->undefined = NULL;
}

static void write_little_endian (uint8_t *at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t) (value >> (8 * i));
}

static void fill_initial (machine *m, uint8_t *bytes, const ir_object_data *d) {
  const ir_program *p = m->program;
  if (d->init) memcpy (bytes, d->init, d->size);
  for (uint32_t i = 0; i < d->relocations.count; i++) {
    const ir_relocation *r = &d->relocations.data[i];
    write_little_endian (bytes + r->offset, address_make (p, r->target.i, r->addend), p->pointer_bits / 8);
  }
}

void memory_init (machine *m) {
  const ir_program *p = m->program;
  static const uint8_t kinds[] = {[IR_O_GLOBAL] = OBJECT_GLOBAL,
                                  [IR_O_CONSTANT] = OBJECT_CONSTANT,
                                  [IR_O_THREAD_LOCAL] = OBJECT_TEMPLATE,
                                  [IR_O_FUNCTION] = OBJECT_FUNCTION};
  m->statics = mem_zalloc (sizeof (object) * p->objects.count);
  for (uint32_t i = 1; i < p->objects.count; i++) {
    const ir_object_data *d = &p->objects.data[i];
    object *o = &m->statics[i];
    *o = (object){.kind = kinds[d->kind], .size = d->size, .origin = i, .alive = true};
    if (o->kind == OBJECT_TEMPLATE) vec_push (&m->thread_locals, i);
    if (o->kind > OBJECT_CONSTANT) continue;
    o->bytes = mem_zalloc (d->size);
    fill_initial (m, o->bytes, d);
  }
}

void memory_release (machine *m) {
  for (uint32_t i = 0; i < m->program->objects.count; i++) release_bytes (&m->statics[i]);
  mem_free (m->statics, sizeof (object) * m->program->objects.count);
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) {
    for (uint32_t k = 0; k < m->dynamic[slot].count; k++) release_bytes (&m->dynamic[slot].data[k]);
    vec_release (&m->dynamic[slot]);
  }
  vec_release (&m->thread_locals);
}

object *object_find (machine *m, uint64_t number) {
  uint64_t n = m->program->objects.count;
  if (number < n) return &m->statics[number];
  object_table *table = &m->dynamic[(number - n) % IR_MAX_THREADS];
  uint64_t index = (number - n) / IR_MAX_THREADS;
  return index < table->count ? &table->data[index] : NULL;
}

uint32_t object_slot (const machine *m, uint64_t number) {
  uint64_t n = m->program->objects.count;
  return number < n ? IR_NONE : (uint32_t) ((number - n) % IR_MAX_THREADS);
}

static object *object_of_address (machine *m, uint64_t address) {
  return object_find (m, address_object (m->program, address));
}

// ---- numbers of dynamic objects --------------------------------------------------------------------------

static bool number_fits (const ir_program *p, uint64_t number) {
  return !(number >> (p->pointer_bits - p->offset_bits));
}

static void queue_put (machine *m, uint32_t slot, uint32_t index) {
  dead_queue *q = &m->dead[slot];
  object *table = m->dynamic[slot].data;
  table[index].next_dead = IR_NONE;
  if (q->count++) table[q->last].next_dead = index;
  else q->first = index;
  q->last = index;
}

static uint32_t queue_take (machine *m, uint32_t slot) {
  dead_queue *q = &m->dead[slot];
  uint32_t index = q->first;
  q->first = m->dynamic[slot].data[index].next_dead;
  q->count--;
  return index;
}

// Returns the index for a new object of the slot; IR_NONE: all numbers are in use.
static uint32_t new_index (machine *m, uint32_t slot) {
  object_table *table = &m->dynamic[slot];
  if (number_fits (m->program, object_number (m->program, slot, table->count))) {
    vec_push (table, (object){0});
    return table->count - 1;
  }
  return m->dead[slot].count ? queue_take (m, slot) : IR_NONE;
}

// ---- birth and death -------------------------------------------------------------------------------------

bool memory_new (machine *m, uint32_t slot, judge_object_kind kind, ir_value size, bool zeroed, uint32_t origin,
                 uint64_t *address) {
  const ir_program *p = m->program;
  if (over_limit (INTERPRETER_OBJECT_BYTES, size) || size >= (ir_value) 1 << p->offset_bits) {
    m->stop = arena_printf (m->arena, "an object of %llu bytes is more than the interpreter can hold",
                            (unsigned long long) size);
    m->too_large = true;
    return false;
  }
  uint32_t index = new_index (m, slot);
  if (index == IR_NONE) {
    m->stop = "too many memory objects for the pointers of this data model";
    m->too_large = true;
    return false;
  }
  object o = {.kind = (uint8_t) kind, .size = (uint32_t) size, .origin = origin, .ended_by = IR_NONE, .alive = true};
  if (zeroed) o.bytes = mem_zalloc (o.size);
  else {
    o.bytes = mem_alloc (2 * (size_t) o.size);
    o.undefined = o.bytes + o.size;
    memset (o.bytes, 0, o.size);
    memset (o.undefined, ALL_BITS, o.size);
  }
  m->dynamic[slot].data[index] = o;
  *address = address_make (p, object_number (p, slot, index), 0);
  return true;
}

void memory_kill (machine *m, uint64_t number) {
  object *o = object_find (m, number);
  if (m->num_owned) own_end_object (m, number);
  o->alive = false;
  release_bytes (o);
  if (o->kind != OBJECT_THREAD_LOCAL) queue_put (m, object_slot (m, number), object_index (m->program, number));
}

// The thread-local copies follow each other.  If the slot has no numbers left, they get those of the previous thread of
// the slot.
void memory_new_locals (machine *m, thread *t) {
  object_table *table = &m->dynamic[t->slot];
  uint32_t count = m->thread_locals.count;
  bool again =
      count && table->count && !number_fits (m->program, object_number (m->program, t->slot, table->count + count - 1));
  if (!again) {
    t->first_local = table->count;
    for (uint32_t i = 0; i < count; i++) vec_push (table, (object){0});
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t id = m->thread_locals.data[i];
    const ir_object_data *d = &m->program->objects.data[id];
    object o = {
        .kind = OBJECT_THREAD_LOCAL, .size = d->size, .origin = id, .alive = true, .bytes = mem_zalloc (d->size)};
    fill_initial (m, o.bytes, d);
    table->data[t->first_local + i] = o;
  }
}

ir_fault memory_check (machine *m, uint64_t address, uint64_t bytes, bool write) {
  if (!address_object (m->program, address)) return IR_FAULT_NULL;
  object *o = object_of_address (m, address);
  if (!o || o->kind == OBJECT_FUNCTION || o->kind == OBJECT_TEMPLATE) return IR_FAULT_INVALID;
  if (!o->alive)
    return o->kind == OBJECT_HEAP ? IR_FAULT_FREED : o->thread_ended ? IR_FAULT_THREAD_STACK : IR_FAULT_STACK;
  if (address_offset (m->program, address) + bytes > o->size) return IR_FAULT_BOUNDS;
  if (write && o->kind == OBJECT_CONSTANT) return IR_FAULT_CONSTANT;
  return IR_FAULT_NONE;
}

bool memory_fails (machine *m, uint64_t address, uint64_t bytes, bool write) {
  ir_fault kind = memory_check (m, address, bytes, write);
  if (kind == IR_FAULT_NONE) return false;
  m->fault = (fault){IR_P_MEMORY, kind, address, (uint32_t) bytes};
  return true;
}

uint64_t memory_read (machine *m, uint64_t address, unsigned bytes) {
  uint64_t value = 0;  // little-endian, as the machines the models are made for
  memcpy (&value, object_of_address (m, address)->bytes + address_offset (m->program, address), bytes);
  return value;
}

uint64_t memory_read_zeroed (machine *m, uint64_t address, unsigned bytes) {
  uint64_t mask = memory_undefined (m, address, bytes), value = memory_read (m, address, bytes);
  for (unsigned i = 0; i < bytes; i++)
    if (mask >> i & 1) value &= ~((uint64_t) 0xff << (8 * i));
  return value;
}

void memory_write (machine *m, uint64_t address, unsigned bytes, uint64_t value) {
  object *o = object_of_address (m, address);
  uint64_t offset = address_offset (m->program, address);
  write_little_endian (o->bytes + offset, value, bytes);
  if (o->undefined) memset (o->undefined + offset, 0, bytes);
}

uint64_t memory_undefined (machine *m, uint64_t address, unsigned bytes) {
  const object *o = object_of_address (m, address);
  if (!o->undefined) return 0;
  const uint8_t *flags = o->undefined + address_offset (m->program, address);
  uint64_t mask = 0;
  for (unsigned i = 0; i < bytes; i++) mask |= (uint64_t) (flags[i] == ALL_BITS) << i;
  return mask;
}

bool memory_undefined_all (machine *m, uint64_t address, unsigned bytes) {
  return memory_undefined (m, address, bytes) == ((uint64_t) 1 << bytes) - 1;
}

void memory_set_undefined (machine *m, uint64_t address, unsigned bytes, uint64_t mask) {
  object *o = object_of_address (m, address);
  if (!o->undefined && !mask) return;
  if (!o->undefined) o->undefined = mem_zalloc (o->size);
  uint8_t *flags = o->undefined + address_offset (m->program, address);
  for (unsigned i = 0; i < bytes; i++) flags[i] = mask >> i & 1 ? ALL_BITS : 0;
}

uint64_t memory_undefined_bits (machine *m, uint64_t address, unsigned bytes) {
  const object *o = object_of_address (m, address);
  uint64_t mask = 0;
  if (o->undefined) memcpy (&mask, o->undefined + address_offset (m->program, address), bytes);
  return mask;
}

void memory_set_undefined_bits (machine *m, uint64_t address, unsigned bytes, uint64_t mask) {
  object *o = object_of_address (m, address);
  if (!o->undefined && !mask) return;
  if (!o->undefined) o->undefined = mem_zalloc (o->size);
  memcpy (o->undefined + address_offset (m->program, address), &mask, bytes);
}

void memory_forget (machine *m, uint64_t address) {
  object *o = object_of_address (m, address);
  if (!o->size) return;
  if (!o->undefined) o->undefined = mem_zalloc (o->size);
  memset (o->undefined, ALL_BITS, o->size);
}
