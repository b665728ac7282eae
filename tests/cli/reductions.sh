# Reductions: what --stats and -v -v tell about them, on TXN's counter; names that are none.
. "$(dirname "$0")/lib.sh"
COUNTER=$ROOT/tests/papers/txn-counter.c

for reduction in none left-movers transactions stubborn lock-patterns auto; do
  try 0 "$LOCKSTEP" check --reduction=$reduction --property=assert --stats --json=$reduction.json "$COUNTER"
  cp "$out" $reduction.out
done
try 1 "$LOCKSTEP" check --reduction=everything "$COUNTER"
err_has 'transactions'
try 1 "$LOCKSTEP" check --reduction=transactions-unended "$COUNTER"  # for the unit tests only

# a WHAT FILE PATTERN: some line of the file matches
a () {
  what=$2
  is_true "$1" grep -q -- "$3" "$2"
}
a 'transactions with their steps' transactions.out '^  transactions  *[0-9]*  ([0-9.]* steps per transaction)'
a 'transactions with their steps' auto.out '^  transactions  *[0-9]*  ([0-9.]* steps per transaction)'
a 'states searched again' transactions.out '^  states_reopened  *[1-9]'
a 'the stubborn sets' stubborn.out '^  stubborn_sets  *[0-9]*  ([0-9.]* threads in each)'
a 'how much they leave out' stubborn.out '^  stubborn_threads  *[0-9]*  (of [0-9]* that could step)'

# Each reduction stores fewer states than the one before it (TXN section 2: left movers only, then both).
states () { python3 -c "import json, sys; print (json.load (open (sys.argv[1] + '.json'))['stats']['states'])" "$1"; }
what='states of the counter'
is_true 'left movers save some' test "$(states left-movers)" -lt "$(states none)"
is_true 'both movers save more' test "$(states transactions)" -lt "$(states left-movers)"
is_true 'so do stubborn sets' test "$(states stubborn)" -lt "$(states none)"
is_true 'and the default' test "$(states auto)" -lt "$(states transactions)"

# Where transactions begin in a method, by the lines of its body and of what it calls to count (26 or 33).
begins () {
  what="begins of $1"
  found=$(sed -n 's/^  begun at txn-counter.c:\([0-9]*\) .*/\1/p' "$1.out" | sort -n | tr '\n' ' ')
  is_true "$2" test "$found" = "$2"
}
first_locks=$(grep -n 'pthread_mutex_lock' "$COUNTER" | cut -d: -f1 | tr '\n' ' ')
set -- $first_locks
incr=$1 decr=$2 read=$3 inner=$4
counting=$(grep -n 'atomic_begin ();' "$COUNTER" | cut -d: -f1 | tr '\n' ' ')
set -- $counting
update=$1 look=$2
created=$(grep -n 'int main' "$COUNTER" | cut -d: -f1)
joins=$(grep -n 'pthread_join' "$COUNTER" | cut -d: -f1 | tr '\n' ' ')
set -- $joins
# incr and decr are one transaction each, and so is read ...
begins transactions "$incr $decr $read $created $1 "
# ... but with left movers only, two, two and three.
begins left-movers "$update $look $incr $decr $read $inner $created $1 $2 "

# What protects the variables: the exclusive access predicates of TXN section 2.
for reduction in none transactions auto; do
  a 'x is protected by mx' $reduction.out '^  x  *[0-9]*  mx$'
  a 'y is protected by my' $reduction.out '^  y  *[0-9]*  my$'
  a 'count is not protected' $reduction.out '^  count  *[0-9]*  nothing$'
  cp $reduction.json report.json
  json_is "{p['variable']: (p['by'], p['locks']) for p in j['protection']} == {'x': ('locks', ['mx']), 'y': ('locks', \
    ['my']), 'count': ('nothing', [])}"
  json_is "all (p['accesses'] > 0 for p in j['protection'])"
done

# The phases of read, as TXN section 4.3 has them: pre-commit up to both locks and both loads, post-commit from the read
# of count on. (The first times, as long as no thread has been seen to write count, reading it still moves.)
try 0 "$LOCKSTEP" check --reduction=transactions --property=assert -v -v "$COUNTER"
phases () { sed -n "s/.*thread 1 at .*txn-counter.c:$1, after [a-z_]*: //p" "$err" | uniq | tr '\n' ' '; }
is_true 'taking mx: pre-commit' test "$(phases $read)" = 'pre-commit '
is_true 'reading x: pre-commit' test "$(phases $((read + 1)))" = 'pre-commit '
is_true 'taking my: pre-commit' test "$(phases $inner)" = 'pre-commit '
is_true 'reading y: pre-commit' test "$(phases $((inner + 1)))" = 'pre-commit '
is_true 'reading count: post-commit' test "$(phases $look)" = 'pre-commit post-commit '
is_true 'releasing my: post-commit' test "$(phases $((inner + 3)))" = 'post-commit '
is_true 'releasing mx: post-commit' test "$(phases $((inner + 4)))" = 'post-commit '
