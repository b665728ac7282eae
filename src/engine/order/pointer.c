// What an address may be.  A term shows where it comes from: constants name objects, a variable that stands for a read may hold whatever
// addresses were written there.  So the targets of an access are exact as far as terms are; where they are not, the condition compares the
// object number inside the value.  Taken for granted, as in analysis/pointsto.h: arithmetic does not lead from one object into another.
#include "analysis/pointsto.h"
#include "base/limits.h"
#include "encode/cases.h"
#include "engine/order/walk_impl.h"

term pointer_to (walk *w, uint32_t object, uint32_t offset) {
  return walk_number (w, w->program->pointer_bits, ((uint64_t) object << w->program->offset_bits) + offset);
}

// A constant that is part of a sum may lie before its object: half of all offsets are negative ones.
static uint32_t object_in (const walk *w, ir_value value) {
  unsigned bits = w->program->offset_bits;
  uint64_t object = ((uint64_t) value + ((uint64_t) 1 << (bits - 1))) >> bits;
  return object < w->objects.count && w->objects.data[object].exists ? (uint32_t) object : 0;
}

// ---- sets ---------------------------------------------------------------------------------------------------
static uint32_t set_of_constant (walk *w, const term_node *n) {
  uint32_t object = n->bits < w->program->pointer_bits ? 0 : object_in (w, n->value);
  uint64_t offset = (uint64_t) n->value & (((uint64_t) 1 << w->program->offset_bits) - 1);
  bool is_plain = !(offset >> (w->program->offset_bits - 1)) && offset < ANY_OFFSET;
  return object ? sharing_address (w->sharing, (address){object, is_plain ? (uint32_t) offset : ANY_OFFSET})
                : IDSET_EMPTY;
}

static uint32_t set_of_variable (walk *w, term t, const term_node *n) {
  const uint64_t *known = map_find (&w->variables, t.i);
  if (known) return (uint32_t) *known;
  return n->bits < w->program->pointer_bits ? IDSET_EMPTY
                                            : sharing_address (w->sharing, (address){ANY_OBJECT, ANY_OFFSET});
}

// The same objects, each at an offset that is this much larger; ANY_OFFSET: that is not known.
static uint32_t move_by (walk *w, uint32_t set, uint32_t distance) {
  sharing *s = w->sharing;
  uint32_t count, moved = IDSET_EMPTY;
  idset_items (&s->sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    address a = s->addresses.data[idset_items (&s->sets, set, &count)[k]];
    bool known = a.offset != ANY_OFFSET && distance != ANY_OFFSET && a.offset + distance < ANY_OFFSET;
    a.offset = known ? a.offset + distance : ANY_OFFSET;
    moved = idset_unite (&s->sets, moved, sharing_address (s, a));
  }
  return moved;
}

static uint32_t set_of_sum (walk *w, const term_node *n) {
  uint32_t left = pointer_addresses (w, n->arg[0]), right = pointer_addresses (w, n->arg[1]);
  for (unsigned k = 0; k < 2; k++) {
    if (!term_is_const (w->terms, n->arg[k]) || (k ? right : left) != IDSET_EMPTY) continue;
    return move_by (w, k ? left : right, (uint32_t) term_value (w->terms, n->arg[k]));
  }
  return move_by (w, idset_unite (&w->sharing->sets, left, right), ANY_OFFSET);
}

static uint32_t set_of_operator (walk *w, const term_node *n) {
  if (n->op == IR_X_ITE) {
    uint32_t left = pointer_addresses (w, n->arg[1]), right = pointer_addresses (w, n->arg[2]);
    return idset_unite (&w->sharing->sets, left, right);
  }
  if (n->op == IR_X_ADD) return set_of_sum (w, n);
  uint32_t set = IDSET_EMPTY;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    set = idset_unite (&w->sharing->sets, set, pointer_addresses (w, n->arg[k]));
  return move_by (w, set, ANY_OFFSET);
}

