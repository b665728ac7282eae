// write-promela FILE.bp: the Boolean program as Promela, for SPIN, on standard output.
//
// One statement is one transition; a goto and the assume that it leads to are one, as in our engines.  A process type for each place where a thread starts, with what is handed
// to it as parameters.  Variables that nobody reads are 0 instead of any value, which is in SPIN's favour.  A thread inside an atomic region has set `busy`; outside of
// regions all transitions wait for it to be 0 (Promela's own `atomic` is left when a statement blocks).
#include <stdio.h>
#include <stdlib.h>

#include "boolean/program.h"

enum { MAX_SPLIT = 3 /* choices whose values are written out */, MAX_CASES = 6 };

typedef struct writer {
  const bp_program *p;
  bp_liveness live;
  bool has_regions;
  strbuf out;
  const bp_location *at;  // the statement at hand
  bp_expr_list choices;   // of it
  uint32_t values;        // of the choices, one bit each
  bool choices_are_variables;
  uint32_t max_choices, max_targets;  // of all statements that choose step by step, or assign several
} writer;

static _Noreturn void refuse (const char *why) {
  fprintf (stderr, "write-promela: %s\n", why);
  exit (1);
}

// ---- expressions -------------------------------------------------------------------------------------------------------------------
static void write_expr (writer *w, bp_expr x);

static void write_choice (writer *w, bp_expr x) {
  uint32_t i = 0;
  while (w->choices.data[i].i != x.i) i++;
  if (w->choices_are_variables) strbuf_printf (&w->out, "c%u", i);
  else strbuf_add (&w->out, w->values >> i & 1 ? "1" : "0");
}

static void write_next (writer *w, uint32_t var) {
  for (uint32_t i = 0; i < w->at->targets.count; i++)
    if (w->at->targets.data[i].i == var) {
      write_expr (w, w->at->values.data[i]);
      return;
    }
  strbuf_printf (&w->out, "v%u", var);
}

static void write_expr (writer *w, bp_expr x) {
  static const char *const sign[] = {[BP_AND] = "&&", [BP_OR] = "||", [BP_XOR] = "!="};
  bp_node n = bp_node_at (w->p, x);
  switch ((bp_op) n.op) {
  case BP_CONST: strbuf_add (&w->out, n.a ? "1" : "0"); return;
  case BP_VAR: strbuf_printf (&w->out, "v%u", n.a); return;
  case BP_NEXT: write_next (w, n.a); return;
  case BP_CHOICE: write_choice (w, x); return;
  case BP_NOT:
    strbuf_add (&w->out, "!");
    write_expr (w, (bp_expr){n.a});
    return;
  case BP_AND:
  case BP_OR:
  case BP_XOR:
    strbuf_add (&w->out, "(");
    write_expr (w, (bp_expr){n.a});
    strbuf_printf (&w->out, " %s ", sign[n.op]);
    write_expr (w, (bp_expr){n.b});
    strbuf_add (&w->out, ")");
  }
}

static void add_choices (writer *w, bp_expr x) {
  bp_expr_list leaves = {0};
  bp_leaves (w->p, x, &leaves);
  for (uint32_t i = 0; i < leaves.count; i++) {
    bool is_new = bp_node_at (w->p, leaves.data[i]).op == BP_CHOICE;
    for (uint32_t k = 0; k < w->choices.count; k++) is_new &= w->choices.data[k].i != leaves.data[i].i;
    if (is_new) vec_push (&w->choices, leaves.data[i]);
  }
  vec_release (&leaves);
}

static void begin_statement (writer *w, const bp_location *d) {
  w->at = d;
  w->values = 0;
  w->choices_are_variables = false;
  vec_clear (&w->choices);
  for (uint32_t i = 0; i < d->values.count; i++) add_choices (w, d->values.data[i]);
  add_choices (w, d->condition);
}

// For some choices, or for all.
static void write_condition (writer *w, const bp_location *d, const char *sign) {
  begin_statement (w, d);
  if (w->choices.count > MAX_CASES) refuse ("a condition has too many choices");
  strbuf_add (&w->out, "(");
  for (w->values = 0; w->values < 1u << w->choices.count; w->values++) {
    if (w->values) strbuf_printf (&w->out, " %s ", sign);
    write_expr (w, d->condition);
  }
  strbuf_add (&w->out, ")");
}

// ---- statements --------------------------------------------------------------------------------------------------------------------
static void write_free (writer *w, const bp_location *d) {
  strbuf_add (&w->out, w->has_regions && !d->depth ? "!busy" : "1");
}

static bool is_wanted (const writer *w, const bp_location *d, uint32_t target) {
  bp_var v = d->targets.data[target];
  return bp_var_at (w->p, v)->global || bp_is_live (&w->live, d->next.data[0], v);
}

