// Possible violations as goals: message, sides, and a number that says how doubtful the finding is.
#include "base/limits.h"
#include "engine/locks/show/show_impl.h"

#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"

#define LIBRARY_PREFIX "__lockstep_"  // of functions in models/ that the modelled library does not have

void reporting_init (reporting *r, engine_run *run, lock_analysis *a) {
  *r = (reporting){.run = run};
  variable_names_init (&r->names, a);
  witnesses_init (&r->witnesses, a, run->verdict);
}

void reporting_release (reporting *r) {
  strmap_release (&r->places);
  map_release (&r->numbers);
  map_release (&r->pairs);
  witnesses_release (&r->witnesses);
  variable_names_release (&r->names);
}

static const char *copy_and_release (reporting *r, strbuf *text) {
  const char *copy = arena_strdup (r->run->verdict->arena, strbuf_text (text));
  strbuf_release (text);
  return copy;
}

// "a.c:10 (worker, holds a, b, perhaps others)"
static void add_side_position (strbuf *text, const goal_side *s) {
  const char *separator = "holds ";
  bool others = false;
  strbuf_printf (text, "%s:%u (%s, ", s->pos.file ? s->pos.file : "?", s->pos.line, s->entry);
  for (uint32_t k = 0; k < s->held.count; k++) {
    others |= s->held.data[k].perhaps;
    if (s->held.data[k].perhaps) continue;
    strbuf_printf (text, "%s%s", separator, s->held.data[k].name);
    separator = ", ";
  }
  bool none = *separator == 'h';
  strbuf_add (text, !others ? (none ? "no locks)" : ")") : none ? "perhaps holds locks)" : ", perhaps others)");
}

// ---- races --------------------------------------------------------------------------------------------------------
static const char *word_for_access (const shared_access *x) { return x->write ? "write" : "read"; }

static uint32_t doublings (uint32_t n) {
  uint32_t count = 0;
  for (; n > 1; n = (n + 1) / 2) count++;
  return count;
}

// A pointer that may point to many objects hardly ever points to all of them.
static uint32_t pointer_doubt (const lock_analysis *a, const shared_access *x) {
  return 300 * doublings (pointsto_arg (a->targets, x->edge, x->arg).count);
}

// A call through a pointer hardly ever calls all functions that it may call.
static uint32_t stack_doubt (const lock_analysis *a, uint32_t context) {
  uint32_t doubt = 0;
  for (const context_data *c = &a->contexts.data[context]; c->from != IR_NONE; c = &a->contexts.data[c->from])
    doubt += 300 * doublings (calls_of (a->calls, (ir_edge){c->call}).count);
  return doubt;
}

// Both sides hold a common lock, so only a release of an unresolved lock can make them happen in parallel.
static bool hold_the_same (const goal_side *x, const goal_side *y) {
  for (uint32_t i = 0; i < x->held.count; i++)
    for (uint32_t k = 0; k < y->held.count; k++) {
      const goal_lock *a = &x->held.data[i], *b = &y->held.data[k];
      if (!a->perhaps && !b->perhaps && !strcmp (a->name, b->name)) return true;
    }
  return false;
}

// Both accesses are in library models and not in the program, as when a thread ends: they concern objects of the
// models.
static bool are_in_models (const goal *g) {
  for (uint32_t k = 0; k < 2; k++) {
    const char *function = g->sides.data[k].function;
    if (!function || strncmp (function, LIBRARY_PREFIX, strlen (LIBRARY_PREFIX))) return false;
  }
  return true;
}

