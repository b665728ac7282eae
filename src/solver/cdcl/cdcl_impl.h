// Inside the SAT solver. Files in reading order: clause.c (storage of clauses), cdcl_propagate.c (unit propagation),
// analyse.c (conflict analysis), minimise.c (superfluous literals of learnt clauses), cdcl_decide.c (decision and
// phase), restart.c, cdcl_reduce.c (deleting learnt clauses), cdcl_proof.c, hooks.c, cdcl_search.c (the main loop),
// cdcl.c (the interface).
//
// The search is conflict driven clause learning: Marques-Silva and Sakallah 1999 (GRASP), with the data structures of
// Eén and Sörensson 2003 (MiniSat).
//
// Invariants, whenever unit propagation has come to its end without a conflict:
//   watches: a clause of two or more literals is watched by its first two. If one of them is false, some literal of the
//            clause is true and was assigned at no higher level.
//   trail:   literals in the order of assignment; those of level l start at levels[l - 1]; values of all others are 0
//   heap:    has all variables without a value
#ifndef LOCKSTEP_CDCL_IMPL_H
#define LOCKSTEP_CDCL_IMPL_H

#include "base/diag.h"
#include "base/heap.h"
#include "base/vec.h"
#include "solver/cdcl/cdcl.h"

// ---- literals ---------------------------------------------------------------------------------------
typedef uint32_t lit;                            // 2 * variable, + 1 if negated; variables count from 0

static inline lit lit_of (int literal) {
  return literal > 0 ? 2 * (uint32_t) (literal - 1) : 2 * (uint32_t) (-literal - 1) + 1;
}
static inline int lit_outside (lit l) { return l & 1 ? -(int) (l / 2 + 1) : (int) (l / 2 + 1); }
static inline lit lit_not (lit l) { return l ^ 1; }
static inline uint32_t lit_var (lit l) { return l >> 1; }

typedef VEC (lit) lits;

// ---- clauses ----------------------------------------------------------------------------------------
// A clause is named by its place in one large array of words; places move when garbage is collected, never else.
typedef uint32_t cref;
// BY_HOOK: a reason that has not been asked for yet
enum { NO_CLAUSE = 0, BY_HOOK = 1, CLAUSE_FIRST = 2, CLAUSE_WORDS = 2 };
enum { GLUE_KEPT_FOR_EVER = 2 };                 // learnt clauses of at most this glue are never deleted

typedef struct clause {
  uint32_t size;
  uint32_t is_learnt : 1;
  uint32_t is_garbage : 1;     // deleted, no longer watched
  uint32_t has_moved : 1;      // during garbage collection: literal[0] is its new place
  uint32_t used : 2;           // 2: in a conflict since the last reduction, 1: since the one before it
  uint32_t glue : 27;          // number of levels it had when it was learnt or later, whichever was less
  lit literal[];               // [0..size[, size >= 2; the first two are watched
} clause;

typedef struct watch {
  lit blocker;                 // some other literal of the clause: if it is true, the clause need not be looked at
  uint32_t tagged;             // 2 * place of the clause, + 1 if the clause has two literals
} watch;
typedef VEC (watch) watch_list;
typedef VEC (cref) clause_list;

// ---- the solver -------------------------------------------------------------------------------------
typedef struct assignment {
  uint32_t level;
  cref reason;                 // NO_CLAUSE: a decision, an assumption, or of level 0
} assignment;

typedef struct average { double value, weight; } average;  // exponential moving average; weight of the next number

typedef struct deletion_candidate { uint64_t badness; cref at; } deletion_candidate;

typedef enum cdcl_state { CDCL_CHANGED, CDCL_SATISFIED, CDCL_UNSATISFIED, CDCL_STOPPED } cdcl_state;

struct cdcl {
  const budget *budget;
  cdcl_state state;
  bool has_contradiction;      // the clauses alone are unsatisfiable
  uint32_t num_vars;
  // of the arrays below, in elements
  struct { uint32_t watches, values, in_core, assigned, position, phases, target_phases, marks; } room;

  VEC (uint32_t) words;        // the clauses
  VEC (uint32_t) moved_words;  // their new place while garbage is collected
  clause_list given, learnt;   // learnt: also those that were learnt and will never be deleted
  watch_list *watches;         // [0..2 * num_vars[, by literal: the clauses to look at when it becomes false

  int8_t *values;              // [0..2 * num_vars[, by literal: 1, -1, or 0
  assignment *assigned;        // [0..num_vars[
  uint32_t *position;          // [0..num_vars[, on the trail; kept only if there are hooks
  lits trail;
  VEC (uint32_t) levels;       // length of the trail before each decision
  uint32_t propagated;         // length of the propagated part of the trail

  heap order;                  // variables to decide, by score
  double bump;                 // added to the score of each variable in a conflict
  int8_t *phases;              // [0..num_vars[, 1 or -1: the last value, or that of the model
  // [0..num_vars[: phases of the largest assignment without conflict since target_size was last reset
  int8_t *target_phases;
  uint32_t target_size;        // size of that assignment

  // Conflicts.
  uint8_t *marks;              // [0..num_vars[, MARK_...
  lits learning;               // the new clause: first the asserting literal
  lits taken;                  // a clause from the caller, before it is added
  VEC (uint32_t) marked;       // variables with marks
  VEC (uint32_t) bumped;       // variables in the conflict
  VEC (uint64_t) stamps;       // by level
  uint64_t stamp;

