// Arena of chained blocks, each twice the last up to 1 MB; a request larger than that gets a block of its own.
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

typedef struct block {
  struct block *previous;
  size_t size, used;  // of data
  _Alignas(16) char data[];
} block;

struct arena {
  block *top;
  size_t bytes;
};

enum { FIRST_BLOCK = 4096, FULL_BLOCK = 1 << 20 };

arena *arena_new (void) { return mem_zalloc (sizeof (arena)); }

static void drop_top (arena *a) {
  block *b = a->top;
  a->top = b->previous;
  a->bytes -= sizeof *b + b->size;
  mem_free (b, sizeof *b + b->size);
}

void arena_free (arena *a) {
  if (!a) return;
  while (a->top) drop_top (a);
  mem_free (a, sizeof *a);
}

static void add_arena_block (arena *a, size_t at_least) {
  size_t size = a->top ? a->top->size * 2 : FIRST_BLOCK;
  if (size > FULL_BLOCK) size = FULL_BLOCK;
  if (size < at_least) size = at_least;
  block *b = mem_alloc (sizeof *b + size);
  *b = (block){.previous = a->top, .size = size};
  a->top = b;
  a->bytes += sizeof *b + size;
}

void *arena_alloc (arena *a, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t) 15;
  if (!a->top || a->top->size - a->top->used < bytes) add_arena_block (a, bytes);
  void *result = a->top->data + a->top->used;
  a->top->used += bytes;
  return result;
}

void *arena_zalloc (arena *a, size_t bytes) { return memset (arena_alloc (a, bytes), 0, bytes); }

char *arena_strdup (arena *a, const char *text) {
  size_t bytes = strlen (text) + 1;
  return memcpy (arena_alloc (a, bytes), text, bytes);
}

char *arena_printf (arena *a, const char *format, ...) {
  va_list list, again;
  va_start (list, format);
  va_copy (again, list);
  int length = vsnprintf (NULL, 0, format, list);
  char *text = arena_alloc (a, (size_t) length + 1);
  vsnprintf (text, (size_t) length + 1, format, again);
  va_end (again);
  va_end (list);
  return text;
}

arena_mark arena_get_mark (const arena *a) { return (arena_mark){a->top, a->top ? a->top->used : 0}; }

void arena_reset (arena *a, arena_mark mark) {
  while (a->top != mark.block) drop_top (a);
  if (a->top) a->top->used = mark.used;
}

size_t arena_bytes (const arena *a) { return a->bytes; }
