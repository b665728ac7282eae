// What engines hand back, what reports show, and the independent interpreter that stands between them.
// Nothing an engine claims is shown before `verdict_confirm` has replayed it.
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

// The violation shows in the state after the schedule: for race two threads stand before `edge[0]` and `edge[1]`; for assert, memory,
// overflow and locks the next edge of thread[0], `edge[0]`, is the failing one; for deadlock the threads are blocked there.
typedef struct claim {
  ir_property property;
  uint32_t num_threads;        // race 2; deadlock: those that are stuck; else 1
  uint32_t thread[IR_MAX_THREADS];
  ir_edge edge[IR_MAX_THREADS];
  schedule schedule;
  // A run that breaks a formula about the program names no threads: after `loop_from` edges of the schedule begins what it does again and
  // again, up to the schedule's end; if that is after all of them, nothing can move there and the program stays so for ever.
  bool is_run;
  uint64_t loop_from;
} claim;
static inline bool claim_exists (const claim *c) { return c->num_threads || c->is_run; }
uint64_t schedule_edges (const schedule *);                              // all of them

// ---- goals and the verdict ---------------------------------------------------------------------------
// CONDITIONAL: it replays, but only if the values come that lockstep has invented (goal.conditions).  It is no bug, and never part of the verdict's kind.
typedef enum goal_status { GOAL_VIOLATED, GOAL_PROVED, GOAL_BOUNDED, GOAL_UNKNOWN, GOAL_CONDITIONAL } goal_status;

// "`getpwuid` returns null": what a violation rests on, that nobody has said can happen (docs/decisions/invented-values.md).
typedef struct goal_condition {
  const char *text;
  const char *about;           // the function or object, "getpwuid"; or NULL
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
  const char *value;           // value read or written, "0 -> 1" of an update, or NULL
  const char *left;            // of an update: the part of `value` that stays in the object, "1"; else NULL
  bool is_null;                // the value is the null pointer
  bool is_spurious;            // it wakes up without a signal
  uint32_t other;              // the thread that it creates or wakes; IR_NONE: none
  const char *note;            // what of a formula becomes true or false by it, or NULL
  VEC (const char *) held;     // locks held after the step
  bool switched;               // another thread ran before this step
} trace_step;

// What a thread is about to do at its place of a violation, or what happened at a place before.
typedef enum role_kind {
  ROLE_OTHER,
  ROLE_READS, ROLE_WRITES, ROLE_READS_ATOMIC, ROLE_WRITES_ATOMIC, ROLE_FREES, ROLE_SYNCHRONISES,  // in a race
  ROLE_AT,                     // a place that was asked about
  ROLE_WAITS_LOCK, ROLE_WAITS_THREAD, ROLE_WAITS_COND, ROLE_WAITS_SEM, ROLE_WAITS_BARRIER, ROLE_WAITS_ONCE,
  ROLE_ALLOCATED, ROLE_FREED, ROLE_DECLARED  // what happened to the object
} role_kind;
// Which thread holds what is waited for.
typedef enum role_holder { HOLDER_UNKNOWN, HOLDER_SELF, HOLDER_OTHER, HOLDER_ENDED } role_holder;
typedef struct goal_role {
  role_kind kind;
  const char *object;          // what is accessed or waited for; or NULL
  role_holder holder;
  bool shared;                 // it is held for reading
} goal_role;
static inline bool role_is_access (goal_role r) { return r.kind >= ROLE_READS && r.kind <= ROLE_SYNCHRONISES; }
static inline bool role_writes (goal_role r) { return r.kind == ROLE_WRITES || r.kind == ROLE_WRITES_ATOMIC; }
static inline bool role_is_atomic (goal_role r) { return r.kind == ROLE_READS_ATOMIC || r.kind == ROLE_WRITES_ATOMIC; }

typedef struct goal_location {
  ir_position pos;
  const char *function;
  uint32_t thread;
  const char *what;            // for people: "write of x", "waits for m (held by thread 2)"
  goal_role role;              // the same for reports
} goal_location;

