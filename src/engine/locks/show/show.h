// Results for people.  Files in reading order:
//   variable_name       names of memory
//   protection          what protects each shared variable
//   lock_graph          the lock order graph
//   thread_path         a path of a thread to where it stands
//   interleave          an interleaving of the paths of several threads
//   example_run         how a possible violation may come about
//   lock_goals          possible violations as goals of the verdict
//   reach_pair          --reach-pair
#ifndef LOCKSTEP_LOCKS_SHOW_H
#define LOCKSTEP_LOCKS_SHOW_H

#include "engine/engine.h"
#include "engine/locks/checks/checks.h"
#include "verdict/verdict.h"

// ---- variable_name.c -----------------------------------------------------------------------------------
// Names of places in memory for people.
typedef struct variable_names {
  const lock_analysis *analysis;
  map sites;                   // abstract object -> edge that makes it
} variable_names;

void variable_names_init (variable_names *, const lock_analysis *);
void variable_names_release (variable_names *);

// "queue.head"; of memory without a name where it comes from: "heap object of a.c:12".  The same for all who access it.
const char *variable_name (const variable_names *, uint32_t object, uint32_t offset, arena *);
bool variable_is_static (const variable_names *, uint32_t object);
const char *variable_as_written (const lock_analysis *, ir_edge, arena *);  // the C text of the access, or NULL

// ---- protection.c --------------------------------------------------------------------------------------
// What protects each variable that several threads may use at the same time.
// `complete`: all pairs of accesses were looked at, and `found` are those that may meet.
void add_protections (verdict *, access_table *, const variable_names *, const possible_races *found, bool complete);

// ---- lock_graph.c --------------------------------------------------------------------------------------
// The lock order graph for people: which lock is waited for while another one is held.
void add_lock_graph (verdict *, lock_analysis *);  // each pair of locks once, with one place

// ---- thread_path.c -------------------------------------------------------------------------------------
// How a thread may come to where it stands: the path that the analysis has found, through all calls, with what it does to
// locks and threads on the way.  Locks have fixed names where it can be told which they are, so that equal names mean the
// same lock in all threads.
typedef struct thread_place { uint32_t kind, context, node; ir_loc at; } thread_place;  // node IR_NONE in a plain procedure

typedef enum path_op {
  PATH_NOTHING, PATH_CALL, PATH_TAKE, PATH_GIVE, PATH_FAIL /* trylock */, PATH_BEGIN_ATOMIC, PATH_END_ATOMIC,
  PATH_BEGIN_ONCE, PATH_END_ONCE, PATH_PASS_ONCE, PATH_CREATE, PATH_JOIN
} path_op;

typedef struct path_step {
  path_op op;
  ir_edge edge;
  uint32_t use;                // lock_use; of CREATE: who, as path_create was told; or IR_NONE
  ir_proc callee;              // of CALL
  ir_position pos;             // in user code, as the next
  const char *function;
} path_step;

typedef struct path_mark { ir_edge edge; ir_loc at; uint32_t steps, frame; bool whole; } path_mark;  // whole: of a call that was not looked into

typedef struct path {
  VEC (path_step) steps;
  VEC (path_mark) passed;      // every edge, with the number of steps before it; at last the place itself, edge IR_NONE
  bool too_long;
} path;

typedef struct path_finder {
  lock_analysis *analysis;
  map creations;               // edge -> index into reaches
  VEC (bool *) reaches;        // [procedure]: may get to the creation
} path_finder;

void path_finder_init (path_finder *, lock_analysis *);
void path_finder_release (path_finder *);
void path_find (path_finder *, thread_place, path *out);
void path_release (path *);

// Lets the path create a thread of this kind, to be called `who`: where it passes the creation, a call that contains it, or could
// have made a detour to it without taking or giving locks.  False: nowhere.
bool path_create (path_finder *, path *, uint32_t kind, uint32_t who);

// Frames of a place, outermost first.
typedef struct path_frame { ir_proc proc; uint32_t call, context, number; } path_frame;  // call: the edge that entered it; IR_NONE: unknown, or none
typedef VEC (path_frame) path_frames;
void path_stack (const lock_analysis *, uint32_t context, path_frames *out);
ir_edge path_user_edge (const lock_analysis *, uint32_t context, ir_edge);  // inside library models: the user's call

// ---- example_run.c -------------------------------------------------------------------------------------
// What people need to judge a possible violation: of each thread its kind, call stack and held locks with their acquisition histories,
// and an interleaving of all that the locks allow.
typedef struct witness_side {
  thread_place place;
  ir_edge edge;                // it stands before
  ir_step op;                  // as in a trace
  const char *object;          // "x", or NULL
  const char *what;            // "write of `x`"
  goal_role role;              // the same for reports
} witness_side;

typedef struct witnesses {
  lock_analysis *analysis;
  verdict *verdict;
  path_finder finder;
  uint32_t num_steps;          // of all interleavings so far
} witnesses;

void witnesses_init (witnesses *, lock_analysis *, verdict *);
void witnesses_release (witnesses *);
void witness_add (witnesses *, goal *, const witness_side *, uint32_t count);  // sides, locations, claim; steps, or why there are none

// ---- lock_goals.c --------------------------------------------------------------------------------------
// Possible violations as goals: both call stacks, the locks held there, and what was taken after them.
typedef struct reporting {
  engine_run *run;
  variable_names names;
  witnesses witnesses;
  uint32_t num_races, num_deadlocks, num_misuses;
  strmap places;               // in user code, with the way of accessing -> number
  map numbers;                 // edge << 32 | context -> number of its place
  map pairs;                   // of places of one variable, that were reported
} reporting;

void reporting_init (reporting *, engine_run *, lock_analysis *);
void reporting_release (reporting *);
bool report_races (reporting *, access_table *, const possible_races *);  // the first ones of each variable, writes before reads; false: not all
void report_deadlock (reporting *, deadlocks *, const possible_deadlock *);
void report_misuse (reporting *, lock_analysis *, const possible_misuse *);

// ---- reach_pair.c --------------------------------------------------------------------------------------
// `--reach-pair`: can two threads be at the two places at once, as far as locks, creation and joining tell (LOCK section 3)?
// Adds a goal for each pair of places (a line may be several) that may be reached.  What is left open, in the verdict's arena; NULL: proved
// that it cannot happen.
const char *check_pair (engine_run *, lock_analysis *);

#endif
