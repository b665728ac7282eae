// The engine `circuit` (paper CIRC): the program as a sequential circuit, put to bounded model checking for bugs and to IC3 for proofs.  A proof needs no bound:
// it is an inductive invariant, which is checked by another query before it is believed.
#include <string.h>

#include "base/cutoff.h"
#include "base/diag.h"
#include "engine/circuit/backend.h"
#include "engine/circuit/busy.h"
#include "engine/circuit/circuit_options.h"
#include "engine/circuit/groups.h"
#include "engine/circuit/many.h"
#include "engine/circuit/proof.h"
#include "engine/circuit/stubborn.h"
#include "engine/circuit/temporal.h"
#include "engine/circuit/trace.h"
#include "engine/machine.h"
#include "ir/reason.h"
#include "netlist/reduce.h"
#include "netlist/simulate.h"
#include "prove/prove.h"

enum { GOALS, LOSSES };                                  // bad states of the circuit
enum { EQUAL_CONFLICTS = 200, EQUAL_ANDS = 200000 };     // for latches that are equal
static const double MANY_SHARE = 0.6;                    // of proofs for any number of threads
static const double LOOK_SHARE = 0.1, LOOK_SECONDS = 2;  // of a look for bugs before these
static const double GOALS_SHARE = 0.9;                   // if it has to be shown as well that nothing is left out
static const double ALONE_SHARE = 0.7;   // of a property by itself; then bugs of all are looked for together
static const double NEVER_SHARE = 0.1;   // of seeing whether a property is decided by the reduction
static const double LOSSES_SHARE = 0.5;  // of the time that is left, while properties are open
#define FOR_EVER 1e9

// What has become of a property.
typedef struct outcome {
  prove_answer answer;
  uint32_t depth;       // up to which it was looked for, in vain
  uint32_t trivial;     // depths up to which threads have hardly met
  bool weighed;         // it is known whether executions are left out of a proof: `cut` and `limit` say so
  const reason *cut;    // nothing is proved, because
  const char *limit;    // executions that go beyond it were left out
  bool for_many;        // proved for any number of threads, with nothing left out
  completion evidence;  // that nothing the proof rests on was cut short
} outcome;

typedef struct checking {
  engine_run *run;
  transition_system system;
  system_reduction reduction;  // interleavings that are left out
  bool proves_without;         // ... but not where something is to be proved
  stubborn_sets sets;          // of the last circuit: their sizes
  lowered circuit;
  VEC (bool) asked;  // by goal of the system
  const budget *
      time;  // for the running question, which may end without an answer; what all questions share is built on run->budget
  bool looks_only;       // for bugs
  bool never_only;       // a question is answered only if the reduced circuit has no bad state any more
  VEC (uint64_t) found;  // sources of goals that are bugs
  outcome outcomes[IR_NUM_PROPERTIES];
  uint32_t bugs;
  uint32_t asked_now;  // properties that the running question is about, bit set
  uint32_t open;       // properties for which more can be tried, bit set
  uint32_t left;       // how many of them have not had their turn in this round
  outcome lost;        // what is left out of proofs by this circuit, if `lost_known`
  bool lost_known;
  uint64_t steps, latches, ands, clauses, obligations;
  uint32_t reached;  // steps of the longest path, or that were excluded
  const reason *doubt;
  const reason *why;    // a back end does not know
  const char *proving;  // the property, or the losses; NULL: only a part of them
  strbuf certificate;
  uint32_t unnamed;  // properties of the circuit, before its first proof
} checking;

static void say (void *user, const char *text) {
  engine_run *r = user;
  if (r->progress) r->progress (r->progress_state, text);
}

static bool is_in (uint32_t set, uint32_t p) { return set >> p & 1; }

// ---- one bad state ---------------------------------------------------------------------------------------------------------------
static const reason wrong_invariant = {REASON_INTERNAL,
                                       "internal error: an invariant of engine circuit does not hold",
                                       {0}},
                    unchecked_invariant = {
                        REASON_ENGINE, "an invariant was found, but there was no time or memory to check it", {0}};

static void believe (checking *z, const net_reduction *r, prove_result *p) {
  budget check;
  budget_part (&check, z->run->budget, 0);
  if (p->answer != PROVE_HOLDS || certificate_is_good (&r->circuit, 0, &p->certificate, &check)) return;
  p->answer = PROVE_UNKNOWN;
  if (budget_completion (&check).is_complete) z->doubt = &wrong_invariant;
  else if (!z->why) z->why = &unchecked_invariant;
}

