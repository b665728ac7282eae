// C++'s operators new and delete, for the solvers that are written in C++. The standard operator new throws an
// exception when memory is exhausted; no solver catches it, so the process dies. This one ends the run as unknown, as
// every failing allocation does (base/memory.h). The memory that the solver held by then is lost.
//
// The names are those of `operator new` and `operator delete` in the Itanium C++ ABI; a program may replace them.
#include "solver/cxx_new.h"

#include <stdlib.h>

#include "base/memory.h"

void *cxx_new (size_t bytes) __asm__("_Znwm");
void *cxx_new_array (size_t bytes) __asm__("_Znam");
void *cxx_new_or_null (size_t bytes, const void *nothrow) __asm__("_ZnwmRKSt9nothrow_t");
void *cxx_new_array_or_null (size_t bytes, const void *nothrow) __asm__("_ZnamRKSt9nothrow_t");
void cxx_delete (void *) __asm__("_ZdlPv");
void cxx_delete_array (void *) __asm__("_ZdaPv");
void cxx_delete_sized (void *, size_t bytes) __asm__("_ZdlPvm");
void cxx_delete_array_sized (void *, size_t bytes) __asm__("_ZdaPvm");

void *cxx_new (size_t bytes) {
  void *p = malloc (bytes ? bytes : 1);
  if (!p) mem_exhausted ();
  return p;
}

void *cxx_new_array (size_t bytes) { return cxx_new (bytes); }
// The nothrow form: its callers accept NULL.
void *cxx_new_or_null (size_t bytes, const void *nothrow) {
  (void) nothrow;
  return malloc (bytes ? bytes : 1);
}

void *cxx_new_array_or_null (size_t bytes, const void *nothrow) { return cxx_new_or_null (bytes, nothrow); }
void cxx_delete (void *p) { free (p); }
void cxx_delete_array (void *p) { free (p); }
void cxx_delete_sized (void *p, size_t bytes) {
  (void) bytes;
  free (p);
}
void cxx_delete_array_sized (void *p, size_t bytes) {
  (void) bytes;
  free (p);
}

void cxx_new_replace (void) {}
