// Arena: memory of one life span, given back all at once.  Allocation never returns null: when memory or
// the budget is exhausted, the out-of-memory handler runs (see memory.h) and does not return.
#ifndef LOCKSTEP_ARENA_H
#define LOCKSTEP_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct arena arena;
typedef struct arena_mark { void *block; size_t used; } arena_mark;

arena *arena_new (void);
void arena_free (arena *);                       // and everything in it
void *arena_alloc (arena *, size_t bytes);       // 16-byte aligned, not zeroed
void *arena_zalloc (arena *, size_t bytes);      // zeroed
char *arena_strdup (arena *, const char *);
char *arena_printf (arena *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
arena_mark arena_get_mark (const arena *);       // scratch use: mark, allocate, reset
void arena_reset (arena *, arena_mark);
size_t arena_bytes (const arena *);              // held from the system

#endif
