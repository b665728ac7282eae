// Threads whose handles lie in objects of their own, to which an array points: after the second loop all have been joined.  Each WHICH breaks that, and main reads
// beside one that runs: 1 a handle is overwritten by that of a thread which is joined already, 2 an element points to another object than its thread's handle is in, 3 to one that was made
// later, 4 another handle of the object is joined, 5 the last one is left out, 6 two elements are made the same, 7 the address is not always stored, 8 another
// thread changes an element, 9 one object is used for all.
#include <pthread.h>
#include <stdlib.h>

#ifndef WHICH
#define WHICH 0
#endif
extern int __VERIFIER_nondet_int (void);

struct thread {
  int number;
  pthread_t other, handle;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;
static struct thread **threads, *spare;

static void *run (void *arg) {
  struct thread *t = arg;
  t->number++;
  pthread_mutex_lock (&m);
  data++;
  pthread_mutex_unlock (&m);
#if WHICH == 8
  threads[0] = spare;
#endif
  return NULL;
}

static void *idle (void *arg) { return arg; }

int main (void) {
  int n = __VERIFIER_nondet_int ();
  if (n < 1 || n > 2) return 0;
  struct thread **a = malloc ((size_t) n * sizeof *a);
  pthread_t done;
  pthread_create (&done, NULL, idle, NULL);
  pthread_join (done, NULL);
  spare = malloc (sizeof *spare);
  spare->handle = done;
  spare->other = done;
  threads = a;
#if WHICH == 9
  struct thread *t = malloc (sizeof *t);
#endif
  for (int i = 0; i < n; i++) {
#if WHICH != 9
    struct thread *t = malloc (sizeof *t);
#endif
    t->number = i;
    t->other = done;
#if WHICH == 7
    a[i] = spare;
    if (__VERIFIER_nondet_int ()) a[i] = t;
#else
    a[i] = WHICH == 2 ? spare : t;
#endif
    pthread_create (&t->handle, NULL, run, t);
#if WHICH == 1
    t->handle = done;
#elif WHICH == 3
    t = malloc (sizeof *t);
    t->handle = done;
    a[i] = t;
#endif
  }
#if WHICH == 6
  if (n == 2) a[1] = a[0];
#endif
  int last = WHICH == 5 ? n - 1 : n;
  for (int i = 0; i < last; i++) pthread_join (WHICH == 4 ? a[i]->other : a[i]->handle, NULL);
  free (a);
  return data;
}
