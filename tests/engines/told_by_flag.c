// Main writes data and then tells others by a flag; a thread that main creates once tells main by another one.  Each WHICH breaks that, and there is a race: 1 the data is
// written once more later, 2 in a circle, 3 another thread sets the flag, 4 through a pointer, 5 the flag is set from the beginning, 6 it is not waited for, 7 the condition
// holds from the beginning, 8 another flag is looked at, 9 there are two threads that tell main, 10 the flag is set before the data is written.
#include <pthread.h>
#include <stdatomic.h>

#ifndef WHICH
#define WHICH 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Bool ready = WHICH == 5;
static int wrong;
static atomic_int done;
static int data, result;

static void *read_data (void *flag) {
#if WHICH == 3
  pthread_mutex_lock (&m);
  ready = 1;
  pthread_mutex_unlock (&m);
#elif WHICH == 4
  pthread_mutex_lock (&m);
  *(_Bool *) flag = 1;
  pthread_mutex_unlock (&m);
#endif
  pthread_mutex_lock (&m);
#if WHICH == 6
  if (!ready) pthread_cond_signal (&changed);
#elif WHICH == 7
  while (ready > 1) pthread_cond_wait (&changed, &m);
#elif WHICH == 8
  while (wrong) pthread_cond_wait (&changed, &m);
#else
  while (!ready) pthread_cond_wait (&changed, &m);
#endif
  pthread_mutex_unlock (&m);
  return data ? flag : NULL;
}

static void *compute (void *unused) {
#if WHICH == 10
  done = 2;
#endif
  result = 1;
  done = 2;
  return unused;
}

static void tell (void) {
  pthread_mutex_lock (&m);
  ready = 1;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&m);
}

int main (void) {
  pthread_t thread;
  for (int i = 0; i < 2; i++) pthread_create (&thread, NULL, read_data, &ready);
#if WHICH == 2
  for (int i = 0; i < 2; i++) {
    data = 1;
    tell ();
  }
#else
  data = 1;
  tell ();
#endif
#if WHICH == 1
  data = 2;
#endif
  pthread_create (&thread, NULL, compute, NULL);
#if WHICH == 9
  pthread_create (&thread, NULL, compute, NULL);
#endif
  while (done < 2) {}
  return result;
}
