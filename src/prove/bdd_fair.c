// Is there a cycle on which every condition is true? After the hull of Emerson and Lei, "Efficient model checking in
// fragments of the propositional mu-calculus" (1986): from the reachable states the algorithm removes, condition by
// condition, those that cannot reach a step on which the condition is true; and also those that cannot be reached from
// such a step (as Somenzi, Ravi and Bloem, "Analysis of symbolic SCC hull algorithms", 2002, allow in any order). When
// no more states can be removed, the hull contains such a cycle or is empty.
//
// The removed states are the proof. States that cannot reach such a step inside the hull lead only to each other and to
// states that were removed in the same way before: they are put on top of these (low). States that are not reached from
// such a step are entered only from each other and from states that were removed in the same way before, so they are
// put below these and above all others (high). In this order of blocks, no step leads up, and no step on which the
// condition of the block is true stays in the block. So every path ends in some block for ever, and from some step on
// its condition is not true any more.
//
// Conditions may depend on inputs, so they are kept as sets of steps, not of states.
#include "base/diag.h"
#include "netlist/netlist_simulate.h"
#include "prove/bdd_impl.h"
#include "prove/prove_live.h"

enum { NOT_FOUND = -1 };  // not a diagram

// ---- sets -------------------------------------------------------------------------------------------

BDD dd_into (const dd_fair *f, BDD states) { return bdd_addref (bdd_replace (states, f->s.to_next)); }

BDD dd_ends (const dd_fair *f, dd_direction d, BDD steps, BDD states) {
  const dd_search *s = &f->s;
  BDD ends = bddfalse;
  dd_stop_if_spent ();
  if (d == DD_FORWARD) {
    dd_set (&ends, bdd_relprod (steps, states, s->now));
    dd_set (&ends, bdd_replace (ends, s->to_now));
  } else {
    BDD into = dd_into (f, states);
    dd_set (&ends, bdd_relprod (steps, into, s->next));
    bdd_delref (into);
  }
  return ends;
}

BDD dd_closure (const dd_fair *f, dd_direction d, BDD from, BDD inside) {
  BDD all = bddfalse, fresh = bddfalse;
  dd_set (&fresh, bdd_and (from, inside));
  dd_set (&all, fresh);
  while (fresh != bddfalse) {
    BDD more = dd_ends (f, d, f->steps, fresh);
    dd_set (&more, bdd_and (more, inside));
    dd_set (&fresh, bdd_apply (more, all, bddop_diff));
    dd_set (&all, bdd_or (all, fresh));
    bdd_delref (more);
  }
  bdd_delref (fresh);
  return all;
}

// ---- the hull ---------------------------------------------------------------------------------------

static void find_reachable_steps (dd_fair *f) {
  dd_search *s = &f->s;
  dd_make_pairs (s);
  f->steps = dd_pairs (s, s->reached);
  for (uint32_t k = 0; k < s->goals.count; k++) vec_push (&f->goal_steps, NOT_FOUND);
  prove_say (s->o, "%d nodes for all steps", bdd_nodecount (f->steps));
}

// Computes the steps inside the hull on which the condition is true, when they are first needed.
static BDD steps_of_goal (dd_fair *f, uint32_t goal) {
  BDD *steps = &f->goal_steps.data[goal];
  if (*steps == NOT_FOUND) {
    BDD some = bdd_addref (bdd_and (f->hull, f->s.goals_now.data[goal]));
    *steps = dd_pairs (&f->s, some);
    bdd_delref (some);
  }
  return *steps;
}

// Removes from the hull the states that cannot reach (or cannot be reached from) a step of this goal. Returns true if
// there were such states.
static bool remove_from_hull (dd_fair *f, dd_direction d, uint32_t goal) {
  BDD ends = dd_ends (f, d, steps_of_goal (f, goal), f->hull), kept = dd_closure (f, d, ends, f->hull);
  bool any = kept != f->hull;
  if (any) {
    dd_block block = {bdd_addref (bdd_apply (f->hull, kept, bddop_diff)), f->numbers.data[goal]};
    if (d == DD_FORWARD) vec_push (&f->high, block);
    else vec_push (&f->low, block);
    dd_set (&f->hull, kept);
    prove_say (f->s.o, "%u blocks removed, %d nodes for the remaining states", f->low.count + f->high.count,
               bdd_nodecount (f->hull));
  }
  bdd_delref (ends);
  bdd_delref (kept);
  return any;
}

