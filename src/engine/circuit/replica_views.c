// Makes the views of the system (prove/views.h). A view consists of the shared state, with the owners of locks as the
// tracked threads see them, and of the private states of these threads. One more thread of each group is an arbitrary
// other one; about the last thread of a group nothing is known.
#include "base/limits.h"
#include "engine/circuit/circuit_replicas.h"

enum { NUM_TRACKED = 3 };

// The threads in a view: [group * tracked + place] -> thread.
typedef VEC (uint32_t) thread_places;

typedef struct view_builder {
  replicas *c;
  views *out;
  thread_places all;   // the assignments of all views, one after the other
  VEC (uint32_t) way;  // assignments of one group: [way * tracked + place] -> index of its thread
  uint32_t num_ways, num_sets, num_places;
  VEC (aig_lit) predicates;  // those predicates of the circuit that only speak of bits of the view
  map bit_of;                // node -> bit
} view_builder;

// ---- assignments of threads -------------------------------------------------------------------------
static void add_assignment (view_builder *x, const uint32_t *who) {
  for (uint32_t p = 0; p < x->c->tracked; p++) vec_push (&x->way, who[p]);
  x->num_ways++;
}

// Enumerates all assignments of different threads to the places; those in which all but one thread keep their own place
// come first.
static void find_assignments (view_builder *x) {
  uint32_t k = x->c->tracked, who[NUM_TRACKED], total = 1;
  for (uint32_t other = 0; other <= k; other++) {
    for (uint32_t p = 0; p < k; p++) who[p] = p + 1 == other ? k : p;
    add_assignment (x, who);
  }
  x->num_sets = x->num_ways;
  for (uint32_t p = 0; p < k; p++) total *= k + 1;
  for (uint32_t number = 0; number < total; number++) {
    bool differ = true, is_set = true;
    uint32_t moved = 0;
    for (uint32_t p = 0, rest = number; p < k; p++, rest /= k + 1) {
      who[p] = rest % (k + 1);
      for (uint32_t q = 0; q < p; q++) differ &= who[q] != who[p];
      is_set &= who[p] == p || who[p] == k;
      moved += who[p] != p;
    }
    if (differ && !(is_set && moved <= 1)) add_assignment (x, who);
  }
}

// Combines the assignments of all groups. `sets`: only assignments that differ as sets of threads; else only the
// others, which are permutations of them.
static void combine_assignments (view_builder *x, bool sets) {
  uint32_t replicas_there = x->c->list.count, total = 1;
  for (uint32_t k = 0; k < replicas_there; k++) total *= x->num_ways;
  for (uint32_t number = 0; number < total; number++) {
    bool all_sets = true;
    for (uint32_t k = 0, rest = number; k < replicas_there; k++, rest /= x->num_ways)
      all_sets &= rest % x->num_ways < x->num_sets;
    if (all_sets != sets) continue;
    for (uint32_t k = 0, rest = number; k < replicas_there; k++, rest /= x->num_ways)
      for (uint32_t p = 0; p < x->c->tracked; p++)
        vec_push (&x->all, x->c->list.data[k].threads[x->way.data[(size_t) (rest % x->num_ways) * x->c->tracked + p]]);
    x->out->num_views++;
  }
}

// ---- bits -------------------------------------------------------------------------------------------
// Returns the place of a thread in this view, or IR_NONE.
static uint32_t place_in (const view_builder *x, uint32_t view, uint32_t thread) {
  for (uint32_t p = 0; p < x->num_places; p++)
    if (x->all.data[(size_t) view * x->num_places + p] == thread) return p;
  return IR_NONE;
}

static uint32_t thread_at (const view_builder *x, uint32_t view, uint32_t place) {
  return x->all.data[(size_t) view * x->num_places + place];
}

static bool is_state_in_view (const view_builder *x, uint32_t state) {
  uint32_t thread = x->c->thread.data[state];
  return thread == IR_NONE || place_in (x, 0, thread) != IR_NONE;
}

static const net_latch *latches_of (const view_builder *x, uint32_t state) {
  return &x->c->l->circuit.latches.data[x->c->l->latch_of.data[state]];
}

// Renames owners: a thread in the view gets the name of the thread that has its place in the first view; other threads
// of the group get the name of its last thread.
static void rename_owner (view_builder *x, uint32_t view, const replica_names *n, replica_word *word) {
  const replicas *c = x->c;
  VEC (uint32_t) to = {0};
  for (uint32_t t = 0; t < c->s->m->threads.count; t++) vec_push (&to, IR_NONE);
  for (uint32_t k = 0; k < c->list.count; k++)
    for (uint32_t i = 0; i < c->size; i++) {
      uint32_t thread = c->list.data[k].threads[i], place = place_in (x, view, thread);
      to.data[thread] = place == IR_NONE ? c->list.data[k].threads[c->size - 1] : thread_at (x, 0, place);
    }
  replicas_rename (&x->c->l->circuit.graph, n, replicas_bits (c, n->state), to.data, word);
  vec_release (&to);
}

