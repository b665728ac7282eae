// What the files of the interpreter share.  The machine is docs/formats/ir.md written down: memory objects,
// threads with frames, and one function that lets a thread take one edge.
//
//   machine m;
//   machine_init (&m, program, &semantics, arena);
//   m.choose = ...;                          // answers `nondet` and its kind
//   while (machine_step (&m, slot) == STEP_DONE) ...
//   machine_release (&m);
//
// Layers, each using only those above it: eval, float (expressions); memory (objects); threads (frames,
// life of threads); sync, wait, misuse (synchronisation); own (exclusive access); step (all operations); detect
// (race, deadlock), core (which threads make a deadlock);
// names, trace, describe (words for people); sources (a shadow of the machine: what a violation rests on); confirm, run (what verdict.h promises).
#ifndef LOCKSTEP_VERDICT_IMPL_H
#define LOCKSTEP_VERDICT_IMPL_H

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/rng.h"
#include "verdict/verdict.h"

// ---- the machine ---------------------------------------------------------------------------------------
typedef enum object_kind {
  OBJECT_GLOBAL,
  OBJECT_CONSTANT,
  OBJECT_FUNCTION,
  OBJECT_TEMPLATE /* of thread-local copies */,
  OBJECT_THREAD_LOCAL,
  OBJECT_STACK,
  OBJECT_HEAP
} object_kind;

typedef struct object {
  uint8_t *bytes;              // [0..size[, NULL once dead
  uint8_t *undefined;          // [0..size[, undefined bits; NULL: all are defined
  uint32_t size;
  uint32_t origin;  // static id (thread-local: of its template); stack, heap: the edge in user code that made it
  uint32_t ended_by;           // heap: the edge in user code that freed it
  uint32_t next_dead;          // in the slot's queue of the dead
  uint8_t kind;                // object_kind
  bool alive, thread_ended;    // thread_ended: it died with its thread
  uint8_t freeing_thread;      // heap
} object;

typedef struct frame {
  ir_proc proc;
  ir_loc loc;
  ir_edge call;                // of all frames but the top one: the call that is running
  uint32_t first_reg;          // in the thread's regs
  uint32_t first_stack;        // in the thread's stack
} frame;

typedef enum lock_kind { LOCK_MUTEX, LOCK_SPIN, LOCK_READ, LOCK_WRITE, LOCK_ONCE } lock_kind;
typedef struct held_lock { uint64_t address; lock_kind kind; const char *name; } held_lock;  // name: NULL unless traced

typedef struct access { uint64_t address; uint32_t bytes; bool write, plain; } access;

// The accesses of the operation a thread stands before; kept until it steps.
typedef struct pending { bool known; uint8_t count; access access[2]; } pending;

// The thread alone uses these bytes while the cell holds the value.  See own.c.
typedef struct ownership {
  uint64_t address, cell, value;
  uint32_t bytes;
  uint8_t cell_bytes;
  bool ended;                  // one of the two objects has died
  bool held_before;            // the current step
  ir_edge edge;                // the declaration, in user code
  const char *name;            // of what is owned; NULL unless traced
} ownership;

typedef struct thread {
  enum { THREAD_FREE, THREAD_RUNNING, THREAD_ENDED } state;
  bool detached;
  uint32_t slot;
  uint32_t atomic;             // depth of atomic regions
  uint64_t waiting;            // address of the condition variable or barrier, or 0
  bool spurious;               // its wait at a condition variable ends without a signal
  ir_value result;             // once ended
  uint32_t first_local;        // index of its first thread-local copy
  uint64_t edges;              // taken so far
  VEC (frame) frames;
  VEC (ir_value) regs;
  VEC (uint32_t) stack;        // indices of its living stack objects, oldest first
  VEC (held_lock) held;        // in order of taking; a running `once` stands here too
  VEC (ownership) owned;       // what it has declared
  pending pending;
} thread;

typedef VEC (object) object_table;
typedef struct dead_queue { uint32_t first, last, count; } dead_queue;  // indices of objects, the longest dead first

