// `lockstep abstract`: writes the program as a Boolean program over predicates, for `lockstep check x.bp` and other
// checkers of Boolean programs.
#include "base/diag.h"
#include "engine/boolean/boolean_model.h"
#include "main/main_impl.h"

// Returns whether the user requests properties that a Boolean program cannot express; of the default properties only
// those are used that it can express.
static bool requests_other_properties (const output_command *m) {
  uint32_t properties = m->semantics.properties;
  return m->options->value[OPT_PROPERTY].given ? properties & ~(uint32_t) BOOLEAN_PROPERTIES
                                               : !(properties & BOOLEAN_PROPERTIES);
}

static bool check_abstract_options (const output_command *m) {
  const char *path = m->options->value[OPT_OUTPUT].text;
  if (!path) diag_error (NULL, 0, 0, "where should the Boolean program go? -o FILE.bp, or -o - for standard output");
  else if (requests_other_properties (m))
    diag_error (NULL, 0, 0,
                "--property: a Boolean program can be about assertions, misuse of locks, memory errors, overflows and "
                "uninitialised values only");
  else return outputs_are_possible (m->options);
  return false;
}

static bool write_abstraction (output_command *m, engine_run *r) {
  strbuf text = {0};
  verdict_stop (&m->verdict, boolean_abstract (r, &text));
  bool good = !m->verdict.stop && output_command_write (m, &text);
  strbuf_release (&text);
  return good;
}

int command_abstract (const options *o, double start) {
  output_command m = {.options = o, .what = "Boolean program", .engine = &engine_boolean, .make = write_abstraction};
  m.semantics = load_semantics (o);
  return check_abstract_options (&m) ? output_command_run (&m, start) : EXIT_USAGE;
}
