// Clones functions whose effects should be told apart by their callers:
//   - functions that allocate for their callers.  Analyses name a heap object by the edge that allocates it.  A program
//     that gets all its memory from one function (`xmalloc`, or `new_node`, which calls it) has one such edge, and all
//     its objects would have one name.  A function allocates for its caller if its result may come, by way of
//     registers, from a heap `alloc` or from a call of such a function;
//   - functions that create threads for their callers.  Kinds of threads are named by the edge that creates them
//     (threads.h), so every thread that a wrapper creates might run every start routine.  A function creates for its
//     caller if it creates a thread, or calls such a function with one of its parameters;
//   - small functions that access memory which a parameter points to, like memcpy.  Such an access may touch what any
//     of the calls passes, in every thread that calls the function;
//   - start routines that call a function through a pointer.  They get one clone for each edge that creates such
//     threads.
// Each call of such a function gets a clone of its own, in which calls of such functions are cloned as well.  A clone
// has the positions and the name of the original, but what it allocates has the position of the call.  Where a program
// takes the address of a function, it stays that of the original.
#include "engine/locks/names/names.h"

#include "analysis/pointsto.h"
#include "base/map.h"

enum { CLONED_EDGES = 250 };  // edges of one clone, with those of the clones that it calls

typedef struct cloner {
  ir_program *p;
  uint32_t num_procs;         // of the original
  bool *allocates, *creates;  // [proc]: memory, threads, for its callers
  bool *accesses;             // [proc]: memory that its parameters point to
  uint32_t *cost;             // [proc]: edges of a clone; UINT32_MAX: not yet computed
  bool *open;                 // [proc]: being computed or cloned; met again: it is recursive
  uint32_t limit;             // largest cost of a function that is cloned because it allocates
  uint32_t limit_of_access;   // ... because it accesses memory
  ir_position called;         // the outermost of the calls that are being cloned
} cloner;

typedef void edge_visitor (void *state, ir_edge);

static void for_each_edge (const ir_program *p, ir_proc f, edge_visitor *visit, void *state) {
  for (uint32_t l = 0; l < ir_proc_at (p, f)->locs.count; l++) {
    ir_loc_data at = *ir_loc_at (p, ir_proc_at (p, f)->locs.data[l]);
    for (uint32_t k = 0; k < at.num_edges; k++) visit (state, (ir_edge){at.first_edge + k});
  }
}

// The function that an operand names, or IR_NONE.
static ir_proc named (const ir_program *p, ir_edge e, unsigned arg) {
  const ir_expr_node *n = ir_expr_at (p, ir_arg (p, e, arg));
  if (n->op != IR_X_ADDR || n->offset) return (ir_proc){IR_NONE};
  return ir_object_at (p, n->object)->proc;
}

static ir_proc named_callee (const ir_program *p, ir_edge e) {
  return ir_edge_at (p, e)->op == IR_CALL ? named (p, e, 0) : (ir_proc){IR_NONE};
}

// ---- functions that serve their callers -----------------------------------------------------------------------------
typedef struct service {
  const cloner *c;
  bool *fresh;  // [register]: may hold memory that was allocated for the caller
  bool *given;  // [register]: may hold what the caller has passed
  bool again;   // another register was marked
  bool allocates, creates, accesses;
} service;

// May the value of the expression contain a part of the value of one of these registers?
static bool mentions_register (const ir_program *p, ir_expr x, const bool *regs) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op == IR_X_REG) return regs[n->reg.i];
  for (unsigned k = 0; pointsto_carries (n->op) && k < ir_expr_arity (n->op); k++)
    if (mentions_register (p, n->arg[k], regs)) return true;
  return false;
}

static bool passes_on (const service *s, ir_edge e) {
  const ir_program *p = s->c->p;
  for (unsigned k = 1; k < ir_edge_at (p, e)->num_args; k++)
    if (mentions_register (p, ir_arg (p, e, k), s->given)) return true;
  return false;
}

