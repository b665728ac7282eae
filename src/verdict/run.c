// Makes one execution: `lockstep run`, and the engine `random`.  With seed 0, the program runs as on a single processor
// without time slices: thread 0 until it blocks or ends, then the next.  With any other seed, threads and choices are
// random.  The schedule is recorded, so every violation that is seen can be claimed and replayed.
//
// Races and misuse of locks are recorded and the run continues; failing checks, memory errors and deadlocks end it.
#include "ir/reason.h"
#include "verdict/verdict_impl.h"

enum { SLICE = 1 << 20 };           // edges after which even seed 0 switches threads, so that a busy wait ends
enum { EDGES_PER_LOOK = 1 << 16 };  // edges between two looks at the budget

typedef struct runner {
  machine m;
  verdict *v;
  const run_options *options;
  run_result *result;
  schedule schedule;
  rng rng;
  uint32_t switch_one_in;  // visible operations between switches, on average
  uint64_t edges, slice;
  uint32_t moving;     // slot of the thread that takes its edge
  uint32_t num_given;  // number of choices of the prefix that were taken
  map races, misuses;  // edges already claimed
  bool over;
} runner;

// ---- choices -------------------------------------------------------------------------------------------

static ir_value random_value (rng *r, unsigned bits) {
  ir_value full = (ir_value) rng_next (r) << 64 | rng_next (r), mask = value_mask (bits), top = (mask >> 1) + 1;
  switch (rng_below (r, 8)) {
  case 0:
  case 1:
  case 2: return full & 1;
  case 3:
  case 4: return full & 15 & mask;
  case 5: return (full & 3) == 0 ? mask : (full & 3) == 1 ? top : (full & 3) == 2 ? top - 1 : 0;
  case 6: return -(full & 15) & mask;
  default: return full & mask;
  }
}

static uint32_t random_waiting (runner *r, uint64_t address) {
  uint32_t waiting[IR_MAX_THREADS], n = 0;
  for (uint32_t slot = 0; slot < r->m.num_slots; slot++)
    if (r->m.threads[slot].state == THREAD_RUNNING && r->m.threads[slot].waiting == address) waiting[n++] = slot;
  return waiting[r->options->seed ? rng_below (&r->rng, n) : 0];
}

static bool has_prefix_choice (const runner *r) {
  return r->options->prefix && r->num_given < r->options->prefix->choices.count;
}

static bool choose_for_run (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  runner *r = m->choose_state;
  if (has_prefix_choice (r)) *value = r->options->prefix->choices.data[r->num_given++];
  else if (r->options->guide) *value = r->options->guide->choose (r->options->guide->state, action_of (m, r->moving).e);
  else if (kind == CHOICE_WAKE) *value = random_waiting (r, address);
  else if (!r->options->seed) *value = 0;
  else if (kind == CHOICE_FAIL || kind == CHOICE_SPURIOUS) *value = !rng_below (&r->rng, 8);
  else *value = random_value (&r->rng, bits);
  vec_push (&r->schedule.choices, *value);
  return true;
}

// ---- what is seen --------------------------------------------------------------------------------------

static bool is_selected (const runner *r, ir_property property) {
  return r->options->semantics.properties >> property & 1;
}

static void copy_schedule (const schedule *from, schedule *to) {
  vec_reserve (&to->parts, from->parts.count);
  for (uint32_t i = 0; i < from->parts.count; i++) vec_push (&to->parts, from->parts.data[i]);
  vec_reserve (&to->choices, from->choices.count);
  for (uint32_t i = 0; i < from->choices.count; i++) vec_push (&to->choices, from->choices.data[i]);
}

static void end_run (runner *r, int kind, const char *message) {
  r->result->kind = kind;
  if (message) r->result->message = message;
  r->over = true;
}

static void print_violation (runner *r, ir_property property, const char *message) {
  r->result->message = message;
  if (!r->options->print_violations) return;
  if (r->options->output) fflush (r->options->output);
  fprintf (stderr, "%s: %s\n", ir_property_name[property], message);
}

// Records a claim about the current state.  Of a property that was not requested, only the message is kept.
static void record_claim (runner *r, claim *c) {
  for (uint32_t i = 0; i < c->num_threads; i++) c->edge[i] = action_of (&r->m, c->thread[i]).e;
  const char *message = describe_violation (&r->m, c, NULL);
  if (!is_selected (r, c->property)) {
    r->result->message = message;
    return;
  }
  print_violation (r, c->property, message);
  copy_schedule (&r->schedule, &c->schedule);
  r->result->violated |= 1u << c->property;
  vec_push (&r->result->claims, *c);
}

