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
  verdict_add_stat (v, "states", states,
                    seconds > 0 ? arena_printf (v->arena, "%.0f per second", (double) states / seconds) : NULL);
  verdict_add_stat (v, "transitions", s->transitions, per (v->arena, s->transitions, states, "per state"));
  verdict_add_stat (v, "transitions_cached", s->cached, per (v->arena, 100 * s->cached, s->transitions, "per cent"));
  verdict_add_stat (v, "components", s->store.component_at.count - 1,
                    per (v->arena, states, s->store.component_at.count, "states per component"));
  verdict_add_stat (v, "state_bytes", bytes, per (v->arena, bytes, states, "per state"));
  verdict_add_stat (v, "instructions", s->world.instructions,
                    per (v->arena, s->world.instructions, s->transitions, "per transition"));
  if (s->order == BREADTH_FIRST) verdict_add_stat (v, "depth", s->depth, NULL);
  verdict_add_stat (v, "search_ms", (uint64_t) (seconds * 1000), NULL);
}

// Deadlock cannot be denied where threads spin for ever.
static void doubt_deadlock (search *s) {
  verdict *v = s->run->verdict;
  const ir_edge_data *d = &s->world.program->edges.data[s->spinning];
  const char *why = arena_printf (v->arena, "threads may wait busily for ever at %s:%u",
                                  d->pos.file ? d->pos.file : "?", d->pos.line);
  for (uint32_t k = 0; k < v->goals.count; k++) {
    goal *g = &v->goals.data[k];
    if (g->property != IR_P_DEADLOCK || g->status == GOAL_VIOLATED || g->status == GOAL_UNKNOWN) continue;
    g->status = GOAL_UNKNOWN;
    g->message = why;
    if (s->bugs) continue;
    v->kind = VERDICT_UNKNOWN;
    v->reason = why;
  }
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
  if (s->spinning != IR_NONE) doubt_deadlock (s);
}

static void run (engine_run *r) {
  search s = {.run = r, .spinning = IR_NONE};
  double start = budget_now ();
  s.order = r->task->depth || !strcmp (r->task->search, "bfs") ? BREADTH_FIRST
            : !strcmp (r->task->search, "dfs")                 ? DEPTH_FIRST
                                                               : MIXED;
  code_init (&s.code, r->program);
  store_init (&s.store);
  world_init (&s.world, &s.code, &r->task->semantics, &s.store);
  s.cache = cache_new ();
  search_run (&s);
  add_stats (&s, budget_now () - start);
  conclude (&s);
  world_release (&s.world);
  store_release (&s.store);
  code_release (&s.code);
  vec_release (&s.frontier);
  cache_free (s.cache);
  vec_release (&s.successors);
  vec_release (&s.successor_ids);
  map_release (&s.reported);
}

const engine engine_explicit = {.name = "explicit",
                                .summary = "search of all concrete states; proofs for finite programs, deep bugs",
                                .applies = applies,
                                .run = run};
