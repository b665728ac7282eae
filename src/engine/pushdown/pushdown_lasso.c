// Infinite runs: strongly connected components, with an accepting link, of the graph of heads (Tarjan 1972).  Inside a
// loop that certainly terminates, no run takes the counting edge for ever.  So if a component stays in such a loop, its
// counting edge is removed, and the rest is searched for components again.  A component that leaves the loop, or calls
// ever deeper, is a run.
#include <string.h>

#include "engine/pushdown/pushdown_impl.h"

typedef VEC (uint32_t) numbers;
typedef struct component_part {
  uint32_t first, count;
} component_part;  // links, in lasso->pool

typedef struct lasso {
  thread_product *s;
  numbers pool;  // links of all parts still to be looked at
  VEC (component_part) parts;
  bounded_loops loops;  // of the procedures asked for so far
  map asked;
  arena *arena;
  // State of Tarjan's algorithm for the component that is searched, per head.
  uint32_t *first_link, *next_link;  // [head], [link]: lists of links by their source
  uint32_t *order, *low, *component;
  numbers stack, heads;
  uint32_t num_seen, num_components;
} lasso;

static ir_loc head_loc (const lasso *l, uint32_t head) {
  return place_loc (l->s->system, product_head (l->s, head).place);
}

static ir_edge link_edge (const lasso *l, uint32_t link) {
  return l->s->system->steps.data[l->s->links.data[link].step].edge;
}

// ---- strongly connected parts ------------------------------------------------------------------------

static void take_in_head (lasso *l, const uint32_t *links, uint32_t count) {
  vec_clear (&l->heads);
  for (uint32_t k = 0; k < count; k++) {
    const head_link *link = &l->s->links.data[links[k]];
    l->first_link[link->from] = l->first_link[link->to] = NONE;
    l->order[link->from] = l->order[link->to] = NONE;
    l->component[link->from] = l->component[link->to] = NONE;
    vec_push (&l->heads, link->from);
  }
  for (uint32_t k = count; k-- > 0;) {
    const head_link *link = &l->s->links.data[links[k]];
    l->next_link[links[k]] = l->first_link[link->from];
    l->first_link[link->from] = links[k];
  }
}

typedef struct component_visit {
  uint32_t head, link;
} component_visit;

static void enter_component (lasso *l, uint32_t head) {
  l->order[head] = l->low[head] = l->num_seen++;
  vec_push (&l->stack, head);
}

static void leave_component (lasso *l, uint32_t head) {
  if (l->low[head] != l->order[head]) return;
  uint32_t member;
  do {
    member = vec_pop (&l->stack);
    l->component[member] = l->num_components;
  } while (member != head);
  l->num_components++;
}

static uint32_t smaller (uint32_t a, uint32_t b) { return a < b ? a : b; }

static void find_components_from (lasso *l, uint32_t root) {
  VEC (component_visit) way = {0};
  enter_component (l, root);
  vec_push (&way, ((component_visit){root, l->first_link[root]}));
  while (way.count) {
    component_visit *v = &vec_last (&way);
    if (v->link == NONE) {
      uint32_t done = v->head;
      leave_component (l, done);
      way.count--;
      if (way.count) l->low[vec_last (&way).head] = smaller (l->low[vec_last (&way).head], l->low[done]);
      continue;
    }
    uint32_t from = v->head, to = l->s->links.data[v->link].to;
    v->link = l->next_link[v->link];
    if (l->order[to] == NONE) {
      enter_component (l, to);
      vec_push (&way, ((component_visit){to, l->first_link[to]}));
    } else if (l->component[to] == NONE) l->low[from] = smaller (l->low[from], l->order[to]);
  }
  vec_release (&way);
}

static void find_head_components (lasso *l, const uint32_t *links, uint32_t count) {
  take_in_head (l, links, count);
  l->num_seen = l->num_components = 0;
  for (uint32_t k = 0; k < l->heads.count; k++)
    if (l->order[l->heads.data[k]] == NONE) find_components_from (l, l->heads.data[k]);
}

static bool is_inside_component (const lasso *l, uint32_t link) {
  const head_link *k = &l->s->links.data[link];
  return l->component[k->from] == l->component[k->to];
}

// ---- can it be followed for ever? --------------------------------------------------------------------

static void ask_loops (lasso *l, ir_proc f) {
  bool is_new;
  map_insert (&l->asked, f.i, 0, &is_new);
  if (is_new) counting_loops_find (l->arena, l->s->system->program, l->s->system->loc_index, f, &l->loops);
}

static bool loop_has (const lasso *l, const bounded_loop *c, uint32_t head) {
  ir_loc at = head_loc (l, head);
  return ir_loc_at (l->s->system->program, at)->proc.i == c->proc.i && c->body[l->s->system->loc_index[at.i]];
}

// The links stay in the loop and count.
static bool counts_in_vain (const lasso *l, const bounded_loop *c, const uint32_t *links, uint32_t count) {
  bool steps = false;
  for (uint32_t k = 0; k < count; k++) {
    if (!loop_has (l, c, l->s->links.data[links[k]].from)) return false;
    steps |= link_edge (l, links[k]).i == c->step.i;
  }
  return steps;
}

