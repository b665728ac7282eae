// Compares the analysis of private memory with the interpreter: random programs allocate objects, link them, pass them
// to procedures, keep them in loops and let them escape, under random schedules.  Whenever a thread is about to take an
// edge with an operand that is said to point into private memory, no other thread can reach that object: neither from
// its registers, its thread-locals or the globals, nor through any memory.  An object that is said to be never shared
// is accessed only by the thread that made it.
//
// An operation that fails is skipped, so that runs continue; its result is 0.
#include "analysis/escape.h"
#include "verdict/verdict_test.h"

enum {
  HELPERS = 3,
  WORKERS = 2,
  PROCS = 1 + WORKERS + HELPERS,  // main first
  PARAMS = 2,
  REGS = 30,  // parameters are the first of them
  OBJECTS = 3,
  OBJECT_SIZE = 16,
  PADDING = 32,  // static objects that keep numbers of dynamic ones apart from offsets
  PROGRAMS = 4000,
  RUNS = 6,
  MOST_STEPS = 150
};

typedef struct fuzz {
  ir_program *p;
  rng rng;
  ir_object global[OBJECTS], local, handles;
  ir_proc proc[PROCS];
  ir_reg reg[PROCS][REGS], half[PROCS], bit[PROCS];
  uint32_t current;  // procedure being written
  uint32_t used;     // number of its registers that have a value
  ir_loc at;
  uint32_t giving;  // one in so many addresses is passed to another thread
  verdict v;
  pointsto *facts;
  escape *escape;
  map sites;  // number of a dynamic object -> abstract object
  uint32_t claims,
      others;  // operands that are said to be private though their object is shared at some time; and the rest
} fuzz;

// ---- random programs -------------------------------------------------------------------------------------

static uint32_t below (fuzz *f, uint32_t bound) { return rng_below (&f->rng, bound); }

// A register that has a value, preferably a young one.
static ir_reg any_reg (fuzz *f) {
  uint32_t a = below (f, f->used), b = below (f, f->used);
  return f->reg[f->current][a > b ? a : b];
}

// Returns a register for a result: mostly a new one, as from a front end that makes values out of variables.
static ir_reg result_reg (fuzz *f) {
  if (f->used == REGS || !below (f, 5)) return any_reg (f);
  return f->reg[f->current][f->used++];
}

static ir_expr use_of (fuzz *f, ir_reg r) { return ir_use (f->p, f->proc[f->current], r); }
static ir_expr word (fuzz *f, ir_value v) { return ir_const (f->p, 64, v); }
static ir_expr plus (fuzz *f, ir_expr x, uint32_t distance) {
  return ir_binary (f->p, IR_X_ADD, x, word (f, distance));
}
static ir_expr any_place (fuzz *f, ir_expr x) { return plus (f, x, 8 * below (f, OBJECT_SIZE / 8)); }
static ir_expr any_global (fuzz *f) { return ir_addr (f->p, f->global[below (f, OBJECTS)], 8 * below (f, 2)); }

static ir_edge add_edge (fuzz *f, ir_op op, ir_loc to, ir_reg dst, const ir_expr *args, size_t count) {
  ir_edge e = ir_add_edge (f->p, op, f->at, to);
  ir_edge_data *d = ir_edge_at (f->p, e);
  d->dst = dst;
  d->bytes = op >= IR_LOAD && op <= IR_CMPXCHG ? 8 : 0;
  for (size_t k = 0; k < count; k++) ir_add_arg (f->p, e, args[k]);
  return e;
}

static ir_edge write_edge (fuzz *f, ir_op op, ir_reg dst, const ir_expr *args, size_t count) {
  ir_loc to = ir_add_loc (f->p, f->proc[f->current]);
  ir_edge e = add_edge (f, op, to, dst, args, count);
  f->at = to;
  return e;
}
#define WRITE(F, OP, DST, ...) \
  write_edge ((F), (OP), (DST), (ir_expr[]){__VA_ARGS__}, sizeof ((ir_expr[]){__VA_ARGS__}) / sizeof (ir_expr))

static ir_expr any_value (fuzz *f) {
  ir_expr x = use_of (f, any_reg (f)), y = use_of (f, any_reg (f));
  if (!below (f, f->giving)) return below (f, 2) ? any_global (f) : ir_addr (f->p, f->local, 8);
  switch (below (f, 12)) {
  case 2: return word (f, 0);
  case 3: return ir_binary (f->p, IR_X_OR, x, word (f, 8));
  case 4: return ir_ite (f->p, ir_binary (f->p, IR_X_ULT, x, y), x, y);
  case 5: return ir_binary (f->p, IR_X_XOR, ir_binary (f->p, IR_X_XOR, x, word (f, 0x5a5a)), word (f, 0x5a5a));
  default: return x;
  }
}

