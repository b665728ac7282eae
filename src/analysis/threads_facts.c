// What is known at a point of one thread. Where paths join, may-sets are united and must-sets are intersected.
#include "analysis/threads_impl.h"

void facts_release (thread_facts *f) {
  vec_release (&f->cells);
  vec_release (&f->handles);
}

void facts_copy (thread_facts *to, const thread_facts *from) {
  to->alive = from->alive;
  to->created = from->created;
  to->gone = from->gone;
  to->ended = from->ended;
  to->made = from->made;
  to->batches = from->batches;
  vec_clear (&to->cells);
  vec_clear (&to->handles);
  vec_reserve (&to->cells, from->cells.count);
  vec_reserve (&to->handles, from->handles.count);
  for (uint32_t k = 0; k < from->cells.count; k++) vec_push (&to->cells, from->cells.data[k]);
  for (uint32_t k = 0; k < from->handles.count; k++) vec_push (&to->handles, from->handles.data[k]);
}

static bool same_cell (const thread_cell *a, const thread_cell *b) {
  return a->address == b->address && a->bytes == b->bytes && a->value.tag == b->value.tag &&
         a->value.number == b->value.number;
}

static bool weaken_cells (thread_facts *f, const thread_facts *other) {
  uint32_t kept = 0, j = 0;
  for (uint32_t i = 0; i < f->cells.count; i++) {
    while (j < other->cells.count && other->cells.data[j].address < f->cells.data[i].address) j++;
    if (j < other->cells.count && same_cell (&f->cells.data[i], &other->cells.data[j]))
      f->cells.data[kept++] = f->cells.data[i];
  }
  bool changed = kept < f->cells.count;
  f->cells.count = kept;
  return changed;
}

static bool weaken_handles (thread_facts *f, const thread_facts *other) {
  bool changed = false;
  for (uint32_t k = 0; k < f->handles.count; k++) {
    if (f->handles.data[k] == IR_NONE || f->handles.data[k] == other->handles.data[k]) continue;
    f->handles.data[k] = IR_NONE;
    changed = true;
  }
  return changed;
}

bool facts_weaken (thread_facts *f, const thread_facts *other) {
  bool changed = small_unite (&f->alive, &other->alive);
  changed |= small_unite (&f->created, &other->created);
  changed |= small_unite (&f->gone, &other->gone);
  changed |= small_unite (&f->made, &other->made);
  changed |= small_intersect (&f->ended, &other->ended);
  changed |= small_intersect (&f->batches, &other->batches);
  changed |= weaken_cells (f, other);
  return weaken_handles (f, other) || changed;
}

// ---- memory -------------------------------------------------------------------------------------------

// Returns the index of the first cell that ends after the address.
static uint32_t first_behind (const thread_facts *f, uint64_t address) {
  uint32_t low = 0, high = f->cells.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (f->cells.data[middle].address + f->cells.data[middle].bytes <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

const thread_cell *facts_find (const thread_facts *f, uint64_t address, uint32_t bytes) {
  uint32_t k = first_behind (f, address);
  if (k == f->cells.count) return NULL;
  const thread_cell *c = &f->cells.data[k];
  return c->address == address && c->bytes == bytes ? c : NULL;
}

void facts_store (thread_facts *f, uint64_t address, uint32_t bytes, thread_value v) {
  uint32_t first = first_behind (f, address), end = first, added = v.tag != VALUE_ANY;
  while (end < f->cells.count && f->cells.data[end].address < address + bytes) end++;
  uint32_t behind = f->cells.count - end, count = first + added + behind;
  vec_reserve (&f->cells, count);
  if (behind) memmove (f->cells.data + first + added, f->cells.data + end, sizeof (thread_cell) * behind);
  if (added) f->cells.data[first] = (thread_cell){address, bytes, v};
  f->cells.count = count;
}

void facts_forget_object (thread_facts *f, const ir_program *p, uint64_t number) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < f->cells.count; k++)
    if (address_number (p, f->cells.data[k].address) != number) f->cells.data[kept++] = f->cells.data[k];
  f->cells.count = kept;
}

void facts_forget_handle (thread_facts *f, uint32_t kind) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < f->cells.count; k++)
    if (f->cells.data[k].value.tag != VALUE_HANDLE || f->cells.data[k].value.number != kind)
      f->cells.data[kept++] = f->cells.data[k];
  f->cells.count = kept;
  for (uint32_t k = 0; k < f->handles.count; k++)
    if (f->handles.data[k] == kind) f->handles.data[k] = IR_NONE;
}
