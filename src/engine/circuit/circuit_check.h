// The state of the engine while it checks a program. In reading order: circuit_query.c (one bad state),
// circuit_engine.c (goals, properties, circuits), circuit_conclude.c (the answers).
#ifndef LOCKSTEP_CIRCUIT_CHECK_H
#define LOCKSTEP_CIRCUIT_CHECK_H

#include "engine/circuit/circuit_lower.h"
#include "engine/circuit/circuit_stubborn.h"
#include "engine/engine.h"
#include "prove/prove.h"

// Bad states of the circuit: a goal is violated; an execution reaches a part that the machine omits.
enum { GOALS, OMISSIONS };
#define FOR_EVER 1e9

// The result for one property.
typedef struct circuit_result {
  prove_answer answer;
  uint32_t depth;        // number of steps up to which no violation exists
  uint32_t trivial;      // depth up to which threads have hardly interacted
  bool omissions_known;  // it is known whether the proof omits executions: `cut` and `limit` say so
  const reason *cut;     // reason why there is no proof
  const char *limit;     // bound that the omitted executions go beyond
  bool is_parametric;    // proved for any number of threads, with no execution omitted
  completion evidence;   // evidence that no computation behind the proof was cut short
} circuit_result;

typedef struct circuit_check {
  engine_run *run;
  transition_system system;
  system_reduction reduction;  // interleavings that are left out
  bool proves_without;         // proofs take all interleavings, whatever `reduction` is
  stubborn_sets sets;          // stubborn sets of the last circuit, for the statistics
  lowered circuit;
  VEC (bool) asked;  // by goal of the system
  // for the current query, which may end without an answer; what all queries share is built under run->budget
  const budget *time;
  bool looks_only;       // search for bugs only
  bool never_only;       // answer a query only if the reduced circuit has no bad state any more
  VEC (uint64_t) found;  // sources of the violated goals
  circuit_result outcomes[IR_NUM_PROPERTIES];
  uint32_t bugs;
  uint32_t asked_now;      // bit set of the properties of the current query
  uint32_t open;           // bit set of the properties for which more can be tried
  uint32_t left;           // number of open properties that have not had their turn in this round
  circuit_result omitted;  // the omissions of this circuit, valid if `omitted_known`
  bool omitted_known;
  uint64_t steps, latches, ands, clauses, obligations;
  uint32_t reached;  // length of the longest path found, or number of steps that were excluded
  const reason *doubt;
  const reason *why;  // reason of a back end that gave no answer
  // name of the property that is being proved, or of the omissions; NULL: only some of its goals are asked
  const char *proving;
  strbuf certificate;
  uint32_t unnamed;  // properties that the certificate names as those of the circuit, before its first proof
} circuit_check;

static inline bool has_property (uint32_t set, uint32_t p) { return set >> p & 1; }

// Makes a budget of a share of the remaining time, at most `most` seconds.
void circuit_start_share (budget *part, const budget *all, double share, double most);
// Decides whether the bad state is reachable, with the back ends that the options choose. *path: if it is.
prove_answer circuit_query_bad_state (circuit_check *, uint32_t bad, net_path *path);
// Leaves the answers of all properties, the statistics and the certificate in the verdict.
void circuit_conclude (circuit_check *);

#endif
