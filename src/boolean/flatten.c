// The tree to a flat graph: calls are inlined, `if` and `while` become gotos and assumes (paper BOOL, section 2.2), `enforce` becomes
// part of the statements that it is about.
//
// A procedure is copied for each call, and once more if threads start in it: for them, a return is the end.  Its locals are the same
// variables in all copies (see resolve.c), so a new thread finds the values of its creator's where it looks for them.
#include <string.h>

#include "base/limits.h"
#include "boolean/parse_impl.h"

// One copy of a procedure.
typedef struct copy {
  syntax_proc *proc;
  const syntax_stmt *call;               // what it is inlined for; NULL: threads start in it
  uint32_t first_return, first_pending;  // in the reader's lists
  uint32_t depth;                        // of calls
} copy;

// ---- expressions -------------------------------------------------------------------------------------------

// With `next`, variables are those of the state after the step.
static bp_expr flatten_expr (reader *rd, const syntax_expr *x, bool next) {
  bp_program *p = rd->program;
  bp_expr arg[3] = {{0}};
  for (int k = 0; k < 3; k++)
    if (x->arg[k]) arg[k] = flatten_expr (rd, x->arg[k], next);
  switch (x->op) {
  case SYNTAX_CONST: return bp_const (p, x->value);
  case SYNTAX_NAME: return next ? bp_use_next (p, x->name.var) : bp_use (p, x->name.var);
  case SYNTAX_NEXT: return bp_use_next (p, x->name.var);
  case SYNTAX_CHOICE: return bp_choice (p);
  case SYNTAX_NOT: return bp_not (p, arg[0]);
  case SYNTAX_AND: return bp_and (p, arg[0], arg[1]);
  case SYNTAX_OR: return bp_or (p, arg[0], arg[1]);
  case SYNTAX_XOR: return bp_xor (p, arg[0], arg[1]);
  case SYNTAX_EQUAL: return bp_not (p, bp_xor (p, arg[0], arg[1]));
  case SYNTAX_IMPLIES: return bp_or (p, bp_not (p, arg[0]), arg[1]);
  case SYNTAX_SCHOOSE: return bp_or (p, arg[0], bp_and (p, bp_not (p, arg[1]), bp_choice (p)));
  case SYNTAX_ITE: break;
  }
  return bp_xor (p, arg[2], bp_and (p, arg[0], bp_xor (p, arg[1], arg[2])));
}

// All that is enforced in this procedure, about the state before or after a step.
static bp_expr enforced (reader *rd, const syntax_proc *f, bool next) {
  bp_expr all = bp_const (rd->program, true);
  for (const syntax_expr *x = rd->enforced; x; x = x->next) all = bp_and (rd->program, all, flatten_expr (rd, x, next));
  for (const syntax_expr *x = f->enforced; x; x = x->next) all = bp_and (rd->program, all, flatten_expr (rd, x, next));
  return all;
}

// ---- locations ---------------------------------------------------------------------------------------------

static void join (reader *rd, bp_loc to) {
  for (uint32_t i = 0; i < rd->open.count; i++) bp_add_next (rd->program, rd->open.data[i], to);
  vec_clear (&rd->open);
}

// A new location; everything open leads to it, and it is open then.
static bp_loc emit (reader *rd, const copy *c, bp_kind kind, place at) {
  bp_program *p = rd->program;
  if (at_limit (BOOLEAN_STATEMENTS, p->locs.count))
    read_fail (rd, at, "the program has more than %d statements after inlining its calls", LIMIT_BOOLEAN_STATEMENTS);
  bp_loc l = bp_add_loc (p, kind);
  bp_location *d = bp_loc_at (p, l);
  d->procedure = c->proc->name;
  d->pos = (ir_position){p->file, at.line, at.column};
  join (rd, l);
  vec_push (&rd->open, l);
  return l;
}

static void emit_assume (reader *rd, const copy *c, bp_expr condition, place at) {
  bp_op op = (bp_op) bp_node_at (rd->program, condition).op;
  bp_node n = bp_node_at (rd->program, condition);
  bool free_choice = op == BP_CHOICE || (op == BP_NOT && bp_node_at (rd->program, (bp_expr){n.a}).op == BP_CHOICE);
  if (free_choice || bp_is_const (rd->program, condition, true)) {
    emit (rd, c, BP_SKIP, at);
    return;
  }
  bp_loc l = emit (rd, c, BP_ASSUME, at);
  bp_loc_at (rd->program, l)->condition = condition;
}

