// The address of a new object is passed on where no word begins: in a packed struct, or (BUFFER) as bytes; or (INVERTED) as a number that is no address.  Both
// threads then write the object.  With DANGLING it is freed, another one is made, and the address is used again.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct __attribute__ ((packed)) {
  char before;
  int *address;
} packed;
static char buffer[20];
static uintptr_t inverted;
static pthread_mutex_t m;

static void pass_on (int *p) {
  pthread_mutex_lock (&m);
#ifdef BUFFER
  memcpy (buffer + 3, &p, sizeof p);
#elif defined INVERTED
  inverted = ~(uintptr_t) p;
#else
  packed.address = p;
#endif
  pthread_mutex_unlock (&m);
}

static int *passed_on (void) {
  int *p;
  pthread_mutex_lock (&m);
#ifdef BUFFER
  memcpy (&p, buffer + 3, sizeof p);
#elif defined INVERTED
  p = inverted ? (int *) ~inverted : NULL;
#else
  p = packed.address;
#endif
  pthread_mutex_unlock (&m);
  return p;
}

static void *make (void *unused) {
  int *p = malloc (sizeof *p);
  pass_on (p);
#ifdef DANGLING
  free (p);
  int *q = malloc (sizeof *q);
  *passed_on () = 1;
  free (q);
#else
  *p = 1;
#endif
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, make, NULL);
#ifndef DANGLING
  int *p = passed_on ();
  if (p) *p = 2;
#endif
  pthread_exit (NULL);
}
