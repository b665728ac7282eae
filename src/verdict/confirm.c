// Replay: the claim's schedule is followed edge by edge, and at its end the interpreter looks for the violation
// with its own eyes.  Nothing is taken from the claim but the schedule and the choices; threads and edges it names are
// only compared.
#include "verdict/verdict_impl.h"

typedef struct replay {
  machine m;
  trace trace;
  const claim *claim;
  uint32_t next_choice;
  uint64_t steps;
  const char **why;
} replay;

static bool choose (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
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

// ---- following the schedule ----------------------------------------------------------------------------

static bool parted (replay *r, uint32_t slot, const char *reason) {
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

static const char *reason_of (const machine *m, step_kind k) {
  switch (k) {
  case STEP_BLOCKED: return "it is blocked";
  case STEP_INFEASIBLE: return "no assumption holds there";
  case STEP_VIOLATION:
    return arena_printf (m->arena, "it is itself a violation of %s", ir_property_name[m->fault.property]);
  case STEP_EXIT: return "the process ends there";
  default: return m->stop;
  }
}

static bool follow (replay *r, uint32_t slot) {
  machine *m = &r->m;
  if (slot >= IR_MAX_THREADS || m->threads[slot].state != THREAD_RUNNING) return parted (r, slot, "");
  if (machine_excluded (m, slot)) return parted (r, slot, "another thread is inside an atomic region");
  trace_before (&r->trace, slot);
  step_kind k = machine_step (m, slot);
  if (k != STEP_DONE) return parted (r, slot, reason_of (m, k));
  trace_after (&r->trace, slot);
  r->steps++;
  return true;
}

// ---- the violation at its end --------------------------------------------------------------------------

static bool refuse (replay *r, const char *what) {
  *r->why = arena_printf (r->m.arena, "after %llu steps: %s", (unsigned long long) r->steps, what);
  return false;
}

static bool stands_before (replay *r, uint32_t i) {
  const claim *c = r->claim;
  if (c->thread[i] >= IR_MAX_THREADS || r->m.threads[c->thread[i]].state != THREAD_RUNNING)
    return refuse (r, arena_printf (r->m.arena, "thread %u is not running", c->thread[i]));
  action a = action_of (&r->m, c->thread[i]);
  if (a.e.i == c->edge[i].i) return true;
  strbuf text = {0};
  strbuf_printf (&text, "thread %u does not stand before the claimed operation but before %s at ", c->thread[i],
                 ir_op_table[a.d->op].text);
  name_place (r->m.program, a.e, &text);
  refuse (r, strbuf_text (&text));
  strbuf_release (&text);
  return false;
}

static bool is_stuck (replay *r) {
  bool stuck[IR_MAX_THREADS];
  detect_stuck (&r->m, stuck);
  for (uint32_t i = 0; i < r->claim->num_threads; i++)
    if (!stuck[r->claim->thread[i]])
      return refuse (r, arena_printf (r->m.arena, "thread %u is not stuck", r->claim->thread[i]));
  return true;
}

// Takes the edge: only so does a failing access or check show.  A violation leaves the machine as it was.
static bool fails (replay *r) {
  machine *m = &r->m;
  uint32_t slot = r->claim->thread[0];
  action a = action_of (m, slot);
  uint64_t address;
  if (machine_excluded (m, slot)) return refuse (r, "another thread is inside an atomic region");
  if (r->claim->property == IR_P_LOCKS && a.d->op != IR_CHECK) {
    if (misuse_of (&a, &address)) return true;
    return refuse (r, "nothing is wrong with that operation");
  }
  step_kind k = machine_step (m, slot);
  if (k == STEP_VIOLATION && m->fault.property == r->claim->property) return true;
  return refuse (r, k == STEP_DONE ? "the claimed operation does not fail" : reason_of (m, k));
}

static bool is_there (replay *r) {
  const claim *c = r->claim;
  access which[2];
  for (uint32_t i = 0; i < c->num_threads; i++)
    if (!stands_before (r, i)) return false;
  if (c->property == IR_P_DEADLOCK) return is_stuck (r);
  if (c->property != IR_P_RACE) return fails (r);
  return detect_race (&r->m, c->thread[0], c->thread[1], which) || refuse (r, "the two operations do not race");
}

static bool is_sane (replay *r) {
  const claim *c = r->claim;
  if (c->property >= IR_NUM_PROPERTIES) return refuse (r, "the claim names no property");
  uint32_t wanted = c->property == IR_P_RACE ? 2 : 1;
  bool right =
      c->property == IR_P_DEADLOCK ? c->num_threads >= 1 && c->num_threads <= IR_MAX_THREADS : c->num_threads == wanted;
  return right || refuse (r, arena_printf (r->m.arena, "a claim of %s does not have %u threads",
                                           ir_property_name[c->property], c->num_threads));
}

static bool check (replay *r) {
  const schedule *s = &r->claim->schedule;
  if (!is_sane (r)) return false;
  for (uint32_t i = 0; i < s->parts.count; i++)
    for (uint32_t n = s->parts.data[i].edges; n > 0; n--)
      if (!follow (r, s->parts.data[i].thread)) return false;
  return is_there (r);
}

static void clear (goal *g) {
  for (uint32_t i = 0; i < g->steps.count; i++) vec_release (&g->steps.data[i].held);
  vec_clear (&g->steps);
  vec_clear (&g->locations);
}

bool verdict_confirm (verdict *v, const ir_program *p, const semantics *s, const claim *c, goal *g, const char **why) {
  replay *r = mem_zalloc (sizeof *r);
  r->claim = c;
  r->why = why;
  machine_init (&r->m, p, s, v->arena);
  r->m.choose = choose;
  r->m.choose_state = r;
  r->m.keep_lock_names = true;
  clear (g);
  trace_init (&r->trace, &r->m, g);
  bool there = check (r);
  if (there) {
    *why = NULL;
    g->message = describe (&r->m, c, g);
    for (uint32_t i = 0; i < c->num_threads; i++) trace_started (&r->trace, c->thread[i]);
    for (uint32_t i = 0; i < c->num_threads; i++) trace_about (&r->trace, c->thread[i]);
  } else {
    clear (g);
    vec_release (&g->steps);
    vec_release (&g->locations);
  }
  trace_release (&r->trace);
  machine_release (&r->m);
  mem_free (r, sizeof *r);
  return there;
}
