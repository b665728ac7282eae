// --property=leak: heap memory to which no pointer leads when the process ends, or with --leaks=all any heap memory
// that is not freed (docs/formats/ir.md). The search uses no reduction then: when a thread ends the process, any step
// of another thread may decide whether that thread has freed, or lost, its memory.
#include "base/map.h"
#include "engine/explicit/explicit_impl.h"

typedef struct state_heap_reach {
  const current_state *w;
  uint32_t gone;                    // the thread that is just ending; IR_NONE: none
  map reached;                      // numbers of the reachable heap objects
  VEC (const state_object *) todo;  // worklist: reachable objects whose bytes were not scanned yet
} state_heap_reach;

static bool is_heap (const state_object *o) { return o->state == OBJ_ALIVE && o->kind == OBJ_HEAP; }

static void add_reachable_value (state_heap_reach *r, uint64_t value) {
  const state_object *o = xs_object_find (r->w, value);
  bool is_new;
  if (!o || !is_heap (o)) return;
  map_insert (&r->reached, o->number, 1, &is_new);
  if (is_new) vec_push (&r->todo, o);
}

static bool is_defined (const state_object *o, uint32_t at, uint32_t bytes) {
  for (uint32_t k = 0; o->any_undefined && k < bytes; k++)
    if (o->undefined[at + k]) return false;
  return true;
}

static void add_reachable_bytes (state_heap_reach *r, const state_object *o) {
  uint32_t word = r->w->program->pointer_bits / 8;
  for (uint32_t at = 0; at + word <= o->size; at++) {
    uint64_t value = 0;
    memcpy (&value, o->bytes + at, word);  // little-endian, as the program is
    if (value && is_defined (o, at, word)) add_reachable_value (r, value);
  }
}

static void add_reachable_objects (state_heap_reach *r) {
  const current_state *w = r->w;
  for (uint32_t k = 1; k < w->num_static; k++)
    if (w->statics[k]->kind == OBJ_STATIC && w->statics[k]->state == OBJ_ALIVE) add_reachable_bytes (r, w->statics[k]);
  for (uint32_t t = 0; t < w->num_slots; t++)
    for (uint32_t k = 0; t != r->gone && k < w->threads[t].objects.count; k++) {
      const state_object *o = w->threads[t].objects.data[k];
      if (o->state == OBJ_ALIVE && o->kind != OBJ_HEAP) add_reachable_bytes (r, o);
    }
}

// The top frame of the thread that ends the process will read nothing more.
static void add_reachable_registers (state_heap_reach *r, const state_thread *t, bool ends) {
  for (uint32_t k = 0; k + ends < t->frames.count; k++) {
    const state_frame *f = &t->frames.data[k];
    const live_list *live = &r->w->code->live_lists.data[r->w->code->insns.data[f->pc].live];
    for (uint32_t i = 0; i < live->count; i++)
      add_reachable_value (r, t->regs.data[f->base + r->w->code->live_slots.data[live->first + i]]);
  }
}

static void add_reachable_threads (state_heap_reach *r, uint32_t ending) {
  const current_state *w = r->w;
  for (uint32_t t = 0; t < w->num_slots; t++) {
    if (w->threads[t].status == T_ENDED && r->gone == IR_NONE) add_reachable_value (r, w->threads[t].result);
    if (w->threads[t].status == T_RUNNING && t != r->gone) add_reachable_registers (r, &w->threads[t], t == ending);
  }
}

static bool is_lost (const state_heap_reach *r, const state_object *o) {
  return is_heap (o) && !map_find (&r->reached, o->number);
}

bool xs_leaks (const current_state *w, uint32_t ending, uint32_t gone) {
  if (!(w->semantics->properties >> IR_P_LEAK & 1)) return false;
  state_heap_reach r = {.w = w, .gone = gone};
  bool lost = false;
  if (!w->semantics->all_leaks) {
    add_reachable_threads (&r, ending);
    add_reachable_objects (&r);
  }
  while (r.todo.count) add_reachable_bytes (&r, vec_pop (&r.todo));
  for (uint32_t t = 0; t < w->num_slots; t++)
    for (uint32_t k = 0; k < w->threads[t].objects.count; k++) lost |= is_lost (&r, w->threads[t].objects.data[k]);
  map_release (&r.reached);
  vec_release (&r.todo);
  return lost;
}
