# The man page, `help table` and the completions: every option and value is in them, and the tools that read them do not
# complain.
. "$(dirname "$0")/lib.sh"

try 0 "$LOCKSTEP" help table
cp "$out" table
is_true 'every line has its fields' awk -F '\t' '
  ($1 == "command" && NF == 4) || ($1 == "topic" && NF == 3) || ($1 == "option" && NF == 8) ||
    ($1 == "way" && NF == 4) { next }
  { bad = 1; print } END { exit bad }' table
for command in check run replay ir circuit abstract; do
  "$LOCKSTEP" help $command | sed -n 's/^  \(-[a-zA-Z0-9-]*\).*/\1/p' | grep -v '^--$' | sort >by-help
  awk -F '\t' -v c=$command '$1 == "option" && index ("," $4 ",", "," c ",") { print $2 }' table | sort >by-table
  is_true "the options of $command" cmp by-help by-table
done

try 0 "$ROOT/tools/make-man" "$LOCKSTEP" "$ROOT/docs/man/lockstep.1.in"
cp "$out" lockstep.1
is_true 'nothing is left to fill in' sh -c '! grep -n "^@" lockstep.1'
cut -f 2 table | grep '^-' | sed 's/-/\\\\-/g' | while read -r name; do
  grep -q "^\.B $name" lockstep.1 || echo "$name"
done >missing
is_true 'every option is there' test ! -s missing
if command -v mandoc >/dev/null 2>&1; then
  mandoc -Tlint -Wwarning lockstep.1 | grep -v 'missing date' >complaints
  is_true 'mandoc has nothing to say' test ! -s complaints
fi
if command -v man >/dev/null 2>&1; then
  LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l lockstep.1 >/dev/null 2>complaints
  is_true 'man has nothing to say' test ! -s complaints
fi

# bash: completes WORDS... prints what is offered for the last word.
cat >completes <<END
. "$ROOT/completions/lockstep.bash"
compopt () { :; }
COMP_WORDS=("$LOCKSTEP" "\$@")
COMP_CWORD=\$#
_lockstep
printf '%s\n' "\${COMPREPLY[@]}"
END
# offers EXPECTED WORDS...
offers () {
  expected=$1
  shift
  try 0 bash completes "$@"
  is_true "offers $expected" test "$(tr '\n' ' ' <"$out")" = "$expected "
}
offers 'check' ch
offers 'circuit' ci
offers 'replay' rep
offers '--baseline=' check --basel
offers '--explain' replay --expl
offers 'lazy locks' check --engine = l
offers 'order' check --engine = o
offers 'dfs' check --search = d
offers 'race' check --property = ra
offers 'safe.c' check saf
offers 'safe.c' check --json = saf
offers 'baseline' help base
for command in check run replay ir circuit abstract; do
  try 0 bash completes $command -
  sed 's/=$//' "$out" | sort >offered
  awk -F '\t' -v c=$command '$1 == "option" && index ("," $4 ",", "," c ",") { print $2 }' table | sort >by-table
  is_true 'every option is offered' cmp offered by-table
done

PATH=$(dirname "$LOCKSTEP"):$PATH
if command -v fish >/dev/null 2>&1; then
  try 0 fish -c "source $ROOT/completions/lockstep.fish; complete -C 'lockstep check --engine l'; \
    complete -C 'lockstep check --write'"
  out_has '^locks'
  out_has '^--write-baseline'
fi
if command -v zsh >/dev/null 2>&1; then
  # In place of zsh's own function, one that prints the specifications it would get.
  try 0 zsh -fc "words=(lockstep check x); CURRENT=3; _arguments () { print -rl -- \"\$@\" }; . \
    $ROOT/completions/_lockstep"
  out_has '^\*--engine=\[.*\]:value:(auto .*locks.*)$'
  out_has '^\*--html=\[.*\]:file:_files$'
  out_has '^\*--explain\['
fi
