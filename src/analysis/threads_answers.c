// From the nodes of the last round to answers about kinds and locations.
//
// Fine kinds that were started by the same edge, by threads of the same class, with the same procedure, are one class: what holds of
// a class holds of all of them.  In procedures that neither create nor join, what holds is what holds at all calls of them.
#include "analysis/threads_impl.h"

typedef struct finder {
  answers *a;
  const walk *w;
  VEC (small_set) members;   // [class]: kinds
  VEC (small_set) together;  // [kind]
} finder;

// ---- classes ---------------------------------------------------------------------------------------------

static uint32_t find_class (const answers *a, const class *c) {
  for (uint32_t k = 0; k < a->classes.count; k++) {
    const class *other = &a->classes.data[k];
    if (other->parent == c->parent && other->creator.i == c->creator.i && other->entry.i == c->entry.i) return k;
  }
  return IR_NONE;
}

static const uint8_t *reach_of (const answers *a, const call_graph *calls, ir_proc entry) {
  for (uint32_t k = 0; k < a->classes.count; k++)
    if (a->classes.data[k].entry.i == entry.i) return a->classes.data[k].runs;
  return call_graph_reach (calls, entry);
}

static uint32_t add_class (answers *a, const call_graph *calls, class c) {
  uint32_t found = find_class (a, &c);
  if (found != IR_NONE) return found;
  c.runs = reach_of (a, calls, c.entry);
  vec_push (&a->classes, c);
  return a->classes.count - 1;
}

static uint32_t class_of (const finder *f, uint32_t kind) {
  for (uint32_t k = 0; k < f->members.count; k++)
    if (small_has (&f->members.data[k], kind)) return k;
  return IR_NONE;
}

static void find_classes (finder *f) {
  const walk *w = f->w;
  for (uint32_t k = 0; k < w->kinds.count; k++) {
    const kind *t = &w->kinds.data[k];
    if (!t->started) continue;
    class c = {
        .parent = t->parent == IR_NONE ? IR_NONE : class_of (f, t->parent), .creator = t->creator, .entry = t->entry};
    c.in_detail = w->calls->matters[t->entry.i];
    uint32_t found = add_class (f->a, w->calls, c);
    if (found == f->members.count) vec_push (&f->members, (small_set){0});
    small_add (&f->members.data[found], k);
  }
}

// ---- who is alive together -------------------------------------------------------------------------------

static uint32_t child_towards (const walk *w, uint32_t from, uint32_t descendant) {
  while (descendant != IR_NONE && w->kinds.data[descendant].parent != from)
    descendant = w->kinds.data[descendant].parent;
  return descendant;
}

// A thread of this kind may see all these alive: those from different children are alive together.  A loose kind may come
// from any of them.
static void note_together (finder *f, uint32_t by, const small_set *alive) {
  const walk *w = f->w;
  small_set loose = {0};
  for (uint32_t k = 0; k < w->kinds.count; k++)
    if (w->kinds.data[k].loose) small_unite (&loose, &w->kinds.data[k].below);
  for (uint32_t k = 0; k < w->kinds.count; k++) {
    if (!small_has (alive, k)) continue;
    uint32_t child = child_towards (w, by, k);
    small_set others = *alive, own = {0};
    if (child != IR_NONE) own = w->kinds.data[child].below;
    small_subtract (&own, &loose);
    small_subtract (&others, &own);
    small_unite (&f->together.data[k], &others);
  }
}

// Two threads of a kind may be alive, and with them all that they bring about.
static void note_many (finder *f) {
  const walk *w = f->w;
  for (uint32_t m = 0; m < w->kinds.count; m++)
    for (uint32_t k = 0; w->kinds.data[m].many && k < w->kinds.count; k++)
      if (small_has (&w->kinds.data[m].below, k)) small_unite (&f->together.data[k], &w->kinds.data[m].below);
}

static void find_together (finder *f) {
  const walk *w = f->w;
  small_set last = {0};
  uint32_t last_kind = IR_NONE;
  for (uint32_t k = 0; k < w->kinds.count; k++) vec_push (&f->together, (small_set){0});
  for (uint32_t n = 0; n < w->nodes.count; n++) {
    const node *d = &w->nodes.data[n];
    uint32_t by = w->contexts.data[d->context].kind;
    if (!d->reached || (by == last_kind && !memcmp (&last, &d->facts.alive, sizeof last))) continue;
    last = d->facts.alive;
    last_kind = by;
    note_together (f, by, &last);
  }
  note_many (f);
}

static small_set classes_of (const finder *f, const small_set *kinds) {
  small_set found = {0};
  for (uint32_t k = 0; k < f->members.count; k++)
    if (small_meets (&f->members.data[k], kinds)) small_add (&found, k);
  return found;
}

static void keep_together (finder *f) {
  for (uint32_t k = 0; k < f->members.count; k++) {
    small_set with = {0};
    for (uint32_t i = 0; i < f->w->kinds.count; i++)
      if (small_has (&f->members.data[k], i)) small_unite (&with, &f->together.data[i]);
    small_set classes = classes_of (f, &with);
    f->a->classes.data[k].many = small_has (&classes, k);
    vec_push (&f->a->together, classes);
  }
}

// ---- places ----------------------------------------------------------------------------------------------
// While they are collected, a place holds kinds; then classes.

