// Values as sets of addresses. A value is split into cases as far as its term shows where it comes from; in each other
// case, the object's number inside the value is compared with each number that it may be.
#include "symbolic/pointers.h"

#include "analysis/pointsto.h"
#include "base/hash.h"
#include "base/limits.h"
#include "encode/cases.h"

void pointers_init (pointers *p, const ir_program *program) {
  *p = (pointers){.program = program};
  idsets_init (&p->sets);
}

void pointers_release (pointers *p) {
  idsets_release (&p->sets);
  vec_release (&p->addresses);
  map_release (&p->number_of);
  map_release (&p->of_variable);
  map_release (&p->of_term);
}

void pointers_begin (pointers *p, term_pool *terms) {
  p->terms = terms;
  map_clear (&p->of_variable);
  map_clear (&p->of_term);
}

uint32_t pointers_single (pointers *p, address a) {
  bool is_new;
  if (p->no_strides && a.offset.stride) a.offset = (steps){1, 0};
  uint64_t key = hash_pair ((uint64_t) a.object << 32 | a.offset.stride, a.offset.rest);
  uint32_t number = (uint32_t) *map_insert (&p->number_of, key, p->addresses.count, &is_new);
  if (is_new) vec_push (&p->addresses, a);
  return idset_make (&p->sets, &number, 1);
}

term pointers_to (const pointers *p, uint32_t object, uint32_t offset) {
  return term_const (p->terms, p->program->pointer_bits, ((uint64_t) object << p->program->offset_bits) + offset);
}

// A constant that is part of a sum may be lower than the start of its object: half of all offsets are negative.
static uint32_t object_in (const pointers *p, ir_value value) {
  unsigned bits = p->program->offset_bits;
  uint64_t object = ((uint64_t) value + ((uint64_t) 1 << (bits - 1))) >> bits;
  return object && object <= UINT32_MAX && p->is_object (p->context, (uint32_t) object) ? (uint32_t) object : 0;
}

