// Names for locks: when two places of a program certainly mean the same lock (must-alias), and which locks a place may
// mean.  Files in reading order:
//   cloning             the program, with some functions cloned for each call
//   reachable_after     locations that may be passed after given edges
//   stable              memory that is written only before the first thread is created
//   value               values of registers as terms
//   element             addresses of array elements
//   lock_name           locks, named by the terms of their addresses
//   mutex_kinds         whether a lock may be a recursive or an error-checking mutex
#ifndef LOCKSTEP_LOCKS_NAMES_H
#define LOCKSTEP_LOCKS_NAMES_H

#include "analysis/pointsto.h"
#include "analysis/unique.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/ir.h"

// ---- cloning.c -----------------------------------------------------------------------------------------
// The program as the lock analysis looks at it: some functions have one copy for each call.
ir_program *copies_make (const ir_program *);  // does what the original does, at the same positions; the original lives longer

// ---- reachable_after.c ---------------------------------------------------------------------------------
// Which locations may be passed after one of some edges was taken, by the same thread or, behind a thread creation, by the new one.
typedef VEC (ir_edge) edge_list;
bool *later_locations (const ir_program *, const pointsto *, const edge_list *);  // [0..locs.count]; the caller frees them with mem_free
static inline size_t later_bytes (const ir_program *p) { return p->locs.count + 1; }

// ---- stable.c ------------------------------------------------------------------------------------------
// Which memory no longer changes once threads have been created, and which locations may be passed after that.
typedef struct stable {
  const ir_program *program;
  const pointsto *targets;
  bool *late;                  // [location]: may be passed after a thread was created
  bool all_written;            // something is stored through a pointer to anything
  map written;                 // object << 32 | word, or word 0xffffffff for the whole object: may be written late
  map touched;                 // object: some word of it
} stable;

void stable_init (stable *, const ir_program *, const pointsto *);
void stable_release (stable *);
bool stable_load (const stable *, ir_edge load);  // it reads, late, only what is never written late

// ---- value.c -------------------------------------------------------------------------------------------
// Values of registers as terms: what a lock and the data beside it have in common is that their addresses are the same term
// plus constants.  Equal terms of one thread, taken while none of their registers changed, are equal values.
//
// A register that is assigned once stands for what it was assigned; one that was loaded from a stable cell (written only
// before the first thread was created) for the cell's content; one that got the address of a unique object for that
// address.  What is left are the leaves: registers.  A term without them is *fixed*: the same value for every thread.
typedef struct { uint32_t i; } value;       // a term; value_none: unknown
#define VALUE_NONE UINT32_MAX

typedef enum value_kind { V_CONST, V_ADDR, V_REG, V_RESULT, V_LOAD, V_OP } value_kind;
typedef struct value_node {
  uint8_t kind, op;            // value_kind; ir_expr_op of V_OP
  uint16_t bits;
  uint32_t a, b, c;            // V_ADDR: object; V_REG: procedure, register; V_LOAD: address, bytes; V_OP: arguments
  uint64_t low, high;          // V_CONST: the number
} value_node;

typedef struct address { value base; int64_t offset; } address;  // base + offset; base VALUE_NONE: unknown

typedef struct values_table {
  const ir_program *program;
  const stable *stable;
  const unique *unique;
  intern nodes;                // value_node
  map resolved;                // procedure << 32 | expression -> value
  ir_edge **definition;        // [procedure][register]: the only edge that defines it, IR_NONE: several, or it is a parameter
  bool *assigned_param;        // [procedure]: one of its parameters is assigned to
  VEC (uint32_t) sizes;        // [value]: nodes of its tree
  VEC (bool) fixed;            // [value], filled on demand
  int depth;                   // of registers being looked through
} values_table;

void values_table_init (values_table *, const ir_program *, const stable *, const unique *);
void values_table_release (values_table *);
const value_node *value_at (const values_table *, value);

value value_in (values_table *, ir_proc, ir_expr);          // the expression's value in a frame of the procedure
value value_assigned (values_table *, ir_proc, ir_edge assign); // of its right side; VALUE_NONE where a term would not mean that
address address_in (values_table *, ir_proc, ir_expr);
address address_split (values_table *, value);
value value_reg (values_table *, ir_proc, uint32_t reg);    // the register itself, unresolved
value value_result (values_table *);                        // what the procedure returns, seen from its caller
value value_const (values_table *, unsigned bits, ir_value);
value value_load (values_table *, value address, uint32_t bytes);  // what is there, if it does not change
value value_apply (values_table *, ir_expr_op, unsigned bits, value, value);  // a binary operator
bool value_is_fixed (values_table *, value);
bool value_uses (const values_table *, value, ir_proc, uint32_t reg);
bool value_is_param (const values_table *, value, ir_proc, uint32_t *k);  // a parameter of the procedure that is never assigned
bool value_over_params (const values_table *, value, ir_proc);            // all its registers are such parameters
bool value_constant (const values_table *, value, ir_value *);

