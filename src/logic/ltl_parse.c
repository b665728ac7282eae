// Parses the text of a formula by recursive descent.  Binding, from loosest: <->, -> (to the right), ||, &&, U W R (to
// the right), ! F G X.  Properties of threads and of programs differ in the text before the formula, in their
// propositions, and in X.  The grammar is in docs/formats/ltl.md.
#include <ctype.h>
#include <string.h>

#include "base/limits.h"
#include "base/nearest.h"
#include "logic/logic.h"

typedef enum ltl_token_kind {
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
  TOKEN_X,
  TOKEN_U,
  TOKEN_W,
  TOKEN_R,
  TOKEN_BAD
} ltl_token_kind;

typedef struct ltl_token {
  ltl_token_kind kind;
  uint32_t start, length;
} ltl_token;

typedef struct ltl_parser {
  ltl_pool *pool;
  const char *text;
  char language;  // 't' or 'p', as in LTL_ATOMS
  ltl_token now;
  uint32_t depth;
  bool failed;  // only the first error is reported
  ltl_error *error;
} ltl_parser;

static ltl ltl_syntax_error (ltl_parser *p, uint32_t at, const char *message) {
  if (!p->failed) *p->error = (ltl_error){at + 1, message};
  p->failed = true;
  return ltl_constant (false);
}

// ---- tokens ------------------------------------------------------------------------------------------

static const struct {
  const char *text;
  ltl_token_kind kind;
} signs[] = {{"<->", TOKEN_EQUIVALENT}, {"->", TOKEN_IMPLIES}, {"&&", TOKEN_AND}, {"||", TOKEN_OR},
             {"[]", TOKEN_G},           {"<>", TOKEN_F},       {"!", TOKEN_NOT},  {"(", TOKEN_OPEN},
             {")", TOKEN_CLOSE},        {":", TOKEN_COLON}};

static bool is_word_char (char c) { return isalnum ((unsigned char) c) || c == '_'; }

static ltl_token_kind letter_kind (char c) {
  static const char letters[] = "FGXUWR";
  const char *found = strchr (letters, c);
  return found ? (ltl_token_kind) (TOKEN_F + (found - letters)) : TOKEN_WORD;
}

static void next_ltl_token (ltl_parser *p) {
  uint32_t at = p->now.start + p->now.length;
  while (isspace ((unsigned char) p->text[at])) at++;
  p->now = (ltl_token){TOKEN_BAD, at, 1};
  if (!p->text[at]) p->now = (ltl_token){TOKEN_END, at, 0};
  for (uint32_t k = 0; k < sizeof signs / sizeof *signs; k++) {
    uint32_t length = (uint32_t) strlen (signs[k].text);
    if (strncmp (p->text + at, signs[k].text, length)) continue;
    p->now = (ltl_token){signs[k].kind, at, length};
    return;
  }
  if (!is_word_char (p->text[at])) return;
  uint32_t end = at;
  while (is_word_char (p->text[end])) end++;
  p->now = (ltl_token){end - at == 1 ? letter_kind (p->text[at]) : TOKEN_WORD, at, end - at};
}

static bool accept_token (ltl_parser *p, ltl_token_kind kind) {
  if (p->now.kind != kind) return false;
  next_ltl_token (p);
  return true;
}

static bool is_token_word (const ltl_parser *p, const char *word) {
  return p->now.kind == TOKEN_WORD && strlen (word) == p->now.length &&
         !strncmp (p->text + p->now.start, word, p->now.length);
}

// Returns the text up to the closing parenthesis, without blanks at its ends; NULL if the parenthesis is never closed.
static const char *parse_argument (ltl_parser *p) {
  uint32_t start = p->now.start + 1, end = start, open = 1;
  for (; p->text[end]; end++) {
    open += p->text[end] == '(';
    open -= p->text[end] == ')';
    if (!open) break;
  }
  if (open) return NULL;
  p->now = (ltl_token){TOKEN_CLOSE, end, 1};
  while (start < end && isspace ((unsigned char) p->text[start])) start++;
  while (end > start && isspace ((unsigned char) p->text[end - 1])) end--;
  next_ltl_token (p);
  return arena_printf (p->pool->arena, "%.*s", (int) (end - start), p->text + start);
}

// ---- errors ------------------------------------------------------------------------------------------

static ltl next_error (ltl_parser *p) {
  return ltl_syntax_error (
      p, p->now.start,
      "X (next) is not available: properties of threads are of LTL\\X, because how many steps a thread takes "
      "between two events "
      "is not fixed by the program and must not decide");
}

static bool is_only_operators (const ltl_parser *p) {
  return p->now.length > 1 && strspn (p->text + p->now.start, "AEFGUWRX") == p->now.length;
}