// What was proved, for people and for those who do not believe it.
static void explain_proof (checking *z, const net_reduction *r, const prove_certificate *found) {
  strbuf text = {0};
  proof_explain (&z->system, &z->circuit, r, z->run->program, found, &text);
  for (char *line = text.data, *end; line && *line; line = end + 1) {
    end = strchr (line, '\n');
    *end = 0;
    verdict_add_note (z->run->verdict, "invariant for %s: %s", z->proving, line);
  }
  strbuf_release (&text);
}

static void keep_proof (checking *z, const net_reduction *r, uint32_t bad, const prove_certificate *found) {
  prove_certificate whole;
  if (!z->proving || (z->reduction && !z->proves_without)) return;  // it holds only where interleavings are left out
  explain_proof (z, r, found);
  if (!z->run->task->certificate) return;
  proof_make_whole (r, &z->circuit.circuit, found, &whole);
  if (certificate_is_good (&z->circuit.circuit, bad, &whole, z->run->budget)) {
    if (z->unnamed) proof_print_circuit (z->unnamed, &z->certificate);
    z->unnamed = 0;
    proof_print (&z->system, &z->circuit, z->proving, &whole, &z->certificate);
  }
  proof_release (&whole);
}

// Of what the machine has only so many, where a search to some depth may need more: whether it does is not asked, so a bound has to say it.  NULL: of nothing.
static const char *what_is_limited (const checking *z) {
  strbuf all = {0};
  for (uint32_t k = 0; k < z->system.losses.count; k++) {
    const system_loss *l = &z->system.losses.data[k];
    bool is_new = l->is_cut && !term_is_false (&z->system.m->terms, l->holds);
    for (uint32_t i = 0; i < k && is_new; i++) is_new = strcmp (z->system.losses.data[i].what, l->what) != 0;
    if (is_new) strbuf_printf (&all, "%s%s", all.count ? ", " : "", l->what);
  }
  const char *text = all.count ? arena_strdup (z->run->verdict->arena, strbuf_text (&all)) : NULL;
  strbuf_release (&all);
  return text;
}

// At once, so that it is known when the engine is left in the middle of its work.
static void note_depth (checking *z, uint32_t depth) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    outcome *o = &z->outcomes[p];
    if (!is_in (z->asked_now, p) || depth <= o->depth) continue;
    if (!o->depth) o->limit = what_is_limited (z);
    o->depth = depth;
    o->trivial = z->system.m->threads.count;
  }
}

// The path is one of the whole circuit.
static prove_answer settle (checking *z, const net_reduction *r, uint32_t bad, backend *prove, const budget *b,
                            net_path *path) {
  prove_options o = {.budget = b, .jobs = (uint32_t) z->run->task->jobs, .say = say, .say_state = z->run};
  prove_result p;
  prove (&r->circuit, 0, &o, &p);
  believe (z, r, &p);
  if (p.answer == PROVE_HOLDS) keep_proof (z, r, bad, &p.certificate);
  z->clauses += p.clauses;
  z->obligations += p.obligations;
  if (p.depth > z->reached) z->reached = p.depth;
  if (p.answer == PROVE_UNKNOWN && p.why && !budget_spent (b))
    z->why = reason_new (z->run->verdict->arena, REASON_ENGINE, p.why);
  if (p.answer == PROVE_BOUNDED) note_depth (z, p.depth);
  if (p.answer == PROVE_VIOLATED) {
    bool good =
        net_reduction_lift (r, &z->circuit.circuit, &p.path, path) && net_path_shows (&z->circuit.circuit, bad, path);
    CHECK (good, "a path of a reduced circuit should be one of the circuit");
  }
  prove_answer answer = p.answer;
  prove_result_release (&p);
  return answer;
}

static bool is_never (const net_reduction *r) { return r->circuit.bads.data[0].holds.i == AIG_FALSE.i; }

// The constraint of a reduction is the last one.
static void make_smaller (checking *z, uint32_t bad, bool leaves_out, net_reduction *r) {
  net_reduce_options o = {.budget = z->time, .conflicts = EQUAL_CONFLICTS, .max_ands = EQUAL_ANDS};
  z->circuit.circuit.constraints.count = z->system.constraints.count - !leaves_out;
  net_reduce (r, &z->circuit.circuit, &(net_goals){.bads = &bad, .num_bads = 1}, &o);
}

