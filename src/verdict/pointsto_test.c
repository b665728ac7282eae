// Compares the points-to analysis with the interpreter: random programs move pointers around in all ways that the
// analysis supports, under random schedules.  Every pointer that an executed edge uses must be in the points-to set of
// the edge.
//
// The programs respect the assumptions of the analysis: sums stay inside an object, and the bytes of two pointers are
// mixed only by halves (one half is the number of the object).  An operation that fails is skipped, so that runs
// continue.
#include "analysis/pointsto.h"
#include "verdict/verdict_test.h"

enum { THREADS = 3, REGS = 6, OBJECTS = 5, OBJECT_SIZE = 32, MOST_OPERATIONS = 24, PROGRAMS = 1500, RUNS = 6 };

typedef struct fuzz {
  world w;
  rng rng;
  ir_object object[OBJECTS];
  ir_proc helper[2];  // returns its argument; returns what its argument points to
  ir_reg reg[THREADS][REGS], half[THREADS], byte[THREADS], mask[THREADS], bit[THREADS];
  pointsto *facts;
  map sites;  // number of a dynamic object -> abstract object
  uint32_t checked;
} fuzz;

// ---- random programs -------------------------------------------------------------------------------------

static ir_reg any_reg (fuzz *f, uint32_t t) { return f->reg[t][rng_below (&f->rng, REGS)]; }
static ir_expr any_use (fuzz *f, uint32_t t) { return use (&f->w, t, any_reg (f, t)); }
static ir_expr binary (fuzz *f, ir_expr_op op, ir_expr x, ir_expr y) { return ir_binary (f->w.p, op, x, y); }
static ir_expr word (fuzz *f, ir_value v) { return number (&f->w, 64, v); }

static ir_expr any_address (fuzz *f) {
  if (!rng_below (&f->rng, 6)) return at (&f->w, ir_proc_at (f->w.p, f->helper[rng_below (&f->rng, 2)])->object, 0);
  return at (&f->w, f->object[rng_below (&f->rng, OBJECTS)], 8 * rng_below (&f->rng, OBJECT_SIZE / 8));
}

// The same pointer taken apart and put together again.
static ir_expr disguised (fuzz *f, ir_expr x) {
  ir_expr low = binary (f, IR_X_AND, x, word (f, 0xffffffff));
  ir_expr high = binary (f, IR_X_SHL, binary (f, IR_X_LSHR, x, word (f, 32)), word (f, 32));
  switch (rng_below (&f->rng, 4)) {
  case 0: return binary (f, IR_X_AND, binary (f, IR_X_OR, x, word (f, 1)), word (f, ~(ir_value) 7));
  case 1: return binary (f, IR_X_OR, low, high);
  case 2: return binary (f, IR_X_ADD, high, low);
  default: return binary (f, IR_X_XOR, binary (f, IR_X_XOR, x, word (f, 0x5a5a)), word (f, 0x5a5a));
  }
}

static ir_expr any_value (fuzz *f, uint32_t t) {
  ir_expr x = any_use (f, t), y = any_use (f, t);
  switch (rng_below (&f->rng, 7)) {
  case 0: return any_address (f);
  case 1: return disguised (f, x);
  case 2: return binary (f, IR_X_ADD, x, word (f, 8 * rng_below (&f->rng, 3)));
  case 3: return binary (f, IR_X_ADD, x, binary (f, IR_X_SHL, binary (f, IR_X_AND, y, word (f, 1)), word (f, 3)));
  case 4: return binary (f, IR_X_ADD, x, binary (f, IR_X_SHL, binary (f, IR_X_AND, y, word (f, 1)), word (f, 4)));
  case 5: return ir_ite (f->w.p, binary (f, IR_X_ULT, x, y), x, y);
  default: return x;
  }
}

static ir_edge sized (fuzz *f, ir_edge e, unsigned bytes) {
  ir_edge_at (f->w.p, e)->bytes = (uint16_t) bytes;
  return e;
}

// A load that fails must not leave the other half of another pointer behind: an offset would become the number of an
// object.
static void emit_halves (fuzz *f, uint32_t t) {
  ir_expr from = any_use (f, t), to = any_use (f, t), part = word (f, 4 * rng_below (&f->rng, 2));
  EMIT (&f->w, t, IR_ASSIGN, f->half[t], number (&f->w, 32, 0));
  EMIT (&f->w, t, IR_LOAD, f->half[t], binary (f, IR_X_ADD, from, part));
  EMIT (&f->w, t, IR_STORE, NONE, binary (f, IR_X_ADD, to, part), use (&f->w, t, f->half[t]));
}

