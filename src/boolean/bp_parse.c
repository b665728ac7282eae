// Parses declarations, procedures and statements; grammar in docs/formats/boolean-programs.md.  Both notations for
// blocks are accepted: `begin .. end`, `then .. fi`, `do .. od`, and braces.
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "boolean/bp_parse_impl.h"

// ---- lists -------------------------------------------------------------------------------------------------

static syntax_name *parse_labels (bp_reader *rd) {
  syntax_name *first = lex_label (rd), **last = &first->next;
  while (lex_accept (rd, ",")) {
    *last = lex_label (rd);
    last = &(*last)->next;
  }
  return first;
}

// Parses the target of an assignment.  A prime after it is allowed, since the target is the value after the step.
static syntax_name *parse_target (bp_reader *rd) {
  lex_accept (rd, "'");
  syntax_name *name = lex_name (rd, "a variable");
  lex_accept (rd, "'");
  return name;
}

static syntax_name *parse_variables (bp_reader *rd, syntax_name *first) {
  syntax_name **last = &first->next;
  while (lex_accept (rd, ",")) {
    *last = parse_target (rd);
    last = &(*last)->next;
  }
  return first;
}

// ---- statements --------------------------------------------------------------------------------------------

static syntax_stmt *parse_stmts (bp_reader *rd);