// ---- steps ------------------------------------------------------------------------------------------
uint32_t common_divisor (uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

static steps normal (uint32_t stride, uint32_t rest) { return (steps){stride, stride ? rest % stride : rest}; }

static steps sum_of (steps a, steps b) { return normal (common_divisor (a.stride, b.stride), a.rest + b.rest); }

static steps by_known_bits (const pointers *p, term t) {
  term_known known = term_known_bits (p->terms, t);
  steps s = {.stride = 1};
  while (s.stride < LIMIT_POINTER_STRIDE && ((known.zeros | known.ones) & s.stride))
    s.rest |= (uint32_t) known.ones & s.stride, s.stride *= 2;
  return s;
}

static steps better (steps a, steps b) { return a.stride > b.stride ? a : b; }

static steps steps_of (const pointers *p, term t) {
  const term_node n = *term_at (p->terms, t);
  if (n.op == IR_X_CONST) return (steps){.rest = (uint32_t) n.value};
  steps known = by_known_bits (p, t);
  switch (n.op) {
  case IR_X_ADD: return better (sum_of (steps_of (p, n.arg[0]), steps_of (p, n.arg[1])), known);
  case IR_X_ZEXT:
  case IR_X_SEXT:
  case IR_X_TRUNC: return better (steps_of (p, n.arg[0]), known);
  case IR_X_MUL:
    if (term_is_const (p->terms, n.arg[1]) && term_value (p->terms, n.arg[1]) <= LIMIT_POINTER_STRIDE)
      return better (normal ((uint32_t) term_value (p->terms, n.arg[1]), 0), known);
    return known;
  default: return known;
  }
}

// ---- sets -------------------------------------------------------------------------------------------
// A constant offset that counts as any offset.
static bool is_far (const pointers *p, uint64_t offset) {
  if (offset < p->exact_below) return false;
  return p->exact_below > LIMIT_POINTER_STRIDE || limit_met (POINTER_STRIDE);
}

static uint32_t in_constant (pointers *p, const term_node *n) {
  uint32_t object = n->bits < p->program->pointer_bits ? 0 : object_in (p, n->value);
  uint64_t offset = (uint64_t) n->value & (((uint64_t) 1 << p->program->offset_bits) - 1);
  bool is_plain = !(offset >> (p->program->offset_bits - 1)) && !is_far (p, offset);
  return object ? pointers_single (p, (address){object, is_plain ? (steps){0, (uint32_t) offset} : (steps){1, 0}})
                : IDSET_EMPTY;
}

static uint32_t in_variable (pointers *p, term t, const term_node *n) {
  const uint64_t *known = map_find (&p->of_variable, t.i);
  if (known) return (uint32_t) *known;
  return n->bits < p->program->pointer_bits ? IDSET_EMPTY : pointers_single (p, (address){ANY_OBJECT, {1, 0}});
}

// A distance that is negative, or very large, may lead anywhere in the object.
static address moved (const pointers *p, address a, steps distance) {
  if (a.object == ANY_OBJECT) return a;
  steps s = sum_of (a.offset, distance);
  bool far = !s.stride && is_far (p, s.rest);
  return (address){a.object, far || s.stride == 1 ? (steps){1, 0} : s};
}

static uint32_t move (pointers *p, uint32_t set, steps distance) {
  uint32_t count, result = IDSET_EMPTY;
  idset_items (&p->sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    address a = p->addresses.data[idset_items (&p->sets, set, &count)[k]];
    result = idset_unite (&p->sets, result, pointers_single (p, moved (p, a, distance)));
  }
  return result;
}

static uint32_t in_sum (pointers *p, const term_node *n) {
  uint32_t left = pointers_in (p, n->arg[0]), right = pointers_in (p, n->arg[1]);
  if (right == IDSET_EMPTY) return move (p, left, steps_of (p, n->arg[1]));
  if (left == IDSET_EMPTY) return move (p, right, steps_of (p, n->arg[0]));
  return move (p, idset_unite (&p->sets, left, right), (steps){1, 0});
}

static uint32_t in_operator (pointers *p, const term_node *n) {
  if (n->op == IR_X_ITE) return idset_unite (&p->sets, pointers_in (p, n->arg[1]), pointers_in (p, n->arg[2]));
  if (n->op == IR_X_ADD) return in_sum (p, n);
  uint32_t set = IDSET_EMPTY;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) set = idset_unite (&p->sets, set, pointers_in (p, n->arg[k]));
  return move (p, set, (steps){1, 0});
}

// Returns true for leaves and for terms that carry no address, and sets *set: they need no work.
static bool is_known (pointers *p, term t, uint32_t *set) {
  const term_node n = *term_at (p->terms, t);
  const uint64_t *known = map_find (&p->of_term, t.i);
  if (known) *set = (uint32_t) *known;
  else if (n.op == IR_X_CONST) *set = in_constant (p, &n);
  else if (n.op == IR_X_REG) *set = in_variable (p, t, &n);
  else if (!pointsto_carries (n.op)) *set = IDSET_EMPTY;
  else return false;
  return true;
}

// Operands come first: terms may be too deep for recursion.
uint32_t pointers_in (pointers *p, term t) {
  uint32_t set;
  if (is_known (p, t, &set)) return set;
  VEC (term) work = {0};
  vec_push (&work, t);
  while (work.count) {
    term x = vec_last (&work);
    const term_node n = *term_at (p->terms, x);
    uint32_t before = work.count;
    for (unsigned k = n.op == IR_X_ITE; k < ir_expr_arity (n.op); k++)
      if (!is_known (p, n.arg[k], &set)) vec_push (&work, n.arg[k]);
    if (work.count > before) continue;
    set = in_operator (p, &n);
    map_insert (&p->of_term, x.i, set, NULL);
    (void) vec_pop (&work);
  }
  vec_release (&work);
  is_known (p, t, &set);
  return set;
}

// ---- targets ----------------------------------------------------------------------------------------
void pointers_release_targets (targets *t) { vec_release (&t->list); }

static term offset_in (pointers *p, term value) {
  unsigned bits = p->program->offset_bits;
  if (bits >= 32) return term_resize (p->terms, value, 32);
  return term_apply (p->terms, IR_X_SEXT, 32, term_extract (p->terms, value, 0, bits), TERM_NONE, TERM_NONE);
}

