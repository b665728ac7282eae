// The limits of what lockstep analyses, in one table.  Beyond such a limit an answer may be weaker: unknown, within
// bounds, a possible finding in place of a proof, or a finding that is not listed.  Numbers that only tune speed,
// memory or layout stay with the code.
//
//   if (at_limit (ESCAPE_CONTEXTS, contexts.count)) return shared;    // count >= LIMIT_ESCAPE_CONTEXTS, and records it
//   if (over_limit (BOOLEAN_CALLS, depth)) ...                        // count > LIMIT_BOOLEAN_CALLS, and records it
//
// The report of a run names the limits that it has met.  The record is one byte per limit, in memory that child
// processes share: a worker that is killed loses nothing, and its protocol needs no message for limits.  Bytes are only
// ever set, so no order matters.
//
// docs/limits.md shows the table to users; `tools/make-limits` writes that page, and `make test` compares the two.
#ifndef LOCKSTEP_LIMITS_H
#define LOCKSTEP_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

// X (NAME, value, "the part of lockstep", "what is counted", "what happens beyond the limit")
#define LIMITS(X) \
  X (FILE_BYTES, 1073741824, "reading files", "bytes of one file", \
     "a larger file is refused") \
  X (SOURCE_BYTES, 16777216, "reading files", "bytes of a source file that the report quotes", \
     "no line of a larger one is shown") \
  X (PROPERTY_BYTES, 65536, "reading files", "characters of a property file besides comments", \
     "the file is refused") \
  X (IR_EXPRESSION_DEPTH, 400, "reading a program as text", "expressions inside one another", \
     "the program is refused") \
  X (SETTLED_BYTES, 256, "invented values", "bytes of a global variable that is tried with another value", \
     "a larger one keeps its value, so a finding may stay conditional") \
  X (ARGUMENTS, 16, "front end", "words of the command line that are distinguished", \
     "more words are not tried, and the bounds name the number of those that are") \
  X (ARGUMENT_INDEX, 7, "front end", "as a constant index into argv", \
     "a larger one counts as any index, and the bounds name the largest argc") \
  X (CALLBACK_DEPTH, 4, "front end", "calls inside one another in a function that is passed to one without a body", \
     "the report assumes that such a function is not called, even if it changes nothing") \
  X (CONST_DEPTH, 4, "front end", "structures inside one another in what a pointer to const leads to", \
     "pointers further inside count as pointers to const") \
  X (EXTERNAL_PLACES, 12, "front end", "places that the address returned by a function without a body may be", \
     "the other places are not tried") \
  X (HANDLER_DEPTH, 4, "front end", "structures inside one another around a function pointer", \
     "it is not known which function that is, so the report names none") \
  X (UNKNOWN_DEPTH, 2, "front end", "pointers in a row from a variable whose contents come from outside", \
     "the pointers behind them lead to no object") \
  X (UNKNOWN_OBJECTS, 100, "front end", "objects that stand for memory from outside", \
     "further pointers from outside lead to no object") \
  X (UNKNOWN_POINTERS, 16, "front end", "elements of an array from outside whose pointers lead to objects", \
     "the pointers in further elements lead to no object") \
  X (WIDE_WORDS, 64, "front end", "words of 64 bits in one integer", \
     "an operation on a wider one is unsupported") \
  X (BOOLEAN_STATEMENTS, 2000000, "Boolean programs", "statements after inlining the calls", \
     "the program is refused") \
  X (BOOLEAN_CALLS, 300, "Boolean programs", "calls inside one another", \
     "the program is refused") \
  X (BOOLEAN_HANDED_ON, 64, "Boolean programs", "locals that a new thread needs of its creator", \
     "the program is refused") \
  X (BOOLEAN_NESTING, 500, "Boolean programs", "statements inside one another", \
     "the program is refused") \
  X (BOOLEAN_RESULTS, 100000, "Boolean programs", "results of one procedure", \
     "the program is refused") \
  X (BOOLEAN_DEPTH, 1000, "Boolean programs", "expressions inside one another", \
     "the program is refused") \
  X (BOOLEAN_OPERANDS, 1048576, "Boolean programs", "operands of one chain of operators", \
     "the program is refused") \
  X (ESCAPE_CONTEXTS, 16, "escape analysis", "contexts of one procedure", \
     "further calls share one context, in which nothing is known of the arguments") \
  X (ESCAPE_SOURCES, 1024, "escape analysis", "places of one procedure where addresses come from", \
     "objects from further places count as known to other threads") \
  X (ESCAPE_PARAMETERS, 21, "escape analysis", "parameters of one procedure", \
     "what further arguments point to counts as known to other threads") \
  X (POINTSTO_TARGETS, 1000, "points-to analysis", "targets of one pointer", \
     "such pointers share their targets, and the offsets of these count as not known") \
  X (POINTSTO_CLASSES, 256, "points-to analysis", "kinds of words of one object", \
     "further words are not distinguished") \
  X (THREAD_RESTARTS, 100, "analysis of creation and joining", "attempts with weaker assumptions", \
     "nothing is known of which threads may run at once") \
  X (THREAD_ROUNDS, 200, "analysis of creation and joining", "rounds over the program", \
     "nothing is known of which threads may run at once") \
  X (THREAD_MEMBERS, 512, "analysis of creation and joining", \
     "kinds of threads, handles and objects that hold these", \
     "further ones are not distinguished, or nothing is known of which threads may run at once") \
  X (THREAD_NODES, 30000, "analysis of creation and joining", "places with what is known there", \
     "nothing is known of which threads may run at once") \
  X (THREAD_LOOP_PAIRS, 256, "analysis of creation and joining", \
     "pairs of a loop that creates threads and one that joins them", \
     "of further pairs it is not known that all threads are joined") \
  X (TICKET_RUNS, 256, "analysis of tickets", "numbers drawn from one counter", \
     "the counter has no known end") \
  X (FORMULA_DEPTH, 200, "formulas", "formulas inside one another", \
     "the formula is refused") \
  X (FORMULA_ATOMS, 64, "formulas", "propositions", \
     "the formula is refused") \
  X (FORMULA_OPERATORS, 64, "formulas", "temporal operators", \
     "the formula is too large, and the answer unknown") \
  X (FORMULA_TERMS, 4096, "formulas", "terms of the automaton under construction", \
     "the formula is too large, and the answer unknown") \
  X (AUTOMATON_STATES, 20000, "formulas", "states of the automaton", \
     "the formula is too large, and the answer unknown") \
  X (WITNESS_STEPS, 1048576, "circuits in files", "steps of a circuit without inputs", \
     "the witness is refused") \
  X (LIFTED_STEPS, 1048576, "circuits", "steps of a counterexample of the circuit as it was before reductions", \
     "the counterexample is dropped") \
  X (LIFTED_INPUT_BYTES, 134217728, "circuits", "bytes of the inputs of such a counterexample", \
     "the counterexample is dropped") \
  X (BDD_VARIABLES, 20000, "decision diagrams", "latches and inputs", \
     "decision diagrams are not tried") \
  X (BDD_NODES, 12000000, "decision diagrams", "nodes in 2 GB of memory, or as many as the memory limit allows", \
     "decision diagrams are given up") \
  X (LIVE_COUNTED, 100, "circuits, what happens again and again", "times that the counting circuit counts", \
     "no bound up to there is a proof; the other back ends continue") \
  X (LIVE_PATH_LENGTH, 300, "circuits, what happens again and again", \
     "steps of the paths that are checked for an end", \
     "longer paths prove nothing; the other back ends continue") \
  X (ABSTRACT_EFFORT, 2, "predicate abstraction", \
     "times that an imprecise abstraction is computed with more effort", \
     "the answer is unknown") \
  X (ABSTRACT_TOGETHER, 12, "predicate abstraction", \
     "predicates of one step whose new values are related to one another", \
     "further ones are taken one at a time, and the abstraction is coarser") \
  X (ABSTRACT_LEARNT, 2000, "predicate abstraction", "clauses that paths have taught", \
     "from then on only new predicates exclude paths") \
  X (ABSTRACT_PREDICATES, 1000, "predicate abstraction", "predicates", \
     "the answer is unknown") \
  X (ABSTRACT_STATE_BITS, 30000, "predicate abstraction", "bits of the program's state", \
     "the answer is unknown") \
  X (MACHINE_BUILDS, 100, "finite-state machines", \
     "attempts to build the machine, each knowing more of the program", \
     "the answer is unknown") \
  X (MACHINE_THREADS, 32, "finite-state machines", "threads", \
     "executions with more are not followed") \
  X (MACHINE_REPEATS, 4, "finite-state machines", "threads or objects made at one place whose number is not known", \
     "executions that make more are not followed") \
  X (MACHINE_RECURSION, 3, "finite-state machines", "calls of one procedure inside one another", \
     "deeper recursion is not followed") \
  X (MACHINE_OBJECT_BYTES, 65536, "finite-state machines", "bytes of one object", \
     "executions with a larger one are not followed") \
  X (MACHINE_POINTS, 100000, "finite-state machines", "control points", \
     "the answer is unknown") \
  X (MACHINE_CHOICES, 4096, "finite-state machines", "places that one access with an index may mean", \
     "executions that come there are not followed") \
  X (MACHINE_ROUNDS, 16, "finite-state machines", "rounds of a loop that makes threads or objects", \
     "the loop stays as it is, and its number of threads counts as not known") \
  X (MACHINE_ROUND_POINTS, 4000, "finite-state machines", "control points of such a loop in all its rounds", \
     "the loop stays as it is, and its number of threads counts as not known") \
  X (MACHINE_ROUND_NESTING, 4, "finite-state machines", "such loops inside one another", \
     "inner loops stay as they are, and their number of threads counts as not known") \
  X (POINTER_TARGETS, 64, "symbolic memory", "objects that one address may point into", \
     "executions with other ones are not followed") \
  X (POINTER_WAYS, 2000, "symbolic memory", "cases of one address", \
     "executions in other cases are not followed") \
  X (POINTER_STRIDE, 65536, "symbolic memory", "bytes of a constant offset or stride", \
     "a larger one counts as any offset") \
  X (INTERPRETER_OBJECT_BYTES, 1073741824, "interpreter", "bytes of one object", \
     "a finding that needs a larger one is not confirmed") \
  X (SCOPE_LOCATIONS, 256, "interpreter, invented values", \
     "locations between a branch and where its ways meet again", \
     "everything behind the branch counts as depending on it, so a finding may stay conditional") \
  X (SCOPE_TRIES, 24, "interpreter, invented values", \
     "locations that are tried as the place where the ways of a branch meet again", \
     "everything behind the branch counts as depending on it, so a finding may stay conditional") \
  X (SCOPE_CALLS, 6, "interpreter, invented values", "calls inside one another on the ways of a branch", \
     "everything behind the branch counts as depending on it, so a finding may stay conditional") \
  X (CONDITION_SOURCES, 63, "interpreter, invented values", "invented values of one execution", \
     "a finding that depends on others names them as \"further invented values\"") \
  X (EXPLICIT_CALLS, 5000, "explicit search", "calls inside one another", \
     "executions with deeper recursion are not followed") \
  X (EXPLICIT_OBJECT_BYTES, 67108864, "explicit search", "bytes of one allocation", \
     "executions with a larger one are not followed") \
  X (EXPLICIT_BUGS, 200, "explicit search", "violations in one run", \
     "the search ends") \
  X (EXPLICIT_NOT_REPLAYED, 20, "explicit search", "findings that the interpreter does not confirm", \
     "the search ends with an internal error") \
  X (EXPLICIT_CONDITIONAL, 64, "explicit search", \
     "further executions for a finding that rests on an invented value", \
     "the finding stays conditional") \
  X (EXPLICIT_SPIN, 64, "explicit search", "visible steps of a waiting loop that are followed", \
     "a longer loop counts as one that may end, even if it waits for ever") \
  X (EXPLICIT_VALUES, 40, "explicit search", "values of an input that stand for all others", \
     "further ones are not tried, and the bounds say how many were") \
  X (EXPLICIT_CONSTANTS, 12, "explicit search", "constants of the program that suggest values of inputs", \
     "further constants suggest none, and the bounds say how many values were tried") \
  X (EXPLICIT_REGISTERS, 64, "explicit search", "registers through which an input is followed", \
     "only some values of the input are tried, and the bounds say how many") \
  X (EXPLICIT_WORDS, 32, "explicit search", "words that are tried on the command line", \
     "further ones are not tried, and the bounds say so") \
  X (EXPLICIT_STRINGS, 10, "explicit search", "strings of the program that are tried on the command line", \
     "further ones are not tried, and the bounds say so") \
  X (EXPLICIT_CHARACTERS, 6, "explicit search", "characters of the program that are tried on the command line", \
     "further ones are not tried, and the bounds say so") \
  X (EXPLICIT_NUMBERS, 6, "explicit search", "numbers of the program that are tried on the command line", \
     "further ones are not tried, and the bounds say so") \
  X (CIRCUIT_STATE_BITS, 60000, "circuits", "bits of the program's state", \
     "the answer is unknown") \
  X (CIRCUIT_STEM_ROUNDS, 2, "circuits, formulas", \
     "rounds of the loop of a counterexample before it has to repeat itself in the program", \
     "the counterexample is dropped") \
  X (CIRCUIT_LOOP_ROUNDS, 4, "circuits, formulas", \
     "rounds of the loop of a counterexample that together repeat themselves in the program", \
     "the counterexample is dropped") \
  X (BUSY_STEPS, 12, "circuits, busy waiting", "steps of one loop", \
     "the loop counts as one that may wait for ever, so deadlock is not denied") \
  X (BUSY_PATHS, 4000, "circuits, busy waiting", "paths through loops", \
     "the loops count as ones that may wait for ever, so deadlock is not denied") \
  X (CROWD_NAME_BITS, 10, "circuits, any number of threads", "bits of a variable that names a thread", \
     "further values count as naming none") \
  X (CROWD_PREDICATES, 72, "circuits, any number of threads", "predicates", \
     "the invariant is looked for without further ones") \
  X (CROWD_CODE_BITS, 8, "circuits, any number of threads", \
     "bits of a state whose values are distinguished one by one", \
     "of a larger one the invariant uses single bits") \
  X (CROWD_WRITERS, 8, "circuits, any number of threads", "variables of which the last writer is remembered", \
     "the invariant is looked for without the writers of further ones") \
  X (CROWD_VIEW_BITS, 400, "circuits, any number of threads", "bits of what threads see of one another", \
     "decision diagrams are not tried") \
  X (CROWD_VIEWS, 64, "circuits, any number of threads", "groups of threads that see one another", \
     "no proof for any number of threads is tried") \
  X (ORDER_WALKS, 60, "order encoding", "walks until it is known which memory threads share", \
     "the answer is unknown") \
  X (ORDER_STEPS, 4000000, "order encoding", "steps of one walk", \
     "loops are not unwound further") \
  X (ORDER_UNWIND, 65536, "order encoding", "rounds of a loop", \
     "loops are not unwound further") \
  X (ORDER_TABLE, 4096, "order encoding", "elements of a constant array that is read at an unknown index", \
     "executions that read there are not followed") \
  X (ORDER_FILLED_CELLS, 64, "order encoding", "shared parts of an object that is made while threads run", \
     "the answer is unknown") \
  X (ORDER_OBJECT_BYTES, 4194304, "order encoding", "bytes of an object whose size is not constant", \
     "executions with a larger one are not followed") \
  X (ORDER_LOOPS, 16, "order encoding", "loops inside one another", \
     "executions that come there are not followed") \
  X (ORDER_CALLS, 400, "order encoding", "calls inside one another", \
     "executions with deeper recursion are not followed") \
  X (LAZY_WITNESSES, 50, "lazy sequentialisation", \
     "executions of races that differ in their switches (--exhaustive)", \
     "one execution for each race is looked for") \
  X (LOCKS_HELD, 32, "lock analysis", "locks that a thread holds at once", \
     "nothing is known of what is held there") \
  X (LOCKS_RELEASED, 32, "lock analysis", "locks of a caller that a procedure releases", \
     "nothing is known of what is held after the call") \
  X (LOCK_COUNT, 8, "lock analysis", "acquisitions of one recursive lock", \
     "it is not sure that the lock is held") \
  X (LOCK_KNOWN, 8, "lock analysis", "values that are known along a path", \
     "the values of further expressions are not known") \
  X (LOCK_NAMES, 16, "lock analysis", "locks without a fixed address in a set that leaves a procedure", \
     "the set keeps those with a fixed address") \
  X (LOCK_TRACKED, 64, "lock analysis", "expressions of one procedure whose values matter for locks", \
     "the values of further expressions are not known") \
  X (LOCKS_BESIDE, 4, "lock analysis", "locks that lie beside the element that is accessed", \
     "further ones do not exclude a race") \
  X (LOCK_CALLERS, 8, "lock analysis", "callers through which the index of an element is followed", \
     "the elements of two threads may be the same") \
  X (LOCK_LOADS, 8, "lock analysis", "loads inside one another in a condition that is tested twice", \
     "the two tests count as independent") \
  X (LOCK_INDEX_TERMS, 8, "lock analysis", "terms of the sum that is an index", \
     "it is not known which element that is") \
  X (LOCK_VALUE_TERMS, 16, "lock analysis", "terms of a sum", \
     "the value counts as not known") \
  X (LOCK_VALUE_DEPTH, 200, "lock analysis", "assignments through which a value is followed", \
     "the value counts as not known") \
  X (LOCK_VALUE_NODES, 64, "lock analysis", "nodes of an expression that stands for a value", \
     "the value counts as not known") \
  X (CONTEXT_HISTORIES, 48, "lock analysis, contexts of one procedure", \
     "contexts that keep which locks were acquired after which", \
     "further contexts forget that order") \
  X (CONTEXT_NAMES, 64, "lock analysis, contexts of one procedure", \
     "contexts that keep arguments and locks without a fixed address", \
     "further contexts forget them") \
  X (CONTEXT_STATES, 256, "lock analysis, contexts of one procedure", "contexts that keep what is held", \
     "in further contexts nothing is known of what is held") \
  X (CONTEXT_ARGUMENTS, 8, "lock analysis, contexts of one procedure", "arguments with known values", \
     "further arguments count as not known") \
  X (SUMMARY_VALUES, 48, "lock analysis, states of one location", "states that keep known values", \
     "further states forget them") \
  X (SUMMARY_HISTORIES, 96, "lock analysis, states of one location", \
     "states that keep which locks were acquired after which", \
     "further states forget that order") \
  X (SUMMARY_STATES, 160, "lock analysis, states of one location", "states that keep what is held", \
     "in further states nothing is known of what is held") \
  X (LOCK_CYCLES, 200, "possible deadlocks", "cycles of waiting threads", \
     "further ones are not listed, and the report says that not all are known") \
  X (LOCK_CYCLE_TRIES, 2000000, "possible deadlocks", "steps of the search for cycles", \
     "the search ends, and the report says that not all are known") \
  X (LOCK_CYCLE_LENGTH, 16, "possible deadlocks", "threads of one cycle", \
     "longer cycles are not listed, and the report says that not all are known") \
  X (LEAK_WALKS, 400, "locks that are never released", "walks from a place where a lock is held", \
     "the lock counts as released") \
  X (LEAK_NODES, 4000, "locks that are never released", "places with what is held on one walk", \
     "the lock counts as released") \
  X (RACE_PAIRS_OF_OBJECT, 2000, "possible races", "pairs of accesses of one object that are looked for", \
     "further ones are not looked for") \
  X (RACE_LOOKS, 200000, "possible races", "pairs of one object that are inspected after the first possible one", \
     "further ones are not inspected") \
  X (RACE_PAIRS, 2000, "possible races", "pairs of accesses that are listed", \
     "the notes say how many pairs there are") \
  X (RACE_PAIRS_OF_PLACE, 10, "possible races", "pairs of accesses of one place in memory that are listed", \
     "the notes say how many pairs there are") \
  X (EXAMPLE_THREADS, 40, "interleavings of possible findings", "threads", \
     "the finding is listed without an interleaving") \
  X (EXAMPLE_STATES, 200000, "interleavings of possible findings", \
     "states of the search for an order that the locks allow", \
     "the finding is listed without an interleaving") \
  X (EXAMPLE_STEPS, 2000, "interleavings of possible findings", \
     "steps of one thread that concern locks and threads", \
     "the finding is listed without an interleaving") \
  X (EXAMPLE_EDGES, 100000, "interleavings of possible findings", "steps of one thread", \
     "the finding is listed without an interleaving") \
  X (EXAMPLE_CALLS, 400, "interleavings of possible findings", "calls inside one another", \
     "the finding is listed without an interleaving") \
  X (EXAMPLE_STEPS_OF_ALL, 100000, "interleavings of possible findings", "steps of all that are shown", \
     "further findings are listed without an interleaving") \
  X (PUSHDOWN_LOCKS, 16, "formulas about threads", "locks whose state is followed", \
     "a thread may find further ones free or held") \
  X (PUSHDOWN_RELOCKED, 64, "formulas about threads", "locks that may be acquired while they are held", \
     "further ones are not followed") \
  X (PUSHDOWN_KNOWN, 24, "formulas about threads", "registers with known values", \
     "the values of further registers are not known") \
  X (PUSHDOWN_EXPRESSION, 24, "formulas about threads", "operations inside one another in an expression", \
     "its value is not known") \
  X (PUSHDOWN_SPOTS, 48, "formulas about threads", "states of one location with different known registers", \
     "in further states no register is known")