// Removes the counting edges that the component cannot take for ever and queues the rest for another search.  False:
// the component can take all its links for ever.
static bool put_back_without_counting (lasso *l, const numbers *links) {
  bool blocked = false;
  numbers left = {0};
  for (uint32_t k = 0; k < links->count; k++) vec_push (&left, links->data[k]);
  for (uint32_t c = 0; c < l->loops.count; c++) {
    if (!counts_in_vain (l, &l->loops.data[c], links->data, links->count)) continue;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < left.count; k++)
      if (link_edge (l, left.data[k]).i != l->loops.data[c].step.i) left.data[kept++] = left.data[k];
    left.count = kept;
    blocked = true;
  }
  if (blocked) {
    vec_push (&l->parts, ((component_part){l->pool.count, left.count}));
    for (uint32_t k = 0; k < left.count; k++) vec_push (&l->pool, left.data[k]);
  }
  vec_release (&left);
  return blocked;
}

static bool component_recurs (const lasso *l, const numbers *links) {
  for (uint32_t k = 0; k < links->count; k++)
    if (l->s->links.data[links->data[k]].kind == LINK_CALL) return true;
  return false;
}

// ---- the cycle ---------------------------------------------------------------------------------------

// Appends a shortest path from one head to another over `links`.
static void add_link_way (lasso *l, const numbers *links, uint32_t from, uint32_t to) {
  if (from == to) return;
  take_in_head (l, links->data, links->count);
  uint32_t *came_by = l->order;  // [head]: link
  numbers queue = {0};
  vec_push (&queue, from);
  for (uint32_t k = 0; k < queue.count && came_by[to] == NONE; k++)
    for (uint32_t link = l->first_link[queue.data[k]]; link != NONE; link = l->next_link[link]) {
      uint32_t next = l->s->links.data[link].to;
      if (next == from || came_by[next] != NONE) continue;
      came_by[next] = link;
      vec_push (&queue, next);
    }
  vec_clear (&queue);
  for (uint32_t at = to; at != from; at = l->s->links.data[came_by[at]].from) vec_push (&queue, came_by[at]);
  while (queue.count) vec_push (&l->s->cycle, vec_pop (&queue));
  vec_release (&queue);
}

// The cycle takes the accepting link once, and leaves each terminating loop that it would otherwise stay in.
static void make_cycle (lasso *l, const numbers *links, uint32_t accepting) {
  thread_product *s = l->s;
  uint32_t start = s->links.data[accepting].from;
  s->end = RUN_LOOPS;
  s->last = s->head_data.data[start].item;
  vec_push (&s->cycle, accepting);
  add_link_way (l, links, s->links.data[accepting].to, start);
  for (uint32_t c = 0; c < l->loops.count; c++) {
    if (!counts_in_vain (l, &l->loops.data[c], s->cycle.data, s->cycle.count)) continue;
    for (uint32_t k = 0; k < links->count; k++) {
      uint32_t out = s->links.data[links->data[k]].from;
      if (loop_has (l, &l->loops.data[c], out)) continue;
      add_link_way (l, links, start, out);
      add_link_way (l, links, out, start);
      break;
    }
  }
}

// ---- all parts ---------------------------------------------------------------------------------------

static void look_at_component (lasso *l, const numbers *links) {
  uint32_t accepting = NONE;
  for (uint32_t k = 0; k < links->count && accepting == NONE; k++)
    if (l->s->links.data[links->data[k]].accepting) accepting = links->data[k];
  if (accepting == NONE) return;
  bool recursive = component_recurs (l, links);
  if (!recursive)
    ask_loops (l, ir_loc_at (l->s->system->program, head_loc (l, l->s->links.data[accepting].from))->proc);
  if (recursive || !put_back_without_counting (l, links)) make_cycle (l, links, accepting);
}

static void look_at_part (lasso *l, component_part p) {
  numbers links = {0};
  for (uint32_t k = 0; k < p.count; k++) vec_push (&links, l->pool.data[p.first + k]);
  find_head_components (l, links.data, links.count);
  numbers *members = mem_zalloc (sizeof *members * (l->num_components + 1));
  for (uint32_t k = 0; k < links.count; k++)
    if (is_inside_component (l, links.data[k]))
      vec_push (&members[l->component[l->s->links.data[links.data[k]].from]], links.data[k]);
  uint32_t count = l->num_components;
  for (uint32_t k = 0; k < count && l->s->end == RUN_NONE; k++) look_at_component (l, &members[k]);
  for (uint32_t k = 0; k < count; k++) vec_release (&members[k]);
  mem_free (members, sizeof *members * (count + 1));
  vec_release (&links);
}

static uint32_t *table_new (uint32_t count) { return mem_alloc (sizeof (uint32_t) * (count + 1)); }
static void table_free (uint32_t *table, uint32_t count) { mem_free (table, sizeof (uint32_t) * (count + 1)); }

void lasso_find (thread_product *s) {
  uint32_t heads = intern_count (&s->heads), links = s->links.count;
  lasso l = {.s = s, .arena = s->system->arena, .first_link = table_new (heads), .next_link = table_new (links)};
  l.order = table_new (heads);
  l.low = table_new (heads);
  l.component = table_new (heads);
  for (uint32_t k = 0; k < links; k++) vec_push (&l.pool, k);
  vec_push (&l.parts, ((component_part){0, links}));
  while (l.parts.count && s->end == RUN_NONE && !(s->stopped = budget_spent (s->budget) != NULL))
    look_at_part (&l, vec_pop (&l.parts));
  table_free (l.first_link, heads);
  table_free (l.next_link, links);
  table_free (l.order, heads);
  table_free (l.low, heads);
  table_free (l.component, heads);
  vec_release (&l.pool);
  vec_release (&l.parts);
  vec_release (&l.loops);
  vec_release (&l.stack);
  vec_release (&l.heads);
  map_release (&l.asked);
}