static void look_for_races (runner *r, uint32_t slot) {
  judge_access which[2];
  if (!is_selected (r, IR_P_RACE) || !pending_of (&r->m, slot)->count) return;
  for (uint32_t other = 0; other < r->m.num_slots; other++) {
    if (r->m.threads[other].state != THREAD_RUNNING || !detect_race (&r->m, slot, other, which)) continue;
    uint32_t e = action_of (&r->m, slot).e.i, f = action_of (&r->m, other).e.i;
    bool is_new;
    map_insert (&r->races, (uint64_t) (e < f ? e : f) << 32 | (e < f ? f : e), 1, &is_new);
    claim c = {
        .property = IR_P_RACE, .num_threads = 2, .thread = {slot < other ? slot : other, slot < other ? other : slot}};
    if (is_new) record_claim (r, &c);
  }
}

static void look_for_misuse (runner *r, uint32_t slot) {
  action a = action_of (&r->m, slot);
  bool is_new;
  if (!is_selected (r, IR_P_LOCKS) || !misuse_possible (a.d->op) || !misuse_of (&a).fault) return;
  map_insert (&r->misuses, a.e.i, 1, &is_new);
  claim c = {.property = IR_P_LOCKS, .num_threads = 1, .thread = {slot}};
  if (is_new) record_claim (r, &c);
}

// Looks for threads that can never step again.  If deadlock was not requested, the other threads continue.
static void look_for_deadlock (runner *r) {
  bool stuck[IR_MAX_THREADS];
  claim c = {.property = IR_P_DEADLOCK};
  if (!is_selected (r, IR_P_DEADLOCK) || !detect_stuck (&r->m, stuck)) return;
  deadlock_core core;
  core_find (&r->m, stuck, &core);
  for (; c.num_threads < core.num_threads; c.num_threads++) c.thread[c.num_threads] = core.thread[c.num_threads];
  record_claim (r, &c);
  end_run (r, RUN_DEADLOCK, NULL);
}

// ---- the scheduler -------------------------------------------------------------------------------------

// Returns an enabled thread: the next one after `current`, or a random one.  IR_NONE: no thread is enabled.
static uint32_t pick_enabled_thread (runner *r, uint32_t current) {
  uint32_t enabled[IR_MAX_THREADS], n = 0;
  for (uint32_t i = 1; i <= r->m.num_slots; i++) {
    uint32_t slot = (current + i) % r->m.num_slots;
    if (machine_enabled (&r->m, slot)) enabled[n++] = slot;
  }
  r->slice = 0;
  if (!n) return IR_NONE;
  return enabled[r->options->seed ? rng_below (&r->rng, n) : 0];
}

static bool is_visible (ir_op op) { return strchr ("MST", ir_op_table[op].group) != NULL; }

static bool switches_thread (runner *r, uint32_t current) {
  const thread *t = &r->m.threads[current];
  if (t->state != THREAD_RUNNING) return true;
  if (r->m.num_running == 1) return false;
  if (t->atomic) return false;
  if (machine_excluded (&r->m, current)) return true;
  if (!r->options->seed) return r->slice >= SLICE;
  return is_visible (action_of (&r->m, current).d->op) && !rng_below (&r->rng, r->switch_one_in);
}

// Looks for violations after a step.  New races involve the thread that moved or was created; a new deadlock needs a
// thread that came to an operation that is not enabled, or a change of lock holders or of running threads.
static void look_after_step (runner *r, uint32_t slot, ir_op taken) {
  machine *m = &r->m;
  char group = ir_op_table[taken].group;
  bool runs = m->threads[slot].state == THREAD_RUNNING, blocked = false;
  if (m->num_running > 1 && runs) look_for_races (r, slot);
  if (taken == IR_THREAD_CREATE) look_for_races (r, m->woken);
  if (runs) {
    action a = action_of (m, slot);
    blocked = !action_enabled (&a);
  }
  if (blocked) look_for_misuse (r, slot);
  if (blocked || !runs || group == 'S' || group == 'T') look_for_deadlock (r);
}

static void record_violation (runner *r, uint32_t slot) {
  claim c = {.property = r->m.fault.property, .num_threads = 1, .thread = {slot}};
  record_claim (r, &c);
  end_run (r, RUN_VIOLATION, NULL);
}

static const reason *reason_there (machine *m, uint32_t slot) {
  action a = action_of (m, slot);
  return reason_of_edge (m->arena, m->program, action_user_edge (&a), a.e, m->stop);
}

