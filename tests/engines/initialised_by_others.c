// A lock in memory that was allocated, or lies on a stack, is initialised again while another thread may hold it.  What its words were before nobody
// knew in the engine order, which called this safe.
#include <pthread.h>
#include <stdlib.h>

#ifdef RWLOCK
typedef pthread_rwlock_t lock;
#define init(L) pthread_rwlock_init (L, 0)
#define unlock(L) pthread_rwlock_unlock (L)
#ifdef WRITE
#define take(L) pthread_rwlock_wrlock (L)
#else
#define take(L) pthread_rwlock_rdlock (L)
#endif
#elif defined SPIN
typedef pthread_spinlock_t lock;
#define init(L) pthread_spin_init (L, 0)
#define take(L) pthread_spin_lock (L)
#define unlock(L) pthread_spin_unlock (L)
#else
typedef pthread_mutex_t lock;
#define init(L) pthread_mutex_init (L, 0)
#define take(L) pthread_mutex_lock (L)
#define unlock(L) pthread_mutex_unlock (L)
#endif

void *use (void *l)
{
  take ((lock *) l);
  unlock ((lock *) l);
  return 0;
}

int main (void)
{
  pthread_t t;
#ifdef STACK
  lock l[3];
#else
  lock *l = malloc (3 * sizeof *l);
#endif
  init (&l[0]);
  init (&l[2]);
  pthread_create (&t, 0, use, &l[2]);
#ifdef OTHER
  init (&l[0]);
#elif defined AFTER
  pthread_join (t, 0);
  init (&l[2]);
  return 0;
#else
  init (&l[2]);
#endif
  pthread_join (t, 0);
  return 0;
}
