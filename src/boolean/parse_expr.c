// Expressions.  From the tightest: `!` `~`; `=` `==` `!=`; `&` `&&`; `^`; `|` `||`; `->` `=>`, to the right; `? :`.  A chain of one
// operator becomes a balanced tree, so that a generated chain of thousands does not make anybody's recursion deep.
#include <string.h>

#include "base/limits.h"
#include "boolean/parse_impl.h"

static void check_depth (reader *rd, uint32_t depth, place at) {
  if (over_limit (BOOLEAN_DEPTH, depth))
    read_fail (rd, at, "this expression is nested deeper than %d", LIMIT_BOOLEAN_DEPTH);
}

static syntax_expr *make (reader *rd, syntax_op op, place at, syntax_expr *a, syntax_expr *b, syntax_expr *c) {
  syntax_expr *x = arena_zalloc (rd->arena, sizeof *x);
  *x = (syntax_expr){.op = op, .name = {.at = at, .var = {BP_NONE}}, .arg = {a, b, c}, .height = 1};
  for (int k = 0; k < 3; k++)
    if (x->arg[k] && x->arg[k]->height >= x->height) x->height = x->arg[k]->height + 1;
  check_depth (rd, x->height, at);
  return x;
}

static syntax_expr *parse_schoose (reader *rd, place at) {
  lex_expect (rd, "[");
  syntax_expr *yes = parse_expr (rd);
  lex_expect (rd, ",");
  syntax_expr *no = parse_expr (rd);
  lex_expect (rd, "]");
  return make (rd, SYNTAX_SCHOOSE, at, yes, no, NULL);
}

static syntax_expr *parse_const (reader *rd, bool value, place at) {
  syntax_expr *x = make (rd, SYNTAX_CONST, at, NULL, NULL, NULL);
  x->value = value;
  lex_advance (rd);
  return x;
}

static syntax_expr *parse_variable (reader *rd, place at) {
  bool before = lex_accept (rd, "'");
  syntax_name *name = lex_name (rd, before ? "a variable after the prime" : "an expression");
  bool after = !before && lex_accept (rd, "'");
  syntax_expr *x = make (rd, before || after ? SYNTAX_NEXT : SYNTAX_NAME, at, NULL, NULL, NULL);
  x->name = *name;
  return x;
}

static syntax_expr *parse_primary (reader *rd) {
  place at = rd->now.at;
  if (lex_accept (rd, "(")) {
    syntax_expr *x = parse_expr (rd);
    lex_expect (rd, ")");
    return x;
  }
  if (lex_accept (rd, "*") || lex_accept (rd, "?")) return make (rd, SYNTAX_CHOICE, at, NULL, NULL, NULL);
  if (lex_accept (rd, "schoose")) return parse_schoose (rd, at);
  if (lex_is (rd, "T") || lex_is (rd, "true")) return parse_const (rd, true, at);
  if (lex_is (rd, "F") || lex_is (rd, "false")) return parse_const (rd, false, at);
  if (rd->now.kind == TOKEN_NUMBER) {
    if (strcmp (rd->now.text, "0") && strcmp (rd->now.text, "1"))
      read_fail (rd, at, "`%s` is no Boolean constant: these are 0 and 1, F and T", rd->now.text);
    return parse_const (rd, *rd->now.text == '1', at);
  }
  return parse_variable (rd, at);
}

static syntax_expr *parse_unary (reader *rd) {
  place at = rd->now.at;
  if (!lex_accept (rd, "!") && !lex_accept (rd, "~")) return parse_primary (rd);
  check_depth (rd, ++rd->depth, at);
  syntax_expr *x = make (rd, SYNTAX_NOT, at, parse_unary (rd), NULL, NULL);
  rd->depth--;
  return x;
}

static syntax_expr *parse_equality (reader *rd) {
  syntax_expr *x = parse_unary (rd);
  for (;;) {
    place at = rd->now.at;
    bool differs = lex_accept (rd, "!=");
    if (!differs && !lex_accept (rd, "=") && !lex_accept (rd, "==")) return x;
    x = make (rd, differs ? SYNTAX_XOR : SYNTAX_EQUAL, at, x, parse_unary (rd), NULL);
  }
}

// `count` operands of an associative operator, linked, as a tree of small height.
static syntax_expr *balance (reader *rd, syntax_op op, syntax_expr **operands, uint32_t count) {
  if (count == 1) {
    syntax_expr *x = *operands;
    *operands = x->next;
    x->next = NULL;
    return x;
  }
  syntax_expr *left = balance (rd, op, operands, count / 2);
  syntax_expr *right = balance (rd, op, operands, count - count / 2);
  return make (rd, op, left->name.at, left, right, NULL);
}

typedef syntax_expr *operand_parser (reader *);

static syntax_expr *parse_chain (reader *rd, syntax_op op, const char *sign, const char *other, operand_parser *parse) {
  syntax_expr *first = parse (rd), **last = &first->next;
  uint32_t count = 1;
  while (lex_accept (rd, sign) || lex_accept (rd, other)) {
    if (over_limit (BOOLEAN_OPERANDS, ++count))
      read_fail (rd, rd->now.at, "this expression has more than %d operands", LIMIT_BOOLEAN_OPERANDS);
    *last = parse (rd);
    last = &(*last)->next;
  }
  return balance (rd, op, &first, count);
}

static syntax_expr *parse_and (reader *rd) { return parse_chain (rd, SYNTAX_AND, "&", "&&", parse_equality); }
static syntax_expr *parse_xor (reader *rd) { return parse_chain (rd, SYNTAX_XOR, "^", "^", parse_and); }
static syntax_expr *parse_or (reader *rd) { return parse_chain (rd, SYNTAX_OR, "|", "||", parse_xor); }

static syntax_expr *parse_implication (reader *rd) {
  syntax_expr *x = parse_or (rd);
  place at = rd->now.at;
  if (!lex_accept (rd, "->") && !lex_accept (rd, "=>")) return x;
  check_depth (rd, ++rd->depth, at);
  x = make (rd, SYNTAX_IMPLIES, at, x, parse_implication (rd), NULL);
  rd->depth--;
  return x;
}

syntax_expr *parse_expr (reader *rd) {
  place at = rd->now.at;
  check_depth (rd, ++rd->depth, at);
  syntax_expr *x = parse_implication (rd);
  if (lex_accept (rd, "?")) {
    syntax_expr *yes = parse_expr (rd);
    lex_expect (rd, ":");
    x = make (rd, SYNTAX_ITE, at, x, yes, parse_expr (rd));
  }
  rd->depth--;
  return x;
}

syntax_expr *parse_exprs (reader *rd) {
  syntax_expr *first = parse_expr (rd), **last = &first->next;
  while (lex_accept (rd, ",")) {
    *last = parse_expr (rd);
    last = &(*last)->next;
  }
  return first;
}
