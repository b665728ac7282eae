# Flags for clang that come from files must neither run code nor write files: compile_commands.json, reports,
# certificates, circuits.
. "$(dirname "$0")/lib.sh"

# A compiler that loads it runs it.
cat >evil.c <<END
#include <stdio.h>
__attribute__ ((constructor)) static void run (void) { FILE *f = fopen ("$work/pwned", "w"); if (f) fclose (f); }
END
cc -shared -fPIC -o evil.so evil.c
evil=$work/evil.so
cat >safe2.c <<END
int main (void) { return VALUE; }
END
echo "-fplugin=$evil" >more.rsp
echo "-fplugin=$evil" >more.cfg

# For a graphics processor clang asks a program which one there is, and at last takes one of the folder that it works
# in.
printf '#!/bin/sh\ntouch %s/pwned\necho gfx90a\n' "$work" >amdgpu-arch
chmod +x amdgpu-arch
cp amdgpu-arch nvptx-arch

# database WORDS: the words of the command, as JSON
database () {
  mkdir -p db
  printf '[{"directory": "%s", "file": "%s/safe2.c", "arguments": ["cc", %s, "-DVALUE=0", "-c", "%s/safe2.c"]}]' \
    "$work" "$work" "$1" "$work" \
    >db/compile_commands.json
}
untouched () {
  is_true 'no foreign code was run' test ! -e "$work/pwned"
  is_true 'no other file was written' test "$(ls -A "$work" | grep -v '^\.' | sort)" = "$before"
  is_true 'one line names the flags' test "$(grep -c 'left out' "$err")" -eq 1
}
before=$(ls -A "$work" | grep -v '^\.'; echo db)
before=$(printf '%s\n' "$before" | sort)

attack () {
  database "$1"
  try 0 "$LOCKSTEP" check -p db
  err_has "$2"
  untouched
}
attack "\"-fplugin=$evil\"" '-fplugin='
attack "\"-fpass-plugin=$evil\"" '-fpass-plugin='
attack "\"-Xclang\", \"-load\", \"-Xclang\", \"$evil\"" '-Xclang -load'
attack "\"-Wp,-load,$evil\"" '-Wp,-load'
attack "\"-mllvm\", \"-load=$evil\"" '-mllvm'
attack "\"@$work/more.rsp\"" '@'
attack "\"-I\", \"@$work/more.rsp\"" '@'
attack "\"-D\", \"@$work/more.rsp\"" '@'
attack "\"--config=$work/more.cfg\"" '--config='
attack "\"--config\", \"$work/more.cfg\"" '--config'
attack "\"--target=../../../../../../../..$work/more\"" '--target='
attack "\"-Xclang\", \"-fplugin=$evil\", \"-std=c11\"" '-Xclang -fplugin'
attack '"--target=nvptx64-nvidia-cuda", "-march=native"' '--target=nvptx64'
attack '"--target=amdgcn-amd-amdhsa", "-mcpu=native"' '--target=amdgcn'
attack '"-target", "amdgcn-amd-amdhsa", "-mcpu=native"' '-target'
for system in amd-amdhsa amd-amdpal linux-mesa3d nvidia-cuda; do
  attack "\"--target=x86_64-$system\", \"-mcpu=native\", \"-march=native\"" "--target=x86_64-$system"
done
attack "\"-ftime-trace=$work/trace.json\"" '-ftime-trace='
attack '"-ftime-trace"' '-ftime-trace'
attack "\"-foptimization-record-file=$work/record.yaml\"" '-foptimization-record-file='
attack "\"-fmodules\", \"-fmodules-cache-path=$work/cache\"" '-fmodules-cache-path='
attack "\"-fcrash-diagnostics-dir=$work/crash\"" '-fcrash-diagnostics-dir='
attack "\"--serialize-diagnostics\", \"$work/said.dia\"" '--serialize-diagnostics'
attack '"-save-temps"' '-save-temps'
attack '"-save-temps=cwd"' '-save-temps'
attack "\"-MJ\", \"$work/commands.json\"" '-MJ'
attack "\"-Xclang\", \"-dependency-file\", \"-Xclang\", \"$work/dep\"" '-dependency-file'
attack "\"-working-directory=/\"" '-working-directory'

# The attack is real: with all flags trusted, it runs.
database "\"-fplugin=$evil\""
"$LOCKSTEP" check -p db --trust-flags >"$out" 2>"$err" </dev/null
what='check -p db --trust-flags'
is_true 'trusted flags are taken' test -e pwned
err_lacks 'left out'
rm -f pwned

# Harmless ones are taken and give no message.
database '"-std=gnu11", "-Wall", "-Iinclude", "-O2", "-g", "-fPIC", "-pthread", "-MD", "-MF", "x.d", "-o", "x.o"'
try 0 "$LOCKSTEP" check -p db
err_lacks 'left out'

# The compiler that the database names is not run, nor one from its folder that is called as ours.
printf '#!/bin/sh\ntouch %s/pwned\n' "$work" >clang-19
chmod +x clang-19
cp clang-19 my-cc
printf '[{"directory": "%s", "file": "safe.c", "arguments": ["./my-cc", "-c", "safe.c"]}]' "$work" \
  >db/compile_commands.json
try 0 env PATH=".:$PATH" "$LOCKSTEP" check -p db
is_true 'the compiler of the database is not run' test ! -e pwned
rm -f clang-19 my-cc

