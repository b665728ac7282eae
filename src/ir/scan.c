// Characters and words of the text form.  There is no token stream: the grammar always determines which kind of word
// must come next, so each kind has its own function.
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ir_parse_impl.h"

void parse_fail (ir_parser *ps, const char *format, ...) {
  strbuf text = {0};
  strbuf_printf (&text, "%s:%u: ", ps->file, ps->line);
  va_list list;
  va_start (list, format);
  strbuf_vprintf (&text, format, list);
  va_end (list);
  ps->error = strdup (strbuf_text (&text));
  strbuf_release (&text);
  longjmp (ps->failed, 1);
}

static void skip_text_blanks (ir_parser *ps) {
  for (;; ps->at++) {
    if (ps->at[0] == '/' && ps->at[1] == '/') ps->at += strcspn (ps->at, "\n");
    if (*ps->at == '\n') ps->line++;
    else if (!isspace ((unsigned char) *ps->at)) return;
  }
}

// Returns the text at the current place, short enough for a message.
static const char *found_text (ir_parser *ps) {
  if (!*ps->at) return "the end";
  size_t n = strcspn (ps->at, " \t\r\n");
  if (n > 30) n = 30;
  if (n == 0) n = 1;
  strbuf_clear (&ps->text);
  strbuf_add_char (&ps->text, '`');
  strbuf_add_bytes (&ps->text, ps->at, n);
  strbuf_add_char (&ps->text, '`');
  return strbuf_text (&ps->text);
}

char scan_peek (ir_parser *ps) {
  skip_text_blanks (ps);
  return *ps->at;
}

bool scan_char (ir_parser *ps, char c) {
  if (scan_peek (ps) != c) return false;
  ps->at++;
  return true;
}

void scan_expect (ir_parser *ps, const char *text) {
  skip_text_blanks (ps);
  if (strncmp (ps->at, text, strlen (text))) parse_fail (ps, "expected `%s` before %s", text, found_text (ps));
  ps->at += strlen (text);
}

static size_t word_length (const char *text) {
  size_t n = 0;
  if (isdigit ((unsigned char) text[0])) return 0;
  while (isalnum ((unsigned char) text[n]) || (text[n] && strchr ("_.$", text[n]))) n++;
  return n;
}

const char *scan_peek_word (ir_parser *ps) {
  skip_text_blanks (ps);
  strbuf_clear (&ps->word);
  strbuf_add_bytes (&ps->word, ps->at, word_length (ps->at));
  return strbuf_text (&ps->word);
}

const char *scan_word (ir_parser *ps) {
  if (!*scan_peek_word (ps)) parse_fail (ps, "expected a word before %s", found_text (ps));
  ps->at += ps->word.count;
  return strbuf_text (&ps->word);
}

bool scan_keyword (ir_parser *ps, const char *word) {
  if (strcmp (scan_peek_word (ps), word)) return false;
  ps->at += ps->word.count;
  return true;
}

const char *scan_operator (ir_parser *ps) {
  skip_text_blanks (ps);
  size_t n = strcspn (ps->at, " \t\r\n");
  strbuf_clear (&ps->word);
  strbuf_add_bytes (&ps->word, ps->at, n);
  ps->at += n;
  return strbuf_text (&ps->word);
}

int scan_one_of (ir_parser *ps, const char *const words[], unsigned count) {
  const char *word = scan_peek_word (ps);
  for (unsigned i = 0; i < count; i++)
    if (!strcmp (word, words[i])) return ps->at += ps->word.count, (int) i;
  return -1;
}

static int hex_digit (char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static char scan_escape (ir_parser *ps) {
  char c = *ps->at++;
  if (c == 'n') return '\n';
  if (c == '"' || c == '\\') return c;
  if (c != 'x' || hex_digit (ps->at[0]) < 0 || hex_digit (ps->at[1]) < 0)
    parse_fail (ps, "bad escape in a string: only \\n \\\" \\\\ and \\x with two digits are known");
  c = (char) (hex_digit (ps->at[0]) * 16 + hex_digit (ps->at[1]));
  ps->at += 2;
  return c;
}

const char *scan_string (ir_parser *ps) {
  if (!scan_char (ps, '"')) parse_fail (ps, "expected a string in quotes before %s", found_text (ps));
  strbuf_clear (&ps->text);
  while (*ps->at != '"') {
    char c = *ps->at++;
    if (!c || c == '\n') parse_fail (ps, "a string does not end");
    if (c == '\\') c = scan_escape (ps);
    strbuf_add_char (&ps->text, c);
  }
  ps->at++;
  return strbuf_text (&ps->text);
}

uint32_t scan_number (ir_parser *ps, uint32_t limit) {
  skip_text_blanks (ps);
  if (!isdigit ((unsigned char) *ps->at)) parse_fail (ps, "expected a number before %s", found_text (ps));
  uint64_t n = 0;
  while (isdigit ((unsigned char) *ps->at)) {
    n = n * 10 + (uint64_t) (*ps->at++ - '0');
    if (n > limit) parse_fail (ps, "a number here can be %u at most", limit);
  }
  return (uint32_t) n;
}

ir_value scan_value (ir_parser *ps) {
  bool minus = scan_char (ps, '-');
  unsigned base = 10;
  if (ps->at[0] == '0' && ps->at[1] == 'x') base = 16, ps->at += 2;
  ir_value n = 0;
  unsigned digits = 0;
  for (int d; (d = hex_digit (*ps->at)) >= 0 && d < (int) base; digits++, ps->at++)
    if (__builtin_mul_overflow (n, (ir_value) base, &n) || __builtin_add_overflow (n, (ir_value) d, &n))
      parse_fail (ps, "a number has more than 128 bits");
  if (!digits) parse_fail (ps, "expected a number before %s", found_text (ps));
  return minus ? -n : n;
}

bool scan_id (ir_parser *ps, char letter, uint32_t *id) {
  const char *word = scan_peek_word (ps);
  if (word[0] != letter || !isdigit ((unsigned char) word[1]) || strspn (word + 1, "0123456789") != ps->word.count - 1)
    return false;
  ps->at++;
  *id = scan_number (ps, ps->length < IR_NONE - 1 ? (uint32_t) ps->length : IR_NONE - 1);
  return true;
}
