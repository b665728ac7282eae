// `--ltl`: the pushdown system of one thread against a formula.  A run that satisfies not f breaks a property `A f`; a
// run that satisfies f is needed by a property `E f`.  So one search for each kind of thread decides.  The pushdown
// system has every run of the thread and, because it does not evaluate conditions on data, more: no run found is a
// proof, a run found is a possible one.

#include <string.h>

#include "base/cutoff.h"
#include "base/diag.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/pushdown/pushdown_impl.h"

typedef VEC (ir_proc) proc_list;

typedef struct formula_check {
  engine_run *run;
  const pointsto *targets;
  ltl_pool *pool;
  ltl_property property;
  pushdown system;
  buchi automaton;
  proc_list kinds;     // where threads start
  uint32_t num_found;  // kinds with a run
  const reason *stopped;
  uint64_t heads, items;
} formula_check;

// ---- threads -----------------------------------------------------------------------------------------

static void add_thread_kind (proc_list *kinds, ir_proc f) {
  for (uint32_t k = 0; k < kinds->count; k++)
    if (kinds->data[k].i == f.i) return;
  vec_push (kinds, f);
}

// Functions that an argument may point to.  A pointer to anything may point to any of the user's functions.
static void add_kinds_of (const ir_program *p, pointsto_set s, proc_list *kinds) {
  for (uint32_t k = 0; k < (s.anything ? p->objects.count : s.count); k++) {
    uint32_t object = s.anything ? k : s.objects[k];
    if (object >= p->objects.count || p->objects.data[object].kind != IR_O_FUNCTION) continue;
    ir_proc f = p->objects.data[object].proc;
    if (f.i == IR_NONE || f.i == p->start.i) continue;
    if (!s.anything || !ir_proc_at (p, f)->internal) add_thread_kind (kinds, f);
  }
}

// Users call `start` main, and a wrapper in a library model by the name of the function that it calls.
static bool kind_is_named (const formula_check *c, ir_proc f, const char *name) {
  const ir_program *p = c->run->program;
  const ir_proc_data *proc = ir_proc_at (p, f);
  if (!strcmp (proc->name, name)) return true;
  for (uint32_t k = 0; proc->internal && k < proc->locs.count; k++) {
    const ir_loc_data *l = ir_loc_at (p, proc->locs.data[k]);
    if (!l->num_edges || p->edges.data[l->first_edge].op != IR_CALL) continue;
    pointsto_set s = pointsto_arg (c->targets, (ir_edge){l->first_edge}, 0);
    for (uint32_t j = 0; j < s.count; j++)
      if (s.objects[j] < p->objects.count && !strcmp (p->objects.data[s.objects[j]].name, name)) return true;
  }
  return false;
}

static void find_thread_kinds (formula_check *c) {
  const ir_program *p = c->run->program;
  proc_list all = {0};
  add_thread_kind (&all, p->start);
  for (uint32_t k = 0; k < p->edges.count; k++)
    if (p->edges.data[k].op == IR_THREAD_CREATE) add_kinds_of (p, pointsto_arg (c->targets, (ir_edge){k}, 1), &all);
  for (uint32_t k = 0; k < all.count; k++)
    if (!c->property.thread || kind_is_named (c, all.data[k], c->property.thread)) vec_push (&c->kinds, all.data[k]);
  vec_release (&all);
}

static const char *name_of_kind (const formula_check *c, uint32_t kind) {
  ir_proc f = c->kinds.data[kind];
  return f.i == c->run->program->start.i ? "main" : ir_proc_at (c->run->program, f)->name;
}

// ---- answers -----------------------------------------------------------------------------------------

static void leave_formula_open (formula_check *c, const reason *why) {
  engine_summarise_formula (c->run, ending_unknown (why));
}
static void give_up_formula (formula_check *c, const char *why) {
  leave_formula_open (c, reason_new (c->run->verdict->arena, REASON_ENGINE, why));
}

static bool goes_deeper (const thread_product *s) {
  for (uint32_t k = 0; k < s->cycle.count; k++)
    if (s->links.data[s->cycle.data[k]].kind == LINK_CALL) return true;
  return false;
}

static const char *run_end_text (const thread_product *s) {
  switch (s->end) {
  case RUN_SETTLED: return "a run that decides it, whatever follows";
  case RUN_ENDS: return "a run that ends";
  case RUN_BLOCKS: return "a run that waits for ever for a lock that the thread holds itself";
  default: return goes_deeper (s) ? "a run that calls deeper and deeper for ever" : "a run that never ends";
  }
}

static void add_found (formula_check *c, const thread_product *s, uint32_t kind) {
  verdict *v = c->run->verdict;
  goal g = {.property = IR_P_FORMULA, .status = GOAL_UNKNOWN, .engine = c->run->engine};
  g.id = arena_printf (v->arena, "%s-%u", ir_property_name[IR_P_FORMULA], ++c->num_found);
  g.message = arena_printf (v->arena,
                            "possible %s `%s` in a thread that starts in %s: %s (conditions on data are not evaluated)",
                            c->property.for_all ? "counterexample to" : "witness of", c->property.text,
                            name_of_kind (c, kind), run_end_text (s));
  run_show (s, v, &g, kind);
  vec_push (&v->goals, g);
}

