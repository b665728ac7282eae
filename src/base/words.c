// Words of a line by the rules of a POSIX shell (POSIX.1-2017, Shell Command Language, section 2.2) without expansions:
// blanks separate words; '...' is literal; in "..." a backslash protects " and \ (and $, `); outside of quotations it
// protects any character.
#include "base/words.h"

#include <string.h>

#include "base/strbuf.h"

bool words_split (arena *a, const char *line, word_list *out) {
  strbuf word = {0};
  bool in_word = false;
  char quote = 0;
  for (const char *c = line; *c; c++) {
    if (quote == '\'') {
      if (*c == '\'') quote = 0;
      else strbuf_add_char (&word, *c);
    } else if (*c == '\\' && c[1] && (!quote || strchr ("\"\\$`", c[1]))) {
      strbuf_add_char (&word, *++c);
      in_word = true;
    } else if (quote) {
      if (*c == quote) quote = 0;
      else strbuf_add_char (&word, *c);
    } else if (*c == '\'' || *c == '"') {
      quote = *c;
      in_word = true;
    } else if (strchr (" \t\r\n", *c)) {
      if (in_word) vec_push (out, arena_strdup (a, strbuf_text (&word)));
      strbuf_clear (&word);
      in_word = false;
    } else {
      strbuf_add_char (&word, *c);
      in_word = true;
    }
  }
  if (in_word) vec_push (out, arena_strdup (a, strbuf_text (&word)));
  strbuf_release (&word);
  return !quote;
}
