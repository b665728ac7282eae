// The counter has 8 bits: thread 256 gets the cell of thread 0.
#include <pthread.h>
int cell[256];
void *one (void *arg) { int *p = arg; (*p)++; return 0; }
int main (void) {
  pthread_t t;
  for (unsigned char i = 0;; i++) {
    pthread_create (&t, 0, one, &cell[i]);
    pthread_detach (t);
  }
}
