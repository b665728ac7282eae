// Prints what users want to know about the locks of a program: what protects which variable, in which order locks are
// acquired, and where a function may have forgotten to release one.  The lock order is also written as a graph for
// Graphviz.  Locks on a cycle of the lock order are marked in both.
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/scc.h"
#include "report/report_impl.h"

// ---- cycles --------------------------------------------------------------------------------------------------------
typedef struct lock_graph {
  strmap locks;
  uint32_t *component;
} lock_graph;

static uint32_t lock_node (lock_graph *g, const char *name) {
  return (uint32_t) *strmap_insert (&g->locks, name, g->locks.entries.count, NULL);
}

static int by_source (const void *x, const void *y) {
  const uint64_t *a = x, *b = y;
  return (*a > *b) - (*a < *b);
}

static void lock_graph_init (lock_graph *g, const verdict *v) {
  *g = (lock_graph){0};
  uint32_t edges = v->lock_orders.count;
  uint64_t *pairs = mem_zalloc (sizeof *pairs * (edges + 1));
  for (uint32_t k = 0; k < edges; k++) {
    uint64_t from = lock_node (g, v->lock_orders.data[k].from);
    pairs[k] = from << 32 | lock_node (g, v->lock_orders.data[k].to);
  }
  qsort (pairs, edges, sizeof *pairs, by_source);
  uint32_t count = g->locks.entries.count;
  uint32_t *first = mem_zalloc (sizeof *first * (count + 2)), *targets = mem_zalloc (sizeof *targets * (edges + 1));
  g->component = mem_zalloc (sizeof *g->component * (count + 1));
  for (uint32_t k = 0; k < edges; k++) {
    targets[k] = (uint32_t) pairs[k];
    first[(pairs[k] >> 32) + 1]++;
  }
  for (uint32_t k = 0; k < count; k++) first[k + 1] += first[k];
  if (count) scc_find (count, first, targets, g->component);
  mem_free (pairs, sizeof *pairs * (edges + 1));
  mem_free (first, sizeof *first * (count + 2));
  mem_free (targets, sizeof *targets * (edges + 1));
}

static void lock_graph_release (lock_graph *g) {
  mem_free (g->component, sizeof *g->component * (g->locks.entries.count + 1));
  strmap_release (&g->locks);
}

static bool is_on_cycle (lock_graph *g, const lock_order *o) {
  return g->component[lock_node (g, o->from)] == g->component[lock_node (g, o->to)];
}

// ---- text -----------------------------------------------------------------------------------------------------------
static void print_protection (const protection *p, int widest, arena *a, FILE *out) {
  const char *name = utf8_printable (a, p->variable);
  fprintf (out, "  %s%*s %14llu  ", name, widest - (int) utf8_width (name), "", (unsigned long long) p->accesses);
  for (uint32_t k = 0; k < p->num_locks; k++) fprintf (out, "%s%s", k ? ", " : "", utf8_printable (a, p->locks[k]));
  fprintf (out, "%s\n", p->kind == PROTECTED_BY_LOCKS ? "" : protection_kind_name[p->kind]);
}

void report_protections (const verdict *v, FILE *out) {
  arena *a = arena_new ();
  size_t widest = strlen ("memory (bytes)");
  for (uint32_t i = 0; i < v->protections.count; i++)
    if (utf8_width (v->protections.data[i].variable) > widest) widest = utf8_width (v->protections.data[i].variable);
  if (v->protections.count) fprintf (out, "\nprotection seen (variable, accesses, what was held at each):\n");
  for (uint32_t i = 0; i < v->protections.count; i++) print_protection (&v->protections.data[i], (int) widest, a, out);
  arena_free (a);
}

