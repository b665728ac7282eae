// Makes the annotated interleaving: while a claim is replayed, each edge of interest becomes a step with its position,
// source line, object, value and the locks held.  Shown are accesses to memory that other threads can reach,
// synchronisation, the start and end of threads, choices, and output.  Steps inside a library model are shown at the
// user's call of it, and there each object only once per kind of access (a memcpy is not a hundred steps).
#include "verdict/verdict_impl.h"
#include "ir/sync.h"

// What a trace shows of operations that do not synchronise.
static const ir_step steps[IR_NUM_OPS] = {
    [IR_NONDET] = IR_STEP_CHOOSE,   [IR_CHECK] = IR_STEP_CHECK,     [IR_ALLOC] = IR_STEP_ALLOC,
    [IR_FREE] = IR_STEP_FREE,       [IR_LOAD] = IR_STEP_LOAD,       [IR_STORE] = IR_STEP_STORE,
    [IR_LOAD_RAW] = IR_STEP_LOAD,   [IR_STORE_RAW] = IR_STEP_STORE, [IR_RMW] = IR_STEP_RMW,
    [IR_CMPXCHG] = IR_STEP_CMPXCHG, [IR_FORGET] = IR_STEP_FORGET,   [IR_OWN] = IR_STEP_OWN,
    [IR_OUTPUT] = IR_STEP_OUTPUT,   [IR_EXIT] = IR_STEP_EXIT};

enum { SHOWN_OUTPUT = 80 };  // of printed text in a step

ir_step trace_step_of (ir_op op) { return steps[op] ? steps[op] : ir_sync_of (op)->step; }

void trace_init (trace *tr, machine *m, goal *g) {
  memset (tr, 0, sizeof *tr);
  tr->m = m;
  tr->goal = g;
  tr->last_thread = IR_NONE;
}

void trace_release (trace *tr) {
  arguments_end (tr);
  source_release (&tr->sources);
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) vec_release (&tr->seen[slot]);
}

static const char *take_text (trace *tr, strbuf *text) {
  const char *copy = text->count ? arena_strdup (tr->m->arena, strbuf_text (text)) : NULL;
  strbuf_clear (text);
  return copy;
}

// ---- what is shown -------------------------------------------------------------------------------------

static bool is_last_return (const action *a) { return a->d->op == IR_RETURN && a->t->frames.count == 1; }

static bool memory_is_shown (const action *a) {
  machine *m = a->m;
  if (a->d->op == IR_FORGET || a->d->op == IR_FENCE) return false;
  uint64_t number = address_object (m->program, (uint64_t) action_arg (a, 0));
  const object *o = object_find (m, number);
  if (!o || !number) return a->d->op != IR_FREE || number;
  if (o->kind == OBJECT_GLOBAL) return !m->program->objects.data[o->origin].internal;
  return o->kind == OBJECT_HEAP || (o->kind == OBJECT_STACK && object_slot (m, number) != a->t->slot);
}

// Whether the front end made the edge for something that is one step of the source, or none.
static bool is_unseen (const ir_edge_data *d) {
  bool can_be = d->op == IR_ATOMIC_BEGIN || d->op == IR_ATOMIC_END || d->op == IR_THREAD_DETACH || d->op == IR_STORE;
  return can_be && d->aux == IR_UNSEEN;
}

// Whether the edge chooses argc: that is shown together with the arguments.
static bool is_argc (const action *a) {
  return a->f->proc.i == a->m->program->start.i && a->d->message && !strcmp (a->d->message, "argc");
}

static bool is_shown (const action *a) {
  if (is_unseen (a->d)) return false;
  if (is_last_return (a)) return true;
  if (a->d->op == IR_NONDET && is_argc (a)) return false;
  if (a->d->op == IR_CHECK || trace_step_of (a->d->op) == IR_STEP_NONE) return false;
  if (a->d->op == IR_ALLOC) return a->d->aux != IR_ALLOC_STACK;
  if (a->d->op == IR_BARRIER_RESUME && ir_proc_at (a->m->program, a->f->proc)->internal) return false;
  return ir_op_table[a->d->op].group != 'M' || memory_is_shown (a);
}

// Whether the thread is inside a library model and this access was shown since it left user code.
static bool was_shown_in_model (trace *tr, const action *a, uint64_t address) {
  uint32_t slot = a->t->slot;
  if (!ir_proc_at (tr->m->program, a->f->proc)->internal) {
    vec_clear (&tr->seen[slot]);
    return false;
  }
  if (ir_op_table[a->d->op].group != 'M') return false;
  uint64_t key = address_object (tr->m->program, address) * IR_NUM_OPS + a->d->op;
  for (uint32_t i = 0; i < tr->seen[slot].count; i++)
    if (tr->seen[slot].data[i] == key) return true;
  if (tr->seen[slot].count < 64) vec_push (&tr->seen[slot], key);
  return false;
}

// ---- making a step -------------------------------------------------------------------------------------

