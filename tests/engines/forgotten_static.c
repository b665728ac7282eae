// A static object whose bytes become undefined holds any value, and then the one that was seen first.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_nondet_memory (void *, unsigned long);
static struct {
  int first, second;
#ifdef LARGE
  int more[100];
#endif
} pair;

static void *look (void *unused) {
  int once = pair.first, again = pair.first;
  assert (once == again);
#ifdef NEVER_1000
  assert (once != 1000);
#endif
#ifdef SECOND
  assert (pair.second == 3);
#endif
  return unused;
}

int main (void) {
  pthread_t thread;
  __VERIFIER_nondet_memory (&pair, sizeof pair);
#ifdef SECOND
  pair.second = 3;
#endif
  pthread_create (&thread, NULL, look, NULL);
  pthread_join (thread, NULL);
  return 0;
}
