// A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993, figure 4): a linear order in
// which nested loops are contiguous and every edge leads forward, except those to the head of a loop around its origin.  It exists for every
// graph, also where goto leads into the midst of loops.
#include "engine/order/loops.h"

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

typedef struct frame {
  uint32_t location, edge;  // the next one to follow
  bool inside;              // of the loop whose head it is
  uint32_t around;          // inside: the loop around that loop
  uint32_t own, head;       // number of the visit, and the lowest that is reached from it
  bool is_loop;
} frame;

void loops_init (loops *l, const ir_program *p) {
  *l = (loops){.program = p};
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

void loops_release (loops *l) {
  vec_release (&l->rank);
  vec_release (&l->loop);
  vec_release (&l->outer);
  vec_release (&l->depth);
  vec_release (&l->known);
  vec_release (&l->deepest);
  vec_release (&l->endless);
}

// The recursion of the paper, with a stack of our own: procedures may be long.  A frame is either a visit, or a look into a loop from its head.
static frame new_frame (search *s, uint32_t location, bool inside) {
  frame f = {.location = location, .edge = s->program->locs.data[location].first_edge, .inside = inside};
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

static void reach (frame *f, uint32_t number) {
  if (f->inside || number > f->head) return;
  f->head = number;
  f->is_loop = true;
}

// The next successor that was not visited yet, or IR_NONE; what the others lead to is noted.
static uint32_t next_successor (search *s, frame *f) {
  const ir_loc_data *d = &s->program->locs.data[f->location];
  while (f->edge < d->first_edge + d->num_edges) {
    uint32_t to = s->program->edges.data[f->edge++].to.i;
    if (to == IR_NONE) continue;
    if (!s->number[to]) return to;
    reach (f, s->number[to]);
  }
  return IR_NONE;
}

static void put (search *s, uint32_t location, uint32_t loop) {
  s->loops->loop.data[location] = loop;
  vec_push (&s->order, location);
}

static void forget_members (search *s, uint32_t head) {
  while (vec_last (&s->stack) != head) s->number[vec_pop (&s->stack)] = 0;
  s->stack.count--;
}

// True: its head is found to be that of a loop, into which we look now.
static bool finish (search *s, frame *f) {
  if (f->inside) {
    s->around = f->around;
    put (s, f->location, f->location);
    return false;
  }
  if (f->head != f->own) return false;
  s->number[f->location] = IR_NONE;
  forget_members (s, f->location);
  if (!f->is_loop) put (s, f->location, s->around);
  return f->is_loop;
}

static void visit_all (search *s, uint32_t entry) {
  VEC (frame) frames = {0};
  vec_push (&frames, new_frame (s, entry, false));
  while (frames.count) {
    uint32_t to = next_successor (s, &vec_last (&frames));
    if (to != IR_NONE) {
      vec_push (&frames, new_frame (s, to, false));
      continue;
    }
    frame done = vec_last (&frames);
    if (finish (s, &done)) {
      vec_last (&frames) = new_frame (s, done.location, true);
      vec_last (&frames).head = done.head;
      continue;
    }
    frames.count--;
    if (frames.count) reach (&vec_last (&frames), done.head);
  }
  vec_release (&frames);
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
  visit_all (&s, ir_proc_at (l->program, f)->entry.i);
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

bool loops_contains (const loops *l, uint32_t head, uint32_t location) {
  for (uint32_t h = l->loop.data[location]; h != IR_NONE; h = l->outer.data[h])
    if (h == head) return true;
  return false;
}