static bool makes_memory (const service *s, ir_edge e, ir_proc callee) {
  const ir_edge_data *d = ir_edge_at (s->c->p, e);
  if (d->op == IR_ALLOC) return d->aux != IR_ALLOC_STACK;
  if (d->op == IR_ASSIGN) return mentions_register (s->c->p, ir_arg (s->c->p, e, 0), s->fresh);
  return callee.i != IR_NONE && s->c->allocates[callee.i];
}

static bool reads_or_writes (const ir_edge_data *d) { return ir_op_table[d->op].group == 'M' && d->num_args; }

static void set_service_register (service *s, bool *regs, ir_reg r) {
  s->again |= !regs[r.i];
  regs[r.i] = true;
}

static void look_at_service (void *state, ir_edge e) {
  service *s = state;
  const ir_program *p = s->c->p;
  const ir_edge_data *d = ir_edge_at (p, e);
  ir_proc callee = named_callee (p, e);
  bool passed = callee.i != IR_NONE && passes_on (s, e);
  s->creates |= d->op == IR_THREAD_CREATE || (passed && s->c->creates[callee.i]);
  s->accesses |= (reads_or_writes (d) && mentions_register (p, ir_arg (p, e, 0), s->given)) ||
                 (passed && s->c->accesses[callee.i]);
  if (d->op == IR_RETURN && d->num_args) s->allocates |= mentions_register (p, ir_arg (p, e, 0), s->fresh);
  if (d->dst.i == IR_NONE) return;
  if (makes_memory (s, e, callee)) set_service_register (s, s->fresh, d->dst);
  if (d->op == IR_ASSIGN && mentions_register (p, ir_arg (p, e, 0), s->given))
    set_service_register (s, s->given, d->dst);
}

static bool note_service (bool *known, bool now) {
  bool is_new = now && !*known;
  *known |= now;
  return is_new;
}

// True if this round learns something new about the function.
static bool examine (cloner *c, ir_proc f) {
  uint32_t regs = ir_proc_at (c->p, f)->regs.count;
  service s = {.c = c, .fresh = mem_zalloc (regs + 1), .given = mem_zalloc (regs + 1), .again = true};
  for (uint32_t k = 0; k < ir_proc_at (c->p, f)->num_params; k++) s.given[k] = true;
  while (s.again) {
    s.again = false;
    for_each_edge (c->p, f, look_at_service, &s);
  }
  mem_free (s.fresh, regs + 1);
  mem_free (s.given, regs + 1);
  return note_service (&c->allocates[f.i], s.allocates) | note_service (&c->creates[f.i], s.creates) |
         note_service (&c->accesses[f.i], s.accesses);
}

static void find_servers (cloner *c) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t f = 0; f < c->num_procs; f++) again |= examine (c, (ir_proc){f});
  }
}

static bool serves_callers (const cloner *c, ir_proc f) {
  return f.i < c->num_procs && (c->allocates[f.i] || c->creates[f.i] || c->accesses[f.i]);
}

// ---- cost -----------------------------------------------------------------------------------------------------------
static bool cloning_proc (const cloner *c, ir_proc f) {
  if (!serves_callers (c, f) || c->open[f.i]) return false;
  if (c->creates[f.i]) return c->cost[f.i] <= CLONED_EDGES;  // programs have few of these
  return c->cost[f.i] <= (c->allocates[f.i] ? c->limit : c->limit_of_access);
}

typedef struct bill {
  cloner *c;
  uint32_t sum;
} bill;

static uint32_t cost_of (cloner *, ir_proc);

static void add_cost (void *state, ir_edge e) {
  bill *b = state;
  if (b->sum > CLONED_EDGES) return;
  b->sum++;
  ir_proc callee = named_callee (b->c->p, e);
  uint32_t inner = serves_callers (b->c, callee) ? cost_of (b->c, callee) : 0;
  if (inner <= CLONED_EDGES) b->sum += inner;
}