// A thread's part in a violation that could not be excluded, found without an execution: where it stands, how it came there, and
// what it holds.
typedef struct goal_call { const char *function; ir_position pos; } goal_call;  // called there; file NULL: the thread starts in it
typedef struct goal_lock {
  const char *name;
  ir_position taken;
  bool reads;                  // it is shared with other readers
  bool perhaps;                // it may have been given back
  uint32_t num_after;
  const char *const *after;    // [0..num_after[: its acquisition history, what was taken after it
} goal_lock;
typedef struct goal_side {
  const char *entry;           // where the thread starts
  ir_position created;         // file NULL: with the program
  bool several;                // more than one such thread may be alive
  uint32_t thread;             // its number in the steps
  ir_position pos;
  const char *function, *what; // what it is about to do: "write", "lock `m`"
  goal_role role;              // the same for reports
  VEC (goal_call) stack;       // outermost first
  VEC (goal_lock) held;        // in order of acquisition
} goal_side;

typedef struct goal {
  const char *id;              // "race-1"
  ir_property property;
  goal_status status;
  const char *engine;
  ir_fault fault;              // what exactly is wrong; IR_FAULT_NONE: the property says it all
  const char *message;         // "data race on `count`: write by thread 1, read by thread 2"
  VEC (goal_location) locations;
  VEC (trace_step) steps;
  uint32_t loop_step;          // the claim is a run: steps[loop_step] is the first one of its loop; steps.count: it stays so, or the loop has none to show
  bool stays;                  // ... and has no loop: nothing can move any more
  const char *wakeups;         // those without a signal in its execution: "thread 2 at a.c:33"; NULL: it needs none
  VEC (goal_condition) conditions;  // CONDITIONAL: all of them are needed
  claim claim;                 // VIOLATED, CONDITIONAL: its schedule is what --json saves and `replay` reads; none (claim_exists): not by execution
  VEC (goal_side) sides;       // UNKNOWN, and possible: the steps are an interleaving that the locks allow, the claim has no schedule
  const char *no_steps;        // possible, but without such an interleaving: why
  const char *about;           // the variable, the lock or the locks of the cycle, by which findings are grouped; NULL: nothing with a name
  uint32_t doubt;              // possible: the smaller, the more likely it is true
} goal;

// Not excluded, and not confirmed by an execution either.
static inline bool goal_is_possible (const goal *g) { return g->status == GOAL_UNKNOWN && g->sides.count; }

static inline bool goal_is_formula (const goal *g) { return g->property == IR_P_FORMULA; }  // about --ltl

// What is known of a property.
typedef struct property_answer {
  goal_status status;          // VIOLATED: there are goals that violate it
  goal_status rest;            // what holds apart from its violations: PROVED, BOUNDED or UNKNOWN
  const reason *why;           // why `rest` is not PROVED: the bound, or why nothing is known; or NULL
  const char *message;         // for people: how it was proved, the bound, or why nothing is known; or NULL
  const char *engine;          // that says so; NULL: none has
  bool all_listed;             // UNKNOWN: only because of possible violations, and all of those are goals
} property_answer;
void answers_forget (property_answer *, uint32_t properties);   // of [0..IR_NUM_QUESTIONS[: back to "nothing is known"

typedef enum verdict_kind { VERDICT_BUG, VERDICT_SAFE, VERDICT_BOUNDED, VERDICT_UNKNOWN } verdict_kind;
extern const char *const verdict_kind_name[];   // "bug" "safe" "bounded" "unknown"

typedef struct named_count { const char *name; uint64_t value; const char *note; } named_count;  // note: the ratio beside it, or NULL

// What was seen to protect a variable at every access while several threads ran.
typedef enum protection_kind {
  PROTECTED_BY_LOCKS, PROTECTED_BY_THREAD /* one only */, PROTECTED_BY_READING /* nobody writes */, UNPROTECTED,
  PROTECTED_BY_ATOMICS, PROTECTED_BY_ORDER /* of threads, or of their steps: no two meet */
} protection_kind;
typedef struct protection {
  const char *variable;
  protection_kind kind;
  uint32_t num_locks;
  const char *const *locks;    // [0..num_locks[
  uint64_t accesses;
} protection;
extern const char *const protection_kind_name[];

