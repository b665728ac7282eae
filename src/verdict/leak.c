// Finds lost memory, for --property=leak: heap memory to which no pointer leads when the process ends, or (--leaks=all)
// all heap memory that is not freed by then.  The search looks for pointers at every byte of the globals, of the stack
// objects and thread-local copies of threads that have not ended, and of heap memory that a pointer leads to; in the
// registers that are still read; and in the results of ended threads that may still be joined.  A pointer to any byte
// of an object is enough.
#include "verdict/verdict_impl.h"

typedef struct lost_memory_search {
  machine *m;
  uint32_t gone;        // slot of the thread that ends in this step: its memory is gone, too; IR_NONE: none
  map reached;          // numbers of heap objects
  VEC (object *) todo;  // reached objects whose bytes were not scanned yet
} lost_memory_search;

static void mark_pointed_block (lost_memory_search *r, uint64_t value) {
  uint64_t number = address_object (r->m->program, value);
  object *o = number ? object_find (r->m, number) : NULL;
  bool is_new;
  if (!o || !o->alive || o->kind != OBJECT_HEAP) return;
  map_insert (&r->reached, number, 1, &is_new);
  if (is_new) vec_push (&r->todo, o);
}

static void scan_block (lost_memory_search *r, const object *o) {
  uint32_t word = r->m->program->pointer_bits / 8;
  for (uint32_t at = 0; o->bytes && at + word <= o->size; at++) {
    uint64_t value = 0;
    bool defined = true;
    for (uint32_t k = 0; k < word; k++) {
      value |= (uint64_t) o->bytes[at + k] << (8 * k);
      defined &= !o->undefined || !o->undefined[at + k];
    }
    if (defined) mark_pointed_block (r, value);
  }
}

static void scan_registers (lost_memory_search *r, const thread *t, live_registers *live) {
  const ir_program *p = r->m->program;
  for (uint32_t k = 0; k < t->frames.count; k++) {
    const judge_frame *f = &t->frames.data[k];
    const ir_edge_data *call = k + 1 < t->frames.count ? ir_edge_at (p, f->call) : NULL;
    ir_loc at = call ? call->to : f->loc;
    for (uint32_t i = 0; at.i != IR_NONE && i < ir_proc_at (p, f->proc)->regs.count; i++)
      if ((!call || call->dst.i != i) && live_at (live, at, (ir_reg){i}))
        mark_pointed_block (r, (uint64_t) t->regs.data[f->first_reg + i]);
  }
}

static void scan_thread_roots (lost_memory_search *r) {
  live_registers *live = live_new (r->m->program);
  for (uint32_t slot = 0; slot < r->m->num_slots; slot++) {
    const thread *t = &r->m->threads[slot];
    if (t->state == THREAD_RUNNING && slot != r->gone) scan_registers (r, t, live);
    if (t->state == THREAD_ENDED && r->gone == IR_NONE) mark_pointed_block (r, (uint64_t) t->result);
  }
  live_free (live);
}

static void scan_roots_in_memory (lost_memory_search *r) {
  machine *m = r->m;
  for (uint32_t k = 1; k < m->program->objects.count; k++)
    if (m->statics[k].kind == OBJECT_GLOBAL) scan_block (r, &m->statics[k]);
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    for (uint32_t k = 0; slot != r->gone && k < m->dynamic[slot].count; k++) {
      const object *o = &m->dynamic[slot].data[k];
      if (o->alive && o->kind != OBJECT_HEAP) scan_block (r, o);
    }
}

uint32_t leak_find (machine *m, uint32_t gone, uint64_t *first) {
  lost_memory_search r = {.m = m, .gone = gone};
  uint32_t count = 0;
  if (!m->semantics.all_leaks) {
    scan_thread_roots (&r);
    scan_roots_in_memory (&r);
  }
  while (r.todo.count) scan_block (&r, vec_pop (&r.todo));
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++)
    for (uint32_t k = 0; k < m->dynamic[slot].count; k++) {
      const object *o = &m->dynamic[slot].data[k];
      uint64_t number = object_number (m->program, slot, k);
      if (!o->alive || o->kind != OBJECT_HEAP || map_find (&r.reached, number)) continue;
      if (!count++) *first = number;
    }
  map_release (&r.reached);
  vec_release (&r.todo);
  return count;
}

// Whether this edge ends the process in the regular way.
static bool is_end_of_process (const action *a, uint32_t *gone) {
  *gone = IR_NONE;
  if (a->d->op == IR_EXIT) return a->d->aux != IR_EXIT_AT_ONCE;
  bool ends_thread = a->d->op == IR_THREAD_EXIT || (a->d->op == IR_RETURN && a->t->frames.count == 1);
  *gone = a->t->slot;
  return ends_thread && a->m->num_running == 1;
}

bool leak_at (action *a) {
  uint32_t gone;
  uint64_t first;
  if (!(a->m->semantics.properties >> IR_P_LEAK & 1) || !is_end_of_process (a, &gone)) return false;
  if (!leak_find (a->m, gone, &first)) return false;
  a->m->fault =
      (fault){.property = IR_P_LEAK, .kind = IR_FAULT_LEAK, .address = address_make (a->m->program, first, 0)};
  return true;
}
