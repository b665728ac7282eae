// Any of 400 routines may be that of the thread: more than the machine follows a pointer to.
#include <assert.h>
#include <pthread.h>

#define TEN(f, n) f (n##0) f (n##1) f (n##2) f (n##3) f (n##4) f (n##5) f (n##6) f (n##7) f (n##8) f (n##9)
#define HUNDRED(f, n) \
  TEN (f, n##0) TEN (f, n##1) TEN (f, n##2) TEN (f, n##3) TEN (f, n##4) \
  TEN (f, n##5) TEN (f, n##6) TEN (f, n##7) TEN (f, n##8) TEN (f, n##9)
#define ALL(f) HUNDRED (f, 1) HUNDRED (f, 2) HUNDRED (f, 3) HUNDRED (f, 4)
#define ROUTINE(n) \
  static void *routine_##n (void *arg) { \
    x = n; \
    assert (x != 300); \
    return arg; \
  }
#define NAME(n) routine_##n,

extern unsigned __VERIFIER_nondet_uint (void);
static int x;
ALL (ROUTINE)
static void *(*const routines[]) (void *) = {ALL (NAME)};

int main (void) {
  pthread_t thread;
  unsigned k = __VERIFIER_nondet_uint ();
  if (k >= 400) return 0;
  pthread_create (&thread, NULL, routines[k], NULL);
  pthread_join (thread, NULL);
}
