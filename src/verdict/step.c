// Executes one step of one thread: the edge at its location, as docs/formats/ir.md defines it.  An operation is
// executed completely or, if it is blocked or a violation, not at all; only then does the thread move to the next
// location.
#include "analysis/wakers.h"
#include "verdict/verdict_impl.h"

void machine_init (machine *m, const ir_program *p, const semantics *s, arena *a) {
  memset (m, 0, sizeof *m);
  m->program = p;
  m->semantics = *s;
  if (!s->max_threads || s->max_threads > IR_MAX_THREADS) m->semantics.max_threads = IR_MAX_THREADS;
  m->arena = a;
  m->woken = IR_NONE;
  memory_init (m);
  thread_start (m, 0, p->start, 0);
}

void machine_release (machine *m) {
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) thread_release (&m->threads[slot]);
  memory_release (m);
  strbuf_release (&m->text);
  if (m->wakers) wakers_free (m->wakers, m->program);
}

action action_of (machine *m, uint32_t slot) {
  const ir_program *p = m->program;
  thread *t = &m->threads[slot];
  judge_frame *f = &vec_last (&t->frames);
  ir_edge e = {p->locs.data[f->loc.i].first_edge};
  return (action){.m = m, .t = t, .f = f, .regs = t->regs.data + f->first_reg, .e = e, .d = &p->edges.data[e.i]};
}

void action_set (const action *a, ir_reg r, ir_value value) {
  if (r.i == IR_NONE) return;
  const ir_proc_data *f = ir_proc_at (a->m->program, a->f->proc);
  a->regs[r.i] = value & value_mask (f->regs.data[r.i].bits);
}

ir_edge action_user_edge (const action *a) {
  const ir_program *p = a->m->program;
  for (uint32_t i = a->t->frames.count; i-- > 0;) {
    if (ir_proc_at (p, a->t->frames.data[i].proc)->internal) continue;
    return i + 1 == a->t->frames.count ? a->e : a->t->frames.data[i].call;
  }
  return a->e;
}

// ---- who may step --------------------------------------------------------------------------------------

bool action_enabled (const action *a) {
  if (!op_is_blocking (a->d->op)) return true;
  if (a->d->op != IR_THREAD_JOIN) return sync_enabled (a);
  const thread *target = thread_of_handle (a->m, action_arg (a, 0));
  return !target || target->state == THREAD_ENDED;
}

// A thread inside an atomic region excludes the other threads while it can step; two such threads do not exclude each
// other.
bool machine_excluded (machine *m, uint32_t slot) {
  if (!m->num_atomic || m->threads[slot].atomic) return false;
  for (uint32_t other = 0; other < m->num_slots; other++) {
    if (m->threads[other].state != THREAD_RUNNING || !m->threads[other].atomic) continue;
    action a = action_of (m, other);
    if (action_enabled (&a)) return true;
  }
  return false;
}

bool machine_enabled (machine *m, uint32_t slot) {
  if (m->threads[slot].state != THREAD_RUNNING) return false;
  action a = action_of (m, slot);
  return action_enabled (&a) && !machine_excluded (m, slot);
}

// ---- local operations ----------------------------------------------------------------------------------

// Takes the assume of the location whose condition is true.
static step_kind take_true_assume (action *a) {
  const ir_loc_data *here = &a->m->program->locs.data[a->f->loc.i];
  for (uint32_t i = 0; i < here->num_edges; i++) {
    a->e = (ir_edge){here->first_edge + i};
    a->d = ir_edge_at (a->m->program, a->e);
    if (action_arg (a, 0)) return STEP_DONE;
  }
  return STEP_INFEASIBLE;
}

static step_kind execute_nondet (action *a) {
  unsigned bits = ir_proc_at (a->m->program, a->f->proc)->regs.data[a->d->dst.i].bits;
  ir_value value;
  if (!a->m->choose (a->m, CHOICE_NONDET, bits, 0, &value)) return STEP_NO_CHOICE;
  action_set (a, a->d->dst, value);
  return STEP_DONE;
}