static ir_expr any_address (fuzz *f) {
  return below (f, f->giving) ? any_place (f, use_of (f, any_reg (f))) : any_global (f);
}

static void write_halves (fuzz *f) {
  ir_expr from = any_address (f), to = any_address (f);
  for (uint32_t part = 0; part < 8; part += 4) {
    ir_edge_at (f->p, WRITE (f, IR_LOAD, f->half[f->current], plus (f, from, part)))->bytes = 4;
    ir_edge_at (f->p, WRITE (f, IR_STORE, NONE, plus (f, to, part), use_of (f, f->half[f->current])))->bytes = 4;
  }
}

static void write_call (fuzz *f) {
  ir_proc callee = f->proc[1 + WORKERS + below (f, HELPERS)];
  ir_expr function = ir_addr (f->p, ir_proc_at (f->p, callee)->object, 0);
  if (!below (f, 6))
    function = ir_ite (f->p, use_of (f, f->bit[f->current]), function,
                       ir_addr (f->p, ir_proc_at (f->p, f->proc[PROCS - 1])->object, 0));
  ir_expr first = any_value (f), second = any_value (f);
  WRITE (f, IR_CALL, below (f, 5) ? result_reg (f) : NONE, function, first, second);
}

static void write_create (fuzz *f) {
  ir_expr worker = ir_addr (f->p, ir_proc_at (f->p, f->proc[1 + below (f, WORKERS)])->object, 0);
  ir_reg error = f->half[f->current];
  WRITE (f, IR_THREAD_CREATE, error, ir_addr (f->p, f->handles, 0), worker, use_of (f, any_reg (f)));
}

static void write_alloc (fuzz *f) {
  static const ir_alloc_kind kinds[] = {IR_ALLOC_STACK, IR_ALLOC_HEAP, IR_ALLOC_HEAP_ZEROED};
  ir_edge_at (f->p, WRITE (f, IR_ALLOC, result_reg (f), word (f, OBJECT_SIZE)))->aux = (uint8_t) kinds[below (f, 3)];
}

static void write_operation (fuzz *f) {
  ir_expr address = any_address (f), value = any_value (f);
  switch (below (f, 16)) {
  case 0:
  case 1: write_alloc (f); return;
  case 2:
  case 3:
  case 4: WRITE (f, IR_LOAD, result_reg (f), address); return;
  case 5:
  case 6:
  case 7:
  case 8:
  case 9: WRITE (f, IR_STORE, NONE, address, value); return;
  case 10: write_halves (f); return;
  case 11: ir_edge_at (f->p, WRITE (f, IR_RMW, result_reg (f), address, value))->aux = IR_RMW_XCHG; return;
  case 12:
  case 13: write_call (f); return;
  case 14:
    if (!below (f, f->giving)) write_create (f);
    return;
  default: WRITE (f, IR_ASSIGN, result_reg (f), value); return;
  }
}

// ---- branches and loops

static void write_block (fuzz *f, uint32_t depth);

static void choose_bit (fuzz *f) { write_edge (f, IR_NONDET, f->bit[f->current], NULL, 0); }

static void go_on_at (fuzz *f, ir_loc to) {
  add_edge (f, IR_NOP, to, NONE, NULL, 0);
  f->at = to;
}

// The two ways out of here; goes on at the first.
static ir_loc branch (fuzz *f) {
  ir_expr yes = use_of (f, f->bit[f->current]), no = ir_not (f->p, yes);
  ir_loc first = ir_add_loc (f->p, f->proc[f->current]), second = ir_add_loc (f->p, f->proc[f->current]);
  add_edge (f, IR_ASSUME, first, NONE, &yes, 1);
  add_edge (f, IR_ASSUME, second, NONE, &no, 1);
  f->at = first;
  return second;
}

static void write_if (fuzz *f, uint32_t depth) {
  choose_bit (f);
  ir_loc otherwise = branch (f), join = ir_add_loc (f->p, f->proc[f->current]);
  write_block (f, depth);
  go_on_at (f, join);
  f->at = otherwise;
  if (below (f, 2)) write_block (f, depth);
  go_on_at (f, join);
}

