// Private to the explicit engine; its functions on threads and objects start with xs_ (explicit state), because the
// interpreter has its own of the same names.  Reading order: this header, code.c (program to bytecode), world.c (the
// concrete state and its components), exec.c (one step of one thread), store.c (visited states), search.c.
//
//   ir_program --code--> bytecode --exec--> world <--components/tuples--> store <-- search
#ifndef LOCKSTEP_EXPLICIT_IMPL_H
#define LOCKSTEP_EXPLICIT_IMPL_H

#include "base/map.h"
#include "engine/engine.h"
#include "engine/explicit/store.h"
#include "ir/sync.h"

// ---- bytecode (code.c, liveness.c) ---------------------------------------------------------------------
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
  BC_SYNC,                     // all synchronisation and thread operations; `ir` says which
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
  bool back;                   // a jump to a lower address: here a long local run may pause
  bool sticky;                 // of these, one that a cycle of states may pass (sticky.c)
  uint32_t dst, dst2;          // slots, or IR_NONE
  operand a, b, c;
  uint32_t edge;               // the IR edge it belongs to
  uint32_t target, other;      // code addresses; CALL: procedure + 1 if known; CALL, OWN: index of the argument list; GENERIC: shape
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
  bool stops_anywhere;         // a thread may stand before any edge, not only before visible ones
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
void code_mark_sticky (code *, uint32_t first, uint32_t end);   // one procedure's range
void code_compute_liveness (code *, uint32_t first, uint32_t end, uint32_t num_slots);  // one procedure's range

// ---- the world: one concrete state being worked on (world.c, object.c, thread.c) -----------------------
enum { PAGE_BYTES = 128 };
enum { XS_ALL_BITS = 0xff };   // of a byte that is undefined as a whole
typedef enum object_state { OBJ_ABSENT, OBJ_ALIVE, OBJ_DEAD } object_state;
typedef enum object_kind { OBJ_STATIC, OBJ_CONSTANT, OBJ_FUNCTION, OBJ_TLS, OBJ_STACK, OBJ_HEAP } object_kind;

typedef struct object {
  uint8_t kind, state;
  bool shared;                 // a thread other than its maker may reach it: accesses are visible
  bool leaked;                 // its address was written to memory at least once
  bool any_undefined;
  uint16_t depth, order;       // stack: number of frames and position among the frame's objects
  uint32_t size, capacity;     // capacity of the buffers below
  uint32_t number;
  uint8_t *bytes;              // [0..size[; undefined ones are 0
  uint8_t *undefined;          // [0..size[, the undefined bits, which are 0 in `bytes`; valid if any_undefined
  uint8_t *initial;            // static: [0..size[, what position value 0 stands for; else NULL
  VEC (uint32_t) page_position;  // page -> tuple position, IR_NONE until first written
  VEC (uint8_t) page_dirty;
} object;

typedef enum hold_mode { HELD_MUTEX, HELD_SPIN, HELD_READ, HELD_WRITE, HELD_ONCE } hold_mode;
typedef struct held_lock { uint64_t address; uint32_t count, kind; } held_lock;
// A declaration: the thread alone uses these bytes while the cell holds the value.  Kept without gaps: it is packed as it is.
typedef struct owned_bytes { uint64_t address, cell, value; uint32_t bytes; uint16_t cell_bytes, holds; } owned_bytes;
typedef struct frame { uint32_t proc, pc, base, num_stack; } frame;
typedef enum thread_status { T_FREE, T_RUNNING, T_ENDED } thread_status;

// The access a thread stands before, for races; size 0: none.
typedef struct pending {
  uint64_t address;
  uint32_t bytes;
  bool write, plain;
  uint64_t mutex;              // waiting on a condition variable also touches 4 bytes here, atomically; 0: no
} pending;

typedef struct thread {
  uint8_t status;
  bool detached, dirty;
  uint16_t atomic;
  uint64_t waiting, result;
  pending pending;
  VEC (held_lock) held;        // sorted by address, kind
  VEC (owned_bytes) owned;     // sorted by address, cell
  VEC (frame) frames;
  VEC (uint64_t) regs;
  VEC (object *) objects;      // dynamic objects made by this slot, by index
  uint32_t position;           // tuple position, IR_NONE until used
} thread;

