// Private declarations of the explicit engine. Functions on threads and objects start with xs_ (explicit state),
// because the judge has its own under the same names. Reading order: this header, code.c (program to bytecode),
// current_state.c (the concrete state and its components), exec.c (one step of one thread), state_store.c (visited
// states), explicit_search.c. A parameter `w` is the working copy: the state that execution changes in place.
//
//   ir_program --code--> bytecode --exec--> current_state <--components/tuples--> store <-- search
#ifndef LOCKSTEP_EXPLICIT_IMPL_H
#define LOCKSTEP_EXPLICIT_IMPL_H

#include "base/map.h"
#include "engine/engine.h"
#include "engine/explicit/state_store.h"
#include "ir/sync.h"

// ---- bytecode (code.c, bytecode_liveness.c) -----------------------------------------------------------
// Registers of a frame are 64-bit slots; a value wider than 64 bits takes two.  An operand is a slot or,
// with CONST_BIT, an index into the constant pool.
#define CONST_BIT 0x80000000u
typedef uint32_t operand;

typedef enum bc_op {
  BC_MOVE, BC_MOVE2, BC_ADD, BC_SUB, BC_MUL, BC_AND, BC_OR, BC_XOR, BC_SHL, BC_LSHR, BC_ASHR,
  BC_EQ, BC_NE, BC_ULT, BC_ULE, BC_SLT, BC_SLE, BC_ITE, BC_SEXT, BC_TRUNC, BC_GENERIC, BC_TLS_ADDR,
  BC_JUMP, BC_BRANCH, BC_BRANCH_IF, BC_INFEASIBLE, BC_NOP,
  BC_NONDET, BC_CHECK, BC_CALL, BC_RETURN, BC_UNSUPPORTED,
  BC_STACK_SAVE, BC_STACK_RESTORE, BC_ALLOC, BC_OBJECT_SIZE, BC_SELF,
  BC_LOAD, BC_STORE, BC_LOAD_RAW, BC_STORE_RAW, BC_RMW, BC_CMPXCHG, BC_FREE, BC_FORGET, BC_OWN,
  BC_SYNC,                     // all synchronisation and thread operations; field `ir` says which one
  BC_ATOMIC_BEGIN, BC_ATOMIC_END, BC_EXIT
} bc_op;

typedef struct insn {
  uint8_t op;                  // bc_op
  uint8_t ir;                  // ir_op, of BC_SYNC and for reports
  uint8_t weight;              // IR edges completed when this is executed
  uint8_t bytes;               // memory access size
  uint8_t bits;                // operand width of arithmetic, result width of loads
  uint8_t aux;                 // rmw operation, alloc kind, property
  uint8_t order;
  bool back;                   // a jump to a lower address, where a long local run may pause
  bool sticky;                 // a backward jump that a cycle of states may go through (explicit_sticky.c)
  uint32_t dst, dst2;          // slots, or IR_NONE
  operand a, b, c;
  uint32_t edge;               // edge of the program from which it was compiled
  // code addresses; CALL: target is procedure + 1, or 0 if unknown, other the index of the argument list; OWN: other is
  // that index; GENERIC: target is the shape
  uint32_t target, other;
  uint32_t live;               // index into code->live_lists of the slots live before it, or IR_NONE
} insn;

typedef struct generic_shape { ir_expr_op op; uint8_t bits, operand_bits[3], arity; } generic_shape;
typedef struct call_shape { uint32_t first, count; } call_shape;  // operands and widths in code->call_operands
typedef struct call_operand { operand value; uint16_t bits; } call_operand;

typedef struct code_proc {
  uint32_t entry, end;         // code addresses
  uint32_t num_slots, first_temporary;
  VEC (uint32_t) param_slot;   // [0..num_params[
  VEC (uint16_t) param_bits;
  uint16_t result_bits;
} code_proc;

typedef struct live_list { uint32_t first, count; } live_list;    // in code->live_slots

typedef struct code {
  const ir_program *program;
  bool stops_anywhere;         // a thread may stop before any edge, not only before visible ones
  VEC (insn) insns;
  VEC (uint64_t) constants;
  VEC (generic_shape) shapes;
  VEC (call_shape) calls;
  VEC (call_operand) call_operands;
  VEC (code_proc) procs;       // as in the program
  VEC (live_list) live_lists;
  VEC (uint32_t) live_slots;
  struct rule_tree *rule_trees;  // [0..IR_NUM_OPS[, of the operations that the program contains
} code;
void code_init (code *, const ir_program *);
void code_init_anywhere (code *, const ir_program *);           // with stops_anywhere
void code_release (code *);
bool insn_is_jump (const insn *);
bool insn_falls_through (const insn *);                         // the next instruction can follow it
void code_mark_sticky (code *, uint32_t first, uint32_t end);   // one procedure's range
void code_compute_liveness (code *, uint32_t first, uint32_t end, uint32_t num_slots);  // one procedure's range

