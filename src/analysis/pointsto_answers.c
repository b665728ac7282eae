// Stores a solution of the constraints, each distinct set once, and answers queries about it.
#include <stdlib.h>
#include <string.h>

#include "analysis/pointsto_impl.h"
#include "base/hash.h"

// ---- storing ------------------------------------------------------------------------------------------

static int compare_target_ranges (const void *a, const void *b) {
  const target_range *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return (x->stride > y->stride) - (x->stride < y->stride);
}

static target_range target_range_of (const place_table *t, target at) {
  uint32_t place = target_place (at);
  stride_place p = place_stride (t, place);
  target_range found = {
      .object = target_object (at), .offset = place < NUM_OFFSETS ? place : p.offset, .stride = p.stride};
  if (place == PLACE_ANY) found.stride = 1;
  if (place == PLACE_ALIGNED) found.stride = t->word;
  return found;
}

static void list_target_ranges (pointsto *r, const place_table *places, const target_set *s) {
  uint32_t first = r->ranges.count;
  for (set_cursor c = {0}; set_next (s, &c);) vec_push (&r->ranges, target_range_of (places, c.target));
  if (r->ranges.count > first)
    qsort (r->ranges.data + first, r->ranges.count - first, sizeof (target_range), compare_target_ranges);
}

// Lists the targets of an answer; an unknown offset replaces all others of its object.
static void list_targets (pointsto *r, const pointsto_answer *a) {
  const target_range *s = r->ranges.data;
  for (uint32_t k = a->first_range, next; k < a->first_range + a->num_ranges; k = next) {
    uint32_t first = r->targets.count;
    bool known = true;
    for (next = k; next < a->first_range + a->num_ranges && s[next].object == s[k].object; next++) {
      known &= !s[next].stride;
      vec_push (&r->targets, ((pointsto_target){s[k].object, s[next].offset}));
    }
    if (known) continue;
    r->targets.count = first + 1;
    r->targets.data[first].offset = POINTSTO_ANY_OFFSET;
  }
}

static void list_objects (pointsto *r, const pointsto_answer *a) {
  for (uint32_t k = a->first_target; k < a->first_target + a->num_targets; k++) {
    uint32_t object = r->targets.data[k].object;
    if (r->objects.count == a->first || vec_last (&r->objects) != object) vec_push (&r->objects, object);
  }
}

// Returns the index of the answer for a set; equal answers are stored once.
static uint32_t add_pointsto_answer (pointsto *r, const place_table *places, const target_set *s, map *known) {
  pointsto_answer a = {
      .first = r->objects.count, .first_target = r->targets.count, .first_range = r->ranges.count, .anything = s->any};
  list_target_ranges (r, places, s);
  a.num_ranges = r->ranges.count - a.first_range;
  const target_range *list = r->ranges.data + a.first_range;
  size_t bytes = sizeof *list * a.num_ranges;
  bool is_new;
  uint64_t *found = map_insert (known, hash_bytes (list, bytes, a.anything), r->answers.count, &is_new);
  if (!is_new) {
    pointsto_answer old = r->answers.data[*found];
    bool same = old.num_ranges == a.num_ranges && old.anything == a.anything &&
                (!bytes || !memcmp (r->ranges.data + old.first_range, list, bytes));
    if (same) r->ranges.count = a.first_range;
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
      if (is_new) *kept = add_pointsto_answer (r, &s->places, solver_targets (s, node), &known);
      r->of_arg[k] = (uint32_t) *kept;
    }
  }
  map_release (&known);
  map_release (&of_node);
}

// ---- answers ------------------------------------------------------------------------------------------

void pointsto_free (pointsto *r) {
  mem_free (r->of_arg, sizeof (uint32_t) * r->program->args.count);
  mem_free (r->site, sizeof (uint32_t) * r->program->edges.count);
  vec_release (&r->answers);
  vec_release (&r->objects);
  vec_release (&r->targets);
  vec_release (&r->ranges);
  mem_free (r->sizes, sizeof (uint32_t) * r->num_objects);
  mem_free (r->first_reg, sizeof (uint32_t) * r->program->procs.count);
  mem_free (r->reg_holds, r->num_regs);
  mem_free (r, sizeof *r);
}

uint32_t pointsto_num_objects (const pointsto *r) { return r->num_objects; }
uint32_t pointsto_site (const pointsto *r, ir_edge alloc) { return r->site[alloc.i]; }

static const pointsto_answer *operand_answer (const pointsto *r, ir_edge e, unsigned k) {
  return &r->answers.data[r->of_arg[ir_edge_at (r->program, e)->first_arg + k]];
}

pointsto_set pointsto_arg (const pointsto *r, ir_edge e, unsigned k) {
  const pointsto_answer *a = operand_answer (r, e, k);
  uint32_t id = (uint32_t) (a - r->answers.data);
  return (pointsto_set){.anything = a->anything, .id = id, .count = a->count, .objects = r->objects.data + a->first};
}

uint32_t pointsto_num_sets (const pointsto *r) { return r->answers.count; }

pointsto_holding pointsto_reg (const pointsto *r, ir_proc f, ir_reg reg) {
  return (pointsto_holding) r->reg_holds[r->first_reg[f.i] + reg.i];
}

pointsto_list pointsto_targets (const pointsto *r, ir_edge e, unsigned k) {
  const pointsto_answer *a = operand_answer (r, e, k);
  return (pointsto_list){a->anything, a->num_targets, r->targets.data + a->first_target};
}

// Returns whether byte ranges at two targets of an object overlap. With strides, some pair of their offsets must
// overlap: these differ by multiples of the common factor.
static bool target_ranges_overlap (const target_range *x, unsigned x_bytes, const target_range *y, unsigned y_bytes) {
  uint32_t a = (uint32_t) common_factor (x->stride, y->stride);
  if (!a)
    return (uint64_t) x->offset < (uint64_t) y->offset + y_bytes &&
           (uint64_t) y->offset < (uint64_t) x->offset + x_bytes;
  uint32_t ahead = (y->offset % a + a - x->offset % a) % a;  // distance from x to y, up to multiples of a
  return ahead < x_bytes || a - ahead < y_bytes;
}

// Returns whether no access of so many bytes can succeed there.
static bool range_misses_object (const pointsto *r, const target_range *s, unsigned bytes) {
  return (s->stride ? 0 : (uint64_t) s->offset) + bytes > r->sizes[s->object];
}

bool pointsto_overlap (const pointsto *r, ir_edge e1, unsigned k1, unsigned bytes1, ir_edge e2, unsigned k2,
                       unsigned bytes2) {
  const pointsto_answer *a = operand_answer (r, e1, k1), *b = operand_answer (r, e2, k2);
  const target_range *x = r->ranges.data + a->first_range, *y = r->ranges.data + b->first_range;
  if (a->anything || b->anything) return (a->anything || a->num_ranges) && (b->anything || b->num_ranges);
  for (uint32_t i = 0, first = 0; i < a->num_ranges; i++) {
    while (first < b->num_ranges && y[first].object < x[i].object) first++;
    if (range_misses_object (r, &x[i], bytes1)) continue;
    for (uint32_t j = first; j < b->num_ranges && y[j].object == x[i].object; j++)
      if (!range_misses_object (r, &y[j], bytes2) && target_ranges_overlap (&x[i], bytes1, &y[j], bytes2)) return true;
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
