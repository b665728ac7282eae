// `was` is computed from the old `flag` and carried over to the next round after `flag` has got its new value.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *one (void *arg) {
  (void) arg;
  int prev = 0, flag = 0;
  for (int i = 0; i < 3; i++) {
    if (!prev) pthread_mutex_lock (&a);
    x++;
    if (!prev) pthread_mutex_unlock (&a);
    if (flag) y = 1;
    int was = flag == 0;
    flag = 1;
    prev = was;
  }
  return 0;
}
void *two (void *arg) {
  (void) arg;
  pthread_mutex_lock (&a);
  x++;
  pthread_mutex_unlock (&a);
  return 0;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