// ---- the current state: one concrete state, changed in place (current_state.c, object.c, thread.c) --
enum { PAGE_BYTES = 128 };
enum { XS_ALL_BITS = 0xff };   // mask of a byte that is undefined in all bits
typedef enum object_state { OBJ_ABSENT, OBJ_ALIVE, OBJ_DEAD } object_state;
typedef enum state_object_kind {
  OBJ_STATIC, OBJ_CONSTANT, OBJ_FUNCTION, OBJ_TLS, OBJ_STACK, OBJ_HEAP
} state_object_kind;

typedef struct state_object {
  uint8_t kind, state;
  bool shared;                 // a thread other than its creator may reach it, so accesses are visible
  bool leaked;                 // its address was written to memory at least once
  bool any_undefined;
  uint16_t depth, order;       // stack: number of frames and position among the frame's objects
  uint32_t size, capacity;     // capacity of the buffers below
  uint32_t number;
  uint8_t *bytes;              // [0..size[; undefined ones are 0
  uint8_t *undefined;          // [0..size[, the undefined bits, which are 0 in `bytes`; valid if any_undefined
  uint8_t *initial;  // static objects: [0..size[, the content that position value 0 stands for; otherwise NULL
  VEC (uint32_t) page_position;  // page -> tuple position, IR_NONE until first written
  VEC (uint8_t) page_dirty;
} state_object;

typedef enum hold_mode { HELD_MUTEX, HELD_SPIN, HELD_READ, HELD_WRITE, HELD_ONCE } hold_mode;
typedef struct state_held_lock { uint64_t address; uint32_t count, kind; } state_held_lock;
// An ownership declaration: only the thread uses these bytes while the cell holds the value. The struct has no gaps
// because it is packed as raw bytes.
typedef struct owned_bytes { uint64_t address, cell, value; uint32_t bytes; uint16_t cell_bytes, holds; } owned_bytes;
typedef struct state_frame { uint32_t proc, pc, base, num_stack; } state_frame;
typedef enum thread_status { T_FREE, T_RUNNING, T_ENDED } thread_status;

// The next access of a thread, for the detection of races; bytes 0: none.
typedef struct next_access {
  uint64_t address;
  uint32_t bytes;
  bool write, plain;
  uint64_t mutex;              // a wait on a condition variable also accesses these 4 bytes, atomically; 0: none
} next_access;

typedef struct state_thread {
  uint8_t status;
  bool detached, dirty;
  uint16_t atomic;
  uint64_t waiting, result;
  next_access pending;
  VEC (state_held_lock) held;  // sorted by address, kind
  VEC (owned_bytes) owned;     // sorted by address, cell
  VEC (state_frame) frames;
  VEC (uint64_t) regs;
  VEC (state_object *) objects;  // dynamic objects created by threads of this slot, by index
  uint32_t position;           // tuple position, IR_NONE until used
} state_thread;

// A position in tuples: a thread's slot or a page of an object. Positions are numbered when they are first used; all
// current states that share a store share the numbers.
typedef struct position { bool is_thread; uint32_t slot; state_object *object; uint32_t page; } position;
typedef struct position_name {
  uint32_t object;             // number of the object, or IR_NONE: a thread
  uint32_t index;              // page or slot
} position_name;
typedef struct position_names {
  pthread_mutex_t mutex;
  VEC (position_name) names;
  map numbers;                 // name -> index in names
} position_names;
void position_names_init (position_names *);
void position_names_release (position_names *);

typedef struct choice_point { uint32_t alternatives, taken; } choice_point;
typedef struct dirty_page { state_object *object; uint32_t page; } dirty_page;

typedef enum step_result {
  STEP_DONE, STEP_EXITED, STEP_VIOLATION, STEP_INFEASIBLE, STEP_CUT, STEP_UNSUPPORTED
} step_result;

// A violation found during execution; it is reported before the step continues or ends.
typedef struct violation {
  ir_property property;
  uint32_t thread, edge;       // thread and its next edge
  uint32_t other, other_edge;  // race: the second thread and its edge; otherwise IR_NONE
  uint32_t num_parts, num_chosen, edges_before;  // prefix of the step up to the violation
} violation;

