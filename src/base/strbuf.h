// String buffer: text that grows.  Always terminated; all zero is the empty string (data may be NULL until written).
#ifndef LOCKSTEP_STRBUF_H
#define LOCKSTEP_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

typedef struct strbuf { char *data; uint32_t count, capacity; } strbuf;

void strbuf_add (strbuf *, const char *text);
void strbuf_add_bytes (strbuf *, const char *bytes, size_t count);
void strbuf_add_char (strbuf *, char);
void strbuf_printf (strbuf *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
void strbuf_vprintf (strbuf *, const char *format, va_list);
bool strbuf_add_file (strbuf *, const char *path);   // all of its bytes; false: errno says why
const char *strbuf_text (strbuf *);              // never NULL; valid until the next change
void strbuf_clear (strbuf *);
void strbuf_release (strbuf *);

#endif