// Numbers that belong to one of the two.
static steps union_of (steps a, steps b) {
  uint32_t apart = a.rest > b.rest ? a.rest - b.rest : b.rest - a.rest;
  return normal (common_divisor (common_divisor (a.stride, b.stride), apart), a.rest);
}

static void add_target (pointers *p, targets *out, target t) {
  if (term_is_false (p->terms, t.condition)) return;
  for (uint32_t k = 0; k < out->list.count; k++) {
    target *old = &out->list.data[k];
    if (old->object != t.object || old->offset.i != t.offset.i) continue;
    old->condition = term_or (p->terms, old->condition, t.condition);
    old->steps = union_of (old->steps, t.steps);
    return;
  }
  vec_push (&out->list, t);
}

// Another address of the set stands for this one and more.
static bool is_covered (const pointers *p, const uint32_t *items, uint32_t count, address by_another) {
  for (uint32_t k = 0; k < count; k++) {
    address a = p->addresses.data[items[k]];
    if (a.object == by_another.object && a.offset.stride && by_another.offset.rest % a.offset.stride == a.offset.rest)
      return true;
  }
  return false;
}

static void add_by_value (pointers *p, term value, term condition, term more, targets *out) {
  unsigned bits = term_bits (p->terms, value), number_bits = bits - p->program->offset_bits;
  term number = term_extract (p->terms, value, p->program->offset_bits, number_bits);
  uint32_t count, set = pointers_in (p, value);
  const uint32_t *items = idset_items (&p->sets, set, &count);
  steps distance = steps_of (p, more);
  if (count > LIMIT_POINTER_TARGETS * 4 && limit_met (POINTER_TARGETS)) {
    out->crowded = term_or (p->terms, out->crowded, condition);
    return;
  }
  for (uint32_t k = 0; k < count; k++) {
    address a = p->addresses.data[items[k]];
    if (a.object == ANY_OBJECT) out->wild = true;
    else if (a.offset.stride) {
      term is_it = term_eq (p->terms, number, term_const (p->terms, number_bits, a.object));
      add_target (p, out,
                  (target){term_and (p->terms, condition, is_it), a.object,
                           term_add (p->terms, offset_in (p, value), more), sum_of (a.offset, distance)});
    } else if (!is_covered (p, items, count, a)) {
      term is_it = term_eq (p->terms, value, term_resize (p->terms, pointers_to (p, a.object, a.offset.rest), bits));
      add_target (p, out,
                  (target){term_and (p->terms, condition, is_it), a.object,
                           term_add (p->terms, term_const (p->terms, 32, a.offset.rest), more),
                           sum_of (a.offset, distance)});
    }
  }
}

static term distance_of (void *state, term t) {
  pointers *p = state;
  return pointers_in (p, t) == IDSET_EMPTY ? offset_in (p, t) : TERM_NONE;
}

static void add_case (pointers *p, term_case c, targets *out) {
  if (!term_is_const (p->terms, c.value)) {
    add_by_value (p, c.value, c.condition, c.more, out);
    return;
  }
  uint32_t object = object_in (p, term_value (p->terms, c.value));
  term offset = offset_in (p, c.value);
  if (object)
    add_target (p, out,
                (target){c.condition, object, term_add (p->terms, offset, c.more),
                         sum_of (steps_of (p, offset), steps_of (p, c.more))});
}

// A term may have many more paths than the targets they lead to.
void pointers_targets (pointers *p, term address, targets *out) {
  term_cases todo = {0};
  uint32_t ways = 0;
  out->crowded = p->terms->falsity;
  cases_add (p->terms, &todo, (term_case){address, term_const (p->terms, 32, 0), p->terms->truth});
  for (term_case c; cases_take (&todo, &c);)
    if (at_limit (POINTER_TARGETS, out->list.count) || over_limit (POINTER_WAYS, ++ways) ||
        !cases_split (p->terms, &todo, c, distance_of, p))
      add_case (p, c, out);
  vec_release (&todo);
}
