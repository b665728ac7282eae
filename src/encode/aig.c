// And-inverter graphs.  The operands of an and-node are ordered, and the node is looked up before it is added.  The
// rules over two levels are those of Brummayer and Biere, "Local two-level and-inverter graph minimization without
// blowup" (2006), that never add more nodes.
#include "encode/aig.h"

#include "base/diag.h"
#include "base/hash.h"

// ---- structural hashing --------------------------------------------------------------------------------------------

static uint32_t find_and_slot (const aig *g, aig_node n) {
  return (uint32_t) hash_u64 ((uint64_t) n.left.i << 32 | n.right.i) & (g->num_slots - 1);
}

static void insert_and_node (aig *g, uint32_t node) {
  uint32_t i = find_and_slot (g, g->nodes.data[node]);
  while (g->slots[i]) i = (i + 1) & (g->num_slots - 1);
  g->slots[i] = node;
}

static void grow_aig_slots (aig *g) {
  mem_free (g->slots, sizeof *g->slots * g->num_slots);
  g->num_slots *= 2;
  g->slots = mem_zalloc (sizeof *g->slots * g->num_slots);
  for (uint32_t i = 1; i < g->nodes.count; i++)
    if (!aig_is_input (g, i)) insert_and_node (g, i);
}

static aig_lit add_aig_node (aig *g, aig_node n) {
  CHECK (g->nodes.count < UINT32_MAX / 2, "an and-inverter graph should have less than 2^31 nodes");
  vec_push (&g->nodes, n);
  return (aig_lit){2 * (g->nodes.count - 1)};
}

static aig_lit find_or_add (aig *g, aig_lit a, aig_lit b) {
  aig_node n = a.i < b.i ? (aig_node){a, b} : (aig_node){b, a};
  for (uint32_t i = find_and_slot (g, n); g->slots[i]; i = (i + 1) & (g->num_slots - 1)) {
    aig_node other = g->nodes.data[g->slots[i]];
    if (other.left.i == n.left.i && other.right.i == n.right.i) return (aig_lit){2 * g->slots[i]};
  }
  aig_lit r = add_aig_node (g, n);
  if (++g->num_ands * 2 > g->num_slots) grow_aig_slots (g);
  else insert_and_node (g, r.i / 2);
  return r;
}

void aig_init (aig *g) {
  *g = (aig){.num_slots = 256};
  g->slots = mem_zalloc (sizeof *g->slots * g->num_slots);
  add_aig_node (g, (aig_node){AIG_FALSE, AIG_FALSE});
}

void aig_release (aig *g) {
  vec_release (&g->nodes);
  mem_free (g->slots, sizeof *g->slots * g->num_slots);
  *g = (aig){0};
}

aig_lit aig_input (aig *g) { return add_aig_node (g, (aig_node){{UINT32_MAX}, {g->num_inputs++}}); }

// ---- rules ------------------------------------------------------------------------------------------

static bool are_equal_literals (aig_lit a, aig_lit b) { return a.i == b.i; }
static bool are_complements (aig_lit a, aig_lit b) { return a.i == (b.i ^ 1); }

// Gives the operands of a's node.  False: the node is not an and-node.
static bool match_and (const aig *g, aig_lit a, aig_lit *left, aig_lit *right) {
  if (a.i < 2 || aig_is_input (g, a.i / 2)) return false;
  *left = g->nodes.data[a.i / 2].left;
  *right = g->nodes.data[a.i / 2].right;
  return true;
}

// Simplifies a & b by the operands of a's node.  True: *r is the result, or, if *again is set, a & b is *r & *again.
static bool one_inside (const aig *g, aig_lit a, aig_lit b, aig_lit *r, aig_lit *again) {
  aig_lit x, y;
  if (!match_and (g, a, &x, &y)) return false;
  *again = AIG_TRUE;
  if (!(a.i & 1)) {
    if (are_equal_literals (x, b) || are_equal_literals (y, b)) return *r = a, true;
    if (are_complements (x, b) || are_complements (y, b)) return *r = AIG_FALSE, true;
    return false;
  }
  if (are_complements (x, b) || are_complements (y, b)) return *r = b, true;
  if (are_equal_literals (x, b)) return *r = b, *again = aig_not (y), true;
  if (are_equal_literals (y, b)) return *r = b, *again = aig_not (x), true;
  return false;
}

