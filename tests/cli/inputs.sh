# Inputs that are wrong: each gets a message that names the file and what is the matter, and exit code 1.
. "$(dirname "$0")/lib.sh"

try 1 "$LOCKSTEP" check missing.c
err_has 'missing.c'
mkdir folder.c
try 1 "$LOCKSTEP" check folder.c
err_has 'folder.c'
try 1 "$LOCKSTEP" check safe.txt
err_has 'safe.txt'
cp safe.c unreadable.c
chmod 000 unreadable.c
if [ ! -r unreadable.c ]; then   # root reads everything
  try 1 "$LOCKSTEP" check unreadable.c
  err_has 'unreadable.c'
fi

# clang's own message is passed on, with the line and the caret.
cat >broken.c <<END
int main (void) {
  int x = ;
  return undeclared;
}
END
try 1 "$LOCKSTEP" check broken.c
err_has 'broken.c:2:11: error: expected expression'
err_has "use of undeclared identifier 'undeclared'"
try 1 "$LOCKSTEP" check safe.c broken.c
err_has 'broken.c:2'
try 1 "$LOCKSTEP" run broken.c
err_has 'broken.c:2'

# Warnings of clang do not stop anything.
cat >warns.c <<END
#include <stdio.h>
int main (void) { printf ("%d\n", "text"); return 0; }
END
try 0 "$LOCKSTEP" check warns.c

cat >nomain.c <<END
int f (void) { return 1; }
END
try 1 "$LOCKSTEP" check nomain.c
err_has 'main'
try 0 "$LOCKSTEP" check --entry=f nomain.c
try 1 "$LOCKSTEP" check --entry=g nomain.c
err_has '\bg\b'
: >empty.c
try 1 "$LOCKSTEP" check empty.c
err_has 'main'

# The same symbol twice: the linker's complaint, not a crash.
try 1 "$LOCKSTEP" check safe.c race.c
err_has 'main'

# Bitcode and LLVM assembly that are cut, empty, or something else.
clang-19 -O1 -Xclang -disable-llvm-passes -g -emit-llvm -c race.c -o race.bc
size=$(wc -c <race.bc)
for cut in 0 1 4 100 $((size / 2)) $((size - 4)); do
  head -c "$cut" race.bc >cut.bc
  try 1 "$LOCKSTEP" check cut.bc
  err_has 'cut.bc'
done
cp race.c text.bc
try 1 "$LOCKSTEP" check text.bc
err_has 'text.bc'
echo 'define i32 @main( {' >bad.ll
try 1 "$LOCKSTEP" check bad.ll
err_has 'bad.ll'

# Traces to replay.
try 1 "$LOCKSTEP" replay missing.json
err_has 'missing.json'
echo '{"tool": "lockstep"' >bad.json
try 1 "$LOCKSTEP" replay bad.json
err_has 'bad.json'
echo '[1, 2, 3]' >other.json
try 1 "$LOCKSTEP" replay other.json
err_has 'other.json'
try 1 "$LOCKSTEP" replay
