// Abstract execution of one frame from its location. As long as branches are decided by known values there is only one
// path, and it is executed exactly (so loops over arrays of locks and threads are unrolled). From the first undecided
// branch on, a register holds a value that fits all paths, while lock sets are kept per jump target.
#include <string.h>

#include "analysis/pointsto.h"
#include "base/diag.h"
#include "engine/explicit/future_impl.h"
#include "ir/sync.h"

enum { WALK_INSTRUCTIONS = 20000 /* instructions on one path */, WALK_PASSES = 12 };

typedef struct future_walk {
  thread_futures *f;
  thread_future *out;
  uint32_t proc, first, end;  // code addresses of the procedure
  future_value *regs;
  lock_antichain locks;  // locks acquired since the start
  lock_state held;
  struct place {
    lock_antichain locks;
    lock_state held;
  } * entry;  // [0..end - first[: facts at the targets of jumps, after the first undecided branch; before it NULL
  VEC (uint32_t) work;
  bool changed;  // a register has got a value that covers more
  uint32_t first_temporary;
  uint32_t frame;  // depth of the frame, 0: the call is still to be made
} future_walk;

// ---- values -------------------------------------------------------------------------------------------
static future_value known_constant (uint64_t x) { return (future_value){V_CONST, x}; }
static const future_value any_value = {V_ANY, 0};

static future_value join_values (future_value a, future_value b) {
  if (a.kind == V_RESULT || b.kind == V_RESULT) return (future_value){V_RESULT, 0};
  if (a.kind == V_NONE) return b;
  if (b.kind == V_NONE || (a.kind == b.kind && a.x == b.x)) return a;
  return any_value;
}

static future_value operand_value_of (const future_walk *w, operand x) {
  return x & CONST_BIT ? known_constant (w->f->code->constants.data[x & ~CONST_BIT]) : w->regs[x];
}

// Before the first undecided branch, a register without a value is one that is not tracked (the upper half of a wide
// one, for example).
static future_value known_value_of (const future_walk *w, operand x) {
  future_value v = operand_value_of (w, x);
  if (v.kind == V_RESULT) w->out->uses_results = true;
  return (v.kind == V_NONE && !w->entry) || v.kind == V_RESULT ? any_value : v;
}

static void set_abstract_register (future_walk *w, uint32_t slot, future_value v) {
  if (slot == IR_NONE) return;
  if (w->entry && slot < w->first_temporary) {
    future_value wider = join_values (w->regs[slot], v);
    w->changed |= wider.kind != w->regs[slot].kind || wider.x != w->regs[slot].x;
    v = wider;
  }
  w->regs[slot] = v;
}

static void set_unknown_result (future_walk *w, const insn *i) {
  set_abstract_register (w, i->dst, any_value);
  if (i->dst != IR_NONE && i->bits > 64) set_abstract_register (w, i->dst + 1, any_value);
  set_abstract_register (w, i->dst2, any_value);
}

