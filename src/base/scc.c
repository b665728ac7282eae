// Tarjan's depth-first search with its own stack: automata of procedures are long chains, too deep for recursion.
#include "base/scc.h"

#include "base/vec.h"

enum { UNSEEN = 0 };
#define SETTLED UINT32_MAX

typedef struct scc_dfs_entry {
  uint32_t node, number, next;
} scc_dfs_entry;  // next: index of the successor to visit next

typedef struct scc_search {
  const uint32_t *first, *targets;
  uint32_t *component;
  uint32_t *low;  // [node]: UNSEEN, SETTLED, or the smallest number of a node known to be reachable from it
  uint32_t seen, components;
  VEC (scc_dfs_entry) path;
  VEC (uint32_t) open;  // nodes visited whose component is not known yet
} scc_search;

static void enter_node (scc_search *s, uint32_t node) {
  s->low[node] = ++s->seen;
  vec_push (&s->open, node);
  vec_push (&s->path, ((scc_dfs_entry){node, s->seen, s->first[node]}));
}

// All open nodes from `node` on are one component.
static void close_scc (scc_search *s, uint32_t node) {
  uint32_t last;
  do {
    last = vec_pop (&s->open);
    s->low[last] = SETTLED;
    s->component[last] = s->components;
  } while (last != node);
  s->components++;
}

static void lower_number (scc_search *s, uint32_t node, uint32_t to) {
  if (to < s->low[node]) s->low[node] = to;
}

static void leave_node (scc_search *s) {
  scc_dfs_entry v = vec_pop (&s->path);
  if (s->low[v.node] == v.number) close_scc (s, v.node);
  else lower_number (s, vec_last (&s->path).node, s->low[v.node]);
}

static void search_components (scc_search *s, uint32_t root) {
  enter_node (s, root);
  while (s->path.count) {
    scc_dfs_entry *v = &vec_last (&s->path);
    if (v->next == s->first[v->node + 1]) {
      leave_node (s);
      continue;
    }
    uint32_t node = v->node, to = s->targets[v->next++];
    if (s->low[to] == UNSEEN) enter_node (s, to);
    else if (s->low[to] != SETTLED) lower_number (s, node, s->low[to]);
  }
}

void scc_find (uint32_t count, const uint32_t *first, const uint32_t *targets, uint32_t *component) {
  scc_search s = {.first = first, .targets = targets, .component = component};
  s.low = mem_zalloc (sizeof (uint32_t) * count);
  for (uint32_t n = 0; n < count; n++)
    if (s.low[n] == UNSEEN) search_components (&s, n);
  mem_free (s.low, sizeof (uint32_t) * count);
  vec_release (&s.path);
  vec_release (&s.open);
}
