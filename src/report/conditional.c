// Prints conditional violations, separately from the bugs: what is wrong, where, and the conditions.  The text report
// leaves out their interleavings unless --full-trace is given.
#include "report/report_impl.h"

const char *conditions_text (arena *a, const goal *g) {
  strbuf text = {0};
  for (uint32_t i = 0; i < g->conditions.count; i++) {
    const goal_condition *c = &g->conditions.data[i];
    strbuf_printf (&text, "%s%s", i ? " and " : "", c->text);
    if (c->pos.file) strbuf_printf (&text, " (%s:%u)", c->pos.file, c->pos.line);
  }
  const char *kept = arena_strdup (a, strbuf_text (&text));
  strbuf_release (&text);
  return kept;
}

void report_conditions (const goal *g, FILE *out) {
  arena *a = arena_new ();
  fprintf (out, "  only if %s\n", utf8_printable (a, conditions_text (a, g)));
  arena_free (a);
}

static void print_conditional (const goal *g, const report_style *style, FILE *out) {
  report_goal (g, style, out);
  report_conditions (g, out);
  if (style->quiet || !style->full_trace) return;
  report_trace (g, style, out);
  fputc ('\n', out);
}

void report_conditional (const report_input *in, FILE *out) {
  bool first = true;
  for (uint32_t i = 0; i < in->verdict->goals.count; i++) {
    const goal *g = &in->verdict->goals.data[i];
    if (g->status != GOAL_CONDITIONAL) continue;
    if (first && !in->style.quiet) fputs ("\nno bugs, but found on conditions that lockstep has invented:\n", out);
    first = false;
    print_conditional (g, &in->style, out);
  }
}
