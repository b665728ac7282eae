// An array of data and one of locks: each element is protected by the lock of its index, in one object with other members or in two.  Each WHICH breaks that, and there is a race:
// 1 the index changes while the lock is held, 2 the datum has another index, 3 the next one, 4 another array of locks is used by one thread,
// 5 a lock is given back by who does not hold it, 6 a pointer goes back by as much as another member is long, 7 an element is accessed by a fixed index without its lock,
// 8 the index is cut off for one of them, 9 what is accessed is wider than an element.
#include <pthread.h>

#ifndef WHICH
#define WHICH 0
#endif
extern int __VERIFIER_nondet_int (void);

enum { N = 4 };
struct element {
  int before, count;
};
static struct {
  int pair[2], total[N], last;
  pthread_mutex_t locks[N], others[N];
  struct element elements[N];
} c;
static int apart[N];
struct __attribute__ ((packed)) wide {
  long value;
};

static int any_index (void) {
  int j = __VERIFIER_nondet_int ();
  while (j < 0 || j >= N) j = 0;
  return j;
}

static void *count (void *which) {
  int j = any_index (), k = j;
  pthread_mutex_t *lock = &c.locks[j];
#if WHICH == 4
  if (which) {
    pthread_mutex_lock (&c.others[j]);
    c.total[j]++;
    pthread_mutex_unlock (&c.others[j]);
    return which;
  }
#elif WHICH == 5
  if (which) pthread_mutex_unlock (lock);
#endif
  pthread_mutex_lock (lock);
#if WHICH == 1
  if (__VERIFIER_nondet_int ()) j = N - 1 - j;
#elif WHICH == 2
  k = any_index ();
#elif WHICH == 3
  if (which && k + 1 < N) c.total[k + 1]++;
#elif WHICH == 8
  k = (unsigned char) (k * 64) / 64;
  if (which) k = (unsigned char) (k * 128) / 128;
#endif
  c.total[WHICH == 1 ? j : k]++;
#if WHICH == 9
  if (k + 1 < N) ((struct wide *) &apart[k])->value++;
#else
  apart[WHICH == 1 ? j : k]++;
#endif
  c.elements[WHICH == 1 ? j : k].count++;
  pthread_mutex_unlock (lock);
#if WHICH == 6
  int *p = &c.total[j];
  if (which) p[-2]++;
  else if (j < 2) c.pair[j]++;
#elif WHICH == 7
  if (which) c.total[3]++;
#endif
  return which;
}

int main (void) {
  pthread_t one, two;
  for (int i = 0; i < N; i++) {
    pthread_mutex_init (&c.locks[i], NULL);
    pthread_mutex_init (&c.others[i], NULL);
  }
  pthread_create (&one, NULL, count, NULL);
  pthread_create (&two, NULL, count, &two);
  c.last = 1;
  return 0;
}
