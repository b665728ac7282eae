// Tables of replicated threads: which state belongs to which thread. The set of latches that matter is closed under
// exchange of threads: with a latch of one thread it has those of the others.
#include "engine/circuit/circuit_replicas.h"

#include "base/limits.h"
#include "engine/circuit/circuit_names.h"

unsigned replicas_bits (const replicas *c, uint32_t state) {
  return term_bits (&c->s->m->terms, c->s->states.data[state].now);
}

uint32_t replicas_state (const replicas *c, uint32_t state, uint32_t thread) {
  const uint64_t *at = map_find (&c->at, (uint64_t) c->twin.data[state] << 32 | thread);
  return at ? (uint32_t) *at : IR_NONE;
}

const replica_names *replicas_names (const replicas *c, uint32_t state) {
  for (uint32_t k = 0; k < c->names.count; k++)
    if (c->names.data[k].state == state) return &c->names.data[k];
  return NULL;
}

// ---- words ------------------------------------------------------------------------------------------
aig_lit replicas_word_is (aig *g, const aig_lit *word, unsigned bits, uint64_t value) {
  aig_lit all = AIG_TRUE;
  for (unsigned k = 0; k < bits; k++) all = aig_and (g, all, value >> k & 1 ? word[k] : aig_not (word[k]));
  return all;
}

void replicas_rename (aig *g, const replica_names *n, unsigned bits, const uint32_t *to, replica_word *word) {
  const replica_word before = *word;
  for (uint32_t t = 0; t < n->code.count; t++) {
    if (to[t] == IR_NONE || n->code.data[t] == IR_NONE) continue;
    aig_lit it = replicas_word_is (g, before.bit, bits, n->code.data[t]);
    for (unsigned k = 0; k < bits; k++)
      word->bit[k] = aig_mux (g, it, n->code.data[to[t]] >> k & 1 ? AIG_TRUE : AIG_FALSE, word->bit[k]);
  }
}

// ---- the thread of each state -----------------------------------------------------------------------
static const char *find_groups_of_replicas (replicas *c) {
  const efsm *m = c->s->m;
  for (uint32_t first = 0; first < m->threads.count; first++) {
    if (m->threads.data[first].crowd != first) continue;
    replica_group one = {{0}};
    uint32_t count = 0;
    for (uint32_t t = first; t < m->threads.count; t++)
      if (m->threads.data[t].crowd == first && count < c->size) one.threads[count++] = t;
    if (count < c->size) return "there are too many threads";
    vec_push (&c->list, one);
  }
  return NULL;
}

static void find_owners (replicas *c) {
  const efsm *m = c->s->m;
  for (uint32_t k = 0; k < c->s->states.count; k++) {
    const system_state *x = &c->s->states.data[k];
    uint32_t thread = IR_NONE, twin = IR_NONE;
    if (x->thread != IR_NONE && m->threads.data[x->thread].crowd != IR_NONE)
      thread = x->thread, twin = c->s->pc.data[m->threads.data[thread].crowd];
    else if (x->variable != IR_NONE && m->variables.data[x->variable].crowd_thread != IR_NONE) {
      const efsm_variable *v = &m->variables.data[x->variable];
      thread = v->crowd_thread;
      if (v->twin != IR_NONE) twin = c->s->state_of.data[v->twin];
    }
    vec_push (&c->thread, thread);
    vec_push (&c->twin, twin);
    if (twin != IR_NONE) map_insert (&c->at, (uint64_t) twin << 32 | thread, k, NULL);
  }
}

static const char *find_names (replicas *c) {
  const efsm *m = c->s->m;
  const char *why = NULL;
  naming names;
  naming_init (&names, c->s);
  for (uint32_t k = 0; k < c->s->states.count && !why; k++) {
    const system_state *x = &c->s->states.data[k];
    if (x->variable == IR_NONE || !m->variables.data[x->variable].names_thread) continue;
    replica_names n = {.state = k};
    uint32_t bits = replicas_bits (c, k), few = over_limit (CROWD_NAME_BITS, bits) ? LIMIT_CROWD_NAME_BITS : bits;
    for (uint32_t t = 0; t < m->threads.count; t++) vec_push (&n.code, IR_NONE);
    for (uint32_t code = 1u << few; code-- > 0;) {
      ir_value meaning = state_meaning (&names, k, code);
      if (meaning >= 1 && meaning <= m->threads.count) n.code.data[meaning - 1] = code;
    }
    vec_push (&c->names, n);
    if (bits > 64) why = "the owner of a lock is too large a word";
  }
  for (uint32_t k = 0; k < c->s->writers.count; k++) {
    replica_names n = {.state = c->s->writers.data[k].state};
    for (uint32_t t = 0; t < m->threads.count; t++) vec_push (&n.code, t + 1);
    vec_push (&c->names, n);
  }
  naming_release (&names);
  return why;
}

// ---- latches that matter ----------------------------------------------------------------------------
typedef VEC (uint32_t) work_list;

