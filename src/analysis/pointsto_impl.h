// Shared by the files of the points-to analysis: target_set.c (sets), pointsto_offset.c (offsets of targets),
// pointsto_memory.c (words of objects), pointsto_solve.c (the constraint graph), pointsto_cycles.c (its cycles),
// pointsto_collapse.c (nodes with too many targets), pointsto.c (constraints of a program), pointsto_answers.c.
#ifndef LOCKSTEP_POINTSTO_IMPL_H
#define LOCKSTEP_POINTSTO_IMPL_H

#include "analysis/pointsto.h"
#include "base/diag.h"
#include "base/map.h"

// ---- targets -----------------------------------------------------------------------------------------
// A target is an object and an offset in it: a byte offset; an offset plus any multiple of a stride, for elements of
// arrays; any multiple of a word; or any offset. Targets are numbered so that large sets, in which most offsets are
// unknown, are dense: first each object at any offset, then each at a multiple of a word, then each at the other
// offsets. The number of such an offset is called a place.
typedef uint64_t target;
enum {
  PLACE_BITS = 16,
  NUM_OFFSETS = 1 << 15,
  NUM_PLACES = 1 << PLACE_BITS,  // [NUM_OFFSETS..NUM_PLACES[: places with strides
  PLACE_ALIGNED = NUM_PLACES,
  PLACE_ANY
};
#define OBJECT_NUMBERS (1u << 21)
#define FIRST_ALIGNED OBJECT_NUMBERS
#define FIRST_EXACT (2 * OBJECT_NUMBERS)
static inline target target_make (uint32_t object, uint32_t place) {
  if (place == PLACE_ANY) return object;
  if (place == PLACE_ALIGNED) return FIRST_ALIGNED + object;
  return FIRST_EXACT + ((target) object << PLACE_BITS | place);
}
static inline uint32_t target_object (target t) {
  return (uint32_t) (t < FIRST_EXACT ? t % OBJECT_NUMBERS : (t - FIRST_EXACT) >> PLACE_BITS);
}
static inline uint32_t target_place (target t) {
  return t < FIRST_ALIGNED ? PLACE_ANY : t < FIRST_EXACT ? PLACE_ALIGNED : (uint32_t) (t - FIRST_EXACT) % NUM_PLACES;
}

// A sparse bitset of targets. An object at any offset covers it at every offset: a set drops what it covers. All zero
// means empty. With `any` the set stands for all targets and has no blocks.
typedef struct target_block { uint32_t key; uint64_t bits; } target_block;  // the targets from 64 * key on
typedef struct target_set {
  VEC (target_block) blocks;  // by key
  bool any;
} target_set;

void set_release (target_set *);
bool set_is_empty (const target_set *);
void set_add (target_set *, target);
void set_unite (target_set *, const target_set *);
// `out`, which must be empty, gets the part of `from` that `what` does not cover
void set_subtract (target_set *out, const target_set *from, const target_set *what);

uint32_t set_count (const target_set *);           // number of targets
uint32_t set_num_exact (const target_set *);       // number of blocks with known offsets
void set_coarsen (target_set *, uint32_t word);    // known offsets become any offset, or any multiple of a word

// Enumerates the targets in ascending order:  for (set_cursor c = {0}; set_next (s, &c);) use (c.target);
// From set_exact on, only those that are neither at any offset nor at any multiple of a word.
typedef struct set_cursor { uint32_t block; uint64_t left; target target; bool inside; } set_cursor;
bool set_next (const target_set *, set_cursor *);
set_cursor set_exact (const target_set *);
// Adds the other targets; without keeps_words, multiples of a word become any offset
void set_add_unknown (target_set *, const target_set *from, bool keeps_words);

// Places with strides, numbered in the order of their first use. The number modulo 8 is the offset modulo 8, so that
// the number tells multiples of a word.
// offset < stride; the stride is a multiple of a word
typedef struct stride_place { uint32_t offset, stride; } stride_place;
typedef struct place_table {
  uint32_t word;
  map numbers;                         // stride << 32 | offset -> place
  VEC (stride_place) places;           // [place - NUM_OFFSETS]
  uint32_t used[8];                    // number of places for offsets of this value modulo 8
} place_table;

uint64_t common_factor (uint64_t, uint64_t);                                              // the greatest; 0 and x: x
uint32_t place_at (const place_table *, int64_t offset);  // a known offset; too large ones are not distinguished
uint32_t place_shift (place_table *, uint32_t place, int64_t amount);
// factor: the distance is a multiple of it; 0: any distance
uint32_t place_spread (place_table *, uint32_t place, uint64_t factor);
stride_place place_stride (const place_table *, uint32_t place);  // stride 0: the place has none
bool place_is_aligned (const place_table *, uint32_t place);  // returns whether it is a multiple of a word

// ---- the constraint graph ----------------------------------------------------------------------------
typedef enum rule_kind {
  RULE_SHIFT,   // other contains the targets of this node, moved by `amount` bytes
  RULE_BLUR,    // ... and by an unknown multiple of `factor` (0: any distance); keeps_any
  RULE_LOAD,    // other contains the contents of the `bytes` bytes this node points to
  RULE_STORE,   // the contents of these bytes contain other
  RULE_CALL     // site `other` calls the functions this node points to
} rule_kind;

