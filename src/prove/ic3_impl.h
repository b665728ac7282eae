// Property directed reachability (IC3). Files in reading order: ic3_cube.c (sets of states), ic3_solver.c (queries
// about one step), ic3_lift.c (from one state to many), ic3_frames.c (lemmas per number of steps), ic3_generalise.c
// (from one unreachable set to a larger one), ic3.c (the search), ic3_invariant.c (the certificate).
//
// Frame 0 is the initial states. Frame f > 0 contains every state that is reached in at most f steps, as a conjunction
// of lemmas; a lemma excludes the states of a cube. Each lemma is stored once, at its level, the last frame that has
// it: frame f has the lemmas of levels f, f + 1, ..., and the endless ones, which all reachable states satisfy.
#ifndef LOCKSTEP_IC3_IMPL_H
#define LOCKSTEP_IC3_IMPL_H

#include "base/arena.h"
#include "base/rng.h"
#include "encode/cnf.h"
#include "prove/prove.h"

// ---- cubes ------------------------------------------------------------------------------------------
// The set of states in which some latches have given values. A literal is 2 * latch, + 1 if the value is 0.
typedef VEC (uint32_t) literals;                 // under construction, in any order
typedef struct cube {
  uint64_t signature;          // a bit per literal: a superset has all of them
  uint32_t count;
  uint32_t literal[];          // [0..count[, ascending
} cube;

size_t cube_bytes (uint32_t count);
void cube_fill (cube *, const literals *);                                 // sorts; the cube has enough room
bool cube_within (const cube *small, const cube *large);                   // Are small's literals among large's?
void literals_copy (literals *to, const literals *from);
void literals_take (literals *to, const cube *from);
bool literals_have (const literals *, uint32_t literal);

// ---- the proof so far -------------------------------------------------------------------------------
typedef VEC (cube *) lemma_list;                 // on the counted heap

// States from which the bad state is reached in `steps` steps: each of them goes to one of `next` under `inputs`.
typedef struct obligation {
  const struct obligation *next;                 // NULL: its states are bad themselves under `inputs`
  uint32_t level, steps;
  const uint8_t *inputs;                         // [0..inputs of the netlist[
  const cube *states;
} obligation;
typedef VEC (obligation *) obligation_list;

// A solver for neighbouring frames. A lemma of a level inside the group is activated by a literal of that level; a
// lemma of its last level, or of a later one, is always active.
typedef struct group {
  sat *solver;
  cnf cnf;
  uint32_t first, last;                          // frames
  VEC (int) on;                                  // [level - first]
  uint32_t num_lemmas;                           // number of lemmas added, including those superseded by now
} group;

typedef struct lifter {
  VEC (uint8_t) value;                           // by node of the graph, valid where `valued` has the current stamp
  VEC (uint32_t) valued, needed;                 // stamps by node
  VEC (uint32_t) latch_of;                       // by node: its latch, or UINT32_MAX
  VEC (uint32_t) stack;
  VEC (aig_lit) targets;                         // literals that must stay true under the model
  uint32_t stamp;
} lifter;

enum { IC3_ENDLESS = UINT32_MAX };               // used as a frame

typedef struct ic3 {
  const netlist *net;
  aig_lit bad;
  uint32_t bad_number, end_of_bads;              // numbers of bad states of the netlist; see prove_chain_by_ic3
  const prove_options *options;
  prove_result *result;
  rng random;
  bool excusing;                                 // see ic3_generalise.c
  bool stopped;                                  // the budget is spent: answers mean nothing any more

  uint32_t top;                                  // the frame from which bad states are being excluded
  VEC (lemma_list) levels;                       // [0..top + 1]
  lemma_list endless;
  uint32_t frames_per_group;
  VEC (group) groups;                            // [0] is frame 0 alone
  group endless_group;
  const group *answered;                         // the group whose solver gave the last answer

  VEC (double) activity;                         // by latch: how often it was in recent lemmas
  double bump;
  lifter lift;
  VEC (int) assumed, clause;                     // scratch

  arena *obligations;
  VEC (obligation_list) queue;                   // by level
} ic3;

// ---- ic3_solver.c: queries --------------------------------------------------------------------------
void ic3_solvers_init (ic3 *);
void ic3_solvers_release (ic3 *);
void ic3_solvers_add_frame (ic3 *, uint32_t frame);
// it was at level `from` before, 0 if it is new
void ic3_solvers_add_lemma (ic3 *, const cube *, uint32_t from, uint32_t level);
bool ic3_is_bad (ic3 *, uint32_t frame);                                   // Does the frame have a bad state?
// Does a step lead from the frame, outside of the cube if `outside`, into the cube? If not, `core` is a part of the
// cube that is not entered, either.
bool ic3_enters (ic3 *, uint32_t frame, const literals *, bool outside, literals *core);

// ---- ic3_lift.c: the last model ---------------------------------------------------------------------
void ic3_lift_init (ic3 *);
void ic3_lift_release (ic3 *);
bool ic3_model_latch (const ic3 *, uint32_t latch);                        // its value in the last model
uint8_t *ic3_model_inputs (const ic3 *, arena *);
void ic3_lift_predecessor (ic3 *, const literals *next, literals *out);    // next NULL: of a bad state

// ---- ic3_frames.c -----------------------------------------------------------------------------------
void ic3_frames_release (ic3 *);
void ic3_frames_add (ic3 *);                                               // adds another level
bool ic3_meets_start (const ic3 *, const literals *);                      // Does the cube have an initial state?
// if the cube has an initial state, adds a literal of `all` so that it has none
void ic3_keep_from_start (const ic3 *, literals *cube, const literals *all);
// By a lemma of this level, or of a later one, to which *level is set.
bool ic3_is_excluded (const ic3 *, const cube *, uint32_t *level);
void ic3_learn (ic3 *, const literals *, uint32_t from, uint32_t level);     // from: as in ic3_solvers_add_lemma
// Moves lemmas on; true: from level *fixpoint on they are inductive.
bool ic3_propagate (ic3 *, uint32_t *fixpoint);
uint64_t ic3_num_lemmas (const ic3 *);

// ---- ic3_generalise.c -------------------------------------------------------------------------------
// `cube` is not entered from frame `level` - 1: makes it larger as a set; returns the last level up to which it is not
// entered.
uint32_t ic3_generalise (ic3 *, literals *cube, uint32_t level);
void ic3_sort_by_activity (const ic3 *, literals *);                        // the most active first

// Ic3_invariant.c: the lemmas after this level are inductive.
void ic3_make_certificate (ic3 *, uint32_t level);

#endif
