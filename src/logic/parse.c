// From text to a formula, by recursive descent.  Binding, from loosest: <->, -> (to the right), ||, &&, U W R (to the right),
// ! F G.  The grammar stands in docs/formats/ltl.md.
#include <ctype.h>
#include <string.h>

#include "logic/logic.h"

typedef enum token_kind {
  TOKEN_END,
  TOKEN_WORD,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_COLON,
  TOKEN_NOT,
  TOKEN_AND,
  TOKEN_OR,
  TOKEN_IMPLIES,
  TOKEN_EQUIVALENT,
  TOKEN_F,
  TOKEN_G,
  TOKEN_U,
  TOKEN_W,
  TOKEN_R,
  TOKEN_BAD
} token_kind;

typedef struct token {
  token_kind kind;
  uint32_t start, length;
} token;

enum { DEEPEST = 200 };

typedef struct parser {
  ltl_pool *pool;
  const char *text;
  token now;
  uint32_t depth;
  bool failed;  // the first error is the one that is told
  ltl_error *error;
} parser;

static ltl fail (parser *p, uint32_t at, const char *message) {
  if (!p->failed) *p->error = (ltl_error){at + 1, message};
  p->failed = true;
  return ltl_constant (false);
}

// ---- tokens ------------------------------------------------------------------------------------------

static const struct {
  const char *text;
  token_kind kind;
} signs[] = {{"<->", TOKEN_EQUIVALENT}, {"->", TOKEN_IMPLIES}, {"&&", TOKEN_AND}, {"||", TOKEN_OR},
             {"[]", TOKEN_G},           {"<>", TOKEN_F},       {"!", TOKEN_NOT},  {"(", TOKEN_OPEN},
             {")", TOKEN_CLOSE},        {":", TOKEN_COLON}};

static bool is_word_char (char c) { return isalnum ((unsigned char) c) || c == '_'; }

static token_kind letter_kind (char c) {
  static const char letters[] = "FGUWR";
  const char *found = strchr (letters, c);
  return found ? (token_kind) (TOKEN_F + (found - letters)) : TOKEN_WORD;
}

static void advance (parser *p) {
  uint32_t at = p->now.start + p->now.length;
  while (isspace ((unsigned char) p->text[at])) at++;
  p->now = (token){TOKEN_BAD, at, 1};
  if (!p->text[at]) p->now = (token){TOKEN_END, at, 0};
  for (uint32_t k = 0; k < sizeof signs / sizeof *signs; k++) {
    uint32_t length = (uint32_t) strlen (signs[k].text);
    if (strncmp (p->text + at, signs[k].text, length)) continue;
    p->now = (token){signs[k].kind, at, length};
    return;
  }
  if (!is_word_char (p->text[at])) return;
  uint32_t end = at;
  while (is_word_char (p->text[end])) end++;
  p->now = (token){end - at == 1 ? letter_kind (p->text[at]) : TOKEN_WORD, at, end - at};
}

static bool accept (parser *p, token_kind kind) {
  if (p->now.kind != kind) return false;
  advance (p);
  return true;
}

static bool is_word (const parser *p, const char *word) {
  return p->now.kind == TOKEN_WORD && strlen (word) == p->now.length &&
         !strncmp (p->text + p->now.start, word, p->now.length);
}

// Everything up to the parenthesis that closes the one we stand at, without blanks at its ends; NULL if nothing closes it.
static const char *take_argument (parser *p) {
  uint32_t start = p->now.start + 1, end = start, open = 1;
  for (; p->text[end]; end++) {
    open += p->text[end] == '(';
    open -= p->text[end] == ')';
    if (!open) break;
  }
  if (open) return NULL;
  p->now = (token){TOKEN_CLOSE, end, 1};
  while (start < end && isspace ((unsigned char) p->text[start])) start++;
  while (end > start && isspace ((unsigned char) p->text[end - 1])) end--;
  advance (p);
  return arena_printf (p->pool->arena, "%.*s", (int) (end - start), p->text + start);
}

// ---- what is wrong -----------------------------------------------------------------------------------

static ltl fail_at_next (parser *p) {
  return fail (
      p, p->now.start,
      "X (next) is not available: properties are of LTL\\X, because how many steps a thread takes between two events "
      "is not fixed by the program and must not decide");
}

