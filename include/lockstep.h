// For programs checked by lockstep: assertions, assumptions, arbitrary values, atomic regions, ownership.
//
//   #include <lockstep.h>
//
//   int n = lockstep_nondet_int ();         // any value
//   lockstep_assume (n > 0);                // from here on only executions with n > 0 exist
//   lockstep_atomic_begin ();               // no other thread runs in between
//   total += n;
//   lockstep_atomic_end ();
//   lockstep_assert (total > 0);            // must hold in every execution
//
// A lock made by hand can be explained: from here on, whenever the integer `spin` has the value of `me`, the calling
// thread, and no other, uses `balance`.
//
//   int me = id + 1, none = 0;              // each thread has a value of its own
//   lockstep_owned_while (balance, spin, me);
//   while (!atomic_compare_exchange_strong (&spin, &none, me)) none = 0;
//   balance += 10;
//   spin = 0;
//
// It is checked in every execution, not believed.  A violation of property `assert` is: an access of `balance` while
// another thread owns it; two threads that own it at once; a thread that gives ownership to another one or takes it
// away by changing the other's cell.  VALUE is evaluated once, as a value of the cell's size (1 to 8 bytes).  Saying it
// again for the same object and cell replaces the value.  It ends with the thread, and with the objects it speaks of.
//
// `lockstep check` finds this header by itself and knows the functions by name.  To build and run the same file with
// gcc or clang, compile it with -DLOCKSTEP_NATIVE -pthread.  Then an assertion that fails aborts; an assumption that
// does not hold ends the process quietly with code 0; a nondet value comes from rand () (define LOCKSTEP_NONDET(BYTES)
// before the include for values of your own: it yields an unsigned long long); an atomic region is a section under one
// lock for the whole program, so it excludes other atomic regions, but not the rest of the program; what is said about
// ownership is left out.
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#ifndef LOCKSTEP_NATIVE

void lockstep_assert (int condition);        // property `assert`
void lockstep_assume (int condition);

void lockstep_atomic_begin (void);           // regions may nest
void lockstep_atomic_end (void);

void lockstep_own (void *address, __SIZE_TYPE__ bytes, void *cell, __SIZE_TYPE__ cell_bytes, unsigned long long value);
#define lockstep_owned_while(LVALUE, CELL, VALUE)                                                                    \
  lockstep_own ((void *) &(LVALUE), sizeof (LVALUE), (void *) &(CELL), sizeof (CELL), (unsigned long long) (VALUE))

_Bool lockstep_nondet_bool (void);
char lockstep_nondet_char (void);
signed char lockstep_nondet_schar (void);
unsigned char lockstep_nondet_uchar (void);
short lockstep_nondet_short (void);
unsigned short lockstep_nondet_ushort (void);
int lockstep_nondet_int (void);
unsigned int lockstep_nondet_uint (void);
long lockstep_nondet_long (void);
unsigned long lockstep_nondet_ulong (void);
long long lockstep_nondet_longlong (void);
unsigned long long lockstep_nondet_ulonglong (void);
__SIZE_TYPE__ lockstep_nondet_size (void);
float lockstep_nondet_float (void);
double lockstep_nondet_double (void);
void *lockstep_nondet_pointer (void);

#else

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef LOCKSTEP_NONDET
static inline unsigned long long lockstep_random (int bytes) {
  unsigned long long value = 0;
  while (bytes-- > 0) value = value << 8 | ((unsigned) rand () >> 4 & 0xff);
  return value;
}
#define LOCKSTEP_NONDET(BYTES) lockstep_random (BYTES)
#endif

#define lockstep_assert(CONDITION) ((CONDITION) ? (void) 0 : lockstep_failed (#CONDITION, __FILE__, __LINE__))

static inline void lockstep_failed (const char *text, const char *file, int line) {
  fprintf (stderr, "%s:%d: assertion failed: %s\n", file, line, text);
  abort ();
}

#define lockstep_owned_while(LVALUE, CELL, VALUE) ((void) 0)

static inline void lockstep_assume (int condition) {
  if (!condition) _Exit (0);
}

// One lock for all files of the program; the thread that has it may take it again.
__attribute__ ((weak)) pthread_mutex_t lockstep_region = PTHREAD_MUTEX_INITIALIZER;
__attribute__ ((weak)) __thread int lockstep_depth;

static inline void lockstep_atomic_begin (void) {
  if (lockstep_depth++ == 0) pthread_mutex_lock (&lockstep_region);
}

static inline void lockstep_atomic_end (void) {
  if (--lockstep_depth == 0) pthread_mutex_unlock (&lockstep_region);
}

static inline _Bool lockstep_nondet_bool (void) { return LOCKSTEP_NONDET (1) & 1; }
static inline char lockstep_nondet_char (void) { return (char) LOCKSTEP_NONDET (1); }
static inline signed char lockstep_nondet_schar (void) { return (signed char) LOCKSTEP_NONDET (1); }
static inline unsigned char lockstep_nondet_uchar (void) { return (unsigned char) LOCKSTEP_NONDET (1); }
static inline short lockstep_nondet_short (void) { return (short) LOCKSTEP_NONDET (2); }
static inline unsigned short lockstep_nondet_ushort (void) { return (unsigned short) LOCKSTEP_NONDET (2); }
static inline int lockstep_nondet_int (void) { return (int) LOCKSTEP_NONDET (4); }
static inline unsigned int lockstep_nondet_uint (void) { return (unsigned int) LOCKSTEP_NONDET (4); }
static inline long lockstep_nondet_long (void) { return (long) LOCKSTEP_NONDET (8); }
static inline unsigned long lockstep_nondet_ulong (void) { return (unsigned long) LOCKSTEP_NONDET (8); }
static inline long long lockstep_nondet_longlong (void) { return (long long) LOCKSTEP_NONDET (8); }
static inline unsigned long long lockstep_nondet_ulonglong (void) { return LOCKSTEP_NONDET (8); }
static inline __SIZE_TYPE__ lockstep_nondet_size (void) { return (__SIZE_TYPE__) LOCKSTEP_NONDET (8); }
static inline float lockstep_nondet_float (void) { return (float) (int) LOCKSTEP_NONDET (4); }
static inline double lockstep_nondet_double (void) { return (double) (long long) LOCKSTEP_NONDET (8); }
static inline void *lockstep_nondet_pointer (void) { return (void *) (__UINTPTR_TYPE__) LOCKSTEP_NONDET (8); }

#endif

#endif