// Record of the step being executed: everything except its effect on the state.
typedef struct step_record {
  VEC (choice_point) choices;  // choices of this execution of the step, in order; the last one is advanced first
  uint32_t next_choice;
  VEC (ir_value) chosen;       // chosen values, for the schedule
  VEC (schedule_part) parts;   // thread and number of edges, in order
  uint32_t edges;              // edges taken so far by the thread being executed
  VEC (uint32_t) reads;        // positions it has read
  bool uncacheable;            // it depends on more than its own thread and `reads`
  VEC (uint32_t) starts;       // threads created in this step
  VEC (next_access) accessed;  // shared memory accessed in an atomic region
  bool took_sticky_jump;       // it has taken a sticky jump
  bool spurious;               // a wait that ends without a signal has begun
  VEC (violation) violations;
  const char *stop_message;    // STEP_CUT, STEP_UNSUPPORTED
  uint32_t stop_edge;
} step_record;

typedef struct protect protect;

// Observes a formula about the program (explicit_propositions.c). A step ends where the letter changes, so that no
// observed state is missed. If the letter changes later than in the first operation of a step, the step must be cut
// before that operation (observed_states.c). A thread may then stop before any edge; the code must come from
// code_init_anywhere.
typedef struct formula_observer {
  const temporal *formula;
  bool every_edge;             // each edge is a step
  uint64_t letter;             // letter of the state in which the step began
  uint32_t most;               // maximal number of operations of this step, 0: no limit
  uint32_t unnoticed;          // operations of this step before the letter changed
  uint64_t started;            // propositions of formula->remembers whose threads have existed up to now
} formula_observer;

typedef struct current_state {
  const code *code;
  const ir_program *program;
  const semantics *semantics;
  store *store;
  uint32_t num_static;         // numbers below are static objects
  state_object **statics;      // [0..num_static[
  VEC (uint32_t) tls;          // static numbers of thread-locals
  state_thread threads[IR_MAX_THREADS];
  uint32_t num_slots;          // slots ever used
  uint32_t running;            // threads that have not ended
  uint32_t num_owned;          // declarations of all threads

  position_names *names;
  VEC (position) positions;    // the first entries of names, up to those that this current state knows
  VEC (uint32_t) ids;          // tuple of component ids of this state, except for what is dirty
  uint64_t hash;               // of `current`, kept up to date by commit and load
  VEC (uint32_t) dirty_threads;
  VEC (dirty_page) dirty_pages;
  VEC (uint32_t) stale;        // positions whose content was changed and not committed
  VEC (uint8_t) scratch;       // packing buffer

  step_record step;
  // edge of undefined behaviour that ended an execution although its property is not checked, or IR_NONE
  uint32_t ignored_error;
  ir_property ignored_property;  // the property that would report it
  uint32_t broken_ownership;   // edge where an execution ended because a declaration of ownership is wrong, or IR_NONE
  uint32_t misused;            // edge where an uninitialised or destroyed lock was used, or IR_NONE
  struct value_table *values;  // values tried for wide choices
  struct word_table *words;    // contents tried for words of the command line
  uint8_t *reached, *own_reached;  // per edge: it was executed; the verdict's array (verdict_reached), or an own one
  uint8_t *wakers;             // by location: the waits that a thread there may still end (analysis/wakers.h)
  struct rng *chooser;         // makes random choices; NULL: all choices are tried in turn
  protect *protect;            // records accesses, or NULL
  formula_observer *observer;  // NULL: a step goes from one visible operation to the next
  bool reduced;                // the search uses a reduction
  bool notices_ended;          // a thread counts as the only one only when all others are joined, too
  bool detached;               // some thread was detached
  bool foreign_release;        // a thread has released or overwritten a lock that another thread held
  uint64_t instructions;
} current_state;

void xs_state_init (current_state *, const code *, const semantics *, store *, position_names *);
void xs_state_release (current_state *);
void xs_state_load (current_state *, const uint32_t *ids, uint32_t count);
void xs_state_commit (current_state *);  // packs all changes; `ids` and `hash` then describe the new state
void xs_state_mark_thread (current_state *, uint32_t slot);
bool xs_state_is_only_thread (const current_state *);  // no other thread could notice what the only running thread does
// Its position in tuples, added if new
uint32_t xs_state_page_position (current_state *, state_object *, uint32_t page);
void xs_step_release (step_record *);
void xs_step_begin (current_state *);                          // clears the step record except for the choices
uint32_t xs_step_choose (current_state *, uint32_t alternatives);   // returns the alternative to take now
bool xs_step_next_choices (current_state *);  // advances the choices to the next combination; false after the last one