static bool is_enforcing (const reader *rd, const copy *c) { return rd->enforced || c->proc->enforced; }

// Before a statement that cannot hold a condition itself.
static void emit_enforced (reader *rd, const copy *c, place at) {
  if (is_enforcing (rd, c)) emit_assume (rd, c, enforced (rd, c->proc, false), at);
}

// ---- simple statements -------------------------------------------------------------------------------------

static void add_condition (reader *rd, bp_loc l, bp_expr condition) {
  bp_location *d = bp_loc_at (rd->program, l);
  d->condition = bp_and (rd->program, d->condition, condition);
}

static void flatten_assign (reader *rd, const copy *c, const syntax_stmt *s) {
  bp_program *p = rd->program;
  bp_loc l = emit (rd, c, BP_ASSIGN, s->at);
  const syntax_expr *value = s->exprs;
  for (const syntax_name *name = s->names; name; name = name->next) {
    bp_expr x = value ? flatten_expr (rd, value, false) : bp_choice (p);  // no value: `dead`
    if (name->var.i != BP_NONE) bp_add_target (p, l, name->var, x);
    if (value) value = value->next;
  }
  if (s->condition) add_condition (rd, l, flatten_expr (rd, s->condition, false));
  add_condition (rd, l, bp_and (p, enforced (rd, c->proc, false), enforced (rd, c->proc, true)));
}

static void flatten_assert (reader *rd, const copy *c, const syntax_stmt *s) {
  bool region = is_enforcing (rd, c);
  if (region) emit (rd, c, BP_ATOMIC_BEGIN, s->at);
  emit_enforced (rd, c, s->at);
  bp_loc l = emit (rd, c, BP_ASSERT, s->at);
  bp_loc_at (rd->program, l)->condition = flatten_expr (rd, s->condition, false);
  if (region) emit (rd, c, BP_ATOMIC_END, s->at);
}

static void flatten_start (reader *rd, const copy *c, const syntax_stmt *s) {
  emit_enforced (rd, c, s->at);
  bp_loc l = emit (rd, c, BP_START_THREAD, s->at);
  vec_push (&rd->pending, ((pending_goto){l, s->names->label, true}));
}

static void flatten_goto (reader *rd, const copy *c, const syntax_stmt *s) {
  emit_enforced (rd, c, s->at);
  bp_loc l = emit (rd, c, BP_GOTO, s->at);
  for (const syntax_name *name = s->names; name; name = name->next)
    vec_push (&rd->pending, ((pending_goto){l, name->label, false}));
  vec_clear (&rd->open);
}

static void flatten_end (reader *rd, const copy *c, place at) {
  emit_enforced (rd, c, at);
  emit (rd, c, BP_END_THREAD, at);
  vec_clear (&rd->open);
}

// The results go to the targets of the call in one step; without a value (the end of the procedure is reached) they may be anything.
static void flatten_return (reader *rd, const copy *c, const syntax_expr *values, place at) {
  if (!c->call) {
    flatten_end (rd, c, at);
    return;
  }
  bp_loc l = emit (rd, c, c->call->names ? BP_ASSIGN : BP_SKIP, at);
  for (const syntax_name *name = c->call->names; name; name = name->next) {
    bp_expr x = values ? flatten_expr (rd, values, false) : bp_choice (rd->program);
    if (name->var.i != BP_NONE) bp_add_target (rd->program, l, name->var, x);
    if (values) values = values->next;
  }
  bp_expr condition = enforced (rd, c->proc, false);
  if (c->call->names) add_condition (rd, l, condition);
  else if (is_enforcing (rd, c)) bp_loc_at (rd->program, l)->kind = BP_ASSUME, add_condition (rd, l, condition);
  vec_push (&rd->returns, l);
  vec_clear (&rd->open);
}

// ---- compound statements -----------------------------------------------------------------------------------

static void flatten_stmts (reader *rd, const copy *c, const syntax_stmt *s);

typedef struct fork {
  bp_loc head;
  bool can_hold, can_fail;
} fork;

