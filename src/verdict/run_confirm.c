// Confirms a run that breaks a formula: a stem and a loop, or a stem after which no thread can move.  At each moment
// the interpreter notes which propositions hold.  It checks that the loop leads back to the state where it began and
// that the run is fair if that was requested, and evaluates the formula on the noted word by definition.  Only the
// schedule is taken from the claim.
#include "verdict/verdict_impl.h"

typedef struct run_replay {
  replay *replay;
  const temporal *formula;
  bool fair;
  VEC (uint64_t) letters;  // one per moment so far
  uint64_t started;        // threads that have started, as moment_letter keeps them
  bool process_ended;
  bool looping;
  machine *loop_state;  // state where the loop begins; its moment, and `started` at that moment
  uint32_t loop_moment;
  uint64_t loop_started;
  bool given_its_turn[IR_MAX_THREADS];  // in the loop, the thread has stepped or was not enabled
} run_replay;

// ---- moments -------------------------------------------------------------------------------------------

// Adds to the last step of the trace which propositions become true or false.
static void note_changes (run_replay *f, uint64_t before, uint64_t now) {
  goal *g = f->replay->trace.goal;
  strbuf text = {0};
  if (!g->steps.count) return;
  trace_step *s = &vec_last (&g->steps);
  if (s->note) strbuf_printf (&text, "%s; ", s->note);
  uint32_t old = text.count;
  for (uint32_t k = 0; k < f->formula->num_atoms; k++)
    if ((before ^ now) >> k & 1)
      strbuf_printf (&text, "%s%s: %s", text.count > old ? "; " : "", f->formula->atoms[k].text,
                     now >> k & 1 ? "true" : "false");
  if (text.count > old) s->note = arena_strdup (f->replay->m.arena, strbuf_text (&text));
  strbuf_release (&text);
}

static void note_enabled (run_replay *f) {
  machine *m = &f->replay->m;
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++)
    if (!machine_enabled (m, slot)) f->given_its_turn[slot] = true;
}

static void add_moment (run_replay *f) {
  uint64_t before = f->letters.count ? vec_last (&f->letters) : 0;
  uint64_t now = moment_letter (&f->replay->m, f->formula, f->process_ended, &f->started);
  vec_push (&f->letters, now);
  note_changes (f, before, now);
  if (f->looping) note_enabled (f);
}

// ---- following -----------------------------------------------------------------------------------------

// Shows the start of each thread that steps in the loop: a thread whose first step is in the loop has started before
// it.
static void show_starts (run_replay *f, uint32_t part) {
  const schedule *s = &f->replay->claim->schedule;
  for (uint32_t k = part; k < s->parts.count; k++) {
    uint32_t slot = s->parts.data[k].thread;
    if (slot < IR_MAX_THREADS && f->replay->m.threads[slot].state == THREAD_RUNNING)
      trace_started (&f->replay->trace, slot);
  }
}

static bool begin_loop (run_replay *f, uint32_t part) {
  goal *g = f->replay->trace.goal;
  if (!moment_is_one (&f->replay->m)) return replay_refuse (f->replay, "the loop begins inside an atomic region");
  f->looping = true;
  f->loop_state = machine_copy (&f->replay->m);
  f->loop_moment = f->letters.count - 1;
  f->loop_started = f->started;
  show_starts (f, part);
  g->loop_step = g->steps.count;
  note_enabled (f);
  return true;
}

// Takes an edge that ends the process.  Nothing else may follow in the schedule.
static bool end_process (run_replay *f, uint32_t slot) {
  replay *r = f->replay;
  trace_before (&r->trace, slot);
  step_kind k = machine_step (&r->m, slot);
  if (k != STEP_EXIT) return replay_refuse (r, "the process was to end");
  trace_after (&r->trace, slot);
  r->steps++;
  f->process_ended = true;
  add_moment (f);
  return true;
}

static bool next_operation_is (run_replay *f, uint32_t slot, ir_op op) {
  machine *m = &f->replay->m;
  if (slot >= IR_MAX_THREADS || m->threads[slot].state != THREAD_RUNNING || machine_excluded (m, slot)) return false;
  return action_of (m, slot).d->op == op;
}

static bool execute_run_edge (run_replay *f, uint32_t slot) {
  if (f->process_ended) return replay_refuse (f->replay, "the process has ended");
  if (next_operation_is (f, slot, IR_EXIT)) return end_process (f, slot);
  bool begins_wait = next_operation_is (f, slot, IR_COND_WAIT);
  if (!replay_edge (f->replay, slot)) return false;
  if (f->looping && begins_wait && f->replay->m.threads[slot].spurious)
    return replay_refuse (f->replay, "the loop needs spurious wake-ups again and again");
  if (f->looping) f->given_its_turn[slot] = true;
  if (moment_is_one (&f->replay->m)) add_moment (f);
  return true;
}

