// What does not change while a program runs is the same whenever it is asked for, by any thread.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int terminal;

static void *ask (void *unused) {
  terminal = isatty (0);
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, ask, 0);
  int mine = isatty (0);
  pthread_join (t, 0);
  assert (mine == terminal);
  assert (sysconf (_SC_NPROCESSORS_CONF) == sysconf (_SC_NPROCESSORS_CONF));
  return 0;
}
