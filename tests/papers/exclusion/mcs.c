// The list-based queue lock: J. M. Mellor-Crummey and M. L. Scott, as for the ticket lock, figure 5.  Wrong: who leaves does not look whether somebody has come in between, who then waits for ever.
#include "exclusion.h"

typedef struct node {
  _Atomic (struct node *) next;
  atomic_bool waits;
} node;

node nodes[THREADS];
_Atomic (node *) last;

static void enter (int me) {
  node *mine = &nodes[me];
  mine->next = 0;
  node *before = atomic_exchange (&last, mine);
  if (!before) return;
  mine->waits = 1;
  before->next = mine;
  while (mine->waits) continue;
}

static void leave (int me) {
  node *mine = &nodes[me];
  if (!mine->next) {
#ifdef WRONG
    last = 0;
    return;
#else
    node *expected = mine;
    if (atomic_compare_exchange_strong (&last, &expected, 0)) return;
    while (!mine->next) continue;
#endif
  }
  node *next = mine->next;
  next->waits = 0;
}
