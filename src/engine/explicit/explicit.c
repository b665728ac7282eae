// Engine `explicit`: search of concrete states.  With --reduction=none it is the reference all other engines are
// compared with: every interleaving of visible operations.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/search.h"

static bool applies (const ir_program *p, const task *t, const char **why_not) {
  (void) p;
  if (strcmp (t->reduction, "none")) {
    *why_not = "the explicit engine knows --reduction=none only";
    return false;
  }
  return true;
}

static const char *per (arena *a, uint64_t x, uint64_t y, const char *unit) {
  return y ? arena_printf (a, "%.2f %s", (double) x / (double) y, unit) : NULL;
}

static void add_stats (search *s, double seconds) {
  verdict *v = s->run->verdict;
  uint64_t states = store_num_states (&s->store), bytes = store_bytes (&s->store);
  verdict_add_stat (v, "states", states, seconds > 0 ? arena_printf (v->arena, "%.0f per second", (double) states / seconds) : NULL);
  verdict_add_stat (v, "transitions", s->transitions, per (v->arena, s->transitions, states, "per state"));
  verdict_add_stat (v, "components", s->store.component_at.count - 1, per (v->arena, states, s->store.component_at.count, "states per component"));
  verdict_add_stat (v, "state_bytes", bytes, per (v->arena, bytes, states, "per state"));
  verdict_add_stat (v, "instructions", s->world.instructions, per (v->arena, s->world.instructions, s->transitions, "per transition"));
  if (s->breadth_first) verdict_add_stat (v, "depth", s->depth, NULL);
  verdict_add_stat (v, "search_ms", (uint64_t) (seconds * 1000), NULL);
}

static void conclude (search *s) {
  verdict *v = s->run->verdict;
  values_add_bounds (s->world.values, v);
  goal_status rest;
  if (s->bugs) v->kind = VERDICT_BUG;
  if (s->stopped || s->unsupported) {
    rest = GOAL_UNKNOWN;
    if (!s->bugs) v->kind = VERDICT_UNKNOWN;
    v->reason = s->stopped ? s->stopped : s->unsupported;
  } else if (v->bounds.count || s->cut) {
    rest = GOAL_BOUNDED;
    if (!s->bugs) v->kind = VERDICT_BOUNDED;
    v->reason = v->bounds.count ? v->bounds.data[0] : "bounds";
  } else {
    rest = GOAL_PROVED;
    if (!s->bugs) v->kind = VERDICT_SAFE;
  }
  engine_summarise (s->run, rest, rest == GOAL_PROVED ? "all reachable states were searched" : v->reason);
}

static void run (engine_run *r) {
  search s = {.run = r};
  double start = budget_now ();
  s.breadth_first = !strcmp (r->task->search, "bfs") || r->task->depth;
  code_init (&s.code, r->program);
  store_init (&s.store);
  world_init (&s.world, &s.code, &r->task->semantics, &s.store);
  search_run (&s);
  add_stats (&s, budget_now () - start);
  conclude (&s);
  world_release (&s.world);
  store_release (&s.store);
  code_release (&s.code);
  vec_release (&s.frontier);
  map_release (&s.reported);
}

const engine engine_explicit = {
    .name = "explicit", .summary = "search of all concrete states; proofs for finite programs, deep bugs", .applies = applies, .run = run};
