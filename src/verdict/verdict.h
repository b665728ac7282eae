// What engines return, what reports show, and the judge between them: an independent interpreter.  No claim of an
// engine is reported before `verdict_confirm` has replayed it.
#ifndef LOCKSTEP_VERDICT_H
#define LOCKSTEP_VERDICT_H

#include "base/budget.h"
#include "base/strbuf.h"
#include "ir/fault.h"
#include "ir/ir.h"
#include "ir/reason.h"
#include "ir/ir_step.h"
#include "temporal/temporal.h"

// ---- a claim: the schedule that leads to a violation -------------------------------------------------
typedef struct schedule_part { uint32_t thread, edges; } schedule_part;   // this slot takes this many edges
typedef struct schedule {
  VEC (schedule_part) parts;
  VEC (ir_value) choices;      // in order of execution, see docs/formats/ir.md
} schedule;
void schedule_add (schedule *, uint32_t thread, uint32_t edges);          // merges with the last part
void schedule_release (schedule *);

// The violation shows in the state after the schedule.  Race: two threads are about to take `edge[0]` and `edge[1]`.
// Assert, memory, overflow and locks: the next edge of thread[0], `edge[0]`, fails.  Deadlock: the threads are blocked
// at their edges.
typedef struct claim {
  ir_property property;
  uint32_t num_threads;        // race: 2; deadlock: number of threads that are stuck; else 1
  uint32_t thread[IR_MAX_THREADS];
  ir_edge edge[IR_MAX_THREADS];
  schedule schedule;
  // A run that breaks a formula about the program names no threads.  Its loop begins after `loop_from` edges of the
  // schedule and ends with the schedule.  If `loop_from` is the length of the schedule, no thread can move at its end,
  // and the program stays in that state for ever.
  bool is_run;
  uint64_t loop_from;
} claim;
static inline bool claim_exists (const claim *c) { return c->num_threads || c->is_run; }
uint64_t schedule_edges (const schedule *);                              // number of all edges

// ---- goals and the verdict ---------------------------------------------------------------------------
// CONDITIONAL: the claim replays, but only with certain values that lockstep has invented (goal.conditions).  It is no
// bug, and never part of the verdict's kind.
typedef enum goal_status { GOAL_VIOLATED, GOAL_PROVED, GOAL_BOUNDED, GOAL_UNKNOWN, GOAL_CONDITIONAL } goal_status;

// An invented value that a violation rests on: "`getpwuid` returns null".  Nothing in the program says that it can
// occur (docs/decisions/invented-values.md).
typedef struct goal_condition {
  const char *text;
  const char *about;           // name of the function or object, "getpwuid"; or NULL
  ir_position pos;             // of the call, or of the declaration; file NULL: unknown
} goal_condition;

// One line of the interleaving, made by the interpreter while it replays.
typedef struct trace_step {
  uint32_t thread;             // slot
  uint32_t number;             // 1, 2, ... within the trace
  ir_position pos;             // in user code: for a library model, the call
  const char *function;
  ir_step op;
  const char *text;            // the C source line, trimmed; or NULL if it cannot be read
  const char *object;          // "m", "q->head", "buf[3]", or NULL
  const char *value;           // value read or written, "0 -> 1" for an update, or NULL
  const char *left;            // for an update: the part of `value` that the object holds afterwards, "1"; else NULL
  bool is_null;                // the value is the null pointer
  bool is_spurious;            // the thread wakes up without a signal
  uint32_t other;              // thread that the step creates or wakes; IR_NONE: none
  const char *note;            // which propositions of a formula become true or false by the step, or NULL
  VEC (const char *) held;     // locks held after the step
  bool switched;               // another thread ran before this step
} trace_step;

// What a thread is about to do at its location of a violation, or what happened at a location before.
typedef enum role_kind {
  ROLE_OTHER,
  ROLE_READS, ROLE_WRITES, ROLE_READS_ATOMIC, ROLE_WRITES_ATOMIC, ROLE_FREES, ROLE_SYNCHRONISES,  // in a race
  ROLE_AT,                     // one of the two places of --reach-pair
  ROLE_WAITS_LOCK, ROLE_WAITS_THREAD, ROLE_WAITS_COND, ROLE_WAITS_SEM, ROLE_WAITS_BARRIER, ROLE_WAITS_ONCE,
  ROLE_ALLOCATED, ROLE_FREED, ROLE_DECLARED  // what happened to the object
} role_kind;
// Which thread holds what is waited for.
typedef enum role_holder { HOLDER_UNKNOWN, HOLDER_SELF, HOLDER_OTHER, HOLDER_ENDED } role_holder;
typedef struct goal_role {
  role_kind kind;
  const char *object;          // what is accessed or waited for; or NULL
  role_holder holder;
  bool shared;                 // the lock is held for reading
} goal_role;
static inline bool role_is_access (goal_role r) { return r.kind >= ROLE_READS && r.kind <= ROLE_SYNCHRONISES; }
static inline bool role_writes (goal_role r) { return r.kind == ROLE_WRITES || r.kind == ROLE_WRITES_ATOMIC; }
static inline bool role_is_atomic (goal_role r) { return r.kind == ROLE_READS_ATOMIC || r.kind == ROLE_WRITES_ATOMIC; }