// A place that accesses a variable which nothing protects everywhere, while other threads may run, and what is always held there.
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

// A function that returns with a lock it has taken on some of its paths only, and nobody gives the lock back then.
typedef struct uneven_return {
  const char *function, *lock;
  ir_position taken;
  ir_position with, without;   // the last places before the two ways out become one, or the returns themselves
  ir_position given_back;      // before it goes out without; file NULL: there it was not taken
} uneven_return;

// Edges before which a thread is known to have stood, in some execution: [0..edges[, in memory that child processes share.
typedef struct reached_edges { const ir_program *program; uint8_t *edge; size_t bytes; } reached_edges;

// What that means for the program's text.
typedef struct coverage_share { uint32_t reached, all; } coverage_share;
typedef struct coverage {
  bool known;
  coverage_share threads;         // functions that threads start in
  coverage_share assertions, accesses, locks;  // accesses of memory that may be shared; operations on locks
  VEC (const char *) missed_threads, missed_assertions;  // functions; "file:line" of the first few
  bool creates, created;       // the program can create threads as far as its graph tells; an execution did
  ir_position creation;        // the first place that creates one
} coverage;

typedef struct verdict {
  arena *arena;                // owns the strings
  verdict_kind kind;           // set by verdict_settle
  const reason *reason;        // set by verdict_settle: the bound, why it is unknown, why the search ended at a bug; or NULL
  const reason *stop;          // why the run as a whole has not come to its end; NULL: it has
  property_answer answers[IR_NUM_QUESTIONS];
  VEC (goal) goals;            // findings in the order found, behind them what verdict_sum_up adds
  VEC (const char *) assumptions;  // those of the program come first
  VEC (const char *) bounds;   // "nondet_int at prog.c:7: 9 of 2^32 values"
  VEC (named_count) stats;
  VEC (protection) protections;
  VEC (access_fact) accesses;
  VEC (lock_order) lock_orders;
  bool has_lock_orders;        // these are all; without it nobody has looked, or not to the end
  VEC (goal) accepted;         // violated and possible ones that a baseline has hidden: no longer among the goals
  VEC (uneven_return) uneven_returns;  // advice: they have no part in the verdict
  VEC (const char *) notes;    // on how the answer is to be read
  VEC (uint32_t) limits;       // limit_id, see base/limits.h: those that the run has met, in the order of the table
  const char *certificate;     // of proofs, if it was asked for: docs/formats/certificate.md; or NULL
  reached_edges reached;             // after verdict_watch
  coverage coverage;                 // after verdict_survey
  double seconds;
} verdict;
void verdict_init (verdict *);
void verdict_release (verdict *);
void verdict_drop_goal (verdict *, uint32_t);  // the one with this index
void verdict_note_limits (verdict *);    // fills `limits`, once all engines have ended
void verdict_accept_goal (verdict *, uint32_t);  // moves it to `accepted`
void verdict_add_stat (verdict *, const char *name, uint64_t value, const char *note);
void verdict_add_bound (verdict *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));       // once each
void verdict_add_note (verdict *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));        // once each
void verdict_add_assumption (verdict *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));  // once each

// ---- the kind (kind.c) ------------------------------------------------------------------------------------
// Of answers about the properties that were asked for, a bit set of 1 << ir_property.
verdict_kind verdict_kind_of (const property_answer *, uint32_t asked);
void verdict_settle (verdict *, uint32_t asked);   // computes kind and reason from answers, goals and `stop`
void verdict_stop (verdict *, const reason *);     // the run ended early: the verdict is unknown unless there is a bug
// Gives the properties that have no answer the answer unknown.
void verdict_leave_open (verdict *, uint32_t asked, const char *engine, const reason *why);
// For reports: a goal for each property that nothing was found to violate.  `question` stands in the place of the
// property's name; NULL: the name.
void verdict_sum_up (verdict *, uint32_t asked, const char *question);

