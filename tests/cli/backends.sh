# Which back end settles a circuit (--backend, -j), and what other checkers find in circuits of ours (replay --aiger).
. "$(dirname "$0")/lib.sh"

circuit () {
  wanted=$1
  shift
  try "$wanted" "$LOCKSTEP" check --engine=circuit --timeout=30 -q "$@"
}

cat >turn.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int turn;
int inside;
void *worker (void *unused)
{
  while (turn != 1) {}
  inside++;
  turn = 0;
  return unused;
}
int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
#ifdef EARLY
  inside++;
  turn = 1;
#else
  turn = 1;
  while (turn != 0) {}
  inside++;
#endif
  pthread_join (t, 0);
  assert (inside == 2);
  return 0;
}
END

# Each gives an answer that fits: bmc knows no proofs.
for backend in auto ic3 bdd induction; do
  circuit 0 --property=race --backend=$backend turn.c
done
circuit 11 --property=assert --backend=bmc --timeout=2 turn.c
out_has 'depth'
for backend in auto bmc induction ic3 bdd; do
  circuit 10 --property=race --backend=$backend "$EXAMPLES/counter.c"
done
circuit 0 --property=race -j 3 turn.c
circuit 10 --property=race,assert -j 2 "$EXAMPLES/counter.c"
out_has '^assert-1'
out_has '^race-1'
circuit 1 --backend=nobody turn.c
err_has 'auto|bmc|induction|ic3|bdd|abc'

# Without ABC that is said.  PATH has what the front end needs, and nothing else.
mkdir tools
for tool in clang-19 llvm-link-19; do
  full=$(command -v $tool) && ln -s "$full" tools/$tool
done
try 1 env PATH="$work/tools" "$LOCKSTEP" check --engine=circuit --backend=abc --property=race turn.c
err_has 'berkeley-abc, which is not installed'
if command -v berkeley-abc >/dev/null 2>&1; then
  circuit 0 --property=race --backend=abc turn.c
  circuit 10 --property=race --backend=abc "$EXAMPLES/counter.c"
  try 0 "$LOCKSTEP" circuit --plain -o abc.aig "$EXAMPLES/counter.c"
  berkeley-abc -c 'read_aiger abc.aig; bmc3; write_cex -a abc.cex' >/dev/null 2>&1
  try 10 "$LOCKSTEP" replay --aiger=abc.aig abc.cex
  out_has 'replayed: the violation is confirmed'
fi

# A path to the race, found by searching all states of the circuit; a witness as AIGER defines it.
cat >search.py <<END
import itertools, sys
lines = open (sys.argv[1]).read ().split ("\n")
_, _, inputs, latches, _, gates = map (int, lines[0].replace ("aag", "0").split ()[:6])
at = 1
ins = [int (x) for x in lines[at:at + inputs]]
at += inputs
regs = [[int (y) for y in x.split ()] for x in lines[at:at + latches]]
at += latches
bad = int (lines[at + int (sys.argv[2])])
at += int (lines[0].split ()[6])
ands = [[int (y) for y in x.split ()] for x in lines[at:at + gates]]
def run (state, word):
    value = {0: 0}
    value.update ((i >> 1, b) for i, b in zip (ins, word))
    value.update ((r[0] >> 1, b) for r, b in zip (regs, state))
    lit = lambda x: value[x >> 1] ^ (x & 1)
    for g, a, b in ands: value[g >> 1] = lit (a) & lit (b)
    return lit (bad), tuple (lit (r[1]) for r in regs)
start = tuple (r[2] if len (r) > 2 and r[2] < 2 else 0 for r in regs)
seen, front = {start: None}, [start]
def path (state, word):
    words = [word]
    while seen[state]: state, word = seen[state]; words.append (word)
    return words[::-1]
bits = lambda t: "".join (map (str, t))
while front:
    new = []
    for state, word in itertools.product (front, itertools.product ((0, 1), repeat=inputs)):
        wrong, then = run (state, word)
        if wrong:
            print ("1\nb" + sys.argv[2], bits (start), *map (bits, path (state, word)), ".", sep="\n")
            sys.exit (0)
        if then not in seen: seen[then] = (state, word); new.append (then)
    front = new
sys.exit (1)
END
cp "$EXAMPLES/counter.c" .
try 0 "$LOCKSTEP" circuit --property=race,assert -o x.aag counter.c
is_true 'there is a path' sh -c 'python3 search.py x.aag 1 >race.txt'
is_true 'and another' sh -c 'python3 search.py x.aag 0 >assert.txt'
try 10 "$LOCKSTEP" replay --aiger=x.aag race.txt
out_has '^race-1: data race on `count`'
out_has 'replayed: the violation is confirmed'
last_line 'VERDICT: BUG'
try 10 "$LOCKSTEP" replay --explain --aiger=x.aag assert.txt
out_has '^assert-1: assertion `count == 2` failed'

# What does not fit is refused.
sed '3s/.*/01/' race.txt >short.txt
try 1 "$LOCKSTEP" replay --aiger=x.aag --goal=race-1 race.txt
err_has 'goal has no meaning with --aiger'
try 1 "$LOCKSTEP" replay --aiger=x.aag short.txt
err_has 'short.txt: it does not fit x.aag: line 3: expected .* latches'
sed '2s/.*/b0/' race.txt >other.txt
try 1 "$LOCKSTEP" replay --aiger=x.aag other.txt
err_has 'the path does not lead to the bad state'
printf '0\nb0\n.\n' >holds.txt
try 1 "$LOCKSTEP" replay --aiger=x.aag holds.txt
err_has 'no.* path'
try 1 "$LOCKSTEP" replay --aiger=x.aag nosuch.txt
err_has 'cannot read nosuch.txt'
try 1 "$LOCKSTEP" replay --aiger=nosuch.aag race.txt
err_has 'cannot read nosuch.aag'
try 1 "$LOCKSTEP" replay --aiger=counter.c race.txt
err_has 'takes an .aig or .aag file'
try 1 "$LOCKSTEP" replay --aiger=x.aag
err_has 'a witness for the circuit'
sed '/^c$/,$d' x.aag >bare.aag
try 1 "$LOCKSTEP" replay --aiger=bare.aag race.txt
err_has 'not written by `lockstep circuit`'
sed '1,/^c$/s/^l0 .*/l0 other/' x.aag >changed.aag
try 1 "$LOCKSTEP" replay --aiger=changed.aag race.txt
err_has 'makes another circuit'
echo '// changed' >>counter.c
sed -i 's/count++/count += 2/' counter.c
try 1 "$LOCKSTEP" replay --aiger=x.aag race.txt
err_has 'the source has changed'

# A thread too many is no bug of the program.
cat >many.c <<END
#include <pthread.h>
void *idle (void *a) { return a; }
int main (void)
{
  pthread_t t;
  for (;;) {
    pthread_create (&t, 0, idle, 0);
    pthread_detach (t);
  }
}
END
try 0 "$LOCKSTEP" circuit --property=assert -o many.aag many.c
is_true 'something is left out' sh -c 'python3 search.py many.aag 1 >many.txt'
try 5 "$LOCKSTEP" replay --aiger=many.aag many.txt
out_has 'leaves out'
