// Parses expressions.  Operators from the tightest to the loosest: `!` `~`; `=` `==` `!=`; `&` `&&`; `^`; `|` `||`;
// `->` `=>`, right associative; `? :`.  A chain of one operator becomes a balanced tree, so that a generated chain of
// thousands of operands does not make the recursion deep.
#include <string.h>

#include "base/limits.h"
#include "boolean/bp_parse_impl.h"

static void check_depth (bp_reader *rd, uint32_t depth, bp_position at) {
  if (over_limit (BOOLEAN_DEPTH, depth))
    read_fail (rd, at, "this expression is nested deeper than %d", LIMIT_BOOLEAN_DEPTH);
}

static syntax_expr *new_syntax_expr (bp_reader *rd, syntax_op op, bp_position at, syntax_expr *a, syntax_expr *b,
                                     syntax_expr *c) {
  syntax_expr *x = arena_zalloc (rd->arena, sizeof *x);
  *x = (syntax_expr){.op = op, .name = {.at = at, .var = {BP_NONE}}, .arg = {a, b, c}, .height = 1};
  for (int k = 0; k < 3; k++)
    if (x->arg[k] && x->arg[k]->height >= x->height) x->height = x->arg[k]->height + 1;
  check_depth (rd, x->height, at);
  return x;
}

static syntax_expr *parse_schoose (bp_reader *rd, bp_position at) {
  lex_expect (rd, "[");
  syntax_expr *yes = parse_expr (rd);
  lex_expect (rd, ",");
  syntax_expr *no = parse_expr (rd);
  lex_expect (rd, "]");
  return new_syntax_expr (rd, SYNTAX_SCHOOSE, at, yes, no, NULL);
}

static syntax_expr *parse_const (bp_reader *rd, bool value, bp_position at) {
  syntax_expr *x = new_syntax_expr (rd, SYNTAX_CONST, at, NULL, NULL, NULL);
  x->value = value;
  lex_advance (rd);
  return x;
}

static syntax_expr *parse_variable (bp_reader *rd, bp_position at) {
  bool before = lex_accept (rd, "'");
  syntax_name *name = lex_name (rd, before ? "a variable after the prime" : "an expression");
  bool after = !before && lex_accept (rd, "'");
  syntax_expr *x = new_syntax_expr (rd, before || after ? SYNTAX_NEXT : SYNTAX_NAME, at, NULL, NULL, NULL);
  x->name = *name;
  return x;
}

static syntax_expr *parse_primary (bp_reader *rd) {
  bp_position at = rd->now.at;
  if (lex_accept (rd, "(")) {
    syntax_expr *x = parse_expr (rd);
    lex_expect (rd, ")");
    return x;
  }
  if (lex_accept (rd, "*") || lex_accept (rd, "?")) return new_syntax_expr (rd, SYNTAX_CHOICE, at, NULL, NULL, NULL);
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

static syntax_expr *parse_bp_unary (bp_reader *rd) {
  bp_position at = rd->now.at;
  if (!lex_accept (rd, "!") && !lex_accept (rd, "~")) return parse_primary (rd);
  check_depth (rd, ++rd->depth, at);
  syntax_expr *x = new_syntax_expr (rd, SYNTAX_NOT, at, parse_bp_unary (rd), NULL, NULL);
  rd->depth--;
  return x;
}

static syntax_expr *parse_equality (bp_reader *rd) {
  syntax_expr *x = parse_bp_unary (rd);
  for (;;) {
    bp_position at = rd->now.at;
    bool differs = lex_accept (rd, "!=");
    if (!differs && !lex_accept (rd, "=") && !lex_accept (rd, "==")) return x;
    x = new_syntax_expr (rd, differs ? SYNTAX_XOR : SYNTAX_EQUAL, at, x, parse_bp_unary (rd), NULL);
  }
}

// Builds a tree of small height from a linked list of `count` operands of an associative operator.
static syntax_expr *balance (bp_reader *rd, syntax_op op, syntax_expr **operands, uint32_t count) {
  if (count == 1) {
    syntax_expr *x = *operands;
    *operands = x->next;
    x->next = NULL;
    return x;
  }
  syntax_expr *left = balance (rd, op, operands, count / 2);
  syntax_expr *right = balance (rd, op, operands, count - count / 2);
  return new_syntax_expr (rd, op, left->name.at, left, right, NULL);
}

typedef syntax_expr *operand_parser (bp_reader *);

static syntax_expr *parse_chain (bp_reader *rd, syntax_op op, const char *sign, const char *other,
                                 operand_parser *parse) {
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

static syntax_expr *parse_and (bp_reader *rd) { return parse_chain (rd, SYNTAX_AND, "&", "&&", parse_equality); }
static syntax_expr *parse_xor (bp_reader *rd) { return parse_chain (rd, SYNTAX_XOR, "^", "^", parse_and); }
static syntax_expr *parse_or (bp_reader *rd) { return parse_chain (rd, SYNTAX_OR, "|", "||", parse_xor); }

static syntax_expr *parse_bp_implication (bp_reader *rd) {
  syntax_expr *x = parse_or (rd);
  bp_position at = rd->now.at;
  if (!lex_accept (rd, "->") && !lex_accept (rd, "=>")) return x;
  check_depth (rd, ++rd->depth, at);
  x = new_syntax_expr (rd, SYNTAX_IMPLIES, at, x, parse_bp_implication (rd), NULL);
  rd->depth--;
  return x;
}

syntax_expr *parse_expr (bp_reader *rd) {
  bp_position at = rd->now.at;
  check_depth (rd, ++rd->depth, at);
  syntax_expr *x = parse_bp_implication (rd);
  if (lex_accept (rd, "?")) {
    syntax_expr *yes = parse_expr (rd);
    lex_expect (rd, ":");
    x = new_syntax_expr (rd, SYNTAX_ITE, at, x, yes, parse_expr (rd));
  }
  rd->depth--;
  return x;
}

syntax_expr *parse_exprs (bp_reader *rd) {
  syntax_expr *first = parse_expr (rd), **last = &first->next;
  while (lex_accept (rd, ",")) {
    *last = parse_expr (rd);
    last = &(*last)->next;
  }
  return first;
}
