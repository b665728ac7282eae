// Shared by the files of the points-to analysis: target_set.c (sets), pointsto_solve.c (the constraint graph),
// pointsto_circles.c (circles in it), pointsto.c (constraints of a program, answers).
#ifndef LOCKSTEP_POINTSTO_IMPL_H
#define LOCKSTEP_POINTSTO_IMPL_H

#include "analysis/pointsto.h"
#include "base/diag.h"
#include "base/map.h"

// ---- targets -----------------------------------------------------------------------------------------
// A target is an object and a byte offset in it.  Offsets that are unknown or too large are one of two special ones.  Targets
// are numbered so that large sets, in which most offsets are unknown, are dense: first each object at any offset, then each at
// a multiple of a word, then each at the known offsets.
enum { OFFSET_BITS = 10, NUM_OFFSETS = 1 << OFFSET_BITS, OFFSET_ALIGNED = NUM_OFFSETS, OFFSET_ANY };
#define MOST_OBJECTS (1u << 21)
#define FIRST_ALIGNED MOST_OBJECTS
#define FIRST_EXACT (2 * MOST_OBJECTS)
static inline uint32_t target_make (uint32_t object, uint32_t offset) {
  return offset == OFFSET_ANY ? object : offset == OFFSET_ALIGNED ? FIRST_ALIGNED + object : FIRST_EXACT + (object << OFFSET_BITS | offset);
}
static inline uint32_t target_object (uint32_t target) {
  return target < FIRST_EXACT ? target % MOST_OBJECTS : (target - FIRST_EXACT) >> OFFSET_BITS;
}
static inline uint32_t target_offset (uint32_t target) {
  return target < FIRST_ALIGNED ? OFFSET_ANY : target < FIRST_EXACT ? OFFSET_ALIGNED : (target - FIRST_EXACT) % NUM_OFFSETS;
}

// A sparse bitset of targets.  An object at any offset covers it at every one: what a set has covered is dropped.  All zero is
// empty.  With `any` set it stands for all targets and has no blocks.
typedef struct target_block { uint32_t key; uint64_t bits; } target_block;  // targets 64 * key ...
typedef struct target_set {
  VEC (target_block) blocks;  // by key
  bool any;
} target_set;

void set_release (target_set *);
bool set_is_empty (const target_set *);
void set_add (target_set *, uint32_t target);
void set_unite (target_set *, const target_set *);
void set_subtract (target_set *out, const target_set *from, const target_set *what);  // out, which is empty, becomes what of `from` is not covered by `what`

// Visits the targets in ascending order:  for (set_cursor c = {0}; set_next (s, &c);) use (c.target);
// From set_exact, only those at known offsets.
typedef struct set_cursor { uint32_t block; uint64_t left; uint32_t target; bool inside; } set_cursor;
bool set_next (const target_set *, set_cursor *);
set_cursor set_exact (const target_set *);
void set_add_unknown (target_set *, const target_set *from, bool keeps_words);  // those at unknown offsets; else multiples of a word become any

// ---- the constraint graph ----------------------------------------------------------------------------
typedef enum rule_kind {
  RULE_SHIFT,   // other contains the targets of this node, `amount` bytes further on
  RULE_BLUR,    // ... at an unknown offset; amount: a known factor of the distance, 0: none; keeps_any
  RULE_LOAD,    // other contains what lies in the `bytes` bytes this node points to
  RULE_STORE,   // what lies there contains other
  RULE_CALL     // functions this node points to are called by edge `other`
} rule_kind;

typedef struct rule {
  rule_kind kind;
  bool keeps_any;   // BLUR
  bool mixes;       // STORE: what is stored is computed from what was there
  uint8_t bytes;    // LOAD STORE
  uint32_t other;
  uint32_t pieces;  // LOAD STORE: node to use for other where pointers are not seen whole; blurred from or to it
  int64_t amount;   // SHIFT BLUR
} rule;

typedef struct node {
  uint32_t leader;         // itself, or a node it was united with
  bool waiting;            // has fresh targets
  target_set all, fresh;   // fresh: those its successors have not seen
  VEC (uint32_t) copies;   // nodes that contain all of it
  VEC (rule) rules;
} node;

typedef struct object_cells {
  uint32_t in, out;    // nodes; 0: not accessed so far
  bool torn;           // pointers in it may be partly overwritten
  bool constant;       // stores to it fail
  bool empty;          // and no pointers are in it
} object_cells;

typedef struct solver {
  uint32_t word;             // bytes of a pointer
  VEC (node) nodes;
  VEC (uint32_t) order;      // nodes, sources of copies first as far as possible
  map copies, blurs;         // source << 32 | target of every one, against doubles
  map cells;                 // object << 32 | word -> node
  object_cells *objects;     // [0..num_objects[; whoever makes the solver may mark them as constant and empty
  uint32_t num_objects;
  uint32_t everywhere;       // node: what was stored through a pointer to anything
  bool all_torn;
  uint32_t num_waiting, new_copies;
  void (*called) (void *state, uint32_t edge, uint32_t object /* IR_NONE: anything */);
  void *state;
} solver;

enum { NODE_NOTHING = 0 };  // always empty

void solver_init (solver *, uint32_t num_objects, uint32_t word);
void solver_release (solver *);
uint32_t solver_add_node (solver *);
void solver_add_target (solver *, uint32_t node, uint32_t target);
void solver_add_any (solver *, uint32_t node);
void solver_add_copy (solver *, uint32_t from, uint32_t to);
void solver_add_rule (solver *, uint32_t node, rule);
void solver_add_load (solver *, uint32_t address, uint32_t to, unsigned bytes);
void solver_add_store (solver *, uint32_t address, uint32_t value, unsigned bytes, bool mixes /* with what was there */);
uint32_t solver_cell (solver *, uint32_t object, uint32_t offset);  // the node of the word there
void solver_run (solver *);
const target_set *solver_targets (const solver *, uint32_t node);

// Between the files of the solver.
void node_release (node *);
uint32_t solver_leader (const solver *, uint32_t node);
void solver_wake (solver *, node *);
void solver_unite_circles (solver *);  // also puts sources of copies first in `order`

#endif
