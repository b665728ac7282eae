// POSIX semaphores, unnamed and named.  They report errors as -1 with errno.
#include "intrinsics.h"

// ---- unnamed ---------------------------------------------------------------------------------------
int sem_init (void *sem, int shared, unsigned value) {
  (void) shared;
  if (value > 0x7fffffff) return __lockstep_fail (EINVAL);
  __lockstep_sem_init (sem, value);
  return 0;
}

int sem_destroy (void *sem) { return __lockstep_sem_destroy (sem); }
int sem_wait (void *sem) { return __lockstep_sem_wait (sem); }
int sem_post (void *sem) { return __lockstep_sem_post (sem); }

int sem_trywait (void *sem) {
  int error = __lockstep_sem_trywait (sem);
  return error ? __lockstep_fail (error) : 0;
}

int sem_timedwait (void *sem, const void *until) {
  __lockstep_read_time (until);
  int error = __lockstep_sem_timedwait (sem);
  return error ? __lockstep_fail (error) : 0;
}

int sem_clockwait (void *sem, int clock, const void *until) {
  (void) clock;
  return sem_timedwait (sem, until);
}

int sem_getvalue (void *sem, int *value) {
  *value = __lockstep_sem_getvalue (sem);
  return 0;
}

// ---- named: a list from name to semaphore, touched only in atomic regions ---------------------------
enum { O_CREAT = 0100, O_EXCL = 0200, SEM_BYTES = sizeof (long) == 8 ? 32 : 16 };
struct named {
  struct named *next;
  char *name;
  void *sem;
};
static struct named *__lockstep_named_semaphores;

extern int strcmp (const char *, const char *);
extern char *strdup (const char *);

static struct named **find_named (const char *name) {
  struct named **at = &__lockstep_named_semaphores;
  while (*at && strcmp ((*at)->name, name) != 0) at = &(*at)->next;
  return at;
}

static void *make_named (const char *name, unsigned value) {
  struct named *n = __lockstep_malloc (sizeof *n);
  n->name = strdup (name);
  n->sem = __lockstep_calloc_bytes (SEM_BYTES);
  n->next = __lockstep_named_semaphores;
  __lockstep_named_semaphores = n;
  __lockstep_sem_init (n->sem, value);
  return n->sem;
}

void *sem_open (const char *name, int flags, ...) {
  va_list rest;
  va_start (rest, flags);
  unsigned value = 0;
  if (flags & O_CREAT) {
    (void) va_arg (rest, unsigned);  // permissions
    value = va_arg (rest, unsigned);
  }
  va_end (rest);
  __lockstep_atomic_begin ();
  struct named *n = *find_named (name);
  int error = n && (flags & O_CREAT) && (flags & O_EXCL) ? EEXIST : !n && !(flags & O_CREAT) ? ENOENT : 0;
  void *sem = error ? NULL : n ? n->sem : make_named (name, value);
  __lockstep_atomic_end ();
  if (error) __lockstep_fail (error);
  return sem;
}

int sem_close (void *sem) { return (void) sem, 0; }

int sem_unlink (const char *name) {
  __lockstep_atomic_begin ();
  struct named **at = find_named (name), *n = *at;
  if (n) *at = n->next;  // open ones stay usable
  __lockstep_atomic_end ();
  return n ? 0 : __lockstep_fail (ENOENT);
}
