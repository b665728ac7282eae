// Writes the report for users: what was checked; each bug with the source lines and the interleaving; a line per
// property; what was assumed and what bounded the answer; and last the verdict.  Its reader is a C programmer who has
// not read a manual, so it avoids abbreviations that need one.
#include <string.h>

#include "base/limits.h"
#include "report/report_impl.h"

enum { SHOWN_FILES = 8 /* in the header */ };

const char *color_on (const report_style *style, color c) {
  static const char *const codes[] = {"\033[1m", "\033[1;31m", "\033[1;32m", "\033[2m"};
  return style->color ? codes[c] : "";
}

const char *color_off (const report_style *style) { return style->color ? "\033[0m" : ""; }

// Writes the verdict line.  It mentions the findings that a baseline hides wherever hiding them made the verdict
// better.
void report_verdict_line (const verdict *v, strbuf *out) {
  static const char *const texts[] = {"BUG", "SAFE", "NO BUG WITHIN BOUNDS", "UNKNOWN"};
  strbuf_printf (out, "VERDICT: %s", texts[v->kind]);
  const char *opening = " (";
  if (v->reason && *v->reason->text && v->kind >= VERDICT_BOUNDED) {
    strbuf_add (out, opening);
    for (const char *c = v->reason->text; *c; c++)
      strbuf_add_char (out, *c == '\n' || *c == '\r' ? ' ' : *c);  // one line
    opening = "; ";
  }
  if (v->accepted.count && v->kind != VERDICT_BUG)
    strbuf_printf (out, "%sbeside %u accepted finding%s", opening, v->accepted.count,
                   v->accepted.count == 1 ? "" : "s"),
        opening = "; ";
  if (*opening == ';') strbuf_add (out, ")");
}

static const char *property_title (const report_input *in, unsigned p) {
  return in->question ? in->question : ir_property_name[p];
}

static void print_report_header (const report_input *in, arena *a, FILE *out) {
  fprintf (out, "lockstep %s: ", in->version);
  uint32_t named = in->files.count > SHOWN_FILES ? SHOWN_FILES - 1 : in->files.count;
  for (uint32_t i = 0; i < named; i++) fprintf (out, "%s%s", i ? ", " : "", utf8_printable (a, in->files.data[i]));
  if (named < in->files.count) fprintf (out, " and %u more files", in->files.count - named);
  fprintf (out, "; engine %s", in->engine);
  const char *separator = "; properties ";
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (!(in->semantics->properties >> p & 1)) continue;
    fprintf (out, "%s%s", separator, property_title (in, p));
    separator = ", ";
  }
  fprintf (out, "; %.2f s\n", in->verdict->seconds);
}

// Whether the message names the position already.
static bool names_place (const char *message, ir_position pos, arena *a) {
  const char *place = arena_printf (a, "%s:%u", source_base_name (pos.file), pos.line),
             *found = strstr (message, place);
  char behind = found ? found[strlen (place)] : '0';
  return behind < '0' || behind > '9';
}

void report_title (const goal *g, const report_style *style, FILE *out) {
  arena *a = arena_new ();
  const char *message = g->message ? g->message : "violated";
  fprintf (out, "%s%s: %s%s", color_on (style, COLOR_BUG), g->id, utf8_printable (a, message), color_off (style));
  const goal_location *l = g->locations.count ? g->locations.data : NULL;
  if (l && l->pos.file && !names_place (message, l->pos, a))
    fprintf (out, " (%s:%u)", utf8_printable (a, l->pos.file), l->pos.line);
  fputc ('\n', out);
  arena_free (a);
}

static bool same_position (ir_position p, ir_position q) {
  return p.file && q.file && !strcmp (p.file, q.file) && p.line == q.line && p.column == q.column;
}

// Prints each location of the goal with its source line; threads at the same location share one excerpt.
void report_goal (const goal *g, const report_style *style, FILE *out) {
  arena *a = arena_new ();
  report_title (g, style, out);
  for (uint32_t i = 0; i < g->locations.count && !style->quiet; i++) {
    const goal_location *l = &g->locations.data[i];
    if (l->pos.file) fprintf (out, "  %s:%u:%u: ", utf8_printable (a, l->pos.file), l->pos.line, l->pos.column);
    else fputs ("  (no source position): ", out);
    fprintf (out, "thread %u", l->thread);
    if (l->function) fprintf (out, " in %s", utf8_printable (a, l->function));
    if (l->what) fprintf (out, ": %s", utf8_printable (a, l->what));
    fputc ('\n', out);
    bool again = i + 1 < g->locations.count && same_position (l->pos, g->locations.data[i + 1].pos);
    if (l->pos.file && !again) excerpt_show (out, style, l->pos.file, l->pos.line, l->pos.column);
  }
  arena_free (a);
}

static void print_formulas (const report_input *in, FILE *out) {
  for (uint32_t i = 0; i < in->verdict->goals.count; i++) {
    const goal *g = &in->verdict->goals.data[i];
    if (!goal_is_formula (g) || g->status == GOAL_VIOLATED) continue;
    if (!in->style.quiet) fputc ('\n', out);
    report_formula (g, &in->style, out);
  }
}

static uint32_t count_accepted (const verdict *v, ir_property p) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < v->accepted.count; i++) count += v->accepted.data[i].property == p;
  return count;
}

