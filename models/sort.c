// qsort as insertion sort (stable, like glibc's usual merge sort) and bsearch.
#include "intrinsics.h"

static void swap (char *a, char *b, size_t size) {
  char kept;
  for (size_t k = 0; k < size; k++) {
    __lockstep_copy1 (&kept, a + k);
    __lockstep_copy1 (a + k, b + k);
    __lockstep_copy1 (b + k, &kept);
  }
}

void qsort (void *base, size_t count, size_t size, int (*compare) (const void *, const void *)) {
  char *first = base;
  for (size_t i = 1; i < count; i++)
    for (char *p = first + i * size; p > first && compare (p - size, p) > 0; p -= size) swap (p - size, p, size);
}

void *bsearch (const void *key, const void *base, size_t count, size_t size,
               int (*compare) (const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const void *here = (const char *) base + middle * size;
    int order = compare (key, here);
    if (order == 0) return (void *) here;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}
