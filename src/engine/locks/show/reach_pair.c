// The two places are accesses of a fresh object (ir_add_pair), so the search for races finds and judges them like any
// pair of conflicting accesses: threads in parallel, compatible lock sets (LOCK theorem 5).  If all locks are well
// nested, that is exact for control flow and locks, for threads that start together and hold nothing.  Conditions on
// data are not evaluated.
#include "engine/locks/show/show_impl.h"

#include "base/strbuf.h"

static witness_side side_of (access_table *t, const possible_race *pair, uint32_t k, arena *arena) {
  const shared_access *x = &t->accesses.data[pair->access[k]];
  const access_lockset *g = &t->access_locksets.data[pair->lockset[k]];
  const ir_edge_data *d = ir_edge_at (t->analysis->program, x->edge);
  return (witness_side){.place = {x->kind, g->context, g->node, d->from},
                        .edge = x->edge,
                        .op = IR_STEP_AT,
                        .object = d->name,
                        .what = arena_printf (arena, "at `%s`", d->name),
                        .role = {.kind = ROLE_AT, .object = d->name}};
}

static void add_pair_position (const lock_analysis *a, ir_edge e, strbuf *out) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  strbuf_printf (out, "`%s` (%s:%u)", d->name, d->pos.file ? d->pos.file : "?", d->pos.line);
}

static void add_possible_pair (engine_run *r, witnesses *w, access_table *t, const possible_race *pair,
                               uint32_t number) {
  verdict *v = r->verdict;
  const lock_analysis *a = t->analysis;
  ir_edge x = t->accesses.data[pair->access[0]].edge, y = t->accesses.data[pair->access[1]].edge;
  goal g = {.property = IR_P_RACE, .status = GOAL_UNKNOWN, .engine = r->engine, .about = "the pair"};
  strbuf text = {0};
  strbuf_add (&text, "threads may be at ");
  add_pair_position (a, x, &text);
  strbuf_add (&text, " and at ");
  add_pair_position (a, y, &text);
  strbuf_add (&text, " at once");
  g.id = arena_printf (v->arena, "possible-pair-%u", number);
  g.message = arena_strdup (v->arena, strbuf_text (&text));
  strbuf_release (&text);
  witness_add (w, &g, (witness_side[]){side_of (t, pair, 0, v->arena), side_of (t, pair, 1, v->arena)}, 2);
  vec_push (&v->goals, g);
}

static const char *why_possible (const engine_run *r, const lock_analysis *a) {
  arena *arena = r->verdict->arena;
  if (a->overflowed) return "locks do not exclude it; too many are held at once to tell them apart";
  if (a->well_nested && a->unnested_release == IR_NONE) return "locks, all of them nested, do not exclude it";
  const char *where = "";
  if (a->unnested_release != IR_NONE) {
    const ir_edge_data *d = ir_edge_at (a->program, (ir_edge){a->unnested_release});
    where = arena_printf (arena, " (%s:%u)", d->pos.file ? d->pos.file : "?", d->pos.line);
  }
  return arena_printf (arena, "locks do not exclude it, but they are not nested%s: it may be impossible all the same",
                       where);
}

const reason *check_reach_pair (engine_run *r, lock_analysis *a) {
  access_table t;
  possible_races found = {0};
  uint32_t possible = 0;
  witnesses w;
  witnesses_init (&w, a, r->verdict);
  access_table_init (&t, a);
  race_coverage coverage = find_possible_races (&t, r->budget, &found);
  for (uint32_t k = 0; k < found.count; k++) {
    ir_edge x = t.accesses.data[found.data[k].access[0]].edge, y = t.accesses.data[found.data[k].access[1]].edge;
    if (ir_edge_is_place (a->program, x) && ir_edge_is_place (a->program, y))
      add_possible_pair (r, &w, &t, &found.data[k], ++possible);
  }
  vec_release (&found);
  access_table_release (&t);
  witnesses_release (&w);
  arena *arena = r->verdict->arena;
  if (possible) return reason_new (arena, REASON_ENGINE, why_possible (r, a));
  bool spent = coverage == RACES_SPENT;
  return reason_new (arena, REASON_ENGINE, spent ? "the time was spent before all pairs were looked at" : NULL);
}