// Why an execution ended in a violation.
typedef struct fault { ir_property property; ir_fault kind; uint64_t address; uint32_t bytes; } fault;

typedef enum step_kind {
  STEP_DONE,
  STEP_BLOCKED,                // nothing has changed
  STEP_INFEASIBLE,             // no assume holds
  STEP_VIOLATION,              // machine->fault; nothing else has changed
  STEP_EXIT,                   // machine->exit_code
  STEP_UNSUPPORTED,            // machine->stop says what
  STEP_CUT,                    // a bound: machine->stop
  STEP_NO_CHOICE               // the callback refused; machine->stop
} step_kind;

typedef enum choice_kind { CHOICE_NONDET, CHOICE_UNDEFINED, CHOICE_WAKE, CHOICE_FAIL, CHOICE_SPURIOUS } choice_kind;

typedef struct machine {
  const ir_program *program;
  semantics semantics;
  arena *arena;                // for texts
  object *statics;             // [0..program->objects.count[
  object_table dynamic[IR_MAX_THREADS];
  dead_queue dead[IR_MAX_THREADS];  // of those tables, without thread-local copies
  VEC (uint32_t) thread_locals;  // static ids
  thread threads[IR_MAX_THREADS];
  uint32_t num_slots;          // slots 0..num_slots-1 have been used
  uint32_t num_running;        // threads that have not ended
  uint32_t num_atomic;         // threads inside an atomic region
  uint32_t num_owned;          // declarations of all threads
  uint8_t *wakers;             // what threads may still wake, by location (analysis/wakers.h); NULL until needed
  // Gives the value of a choice of this many bits; CHOICE_WAKE: a slot waiting at `address`.  False: there is none.
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
  bool too_large;              // it stopped because the program has more memory than it can hold
  uint32_t woken;              // slot that `cond_signal` woke or `thread_create` made, or IR_NONE
  uint8_t *reached;            // per edge, set where a thread stands before it; or NULL
  bool chose;                  // a load took a choice
  uint64_t chose_at;           // for what lies there
  bool spurious;               // a wait at a condition variable ended without a signal
} machine;

void machine_init (machine *, const ir_program *, const semantics *, arena *);
void machine_release (machine *);

// ---- actions: a thread about to take an edge -----------------------------------------------------------
typedef struct action {
  machine *m;
  thread *t;
  frame *f;                    // its top frame
  ir_value *regs;              // of that frame
  ir_edge e;
  const ir_edge_data *d;
} action;

