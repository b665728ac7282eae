// Numbers, texts and lists as bytes, for messages between processes of this program.  Numbers have the machine's byte
// order and size, since both ends are the same program.
//
//   strbuf b = {0};                                   bytes_reader r = bytes_read (arena, b.data, b.count);
//   bytes_put_u32 (&b, 7);                            uint32_t x = bytes_get_u32 (&r);
//   bytes_put_text (&b, "seven");                     const char *text = bytes_get_text (&r);
//   bytes_put_list (&b, v.data, v.count, sizeof *v.data);    BYTES_GET_VEC (&r, &v);
//                                                     if (!bytes_are_read (&r)) the bytes are damaged;
#ifndef LOCKSTEP_BYTES_H
#define LOCKSTEP_BYTES_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"

void bytes_put_u32 (strbuf *, uint32_t);
void bytes_put_u64 (strbuf *, uint64_t);
void bytes_put_text (strbuf *, const char *);       // NULL is a text of its own
void bytes_put_list (strbuf *, const void *data, uint32_t count, size_t each);

// The sender may have died in the middle of a message, or may send garbage: each function below checks that the bytes
// that it reads exist.  After the first value that is missing or out of range `is_bad` is set, and all later values are
// zero.
typedef struct bytes_reader { const char *at, *end; arena *texts; bool is_bad; } bytes_reader;

bytes_reader bytes_read (arena *texts /* NULL: there are none */, const char *data, size_t count);
bool bytes_are_read (const bytes_reader *);         // all of them, and none was missing
uint32_t bytes_get_u32 (bytes_reader *);
uint64_t bytes_get_u64 (bytes_reader *);
uint32_t bytes_get_below (bytes_reader *, uint32_t limit);   // a number less than `limit`
uint32_t bytes_get_count (bytes_reader *, size_t each);      // how many things follow, each of at least `each` bytes
const char *bytes_get_text (bytes_reader *);                 // or NULL
const char *bytes_get_some_text (bytes_reader *);            // NULL counts as missing; the result is never NULL
const void *bytes_get_list (bytes_reader *, size_t each, uint32_t *count);  // not aligned; NULL: none

// Appends the elements of a list to a vector of elements of the same size.
#define BYTES_GET_VEC(READER, VECTOR)                                                     \
  do {                                                                                    \
    uint32_t bytes_n;                                                                     \
    const void *bytes_list = bytes_get_list (READER, sizeof *(VECTOR)->data, &bytes_n);   \
    if (!bytes_n) break;                                                                  \
    vec_reserve (VECTOR, (VECTOR)->count + bytes_n);                                      \
    memcpy ((VECTOR)->data + (VECTOR)->count, bytes_list, bytes_n * sizeof *(VECTOR)->data); \
    (VECTOR)->count += bytes_n;                                                           \
  } while (0)

#endif