// The cost of a recursive function is unbounded.
static uint32_t cost_of (cloner *c, ir_proc f) {
  if (c->open[f.i]) return CLONED_EDGES + 1;
  if (c->cost[f.i] != UINT32_MAX) return c->cost[f.i];
  bill b = {c, 0};
  c->open[f.i] = true;
  for_each_edge (c->p, f, add_cost, &b);
  c->open[f.i] = false;
  return c->cost[f.i] = b.sum;
}

// The number of edges that all clones have with this limit.
static uint64_t total_cost (const cloner *c) {
  uint64_t sum = 0;
  for (uint32_t e = 0; e < c->p->edges.count; e++) {
    ir_proc callee = named_callee (c->p, (ir_edge){e});
    if (cloning_proc (c, callee)) sum += c->cost[callee.i];
  }
  return sum;
}

// Raises the limits as long as the program becomes at most twice as large.
static void choose_limits (cloner *c) {
  enum { ALWAYS = 2000, EDGES_OF_ACCESS = 60 };
  uint64_t most = ALWAYS + c->p->edges.count;
  for (uint32_t f = 0; f < c->num_procs; f++)
    if (serves_callers (c, (ir_proc){f})) cost_of (c, (ir_proc){f});
  c->limit = CLONED_EDGES;
  c->limit_of_access = EDGES_OF_ACCESS;
  while (c->limit && total_cost (c) > most) *(c->limit > 2 * c->limit_of_access ? &c->limit : &c->limit_of_access) /= 2;
}

// ---- copying --------------------------------------------------------------------------------------------------------
typedef struct clone {
  cloner *c;
  map locs;  // of the original -> of the copy
} clone;

static ir_proc copy_proc (cloner *, ir_proc);

static void retarget_to_clone (cloner *c, ir_edge e, unsigned arg, ir_proc original) {
  ir_expr address = ir_addr (c->p, ir_proc_at (c->p, copy_proc (c, original))->object, 0);
  c->p->args.data[ir_edge_at (c->p, e)->first_arg + arg] = address;
}

static void call_copy (cloner *c, ir_edge e) {
  ir_proc callee = named_callee (c->p, e);
  if (cloning_proc (c, callee)) retarget_to_clone (c, e, 0, callee);
}

static ir_loc loc_of_copy (const clone *y, ir_loc l) {
  return l.i == IR_NONE ? l : (ir_loc){(uint32_t) *map_find (&y->locs, l.i)};
}

static void copy_edge (void *state, ir_edge original) {
  clone *y = state;
  ir_program *p = y->c->p;
  ir_edge_data old = *ir_edge_at (p, original), made = old;
  made.from = loc_of_copy (y, old.from);
  made.to = loc_of_copy (y, old.to);
  made.num_args = made.num_name_args = 0;
  if (old.op == IR_ALLOC && old.aux != IR_ALLOC_STACK) made.pos = y->c->called;
  made.first_arg = made.first_name_arg = p->args.count;
  ir_edge e = ir_add_edge (p, old.op, made.from, made.to);
  *ir_edge_at (p, e) = made;
  for (uint32_t k = 0; k < old.num_args; k++) ir_add_arg (p, e, p->args.data[old.first_arg + k]);
  for (uint32_t k = 0; k < old.num_name_args; k++) ir_add_name_arg (p, e, p->args.data[old.first_name_arg + k]);
  call_copy (y->c, e);
}

static ir_proc add_clone (ir_program *p, ir_proc f) {
  ir_proc made = ir_add_proc (p, "");
  const ir_proc_data *old = ir_proc_at (p, f);
  ir_proc_data *d = ir_proc_at (p, made);
  ir_object_data *object = ir_object_at (p, d->object);
  object->name = d->name = old->name;  // reports use the name after the clone was freed
  object->pos = d->pos = old->pos;
  object->internal = d->internal = old->internal;
  d->num_params = old->num_params;
  d->result_bits = old->result_bits;
  for (uint32_t r = 0; r < old->regs.count; r++) vec_push (&d->regs, old->regs.data[r]);
  return made;
}