// object.c
state_object *xs_object_allocate (current_state *, uint32_t slot, state_object_kind, uint64_t size, bool undefined,
                                  uint64_t *pointer);
state_object *xs_object_add (current_state *, uint32_t slot);              // adds an absent object to the slot
// Kills the object, and removes it if nothing refers to it
void xs_object_kill (current_state *, state_object *, bool scan);
// Call it before writing
void xs_object_mark_dirty (current_state *, state_object *, uint32_t offset, uint32_t bytes);
// Other threads can now reach the object that the value points to
void xs_object_publish (current_state *, uint64_t value);
// Call it after writing: updates leaked and shared
void xs_object_note_store (current_state *, state_object *, uint32_t offset, uint32_t bytes);
uint32_t xs_object_word (const state_object *, uint32_t offset);    // a 4-byte word
uint32_t xs_object_word_at (const current_state *, uint64_t address, uint32_t field);  // 0: no object
void xs_object_set_word (current_state *, state_object *, uint32_t offset, uint32_t value);
static inline uint64_t pointer_offset (const current_state *w, uint64_t pointer) {
  return pointer & ((1ull << w->program->offset_bits) - 1);
}
static inline uint64_t pointer_object (const current_state *w, uint64_t pointer) {
  return pointer >> w->program->offset_bits;
}
static inline state_object *xs_object_find (const current_state *w, uint64_t pointer) {  // NULL: no such object
  uint64_t number = pointer_object (w, pointer);
  if (number < w->num_static) return w->statics[number];
  number -= w->num_static;
  uint64_t slot = number % IR_MAX_THREADS, index = number / IR_MAX_THREADS;
  if (slot >= w->num_slots || index >= w->threads[slot].objects.count) return NULL;
  state_object *o = w->threads[slot].objects.data[index];
  return o->state == OBJ_ABSENT ? NULL : o;
}
// Returns the object if the access is valid, otherwise NULL.
static inline state_object *xs_object_access (const current_state *w, uint64_t pointer, uint64_t bytes, bool write) {
  state_object *o = xs_object_find (w, pointer);
  if (!o || o->state != OBJ_ALIVE || o->kind == OBJ_FUNCTION || (write && o->kind == OBJ_CONSTANT)) return NULL;
  return pointer_offset (w, pointer) + bytes <= o->size ? o : NULL;
}
// The step depends on these bytes
void xs_object_note_read (current_state *, state_object *, uint32_t offset, uint32_t bytes);
void xs_object_clear_pages (current_state *, state_object *);             // marks all pages as changed
// Makes buffers for so many bytes; the contents are lost
void xs_object_resize (state_object *, uint32_t size);

// explicit_leak.c. Returns whether a heap object is leaked. `ending`: the thread that ends the process; `gone`: the
// thread that ends as the last one, or IR_NONE.
bool xs_leaks (const current_state *, uint32_t ending, uint32_t gone);

// thread.c
void xs_thread_pack (current_state *, uint32_t slot);                // into w->scratch
// Bytes NULL: the slot becomes free
void xs_thread_unpack (current_state *, uint32_t slot, const uint8_t *bytes, uint32_t size);
uint32_t xs_thread_start (current_state *, uint32_t proc, uint64_t argument);  // slot, or IR_NONE: too many
void xs_thread_end (current_state *, uint32_t slot, uint64_t result);
void xs_thread_push_frame (current_state *, state_thread *, uint32_t proc);
void xs_thread_hold (current_state *, uint32_t slot, uint64_t address, hold_mode);
// Decrements the count; false if the lock is not held
bool xs_thread_drop (current_state *, uint32_t slot, uint64_t address, hold_mode);
// NULL if not held
state_held_lock *xs_thread_held (const current_state *, uint32_t slot, uint64_t address, hold_mode);
ir_family xs_family_held (uint32_t kind);  // family of the object that is held in this mode (hold_mode)
// Replaces a declaration of the same bytes and cell
void xs_thread_declare (current_state *, uint32_t slot, const owned_bytes *);
// Removes all declarations about an object that dies
void xs_thread_disown (current_state *, const state_object *);
// Returns whether a declaration of this thread covers all these bytes and its cell has the value. Test w->num_owned
// first.
bool xs_thread_owns (const current_state *, uint32_t slot, uint64_t address, uint32_t bytes);
// Returns whether a live register points into the object
bool xs_thread_refers (const current_state *, uint32_t slot, uint64_t number);
// Kills the stack objects from (depth, order) on
void xs_thread_kill_stack (current_state *, uint32_t slot, uint32_t depth, uint32_t order);
// Returns whether one of these is shared
bool xs_thread_shares_stack (const current_state *, uint32_t slot, uint32_t depth, uint32_t order);
// The same for all stack objects and thread-locals
bool xs_thread_shares_locals (const current_state *, uint32_t slot);

