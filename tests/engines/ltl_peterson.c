// Peterson's algorithm for two threads.  Nobody starves if the scheduler forgets nobody; SWAPPED: both may be inside at once.
#include <pthread.h>

static _Atomic int flag[2], turn, inside[2];

static void enter (int self) {
#ifdef SWAPPED
  turn = 1 - self;
  flag[self] = 1;
#else
  flag[self] = 1;
  turn = 1 - self;
#endif
  while (flag[1 - self] && turn == 1 - self) {}
}

static void *worker (void *arg) {
  int self = arg != 0;
  for (;;) {
    enter (self);
    inside[self] = 1;
    inside[self] = 0;
    flag[self] = 0;
  }
  return 0;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, worker, (void *) 1);
  worker (0);
  return 0;
}
