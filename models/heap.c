// The malloc family.  Objects start at offset 0 of a fresh object number, so every alignment holds.
#include "intrinsics.h"

void *malloc (size_t size) { return __lockstep_malloc (size); }
void free (void *object) { __lockstep_free (object); }
void cfree (void *object) { __lockstep_free (object); }

static void *out_of_memory (void) {
  __lockstep_fail (ENOMEM);
  return NULL;
}

void *calloc (size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes)) return out_of_memory ();
  return __lockstep_calloc_bytes (bytes);
}

// Always moves: a program that relies on the old address is wrong.
void *realloc (void *object, size_t size) {
  if (!object) return __lockstep_malloc (size);
  if (size == 0) {
    __lockstep_free (object);
    return NULL;
  }
  size_t old = __lockstep_object_size (object);
  void *fresh = __lockstep_malloc (size);
  if (!fresh) return NULL;
  __lockstep_copy_bytes (fresh, object, old < size ? old : size);
  __lockstep_free (object);
  return fresh;
}

void *reallocarray (void *object, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes)) return out_of_memory ();
  return realloc (object, bytes);
}

void *aligned_alloc (size_t alignment, size_t size) {
  (void) alignment;
  return __lockstep_malloc (size);
}

void *memalign (size_t alignment, size_t size) {
  (void) alignment;
  return __lockstep_malloc (size);
}

void *valloc (size_t size) { return __lockstep_malloc (size); }

int posix_memalign (void **out, size_t alignment, size_t size) {
  if (alignment % sizeof (void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *object = __lockstep_malloc (size);
  if (!object) return ENOMEM;
  *out = object;
  return 0;
}
