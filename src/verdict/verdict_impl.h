// What the files of the interpreter share.  The machine implements docs/formats/ir.md: memory objects, threads with
// frames, and one function that lets a thread take one edge.
//
//   machine m;
//   machine_init (&m, program, &semantics, arena);
//   m.choose = ...;                          // answers `nondet` and the other choices
//   while (machine_step (&m, slot) == STEP_DONE) ...
//   machine_release (&m);
//
// Layers, each using only those before it: eval, float (expressions); memory (objects); threads (frames, life cycle of
// threads); sync, wait, misuse (synchronisation); own (exclusive access); step (all operations); detect (race,
// deadlock); core (which threads make a deadlock); names, trace, describe (texts for users); sources (a shadow of the
// machine: what a violation rests on); confirm, run (what verdict.h promises).
#ifndef LOCKSTEP_VERDICT_IMPL_H
#define LOCKSTEP_VERDICT_IMPL_H

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/rng.h"
#include "verdict/verdict.h"

// ---- the machine ---------------------------------------------------------------------------------------
typedef enum judge_object_kind {
  OBJECT_GLOBAL,
  OBJECT_CONSTANT,
  OBJECT_FUNCTION,
  OBJECT_TEMPLATE /* of thread-local copies */,
  OBJECT_THREAD_LOCAL,
  OBJECT_STACK,
  OBJECT_HEAP
} judge_object_kind;

typedef struct object {
  uint8_t *bytes;              // [0..size[, NULL once dead
  uint8_t *undefined;          // [0..size[, undefined bits; NULL: all are defined
  uint32_t size;
  uint32_t origin;  // static id (thread-local: of its template); stack, heap: edge in user code that allocated it
  uint32_t ended_by;           // heap: edge in user code that freed it
  uint32_t next_dead;          // next object in the slot's queue of dead objects
  uint8_t kind;                // object_kind
  bool alive, thread_ended;    // thread_ended: the object died with its thread
  uint8_t freeing_thread;      // heap: slot of the thread that freed it
} object;

typedef struct judge_frame {
  ir_proc proc;
  ir_loc loc;
  ir_edge call;                // the call that is running; unused in the top frame
  uint32_t first_reg;          // index of its first register in the thread's regs
  uint32_t first_stack;        // index of its first object in the thread's stack
} judge_frame;

typedef enum lock_kind { LOCK_MUTEX, LOCK_SPIN, LOCK_READ, LOCK_WRITE, LOCK_ONCE } lock_kind;
typedef struct held_lock { uint64_t address; lock_kind kind; const char *name; } held_lock;  // name: NULL unless traced

typedef struct judge_access { uint64_t address; uint32_t bytes; bool write, plain; } judge_access;

// The accesses of the operation that a thread takes next; kept until the thread steps.
typedef struct judge_pending { bool known; uint8_t count; judge_access access[2]; } judge_pending;

// A declaration: only the thread may use these bytes while the cell holds the value.  See own.c.
typedef struct ownership {
  uint64_t address, cell, value;
  uint32_t bytes;
  uint8_t cell_bytes;
  bool ended;                  // one of the two objects has died
  bool held_before;            // owned before the current step
  ir_edge edge;                // the declaration, in user code
  const char *name;            // name of the owned bytes; NULL unless traced
} ownership;

typedef struct thread {
  enum { THREAD_FREE, THREAD_RUNNING, THREAD_ENDED } state;
  bool detached;
  uint32_t slot;
  uint32_t atomic;             // nesting depth of atomic regions
  uint64_t waiting;            // address of the condition variable or barrier, or 0
  bool spurious;               // its current wait at a condition variable ends without a signal
  ir_value result;             // valid once the thread has ended
  uint32_t first_local;        // index of its first thread-local copy
  uint64_t edges;              // number of edges taken
  VEC (judge_frame) frames;
  VEC (ir_value) regs;
  VEC (uint32_t) stack;        // table indices of its living stack objects, oldest first
  VEC (held_lock) held;        // in order of acquisition; includes a `once` that the thread runs
  VEC (ownership) owned;       // the declarations of the thread
  judge_pending pending;
} thread;

