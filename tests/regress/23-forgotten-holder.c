// Locks are filled with zeros while a thread holds them.  Whoever gives one back, or initialises it, then leaves no holder behind; the engine explicit
// went on to believe that the first thread holds it, and claimed "thread ends holding", which does not replay.
#include <pthread.h>
#include <string.h>

#ifdef SPIN
typedef pthread_spinlock_t lock_type;
#define LOCK(l) pthread_spin_lock (l)
#define UNLOCK(l) pthread_spin_unlock (l)
#define INIT(l) pthread_spin_init (l, 0)
#else
typedef pthread_mutex_t lock_type;
#define LOCK(l) pthread_mutex_lock (l)
#define UNLOCK(l) pthread_mutex_unlock (l)
#define INIT(l) pthread_mutex_init (l, 0)
#endif

lock_type m;

void *use (void *unused)
{
  LOCK (&m);
#ifdef OWN
  UNLOCK (&m);
#endif
  return unused;
}

int main (void)
{
  pthread_t t;
  INIT (&m);
  pthread_create (&t, 0, use, 0);
  memset ((void *) &m, 0, sizeof m);
#ifdef AGAIN
  INIT (&m);
#else
  LOCK (&m);
  UNLOCK (&m);
#endif
  pthread_join (t, 0);
  return 0;
}
