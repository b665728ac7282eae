// Computes what a violation rests on.  Some values of an execution are invented: lockstep does not know what a function
// without a body returns, or what an object that is defined nowhere holds (ir_origin).  A shadow of the machine records
// for each register and each byte of memory its sources: the invented values from which it was computed.  A violation
// that rests on some sources is one only if these values can occur.
//
// A thread whose branch, address or lock depends on a source continues under control of that source: with another value
// the thread might do something else from there on.  All that the thread writes carries its control, so other threads
// depend on the source only if they read what the thread wrote, acquire a lock that it released, or are woken, created
// or joined by it.  Otherwise the same execution exists without the later steps of that thread, whatever the value is.
// So an execution without a source at its violation exists for all values of all sources (Denning and Denning, CACM
// 20(7), 1977, for one execution; writes of branches that are not taken need no regard while control lasts, and
// scopes.c finds the branches whose control ends).
//
// Some sources are weak: which object such a function returns the address of.  It is taken for granted that the
// function returns an object and that the program uses it correctly, so neither a test for null nor an access puts the
// thread under control of a weak source.  But an error of the address itself, the effect of a lock at the address, and
// the values read or written there do rest on it.
//
// A set has 64 bits; the last bit stands for all sources after the 63rd.
#include "base/limits.h"
#include "verdict/verdict_impl.h"

typedef uint64_t source_set;

// An invented value, by the edge that takes it; or an object that is defined nowhere.
typedef struct source {
  ir_edge edge;
  ir_object object;
  ir_value value;
} source;

typedef struct shadow_object {
  source_set *bytes;  // [0..size[, NULL: none
  uint32_t size;
  source_set shape;  // sources of its size and of its death
} shadow_object;

// A branch that depends on sources and does not matter after its join (scopes.c): the thread is under control of the
// sources until it gets there.
typedef struct open_scope {
  uint32_t frames;  // number of frames of the thread when it is in the frame of the branch
  uint32_t info;    // index into `scopes`
  source_set set;
} open_scope;

typedef struct shadow_thread {
  VEC (source_set) regs;  // by register of the thread; registers beyond the end have no sources
  source_set lasting;     // control that never ends
  source_set control;     // `lasting`, and the control of the open branches
  source_set result;
  VEC (open_scope) open;
} shadow_thread;

// The step between `before` and `after`.
typedef struct shadow_step {
  source_set dst[2];
  source_set written;  // sources of what is written to the bytes at `address`
  uint64_t address;
  uint32_t bytes;
  source_set shape;         // of a new object
  VEC (source_set) params;  // of a call or a new thread
  uint64_t waiting[IR_MAX_THREADS];
} shadow_step;

struct sources {
  machine *m;
  bool some;  // whether a source has been met
  source_set weak;
  source_set handlers, interrupts;  // of handlers installed so far, by the waits that a handler may end (ir_origin)
  VEC (source) known;
  VEC (goal_condition) conditions;  // by source
  map objects;                      // number -> index into `shadows`
  VEC (shadow_object) shadows;
  shadow_thread threads[IR_MAX_THREADS];
  source_set gone;  // control of threads that have ended and whose slots others have
  map scope_of;     // location of a branch -> index into `scopes`
  VEC (branch_scope) scopes;
  shadow_step step;
};

// ---- life ----------------------------------------------------------------------------------------------
static bool has_invented_values (const ir_program *p) {
  for (uint32_t i = 0; i < p->edges.count; i++)
    if (p->edges.data[i].origin != IR_INPUT) return true;
  return false;
}

static bool has_outside_objects (const ir_program *p) {
  for (uint32_t i = 0; i < p->objects.count; i++)
    if (p->objects.data[i].outside) return true;
  return false;
}

sources *sources_new (machine *m) {
  bool outside = has_outside_objects (m->program);
  if (!outside && !has_invented_values (m->program)) return NULL;
  sources *s = mem_zalloc (sizeof *s);
  s->m = m;
  s->some = outside;
  return s;
}

