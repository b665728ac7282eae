// Temporal properties of whole programs (`--ltl` without A or E; docs/formats/ltl.md): a formula, the meaning of its
// propositions in a program, and the automaton of the runs that violate it. Engines search with the automaton; the
// interpreter evaluates the formula on the run that an engine claims.
//
//   temporal t;
//   ltl_error error;
//   if (!temporal_init (&t, program, "G(request -> F granted)", &error)) ... ltl_error_show (text, &error, out);
//   if (!temporal_add_automaton (&t)) ...                    // t.broken accepts the words of runs that violate it
//   letter |= (uint64_t) holds << k;                         // the engine's: at each moment, for each atom k
//   if (!ltl_holds_on (t.pool, t.formula, letters, length, back)) ...   // this lasso violates it
//   temporal_release (&t);
//
// Moments. A run is a sequence of moments. The first moment is the state in which the program starts (thread 0 at the
// entry of program->start). Each edge that a thread takes leads to one more moment, except to a state in which a thread
// inside an atomic region can step: a region is one step, up to its end or to an operation that blocks. If no thread
// can step, or the process has ended (IR_EXIT), the last moment repeats for ever. An execution that ends at an error or
// at a failed assume is not a run. Fairness (--fair) excludes runs on which, from some moment on, a thread can always
// step and never does; while another thread is inside an atomic region, a thread cannot step.
//
// The place of a thread is the location of its innermost frame that is not internal (ir_proc_data.internal; for a frame
// that waits for a call, the location of the call). So while a library function works, the thread is at its call. The
// thread was started in the procedure of its outermost frame that is not internal. A thread without such a frame has no
// place and was started in no procedure. After the end of the process there are no threads; memory keeps its contents.
#ifndef LOCKSTEP_TEMPORAL_H
#define LOCKSTEP_TEMPORAL_H

#include "ir/ir.h"
#include "logic/logic.h"
#include "ir/sync.h"

// Which threads are meant: running ones (not ended) that ...
typedef struct temporal_threads {
  enum { THREADS_ALL, THREADS_STARTED_IN, THREADS_NUMBERED } which;
  const bool *procs;           // STARTED_IN: [0..program->procs.count[, one of these
  uint32_t slot;               // NUMBERED: alive in this slot
} temporal_threads;

typedef struct temporal_operand {
  bool is_constant;
  __int128 constant;
  ir_object object;            // else: the bytes of a static object, little-endian; undefined ones count as 0
  uint32_t offset;
  uint8_t bytes;               // 1, 2, 4, 8
  bool is_signed;
} temporal_operand;

typedef enum temporal_relation {
  RELATION_EQ, RELATION_NE, RELATION_LT, RELATION_LE, RELATION_GT, RELATION_GE
} temporal_relation;

// A mutex, rwlock or spin lock; where its state lies: ir/sync.h.
typedef struct temporal_lock { ir_family kind; ir_object object; uint32_t offset; } temporal_lock;

typedef struct temporal_atom {
  ltl_atom_kind kind;
  const char *text;            // as in the formula: "at(worker, 12)", "x < 3"
  temporal_threads threads;    // AT HOLDS ENDED
  const bool *locs;            // AT: [0..program->locs.count[, some such thread's place is one of these
  // HOLDS: such a thread is its owner, its writer or one of its readers; LOCKED: any thread is, also one that has ended
  temporal_lock lock;
  temporal_operand left, right;  // COMPARE: as integers, whatever their types
  temporal_relation relation;
  // ENDED: there was such a thread at this moment or before, and there is none now. NUMBERED: the slot has been used.
} temporal_atom;

typedef struct temporal {
  const ir_program *program;
  const char *text;            // the formula as given; the caller's
  ltl_pool *pool;              // its arena owns the rest
  ltl formula;
  bool has_next;               // X occurs: the number of steps matters
  uint32_t num_atoms;
  temporal_atom *atoms;        // [0..num_atoms[, bit k of a letter is atom k
  uint64_t remembers;          // atoms that depend on the past: ENDED
  buchi broken;                // accepts the words of runs that violate the formula; after temporal_add_automaton
} temporal;

// False: *error says what is wrong with the text, or which name the program does not have (in the pool of t). Call
// temporal_release in either case.
bool temporal_init (temporal *, const ir_program *, const char *text, ltl_error *error);
bool temporal_add_automaton (temporal *);      // false: the formula is too large
void temporal_release (temporal *);

// The value of an operand whose bytes are `memory`; of a constant, its value.
__int128 temporal_value (const temporal_operand *, uint64_t bytes);
bool temporal_compare (temporal_relation, __int128, __int128);

#endif