static void write_loop (fuzz *f, uint32_t depth) {
  ir_loc head = ir_add_loc (f->p, f->proc[f->current]);
  go_on_at (f, head);
  choose_bit (f);
  ir_loc behind = branch (f);
  write_block (f, depth);
  go_on_at (f, head);
  f->at = behind;
}

static void write_block (fuzz *f, uint32_t depth) {
  for (uint32_t n = 1 + below (f, f->current > WORKERS ? 4 : 8); n-- > 0;) {
    uint32_t kind = depth ? below (f, 9) : IR_NONE;
    if (kind == 0) write_if (f, depth - 1);
    else if (kind == 1) write_loop (f, depth - 1);
    else write_operation (f);
  }
}

static void write_proc (fuzz *f, uint32_t k) {
  bool is_main = k == 0;
  f->current = k;
  f->used = PARAMS;
  f->at = ir_proc_at (f->p, f->proc[k])->entry;
  for (uint32_t n = below (f, 3); n-- > 0;) write_alloc (f);
  for (uint32_t n = 0; is_main && n < 2; n++) write_create (f);
  write_block (f, 2);
  ir_expr result = is_main ? ir_const (f->p, 32, 0) : use_of (f, any_reg (f));
  add_edge (f, is_main ? IR_EXIT : IR_RETURN, (ir_loc){IR_NONE}, NONE, &result, 1);
}

static void declare_proc (fuzz *f, uint32_t k) {
  ir_proc proc = f->proc[k] = ir_add_proc (f->p, "proc");
  for (uint32_t r = 0; r < REGS; r++) f->reg[k][r] = ir_add_reg (f->p, proc, 64, NULL);
  f->half[k] = ir_add_reg (f->p, proc, 32, NULL);
  f->bit[k] = ir_add_reg (f->p, proc, 1, NULL);
  ir_loc entry = ir_add_loc (f->p, proc);
  ir_proc_data *d = ir_proc_at (f->p, proc);
  d->entry = entry;
  d->num_params = k ? PARAMS : 0;
  d->result_bits = k ? 64 : 0;
}

static void fuzz_init (fuzz *f, uint64_t seed) {
  *f = (fuzz){.p = ir_program_new (), .rng = {seed}};
  f->giving = 3 + below (f, 40);
  for (uint32_t k = 0; k < OBJECTS; k++) f->global[k] = ir_add_object (f->p, "global", IR_O_GLOBAL, OBJECT_SIZE);
  f->local = ir_add_object (f->p, "local", IR_O_THREAD_LOCAL, OBJECT_SIZE);
  f->handles = ir_add_object (f->p, "handles", IR_O_GLOBAL, 8);
  for (uint32_t k = 0; k < PADDING; k++) ir_add_object (f->p, "padding", IR_O_GLOBAL, 8);
  for (uint32_t k = 0; k < PROCS; k++) declare_proc (f, k);
  for (uint32_t k = 0; k < PROCS; k++) write_proc (f, k);
  f->p->start = f->proc[0];
  ir_finish (f->p);
  char *error = NULL;
  if (!ir_check (f->p, &error)) fail_msg ("%s", error);
  verdict_init (&f->v);
  f->facts = pointsto_new (f->p);
  f->escape = escape_new (f->p, f->facts);
}

static void fuzz_release (fuzz *f) {
  escape_free (f->escape);
  pointsto_free (f->facts);
  verdict_release (&f->v);
  ir_program_free (f->p);
}

// ---- what other threads can reach -----------------------------------------------------------------------------

typedef struct reach {
  machine *m;
  map seen;  // numbers of objects; all but the first `done` are still to be scanned
  uint32_t done;
} reach;

static void reach_number (reach *r, uint64_t number) {
  if (number && object_find (r->m, number)) map_insert (&r->seen, number, 0, NULL);
}

static void reach_thread (reach *r, uint32_t slot) {
  const thread *t = &r->m->threads[slot];
  for (uint32_t k = 0; k < t->regs.count; k++) {
    reach_number (r, (uint64_t) t->regs.data[k] >> 32);
    reach_number (r, (uint64_t) t->regs.data[k] & UINT32_MAX);  // half an address
  }
  for (uint32_t k = 0; k < r->m->thread_locals.count; k++)
    reach_number (r, object_number (r->m->program, slot, t->first_local + k));
}

// The upper half of an address is the object's number.
static void reach_from (reach *r, const object *o) {
  for (uint32_t at = 4; o->bytes && at + 4 <= o->size; at += 8) {
    uint32_t number;
    memcpy (&number, o->bytes + at, sizeof number);
    reach_number (r, number);
  }
}

