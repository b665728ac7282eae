// Locks as an analysis sees them: by the term of their address where that names one lock, else by the place that takes them.
#ifndef LOCKSTEP_LOCKS_LOCK_H
#define LOCKSTEP_LOCKS_LOCK_H

#include "engine/locks/value.h"

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