static bool execute_run_schedule (run_replay *f) {
  const claim *c = f->replay->claim;
  uint64_t total = schedule_edges (&c->schedule);
  add_moment (f);
  for (uint32_t k = 0; k < c->schedule.parts.count; k++)
    for (uint32_t n = c->schedule.parts.data[k].edges; n > 0; n--) {
      if (f->replay->steps == c->loop_from && c->loop_from < total && !begin_loop (f, k)) return false;
      if (!execute_run_edge (f, c->schedule.parts.data[k].thread)) return false;
    }
  return true;
}

// ---- the end -------------------------------------------------------------------------------------------

static bool nothing_moves (run_replay *f) {
  machine *m = &f->replay->m;
  for (uint32_t slot = 0; slot < m->num_slots && !f->process_ended; slot++)
    if (machine_enabled (m, slot))
      return replay_refuse (f->replay, arena_printf (m->arena, "thread %u can still move", slot));
  return true;
}

static bool is_fair (run_replay *f) {
  for (uint32_t slot = 0; f->fair && slot < IR_MAX_THREADS; slot++)
    if (!f->given_its_turn[slot])
      return replay_refuse (
          f->replay, arena_printf (f->replay->m.arena, "the loop is not fair: thread %u could always move", slot));
  return true;
}

static bool loop_leads_back (run_replay *f) {
  machine *m = &f->replay->m;
  const char *difference = "";
  if (f->process_ended) return replay_refuse (f->replay, "a loop cannot contain the end of the process");
  if (!moment_is_one (m)) return replay_refuse (f->replay, "the loop ends inside an atomic region");
  live_registers *live = live_new (m->program);
  bool alike = machines_are_alike (f->loop_state, m, live, &difference);
  live_free (live);
  if (!alike)
    return replay_refuse (f->replay, arena_printf (m->arena, "the loop does not lead back: %s changed", difference));
  return f->started == f->loop_started ||
         replay_refuse (f->replay, "the loop does not lead back: a thread was first started in it");
}

static bool breaks_formula (run_replay *f) {
  uint32_t length = f->letters.count - f->looping, back = f->looping ? f->loop_moment : length - 1;
  return !ltl_holds_on (f->formula->pool, f->formula->formula, f->letters.data, length, back) ||
         replay_refuse (f->replay, "the formula holds on this run");
}

static bool replay_run (run_replay *f) {
  goal *g = f->replay->trace.goal;
  if (!execute_run_schedule (f)) return false;
  g->stays = !f->looping;
  if (g->stays) g->loop_step = g->steps.count;
  return (g->stays ? nothing_moves (f) : loop_leads_back (f) && is_fair (f)) && breaks_formula (f);
}

// ---- words ---------------------------------------------------------------------------------------------

static const char *lasso_end_text (const run_replay *f) {
  if (!f->looping && f->process_ended) return "the process ends, and the program stays so for ever";
  return f->looping ? "steps repeat for ever" : "nothing can move any more, and the program stays so for ever";
}

static void describe_run (run_replay *f) {
  machine *m = &f->replay->m;
  goal *g = f->replay->trace.goal;
  g->message =
      arena_printf (m->arena, "a%s run breaks `%s`: %s", f->fair ? " fair" : "", f->formula->text, lasso_end_text (f));
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    if (m->threads[slot].state != THREAD_RUNNING || f->process_ended) continue;
    action a = action_of (m, slot);
    goal_location l = {.pos = action_position (&a), .function = action_function (&a), .thread = slot};
    l.what = machine_enabled (m, slot) ? f->looping ? "is here when the loop begins again" : "is here" : "waits here";
    vec_push (&g->locations, l);
  }
}

bool verdict_confirm_run (verdict *v, const ir_program *p, const semantics *s, const temporal *formula, bool fair,
                          const claim *c, goal *g, const char **why) {
  run_replay f = {.replay = replay_new (v, p, s, c, g, why), .formula = formula, .fair = fair};
  bool there = c->is_run && c->loop_from <= schedule_edges (&c->schedule)
                   ? replay_run (&f)
                   : replay_refuse (f.replay, "the claim is no run");
  if (there) *why = NULL;
  if (there) sources_of_claim (f.replay->sources, c, g);
  if (there) describe_run (&f), replay_finish_message (f.replay);
  if (f.loop_state) machine_free_copy (f.loop_state);
  vec_release (&f.letters);
  replay_free (f.replay, there);
  return there;
}
