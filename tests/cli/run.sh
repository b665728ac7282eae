# lockstep run and lockstep ir.
. "$(dirname "$0")/lib.sh"

cat >hello.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main (int argc, char **argv) {
  (void) argv;
  printf ("hello %d %s %5.2f %c %#x|%-4d|\n", argc, "world", 3.14159, 'x', 255, 7);
  puts ("line");
  fprintf (stderr, "to standard error\n");
  exit (3);
}
END
try 3 "$LOCKSTEP" run hello.c
out_has '^hello 1 world  3.14 x 0xff|7   |$'
out_has '^line$'
err_has 'to standard error'
try 0 "$LOCKSTEP" run safe.c

# The same seed is the same run; some seeds show the lost update, others do not.
cat >lost.c <<END
#include <pthread.h>
#include <stdio.h>
int x;
void *f (void *a) { for (int i = 0; i < 5; i++) x++; return a; }
int main (void) {
  pthread_t s, t;
  pthread_create (&s, 0, f, 0);
  pthread_create (&t, 0, f, 0);
  pthread_join (s, 0);
  pthread_join (t, 0);
  printf ("%d\n", x);
  return 0;
}
END
what='seeds'
: >seen
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  "$LOCKSTEP" run --seed=$seed lost.c >>seen 2>/dev/null
done
is_true 'every run prints a number from 2 to 10' test "$(grep -c '^[2-9]$\|^10$' seen)" -eq 20
is_true 'some run loses an update' grep -q '^[2-9]$' seen
try 0 "$LOCKSTEP" run lost.c
out_has '^10$'
"$LOCKSTEP" run --seed=7 lost.c >a 2>&1
"$LOCKSTEP" run --seed=7 lost.c >b 2>&1
is_true 'the same seed repeats' cmp -s a b
try 10 "$LOCKSTEP" run race.c
err_has 'race'

# Pointers of 32 bits have room for about 500 objects per thread: those of the dead are used again.
cat >many.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
static int sum (const struct node *n) {
  int copy[2] = { n->value, 0 };
  return n->next ? copy[n->value & 1] + sum (n->next) : 0;
}
int main (void) {
  struct node *list = NULL;
  for (int i = 0; i < 2000; i++) {
    struct node *n = malloc (sizeof *n);
    *n = (struct node) { list, i };
    list = n;
    if (i % 3 == 0) list = n->next, free (n);
    if (i % 100 == 99)
      while (list) n = list, printf (list->next ? "" : "%d\n", sum (n) + n->value), list = n->next, free (n);
  }
  return 0;
}
END
try 0 "$LOCKSTEP" run --data-model=LP64 many.c
cp "$out" many.out
try 0 "$LOCKSTEP" run --data-model=ILP32 many.c
is_true 'as many numbers as with 64 bits' cmp -s "$out" many.out
is_true 'one number for every hundred' test "$(grep -c . "$out")" -eq 20

cat >fails.c <<END
#include <assert.h>
int main (void) { int x = 1; assert (x == 2); return 0; }
END
try 10 "$LOCKSTEP" run fails.c
err_has 'x == 2'

try 0 "$LOCKSTEP" ir race.c
out_has 'main'
out_has 'store'
try 1 "$LOCKSTEP" ir missing.c
err_has 'missing.c'
