// Explains races: which locks the two threads hold, and which lock the other accesses of the variable hold.  The
// accesses come from the lock analysis, which knows all of them.  Without it, they come from the interleavings of the
// report, and the text says so.
#include <string.h>

#include "base/map.h"
#include "ir/sync.h"
#include "report/explain_impl.h"

enum { SHOWN_PLACES = 4 };  // accesses without the lock that are named

// ---- the accesses of the variable -------------------------------------------------------------------
typedef struct variable_accesses {
  arena *arena;
  VEC (access_fact) places;  // accesses, one per place
  strmap known;              // place -> index
  bool complete;             // `places` has all accesses of the program
} variable_accesses;

static bool fact_has_lock (const access_fact *f, const char *lock) {
  for (uint32_t k = 0; k < f->num_locks; k++)
    if (!strcmp (f->locks[k], lock)) return true;
  return false;
}

// Adds an access.  A place that occurs again has only the locks that were held each time.
static void add_fact (variable_accesses *c, access_fact f) {
  const char *key = position_text (c->arena, f.pos);
  bool is_new;
  uint64_t *index = strmap_insert (&c->known, key, c->places.count, &is_new);
  if (is_new) {
    vec_push (&c->places, f);
    return;
  }
  access_fact *old = &c->places.data[*index];
  const char **both = arena_alloc (c->arena, sizeof *both * (old->num_locks + 1));
  uint32_t count = 0;
  for (uint32_t k = 0; k < old->num_locks; k++)
    if (fact_has_lock (&f, old->locks[k])) both[count++] = old->locks[k];
  old->write |= f.write;
  old->locks = both;
  old->num_locks = count;
}

static void add_accesses_of_trace (variable_accesses *c, const goal *g, const char *variable) {
  for (uint32_t k = 0; k < g->steps.count; k++) {
    const trace_step *s = &g->steps.data[k];
    if (!s->object || strcmp (s->object, variable)) continue;
    if (step_reads (s) || step_writes (s))
      add_fact (c, (access_fact){s->object, s->pos, s->function, step_writes (s), s->held.count, s->held.data});
  }
}

static void collect_accesses (variable_accesses *c, const explanation *e) {
  const verdict *v = e->verdict;
  for (uint32_t k = 0; k < v->accesses.count; k++)
    if (!strcmp (v->accesses.data[k].variable, e->goal->about)) add_fact (c, v->accesses.data[k]);
  c->complete = c->places.count;
  if (c->complete) return;
  const party *p;
  uint32_t count = explain_parties (e, &p);
  for (uint32_t k = 0; k < count; k++) {
    bool writes = role_writes (p[k].role);
    add_fact (c, (access_fact){e->goal->about, p[k].pos, p[k].name, writes, p[k].num_held, p[k].held});
  }
  for (uint32_t k = 0; k < v->goals.count; k++) add_accesses_of_trace (c, &v->goals.data[k], e->goal->about);
}

static uint32_t places_with (const variable_accesses *c, const char *lock) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < c->places.count; k++) count += fact_has_lock (&c->places.data[k], lock);
  return count;
}

// Returns the lock that is held at the most places; NULL: none is held anywhere.
static const char *usual_lock (const variable_accesses *c) {
  const char *best = NULL;
  for (uint32_t k = 0; k < c->places.count; k++)
    for (uint32_t i = 0; i < c->places.data[k].num_locks; i++) {
      const char *lock = c->places.data[k].locks[i];
      if (!best || places_with (c, lock) > places_with (c, best)) best = lock;
    }
  return best;
}

static void add_places_without (const variable_accesses *c, const char *lock, strbuf *out) {
  uint32_t shown = 0, left_out = 0;
  for (uint32_t k = 0; k < c->places.count; k++) {
    const access_fact *f = &c->places.data[k];
    if (fact_has_lock (f, lock)) continue;
    if (shown == SHOWN_PLACES) left_out++;
    else
      strbuf_printf (out, "%s%s (%s%s%s)", shown++ ? ", " : "", position_text (c->arena, f->pos),
                     f->write ? "write" : "read", f->function ? " in " : "", f->function ? f->function : "");
  }
  if (left_out) strbuf_printf (out, " and %u more", left_out);
}

// Returns the text of a lock.  The lock analysis also lists regions of lockstep_atomic_begin and the like, which are no
// locks with names.
static const char *lock_text (const explanation *e, const char *lock) {
  return strcmp (lock, ir_family_name (IR_F_REGION)) ? arena_printf (e->arena, "`%s`", lock) : "an atomic region";
}

