// Checks that the threads of a group are symmetric. Exchanging two of them is a renaming r of states and inputs: their
// private states, their inputs, the scheduler's choice and the owners of locks are exchanged. A step after the renaming
// must give the same as the renaming after the step, and the bad states must stay the same. That is one query to a SAT
// solver for each two neighbours in the group; these exchanges generate all others. If the number of a thread gets to
// any other place, for example as the address of one of its own objects in memory that others read, the answer is no.
#include "engine/circuit/circuit_replicas.h"

typedef struct exchange {
  replicas *c;
  uint32_t a, b;           // threads
  aig graph;               // two copies of the circuit: a step, and the step after renaming
  VEC (aig_lit) plain;     // literal of the step, by node of the circuit's graph
  VEC (aig_lit) renamed;   // literal of the renamed step, by the same
  VEC (uint32_t) partner;  // by thread: the thread that it is exchanged with; IR_NONE: it stays
  aig_lit differs, assumed;
} exchange;

typedef VEC (term) term_list;

static uint32_t other (const exchange *x, uint32_t thread) {
  return thread == x->a ? x->b : thread == x->b ? x->a : thread;
}

static aig_lit of_plain (const exchange *x, aig_lit l) { return (aig_lit){x->plain.data[l.i / 2].i ^ (l.i & 1)}; }
static aig_lit of_renamed (const exchange *x, aig_lit l) { return (aig_lit){x->renamed.data[l.i / 2].i ^ (l.i & 1)}; }

// ---- inputs -----------------------------------------------------------------------------------------
static void choices_of (const efsm *m, uint32_t thread, term_list *out) {
  for (uint32_t k = 0; k < m->points.count; k++)
    for (uint32_t i = 0; i < m->points.data[k].steps.count && m->points.data[k].thread == thread; i++) {
      term choice = m->points.data[k].steps.data[i].choice;
      if (choice.i != TERM_NONE.i) vec_push (out, choice);
    }
}

static const net_input *input_bits (const exchange *x, term t) {
  const uint64_t *first = map_find (&x->c->l->input_of, t.i);
  return first ? &x->c->l->circuit.inputs.data[*first] : NULL;
}

static bool is_about_threads (const efsm *m, term t) {
  for (uint32_t k = 0; k < m->thread_choices.count; k++)
    if (m->thread_choices.data[k].i == t.i) return true;
  return false;
}

// Gives the input `to` of the renamed step the value of the input `from` of the original step.
static bool rename_step_input (exchange *x, term to, term from) {
  const efsm *m = x->c->s->m;
  const net_input *target = input_bits (x, to), *source = input_bits (x, from);
  unsigned bits = term_bits (&m->terms, to);
  bool of_threads = is_about_threads (m, to);
  if (bits != term_bits (&m->terms, from) || !target != !source || of_threads != is_about_threads (m, from))
    return false;
  for (unsigned k = 0; target && k < bits; k++)
    x->renamed.data[target[k].now.i / 2] =
        of_plain (x, source[of_threads && k < m->threads.count ? other (x, k) : k].now);
  return true;
}

static bool rename_choices (exchange *x) {
  const efsm *m = x->c->s->m;
  bool same = true;
  for (uint32_t t = 0; t < m->threads.count; t++) {
    term_list to = {0}, from = {0};
    choices_of (m, t, &to);
    choices_of (m, other (x, t), &from);
    same &= to.count == from.count;
    for (uint32_t k = 0; same && k < to.count; k++) same = rename_step_input (x, to.data[k], from.data[k]);
    vec_release (&to);
    vec_release (&from);
  }
  return same;
}

// Renames the scheduler's input, each value of which means one thread.
static void rename_scheduler_choice (exchange *x) {
  uint32_t threads = x->c->s->m->threads.count;
  unsigned bits = term_bits (&x->c->s->m->terms, x->c->s->scheduled);
  const net_input *in = input_bits (x, x->c->s->scheduled);
  replica_word word = {{{0}}};
  replica_names codes = {0};
  for (uint32_t t = 0; t < threads; t++) vec_push (&codes.code, t);
  x->assumed = AIG_FALSE;
  if (in) {
    for (unsigned k = 0; k < bits; k++) word.bit[k] = of_plain (x, in[k].now);
    for (uint32_t t = 0; t < threads; t++)
      x->assumed = aig_or (&x->graph, x->assumed, replicas_word_is (&x->graph, word.bit, bits, t));
    replicas_rename (&x->graph, &codes, bits, x->partner.data, &word);
    for (unsigned k = 0; k < bits; k++) x->renamed.data[in[k].now.i / 2] = word.bit[k];
  } else x->assumed = AIG_TRUE;
  vec_release (&codes.code);
}

// ---- states -----------------------------------------------------------------------------------------
// Computes a state, or its next value, of the renamed system from the `bits` of the states of the original one.
static void renamed_state (exchange *x, uint32_t state, bool next, replica_word *out) {
  replicas *c = x->c;
  uint32_t thread = c->thread.data[state];
  uint32_t from = thread == x->a || thread == x->b ? replicas_state (c, state, other (x, thread)) : state;
  const net_latch *l = &c->l->circuit.latches.data[c->l->latch_of.data[from]];
  unsigned bits = replicas_bits (c, state);
  for (unsigned k = 0; k < bits; k++) out->bit[k] = of_plain (x, next ? l[k].next : l[k].now);
  const replica_names *n = replicas_names (c, state);
  if (n) replicas_rename (&x->graph, n, bits, x->partner.data, out);
}

