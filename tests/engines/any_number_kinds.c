// Two kinds of threads without end, which call a procedure with a variable of their own and ask who they are.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char x, y;
static pthread_t who;

static void set (unsigned char *to, unsigned char value) { *to = value; }

static void *up (void *arg) {
  unsigned char mine;
  set (&mine, 1);
  pthread_mutex_lock (&lock);
  who = pthread_self ();
  x = mine;
  y = mine;
  assert (pthread_equal (who, pthread_self ()));
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *look (void *arg) {
  pthread_mutex_lock (&lock);
  assert (x == y);
  pthread_mutex_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t thread;
  for (;;) {
    pthread_create (&thread, NULL, up, NULL);
    pthread_create (&thread, NULL, look, NULL);
  }
}
