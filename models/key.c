// Thread-specific data: pthread_key_*, pthread_setspecific, pthread_getspecific.  tss_* (threads_c11.c) is the same.
//
// Every thread has one slot per key; a key's number is never used twice.  Accesses to the table of destructors are
// atomic, so two threads making keys at once do not race in here.  Programs that use keys start their threads in
// `__lockstep_thread_main`, which runs the destructors when the user's routine returns.
#include "intrinsics.h"

enum { MAX_KEYS = 8, DESTRUCTOR_ROUNDS = 4 };
typedef void (*destructor) (void *);

static unsigned __lockstep_key_count;
static destructor __lockstep_key_destructor[MAX_KEYS];
static _Thread_local void *__lockstep_key_value[MAX_KEYS];

int pthread_key_create (unsigned *key, destructor d) {
  unsigned k = __atomic_fetch_add (&__lockstep_key_count, 1, __ATOMIC_SEQ_CST);
  if (k >= MAX_KEYS) {
    extern void __lockstep_unsupported_more_than_8_thread_specific_keys (void);
    __lockstep_unsupported_more_than_8_thread_specific_keys ();
    return EAGAIN;
  }
  __atomic_store_n (&__lockstep_key_destructor[k], d, __ATOMIC_SEQ_CST);
  *key = k;
  return 0;
}

static int key_is_made (unsigned key) {
  return key < MAX_KEYS && key < __atomic_load_n (&__lockstep_key_count, __ATOMIC_SEQ_CST);
}

// Values stay, their destructor is not run: as POSIX has it.
int pthread_key_delete (unsigned key) {
  if (!key_is_made (key)) return EINVAL;
  __atomic_store_n (&__lockstep_key_destructor[key], NULL, __ATOMIC_SEQ_CST);
  return 0;
}

int pthread_setspecific (unsigned key, const void *value) {
  if (!key_is_made (key)) return EINVAL;
  __lockstep_key_value[key] = (void *) value;
  return 0;
}

void *pthread_getspecific (unsigned key) { return key < MAX_KEYS ? __lockstep_key_value[key] : NULL; }

static int run_round (unsigned count) {
  int ran = 0;
  for (unsigned k = 0; k < count; k++) {
    void *value = __lockstep_key_value[k];
    if (!value) continue;
    destructor d = __atomic_load_n (&__lockstep_key_destructor[k], __ATOMIC_SEQ_CST);
    if (!d) continue;
    __lockstep_key_value[k] = NULL;
    d (value);
    ran = 1;
  }
  return ran;
}

// A destructor may set values again; POSIX allows to give up after some rounds.
static void run_destructors (void) {
  unsigned count = __atomic_load_n (&__lockstep_key_count, __ATOMIC_SEQ_CST);
  if (count > MAX_KEYS) count = MAX_KEYS;
  for (int round = 0; round < DESTRUCTOR_ROUNDS && run_round (count); round++)
    ;
}

// ---- threads of programs that use keys --------------------------------------------------------------
struct start {
  void *(*routine) (void *);
  void *argument;
};

static void *__lockstep_thread_main (void *data) {
  struct start *s = data;
  void *(*routine) (void *) = s->routine;
  void *argument = s->argument;
  __lockstep_free (s);
  void *result = routine (argument);
  run_destructors ();
  return result;
}

int __lockstep_start_thread__if__pthread_key_create (void *handle, void *(*start) (void *), void *argument) {
  struct start *s = __lockstep_malloc (sizeof *s);
  if (!s) return EAGAIN;
  s->routine = start;
  s->argument = argument;
  return __lockstep_thread_create (handle, __lockstep_thread_main, s);
}

int __lockstep_start_thread__if__tss_create (void *handle, void *(*start) (void *), void *argument) {
  return __lockstep_start_thread__if__pthread_key_create (handle, start, argument);
}

void __lockstep_before_exit__if__pthread_key_create (void) { run_destructors (); }
void __lockstep_before_exit__if__tss_create (void) { run_destructors (); }
