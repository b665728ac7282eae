// Asks ABC: bmc3 for a while, then pdr. Its answers are checked: a counterexample is executed on the circuit, and a
// proof counts only with an invariant that certificate.c accepts. ABC knows only plain circuits (netlist/plain.h), so
// counterexamples and invariants are translated back.
#include <string.h>

#include "netlist/aiger_witness.h"
#include "netlist/plain.h"
#include "netlist/netlist_simulate.h"
#include "prove/abc_impl.h"

static const double LOOK_SHARE = 0.1, LOOK_SECONDS = 5;

typedef struct abc_query {
  const netlist *n;
  uint32_t bad;
  const prove_options *o;
  prove_result *r;
  netlist plain;  // has this bad state only
  VEC (uint8_t)
  // by latch of `plain`: 0 for a latch of the original, else 1 + the value that the latch has after the first step
  is_helper;
} abc_query;

// ---- the circuit --------------------------------------------------------------------------------------
static void make_plain (abc_query *q) {
  netlist *p = &q->plain;
  netlist_make_plain (p, q->n);
  p->bads.data[0] = p->bads.data[q->bad];
  p->bads.count = 1;
  for (uint32_t k = 0; k < p->latches.count; k++) {
    bool own = k >= q->n->latches.count, started = own && !strcmp (p->latches.data[k].name, "started");
    vec_push (&q->is_helper, own ? 1 + started : 0);
    p->latches.data[k].name = NULL;
  }
  for (uint32_t k = 0; k < p->inputs.count; k++) p->inputs.data[k].name = NULL;
}

static void abc_query_release (abc_query *q) {
  netlist_release (&q->plain);
  vec_release (&q->is_helper);
}

// ---- counterexamples ----------------------------------------------------------------------------------
static bool record_counterexample (abc_query *q, const abc_answer *a) {
  net_path path;
  strbuf why = {0};
  bool good = a->counterexample.count &&
              aiger_parse_abc (&q->plain, 0, a->counterexample.data, a->counterexample.count, &path, &why);
  if (good) {
    net_path_from_plain (q->n, &q->plain, &path, &q->r->path);
    net_path_release (&path);
    good = net_path_shows (q->n, q->bad, &q->r->path);
    if (!good) net_path_release (&q->r->path), q->r->path = (net_path){0};
  }
  strbuf_release (&why);
  if (!good) return false;
  q->r->answer = PROVE_VIOLATED;
  q->r->depth = q->r->path.length;
  return true;
}

// ---- invariants ---------------------------------------------------------------------------------------
// Takes one line of the invariant, as a clause over the latches of the original after the first step. The line excludes
// the states in which the latches have its values; `-`: any value.
static void take_invariant_line (abc_query *q, const char *line) {
  prove_certificate *c = &q->r->certificate;
  uint32_t before = c->clauses.count;
  for (uint32_t k = 0; k < q->plain.latches.count; k++) {
    if (line[k] == '-') continue;
    bool is_one = line[k] == '1';
    if (q->is_helper.data[k]) {
      if (is_one == (q->is_helper.data[k] == 2)) continue;
      c->clauses.count = before;  // the line excludes no state of the original
      return;
    }
    if (q->n->latches.data[k].reset == NET_ONE) is_one = !is_one;
    vec_push (&c->clauses, is_one ? -(int32_t) (k + 1) : (int32_t) (k + 1));
  }
  vec_push (&c->clauses, 0);
}

static bool take_lines (abc_query *q, const char *text) {
  bool whole = false;
  strbuf head = {0};
  strbuf_printf (&head, ".i %u\n", q->plain.latches.count);
  bool fits = strstr (text, strbuf_text (&head));
  strbuf_release (&head);
  for (const char *line = text; fits && *line; line += strcspn (line, "\n"), line += *line == '\n') {
    size_t columns = strspn (line, "01-");
    if (columns == q->plain.latches.count && columns) take_invariant_line (q, line);
    whole |= !strncmp (line, ".e", 2);
  }
  return fits && whole;
}