typedef struct goal_location {
  ir_position pos;
  const char *function;
  uint32_t thread;
  const char *what;            // for people: "write of x", "waits for m (held by thread 2)"
  goal_role role;              // the same as `what`, for programs
} goal_location;

// A thread's part in a possible violation, which was found without an execution: where the thread is, how it got there,
// and what it holds.
// The function was called at `pos`; file NULL: the thread starts in the function.
typedef struct goal_call { const char *function; ir_position pos; } goal_call;
typedef struct goal_lock {
  const char *name;
  ir_position taken;
  bool reads;                  // held for reading, together with other readers
  bool perhaps;                // may-held only: it may have been released
  uint32_t num_after;
  const char *const *after;    // [0..num_after[: its acquisition history, the locks that were acquired after it
} goal_lock;
typedef struct goal_side {
  const char *entry;           // function in which the thread starts
  ir_position created;         // place of creation; file NULL: the program starts with it
  bool several;                // more than one such thread may be alive
  uint32_t thread;             // number of the thread in the steps
  ir_position pos;
  const char *function, *what; // what the thread is about to do: "write", "lock `m`"
  goal_role role;              // the same as `what`, for programs
  VEC (goal_call) stack;       // outermost first
  VEC (goal_lock) held;        // in order of acquisition
} goal_side;

typedef struct goal {
  const char *id;              // "race-1"
  ir_property property;
  goal_status status;
  const char *engine;
  ir_fault fault;              // what exactly is wrong; IR_FAULT_NONE: nothing beyond the property
  const char *message;         // "data race on `count`: write by thread 1, read by thread 2"
  VEC (goal_location) locations;
  VEC (trace_step) steps;
  // The claim is a run: index of the first step of its loop; steps.count: `stays`, or no step of the loop is shown.
  uint32_t loop_step;
  bool stays;                  // the run has no loop: at its end no thread can move
  const char *wakeups;         // spurious wake-ups that the execution needs: "thread 2 at a.c:33"; NULL: none
  VEC (goal_condition) conditions;  // CONDITIONAL: the violation needs all of them
  // VIOLATED, CONDITIONAL: --json saves its schedule and `replay` reads it; not claim_exists: found without an
  // execution
  claim claim;
  // UNKNOWN and possible: the steps are an interleaving that the locks allow; the claim has no schedule.
  VEC (goal_side) sides;
  const char *no_steps;        // possible: why there is no such interleaving; or NULL
  const char *about;           // the variable, lock or locks of the cycle by which findings are grouped; NULL: unnamed
  uint32_t doubt;              // possible: its rank; the smaller, the more likely it is a real violation
} goal;

// A possible violation: not excluded, and not confirmed by an execution either.
static inline bool goal_is_possible (const goal *g) { return g->status == GOAL_UNKNOWN && g->sides.count; }

static inline bool goal_is_formula (const goal *g) { return g->property == IR_P_FORMULA; }  // about --ltl

// What is known of a property.
typedef struct property_answer {
  goal_status status;          // VIOLATED: there are goals that violate it
  goal_status rest;            // what holds apart from its violations: PROVED, BOUNDED or UNKNOWN
  const reason *why;           // why `rest` is not PROVED: the bound, or why nothing is known; or NULL
  const char *message;         // for people: how it was proved, the bound, or why nothing is known; or NULL
  const char *engine;          // the engine that gave the answer; NULL: none has
  bool all_listed;             // UNKNOWN: all possible violations are goals; there is no other reason
} property_answer;
void answers_forget (property_answer *, uint32_t properties);   // of [0..IR_NUM_QUESTIONS[: back to "nothing is known"

typedef enum verdict_kind { VERDICT_BUG, VERDICT_SAFE, VERDICT_BOUNDED, VERDICT_UNKNOWN } verdict_kind;
extern const char *const verdict_kind_name[];   // "bug" "safe" "bounded" "unknown"

// A number of --stats.  `note`: the ratio that is shown beside it, or NULL.
typedef struct named_count { const char *name; uint64_t value; const char *note; } named_count;

