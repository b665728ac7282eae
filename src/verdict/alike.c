// Compares two states of the interpreter's machine: do they behave alike?  The loop of a lasso must lead back to the
// state in which it began.  But a loop that calls a function with a local array makes a new object in each round, and
// registers keep old values that no later step reads.  So the comparison allows two differences:
//
//   - Dynamic objects may have other numbers, if the renumbering is one-to-one.  It is found by following the pointers
//     of threads and global memory.  Objects that no pointer leads to do not matter.
//   - Of a thread's registers, only those are compared that are read after its next operation.  Of the next operation,
//     the values of the operands are compared.
#include "verdict/verdict_impl.h"

typedef struct object_pair {
  uint64_t a, b;
} object_pair;

typedef struct matching {
  machine *a, *b;
  live_registers *live;
  map forward, backward;  // numbers of dynamic objects
  VEC (object_pair) todo;
  const char **difference;
} matching;

static bool report_difference (matching *x, const char *what) {
  *x->difference = what;
  return false;
}

// ---- values and objects --------------------------------------------------------------------------------

static bool is_dynamic (matching *x, uint64_t number) {
  return number >= x->a->program->objects.count && (object_find (x->a, number) || object_find (x->b, number));
}

static bool match_objects (matching *x, uint64_t a, uint64_t b) {
  if (object_slot (x->a, a) != object_slot (x->a, b)) return report_difference (x, "memory");
  bool new_a, new_b;
  uint64_t other_b = *map_insert (&x->forward, a, b, &new_a), other_a = *map_insert (&x->backward, b, a, &new_b);
  if (other_b != b || other_a != a) return report_difference (x, "which objects pointers lead to");
  if (new_a) vec_push (&x->todo, ((object_pair){a, b}));
  return true;
}

static bool match_value (matching *x, ir_value a, ir_value b, unsigned bits, const char *what) {
  const ir_program *p = x->a->program;
  if (bits == p->pointer_bits) {
    uint64_t from = address_object (p, (uint64_t) a), to = address_object (p, (uint64_t) b);
    if (is_dynamic (x, from) && is_dynamic (x, to) &&
        address_offset (p, (uint64_t) a) == address_offset (p, (uint64_t) b))
      return match_objects (x, from, to);
  }
  return a == b || report_difference (x, what);
}

static uint8_t undefined_bits (const object *o, uint32_t at) { return o->undefined ? o->undefined[at] : 0; }
static bool is_undefined (const object *o, uint32_t at) { return undefined_bits (o, at) != 0; }

static bool match_byte (matching *x, const object *a, const object *b, uint32_t at) {
  if (undefined_bits (a, at) != undefined_bits (b, at)) return report_difference (x, "memory");
  return undefined_bits (a, at) == 0xff || a->bytes[at] == b->bytes[at] || report_difference (x, "memory");
}

static bool is_defined_word (const object *o, uint32_t at, uint32_t bytes) {
  for (uint32_t k = 0; k < bytes; k++)
    if (is_undefined (o, at + k)) return false;
  return true;
}

static bool match_bytes (matching *x, const object *a, const object *b) {
  uint32_t word = x->a->program->pointer_bits / 8, at = 0;
  for (; at + word <= a->size; at += word) {
    if (is_defined_word (a, at, word) && is_defined_word (b, at, word)) {
      uint64_t from = 0, to = 0;
      memcpy (&from, a->bytes + at, word);
      memcpy (&to, b->bytes + at, word);
      if (!match_value (x, from, to, 8 * word, "memory")) return false;
      continue;
    }
    for (uint32_t k = 0; k < word; k++)
      if (!match_byte (x, a, b, at + k)) return false;
  }
  for (; at < a->size; at++)
    if (!match_byte (x, a, b, at)) return false;
  return true;
}

static bool match_pair (matching *x, object_pair p) {
  const object *a = object_find (x->a, p.a), *b = object_find (x->b, p.b);
  if (!a || !b || a->kind != b->kind || a->alive != b->alive) return report_difference (x, "memory");
  if (!a->alive) return true;
  return a->size == b->size ? match_bytes (x, a, b) : report_difference (x, "memory");
}

static bool match_todo (matching *x) {
  while (x->todo.count)
    if (!match_pair (x, vec_pop (&x->todo))) return false;
  return true;
}

