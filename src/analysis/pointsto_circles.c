// Circles in the constraint graph, by Tarjan's algorithm (1972) without recursion.  Nodes on a circle of copies have equal sets
// in the end, so they become one node.  A circle with a shift in it is a pointer that walks through its object: it would go
// round once per offset, so its offset is given up at once.
#include "analysis/pointsto_impl.h"

typedef struct step {
  uint32_t node, next;  // next: index into its copies, then into its rules
} step;

typedef struct circles {
  solver *s;
  bool with_shifts;
  uint32_t *number, *low;  // [node]; number 0: not seen yet, UINT32_MAX: its component is complete
  uint32_t *component;     // [node]: its first node
  uint32_t num_nodes, count;
  VEC (uint32_t) stack;
  VEC (step) path;
  VEC (uint32_t) order;  // first nodes of components, targets of copies first
} circles;

static uint32_t *numbers (uint32_t count) { return mem_zalloc (sizeof (uint32_t) * count); }

static void circles_init (circles *c, solver *s, bool with_shifts) {
  uint32_t n = s->nodes.count;
  *c = (circles){.s = s, .with_shifts = with_shifts, .num_nodes = n};
  c->number = numbers (n);
  c->low = numbers (n);
  c->component = numbers (n);
}

static void circles_release (circles *c) {
  size_t bytes = sizeof (uint32_t) * c->num_nodes;
  mem_free (c->number, bytes);
  mem_free (c->low, bytes);
  mem_free (c->component, bytes);
  vec_release (&c->stack);
  vec_release (&c->path);
  vec_release (&c->order);
}

static void enter (circles *c, uint32_t n) {
  c->number[n] = c->low[n] = ++c->count;
  vec_push (&c->stack, n);
  vec_push (&c->path, ((step){n, 0}));
}

// The component whose first node is n lies on top of the stack.
static void close_component (circles *c, uint32_t n) {
  uint32_t member;
  do {
    member = vec_pop (&c->stack);
    c->number[member] = UINT32_MAX;
    c->component[member] = n;
  } while (member != n);
  vec_push (&c->order, n);
}

// The next node that the path's last one leads to; false: no more.
static bool next_successor (const circles *c, step *at, uint32_t *to) {
  const node *n = &c->s->nodes.data[at->node];
  if (at->next < n->copies.count) {
    *to = solver_leader (c->s, n->copies.data[at->next++]);
    return true;
  }
  if (!c->with_shifts) return false;
  while (at->next - n->copies.count < n->rules.count) {
    const rule *r = &n->rules.data[at->next++ - n->copies.count];
    if (r->kind != RULE_SHIFT) continue;
    *to = solver_leader (c->s, r->other);
    return true;
  }
  return false;
}

static void advance (circles *c) {
  step *at = &vec_last (&c->path);
  uint32_t n = at->node, to;
  if (next_successor (c, at, &to)) {
    if (!c->number[to]) enter (c, to);
    else if (c->number[to] < c->low[n]) c->low[n] = c->number[to];
    return;
  }
  (void) vec_pop (&c->path);
  if (c->low[n] == c->number[n]) close_component (c, n);
  else if (c->low[n] < c->low[vec_last (&c->path).node]) c->low[vec_last (&c->path).node] = c->low[n];
}

static void find_components (circles *c) {
  for (uint32_t n = c->num_nodes; n-- > 0;) {
    if (c->number[n] || c->s->nodes.data[n].leader != n) continue;
    enter (c, n);
    while (c->path.count) advance (c);
  }
}

// ---- circles of copies -----------------------------------------------------------------------------------

void solver_unite (solver *s, uint32_t into, uint32_t n) {
  node *a = &s->nodes.data[into], *b = &s->nodes.data[n];
  b->leader = into;
  if (b->waiting) s->num_waiting--;
  b->waiting = false;
  set_unite (&a->all, &b->all);
  if (b->crowded && !a->crowded) vec_push (&s->crowded, into);
  a->crowded |= b->crowded;
  for (uint32_t k = 0; k < b->copies.count; k++) vec_push (&a->copies, b->copies.data[k]);
  for (uint32_t k = 0; k < b->rules.count; k++) vec_push (&a->rules, b->rules.data[k]);
  node_release (b);
}

static void drop_copies_to_itself (solver *s, uint32_t n) {
  node *at = &s->nodes.data[n];
  uint32_t kept = 0;
  for (uint32_t k = 0; k < at->copies.count; k++)
    if (solver_leader (s, at->copies.data[k]) != n) at->copies.data[kept++] = at->copies.data[k];
  at->copies.count = kept;
}

// Rules of one of the united have not seen the targets of another.
void solver_refresh (solver *s, uint32_t n) {
  node *at = &s->nodes.data[n];
  drop_copies_to_itself (s, n);
  set_release (&at->fresh);
  set_unite (&at->fresh, &at->all);
  if (!set_is_empty (&at->fresh)) solver_wake (s, at);
}

static void unite_copies (solver *s) {
  enum { GREW = 0 };  // in place of `low`, which nobody needs any more
  circles c;
  circles_init (&c, s, false);
  find_components (&c);
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
  circles_release (&c);
}

// ---- circles with shifts ---------------------------------------------------------------------------------

static void blur_walks (solver *s) {
  circles c;
  circles_init (&c, s, true);
  find_components (&c);
  for (uint32_t n = 0; n < c.num_nodes; n++) {
    node *at = &s->nodes.data[n];
    if (at->leader != n) continue;
    for (uint32_t k = 0; k < at->rules.count; k++) {
      rule *r = &at->rules.data[k];
      if (r->kind != RULE_SHIFT || c.component[solver_leader (s, r->other)] != c.component[n]) continue;
      uint64_t step = (uint64_t) (r->amount < 0 ? -r->amount : r->amount);
      *r = (rule){.kind = RULE_BLUR, .keeps_any = true, .other = r->other, .factor = step};
    }
  }
  circles_release (&c);
}

void solver_unite_circles (solver *s) {
  unite_copies (s);
  blur_walks (s);
  s->new_copies = 0;
}
