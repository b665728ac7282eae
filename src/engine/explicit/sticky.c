// Sticky jumps (CIRC section 4.2, "Cycle detection"; the idea is of Kurshan, Levin, Minea, Peled and Yenigün, 1998): a cycle of states
// projects to a cycle in the code of each thread that moves in it.  At least one jump of every such cycle is marked; where a thread stands
// before a marked jump, a reduced search takes either somebody else alone or everybody, so nobody is put off for ever.
//
// A loop that counts cannot come back to the same state by itself and needs no mark: it has a register that changes in the
// loop only by adding one and the same constant.  Its other cycles, which leave that addition out, are looked at again.
#include "engine/explicit/explicit_impl.h"

enum { NARROWEST_COUNTER = 32 };  // bits; a narrower one may come round

typedef struct graph {
  code *code;
  uint32_t first, size;
  uint8_t *removed;     // instructions and
  uint8_t *cut;         // jumps taken out
  uint32_t *component;  // IR_NONE: on no cycle
  uint32_t *number, *low, next_number, num_components;
  VEC (uint32_t) stack, path;  // Tarjan's, without recursion
  uint8_t *on_stack, *next_edge;
} graph;

static const insn *at (const graph *g, uint32_t k) { return &g->code->insns.data[g->first + k]; }

static bool falls_through (const insn *i) {
  switch (i->op) {
  case BC_JUMP:
  case BC_BRANCH:
  case BC_RETURN:
  case BC_EXIT:
  case BC_INFEASIBLE:
  case BC_UNSUPPORTED: return false;
  default: return !(i->op == BC_SYNC && i->ir == IR_THREAD_EXIT);
  }
}

static bool is_jump (const insn *i) { return i->op == BC_JUMP || i->op == BC_BRANCH || i->op == BC_BRANCH_IF; }

// The n-th successor of an instruction, or IR_NONE.
static uint32_t successor_of (const graph *g, uint32_t k, uint32_t n) {
  const insn *i = at (g, k);
  uint32_t to[3] = {IR_NONE, IR_NONE, IR_NONE};
  if (g->removed[k]) return IR_NONE;
  if (falls_through (i) && k + 1 < g->size) to[0] = k + 1;
  if (is_jump (i)) to[1] = i->target - g->first;
  if (i->op == BC_BRANCH) to[2] = i->other - g->first;
  if (g->cut[k])
    for (uint32_t m = 1; m < 3; m++)
      if (to[m] != IR_NONE && to[m] <= k) to[m] = IR_NONE;
  return to[n] != IR_NONE && g->removed[to[n]] ? IR_NONE : to[n];
}

// ---- strongly connected components ---------------------------------------------------------------------
static void enter (graph *g, uint32_t k) {
  g->number[k] = g->low[k] = ++g->next_number;
  g->on_stack[k] = 1;
  g->next_edge[k] = 0;
  vec_push (&g->stack, k);
  vec_push (&g->path, k);
}

static bool loops_to_itself (const graph *g, uint32_t k) {
  for (uint32_t n = 0; n < 3; n++)
    if (successor_of (g, k, n) == k) return true;
  return false;
}

static void leave (graph *g, uint32_t k) {
  if (g->path.count && g->low[vec_last (&g->path)] > g->low[k]) g->low[vec_last (&g->path)] = g->low[k];
  if (g->low[k] != g->number[k]) return;
  bool cycle = vec_last (&g->stack) != k || loops_to_itself (g, k);
  uint32_t member;
  do {
    member = vec_pop (&g->stack);
    g->on_stack[member] = 0;
    g->component[member] = cycle ? g->num_components : IR_NONE;
  } while (member != k);
  g->num_components += cycle;
}

static void visit (graph *g, uint32_t root) {
  enter (g, root);
  while (g->path.count) {
    uint32_t k = vec_last (&g->path);
    if (g->next_edge[k] == 3) {
      g->path.count--;
      leave (g, k);
      continue;
    }
    uint32_t to = successor_of (g, k, g->next_edge[k]++);
    if (to == IR_NONE) continue;
    if (!g->number[to]) enter (g, to);
    else if (g->on_stack[to] && g->number[to] < g->low[k]) g->low[k] = g->number[to];
  }
}

static void find_components (graph *g) {
  g->next_number = g->num_components = 0;
  for (uint32_t k = 0; k < g->size; k++) g->number[k] = 0, g->component[k] = IR_NONE;
  for (uint32_t k = 0; k < g->size; k++)
    if (!g->number[k] && !g->removed[k]) visit (g, k);
}

// ---- counting loops ------------------------------------------------------------------------------------
// The only instruction of the component that writes the slot, or IR_NONE.
static uint32_t only_writer (const graph *g, uint32_t component, uint32_t slot) {
  uint32_t found = IR_NONE;
  for (uint32_t k = 0; k < g->size; k++) {
    if (g->component[k] != component || (at (g, k)->dst != slot && at (g, k)->dst2 != slot)) continue;
    if (found != IR_NONE) return IR_NONE;
    found = k;
  }
  return found;
}

static bool adds_constant (const graph *g, const insn *i, uint32_t *slot) {
  if ((i->op != BC_ADD && i->op != BC_SUB) || i->bits < NARROWEST_COUNTER || i->a & CONST_BIT || !(i->b & CONST_BIT))
    return false;
  *slot = i->a;
  return g->code->constants.data[i->b & ~CONST_BIT] != 0;
}

// Is this the one place where some register goes up, r = r + c?  (With t = r + c; r = t a round may pass one of the two alone.)
static bool is_counter (const graph *g, uint32_t component, uint32_t k) {
  const insn *i = at (g, k);
  uint32_t from;
  return adds_constant (g, i, &from) && i->dst == from && only_writer (g, component, from) == k;
}

static bool is_visible_kind (const insn *i) { return i->op > BC_NOP; }

// Takes the counters of a component out, or, if it has none, marks its backward jumps and takes those out.
static void break_component (graph *g, uint32_t component) {
  bool counts = false, visible = false;
  for (uint32_t k = 0; k < g->size; k++) {
    if (g->component[k] != component) continue;
    visible |= is_visible_kind (at (g, k));
    if (!is_counter (g, component, k)) continue;
    g->removed[k] = 1;
    counts = true;
    break;
  }
  if (counts) return;
  for (uint32_t k = 0; k < g->size; k++) {
    if (g->component[k] != component || !is_jump (at (g, k)) || !at (g, k)->back) continue;
    g->cut[k] = 1;
    g->code->insns.data[g->first + k].sticky = visible;
  }
}

void code_mark_sticky (code *c, uint32_t first, uint32_t end) {
  graph g = {.code = c, .first = first, .size = end - first};
  uint32_t *words = mem_zalloc (sizeof *words * 3 * g.size);
  uint8_t *bytes = mem_zalloc (4 * (size_t) g.size);
  g.component = words, g.number = words + g.size, g.low = words + 2 * g.size;
  g.removed = bytes, g.cut = bytes + g.size, g.on_stack = bytes + 2 * g.size, g.next_edge = bytes + 3 * g.size;
  for (find_components (&g); g.num_components; find_components (&g))
    for (uint32_t k = 0; k < g.num_components; k++) break_component (&g, k);
  vec_release (&g.stack);
  vec_release (&g.path);
  mem_free (words, sizeof *words * 3 * g.size);
  mem_free (bytes, 4 * (size_t) g.size);
}
