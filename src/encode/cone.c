// Cones of literals, collected depth first with an explicit stack, since circuits get deep.
#include "encode/cone.h"

void cone_release (cone *c) {
  vec_release (&c->nodes);
  vec_release (&c->seen);
  vec_release (&c->image);
  vec_release (&c->stack);
}

void cone_begin (cone *c, const aig *g) {
  vec_clear (&c->nodes);
  c->number++;
  while (c->seen.count < g->nodes.count) {
    vec_push (&c->seen, 0);
    vec_push (&c->image, AIG_FALSE);
  }
}

static bool is_in_cone (const cone *c, uint32_t node) { return !node || c->seen.data[node] == c->number; }

static bool push_if_new (cone *c, aig_lit x) {
  if (is_in_cone (c, x.i / 2)) return false;
  vec_push (&c->stack, x.i / 2);
  return true;
}

// Returns whether an operand is not in the cone yet, and pushes these operands.  A node is added after its operands,
// the left one first.
static bool operands_are_new (cone *c, const aig *g, uint32_t node) {
  if (aig_is_input (g, node)) return false;
  return push_if_new (c, g->nodes.data[node].left) || push_if_new (c, g->nodes.data[node].right);
}

void cone_add (cone *c, const aig *g, aig_lit root) {
  push_if_new (c, root);
  while (c->stack.count) {
    uint32_t node = vec_last (&c->stack);
    if (operands_are_new (c, g, node)) continue;
    c->stack.count--;
    c->seen.data[node] = c->number;
    vec_push (&c->nodes, node);
  }
}

void cone_copy (cone *c, const aig *from, aig *to) {
  for (uint32_t i = 0; i < c->nodes.count; i++) {
    uint32_t node = c->nodes.data[i];
    if (aig_is_input (from, node)) continue;
    aig_node n = from->nodes.data[node];
    c->image.data[node] = aig_and (to, cone_image (c, n.left), cone_image (c, n.right));
  }
}
