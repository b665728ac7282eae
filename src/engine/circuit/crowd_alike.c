// Are the threads of a crowd alike?  Exchanging two of them is a renaming r of states and inputs: their private states, what they choose, which of them moves, and the owners of locks change places.  It must not matter whether
// one renames and then takes a step or the other way round, and whether something goes wrong must stay the same.  That is one question to a SAT solver for each two neighbours; they generate all exchanges.
// If a thread's number gets anywhere else, say as the address of one of its own objects in memory that others see, the answer is no.
#include "engine/circuit/crowd.h"

typedef struct exchange {
  crowds *c;
  uint32_t a, b;           // threads
  aig graph;               // two copies: of a step, and of the step after renaming
  VEC (aig_lit) plain;     // by node of the circuit's graph
  VEC (aig_lit) renamed;   // the same
  VEC (uint32_t) partner;  // by thread: with whom it changes places; IR_NONE: it stays
  aig_lit differs, assumed;
} exchange;

typedef VEC (term) term_list;

static uint32_t other (const exchange *x, uint32_t thread) {
  return thread == x->a ? x->b : thread == x->b ? x->a : thread;
}

static aig_lit of_plain (const exchange *x, aig_lit l) { return (aig_lit){x->plain.data[l.i / 2].i ^ (l.i & 1)}; }
static aig_lit of_renamed (const exchange *x, aig_lit l) { return (aig_lit){x->renamed.data[l.i / 2].i ^ (l.i & 1)}; }

// ---- inputs ------------------------------------------------------------------------------------------------------------------
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

// The renamed step has for the input `to` what the plain one has for `from`.
static bool rename_input (exchange *x, term to, term from) {
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
    for (uint32_t k = 0; same && k < to.count; k++) same = rename_input (x, to.data[k], from.data[k]);
    vec_release (&to);
    vec_release (&from);
  }
  return same;
}

// The scheduler's input; its values mean one thread each.
static void rename_who (exchange *x) {
  uint32_t threads = x->c->s->m->threads.count;
  unsigned bits = term_bits (&x->c->s->m->terms, x->c->s->who);
  const net_input *in = input_bits (x, x->c->s->who);
  crowd_word word = {{{0}}};
  crowd_names codes = {0};
  for (uint32_t t = 0; t < threads; t++) vec_push (&codes.code, t);
  x->assumed = AIG_FALSE;
  if (in) {
    for (unsigned k = 0; k < bits; k++) word.bit[k] = of_plain (x, in[k].now);
    for (uint32_t t = 0; t < threads; t++)
      x->assumed = aig_or (&x->graph, x->assumed, crowds_word_is (&x->graph, word.bit, bits, t));
    crowds_rename (&x->graph, &codes, bits, x->partner.data, &word);
    for (unsigned k = 0; k < bits; k++) x->renamed.data[in[k].now.i / 2] = word.bit[k];
  } else x->assumed = AIG_TRUE;
  vec_release (&codes.code);
}

// ---- states ------------------------------------------------------------------------------------------------------------------
// The renamed state, or the renamed next state, has this where the plain one has `bits` of each state.
static void renamed_state (exchange *x, uint32_t state, bool next, crowd_word *out) {
  crowds *c = x->c;
  uint32_t thread = c->thread.data[state];
  uint32_t from = thread == x->a || thread == x->b ? crowds_state (c, state, other (x, thread)) : state;
  const net_latch *l = &c->l->circuit.latches.data[c->l->latch_of.data[from]];
  unsigned bits = crowds_bits (c, state);
  for (unsigned k = 0; k < bits; k++) out->bit[k] = of_plain (x, next ? l[k].next : l[k].now);
  const crowd_names *n = crowds_names (c, state);
  if (n) crowds_rename (&x->graph, n, bits, x->partner.data, out);
}

static void rename_states (exchange *x) {
  crowds *c = x->c;
  crowd_word word;
  for (uint32_t k = 0; k < c->s->states.count; k++) {
    if (!crowds_state_matters (c, k)) continue;
    renamed_state (x, k, false, &word);
    const net_latch *l = &c->l->circuit.latches.data[c->l->latch_of.data[k]];
    for (unsigned b = 0; b < crowds_bits (c, k); b++) x->renamed.data[l[b].now.i / 2] = word.bit[b];
  }
}

static void differ (exchange *x, aig_lit a, aig_lit b) {
  x->differs = aig_or (&x->graph, x->differs, aig_xor (&x->graph, a, b));
}

static bool compare_states (exchange *x) {
  crowds *c = x->c;
  crowd_word word;
  bool same = true;
  for (uint32_t k = 0; k < c->s->states.count; k++) {
    if (!crowds_state_matters (c, k)) continue;
    const uint32_t first = c->l->latch_of.data[k];
    const net_latch *l = &c->l->circuit.latches.data[first];
    renamed_state (x, k, true, &word);
    uint32_t thread = c->thread.data[k];
    const net_latch *twin =
        thread == IR_NONE ? l
                          : &c->l->circuit.latches.data[c->l->latch_of.data[crowds_state (c, k, other (x, thread))]];
    for (unsigned b = 0; b < crowds_bits (c, k); b++) {
      if (!c->matters.data[first + b]) continue;
      same &= l[b].reset == twin[b].reset;
      differ (x, word.bit[b], of_renamed (x, l[b].next));
    }
  }
  return same;
}

// ---- one exchange --------------------------------------------------------------------------------------------------------------
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
  differ (x, plain, renamed);
  for (uint32_t k = 0; k < n->bads.count; k++)
    differ (x, of_plain (x, n->bads.data[k].holds), of_renamed (x, n->bads.data[k].holds));
}

static const char *try_exchange (crowds *c, uint32_t a, uint32_t b, const budget *limit) {
  static const char not_alike[] = "threads that are started in the same place are not alike";
  exchange x = {.c = c, .a = a, .b = b, .differs = AIG_FALSE, .assumed = AIG_TRUE};
  aig_init (&x.graph);
  for (uint32_t t = 0; t < c->s->m->threads.count; t++) vec_push (&x.partner, t == a ? b : t == b ? a : IR_NONE);
  copy_inputs (&x);
  const char *why = rename_choices (&x) ? NULL : not_alike;
  if (!why) {
    rename_who (&x);
    copy_gates (&x, false);
    rename_states (&x);
    copy_gates (&x, true);
    if (!compare_states (&x)) why = not_alike;
    compare_outputs (&x);
  }
  if (!why) {
    prove_answer answer = prove_never (&x.graph, aig_and (&x.graph, x.differs, x.assumed), limit);
    why = answer == PROVE_HOLDS      ? NULL
          : answer == PROVE_VIOLATED ? not_alike
                                     : "time ended before it was known whether threads are alike";
  }
  aig_release (&x.graph);
  vec_release (&x.plain);
  vec_release (&x.renamed);
  vec_release (&x.partner);
  return why;
}

const char *crowds_are_alike (crowds *c, const budget *b) {
  const char *why = NULL;
  for (uint32_t k = 0; k < c->list.count && !why; k++)
    for (uint32_t i = 0; i + 1 < c->size && !why; i++)
      why = try_exchange (c, c->list.data[k].threads[i], c->list.data[k].threads[i + 1], b);
  return why;
}