typedef VEC (object) object_table;
// queue of object indices, the longest dead first
typedef struct dead_queue { uint32_t first, last, count; } dead_queue;

// Why an execution ended in a violation.
typedef struct fault { ir_property property; ir_fault kind; uint64_t address; uint32_t bytes; } fault;

typedef enum step_kind {
  STEP_DONE,
  STEP_BLOCKED,                // the machine is unchanged
  STEP_INFEASIBLE,             // no condition of the assumes is true
  STEP_VIOLATION,              // see machine->fault; the machine is otherwise unchanged
  STEP_EXIT,                   // machine->exit_code
  STEP_UNSUPPORTED,            // machine->stop says what
  STEP_CUT,                    // a bound was met: machine->stop names it
  STEP_NO_CHOICE               // machine->choose gave no value; see machine->stop
} step_kind;

typedef enum choice_kind { CHOICE_NONDET, CHOICE_UNDEFINED, CHOICE_WAKE, CHOICE_FAIL, CHOICE_SPURIOUS } choice_kind;

typedef struct machine {
  const ir_program *program;
  semantics semantics;
  arena *arena;                // for texts
  object *statics;             // [0..program->objects.count[
  object_table dynamic[IR_MAX_THREADS];
  dead_queue dead[IR_MAX_THREADS];  // dead objects of those tables, without thread-local copies
  VEC (uint32_t) thread_locals;  // static ids of thread-local variables
  thread threads[IR_MAX_THREADS];
  uint32_t num_slots;          // slots 0..num_slots-1 have been used
  uint32_t num_running;        // threads that have not ended
  uint32_t num_atomic;         // threads inside an atomic region
  uint32_t num_owned;          // declarations of all threads
  uint8_t *wakers;             // by location: which waits a thread may still end (analysis/wakers.h); NULL until needed
  // Gives the value of a choice of this many bits; CHOICE_WAKE: a slot waiting at `address`.  False: there is no value.
  bool (*choose) (struct machine *, choice_kind, unsigned bits, uint64_t address, ir_value *);
  void *choose_state;
  FILE *output, *error_output; // of the program; NULL: nowhere
  strbuf text;                 // what the last `output` printed
  bool keep_lock_names;
  // About the last step:
  fault fault;
  uint32_t owner;              // IR_FAULT_INTRUSION and the like: the other thread and its declaration
  const ownership *broken;
  int exit_code;
  const char *stop;
  bool too_large;              // the step failed because the program has more memory than the machine can hold
  uint32_t woken;              // slot that `cond_signal` woke or `thread_create` made, or IR_NONE
  uint8_t *reached;            // by edge: set when a thread was about to take it; or NULL
  bool chose;                  // a load chose the value of undefined bytes
  uint64_t chose_at;           // address of these bytes
  bool spurious;               // a wait at a condition variable ended without a signal
} machine;

void machine_init (machine *, const ir_program *, const semantics *, arena *);
void machine_release (machine *);

// ---- actions: a thread about to take an edge -----------------------------------------------------------
typedef struct action {
  machine *m;
  thread *t;
  judge_frame *f;                    // its top frame
  ir_value *regs;              // of that frame
  ir_edge e;
  const ir_edge_data *d;
} action;