static bool is_atom_word (const ltl_parser *p, int kind) {
  return ltl_atom_is_of ((ltl_atom_kind) kind, p->language) && is_token_word (p, ltl_atom_name[kind]);
}

static bool is_atom_of (const ltl_parser *p, char language) {
  for (int k = 0; k < LTL_NUM_ATOM_KINDS; k++)
    if (ltl_atom_is_of ((ltl_atom_kind) k, language) && is_token_word (p, ltl_atom_name[k])) return true;
  return false;
}

static bool is_known_word (const ltl_parser *p) {
  return is_atom_of (p, p->language) || is_token_word (p, "true") || is_token_word (p, "false");
}

static ltl unknown_word_error (ltl_parser *p) {
  if (p->language == 'p' && is_atom_of (p, 't'))
    return ltl_syntax_error (
        p, p->now.start,
        "this is a proposition of single threads: then a path quantifier, A (every run) or E (some "
        "run), must be in front of the formula");
  if (p->language == 't' && is_atom_of (p, 'p'))
    return ltl_syntax_error (p, p->now.start,
                             "this is a proposition of whole programs: then no A or E may be in front of the formula");
  const char *word = arena_printf (p->pool->arena, "%.*s", (int) p->now.length, p->text + p->now.start);
  const char *words[LTL_NUM_ATOM_KINDS];
  size_t count = 0;
  strbuf names = {0};
  for (int k = 0; k < LTL_NUM_ATOM_KINDS; k++) {
    if (!ltl_atom_is_of ((ltl_atom_kind) k, p->language) || !*ltl_atom_name[k]) continue;
    strbuf_printf (&names, "%s%s(...)", count ? ", " : "", ltl_atom_name[k]);
    words[count++] = ltl_atom_name[k];
  }
  if (p->language == 'p') strbuf_add (&names, ", comparisons of variables and numbers");
  const char *near = nearest_word (word, words, count);
  const char *meant = near ? arena_printf (p->pool->arena, " (did you mean `%s`?)", near) : "";
  ltl f = ltl_syntax_error (p, p->now.start,
                            arena_printf (p->pool->arena, "unknown proposition `%s`%s; there are: %s, true, false",
                                          word, meant, strbuf_text (&names)));
  strbuf_release (&names);
  return f;
}

// Reports an error at a word that is no operand, or at an operand where none is allowed.
static ltl word_error (ltl_parser *p) {
  if (is_known_word (p))
    return ltl_syntax_error (p, p->now.start, "an operator is missing here: &&, ||, ->, <->, U, W or R");
  if (p->language == 't' && (is_token_word (p, "A") || is_token_word (p, "E")))
    return ltl_syntax_error (p, p->now.start,
                             "a path quantifier (A or E) is allowed only once, in front of the whole formula");
  if (is_only_operators (p))
    return ltl_syntax_error (p, p->now.start, "operators need blanks between them, as in `G F ...`");
  return unknown_word_error (p);
}

static ltl operand_error (ltl_parser *p) {
  if (p->now.kind == TOKEN_END)
    return ltl_syntax_error (p, p->now.start, "the formula ends where an operand should follow");
  char c = p->text[p->now.start];
  if (p->now.kind == TOKEN_BAD && (c == '&' || c == '|'))
    return ltl_syntax_error (p, p->now.start, "write && for `and`, || for `or`");
  return ltl_syntax_error (p, p->now.start,
                           p->language == 't'
                               ? "an operand is missing here: a proposition, a parenthesis, !, F or G"
                               : "an operand is missing here: a proposition, a parenthesis, !, F, G or X");
}

// ---- formulas ----------------------------------------------------------------------------------------

static ltl parse_equivalence (ltl_parser *);

static ltl parse_atom (ltl_parser *p, ltl_atom_kind kind) {
  uint32_t column = p->now.start;
  next_ltl_token (p);
  if (p->now.kind != TOKEN_OPEN)
    return ltl_syntax_error (p, p->now.start,
                             arena_printf (p->pool->arena, "%s needs an argument in parentheses", ltl_atom_name[kind]));
  const char *argument = parse_argument (p);
  if (!argument) return ltl_syntax_error (p, p->now.start, "this parenthesis is never closed");
  if (!*argument)
    return ltl_syntax_error (p, column,
                             arena_printf (p->pool->arena, "the argument of %s is empty", ltl_atom_name[kind]));
  uint32_t atom = ltl_add_atom (p->pool, kind, argument, column + 1);
  if (atom == LIMIT_FORMULA_ATOMS) return ltl_syntax_error (p, column, "too many different propositions (at most 64)");
  return ltl_literal (p->pool, atom, false);
}

// ---- comparisons -------------------------------------------------------------------------------------
// A comparison is kept as text: src/temporal, which knows the program, resolves its names.

static uint32_t skip_formula_blanks (const ltl_parser *p, uint32_t at) {
  while (isspace ((unsigned char) p->text[at])) at++;
  return at;
}

