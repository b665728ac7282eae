// The ticket lock: J. M. Mellor-Crummey and M. L. Scott, Algorithms for scalable synchronization on shared-memory multiprocessors, 1991, figure 2.  Tickets are counted modulo 4.
// Wrong: the ticket is not taken in one step.
#include "exclusion.h"

atomic_uchar next_ticket, now_serving;

static void enter (int me) {
  (void) me;
#ifdef WRONG
  unsigned char mine = next_ticket;
  next_ticket = mine + 1;
#else
  unsigned char mine = next_ticket++;
#endif
  while ((now_serving ^ mine) & 3) continue;
}

static void leave (int me) {
  (void) me;
  now_serving++;
}
