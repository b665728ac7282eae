// What the files of this folder share among themselves; show.h lists them in reading order.
#ifndef LOCKSTEP_LOCKS_SHOW_IMPL_H
#define LOCKSTEP_LOCKS_SHOW_IMPL_H

#include "engine/locks/show/show.h"

// ---- variable_name.c ------------------------------------------------------------------------------------------------
// "queue.head"; memory without a name is called by the place that allocates it, the same for all its accesses.
const char *variable_name (const variable_names *, uint32_t object, uint32_t offset, arena *);
bool variable_is_static (const variable_names *, uint32_t object);
const char *variable_as_written (const lock_analysis *, ir_edge, arena *);  // the C text of the access, or NULL

// ---- thread_path.c --------------------------------------------------------------------------------------------------
// The path that the analysis has found to where a thread stands, through all calls, with its operations on locks and
// threads.  Locks have fixed names where they are known, so that equal names mean the same lock in all threads.
typedef struct thread_place { uint32_t kind, context, node; ir_loc at; } thread_place;  // IR_NONE: neutral procedure

typedef enum path_op {
  PATH_NOTHING, PATH_CALL, PATH_ACQUIRE, PATH_RELEASE, PATH_FAIL /* trylock */, PATH_BEGIN_ATOMIC, PATH_END_ATOMIC,
  PATH_BEGIN_ONCE, PATH_END_ONCE, PATH_PASS_ONCE, PATH_CREATE, PATH_JOIN
} path_op;

typedef struct path_step {
  path_op op;
  ir_edge edge;
  uint32_t use;                // lock_use; of CREATE: `actor` of path_create; or IR_NONE
  ir_proc callee;              // of CALL
  ir_position pos;             // in user code, like `function`
  const char *function;
} path_step;

// An edge of the path, with the number of steps before it.  `whole`: a call whose callee is not part of the path.
typedef struct path_mark { ir_edge edge; ir_loc at; uint32_t steps, frame; bool whole; } path_mark;

typedef struct thread_path {
  VEC (path_step) steps;
  VEC (path_mark) passed;      // every edge; the last mark is the place itself, with edge IR_NONE
  bool too_long;
} thread_path;

void path_finder_init (path_finder *, lock_analysis *);
void path_finder_release (path_finder *);
void path_find (path_finder *, thread_place, thread_path *out);
void path_release (thread_path *);

// Makes the path create a thread of this kind: where it passes the creation, or a call that contains it, or could have
// made a detour to it without touching locks.  False: nowhere.
bool path_create (path_finder *, thread_path *, uint32_t kind, uint32_t actor);

// Frames of a place, outermost first.  call: the edge that entered it; IR_NONE: there is none, or it is unknown.
typedef struct path_frame { ir_proc proc; uint32_t call, context, number; } path_frame;
typedef VEC (path_frame) path_frames;
void path_stack (const lock_analysis *, uint32_t context, path_frames *out);
ir_edge path_user_edge (const lock_analysis *, uint32_t context, ir_edge);  // of an edge of a library model: the call

// ---- interleave.c ---------------------------------------------------------------------------------------------------
// Interleaves the paths of several threads, each possible alone, so that every operation on locks can be executed (LOCK
// theorem 5 and the example of section 5.1).
typedef enum interleave_op {
  INTERLEAVE_NOTHING,          // concerns no other path
  INTERLEAVE_ACQUIRE, INTERLEAVE_RELEASE,
  INTERLEAVE_BEGIN_ATOMIC, INTERLEAVE_END_ATOMIC,  // in between no other path moves
  INTERLEAVE_BEGIN_ONCE, INTERLEAVE_END_ONCE,
  INTERLEAVE_PASS_ONCE,        // it was done before
  INTERLEAVE_CREATE            // of the path whose number is `lock`
} interleave_op;

// A lock's number means the same lock in all paths.
typedef struct interleave_step { interleave_op op; bool reads; uint32_t lock; } interleave_step;

typedef struct interleave_path {
  const interleave_step *steps;
  uint32_t count;
  bool created;                // it cannot move before another path's CREATE of it
} interleave_path;

typedef VEC (uint32_t) interleave_order;  // the path that takes the 1st, 2nd, ... step

// False: no such interleaving exists, or the search gave up.  `out` is then empty.
bool interleave_paths (const interleave_path *, uint32_t count, interleave_order *out);

// ---- example_run.c --------------------------------------------------------------------------------------------------
// What a reader needs to judge a possible violation: kind, call stack and held locks of each thread, with acquisition
// histories, and an interleaving that the locks allow.
typedef struct witness_side {
  thread_place place;
  ir_edge edge;                // the thread stands before it
  ir_step op;                  // as in a trace
  const char *object;          // "x", or NULL
  const char *what;            // "write of `x`"
  goal_role role;              // the same for reports
} witness_side;

void witnesses_init (witnesses *, lock_analysis *, verdict *);
void witnesses_release (witnesses *);
// Adds sides, locations and claim to the goal; also the steps, or the reason why there are none.
void witness_add (witnesses *, goal *, const witness_side *, uint32_t count);

#endif
