# C programs as Boolean ones: what is written, that it can be read, what is refused.
. "$(dirname "$0")/lib.sh"

programs=$ROOT/tests/abstract

try 1 "$LOCKSTEP" abstract "$programs/handed_over.c"
err_has 'where should the Boolean program go'
try 1 "$LOCKSTEP" abstract -o missing/x.bp "$programs/handed_over.c"
err_has '^lockstep: error: -o: '
try 1 "$LOCKSTEP" abstract --property=race -o x.bp "$programs/handed_over.c"
err_has 'can be about assertions'
for others in race,assert deadlock,locks all leak,assert; do
  try 1 "$LOCKSTEP" abstract --property=$others -o x.bp "$programs/handed_over.c"
  err_has 'property: a Boolean program can be about assertions'
done
try 1 "$LOCKSTEP" abstract -o x.bp missing.c
err_has 'missing.c'

# The first abstraction knows too little; refined it is a proof, for all readers of such programs.
try 0 "$LOCKSTEP" abstract --property=assert -o - "$programs/handed_over.c"
out_has '^// .* predicates, cartesian, after 0 refinements$'
out_has '^decl {.*started};$'
out_has '^t1_[0-9]*:$'
try 0 "$LOCKSTEP" abstract --property=assert -o first.bp "$programs/handed_over.c"
try 10 "$LOCKSTEP" check -q --engine=boolean first.bp
try 0 "$LOCKSTEP" abstract --property=assert --rounds=20 -o last.bp "$programs/handed_over.c"
is_true 'parcel is spoken of' grep -q '^decl {.*parcel.*};$' last.bp
for engine in boolean explicit auto; do try 0 "$LOCKSTEP" check -q --engine=$engine last.bp; done
try 0 "$LOCKSTEP" abstract --property=assert --rounds=20 -DEARLY -o last.bp "$programs/handed_over.c"
try 10 "$LOCKSTEP" check -q --engine=boolean last.bp
try 0 "$LOCKSTEP" abstract --property=assert --abstraction=exact --rounds=20 -o exact.bp "$programs/handed_over.c"
is_true 'it says so' grep -q '^// .* predicates, exact, ' exact.bp
try 0 "$LOCKSTEP" check -q --engine=boolean exact.bp

# What the machine leaves out the text says: this program is safe, that of C may fail.
cat > deep.c <<'END'
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint (void);
static unsigned depth (unsigned n) { return n ? 1 + depth (n - 1) : 0; }
int main (void) { assert (depth (__VERIFIER_nondet_uint () % 100) < 90); }
END
try 0 "$LOCKSTEP" abstract --property=assert --rounds=20 -o - deep.c
out_has '^// not in it, if it can happen: recursion$'

# The engine: what it does not decide stays open, and it says so.
try 5 "$LOCKSTEP" check --engine=boolean --timeout=20 "$programs/handed_over.c"
out_has '^assert: none (proved)'
out_has '^race: unknown (not decided by engine boolean)'
try 5 "$LOCKSTEP" check --engine=boolean --property=race "$programs/handed_over.c"
out_has 'decides assertions, misuse of locks'
try 10 "$LOCKSTEP" check --engine=boolean --property=assert --json=report.json "$programs/ends_meanwhile.c"
try 10 "$LOCKSTEP" replay report.json