void sources_free (sources *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->shadows.count; i++)
    mem_free (s->shadows.data[i].bytes, sizeof (source_set) * s->shadows.data[i].size);
  for (uint32_t i = 0; i < IR_MAX_THREADS; i++) {
    vec_release (&s->threads[i].regs);
    vec_release (&s->threads[i].open);
  }
  for (uint32_t i = 0; i < s->scopes.count; i++) scope_release (&s->scopes.data[i]);
  vec_release (&s->scopes);
  map_release (&s->scope_of);
  vec_release (&s->shadows);
  vec_release (&s->known);
  vec_release (&s->conditions);
  vec_release (&s->step.params);
  map_release (&s->objects);
  mem_free (s, sizeof *s);
}

// ---- sources -------------------------------------------------------------------------------------------
static bool is_same_source (const source *x, const source *y) {
  return x->edge.i == y->edge.i && x->object.i == y->object.i && x->value == y->value;
}

// Returns the set of one source; 0: it is new.
static source_set find_source (const sources *s, const source *x) {
  for (uint32_t i = 0; i < s->known.count; i++)
    if (is_same_source (&s->known.data[i], x)) return (source_set) 1 << i;
  return at_limit (CONDITION_SOURCES, s->known.count) ? (source_set) 1 << LIMIT_CONDITION_SOURCES : 0;
}

// Returns the text between the first two back quotes; NULL: there are none.
static const char *name_in_backquotes (arena *a, const char *text) {
  const char *from = strchr (text, '`'), *to = from ? strchr (from + 1, '`') : NULL;
  return to ? arena_printf (a, "%.*s", (int) (to - from - 1), from + 1) : NULL;
}

static const char *condition_text (const action *a, ir_value value) {
  static const char result[] = "result of ";
  const ir_edge_data *d = a->d;
  const char *origin = d->message ? d->message : "a value from outside comes";
  if (d->op != IR_NONDET || strncmp (origin, result, sizeof result - 1)) return arena_strdup (a->m->arena, origin);
  const ir_reg_data *r = &ir_proc_at (a->m->program, a->f->proc)->regs.data[d->dst.i];
  strbuf text = {0};
  strbuf_printf (&text, "%s returns ", origin + sizeof result - 1);
  name_value (a->m, value, r->bits, r->type, &text);
  const char *kept = arena_strdup (a->m->arena, strbuf_text (&text));
  strbuf_release (&text);
  return kept;
}

static source_set add_known_source (sources *s, const source *x, goal_condition c, bool weak) {
  source_set set = (source_set) 1 << s->known.count;
  s->some = true;
  c.about = name_in_backquotes (s->m->arena, c.text);
  vec_push (&s->known, *x);
  vec_push (&s->conditions, c);
  if (weak) s->weak |= set;
  return set;
}

static source_set source_of_edge (sources *s, const action *a, ir_value value, bool weak) {
  source x = {.edge = a->e, .value = value};
  source_set set = find_source (s, &x);
  ir_position pos = a->d->pos.file ? a->d->pos : action_position (a);
  return set ? set : add_known_source (s, &x, (goal_condition){.text = condition_text (a, value), .pos = pos}, weak);
}

static source_set source_of_object (sources *s, ir_object o) {
  const ir_object_data *d = ir_object_at (s->m->program, o);
  source x = {.edge = {IR_NONE}, .object = o};
  source_set set = d->outside ? find_source (s, &x) : 0;
  return set || !d->outside ? set : add_known_source (s, &x, (goal_condition){.text = d->outside, .pos = d->pos}, true);
}

// ---- registers -----------------------------------------------------------------------------------------
static shadow_thread *shadow_of (sources *s, const action *a) { return &s->threads[a->t->slot]; }

static void fit_regs (shadow_thread *x, uint32_t count) {
  if (x->regs.count > count) x->regs.count = count;
  while (x->regs.count < count) vec_push (&x->regs, (source_set) 0);
}

static source_set of_reg (sources *s, const action *a, ir_reg r) {
  const shadow_thread *x = shadow_of (s, a);
  uint32_t index = a->f->first_reg + r.i;
  return index < x->regs.count ? x->regs.data[index] : 0;
}

static source_set of_expr (sources *s, const action *a, ir_expr x);

