// Baselines: the findings that a project has accepted, so that a run counts only new ones.  A file has one line per
// finding:
//
//   1f0c6a5e9b7d2483 race: data race on `count`: ...
//
// Only the sixteen digits matter; the rest is for readers.  Each line hides one finding, so a second finding with the
// same fingerprint is new.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "report/report_impl.h"

enum { DIGITS = 16 };

// ---- reading ----------------------------------------------------------------------------------------
static bool read_baseline_line (baseline *b, const char *line, unsigned number, strbuf *why) {
  line += strspn (line, " \t\r\n");
  if (!*line || *line == '#') return true;
  size_t digits = strspn (line, "0123456789abcdef");
  if (digits != DIGITS || !strchr (" \t\r\n", line[digits])) {  // strchr also finds the end of the string
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
    good = read_baseline_line (b, line, number, &problem);
    line = next;
  }
  if (read && !good) strbuf_printf (why, "%s is no baseline: %s", path, strbuf_text (&problem));
  strbuf_release (&problem);
  strbuf_release (&text);
  return good;
}

void baseline_release (baseline *b) { map_release (&b->lines); }

// ---- the verdict without them -----------------------------------------------------------------------
static void accept_known_findings (baseline *b, verdict *v) {
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

static const char *const nothing_new = "nothing but what the baseline accepts";

// Concludes the properties whose possible violations have all been accepted, if nothing else prevented an answer.
static void settle_possible (verdict *v) {
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++) {
    property_answer *a = &v->answers[p];
    if (!a->all_listed || has_possible (v, (ir_property) p)) continue;
    a->status = a->rest = v->bounds.count ? GOAL_BOUNDED : GOAL_PROVED;
    a->message = nothing_new;
    a->why = NULL;
  }
}

// A search that ended after a bug may have no reason of its own.
static const reason *reason_after_bug (const verdict *v) {
  static const reason ended = {REASON_ENGINE, "the search ended with what the baseline accepts", {0}};
  return v->reason ? v->reason : &ended;
}

static bool is_violated (const verdict *v, ir_property p) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].property == p && v->goals.data[k].status == GOAL_VIOLATED) return true;
  return false;
}

// Concludes the properties whose violations have all been accepted: their answer is what holds apart from these.
static void settle_violated (verdict *v) {
  for (uint32_t k = 0; k < v->accepted.count; k++) {
    const goal *g = &v->accepted.data[k];
    property_answer *a = &v->answers[g->property];
    if (a->status != GOAL_VIOLATED || is_violated (v, g->property)) continue;
    a->status = a->rest;
    if (a->status == GOAL_UNKNOWN) a->why = reason_after_bug (v);
    a->message = a->status == GOAL_UNKNOWN ? a->why->text : nothing_new;
    a->engine = g->engine;
  }
}

// Names the first bound of the verdict as the reason of all bounded properties.
static void set_first_bound (verdict *v) {
  const reason *first = reason_new (v->arena, REASON_BOUND, v->bounds.count ? v->bounds.data[0] : NULL);
  for (uint32_t p = 0; p < IR_NUM_QUESTIONS; p++)
    if (first && v->answers[p].status == GOAL_BOUNDED) v->answers[p].why = first;
}

void baseline_apply (baseline *b, verdict *v, uint32_t asked) {
  accept_known_findings (b, v);
  if (v->accepted.count) {
    settle_possible (v);
    settle_violated (v);
    set_first_bound (v);
    verdict_settle (v, asked);
    verdict_add_note (v, "%u finding%s accepted by the baseline %s %s hidden", v->accepted.count,
                      v->accepted.count == 1 ? "" : "s", b->path, v->accepted.count == 1 ? "is" : "are");
  }
  if (b->unmatched)
    verdict_add_note (v, "%u line%s of the baseline %s match%s nothing that was found", b->unmatched,
                      b->unmatched == 1 ? "" : "s", b->path, b->unmatched == 1 ? "es" : "");
}

// ---- writing ----------------------------------------------------------------------------------------
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
