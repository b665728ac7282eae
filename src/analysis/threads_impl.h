// Shared by the files that tell which threads run in parallel, in reading order:
//   threads_calls.c    who calls whom; which procedures create or join threads; which objects a procedure may write
//   threads_slice.c    which registers and objects matter to creating and joining
//   threads_value.c    expressions over values that are known or not
//   threads_facts.c    what is known at a point of one thread: who may be alive, who has ended, where handles lie
//   threads_kinds.c    the tree of kinds, and what a thread of each leaves behind
//   threads_walk.c     one thread executed abstractly, the procedures that create or join inlined, counting loops unrolled
//   threads_step.c     one edge of that
//   threads_loops.c    pairs of loops, one creating and one joining all the threads of an array
//   threads_links.c    the same where the array holds pointers to objects with the handles
//   threads_batches.c  those threads during the walk
//   threads_answers.c  from points of the walk to kinds and locations
//   threads.c          rounds until all assumptions hold; the answers
//
// The walk believes assumptions (this kind is created once, this handle is written by one kind only, these threads are left
// behind by that one).  An assumption found wrong is given up for good and all threads are walked again, until
// a whole round has confirmed all it believed.
#ifndef LOCKSTEP_THREADS_IMPL_H
#define LOCKSTEP_THREADS_IMPL_H

#include <string.h>

#include "analysis/threads.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/map.h"

// ---- small sets: of kinds, of objects that matter, of objects made on the way -------------------------------
enum { SET_WORDS = LIMIT_THREAD_MEMBERS / 64 };
typedef struct small_set { uint64_t word[SET_WORDS]; } small_set;

