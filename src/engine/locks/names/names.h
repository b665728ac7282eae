// Names for locks: when two places of a program certainly mean the same lock (must-alias), and which locks a place may
// mean (may-alias).  Files in reading order:
//   cloning             the program, with some functions cloned for each call
//   reachable_after     locations that a thread may pass after given edges
//   stable              memory that is written only before the first thread is created
//   value               values of registers as terms
//   element             addresses of array elements
//   lock_name           locks, named by the terms of their addresses
//   mutex_kinds         whether a mutex may be recursive or error-checking
#ifndef LOCKSTEP_LOCKS_NAMES_H
#define LOCKSTEP_LOCKS_NAMES_H

#include "analysis/pointsto.h"
#include "analysis/unique.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/sync.h"

// ---- cloning.c ------------------------------------------------------------------------------------------------------
// The program with one copy of some functions for each call.  It behaves like the original and keeps all source
// positions.  The original must live longer than the result.
ir_program *clone_per_call (const ir_program *);

// ---- reachable_after.c ----------------------------------------------------------------------------------------------
// Marks the locations that a thread may pass after it took one of the edges.  Behind a thread creation, those of the
// created thread are marked too.  The result has one entry per location; the caller frees it with mem_free and
// reachable_bytes.
typedef VEC (ir_edge) edge_list;
bool *reachable_after (const ir_program *, const pointsto *, const edge_list *);
static inline size_t reachable_bytes (const ir_program *p) { return p->locs.count + 1; }

// ---- stable.c -------------------------------------------------------------------------------------------------------
// Memory that no longer changes once the first thread has been created.  A location is *threaded* if it may be passed
// after a thread was created.
typedef struct stable {
  const ir_program *program;
  const pointsto *targets;
  bool *threaded;              // [location]
  bool all_written;            // a threaded location stores through a pointer to anything
  map written;                 // object << 32 | word (0xffffffff: all words): a threaded location may write it
  map touched;                 // object: a threaded location may write some word of it
} stable;

void stable_init (stable *, const ir_program *, const pointsto *);
void stable_release (stable *);
bool stable_load (const stable *, ir_edge load);  // the load is threaded and reads only memory that is stable

// ---- value.c --------------------------------------------------------------------------------------------------------
// Values of registers as terms.  A lock and the data beside it have addresses that are the same term plus constants.
// Equal terms of one thread are equal values as long as none of their registers is assigned in between.
//
// A register with one definition is replaced by its definition: by the assigned expression, by the content of a stable
// memory cell that it was loaded from, or by the address of a unique object that it points to.  Registers that cannot
// be replaced are the leaves.  A term without such leaves is *fixed*: it has the same value in every thread.
typedef struct { uint32_t i; } value_term;  // VALUE_NONE: unknown
#define VALUE_NONE UINT32_MAX

typedef enum value_term_kind { V_CONST, V_ADDR, V_REG, V_RESULT, V_LOAD, V_OP } value_term_kind;
typedef struct value_node {
  uint8_t kind, op;            // value_term_kind; ir_expr_op of V_OP
  uint16_t bits;
  uint32_t a, b, c;            // V_ADDR: object; V_REG: procedure, register; V_LOAD: address, bytes; V_OP: arguments
  uint64_t low, high;          // V_CONST: the number
} value_node;

typedef struct term_address { value_term base; int64_t offset; } term_address;  // base VALUE_NONE: unknown

typedef struct values_table {
  const ir_program *program;
  const stable *stable;
  const unique *unique;
  intern nodes;                // value_node
  map resolved;                // procedure << 32 | expression -> value_term
  ir_edge **definition;        // [procedure][register]: its only definition, IR_NONE: it has several or is a parameter
  bool *assigned_param;        // [procedure]: one of its parameters is assigned to
  VEC (uint32_t) sizes;        // [term]: nodes of its tree
  VEC (bool) fixed;            // [term], filled on demand
  int depth;                   // how many registers are being replaced at present
} values_table;

void values_table_init (values_table *, const ir_program *, const stable *, const unique *);
void values_table_release (values_table *);
const value_node *value_node_at (const values_table *, value_term);

value_term value_of_expr (values_table *, ir_proc, ir_expr);    // in a frame of the procedure
value_term value_assigned (values_table *, ir_proc, ir_edge assign);  // VALUE_NONE: no term stays equal to the register
term_address address_in (values_table *, ir_proc, ir_expr);
term_address address_split (values_table *, value_term);
value_term value_reg (values_table *, ir_proc, uint32_t reg);   // the register itself, not replaced
value_term value_result (values_table *);                       // the procedure's result, seen from its caller
value_term value_const (values_table *, unsigned bits, ir_value);
value_term value_load (values_table *, value_term address, uint32_t bytes);  // memory that is taken not to change
value_term value_apply (values_table *, ir_expr_op, unsigned bits, value_term, value_term);  // a binary operator
bool value_is_fixed (values_table *, value_term);
bool value_uses (const values_table *, value_term, ir_proc, uint32_t reg);
bool value_is_param (const values_table *, value_term, ir_proc, uint32_t *k);  // a parameter that is never assigned
bool value_over_params (const values_table *, value_term, ir_proc);            // all its leaves are such parameters
bool value_constant (const values_table *, value_term, ir_value *);

// Replaces every leaf by what `leaf` returns for it.  The result is VALUE_NONE if `leaf` returns that for one of them.
typedef value_term (*value_leaf) (void *state, value_term leaf);
value_term value_replace (values_table *, value_term, value_leaf, void *state);

