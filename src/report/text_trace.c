// Prints the interleaving: one row per step, one column per thread that takes part, so that time runs down the page and
// a change of thread is a change of column (the form of Spin's message charts and of most race reports).  The last
// rows, marked >>, are the operations that the threads of the claim take next when the violation shows: the interpreter
// ends the steps with these operations, and the first locations of the goal say what is wrong with them.  If there are
// more threads than columns on the page, one column has the number of the thread in front of each step.
//
// A long stretch of steps that no other thread can notice is left out; its length is shown.
#include <string.h>

#include "base/map.h"
#include "report/report_impl.h"

enum {
  MARGIN = 8,           // "   123  "
  NARROWEST = 22,       // width of a column
  NARROWEST_TEXT = 12,  // width of its text, after the position
  NUM_COLUMNS = 4,
  SHOWN_HELD = 5,    // held locks that are named in a row
  SHORT_TRACE = 40,  // up to this many steps, nothing is left out
  KEEP_FIRST = 40,
  KEEP_LAST = 80,  // of the selected steps of a very long trace
  KEEP_FIRST_POSSIBLE = 6,
  KEEP_LAST_POSSIBLE = 14,  // the same for possible violations
  WORTH_LEAVING_OUT = 3
};

typedef struct view {
  const goal *goal;
  const report_style *style;
  FILE *out;
  arena *arena;
  uint32_t threads[IR_MAX_THREADS], num_threads;  // threads that take part, by slot
  const char *name[IR_MAX_THREADS];               // by slot: the function in which the thread was first seen
  unsigned place_width;                           // width of "file.c:12"
  unsigned width[IR_MAX_THREADS];                 // width of the column of threads[i], with the gap after it
  bool one_column;                                // one column for all threads
  bool bare_lines;  // places are line numbers only: all steps are in one file, and its name would take too much room
  bool *shown;      // [0..steps.count[
  uint32_t last[IR_MAX_THREADS], num_last;  // by thread of the claim: its last step, which was not executed, or IR_NONE
  bool explained;                           // the note on --full-trace was given
} view;

// ---- what a step says ---------------------------------------------------------------------------------

static const char *position_in_row (const view *v, ir_position pos) {
  if (!pos.file) return "?";
  if (v->bare_lines) return arena_printf (v->arena, "%u", pos.line);
  return utf8_printable (v->arena, arena_printf (v->arena, "%s:%u", source_base_name (pos.file), pos.line));
}

static void add_held (const trace_step *s, strbuf *b) {
  uint32_t count = s->held.count, named = count > SHOWN_HELD ? SHOWN_HELD - 1 : count;
  for (uint32_t i = 0; i < named; i++) strbuf_printf (b, "%s%s", i ? ", " : "  {", s->held.data[i]);
  if (named < count) strbuf_printf (b, ", %u more", count - named);
  if (count) strbuf_add (b, "}");
}

// Adds the text with the path of the file cut down to its last part.
static void add_short (strbuf *b, const char *text, const char *file) {
  const char *base = file ? source_base_name (file) : NULL, *found;
  while (base != file && (found = strstr (text, file))) {
    strbuf_add_bytes (b, text, (size_t) (found - text));
    strbuf_add (b, base);
    text = found + strlen (file);
  }
  strbuf_add (b, text);
}

const char *step_text (arena *a, const trace_step *s) {
  strbuf b = {0};
  const ir_step_info *op = ir_step_of (s->op);
  strbuf_add (&b, op->verb);
  if (s->op == IR_STEP_CREATE && s->object && s->value) strbuf_printf (&b, " %s (%s)", s->value, s->object);
  else {
    if (s->object) strbuf_printf (&b, " %s", s->object);
    if (s->value)
      strbuf_add (&b, !s->object ? " " : op->gives_value ? " = " : ": "), add_short (&b, s->value, s->pos.file);
  }
  add_held (s, &b);
  if (s->note) strbuf_printf (&b, "  (%s)", s->note);
  const char *text = utf8_printable (a, arena_strdup (a, strbuf_text (&b)));
  strbuf_release (&b);
  return text;
}

const char *loop_mark (const goal *g, uint32_t step) {
  if (!g->claim.is_run || step != g->loop_step) return NULL;
  if (g->stays) return "the program stays so for ever";
  return step < g->steps.count ? "from here on, again and again" : "from here on, again and again: nothing that shows";
}

// Returns the text of a row marked >>: what is wrong, and the locks held by the thread.
static const char *pending_step_text (view *v, uint32_t i) {
  const char *what = v->goal->locations.data[i].what;
  strbuf b = {0};
  strbuf_add (&b, what ? what : "here");
  if (v->last[i] != IR_NONE) add_held (&v->goal->steps.data[v->last[i]], &b);
  const char *text = utf8_printable (v->arena, arena_strdup (v->arena, strbuf_text (&b)));
  strbuf_release (&b);
  return text;
}

