// Counterexample-guided abstraction refinement (Ball, Rajamani 2001, "Automatically validating temporal safety
// properties of interfaces"; Clarke and others 2000) around the search of paper BOOL. The program becomes a machine
// (engine/machine.h), the machine a Boolean program (abstract/abstract.h), and the search looks for a failing
// assertion. If there is none, no requested goal can be violated. If there is one, either the machine can execute its
// path, and the interpreter replays it, or the path shows which predicates are missing.
#include "engine/boolean/refinement_loop.h"

#include "abstract/abstract.h"
#include "base/cutoff.h"
#include "base/diag.h"
#include "base/limits.h"
#include "engine/boolean/boolean_options.h"
#include "engine/boolean/valuations.h"
#include "engine/machine.h"
#include "engine/machine_run.h"
#include "ir/reason.h"

typedef enum loop_answer { HOLDS, IS_VIOLATED, IS_UNKNOWN } loop_answer;

// The result for one property.
typedef struct loop_result {
  loop_answer answer;
  const reason *why;      // why it is unknown
  const reason *stopped;  // why its time was over
  const char *limit;      // bound that the omitted executions go beyond
  completion evidence;    // that the search for it was not cut short
} loop_result;

typedef struct refinement_loop {
  engine_run *run;
  efsm m;
  folded steps;
  abstraction abstraction;
  VEC (abstract_goal) asked;  // those that are still open
  budget time;
  const char *proving;
  loop_result outcomes[IR_NUM_PROPERTIES];
  uint32_t bugs, left;
  uint32_t properties;  // that are requested
  const reason *doubt;
  // result of the last search
  abstract_path path;
  bool found;
  const reason *stopped;
  uint64_t rounds, states, most_states, refinements, learnt;
  abstract_goal met;      // a loss that is reachable
  const reason *why_not;  // why there is no machine
} refinement_loop;

// ---- time -------------------------------------------------------------------------------------------
static void show_loop_progress (void *state) {
  refinement_loop *z = state;
  engine_progress (z->run, "round %llu, %u predicates, %llu symbolic states, %u bugs",
                   (unsigned long long) z->rounds + 1, z->abstraction.predicates.all.count,
                   (unsigned long long) z->states, z->bugs);
}

static void take_time (refinement_loop *z, double seconds) {
  budget_part (&z->time, z->run->budget, seconds);
  z->time.watch = show_loop_progress;
  z->time.watch_state = z;
}

static void take_all_time (refinement_loop *z) { take_time (z, 0); }

// ---- the search -------------------------------------------------------------------------------------
// Returns the statement that a step of the search executes.
static statement_meaning statement_of_step (const refinement_loop *z, const symbolic_search *s, const sym_state *x,
                                            uint32_t thread, uint32_t way) {
  bp_loc at = {x->at[thread]}, through = simulate_through (&s->layout, at, way);
  return z->abstraction.meanings.data[through.i == BP_NONE ? at.i : through.i];
}

static void add_valuation (refinement_loop *z, const valuations *v, uint32_t k) {
  for (uint32_t p = 0; p < z->abstraction.predicates.all.count; p++)
    vec_push (&z->path.valuations, v->values.data[(size_t) k * v->num_globals + p]);
}

// Builds the path, up to where a target is reached. Before its assertion fails other threads may still have moved, and
// reached targets of their own, one of which fails first.
static void record_abstract_path (refinement_loop *z, const symbolic_search *s, const valuations *v) {
  const uint32_t *at = v->states.data;
  vec_clear (&z->path.moves);
  vec_clear (&z->path.valuations);
  for (uint32_t k = 0; k + 1 < v->states.count; k++) {
    const sym_state *next = s->history.states.data[at[k + 1]];
    statement_meaning m = statement_of_step (z, s, s->history.states.data[at[k]], next->thread, next->way);
    if (m.kind == MEANS_GOAL) {
      add_valuation (z, v, k);
      z->path.end = z->abstraction.targets.data[m.number];
      return;
    }
    if (m.kind != MEANS_EXIT) continue;
    vec_push (&z->path.moves, ((abstract_move){m.step, m.number}));
    add_valuation (z, v, k);
    add_valuation (z, v, k + 1);
  }
}