static bool others_reach (machine *m, uint32_t slot, uint64_t number) {
  reach r = {.m = m};
  if (m->num_running == 1) return false;
  for (uint32_t o = 1; o < m->program->objects.count; o++) reach_number (&r, o);
  for (uint32_t t = 0; t < m->num_slots; t++)
    if (t != slot && m->threads[t].state == THREAD_RUNNING) reach_thread (&r, t);
  while (r.done < r.seen.entries.count) reach_from (&r, object_find (m, r.seen.entries.data[r.done++].key));
  bool reached = map_find (&r.seen, number);
  map_release (&r.seen);
  return reached;
}

// ---- random runs -------------------------------------------------------------------------------------------

static bool choose (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  fuzz *f = m->choose_state;
  (void) bits, (void) address;
  *value = kind == CHOICE_NONDET && below (f, 2);
  return true;
}

static uint32_t abstract_object (fuzz *f, machine *m, uint64_t number) {
  const object *o = object_find (m, number);
  return o->kind == OBJECT_THREAD_LOCAL ? o->origin : (uint32_t) *map_find (&f->sites, number);
}

static void complain (fuzz *f, const action *a, uint32_t k, const char *what) {
  strbuf text = {0};
  ir_print (f->p, stderr);
  ir_print_edge (f->p, a->e, &text);
  fail_msg ("thread %u, L%u, operand %u of %s: %s", a->t->slot, a->d->from.i, k, strbuf_text (&text), what);
}

static void check_operand (fuzz *f, const action *a, uint32_t k) {
  uint64_t number = address_object (f->p, (uint64_t) action_arg (a, k));
  const object *o = number ? object_find (a->m, number) : NULL;
  if (!o || !o->alive) return;
  bool private = escape_private (f->escape, a->e, k);
  if (number >= f->p->objects.count && !escape_shared (f->escape, abstract_object (f, a->m, number))) {
    if (object_slot (a->m, number) != a->t->slot) complain (f, a, k, "said to be never shared");
    return;
  }
  f->claims += private;
  f->others += !private;
  if (private && others_reach (a->m, a->t->slot, number)) complain (f, a, k, "said to be private");
}

static step_kind step (fuzz *f, machine *m, uint32_t slot) {
  action a = action_of (m, slot);
  const ir_edge_data *d = a.d;
  uint32_t depth = a.t->frames.count, first_reg = a.f->first_reg;
  for (uint32_t k = 0; k < d->num_args; k++) check_operand (f, &a, k);
  step_kind result = machine_step (m, slot);
  if (result == STEP_DONE && d->op == IR_ALLOC) {
    uint64_t address = (uint64_t) m->threads[slot].regs.data[first_reg + d->dst.i];
    *map_insert (&f->sites, address_object (f->p, address), 0, NULL) = pointsto_site (f->facts, a.e);
  }
  if (result != STEP_VIOLATION) return result;
  m->threads[slot].frames.data[depth - 1].loc = d->to;
  if (d->dst.i != IR_NONE) m->threads[slot].regs.data[first_reg + d->dst.i] = 0;
  return STEP_DONE;
}

static void run_randomly (fuzz *f) {
  semantics rules = {.properties = ALL_PROPERTIES, .max_threads = 6};
  step_kind result = STEP_DONE;
  machine m;
  machine_init (&m, f->p, &rules, f->v.arena);
  m.choose = choose;
  m.choose_state = f;
  for (uint32_t n = 0; n < MOST_STEPS && (result == STEP_DONE || result == STEP_BLOCKED); n++) {
    uint32_t slot = below (f, m.num_slots);
    for (uint32_t burst = 1 + below (f, 6); burst-- > 0;)
      if (machine_enabled (&m, slot) && action_of (&m, slot).d->op != IR_EXIT) result = step (f, &m, slot);
  }
  machine_release (&m);
  map_release (&f->sites);
}

static void private_memory_is_out_of_reach (void **state) {
  (void) state;
  uint32_t claims = 0, others = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    fuzz f;
    fuzz_init (&f, seed);
    for (uint32_t k = 0; k < RUNS; k++) run_randomly (&f);
    claims += f.claims;
    others += f.others;
    fuzz_release (&f);
  }
  assert_true (claims > 20 * PROGRAMS && others > 20 * PROGRAMS);
}

TEST_MAIN (cmocka_unit_test (private_memory_is_out_of_reach))
