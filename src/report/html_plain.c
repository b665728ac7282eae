// Writes the part of the HTML report that needs no script: summary, goals, traces and locks as headings, lists and
// tables.  Summary and locks are also part of the page with a script; the script replaces goals and traces on the
// screen, but not on paper.  Text enters through `html_text` only.
#define _GNU_SOURCE  // strchrnul

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "report/html_impl.h"

enum { KEEP_FIRST = 300, KEEP_LAST = 1200 };  // steps of a very long trace

// ---- text ---------------------------------------------------------------------------------------------------

void html_text (FILE *out, const char *text) {
  arena *a = arena_new ();
  for (const char *c = utf8_printable (a, text); *c; c++) switch (*c) {
    case '&': fputs ("&amp;", out); break;
    case '<': fputs ("&lt;", out); break;
    case '>': fputs ("&gt;", out); break;
    case '"': fputs ("&quot;", out); break;
    default: fputc (*c, out);
    }
  arena_free (a);
}

static void put_html_element (FILE *out, const char *name, const char *text) {
  fprintf (out, "<%s>", name);
  if (text) html_text (out, text);
  fprintf (out, "</%s>", name);
}

static void put_names (FILE *out, const char *const *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    fputs (i ? ", <code>" : "<code>", out);
    html_text (out, names[i]);
    fputs ("</code>", out);
  }
}

// The script turns the position into a link to the source.
static void put_place (FILE *out, ir_position pos) {
  if (!pos.file) {
    fputs ("?", out);
    return;
  }
  fputs ("<span class=\"place\" data-file=\"", out);
  html_text (out, pos.file);
  fprintf (out, "\" data-line=\"%u\">", pos.line);
  html_text (out, source_base_name (pos.file));
  fprintf (out, ":%u</span>", pos.line);
}

// Writes the head of a table; titles are separated by '|'.
static void open_table (FILE *out, const char *class, const char *titles) {
  fprintf (out, "<div class=\"wide\"><table class=\"%s\">\n<thead><tr>", class);
  for (const char *end; *titles; titles = *end ? end + 1 : end) {
    end = strchrnul (titles, '|');
    fprintf (out, "<th scope=\"col\">%.*s</th>", (int) (end - titles), titles);
  }
  fputs ("</tr></thead>\n<tbody>\n", out);
}

static void close_table (FILE *out) { fputs ("</tbody></table></div>\n", out); }

// ---- summary ------------------------------------------------------------------------------------------------

static const char *const verdict_texts[] = {"Bug", "Safe", "No bug within bounds", "Unknown"};

void html_title (const report_input *in, FILE *out) {
  fprintf (out, "%s: ", verdict_texts[in->verdict->kind]);
  html_text (out, in->files.count ? source_base_name (in->files.data[0]) : "no file");
  if (in->files.count > 1) fprintf (out, " and %u more", in->files.count - 1);
}

static void put_file_list (const report_input *in, FILE *out) {
  enum { SHOWN = 3 };
  uint32_t shown = in->files.count > SHOWN + 1 ? SHOWN : in->files.count;
  for (uint32_t i = 0; i < shown; i++) {
    fputs (i ? ", " : "", out);
    html_text (out, in->files.data[i]);
  }
  if (shown < in->files.count) fprintf (out, " and %u more", in->files.count - shown);
}

static void put_verdict_reason (const verdict *v, FILE *out) {
  if (!v->reason || !*v->reason->text) return;
  fputs ("<p class=\"reason\">", out);
  if (v->kind == VERDICT_BUG) fputs ("There may be more bugs; the search ended early: ", out);
  html_text (out, v->reason->text);
  fputs ("</p>\n", out);
}

static void put_header (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  fprintf (out, "<header>\n<h1><span class=\"verdict %s\">%s</span> ", verdict_kind_name[v->kind],
           verdict_texts[v->kind]);
  put_file_list (in, out);
  fputs ("</h1>\n", out);
  put_verdict_reason (v, out);
  fputs ("</header>\n", out);
}

static void put_properties (const report_input *in, FILE *out) {
  fputs ("<div><dt>Checked</dt><dd>", out);
  const char *separator = "";
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (!(in->semantics->properties >> p & 1)) continue;
    fputs (separator, out);
    html_text (out, in->question ? in->question : ir_property_name[p]);
    separator = ", ";
  }
  fputs (*separator ? "</dd></div>\n" : "a formula</dd></div>\n", out);
}

