// For tests: a program from its text, or the test fails and says why.
#ifndef LOCKSTEP_BOOLEAN_TEXT_TEST_H
#define LOCKSTEP_BOOLEAN_TEXT_TEST_H

#include "base/test.h"
#include "boolean/bp_program.h"

static inline bp_program *program_of (const char *text) {
  bp_error error = {0};
  bp_program *p = bp_parse (text, "test.bp", &error);
  if (!p) fail_msg ("%u:%u: %s\n%s", error.line, error.column, strbuf_text (&error.text), text);
  strbuf_release (&error.text);
  return p;
}

#endif
