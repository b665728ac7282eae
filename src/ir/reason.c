// Reasons and their words.  No code parses the words: a reason that is sent to another process is sent with its kind.
#include "ir/reason.h"

#include <stdarg.h>
#include <string.h>

#include "base/strbuf.h"

const reason reason_out_of_memory = {REASON_MEMORY, "out of memory", {0}};

static const reason *reason_in_arena (arena *a, reason r) {
  reason *kept = arena_alloc (a, sizeof *kept);
  *kept = r;
  return kept;
}

const reason *reason_new (arena *a, reason_kind kind, const char *text) {
  if (!text) return NULL;
  return reason_in_arena (a, (reason){.kind = kind, .text = arena_strdup (a, text)});
}

const reason *reason_copy (arena *a, const reason *r) {
  return r ? reason_in_arena (a, (reason){r->kind, arena_strdup (a, r->text), r->place}) : NULL;
}

static const reason *format_reason (arena *a, reason_kind kind, const char *prefix, const char *format,
                                    va_list values) {
  strbuf text = {0};
  strbuf_add (&text, prefix);
  strbuf_vprintf (&text, format, values);
  const reason *r = reason_new (a, kind, strbuf_text (&text));
  strbuf_release (&text);
  return r;
}

const reason *reason_printf (arena *a, reason_kind kind, const char *format, ...) {
  va_list values;
  va_start (values, format);
  const reason *r = format_reason (a, kind, "", format, values);
  va_end (values);
  return r;
}

const reason *reason_internal (arena *a, const char *format, ...) {
  va_list values;
  va_start (values, format);
  const reason *r = format_reason (a, REASON_INTERNAL, "internal error: ", format, values);
  va_end (values);
  return r;
}

const reason *reason_of_budget (arena *a, const budget *b) {
  static const reason_kind kinds[] = {
      [LIMIT_TIME] = REASON_TIME, [LIMIT_MEMORY] = REASON_MEMORY, [LIMIT_SIGNAL] = REASON_INTERRUPTED};
  budget_limit limit = budget_limit_met (b);
  return limit == LIMIT_NONE ? NULL : reason_new (a, kinds[limit], budget_limit_text (b, limit));
}

bool reason_says_the_same (const reason *a, const reason *b) {
  return a == b || (a && b && a->kind == b->kind && !strcmp (a->text, b->text));
}

// ---- places of the program ---------------------------------------------------------------------------------
static const reason *reason_with_place (arena *a, const ir_program *p, ir_edge place, bool is_unsupported,
                                        const char *what) {
  ir_position pos = ir_edge_at (p, place)->pos;
  return reason_in_arena (
      a, (reason){.kind = is_unsupported ? REASON_UNSUPPORTED : REASON_PLACE,
                  .text = arena_printf (a, "%s:%u: %s%s", pos.file ? pos.file : "?", pos.line,
                                        is_unsupported ? "unsupported: " : "", what ? what : "a construct"),
                  .place = pos});
}

const reason *reason_at (arena *a, const ir_program *p, ir_edge place, const char *what) {
  return reason_with_place (a, p, place, false, what);
}

const reason *reason_unsupported (arena *a, const ir_program *p, ir_edge place, const char *construct) {
  return reason_with_place (a, p, place, true, construct);
}

const reason *reason_of_edge (arena *a, const ir_program *p, ir_edge place, ir_edge e, const char *what) {
  return reason_with_place (a, p, place, ir_edge_at (p, e)->op == IR_UNSUPPORTED, what);
}
