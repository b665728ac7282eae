// Builds a trace: the steps that lead to the state are executed again, this time with all choices and the whole guard;
// a solver chooses the values. Then the interpreter is guided along the same steps through the lowered program: it
// executes all edges that belong to the current statement.
#include "engine/boolean/boolean_trace.h"

#include "base/diag.h"

// A step of the trace: statements of one thread that are executed as one.
typedef struct trace_move {
  uint32_t thread;     // number of the thread in order of creation
  bp_loc at, through;  // a goto and the statement that it waits for; or a statement, and BP_NONE
  uint32_t way;
  uint32_t first_use, num_uses;  // in `uses`
} trace_move;

typedef struct boolean_trace_builder {
  const symbolic_search *search;
  simulator simulator;
  state_builder draft;
  VEC (trace_move) moves;
  VEC (choice_use) uses;
  feasible feasible;  // its model gives the values
  // While the interpreter is guided:
  const ir_program *program;
  uint32_t now;          // current move
  VEC (uint32_t) slots;  // by thread
  VEC (uint32_t) taken;  // edges executed in this move
} boolean_trace_builder;

// ---- the steps with all choices ---------------------------------------------------------------------
static void note_move (boolean_trace_builder *t, uint32_t thread, bp_loc at, uint32_t way) {
  bp_loc through = simulate_through (t->simulator.layout, at, way);
  trace_move m = {.thread = thread, .at = at, .through = through.i == at.i ? (bp_loc){BP_NONE} : through, .way = way};
  m.first_use = t->uses.count, m.num_uses = t->simulator.used.count;
  for (uint32_t i = 0; i < m.num_uses; i++) vec_push (&t->uses, t->simulator.used.data[i]);
  vec_push (&t->moves, m);
}

static void execute_traced_steps (boolean_trace_builder *t, uint32_t at) {
  VEC (uint32_t) path = {0};
  const history *h = &t->search->history;
  for (; h->states.data[at]->parent != BP_NONE; at = h->states.data[at]->parent) vec_push (&path, at);
  simulate_start (&t->simulator, &t->draft);
  while (path.count) {
    const sym_state *s = h->states.data[vec_pop (&path)];
    uint32_t id = t->draft.id.data[s->thread];
    bp_loc from = {t->draft.at.data[s->thread]};
    simulate_step (&t->simulator, &t->draft, s->thread, s->way);
    note_move (t, id, from, s->way);
  }
  vec_release (&path);
}

static bool choose_all_values (boolean_trace_builder *t, uint32_t thread) {
  uint32_t id = t->draft.id.data[thread];
  bp_loc from = {t->draft.at.data[thread]};
  aig_lit wrong = aig_not (simulate_condition (&t->simulator, &t->draft, thread, 0));
  note_move (t, id, from, 0);
  feasible_init (&t->feasible, &t->simulator.graph, t->search->options.budget);
  return feasible_ask (&t->feasible, t->draft.guard.data, t->draft.guard.count, wrong) == SAT_YES;
}

// ---- guiding the interpreter ------------------------------------------------------------------------
static bool was_taken (const boolean_trace_builder *t, uint32_t edge) {
  for (uint32_t i = 0; i < t->taken.count; i++)
    if (t->taken.data[i] == edge) return true;
  return false;
}

// Edges before the first statement of a thread belong to the first statement that it executes. No statement executes an
// edge twice.
static bool belongs_to (const boolean_trace_builder *t, const trace_move *m, uint32_t edge) {
  uint32_t statement = t->program->edges.data[edge].statement;
  bool is_its_own =
      !statement || statement == m->at.i + 1 || (m->through.i != BP_NONE && statement == m->through.i + 1);
  return is_its_own && !was_taken (t, edge);
}

static uint32_t pick_traced_thread (void *state, const struct runner *r) {
  boolean_trace_builder *t = state;
  for (; t->now < t->moves.count; t->now++) {
    const trace_move *m = &t->moves.data[t->now];
    uint32_t slot = t->slots.data[m->thread], edge = run_edge (r, slot).i;
    if (edge != IR_NONE && belongs_to (t, m, edge)) {
      vec_push (&t->taken, edge);
      return slot;
    }
    vec_clear (&t->taken);
  }
  return IR_NONE;
}

static bool traced_input (boolean_trace_builder *t, uint32_t input) {
  return feasible_value (&t->feasible, t->simulator.inputs.data[input]);
}

static ir_value choose_traced_value (void *state, ir_edge e) {
  boolean_trace_builder *t = state;
  const ir_edge_data *d = ir_edge_at (t->program, e);
  const trace_move *m = &t->moves.data[t->now];
  uint32_t choice = d->choice - 1;
  if (!d->statement) return traced_input (t, choice);
  if (bp_loc_at (t->simulator.layout->program, (bp_loc){d->statement - 1})->kind == BP_GOTO) return choice == m->way;
  for (uint32_t i = m->first_use; i < m->first_use + m->num_uses; i++)
    if (t->uses.data[i].choice == choice) return traced_input (t, t->uses.data[i].input);
  return 0;
}

static void made (void *state, uint32_t slot) {
  boolean_trace_builder *t = state;
  vec_push (&t->slots, slot);
}

static bool guide_interpreter (boolean_trace_builder *t, const semantics *s, verdict *v, claim *out, const char **why) {
  run_guide guide = {.state = t, .pick = pick_traced_thread, .choose = choose_traced_value, .made = made};
  run_options o = {.semantics = *s, .guide = &guide, .budget = t->search->options.budget};
  run_result r;
  vec_push (&t->slots, 0);
  run_program (v, t->program, &o, &r);
  bool good = r.claims.count == 1 && r.claims.data[0].property == IR_P_ASSERT;
  if (good) {
    *out = r.claims.data[0];
    r.claims.count = 0;
  } else *why = r.message ? r.message : "the assertion did not fail";
  run_result_release (&r);
  return good;
}

bool boolean_claim (const symbolic_search *s, uint32_t at, uint32_t thread, const ir_program *p,
                    const semantics *semantics, verdict *v, claim *out, const char **why) {
  boolean_trace_builder t = {.search = s, .program = p};
  simulator_init (&t.simulator, &s->layout, s->options.max_threads);
  execute_traced_steps (&t, at);
  bool good = choose_all_values (&t, thread);
  if (!good) *why = "the guard of the trace cannot be satisfied";
  good = good && guide_interpreter (&t, semantics, v, out, why);
  feasible_release (&t.feasible);
  simulator_release (&t.simulator);
  state_builder_release (&t.draft);
  vec_release (&t.moves);
  vec_release (&t.uses);
  vec_release (&t.slots);
  vec_release (&t.taken);
  return good;
}
