// Baselines: the findings a project has accepted, so that a run counts only new ones.  A file has one line per finding,
//
//   1f0c6a5e9b7d2483 race: data race on `count`: ...
//
// of which only the sixteen digits matter; the rest is for people.  Each line hides one finding, so that a second one with
// the same fingerprint is new.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "report/report_impl.h"

enum { DIGITS = 16 };

// ---- reading ----------------------------------------------------------------------------------------------------------
static bool read_line (baseline *b, const char *line, unsigned number, strbuf *why) {
  line += strspn (line, " \t\r\n");
  if (!*line || *line == '#') return true;
  size_t digits = strspn (line, "0123456789abcdef");
  if (digits != DIGITS || !strchr (" \t\r\n", line[digits])) {  // the end of the string counts as found
    strbuf_printf (why, "line %u: expected a fingerprint of %d hexadecimal digits, or a comment behind #", number,
                   DIGITS);
    return false;
  }
  ++*map_insert (&b->lines, strtoull (line, NULL, 16), 0, NULL);
  return true;
}

bool baseline_load (baseline *b, const char *path, strbuf *why) {
  *b = (baseline){.path = path};
  strbuf text = {0}, problem = {0};
  bool read = file_read (path, NULL, &text, &problem, NULL), good = read;
  if (!read) strbuf_printf (why, "cannot read %s: %s (--write-baseline=FILE makes one)", path, strbuf_text (&problem));
  if (read && strlen (strbuf_text (&text)) != text.count) {
    strbuf_add (&problem, "it has a zero byte");
    good = false;
  }
  char *line = text.data;
  for (unsigned number = 1; good && line && *line; number++) {
    char *end = line + strcspn (line, "\n"), *next = *end ? end + 1 : end;
    *end = 0;
    good = read_line (b, line, number, &problem);
    line = next;
  }
  if (read && !good) strbuf_printf (why, "%s is no baseline: %s", path, strbuf_text (&problem));
  strbuf_release (&problem);
  strbuf_release (&text);
  return good;
}

void baseline_release (baseline *b) { map_release (&b->lines); }

// ---- the verdict without them -----------------------------------------------------------------------------------------
static void hide (baseline *b, verdict *v) {
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    uint64_t *left = report_has_fingerprint (g) ? map_find (&b->lines, report_fingerprint (g)) : NULL;
    if (!left || !*left) continue;
    --*left;
    verdict_accept_goal (v, k--);
  }
  for (uint32_t k = 0; k < b->lines.entries.count; k++) b->unmatched += (uint32_t) b->lines.entries.data[k].value;
}

static bool has_possible (const verdict *v, ir_property p) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].property == p && goal_is_possible (&v->goals.data[k])) return true;
  return false;
}

// An answer about the property itself.
static bool has_goal (const verdict *v, ir_property p) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].property == p && v->goals.data[k].status != GOAL_CONDITIONAL) return true;
  return false;
}

static const char *const nothing_new = "nothing but what the baseline accepts";

static void settle_possible (verdict *v) {
  for (uint32_t k = 0; k < v->goals.count; k++) {
    goal *g = &v->goals.data[k];
    if (!g->all_listed || has_possible (v, g->property)) continue;
    g->status = v->bounds.count ? GOAL_BOUNDED : GOAL_PROVED;
    g->message = nothing_new;
  }
}

// A search that has found a bug and ended need not have a reason to tell.
static const char *why_unknown (const verdict *v) {
  return v->reason ? v->reason : "the search ended with what the baseline accepts";
}

static void settle_violated (verdict *v) {
  for (uint32_t k = 0; k < v->accepted.count; k++) {
    const goal *g = &v->accepted.data[k];
    goal_status status = v->rest[g->property];
    if (has_goal (v, g->property)) continue;
    vec_push (&v->goals, ((goal){.id = ir_property_name[g->property],
                                 .property = g->property,
                                 .status = status,
                                 .engine = g->engine,
                                 .message = status == GOAL_UNKNOWN ? why_unknown (v) : nothing_new}));
  }
}

static const goal *worst_goal (const verdict *v) {
  const goal *worst = NULL;
  for (uint32_t k = 0; k < v->goals.count; k++) {
    const goal *g = &v->goals.data[k];
    if (g->status == GOAL_VIOLATED) return g;
    if (!goal_is_possible (g) && g->status != GOAL_CONDITIONAL && (!worst || g->status > worst->status)) worst = g;
  }
  return worst;
}

static void settle_verdict (verdict *v) {
  static const verdict_kind kinds[] = {VERDICT_BUG, VERDICT_SAFE, VERDICT_BOUNDED, VERDICT_UNKNOWN};
  const goal *worst = worst_goal (v);
  if (!worst || worst->status == GOAL_VIOLATED) return;
  v->kind = kinds[worst->status];
  if (v->kind == VERDICT_SAFE) v->reason = NULL;
  if (v->kind == VERDICT_BOUNDED && v->bounds.count) v->reason = v->bounds.data[0];
  if (v->kind == VERDICT_UNKNOWN && worst->message) v->reason = worst->message;
  const char *condition = verdict_conditional_reason (v);
  if (v->kind == VERDICT_UNKNOWN || !condition) return;
  v->kind = VERDICT_BOUNDED;
  v->reason = condition;
}

void baseline_apply (baseline *b, verdict *v) {
  hide (b, v);
  if (v->accepted.count) {
    settle_possible (v);
    settle_violated (v);
    settle_verdict (v);
    verdict_add_note (v, "%u finding%s accepted by the baseline %s %s hidden", v->accepted.count,
                      v->accepted.count == 1 ? "" : "s", b->path, v->accepted.count == 1 ? "is" : "are");
  }
  if (b->unmatched)
    verdict_add_note (v, "%u line%s of the baseline %s match%s nothing that was found", b->unmatched,
                      b->unmatched == 1 ? "" : "s", b->path, b->unmatched == 1 ? "es" : "");
}

// ---- writing ----------------------------------------------------------------------------------------------------------
static void write_goal (const goal *g, FILE *out) {
  arena *a = arena_new ();
  fprintf (out, "%016" PRIx64 " %s: %s\n", report_fingerprint (g), ir_property_name[g->property],
           g->message ? utf8_printable (a, g->message) : "");
  arena_free (a);
}

bool report_baseline (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  fputs ("# Findings of lockstep that are accepted: --baseline=FILE hides one for each line.  What follows the digits "
         "is for people.\n",
         out);
  for (uint32_t k = 0; k < v->accepted.count; k++) write_goal (&v->accepted.data[k], out);
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (report_has_fingerprint (&v->goals.data[k])) write_goal (&v->goals.data[k], out);
  return fflush (out) == 0 && !ferror (out);
}