typedef struct pointsto_rule {
  rule_kind kind;
  bool keeps_any;   // BLUR
  bool mixes;       // STORE: the stored value is computed from the old one
  uint8_t bytes;    // LOAD STORE
  uint32_t other;
  // LOAD STORE: node used instead of other where only parts of pointers are accessed; blurred from or to other
  uint32_t pieces;
  int64_t amount;   // SHIFT BLUR
  uint64_t factor;  // BLUR
} pointsto_rule;

typedef struct pointsto_node {
  uint32_t leader;         // itself, or the node it was united with
  bool waiting;            // it has fresh targets
  bool is_collapsed;            // it has too many targets: part of the collapsed node, or going to be
  target_set all, fresh;   // fresh: targets that its successors have not seen
  VEC (uint32_t) copies;   // nodes that contain all its targets
  VEC (pointsto_rule) rules;
} pointsto_node;

typedef struct pointsto_cell { uint32_t word, node; } pointsto_cell;
// every stride-th word from `word` on; in, out: nodes
typedef struct cell_class { uint32_t word, stride /* in words */, in, out; } cell_class;
typedef struct object_cells {
  uint32_t in, out;    // nodes for unknown offsets; 0: not accessed so far
  uint32_t size;       // in bytes; UINT32_MAX: unknown
  bool torn;           // pointers in it may be partly overwritten
  bool constant;       // stores to it fail
  bool empty;          // it is constant and contains no pointers
  VEC (pointsto_cell) cells;
  VEC (cell_class) classes;
} object_cells;

typedef struct solver {
  uint32_t word;             // bytes of a pointer
  VEC (pointsto_node) nodes;
  VEC (uint32_t) order;      // nodes, sources of copies first as far as possible
  place_table places;
  map copies, blurs;         // source << 32 | target of each, to avoid duplicates
  map cells;                 // object << 32 | word -> node
  object_cells *objects;     // [0..num_objects[; the caller sets size, constant and empty
  uint32_t num_objects;
  uint32_t everywhere;       // node: values stored through a pointer to anything
  bool all_torn;
  uint32_t num_waiting, new_copies;
  uint32_t most_targets;     // limit of a node that is not collapsed
  uint32_t collapsed;            // the collapsed node: all nodes with too many targets; 0: none yet
  // nodes: values loaded and stored through it; [0] whole words, [1] parts
  uint32_t out_of_collapsed[2], into_collapsed[2];
  VEC (uint32_t) to_collapse;    // nodes that wait to be merged into it
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
void solver_add_rule (solver *, uint32_t node, pointsto_rule);
void solver_add_load (solver *, uint32_t address, uint32_t to, unsigned bytes);
// mixes: the stored value is computed from the old one
void solver_add_store (solver *, uint32_t address, uint32_t value, unsigned bytes, bool mixes);
uint32_t solver_cell (solver *, uint32_t object, uint32_t offset);  // returns the node of the word there
void solver_run (solver *);
const target_set *solver_targets (const solver *, uint32_t node);

// Functions shared by the files of the solver.
enum { ACCESS_BYTES = 8 };  // size of one access at most
void memory_load (solver *, const pointsto_rule *, target);
void memory_store (solver *, const pointsto_rule *, target);
void memory_store_anywhere (solver *, const pointsto_rule *);
void memory_tear_object (solver *, uint32_t object);
void solver_blur_into (solver *, uint32_t from, uint32_t to);
void solver_add_targets (solver *, uint32_t node, const target_set *);
void node_release (pointsto_node *);
uint32_t solver_leader (const solver *, uint32_t node);
void solver_wake (solver *, pointsto_node *);
void solver_unite (solver *, uint32_t into, uint32_t node);  // the caller wakes `into` and removes its copies to itself
void solver_refresh (solver *, uint32_t node);  // call it after solver_unite: all its targets become fresh
void solver_unite_cycles (solver *);  // also orders `order` by copies, sources first
bool is_collapsed_node (const solver *, uint32_t node);
// Merges the waiting nodes into the collapsed node
void collapse_waiting_nodes (solver *);
void collapse_add_targets (solver *, const target_set *fresh);   // loads and stores through it reach these objects now
void collapse_add_load (solver *, const pointsto_rule *);
void collapse_add_store (solver *, const pointsto_rule *);
// nodes of stores to any offset of the object, and of loads from any offset
uint32_t memory_in (solver *, uint32_t object);
uint32_t memory_out (solver *, uint32_t object);

// ---- answers -----------------------------------------------------------------------------------------
// an offset plus multiples of the stride
typedef struct target_range { uint32_t object, offset, stride; } target_range;
typedef struct pointsto_answer {
  uint32_t first, count;
  uint32_t first_target, num_targets;
  uint32_t first_range, num_ranges;
  bool anything;
} pointsto_answer;

struct pointsto {
  const ir_program *program;
  uint32_t num_objects;
  uint32_t *site;    // [edge]: object of an ALLOC, or of a NONDET from outside
  uint32_t *of_arg;  // [index into program->args]: index of its answer; while solving: node
  VEC (pointsto_answer) answers;
  VEC (uint32_t) objects;  // objects of all answers
  VEC (pointsto_target) targets;
  VEC (target_range) ranges;
  uint32_t *sizes;      // [object]: size in bytes; UINT32_MAX: unknown
  uint32_t *first_reg;  // [proc]: index of its register 0 in reg_holds
  uint8_t *reg_holds;   // [0..num_regs[: pointsto_holding
  uint32_t num_regs;
};

void answers_keep (pointsto *, const solver *);  // turns the nodes in `of_arg` into answers

#endif
