// Makes text from source files and program data safe: JSON requires valid UTF-8, and a terminal must not get control
// characters.  Validity as in RFC 3629 (no overlong forms, no surrogates, nothing above U+10FFFF), which is also what
// jansson checks.
#include <string.h>

#include "report/report_impl.h"

size_t utf8_length (const unsigned char *s) {
  if (s[0] < 0x80) return s[0] != 0;
  unsigned length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
  for (unsigned i = 1; i < length; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  if (s[0] == 0xE0 && s[1] < 0xA0) return 0;   // overlong
  if (s[0] == 0xED && s[1] >= 0xA0) return 0;  // surrogate
  if (s[0] == 0xF0 && s[1] < 0x90) return 0;   // overlong
  if (s[0] == 0xF4 && s[1] >= 0x90) return 0;  // above U+10FFFF
  return length;
}

static bool is_control (unsigned char c) { return c < 0x20 || c == 0x7F; }

static char *append_character (char *out, const char *bytes, size_t count) {
  return (char *) memcpy (out, bytes, count) + count;
}

static const char *clean (arena *a, const char *text, bool printable) {
  const unsigned char *s = (const unsigned char *) text;
  size_t bad = 0;
  for (size_t i = 0, n; s[i]; i += n ? n : 1) {
    n = utf8_length (s + i);
    bad += !n || (printable && n == 1 && is_control (s[i]));
  }
  if (!bad) return text;
  char *result = arena_alloc (a, strlen (text) + 2 * bad + 1), *out = result;
  for (size_t i = 0, n; s[i]; i += n ? n : 1) {
    n = utf8_length (s + i);
    if (!n) out = append_character (out, "\xEF\xBF\xBD", 3);
    else if (printable && n == 1 && is_control (s[i])) *out++ = s[i] == '\t' ? ' ' : '?';
    else out = append_character (out, text + i, n);
  }
  *out = 0;
  return result;
}

const char *utf8_valid (arena *a, const char *text) { return clean (a, text, false); }
const char *utf8_printable (arena *a, const char *text) { return clean (a, text, true); }

size_t utf8_prefix (const char *text, size_t width) {
  const unsigned char *s = (const unsigned char *) text;
  size_t bytes = 0;
  while (width-- && s[bytes]) {
    size_t n = utf8_length (s + bytes);
    bytes += n ? n : 1;
  }
  return bytes;
}

size_t utf8_width (const char *text) {
  const unsigned char *s = (const unsigned char *) text;
  size_t width = 0;
  for (size_t i = 0, n; s[i]; i += n ? n : 1, width++) n = utf8_length (s + i);
  return width;
}
