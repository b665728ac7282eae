// What lockstep cannot model is taken to change nothing: the threads created after it race all the same.
#include <pthread.h>
#include <signal.h>

static int x;

static void handle (int signal) { (void) signal; }

static void *work (void *arg) {
  x++;
  return NULL;
}

int main (void) {
  pthread_t a, b;
  signal (SIGINT, handle);
  pthread_create (&a, NULL, work, NULL);
  pthread_create (&b, NULL, work, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
