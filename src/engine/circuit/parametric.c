// Proofs for any number of threads. A failure says nothing about bugs: these are searched with a machine that has every
// thread.
#include "engine/circuit/parametric.h"

#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "engine/circuit/backend.h"
#include "engine/circuit/circuit_replicas.h"
#include "engine/machine.h"
#include "netlist/netlist_reduce.h"

#define SHARE_OF_ALIKE 0.1  // share of an attempt's time
#define LEAST_SECONDS 0.7   // an attempt with less time is useless

enum { LACK_DEPTH = 60, LACK_SECONDS = 1 };

static bool is_lack_of_threads (const system_omission *l) { return l->is_cut && !strcmp (l->what, "threads"); }

// Lowers a circuit whose only bad state is a lack of threads.
static bool lower_lack_of_threads (transition_system *s, lowered *l) {
  VEC (system_omission) all = {0};
  uint32_t count = s->omissions.count, kept = 0;
  for (uint32_t k = 0; k < count; k++) vec_push (&all, s->omissions.data[k]);
  for (uint32_t k = 0; k < count; k++)
    if (is_lack_of_threads (&all.data[k])) s->omissions.data[kept++] = all.data[k];
  s->omissions.count = kept;
  if (kept) lower_goals (s, NULL, l);
  for (uint32_t k = 0; k < count; k++) s->omissions.data[k] = all.data[k];
  s->omissions.count = count;
  vec_release (&all);
  return kept;
}

bool system_lacks_threads (transition_system *s, const budget *b) {
  lowered l;
  if (!lower_lack_of_threads (s, &l)) return false;
  budget part;
  budget_part (&part, b, LACK_SECONDS);
  net_reduction r;
  prove_result p;
  uint32_t bad = 1;
  l.circuit.constraints.count = 0;
  net_reduce (&r, &l.circuit, &(net_goals){.bads = &bad, .num_bads = 1}, &(net_reduce_options){.budget = &part});
  prove_by_bmc (&r.circuit, 0, &(prove_options){.budget = &part, .max_depth = LACK_DEPTH}, &p);
  bool lacks = p.answer == PROVE_VIOLATED;
  prove_result_release (&p);
  net_reduction_release (&r);
  lowered_release (&l);
  return lacks;
}

static void name_creations (const engine_run *r, const replicas *c, strbuf *out) {
  for (uint32_t k = 0; k < c->list.count; k++) {
    ir_edge e = c->s->m->threads.data[c->list.data[k].threads[0]].created_by;
    ir_position at = ir_edge_at (r->program, e)->pos;
    strbuf_printf (out, "%s%s:%u", k ? ", " : "", at.file ? at.file : "?", at.line);
  }
}

// The attempts, in order: number of tracked threads, what the invariant is about, which algorithm finds it, and the
// share of the remaining time.
typedef enum method {
  BY_BITS,
  BY_CONDITIONS,
  BY_MORE_CONDITIONS,
  BY_DIGITS
} method;  // all bits, by decision diagrams; conditions; conditions and the digits of numbers
typedef struct attempt {
  uint32_t tracked;
  method by;
  double share;
} attempt;

static const attempt attempts[] = {{1, BY_CONDITIONS, 0.1}, {1, BY_BITS, 0.1},       {1, BY_MORE_CONDITIONS, 0.15},
                                   {2, BY_BITS, 0.2},       {2, BY_CONDITIONS, 0.3}, {2, BY_MORE_CONDITIONS, 0.4},
                                   {1, BY_DIGITS, 0.5},     {2, BY_DIGITS, 1}};
enum { NUM_ATTEMPTS = sizeof attempts / sizeof *attempts };

static void prove_views (views *v, method by, const prove_options *o, prove_result *p) {
  if (by == BY_BITS) {
    views_forget_conditions (v);
    if (!over_limit (CROWD_VIEW_BITS, v->num_bits)) views_prove_by_bdd (v, o, p);
    else *p = (prove_result){0};
    return;
  }
  views_forget (v, VIEW_CODE);
  if (by != BY_DIGITS) views_forget (v, VIEW_DIGIT);
  views_prove (v, o, p);
}

