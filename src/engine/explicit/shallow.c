// The product near its start, breadth first: most runs that break a formula show there, and then they are short.  Now and then, each time it has doubled, what has been
// met is divided into its strongly connected components, and each is looked at as the depth-first search does (product.c), which takes over where this one stops.
#include "base/scc.h"
#include "engine/explicit/product.h"

enum { FIRST_LOOK = 64, LOOKED_AT_NODES = 20000 };

typedef struct arrow {
  uint32_t from;
  product_edge edge;
} arrow;

typedef struct shallow {
  product *p;
  VEC (arrow) arrows;  // in order of their nodes
  uint32_t num_nodes;  // whose arrows are there
} shallow;

static void take_next (shallow *s) {
  arrow a = {.from = s->num_nodes++};
  for (uint32_t i = 0; xs_product_edge (s->p, a.from, &i, &a.edge) && !s->p->moments->stopped; i++)
    vec_push (&s->arrows, a);
}

// ---- components ----------------------------------------------------------------------------------------
static void find_components (const shallow *s, uint32_t *component) {
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

static void collect_marks (const shallow *s, const uint32_t *component, product_marks *marks) {
  for (uint32_t node = 0; node < s->num_nodes; node++)
    thread_set_join (&marks[component[node]].turns, xs_product_idle (s->p, node));
  for (uint32_t k = 0; k < s->arrows.count; k++) {
    const arrow *a = &s->arrows.data[k];
    if (a->edge.target >= s->num_nodes || component[a->from] != component[a->edge.target]) continue;
    product_marks inside = xs_product_marks (&a->edge);
    xs_product_join (&marks[component[a->from]], &inside);
  }
}

// Of the components that hold a run, the one that is met first.
static bool look (shallow *s) {
  size_t bytes = s->num_nodes * sizeof (uint32_t), marks_bytes = s->num_nodes * sizeof (product_marks);
  uint32_t *component = mem_alloc (bytes), found = IR_NONE;
  product_marks *marks = mem_zalloc (marks_bytes);
  find_components (s, component);
  collect_marks (s, component, marks);
  for (uint32_t node = 0; node < s->num_nodes && found == IR_NONE; node++)
    if (xs_product_accepts (s->p, &marks[component[node]])) found = component[node];
  for (uint32_t node = 0; node < s->num_nodes && found != IR_NONE; node++)
    if (component[node] == found) vec_push (&s->p->component, node);
  mem_free (component, bytes);
  mem_free (marks, marks_bytes);
  return found != IR_NONE;
}

shallow_answer xs_product_search_shallow (product *p) {
  shallow s = {.p = p};
  bool found = false;
  for (uint32_t next_look = FIRST_LOOK; !found && !p->moments->stopped;) {
    bool all = s.num_nodes == p->nodes.count;
    if (all || s.num_nodes == next_look) {
      found = look (&s);
      next_look *= 2;
      if (all || s.num_nodes >= LOOKED_AT_NODES) break;
    } else take_next (&s);
  }
  bool all = s.num_nodes == p->nodes.count;
  vec_release (&s.arrows);
  return found ? SHALLOW_FOUND : all ? SHALLOW_NONE : SHALLOW_OPEN;
}