static inline bool small_has (const small_set *s, uint32_t i) { return s->word[i / 64] >> i % 64 & 1; }
static inline void small_add (small_set *s, uint32_t i) { s->word[i / 64] |= (uint64_t) 1 << i % 64; }
static inline void small_drop (small_set *s, uint32_t i) { s->word[i / 64] &= ~((uint64_t) 1 << i % 64); }
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
static inline bool small_meets (const small_set *s, const small_set *t) {
  uint64_t any = 0;
  for (unsigned k = 0; k < SET_WORDS; k++) any |= s->word[k] & t->word[k];
  return any;
}
static inline bool small_unite (small_set *s, const small_set *with) {  // true if it grew
  uint64_t fresh = 0;
  for (unsigned k = 0; k < SET_WORDS; k++) {
    fresh |= with->word[k] & ~s->word[k];
    s->word[k] |= with->word[k];
  }
  return fresh;
}
static inline bool small_intersect (small_set *s, const small_set *with) {  // true if it shrank
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

typedef struct call_graph {
  const ir_program *program;
  const pointsto *pointsto;
  id_list *callees;  // [proc]: procedures it may call, each once
  bool *matters;     // [proc]: it may create, join or detach threads, itself or through calls
  bool *edge_matters;  // [edge]: it creates, joins or detaches, or is a call of a procedure that matters
  bool *exits;       // [proc]: it may end its thread by THREAD_EXIT, itself or through calls
  id_list *operations;  // [proc]: thread operations it may perform, itself or through calls; found when asked for
} call_graph;

void call_graph_init (call_graph *, const ir_program *, const pointsto *);
void call_graph_release (call_graph *);
id_list call_graph_targets (const call_graph *, ir_edge, unsigned k);  // procedures argument k may name; the caller releases it
uint8_t *call_graph_reach (const call_graph *, ir_proc);               // [proc]: it, or what it may call; the caller frees it
const id_list *call_graph_operations (call_graph *, ir_proc);          // edges: create, join, detach, exit
bool threads_op_matters (ir_op);                                       // creates, joins, detaches

// ---- threads_slice.c ------------------------------------------------------------------------------------------
// Objects of the points-to analysis that matter get an index below LIMIT_THREAD_MEMBERS - 1.
enum { ANY_OBJECT = LIMIT_THREAD_MEMBERS - 1 };  // in a set of written objects: through a pointer to anything
typedef struct slice {
  call_graph *calls;
  uint32_t **slot;        // [proc][register]: its number among those that matter, or IR_NONE; NULL for others' procedures
  uint32_t *num_slots;    // [proc]
  uint32_t *index;        // [object]: or IR_NONE
  id_list objects;        // [index]
  small_set *writes;      // [proc]: what it may write, itself or through calls
  small_set written;      // by anyone, also by operations on locks and the like
  small_set stored;       // by anything but thread_create
  small_set escaped;      // other threads than the one that made it may know the address
} slice;

void slice_init (slice *, call_graph *);
void slice_release (slice *);
small_set slice_objects (const slice *, ir_edge, unsigned k);  // of those that matter, what argument k may point into

// ---- threads_loops.c ------------------------------------------------------------------------------------------
typedef struct loop_pair {
  uint32_t proc;                 // of both loops, or IR_NONE: they are in two
  ir_edge create_begin, create;  // the counter is set; a thread is created
  ir_edge join_begin, join_end;  // the counter is set; it has reached the bound
  threads_round round;
  ir_edge joined[2];             // the thread of the round has ended behind these; the second may be IR_NONE
  id_list registers;             // of proc: should not change in between
  small_set objects;             // the array, and what bound and address are loaded from: nor should they
} loop_pair;
typedef VEC (loop_pair) loop_pairs;

loop_pairs loop_pairs_find (const slice *);
void loop_pairs_release (loop_pairs *);

typedef struct definitions {
  uint32_t count;
  ir_edge edge[2];
} definitions;  // of a register

typedef struct counting_loop {
  ir_proc proc;
  ir_reg counter;
  ir_edge init, step, enter, leave;
  ir_expr bound;
  ir_edge use;   // accesses the array: the creation, or the load of a handle; with links the store or the load of a pointer
  ir_edge work;  // the creation; the load of a handle
  ir_edge done[2];  // joining: behind these the thread of the round has ended; the second may be IR_NONE
  const definitions *defined;
} counting_loop;

// May control get from behind `after` to before `target` without taking one of these edges?
bool loops_get_past (const ir_program *, ir_edge after, ir_edge target, const ir_edge *without, uint32_t count);
bool loops_mention (const ir_program *, ir_expr, ir_reg);

// ---- threads_links.c ------------------------------------------------------------------------------------------
// In every round that creates a thread, its handle goes into a new object, whose address goes into the array: `use` of the loop is found.
bool links_creating (const slice *, counting_loop *);
bool links_joining (const slice *, counting_loop *);   // what `work` loads from is the object that the array points to at the counter's value
bool links_same (const slice *, const counting_loop *creating, const counting_loop *joining);  // the handle is where it was put, in the object

// ---- threads_value.c ------------------------------------------------------------------------------------------
// An address is a number, as in the program; the objects made on the way (ALLOC) have numbers after the static ones.
typedef enum value_tag { VALUE_ANY, VALUE_NUMBER, VALUE_HANDLE } value_tag;
typedef struct value {
  value_tag tag;
  uint64_t number;  // HANDLE: the kind of the thread, or OWN_HANDLE
} value;
#define OWN_HANDLE ((uint64_t) IR_NONE - 1)

typedef struct made_object {
  uint32_t object;   // of the points-to analysis
  uint32_t context;  // in which it was made
  bool on_heap;
  bool several;      // may be made again while the earlier one lives: nothing is known about it
} made_object;
typedef VEC (made_object) made_list;  // [number - objects.count]

typedef struct value_scope {
  const ir_program *program;
  const uint32_t *slot;  // [register]
  const value *values;   // [slot]
  const made_list *made;
} value_scope;

static inline value value_any (void) { return (value){VALUE_ANY, 0}; }
static inline value value_number (uint64_t n) { return (value){VALUE_NUMBER, n}; }
value value_of_expression (const value_scope *, ir_expr);
value value_cut (value, unsigned bits, unsigned pointer_bits);  // as it arrives in a register of this width
static inline uint64_t address_number (const ir_program *p, uint64_t address) { return address >> p->offset_bits; }

// ---- threads_facts.c ------------------------------------------------------------------------------------------
typedef struct cell { uint64_t address; uint32_t bytes; value value; } cell;

// At a point of one thread, for all executions that get there.
typedef struct facts {
  small_set alive;    // kinds below this one: threads this one has brought about that may be alive
  small_set created;  // kinds below this one that may have been created
  small_set gone;     // kinds this thread may have joined or detached
  small_set ended;    // kinds that have certainly ended, and will not be created (again)
  small_set made;     // objects that may have been made, by index into made_list
  small_set batches;  // BATCH_WHOLE and BATCH_JOINED of pairs of loops for which that holds
  VEC (cell) cells;   // memory that is known; by address, not overlapping
  VEC (uint32_t) handles;  // [slot]: the kind whose handle the register holds, or IR_NONE
} facts;

void facts_release (facts *);
void facts_copy (facts *to, const facts *from);
bool facts_weaken (facts *, const facts *other);  // to what holds in both; true if something changed
const cell *facts_find (const facts *, uint64_t address, uint32_t bytes);
void facts_store (facts *, uint64_t address, uint32_t bytes, value);   // ANY: is unknown afterwards
void facts_forget_object (facts *, const ir_program *, uint64_t number);
void facts_forget_handle (facts *, uint32_t kind);

// ---- threads_kinds.c ------------------------------------------------------------------------------------------
// Here a kind is finer than in threads.h: what one visit of a create edge makes.
typedef struct kind {
  uint32_t parent;    // IR_NONE: kind 0
  uint32_t node;      // where it is created; IR_NONE: in code that was not walked in detail
  ir_edge creator;
  ir_proc entry;
  small_set below;    // itself and the kinds of threads it may bring about, those included that are above it in the tree
  small_set foreign;  // objects that matter, which other threads may write while it runs
  // Assumptions, given up for good.
  bool many;          // one creator may have two alive at once
  bool again;         // may be created twice in an execution
  bool joined;        // by others than its creator
  bool detached;
  bool loose;         // has several creators, or is created at no single node: nothing is known at its start, nor when all have ended
  bool ends;
  small_set left;          // alive when it ends, of those below it
  small_set ended_at_end;  // certainly ended when it ends
  // Of the round.
  bool started;
  facts start;        // no handles
  value argument;
} kind;

typedef struct walk walk;
bool kinds_many (const walk *, uint32_t kind);   // two of them may be alive at once, whoever made them
uint32_t kinds_created (walk *, uint32_t by, uint32_t node, ir_edge, ir_proc entry);  // the kind made there
void kinds_create (walk *, facts *, uint32_t kind);
void kinds_join (walk *, uint32_t by, facts *, value handle);
void kinds_detach (walk *, uint32_t by, facts *, value handle);
void kinds_has_ended (walk *, uint32_t by, facts *, uint32_t kind);
void kinds_all_ended (walk *, facts *, uint32_t kind);  // all that this thread has created of it
void kinds_end (walk *, uint32_t kind, const facts *);
void kinds_compute_foreign (walk *);

// ---- threads_walk.c -------------------------------------------------------------------------------------------
// A node is a location in a context (the chain of calls that leads there) with values for the registers that matter.
typedef struct number { uint64_t known, value; } number;
typedef struct context {
  uint32_t caller;    // node; IR_NONE: the thread starts here
  ir_proc proc;
  uint32_t kind;
  uint32_t depth;
  id_list returns;    // nodes of the round before a RETURN
} context;
typedef struct node {
  uint32_t context;
  ir_loc loc;
  uint32_t first_number;  // [slot] in walk->numbers
  uint32_t next;          // with the same hash, or IR_NONE
  bool reached, waiting;  // in this round
  facts facts;
} node;
typedef struct variants { uint32_t count, first; } variants;  // nodes of a location in a context

// Threads of kind `by` create some of a kind that stands elsewhere in the tree: it is `top`, an ancestor, or, in a flat tree, a
// child of kind 0, which is `top` then.
typedef struct kind_sharing { uint32_t by, shared, top; } kind_sharing;

struct walk {
  const ir_program *program;
  call_graph *calls;
  const slice *slice;
  const loop_pairs *pairs;
  uint32_t most_variants, most_depth;
  bool flat;           // no tree of kinds
  VEC (kind) kinds;
  VEC (kind_sharing) sharings;
  VEC (context) contexts;
  map context_of;      // caller << 32 | procedure; kind -> context of its start: in root_of
  map root_of;
  VEC (node) nodes;
  map node_of;         // hash -> node
  VEC (number) numbers;
  map variants_of;     // context << 32 | location -> index into variants
  VEC (variants) variants;
  id_list queue;       // nodes to take
  made_list made;
  map made_at;         // node -> index into made
  map widened;         // location << 32 | slot: the register has too many values there
  map writer_of;       // address of a handle -> the one kind written there, or IR_NONE: several
  small_set blurred;   // objects that matter, in which a handle was written to an unknown place
  bool all_detached, unknown_join;
  bool changed;        // an assumption was given up
  bool restart;        // a register was widened: what was found so far is finer than needed
  bool overflow;       // too large
};

enum { WALK_LEVELS = 3 };           // of detail, the finest first
void walk_init (walk *, const slice *, const loop_pairs *);
void walk_set_level (walk *, unsigned level);
void walk_release (walk *);
void walk_restart (walk *);         // forgets everything but what was widened; kind 0 is there
void walk_round (walk *);           // all kinds once
uint32_t walk_context (walk *, uint32_t caller, ir_proc, uint32_t kind);
void walk_flow (walk *, uint32_t context, ir_loc, const value *values, facts *);
void walk_wait (walk *, uint32_t node);
void walk_undecided (walk *, uint32_t node);  // several ways may be taken from there
static inline void walk_give_up (walk *w, bool *assumption) {
  w->changed |= !*assumption;
  *assumption = true;
}

// ---- threads_batches.c ----------------------------------------------------------------------------------------
#define BATCH_WHOLE(PAIR) (PAIR)
#define BATCH_JOINED(PAIR) ((PAIR) + LIMIT_THREAD_MEMBERS / 2)
void batches_take_edge (walk *, uint32_t kind, ir_proc, facts *, ir_edge);
void batches_note_written (const walk *, facts *, const small_set *objects, ir_edge by);
void batches_change_frame (const walk *, facts *, ir_proc);  // it is called, or returns

// ---- threads_step.c -------------------------------------------------------------------------------------------
void walk_step (walk *, uint32_t node);
id_list walk_targets (const walk *, uint32_t node, ir_edge call);  // procedures it may call from there; the caller releases it
bool walk_calls_in_detail (const walk *, uint32_t context, uint32_t callee);

// ---- threads_answers.c ----------------------------------------------------------------------------------------
// The kinds of threads.h, called classes here, and what holds at a place for all threads of a class.
typedef struct class {
  uint32_t parent;      // class, or IR_NONE
  ir_edge creator;
  ir_proc entry;
  bool many;
  bool in_detail;       // its places are listed; else `everywhere` holds wherever it is
  const uint8_t *runs;  // [proc]
} class;
typedef struct place {
  small_set alive;      // classes of threads that it brought about and that may be alive
  small_set ended;      // classes all of whose threads have ended
  small_set batches;    // as in facts
} place;
typedef struct answers {
  VEC (class) classes;
  VEC (place) places;
  map at_loc, in_proc;  // class << 32 | location or procedure -> places
  VEC (place) everywhere;         // [class]
  VEC (small_set) together;       // [class]: classes that may be alive at the same time by other ways than one creating the other
} answers;

void answers_find (answers *, const walk *);        // of a walk whose assumptions hold
void answers_give_up (answers *, const call_graph *);  // the kinds alone
void answers_release (answers *, const ir_program *);

#endif