static void put_counts (const verdict *v, FILE *out) {
  unsigned found = 0, possible = 0, conditional = 0;
  for (uint32_t i = 0; i < v->goals.count; i++) {
    found += v->goals.data[i].status == GOAL_VIOLATED;
    conditional += v->goals.data[i].status == GOAL_CONDITIONAL;
    possible += goal_is_possible (&v->goals.data[i]);
  }
  fprintf (out, "<div><dt>Found</dt><dd>%u violation%s", found, found == 1 ? "" : "s");
  if (conditional) fprintf (out, ", %u only on a condition", conditional);
  if (possible) fprintf (out, ", %u possible", possible);
  if (v->accepted.count) fprintf (out, ", %u accepted by the baseline", v->accepted.count);
  fputs ("</dd></div>\n", out);
}

static void put_html_list (FILE *out, arena *a, const char *title, const char *const *texts, uint32_t count) {
  summary lines = {0};
  if (!count) return;
  summarise_texts (a, texts, count, &lines);
  fprintf (out, "<h3>%s</h3>\n<ul>\n", title);
  for (uint32_t i = 0; i < lines.count; i++) put_html_element (out, "li", lines.data[i]);
  fputs ("\n</ul>\n", out);
  vec_release (&lines);
}

static void put_limits (const verdict *v, arena *a, FILE *out) {
  VEC (const char *) texts = {0};
  for (uint32_t i = 0; i < v->limits.count; i++) {
    strbuf text = {0};
    limit_describe (v->limits.data[i], &text);
    vec_push (&texts, arena_strdup (a, strbuf_text (&text)));
    strbuf_release (&text);
  }
  put_html_list (out, a, "Limits that were met (docs/limits.md)", texts.data, texts.count);
  vec_release (&texts);
}

static void put_stats_table (const verdict *v, FILE *out) {
  if (!v->stats.count) return;
  fputs ("<details><summary>Statistics</summary>\n", out);
  open_table (out, "stats", "Counter|Value|Note");
  for (uint32_t i = 0; i < v->stats.count; i++) {
    const named_count *c = &v->stats.data[i];
    fputs ("<tr>", out);
    put_html_element (out, "td", c->name);
    fprintf (out, "<td class=\"amount\">%llu</td>", (unsigned long long) c->value);
    put_html_element (out, "td", c->note);
    fputs ("</tr>\n", out);
  }
  close_table (out);
  fputs ("</details>\n", out);
}

static void put_fact (FILE *out, const char *name, const char *value) {
  fprintf (out, "<div><dt>%s</dt>", name);
  put_html_element (out, "dd", value);
  fputs ("</div>\n", out);
}

static void put_summary (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  arena *a = arena_new ();
  fputs ("<section id=\"summary\">\n<h2>Summary</h2>\n<dl>\n", out);
  put_counts (v, out);
  put_properties (in, out);
  put_fact (out, "Engine", in->engine);
  strbuf reached = {0};
  if (report_coverage (v, &reached)) put_fact (out, "Reached", arena_strdup (a, strbuf_text (&reached)));
  strbuf_release (&reached);
  put_fact (out, "Time", arena_printf (a, "%.2f s", v->seconds));
  put_fact (out, "Memory", arena_printf (a, "%.1f MB", (double) in->memory_bytes / 1e6));
  put_fact (out, "Threads", arena_printf (a, "at most %u at once", in->semantics->max_threads));
  if (in->depth) put_fact (out, "Depth", arena_printf (a, "%llu", (unsigned long long) in->depth));
  put_fact (out, "lockstep", in->version);
  fputs ("</dl>\n", out);
  put_html_list (out, a, "How to read the answer", v->notes.data, v->notes.count);
  put_html_list (out, a, "Assumptions", v->assumptions.data, v->assumptions.count);
  put_html_list (out, a, "Bounds that were reached", v->bounds.data, v->bounds.count);
  put_limits (v, a, out);
  arena_free (a);
  put_stats_table (v, out);
  fputs ("</section>\n", out);
}

// ---- goals --------------------------------------------------------------------------------------------------

// Returns the rank of a goal by status, and by the severity of its property where that is equal; 0: worst.
static unsigned goal_rank (const goal *g) {
  static const unsigned by_status[] = {
      [GOAL_VIOLATED] = 0, [GOAL_CONDITIONAL] = 1, [GOAL_UNKNOWN] = 3, [GOAL_BOUNDED] = 4, [GOAL_PROVED] = 5};
  unsigned status = goal_is_possible (g) ? 2 : by_status[g->status];
  return status * IR_NUM_QUESTIONS + severity_rank (g->property);
}

