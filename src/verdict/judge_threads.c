// Frames and threads.  A thread keeps the registers of all its frames in one array and its stack objects in one list; a
// frame knows where its part of each begins.
#include "verdict/verdict_impl.h"

void frame_push (machine *m, thread *t, ir_proc proc) {
  const ir_proc_data *f = ir_proc_at (m->program, proc);
  judge_frame new_frame = {
      .proc = proc, .loc = f->entry, .call = {IR_NONE}, .first_reg = t->regs.count, .first_stack = t->stack.count};
  vec_push (&t->frames, new_frame);
  vec_reserve (&t->regs, t->regs.count + f->regs.count);
  if (f->regs.count) memset (t->regs.data + t->regs.count, 0, sizeof (ir_value) * f->regs.count);
  t->regs.count += f->regs.count;
}

static void set_parameter (machine *m, thread *t, uint32_t k, ir_value value) {
  const judge_frame *f = &vec_last (&t->frames);
  const ir_proc_data *proc = ir_proc_at (m->program, f->proc);
  if (k < proc->num_params) t->regs.data[f->first_reg + k] = value & value_mask (proc->regs.data[k].bits);
}

void stack_shrink (machine *m, thread *t, uint32_t count, bool thread_ended) {
  while (t->stack.count > count) {
    uint32_t index = vec_pop (&t->stack);
    m->dynamic[t->slot].data[index].thread_ended = thread_ended;
    memory_kill (m, object_number (m->program, t->slot, index));
  }
}

ir_proc function_at (const machine *m, uint64_t address) {
  const ir_program *p = m->program;
  uint64_t number = address_object (p, address);
  if (number >= p->objects.count || address_offset (p, address)) return (ir_proc){IR_NONE};
  const ir_object_data *o = &p->objects.data[number];
  return number && o->kind == IR_O_FUNCTION ? o->proc : (ir_proc){IR_NONE};
}

static step_kind bad_function (machine *m, uint64_t address) {
  m->fault = (fault){IR_P_MEMORY, IR_FAULT_BAD_CALL, address, 0};
  return STEP_VIOLATION;
}

// ---- calls ---------------------------------------------------------------------------------------------

step_kind thread_call (action *a) {
  machine *m = a->m;
  thread *t = a->t;
  uint64_t address = (uint64_t) action_arg (a, 0);
  ir_proc callee = function_at (m, address);
  if (callee.i == IR_NONE) return bad_function (m, address);
  uint32_t caller = t->frames.count - 1, params = ir_proc_at (m->program, callee)->num_params;
  frame_push (m, t, callee);
  for (uint32_t k = 0; k + 1 < a->d->num_args && k < params; k++) {
    a->regs = t->regs.data + t->frames.data[caller].first_reg;  // the array may have moved
    set_parameter (m, t, k, action_arg (a, k + 1));
  }
  t->frames.data[caller].loc = a->d->to;
  t->frames.data[caller].call = a->e;
  return STEP_DONE;
}

// Ends the thread with its frames and objects; the locks that it held stay locked.
static void end_running_thread (machine *m, thread *t, ir_value result) {
  stack_shrink (m, t, 0, true);
  for (uint32_t i = 0; i < m->thread_locals.count; i++) {
    uint32_t index = t->first_local + i;
    m->dynamic[t->slot].data[index].thread_ended = true;
    memory_kill (m, object_number (m->program, t->slot, index));
  }
  vec_clear (&t->frames);
  vec_clear (&t->regs);
  for (uint32_t i = 0; i < t->held.count; i++) lock_abandon (m, &t->held.data[i]);
  vec_clear (&t->held);
  own_end_thread (m, t);
  if (t->atomic) m->num_atomic--;
  t->atomic = 0;
  t->waiting = 0;
  t->spurious = false;
  t->result = result;
  t->state = t->detached ? THREAD_FREE : THREAD_ENDED;
  m->num_running--;
}

