// Splits characters into words.  The parser sees two words at a time.  Characters that form no word are an error only
// when the parser reaches them, because a name in braces, `{x->next == 0}`, may contain any text.
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "boolean/bp_parse_impl.h"

_Noreturn void read_fail (bp_reader *rd, bp_position at, const char *format, ...) {
  va_list list;
  va_start (list, format);
  strbuf_clear (&rd->error->text);
  strbuf_vprintf (&rd->error->text, format, list);
  va_end (list);
  rd->error->line = at.line, rd->error->column = at.column;
  longjmp (rd->failed, 1);
}

static const char *const keywords[] = {
    "decl",   "bool",   "void",    "begin",        "end",        "if",           "then",       "elsif",
    "elif",   "else",   "fi",      "while",        "do",         "od",           "goto",       "return",
    "assume", "assert", "skip",    "dead",         "dfs",        "enforce",      "T",          "F",
    "true",   "false",  "schoose", "start_thread", "end_thread", "atomic_begin", "atomic_end", "constrain"};

static bool is_keyword (const char *word) {
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (!strcmp (word, keywords[i])) return true;
  return false;
}

// ---- blanks and comments -------------------------------------------------------------------------------

static void advance_char (bp_reader *rd) {
  if (*rd->at++ == '\n') rd->line++, rd->line_start = rd->at;
}

static bp_position source_position (const bp_reader *rd) {
  return (bp_position){rd->line, (uint32_t) (rd->at - rd->line_start) + 1};
}

static void skip_comment (bp_reader *rd) {
  bp_position from = source_position (rd);
  rd->at += 2;
  while (*rd->at && !(rd->at[0] == '*' && rd->at[1] == '/')) advance_char (rd);
  if (!*rd->at) read_fail (rd, from, "this comment has no end");
  rd->at += 2;
}

static void skip_source_blanks (bp_reader *rd) {
  for (;;) {
    if (isspace ((unsigned char) *rd->at)) advance_char (rd);
    else if (rd->at[0] == '/' && rd->at[1] == '/') rd->at += strcspn (rd->at, "\n");
    else if (rd->at[0] == '/' && rd->at[1] == '*') skip_comment (rd);
    else return;
  }
}

// ---- words ---------------------------------------------------------------------------------------------

static bool in_word (char c) { return isalnum ((unsigned char) c) || c == '_' || c == '$'; }

static const char *copy_source_text (bp_reader *rd, const char *from, size_t length) {
  char *text = arena_alloc (rd->arena, length + 1);
  memcpy (text, from, length);
  text[length] = 0;
  return text;
}

// Returns the length of the sign at this place, or 0 if there is none.
static size_t sign_length (const char *at) {
  static const char *const two[] = {":=", "=>", "->", "==", "!=", "&&", "||"};
  for (size_t i = 0; i < sizeof two / sizeof *two; i++)
    if (!strncmp (at, two[i], 2)) return 2;
  return *at && strchr ("!~&|^=*?:;,()[]{}<>'", *at) ? 1 : 0;
}

static const char curly_prime[] = "\xE2\x80\x99";  // the typographic prime of printed papers

static bp_token next_token (bp_reader *rd) {
  skip_source_blanks (rd);
  bp_token t = {.kind = TOKEN_BAD, .at = source_position (rd), .from = rd->at};
  size_t length = 0;
  while (in_word (rd->at[length])) length++;
  if (!*rd->at) t.kind = TOKEN_END;
  else if (length) t.kind = strspn (rd->at, "0123456789") == length ? TOKEN_NUMBER : TOKEN_WORD;
  else if (!strncmp (rd->at, curly_prime, strlen (curly_prime))) length = strlen (curly_prime), t.kind = TOKEN_SIGN;
  else if ((length = sign_length (rd->at))) t.kind = TOKEN_SIGN;
  else length = 1;
  if (t.kind == TOKEN_WORD && isdigit ((unsigned char) *rd->at)) t.kind = TOKEN_BAD;
  t.text = t.kind == TOKEN_SIGN && length == strlen (curly_prime) ? "'" : copy_source_text (rd, rd->at, length);
  rd->at += length;
  t.to = rd->at;
  return t;
}

