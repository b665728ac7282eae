// One edge of the abstract execution of a thread.
//
// Memory is known only where no other thread can write it, except for handles: a handle that is written by a single
// kind, created once, at a single address stays known to the threads created afterwards.
#include "analysis/threads_impl.h"
#include "base/limits.h"

typedef struct thread_step {
  thread_walk *w;
  uint32_t node, context, kind;
  ir_edge e;
  const ir_edge_data *d;
  ir_proc proc;
  VEC (thread_value) values;  // [slot]
  thread_facts facts;
} thread_step;

static thread_step step_copy (const thread_step *from) {
  thread_step s = *from;
  memset (&s.values, 0, sizeof s.values);
  memset (&s.facts, 0, sizeof s.facts);
  for (uint32_t k = 0; k < from->values.count; k++) vec_push (&s.values, from->values.data[k]);
  facts_copy (&s.facts, &from->facts);
  return s;
}

static void step_release (thread_step *s) {
  vec_release (&s->values);
  facts_release (&s->facts);
}

// Returns the state of the node; `e` is one of its edges.
static thread_step step_of_node (thread_walk *w, uint32_t n, ir_edge e) {
  const thread_node *d = &w->nodes.data[n];
  const thread_context *c = &w->contexts.data[d->context];
  thread_step s = {.w = w,
                   .node = n,
                   .context = d->context,
                   .kind = c->kind,
                   .e = e,
                   .d = ir_edge_at (w->program, e),
                   .proc = c->proc};
  for (uint32_t k = 0; k < d->facts.handles.count; k++) {
    number known = w->numbers.data[d->first_number + k];
    uint32_t handle = d->facts.handles.data[k];
    thread_value v = known.known ? value_of_number (known.value) : value_any ();
    vec_push (&s.values, handle == IR_NONE ? v : ((thread_value){VALUE_HANDLE, handle}));
  }
  facts_copy (&s.facts, &d->facts);
  return s;
}

static value_scope step_scope (const thread_step *s) {
  return (value_scope){s->w->program, s->w->slice->slot[s->proc.i], s->values.data, &s->w->made};
}

static thread_value arg_value (const thread_step *s, unsigned k) {
  value_scope scope = step_scope (s);
  return value_of_expression (&scope, ir_arg (s->w->program, s->e, k));
}

static void set_step_register (thread_step *s, ir_reg r, thread_value v) {
  if (r.i == IR_NONE || s->w->slice->slot[s->proc.i][r.i] == IR_NONE) return;
  unsigned bits = ir_proc_at (s->w->program, s->proc)->regs.data[r.i].bits;
  s->values.data[s->w->slice->slot[s->proc.i][r.i]] = value_cut (v, bits, s->w->program->pointer_bits);
}

static void step_continue (thread_step *s) { walk_flow (s->w, s->context, s->d->to, s->values.data, &s->facts); }

// ---- memory -------------------------------------------------------------------------------------------

// Returns the object of the points-to analysis that contains an address; IR_NONE: none, or one that stands for several.
static uint32_t abstract_object_at (const thread_walk *w, uint64_t address) {
  uint64_t number = address_number (w->program, address);
  if (number < w->program->objects.count) return number ? (uint32_t) number : IR_NONE;
  number -= w->program->objects.count;
  return number < w->made.count && !w->made.data[number].several ? w->made.data[number].object : IR_NONE;
}

static uint32_t index_at (const thread_walk *w, uint64_t address) {
  uint32_t object = abstract_object_at (w, address);
  return object == IR_NONE ? IR_NONE : w->slice->index[object];
}

// Returns whether this thread may rely on values that it wrote there.
static bool can_rely_on_writes (const thread_step *s, uint64_t address) {
  uint32_t index = index_at (s->w, address);
  const small_set *foreign = &s->w->kinds.data[s->kind].foreign;
  if (index == IR_NONE || small_has (foreign, ANY_OBJECT)) return false;
  return !small_has (&s->w->slice->escaped, index) || !small_has (foreign, index);
}

