// G. L. Peterson, Myths about the mutual exclusion problem, 1981.  Wrong: gives way before it shows its flag.
#include "exclusion.h"

atomic_int flag[2], turn;

static void enter (int me) {
#ifdef WRONG
  turn = 1 - me;
  flag[me] = 1;
#else
  flag[me] = 1;
  turn = 1 - me;
#endif
  while (flag[1 - me] && turn == 1 - me) continue;
}

static void leave (int me) { flag[me] = 0; }
