// The interface of cdcl.h: creation, clauses, answers. Between calls the search is at level 0.
#include "solver/cdcl/cdcl_impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { REDUCE_UNIT = 1000, FIRST_MODE_CONFLICTS = 1000, ASSUMED = 1, IN_CORE = 2 };

// ---- life ------------------------------------------------------------------------------------------------------

cdcl *cdcl_new (const budget *b) {
  cdcl *s = mem_zalloc (sizeof *s);
  s->budget = b;
  s->bump = 1;
  s->reluctant_u = s->reluctant_v = 1;
  s->mode_ends = FIRST_MODE_CONFLICTS;
  s->reduce_at = s->reduce_unit = REDUCE_UNIT;
  return s;
}

// Each array has its own capacity field: if memory is exhausted between two of them, all can still be freed.
static void *grown (void *array, size_t element, uint32_t *room, uint32_t new_room) {
  uint8_t *data = mem_realloc (array, element * *room, element * new_room);
  memset (data + element * *room, 0, element * (new_room - *room));
  *room = new_room;
  return data;
}

#define ARRAYS(ARRAY) \
  ARRAY (watches, 2)  \
  ARRAY (values, 2)   \
  ARRAY (in_core, 2) ARRAY (assigned, 1) ARRAY (position, 1) ARRAY (phases, 1) ARRAY (target_phases, 1) ARRAY (marks, 1)

static void make_room (cdcl *s, uint32_t vars) {
#define ARRAY(NAME, PER_VAR) s->NAME = grown (s->NAME, sizeof *s->NAME, &s->room.NAME, PER_VAR * vars);
  ARRAYS (ARRAY)
#undef ARRAY
  vec_reserve (&s->trail, vars);
}

void cdcl_free (cdcl *s) {
  if (!s) return;
  for (uint32_t l = 0; l < s->room.watches; l++) vec_release (&s->watches[l]);
#define ARRAY(NAME, PER_VAR) mem_free (s->NAME, sizeof *s->NAME * s->room.NAME);
  ARRAYS (ARRAY)
#undef ARRAY
  heap_release (&s->order);
  vec_release (&s->words);
  vec_release (&s->moved_words);
  vec_release (&s->given);
  vec_release (&s->learnt);
  vec_release (&s->trail);
  vec_release (&s->levels);
  vec_release (&s->learning);
  vec_release (&s->taken);
  vec_release (&s->marked);
  vec_release (&s->bumped);
  vec_release (&s->stamps);
  vec_release (&s->candidates);
  vec_release (&s->assumptions);
  vec_release (&s->core);
  vec_release (&s->pending);
  mem_free (s, sizeof *s);
}

int cdcl_new_var (cdcl *s) {
  CHECK (s->num_vars < INT_MAX / 2, "a SAT solver should get less than %d variables", INT_MAX / 2);
  s->state = CDCL_CHANGED;
  uint32_t var = s->num_vars;
  if (var == s->room.marks) make_room (s, var ? 2 * var : 16);
  s->phases[var] = -1;
  heap_grow (&s->order, var + 1);
  heap_insert (&s->order, var);
  return (int) ++s->num_vars;
}

// ---- clauses ---------------------------------------------------------------------------------------------------

void cdcl_check_literal (const cdcl *s, int literal) {
  CHECK (literal && literal != INT_MIN && (uint32_t) abs (literal) <= s->num_vars,
         "literal %d should be of a variable in 1..%u", literal, s->num_vars);
}

static bool marked_take (cdcl *s, lit l) {
  uint8_t *mark = &s->marks[lit_var (l)], own = l & 1 ? 2 : 1;
  if (*mark & (3 - own)) return false;
  if (!*mark) vec_push (&s->taken, l);
  *mark |= own;
  return true;
}

bool cdcl_take_clause (cdcl *s, const int *literals, uint32_t count) {
  bool is_open = true;
  vec_clear (&s->taken);
  for (uint32_t i = 0; i < count && is_open; i++) {
    lit l = lit_of (literals[i]);
    if (has_value_for_ever (s, l)) is_open = s->values[l] < 0;
    else is_open = marked_take (s, l);
  }
  for (uint32_t i = 0; i < s->taken.count; i++) s->marks[lit_var (s->taken.data[i])] = 0;
  if (is_open && s->taken.count && s->taken.count < count) proof_add (s, s->taken.data, s->taken.count);
  return is_open;
}