// A finding is likely if both sides write, the variable has a name, the sides hold no locks, an interleaving was found,
// and there are few states.  It is doubtful if a pointer may point to many objects or if both sides hold a common
// lock.  Accesses in library models come last.
static uint32_t race_doubt (access_table *t, const goal *g, const possible_race *race) {
  const lock_analysis *a = t->analysis;
  uint32_t ways = 0, doubt = race->object < a->program->objects.count ? 0 : 300;
  bool all_write = true;
  for (uint32_t k = 0; k < 2; k++) {
    const shared_access *x = &t->accesses.data[race->access[k]];
    ways += x->num_locksets;
    all_write &= x->write;
    doubt += g->sides.data[k].held.count ? 100 : 0;
    doubt += pointer_doubt (a, x) + stack_doubt (a, t->access_locksets.data[race->lockset[k]].context);
    if (x->anything) doubt += 20000;
  }
  if (hold_the_same (&g->sides.data[0], &g->sides.data[1])) doubt += 10000;
  if (are_in_models (g)) doubt += 50000;
  return doubt + (ways < 100 ? ways : 99) + (all_write ? 0 : 300) + (g->no_steps ? 2000 : 0);
}

static witness_side race_side (reporting *r, access_table *t, const possible_race *race, uint32_t k) {
  const lock_analysis *a = t->analysis;
  arena *arena = r->run->verdict->arena;
  const shared_access *x = &t->accesses.data[race->access[k]];
  const access_lockset *g = &t->access_locksets.data[race->lockset[k]];
  const char *written = variable_as_written (a, x->edge, arena),
             *name = written ? written : variable_name (&r->names, race->object, race->offset, arena);
  return (witness_side){.place = {x->kind, g->context, g->node, ir_edge_at (a->program, x->edge)->from},
                        .edge = x->edge,
                        .op = x->write ? IR_STEP_STORE : IR_STEP_LOAD,
                        .object = name,
                        .what = arena_printf (arena, "%s of `%s`", word_for_access (x), name),
                        .role = {.kind = x->write ? ROLE_WRITES : ROLE_READS, .object = name}};
}

// The variable as the program writes it; for memory without a name also the place of its allocation.
static const char *race_subject (reporting *r, const possible_race *race, const char *written) {
  arena *arena = r->run->verdict->arena;
  const char *name = variable_name (&r->names, race->object, race->offset, arena);
  if (variable_is_static (&r->names, race->object) || !strcmp (written, name))
    return arena_printf (arena, "`%s`", name);
  return arena_printf (arena, "`%s`, %s", written, name);
}

static void report_race (reporting *r, access_table *t, const possible_race *race) {
  verdict *v = r->run->verdict;
  const shared_access *x = &t->accesses.data[race->access[0]], *y = &t->accesses.data[race->access[1]];
  goal g = {.property = IR_P_RACE, .status = GOAL_UNKNOWN, .engine = r->run->engine};
  g.id = arena_printf (v->arena, "possible-race-%u", ++r->num_races);
  g.about = variable_name (&r->names, race->object, race->offset, v->arena);
  witness_side sides[] = {race_side (r, t, race, 0), race_side (r, t, race, 1)};
  witness_add (&r->witnesses, &g, sides, 2);
  g.doubt = race_doubt (t, &g, race);
  strbuf text = {0};
  strbuf_printf (&text, "possible data race on %s: %s at ", race_subject (r, race, sides[0].object),
                 word_for_access (x));
  add_side_position (&text, &g.sides.data[0]);
  strbuf_printf (&text, ", %s at ", word_for_access (y));
  add_side_position (&text, &g.sides.data[1]);
  g.message = copy_and_release (r, &text);
  vec_push (&v->goals, g);
}

// A number for the position in user code together with read, write or free.
static uint64_t place_number (reporting *r, access_table *t, uint32_t access, uint32_t lockset) {
  const lock_analysis *a = t->analysis;
  const shared_access *x = &t->accesses.data[access];
  uint32_t context = t->access_locksets.data[lockset].context;
  bool is_new;
  uint64_t *number = map_insert (&r->numbers, (uint64_t) x->edge.i << 32 | context, 0, &is_new);
  if (is_new) {
    ir_position pos = ir_edge_at (a->program, path_user_edge (a, context, x->edge))->pos;
    strbuf text = {0};
    strbuf_printf (&text, "%s %s:%u:%u", word_for_access (x), pos.file ? pos.file : "?", pos.line, pos.column);
    *number = *strmap_insert (&r->places, strbuf_text (&text), r->places.entries.count, NULL);
    strbuf_release (&text);
  }
  return *number;
}

