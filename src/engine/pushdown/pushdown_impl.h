// Single-index LTL\X on the pushdown system of one thread (LOCK, sections 3 and 4): `--engine=locks --ltl` with a
// formula about threads.  docs/formats/ltl.md describes the language, docs/engines/pushdown.md the method.  Files in
// reading order:
//   thread_atoms       which locations satisfy the atomic propositions of the formula
//   static_lock        the lock that an operation names, and how the operation changes it
//   known_registers    registers whose value is tracked
//   pushdown           the pushdown system
//   pushdown_product   its product with the Buechi automaton of the negated formula
//   relock             locks that a thread may acquire while it holds them
//   counting_loop      loops that certainly terminate
//   pushdown_lasso     accepting cycles of the product
//   show_run           the run that was found, as locations of the report
//   thread_formula     the engine
#ifndef LOCKSTEP_PUSHDOWN_IMPL_H
#define LOCKSTEP_PUSHDOWN_IMPL_H

#include "analysis/live_registers.h"
#include "analysis/pointsto.h"
#include "base/budget.h"
#include "base/intern.h"
#include "base/limits.h"
#include "ir/ir.h"
#include "ir/reason.h"
#include "ir/sync.h"
#include "logic/logic.h"

#define NONE UINT32_MAX

// ---- locks -------------------------------------------------------------------------------------------
// A lock that is a global variable, or lies in one at a known offset.
typedef struct static_lock { uint32_t object, offset; } static_lock;

typedef struct lock_op { ir_action action; /* IR_NO_ACTION: none on a lock */ ir_family sort; unsigned arg; } lock_op;

// How often the thread holds a followed lock.
enum { LOCK_FREE = 0, LOCK_MANY = 4 /* or more */, LOCK_MAYBE = 255 };
enum { LOCK_OUTCOMES = 6 };

// One outcome of a lock operation.
typedef struct lock_outcome {
  uint8_t held;                // how often the followed lock is held afterwards
  bool acquired, blocks;       // blocks: for ever, on a lock that the thread holds
  bool has_result;
  uint32_t result;
} lock_outcome;

// ---- the pushdown system -----------------------------------------------------------------------------
// A *spot* is a location with the known registers of its frame: a letter of the stack alphabet.  A *mode* is the state
// that calls and returns do not change: the states of the followed locks, and the events of the last step.  A *place*
// is a spot with a mode: the top of a configuration.
typedef struct known_reg { uint32_t reg, zero; uint64_t value; } known_reg;
typedef struct spot_key { uint32_t loc, known; } spot_key;
typedef struct mode_key {
  uint64_t yes, maybe;         // sets of atoms: acquired, released, called
  uint8_t held[LIMIT_PUSHDOWN_LOCKS];
} mode_key;
typedef struct place_key { uint32_t spot, mode; } place_key;

typedef enum lock_effect { EFFECT_NONE, EFFECT_ACQUIRES, EFFECT_RELEASES } lock_effect;
typedef enum pushdown_step_kind { STEP_GO, STEP_CALL, STEP_RETURN, STEP_END } pushdown_step_kind;
typedef struct pushdown_step {
  pushdown_step_kind kind;
  bool chosen;                 // a branch whose condition is not known
  bool blocks;                 // END: waits for a lock that the thread holds
  bool has_result;             // RETURN: its value is known
  ir_edge edge;
  uint32_t to;                 // GO, CALL: place
  uint32_t back, back_reg;     // CALL: spot to come back to; register whose value is kept, or NONE
  uint32_t mode;               // RETURN
  uint64_t result;             // RETURN
  lock_effect effect;          // GO: on `lock`, if that is known
  static_lock lock;
} pushdown_step;
typedef struct step_list { uint32_t first, count; } step_list;  // in pushdown->steps; first NONE: not made yet