static bool add_place (answers *a, map *places, uint64_t key, const place *p) {
  bool is_new;
  uint32_t k = (uint32_t) *map_insert (places, key, a->places.count, &is_new);
  if (is_new) vec_push (&a->places, *p);
  if (is_new) return true;
  bool grew = small_unite (&a->places.data[k].alive, &p->alive);
  bool less = small_intersect (&a->places.data[k].batches, &p->batches);
  return small_intersect (&a->places.data[k].ended, &p->ended) || grew || less;
}

// The procedure and all it may call.
static void add_proc (finder *f, uint32_t class, uint32_t proc, const place *p) {
  id_list open = {0};
  vec_push (&open, proc);
  while (open.count) {
    uint32_t g = vec_pop (&open);
    if (!add_place (f->a, &f->a->in_proc, (uint64_t) class << 32 | g, p)) continue;
    const id_list *callees = &f->w->calls->callees[g];
    for (uint32_t k = 0; k < callees->count; k++) vec_push (&open, callees->data[k]);
  }
  vec_release (&open);
}

// Threads that are made somewhere in a call that is not followed.
static small_set made_in_bulk (const walk *w, uint32_t by) {
  small_set made = {0};
  for (uint32_t k = 0; k < w->kinds.count; k++)
    if (w->kinds.data[k].loose && w->kinds.data[k].started) small_unite (&made, &w->kinds.data[k].below);
  small_intersect (&made, &w->kinds.data[by].below);
  return made;
}

static void add_call (finder *f, uint32_t class, uint32_t n, ir_edge e) {
  const walk *w = f->w;
  const node *d = &w->nodes.data[n];
  id_list targets = walk_targets (w, n, e);
  for (uint32_t k = 0; k < targets.count; k++) {
    uint32_t callee = targets.data[k];
    bool matters = w->calls->matters[callee];
    if (matters && walk_calls_in_detail (w, d->context, callee)) continue;
    small_set alive = d->facts.alive, bulk = made_in_bulk (w, w->contexts.data[d->context].kind);
    if (matters) small_unite (&alive, &bulk);
    add_proc (f, class, callee, &(place){.alive = alive, .ended = d->facts.ended});
  }
  vec_release (&targets);
}

static void add_nodes (finder *f) {
  const walk *w = f->w;
  for (uint32_t n = 0; n < w->nodes.count; n++) {
    const node *d = &w->nodes.data[n];
    if (!d->reached) continue;
    uint32_t class = class_of (f, w->contexts.data[d->context].kind);
    place here = {d->facts.alive, d->facts.ended, d->facts.batches};
    add_place (f->a, &f->a->at_loc, (uint64_t) class << 32 | d->loc.i, &here);
    uint32_t e = ir_loc_at (w->program, d->loc)->first_edge;
    if (ir_loc_at (w->program, d->loc)->num_edges && w->program->edges.data[e].op == IR_CALL)
      add_call (f, class, n, (ir_edge){e});
  }
}

static small_set classes_within (const finder *f, const small_set *kinds) {
  small_set found = {0};
  for (uint32_t k = 0; k < f->members.count; k++) {
    small_set others = f->members.data[k];
    small_subtract (&others, kinds);
    if (small_is_empty (&others)) small_add (&found, k);
  }
  return found;
}

static place place_of_classes (const finder *f, const place *p) {
  return (place){classes_of (f, &p->alive), classes_within (f, &p->ended), p->batches};
}

static void add_everywhere (finder *f) {
  for (uint32_t k = 0; k < f->members.count; k++) {
    place all = {.ended = small_all ()};
    for (uint32_t i = 0; i < f->w->kinds.count; i++)
      if (small_has (&f->members.data[k], i)) small_intersect (&all.ended, &f->w->kinds.data[i].start.ended);
    vec_push (&f->a->everywhere, place_of_classes (f, &all));
  }
}

void answers_find (answers *a, const walk *w) {
  finder f = {.a = a, .w = w};
  find_classes (&f);
  find_together (&f);
  keep_together (&f);
  add_nodes (&f);
  for (uint32_t k = 0; k < a->places.count; k++) a->places.data[k] = place_of_classes (&f, &a->places.data[k]);
  add_everywhere (&f);
  vec_release (&f.members);
  vec_release (&f.together);
}

// ---- without a walk --------------------------------------------------------------------------------------

void answers_give_up (answers *a, const call_graph *calls) {
  const ir_program *p = calls->program;
  add_class (a, calls, (class){.parent = IR_NONE, .creator = {IR_NONE}, .entry = p->start});
  for (uint32_t e = 0; e < p->edges.count; e++) {
    if (p->edges.data[e].op != IR_THREAD_CREATE) continue;
    id_list entries = call_graph_targets (calls, (ir_edge){e}, 1);
    for (uint32_t k = 0; k < entries.count; k++)
      add_class (a, calls, (class){.parent = IR_NONE, .creator = {e}, .entry = {entries.data[k]}, .many = true});
    vec_release (&entries);
  }
}

static void release_runs (answers *a, uint32_t k, size_t bytes) {
  for (uint32_t i = 0; i < k; i++)
    if (a->classes.data[i].runs == a->classes.data[k].runs) return;
  mem_free ((void *) a->classes.data[k].runs, bytes);
}

void answers_release (answers *a, const ir_program *p) {
  for (uint32_t k = a->classes.count; k-- > 0;) release_runs (a, k, p->procs.count);
  vec_release (&a->classes);
  vec_release (&a->places);
  vec_release (&a->everywhere);
  vec_release (&a->together);
  map_release (&a->at_loc);
  map_release (&a->in_proc);
}
