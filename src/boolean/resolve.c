// Resolves names and checks numbers: every variable, label and procedure that is used is declared once; calls have as
// many arguments and targets as the procedure has parameters and results; primes occur in constraints only; there is no
// recursion.
//
// A procedure is never active twice in one thread, so its locals are one set of variables of the program, however often
// the procedure is inlined.
#include <string.h>

#include "base/nearest.h"
#include "base/scc.h"
#include "boolean/bp_parse_impl.h"

// ---- variables ---------------------------------------------------------------------------------------------

// Returns a name that no other variable has: for the local x of f this is x, or f_x, or f_x_2 ...
static const char *unique_name (bp_reader *rd, const char *text, const char *proc) {
  const char *name = text;
  bool quoted = *text == '{', is_new = false;
  for (uint32_t k = 1;; k++) {
    strmap_insert (&rd->var_names, name, 0, &is_new);
    if (is_new) return name;
    const char *number = k == 1 ? "" : arena_printf (rd->arena, "_%u", k);
    name = quoted ? arena_printf (rd->arena, "{%s%s: %s", proc, number, text + 1)
                  : arena_printf (rd->arena, "%s_%s%s", proc, text, number);
  }
}

static void declare (bp_reader *rd, strmap *scope, syntax_name *name, const syntax_proc *proc) {
  if (!strcmp (name->text, "_"))
    read_fail (rd, name->at, "`_` is a target that discards a value; it cannot be declared");
  bp_program *p = rd->program;
  name->var = bp_add_var (p, unique_name (rd, name->text, proc ? proc->name : "global"), !proc);
  bp_var_at (p, name->var)->shown = arena_strdup (p->arena, name->text);
  bp_var_at (p, name->var)->pos = (ir_position){p->file, name->at.line, name->at.column};
  bool is_new;
  const uint64_t *old = strmap_insert (scope, name->text, name->var.i, &is_new);
  if (!is_new)
    read_fail (rd, name->at, "`%s` is declared twice; it is declared in line %u already", name->text,
               p->vars.data[*old].pos.line);
}

static _Noreturn void fail_undeclared (bp_reader *rd, const syntax_name *name, const char *what, const strmap *a,
                                       const strmap *b) {
  VEC (const char *) words = {0};
  for (uint32_t i = 0; i < a->entries.count; i++) vec_push (&words, a->entries.data[i].key);
  for (uint32_t i = 0; b && i < b->entries.count; i++) vec_push (&words, b->entries.data[i].key);
  const char *near = words.count ? nearest_word (name->text, words.data, words.count) : NULL;
  vec_release (&words);
  if (near) read_fail (rd, name->at, "there is no %s `%s`; did you mean %s?", what, name->text, near);
  read_fail (rd, name->at, "there is no %s `%s`", what, name->text);
}

static void resolve_variable (bp_reader *rd, syntax_name *name) {
  const uint64_t *known = strmap_find (&rd->local_names, name->text);
  if (!known) known = strmap_find (&rd->global_names, name->text);
  if (!known) fail_undeclared (rd, name, "variable", &rd->local_names, &rd->global_names);
  name->var.i = (uint32_t) *known;
}

// ---- expressions -------------------------------------------------------------------------------------------

static void resolve_expr (bp_reader *rd, syntax_expr *x) {
  if (x->op == SYNTAX_NAME || x->op == SYNTAX_NEXT) {
    if (!rd->names_allowed) read_fail (rd, x->name.at, "an initial value is a constant or `*`, without variables");
    if (x->op == SYNTAX_NEXT && !rd->next_allowed)
      read_fail (rd, x->name.at, "%s' is the value after an assignment; it can stand in `constrain` only",
                 x->name.text);
    resolve_variable (rd, &x->name);
  }
  for (int k = 0; k < 3; k++)
    if (x->arg[k]) resolve_expr (rd, x->arg[k]);
}

static uint32_t resolve_exprs (bp_reader *rd, syntax_expr *list) {
  uint32_t count = 0;
  for (; list; list = list->next, count++) resolve_expr (rd, list);
  return count;
}

static void resolve_initial (bp_reader *rd, syntax_name *list) {
  rd->names_allowed = false;
  for (; list; list = list->next)
    if (list->value) resolve_expr (rd, list->value);
  rd->names_allowed = true;
}

// ---- statements --------------------------------------------------------------------------------------------

static uint32_t count_names (const syntax_name *list) {
  uint32_t count = 0;
  for (; list; list = list->next) count++;
  return count;
}

