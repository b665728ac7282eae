// The answers of the engine: one per property, from the results of its queries.
#include "engine/circuit/circuit_check.h"
#include "ir/reason.h"

static bool is_requested (const circuit_check *z, uint32_t p) { return z->run->task->semantics.properties >> p & 1; }

// Adds the number of gates of each part of the constraint that leaves interleavings out.
static void add_constraint_stats (verdict *v, const stubborn_sets *s) {
  verdict_add_stat (v, "sticky", s->sticky, NULL);
  verdict_add_stat (v, "gates_enabled", s->sizes.enabled, NULL);
  verdict_add_stat (v, "gates_touch_now", s->sizes.touch_now, NULL);
  verdict_add_stat (v, "gates_touch_later", s->sizes.touch_later, NULL);
  verdict_add_stat (v, "gates_conflict", s->sizes.conflict, NULL);
  verdict_add_stat (v, "gates_closure", s->sizes.closure, NULL);
  verdict_add_stat (v, "gates_minimal", s->sizes.minimal, NULL);
  verdict_add_stat (v, "gates_constraint", s->sizes.constraint, NULL);
}

static const char *depth_text (const circuit_check *z, uint32_t depth) {
  return arena_printf (z->run->verdict->arena, "depth %u%s", depth,
                       z->reduction ? ", without interleavings that are left out" : "");
}

static const char *bound_text (const circuit_check *z, const circuit_result *o) {
  const char *depth = o->depth ? depth_text (z, o->depth) : NULL;
  return !depth ? o->limit : !o->limit ? depth : arena_printf (z->run->verdict->arena, "%s; %s", o->limit, depth);
}

static const reason *unknown_reason (const circuit_check *z, const circuit_result *o) {
  arena *a = z->run->verdict->arena;
  const reason *spent = reason_of_budget (a, z->run->budget);
  return z->doubt ? z->doubt
         : o->cut ? o->cut
         : spent  ? spent
         : z->why ? z->why
                  : reason_new (a, REASON_ENGINE, "no proof was found in the time there was");
}

// A trivial bound is no answer; the reason then names the depth that the search has reached.
static ending depth_ending (const circuit_check *z, const circuit_result *o) {
  arena *a = z->run->verdict->arena;
  const reason *spent = o->depth <= o->trivial ? reason_of_budget (a, z->run->budget) : NULL;
  if (!o->depth) return ending_unknown (unknown_reason (z, o));
  if (!spent) return ending_bounded (reason_new (a, REASON_BOUND, bound_text (z, o)));
  return ending_unknown (reason_printf (a, spent->kind, "%s; nothing was found up to depth %u", spent->text, o->depth));
}

static ending property_ending (const circuit_check *z, const circuit_result *o) {
  const verdict *v = z->run->verdict;
  if (z->doubt || z->run->parted || o->cut) return ending_unknown (unknown_reason (z, o));
  if (o->answer == PROVE_HOLDS && (o->is_parametric || o->omissions_known))
    return ending_proved_within (o->evidence, "an inductive invariant excludes it",
                                 reason_new (v->arena, REASON_BOUND,
                                             o->limit ? o->limit
                                             : v->bounds.count
                                                 ? v->bounds.data[0]  // for example functions without a body
                                                 : NULL));
  return depth_ending (z, o);
}

// Concludes all properties. Each bounded property has its own bound; the reason that is reported with them is the one
// that holds for all.
static void conclude_properties (circuit_check *z) {
  verdict *v = z->run->verdict;
  circuit_result all = {0};  // the common bound of the bounded properties
  ending endings[IR_NUM_PROPERTIES] = {0};
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    const circuit_result *o = &z->outcomes[p];
    if (!is_requested (z, p)) continue;
    endings[p] = property_ending (z, o);
    if (endings[p].status == GOAL_BOUNDED && o->depth && (!all.depth || o->depth < all.depth)) all.depth = o->depth;
  }
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++)
    if (endings[p].status == GOAL_BOUNDED && z->outcomes[p].limit)
      verdict_add_bound (v, "%s", all.limit = z->outcomes[p].limit);
  if (all.depth) verdict_add_bound (v, "%s", depth_text (z, all.depth));
  const reason *within = all.depth ? reason_new (v->arena, REASON_BOUND, bound_text (z, &all)) : NULL;
  for (uint32_t p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (within && endings[p].status == GOAL_BOUNDED) endings[p].why = within;
    engine_summarise_one (z->run, (ir_property) p, endings[p]);
  }
}

static bool is_verdict_safe (const circuit_check *z) {
  const verdict *v = z->run->verdict;
  return verdict_kind_of (v->answers, z->run->task->semantics.properties) == VERDICT_SAFE;
}

void circuit_conclude (circuit_check *z) {
  verdict *v = z->run->verdict;
  conclude_properties (z);
  if (z->certificate.count || (z->run->task->certificate && is_verdict_safe (z)))
    v->certificate = arena_strdup (v->arena, strbuf_text (&z->certificate));
  verdict_add_stat (v, "steps", z->steps, NULL);
  verdict_add_stat (v, "latches", z->latches, NULL);
  verdict_add_stat (v, "gates", z->ands, NULL);
  verdict_add_stat (v, "depth", z->reached, NULL);
  verdict_add_stat (v, "clauses", z->clauses, NULL);
  verdict_add_stat (v, "obligations", z->obligations, NULL);
  if (z->sets.cstub.count) add_constraint_stats (v, &z->sets);
}
