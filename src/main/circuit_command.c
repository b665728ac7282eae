// `lockstep circuit`: writes the program as a sequential circuit, for other model checkers.  `lockstep replay --aiger`
// executes the paths that they find.
#include "base/diag.h"
#include "engine/circuit/circuit_model.h"
#include "main/main_impl.h"

static bool check_circuit_options (const options *o, circuit_language *language) {
  const option_setting *value = o->value;
  const char *path = value[OPT_OUTPUT].text;
  if (!path) diag_error (NULL, 0, 0, "where should the circuit go? -o FILE.aig, .aag or .btor2");
  else if ((*language = circuit_language_of (path)) == NUM_CIRCUIT_LANGUAGES)
    diag_error (NULL, 0, 0, "-o: the name %s does not end in .aig, .aag or .btor2, which say what is written", path);
  else if (*language == CIRCUIT_BTOR2 && (value[OPT_PLAIN].number || value[OPT_WHOLE].number))
    diag_error (NULL, 0, 0, "--plain and --whole are for AIGER, not for .btor2");
  else return outputs_are_possible (o);
  return false;
}

// Drops properties that a circuit cannot express, unless the user has requested them.
bool circuit_choose_properties (const options *o, const ir_program *program, semantics *s) {
  const char *why_not;
  task t = load_task (o, s);
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++)
    if (s->properties & ~engine_circuit.properties & 1u << p) {
      diag_error (NULL, 0, 0, "a circuit does not check %s", ir_property_name[p]);
      return false;
    }
  if (engine_applies (&engine_circuit, program, &t, &why_not)) return true;
  t.semantics.properties &= ~(1u << IR_P_DEADLOCK);
  if (!o->value[OPT_PROPERTY].given && engine_applies (&engine_circuit, program, &t, &why_not)) {
    *s = t.semantics;
    return true;
  }
  diag_error (NULL, 0, 0, "%s", why_not);
  return false;
}

static void print_circuit_summary (const circuit_model *c, circuit_language l, const char *path) {
  const netlist *n = circuit_written (c);
  net_size size = netlist_size (n);
  printf ("%s: ", path);
  if (l != CIRCUIT_BTOR2) printf ("%u inputs, %u latches, %u gates; ", size.inputs, size.latches, size.ands);
  printf ("bad states:");
  for (uint32_t k = 0; k < n->bads.count; k++) printf ("%s %u %s", k ? "," : "", k, n->bads.data[k].name);
  printf ("\n");
  if (!c->lowered.is_exact) printf ("results of operations on floats are any value\n");
}

static bool write_circuit (const output_command *m, const circuit_model *c, circuit_language l) {
  strbuf origin = {0}, bytes = {0};
  origin_print (m->options, load_hash (m->program), &origin);
  circuit_print (c, l, strbuf_text (&origin), &bytes);
  bool good = output_command_write (m, &bytes);
  strbuf_release (&origin);
  strbuf_release (&bytes);
  return good;
}

static bool write_circuit_model (output_command *m, engine_run *r) {
  const option_setting *value = m->options->value;
  const circuit_language *language = m->state;
  circuit_model c;
  circuit_form form = {.whole = value[OPT_WHOLE].number != 0, .plain = value[OPT_PLAIN].number != 0};
  if (!circuit_model_init (&c, r, form)) return false;
  bool good = write_circuit (m, &c, *language);
  if (good && !value[OPT_QUIET].number) print_circuit_summary (&c, *language, value[OPT_OUTPUT].text);
  circuit_model_release (&c);
  return good;
}

int command_circuit (const options *o, double start) {
  if (o->value[OPT_CHECK_CERTIFICATE].text) return certificate_check (o, start);
  circuit_language language;
  if (!check_circuit_options (o, &language)) return EXIT_USAGE;
  output_command m = {.options = o,
                      .what = "circuit",
                      .engine = &engine_circuit,
                      .choose = circuit_choose_properties,
                      .make = write_circuit_model};
  m.semantics = load_semantics (o);
  m.state = &language;
  return output_command_run (&m, start);
}
