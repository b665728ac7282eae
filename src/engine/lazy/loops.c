// A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993, figure 4): a linear order in
// which nested loops are contiguous and every edge leads forward, except those to the head of a loop around its origin.  It exists for every
// graph, also where goto leads into the midst of loops.
#include "engine/lazy/loops.h"

#include "base/diag.h"

typedef struct search {
  loops *loops;
  const ir_program *program;
  VEC (uint32_t) stack;
  VEC (uint32_t) order;  // backwards
  uint32_t *number;      // by location: of its visit, 0: none, IR_NONE: done
  uint32_t visits;
  uint32_t around;  // head of the loop that is looked into
} search;

void loops_init (loops *l, const ir_program *p) {
  *l = (loops){.program = p};
  for (uint32_t k = 0; k < p->locs.count; k++) {
    vec_push (&l->rank, IR_NONE);
    vec_push (&l->loop, IR_NONE);
    vec_push (&l->outer, IR_NONE);
    vec_push (&l->depth, 0);
    vec_push (&l->endless, 0);
  }
  for (uint32_t k = 0; k < p->procs.count; k++) vec_push (&l->known, 0);
}

void loops_release (loops *l) {
  vec_release (&l->rank);
  vec_release (&l->loop);
  vec_release (&l->outer);
  vec_release (&l->depth);
  vec_release (&l->known);
  vec_release (&l->endless);
}

static uint32_t visit (search *s, uint32_t location);

static uint32_t visit_successors (search *s, uint32_t location, uint32_t first, bool *is_loop) {
  const ir_loc_data *d = &s->program->locs.data[location];
  uint32_t head = first;
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++) {
    uint32_t to = s->program->edges.data[e].to.i;
    if (to == IR_NONE) continue;
    uint32_t reached = s->number[to] ? s->number[to] : visit (s, to);
    if (reached > head) continue;
    head = reached;
    *is_loop = true;
  }
  return head;
}

static void put (search *s, uint32_t location, uint32_t loop) {
  s->loops->loop.data[location] = loop;
  vec_push (&s->order, location);
}

// What can be reached from the head without leaving the loop, in an order of its own.
static void order_loop (search *s, uint32_t head) {
  uint32_t around = s->around;
  bool ignored = false;
  s->loops->outer.data[head] = around;
  s->around = head;
  visit_successors (s, head, 0, &ignored);
  s->around = around;
  put (s, head, head);
}

static uint32_t visit (search *s, uint32_t location) {
  bool is_loop = false;
  vec_push (&s->stack, location);
  uint32_t own = s->number[location] = ++s->visits;
  uint32_t head = visit_successors (s, location, own, &is_loop);
  if (head != own) return head;
  s->number[location] = IR_NONE;
  uint32_t member = vec_pop (&s->stack);
  if (!is_loop) {
    put (s, location, s->around);
    return head;
  }
  while (member != location) {
    s->number[member] = 0;
    member = vec_pop (&s->stack);
  }
  order_loop (s, location);
  return head;
}

static uint32_t depth_of (const loops *l, uint32_t location) {
  uint32_t depth = 0;
  for (uint32_t head = l->loop.data[location]; head != IR_NONE; head = l->outer.data[head]) depth++;
  return depth;
}

static bool leaves (const loops *l, uint32_t head, uint32_t location) {
  const ir_loc_data *d = &l->program->locs.data[location];
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++) {
    uint32_t to = l->program->edges.data[e].to.i;
    if (to == IR_NONE || !loops_contains (l, head, to)) return true;
  }
  return false;
}

static void find_endless (loops *l, const uint32_t *order, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) l->endless.data[order[k]] = l->loop.data[order[k]] == order[k];
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t h = l->loop.data[order[k]]; h != IR_NONE; h = l->outer.data[h])
      if (leaves (l, h, order[k])) l->endless.data[h] = 0;
}

void loops_need (loops *l, ir_proc f) {
  if (l->known.data[f.i]) return;
  l->known.data[f.i] = 1;
  search s = {.loops = l, .program = l->program, .around = IR_NONE};
  size_t bytes = sizeof *s.number * l->program->locs.count;
  s.number = mem_zalloc (bytes);
  visit (&s, ir_proc_at (l->program, f)->entry.i);
  for (uint32_t k = 0; k < s.order.count; k++) l->rank.data[s.order.data[k]] = s.order.count - 1 - k;
  for (uint32_t k = 0; k < s.order.count; k++) l->depth.data[s.order.data[k]] = depth_of (l, s.order.data[k]);
  find_endless (l, s.order.data, s.order.count);
  mem_free (s.number, bytes);
  vec_release (&s.stack);
  vec_release (&s.order);
}

bool loops_contains (const loops *l, uint32_t head, uint32_t location) {
  for (uint32_t h = l->loop.data[location]; h != IR_NONE; h = l->outer.data[h])
    if (h == head) return true;
  return false;
}
