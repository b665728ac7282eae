// Breadth-first search of the product near its start: most runs that violate a formula can be found there, and then
// they are short. Each time the number of nodes has doubled, the graph met so far is divided into its strongly
// connected components, and each component is checked as in the depth-first search (product.c), which takes over when
// this search reaches its bound.
#include "base/scc.h"
#include "engine/explicit/product.h"

enum { FIRST_CHECK = 64, BFS_NODES = 20000 };

typedef struct bfs_edge {
  uint32_t from;
  product_edge edge;
} bfs_edge;

typedef struct bounded_bfs {
  state_product *p;
  VEC (bfs_edge) arrows;  // edges, in the order of their source nodes
  uint32_t num_nodes;     // number of nodes whose edges are known
} bounded_bfs;

static void expand_next_node (bounded_bfs *s) {
  bfs_edge a = {.from = s->num_nodes++};
  for (uint32_t i = 0; xs_product_edge (s->p, a.from, &i, &a.edge) && !s->p->observed->stopped; i++)
    vec_push (&s->arrows, a);
}

// ---- components ---------------------------------------------------------------------------------------
static void find_graph_components (const bounded_bfs *s, uint32_t *component) {
  uint32_t *first = mem_zalloc ((s->num_nodes + 1) * sizeof *first), count = 0, next = 0;
  uint32_t *targets = mem_alloc ((s->arrows.count + 1) * sizeof *targets);
  for (uint32_t node = 0; node < s->num_nodes; node++) {
    first[node] = count;
    for (; next < s->arrows.count && s->arrows.data[next].from == node; next++)
      if (s->arrows.data[next].edge.target < s->num_nodes) targets[count++] = s->arrows.data[next].edge.target;
  }
  first[s->num_nodes] = count;
  scc_find (s->num_nodes, first, targets, component);
  mem_free (first, (s->num_nodes + 1) * sizeof *first);
  mem_free (targets, (s->arrows.count + 1) * sizeof *targets);
}

static void collect_marks (const bounded_bfs *s, const uint32_t *component, product_marks *marks) {
  for (uint32_t node = 0; node < s->num_nodes; node++)
    thread_set_join (&marks[component[node]].turns, xs_product_idle (s->p, node));
  for (uint32_t k = 0; k < s->arrows.count; k++) {
    const bfs_edge *a = &s->arrows.data[k];
    if (a->edge.target >= s->num_nodes || component[a->from] != component[a->edge.target]) continue;
    product_marks inside = xs_product_marks (&a->edge);
    xs_product_join (&marks[component[a->from]], &inside);
  }
}

// Finds the accepting component that is met first.
static bool find_accepting_component (bounded_bfs *s) {
  size_t bytes = s->num_nodes * sizeof (uint32_t), marks_bytes = s->num_nodes * sizeof (product_marks);
  uint32_t *component = mem_alloc (bytes), found = IR_NONE;
  product_marks *marks = mem_zalloc (marks_bytes);
  find_graph_components (s, component);
  collect_marks (s, component, marks);
  for (uint32_t node = 0; node < s->num_nodes && found == IR_NONE; node++)
    if (xs_product_accepts (s->p, &marks[component[node]])) found = component[node];
  for (uint32_t node = 0; node < s->num_nodes && found != IR_NONE; node++)
    if (component[node] == found) vec_push (&s->p->component, node);
  mem_free (component, bytes);
  mem_free (marks, marks_bytes);
  return found != IR_NONE;
}

bounded_bfs_answer xs_product_bounded_bfs (state_product *p) {
  bounded_bfs s = {.p = p};
  bool found = false;
  for (uint32_t next_look = FIRST_CHECK; !found && !p->observed->stopped;) {
    bool all = s.num_nodes == p->nodes.count;
    if (all || s.num_nodes == next_look) {
      found = find_accepting_component (&s);
      next_look *= 2;
      if (all || s.num_nodes >= BFS_NODES) break;
    } else expand_next_node (&s);
  }
  bool all = s.num_nodes == p->nodes.count;
  vec_release (&s.arrows);
  return found ? BFS_FOUND : all ? BFS_NONE : BFS_OPEN;
}
