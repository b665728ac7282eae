# help, its topics, --version.
. "$(dirname "$0")/lib.sh"

try 0 "$LOCKSTEP" help
out_has 'check'
out_has 'replay'
try 0 "$LOCKSTEP" --help
try 0 "$LOCKSTEP" --version
out_has '^lockstep [0-9]'
try 0 "$LOCKSTEP" check --help
out_has '--property'
out_has '--timeout'
topics=$("$LOCKSTEP" help | sed -n '/^topics:/,$ s/^  \([a-z-]*\) .*/\1/p')
is_true 'there are topics' test "$(echo $topics | wc -w)" -ge 5
for topic in $topics check run replay ir circuit abstract; do
  try 0 "$LOCKSTEP" help "$topic"
  is_true 'has something to say' test "$(wc -l <"$out")" -ge 3
done
try 1 "$LOCKSTEP" help nosuchtopic
err_has 'nosuchtopic'
