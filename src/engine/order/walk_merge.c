// Paths that reach the same location become one. The disjunction of their guards is simplified such that a branch and
// its opposite give back the guard before the branch; everything else is an if-then-else on the guard of one of the
// paths.
#include "base/diag.h"
#include "engine/order/walk_impl.h"

#define copy_vec(TO, FROM)                                                                             \
  do {                                                                                                 \
    for (uint32_t copy_k = 0; copy_k < (FROM)->count; copy_k++) vec_push ((TO), (FROM)->data[copy_k]); \
  } while (0)

symbolic_path *path_copy (const symbolic_path *p) {
  symbolic_path *copy = mem_zalloc (sizeof *copy);
  copy->guard = p->guard;
  copy_vec (&copy->regs, &p->regs);
  copy_vec (&copy->memory, &p->memory);
  copy_vec (&copy->clock, &p->clock);
  copy->joined = p->joined;
  copy->gone = p->gone;
  copy->may_be_gone = p->may_be_gone;
  copy->atomic = p->atomic;
  copy->region = p->region;
  copy->published = p->published;
  return copy;
}

void path_free (symbolic_path *p) {
  if (!p) return;
  vec_release (&p->regs);
  vec_release (&p->memory);
  vec_release (&p->clock);
  mem_free (p, sizeof *p);
}

contents path_memory (order_walk *w, const symbolic_path *p, uint32_t object) {
  return object < p->memory.count ? p->memory.data[object] : w->objects.data[object].before;
}

void path_set_memory (order_walk *w, symbolic_path *p, uint32_t object, contents c) {
  while (p->memory.count <= object) {
    contents before = w->objects.data[p->memory.count].before;
    vec_push (&p->memory, before);
  }
  p->memory.data[object] = c;
}

term path_pick (order_walk *w, term guard, term a, term b) {
  return a.i == b.i || b.i == TERM_NONE.i ? a : a.i == TERM_NONE.i ? b : term_ite (w->terms, guard, a, b);
}

// ---- guards -----------------------------------------------------------------------------------------
static bool are_complementary (order_walk *w, term a, term b) { return term_not (w->terms, a).i == b.i; }

// Returns x if the two are (x and c) and (x and not c), for any c; else TERM_NONE.
static term common_part (order_walk *w, term a, term b) {
  const term_node m = *term_at (w->terms, a), n = *term_at (w->terms, b);
  if (m.op != IR_X_AND || n.op != IR_X_AND) return TERM_NONE;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (m.arg[i].i == n.arg[k].i && are_complementary (w, m.arg[1 - i], n.arg[1 - k])) return m.arg[i];
  return TERM_NONE;
}

static term guard_of_both (order_walk *w, term a, term b) {
  term common = common_part (w, a, b);
  return common.i == TERM_NONE.i ? term_or (w->terms, a, b) : common;
}

// ---- two paths --------------------------------------------------------------------------------------
static void merge_regs (order_walk *w, symbolic_path *a, const symbolic_path *b, term guard) {
  CHECK (a->regs.count == b->regs.count, "paths that meet should be in the same procedure");
  for (uint32_t k = 0; k < a->regs.count; k++) a->regs.data[k] = path_pick (w, guard, a->regs.data[k], b->regs.data[k]);
}

static void merge_memory (order_walk *w, symbolic_path *a, const symbolic_path *b, term guard) {
  uint32_t count = a->memory.count > b->memory.count ? a->memory.count : b->memory.count;
  for (uint32_t k = 0; k < count; k++)
    path_set_memory (w, a, k, contents_choose (&w->contents, guard, path_memory (w, a, k), path_memory (w, b, k)));
}

static void merge_clocks (symbolic_path *a, const symbolic_path *b) {
  if (a->clock.count > b->clock.count) a->clock.count = b->clock.count;
  for (uint32_t k = 0; k < a->clock.count; k++)
    if (b->clock.data[k] < a->clock.data[k]) a->clock.data[k] = b->clock.data[k];
}

// If two paths reach one location in regions that began at different nodes, the rest of the region counts as a region
// of its own. This allows more interleavings than there are, so a bug found then has to replay to be reported.
static void merge_regions (order_walk *w, symbolic_path *a, const symbolic_path *b) {
  if (a->region == b->region) return;
  walk_show_region (w, a);
  walk_show_region (w, b);
  a->region = IR_NONE;
  w->out->inexact = true;
}

static void merge_into (order_walk *w, symbolic_path *a, symbolic_path *b) {
  if (a->published != b->published) ram_publish (w, a->published ? b : a);
  if (a->atomic != b->atomic) {
    walk_mark_path_incomplete (w, b->guard, "paths inside and outside of an atomic region meet");
    path_free (b);
    return;
  }
  merge_regions (w, a, b);
  merge_regs (w, a, b, a->guard);
  merge_memory (w, a, b, a->guard);
  merge_clocks (a, b);
  a->joined &= b->joined;
  a->gone &= b->gone;
  a->may_be_gone |= b->may_be_gone;
  a->guard = guard_of_both (w, a->guard, b->guard);
  path_free (b);
}

// Pairs that one branch has separated come first: only this keeps guards small.
static bool merge_opposites (order_walk *w, path_list *l) {
  for (uint32_t i = 0; i < l->count; i++)
    for (uint32_t k = i + 1; k < l->count; k++)
      if (common_part (w, l->data[i]->guard, l->data[k]->guard).i != TERM_NONE.i ||
          are_complementary (w, l->data[i]->guard, l->data[k]->guard)) {
        merge_into (w, l->data[i], l->data[k]);
        l->data[k] = vec_last (l);
        l->count--;
        return true;
      }
  return false;
}

symbolic_path *path_merge (order_walk *w, path_list *l) {
  if (!l->count) return NULL;
  while (merge_opposites (w, l)) {}
  symbolic_path *all = l->data[0];
  for (uint32_t k = 1; k < l->count; k++) merge_into (w, all, l->data[k]);
  vec_clear (l);
  return all;
}
