// The facts that one build of a machine gives to the next.
#include "base/hash.h"
#include "base/limits.h"
#include "base/scc.h"
#include "efsm/build_impl.h"

// ---- the call graph of the text; a call through a pointer may reach any function whose address is taken ---
bool is_call_of (const ir_program *p, const ir_edge_data *d, ir_proc *callee) {
  if (d->op != IR_CALL) return false;
  const ir_expr_node *x = ir_expr_at (p, p->args.data[d->first_arg]);
  *callee = (ir_proc){IR_NONE};
  if (x->op == IR_X_ADDR) *callee = ir_object_at (p, x->object)->proc;
  return true;
}

static void find_circles (build_facts *f) {
  const ir_program *p = f->program;
  uint32_t count = p->procs.count;
  VEC (uint32_t) first = {0};
  VEC (uint32_t) targets = {0};
  for (uint32_t proc = 0; proc < count; proc++) {
    vec_push (&first, targets.count);
    for (uint32_t e = 0; e < p->edges.count; e++) {
      ir_proc callee;
      if (ir_loc_at (p, p->edges.data[e].from)->proc.i != proc || !is_call_of (p, &p->edges.data[e], &callee)) continue;
      if (callee.i != IR_NONE) vec_push (&targets, callee.i);
      for (uint32_t g = 0; callee.i == IR_NONE && g < count; g++) vec_push (&targets, g);
    }
  }
  vec_push (&first, targets.count);
  f->circle.count = 0;
  vec_reserve (&f->circle, count + 1);
  f->circle.count = count;
  scc_find (count, first.data, targets.data, f->circle.data);
  vec_release (&first);
  vec_release (&targets);
}

static void count_arrivals (build_facts *f) {
  const ir_program *p = f->program;
  for (uint32_t k = 0; k < p->locs.count; k++) vec_push (&f->indegree, 0);
  for (uint32_t k = 0; k < p->procs.count; k++)
    if (p->procs.data[k].entry.i != IR_NONE) f->indegree.data[p->procs.data[k].entry.i]++;
  for (uint32_t e = 0; e < p->edges.count; e++)
    if (p->edges.data[e].to.i != IR_NONE) f->indegree.data[p->edges.data[e].to.i]++;
}

static object_kind kind_of (const ir_object_data *o) {
  return o->kind == IR_O_FUNCTION ? OBJECT_FUNCTION : o->kind == IR_O_CONSTANT ? OBJECT_CONSTANT : OBJECT_STATIC;
}

static bool is_known_object (const void *facts, uint32_t object) {
  return object < ((const build_facts *) facts)->num_objects;
}

void build_facts_init (build_facts *f, const efsm_options *o) {
  *f = (build_facts){.options = o, .program = o->program, .arena = arena_new ()};
  pointers_init (&f->pointers, o->program);
  f->pointers.is_object = is_known_object, f->pointers.context = f;
  f->pointers.exact_below = LIMIT_POINTER_STRIDE;
  for (uint32_t k = 0; k < o->program->objects.count; k++) {
    const ir_object_data *d = &o->program->objects.data[k];
    vec_push (
        &f->objects,
        ((build_object){.kind = kind_of (d), .source = {k}, .is = {.bytes = d->size}, .will_be = {.bytes = d->size}}));
  }
  f->num_objects = f->objects.count;
  vec_push (&f->threads, ((build_thread){.parent = IR_NONE, .crowd = IR_NONE}));
  vec_push (&f->threads.data[0].procs, o->program->start);
  find_circles (f);
  build_facts_find_small (f);
  count_arrivals (f);
  if (o->watch) watch_find_edges (f);
}

void build_facts_release (build_facts *f) {
  for (uint32_t k = 0; k < f->threads.count; k++) vec_release (&f->threads.data[k].procs);
  pointers_release (&f->pointers);
  vec_release (&f->objects);
  vec_release (&f->copies);
  vec_release (&f->threads);
  vec_release (&f->indegree);
  vec_release (&f->circle);
  vec_release (&f->small);
  vec_release (&f->shows);
  map_release (&f->object_of);
  map_release (&f->copy_of);
  map_release (&f->thread_of);
  map_release (&f->holds);
  vec_release (&f->made);
  map_release (&f->locks);
  map_release (&f->owners);
  map_release (&f->counted);
  map_release (&f->readers);
  arena_free (f->arena);
}

// ---- objects and threads ----------------------------------------------------------------------------
static void let_grow (build_facts *f, build_object *o, object_facts to) {
  if (to.bytes > o->will_be.bytes) o->will_be.bytes = to.bytes, o->will_be.cuts = NULL, f->grew = true;
  if (to.sized && !o->will_be.sized) o->will_be.sized = f->grew = true;
}

uint32_t build_facts_repeats (const build_facts *f, uint32_t copy, ir_edge e) {
  for (uint32_t k = 0; k < f->made.count; k++) {
    if (f->made.data[k].copy != copy || f->made.data[k].edge.i != e.i) continue;
    if (f->made.data[k].times) return f->made.data[k].times;
    limit_met (MACHINE_REPEATS);
    return LIMIT_MACHINE_REPEATS;
  }
  return 0;
}