// Returns the operation that the running thread takes next.  At a branch, e is the first of the assumes.
action action_of (machine *, uint32_t slot);
ir_value eval (const action *, ir_expr);
// Of a thread-local object: the address of the running thread's copy.
uint64_t address_of_static (const action *, ir_object, uint32_t offset);
static inline ir_value action_arg (const action *a, unsigned k) {
  return eval (a, a->m->program->args.data[a->d->first_arg + k]);
}
void action_set (const action *, ir_reg, ir_value);      // cut to the register's width; IR_NONE: nothing
static inline ir_value value_mask (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }
static inline __int128 value_signed (ir_value v, unsigned bits) {
  return (__int128) (v << (128 - bits)) >> (128 - bits);
}
ir_value eval_float (ir_expr_op, unsigned bits, unsigned operand_bits, ir_value, ir_value);
step_kind machine_step (machine *, uint32_t slot);       // one edge; the thread is running
bool action_enabled (const action *);                    // regardless of atomic regions of other threads
bool machine_excluded (machine *, uint32_t slot);        // another thread is inside an atomic region and can step
bool machine_enabled (machine *, uint32_t slot);         // running, enabled and not excluded
static inline bool op_is_blocking (ir_op op) {           // whether the operation may be disabled
  return op == IR_MUTEX_LOCK || op == IR_SPIN_LOCK || op == IR_RW_RDLOCK || op == IR_RW_WRLOCK ||
         op == IR_COND_RESUME || op == IR_COND_TIMEDRESUME || op == IR_SEM_WAIT || op == IR_BARRIER_RESUME ||
         op == IR_ONCE_BEGIN || op == IR_THREAD_JOIN;
}
// The innermost call or operation in code of the user; `a.e` itself if all frames are internal.
ir_edge action_user_edge (const action *);

// ---- memory --------------------------------------------------------------------------------------------
static inline uint64_t address_object (const ir_program *p, uint64_t address) { return address >> p->offset_bits; }
static inline uint64_t address_offset (const ir_program *p, uint64_t address) {
  return address & (((uint64_t) 1 << p->offset_bits) - 1);
}
static inline uint64_t address_make (const ir_program *p, uint64_t number, uint64_t offset) {
  return (number << p->offset_bits) + offset;
}
static inline uint64_t object_number (const ir_program *p, uint32_t slot, uint32_t index) {
  return p->objects.count + (uint64_t) index * IR_MAX_THREADS + slot;
}
static inline uint32_t object_index (const ir_program *p, uint64_t number) {
  return (uint32_t) ((number - p->objects.count) / IR_MAX_THREADS);
}
object *object_find (machine *, uint64_t number);        // NULL: there never was an object with that number
uint32_t object_slot (const machine *, uint64_t number); // the slot that made a dynamic object; IR_NONE: static
void memory_init (machine *);
void memory_release (machine *);
// Makes an object of the slot, undefined or zeroed.  False: too large or too many; machine->stop says so.
bool memory_new (machine *, uint32_t slot, judge_object_kind, ir_value size, bool zeroed, uint32_t origin,
                 uint64_t *address);
void memory_kill (machine *, uint64_t number);
void memory_new_locals (machine *, thread *);            // its thread-local copies
ir_fault memory_check (machine *, uint64_t address, uint64_t bytes, bool write);
// Checks an access as memory_check does; on an error, sets machine->fault and returns true.
bool memory_fails (machine *, uint64_t address, uint64_t bytes, bool write);
// Of accesses that were checked:
uint64_t memory_read (machine *, uint64_t address, unsigned bytes);
uint64_t memory_read_zeroed (machine *, uint64_t address, unsigned bytes);  // undefined bytes as 0
void memory_write (machine *, uint64_t address, unsigned bytes, uint64_t value);
uint64_t memory_undefined (machine *, uint64_t address, unsigned bytes);  // bit i: byte i
// Makes exactly the bytes of the mask undefined.
void memory_set_undefined (machine *, uint64_t address, unsigned bytes, uint64_t mask);
void memory_forget (machine *, uint64_t address);        // makes the whole object undefined
uint64_t memory_undefined_bits (machine *, uint64_t address, unsigned bytes);  // bit i: bit i
void memory_set_undefined_bits (machine *, uint64_t address, unsigned bytes, uint64_t mask);
bool memory_undefined_all (machine *, uint64_t address, unsigned bytes);
step_kind memory_step (action *);                        // operations of group M
step_kind memory_alloc (action *);
ir_fault memory_free_check (machine *, uint64_t address, object **);  // NULL object: free (NULL)

