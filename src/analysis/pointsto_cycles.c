// Cycles in the constraint graph, by Tarjan's algorithm (1972) without recursion. The nodes of a cycle of copies have
// equal sets in the end, so they are united. A cycle with a shift is a pointer that moves through its object: it would
// go round once per offset, so its offset is given up at once.
#include "analysis/pointsto_impl.h"

typedef struct cycle_dfs_entry {
  uint32_t node, next;  // next: index into its copies, then into its rules
} cycle_dfs_entry;

typedef struct copy_cycle_search {
  solver *s;
  bool with_shifts;
  uint32_t *number, *low;  // [node]; number 0: not visited yet, UINT32_MAX: its component is complete
  uint32_t *component;     // [node]: first node of its component
  uint32_t num_nodes, count;
  VEC (uint32_t) stack;
  VEC (cycle_dfs_entry) path;
  VEC (uint32_t) order;  // first nodes of components, targets of copies first
} copy_cycle_search;

static uint32_t *numbers (uint32_t count) { return mem_zalloc (sizeof (uint32_t) * count); }

static void copy_cycle_search_init (copy_cycle_search *c, solver *s, bool with_shifts) {
  uint32_t n = s->nodes.count;
  *c = (copy_cycle_search){.s = s, .with_shifts = with_shifts, .num_nodes = n};
  c->number = numbers (n);
  c->low = numbers (n);
  c->component = numbers (n);
}

static void copy_cycle_search_release (copy_cycle_search *c) {
  size_t bytes = sizeof (uint32_t) * c->num_nodes;
  mem_free (c->number, bytes);
  mem_free (c->low, bytes);
  mem_free (c->component, bytes);
  vec_release (&c->stack);
  vec_release (&c->path);
  vec_release (&c->order);
}

static void enter_constraint_node (copy_cycle_search *c, uint32_t n) {
  c->number[n] = c->low[n] = ++c->count;
  vec_push (&c->stack, n);
  vec_push (&c->path, ((cycle_dfs_entry){n, 0}));
}

// Closes the component whose first node is n; it lies on top of the stack.
static void close_cycle_component (copy_cycle_search *c, uint32_t n) {
  uint32_t member;
  do {
    member = vec_pop (&c->stack);
    c->number[member] = UINT32_MAX;
    c->component[member] = n;
  } while (member != n);
  vec_push (&c->order, n);
}

// Finds the next successor of the last node on the path; returns false if there is none.
static bool next_constraint_successor (const copy_cycle_search *c, cycle_dfs_entry *at, uint32_t *to) {
  const pointsto_node *n = &c->s->nodes.data[at->node];
  if (at->next < n->copies.count) {
    *to = solver_leader (c->s, n->copies.data[at->next++]);
    return true;
  }
  if (!c->with_shifts) return false;
  while (at->next - n->copies.count < n->rules.count) {
    const pointsto_rule *r = &n->rules.data[at->next++ - n->copies.count];
    if (r->kind != RULE_SHIFT) continue;
    *to = solver_leader (c->s, r->other);
    return true;
  }
  return false;
}

static void advance_cycle_search (copy_cycle_search *c) {
  cycle_dfs_entry *at = &vec_last (&c->path);
  uint32_t n = at->node, to;
  if (next_constraint_successor (c, at, &to)) {
    if (!c->number[to]) enter_constraint_node (c, to);
    else if (c->number[to] < c->low[n]) c->low[n] = c->number[to];
    return;
  }
  (void) vec_pop (&c->path);
  if (c->low[n] == c->number[n]) close_cycle_component (c, n);
  else if (c->low[n] < c->low[vec_last (&c->path).node]) c->low[vec_last (&c->path).node] = c->low[n];
}

static void find_constraint_components (copy_cycle_search *c) {
  for (uint32_t n = c->num_nodes; n-- > 0;) {
    if (c->number[n] || c->s->nodes.data[n].leader != n) continue;
    enter_constraint_node (c, n);
    while (c->path.count) advance_cycle_search (c);
  }
}

// ---- cycles of copies ---------------------------------------------------------------------------------

void solver_unite (solver *s, uint32_t into, uint32_t n) {
  pointsto_node *a = &s->nodes.data[into], *b = &s->nodes.data[n];
  b->leader = into;
  if (b->waiting) s->num_waiting--;
  b->waiting = false;
  set_unite (&a->all, &b->all);
  if (b->is_collapsed && !a->is_collapsed) vec_push (&s->to_collapse, into);
  a->is_collapsed |= b->is_collapsed;
  for (uint32_t k = 0; k < b->copies.count; k++) vec_push (&a->copies, b->copies.data[k]);
  for (uint32_t k = 0; k < b->rules.count; k++) vec_push (&a->rules, b->rules.data[k]);
  node_release (b);
}

static void drop_copies_to_itself (solver *s, uint32_t n) {
  pointsto_node *at = &s->nodes.data[n];
  uint32_t kept = 0;
  for (uint32_t k = 0; k < at->copies.count; k++)
    if (solver_leader (s, at->copies.data[k]) != n) at->copies.data[kept++] = at->copies.data[k];
  at->copies.count = kept;
}

// Makes all targets of a united node fresh: the rules of one part have not been applied to the targets of another.
void solver_refresh (solver *s, uint32_t n) {
  pointsto_node *at = &s->nodes.data[n];
  drop_copies_to_itself (s, n);
  set_release (&at->fresh);
  set_unite (&at->fresh, &at->all);
  if (!set_is_empty (&at->fresh)) solver_wake (s, at);
}

static void unite_copies (solver *s) {
  enum { GREW = 0 };  // stored in `low`, which is not needed any more
  copy_cycle_search c;
  copy_cycle_search_init (&c, s, false);
  find_constraint_components (&c);
  for (uint32_t n = 0; n < c.num_nodes; n++)
    if (s->nodes.data[n].leader == n && c.component[n] != n) {
      solver_unite (s, c.component[n], n);
      c.low[c.component[n]] = GREW;
    }
  vec_clear (&s->order);
  for (uint32_t k = c.order.count; k-- > 0;) {
    uint32_t n = c.order.data[k];
    vec_push (&s->order, n);
    if (c.low[n] == GREW) solver_refresh (s, n);
  }
  copy_cycle_search_release (&c);
}

// ---- cycles with shifts -------------------------------------------------------------------------------

static void blur_shift_cycles (solver *s) {
  copy_cycle_search c;
  copy_cycle_search_init (&c, s, true);
  find_constraint_components (&c);
  for (uint32_t n = 0; n < c.num_nodes; n++) {
    pointsto_node *at = &s->nodes.data[n];
    if (at->leader != n) continue;
    for (uint32_t k = 0; k < at->rules.count; k++) {
      pointsto_rule *r = &at->rules.data[k];
      if (r->kind != RULE_SHIFT || c.component[solver_leader (s, r->other)] != c.component[n]) continue;
      uint64_t step = (uint64_t) (r->amount < 0 ? -r->amount : r->amount);
      *r = (pointsto_rule){.kind = RULE_BLUR, .keeps_any = true, .other = r->other, .factor = step};
    }
  }
  copy_cycle_search_release (&c);
}

void solver_unite_cycles (solver *s) {
  unite_copies (s);
  blur_shift_cycles (s);
  s->new_copies = 0;
}
