// Follows the schedule of a claim edge by edge on a machine, and writes the trace of the steps.  What the final state
// must show is checked in confirm.c (a violation) and in run_confirm.c (a run that breaks a formula).
#include "verdict/verdict_impl.h"

static bool choose_for_replay (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  replay *r = m->choose_state;
  (void) address;
  if (r->next_choice == r->claim->schedule.choices.count) {
    m->stop = "the schedule has no choice for it";
    return false;
  }
  *value = r->claim->schedule.choices.data[r->next_choice++];
  if (kind != CHOICE_WAKE) *value &= value_mask (bits);
  return true;
}

static bool note_divergence (replay *r, uint32_t slot, const char *reason) {
  machine *m = &r->m;
  strbuf text = {0};
  strbuf_printf (&text, "step %llu: thread %u ", (unsigned long long) r->steps + 1, slot);
  if (slot < IR_MAX_THREADS && m->threads[slot].state == THREAD_RUNNING) {
    action a = action_of (m, slot);
    strbuf_printf (&text, "cannot take %s at ", ir_op_table[a.d->op].text);
    name_place (m->program, a.e, &text);
    strbuf_printf (&text, ": %s", reason);
  } else strbuf_add (&text, "cannot step: it is not running");
  *r->why = arena_strdup (m->arena, strbuf_text (&text));
  strbuf_release (&text);
  return false;
}

const char *replay_reason (const machine *m, step_kind k) {
  switch (k) {
  case STEP_BLOCKED: return "it is blocked";
  case STEP_INFEASIBLE: return "no assumption holds there";
  case STEP_VIOLATION:
    return arena_printf (m->arena, "it is itself a violation of %s", ir_property_name[m->fault.property]);
  case STEP_EXIT: return "the process ends there";
  default: return m->stop;
  }
}

// Records that a wait has ended without a signal.
static void note_wakeup (replay *r, uint32_t slot, ir_position pos) {
  goal *g = r->trace.goal;
  const char *file = pos.file ? pos.file : "?", *slash = strrchr (file, '/');
  const char *text = arena_printf (r->m.arena, "thread %u at %s:%u", slot, slash ? slash + 1 : file, pos.line);
  if (!g->wakeups) g->wakeups = text;
  else if (!strstr (g->wakeups, text)) g->wakeups = arena_printf (r->m.arena, "%s, %s", g->wakeups, text);
}

bool replay_edge (replay *r, uint32_t slot) {
  machine *m = &r->m;
  if (slot >= IR_MAX_THREADS || m->threads[slot].state != THREAD_RUNNING) return note_divergence (r, slot, "");
  if (machine_excluded (m, slot)) return note_divergence (r, slot, "another thread is inside an atomic region");
  action before = action_of (m, slot);
  trace_before (&r->trace, slot);
  ir_position pos = action_position (&before);
  sources_before (r->sources, slot);
  step_kind k = machine_step (m, slot);
  if (k != STEP_DONE) return note_divergence (r, slot, replay_reason (m, k));
  sources_after (r->sources, &before);
  if (m->spurious) note_wakeup (r, slot, pos);
  trace_after (&r->trace, slot);
  r->steps++;
  return true;
}

bool replay_refuse (replay *r, const char *what) {
  *r->why = arena_printf (r->m.arena, "after %llu steps: %s", (unsigned long long) r->steps, what);
  return false;
}

static void clear_replayed_goal (goal *g) {
  for (uint32_t i = 0; i < g->steps.count; i++) vec_release (&g->steps.data[i].held);
  vec_clear (&g->steps);
  vec_clear (&g->locations);
  vec_clear (&g->conditions);
  g->wakeups = NULL;
}

void replay_finish_message (replay *r) {
  goal *g = r->trace.goal;
  if (!g->wakeups) return;
  bool several = strchr (g->wakeups, ',');
  g->message = arena_printf (r->m.arena, "%s; needs %s of %s", g->message,
                             several ? "spurious wake-ups" : "a spurious wake-up", g->wakeups);
}

replay *replay_new (verdict *v, const ir_program *p, const semantics *s, const claim *c, goal *g, const char **why) {
  replay *r = mem_zalloc (sizeof *r);
  r->claim = c;
  r->why = why;
  machine_init (&r->m, p, s, v->arena);
  r->m.choose = choose_for_replay;
  r->m.choose_state = r;
  r->m.keep_lock_names = true;
  r->m.reached = verdict_reached (v, p);
  clear_replayed_goal (g);
  trace_init (&r->trace, &r->m, g);
  r->sources = sources_new (&r->m);
  return r;
}

void replay_free (replay *r, bool confirmed) {
  goal *g = r->trace.goal;
  if (!confirmed) {
    clear_replayed_goal (g);
    vec_release (&g->steps);
    vec_release (&g->locations);
    vec_release (&g->conditions);
  }
  sources_free (r->sources);
  trace_release (&r->trace);
  machine_release (&r->m);
  mem_free (r, sizeof *r);
}