// ---- frames and threads --------------------------------------------------------------------------------
void thread_start (machine *, uint32_t slot, ir_proc, ir_value argument);
void thread_release (thread *);
ir_proc function_at (const machine *, uint64_t address);  // IR_NONE: not a function with a body
void frame_push (machine *, thread *, ir_proc);          // at its entry, registers zero
step_kind thread_call (action *);
step_kind thread_return (action *);
step_kind thread_step (action *);                        // operations of group T but THREAD_SELF
// ends stack objects, the youngest first, until `count` are left
void stack_shrink (machine *, thread *, uint32_t count, bool thread_ended);
thread *thread_of_handle (machine *, ir_value handle);   // NULL: no thread has it, or it is detached

// ---- synchronisation -----------------------------------------------------------------------------------
typedef enum sync_kind {
  SYNC_NONE,
  SYNC_MUTEX,
  SYNC_RWLOCK,
  SYNC_SPIN,
  SYNC_COND,
  SYNC_SEM,
  SYNC_BARRIER,
  SYNC_ONCE
} sync_kind;
typedef struct sync_use { sync_kind kind; uint64_t address; } sync_use;
unsigned sync_uses (const action *, sync_use[2]);        // the objects an operation of group S names
unsigned sync_first_touched (ir_op);                     // index of the first of these whose memory it accesses
bool sync_is_init (ir_op);
bool sync_uninitialised (machine *, sync_use);           // first word undefined
bool sync_destroyed (machine *, sync_use);
uint32_t sync_word (machine *, sync_use, uint32_t at);   // 0 if uninitialised or destroyed
void sync_set (machine *, uint64_t address, uint32_t at, uint32_t value);
void sync_zero (machine *, sync_use);                    // the state after static initialisation
uint32_t sync_mutex_kind (machine *, sync_use);
step_kind sync_step (action *);
bool sync_enabled (const action *);                      // of the operations of group S
bool lock_enabled (const action *, sync_use);            // mutex, rwlock, spin
void lock_step (action *, sync_use);
void lock_take (action *, uint64_t address, lock_kind);  // adds the lock to the thread's held locks
bool lock_drop (thread *, uint64_t address, lock_kind);  // removes it again; false: the thread does not hold it
void lock_drop_everywhere (machine *, uint64_t address);
void lock_abandon (machine *, const held_lock *);         // marks a lock whose holder ends
unsigned lock_count (const thread *, uint64_t address, lock_kind);
void mutex_release_fully (action *, sync_use);
bool wait_enabled (const action *, const sync_use[2]);   // cond, sem, barrier, once
step_kind wait_step (action *, const sync_use[2]);

// Property `locks`: what is wrong with the operation.
// address 0: the fault concerns no object
typedef struct wrong_use { ir_fault fault; sync_kind kind; uint64_t address; } wrong_use;
wrong_use misuse_of (const action *);                    // fault IR_FAULT_NONE: nothing is wrong
const char *misuse_text (const machine *, wrong_use);    // {} stands for the object's name
bool misuse_possible (ir_op);

// ---- exclusive access ----------------------------------------------------------------------------------
bool own_holds (machine *, const ownership *);           // now
step_kind own_declare (action *);
void own_end_object (machine *, uint64_t number);        // the object dies, and its declarations end
void own_end_thread (machine *, thread *);
// performs the operation unless it breaks a declaration
step_kind own_step (action *, step_kind (*perform) (action *));

