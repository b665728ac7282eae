// Orders the findings of the text report.  Confirmed violations come before possible ones (possible.c), then the more
// severe property: memory errors and failed assertions are wrong results already, races and deadlocks depend on the
// schedule, misuse of a lock may still be harmless.  Findings about one variable or lock stand together, at the
// position of the first of them.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_impl.h"

unsigned severity_rank (ir_property p) {
  static const ir_property order[] = {IR_P_MEMORY, IR_P_UNINIT,   IR_P_ASSERT, IR_P_OVERFLOW,
                                      IR_P_RACE,   IR_P_DEADLOCK, IR_P_LOCKS,  IR_P_LEAK};
  unsigned rank = 0;
  while (rank < IR_NUM_PROPERTIES && order[rank] != p) rank++;
  return rank;
}

static bool is_word_character (char c) { return isalnum ((unsigned char) c) || c == '_'; }

const char *without_numbers (arena *a, const char *text) {
  strbuf b = {0};
  for (const char *c = text; *c;) {
    bool number = isdigit ((unsigned char) *c) && (c == text || !is_word_character (c[-1]));
    if (!number) strbuf_add_char (&b, *c++);
    else {
      strbuf_add_char (&b, '#');
      while (isdigit ((unsigned char) *c)) c++;
    }
  }
  const char *copy = arena_strdup (a, strbuf_text (&b));
  strbuf_release (&b);
  return copy;
}

// ---- groups -----------------------------------------------------------------------------------------
static int by_severity (const void *x, const void *y) {
  const group_member *a = x, *b = y;
  unsigned p = severity_rank (a->goal->property), q = severity_rank (b->goal->property);
  if (p != q) return p < q ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static int compare_by_group (const void *x, const void *y) {
  const group_member *a = x, *b = y;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return by_severity (x, y);
}

static bool same_subject (arena *a, const goal *g, const goal *h) {
  if (!g->about || !h->about) return false;
  arena_mark mark = arena_get_mark (a);
  bool same = !strcmp (without_numbers (a, g->about), without_numbers (a, h->about));
  arena_reset (a, mark);
  return same;
}

static void assign_groups (arena *a, grouping *g) {
  for (uint32_t k = 0; k < g->count; k++) {
    uint32_t i = 0;
    while (i < k && !same_subject (a, g->data[i].goal, g->data[k].goal)) i++;
    g->data[k].group = i < k ? g->data[i].group : k;
  }
}

void group_bugs (const verdict *v, grouping *g) {
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (v->goals.data[k].status == GOAL_VIOLATED) vec_push (g, ((group_member){&v->goals.data[k], k, 0}));
  if (!g->count) return;
  arena *a = arena_new ();
  qsort (g->data, g->count, sizeof *g->data, by_severity);
  assign_groups (a, g);
  qsort (g->data, g->count, sizeof *g->data, compare_by_group);
  arena_free (a);
}

uint32_t group_end (const grouping *g, uint32_t first) {
  uint32_t last = first + 1;
  while (last < g->count && g->data[last].group == g->data[first].group) last++;
  return last;
}

// ---- headings ---------------------------------------------------------------------------------------
// Prints a heading: "`count`: 1 failed assertion, 2 races".
static void print_heading (const grouping *g, uint32_t first, uint32_t last, const report_style *style, FILE *out) {
  static const char *const nouns[IR_NUM_QUESTIONS] = {[IR_P_ASSERT] = "failed assertion",
                                                      [IR_P_RACE] = "race",
                                                      [IR_P_DEADLOCK] = "deadlock",
                                                      [IR_P_LOCKS] = "lock misuse",
                                                      [IR_P_MEMORY] = "memory error",
                                                      [IR_P_OVERFLOW] = "overflow",
                                                      [IR_P_LEAK] = "leak",
                                                      [IR_P_UNINIT] = "unwritten value",
                                                      [IR_P_FORMULA] = "broken formula"};
  arena *a = arena_new ();
  fprintf (out, "%s`%s`: ", color_on (style, COLOR_TITLE), utf8_printable (a, g->data[first].goal->about));
  for (uint32_t k = first, end; k < last; k = end) {
    ir_property p = g->data[k].goal->property;
    for (end = k; end < last && g->data[end].goal->property == p;) end++;
    fprintf (out, "%s%u %s%s", k > first ? ", " : "", end - k, nouns[p], end - k == 1 ? "" : "s");
  }
  fprintf (out, "%s\n\n", color_off (style));
  arena_free (a);
}

// The first finding of a property shows the interleaving; the next ones of the group differ little from it.
static void print_member (const report_input *in, const goal *g, bool in_full, FILE *out) {
  report_goal (g, &in->style, out);
  fputc ('\n', out);
  if (in_full) report_trace (g, &in->style, out);
  else fprintf (out, "  (like the one before; --full-trace shows this interleaving too)\n");
  if (in->style.explain) report_explanation (in->verdict, g, &in->style, out);
}

void report_groups (const report_input *in, FILE *out) {
  grouping g = {0};
  group_bugs (in->verdict, &g);
  for (uint32_t first = 0, last; first < g.count; first = last) {
    last = group_end (&g, first);
    for (uint32_t k = first; k < last; k++) {
      fputc ('\n', out);
      if (k == first && last - first > 1) print_heading (&g, first, last, &in->style, out);
      bool again = k > first && g.data[k - 1].goal->property == g.data[k].goal->property;
      print_member (in, g.data[k].goal, !again || in->style.full_trace, out);
    }
  }
  vec_release (&g);
}
