// One step of one thread: its visible operation, then local work up to the next one (so that in every stored
// state each thread stands before a visible operation whose address is known).
//
// What ends an execution (a failed check, an infeasible assume, a memory error, the end of the process) counts as
// visible while other threads run: the others must get their chance before it.  When only one thread is alive
// nothing is visible and the step runs on to the next thread_create.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"

enum { LOCAL_LIMIT = 20000 };    // instructions after which a local loop pauses; cycles then close in the state table

// How a run of one thread goes on after an instruction.
typedef enum flow { GO, STOP, THREAD_OVER, EXITED, VIOLATED, INFEASIBLE_PATH, CUT, UNSUPPORTED_OP } flow;

typedef struct run {
  world *w;
  thread *t;
  uint32_t slot;
  const insn *i;
  uint64_t *regs;              // of the top frame
  bool first;                  // the operation the step was scheduled for: executed even if visible
} run;

static uint64_t mask_of (unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }
static int64_t signed_of (uint64_t x, unsigned bits) { return (int64_t) (x << (64 - bits)) >> (64 - bits); }

static inline uint64_t get (const run *r, operand x) {
  return x & CONST_BIT ? r->w->code->constants.data[x & ~CONST_BIT] : r->regs[x];
}

static ir_value get_wide (const run *r, operand x, unsigned bits) {
  ir_value value = get (r, x);
  return bits > 64 ? value | (ir_value) get (r, x + 1) << 64 : value;
}

static void set_wide (run *r, uint32_t slot, ir_value value, unsigned bits) {
  r->regs[slot] = (uint64_t) value;
  if (bits > 64) r->regs[slot + 1] = (uint64_t) (value >> 64);
}

static void refresh (run *r) { r->regs = r->t->regs.data + (r->t->frames.count ? vec_last (&r->t->frames).base : 0); }

// ---- visibility ----------------------------------------------------------------------------------------
static bool others_run (const run *r) { return r->w->running > 1 && !r->t->atomic; }

// Should the run stop before this visible instruction?  Once per step the answer is no.
static bool stopping (run *r) {
  if (!others_run (r)) return false;
  return !r->first;
}

static bool overlaps_mutex (const pending *plain, const pending *waiting) {
  return plain->bytes && plain->plain && waiting->mutex && plain->address < waiting->mutex + 4 && waiting->mutex < plain->address + plain->bytes;
}

bool xs_exec_conflict (const pending *a, const pending *b) {
  if (overlaps_mutex (a, b) || overlaps_mutex (b, a)) return true;
  return a->bytes && b->bytes && (a->write || b->write) && (a->plain || b->plain) && a->address < b->address + b->bytes &&
         b->address < a->address + a->bytes;
}

void xs_exec_violate (world *w, ir_property property, uint32_t slot, uint32_t edge, uint32_t other) {
  if (!(w->semantics->properties & (1u << property))) {
    if (property == IR_P_MEMORY) w->ignored_error = edge;
    return;
  }
  violation v = {.property = property, .thread = slot, .edge = edge, .other = other, .other_edge = IR_NONE,
                 .num_parts = w->parts.count, .num_chosen = w->chosen.count, .edges_before = w->step_edges};
  if (other != IR_NONE) v.other_edge = xs_exec_insn (w, other)->edge;
  vec_push (&w->violations, v);
}

// Inside an atomic region the states between are not stored, so races are looked for on the way.
static void check_atomic_race (run *r, const pending *mine) {
  world *w = r->w;
  if (!(w->semantics->properties & (1u << IR_P_RACE))) return;
  for (uint32_t u = 0; u < w->num_slots; u++) {
    const thread *other = &w->threads[u];
    if (u == r->slot || other->status != T_RUNNING || other->atomic || !xs_exec_conflict (mine, &other->pending)) continue;
    xs_exec_violate (w, IR_P_RACE, r->slot, r->i->edge, u);
  }
}