static bool is_only_operators (const parser *p) {
  return p->now.length > 1 && strspn (p->text + p->now.start, "AEFGUWRX") == p->now.length;
}

static bool is_known_word (const parser *p) {
  for (int k = 0; k < LTL_NUM_ATOM_KINDS; k++)
    if (is_word (p, ltl_atom_name[k])) return true;
  return is_word (p, "true") || is_word (p, "false");
}

// A word that is no operand, or an operand where none can stand.
static ltl fail_at_word (parser *p) {
  if (is_known_word (p)) return fail (p, p->now.start, "an operator is missing here: &&, ||, ->, <->, U, W or R");
  if (is_word (p, "X")) return fail_at_next (p);
  if (is_word (p, "A") || is_word (p, "E"))
    return fail (p, p->now.start, "a path quantifier (A or E) can stand only once, in front of the whole formula");
  if (is_only_operators (p)) return fail (p, p->now.start, "operators need blanks between them, as in `G F ...`");
  strbuf names = {0};
  for (int k = 0; k < LTL_NUM_ATOM_KINDS; k++) strbuf_printf (&names, "%s%s(...)", k ? ", " : "", ltl_atom_name[k]);
  ltl f = fail (p, p->now.start,
                arena_printf (p->pool->arena, "unknown proposition `%.*s`; there are: %s, true, false",
                              (int) p->now.length, p->text + p->now.start, strbuf_text (&names)));
  strbuf_release (&names);
  return f;
}

static ltl fail_at_operand (parser *p) {
  if (p->now.kind == TOKEN_END) return fail (p, p->now.start, "the formula ends where an operand should follow");
  char c = p->text[p->now.start];
  if (p->now.kind == TOKEN_BAD && (c == '&' || c == '|'))
    return fail (p, p->now.start, "write && for `and`, || for `or`");
  return fail (p, p->now.start, "an operand is missing here: a proposition, a parenthesis, !, F or G");
}

// ---- formulas ----------------------------------------------------------------------------------------

static ltl parse_equivalence (parser *);

static ltl parse_atom (parser *p, ltl_atom_kind kind) {
  uint32_t column = p->now.start;
  advance (p);
  if (p->now.kind != TOKEN_OPEN)
    return fail (p, p->now.start,
                 arena_printf (p->pool->arena, "%s needs an argument in parentheses", ltl_atom_name[kind]));
  const char *argument = take_argument (p);
  if (!argument) return fail (p, p->now.start, "this parenthesis is never closed");
  if (!*argument)
    return fail (p, column, arena_printf (p->pool->arena, "the argument of %s is empty", ltl_atom_name[kind]));
  uint32_t atom = ltl_add_atom (p->pool, kind, argument, column + 1);
  if (atom == LTL_MOST_ATOMS) return fail (p, column, "too many different propositions (at most 64)");
  return ltl_literal (p->pool, atom, false);
}

static ltl parse_word (parser *p) {
  for (int k = 0; k < LTL_NUM_ATOM_KINDS; k++)
    if (is_word (p, ltl_atom_name[k])) return parse_atom (p, (ltl_atom_kind) k);
  bool value = is_word (p, "true");
  if (!value && !is_word (p, "false")) return fail_at_word (p);
  advance (p);
  return ltl_constant (value);
}

static ltl parse_parentheses (parser *p) {
  uint32_t open = p->now.start;
  advance (p);
  ltl f = parse_equivalence (p);
  if (p->failed || accept (p, TOKEN_CLOSE)) return f;
  if (p->now.kind == TOKEN_END) return fail (p, open, "this parenthesis is never closed");
  return p->now.kind == TOKEN_WORD ? fail_at_word (p) : fail (p, p->now.start, "an operator or `)` is missing here");
}

static ltl parse_unary (parser *p) {
  if (p->depth++ >= DEEPEST) return fail (p, p->now.start, "the formula is nested too deeply");
  ltl f;
  if (accept (p, TOKEN_NOT)) f = ltl_not (p->pool, parse_unary (p));
  else if (accept (p, TOKEN_F)) f = ltl_until (p->pool, ltl_constant (true), parse_unary (p));
  else if (accept (p, TOKEN_G)) f = ltl_release (p->pool, ltl_constant (false), parse_unary (p));
  else if (p->now.kind == TOKEN_OPEN) f = parse_parentheses (p);
  else f = p->now.kind == TOKEN_WORD ? parse_word (p) : fail_at_operand (p);
  p->depth--;
  return f;
}

