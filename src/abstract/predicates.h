// The predicates of an abstraction: conditions over the variables of a machine, each of which becomes a variable of a Boolean program (paper BOOL, section 2, and what it takes its programs
// from: Ball, Majumdar, Millstein, Rajamani 2001, "Automatic predicate abstraction of C programs").  In reading order: atoms.c, predicates.c, name.c.
#ifndef LOCKSTEP_ABSTRACT_PREDICATES_H
#define LOCKSTEP_ABSTRACT_PREDICATES_H

#include "base/strbuf.h"
#include "efsm/efsm.h"

typedef VEC (term) term_list;
typedef VEC (uint32_t) number_list;

// ---- atoms.c ----
// The conditions of which a condition is made by and, or, not and choice, also those hidden in values that are chosen.  Each once, none constant.  As many as there is room for: atoms_limit.
enum { ATOMS_LIMIT = 200 };
void atoms_of (term_pool *, term condition, term_list *out);
// The variables of the machine in a term, ascending.  False: it has inputs as well.
bool variables_of (const efsm *, term, number_list *out);

// ---- predicates.c ----
typedef struct predicate {
  term holds;
  number_list variables;       // that it speaks of, ascending
  const char *name;            // as people would write it, each another
} predicate;

typedef struct predicates {
  efsm *m;
  arena *arena;                // names
  VEC (predicate) all;
  map number_of;               // by term
  VEC (number_list) about;     // by variable of the machine: those that speak of it
  strmap names;
} predicates;

void predicates_init (predicates *, efsm *);
void predicates_release (predicates *);
// The atoms of a condition, as far as they speak of variables only.  Instead of those that speak of narrow variables only, the bits of these.  How many were new.
uint32_t predicates_add (predicates *, term condition);
bool predicates_share (const number_list *, const number_list *);  // have they a variable in common?

// ---- name.c ----
void term_print (const efsm *, term, strbuf *out);   // as people would write it

#endif
