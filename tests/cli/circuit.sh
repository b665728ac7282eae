# `lockstep circuit`: the files, their names and comments, and what cannot be written.
. "$(dirname "$0")/lib.sh"

lacks () { is_true "$1 lacks $2" sh -c '! grep -q -- "$2" "$1"' sh "$1" "$2"; }

cp "$EXAMPLES/counter.c" "$EXAMPLES/counter-fixed.c" .
cat >held.c <<END
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar (void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int tries, level;
void *worker (void *unused)
{
  while (pthread_mutex_trylock (&m)) tries++;
  level = __VERIFIER_nondet_uchar ();
  assert (tries < 3 || level != 7);
  pthread_mutex_unlock (&m);
  return unused;
}
int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  worker (0);
  return 0;
}
END

try 0 "$LOCKSTEP" circuit --property=race -o x.aag counter.c
out_has '^x.aag: .* bad states: 0 race, 1 left out$'
has x.aag '^aag [0-9 ]*$'
has x.aag '^i0 scheduler\[0\]$'
has x.aag '^l[0-9]* thread 2 (worker) pc\[0\]$'
has x.aag '^b0 race$'
has x.aag '^b1 left out$'
has x.aag '^option --property=race$'
has x.aag '^file counter.c$'
cp x.aag first.aag
try 0 "$LOCKSTEP" circuit --property=race -o x.aag counter.c
is_true 'twice the same' cmp -s first.aag x.aag

# By default all that circuits express; a lock's owner is called so; values that the program chooses have the line.
try 0 "$LOCKSTEP" circuit --whole -o x.aag held.c
out_has 'bad states: 0 assert, 1 race, 2 .*left out$'
has x.aag '^l[0-9]* m.owner'
has x.aag '^l[0-9]* level\[7\]'
has x.aag '^i[0-9]* thread 1 (worker) chooses at held.c:9\[7\]'
try 0 "$LOCKSTEP" circuit -q -o y.aag held.c
is_true 'says nothing' test ! -s "$out"
variables_of () { sed -n '1s/aag \([0-9]*\).*/\1/p' "$1"; }
is_true 'without --whole it is smaller' test "$(variables_of y.aag)" -lt "$(variables_of x.aag)"

# Plain: no constraints, no reset values.
try 0 "$LOCKSTEP" circuit --plain -o x.aig held.c
is_true 'binary' test "$(head -c 3 x.aig)" = aig
try 0 "$LOCKSTEP" circuit --plain -o x.aag held.c
is_true 'all latches start as 0' awk 'NR == 1 { first = 2 + $3; last = 1 + $3 + $4 }
  NR >= first && NR <= last && NF > 2 { bad = 1 } END { exit bad }' x.aag

# Words.
try 0 "$LOCKSTEP" circuit -o x.btor2 held.c
has x.btor2 '^; file held.c$'
has x.btor2 '^[0-9]* sort bitvec 32$'
has x.btor2 '^[0-9]* state [0-9]* tries$'
has x.btor2 '^[0-9]* bad [0-9]* assert$'
has x.btor2 '^[0-9]* bad [0-9]* left_out$'

# What is wrong is said, and nothing is left behind.
try 1 "$LOCKSTEP" circuit counter.c
err_has 'where should the circuit go'
try 1 "$LOCKSTEP" circuit -o x.txt counter.c
err_has 'x.txt does not end in .aig, .aag or .btor2'
try 1 "$LOCKSTEP" circuit --plain -o x.btor2 counter.c
err_has 'for AIGER'
try 1 "$LOCKSTEP" circuit -o nowhere/x.aig counter.c
err_has 'cannot write nowhere/x.aig: No such file'
try 1 "$LOCKSTEP" circuit -o new.aig nosuch.c
is_true 'no file' test ! -e new.aig
try 1 "$LOCKSTEP" circuit -o new.aig
err_has 'no input file'
if [ -c /dev/full ]; then
  ln -s /dev/full full.aig
  try 1 "$LOCKSTEP" circuit -o full.aig counter.c
  err_has 'cannot write full.aig: No space left'
fi
try 5 "$LOCKSTEP" circuit --may-fail -o new.aig counter.c
err_has 'there is no circuit: .*calls that may fail'
is_true 'no file' test ! -e new.aig
try 0 "$LOCKSTEP" circuit --help
out_has '--plain'

# A small procedure has a copy for each call, so no return address is stored; a large one, here called
# through a pointer that may mean two, does.
cat >calls.c <<END
#include <pthread.h>
int x, y;
static void add (int *to) { *to = *to + 1; }
static void drop (int *from) { *from = *from - 1; }
void *worker (void *f)
{
#ifdef POINTER
  void (*act) (int *) = f ? add : drop;
  act (&x);
  act (&y);
#else
  add (&x);
  add (&y);
  drop (&x);
#endif
  return f;
}
int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, worker, &x);
  worker (0);
  return 0;
}
END
try 0 "$LOCKSTEP" circuit -o x.aag calls.c
lacks x.aag 'return address'
try 0 "$LOCKSTEP" circuit -DPOINTER -o x.aag calls.c
has x.aag 'return address'
