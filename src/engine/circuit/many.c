// Whatever the answer is, it says nothing about bugs: those are looked for with threads that are all there.
#include "engine/circuit/many.h"

#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "engine/circuit/crowd.h"
#include "engine/machine.h"
#include "netlist/reduce.h"

#define SHARE_OF_ALIKE 0.1  // of the time of an attempt
#define LEAST_SECONDS 0.7   // that are of use

enum { LACK_DEPTH = 60, LACK_SECONDS = 1 };

static bool is_lack_of_threads (const system_loss *l) { return l->is_cut && !strcmp (l->what, "threads"); }

// A circuit whose only losses are these.
static bool lower_lack_of_threads (transition_system *s, lowered *l) {
  VEC (system_loss) all = {0};
  uint32_t count = s->losses.count, kept = 0;
  for (uint32_t k = 0; k < count; k++) vec_push (&all, s->losses.data[k]);
  for (uint32_t k = 0; k < count; k++)
    if (is_lack_of_threads (&all.data[k])) s->losses.data[kept++] = all.data[k];
  s->losses.count = kept;
  if (kept) lower (s, NULL, l);
  for (uint32_t k = 0; k < count; k++) s->losses.data[k] = all.data[k];
  s->losses.count = count;
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

static void say (void *user, const char *text) {
  engine_run *r = user;
  if (r->progress) r->progress (r->progress_state, text);
}

static void name_creations (const engine_run *r, const crowds *c, strbuf *out) {
  for (uint32_t k = 0; k < c->list.count; k++) {
    ir_edge e = c->s->m->threads.data[c->list.data[k].threads[0]].created_by;
    ir_position at = ir_edge_at (r->program, e)->pos;
    strbuf_printf (out, "%s%s:%u", k ? ", " : "", at.file ? at.file : "?", at.line);
  }
}

// What is tried, one after the other: how many threads are followed, what the invariant is about and by whom it is found, and the part of the time that is left.
typedef enum method {
  BY_BITS,
  BY_CONDITIONS,
  BY_MORE_CONDITIONS,
  BY_DIGITS
} method;  // all bits, by decision diagrams; conditions; conditions and the digits of numbers
typedef struct attempt {
  uint32_t followed;
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

// The certificate is checked before it is believed.
static void search_invariant (engine_run *r, crowds *c, method by, const budget *b, many_proof *out) {
  views v;
  prove_result p = {0};
  prove_options o = {.budget = b, .say = say, .say_state = r};
  crowds_make_views (c, &v);
  if (over_limit (CROWD_VIEWS, v.num_views)) out->why = "there are too many crowds of threads";
  else {
    prove_views (&v, by, &o, &p);
    out->clauses += p.clauses;
    out->obligations += p.obligations;
    diag_verbose (1, "circuit",
                  "any number of threads: %u followed, %u bits in %u views: answer %u at level %u, %llu clauses, %llu "
                  "obligations, %llu questions, %llu nodes",
                  c->followed, v.num_bits, v.num_views, p.answer, p.depth, (unsigned long long) p.clauses,
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

static void take_share (budget *part, const budget *all, double share, double least) {
  double seconds = share * budget_left (all);
  if (seconds < least) seconds = least;
  budget_part (part, all, seconds > 0 ? seconds : 0.001);
}

// That the threads are alike is asked before the search if the answer is there soon, else only if an invariant is found.
static void find_proof (engine_run *r, crowds *c, const attempt *a, const budget *all, many_proof *out) {
  budget part, soon;
  take_share (&part, all, a->share, LEAST_SECONDS);
  take_share (&soon, &part, SHARE_OF_ALIKE, 0);
  out->why = crowds_are_alike (c, &soon);
  if (!out->why && !budget_completion (&soon).is_complete) out->why = "no time to compare the threads";
  bool is_open = out->why && budget_spent (&soon) && !budget_spent (&part);
  out->refused = out->why && !is_open && !budget_spent (&part);
  if (out->why && !is_open) return;
  out->why = NULL;
  search_invariant (r, c, a->by, &part, out);
  if (!out->holds || !is_open) return;
  out->why = crowds_are_alike (c, all);
  out->holds = !out->why;
}

static void follow (engine_run *r, transition_system *s, ir_property p, const attempt *a, const budget *all,
                    many_proof *out) {
  VEC (bool) asked = {0};
  for (uint32_t k = 0; k < s->goals.count; k++) vec_push (&asked, s->goals.data[k].property == p);
  lowered l;
  crowds c;
  crowds_add_writers (s);
  if (a->by != BY_BITS) crowds_find_predicates (s, a->followed, asked.data, a->by == BY_MORE_CONDITIONS);
  lower (s, asked.data, &l);
  out->followed = a->followed;
  out->why = crowds_init (&c, s, &l, a->followed);
  out->refused = out->why;
  if (!out->why) find_proof (r, &c, a, all, out);
  crowds_release (&c);
  lowered_release (&l);
  vec_release (&asked);
}

// False: there is no sense in trying more.
static bool try (engine_run *r, uint32_t properties, ir_property p, const attempt *a, const budget *all,
                 many_proof *out) {
  efsm m;
  transition_system s;
  out->why = reason_text (engine_make_crowd_machine (r, properties, a->followed + 2, &m));
  if (out->why) return false;
  system_init (&s, &m, r->program, properties);
  follow (r, &s, p, a, all, out);
  diag_verbose (1, "circuit", "any number of threads, %u followed: %s", a->followed,
                out->holds ? "proved"
                : out->why ? out->why
                           : "no answer");
  system_release (&s);
  efsm_release (&m);
  return !out->holds && !out->refused;
}

void prove_for_many (engine_run *r, uint32_t properties, ir_property p, const budget *b, many_proof *out) {
  *out = (many_proof){0};
  for (uint32_t k = 0; k < NUM_ATTEMPTS && !budget_spent (b); k++)
    if (!try (r, properties, p, &attempts[k], b, out)) return;
}

void many_proof_release (many_proof *m) { strbuf_release (&m->where); }
