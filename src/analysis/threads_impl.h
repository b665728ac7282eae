// Shared by the files of the analysis which threads run in parallel, in reading order:
//   threads_calls.c    the call graph; procedures that create or join threads; objects that a procedure may write
//   threads_slice.c    registers and objects that matter to creating and joining
//   threads_value.c    expressions over known and unknown values
//   threads_facts.c    facts at a point of one thread: threads that may be alive or have ended, where handles lie
//   threads_kinds.c    the tree of kinds, and what a thread of each leaves behind
//   threads_walk.c     abstract execution of one thread: procedures that create or join are inlined, loops unrolled
//   threads_step.c     one edge of that
//   threads_loops.c    pairs of loops, one creating and one joining all threads of an array
//   threads_links.c    the same where the array holds pointers to objects with the handles
//   threads_batches.c  those threads during the walk
//   threads_answers.c  from points of the walk to kinds and locations
//   thread_analysis.c  rounds until all assumptions hold; the answers
//
// The walk makes assumptions (this kind is created once, this handle is written by one kind only, these threads are
// left behind by that one). An assumption found wrong is given up for good and all threads are walked again, until a
// whole round has confirmed all its assumptions.
#ifndef LOCKSTEP_THREADS_IMPL_H
#define LOCKSTEP_THREADS_IMPL_H

#include <string.h>

#include "analysis/threads.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/map.h"

// ---- small sets: of kinds, of objects that matter, of objects created during the walk ---------------
enum { SET_WORDS = LIMIT_THREAD_MEMBERS / 64 };
typedef struct small_set { uint64_t word[SET_WORDS]; } small_set;

static inline bool small_has (const small_set *s, uint32_t i) { return s->word[i / 64] >> i % 64 & 1; }
static inline void small_add (small_set *s, uint32_t i) { s->word[i / 64] |= (uint64_t) 1 << i % 64; }
static inline void small_remove (small_set *s, uint32_t i) { s->word[i / 64] &= ~((uint64_t) 1 << i % 64); }
static inline small_set small_all (void) {
  small_set all;
  memset (&all, 0xff, sizeof all);
  return all;
}
static inline bool small_is_empty (const small_set *s) {
  uint64_t any = 0;
  for (unsigned k = 0; k < SET_WORDS; k++) any |= s->word[k];
  return !any;
}
static inline bool small_intersects (const small_set *s, const small_set *t) {
  uint64_t any = 0;
  for (unsigned k = 0; k < SET_WORDS; k++) any |= s->word[k] & t->word[k];
  return any;
}
static inline bool small_unite (small_set *s, const small_set *with) {  // returns whether it grew
  uint64_t fresh = 0;
  for (unsigned k = 0; k < SET_WORDS; k++) {
    fresh |= with->word[k] & ~s->word[k];
    s->word[k] |= with->word[k];
  }
  return fresh;
}
static inline bool small_intersect (small_set *s, const small_set *with) {  // returns whether it shrank
  uint64_t lost = 0;
  for (unsigned k = 0; k < SET_WORDS; k++) {
    lost |= s->word[k] & ~with->word[k];
    s->word[k] &= with->word[k];
  }
  return lost;
}
static inline void small_subtract (small_set *s, const small_set *what) {
  for (unsigned k = 0; k < SET_WORDS; k++) s->word[k] &= ~what->word[k];
}

// ---- threads_calls.c ------------------------------------------------------------------------------------------
typedef VEC (uint32_t) id_list;

typedef struct thread_call_graph {
  const ir_program *program;
  const pointsto *pointsto;
  id_list *callees;  // [proc]: procedures it may call, each once
  bool *matters;     // [proc]: it may create, join or detach threads, itself or through calls
  bool *edge_matters;  // [edge]: it creates, joins or detaches, or calls a procedure that matters
  bool *exits;       // [proc]: it may end its thread by THREAD_EXIT, itself or through calls
  // [proc]: thread operations it may perform, itself or through calls; computed at the first query
  id_list *operations;
} thread_call_graph;

void call_graph_init (thread_call_graph *, const ir_program *, const pointsto *);
void call_graph_release (thread_call_graph *);
// Procedures that argument k may point to; the caller releases the list
id_list call_graph_targets (const thread_call_graph *, ir_edge, unsigned k);
// [proc]: the procedure and all it may call; the caller frees it
uint8_t *call_graph_reach (const thread_call_graph *, ir_proc);
const id_list *call_graph_operations (thread_call_graph *, ir_proc);          // create, join, detach and exit edges
bool threads_op_matters (ir_op);                                       // returns whether it creates, joins or detaches

