// One mutex of the struct is initialised as a normal one; the other is recursive and stays so.
#define _GNU_SOURCE
#include <pthread.h>
struct { pthread_mutex_t n, r; } g = {.r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
int x;
void *one (void *arg) { (void) arg; pthread_mutex_lock (&g.r); pthread_mutex_lock (&g.r); x++; pthread_mutex_unlock (&g.r); pthread_mutex_unlock (&g.r); return 0; }
void *two (void *arg) { (void) arg; x++; return 0; }
int main (void) {
  pthread_t t, u;
  pthread_mutex_init (&g.n, 0);
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
