// The back ends that --backend names.
#include "engine/circuit/backend.h"

#include "engine/circuit/circuit_options.h"

backend *backend_for (const task *t) {
  switch (circuit_options_of (t)->backend) {
  case BACKEND_AUTO: return t->jobs > 1 ? prove_by_race : NULL;
  case BACKEND_BMC: return prove_by_bmc;
  case BACKEND_INDUCTION: return prove_by_induction;
  case BACKEND_IC3: return prove_by_ic3;
  case BACKEND_BDD: return prove_by_bdd;
  case BACKEND_ABC: return prove_by_abc;
  }
  return NULL;
}

void show_backend_progress (void *run, const char *text) {
  engine_run *r = run;
  if (r->progress) r->progress (r->progress_state, text);
}

bool backend_fits (const ir_program *p, const task *t, strbuf *why) {
  (void) p;
  if (backend_for (t) != prove_by_abc || prove_abc_is_there ()) return true;
  strbuf_add (why,
              "--backend=abc needs the program berkeley-abc, which is not installed (Debian: package berkeley-abc)");
  return false;
}