// Finds the steps that were not executed: the last step of each thread of the claim, near the end.
static void find_pending (view *v) {
  const goal *g = v->goal;
  v->num_last = g->claim.num_threads < g->locations.count ? g->claim.num_threads : g->locations.count;
  for (uint32_t i = 0; i < v->num_last; i++) {
    uint32_t k = g->steps.count, tail = 2 * v->num_last;  // each may follow the start of its thread
    while (k > 0 && tail > 0 && g->steps.data[k - 1].thread != g->locations.data[i].thread) k--, tail--;
    v->last[i] = k > 0 && tail > 0 ? k - 1 : IR_NONE;
  }
}

static bool is_pending_step (const view *v, uint32_t step) {
  for (uint32_t i = 0; i < v->num_last; i++)
    if (v->last[i] == step) return true;
  return false;
}

// ---- which steps to show ------------------------------------------------------------------------------

// Collects the objects: name -> slot of the thread that accessed it, or IR_MAX_THREADS if several did.
static void collect_objects (const goal *g, strmap *objects) {
  for (uint32_t i = 0; i < g->steps.count; i++) {
    const trace_step *s = &g->steps.data[i];
    if (!s->object) continue;
    uint64_t *who = strmap_insert (objects, s->object, s->thread, NULL);
    if (*who != s->thread) *who = IR_MAX_THREADS;
  }
}

// Whether the step is worth a row: the first and last steps before a change of thread, synchronisation, and accesses of
// objects that several threads access.
static bool is_interesting (const goal *g, uint32_t i, const strmap *objects) {
  const trace_step *s = &g->steps.data[i];
  uint32_t n = g->steps.count;
  if (i + 10 >= n || !ir_step_of (s->op)->is_plain) return true;
  for (uint32_t k = i > 1 ? i - 1 : 0; k <= i + 2 && k < n; k++)
    if (g->steps.data[k].thread != s->thread) return true;
  const uint64_t *who = s->object ? strmap_find (objects, s->object) : NULL;
  return who && *who == IR_MAX_THREADS && (s->op == IR_STEP_LOAD || s->op == IR_STEP_STORE);
}

static void choose_steps (view *v) {
  uint32_t n = v->goal->steps.count;
  v->shown = arena_zalloc (v->arena, n + 1);
  bool possible = goal_is_possible (v->goal), all = v->style->full_trace || n <= SHORT_TRACE;
  uint32_t first = possible ? KEEP_FIRST_POSSIBLE : KEEP_FIRST, last = possible ? KEEP_LAST_POSSIBLE : KEEP_LAST;
  strmap objects = {0};
  collect_objects (v->goal, &objects);
  uint32_t total = 0, seen = 0;
  for (uint32_t i = 0; i < n; i++) total += v->shown[i] = all || is_interesting (v->goal, i, &objects);
  strmap_release (&objects);
  for (uint32_t i = 0; i < n && !all && total > first + last; i++) {
    if (!v->shown[i]) continue;
    v->shown[i] = seen < first || seen + last >= total;
    seen++;
  }
  for (uint32_t i = 0, end; i < n; i = end) {  // a gap too short to be worth a line of its own is shown
    for (end = i; end < n && !v->shown[end]; end++) {}
    if (end - i < WORTH_LEAVING_OUT)
      for (uint32_t k = i; k < end; k++) v->shown[k] = true;
    if (end == i) end++;
  }
}

// ---- columns ------------------------------------------------------------------------------------------

static void add_trace_thread (view *v, uint32_t slot, const char *function) {
  if (slot >= IR_MAX_THREADS) return;
  if (!v->name[slot] && function) v->name[slot] = utf8_printable (v->arena, function);
  uint32_t i = 0;
  while (i < v->num_threads && v->threads[i] < slot) i++;
  if (i < v->num_threads && v->threads[i] == slot) return;
  memmove (v->threads + i + 1, v->threads + i, (v->num_threads - i) * sizeof *v->threads);
  v->threads[i] = slot;
  v->num_threads++;
}

static unsigned column_of (const view *v, uint32_t slot) {
  unsigned i = 0;
  while (i + 1 < v->num_threads && v->threads[i] != slot) i++;
  return i;
}

static const char *thread_title (view *v, uint32_t slot) {
  const char *name = slot == 0 ? "main" : v->name[slot];
  return arena_printf (v->arena, name ? "thread %u (%s)" : "thread %u", slot, name);
}

