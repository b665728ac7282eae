// The schedule of the team: which engine works when, as a table of slices of the time.  The table is worked off from
// top to bottom.
//
// A slice starts when one of the places is free.  With one place the engines work one after the other: most questions
// are easy for one of them, so each has a short slice before there are long ones.  With several places the engines work
// in parallel, each for all the remaining time; `explicit` works alone for a moment at first, because it decides small
// programs at once.
//
// What each engine is for: `explicit` finds bugs of short executions and of small programs; `order` finds bugs that
// depend on data, and proves within bounds; `circuit` needs no bounds.  For Boolean programs the engine `boolean` comes
// before `order`: it treats their choices symbolically, and needs no bounds either.  For C programs it has a short
// slice, since if predicates are found late there are mostly too many of them.
#include "engine/auto/team_impl.h"

enum { FIRST_SECONDS = 2, SHORT_SECONDS = 5, LONG_SECONDS = 60 };
#define ALL_SECONDS 1e9
static const double HEAD_START = 0.1;

// The numbers of places with which a slice is used.
enum {
  ONE_PLACE = 1,
  TWO_PLACES = 2,
  MORE_PLACES = 4,
  SEVERAL_PLACES = TWO_PLACES | MORE_PLACES,
  ANY_PLACES = 7,
  NUM_PLACES = 3
};

// When a slice is used.  Without any condition: for properties, of programs in C and Boolean programs, and only while
// no violation is known.
typedef enum slice_condition {
  FOR_C = 1,
  FOR_BOOLEAN = 2,  // for Boolean programs
  FOR_FORMULA = 4,
  IF_ORDER_HELPS = 8,
  IF_CIRCUIT_HELPS = 16,
  UNLESS_CIRCUIT_HELPS = 32,
  AFTER_VIOLATIONS = 64,  // also when a violation is known: the engine may find more of them
  SHORT = 128,            // never takes more than its seconds, even if it is the last one and there is time
  BEGINS_ALONE = 256      // the next slice starts HEAD_START later
} slice_condition;

typedef struct engine_slice {
  const engine *engine;
  uint32_t places, conditions;
  double share;    // of the remaining time, if there is a limit
  double seconds;  // length if there is no limit; 0: the slice is not used
} engine_slice;

static const engine_slice slices[] = {
    {&engine_explicit, ONE_PLACE, SHORT | IF_ORDER_HELPS | AFTER_VIOLATIONS, 1, FIRST_SECONDS},
    {&engine_explicit, SEVERAL_PLACES, BEGINS_ALONE | AFTER_VIOLATIONS, 1, ALL_SECONDS},
    {&engine_boolean, ONE_PLACE, FOR_BOOLEAN, 0.5, LONG_SECONDS},
    {&engine_boolean, SEVERAL_PLACES, FOR_BOOLEAN, 1, ALL_SECONDS},
    {&engine_boolean, SEVERAL_PLACES, FOR_C | SHORT, 0.2, SHORT_SECONDS},
    {&engine_order, ONE_PLACE, SHORT, 0.1, SHORT_SECONDS},
    {&engine_circuit, ONE_PLACE, SHORT, 0.1, SHORT_SECONDS},
    {&engine_boolean, ONE_PLACE, FOR_C | SHORT, 0.2, SHORT_SECONDS},
    {&engine_order, ONE_PLACE, 0, 0.33, LONG_SECONDS},
    {&engine_order, TWO_PLACES, IF_CIRCUIT_HELPS | AFTER_VIOLATIONS, 0.33, LONG_SECONDS},
    {&engine_order, TWO_PLACES, UNLESS_CIRCUIT_HELPS | AFTER_VIOLATIONS, 1, ALL_SECONDS},
    {&engine_order, MORE_PLACES, AFTER_VIOLATIONS, 1, ALL_SECONDS},
    {&engine_circuit, ONE_PLACE, 0, 0.5, LONG_SECONDS},
    {&engine_explicit, ONE_PLACE, AFTER_VIOLATIONS, 1, ALL_SECONDS},
    {&engine_circuit, ONE_PLACE, 0, 1, 0},
    {&engine_circuit, SEVERAL_PLACES, 0, 1, ALL_SECONDS},
    {&engine_explicit, ONE_PLACE, FOR_FORMULA | IF_CIRCUIT_HELPS | AFTER_VIOLATIONS, 0.5, LONG_SECONDS},
    {&engine_explicit, ONE_PLACE, FOR_FORMULA | UNLESS_CIRCUIT_HELPS | AFTER_VIOLATIONS, 1, ALL_SECONDS},
    {&engine_explicit, SEVERAL_PLACES, FOR_FORMULA | BEGINS_ALONE | AFTER_VIOLATIONS, 1, ALL_SECONDS},
    {&engine_circuit, ANY_PLACES, FOR_FORMULA, 1, ALL_SECONDS},
};
enum { NUM_SLICES = sizeof slices / sizeof *slices };