static void forget_objects (thread_step *s, const small_set *indices) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->facts.cells.count; k++) {
    uint32_t index = index_at (s->w, s->facts.cells.data[k].address);
    if (index == IR_NONE || small_has (indices, index) || small_has (indices, ANY_OBJECT)) continue;
    s->facts.cells.data[kept++] = s->facts.cells.data[k];
  }
  s->facts.cells.count = kept;
  batches_note_written (s->w, &s->facts, indices, s->e);
}

static void write_somewhere (thread_step *s) {
  small_set indices = slice_objects (s->w->slice, s->e, 0);
  forget_objects (s, &indices);
}

static void write_to (thread_step *s, thread_value address, uint32_t bytes, thread_value v) {
  uint32_t index = address.tag == VALUE_NUMBER ? index_at (s->w, address.number) : IR_NONE;
  if (index == IR_NONE) {
    write_somewhere (s);
    return;
  }
  small_set indices = {0};
  small_add (&indices, index);
  bool known = v.tag == VALUE_NUMBER || (v.tag == VALUE_HANDLE && v.number != OWN_HANDLE);
  facts_store (&s->facts, address.number, bytes, known && can_rely_on_writes (s, address.number) ? v : value_any ());
  batches_note_written (s->w, &s->facts, &indices, s->e);
}

// Returns the initial bytes of a static object that no thread writes.
static thread_value initial_static_value (const thread_walk *w, uint64_t address, uint32_t bytes) {
  const ir_program *p = w->program;
  uint64_t number = address_number (p, address), offset = address - (number << p->offset_bits), n = 0;
  uint32_t index = index_at (w, address);
  if (!number || number >= p->objects.count || index == IR_NONE) return value_any ();
  const ir_object_data *o = &p->objects.data[number];
  bool written = small_has (&w->slice->written, index) || small_has (&w->slice->written, ANY_OBJECT);
  bool plain = o->kind == IR_O_GLOBAL || o->kind == IR_O_CONSTANT;
  if (written || !plain || o->relocations.count || offset + bytes > o->size) return value_any ();
  for (uint32_t k = 0; o->init && k < bytes; k++) n |= (uint64_t) o->init[offset + k] << (8 * k);
  return value_of_number (n);
}

static thread_value step_load (const thread_step *s) {
  thread_value address = arg_value (s, 0);
  if (address.tag != VALUE_NUMBER) return value_any ();
  const thread_cell *c = facts_find (&s->facts, address.number, s->d->bytes);
  return c ? c->value : initial_static_value (s->w, address.number, s->d->bytes);
}

static uint32_t made_index (thread_walk *w, uint32_t n, const made_object *o) {
  bool is_new;
  uint32_t index = (uint32_t) *map_insert (&w->made_at, n, w->made.count, &is_new);
  if (is_new && !at_limit (THREAD_MEMBERS, w->made.count)) vec_push (&w->made, *o);
  return index < LIMIT_THREAD_MEMBERS ? index : IR_NONE;
}

static void give_up_walk_object (thread_walk *w, uint32_t index) {
  walk_drop_assumption (w, &w->made.data[index].several);
}

static thread_value create_walk_object (thread_step *s) {
  const ir_program *p = s->w->program;
  made_object o = {.object = pointsto_site (s->w->calls->pointsto, s->e),
                   .context = s->context,
                   .on_heap = s->d->aux != IR_ALLOC_STACK};
  uint32_t index = made_index (s->w, s->node, &o);
  if (index == IR_NONE) return value_any ();
  if (small_has (&s->facts.made, index)) give_up_walk_object (s->w, index);
  small_add (&s->facts.made, index);
  uint64_t number = p->objects.count + index, address = number << p->offset_bits;
  bool fits = p->pointer_bits == 64 || address >> p->pointer_bits == 0;
  facts_forget_object (&s->facts, p, number);
  return s->w->made.data[index].several || !fits ? value_any () : value_of_number (address);
}

