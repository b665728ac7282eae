// Shared by the files that tell private memory, in reading order:
//   escape_shared.c    objects that are reached by other threads at some time: one answer per abstract object
//   escape_origin.c    where the addresses in a procedure's registers come from
//   escape_live.c      registers that are still needed
//   escape_state.c     what has become of the memory a procedure got to know
//   escape_flow.c      that state at every location, procedure by procedure, once per way in which they are called
//   escape.c           the answers
//
// Within one activation of a procedure, addresses of memory that may be private come from *sources*: parameters, ALLOC edges
// and the results of calls.  A source has *objects*, which are what its addresses point into, and *contents*: all that can be
// reached by loading from them, once or more often.  A register's *origin* says into the objects and contents of which sources it may
// point; everything else (globals, memory of others, whatever is not followed) is *elsewhere*.
//
// The main invariant: the address of private memory is only in registers with the right origin, and in the objects and contents
// of sources, which are private.  Whoever stores such an address elsewhere, or passes it on to a thread, gives it away.
#ifndef LOCKSTEP_ESCAPE_IMPL_H
#define LOCKSTEP_ESCAPE_IMPL_H

#include <string.h>

#include "analysis/calls.h"
#include "analysis/escape.h"
#include "base/diag.h"
#include "base/limits.h"

// ---- sets of sources: bitsets of the same number of words -------------------------------------------------------
static inline void bits_add (uint64_t *s, uint32_t i) { s[i / 64] |= (uint64_t) 1 << i % 64; }
static inline void bits_drop (uint64_t *s, uint32_t i) { s[i / 64] &= ~((uint64_t) 1 << i % 64); }
static inline bool bits_have (const uint64_t *s, uint32_t i) { return s[i / 64] >> i % 64 & 1; }
static inline bool bits_empty (const uint64_t *s, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    if (s[k]) return false;
  return true;
}
static inline bool bits_meet (const uint64_t *s, const uint64_t *t, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    if (s[k] & t[k]) return true;
  return false;
}
static inline bool bits_unite (uint64_t *s, const uint64_t *with, uint32_t words) {  // true if it grew
  uint64_t fresh = 0;
  for (uint32_t k = 0; k < words; k++) {
    fresh |= with[k] & ~s[k];
    s[k] |= with[k];
  }
  return fresh;
}

// ---- escape_shared.c --------------------------------------------------------------------------------------------
bool *escape_find_shared (const ir_program *, const pointsto *, const calls *);  // [object]
bool escape_set_private (const bool *shared, pointsto_set);                  // none of its objects is shared

// The value stored by an edge, as the index of an argument; 0: it stores none.  The address is argument 0.
unsigned escape_stored_value (ir_op);
static inline bool escape_set_used (pointsto_set s) { return s.anything || s.count; }

// ---- escape_origin.c --------------------------------------------------------------------------------------------
enum { SOURCE_WORDS = LIMIT_ESCAPE_SOURCES / 64 };  // of one procedure; an address from a further source counts as `elsewhere`
_Static_assert (3 * LIMIT_ESCAPE_PARAMETERS < 64, "a key has three bits for each parameter");

typedef struct origin {
  bool elsewhere;
  uint64_t objects[SOURCE_WORDS], contents[SOURCE_WORDS];  // sets of sources; as many words as the procedure needs
} origin;

// What a procedure's result may be.
typedef struct result_shape {
  uint32_t objects, contents;  // sets of parameters: what they point into
  bool elsewhere;
  bool fresh;                  // objects or contents of a source that is no parameter
} result_shape;

typedef struct frame_sources {
  uint32_t count, words;       // words: of a set of sources
  uint32_t num_params;         // the first sources are the parameters; those that are not followed are never used
  uint32_t followed;           // set of parameters
  VEC (uint32_t) edges;        // of the other sources, in their order
  uint64_t *origins;           // [2 * words * register]: objects, then contents
  uint8_t *elsewhere;          // [register]
  uint32_t num_regs;
  result_shape result;
  uint64_t *old_objects;       // sets of sources: when its edge is taken again, other registers that are still used may point into
  uint64_t *old_contents;      // objects, or contents, it gave before
} frame_sources;

