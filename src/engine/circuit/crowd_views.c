// The system as it is seen by some threads of each crowd (prove/views.h).  A view has what is shared, with the owners of locks as these threads see them, and the private states of the threads.  One more thread of each crowd is any
// other; of the last one nothing is known.
#include "base/limits.h"
#include "engine/circuit/crowd.h"

enum { NUM_FOLLOWED = 3 };

// Who is where in a view: [crowd * followed + place] -> thread.
typedef VEC (uint32_t) places;

typedef struct viewing {
  crowds *c;
  views *out;
  places all;          // one after the other
  VEC (uint32_t) way;  // of one crowd: [way * followed + place] -> which of its threads
  uint32_t num_ways, num_sets, num_places;
  VEC (aig_lit) predicates;  // of the circuit, about such bits only
  map bit_of;                // node -> bit
} viewing;

// ---- ways to choose ------------------------------------------------------------------------------------------------------------
static void add_way (viewing *x, const uint32_t *who) {
  for (uint32_t p = 0; p < x->c->followed; p++) vec_push (&x->way, who[p]);
  x->num_ways++;
}

// All ways to put different threads into the places; those with everybody in his own place but one come first.
static void find_ways (viewing *x) {
  uint32_t k = x->c->followed, who[NUM_FOLLOWED], total = 1;
  for (uint32_t other = 0; other <= k; other++) {
    for (uint32_t p = 0; p < k; p++) who[p] = p + 1 == other ? k : p;
    add_way (x, who);
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
    if (differ && !(is_set && moved <= 1)) add_way (x, who);
  }
}

// Every crowd in any of its ways; first only those, or only not those, in which all are sets.
static void combine (viewing *x, bool sets) {
  uint32_t crowds_there = x->c->list.count, total = 1;
  for (uint32_t k = 0; k < crowds_there; k++) total *= x->num_ways;
  for (uint32_t number = 0; number < total; number++) {
    bool all_sets = true;
    for (uint32_t k = 0, rest = number; k < crowds_there; k++, rest /= x->num_ways)
      all_sets &= rest % x->num_ways < x->num_sets;
    if (all_sets != sets) continue;
    for (uint32_t k = 0, rest = number; k < crowds_there; k++, rest /= x->num_ways)
      for (uint32_t p = 0; p < x->c->followed; p++)
        vec_push (&x->all, x->c->list.data[k].threads[x->way.data[(size_t) (rest % x->num_ways) * x->c->followed + p]]);
    x->out->num_views++;
  }
}

// ---- bits --------------------------------------------------------------------------------------------------------------------
// The place of a thread in this view, or IR_NONE.
static uint32_t place_in (const viewing *x, uint32_t view, uint32_t thread) {
  for (uint32_t p = 0; p < x->num_places; p++)
    if (x->all.data[(size_t) view * x->num_places + p] == thread) return p;
  return IR_NONE;
}

static uint32_t thread_at (const viewing *x, uint32_t view, uint32_t place) {
  return x->all.data[(size_t) view * x->num_places + place];
}

static bool is_seen (const viewing *x, uint32_t state) {
  uint32_t thread = x->c->thread.data[state];
  return thread == IR_NONE || place_in (x, 0, thread) != IR_NONE;
}

static const net_latch *latches_of (const viewing *x, uint32_t state) {
  return &x->c->l->circuit.latches.data[x->c->l->latch_of.data[state]];
}

// Who is in the view gets the name of who is at this place in the first view; others of the crowd that of its last thread.
static void rename_owner (viewing *x, uint32_t view, const crowd_names *n, crowd_word *word) {
  const crowds *c = x->c;
  VEC (uint32_t) to = {0};
  for (uint32_t t = 0; t < c->s->m->threads.count; t++) vec_push (&to, IR_NONE);
  for (uint32_t k = 0; k < c->list.count; k++)
    for (uint32_t i = 0; i < c->size; i++) {
      uint32_t thread = c->list.data[k].threads[i], place = place_in (x, view, thread);
      to.data[thread] = place == IR_NONE ? c->list.data[k].threads[c->size - 1] : thread_at (x, 0, place);
    }
  crowds_rename (&x->c->l->circuit.graph, n, crowds_bits (c, n->state), to.data, word);
  vec_release (&to);
}

// The place of a thread, or the name of one.
static bool is_code (const viewing *x, uint32_t state) {
  return (x->c->s->states.data[state].thread != IR_NONE || crowds_names (x->c, state)) &&
         !over_limit (CROWD_CODE_BITS, crowds_bits (x->c, state));
}

static view_kind kind_of (const viewing *x, uint32_t state) {
  if (is_code (x, state)) return VIEW_CODE;
  return crowds_bits (x->c, state) >= CROWD_WORD_BITS ? VIEW_DIGIT : VIEW_FACT;
}

static void see_state (viewing *x, uint32_t view, uint32_t state, bool next) {
  uint32_t thread = x->c->thread.data[state],
           there = thread == IR_NONE ? state : crowds_state (x->c, state, thread_at (x, view, place_in (x, 0, thread)));
  const net_latch *l = latches_of (x, there);
  const crowd_names *n = crowds_names (x->c, state);
  unsigned bits = crowds_bits (x->c, state);
  crowd_word word;
  for (unsigned b = 0; b < bits; b++) word.bit[b] = next ? l[b].next : l[b].now;
  if (n) rename_owner (x, view, n, &word);
  for (unsigned b = 0; b < bits; b++) {
    if (!x->c->matters.data[x->c->l->latch_of.data[state] + b]) continue;
    if (next) vec_push (&x->out->next, word.bit[b]);
    else vec_push (&x->out->seen, word.bit[b]);
    if (!next) continue;
    vec_push (&x->out->reset, (uint8_t) latches_of (x, state)[b].reset);
    vec_push (&x->out->kind, (uint8_t) kind_of (x, state));
  }
}