// Most questions are easy for one of the back ends: each has a short turn before there are long ones.  The last has all the time that is left.
typedef struct turn {
  backend *prove;
  double share, seconds;  // of the time that is left, and at most
  uint32_t most_latches;
} turn;

static const turn turns[] = {{prove_by_bmc, 0.02, 0.2, UINT32_MAX},
                             {prove_by_ic3, 0.1, 1, UINT32_MAX},
                             {prove_by_bmc, 0.1, 2, UINT32_MAX},
                             {prove_by_bdd, 0.1, 3, 100},
                             {prove_by_ic3, 1, FOR_EVER, UINT32_MAX}};
enum { NUM_TURNS = sizeof turns / sizeof *turns };

// A share of what a budget has left, and at most so many seconds.
static void take_share (budget *part, const budget *all, double share, double most) {
  double seconds = share * budget_left (all);
  budget_part (part, all, seconds > most ? most : seconds > 0 ? seconds : 0.001);
}

// Bugs are looked for where interleavings may be left out, proofs where they may not.
static prove_answer take_turns (checking *z, net_reduction *for_bugs, uint32_t bad, net_path *path) {
  prove_answer answer = PROVE_UNKNOWN;
  net_reduction without, *for_proofs = z->proves_without ? &without : for_bugs;
  if (z->proves_without) make_smaller (z, bad, false, &without);
  for (const turn *t = turns; t < turns + NUM_TURNS && answer != PROVE_VIOLATED && answer != PROVE_HOLDS; t++) {
    const net_reduction *r = t->prove == prove_by_bmc ? for_bugs : for_proofs;
    if (r->after.latches > t->most_latches || (t->prove == prove_by_bmc && is_never (r))) continue;
    budget time;
    take_share (&time, z->time, t->share, t->seconds);
    answer = settle (z, r, bad, t->prove, &time, path);
  }
  if (z->proves_without) net_reduction_release (&without);
  return answer;
}

static prove_answer decide (checking *z, uint32_t bad, net_path *path) {
  net_reduction r;
  backend *chosen = z->looks_only ? prove_by_bmc : backend_for (z->run->task);
  make_smaller (z, bad, !z->proves_without || !chosen || chosen == prove_by_bmc, &r);
  if (r.after.ands > z->ands) z->latches = r.after.latches, z->ands = r.after.ands;
  diag_verbose (1, "circuit", "%u latches and %u gates, of %u and %u", r.after.latches, r.after.ands, r.before.latches,
                r.before.ands);
  prove_answer answer = !chosen         ? take_turns (z, &r, bad, path)
                        : is_never (&r) ? settle (z, &r, bad, prove_by_ic3, z->time, path)
                        : z->never_only ? PROVE_UNKNOWN
                                        : settle (z, &r, bad, chosen, z->time, path);
  net_reduction_release (&r);
  return answer;
}

static bool is_enough (const checking *z) { return engine_has_enough (z->run, z->bugs); }

// ---- goals -----------------------------------------------------------------------------------------------------------------------
// What goes wrong where in the program, whoever does it; 0: it is about more than one place.
static uint64_t source_of (const checking *z, uint32_t goal) {
  const system_goal *g = &z->system.goals.data[goal];
  if (g->property == IR_P_RACE || g->property == IR_P_DEADLOCK) return 0;
  return (uint64_t) (z->system.m->points.data[g->point].goals.data[g->number].edge.i + 1) << 8 | g->property;
}

// Was it found to go wrong, in this thread or in another?
static bool is_found (const checking *z, uint32_t goal) {
  uint64_t source = source_of (z, goal);
  for (uint32_t k = 0; k < z->found.count && source; k++)
    if (z->found.data[k] == source) return true;
  return false;
}

// False: nothing more can be found.
static bool report (checking *z, const net_path *path) {
  claim c;
  const char *why = "no reason given";
  uint32_t goal = circuit_trace (&z->system, &z->circuit, z->run->program, path, z->asked.data, &c);
  if (goal == IR_NONE) {
    z->doubt = reason_internal (z->run->verdict->arena, "a path of engine circuit leads to no goal");
    return false;
  }
  z->asked.data[goal] = false;
  z->proving = NULL;
  reported r = engine_report_if_true (z->run, &c, &why);
  z->bugs += r == REPORTED_NEW;
  if (r == REPORTED_NEW) vec_push (&z->found, source_of (z, goal));
  for (uint32_t k = 0; k < z->system.goals.count; k++) z->asked.data[k] &= !is_found (z, k);
  arena *a = z->run->verdict->arena;
  if (r == TOO_LARGE_TO_REPLAY) z->doubt = reason_new (a, REASON_ENGINE, why);
  if (r == DOES_NOT_REPLAY)
    z->doubt = z->circuit.is_exact
                   ? reason_internal (a, "a trace of engine circuit does not replay: %s", why)
                   : reason_printf (a, REASON_ENGINE,
                                    "floats are any value: a trace of engine circuit does not replay: %s", why);
  return !is_enough (z);
}

