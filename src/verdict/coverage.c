// Computes which thread functions, assertions, accesses and lock operations some execution has reached.  A proof about
// code that no execution reaches is worth little; a report shows that by counting what was reached.
//
// The interpreter and the engine `explicit` execute the program, and mark each edge that a thread was about to take.
// The marks lie in memory that child processes share, so stopping a worker loses nothing.  Bytes are only ever set, so
// the order of the writes does not matter.
//
// Counted are items in functions of the user that the control-flow graph can reach, including calls and functions whose
// address is taken.  Several edges of one source position count as one item.  An assertion that was compiled to a
// branch to its failure is reached when the branch is.
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "verdict/verdict_impl.h"

enum { SHOWN_MISSED = 8 };  // assertions that are named because they were not reached

void verdict_watch (verdict *v, const ir_program *p) {
  size_t bytes = p->edges.count ? p->edges.count : 1;
  void *at = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return;
  v->reached = (reached_edges){.program = p, .edge = at, .bytes = bytes};
}

void verdict_unwatch (verdict *v) {
  if (v->reached.edge) munmap (v->reached.edge, v->reached.bytes);
  v->reached = (reached_edges){0};
}

// ---- the graph -----------------------------------------------------------------------------------------
enum survey_item { NOTHING, ASSERTION, ACCESS, LOCK, NUM_KINDS };

typedef struct surveyor {
  const ir_program *p;
  const reached_edges *reached;
  bool *live, *called;     // locations and procedures that can be reached in the graph
  bool *locks, *creates;   // procedures of library models that take locks, create threads; themselves or by calls
  VEC (uint32_t) pending;  // locations
  map items[NUM_KINDS];    // source position -> whether it was reached
  coverage_share count[NUM_KINDS];
  coverage *out;
  arena *arena;
} surveyor;

static ir_proc procedure_of_edge (const surveyor *s, const ir_edge_data *d) { return ir_loc_at (s->p, d->from)->proc; }
static bool is_library_procedure (const surveyor *s, ir_proc f) { return ir_proc_at (s->p, f)->internal; }

static void visit_loc (surveyor *s, ir_loc l) {
  if (l.i == IR_NONE || s->live[l.i]) return;
  s->live[l.i] = true;
  vec_push (&s->pending, l.i);
}

static void visit_object (surveyor *s, ir_object o) {
  ir_proc f = ir_object_at (s->p, o)->proc;
  if (ir_object_at (s->p, o)->kind != IR_O_FUNCTION || f.i == IR_NONE || s->called[f.i]) return;
  s->called[f.i] = true;
  visit_loc (s, ir_proc_at (s->p, f)->entry);
}

static void visit_expr (surveyor *s, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (s->p, x);
  if (n->op == IR_X_ADDR) visit_object (s, n->object);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) visit_expr (s, n->arg[k]);
}

// Marks all locations and procedures that are reachable in the graph.  Functions whose addresses lie in the initial
// memory count as called.
static void mark_live_code (surveyor *s) {
  const ir_program *p = s->p;
  visit_object (s, ir_proc_at (p, p->start)->object);
  for (uint32_t o = 0; o < p->objects.count; o++)
    for (uint32_t k = 0; k < p->objects.data[o].relocations.count; k++)
      visit_object (s, p->objects.data[o].relocations.data[k].target);
  while (s->pending.count) {
    const ir_loc_data *l = &p->locs.data[vec_last (&s->pending)];
    s->pending.count--;
    for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
      const ir_edge_data *d = &p->edges.data[e];
      for (uint32_t k = 0; k < d->num_args; k++) visit_expr (s, p->args.data[d->first_arg + k]);
      visit_loc (s, d->to);
    }
  }
}

static bool loc_is_reached (const surveyor *s, ir_loc l) {
  const ir_loc_data *d = ir_loc_at (s->p, l);
  for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++)
    if (s->reached->edge[e]) return true;
  return false;
}

// ---- library models ------------------------------------------------------------------------------------
static bool is_lock_op (ir_op op) { return op >= IR_MUTEX_INIT && op <= IR_SPIN_DESTROY; }

static uint32_t procedure_of_call (const surveyor *s, const ir_edge_data *d) {
  const ir_expr_node *f = d->op == IR_CALL ? ir_expr_at (s->p, s->p->args.data[d->first_arg]) : NULL;
  return f && f->op == IR_X_ADDR ? ir_object_at (s->p, f->object)->proc.i : IR_NONE;
}

static bool takes_lock (const surveyor *s, const ir_edge_data *d) {
  uint32_t f = procedure_of_call (s, d);
  return is_lock_op (d->op) || (f != IR_NONE && s->locks[f]);
}

static bool makes_thread (const surveyor *s, const ir_edge_data *d) {
  uint32_t f = procedure_of_call (s, d);
  return d->op == IR_THREAD_CREATE || (f != IR_NONE && s->creates[f]);
}