// What the running thread stands before.  At a branch, e is the first of the assumes.
action action_of (machine *, uint32_t slot);
ir_value eval (const action *, ir_expr);
uint64_t address_of_static (const action *, ir_object, uint32_t offset);  // of a thread-local: the running thread's copy
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
bool action_enabled (const action *);                    // not regarding the atomic regions of others
bool machine_excluded (machine *, uint32_t slot);        // another thread is inside an atomic region and can step
bool machine_enabled (machine *, uint32_t slot);         // running, enabled and not excluded
static inline bool op_is_blocking (ir_op op) {           // may be not enabled
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
object *object_find (machine *, uint64_t number);        // NULL: there never was one
uint32_t object_slot (const machine *, uint64_t number); // the slot that made a dynamic object; IR_NONE: static
void memory_init (machine *);
void memory_release (machine *);
// Makes an object of the slot, undefined or zeroed.  False: too large or too many; machine->stop says so.
bool memory_new (machine *, uint32_t slot, object_kind, ir_value size, bool zeroed, uint32_t origin, uint64_t *address);
void memory_kill (machine *, uint64_t number);
void memory_new_locals (machine *, thread *);            // its thread-local copies
ir_fault memory_check (machine *, uint64_t address, uint64_t bytes, bool write);
bool memory_fails (machine *, uint64_t address, uint64_t bytes, bool write);  // and sets machine->fault
// Of accesses that were checked:
uint64_t memory_read (machine *, uint64_t address, unsigned bytes);
uint64_t memory_read_zeroed (machine *, uint64_t address, unsigned bytes);  // undefined bytes as 0
void memory_write (machine *, uint64_t address, unsigned bytes, uint64_t value);
uint64_t memory_undefined (machine *, uint64_t address, unsigned bytes);  // bit i: byte i
void memory_set_undefined (machine *, uint64_t address, unsigned bytes, uint64_t mask);  // exactly these of them
void memory_forget (machine *, uint64_t address);        // the whole object
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
void stack_shrink (machine *, thread *, uint32_t count, bool thread_ended);  // the younger stack objects die
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
unsigned sync_first_touched (ir_op);                     // of these, the first whose memory it touches
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
void lock_take (action *, uint64_t address, lock_kind);  // into the thread's held locks
bool lock_drop (thread *, uint64_t address, lock_kind);  // false: was not there
void lock_drop_everywhere (machine *, uint64_t address);
void lock_abandon (machine *, const held_lock *);         // its holder ends
unsigned lock_count (const thread *, uint64_t address, lock_kind);
void mutex_release_fully (action *, sync_use);
bool wait_enabled (const action *, const sync_use[2]);   // cond, sem, barrier, once
step_kind wait_step (action *, const sync_use[2]);

// Property `locks`: what is wrong with the operation.
typedef struct wrong_use { ir_fault fault; sync_kind kind; uint64_t address; } wrong_use;  // address 0: of no object
wrong_use misuse_of (const action *);                    // fault IR_FAULT_NONE: nothing is wrong
const char *misuse_text (const machine *, wrong_use);    // {} stands for the object's name
bool misuse_possible (ir_op);

// ---- exclusive access ----------------------------------------------------------------------------------
bool own_holds (machine *, const ownership *);           // now
step_kind own_declare (action *);
void own_end_object (machine *, uint64_t number);        // it dies, and with it what was declared of it
void own_end_thread (machine *, thread *);
step_kind own_step (action *, step_kind (*perform) (action *));  // performs it unless it breaks a declaration

// ---- detection -----------------------------------------------------------------------------------------
const pending *pending_of (machine *, uint32_t slot);
// The byte range both operations access, if that is a race; `which` are the two accesses.
bool detect_race (machine *, uint32_t slot, uint32_t other, access which[2]);
// Those that can never step again; returns their number.
uint32_t detect_stuck (machine *, bool stuck[IR_MAX_THREADS]);
// Of these blocked threads, those that stay blocked whatever the threads outside of the set do; returns their number.
uint32_t detect_lasting (machine *, bool stuck[IR_MAX_THREADS]);
typedef struct wait_cause {
  enum { WAIT_LOCK, WAIT_THREAD, WAIT_COND, WAIT_SEM, WAIT_BARRIER, WAIT_ONCE } kind;
  uint64_t address;            // of the object; WAIT_THREAD: none
  uint32_t holder;             // a slot that holds it or is to end; IR_NONE: none that still runs
  bool shared;                 // holder holds it for reading
} wait_cause;
wait_cause detect_cause (machine *, uint32_t slot, const bool stuck[IR_MAX_THREADS]);  // of a blocked thread

// ---- core.c: which threads make a deadlock, and which ones only wait for those ----
typedef struct deadlock_core {
  uint32_t num_threads, thread[IR_MAX_THREADS];        // they keep each other from going on; in the order of the cycle
  bool stuck[IR_MAX_THREADS];                          // the same as a set
  uint32_t num_waiting, waiting[IR_MAX_THREADS];       // bystanders: blocked only because the core is
} deadlock_core;
// A smallest set of blocked threads that block each other.  Within `among` if there is one, else among all blocked threads.
void core_find (machine *, const bool among[IR_MAX_THREADS], deadlock_core *);

// ---- words ---------------------------------------------------------------------------------------------
// The name of memory: by the edge's own words or by the object, see names.c.
void name_access (const action *, uint64_t address, strbuf *);
void name_shared (const action *, uint64_t address, strbuf *);      // the same for all threads if it is static
bool name_from_text (const action *, uint64_t address, strbuf *);   // false: the edge has no words for it
bool name_is_static (machine *, uint64_t address);
void name_object (machine *, uint64_t address, bool sync, strbuf *);  // sync: not into the members of a lock
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
  bool shown;                  // it will be kept
  const ir_edge_data *edge;    // of it, and what it accesses
  uint64_t address;
  unsigned edge_bytes;         // of the edge that is taken, shown or not
  uint32_t last_thread;        // of the last step kept
  bool started[IR_MAX_THREADS];  // its start was shown, although it may not have stepped yet
  VEC (uint64_t) seen[IR_MAX_THREADS];  // accesses shown since the thread last stood in user code
  VEC (struct argument_word *) words;   // words of the command line whose steps are to be completed
} trace;
ir_step trace_step_of (ir_op);                           // IR_STEP_NONE: not shown
void trace_init (trace *, machine *, goal *);
void trace_release (trace *);
void trace_before (trace *, uint32_t slot);              // the thread will take its edge
void trace_after (trace *, uint32_t slot);               // it has
void trace_started (trace *, uint32_t slot);              // shows the start of a thread that has not stepped yet
void trace_about (trace *, uint32_t slot);               // it stands before its edge, which is the violation