// ---- threads_slice.c ------------------------------------------------------------------------------------------
// Objects of the points-to analysis that matter get an index below LIMIT_THREAD_MEMBERS - 1.
enum { ANY_OBJECT = LIMIT_THREAD_MEMBERS - 1 };  // in a set of written objects: a write through a pointer to anything
typedef struct slice {
  thread_call_graph *calls;
  // [proc][register]: its number among the registers that matter, or IR_NONE; NULL for procedures that do not matter
  uint32_t **slot;
  uint32_t *num_slots;    // [proc]
  uint32_t *index;        // [object]: its index, or IR_NONE
  id_list objects;        // [index]
  small_set *writes;      // [proc]: objects it may write, itself or through calls
  small_set written;      // objects written at all, also by operations on locks
  small_set stored;       // objects written by anything but thread_create
  small_set escaped;      // objects whose address threads other than the creator may know
} slice;

void slice_init (slice *, thread_call_graph *);
void slice_release (slice *);
small_set slice_objects (const slice *, ir_edge, unsigned k);  // objects that matter to which argument k may point

// ---- threads_loops.c ------------------------------------------------------------------------------------------
typedef struct loop_pair {
  uint32_t proc;                 // procedure of both loops, or IR_NONE: they are in two
  ir_edge create_begin, create;  // the counter is set; a thread is created
  ir_edge join_begin, join_end;  // the counter is set; it has reached the bound
  threads_round round;
  ir_edge joined[2];             // after these the thread of the round has ended; the second may be IR_NONE
  id_list registers;             // registers of proc that must not change in between
  small_set objects;  // the array, and the objects from which bound and address are loaded: they must not change either
} loop_pair;
typedef VEC (loop_pair) loop_pairs;

loop_pairs loop_pairs_find (const slice *);
void loop_pairs_release (loop_pairs *);

typedef struct definitions {
  uint32_t count;
  ir_edge edge[2];
} definitions;  // the edges that set a register

typedef struct counting_loop {
  ir_proc proc;
  ir_reg counter;
  ir_edge init, step, enter, leave;
  ir_expr bound;
  // accesses the array: the creation, or the load of a handle; with links the store or the load of a pointer
  ir_edge use;
  ir_edge work;  // the creation; the load of a handle
  ir_edge done[2];  // joining: after these the thread of the round has ended; the second may be IR_NONE
  const definitions *defined;
} counting_loop;

// Returns whether control can get from after `after` to before `target` without taking one of these edges.
bool loops_get_past (const ir_program *, ir_edge after, ir_edge target, const ir_edge *without, uint32_t count);
bool loops_mention (const ir_program *, ir_expr, ir_reg);

// ---- threads_links.c ------------------------------------------------------------------------------------------
// Returns whether, in every round that creates a thread, its handle goes into a new object whose address goes into the
// array; sets `use` of the loop.
bool links_creating (const slice *, counting_loop *);
// The handle is loaded from the object to which the array points at the counter's value
bool links_joining (const slice *, counting_loop *);
// The handle is at the same offset of the object in both loops
bool links_same (const slice *, const counting_loop *creating, const counting_loop *joining);

// ---- threads_value.c ------------------------------------------------------------------------------------------
// An address is a number, as in the program; the objects created during the walk (ALLOC) have numbers after the static
// ones.
typedef enum value_tag { VALUE_ANY, VALUE_NUMBER, VALUE_HANDLE } value_tag;
typedef struct thread_value {
  value_tag tag;
  uint64_t number;  // HANDLE: the kind of the thread, or OWN_HANDLE
} thread_value;
#define OWN_HANDLE ((uint64_t) IR_NONE - 1)

typedef struct made_object {
  uint32_t object;   // object of the points-to analysis
  uint32_t context;  // context in which it was created
  bool on_heap;
  bool several;      // may be created again while the earlier one lives: nothing is known about it
} made_object;
typedef VEC (made_object) made_list;  // [number - objects.count]

typedef struct value_scope {
  const ir_program *program;
  const uint32_t *slot;  // [register]
  const thread_value *values;   // [slot]
  const made_list *made;
} value_scope;