void lex_start (bp_reader *rd, const char *text) {
  rd->at = rd->line_start = text;
  rd->line = 1;
  rd->now = next_token (rd);
  rd->ahead = next_token (rd);
}

void lex_advance (bp_reader *rd) {
  rd->now = rd->ahead;
  if (rd->now.kind != TOKEN_END) rd->ahead = next_token (rd);
}

// ---- functions for the parser ----------------------------------------------------------------------------

bool lex_is (const bp_reader *rd, const char *text) {
  return (rd->now.kind == TOKEN_SIGN || rd->now.kind == TOKEN_WORD) && !strcmp (rd->now.text, text);
}

bool lex_accept (bp_reader *rd, const char *text) {
  if (!lex_is (rd, text)) return false;
  lex_advance (rd);
  return true;
}

static _Noreturn void fail_expected (bp_reader *rd, const char *what) {
  const bp_token *t = &rd->now;
  if (t->kind == TOKEN_END) read_fail (rd, t->at, "expected %s, but the file ends", what);
  if (t->kind == TOKEN_BAD && !isprint ((unsigned char) *t->text))
    read_fail (rd, t->at, "expected %s, but found a byte that no program has (0x%02x)", what, (unsigned char) *t->text);
  if (t->kind == TOKEN_WORD && is_keyword (t->text))
    read_fail (rd, t->at, "expected %s, but found the keyword `%s`", what, t->text);
  read_fail (rd, t->at, "expected %s, but found `%s`", what, t->text);
}

void lex_expect (bp_reader *rd, const char *text) {
  if (!lex_accept (rd, text)) fail_expected (rd, arena_printf (rd->arena, "`%s`", text));
}

bool lex_is_name (const bp_reader *rd) { return rd->now.kind == TOKEN_WORD && !is_keyword (rd->now.text); }

// Returns the end, after the closing brace, of the name in braces that begins at the current word.  NULL: the name does
// not end on this line.
static const char *quoted_end (const bp_reader *rd) {
  if (!lex_is (rd, "{")) return NULL;
  const char *end = rd->now.to + strcspn (rd->now.to, "{}\n");
  return *end == '}' && end > rd->now.to ? end + 1 : NULL;
}

bool lex_quoted_target (const bp_reader *rd) {
  const char *end = quoted_end (rd);
  if (!end) return false;
  end += strspn (end, " \t\r");
  return *end == ',' || *end == '\'' || *end == '=' || (end[0] == ':' && end[1] == '=');
}

static syntax_name *make_name (bp_reader *rd, const char *text, bp_position at) {
  syntax_name *name = arena_zalloc (rd->arena, sizeof *name);
  *name = (syntax_name){.text = text, .at = at, .var = {BP_NONE}};
  return name;
}

// Goes back to the opening brace and reads the text up to `end` as one word.
static syntax_name *quoted_name (bp_reader *rd, const char *end) {
  syntax_name *name = make_name (rd, copy_source_text (rd, rd->now.from, (size_t) (end - rd->now.from)), rd->now.at);
  rd->line = rd->now.at.line;
  rd->line_start = rd->now.from - (rd->now.at.column - 1);
  rd->at = end;
  rd->now = next_token (rd);
  rd->ahead = next_token (rd);
  return name;
}

syntax_name *lex_name (bp_reader *rd, const char *what) {
  const char *end = quoted_end (rd);
  if (end) return quoted_name (rd, end);
  if (!lex_is_name (rd)) fail_expected (rd, what);
  syntax_name *name = make_name (rd, rd->now.text, rd->now.at);
  lex_advance (rd);
  return name;
}

syntax_name *lex_label (bp_reader *rd) {
  if (rd->now.kind != TOKEN_NUMBER) return lex_name (rd, "a label");
  syntax_name *name = make_name (rd, rd->now.text, rd->now.at);
  lex_advance (rd);
  return name;
}