void trace_push (trace *tr) {
  trace_step *s = &tr->step;
  s->number = tr->goal->steps.count + 1;
  s->switched = tr->last_thread != IR_NONE && tr->last_thread != s->thread;
  tr->last_thread = s->thread;
  const thread *t = &tr->m->threads[s->thread];
  strbuf name = {0};
  for (uint32_t i = 0; i < t->held.count; i++) {
    const held_lock *h = &t->held.data[i];
    if (h->kind == LOCK_ONCE) continue;
    if (!h->name) name_object (tr->m, h->address, true, &name);
    const char *text = h->name ? h->name : take_text (tr, &name);
    vec_push (&s->held, text);
  }
  strbuf_release (&name);
  vec_push (&tr->goal->steps, *s);
  *s = (trace_step){0};
}

// Shows the start of a created thread before its first step.
static void push_start (trace *tr, const action *a) {
  if (a->t->edges || !a->t->slot || tr->started[a->t->slot]) return;
  tr->started[a->t->slot] = true;
  const ir_proc_data *f = ir_proc_at (tr->m->program, a->t->frames.data[0].proc);
  tr->step = (trace_step){.thread = a->t->slot,
                          .pos = f->pos,
                          .function = f->name,
                          .op = IR_STEP_START,
                          .other = IR_NONE,
                          .text = source_line (&tr->sources, tr->m->arena, f->pos)};
  trace_push (tr);
}

static void name_handle (ir_value handle, strbuf *out) {
  if (handle && handle <= IR_MAX_THREADS) strbuf_printf (out, "thread %u", (unsigned) handle - 1);
  else strbuf_printf (out, "no thread (%#llx)", (unsigned long long) handle);
}

static void name_operand (const action *a, strbuf *out) {
  machine *m = a->m;
  char group = ir_op_table[a->d->op].group;
  switch (a->d->op) {
  case IR_THREAD_CREATE: name_object (m, (uint64_t) action_arg (a, 1), false, out); return;
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH: name_handle (action_arg (a, 0), out); return;
  case IR_NONDET:
    if (a->d->message) strbuf_add (out, a->d->message);
    return;
  case IR_CALL:
    if (a->d->name) strbuf_add (out, a->d->name);
    return;
  case IR_ATOMIC_BEGIN:
  case IR_ATOMIC_END:
  case IR_FENCE: return;
  default: break;
  }
  if (group == 'M' || group == 'S') name_shared (a, (uint64_t) action_arg (a, 0), out);
}

// Returns the step of an operation, also of one that is shown only because it is the violation.
static ir_step step_of_action (const action *a) {
  if (a->d->op == IR_RETURN) return IR_STEP_END;
  if (a->d->op == IR_CALL) return IR_STEP_CALL;
  ir_step s = trace_step_of (a->d->op);
  return s == IR_STEP_NONE ? IR_STEP_OTHER : s;
}

static void begin_trace_step (trace *tr, const action *a) {
  strbuf name = {0};
  ir_position pos = action_position (a);
  name_operand (a, &name);
  tr->edge = a->d;
  tr->step = (trace_step){.thread = a->t->slot,
                          .pos = pos,
                          .function = action_function (a),
                          .op = step_of_action (a),
                          .other = IR_NONE,
                          .text = source_line (&tr->sources, tr->m->arena, pos),
                          .object = take_text (tr, &name)};
  strbuf_release (&name);
}

static void add_cell_condition (const action *a, strbuf *out) {
  uint64_t cell = (uint64_t) action_arg (a, 2);
  strbuf_add (out, "while ");
  name_object (a->m, cell, false, out);
  strbuf_add (out, " = ");
  name_value (a->m, action_arg (a, 3) & value_mask (8u * a->d->bytes), 8u * a->d->bytes,
              name_type_at (a->m, cell, a->d->bytes), out);
}

static void set_value_before (trace *tr, const action *a) {
  if (a->d->op != IR_STORE && a->d->op != IR_STORE_RAW && a->d->op != IR_EXIT && a->d->op != IR_ALLOC &&
      a->d->op != IR_OWN)
    return;
  strbuf text = {0};
  if (a->d->op == IR_OWN) add_cell_condition (a, &text);
  else if (a->d->op == IR_ALLOC) strbuf_printf (&text, "%llu bytes", (unsigned long long) action_arg (a, 0));
  else if (a->d->op == IR_EXIT) strbuf_printf (&text, "%d", (int) (uint32_t) action_arg (a, 0));
  else
    name_value (a->m, action_arg (a, 1) & value_mask (8u * a->d->bytes), 8u * a->d->bytes,
                name_type_at (a->m, tr->address, a->d->bytes), &text);
  tr->step.value = take_text (tr, &text);
  strbuf_release (&text);
}

void trace_before (trace *tr, uint32_t slot) {
  action a = action_of (tr->m, slot);
  push_start (tr, &a);
  if (arguments_are_chosen (&a)) arguments_begin (tr, &a);
  tr->edge_bytes = a.d->bytes;
  tr->shown = is_shown (&a);
  tr->address = tr->shown && ir_op_table[a.d->op].group == 'M' ? (uint64_t) action_arg (&a, 0) : 0;
  if (was_shown_in_model (tr, &a, tr->address) || !tr->shown) {
    tr->shown = false;
    return;
  }
  begin_trace_step (tr, &a);
  set_value_before (tr, &a);
}