static bool match_statics (matching *x) {
  for (uint32_t k = 1; k < x->a->program->objects.count; k++) {
    const object *a = &x->a->statics[k], *b = &x->b->statics[k];
    if (a->kind == OBJECT_GLOBAL && !match_bytes (x, a, b)) return false;
  }
  return true;
}

// ---- threads -------------------------------------------------------------------------------------------

static bool is_needed_behind (matching *x, const ir_edge_data *e, ir_reg r) {
  return e->to.i != IR_NONE && e->dst.i != r.i && e->dst2.i != r.i && live_at (x->live, e->to, r);
}

// Whether the frame reads the register later.  A frame that waits for a callee continues after the call.
static bool is_register_needed (matching *x, const judge_frame *f, bool is_top, ir_reg r) {
  const ir_program *p = x->a->program;
  if (!is_top) return is_needed_behind (x, ir_edge_at (p, f->call), r);
  const ir_loc_data *here = ir_loc_at (p, f->loc);
  for (uint32_t e = here->first_edge; e < here->first_edge + here->num_edges; e++)
    if (is_needed_behind (x, &p->edges.data[e], r)) return true;
  return false;
}

// Matches the operands of the operation that the thread takes next.
static bool match_operands (matching *x, uint32_t slot) {
  const ir_program *p = x->a->program;
  action a = action_of (x->a, slot), b = action_of (x->b, slot);
  const ir_loc_data *here = ir_loc_at (p, a.f->loc);
  for (uint32_t e = here->first_edge; e < here->first_edge + here->num_edges; e++)
    for (uint32_t k = 0; k < p->edges.data[e].num_args; k++) {
      ir_expr arg = ir_arg (p, (ir_edge){e}, k);
      if (!match_value (x, eval (&a, arg), eval (&b, arg), ir_expr_at (p, arg)->bits, "local variables")) return false;
    }
  return true;
}

static bool match_frame (matching *x, const thread *a, const thread *b, uint32_t k) {
  const judge_frame *f = &a->frames.data[k], *g = &b->frames.data[k];
  bool is_top = k + 1 == a->frames.count;
  if (f->proc.i != g->proc.i || f->loc.i != g->loc.i || (!is_top && f->call.i != g->call.i) ||
      f->first_stack != g->first_stack)
    return report_difference (x, "where threads stand");
  const ir_proc_data *proc = ir_proc_at (x->a->program, f->proc);
  for (uint32_t r = 0; r < proc->regs.count; r++) {
    if (!is_register_needed (x, f, is_top, (ir_reg){r})) continue;
    ir_value v = a->regs.data[f->first_reg + r], w = b->regs.data[g->first_reg + r];
    if (!match_value (x, v, w, proc->regs.data[r].bits, "local variables")) return false;
  }
  return true;
}

static bool match_stack (matching *x, const thread *a, const thread *b) {
  const ir_program *p = x->a->program;
  if (a->stack.count != b->stack.count) return report_difference (x, "local variables");
  for (uint32_t k = 0; k < a->stack.count; k++)
    if (!match_objects (x, object_number (p, a->slot, a->stack.data[k]), object_number (p, b->slot, b->stack.data[k])))
      return false;
  for (uint32_t k = 0; k < x->a->thread_locals.count; k++)
    if (!match_objects (x, object_number (p, a->slot, a->first_local + k),
                        object_number (p, b->slot, b->first_local + k)))
      return false;
  return true;
}

static bool match_held_lock (matching *x, const thread *b, const held_lock *a, bool *used) {
  for (uint32_t k = 0; k < b->held.count; k++) {
    const held_lock *h = &b->held.data[k];
    if (used[k] || h->kind != a->kind) continue;
    uint64_t from = address_object (x->a->program, a->address), to = address_object (x->a->program, h->address);
    const uint64_t *known = map_find (&x->forward, from);
    if (known ? *known != to : h->address != a->address && !is_dynamic (x, from)) continue;
    if (!match_value (x, a->address, h->address, x->a->program->pointer_bits, "locks")) return false;
    return used[k] = true;
  }
  return report_difference (x, "locks");
}

// Matches the held locks, whatever the order in which they were acquired.
static bool match_held (matching *x, const thread *a, const thread *b) {
  if (a->held.count != b->held.count) return report_difference (x, "locks");
  bool *used = mem_zalloc (a->held.count + 1), same = true;
  for (uint32_t k = 0; k < a->held.count && same; k++) same = match_held_lock (x, b, &a->held.data[k], used);
  mem_free (used, a->held.count + 1);
  return same;
}

