// write-promela FILE.bp: the Boolean program as Promela, for SPIN, on standard output.
//
// One statement is one transition; a goto and the assume that it leads to are one, as in our engines.  What only one
// statement leads to is written behind it, without a label: spin looks for labels one by one.  A process type for each
// place where a thread starts, with what is handed to it as parameters.  Variables that are never read are 0 instead of
// any value, which is in SPIN's favour.  A thread inside an atomic region has set `busy`; outside of regions all
// transitions wait for it to be 0 (Promela's own `atomic` is left when a statement blocks).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boolean/bp_program.h"

enum { MAX_SPLIT = 3 /* choices whose values are written out */, MAX_CASES = 6, MAX_NESTING = 10 };

typedef struct writer {
  const bp_program *p;
  dataflow live;
  bool has_regions;
  strbuf out;
  const bp_location *at;  // the statement at hand
  bp_expr_list choices;   // of it
  uint32_t values;        // of the choices, one bit each
  bool choices_are_variables;
  uint32_t max_choices, max_targets;  // of all statements that choose step by step, or assign several
  uint32_t *references;               // by location: so many statements of the thread lead to it
  bool *is_head;                      // by location: some statement jumps to it
  VEC (uint32_t) heads;
} writer;

static _Noreturn void refuse (const char *why) {
  fprintf (stderr, "write-promela: %s\n", why);
  exit (1);
}

// ---- expressions ------------------------------------------------------------------------------------------
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
    strbuf_add (&w->out, "! ");  // `!!` is something else to spin
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

// ---- statements -------------------------------------------------------------------------------------------
static void write_free (writer *w, const bp_location *d) {
  strbuf_add (&w->out, w->has_regions && !d->depth ? "!busy" : "1");
}

static bool is_wanted (const writer *w, const bp_location *d, uint32_t target) {
  bp_var v = d->targets.data[target];
  return bp_var_at (w->p, v)->global || bp_is_live (&w->live, d->next.data[0], v);
}

static bool reads (const writer *w, bp_expr x, bp_var v) {
  bp_expr_list leaves = {0};
  bp_leaves (w->p, x, &leaves);
  bool found = false;
  for (uint32_t i = 0; i < leaves.count; i++) {
    bp_node n = bp_node_at (w->p, leaves.data[i]);
    found |= n.op == BP_VAR && n.a == v.i;
  }
  vec_release (&leaves);
  return found;
}

// A value read later is put by until all are computed.
static bool is_put_by (const writer *w, const bp_location *d, uint32_t target) {
  for (uint32_t k = target + 1; k < d->targets.count; k++)
    if (is_wanted (w, d, k) && reads (w, d->values.data[k], d->targets.data[target])) return true;
  return false;
}

static void write_assignment (writer *w, const bp_location *d) {
  uint32_t n = d->targets.count;
  for (uint32_t i = 0; i < n; i++) {
    bool put_by = is_put_by (w, d, i);
    if (put_by && i >= w->max_targets) w->max_targets = i + 1;
    strbuf_printf (&w->out, "%s%u = ", put_by ? "n" : "v", put_by ? i : d->targets.data[i].i);
    if (is_wanted (w, d, i)) write_expr (w, d->values.data[i]);
    else strbuf_add (&w->out, "0");
    strbuf_add (&w->out, "; ");
  }
  for (uint32_t i = 0; i < n; i++)
    if (is_put_by (w, d, i)) strbuf_printf (&w->out, "v%u = n%u; n%u = 0; ", d->targets.data[i].i, i, i);
}

static void write_case (writer *w, const bp_location *d) {
  strbuf_add (&w->out, ":: atomic { ");
  write_free (w, d);
  strbuf_add (&w->out, " && ");
  write_expr (w, d->condition);
  strbuf_add (&w->out, " -> ");
  write_assignment (w, d);
  strbuf_add (&w->out, "} ");
}

