// What is kept of a solution, and the answers to questions about it.  Equal sets are kept once.
#include <stdlib.h>
#include <string.h>

#include "analysis/pointsto_impl.h"
#include "base/hash.h"

// ---- keeping ---------------------------------------------------------------------------------------------

static int compare_spots (const void *a, const void *b) {
  const spot *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return (x->stride > y->stride) - (x->stride < y->stride);
}

static spot spot_of (const place_table *t, target at) {
  uint32_t place = target_place (at);
  stride_place p = place_stride (t, place);
  spot found = {.object = target_object (at), .offset = place < NUM_OFFSETS ? place : p.offset, .stride = p.stride};
  if (place == PLACE_ANY) found.stride = 1;
  if (place == PLACE_ALIGNED) found.stride = t->word;
  return found;
}

static void list_spots (pointsto *r, const place_table *places, const target_set *s) {
  uint32_t first = r->spots.count;
  for (set_cursor c = {0}; set_next (s, &c);) vec_push (&r->spots, spot_of (places, c.target));
  if (r->spots.count > first) qsort (r->spots.data + first, r->spots.count - first, sizeof (spot), compare_spots);
}

// An unknown offset stands for all of its object.
static void list_targets (pointsto *r, const answer *a) {
  const spot *s = r->spots.data;
  for (uint32_t k = a->first_spot, next; k < a->first_spot + a->num_spots; k = next) {
    uint32_t first = r->targets.count;
    bool known = true;
    for (next = k; next < a->first_spot + a->num_spots && s[next].object == s[k].object; next++) {
      known &= !s[next].stride;
      vec_push (&r->targets, ((pointsto_target){s[k].object, s[next].offset}));
    }
    if (known) continue;
    r->targets.count = first + 1;
    r->targets.data[first].offset = POINTSTO_ANY_OFFSET;
  }
}

static void list_objects (pointsto *r, const answer *a) {
  for (uint32_t k = a->first_target; k < a->first_target + a->num_targets; k++) {
    uint32_t object = r->targets.data[k].object;
    if (r->objects.count == a->first || vec_last (&r->objects) != object) vec_push (&r->objects, object);
  }
}

// The index of the answer; equal ones are kept once.
static uint32_t keep_answer (pointsto *r, const place_table *places, const target_set *s, map *known) {
  answer a = {
      .first = r->objects.count, .first_target = r->targets.count, .first_spot = r->spots.count, .anything = s->any};
  list_spots (r, places, s);
  a.num_spots = r->spots.count - a.first_spot;
  const spot *list = r->spots.data + a.first_spot;
  size_t bytes = sizeof *list * a.num_spots;
  bool is_new;
  uint64_t *found = map_insert (known, hash_bytes (list, bytes, a.anything), r->answers.count, &is_new);
  if (!is_new) {
    answer old = r->answers.data[*found];
    bool same = old.num_spots == a.num_spots && old.anything == a.anything &&
                (!bytes || !memcmp (r->spots.data + old.first_spot, list, bytes));
    if (same) r->spots.count = a.first_spot;
    if (same) return (uint32_t) *found;
  }
  list_targets (r, &a);
  a.num_targets = r->targets.count - a.first_target;
  list_objects (r, &a);
  a.count = r->objects.count - a.first;
  vec_push (&r->answers, a);
  return r->answers.count - 1;
}

void answers_keep (pointsto *r, const solver *s) {
  const ir_program *p = r->program;
  map known = {0}, of_node = {0};  // hash of an answer -> answer; node -> answer
  for (uint32_t e = 0; e < p->edges.count; e++) {
    const ir_edge_data *d = &p->edges.data[e];
    for (uint32_t k = d->first_arg; k < d->first_arg + d->num_args; k++) {
      bool is_new;
      uint32_t node = solver_leader (s, r->of_arg[k]);
      uint64_t *kept = map_insert (&of_node, node, 0, &is_new);
      if (is_new) *kept = keep_answer (r, &s->places, solver_targets (s, node), &known);
      r->of_arg[k] = (uint32_t) *kept;
    }
  }
  map_release (&known);
  map_release (&of_node);
}