// Widens the column of the thread for a row.  `width` counts the text only, until the width of the positions is known.
static void measure_row (view *v, uint32_t slot, ir_position pos, const char *text) {
  unsigned place = (unsigned) utf8_width (position_in_row (v, pos)), width = (unsigned) utf8_width (text);
  unsigned *column = &v->width[column_of (v, slot)];
  if (place > v->place_width) v->place_width = place;
  if (width > *column) *column = width;
}

// Returns the sum of the widths that the columns need.
static unsigned measure_all (view *v) {
  const goal *g = v->goal;
  unsigned total = 0;
  v->place_width = 0;
  memset (v->width, 0, sizeof v->width);
  for (uint32_t i = 0; i < g->steps.count; i++) {
    const trace_step *s = &g->steps.data[i];
    if (v->shown[i] && !is_pending_step (v, i)) measure_row (v, s->thread, s->pos, step_text (v->arena, s));
  }
  for (uint32_t i = 0; i < v->num_last; i++)
    measure_row (v, g->locations.data[i].thread, g->locations.data[i].pos, pending_step_text (v, i));
  for (uint32_t i = 0; i < v->num_threads; i++) {
    unsigned title = (unsigned) utf8_width (thread_title (v, v->threads[i])) + 2;
    v->width[i] += v->place_width + 1 + 2;
    if (v->width[i] < title) v->width[i] = title;
    if (v->width[i] < NARROWEST) v->width[i] = NARROWEST;
    total += v->width[i];
  }
  return total;
}

// Narrows the widest columns until all fit; false: they would become too narrow to read.
static bool fit_columns (view *v, unsigned total, unsigned room) {
  while (total > room) {
    uint32_t widest = 0;
    for (uint32_t i = 1; i < v->num_threads; i++)
      if (v->width[i] > v->width[widest]) widest = i;
    if (v->width[widest] <= NARROWEST || v->width[widest] <= v->place_width + 3 + NARROWEST_TEXT) return false;
    v->width[widest]--, total--;
  }
  return true;
}

// Returns the file of all positions; NULL: there are several.
static const char *only_file (const view *v) {
  const goal *g = v->goal;
  const char *file = NULL;
  for (uint32_t i = 0; i < g->steps.count + v->num_last; i++) {
    const char *f = i < g->steps.count ? g->steps.data[i].pos.file : g->locations.data[i - g->steps.count].pos.file;
    if (f && file && f != file && strcmp (f, file)) return NULL;
    if (f) file = f;
  }
  return file;
}

static void lay_out_columns (view *v) {
  const goal *g = v->goal;
  unsigned columns = v->style->columns ? v->style->columns : REPORT_COLUMNS,
           room = columns > MARGIN ? columns - MARGIN : 1;
  for (uint32_t i = 0; i < g->steps.count; i++)
    add_trace_thread (v, g->steps.data[i].thread, g->steps.data[i].function);
  for (uint32_t i = 0; i < v->num_last; i++)
    add_trace_thread (v, g->locations.data[i].thread, g->locations.data[i].function);
  unsigned total = measure_all (v);
  v->one_column = v->num_threads > NUM_COLUMNS;
  if (v->one_column || total <= room) return;
  v->bare_lines = only_file (v) != NULL;
  if (v->bare_lines) total = measure_all (v);
  if (fit_columns (v, total, room)) return;
  v->one_column = true;
  v->bare_lines = false;
  measure_all (v);
}

static unsigned column_start (const view *v, unsigned column) {
  unsigned start = 0;
  for (unsigned i = 0; i < column; i++) start += v->width[i];
  return start;
}

static void print_column_titles (view *v) {
  if (v->bare_lines)
    fprintf (v->out, "  (the numbers before the steps are lines of %s)\n", utf8_printable (v->arena, only_file (v)));
  if (v->one_column) return;
  fprintf (v->out, "%s  step  ", color_on (v->style, COLOR_TITLE));
  for (uint32_t i = 0; i < v->num_threads; i++) {
    const char *title = thread_title (v, v->threads[i]);
    size_t limit = v->width[i] - 2;
    if (utf8_width (title) > limit) title = arena_printf (v->arena, "T%s", title + strlen ("thread "));
    size_t bytes = utf8_prefix (title, limit), width = utf8_width (title);
    fprintf (v->out, "%.*s", (int) bytes, title);
    if (i + 1 < v->num_threads) fprintf (v->out, "%*s", (int) (v->width[i] - (width < limit ? width : limit)), "");
  }
  fprintf (v->out, "%s\n", color_off (v->style));
}

// ---- rows ---------------------------------------------------------------------------------------------