bool replicas_state_matters (const replicas *c, uint32_t state) {
  for (uint32_t b = 0; b < replicas_bits (c, state); b++)
    if (c->matters.data[c->l->latch_of.data[state] + b]) return true;
  return false;
}

static void need_node (replicas *c, work_list *work, aig_lit x) {
  if (c->node_matters.data[x.i / 2]) return;
  c->node_matters.data[x.i / 2] = 1;
  vec_push (work, x.i / 2);
}

static void need_latch (replicas *c, work_list *work, uint32_t latch) {
  const net_latch *l = &c->l->circuit.latches.data[latch];
  if (c->matters.data[latch]) return;
  c->matters.data[latch] = 1;
  need_node (c, work, l->now);
  need_node (c, work, l->next);
}

// Adds one bit of the state and of its twins to the work list; of a state that names threads, all bits.
static void need_bit (replicas *c, work_list *work, uint32_t state, uint32_t bit) {
  const uint32_t *first = c->l->latch_of.data;
  if (replicas_names (c, state))
    for (uint32_t b = 0; b < replicas_bits (c, state); b++) need_latch (c, work, first[state] + b);
  need_latch (c, work, first[state] + bit);
  if (c->twin.data[state] == IR_NONE) return;
  for (uint32_t k = 0; k < c->s->states.count; k++)
    if (c->twin.data[k] == c->twin.data[state] && bit < replicas_bits (c, k)) need_latch (c, work, first[k] + bit);
}

static uint32_t state_of_latch (const replicas *c, uint32_t latch) {
  uint32_t low = 0, high = c->l->latch_of.count;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (c->l->latch_of.data[middle] <= latch) low = middle;
    else high = middle;
  }
  return low;
}

static void follow_nodes (replicas *c, work_list *work) {
  const netlist *n = &c->l->circuit;
  while (work->count) {
    uint32_t node = vec_pop (work);
    if (node && !aig_is_input (&n->graph, node)) {
      need_node (c, work, n->graph.nodes.data[node].left);
      need_node (c, work, n->graph.nodes.data[node].right);
    }
    const uint64_t *kind = map_find (&n->of_node, node);
    if (!kind || !(*kind & 1)) continue;
    uint32_t latch = (uint32_t) (*kind / 2), state = state_of_latch (c, latch);
    need_bit (c, work, state, latch - c->l->latch_of.data[state]);
  }
}

static void mark_latches_that_matter (replicas *c) {
  const netlist *n = &c->l->circuit;
  work_list work = {0};
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&c->matters, 0);
  for (uint32_t k = 0; k < n->graph.nodes.count; k++) vec_push (&c->node_matters, 0);
  for (uint32_t k = 0; k < n->bads.count; k++) need_node (c, &work, n->bads.data[k].holds);
  for (uint32_t k = 0; k < n->constraints.count; k++) need_node (c, &work, n->constraints.data[k].holds);
  follow_nodes (c, &work);
  for (uint32_t k = 0; k < c->s->writers.count; k++)
    if (replicas_state_matters (c, c->s->writers.data[k].of)) need_bit (c, &work, c->s->writers.data[k].state, 0);
  follow_nodes (c, &work);
  vec_release (&work);
}

// ---- life cycle -------------------------------------------------------------------------------------
static const char *check_twins (const replicas *c) {
  for (uint32_t k = 0; k < c->s->states.count; k++) {
    if (c->thread.data[k] == IR_NONE || !replicas_state_matters (c, k)) continue;
    if (c->twin.data[k] == IR_NONE || replicas_bits (c, k) != replicas_bits (c, c->twin.data[k]))
      return "threads that are started in the same place are not symmetric";
  }
  return NULL;
}

// Checks that either all threads of a group may own the lock, or none.
static const char *check_names (const replicas *c) {
  for (uint32_t k = 0; k < c->names.count; k++)
    for (uint32_t w = 0; w < c->list.count; w++)
      for (uint32_t i = 1; i < c->size; i++) {
        const uint32_t *code = c->names.data[k].code.data, *thread = c->list.data[w].threads;
        if ((code[thread[i]] == IR_NONE) != (code[thread[0]] == IR_NONE))
          return "threads that are started in the same place own different locks";
      }
  return NULL;
}

const char *replicas_init (replicas *c, transition_system *s, lowered *l, uint32_t tracked) {
  *c = (replicas){.s = s, .l = l, .tracked = tracked, .size = tracked + 2};
  if (!l->is_exact) return "floats are any value";
  const char *why = find_groups_of_replicas (c);
  if (!why && !c->list.count) return "no thread is started again and again";
  if (why) return why;
  find_owners (c);
  why = find_names (c);
  if (why) return why;
  mark_latches_that_matter (c);
  why = check_twins (c);
  return why ? why : check_names (c);
}

void replicas_release (replicas *c) {
  for (uint32_t k = 0; k < c->names.count; k++) vec_release (&c->names.data[k].code);
  vec_release (&c->names);
  vec_release (&c->list);
  vec_release (&c->thread);
  vec_release (&c->twin);
  vec_release (&c->matters);
  vec_release (&c->node_matters);
  map_release (&c->at);
}
