// What formulas can speak of: places and labels, parts of variables, signs, locks and who holds them, threads that end, atomic regions.
#include <lockstep.h>
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static struct {
  signed char small;
  unsigned list[3];
} s;
static int a, b;

static void *worker (void *arg) {
  static int calls;
  calls = 1;
  pthread_mutex_lock (&m[1]);
  s.small = -1;
held:
  s.list[2] = 4294967295u;
  pthread_mutex_unlock (&m[1]);
  pthread_rwlock_rdlock (&rw);
  calls = 2;
  pthread_rwlock_unlock (&rw);
  lockstep_atomic_begin ();
  a++;
  b++;
  lockstep_atomic_end ();
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  pthread_join (t, 0);
  return 0;
}
