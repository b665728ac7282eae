// Functions that forget a lock on some of their paths (issue 4): the lock report names each of them, and where.
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t lock;
  int count;
  struct queue *next;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static struct queue *queues;
static int count, limit;

static void enter (void) { pthread_mutex_lock (&m); }
static void leave (void) { pthread_mutex_unlock (&m); }

static int
early_return (int x)
{
  pthread_mutex_lock (&m);
  if (count + x > limit)
    return -1;
  count += x;
  pthread_mutex_unlock (&m);
  return 0;
}

static void
early_return_of_nothing (int x)
{
  enter ();
  if (x > limit)
    return;
  count = x;
  leave ();
}

static int
goto_behind_the_unlock (int x)
{
  int result = 0;
  pthread_rwlock_wrlock (&rw);
  if (x > limit) {
    result = -1;
    goto out;
  }
  limit = x;
  pthread_rwlock_unlock (&rw);
out:
  return result;
}

static int
return_in_a_loop (int x)
{
  for (int i = 0; i < x; i++) {
    pthread_spin_lock (&spin);
    if (count == i)
      return i;
    pthread_spin_unlock (&spin);
  }
  return -1;
}

static int
take (struct queue *q)
{
  pthread_mutex_lock (&q->lock);
  if (!q->count)
    return 0;
  int n = q->count--;
  pthread_mutex_unlock (&q->lock);
  return n;
}

static int
take_first (void)
{
  struct queue *q = queues;
  pthread_mutex_lock (&q->lock);
  switch (q->count) {
  case 0:
    pthread_mutex_unlock (&q->lock);
    return 0;
  case 1:
    return 1;
  default:
    q->count--;
    pthread_mutex_unlock (&q->lock);
    return q->count;
  }
}

static int
one_of_three (int x)
{
  if (pthread_mutex_trylock (&m))
    return -1;
  if (x > limit)
    return -2;
  pthread_mutex_unlock (&m);
  return 0;
}

static int
sum (struct queue *q)
{
  if (!q)
    return 0;
  int below = sum (q->next);
  pthread_mutex_lock (&m);
  if (below > limit)
    return -1;
  below += q->count;
  pthread_mutex_unlock (&m);
  return below;
}

static void
take_and_forget (int x)
{
  if (x > limit)
    pthread_mutex_lock (&m);
}

// Not at fault: what it calls has forgotten the lock.
static void
caller (int x)
{
  if (x > 1)
    early_return (x);
}

static void *
worker (void *arg)
{
  int x = *(int *) arg;
  caller (x);
  early_return_of_nothing (x);
  goto_behind_the_unlock (x);
  return_in_a_loop (x);
  take (queues);
  take_first ();
  one_of_three (x);
  sum (queues);
  take_and_forget (x);
  return NULL;
}

int
main (void)
{
  pthread_t t[2];
  int x = 1;
  pthread_spin_init (&spin, 0);
  for (int i = 0; i < 2; i++) {
    struct queue *q = malloc (sizeof *q);
    pthread_mutex_init (&q->lock, NULL);
    q->count = i;
    q->next = queues;
    queues = q;
  }
  for (int i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, worker, &x);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  return 0;
}