static const char *kinds_text (const formula_check *c) {
  strbuf text = {0};
  for (uint32_t k = 0; k < c->kinds.count; k++) strbuf_printf (&text, "%s%s", k ? ", " : "", name_of_kind (c, k));
  const char *copy = arena_strdup (c->run->verdict->arena, strbuf_text (&text));
  strbuf_release (&text);
  return copy;
}

// No run was found: `A f` is proved and `E f` is refuted, unless the program was not covered as a whole.
static void add_none (formula_check *c) {
  verdict *v = c->run->verdict;
  bool holds = c->property.for_all, bounded = c->run->program->gaps.count;
  const reason *bound = bounded ? reason_new (v->arena, REASON_BOUND, "functions without a body") : NULL;
  ending e = ending_proved_within (budget_completion (c->run->budget), NULL, bound);
  e.message = arena_printf (v->arena,
                            holds ? "`%s` holds in every run of every thread that starts in: %s"
                                  : "`%s` does not hold: there is no such run of a thread that starts in: %s",
                            c->property.text, kinds_text (c));
  if (e.status == GOAL_PROVED && !holds) e.status = GOAL_VIOLATED;
  engine_summarise_formula (c->run, e);
}

static void write_answer (formula_check *c) {
  verdict *v = c->run->verdict;
  verdict_add_stat (v, "automaton_states", c->automaton.states.count, NULL);
  verdict_add_stat (v, "pushdown_places", intern_count (&c->system.places), NULL);
  verdict_add_stat (v, "heads", c->heads, NULL);
  verdict_add_stat (v, "path_items", c->items, NULL);
  verdict_add_assumption (
      v, "a run that is stopped from outside (it waits for other threads for ever, the process ends) or by an error "
         "counts only for what has been decided until then");
  verdict_add_assumption (v, "a lock that is reached through a pointer is not taken by a thread that holds it already");
  if (!c->system.follows_all) verdict_add_assumption (v, "no lock is taken by a thread that holds it already");
  if (c->stopped) leave_formula_open (c, c->stopped);
  else if (c->num_found) {
    leave_formula_open (
        c, reason_printf (v->arena, REASON_ENGINE, "possible %s",
                          c->property.for_all ? "counterexample to the formula" : "witness of the formula"));
  } else if (c->system.unsupported) leave_formula_open (c, reason_copy (v->arena, c->system.unsupported));
  else add_none (c);
}

// ---- the whole ---------------------------------------------------------------------------------------

static void search_kind (formula_check *c, uint32_t kind) {
  thread_product s;
  product_init (&s, &c->system, &c->automaton, c->run->budget);
  product_run (&s, c->kinds.data[kind]);
  if (s.stopped) c->stopped = reason_of_budget (c->run->verdict->arena, c->run->budget);
  else if (s.end != RUN_NONE) add_found (c, &s, kind);
  c->heads += intern_count (&s.heads);
  c->items += intern_count (&s.items);
  product_release (&s);
}

static void follow_relocked (formula_check *c) {
  bool more = false;
  for (uint32_t k = 0; k < c->kinds.count; k++) more |= relocks_follow (&c->system, c->kinds.data[k], c->run->budget);
  if (more) pushdown_forget (&c->system);
}

static void search_kinds (formula_check *c) {
  ltl wanted = c->property.for_all ? ltl_not (c->pool, c->property.body) : c->property.body;
  if (!buchi_build (&c->automaton, c->pool, wanted, LIMIT_AUTOMATON_STATES)) {
    give_up_formula (c, "the formula is too large");
    return;
  }
  follow_relocked (c);
  for (uint32_t k = 0; k < c->kinds.count && !c->stopped; k++) search_kind (c, k);
  write_answer (c);
  buchi_release (&c->automaton);
}

static void show_error (formula_check *c, const ltl_error *error) {
  strbuf text = {0};
  ltl_error_show (c->run->task->ltl, error, &text);
  diag_error (NULL, 0, 0, "--ltl: %s", strbuf_text (&text));
  strbuf_release (&text);
  give_up_formula (c, error->message);
}

static void check_property (formula_check *c) {
  pushdown_init (&c->system, c->run->program, c->targets, c->pool, c->pool->arena);
  find_thread_kinds (c);
  if (!c->kinds.count)
    give_up_formula (c, arena_printf (c->pool->arena, "no thread starts in `%s`", c->property.thread));
  else if (!atoms_bind (&c->system)) show_error (c, &(ltl_error){c->system.error_column, c->system.error});
  else search_kinds (c);
  vec_release (&c->kinds);
  pushdown_release (&c->system);
}

void thread_formula_check (engine_run *run, const pointsto *targets) {
  formula_check c = {.run = run, .targets = targets, .pool = ltl_pool_new ()};
  ltl_error error;
  if (ltl_parse (c.pool, run->task->ltl, &c.property, &error)) check_property (&c);
  else show_error (&c, &error);
  ltl_pool_free (c.pool);
}

static void check_formula (void *state) {
  engine_run *r = state;
  pointsto *targets = pointsto_new (r->program);
  thread_formula_check (r, targets);
  pointsto_free (targets);
}

static void run_formula (engine_run *r) {
  cutoff out = {.budget = r->budget};
  if (cutoff_run (&out, check_formula, r)) return;
  engine_summarise_formula (r, ending_unknown (reason_of_budget (r->verdict->arena, r->budget)));
}

const engine engine_pushdown = {.name = "locks",
                                .summary = "formulas about one thread, for the engine locks",
                                .properties = 1 << IR_P_LOCKS,
                                .run = run_formula};