static bool match_owned (matching *x, const thread *a, const thread *b) {
  if (a->owned.count != b->owned.count) return report_difference (x, "what threads own");
  for (uint32_t k = 0; k < a->owned.count; k++) {
    const ownership *o = &a->owned.data[k], *q = &b->owned.data[k];
    if (o->address != q->address || o->cell != q->cell || o->value != q->value || o->bytes != q->bytes ||
        o->ended != q->ended)
      return report_difference (x, "what threads own");
  }
  return true;
}

static bool match_thread (matching *x, uint32_t slot) {
  const thread *a = &x->a->threads[slot], *b = &x->b->threads[slot];
  unsigned bits = x->a->program->pointer_bits;
  if (a->state != b->state) return report_difference (x, "which threads run");
  if (a->state == THREAD_FREE) return true;
  if (a->detached != b->detached) return report_difference (x, "which threads are detached");
  if (a->state == THREAD_ENDED) return match_value (x, a->result, b->result, bits, "the results of threads");
  if (a->atomic != b->atomic || a->frames.count != b->frames.count) return report_difference (x, "where threads stand");
  if (!match_value (x, a->waiting, b->waiting, bits, "what threads wait for")) return false;
  for (uint32_t k = 0; k < a->frames.count; k++)
    if (!match_frame (x, a, b, k)) return false;
  return match_operands (x, slot) && match_stack (x, a, b) && match_held (x, a, b) && match_owned (x, a, b);
}

bool machines_are_alike (machine *a, machine *b, live_registers *live, const char **difference) {
  matching x = {.a = a, .b = b, .live = live, .difference = difference};
  bool alike = match_statics (&x) && match_todo (&x);
  for (uint32_t slot = 0; alike && slot < IR_MAX_THREADS; slot++) alike = match_thread (&x, slot) && match_todo (&x);
  map_release (&x.forward);
  map_release (&x.backward);
  vec_release (&x.todo);
  return alike;
}

// ---- copies --------------------------------------------------------------------------------------------

static object object_copy (const object *o) {
  object c = *o;
  c.bytes = c.undefined = NULL;
  if (!o->bytes) return c;
  c.bytes = mem_alloc (2 * (size_t) o->size);
  c.undefined = c.bytes + o->size;
  memcpy (c.bytes, o->bytes, o->size);
  if (o->undefined) memcpy (c.undefined, o->undefined, o->size);
  else memset (c.undefined, 0, o->size);
  return c;
}

#define COPY_VEC(TO, FROM)                                                                            \
  do {                                                                                                \
    (TO)->data = NULL, (TO)->count = (TO)->capacity = 0;                                              \
    if ((FROM)->count) vec_reserve ((TO), (FROM)->count);                                             \
    for (uint32_t index = 0; index < (FROM)->count; index++) (TO)->data[index] = (FROM)->data[index]; \
    (TO)->count = (FROM)->count;                                                                      \
  } while (0)

static void thread_copy (thread *to, const thread *from) {
  COPY_VEC (&to->frames, &from->frames);
  COPY_VEC (&to->regs, &from->regs);
  COPY_VEC (&to->stack, &from->stack);
  COPY_VEC (&to->held, &from->held);
  COPY_VEC (&to->owned, &from->owned);
}

machine *machine_copy (const machine *m) {
  machine *c = mem_alloc (sizeof *c);
  uint32_t n = m->program->objects.count;
  *c = *m;
  c->text = (strbuf){0};
  c->wakers = NULL;
  c->statics = mem_zalloc (sizeof (object) * n);
  for (uint32_t k = 0; k < n; k++) c->statics[k] = object_copy (&m->statics[k]);
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) {
    COPY_VEC (&c->dynamic[slot], &m->dynamic[slot]);
    for (uint32_t k = 0; k < m->dynamic[slot].count; k++)
      c->dynamic[slot].data[k] = object_copy (&m->dynamic[slot].data[k]);
    thread_copy (&c->threads[slot], &m->threads[slot]);
  }
  COPY_VEC (&c->thread_locals, &m->thread_locals);
  return c;
}

void machine_free_copy (machine *m) {
  machine_release (m);
  mem_free (m, sizeof *m);
}
