# --witness and property files: what the software verification competition exchanges.
. "$(dirname "$0")/lib.sh"

validate () { is_true "$1 is a valid witness" python3 "$ROOT/tests/formats/validate.py" witness "$1"; }
check_line () { printf 'CHECK( init(main()), LTL(%s) )\n' "$1"; }

check_line 'G ! call(reach_error())' >unreach-call.prp
check_line 'G ! data-race' >no-data-race.prp
check_line 'G ! overflow' >no-overflow.prp
{ echo '# all three'; check_line 'G valid-free'; check_line 'G valid-deref'; check_line 'G valid-memtrack'; } \
  >valid-memsafety.prp
check_line 'F end' >termination.prp
export SOURCE_DATE_EPOCH=1700000000

cat >choice.c <<END
#include <pthread.h>
extern int __VERIFIER_nondet_int (void);
extern unsigned char __VERIFIER_nondet_uchar (void);
void reach_error (void) {}
int shared;

void *worker (void *unused)
{
  int number = __VERIFIER_nondet_int ();
  unsigned char byte = __VERIFIER_nondet_uchar ();
  if (number == -7 && byte == 200) shared = 1;
  return unused;
}

int main (void)
{
  pthread_t thread;
  pthread_create (&thread, 0, worker, 0);
  pthread_join (thread, 0);
  if (shared) reach_error ();
  return 0;
}
END

# A violation: created threads, chosen values as C sees them, the target; the property file's text.
try 10 "$LOCKSTEP" check --property=unreach-call.prp --witness=w.yml choice.c
validate w.yml
has w.yml 'specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"'
has w.yml 'value: "\\\\result == -7"'
has w.yml 'value: "\\\\result == 200U"'
has w.yml 'creation_time: "2023-11-14T22:13:20Z"'
has w.yml 'data_model: "LP64"'
cp w.yml first.yml
try 10 "$LOCKSTEP" check --property=unreach-call.prp --witness=w.yml choice.c
is_true 'twice the same' cmp -s first.yml w.yml
try 10 "$LOCKSTEP" check --property=unreach-call.prp --witness=w.graphml choice.c
validate w.graphml
has w.graphml '<data key="assumption.resultfunction">__VERIFIER_nondet_uchar</data>'
has w.graphml '<data key="createThread">1</data>'
try 10 "$LOCKSTEP" check -m32 --property=unreach-call.prp --witness=w.graphml choice.c
has w.graphml '<data key="architecture">32bit</data>'

# A race has two targets side by side.  In a preprocessed file, places are lines of that file.
cp "$EXAMPLES/counter.c" "$EXAMPLES/counter-fixed.c" "$EXAMPLES/philosophers.c" .
clang-19 -E counter.c -o counter.i
for file in counter.c counter.i; do
  try 10 "$LOCKSTEP" check --property=no-data-race.prp --witness=w.yml $file
  validate w.yml
  line=$(grep -n 'count++;' $file | cut -d: -f1)
  is_true 'two targets at the increment' test "$(grep -A 6 'type: "target"' w.yml | grep -c "line: $line\$")" = 2
done
try 10 "$LOCKSTEP" check --property=deadlock --witness=w.yml philosophers.c
validate w.yml

# Proofs; without a property file, the specification says what was proved.
for file in w.yml w.graphml; do
  try 0 "$LOCKSTEP" check --property=no-data-race.prp --witness=$file counter-fixed.c
  validate $file
done
has w.yml 'entry_type: "invariant_set"'
has w.graphml 'correctness_witness'
try 0 "$LOCKSTEP" check --property=race,overflow --witness=w.yml counter-fixed.c
has w.yml 'LTL(G ! data-race) )\\nCHECK( init(main()), LTL(G ! overflow) )'

# No answer, no witness: a message, and the exit code of the verdict.
rm -f w.yml
cat >external.c <<END
extern _Bool mystery (int);
int main (void) { return mystery (3) ? 1 : 2; }
END
try 11 "$LOCKSTEP" check --witness=w.yml external.c
err_has 'w.yml is not written: the answer is bounded'
try 5 "$LOCKSTEP" check --engine=locks --property=deadlock --witness=w.yml philosophers.c
err_has 'w.yml is not written: the answer is unknown'
try 0 "$LOCKSTEP" check --property=locks --witness=w.yml counter-fixed.c
err_has 'w.yml is not written: what was proved has no specification'
is_true 'there is no file' test ! -e w.yml

for place in /dev/full no/such/folder/w.yml .; do
  try 1 "$LOCKSTEP" check --property=no-data-race.prp --witness=$place counter.c
  err_has "$(basename $place)"
done

# Property files of the competition: what is not checked is no proof, and what cannot be checked is refused.
try 0 "$LOCKSTEP" check --property=no-overflow.prp safe.c
try 0 "$LOCKSTEP" check --property=valid-memsafety.prp safe.c
out_has 'leak: none (proved)'
check_line 'G valid-memtrack' >valid-memtrack.prp
try 10 "$LOCKSTEP" check --property=valid-memtrack.prp -DLOST "$ROOT/tests/engines/leak.c"
out_has 'leak-1: 10 bytes allocated at'
check_line 'G valid-memcleanup' >valid-memcleanup.prp
try 0 "$LOCKSTEP" check --property=valid-memcleanup.prp safe.c
try 0 "$LOCKSTEP" check --property=valid-memtrack.prp "$ROOT/tests/engines/leak.c"
try 10 "$LOCKSTEP" check --property=valid-memcleanup.prp --json=kept.json "$ROOT/tests/engines/leak.c"
out_has 'leak-1: 4 bytes allocated at'
out_has 'are not freed when the program ends'
try 10 "$LOCKSTEP" replay kept.json
cat >twice.c <<END
#include <stdlib.h>
int main (void) { char *p = malloc (1); free (p); free (p); return 0; }
END
try 10 "$LOCKSTEP" check --property=valid-memsafety.prp --witness=w.yml twice.c
validate w.yml
has w.yml 'specification: "CHECK( init(main()), LTL(G valid-free) )\\nCHECK('
try 10 "$LOCKSTEP" check --property=memory --witness=w.yml twice.c
has w.yml 'specification: "CHECK( init(main()), LTL(G valid-free) )"'
try 1 "$LOCKSTEP" check --property=termination.prp safe.c
err_has 'termination.prp: lockstep does not decide termination'
