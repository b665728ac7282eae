// A machine unrolled step by step (paper LAZY): the thread models are uncoupled, each with its own depth, and passing a token between them (encoding
// `lazy`, depth_lazy.c); or, for comparison, one synchronous model in which a scheduler lets one thread move at a time (encoding `eager`,
// depth_eager.c).  Goals are literals; depth_trace.c turns a model into a schedule.
#ifndef LOCKSTEP_LAZY_DEPTH_H
#define LOCKSTEP_LAZY_DEPTH_H

#include "encode/decide.h"
#include "encode/substitute.h"
#include "efsm/reach.h"
#include "efsm/touched.h"
#include "verdict/verdict.h"

// A thread, or the whole system, after so many steps.
typedef struct depth_frame {
  term *value;                 // by variable; TERM_NONE: of another thread
  VEC (term) at;               // by reach.depths.data[d].points: the thread stands there
  map inputs;                  // input of the machine -> the term for it here
  term token;                  // lazy: it holds the token
  term has_only_read;          // lazy: ... since its last write sync, which came after it took the token
  term takes, gives;           // lazy: it takes, gives the token in this step; falsity: it cannot
  term *fresh;                 // lazy: by variable, what it takes over; NULL: it cannot take
  term taken, given;           // lazy: it is, in one of the passes added so far
} depth_frame;

typedef struct depth_lane {
  reach reach;
  VEC (depth_frame) frames;
} depth_lane;

// The token goes from thread j after its write sync at depth h to thread i at its read sync at depth k: the paper's RW.
typedef struct depth_pass { uint32_t i, k, j, h; term literal; } depth_pass;

typedef struct depth_goal {
  ir_property property;
  term literal;
  uint32_t thread, depth, point, step;  // it goes wrong after `step` steps of this point; of a race, where the second stands
  uint32_t other_step;         // race: of the point that the first has just left
  uint32_t pass;               // lazy, race: how the token came
  ir_edge edge, other_edge;
} depth_goal;

typedef struct depth_loss { term literal; uint32_t thread, depth; const char *what; bool is_cut; ir_edge edge; } depth_loss;

typedef struct depth_options {
  bool eager, csr, cxt, mtx;
  bool few_passes;             // lazy: leave out passes of the token without which there is the same to see
  bool few_values;             // lazy: let a pass bring only what has been found to matter; ask depth_lost_value of every model
  uint32_t properties;
} depth_options;

typedef struct depths {
  efsm *m;
  depth_options options;
  term_pool *terms;
  decider *decider;
  substitution substitution;
  uint32_t at_thread, at_depth;  // the frame it is for
  VEC (depth_lane) lanes;      // by thread
  uint32_t depth;              // frames 0..depth are there
  VEC (depth_goal) goals;
  VEC (depth_loss) losses;
  VEC (depth_pass) passes;     // lazy
  map order;                   // lazy: literals of depth_lazy.c
  VEC (bool) carried;          // lazy, by variable: passes bring its value
  touched touched;
  map written, readers, begins_race;  // lazy: depth_useful.c
  map open;                    // lazy: thread << 32 | depth of a read sync -> literal for passes that are still to come
  term last_depth;             // assumed: nothing is to come
  uint64_t sure_locks;         // nobody releases them who does not surely hold them
  uint64_t excluded;           // passes that locks make impossible
  // eager
  VEC (term) holder;           // by depth: the thread that moves
  VEC (term) access;           // by depth * EAGER_ACCESS: the last access (depth_eager.c)
  arena *arena;
} depths;

void depths_init (depths *, efsm *, decider *, depth_options);  // frames of depth 0
void depths_release (depths *);
void depths_grow (depths *);             // one depth more
bool depths_ended (const depths *);      // no thread can be anywhere any more

// For the two encodings:
term depth_at (depths *, uint32_t thread, uint32_t depth, term);   // the term, at that frame
void depth_add_goals (depths *, uint32_t thread, uint32_t depth, term condition);
term depth_any_sync (depths *, uint32_t thread, uint32_t depth, point_kind);  // it stands at one of this kind
void lazy_begin (depths *);
void lazy_step (depths *, uint32_t thread);     // from the last depth to the next
void lazy_connect (depths *);                   // passes of the token at the depth before the last
void depth_find_readers (depths *);              // depth_useful.c
term depth_useful (depths *, const depth_pass *);  // if not, there is an equal execution without it
void depth_connect_races (depths *, uint32_t first_goal);  // goals from this one on are new
void depth_begin_values (depths *);              // depth_values.c
void depth_carry_values (depths *, const depth_pass *);
void eager_begin (depths *);
void eager_step (depths *);
term eager_passed_access (const depths *, uint32_t depth);  // edge << 32 | step of the access before the token came

// The last model, in which the goal holds, is no execution, because a pass did not bring some value.  From now on it does.
bool depth_lost_value (depths *, const depth_goal *);

// The moves of the last model that lead to the goal, in order.
typedef struct depth_move { uint32_t thread, depth, point; } depth_move;
typedef VEC (depth_move) depth_moves;
void depth_find_moves (depths *, const depth_goal *, depth_moves *out);
// The schedule of the last model for a goal whose literal holds in it.
void depth_trace (depths *, const ir_program *, const depth_goal *, claim *out);
// One context switch of that model as the paper writes them.
typedef struct depth_switch { uint32_t from, from_depth, to, to_depth; } depth_switch;
typedef VEC (depth_switch) depth_switches;
void depth_find_switches (depths *, const depth_goal *, depth_switches *out);

#endif