typedef struct sources {
  const ir_program *program;
  const pointsto *pointsto;
  const calls *calls;
  frame_sources *frames;       // [proc]
  uint32_t *of_edge;           // [edge]: its source, IR_NONE: none
  bool wild_stores;            // something is stored at an address that may be anything
} sources;

void sources_init (sources *, const ir_program *, const pointsto *, const calls *);
void sources_release (sources *);
static inline ir_proc proc_of_edge (const ir_program *p, ir_edge e) { return ir_loc_at (p, ir_edge_at (p, e)->from)->proc; }
static inline uint64_t *reg_objects (const frame_sources *f, ir_reg r) { return f->origins + (size_t) 2 * f->words * r.i; }
static inline uint64_t *reg_contents (const frame_sources *f, ir_reg r) { return reg_objects (f, r) + f->words; }
void origin_of_arg (const sources *, ir_edge, unsigned k, origin *out);
result_shape sources_call_shape (const sources *, ir_edge call);  // of all procedures it may call
void origin_of_passed (const sources *, ir_edge call, const result_shape *, origin *out);  // what comes back of the arguments

// ---- escape_live.c ----------------------------------------------------------------------------------------------
void sources_find_survivors (sources *, ir_proc);  // fills old_objects and old_contents

// ---- escape_state.c ---------------------------------------------------------------------------------------------
// What may have happened to each source: five sets.  All empty is the best: its objects are known to registers only, and are empty.
typedef enum plane {
  OBJECTS_KEPT,    // their address is in memory that is private
  OBJECTS_OUT,     // ... in memory that is not, or known to another thread
  CONTENTS_KEPT,   // addresses of private memory were stored in them
  CONTENTS_MIXED,  // addresses from elsewhere were
  CONTENTS_OUT,    // addresses that were stored in them are known elsewhere as well
  NUM_PLANES
} plane;
typedef uint8_t fate;  // of one source: set of 1 << plane
enum {
  FATE_OF_OBJECTS = 1 << OBJECTS_KEPT | 1 << OBJECTS_OUT,
  FATE_OF_CONTENTS = 1 << CONTENTS_KEPT | 1 << CONTENTS_MIXED | 1 << CONTENTS_OUT,
  FATE_OUT = 1 << OBJECTS_OUT | 1 << CONTENTS_OUT
};

typedef struct frame_state {
  uint64_t *planes;            // [NUM_PLANES * words], then one word: other threads may have been created
  uint32_t words, num_params;
} frame_state;
static inline uint64_t *state_plane (const frame_state *s, plane p) { return s->planes + p * s->words; }
static inline uint64_t *state_others (const frame_state *s) { return s->planes + NUM_PLANES * s->words; }
fate state_fate (const frame_state *, uint32_t source);
void state_add_fate (const frame_state *, uint32_t source, fate);
void state_drop_fate (const frame_state *, uint32_t source, fate);
bool state_is_private (const frame_state *, const origin *);             // what it points into
bool state_is_private_throughout (const frame_state *, const origin *);  // and all that is reached from there
void state_give_away (const frame_state *, const origin *);              // it becomes known elsewhere
void state_give_away_kept (const frame_state *);                         // so does all whose address is in private memory
void state_store (const frame_state *, const origin *address, const origin *value);
void state_disturb (const frame_state *, const origin *, fate);          // a callee has done this to a private argument

// ---- escape_flow.c ----------------------------------------------------------------------------------------------
// exposed[k]: what the operand program->args.data[k] points into may be reached by another thread, as far as sources tell.
void escape_find_exposed (const sources *, uint8_t *exposed);

#endif
