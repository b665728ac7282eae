// The initial contents of static objects: the initial bytes, overlaid by the pointers of relocations.
#include "ir/ir.h"

static uint8_t initial_byte (const ir_program *p, const ir_object_data *d, uint32_t at) {
  uint32_t size = p->pointer_bits / 8;
  for (uint32_t k = 0; k < d->relocations.count; k++) {
    const ir_relocation *r = &d->relocations.data[k];
    if (at < r->offset || at >= r->offset + size) continue;
    uint64_t pointer = ((uint64_t) r->target.i << p->offset_bits) + r->addend;
    return (uint8_t) (pointer >> 8 * (at - r->offset));
  }
  return d->init && at < d->size ? d->init[at] : 0;
}

ir_value ir_initial_value (const ir_program *p, ir_object o, uint32_t at, uint32_t bytes) {
  ir_value v = 0;
  for (uint32_t k = 0; k < bytes; k++) v |= (ir_value) initial_byte (p, ir_object_at (p, o), at + k) << 8 * k;
  return v;
}