static void resolve_targets (bp_reader *rd, syntax_name *list) {
  map_clear (&rd->assigned);
  for (syntax_name *name = list; name; name = name->next) {
    if (!strcmp (name->text, "_")) continue;
    bool is_new;
    resolve_variable (rd, name);
    map_insert (&rd->assigned, name->var.i, 0, &is_new);
    if (!is_new) read_fail (rd, name->at, "`%s` is assigned twice at once", name->text);
  }
}

static void resolve_labels (bp_reader *rd, syntax_name *list) {
  for (; list; list = list->next) {
    const uint64_t *known = strmap_find (&rd->label_names, list->text);
    if (!known) fail_undeclared (rd, list, "label", &rd->label_names, NULL);
    list->label = (syntax_label *) (uintptr_t) *known;
  }
}

static void resolve_call (bp_reader *rd, syntax_proc *caller, syntax_stmt *s, uint32_t num_args) {
  const uint64_t *known = strmap_find (&rd->proc_names, s->callee.text);
  if (!known) fail_undeclared (rd, &s->callee, "procedure", &rd->proc_names, NULL);
  s->proc = (syntax_proc *) (uintptr_t) *known;
  uint32_t wanted = count_names (s->proc->params), targets = count_names (s->names);
  if (num_args != wanted)
    read_fail (rd, s->callee.at, "`%s` has %u parameter%s, but %u argument%s given", s->callee.text, wanted,
               wanted == 1 ? "" : "s", num_args, num_args == 1 ? " is" : "s are");
  if (s->names && targets != s->proc->num_results)
    read_fail (rd, s->callee.at, "`%s` has %u result%s, but they are assigned to %u variable%s", s->callee.text,
               s->proc->num_results, s->proc->num_results == 1 ? "" : "s", targets, targets == 1 ? "" : "s");
  vec_push (&rd->calls, ((call_arc){caller->number, s->proc->number, s}));
}

static void check_return_statement (bp_reader *rd, const syntax_proc *f, const syntax_stmt *s, uint32_t count) {
  if (count != f->num_results)
    read_fail (rd, s->at, "`%s` has %u result%s, but %u %s returned", f->name, f->num_results,
               f->num_results == 1 ? "" : "s", count, count == 1 ? "is" : "are");
}

static void resolve_stmts (bp_reader *rd, syntax_proc *f, syntax_stmt *s);

