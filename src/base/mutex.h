// A mutex that only its holder can unlock: an unlock by another thread does nothing. So a thread that leaves its work
// by longjmp (base/memory.h) can unlock all mutexes without knowing which of them it holds.
#ifndef LOCKSTEP_MUTEX_H
#define LOCKSTEP_MUTEX_H

#include <pthread.h>

static inline void mutex_init (pthread_mutex_t *m) {
  pthread_mutexattr_t checked;
  pthread_mutexattr_init (&checked);
  pthread_mutexattr_settype (&checked, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init (m, &checked);
  pthread_mutexattr_destroy (&checked);
}

#endif
