// What lockstep_owned_while says ends with the objects it speaks of.  The owner frees what it owns, then the cell, and main
// gets memory again, perhaps with the same numbers.  FREE_OWNED, FREE_CELL: the other thread frees one of them while the
// owner may be inside.
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *cell, step;
static int *balance;

static void *owner (void *arg) {
  lockstep_owned_while (*balance, *cell, 1);
  *cell = 1;
  *balance = 5;
#if !defined FREE_OWNED && !defined FREE_CELL
  free (balance);
  free (cell);
#endif
  step = 1;
  while (step != 2) continue;
  return arg;
}

int main (void) {
  pthread_t t;
  cell = calloc (1, sizeof *cell);
  balance = calloc (1, sizeof *balance);
  pthread_create (&t, NULL, owner, NULL);
  while (step != 1) continue;
#ifdef FREE_OWNED
  free (balance);
#elif defined FREE_CELL
  free (cell);
#endif
  int *again = calloc (1, sizeof *again), *other = calloc (1, sizeof *other);
  *again = *other = 1;
  step = 2;
  pthread_join (t, NULL);
  return 0;
}
