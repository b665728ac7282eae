// Solves inclusion constraints.  A node stands for a register, a word of memory or the value of an expression; edges say that
// one contains all of another (copies), rules what follows from the targets of a node: where it is loaded from or stored to,
// what it calls.
//
// Targets travel as differences: a node hands on only what is fresh.  Nodes are visited in waves, in an order in which sources
// come before what copies them, and nodes that copy each other in a circle are united (pointsto_circles.c): Pereira and
// Berlin, "Wave propagation and deep propagation for pointer analysis", 2009, section 3.  Here a wave also applies the rules
// as it goes, and circles are looked for again only after many new copies.
//
// Memory.  Each word of an object that is accessed at a known offset has a node.  Accesses at unknown offsets go through two
// nodes per object: `in` flows into all its words, all words flow into `out`.  A pointer of which only a part is read,
// or that is partly overwritten, may come out with another offset: then its targets are blurred.
#include "analysis/pointsto_impl.h"

enum { MOST_BYTES = 8 };  // of one access

// ---- nodes -----------------------------------------------------------------------------------------------

uint32_t solver_add_node (solver *s) {
  uint32_t n = s->nodes.count;
  vec_push (&s->nodes, ((node){.leader = n}));
  vec_push (&s->order, n);
  return n;
}

void solver_init (solver *s, uint32_t num_objects, uint32_t word) {
  *s = (solver){.word = word, .num_objects = num_objects};
  CHECK (num_objects <= MOST_OBJECTS, "the number of objects should fit into a target");
  s->objects = mem_zalloc (sizeof (object_cells) * num_objects);
  solver_add_node (s);  // NODE_NOTHING
  s->everywhere = solver_add_node (s);
}

void node_release (node *n) {
  set_release (&n->all);
  set_release (&n->fresh);
  vec_release (&n->copies);
  vec_release (&n->rules);
}

void solver_release (solver *s) {
  for (uint32_t n = 0; n < s->nodes.count; n++) node_release (&s->nodes.data[n]);
  vec_release (&s->nodes);
  vec_release (&s->order);
  map_release (&s->copies);
  map_release (&s->blurs);
  map_release (&s->cells);
  mem_free (s->objects, sizeof (object_cells) * s->num_objects);
}

uint32_t solver_leader (const solver *s, uint32_t n) {
  node *nodes = s->nodes.data;
  while (nodes[n].leader != n) {
    nodes[n].leader = nodes[nodes[n].leader].leader;
    n = nodes[n].leader;
  }
  return n;
}

const target_set *solver_targets (const solver *s, uint32_t n) { return &s->nodes.data[solver_leader (s, n)].all; }

void solver_wake (solver *s, node *n) {
  if (n->waiting) return;
  n->waiting = true;
  s->num_waiting++;
}

// Adds targets to a node; takes the set.
static void receive (solver *s, uint32_t to, target_set *targets) {
  node *n = &s->nodes.data[solver_leader (s, to)];
  target_set fresh = {0};
  set_subtract (&fresh, targets, &n->all);
  set_release (targets);
  if (set_is_empty (&fresh)) return;
  set_unite (&n->all, &fresh);
  set_unite (&n->fresh, &fresh);
  set_release (&fresh);
  solver_wake (s, n);
}

static void receive_copy (solver *s, uint32_t to, const target_set *targets) {
  target_set copy = {0};
  set_subtract (&copy, targets, &s->nodes.data[solver_leader (s, to)].all);
  receive (s, to, &copy);
}

void solver_add_target (solver *s, uint32_t n, uint32_t target) {
  target_set one = {0};
  set_add (&one, target);
  receive (s, n, &one);
}

void solver_add_any (solver *s, uint32_t n) { receive (s, n, &(target_set){.any = true}); }

void solver_add_copy (solver *s, uint32_t from, uint32_t to) {
  from = solver_leader (s, from);
  to = solver_leader (s, to);
  if (from == to || from == NODE_NOTHING) return;
  bool is_new;
  map_insert (&s->copies, (uint64_t) from << 32 | to, 0, &is_new);
  if (!is_new) return;
  vec_push (&s->nodes.data[from].copies, to);
  s->new_copies++;
  receive_copy (s, to, &s->nodes.data[from].all);
}

// ---- offsets ---------------------------------------------------------------------------------------------

// A target at a known offset, moved.
static uint32_t shifted (const solver *s, uint32_t target, int64_t amount) {
  int64_t sum = (int64_t) (target_offset (target) + (uint64_t) amount);
  if (sum >= 0 && sum < NUM_OFFSETS) return target_make (target_object (target), (uint32_t) sum);
  return target_make (target_object (target), sum % s->word == 0 ? OFFSET_ALIGNED : OFFSET_ANY);
}