static const char *status_text (const goal *g) {
  static const char *const texts[] = {"violated", "proved", "bounded", "unknown", "conditional"};
  return goal_is_possible (g) ? "possible" : texts[g->status];
}

static void put_goal_row (const goal *g, FILE *out) {
  fputs ("<tr>", out);
  put_html_element (out, "td", status_text (g));
  put_html_element (out, "td", g->id);
  put_html_element (out, "td", ir_property_name[g->property]);
  put_html_element (out, "td", g->engine);
  put_html_element (out, "td", g->message);
  fputs ("</tr>\n", out);
}

static void put_goals (const verdict *v, FILE *out) {
  fputs ("<h2>Goals</h2>\n", out);
  open_table (out, "goals", "Status|Goal|Property|Engine|What");
  for (unsigned r = 0; r < 6 * IR_NUM_QUESTIONS; r++)
    for (uint32_t i = 0; i < v->goals.count; i++)
      if (goal_rank (&v->goals.data[i]) == r) put_goal_row (&v->goals.data[i], out);
  close_table (out);
}

// ---- traces -------------------------------------------------------------------------------------------------

static void put_step (const trace_step *s, FILE *out) {
  arena *a = arena_new ();
  fprintf (out, "<tr%s><td class=\"amount\">%u</td><td class=\"amount\">%u</td><td>",
           s->switched ? " class=\"switch\"" : "", s->number, s->thread);
  put_place (out, s->pos);
  fputs ("</td>", out);
  put_html_element (out, "td", ir_step_of (s->op)->verb);
  put_html_element (out, "td", s->object);
  put_html_element (out, "td",
                    s->note ? arena_printf (a, s->value ? "%s (%s)" : "%s(%s)", s->value ? s->value : "", s->note)
                            : s->value);
  fputs ("<td>", out);
  put_names (out, s->held.data, s->held.count);
  fputs ("</td><td><code>", out);
  if (s->text) html_text (out, s->text);
  fputs ("</code></td></tr>\n", out);
  arena_free (a);
}

static void put_mark (const goal *g, uint32_t step, FILE *out) {
  const char *mark = loop_mark (g, step);
  if (mark) fprintf (out, "<tr><td colspan=\"8\">%s</td></tr>\n", mark);
}

static void put_steps (const goal *g, FILE *out) {
  uint32_t count = g->steps.count, left_out = count > KEEP_FIRST + KEEP_LAST ? count - KEEP_FIRST - KEEP_LAST : 0;
  open_table (out, "trace", "Step|Thread|Place|Does|To|Value|Locks held|Source");
  for (uint32_t i = 0; i < count; i++) {
    if (left_out && i == KEEP_FIRST) {
      fprintf (out, "<tr><td colspan=\"8\">%u steps left out</td></tr>\n", left_out);
      i += left_out;
    }
    put_mark (g, i, out);
    put_step (&g->steps.data[i], out);
  }
  put_mark (g, count, out);
  close_table (out);
}

static void put_locations (const goal *g, FILE *out) {
  if (!g->locations.count) return;
  fputs ("<ul>\n", out);
  for (uint32_t i = 0; i < g->locations.count; i++) {
    const goal_location *l = &g->locations.data[i];
    fprintf (out, "<li>thread %u at ", l->thread);
    put_place (out, l->pos);
    if (l->what) fputs (": ", out), html_text (out, l->what);
    fputs ("</li>\n", out);
  }
  fputs ("</ul>\n", out);
}

// Writes why the goal is a bug and what may help, a line each.
static void put_explanation (const verdict *v, const goal *g, FILE *out) {
  char *text = NULL, *rest;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  if (!f) return;
  report_explanation (v, g, &(report_style){.columns = UINT_MAX}, f);
  fclose (f);
  for (char *line = strtok_r (text, "\n", &rest); line; line = strtok_r (NULL, "\n", &rest)) {
    fputs ("<p class=\"explanation\">", out);
    html_text (out, line + strspn (line, " "));
    fputs ("</p>\n", out);
  }
  free (text);
}

