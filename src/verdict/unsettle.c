// Translates a claim about a program with fixed invented values (ir/settle.c) to a claim about the original program.
// Both programs are executed in parallel: edges that were added have no part in the schedule, and where the memory of
// the fixed program holds a known value, the original program chooses that value.
#include "verdict/verdict_impl.h"

typedef struct parallel_replay {
  machine settled, original;
  const schedule *from;
  schedule *to;
  // choices of `from`: index of the next one; number of those of this step that the original has taken
  uint32_t next, used;
  uint32_t first;  // index of the first choice of this step
  bool has_value;  // the step has a result in the fixed program: `value`
  ir_value value;
} parallel_replay;

static bool choose_settled (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  parallel_replay *f = m->choose_state;
  (void) address;
  if (f->next == f->from->choices.count) return false;
  *value = f->from->choices.data[f->next++];
  if (kind != CHOICE_WAKE) *value &= value_mask (bits);
  return true;
}

static bool choose_original (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  parallel_replay *f = m->choose_state;
  (void) address;
  bool same = f->first + f->used < f->next;
  if (!same && (kind != CHOICE_UNDEFINED || !f->has_value)) return false;
  *value = same ? f->from->choices.data[f->first + f->used++] : f->value;
  if (kind != CHOICE_WAKE) *value &= value_mask (bits);
  vec_push (&f->to->choices, *value);
  return true;
}

static bool is_running_slot (const machine *m, uint32_t slot) {
  return slot < IR_MAX_THREADS && m->threads[slot].state == THREAD_RUNNING;
}

static bool execute_edge_in_both (parallel_replay *f, uint32_t slot) {
  if (!is_running_slot (&f->settled, slot)) return false;
  action a = action_of (&f->settled, slot);
  ir_reg dst = a.d->op == IR_LOAD || a.d->op == IR_RMW || a.d->op == IR_CMPXCHG ? a.d->dst : (ir_reg){IR_NONE};
  uint32_t reg = a.f->first_reg + dst.i;
  f->first = f->next;
  f->used = 0;
  if (machine_step (&f->settled, slot) != STEP_DONE) return false;
  if (a.e.i >= f->original.program->edges.count) return true;
  f->has_value = dst.i != IR_NONE;
  if (f->has_value) f->value = a.t->regs.data[reg];
  schedule_add (f->to, slot, 1);
  return is_running_slot (&f->original, slot) && machine_step (&f->original, slot) == STEP_DONE;
}

static bool execute_both_schedules (parallel_replay *f) {
  for (uint32_t k = 0; k < f->from->parts.count; k++)
    for (uint32_t n = f->from->parts.data[k].edges; n > 0; n--)
      if (!execute_edge_in_both (f, f->from->parts.data[k].thread)) return false;
  return true;
}

bool verdict_unsettle (const ir_program *settled, const ir_program *original, const semantics *s, const claim *from,
                       claim *to) {
  arena *texts = arena_new ();
  parallel_replay f = {.from = &from->schedule, .to = &to->schedule};
  *to = *from;
  to->schedule = (schedule){0};
  machine_init (&f.settled, settled, s, texts);
  machine_init (&f.original, original, s, texts);
  f.settled.choose = choose_settled;
  f.original.choose = choose_original;
  f.settled.choose_state = f.original.choose_state = &f;
  bool good = execute_both_schedules (&f);
  // The failing edge itself may take choices.
  for (; good && f.next < f.from->choices.count; f.next++)
    vec_push (&to->schedule.choices, f.from->choices.data[f.next]);
  for (uint32_t k = 0; k < to->num_threads; k++) good &= to->edge[k].i < original->edges.count;
  if (!good) schedule_release (&to->schedule);
  machine_release (&f.settled);
  machine_release (&f.original);
  arena_free (texts);
  return good;
}
