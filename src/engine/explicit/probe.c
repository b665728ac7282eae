// Probing: some random executions before the search. Each thread gets a random priority, and of all enabled threads the
// one with the highest steps; at one to three random points the running thread drops to the lowest priority. A bug that
// needs d such points in k steps of n threads is found with probability at least 1 / (n k^(d-1)) per run (Burckhardt,
// Kothari, Musuvathi, Nagarakatti, ASPLOS 2010). What probing has found is no longer a goal of the search (prune.c),
// and its trace has few context switches.
#include "base/rng.h"
#include "engine/explicit/explicit_reduce.h"

// The more threads there are, the more runs it takes until a certain thread comes last.
enum { IDLE_RUNS = 100, IDLE_RUNS_PER_THREAD = 12, NUM_RUNS = 1000 };
enum { RUN_STEPS = 3000 /* of a run */, STEPS_IN_ALL = 60000, MORE_STEPS_PER_THREAD = 2000, NUM_POINTS = 3 };
enum { RUN_INSTRUCTIONS = 200000 /* of a run */, INSTRUCTIONS_IN_ALL = 4000000 };

typedef struct probe {
  state_search *s;
  rng random;
  uint32_t run;      // number of the run
  uint32_t longest;  // steps of the longest run so far
  uint32_t threads;  // largest number of threads at a time
  uint32_t priority[IR_MAX_THREADS];
  uint32_t points[NUM_POINTS], num_points;
} probe;

static void begin_probe_run (probe *p, uint32_t run) {
  p->run = run;
  p->random = (rng){run};
  for (uint32_t t = 0; t < IR_MAX_THREADS; t++) p->priority[t] = NUM_POINTS + rng_below (&p->random, 1u << 20);
  p->num_points = run / 2 % (NUM_POINTS + 1);
  for (uint32_t k = 0; k < p->num_points; k++) p->points[k] = rng_below (&p->random, p->longest);
}

// In every other run no thread ends the process while another one can step, so that all threads get a turn.
static uint32_t priority_of (const probe *p, uint32_t slot) {
  bool ends_all = p->run % 2 && xs_exec_insn (&p->s->current, slot)->op == BC_EXIT;
  return ends_all ? 0 : 1 + p->priority[slot];
}

static uint32_t highest_priority_thread (const probe *p, const uint32_t *slots, uint32_t count) {
  uint32_t best = slots[0];
  for (uint32_t k = 1; k < count; k++)
    if (priority_of (p, slots[k]) > priority_of (p, best)) best = slots[k];
  return best;
}

static void drop_priority (probe *p, uint32_t slot, uint32_t step) {
  for (uint32_t k = 0; k < p->num_points; k++)
    if (p->points[k] == step) p->priority[slot] = k;
}

// Records the races of the state like violations of a step, after everything that has been executed so far.
static void record_state_races (state_search *s) {
  current_state *w = &s->current;
  access_pair pairs[8];
  uint32_t count = xs_detect_races (w, pairs, 8);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t a = pairs[k].thread[0], b = pairs[k].thread[1], edge = xs_exec_insn (w, a)->edge;
    if (search_race_claimed (s, edge, xs_exec_insn (w, b)->edge)) continue;
    xs_exec_violate (w, IR_P_RACE, a, edge, b);
    vec_last (&w->step.violations).edges_before = 0;
  }
}

// Executes one run and returns how it ended.
static step_result execute_probe_run (probe *p, uint32_t *steps) {
  state_search *s = p->s;
  current_state *w = &s->current;
  uint32_t slots[IR_MAX_THREADS], stuck[IR_MAX_THREADS];
  uint64_t end = w->instructions + RUN_INSTRUCTIONS;
  for (*steps = 0; *steps < RUN_STEPS && w->instructions < end; ++*steps) {
    if (search_checks (s, IR_P_RACE) && w->running > 1) record_state_races (s);
    uint32_t enabled = xs_detect_enabled (w, slots);
    if (w->running > p->threads) p->threads = w->running;
    uint32_t blocked = enabled < w->running && search_checks (s, IR_P_DEADLOCK) ? xs_detect_deadlock (w, stuck) : 0;
    if (blocked) search_claim_deadlock (s, IR_NONE, stuck, blocked);
    if (blocked || !enabled) return STEP_DONE;
    uint32_t slot = highest_priority_thread (p, slots, enabled);
    drop_priority (p, slot, *steps);
    step_result result = xs_exec_step (w, slot);
    if (result != STEP_DONE) return result;
  }
  return STEP_DONE;
}

void probe_run (state_search *s) {
  current_state *w = &s->current;
  probe p = {.s = s, .longest = 20};
  uint32_t all = 0, idle = 0;
  uint64_t end = w->instructions + INSTRUCTIONS_IN_ALL;
  for (uint32_t run = 0; run < NUM_RUNS && !s->stopped; run++) {
    if (idle >= IDLE_RUNS + IDLE_RUNS_PER_THREAD * p.threads || w->instructions > end) break;
    if (all > STEPS_IN_ALL + MORE_STEPS_PER_THREAD * p.threads) break;
    uint64_t bugs = s->shared->bugs;
    uint32_t steps;
    begin_probe_run (&p, run);
    search_reload (s, IR_NONE);
    vec_clear (&w->step.choices);
    xs_step_begin (w);
    w->chooser = &p.random;
    step_result result = execute_probe_run (&p, &steps);
    w->chooser = NULL;
    search_note_result (s, IR_NONE, result);
    search_check_limits (s);
    if (steps > p.longest) p.longest = steps;
    all += steps + 1;
    idle = s->shared->bugs > bugs ? 0 : idle + 1;
  }
  vec_clear (&w->step.choices);
}
