// Names of states and inputs come from the machine (efsm/names.c). A bit of a narrowed variable is named by its
// position in the variable of the program, if it has one there.
#include "engine/circuit/circuit_names.h"

enum { NUMBER_BITS = 4 };  // efsm/narrow.c numbers at most 2^NUMBER_BITS values

static const system_state *named_state (const naming *n, uint32_t state) { return &n->s->states.data[state]; }

static bool value_of_leaf (void *user, term t, ir_value *x) {
  const naming *n = user;
  if (t.i != n->now.i) return false;
  *x = n->value;
  return true;
}

void naming_init (naming *n, const transition_system *s) {
  *n = (naming){.s = s, .meaning = {.pool = &s->m->terms, .leaf_value = value_of_leaf, .state = n}};
  for (uint32_t k = 0; k < s->m->inputs.count; k++) map_insert (&n->inputs, s->m->inputs.data[k].now.i, k, NULL);
}

void naming_release (naming *n) {
  evaluator_release (&n->meaning);
  map_release (&n->inputs);
}

const char *name_of_state (naming *n, uint32_t state) {
  const system_state *x = named_state (n, state);
  efsm *m = n->s->m;
  if (x->variable != IR_NONE) {
    const char *name = m->variables.data[x->variable].name;
    return name ? name : arena_printf (m->arena, "variable %u", x->variable);
  }
  if (x->thread == IR_NONE) return arena_printf (m->arena, "state %u", state);
  const char *thread = m->threads.data[x->thread].name;
  return thread ? arena_printf (m->arena, "%s pc", thread) : arena_printf (m->arena, "thread %u pc", x->thread);
}

const char *name_of_input (naming *n, term input) {
  if (input.i == n->s->scheduled.i) return "scheduler";
  const uint64_t *k = map_find (&n->inputs, input.i);
  return k ? n->s->m->inputs.data[*k].name : NULL;
}

// ---- narrow variables -------------------------------------------------------------------------------
static term state_value_term (const naming *n, uint32_t state) {
  const system_state *x = named_state (n, state);
  term value = x->variable == IR_NONE ? TERM_NONE : n->s->m->variables.data[x->variable].value;
  return value.i == TERM_NONE.i ? x->now : value;
}

ir_value state_meaning (naming *n, uint32_t state, ir_value now) {
  n->now = named_state (n, state)->now;
  n->value = now;
  evaluator_forget (&n->meaning);
  return evaluate_term (&n->meaning, state_value_term (n, state));
}

static bool is_one_bit (ir_value x) { return x && !(x & (x - 1)); }

// Does each bit of the state stand for one bit of the program's variable, independent of the other bits?
static bool bits_are_places (naming *n, uint32_t state, unsigned bits) {
  ir_value zero = state_meaning (n, state, 0), place[NUMBER_BITS];
  for (unsigned bit = 0; bit < bits; bit++) {
    place[bit] = state_meaning (n, state, (ir_value) 1 << bit) ^ zero;
    if (!is_one_bit (place[bit])) return false;
  }
  for (ir_value x = 1; x < (ir_value) 1 << bits; x++) {
    ir_value sum = zero;
    for (unsigned bit = 0; bit < bits; bit++) sum ^= x >> bit & 1 ? place[bit] : 0;
    if (sum != state_meaning (n, state, x)) return false;
  }
  return true;
}

bool state_is_number (naming *n, uint32_t state) {
  term now = named_state (n, state)->now, value = state_value_term (n, state);
  unsigned bits = term_bits (&n->s->m->terms, now);
  if (value.i == now.i || term_is_const (&n->s->m->terms, value)) return false;
  return bits <= NUMBER_BITS && !bits_are_places (n, state, bits);
}

static unsigned place_of_bit (naming *n, uint32_t state, uint32_t bit) {
  ir_value changes = state_meaning (n, state, (ir_value) 1 << bit) ^ state_meaning (n, state, 0);
  unsigned place = 0;
  while (place < 127 && !(changes >> place & 1)) place++;
  return place;
}

const char *name_of_bit (naming *n, uint32_t state, uint32_t bit) {
  arena *a = n->s->m->arena;
  const char *name = name_of_state (n, state);
  if (state_is_number (n, state)) return arena_printf (a, "%s number[%u]", name, bit);
  // a constant, which the circuit has only for its name
  bool constant = term_is_const (&n->s->m->terms, state_value_term (n, state));
  return arena_printf (a, "%s[%u]", name, constant ? bit : place_of_bit (n, state, bit));
}
