// Symbolic states: sets of states of a Boolean program (paper BOOL, sections 3.1 and 3.2).  In reading order: layout.c, slots.c, simulate.c (a step), canon.c (one form
// for many states).
//
// A symbolic state knows where every thread stands.  Each variable has a formula over choice variables, the inputs of one and-inverter graph, and a guard says
// which choices count: the states meant are the values of the formulas under all choices that satisfy the guard.  A thread has no name, so the threads are
// kept in the order of their locations.
#ifndef LOCKSTEP_BOOLEAN_SYMBOLIC_H
#define LOCKSTEP_BOOLEAN_SYMBOLIC_H

#include "base/map.h"
#include "boolean/program.h"
#include "engine/boolean/truth.h"

// ---- where values stand ----------------------------------------------------------------------------------------------------
typedef struct layout {
  const bp_program *program;
  dataflow live;
  uint32_t num_globals;
  uint32_t num_locals;         // places of a thread for them; locals that are never wanted at the same time may have the same one (slots.c)
  uint32_t *number;            // [0..vars.count[, among the globals or of the place
  uint32_t slot_words;
  uint64_t *live_slots;        // [location * slot_words + word], by place: a local that has this place may still be read
  bool *ahead;                 // [0..locs.count[: there is an assertion on the way of the thread, or of one that it starts
} layout;
void layout_init (layout *, const bp_program *);
void layout_release (layout *);
void layout_find_slots (layout *);                                     // part of layout_init: slots.c
void layout_release_slots (layout *);
static inline bool layout_slot_is_live (const layout *l, uint32_t location, uint32_t slot) {
  return l->live_slots[(size_t) location * l->slot_words + slot / 64] >> slot % 64 & 1;
}
static inline uint32_t layout_place (const layout *l, uint32_t thread, uint32_t var) {
  uint32_t n = l->number[var];
  return l->program->vars.data[var].global ? n : l->num_globals + thread * l->num_locals + n;
}

// ---- a state being made ----------------------------------------------------------------------------------------------------
typedef VEC (aig_lit) aig_lits;
typedef struct draft {
  VEC (uint32_t) at;           // by thread: its location, ascending
  VEC (uint32_t) id;           // by thread: how many were made before it
  aig_lits values;             // [layout_place]: the globals, then the locals of each thread
  aig_lits guard;              // all of them hold
  uint32_t num_inputs;         // choice variables 0, 1, ... have been used
  uint32_t num_made;           // threads so far
} draft;
void draft_release (draft *);

// ---- steps -----------------------------------------------------------------------------------------------------------------
// A goto and the assume or constrained assignment that it leads to are one step: nobody else sees where a thread that waits for it wants to go.
typedef struct choice_use { uint32_t choice, input; } choice_use;
typedef struct simulator {
  const layout *layout;
  aig graph;
  aig_lits inputs;             // choice variables
  uint32_t max_threads;
  map built;                   // bp_expr -> aig_lit, of one statement in one state
  VEC (choice_use) used;       // by the last step
  aig_lits assigned;           // by target of the assignment at hand
} simulator;
void simulator_init (simulator *, const layout *, uint32_t max_threads);
void simulator_release (simulator *);
void simulate_start (simulator *, draft *);                            // one thread, any values: a variable v that may be read has input v
uint32_t simulate_ways (const layout *, bp_loc);                       // how many steps there are from there
bp_loc simulate_through (const layout *, bp_loc, uint32_t way);        // the assume or constrained assignment that the step passes through; BP_NONE: none
typedef enum simulated { STEPPED, TOO_MANY_THREADS } simulated;
simulated simulate_step (simulator *, draft *, uint32_t thread, uint32_t way);
aig_lit simulate_condition (simulator *, draft *, uint32_t thread, uint32_t way);   // of the assert or of simulate_through, else true; may use inputs

// Of conditions over globals, in the state before a step: first simulate_globals_begin, then each of them.
void simulate_globals_begin (simulator *);
aig_lit simulate_globals (simulator *, draft *, bp_expr);

// ---- states that are kept --------------------------------------------------------------------------------------------------
typedef struct sym_state {
  uint32_t num_threads, num_guard, num_inputs;
  const uint32_t *at;          // [0..num_threads[
  const aig_lit *values;       // [layout_place]; variables that nobody reads any more are false
  const aig_lit *guard;        // [0..num_guard[, ascending
  const uint32_t *value_group, *guard_group;   // formulas of different groups have no choices in common; BP_NONE: a constant
  uint32_t num_groups;
  uint32_t round;              // steps on the way here that went back
  uint32_t parent, thread, way;  // which step of which state it comes from; parent BP_NONE: it is the first
} sym_state;

// Leaves out what does not matter, gives the choices new names in the order of their use, and puts it into the arena.  The guard can be satisfied.
typedef struct canoniser {
  cone cone;
  VEC (uint32_t) group;        // by node: one of the inputs below it
  VEC (uint32_t) leader;       // by input: another one of its group, or itself
  VEC (uint32_t) number;       // by leader: of the group
  VEC (bool) wanted;           // by leader: some variable depends on the group
  bool plain;                  // formulas stay as the steps made them; else groups of few variables get those of parameters.h
  truth truth;
  VEC (uint32_t) value_group, guard_group;   // leaders of those that have not got their parameters yet
  uint32_t group_at_hand;
  VEC (uint32_t) members;      // its values
  aig_lits formulas, conjuncts, choices;   // of the group at hand
} canoniser;
void canoniser_release (canoniser *);
sym_state *canon (canoniser *, simulator *, draft *, arena *);
void draft_open (draft *, const sym_state *, const layout *);          // to go on from there; the ids have no meaning
void guard_add (const aig *, aig_lits *guard, aig_lit);                // a conjunction as its parts

#endif