// Whether the operand, which has no sources, decides the result alone: 0 of `and` and `mul`, all ones of `or`.
static bool decides_result_alone (const action *a, ir_expr_op op, ir_expr x) {
  if (op == IR_X_AND || op == IR_X_MUL) return eval (a, x) == 0;
  return op == IR_X_OR && eval (a, x) == value_mask (ir_expr_at (a->m->program, x)->bits);
}

static bool is_null (const action *a, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (a->m->program, x);
  return n->op == IR_X_CONST && !n->value && n->bits == a->m->program->pointer_bits;
}

static bool is_test_for_null (const action *a, const ir_expr_node *n) {
  return (n->op == IR_X_EQ || n->op == IR_X_NE) && (is_null (a, n->arg[0]) || is_null (a, n->arg[1]));
}

static source_set of_pair (sources *s, const action *a, const ir_expr_node *n) {
  source_set l = of_expr (s, a, n->arg[0]), r = of_expr (s, a, n->arg[1]);
  if ((l && !r && decides_result_alone (a, n->op, n->arg[1])) ||
      (r && !l && decides_result_alone (a, n->op, n->arg[0])))
    return 0;
  return is_test_for_null (a, n) ? (l | r) & ~s->weak : l | r;
}

static source_set of_expr (sources *s, const action *a, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (a->m->program, x);
  switch (n->op) {
  case IR_X_CONST: return 0;
  case IR_X_ADDR: return source_of_object (s, n->object);
  case IR_X_REG: return of_reg (s, a, n->reg);
  case IR_X_ITE: return of_expr (s, a, n->arg[0]) | of_expr (s, a, n->arg[eval (a, n->arg[0]) & 1 ? 1 : 2]);
  default: return ir_expr_arity (n->op) == 1 ? of_expr (s, a, n->arg[0]) : of_pair (s, a, n);
  }
}

static source_set of_arg (sources *s, const action *a, unsigned k) {
  return of_expr (s, a, a->m->program->args.data[a->d->first_arg + k]);
}

static source_set of_args (sources *s, const action *a, unsigned first) {
  source_set all = 0;
  for (unsigned k = first; k < a->d->num_args; k++) all |= of_arg (s, a, k);
  return all;
}

static void set_register_sources (sources *s, const action *a, ir_reg r, source_set set) {
  shadow_thread *x = shadow_of (s, a);
  if (r.i == IR_NONE) return;
  fit_regs (x, a->t->regs.count);
  x->regs.data[a->f->first_reg + r.i] = set;
}

// ---- memory --------------------------------------------------------------------------------------------
static shadow_object *find_shadow (sources *s, uint64_t number) {
  const uint64_t *index = map_find (&s->objects, number);
  return index ? &s->shadows.data[*index] : NULL;
}

static shadow_object *get_shadow (sources *s, uint64_t number) {
  bool is_new;
  uint64_t index = *map_insert (&s->objects, number, s->shadows.count, &is_new);
  if (is_new) vec_push (&s->shadows, (shadow_object){0});
  return &s->shadows.data[index];
}

static uint64_t object_number_at (const sources *s, uint64_t address) {
  return address_object (s->m->program, address);
}

static source_set shape_sources (sources *s, uint64_t address) {
  const shadow_object *o = find_shadow (s, object_number_at (s, address));
  return o ? o->shape : 0;
}

static void add_shape (sources *s, uint64_t number, source_set set) {
  if (set) get_shadow (s, number)->shape |= set;
}

static source_set read_sources (sources *s, uint64_t address, uint32_t bytes) {
  const shadow_object *o = find_shadow (s, object_number_at (s, address));
  uint64_t offset = address_offset (s->m->program, address);
  source_set all = 0;
  for (uint32_t i = 0; o && o->bytes && i < bytes && offset + i < o->size; i++) all |= o->bytes[offset + i];
  return all;
}

static void write_sources (sources *s, uint64_t address, uint32_t bytes, source_set set) {
  uint64_t number = object_number_at (s, address), offset = address_offset (s->m->program, address);
  const object *real = number ? object_find (s->m, number) : NULL;
  shadow_object *o = real && set ? get_shadow (s, number) : find_shadow (s, number);
  if (!real || !o || (!o->bytes && !set)) return;
  if (!o->bytes) {
    o->size = real->size;
    o->bytes = mem_zalloc (sizeof (source_set) * o->size);
  }
  for (uint32_t i = 0; i < bytes && offset + i < o->size; i++) o->bytes[offset + i] = set;
}

