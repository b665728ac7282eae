// Main joins its threads one by one; what a thread was given is main's as soon as it has been joined, although the others still run.  Each WHICH breaks that, and there is a race:
// 1 a result is read before the join, 2 the result of the next one is, 3 a thread writes to the next one's, and that of the next but one is read, 4 threads are given the elements in another order, 5 an object is freed before its
// thread is joined, 6 that of another round is, 7 the object of a thread is another than the one with its handle, 8 the pointer is loaded from an array that was changed.
#include <pthread.h>
#include <stdlib.h>

#ifndef WHICH
#define WHICH 0
#endif
extern int __VERIFIER_nondet_int (void);

enum { MOST = 3 };
struct task {
  int input, result;
};
struct own {
  pthread_t handle;
  int data;
};

static struct task tasks[MOST + 2];
static pthread_t handles[MOST];

static void *work (void *arg) {
  struct task *t = arg;
  t[WHICH == 3].result = t->input;
  return NULL;
}

static void *work_on_own (void *arg) {
  struct own *o = arg;
  o->data = 1;
  return NULL;
}

static int with_elements (int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    tasks[i].input = i;
    pthread_create (&handles[i], NULL, work, &tasks[WHICH == 4 ? MOST - 1 - i : i]);
  }
  for (int i = 0; i < n; i++) {
    if (WHICH == 1) sum += tasks[i].result;
    pthread_join (handles[i], NULL);
    sum += tasks[WHICH == 2 ? i + 1 : WHICH == 3 ? i + 2 : i].result;
  }
  return sum;
}

static int with_objects (int n) {
  int sum = 0;
  struct own **a = malloc ((size_t) n * sizeof *a), **b = malloc ((size_t) n * sizeof *b);
  for (int i = 0; i < n; i++) {
    struct own *o = malloc (sizeof *o), *other = o;
    if (WHICH == 7) other = malloc (sizeof *o);
    a[i] = o;
    b[n - 1 - i] = other;
    pthread_create (&o->handle, NULL, work_on_own, other);
  }
  for (int i = 0; i < n; i++) {
    if (WHICH == 5) sum += a[i]->data;
    pthread_join (a[i]->handle, NULL);
    if (WHICH == 6) sum += a[n - 1 - i]->data;
    if (WHICH == 7) sum += b[i]->data;
    if (WHICH == 8 && i) a[i - 1] = a[n - 1];
    if (WHICH == 8) sum += a[i ? i - 1 : 0]->data;
    if (WHICH < 5) sum += a[i]->data;
    if (WHICH < 5) free (a[i]);
  }
  free (a);
  free (b);
  return sum;
}

int main (void) {
  int n = __VERIFIER_nondet_int ();
  if (n < 1 || n > MOST) return 0;
  return (WHICH < 5 ? with_elements (n) : 0) + (!WHICH || WHICH >= 5 ? with_objects (n) : 0);
}
