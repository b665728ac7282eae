# tools/benchexec/lockstep.py: real runs of lockstep, read by the module; BenchExec itself is a stand-in of the few
# classes it uses.
. "$(dirname "$0")/lib.sh"

mkdir -p benchexec/tools
touch benchexec/__init__.py benchexec/tools/__init__.py
cat >benchexec/result.py <<END
RESULT_UNKNOWN, RESULT_ERROR, RESULT_TRUE_PROP, RESULT_FALSE_PROP = "unknown", "ERROR", "true", "false"
RESULT_FALSE_DEREF, RESULT_FALSE_FREE = "false(valid-deref)", "false(valid-free)"
END
cat >benchexec/tools/template.py <<END
import subprocess
class UnsupportedFeatureException (Exception): pass
class BaseTool2:
  def _version_from_tool (self, executable, line_prefix):
    line = subprocess.run ([executable, "--version"], stdout=subprocess.PIPE, text=True).stdout
    return line[len (line_prefix):].strip ()
END
cat >ask.py <<END
# ask.py PROGRAM PROPERTY_FILE DATA_MODEL SECONDS OPTION...: prints what BenchExec would show
import sys, subprocess
from types import SimpleNamespace as Some
sys.path[:0] = [".", "$ROOT/tools/benchexec"]
sys.dont_write_bytecode = True
import lockstep
program, property_file, data_model, seconds, *options = sys.argv[1:]
tool = lockstep.Tool ()
executable = tool.executable (Some (find_executable=lambda name, subdir: "$LOCKSTEP"))
model = {"data_model": data_model} if data_model else None
task = Some (property_file=property_file or None, options=model, input_files=[program])
command = tool.cmdline (executable, options, task, Some (cputime=int (seconds) or None, walltime=None, memory=None))
run = subprocess.run (command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
output = run.stdout.splitlines (keepends=True)
print (tool.name (), tool.version (executable), *command[1:])
print (tool.determine_result (Some (output=output, exit_code=Some (value=run.returncode))))
END
answer () {
  expected=$1
  shift
  try 0 python3 ask.py "$@"
  last_line "$expected\$"
}

echo 'CHECK( init(main()), LTL(G ! data-race) )' >no-data-race.prp
echo 'CHECK( init(main()), LTL(G valid-deref) )' >valid-deref.prp
echo 'CHECK( init(main()), LTL(F end) )' >termination.prp
cat >null.c <<END
int main (void) { int *p = 0; return *p; }
END
cat >external.c <<END
extern _Bool mystery (int);
int main (void) { return mystery (3) ? 1 : 2; }
END
answer 'false(no-data-race)' race.c no-data-race.prp LP64 60
out_has '^lockstep [0-9.]* check --property=no-data-race.prp --data-model=LP64 --timeout=57 race.c'
answer 'true' safe.c no-data-race.prp ILP32 0
out_has '--data-model=ILP32 safe.c'
answer 'false(valid-deref)' null.c valid-deref.prp '' 60
answer 'false(unreach-call)' "$EXAMPLES/counter.c" '' '' 60 --property=assert
answer 'false(no-deadlock)' "$EXAMPLES/philosophers.c" '' '' 60 --property=deadlock
answer 'unknown(bounded)' external.c no-data-race.prp '' 60
answer 'unknown' "$EXAMPLES/philosophers.c" '' '' 60 --property=deadlock --engine=locks
answer 'ERROR(input)' missing.c no-data-race.prp '' 60
answer 'ERROR(input)' safe.c termination.prp '' 60
try 1 python3 ask.py safe.c no-data-race.prp LLP64 60
err_has 'ILP32 and LP64'
