// Decides a justice property by decision diagrams of the circuit itself, and by the back ends for bad states: bounded
// model checking of the circuit by safety finds the shortest lasso, IC3 proves properties of either circuit.
//
// Which method goes first depends on the circuit: decision diagrams are quickest on small ones (mutual exclusion with
// --fair, 60 to 80 latches: under a second; counting and safety need more than 20), counting where few states matter
// after the conditions were true a few times, safety where a state determines how much progress was made. IC3 cannot be
// stopped and resumed, so each method gets twice the time of its last turn, and at most half of the whole time is
// wasted.
#include "prove/prove_live.h"

#include "base/limits.h"
#include "prove/prove_impl.h"

enum { FIRST_DEPTH = 12 };
enum { FEW_LATCHES = 150 /* decision diagrams have a long turn first */ };
static const double FIRST_LOOK = 1, SHORT_LOOK = 0.3, FIRST_TURN = 4;  // seconds
static const double DIAGRAMS_TURN = 10, DIAGRAMS_SHARE = 0.4;  // seconds, but at most this share of the remaining time
static const double LENGTH_SHARE = 0.25;  // of a turn, for paths that end: if they do, a short time suffices

// ---- one method -------------------------------------------------------------------------------------

static void make_lasso (const netlist *n, const netlist *safety, prove_result *r) {
  net_path path = r->path;
  live_lasso (n, safety, &path, &r->path);
  r->depth = r->path.length;
  net_path_release (&path);
}

// A path of k steps in the circuit by safety is a lasso of k - 1.
static void prove_safety (const netlist *n, const netlist *safety, live_prover *prove, const prove_options *o,
                          prove_result *r) {
  prove_options inside = *o;
  if (o->max_depth) inside.max_depth = o->max_depth + 1;
  prove (safety, 0, &inside, r);
  if (r->answer == PROVE_VIOLATED) make_lasso (n, safety, r);
  if (r->answer != PROVE_BOUNDED) return;
  r->depth--;
  if (!r->depth) r->answer = PROVE_UNKNOWN;
}

static void prove_counting (const netlist *counting, const prove_options *o, prove_result *r, uint32_t *count) {
  uint32_t last;
  prove_options inside = *o;
  inside.max_depth = 0;  // the depth that IC3 reaches says nothing about lassos
  prove_chain_by_ic3 (counting, 0, counting->bads.count, &inside, r, &last);
  *count = last + 1;
  if (r->answer == PROVE_HOLDS) return;
  net_path_release (&r->path);
  if (r->answer == PROVE_VIOLATED && limit_met (LIVE_COUNTED))
    r->why = "the conditions hold more often than was counted";
  r->answer = PROVE_UNKNOWN;
  r->depth = 0;
}

void prove_live_by_safety (const netlist *n, uint32_t justice, live_prover *prove, const prove_options *o,
                           prove_result *r) {
  netlist safety;
  live_by_safety (n, justice, &safety);
  prove_safety (n, &safety, prove, o, r);
  netlist_release (&safety);
}

void prove_live_by_counting (const netlist *n, uint32_t justice, uint32_t most, const prove_options *o, prove_result *r,
                             uint32_t *count) {
  netlist counting;
  live_by_counting (n, justice, most, &counting);
  prove_counting (&counting, o, r, count);
  netlist_release (&counting);
}

void prove_live_by (const netlist *n, uint32_t justice, live_prover *prove, const prove_options *o, prove_result *r,
                    live_proof *how) {
  bool diagrams = prove == prove_by_bdd;
  *how = (live_proof){.method = diagrams ? LIVE_BY_DESCENT : LIVE_BY_SAFETY};
  if (diagrams) prove_live_by_bdd (n, justice, o, r);
  else prove_live_by_safety (n, justice, prove, o, r);
}

bool live_proof_is_good (const netlist *n, uint32_t justice, live_proof how, const prove_certificate *c,
                         const budget *b) {
  netlist circuit;
  if (how.method == LIVE_BY_LENGTH) return live_paths_end (n, how.count, b);
  if (how.method == LIVE_BY_DESCENT) return live_descends (n, justice, c, b);
  if (how.method == LIVE_BY_SAFETY) live_by_safety (n, justice, &circuit);
  if (how.method == LIVE_BY_COUNTING) live_by_counting (n, justice, how.count, &circuit);
  bool good = certificate_is_good (&circuit, circuit.bads.count - 1, c, b);
  netlist_release (&circuit);
  return good;
}

// ---- all methods in turns ---------------------------------------------------------------------------