// ---- branches -----------------------------------------------------------------------------------------

static bool is_own (thread_value v) { return v.tag == VALUE_HANDLE && v.number == OWN_HANDLE; }

// If a handle equals that of the running thread, its slot has been used again: the thread that had it before has ended.
static void compare_with_own_handle (thread_step *s) {
  const ir_program *p = s->w->program;
  const ir_expr_node *n = ir_expr_at (p, ir_arg (p, s->e, 0));
  if (n->op != IR_X_EQ) return;
  value_scope scope = step_scope (s);
  thread_value a = value_of_expression (&scope, n->arg[0]), b = value_of_expression (&scope, n->arg[1]);
  thread_value other = is_own (a) ? b : a;
  if (!is_own (a) && !is_own (b)) return;
  if (other.tag != VALUE_HANDLE || other.number == OWN_HANDLE || other.number == s->kind) return;
  kinds_has_ended (s->w, s->kind, &s->facts, (uint32_t) other.number);
}

static bool has_number (const value_scope *scope, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (scope->program, x);
  if (n->op == IR_X_REG) return value_of_expression (scope, x).tag == VALUE_NUMBER;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (has_number (scope, n->arg[k])) return true;
  return false;
}

static void step_branch (thread_step *s) {
  value_scope scope = step_scope (s);
  thread_value condition = arg_value (s, 0);
  if (condition.tag == VALUE_NUMBER && !condition.number) return;
  if (condition.tag == VALUE_ANY && has_number (&scope, ir_arg (s->w->program, s->e, 0)))
    walk_undecided (s->w, s->node);
  compare_with_own_handle (s);
  step_continue (s);
}

// ---- threads ------------------------------------------------------------------------------------------

static bool stays_known (const thread_walk *w, const thread_cell *c) {
  uint32_t index = index_at (w, c->address);
  if (c->value.tag != VALUE_HANDLE || index == IR_NONE) return false;
  const thread_kind *t = &w->kinds.data[c->value.number];
  const uint64_t *writer = map_find (&w->writer_of, c->address);
  if (t->again || kinds_many (w, (uint32_t) c->value.number) || !writer || *writer != c->value.number) return false;
  bool stored = small_has (&w->slice->stored, index) || small_has (&w->slice->stored, ANY_OBJECT);
  return !stored && !small_has (&w->blurred, index);
}

// Returns the facts at the start of a new thread: handles that stay where they are, and threads that have ended.
static thread_facts facts_at_start (const thread_step *s, bool loose) {
  thread_facts start = {0};
  if (loose) return start;
  start.ended = s->facts.ended;
  for (uint32_t k = 0; k < s->facts.cells.count; k++)
    if (stays_known (s->w, &s->facts.cells.data[k])) vec_push (&start.cells, s->facts.cells.data[k]);
  return start;
}

static thread_value argument_at_start (const thread_step *s) {
  thread_value v = arg_value (s, 2);
  if (v.tag != VALUE_HANDLE) return v;
  bool stays = v.number != OWN_HANDLE && !s->w->kinds.data[v.number].again && !kinds_many (s->w, (uint32_t) v.number);
  return stays ? v : value_any ();
}

static void start_kind (thread_step *s, uint32_t k) {
  thread_kind *t = &s->w->kinds.data[k];
  thread_facts start = facts_at_start (s, t->has_unknown_creator);
  thread_value argument = t->has_unknown_creator ? value_any () : argument_at_start (s);
  if (!t->started) {
    facts_copy (&t->start, &start);
    t->argument = argument;
  } else {
    facts_weaken (&t->start, &start);
    if (t->argument.tag != argument.tag || t->argument.number != argument.number) t->argument = value_any ();
  }
  t->started = true;
  facts_release (&start);
}

