// After pthread_exit in main the others go on: one that joins main gets past the join.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *outlive (void *arg) {
  pthread_join (main_thread, NULL);
  assert (!"reached after the end of main");
  return arg;
}

int main (void) {
  pthread_t t;
  main_thread = pthread_self ();
  pthread_create (&t, NULL, outlive, NULL);
  pthread_exit (NULL);
}