// Until none of these goals can be reached any more, or nobody knows.
static prove_answer settle_asked (checking *z) {
  for (;;) {
    net_path path = {0};
    lower (&z->system, z->asked.data, &z->circuit);
    prove_answer answer = decide (z, GOALS, &path);
    cutoff_hold (true);
    bool more = answer == PROVE_VIOLATED && report (z, &path);
    cutoff_hold (false);
    if (answer == PROVE_VIOLATED) net_path_release (&path);
    lowered_release (&z->circuit);
    if (!more) return answer;
  }
}

// ---- properties --------------------------------------------------------------------------------------------------------------------
static uint32_t ask (checking *z, uint32_t properties) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < z->system.goals.count; k++)
    count += z->asked.data[k] = is_in (properties, z->system.goals.data[k].property) && !is_found (z, k);
  return count;
}

static prove_answer answer_for (checking *z, uint32_t properties, const budget *time) {
  z->time = time;
  z->asked_now = properties;
  return ask (z, properties) ? settle_asked (z) : PROVE_HOLDS;
}

// What one thread does wrong in a step; races are about two of them that stand somewhere, deadlocks about all.
static bool wants_many (checking *z, ir_property p) {
  return p != IR_P_RACE && p != IR_P_DEADLOCK && !z->run->task->certificate && !backend_for (z->run->task) &&
         system_lacks_threads (&z->system, z->time);
}

// Bugs that a few threads show after a few steps should not wait for proofs about any number of them.
static bool finds_bug_soon (checking *z, ir_property p) {
  uint32_t before = z->bugs;
  const budget *all = z->time;
  budget part;
  take_share (&part, all, LOOK_SHARE, LOOK_SECONDS);
  z->time = &part;
  z->looks_only = true;
  answer_for (z, 1u << p, &part);
  z->looks_only = false;
  z->time = all;
  return z->bugs > before;
}

static bool settle_for_many (checking *z, circuit_group g, ir_property p) {
  many_proof m;
  budget part;
  take_share (&part, z->time, MANY_SHARE, FOR_EVER);
  prove_for_many (z->run, g.properties, p, &part, &m);
  z->clauses += m.clauses;
  z->obligations += m.obligations;
  if (m.holds) {
    z->outcomes[p] = (outcome){.answer = PROVE_HOLDS, .for_many = true, .evidence = budget_completion (z->run->budget)};
    verdict_add_note (z->run->verdict,
                      "%s: proved for any number of threads started at %s, by what any %u of them look like together",
                      ir_property_name[p], strbuf_text (&m.where), m.followed);
  }
  many_proof_release (&m);
  return m.holds;
}

// What is known of these properties once the running question has ended, and whether more can be tried.
static void keep_answer (checking *z, uint32_t properties, prove_answer answer, const budget *time) {
  bool is_final = answer == PROVE_HOLDS || budget_left (time) > 0 || z->doubt;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    outcome *o = &z->outcomes[p];
    if (!is_in (properties, p)) continue;
    o->answer = answer;
    o->evidence = budget_completion (z->run->budget);
    if (answer == PROVE_HOLDS) o->depth = 0, o->limit = NULL;
    if (is_final) z->open &= ~(1u << p);
  }
}

// A property by itself.
static void settle_property (checking *z, circuit_group g, ir_property p) {
  budget part;
  bool is_last_chance = backend_for (z->run->task) != NULL;
  take_share (&part, z->run->budget,
              (is_last_chance ? 1 : ALONE_SHARE) * (z->system.losses.count ? GOALS_SHARE : 1) / z->left, FOR_EVER);
  z->time = &part;
  z->proving = ir_property_name[p];
  z->left--;
  if (wants_many (z, p) && !finds_bug_soon (z, p) && settle_for_many (z, g, p)) {
    z->open &= ~(1u << p);
    return;
  }
  if (!is_enough (z)) keep_answer (z, 1u << p, answer_for (z, 1u << p, &part), &part);
}

