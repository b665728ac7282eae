// Abstract execution of one frame from where it stands.  As long as branches are decided by known values there is one path and it is
// followed exactly (so loops over arrays of locks and threads unroll); from the first undecided branch on, registers hold what fits all
// paths while the lock sets stay apart by place.
#include <string.h>

#include "analysis/pointsto.h"
#include "base/diag.h"
#include "engine/explicit/future_impl.h"
#include "ir/sync.h"

enum { WALK_INSTRUCTIONS = 20000 /* instructions on one path */, WALK_PASSES = 12 };

typedef struct walk {
  futures *f;
  future *out;
  uint32_t proc, first, end;  // its code
  value *regs;
  lock_family locks;  // taken since the start
  lock_state held;
  struct place {
    lock_family locks;
    lock_state held;
  } * entry;  // [0..end - first[: at the targets of jumps, when paths have parted; else NULL
  VEC (uint32_t) work;
  bool changed;  // a register has got a wider value
  uint32_t first_temporary;
  uint32_t frame;  // depth of the frame, 0: not yet there
} walk;

// ---- values --------------------------------------------------------------------------------------------
static value constant_value (uint64_t x) { return (value){V_CONST, x}; }
static const value any_value = {V_ANY, 0};

static value join_values (value a, value b) {
  if (a.kind == V_RESULT || b.kind == V_RESULT) return (value){V_RESULT, 0};
  if (a.kind == V_NONE) return b;
  if (b.kind == V_NONE || (a.kind == b.kind && a.x == b.x)) return a;
  return any_value;
}

static value get (const walk *w, operand x) {
  return x & CONST_BIT ? constant_value (w->f->code->constants.data[x & ~CONST_BIT]) : w->regs[x];
}

// Until paths part, a register without a value is one we do not follow (the upper half of a wide one, say).
static value get_known (const walk *w, operand x) {
  value v = get (w, x);
  if (v.kind == V_RESULT) w->out->uses_results = true;
  return (v.kind == V_NONE && !w->entry) || v.kind == V_RESULT ? any_value : v;
}

static void set (walk *w, uint32_t slot, value v) {
  if (slot == IR_NONE) return;
  if (w->entry && slot < w->first_temporary) {
    value wider = join_values (w->regs[slot], v);
    w->changed |= wider.kind != w->regs[slot].kind || wider.x != w->regs[slot].x;
    v = wider;
  }
  w->regs[slot] = v;
}

static void set_any (walk *w, const insn *i) {
  set (w, i->dst, any_value);
  if (i->dst != IR_NONE && i->bits > 64) set (w, i->dst + 1, any_value);
  set (w, i->dst2, any_value);
}