// Is the state a program counter, or the name of a thread?
static bool is_code (const view_builder *x, uint32_t state) {
  return (x->c->s->states.data[state].thread != IR_NONE || replicas_names (x->c, state)) &&
         !over_limit (CROWD_CODE_BITS, replicas_bits (x->c, state));
}

static view_kind state_view_kind (const view_builder *x, uint32_t state) {
  if (is_code (x, state)) return VIEW_CODE;
  return replicas_bits (x->c, state) >= REPLICA_WORD_BITS ? VIEW_DIGIT : VIEW_FACT;
}

static void see_state (view_builder *x, uint32_t view, uint32_t state, bool next) {
  uint32_t thread = x->c->thread.data[state],
           there =
               thread == IR_NONE ? state : replicas_state (x->c, state, thread_at (x, view, place_in (x, 0, thread)));
  const net_latch *l = latches_of (x, there);
  const replica_names *n = replicas_names (x->c, state);
  unsigned bits = replicas_bits (x->c, state);
  replica_word word;
  for (unsigned b = 0; b < bits; b++) word.bit[b] = next ? l[b].next : l[b].now;
  if (n) rename_owner (x, view, n, &word);
  for (unsigned b = 0; b < bits; b++) {
    if (!x->c->matters.data[x->c->l->latch_of.data[state] + b]) continue;
    if (next) vec_push (&x->out->next, word.bit[b]);
    else vec_push (&x->out->seen, word.bit[b]);
    if (!next) continue;
    vec_push (&x->out->reset, (uint8_t) latches_of (x, state)[b].reset);
    vec_push (&x->out->kind, (uint8_t) state_view_kind (x, state));
  }
}

static void see_all (view_builder *x, uint32_t view, bool next) {
  for (uint32_t k = 0; k < x->c->s->states.count; k++)
    if (is_state_in_view (x, k)) see_state (x, view, k, next);
}

// ---- predicates -------------------------------------------------------------------------------------
// Replaces the bits of the first view in a literal by those of another view. If the literal depends on anything else,
// *about_bits becomes false.
typedef struct literal_replacement {
  view_builder *x;
  const aig_lit *bits;
  map done;  // node -> literal
  bool about_bits;
} literal_replacement;

static aig_lit replaced_literal (literal_replacement *r, aig_lit l) {
  aig *g = &r->x->c->l->circuit.graph;
  uint32_t node = l.i / 2;
  const uint64_t *known = map_find (&r->done, node);
  if (!node) return l;
  if (known) return (aig_lit){(uint32_t) *known ^ (l.i & 1)};
  aig_lit image = AIG_FALSE;
  if (aig_is_input (g, node)) {
    const uint64_t *bit = map_find (&r->x->bit_of, node);
    r->about_bits &= bit != NULL;
    if (bit) image = r->bits[*bit];
  } else {
    aig_lit left = replaced_literal (r, g->nodes.data[node].left),
            right = replaced_literal (r, g->nodes.data[node].right);
    image = aig_and (g, left, right);
  }
  map_insert (&r->done, node, image.i, NULL);
  return (aig_lit){image.i ^ (l.i & 1)};
}

static aig_lit predicate_in (view_builder *x, aig_lit predicate, const aig_lit *bits, bool *about_bits) {
  literal_replacement r = {.x = x, .bits = bits, .about_bits = true};
  aig_lit image = replaced_literal (&r, predicate);
  if (about_bits) *about_bits = r.about_bits;
  map_release (&r.done);
  return image;
}

// Adds the values that a code (a program counter or a thread's name) may have as conditions.
static void find_codes (view_builder *x, uint32_t state) {
  const replicas *c = x->c;
  uint32_t thread = c->s->states.data[state].thread;
  unsigned bits = replicas_bits (c, state);
  uint64_t count = thread == IR_NONE ? (uint64_t) 1 << bits : (uint64_t) system_stuck_code (c->s, thread) + 1;
  replica_word word;
  for (unsigned b = 0; b < bits; b++)
    word.bit[b] = c->matters.data[c->l->latch_of.data[state] + b] ? latches_of (x, state)[b].now : AIG_FALSE;
  for (uint64_t code = 0; code < count; code++) {
    aig_lit it = replicas_word_is (&c->l->circuit.graph, word.bit, bits, code);
    if (it.i > 1) vec_push (&x->predicates, it);
  }
}

