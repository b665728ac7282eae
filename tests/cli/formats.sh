# Inputs that are right: several files, .i .ll .bc, both data models, clang flags, compile_commands.json.
. "$(dirname "$0")/lib.sh"

cat >part.h <<END
extern int shared;
void *worker (void *);
END
cat >one.c <<END
#include <pthread.h>
#include "part.h"
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, worker, 0);
  shared = 2;
  pthread_join (t, 0);
  return 0;
}
END
cat >two.c <<END
#include "part.h"
int shared;
void *worker (void *a) { shared = VALUE; return a; }
END
try 10 "$LOCKSTEP" check --property=race -DVALUE=1 one.c two.c
out_has 'two.c'
try 1 "$LOCKSTEP" check --property=race one.c two.c
err_has 'VALUE'

# Two static functions of one name are both called by it.
cat >first.c <<END
#include <assert.h>
int second (void);
static int check (int x) { if (x > 1) return check (x - 1); assert (x != 1); return 0; }
int main (void) { return check (2) + second (); }
END
cat >second.c <<END
#include <assert.h>
static int check (int x) { if (x > 1) return check (x - 1); assert (x != 1); return 0; }
int second (void) { return check (2); }
END
for order in 'first.c second.c' 'second.c first.c'; do
  try 10 "$LOCKSTEP" check --property=assert $order
  out_has 'thread 0 in check: assertion'
done

flags='-O1 -Xclang -disable-llvm-passes -g'
clang-19 -E race.c -o race.i
clang-19 $flags -emit-llvm -c race.c -o race.bc
clang-19 $flags -emit-llvm -S race.c -o race.ll
for file in race.i race.bc race.ll; do
  try 10 "$LOCKSTEP" check --property=race $file
  out_has 'race.c'
done
clang-19 -DVALUE=3 $flags -emit-llvm -c two.c -o two.bc
try 10 "$LOCKSTEP" check --property=race one.c two.bc

# Data models: LP64 is the default; -m32 and --data-model=ILP32 are the same.
cat >model.c <<END
#include <assert.h>
int main (void) { assert (sizeof (long) == BYTES && sizeof (void *) == BYTES); return 0; }
END
try 0 "$LOCKSTEP" check -DBYTES=8 model.c
try 10 "$LOCKSTEP" check -DBYTES=4 model.c
try 0 "$LOCKSTEP" check -DBYTES=8 --data-model=LP64 model.c
try 0 "$LOCKSTEP" check -DBYTES=4 --data-model=ILP32 model.c
try 0 "$LOCKSTEP" check -DBYTES=4 -m32 model.c
try 10 "$LOCKSTEP" check --property=race -m32 race.c

# -I -D -include -std= and what follows `--`.
mkdir headers
echo '#define ANSWER 42' >headers/answer.h
cat >flags.c <<END
#include <assert.h>
int main (void) { assert (ANSWER == WANTED); return 0; }
END
try 0 "$LOCKSTEP" check -I headers -include answer.h -DWANTED=42 flags.c
try 0 "$LOCKSTEP" check -Iheaders -include answer.h -D WANTED=42 -std=gnu11 flags.c
try 10 "$LOCKSTEP" check -DANSWER=1 -DWANTED=2 flags.c
try 0 "$LOCKSTEP" check flags.c -- -DANSWER=3 -DWANTED=3
cat >standard.c <<END
#include <assert.h>
int main (void) { assert (__STDC_VERSION__ == 199901L); return 0; }
END
try 0 "$LOCKSTEP" check -std=c99 standard.c
try 10 "$LOCKSTEP" check -std=c11 standard.c

# A file name with a space and one that begins with a dash.
cp race.c 'with space.c'
try 10 "$LOCKSTEP" check --property=race 'with space.c'

# compile_commands.json, with `arguments` and with `command`, files relative to `directory`.
mkdir build src2
cp one.c two.c part.h src2
cat >build/compile_commands.json <<END
[{"directory": "$work/src2", "file": "one.c", "arguments": ["cc", "-O2", "-c", "one.c", "-o", "one.o"]},
 {"directory": "$work/src2", "file": "$work/src2/two.c", "command": "cc -DVALUE=\"1 + 1\" -c two.c -o two.o"}]
END
try 10 "$LOCKSTEP" check --property=race -p build
try 10 "$LOCKSTEP" check --property=race -p build --entry main
out_has 'two.c'
mkdir nothing
try 1 "$LOCKSTEP" check -p nothing
err_has 'compile_commands.json'
mkdir badly
echo '{]' >badly/compile_commands.json
try 1 "$LOCKSTEP" check -p badly
err_has 'compile_commands.json'
mkdir hollow
echo '[]' >hollow/compile_commands.json
try 1 "$LOCKSTEP" check -p hollow
err_has 'compile_commands.json'
