// Summarises texts.  Real programs call dozens of functions without a body; texts that say the same of several
// functions become one line.
#include <string.h>

#include "report/report_impl.h"

enum { WORTH_JOINING = 3 };

// Returns REST of "`name` has no body: REST"; NULL: the text does not have this form.
static const char *rest_of (const char *text) {
  static const char words[] = "` has no body: ";
  const char *found = *text == '`' ? strstr (text, words) : NULL;
  return found ? found + strlen (words) : NULL;
}

static bool says_the_same (const char *text, const char *rest) {
  const char *other = rest_of (text);
  return other && !strcmp (other, rest);
}

static uint32_t count_same (const char *const *texts, uint32_t count, const char *rest) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) n += says_the_same (texts[i], rest);
  return n;
}

static const char *join_texts (arena *a, const char *const *texts, uint32_t count, const char *rest) {
  strbuf b = {0};
  strbuf_printf (&b, "%u functions have no body (%s):", count_same (texts, count, rest), rest);
  const char *separator = " ";
  for (uint32_t i = 0; i < count; i++) {
    if (!says_the_same (texts[i], rest)) continue;
    strbuf_printf (&b, "%s%.*s", separator, (int) (strchr (texts[i] + 1, '`') + 1 - texts[i]), texts[i]);
    separator = ", ";
  }
  const char *line = arena_strdup (a, strbuf_text (&b));
  strbuf_release (&b);
  return line;
}

// A joined line stands at the position of the first of its texts.
void summarise_texts (arena *a, const char *const *texts, uint32_t count, summary *out) {
  for (uint32_t i = 0; i < count; i++) {
    const char *rest = rest_of (texts[i]);
    if (!rest || count_same (texts, count, rest) < WORTH_JOINING) vec_push (out, texts[i]);
    else if (!count_same (texts, i, rest)) vec_push (out, join_texts (a, texts, count, rest));
  }
}