static void classify_models (surveyor *s) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t e = 0; e < s->p->edges.count; e++) {
      const ir_edge_data *d = &s->p->edges.data[e];
      uint32_t f = procedure_of_edge (s, d).i;
      if (!is_library_procedure (s, (ir_proc){f})) continue;
      bool locks = s->locks[f] || takes_lock (s, d), creates = s->creates[f] || makes_thread (s, d);
      changed |= locks != s->locks[f] || creates != s->creates[f];
      s->locks[f] = locks;
      s->creates[f] = creates;
    }
  }
}

// ---- what is counted -----------------------------------------------------------------------------------
// Returns the base of an address: IR_X_ADDR, IR_X_REG, or another expression if the object is not visible in it.
static const ir_expr_node *base_of (const ir_program *p, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (p, x);
  while (n->op == IR_X_ADD) n = ir_expr_at (p, n->arg[0]);
  return n;
}

static bool is_memory_access (ir_op op) {
  return op == IR_LOAD || op == IR_STORE || op == IR_LOAD_RAW || op == IR_STORE_RAW || op == IR_RMW || op == IR_CMPXCHG;
}

static bool expression_reads (const ir_program *p, ir_expr x, uint32_t reg) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op == IR_X_REG) return n->reg.i == reg;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (expression_reads (p, n->arg[k], reg)) return true;
  return false;
}

// Whether the register is used for anything but accesses of the object that it points to.
static bool has_other_uses (const ir_program *p, const ir_proc_data *f, uint32_t reg) {
  for (uint32_t l = 0; l < f->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, f->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
      const ir_edge_data *d = &p->edges.data[e];
      for (uint32_t k = is_memory_access (d->op) || d->op == IR_FORGET; k < d->num_args; k++)
        if (expression_reads (p, p->args.data[d->first_arg + k], reg)) return true;
    }
  }
  return false;
}

// Marks the registers of the procedure that only ever hold the address of a local variable that no other thread can
// reach.
static void find_private (const ir_program *p, const ir_proc_data *f, bool *private) {
  memset (private, 0, f->regs.count);
  for (uint32_t l = 0; l < f->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, f->locs.data[l]);
    const ir_edge_data *d = &p->edges.data[loc->first_edge];
    if (loc->num_edges != 1 || d->op != IR_ALLOC || d->aux != IR_ALLOC_STACK) continue;
    private[d->dst.i] = !has_other_uses (p, f, d->dst.i);
  }
}

static bool may_be_shared (const ir_program *p, const ir_edge_data *d, const bool *private) {
  const ir_expr_node *base = base_of (p, p->args.data[d->first_arg]);
  if (base->op == IR_X_REG) return !private[base->reg.i];
  return base->op != IR_X_ADDR || ir_object_at (p, base->object)->kind == IR_O_GLOBAL;
}

static uint64_t position_key (ir_position pos) {
  uint64_t file = pos.file ? hash_bytes (pos.file, strlen (pos.file), 0) : 0;
  return hash_pair (file, (uint64_t) pos.line << 32 | pos.column);
}

static void add_item (surveyor *s, enum survey_item kind, const ir_edge_data *d, bool was_reached) {
  bool is_new;
  uint64_t *known = map_insert (&s->items[kind], position_key (d->pos), was_reached, &is_new);
  s->count[kind].all += is_new;
  s->count[kind].reached += was_reached && (is_new || !*known);
  if (was_reached) *known = true;
}

static bool is_always_false (const ir_program *p, const ir_edge_data *d) {
  const ir_expr_node *n = ir_expr_at (p, p->args.data[d->first_arg]);
  return n->op == IR_X_CONST && !n->value;
}

static bool is_assertion (const ir_edge_data *d) { return d->op == IR_CHECK && d->aux == IR_P_ASSERT; }

// Returns the failing assertion that an edge of a branch leads to; NULL: none.
static const ir_edge_data *failure_behind (const surveyor *s, const ir_edge_data *d) {
  if (d->op != IR_ASSUME || d->to.i == IR_NONE) return NULL;
  const ir_edge_data *next = &s->p->edges.data[ir_loc_at (s->p, d->to)->first_edge];
  return is_assertion (next) && is_always_false (s->p, next) ? next : NULL;
}

static void survey_edge (surveyor *s, const ir_edge_data *d, const bool *private) {
  bool there = loc_is_reached (s, d->from);
  const ir_edge_data *failure = failure_behind (s, d);
  if (failure) add_item (s, ASSERTION, failure, there);
  if (is_assertion (d)) add_item (s, ASSERTION, d, there);
  if (takes_lock (s, d)) add_item (s, LOCK, d, there);
  if (is_memory_access (d->op) && may_be_shared (s->p, d, private)) add_item (s, ACCESS, d, there);
  if (!makes_thread (s, d)) return;
  if (!s->out->creates) s->out->creation = d->pos;
  s->out->creates = true;
}

