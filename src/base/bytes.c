// A text is its length and its characters, a list the number of its elements and their bytes.
#include "base/bytes.h"

#include <string.h>

// ---- writing ------------------------------------------------------------------------------------------
void bytes_put_u32 (strbuf *b, uint32_t x) { strbuf_add_bytes (b, (const char *) &x, sizeof x); }
void bytes_put_u64 (strbuf *b, uint64_t x) { strbuf_add_bytes (b, (const char *) &x, sizeof x); }

void bytes_put_text (strbuf *b, const char *text) {
  bytes_put_u32 (b, text ? (uint32_t) strlen (text) : UINT32_MAX);
  if (text) strbuf_add (b, text);
}

void bytes_put_list (strbuf *b, const void *data, uint32_t count, size_t each) {
  bytes_put_u32 (b, count);
  if (count) strbuf_add_bytes (b, data, count * each);
}

// ---- reading ------------------------------------------------------------------------------------------
bytes_reader bytes_read (arena *texts, const char *data, size_t count) {
  return (bytes_reader){.texts = texts, .at = data, .end = count ? data + count : data};
}

bool bytes_are_read (const bytes_reader *r) { return !r->is_bad && r->at == r->end; }

static bool has_unread (bytes_reader *r, uint64_t count) {
  if (!r->is_bad && (uint64_t) (r->end - r->at) < count) r->is_bad = true;
  return !r->is_bad;
}

static void get_bytes (bytes_reader *r, void *out, size_t count) {
  memset (out, 0, count);
  if (!has_unread (r, count)) return;
  memcpy (out, r->at, count);
  r->at += count;
}

uint32_t bytes_get_u32 (bytes_reader *r) {
  uint32_t x;
  get_bytes (r, &x, sizeof x);
  return x;
}

uint64_t bytes_get_u64 (bytes_reader *r) {
  uint64_t x;
  get_bytes (r, &x, sizeof x);
  return x;
}

uint32_t bytes_get_below (bytes_reader *r, uint32_t limit) {
  uint32_t x = bytes_get_u32 (r);
  if (x >= limit) r->is_bad = true;
  return r->is_bad ? 0 : x;
}

uint32_t bytes_get_count (bytes_reader *r, size_t each) {
  uint32_t count = bytes_get_u32 (r);
  return has_unread (r, (uint64_t) count * each) ? count : 0;
}

const char *bytes_get_text (bytes_reader *r) {
  uint32_t length = bytes_get_u32 (r);
  if (length == UINT32_MAX || !has_unread (r, length)) return NULL;
  char *text = arena_alloc (r->texts, (size_t) length + 1);
  get_bytes (r, text, length);
  text[length] = 0;
  return text;
}

const char *bytes_get_some_text (bytes_reader *r) {
  const char *text = bytes_get_text (r);
  if (!text) r->is_bad = true;
  return text ? text : "";
}

const void *bytes_get_list (bytes_reader *r, size_t each, uint32_t *count) {
  *count = bytes_get_count (r, each);
  const void *list = *count ? r->at : NULL;
  if (list) r->at += *count * each;
  return list;
}
