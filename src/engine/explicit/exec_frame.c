// Calls, returns and the end of a thread: changes of the frames and of the stack objects in them.
#include "base/limits.h"
#include "engine/explicit/exec.h"

_Static_assert(LIMIT_EXPLICIT_CALLS == 5000, "the text below says so");

step_continuation run_call (run *r) {
  current_state *w = r->w;
  state_thread *t = r->t;
  uint32_t proc = r->i->target - 1;
  if (!r->i->target) {
    uint64_t callee = run_get (r, r->i->a), number = pointer_object (w, callee);
    const ir_object_data *o = number && number < w->num_static ? &w->program->objects.data[number] : NULL;
    if (!o || o->kind != IR_O_FUNCTION || o->proc.i == IR_NONE || pointer_offset (w, callee))
      return run_memory_violation (r);
    proc = o->proc.i;
  }
  if (at_limit (EXPLICIT_CALLS, t->frames.count)) return run_cut (r, "recursion deeper than 5000 calls");
  const call_shape *shape = &w->code->calls.data[r->i->other];
  const code_proc *callee = &w->code->procs.data[proc];
  uint32_t caller = vec_last (&t->frames).base;
  xs_thread_push_frame (w, t, proc);
  uint32_t base = vec_last (&t->frames).base;
  for (uint32_t k = 0; k < shape->count && k < callee->param_slot.count; k++) {
    const call_operand *x = &w->code->call_operands.data[shape->first + k];
    r->regs = t->regs.data + caller;
    ir_value value = run_get_wide (r, x->value, x->bits);
    unsigned bits = callee->param_bits.data[k];
    if (bits < 128) value &= ((ir_value) 1 << bits) - 1;
    r->regs = t->regs.data + base;
    run_set_wide (r, callee->param_slot.data[k], value, bits);
  }
  run_refresh (r);
  return GO;
}

static void check_locks_at_thread_end (run *r) {
  for (uint32_t k = 0; k < r->t->held.count; k++)
    if (r->t->held.data[k].kind != HELD_ONCE) {
      xs_exec_violate (r->w, IR_P_LOCKS, r->slot, r->i->edge, IR_NONE);
      return;
    }
}

step_continuation run_end_thread (run *r, uint64_t result) {
  r->w->step.uncacheable = true;
  bool noticed = xs_thread_shares_locals (r->w, r->slot) || r->t->owned.count;
  if (noticed && run_stopping (r)) return run_stop_before (r, (next_access){0});
  check_locks_at_thread_end (r);
  if (r->w->running == 1 && xs_leaks (r->w, r->slot, r->slot)) {
    xs_exec_violate (r->w, IR_P_LEAK, r->slot, r->i->edge, IR_NONE);
    return VIOLATED;
  }
  xs_thread_end (r->w, r->slot, result);
  return THREAD_OVER;
}

step_continuation run_return (run *r) {
  state_thread *t = r->t;
  ir_value value = r->i->aux ? run_get_wide (r, r->i->a, r->i->bits) : 0;
  if (t->frames.count == 1) return run_end_thread (r, (uint64_t) value);
  uint32_t depth = t->frames.count;
  if (vec_last (&t->frames).num_stack) r->w->step.uncacheable = true;
  if (vec_last (&t->frames).num_stack && xs_thread_shares_stack (r->w, r->slot, depth, 0) && run_stopping (r))
    return run_stop_before (r, (next_access){0});
  bool has_stack = vec_last (&t->frames).num_stack;
  t->regs.count = vec_last (&t->frames).base;
  t->frames.count--;
  if (has_stack) {
    t->result = (uint64_t) value;  // a returned address keeps its dead object from being reused
    xs_thread_kill_stack (r->w, r->slot, depth, 0);
    t->result = 0;
  }
  run_refresh (r);
  state_frame *f = &vec_last (&t->frames);
  const insn *call = &r->w->code->insns.data[f->pc];
  if (call->dst != IR_NONE) {
    if (call->bits < 128) value &= ((ir_value) 1 << call->bits) - 1;
    run_set_wide (r, call->dst, value, call->bits);
  }
  return GO;
}

step_continuation run_stack_restore (run *r) {
  r->w->step.uncacheable = true;
  state_frame *f = &vec_last (&r->t->frames);
  uint32_t order = (uint32_t) run_get (r, r->i->a);
  if (xs_thread_shares_stack (r->w, r->slot, r->t->frames.count, order) && run_stopping (r))
    return run_stop_before (r, (next_access){0});
  xs_thread_kill_stack (r->w, r->slot, r->t->frames.count, order);
  f->num_stack = order;
  return GO;
}