static void note_handle_written (thread_step *s, thread_value address, uint32_t k) {
  thread_walk *w = s->w;
  if (address.tag != VALUE_NUMBER || index_at (w, address.number) == IR_NONE) {
    small_set indices = slice_objects (w->slice, s->e, 0);
    w->changed |= small_unite (&w->blurred, &indices);
    return;
  }
  bool is_new;
  uint64_t *writer = map_insert (&w->writer_of, address.number, k, &is_new);
  w->changed |= is_new || (*writer != k && *writer != IR_NONE);
  if (*writer != k) *writer = IR_NONE;
}

// Starts one of the threads that the edge may start, in a copy of the state.
static void create_one (const thread_step *before, ir_proc entry) {
  thread_step s = step_copy (before);
  uint32_t k = kinds_created (s.w, s.kind, s.node, s.e, entry);
  thread_value address = arg_value (&s, 0);
  start_kind (&s, k);
  kinds_create (s.w, &s.facts, k);
  for (uint32_t r = 0; r < s.values.count; r++)
    if (s.values.data[r].tag == VALUE_HANDLE && s.values.data[r].number == k) s.values.data[r] = value_any ();
  note_handle_written (&s, address, k);
  write_to (&s, address, s.w->program->pointer_bits / 8, (thread_value){VALUE_HANDLE, k});
  set_step_register (&s, s.d->dst, value_any ());
  step_continue (&s);
  step_release (&s);
}

// Returns the procedures that a value may point to: a known function, or those of points-to.
static id_list targets_of (const thread_step *s, unsigned k) {
  const ir_program *p = s->w->program;
  thread_value v = arg_value (s, k);
  if (v.tag != VALUE_NUMBER) return call_graph_targets (s->w->calls, s->e, k);
  uint64_t number = address_number (p, v.number);
  id_list found = {0};
  bool is_function = number && number < p->objects.count && p->objects.data[number].kind == IR_O_FUNCTION;
  if (is_function && p->objects.data[number].proc.i != IR_NONE) vec_push (&found, p->objects.data[number].proc.i);
  return found;
}

static void step_create_threads (thread_step *s) {
  id_list entries = targets_of (s, 1);
  for (uint32_t k = 0; k < entries.count; k++) create_one (s, (ir_proc){entries.data[k]});
  vec_release (&entries);
}

// ---- calls --------------------------------------------------------------------------------------------

bool walk_calls_in_detail (const thread_walk *w, uint32_t context, uint32_t callee) {
  const struct thread_context *c = &w->contexts.data[context];
  if (c->depth >= w->most_depth) return false;
  for (;;) {
    if (c->proc.i == callee) return false;
    if (c->caller == IR_NONE) return true;
    c = &w->contexts.data[w->nodes.data[c->caller].context];
  }
}

static void call_in_detail (thread_step *s, ir_proc callee) {
  thread_walk *w = s->w;
  const ir_proc_data *f = ir_proc_at (w->program, callee);
  uint32_t context = walk_context (w, s->node, callee, s->kind), count = w->slice->num_slots[callee.i];
  thread_value *values = mem_alloc (sizeof *values * (count + 1));
  for (uint32_t k = 0; k < count; k++) values[k] = value_any ();
  for (uint32_t k = 0; k < f->num_params; k++) {
    uint32_t slot = w->slice->slot[callee.i][k];
    if (slot == IR_NONE) continue;
    thread_value v = k + 1 < s->d->num_args ? arg_value (s, k + 1) : value_of_number (0);
    values[slot] = value_cut (v, f->regs.data[k].bits, w->program->pointer_bits);
  }
  thread_facts at_entry = {0};
  facts_copy (&at_entry, &s->facts);
  batches_change_frame (w, &at_entry, callee);
  walk_flow (w, context, f->entry, values, &at_entry);
  facts_release (&at_entry);
  for (uint32_t k = 0; k < w->contexts.data[context].returns.count; k++)  // the caller's facts may have changed
    walk_wait (w, w->contexts.data[context].returns.data[k]);
  mem_free (values, sizeof *values * (count + 1));
}

