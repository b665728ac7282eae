// TXN (Flanagan, Qadeer 2003), section 2: a counter split into increments x under mx and decrements y under my; two
// threads, each calling a method of its choice CALLS times (the paper's threads do so for ever), values modulo K.  `count`
// is the paper's specification variable, updated atomically.
// As printed (-DDECR_RELEASES=mx), decr takes my but releases mx: mx is unlocked by who does not hold it, and my stays
// locked, so the next decr or read hangs.  With decr releasing my, the assertion in `read` holds in every interleaving.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin (void);
extern void __VERIFIER_atomic_end (void);
extern _Bool __VERIFIER_nondet_bool (void);

#define K 4u
#ifndef CALLS
#define CALLS 2
#endif
#ifndef DECR_RELEASES
#define DECR_RELEASES my
#endif

unsigned x, y, count;
pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER, my = PTHREAD_MUTEX_INITIALIZER;

static void count_by (unsigned step)
{
  __VERIFIER_atomic_begin ();
  count = (count + step) % K;
  __VERIFIER_atomic_end ();
}

static unsigned count_now (void)
{
  __VERIFIER_atomic_begin ();
  unsigned value = count;
  __VERIFIER_atomic_end ();
  return value;
}

static void incr (void)
{
  pthread_mutex_lock (&mx);
  unsigned tx = x;
  count_by (1);
  x = (tx + 1) % K;
  pthread_mutex_unlock (&mx);
}

static void decr (void)
{
  pthread_mutex_lock (&my);
  unsigned ty = y;
  count_by (K - 1);
  y = (ty + 1) % K;
  pthread_mutex_unlock (&DECR_RELEASES);
}

static void read (void)
{
  pthread_mutex_lock (&mx);
  unsigned tx = x;
  pthread_mutex_lock (&my);
  unsigned ty = y;
  assert (count_now () == (tx - ty) % K);
  pthread_mutex_unlock (&my);
  pthread_mutex_unlock (&mx);
}

void *thread (void *unused)
{
  (void) unused;
  for (int i = 0; i < CALLS; i++) {
    if (__VERIFIER_nondet_bool ()) incr ();
    else if (__VERIFIER_nondet_bool ()) decr ();
    else read ();
  }
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, thread, NULL);
  pthread_create (&two, NULL, thread, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
