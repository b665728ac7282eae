// Reasons are texts, since they go through processes, reports and the notes of a verdict; their form is fixed here, and nothing else reads it.
#include "ir/reason.h"

#include <ctype.h>
#include <string.h>

static const char unsupported[] = "unsupported: ";

static const char *place_and (arena *a, const ir_program *p, ir_edge place, const char *prefix, const char *what) {
  ir_position pos = ir_edge_at (p, place)->pos;
  return arena_printf (a, "%s:%u: %s%s", pos.file ? pos.file : "?", pos.line, prefix, what ? what : "a construct");
}

const char *reason_at (arena *a, const ir_program *p, ir_edge place, const char *what) {
  return place_and (a, p, place, "", what);
}

const char *reason_unsupported (arena *a, const ir_program *p, ir_edge place, const char *construct) {
  return place_and (a, p, place, unsupported, construct);
}

const char *reason_of_edge (arena *a, const ir_program *p, ir_edge place, ir_edge e, const char *what) {
  return place_and (a, p, place, ir_edge_at (p, e)->op == IR_UNSUPPORTED ? unsupported : "", what);
}

static bool begins (const char *text, const char *with) { return !strncmp (text, with, strlen (with)); }

// Behind "FILE:LINE: "; NULL: there is no such place.
static const char *behind_place (const char *text) {
  for (const char *c = strchr (text, ':'); c; c = strchr (c + 1, ':')) {
    const char *end = c + 1;
    while (isdigit ((unsigned char) *end)) end++;
    if (end > c + 1 && end[0] == ':' && end[1] == ' ') return end + 2;
    if (isspace ((unsigned char) c[1])) return NULL;
  }
  return NULL;
}

reason_kind reason_kind_of (const char *text) {
  if (!text) return REASON_NONE;
  if (begins (text, "internal error")) return REASON_INTERNAL;
  const char *what = behind_place (text);
  if (what) return begins (what, unsupported) ? REASON_UNSUPPORTED : REASON_PLACE;
  bool spent = begins (text, "time limit") || begins (text, "memory limit") || begins (text, "out of memory") ||
               begins (text, "interrupted");
  return spent ? REASON_BUDGET : REASON_ENGINE;
}