static void create_in_bulk (thread_step *s, ir_edge e) {
  id_list entries = call_graph_targets (s->w->calls, e, 1);
  small_set indices = slice_objects (s->w->slice, e, 0);
  s->w->changed |= small_unite (&s->w->blurred, &indices);
  for (uint32_t k = 0; k < entries.count; k++) {
    uint32_t made = kinds_created (s->w, s->kind, IR_NONE, e, (ir_proc){entries.data[k]});
    s->w->kinds.data[made].started = true;
    kinds_create (s->w, &s->facts, made);
  }
  vec_release (&entries);
}

static void do_in_bulk (thread_step *s, ir_edge e) {
  switch (ir_edge_at (s->w->program, e)->op) {
  case IR_THREAD_CREATE: create_in_bulk (s, e); break;
  case IR_THREAD_JOIN: walk_drop_assumption (s->w, &s->w->unknown_join); break;
  case IR_THREAD_DETACH: walk_drop_assumption (s->w, &s->w->all_detached); break;
  case IR_THREAD_EXIT: kinds_end (s->w, s->kind, &s->facts); break;
  case IR_LOCAL_OPERATIONS:
  case IR_THREAD_SELF:
  case IR_MEMORY_OPERATIONS:
  case IR_REGION_OPERATIONS:
  case IR_PROCESS_OPERATIONS:
  case IR_OBJECT_OPERATIONS: break;
  }
}

// A call that is not followed (recursion, or too deep): everything it may do may have been done, and nothing is known
// afterwards.
static void call_in_bulk (thread_step *s, ir_proc callee) {
  const id_list *operations = call_graph_operations (s->w->calls, callee);
  vec_clear (&s->facts.cells);
  s->facts.batches = (small_set){0};
  for (uint32_t rounds = 0; rounds < 2; rounds++)  // twice, so that the end of the thread has seen all other operations
    for (uint32_t k = 0; k < operations->count; k++) do_in_bulk (s, (ir_edge){operations->data[k]});
}

static void call_one (const thread_step *before, ir_proc callee) {
  thread_walk *w = before->w;
  thread_step s = step_copy (before);
  bool matters = w->calls->matters[callee.i];
  if (matters && walk_calls_in_detail (w, s.context, callee.i)) {
    call_in_detail (&s, callee);
  } else {
    if (matters) call_in_bulk (&s, callee);
    else if (w->calls->exits[callee.i]) kinds_end (w, s.kind, &s.facts);
    forget_objects (&s, &w->slice->writes[callee.i]);
    set_step_register (&s, s.d->dst, value_any ());
    step_continue (&s);
  }
  step_release (&s);
}

static void step_call (const thread_step *s) {
  id_list targets = targets_of (s, 0);
  for (uint32_t k = 0; k < targets.count; k++) call_one (s, (ir_proc){targets.data[k]});
  vec_release (&targets);
}

id_list walk_targets (const thread_walk *w, uint32_t n, ir_edge call) {
  thread_step s = step_of_node ((thread_walk *) w, n, call);
  id_list targets = targets_of (&s, 0);
  step_release (&s);
  return targets;
}

// Stack objects of a procedure die when it returns.
static void drop_stack_objects (thread_step *s) {
  for (uint32_t k = 0; k < s->w->made.count; k++) {
    if (s->w->made.data[k].context != s->context || s->w->made.data[k].on_heap) continue;
    small_remove (&s->facts.made, k);
    facts_forget_object (&s->facts, s->w->program, s->w->program->objects.count + k);
  }
}

