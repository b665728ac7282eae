// Numbers drawn from counters. The number of runs of a procedure is at most the sum, over the edges that may start it,
// of how often these are taken; an edge on a cycle is taken many times.
#include "analysis/tickets.h"

#include "analysis/calls.h"
#include "base/limits.h"

enum { ENDLESS = LIMIT_TICKET_RUNS };  // so often, or more often

struct tickets {
  const ir_program *program;
  const pointsto *targets;
  calls *calls;
  uint32_t *runs;  // [proc]: at most; ENDLESS: not known
};

static uint32_t number_sum_of (uint32_t m, uint32_t n) {
  if (m == ENDLESS || n == ENDLESS || at_limit (TICKET_RUNS, m + n)) return ENDLESS;
  return m + n;
}

// ---- numbers of runs ----------------------------------------------------------------------------------
static uint32_t times_taken (const tickets *t, ir_edge e) {
  uint32_t runs = t->runs[ir_loc_at (t->program, ir_edge_at (t->program, e)->from)->proc.i];
  return runs && calls_repeats (t->calls, e) ? ENDLESS : runs;
}

static void add_starts (const tickets *t, ir_edge e, uint32_t *sum) {
  calls_list list = calls_of (t->calls, e);
  for (uint32_t k = 0; k < list.count; k++)
    sum[list.procs[k].i] = number_sum_of (sum[list.procs[k].i], times_taken (t, e));
}

static bool count_again (tickets *t, uint32_t *sum, bool give_up) {
  bool changed = false;
  for (uint32_t f = 0; f < t->program->procs.count; f++) sum[f] = f == t->program->start.i;
  for (uint32_t e = 0; e < t->program->edges.count; e++) {
    ir_op op = t->program->edges.data[e].op;
    if (op == IR_CALL || op == IR_THREAD_CREATE) add_starts (t, (ir_edge){e}, sum);
  }
  for (uint32_t f = 0; f < t->program->procs.count; f++) {
    if (sum[f] == t->runs[f]) continue;
    t->runs[f] = give_up ? ENDLESS : sum[f];
    changed = true;
  }
  return changed;
}

// Repeats until the numbers are stable. They only grow from round to round, and in recursion without end.
static void count_runs (tickets *t) {
  size_t bytes = sizeof (uint32_t) * (t->program->procs.count + 1);
  uint32_t *sum = mem_zalloc (bytes);
  for (uint32_t round = 0; count_again (t, sum, round > 50); round++)
    ;
  mem_free (sum, bytes);
}

tickets *tickets_new (const ir_program *p, const pointsto *targets) {
  tickets *t = mem_zalloc (sizeof *t);
  *t = (tickets){p, targets, calls_new (p, targets), mem_zalloc (sizeof (uint32_t) * (p->procs.count + 1))};
  count_runs (t);
  return t;
}

void tickets_free (tickets *t) {
  calls_free (t->calls);
  mem_free (t->runs, sizeof (uint32_t) * (t->program->procs.count + 1));
  mem_free (t, sizeof *t);
}

// ---- counters -----------------------------------------------------------------------------------------
static bool is_draw (const ir_program *p, ir_edge e, ir_object *counter) {
  const ir_edge_data *d = ir_edge_at (p, e);
  if (d->op != IR_RMW || d->aux != IR_RMW_ADD) return false;
  const ir_expr_node *at = ir_expr_at (p, ir_arg (p, e, 0)), *step = ir_expr_at (p, ir_arg (p, e, 1));
  *counter = at->object;
  return at->op == IR_X_ADDR && !at->offset && step->op == IR_X_CONST && step->value == 1;
}

