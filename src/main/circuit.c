// `lockstep circuit`: the program as a sequential circuit in a file, for other model checkers.  What they find comes back through `lockstep replay --aiger`.
#include <string.h>

#include "base/diag.h"
#include "engine/circuit/model.h"
#include "main/main_impl.h"

typedef struct job {
  const options *options;
  circuit_language language;
  budget budget;
  semantics semantics;
  task task;
  ir_program *program;
  verdict verdict;
  bool good;
} job;

static bool options_fit (job *j) {
  const option_setting *value = j->options->value;
  const char *path = value[OPT_OUTPUT].text;
  if (!path) diag_error (NULL, 0, 0, "where should the circuit go? -o FILE.aig, .aag or .btor2");
  else if ((j->language = circuit_language_of (path)) == NUM_CIRCUIT_LANGUAGES)
    diag_error (NULL, 0, 0, "-o: the name %s does not end in .aig, .aag or .btor2, which say what is written", path);
  else if (j->language == CIRCUIT_BTOR2 && (value[OPT_PLAIN].number || value[OPT_WHOLE].number))
    diag_error (NULL, 0, 0, "--plain and --whole are for AIGER, not for .btor2");
  else {
    strbuf why = {0};
    bool good = report_file_probe (path, &why);
    if (!good) diag_error (NULL, 0, 0, "-o: %s", strbuf_text (&why));
    strbuf_release (&why);
    return good;
  }
  return false;
}

// Unless the user insists, what a circuit cannot express is not asked for.
bool circuit_choose_properties (const options *o, const ir_program *program, semantics *s) {
  const char *why_not;
  task t = load_task (o, s);
  if (engine_circuit.applies (program, &t, &why_not)) return true;
  t.semantics.properties &= ~(1u << IR_P_DEADLOCK);
  if (!o->value[OPT_PROPERTY].given && engine_circuit.applies (program, &t, &why_not)) {
    *s = t.semantics;
    return true;
  }
  diag_error (NULL, 0, 0, "%s", why_not);
  return false;
}

static void tell (const circuit_model *c, circuit_language l, const char *path) {
  const netlist *n = circuit_written (c);
  net_size size = netlist_size (n);
  printf ("%s: ", path);
  if (l != CIRCUIT_BTOR2) printf ("%u inputs, %u latches, %u gates; ", size.inputs, size.latches, size.ands);
  printf ("bad states:");
  for (uint32_t k = 0; k < n->bads.count; k++) printf ("%s %u %s", k ? "," : "", k, n->bads.data[k].name);
  printf ("\n");
  if (!c->lowered.is_exact) printf ("results of operations on floats are any value\n");
}

static bool write_circuit (job *j, const circuit_model *c) {
  strbuf origin = {0}, bytes = {0}, why = {0};
  const char *path = j->options->value[OPT_OUTPUT].text;
  origin_print (j->options, load_hash (j->program), &origin);
  circuit_print (c, j->language, strbuf_text (&origin), &bytes);
  bool good = report_file_write_bytes (path, &bytes, &why);
  if (!good) diag_error (NULL, 0, 0, "-o: %s", strbuf_text (&why));
  strbuf_release (&origin);
  strbuf_release (&bytes);
  strbuf_release (&why);
  return good;
}

static void make (void *state) {
  job *j = state;
  const option_setting *value = j->options->value;
  engine_run run = {.program = j->program,
                    .task = &j->task,
                    .budget = &j->budget,
                    .verdict = &j->verdict,
                    .engine = engine_circuit.name};
  circuit_model c;
  circuit_form form = {.whole = value[OPT_WHOLE].number != 0, .plain = value[OPT_PLAIN].number != 0};
  if (!circuit_model_init (&c, &run, form)) return;
  j->good = write_circuit (j, &c);
  if (j->good && !value[OPT_QUIET].number) tell (&c, j->language, value[OPT_OUTPUT].text);
  circuit_model_release (&c);
}

static int work (job *j) {
  j->task = load_task (j->options, &j->semantics);
  verdict_init (&j->verdict);
  bool finished = guard_run (make, j);
  const char *reason = finished ? j->verdict.reason : "out of memory";
  if (reason) diag_error (NULL, 0, 0, "there is no circuit: %s", reason);
  int code = reason ? EXIT_UNKNOWN : j->good && stdout_finish () ? 0 : EXIT_USAGE;
  verdict_release (&j->verdict);
  return code;
}

int command_circuit (const options *o, double start) {
  if (o->value[OPT_CHECK_CERTIFICATE].text) return certificate_check (o, start);
  job j = {.options = o, .semantics = load_semantics (o)};
  if (!options_fit (&j)) return EXIT_USAGE;
  load_budget (o, start, &j.budget);
  budget_catch_interrupts ();
  j.program = load_program (o);
  if (!j.program) return budget_interrupted () ? EXIT_UNKNOWN : EXIT_USAGE;
  int code = circuit_choose_properties (o, j.program, &j.semantics) ? work (&j) : EXIT_USAGE;
  ir_program_free (j.program);
  return code;
}
