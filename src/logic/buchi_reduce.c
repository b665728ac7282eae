// Reduces automata. First removes the states from which no word is accepted; then merges bisimilar states (the coarsest
// bisimulation, by partition refinement) and removes edges that another edge covers.
#include <stdlib.h>
#include <string.h>

#include "logic/logic_impl.h"

// ---- useless states ----------------------------------------------------------------------------------

typedef VEC (uint32_t) numbers;

static void mark_reachable_states (const buchi *b, uint32_t from, uint8_t *seen) {
  numbers todo = {0};
  vec_push (&todo, from);
  while (todo.count) {
    const buchi_state *s = &b->states.data[vec_pop (&todo)];
    for (uint32_t k = 0; k < s->num_edges; k++) {
      uint32_t to = b->edges.data[s->first_edge + k].target;
      if (seen[to]) continue;
      seen[to] = 1;
      vec_push (&todo, to);
    }
  }
  vec_release (&todo);
}

// Does an accepting edge of this state lie on a cycle?
static bool accepts_by_cycle (const buchi *b, uint32_t state, uint8_t *seen) {
  const buchi_state *s = &b->states.data[state];
  for (uint32_t k = 0; k < s->num_edges; k++) {
    const buchi_edge *e = &b->edges.data[s->first_edge + k];
    if (!e->accepting) continue;
    memset (seen, 0, b->states.count);
    seen[e->target] = 1;
    mark_reachable_states (b, e->target, seen);
    if (seen[state]) return true;
  }
  return false;
}

// useful[s]: some word, finite or infinite, is accepted from s. A backward search from the states that accept.
static void find_useful (const buchi *b, uint8_t *useful) {
  uint8_t *seen = mem_alloc (b->states.count);
  for (uint32_t s = 0; s < b->states.count; s++) useful[s] = b->states.data[s].final || accepts_by_cycle (b, s, seen);
  mem_free (seen, b->states.count);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < b->states.count; s++)
      for (uint32_t k = 0; k < b->states.data[s].num_edges && !useful[s]; k++)
        if (useful[b->edges.data[b->states.data[s].first_edge + k].target]) useful[s] = changed = true;
  }
}

// ---- rebuilding --------------------------------------------------------------------------------------

static int compare_edges (const void *x, const void *y) {
  const buchi_edge *a = x, *b = y;
  if (a->target != b->target) return a->target < b->target ? -1 : 1;
  if (a->positive != b->positive) return a->positive < b->positive ? -1 : 1;
  if (a->negative != b->negative) return a->negative < b->negative ? -1 : 1;
  return (int) b->accepting - (int) a->accepting;
}

static bool edge_covers (const buchi_edge *a, const buchi_edge *b) {
  return a->target == b->target && !(a->positive & ~b->positive) && !(a->negative & ~b->negative) &&
         a->accepting >= b->accepting;
}

static void add_edge_once (buchi *b, uint32_t first, buchi_edge e) {
  uint32_t kept = first;
  for (uint32_t k = first; k < b->edges.count; k++) {
    if (edge_covers (&b->edges.data[k], &e)) return;
    if (!edge_covers (&e, &b->edges.data[k])) b->edges.data[kept++] = b->edges.data[k];
  }
  b->edges.count = kept;
  vec_push (&b->edges, e);
}

// The edges of state s with class numbers as targets, sorted, to `to`; those to useless states are left out.
static void map_edges (const buchi *b, uint32_t s, const uint32_t *class, const uint8_t *useful, buchi *to) {
  const buchi_state *old = &b->states.data[s];
  uint32_t first = to->edges.count;
  for (uint32_t k = 0; k < old->num_edges; k++) {
    buchi_edge e = b->edges.data[old->first_edge + k];
    if (!useful[e.target]) continue;
    e.target = class[e.target];
    add_edge_once (to, first, e);
  }
  uint32_t count = to->edges.count - first;
  if (count) qsort (to->edges.data + first, count, sizeof *to->edges.data, compare_edges);
}

// ---- merging -----------------------------------------------------------------------------------------

// The signature of a state in the current partition, as bytes.
static void add_signature (const buchi *b, uint32_t s, const uint32_t *class, const uint8_t *useful, strbuf *out) {
  buchi edges = {0};
  map_edges (b, s, class, useful, &edges);
  strbuf_add_char (out, (char) (b->states.data[s].final | b->states.data[s].settled << 1));
  for (uint32_t k = 0; k < edges.edges.count; k++) {
    const buchi_edge *e = &edges.edges.data[k];
    strbuf_add_bytes (out, (const char *) &e->positive, sizeof e->positive);
    strbuf_add_bytes (out, (const char *) &e->negative, sizeof e->negative);
    strbuf_add_bytes (out, (const char *) &e->target, sizeof e->target);
    strbuf_add_char (out, (char) e->accepting);
  }
  buchi_release (&edges);
}

// One refinement; returns the number of classes.  State 0 always gets class 0.
static uint32_t refine_classes (const buchi *b, uint32_t *class, const uint8_t *useful) {
  intern table = {0};
  strbuf signature = {0};
  uint32_t *next = mem_alloc (sizeof *next * b->states.count);
  for (uint32_t s = 0; s < b->states.count; s++) {
    strbuf_clear (&signature);
    add_signature (b, s, class, useful, &signature);
    next[s] = useful[s] || !s ? intern_add (&table, signature.data, signature.count, NULL) : 0;
  }
  uint32_t count = intern_count (&table);
  memcpy (class, next, sizeof *next * b->states.count);
  mem_free (next, sizeof *next * b->states.count);
  strbuf_release (&signature);
  intern_release (&table);
  return count;
}

static void rebuild_automaton (buchi *b, const uint32_t *class, uint32_t num_classes, const uint8_t *useful) {
  buchi merged = {0};
  for (uint32_t c = 0; c < num_classes; c++) {
    uint32_t s = 0;
    while (class[s] != c || !(useful[s] || !s)) s++;
    buchi_state state = b->states.data[s];
    state.first_edge = merged.edges.count;
    map_edges (b, s, class, useful, &merged);
    state.num_edges = merged.edges.count - state.first_edge;
    vec_push (&merged.states, state);
  }
  buchi_release (b);
  *b = merged;
}

void buchi_reduce (buchi *b) {
  uint32_t count = b->states.count;
  uint8_t *useful = mem_alloc (count);
  uint32_t *class = mem_zalloc (sizeof *class * count);
  find_useful (b, useful);
  uint32_t classes = 1;
  for (uint32_t last = 0; last != classes;) {
    last = classes;
    classes = refine_classes (b, class, useful);
  }
  rebuild_automaton (b, class, classes, useful);
  mem_free (useful, count);
  mem_free (class, sizeof *class * count);
}
