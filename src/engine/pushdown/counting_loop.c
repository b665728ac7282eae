// Loops that certainly terminate: one edge counts a register up or down, and between two counting steps the thread must
// pass a test that leaves the loop when the register meets a bound that does not change.  No run counts for ever in
// such a loop. Loops are natural ones: a header that dominates the whole body.
#include <string.h>

#include "engine/pushdown/pushdown_impl.h"

typedef struct counting_loop_finder {
  arena *arena;
  const ir_program *program;
  const uint32_t *loc_index;
  ir_proc proc;
  const ir_proc_data *data;
  uint32_t count;  // locations of the procedure
  VEC (uint32_t) todo;
  bounded_loops *out;
} counting_loop_finder;

static const ir_loc_data *loc_of (const counting_loop_finder *f, uint32_t index) {
  return ir_loc_at (f->program, f->data->locs.data[index]);
}

static uint32_t target_location (const counting_loop_finder *f, uint32_t edge) {
  ir_loc to = f->program->edges.data[edge].to;
  return to.i == IR_NONE ? NONE : f->loc_index[to.i];
}

// Marks what is reachable from `from` over locations in `within` (NULL: all), without passing `without`.
static void mark_reached (counting_loop_finder *f, uint32_t from, const uint8_t *within, uint32_t without,
                          uint8_t *marks) {
  vec_clear (&f->todo);
  if (from != without && (!within || within[from])) {
    marks[from] = 1;
    vec_push (&f->todo, from);
  }
  while (f->todo.count) {
    const ir_loc_data *l = loc_of (f, vec_pop (&f->todo));
    for (uint32_t k = 0; k < l->num_edges; k++) {
      uint32_t to = target_location (f, l->first_edge + k);
      if (to == NONE || to == without || marks[to] || (within && !within[to])) continue;
      marks[to] = 1;
      vec_push (&f->todo, to);
    }
  }
}

// ---- natural loops -----------------------------------------------------------------------------------

// Fills body with the header and all locations that reach one of its back edges without passing it.  False if there is
// none.
static bool find_body (counting_loop_finder *f, uint32_t header, uint8_t *body) {
  uint8_t *outside = mem_zalloc (f->count), *all = mem_zalloc (f->count);
  uint32_t entry = f->loc_index[f->data->entry.i];
  mark_reached (f, entry, NULL, header, outside);
  mark_reached (f, entry, NULL, NONE, all);
  memset (body, 0, f->count);
  bool found = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < f->count; k++) {
      if (body[k] || !all[k] || outside[k] || k == header) continue;
      const ir_loc_data *l = loc_of (f, k);
      for (uint32_t j = 0; j < l->num_edges; j++) {
        uint32_t to = target_location (f, l->first_edge + j);
        if (to != NONE && (to == header || body[to])) body[k] = changed = found = true;
      }
    }
  }
  body[header] = 1;
  mem_free (outside, f->count);
  mem_free (all, f->count);
  return found;
}

// ---- counting ----------------------------------------------------------------------------------------

static bool is_assigned (const counting_loop_finder *f, const uint8_t *body, ir_reg r, uint32_t but_edge) {
  for (uint32_t k = 0; k < f->count; k++) {
    const ir_loc_data *l = loc_of (f, k);
    for (uint32_t j = 0; body[k] && j < l->num_edges; j++) {
      const ir_edge_data *e = &f->program->edges.data[l->first_edge + j];
      if (l->first_edge + j != but_edge && (e->dst.i == r.i || e->dst2.i == r.i)) return true;
    }
  }
  return false;
}

static bool is_constant_in (const counting_loop_finder *f, const uint8_t *body, ir_expr x) {
  const ir_expr_node *n = ir_expr_at (f->program, x);
  if (n->op == IR_X_REG) return !is_assigned (f, body, n->reg, NONE);
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (!is_constant_in (f, body, n->arg[k])) return false;
  return true;
}

typedef struct loop_counter {
  ir_reg reg;
  bool up, by_one, no_wrap;
} loop_counter;

// r = r + constant
static bool is_counting_edge (const ir_program *p, ir_edge e, loop_counter *out) {
  const ir_edge_data *edge = ir_edge_at (p, e);
  if (edge->op != IR_ASSIGN) return false;
  const ir_expr_node *sum = ir_expr_at (p, ir_arg (p, e, 0));
  if (sum->op != IR_X_ADD && sum->op != IR_X_SUB) return false;
  const ir_expr_node *a = ir_expr_at (p, sum->arg[0]), *b = ir_expr_at (p, sum->arg[1]);
  if (a->op != IR_X_REG || a->reg.i != edge->dst.i || b->op != IR_X_CONST || !b->value) return false;
  ir_value sign = (ir_value) 1 << (sum->bits - 1), minus_one = sign | (sign - 1);
  bool negative = b->value & sign;
  *out = (loop_counter){edge->dst, negative == (sum->op == IR_X_SUB), b->value == 1 || b->value == minus_one,
                        sum->nsw || sum->nuw};
  return true;
}