// Several are computed before any is assigned.
static void write_assignment (writer *w, const bp_location *d) {
  uint32_t n = d->targets.count;
  for (uint32_t i = 0; i < n; i++) {
    if (n == 1) strbuf_printf (&w->out, "v%u = ", d->targets.data[i].i);
    else strbuf_printf (&w->out, "n%u = ", i);
    if (is_wanted (w, d, i)) write_expr (w, d->values.data[i]);
    else strbuf_add (&w->out, "0");
    strbuf_add (&w->out, "; ");
  }
  for (uint32_t i = 0; i < n && n > 1; i++) strbuf_printf (&w->out, "v%u = n%u; ", d->targets.data[i].i, i);
  for (uint32_t i = 0; i < n && n > 1; i++) strbuf_printf (&w->out, "n%u = 0; ", i);
  if (n > 1 && n > w->max_targets) w->max_targets = n;
}

static void write_split (writer *w, const bp_location *d) {
  strbuf_add (&w->out, "if ");
  for (w->values = 0; w->values < 1u << w->choices.count; w->values++) {
    strbuf_add (&w->out, ":: atomic { ");
    write_free (w, d);
    strbuf_add (&w->out, " && ");
    write_expr (w, d->condition);
    strbuf_add (&w->out, " -> ");
    write_assignment (w, d);
    strbuf_add (&w->out, "} ");
  }
  strbuf_add (&w->out, "fi; ");
}

static void forget_choices (writer *w) {
  for (uint32_t i = 0; i < w->choices.count; i++) strbuf_printf (&w->out, "c%u = 0; ", i);
}

// One choice after the other; if they do not fit, the thread is where it was.
static void write_stepwise (writer *w, const bp_location *d, uint32_t l) {
  w->choices_are_variables = true;
  if (w->choices.count > w->max_choices) w->max_choices = w->choices.count;
  strbuf_add (&w->out, "atomic { ");
  write_free (w, d);
  strbuf_add (&w->out, " -> ");
  for (uint32_t i = 0; i < w->choices.count; i++) strbuf_printf (&w->out, "if :: c%u = 0 :: c%u = 1 fi; ", i, i);
  strbuf_add (&w->out, "if :: ");
  write_expr (w, d->condition);
  strbuf_add (&w->out, " -> ");
  write_assignment (w, d);
  forget_choices (w);
  strbuf_add (&w->out, ":: else -> ");
  forget_choices (w);
  strbuf_printf (&w->out, "goto L%u fi } ", l);
}

static void write_assign (writer *w, const bp_location *d, uint32_t l) {
  begin_statement (w, d);
  if (w->choices.count <= MAX_SPLIT) write_split (w, d);
  else write_stepwise (w, d, l);
}

static void write_goto (writer *w, const bp_location *d) {
  if (d->next.count == 1 && bp_loc_at (w->p, d->next.data[0])->kind != BP_ASSUME) return;
  strbuf_add (&w->out, "if ");
  for (uint32_t i = 0; i < d->next.count; i++) {
    const bp_location *n = bp_loc_at (w->p, d->next.data[i]);
    bool through = n->kind == BP_ASSUME;
    strbuf_add (&w->out, ":: ");
    write_free (w, d);
    if (through) strbuf_add (&w->out, " && ");
    if (through) write_condition (w, n, "||");
    strbuf_printf (&w->out, " -> goto L%u ", through ? n->next.data[0].i : d->next.data[i].i);
  }
  strbuf_add (&w->out, "fi; ");
}

// What is handed over: locals that the new thread may read.
static void write_start (writer *w, const bp_location *d) {
  bool first = true;
  strbuf_add (&w->out, "atomic { ");
  write_free (w, d);
  strbuf_printf (&w->out, " -> run thread%u (", d->thread.i);
  for (uint32_t v = 0; v < w->p->vars.count; v++) {
    if (w->p->vars.data[v].global || !bp_is_live (&w->live, d->thread, (bp_var){v})) continue;
    strbuf_printf (&w->out, "%sv%u", first ? "" : ", ", v);
    first = false;
  }
  strbuf_add (&w->out, ") } ");
}

static void write_statement (writer *w, uint32_t l) {
  const bp_location *d = &w->p->locs.data[l];
  strbuf_printf (&w->out, "L%u: ", l);
  switch (d->kind) {
  case BP_SKIP: write_free (w, d); break;
  case BP_ASSIGN: write_assign (w, d, l); break;
  case BP_ASSUME:
    write_free (w, d);
    strbuf_add (&w->out, " && ");
    write_condition (w, d, "||");
    break;
  case BP_ASSERT:
    strbuf_add (&w->out, "atomic { ");
    write_free (w, d);
    strbuf_add (&w->out, " -> assert ");
    write_condition (w, d, "&&");
    strbuf_add (&w->out, " } ");
    break;
  case BP_GOTO: write_goto (w, d); break;
  case BP_START_THREAD: write_start (w, d); break;
  case BP_ATOMIC_BEGIN: strbuf_add (&w->out, d->depth ? "skip" : "atomic { !busy -> busy = 1 } "); break;
  case BP_ATOMIC_END: strbuf_add (&w->out, d->depth == 1 ? "busy = 0" : "skip"); break;
  case BP_END_THREAD: strbuf_add (&w->out, d->depth ? "busy = 0" : "skip"); break;
  case BP_NUM_KINDS: break;
  }
  if (d->kind == BP_END_THREAD) strbuf_add (&w->out, "; goto done;\n");
  else if (d->kind != BP_GOTO || d->next.count == 1) strbuf_printf (&w->out, "; goto L%u;\n", d->next.data[0].i);
  else strbuf_add (&w->out, "\n");
}

