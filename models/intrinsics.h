// What library models are written in: one function per operation of src/ir/ir.h plus a few conveniences.  The
// front end turns each call into the operation itself, so a call costs what the operation costs.  Meaning of
// every operation: docs/formats/ir.md.  Results are 0 or an errno value unless said otherwise.
//
// Models see no glibc header: its macros, inline functions and attributes would get in the way, and the objects
// (pthread_mutex_t, pthread_attr_t, ...) are reached by address only.  Names that are not glibc's start with
// `__lockstep_`.  A name `__lockstep_unsupported_<what>` has no body on purpose: an execution that gets there ends as
// unknown, so a model reports what it leaves out.  A call of `__lockstep_gap_<words>` goes on, but the
// words become one of the report's bounds, so that nothing is called proved.
//
// A function `NAME__if__USED` takes the place of the model `NAME` in programs that refer to the library function
// `USED`, settled when the models are linked: it keeps what few programs need (destructors of thread-specific data)
// out of all others.
#ifndef LOCKSTEP_INTRINSICS_H
#define LOCKSTEP_INTRINSICS_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __builtin_va_list va_list;
typedef struct _IO_FILE FILE;
typedef unsigned long thread_handle;         // pthread_t, thrd_t: slot + 1

#define NULL ((void *) 0)
#define NORETURN __attribute__ ((noreturn))
#define KEPT __attribute__ ((used))          // the front end calls it by name, also where the program does not
#define va_start(LIST, LAST) __builtin_va_start (LIST, LAST)
#define va_arg(LIST, TYPE) __builtin_va_arg (LIST, TYPE)
#define va_copy(TO, FROM) __builtin_va_copy (TO, FROM)
#define va_end(LIST) __builtin_va_end (LIST)

enum { EPERM = 1, ENOENT = 2, EINTR = 4, EAGAIN = 11, ENOMEM = 12, EBUSY = 16, EEXIST = 17, EINVAL = 22, ERANGE = 34,
       EDEADLK = 35, EOVERFLOW = 75, ETIMEDOUT = 110 };

// ---- threads ---------------------------------------------------------------------------------------
int __lockstep_thread_create (void *handle, void *(*start) (void *), void *argument);  // writes *handle
void *__lockstep_thread_join (thread_handle);                                          // the thread's result
void __lockstep_thread_detach (thread_handle);
NORETURN void __lockstep_thread_exit (void *result);
thread_handle __lockstep_thread_self (void);
void __lockstep_atomic_begin (void);
void __lockstep_atomic_end (void);

// ---- synchronisation -------------------------------------------------------------------------------
enum { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
void __lockstep_mutex_init (void *, int kind);
int __lockstep_mutex_lock (void *);
int __lockstep_mutex_trylock (void *);
int __lockstep_mutex_timedlock (void *);
int __lockstep_mutex_unlock (void *);
int __lockstep_mutex_destroy (void *);
void __lockstep_rw_init (void *);
int __lockstep_rw_rdlock (void *);
int __lockstep_rw_wrlock (void *);
int __lockstep_rw_tryrdlock (void *);
int __lockstep_rw_trywrlock (void *);
int __lockstep_rw_timedrdlock (void *);
int __lockstep_rw_timedwrlock (void *);
int __lockstep_rw_unlock (void *);
int __lockstep_rw_destroy (void *);
void __lockstep_spin_init (void *);
int __lockstep_spin_lock (void *);
int __lockstep_spin_trylock (void *);
int __lockstep_spin_unlock (void *);
int __lockstep_spin_destroy (void *);
void __lockstep_cond_init (void *);
void __lockstep_cond_wait (void *cond, void *mutex);        // releases the mutex, starts waiting; then one of:
int __lockstep_cond_resume (void *cond, void *mutex);       // woken; takes the mutex again
int __lockstep_cond_timedresume (void *cond, void *mutex);  // the same, or ETIMEDOUT
void __lockstep_cond_signal (void *);
void __lockstep_cond_broadcast (void *);
int __lockstep_cond_destroy (void *);
void __lockstep_sem_init (void *, unsigned value);
int __lockstep_sem_wait (void *);
int __lockstep_sem_trywait (void *);                        // 0 or EAGAIN
int __lockstep_sem_timedwait (void *);                      // 0 or ETIMEDOUT
int __lockstep_sem_post (void *);
int __lockstep_sem_getvalue (void *);                       // the value
int __lockstep_sem_destroy (void *);
void __lockstep_barrier_init (void *, unsigned count);
int __lockstep_barrier_arrive (void *);                     // -1 for the last to arrive, else 0; EINVAL
void __lockstep_barrier_resume (void *);                    // goes on when all have arrived
int __lockstep_barrier_destroy (void *);
int __lockstep_once_begin (void *);                         // 1: the caller runs the routine, then once_end
void __lockstep_once_end (void *);

// ---- memory ----------------------------------------------------------------------------------------
void *__lockstep_malloc (size_t);
void *__lockstep_calloc_bytes (size_t);                     // zeroed
void __lockstep_free (void *);
size_t __lockstep_object_size (const void *);               // of the object pointed into
void __lockstep_copy1 (void *to, const void *from);         // one load and one store step;
void __lockstep_copy2 (void *to, const void *from);         // undefined bytes stay undefined
void __lockstep_copy4 (void *to, const void *from);
void __lockstep_copy8 (void *to, const void *from);

// ---- values, checks, the process -------------------------------------------------------------------
void __lockstep_assume (int condition);                     // else this execution does not exist
int __lockstep_nondet_int (void);                           // __lockstep_nondet...: any value of the result type
_Bool __lockstep_nondet_bool (void);
_Bool __lockstep_nondet_failure (void);                     // 0 without --may-fail
_Bool __lockstep_nondet_no_limit (void);                    // 1: what is found then rests on it
_Bool __lockstep_nondet_variable_set (void);                // the same
unsigned char __lockstep_nondet_uchar (void);
long __lockstep_nondet_long (void);
size_t __lockstep_nondet_size (void);
void __lockstep_check_assert (int condition, const char *text);
void __lockstep_check_locks (int condition, const char *text);
void __lockstep_check_memory (int condition, const char *text);
void __lockstep_output (int stream, const char *format, ...);
void __lockstep_written (unsigned char);                    // the byte goes to the outside world, unseen

// ---- shared between models -------------------------------------------------------------------------
int *__errno_location (void);
void __lockstep_copy_bytes (void *to, const void *from, size_t count);  // memcpy; undefined bytes stay undefined
void __lockstep_any_bytes (void *, size_t count);                       // they become undefined: any value
void __lockstep_input_bytes (void *, size_t count);                     // takes its place for --property=uninit
void __lockstep_read_string (const char *);                             // reads up to and including the terminator
void __lockstep_read_string_within (const char *, int n);               // or n characters; n < 0: any number
void __lockstep_read_time (const void *timespec);
int __lockstep_take_pushed (FILE *);                                    // a character that ungetc has put back, or -1
void __lockstep_note_end (FILE *, int end);                              // of input, for feof (input.c)
int __lockstep_start_thread (void *handle, void *(*start) (void *), void *argument);
void __lockstep_before_exit (void);                                     // of a thread, by pthread_exit
void __lockstep_check_cleanup (void);                                   // the same
int __lockstep_format (char *out, size_t size, const char *format, va_list);
int __lockstep_fail (int error);                                        // sets errno; -1

#endif