// ---- element.c ------------------------------------------------------------------------------------------------------
// Addresses of array elements: base + offset + index * stride, with an index that is not known.
typedef struct element {
  bool found;                  // the address has that form
  value_term base;             // fixed
  value_term index;            // not fixed
  int64_t offset, stride;
} element;

element element_of (values_table *, term_address);
// If base + index * stride is equal for two indices, index * lock_stride is equal for them too.
bool element_fixes_lock (const values_table *, element accessed, int64_t lock_stride);

// The bytes of a static object that an access may touch.
typedef struct extent {
  bool known;
  uint32_t object, low, high;  // [low..high[
  uint32_t stride;             // of the array that the bytes make up; 0: one access at a fixed place
} extent;

extent element_extent (values_table *, term_address, uint32_t bytes);
bool extents_disjoint (const ir_program *, const extent *, const extent *);

// ---- lock_name.c ----------------------------------------------------------------------------------------------------
// A lock is named by the term of its address.  If no term is known, it is *unresolved*: the name stands for any lock
// that the address argument may point to.
//
// The kind of a lock is its ir_family.  IR_NO_FAMILY stands for an atomic variable that the program uses as a lock
// (cas_lock.c) or as a progress flag (progress_flag.c).

// An operation that has the lock's address as an argument, plus an offset: points-to is asked about that argument.
typedef struct lock_site { ir_edge edge; uint32_t arg; int64_t offset; } lock_site;

// Names that are not unresolved differ by family, base and offset only; of their sites, the first is kept.
typedef struct lock_node {
  uint32_t base, family;       // value_term, VALUE_NONE: unresolved; ir_family
  int64_t offset;
  uint32_t edge, arg;          // the site; IR_NONE for fixed terms, which need none
  int64_t site_offset;
} lock_node;

// A lock with the way it is used: shared with other readers or not.  One number, so that sets of uses are idsets.
typedef struct { uint32_t i; } lock_use;

typedef struct lock_table {
  const ir_program *program;
  const pointsto *targets;
  values_table *values;
  intern names;                // lock_node, without the site unless it is unresolved
  intern unresolved_sites;     // lock_node of unresolved locks
  VEC (uint32_t) unresolved_at_site;  // [site]: its lock
  intern unresolved_sets;      // family and may-alias set
  VEC (uint32_t) unresolved_of_set;   // [set]: the lock with that set
  VEC (lock_node) nodes;       // [name]
  map loaded;                  // fixed lock whose address is loaded -> index of its first site
  VEC (lock_site) loaded_sites;
  map *may_alias;              // smaller lock << 32 | larger -> may they be equal?  Filled on demand
  map kinds_given[2];          // [threaded]: object (0: any) -> set of 1 << ir_mutex_kind of initialisations in it
  unsigned possible_kinds;     // the kinds that some initialisation or static initialiser of the program gives
  map surely_initialised;      // object << 32 | offset -> initialised before any thread exists?  Filled on demand
  VEC (uint8_t) kinds[2];      // [threaded][lock]: the kinds that it may have, filled on demand
} lock_table;

void lock_table_init (lock_table *, const ir_program *, const pointsto *, values_table *);
void lock_table_release (lock_table *);

const lock_node *lock_at (const lock_table *, uint32_t lock);
uint32_t lock_named (lock_table *, ir_family, term_address, lock_site);  // unresolved if the address is unknown
uint32_t lock_unresolved (lock_table *, ir_family, lock_site);
uint32_t lock_without_term (lock_table *, uint32_t lock);             // the unresolved lock of its site
bool lock_is_fixed (const lock_table *, uint32_t lock);               // one lock, the same in all threads
bool lock_is_unresolved (const lock_table *, uint32_t lock);
bool lock_may_alias (const lock_table *, uint32_t a, uint32_t b);
typedef struct lock_places { bool anything; VEC (pointsto_target) at; } lock_places;
// Its may-alias set.  The caller releases out->at.
void lock_places_of (const lock_table *, uint32_t lock, lock_places *out);
const char *name_of_lock (const lock_table *, uint32_t lock, arena *);      // for messages
// Of a pthread lock, not `once` or an atomic region.
static inline bool lock_is_pthread (const lock_table *t, uint32_t lock) {
  return ir_family_is_lock ((ir_family) lock_at (t, lock)->family);
}

// ---- mutex_kinds.c --------------------------------------------------------------------------------------------------
void lock_kinds_init (lock_table *);
void lock_kinds_release (lock_table *);
// May the mutex have this kind?  `threaded`: when threads may have been created.
bool lock_may_be (lock_table *, uint32_t lock, ir_mutex_kind, bool threaded);
bool lock_ever_may_be (lock_table *, uint32_t lock, ir_mutex_kind);   // at any time

static inline lock_site lock_site_of (const lock_node *n) { return (lock_site){{n->edge}, n->arg, n->site_offset}; }
static inline lock_use use_of (uint32_t lock, bool reads) { return (lock_use){lock << 1 | reads}; }
static inline uint32_t use_lock (lock_use u) { return u.i >> 1; }
static inline bool use_reads (lock_use u) { return u.i & 1; }
static inline lock_use use_without_term (lock_table *t, lock_use u) {
  return use_of (lock_without_term (t, use_lock (u)), use_reads (u));
}
static inline bool uses_exclude (lock_use a, lock_use b) {
  return use_lock (a) == use_lock (b) && !(use_reads (a) && use_reads (b));
}

#endif