// Pairs with equal positions count once: a library function may access memory in several ways.
static bool is_new_pair (reporting *r, access_table *t, const possible_race *race) {
  uint64_t x = place_number (r, t, race->access[0], race->lockset[0]),
           y = place_number (r, t, race->access[1], race->lockset[1]);
  uint64_t key = hash_pair ((uint64_t) race->object << 32 | race->offset, x < y ? x << 32 | y : y << 32 | x);
  bool is_new;
  map_insert (&r->pairs, key, 1, &is_new);
  return is_new;
}

// One variable may have a million pairs.
bool report_races (reporting *r, access_table *t, const possible_races *found) {
  map pairs = {0};  // of each place
  uint32_t left_out = 0;
  for (int both_write = 1; both_write >= 0; both_write--)
    for (uint32_t k = 0; k < found->count; k++) {
      const possible_race *race = &found->data[k];
      if ((t->accesses.data[race->access[0]].write && t->accesses.data[race->access[1]].write) != both_write) continue;
      uint64_t *count = map_insert (&pairs, (uint64_t) race->object << 32 | race->offset, 0, NULL);
      if (at_limit (RACE_PAIRS, r->num_races) || at_limit (RACE_PAIRS_OF_PLACE, *count)) left_out++;
      else if (is_new_pair (r, t, race)) {
        report_race (r, t, race);
        ++*count;
      }
    }
  if (left_out)
    verdict_add_note (r->run->verdict, "%u of %u pairs of accesses are listed, at most %u at one place", r->num_races,
                      found->count, LIMIT_RACE_PAIRS_OF_PLACE);
  map_release (&pairs);
  return !left_out;
}

// ---- deadlocks ----------------------------------------------------------------------------------------------------
static witness_side deadlock_side (reporting *r, deadlocks *d, const waiting_state *s) {
  const lock_analysis *a = d->analysis;
  arena *arena = r->run->verdict->arena;
  witness_side side = {.place = {s->kind, s->context, s->node, ir_edge_at (a->program, s->edge)->from},
                       .edge = s->edge};
  if (s->ended) {
    side.op = IR_STEP_END;
    side.what = "ends with locks held";
  } else if (s->wants == IR_NONE) {
    side.op = IR_STEP_JOIN;
    side.what = "waits for the end of a thread";
    side.role.kind = ROLE_WAITS_THREAD;
  } else {
    side.op = IR_STEP_LOCK;
    side.object = name_of_lock (&a->locks, use_lock ((lock_use){s->wants}), arena);
    side.what = arena_printf (arena, "waits for `%s`", side.object);
    side.role = (goal_role){.kind = ROLE_WAITS_LOCK, .object = side.object};
  }
  return side;
}

// The locks of the cycle, beginning with the first by name, so that all places of one cycle have one text.
static const char *cycle_name (reporting *r, const witness_side *sides, uint32_t count) {
  uint32_t first = 0;
  for (uint32_t k = 1; k < count; k++)
    if (sides[k].object && (!sides[first].object || strcmp (sides[k].object, sides[first].object) < 0)) first = k;
  strbuf text = {0};
  for (uint32_t k = 0; k < count; k++) {
    const witness_side *s = &sides[(first + k) % count];
    strbuf_printf (&text, "%s%s", k ? ", " : "",
                   s->object               ? s->object
                   : s->op == IR_STEP_JOIN ? "the end of a thread"
                                           : "a thread that has ended");
  }
  return copy_and_release (r, &text);
}