static bool record_violating_path (void *state, const symbolic_search *s, uint32_t at, uint32_t thread) {
  refinement_loop *z = state;
  valuations v;
  (void) thread;
  z->found = valuations_find (&v, s, at);
  if (z->found) record_abstract_path (z, s, &v);
  valuations_release (&v);
  return false;
}

static void look_for_path (refinement_loop *z) {
  bp_program *p = abstraction_program (&z->abstraction);
  search_options o = {.budget = &z->time, .violation = record_violating_path, .state = z};
  symbolic_search s;
  z->found = false;
  z->stopped = p ? NULL : reason_of_budget (z->run->verdict->arena, &z->time);
  if (!p) return;
  boolean_set_options (z->run->task, &o);
  o.max_threads = z->m.threads.count;
  if (diag_verbosity () > 2) {
    strbuf text = {0};
    bp_print (p, &text);
    fputs (strbuf_text (&text), stderr);
    strbuf_release (&text);
  }
  search_init (&s, p, &o);
  search_run (&s);
  z->rounds++;
  z->states += s.history.states.count;
  if (s.history.states.count > z->most_states) z->most_states = s.history.states.count;
  if ((s.stopped || s.told_enough) && !z->found)
    z->stopped = reason_copy (z->run->verdict->arena, s.stopped ? s.stopped : &boolean_solver_gave_up);
  if (s.too_many_threads)
    z->stopped = reason_internal (z->run->verdict->arena, "the abstraction has more threads than the machine");
  diag_verbose (1, "boolean", "round %llu: %u predicates, %u states, %s; %.2f s", (unsigned long long) z->rounds,
                z->abstraction.predicates.all.count, s.history.states.count,
                z->found     ? "a path"
                : z->stopped ? "stopped"
                             : "no path",
                budget_elapsed (&z->time));
  search_release (&s);
  bp_program_free (p);
}

// ---- real paths -------------------------------------------------------------------------------------
typedef struct replaying {
  path_check *check;
  uint32_t move;
} replaying;

static ir_value real_path_input (void *user, term input) {
  replaying *r = user;
  return path_input_value (r->check, r->move, input);
}

static uint32_t machine_thread (const refinement_loop *z, uint32_t step) {
  return z->m.points.data[z->steps.steps.data[step].point].thread;
}

static void write_claim (refinement_loop *z, path_check *check, claim *c) {
  machine_run run;
  replaying r = {.check = check};
  machine_run_init (&run, &z->steps, z->run->program, c);
  run.input_value = real_path_input, run.state = &r;
  for (uint32_t v = 0; v < z->m.variables.count; v++) vec_push (&run.value, path_start_value (check, v));
  for (uint32_t t = 0; t < z->m.threads.count; t++) vec_push (&run.at, z->m.threads.data[t].start);
  for (; r.move < z->path.moves.count; r.move++) {
    machine_run_step (&run, machine_thread (z, z->path.moves.data[r.move].step), IR_NONE);
    machine_run_forget (&run);
  }
  const fold_step *last = &z->steps.steps.data[z->path.end.step];
  machine_run_claim (&run, machine_thread (z, z->path.end.step), &last->goals.data[z->path.end.number]);
  machine_run_release (&run);
}

static void report_real_path (refinement_loop *z, path_check *check) {
  claim c;
  const char *why = "no reason given";
  write_claim (z, check, &c);
  reported r = engine_report_if_true (z->run, &c, &why);
  z->bugs += r == REPORTED_NEW;
  arena *a = z->run->verdict->arena;
  if (r == TOO_LARGE_TO_REPLAY) z->doubt = reason_new (a, REASON_ENGINE, why);
  if (r == DOES_NOT_REPLAY)
    z->doubt = path_is_exact (check)
                   ? reason_internal (a, "a trace of engine boolean does not replay: %s", why)
                   : reason_printf (a, REASON_ENGINE,
                                    "floats are any value: a trace of engine boolean does not replay: %s", why);
}

