// Builds a run from an accepting component of the product. The stem is the shortest path from the start to a node of
// the component, among the nodes that the search has met. The loop repeatedly takes the shortest path inside the
// component to an edge that fulfils an open condition (an accepting edge, a turn of a thread), and finally returns to
// its first node.
#include "base/diag.h"
#include "engine/explicit/product.h"

typedef struct product_path_edge {
  uint32_t from;  // node
  product_edge edge;
} product_path_edge;
typedef VEC (product_path_edge) product_path;

typedef struct lasso_search {
  state_product *p;
  bool *inside;                   // by node: it belongs to the component
  uint32_t known;                 // nodes met by the search; no others are visited
  product_path_edge *reached_by;  // by node: the edge that reached it in the current breadth-first search
  uint32_t *seen;                 // by node: number of the last breadth-first search that has visited it
  uint32_t round;
  VEC (uint32_t) queue;
} lasso_search;

// Conditions that the loop must still fulfil.
typedef struct missing {
  bool accepting;
  thread_set turns;  // threads that have had their turn
} missing;

// ---- breadth first ------------------------------------------------------------------------------------
typedef bool goal_test (const lasso_search *, const product_path_edge *, const void *state);

static void append_bfs_path (const lasso_search *w, uint32_t start, product_path_edge last, product_path *out) {
  uint32_t first = out->count;
  vec_push (out, last);
  for (uint32_t at = last.from; at != start; at = w->reached_by[at].from) vec_push (out, w->reached_by[at]);
  for (uint32_t i = first, j = out->count - 1; i < j; i++, j--) {
    product_path_edge swap = out->data[i];
    out->data[i] = out->data[j];
    out->data[j] = swap;
  }
}

// Appends the shortest path from `start`, of at least one edge, whose last edge passes the test.
static bool find_shortest_path (lasso_search *w, uint32_t start, bool inside, goal_test *test, const void *state,
                                product_path *out) {
  vec_clear (&w->queue);
  vec_push (&w->queue, start);
  w->seen[start] = ++w->round;
  for (uint32_t k = 0; k < w->queue.count; k++) {
    uint32_t node = w->queue.data[k];
    product_path_edge h = {.from = node};
    if (!w->p->observed->all.data[w->p->nodes.data[node].observed].expanded) continue;
    for (uint32_t i = 0; xs_product_edge (w->p, node, &i, &h.edge); i++) {
      uint32_t target = h.edge.target;
      if (target >= w->known || (inside && !w->inside[target])) continue;
      if (test (w, &h, state)) {
        append_bfs_path (w, start, h, out);
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

// ---- the run ------------------------------------------------------------------------------------------

static void count_fulfilled (const lasso_search *w, missing *m, const product_path_edge *h) {
  if (h->edge.accepting) m->accepting = false;
  if (h->edge.slot != IR_NONE) thread_set_add (&m->turns, h->edge.slot);
  thread_set_join (&m->turns, xs_product_idle (w->p, h->edge.target));
}

static bool adds_something (const lasso_search *w, const product_path_edge *h, const void *state) {
  const missing *m = state;
  if (m->accepting && h->edge.accepting) return true;
  if (!w->p->fair) return false;
  missing after = *m;
  count_fulfilled (w, &after, h);
  for (unsigned k = 0; k < IR_MAX_THREADS / 64; k++)
    if (after.turns.words[k] != m->turns.words[k]) return true;
  return false;
}

static bool leads_to (const lasso_search *w, const product_path_edge *h, const void *state) {
  (void) w;
  return h->edge.target == *(const uint32_t *) state;
}

static bool leads_inside (const lasso_search *w, const product_path_edge *h, const void *state) {
  (void) state;
  return w->inside[h->edge.target];
}

static void find_run_loop (lasso_search *w, uint32_t start, product_path *out) {
  missing m = {.accepting = true, .turns = *xs_product_idle (w->p, start)};
  uint32_t at = start;
  while (m.accepting || (w->p->fair && !thread_set_is_full (&m.turns))) {
    uint32_t first = out->count;
    CHECK (find_shortest_path (w, at, true, adds_something, &m, out),
           "an accepting component should hold what it was accepted for");
    for (uint32_t k = first; k < out->count; k++) count_fulfilled (w, &m, &out->data[k]);
    at = vec_last (out).edge.target;
  }
  if (at != start) CHECK (find_shortest_path (w, at, true, leads_to, &start, out), "a component should be connected");
}

static void append_run_edges (lasso_search *w, const product_path *way, schedule *out) {
  observed_states *m = w->p->observed;
  for (uint32_t k = 0; k < way->count; k++) {
    const product_path_edge *h = &way->data[k];
    if (h->edge.slot == IR_NONE) continue;  // the program stays in the same state
    uint32_t from = w->p->nodes.data[h->from].observed, to = w->p->nodes.data[h->edge.target].observed;
    observed_states_append (m, from, (product_move){to, h->edge.slot, h->edge.spurious}, out);
  }
}

static void lasso_search_init (lasso_search *w, state_product *p) {
  *w = (lasso_search){.p = p, .known = p->nodes.count};
  w->inside = mem_zalloc (w->known);
  w->reached_by = mem_alloc (w->known * sizeof *w->reached_by);
  w->seen = mem_zalloc (w->known * sizeof *w->seen);
  for (uint32_t k = 0; k < p->component.count; k++) w->inside[p->component.data[k]] = true;
}

static void lasso_search_release (lasso_search *w) {
  mem_free (w->inside, w->known);
  mem_free (w->reached_by, w->known * sizeof *w->reached_by);
  mem_free (w->seen, w->known * sizeof *w->seen);
  vec_release (&w->queue);
}

static bool is_same_product_step (const lasso_search *w, const product_path_edge *a, const product_path_edge *b) {
  const product_node *n = w->p->nodes.data;
  return n[a->from].observed == n[b->from].observed && n[a->edge.target].observed == n[b->edge.target].observed &&
         a->edge.slot == b->edge.slot;
}

// Moves the common suffix of stem and loop into the loop.
static void move_suffix_into_loop (const lasso_search *w, product_path *stem, product_path *loop) {
  while (stem->count && loop->count && is_same_product_step (w, &vec_last (stem), &vec_last (loop))) {
    product_path_edge last = vec_last (loop);
    for (uint32_t k = loop->count - 1; k > 0; k--) loop->data[k] = loop->data[k - 1];
    loop->data[0] = last;
    stem->count--;
  }
}

void lasso_claim (state_product *p, claim *out) {
  lasso_search w;
  product_path stem = {0}, loop = {0};
  lasso_search_init (&w, p);
  *out = (claim){.property = IR_P_FORMULA, .is_run = true};
  uint32_t start = 0;
  if (!w.inside[0]) {
    CHECK (find_shortest_path (&w, 0, false, leads_inside, NULL, &stem), "an accepting component should be reachable");
    start = vec_last (&stem).edge.target;
  }
  find_run_loop (&w, start, &loop);
  move_suffix_into_loop (&w, &stem, &loop);
  append_run_edges (&w, &stem, &out->schedule);
  out->loop_from = schedule_edges (&out->schedule);
  append_run_edges (&w, &loop, &out->schedule);
  vec_release (&stem);
  vec_release (&loop);
  lasso_search_release (&w);
}