static bool at_block_end (const bp_reader *rd) {
  static const char *const ends[] = {"end", "fi", "od", "else", "elsif", "elif", "}"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (lex_is (rd, ends[i])) return true;
  return rd->now.kind == TOKEN_END;
}

static syntax_stmt *make_stmt (bp_reader *rd, syntax_kind kind, bp_position at) {
  syntax_stmt *s = arena_zalloc (rd->arena, sizeof *s);
  s->kind = kind, s->at = at;
  return s;
}

static void parse_arguments (bp_reader *rd, syntax_stmt *s, syntax_name *callee) {
  s->kind = SYNTAX_CALL;
  s->callee = *callee;
  lex_expect (rd, "(");
  if (!lex_is (rd, ")")) s->exprs = parse_exprs (rd);
  lex_expect (rd, ")");
}

// targets := values [constrain e] | targets := callee (arguments)
static void parse_assignment (bp_reader *rd, syntax_stmt *s, syntax_name *first) {
  s->kind = SYNTAX_ASSIGN;
  lex_accept (rd, "'");
  s->names = parse_variables (rd, first);
  if (!lex_accept (rd, "=")) lex_expect (rd, ":=");
  if (lex_is_name (rd) && rd->ahead.kind == TOKEN_SIGN && *rd->ahead.text == '(') {
    parse_arguments (rd, s, lex_name (rd, "a procedure"));
    return;
  }
  s->exprs = parse_exprs (rd);
  if (lex_accept (rd, "constrain")) s->condition = parse_expr (rd);
}

static void parse_while (bp_reader *rd, syntax_stmt *s) {
  s->kind = SYNTAX_WHILE;
  s->condition = parse_expr (rd);
  bool braces = lex_accept (rd, "{");
  if (!braces) lex_expect (rd, "do");
  s->body = parse_stmts (rd);
  lex_expect (rd, braces ? "}" : "od");
}

static void parse_if (bp_reader *rd, syntax_stmt *s);

// Parses the rest after `else if` or `elsif`: an IF, which is the only statement of the `else` branch.
static syntax_stmt *parse_other_if (bp_reader *rd, bp_position at) {
  if (over_limit (BOOLEAN_NESTING, ++rd->depth))
    read_fail (rd, at, "statements are nested deeper than %d", LIMIT_BOOLEAN_NESTING);
  syntax_stmt *other = make_stmt (rd, SYNTAX_IF, at);
  parse_if (rd, other);
  rd->depth--;
  return other;
}

static void parse_if_braces (bp_reader *rd, syntax_stmt *s) {
  s->body = parse_stmts (rd);
  lex_expect (rd, "}");
  bp_position at = rd->now.at;
  bool ours = rd->ahead.text && (!strcmp (rd->ahead.text, "{") || !strcmp (rd->ahead.text, "if"));
  if (!ours || !lex_accept (rd, "else")) return;  // an `else` may belong to an enclosing `if .. then`
  if (lex_accept (rd, "if")) {
    s->other = parse_other_if (rd, at);
    return;
  }
  lex_expect (rd, "{");
  s->other = parse_stmts (rd);
  lex_expect (rd, "}");
}

static void parse_if (bp_reader *rd, syntax_stmt *s) {
  s->kind = SYNTAX_IF;
  s->condition = parse_expr (rd);
  if (lex_accept (rd, "{")) {
    parse_if_braces (rd, s);
    return;
  }
  lex_expect (rd, "then");
  s->body = parse_stmts (rd);
  bp_position at = rd->now.at;
  if (lex_accept (rd, "elsif") || lex_accept (rd, "elif")) {
    s->other = parse_other_if (rd, at);
    return;  // the `fi` of the nested IF also ends this one
  }
  if (lex_accept (rd, "else")) s->other = parse_stmts (rd);
  lex_expect (rd, "fi");
}

static void parse_block (bp_reader *rd, syntax_stmt *s) {
  s->kind = SYNTAX_BLOCK;
  s->body = parse_stmts (rd);
  lex_expect (rd, "}");
}

static void parse_start_thread (bp_reader *rd, syntax_stmt *s) {
  s->kind = SYNTAX_START_THREAD;
  lex_accept (rd, "goto");
  s->names = lex_label (rd);
}

// Parses a statement that begins with a keyword or sign of its own.  False: the next word begins no such statement.
static bool parse_known (bp_reader *rd, syntax_stmt *s) {
  if (lex_accept (rd, "skip")) s->kind = SYNTAX_SKIP;
  else if (lex_accept (rd, "goto")) s->kind = SYNTAX_GOTO, s->names = parse_labels (rd);
  else if (lex_accept (rd, "assume")) s->kind = SYNTAX_ASSUME, s->condition = parse_expr (rd);
  else if (lex_accept (rd, "assert")) s->kind = SYNTAX_ASSERT, s->condition = parse_expr (rd);
  else if (lex_accept (rd, "start_thread")) parse_start_thread (rd, s);
  else if (lex_accept (rd, "end_thread")) s->kind = SYNTAX_END_THREAD;
  else if (lex_accept (rd, "atomic_begin")) s->kind = SYNTAX_ATOMIC_BEGIN;
  else if (lex_accept (rd, "atomic_end")) s->kind = SYNTAX_ATOMIC_END;
  else if (lex_accept (rd, "dead")) s->kind = SYNTAX_DEAD, s->names = parse_variables (rd, parse_target (rd));
  else if (lex_accept (rd, "if")) parse_if (rd, s);
  else if (lex_accept (rd, "while")) parse_while (rd, s);
  else if (!lex_quoted_target (rd) && lex_accept (rd, "{")) parse_block (rd, s);
  else if (lex_accept (rd, "return")) {
    s->kind = SYNTAX_RETURN;
    if (!lex_is (rd, ";") && !at_block_end (rd)) s->exprs = parse_exprs (rd);
  } else return false;
  return true;
}

static bool at_label (const bp_reader *rd) {
  return (rd->now.kind == TOKEN_NUMBER || lex_is_name (rd)) && rd->ahead.kind == TOKEN_SIGN &&
         !strcmp (rd->ahead.text, ":");
}

static void parse_own_labels (bp_reader *rd, syntax_stmt *s) {
  while (at_label (rd)) {
    syntax_label *label = arena_zalloc (rd->arena, sizeof *label);
    *label = (syntax_label){rd->now.text, rd->now.at, {BP_NONE}, {BP_NONE}, s->labels};
    s->labels = label;
    lex_advance (rd);
    lex_expect (rd, ":");
  }
}

static syntax_stmt *parse_stmt (bp_reader *rd) {
  syntax_stmt *s = make_stmt (rd, SYNTAX_SKIP, rd->now.at);
  parse_own_labels (rd, s);
  s->at = rd->now.at;
  if (over_limit (BOOLEAN_NESTING, ++rd->depth))
    read_fail (rd, s->at, "statements are nested deeper than %d", LIMIT_BOOLEAN_NESTING);
  bool empty = s->labels && (at_block_end (rd) || lex_is (rd, ";"));
  if (!empty && !parse_known (rd, s)) {
    bool prime = lex_accept (rd, "'");
    bool call = !prime && lex_is_name (rd) && rd->ahead.kind == TOKEN_SIGN && *rd->ahead.text == '(';
    syntax_name *name = lex_name (rd, "a statement");
    if (call) parse_arguments (rd, s, name);
    else parse_assignment (rd, s, name);
  }
  bool compound = s->kind == SYNTAX_IF || s->kind == SYNTAX_WHILE || s->kind == SYNTAX_BLOCK;
  if (!lex_accept (rd, ";") && !compound && !at_block_end (rd)) lex_expect (rd, ";");
  rd->depth--;
  return s;
}

static syntax_stmt *parse_stmts (bp_reader *rd) {
  syntax_stmt *first = NULL, **last = &first;
  while (!at_block_end (rd)) {
    if (lex_accept (rd, ";")) continue;
    *last = parse_stmt (rd);
    last = &(*last)->next;
  }
  return first;
}

// ---- declarations ------------------------------------------------------------------------------------------

static void append_name (syntax_name **list, syntax_name *name) {
  while (*list) list = &(*list)->next;
  *list = name;
}

// Parses the variables after `decl` or `bool`: a := 1, b, c;
static void parse_declared (bp_reader *rd, syntax_name **list, syntax_name *name) {
  for (;;) {
    append_name (list, name);
    if (lex_accept (rd, ":=") || lex_accept (rd, "=")) name->value = parse_expr (rd);
    if (!lex_accept (rd, ",")) break;
    lex_accept (rd, "bool");
    name = lex_name (rd, "a variable");
  }
  lex_expect (rd, ";");
}

static void parse_enforce (bp_reader *rd, syntax_expr **list) {
  syntax_expr *x = parse_expr (rd);
  x->next = *list;
  *list = x;
  lex_expect (rd, ";");
}

// ---- procedures --------------------------------------------------------------------------------------------

static void parse_params (bp_reader *rd, syntax_proc *f) {
  lex_expect (rd, "(");
  if (!lex_is (rd, ")")) do {
      lex_accept (rd, "bool");
      append_name (&f->params, lex_name (rd, "a parameter"));
    } while (lex_accept (rd, ","));
  lex_expect (rd, ")");
}

static void parse_body (bp_reader *rd, syntax_proc *f) {
  bool braces = lex_accept (rd, "{");
  if (!braces) lex_expect (rd, "begin");
  for (;;) {
    if (lex_accept (rd, "decl") || lex_accept (rd, "bool"))
      parse_declared (rd, &f->locals, lex_name (rd, "a variable"));
    else if (lex_accept (rd, "enforce")) parse_enforce (rd, &f->enforced);
    else if (!lex_accept (rd, ";")) break;
  }
  f->body = parse_stmts (rd);
  f->end = rd->now.at;
  lex_expect (rd, braces ? "}" : "end");
  lex_accept (rd, ";");
}

static void parse_proc (bp_reader *rd, syntax_name *name, uint32_t num_results) {
  syntax_proc *f = arena_zalloc (rd->arena, sizeof *f), **last = &rd->procs;
  f->name = arena_strdup (rd->program->arena, name->text), f->at = name->at, f->num_results = num_results,
  f->number = rd->num_procs++;
  while (*last) last = &(*last)->next;
  *last = f;
  parse_params (rd, f);
  parse_body (rd, f);
}

// Parses the number of results, after `bool` and optionally in angle brackets.
static uint32_t parse_num_results (bp_reader *rd) {
  if (!lex_accept (rd, "<")) return 1;
  bp_position at = rd->now.at;
  unsigned long count = rd->now.kind == TOKEN_NUMBER ? strtoul (rd->now.text, NULL, 10) : 0;
  if (!count || over_limit (BOOLEAN_RESULTS, count))
    read_fail (rd, at, "expected the number of results, 1 to %d", LIMIT_BOOLEAN_RESULTS);
  lex_advance (rd);
  lex_expect (rd, ">");
  return (uint32_t) count;
}

// Parses one item of the program.  `decl` and `bool` declare variables, unless the `bool` begins a procedure.
static void parse_top (bp_reader *rd) {
  lex_accept (rd, "dfs");
  if (lex_accept (rd, "decl")) parse_declared (rd, &rd->globals, lex_name (rd, "a variable"));
  else if (lex_accept (rd, "enforce")) parse_enforce (rd, &rd->enforced);
  else if (lex_accept (rd, "void")) {
    lex_accept (rd, "dfs");
    parse_proc (rd, lex_name (rd, "the name of a procedure"), 0);
  } else if (lex_accept (rd, "bool")) {
    bool proc = lex_is (rd, "<");
    uint32_t num_results = parse_num_results (rd);
    proc |= lex_accept (rd, "dfs");
    syntax_name *name = lex_name (rd, "a name");
    if (proc || lex_is (rd, "(")) parse_proc (rd, name, num_results);
    else parse_declared (rd, &rd->globals, name);
  } else lex_expect (rd, "decl, void, bool or enforce");
}

void parse_program (bp_reader *rd) {
  while (rd->now.kind != TOKEN_END)
    if (!lex_accept (rd, ";")) parse_top (rd);
}