typedef struct live_turns {
  const netlist *net;
  uint32_t justice;
  netlist safety, counting;
  const prove_options *options;
  prove_result *result;  // with the effort of all methods so far
  live_proof *how;
  bool in_time;  // some turn was ended by its time limit
} live_turns;

typedef enum proof_method { TRY_LASSOS, TRY_LENGTH, TRY_DIAGRAMS, TRY_COUNTING, TRY_SAFETY, NUM_METHODS } proof_method;

static bool is_definite (const prove_result *r) { return r->answer == PROVE_HOLDS || r->answer == PROVE_VIOLATED; }

// Adds the effort of the turn; its answer counts if it is definite, else the longest bound.
static void take_result (live_turns *t, prove_result *r) {
  prove_result *all = t->result;
  r->sat_calls += all->sat_calls;
  r->clauses += all->clauses;
  r->obligations += all->obligations;
  t->in_time &= r->why != prove_out_of_budget;
  bool is_better = r->answer == PROVE_BOUNDED && r->depth > all->depth;
  if (!is_definite (r) && !is_better) r->answer = all->answer, r->depth = all->depth;
  *all = *r;
}

// Returns true if the property is decided.
static bool take_method_turn (live_turns *t, proof_method w, double seconds, uint32_t depth) {
  static const live_method methods[NUM_METHODS] = {
      [TRY_LENGTH] = LIVE_BY_LENGTH, [TRY_DIAGRAMS] = LIVE_BY_DESCENT, [TRY_COUNTING] = LIVE_BY_COUNTING};
  budget time;
  budget_part (&time, t->options->budget, w == TRY_LENGTH ? seconds * LENGTH_SHARE : seconds);
  prove_options o = *t->options;
  prove_result r;
  o.budget = &time;
  o.max_depth = depth;
  *t->how = (live_proof){.method = methods[w]};
  if (w == TRY_LENGTH) prove_live_by_length (t->net, &o, &r, &t->how->count);
  else if (w == TRY_DIAGRAMS) prove_live_by_bdd (t->net, t->justice, &o, &r);
  else if (w == TRY_COUNTING) prove_counting (&t->counting, &o, &r, &t->how->count);
  else prove_safety (t->net, &t->safety, w == TRY_LASSOS ? prove_by_bmc : prove_by_ic3, &o, &r);
  take_result (t, &r);
  return is_definite (&r);
}

// Returns how many seconds decision diagrams are tried before the other methods.
static double diagrams_turn (const live_turns *t) {
  double share = DIAGRAMS_SHARE * budget_left (t->options->budget);
  if (t->net->latches.count > FEW_LATCHES) return 0;
  return share < DIAGRAMS_TURN ? share : DIAGRAMS_TURN;
}

static void prove_in_turns (live_turns *t) {
  static const proof_method order[NUM_METHODS] = {TRY_LENGTH, TRY_DIAGRAMS, TRY_COUNTING, TRY_SAFETY, TRY_LASSOS};
  uint32_t most = t->options->max_depth;
  double diagrams = diagrams_turn (t);
  if (take_method_turn (t, TRY_LASSOS, diagrams ? SHORT_LOOK : FIRST_LOOK,
                        most && most < FIRST_DEPTH ? most : FIRST_DEPTH))
    return;
  if (diagrams && take_method_turn (t, TRY_DIAGRAMS, diagrams, most)) return;
  for (double seconds = FIRST_TURN; !budget_spent (t->options->budget); seconds *= 2) {
    t->in_time = true;
    for (uint32_t k = 0; k < NUM_METHODS && !budget_spent (t->options->budget); k++) {
      if (order[k] == TRY_DIAGRAMS && seconds <= diagrams) continue;  // it had as much time before
      if (take_method_turn (t, order[k], seconds, order[k] == TRY_LENGTH ? LIMIT_LIVE_PATH_LENGTH : most)) return;
    }
    if (t->in_time) return;  // more time would not help
  }
  t->result->why = prove_out_of_budget;
}

void prove_live (const netlist *n, uint32_t justice, const prove_options *options, prove_result *result,
                 live_proof *how) {
  live_turns t = {.net = n, .justice = justice, .options = options, .result = result, .how = how};
  *result = (prove_result){0};
  live_by_safety (n, justice, &t.safety);
  live_by_counting (n, justice, LIMIT_LIVE_COUNTED, &t.counting);
  prove_in_turns (&t);
  netlist_release (&t.safety);
  netlist_release (&t.counting);
}
