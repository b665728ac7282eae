// Small programs for the tests of the interpreter: up to four threads, each a straight line of operations.  Thread 0
// first creates the others, then runs its own operations and exits.
//
//   world w;
//   world_init (&w, 2);                          // threads 0 and 1
//   ir_object x = world_object (&w, "x", 4);
//   EMIT (&w, 1, IR_STORE, NONE, at (&w, x, 0), number (&w, 32, 7));
//   world_start (&w);                            // the machine; thread 0 has created the others
//   go (&w, 1, 1);
//   world_release (&w);
#ifndef LOCKSTEP_VERDICT_TEST_H
#define LOCKSTEP_VERDICT_TEST_H

#include "base/test.h"
#include "verdict/verdict_impl.h"

#include <stdlib.h>

enum { WORLD_THREADS = 4, ALL_PROPERTIES = (1 << IR_NUM_PROPERTIES) - 1 };
#define NONE ((ir_reg){IR_NONE})

typedef struct world {
  ir_program *p;
  uint32_t num_threads;
  ir_object handles;
  ir_proc proc[WORLD_THREADS];
  ir_loc at[WORLD_THREADS];
  uint32_t line[WORLD_THREADS];
  verdict v;
  machine m;
  bool started;
  semantics semantics;
  ir_value choices[8];
  uint32_t num_choices, next_choice;
} world;

static inline ir_expr number (world *w, unsigned bits, ir_value v) {
  return ir_const (w->p, bits, v & value_mask (bits));
}
static inline ir_expr at (world *w, ir_object o, uint32_t offset) { return ir_addr (w->p, o, offset); }
static inline ir_expr use (world *w, uint32_t t, ir_reg r) { return ir_use (w->p, w->proc[t], r); }
static inline ir_reg reg (world *w, uint32_t t, unsigned bits, const char *name) {
  return ir_add_reg (w->p, w->proc[t], bits, name);
}

// Adds an operation to a thread's line; its source place is t<thread>.c:<count>.
static inline ir_edge emit (world *w, uint32_t t, ir_op op, ir_reg dst, const ir_expr *args, size_t count) {
  static const char *const files[WORLD_THREADS] = {"t0.c", "t1.c", "t2.c", "t3.c"};
  bool ends = op == IR_RETURN || op == IR_EXIT || op == IR_THREAD_EXIT;
  ir_loc to = ends ? (ir_loc){IR_NONE} : ir_add_loc (w->p, w->proc[t]);
  ir_edge e = ir_add_edge (w->p, op, w->at[t], to);
  ir_edge_data *d = ir_edge_at (w->p, e);
  d->dst = dst;
  d->pos = (ir_position){files[t], ++w->line[t], 1};
  if (op >= IR_LOAD && op <= IR_CMPXCHG) d->bytes = 4;
  if (op == IR_CHECK) d->message = "assertion failed";
  for (size_t i = 0; i < count; i++) ir_add_arg (w->p, e, args[i]);
  w->at[t] = to;
  return e;
}
#define EMIT(W, T, OP, DST, ...) \
  emit ((W), (T), (OP), (DST), (ir_expr[]){__VA_ARGS__}, sizeof ((ir_expr[]){__VA_ARGS__}) / sizeof (ir_expr))
#define EMIT0(W, T, OP, DST) emit ((W), (T), (OP), (DST), NULL, 0)

static inline ir_object world_object (world *w, const char *name, uint32_t size) {
  return ir_add_object (w->p, name, IR_O_GLOBAL, size);
}

static inline void world_init (world *w, uint32_t num_threads) {
  static const char *const names[WORLD_THREADS] = {"main", "one", "two", "three"};
  memset (w, 0, sizeof *w);
  w->p = ir_program_new ();
  w->num_threads = num_threads;
  w->semantics = (semantics){.properties = ALL_PROPERTIES, .max_threads = 8};
  w->handles = world_object (w, "handles", 8 * WORLD_THREADS);
  for (uint32_t t = 0; t < num_threads; t++) {
    w->proc[t] = ir_add_proc (w->p, names[t]);
    w->at[t] = ir_add_loc (w->p, w->proc[t]);
    ir_proc_at (w->p, w->proc[t])->entry = w->at[t];
  }
  w->p->start = w->proc[0];
  ir_reg result = reg (w, 0, 32, NULL);
  for (uint32_t t = 1; t < num_threads; t++)
    EMIT (w, 0, IR_THREAD_CREATE, result, at (w, w->handles, 8 * t), at (w, ir_proc_at (w->p, w->proc[t])->object, 0),
          number (w, 64, t));
  w->line[0] = 0;
}

static inline void world_finish (world *w) {
  for (uint32_t t = 0; t < w->num_threads; t++) {
    if (w->at[t].i == IR_NONE) continue;         // the line ends already
    if (t) EMIT0 (w, t, IR_RETURN, NONE);
    else EMIT (w, t, IR_EXIT, NONE, number (w, 32, 0));
  }
  ir_finish (w->p);
  char *error = NULL;
  if (!ir_check (w->p, &error)) fail_msg ("%s", error);
  verdict_init (&w->v);
}

static bool world_choose (machine *m, choice_kind kind, unsigned bits, uint64_t address, ir_value *value) {
  world *w = m->choose_state;
  (void) kind, (void) bits, (void) address;
  if (w->next_choice == w->num_choices) return false;
  *value = w->choices[w->next_choice++];
  return true;
}

static inline void go (world *w, uint32_t slot, uint32_t edges) {
  while (edges--) assert_int_equal (machine_step (&w->m, slot), STEP_DONE);
}

static inline void world_start (world *w) {
  world_finish (w);
  machine_init (&w->m, w->p, &w->semantics, w->v.arena);
  w->m.choose = world_choose;
  w->m.choose_state = w;
  w->started = true;
  go (w, 0, w->num_threads - 1);
}

static inline void world_release (world *w) {
  if (w->started) machine_release (&w->m);
  verdict_release (&w->v);
  ir_program_free (w->p);
}

// The value of a register of the thread's (only) frame.
static inline uint64_t value_of (world *w, uint32_t slot, ir_reg r) {
  const thread *t = &w->m.threads[slot];
  return (uint64_t) t->regs.data[vec_last (&t->frames).first_reg + r.i];
}

static inline uint32_t word_of (world *w, ir_object o, uint32_t offset) {
  return (uint32_t) memory_read (&w->m, address_make (w->p, o.i, offset), 4);
}

static inline const char *misuse (world *w, uint32_t slot) {
  action a = action_of (&w->m, slot);
  wrong_use found = misuse_of (&a);
  return found.fault ? misuse_text (&w->m, found) : NULL;
}

static inline bool blocked (world *w, uint32_t slot) {
  action a = action_of (&w->m, slot);
  bool is = !action_enabled (&a);
  if (is) assert_int_equal (machine_step (&w->m, slot), STEP_BLOCKED);
  return is;
}

#endif
