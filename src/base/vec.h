// Vector: a growing array of any type.  VEC (T) names the struct; all zero is empty.
//
//   VEC (int) v = {0};
//   vec_push (&v, 7);
//   for (uint32_t i = 0; i < v.count; i++) use (v.data[i]);
//   vec_release (&v);
#ifndef LOCKSTEP_VEC_H
#define LOCKSTEP_VEC_H

#include <string.h>

#include "base/memory.h"

#define VEC(T) struct { T *data; uint32_t count, capacity; }

#define vec_reserve(V, N) ((V)->data = mem_grow ((V)->data, sizeof *(V)->data, (N), &(V)->capacity))
#define vec_push(V, X)                                                  \
  do {                                                                  \
    if ((V)->count == (V)->capacity) vec_reserve ((V), (V)->count + 1); \
    (V)->data[(V)->count++] = (X);                                      \
  } while (0)
// Inserts N items at the front.
#define vec_prepend(V, ITEMS, N)                                        \
  do {                                                                  \
    uint32_t vec_n = (N), vec_old = (V)->count;                         \
    if (!vec_n) break;                                                  \
    if (vec_old + vec_n > (V)->capacity) vec_reserve ((V), vec_old + vec_n); \
    memmove ((V)->data + vec_n, (V)->data, sizeof *(V)->data * vec_old); \
    memcpy ((V)->data, (ITEMS), sizeof *(V)->data * vec_n);             \
    (V)->count += vec_n;                                                \
  } while (0)
#define vec_pop(V) ((V)->data[--(V)->count])
#define vec_last(V) ((V)->data[(V)->count - 1])
#define vec_clear(V) ((V)->count = 0)
#define vec_release(V)                                                  \
  do {                                                                  \
    mem_free ((V)->data, sizeof *(V)->data * (V)->capacity);            \
    (V)->data = NULL;                                                   \
    (V)->count = (V)->capacity = 0;                                     \
  } while (0)

#endif