// Searches an invariant. Its certificate is checked before it counts.
static void search_invariant (engine_run *r, replicas *c, method by, const budget *b, parametric_proof *out) {
  views v;
  prove_result p = {0};
  prove_options o = {.budget = b, .say = show_backend_progress, .say_state = r};
  replicas_make_views (c, &v);
  if (over_limit (CROWD_VIEWS, v.num_views)) out->why = "there are too many groups of replicated threads";
  else {
    prove_views (&v, by, &o, &p);
    out->clauses += p.clauses;
    out->obligations += p.obligations;
    diag_verbose (1, "circuit",
                  "any number of threads: %u tracked, %u bits in %u views: answer %u at level %u, %llu clauses, %llu "
                  "obligations, %llu questions, %llu nodes",
                  c->tracked, v.num_bits, v.num_views, p.answer, p.depth, (unsigned long long) p.clauses,
                  (unsigned long long) p.obligations, (unsigned long long) p.sat_calls,
                  (unsigned long long) p.bdd_nodes);
    if (p.answer == PROVE_HOLDS) {
      out->holds = views_certificate_is_good (&v, &p.certificate, b);
      if (!out->holds && budget_completion (b).is_complete)
        out->why = "internal error: an invariant for any number of threads does not hold";
    } else if (p.answer == PROVE_VIOLATED) out->why = "no invariant about so few threads";
    if (out->holds) name_creations (r, c, &out->where);
    prove_result_release (&p);
  }
  views_release (&v);
}

static void start_share_of_at_least (budget *part, const budget *all, double share, double least) {
  double seconds = share * budget_left (all);
  if (seconds < least) seconds = least;
  budget_part (part, all, seconds > 0 ? seconds : 0.001);
}

// Searches a proof. Symmetry of the threads is checked before the search if that is quick, else only if an invariant
// was found.
static void search_parametric_proof (engine_run *r, replicas *c, const attempt *a, const budget *all,
                                     parametric_proof *out) {
  budget part, soon;
  start_share_of_at_least (&part, all, a->share, LEAST_SECONDS);
  start_share_of_at_least (&soon, &part, SHARE_OF_ALIKE, 0);
  out->why = replicas_are_symmetric (c, &soon);
  if (!out->why && !budget_completion (&soon).is_complete) out->why = "no time to compare the threads";
  bool is_open = out->why && budget_spent (&soon) && !budget_spent (&part);
  out->refused = out->why && !is_open && !budget_spent (&part);
  if (out->why && !is_open) return;
  out->why = NULL;
  search_invariant (r, c, a->by, &part, out);
  if (!out->holds || !is_open) return;
  out->why = replicas_are_symmetric (c, all);
  out->holds = !out->why;
}

static void follow (engine_run *r, transition_system *s, ir_property p, const attempt *a, const budget *all,
                    parametric_proof *out) {
  VEC (bool) asked = {0};
  for (uint32_t k = 0; k < s->goals.count; k++) vec_push (&asked, s->goals.data[k].property == p);
  lowered l;
  replicas c;
  replicas_add_writers (s);
  if (a->by != BY_BITS) replicas_find_predicates (s, a->tracked, asked.data, a->by == BY_MORE_CONDITIONS);
  lower_goals (s, asked.data, &l);
  out->tracked = a->tracked;
  out->why = replicas_init (&c, s, &l, a->tracked);
  out->refused = out->why;
  if (!out->why) search_parametric_proof (r, &c, a, all, out);
  replicas_release (&c);
  lowered_release (&l);
  vec_release (&asked);
}

// Makes one attempt. False: further attempts are pointless.
static bool make_attempt (engine_run *r, uint32_t properties, ir_property p, const attempt *a, const budget *all,
                          parametric_proof *out) {
  efsm m;
  transition_system s;
  out->why = reason_text (engine_make_crowd_machine (r, properties, a->tracked + 2, &m));
  if (out->why) return false;
  system_init (&s, &m, r->program, properties);
  follow (r, &s, p, a, all, out);
  diag_verbose (1, "circuit", "any number of threads, %u tracked: %s", a->tracked,
                out->holds ? "proved"
                : out->why ? out->why
                           : "no answer");
  system_release (&s);
  efsm_release (&m);
  return !out->holds && !out->refused;
}

void prove_parametric (engine_run *r, uint32_t properties, ir_property p, const budget *b, parametric_proof *out) {
  *out = (parametric_proof){0};
  for (uint32_t k = 0; k < NUM_ATTEMPTS && !budget_spent (b); k++)
    if (!make_attempt (r, properties, p, &attempts[k], b, out)) return;
}

void parametric_proof_release (parametric_proof *m) { strbuf_release (&m->where); }
