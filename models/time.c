// Clocks and delays.  A clock may show anything: what it writes is left undefined, so a value is chosen only if the
// program looks at it.  Delays are no steps at all: any other thread may run at any time anyway.
#include "intrinsics.h"

typedef long time_value;
struct pair {
  time_value seconds, fraction;
};  // timespec, timeval

// Copies rather than loads: a load would choose a value for a time that was never set.
void __lockstep_read_time (const void *timespec) {
  struct pair local;
  const struct pair *t = timespec;
  if (sizeof (long) == 8) {
    __lockstep_copy8 (&local.seconds, &t->seconds);
    __lockstep_copy8 (&local.fraction, &t->fraction);
  } else {
    __lockstep_copy4 (&local.seconds, &t->seconds);
    __lockstep_copy4 (&local.fraction, &t->fraction);
  }
}

// -1 says that there is no clock.
static time_value any_time (void) {
  time_value now = __lockstep_nondet_long ();
  if (!__lockstep_nondet_failure ()) __lockstep_assume (now != -1);
  return now;
}

time_value time (time_value *out) {
  time_value now = any_time ();
  if (out) *out = now;
  return now;
}

int clock_gettime (int clock, struct pair *out) {
  (void) clock;
  __lockstep_any_bytes (out, sizeof *out);
  return 0;
}

int clock_getres (int clock, struct pair *out) {
  (void) clock;
  if (out) __lockstep_any_bytes (out, sizeof *out);
  return 0;
}

int timespec_get (struct pair *out, int base) {
  __lockstep_any_bytes (out, sizeof *out);
  return base;
}

int gettimeofday (struct pair *out, void *zone) {
  (void) zone;
  __lockstep_any_bytes (out, sizeof *out);
  return 0;
}

long clock (void) { return any_time (); }
double difftime (time_value end, time_value begin) { return (double) (end - begin); }

unsigned sleep (unsigned seconds) { return (void) seconds, 0; }
int usleep (unsigned microseconds) { return (void) microseconds, 0; }

int nanosleep (const void *duration, void *remaining) {
  (void) remaining;
  __lockstep_read_time (duration);
  return 0;
}

int clock_nanosleep (int clock, int flags, const void *duration, void *remaining) {
  return (void) clock, (void) flags, nanosleep (duration, remaining);
}