// Is what was written last also one of the cases before?
static bool is_repeated (const writer *w, const uint32_t *begin, uint32_t last) {
  const char *text = w->out.data;
  uint32_t length = w->out.count - begin[last];
  for (uint32_t i = 0; i < last; i++)
    if (begin[i + 1] - begin[i] == length && !memcmp (text + begin[i], text + begin[last], length)) return true;
  return false;
}

static void write_split (writer *w, const bp_location *d) {
  uint32_t begin[(1 << MAX_SPLIT) + 1], cases = 0;
  strbuf_add (&w->out, "if ");
  for (w->values = 0; w->values < 1u << w->choices.count; w->values++) {
    begin[cases] = w->out.count;
    write_case (w, d);
    if (is_repeated (w, begin, cases)) w->out.count = begin[cases];
    else cases++;
  }
  strbuf_add (&w->out, "fi");
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
  strbuf_printf (&w->out, "goto L%u fi }", l);
}

static bool is_stepwise (writer *w, const bp_location *d) {
  if (d->kind != BP_ASSIGN) return false;
  begin_statement (w, d);
  return w->choices.count > MAX_SPLIT;
}

static void write_assign (writer *w, const bp_location *d, uint32_t l) {
  if (is_stepwise (w, d)) write_stepwise (w, d, l);
  else write_split (w, d);
}

static bool only_goes_on (const bp_program *p, const bp_location *d) {
  return d->kind == BP_SKIP ||
         (d->kind == BP_GOTO && d->next.count == 1 && bp_loc_at (p, d->next.data[0])->kind != BP_ASSUME);
}

static uint32_t past_gotos (const bp_program *p, uint32_t l) {
  for (uint32_t steps = 0; steps < p->locs.count && only_goes_on (p, &p->locs.data[l]); steps++)
    l = p->locs.data[l].next.data[0].i;
  return l;
}

// Past the assume that a goto leads to, and past all that only goes on.
static uint32_t successor (const bp_program *p, const bp_location *d, uint32_t i) {
  const bp_location *n = bp_loc_at (p, d->next.data[i]);
  return past_gotos (p, d->kind == BP_GOTO && n->kind == BP_ASSUME ? n->next.data[0].i : d->next.data[i].i);
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
  strbuf_add (&w->out, ") }");
}

// Of those that go on to one other.
static void write_statement (writer *w, uint32_t l) {
  const bp_location *d = &w->p->locs.data[l];
  switch (d->kind) {
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
    strbuf_add (&w->out, " }");
    break;
  case BP_START_THREAD: write_start (w, d); break;
  case BP_ATOMIC_BEGIN: strbuf_add (&w->out, d->depth ? "skip" : "atomic { !busy -> busy = 1 }"); break;
  case BP_ATOMIC_END: strbuf_add (&w->out, d->depth == 1 ? "busy = 0" : "skip"); break;
  case BP_SKIP:
  case BP_GOTO:
  case BP_END_THREAD:
  case BP_NUM_KINDS: break;
  }
  strbuf_add (&w->out, ";\n");
}

// ---- chains of statements ---------------------------------------------------------------------------------
static void write_chain (writer *w, uint32_t l, uint32_t nesting);

static void write_jump (writer *w, uint32_t l) {
  if (!w->is_head[l]) vec_push (&w->heads, l);
  w->is_head[l] = true;
  strbuf_printf (&w->out, "goto L%u\n", l);
}

static void write_branch (writer *w, const bp_location *d, uint32_t i, uint32_t nesting) {
  const bp_location *n = bp_loc_at (w->p, d->next.data[i]);
  uint32_t l = successor (w->p, d, i);
  strbuf_add (&w->out, ":: ");
  write_free (w, d);
  if (n->kind == BP_ASSUME) {
    strbuf_add (&w->out, " && ");
    write_condition (w, n, "||");
  }
  strbuf_add (&w->out, " -> ");
  if (w->references[l] > 1 || nesting == MAX_NESTING) write_jump (w, l);
  else write_chain (w, l, nesting + 1);
}