// Goes through all goals until none of them changes the hull.
static void find_hull (dd_fair *f) {
  uint32_t goals = f->s.goals.count, unchanged = 0;
  dd_set (&f->hull, f->s.reached);
  for (uint32_t goal = goals - 1; f->hull != bddfalse && unchanged < goals; goal = (goal ? goal : goals) - 1) {
    bool forward = remove_from_hull (f, DD_FORWARD, goal), backward = remove_from_hull (f, DD_BACKWARD, goal);
    unchanged = forward || backward ? 0 : unchanged + 1;
  }
}

// ---- answers ----------------------------------------------------------------------------------------

static void add_descent_block (dd_fair *f, const dd_block *b, map *done) {
  prove_certificate *c = &f->s.r->certificate;
  prove_block block = {dd_translate (&f->s, b->states, &c->graph, done), b->condition};
  vec_push (&c->blocks, block);
}

static void conclude_no_cycle (dd_fair *f) {
  prove_certificate *c = &f->s.r->certificate;
  map done = {0};
  dd_start_graph (&f->s, &c->graph);
  for (uint32_t k = 0; k < f->low.count; k++) add_descent_block (f, &f->low.data[k], &done);
  for (uint32_t k = f->high.count; k-- > 0;) add_descent_block (f, &f->high.data[k], &done);
  f->s.r->answer = PROVE_HOLDS;
  map_release (&done);
}

static void conclude_cycle (dd_fair *f) {
  dd_find_lasso (f);
  f->s.r->answer = PROVE_VIOLATED;
}

static void search_cycle (void *state) {
  dd_fair *f = state;
  dd_start (&f->s);
  do {
    dd_stop_if_spent ();
    dd_note_size (&f->s);
  } while (dd_add_frontier (&f->s));
  find_reachable_steps (f);
  find_hull (f);
  if (f->hull == bddfalse) conclude_no_cycle (f);
  else conclude_cycle (f);
}

// ---- the back end -----------------------------------------------------------------------------------

static void add_fair_condition (dd_fair *f, aig_lit x, uint32_t number) {
  for (uint32_t k = 0; k < f->s.goals.count; k++)
    if (f->s.goals.data[k].i == x.i) return;
  vec_push (&f->s.goals, x);
  vec_push (&f->numbers, number);
}

// Without any condition the only one is that the path goes on.
static void add_fair_conditions (dd_fair *f, uint32_t justice) {
  uint32_t count = live_num_conditions (f->s.n, justice);
  for (uint32_t k = 0; k < count; k++) {
    aig_lit x = live_condition (f->s.n, justice, k);
    if (x.i != AIG_TRUE.i) add_fair_condition (f, x, k);
  }
  if (!f->s.goals.count) add_fair_condition (f, AIG_TRUE, count);
}

void prove_live_by_bdd (const netlist *n, uint32_t justice, const prove_options *o, prove_result *r) {
  dd_fair f = {.s = {.n = n, .o = o, .r = r}};
  *r = (prove_result){.path.loop = NET_NO_LOOP};
  add_fair_conditions (&f, justice);
  dd_find_order (&f.s, true);
  dd_search_by (&f.s, search_cycle, &f);
  CHECK (r->answer != PROVE_VIOLATED || net_path_shows_justice (n, justice, &r->path),
         "a lasso inside the hull should be one of the circuit");
  vec_release (&f.numbers);
  vec_release (&f.goal_steps);
  vec_release (&f.low);
  vec_release (&f.high);
  vec_release (&f.unseen);
  vec_release (&f.distance);
}