  // Restarts and reductions.
  average fast, slow;          // of glue
  bool is_stable;              // few restarts
  uint64_t mode_ends, restart_at, reluctant_u, reluctant_v, reduce_at, reductions, modes;
  uint32_t reduce_unit;        // conflicts before the first reduction; later ones come more slowly
  VEC (deletion_candidate) candidates;
  uint32_t simplified_units;   // literals of level 0 at the last cdcl_simplify
  uint64_t simplify_at;        // number of propagations before the next cdcl_simplify
  uint32_t patience;           // decisions until the budget is asked again
  uint64_t conflict_limit;     // for the next call, 0: none

  lits assumptions;
  lits core;                   // complements of the assumptions that failed, after SAT_NO
  uint8_t *in_core;            // [0..2 * num_vars[, by literal: 1 assumed, 2 also in the core

  cdcl_hooks hooks;
  bool has_hooks, in_hook;
  uint32_t told;               // length of the part of the trail that hooks have been told
  VEC (int) pending;           // clauses that hooks have added, each with 0 behind it
  uint32_t pending_done;
  FILE *proof;
  uint32_t proved_units;       // number of literals of level 0 in the proof
  cdcl_counters counters;
};

static inline clause *clause_at (const cdcl *s, cref at) { return (clause *) (s->words.data + at); }
static inline uint32_t cdcl_current_level (const cdcl *s) { return s->levels.count; }
static inline uint32_t literal_level (const cdcl *s, lit l) { return s->assigned[lit_var (l)].level; }
static inline bool has_value_for_ever (const cdcl *s, lit l) { return s->values[l] && !literal_level (s, l); }

static inline void cdcl_assign (cdcl *s, lit l, cref reason) {
  uint32_t level = s->levels.count;
  s->values[l] = 1;
  s->values[lit_not (l)] = -1;
  s->assigned[lit_var (l)] = (assignment){.level = level, .reason = level ? reason : NO_CLAUSE};
  if (s->has_hooks) s->position[lit_var (l)] = s->trail.count;
  s->trail.data[s->trail.count++] = l;
}

// clause.c
// The new clause is not watched and in no list. `lits` must not point into the solver's clauses.
cref clause_new (cdcl *, const lit *, uint32_t size, bool is_learnt, uint32_t glue);
void clause_watch (cdcl *, cref);
cref clause_attach (cdcl *, const lit *, uint32_t size, bool is_learnt, uint32_t glue);  // watched, and in its list
void clause_discard (cdcl *, clause *);          // it becomes garbage, and the proof notes it
void cdcl_collect_garbage (cdcl *);              // clauses move
// cdcl_propagate.c
cref cdcl_propagate (cdcl *);                    // a clause whose literals are all false, or NO_CLAUSE
void cdcl_backtrack (cdcl *, uint32_t level);
// analyse.c
enum { MARK_SEEN = 1, MARK_POISON = 2, MARK_REMOVABLE = 4 };
// Learns a clause from the conflict, backtracks and assigns. The conflict has two literals or more of the current
// level, which is not 0.
void cdcl_learn (cdcl *, cref conflict);
void cdcl_find_core (cdcl *, lit failed);        // an assumption that is false
void cdcl_mark (cdcl *, uint32_t var, uint8_t mark);
// minimise.c
void cdcl_minimise (cdcl *);
// cdcl_decide.c
bool cdcl_decide (cdcl *);                       // the next variable by score; false if all have values
void cdcl_bump_variable (cdcl *, uint32_t var);
void cdcl_decay_scores (cdcl *);
void cdcl_note_phases (cdcl *);                  // before a conflict is resolved
// restart.c
void cdcl_note_glue (cdcl *, uint32_t glue);
bool cdcl_restarting (const cdcl *);
void cdcl_restart (cdcl *);
// cdcl_reduce.c
bool cdcl_reducing (const cdcl *);
void cdcl_reduce (cdcl *);
bool cdcl_simplifying (const cdcl *);
void cdcl_simplify (cdcl *);                     // removes clauses and literals that level 0 decides
// cdcl_proof.c
void proof_add (cdcl *, const lit *, uint32_t size);
void proof_delete (cdcl *, const lit *, uint32_t size);
void proof_add_units (cdcl *);                   // literals of level 0 that are not in the proof yet
// hooks.c
cref cdcl_propagate_all (cdcl *);                // clauses and hooks; NO_CLAUSE also if a contradiction was found
cref cdcl_reason (cdcl *, uint32_t var);         // asks the hook if need be; clauses may be reallocated
typedef enum hook_decision { HOOK_IS_SILENT, HOOK_HAS_DECIDED, HOOK_HAS_ENOUGH } hook_decision;
hook_decision cdcl_decide_by_hook (cdcl *);
bool cdcl_accepts (cdcl *);                      // the model; false: a hook has added a clause or variable
void cdcl_add_all_pending (cdcl *);              // at level 0: clauses of hooks that still wait
void cdcl_tell_backtracked (cdcl *, uint32_t level);
// cdcl_search.c
void cdcl_contradiction (cdcl *);                // the clauses alone are unsatisfiable
sat_answer cdcl_search (cdcl *, uint64_t last_conflict);
// cdcl.c
void cdcl_check_literal (const cdcl *, int literal);
// Copies the clause to `taken`, without duplicates and literals that are false at level 0. False: it is true at level
// 0.
bool cdcl_take_clause (cdcl *, const int *literals, uint32_t count);

#endif
