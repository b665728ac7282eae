// Registers and objects that matter to creating and joining threads.
//
// A register matters if its value may reach an operand of a thread operation or of a call that performs one, may decide
// how often a loop around one is repeated, or may be stored to an object that matters. An object matters if a handle
// may be written to it, or if a register that matters may be loaded from it.
#include "analysis/threads_impl.h"

typedef struct slicer {
  slice *s;
  const ir_program *p;
  ir_proc proc;  // procedure whose edges are examined
  bool changed;
} slicer;

// ---- objects ------------------------------------------------------------------------------------------

static void add_relevant_object (slicer *r, uint32_t object) {
  slice *s = r->s;
  if (s->index[object] != IR_NONE || s->objects.count == ANY_OBJECT) return;
  s->index[object] = s->objects.count;
  vec_push (&s->objects, object);
  r->changed = true;
}

static void add_relevant_objects (slicer *r, ir_edge e) {
  pointsto_set set = pointsto_arg (r->s->calls->pointsto, e, 0);
  for (uint32_t k = 0; k < set.count; k++) add_relevant_object (r, set.objects[k]);
}

small_set slice_objects (const slice *s, ir_edge e, unsigned k) {
  pointsto_set set = pointsto_arg (s->calls->pointsto, e, k);
  small_set found = {0};
  if (set.anything) small_add (&found, ANY_OBJECT);
  if (set.count <= s->objects.count) {
    for (uint32_t i = 0; i < set.count; i++)
      if (s->index[set.objects[i]] != IR_NONE) small_add (&found, s->index[set.objects[i]]);
  } else {
    for (uint32_t i = 0; i < s->objects.count; i++)
      if (pointsto_may (s->calls->pointsto, e, k, s->objects.data[i])) small_add (&found, i);
  }
  return found;
}

// ---- registers ----------------------------------------------------------------------------------------

static void add_register (slicer *r, ir_reg reg) {
  uint32_t *slot = &r->s->slot[r->proc.i][reg.i];
  if (*slot != IR_NONE) return;
  *slot = r->s->num_slots[r->proc.i]++;
  r->changed = true;
}

static void add_expression (slicer *r, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (r->p, x);
  if (n->op == IR_X_REG) add_register (r, n->reg);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) add_expression (r, n->arg[k]);
}

static void add_operands (slicer *r, ir_edge e) {
  for (uint32_t k = 0; k < ir_edge_at (r->p, e)->num_args; k++) add_expression (r, ir_arg (r->p, e, k));
}

static bool register_matters (const slicer *r, ir_reg reg) {
  return reg.i != IR_NONE && r->s->slot[r->proc.i][reg.i] != IR_NONE;
}

// Returns whether the condition contains a register that matters.
static bool compares_what_matters (const slicer *r, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (r->p, x);
  if (n->op == IR_X_REG) return register_matters (r, n->reg);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (compares_what_matters (r, n->arg[k])) return true;
  return false;
}

static bool writes_what_matters (const slicer *r, ir_edge e) {
  small_set set = slice_objects (r->s, e, 0);
  small_remove (&set, ANY_OBJECT);
  return !small_is_empty (&set);
}

static void slice_edge (slicer *r, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (r->p, e);
  switch (d->op) {
  case IR_THREAD_CREATE:
    add_relevant_objects (r, e);
    add_operands (r, e);
    break;
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH:
  case IR_RETURN: add_operands (r, e); break;
  case IR_CALL:
    if (!r->s->calls->edge_matters[e.i]) break;
    add_operands (r, e);
    if (d->dst.i != IR_NONE) add_register (r, d->dst);
    break;
  case IR_ASSUME:
    if (compares_what_matters (r, ir_arg (r->p, e, 0))) add_operands (r, e);
    break;
  case IR_ASSIGN:
    if (register_matters (r, d->dst)) add_operands (r, e);
    break;
  case IR_LOAD:
    if (!register_matters (r, d->dst)) break;
    add_operands (r, e);
    add_relevant_objects (r, e);
    break;
  case IR_STORE:
  case IR_STORE_RAW:
  case IR_RMW:
  case IR_CMPXCHG:
    if (writes_what_matters (r, e)) add_operands (r, e);
    break;
  case IR_NOP:
  case IR_NONDET:
  case IR_CHECK:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_ALLOC:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_FREE:
  case IR_FORGET:
  case IR_LOAD_RAW:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_EXIT:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
}

// ---- loops around thread operations -------------------------------------------------------------------
// Strongly connected components of a procedure's locations (Tarjan 1972), without recursion.

typedef struct loop_edges {
  const ir_program *p;
  const thread_call_graph *calls;
  map rank;                              // location -> order of discovery
  VEC (uint32_t) low, place, next_edge;  // [rank]; place: location
  VEC (bool) done;                       // [rank]
  id_list stack, path;                   // ranks
} loop_edges;

static uint32_t discover_loop_location (loop_edges *l, uint32_t loc) {
  uint32_t rank = l->low.count;
  *map_insert (&l->rank, loc, 0, NULL) = rank;
  vec_push (&l->low, rank);
  vec_push (&l->place, loc);
  vec_push (&l->next_edge, l->p->locs.data[loc].first_edge);
  vec_push (&l->done, false);
  vec_push (&l->stack, rank);
  vec_push (&l->path, rank);
  return rank;
}

static void add_conditions (slicer *r, uint32_t loc) {
  const ir_loc_data *l = &r->p->locs.data[loc];
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++)
    if (r->p->edges.data[e].op == IR_ASSUME) add_operands (r, (ir_edge){e});
}

