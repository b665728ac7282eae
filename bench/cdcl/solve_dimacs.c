// solve-dimacs SECONDS FILE [PROOF]: puts a formula in DIMACS format to our own SAT solver, checks a model that comes
// out, prints the answer and counters in one line.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/vec.h"
#include "solver/cdcl/cdcl.h"

typedef struct formula {
  VEC (int) literals;  // of all clauses, each with 0 behind it
  int num_vars;
} formula;

static int skip_blanks (FILE *f) {
  int c;
  while ((c = getc_unlocked (f)) != EOF) {
    if (c == 'c' || c == 'p' || c == '%')
      while (c != '\n' && c != EOF) c = getc_unlocked (f);
    else if (!isspace (c)) break;
  }
  return c;
}

static bool read_number (FILE *f, int *number) {
  int c = skip_blanks (f), sign = 1;
  if (c == EOF) return false;
  if (c == '-') {
    sign = -1;
    c = getc_unlocked (f);
  }
  for (*number = 0; isdigit (c); c = getc_unlocked (f)) *number = 10 * *number + (c - '0');
  *number *= sign;
  return true;
}

static void read_formula (formula *f, FILE *file) {
  int literal;
  while (read_number (file, &literal)) {
    vec_push (&f->literals, literal);
    if (abs (literal) > f->num_vars) f->num_vars = abs (literal);
  }
}

static void add_formula (cdcl *s, const formula *f) {
  for (int i = 0; i < f->num_vars; i++) cdcl_new_var (s);
  for (uint32_t from = 0, i = 0; i < f->literals.count; i++) {
    if (f->literals.data[i]) continue;
    cdcl_add_clause (s, f->literals.data + from, i - from);
    from = i + 1;
  }
}

static bool is_model (const cdcl *s, const formula *f) {
  bool holds = false;
  for (uint32_t i = 0; i < f->literals.count; i++) {
    int literal = f->literals.data[i];
    if (literal) holds |= cdcl_value (s, literal);
    else if (!holds) return false;
    else holds = false;
  }
  return true;
}

static const char *answer_of (cdcl *s, const formula *f) {
  switch (cdcl_solve (s, NULL, 0)) {
  case SAT_YES: CHECK (is_model (s, f), "the model should satisfy all clauses"); return "SAT";
  case SAT_NO: return "UNSAT";
  default: return "UNKNOWN";
  }
}

int main (int argc, char **argv) {
  if (argc < 3) {
    diag_error (NULL, 0, 0, "usage: solve-dimacs SECONDS FILE [PROOF]");
    return EXIT_USAGE;
  }
  FILE *in = fopen (argv[2], "r"), *proof = argc > 3 ? fopen (argv[3], "w") : NULL;
  if (!in || (argc > 3 && !proof)) {
    diag_error (NULL, 0, 0, "cannot open %s", in ? argv[3] : argv[2]);
    return EXIT_USAGE;
  }
  budget limit;
  formula f = {.num_vars = 0};
  budget_start (&limit, atof (argv[1]), 0);
  read_formula (&f, in);
  cdcl *s = cdcl_new (&limit);
  if (proof) cdcl_write_proof (s, proof);
  add_formula (s, &f);
  double parsed = budget_elapsed (&limit);
  const char *answer = answer_of (s, &f);
  const cdcl_counters *c = cdcl_statistics (s);
  printf ("%s seconds=%.3f read=%.3f decisions=%llu conflicts=%llu propagations=%llu restarts=%llu "
          "learnt-literals=%.1f minimised=%.2f deleted=%llu\n",
          answer, budget_elapsed (&limit), parsed, (unsigned long long) c->decisions, (unsigned long long) c->conflicts,
          (unsigned long long) c->propagations, (unsigned long long) c->restarts,
          (double) (c->learnt_literals - c->minimised_literals) / (double) (c->learnt ? c->learnt : 1),
          (double) c->minimised_literals / (double) (c->learnt_literals ? c->learnt_literals : 1),
          (unsigned long long) c->deleted);
  cdcl_free (s);
  vec_release (&f.literals);
  fclose (in);
  if (proof) fclose (proof);
  return 0;
}
