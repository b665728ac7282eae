// Writes AIGER files.  In both forms, variables are numbered as the binary form requires: inputs, latches, then the
// ands that are needed, operands first.
#include "netlist/aiger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct aiger_writer {
  const netlist *n;
  aiger_form form;
  strbuf *out;
  VEC (uint32_t) variable;  // by node: AIGER's variable, 0 if it is not written
  VEC (uint32_t) ands;      // nodes, in order
  strmap names;             // names in use
} aiger_writer;

// ---- numbers ----------------------------------------------------------------------------------------

enum { NEEDED = UINT32_MAX };

static void mark_needed_variable (aiger_writer *w, aig_lit x) { w->variable.data[x.i / 2] = NEEDED; }

static void need_roots (aiger_writer *w) {
  const netlist *n = w->n;
  for (uint32_t k = 0; k < n->latches.count; k++) mark_needed_variable (w, n->latches.data[k].next);
  for (uint32_t k = 0; k < n->bads.count; k++) mark_needed_variable (w, n->bads.data[k].holds);
  for (uint32_t k = 0; k < n->constraints.count; k++) mark_needed_variable (w, n->constraints.data[k].holds);
  for (uint32_t k = 0; k < n->fairness.count; k++) mark_needed_variable (w, n->fairness.data[k].holds);
  for (uint32_t k = 0; k < n->justice.count; k++)
    for (uint32_t i = 0; i < n->justice.data[k].conditions.count; i++)
      mark_needed_variable (w, n->justice.data[k].conditions.data[i]);
}

static void need_operands (aiger_writer *w) {
  const aig *g = &w->n->graph;
  for (uint32_t i = g->nodes.count; i-- > 1;) {
    if (w->variable.data[i] != NEEDED || aig_is_input (g, i)) continue;
    mark_needed_variable (w, g->nodes.data[i].left);
    mark_needed_variable (w, g->nodes.data[i].right);
  }
}

static void number_variables (aiger_writer *w) {
  const netlist *n = w->n;
  uint32_t last = 0;
  for (uint32_t k = 0; k < n->graph.nodes.count; k++) vec_push (&w->variable, 0);
  need_roots (w);
  need_operands (w);
  w->variable.data[0] = 0;
  for (uint32_t k = 0; k < n->inputs.count; k++) w->variable.data[n->inputs.data[k].now.i / 2] = ++last;
  for (uint32_t k = 0; k < n->latches.count; k++) w->variable.data[n->latches.data[k].now.i / 2] = ++last;
  for (uint32_t i = 1; i < n->graph.nodes.count; i++) {
    if (w->variable.data[i] != NEEDED) continue;
    w->variable.data[i] = ++last;
    vec_push (&w->ands, i);
  }
}

static uint32_t aiger_literal (const aiger_writer *w, aig_lit x) { return 2 * w->variable.data[x.i / 2] + (x.i & 1); }

// ---- sections ---------------------------------------------------------------------------------------

static void print_head (aiger_writer *w) {
  const netlist *n = w->n;
  uint32_t inputs = n->inputs.count, latches = n->latches.count, ands = w->ands.count;
  uint32_t more[] = {n->bads.count, n->constraints.count, n->justice.count, n->fairness.count};
  unsigned used = 4;
  while (used && !more[used - 1]) used--;
  strbuf_printf (w->out, "%s %u %u %u 0 %u", w->form == AIGER_ASCII ? "aag" : "aig", inputs + latches + ands, inputs,
                 latches, ands);
  for (unsigned k = 0; k < used; k++) strbuf_printf (w->out, " %u", more[k]);
  strbuf_add (w->out, "\n");
}

static void print_latch (aiger_writer *w, const net_latch *l) {
  if (w->form == AIGER_ASCII) strbuf_printf (w->out, "%u ", aiger_literal (w, l->now));
  strbuf_printf (w->out, "%u", aiger_literal (w, l->next));
  if (l->reset != NET_ZERO) strbuf_printf (w->out, " %u", l->reset == NET_ONE ? 1 : aiger_literal (w, l->now));
  strbuf_add (w->out, "\n");
}

static void print_leaves (aiger_writer *w) {
  const netlist *n = w->n;
  if (w->form == AIGER_ASCII)
    for (uint32_t k = 0; k < n->inputs.count; k++)
      strbuf_printf (w->out, "%u\n", aiger_literal (w, n->inputs.data[k].now));
  for (uint32_t k = 0; k < n->latches.count; k++) print_latch (w, &n->latches.data[k]);
}

static void print_outputs (aiger_writer *w, const net_output *outputs, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) strbuf_printf (w->out, "%u\n", aiger_literal (w, outputs[k].holds));
}