// No other thread may step between the accesses of the bytes.
static void emit_bytes (fuzz *f, uint32_t t) {
  ir_expr from = any_use (f, t), to = any_use (f, t);
  EMIT0 (&f->w, t, IR_ATOMIC_BEGIN, NONE);
  for (unsigned i = 0; i < 8; i++) {
    ir_edge e = EMIT (&f->w, t, IR_LOAD_RAW, f->byte[t], binary (f, IR_X_ADD, from, word (f, i)));
    ir_edge_at (f->w.p, sized (f, e, 1))->dst2 = f->mask[t];
    e = EMIT (&f->w, t, IR_STORE_RAW, NONE, binary (f, IR_X_ADD, to, word (f, i)), use (&f->w, t, f->byte[t]),
              use (&f->w, t, f->mask[t]));
    sized (f, e, 1);
  }
  EMIT0 (&f->w, t, IR_ATOMIC_END, NONE);
}

static void emit_exchange (fuzz *f, uint32_t t) {
  bool compares = rng_below (&f->rng, 2);
  ir_expr address = any_use (f, t), expected = any_value (f, t), value = any_value (f, t);
  ir_edge e = compares ? EMIT (&f->w, t, IR_CMPXCHG, any_reg (f, t), address, expected, value)
                       : EMIT (&f->w, t, IR_RMW, any_reg (f, t), address, value);
  ir_edge_data *d = ir_edge_at (f->w.p, sized (f, e, 8));
  if (compares) d->dst2 = f->bit[t];
  else d->aux = IR_RMW_XCHG;
}

static void emit_any (fuzz *f, uint32_t t) {
  world *w = &f->w;
  static const ir_alloc_kind kinds[] = {IR_ALLOC_STACK, IR_ALLOC_HEAP, IR_ALLOC_HEAP_ZEROED};
  switch (rng_below (&f->rng, 12)) {
  case 0:
    ir_edge_at (w->p, EMIT (w, t, IR_ALLOC, any_reg (f, t), word (f, OBJECT_SIZE)))->aux =
        kinds[rng_below (&f->rng, 3)];
    break;
  case 1:
  case 2: sized (f, EMIT (w, t, IR_LOAD, any_reg (f, t), any_value (f, t)), 8); break;
  case 3:
  case 4:
  case 5: sized (f, EMIT (w, t, IR_STORE, NONE, any_value (f, t), any_value (f, t)), 8); break;
  case 6: emit_halves (f, t); break;
  case 7: emit_bytes (f, t); break;
  case 8: emit_exchange (f, t); break;
  case 9: EMIT (w, t, IR_CALL, any_reg (f, t), any_value (f, t), any_value (f, t)); break;
  default: EMIT (w, t, IR_ASSIGN, any_reg (f, t), any_value (f, t)); break;
  }
}

static ir_proc add_helper (ir_program *p, const char *name, bool loads, bool is_model) {
  ir_proc proc = ir_add_proc (p, name);
  ir_reg r = ir_add_reg (p, proc, 64, "x");
  ir_loc entry = ir_add_loc (p, proc), end = loads ? ir_add_loc (p, proc) : entry;
  if (loads) {
    ir_edge load = ir_add_edge (p, IR_LOAD, entry, end);
    ir_edge_at (p, load)->dst = r;
    ir_edge_at (p, load)->bytes = 8;
    ir_add_arg (p, load, ir_use (p, proc, r));
  }
  ir_add_arg (p, ir_add_edge (p, IR_RETURN, end, (ir_loc){IR_NONE}), ir_use (p, proc, r));
  ir_proc_data *d = ir_proc_at (p, proc);
  d->entry = entry;
  d->num_params = 1;
  d->result_bits = 64;
  d->internal = is_model;
  return proc;
}

static void add_relocation (fuzz *f, ir_object o) {
  ir_relocation r = {8 * rng_below (&f->rng, OBJECT_SIZE / 8), f->object[rng_below (&f->rng, OBJECTS)], 8};
  vec_push (&ir_object_at (f->w.p, o)->relocations, r);
}

