# The snippets of examples/ci (Makefile with lockstep.mk, CMakeLists.txt with lockstep.cmake): a bug that fails the
# build, and a baseline that lets it pass.
. "$(dirname "$0")/lib.sh"
cp -r "$EXAMPLES" examples
cd examples/ci || exit 1

try 0 make --no-print-directory lockstep "LOCKSTEP=$LOCKSTEP"
last_line 'VERDICT: SAFE$'
is_true 'the report is kept' test -s lockstep.json
try 2 make --no-print-directory lockstep "LOCKSTEP=$LOCKSTEP" PROGRAM=../counter.c
out_has '  why: '
last_line 'VERDICT: BUG'
try 0 make --no-print-directory lockstep-accept "LOCKSTEP=$LOCKSTEP" PROGRAM=../counter.c
try 0 make --no-print-directory lockstep "LOCKSTEP=$LOCKSTEP" PROGRAM=../counter.c
last_line 'VERDICT: SAFE (beside 2 accepted findings)$'
try 2 make --no-print-directory lockstep "LOCKSTEP=$LOCKSTEP" PROGRAM=../philosophers.c
rm lockstep.baseline

if ! command -v cmake >/dev/null 2>&1; then
  ok 'cmake is not installed: CMakeLists.txt and lockstep.cmake are not tried'
  exit 0
fi
try 0 cmake -B build "-DLOCKSTEP=$LOCKSTEP"
try 0 cmake --build build
try 0 ctest --test-dir build
out_has 'lockstep-counter .*Passed'
try 0 cmake -B build -DPROGRAM=../counter.c
try 8 ctest --test-dir build --output-on-failure
out_has 'lockstep-counter .*Failed'
out_has 'data race on `count`'
try 10 "$LOCKSTEP" check -q --property=assert,race,deadlock --write-baseline=lockstep.baseline ../counter.c
try 0 cmake -B build
try 0 ctest --test-dir build