// A goto to what follows if the condition holds, and to what follows if not.
static fork emit_fork (reader *rd, const copy *c, const syntax_stmt *s) {
  emit_enforced (rd, c, s->at);
  bp_expr condition = flatten_expr (rd, s->condition, false);
  fork f = {.can_hold = !bp_is_const (rd->program, condition, false),
            .can_fail = !bp_is_const (rd->program, condition, true)};
  f.head = emit (rd, c, BP_GOTO, s->at);
  return f;
}

// The branch of the fork that is taken if the condition has this value.
static void begin_branch (reader *rd, const copy *c, const syntax_stmt *s, const fork *f, bool value) {
  vec_clear (&rd->open);
  if (value ? f->can_hold : f->can_fail) vec_push (&rd->open, f->head);
  bp_expr condition = flatten_expr (rd, s->condition, false);
  emit_assume (rd, c, value ? condition : bp_not (rd->program, condition), s->condition->name.at);
}

// Takes the entries from `mark` on back from a stack of locations: they are open again.
static void reopen (reader *rd, loc_stack *stack, uint32_t mark) {
  for (uint32_t i = mark; i < stack->count; i++) vec_push (&rd->open, stack->data[i]);
  stack->count = mark;
}

static void flatten_if (reader *rd, const copy *c, const syntax_stmt *s) {
  fork f = emit_fork (rd, c, s);
  begin_branch (rd, c, s, &f, true);
  flatten_stmts (rd, c, s->body);
  uint32_t mark = rd->ends.count;
  for (uint32_t i = 0; i < rd->open.count; i++) vec_push (&rd->ends, rd->open.data[i]);
  begin_branch (rd, c, s, &f, false);
  flatten_stmts (rd, c, s->other);
  reopen (rd, &rd->ends, mark);
}

static void flatten_while (reader *rd, const copy *c, const syntax_stmt *s) {
  bp_loc first = {rd->program->locs.count};  // of what is done before each round
  fork f = emit_fork (rd, c, s);
  begin_branch (rd, c, s, &f, true);
  flatten_stmts (rd, c, s->body);
  join (rd, first);
  begin_branch (rd, c, s, &f, false);
}

// ---- calls -------------------------------------------------------------------------------------------------

static void flatten_copy (reader *rd, copy *c);

// One step: the parameters get the arguments, the other locals any value, or that of their declaration.
static void flatten_call (reader *rd, const copy *c, const syntax_stmt *s) {
  if (at_limit (BOOLEAN_CALLS, c->depth)) read_fail (rd, s->at, "calls are nested deeper than %d", LIMIT_BOOLEAN_CALLS);
  syntax_proc *f = s->proc;
  bool moves = f->params || f->locals;
  if (!moves) emit_enforced (rd, c, s->at);
  bp_loc l = emit (rd, c, moves ? BP_ASSIGN : BP_SKIP, s->at);
  const syntax_expr *argument = s->exprs;
  for (const syntax_name *name = f->params; name; name = name->next, argument = argument->next)
    bp_add_target (rd->program, l, name->var, flatten_expr (rd, argument, false));
  for (const syntax_name *name = f->locals; name; name = name->next)
    bp_add_target (rd->program, l, name->var,
                   name->value ? flatten_expr (rd, name->value, false) : bp_choice (rd->program));
  if (moves) add_condition (rd, l, enforced (rd, c->proc, false));
  copy inlined = {.proc = f, .call = s, .depth = c->depth + 1};
  flatten_copy (rd, &inlined);
}

// ---- all -----------------------------------------------------------------------------------------------------