// Returns the end of a name such as `s.list[2].f`, or of a number.
static uint32_t operand_end (const ltl_parser *p, uint32_t at) {
  if (p->text[at] == '-') at++;
  while (is_word_char (p->text[at])) at++;
  for (;;) {
    uint32_t end = at + 1;
    if (p->text[at] != '.' && p->text[at] != '[') return at;
    while (is_word_char (p->text[end])) end++;
    if (p->text[at] == '[' && p->text[end++] != ']') return at;
    at = end;
  }
}

// Returns the length of the comparison sign at the start of the text; 0: none.  `<->` and `<>` are no comparisons.
static uint32_t comparison_length (const char *text) {
  if (!strncmp (text, "<->", 3) || !strncmp (text, "<>", 2)) return 0;
  if ((*text == '=' || *text == '!' || *text == '<' || *text == '>') && text[1] == '=') return 2;
  return *text == '<' || *text == '>';
}

static ltl parse_comparison (ltl_parser *p) {
  uint32_t start = p->now.start, end = operand_end (p, start), sign = skip_formula_blanks (p, end);
  uint32_t length = comparison_length (p->text + sign);
  if (!length && p->text[sign] == '=') return ltl_syntax_error (p, sign, "write == to compare");
  if (length) {
    uint32_t right = skip_formula_blanks (p, sign + length);
    end = operand_end (p, right);
    if (end == right || (p->text[right] == '-' && end == right + 1))
      return ltl_syntax_error (p, right, "a variable or a number is missing here");
  }
  const char *text = arena_printf (p->pool->arena, "%.*s", (int) (end - start), p->text + start);
  uint32_t atom = ltl_add_atom (p->pool, LTL_COMPARE, text, start + 1);
  if (atom == LIMIT_FORMULA_ATOMS) return ltl_syntax_error (p, start, "too many different propositions (at most 64)");
  p->now = (ltl_token){TOKEN_WORD, start, end - start};
  next_ltl_token (p);
  return ltl_literal (p->pool, atom, false);
}

static bool is_before_parenthesis (const ltl_parser *p) {
  return p->text[skip_formula_blanks (p, p->now.start + p->now.length)] == '(';
}

static ltl parse_word (ltl_parser *p) {
  for (int k = 0; k < LTL_NUM_ATOM_KINDS; k++)
    if (is_atom_word (p, k) && (p->language == 't' || is_before_parenthesis (p)))
      return parse_atom (p, (ltl_atom_kind) k);
  bool value = is_token_word (p, "true");
  if (!value && !is_token_word (p, "false"))
    return p->language == 'p' && !is_before_parenthesis (p) && !is_only_operators (p) ? parse_comparison (p)
                                                                                      : word_error (p);
  next_ltl_token (p);
  return ltl_constant (value);
}

static ltl parse_parentheses (ltl_parser *p) {
  uint32_t open = p->now.start;
  next_ltl_token (p);
  ltl f = parse_equivalence (p);
  if (p->failed || accept_token (p, TOKEN_CLOSE)) return f;
  if (p->now.kind == TOKEN_END) return ltl_syntax_error (p, open, "this parenthesis is never closed");
  return p->now.kind == TOKEN_WORD && p->language == 't'
             ? word_error (p)
             : ltl_syntax_error (p, p->now.start, "an operator or `)` is missing here");
}

static ltl parse_ltl_unary (ltl_parser *p) {
  if (at_limit (FORMULA_DEPTH, p->depth++))
    return ltl_syntax_error (p, p->now.start, "the formula is nested too deeply");
  ltl f;
  if (accept_token (p, TOKEN_NOT)) f = ltl_not (p->pool, parse_ltl_unary (p));
  else if (accept_token (p, TOKEN_F)) f = ltl_until (p->pool, ltl_constant (true), parse_ltl_unary (p));
  else if (accept_token (p, TOKEN_G)) f = ltl_release (p->pool, ltl_constant (false), parse_ltl_unary (p));
  else if (p->now.kind == TOKEN_X && p->language == 't') f = next_error (p);
  else if (accept_token (p, TOKEN_X)) f = ltl_next (p->pool, parse_ltl_unary (p));
  else if (p->now.kind == TOKEN_OPEN) f = parse_parentheses (p);
  else f = p->now.kind == TOKEN_WORD ? parse_word (p) : operand_error (p);
  p->depth--;
  return f;
}

static ltl parse_temporal (ltl_parser *p) {
  if (at_limit (FORMULA_DEPTH, p->depth++))
    return ltl_syntax_error (p, p->now.start, "the formula is nested too deeply");
  ltl left = parse_ltl_unary (p), f = left;
  if (accept_token (p, TOKEN_U)) f = ltl_until (p->pool, left, parse_temporal (p));
  else if (accept_token (p, TOKEN_R)) f = ltl_release (p->pool, left, parse_temporal (p));
  else if (accept_token (p, TOKEN_W)) {
    ltl right = parse_temporal (p);
    f = ltl_release (p->pool, right, ltl_or (p->pool, left, right));
  }
  p->depth--;
  return f;
}

