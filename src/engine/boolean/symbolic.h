// Symbolic states: sets of states of a Boolean program (paper BOOL, sections 3.1 and 3.2). In reading order: layout.c,
// boolean_slots.c, boolean_simulate.c (a step), canon.c (one form for many states).
//
// A symbolic state has the location of every thread. Each variable has a formula over choice variables, the inputs of
// one and-inverter graph, and a guard restricts the choices: the set of states consists of the values of the formulas
// under all choices that satisfy the guard. A thread has no name, so the threads are kept in the order of their
// locations.
#ifndef LOCKSTEP_BOOLEAN_SYMBOLIC_H
#define LOCKSTEP_BOOLEAN_SYMBOLIC_H

#include "base/map.h"
#include "boolean/bp_program.h"
#include "engine/boolean/truth.h"

// ---- the layout of values ----------------------------------------------------------------------------
typedef struct state_layout {
  const bp_program *program;
  dataflow live;
  uint32_t num_globals;
  // number of places of a thread for locals; locals that are never live at the same time may share one
  // (boolean_slots.c)
  uint32_t num_locals;
  uint32_t *number;            // [0..vars.count[, among the globals or among the places
  uint32_t slot_words;
  uint64_t *live_slots;        // [location * slot_words + word], by place: a local in this place is live
  bool *ahead;                 // [0..locs.count[: an assertion is reachable for the thread, or for one that it starts
} state_layout;
void state_layout_init (state_layout *, const bp_program *);
void state_layout_release (state_layout *);
// Part of layout_init: boolean_slots.c.
void state_layout_find_slots (state_layout *);
void state_layout_release_slots (state_layout *);
static inline bool layout_slot_is_live (const state_layout *l, uint32_t location, uint32_t slot) {
  return l->live_slots[(size_t) location * l->slot_words + slot / 64] >> slot % 64 & 1;
}
static inline uint32_t layout_place (const state_layout *l, uint32_t thread, uint32_t var) {
  uint32_t n = l->number[var];
  return l->program->vars.data[var].global ? n : l->num_globals + thread * l->num_locals + n;
}

// ---- states under construction -----------------------------------------------------------------------
typedef VEC (aig_lit) aig_lits;
typedef struct state_builder {
  VEC (uint32_t) at;           // by thread: its location, ascending
  VEC (uint32_t) id;           // by thread: number of threads that were made before it
  aig_lits values;             // [layout_place]: the globals, then the locals of each thread
  aig_lits guard;              // conjuncts
  uint32_t num_inputs;         // choice variables 0, 1, ... are used
  uint32_t num_made;           // number of threads made so far
} state_builder;
void state_builder_release (state_builder *);

// ---- steps ------------------------------------------------------------------------------------------
// A goto and the assume or constrained assignment that it leads to are one step: no other thread can see which branch a
// waiting thread wants to take.
typedef struct choice_use { uint32_t choice, input; } choice_use;
typedef struct simulator {
  const state_layout *layout;
  aig graph;
  aig_lits inputs;             // choice variables
  uint32_t max_threads;
  map built;                   // bp_expr -> aig_lit, for one statement in one state
  VEC (choice_use) used;       // by the last step
  aig_lits assigned;           // by target of the current assignment
} simulator;
void simulator_init (simulator *, const state_layout *, uint32_t max_threads);
void simulator_release (simulator *);
// One thread, any values: a variable v that may be read has input v.
void simulate_start (simulator *, state_builder *);
// Does the statement wait: is it an assume, or an assignment with a constraint?
bool simulate_may_wait (const bp_program *, const bp_location *);
uint32_t simulate_ways (const state_layout *, bp_loc);                       // number of steps from there
// The assume or constrained assignment that is part of the step; BP_NONE: none.
bp_loc simulate_through (const state_layout *, bp_loc, uint32_t way);
typedef enum simulated { STEPPED, TOO_MANY_THREADS } simulated;
simulated simulate_step (simulator *, state_builder *, uint32_t thread, uint32_t way);
// Of the assert or of simulate_through, else true; may use inputs.
aig_lit simulate_condition (simulator *, state_builder *, uint32_t thread, uint32_t way);

// For conditions over globals, in the state before a step: first simulate_globals_begin, then each condition.
void simulate_globals_begin (simulator *);
aig_lit simulate_globals (simulator *, state_builder *, bp_expr);

// ---- states that are kept ---------------------------------------------------------------------------
typedef struct sym_state {
  uint32_t num_threads, num_guard, num_inputs;
  const uint32_t *at;          // [0..num_threads[
  const aig_lit *values;       // [layout_place]; variables that no thread reads any more are false
  const aig_lit *guard;        // [0..num_guard[, ascending
  const uint32_t *value_group, *guard_group;   // formulas of different groups share no choices; BP_NONE: a constant
  uint32_t num_groups;
  uint32_t round;              // number of steps on the path here that went back
  uint32_t parent, thread, way;  // the step of the state `parent` that led here; parent BP_NONE: the first state
} sym_state;

// Leaves out what does not matter, numbers the choices in the order of their use, and copies the state to the arena.
// The guard must be satisfiable.
typedef struct canoniser {
  cone cone;
  VEC (uint32_t) group;        // by node: one of the inputs below it
  VEC (uint32_t) leader;       // by input: another one of its group, or itself
  VEC (uint32_t) number;       // by leader: number of the group
  VEC (bool) wanted;           // by leader: some variable depends on the group
  // formulas stay as the steps made them; else groups of few variables get those of parameters.h
  bool plain;
  truth truth;
  VEC (uint32_t) value_group, guard_group;   // leaders of groups that were not handled by parameters.h yet
  uint32_t group_at_hand;
  VEC (uint32_t) members;      // values of the current group
  aig_lits formulas, conjuncts, choices;   // of the current group
} canoniser;
void canoniser_release (canoniser *);
sym_state *canon (canoniser *, simulator *, state_builder *, arena *);
// Continues from this state; the ids have no meaning.
void state_builder_open (state_builder *, const sym_state *, const state_layout *);
void guard_add (const aig *, aig_lits *guard, aig_lit);                // adds a conjunction as its parts

#endif