static bool may_write (const ir_program *p, ir_edge e) {
  switch (ir_edge_at (p, e)->op) {
  case IR_STORE:
  case IR_STORE_RAW:
  case IR_RMW:
  case IR_CMPXCHG:
  case IR_FREE:
  case IR_FORGET:
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
  return ir_op_table[ir_edge_at (p, e)->op].group == 'S';
}

static bool may_access_object (const tickets *t, ir_edge e, uint32_t object) {
  for (unsigned k = 0; k < ir_edge_at (t->program, e)->num_args && k < 2; k++)
    if (pointsto_may (t->targets, e, k, object)) return true;
  return false;
}

static uint32_t initial_number (const ir_program *p, ir_object counter) {
  const ir_object_data *o = ir_object_at (p, counter);
  if (o->kind != IR_O_GLOBAL || o->relocations.count) return ENDLESS;
  for (uint32_t k = 0; o->init && k < o->size; k++)
    if (o->init[k]) return ENDLESS;
  return 0;
}

// The numbers drawn are below this; ENDLESS: it is no counter, or has no end.
static uint32_t ticket_bound (const tickets *t, ir_object counter) {
  const ir_program *p = t->program;
  uint32_t end = initial_number (p, counter);
  for (uint32_t e = 0; e < p->edges.count && end < ENDLESS; e++) {
    ir_object drawn_from;
    if (is_draw (p, (ir_edge){e}, &drawn_from)) {
      if (drawn_from.i == counter.i) end = number_sum_of (end, times_taken (t, (ir_edge){e}));
    } else if (may_write (p, (ir_edge){e}) && may_access_object (t, (ir_edge){e}, counter.i)) end = ENDLESS;
  }
  return end;
}

// ---- branches -----------------------------------------------------------------------------------------
// Returns the only edge of the procedure that sets the register, or IR_NONE.
static ir_edge definition_of (const ir_program *p, ir_proc f, ir_reg r) {
  const ir_proc_data *d = ir_proc_at (p, f);
  ir_edge found = {IR_NONE};
  uint32_t count = r.i < d->num_params;
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++)
      if (p->edges.data[e].dst.i == r.i || p->edges.data[e].dst2.i == r.i) found = (ir_edge){e}, count++;
  }
  return count == 1 ? found : (ir_edge){IR_NONE};
}

// Returns whether the edge is `assume limit <= number` for a number that is always smaller.
static bool needs_undrawn_number (const tickets *t, ir_edge e) {
  const ir_program *p = t->program;
  const ir_edge_data *d = ir_edge_at (p, e);
  if (d->op != IR_ASSUME) return false;
  const ir_expr_node *n = ir_expr_at (p, ir_arg (p, e, 0));
  if (n->op != IR_X_ULE && n->op != IR_X_ULT) return false;
  const ir_expr_node *limit = ir_expr_at (p, n->arg[0]), *number = ir_expr_at (p, n->arg[1]);
  if (limit->op != IR_X_CONST || number->op != IR_X_REG) return false;
  ir_edge drawn = definition_of (p, ir_loc_at (p, d->from)->proc, number->reg);
  ir_object counter;
  if (drawn.i == IR_NONE || !is_draw (p, drawn, &counter)) return false;
  uint32_t end = ticket_bound (t, counter);
  return end < ENDLESS && limit->value + (n->op == IR_X_ULT) >= end;
}

bool tickets_allow (const tickets *t, ir_loc l) {
  const ir_program *p = t->program;
  bool *seen = mem_zalloc (p->locs.count + 1), found = false;
  VEC (uint32_t) open = {0};
  vec_push (&open, ir_proc_at (p, ir_loc_at (p, l)->proc)->entry.i);
  while (open.count && !found) {
    uint32_t at = vec_pop (&open);
    if (seen[at]) continue;
    seen[at] = true;
    found = at == l.i;
    const ir_loc_data *d = &p->locs.data[at];
    for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++)
      if (p->edges.data[e].to.i != IR_NONE && !needs_undrawn_number (t, (ir_edge){e}))
        vec_push (&open, p->edges.data[e].to.i);
  }
  vec_release (&open);
  mem_free (seen, p->locs.count + 1);
  return found;
}
