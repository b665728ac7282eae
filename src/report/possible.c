// Prints possible violations.  There may be hundreds, most of them about the same few variables, so they are grouped by
// what they are about.  Of each group the likeliest is shown in full, a few more by their titles, and the others are
// counted.
#include <stdlib.h>
#include <string.h>

#include "report/report_impl.h"

enum {
  IN_FULL = 3,    // groups shown in full
  BY_TITLE = 20,  // groups shown at least by title
  TITLES = 3,     // titles of a group, including the first one
  PERHAPS = 2     // may-held locks that are named per thread
};

typedef struct possible_entry {
  const goal *goal;
  uint32_t number, group;
} possible_entry;

typedef struct possible_list {
  const report_input *in;
  FILE *out;
  arena *arena;
  VEC (possible_entry) entries;  // by group, the likeliest first
} possible_list;

// ---- grouping -----------------------------------------------------------------------------------------------------
static bool same_group (const goal *a, const goal *b) {
  return a->property == b->property && a->about && b->about && !strcmp (a->about, b->about);
}

static int compare_by_rank (const void *x, const void *y) {
  const possible_entry *a = x, *b = y;
  unsigned p = severity_rank (a->goal->property), q = severity_rank (b->goal->property);
  if (p != q) return p < q ? -1 : 1;
  if (a->goal->doubt != b->goal->doubt) return a->goal->doubt < b->goal->doubt ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static int compare_entries (const void *x, const void *y) {
  const possible_entry *a = x, *b = y;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return compare_by_rank (x, y);
}

// Sorts the entries.  A group stands at the position of its likeliest member.
static void sort_entries (possible_list *l) {
  qsort (l->entries.data, l->entries.count, sizeof *l->entries.data, compare_by_rank);
  for (uint32_t k = 0; k < l->entries.count; k++) {
    possible_entry *e = &l->entries.data[k];
    e->group = k;
    for (uint32_t i = 0; i < k; i++)
      if (same_group (l->entries.data[i].goal, e->goal)) {
        e->group = l->entries.data[i].group;
        break;
      }
  }
  qsort (l->entries.data, l->entries.count, sizeof *l->entries.data, compare_entries);
}

static void collect_possible (possible_list *l) {
  const verdict *v = l->in->verdict;
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (goal_is_possible (&v->goals.data[k])) vec_push (&l->entries, ((possible_entry){&v->goals.data[k], k, 0}));
  if (l->entries.count) sort_entries (l);
}

// ---- one of them --------------------------------------------------------------------------------------------------
static void print_position (possible_list *l, ir_position pos) {
  if (pos.file) fprintf (l->out, "%s:%u", utf8_printable (l->arena, pos.file), pos.line);
  else fputs ("an unknown place", l->out);
}

static void print_lock (possible_list *l, const goal_lock *h) {
  fprintf (l->out, "%s%s (%staken at ", h->perhaps ? "perhaps " : "", utf8_printable (l->arena, h->name),
           h->reads ? "for reading, " : "");
  print_position (l, h->taken);
  for (uint32_t i = 0; i < h->num_after; i++)
    fprintf (l->out, "%s%s", i ? ", " : "; then taken: ", utf8_printable (l->arena, h->after[i]));
  fputs (")", l->out);
}

// Prints the held locks.  Of the may-held ones, a few are enough.
static void print_held (possible_list *l, const goal_side *s) {
  uint32_t perhaps = 0;
  fputs (s->held.count ? "    holds " : "    holds no locks", l->out);
  for (uint32_t k = 0; k < s->held.count; k++) {
    perhaps += s->held.data[k].perhaps;
    if (s->held.data[k].perhaps && perhaps > PERHAPS) continue;
    if (k) fputs (", ", l->out);
    print_lock (l, &s->held.data[k]);
  }
  if (perhaps > PERHAPS) fprintf (l->out, ", perhaps %u more", perhaps - PERHAPS);
  fputc ('\n', l->out);
}

static void print_stack (possible_list *l, const goal_side *s) {
  if (s->stack.count < 2) return;
  fputs ("    called: ", l->out);
  for (uint32_t k = 0; k < s->stack.count; k++) {
    fprintf (l->out, "%s%s", k ? " > " : "", utf8_printable (l->arena, s->stack.data[k].function));
    if (!k) continue;
    fputs (" (at ", l->out);
    print_position (l, s->stack.data[k].pos);
    fputs (")", l->out);
  }
  fputc ('\n', l->out);
}

static void print_side (possible_list *l, const goal_side *s) {
  fprintf (l->out, "  thread %u (%s", s->thread, utf8_printable (l->arena, s->entry));
  if (s->created.file) {
    fputs (", created at ", l->out);
    print_position (l, s->created);
  }
  fprintf (l->out, "%s): %s at ", s->several ? ", one of several" : "", utf8_printable (l->arena, s->what));
  print_position (l, s->pos);
  if (s->function) fprintf (l->out, " in %s", utf8_printable (l->arena, s->function));
  fputc ('\n', l->out);
  if (s->pos.file) excerpt_show (l->out, &l->in->style, s->pos.file, s->pos.line, s->pos.column);
  print_stack (l, s);
  print_held (l, s);
}

static void print_in_full (possible_list *l, const goal *g) {
  report_title (g, &l->in->style, l->out);
  for (uint32_t k = 0; k < g->sides.count; k++) print_side (l, &g->sides.data[k]);
  if (g->steps.count) {
    fputs ("  an interleaving that the locks allow (data, pointers and other ways of waiting were not looked at):\n\n",
           l->out);
    report_trace (g, &l->in->style, l->out);
  } else if (g->no_steps) fprintf (l->out, "  no interleaving is shown: %s\n", utf8_printable (l->arena, g->no_steps));
  if (l->in->style.explain) report_explanation (l->in->verdict, g, &l->in->style, l->out);
}

// ---- all of them --------------------------------------------------------------------------------------------------
// Prints a group; returns the number of entries shown.
static uint32_t print_group (possible_list *l, uint32_t first, uint32_t last, bool in_full) {
  uint32_t titles = first + TITLES < last ? first + TITLES : last;
  if (in_full) fputc ('\n', l->out);
  for (uint32_t k = first; k < titles; k++) {
    if (k == first && in_full) print_in_full (l, l->entries.data[k].goal);
    else report_title (l->entries.data[k].goal, &l->in->style, l->out);
    if (k == first && in_full && k + 1 < last) fputc ('\n', l->out);
    if (k == first && !in_full) break;
  }
  uint32_t shown = in_full ? titles : first + 1;
  if (shown < last)
    fprintf (l->out, "and %u more about %s\n", last - shown,
             utf8_printable (l->arena, l->entries.data[first].goal->about));
  return shown - first;
}

static void print_groups (possible_list *l) {
  uint32_t groups = 0, left_out = 0, shown = 0;
  for (uint32_t first = 0, last; first < l->entries.count; first = last, groups++) {
    for (last = first + 1; last < l->entries.count && l->entries.data[last].group == l->entries.data[first].group;)
      last++;
    if (groups == IN_FULL) fputc ('\n', l->out);
    if (groups < BY_TITLE) shown += print_group (l, first, last, groups < IN_FULL && !l->in->style.quiet);
    else left_out++;
  }
  if (left_out) fprintf (l->out, "and %u more groups\n", left_out);
  if (groups > IN_FULL || shown < l->entries.count)
    fputs ("(all of them: --html=FILE to read, --json=FILE for programs)\n", l->out);
}

void report_possible (const report_input *in, FILE *out) {
  possible_list l = {.in = in, .out = out, .arena = arena_new ()};
  collect_possible (&l);
  print_groups (&l);
  vec_release (&l.entries);
  arena_free (l.arena);
}

// ---- formulas -----------------------------------------------------------------------------------------------------
// A run may have hundreds of locations: each gets one line.
void report_formula (const goal *g, const report_style *style, FILE *out) {
  arena *a = arena_new ();
  report_title (g, style, out);
  for (uint32_t k = 0; k < g->locations.count && !style->quiet; k++) {
    const goal_location *l = &g->locations.data[k];
    if (l->pos.file) fprintf (out, "  %s:%u", utf8_printable (a, source_base_name (l->pos.file)), l->pos.line);
    else fputs ("  ?", out);
    fprintf (out, " %s: %s\n", l->function ? utf8_printable (a, l->function) : "?",
             l->what ? utf8_printable (a, l->what) : "");
  }
  arena_free (a);
}
