// The names of back ends.
#include "engine/circuit/backend.h"

#include <string.h>

static const struct {
  const char *name;
  backend *run;
} backends[] = {{"bmc", prove_by_bmc},
                {"induction", prove_by_induction},
                {"ic3", prove_by_ic3},
                {"bdd", prove_by_bdd},
                {"abc", prove_by_abc}};

backend *backend_for (const task *t) {
  for (size_t k = 0; t->backend && k < sizeof backends / sizeof *backends; k++)
    if (!strcmp (t->backend, backends[k].name)) return backends[k].run;
  return t->jobs > 1 ? prove_by_race : NULL;
}

bool backend_fits (const ir_program *p, const task *t, strbuf *why) {
  (void) p;
  if (backend_for (t) != prove_by_abc || prove_abc_is_there ()) return true;
  strbuf_add (why,
              "--backend=abc needs the program berkeley-abc, which is not installed (Debian: package berkeley-abc)");
  return false;
}