typedef struct pushdown {
  const ir_program *program;
  const pointsto *targets;
  const ltl_pool *pool;
  arena *arena;

  // the atoms of the formula (thread_atoms.c)
  uint64_t *at_location;       // [location]: set of `at` and `in` atoms that hold there
  uint64_t *at_entry;          // [procedure]: set of `called` atoms
  bool atom_is_static[LIMIT_FORMULA_ATOMS];       // of lock atoms: means `atom_lock`; else a text
  static_lock atom_lock[LIMIT_FORMULA_ATOMS];
  uint32_t atom_followed[LIMIT_FORMULA_ATOMS];    // index into `followed`, or NONE
  const char *error;           // an atom that means nothing in this program
  uint32_t error_column;

  // locks whose state is followed
  static_lock followed[LIMIT_PUSHDOWN_LOCKS];
  uint8_t followed_kinds[LIMIT_PUSHDOWN_LOCKS];     // set of 1 << ir_mutex_kind
  uint32_t num_followed;
  bool follows_all;            // all locks that the thread may acquire twice

  // registers (known_registers.c)
  uint8_t **kept;              // [procedure][register]: KEEP_...
  uint32_t *loc_index;         // [location]: its number within its procedure
  proc_liveness *live;         // [procedure]; without nodes: not computed

  intern knowns, spots, modes, places;
  VEC (step_list) lists;       // [place]
  VEC (pushdown_step) steps;
  VEC (uint8_t) spots_at;      // [location]: number of its sets of known registers
  const reason *unsupported;   // a construct that was met and cannot be modelled
} pushdown;

void pushdown_init (pushdown *, const ir_program *, const pointsto *, const ltl_pool *, arena *);
void pushdown_release (pushdown *);
void pushdown_forget (pushdown *);                           // removes all places, because more locks are followed
uint32_t pushdown_start (pushdown *, ir_proc entry);               // a thread's first place
step_list pushdown_steps (pushdown *, uint32_t place);             // indices into pushdown->steps
void pushdown_label (const pushdown *, uint32_t place, uint64_t *yes, uint64_t *maybe);
// The place behind the call when its callee returns.
uint32_t pushdown_return (pushdown *, const pushdown_step *call, uint32_t mode, bool has_result, uint64_t result);
ir_loc place_loc (const pushdown *, uint32_t place);
void place_events (const pushdown *, uint32_t place, uint64_t *yes, uint64_t *maybe);  // only events of the last step

// ---- thread_atoms.c ----
bool atoms_bind (pushdown *);     // false: pushdown->error

// ---- static_lock.c ----
lock_op lockop_of (ir_op);
bool static_lock_find (const ir_program *, const char *name, static_lock *out);  // "m", "q.lock", "a[2].m"
// True if the operation certainly means the lock *out.  Else lockop_may_mean tells which locks it may mean.
bool lockop_exact (const pushdown *, ir_edge, lock_op, bool has_address, uint64_t address, static_lock *out);
bool lockop_may_mean (const pushdown *, ir_edge, lock_op, static_lock);
bool lockop_named (const ir_program *, ir_edge, lock_op, const char *name);
bool static_lock_follow (pushdown *, static_lock);                     // false: too many
uint32_t static_lock_index (const pushdown *, static_lock);         // its index, or NONE
uint32_t lockop_outcomes (lock_op, uint8_t kinds, uint8_t held, bool is_followed, lock_outcome *out);
uint8_t lockop_blur (lock_op, uint8_t kinds, uint8_t held);    // after an operation that may be on the lock

// ---- known_registers.c ----
enum { KEEP_ADDRESS = 1, KEEP_RESULT = 2 };
typedef struct known_set { uint32_t count; known_reg regs[LIMIT_PUSHDOWN_KNOWN]; } known_set;
void known_prepare (pushdown *);
void known_release (pushdown *);
void known_load (const pushdown *, uint32_t known, known_set *);
uint32_t known_intern (pushdown *, const known_set *);
bool known_eval (const pushdown *, const known_set *, ir_expr, uint64_t *value);
void known_forget (known_set *, ir_reg);
// Forgets the register if its value is unknown or not to be tracked.
void known_assign (pushdown *, known_set *, ir_proc, ir_reg, bool has_value, uint64_t value);
void known_prune (pushdown *, known_set *, ir_loc);             // removes registers that are dead at the location