static bool location_matters (const loop_edges *l, uint32_t loc) {
  const ir_loc_data *d = &l->p->locs.data[loc];
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++)
    if (l->calls->edge_matters[e]) return true;
  return false;
}

// Closes the component that begins at stack position `first`.
static void close_loop_component (slicer *r, loop_edges *l, uint32_t first) {
  bool matters = false, is_loop = l->stack.count - first > 1;
  for (uint32_t k = first; k < l->stack.count; k++) {
    l->done.data[l->stack.data[k]] = true;
    matters |= is_loop && location_matters (l, l->place.data[l->stack.data[k]]);
  }
  for (uint32_t k = first; matters && k < l->stack.count; k++) add_conditions (r, l->place.data[l->stack.data[k]]);
  l->stack.count = first;
}

static void leave_loop_location (slicer *r, loop_edges *l, uint32_t rank) {
  l->path.count--;
  if (l->path.count) {
    uint32_t *low = &l->low.data[vec_last (&l->path)];
    if (l->low.data[rank] < *low) *low = l->low.data[rank];
  }
  if (l->low.data[rank] != rank) return;
  uint32_t first = l->stack.count;
  while (l->stack.data[first - 1] != rank) first--;
  close_loop_component (r, l, first - 1);
}

static void visit_loop_location (slicer *r, loop_edges *l) {
  uint32_t rank = vec_last (&l->path);
  const ir_loc_data *d = &l->p->locs.data[l->place.data[rank]];
  if (l->next_edge.data[rank] == d->first_edge + d->num_edges) {
    leave_loop_location (r, l, rank);
    return;
  }
  uint32_t to = l->p->edges.data[l->next_edge.data[rank]++].to.i;
  if (to == IR_NONE) return;
  const uint64_t *known = map_find (&l->rank, to);
  if (!known) discover_loop_location (l, to);
  else if (!l->done.data[*known] && *known < l->low.data[rank]) l->low.data[rank] = (uint32_t) *known;
}

static void add_loop_conditions (slicer *r) {
  loop_edges l = {.p = r->p, .calls = r->s->calls};
  uint32_t entry = ir_proc_at (r->p, r->proc)->entry.i;
  if (entry != IR_NONE) discover_loop_location (&l, entry);
  while (l.path.count) visit_loop_location (r, &l);
  map_release (&l.rank);
  vec_release (&l.low);
  vec_release (&l.place);
  vec_release (&l.next_edge);
  vec_release (&l.done);
  vec_release (&l.stack);
  vec_release (&l.path);
}

// ---- written objects ----------------------------------------------------------------------------------

