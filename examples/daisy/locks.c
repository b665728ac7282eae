// The lock table.  A lock is a flag that changes under one mutex, the token; a thread that finds the flag set waits
// at the lock's condition variable.  With DAISY_PLAIN_LOCKS a lock is a mutex, which analyses of locks understand.
//
// Locks come into being when a number is first asked for: the table then grows, under its own mutex.
// Bug 3: whether it has to grow is tested outside that mutex, and the count of locks runs ahead of their
// initialisation.  A thread may take a lock that is about to be initialised, and then is free again.  FIX_LOCK_TABLE
// tests inside only.
#include "locks.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define ROUND_UP(n, step) (((n) + (step) -1) / (step) * (step))

typedef struct daisy_lock daisy_lock;

#ifdef DAISY_PLAIN_LOCKS

struct daisy_lock {
  pthread_mutex_t mutex;
};

static void init (daisy_lock *lock) { pthread_mutex_init (&lock->mutex, NULL); }

static void acquire (daisy_lock *lock) { pthread_mutex_lock (&lock->mutex); }

static void release (daisy_lock *lock) { pthread_mutex_unlock (&lock->mutex); }

#else

struct daisy_lock {
  bool held;
  pthread_cond_t released;
};

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;

static void init (daisy_lock *lock) {
  lock->held = false;
  pthread_cond_init (&lock->released, NULL);
}

static void acquire (daisy_lock *lock) {
  pthread_mutex_lock (&token);
  while (lock->held) pthread_cond_wait (&lock->released, &token);
  lock->held = true;
  pthread_mutex_unlock (&token);
}

static void release (daisy_lock *lock) {
  pthread_mutex_lock (&token);
  assert (lock->held);
  lock->held = false;
  pthread_cond_signal (&lock->released);
  pthread_mutex_unlock (&token);
}

#endif

static daisy_lock table[ROUND_UP (NUM_LOCKS, DAISY_LOCK_GROWTH)];
static int num_locks;  // so many of the table are initialised
static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;

static void grow_to (int number) {
  while (number >= num_locks)
    for (int i = 0; i < DAISY_LOCK_GROWTH; i++) init (&table[num_locks++]);
}

static void ensure_exists (int number) {
#ifndef FIX_LOCK_TABLE
  if (number < num_locks) return;
#endif
  pthread_mutex_lock (&table_mutex);
  grow_to (number);
  pthread_mutex_unlock (&table_mutex);
}

void lock_acquire (int number) {
  ensure_exists (number);
  acquire (&table[number]);
}

void lock_release (int number) { release (&table[number]); }
