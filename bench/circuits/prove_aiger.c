// prove-aiger BACKEND SECONDS FILE [SEED]: puts the first bad state of an AIGER file to one back end, checks its answer, and prints one line.
// With PROVE_SAY in the environment the back end tells how far it is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "netlist/aiger.h"
#include "netlist/simulate.h"
#include "prove/prove.h"

typedef void prover (const netlist *, uint32_t bad, const prove_options *, prove_result *);
static const struct {
  const char *name;
  prover *run;
} provers[] = {{"bmc", prove_by_bmc}, {"induction", prove_by_induction}, {"ic3", prove_by_ic3}};

static prover *find_prover (const char *name) {
  for (size_t i = 0; i < sizeof provers / sizeof *provers; i++)
    if (!strcmp (provers[i].name, name)) return provers[i].run;
  diag_error (NULL, 0, 0, "there is no back end %s", name);
  exit (EXIT_USAGE);
}

static void say (void *state, const char *text) {
  (void) state;
  fprintf (stderr, "%s\n", text);
}

static const char *check_and_name (const netlist *n, const prove_result *r, const budget *b) {
  switch (r->answer) {
  case PROVE_HOLDS:
    CHECK (certificate_is_good (n, 0, &r->certificate, b), "the certificate should be good");
    return "safe";
  case PROVE_VIOLATED: CHECK (net_path_shows (n, 0, &r->path), "the path should lead to the bad state"); return "bug";
  case PROVE_BOUNDED: return "bounded";
  default: return "unknown";
  }
}

int main (int argc, char **argv) {
  netlist n;
  strbuf why = {0};
  budget limit, none = {0};
  prove_result r;
  if (argc < 4) {
    diag_error (NULL, 0, 0, "usage: prove-aiger bmc|induction|ic3 SECONDS FILE [SEED]");
    return EXIT_USAGE;
  }
  if (!aiger_read (&n, argv[3], &why)) {
    diag_error (NULL, 0, 0, "%s", strbuf_text (&why));
    return EXIT_USAGE;
  }
  CHECK (n.bads.count, "the circuit should have a bad state");
  budget_start (&limit, atof (argv[2]), 0);
  prove_options options = {
      .budget = &limit, .seed = argc > 4 ? strtoull (argv[4], NULL, 10) : 0, .say = getenv ("PROVE_SAY") ? say : NULL};
  find_prover (argv[1]) (&n, 0, &options, &r);
  double seconds = budget_elapsed (&limit);
  printf ("%s depth=%u seconds=%.3f calls=%llu clauses=%llu obligations=%llu\n", check_and_name (&n, &r, &none),
          r.depth, seconds, (unsigned long long) r.sat_calls, (unsigned long long) r.clauses,
          (unsigned long long) r.obligations);
  prove_result_release (&r);
  netlist_release (&n);
  strbuf_release (&why);
  return 0;
}