static flow stop_before (run *r, pending p) {
  r->t->pending = p;
  return STOP;
}

static flow end_or_stop (run *r, flow end) { return stopping (r) ? stop_before (r, (pending){0}) : end; }

// ---- memory --------------------------------------------------------------------------------------------
static flow memory_violation (run *r) {
  if (stopping (r)) return stop_before (r, (pending){0});
  xs_exec_violate (r->w, IR_P_MEMORY, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

// Finds the object of an access, or says how the run goes on instead (stops before it, or ends with a violation).
static flow access (run *r, uint64_t pointer, uint32_t bytes, bool write, object **found) {
  world *w = r->w;
  object *o = *found = xs_object_access (w, pointer, bytes, write);
  if (!o) return memory_violation (r);
  if (!o->shared || w->running == 1) return GO;
  pending p = {pointer, bytes, write, r->i->order == IR_PLAIN, 0};
  if (stopping (r)) return stop_before (r, p);
  if (r->t->atomic) check_atomic_race (r, &p);
  return GO;
}

static uint64_t read_bytes (const uint8_t *at, unsigned bytes) {
  uint64_t x = 0;
  switch (bytes) {
    case 1: return *at;
    case 4: { uint32_t y; memcpy (&y, at, 4); return y; }
    case 8: memcpy (&x, at, 8); return x;
    default: memcpy (&x, at, bytes); return x;
  }
}

static void write_bytes (run *r, object *o, uint32_t offset, uint64_t value, unsigned bytes) {
  xs_object_touch (r->w, o, offset, bytes);
  memcpy (o->bytes + offset, &value, bytes);
  if (o->any_undefined) memset (o->undefined + offset, 0, bytes);
  xs_object_note_store (r->w, o, offset, bytes);
}

static unsigned count_undefined (const object *o, uint32_t offset, unsigned bytes) {
  unsigned count = 0;
  if (o->any_undefined)
    for (unsigned k = 0; k < bytes; k++) count += o->undefined[offset + k];
  return count;
}

// A wholly undefined value is chosen when it is first read, and stays.
static uint64_t read_defined (run *r, object *o, uint32_t offset, unsigned bytes) {
  if (count_undefined (o, offset, bytes) == bytes && bytes) {
    uint64_t value = xs_exec_nondet (r->w, r->i->edge, bytes * 8, NULL);
    write_bytes (r, o, offset, value, bytes);
  }
  return read_bytes (o->bytes + offset, bytes);
}

static flow do_load (run *r) {
  uint64_t pointer = get (r, r->i->a);
  object *o;
  flow f = access (r, pointer, r->i->bytes, false, &o);
  if (f != GO) return f;
  r->regs[r->i->dst] = read_defined (r, o, (uint32_t) pointer_offset (r->w, pointer), r->i->bytes) & mask_of (r->i->bits);
  return GO;
}

static flow do_store (run *r) {
  uint64_t pointer = get (r, r->i->a);
  object *o;
  flow f = access (r, pointer, r->i->bytes, true, &o);
  if (f == GO) write_bytes (r, o, (uint32_t) pointer_offset (r->w, pointer), get (r, r->i->b), r->i->bytes);
  return f;
}

static flow do_load_raw (run *r) {
  uint64_t pointer = get (r, r->i->a);
  object *o;
  flow f = access (r, pointer, r->i->bytes, false, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  uint64_t mask = 0;
  for (unsigned k = 0; o->any_undefined && k < r->i->bytes; k++) mask |= (uint64_t) o->undefined[offset + k] << k;
  r->regs[r->i->dst] = read_bytes (o->bytes + offset, r->i->bytes) & mask_of (r->i->bits);
  r->regs[r->i->dst2] = mask;
  return GO;
}

static flow do_store_raw (run *r) {
  uint64_t pointer = get (r, r->i->a);
  object *o;
  flow f = access (r, pointer, r->i->bytes, true, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  uint64_t value = get (r, r->i->b), mask = get (r, r->i->c);
  write_bytes (r, o, offset, value, r->i->bytes);
  if (mask && !o->any_undefined) {
    memset (o->undefined, 0, o->size);
    o->any_undefined = true;
    xs_object_touch (r->w, o, 0, 0);
  }
  for (unsigned k = 0; mask && k < r->i->bytes; k++)
    if (mask >> k & 1) o->undefined[offset + k] = 1, o->bytes[offset + k] = 0;
  return GO;
}

static uint64_t float_rmw (ir_rmw_op op, uint64_t a, uint64_t b, unsigned bits) {
  ir_value args[3] = {a, b, 0};
  return (uint64_t) ir_eval_op (op == IR_RMW_FADD ? IR_X_FADD : IR_X_FSUB, bits, bits, args);
}

static uint64_t combine (ir_rmw_op op, uint64_t a, uint64_t b, unsigned bits) {
  switch (op) {
    case IR_RMW_XCHG: return b;
    case IR_RMW_ADD: return a + b;
    case IR_RMW_SUB: return a - b;
    case IR_RMW_AND: return a & b;
    case IR_RMW_OR: return a | b;
    case IR_RMW_XOR: return a ^ b;
    case IR_RMW_NAND: return ~(a & b);
    case IR_RMW_MAX: return signed_of (a, bits) > signed_of (b, bits) ? a : b;
    case IR_RMW_MIN: return signed_of (a, bits) < signed_of (b, bits) ? a : b;
    case IR_RMW_UMAX: return a > b ? a : b;
    case IR_RMW_UMIN: return a < b ? a : b;
    default: return float_rmw (op, a, b, bits);
  }
}

static flow do_rmw (run *r) {
  uint64_t pointer = get (r, r->i->a);
  object *o;
  flow f = access (r, pointer, r->i->bytes, true, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  unsigned bits = r->i->bytes * 8u;
  uint64_t old = read_defined (r, o, offset, r->i->bytes);
  write_bytes (r, o, offset, combine ((ir_rmw_op) r->i->aux, old, get (r, r->i->b), bits) & mask_of (bits), r->i->bytes);
  r->regs[r->i->dst] = old & mask_of (r->i->bits);
  return GO;
}

static flow do_cmpxchg (run *r) {
  uint64_t pointer = get (r, r->i->a);
  object *o;
  flow f = access (r, pointer, r->i->bytes, true, &o);
  if (f != GO) return f;
  uint32_t offset = (uint32_t) pointer_offset (r->w, pointer);
  uint64_t old = read_defined (r, o, offset, r->i->bytes), expected = get (r, r->i->b), desired = get (r, r->i->c);
  if (old == expected) write_bytes (r, o, offset, desired, r->i->bytes);
  r->regs[r->i->dst] = old & mask_of (r->i->bits);
  r->regs[r->i->dst2] = old == expected;
  return GO;
}

static flow do_alloc (run *r) {
  world *w = r->w;
  uint64_t size = get (r, r->i->a), pointer = 0;
  bool heap = r->i->aux != IR_ALLOC_STACK;
  if (heap && w->semantics->may_fail) {
    uint32_t fails = world_choose (w, 2);
    vec_push (&w->chosen, (ir_value) fails);
    if (fails) {
      r->regs[r->i->dst] = 0;
      return GO;
    }
  }
  if (size >= 1ull << (w->program->offset_bits - 1) || size > (64u << 20)) {
    w->stop_message = "an allocation is too large for the explicit engine";
    w->stop_edge = r->i->edge;
    return CUT;
  }
  object *o = xs_object_allocate (w, r->slot, heap ? OBJ_HEAP : OBJ_STACK, size, r->i->aux != IR_ALLOC_HEAP_ZEROED, &pointer);
  if (!heap) {
    o->depth = (uint16_t) r->t->frames.count;
    o->order = (uint16_t) vec_last (&r->t->frames).num_stack++;
  }
  if (pointer_object (w, pointer) != o->number) {
    w->stop_message = "too many objects for 32-bit pointers";
    w->stop_edge = r->i->edge;
    return CUT;
  }
  r->regs[r->i->dst] = pointer;
  return GO;
}

static flow do_free (run *r) {
  world *w = r->w;
  uint64_t pointer = get (r, r->i->a);
  if (!pointer) return GO;
  object *o = pointer_object (w, pointer) ? xs_object_find (w, pointer) : NULL;
  bool valid = o && o->kind == OBJ_HEAP && o->state == OBJ_ALIVE && !pointer_offset (w, pointer);
  if (!valid) return memory_violation (r);
  if (o->shared && w->running > 1) {
    pending p = {pointer, o->size, true, true, 0};
    if (stopping (r)) return stop_before (r, p);
    if (r->t->atomic) check_atomic_race (r, &p);
  }
  xs_object_kill (w, o, true);
  return GO;
}

static flow do_forget (run *r) {
  world *w = r->w;
  uint64_t pointer = get (r, r->i->a);
  object *o = xs_object_access (w, pointer, 0, true);
  if (!o) return memory_violation (r);
  if (o->shared && stopping (r)) return stop_before (r, (pending){0});
  xs_object_clear_pages (w, o);
  memset (o->bytes, 0, o->size);
  memset (o->undefined, 1, o->size);
  o->any_undefined = true;
  return GO;
}

// ---- frames --------------------------------------------------------------------------------------------
static flow do_call (run *r) {
  world *w = r->w;
  thread *t = r->t;
  uint32_t proc = r->i->target - 1;
  if (!r->i->target) {
    uint64_t callee = get (r, r->i->a), number = pointer_object (w, callee);
    const ir_object_data *o = number && number < w->num_static ? &w->program->objects.data[number] : NULL;
    if (!o || o->kind != IR_O_FUNCTION || o->proc.i == IR_NONE || pointer_offset (w, callee)) {
      xs_exec_violate (w, IR_P_MEMORY, r->slot, r->i->edge, IR_NONE);
      return VIOLATED;
    }
    proc = o->proc.i;
  }
  if (t->frames.count >= 5000) {
    w->stop_message = "recursion deeper than 5000 calls";
    w->stop_edge = r->i->edge;
    return CUT;
  }
  const call_shape *shape = &w->code->calls.data[r->i->other];
  const code_proc *callee = &w->code->procs.data[proc];
  uint32_t caller = vec_last (&t->frames).base;
  xs_thread_push_frame (w, t, proc);
  uint32_t base = vec_last (&t->frames).base;
  for (uint32_t k = 0; k < shape->count && k < callee->param_slot.count; k++) {
    const call_operand *x = &w->code->call_operands.data[shape->first + k];
    r->regs = t->regs.data + caller;
    ir_value value = get_wide (r, x->value, x->bits);
    unsigned bits = callee->param_bits.data[k];
    if (bits < 128) value &= ((ir_value) 1 << bits) - 1;
    r->regs = t->regs.data + base;
    set_wide (r, callee->param_slot.data[k], value, bits);
  }
  refresh (r);
  return GO;
}

static void note_thread_end (run *r) {
  for (uint32_t k = 0; k < r->t->held.count; k++)
    if (r->t->held.data[k].kind != HELD_ONCE) {
      xs_exec_violate (r->w, IR_P_LOCKS, r->slot, r->i->edge, IR_NONE);
      return;
    }
}

static flow end_thread (run *r, uint64_t result) {
  if (xs_thread_shares_stack (r->w, r->slot, 0, 0) && stopping (r)) return stop_before (r, (pending){0});
  note_thread_end (r);
  xs_thread_end (r->w, r->slot, result);
  return THREAD_OVER;
}

static flow do_return (run *r) {
  thread *t = r->t;
  ir_value value = r->i->aux ? get_wide (r, r->i->a, r->i->bits) : 0;
  if (t->frames.count == 1) return end_thread (r, (uint64_t) value);
  uint32_t depth = t->frames.count;
  if (vec_last (&t->frames).num_stack && xs_thread_shares_stack (r->w, r->slot, depth, 0) && stopping (r))
    return stop_before (r, (pending){0});
  bool has_stack = vec_last (&t->frames).num_stack;
  t->regs.count = vec_last (&t->frames).base;
  t->frames.count--;
  if (has_stack) {
    t->result = (uint64_t) value;  // a returned address keeps its dead object distinct
    xs_thread_kill_stack (r->w, r->slot, depth, 0);
    t->result = 0;
  }
  refresh (r);
  frame *f = &vec_last (&t->frames);
  const insn *call = &r->w->code->insns.data[f->pc];
  if (call->dst != IR_NONE) {
    if (call->bits < 128) value &= ((ir_value) 1 << call->bits) - 1;
    set_wide (r, call->dst, value, call->bits);
  }
  return GO;
}

static flow do_stack_restore (run *r) {
  frame *f = &vec_last (&r->t->frames);
  uint32_t order = (uint32_t) get (r, r->i->a);
  if (xs_thread_shares_stack (r->w, r->slot, r->t->frames.count, order) && stopping (r)) return stop_before (r, (pending){0});
  xs_thread_kill_stack (r->w, r->slot, r->t->frames.count, order);
  f->num_stack = order;
  return GO;
}

// ---- the rest ------------------------------------------------------------------------------------------
uint64_t xs_exec_nondet (world *w, uint32_t edge, unsigned bits, ir_value *wide) {
  uint32_t k = world_choose (w, values_count (w->values, edge, bits));
  ir_value value = values_get (w->values, edge, bits, k);
  vec_push (&w->chosen, value);
  if (wide) *wide = value;
  return (uint64_t) value;
}

static void do_generic (run *r) {
  const generic_shape *s = &r->w->code->shapes.data[r->i->target];
  const operand x[3] = {r->i->a, r->i->b, r->i->c};
  ir_value args[3] = {0};
  for (unsigned k = 0; k < s->arity; k++) args[k] = get_wide (r, x[k], s->operand_bits[k]);
  unsigned operand_bits = s->op == IR_X_ITE ? s->bits : s->operand_bits[0];
  set_wide (r, r->i->dst, ir_eval_op (s->op, s->bits, operand_bits, args), s->bits);
}

static flow do_check (run *r) {
  if (get (r, r->i->a)) return GO;
  if (stopping (r)) return stop_before (r, (pending){0});
  xs_exec_violate (r->w, (ir_property) r->i->aux, r->slot, r->i->edge, IR_NONE);
  return VIOLATED;
}

static flow do_unsupported (run *r) {
  if (stopping (r)) return stop_before (r, (pending){0});
  r->w->stop_message = r->w->program->edges.data[r->i->edge].message;
  r->w->stop_edge = r->i->edge;
  return UNSUPPORTED_OP;
}

static bool sync_is_private (const run *r) {
  switch (r->i->ir) {
    case IR_THREAD_CREATE: case IR_THREAD_JOIN: case IR_THREAD_DETACH: return false;
    case IR_BARRIER_RESUME: case IR_COND_RESUME: case IR_COND_TIMEDRESUME: return false;
    default: break;
  }
  const object *o = xs_object_find (r->w, get (r, r->i->a));
  return o && !o->shared;
}

static flow do_sync (run *r) {
  if (r->i->ir == IR_THREAD_EXIT) return end_thread (r, get (r, r->i->a));
  bool scheduled = r->first && others_run (r);
  if (!scheduled) {
    pending p;
    xs_sync_pending (r->w, r->slot, r->i, &p);
    if (r->w->running > 1 && r->t->atomic && p.bytes) check_atomic_race (r, &p);
    if (stopping (r) && !sync_is_private (r)) return stop_before (r, p);
    if (!xs_sync_can_step (r->w, r->slot, r->i)) return stop_before (r, p);
  }
  sync_result result = xs_sync_execute (r->w, r->slot, r->i);
  refresh (r);
  switch (result) {
    case SYNC_GO: return GO;
    case SYNC_ENDED_THREAD: return THREAD_OVER;
    case SYNC_CUT: return CUT;
    case SYNC_VIOLATION: return VIOLATED;
  }
  return GO;
}

static flow do_atomic (run *r) {
  if (r->i->op == BC_ATOMIC_END) {
    if (r->t->atomic) r->t->atomic--;
    return GO;
  }
  if (stopping (r)) return stop_before (r, (pending){0});
  r->t->atomic++;
  return GO;
}

static uint64_t tls_address (const run *r) {
  const world *w = r->w;
  uint32_t k = 0;
  while (w->tls.data[k] != r->i->target) k++;
  return ((uint64_t) w->threads[r->slot].objects.data[k]->number << w->program->offset_bits) + r->i->other;
}

static uint64_t object_size (const run *r) {
  const object *o = xs_object_find (r->w, get (r, r->i->a));
  return o && o->state == OBJ_ALIVE ? o->size : 0;
}

static inline void arithmetic (run *r) {
  const insn *i = r->i;
  uint64_t a = get (r, i->a), b = get (r, i->b), x;
  unsigned n = i->bits;
  switch (i->op) {
    case BC_ADD: x = (a + b) & mask_of (n); break;
    case BC_SUB: x = (a - b) & mask_of (n); break;
    case BC_MUL: x = (a * b) & mask_of (n); break;
    case BC_AND: x = a & b; break;
    case BC_OR: x = a | b; break;
    case BC_XOR: x = a ^ b; break;
    case BC_SHL: x = b < n ? (a << b) & mask_of (n) : 0; break;
    case BC_LSHR: x = b < n ? a >> b : 0; break;
    case BC_ASHR: x = (uint64_t) (signed_of (a, n) >> (b < n ? b : n - 1)) & mask_of (n); break;
    case BC_EQ: x = a == b; break;
    case BC_NE: x = a != b; break;
    case BC_ULT: x = a < b; break;
    case BC_ULE: x = a <= b; break;
    case BC_SLT: x = signed_of (a, n) < signed_of (b, n); break;
    default: x = signed_of (a, n) <= signed_of (b, n); break;
  }
  r->regs[i->dst] = x;
}

static flow effect (run *r) {
  const insn *i = r->i;
  switch (i->op) {
    case BC_NONDET: {
      ir_value value;
      xs_exec_nondet (r->w, i->edge, i->bits, &value);
      set_wide (r, i->dst, value, i->bits);
      return GO;
    }
    case BC_CHECK: return do_check (r);
    case BC_CALL: return do_call (r);
    case BC_RETURN: return do_return (r);
    case BC_UNSUPPORTED: return do_unsupported (r);
    case BC_STACK_SAVE: r->regs[i->dst] = vec_last (&r->t->frames).num_stack; return GO;
    case BC_STACK_RESTORE: return do_stack_restore (r);
    case BC_ALLOC: return do_alloc (r);
    case BC_OBJECT_SIZE: r->regs[i->dst] = object_size (r) & mask_of (i->bits); return GO;
    case BC_SELF: r->regs[i->dst] = r->slot + 1; return GO;
    case BC_LOAD: return do_load (r);
    case BC_STORE: return do_store (r);
    case BC_LOAD_RAW: return do_load_raw (r);
    case BC_STORE_RAW: return do_store_raw (r);
    case BC_RMW: return do_rmw (r);
    case BC_CMPXCHG: return do_cmpxchg (r);
    case BC_FREE: return do_free (r);
    case BC_FORGET: return do_forget (r);
    case BC_SYNC: return do_sync (r);
    case BC_ATOMIC_BEGIN: case BC_ATOMIC_END: return do_atomic (r);
    case BC_EXIT: return end_or_stop (r, EXITED);
    case BC_INFEASIBLE: return end_or_stop (r, INFEASIBLE_PATH);
    default: BUG ("bytecode operation %d should be known", i->op);
  }
}

static flow run_thread (world *w, uint32_t slot, bool scheduled) {
  thread *t = &w->threads[slot];
  world_touch_thread (w, slot);
  run r = {.w = w, .t = t, .slot = slot, .first = scheduled};
  w->step_edges = 0;
  refresh (&r);
  uint32_t pc = vec_last (&t->frames).pc, count = 0;
  t->pending = (pending){0};
  const insn *code = w->code->insns.data;
  flow result;
  for (;;) {
    const insn *i = r.i = &code[pc];
    count++;
    switch (i->op) {
      case BC_MOVE: r.regs[i->dst] = get (&r, i->a); pc++; break;
      case BC_MOVE2: set_wide (&r, i->dst, get_wide (&r, i->a, 128), 128); pc++; break;
      case BC_ITE: r.regs[i->dst] = get (&r, get (&r, i->a) ? i->b : i->c); pc++; break;
      case BC_SEXT: r.regs[i->dst] = (uint64_t) signed_of (get (&r, i->a), i->bits) & mask_of (i->aux); pc++; break;
      case BC_TRUNC: r.regs[i->dst] = get (&r, i->a) & mask_of (i->bits); pc++; break;
      case BC_GENERIC: do_generic (&r); pc++; break;
      case BC_TLS_ADDR: r.regs[i->dst] = tls_address (&r); pc++; break;
      case BC_NOP: pc++; break;
      case BC_JUMP: case BC_BRANCH: case BC_BRANCH_IF:
        if (i->back && count > LOCAL_LIMIT) {
          vec_last (&t->frames).pc = pc;
          result = STOP;
          goto done;
        }
        if (i->op == BC_JUMP) pc = i->target;
        else if (get (&r, i->a)) pc = i->target;
        else if (i->op == BC_BRANCH) pc = i->other;
        else {
          pc++;
          r.first = false;
          continue;            // not taken: no edge completed
        }
        break;
      default:
        if (i->op <= BC_SLE) {
          arithmetic (&r);
          pc++;
          break;
        }
        vec_last (&t->frames).pc = pc;
        result = effect (&r);
        if (result != GO) goto done;
        pc = i->op == BC_CALL ? vec_last (&t->frames).pc : vec_last (&t->frames).pc + 1;
    }
    w->step_edges += i->weight;
    r.first = false;
  }
done:
  w->instructions += count;
  if (result == THREAD_OVER) w->step_edges++;
  if (w->step_edges) vec_push (&w->parts, ((schedule_part){slot, w->step_edges}));
  return result;
}

static bool region_active (const world *w) {
  for (uint32_t t = 0; t < w->num_slots; t++)
    if (w->threads[t].status == T_RUNNING && w->threads[t].atomic && xs_exec_enabled (w, t)) return true;
  return false;
}

static step_result step_result_of (flow f) {
  switch (f) {
    case EXITED: return STEP_EXITED;
    case VIOLATED: return STEP_VIOLATION;
    case INFEASIBLE_PATH: return STEP_INFEASIBLE;
    case CUT: return STEP_CUT;
    case UNSUPPORTED_OP: return STEP_UNSUPPORTED;
    default: return STEP_DONE;
  }
}

step_result xs_exec_step (world *w, uint32_t slot) {
  flow f = run_thread (w, slot, true);
  // New threads do their first local work at once, unless an atomic region forbids it.
  for (uint32_t k = 0; k < w->starts.count && (f == STOP || f == THREAD_OVER); k++)
    if (!region_active (w)) f = run_thread (w, w->starts.data[k], false);
  return step_result_of (f);
}

bool xs_exec_enabled (const world *w, uint32_t slot) {
  const insn *i = xs_exec_insn (w, slot);
  return i->op != BC_SYNC || xs_sync_can_step (w, slot, i);
}