// ---- counting_loop.c ----
// Loops that count up or down to a bound that does not change: they terminate.
typedef struct bounded_loop {
  ir_proc proc;
  ir_edge step;                // the counting edge
  uint8_t *body;               // [location of the procedure]
} bounded_loop;
typedef VEC (bounded_loop) bounded_loops;
void counting_loops_find (arena *, const ir_program *, const uint32_t *loc_index, ir_proc, bounded_loops *);

// ---- pushdown_product.c ----
typedef struct head_key { uint32_t place, state; } head_key;
typedef struct head { uint32_t item; bool done; } head;      // item: the first one that reached it
// A path within one frame, from the frame's entry to a head; `accepting`: it passes an accepting edge.
typedef struct item_key { uint32_t entry, head, accepting; } item_key;
typedef struct path_item {
  uint32_t before;             // item, NONE: the thread starts here.  Of an entry: the caller's
  uint32_t step;               // in pushdown->steps: taken from `before`; NONE as above
  uint32_t inside;             // item at the callee's return, for a step that is a whole call; else NONE
  bool notable;                // some atom holds on the path from the frame's entry
} path_item;
typedef struct item_move { uint32_t from, to, step, inside; } item_move;  // items; step and inside as in item
typedef enum link_kind { LINK_GO, LINK_CALL, LINK_WHOLE_CALL } link_kind;
typedef struct head_link {
  uint32_t from, to;           // heads
  uint32_t step, inside;
  link_kind kind;
  bool accepting;
} head_link;
typedef struct caller { uint32_t item, step, next; bool accepting; } caller;
typedef struct frame_exit { uint32_t mode, state, item, next; bool has_result, accepting; uint64_t result; } frame_exit;
typedef struct entry_data { uint32_t callers, exits, item; } entry_data;  // heads of lists; the item at the entry

typedef enum run_end { RUN_NONE, RUN_SETTLED /* whatever follows */, RUN_ENDS, RUN_BLOCKS, RUN_LOOPS } run_end;

typedef struct thread_product {
  pushdown *system;
  const buchi *automaton;
  const budget *budget;
  intern heads, items, exits_seen, links_seen;
  VEC (head) head_data;
  VEC (path_item) item_data;
  VEC (entry_data) entries;    // [head]
  VEC (caller) callers;
  VEC (frame_exit) exits;
  VEC (head_link) links;
  VEC (item_move) moves;       // all between items, if keeps_moves
  bool keeps_moves;
  uint32_t root;               // head
  // what was found
  run_end end;
  uint32_t last;               // item: the run leads here.  LOOPS: where the cycle begins
  VEC (uint32_t) cycle;        // LOOPS: links, from and to the head of `last`
  bool stopped;                // the budget is spent
} thread_product;

void product_init (thread_product *, pushdown *, const buchi *, const budget *);
void product_release (thread_product *);
void product_run (thread_product *, ir_proc entry);   // sets end, or stopped
item_key product_item (const thread_product *, uint32_t item);
head_key product_head (const thread_product *, uint32_t head);

// ---- relock.c ----
bool relocks_follow (pushdown *, ir_proc entry, const budget *);  // true: more locks are followed now

// ---- pushdown_lasso.c ----
void lasso_find (thread_product *);    // finds an accepting cycle of heads that a run can follow for ever

// ---- show_run.c ----
struct goal;
struct verdict;
void run_show (const thread_product *, struct verdict *, struct goal *, uint32_t thread);

// ---- thread_formula.c ----
struct engine_run;
// Decides run->task->ltl: adds goals with ids "ltl-1", ... to the verdict, and its answer about the formula.
//   PROVED    A: every run of every thread that is meant satisfies the formula
//   VIOLATED  E: no run does (there is nothing to replay, so the goal has no schedule)
//   UNKNOWN   a possible counterexample (A) or witness (E), with the run as locations; or why there is no answer
//   BOUNDED   as PROVED, but for what functions without a body might do
void thread_formula_check (struct engine_run *, const pointsto *);

#endif