// ---- which slices are used ----------------------------------------------------------------------------
// Whether the engine may be started: one that would ignore a bound that the user gave may not.
static bool may_start (const team *t, const engine *e) {
  const task *k = t->run->task;
  for (uint32_t i = 0; i < k->num_not_started; i++)
    if (k->not_started[i] == e) return false;
  return true;
}

// `auto` applies where `explicit` does.
static bool can_help (const team *t, const engine *e) {
  const engine_run *r = t->run;
  const char *why_not = NULL;
  task open = *r->task;
  open.semantics.properties = team_asks (t);
  if (!may_start (t, e)) return false;
  return e == &engine_explicit || (!r->program->place.i && engine_applies (e, r->program, &open, &why_not));
}

// An engine that stops before half of its slice has nothing more to try: do not schedule it again.
static bool is_exhausted (const team *t, const engine *e) {
  for (uint32_t k = 0; k < t->list.count; k++)
    if (t->slices.data[k].is_exhausted && worker_engine (t->list.data[k]) == e) return true;
  return false;
}

static bool fits_question (const team *t, const engine_slice *u) {
  const task *k = t->run->task;
  if ((u->conditions & FOR_C && k->boolean) || (u->conditions & FOR_BOOLEAN && !k->boolean)) return false;
  return !(u->conditions & FOR_FORMULA) == !k->ltl;
}

static bool fits_other_engines (const team *t, const engine_slice *u) {
  if (u->conditions & IF_ORDER_HELPS && !can_help (t, &engine_order)) return false;
  if (u->conditions & IF_CIRCUIT_HELPS && !can_help (t, &engine_circuit)) return false;
  return !(u->conditions & UNLESS_CIRCUIT_HELPS) || !can_help (t, &engine_circuit);
}

static uint32_t kind_of_places (uint32_t places) {
  return places == 1 ? ONE_PLACE : places == 2 ? TWO_PLACES : MORE_PLACES;
}

static bool is_wanted_now (const team *t, const engine_slice *u, uint32_t places) {
  if (!(u->places & kind_of_places (places)) || !fits_question (t, u)) return false;
  if (!u->seconds && !t->run->budget->seconds) return false;
  if (!(u->conditions & AFTER_VIOLATIONS) && team_has_violation (t)) return false;
  return !is_exhausted (t, u->engine) && can_help (t, u->engine) && fits_other_engines (t, u);
}

// ---- how long they last -------------------------------------------------------------------------------
// Never 0, which would mean that there is no limit.
static double time_left (const team *t) {
  double left = budget_left (t->run->budget);
  return left > 0.001 ? left : 0.001;
}

static bool is_followed_by_another (const team *t, const engine_slice *u, uint32_t places) {
  for (const engine_slice *next = u + 1; next < slices + NUM_SLICES; next++)
    if (next->engine != u->engine && is_wanted_now (t, next, places)) return true;
  return false;
}

// Returns the length of a slice.  An engine that no other engine follows has all the remaining time.
static double time_of (const team *t, const engine_slice *u, uint32_t places) {
  if (!t->run->budget->seconds) return u->seconds;
  double part = time_left (t) * u->share;
  if (u->conditions & SHORT) return part < u->seconds ? part : u->seconds;
  return is_followed_by_another (t, u, places) ? part : time_left (t);
}

// ---- working them off ---------------------------------------------------------------------------------
// The engines share the memory equally.  Processors beyond one for each place are for `explicit`, or for the only
// engine that is working.
static void start_slice (team *t, const engine_slice *u, uint32_t places, uint64_t jobs) {
  bool has_spare = places == 1 || u->engine == &engine_explicit;
  team_start (t, u->engine,
              (worker_share){.properties = team_asks (t),
                             .seconds = time_of (t, u, places),
                             .bytes = t->run->budget->bytes / places,
                             .jobs = has_spare ? jobs - places + 1 : 1});
}

static uint32_t places_for (const team *t, uint64_t jobs) {
  if (!can_help (t, &engine_order) && !can_help (t, &engine_circuit)) return 1;
  return jobs < NUM_PLACES ? (uint32_t) jobs : NUM_PLACES;
}

void team_work_off (team *t, uint64_t jobs) {
  if (!jobs) jobs = 1;
  uint32_t places = places_for (t, jobs);
  for (const engine_slice *u = slices; u < slices + NUM_SLICES; u++) {
    if (team_wait (t, places - 1, ALL_SECONDS)) return;
    if (t->list.count && budget_spent (t->run->budget)) break;  // one engine always gives a reason
    if (!is_wanted_now (t, u, places)) continue;
    start_slice (t, u, places, jobs);
    if (u->conditions & BEGINS_ALONE && team_wait (t, 0, HEAD_START)) return;
  }
  team_wait (t, 0, ALL_SECONDS);
}
