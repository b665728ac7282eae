// L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974.  Tickets are at most MOST: executions that need more are left out.  Wrong: does not say that it is choosing.
#include "exclusion.h"

#ifndef MOST
#define MOST 3
#endif

void __VERIFIER_assume (int);
atomic_int choosing[THREADS];
atomic_uchar ticket[THREADS];

static void take_ticket (int me) {
  int largest = 0;
  for (int k = 0; k < THREADS; k++) {
    int other = ticket[k];
    if (other > largest) largest = other;
  }
  __VERIFIER_assume (largest < MOST);
  ticket[me] = largest + 1;
}

static void enter (int me) {
#ifdef WRONG
  take_ticket (me);
#else
  choosing[me] = 1;
  take_ticket (me);
  choosing[me] = 0;
#endif
  for (int k = 0; k < THREADS; k++) {
    while (choosing[k]) continue;
    for (;;) {
      int other = ticket[k], mine = ticket[me];
      if (!other || other > mine || (other == mine && k >= me)) break;
    }
  }
}

static void leave (int me) { ticket[me] = 0; }