// What protected a variable at every observed access while several threads ran.
typedef enum protection_kind {
  PROTECTED_BY_LOCKS, PROTECTED_BY_THREAD /* one only */, PROTECTED_BY_READING /* no thread writes */, UNPROTECTED,
  PROTECTED_BY_ATOMICS, PROTECTED_BY_ORDER /* of threads or of their steps: no two accesses can run in parallel */
} protection_kind;
typedef struct protection {
  const char *variable;
  protection_kind kind;
  uint32_t num_locks;
  const char *const *locks;    // [0..num_locks[
  uint64_t accesses;
} protection;
extern const char *const protection_kind_name[];

// An access of a variable that nothing protects everywhere while other threads may run, with the locks that are
// must-held at the access.
typedef struct access_fact {
  const char *variable;        // named as in protections
  ir_position pos;
  const char *function;
  bool write;
  uint32_t num_locks;
  const char *const *locks;    // [0..num_locks[
} access_fact;

// Some thread waits for the lock `to` while it holds `from`.
typedef struct lock_order { const char *from, *to; ir_position pos; const char *function; } lock_order;

// An imbalance: a function that returns with a lock it has acquired on some of its paths only, where no caller releases
// the lock afterwards.
typedef struct uneven_return {
  const char *function, *lock;
  ir_position taken;
  ir_position with, without;   // the last positions before the two paths join, or the returns themselves
  ir_position given_back;      // release on the path without the lock; file NULL: that path does not acquire it
} uneven_return;

// Edges that a thread was about to take in some execution: [0..edges[, in memory that child processes share.
typedef struct reached_edges { const ir_program *program; uint8_t *edge; size_t bytes; } reached_edges;

// The reached edges in terms of the program text.
typedef struct coverage_share { uint32_t reached, all; } coverage_share;
typedef struct coverage {
  bool known;
  coverage_share threads;         // functions in which threads start
  coverage_share assertions, accesses, locks;  // accesses of memory that may be shared; operations on locks
  VEC (const char *) missed_threads, missed_assertions;  // names of functions; "file:line" of the first few assertions
  bool creates, created;       // a creation is reachable in the control-flow graph; an execution created a thread
  ir_position creation;        // position of the first creation
} coverage;

typedef struct verdict {
  arena *arena;                // owns the strings
  verdict_kind kind;           // set by verdict_settle
  // Set by verdict_settle: the bound, why the kind is unknown, or why the search ended early after a bug; or NULL.
  const reason *reason;
  const reason *stop;          // why the run as a whole ended early; NULL: it did not
  property_answer answers[IR_NUM_QUESTIONS];
  VEC (goal) goals;            // findings in the order found, followed by those that verdict_sum_up adds
  VEC (const char *) assumptions;  // assumptions of the program come first
  VEC (const char *) bounds;   // "nondet_int at prog.c:7: 9 of 2^32 values"
  VEC (named_count) stats;
  VEC (protection) protections;
  VEC (access_fact) accesses;
  VEC (lock_order) lock_orders;
  bool has_lock_orders;        // `lock_orders` is complete; false: it was not computed, or not to the end
  VEC (goal) accepted;         // violations, also possible ones, that a baseline has hidden: no longer in `goals`
  VEC (uneven_return) uneven_returns;  // advice, without effect on the kind of the verdict
  VEC (const char *) notes;    // on how to read the answer
  VEC (uint32_t) limits;       // limit_id (base/limits.h) of the limits that the run has met, in table order
  const char *certificate;     // of proofs, if requested (docs/formats/certificate.md); or NULL
  reached_edges reached;             // after verdict_watch
  coverage coverage;                 // after verdict_survey
  double seconds;
} verdict;
void verdict_init (verdict *);
void verdict_release (verdict *);
void verdict_drop_goal (verdict *, uint32_t);  // removes the goal with this index
void verdict_note_limits (verdict *);    // fills `limits`; to be called once all engines have ended
void verdict_accept_goal (verdict *, uint32_t);  // moves the goal with this index to `accepted`
void verdict_add_stat (verdict *, const char *name, uint64_t value, const char *note);
void verdict_add_bound (verdict *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));       // once each
void verdict_add_note (verdict *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));        // once each
void verdict_add_assumption (verdict *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));  // once each