// Simplifies a & b if the nodes of both are and-nodes and a is not complemented.
static bool inside_and (const aig *g, aig_lit a, aig_lit b, aig_lit *r, aig_lit *again) {
  aig_lit x, y, z, w;
  if ((a.i & 1) || !match_and (g, a, &x, &y) || !match_and (g, b, &z, &w)) return false;
  bool excludes = are_complements (x, z) || are_complements (x, w) || are_complements (y, z) || are_complements (y, w),
       negated = b.i & 1;
  *r = a, *again = AIG_TRUE;
  if (excludes) return *r = negated ? a : AIG_FALSE, true;
  if (are_equal_literals (x, z) || are_equal_literals (y, z)) return *again = negated ? aig_not (w) : w, true;
  if (are_equal_literals (x, w) || are_equal_literals (y, w)) return *again = negated ? aig_not (z) : z, true;
  return false;
}

// Simplifies a & b if both are complemented and-nodes: !(x & y) & !(x & !y) is !x.
static bool inside_nands (const aig *g, aig_lit a, aig_lit b, aig_lit *r) {
  aig_lit x, y, z, w;
  if (!(a.i & 1) || !(b.i & 1) || !match_and (g, a, &x, &y) || !match_and (g, b, &z, &w)) return false;
  if ((are_equal_literals (x, z) && are_complements (y, w)) || (are_equal_literals (x, w) && are_complements (y, z)))
    return *r = aig_not (x), true;
  if ((are_equal_literals (y, z) && are_complements (x, w)) || (are_equal_literals (y, w) && are_complements (x, z)))
    return *r = aig_not (y), true;
  return false;
}

aig_lit aig_and (aig *g, aig_lit a, aig_lit b) {
  for (;;) {  // ends because each round replaces b by an older literal
    aig_lit r, again = AIG_TRUE;
    if (are_equal_literals (a, b) || are_equal_literals (b, AIG_TRUE)) return a;
    if (are_equal_literals (a, AIG_TRUE)) return b;
    if (are_complements (a, b) || are_equal_literals (a, AIG_FALSE) || are_equal_literals (b, AIG_FALSE))
      return AIG_FALSE;
    if (!one_inside (g, a, b, &r, &again) && !one_inside (g, b, a, &r, &again) && !inside_and (g, a, b, &r, &again) &&
        !inside_and (g, b, a, &r, &again) && !inside_nands (g, a, b, &r))
      return find_or_add (g, a, b);
    if (are_equal_literals (again, AIG_TRUE)) return r;
    a = r, b = again;
  }
}

aig_lit aig_or (aig *g, aig_lit a, aig_lit b) { return aig_not (aig_and (g, aig_not (a), aig_not (b))); }

// Moves the signs of the operands to the result, so that a ^ b, !a ^ b, ... are one node.
aig_lit aig_xor (aig *g, aig_lit a, aig_lit b) {
  uint32_t sign = (a.i ^ b.i) & 1;
  a.i &= ~1u, b.i &= ~1u;
  if (a.i == 0) return (aig_lit){b.i ^ sign};
  if (b.i == 0) return (aig_lit){a.i ^ sign};
  aig_lit both = aig_and (g, a, b), none = aig_and (g, aig_not (a), aig_not (b));
  aig_lit r = aig_and (g, aig_not (both), aig_not (none));
  return (aig_lit){r.i ^ sign};
}

aig_lit aig_mux (aig *g, aig_lit c, aig_lit then, aig_lit otherwise) {
  if (are_equal_literals (then, otherwise)) return then;
  if (are_complements (then, otherwise)) return aig_xor (g, c, otherwise);
  if (c.i & 1) return aig_mux (g, aig_not (c), otherwise, then);
  return aig_not (aig_and (g, aig_not (aig_and (g, c, then)), aig_not (aig_and (g, aig_not (c), otherwise))));
}
