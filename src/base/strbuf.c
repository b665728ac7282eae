// String buffer over the counted heap.
#include "base/strbuf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void reserve (strbuf *s, size_t more) {
  s->data = mem_grow (s->data, 1, (uint32_t) (s->count + more + 1), &s->capacity);
}

void strbuf_add_bytes (strbuf *s, const char *bytes, size_t count) {
  reserve (s, count);
  if (count) memcpy (s->data + s->count, bytes, count);
  s->count += (uint32_t) count;
  s->data[s->count] = 0;
}

void strbuf_add (strbuf *s, const char *text) { strbuf_add_bytes (s, text, strlen (text)); }
void strbuf_add_char (strbuf *s, char c) { strbuf_add_bytes (s, &c, 1); }

void strbuf_vprintf (strbuf *s, const char *format, va_list list) {
  va_list again;
  va_copy (again, list);
  int length = vsnprintf (NULL, 0, format, again);
  va_end (again);
  reserve (s, (size_t) length);
  vsnprintf (s->data + s->count, (size_t) length + 1, format, list);
  s->count += (uint32_t) length;
}

void strbuf_printf (strbuf *s, const char *format, ...) {
  va_list list;
  va_start (list, format);
  strbuf_vprintf (s, format, list);
  va_end (list);
}

const char *strbuf_text (strbuf *s) {
  reserve (s, 0);
  s->data[s->count] = 0;
  return s->data;
}

void strbuf_clear (strbuf *s) { s->count = 0; }
void strbuf_release (strbuf *s) { vec_release (s); }

static bool add_stream (strbuf *s, FILE *f) {
  char block[1 << 16];
  for (size_t got; (got = fread (block, 1, sizeof block, f)) > 0;) {
    if (s->count > UINT32_MAX / 2) return errno = EFBIG, false;
    strbuf_add_bytes (s, block, got);
  }
  return !ferror (f);
}

bool strbuf_add_file (strbuf *s, const char *path) {
  FILE *f = fopen (path, "rb");
  if (!f) return false;
  bool good = add_stream (s, f);
  int error = errno;
  fclose (f);
  errno = error;
  return good;
}