static void put_condition (const goal_condition *c, FILE *out) {
  fputs ("<p class=\"reason\">only if ", out);
  html_text (out, c->text);
  if (c->pos.file) {
    fputs (" (", out);
    html_text (out, c->pos.file);
    fprintf (out, ":%u)", c->pos.line);
  }
  fputs ("</p>\n", out);
}

static void put_trace (const verdict *v, const goal *g, FILE *out) {
  if (!g->steps.count && !g->locations.count && !g->no_steps) return;
  fputs ("<section data-goal=\"", out);
  html_text (out, g->id);
  fputs ("\">\n<h3>", out);
  html_text (out, g->id);
  fputs (": ", out);
  html_text (out, g->message ? g->message : status_text (g));
  fputs ("</h3>\n", out);
  for (uint32_t i = 0; i < g->conditions.count; i++) put_condition (&g->conditions.data[i], out);
  put_locations (g, out);
  if (g->status == GOAL_VIOLATED || goal_is_possible (g)) put_explanation (v, g, out);
  if (g->steps.count) put_steps (g, out);
  else if (g->no_steps) put_html_element (out, "p", g->no_steps);
  fputs ("</section>\n", out);
}

// ---- locks --------------------------------------------------------------------------------------------------

static void put_protection_table (const verdict *v, FILE *out) {
  if (!v->protections.count) return;
  fputs ("<h3>What protects which variable</h3>\n", out);
  open_table (out, "protection", "Variable|Protected by|Accesses");
  for (uint32_t i = 0; i < v->protections.count; i++) {
    const protection *p = &v->protections.data[i];
    fprintf (out, "<tr class=\"%s\"><td>", p->kind == UNPROTECTED ? "unprotected" : "protected");
    put_names (out, &p->variable, 1);
    fputs ("</td><td>", out);
    if (p->kind == PROTECTED_BY_LOCKS) put_names (out, p->locks, p->num_locks);
    else html_text (out, protection_kind_name[p->kind]);
    fprintf (out, "</td><td class=\"amount\">%llu</td></tr>\n", (unsigned long long) p->accesses);
  }
  close_table (out);
}

static void put_orders (const verdict *v, FILE *out) {
  if (!v->lock_orders.count) return;
  fputs ("<h3>Order of locks</h3>\n<div id=\"graph\"></div>\n", out);
  open_table (out, "orders", "Held|Waited for|Place|Function");
  for (uint32_t i = 0; i < v->lock_orders.count; i++) {
    const lock_order *o = &v->lock_orders.data[i];
    fputs ("<tr><td>", out);
    put_names (out, &o->from, 1);
    fputs ("</td><td>", out);
    put_names (out, &o->to, 1);
    fputs ("</td><td>", out);
    put_place (out, o->pos);
    fputs ("</td>", out);
    put_html_element (out, "td", o->function);
    fputs ("</tr>\n", out);
  }
  close_table (out);
}

static void put_uneven_returns (const verdict *v, FILE *out) {
  if (!v->uneven_returns.count) return;
  fputs ("<h3>Returns that may have forgotten a lock</h3>\n", out);
  open_table (out, "uneven", "Function|Lock|Taken|Held when it returns after|Not held when it returns after");
  for (uint32_t i = 0; i < v->uneven_returns.count; i++) {
    const uneven_return *u = &v->uneven_returns.data[i];
    fputs ("<tr>", out);
    put_html_element (out, "td", u->function);
    fputs ("<td>", out), put_names (out, &u->lock, 1);
    fputs ("</td><td>", out), put_place (out, u->taken);
    fputs ("</td><td>", out), put_place (out, u->with);
    fputs ("</td><td>", out), put_place (out, u->without);
    fputs ("</td></tr>\n", out);
  }
  close_table (out);
}

static void put_locks (const verdict *v, FILE *out) {
  if (!v->protections.count && !v->lock_orders.count && !v->uneven_returns.count) return;
  fputs ("<section id=\"locks\">\n<h2>Locks</h2>\n", out);
  put_protection_table (v, out);
  put_orders (v, out);
  put_uneven_returns (v, out);
  fputs ("</section>\n", out);
}

void html_plain (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  put_header (in, out);
  fputs ("<main>\n", out);
  put_summary (in, out);
  fputs ("<div id=\"live\"></div>\n<div id=\"plain\">\n", out);
  put_goals (v, out);
  for (uint32_t i = 0; i < v->goals.count; i++) put_trace (v, &v->goals.data[i], out);
  fputs ("</div>\n", out);
  put_locks (v, out);
  fputs ("</main>\n", out);
}
