// Decides --ltl formulas without A or E by the product search. A run that violates the formula is replayed by the
// judge, as every violation is; a complete search without such a run is a proof.

#include "engine/explicit/explicit_options.h"
#include "engine/explicit/product.h"

static const char *edge_position_text (engine_run *r, uint32_t edge) {
  const ir_edge_data *d = &r->program->edges.data[edge];
  return arena_printf (r->verdict->arena, "%s:%u", d->pos.file ? d->pos.file : "?", d->pos.line);
}

static const char *holds_text (engine_run *r) {
  return arena_printf (r->verdict->arena, "`%s` holds on every%s run", r->task->ltl, r->task->fair ? " fair" : "");
}

// Concludes a search that has found no run that violates the formula.
static void conclude_program_formula (engine_run *r, const observed_states *m) {
  verdict *v = r->verdict;
  if (m->stopped || m->unsupported) {
    engine_summarise_formula (r, ending_unknown (m->stopped ? m->stopped : m->unsupported));
    return;
  }
  const char *bound = v->bounds.count ? v->bounds.data[0] : m->cut ? "bounds" : NULL;
  ending e =
      ending_proved_within (budget_completion (r->budget), holds_text (r), reason_new (v->arena, REASON_BOUND, bound));
  if (e.status == GOAL_BOUNDED) e.message = arena_printf (v->arena, "%s, within bounds", holds_text (r));
  engine_summarise_formula (r, e);
}

static void add_product_stats (engine_run *r, const state_product *p) {
  verdict *v = r->verdict;
  const observed_states *m = p->observed;
  store *s = &p->observed->store;
  store_tell (s);
  verdict_add_stat (v, "states", store_num_states (s), NULL);
  verdict_add_stat (v, "transitions", m->transitions, NULL);
  verdict_add_stat (v, "moments", m->all.count, NULL);
  verdict_add_stat (v, "automaton_states", p->automaton->states.count, NULL);
  verdict_add_stat (v, "product_states", p->nodes.count, NULL);
  verdict_add_stat (v, "instructions", m->current.instructions, NULL);
}

static void search_formula_product (engine_run *r, const temporal *t) {
  observed_states m;
  state_product p;
  observed_states_init (&m, r, t, t->has_next || explicit_options_of (r->task)->reduction == REDUCTION_NONE);
  xs_product_init (&p, &m, &t->broken, r->task->fair);
  bounded_bfs_answer near = xs_product_bounded_bfs (&p);
  bool found = near == BFS_FOUND || (near == BFS_OPEN && !m.stopped && xs_product_search (&p));
  add_product_stats (r, &p);
  values_add_bounds (m.current.values, r->verdict);
  if (m.error != IR_NONE)
    verdict_add_assumption (r->verdict,
                            "executions that end in an error are no runs: there are some, at %s and perhaps elsewhere",
                            edge_position_text (r, m.error));
  if (found) {
    claim c;
    lasso_claim (&p, &c);
    if (!engine_report_run (r, t, &c))
      engine_summarise_formula (
          r, ending_unknown (reason_new (r->verdict->arena, REASON_INTERNAL, "a run that was found did not replay")));
  } else conclude_program_formula (r, &m);
  xs_product_release (&p);
  observed_states_release (&m);
}

static bool parse_program_formula (const ir_program *p, const char *text, temporal *t, strbuf *why) {
  ltl_error error;
  if (temporal_init (t, p, text, &error)) return true;
  strbuf_add (why, "--ltl: ");
  ltl_error_show (text, &error, why);
  return false;
}

bool formula_fits (const ir_program *p, const task *task, strbuf *why) {
  temporal t;
  if (!task->ltl) return true;
  bool fits = parse_program_formula (p, task->ltl, &t, why);
  temporal_release (&t);
  return fits;
}

static void give_up_program_formula (engine_run *r, const char *why) {
  engine_summarise_formula (r, ending_unknown (reason_new (r->verdict->arena, REASON_ENGINE, why)));
}

void formula_check (engine_run *r) {
  temporal t;
  strbuf why = {0};
  if (!parse_program_formula (r->program, r->task->ltl, &t, &why)) give_up_program_formula (r, strbuf_text (&why));
  else if (!temporal_add_automaton (&t)) give_up_program_formula (r, "the formula is too large");
  else {
    if (t.has_next)
      verdict_add_note (r->verdict,
                        "because of X in the formula every operation counts as a step: nothing was left out");
    search_formula_product (r, &t);
  }
  strbuf_release (&why);
  temporal_release (&t);
}