static void survey_proc (surveyor *s, uint32_t f) {
  const ir_proc_data *d = &s->p->procs.data[f];
  bool *private = mem_zalloc (d->regs.count + 1);
  find_private (s->p, d, private);
  for (uint32_t l = 0; l < d->locs.count; l++) {
    if (!s->live[d->locs.data[l].i]) continue;
    const ir_loc_data *loc = ir_loc_at (s->p, d->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++)
      survey_edge (s, &s->p->edges.data[e], private);
  }
  mem_free (private, d->regs.count + 1);
}

// ---- threads -------------------------------------------------------------------------------------------
// Counts a function that is named where a thread is created, also in a call of a library model.
static void add_entry (surveyor *s, const ir_expr_node *n, map *seen) {
  bool is_new;
  if (n->op != IR_X_ADDR) return;
  ir_proc f = ir_object_at (s->p, n->object)->proc;
  if (ir_object_at (s->p, n->object)->kind != IR_O_FUNCTION || f.i == IR_NONE || is_library_procedure (s, f)) return;
  map_insert (seen, f.i, 1, &is_new);
  if (!is_new) return;
  bool there = loc_is_reached (s, ir_proc_at (s->p, f)->entry);
  s->out->threads.all++;
  s->out->threads.reached += there;
  if (!there) vec_push (&s->out->missed_threads, arena_strdup (s->arena, ir_proc_at (s->p, f)->name));
}

static void note_creation (surveyor *s, const ir_edge_data *d) {
  if (!s->out->creates) s->out->creation = d->pos;
  s->out->creates = true;
  s->out->created |= loc_is_reached (s, d->from);
}

static void survey_threads (surveyor *s) {
  map seen = {0};
  for (uint32_t e = 0; e < s->p->edges.count; e++) {
    const ir_edge_data *d = &s->p->edges.data[e];
    if (!s->live[d->from.i] || !makes_thread (s, d)) continue;
    if (d->op == IR_THREAD_CREATE) note_creation (s, d);
    for (uint32_t k = 1; k < d->num_args; k++)
      add_entry (s, ir_expr_at (s->p, s->p->args.data[d->first_arg + k]), &seen);
  }
  map_release (&seen);
}

// Lists the assertions that were not reached, by position.
static void list_missed_assertions (surveyor *s) {
  map named = {0};
  for (uint32_t e = 0; e < s->p->edges.count; e++) {
    const ir_edge_data *d = &s->p->edges.data[e];
    if (!is_assertion (d) || s->out->missed_assertions.count >= SHOWN_MISSED) continue;
    const uint64_t *was_reached = map_find (&s->items[ASSERTION], position_key (d->pos));
    bool is_new;
    if (!was_reached || *was_reached) continue;
    map_insert (&named, position_key (d->pos), 1, &is_new);
    if (is_new)
      vec_push (&s->out->missed_assertions,
                arena_printf (s->arena, "%s:%u", d->pos.file ? d->pos.file : "?", d->pos.line));
  }
  map_release (&named);
}

void coverage_release (coverage *r) {
  vec_release (&r->missed_threads);
  vec_release (&r->missed_assertions);
  *r = (coverage){0};
}

void verdict_survey (verdict *v) {
  const ir_program *p = v->reached.program;
  coverage_release (&v->coverage);
  if (!p) return;
  arena *scratch = arena_new ();
  surveyor s = {.p = p, .reached = &v->reached, .out = &v->coverage, .arena = v->arena};
  s.live = arena_zalloc (scratch, p->locs.count + 1);
  s.called = arena_zalloc (scratch, p->procs.count + 1);
  s.locks = arena_zalloc (scratch, p->procs.count + 1);
  s.creates = arena_zalloc (scratch, p->procs.count + 1);
  mark_live_code (&s);
  classify_models (&s);
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (!is_library_procedure (&s, (ir_proc){f})) survey_proc (&s, f);
  survey_threads (&s);
  list_missed_assertions (&s);
  v->coverage.known = true;
  v->coverage.assertions = s.count[ASSERTION];
  if (v->coverage.creates) v->coverage.accesses = s.count[ACCESS];  // without threads nothing is shared
  v->coverage.locks = s.count[LOCK];
  for (unsigned k = 0; k < NUM_KINDS; k++) map_release (&s.items[k]);
  vec_release (&s.pending);
  arena_free (scratch);
}

static bool is_fully_reached (coverage_share c) { return c.reached == c.all; }

bool coverage_is_whole (const coverage *r) {
  return is_fully_reached (r->threads) && is_fully_reached (r->assertions) && is_fully_reached (r->accesses) &&
         is_fully_reached (r->locks) && r->created == r->creates;
}