static aig_lit clause_literal (int32_t x, const aig_lit *inputs) {
  return x > 0 ? inputs[x - 1] : aig_not (inputs[-x - 1]);
}

// Adds the initial states to the invariant: the clauses hold after the first step; at the first one the latches have
// their reset values. If one of them may start with any value, this is one formula.
static void add_initial_states (abc_query *q) {
  prove_certificate *c = &q->r->certificate;
  VEC (aig_lit) latches = {0};
  aig_init (&c->graph);
  aig *g = &c->graph;
  aig_lit start = AIG_TRUE, all = AIG_TRUE, clause = AIG_FALSE;
  for (uint32_t k = 0; k < q->n->latches.count; k++) vec_push (&latches, aig_input (g));
  for (uint32_t k = 0; k < q->n->latches.count; k++) {
    net_reset reset = q->n->latches.data[k].reset;
    if (reset != NET_ANY) start = aig_and (g, start, reset == NET_ONE ? latches.data[k] : aig_not (latches.data[k]));
  }
  for (uint32_t k = 0; k < c->clauses.count; k++) {
    if (c->clauses.data[k]) clause = aig_or (g, clause, clause_literal (c->clauses.data[k], latches.data));
    else all = aig_and (g, all, clause), clause = AIG_FALSE;
  }
  c->holds = aig_or (g, start, all);
  vec_clear (&c->clauses);
  vec_release (&latches);
}

static bool take_invariant (abc_query *q, abc_answer *a) {
  prove_certificate *c = &q->r->certificate;
  if (!strstr (strbuf_text (&a->text), "Property proved")) return false;
  bool good = take_lines (q, strbuf_text (&a->invariant));
  c->depth = 1;
  for (uint32_t k = 0; k < c->clauses.count; k++) q->r->clauses += !c->clauses.data[k];
  if (good && netlist_has_latch_without_reset (q->n)) add_initial_states (q);
  good = good && certificate_is_good (q->n, q->bad, c, q->o->budget);
  q->r->answer = good ? PROVE_HOLDS : PROVE_UNKNOWN;
  if (!good) q->r->why = "berkeley-abc says that it holds, but has no invariant that could be checked here";
  return true;
}

// ---- queries ----------------------------------------------------------------------------------------
// Returns true if the answer decides the query.
static bool query_abc (abc_query *q, const char *what, const char *more, const budget *b) {
  abc_answer a;
  strbuf command = {0};
  double left = budget_left (b);
  unsigned seconds = left > 1e8 ? 0 : left < 1 ? 1 : (unsigned) left;  // 0: no limit
  strbuf_printf (&command, "%s -T %u%s", what, seconds, more);
  prove_say (q->o, "ABC: %s", what);
  q->r->why = abc_ask (&q->plain, strbuf_text (&command), b, &a);
  bool settled = !q->r->why && (record_counterexample (q, &a) || take_invariant (q, &a));
  abc_answer_release (&a);
  strbuf_release (&command);
  return settled;
}

void prove_by_abc (const netlist *n, uint32_t bad, const prove_options *o, prove_result *r) {
  *r = (prove_result){.path = {.loop = NET_NO_LOOP}};
  abc_query q = {.n = n, .bad = bad, .o = o, .r = r};
  budget look;
  double share = budget_left (o->budget) * LOOK_SHARE;
  budget_part (&look, o->budget, share > LOOK_SECONDS ? LOOK_SECONDS : share > 0 ? share : 0.001);
  make_plain (&q);
  if (!query_abc (&q, "bmc3", "", &look) && !query_abc (&q, "pdr", " -d -e -I invariant", o->budget) && !r->why)
    r->why = budget_spent (o->budget) ? prove_out_of_budget : "berkeley-abc does not know";
  abc_query_release (&q);
}
