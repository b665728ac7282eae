// Decides formulas about the program by searching the product of its states with the automaton of the runs that violate
// the formula.
//
//   explicit_formula.c           the engine's side: set-up and answers
//     bounded_bfs.c                breadth-first search for an accepting component of the product, near the start
//     product.c                    depth-first search, on the fly, for the rest
//       observed_states.c            the program's side: states with what a formula remembers, and their moves
//     explicit_lasso.c             from such a component to a short run, as a schedule
#ifndef LOCKSTEP_EXPLICIT_PRODUCT_H
#define LOCKSTEP_EXPLICIT_PRODUCT_H

#include "base/intern.h"
#include "engine/explicit/explicit_impl.h"

// ---- observed_states.c --------------------------------------------------------------------------------
typedef struct thread_set { uint64_t words[IR_MAX_THREADS / 64]; } thread_set;
static inline void thread_set_add (thread_set *s, uint32_t slot) { s->words[slot / 64] |= UINT64_C (1) << slot % 64; }
static inline bool thread_set_has (const thread_set *s, uint32_t slot) { return s->words[slot / 64] >> slot % 64 & 1; }
static inline void thread_set_join (thread_set *s, const thread_set *t) {
  for (unsigned k = 0;
  k < IR_MAX_THREADS / 64;
  k++) s->words[k] |= t->words[k];
}
static inline bool thread_set_is_full (const thread_set *s) {
  for (unsigned k = 0;
  k < IR_MAX_THREADS / 64;
  k++) if (~s->words[k]) return false;
  return true;
}

// A step of one thread; several moves may differ in their choices.
typedef struct product_move { uint32_t target, slot; bool spurious; /* it needs a spurious wake-up */ } product_move;

typedef struct observed_state {
  uint64_t letter;
  uint64_t started;            // as in formula_observer
  state_id state;              // IR_NONE: the process has ended
  uint32_t first_move, num_moves;  // in observed_states->moves, valid once it is expanded
  bool expanded;
  // no thread can step: the state repeats for ever. If false and there are no moves, every continuation ends in an
  // error
  bool stays;
  thread_set idle;
} observed_state;

typedef struct observed_states {
  engine_run *run;
  const temporal *formula;
  code code;
  store_tables tables;
  position_names names;
  store store;
  current_state current;
  formula_observer observer;
  intern numbers;              // numbers of the observed states
  VEC (observed_state) all;    // [0] is the initial one
  VEC (product_move) moves;
  uint64_t transitions;
  uint64_t next_check;         // next check of the budget
  const reason *stopped;       // why the search ended early, or NULL
  const reason *unsupported;   // why some execution could not be continued, or NULL
  bool cut;                    // some execution was cut by a bound
  uint32_t error;              // edge where an execution ended in an error, or IR_NONE
} observed_states;
void observed_states_init (observed_states *, engine_run *, const temporal *, bool every_edge);
void observed_states_release (observed_states *);
// fills in the moves; they are incomplete if it sets `stopped`
void observed_states_expand (observed_states *, uint32_t);
// appends the step, as the judge executes it
void observed_states_append (observed_states *, uint32_t from, product_move, schedule *);

// ---- product.c ----------------------------------------------------------------------------------------
// A pair of an observed state and an automaton state. If the program has spurious wake-ups there are two copies of the
// automaton: they are possible only while the run is in the first copy.
typedef struct product_node { uint32_t observed, state; } product_node;
// slot IR_NONE: the program stays
typedef struct product_edge { uint32_t target, slot; bool accepting, spurious; } product_edge;

typedef struct state_product {
  observed_states *observed;
  const buchi *automaton;
  bool fair;
  bool may_wake;               // spurious wake-ups are possible
  map numbers;                 // numbers of the nodes
  VEC (product_node) nodes;    // [0] is the first one
  VEC (uint32_t) component;    // nodes of an accepting component; empty: none was found
} state_product;
void xs_product_init (state_product *, observed_states *, const buchi *, bool fair);
void xs_product_release (state_product *);
// Conditions of an accepting component that are already met.
typedef struct product_marks { bool accepting; thread_set turns; } product_marks;
product_marks xs_product_marks (const product_edge *);
void xs_product_join (product_marks *, const product_marks *);
bool xs_product_accepts (const state_product *, const product_marks *);
// threads that cannot step there; the observed state must be expanded
const thread_set *xs_product_idle (const state_product *, uint32_t node);
// Returns true if it found one; otherwise there is none, unless the search was stopped
bool xs_product_search (state_product *);
// Finds the node's first edge from this index on (start with 0, then one more than the last); returns false if there is
// none. Expands the observed state if necessary.
bool xs_product_edge (state_product *, uint32_t node, uint32_t *index, product_edge *);

// ---- bounded_bfs.c ------------------------------------------------------------------------------------
typedef enum bounded_bfs_answer { BFS_FOUND, BFS_NONE, BFS_OPEN } bounded_bfs_answer;
// to call before the other one; OPEN: it has not seen all nodes
bounded_bfs_answer xs_product_bounded_bfs (state_product *);

// ---- explicit_lasso.c ---------------------------------------------------------------------------------
void lasso_claim (state_product *, claim *);                   // builds a run through the component

// ---- explicit_formula.c -------------------------------------------------------------------------------
bool formula_fits (const ir_program *, const task *, strbuf *why);
void formula_check (engine_run *);

#endif
