// Makes the circuit of a program in the same steps as the engine: machine, large steps, gates, then the reduction.
#include "engine/circuit/circuit_model.h"

#include <string.h>

#include "base/cutoff.h"
#include "base/diag.h"
#include "engine/circuit/btor2.h"
#include "engine/circuit/circuit_trace.h"
#include "engine/machine.h"
#include "netlist/aiger.h"
#include "netlist/plain.h"
#include "netlist/netlist_simulate.h"

enum {
  EQUAL_CONFLICTS = 200,
  EQUAL_ANDS = 200000
};  // limits that do not depend on the clock: the circuit is the same each time

static void reduce_circuit_model (circuit_model *c, const budget *b) {
  VEC (uint32_t) all = {0};
  for (uint32_t k = 0; k < c->lowered.circuit.bads.count; k++) vec_push (&all, k);
  net_reduce_options o = {.budget = b, .conflicts = EQUAL_CONFLICTS, .max_ands = EQUAL_ANDS};
  net_reduce (&c->reduction, &c->lowered.circuit, &(net_goals){.bads = all.data, .num_bads = all.count}, &o);
  vec_release (&all);
}

static const netlist *before_plain (const circuit_model *c) {
  return c->form.whole ? &c->lowered.circuit : &c->reduction.circuit;
}

typedef struct circuit_model_job {
  circuit_model *model;
  engine_run *run;
} circuit_model_job;

static void build_circuit_model (void *state) {
  const circuit_model_job *z = state;
  circuit_model *c = z->model;
  engine_run *r = z->run;
  verdict_stop (r->verdict, engine_make_machine (r, c->properties, &c->machine, NULL));
  if (r->verdict->stop) return;
  system_init (&c->system, &c->machine, r->program, c->properties);
  lower_by_property (&c->system, c->properties, &c->lowered);
  if (!c->form.whole) reduce_circuit_model (c, r->budget);
  if (c->form.plain) netlist_make_plain (&c->plain, before_plain (c));
}

bool circuit_model_init (circuit_model *c, engine_run *r, circuit_form form) {
  *c = (circuit_model){.program = r->program, .properties = r->task->semantics.properties, .form = form};
  cutoff out = {.budget = r->budget};
  circuit_model_job z = {c, r};
  bool finished = cutoff_run (&out, build_circuit_model, &z);
  if (finished && r->verdict->stop) return false;
  const reason *spent = reason_of_budget (r->verdict->arena, r->budget);
  if (finished && !spent) return true;
  verdict_stop (r->verdict, spent);
  if (finished) circuit_model_release (c);  // the reduction may have stopped early
  return false;
}

void circuit_model_release (circuit_model *c) {
  if (c->form.plain) netlist_release (&c->plain);
  if (!c->form.whole) net_reduction_release (&c->reduction);
  lowered_release (&c->lowered);
  system_release (&c->system);
  efsm_release (&c->machine);
}

const netlist *circuit_written (const circuit_model *c) { return c->form.plain ? &c->plain : before_plain (c); }

ir_property circuit_property (const circuit_model *c, uint32_t bad) {
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if ((c->properties >> p & 1) && !bad--) return (ir_property) p;
  return IR_NUM_PROPERTIES;
}

// ---- files ------------------------------------------------------------------------------------------
circuit_language circuit_language_of (const char *path) {
  static const char *const suffix[] = {".aig", ".aag", ".btor2"};
  const char *dot = strrchr (path, '.');
  uint32_t k = 0;
  while (k < NUM_CIRCUIT_LANGUAGES && (!dot || strcmp (dot, suffix[k]))) k++;
  return (circuit_language) k;
}

void circuit_print (const circuit_model *c, circuit_language l, const char *comment, strbuf *out) {
  if (l == CIRCUIT_BTOR2) btor2_print (&c->system, c->properties, comment, out);
  else aiger_print (circuit_written (c), l == CIRCUIT_AAG ? AIGER_ASCII : AIGER_BINARY, comment, out);
}

// ---- paths ------------------------------------------------------------------------------------------
static bool lift (const circuit_model *c, const net_path *written, net_path *out) {
  net_path reduced = *written;
  if (c->form.plain) net_path_from_plain (before_plain (c), &c->plain, written, &reduced);
  bool good = true;
  if (!c->form.whole) {
    good = net_reduction_lift (&c->reduction, &c->lowered.circuit, &reduced, out);
    if (c->form.plain) net_path_release (&reduced);
    return good;
  }
  *out = (net_path){.length = reduced.length, .loop = reduced.loop};
  for (uint32_t k = 0; k < reduced.start.count; k++) vec_push (&out->start, reduced.start.data[k]);
  for (uint32_t k = 0; k < reduced.inputs.count; k++) vec_push (&out->inputs, reduced.inputs.data[k]);
  if (c->form.plain) net_path_release (&reduced);
  return true;
}

bool circuit_model_claim (circuit_model *c, uint32_t bad, const net_path *written, claim *out) {
  net_path path;
  if (!net_path_shows (circuit_written (c), bad, written) || !lift (c, written, &path)) return false;
  CHECK (net_path_shows (&c->lowered.circuit, bad, &path), "a path of a reduced circuit should be one of the circuit");
  VEC (bool) asked = {0};
  ir_property p = circuit_property (c, bad);
  for (uint32_t k = 0; k < c->system.goals.count; k++) vec_push (&asked, c->system.goals.data[k].property == p);
  uint32_t goal = circuit_trace (&c->system, &c->lowered, c->program, &path, asked.data, out);
  net_path_release (&path);
  vec_release (&asked);
  return goal != IR_NONE;
}