static bool is_same_goal (const abstract_goal *a, const abstract_goal *b) {
  return a->step == b->step && a->number == b->number && a->is_loss == b->is_loss;
}

static void close_goal (refinement_loop *z, const abstract_goal *t) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < z->asked.count; k++)
    if (!is_same_goal (&z->asked.data[k], t)) z->asked.data[kept++] = z->asked.data[k];
  z->asked.count = kept;
}

// ---- the loop ---------------------------------------------------------------------------------------
static bool wants_auto (const refinement_loop *z) {
  return boolean_options_of (z->run->task)->abstraction == ABSTRACTION_AUTO;
}

static const reason many_predicates = {REASON_ENGINE, "more than 1000 predicates would be needed", {0}},
                    no_predicate = {
                        REASON_ENGINE,
                        "no predicate that the refinement finds excludes a path that the program cannot take",
                        {0}};

// Makes the abstraction more precise. Returns false if that is impossible: *why says why.
static bool refine_abstraction (refinement_loop *z, uint32_t length, const reason **why) {
  abstraction *a = &z->abstraction;
  z->refinements++;
  uint32_t clauses =
      wants_auto (z) && !at_limit (ABSTRACT_LEARNT, z->learnt) ? constrain_steps (a, &z->path, length) : 0;
  z->learnt += clauses;
  if (clauses)
    diag_verbose (2, "boolean", "a path of %u moves ends after %u; %u clauses", z->path.moves.count, length, clauses);
  if (clauses) return true;
  uint32_t added = refine_predicates (a, &z->path, length);
  diag_verbose (2, "boolean", "a path of %u moves ends after %u; %u new predicates", z->path.moves.count, length,
                added);
  for (uint32_t k = a->predicates.all.count - added; k < a->predicates.all.count; k++)
    diag_verbose (2, "boolean", "  {%s}", a->predicates.all.data[k].name);
  _Static_assert(LIMIT_ABSTRACT_PREDICATES == 1000, "the reason says so");
  if (over_limit (ABSTRACT_PREDICATES, a->predicates.all.count)) *why = &many_predicates;
  if (added) return !*why;
  *why = &no_predicate;
  if (a->options.kind == ABSTRACT_CARTESIAN && wants_auto (z)) a->options.kind = ABSTRACT_EXACT;
  else if (!at_limit (ABSTRACT_EFFORT, a->options.effort)) a->options.effort++;
  else return false;
  return true;
}

// Returns true if the loop should go on.
static bool handle_path (refinement_loop *z, loop_result *o) {
  path_check check;
  path_answer p = path_decide (&check, &z->abstraction, &z->path);
  bool more = true;
  o->answer = IS_UNKNOWN;
  if (p == PATH_STOPPED) more = false;
  else if (p == PATH_IS_NOT) {
    more = refine_abstraction (z, check.length, &o->why);
  } else if (z->path.end.is_loss) {
    z->met = z->path.end;
    o->answer = IS_VIOLATED;
    more = false;
  } else {
    cutoff_hold (true);
    report_real_path (z, &check);
    cutoff_hold (false);
    close_goal (z, &z->path.end);
    more = !z->doubt && !engine_has_enough (z->run, z->bugs);
    o->answer = IS_VIOLATED;
  }
  path_check_release (&check);
  return more;
}

static void decide_open_goals (refinement_loop *z, loop_result *o) {
  bool violated = false;
  o->answer = HOLDS;
  abstraction_ask (&z->abstraction, z->asked.data, z->asked.count);
  abstraction_seed (&z->abstraction);
  for (bool more = true; more && z->asked.count;) {
    abstraction_ask (&z->abstraction, z->asked.data, z->asked.count);
    look_for_path (z);
    o->answer = z->stopped ? IS_UNKNOWN : HOLDS;
    o->why = o->stopped = z->stopped;
    more = z->found && !z->stopped && handle_path (z, o);
    violated |= o->answer == IS_VIOLATED;
  }
  if (violated && o->answer == HOLDS) o->answer = IS_VIOLATED;
}