static void resolve_stmt (bp_reader *rd, syntax_proc *f, syntax_stmt *s) {
  uint32_t count = resolve_exprs (rd, s->exprs);
  rd->next_allowed = s->kind == SYNTAX_ASSIGN;
  if (s->condition) resolve_expr (rd, s->condition);
  rd->next_allowed = false;
  if (s->kind == SYNTAX_GOTO || s->kind == SYNTAX_START_THREAD) resolve_labels (rd, s->names);
  else resolve_targets (rd, s->names);
  if (s->kind == SYNTAX_START_THREAD) f->threads_start = true;
  if (s->kind == SYNTAX_CALL) resolve_call (rd, f, s, count);
  if (s->kind == SYNTAX_RETURN) check_return_statement (rd, f, s, count);
  if (s->kind == SYNTAX_ASSIGN && count != count_names (s->names))
    read_fail (rd, s->at, "%u variables are assigned, but there %s %u value%s", count_names (s->names),
               count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
  resolve_stmts (rd, f, s->body);
  resolve_stmts (rd, f, s->other);
}

static void resolve_stmts (bp_reader *rd, syntax_proc *f, syntax_stmt *s) {
  for (; s; s = s->next) resolve_stmt (rd, f, s);
}

// ---- procedures --------------------------------------------------------------------------------------------

static void declare_labels (bp_reader *rd, const syntax_stmt *s) {
  for (; s; s = s->next) {
    for (syntax_label *label = s->labels; label; label = label->next) {
      bool is_new;
      const uint64_t *old = strmap_insert (&rd->label_names, label->text, (uintptr_t) label, &is_new);
      if (!is_new)
        read_fail (rd, label->at, "label `%s` stands twice in this procedure; it stands in line %u already",
                   label->text, ((const syntax_label *) (uintptr_t) *old)->at.line);
    }
    declare_labels (rd, s->body);
    declare_labels (rd, s->other);
  }
}

static void resolve_proc (bp_reader *rd, syntax_proc *f) {
  strmap_release (&rd->local_names);
  strmap_release (&rd->label_names);
  for (syntax_name *name = f->params; name; name = name->next) declare (rd, &rd->local_names, name, f);
  for (syntax_name *name = f->locals; name; name = name->next) declare (rd, &rd->local_names, name, f);
  resolve_initial (rd, f->locals);
  declare_labels (rd, f->body);
  for (syntax_expr *x = f->enforced; x; x = x->next) resolve_expr (rd, x);
  resolve_stmts (rd, f, f->body);
}

static void declare_procs (bp_reader *rd) {
  for (syntax_proc *f = rd->procs; f; f = f->next) {
    bool is_new;
    const uint64_t *old = strmap_insert (&rd->proc_names, f->name, (uintptr_t) f, &is_new);
    if (!is_new)
      read_fail (rd, f->at, "procedure `%s` is defined twice; it is defined in line %u already", f->name,
                 ((const syntax_proc *) (uintptr_t) *old)->at.line);
  }
}

// ---- recursion ---------------------------------------------------------------------------------------------

static const char *proc_name (const bp_reader *rd, uint32_t number) {
  const syntax_proc *f = rd->procs;
  while (f->number != number) f = f->next;
  return f->name;
}

// The calls: procedure n calls targets[first[n]..first[n + 1][.
typedef struct bp_call_graph {
  uint32_t *first, *targets, *component;
} bp_call_graph;

static bp_call_graph build_bp_call_graph (bp_reader *rd) {
  uint32_t count = rd->num_procs, arcs = rd->calls.count;
  bp_call_graph g = {.first = arena_zalloc (rd->arena, sizeof *g.first * (count + 2)),
                     .targets = arena_zalloc (rd->arena, sizeof *g.targets * (arcs + 1)),
                     .component = arena_zalloc (rd->arena, sizeof *g.component * (count + 1))};
  for (uint32_t i = 0; i < arcs; i++) g.first[rd->calls.data[i].caller + 2]++;
  for (uint32_t n = 2; n < count + 2; n++) g.first[n] += g.first[n - 1];
  for (uint32_t i = 0; i < arcs; i++) g.targets[g.first[rd->calls.data[i].caller + 1]++] = rd->calls.data[i].callee;
  scc_find (count, g.first, g.targets, g.component);
  return g;
}

// Searches breadth first from `goal` along calls, until `goal` is called again.  by[n]: the caller of n in this search.
static void find_cycle (bp_reader *rd, const bp_call_graph *g, uint32_t goal, uint32_t *by) {
  uint32_t *queue = arena_alloc (rd->arena, sizeof *queue * (rd->num_procs + 1)), head = 0, tail = 0;
  for (uint32_t n = 0; n < rd->num_procs; n++) by[n] = BP_NONE;
  queue[tail++] = goal;
  while (head < tail && by[goal] == BP_NONE) {
    uint32_t n = queue[head++];
    for (uint32_t k = g->first[n]; k < g->first[n + 1]; k++) {
      uint32_t m = g->targets[k];
      if (by[m] != BP_NONE || g->component[m] != g->component[goal]) continue;
      by[m] = n;
      queue[tail++] = m;
    }
  }
}

static _Noreturn void fail_recursion (bp_reader *rd, const bp_call_graph *g, const call_arc *c) {
  uint32_t *by = arena_alloc (rd->arena, sizeof *by * rd->num_procs), n = c->caller;
  find_cycle (rd, g, c->caller, by);
  const char *text = proc_name (rd, n);
  do {
    n = by[n];
    text = arena_printf (rd->arena, "%s -> %s", proc_name (rd, n), text);
  } while (n != c->caller);
  read_fail (rd, c->at->callee.at, "recursion is not supported: %s", text);
}

static void check_recursion (bp_reader *rd) {
  bp_call_graph g = build_bp_call_graph (rd);
  for (uint32_t i = 0; i < rd->calls.count; i++) {
    const call_arc *c = &rd->calls.data[i];
    if (g.component[c->caller] == g.component[c->callee]) fail_recursion (rd, &g, c);
  }
}

void resolve_program (bp_reader *rd) {
  rd->names_allowed = true;
  for (syntax_name *name = rd->globals; name; name = name->next) declare (rd, &rd->global_names, name, NULL);
  resolve_initial (rd, rd->globals);
  for (syntax_expr *x = rd->enforced; x; x = x->next) resolve_expr (rd, x);
  declare_procs (rd);
  for (syntax_proc *f = rd->procs; f; f = f->next) resolve_proc (rd, f);
  check_recursion (rd);
}