uint32_t pointer_addresses (walk *w, term t) {
  const term_node n = *term_at (w->terms, t);
  if (n.op == IR_X_CONST) return set_of_constant (w, &n);
  if (n.op == IR_X_REG) return set_of_variable (w, t, &n);
  if (!pointsto_carries (n.op)) return IDSET_EMPTY;
  const uint64_t *known = map_find (&w->address_sets, t.i);
  if (known) return (uint32_t) *known;
  uint32_t set = set_of_operator (w, &n);
  map_insert (&w->address_sets, t.i, set, NULL);
  return set;
}

// ---- targets --------------------------------------------------------------------------------------------------
void targets_release (targets *t) { vec_release (&t->list); }

static term offset_in (walk *w, term value) {
  unsigned bits = w->program->offset_bits;
  if (bits >= 32) return term_resize (w->terms, value, 32);
  return term_apply (w->terms, IR_X_SEXT, 32, term_extract (w->terms, value, 0, bits), TERM_NONE, TERM_NONE);
}

static void add_target (walk *w, targets *t, term condition, uint32_t object, term offset) {
  if (term_is_false (w->terms, condition)) return;
  for (uint32_t k = 0; k < t->list.count; k++) {
    target *old = &t->list.data[k];
    if (old->object != object || old->offset.i != offset.i) continue;
    old->condition = term_or (w->terms, old->condition, condition);
    return;
  }
  vec_push (&t->list, ((target){condition, object, offset}));
}

static bool has_any_offset (const address *list, uint32_t count, uint32_t object) {
  for (uint32_t k = 0; k < count; k++)
    if (list[k].object == object && list[k].offset == ANY_OFFSET) return true;
  return false;
}

// Compares the value with each address, or the number inside it where the offset is not known.
static void add_by_value (walk *w, term value, term condition, term more, targets *t) {
  term_pool *p = w->terms;
  sharing *s = w->sharing;
  unsigned bits = term_bits (p, value), number_bits = bits - w->program->offset_bits;
  uint32_t count, set = pointer_addresses (w, value);
  const uint32_t *items = idset_items (&s->sets, set, &count);
  address list[LIMIT_POINTER_TARGETS * 4];
  if (count > LIMIT_POINTER_TARGETS * 4 && limit_met (POINTER_TARGETS)) {
    walk_doubt (w, condition, "an address may point into too many objects");
    return;
  }
  for (uint32_t k = 0; k < count; k++) list[k] = s->addresses.data[items[k]];
  term number = term_extract (p, value, w->program->offset_bits, number_bits);
  for (uint32_t k = 0; k < count; k++) {
    address a = list[k];
    if (a.object == ANY_OBJECT) t->wild = true;
    else if (a.offset == ANY_OFFSET) {
      term is_it = term_eq (p, number, walk_number (w, number_bits, a.object));
      add_target (w, t, term_and (p, condition, is_it), a.object, term_add (p, offset_in (w, value), more));
    } else if (!has_any_offset (list, count, a.object)) {
      term is_it = term_eq (p, value, term_resize (p, pointer_to (w, a.object, a.offset), bits));
      add_target (w, t, term_and (p, condition, is_it), a.object, term_add (p, walk_number (w, 32, a.offset), more));
    }
  }
}

static term distance_of (void *state, term t) {
  walk *w = state;
  return pointer_addresses (w, t) == IDSET_EMPTY ? offset_in (w, t) : TERM_NONE;
}

static void add_case (walk *w, term_case c, targets *t) {
  if (!term_is_const (w->terms, c.value)) {
    add_by_value (w, c.value, c.condition, c.more, t);
    return;
  }
  uint32_t object = object_in (w, term_value (w->terms, c.value));
  if (object) add_target (w, t, c.condition, object, term_add (w->terms, offset_in (w, c.value), c.more));
}

void pointer_targets (walk *w, term address, targets *t) {
  term_cases todo = {0};
  cases_add (w->terms, &todo, (term_case){address, walk_number (w, 32, 0), w->terms->truth});
  for (term_case c; cases_take (&todo, &c);)
    if (at_limit (POINTER_TARGETS, t->list.count) || !cases_split (w->terms, &todo, c, distance_of, w))
      add_case (w, c, t);
  vec_release (&todo);
}