// ---- detection -----------------------------------------------------------------------------------------
const judge_pending *pending_of (machine *, uint32_t slot);
// Whether the next operations of the two threads race; `which` gets the two racing accesses.
bool detect_race (machine *, uint32_t slot, uint32_t other, judge_access which[2]);
// Finds the threads that can never step again; returns their number.
uint32_t detect_stuck (machine *, bool stuck[IR_MAX_THREADS]);
// Reduces the set to the threads that stay blocked whatever the threads outside of the set do; returns their number.
uint32_t detect_lasting (machine *, bool stuck[IR_MAX_THREADS]);
typedef struct wait_cause {
  enum { WAIT_LOCK, WAIT_THREAD, WAIT_COND, WAIT_SEM, WAIT_BARRIER, WAIT_ONCE } kind;
  uint64_t address;            // of the object; WAIT_THREAD: none
  uint32_t holder;             // slot of the thread that holds it or is to end; IR_NONE: none that still runs
  bool shared;                 // the holder holds it for reading
} wait_cause;
wait_cause detect_cause (machine *, uint32_t slot, const bool stuck[IR_MAX_THREADS]);  // of a blocked thread

// ---- core.c: which threads make a deadlock, and which ones only wait for those ----
typedef struct deadlock_core {
  uint32_t num_threads, thread[IR_MAX_THREADS];        // threads that block each other; in the order of the cycle
  bool stuck[IR_MAX_THREADS];                          // the same as a set
  uint32_t num_waiting, waiting[IR_MAX_THREADS];       // bystanders: blocked only because the core is
} deadlock_core;
// Finds a smallest set of blocked threads that block each other: within `among` if there is one, else among all blocked
// threads.
void core_find (machine *, const bool among[IR_MAX_THREADS], deadlock_core *);

// ---- texts for users ---------------------------------------------------------------------------------------------
// Names memory: by the text of the edge or by the object, see judge_names.c.
void name_access (const action *, uint64_t address, strbuf *);
void name_shared (const action *, uint64_t address, strbuf *);      // for static memory, the same name for all threads
bool name_from_text (const action *, uint64_t address, strbuf *);   // false: the edge has no name for it
bool name_is_static (machine *, uint64_t address);
void name_object (machine *, uint64_t address, bool sync, strbuf *);  // sync: without the members inside a lock
void name_value (machine *, ir_value, unsigned bits, ir_type, strbuf *);
ir_type name_type_at (machine *, uint64_t address, unsigned bytes);  // type of the scalar there, or IR_NONE
void name_place (const ir_program *, ir_edge, strbuf *); // "a.c:12"
ir_position action_position (const action *);            // in user code
const char *action_function (const action *);

typedef struct source_file { VEC (const char *) lines; } source_file;  // trimmed, in the arena
typedef struct source_cache { strmap numbers; VEC (source_file) files; } source_cache;
const char *source_line (source_cache *, arena *, ir_position);  // NULL if it cannot be read
void source_release (source_cache *);

typedef struct argument_word argument_word;
typedef struct trace {
  machine *m;
  goal *goal;
  source_cache sources;
  trace_step step;             // being made
  bool shown;                  // the step will be kept
  const ir_edge_data *edge;    // edge of the step; `address` is what it accesses
  uint64_t address;
  unsigned edge_bytes;         // bytes that the edge accesses, whether it is shown or not
  uint32_t last_thread;        // thread of the last step that was kept
  bool started[IR_MAX_THREADS];  // the start was shown, although the thread may not have stepped yet
  VEC (uint64_t) seen[IR_MAX_THREADS];  // accesses shown since the thread last was in user code
  VEC (struct argument_word *) words;   // words of the command line whose steps are to be completed
} trace;
ir_step trace_step_of (ir_op);                           // IR_STEP_NONE: not shown
void trace_init (trace *, machine *, goal *);
void trace_release (trace *);
void trace_before (trace *, uint32_t slot);              // the thread will take its edge
void trace_after (trace *, uint32_t slot);               // the thread has taken its edge
void trace_started (trace *, uint32_t slot);              // shows the start of a thread that has not stepped yet
// shows the edge that the thread takes next, which is the violation
void trace_about (trace *, uint32_t slot);

