// Turns the nodes of the last round into answers about kinds and locations.
//
// Kinds of the walk that were started by the same edge, by threads of the same class, with the same procedure, form one
// class: the facts of a class hold for all of them. In procedures that neither create nor join, the facts are those
// that hold at all calls of them.
#include "analysis/threads_impl.h"

typedef struct class_collector {
  answers *a;
  const thread_walk *w;
  VEC (small_set) members;   // [class]: its kinds
  VEC (small_set) together;  // [kind]: kinds that may be alive at the same time
} class_collector;

// ---- classes ------------------------------------------------------------------------------------------

static uint32_t find_class (const answers *a, const thread_class *c) {
  for (uint32_t k = 0; k < a->classes.count; k++) {
    const thread_class *other = &a->classes.data[k];
    if (other->parent == c->parent && other->creator.i == c->creator.i && other->entry.i == c->entry.i) return k;
  }
  return IR_NONE;
}

static const uint8_t *reach_of (const answers *a, const thread_call_graph *calls, ir_proc entry) {
  for (uint32_t k = 0; k < a->classes.count; k++)
    if (a->classes.data[k].entry.i == entry.i) return a->classes.data[k].runs;
  return call_graph_reach (calls, entry);
}

static uint32_t add_class (answers *a, const thread_call_graph *calls, thread_class c) {
  uint32_t found = find_class (a, &c);
  if (found != IR_NONE) return found;
  c.runs = reach_of (a, calls, c.entry);
  vec_push (&a->classes, c);
  return a->classes.count - 1;
}

static uint32_t class_of_kind (const class_collector *f, uint32_t kind) {
  for (uint32_t k = 0; k < f->members.count; k++)
    if (small_has (&f->members.data[k], kind)) return k;
  return IR_NONE;
}

static void find_thread_classes (class_collector *f) {
  const thread_walk *w = f->w;
  for (uint32_t k = 0; k < w->kinds.count; k++) {
    const thread_kind *t = &w->kinds.data[k];
    if (!t->started) continue;
    thread_class c = {.parent = t->parent == IR_NONE ? IR_NONE : class_of_kind (f, t->parent),
                      .creator = t->creator,
                      .entry = t->entry};
    c.in_detail = w->calls->matters[t->entry.i];
    uint32_t found = add_class (f->a, w->calls, c);
    if (found == f->members.count) vec_push (&f->members, (small_set){0});
    small_add (&f->members.data[found], k);
  }
}

// ---- threads alive at the same time -------------------------------------------------------------------

static uint32_t child_towards (const thread_walk *w, uint32_t from, uint32_t descendant) {
  while (descendant != IR_NONE && w->kinds.data[descendant].parent != from)
    descendant = w->kinds.data[descendant].parent;
  return descendant;
}