// A place in tuples: a thread's slot or a page of an object.  Places are numbered when they are first used; worlds that share a store share
// the numbers.
typedef struct position { bool is_thread; uint32_t slot; object *object; uint32_t page; } position;
typedef struct position_name { uint32_t object /* number, or IR_NONE: a thread */, index /* page or slot */; } position_name;
typedef struct position_names {
  pthread_mutex_t mutex;
  VEC (position_name) names;
  map numbers;                 // name -> index in names
} position_names;
void position_names_init (position_names *);
void position_names_release (position_names *);

typedef struct choice_point { uint32_t alternatives, taken; } choice_point;
typedef struct dirty_page { object *object; uint32_t page; } dirty_page;

typedef enum step_result { STEP_DONE, STEP_EXITED, STEP_VIOLATION, STEP_INFEASIBLE, STEP_CUT, STEP_UNSUPPORTED } step_result;

// A violation met while executing: reported before the step goes on or ends.
typedef struct violation {
  ir_property property;
  uint32_t thread, edge;       // who stands before what
  uint32_t other, other_edge;  // race: the second one, else IR_NONE
  uint32_t num_parts, num_chosen, edges_before;  // how far the step had come
} violation;

// What the step being executed has done so far, but for the state itself.
typedef struct step_record {
  VEC (choice_point) choices;  // odometer: alternatives and the one taken
  uint32_t next_choice;
  VEC (ir_value) chosen;       // values, for the schedule
  VEC (schedule_part) parts;   // who took how many edges
  uint32_t edges;              // taken so far by the thread being executed
  VEC (uint32_t) reads;        // positions it has read
  bool uncacheable;            // it depends on more than its own thread and these
  VEC (uint32_t) starts;       // threads created in this step
  VEC (pending) touched;       // shared memory accessed in an atomic region
  bool came_round;             // it has passed a sticky jump
  bool spurious;               // a wait has begun that ends without a signal
  VEC (violation) violations;
  const char *stop_message;    // STEP_CUT, STEP_UNSUPPORTED
  uint32_t stop_edge;
} step_record;

typedef struct protect protect;

// For formulas about the program (letters.c) a step ends where the letter changes, so that no moment is missed; and if it was not the first operation that
// changed it, it should have ended before (moments.c).  Threads stand before edges then, wherever these are; the code must be of code_init_anywhere.
typedef struct watch {
  const temporal *formula;
  bool every_edge;             // each edge is a step
  uint64_t letter;             // when the step began
  uint32_t most;               // operations in this step, 0: no limit
  uint32_t unnoticed;          // operations done in this step before the letter changed
  uint64_t started;            // of formula->remembers: their threads have been there, up to now
} watch;

typedef struct world {
  const code *code;
  const ir_program *program;
  const semantics *semantics;
  store *store;
  uint32_t num_static;         // numbers below are static objects
  object **statics;            // [0..num_static[
  VEC (uint32_t) tls;          // static numbers of thread-locals
  thread threads[IR_MAX_THREADS];
  uint32_t num_slots;          // slots ever used
  uint32_t running;            // threads that have not ended
  uint32_t num_owned;          // declarations of all threads

  position_names *names;
  VEC (position) positions;    // the first ones of names, as far as this world has met them
  VEC (uint32_t) current;      // tuple the world holds, but for what is dirty
  uint64_t hash;               // of `current`, kept up to date by commit and load
  VEC (uint32_t) dirty_threads;
  VEC (dirty_page) dirty_pages;
  VEC (uint32_t) stale;        // positions whose content was changed and given up
  VEC (uint8_t) scratch;       // packing buffer

  step_record step;            // the step being executed
  uint32_t ignored_error;      // edge of undefined behaviour that ended an execution although it is not being checked, or IR_NONE
  ir_property ignored_property;  // that would show it
  uint32_t broken_ownership;   // edge where an execution ended because a declaration of ownership is wrong, or IR_NONE
  uint32_t misused;            // edge where an uninitialised or destroyed lock was used, or IR_NONE
  struct value_table *values;  // candidates for wide choices
  struct word_table *words;    // candidates for words of the command line
  uint8_t *reached, *own_reached;  // per edge, set where it is executed: the verdict's (verdict_reached), or its own
  uint8_t *wakers;             // what threads may still wake, by location (analysis/wakers.h)
  struct rng *chooser;         // picks what is chosen, or NULL: all in turn
  protect *protect;            // where accesses are noted, or NULL
  watch *watch;                // NULL: steps go from one visible operation to the next
  bool reduced;                // the search leaves interleavings out
  bool watches_ended;          // a thread is not alone as long as others have ended but not been joined
  bool detached;               // somebody has detached a thread
  bool foreign_release;        // somebody has released or overwritten a lock that another thread held
  uint64_t instructions;
} world;

