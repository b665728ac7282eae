// Decides one bad state of the circuit: reduces the circuit, asks the back ends, and checks what they answer. A path is
// one of the whole circuit; an invariant counts after separate queries have checked it.
#include <string.h>

#include "base/diag.h"
#include "engine/circuit/backend.h"
#include "engine/circuit/circuit_check.h"
#include "engine/circuit/circuit_proof.h"
#include "ir/reason.h"
#include "netlist/netlist_reduce.h"
#include "netlist/netlist_simulate.h"

enum { EQUAL_CONFLICTS = 200, EQUAL_ANDS = 200000 };  // limits of the search for equal latches

static const reason wrong_invariant = {REASON_INTERNAL,
                                       "internal error: an invariant of engine circuit does not hold",
                                       {0}},
                    unchecked_invariant = {
                        REASON_ENGINE, "an invariant was found, but there was no time or memory to check it", {0}};

static void check_invariant (circuit_check *z, const net_reduction *r, prove_result *p) {
  budget check;
  budget_part (&check, z->run->budget, 0);
  if (p->answer != PROVE_HOLDS || certificate_is_good (&r->circuit, 0, &p->certificate, &check)) return;
  p->answer = PROVE_UNKNOWN;
  if (budget_completion (&check).is_complete) z->doubt = &wrong_invariant;
  else if (!z->why) z->why = &unchecked_invariant;
}

// Reports the invariant to the user, as notes.
static void explain_proof (circuit_check *z, const net_reduction *r, const prove_certificate *found) {
  strbuf text = {0};
  proof_explain (&z->system, &z->circuit, r, z->run->program, found, &text);
  for (char *line = text.data, *end; line && *line; line = end + 1) {
    end = strchr (line, '\n');
    *end = 0;
    verdict_add_note (z->run->verdict, "invariant for %s: %s", z->proving, line);
  }
  strbuf_release (&text);
}

static void record_proof (circuit_check *z, const net_reduction *r, uint32_t bad, const prove_certificate *found) {
  prove_certificate whole;
  if (!z->proving || (z->reduction && !z->proves_without)) return;  // holds only with interleavings left out
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

// Returns the kinds of objects of which the machine has a fixed number and a search to some depth may need more.
// Whether it needs more is not checked, so the bound has to mention it. NULL: there are none.
static const char *limited_kinds (const circuit_check *z) {
  strbuf all = {0};
  for (uint32_t k = 0; k < z->system.omissions.count; k++) {
    const system_omission *l = &z->system.omissions.data[k];
    bool is_new = l->is_cut && !term_is_false (&z->system.m->terms, l->holds);
    for (uint32_t i = 0; i < k && is_new; i++) is_new = strcmp (z->system.omissions.data[i].what, l->what) != 0;
    if (is_new) strbuf_printf (&all, "%s%s", all.count ? ", " : "", l->what);
  }
  const char *text = all.count ? arena_strdup (z->run->verdict->arena, strbuf_text (&all)) : NULL;
  strbuf_release (&all);
  return text;
}

// Records the depth at once, so that the verdict has it if the engine is stopped in the middle of its work.
static void record_depth (circuit_check *z, uint32_t depth) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    circuit_result *o = &z->outcomes[p];
    if (!has_property (z->asked_now, p) || depth <= o->depth) continue;
    if (!o->depth) o->limit = limited_kinds (z);
    o->depth = depth;
    o->trivial = z->system.m->threads.count;
  }
}

// Asks one back end about the reduced circuit; *path is a path of the whole circuit.
static prove_answer query_backend (circuit_check *z, const net_reduction *r, uint32_t bad, backend *prove,
                                   const budget *b, net_path *path) {
  prove_options o = {
      .budget = b, .jobs = (uint32_t) z->run->task->jobs, .say = show_backend_progress, .say_state = z->run};
  prove_result p;
  prove (&r->circuit, 0, &o, &p);
  check_invariant (z, r, &p);
  if (p.answer == PROVE_HOLDS) record_proof (z, r, bad, &p.certificate);
  z->clauses += p.clauses;
  z->obligations += p.obligations;
  if (p.depth > z->reached) z->reached = p.depth;
  if (p.answer == PROVE_UNKNOWN && p.why && !budget_spent (b))
    z->why = reason_new (z->run->verdict->arena, REASON_ENGINE, p.why);
  if (p.answer == PROVE_BOUNDED) record_depth (z, p.depth);
  if (p.answer == PROVE_VIOLATED) {
    bool good =
        net_reduction_lift (r, &z->circuit.circuit, &p.path, path) && net_path_shows (&z->circuit.circuit, bad, path);
    CHECK (good, "a path of a reduced circuit should be one of the circuit");
  }
  prove_answer answer = p.answer;
  prove_result_release (&p);
  return answer;
}

