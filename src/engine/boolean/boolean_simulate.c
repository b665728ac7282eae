// Executes one step of one thread, on all states of a symbolic state at once: paper BOOL, section 3.2, table 2. The
// time is linear in the size of the statement.
#include "base/diag.h"
#include "engine/boolean/symbolic.h"

void simulator_init (simulator *s, const state_layout *l, uint32_t max_threads) {
  *s = (simulator){.layout = l, .max_threads = max_threads};
  aig_init (&s->graph);
}

void simulator_release (simulator *s) {
  aig_release (&s->graph);
  vec_release (&s->inputs);
  vec_release (&s->used);
  vec_release (&s->assigned);
  map_release (&s->built);
}

void state_builder_release (state_builder *d) {
  vec_release (&d->at);
  vec_release (&d->id);
  vec_release (&d->values);
  vec_release (&d->guard);
}

// ---- formulas ---------------------------------------------------------------------------------------
static aig_lit new_choice_input (simulator *s, state_builder *d) {
  while (s->inputs.count <= d->num_inputs) vec_push (&s->inputs, aig_input (&s->graph));
  return s->inputs.data[d->num_inputs++];
}

static aig_lit choice_of (simulator *s, state_builder *d, uint32_t choice) {
  for (uint32_t i = 0; i < s->used.count; i++)
    if (s->used.data[i].choice == choice) return s->inputs.data[s->used.data[i].input];
  vec_push (&s->used, ((choice_use){choice, d->num_inputs}));
  return new_choice_input (s, d);
}

typedef struct simulated_step {
  simulator *s;
  state_builder *d;
  uint32_t thread;
  const bp_location *statement;
} simulated_step;

static aig_lit formula (const simulated_step *m, bp_expr x);

static aig_lit assigned_value (const simulated_step *m, uint32_t var) {
  for (uint32_t i = 0; i < m->statement->targets.count; i++)
    if (m->statement->targets.data[i].i == var) return formula (m, m->statement->values.data[i]);
  return m->d->values.data[layout_place (m->s->layout, m->thread, var)];
}

static aig_lit build_formula (const simulated_step *m, bp_node n) {
  aig *g = &m->s->graph;
  switch ((bp_op) n.op) {
  case BP_CONST: return n.a ? AIG_TRUE : AIG_FALSE;
  case BP_VAR: return m->d->values.data[layout_place (m->s->layout, m->thread, n.a)];
  case BP_NEXT: return assigned_value (m, n.a);
  case BP_CHOICE: return choice_of (m->s, m->d, n.a);
  case BP_NOT: return aig_not (formula (m, (bp_expr){n.a}));
  case BP_AND: return aig_and (g, formula (m, (bp_expr){n.a}), formula (m, (bp_expr){n.b}));
  case BP_OR: return aig_or (g, formula (m, (bp_expr){n.a}), formula (m, (bp_expr){n.b}));
  case BP_XOR: return aig_xor (g, formula (m, (bp_expr){n.a}), formula (m, (bp_expr){n.b}));
  }
  BUG ("there should be no operator %u", n.op);
}

static aig_lit formula (const simulated_step *m, bp_expr x) {
  const uint64_t *known = map_find (&m->s->built, x.i);
  if (known) return (aig_lit){(uint32_t) *known};
  aig_lit made = build_formula (m, bp_node_at (m->s->layout->program, x));
  map_insert (&m->s->built, x.i, made.i, NULL);
  return made;
}

static simulated_step begin_statement (simulator *s, state_builder *d, uint32_t thread, bp_loc l) {
  map_clear (&s->built);
  vec_clear (&s->assigned);
  return (simulated_step){.s = s, .d = d, .thread = thread, .statement = bp_loc_at (s->layout->program, l)};
}

// ---- guards -----------------------------------------------------------------------------------------
void guard_add (const aig *g, aig_lits *guard, aig_lit x) {
  uint32_t first = guard->count;
  vec_push (guard, x);
  for (uint32_t i = first; i < guard->count;) {
    aig_lit y = guard->data[i];
    bool is_and = !(y.i & 1) && y.i && !aig_is_input (g, y.i / 2);
    if (y.i == AIG_TRUE.i) guard->data[i] = vec_pop (guard);
    else if (is_and) {
      guard->data[i] = g->nodes.data[y.i / 2].left;
      vec_push (guard, g->nodes.data[y.i / 2].right);
    } else i++;
  }
}

static void assume_condition (const simulated_step *m, bp_expr condition) {
  guard_add (&m->s->graph, &m->d->guard, formula (m, condition));
}

// ---- statements -------------------------------------------------------------------------------------
static void assign (const simulated_step *m) {
  simulator *s = m->s;
  for (uint32_t i = 0; i < m->statement->targets.count; i++) {
    aig_lit value = formula (m, m->statement->values.data[i]);
    vec_push (&s->assigned, value);
  }
  assume_condition (m, m->statement->condition);
  for (uint32_t i = 0; i < m->statement->targets.count; i++)
    m->d->values.data[layout_place (s->layout, m->thread, m->statement->targets.data[i].i)] = s->assigned.data[i];
}