// A way back to the goto itself changes nothing, and SPIN refuses one without a condition.
static void write_goto (writer *w, uint32_t l, uint32_t nesting) {
  const bp_location *d = &w->p->locs.data[l];
  uint32_t ways = 0;
  for (uint32_t i = 0; i < d->next.count; i++) {
    if (successor (w->p, d, i) == l) continue;
    if (!ways++) strbuf_add (&w->out, "if\n");
    write_branch (w, d, i, nesting);
  }
  strbuf_add (&w->out, ways ? "fi\n" : "false\n");
}

// Until it splits, ends, or others come in.
static void write_chain (writer *w, uint32_t l, uint32_t nesting) {
  const bp_location *d;
  for (;; l = successor (w->p, d, 0)) {
    d = &w->p->locs.data[l];
    if (only_goes_on (w->p, d) || d->kind == BP_GOTO || d->kind == BP_END_THREAD) break;
    write_statement (w, l);
    if (w->references[successor (w->p, d, 0)] < 2) continue;
    write_jump (w, successor (w->p, d, 0));
    return;
  }
  if (only_goes_on (w->p, d)) strbuf_add (&w->out, "false\n");  // round and round
  else if (d->kind == BP_GOTO) write_goto (w, l, nesting);
  else strbuf_printf (&w->out, "%s; goto done\n", d->depth ? "busy = 0" : "skip");
}

// ---- threads ----------------------------------------------------------------------------------------------
static void count_references (writer *w, uint32_t start) {
  VEC (uint32_t) next = {0};
  vec_push (&next, start);
  while (next.count) {
    uint32_t here = vec_pop (&next);
    const bp_location *d = &w->p->locs.data[here];
    if (w->references[here]++) continue;
    if (is_stepwise (w, d)) w->references[here]++;
    for (uint32_t i = 0; i < d->next.count; i++) vec_push (&next, successor (w->p, d, i));
  }
  vec_release (&next);
}

static void write_chains (writer *w, uint32_t start) {
  w->references = mem_zalloc (sizeof *w->references * w->p->locs.count);
  w->is_head = mem_zalloc (sizeof *w->is_head * w->p->locs.count);
  count_references (w, start);
  write_jump (w, start);
  while (w->heads.count) {
    uint32_t head = vec_pop (&w->heads);
    strbuf_printf (&w->out, ";\nL%u: ", head);
    write_chain (w, head, 0);
  }
  mem_free (w->references, sizeof *w->references * w->p->locs.count);
  mem_free (w->is_head, sizeof *w->is_head * w->p->locs.count);
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
  strbuf body = {0};
  if (is_first) strbuf_add (&w->out, "active proctype first (");
  else strbuf_printf (&w->out, "proctype thread%u (", start.i);
  if (!is_first) write_parameters (w, start);
  strbuf_add (&w->out, ") {\n");
  for (uint32_t v = 0; v < w->p->vars.count; v++)
    if (!w->p->vars.data[v].global && (is_first || !bp_is_live (&w->live, start, (bp_var){v})))
      strbuf_printf (&w->out, "  bit v%u;\n", v);
  uint32_t declarations = w->out.count;
  if (is_first) write_initial_values (w);
  w->max_choices = w->max_targets = 0;
  write_chains (w, past_gotos (w->p, start.i));
  strbuf_add (&body, w->out.data + declarations);
  w->out.count = declarations;
  for (uint32_t i = 0; i < w->max_choices; i++) strbuf_printf (&w->out, "  bit c%u;\n", i);
  for (uint32_t i = 0; i < w->max_targets; i++) strbuf_printf (&w->out, "  bit n%u;\n", i);
  strbuf_printf (&w->out, "%s;\ndone: skip\n}\n", body.data);
  strbuf_release (&body);
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
  bp_find_live (&w.live, p);
  write_program (&w);
  fwrite (w.out.data, 1, w.out.count, stdout);
  strbuf_release (&w.out);
  vec_release (&w.choices);
  vec_release (&w.heads);
  dataflow_release (&w.live);
  bp_program_free (p);
  return 0;
}
