// Each case uses a value that was never written in one way that counts.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pair {
  int first, second;
};
struct pair two;

static int missing (int c) {
  if (c) return 1;
}

static int same (int x) { return x; }
static int twice (int x) { return 2 * x; }
static struct pair both (int x, int y) { return (struct pair){x, y}; }
int (*choice[2]) (int) = {same, twice};

int main (void) {
  int x, i = 1;
  struct pair *p = malloc (sizeof *p), q;
  char text[4];
  p->first = 1;
#if defined IF
  if (x) i = 2;
#elif defined WHILE
  while (x > 0) x--;
#elif defined SWITCH
  switch (x) {
  case 1: i = 2; break;
  case 5: i = 3; break;
  }
#elif defined CHOICE
  i = x > 3 ? 7 : 8;
#elif defined AND
  if (i && x) i = 2;
#elif defined HEAP
  if (p->second) i = 2;
#elif defined REALLOC
  int *a = calloc (1, sizeof *a);
  a = realloc (a, 2 * sizeof *a);
  if (a[1]) i = 2;
#elif defined COPY
  q = *p;
  two = q;
  if (two.second) i = 2;
#elif defined MEMCPY
  memcpy (&q, p, sizeof q);
  if (q.second == 3) i = 2;
#elif defined ARITHMETIC
  x = 3 * x + 1;
  x = x ^ 5;
  if (x == 4) i = 2;
#elif defined MASK
  if (x & 4) i = 2;
#elif defined STORED_TRUTH
  two.first = x > 3;
  i = two.first;
  if (i) i = 2;
#elif defined POINTER
  int *r;
  i = *r;
#elif defined INDEX
  text[0] = 1;
  i = text[p->second];
#elif defined CALLEE
  int (*f) (int);
  i = f (1);
#elif defined ARGUMENT
  if (same (x)) i = 2;
#elif defined THROUGH_POINTER
  if (choice[i] (x)) i = 2;
#elif defined STRUCT_RESULT
  if (both (1, x).second) i = 2;
#elif defined RESULT
  if (missing (0)) i = 2;
#elif defined SIZE
  free (malloc (x));
#elif defined FREE
  int *r;
  free (r);
#elif defined LOCK
  pthread_mutex_t *m;
  pthread_mutex_lock (m);
#elif defined SEMAPHORE
  sem_t s;
  sem_init (&s, 0, (unsigned) x);
#elif defined JOIN
  pthread_t t;
  pthread_join (t, NULL);
#elif defined ATOMIC
  __atomic_fetch_add (&p->second, 1, __ATOMIC_SEQ_CST);
#elif defined PRINT
  printf ("%d\n", x);
#elif defined PUTS
  text[0] = 'a';
  puts (text);
#elif defined STRLEN
  i = (int) strlen (text);
#elif defined WRITE
  write (5, text, 1);
#elif defined FWRITE
  fwrite (text, 1, 1, stdout);
#elif defined FORMAT
  snprintf (text, sizeof text, "%d", x);
#elif defined EXIT
  exit (x);
#elif defined RETURN
  return p->second;
#elif defined LOOP
  for (int k = 0; k < 2; k++) {
    int y;
    if (k == 1 && y) i = 2;
    y = 1;
    (void) y;
  }
#elif defined SCOPE
  for (int k = 0; k < 2; k++) {
    int y[2];
    if (k == 1 && y[k]) i = 2;
    y[1] = 1;
  }
#elif defined VARIABLE_ARRAY
  int array[i + 1];
  if (array[1]) i = 2;
#elif defined EQUAL
  int y = x;
  if (x == y) i = 2;
#elif defined DIFFERENCE
  if (x - x) i = 2;
#elif defined TIMES_ZERO
  if (x * 0) i = 2;
#endif
  free (p);
  return 0;
}