// Clears the shadow of a number that a new object gets.
static void forget_shadow (sources *s, uint64_t number, source_set shape) {
  shadow_object *o = shape ? get_shadow (s, number) : find_shadow (s, number);
  if (!o) return;
  mem_free (o->bytes, sizeof (source_set) * o->size);
  *o = (shadow_object){.shape = shape};
}

// ---- control -------------------------------------------------------------------------------------------
static void put_under_control (shadow_thread *x, source_set set) {
  x->lasting |= set;
  x->control |= set;
}

// Puts the thread under control of the set for ever.  Inside an atomic region the other threads come under control,
// too: they cannot step without the thread.
static void add_control (sources *s, const action *a, source_set set) {
  put_under_control (shadow_of (s, a), set);
  for (uint32_t t = 0; set && (a->t->atomic || s->m->num_owned) && t < s->m->num_slots; t++)
    put_under_control (&s->threads[t], set);
}

static uint32_t scope_index (sources *s, ir_loc branch) {
  bool is_new;
  uint32_t index = (uint32_t) *map_insert (&s->scope_of, branch.i, s->scopes.count, &is_new);
  if (is_new) {
    vec_push (&s->scopes, (branch_scope){0});
    scope_find (s->m->program, s->m->semantics.properties, branch, &vec_last (&s->scopes));
  }
  return index;
}

// Marks the bytes that a way of the branch may write: they depend on the branch, even if another thread writes there in
// the meantime.
static void mark_stores (sources *s, const action *a, const open_scope *o) {
  const branch_scope *b = &s->scopes.data[o->info];
  for (uint32_t i = 0; i < b->stores.count; i++) {
    const static_bytes *x = &b->stores.data[i];
    uint64_t address = address_of_static (a, x->object, x->offset);
    write_sources (s, address, x->bytes, read_sources (s, address, x->bytes) | o->set);
  }
}

static bool scope_has_ended (const sources *s, const action *a, const open_scope *o) {
  if (a->t->frames.count != o->frames) return a->t->frames.count < o->frames;
  return vec_last (&a->t->frames).loc.i == s->scopes.data[o->info].join.i;
}

static void end_scope (sources *s, const action *a, const open_scope *o) {
  shadow_thread *x = shadow_of (s, a);
  const branch_scope *b = &s->scopes.data[o->info];
  mark_stores (s, a, o);
  if (a->t->frames.count != o->frames) return;
  fit_regs (x, a->t->regs.count);
  for (uint32_t i = 0; i < b->regs.count; i++) x->regs.data[a->f->first_reg + b->regs.data[i].i] |= o->set;
}

// Ends the branches whose join the thread has reached.
static void end_scopes (sources *s, const action *a) {
  shadow_thread *x = shadow_of (s, a);
  while (x->open.count && scope_has_ended (s, a, &vec_last (&x->open))) {
    open_scope o = vec_pop (&x->open);
    end_scope (s, a, &o);
    x->control = x->lasting;
    for (uint32_t i = 0; i < x->open.count; i++) x->control |= x->open.data[i].set;
  }
}

static void take_branch (sources *s, const action *a, source_set set) {
  shadow_thread *x = shadow_of (s, a);
  if (!(set & ~x->lasting)) return;
  open_scope o = {.frames = a->t->frames.count, .info = scope_index (s, a->f->loc), .set = set};
  if (!s->scopes.data[o.info].harmless || a->t->atomic || s->m->num_owned) {
    add_control (s, a, set);
    return;
  }
  x->control |= set;
  mark_stores (s, a, &o);
  open_scope *last = x->open.count ? &vec_last (&x->open) : NULL;
  if (last && last->frames == o.frames && last->info == o.info) last->set |= set;  // the next round of a loop
  else vec_push (&x->open, o);
}

// ---- synchronisation -----------------------------------------------------------------------------------
static uint32_t sync_bytes (sync_kind kind) {
  switch (kind) {
  case SYNC_MUTEX: return 20;
  case SYNC_RWLOCK: return IR_RW_WRITER + 4;
  case SYNC_SEM: return 8;
  case SYNC_BARRIER: return 12;
  default: return 4;
  }
}

