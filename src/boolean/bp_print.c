// Prints a Boolean program: one procedure `main` with the statements in the order of the locations, and a goto wherever
// the successor of a location is not the next line.  Read back, these gotos are locations, so printing the program once
// more gives the same text.
#include "base/map.h"
#include "boolean/bp_program.h"

// ---- expressions -------------------------------------------------------------------------------------------

static void print_expr (const bp_program *p, bp_expr x, bool shown, bool outermost, strbuf *out) {
  static const char *const sign[] = {[BP_AND] = "&", [BP_OR] = "|", [BP_XOR] = "^"};
  bp_node n = bp_node_at (p, x);
  if (n.op == BP_CONST) strbuf_add (out, n.a ? "1" : "0");
  else if (n.op == BP_CHOICE) strbuf_add (out, "*");
  else if (n.op == BP_VAR || n.op == BP_NEXT)
    strbuf_printf (out, "%s%s", shown ? p->vars.data[n.a].shown : p->vars.data[n.a].name, n.op == BP_NEXT ? "'" : "");
  else if (n.op == BP_NOT) {
    strbuf_add (out, "!");
    print_expr (p, (bp_expr){n.a}, shown, false, out);
  } else {
    if (!outermost) strbuf_add (out, "(");
    print_expr (p, (bp_expr){n.a}, shown, false, out);
    strbuf_printf (out, " %s ", sign[n.op]);
    print_expr (p, (bp_expr){n.b}, shown, false, out);
    if (!outermost) strbuf_add (out, ")");
  }
}

void bp_print_expr (const bp_program *p, bp_expr x, bool shown, strbuf *out) { print_expr (p, x, shown, true, out); }

// ---- labels ------------------------------------------------------------------------------------------------

typedef struct bp_printer {
  const bp_program *p;
  strbuf *out;
  arena *arena;
  strmap used;
  const char **label;  // [0..locs.count[, NULL: the location needs no label
} bp_printer;

static uint32_t following (const bp_program *p, uint32_t l) {
  for (l++; l < p->locs.count && !p->locs.data[l].reached;) l++;
  return l;
}

// Chooses the label of the source if it is not in use yet, else a label derived from it.
static void choose_label (bp_printer *pr, uint32_t l) {
  if (pr->label[l]) return;
  const char *base = pr->p->locs.data[l].label, *name = base;
  for (uint32_t k = base ? 2 : 1;; k++) {
    bool is_new = false;
    if (name) strmap_insert (&pr->used, name, 0, &is_new);
    if (is_new) break;
    name = base ? arena_printf (pr->arena, "%s%s_%u", *base <= '9' ? "L" : "", base, k)
                : arena_printf (pr->arena, "L%u", k);
  }
  pr->label[l] = name;
}

// Marks the locations that are reached by a jump, and not only from the line above.
static void mark_jump_targets (const bp_program *p, bool *needed) {
  if (p->start.i != following (p, BP_NONE)) needed[p->start.i] = true;
  for (uint32_t l = 0; l < p->locs.count; l++) {
    const bp_location *d = &p->locs.data[l];
    if (!d->reached) continue;
    if (d->kind == BP_START_THREAD) needed[d->thread.i] = true;
    for (uint32_t i = 0; i < d->next.count; i++)
      if (d->kind == BP_GOTO || d->next.data[i].i != following (p, l)) needed[d->next.data[i].i] = true;
  }
}

// Chooses labels for locations with a source label first, so that they keep their names.
static void choose_labels (bp_printer *pr) {
  const bp_program *p = pr->p;
  bool *needed = arena_zalloc (pr->arena, p->locs.count);
  mark_jump_targets (p, needed);
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (p->locs.data[l].reached && p->locs.data[l].label) choose_label (pr, l);
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (needed[l]) choose_label (pr, l);
}

// ---- statements --------------------------------------------------------------------------------------------

