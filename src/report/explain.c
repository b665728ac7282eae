// --explain: prints below each finding why it is a bug and what may help.
#include <string.h>

#include "report/explain_impl.h"

enum { INDENT = 7 };  // of "  why: "

static void print_explanation (const char *label, strbuf *text, const report_style *style, arena *a, FILE *out) {
  if (!text->count) return;
  unsigned columns = style->columns ? style->columns : REPORT_COLUMNS, column = INDENT;
  fprintf (out, "  %s%s:%s ", color_on (style, COLOR_TITLE), label, color_off (style));
  for (const char *word = utf8_printable (a, strbuf_text (text)); *word; word += strspn (word, " ")) {
    int length = (int) strcspn (word, " ");
    unsigned width = (unsigned) utf8_width (arena_printf (a, "%.*s", length, word));
    bool first = column == INDENT;
    if (!first && column + 1 + width > columns) fprintf (out, "\n%*s", INDENT, ""), column = INDENT;
    else if (!first) fputc (' ', out), column++;
    fprintf (out, "%.*s", length, word);
    column += width;
    word += length;
  }
  fputc ('\n', out);
}

static void explain_finding (explanation *e) {
  switch (e->goal->property) {
  case IR_P_RACE: explain_race (e); break;
  case IR_P_DEADLOCK: explain_deadlock (e); break;
  case IR_P_LOCKS: explain_misuse (e); break;
  case IR_P_MEMORY: explain_memory (e); break;
  default: explain_assert (e); break;
  }
  explain_wakeups (e);
}

void report_explanation (const verdict *v, const goal *g, const report_style *style, FILE *out) {
  explanation e = {.verdict = v, .goal = g, .arena = arena_new ()};
  if (!goal_is_formula (g)) explain_finding (&e);
  if (e.why.count || e.fix.count) fputc ('\n', out);
  print_explanation ("why", &e.why, style, e.arena, out);
  print_explanation ("fix", &e.fix, style, e.arena, out);
  strbuf_release (&e.why);
  strbuf_release (&e.fix);
  arena_free (e.arena);
}