static source_set of_sync (sources *s, const action *a) {
  sync_use uses[2];
  unsigned n = sync_uses (a, uses);
  source_set all = 0;
  for (unsigned i = 0; i < n; i++) {
    all |= of_arg (s, a, i) | shape_sources (s, uses[i].address);
    if (i >= sync_first_touched (a->d->op)) all |= read_sources (s, uses[i].address, sync_bytes (uses[i].kind));
  }
  return all;
}

static bool sync_writes (ir_op op, const sync_use *u) { return u->kind != SYNC_COND && op != IR_SEM_GETVALUE; }

static void write_sync (sources *s, const action *a, source_set extra) {
  sync_use uses[2];
  unsigned n = sync_uses (a, uses);
  source_set set = shadow_of (s, a)->control | extra;
  for (unsigned i = sync_first_touched (a->d->op); i < n; i++)
    if (sync_writes (a->d->op, &uses[i]) || sync_is_init (a->d->op))
      write_sources (s, uses[i].address, sync_bytes (uses[i].kind), set);
}

// Marks the threads that this step has woken: they continue because of this thread.
static void mark_woken (sources *s, source_set control) {
  for (uint32_t t = 0; t < s->m->num_slots; t++)
    if (s->step.waiting[t] && !s->m->threads[t].waiting) put_under_control (&s->threads[t], control);
}

// ---- a step --------------------------------------------------------------------------------------------
static source_set of_branch (sources *s, const action *a) {
  const ir_loc_data *here = &a->m->program->locs.data[a->f->loc.i];
  source_set all = 0;
  for (uint32_t i = 0; i < here->num_edges; i++) {
    ir_expr condition = ir_arg (a->m->program, (ir_edge){here->first_edge + i}, 0);
    all |= of_expr (s, a, condition);
    if (eval (a, condition)) break;
  }
  return all;
}

static source_set strong_sources (const sources *s, source_set set) { return set & ~s->weak; }

static void plan_params (sources *s, const action *a, unsigned first) {
  vec_clear (&s->step.params);
  for (unsigned k = first; k < a->d->num_args; k++) vec_push (&s->step.params, of_arg (s, a, k));
}

static void plan_access (sources *s, const action *a) {
  shadow_step *x = &s->step;
  const ir_edge_data *d = a->d;
  x->address = (uint64_t) action_arg (a, 0);
  x->bytes = d->bytes;
  source_set where = of_arg (s, a, 0) | shape_sources (s, x->address), operands = of_args (s, a, 1);
  source_set there = read_sources (s, x->address, d->bytes) | where;
  add_control (s, a, strong_sources (s, where));
  x->dst[0] = x->dst[1] = there;
  x->written = operands | where;
  if (d->op == IR_RMW && d->aux != IR_RMW_XCHG) x->written |= there;
  if (d->op == IR_CMPXCHG) x->dst[1] |= of_arg (s, a, 1), x->written |= there;
}

// Marks the objects that die with the frame or with the thread.
static void end_objects (sources *s, const action *a, uint32_t first) {
  for (uint32_t i = first; i < a->t->stack.count; i++)
    add_shape (s, object_number (s->m->program, a->t->slot, a->t->stack.data[i]), shadow_of (s, a)->control);
}

static void plan_return (sources *s, const action *a) {
  s->step.dst[0] = of_args (s, a, 0) | shadow_of (s, a)->control;
  bool last = a->d->op == IR_THREAD_EXIT || a->t->frames.count == 1;
  if (last) s->threads[a->t->slot].result = s->step.dst[0];
  end_objects (s, a, last ? 0 : a->f->first_stack);
}

static void plan_thread (sources *s, const action *a) {
  if (a->d->op == IR_THREAD_CREATE) {
    s->step.address = (uint64_t) action_arg (a, 0);
    s->step.bytes = s->m->program->pointer_bits / 8;
    s->step.written = of_arg (s, a, 0) | shape_sources (s, s->step.address);
    add_control (s, a, strong_sources (s, s->step.written) | of_arg (s, a, 1));
    plan_params (s, a, 2);
    return;
  }
  add_control (s, a, of_args (s, a, 0));
  const thread *target = a->d->op == IR_THREAD_JOIN ? thread_of_handle (s->m, action_arg (a, 0)) : NULL;
  if (!target) return;
  add_control (s, a, s->threads[target->slot].lasting);
  s->step.dst[0] = s->threads[target->slot].result;
}

