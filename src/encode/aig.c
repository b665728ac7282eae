// And-inverter graphs.  An and-node's operands are ordered and looked up before a node is made; the rules over two levels are those of
// Brummayer and Biere, "Local two-level and-inverter graph minimization without blowup" (2006), the ones that never make more nodes.
#include "encode/aig.h"

#include "base/diag.h"
#include "base/hash.h"

// ---- structural hashing --------------------------------------------------------------------------------------------

static uint32_t slot_of (const aig *g, aig_node n) {
  return (uint32_t) hash_u64 ((uint64_t) n.left.i << 32 | n.right.i) & (g->num_slots - 1);
}

static void place (aig *g, uint32_t node) {
  uint32_t i = slot_of (g, g->nodes.data[node]);
  while (g->slots[i]) i = (i + 1) & (g->num_slots - 1);
  g->slots[i] = node;
}

static void grow_slots (aig *g) {
  mem_free (g->slots, sizeof *g->slots * g->num_slots);
  g->num_slots *= 2;
  g->slots = mem_zalloc (sizeof *g->slots * g->num_slots);
  for (uint32_t i = 1; i < g->nodes.count; i++)
    if (!aig_is_input (g, i)) place (g, i);
}

static aig_lit add_node (aig *g, aig_node n) {
  CHECK (g->nodes.count < UINT32_MAX / 2, "an and-inverter graph should have less than 2^31 nodes");
  vec_push (&g->nodes, n);
  return (aig_lit){2 * (g->nodes.count - 1)};
}

static aig_lit find_or_add (aig *g, aig_lit a, aig_lit b) {
  aig_node n = a.i < b.i ? (aig_node){a, b} : (aig_node){b, a};
  for (uint32_t i = slot_of (g, n); g->slots[i]; i = (i + 1) & (g->num_slots - 1)) {
    aig_node other = g->nodes.data[g->slots[i]];
    if (other.left.i == n.left.i && other.right.i == n.right.i) return (aig_lit){2 * g->slots[i]};
  }
  aig_lit r = add_node (g, n);
  if (++g->num_ands * 2 > g->num_slots) grow_slots (g);
  else place (g, r.i / 2);
  return r;
}

void aig_init (aig *g) {
  *g = (aig){.num_slots = 256};
  g->slots = mem_zalloc (sizeof *g->slots * g->num_slots);
  add_node (g, (aig_node){AIG_FALSE, AIG_FALSE});
}

void aig_release (aig *g) {
  vec_release (&g->nodes);
  mem_free (g->slots, sizeof *g->slots * g->num_slots);
  *g = (aig){0};
}

aig_lit aig_input (aig *g) { return add_node (g, (aig_node){{UINT32_MAX}, {g->num_inputs++}}); }

// ---- rules -----------------------------------------------------------------------------------------------------------

static bool same (aig_lit a, aig_lit b) { return a.i == b.i; }
static bool opposite (aig_lit a, aig_lit b) { return a.i == (b.i ^ 1); }

// a's node is an and: its operands.
static bool is_and (const aig *g, aig_lit a, aig_lit *left, aig_lit *right) {
  if (a.i < 2 || aig_is_input (g, a.i / 2)) return false;
  *left = g->nodes.data[a.i / 2].left;
  *right = g->nodes.data[a.i / 2].right;
  return true;
}

// What one operand's inside says about the other one.  True: *r is the result, or, with *again, what remains to be conjoined with *r.
static bool one_inside (const aig *g, aig_lit a, aig_lit b, aig_lit *r, aig_lit *again) {
  aig_lit x, y;
  if (!is_and (g, a, &x, &y)) return false;
  *again = AIG_TRUE;
  if (!(a.i & 1)) {
    if (same (x, b) || same (y, b)) return *r = a, true;
    if (opposite (x, b) || opposite (y, b)) return *r = AIG_FALSE, true;
    return false;
  }
  if (opposite (x, b) || opposite (y, b)) return *r = b, true;
  if (same (x, b)) return *r = b, *again = aig_not (y), true;
  if (same (y, b)) return *r = b, *again = aig_not (x), true;
  return false;
}

// Both are ands; a is not complemented.
static bool inside_and (const aig *g, aig_lit a, aig_lit b, aig_lit *r, aig_lit *again) {
  aig_lit x, y, z, w;
  if ((a.i & 1) || !is_and (g, a, &x, &y) || !is_and (g, b, &z, &w)) return false;
  bool excludes = opposite (x, z) || opposite (x, w) || opposite (y, z) || opposite (y, w), negated = b.i & 1;
  *r = a, *again = AIG_TRUE;
  if (excludes) return *r = negated ? a : AIG_FALSE, true;
  if (same (x, z) || same (y, z)) return *again = negated ? aig_not (w) : w, true;
  if (same (x, w) || same (y, w)) return *again = negated ? aig_not (z) : z, true;
  return false;
}

// Both are complemented ands: !(x & y) & !(x & !y) is !x.
static bool inside_nands (const aig *g, aig_lit a, aig_lit b, aig_lit *r) {
  aig_lit x, y, z, w;
  if (!(a.i & 1) || !(b.i & 1) || !is_and (g, a, &x, &y) || !is_and (g, b, &z, &w)) return false;
  if ((same (x, z) && opposite (y, w)) || (same (x, w) && opposite (y, z))) return *r = aig_not (x), true;
  if ((same (y, z) && opposite (x, w)) || (same (y, w) && opposite (x, z))) return *r = aig_not (y), true;
  return false;
}

aig_lit aig_and (aig *g, aig_lit a, aig_lit b) {
  for (;;) {  // each round replaces b by an older literal
    aig_lit r, again = AIG_TRUE;
    if (same (a, b) || same (b, AIG_TRUE)) return a;
    if (same (a, AIG_TRUE)) return b;
    if (opposite (a, b) || same (a, AIG_FALSE) || same (b, AIG_FALSE)) return AIG_FALSE;
    if (!one_inside (g, a, b, &r, &again) && !one_inside (g, b, a, &r, &again) && !inside_and (g, a, b, &r, &again) &&
        !inside_and (g, b, a, &r, &again) && !inside_nands (g, a, b, &r))
      return find_or_add (g, a, b);
    if (same (again, AIG_TRUE)) return r;
    a = r, b = again;
  }
}

aig_lit aig_or (aig *g, aig_lit a, aig_lit b) { return aig_not (aig_and (g, aig_not (a), aig_not (b))); }

// Signs go outside, so that a ^ b, !a ^ b, ... are one node.
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
  if (same (then, otherwise)) return then;
  if (opposite (then, otherwise)) return aig_xor (g, c, otherwise);
  if (c.i & 1) return aig_mux (g, aig_not (c), otherwise, then);
  return aig_not (aig_and (g, aig_not (aig_and (g, c, then)), aig_not (aig_and (g, aig_not (c), otherwise))));
}
