// Nesting of loops by a weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings",
// 1993, figure 4): a linear order in which nested loops are contiguous and every edge leads forward, except edges to
// the head of a loop that contains their origin. Such an order exists for every graph, also if goto jumps into the
// middle of a loop.
#include "engine/order/loops.h"

#include "base/diag.h"

typedef struct loop_search {
  loop_nesting *loops;
  const ir_program *program;
  VEC (uint32_t) stack;
  VEC (uint32_t) order;  // backwards
  uint32_t *number;      // by location: number of its visit; 0: not visited, IR_NONE: finished
  uint32_t visits;
  uint32_t around;  // head of the loop whose body is being ordered
} loop_search;

typedef struct loop_dfs_entry {
  uint32_t location, edge;  // edge: the next one to follow
  bool inside;              // the entry orders the body of the loop whose head is `location`
  uint32_t around;          // if `inside`: the loop around that loop
  uint32_t own, head;       // number of the visit, and the lowest number reachable from it
  bool is_loop;
} loop_dfs_entry;

void loops_init (loop_nesting *l, const ir_program *p) {
  *l = (loop_nesting){.program = p};
  for (uint32_t k = 0; k < p->locs.count; k++) {
    vec_push (&l->rank, IR_NONE);
    vec_push (&l->loop, IR_NONE);
    vec_push (&l->outer, IR_NONE);
    vec_push (&l->depth, 0);
    vec_push (&l->endless, 0);
  }
  for (uint32_t k = 0; k < p->procs.count; k++) {
    vec_push (&l->known, 0);
    vec_push (&l->deepest, 0);
  }
}

void loops_release (loop_nesting *l) {
  vec_release (&l->rank);
  vec_release (&l->loop);
  vec_release (&l->outer);
  vec_release (&l->depth);
  vec_release (&l->known);
  vec_release (&l->deepest);
  vec_release (&l->endless);
}

// The recursion of the paper with an explicit stack, since procedures may be long. An entry is either a visit of a
// location or the ordering of a loop's body, from its head.
static loop_dfs_entry new_frame (loop_search *s, uint32_t location, bool inside) {
  loop_dfs_entry f = {.location = location, .edge = s->program->locs.data[location].first_edge, .inside = inside};
  if (inside) {
    f.around = s->around;
    s->loops->outer.data[location] = s->around;
    s->around = location;
    return f;
  }
  vec_push (&s->stack, location);
  f.own = f.head = s->number[location] = ++s->visits;
  return f;
}

static void lower_reached_number (loop_dfs_entry *f, uint32_t number) {
  if (f->inside || number > f->head) return;
  f->head = number;
  f->is_loop = true;
}

// Returns the next successor that was not visited yet, or IR_NONE; records the visit numbers of the successors that
// were.
static uint32_t next_unvisited_successor (loop_search *s, loop_dfs_entry *f) {
  const ir_loc_data *d = &s->program->locs.data[f->location];
  while (f->edge < d->first_edge + d->num_edges) {
    uint32_t to = s->program->edges.data[f->edge++].to.i;
    if (to == IR_NONE) continue;
    if (!s->number[to]) return to;
    lower_reached_number (f, s->number[to]);
  }
  return IR_NONE;
}

static void append_to_order (loop_search *s, uint32_t location, uint32_t loop) {
  s->loops->loop.data[location] = loop;
  vec_push (&s->order, location);
}

static void reset_members (loop_search *s, uint32_t head) {
  while (vec_last (&s->stack) != head) s->number[vec_pop (&s->stack)] = 0;
  s->stack.count--;
}

// Returns true if the location is the head of a loop: then the ordering of the loop's body starts.
static bool finish_location (loop_search *s, loop_dfs_entry *f) {
  if (f->inside) {
    s->around = f->around;
    append_to_order (s, f->location, f->location);
    return false;
  }
  if (f->head != f->own) return false;
  s->number[f->location] = IR_NONE;
  reset_members (s, f->location);
  if (!f->is_loop) append_to_order (s, f->location, s->around);
  return f->is_loop;
}

static void traverse_locations (loop_search *s, uint32_t entry) {
  VEC (loop_dfs_entry) frames = {0};
  vec_push (&frames, new_frame (s, entry, false));
  while (frames.count) {
    uint32_t to = next_unvisited_successor (s, &vec_last (&frames));
    if (to != IR_NONE) {
      vec_push (&frames, new_frame (s, to, false));
      continue;
    }
    loop_dfs_entry done = vec_last (&frames);
    if (finish_location (s, &done)) {
      vec_last (&frames) = new_frame (s, done.location, true);
      vec_last (&frames).head = done.head;
      continue;
    }
    frames.count--;
    if (frames.count) lower_reached_number (&vec_last (&frames), done.head);
  }
  vec_release (&frames);
}

static uint32_t depth_of (const loop_nesting *l, uint32_t location) {
  uint32_t depth = 0;
  for (uint32_t head = l->loop.data[location]; head != IR_NONE; head = l->outer.data[head]) depth++;
  return depth;
}

static bool is_loop_left_at (const loop_nesting *l, uint32_t head, uint32_t location) {
  const ir_loc_data *d = &l->program->locs.data[location];
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++) {
    uint32_t to = l->program->edges.data[e].to.i;
    if (to == IR_NONE || !loops_contains (l, head, to)) return true;
  }
  return false;
}

static void find_endless (loop_nesting *l, const uint32_t *order, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) l->endless.data[order[k]] = l->loop.data[order[k]] == order[k];
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t h = l->loop.data[order[k]]; h != IR_NONE; h = l->outer.data[h])
      if (is_loop_left_at (l, h, order[k])) l->endless.data[h] = 0;
}

void loops_need (loop_nesting *l, ir_proc f) {
  if (l->known.data[f.i]) return;
  l->known.data[f.i] = 1;
  loop_search s = {.loops = l, .program = l->program, .around = IR_NONE};
  size_t bytes = sizeof *s.number * l->program->locs.count;
  s.number = mem_zalloc (bytes);
  traverse_locations (&s, ir_proc_at (l->program, f)->entry.i);
  for (uint32_t k = 0; k < s.order.count; k++) l->rank.data[s.order.data[k]] = s.order.count - 1 - k;
  for (uint32_t k = 0; k < s.order.count; k++) {
    uint32_t depth = l->depth.data[s.order.data[k]] = depth_of (l, s.order.data[k]);
    if (depth > l->deepest.data[f.i]) l->deepest.data[f.i] = depth;
  }
  find_endless (l, s.order.data, s.order.count);
  mem_free (s.number, bytes);
  vec_release (&s.stack);
  vec_release (&s.order);
}

bool loops_contains (const loop_nesting *l, uint32_t head, uint32_t location) {
  for (uint32_t h = l->loop.data[location]; h != IR_NONE; h = l->outer.data[h])
    if (h == head) return true;
  return false;
}