static bool has_constant_false_bad (const net_reduction *r) { return r->circuit.bads.data[0].holds.i == AIG_FALSE.i; }

// Reduces the circuit to what the bad state depends on. The last constraint of the circuit is that of the partial-order
// reduction.
static void reduce_circuit (circuit_check *z, uint32_t bad, bool leaves_out, net_reduction *r) {
  net_reduce_options o = {.budget = z->time, .conflicts = EQUAL_CONFLICTS, .max_ands = EQUAL_ANDS};
  z->circuit.circuit.constraints.count = z->system.constraints.count - !leaves_out;
  net_reduce (r, &z->circuit.circuit, &(net_goals){.bads = &bad, .num_bads = 1}, &o);
}

// The schedule of the back ends. Most queries are easy for one of them: each has a short turn before there are long
// ones. The last has all the remaining time.
typedef struct backend_slice {
  backend *prove;
  double share, seconds;  // share of the remaining time, and the maximum
  uint32_t most_latches;
} backend_slice;

static const backend_slice turns[] = {{prove_by_bmc, 0.02, 0.2, UINT32_MAX},
                                      {prove_by_ic3, 0.1, 1, UINT32_MAX},
                                      {prove_by_bmc, 0.1, 2, UINT32_MAX},
                                      {prove_by_bdd, 0.1, 3, 100},
                                      {prove_by_ic3, 1, FOR_EVER, UINT32_MAX}};
enum { NUM_TURNS = sizeof turns / sizeof *turns };

void circuit_start_share (budget *part, const budget *all, double share, double most) {
  double seconds = share * budget_left (all);
  budget_part (part, all, seconds > most ? most : seconds > 0 ? seconds : 0.001);
}

// Asks the back ends in turn. Bug searches use the circuit with interleavings left out, proofs the one with all, if
// z->proves_without.
static prove_answer query_backends_in_turn (circuit_check *z, net_reduction *for_bugs, uint32_t bad, net_path *path) {
  prove_answer answer = PROVE_UNKNOWN;
  net_reduction without, *for_proofs = z->proves_without ? &without : for_bugs;
  if (z->proves_without) reduce_circuit (z, bad, false, &without);
  for (const backend_slice *t = turns; t < turns + NUM_TURNS && answer != PROVE_VIOLATED && answer != PROVE_HOLDS;
       t++) {
    const net_reduction *r = t->prove == prove_by_bmc ? for_bugs : for_proofs;
    if (r->after.latches > t->most_latches || (t->prove == prove_by_bmc && has_constant_false_bad (r))) continue;
    budget time;
    circuit_start_share (&time, z->time, t->share, t->seconds);
    answer = query_backend (z, r, bad, t->prove, &time, path);
  }
  if (z->proves_without) net_reduction_release (&without);
  return answer;
}

prove_answer circuit_query_bad_state (circuit_check *z, uint32_t bad, net_path *path) {
  net_reduction r;
  backend *chosen = z->looks_only ? prove_by_bmc : backend_for (z->run->task);
  reduce_circuit (z, bad, !z->proves_without || !chosen || chosen == prove_by_bmc, &r);
  if (r.after.ands > z->ands) z->latches = r.after.latches, z->ands = r.after.ands;
  diag_verbose (1, "circuit", "%u latches and %u gates, of %u and %u", r.after.latches, r.after.ands, r.before.latches,
                r.before.ands);
  prove_answer answer = !chosen                       ? query_backends_in_turn (z, &r, bad, path)
                        : has_constant_false_bad (&r) ? query_backend (z, &r, bad, prove_by_ic3, z->time, path)
                        : z->never_only               ? PROVE_UNKNOWN
                                                      : query_backend (z, &r, bad, chosen, z->time, path);
  net_reduction_release (&r);
  return answer;
}