static void plan_group (sources *s, const action *a) {
  char group = ir_op_table[a->d->op].group;
  if (group == 'M' && a->d->bytes) plan_access (s, a);
  else if (group == 'M' && a->d->num_args) {
    s->step.address = (uint64_t) action_arg (a, 0);
    s->step.written = of_arg (s, a, 0) | shape_sources (s, s->step.address);
    add_control (s, a, strong_sources (s, s->step.written));
  } else if (group == 'S') add_control (s, a, of_sync (s, a));
  else s->step.dst[0] = of_args (s, a, 0);
}

void sources_before (sources *s, uint32_t slot) {
  if (!s || !s->some) return;
  action a = action_of (s->m, slot);
  end_scopes (s, &a);
  s->step.dst[0] = s->step.dst[1] = s->step.written = s->step.shape = 0;
  s->step.bytes = 0;
  for (uint32_t t = 0; t < s->m->num_slots; t++) s->step.waiting[t] = s->m->threads[t].waiting;
  switch (a.d->op) {
  case IR_ASSUME: take_branch (s, &a, of_branch (s, &a)); return;
  case IR_CHECK:
    if (!(s->m->semantics.properties >> a.d->aux & 1)) add_control (s, &a, of_arg (s, &a, 0));
    return;  // a value with which a requested check fails would be another bug
  case IR_CALL:
    add_control (s, &a, of_arg (s, &a, 0));
    plan_params (s, &a, 1);
    return;
  case IR_RETURN:
  case IR_THREAD_EXIT: plan_return (s, &a); return;
  case IR_THREAD_CREATE:
  case IR_THREAD_JOIN:
  case IR_THREAD_DETACH: plan_thread (s, &a); return;
  case IR_ALLOC: s->step.shape = of_arg (s, &a, 0); return;
  case IR_OBJECT_SIZE: s->step.dst[0] = of_arg (s, &a, 0) | shape_sources (s, (uint64_t) action_arg (&a, 0)); return;
  default: plan_group (s, &a);
  }
}

// ---- what it did ---------------------------------------------------------------------------------------
static ir_value reg_value (const action *a, ir_reg r) { return a->t->regs.data[a->f->first_reg + r.i]; }

static void copy_parameter_sources (sources *s, uint32_t slot) {
  const thread *t = &s->m->threads[slot];
  shadow_thread *x = &s->threads[slot];
  const judge_frame *f = &vec_last (&t->frames);
  uint32_t params = ir_proc_at (s->m->program, f->proc)->num_params;
  fit_regs (x, f->first_reg);  // a fresh frame: its registers carry nothing yet
  fit_regs (x, t->regs.count);
  for (uint32_t k = 0; k < s->step.params.count && k < params; k++)
    x->regs.data[f->first_reg + k] = s->step.params.data[k] | x->control;
}

static void after_return (sources *s, const action *before) {
  const thread *t = &s->m->threads[before->t->slot];
  if (!t->frames.count) return;
  fit_regs (&s->threads[t->slot], t->regs.count);
  const judge_frame *caller = &vec_last (&t->frames);
  ir_reg dst = ir_edge_at (s->m->program, caller->call)->dst;
  if (dst.i != IR_NONE) s->threads[t->slot].regs.data[caller->first_reg + dst.i] = s->step.dst[0];
}

static void after_create (sources *s, const action *a) {
  uint32_t slot = s->m->woken;
  shadow_thread *x = &s->threads[slot];
  vec_clear (&x->regs);
  vec_clear (&x->open);
  s->gone |= x->lasting;
  x->lasting = x->control = shadow_of (s, a)->control;
  x->result = 0;
  for (uint32_t i = 0; i < s->m->thread_locals.count; i++)
    forget_shadow (s, object_number (s->m->program, slot, s->m->threads[slot].first_local + i), 0);
  copy_parameter_sources (s, slot);
}

