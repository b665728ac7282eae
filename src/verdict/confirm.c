// Confirms a claim by replay: replay.c follows the schedule of the claim edge by edge, and at its end the interpreter
// itself looks for the violation.  Only the schedule and the choices are taken from the claim; the threads and edges
// that the claim names are compared with the state, not believed.
#include "verdict/verdict_impl.h"

// ---- the violation at its end --------------------------------------------------------------------------

static bool is_before_claimed_edge (replay *r, uint32_t i) {
  const claim *c = r->claim;
  if (c->thread[i] >= IR_MAX_THREADS || r->m.threads[c->thread[i]].state != THREAD_RUNNING)
    return replay_refuse (r, arena_printf (r->m.arena, "thread %u is not running", c->thread[i]));
  action a = action_of (&r->m, c->thread[i]);
  if (a.e.i == c->edge[i].i) return true;
  strbuf text = {0};
  strbuf_printf (&text, "thread %u does not stand before the claimed operation but before %s at ", c->thread[i],
                 ir_op_table[a.d->op].text);
  name_place (r->m.program, a.e, &text);
  replay_refuse (r, strbuf_text (&text));
  strbuf_release (&text);
  return false;
}

static bool refuse_stuck (replay *r, uint32_t slot) {
  const char *operation = ir_op_table[action_of (&r->m, slot).d->op].text;
  return replay_refuse (r, arena_printf (r->m.arena, "thread %u is not stuck before %s", slot, operation));
}

static bool is_stuck (replay *r) {
  bool stuck[IR_MAX_THREADS];
  detect_stuck (&r->m, stuck);
  for (uint32_t i = 0; i < r->claim->num_threads; i++)
    if (!stuck[r->claim->thread[i]]) return refuse_stuck (r, r->claim->thread[i]);
  return true;
}

// Takes the edge, since a failing access or check shows only when it is executed.  A violation leaves the machine as it
// was.
static bool takes_failing_step (replay *r) {
  machine *m = &r->m;
  uint32_t slot = r->claim->thread[0];
  action a = action_of (m, slot);
  if (machine_excluded (m, slot)) return replay_refuse (r, "another thread is inside an atomic region");
  if (r->claim->property == IR_P_LOCKS && a.d->op != IR_CHECK) {
    if (misuse_of (&a).fault) return true;
    return replay_refuse (r, "nothing is wrong with that operation");
  }
  step_kind k = machine_step (m, slot);
  if (k == STEP_VIOLATION && m->fault.property == r->claim->property) return true;
  return replay_refuse (r, k == STEP_DONE ? "the claimed operation does not fail" : replay_reason (m, k));
}

static bool shows_violation (replay *r) {
  const claim *c = r->claim;
  judge_access which[2];
  for (uint32_t i = 0; i < c->num_threads; i++)
    if (!is_before_claimed_edge (r, i)) return false;
  if (c->property == IR_P_DEADLOCK) return is_stuck (r);
  if (c->property != IR_P_RACE) return takes_failing_step (r);
  return detect_race (&r->m, c->thread[0], c->thread[1], which) || replay_refuse (r, "the two operations do not race");
}

static bool is_sane (replay *r) {
  const claim *c = r->claim;
  if (c->property >= IR_NUM_PROPERTIES) return replay_refuse (r, "the claim names no property");
  uint32_t wanted = c->property == IR_P_RACE ? 2 : 1;
  bool right =
      c->property == IR_P_DEADLOCK ? c->num_threads >= 1 && c->num_threads <= IR_MAX_THREADS : c->num_threads == wanted;
  return right || replay_refuse (r, arena_printf (r->m.arena, "a claim of %s does not have %u threads",
                                                  ir_property_name[c->property], c->num_threads));
}

static bool replay_schedule (replay *r) {
  const schedule *s = &r->claim->schedule;
  if (!is_sane (r)) return false;
  for (uint32_t i = 0; i < s->parts.count; i++)
    for (uint32_t n = s->parts.data[i].edges; n > 0; n--)
      if (!replay_edge (r, s->parts.data[i].thread)) return false;
  return shows_violation (r);
}

// Reduces a deadlock claim to its core: the engine may have claimed bystanders, too.
static void reduce_to_core (machine *m, claim *c) {
  bool claimed[IR_MAX_THREADS] = {false};
  deadlock_core core;
  for (uint32_t i = 0; i < c->num_threads; i++) claimed[c->thread[i]] = true;
  core_find (m, claimed, &core);
  c->num_threads = core.num_threads;
  for (uint32_t i = 0; i < core.num_threads; i++) {
    c->thread[i] = core.thread[i];
    c->edge[i] = action_of (m, core.thread[i]).e;
  }
}

bool verdict_confirm (verdict *v, const ir_program *p, const semantics *s, claim *c, goal *g, const char **why) {
  replay *r = replay_new (v, p, s, c, g, why);
  bool there = replay_schedule (r);
  if (there) {
    *why = NULL;
    if (c->property == IR_P_DEADLOCK) reduce_to_core (&r->m, c);
    sources_of_claim (r->sources, c, g);
    g->message = describe_violation (&r->m, c, g);
    replay_finish_message (r);
    for (uint32_t i = 0; i < c->num_threads; i++) trace_started (&r->trace, c->thread[i]);
    for (uint32_t i = 0; i < c->num_threads; i++) trace_about (&r->trace, c->thread[i]);
  }
  if (r->m.too_large) g->status = GOAL_UNKNOWN;
  replay_free (r, there);
  return there;
}