// ---- answers ---------------------------------------------------------------------------------------------

void pointsto_free (pointsto *r) {
  mem_free (r->of_arg, sizeof (uint32_t) * r->program->args.count);
  mem_free (r->site, sizeof (uint32_t) * r->program->edges.count);
  vec_release (&r->answers);
  vec_release (&r->objects);
  vec_release (&r->targets);
  vec_release (&r->spots);
  mem_free (r->sizes, sizeof (uint32_t) * r->num_objects);
  mem_free (r->first_reg, sizeof (uint32_t) * r->program->procs.count);
  mem_free (r->reg_holds, r->num_regs);
  mem_free (r, sizeof *r);
}

uint32_t pointsto_num_objects (const pointsto *r) { return r->num_objects; }
uint32_t pointsto_site (const pointsto *r, ir_edge alloc) { return r->site[alloc.i]; }

static const answer *answer_of (const pointsto *r, ir_edge e, unsigned k) {
  return &r->answers.data[r->of_arg[ir_edge_at (r->program, e)->first_arg + k]];
}

pointsto_set pointsto_arg (const pointsto *r, ir_edge e, unsigned k) {
  const answer *a = answer_of (r, e, k);
  uint32_t id = (uint32_t) (a - r->answers.data);
  return (pointsto_set){.anything = a->anything, .id = id, .count = a->count, .objects = r->objects.data + a->first};
}

uint32_t pointsto_num_sets (const pointsto *r) { return r->answers.count; }

pointsto_holding pointsto_reg (const pointsto *r, ir_proc f, ir_reg reg) {
  return (pointsto_holding) r->reg_holds[r->first_reg[f.i] + reg.i];
}

pointsto_list pointsto_targets (const pointsto *r, ir_edge e, unsigned k) {
  const answer *a = answer_of (r, e, k);
  return (pointsto_list){a->anything, a->num_targets, r->targets.data + a->first_target};
}

// Do bytes at two spots of an object overlap?  With strides, some pair of their offsets does: those that differ by multiples of the common factor.
static bool spots_meet (const spot *x, unsigned x_bytes, const spot *y, unsigned y_bytes) {
  uint32_t a = x->stride, b = y->stride;
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  if (!a)
    return (uint64_t) x->offset < (uint64_t) y->offset + y_bytes &&
           (uint64_t) y->offset < (uint64_t) x->offset + x_bytes;
  uint32_t ahead = (y->offset % a + a - x->offset % a) % a;  // of y from x, up to multiples of a
  return ahead < x_bytes || a - ahead < y_bytes;
}

// No access of so many bytes there succeeds.
static bool misses (const pointsto *r, const spot *s, unsigned bytes) {
  return (s->stride ? 0 : (uint64_t) s->offset) + bytes > r->sizes[s->object];
}

bool pointsto_overlap (const pointsto *r, ir_edge e1, unsigned k1, unsigned bytes1, ir_edge e2, unsigned k2,
                       unsigned bytes2) {
  const answer *a = answer_of (r, e1, k1), *b = answer_of (r, e2, k2);
  const spot *x = r->spots.data + a->first_spot, *y = r->spots.data + b->first_spot;
  if (a->anything || b->anything) return (a->anything || a->num_spots) && (b->anything || b->num_spots);
  for (uint32_t i = 0, first = 0; i < a->num_spots; i++) {
    while (first < b->num_spots && y[first].object < x[i].object) first++;
    if (misses (r, &x[i], bytes1)) continue;
    for (uint32_t j = first; j < b->num_spots && y[j].object == x[i].object; j++)
      if (!misses (r, &y[j], bytes2) && spots_meet (&x[i], bytes1, &y[j], bytes2)) return true;
  }
  return false;
}

bool pointsto_may (const pointsto *r, ir_edge e, unsigned k, uint32_t object) {
  pointsto_set s = pointsto_arg (r, e, k);
  uint32_t low = 0, high = s.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s.objects[middle] < object) low = middle + 1;
    else high = middle;
  }
  return s.anything || (low < s.count && s.objects[low] == object);
}
