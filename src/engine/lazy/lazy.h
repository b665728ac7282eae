// A machine unrolled step by step (paper LAZY): the thread models are uncoupled, each with its own depth, and passing a
// token between them (encoding `lazy`, token.c); or, for comparison, one synchronous model in which a scheduler lets
// one thread move at a time (encoding `eager`, eager.c).  Goals are literals; lazy_trace.c turns a model into a
// schedule.
#ifndef LOCKSTEP_LAZY_LAZY_H
#define LOCKSTEP_LAZY_LAZY_H

#include "encode/decider.h"
#include "encode/substitute.h"
#include "efsm/reach.h"
#include "efsm/touched.h"
#include "verdict/verdict.h"

// A thread, or the whole system, after so many steps.
typedef struct lazy_frame {
  term *value;                 // by variable; TERM_NONE: of another thread
  VEC (term) at;               // by reach.depths.data[d].points: the thread stands there
  map inputs;                  // input of the machine -> the term for it here
  term token;                  // lazy: it holds the token
  term has_only_read;          // lazy: ... since its last write sync, which came after it took the token
  term takes, gives;           // lazy: it takes, gives the token in this step; falsity: it cannot
  term *fresh;                 // lazy: by variable, what it takes over; NULL: it cannot take
  term taken, given;           // lazy: it is, in one of the passes added so far
} lazy_frame;

typedef struct lazy_lane {
  reach reach;
  VEC (lazy_frame) frames;
} lazy_lane;

// The token goes from thread j after its write sync at depth h to thread i at its read sync at depth k: the paper's RW.
typedef struct lazy_pass { uint32_t i, k, j, h; term literal; } lazy_pass;

typedef struct lazy_goal {
  ir_property property;
  term literal;
  // it goes wrong after `step` steps of this point; of a race, where the second stands
  uint32_t thread, depth, point, step;
  uint32_t other_step;         // race: of the point that the first has just left
  uint32_t pass;               // lazy, race: how the token came
  ir_edge edge, other_edge;
} lazy_goal;

typedef struct lazy_loss {
  term literal;
  uint32_t thread, depth;
  const char *what;
  bool is_cut;
  ir_edge edge;
} lazy_loss;

typedef struct lazy_model_options {
  bool eager, csr, cxt, mtx;
  bool few_passes;             // lazy: leave out passes of the token without which there is the same to see
  // lazy: let a pass bring only what has been found to matter; ask lazy_lost_value of every model
  bool few_values;
  uint32_t properties;
} lazy_model_options;

typedef struct lazy_model {
  efsm *m;
  lazy_model_options options;
  term_pool *terms;
  decider *decider;
  term_substitution substitution;
  uint32_t at_thread, at_depth;  // the frame it is for
  VEC (lazy_lane) lanes;      // by thread
  uint32_t depth;              // frames 0..depth are there
  VEC (lazy_goal) goals;
  VEC (lazy_loss) losses;
  VEC (lazy_pass) passes;     // lazy
  map order;                   // lazy: literals of token.c
  VEC (bool) carried;          // lazy, by variable: passes bring its value
  touched touched;
  map written, readers, begins_race;  // lazy: useful.c
  map open;                    // lazy: thread << 32 | depth of a read sync -> literal for passes that are still to come
  term last_depth;             // assumed: nothing is to come
  uint64_t sure_locks;         // locks released only where they are must-held
  uint64_t excluded;           // passes that locks make impossible
  // eager
  VEC (term) holder;           // by depth: the thread that moves
  VEC (term) access;           // by depth * EAGER_ACCESS: the last access (eager.c)
  arena *arena;
} lazy_model;

void lazy_model_init (lazy_model *, efsm *, decider *, lazy_model_options);  // frames of depth 0
void lazy_model_release (lazy_model *);
void lazy_model_grow (lazy_model *);             // one depth more
bool lazy_model_ended (const lazy_model *);      // no thread can be anywhere any more

// For the two encodings:
term lazy_at (lazy_model *, uint32_t thread, uint32_t depth, term);   // the term, at that frame
void lazy_add_goals (lazy_model *, uint32_t thread, uint32_t depth, term condition);
term lazy_any_sync (lazy_model *, uint32_t thread, uint32_t depth, point_kind);  // it stands at one of this kind
void token_begin (lazy_model *);
void token_step (lazy_model *, uint32_t thread);     // from the last depth to the next
void token_connect (lazy_model *);                   // passes of the token at the depth before the last
void lazy_find_readers (lazy_model *);              // useful.c
term lazy_useful (lazy_model *, const lazy_pass *);  // if not, there is an equal execution without it
void lazy_connect_races (lazy_model *, uint32_t first_goal);  // goals from this one on are new
void lazy_begin_values (lazy_model *);              // carried.c
void lazy_carry_values (lazy_model *, const lazy_pass *);
void eager_begin (lazy_model *);
void eager_step (lazy_model *);
term eager_passed_access (const lazy_model *, uint32_t depth);  // edge << 32 | step of the access before the token came

// The last model, in which the goal holds, is no execution, because a pass did not bring some value.  From now on it
// does.
bool lazy_lost_value (lazy_model *, const lazy_goal *);

// The moves of the last model that lead to the goal, in order.
typedef struct lazy_move { uint32_t thread, depth, point; } lazy_move;
typedef VEC (lazy_move) lazy_moves;
void lazy_find_moves (lazy_model *, const lazy_goal *, lazy_moves *out);
// The schedule of the last model for a goal whose literal holds in it.
void lazy_trace (lazy_model *, const ir_program *, const lazy_goal *, claim *out);
// One context switch of that model as the paper writes them.
typedef struct lazy_switch { uint32_t from, from_depth, to, to_depth; } lazy_switch;
typedef VEC (lazy_switch) lazy_switches;
void lazy_find_switches (lazy_model *, const lazy_goal *, lazy_switches *out);

#endif