void world_init (world *, const code *, const semantics *, store *, position_names *);
void world_release (world *);
void world_load (world *, const uint32_t *ids, uint32_t count);
void world_commit (world *);                              // packs what changed; `current` and `hash` are the new state
void world_touch_thread (world *, uint32_t slot);
bool world_is_alone (const world *);                      // nobody could notice what the only running thread does
uint32_t world_page_position (world *, object *, uint32_t page);  // its place in tuples, made if need be
void world_release_step (step_record *);
void world_begin_step (world *);                          // forgets what the last step left behind; choices stay
uint32_t world_choose (world *, uint32_t alternatives);   // which alternative this time
bool world_next_choices (world *);                        // advances the odometer; false when all were tried

// object.c
object *xs_object_allocate (world *, uint32_t slot, object_kind, uint64_t size, bool undefined, uint64_t *pointer);
object *xs_object_add (world *, uint32_t slot);              // one more of the slot's, absent
void xs_object_kill (world *, object *, bool scan);          // dies; vanishes at once if nothing refers to it
void xs_object_touch (world *, object *, uint32_t offset, uint32_t bytes);   // before writing
void xs_object_publish (world *, uint64_t value);      // others can now reach what it points to
void xs_object_note_store (world *, object *, uint32_t offset, uint32_t bytes);  // after writing: leaks, publication
uint32_t xs_object_word (const object *, uint32_t offset);    // a 4-byte word
void xs_object_set_word (world *, object *, uint32_t offset, uint32_t value);
static inline uint64_t pointer_offset (const world *w, uint64_t pointer) { return pointer & ((1ull << w->program->offset_bits) - 1); }
static inline uint64_t pointer_object (const world *w, uint64_t pointer) { return pointer >> w->program->offset_bits; }
static inline object *xs_object_find (const world *w, uint64_t pointer) {  // NULL: no such object
  uint64_t number = pointer_object (w, pointer);
  if (number < w->num_static) return w->statics[number];
  number -= w->num_static;
  uint64_t slot = number % IR_MAX_THREADS, index = number / IR_MAX_THREADS;
  if (slot >= w->num_slots || index >= w->threads[slot].objects.count) return NULL;
  object *o = w->threads[slot].objects.data[index];
  return o->state == OBJ_ABSENT ? NULL : o;
}
// The object if the access is fine, else NULL.
static inline object *xs_object_access (const world *w, uint64_t pointer, uint64_t bytes, bool write) {
  object *o = xs_object_find (w, pointer);
  if (!o || o->state != OBJ_ALIVE || o->kind == OBJ_FUNCTION || (write && o->kind == OBJ_CONSTANT)) return NULL;
  return pointer_offset (w, pointer) + bytes <= o->size ? o : NULL;
}
void xs_object_note_read (world *, object *, uint32_t offset, uint32_t bytes);   // the step depends on these bytes
void xs_object_clear_pages (world *, object *);             // marks all of it as changed
void xs_object_resize (object *, uint32_t size);            // buffers for that many bytes, contents lost

// leak.c: does no pointer lead to some heap object?  `ending` ends the process; `gone` ends as the last thread, or IR_NONE
bool xs_leaks (const world *, uint32_t ending, uint32_t gone);

// thread.c
void xs_thread_pack (world *, uint32_t slot);                // into w->scratch
void xs_thread_unpack (world *, uint32_t slot, const uint8_t *bytes, uint32_t size);  // bytes NULL: free slot
uint32_t xs_thread_start (world *, uint32_t proc, uint64_t argument);  // slot, or IR_NONE: too many
void xs_thread_end (world *, uint32_t slot, uint64_t result);
void xs_thread_push_frame (world *, thread *, uint32_t proc);
void xs_thread_hold (world *, uint32_t slot, uint64_t address, hold_mode);
bool xs_thread_drop (world *, uint32_t slot, uint64_t address, hold_mode);   // one count; false if not held
held_lock *xs_thread_held (const world *, uint32_t slot, uint64_t address, hold_mode);  // NULL if not held
ir_family xs_family_held (uint32_t kind);                    // of the object that is held in this way (hold_mode)
void xs_thread_declare (world *, uint32_t slot, const owned_bytes *);        // replaces one of the same bytes and cell
void xs_thread_disown (world *, const object *);             // it dies: nobody owns it or by it any more
// Some declaration of this thread covers all these bytes and its cell has the value.  Quick test before: w->num_owned.
bool xs_thread_owns (const world *, uint32_t slot, uint64_t address, uint32_t bytes);
bool xs_thread_refers (const world *, uint32_t slot, uint64_t number);       // some live register points into the object
void xs_thread_kill_stack (world *, uint32_t slot, uint32_t depth, uint32_t order);   // stack objects from there on
bool xs_thread_shares_stack (const world *, uint32_t slot, uint32_t depth, uint32_t order);  // is one of them shared?
bool xs_thread_shares_locals (const world *, uint32_t slot);                 // one of these or a thread-local?

