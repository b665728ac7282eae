// From an accepting component of the product to a run: the shortest way from the start to one of its nodes, among the nodes that the search has
// met; from there, always the shortest way inside the component to what is still missing (an accepting edge, a thread's turn); and back to where
// the loop began.
#include "base/diag.h"
#include "engine/explicit/product.h"

typedef struct hop {
  uint32_t from;  // node
  product_edge edge;
} hop;
typedef VEC (hop) hops;

typedef struct walker {
  product *p;
  bool *inside;     // by node: of the component
  uint32_t known;   // nodes met by the search: no others are visited
  hop *reached_by;  // by node, in the current breadth-first search
  uint32_t *seen;   // by node: number of the search that has seen it last
  uint32_t round;
  VEC (uint32_t) queue;
} walker;

// What the loop must still do.
typedef struct missing {
  bool accepting;
  thread_set turns;  // those that had theirs
} missing;

// ---- breadth first -------------------------------------------------------------------------------------
typedef bool goal_test (const walker *, const hop *, const void *state);

static void collect (const walker *w, uint32_t start, hop last, hops *out) {
  uint32_t first = out->count;
  vec_push (out, last);
  for (uint32_t at = last.from; at != start; at = w->reached_by[at].from) vec_push (out, w->reached_by[at]);
  for (uint32_t i = first, j = out->count - 1; i < j; i++, j--) {
    hop swap = out->data[i];
    out->data[i] = out->data[j];
    out->data[j] = swap;
  }
}

// Appends the shortest way from `start`, over at least one edge, to an edge that passes the test.
static bool find_way (walker *w, uint32_t start, bool inside, goal_test *test, const void *state, hops *out) {
  vec_clear (&w->queue);
  vec_push (&w->queue, start);
  w->seen[start] = ++w->round;
  for (uint32_t k = 0; k < w->queue.count; k++) {
    uint32_t node = w->queue.data[k];
    hop h = {.from = node};
    if (!w->p->moments->all.data[w->p->nodes.data[node].moment].expanded) continue;
    for (uint32_t i = 0; xs_product_edge (w->p, node, &i, &h.edge); i++) {
      uint32_t target = h.edge.target;
      if (target >= w->known || (inside && !w->inside[target])) continue;
      if (test (w, &h, state)) {
        collect (w, start, h, out);
        return true;
      }
      if (w->seen[target] == w->round) continue;
      w->seen[target] = w->round;
      w->reached_by[target] = h;
      vec_push (&w->queue, target);
    }
  }
  return false;
}

// ---- the run -------------------------------------------------------------------------------------------

static void do_hop (const walker *w, missing *m, const hop *h) {
  if (h->edge.accepting) m->accepting = false;
  if (h->edge.slot != IR_NONE) thread_set_add (&m->turns, h->edge.slot);
  thread_set_join (&m->turns, xs_product_idle (w->p, h->edge.target));
}

static bool adds_something (const walker *w, const hop *h, const void *state) {
  const missing *m = state;
  if (m->accepting && h->edge.accepting) return true;
  if (!w->p->fair) return false;
  missing after = *m;
  do_hop (w, &after, h);
  for (unsigned k = 0; k < IR_MAX_THREADS / 64; k++)
    if (after.turns.words[k] != m->turns.words[k]) return true;
  return false;
}

static bool leads_to (const walker *w, const hop *h, const void *state) {
  (void) w;
  return h->edge.target == *(const uint32_t *) state;
}

static bool leads_inside (const walker *w, const hop *h, const void *state) {
  (void) state;
  return w->inside[h->edge.target];
}

static void find_loop (walker *w, uint32_t start, hops *out) {
  missing m = {.accepting = true, .turns = *xs_product_idle (w->p, start)};
  uint32_t at = start;
  while (m.accepting || (w->p->fair && !thread_set_is_full (&m.turns))) {
    uint32_t first = out->count;
    CHECK (find_way (w, at, true, adds_something, &m, out),
           "an accepting component should hold what it was accepted for");
    for (uint32_t k = first; k < out->count; k++) do_hop (w, &m, &out->data[k]);
    at = vec_last (out).edge.target;
  }
  if (at != start) CHECK (find_way (w, at, true, leads_to, &start, out), "a component should be connected");
}

static void append (walker *w, const hops *way, schedule *out) {
  moments *m = w->p->moments;
  for (uint32_t k = 0; k < way->count; k++) {
    const hop *h = &way->data[k];
    if (h->edge.slot == IR_NONE) continue;  // it stays
    uint32_t from = w->p->nodes.data[h->from].moment, to = w->p->nodes.data[h->edge.target].moment;
    moments_append (m, from, (move){to, h->edge.slot, h->edge.spurious}, out);
  }
}

static void walker_init (walker *w, product *p) {
  *w = (walker){.p = p, .known = p->nodes.count};
  w->inside = mem_zalloc (w->known);
  w->reached_by = mem_alloc (w->known * sizeof *w->reached_by);
  w->seen = mem_zalloc (w->known * sizeof *w->seen);
  for (uint32_t k = 0; k < p->component.count; k++) w->inside[p->component.data[k]] = true;
}

static void walker_release (walker *w) {
  mem_free (w->inside, w->known);
  mem_free (w->reached_by, w->known * sizeof *w->reached_by);
  mem_free (w->seen, w->known * sizeof *w->seen);
  vec_release (&w->queue);
}

static bool same_step (const walker *w, const hop *a, const hop *b) {
  const product_node *n = w->p->nodes.data;
  return n[a->from].moment == n[b->from].moment && n[a->edge.target].moment == n[b->edge.target].moment &&
         a->edge.slot == b->edge.slot;
}

// What the stem does at its end as the loop does at its own belongs to the loop.
static void shorten (const walker *w, hops *stem, hops *loop) {
  while (stem->count && loop->count && same_step (w, &vec_last (stem), &vec_last (loop))) {
    hop last = vec_last (loop);
    for (uint32_t k = loop->count - 1; k > 0; k--) loop->data[k] = loop->data[k - 1];
    loop->data[0] = last;
    stem->count--;
  }
}

void lasso_claim (product *p, claim *out) {
  walker w;
  hops stem = {0}, loop = {0};
  walker_init (&w, p);
  *out = (claim){.property = IR_P_FORMULA, .is_run = true};
  uint32_t start = 0;
  if (!w.inside[0]) {
    CHECK (find_way (&w, 0, false, leads_inside, NULL, &stem), "an accepting component should be reachable");
    start = vec_last (&stem).edge.target;
  }
  find_loop (&w, start, &loop);
  shorten (&w, &stem, &loop);
  append (&w, &stem, &out->schedule);
  out->loop_from = schedule_edges (&out->schedule);
  append (&w, &loop, &out->schedule);
  vec_release (&stem);
  vec_release (&loop);
  walker_release (&w);
}