// Prints the line of a property: the worst answer about it.  Of several equal ones, the answer about the property as a
// whole counts.
static void print_property (const report_input *in, ir_property p, arena *a, FILE *out) {
  const verdict *v = in->verdict;
  unsigned found = 0, conditional = 0;
  const goal *worst = NULL;
  for (uint32_t i = 0; i < v->goals.count; i++) {
    const goal *g = &v->goals.data[i];
    if (g->property != p) continue;
    if (g->status == GOAL_VIOLATED) found++;
    else if (g->status == GOAL_CONDITIONAL) conditional++;
    else if (!worst || g->status > worst->status || goal_is_possible (worst)) worst = g;
  }
  fprintf (out, "%s: ", property_title (in, p));
  const char *on = color_on (&in->style, found                                   ? COLOR_BUG
                                         : worst && worst->status == GOAL_PROVED ? COLOR_GOOD
                                                                                 : COLOR_TITLE);
  if (found) fprintf (out, "%s%u found%s", on, found, color_off (&in->style));
  else {
    const char *text = !worst || worst->status == GOAL_UNKNOWN ? "unknown"
                       : worst->status == GOAL_PROVED          ? "none (proved)"
                                                               : "none within bounds";
    fprintf (out, "%s%s%s", on, text, color_off (&in->style));
    if (worst && worst->status == GOAL_UNKNOWN && worst->message && *worst->message)
      fprintf (out, " (%s)", utf8_printable (a, worst->message));
  }
  if (conditional) fprintf (out, ", %u only on a condition", conditional);
  uint32_t accepted = count_accepted (v, p);
  if (accepted) fprintf (out, ", beside %u accepted", accepted);
  fputc ('\n', out);
}

static void print_coverage (const verdict *v, arena *a, FILE *out) {
  strbuf text = {0};
  if (report_coverage (v, &text)) fprintf (out, "reached: %s\n", utf8_printable (a, strbuf_text (&text)));
  strbuf_release (&text);
}

static void print_list (const char *title, const char *const *texts, uint32_t count, arena *a, FILE *out) {
  summary lines = {0};
  summarise_texts (a, texts, count, &lines);
  if (count) fprintf (out, "\n%s:\n", title);
  for (uint32_t i = 0; i < lines.count; i++) fprintf (out, "  - %s\n", utf8_printable (a, lines.data[i]));
  vec_release (&lines);
}

// Prints the limits that were met.  They did not decide a verdict that is a bug or safe, so they are left out there.
static void print_limits (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  if (!v->limits.count || (v->kind < VERDICT_BOUNDED && !in->style.all_limits)) return;
  fputs ("\nlimits that were met (docs/limits.md):\n", out);
  for (uint32_t i = 0; i < v->limits.count; i++) {
    strbuf text = {0};
    limit_describe (v->limits.data[i], &text);
    fprintf (out, "  - %s\n", strbuf_text (&text));
    strbuf_release (&text);
  }
}

static void print_stats (const report_input *in, arena *a, FILE *out) {
  const verdict *v = in->verdict;
  size_t widest = strlen ("memory (bytes)");
  for (uint32_t i = 0; i < v->stats.count; i++)
    if (utf8_width (v->stats.data[i].name) > widest) widest = utf8_width (v->stats.data[i].name);
  fprintf (out, "\nstatistics:\n  %-*s %14.2f\n  %-*s %14zu\n", (int) widest, "time (s)", v->seconds, (int) widest,
           "memory (bytes)", in->memory_bytes);
  for (uint32_t i = 0; i < v->stats.count; i++) {
    const named_count *c = &v->stats.data[i];
    fprintf (out, "  %s%*s %14llu", c->name, (int) (widest - utf8_width (c->name)), "", (unsigned long long) c->value);
    if (c->note && *c->note) fprintf (out, "  (%s)", utf8_printable (a, c->note));
    fputc ('\n', out);
  }
}

static void print_titles (const report_input *in, FILE *out) {
  grouping bugs = {0};
  group_bugs (in->verdict, &bugs);
  for (uint32_t i = 0; i < bugs.count; i++) report_title (bugs.data[i].goal, &in->style, out);
  vec_release (&bugs);
  report_conditional (in, out);
  report_possible (in, out);
  print_formulas (in, out);
}

bool report_text (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  arena *a = arena_new ();
  if (in->style.quiet) print_titles (in, out);
  else {
    print_report_header (in, a, out);
    report_groups (in, out);
    report_conditional (in, out);
    report_possible (in, out);
    print_formulas (in, out);
    if (in->semantics->properties) fputc ('\n', out);
    for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++)
      if (in->semantics->properties >> p & 1) print_property (in, (ir_property) p, a, out);
    print_coverage (v, a, out);
    if (v->kind == VERDICT_BUG && v->reason)
      fprintf (out, "There may be more bugs; the search ended early: %s\n", utf8_printable (a, v->reason->text));
    print_list ("notes", v->notes.data, v->notes.count, a, out);
    print_list ("assumptions", v->assumptions.data, v->assumptions.count, a, out);
    print_list ("bounds", v->bounds.data, v->bounds.count, a, out);
    print_limits (in, out);
  }
  bool asked = in->style.lock_report || (in->semantics->properties >> IR_P_LOCKS & 1 && !in->style.quiet);
  if (in->style.stats) print_stats (in, a, out);
  if (in->style.stats || in->style.lock_report) report_protections (v, out);
  if (in->style.lock_report) report_lock_order (v, out);
  if (asked) report_uneven_returns (v, out);
  if (!in->style.quiet) fputc ('\n', out);
  strbuf line = {0};
  report_verdict_line (v, &line);
  const char *on = color_on (&in->style, v->kind == VERDICT_BUG    ? COLOR_BUG
                                         : v->kind == VERDICT_SAFE ? COLOR_GOOD
                                                                   : COLOR_TITLE);
  fprintf (out, "%s%s%s\n", on, utf8_printable (a, strbuf_text (&line)), color_off (&in->style));
  strbuf_release (&line);
  arena_free (a);
  return fflush (out) == 0 && !ferror (out);
}