step_kind thread_return (action *a) {
  machine *m = a->m;
  thread *t = a->t;
  ir_value value = a->d->num_args ? action_arg (a, 0) : 0;
  if (t->frames.count == 1) {
    end_running_thread (m, t, value);
    return STEP_DONE;
  }
  stack_shrink (m, t, a->f->first_stack, false);
  t->regs.count = a->f->first_reg;
  t->frames.count--;
  judge_frame *caller = &vec_last (&t->frames);
  const ir_edge_data *call = ir_edge_at (m->program, caller->call);
  if (call->dst.i != IR_NONE) {
    unsigned bits = ir_proc_at (m->program, caller->proc)->regs.data[call->dst.i].bits;
    t->regs.data[caller->first_reg + call->dst.i] = value & value_mask (bits);
  }
  return STEP_DONE;
}

// ---- threads -------------------------------------------------------------------------------------------

void thread_start (machine *m, uint32_t slot, ir_proc proc, ir_value argument) {
  thread *t = &m->threads[slot];
  t->state = THREAD_RUNNING;
  t->slot = slot;
  t->detached = false;
  t->edges = 0;
  t->pending.known = false;
  if (slot >= m->num_slots) m->num_slots = slot + 1;
  m->num_running++;
  memory_new_locals (m, t);
  frame_push (m, t, proc);
  set_parameter (m, t, 0, argument);
}

void thread_release (thread *t) {
  vec_release (&t->frames);
  vec_release (&t->regs);
  vec_release (&t->stack);
  vec_release (&t->held);
  vec_release (&t->owned);
}

thread *thread_of_handle (machine *m, ir_value handle) {
  if (!handle || handle > IR_MAX_THREADS) return NULL;
  thread *t = &m->threads[(uint32_t) handle - 1];
  return t->state == THREAD_FREE || t->detached ? NULL : t;
}

static step_kind execute_create (action *a) {
  machine *m = a->m;
  uint64_t handle_at = (uint64_t) action_arg (a, 0), function = (uint64_t) action_arg (a, 1);
  ir_value argument = action_arg (a, 2);
  unsigned handle_bytes = m->program->pointer_bits / 8;  // pthread_t is an unsigned long
  if (memory_fails (m, handle_at, handle_bytes, true)) return STEP_VIOLATION;
  ir_proc proc = function_at (m, function);
  if (proc.i == IR_NONE) return bad_function (m, function);
  uint32_t slot = 0;
  while (slot < IR_MAX_THREADS && m->threads[slot].state != THREAD_FREE) slot++;
  if (slot == IR_MAX_THREADS || m->num_running + 1 > m->semantics.max_threads) {
    m->stop = arena_printf (m->arena, "more than %u threads at once",
                            slot == IR_MAX_THREADS ? IR_MAX_THREADS : m->semantics.max_threads);
    return STEP_CUT;
  }
  memory_write (m, handle_at, handle_bytes, slot + 1);
  action_set (a, a->d->dst, 0);
  m->woken = slot;
  thread_start (m, slot, proc, argument);
  return STEP_DONE;
}

static step_kind execute_join (action *a) {
  thread *target = thread_of_handle (a->m, action_arg (a, 0));
  if (target && target->state != THREAD_ENDED) return STEP_BLOCKED;
  action_set (a, a->d->dst, target ? target->result : 0);
  if (target) target->state = THREAD_FREE;
  return STEP_DONE;
}

static step_kind execute_detach (action *a) {
  thread *target = thread_of_handle (a->m, action_arg (a, 0));
  if (!target) return STEP_DONE;
  target->detached = true;
  if (target->state == THREAD_ENDED) target->state = THREAD_FREE;
  return STEP_DONE;
}

step_kind thread_step (action *a) {
  switch (a->d->op) {
  case IR_THREAD_CREATE: return execute_create (a);
  case IR_THREAD_JOIN: return execute_join (a);
  case IR_THREAD_DETACH: return execute_detach (a);
  default: end_running_thread (a->m, a->t, action_arg (a, 0)); return STEP_DONE;
  }
}
