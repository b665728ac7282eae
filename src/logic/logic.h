// Linear temporal logic, and Buechi automata for it. This folder does not know programs: an atom is a word with an
// argument, and the caller gives it a meaning.  Properties are of single threads (`A f`, `E f`; without "next": LTL\X)
// or of the whole program (`f` alone). The language is described in docs/formats/ltl.md.
//
//   ltl_pool *pool = ltl_pool_new ();
//   ltl_property p;
//   ltl_error error;
//   if (!ltl_parse (pool, "A G(acquired(m) -> F released(m))", &p, &error)) ...
//   buchi b;
//   if (!buchi_build (&b, pool, ltl_not (pool, p.body), 10000)) ...       // accepts the runs that break the property
//   buchi_release (&b);
//   ltl_pool_free (pool);
#ifndef LOCKSTEP_LOGIC_H
#define LOCKSTEP_LOGIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

// ---- formulas ----------------------------------------------------------------------------------------
// Always in negation normal form: F a is kept as true U a, G a as false R a, a W b as b R (a || b), and a negation is
// pushed down to the atoms when it is made.  Equal formulas have equal numbers.
typedef struct { uint32_t i; } ltl;
typedef enum ltl_op { LTL_FALSE, LTL_TRUE, LTL_LITERAL, LTL_AND, LTL_OR, LTL_NEXT, LTL_UNTIL, LTL_RELEASE } ltl_op;

typedef struct ltl_node {
  uint32_t op;                 // ltl_op
  uint32_t atom, negated;      // LITERAL
  ltl left, right;             // AND OR UNTIL RELEASE; NEXT: left only
} ltl_node;

// Properties: t of threads, p of programs, b both.
//        id        name       of   meaning at one moment of a run
#define LTL_ATOMS(ATOM)                                                                                \
  ATOM (AT,       "at",       'b', "the next operation is at this line or label")                      \
  ATOM (IN,       "in",       't', "executes this function's own code")                                \
  ATOM (CALLED,   "called",   't', "has just entered this function")                                   \
  ATOM (ACQUIRED, "acquired", 't', "has just acquired this lock")                                      \
  ATOM (RELEASED, "released", 't', "has just released this lock")                                      \
  ATOM (HOLDS,    "holds",    'b', "holds this lock")                                                  \
  ATOM (LOCKED,   "locked",   'p', "a thread holds this lock")                                         \
  ATOM (ENDED,    "ended",    'p', "the threads that were started there have ended")                   \
  ATOM (COMPARE,  "",         'p', "these values compare like this: `x < 3`; `x` stands for `x != 0`")

typedef enum ltl_atom_kind {
#define ATOM(ID, NAME, OF, MEANING) LTL_##ID,
  LTL_ATOMS (ATOM)
#undef ATOM
  LTL_NUM_ATOM_KINDS
} ltl_atom_kind;
bool ltl_atom_is_of (ltl_atom_kind, char language);  // 't' or 'p'
extern const char *const ltl_atom_name[LTL_NUM_ATOM_KINDS];

typedef struct ltl_atom {
  ltl_atom_kind kind;
  const char *argument;        // without blanks at its ends; COMPARE: as given
  uint32_t column;             // of its first use, from 1; 0: not from a text
} ltl_atom;

typedef struct ltl_pool {
  arena *arena;
  VEC (ltl_node) nodes;        // [0] is false, [1] is true
  VEC (ltl_atom) atoms;        // at most LIMIT_FORMULA_ATOMS
  intern numbers;              // of nodes
  map negations;
} ltl_pool;

ltl_pool *ltl_pool_new (void);
void ltl_pool_free (ltl_pool *);
static inline const ltl_node *ltl_at (const ltl_pool *p, ltl f) { return &p->nodes.data[f.i]; }
static inline bool ltl_same (ltl a, ltl b) { return a.i == b.i; }

// Returns the number of the atom; LIMIT_FORMULA_ATOMS: too many
uint32_t ltl_add_atom (ltl_pool *, ltl_atom_kind, const char *argument, uint32_t column);
ltl ltl_constant (bool);
ltl ltl_literal (ltl_pool *, uint32_t atom, bool negated);
ltl ltl_not (ltl_pool *, ltl);
ltl ltl_and (ltl_pool *, ltl, ltl);
ltl ltl_or (ltl_pool *, ltl, ltl);
ltl ltl_next (ltl_pool *, ltl);                                 // on infinite words only
ltl ltl_until (ltl_pool *, ltl, ltl);
ltl ltl_release (ltl_pool *, ltl, ltl);

// ---- text --------------------------------------------------------------------------------------------
typedef struct ltl_property {
  const char *text;            // as given; the caller's
  const char *thread;          // thread(NAME): of these threads only; NULL: of all
  bool for_all;                // A: every run; else E: some run
  ltl body;
} ltl_property;
typedef struct ltl_error {
  uint32_t column;             // from 1
  const char *message;         // in the pool's arena
} ltl_error;

bool ltl_parse (ltl_pool *, const char *text, ltl_property *, ltl_error *);     // a property of single threads
bool ltl_is_of_threads (const char *text);   // the text begins with A, E or thread(
bool ltl_parse_program (ltl_pool *, const char *text, ltl *, ltl_error *);      // a formula about the whole program
void ltl_error_show (const char *text, const ltl_error *, strbuf *out);  // message, the text, and a caret below it

// ---- meaning ------------------------------------------------------------------------------------------
bool ltl_has_next (const ltl_pool *, ltl);
// Whether f holds on the infinite word that repeats letters [back..length[ after letters [0..length[; back < length.
// Evaluated by the definition, without automata.
bool ltl_holds_on (const ltl_pool *, ltl, const uint64_t *letters, uint32_t length, uint32_t back);

// ---- automata ----------------------------------------------------------------------------------------
// A run reads one letter per edge: the set of atoms that hold.  An edge can be taken if all of `positive` and none of
// `negative` hold. An infinite word is accepted if some run takes accepting edges infinitely often; a finite word (not
// empty) if some run ends in a `final` state.
typedef struct buchi_edge {
  uint64_t positive, negative; // sets of atoms
  uint32_t target;
  bool accepting;
} buchi_edge;
typedef struct buchi_state {
  uint32_t first_edge, num_edges;
  bool final;                  // accepts if the word ends here
  bool settled;                // accepts every continuation
} buchi_state;
typedef struct buchi {
  VEC (buchi_state) states;    // [0] is the initial one
  VEC (buchi_edge) edges;      // in order of their states
} buchi;

bool buchi_build (buchi *, ltl_pool *, ltl, uint32_t most_states);  // false: too large
void buchi_release (buchi *);
static inline bool buchi_enabled (const buchi_edge *e, uint64_t letter) {
  return !(e->positive & ~letter) && !(e->negative & letter);
}

#endif