enum {
#define X(NAME, VALUE, PART, COUNTED, BEYOND) LIMIT_##NAME = VALUE,
  LIMITS (X)
#undef X
};

typedef enum limit_id {
#define X(NAME, VALUE, PART, COUNTED, BEYOND) LIMIT_ID_##NAME,
  LIMITS (X)
#undef X
  NUM_LIMITS
} limit_id;

typedef struct limit_row {
  const char *name;            // "ESCAPE_CONTEXTS"
  uint64_t value;
  const char *part;            // "escape analysis"
  const char *counted;         // "contexts of one procedure"
  const char *beyond;          // what happens then
} limit_row;
const limit_row *limit_at (limit_id);

#define limit_met(NAME) limit_note (LIMIT_ID_##NAME)
#define at_limit(NAME, COUNT) ((COUNT) >= LIMIT_##NAME && limit_met (NAME))
#define over_limit(NAME, COUNT) ((COUNT) > LIMIT_##NAME && limit_met (NAME))
// records that this run has met it; returns true.  Any thread may call.
bool limit_note (limit_id);

void limits_share (void);                        // makes all processes share one record; call it before the first child
bool limit_was_met (limit_id);
void limits_forget (void);                       // clears the record
// Appends "escape analysis: at most 16 contexts of one procedure; beyond that, ...".
void limit_describe (limit_id, strbuf *);

#endif