static bool is_aligned (const solver *s, uint32_t offset) {
  return offset == OFFSET_ALIGNED || (offset < NUM_OFFSETS && offset % s->word == 0);
}

static void apply_shift (solver *s, const rule *r, const target_set *fresh) {
  target_set moved = {.any = fresh->any};
  set_add_unknown (&moved, fresh, r->amount % s->word == 0);
  for (set_cursor c = set_exact (fresh); set_next (fresh, &c);) set_add (&moved, shifted (s, c.target, r->amount));
  receive (s, r->other, &moved);
}

// Moves by an unknown multiple of the amount.
static void apply_blur (solver *s, const rule *r, const target_set *fresh) {
  bool keeps_words = r->amount && r->amount % s->word == 0;
  target_set moved = {.any = fresh->any && r->keeps_any};
  set_add_unknown (&moved, fresh, keeps_words);
  for (set_cursor c = set_exact (fresh); set_next (fresh, &c);) {
    bool aligned = keeps_words && is_aligned (s, target_offset (c.target));
    set_add (&moved, target_make (target_object (c.target), aligned ? OFFSET_ALIGNED : OFFSET_ANY));
  }
  receive (s, r->other, &moved);
}

// ---- memory ----------------------------------------------------------------------------------------------

static void blur_into (solver *s, uint32_t from, uint32_t to) {
  bool is_new;
  from = solver_leader (s, from);
  if (from == NODE_NOTHING) return;
  map_insert (&s->blurs, (uint64_t) from << 32 | to, 0, &is_new);
  if (is_new) solver_add_rule (s, from, (rule){.kind = RULE_BLUR, .keeps_any = true, .other = to});
}

static uint32_t find_cell (const solver *s, uint32_t object, uint32_t word) {
  const uint64_t *found = map_find (&s->cells, (uint64_t) object << 32 | word);
  return found ? (uint32_t) *found : NODE_NOTHING;
}

static void tear_object (solver *s, uint32_t object) {
  if (s->objects[object].torn) return;
  s->objects[object].torn = true;
  for (uint32_t w = 0; w <= (NUM_OFFSETS + MOST_BYTES) / s->word; w++) {
    uint32_t cell = find_cell (s, object, w);
    if (cell != NODE_NOTHING) blur_into (s, cell, cell);
  }
  blur_into (s, s->objects[object].in, s->objects[object].out);
}

static object_cells *cells_of (solver *s, uint32_t object) {
  object_cells *o = &s->objects[object];
  if (o->in) return o;
  o->in = solver_add_node (s);
  o->out = solver_add_node (s);
  solver_add_copy (s, s->everywhere, o->in);
  solver_add_copy (s, o->in, o->out);
  if (s->all_torn) tear_object (s, object);
  return o;
}

static uint32_t cell_at (solver *s, uint32_t object, uint32_t word) {
  uint32_t cell = find_cell (s, object, word);
  if (cell != NODE_NOTHING) return cell;
  object_cells *o = cells_of (s, object);
  cell = solver_add_node (s);
  map_insert (&s->cells, (uint64_t) object << 32 | word, cell, NULL);
  solver_add_copy (s, o->in, cell);
  solver_add_copy (s, cell, o->out);
  if (o->torn) blur_into (s, cell, cell);
  return cell;
}

uint32_t solver_cell (solver *s, uint32_t object, uint32_t offset) {
  return offset < NUM_OFFSETS ? cell_at (s, object, offset / s->word) : cells_of (s, object)->in;
}

// Does an access of so many bytes there see pointers whole?
static bool is_whole (const solver *s, uint32_t offset, unsigned bytes) {
  return bytes == s->word && is_aligned (s, offset);
}

static void load_from (solver *s, const rule *r, uint32_t target) {
  uint32_t object = target_object (target), offset = target_offset (target);
  uint32_t to = is_whole (s, offset, r->bytes) ? r->other : r->pieces;
  if (s->objects[object].empty) return;
  if (offset >= NUM_OFFSETS) {
    solver_add_copy (s, cells_of (s, object)->out, to);
    return;
  }
  for (uint32_t w = offset / s->word; w <= (offset + r->bytes - 1) / s->word; w++)
    solver_add_copy (s, cell_at (s, object, w), to);
}

