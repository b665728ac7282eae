// Attributes of threads.  Only the detach state matters to a program as modelled; the rest is kept so that what was
// set can be read back.  The layout is ours and fits into glibc's pthread_attr_t (56 bytes, 36 with ILP32).
#include "intrinsics.h"

struct attr {
  int detach, scope, inherit, policy;  // detach first: pthread_create reads it there
  size_t stack_size, guard_size;
  void *stack;
  int priority;
};

int pthread_attr_init (struct attr *a) {
  a->detach = 0;
  a->scope = 0;
  a->inherit = 0;
  a->policy = 0;
  a->stack_size = 8u << 20;
  a->guard_size = 4096;
  a->stack = NULL;
  a->priority = 0;
  return 0;
}

int pthread_attr_destroy (struct attr *a) { return (void) a, 0; }

int pthread_attr_setdetachstate (struct attr *a, int state) {
  if (state != 0 && state != 1) return EINVAL;
  a->detach = state;
  return 0;
}

int pthread_attr_getdetachstate (const struct attr *a, int *state) { return *state = a->detach, 0; }
int pthread_attr_setscope (struct attr *a, int scope) { return a->scope = scope, 0; }
int pthread_attr_getscope (const struct attr *a, int *scope) { return *scope = a->scope, 0; }
int pthread_attr_setinheritsched (struct attr *a, int inherit) { return a->inherit = inherit, 0; }
int pthread_attr_getinheritsched (const struct attr *a, int *inherit) { return *inherit = a->inherit, 0; }
int pthread_attr_setschedpolicy (struct attr *a, int policy) { return a->policy = policy, 0; }
int pthread_attr_getschedpolicy (const struct attr *a, int *policy) { return *policy = a->policy, 0; }
int pthread_attr_setschedparam (struct attr *a, const int *priority) { return a->priority = *priority, 0; }
int pthread_attr_getschedparam (const struct attr *a, int *priority) { return *priority = a->priority, 0; }
int pthread_attr_setguardsize (struct attr *a, size_t size) { return a->guard_size = size, 0; }
int pthread_attr_getguardsize (const struct attr *a, size_t *size) { return *size = a->guard_size, 0; }

int pthread_attr_setstacksize (struct attr *a, size_t size) {
  if (size < 16384) return EINVAL;  // PTHREAD_STACK_MIN
  a->stack_size = size;
  return 0;
}

int pthread_attr_getstacksize (const struct attr *a, size_t *size) { return *size = a->stack_size, 0; }

int pthread_attr_setstack (struct attr *a, void *stack, size_t size) {
  a->stack = stack;
  a->stack_size = size;
  return 0;
}

int pthread_attr_getstack (const struct attr *a, void **stack, size_t *size) {
  *stack = a->stack;
  *size = a->stack_size;
  return 0;
}