// Bugs of several properties at once: one search, which gets about as deep for all of them as for one.
static void look_for_bugs (checking *z, uint32_t properties, uint32_t others) {
  uint32_t count = (uint32_t) __builtin_popcount (properties);
  budget part;
  if (!properties || is_enough (z)) return;
  take_share (&part, z->run->budget, (z->system.losses.count ? GOALS_SHARE : 1) * count / (count + others), FOR_EVER);
  z->proving = NULL;
  z->looks_only = true;
  prove_answer answer = answer_for (z, properties, &part);
  if (backend_for (z->run->task)) keep_answer (z, properties, answer, &part);  // else a proof needs all interleavings
  z->looks_only = false;
}

// Those of which the reduction leaves nothing.
static void settle_never (checking *z, uint32_t properties) {
  budget part;
  take_share (&part, z->run->budget, NEVER_SHARE, FOR_EVER);
  z->never_only = true;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES && !budget_spent (&part); p++) {
    if (!is_in (properties, p)) continue;
    z->proving = ir_property_name[p];
    if (answer_for (z, 1u << p, &part) == PROVE_HOLDS) keep_answer (z, 1u << p, PROVE_HOLDS, &part);
  }
  z->never_only = false;
}

// Each gets its part of the time, and then all together: what was settled quickly leaves its time to the others.
static void settle_open (checking *z, circuit_group g) {
  uint32_t open = g.settles & z->open;
  bool together = backend_for (z->run->task) == prove_by_bmc;
  if (together) {
    z->left -= (uint32_t) __builtin_popcount (open);
    if (open & (open - 1)) settle_never (z, open);
  }
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES && !together && !is_enough (z); p++)
    if (is_in (open, p)) settle_property (z, g, (ir_property) p);
  if (together || !backend_for (z->run->task)) look_for_bugs (z, open & z->open, z->left);
}

static const reason *reason_of_loss (const checking *z, const system_loss *l) {
  if (l->edge.i == IR_NONE) return reason_new (z->run->verdict->arena, REASON_INTERNAL, l->what);
  return reason_of_edge (z->run->verdict->arena, z->run->program, l->edge, l->edge, l->what);
}

// It was not shown that no execution comes to one of these.
static const reason *what_may_be_left_out (const checking *z) {
  const system_loss *best = NULL;
  for (uint32_t k = 0; k < z->system.losses.count; k++) {
    const system_loss *l = &z->system.losses.data[k];
    if (l->is_cut || term_is_false (&z->system.m->terms, l->holds)) continue;
    if (!best || ir_edge_at (z->run->program, l->edge)->op == IR_UNSUPPORTED) best = l;
  }
  arena *a = z->run->verdict->arena;
  if (!best) return reason_new (a, REASON_ENGINE, "it was not shown that no executions are left out");
  const reason *there = reason_of_loss (z, best);
  return reason_printf (a, there->kind, "%s; it was not shown that no execution comes there", there->text);
}

// *loss: one that is reached.
static prove_answer ask_for_losses (checking *z, system_loss *loss) {
  net_path path = {0};
  lower (&z->system, z->asked.data, &z->circuit);
  prove_answer answer = decide (z, LOSSES, &path);
  if (answer == PROVE_VIOLATED) {
    const system_loss *found = circuit_trace_loss (&z->system, &z->circuit, z->run->program, &path);
    *loss = found
                ? *found
                : (system_loss){.what = "internal error: a path of engine circuit leads to no loss", .edge = {IR_NONE}};
    net_path_release (&path);
  }
  lowered_release (&z->circuit);
  return answer;
}

static void forget_cuts (transition_system *s) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->losses.count; k++)
    if (!s->losses.data[k].is_cut) s->losses.data[kept++] = s->losses.data[k];
  s->losses.count = kept;
}

static void decide_losses (checking *z, outcome *out) {
  while (z->system.losses.count && !out->cut) {
    system_loss loss;
    out->answer = ask_for_losses (z, &loss);
    if (out->answer == PROVE_HOLDS) return;
    if (out->answer != PROVE_VIOLATED) out->cut = what_may_be_left_out (z);
    else if (!loss.is_cut) out->cut = reason_of_loss (z, &loss);
    else out->limit = loss.what;
    z->proving = NULL;
    forget_cuts (&z->system);
  }
}