// Kind `by` may see all these alive: those from different children are alive at the same time. A kind with an unknown
// creator may come from any child.
static void record_together (class_collector *f, uint32_t by, const small_set *alive) {
  const thread_walk *w = f->w;
  small_set loose = {0};
  for (uint32_t k = 0; k < w->kinds.count; k++)
    if (w->kinds.data[k].has_unknown_creator) small_unite (&loose, &w->kinds.data[k].below);
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

// Two threads of a kind may be alive, and with them all their descendants.
static void record_many (class_collector *f) {
  const thread_walk *w = f->w;
  for (uint32_t m = 0; m < w->kinds.count; m++)
    for (uint32_t k = 0; w->kinds.data[m].many && k < w->kinds.count; k++)
      if (small_has (&w->kinds.data[m].below, k)) small_unite (&f->together.data[k], &w->kinds.data[m].below);
}

static void find_together (class_collector *f) {
  const thread_walk *w = f->w;
  small_set last = {0};
  uint32_t last_kind = IR_NONE;
  for (uint32_t k = 0; k < w->kinds.count; k++) vec_push (&f->together, (small_set){0});
  for (uint32_t n = 0; n < w->nodes.count; n++) {
    const thread_node *d = &w->nodes.data[n];
    uint32_t by = w->contexts.data[d->context].kind;
    if (!d->reached || (by == last_kind && !memcmp (&last, &d->facts.alive, sizeof last))) continue;
    last = d->facts.alive;
    last_kind = by;
    record_together (f, by, &last);
  }
  record_many (f);
}

static small_set classes_of (const class_collector *f, const small_set *kinds) {
  small_set found = {0};
  for (uint32_t k = 0; k < f->members.count; k++)
    if (small_intersects (&f->members.data[k], kinds)) small_add (&found, k);
  return found;
}

static void keep_together (class_collector *f) {
  for (uint32_t k = 0; k < f->members.count; k++) {
    small_set with = {0};
    for (uint32_t i = 0; i < f->w->kinds.count; i++)
      if (small_has (&f->members.data[k], i)) small_unite (&with, &f->together.data[i]);
    small_set classes = classes_of (f, &with);
    f->a->classes.data[k].many = small_has (&classes, k);
    vec_push (&f->a->together, classes);
  }
}

// ---- facts at locations -------------------------------------------------------------------------------
// Adds facts at a key. While facts are collected their sets hold kinds; later they hold classes.

static bool add_class_facts (answers *a, map *places, uint64_t key, const class_facts *p) {
  bool is_new;
  uint32_t k = (uint32_t) *map_insert (places, key, a->places.count, &is_new);
  if (is_new) vec_push (&a->places, *p);
  if (is_new) return true;
  bool grew = small_unite (&a->places.data[k].alive, &p->alive);
  bool less = small_intersect (&a->places.data[k].batches, &p->batches);
  return small_intersect (&a->places.data[k].ended, &p->ended) || grew || less;
}

// Adds the facts at a procedure and at all procedures that it may call.
static void add_procedure_facts (class_collector *f, uint32_t class, uint32_t proc, const class_facts *p) {
  id_list open = {0};
  vec_push (&open, proc);
  while (open.count) {
    uint32_t g = vec_pop (&open);
    if (!add_class_facts (f->a, &f->a->in_proc, (uint64_t) class << 32 | g, p)) continue;
    const id_list *callees = &f->w->calls->callees[g];
    for (uint32_t k = 0; k < callees->count; k++) vec_push (&open, callees->data[k]);
  }
  vec_release (&open);
}

// Returns the threads that may be created somewhere in a call that is not followed.
static small_set created_in_bulk (const thread_walk *w, uint32_t by) {
  small_set made = {0};
  for (uint32_t k = 0; k < w->kinds.count; k++)
    if (w->kinds.data[k].has_unknown_creator && w->kinds.data[k].started) small_unite (&made, &w->kinds.data[k].below);
  small_intersect (&made, &w->kinds.data[by].below);
  return made;
}

static void add_call_facts (class_collector *f, uint32_t class, uint32_t n, ir_edge e) {
  const thread_walk *w = f->w;
  const thread_node *d = &w->nodes.data[n];
  id_list targets = walk_targets (w, n, e);
  for (uint32_t k = 0; k < targets.count; k++) {
    uint32_t callee = targets.data[k];
    bool matters = w->calls->matters[callee];
    if (matters && walk_calls_in_detail (w, d->context, callee)) continue;
    small_set alive = d->facts.alive, bulk = created_in_bulk (w, w->contexts.data[d->context].kind);
    if (matters) small_unite (&alive, &bulk);
    add_procedure_facts (f, class, callee, &(class_facts){.alive = alive, .ended = d->facts.ended});
  }
  vec_release (&targets);
}

static void add_node_facts (class_collector *f) {
  const thread_walk *w = f->w;
  for (uint32_t n = 0; n < w->nodes.count; n++) {
    const thread_node *d = &w->nodes.data[n];
    if (!d->reached) continue;
    uint32_t class = class_of_kind (f, w->contexts.data[d->context].kind);
    class_facts here = {d->facts.alive, d->facts.ended, d->facts.batches};
    add_class_facts (f->a, &f->a->at_loc, (uint64_t) class << 32 | d->loc.i, &here);
    uint32_t e = ir_loc_at (w->program, d->loc)->first_edge;
    if (ir_loc_at (w->program, d->loc)->num_edges && w->program->edges.data[e].op == IR_CALL)
      add_call_facts (f, class, n, (ir_edge){e});
  }
}

static small_set classes_within (const class_collector *f, const small_set *kinds) {
  small_set found = {0};
  for (uint32_t k = 0; k < f->members.count; k++) {
    small_set others = f->members.data[k];
    small_subtract (&others, kinds);
    if (small_is_empty (&others)) small_add (&found, k);
  }
  return found;
}

static class_facts place_of_classes (const class_collector *f, const class_facts *p) {
  return (class_facts){classes_of (f, &p->alive), classes_within (f, &p->ended), p->batches};
}

static void add_everywhere (class_collector *f) {
  for (uint32_t k = 0; k < f->members.count; k++) {
    class_facts all = {.ended = small_all ()};
    for (uint32_t i = 0; i < f->w->kinds.count; i++)
      if (small_has (&f->members.data[k], i)) small_intersect (&all.ended, &f->w->kinds.data[i].start.ended);
    vec_push (&f->a->everywhere, place_of_classes (f, &all));
  }
}

void answers_find (answers *a, const thread_walk *w) {
  class_collector f = {.a = a, .w = w};
  find_thread_classes (&f);
  find_together (&f);
  keep_together (&f);
  add_node_facts (&f);
  for (uint32_t k = 0; k < a->places.count; k++) a->places.data[k] = place_of_classes (&f, &a->places.data[k]);
  add_everywhere (&f);
  vec_release (&f.members);
  vec_release (&f.together);
}

// ---- answers without a walk ---------------------------------------------------------------------------

void answers_give_up (answers *a, const thread_call_graph *calls) {
  const ir_program *p = calls->program;
  add_class (a, calls, (thread_class){.parent = IR_NONE, .creator = {IR_NONE}, .entry = p->start});
  for (uint32_t e = 0; e < p->edges.count; e++) {
    if (p->edges.data[e].op != IR_THREAD_CREATE) continue;
    id_list entries = call_graph_targets (calls, (ir_edge){e}, 1);
    for (uint32_t k = 0; k < entries.count; k++)
      add_class (a, calls, (thread_class){.parent = IR_NONE, .creator = {e}, .entry = {entries.data[k]}, .many = true});
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