static void rename_states (exchange *x) {
  replicas *c = x->c;
  replica_word word;
  for (uint32_t k = 0; k < c->s->states.count; k++) {
    if (!replicas_state_matters (c, k)) continue;
    renamed_state (x, k, false, &word);
    const net_latch *l = &c->l->circuit.latches.data[c->l->latch_of.data[k]];
    for (unsigned b = 0; b < replicas_bits (c, k); b++) x->renamed.data[l[b].now.i / 2] = word.bit[b];
  }
}

static void require_equal_literals (exchange *x, aig_lit a, aig_lit b) {
  x->differs = aig_or (&x->graph, x->differs, aig_xor (&x->graph, a, b));
}

static bool compare_states (exchange *x) {
  replicas *c = x->c;
  replica_word word;
  bool same = true;
  for (uint32_t k = 0; k < c->s->states.count; k++) {
    if (!replicas_state_matters (c, k)) continue;
    const uint32_t first = c->l->latch_of.data[k];
    const net_latch *l = &c->l->circuit.latches.data[first];
    renamed_state (x, k, true, &word);
    uint32_t thread = c->thread.data[k];
    const net_latch *twin =
        thread == IR_NONE ? l
                          : &c->l->circuit.latches.data[c->l->latch_of.data[replicas_state (c, k, other (x, thread))]];
    for (unsigned b = 0; b < replicas_bits (c, k); b++) {
      if (!c->matters.data[first + b]) continue;
      same &= l[b].reset == twin[b].reset;
      require_equal_literals (x, word.bit[b], of_renamed (x, l[b].next));
    }
  }
  return same;
}

// ---- one exchange -----------------------------------------------------------------------------------
static void copy_inputs (exchange *x) {
  const aig *g = &x->c->l->circuit.graph;
  for (uint32_t k = 0; k < g->nodes.count; k++) {
    aig_lit in = k && aig_is_input (g, k) ? aig_input (&x->graph) : AIG_FALSE;
    vec_push (&x->plain, in);
    vec_push (&x->renamed, in);
  }
}

static void copy_gates (exchange *x, bool renamed) {
  const aig *g = &x->c->l->circuit.graph;
  for (uint32_t k = 1; k < g->nodes.count; k++) {
    if (aig_is_input (g, k)) continue;
    aig_node n = g->nodes.data[k];
    if (renamed) x->renamed.data[k] = aig_and (&x->graph, of_renamed (x, n.left), of_renamed (x, n.right));
    else x->plain.data[k] = aig_and (&x->graph, of_plain (x, n.left), of_plain (x, n.right));
  }
}

static void compare_outputs (exchange *x) {
  const netlist *n = &x->c->l->circuit;
  aig_lit plain = AIG_TRUE, renamed = AIG_TRUE;
  for (uint32_t k = 0; k < n->constraints.count; k++) {
    plain = aig_and (&x->graph, plain, of_plain (x, n->constraints.data[k].holds));
    renamed = aig_and (&x->graph, renamed, of_renamed (x, n->constraints.data[k].holds));
  }
  require_equal_literals (x, plain, renamed);
  for (uint32_t k = 0; k < n->bads.count; k++)
    require_equal_literals (x, of_plain (x, n->bads.data[k].holds), of_renamed (x, n->bads.data[k].holds));
}

static const char *try_exchange (replicas *c, uint32_t a, uint32_t b, const budget *limit) {
  static const char not_symmetric[] = "threads that are started in the same place are not symmetric";
  exchange x = {.c = c, .a = a, .b = b, .differs = AIG_FALSE, .assumed = AIG_TRUE};
  aig_init (&x.graph);
  for (uint32_t t = 0; t < c->s->m->threads.count; t++) vec_push (&x.partner, t == a ? b : t == b ? a : IR_NONE);
  copy_inputs (&x);
  const char *why = rename_choices (&x) ? NULL : not_symmetric;
  if (!why) {
    rename_scheduler_choice (&x);
    copy_gates (&x, false);
    rename_states (&x);
    copy_gates (&x, true);
    if (!compare_states (&x)) why = not_symmetric;
    compare_outputs (&x);
  }
  if (!why) {
    prove_answer answer = prove_never (&x.graph, aig_and (&x.graph, x.differs, x.assumed), limit);
    why = answer == PROVE_HOLDS      ? NULL
          : answer == PROVE_VIOLATED ? not_symmetric
                                     : "time ended before it was known whether the threads are symmetric";
  }
  aig_release (&x.graph);
  vec_release (&x.plain);
  vec_release (&x.renamed);
  vec_release (&x.partner);
  return why;
}

const char *replicas_are_symmetric (replicas *c, const budget *b) {
  const char *why = NULL;
  for (uint32_t k = 0; k < c->list.count && !why; k++)
    for (uint32_t i = 0; i + 1 < c->size && !why; i++)
      why = try_exchange (c, c->list.data[k].threads[i], c->list.data[k].threads[i + 1], b);
  return why;
}
