// Tarjan's depth-first search with its own stack: automata of procedures are long chains, too deep for recursion.
#include "base/scc.h"

#include "base/vec.h"

enum { UNSEEN = 0 };
#define SETTLED UINT32_MAX

typedef struct visit {
  uint32_t node, number, next;
} visit;  // next: index of the successor to visit next

typedef struct search {
  const uint32_t *first, *targets;
  uint32_t *component;
  uint32_t *low;  // [node]: UNSEEN, SETTLED, or the smallest number of a node known to be reachable from it
  uint32_t seen, components;
  VEC (visit) path;
  VEC (uint32_t) open;  // nodes visited whose component is not known yet
} search;

static void enter (search *s, uint32_t node) {
  s->low[node] = ++s->seen;
  vec_push (&s->open, node);
  vec_push (&s->path, ((visit){node, s->seen, s->first[node]}));
}

// All open nodes from `node` on are one component.
static void settle (search *s, uint32_t node) {
  uint32_t last;
  do {
    last = vec_pop (&s->open);
    s->low[last] = SETTLED;
    s->component[last] = s->components;
  } while (last != node);
  s->components++;
}

static void lower (search *s, uint32_t node, uint32_t to) {
  if (to < s->low[node]) s->low[node] = to;
}

static void leave (search *s) {
  visit v = vec_pop (&s->path);
  if (s->low[v.node] == v.number) settle (s, v.node);
  else lower (s, vec_last (&s->path).node, s->low[v.node]);
}

static void search_from (search *s, uint32_t root) {
  enter (s, root);
  while (s->path.count) {
    visit *v = &vec_last (&s->path);
    if (v->next == s->first[v->node + 1]) {
      leave (s);
      continue;
    }
    uint32_t node = v->node, to = s->targets[v->next++];
    if (s->low[to] == UNSEEN) enter (s, to);
    else if (s->low[to] != SETTLED) lower (s, node, s->low[to]);
  }
}

void scc_find (uint32_t count, const uint32_t *first, const uint32_t *targets, uint32_t *component) {
  search s = {.first = first, .targets = targets, .component = component};
  s.low = mem_zalloc (sizeof (uint32_t) * count);
  for (uint32_t n = 0; n < count; n++)
    if (s.low[n] == UNSEEN) search_from (&s, n);
  mem_free (s.low, sizeof (uint32_t) * count);
  vec_release (&s.path);
  vec_release (&s.open);
}