// If executions were cut off, proofs are about the others; if nobody knows what follows somewhere, nothing is proved.
static void look_for_losses (checking *z, uint32_t proofs) {
  VEC (system_loss) all = {0};
  budget part;
  for (uint32_t k = 0; k < z->system.losses.count; k++) vec_push (&all, z->system.losses.data[k]);
  take_share (&part, z->run->budget, z->open ? LOSSES_SHARE : 1, FOR_EVER);
  z->time = &part;
  z->asked_now = proofs;  // as deep as nothing is left out they hold
  z->proving = lowered_loss_name;
  z->lost = (outcome){0};
  decide_losses (z, &z->lost);
  z->lost_known = !z->lost.cut || z->lost.answer == PROVE_VIOLATED || budget_left (&part) > 0;
  vec_clear (&z->system.losses);
  for (uint32_t k = 0; k < all.count; k++) vec_push (&z->system.losses, all.data[k]);
  vec_release (&all);
}

// Who waits busily is not in a deadlock, but not well either.
static const reason *look_for_busy_waits (checking *z) {
  uint32_t step = system_busy_step (&z->system, z->run->budget);
  if (step == IR_NONE) return NULL;
  const efsm_point *p = &z->system.m->points.data[z->system.steps.steps.data[step].point];
  ir_position at = p->steps.count ? ir_edge_at (z->run->program, p->steps.data[0].edge)->pos : (ir_position){0};
  return reason_printf (z->run->verdict->arena, REASON_ENGINE, "threads may wait busily for ever at %s:%u",
                        at.file ? at.file : "?", at.line);
}

// Proofs about which it is not known yet whether executions are left out of them.
static uint32_t unweighed (const checking *z, uint32_t properties) {
  uint32_t set = 0;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    const outcome *o = &z->outcomes[p];
    if (is_in (properties, p) && o->answer == PROVE_HOLDS && !o->for_many && !o->weighed) set |= 1u << p;
  }
  return set;
}

static void weigh_proofs (checking *z, circuit_group g) {
  uint32_t proofs = unweighed (z, g.settles);
  if (!proofs) return;
  if (!z->lost_known) look_for_losses (z, proofs);
  const outcome *lost = &z->lost;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    outcome *o = &z->outcomes[p];
    bool is_real = is_in (g.settles, p) && !o->for_many && lost->answer == PROVE_VIOLATED;
    if (!is_in (proofs, p) && !(is_real && lost->cut)) continue;
    o->cut = lost->cut;
    if (z->lost_known && is_in (proofs, p)) o->depth = 0, o->limit = NULL;
    if (!o->limit) o->limit = lost->limit;
    if (!z->lost_known && o->depth) o->cut = NULL;
    if (is_in (proofs, p) && p == IR_P_DEADLOCK && !o->cut) o->cut = look_for_busy_waits (z);
    o->weighed = z->lost_known;
  }
}

// More can be tried, and there is time for it.
static bool goes_on (const checking *z, uint32_t properties) {
  bool is_open = properties & (z->open | unweighed (z, z->run->task->semantics.properties));
  return is_open && !is_enough (z) && !z->doubt && !z->run->parted && !budget_spent (z->run->budget);
}

static void no_circuit (checking *z, circuit_group g, const reason *why) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    outcome *o = &z->outcomes[p];
    if (is_in (g.settles & z->open, p) && !o->depth) *o = (outcome){.answer = PROVE_UNKNOWN, .cut = why};
  }
  z->left -= (uint32_t) __builtin_popcount (g.settles & z->open);
  z->open &= ~g.settles;
}

static bool make_circuit (checking *z, circuit_group g, efsm *m) {
  const reason *why = engine_make_machine (z->run, g.properties, m, NULL);
  if (!why && (why = reason_new (z->run->verdict->arena, REASON_ENGINE, system_is_too_large (m)))) efsm_release (m);
  if (why) {
    no_circuit (z, g, why);
    return false;
  }
  system_init (&z->system, m, z->run->program, g.properties);
  stubborn_sets_release (&z->sets);
  system_reduce (&z->system, z->reduction, &z->sets);
  vec_clear (&z->asked);
  for (uint32_t k = 0; k <= z->system.goals.count; k++) vec_push (&z->asked, false);
  diag_verbose (1, "circuit", "%u threads, %u steps of %u points, %u variables, %u goals", m->threads.count,
                z->system.steps.steps.count, m->points.count, m->variables.count, z->system.goals.count);
  return true;
}