static void find_predicates (view_builder *x) {
  const replicas *c = x->c;
  VEC (aig_lit) now = {0};
  for (uint32_t k = 0; k < c->s->states.count; k++)
    for (unsigned b = 0; is_state_in_view (x, k) && b < replicas_bits (c, k); b++) {
      if (!c->matters.data[c->l->latch_of.data[k] + b]) continue;
      map_insert (&x->bit_of, latches_of (x, k)[b].now.i / 2, now.count, NULL);
      vec_push (&now, latches_of (x, k)[b].now);
    }
  for (uint32_t k = 0; k < c->l->predicates.count; k++) {
    bool about_bits;
    predicate_in (x, c->l->predicates.data[k], now.data, &about_bits);
    if (about_bits && c->l->predicates.data[k].i > 1) vec_push (&x->predicates, c->l->predicates.data[k]);
  }
  vec_release (&now);
  for (uint32_t k = 0; k < c->s->states.count; k++)
    if (is_state_in_view (x, k) && is_code (x, k) && replicas_state_matters (c, k)) find_codes (x, k);
}

static void see_predicates (view_builder *x, size_t first) {
  for (uint32_t k = 0; k < x->predicates.count; k++) {
    aig_lit image = predicate_in (x, x->predicates.data[k], x->out->seen.data + first, NULL);
    vec_push (&x->out->seen, image);
  }
}

static void foresee_predicates (view_builder *x) {
  VEC (aig_lit) reset = {0};
  for (uint32_t b = 0; b < x->out->next.count; b++) {
    net_reset r = (net_reset) x->out->reset.data[b];
    vec_push (&reset, (r == NET_ANY ? x->out->seen.data[b] : r == NET_ONE ? AIG_TRUE : AIG_FALSE));
  }
  for (uint32_t k = 0; k < x->predicates.count; k++) {
    aig_lit image = predicate_in (x, x->predicates.data[k], x->out->next.data, NULL),
            first = predicate_in (x, x->predicates.data[k], reset.data, NULL);
    vec_push (&x->out->next, image);
    vec_push (&x->out->reset, (uint8_t) (first.i > 1 ? NET_ANY : first.i ? NET_ONE : NET_ZERO));
    vec_push (&x->out->kind, VIEW_FACT);
  }
  vec_release (&reset);
}

// ---- steps ------------------------------------------------------------------------------------------
static bool is_last_replica (const replicas *c, uint32_t thread) {
  for (uint32_t k = 0; k < c->list.count; k++)
    if (c->list.data[k].threads[c->size - 1] == thread) return true;
  return false;
}

// The thread about which nothing is known takes no step: what it does is a step of another thread in another view.
static aig_lit allowed (view_builder *x) {
  netlist *n = &x->c->l->circuit;
  aig_lit all = AIG_TRUE, moves = AIG_FALSE;
  for (uint32_t k = 0; k < n->constraints.count; k++) all = aig_and (&n->graph, all, n->constraints.data[k].holds);
  const uint64_t *first = map_find (&x->c->l->input_of, x->c->s->scheduled.i);
  replica_word word;
  unsigned bits = term_bits (&x->c->s->m->terms, x->c->s->scheduled);
  for (unsigned b = 0; first && b < bits; b++) word.bit[b] = n->inputs.data[*first + b].now;
  for (uint32_t t = 0; first && t < x->c->s->m->threads.count; t++)
    if (!is_last_replica (x->c, t)) moves = aig_or (&n->graph, moves, replicas_word_is (&n->graph, word.bit, bits, t));
  return first ? aig_and (&n->graph, all, moves) : all;
}

static void find_view_inputs (view_builder *x) {
  const netlist *n = &x->c->l->circuit;
  for (uint32_t k = 0; k < n->inputs.count; k++)
    if (x->c->node_matters.data[n->inputs.data[k].now.i / 2]) vec_push (&x->out->choices, n->inputs.data[k].now);
  for (uint32_t k = 0; k < x->c->s->states.count; k++) {
    if (x->c->thread.data[k] == IR_NONE || !is_last_replica (x->c, x->c->thread.data[k])) continue;
    for (unsigned b = 0; b < replicas_bits (x->c, k); b++)
      if (x->c->matters.data[x->c->l->latch_of.data[k] + b]) vec_push (&x->out->choices, latches_of (x, k)[b].now);
  }
}

void replicas_make_views (replicas *c, views *out) {
  netlist *n = &c->l->circuit;
  view_builder x = {.c = c, .out = out, .num_places = c->tracked * c->list.count};
  views_init (out, &n->graph);
  find_assignments (&x);
  combine_assignments (&x, true);
  out->num_sets = out->num_views;
  combine_assignments (&x, false);
  find_predicates (&x);
  for (uint32_t v = 0; v < out->num_views; v++) {
    size_t first = out->seen.count;
    see_all (&x, v, false);
    see_predicates (&x, first);
  }
  see_all (&x, 0, true);
  out->num_plain = out->next.count;
  foresee_predicates (&x);
  out->num_bits = out->next.count;
  out->allowed = allowed (&x);
  for (uint32_t k = 0; k < n->bads.count; k++) out->bad = aig_or (&n->graph, out->bad, n->bads.data[k].holds);
  find_view_inputs (&x);
  vec_release (&x.all);
  vec_release (&x.way);
  vec_release (&x.predicates);
  map_release (&x.bit_of);
}
