// Temporal properties of whole programs (`--ltl` without A or E; docs/formats/ltl.md): a formula, what its propositions mean in a
// program, and the automaton of the runs that break it.  Engines search with it, the interpreter judges with it.
//
//   temporal t;
//   ltl_error error;
//   if (!temporal_init (&t, program, "G(request -> F granted)", &error)) ... ltl_error_show (text, &error, out);
//   if (!temporal_add_automaton (&t)) ...                    // t.broken accepts the words of runs that break it
//   letter |= (uint64_t) holds << k;                         // of each moment, for each atom k; the engine's business
//   if (!ltl_holds_on (t.pool, t.formula, letters, length, back)) ...   // this lasso breaks it
//   temporal_release (&t);
//
// Moments.  The first moment is the state in which the program starts (thread 0 at the entry of program->start), and after each edge that a
// thread takes there is one more, but for states in which a thread that can step is inside an atomic region: a region is one step, up to its
// end or to where it waits.  If no thread can step, or the process has ended (IR_EXIT), the last moment repeats for ever.  An
// execution that an error or an unfulfilled assume ends is no run.  Fairness (--fair): on a run, no thread can step from some moment on
// always (where another thread is inside an atomic region, it cannot) and never does.
//
// Where a thread is: its place is the location of its innermost frame that is not internal (ir_proc_data.internal; for a frame that has
// called, the location of the call), so while a library function works, the thread is at the call of it.  What it was started in
// is the procedure of its outermost frame that is not internal.  No such frame: it has no place and was not started anywhere.  When the process has
// ended there are no threads; memory stays as it is.
#ifndef LOCKSTEP_TEMPORAL_H
#define LOCKSTEP_TEMPORAL_H

#include "ir/ir.h"
#include "logic/logic.h"
#include "ir/sync.h"

// Which threads are meant: running ones (not ended) that ...
typedef struct temporal_threads {
  enum { THREADS_ALL, THREADS_STARTED_IN, THREADS_NUMBERED } which;
  const bool *procs;           // STARTED_IN: [0..program->procs.count[, one of these
  uint32_t slot;               // NUMBERED: live in this slot
} temporal_threads;

typedef struct temporal_operand {
  bool is_constant;
  __int128 constant;
  ir_object object;            // else: the bytes of a static object, little-endian; undefined ones count as 0
  uint32_t offset;
  uint8_t bytes;               // 1, 2, 4, 8
  bool is_signed;
} temporal_operand;

typedef enum temporal_relation { RELATION_EQ, RELATION_NE, RELATION_LT, RELATION_LE, RELATION_GT, RELATION_GE } temporal_relation;

// A mutex, rwlock or spin lock; where its state lies: ir/sync.h.
typedef struct temporal_lock { ir_family kind; ir_object object; uint32_t offset; } temporal_lock;

typedef struct temporal_atom {
  ltl_atom_kind kind;
  const char *text;            // as in the formula: "at(worker, 12)", "x < 3"
  temporal_threads threads;    // AT HOLDS ENDED
  const bool *locs;            // AT: [0..program->locs.count[, some such thread's place is one of these
  temporal_lock lock;          // HOLDS: such a thread is its owner, its writer or one of its readers; LOCKED: somebody is (a holder that has ended counts)
  temporal_operand left, right;  // COMPARE: as integers, whatever their types
  temporal_relation relation;
  // ENDED: there has been such a thread at this moment or before, and there is none now.  NUMBERED: the slot has been used.
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
  buchi broken;                // accepts the words of runs that break the formula; after temporal_add_automaton
} temporal;

// False: *error says what is wrong with the text, or which name the program does not have (in the pool of t).  To be released in any case.
bool temporal_init (temporal *, const ir_program *, const char *text, ltl_error *error);
bool temporal_add_automaton (temporal *);      // false: the formula is too large
void temporal_release (temporal *);

__int128 temporal_value (const temporal_operand *, uint64_t bytes);   // of these bytes of memory (a constant: its value)
bool temporal_compare (temporal_relation, __int128, __int128);

#endif