static void defer_clause (cdcl *s, const int *literals, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) vec_push (&s->pending, literals[i]);
  vec_push (&s->pending, 0);
}

void cdcl_add_clause (cdcl *s, const int *literals, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) cdcl_check_literal (s, literals[i]);
  s->state = CDCL_CHANGED;
  if (s->in_hook) defer_clause (s, literals, count);
  else if (s->has_contradiction || !cdcl_take_clause (s, literals, count)) return;
  else if (!s->taken.count) cdcl_contradiction (s);
  else if (s->taken.count == 1) cdcl_assign (s, s->taken.data[0], NO_CLAUSE);
  else clause_attach (s, s->taken.data, s->taken.count, false, 0);
}

void cdcl_write_proof (cdcl *s, FILE *f) {
  CHECK (!s->words.count && !s->trail.count && !s->has_contradiction, "a proof should start before the first clause");
  s->proof = f;
}

void cdcl_set_hooks (cdcl *s, const cdcl_hooks *hooks) {
  CHECK (!s->in_hook, "a hook should not change the hooks");
  s->has_hooks = hooks != NULL;
  s->hooks = hooks ? *hooks : (cdcl_hooks){0};
  s->told = 0;
}

// ---- answers ---------------------------------------------------------------------------------------------------

static void set_cdcl_assumptions (cdcl *s, const int *assumptions, uint32_t count) {
  for (uint32_t i = 0; i < s->assumptions.count; i++) s->in_core[s->assumptions.data[i]] = 0;
  vec_clear (&s->assumptions);
  vec_clear (&s->core);
  for (uint32_t i = 0; i < count; i++) {
    cdcl_check_literal (s, assumptions[i]);
    vec_push (&s->assumptions, lit_of (assumptions[i]));
    s->in_core[lit_of (assumptions[i])] = ASSUMED;
  }
}

static void note_core (cdcl *s) {
  for (uint32_t i = 0; i < s->core.count; i++) s->in_core[lit_not (s->core.data[i])] |= IN_CORE;
  if (!s->has_contradiction) proof_add (s, s->core.data, s->core.count);
}

void cdcl_limit_conflicts (cdcl *s, uint64_t conflicts) { s->conflict_limit = conflicts; }

sat_answer cdcl_solve (cdcl *s, const int *assumptions, uint32_t count) {
  CHECK (!s->in_hook, "a hook should not start another search");
  uint64_t last_conflict = s->conflict_limit ? s->counters.conflicts + s->conflict_limit : UINT64_MAX;
  s->conflict_limit = 0;
  s->counters.calls++;
  s->patience = 0;  // the budget is asked at once
  s->target_size = 0;
  set_cdcl_assumptions (s, assumptions, count);
  sat_answer answer = s->has_contradiction ? SAT_NO : cdcl_search (s, last_conflict);
  s->state = answer == SAT_YES ? CDCL_SATISFIED : answer == SAT_NO ? CDCL_UNSATISFIED : CDCL_STOPPED;
  if (answer == SAT_NO) note_core (s);
  cdcl_backtrack (s, 0);
  cdcl_add_all_pending (s);
  return answer;
}

// The search has gone back to level 0; the phases hold the values of the model.
bool cdcl_value (const cdcl *s, int literal) {
  CHECK (s->state == CDCL_SATISFIED, "values should be asked for after a satisfiable answer, before anything is added");
  cdcl_check_literal (s, literal);
  lit l = lit_of (literal);
  if (s->values[l]) return s->values[l] > 0;
  return (s->phases[lit_var (l)] > 0) == (literal > 0);
}

bool cdcl_in_core (const cdcl *s, int assumption) {
  CHECK (s->state == CDCL_UNSATISFIED,
         "a core should be asked for after an unsatisfiable answer, before anything is added");
  cdcl_check_literal (s, assumption);
  CHECK (s->in_core[lit_of (assumption)], "only literals that were assumed can be in the core, %d was not", assumption);
  return s->in_core[lit_of (assumption)] & IN_CORE;
}

int cdcl_assigned (const cdcl *s, int literal) {
  cdcl_check_literal (s, literal);
  return s->values[lit_of (literal)];
}

uint32_t cdcl_level (const cdcl *s) { return cdcl_current_level (s); }
uint32_t cdcl_num_vars (const cdcl *s) { return s->num_vars; }
const cdcl_counters *cdcl_statistics (const cdcl *s) { return &s->counters; }