// ---- properties -------------------------------------------------------------------------------------
static void ask_goals (refinement_loop *z, ir_property p) {
  for (uint32_t s = 0; s < z->steps.steps.count; s++)
    for (uint32_t k = 0; k < z->steps.steps.data[s].goals.count; k++) {
      const fold_goal *g = &z->steps.steps.data[s].goals.data[k];
      if (z->m.points.data[g->point].goals.data[g->number].property == p)
        vec_push (&z->asked, ((abstract_goal){s, k, false}));
    }
}

static const efsm_loss *loss_of (const refinement_loop *z, const abstract_goal *t) {
  const fold_loss *l = &z->steps.steps.data[t->step].losses.data[t->number];
  return &z->m.points.data[l->point].losses.data[l->number];
}

static void ask_losses (refinement_loop *z, bool cuts_too) {
  vec_clear (&z->asked);
  for (uint32_t s = 0; s < z->steps.steps.count; s++)
    for (uint32_t k = 0; k < z->steps.steps.data[s].losses.count; k++) {
      abstract_goal t = {s, k, true};
      if (cuts_too || !loss_of (z, &t)->is_cut) vec_push (&z->asked, t);
    }
}

static const double GOALS_SHARE = 0.9;  // of the time, if it also has to be shown that no execution is omitted

static void decide_loop_property (refinement_loop *z, ir_property p) {
  take_time (z, GOALS_SHARE * budget_left (z->run->budget) / z->left);
  vec_clear (&z->asked);
  ask_goals (z, p);
  decide_open_goals (z, &z->outcomes[p]);
  z->outcomes[p].evidence = budget_completion (&z->time);
  z->left--;
}

// Returns a reason that names an omission that was not shown to be unreachable.
static const reason *unexcluded_loss (const refinement_loop *z) {
  const ir_program *p = z->run->program;
  const efsm_loss *best = NULL;
  for (uint32_t k = 0; k < z->asked.count; k++) {
    const efsm_loss *l = loss_of (z, &z->asked.data[k]);
    if (!l->is_cut && (!best || ir_edge_at (p, l->edge)->op == IR_UNSUPPORTED)) best = l;
  }
  arena *a = z->run->verdict->arena;
  if (!best) return reason_new (a, REASON_ENGINE, "it was not shown that no executions are left out");
  const reason *there = reason_of_edge (a, p, best->edge, best->edge, best->what);
  return reason_printf (a, there->kind, "%s; it was not shown that no execution comes there", there->text);
}

// Decides which omissions are reachable. If a bound omits executions, proofs hold within the bound; if the behaviour
// after some step is unknown, nothing is proved.
static void check_losses (refinement_loop *z, loop_result *lost) {
  take_all_time (z);
  for (bool cuts_too = true; !lost->why; cuts_too = false) {
    loop_result o = {0};
    ask_losses (z, cuts_too);
    decide_open_goals (z, &o);
    if (o.answer == HOLDS && budget_completion (&z->time).is_complete) return;
    const efsm_loss *met = o.answer == IS_VIOLATED ? loss_of (z, &z->met) : NULL;
    if (!met) lost->why = unexcluded_loss (z);
    else if (!met->is_cut)
      lost->why = reason_of_edge (z->run->verdict->arena, z->run->program, met->edge, met->edge, met->what);
    else lost->limit = met->what;
  }
}

static void doubt_proofs (refinement_loop *z, uint32_t properties) {
  loop_result lost = {0};
  bool any = false;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) any |= (properties >> p & 1) && z->outcomes[p].answer != IS_UNKNOWN;
  if (any && !z->doubt) check_losses (z, &lost);
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (!(properties >> p & 1) || z->outcomes[p].answer == IS_UNKNOWN) continue;
    if (lost.why) z->outcomes[p].why = lost.why;
    z->outcomes[p].limit = lost.limit;
  }
}

