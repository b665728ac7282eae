// Translates the syntax tree into a flat control-flow graph: calls are inlined, `if` and `while` become gotos and
// assumes (paper BOOL, section 2.2), and the conditions of `enforce` are added to the statements that they constrain.
//
// A procedure is copied for each call, and once more if threads start in it, for which a return ends the thread.  Its
// locals are the same variables in all copies (see resolve.c), so the locals of a new thread are the variables that
// hold the values of its creator.
#include <string.h>

#include "base/limits.h"
#include "boolean/bp_parse_impl.h"

// A copy of a procedure.
typedef struct bp_procedure_copy {
  syntax_proc *proc;
  const syntax_stmt *call;               // the call that it replaces; NULL: main, or the copy in which threads start
  uint32_t first_return, first_pending;  // its first entries in the reader's lists `returns` and `pending`
  uint32_t depth;                        // nesting depth of calls
} bp_procedure_copy;

// ---- expressions -------------------------------------------------------------------------------------------

// Translates an expression.  `next`: its variables stand for their values after the step.
static bp_expr flatten_expr (bp_reader *rd, const syntax_expr *x, bool next) {
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

// Returns the conjunction of all conditions of `enforce` for this procedure, for the state before or after a step.
static bp_expr enforced (bp_reader *rd, const syntax_proc *f, bool next) {
  bp_expr all = bp_const (rd->program, true);
  for (const syntax_expr *x = rd->enforced; x; x = x->next) all = bp_and (rd->program, all, flatten_expr (rd, x, next));
  for (const syntax_expr *x = f->enforced; x; x = x->next) all = bp_and (rd->program, all, flatten_expr (rd, x, next));
  return all;
}

// ---- locations ---------------------------------------------------------------------------------------------

static void join_open_locations (bp_reader *rd, bp_loc to) {
  for (uint32_t i = 0; i < rd->open.count; i++) bp_add_next (rd->program, rd->open.data[i], to);
  vec_clear (&rd->open);
}

// Adds a location.  All open locations lead to it, and afterwards it is the only open location.
static bp_loc emit_location (bp_reader *rd, const bp_procedure_copy *c, bp_kind kind, bp_position at) {
  bp_program *p = rd->program;
  if (at_limit (BOOLEAN_STATEMENTS, p->locs.count))
    read_fail (rd, at, "the program has more than %d statements after inlining its calls", LIMIT_BOOLEAN_STATEMENTS);
  bp_loc l = bp_add_loc (p, kind);
  bp_location *d = bp_loc_at (p, l);
  d->procedure = c->proc->name;
  d->pos = (ir_position){p->file, at.line, at.column};
  join_open_locations (rd, l);
  vec_push (&rd->open, l);
  return l;
}

static void emit_assume (bp_reader *rd, const bp_procedure_copy *c, bp_expr condition, bp_position at) {
  bp_op op = (bp_op) bp_node_at (rd->program, condition).op;
  bp_node n = bp_node_at (rd->program, condition);
  bool free_choice = op == BP_CHOICE || (op == BP_NOT && bp_node_at (rd->program, (bp_expr){n.a}).op == BP_CHOICE);
  if (free_choice || bp_is_const (rd->program, condition, true)) {
    emit_location (rd, c, BP_SKIP, at);
    return;
  }
  bp_loc l = emit_location (rd, c, BP_ASSUME, at);
  bp_loc_at (rd->program, l)->condition = condition;
}

static bool is_enforcing (const bp_reader *rd, const bp_procedure_copy *c) { return rd->enforced || c->proc->enforced; }

// Adds an assume of the enforced conditions, before a statement that cannot have a condition of its own.
static void emit_enforced (bp_reader *rd, const bp_procedure_copy *c, bp_position at) {
  if (is_enforcing (rd, c)) emit_assume (rd, c, enforced (rd, c->proc, false), at);
}

// ---- simple statements -------------------------------------------------------------------------------------

static void conjoin_condition (bp_reader *rd, bp_loc l, bp_expr condition) {
  bp_location *d = bp_loc_at (rd->program, l);
  d->condition = bp_and (rd->program, d->condition, condition);
}

static void flatten_assign (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  bp_program *p = rd->program;
  bp_loc l = emit_location (rd, c, BP_ASSIGN, s->at);
  const syntax_expr *value = s->exprs;
  for (const syntax_name *name = s->names; name; name = name->next) {
    bp_expr x = value ? flatten_expr (rd, value, false) : bp_choice (p);  // no value: `dead`
    if (name->var.i != BP_NONE) bp_add_target (p, l, name->var, x);
    if (value) value = value->next;
  }
  if (s->condition) conjoin_condition (rd, l, flatten_expr (rd, s->condition, false));
  conjoin_condition (rd, l, bp_and (p, enforced (rd, c->proc, false), enforced (rd, c->proc, true)));
}

static void flatten_assert (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  bool region = is_enforcing (rd, c);
  if (region) emit_location (rd, c, BP_ATOMIC_BEGIN, s->at);
  emit_enforced (rd, c, s->at);
  bp_loc l = emit_location (rd, c, BP_ASSERT, s->at);
  bp_loc_at (rd->program, l)->condition = flatten_expr (rd, s->condition, false);
  if (region) emit_location (rd, c, BP_ATOMIC_END, s->at);
}

static void flatten_start (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  emit_enforced (rd, c, s->at);
  bp_loc l = emit_location (rd, c, BP_START_THREAD, s->at);
  vec_push (&rd->pending, ((pending_goto){l, s->names->label, true}));
}

static void flatten_goto (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  emit_enforced (rd, c, s->at);
  bp_loc l = emit_location (rd, c, BP_GOTO, s->at);
  for (const syntax_name *name = s->names; name; name = name->next)
    vec_push (&rd->pending, ((pending_goto){l, name->label, false}));
  vec_clear (&rd->open);
}

static void flatten_end (bp_reader *rd, const bp_procedure_copy *c, bp_position at) {
  emit_enforced (rd, c, at);
  emit_location (rd, c, BP_END_THREAD, at);
  vec_clear (&rd->open);
}

// Assigns the results to the targets of the call in one step.  At the end of a procedure without `return`, the targets
// get arbitrary values.
static void flatten_return (bp_reader *rd, const bp_procedure_copy *c, const syntax_expr *values, bp_position at) {
  if (!c->call) {
    flatten_end (rd, c, at);
    return;
  }
  bp_loc l = emit_location (rd, c, c->call->names ? BP_ASSIGN : BP_SKIP, at);
  for (const syntax_name *name = c->call->names; name; name = name->next) {
    bp_expr x = values ? flatten_expr (rd, values, false) : bp_choice (rd->program);
    if (name->var.i != BP_NONE) bp_add_target (rd->program, l, name->var, x);
    if (values) values = values->next;
  }
  bp_expr condition = enforced (rd, c->proc, false);
  if (c->call->names) conjoin_condition (rd, l, condition);
  else if (is_enforcing (rd, c)) bp_loc_at (rd->program, l)->kind = BP_ASSUME, conjoin_condition (rd, l, condition);
  vec_push (&rd->returns, l);
  vec_clear (&rd->open);
}

// ---- compound statements -----------------------------------------------------------------------------------

static void flatten_stmts (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s);

typedef struct fork {
  bp_loc head;
  bool can_hold, can_fail;
} fork;

// Adds the goto that chooses between the branch in which the condition is true and the one in which it is false.
static fork emit_fork (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  emit_enforced (rd, c, s->at);
  bp_expr condition = flatten_expr (rd, s->condition, false);
  fork f = {.can_hold = !bp_is_const (rd->program, condition, false),
            .can_fail = !bp_is_const (rd->program, condition, true)};
  f.head = emit_location (rd, c, BP_GOTO, s->at);
  return f;
}

// Begins the branch of the fork in which the condition has this value.
static void begin_branch (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s, const fork *f, bool value) {
  vec_clear (&rd->open);
  if (value ? f->can_hold : f->can_fail) vec_push (&rd->open, f->head);
  bp_expr condition = flatten_expr (rd, s->condition, false);
  emit_assume (rd, c, value ? condition : bp_not (rd->program, condition), s->condition->name.at);
}

// Moves the entries from `mark` on from the stack of locations to the open locations.
static void reopen_locations (bp_reader *rd, loc_stack *stack, uint32_t mark) {
  for (uint32_t i = mark; i < stack->count; i++) vec_push (&rd->open, stack->data[i]);
  stack->count = mark;
}

static void flatten_if (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  fork f = emit_fork (rd, c, s);
  begin_branch (rd, c, s, &f, true);
  flatten_stmts (rd, c, s->body);
  uint32_t mark = rd->ends.count;
  for (uint32_t i = 0; i < rd->open.count; i++) vec_push (&rd->ends, rd->open.data[i]);
  begin_branch (rd, c, s, &f, false);
  flatten_stmts (rd, c, s->other);
  reopen_locations (rd, &rd->ends, mark);
}

static void flatten_while (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  bp_loc first = {rd->program->locs.count};  // first location of each iteration
  fork f = emit_fork (rd, c, s);
  begin_branch (rd, c, s, &f, true);
  flatten_stmts (rd, c, s->body);
  join_open_locations (rd, first);
  begin_branch (rd, c, s, &f, false);
}

// ---- calls -------------------------------------------------------------------------------------------------

static void flatten_copy (bp_reader *rd, bp_procedure_copy *c);

// Translates a call.  In one step, the parameters get the arguments, and the other locals get the values of their
// declarations or arbitrary values.
static void flatten_call (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  if (at_limit (BOOLEAN_CALLS, c->depth)) read_fail (rd, s->at, "calls are nested deeper than %d", LIMIT_BOOLEAN_CALLS);
  syntax_proc *f = s->proc;
  bool moves = f->params || f->locals;
  if (!moves) emit_enforced (rd, c, s->at);
  bp_loc l = emit_location (rd, c, moves ? BP_ASSIGN : BP_SKIP, s->at);
  const syntax_expr *argument = s->exprs;
  for (const syntax_name *name = f->params; name; name = name->next, argument = argument->next)
    bp_add_target (rd->program, l, name->var, flatten_expr (rd, argument, false));
  for (const syntax_name *name = f->locals; name; name = name->next)
    bp_add_target (rd->program, l, name->var,
                   name->value ? flatten_expr (rd, name->value, false) : bp_choice (rd->program));
  if (moves) conjoin_condition (rd, l, enforced (rd, c->proc, false));
  bp_procedure_copy inlined = {.proc = f, .call = s, .depth = c->depth + 1};
  flatten_copy (rd, &inlined);
}

// ---- all -----------------------------------------------------------------------------------------------------

static void flatten_stmt (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  switch (s->kind) {
  case SYNTAX_SKIP:
    if (is_enforcing (rd, c)) emit_enforced (rd, c, s->at);
    else emit_location (rd, c, BP_SKIP, s->at);
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
    emit_location (rd, c, BP_ATOMIC_BEGIN, s->at);
    emit_enforced (rd, c, s->at);
    break;
  case SYNTAX_ATOMIC_END:
    emit_enforced (rd, c, s->at);
    emit_location (rd, c, BP_ATOMIC_END, s->at);
    break;
  case SYNTAX_BLOCK:
    emit_location (rd, c, BP_SKIP, s->at);
    flatten_stmts (rd, c, s->body);
    break;
  case SYNTAX_NUM_KINDS: break;
  }
}

// Sets the labels of the statement to the next location that is added: every statement adds at least one location.
static void place_labels (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  for (syntax_label *label = s->labels; label; label = label->next) {
    label->here.i = rd->program->locs.count;
    if (!c->call) label->root = label->here;
  }
}

static void flatten_stmts (bp_reader *rd, const bp_procedure_copy *c, const syntax_stmt *s) {
  for (; s; s = s->next) {
    bp_loc first = {rd->program->locs.count};
    place_labels (rd, c, s);
    flatten_stmt (rd, c, s);
    if (s->labels) bp_loc_at (rd->program, first)->label = arena_strdup (rd->program->arena, s->labels->text);
  }
}

// Resolves the gotos of this copy, whose labels are in this copy.  New threads start in a copy that may not exist yet,
// so their entries stay in the list.
static void resolve_gotos (bp_reader *rd, const bp_procedure_copy *c) {
  uint32_t kept = c->first_pending;
  for (uint32_t i = c->first_pending; i < rd->pending.count; i++) {
    const pending_goto *g = &rd->pending.data[i];
    if (g->thread) rd->pending.data[kept++] = *g;
    else bp_add_next (rd->program, g->loc, g->label->here);
  }
  rd->pending.count = kept;
}

static void flatten_copy (bp_reader *rd, bp_procedure_copy *c) {
  c->first_return = rd->returns.count, c->first_pending = rd->pending.count;
  flatten_stmts (rd, c, c->proc->body);
  if (rd->open.count) flatten_return (rd, c, NULL, c->proc->end);
  resolve_gotos (rd, c);
  reopen_locations (rd, &rd->returns, c->first_return);
}

// Assigns the initial values of declarations, before the first statement.
static void flatten_initial (bp_reader *rd, const bp_procedure_copy *c, const syntax_name *list, bp_position at) {
  bool any = false;
  for (const syntax_name *name = list; name; name = name->next) any |= name->value != NULL;
  if (!any) return;
  bp_loc l = emit_location (rd, c, BP_ASSIGN, at);
  for (const syntax_name *name = list; name; name = name->next)
    if (name->value) bp_add_target (rd->program, l, name->var, flatten_expr (rd, name->value, false));
}

static void flatten_main (bp_reader *rd, syntax_proc *main_proc) {
  bp_procedure_copy c = {.proc = main_proc};
  rd->program->start.i = rd->program->locs.count;
  flatten_initial (rd, &c, rd->globals, main_proc->at);
  flatten_initial (rd, &c, main_proc->locals, main_proc->at);
  if (!main_proc->body && !rd->open.count) emit_location (rd, &c, BP_SKIP, main_proc->end);
  flatten_copy (rd, &c);
}

void flatten_program (bp_reader *rd) {
  const uint64_t *known = strmap_find (&rd->proc_names, "main");
  if (!known) read_fail (rd, rd->now.at, "there is no procedure `main`");
  syntax_proc *main_proc = (syntax_proc *) (uintptr_t) *known;
  flatten_main (rd, main_proc);
  for (syntax_proc *f = rd->procs; f; f = f->next) {
    if (!f->threads_start || f == main_proc) continue;
    bp_procedure_copy c = {.proc = f};
    vec_clear (&rd->open);
    flatten_copy (rd, &c);
  }
  for (uint32_t i = 0; i < rd->pending.count; i++) {
    const pending_goto *g = &rd->pending.data[i];
    bp_loc_at (rd->program, g->loc)->thread = g->label->root;
  }
}