static void print_condition (bp_printer *pr, const char *word, bp_expr x) {
  strbuf_printf (pr->out, "%s(", word);
  bp_print_expr (pr->p, x, false, pr->out);
  strbuf_add (pr->out, ")");
}

static void print_assign (bp_printer *pr, const bp_location *d) {
  if (!d->targets.count) strbuf_add (pr->out, "_");
  for (uint32_t i = 0; i < d->targets.count; i++)
    strbuf_printf (pr->out, "%s%s", i ? ", " : "", bp_var_at (pr->p, d->targets.data[i])->name);
  strbuf_add (pr->out, d->targets.count ? " := " : " := 0");
  for (uint32_t i = 0; i < d->values.count; i++) {
    if (i) strbuf_add (pr->out, ", ");
    bp_print_expr (pr->p, d->values.data[i], false, pr->out);
  }
  if (!bp_is_const (pr->p, d->condition, true)) print_condition (pr, " constrain ", d->condition);
}

static void print_goto (bp_printer *pr, const bp_location *d) {
  for (uint32_t i = 0; i < d->next.count; i++)
    strbuf_printf (pr->out, "%s%s", i ? ", " : "goto ", pr->label[d->next.data[i].i]);
}

static void print_statement (bp_printer *pr, const bp_location *d) {
  switch (d->kind) {
  case BP_SKIP: strbuf_add (pr->out, "skip"); break;
  case BP_ASSIGN: print_assign (pr, d); break;
  case BP_ASSUME: print_condition (pr, "assume", d->condition); break;
  case BP_ASSERT: print_condition (pr, "assert", d->condition); break;
  case BP_GOTO: print_goto (pr, d); break;
  case BP_START_THREAD: strbuf_printf (pr->out, "start_thread goto %s", pr->label[d->thread.i]); break;
  case BP_END_THREAD: strbuf_add (pr->out, "end_thread"); break;
  case BP_ATOMIC_BEGIN: strbuf_add (pr->out, "atomic_begin"); break;
  case BP_ATOMIC_END: strbuf_add (pr->out, "atomic_end"); break;
  case BP_NUM_KINDS: break;
  }
  strbuf_add (pr->out, ";\n");
}

static void print_location (bp_printer *pr, uint32_t l) {
  const bp_location *d = &pr->p->locs.data[l];
  if (pr->label[l]) strbuf_printf (pr->out, "%s:\n", pr->label[l]);
  strbuf_add (pr->out, "  ");
  print_statement (pr, d);
  if (d->kind == BP_GOTO || d->kind == BP_END_THREAD || d->next.data[0].i == following (pr->p, l)) return;
  strbuf_printf (pr->out, "  goto %s;\n", pr->label[d->next.data[0].i]);
}

// ---- all ---------------------------------------------------------------------------------------------------

static void print_bp_variables (const bp_program *p, bool global, const char *indent, strbuf *out) {
  for (uint32_t i = 0; i < p->vars.count; i++)
    if (p->vars.data[i].global == global) strbuf_printf (out, "%sdecl %s;\n", indent, p->vars.data[i].name);
}

void bp_print (const bp_program *p, strbuf *out) {
  bp_printer pr = {.p = p, .out = out, .arena = arena_new (), .label = mem_zalloc (sizeof *pr.label * p->locs.count)};
  choose_labels (&pr);
  print_bp_variables (p, true, "", out);
  strbuf_add (out, "void main() begin\n");
  print_bp_variables (p, false, "  ", out);
  if (p->start.i != following (p, BP_NONE)) strbuf_printf (out, "  goto %s;\n", pr.label[p->start.i]);
  for (uint32_t l = 0; l < p->locs.count; l++)
    if (p->locs.data[l].reached) print_location (&pr, l);
  strbuf_add (out, "end\n");
  strmap_release (&pr.used);
  mem_free (pr.label, sizeof *pr.label * p->locs.count);
  arena_free (pr.arena);
}