// ---- the answer -------------------------------------------------------------------------------------
static const reason *loop_unknown_reason (const refinement_loop *z, const loop_result *o) {
  arena *a = z->run->verdict->arena;
  const reason *spent = reason_of_budget (a, z->run->budget);
  return z->doubt ? z->doubt
         : o->why ? o->why
         : spent  ? spent
                  : reason_new (a, REASON_ENGINE, "no proof was found in the time there was");
}

static ending loop_ending (const refinement_loop *z, const loop_result *o) {
  const verdict *v = z->run->verdict;
  if (z->doubt || z->run->parted || o->why || o->answer == IS_UNKNOWN)
    return ending_unknown (loop_unknown_reason (z, o));
  const char *bound = o->limit ? o->limit : v->bounds.count ? v->bounds.data[0] : NULL;
  return ending_proved_within (o->evidence, "no path of the abstraction leads there",
                               reason_new (v->arena, REASON_BOUND, bound));
}

static void conclude_loop (refinement_loop *z) {
  verdict *v = z->run->verdict;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (z->run->task->semantics.properties >> p & 1)
      engine_summarise_one (z->run, (ir_property) p, loop_ending (z, &z->outcomes[p]));
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (z->outcomes[p].limit && !z->outcomes[p].why) verdict_add_bound (v, "%s", z->outcomes[p].limit);
  verdict_add_stat (v, "rounds", z->rounds, NULL);
  verdict_add_stat (v, "predicates", z->abstraction.predicates.all.count, NULL);
  verdict_add_stat (v, "states", z->states, NULL);
  verdict_add_stat (v, "most_states", z->most_states, NULL);
  verdict_add_stat (v, "paths_refuted", z->refinements, NULL);
  verdict_add_stat (v, "clauses_learnt", z->learnt, NULL);
  verdict_add_stat (v, "abstraction_questions", z->abstraction.questions, NULL);
  verdict_add_stat (v, "projections_cut_short", z->abstraction.incomplete, NULL);
}

// Gives properties whose share of the time was not enough the time that others have left.
static void decide_remaining (refinement_loop *z, uint32_t properties) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    bool open =
        properties >> p & 1 && z->outcomes[p].answer == IS_UNKNOWN && z->outcomes[p].why == z->outcomes[p].stopped;
    if (!open || z->doubt || engine_has_enough (z->run, z->bugs) || budget_left (z->run->budget) < 1) continue;
    z->left = 1;
    decide_loop_property (z, (ir_property) p);
  }
}

static void decide_all_goals (void *state) {
  refinement_loop *z = state;
  uint32_t properties = z->properties;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) z->left += properties >> p & 1;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (properties >> p & 1 && !z->doubt && !engine_has_enough (z->run, z->bugs))
      decide_loop_property (z, (ir_property) p);
  decide_remaining (z, properties);
  doubt_proofs (z, properties);
}

static abstraction_kind first_kind (const task *t) {
  return boolean_options_of (t)->abstraction == ABSTRACTION_EXACT ? ABSTRACT_EXACT : ABSTRACT_CARTESIAN;
}

static const reason *loop_init (refinement_loop *z, engine_run *r, uint32_t properties) {
  *z = (refinement_loop){.run = r, .properties = properties};
  take_all_time (z);
  const reason *why = engine_make_machine (r, properties, &z->m, NULL);
  if (!why && over_limit (ABSTRACT_STATE_BITS, efsm_state_bits (&z->m))) {
    efsm_release (&z->m);
    why = reason_new (r->verdict->arena, REASON_ENGINE, "the program has too much state for predicate abstraction");
  }
  if (why) return why;
  fold (&z->m, &z->steps);
  diag_verbose (1, "boolean", "%u threads, %u steps of %u points, %u variables", z->m.threads.count,
                z->steps.steps.count, z->m.points.count, z->m.variables.count);
  abstraction_init (&z->abstraction, &z->steps,
                    (abstraction_options){.budget = &z->time, .kind = first_kind (r->task)});
  return NULL;
}

