// Functions that return with a lock on some paths, or seem to, and are meant to: none of them is reported (issue 4).
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t lock;
  int count;
  struct queue *next;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, fatal = PTHREAD_MUTEX_INITIALIZER, tried = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER, e = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct queue *queues;
static int count, limit, threaded;

static int
balanced (int x)
{
  pthread_mutex_lock (&m);
  if (count + x > limit) {
    pthread_mutex_unlock (&m);
    return -1;
  }
  count += x;
  pthread_mutex_unlock (&m);
  return 0;
}

static void enter (void) { pthread_mutex_lock (&m); }
static void leave (void) { pthread_mutex_unlock (&m); }

// Always held, for reading or writing.
static void
enter_either (int writes)
{
  if (writes)
    pthread_rwlock_wrlock (&rw);
  else
    pthread_rwlock_rdlock (&rw);
}

static int try_enter (void) { return pthread_mutex_trylock (&m) == 0; }

// Nobody gives it back, but the result tells.
static int
try_for_good (void)
{
  if (pthread_mutex_trylock (&tried))
    return -1;
  return 0;
}

// 0 with the lock, -1 without.
static int
enter_if_room (void)
{
  pthread_mutex_lock (&m);
  if (count >= limit) {
    pthread_mutex_unlock (&m);
    return -1;
  }
  return 0;
}

static struct queue *
find_and_lock (int n)
{
  for (struct queue *q = queues; q; q = q->next) {
    pthread_mutex_lock (&q->lock);
    if (q->count == n)
      return q;
    pthread_mutex_unlock (&q->lock);
  }
  return NULL;
}

static void
same_condition (int x)
{
  if (x > 2)
    pthread_mutex_lock (&m);
  count++;
  if (x > 2)
    pthread_mutex_unlock (&m);
}

// The condition may change, but is not meant to.
static void
same_variable (void)
{
  if (threaded)
    pthread_mutex_lock (&c);
  count++;
  if (threaded)
    pthread_mutex_unlock (&c);
}

static void
own_flag (int x)
{
  int locked = 0;
  if (x > limit) {
    pthread_mutex_lock (&m);
    locked = 1;
  }
  count++;
  if (locked)
    pthread_mutex_unlock (&m);
}

static void
enter_if_threaded (void)
{
  if (threaded)
    pthread_mutex_lock (&d);
}

static void
leave_if_threaded (void)
{
  if (threaded)
    pthread_mutex_unlock (&d);
}

static int
between (int x)
{
  enter_if_threaded ();
  if (x > limit) {
    leave_if_threaded ();
    return -1;
  }
  count++;
  leave_if_threaded ();
  return 0;
}

static void
keeps_if_told (int keep)
{
  pthread_mutex_lock (&e);
  count++;
  if (!keep)
    pthread_mutex_unlock (&e);
}

static void
tells_by_pointer (int x, int *locked)
{
  pthread_mutex_lock (&m);
  *locked = x > limit;
  if (!*locked)
    pthread_mutex_unlock (&m);
}

// The process does not survive it.
static int
fails_for_good (int x)
{
  pthread_mutex_lock (&fatal);
  if (x > limit)
    return -1;
  pthread_mutex_unlock (&fatal);
  return 0;
}

// Called with the lock.
static int
lets_others_in (void)
{
  if (!count)
    return -1;
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  return 0;
}

static int
wait_for_some (void)
{
  pthread_mutex_lock (&m);
  while (!count) {
    if (!limit) {
      pthread_mutex_unlock (&m);
      return 0;
    }
    pthread_cond_wait (&filled, &m);
  }
  return count;
}

static int
sum (struct queue *q)
{
  if (!q)
    return 0;
  pthread_mutex_lock (&q->lock);
  int all = q->count + sum (q->next);
  pthread_mutex_unlock (&q->lock);
  return all;
}

static void
try_and_wait (int x)
{
  int locked;
  if (try_enter ())
    leave ();
  if (enter_if_room () == 0)
    leave ();
  struct queue *q = find_and_lock (x);
  if (q)
    pthread_mutex_unlock (&q->lock);
  tells_by_pointer (x, &locked);
  if (locked)
    leave ();
  if (wait_for_some ())
    leave ();
}

static void *
worker (void *arg)
{
  int x = *(int *) arg;
  balanced (x);
  enter ();
  lets_others_in ();
  leave ();
  enter_either (x);
  pthread_rwlock_unlock (&rw);
  try_and_wait (x);
  same_condition (x);
  same_variable ();
  own_flag (x);
  between (x);
  keeps_if_told (0);
  keeps_if_told (1);
  pthread_mutex_unlock (&e);
  if (fails_for_good (x) < 0)
    exit (1);
  sum (queues);
  if (try_for_good () == 0)
    threaded = x;
  return NULL;
}

int
main (void)
{
  pthread_t t[2];
  int x = 1;
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