static void see_all (viewing *x, uint32_t view, bool next) {
  for (uint32_t k = 0; k < x->c->s->states.count; k++)
    if (is_seen (x, k)) see_state (x, view, k, next);
}

// ---- predicates --------------------------------------------------------------------------------------------------------------
// The literal with the bits of the first view replaced by these; what it depends on else is none of theirs, and *about_bits false.
typedef struct replacing {
  viewing *x;
  const aig_lit *bits;
  map done;  // node -> literal
  bool about_bits;
} replacing;

static aig_lit replaced (replacing *r, aig_lit l) {
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
    aig_lit left = replaced (r, g->nodes.data[node].left), right = replaced (r, g->nodes.data[node].right);
    image = aig_and (g, left, right);
  }
  map_insert (&r->done, node, image.i, NULL);
  return (aig_lit){image.i ^ (l.i & 1)};
}

static aig_lit predicate_in (viewing *x, aig_lit predicate, const aig_lit *bits, bool *about_bits) {
  replacing r = {.x = x, .bits = bits, .about_bits = true};
  aig_lit image = replaced (&r, predicate);
  if (about_bits) *about_bits = r.about_bits;
  map_release (&r.done);
  return image;
}

// Which of its values a code has.
static void find_codes (viewing *x, uint32_t state) {
  const crowds *c = x->c;
  uint32_t thread = c->s->states.data[state].thread;
  unsigned bits = crowds_bits (c, state);
  uint64_t count = thread == IR_NONE ? (uint64_t) 1 << bits : (uint64_t) system_stuck_code (c->s, thread) + 1;
  crowd_word word;
  for (unsigned b = 0; b < bits; b++)
    word.bit[b] = c->matters.data[c->l->latch_of.data[state] + b] ? latches_of (x, state)[b].now : AIG_FALSE;
  for (uint64_t code = 0; code < count; code++) {
    aig_lit it = crowds_word_is (&c->l->circuit.graph, word.bit, bits, code);
    if (it.i > 1) vec_push (&x->predicates, it);
  }
}

static void find_predicates (viewing *x) {
  const crowds *c = x->c;
  VEC (aig_lit) now = {0};
  for (uint32_t k = 0; k < c->s->states.count; k++)
    for (unsigned b = 0; is_seen (x, k) && b < crowds_bits (c, k); b++) {
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
    if (is_seen (x, k) && is_code (x, k) && crowds_state_matters (c, k)) find_codes (x, k);
}

static void see_predicates (viewing *x, size_t first) {
  for (uint32_t k = 0; k < x->predicates.count; k++) {
    aig_lit image = predicate_in (x, x->predicates.data[k], x->out->seen.data + first, NULL);
    vec_push (&x->out->seen, image);
  }
}

static void foresee_predicates (viewing *x) {
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

// ---- steps -------------------------------------------------------------------------------------------------------------------
static bool is_last (const crowds *c, uint32_t thread) {
  for (uint32_t k = 0; k < c->list.count; k++)
    if (c->list.data[k].threads[c->size - 1] == thread) return true;
  return false;
}

// The one of whom nothing is known takes no step; whatever he does somebody else does in another view.
static aig_lit allowed (viewing *x) {
  netlist *n = &x->c->l->circuit;
  aig_lit all = AIG_TRUE, who = AIG_FALSE;
  for (uint32_t k = 0; k < n->constraints.count; k++) all = aig_and (&n->graph, all, n->constraints.data[k].holds);
  const uint64_t *first = map_find (&x->c->l->input_of, x->c->s->who.i);
  crowd_word word;
  unsigned bits = term_bits (&x->c->s->m->terms, x->c->s->who);
  for (unsigned b = 0; first && b < bits; b++) word.bit[b] = n->inputs.data[*first + b].now;
  for (uint32_t t = 0; first && t < x->c->s->m->threads.count; t++)
    if (!is_last (x->c, t)) who = aig_or (&n->graph, who, crowds_word_is (&n->graph, word.bit, bits, t));
  return first ? aig_and (&n->graph, all, who) : all;
}

static void find_choices (viewing *x) {
  const netlist *n = &x->c->l->circuit;
  for (uint32_t k = 0; k < n->inputs.count; k++)
    if (x->c->node_matters.data[n->inputs.data[k].now.i / 2]) vec_push (&x->out->choices, n->inputs.data[k].now);
  for (uint32_t k = 0; k < x->c->s->states.count; k++) {
    if (x->c->thread.data[k] == IR_NONE || !is_last (x->c, x->c->thread.data[k])) continue;
    for (unsigned b = 0; b < crowds_bits (x->c, k); b++)
      if (x->c->matters.data[x->c->l->latch_of.data[k] + b]) vec_push (&x->out->choices, latches_of (x, k)[b].now);
  }
}

void crowds_make_views (crowds *c, views *out) {
  netlist *n = &c->l->circuit;
  viewing x = {.c = c, .out = out, .num_places = c->followed * c->list.count};
  views_init (out, &n->graph);
  find_ways (&x);
  combine (&x, true);
  out->num_sets = out->num_views;
  combine (&x, false);
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
  find_choices (&x);
  vec_release (&x.all);
  vec_release (&x.way);
  vec_release (&x.predicates);
  map_release (&x.bit_of);
}