static inline thread_value value_any (void) { return (thread_value){VALUE_ANY, 0}; }
static inline thread_value value_of_number (uint64_t n) { return (thread_value){VALUE_NUMBER, n}; }
thread_value value_of_expression (const value_scope *, ir_expr);
thread_value value_cut (thread_value, unsigned bits, unsigned pointer_bits);  // truncated to a register of this width
static inline uint64_t address_number (const ir_program *p, uint64_t address) { return address >> p->offset_bits; }

// ---- threads_facts.c ------------------------------------------------------------------------------------------
typedef struct thread_cell { uint64_t address; uint32_t bytes; thread_value value; } thread_cell;

// Facts at a point of one thread, for all executions that get there.
typedef struct thread_facts {
  small_set alive;    // kinds of descendants that may be alive
  small_set created;  // kinds of descendants that may have been created
  small_set gone;     // kinds this thread may have joined or detached
  small_set ended;    // kinds that have certainly ended and will not be created (again)
  small_set made;     // objects that may have been created, by index into made_list
  small_set batches;  // BATCH_COMPLETE and BATCH_JOINED of the pairs of loops for which these hold
  VEC (thread_cell) cells;   // known memory, by address, not overlapping
  VEC (uint32_t) handles;  // [slot]: the kind whose handle the register holds, or IR_NONE
} thread_facts;

void facts_release (thread_facts *);
void facts_copy (thread_facts *to, const thread_facts *from);
// Keeps only what holds in both; returns whether something changed
bool facts_weaken (thread_facts *, const thread_facts *other);
const thread_cell *facts_find (const thread_facts *, uint64_t address, uint32_t bytes);
void facts_store (thread_facts *, uint64_t address, uint32_t bytes, thread_value);   // ANY: unknown afterwards
void facts_forget_object (thread_facts *, const ir_program *, uint64_t number);
void facts_forget_handle (thread_facts *, uint32_t kind);

// ---- threads_kinds.c ------------------------------------------------------------------------------------------
// A kind of the walk is finer than in threads.h: the threads created by one visit of a create edge.
typedef struct thread_kind {
  uint32_t parent;    // IR_NONE: kind 0
  uint32_t node;      // node where it is created; IR_NONE: in code that was not walked in detail
  ir_edge creator;
  ir_proc entry;
  small_set below;    // itself and the kinds of its descendants, including those that are above it in the tree
  small_set foreign;  // objects that matter and that other threads may write while it runs
  // Assumptions that turned out wrong; given up for good.
  bool many;          // one creator may have two alive at once
  bool again;         // may be created twice in an execution
  bool joined;        // joined by a thread other than its creator
  bool detached;
  // it has several creators, or is created at no single node: nothing is known at its start, nor when all have ended
  bool has_unknown_creator;
  bool ends;
  small_set left;          // descendants that may be alive when it ends
  small_set ended_at_end;  // kinds that have certainly ended when it ends
  // Facts of the present round.
  bool started;
  thread_facts start;        // handles are not used
  thread_value argument;
} thread_kind;

typedef struct thread_walk thread_walk;
// Returns whether two of them may be alive at once, whoever created them
bool kinds_many (const thread_walk *, uint32_t kind);
uint32_t kinds_created (thread_walk *, uint32_t by, uint32_t node, ir_edge, ir_proc entry);  // the kind created there
void kinds_create (thread_walk *, thread_facts *, uint32_t kind);
void kinds_join (thread_walk *, uint32_t by, thread_facts *, thread_value handle);
void kinds_detach (thread_walk *, uint32_t by, thread_facts *, thread_value handle);
void kinds_has_ended (thread_walk *, uint32_t by, thread_facts *, uint32_t kind);
// All threads of the kind that this thread has created have ended
void kinds_all_ended (thread_walk *, thread_facts *, uint32_t kind);
void kinds_end (thread_walk *, uint32_t kind, const thread_facts *);
void kinds_compute_foreign (thread_walk *);

// ---- threads_walk.c -------------------------------------------------------------------------------------------
// A node is a location in a context (the chain of calls that leads there) with values for the registers that matter.
typedef struct number { uint64_t known, value; } number;
typedef struct thread_context {
  uint32_t caller;    // node of the call; IR_NONE: the thread starts here
  ir_proc proc;
  uint32_t kind;
  uint32_t depth;
  id_list returns;    // nodes of the round with a RETURN
} thread_context;
typedef struct thread_node {
  uint32_t context;
  ir_loc loc;
  uint32_t first_number;  // [slot] in walk->numbers
  uint32_t next;          // next node with the same hash, or IR_NONE
  bool reached, waiting;  // in this round
  thread_facts facts;
} thread_node;
typedef struct variants { uint32_t count, first; } variants;  // the nodes of a location in a context