// ---- threads -----------------------------------------------------------------------------------------------------------------------
static void reach (const bp_program *p, bool *reached, uint32_t l) {
  VEC (uint32_t) stack = {0};
  vec_push (&stack, l);
  while (stack.count) {
    uint32_t here = vec_pop (&stack);
    if (reached[here]) continue;
    reached[here] = true;
    for (uint32_t i = 0; i < p->locs.data[here].next.count; i++) vec_push (&stack, p->locs.data[here].next.data[i].i);
  }
  vec_release (&stack);
}

static void write_any (writer *w, uint32_t v) { strbuf_printf (&w->out, "  if :: v%u = 0 :: v%u = 1 fi;\n", v, v); }

// Only what may be read has any value at first.
static void write_initial_values (writer *w) {
  strbuf_add (&w->out, "  atomic {\n  skip;\n");
  for (uint32_t v = 0; v < w->p->vars.count; v++)
    if (bp_is_live (&w->live, w->p->start, (bp_var){v})) write_any (w, v);
  strbuf_add (&w->out, "  }\n");
}

static void write_parameters (writer *w, bp_loc start) {
  bool first = true;
  for (uint32_t v = 0; v < w->p->vars.count; v++) {
    if (w->p->vars.data[v].global || !bp_is_live (&w->live, start, (bp_var){v})) continue;
    strbuf_printf (&w->out, "%sbit v%u", first ? "" : "; ", v);
    first = false;
  }
}

static void write_thread (writer *w, bp_loc start, bool is_first) {
  bool *reached = mem_zalloc (sizeof *reached * w->p->locs.count);
  strbuf body = {0};
  reach (w->p, reached, start.i);
  if (is_first) strbuf_add (&w->out, "active proctype first (");
  else strbuf_printf (&w->out, "proctype thread%u (", start.i);
  if (!is_first) write_parameters (w, start);
  strbuf_add (&w->out, ") {\n");
  for (uint32_t v = 0; v < w->p->vars.count; v++)
    if (!w->p->vars.data[v].global && (is_first || !bp_is_live (&w->live, start, (bp_var){v})))
      strbuf_printf (&w->out, "  bit v%u;\n", v);
  uint32_t declarations = w->out.count;
  if (is_first) write_initial_values (w);
  strbuf_printf (&w->out, "  goto L%u;\n", start.i);
  w->max_choices = w->max_targets = 0;
  for (uint32_t l = 0; l < w->p->locs.count; l++)
    if (reached[l]) write_statement (w, l);
  strbuf_add (&body, w->out.data + declarations);
  w->out.count = declarations;
  for (uint32_t i = 0; i < w->max_choices; i++) strbuf_printf (&w->out, "  bit c%u;\n", i);
  for (uint32_t i = 0; i < w->max_targets; i++) strbuf_printf (&w->out, "  bit n%u;\n", i);
  strbuf_printf (&w->out, "%s  done: skip\n}\n", body.data);
  strbuf_release (&body);
  mem_free (reached, sizeof *reached * w->p->locs.count);
}

static void write_program (writer *w) {
  const bp_program *p = w->p;
  bool *started = mem_zalloc (sizeof *started * p->locs.count);
  for (uint32_t l = 0; l < p->locs.count; l++) {
    if (!p->locs.data[l].reached) continue;
    w->has_regions |= p->locs.data[l].depth != 0;
    if (p->locs.data[l].thread.i != BP_NONE) started[p->locs.data[l].thread.i] = true;
  }
  strbuf_add (&w->out, "bit busy;\n");
  for (uint32_t v = 0; v < p->vars.count; v++)
    if (p->vars.data[v].global) strbuf_printf (&w->out, "bit v%u;\n", v);
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (started[l]) write_thread (w, (bp_loc){l}, false);
  write_thread (w, p->start, true);
  mem_free (started, sizeof *started * p->locs.count);
}

int main (int argc, char **argv) {
  if (argc != 2) refuse ("usage: write-promela FILE.bp");
  bp_program *p = bp_load (argv[1]);
  if (!p) return 1;
  writer w = {.p = p};
  bp_liveness_find (&w.live, p);
  write_program (&w);
  fwrite (w.out.data, 1, w.out.count, stdout);
  strbuf_release (&w.out);
  vec_release (&w.choices);
  bp_liveness_release (&w.live, p);
  bp_program_free (p);
  return 0;
}
