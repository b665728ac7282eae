// pthread_join hands over what the thread returned, and what it gave to pthread_exit.
#include <assert.h>
#include <pthread.h>

static void *by_return (void *arg) { return (char *) arg + 1; }

static void *by_exit (void *arg) {
  pthread_exit ((char *) arg + 2);
  return NULL;
}

int main (void) {
  char cells[3];
  pthread_t t, u;
  void *first, *second;
  pthread_create (&t, NULL, by_return, cells);
  pthread_create (&u, NULL, by_exit, cells);
  pthread_join (t, &first);
  pthread_join (u, &second);
  assert (first == cells + 1 && second == cells + 2);
  return 0;
}
