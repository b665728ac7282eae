// Sticky jumps (CIRC section 4.2, "Cycle detection"; the idea is from Kurshan, Levin, Minea, Peled and Yenigün, 1998):
// a cycle of states projects to a cycle in the code of each thread that moves in it. At least one jump of every such
// cycle is marked. Where the next jump of a thread is marked, a reduced search explores either another thread alone or
// all threads, so no thread is ignored for ever.
//
// A loop that counts cannot return to the same state by itself and needs no mark: it has a register that changes in the
// loop only by adding one and the same constant. The cycles of the loop that avoid that addition are examined again.
#include "base/memory.h"
#include "base/scc.h"
#include "engine/explicit/explicit_impl.h"

enum { NARROWEST_COUNTER = 32 };  // bits; a narrower counter may overflow

typedef struct jump_graph {
  code *code;
  uint32_t first, size;  // instructions [first..first + size[ of the code
  uint8_t *removed;      // by instruction: it is taken out of the graph
  uint8_t *cut;          // by instruction: its backward jumps are taken out
  uint32_t *component;   // by instruction; IR_NONE: on no cycle
  uint32_t num_components;
  uint32_t *first_successor;  // [0..size]
  uint32_t *successors;       // at most three of each instruction
} jump_graph;

static const insn *graph_insn (const jump_graph *g, uint32_t k) { return &g->code->insns.data[g->first + k]; }

// Returns the n-th successor of an instruction, or IR_NONE.
static uint32_t successor_of (const jump_graph *g, uint32_t k, uint32_t n) {
  const insn *i = graph_insn (g, k);
  uint32_t to[3] = {IR_NONE, IR_NONE, IR_NONE};
  if (g->removed[k]) return IR_NONE;
  if (insn_falls_through (i) && k + 1 < g->size) to[0] = k + 1;
  if (insn_is_jump (i)) to[1] = i->target - g->first;
  if (i->op == BC_BRANCH) to[2] = i->other - g->first;
  if (g->cut[k])
    for (uint32_t m = 1; m < 3; m++)
      if (to[m] != IR_NONE && to[m] <= k) to[m] = IR_NONE;
  return to[n] != IR_NONE && g->removed[to[n]] ? IR_NONE : to[n];
}

// ---- strongly connected components --------------------------------------------------------------------
static bool loops_to_itself (const jump_graph *g, uint32_t k) {
  for (uint32_t n = 0; n < 3; n++)
    if (successor_of (g, k, n) == k) return true;
  return false;
}

// Numbers the components that contain a cycle; a single instruction is one only if it is its own successor.
static void number_cyclic_components (jump_graph *g) {
  uint32_t *size = mem_zalloc (sizeof *size * g->size), *number = mem_zalloc (sizeof *number * g->size);
  g->num_components = 0;
  for (uint32_t k = 0; k < g->size; k++) size[g->component[k]]++;
  for (uint32_t k = 0; k < g->size; k++) {
    uint32_t *n = &number[g->component[k]];
    bool cyclic = size[g->component[k]] > 1 || loops_to_itself (g, k);
    if (cyclic && !*n) *n = ++g->num_components;
    g->component[k] = cyclic ? *n - 1 : IR_NONE;
  }
  mem_free (size, sizeof *size * g->size);
  mem_free (number, sizeof *number * g->size);
}

static void find_jump_cycles (jump_graph *g) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < g->size; k++) {
    g->first_successor[k] = count;
    for (uint32_t n = 0; n < 3; n++) {
      uint32_t to = successor_of (g, k, n);
      if (to != IR_NONE) g->successors[count++] = to;
    }
  }
  g->first_successor[g->size] = count;
  scc_find (g->size, g->first_successor, g->successors, g->component);
  number_cyclic_components (g);
}

// ---- counting loops -----------------------------------------------------------------------------------
// Returns the only instruction of the component that writes the slot, or IR_NONE.
static uint32_t only_writer (const jump_graph *g, uint32_t component, uint32_t slot) {
  uint32_t found = IR_NONE;
  for (uint32_t k = 0; k < g->size; k++) {
    if (g->component[k] != component || (graph_insn (g, k)->dst != slot && graph_insn (g, k)->dst2 != slot)) continue;
    if (found != IR_NONE) return IR_NONE;
    found = k;
  }
  return found;
}

static bool is_constant_addition (const jump_graph *g, const insn *i, uint32_t *slot) {
  if ((i->op != BC_ADD && i->op != BC_SUB) || i->bits < NARROWEST_COUNTER || i->a & CONST_BIT || !(i->b & CONST_BIT))
    return false;
  *slot = i->a;
  return g->code->constants.data[i->b & ~CONST_BIT] != 0;
}

// Returns whether this instruction is the only one that changes some register, r = r + c. (With t = r + c; r = t a
// cycle may contain only one of the two.)
static bool is_counter (const jump_graph *g, uint32_t component, uint32_t k) {
  const insn *i = graph_insn (g, k);
  uint32_t from;
  return is_constant_addition (g, i, &from) && i->dst == from && only_writer (g, component, from) == k;
}

static bool is_visible_kind (const insn *i) { return i->op > BC_NOP; }

// Removes a counter of a component; if it has none, marks its backward jumps and removes those.
static void break_component (jump_graph *g, uint32_t component) {
  bool counts = false, visible = false;
  for (uint32_t k = 0; k < g->size; k++) {
    if (g->component[k] != component) continue;
    visible |= is_visible_kind (graph_insn (g, k));
    if (!is_counter (g, component, k)) continue;
    g->removed[k] = 1;
    counts = true;
    break;
  }
  if (counts) return;
  for (uint32_t k = 0; k < g->size; k++) {
    if (g->component[k] != component || !insn_is_jump (graph_insn (g, k)) || !graph_insn (g, k)->back) continue;
    g->cut[k] = 1;
    g->code->insns.data[g->first + k].sticky = visible;
  }
}

void code_mark_sticky (code *c, uint32_t first, uint32_t end) {
  jump_graph g = {.code = c, .first = first, .size = end - first};
  size_t size = g.size;
  uint32_t *words = mem_zalloc (sizeof *words * (5 * size + 1));
  uint8_t *bytes = mem_zalloc (2 * size);
  g.component = words, g.successors = words + size, g.first_successor = words + 4 * size;
  g.removed = bytes, g.cut = bytes + size;
  for (find_jump_cycles (&g); g.num_components; find_jump_cycles (&g))
    for (uint32_t k = 0; k < g.num_components; k++) break_component (&g, k);
  mem_free (words, sizeof *words * (5 * size + 1));
  mem_free (bytes, 2 * size);
}
