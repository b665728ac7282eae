// The product of program and automaton, searched depth first for a strongly connected component that holds an accepting edge; with fairness,
// also for each thread a moment where it cannot step or a step of it.  These are conditions that a run must meet again and again, so a component that
// meets all of them holds a run that does.  Found on the fly: components are merged as back edges close them, and the search ends as soon as one
// meets the conditions (Couvreur 1999, section 4, with his marks on edges and, for threads, on nodes as well).
#include "base/diag.h"
#include "engine/explicit/product.h"

typedef product_marks marks;

typedef struct root {
  uint32_t order;  // of its first node
  marks marks;     // inside the component
  marks arc;       // of the edge that leads into it
} root;

typedef struct visit {
  uint32_t node, next_edge;
} visit;

enum { UNSEEN = 0, CLOSED = IR_NONE };

typedef struct search_state {
  product *p;
  VEC (uint32_t) order;  // by node: from 1 on in order of discovery, CLOSED: its component is complete
  uint32_t count;
  VEC (visit) path;
  VEC (uint32_t) open;  // nodes of components that are not complete, in order of discovery
  VEC (root) roots;
} search_state;

// ---- the graph -----------------------------------------------------------------------------------------
static uint32_t node_number (product *p, product_node n) {
  bool is_new;
  uint32_t number = (uint32_t) *map_insert (&p->numbers, (uint64_t) n.moment << 32 | n.state, p->nodes.count, &is_new);
  if (is_new) vec_push (&p->nodes, n);
  return number;
}

// Edges are numbered by the moves, and for each by the edges of the automaton, enabled or not.  A run wakes up without a signal a number of times only: at
// some moment it goes over to the second copy of the automaton, where nothing wakes up like that and where alone edges accept.
bool xs_product_edge (product *p, uint32_t node, uint32_t *index, product_edge *out) {
  product_node n = p->nodes.data[node];
  uint32_t size = p->automaton->states.count;
  bool calm = n.state >= size, may_calm_down = p->may_wake && !calm;
  const buchi_state *q = &p->automaton->states.data[calm ? n.state - size : n.state];
  moments_expand (p->moments, n.moment);
  const moment *here = &p->moments->all.data[n.moment];
  uint32_t moves = here->stays ? 1 : here->num_moves, edges = moves * q->num_edges;
  for (; *index < edges << may_calm_down; ++*index) {
    const buchi_edge *e = &p->automaton->edges.data[q->first_edge + *index % q->num_edges];
    if (!buchi_enabled (e, here->letter)) continue;
    move m = {.target = n.moment, .slot = IR_NONE};
    if (!here->stays) m = p->moments->moves.data[here->first_move + *index % edges / q->num_edges];
    if (calm && m.spurious) continue;
    product_node next = {m.target, e->target + (calm || *index >= edges ? size : 0)};
    *out = (product_edge){node_number (p, next), m.slot, e->accepting && !may_calm_down, m.spurious};
    return true;
  }
  return false;
}

// ---- marks ---------------------------------------------------------------------------------------------
void xs_product_join (product_marks *m, const product_marks *more) {
  m->accepting |= more->accepting;
  thread_set_join (&m->turns, &more->turns);
}

product_marks xs_product_marks (const product_edge *e) {
  marks m = {.accepting = e->accepting};
  if (e->slot != IR_NONE) thread_set_add (&m.turns, e->slot);
  return m;
}

bool xs_product_accepts (const product *p, const product_marks *m) {
  return m->accepting && (!p->fair || thread_set_is_full (&m->turns));
}

const thread_set *xs_product_idle (const product *p, uint32_t node) {
  return &p->moments->all.data[p->nodes.data[node].moment].idle;
}

// ---- the search ----------------------------------------------------------------------------------------
static uint32_t *order_of (search_state *s, uint32_t node) {
  while (s->order.count <= node) vec_push (&s->order, UNSEEN);
  return &s->order.data[node];
}

static void enter (search_state *s, uint32_t node, marks arc) {
  *order_of (s, node) = ++s->count;
  moments_expand (s->p->moments, s->p->nodes.data[node].moment);
  root r = {.order = s->count, .arc = arc};
  r.marks.turns = *xs_product_idle (s->p, node);
  vec_push (&s->roots, r);
  vec_push (&s->open, node);
  vec_push (&s->path, ((visit){.node = node}));
}

// An edge leads back to an open node: all components from there on become one.
static bool merge (search_state *s, uint32_t order, marks m) {
  while (vec_last (&s->roots).order > order) {
    root top = vec_pop (&s->roots);
    xs_product_join (&m, &top.marks);
    xs_product_join (&m, &top.arc);
  }
  xs_product_join (&vec_last (&s->roots).marks, &m);
  return xs_product_accepts (s->p, &vec_last (&s->roots).marks);
}

static void leave (search_state *s) {
  uint32_t node = vec_pop (&s->path).node;
  if (vec_last (&s->roots).order != *order_of (s, node)) return;
  uint32_t last;
  do {
    last = vec_pop (&s->open);
    *order_of (s, last) = CLOSED;
  } while (last != node);
  (void) vec_pop (&s->roots);
}

static void keep_component (search_state *s) {
  uint32_t first = vec_last (&s->roots).order;
  for (uint32_t k = 0; k < s->open.count; k++)
    if (*order_of (s, s->open.data[k]) >= first) vec_push (&s->p->component, s->open.data[k]);
}

static bool go_on (search_state *s) {
  visit *top = &vec_last (&s->path);
  product_edge e;
  if (!xs_product_edge (s->p, top->node, &top->next_edge, &e)) {
    leave (s);
    return false;
  }
  top->next_edge++;
  uint32_t order = *order_of (s, e.target);
  marks m = xs_product_marks (&e);
  if (order == UNSEEN) enter (s, e.target, m);
  else if (order != CLOSED) return merge (s, order, m);
  return false;
}

bool xs_product_search (product *p) {
  search_state s = {.p = p};
  bool found = false;
  enter (&s, 0, (marks){0});
  while (!found && s.path.count && !p->moments->stopped) found = go_on (&s);
  if (found) keep_component (&s);
  vec_release (&s.order);
  vec_release (&s.path);
  vec_release (&s.open);
  vec_release (&s.roots);
  return found;
}

// ---- life cycle ----------------------------------------------------------------------------------------
static bool may_wake (const engine_run *r) {
  bool waits = false;
  for (uint32_t e = 0; e < r->program->edges.count; e++) waits |= r->program->edges.data[e].op == IR_COND_WAIT;
  return waits && r->task->semantics.spurious_wakeups;
}

void xs_product_init (product *p, moments *m, const buchi *automaton, bool fair) {
  *p = (product){.moments = m, .automaton = automaton, .fair = fair, .may_wake = may_wake (m->run)};
  node_number (p, (product_node){0, 0});
}

void xs_product_release (product *p) {
  map_release (&p->numbers);
  vec_release (&p->nodes);
  vec_release (&p->component);
}