static void print_justice (aiger_writer *w) {
  const netlist *n = w->n;
  for (uint32_t k = 0; k < n->justice.count; k++) strbuf_printf (w->out, "%u\n", n->justice.data[k].conditions.count);
  for (uint32_t k = 0; k < n->justice.count; k++) {
    const net_justice *j = &n->justice.data[k];
    for (uint32_t i = 0; i < j->conditions.count; i++)
      strbuf_printf (w->out, "%u\n", aiger_literal (w, j->conditions.data[i]));
  }
}

static void print_difference (strbuf *out, uint32_t x) {
  for (; x >= 128; x >>= 7) strbuf_add_char (out, (char) (x | 128));
  strbuf_add_char (out, (char) x);
}

static void print_and (aiger_writer *w, uint32_t node) {
  uint32_t result = 2 * w->variable.data[node], left = aiger_literal (w, w->n->graph.nodes.data[node].left),
           right = aiger_literal (w, w->n->graph.nodes.data[node].right);
  uint32_t high = left > right ? left : right, low = left > right ? right : left;
  if (w->form == AIGER_ASCII) strbuf_printf (w->out, "%u %u %u\n", result, high, low);
  else {
    print_difference (w->out, result - high);
    print_difference (w->out, high - low);
  }
}

// ---- names ------------------------------------------------------------------------------------------

// Changes a name that is in use: "x (2)" is the second x.  ABC rejects a file in which two items have the same name.
static void make_different (aiger_writer *w, strbuf *name) {
  uint32_t length = name->count;
  bool is_new;
  uint64_t copies = *strmap_insert (&w->names, strbuf_text (name), 1, &is_new);
  while (!is_new) {
    name->count = length;
    strbuf_printf (name, " (%llu)", (unsigned long long) ++copies);
    strmap_insert (&w->names, name->data, 1, &is_new);
  }
  char end = name->data[length];
  name->data[length] = 0;
  *strmap_find (&w->names, name->data) = copies;
  name->data[length] = end;
}

static void print_name (aiger_writer *w, char kind, uint32_t k, const char *name) {
  if (!name || !*name) return;
  strbuf line = {0};
  for (; *name; name++) strbuf_add_char (&line, *name == '\n' ? ' ' : *name);
  make_different (w, &line);
  strbuf_printf (w->out, "%c%u %s\n", kind, k, strbuf_text (&line));
  strbuf_release (&line);
}

static void print_names (aiger_writer *w) {
  const netlist *n = w->n;
  for (uint32_t k = 0; k < n->inputs.count; k++) print_name (w, 'i', k, n->inputs.data[k].name);
  for (uint32_t k = 0; k < n->latches.count; k++) print_name (w, 'l', k, n->latches.data[k].name);
  for (uint32_t k = 0; k < n->bads.count; k++) print_name (w, 'b', k, n->bads.data[k].name);
  for (uint32_t k = 0; k < n->constraints.count; k++) print_name (w, 'c', k, n->constraints.data[k].name);
  for (uint32_t k = 0; k < n->justice.count; k++) print_name (w, 'j', k, n->justice.data[k].name);
  for (uint32_t k = 0; k < n->fairness.count; k++) print_name (w, 'f', k, n->fairness.data[k].name);
}

// ---- whole ------------------------------------------------------------------------------------------

void aiger_print (const netlist *n, aiger_form form, const char *comment, strbuf *out) {
  aiger_writer w = {.n = n, .form = form, .out = out};
  number_variables (&w);
  print_head (&w);
  print_leaves (&w);
  print_outputs (&w, n->bads.data, n->bads.count);
  print_outputs (&w, n->constraints.data, n->constraints.count);
  print_justice (&w);
  print_outputs (&w, n->fairness.data, n->fairness.count);
  for (uint32_t k = 0; k < w.ands.count; k++) print_and (&w, w.ands.data[k]);
  print_names (&w);
  if (comment) strbuf_printf (out, "c\n%s\n", comment);
  vec_release (&w.variable);
  vec_release (&w.ands);
  strmap_release (&w.names);
}

static bool is_regular (FILE *f) {
  struct stat info;
  return fstat (fileno (f), &info) == 0 && S_ISREG (info.st_mode);
}

static bool write_aiger_file (const char *path, const strbuf *bytes) {
  FILE *f = fopen (path, "wb");
  if (!f) return false;
  bool regular = is_regular (f), good = fwrite (bytes->data, 1, bytes->count, f) == bytes->count && fflush (f) == 0;
  int error = errno;
  if (fclose (f) && good) good = false, error = errno;
  if (!good && regular) remove (path);
  errno = error;
  return good;
}

bool aiger_write (const netlist *n, const char *path, const char *comment, strbuf *why) {
  strbuf bytes = {0};
  size_t length = strlen (path);
  bool ascii = length >= 4 && !strcmp (path + length - 4, ".aag");
  aiger_print (n, ascii ? AIGER_ASCII : AIGER_BINARY, comment, &bytes);
  bool good = write_aiger_file (path, &bytes);
  if (!good) strbuf_printf (why, "cannot write %s: %s", path, strerror (errno));
  strbuf_release (&bytes);
  return good;
}