static bool is_counter_register (const ir_program *p, ir_expr x, ir_reg r) {
  const ir_expr_node *n = ir_expr_at (p, x);
  return n->op == IR_X_REG && n->reg.i == r.i;
}

// Staying in the loop needs r < bound (counting up), bound < r (counting down) or r != bound (counting by one).  With
// <= the register could wrap around at the end of its range, unless C forbids that.
static bool bounds (const counting_loop_finder *f, const uint8_t *body, ir_expr condition, const loop_counter *c) {
  const ir_program *p = f->program;
  const ir_expr_node *n = ir_expr_at (p, condition);
  if (ir_expr_arity (n->op) != 2) return false;
  bool first = is_counter_register (p, n->arg[0], c->reg), second = is_counter_register (p, n->arg[1], c->reg);
  if (first == second || !is_constant_in (f, body, n->arg[first])) return false;
  switch (n->op) {
  case IR_X_NE: return c->by_one;
  case IR_X_ULT:
  case IR_X_SLT: return first == c->up && (c->by_one || c->no_wrap);
  case IR_X_ULE:
  case IR_X_SLE: return first == c->up && c->no_wrap;
  default: return false;
  }
}

// A location of the body with two branches, one that leaves the loop and one that stays and bounds the register.
static bool is_test (const counting_loop_finder *f, const uint8_t *body, uint32_t index, const loop_counter *c) {
  const ir_loc_data *l = loc_of (f, index);
  if (l->num_edges != 2) return false;
  uint32_t stay = l->first_edge;
  bool first_in = target_location (f, stay) != NONE && body[target_location (f, stay)];
  bool second_in = target_location (f, stay + 1) != NONE && body[target_location (f, stay + 1)];
  if (first_in == second_in) return false;
  stay += second_in;
  return f->program->edges.data[stay].op == IR_ASSUME && bounds (f, body, ir_arg (f->program, (ir_edge){stay}, 0), c);
}

// Does every round of the loop over the counting edge pass the test?
static bool is_unavoidable (counting_loop_finder *f, const uint8_t *body, uint32_t test, ir_edge e) {
  uint32_t from = f->loc_index[ir_edge_at (f->program, e)->from.i], to = target_location (f, e.i);
  if (from == test || to == test) return true;
  uint8_t *marks = mem_zalloc (f->count);
  mark_reached (f, to, body, test, marks);
  bool avoided = marks[from];
  mem_free (marks, f->count);
  return !avoided;
}

static void add_counting (counting_loop_finder *f, const uint8_t *body, ir_edge e) {
  loop_counter c;
  if (target_location (f, e.i) == NONE || !body[target_location (f, e.i)]) return;
  if (!is_counting_edge (f->program, e, &c) || is_assigned (f, body, c.reg, e.i)) return;
  for (uint32_t test = 0; test < f->count; test++) {
    if (!body[test] || !is_test (f, body, test, &c) || !is_unavoidable (f, body, test, e)) continue;
    uint8_t *copy = arena_alloc (f->arena, f->count);
    memcpy (copy, body, f->count);
    vec_push (f->out, ((bounded_loop){f->proc, e, copy}));
    return;
  }
}

static bool is_entered_from_below (const counting_loop_finder *f, uint32_t header) {
  for (uint32_t k = header; k < f->count; k++)
    for (uint32_t j = 0; j < loc_of (f, k)->num_edges; j++)
      if (target_location (f, loc_of (f, k)->first_edge + j) == header) return true;
  return false;
}

void counting_loops_find (arena *a, const ir_program *p, const uint32_t *loc_index, ir_proc proc, bounded_loops *out) {
  const ir_proc_data *data = ir_proc_at (p, proc);
  counting_loop_finder f = {.arena = a,
                            .program = p,
                            .loc_index = loc_index,
                            .proc = proc,
                            .data = data,
                            .count = data->locs.count,
                            .out = out};
  uint8_t *body = mem_alloc (f.count + 1);
  for (uint32_t header = 0; header < f.count; header++) {
    if (!is_entered_from_below (&f, header) || !find_body (&f, header, body)) continue;
    for (uint32_t k = 0; k < f.count; k++)
      for (uint32_t j = 0; body[k] && j < loc_of (&f, k)->num_edges; j++)
        add_counting (&f, body, (ir_edge){loc_of (&f, k)->first_edge + j});
  }
  mem_free (body, f.count + 1);
  vec_release (&f.todo);
}
