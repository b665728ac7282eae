// Reading, copying and computing with what was never written is no fault, as long as nothing depends on it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct padded {
  char c;
  int i;
};
struct pair {
  int first, second;
};
struct pair stored;

static int first_of (struct pair p) { return p.first; }
static int second_unused (int x, int y) { return x + 0 * (y & 0); }
static int missing (int c) {
  if (c) return 1;
}
static void *no_result (void *argument) { (void) argument; }
int (*pointer) (int, int) = second_unused;

int main (void) {
  int x, y = x;
  struct pair *p = malloc (sizeof *p), q;
  struct padded a, b;
  p->first = 1;
  q = *p;
  stored = q;
  if (stored.first != 1) abort ();
  if (first_of (q) != 1) abort ();
  a.c = 1, a.i = 2;
  b = a;
  if (b.c + b.i != 3) abort ();
  if (second_unused (4, x) != 4 || pointer (4, x) != 4) abort ();
  y = x + 3 * y;
  x = y - 1;
  if ((x & 0) || (x | 1) == 0 || (x << 4 & 15) != 0) abort ();
  if ((unsigned) (x | 0x100) < 0x100u) abort ();
  q.second = 7;
  if (q.second != 7) abort ();
  char text[8] = "ab", other[4];
  memset (other, 0, sizeof other);
  if (strlen (text) != 2 || other[3]) abort ();
  char copy[8];
  strcpy (copy, text);
  printf ("%s %d\n", copy, q.second);
#ifdef INPUT
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  if (now.tv_nsec == 5) exit ((int) now.tv_sec);
#endif
  missing (0);
  missing (1);
  pthread_t t;
  void *unused;
  pthread_create (&t, NULL, no_result, unused);
  pthread_join (t, &unused);
  pthread_mutex_t m;
  pthread_mutex_init (&m, NULL);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  int *grown = malloc (4);
  grown[0] = 5;
  grown = realloc (grown, 16);
  if (grown[0] != 5) abort ();
  for (int k = 0; k < 2; k++) {
    int z;
    z = k;
    if (z > 1) abort ();
  }
  free (grown);
  free (p);
  return 0;
}