// Long cycles, may-held locks and unresolved locks make a deadlock doubtful.
static uint32_t deadlock_doubt (const goal *g, deadlocks *d, const possible_deadlock *cycle) {
  uint32_t doubt = cycle->length;
  for (uint32_t k = 0; k < cycle->length; k++) {
    const waiting_state *s = &d->states.data[cycle->at[k]];
    if (s->wants != IR_NONE && !lock_is_fixed (&d->analysis->locks, use_lock ((lock_use){s->wants}))) doubt += 1000;
    for (uint32_t i = 0; i < g->sides.data[k].held.count; i++) doubt += g->sides.data[k].held.data[i].perhaps ? 100 : 0;
    if (s->wants == IR_NONE) doubt += 20;
  }
  return doubt;
}

void report_deadlock (reporting *r, deadlocks *d, const possible_deadlock *cycle) {
  verdict *v = r->run->verdict;
  goal g = {.property = IR_P_DEADLOCK, .status = GOAL_UNKNOWN, .engine = r->run->engine};
  g.id = arena_printf (v->arena, "possible-deadlock-%u", ++r->num_deadlocks);
  witness_side sides[LIMIT_LOCK_CYCLE_LENGTH];
  for (uint32_t k = 0; k < cycle->length; k++) sides[k] = deadlock_side (r, d, &d->states.data[cycle->at[k]]);
  witness_add (&r->witnesses, &g, sides, cycle->length);
  g.about = cycle_name (r, sides, cycle->length);
  g.doubt = deadlock_doubt (&g, d, cycle);
  strbuf text = {0};
  strbuf_add (&text, "possible deadlock: ");
  for (uint32_t k = 0; k < cycle->length; k++) {
    strbuf_printf (&text, "%s%s at ", k ? ", " : "", sides[k].what);
    add_side_position (&text, &g.sides.data[k]);
  }
  g.message = copy_and_release (r, &text);
  vec_push (&v->goals, g);
}

// ---- misuse -------------------------------------------------------------------------------------------------------
// The texts say "may", because the lock set of the thread is not known exactly.
static const char *possible_text (ir_fault fault, const char *lock, arena *arena) {
  switch (fault) {
  case IR_FAULT_RELOCK: return arena_printf (arena, "relock of `%s`, which this thread may hold already", lock);
  case IR_FAULT_WAIT_UNLOCKED: return arena_printf (arena, "wait without holding the mutex `%s`, perhaps", lock);
  case IR_FAULT_UNLOCK_FREE: return arena_printf (arena, "unlock of `%s`, which may not be held", lock);
  case IR_FAULT_END_HOLDING: return arena_printf (arena, "thread may end holding `%s`", lock);
  default: return arena_printf (arena, "initialisation or destruction of `%s`, which may be in use", lock);
  }
}

void report_misuse (reporting *r, lock_analysis *a, const possible_misuse *m) {
  verdict *v = r->run->verdict;
  goal g = {.property = IR_P_LOCKS, .status = GOAL_UNKNOWN, .engine = r->run->engine, .fault = m->fault};
  g.id = arena_printf (v->arena, "possible-locks-%u", ++r->num_misuses);
  const char *lock = name_of_lock (&a->locks, use_lock ((lock_use){m->use}), v->arena);
  witness_side side = {.place = {m->kind, m->context, m->node, ir_edge_at (a->program, m->edge)->from},
                       .edge = m->edge,
                       .op = IR_STEP_LOCK,
                       .object = lock,
                       .what = possible_text (m->fault, lock, v->arena)};
  witness_add (&r->witnesses, &g, &side, 1);
  g.about = lock;
  g.doubt = lock_is_fixed (&a->locks, use_lock ((lock_use){m->use})) ? 0 : 1000;
  strbuf text = {0};
  strbuf_printf (&text, "%s: ", side.what);
  add_side_position (&text, &g.sides.data[0]);
  g.message = copy_and_release (r, &text);
  vec_push (&v->goals, g);
}