static void flatten_stmt (reader *rd, const copy *c, const syntax_stmt *s) {
  switch (s->kind) {
  case SYNTAX_SKIP:
    if (is_enforcing (rd, c)) emit_enforced (rd, c, s->at);
    else emit (rd, c, BP_SKIP, s->at);
    break;
  case SYNTAX_ASSIGN:
  case SYNTAX_DEAD: flatten_assign (rd, c, s); break;
  case SYNTAX_CALL: flatten_call (rd, c, s); break;
  case SYNTAX_RETURN: flatten_return (rd, c, s->exprs, s->at); break;
  case SYNTAX_GOTO: flatten_goto (rd, c, s); break;
  case SYNTAX_ASSUME:
    emit_assume (rd, c, bp_and (rd->program, flatten_expr (rd, s->condition, false), enforced (rd, c->proc, false)),
                 s->at);
    break;
  case SYNTAX_ASSERT: flatten_assert (rd, c, s); break;
  case SYNTAX_IF: flatten_if (rd, c, s); break;
  case SYNTAX_WHILE: flatten_while (rd, c, s); break;
  case SYNTAX_START_THREAD: flatten_start (rd, c, s); break;
  case SYNTAX_END_THREAD: flatten_end (rd, c, s->at); break;
  case SYNTAX_ATOMIC_BEGIN:
    emit (rd, c, BP_ATOMIC_BEGIN, s->at);
    emit_enforced (rd, c, s->at);
    break;
  case SYNTAX_ATOMIC_END:
    emit_enforced (rd, c, s->at);
    emit (rd, c, BP_ATOMIC_END, s->at);
    break;
  case SYNTAX_BLOCK:
    emit (rd, c, BP_SKIP, s->at);
    flatten_stmts (rd, c, s->body);
    break;
  case SYNTAX_NUM_KINDS: break;
  }
}

// Every statement makes at least one location, so the next one to be made is where its labels are.
static void place_labels (reader *rd, const copy *c, const syntax_stmt *s) {
  for (syntax_label *label = s->labels; label; label = label->next) {
    label->here.i = rd->program->locs.count;
    if (!c->call) label->root = label->here;
  }
}

static void flatten_stmts (reader *rd, const copy *c, const syntax_stmt *s) {
  for (; s; s = s->next) {
    bp_loc first = {rd->program->locs.count};
    place_labels (rd, c, s);
    flatten_stmt (rd, c, s);
    if (s->labels) bp_loc_at (rd->program, first)->label = arena_strdup (rd->program->arena, s->labels->text);
  }
}

// Gotos of this copy lead to labels of this copy; new threads start in the copy made for them, which may not be there yet.
static void resolve_gotos (reader *rd, const copy *c) {
  uint32_t kept = c->first_pending;
  for (uint32_t i = c->first_pending; i < rd->pending.count; i++) {
    const pending_goto *g = &rd->pending.data[i];
    if (g->thread) rd->pending.data[kept++] = *g;
    else bp_add_next (rd->program, g->loc, g->label->here);
  }
  rd->pending.count = kept;
}

static void flatten_copy (reader *rd, copy *c) {
  c->first_return = rd->returns.count, c->first_pending = rd->pending.count;
  flatten_stmts (rd, c, c->proc->body);
  if (rd->open.count) flatten_return (rd, c, NULL, c->proc->end);
  resolve_gotos (rd, c);
  reopen (rd, &rd->returns, c->first_return);
}

// The initial values that declarations give, before the first statement.
static void flatten_initial (reader *rd, const copy *c, const syntax_name *list, place at) {
  bool any = false;
  for (const syntax_name *name = list; name; name = name->next) any |= name->value != NULL;
  if (!any) return;
  bp_loc l = emit (rd, c, BP_ASSIGN, at);
  for (const syntax_name *name = list; name; name = name->next)
    if (name->value) bp_add_target (rd->program, l, name->var, flatten_expr (rd, name->value, false));
}

static void flatten_main (reader *rd, syntax_proc *main_proc) {
  copy c = {.proc = main_proc};
  rd->program->start.i = rd->program->locs.count;
  flatten_initial (rd, &c, rd->globals, main_proc->at);
  flatten_initial (rd, &c, main_proc->locals, main_proc->at);
  if (!main_proc->body && !rd->open.count) emit (rd, &c, BP_SKIP, main_proc->end);
  flatten_copy (rd, &c);
}

void flatten_program (reader *rd) {
  const uint64_t *known = strmap_find (&rd->proc_names, "main");
  if (!known) read_fail (rd, rd->now.at, "there is no procedure `main`");
  syntax_proc *main_proc = (syntax_proc *) (uintptr_t) *known;
  flatten_main (rd, main_proc);
  for (syntax_proc *f = rd->procs; f; f = f->next) {
    if (!f->threads_start || f == main_proc) continue;
    copy c = {.proc = f};
    vec_clear (&rd->open);
    flatten_copy (rd, &c);
  }
  for (uint32_t i = 0; i < rd->pending.count; i++) {
    const pending_goto *g = &rd->pending.data[i];
    bp_loc_at (rd->program, g->loc)->thread = g->label->root;
  }
}