typedef struct reachable_objects {
  VEC (uint64_t) numbers;  // of objects, in the order found
  map seen;
  bool only_unwritten;  // only bytes that were never written are marked
} reachable_objects;

static void add_reachable_object (sources *s, reachable_objects *h, uint64_t address) {
  bool is_new;
  uint64_t number = object_number_at (s, address);
  const object *o = number ? object_find (s->m, number) : NULL;
  if (!o || !o->alive || o->kind == OBJECT_CONSTANT || o->kind == OBJECT_FUNCTION) return;
  map_insert (&h->seen, number, 0, &is_new);
  if (is_new) vec_push (&h->numbers, number);
}

static void mark_object (sources *s, reachable_objects *h, uint64_t number, source_set set) {
  const object *o = object_find (s->m, number);
  uint32_t size = o->size, word = s->m->program->pointer_bits / 8;
  for (uint32_t i = 0; i < size; i++) {
    uint64_t address = address_make (s->m->program, number, i);
    bool is_written = !o->undefined || !o->undefined[i];
    if (!h->only_unwritten || !is_written) write_sources (s, address, 1, read_sources (s, address, 1) | set);
    if (i % word == 0 && i + word <= size) add_reachable_object (s, h, memory_read_zeroed (s->m, address, word));
  }
}

// Marks what a function without a body may have changed: the object and everything its pointers lead to.
static void mark_reachable_memory (sources *s, const action *a) {
  reachable_objects h = {.only_unwritten = a->d->num_args > 1};
  uint64_t address = (uint64_t) action_arg (a, 0);
  add_reachable_object (s, &h, address);
  source_set set = h.numbers.count ? source_of_edge (s, a, 0, false) : 0;
  if (set && h.only_unwritten && !action_arg (a, 1)) write_sources (s, address, s->m->program->pointer_bits / 8, set);
  for (uint32_t i = 0; i < h.numbers.count; i++) mark_object (s, &h, h.numbers.data[i], set);
  vec_release (&h.numbers);
  map_release (&h.seen);
}

static void after_nondet (sources *s, const action *a) {
  if (a->d->num_args) {
    mark_reachable_memory (s, a);
    return;
  }
  ir_value value = reg_value (a, a->d->dst);
  bool rests = a->d->origin == IR_FAILURE ? value != 0 : a->d->origin != IR_INPUT;
  source_set set = rests ? source_of_edge (s, a, value, a->d->origin == IR_WHICH) : 0;
  if (a->d->origin == IR_HANDLER) s->handlers |= set;
  if (a->d->origin == IR_INTERRUPT) s->interrupts |= set;
  if (a->d->origin == IR_HANDLER || a->d->origin == IR_INTERRUPT) set = 0;  // the thread itself goes on as it does
  if (s->some) set_register_sources (s, a, a->d->dst, set | shadow_of (s, a)->control);
}

static void after_forget (sources *s, const action *a) {
  uint64_t number = object_number_at (s, (uint64_t) action_arg (a, 0));
  const object *o = object_find (s->m, number);
  source_set set = a->d->origin == IR_INVENTED ? source_of_edge (s, a, 0, false) : 0;
  if (s->some && o)
    write_sources (s, address_make (s->m->program, number, 0), o->size, set | shadow_of (s, a)->control);
}

static void after_write (sources *s, const action *a) {
  source_set control = shadow_of (s, a)->control;
  if (a->d->op == IR_FREE) add_shape (s, object_number_at (s, s->step.address), s->step.written | control);
  // A load writes what it has chosen for undefined bytes: they stay what they are.
  if (a->d->op != IR_LOAD && a->d->op != IR_LOAD_RAW && s->step.bytes)
    write_sources (s, s->step.address, s->step.bytes, s->step.written | control);
}

static void after_other (sources *s, const action *a) {
  source_set control = shadow_of (s, a)->control;
  if (a->d->op == IR_ALLOC) {
    uint64_t address = (uint64_t) reg_value (a, a->d->dst);
    if (address) forget_shadow (s, object_number_at (s, address), s->step.shape | control);
    set_register_sources (s, a, a->d->dst, control);
    return;
  }
  char group = ir_op_table[a->d->op].group;
  if (group == 'M' || a->d->op == IR_THREAD_CREATE) after_write (s, a);
  if (group == 'S') write_sync (s, a, of_args (s, a, 1));
  set_register_sources (s, a, a->d->dst, s->step.dst[0] | control);
  set_register_sources (s, a, a->d->dst2, s->step.dst[1] | control);
  mark_woken (s, control);
}