static uint64_t low_bits_mask (unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static uint64_t constant_result (const insn *i, uint64_t a, uint64_t b) {
  static const uint8_t as_ir[] = {
      [BC_ADD] = IR_X_ADD, [BC_SUB] = IR_X_SUB, [BC_MUL] = IR_X_MUL,   [BC_AND] = IR_X_AND,   [BC_OR] = IR_X_OR,
      [BC_XOR] = IR_X_XOR, [BC_SHL] = IR_X_SHL, [BC_LSHR] = IR_X_LSHR, [BC_ASHR] = IR_X_ASHR, [BC_EQ] = IR_X_EQ,
      [BC_NE] = IR_X_NE,   [BC_ULT] = IR_X_ULT, [BC_ULE] = IR_X_ULE,   [BC_SLT] = IR_X_SLT,   [BC_SLE] = IR_X_SLE};
  ir_value args[3] = {a, b, 0};
  unsigned bits = i->op >= BC_EQ ? 1 : i->bits;
  return (uint64_t) ir_eval_op ((ir_expr_op) as_ir[i->op], bits, i->bits, args);
}

// A pointer plus an unknown value stays in its object. With 32-bit pointers any integer looks like a pointer, so
// points-to sets decide.
static future_value displaced_pointer (const future_walk *w, future_value a, future_value b) {
  const ir_program *p = w->f->program;
  if (a.kind == V_FRESH || b.kind == V_FRESH) return (future_value){V_FRESH, 0};
  if (a.kind == V_TLS || b.kind == V_TLS) return (future_value){V_TLS, 0};
  if (p->pointer_bits != 64) return any_value;
  uint64_t in_a = a.kind == V_OBJECT ? a.x : a.kind == V_CONST ? a.x >> p->offset_bits : 0;
  uint64_t in_b = b.kind == V_OBJECT ? b.x : b.kind == V_CONST ? b.x >> p->offset_bits : 0;
  if (in_a && in_b) return any_value;
  return in_a || in_b ? (future_value){V_OBJECT, in_a | in_b} : any_value;
}

// pthread_join compares the handle with the caller's own. This comparison is presumed to be false, and the user of the
// future checks that (not_self of the future); otherwise nothing would be known after the first join.
static bool is_self_join_test (const insn *i, future_value a, future_value b) {
  return (i->op == BC_EQ || i->op == BC_NE) &&
         ((a.kind == V_CELL && b.kind == V_SELF) || (a.kind == V_SELF && b.kind == V_CELL));
}

static future_value arithmetic_value (const future_walk *w, const insn *i) {
  future_value a = known_value_of (w, i->a), b = known_value_of (w, i->b);
  if (is_self_join_test (i, a, b)) {
    future_note_not_self (w->out, a.kind == V_CELL ? a.x : b.x);
    return known_constant (i->op == BC_NE);
  }
  if (a.kind == V_NONE || b.kind == V_NONE) return (future_value){V_NONE, 0};
  if (a.kind == V_CONST && b.kind == V_CONST) return known_constant (constant_result (i, a.x, b.x));
  bool minus_constant = i->op == BC_SUB && b.kind == V_CONST && !(b.x >> w->f->program->offset_bits);
  return i->op == BC_ADD || minus_constant ? displaced_pointer (w, a, b) : any_value;
}

static future_value generic_value (const future_walk *w, const insn *i) {
  const generic_shape *s = &w->f->code->shapes.data[i->target];
  const operand x[3] = {i->a, i->b, i->c};
  ir_value args[3] = {0};
  if (s->bits > 64) return any_value;
  for (unsigned k = 0; k < s->arity; k++) {
    future_value v = known_value_of (w, x[k]);
    if (v.kind != V_CONST || s->operand_bits[k] > 64) return any_value;
    args[k] = v.x;
  }
  return known_constant (
      (uint64_t) ir_eval_op (s->op, s->bits, s->op == IR_X_ITE ? s->bits : s->operand_bits[0], args));
}

static future_value ite_value (const future_walk *w, const insn *i) {
  future_value c = known_value_of (w, i->a);
  if (c.kind == V_CONST) return known_value_of (w, c.x ? i->b : i->c);
  return join_values (known_value_of (w, i->b), known_value_of (w, i->c));
}

static future_value narrowed_value (const future_walk *w, const insn *i) {
  future_value a = known_value_of (w, i->a);
  if (a.kind != V_CONST) return i->op == BC_TRUNC && i->bits >= w->f->program->pointer_bits ? a : any_value;
  if (i->op == BC_TRUNC) return known_constant (a.x & low_bits_mask (i->bits));
  int64_t wide = (int64_t) (a.x << (64 - i->bits)) >> (64 - i->bits);
  return known_constant ((uint64_t) wide & low_bits_mask (i->aux));
}

// ---- accesses -----------------------------------------------------------------------------------------
// Only an access to a static object at a known address is certainly valid.
static bool is_safe_access (const future_walk *w, future_value address, uint32_t bytes, bool write) {
  const ir_program *p = w->f->program;
  uint64_t number = address.x >> p->offset_bits, offset = address.x & ((1ull << p->offset_bits) - 1);
  if (address.kind != V_CONST || !number || number >= w->f->num_static) return false;
  const ir_object_data *o = &p->objects.data[number];
  bool data = o->kind == IR_O_GLOBAL || (o->kind == IR_O_CONSTANT && !write);
  return data && offset + bytes <= o->size;
}

// Records an access: `a` says what kind of access it is, `address` gives its region.
static void record_access_like (future_walk *w, const insn *i, unsigned arg, future_value address, future_access a) {
  w->out->unsafe |= address.kind != V_NONE && !is_safe_access (w, address, a.bytes, a.write);
  a.before = w->locks;
  switch (address.kind) {
  case V_NONE:
  case V_FRESH: return;
  case V_CONST: a.kind = REGION_RANGE, a.at = address.x; break;
  case V_OBJECT: a.kind = REGION_OBJECT, a.at = address.x, a.bytes = 0; break;
  case V_TLS: a.kind = REGION_TLS, a.bytes = 0; break;
  default: a.kind = REGION_SET, a.at = (uint64_t) i->edge << 8 | arg, a.bytes = 0;
  }
  future_note (w->out, a);
  bool plain = i->op != BC_SYNC && i->order == IR_PLAIN;
  future_note_racy (w->out, (racy_access){i->edge, plain, w->held, a});
}

static void record_access (future_walk *w, const insn *i, unsigned arg, future_value address, uint32_t bytes,
                           bool write, lock_set own) {
  record_access_like (w, i, arg, address, (future_access){.bytes = bytes, .write = write, .own = own});
}

static future_value whole_object (const future_walk *w, future_value v) {
  return v.kind == V_CONST ? (future_value){V_OBJECT, v.x >> w->f->program->offset_bits} : v;
}

static bool analyse_load (future_walk *w, const insn *i) {
  future_value address = known_value_of (w, i->a);
  record_access (w, i, 0, address, i->bytes, false, 0);
  bool cell = address.kind == V_CONST && i->bytes * 8u == w->f->program->pointer_bits;
  set_abstract_register (w, i->dst, cell ? (future_value){V_CELL, address.x} : any_value);
  set_abstract_register (w, i->dst2, any_value);
  return true;
}

static bool analyse_store (future_walk *w, const insn *i) {
  known_value_of (w, i->b), known_value_of (w, i->c);  // storing the result of a joined thread counts as using it
  record_access (w, i, 0, known_value_of (w, i->a), i->bytes, true, 0);
  set_unknown_result (w, i);
  return true;
}

// ---- synchronisation ----------------------------------------------------------------------------------
static lock_set acquired_lock_bits (future_walk *w, future_value lock, bool exclusive, bool also_shared) {
  lock_set out = 0;
  if (lock.kind != V_CONST || !w->f->use_locks) return 0;
  if (exclusive) out |= futures_bit (w->f, BIT_EXCLUSIVE, lock.x);
  if (also_shared) out |= futures_bit (w->f, BIT_SHARED, lock.x);
  return out;
}

static void hold_lock_value (future_walk *w, future_value lock, bool exclusive) {
  lock_set bit = lock.kind == V_CONST ? futures_bit (w->f, BIT_EXCLUSIVE, lock.x) : 0;
  w->held.any |= bit;
  if (exclusive) w->held.exclusive |= bit;
}

static void record_unheld_release (future_walk *w, const insn *i, unsigned arg, future_value lock, lock_set bit) {
  future_access a = {.kind = REGION_SET, .write = true, .at = (uint64_t) i->edge << 8 | arg};
  if (lock.kind == V_OBJECT) a.kind = REGION_OBJECT, a.at = lock.x;
  if (lock.kind != V_CONST) future_note_release (w->out, a);
  else if (bit & w->held.released & ~w->held.any) w->out->releases_twice = true;
  else w->out->unheld |= bit & ~w->held.any;
}

static void release_lock_value (future_walk *w, const insn *i, unsigned arg, future_value lock) {
  lock_set bit = lock.kind == V_CONST ? futures_bit (w->f, BIT_EXCLUSIVE, lock.x) : ~0ull;
  if (lock.kind != V_NONE && lock.kind != V_FRESH) record_unheld_release (w, i, arg, lock, bit);
  w->held.any &= ~bit;
  w->held.exclusive &= ~bit;
  w->held.released |= bit;
}

static void acquire_lock_value (future_walk *w, const insn *i, unsigned arg, future_value lock, ir_family family,
                                bool shared) {
  lock_set own = acquired_lock_bits (w, lock, true, family == IR_F_RWLOCK && !shared);
  record_access (w, i, arg, lock, ir_family_bytes (w->f->program, family), true, own);
  w->locks = antichain_acquire (&w->locks, own);
  w->out->blocks = true;
  if (family != IR_F_ONCE) hold_lock_value (w, lock, !shared);
}

// Records an access to entries of the thread table; which thread's entry it is, is not tracked.
static void record_thread_table (future_walk *w, uint32_t first, uint32_t entries) {
  future_access a = {.kind = REGION_RANGE, .write = true, .before = w->locks};
  a.at = thread_entry_address (w->f->program, first);
  a.bytes = 4 * entries;
  future_note (w->out, a);
}

static void record_thread_entries (future_walk *w) { record_thread_table (w, 0, IR_MAX_THREADS + 1); }

static void join_thread (future_walk *w, future_value handle) {
  lock_set own = 0;
  record_thread_entries (w);
  w->out->joins = true;
  if (handle.kind == V_CELL) own = futures_bit (w->f, BIT_JOIN_CELL, handle.x);
  if (handle.kind == V_CONST) own = futures_bit (w->f, BIT_JOIN_HANDLE, handle.x);
  if (w->f->use_joins) w->locks = antichain_acquire (&w->locks, own);
}

typedef struct call_outcome {
  future_value result;
  lock_antichain locks;
  lock_state held;
} call_outcome;

static void call_proc (future_walk *w, uint32_t proc, const future_value *args, uint32_t count, bool thread,
                       call_outcome *after) {
  thread_future *callee = future_of_call (w->f, proc, args, count);
  if (!callee) {
    w->out->everything = true;
    return;
  }
  lock_state nothing = {0};
  future_append (w->out, callee, &w->locks, thread ? &nothing : &w->held);
  if (thread || !callee->returns) return;
  lock_antichain taken = antichain_then (&w->locks, &callee->exit);
  lock_state held = lock_state_then (&w->held, &callee->exit_locks);
  held.atomic = w->held.atomic;
  if (after->locks.count) lock_state_join (&after->held, &held);
  else after->held = held;
  antichain_join (&after->locks, &taken);
  after->result = join_values (after->result, callee->result);
}

// Calls every procedure that the value may point to; returns false if none returns.
static bool call_value (future_walk *w, const insn *i, unsigned arg, future_value callee, const future_value *args,
                        uint32_t count, bool thread) {
  const ir_program *p = w->f->program;
  call_outcome after = {0};
  uint32_t number = callee.kind == V_CONST ? (uint32_t) (callee.x >> p->offset_bits) : 0;
  if (number && number < w->f->num_static && p->objects.data[number].kind == IR_O_FUNCTION) {
    if (p->objects.data[number].proc.i != IR_NONE)
      call_proc (w, p->objects.data[number].proc.i, args, count, thread, &after);
  } else {
    pointsto_set set = pointsto_arg (w->f->pointsto, (ir_edge){i->edge}, arg);
    if (set.anything) w->out->everything = true;
    for (uint32_t k = 0; k < set.count && !w->out->everything; k++) {
      uint32_t o = set.objects[k];
      if (o < w->f->num_static && p->objects.data[o].kind == IR_O_FUNCTION && p->objects.data[o].proc.i != IR_NONE)
        call_proc (w, p->objects.data[o].proc.i, args, count, thread, &after);
    }
  }
  if (thread) return true;
  w->locks = after.locks;
  w->held = after.held;
  if (after.result.kind == V_CONST && i->bits <= 64)
    set_abstract_register (w, i->dst, known_constant (after.result.x & low_bits_mask (i->bits)));
  else set_unknown_result (w, i);
  return after.locks.count || w->out->everything;
}

// Records the death of stack objects, whose addresses other threads may know.
static void record_stack_death (future_walk *w, uint32_t depth) {
  if (depth)
    future_note (w->out, (future_access){.kind = REGION_STACK, .write = true, .at = depth, .before = w->locks});
}

static bool create_threads (future_walk *w, const insn *i) {
  future_value handle = known_value_of (w, i->a), function = known_value_of (w, i->b),
               argument = known_value_of (w, i->c);
  uint32_t bytes = w->f->program->pointer_bits / 8u;
  set_abstract_register (w, i->dst, any_value);
  record_access_like (w, i, 0, handle, (future_access){.bytes = bytes, .write = true, .handle = true});
  w->out->creates = true;
  record_thread_table (w, IR_MAX_THREADS, 1);
  return call_value (w, i, 1, function, &argument, 1, true);
}

// Returns false if the thread ends.
static bool thread_operation (future_walk *w, const insn *i, ir_action action) {
  switch (action) {
  case IR_A_END: record_stack_death (w, 1); return false;
  case IR_A_START: return create_threads (w, i);
  case IR_A_JOIN:
    join_thread (w, known_value_of (w, i->a));
    set_abstract_register (w, i->dst, (future_value){V_RESULT, 0});
    return true;
  case IR_A_DETACH:
    w->out->detaches = true;
    record_thread_entries (w);
    return true;
  default: BUG ("operation %s of a thread should be known", ir_op_table[i->ir].text);
  }
}

// Executes an operation on a lock, semaphore, barrier, condition variable or once.
static void object_operation (future_walk *w, const insn *i, const ir_sync *facts) {
  future_value a = known_value_of (w, i->a), b = known_value_of (w, i->b);
  bool is_lock = ir_family_is_lock (facts->family);
  const ir_program *p = w->f->program;
  set_abstract_register (w, i->dst, any_value);
  if (facts->action == IR_A_ACQUIRE && (is_lock || facts->family == IR_F_ONCE)) {
    acquire_lock_value (w, i, 0, a, facts->family, facts->shared);
    return;
  }
  w->out->blocks |= facts->blocks;
  if (is_lock && (facts->action == IR_A_RELEASE || facts->action == IR_A_INIT)) release_lock_value (w, i, 0, a);
  if (facts->action == IR_A_WAIT) {
    record_access (w, i, 1, b, ir_family_bytes (p, IR_F_MUTEX), true, 0);
    release_lock_value (w, i, 1, b);
  }
  record_access (w, i, 0, a, ir_family_bytes (p, facts->family), facts->action != IR_A_READ, 0);
  if (facts->names_mutex && facts->blocks) acquire_lock_value (w, i, 1, b, IR_F_MUTEX, false);
}

static bool sync_operation (future_walk *w, const insn *i) {
  const ir_sync *facts = ir_sync_of (i->ir);
  w->out->locks |= facts->action != IR_A_START && facts->action != IR_A_END;
  if (facts->family == IR_F_THREAD) return thread_operation (w, i, facts->action);
  object_operation (w, i, facts);
  return true;
}

// ---- one instruction ----------------------------------------------------------------------------------
static bool analyse_call (future_walk *w, const insn *i) {
  const call_shape *shape = &w->f->code->calls.data[i->other];
  future_value args[16];
  uint32_t count = shape->count < 16 ? shape->count : 16;
  for (uint32_t k = 0; k < count; k++) {
    const call_operand *x = &w->f->code->call_operands.data[shape->first + k];
    args[k] = x->bits > 64 ? any_value : known_value_of (w, x->value);
  }
  if (!i->target) return call_value (w, i, 0, known_value_of (w, i->a), args, count, false);
  const ir_program *p = w->f->program;
  future_value callee = known_constant ((uint64_t) p->procs.data[i->target - 1].object.i << p->offset_bits);
  return call_value (w, i, 0, callee, args, count, false);
}

static void analyse_return (future_walk *w, future_value result) {
  if (w->out->returns) lock_state_join (&w->out->exit_locks, &w->held);
  else w->out->exit_locks = w->held;
  record_stack_death (w, w->frame);
  w->out->returns = true;
  antichain_join (&w->out->exit, &w->locks);
  w->out->result = join_values (w->out->result, result);
}

// The end of the process and a failing check access no memory, but it matters which threads must have been joined
// before.
static void record_end_event (future_walk *w) {
  future_access a = {.kind = REGION_RANGE, .at = events_address (w->f->program), .bytes = 1, .before = w->locks};
  future_note (w->out, a);
}

static bool analyse_check (future_walk *w, const insn *i) {
  future_value condition = known_value_of (w, i->a);
  if (condition.kind == V_CONST && condition.x) return true;
  record_end_event (w);
  future_note_check (w->out, i->edge);
  return condition.kind != V_CONST;
}

// Executes an instruction other than a jump; returns false if the path ends here.
static bool analyse_insn (future_walk *w, const insn *i) {
  switch (i->op) {
  case BC_MOVE: set_abstract_register (w, i->dst, known_value_of (w, i->a)); return true;
  case BC_MOVE2:
    set_abstract_register (w, i->dst, any_value);
    set_abstract_register (w, i->dst + 1, any_value);
    return true;
  case BC_ITE: set_abstract_register (w, i->dst, ite_value (w, i)); return true;
  case BC_SEXT:
  case BC_TRUNC: set_abstract_register (w, i->dst, narrowed_value (w, i)); return true;
  case BC_GENERIC:
    set_abstract_register (w, i->dst, generic_value (w, i));
    if (w->f->code->shapes.data[i->target].bits > 64) set_abstract_register (w, i->dst + 1, any_value);
    return true;
  case BC_TLS_ADDR:
    w->out->names_itself = true;
    set_abstract_register (w, i->dst, (future_value){V_TLS, 0});
    return true;
  case BC_ALLOC: set_abstract_register (w, i->dst, (future_value){V_FRESH, 0}); return true;
  case BC_SELF:
    w->out->names_itself = true;
    set_abstract_register (w, i->dst, (future_value){V_SELF, 0});
    return true;
  case BC_NOP: return true;
  case BC_ATOMIC_BEGIN: w->held.atomic = true; return true;
  case BC_ATOMIC_END: w->held.atomic = false; return true;
  case BC_STACK_RESTORE: record_stack_death (w, w->frame); return true;
  case BC_CHECK: return analyse_check (w, i);
  case BC_INFEASIBLE: return false;
  case BC_EXIT: record_end_event (w); return false;
  case BC_UNSUPPORTED: w->out->unsupported = true; return false;
  case BC_LOAD:
  case BC_LOAD_RAW: return analyse_load (w, i);
  case BC_STORE:
  case BC_STORE_RAW:
  case BC_RMW:
  case BC_CMPXCHG: return analyse_store (w, i);
  case BC_FREE:
  case BC_FORGET: record_access (w, i, 0, whole_object (w, known_value_of (w, i->a)), 0, true, 0); return true;
  case BC_SYNC: return sync_operation (w, i);
  case BC_CALL: return analyse_call (w, i);
  case BC_RETURN: analyse_return (w, i->aux ? known_value_of (w, i->a) : any_value); return false;
  default:
    if (i->op <= BC_SLE) set_abstract_register (w, i->dst, arithmetic_value (w, i));
    else set_unknown_result (w, i);
    return true;
  }
}

// ---- after an undecided branch ------------------------------------------------------------------------
static void join_at_target (future_walk *w, uint32_t pc) {
  struct place *p = &w->entry[pc - w->first];
  bool first = !p->locks.count;
  if (first) p->held = w->held;
  bool changed = antichain_join (&p->locks, &w->locks);
  if (!first) changed |= lock_state_join (&p->held, &w->held);
  if (changed) vec_push (&w->work, pc);
}

static void propagate_from (future_walk *w, uint32_t pc) {
  for (;; pc++) {
    const insn *i = &w->f->code->insns.data[pc];
    w->out->loops |= i->sticky;
    future_value c = i->op == BC_BRANCH || i->op == BC_BRANCH_IF ? known_value_of (w, i->a) : any_value;
    if (c.kind == V_NONE) return;
    switch (i->op) {
    case BC_JUMP: join_at_target (w, i->target); return;
    case BC_BRANCH:
      if (c.kind != V_CONST || c.x) join_at_target (w, i->target);
      if (c.kind != V_CONST || !c.x) join_at_target (w, i->other);
      return;
    case BC_BRANCH_IF:
      if (c.kind != V_CONST || c.x) join_at_target (w, i->target);
      if (c.kind == V_CONST && c.x) return;
      break;
    default:
      if (!analyse_insn (w, i) || w->out->everything) return;
    }
  }
}

// Runs to a fixpoint. Temporaries do not live across jumps, so every jump target can be executed again with wider
// registers. The location of the undecided branch is executed once, with the values it has.
static void run_future_fixpoint (future_walk *w, uint32_t pc) {
  uint32_t size = w->end - w->first;
  w->entry = mem_zalloc (sizeof *w->entry * size);
  propagate_from (w, pc);
  for (uint32_t pass = 0; w->work.count && !w->out->everything; pass++) {
    w->changed = false;
    while (w->work.count && !w->out->everything) {
      uint32_t next = vec_pop (&w->work);
      w->locks = w->entry[next - w->first].locks;
      w->held = w->entry[next - w->first].held;
      propagate_from (w, next);
    }
    if (pass == WALK_PASSES) w->out->everything = true;
    for (uint32_t k = 0; w->changed && k < size; k++)
      if (w->entry[k].locks.count) vec_push (&w->work, w->first + k);
  }
  vec_release (&w->work);
  mem_free (w->entry, sizeof *w->entry * size);
}

// ---- one path -----------------------------------------------------------------------------------------
static void execute_known_path (future_walk *w, uint32_t pc) {
  for (uint32_t count = 0; count < WALK_INSTRUCTIONS; count++) {
    const insn *i = &w->f->code->insns.data[pc];
    w->out->loops |= i->sticky;
    if (i->op == BC_JUMP) {
      pc = i->target;
      continue;
    }
    if (i->op == BC_BRANCH || i->op == BC_BRANCH_IF) {
      future_value c = known_value_of (w, i->a);
      if (c.kind != V_CONST) {
        run_future_fixpoint (w, pc);
        return;
      }
      pc = c.x ? i->target : i->op == BC_BRANCH ? i->other : pc + 1;
      continue;
    }
    if (!analyse_insn (w, i) || w->out->everything) return;
    pc++;
  }
  run_future_fixpoint (w, pc);
}

void future_of_frame (thread_futures *f, uint32_t proc, frame_start start, thread_future *out) {
  const code_proc *p = &f->code->procs.data[proc];
  future_walk w = {.f = f,
                   .out = out,
                   .proc = proc,
                   .first = p->entry,
                   .end = p->end,
                   .regs = start.regs,
                   .locks = NO_LOCKS,
                   .first_temporary = p->first_temporary,
                   .frame = start.frame};
  vec_push (&f->active, proc);
  execute_known_path (&w, start.pc);
  f->active.count--;
}
