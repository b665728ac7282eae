// Formulas about the program, decided by searching the product of its states with the automaton of the runs that break it.
//
//   formula.c         the engine's side: sets up, answers
//     shallow.c         breadth-first search for an accepting component of the product, near the start
//     product.c         depth-first one, on the fly, for the rest
//       moments.c         the program's side: states with what a formula remembers of the past, and the moves between them
//     lasso.c           from such a component to a short run, as a schedule
#ifndef LOCKSTEP_EXPLICIT_PRODUCT_H
#define LOCKSTEP_EXPLICIT_PRODUCT_H

#include "base/intern.h"
#include "engine/explicit/explicit_impl.h"

// ---- moments.c -----------------------------------------------------------------------------------------
typedef struct thread_set { uint64_t words[IR_MAX_THREADS / 64]; } thread_set;
static inline void thread_set_add (thread_set *s, uint32_t slot) { s->words[slot / 64] |= UINT64_C (1) << slot % 64; }
static inline bool thread_set_has (const thread_set *s, uint32_t slot) { return s->words[slot / 64] >> slot % 64 & 1; }
static inline void thread_set_join (thread_set *s, const thread_set *t) { for (unsigned k = 0; k < IR_MAX_THREADS / 64; k++) s->words[k] |= t->words[k]; }
static inline bool thread_set_is_full (const thread_set *s) { for (unsigned k = 0; k < IR_MAX_THREADS / 64; k++) if (~s->words[k]) return false; return true; }

// By the step of one thread; several moves may differ in what was chosen.
typedef struct move { uint32_t target, slot; bool spurious; /* it needs a spurious wake-up */ } move;

typedef struct moment {
  uint64_t letter;
  uint64_t started;            // as in watch
  state_id state;              // IR_NONE: the process has ended
  uint32_t first_move, num_moves;  // in moments->moves, once it is expanded
  bool expanded;
  bool stays;                  // nothing can move: it repeats for ever.  Without this and without moves: all that could follow ends in an error
  thread_set idle;             // slots that cannot step here
} moment;

typedef struct moments {
  engine_run *run;
  const temporal *formula;
  code code;
  store_tables tables;
  position_names names;
  store store;
  world world;
  watch watch;
  intern numbers;              // of moments
  VEC (moment) all;            // [0] is the first one
  VEC (move) moves;
  uint64_t transitions;
  uint64_t next_check;         // of the budget
  const reason *stopped;       // why the search ended early, or NULL
  const reason *unsupported;   // why some execution could not be followed, or NULL
  bool cut;                    // some execution was cut by a bound
  uint32_t error;              // edge where an execution ended in an error, or IR_NONE
} moments;
void moments_init (moments *, engine_run *, const temporal *, bool every_edge);
void moments_release (moments *);
void moments_expand (moments *, uint32_t);               // fills its moves; may set `stopped`, and then they are not complete
void moments_append (moments *, uint32_t from, move, schedule *);  // the step, as the interpreter takes it

// ---- product.c -----------------------------------------------------------------------------------------
// Of the program and of the automaton, whose states are there twice if the program may wake up without a signal: only while the run is in the first ones.
typedef struct product_node { uint32_t moment, state; } product_node;
typedef struct product_edge { uint32_t target, slot; bool accepting, spurious; } product_edge;  // slot IR_NONE: it stays

typedef struct product {
  moments *moments;
  const buchi *automaton;
  bool fair;
  bool may_wake;               // without a signal
  map numbers;                 // of nodes
  VEC (product_node) nodes;    // [0] is the first one
  VEC (uint32_t) component;    // of the nodes of an accepting component; empty: there is none
} product;
void xs_product_init (product *, moments *, const buchi *, bool fair);
void xs_product_release (product *);
// What has been seen of the conditions that a component must meet.
typedef struct product_marks { bool accepting; thread_set turns; } product_marks;
product_marks xs_product_marks (const product_edge *);
void xs_product_join (product_marks *, const product_marks *);
bool xs_product_accepts (const product *, const product_marks *);
const thread_set *xs_product_idle (const product *, uint32_t node);  // threads that cannot step there; its moment is expanded
bool xs_product_search (product *);                         // true: found one; else none, unless moments->stopped
// The node's first edge from this index on (0, then one more than the last), false if there are no more; the moment is expanded if need be.
bool xs_product_edge (product *, uint32_t node, uint32_t *index, product_edge *);

// ---- shallow.c -----------------------------------------------------------------------------------------
typedef enum shallow_answer { SHALLOW_FOUND, SHALLOW_NONE, SHALLOW_OPEN } shallow_answer;
shallow_answer xs_product_search_shallow (product *);    // before the other one; OPEN: it has not seen all

// ---- lasso.c -------------------------------------------------------------------------------------------
void lasso_claim (product *, claim *);                   // a run through the component

// ---- formula.c -----------------------------------------------------------------------------------------
bool formula_fits (const ir_program *, const task *, strbuf *why);
void formula_check (engine_run *);

#endif