static ir_proc copy_proc (cloner *c, ir_proc f) {
  ir_program *p = c->p;
  ir_proc made = add_clone (p, f);
  clone y = {.c = c};
  for (uint32_t l = 0; l < ir_proc_at (p, f)->locs.count; l++) {
    ir_loc old = ir_proc_at (p, f)->locs.data[l], at = ir_add_loc (p, made);
    ir_loc_at (p, at)->label = ir_loc_at (p, old)->label;
    map_insert (&y.locs, old.i, at.i, NULL);
  }
  ir_proc_at (p, made)->entry = loc_of_copy (&y, ir_proc_at (p, f)->entry);
  bool was_open = c->open[f.i];
  c->open[f.i] = true;
  for_each_edge (p, f, copy_edge, &y);
  c->open[f.i] = was_open;
  map_release (&y.locs);
  return made;
}

// Clones at the calls of all functions.  A function that is cloned itself has its calls cloned with each clone.
static void copy_servers (cloner *c) {
  uint32_t before = c->p->edges.count;
  for (uint32_t e = 0; e < before; e++)
    if (!cloning_proc (c, ir_loc_at (c->p, c->p->edges.data[e].from)->proc)) {
      c->called = c->p->edges.data[e].pos;
      call_copy (c, (ir_edge){e});
    }
}

// ---- where threads start --------------------------------------------------------------------------------------------
typedef struct indirection {
  const ir_program *p;
  bool found;
} indirection;

static void look_for_pointer (void *state, ir_edge e) {
  indirection *i = state;
  i->found |= ir_edge_at (i->p, e)->op == IR_CALL && ir_expr_at (i->p, ir_arg (i->p, e, 0))->op != IR_X_ADDR;
}

static bool calls_through_pointer (const ir_program *p, ir_proc f) {
  indirection i = {p, false};
  for_each_edge (p, f, look_for_pointer, &i);
  return i.found;
}

static uint32_t count_proc_edges (const ir_program *p, ir_proc f) {
  uint32_t sum = 0;
  for (uint32_t l = 0; l < ir_proc_at (p, f)->locs.count; l++)
    sum += ir_loc_at (p, ir_proc_at (p, f)->locs.data[l])->num_edges;
  return sum;
}

static void copy_starts (cloner *c) {
  uint32_t before = c->p->edges.count;
  for (uint32_t e = 0; e < before; e++) {
    if (c->p->edges.data[e].op != IR_THREAD_CREATE) continue;
    ir_proc start = named (c->p, (ir_edge){e}, 1);
    if (start.i >= c->num_procs || count_proc_edges (c->p, start) > CLONED_EDGES ||
        !calls_through_pointer (c->p, start))
      continue;
    c->called = c->p->edges.data[e].pos;
    retarget_to_clone (c, (ir_edge){e}, 1, start);
  }
}

ir_program *clone_per_call (const ir_program *original) {
  ir_program *p = ir_clone (original);
  cloner c = {.p = p, .num_procs = p->procs.count};
  c.allocates = mem_zalloc (c.num_procs);
  c.creates = mem_zalloc (c.num_procs);
  c.accesses = mem_zalloc (c.num_procs);
  c.open = mem_zalloc (c.num_procs);
  c.cost = mem_alloc (sizeof (uint32_t) * c.num_procs);
  for (uint32_t f = 0; f < c.num_procs; f++) c.cost[f] = UINT32_MAX;
  find_servers (&c);
  choose_limits (&c);
  copy_servers (&c);
  copy_starts (&c);
  ir_finish (p);
  mem_free (c.allocates, c.num_procs);
  mem_free (c.creates, c.num_procs);
  mem_free (c.accesses, c.num_procs);
  mem_free (c.open, c.num_procs);
  mem_free (c.cost, sizeof (uint32_t) * c.num_procs);
  return p;
}