// Threads of kind `by` create some of kind `shared`, which is elsewhere in the tree: it is the ancestor `top`, or, in a
// flat tree, a child of kind 0, which is `top` then.
typedef struct kind_sharing { uint32_t by, shared, top; } kind_sharing;

struct thread_walk {
  const ir_program *program;
  thread_call_graph *calls;
  const slice *slice;
  const loop_pairs *pairs;
  uint32_t most_variants, most_depth;
  bool flat;           // all kinds are children of kind 0
  VEC (thread_kind) kinds;
  VEC (kind_sharing) sharings;
  VEC (thread_context) contexts;
  map context_of;      // caller << 32 | procedure -> context; root_of: kind -> context of its start
  map root_of;
  VEC (thread_node) nodes;
  map node_of;         // hash -> node
  VEC (number) numbers;
  map variants_of;     // context << 32 | location -> index into variants
  VEC (variants) variants;
  id_list queue;       // nodes to visit
  made_list made;
  map made_at;         // node -> index in made
  map widened;         // location << 32 | slot: the register has too many values there
  map writer_of;       // address of a handle -> the only kind written there, or IR_NONE: several
  small_set blurred;   // objects that matter in which a handle was written at an unknown offset
  bool all_detached, unknown_join;
  bool changed;        // an assumption was given up
  bool restart;        // a register was widened: the results so far are finer than needed
  bool overflow;       // the walk is too large
};

enum { WALK_LEVELS = 3 };           // levels of detail, the finest first
void walk_init (thread_walk *, const slice *, const loop_pairs *);
void walk_set_level (thread_walk *, unsigned level);
void walk_release (thread_walk *);
void walk_restart (thread_walk *);         // clears everything except widened registers; adds kind 0
void walk_round (thread_walk *);           // walks all kinds once
uint32_t walk_context (thread_walk *, uint32_t caller, ir_proc, uint32_t kind);
void walk_flow (thread_walk *, uint32_t context, ir_loc, const thread_value *values, thread_facts *);
void walk_wait (thread_walk *, uint32_t node);
void walk_undecided (thread_walk *, uint32_t node);  // several branches may be taken from there
static inline void walk_drop_assumption (thread_walk *w, bool *assumption) {
  w->changed |= !*assumption;
  *assumption = true;
}

// ---- threads_batches.c ----------------------------------------------------------------------------------------
#define BATCH_COMPLETE(PAIR) (PAIR)
#define BATCH_JOINED(PAIR) ((PAIR) + LIMIT_THREAD_MEMBERS / 2)
void batches_take_edge (thread_walk *, uint32_t kind, ir_proc, thread_facts *, ir_edge);
void batches_note_written (const thread_walk *, thread_facts *, const small_set *objects, ir_edge by);
void batches_change_frame (const thread_walk *, thread_facts *, ir_proc);  // the procedure is called, or returns

// ---- threads_step.c -------------------------------------------------------------------------------------------
void walk_step (thread_walk *, uint32_t node);
// Procedures that the edge may call there; the caller releases the list
id_list walk_targets (const thread_walk *, uint32_t node, ir_edge call);
bool walk_calls_in_detail (const thread_walk *, uint32_t context, uint32_t callee);

// ---- threads_answers.c ----------------------------------------------------------------------------------------
// The kinds of threads.h, called classes here, and the facts at a location for all threads of a class.
typedef struct thread_class {
  uint32_t parent;      // class, or IR_NONE
  ir_edge creator;
  ir_proc entry;
  bool many;
  bool in_detail;       // facts are listed per location; otherwise `everywhere` holds at all locations
  const uint8_t *runs;  // [proc]
} thread_class;
typedef struct class_facts {
  small_set alive;      // classes of descendants that may be alive
  small_set ended;      // classes whose threads have all ended
  small_set batches;    // as in thread facts
} class_facts;
typedef struct answers {
  VEC (thread_class) classes;
  VEC (class_facts) places;
  map at_loc, in_proc;  // class << 32 | location or procedure -> index in places
  VEC (class_facts) everywhere;         // [class]
  // [class]: classes that may be alive at the same time for other reasons than one creating the other
  VEC (small_set) together;
} answers;

void answers_find (answers *, const thread_walk *);        // from a walk whose assumptions hold
void answers_give_up (answers *, const thread_call_graph *);  // only the kinds, without facts
void answers_release (answers *, const ir_program *);

#endif
