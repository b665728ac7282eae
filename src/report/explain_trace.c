// Answers questions of the explanations about an interleaving: which thread did something last, where a lock was
// acquired, where each thread is at the end.
#include <string.h>

#include "report/explain_impl.h"

bool step_writes (const trace_step *s) { return ir_step_of (s->op)->writes; }
bool step_reads (const trace_step *s) { return ir_step_of (s->op)->reads; }

// Returns the number of executed steps.  The last step of each thread of the claim is only about to be executed.
uint32_t steps_done (const goal *g) {
  uint32_t standing = g->claim.num_threads;
  return g->steps.count > standing ? g->steps.count - standing : 0;
}

static bool step_matches (const trace_step *s, ir_step op, const char *object) {
  return (op == IR_STEP_NONE || s->op == op) && (!object || (s->object && !strcmp (s->object, object)));
}

uint32_t step_by (const goal *g, uint32_t before, uint32_t thread, ir_step op, const char *object) {
  while (before-- > 0)
    if (g->steps.data[before].thread == thread && step_matches (&g->steps.data[before], op, object)) return before;
  return IR_NONE;
}

uint32_t step_by_others (const goal *g, uint32_t before, uint32_t thread, ir_step op, const char *object) {
  while (before-- > 0)
    if (g->steps.data[before].thread != thread && step_matches (&g->steps.data[before], op, object)) return before;
  return IR_NONE;
}

static bool step_holds_lock (const trace_step *s, const char *lock) {
  for (uint32_t k = 0; k < s->held.count; k++)
    if (!strcmp (s->held.data[k], lock)) return true;
  return false;
}

uint32_t step_taking (const goal *g, uint32_t thread, const char *lock) {
  uint32_t taken = IR_NONE;
  for (uint32_t k = g->steps.count; k-- > 0;) {
    if (g->steps.data[k].thread != thread) continue;
    if (!step_holds_lock (&g->steps.data[k], lock)) break;
    taken = k;
  }
  return taken;
}

// ---- who takes part ---------------------------------------------------------------------------------
static party party_of_side (const explanation *e, const goal_side *s) {
  const char **held = arena_alloc (e->arena, sizeof *held * (s->held.count + 1));
  for (uint32_t k = 0; k < s->held.count; k++) held[k] = s->held.data[k].name;
  return (party){s->thread, s->entry, s->pos, s->role, s->held.count, held};
}

static party party_of_location (const explanation *e, const goal_location *l) {
  party p = {.thread = l->thread, .name = l->function, .pos = l->pos, .role = l->role};
  uint32_t last = step_by (e->goal, e->goal->steps.count, l->thread, IR_STEP_NONE, NULL);
  if (last == IR_NONE) return p;
  p.num_held = e->goal->steps.data[last].held.count;
  p.held = e->goal->steps.data[last].held.data;
  return p;
}

uint32_t explain_parties (const explanation *e, const party **out) {
  const goal *g = e->goal;
  uint32_t standing = g->claim.num_threads < g->locations.count ? g->claim.num_threads : g->locations.count;
  uint32_t count = g->sides.count ? g->sides.count : standing;
  party *list = arena_zalloc (e->arena, sizeof *list * (count + 1));
  for (uint32_t k = 0; k < count; k++)
    list[k] = g->sides.count ? party_of_side (e, &g->sides.data[k]) : party_of_location (e, &g->locations.data[k]);
  *out = list;
  return count;
}

bool party_holds (const party *p, const char *lock) {
  for (uint32_t k = 0; k < p->num_held; k++)
    if (!strcmp (p->held[k], lock)) return true;
  return false;
}

// ---- words ------------------------------------------------------------------------------------------
const char *position_text (arena *a, ir_position pos) {
  return pos.file ? arena_printf (a, "%s:%u", pos.file, pos.line) : "an unknown place";
}

const char *place_of_step (arena *a, const goal *g, uint32_t step) {
  const trace_step *s = &g->steps.data[step];
  return arena_printf (a, "%s (step %u)", position_text (a, s->pos), s->number);
}
