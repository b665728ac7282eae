// errno: one int per thread, in programs that use it.
#include "intrinsics.h"

static _Thread_local int __lockstep_errno;

int *__errno_location (void) { return &__lockstep_errno; }

int __lockstep_fail (int error) {
  __lockstep_errno = error;
  return -1;
}