// ---- what it did ---------------------------------------------------------------------------------------

static const char *errno_name (ir_value v) {
  switch ((uint32_t) v) {
  case EPERM: return "EPERM";
  case EAGAIN: return "EAGAIN";
  case EBUSY: return "EBUSY";
  case EINVAL: return "EINVAL";
  case EDEADLK: return "EDEADLK";
  case ETIMEDOUT: return "ETIMEDOUT";
  default: return NULL;
  }
}

static void add_memory_value (trace *tr, ir_value dst, strbuf *out) {
  machine *m = tr->m;
  unsigned bytes = tr->edge->bytes, bits = 8 * bytes;
  ir_type type = name_type_at (m, tr->address, bytes);
  bool is_pointer = type.i < m->program->types.count && ir_type_at (m->program, type)->kind == IR_T_POINTER;
  name_value (m, dst & value_mask (bits), bits, type, out);
  tr->step.is_null = is_pointer && !(dst & value_mask (bits)) && !m->chose;
  uint32_t left = 0;
  if (tr->edge->op == IR_RMW || tr->edge->op == IR_CMPXCHG) {
    strbuf_add (out, " -> ");
    left = out->count;
    name_value (m, memory_read (m, tr->address, bytes), bits, type, out);
  }
  if (m->chose) strbuf_add (out, " (uninitialised: any value)");
  // without that property such bytes may be copied freely
  bool is_followed = m->semantics.properties >> IR_P_UNINIT & 1;
  if (is_followed && tr->edge->op == IR_LOAD_RAW && memory_undefined_bits (m, tr->address, bytes))
    strbuf_add (out, " (never written)");
  if (left) tr->step.left = arena_strdup (m->arena, strbuf_text (out) + left);
}

static void add_value_after (trace *tr, uint32_t slot, strbuf *out) {
  machine *m = tr->m;
  const thread *t = &m->threads[slot];
  const ir_edge_data *d = tr->edge;
  ir_value dst = 0;
  ir_type type = {IR_NONE};
  unsigned bits = 32;
  if (t->state == THREAD_RUNNING && d->dst.i != IR_NONE && d->op != IR_RETURN) {
    const judge_frame *f = &vec_last (&t->frames);
    const ir_reg_data *r = &ir_proc_at (m->program, f->proc)->regs.data[d->dst.i];
    dst = t->regs.data[f->first_reg + d->dst.i];
    type = r->type;
    bits = r->bits;
  }
  switch (d->op) {
  case IR_NONDET: name_value (m, dst, bits, type, out); return;
  case IR_LOAD:
  case IR_LOAD_RAW:
  case IR_RMW:
  case IR_CMPXCHG: add_memory_value (tr, dst, out); return;
  case IR_THREAD_CREATE:
    strbuf_printf (out, "thread %u", m->woken);
    tr->step.other = m->woken;
    return;
  case IR_COND_SIGNAL:
    tr->step.other = m->woken;
    if (m->woken == IR_NONE) strbuf_add (out, "no thread waits");
    else strbuf_printf (out, "wakes thread %u", m->woken);
    return;
  case IR_COND_RESUME:
  case IR_COND_TIMEDRESUME:
    if (m->spurious) strbuf_add (out, "wakes up without a signal");
    tr->step.is_spurious = m->spurious;
    break;
  case IR_SEM_GETVALUE: name_value (m, dst, bits, type, out); return;
  case IR_OUTPUT:
    strbuf_add_bytes (out, strbuf_text (&m->text), m->text.count < SHOWN_OUTPUT ? m->text.count : SHOWN_OUTPUT);
    while (out->count && out->data[out->count - 1] == '\n') out->data[--out->count] = 0;
    return;
  default: break;
  }
  if (ir_op_table[d->op].group == 'S' && ir_op_table[d->op].result == 'r' && errno_name (dst))
    strbuf_add (out, errno_name (dst));
}

void trace_after (trace *tr, uint32_t slot) {
  if (tr->m->chose && tr->words.count) arguments_note_read (tr, tr->m->chose_at, tr->edge_bytes);
  if (tr->m->woken != IR_NONE && !tr->m->threads[tr->m->woken].edges) tr->started[tr->m->woken] = false;
  if (!tr->shown) return;
  if (!tr->step.value) {
    strbuf text = {0};
    add_value_after (tr, slot, &text);
    tr->step.value = take_text (tr, &text);
    strbuf_release (&text);
  }
  trace_push (tr);
}

void trace_started (trace *tr, uint32_t slot) {
  action a = action_of (tr->m, slot);
  push_start (tr, &a);
}

void trace_about (trace *tr, uint32_t slot) {
  action a = action_of (tr->m, slot);
  tr->address = ir_op_table[a.d->op].group == 'M' && a.d->num_args ? (uint64_t) action_arg (&a, 0) : 0;
  begin_trace_step (tr, &a);
  set_value_before (tr, &a);
  trace_push (tr);
}