// "memory only if `getpwuid` returns null; 2 more on conditions", of the conditional goals, in the arena; NULL: there are none.
const char *verdict_conditional_reason (verdict *);

// ---- what executions came to (coverage.c) -----------------------------------------------------------------
void verdict_watch (verdict *, const ir_program *);   // from now on those who execute the program note where they come; before any child process
void verdict_unwatch (verdict *);
static inline uint8_t *verdict_reached (const verdict *v, const ir_program *p) { return v->reached.program == p ? v->reached.edge : NULL; }
void verdict_survey (verdict *);                      // sums up the notes in `coverage`
bool coverage_is_whole (const coverage *);                  // nothing is left to be reached
void coverage_release (coverage *);

// ---- semantics options, shared by interpreter and engines ---------------------------------------------
typedef struct semantics {
  uint32_t properties;         // bit set of 1 << ir_property
  bool spurious_wakeups, may_fail;
  bool all_leaks;              // a leak is all memory that is not freed at the end, whatever leads to it
  uint32_t max_threads;        // alive at once; at most IR_MAX_THREADS
} semantics;

// ---- the interpreter -----------------------------------------------------------------------------------
// Replays the claim step by step; true if the interpreter itself sees the same violation at its end.  Fills message,
// locations, steps and conditions of `g` (strings in the verdict's arena).  On false, *why (in the arena) says where it parted.
// Of a deadlock the claim may name any blocked threads.  Afterwards it names a smallest set of them that block each other, in the order of the
// cycle, and not those that only wait for these.
// If the interpreter could not follow because the program has more memory than it can hold, g->status is GOAL_UNKNOWN then.
bool verdict_confirm (verdict *, const ir_program *, const semantics *, claim *, goal *g, const char **why);

// A claim about the program that ir_settle has made, as one about the original, in which its schedule has been followed
// up to the end.  False: it cannot be followed.
bool verdict_unsettle (const ir_program *settled, const ir_program *original, const semantics *, const claim *from,
                       claim *to);

// The same for a run that breaks a formula: the loop must lead back to the state where it began, the formula must not hold on the
// word of the propositions, and the run must be `fair` if that is asked for.
bool verdict_confirm_run (verdict *, const ir_program *, const semantics *, const temporal *, bool fair, const claim *, goal *g, const char **why);

// Somebody who decides in place of chance.  The run ends when `pick` says so, or with the first violation.
struct runner;
typedef struct run_guide {
  void *state;
  uint32_t (*pick) (void *state, const struct runner *);         // the slot that takes its edge next; IR_NONE: end here
  ir_value (*choose) (void *state, ir_edge);                     // the value of a NONDET
  void (*made) (void *state, uint32_t slot);                     // there is a new thread
} run_guide;
ir_edge run_edge (const struct runner *, uint32_t slot);         // before which the thread stands, at a branch the first; IR_NONE: it does not run

typedef struct run_options {
  semantics semantics;
  const run_guide *guide;      // NULL: none
  const schedule *prefix;      // what the run begins with, as far as it can be followed; NULL: nothing
  uint64_t seed;               // 0: thread 0 first, switch only when blocked; else random schedule and choices
  uint64_t max_edges;          // 0: no limit
  FILE *output;                // what the program prints
  const budget *budget;
  bool print_violations;       // to standard error as they show
} run_options;
typedef struct run_result {
  enum { RUN_EXITED, RUN_VIOLATION, RUN_DEADLOCK, RUN_INFEASIBLE, RUN_LIMIT, RUN_UNSUPPORTED } kind;
  int exit_code;
  uint32_t violated;           // bit set of properties seen on the way (races do not stop the run)
  VEC (claim) claims;          // one per distinct violation seen, with its schedule
  const char *message;         // of the last violation, or why it stopped
  const reason *unsupported;   // RUN_UNSUPPORTED: what, and where
} run_result;
// One execution under a random schedule.  The result's claims can be confirmed like an engine's.
void run_program (verdict *, const ir_program *, const run_options *, run_result *);
void run_result_release (run_result *);

#endif