static ltl parse_conjunction (ltl_parser *p) {
  ltl f = parse_temporal (p);
  while (!p->failed && accept_token (p, TOKEN_AND)) f = ltl_and (p->pool, f, parse_temporal (p));
  return f;
}

static ltl parse_disjunction (ltl_parser *p) {
  ltl f = parse_conjunction (p);
  while (!p->failed && accept_token (p, TOKEN_OR)) f = ltl_or (p->pool, f, parse_conjunction (p));
  return f;
}

static ltl parse_ltl_implication (ltl_parser *p) {
  if (at_limit (FORMULA_DEPTH, p->depth++))
    return ltl_syntax_error (p, p->now.start, "the formula is nested too deeply");
  ltl f = parse_disjunction (p);
  if (!p->failed && accept_token (p, TOKEN_IMPLIES))
    f = ltl_or (p->pool, ltl_not (p->pool, f), parse_ltl_implication (p));
  p->depth--;
  return f;
}

static ltl parse_equivalence (ltl_parser *p) {
  ltl f = parse_ltl_implication (p);
  while (!p->failed && accept_token (p, TOKEN_EQUIVALENT)) {
    ltl g = parse_ltl_implication (p);
    ltl both = ltl_and (p->pool, f, g), none = ltl_and (p->pool, ltl_not (p->pool, f), ltl_not (p->pool, g));
    f = ltl_or (p->pool, both, none);
  }
  return f;
}

// ---- the property ------------------------------------------------------------------------------------

static void parse_thread (ltl_parser *p, ltl_property *out) {
  if (!is_token_word (p, "thread")) return;
  next_ltl_token (p);
  if (p->now.kind == TOKEN_OPEN) out->thread = parse_argument (p);
  if (!out->thread || !*out->thread)
    ltl_syntax_error (p, p->now.start, "a thread is chosen like this: thread(function): A ...");
  else if (!accept_token (p, TOKEN_COLON)) ltl_syntax_error (p, p->now.start, "a colon is missing after thread(...)");
}

static void parse_quantifier (ltl_parser *p, ltl_property *out) {
  out->for_all = is_token_word (p, "A");
  if (out->for_all || is_token_word (p, "E")) next_ltl_token (p);
  else
    ltl_syntax_error (p, p->now.start, "the property must begin with a path quantifier: A (every run) or E (some run)");
}

static bool parse_whole (ltl_parser *p, ltl *out) {
  if (!p->failed) *out = parse_equivalence (p);
  if (p->failed || p->now.kind == TOKEN_END) return !p->failed;
  if (p->now.kind == TOKEN_WORD && p->language == 't') word_error (p);
  else if (p->now.kind == TOKEN_CLOSE) ltl_syntax_error (p, p->now.start, "there is nothing open that `)` could close");
  else ltl_syntax_error (p, p->now.start, "an operator is missing here: &&, ||, ->, <->, U, W or R");
  return false;
}

bool ltl_parse (ltl_pool *pool, const char *text, ltl_property *out, ltl_error *error) {
  ltl_parser p = {.pool = pool, .text = text, .language = 't', .error = error};
  *out = (ltl_property){.text = text};
  next_ltl_token (&p);
  parse_thread (&p, out);
  if (!p.failed) parse_quantifier (&p, out);
  return parse_whole (&p, &out->body);
}

bool ltl_parse_program (ltl_pool *pool, const char *text, ltl *out, ltl_error *error) {
  ltl_parser p = {.pool = pool, .text = text, .language = 'p', .error = error};
  *out = ltl_constant (false);
  next_ltl_token (&p);
  return parse_whole (&p, out);
}

bool ltl_is_of_threads (const char *text) {
  ltl_parser p = {.text = text};
  next_ltl_token (&p);
  if (is_token_word (&p, "A") || is_token_word (&p, "E")) return true;
  return is_token_word (&p, "thread") && is_before_parenthesis (&p);
}

void ltl_error_show (const char *text, const ltl_error *error, strbuf *out) {
  strbuf_printf (out, "%s\n    ", error->message);
  for (const char *c = text; *c; c++) strbuf_add_char (out, isspace ((unsigned char) *c) ? ' ' : *c);
  strbuf_add (out, "\n    ");
  for (uint32_t k = 1; k < error->column; k++)
    if (((unsigned char) text[k - 1] & 0xC0) != 0x80) strbuf_add_char (out, ' ');  // one blank per character of UTF-8
  strbuf_add_char (out, '^');
}