static void swap_threads (const state_layout *l, state_builder *d, uint32_t a, uint32_t b) {
  uint32_t at = d->at.data[a], id = d->id.data[a];
  d->at.data[a] = d->at.data[b], d->id.data[a] = d->id.data[b];
  d->at.data[b] = at, d->id.data[b] = id;
  aig_lit *x = d->values.data + l->num_globals + (size_t) a * l->num_locals,
          *y = d->values.data + l->num_globals + (size_t) b * l->num_locals;
  for (uint32_t i = 0; i < l->num_locals; i++) {
    aig_lit t = x[i];
    x[i] = y[i], y[i] = t;
  }
}

// Sorts threads by location; threads at the same location keep their order.
static void sort_threads (const state_layout *l, state_builder *d) {
  for (uint32_t i = 1; i < d->at.count; i++)
    for (uint32_t k = i; k && d->at.data[k - 1] > d->at.data[k]; k--) swap_threads (l, d, k - 1, k);
}

static void add_sym_thread (const state_layout *l, state_builder *d, uint32_t creator, bp_loc at) {
  vec_push (&d->at, at.i);
  vec_push (&d->id, d->num_made++);
  for (uint32_t i = 0; i < l->num_locals; i++) {
    aig_lit value = d->values.data[l->num_globals + (size_t) creator * l->num_locals + i];
    vec_push (&d->values, value);
  }
}

static void remove_thread (const state_layout *l, state_builder *d, uint32_t t) {
  for (; t + 1 < d->at.count; t++) swap_threads (l, d, t, t + 1);
  d->at.count--;
  d->id.count--;
  d->values.count -= l->num_locals;
}

void simulate_start (simulator *s, state_builder *d) {
  const state_layout *l = s->layout;
  d->num_inputs = d->num_made = 0;
  vec_clear (&d->guard);
  vec_clear (&d->values);
  vec_clear (&d->at);
  vec_clear (&d->id);
  for (uint32_t i = 0; i < l->num_globals + l->num_locals; i++) vec_push (&d->values, AIG_FALSE);
  for (uint32_t v = 0; v < l->program->vars.count; v++) {
    aig_lit any = new_choice_input (s, d);
    if (bp_is_live (&l->live, l->program->start, (bp_var){v})) d->values.data[layout_place (l, 0, v)] = any;
  }
  vec_push (&d->at, l->program->start.i);
  vec_push (&d->id, d->num_made++);
}

uint32_t simulate_ways (const state_layout *l, bp_loc at) {
  const bp_location *d = bp_loc_at (l->program, at);
  return d->kind == BP_GOTO ? d->next.count : 1;
}

// An assignment that waits for nothing is a step of its own.
bool simulate_may_wait (const bp_program *p, const bp_location *d) {
  return d->kind == BP_ASSUME || (d->kind == BP_ASSIGN && !bp_is_const (p, d->condition, true));
}

bp_loc simulate_through (const state_layout *l, bp_loc at, uint32_t way) {
  const bp_location *d = bp_loc_at (l->program, at);
  if (simulate_may_wait (l->program, d)) return at;
  if (d->kind == BP_GOTO && simulate_may_wait (l->program, bp_loc_at (l->program, d->next.data[way])))
    return d->next.data[way];
  return (bp_loc){BP_NONE};
}

aig_lit simulate_condition (simulator *s, state_builder *d, uint32_t thread, uint32_t way) {
  bp_loc here = {d->at.data[thread]}, through = simulate_through (s->layout, here, way);
  vec_clear (&s->used);
  simulated_step m = begin_statement (s, d, thread, through.i == BP_NONE ? here : through);
  return formula (&m, m.statement->condition);
}

void simulate_globals_begin (simulator *s) { map_clear (&s->built); }
aig_lit simulate_globals (simulator *s, state_builder *d, bp_expr x) {
  return formula (&(simulated_step){.s = s, .d = d}, x);
}

simulated simulate_step (simulator *s, state_builder *d, uint32_t thread, uint32_t way) {
  const state_layout *l = s->layout;
  bp_loc here = {d->at.data[thread]}, through = simulate_through (l, here, way);
  const bp_location *at = bp_loc_at (l->program, here);
  vec_clear (&s->used);
  if (at->kind == BP_START_THREAD && d->at.count >= s->max_threads) return TOO_MANY_THREADS;
  if (at->kind == BP_END_THREAD) {
    remove_thread (l, d, thread);
    return STEPPED;
  }
  simulated_step m = begin_statement (s, d, thread, through.i == BP_NONE ? here : through);
  bp_loc next = at->kind == BP_GOTO && through.i == BP_NONE ? at->next.data[way] : m.statement->next.data[0];
  if (m.statement->kind == BP_ASSIGN) assign (&m);
  else if (at->kind == BP_ASSERT || through.i != BP_NONE) assume_condition (&m, m.statement->condition);
  if (at->kind == BP_START_THREAD) add_sym_thread (l, d, thread, at->thread);
  d->at.data[thread] = next.i;
  sort_threads (l, d);
  return STEPPED;
}
