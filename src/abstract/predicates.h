// The predicates of an abstraction: conditions over the variables of a machine, each of which becomes a variable of a
// Boolean program (paper BOOL, section 2, and the paper's source for its programs: Ball, Majumdar, Millstein, Rajamani
// 2001, "Automatic predicate abstraction of C programs"). In reading order: atoms.c, predicates.c, name.c.
#ifndef LOCKSTEP_ABSTRACT_PREDICATES_H
#define LOCKSTEP_ABSTRACT_PREDICATES_H

#include "base/strbuf.h"
#include "efsm/efsm.h"

typedef VEC (term) term_list;
typedef VEC (uint32_t) number_list;

// ---- atoms.c ----
// Computes the conditions from which a condition is built by and, or, not and choice, including those inside of chosen
// values. Each occurs once, none is constant. At most ATOMS_LIMIT.
enum { ATOMS_LIMIT = 200 };
void atoms_of (term_pool *, term condition, term_list *out);
// Computes the variables of the machine in a term, ascending. False: the term has inputs as well.
bool variables_of (const efsm *, term, number_list *out);

// ---- predicates.c ----
typedef struct predicate {
  term holds;
  number_list variables;       // the variables that it contains, ascending
  const char *name;            // as a person would write it; all names differ
} predicate;

typedef struct predicates {
  efsm *m;
  arena *arena;                // names
  VEC (predicate) all;
  map number_of;               // term -> its number
  VEC (number_list) about;     // by variable of the machine: the predicates that contain it
  strmap names;
} predicates;

void predicates_init (predicates *, efsm *);
void predicates_release (predicates *);
// Adds the atoms of a condition that contain variables only. Instead of atoms over narrow variables only, it adds the
// bits of these variables. Returns the number of new predicates.
uint32_t predicates_add (predicates *, term condition);
bool predicates_share (const number_list *, const number_list *);  // Do both have a variable in common?

// ---- name.c ----
void term_print (const efsm *, term, strbuf *out);   // as a person would write it

#endif