static bool may_write_object (ir_op op) {
  switch (op) {
  case IR_STORE:
  case IR_STORE_RAW:
  case IR_RMW:
  case IR_CMPXCHG:
  case IR_FORGET:
  case IR_FREE:
  case IR_THREAD_CREATE: return true;
  case IR_LOCAL_OPERATIONS:
  case IR_THREAD_SELF:
  case IR_LOAD:
  case IR_LOAD_RAW:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH:
  case IR_THREAD_EXIT:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
  return false;
}

static void record_written_objects (slice *s, uint32_t proc, ir_edge e) {
  small_set set = slice_objects (s, e, 0);
  ir_op op = ir_edge_at (s->calls->program, e)->op;
  small_unite (&s->writes[proc], &set);
  small_unite (&s->written, &set);
  if (op != IR_THREAD_CREATE && op != IR_FORGET && op != IR_FREE) small_unite (&s->stored, &set);
}

// Synchronisation objects change, too, but no handle or counter lies in them.
static void record_synchronised (slice *s, ir_edge e) {
  for (unsigned k = 0; k < ir_edge_at (s->calls->program, e)->num_args; k++) {
    small_set set = slice_objects (s, e, k);
    small_unite (&s->written, &set);
  }
}

// Objects whose address is stored, passed to a thread or returned by one may be known to other threads.
static void record_escaping (slice *s, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (s->calls->program, e);
  unsigned first = d->op == IR_THREAD_CREATE ? 2 : d->op == IR_THREAD_EXIT ? 0 : 1;
  if (!may_write_object (d->op) && d->op != IR_THREAD_EXIT) return;
  for (unsigned k = first; k < d->num_args; k++) {
    small_set set = slice_objects (s, e, k);
    small_unite (&s->escaped, &set);
  }
}

static void find_written (slice *s) {
  const ir_program *p = s->calls->program;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    if (may_write_object (p->edges.data[e].op))
      record_written_objects (s, ir_loc_at (p, p->edges.data[e].from)->proc.i, (ir_edge){e});
    if (ir_op_table[p->edges.data[e].op].group == 'S') record_synchronised (s, (ir_edge){e});
    record_escaping (s, (ir_edge){e});
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = p->procs.count; f-- > 0;) {
      const id_list *callees = &s->calls->callees[f];
      for (uint32_t k = 0; k < callees->count; k++)
        changed |= small_unite (&s->writes[f], &s->writes[callees->data[k]]);
    }
  }
}

// All threads can know static objects.
static void record_static_objects (slice *s) {
  for (uint32_t k = 0; k < s->objects.count; k++)
    if (s->objects.data[k] < s->calls->program->objects.count) small_add (&s->escaped, k);
}

// ---- the slice ----------------------------------------------------------------------------------------

static void slice_procedure (slicer *r) {
  const ir_proc_data *f = ir_proc_at (r->p, r->proc);
  for (uint32_t k = f->locs.count; k-- > 0;) {
    const ir_loc_data *l = ir_loc_at (r->p, f->locs.data[k]);
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) slice_edge (r, (ir_edge){e});
  }
}

static void make_slots (slice *s, uint32_t proc) {
  uint32_t count = s->calls->program->procs.data[proc].regs.count;
  s->slot[proc] = mem_alloc (sizeof **s->slot * count);
  for (uint32_t k = 0; k < count; k++) s->slot[proc][k] = IR_NONE;
}

void slice_init (slice *s, thread_call_graph *calls) {
  const ir_program *p = calls->program;
  uint32_t procs = p->procs.count, objects = pointsto_num_objects (calls->pointsto);
  *s = (slice){.calls = calls};
  s->slot = mem_zalloc (sizeof *s->slot * procs);
  s->num_slots = mem_zalloc (sizeof *s->num_slots * procs);
  s->index = mem_alloc (sizeof *s->index * objects);
  s->writes = mem_zalloc (sizeof *s->writes * procs);
  for (uint32_t k = 0; k < objects; k++) s->index[k] = IR_NONE;
  slicer r = {.s = s, .p = p};
  for (uint32_t f = 0; f < procs; f++) {
    if (!calls->matters[f]) continue;
    r.proc = (ir_proc){f};
    make_slots (s, f);
    add_loop_conditions (&r);
  }
  for (r.changed = true; r.changed;) {
    r.changed = false;
    for (r.proc.i = 0; r.proc.i < procs; r.proc.i++)
      if (calls->matters[r.proc.i]) slice_procedure (&r);
  }
  find_written (s);
  record_static_objects (s);
}

void slice_release (slice *s) {
  const ir_program *p = s->calls->program;
  uint32_t procs = p->procs.count;
  for (uint32_t f = 0; f < procs; f++)
    if (s->slot[f]) mem_free (s->slot[f], sizeof **s->slot * p->procs.data[f].regs.count);
  mem_free (s->slot, sizeof *s->slot * procs);
  mem_free (s->num_slots, sizeof *s->num_slots * procs);
  mem_free (s->index, sizeof *s->index * pointsto_num_objects (s->calls->pointsto));
  mem_free (s->writes, sizeof *s->writes * procs);
  vec_release (&s->objects);
}
