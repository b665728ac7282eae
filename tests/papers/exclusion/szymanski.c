// B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait, 1988.  Rooms: 0 outside, 1 before the door, 2 waits for the door to close, 3 in the
// door, 4 has closed it.  Wrong: enters without looking at those before it.
#include "exclusion.h"

atomic_int room[THREADS];

static void enter (int me) {
  int other = 1 - me;
  room[me] = 1;
  while (room[other] >= 3) continue;
  room[me] = 3;
  if (room[other] == 1) {
    room[me] = 2;
    while (room[other] != 4) continue;
  }
  room[me] = 4;
#ifndef WRONG
  if (me == 1)
    while (room[other] >= 2) continue;
#endif
}

static void leave (int me) {
  for (int last = 0; me == 0 && (last = room[1], last == 2 || last == 3);) continue;
  room[me] = 0;
}
