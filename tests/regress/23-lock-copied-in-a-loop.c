// A lock is copied by a loop of the program's own.  The engine `locks` took every write at an unknown offset for one into an array beside
// the lock, and proved that there is no deadlock and no misuse; `auto` believed the former.
#include <pthread.h>
#include <stdlib.h>

struct both {
  pthread_mutex_t lock;
  int values[4];
};
union words {
  pthread_mutex_t lock;
  long word[sizeof (pthread_mutex_t) / sizeof (long)];
};

struct both here = {PTHREAD_MUTEX_INITIALIZER, {0}}, there = {PTHREAD_MUTEX_INITIALIZER, {0}};
union words from = {PTHREAD_MUTEX_INITIALIZER}, to;

static void copy (char *out, const char *in, size_t count) {
  while (count--) *out++ = *in++;
}

static void fill (int *out, int count) {
  for (int i = 0; i < count; i++) out[i] = i;
}

int main (void) {
  pthread_mutex_t *first = &here.lock, *second = &there.lock;
#if defined WORDS
  first = &from.lock, second = &to.lock;
#elif defined HEAP
  second = malloc (sizeof *second);
#endif
#if defined DESTROYED
  pthread_mutex_destroy (first);
#else
  pthread_mutex_lock (first);
#endif
#if defined WORDS
  for (unsigned i = 0; i < sizeof to / sizeof (long); i++) to.word[i] = from.word[i];
#elif defined BESIDE
  fill (there.values, 4);
#else
  copy ((char *) second, (const char *) first, sizeof *first);
#endif
  pthread_mutex_lock (second);
  pthread_mutex_unlock (second);
#ifdef BESIDE
  pthread_mutex_unlock (first);
#endif
}