static void store_to (solver *s, const rule *r, uint32_t target) {
  uint32_t object = target_object (target), offset = target_offset (target);
  bool whole = !r->mixes && is_whole (s, offset, r->bytes);
  uint32_t value = whole ? r->other : r->pieces;
  if (s->objects[object].constant || (whole && value == NODE_NOTHING)) return;
  if (offset >= NUM_OFFSETS) {
    solver_add_copy (s, value, cells_of (s, object)->in);
    if (!whole) tear_object (s, object);
    return;
  }
  for (uint32_t w = offset / s->word; w <= (offset + r->bytes - 1) / s->word; w++) {
    uint32_t cell = cell_at (s, object, w);
    solver_add_copy (s, value, cell);
    if (!whole) blur_into (s, cell, cell);
  }
}

static void store_anywhere (solver *s, const rule *r) {
  solver_add_copy (s, r->pieces, s->everywhere);
  if (s->all_torn) return;
  s->all_torn = true;
  for (uint32_t o = 0; o < s->num_objects; o++)
    if (s->objects[o].in) tear_object (s, o);
}

// ---- rules -----------------------------------------------------------------------------------------------

static void apply_load (solver *s, const rule *r, const target_set *fresh) {
  if (fresh->any) solver_add_any (s, r->other);
  for (set_cursor c = {0}; set_next (fresh, &c);) load_from (s, r, c.target);
}

static void apply_store (solver *s, const rule *r, const target_set *fresh) {
  if (fresh->any) store_anywhere (s, r);
  for (set_cursor c = {0}; set_next (fresh, &c);) store_to (s, r, c.target);
}

static void apply_call (solver *s, const rule *r, const target_set *fresh) {
  if (fresh->any) s->called (s->state, r->other, IR_NONE);
  for (set_cursor c = {0}; set_next (fresh, &c);) s->called (s->state, r->other, target_object (c.target));
}

static void apply (solver *s, const rule *r, const target_set *fresh) {
  switch (r->kind) {
  case RULE_SHIFT: apply_shift (s, r, fresh); return;
  case RULE_BLUR: apply_blur (s, r, fresh); return;
  case RULE_LOAD: apply_load (s, r, fresh); return;
  case RULE_STORE: apply_store (s, r, fresh); return;
  case RULE_CALL: apply_call (s, r, fresh); return;
  }
}

void solver_add_rule (solver *s, uint32_t n, rule r) {
  n = solver_leader (s, n);
  if (n == NODE_NOTHING) return;
  node *at = &s->nodes.data[n];
  vec_push (&at->rules, r);
  if (set_is_empty (&at->all)) return;
  target_set all = {0};  // a copy: applying the rule may move or change the node
  set_unite (&all, &at->all);
  apply (s, &r, &all);
  set_release (&all);
}

// Pieces of pointers are blurred on their own node, so that any number of words can be joined to it by copies.
void solver_add_load (solver *s, uint32_t address, uint32_t to, unsigned bytes) {
  uint32_t pieces = solver_add_node (s);
  blur_into (s, pieces, to);
  solver_add_rule (s, address, (rule){.kind = RULE_LOAD, .bytes = (uint8_t) bytes, .other = to, .pieces = pieces});
}

void solver_add_store (solver *s, uint32_t address, uint32_t value, unsigned bytes, bool mixes) {
  rule r = {.kind = RULE_STORE, .bytes = (uint8_t) bytes, .other = value, .mixes = mixes};
  if (value != NODE_NOTHING) {
    r.pieces = solver_add_node (s);
    blur_into (s, value, r.pieces);
  }
  solver_add_rule (s, address, r);
}

static void visit (solver *s, uint32_t n) {
  target_set fresh = s->nodes.data[n].fresh;
  s->nodes.data[n].fresh = (target_set){0};
  s->nodes.data[n].waiting = false;
  s->num_waiting--;
  for (uint32_t k = 0; k < s->nodes.data[n].copies.count; k++)
    receive_copy (s, s->nodes.data[n].copies.data[k], &fresh);
  for (uint32_t k = 0; k < s->nodes.data[n].rules.count; k++) {
    rule r = s->nodes.data[n].rules.data[k];
    apply (s, &r, &fresh);
  }
  set_release (&fresh);
}

// ---- waves -----------------------------------------------------------------------------------------------

static bool uniting (const solver *s) {
  enum { ONE_IN = 50 };
  return s->new_copies > s->copies.entries.count / ONE_IN;
}

void solver_run (solver *s) {
  while (s->num_waiting) {
    if (uniting (s)) solver_unite_circles (s);
    for (uint32_t k = 0; k < s->order.count; k++) {
      uint32_t n = s->order.data[k];
      if (s->nodes.data[n].waiting) visit (s, n);
    }
  }
}
