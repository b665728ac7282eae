// Searches the product of program and automaton depth first for a strongly connected component with an accepting edge;
// with fairness, also with a step of each thread or a state where the thread cannot step. A run must meet these
// conditions again and again, so a component that meets all of them contains a run that does. The search works on the
// fly: components are merged as back edges close them, and the search ends as soon as one meets the conditions
// (Couvreur 1999, section 4, with his marks on edges and, for threads, on nodes as well).
#include "base/diag.h"
#include "engine/explicit/product.h"

typedef product_marks marks;

typedef struct product_component {
  uint32_t order;  // discovery order of its first node
  marks marks;     // marks of the edges and nodes inside the component
  marks arc;       // marks of the edge that leads into it
} product_component;

typedef struct product_dfs_entry {
  uint32_t node, next_edge;
} product_dfs_entry;

enum { UNSEEN = 0, CLOSED = IR_NONE };

typedef struct product_dfs {
  state_product *p;
  VEC (uint32_t) order;  // by node: from 1 on in order of discovery; CLOSED: its component is complete
  uint32_t count;
  VEC (product_dfs_entry) path;
  VEC (uint32_t) open;  // nodes of components that are not complete, in order of discovery
  VEC (product_component) roots;
} product_dfs;

// ---- the graph ----------------------------------------------------------------------------------------
static uint32_t node_number (state_product *p, product_node n) {
  bool is_new;
  uint32_t number =
      (uint32_t) *map_insert (&p->numbers, (uint64_t) n.observed << 32 | n.state, p->nodes.count, &is_new);
  if (is_new) vec_push (&p->nodes, n);
  return number;
}

// The edges of a node are numbered by the moves and, for each move, by the edges of the automaton, enabled or not. A
// run wakes up without a signal only finitely often: at some point it goes over to the second copy of the automaton,
// where no spurious wake-up happens and where alone edges accept.
bool xs_product_edge (state_product *p, uint32_t node, uint32_t *index, product_edge *out) {
  product_node n = p->nodes.data[node];
  uint32_t size = p->automaton->states.count;
  bool calm = n.state >= size, may_calm_down = p->may_wake && !calm;
  const buchi_state *q = &p->automaton->states.data[calm ? n.state - size : n.state];
  observed_states_expand (p->observed, n.observed);
  const observed_state *here = &p->observed->all.data[n.observed];
  uint32_t moves = here->stays ? 1 : here->num_moves, edges = moves * q->num_edges;
  for (; *index < edges << may_calm_down; ++*index) {
    const buchi_edge *e = &p->automaton->edges.data[q->first_edge + *index % q->num_edges];
    if (!buchi_enabled (e, here->letter)) continue;
    product_move m = {.target = n.observed, .slot = IR_NONE};
    if (!here->stays) m = p->observed->moves.data[here->first_move + *index % edges / q->num_edges];
    if (calm && m.spurious) continue;
    product_node next = {m.target, e->target + (calm || *index >= edges ? size : 0)};
    *out = (product_edge){node_number (p, next), m.slot, e->accepting && !may_calm_down, m.spurious};
    return true;
  }
  return false;
}

// ---- marks --------------------------------------------------------------------------------------------
void xs_product_join (product_marks *m, const product_marks *more) {
  m->accepting |= more->accepting;
  thread_set_join (&m->turns, &more->turns);
}

product_marks xs_product_marks (const product_edge *e) {
  marks m = {.accepting = e->accepting};
  if (e->slot != IR_NONE) thread_set_add (&m.turns, e->slot);
  return m;
}

bool xs_product_accepts (const state_product *p, const product_marks *m) {
  return m->accepting && (!p->fair || thread_set_is_full (&m->turns));
}

const thread_set *xs_product_idle (const state_product *p, uint32_t node) {
  return &p->observed->all.data[p->nodes.data[node].observed].idle;
}

// ---- the search ---------------------------------------------------------------------------------------
static uint32_t *discovery_order (product_dfs *s, uint32_t node) {
  while (s->order.count <= node) vec_push (&s->order, UNSEEN);
  return &s->order.data[node];
}

static void open_product_node (product_dfs *s, uint32_t node, marks arc) {
  *discovery_order (s, node) = ++s->count;
  observed_states_expand (s->p->observed, s->p->nodes.data[node].observed);
  product_component r = {.order = s->count, .arc = arc};
  r.marks.turns = *xs_product_idle (s->p, node);
  vec_push (&s->roots, r);
  vec_push (&s->open, node);
  vec_push (&s->path, ((product_dfs_entry){.node = node}));
}

// Handles an edge back to an open node: all components from there on become one. Returns whether it is accepting.
static bool merge_components (product_dfs *s, uint32_t order, marks m) {
  while (vec_last (&s->roots).order > order) {
    product_component top = vec_pop (&s->roots);
    xs_product_join (&m, &top.marks);
    xs_product_join (&m, &top.arc);
  }
  xs_product_join (&vec_last (&s->roots).marks, &m);
  return xs_product_accepts (s->p, &vec_last (&s->roots).marks);
}

static void close_product_node (product_dfs *s) {
  uint32_t node = vec_pop (&s->path).node;
  if (vec_last (&s->roots).order != *discovery_order (s, node)) return;
  uint32_t last;
  do {
    last = vec_pop (&s->open);
    *discovery_order (s, last) = CLOSED;
  } while (last != node);
  (void) vec_pop (&s->roots);
}

static void record_accepting_component (product_dfs *s) {
  uint32_t first = vec_last (&s->roots).order;
  for (uint32_t k = 0; k < s->open.count; k++)
    if (*discovery_order (s, s->open.data[k]) >= first) vec_push (&s->p->component, s->open.data[k]);
}

static bool follow_next_edge (product_dfs *s) {
  product_dfs_entry *top = &vec_last (&s->path);
  product_edge e;
  if (!xs_product_edge (s->p, top->node, &top->next_edge, &e)) {
    close_product_node (s);
    return false;
  }
  top->next_edge++;
  uint32_t order = *discovery_order (s, e.target);
  marks m = xs_product_marks (&e);
  if (order == UNSEEN) open_product_node (s, e.target, m);
  else if (order != CLOSED) return merge_components (s, order, m);
  return false;
}

bool xs_product_search (state_product *p) {
  product_dfs s = {.p = p};
  bool found = false;
  open_product_node (&s, 0, (marks){0});
  while (!found && s.path.count && !p->observed->stopped) found = follow_next_edge (&s);
  if (found) record_accepting_component (&s);
  vec_release (&s.order);
  vec_release (&s.path);
  vec_release (&s.open);
  vec_release (&s.roots);
  return found;
}

// ---- life cycle ---------------------------------------------------------------------------------------
static bool may_wake (const engine_run *r) {
  bool waits = false;
  for (uint32_t e = 0; e < r->program->edges.count; e++) waits |= r->program->edges.data[e].op == IR_COND_WAIT;
  return waits && r->task->semantics.spurious_wakeups;
}

void xs_product_init (state_product *p, observed_states *m, const buchi *automaton, bool fair) {
  *p = (state_product){.observed = m, .automaton = automaton, .fair = fair, .may_wake = may_wake (m->run)};
  node_number (p, (product_node){0, 0});
}

void xs_product_release (state_product *p) {
  map_release (&p->numbers);
  vec_release (&p->nodes);
  vec_release (&p->component);
}