static uint64_t mask_of (unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static uint64_t compute (const insn *i, uint64_t a, uint64_t b) {
  static const uint8_t as_ir[] = {
      [BC_ADD] = IR_X_ADD, [BC_SUB] = IR_X_SUB, [BC_MUL] = IR_X_MUL,   [BC_AND] = IR_X_AND,   [BC_OR] = IR_X_OR,
      [BC_XOR] = IR_X_XOR, [BC_SHL] = IR_X_SHL, [BC_LSHR] = IR_X_LSHR, [BC_ASHR] = IR_X_ASHR, [BC_EQ] = IR_X_EQ,
      [BC_NE] = IR_X_NE,   [BC_ULT] = IR_X_ULT, [BC_ULE] = IR_X_ULE,   [BC_SLT] = IR_X_SLT,   [BC_SLE] = IR_X_SLE};
  ir_value args[3] = {a, b, 0};
  unsigned bits = i->op >= BC_EQ ? 1 : i->bits;
  return (uint64_t) ir_eval_op ((ir_expr_op) as_ir[i->op], bits, i->bits, args);
}

// A pointer plus something unknown stays in its object.  With 32-bit pointers any integer looks like one: there points-to decides.
static value displaced (const walk *w, value a, value b) {
  const ir_program *p = w->f->program;
  if (a.kind == V_FRESH || b.kind == V_FRESH) return (value){V_FRESH, 0};
  if (a.kind == V_TLS || b.kind == V_TLS) return (value){V_TLS, 0};
  if (p->pointer_bits != 64) return any_value;
  uint64_t in_a = a.kind == V_OBJECT ? a.x : a.kind == V_CONST ? a.x >> p->offset_bits : 0;
  uint64_t in_b = b.kind == V_OBJECT ? b.x : b.kind == V_CONST ? b.x >> p->offset_bits : 0;
  if (in_a && in_b) return any_value;
  return in_a || in_b ? (value){V_OBJECT, in_a | in_b} : any_value;
}

// pthread_join asks whether the thread is the caller itself, which we take as false and have checked by the user of the future: else
// nothing would be known after the first join.
static bool is_self_test (const insn *i, value a, value b) {
  return (i->op == BC_EQ || i->op == BC_NE) &&
         ((a.kind == V_CELL && b.kind == V_SELF) || (a.kind == V_SELF && b.kind == V_CELL));
}

static value arithmetic (const walk *w, const insn *i) {
  value a = get_known (w, i->a), b = get_known (w, i->b);
  if (is_self_test (i, a, b)) {
    future_note_not_self (w->out, a.kind == V_CELL ? a.x : b.x);
    return constant_value (i->op == BC_NE);
  }
  if (a.kind == V_NONE || b.kind == V_NONE) return (value){V_NONE, 0};
  if (a.kind == V_CONST && b.kind == V_CONST) return constant_value (compute (i, a.x, b.x));
  bool minus_constant = i->op == BC_SUB && b.kind == V_CONST && !(b.x >> w->f->program->offset_bits);
  return i->op == BC_ADD || minus_constant ? displaced (w, a, b) : any_value;
}

static value generic (const walk *w, const insn *i) {
  const generic_shape *s = &w->f->code->shapes.data[i->target];
  const operand x[3] = {i->a, i->b, i->c};
  ir_value args[3] = {0};
  if (s->bits > 64) return any_value;
  for (unsigned k = 0; k < s->arity; k++) {
    value v = get_known (w, x[k]);
    if (v.kind != V_CONST || s->operand_bits[k] > 64) return any_value;
    args[k] = v.x;
  }
  return constant_value (
      (uint64_t) ir_eval_op (s->op, s->bits, s->op == IR_X_ITE ? s->bits : s->operand_bits[0], args));
}

static value chosen (const walk *w, const insn *i) {
  value c = get_known (w, i->a);
  if (c.kind == V_CONST) return get_known (w, c.x ? i->b : i->c);
  return join_values (get_known (w, i->b), get_known (w, i->c));
}

static value narrowed (const walk *w, const insn *i) {
  value a = get_known (w, i->a);
  if (a.kind != V_CONST) return i->op == BC_TRUNC && i->bits >= w->f->program->pointer_bits ? a : any_value;
  if (i->op == BC_TRUNC) return constant_value (a.x & mask_of (i->bits));
  int64_t wide = (int64_t) (a.x << (64 - i->bits)) >> (64 - i->bits);
  return constant_value ((uint64_t) wide & mask_of (i->aux));
}

// ---- accesses ------------------------------------------------------------------------------------------
// Only an access to a static object at a known place is sure to be fine.
static bool is_safe (const walk *w, value address, uint32_t bytes, bool write) {
  const ir_program *p = w->f->program;
  uint64_t number = address.x >> p->offset_bits, offset = address.x & ((1ull << p->offset_bits) - 1);
  if (address.kind != V_CONST || !number || number >= w->f->num_static) return false;
  const ir_object_data *o = &p->objects.data[number];
  bool data = o->kind == IR_O_GLOBAL || (o->kind == IR_O_CONSTANT && !write);
  return data && offset + bytes <= o->size;
}

// `a` says what kind of access it is; the place comes from the address.
static void note_access (walk *w, const insn *i, unsigned arg, value address, future_access a) {
  w->out->unsafe |= address.kind != V_NONE && !is_safe (w, address, a.bytes, a.write);
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

static void note (walk *w, const insn *i, unsigned arg, value address, uint32_t bytes, bool write, lock_set own) {
  note_access (w, i, arg, address, (future_access){.bytes = bytes, .write = write, .own = own});
}

static value whole_object (const walk *w, value v) {
  return v.kind == V_CONST ? (value){V_OBJECT, v.x >> w->f->program->offset_bits} : v;
}

static bool load (walk *w, const insn *i) {
  value address = get_known (w, i->a);
  note (w, i, 0, address, i->bytes, false, 0);
  bool cell = address.kind == V_CONST && i->bytes * 8u == w->f->program->pointer_bits;
  set (w, i->dst, cell ? (value){V_CELL, address.x} : any_value);
  set (w, i->dst2, any_value);
  return true;
}

static bool store_like (walk *w, const insn *i) {
  get_known (w, i->b), get_known (w, i->c);  // a result that is stored is used
  note (w, i, 0, get_known (w, i->a), i->bytes, true, 0);
  set_any (w, i);
  return true;
}

// ---- synchronisation -----------------------------------------------------------------------------------
static lock_set bits_of (walk *w, value lock, bool exclusive, bool also_shared) {
  lock_set out = 0;
  if (lock.kind != V_CONST || !w->f->use_locks) return 0;
  if (exclusive) out |= futures_bit (w->f, BIT_EXCLUSIVE, lock.x);
  if (also_shared) out |= futures_bit (w->f, BIT_SHARED, lock.x);
  return out;
}

static void hold (walk *w, value lock, bool exclusive) {
  lock_set bit = lock.kind == V_CONST ? futures_bit (w->f, BIT_EXCLUSIVE, lock.x) : 0;
  w->held.any |= bit;
  if (exclusive) w->held.exclusive |= bit;
}

static void note_release (walk *w, const insn *i, unsigned arg, value lock, lock_set bit) {
  future_access a = {.kind = REGION_SET, .write = true, .at = (uint64_t) i->edge << 8 | arg};
  if (lock.kind == V_OBJECT) a.kind = REGION_OBJECT, a.at = lock.x;
  if (lock.kind != V_CONST) future_note_release (w->out, a);
  else if (bit & w->held.released & ~w->held.any) w->out->releases_twice = true;
  else w->out->unheld |= bit & ~w->held.any;
}

static void release (walk *w, const insn *i, unsigned arg, value lock) {
  lock_set bit = lock.kind == V_CONST ? futures_bit (w->f, BIT_EXCLUSIVE, lock.x) : ~0ull;
  if (lock.kind != V_NONE && lock.kind != V_FRESH) note_release (w, i, arg, lock, bit);
  w->held.any &= ~bit;
  w->held.exclusive &= ~bit;
  w->held.released |= bit;
}

static void acquire (walk *w, const insn *i, unsigned arg, value lock, ir_family family, bool shared) {
  lock_set own = bits_of (w, lock, true, family == IR_F_RWLOCK && !shared);
  note (w, i, arg, lock, ir_family_bytes (w->f->program, family), true, own);
  w->locks = family_take (&w->locks, own);
  w->out->blocks = true;
  if (family != IR_F_ONCE) hold (w, lock, !shared);
}

// Whose entry in the table of threads it is, is not followed.
static void note_thread_table (walk *w, uint32_t first, uint32_t entries) {
  future_access a = {.kind = REGION_RANGE, .write = true, .before = w->locks};
  a.at = touch_thread_entry (w->f->program, first);
  a.bytes = 4 * entries;
  future_note (w->out, a);
}

static void note_thread_entry (walk *w) { note_thread_table (w, 0, IR_MAX_THREADS + 1); }

static void join_thread (walk *w, value handle) {
  lock_set own = 0;
  note_thread_entry (w);
  w->out->joins = true;
  if (handle.kind == V_CELL) own = futures_bit (w->f, BIT_JOIN_CELL, handle.x);
  if (handle.kind == V_CONST) own = futures_bit (w->f, BIT_JOIN_HANDLE, handle.x);
  if (w->f->use_joins) w->locks = family_take (&w->locks, own);
}

typedef struct call_outcome {
  value result;
  lock_family locks;
  lock_state held;
} call_outcome;

static void call_proc (walk *w, uint32_t proc, const value *args, uint32_t count, bool thread, call_outcome *after) {
  future *callee = future_of_call (w->f, proc, args, count);
  if (!callee) {
    w->out->everything = true;
    return;
  }
  lock_state nothing = {0};
  future_append (w->out, callee, &w->locks, thread ? &nothing : &w->held);
  if (thread || !callee->returns) return;
  lock_family taken = family_then (&w->locks, &callee->exit);
  lock_state held = lock_state_then (&w->held, &callee->exit_locks);
  held.atomic = w->held.atomic;
  if (after->locks.count) lock_state_join (&after->held, &held);
  else after->held = held;
  family_join (&after->locks, &taken);
  after->result = join_values (after->result, callee->result);
}

// Calls every procedure the value may name; false if none returns.
static bool call_value (walk *w, const insn *i, unsigned arg, value callee, const value *args, uint32_t count,
                        bool thread) {
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
    set (w, i->dst, constant_value (after.result.x & mask_of (i->bits)));
  else set_any (w, i);
  return after.locks.count || w->out->everything;
}

// Others may know what lives on the stack.
static void note_stack (walk *w, uint32_t depth) {
  if (depth)
    future_note (w->out, (future_access){.kind = REGION_STACK, .write = true, .at = depth, .before = w->locks});
}

static bool create_threads (walk *w, const insn *i) {
  value handle = get_known (w, i->a), function = get_known (w, i->b), argument = get_known (w, i->c);
  uint32_t bytes = w->f->program->pointer_bits / 8u;
  set (w, i->dst, any_value);
  note_access (w, i, 0, handle, (future_access){.bytes = bytes, .write = true, .handle = true});
  w->out->creates = true;
  note_thread_table (w, IR_MAX_THREADS, 1);
  return call_value (w, i, 1, function, &argument, 1, true);
}

// False: the thread ends.
static bool thread_operation (walk *w, const insn *i, ir_action action) {
  switch (action) {
  case IR_A_END: note_stack (w, 1); return false;
  case IR_A_START: return create_threads (w, i);
  case IR_A_JOIN:
    join_thread (w, get_known (w, i->a));
    set (w, i->dst, (value){V_RESULT, 0});
    return true;
  case IR_A_DETACH:
    w->out->detaches = true;
    note_thread_entry (w);
    return true;
  default: BUG ("operation %s of a thread should be known", ir_op_table[i->ir].text);
  }
}

// A lock, semaphore, barrier, condition variable or once.
static void object_operation (walk *w, const insn *i, const ir_sync *facts) {
  value a = get_known (w, i->a), b = get_known (w, i->b);
  bool is_lock = ir_family_is_lock (facts->family);
  const ir_program *p = w->f->program;
  set (w, i->dst, any_value);
  if (facts->action == IR_A_ACQUIRE && (is_lock || facts->family == IR_F_ONCE)) {
    acquire (w, i, 0, a, facts->family, facts->shared);
    return;
  }
  w->out->blocks |= facts->blocks;
  if (is_lock && (facts->action == IR_A_RELEASE || facts->action == IR_A_INIT)) release (w, i, 0, a);
  if (facts->action == IR_A_WAIT) {
    note (w, i, 1, b, ir_family_bytes (p, IR_F_MUTEX), true, 0);
    release (w, i, 1, b);
  }
  note (w, i, 0, a, ir_family_bytes (p, facts->family), facts->action != IR_A_READ, 0);
  if (facts->names_mutex && facts->blocks) acquire (w, i, 1, b, IR_F_MUTEX, false);
}

static bool sync_operation (walk *w, const insn *i) {
  const ir_sync *facts = ir_sync_of (i->ir);
  w->out->locks |= facts->action != IR_A_START && facts->action != IR_A_END;
  if (facts->family == IR_F_THREAD) return thread_operation (w, i, facts->action);
  object_operation (w, i, facts);
  return true;
}

// ---- one instruction -----------------------------------------------------------------------------------
static bool call (walk *w, const insn *i) {
  const call_shape *shape = &w->f->code->calls.data[i->other];
  value args[16];
  uint32_t count = shape->count < 16 ? shape->count : 16;
  for (uint32_t k = 0; k < count; k++) {
    const call_operand *x = &w->f->code->call_operands.data[shape->first + k];
    args[k] = x->bits > 64 ? any_value : get_known (w, x->value);
  }
  if (!i->target) return call_value (w, i, 0, get_known (w, i->a), args, count, false);
  const ir_program *p = w->f->program;
  value callee = constant_value ((uint64_t) p->procs.data[i->target - 1].object.i << p->offset_bits);
  return call_value (w, i, 0, callee, args, count, false);
}

static void finish (walk *w, value result) {
  if (w->out->returns) lock_state_join (&w->out->exit_locks, &w->held);
  else w->out->exit_locks = w->held;
  note_stack (w, w->frame);
  w->out->returns = true;
  family_join (&w->out->exit, &w->locks);
  w->out->result = join_values (w->out->result, result);
}

// The end of the process and a failing check touch nothing, but it matters who must have been joined before.
static void note_event (walk *w) {
  future_access a = {.kind = REGION_RANGE, .at = touch_events (w->f->program), .bytes = 1, .before = w->locks};
  future_note (w->out, a);
}

static bool check (walk *w, const insn *i) {
  value condition = get_known (w, i->a);
  if (condition.kind == V_CONST && condition.x) return true;
  note_event (w);
  future_note_check (w->out, i->edge);
  return condition.kind != V_CONST;
}

// The registers and accesses of all but jumps; false: the path ends here.
static bool transfer (walk *w, const insn *i) {
  switch (i->op) {
  case BC_MOVE: set (w, i->dst, get_known (w, i->a)); return true;
  case BC_MOVE2:
    set (w, i->dst, any_value);
    set (w, i->dst + 1, any_value);
    return true;
  case BC_ITE: set (w, i->dst, chosen (w, i)); return true;
  case BC_SEXT:
  case BC_TRUNC: set (w, i->dst, narrowed (w, i)); return true;
  case BC_GENERIC:
    set (w, i->dst, generic (w, i));
    if (w->f->code->shapes.data[i->target].bits > 64) set (w, i->dst + 1, any_value);
    return true;
  case BC_TLS_ADDR:
    w->out->names_itself = true;
    set (w, i->dst, (value){V_TLS, 0});
    return true;
  case BC_ALLOC: set (w, i->dst, (value){V_FRESH, 0}); return true;
  case BC_SELF:
    w->out->names_itself = true;
    set (w, i->dst, (value){V_SELF, 0});
    return true;
  case BC_NOP: return true;
  case BC_ATOMIC_BEGIN: w->held.atomic = true; return true;
  case BC_ATOMIC_END: w->held.atomic = false; return true;
  case BC_STACK_RESTORE: note_stack (w, w->frame); return true;
  case BC_CHECK: return check (w, i);
  case BC_INFEASIBLE: return false;
  case BC_EXIT: note_event (w); return false;
  case BC_UNSUPPORTED: w->out->unsupported = true; return false;
  case BC_LOAD:
  case BC_LOAD_RAW: return load (w, i);
  case BC_STORE:
  case BC_STORE_RAW:
  case BC_RMW:
  case BC_CMPXCHG: return store_like (w, i);
  case BC_FREE:
  case BC_FORGET: note (w, i, 0, whole_object (w, get_known (w, i->a)), 0, true, 0); return true;
  case BC_SYNC: return sync_operation (w, i);
  case BC_CALL: return call (w, i);
  case BC_RETURN: finish (w, i->aux ? get_known (w, i->a) : any_value); return false;
  default:
    if (i->op <= BC_SLE) set (w, i->dst, arithmetic (w, i));
    else set_any (w, i);
    return true;
  }
}

// ---- paths that have parted ----------------------------------------------------------------------------
static void reach (walk *w, uint32_t pc) {
  struct place *p = &w->entry[pc - w->first];
  bool first = !p->locks.count;
  if (first) p->held = w->held;
  bool changed = family_join (&p->locks, &w->locks);
  if (!first) changed |= lock_state_join (&p->held, &w->held);
  if (changed) vec_push (&w->work, pc);
}

static void follow (walk *w, uint32_t pc) {
  for (;; pc++) {
    const insn *i = &w->f->code->insns.data[pc];
    w->out->loops |= i->sticky;
    value c = i->op == BC_BRANCH || i->op == BC_BRANCH_IF ? get_known (w, i->a) : any_value;
    if (c.kind == V_NONE) return;
    switch (i->op) {
    case BC_JUMP: reach (w, i->target); return;
    case BC_BRANCH:
      if (c.kind != V_CONST || c.x) reach (w, i->target);
      if (c.kind != V_CONST || !c.x) reach (w, i->other);
      return;
    case BC_BRANCH_IF:
      if (c.kind != V_CONST || c.x) reach (w, i->target);
      if (c.kind == V_CONST && c.x) return;
      break;
    default:
      if (!transfer (w, i) || w->out->everything) return;
    }
  }
}

// Temporaries do not live across jumps, so every place that is jumped to can be followed again with wider registers.  The place where
// the paths part is followed once, with the values it has.
static void spread (walk *w, uint32_t pc) {
  uint32_t size = w->end - w->first;
  w->entry = mem_zalloc (sizeof *w->entry * size);
  follow (w, pc);
  for (uint32_t pass = 0; w->work.count && !w->out->everything; pass++) {
    w->changed = false;
    while (w->work.count && !w->out->everything) {
      uint32_t next = vec_pop (&w->work);
      w->locks = w->entry[next - w->first].locks;
      w->held = w->entry[next - w->first].held;
      follow (w, next);
    }
    if (pass == WALK_PASSES) w->out->everything = true;
    for (uint32_t k = 0; w->changed && k < size; k++)
      if (w->entry[k].locks.count) vec_push (&w->work, w->first + k);
  }
  vec_release (&w->work);
  mem_free (w->entry, sizeof *w->entry * size);
}

// ---- one path ------------------------------------------------------------------------------------------
static void walk_from (walk *w, uint32_t pc) {
  for (uint32_t count = 0; count < WALK_INSTRUCTIONS; count++) {
    const insn *i = &w->f->code->insns.data[pc];
    w->out->loops |= i->sticky;
    if (i->op == BC_JUMP) {
      pc = i->target;
      continue;
    }
    if (i->op == BC_BRANCH || i->op == BC_BRANCH_IF) {
      value c = get_known (w, i->a);
      if (c.kind != V_CONST) {
        spread (w, pc);
        return;
      }
      pc = c.x ? i->target : i->op == BC_BRANCH ? i->other : pc + 1;
      continue;
    }
    if (!transfer (w, i) || w->out->everything) return;
    pc++;
  }
  spread (w, pc);
}

void future_of_frame (futures *f, uint32_t proc, frame_start start, future *out) {
  const code_proc *p = &f->code->procs.data[proc];
  walk w = {.f = f,
            .out = out,
            .proc = proc,
            .first = p->entry,
            .end = p->end,
            .regs = start.regs,
            .locks = NO_LOCKS,
            .first_temporary = p->first_temporary,
            .frame = start.frame};
  vec_push (&f->active, proc);
  walk_from (&w, start.pc);
  f->active.count--;
}
