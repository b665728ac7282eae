// The control flow of a procedure: reverse postorder, incoming edges, dominators.
//
// Dominators are computed as in Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001): an iteration
// over the locations in reverse postorder, which finds the common dominator of the predecessors by going up the tree
// built so far.  Queries compare intervals of preorder numbers, since straight-line code makes trees as deep as the
// procedure.
#include <string.h>

#include "ir/ir_flow_impl.h"

void ir_flow_init (ir_flow *f, const ir_program *p) {
  memset (f, 0, sizeof *f);
  f->p = p;
  for (uint32_t l = 0; l < p->locs.count; l++) vec_push (&f->rank, IR_NONE);
}

void ir_flow_release (ir_flow *f) {
  vec_release (&f->order);
  vec_release (&f->rank);
  vec_release (&f->first_in);
  vec_release (&f->in);
  vec_release (&f->idom);
  vec_release (&f->pre);
  vec_release (&f->last);
}

typedef struct flow_dfs_entry {
  ir_loc loc;
  uint32_t next;
} flow_dfs_entry;

static void find_order (ir_flow *f, ir_loc entry) {
  const ir_program *p = f->p;
  VEC (flow_dfs_entry) stack = {0};
  for (uint32_t i = 0; i < f->order.count; i++) f->rank.data[f->order.data[i].i] = IR_NONE;
  vec_clear (&f->order);
  f->rank.data[entry.i] = 0;  // means visited; the true ranks are set afterwards
  vec_push (&stack, ((flow_dfs_entry){entry, 0}));
  while (stack.count) {
    flow_dfs_entry *top = &vec_last (&stack);
    const ir_loc_data *l = ir_loc_at (p, top->loc);
    if (top->next == l->num_edges) {
      ir_loc done = vec_pop (&stack).loc;
      vec_push (&f->order, done);
      continue;
    }
    ir_loc to = p->edges.data[l->first_edge + top->next++].to;
    if (to.i == IR_NONE || f->rank.data[to.i] != IR_NONE) continue;
    f->rank.data[to.i] = 0;
    vec_push (&stack, ((flow_dfs_entry){to, 0}));
  }
  vec_release (&stack);
  for (uint32_t i = 0, j = f->order.count - 1; i < j; i++, j--) {
    ir_loc swap = f->order.data[i];
    f->order.data[i] = f->order.data[j];
    f->order.data[j] = swap;
  }
  for (uint32_t i = 0; i < f->order.count; i++) f->rank.data[f->order.data[i].i] = i;
}

// Collects the incoming edges of each location, without edges from unreachable locations.
static void find_incoming (ir_flow *f) {
  const ir_program *p = f->p;
  uint32_t n = f->order.count, total = 0;
  vec_clear (&f->first_in);
  for (uint32_t r = 0; r <= n; r++) vec_push (&f->first_in, 0);
  for (int fill = 0; fill < 2; fill++) {  // first count the edges, then enter them
    for (uint32_t r = 0; r < n; r++) {
      const ir_loc_data *l = ir_loc_at (p, f->order.data[r]);
      for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
        if (p->edges.data[e].to.i == IR_NONE) continue;
        uint32_t to = f->rank.data[p->edges.data[e].to.i];
        if (fill) f->in.data[--f->first_in.data[to]] = (ir_edge){e};
        else f->first_in.data[to]++, total++;
      }
    }
    if (fill) break;
    for (uint32_t r = 0; r < n; r++) f->first_in.data[r + 1] += f->first_in.data[r];
    vec_reserve (&f->in, total);
    f->in.count = total;
  }
}

static uint32_t common_dominator (const ir_flow *f, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = f->idom.data[a];
    while (b > a) b = f->idom.data[b];
  }
  return a;
}

static void find_dominators (ir_flow *f) {
  uint32_t n = f->order.count;
  vec_clear (&f->idom);
  for (uint32_t r = 0; r < n; r++) vec_push (&f->idom, r ? IR_NONE : 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = 1; r < n; r++) {
      uint32_t best = IR_NONE;
      for (uint32_t i = f->first_in.data[r]; i < f->first_in.data[r + 1]; i++) {
        uint32_t from = f->rank.data[ir_edge_at (f->p, f->in.data[i])->from.i];
        if (f->idom.data[from] == IR_NONE) continue;
        best = best == IR_NONE ? from : common_dominator (f, best, from);
      }
      if (f->idom.data[r] != best) f->idom.data[r] = best, changed = true;
    }
  }
}

// Numbers the dominator tree in preorder.  A dominator has a smaller rank than the locations it dominates, so one pass
// over descending ranks computes the sizes of the subtrees, and one pass over ascending ranks assigns the numbers.
static void number_tree (ir_flow *f) {
  uint32_t n = f->order.count;
  VEC (uint32_t) size = {0}, next = {0};
  vec_clear (&f->pre);
  vec_clear (&f->last);
  for (uint32_t r = 0; r < n; r++) {
    vec_push (&size, 1);
    vec_push (&next, 1);
    vec_push (&f->pre, 0);
    vec_push (&f->last, 0);
  }
  for (uint32_t r = n; r-- > 1;) size.data[f->idom.data[r]] += size.data[r];
  for (uint32_t r = 0; r < n; r++) {
    if (r) {
      uint32_t up = f->idom.data[r];
      f->pre.data[r] = next.data[up];
      next.data[up] += size.data[r];
    }
    next.data[r] = f->pre.data[r] + 1;
    f->last.data[r] = f->pre.data[r] + size.data[r] - 1;
  }
  vec_release (&size);
  vec_release (&next);
}

void ir_flow_compute (ir_flow *f, ir_proc proc) {
  find_order (f, ir_proc_at (f->p, proc)->entry);
  find_incoming (f);
  find_dominators (f);
  number_tree (f);
}

bool ir_flow_dominates (const ir_flow *f, ir_loc a, ir_loc b) {
  uint32_t x = f->rank.data[a.i], y = f->rank.data[b.i];
  return f->pre.data[x] <= f->pre.data[y] && f->pre.data[y] <= f->last.data[x];
}

ir_edge ir_flow_only_in (const ir_flow *f, ir_loc l) {
  uint32_t r = f->rank.data[l.i];
  bool one = r && f->first_in.data[r + 1] - f->first_in.data[r] == 1;
  return one ? f->in.data[f->first_in.data[r]] : (ir_edge){IR_NONE};
}