static step_kind perform_check (action *a) {
  if (action_arg (a, 0)) return STEP_DONE;
  a->m->fault = (fault){.property = a->d->aux, .kind = IR_FAULT_NONE};
  return STEP_VIOLATION;
}

static step_kind stop_at_unsupported (action *a) {
  a->m->stop = a->d->message ? a->d->message : "an unsupported construct";
  return STEP_UNSUPPORTED;
}

static step_kind stack_restore (action *a) {
  ir_value keep = action_arg (a, 0);
  uint32_t mine = a->t->stack.count - a->f->first_stack;
  if (keep < mine) stack_shrink (a->m, a->t, a->f->first_stack + (uint32_t) keep, false);
  return STEP_DONE;
}

static uint32_t size_of_living_object (machine *m, uint64_t address) {
  uint64_t number = address_object (m->program, address);
  const object *o = number ? object_find (m, number) : NULL;
  return o && o->alive ? o->size : 0;
}

static step_kind execute_output (action *a) {
  machine *m = a->m;
  strbuf_clear (&m->text);
  output_format (a, &m->text);
  FILE *to = action_arg (a, 0) == 2 ? m->error_output : m->output;
  if (to && to == m->error_output && m->output) fflush (m->output);  // so that the two streams keep their order
  if (to && m->text.count) fwrite (m->text.data, 1, m->text.count, to);
  action_set (a, a->d->dst, m->text.count);
  return STEP_DONE;
}

static step_kind perform_action (action *a) {
  if (leak_at (a)) return STEP_VIOLATION;
  switch (a->d->op) {
  case IR_NOP: return STEP_DONE;
  case IR_ASSUME: return take_true_assume (a);
  case IR_ASSIGN: action_set (a, a->d->dst, action_arg (a, 0)); return STEP_DONE;
  case IR_NONDET: return execute_nondet (a);
  case IR_CHECK: return perform_check (a);
  case IR_CALL: return thread_call (a);
  case IR_RETURN: return thread_return (a);
  case IR_UNSUPPORTED: return stop_at_unsupported (a);
  case IR_STACK_SAVE: action_set (a, a->d->dst, a->t->stack.count - a->f->first_stack); return STEP_DONE;
  case IR_STACK_RESTORE: return stack_restore (a);
  case IR_ALLOC: return memory_alloc (a);
  case IR_THREAD_SELF: action_set (a, a->d->dst, a->t->slot + 1); return STEP_DONE;
  case IR_OUTPUT: return execute_output (a);
  case IR_EXIT: a->m->exit_code = (int) (uint32_t) action_arg (a, 0); return STEP_EXIT;
  case IR_THREAD_CREATE:
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH:
  case IR_THREAD_EXIT: return thread_step (a);
  case IR_OWN: return own_declare (a);
  case IR_OBJECT_SIZE:
    action_set (a, a->d->dst, size_of_living_object (a->m, (uint64_t) action_arg (a, 0)));
    return STEP_DONE;
  default: break;
  }
  switch (ir_op_table[a->d->op].group) {
  case 'M': return memory_step (a);
  case 'S': return sync_step (a);
  default: BUG ("the interpreter should know %s", ir_op_table[a->d->op].text);
  }
}

static bool moves_itself (ir_op op) { return op == IR_CALL || op == IR_RETURN || op == IR_THREAD_EXIT; }

step_kind machine_step (machine *m, uint32_t slot) {
  action a = action_of (m, slot);
  m->woken = IR_NONE;
  m->chose = m->spurious = false;
  if (m->reached) m->reached[a.e.i] = 1;
  step_kind result = m->num_owned ? own_step (&a, perform_action) : perform_action (&a);
  if (result != STEP_DONE) return result;
  a.t->pending.known = false;
  a.t->edges++;
  if (!moves_itself (a.d->op)) a.f->loc = a.d->to;
  return STEP_DONE;
}
