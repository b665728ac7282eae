// How a thread may come to where it stands: the path that the analysis has found, through all calls, with what it does to
// locks and threads on the way.  Locks have fixed names where it can be told which they are, so that equal names mean the
// same lock in all threads.
#ifndef LOCKSTEP_LOCKS_PATH_H
#define LOCKSTEP_LOCKS_PATH_H

#include "engine/locks/analysis.h"

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

#endif