# Folders of programs and libraries that are no absolute paths would lie in the folder that the database names.
mkdir loaded
for library in $(ldd "$(command -v clang-19)" | sed -n 's|.*=> .*/\([^/ ]*\) .*|\1|p'); do
  echo no library >loaded/$library
done
cp safe.c loaded
printf '[{"directory": "%s/loaded", "file": "safe.c", "arguments": ["cc", "-c", "safe.c"]}]' "$work" \
  >db/compile_commands.json
for folders in . : ":$work" "$work::$work/odd"; do try 0 env LD_LIBRARY_PATH="$folders" "$LOCKSTEP" check -p db; done
rm -r loaded

# Environment variables that make clang do more.
try 0 env CCC_OVERRIDE_OPTIONS="+-fplugin=$evil" "$LOCKSTEP" check safe.c
is_true 'nothing was loaded' test ! -e pwned
try 0 env CC_PRINT_OPTIONS=1 CC_PRINT_OPTIONS_FILE="$work/leak" CC_PRINT_HEADERS=1 CC_PRINT_HEADERS_FILE="$work/leak" \
  DEPENDENCIES_OUTPUT="$work/leak" \
  "$LOCKSTEP" check safe.c
is_true 'nothing was written' test ! -e leak

# A file name is no flag.
cp safe.c ./@more.c
echo "-fplugin=$evil" >more.c
try 0 "$LOCKSTEP" check @more.c
is_true 'nothing was loaded' test ! -e pwned
mkdir odd
cp safe.c "odd/-fplugin=evil.c"
cat >db/compile_commands.json <<END
[{"directory": "$work/odd", "file": "-fplugin=evil.c", "arguments": ["cc", "-c", "--", "-fplugin=evil.c"]},
 {"directory": "$work", "file": "@more.c", "arguments": ["cc", "-c", "@more.c"]}]
END
"$LOCKSTEP" check -p db >"$out" 2>"$err" </dev/null
is_true 'nothing was loaded' test ! -e pwned

# clang writes no report of its crash.
mkdir crash
echo '#pragma clang __debug crash' >crashes.c
try 1 env TMPDIR="$work/crash" "$LOCKSTEP" check crashes.c
is_true 'no crash report was written' test -z "$(ls crash)"
# Nor does it start the program that would name the functions on its stack.
mkdir bin
printf '#!/bin/sh\ntouch %s/pwned\n' "$work" >bin/llvm-symbolizer
chmod +x bin/llvm-symbolizer
try 1 env PATH="$work/bin:$PATH" "$LOCKSTEP" check crashes.c
is_true 'no other program was started' test ! -e pwned

# A header that -include names is read as it is, also if clang finds a precompiled one beside it.
echo '#define VALUE 0' >value.h
echo '#define VALUE 1' >other.h
for ending in pch gch; do
  clang-19 -x c-header other.h -o value.h.$ending
  database "\"-include\", \"$work/value.h\""
  sed 's/, "-DVALUE=0"//' db/compile_commands.json >db/new && mv db/new db/compile_commands.json
  try 0 "$LOCKSTEP" run -p db
  try 0 "$LOCKSTEP" run -include value.h safe2.c
  rm value.h.$ending
done

# Flags that a report, a certificate or a circuit records.
try 10 "$LOCKSTEP" check --property=race --json=report.json race.c
python3 - "$evil" <<'END'
import json, sys
j = json.load (open ("report.json"))
j["options"]["clang_flags"] = ["-fplugin=" + sys.argv[1], "-DHARMLESS"]
json.dump (j, open ("evil.json", "w"))
END
try 10 "$LOCKSTEP" replay -q evil.json
err_has '-fplugin='
is_true 'nothing was loaded' test ! -e pwned
"$LOCKSTEP" replay -q --trust-flags evil.json >"$out" 2>"$err" </dev/null
what='replay --trust-flags'
is_true 'trusted flags are taken' test -e pwned
rm -f pwned
database "\"-fplugin=$evil\""
python3 - <<'END'
import json
j = json.load (open ("report.json"))
j["options"]["p"] = "db"
j["options"]["trust-flags"] = True
json.dump (j, open ("evil.json", "w"))
END
"$LOCKSTEP" replay -q evil.json >"$out" 2>"$err" </dev/null
what='replay of a report that trusts itself'
is_true 'nothing was loaded' test ! -e pwned

cat >assert.c <<END
#include <assert.h>
int x;
int main (void) { x = 1; assert (x == 1); return 0; }
END
try 0 "$LOCKSTEP" check --engine=circuit --property=assert --certificate=proof.txt assert.c
sed "s|^file |flag -fplugin=$evil\\nfile |" proof.txt >evil.txt
"$LOCKSTEP" circuit --check-certificate=evil.txt >"$out" 2>"$err" </dev/null
what='circuit --check-certificate=evil.txt'
err_has '-fplugin='
is_true 'nothing was loaded' test ! -e pwned
try 0 "$LOCKSTEP" circuit -q -o x.aag assert.c
sed "s|^file |flag -fplugin=$evil\\nfile |" x.aag >evil.aag
echo 1 >witness
"$LOCKSTEP" replay --aiger=evil.aag witness >"$out" 2>"$err" </dev/null
what='replay --aiger=evil.aag'
err_has '-fplugin='
is_true 'nothing was loaded' test ! -e pwned
for line in '-I=x' '-j=3' '--json=safe.c' '--trust-flags' '-D' '--no-such'; do
  sed "s|^file |option $line\\nfile |" x.aag >evil.aag
  try 1 "$LOCKSTEP" replay --aiger=evil.aag witness
  err_has 'does not write'
done