// Continues in the caller. Its registers are unchanged, except that handles of kinds that are created again may be old.
static void return_to (const thread_step *from, uint32_t caller, thread_value result) {
  thread_walk *w = from->w;
  thread_step s = step_of_node (w, caller, (ir_edge){ir_loc_at (w->program, w->nodes.data[caller].loc)->first_edge});
  facts_copy (&s.facts, &from->facts);
  batches_change_frame (w, &s.facts, from->proc);
  for (uint32_t k = 0; k < s.values.count; k++) {
    const thread_value *v = &s.values.data[k];
    if (v->tag == VALUE_HANDLE && v->number != OWN_HANDLE && w->kinds.data[v->number].again)
      s.values.data[k] = value_any ();
  }
  set_step_register (&s, s.d->dst, result);
  step_continue (&s);
  step_release (&s);
}

static void return_value (thread_step *s) {
  thread_context *c = &s->w->contexts.data[s->context];
  thread_value result = s->d->num_args ? arg_value (s, 0) : value_of_number (0);
  if (c->caller == IR_NONE) {
    kinds_end (s->w, s->kind, &s->facts);
    return;
  }
  bool known = false;
  for (uint32_t k = 0; k < c->returns.count; k++) known |= c->returns.data[k] == s->node;
  if (!known) vec_push (&c->returns, s->node);
  drop_stack_objects (s);
  return_to (s, c->caller, result);
}

// ---- one edge -----------------------------------------------------------------------------------------

static void step_edge (thread_step *s) {
  batches_take_edge (s->w, s->kind, s->proc, &s->facts, s->e);
  switch (s->d->op) {
  case IR_ASSUME: step_branch (s); return;
  case IR_CALL: step_call (s); return;
  case IR_RETURN: return_value (s); return;
  case IR_THREAD_CREATE: step_create_threads (s); return;
  case IR_THREAD_EXIT: kinds_end (s->w, s->kind, &s->facts); return;
  case IR_EXIT: return;
  case IR_ASSIGN: set_step_register (s, s->d->dst, arg_value (s, 0)); break;
  case IR_LOAD: set_step_register (s, s->d->dst, step_load (s)); break;
  case IR_ALLOC: set_step_register (s, s->d->dst, create_walk_object (s)); break;
  case IR_THREAD_SELF: set_step_register (s, s->d->dst, (thread_value){VALUE_HANDLE, OWN_HANDLE}); break;
  case IR_STORE: write_to (s, arg_value (s, 0), s->d->bytes, arg_value (s, 1)); break;
  case IR_STORE_RAW: write_to (s, arg_value (s, 0), s->d->bytes, value_any ()); break;
  case IR_THREAD_JOIN:
    kinds_join (s->w, s->kind, &s->facts, arg_value (s, 0));
    set_step_register (s, s->d->dst, value_any ());
    break;
  case IR_THREAD_DETACH: kinds_detach (s->w, s->kind, &s->facts, arg_value (s, 0)); break;
  case IR_RMW:
  case IR_CMPXCHG:
    write_to (s, arg_value (s, 0), s->d->bytes, value_any ());
    set_step_register (s, s->d->dst, value_any ());
    set_step_register (s, s->d->dst2, value_any ());
    break;
  case IR_FREE:
  case IR_FORGET: write_somewhere (s); break;
  case IR_NOP:
  case IR_NONDET:
  case IR_CHECK:
  case IR_UNSUPPORTED:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_OBJECT_SIZE:
  case IR_LOAD_RAW:
  case IR_FENCE:
  case IR_OWN:
  case IR_REGION_OPERATIONS:
  case IR_OUTPUT:
  case IR_OBJECT_OPERATIONS:
    set_step_register (s, s->d->dst, value_any ());
    set_step_register (s, s->d->dst2, value_any ());
    break;
  }
  step_continue (s);
}

void walk_step (thread_walk *w, uint32_t n) {
  const ir_loc_data *l = ir_loc_at (w->program, w->nodes.data[n].loc);
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
    thread_step s = step_of_node (w, n, (ir_edge){e});
    step_edge (&s);
    step_release (&s);
  }
}
