// Shared by the files of the escape analysis, in reading order:
//   escape_shared.c    objects that other threads reach at some time: one answer per abstract object
//   escape_origin.c    where the addresses in a procedure's registers come from
//   escape_live.c      registers that are still live
//   escape_state.c     what may have happened to the memory that a procedure knows
//   escape_flow.c      that state at every location, per procedure and calling context
//   escape.c           the answers
//
// Within one activation of a procedure, addresses of memory that may be private come from *sources*: parameters, ALLOC
// edges and the results of calls. A source has *objects*, into which its addresses point, and *contents*: everything
// that can be reached by loading from the objects, once or more often. The *origin* of a register says into the objects
// and contents of which sources it may point; everything else (globals, memory of other threads, untracked values) is
// *elsewhere*.
//
// The main invariant: the address of private memory is only in registers with the right origin, and in the objects and
// contents of sources, which are private. A store of such an address elsewhere, or passing it to a thread, exposes the
// memory.
#ifndef LOCKSTEP_ESCAPE_IMPL_H
#define LOCKSTEP_ESCAPE_IMPL_H

#include <string.h>

#include "analysis/calls.h"
#include "analysis/escape.h"
#include "base/diag.h"
#include "base/limits.h"

// ---- sets of sources: bitsets of the same number of words -------------------------------------------------------
static inline void bits_add (uint64_t *s, uint32_t i) { s[i / 64] |= (uint64_t) 1 << i % 64; }
static inline void bits_remove (uint64_t *s, uint32_t i) { s[i / 64] &= ~((uint64_t) 1 << i % 64); }
static inline bool bits_have (const uint64_t *s, uint32_t i) { return s[i / 64] >> i % 64 & 1; }
static inline bool bits_empty (const uint64_t *s, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    if (s[k]) return false;
  return true;
}
static inline bool bits_intersect (const uint64_t *s, const uint64_t *t, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    if (s[k] & t[k]) return true;
  return false;
}
static inline bool bits_unite (uint64_t *s, const uint64_t *with, uint32_t words) {  // returns whether it grew
  uint64_t fresh = 0;
  for (uint32_t k = 0; k < words; k++) {
    fresh |= with[k] & ~s[k];
    s[k] |= with[k];
  }
  return fresh;
}

// ---- escape_shared.c --------------------------------------------------------------------------------------------
bool *escape_find_shared (const ir_program *, const pointsto *, const calls *);  // [object]
bool escape_set_private (const bool *shared, pointsto_set);  // returns whether none of its objects is shared

// Returns the value stored by an edge, as the index of an argument; 0: it stores none. The address is argument 0.
unsigned escape_stored_value (ir_op);
static inline bool escape_set_used (pointsto_set s) { return s.anything || s.count; }

// ---- escape_origin.c --------------------------------------------------------------------------------------------
// of one procedure; an address from a further source counts as `elsewhere`
enum { SOURCE_WORDS = LIMIT_ESCAPE_SOURCES / 64 };
_Static_assert (3 * LIMIT_ESCAPE_PARAMETERS < 64, "a key has three bits for each parameter");

typedef struct origin {
  bool elsewhere;
  uint64_t objects[SOURCE_WORDS], contents[SOURCE_WORDS];  // sets of sources; as many words as the procedure needs
} origin;

// What the result of a procedure may be.
typedef struct result_shape {
  uint32_t objects, contents;  // sets of parameters into whose objects or contents it may point
  bool elsewhere;
  bool fresh;                  // it may point into a source that is not a parameter
} result_shape;

typedef struct frame_sources {
  uint32_t count, words;       // words: length of a set of sources
  uint32_t num_params;         // the first sources are the parameters; untracked parameters are never used
  uint32_t followed;           // set of tracked parameters
  VEC (uint32_t) edges;        // edges of the other sources, in their order
  uint64_t *origins;           // [2 * words * register]: objects, then contents
  uint8_t *elsewhere;          // [register]
  uint32_t num_regs;
  result_shape result;
  // sets of sources: when the edge of a source is taken again, other live registers may point into
  uint64_t *old_objects;
  uint64_t *old_contents;      // the objects, or contents, that it gave before
} frame_sources;

typedef struct allocation_sources {
  const ir_program *program;
  const pointsto *pointsto;
  const calls *calls;
  frame_sources *frames;       // [proc]
  uint32_t *of_edge;           // [edge]: the source of the edge, IR_NONE: none
  bool wild_stores;            // some store goes through a pointer to anything
} allocation_sources;

void sources_init (allocation_sources *, const ir_program *, const pointsto *, const calls *);
void sources_release (allocation_sources *);
static inline ir_proc edge_procedure (const ir_program *p, ir_edge e) {
  return ir_loc_at (p, ir_edge_at (p, e)->from)->proc;
}
static inline uint64_t *reg_objects (const frame_sources *f, ir_reg r) {
  return f->origins + (size_t) 2 * f->words * r.i;
}
static inline uint64_t *reg_contents (const frame_sources *f, ir_reg r) { return reg_objects (f, r) + f->words; }
void origin_of_arg (const allocation_sources *, ir_edge, unsigned k, origin *out);
// Joined over all procedures that it may call
result_shape sources_call_shape (const allocation_sources *, ir_edge call);
// The part of the result that comes from the arguments
void origin_of_passed (const allocation_sources *, ir_edge call, const result_shape *, origin *out);

// ---- escape_live.c ----------------------------------------------------------------------------------------------
void sources_find_survivors (allocation_sources *, ir_proc);  // fills in old_objects and old_contents

// ---- escape_state.c ---------------------------------------------------------------------------------------------
// What may have happened to each source, as five sets. All empty is best: the addresses of its objects are in registers
// only, and its objects are empty.
typedef enum plane {
  OBJECTS_KEPT,    // the address of the objects is in private memory
  OBJECTS_OUT,     // ... in other memory, or known to another thread
  CONTENTS_KEPT,   // addresses of private memory were stored in the contents
  CONTENTS_MIXED,  // addresses from elsewhere were stored in the contents
  CONTENTS_OUT,    // addresses stored in the contents are also known elsewhere
  NUM_PLANES
} plane;
typedef uint8_t fate;  // state of one source: a set of 1 << plane
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
bool state_is_private (const frame_state *, const origin *);  // returns whether the memory it points into is private
// ... and everything that can be reached from there
bool state_is_private_throughout (const frame_state *, const origin *);
void state_expose (const frame_state *, const origin *);              // the memory becomes known elsewhere
void state_expose_kept (const frame_state *);  // ... and so does all memory whose address is in private memory
void state_store (const frame_state *, const origin *address, const origin *value);
void state_disturb (const frame_state *, const origin *, fate);  // a callee has had this effect on a private argument

// ---- escape_flow.c ----------------------------------------------------------------------------------------------
// Sets exposed[k] if another thread may reach the memory that operand program->args.data[k] points into, as far as
// sources tell.
void escape_find_exposed (const allocation_sources *, uint8_t *exposed);

#endif