// One circuit (groups.h), and what it settles.  If nothing else is open it is kept for all rounds.
static void settle_group (checking *z, circuit_group g, bool is_first_round) {
  efsm m;
  if (!make_circuit (z, g, &m)) return;
  if (is_first_round) z->steps += z->system.steps.steps.count;
  z->unnamed = is_first_round ? g.properties : 0;
  z->lost_known = false;
  do {
    settle_open (z, g);
    weigh_proofs (z, g);
    if (!z->left) z->left = (uint32_t) __builtin_popcount (z->open);
  } while (!(z->open & ~g.settles) && !unweighed (z, ~g.settles) && goes_on (z, g.settles));
  system_release (&z->system);
  efsm_release (&m);
}

// In rounds: what is settled leaves its part of the time to the rest.
static void settle_all (void *state) {
  checking *z = state;
  z->open = z->run->task->semantics.properties;
  bool is_first = true;
  do {
    z->left = (uint32_t) __builtin_popcount (z->open);
    for (uint32_t k = 0; k < NUM_CIRCUIT_GROUPS && !is_enough (z); k++) {
      circuit_group g = circuit_group_of (z->run->task->semantics.properties, k);
      if (is_first ? g.settles : g.settles & (z->open | unweighed (z, g.settles))) settle_group (z, g, is_first);
    }
    is_first = false;
  } while (goes_on (z, UINT32_MAX));
}

// ---- the answer --------------------------------------------------------------------------------------------------------------------
static bool is_asked (const checking *z, uint32_t p) { return z->run->task->semantics.properties >> p & 1; }

// The parts of the constraint that leaves interleavings out.
static void add_sizes (verdict *v, const stubborn_sets *s) {
  verdict_add_stat (v, "sticky", s->sticky, NULL);
  verdict_add_stat (v, "gates_enabled", s->sizes.enabled, NULL);
  verdict_add_stat (v, "gates_touch_now", s->sizes.touch_now, NULL);
  verdict_add_stat (v, "gates_touch_later", s->sizes.touch_later, NULL);
  verdict_add_stat (v, "gates_conflict", s->sizes.conflict, NULL);
  verdict_add_stat (v, "gates_closure", s->sizes.closure, NULL);
  verdict_add_stat (v, "gates_minimal", s->sizes.minimal, NULL);
  verdict_add_stat (v, "gates_constraint", s->sizes.constraint, NULL);
}

static const char *depth_text (const checking *z, uint32_t depth) {
  return arena_printf (z->run->verdict->arena, "depth %u%s", depth,
                       z->reduction ? ", without interleavings that are left out" : "");
}

static const char *bound_text (const checking *z, const outcome *o) {
  const char *depth = o->depth ? depth_text (z, o->depth) : NULL;
  return !depth ? o->limit : !o->limit ? depth : arena_printf (z->run->verdict->arena, "%s; %s", o->limit, depth);
}

static const reason *why_unknown (const checking *z, const outcome *o) {
  arena *a = z->run->verdict->arena;
  const reason *spent = reason_of_budget (a, z->run->budget);
  return z->doubt ? z->doubt
         : o->cut ? o->cut
         : spent  ? spent
         : z->why ? z->why
                  : reason_new (a, REASON_ENGINE, "no proof was found in the time there was");
}

// A bound that says hardly anything is no answer, but names how far the search has come.
static ending ending_of_depth (const checking *z, const outcome *o) {
  arena *a = z->run->verdict->arena;
  const reason *spent = o->depth <= o->trivial ? reason_of_budget (a, z->run->budget) : NULL;
  if (!o->depth) return ending_unknown (why_unknown (z, o));
  if (!spent) return ending_bounded (reason_new (a, REASON_BOUND, bound_text (z, o)));
  return ending_unknown (reason_printf (a, spent->kind, "%s; nothing was found up to depth %u", spent->text, o->depth));
}

static ending ending_of (const checking *z, const outcome *o) {
  const verdict *v = z->run->verdict;
  if (z->doubt || z->run->parted || o->cut) return ending_unknown (why_unknown (z, o));
  if (o->answer == PROVE_HOLDS && (o->for_many || o->weighed))
    return ending_proved_within (o->evidence, "an inductive invariant excludes it",
                                 reason_new (v->arena, REASON_BOUND,
                                             o->limit ? o->limit
                                             : v->bounds.count
                                                 ? v->bounds.data[0]  // functions without a body and the like
                                                 : NULL));
  return ending_of_depth (z, o);
}