void sources_after (sources *s, const action *before) {
  if (!s) return;
  ir_op op = before->d->op;
  action a = *before;  // the frames, and the registers of the thread, may have moved
  if (op == IR_NONDET || op == IR_FORGET || s->some) {
    if (op == IR_CALL && s->some) copy_parameter_sources (s, a.t->slot);
    else if (op == IR_RETURN || op == IR_THREAD_EXIT) after_return (s, &a);
    else {
      a.f = &vec_last (&a.t->frames);
      a.regs = a.t->regs.data + a.f->first_reg;
      if (op == IR_NONDET) after_nondet (s, &a);
      else if (op == IR_FORGET) after_forget (s, &a);
      else after_other (s, &a);
      if (op == IR_THREAD_CREATE && s->m->woken != IR_NONE) after_create (s, &a);
    }
  }
}

// ---- violations ----------------------------------------------------------------------------------------
// Returns the control of all threads: also of those that have ended, since with another value they might have released
// a lock or woken a thread instead.
static source_set control_of_all_threads (const sources *s) {
  source_set all = s->gone;
  for (uint32_t t = 0; t < s->m->num_slots; t++) {
    const shadow_thread *x = &s->threads[t];
    all |= s->m->threads[t].state == THREAD_RUNNING ? x->control : x->lasting;
  }
  return all;
}

// Returns the sources of the operation that a thread takes next.
static source_set of_operation (sources *s, uint32_t slot) {
  action a = action_of (s->m, slot);
  source_set all = s->threads[slot].control;
  char group = ir_op_table[a.d->op].group;
  if (group == 'S') return all | of_sync (s, &a);
  if (a.d->op == IR_OWN) return all | of_args (s, &a, 0);
  if (a.d->op == IR_THREAD_CREATE) return all | of_arg (s, &a, 0) | of_arg (s, &a, 1);
  if (a.d->op == IR_RETURN || a.d->op == IR_THREAD_EXIT || !a.d->num_args) return all;
  all |= of_arg (s, &a, 0);
  return group == 'M' ? all | shape_sources (s, (uint64_t) action_arg (&a, 0)) : all;
}

// Returns the sources of the handlers that might have ended the wait of the thread.
static source_set of_handlers (const sources *s, uint32_t slot) {
  switch (action_of (s->m, slot).d->op) {
  case IR_SEM_WAIT: return s->handlers | s->interrupts;
  case IR_COND_RESUME:
  case IR_BARRIER_RESUME: return s->handlers;
  default: return 0;
  }
}

static void end_all_scopes (sources *s) {
  for (uint32_t t = 0; t < s->m->num_slots; t++) {
    if (s->m->threads[t].state != THREAD_RUNNING) continue;
    action a = action_of (s->m, t);
    end_scopes (s, &a);
  }
}

static source_set of_claim (sources *s, const claim *c) {
  end_all_scopes (s);
  source_set all = c->property == IR_P_DEADLOCK || c->is_run || s->m->num_owned ? control_of_all_threads (s) : 0;
  for (uint32_t i = 0; i < c->num_threads; i++) all |= of_operation (s, c->thread[i]);
  for (uint32_t i = 0; i < c->num_threads && c->property == IR_P_DEADLOCK; i++) all |= of_handlers (s, c->thread[i]);
  return c->is_run ? all | s->handlers | s->interrupts : all;
}

void sources_of_claim (sources *s, const claim *c, goal *g) {
  if (!s || !s->some) return;
  source_set all = of_claim (s, c);
  for (uint32_t i = 0; i < s->conditions.count; i++)
    if (all >> i & 1) vec_push (&g->conditions, s->conditions.data[i]);
  if (all >> LIMIT_CONDITION_SOURCES)
    vec_push (&g->conditions, ((goal_condition){.text = "further invented values come"}));
}