static void explain_accesses (explanation *e, const variable_accesses *c) {
  const char *lock = usual_lock (c), *name = e->goal->about;
  uint32_t all = c->places.count;
  const char *among = c->complete ? "" : " in the interleavings of this report";
  if (!lock) {
    if (all == 1) strbuf_printf (&e->why, " `%s` is accessed at one place%s, by several threads.", name, among);
    else
      strbuf_printf (&e->why, " `%s` is accessed at %u places%s, and no lock protects it at any of them.", name, all,
                     among);
    return;
  }
  strbuf_printf (&e->why, " `%s` is protected by %s at %u of %u places%s; not at ", name, lock_text (e, lock),
                 places_with (c, lock), all, among);
  add_places_without (c, lock, &e->why);
  strbuf_add (&e->why, ".");
}

// ---- the two threads --------------------------------------------------------------------------------
static void add_holding (explanation *e, const party *p) {
  strbuf_printf (&e->why, "thread %u holds ", p->thread);
  for (uint32_t k = 0; k < p->num_held; k++) strbuf_printf (&e->why, "%s`%s`", k ? ", " : "", p->held[k]);
  if (!p->num_held) strbuf_add (&e->why, "no lock");
}

static const char *common_lock (const party *p) {
  for (uint32_t k = 0; k < p[0].num_held; k++)
    if (party_holds (&p[1], p[0].held[k])) return p[0].held[k];
  return NULL;
}

// Whether the lock was acquired for reading, together with other readers.
static bool is_read_lock (const explanation *e, const party *p, const char *lock) {
  uint32_t taken = step_taking (e->goal, p->thread, lock);
  return taken != IR_NONE && ir_step_of (e->goal->steps.data[taken].op)->takes_shared;
}

static bool is_shared_by_both (const explanation *e, const party *p, const char *lock) {
  return lock && is_read_lock (e, &p[0], lock) && is_read_lock (e, &p[1], lock);
}

static void explain_locks (explanation *e, const party *p) {
  const char *common = common_lock (p);
  if (is_shared_by_both (e, p, common))
    strbuf_printf (&e->why, "Both threads hold `%s`, but for reading only, which they may at the same time.", common);
  else if (common)
    strbuf_printf (&e->why, "Both threads hold a lock called `%s`, but it does not keep them apart.", common);
  else if (!p[0].num_held && !p[1].num_held) strbuf_add (&e->why, "Neither thread holds a lock.");
  else {
    strbuf_add (&e->why, "In the end ");
    add_holding (e, &p[0]);
    strbuf_add (&e->why, " and ");
    add_holding (e, &p[1]);
    strbuf_add (&e->why, ": no lock is common to both.");
  }
}

static void propose_fix (explanation *e, const party *p, const variable_accesses *c) {
  const char *lock = usual_lock (c), *name = e->goal->about;
  unsigned atomic = role_is_atomic (p[0].role) ? 0 : role_is_atomic (p[1].role) ? 1 : 2;
  unsigned freeing = p[0].role.kind == ROLE_FREES ? 0 : p[1].role.kind == ROLE_FREES ? 1 : 2;
  if (freeing < 2)
    strbuf_printf (&e->fix,
                   "free it at %s only when no other thread can use it any more: join thread %u before, or let the "
                   "last user free it.",
                   position_text (e->arena, p[freeing].pos), p[1 - freeing].thread);
  else if (atomic < 2)
    strbuf_printf (&e->fix, "the access at %s is atomic, the one at %s is not: make it atomic as well.",
                   position_text (e->arena, p[atomic].pos), position_text (e->arena, p[1 - atomic].pos));
  else if (is_shared_by_both (e, p, common_lock (p)))
    strbuf_printf (&e->fix, "take `%s` for writing where `%s` is written.", common_lock (p), name);
  else if (common_lock (p)) return;
  else if (lock) {
    strbuf_printf (&e->fix, "use %s also at ", lock_text (e, lock));
    add_places_without (c, lock, &e->fix);
    strbuf_add (&e->fix, ".");
  } else
    strbuf_printf (
        &e->fix,
        "hold one mutex at all accesses of `%s`; or make it atomic, if no other variable has to change with it.", name);
}

void explain_race (explanation *e) {
  const party *p;
  bool is_race = explain_parties (e, &p) == 2 && e->goal->about && role_is_access (p[0].role);
  if (!is_race) return;  // it is a pair of --reach-pair
  variable_accesses c = {.arena = e->arena};
  collect_accesses (&c, e);
  explain_locks (e, p);
  if (!common_lock (p)) explain_accesses (e, &c);
  propose_fix (e, p, &c);
  vec_release (&c.places);
  strmap_release (&c.known);
}
