// The worker is past `here`'s predecessor when the other one answers: local steps that a formula notices are steps of their own.
#include <pthread.h>

static _Atomic int asked, answered;

static void *other (void *arg) {
  while (!asked) {}
  answered = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  int rounds = 0;
  pthread_create (&t, 0, other, 0);
  asked = 1;
  do {
    rounds++;
  } while (rounds < 3);
here:
  pthread_join (t, 0);
  return rounds;
}