// Each bounded property has its own bound; the reason of all of them is what holds for all.
static void sum_up (checking *z) {
  verdict *v = z->run->verdict;
  outcome all = {0};  // of those that are bounded
  ending endings[IR_NUM_PROPERTIES] = {0};
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    const outcome *o = &z->outcomes[p];
    if (!is_asked (z, p)) continue;
    endings[p] = ending_of (z, o);
    if (endings[p].status == GOAL_BOUNDED && o->depth && (!all.depth || o->depth < all.depth)) all.depth = o->depth;
  }
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (endings[p].status == GOAL_BOUNDED && z->outcomes[p].limit)
      verdict_add_bound (v, "%s", all.limit = z->outcomes[p].limit);
  if (all.depth) verdict_add_bound (v, "%s", depth_text (z, all.depth));
  const reason *within = all.depth ? reason_new (v->arena, REASON_BOUND, bound_text (z, &all)) : NULL;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (within && endings[p].status == GOAL_BOUNDED) endings[p].why = within;
    engine_summarise_one (z->run, (ir_property) p, endings[p]);
  }
}

static bool is_safe (const checking *z) {
  const verdict *v = z->run->verdict;
  return verdict_kind_of (v->answers, z->run->task->semantics.properties) == VERDICT_SAFE;
}

static void conclude (checking *z) {
  verdict *v = z->run->verdict;
  sum_up (z);
  if (z->certificate.count || (z->run->task->certificate && is_safe (z)))
    v->certificate = arena_strdup (v->arena, strbuf_text (&z->certificate));
  verdict_add_stat (v, "steps", z->steps, NULL);
  verdict_add_stat (v, "latches", z->latches, NULL);
  verdict_add_stat (v, "gates", z->ands, NULL);
  verdict_add_stat (v, "depth", z->reached, NULL);
  verdict_add_stat (v, "clauses", z->clauses, NULL);
  verdict_add_stat (v, "obligations", z->obligations, NULL);
  if (z->sets.cstub.count) add_sizes (v, &z->sets);
}

static system_reduction reduction_of (reduction_choice r) {
  return r == REDUCTION_STUBBORN ? REDUCE_STUBBORN : r == REDUCTION_NONE ? REDUCE_NOTHING : REDUCE_LOCK_PATTERNS;
}

static void run (engine_run *r) {
  reduction_choice asked = circuit_options_of (r->task)->reduction;
  checking z = {.run = r, .reduction = reduction_of (asked), .proves_without = asked == REDUCTION_AUTO};
  if (r->task->ltl) {
    circuit_decide_formula (r);
    return;
  }
  cutoff out = {.budget = r->budget};
  bool finished = cutoff_run (&out, settle_all, &z);
  conclude (&z);
  if (!finished) return;  // memory is in the middle of some change
  vec_release (&z.asked);
  vec_release (&z.found);
  strbuf_release (&z.certificate);
  stubborn_sets_release (&z.sets);
}

static bool applies (const ir_program *p, const task *t, const char **why_not) {
  bool of_threads = t->ltl && ltl_is_of_threads (t->ltl);
  reduction_choice reduction = circuit_options_of (t)->reduction;
  if (of_threads) *why_not = "temporal properties of single threads are not for this engine";
  else if (t->ltl) return true;
  else if (p->place.i)
    *why_not = "engine circuit decides assertions, races, deadlocks, misuse of locks, memory errors, overflows and "
               "uninitialised values only";
  else if (reduction == REDUCTION_LEFT_MOVERS || reduction == REDUCTION_TRANSACTIONS)
    *why_not = "of the reductions engine circuit has auto, none, stubborn and lock-patterns";
  else return true;
  return false;
}

const engine engine_circuit = {.name = "circuit",
                               .summary = "a sequential circuit: invariants by IC3, proofs without bounds",
                               .properties = ENGINE_COMMON_PROPERTIES,
                               .applies = applies,
                               .asks_again = true,
                               .stops_at_conditions = true,
                               .run = run,
                               .options_fit = backend_fits,
                               .ways = WAY_PROPERTIES | WAY_FORMULA,
                               .options = &circuit_option_table,
                               .honours = {[SHARED_PROPERTY] = WAY_PROPERTIES,
                                           [SHARED_LTL] = WAY_FORMULA,
                                           [SHARED_FAIR] = WAY_FORMULA,
                                           [SHARED_ERROR_LABEL] = WAY_PROPERTIES,
                                           [SHARED_STOP_AT_FIRST] = WAY_PROPERTIES,
                                           [SHARED_MAX_THREADS] = WAY_PROPERTIES | WAY_FORMULA,
                                           [SHARED_JOBS] = WAY_PROPERTIES,
                                           [SHARED_CERTIFICATE] = WAY_PROPERTIES,
                                           [SHARED_MTX] = WAY_PROPERTIES}};
