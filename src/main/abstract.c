// `lockstep abstract`: the program as a Boolean one over predicates, which `lockstep check x.bp` and other checkers of such programs read.
#include "base/diag.h"
#include "engine/boolean/model.h"
#include "main/main_impl.h"

// The usual properties are those that it can be about, unless the user names others.
static bool asks_for_others (const making *m) {
  uint32_t properties = m->semantics.properties;
  return m->options->value[OPT_PROPERTY].given ? properties & ~(uint32_t) BOOLEAN_PROPERTIES
                                               : !(properties & BOOLEAN_PROPERTIES);
}

static bool options_fit (const making *m) {
  const char *path = m->options->value[OPT_OUTPUT].text;
  if (!path) diag_error (NULL, 0, 0, "where should the Boolean program go? -o FILE.bp, or -o - for standard output");
  else if (asks_for_others (m))
    diag_error (NULL, 0, 0,
                "--property: a Boolean program can be about assertions, misuse of locks, memory errors, overflows and "
                "uninitialised values only");
  else return outputs_are_possible (m->options);
  return false;
}

static bool make (making *m, engine_run *r) {
  strbuf text = {0};
  verdict_stop (&m->verdict, boolean_abstract (r, &text));
  bool good = !m->verdict.stop && making_write (m, &text);
  strbuf_release (&text);
  return good;
}

int command_abstract (const options *o, double start) {
  making m = {.options = o, .what = "Boolean program", .engine = &engine_boolean, .make = make};
  m.semantics = load_semantics (o);
  return options_fit (&m) ? making_run (&m, start) : EXIT_USAGE;
}