void report_lock_order (const verdict *v, FILE *out) {
  arena *a = arena_new ();
  lock_graph g;
  lock_graph_init (&g, v);
  fprintf (out, v->lock_orders.count ? "\norder of locks (held -> waited for, and a place where):\n"
                                     : "\norder of locks: no lock is waited for while another one is held\n");
  for (uint32_t k = 0; k < v->lock_orders.count; k++) {
    const lock_order *o = &v->lock_orders.data[k];
    fprintf (out, "  %s -> %s  ", utf8_printable (a, o->from), utf8_printable (a, o->to));
    if (o->pos.file) fprintf (out, "%s:%u", utf8_printable (a, o->pos.file), o->pos.line);
    fprintf (out, "%s%s%s\n", o->function ? " in " : "", o->function ? utf8_printable (a, o->function) : "",
             is_on_cycle (&g, o) ? "  (in a circle)" : "");
  }
  lock_graph_release (&g);
  arena_free (a);
}

static void print_file_line (ir_position pos, arena *a, FILE *out) {
  fprintf (out, "%s:%u", utf8_printable (a, pos.file ? pos.file : "?"), pos.line);
}

static void print_uneven_return (const uneven_return *u, arena *a, FILE *out) {
  fprintf (out, "  %s returns with `%s` held on some paths only\n    taken at ", utf8_printable (a, u->function),
           utf8_printable (a, u->lock));
  print_file_line (u->taken, a, out);
  fputs (", held when it returns after ", out);
  print_file_line (u->with, a, out);
  fputs (", not held when it returns after ", out);
  print_file_line (u->without, a, out);
  fputs (u->given_back.file ? " (given back at " : " (not taken there)\n", out);
  if (!u->given_back.file) return;
  print_file_line (u->given_back, a, out);
  fputs (")\n", out);
}

void report_uneven_returns (const verdict *v, FILE *out) {
  arena *a = arena_new ();
  if (v->uneven_returns.count) fputs ("\nadvice: locks that no caller releases after these returns:\n", out);
  for (uint32_t k = 0; k < v->uneven_returns.count; k++) print_uneven_return (&v->uneven_returns.data[k], a, out);
  arena_free (a);
}

// ---- DOT ------------------------------------------------------------------------------------------------------------
static const char *dot_string (arena *a, const char *text) {
  strbuf b = {0};
  strbuf_add (&b, "\"");
  for (const char *c = utf8_printable (a, text); *c; c++) {
    if (*c == '"' || *c == '\\') strbuf_add_char (&b, '\\');
    strbuf_add_char (&b, *c);
  }
  strbuf_add (&b, "\"");
  const char *copy = arena_strdup (a, strbuf_text (&b));
  strbuf_release (&b);
  return copy;
}

// A graph without arrows has to mean that no lock is waited for while another one is held.
bool report_has_lock_graph (const report_input *in, strbuf *why_not) {
  bool has = in->verdict->has_lock_orders;
  if (!has) strbuf_add (why_not, "engine locks has not looked at all of the program");
  return has;
}

bool report_lock_graph (const report_input *in, FILE *out) {
  const verdict *v = in->verdict;
  arena *a = arena_new ();
  lock_graph g;
  lock_graph_init (&g, v);
  fputs ("digraph locks {\n  label = \"an arrow leads from a held lock to one that is waited for; red: in a "
         "circle\";\n  node [shape = box];\n",
         out);
  for (uint32_t k = 0; k < g.locks.entries.count; k++)
    fprintf (out, "  %s;\n", dot_string (a, g.locks.entries.data[k].key));
  for (uint32_t k = 0; k < v->lock_orders.count; k++) {
    const lock_order *o = &v->lock_orders.data[k];
    const char *place = o->pos.file ? arena_printf (a, "%s:%u", source_base_name (o->pos.file), o->pos.line) : "?";
    fprintf (out, "  %s -> %s [label = %s%s];\n", dot_string (a, o->from), dot_string (a, o->to), dot_string (a, place),
             is_on_cycle (&g, o) ? ", color = red" : "");
  }
  fputs ("}\n", out);
  lock_graph_release (&g);
  arena_free (a);
  return fflush (out) == 0 && !ferror (out);
}
