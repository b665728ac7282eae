// The same with what is true: main's result is there for the thread that joins it.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int value;

static void *outlive (void *arg) {
  void *result;
  pthread_join (main_thread, &result);
  assert (result == &value && value == 5);
  return arg;
}

int main (void) {
  pthread_t t;
  main_thread = pthread_self ();
  pthread_create (&t, NULL, outlive, NULL);
  value = 5;
  pthread_exit (&value);
}
