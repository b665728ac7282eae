# What the scripts here share.  Each runs as `sh tests/cli/NAME.sh` from anywhere and prints `ok WHAT` or `FAIL WHAT:
# why`.
#
#   try CODE COMMAND...     runs it; its exit code must be CODE.  Standard output and error are kept in $out and $err.
#   out_has TEXT, err_has TEXT, out_lacks TEXT, last_line TEXT
#                           about the command tried last; TEXT is a basic regular expression
#   has FILE TEXT           about a file
ROOT=${ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
LOCKSTEP=${LOCKSTEP:-$ROOT/build/lockstep}
case $LOCKSTEP in /*) ;; *) LOCKSTEP=$PWD/$LOCKSTEP ;; esac
EXAMPLES=$ROOT/examples
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
out=$work/.out
err=$work/.err
what=nothing

ok () { echo "ok $1"; }

fail () {
  echo "FAIL $1: $2"
  { echo "exit code $code"; tail -n 12 "$out"; tail -n 12 "$err"; } 2>/dev/null | sed 's/^/  /'
}

# A command that takes longer than a minute counts as hanging.
try () {
  wanted=$1
  shift
  what="$*"
  what=$(printf '%s' "$what" | sed "s|$LOCKSTEP|lockstep|g; s|$ROOT/||g; s|$work/||g")
  timeout -k 5 60 "$@" >"$out" 2>"$err" </dev/null
  code=$?
  if [ $code -eq "$wanted" ]; then ok "$what"; else fail "$what" "exit code $code, not $wanted"; fi
}

file_has () { if grep -q -- "$2" "$1"; then ok "$what: says $2"; else fail "$what" "$3 lacks \"$2\""; fi; }
file_lacks () { if grep -q -- "$2" "$1"; then fail "$what" "$3 has \"$2\""; else ok "$what: lacks $2"; fi; }
out_has () { file_has "$out" "$1" 'standard output'; }
err_has () { file_has "$err" "$1" 'standard error'; }
out_lacks () { file_lacks "$out" "$1" 'standard output'; }
err_lacks () { file_lacks "$err" "$1" 'standard error'; }
last_line () {
  if tail -n 1 "$out" | grep -q "^$1"; then ok "$what: ends with $1"
  else fail "$what" "the last line is not \"$1\""; fi
}
# is_true WHAT COMMAND...
is_true () {
  about=$1
  shift
  if "$@"; then ok "$what: $about"; else fail "$what" "not so: $about"; fi
}
has () { is_true "$1 has $2" grep -q -- "$2" "$1"; }
# json_is PYTHON_EXPRESSION: about the object j in the file report.json
json_is () {
  if python3 -c "import json, sys
j = json.load (open ('report.json'))
sys.exit (not ($1))" 2>"$work/.json"; then ok "$what: $1"
  else fail "$what" "in JSON: not $1 $(tail -n 1 "$work/.json")"; fi
}

cat >safe.c <<END
int main (void) { return 0; }
END
# Two threads that write different values: a race, and nothing else.
cat >race.c <<END
#include <pthread.h>
int x;
void *f (void *a) { x = 1; return a; }
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, f, 0);
  x = 2;
  pthread_join (t, 0);
  return 0;
}
END
# A state space that no search exhausts: eight threads that each count through 2^32 values.
cat >endless.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint x[8];
void *f (void *a) {
  for (;;) assert (x[(long) a]++ + x[0] != 4000000001u);
  return a;
}
int main (void) {
  pthread_t t;
  for (long i = 0; i < 8; i++) pthread_create (&t, 0, f, (void *) i);
  pthread_exit (0);
}
END