static ltl parse_temporal (parser *p) {
  if (p->depth++ >= DEEPEST) return fail (p, p->now.start, "the formula is nested too deeply");
  ltl left = parse_unary (p), f = left;
  if (accept (p, TOKEN_U)) f = ltl_until (p->pool, left, parse_temporal (p));
  else if (accept (p, TOKEN_R)) f = ltl_release (p->pool, left, parse_temporal (p));
  else if (accept (p, TOKEN_W)) {
    ltl right = parse_temporal (p);
    f = ltl_release (p->pool, right, ltl_or (p->pool, left, right));
  }
  p->depth--;
  return f;
}

static ltl parse_conjunction (parser *p) {
  ltl f = parse_temporal (p);
  while (!p->failed && accept (p, TOKEN_AND)) f = ltl_and (p->pool, f, parse_temporal (p));
  return f;
}

static ltl parse_disjunction (parser *p) {
  ltl f = parse_conjunction (p);
  while (!p->failed && accept (p, TOKEN_OR)) f = ltl_or (p->pool, f, parse_conjunction (p));
  return f;
}

static ltl parse_implication (parser *p) {
  if (p->depth++ >= DEEPEST) return fail (p, p->now.start, "the formula is nested too deeply");
  ltl f = parse_disjunction (p);
  if (!p->failed && accept (p, TOKEN_IMPLIES)) f = ltl_or (p->pool, ltl_not (p->pool, f), parse_implication (p));
  p->depth--;
  return f;
}

static ltl parse_equivalence (parser *p) {
  ltl f = parse_implication (p);
  while (!p->failed && accept (p, TOKEN_EQUIVALENT)) {
    ltl g = parse_implication (p);
    ltl both = ltl_and (p->pool, f, g), none = ltl_and (p->pool, ltl_not (p->pool, f), ltl_not (p->pool, g));
    f = ltl_or (p->pool, both, none);
  }
  return f;
}

// ---- the property ------------------------------------------------------------------------------------

static void parse_thread (parser *p, ltl_property *out) {
  if (!is_word (p, "thread")) return;
  advance (p);
  if (p->now.kind == TOKEN_OPEN) out->thread = take_argument (p);
  if (!out->thread || !*out->thread) fail (p, p->now.start, "a thread is chosen like this: thread(function): A ...");
  else if (!accept (p, TOKEN_COLON)) fail (p, p->now.start, "a colon is missing after thread(...)");
}

static void parse_quantifier (parser *p, ltl_property *out) {
  out->for_all = is_word (p, "A");
  if (out->for_all || is_word (p, "E")) advance (p);
  else fail (p, p->now.start, "the property must begin with a path quantifier: A (every run) or E (some run)");
}

bool ltl_parse (ltl_pool *pool, const char *text, ltl_property *out, ltl_error *error) {
  parser p = {.pool = pool, .text = text, .error = error};
  *out = (ltl_property){.text = text};
  advance (&p);
  parse_thread (&p, out);
  if (!p.failed) parse_quantifier (&p, out);
  if (!p.failed) out->body = parse_equivalence (&p);
  if (p.failed || p.now.kind == TOKEN_END) return !p.failed;
  if (p.now.kind == TOKEN_WORD) fail_at_word (&p);
  else if (p.now.kind == TOKEN_CLOSE) fail (&p, p.now.start, "there is nothing open that `)` could close");
  else fail (&p, p.now.start, "an operator is missing here: &&, ||, ->, <->, U, W or R");
  return false;
}

void ltl_error_show (const char *text, const ltl_error *error, strbuf *out) {
  strbuf_printf (out, "%s\n    ", error->message);
  for (const char *c = text; *c; c++) strbuf_add_char (out, isspace ((unsigned char) *c) ? ' ' : *c);
  strbuf_add (out, "\n    ");
  for (uint32_t k = 1; k < error->column; k++)
    if (((unsigned char) text[k - 1] & 0xC0) != 0x80) strbuf_add_char (out, ' ');  // one blank per character of UTF-8
  strbuf_add_char (out, '^');
}