// Returns how many bytes of the text fit into `width` characters: up to a space if there is one.
static size_t line_break (const char *text, size_t width) {
  size_t fits = utf8_prefix (text, width);
  if (!text[fits]) return fits;
  for (size_t i = fits; i > 0; i--)
    if (text[i] == ' ') return i;
  return fits ? fits : 1;
}

static void print_trace_row (view *v, const char *number, uint32_t slot, ir_position pos, const char *text,
                             const char *on) {
  const char *place = position_in_row (v, pos), *off = *on ? color_off (v->style) : "";
  unsigned column = column_of (v, slot);
  int indent = v->one_column ? 2 : 2 + (int) column_start (v, column),
      gap = (int) (v->place_width + 1 - utf8_width (place));
  size_t room = v->one_column ? SIZE_MAX / 2 : v->width[column] - v->place_width - 3;
  fprintf (v->out, "%6s%*s", number, indent, "");
  if (v->one_column) fprintf (v->out, "T%-3u| ", slot);
  fprintf (v->out, "%s%s%*s", on, place, gap, "");
  for (bool first = true; *text || first; first = false) {
    size_t bytes = line_break (text, room), length = bytes;
    while (length && text[length - 1] == ' ') length--;
    if (!first) fprintf (v->out, "%*s%s", 6 + indent + (int) v->place_width + 1, "", on);
    fprintf (v->out, "%.*s%s\n", (int) length, text, off);
    text += bytes;
    text += strspn (text, " ");
  }
}

static void print_switch (view *v) {
  const char *on = color_on (v->style, COLOR_DIM), *off = color_off (v->style);
  unsigned width = v->one_column ? 40 : column_start (v, v->num_threads) - 2;
  fprintf (v->out, "        %s", on);
  for (unsigned i = 1; i < width; i += 2) fputs (i > 1 ? " -" : "-", v->out);
  fprintf (v->out, "%s\n", off);
}

static void print_gap (view *v, uint32_t steps) {
  fprintf (v->out, "        %s... %u steps left out%s%s\n", color_on (v->style, COLOR_DIM), steps,
           v->explained ? "" : " (--full-trace shows them)", color_off (v->style));
  v->explained = true;
}

static void print_mark (view *v, const char *mark) {
  fprintf (v->out, "        %s-- %s --%s\n", color_on (v->style, COLOR_BUG), mark, color_off (v->style));
}

static void print_steps (view *v, uint32_t from, uint32_t to) {
  const goal *g = v->goal;
  uint32_t last = IR_NONE, left_out = 0;
  for (uint32_t i = from; i < to && i < g->steps.count; i++) {
    const trace_step *s = &g->steps.data[i];
    if (is_pending_step (v, i)) continue;
    if (loop_mark (g, i)) {
      if (left_out) print_gap (v, left_out);
      left_out = 0;
      print_mark (v, loop_mark (g, i));
    }
    if (!v->shown[i]) {
      left_out++;
      continue;
    }
    if (left_out) print_gap (v, left_out);
    left_out = 0;
    if (last != IR_NONE && last != s->thread) print_switch (v);
    last = s->thread;
    arena_mark mark = arena_get_mark (v->arena);
    print_trace_row (v, arena_printf (v->arena, "%u", s->number), s->thread, s->pos, step_text (v->arena, s), "");
    arena_reset (v->arena, mark);
  }
  if (left_out) print_gap (v, left_out);
  if (to >= g->steps.count && loop_mark (g, g->steps.count)) print_mark (v, loop_mark (g, g->steps.count));
}

static void print_end (view *v) {
  if (v->num_last && v->goal->steps.count > v->num_last) print_switch (v);
  for (uint32_t i = 0; i < v->num_last; i++) {
    const goal_location *l = &v->goal->locations.data[i];
    print_trace_row (v, ">>", l->thread, l->pos, pending_step_text (v, i), color_on (v->style, COLOR_BUG));
  }
}

// Prints part of the interleaving.  The steps that were not executed are at the end of all steps: they are printed with
// the last part.
void report_trace_part (const goal *g, const report_style *style, FILE *out, uint32_t first, uint32_t last) {
  view v = {.goal = g, .style = style, .out = out, .arena = arena_new ()};
  find_pending (&v);
  choose_steps (&v);
  lay_out_columns (&v);
  print_column_titles (&v);
  print_steps (&v, first, last);
  if (last >= g->steps.count) print_end (&v);
  arena_free (v.arena);
}

void report_trace (const goal *g, const report_style *style, FILE *out) {
  if (g->steps.count || g->locations.count) report_trace_part (g, style, out, 0, g->steps.count);
}