bool build_facts_knows_times (const build_facts *f, uint32_t copy, ir_edge e) {
  for (uint32_t k = 0; k < f->made.count; k++)
    if (f->made.data[k].copy == copy && f->made.data[k].edge.i == e.i) return f->made.data[k].times;
  return true;
}

uint32_t build_facts_object (build_facts *f, uint64_t copy_and_edge, uint32_t ordinal, build_object o) {
  bool is_new;
  uint64_t key = MADE_KEY (copy_and_edge, ordinal);
  uint32_t number = (uint32_t) *map_insert (&f->object_of, key, f->objects.count, &is_new);
  if (is_new) {
    o.will_be = o.is;
    vec_push (&f->objects, o);
    f->num_objects = f->objects.count;
    f->grew = true;
  } else let_grow (f, &f->objects.data[number], o.is);
  return number;
}

static uint64_t key_of_copy (const build_copy *c) {
  if (c->caller != IR_NONE)
    return (uint64_t) 1 << 63 | (uint64_t) c->caller << 40 | (uint64_t) c->region << 32 | c->call.i;
  return (uint64_t) c->thread << 48 | (uint64_t) c->level << 40 | (uint64_t) c->region << 32 | c->proc.i;
}

uint32_t build_facts_copy (build_facts *f, build_copy c) {
  bool is_new;
  uint32_t number = (uint32_t) *map_insert (&f->copy_of, key_of_copy (&c), f->copies.count, &is_new);
  if (is_new) vec_push (&f->copies, c);
  return number;
}

static void add_proc (build_facts *f, uint32_t thread, ir_proc proc) {
  build_thread *t = &f->threads.data[thread];
  for (uint32_t k = 0; k < t->procs.count; k++)
    if (t->procs.data[k].i == proc.i) return;
  vec_push (&t->procs, proc);
  f->grew = true;
}

uint32_t build_facts_thread (build_facts *f, uint32_t parent, uint64_t copy_and_edge, uint32_t ordinal, ir_proc proc) {
  uint64_t key = MADE_KEY (copy_and_edge, ordinal), *found = map_find (&f->thread_of, key);
  if (!found && at_limit (MACHINE_THREADS, f->threads.count)) return IR_NONE;
  if (!found) {
    found = map_insert (&f->thread_of, key, f->threads.count, NULL);
    vec_push (&f->threads, ((build_thread){.parent = parent, .crowd = IR_NONE}));
  }
  add_proc (f, (uint32_t) *found, proc);
  return (uint32_t) *found;
}

// ---- users of objects -------------------------------------------------------------------------------
void build_facts_use (build_facts *f, uint32_t object, uint32_t thread, bool write) {
  object_facts *o = &f->objects.data[object].will_be;
  uint64_t bit = (uint64_t) 1 << thread;
  if ((o->users & bit) && (!write || (o->writers & bit))) return;
  o->users |= bit;
  if (write) o->writers |= bit;
  f->grew = true;
}

void build_facts_outside (build_facts *f, uint32_t object, uint32_t thread) {
  object_facts *o = &f->objects.data[object].will_be;
  f->grew |= !(o->outside >> thread & 1);
  o->outside |= (uint64_t) 1 << thread;
}

void build_facts_cut (build_facts *f, uint32_t object, uint32_t offset) {
  object_facts *o = &f->objects.data[object].will_be;
  if (offset > o->bytes) return;
  if (!o->cuts) o->cuts = arena_zalloc (f->arena, o->bytes + 1), o->cuts[0] = o->cuts[o->bytes] = 1, f->grew = true;
  if (o->cuts[offset]) return;
  o->cuts[offset] = 1;
  f->grew = true;
}

static uint8_t *copy_cuts (build_facts *f, const object_facts *o) {
  uint8_t *cuts = arena_alloc (f->arena, o->bytes + 1);
  for (uint32_t k = 0; k <= o->bytes; k++) cuts[k] = o->cuts[k];
  return cuts;
}

void build_facts_begin (build_facts *f) {
  f->grew = false;
  for (uint32_t k = 0; k < f->objects.count; k++) {
    build_object *o = &f->objects.data[k];
    o->is = o->will_be;
    if (o->is.cuts) o->will_be.cuts = copy_cuts (f, &o->is);
  }
}

void build_facts_forgotten (build_facts *f, uint32_t object) {
  build_object *o = &f->objects.data[object];
  if (!o->will_be.forgotten) o->will_be.forgotten = f->grew = true;
}

void build_facts_hold (build_facts *f, uint64_t key, uint32_t set) {
  bool is_new;
  uint64_t *old = map_insert (&f->holds, key, IDSET_EMPTY, &is_new);
  uint32_t all = idset_unite (&f->pointers.sets, (uint32_t) *old, set);
  if (all == *old) return;
  *old = all;
  f->grew = true;
}

bool build_facts_shared (const build_facts *f, uint32_t object) {
  const build_object *o = &f->objects.data[object];
  bool changes = o->is.writers || o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP;
  return changes && (o->is.users & (o->is.users - 1));
}
