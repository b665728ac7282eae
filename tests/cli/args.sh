# --args: the words that main is given.
. "$(dirname "$0")/lib.sh"

cat >show.c <<'END'
#include <stdio.h>
int main (int argc, char **argv) {
  for (int i = 1; i < argc; i++) printf ("<%s>", argv[i]);
  printf ("%d %d\n", argc, argv[argc] == NULL);
  return 0;
}
END
try 0 "$LOCKSTEP" run --args "a b" show.c
out_has '^<a><b>3 1$'
try 0 "$LOCKSTEP" run --args="-x 'two words' \"a\\\"b\" c\\ d ''" show.c
out_has '^<-x><two words><a"b><c d><>6 1$'
try 0 "$LOCKSTEP" run --args "" show.c
out_has '^1 1$'
try 0 "$LOCKSTEP" run --args= -m32 show.c
out_has '^1 1$'
try 1 "$LOCKSTEP" run --args "a 'b" show.c
err_has "args: .a 'b. is not possible"

# The words decide what is found; the report says which they were, and `replay` uses them.
cat >unlock.c <<'END'
#include <pthread.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f (void *a) {
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  if (a) pthread_mutex_unlock (&m);
  return a;
}
int main (int argc, char **argv) {
  pthread_t t;
  if (argc < 2) return 1;
  pthread_create (&t, 0, f, strcmp (argv[1], "twice") ? NULL : &m);
  pthread_join (t, 0);
  return 0;
}
END
for engine in auto explicit order; do
  try 10 "$LOCKSTEP" check --engine=$engine --args twice --property=locks --json=$engine.json unlock.c
  out_has 'the arguments of the program are `twice` (--args)'
  try 10 "$LOCKSTEP" replay $engine.json
  out_has 'replayed: the violation is confirmed'
  try 0 "$LOCKSTEP" check --engine=$engine --args once --property=locks unlock.c
done
has auto.json '"args":"twice"'
try 0 "$LOCKSTEP" check --engine=locks --args once --property=race unlock.c
try 10 "$LOCKSTEP" check --engine=random --args twice --property=locks unlock.c
try 0 "$LOCKSTEP" ir --args "-v twice" unlock.c
out_has '"argv\[2\]" : 6 bytes .*"twice'

cat >word.c <<'END'
#include <assert.h>
int main (int argc, char **argv) { assert (argc == 2 && argv[1][0] == 'x'); return 0; }
END
try 0 "$LOCKSTEP" check --engine=boolean --property=assert --args x word.c
try 10 "$LOCKSTEP" check --engine=boolean --property=assert --args y word.c
try 0 "$LOCKSTEP" check --engine=circuit --property=assert --args x word.c
try 10 "$LOCKSTEP" check --engine=circuit --property=assert --args y word.c
try 0 "$LOCKSTEP" circuit --property=assert --args y -o word.aig word.c
try 0 "$LOCKSTEP" abstract --property=assert --args x -o word.bp word.c

# No other command takes words.
echo 'int f (int x) { return x; }' >entry.c
try 1 "$LOCKSTEP" check --entry=f --args x entry.c
err_has 'starts in .f.'
echo 'void main () begin skip; end' >p.bp
try 1 "$LOCKSTEP" check --args x p.bp
err_has 'a Boolean program has no arguments'

# Without --args they are inputs, and the trace shows what was chosen; a plain run has none.
try 10 "$LOCKSTEP" check --property=locks --json=any.json unlock.c
out_has 'unlock.c:10 choose argc = '
out_has 'unlock.c:10 choose argv\[1\] = "twice"'
out_has 'argc is at least 1, and argv\[0\] is `program`'
try 10 "$LOCKSTEP" replay any.json
out_has 'choose argv\[1\] = "twice"'
try 1 "$LOCKSTEP" run unlock.c
try 0 "$LOCKSTEP" ir unlock.c
out_has '"argv\[1\]" : 24 bytes internal argument'
