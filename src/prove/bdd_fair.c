// Is there a cycle on which every condition holds?  After the hull of Emerson and Lei, "Efficient model checking in fragments of the propositional mu-calculus" (1986): from the states that can be
// reached those are taken away, condition by condition, that cannot go on to a step on which it holds; and as well those that cannot be reached from such a step (as Somenzi, Ravi and Bloem,
// "Analysis of symbolic SCC hull algorithms", 2002, allow in any order).  What is left when nothing more goes has such a cycle, or is empty.
//
// What went is the proof.  States that cannot go on to such a step inside the hull lead only to each other and to what went that way before: they are put on top of those (low).  States that are not reached
// from such a step are entered only from each other and from what went that way before, so they are put below those, above all the rest (high).  In this order of blocks, no step leads up, and none
// on which the condition of the block holds stays in it.  So every path comes to stay in some block, and its condition does not hold any more.
//
// Conditions may depend on inputs, so they are kept as sets of steps, not of states.
#include "base/diag.h"
#include "netlist/simulate.h"
#include "prove/bdd_impl.h"
#include "prove/live.h"

enum { NOT_FOUND = -1 };  // no diagram

// ---- sets ------------------------------------------------------------------------------------------------------------------

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

// ---- the hull --------------------------------------------------------------------------------------------------------------

static void find_steps (dd_fair *f) {
  dd_search *s = &f->s;
  dd_make_pairs (s);
  f->steps = dd_pairs (s, s->reached);
  for (uint32_t k = 0; k < s->goals.count; k++) vec_push (&f->goal_steps, NOT_FOUND);
  prove_say (s->o, "%d nodes for all steps", bdd_nodecount (f->steps));
}

// Inside the hull, when it is asked for first.
static BDD steps_of_goal (dd_fair *f, uint32_t goal) {
  BDD *steps = &f->goal_steps.data[goal];
  if (*steps == NOT_FOUND) {
    BDD some = bdd_addref (bdd_and (f->hull, f->s.goals_now.data[goal]));
    *steps = dd_pairs (&f->s, some);
    bdd_delref (some);
  }
  return *steps;
}

// True: there were states to take.
static bool take_away (dd_fair *f, dd_direction d, uint32_t goal) {
  BDD ends = dd_ends (f, d, steps_of_goal (f, goal), f->hull), kept = dd_closure (f, d, ends, f->hull);
  bool any = kept != f->hull;
  if (any) {
    dd_block block = {bdd_addref (bdd_apply (f->hull, kept, bddop_diff)), f->numbers.data[goal]};
    if (d == DD_FORWARD) vec_push (&f->high, block);
    else vec_push (&f->low, block);
    dd_set (&f->hull, kept);
    prove_say (f->s.o, "%u blocks taken away, %d nodes for what is left", f->low.count + f->high.count,
               bdd_nodecount (f->hull));
  }
  bdd_delref (ends);
  bdd_delref (kept);
  return any;
}

// Until all goals, one after the other, leave the hull as it is.
static void find_hull (dd_fair *f) {
  uint32_t goals = f->s.goals.count, unchanged = 0;
  dd_set (&f->hull, f->s.reached);
  for (uint32_t goal = goals - 1; f->hull != bddfalse && unchanged < goals; goal = (goal ? goal : goals) - 1) {
    bool forward = take_away (f, DD_FORWARD, goal), backward = take_away (f, DD_BACKWARD, goal);
    unchanged = forward || backward ? 0 : unchanged + 1;
  }
}

// ---- answers ---------------------------------------------------------------------------------------------------------------

static void add_block (dd_fair *f, const dd_block *b, map *done) {
  prove_certificate *c = &f->s.r->certificate;
  prove_block block = {dd_translate (&f->s, b->states, &c->graph, done), b->condition};
  vec_push (&c->blocks, block);
}

static void conclude_holds (dd_fair *f) {
  prove_certificate *c = &f->s.r->certificate;
  map done = {0};
  dd_start_graph (&f->s, &c->graph);
  for (uint32_t k = 0; k < f->low.count; k++) add_block (f, &f->low.data[k], &done);
  for (uint32_t k = f->high.count; k-- > 0;) add_block (f, &f->high.data[k], &done);
  f->s.r->answer = PROVE_HOLDS;
  map_release (&done);
}

static void conclude_violated (dd_fair *f) {
  dd_find_lasso (f);
  f->s.r->answer = PROVE_VIOLATED;
}

static void search (void *state) {
  dd_fair *f = state;
  dd_start (&f->s);
  do {
    dd_stop_if_spent ();
    dd_note_size (&f->s);
  } while (dd_add_ring (&f->s));
  find_steps (f);
  find_hull (f);
  if (f->hull == bddfalse) conclude_holds (f);
  else conclude_violated (f);
}

// ---- whole -----------------------------------------------------------------------------------------------------------------

static void add_goal (dd_fair *f, aig_lit x, uint32_t number) {
  for (uint32_t k = 0; k < f->s.goals.count; k++)
    if (f->s.goals.data[k].i == x.i) return;
  vec_push (&f->s.goals, x);
  vec_push (&f->numbers, number);
}

// Without any condition, to go on is one.
static void add_goals (dd_fair *f, uint32_t justice) {
  uint32_t count = live_num_conditions (f->s.n, justice);
  for (uint32_t k = 0; k < count; k++) {
    aig_lit x = live_condition (f->s.n, justice, k);
    if (x.i != AIG_TRUE.i) add_goal (f, x, k);
  }
  if (!f->s.goals.count) add_goal (f, AIG_TRUE, count);
}

void prove_live_by_bdd (const netlist *n, uint32_t justice, const prove_options *o, prove_result *r) {
  dd_fair f = {.s = {.n = n, .o = o, .r = r}};
  *r = (prove_result){.path.loop = NET_NO_LOOP};
  add_goals (&f, justice);
  dd_find_order (&f.s, true);
  dd_search_by (&f.s, search, &f);
  CHECK (r->answer != PROVE_VIOLATED || net_path_shows_justice (n, justice, &r->path),
         "a lasso inside the hull should be one of the circuit");
  vec_release (&f.numbers);
  vec_release (&f.goal_steps);
  vec_release (&f.low);
  vec_release (&f.high);
  vec_release (&f.unseen);
  vec_release (&f.distance);
}
