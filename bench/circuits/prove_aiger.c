// prove-aiger BACKEND SECONDS FILE [SEED]: puts the first bad state of an AIGER file to one back end, checks its
// answer, and prints one line.  If there is none, the first justice property, by a circuit with a bad state
// (prove/prove_live.h); `counting` and `live` are for those only. With PROVE_SAY in the environment the back end tells
// how far it is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "netlist/aiger.h"
#include "netlist/netlist_simulate.h"
#include "prove/prove_live.h"
#include "prove/prove.h"

enum { MOST_COUNTED = 100 };
static const struct {
  const char *name;
  live_prover *run;  // NULL: for justice only
} provers[] = {{"bmc", prove_by_bmc}, {"induction", prove_by_induction},
               {"ic3", prove_by_ic3}, {"bdd", prove_by_bdd},
               {"counting", NULL},    {"live", NULL}};

typedef struct question {
  const netlist *net;
  const char *backend;
  live_prover *run;
  bool is_justice;
  live_proof how;
} question;

static void choose_backend (question *q) {
  for (size_t i = 0; i < sizeof provers / sizeof *provers; i++)
    if (!strcmp (provers[i].name, q->backend) && (provers[i].run || q->is_justice)) {
      q->run = provers[i].run;
      return;
    }
  diag_error (NULL, 0, 0, "there is no back end %s for this circuit", q->backend);
  exit (EXIT_USAGE);
}

static void ask (question *q, const prove_options *o, prove_result *r) {
  q->how = (live_proof){.method = LIVE_BY_SAFETY};
  if (!q->is_justice) q->run (q->net, 0, o, r);
  else if (q->run) prove_live_by_safety (q->net, 0, q->run, o, r);
  else if (!strcmp (q->backend, "live")) prove_live (q->net, 0, o, r, &q->how);
  else {
    q->how.method = LIVE_BY_COUNTING;
    prove_live_by_counting (q->net, 0, MOST_COUNTED, o, r, &q->how.count);
  }
}

static void say (void *state, const char *text) {
  (void) state;
  fprintf (stderr, "%s\n", text);
}

static bool is_proved (const question *q, const prove_certificate *c) {
  const budget none = {0};
  return q->is_justice ? live_proof_is_good (q->net, 0, q->how, c, &none) : certificate_is_good (q->net, 0, c, &none);
}

static bool is_shown (const question *q, const net_path *p) {
  return q->is_justice ? net_path_shows_justice (q->net, 0, p) : net_path_shows (q->net, 0, p);
}

static const char *check_and_name (const question *q, const prove_result *r) {
  switch (r->answer) {
  case PROVE_HOLDS: CHECK (is_proved (q, &r->certificate), "the certificate should be good"); return "safe";
  case PROVE_VIOLATED: CHECK (is_shown (q, &r->path), "the path should show what it is said to show"); return "bug";
  case PROVE_BOUNDED: return "bounded";
  default: return "unknown";
  }
}

int main (int argc, char **argv) {
  netlist n;
  strbuf why = {0};
  budget limit;
  prove_result r;
  if (argc < 4) {
    diag_error (NULL, 0, 0, "usage: prove-aiger bmc|induction|ic3|counting|live SECONDS FILE [SEED]");
    return EXIT_USAGE;
  }
  if (!aiger_read (&n, argv[3], &why)) {
    diag_error (NULL, 0, 0, "%s", strbuf_text (&why));
    return EXIT_USAGE;
  }
  if (!n.bads.count && !n.justice.count) {
    diag_error (NULL, 0, 0, "%s has neither a bad state nor a justice property", argv[3]);
    return EXIT_USAGE;
  }
  question q = {.net = &n, .backend = argv[1], .is_justice = !n.bads.count};
  choose_backend (&q);
  budget_start (&limit, atof (argv[2]), 0);
  prove_options options = {
      .budget = &limit, .seed = argc > 4 ? strtoull (argv[4], NULL, 10) : 0, .say = getenv ("PROVE_SAY") ? say : NULL};
  ask (&q, &options, &r);
  double seconds = budget_elapsed (&limit);
  printf ("%s depth=%u seconds=%.3f calls=%llu clauses=%llu obligations=%llu\n", check_and_name (&q, &r), r.depth,
          seconds, (unsigned long long) r.sat_calls, (unsigned long long) r.clauses,
          (unsigned long long) r.obligations);
  prove_result_release (&r);
  netlist_release (&n);
  strbuf_release (&why);
  return 0;
}
