// T. J. Dekker, in: E. W. Dijkstra, Cooperating sequential processes, 1965.  Wrong: shows its flag after it has looked at the other one.
#include "exclusion.h"

atomic_int flag[2], turn;

static void enter (int me) {
  int other = 1 - me;
#ifdef WRONG
  while (flag[other] && turn == other) continue;
  flag[me] = 1;
#else
  flag[me] = 1;
  while (flag[other])
    if (turn == other) {
      flag[me] = 0;
      while (turn == other) continue;
      flag[me] = 1;
    }
#endif
}

static void leave (int me) {
  turn = 1 - me;
  flag[me] = 0;
}
