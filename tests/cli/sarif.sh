# --sarif: the log that editors and code scanning read.  The official schema is looked at by `make test-formats`.
. "$(dirname "$0")/lib.sh"

cp "$EXAMPLES/counter.c" "$EXAMPLES/counter-fixed.c" "$EXAMPLES/philosophers.c" .
run="j['runs'][0]"
results="$run['results']"
race="[r for r in $results if r['ruleId'] == 'race'][0]"

try 10 "$LOCKSTEP" check --sarif=report.json counter.c
last_line 'VERDICT: BUG'
json_is "j['version'] == '2.1.0' and 'sarif-schema-2.1.0.json' in j['\$schema'] and len (j['runs']) == 1"
json_is "$run['tool']['driver']['name'] == 'lockstep' and $run['tool']['driver']['version']"
json_is "all ($run['tool']['driver']['rules'][r['ruleIndex']]['id'] == r['ruleId'] for r in $results)"
json_is "all (r['shortDescription']['text'] and r['fullDescription']['text'] and r['help']['markdown'] and len \
  (r['properties']['tags']) <= 10 for r in $run['tool']['driver']['rules'])"
json_is "{r['ruleId'] for r in $results} == {'assert', 'race'} and all (r['level'] == 'error' for r in $results)"
json_is "$race['locations'][0]['physicalLocation']['artifactLocation'] == {'uri': 'counter.c', 'uriBaseId': \
  '%SRCROOT%', 'index': 0}"
json_is "$race['locations'][0]['physicalLocation']['region'] == {'startLine': 10, 'startColumn': 8}"
json_is "$race['relatedLocations'][0]['message']['text'] == 'thread 2: read of \`count\`'"
json_is "[t['id'] for t in $race['codeFlows'][0]['threadFlows']] == ['thread 0', 'thread 1', 'thread 2']"
json_is "$race['codeFlows'][0]['threadFlows'][1]['locations'][1]['state'] == {'count': {'text': '0'}}"
json_is "len ({t['locations'][-1]['executionOrder'] for t in $race['codeFlows'][0]['threadFlows'][1:]}) == 1"
json_is "$run['originalUriBaseIds']['%SRCROOT%']['uri'].startswith ('file:///') and \
  $run['originalUriBaseIds']['%SRCROOT%']['uri'].endswith ('/')"
json_is "$run['artifacts'][0]['hashes']['sha-256'] == __import__ ('hashlib').sha256 (open ('counter.c', 'rb').read \
  ()).hexdigest ()"
json_is "$run['invocations'][0]['exitCode'] == 10 and $run['invocations'][0]['executionSuccessful']"

# A fingerprint survives lines that are added above, and another run.
python3 -c "import json
print ([r['partialFingerprints'] for r in json.load (open ('report.json'))['runs'][0]['results']])" >before
{ echo '// one'; echo '// two'; cat counter.c; } >longer && mv longer counter.c
try 10 "$LOCKSTEP" check --sarif=report.json counter.c
json_is "$race['locations'][0]['physicalLocation']['region']['startLine'] == 12"
json_is "str ([r['partialFingerprints'] for r in $results]) == open ('before').read ().strip ()"

# Where the locks of a deadlock were taken.
try 10 "$LOCKSTEP" check --property=deadlock --sarif=report.json philosophers.c
json_is "sum (' takes \`fork_lock[' in l['message']['text'] for l in $results[0]['relatedLocations']) == 3"
json_is "[l['id'] for l in $results[0]['relatedLocations']] == list (range (1, 1 + len \
  ($results[0]['relatedLocations'])))"

# Possible findings are warnings, with call stacks.
try 5 "$LOCKSTEP" check --engine=locks --property=deadlock --sarif=report.json philosophers.c
json_is "$results and all (r['level'] == 'warning' and r['properties']['certainty'] == 'possible' and r['stacks'] for \
  r in $results)"
json_is "all (f['location']['logicalLocations'] for r in $results for s in r['stacks'] for f in s['frames'])"
json_is "not $run['invocations'][0]['executionSuccessful']"

# Other questions have rules of their own.
try 5 "$LOCKSTEP" check --ltl='E F acquired(m)' --sarif=report.json counter-fixed.c
json_is "[(r['ruleId'], r['level']) for r in $results] == [('ltl', 'warning')] and \
  $run['invocations'][0]['properties']['answers'] == {'ltl': 'unknown'}"
try 10 "$LOCKSTEP" check --reach-pair=10,10 --sarif=report.json "$EXAMPLES/counter.c"
json_is "[r['ruleId'] for r in $results] == ['reach-pair']"

# Nothing found, bounds, reasons.
try 0 "$LOCKSTEP" check --sarif=report.json counter-fixed.c
json_is "$results == [] and $run['invocations'][0]['exitCode'] == 0 and len ($run['artifacts']) == 1"
cat >external.c <<END
extern _Bool mystery (int);
int main (void) { return mystery (3) ? 1 : 2; }
END
try 11 "$LOCKSTEP" check --sarif=report.json external.c
json_is "any (n['descriptor']['id'] == 'bound' and n['level'] == 'warning' and 'mystery' in n['message']['text'] for n \
  in $run['invocations'][0]['toolExecutionNotifications'])"

# Names that a URI must escape; files outside of the working directory.
mkdir 'a folder'
cp "$EXAMPLES/counter.c" 'a folder/r&s.c'
try 10 "$LOCKSTEP" check --property=race --sarif=report.json 'a folder/r&s.c'
json_is "$run['artifacts'][0]['location'] == {'uri': 'a%20folder/r%26s.c', 'uriBaseId': '%SRCROOT%'}"
cd 'a folder' || exit 1
try 10 "$LOCKSTEP" check --property=race --sarif=../report.json ../counter.c
cd ..
json_is "$run['artifacts'][0]['location']['uri'].startswith ('file:///') and 'uriBaseId' not in \
  $run['artifacts'][0]['location']"

# Findings that a baseline accepts are suppressed, not gone.
cp "$EXAMPLES/counter.c" .
try 10 "$LOCKSTEP" check --property=race --write-baseline=accepted counter.c
try 0 "$LOCKSTEP" check --property=race --baseline=accepted --sarif=report.json counter.c
json_is "len ($results) == 1 and $results[0]['suppressions'][0]['kind'] == 'external'"

for place in /dev/full no/such/folder/report.sarif .; do
  try 1 "$LOCKSTEP" check --sarif=$place race.c
  err_has "$(basename $place)"
done