// Result of its operation, truncated to the register
void xs_thread_set_result (state_thread *, const insn *, uint64_t);

// exec.c: executes the visible operation of `slot` and runs on to the next one
step_result xs_exec_step (current_state *, uint32_t slot);
void xs_exec_settle (current_state *, uint32_t slot);  // with a formula observer: brings a new thread to its first edge
// Returns whether a thread inside an atomic region can step
bool xs_exec_region_active (const current_state *);
// Returns whether its next operation is enabled, ignoring atomic regions of other threads
bool xs_exec_enabled (const current_state *, uint32_t slot);
bool xs_exec_conflict (const next_access *, const next_access *);    // overlap, one is a write, one is plain
static inline insn *xs_exec_insn (const current_state *w, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  return &w->code->insns.data[vec_last (&t->frames).pc];
}
static inline uint64_t xs_exec_value (const current_state *w, uint32_t slot, operand x) {
  const state_thread *t = &w->threads[slot];
  return x & CONST_BIT ? w->code->constants.data[x & ~CONST_BIT] : t->regs.data[vec_last (&t->frames).base + x];
}
uint64_t xs_exec_nondet (current_state *, uint32_t edge, unsigned bits, ir_value *wide);
// Records a violation if its property is checked; the caller ends the step if necessary. `other`: the second thread of
// a race, or IR_NONE.
void xs_exec_violate (current_state *, ir_property, uint32_t slot, uint32_t edge, uint32_t other);

// explicit_propositions.c
// True propositions; updates observer->started
uint64_t true_propositions (const current_state *, formula_observer *, bool process_ended);

// explicit_sync.c
// `in_step`: called while a step is executed, which then depends on what the function reads (step_record).
bool xs_sync_can_step (const current_state *, uint32_t slot, const insn *, bool in_step);
// Returns whether it waits for a lock that it holds itself
bool xs_sync_relocks (const current_state *, uint32_t slot, const insn *);
typedef enum sync_result { SYNC_GO, SYNC_ENDED_THREAD, SYNC_VIOLATION, SYNC_CUT } sync_result;
sync_result xs_sync_execute (current_state *, uint32_t slot, const insn *);
void xs_sync_abandon (current_state *, const state_held_lock *);        // the holder of the lock ends
void xs_sync_pending (const current_state *, uint32_t slot, const insn *, next_access *);

// create.c
sync_result xs_thread_operation (current_state *, uint32_t slot, const insn *);  // create, join, detach
bool xs_join_can_end (const current_state *, uint64_t handle);

// values.c: values that are tried for a wide choice
typedef struct value_table value_table;
value_table *values_new (const ir_program *);
void values_free (value_table *);
uint32_t values_count (value_table *, uint32_t edge, unsigned bits);
ir_value values_get (value_table *, uint32_t edge, unsigned bits, uint32_t k);
bool values_complete (value_table *, uint32_t edge, unsigned bits);  // returns whether the values stand for all 2^bits
void values_add_bounds (value_table *, verdict *);  // adds a bound for each input that was sampled

// argument_words.c: contents that are tried for words of the command line
typedef struct word_table word_table;
word_table *words_new (const ir_program *);
void words_free (word_table *);
// Fills `out` with the values that an entirely undefined part of the word may have, each once; there must be room for
// LIMIT_EXPLICIT_WORDS.
uint32_t words_candidates (word_table *, const state_object *, uint32_t offset, unsigned bytes, uint64_t *out);
void words_add_bounds (const word_table *, verdict *);

// explicit_detect.c
// Slots that may step now, with atomic regions respected
uint32_t xs_detect_enabled (const current_state *, uint32_t *slots);
// Deadlocked threads; returns their number
uint32_t xs_detect_deadlock (const current_state *, uint32_t *slots);
typedef struct access_pair { uint32_t thread[2]; } access_pair;
// A minimal subset of threads that block each other
uint32_t xs_detect_core (const current_state *, const uint32_t *stuck, uint32_t count, uint32_t *core);
uint32_t xs_detect_races (const current_state *, access_pair *pairs, uint32_t room);

#endif