static void loop_release (refinement_loop *z) {
  abstraction_release (&z->abstraction);
  folded_release (&z->steps);
  efsm_release (&z->m);
  vec_release (&z->asked);
  vec_release (&z->path.moves);
  vec_release (&z->path.valuations);
}

static void refinement_loop_init (void *state) {
  refinement_loop *z = state;
  z->why_not = loop_init (z, z->run, z->properties);
}

// Drops proofs for which omissions were not checked: that check is the last step of a proof.
static void drop_unchecked_proofs (refinement_loop *z) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (z->properties >> p & 1) z->outcomes[p] = (loop_result){.answer = IS_UNKNOWN};
}

static const reason not_decided = {REASON_ENGINE, "not decided by engine boolean", {0}};

void boolean_refine (engine_run *r) {
  refinement_loop z = {.run = r, .properties = r->task->semantics.properties & BOOLEAN_PROPERTIES};
  cutoff out = {.budget = r->budget};
  if (!cutoff_run (&out, refinement_loop_init, &z)) z.why_not = reason_of_budget (r->verdict->arena, r->budget);
  if (z.why_not) {
    engine_give_up (r, z.why_not);
    return;
  }
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    z.outcomes[p] = (loop_result){.answer = IS_UNKNOWN, .why = z.properties >> p & 1 ? NULL : &not_decided};
  bool finished = cutoff_run (&out, decide_all_goals, &z);
  if (!finished) drop_unchecked_proofs (&z);
  conclude_loop (&z);
  if (finished) loop_release (&z);
}

// ---- one abstraction --------------------------------------------------------------------------------
static void refine_so_often (refinement_loop *z, uint64_t rounds) {
  for (uint64_t k = 0; k < rounds && z->asked.count && !budget_spent (&z->time); k++) {
    path_check check;
    look_for_path (z);
    if (!z->found) return;
    path_answer p = path_decide (&check, &z->abstraction, &z->path);
    const reason *why = NULL;
    bool more = p == PATH_IS_NOT && refine_abstraction (z, check.length, &why);
    path_check_release (&check);
    if (!more) return;
  }
}

// Prints the omissions: a proof about the Boolean program says nothing about executions in which one of these occurs.
static void print_losses (refinement_loop *z, strbuf *out) {
  strmap told = {0};
  ask_losses (z, true);
  for (uint32_t k = 0; k < z->asked.count; k++) {
    const char *what = loss_of (z, &z->asked.data[k])->what;
    bool is_new;
    strmap_insert (&told, what, 0, &is_new);
    if (is_new) strbuf_printf (out, "// not in it, if it can happen: %s\n", what);
  }
  strmap_release (&told);
}

static void print_abstraction (refinement_loop *z, strbuf *out) {
  bp_program *p = abstraction_program (&z->abstraction);
  if (!p) return;
  strbuf_printf (out, "// %u predicates, %s, after %llu refinements\n", z->abstraction.predicates.all.count,
                 z->abstraction.options.kind == ABSTRACT_EXACT ? "exact" : "cartesian",
                 (unsigned long long) z->refinements);
  print_losses (z, out);
  bp_print (p, out);
  bp_program_free (p);
}

const reason *boolean_abstract (engine_run *r, strbuf *out) {
  refinement_loop z;
  uint32_t properties = r->task->semantics.properties & BOOLEAN_PROPERTIES;
  const reason *why = loop_init (&z, r, properties);
  if (why) return why;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (properties >> p & 1) ask_goals (&z, (ir_property) p);
  abstraction_ask (&z.abstraction, z.asked.data, z.asked.count);
  abstraction_seed (&z.abstraction);
  refine_so_often (&z, boolean_options_of (r->task)->rounds);
  print_abstraction (&z, out);
  if (!out->count) why = reason_of_budget (r->verdict->arena, &z.time);
  loop_release (&z);
  return why;
}