static void fuzz_init (fuzz *f, uint64_t seed) {
  *f = (fuzz){.rng = {seed}};
  world *w = &f->w;
  uint32_t operations = 4 + rng_below (&f->rng, MOST_OPERATIONS - 3);  // in small programs sets stay small
  world_init (w, THREADS);
  for (uint32_t k = 0; k < OBJECTS; k++)
    f->object[k] = ir_add_object (w->p, "object", k ? IR_O_GLOBAL : IR_O_THREAD_LOCAL, OBJECT_SIZE);
  for (uint32_t k = 1; k < 3; k++) add_relocation (f, f->object[k]);
  f->helper[0] = add_helper (w->p, "identity", false, rng_below (&f->rng, 2));
  f->helper[1] = add_helper (w->p, "dereference", true, rng_below (&f->rng, 2));
  for (uint32_t t = 0; t < THREADS; t++) {
    for (uint32_t k = 0; k < REGS; k++) f->reg[t][k] = reg (w, t, 64, NULL);
    f->half[t] = reg (w, t, 32, NULL);
    f->byte[t] = reg (w, t, 8, NULL);
    f->mask[t] = reg (w, t, 8, NULL);
    f->bit[t] = reg (w, t, 1, NULL);
    for (uint32_t k = 0; k < REGS / 2; k++) EMIT (w, t, IR_ASSIGN, f->reg[t][k], any_address (f));
    for (uint32_t k = 0; k < operations; k++) emit_any (f, t);
  }
  world_finish (w);
  f->facts = rng_below (&f->rng, 2) ? pointsto_new (w->p) : pointsto_new_limited (w->p, 1 + rng_below (&f->rng, 8));
}

static void fuzz_release (fuzz *f) {
  pointsto_free (f->facts);
  world_release (&f->w);
}

// ---- random runs -----------------------------------------------------------------------------------------

static bool choose_small (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  (void) m, (void) kind, (void) bits, (void) address;
  *value = 0;
  return true;
}

// Returns 0 if the number is that of no object.
static uint32_t abstract_object (fuzz *f, machine *m, uint64_t number) {
  const object *o = number ? object_find (m, number) : NULL;
  if (!o || number < f->w.p->objects.count) return o ? (uint32_t) number : 0;
  if (o->kind == OBJECT_THREAD_LOCAL) return o->origin;
  return (uint32_t) *map_find (&f->sites, number);
}

static void check_operands (fuzz *f, const action *a) {
  for (uint32_t k = 0; k < a->d->num_args; k++) {
    uint64_t value = (uint64_t) action_arg (a, k);
    uint32_t target = abstract_object (f, a->m, address_object (f->w.p, value));
    if (!target) continue;
    f->checked++;
    if (pointsto_may (f->facts, a->e, k, target)) continue;
    strbuf text = {0};
    ir_print_edge (f->w.p, a->e, &text);
    fail_msg ("operand %u of %s is 0x%llx, which its set does not allow", k, strbuf_text (&text),
              (unsigned long long) value);
  }
}

static void step (fuzz *f, machine *m, uint32_t slot) {
  action a = action_of (m, slot);
  const ir_edge_data *d = a.d;
  uint32_t depth = a.t->frames.count, first_reg = a.f->first_reg;
  check_operands (f, &a);
  step_kind result = machine_step (m, slot);
  if (result == STEP_DONE && d->op == IR_ALLOC) {
    uint64_t address = (uint64_t) m->threads[slot].regs.data[first_reg + d->dst.i];
    *map_insert (&f->sites, address_object (f->w.p, address), 0, NULL) = pointsto_site (f->facts, a.e);
  }
  if (result == STEP_VIOLATION) m->threads[slot].frames.data[depth - 1].loc = d->to;
}

static void run_randomly (fuzz *f) {
  enum { MOST_STEPS = 600 };
  machine m;
  machine_init (&m, f->w.p, &f->w.semantics, f->w.v.arena);
  m.choose = choose_small;
  while (m.num_running < THREADS) step (f, &m, 0);
  for (uint32_t n = 0; n < MOST_STEPS; n++) {
    uint32_t slot = rng_below (&f->rng, THREADS);
    if (machine_enabled (&m, slot) && action_of (&m, slot).d->op != IR_EXIT) step (f, &m, slot);
  }
  machine_release (&m);
  map_release (&f->sites);
}

static void executed_pointers_are_in_their_sets (void **state) {
  (void) state;
  uint32_t checked = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    fuzz f;
    fuzz_init (&f, seed);
    for (uint32_t k = 0; k < RUNS; k++) run_randomly (&f);
    checked += f.checked;
    fuzz_release (&f);
  }
  assert_true (checked > 100 * PROGRAMS);
}

TEST_MAIN (cmocka_unit_test (executed_pointers_are_in_their_sets))
