// Shared by the files of the points-to analysis: target_set.c (sets), pointsto_offset.c (offsets of targets), pointsto_memory.c
// (words of objects), pointsto_solve.c (the constraint graph), pointsto_circles.c (circles in it), pointsto_crowd.c (nodes with too many targets), pointsto.c (constraints of a program),
// pointsto_answers.c.
#ifndef LOCKSTEP_POINTSTO_IMPL_H
#define LOCKSTEP_POINTSTO_IMPL_H

#include "analysis/pointsto.h"
#include "base/diag.h"
#include "base/map.h"

// ---- targets -----------------------------------------------------------------------------------------
// A target is an object and a place in it: a byte offset; an offset plus any multiple of a stride, for elements of arrays; any
// multiple of a word; or anywhere.  Targets are numbered so that large sets, in which most offsets are unknown, are dense: first each
// object at any offset, then each at a multiple of a word, then each at the other places.
typedef uint64_t target;
enum { PLACE_BITS = 16, NUM_OFFSETS = 1 << 15, NUM_PLACES = 1 << PLACE_BITS /* [NUM_OFFSETS..NUM_PLACES[: with strides */,
       PLACE_ALIGNED = NUM_PLACES, PLACE_ANY };
#define OBJECT_NUMBERS (1u << 21)
#define FIRST_ALIGNED OBJECT_NUMBERS
#define FIRST_EXACT (2 * OBJECT_NUMBERS)
static inline target target_make (uint32_t object, uint32_t place) {
  return place == PLACE_ANY ? object : place == PLACE_ALIGNED ? FIRST_ALIGNED + object : FIRST_EXACT + ((target) object << PLACE_BITS | place);
}
static inline uint32_t target_object (target t) {
  return (uint32_t) (t < FIRST_EXACT ? t % OBJECT_NUMBERS : (t - FIRST_EXACT) >> PLACE_BITS);
}
static inline uint32_t target_place (target t) {
  return t < FIRST_ALIGNED ? PLACE_ANY : t < FIRST_EXACT ? PLACE_ALIGNED : (uint32_t) (t - FIRST_EXACT) % NUM_PLACES;
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
void set_add (target_set *, target);
void set_unite (target_set *, const target_set *);
void set_subtract (target_set *out, const target_set *from, const target_set *what);  // out, which is empty, becomes what of `from` is not covered by `what`

uint32_t set_count (const target_set *);           // targets
uint32_t set_num_exact (const target_set *);       // blocks of those at places that are known
void set_coarsen (target_set *, uint32_t word);    // these become any, or any multiple of a word

// Visits the targets in ascending order:  for (set_cursor c = {0}; set_next (s, &c);) use (c.target);
// From set_exact, only those that are neither at any offset nor at any multiple of a word.
typedef struct set_cursor { uint32_t block; uint64_t left; target target; bool inside; } set_cursor;
bool set_next (const target_set *, set_cursor *);
set_cursor set_exact (const target_set *);
void set_add_unknown (target_set *, const target_set *from, bool keeps_words);  // the others; if not so, multiples of a word become any

// Places with strides, numbered as they come.  The number modulo 8 is the offset modulo 8, so that multiples of a word are found by their number.
typedef struct stride_place { uint32_t offset, stride; } stride_place;  // offset < stride; the stride is a multiple of a word
typedef struct place_table {
  uint32_t word;
  map numbers;                         // stride << 32 | offset -> place
  VEC (stride_place) places;           // [place - NUM_OFFSETS]
  uint32_t used[8];                    // places given to offsets of this value modulo 8
} place_table;

uint32_t place_at (const place_table *, int64_t offset);                                  // known; but too large ones are not kept
uint32_t place_shift (place_table *, uint32_t place, int64_t amount);
uint32_t place_spread (place_table *, uint32_t place, uint64_t factor /* of the distance; 0: none is known */);
stride_place place_stride (const place_table *, uint32_t place);                          // stride 0: it has none
bool place_is_aligned (const place_table *, uint32_t place);                              // to words

// ---- the constraint graph ----------------------------------------------------------------------------
typedef enum rule_kind {
  RULE_SHIFT,   // other contains the targets of this node, `amount` bytes further on
  RULE_BLUR,    // ... and an unknown distance, which is a multiple of `factor` (0: of nothing); keeps_any
  RULE_LOAD,    // other contains what lies in the `bytes` bytes this node points to
  RULE_STORE,   // what lies there contains other
  RULE_CALL     // functions this node points to are called by site `other`
} rule_kind;

typedef struct rule {
  rule_kind kind;
  bool keeps_any;   // BLUR
  bool mixes;       // STORE: what is stored is computed from what was there
  uint8_t bytes;    // LOAD STORE
  uint32_t other;
  uint32_t pieces;  // LOAD STORE: node to use for other where pointers are not seen whole; blurred from or to it
  int64_t amount;   // SHIFT BLUR
  uint64_t factor;  // BLUR
} rule;

typedef struct node {
  uint32_t leader;         // itself, or a node it was united with
  bool waiting;            // has fresh targets
  bool crowded;            // has too many targets: part of the crowd, or going to be
  target_set all, fresh;   // fresh: those its successors have not seen
  VEC (uint32_t) copies;   // nodes that contain all of it
  VEC (rule) rules;
} node;

typedef struct cell { uint32_t word, node; } cell;
typedef struct cell_class { uint32_t word, stride /* in words */, in, out; } cell_class;  // every stride-th word from `word` on; nodes
typedef struct object_cells {
  uint32_t in, out;    // nodes; 0: not accessed so far
  uint32_t size;       // bytes; UINT32_MAX: not known
  bool torn;           // pointers in it may be partly overwritten
  bool constant;       // stores to it fail
  bool empty;          // and no pointers are in it
  VEC (cell) cells;
  VEC (cell_class) classes;
} object_cells;

typedef struct solver {
  uint32_t word;             // bytes of a pointer
  VEC (node) nodes;
  VEC (uint32_t) order;      // nodes, sources of copies first as far as possible
  place_table places;
  map copies, blurs;         // source << 32 | target of every one, against doubles
  map cells;                 // object << 32 | word -> node
  object_cells *objects;     // [0..num_objects[; whoever makes the solver sets size, constant and empty
  uint32_t num_objects;
  uint32_t everywhere;       // node: what was stored through a pointer to anything
  bool all_torn;
  uint32_t num_waiting, new_copies;
  uint32_t most_targets;     // of a node outside the crowd
  uint32_t crowd;            // node: all that have too many targets; 0: there are none
  uint32_t out_of_crowd[2], into_crowd[2];  // nodes: what is loaded and stored through it; [0] in whole words, [1] in pieces
  VEC (uint32_t) crowded;    // nodes that wait to be united with it
  void (*called) (void *state, uint32_t edge, uint32_t object /* IR_NONE: anything */);
  void *state;
} solver;

enum { NODE_NOTHING = 0 };  // always empty

void solver_init (solver *, uint32_t num_objects, uint32_t word);
void solver_release (solver *);
uint32_t solver_add_node (solver *);
void solver_add_target (solver *, uint32_t node, target);
void solver_add_any (solver *, uint32_t node);
void solver_add_copy (solver *, uint32_t from, uint32_t to);
void solver_add_rule (solver *, uint32_t node, rule);
void solver_add_load (solver *, uint32_t address, uint32_t to, unsigned bytes);
void solver_add_store (solver *, uint32_t address, uint32_t value, unsigned bytes, bool mixes /* with what was there */);
uint32_t solver_cell (solver *, uint32_t object, uint32_t offset);  // the node of the word there
void solver_run (solver *);
const target_set *solver_targets (const solver *, uint32_t node);

// Between the files of the solver.
enum { ACCESS_BYTES = 8 };  // of one access
void memory_load (solver *, const rule *, target);
void memory_store (solver *, const rule *, target);
void memory_store_anywhere (solver *, const rule *);
void memory_tear_object (solver *, uint32_t object);
void solver_blur_into (solver *, uint32_t from, uint32_t to);
void solver_add_targets (solver *, uint32_t node, const target_set *);
void node_release (node *);
uint32_t solver_leader (const solver *, uint32_t node);
void solver_wake (solver *, node *);
void solver_unite (solver *, uint32_t into, uint32_t node);  // the caller wakes `into` and drops its copies to itself
void solver_refresh (solver *, uint32_t node);                // after that: all its targets are fresh
void solver_unite_circles (solver *);  // also puts sources of copies first in `order`
bool crowd_is (const solver *, uint32_t node);
void crowd_gather (solver *);                                 // takes in those that wait
void crowd_add_targets (solver *, const target_set *fresh);   // loads and stores through it reach them now
void crowd_add_load (solver *, const rule *);
void crowd_add_store (solver *, const rule *);
uint32_t memory_in (solver *, uint32_t object);               // nodes: what is stored anywhere in it, what may be loaded
uint32_t memory_out (solver *, uint32_t object);

// ---- answers -----------------------------------------------------------------------------------------
typedef struct spot { uint32_t object, offset, stride; } spot;  // the offset plus multiples of the stride
typedef struct answer {
  uint32_t first, count;
  uint32_t first_target, num_targets;
  uint32_t first_spot, num_spots;
  bool anything;
} answer;

struct pointsto {
  const ir_program *program;
  uint32_t num_objects;
  uint32_t *site;    // [edge]: object of an ALLOC, or of a NONDET from outside
  uint32_t *of_arg;  // [index into program->args]: into answers; while solving: node
  VEC (answer) answers;
  VEC (uint32_t) objects;  // of all answers
  VEC (pointsto_target) targets;
  VEC (spot) spots;
  uint32_t *sizes;      // [object]: bytes; UINT32_MAX: not known
  uint32_t *first_reg;  // [proc]: index of its register 0 in reg_holds
  uint8_t *reg_holds;   // [0..num_regs[: pointsto_holding
  uint32_t num_regs;
};

void answers_keep (pointsto *, const solver *);  // `of_arg` holds nodes before, answers after

#endif
