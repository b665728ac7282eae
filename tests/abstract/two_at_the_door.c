// Peterson's algorithm, again and again.  -DWRONG: a thread does not say whose turn it is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants_0, wants_1, turn;
static int inside;

static void visit (void) {
  inside++;
  assert (inside == 1);
  inside--;
}

static void *first (void *unused) {
  for (;;) {
    wants_0 = 1;
#ifndef WRONG
    turn = 1;
#endif
    while (wants_1 && turn == 1) continue;
    visit ();
    wants_0 = 0;
  }
  return unused;
}

int main (void) {
  pthread_t a;
  pthread_create (&a, NULL, first, NULL);
  for (;;) {
    wants_1 = 1;
    turn = 0;
    while (wants_0 && turn == 0) continue;
    visit ();
    wants_1 = 0;
  }
}