void xs_thread_set_result (thread *, const insn *, uint64_t);  // of the operation that it executes; cut to the register

// exec.c: runs `slot` through its visible operation and on to its next one
step_result xs_exec_step (world *, uint32_t slot);
void xs_exec_settle (world *, uint32_t slot);              // with a watch: a thread that was just started goes to its first edge
bool xs_exec_region_active (const world *);               // some thread is inside an atomic region and can step
bool xs_exec_enabled (const world *, uint32_t slot);         // can it take its next operation? (its own view, no atomic regions)
bool xs_exec_conflict (const pending *, const pending *);    // overlapping, one writes, one plain
static inline insn *xs_exec_insn (const world *w, uint32_t slot) {
  const thread *t = &w->threads[slot];
  return &w->code->insns.data[vec_last (&t->frames).pc];
}
static inline uint64_t xs_exec_value (const world *w, uint32_t slot, operand x) {
  const thread *t = &w->threads[slot];
  return x & CONST_BIT ? w->code->constants.data[x & ~CONST_BIT] : t->regs.data[vec_last (&t->frames).base + x];
}
uint64_t xs_exec_nondet (world *, uint32_t edge, unsigned bits, ir_value *wide);
// Notes a violation if its property is selected; the caller ends the step if it must.  `other`: the second thread of a race, or IR_NONE.
void xs_exec_violate (world *, ir_property, uint32_t slot, uint32_t edge, uint32_t other);

// letters.c
uint64_t letters_now (const world *, watch *, bool process_ended);  // propositions that hold; updates watch->started

// sync.c
// `in_step`: asked while a step is executed, which then depends on what is read (step_record).
bool xs_sync_can_step (const world *, uint32_t slot, const insn *, bool in_step);
bool xs_sync_relocks (const world *, uint32_t slot, const insn *);  // it waits for a lock that it holds itself
typedef enum sync_result { SYNC_GO, SYNC_ENDED_THREAD, SYNC_VIOLATION, SYNC_CUT } sync_result;
sync_result xs_sync_execute (world *, uint32_t slot, const insn *);
void xs_sync_abandon (world *, const held_lock *);        // its holder ends
void xs_sync_pending (const world *, uint32_t slot, const insn *, pending *);

// create.c
sync_result xs_thread_operation (world *, uint32_t slot, const insn *);  // create, join, detach
bool xs_join_can_end (const world *, uint64_t handle);

// values.c: which values a wide choice is tried on
typedef struct value_table value_table;
value_table *values_new (const ir_program *);
void values_free (value_table *);
uint32_t values_count (value_table *, uint32_t edge, unsigned bits);
ir_value values_get (value_table *, uint32_t edge, unsigned bits, uint32_t k);
bool values_complete (value_table *, uint32_t edge, unsigned bits);       // all 2^bits of them?
void values_add_bounds (value_table *, verdict *);                        // says which inputs were sampled

// words.c: which words of the command line are tried
typedef struct word_table word_table;
word_table *words_new (const ir_program *);
void words_free (word_table *);
// What a wholly undefined part of the word may be, each once; `out` has room for LIMIT_EXPLICIT_WORDS.
uint32_t words_candidates (word_table *, const object *, uint32_t offset, unsigned bytes, uint64_t *out);
void words_add_bounds (const word_table *, verdict *);

// detect.c
uint32_t xs_detect_enabled (const world *, uint32_t *slots);                 // slots that may step now, atomic regions respected
uint32_t xs_detect_stuck (const world *, uint32_t *slots);                   // deadlocked threads, 0: none
typedef struct race_pair { uint32_t thread[2]; } race_pair;
uint32_t xs_detect_core (const world *, const uint32_t *stuck, uint32_t count, uint32_t *core);   // of these, a smallest set that blocks itself
uint32_t xs_detect_races (const world *, race_pair *pairs, uint32_t room);

#endif