// The value with every register leaf replaced; a leaf for which `leaf` gives VALUE_NONE makes the whole unknown.
typedef value (*value_leaf) (void *state, value leaf);
value value_replace (values_table *, value, value_leaf, void *state);

// ---- element.c -----------------------------------------------------------------------------------------
// Addresses of the form array + index * stride, with an index that is not known: elements of arrays.
typedef struct element {
  bool yes;
  value base;                  // fixed
  value index;                 // not fixed
  int64_t offset, stride;      // base + offset + index * stride
} element;

element element_of (values_table *, address);
// If base + index * stride is the same for two indices, index * lock_stride is the same as well.
bool element_tells (const values_table *, element accessed, int64_t lock_stride);

// Bytes of a static object that an access may touch, and what they are elements of.
typedef struct extent {
  bool known;
  uint32_t object, low, high;  // [low..high[
  uint32_t stride;             // of the array that they make up; 0: one access at a fixed place
} extent;

extent element_extent (values_table *, address, uint32_t bytes);
bool extents_apart (const ir_program *, const extent *, const extent *);

// ---- lock_name.c ---------------------------------------------------------------------------------------
// Locks as an analysis sees them: by the term of their address where that names one lock, else by the place that takes them.
typedef enum lock_family { LOCK_MUTEX, LOCK_RW, LOCK_SPIN, LOCK_ONCE, LOCK_CELL, LOCK_SEMAPHORE, LOCK_ATOMIC, LOCK_FLAG /* no lock: of facts only */ } lock_family;

// Where a lock's address was seen as an argument: what it may point to is asked there.
typedef struct lock_site { ir_edge edge; uint32_t arg; int64_t offset; } lock_site;

// base VALUE_NONE: some lock that the site may mean (a *vague* one).  Other names are told apart by base and offset alone;
// of the places where they were seen the first is kept.
typedef struct lock_node {
  uint32_t base, family;
  int64_t offset;
  uint32_t edge, arg;          // the site; IR_NONE for fixed terms, which need none
  int64_t site_offset;
} lock_node;

// A use of a lock: which one, and whether shared with other readers.  Numbers, so that sets of uses are idsets.
typedef struct { uint32_t i; } lock_use;

typedef struct lock_table {
  const ir_program *program;
  const pointsto *targets;
  values_table *values;
  intern names;                // lock_node, without the site if it is not vague
  intern vague_sites, vague_kinds;  // lock_node of vague locks; family and places
  VEC (uint32_t) vague_names;  // [site]: its lock
  VEC (uint32_t) vague_locks;  // [kind]
  VEC (lock_node) nodes;       // [name]
  map given[2];                // [late]: object (0: any) -> set of 1 << ir_mutex_kind given by initialisations somewhere in it
  map loaded;                  // fixed lock whose address is loaded -> index of the site where it was seen first
  VEC (lock_site) loaded_sites;
  map *alike;                  // smaller lock << 32 | larger: may be equal, as far as asked
  unsigned possible_kinds;     // all that some initialisation or initialiser of the program gives
  map surely_given;            // object << 32 | offset: initialised before threads exist, as far as asked
  VEC (uint8_t) kinds[2];      // [late][lock], filled on demand: the set that it may have
} lock_table;

void lock_table_init (lock_table *, const ir_program *, const pointsto *, values_table *);
void lock_table_release (lock_table *);

const lock_node *lock_at (const lock_table *, uint32_t lock);
uint32_t lock_named (lock_table *, lock_family, address, lock_site);  // vague if the address is unknown
uint32_t lock_vague (lock_table *, lock_family, lock_site);
uint32_t lock_forgotten (lock_table *, uint32_t lock);                // the same without its term
bool lock_is_fixed (const lock_table *, uint32_t lock);               // names one lock, the same for all threads
bool lock_is_vague (const lock_table *, uint32_t lock);
bool lock_may_equal (const lock_table *, uint32_t a, uint32_t b);
typedef struct lock_places { bool anything; VEC (pointsto_target) at; } lock_places;
void lock_places_of (const lock_table *, uint32_t lock, lock_places *out);  // all it may be; the caller releases out->at
// lock_kind.c
void lock_kinds_init (lock_table *);
void lock_kinds_release (lock_table *);
bool lock_may_be (lock_table *, uint32_t lock, ir_mutex_kind, bool late);  // late: when threads may have been created
const char *lock_name (const lock_table *, uint32_t lock, arena *);   // for people

static inline lock_use use_of (uint32_t lock, bool reads) { return (lock_use){lock << 1 | reads}; }
static inline uint32_t use_lock (lock_use u) { return u.i >> 1; }
static inline bool use_reads (lock_use u) { return u.i & 1; }
static inline bool uses_exclude (lock_use a, lock_use b) { return use_lock (a) == use_lock (b) && !(use_reads (a) && use_reads (b)); }

#endif
