// The callee gives back one of two locks, perhaps the one its caller holds, and takes that one by its own name.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *locks[2] = {&a, &b};
int which, x;

static void swap (int i) {
  pthread_mutex_unlock (locks[i]);
  pthread_mutex_lock (&a);
  x++;
}
void *one (void *arg) {
  (void) arg;
  pthread_mutex_lock (&a);
  swap (which);
  pthread_mutex_unlock (&a);
  return 0;
}
void *two (void *arg) { (void) arg; pthread_mutex_lock (&b); x++; pthread_mutex_unlock (&b); return 0; }
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);

  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