// Lets the thread take its edge; returns whether it did or the run has ended.
static bool step_thread (runner *r, uint32_t slot) {
  machine *m = &r->m;
  ir_op op = action_of (m, slot).d->op;
  r->moving = slot;
  if (misuse_possible (op)) look_for_misuse (r, slot);
  switch (machine_step (m, slot)) {
  case STEP_DONE:
    schedule_add (&r->schedule, slot, 1);
    r->edges++;
    r->slice++;
    look_after_step (r, slot, op);
    return true;
  case STEP_BLOCKED: return false;
  case STEP_INFEASIBLE: end_run (r, RUN_INFEASIBLE, "an assumption does not hold"); return true;
  case STEP_VIOLATION: record_violation (r, slot); return true;
  case STEP_EXIT:
    r->result->exit_code = m->exit_code;
    end_run (r, RUN_EXITED, NULL);
    return true;
  case STEP_UNSUPPORTED:
    r->result->unsupported = reason_there (m, slot);
    end_run (r, RUN_UNSUPPORTED, r->result->unsupported->text);
    return true;
  case STEP_CUT:
  case STEP_NO_CHOICE: end_run (r, RUN_LIMIT, m->stop); return true;
  }
  return true;
}

static void look_at_limits (runner *r) {
  if (r->options->max_edges && r->edges >= r->options->max_edges)
    end_run (r, RUN_LIMIT,
             arena_printf (r->m.arena, "limit of %llu edges", (unsigned long long) r->options->max_edges));
  else if (r->options->budget && r->edges % EDGES_PER_LOOK == 0 && budget_spent (r->options->budget))
    end_run (r, RUN_LIMIT, arena_strdup (r->m.arena, budget_spent (r->options->budget)));
}

static void follow_prefix (runner *r) {
  const schedule *s = r->options->prefix;
  for (uint32_t k = 0; s && k < s->parts.count; k++)
    for (uint32_t n = s->parts.data[k].edges; n > 0 && !r->over; n--) {
      uint32_t slot = s->parts.data[k].thread;
      if (slot >= IR_MAX_THREADS || !machine_enabled (&r->m, slot) || !step_thread (r, slot)) return;
    }
}

static void execute_scheduled (runner *r) {
  uint32_t current = 0;
  follow_prefix (r);
  while (!r->over) {
    if (!r->m.num_running) {
      end_run (r, RUN_EXITED, NULL);
      break;
    }
    if (switches_thread (r, current)) current = pick_enabled_thread (r, current);
    if (current != IR_NONE && !step_thread (r, current)) current = pick_enabled_thread (r, current);
    if (current == IR_NONE && !r->over) end_run (r, RUN_DEADLOCK, r->result->message ? NULL : "no thread can step");
    if (!r->over) look_at_limits (r);
  }
}

// ---- a guided run --------------------------------------------------------------------------------------

ir_edge run_edge (const runner *r, uint32_t slot) {
  const thread *t = &r->m.threads[slot];
  if (t->state != THREAD_RUNNING) return (ir_edge){IR_NONE};
  return (ir_edge){r->m.program->locs.data[vec_last (&t->frames).loc.i].first_edge};
}

static void execute_guided (runner *r) {
  const run_guide *g = r->options->guide;
  while (!r->over) {
    uint32_t slot = g->pick (g->state, r);
    if (slot == IR_NONE) end_run (r, RUN_EXITED, NULL);
    else if (!machine_enabled (&r->m, slot)) end_run (r, RUN_LIMIT, "the guide has named a thread that cannot step");
    else {
      bool makes = r->m.program->edges.data[run_edge (r, slot).i].op == IR_THREAD_CREATE;
      step_thread (r, slot);
      if (makes && !r->over && g->made) g->made (g->state, r->m.woken);
    }
    if (!r->over) look_at_limits (r);
  }
}

void run_program (verdict *v, const ir_program *p, const run_options *options, run_result *result) {
  runner *r = mem_zalloc (sizeof *r);
  memset (result, 0, sizeof *result);
  r->v = v;
  r->options = options;
  r->result = result;
  r->rng.state = options->seed;
  machine_init (&r->m, p, &options->semantics, v->arena);
  r->m.choose = choose_for_run;
  r->m.choose_state = r;
  r->m.reached = verdict_reached (v, p);
  r->m.output = options->output;
  r->m.error_output = options->output ? stderr : NULL;
  r->switch_one_in = 2u << (2 * rng_below (&r->rng, 4));
  if (options->guide) execute_guided (r);
  else execute_scheduled (r);
  if (options->output) fflush (options->output);
  map_release (&r->races);
  map_release (&r->misuses);
  schedule_release (&r->schedule);
  machine_release (&r->m);
  mem_free (r, sizeof *r);
}