// ---- the kind (kind.c) ------------------------------------------------------------------------------------
// Returns the kind that follows from the answers about the requested properties, a bit set of 1 << ir_property.
verdict_kind verdict_kind_of (const property_answer *, uint32_t asked);
void verdict_settle (verdict *, uint32_t asked);   // computes kind and reason from answers, goals and `stop`
void verdict_stop (verdict *, const reason *);     // the run ended early: the verdict is unknown unless there is a bug
// Gives the properties that have no answer the answer unknown.
void verdict_leave_open (verdict *, uint32_t asked, const char *engine, const reason *why);
// Adds a goal for each property that no violation was found of; for reports.  `question` replaces the name of the
// property; NULL: the name stays.
void verdict_sum_up (verdict *, uint32_t asked, const char *question);

// Describes the conditional goals: "memory only if `getpwuid` returns null; 2 more on conditions", in the arena.  NULL:
// there are none.
const char *verdict_conditional_reason (verdict *);

// ---- what executions reached (coverage.c) -----------------------------------------------------------------
// From now on, code that executes the program marks the edges that it reaches.  To be called before any child process
// is started.
void verdict_watch (verdict *, const ir_program *);
void verdict_unwatch (verdict *);
static inline uint8_t *verdict_reached (const verdict *v, const ir_program *p) {
  return v->reached.program == p ? v->reached.edge : NULL;
}
void verdict_survey (verdict *);                      // computes `coverage` from the marks
bool coverage_is_whole (const coverage *);                  // everything was reached
void coverage_release (coverage *);

// ---- semantics options, shared by interpreter and engines ---------------------------------------------
typedef struct semantics {
  uint32_t properties;         // bit set of 1 << ir_property
  bool spurious_wakeups, may_fail;
  bool all_leaks;              // memory that is not freed at the end is lost even if a pointer leads to it
  uint32_t max_threads;        // alive at once; at most IR_MAX_THREADS
} semantics;

// ---- the interpreter -----------------------------------------------------------------------------------
// Replays the claim step by step; true if the interpreter itself finds the same violation at its end.  Fills message,
// locations, steps and conditions of `g` (strings in the verdict's arena).  On false, *why (in the arena) says where
// the replay diverged.  A deadlock claim may name any blocked threads; afterwards it names a smallest set of threads
// that block each other, in the order of the cycle, without the bystanders that only wait for these.  If the replay
// failed because the program has more memory than the interpreter can hold, g->status is GOAL_UNKNOWN.
bool verdict_confirm (verdict *, const ir_program *, const semantics *, claim *, goal *g, const char **why);

// Translates a claim about the program that ir_settle has made to a claim about the original program, by executing its
// schedule in both.  False: the schedule cannot be followed.
bool verdict_unsettle (const ir_program *settled, const ir_program *original, const semantics *, const claim *from,
                       claim *to);

// Replays a run that breaks a formula: the loop must lead back to the state where it began, the formula must not hold
// on the word of the propositions, and the run must be fair if `fair` is set.
bool verdict_confirm_run (verdict *, const ir_program *, const semantics *, const temporal *, bool fair, const claim *,
                          goal *g, const char **why);

// Makes the decisions of a run instead of the random generator.  The run ends when `pick` says so, or with the first
// violation.
struct runner;
typedef struct run_guide {
  void *state;
  // slot of the thread that steps next; IR_NONE: the run ends
  uint32_t (*pick) (void *state, const struct runner *);
  ir_value (*choose) (void *state, ir_edge);                     // the value of a NONDET
  void (*made) (void *state, uint32_t slot);                     // a thread was created
} run_guide;
// Returns the edge that the thread takes next, at a branch the first one; IR_NONE: the thread does not run.
ir_edge run_edge (const struct runner *, uint32_t slot);

typedef struct run_options {
  semantics semantics;
  const run_guide *guide;      // NULL: none
  const schedule *prefix;      // beginning of the run, followed as far as possible; NULL: none
  uint64_t seed;               // 0: thread 0 first, switch only when blocked; else random schedule and choices
  uint64_t max_edges;          // 0: no limit
  FILE *output;                // what the program prints
  const budget *budget;
  bool print_violations;       // to standard error, when they are found
} run_options;
typedef struct run_result {
  enum { RUN_EXITED, RUN_VIOLATION, RUN_DEADLOCK, RUN_INFEASIBLE, RUN_LIMIT, RUN_UNSUPPORTED } kind;
  int exit_code;
  uint32_t violated;           // bit set of violated properties (races do not stop the run)
  VEC (claim) claims;          // one per distinct violation seen, with its schedule
  const char *message;         // of the last violation, or why the run stopped
  const reason *unsupported;   // RUN_UNSUPPORTED: the construct and its position
} run_result;
// One execution under a random schedule.  The result's claims can be confirmed like an engine's.
void run_program (verdict *, const ir_program *, const run_options *, run_result *);
void run_result_release (run_result *);

#endif