void trace_push (trace *);                               // keeps the step that has been made

// ---- argc and argv in a trace (arguments.c) ----
bool arguments_are_chosen (const action *);              // the action calls main with arguments that are inputs
void arguments_begin (trace *, const action *);          // adds their steps
// a value was chosen for the bytes at this address
void arguments_note_read (trace *, uint64_t address, unsigned bytes);
void arguments_end (trace *);                            // completes their steps

// ---- what a violation rests on (scopes.c, sources.c) -------------------------------------------------------
typedef struct static_bytes { ir_object object; uint32_t offset, bytes; } static_bytes;
typedef struct branch_scope {
  // whichever way the branch goes, the thread comes to `join` and only `regs` and `stores` depend on it
  bool harmless;
  ir_loc join;                 // IR_NONE: the end of the procedure
  VEC (ir_reg) regs;
  VEC (static_bytes) stores;
} branch_scope;
void scope_find (const ir_program *, uint32_t properties, ir_loc branch, branch_scope *out);  // to be released
void scope_release (branch_scope *);

typedef struct sources sources;
// NULL: the program invents no values; all functions accept that.
sources *sources_new (machine *);
void sources_free (sources *);
void sources_before (sources *, uint32_t slot);          // the thread will take its edge
void sources_after (sources *, const action *before);    // the thread has taken its edge
// Adds the conditions of the violation that shows in the machine's state.
void sources_of_claim (sources *, const claim *, goal *);

// ---- following a claim -----------------------------------------------------------------------------------
typedef struct replay {
  machine m;
  trace trace;
  sources *sources;
  const claim *claim;
  uint32_t next_choice;
  uint64_t steps;              // edges taken
  const char **why;
} replay;
replay *replay_new (verdict *, const ir_program *, const semantics *, const claim *, goal *, const char **why);
void replay_free (replay *, bool confirmed);             // not confirmed: the goal's steps and locations go
bool replay_edge (replay *, uint32_t slot);              // the thread takes its edge; false: it cannot, *why says so
// adds the spurious wake-ups that the violation needs to the message
void replay_finish_message (replay *);
bool replay_refuse (replay *, const char *what);         // false, and sets *why
const char *replay_reason (const machine *, step_kind);

// ---- leak.c ----------------------------------------------------------------------------------------------
// Returns the number of heap objects that no pointer leads to, and the first one.  `gone`: slot of the last thread, if
// its end is the end of the process, or IR_NONE.
uint32_t leak_find (machine *, uint32_t gone, uint64_t *first);
// Whether the action would end the process with such objects; if so, sets machine->fault.
bool leak_at (action *);

// ---- states that behave alike (judge_live.c, alike.c) ----------------------------------------------------------
typedef struct live_registers live_registers;
live_registers *live_new (const ir_program *);
void live_free (live_registers *);
bool live_at (live_registers *, ir_loc, ir_reg);         // read before it is assigned, on some path from there
machine *machine_copy (const machine *);                 // for comparison only: the copy must not step
void machine_free_copy (machine *);
// Whether the machines are equal except for registers that are not read any more and for the numbers of dynamic
// objects.
bool machines_are_alike (machine *, machine *, live_registers *, const char **difference);

// ---- moments of runs (moment.c) --------------------------------------------------------------------------
bool moment_is_one (machine *);                          // no thread that can step is inside an atomic region
// Returns the set of propositions that are true.  *started: the propositions about ended threads whose threads have
// been alive so far.
uint64_t moment_letter (machine *, const temporal *, bool process_ended, uint64_t *started);

// Returns the message of a violation that shows in the machine's state (in the arena), and, with a goal, adds its
// locations.
const char *describe_violation (machine *, const claim *, goal *);

void output_format (const action *, strbuf *);           // what an `output` operation prints

#endif