void trace_push (trace *);                               // keeps the step that has been made

// ---- argc and argv in a trace (arguments.c) ----
bool arguments_are_chosen (const action *);              // the action calls main with arguments that are inputs
void arguments_begin (trace *, const action *);          // adds their steps
void arguments_note_read (trace *, uint64_t address, unsigned bytes);  // a value was chosen for what lies there
void arguments_end (trace *);                            // completes their steps

// ---- what a violation rests on (scopes.c, sources.c) -------------------------------------------------------
typedef struct static_bytes { ir_object object; uint32_t offset, bytes; } static_bytes;
typedef struct branch_scope {
  bool harmless;               // whichever way the branch goes, the thread comes to `join` and only these depend on it:
  ir_loc join;                 // IR_NONE: the end of the procedure
  VEC (ir_reg) regs;
  VEC (static_bytes) stores;
} branch_scope;
void scope_find (const ir_program *, uint32_t properties, ir_loc branch, branch_scope *out);  // to be released
void scope_release (branch_scope *);

typedef struct sources sources;
sources *sources_new (machine *);                        // NULL, which all of them take: the program invents no values
void sources_free (sources *);
void sources_before (sources *, uint32_t slot);          // the thread will take its edge
void sources_after (sources *, const action *before);    // it has
void sources_of_claim (sources *, const claim *, goal *);  // adds the conditions of the violation that shows in the machine's state

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
void replay_finish_message (replay *);                   // says what else than the order of the threads the violation needs
bool replay_refuse (replay *, const char *what);         // false, and sets *why
const char *replay_reason (const machine *, step_kind);

// ---- leak.c ----------------------------------------------------------------------------------------------
uint32_t leak_find (machine *, uint32_t gone, uint64_t *first);  // heap objects that no pointer leads to; `gone` ends as the last thread, or IR_NONE
bool leak_at (action *);                                 // it would end the process with such objects; then machine->fault says so

// ---- states that behave alike (live.c, alike.c) ----------------------------------------------------------
typedef struct live_registers live_registers;
live_registers *live_new (const ir_program *);
void live_free (live_registers *);
bool live_at (live_registers *, ir_loc, ir_reg);         // used before it gets a new value, on some way from there
machine *machine_copy (const machine *);                 // to be compared with; it is not to step
void machine_free_copy (machine *);
// Equal but for registers that nobody reads any more and for the numbers of dynamic objects.
bool machines_are_alike (machine *, machine *, live_registers *, const char **difference);

// ---- moments of runs (moment.c) --------------------------------------------------------------------------
bool moment_is_one (machine *);                          // no thread that can step is inside an atomic region
// The propositions that hold; *started: those about ended threads whose threads have been there, up to now.
uint64_t moment_letter (machine *, const temporal *, bool process_ended, uint64_t *started);

// Message of a violation that shows in the machine's state (in the arena), and, with a goal, its locations.
const char *describe (machine *, const claim *, goal *);

void output_format (const action *, strbuf *);           // what an `output` operation prints

#endif
