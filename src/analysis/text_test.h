// Programs in text form, for tests. Locations may be numbered with gaps, which the format does not allow; edges are
// found by their names.
#ifndef LOCKSTEP_TEXT_TEST_H
#define LOCKSTEP_TEXT_TEST_H

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "base/test.h"
#include "ir/ir.h"

// Numbers the locations in order of appearance.
static inline void number_locations (const char *text, strbuf *out) {
  map numbers = {0};
  for (char before = ' '; *text; before = *text++) {
    strbuf_add_char (out, *text);
    if (isalnum (before) || text[0] != 'L' || !isdigit (text[1])) continue;
    char *end;
    uint64_t name = strtoul (text + 1, &end, 10);
    strbuf_printf (out, "%u", (unsigned) *map_insert (&numbers, name, numbers.entries.count, NULL));
    text = end - 1;
  }
  map_release (&numbers);
}

// The caller frees the result.
static inline ir_program *program_of_text (const char *text) {
  char *error = NULL;
  strbuf numbered = {0};
  number_locations (text, &numbered);
  ir_program *p = ir_parse (strbuf_text (&numbered), "t.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s\n%s", error, strbuf_text (&numbered));
  strbuf_release (&numbered);
  return p;
}

static inline ir_edge edge_named (const ir_program *p, const char *name) {
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].name && !strcmp (p->edges.data[e].name, name)) return (ir_edge){e};
  fail_msg ("no edge is named %s", name);
  return (ir_edge){0};
}

#endif
