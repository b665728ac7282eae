// Fewer bits per variable. Two analyses over all updates, each to its fixpoint: the constants that a variable may hold,
// as long as every update picks one of a few; otherwise the bits of the variable that never change. Then all terms are
// rebuilt over variables with only the remaining bits.
#include "efsm/narrow.h"

#include "base/idset.h"
#include "encode/substitute.h"

enum { NUMBERED_VALUES = 16, BIT_ROUNDS = 6, ANY_VALUE = UINT32_MAX };

typedef struct narrowing {
  efsm *m;
  idsets sets;  // of numbers of values
  VEC (ir_value) values;
  VEC (uint32_t) set;     // by variable; ANY_VALUE: more than a few constants
  VEC (term_known) bits;  // by variable: bits that never change
  map leaves;             // term -> set, in this iteration
  VEC (term) now;         // by variable: the old one as a term over the new one
  VEC (uint32_t) width;   // by variable: number of bits of the new one
  term_substitution substitution;
} narrowing;

// ---- few constants ----------------------------------------------------------------------------------
static uint32_t number_of (narrowing *n, ir_value v) {
  for (uint32_t k = 0; k < n->values.count; k++)
    if (n->values.data[k] == v) return k;
  vec_push (&n->values, v);
  return n->values.count - 1;
}

static uint32_t unite (narrowing *n, uint32_t a, uint32_t b) {
  if (a == ANY_VALUE || b == ANY_VALUE) return ANY_VALUE;
  uint32_t both = idset_unite (&n->sets, a, b), count;
  idset_items (&n->sets, both, &count);
  return count > NUMBERED_VALUES ? ANY_VALUE : both;
}

static uint32_t leaves_of (narrowing *n, term t) {
  const term_node x = *term_at (&n->m->terms, t);
  if (x.op == IR_X_CONST) {
    uint32_t number = number_of (n, x.value);
    return idset_make (&n->sets, &number, 1);
  }
  if (x.op == IR_X_REG) {
    const uint64_t *v = map_find (&n->m->variable_of, t.i);
    return v ? n->set.data[*v] : ANY_VALUE;
  }
  if (x.op != IR_X_ITE) return ANY_VALUE;
  const uint64_t *known = map_find (&n->leaves, t.i);
  if (known) return (uint32_t) *known;
  uint32_t left = leaves_of (n, x.arg[1]),
           all = left == ANY_VALUE ? ANY_VALUE : unite (n, left, leaves_of (n, x.arg[2]));
  map_insert (&n->leaves, t.i, all, NULL);
  return all;
}

static bool take_values (narrowing *n, uint32_t variable, term value) {
  uint32_t *set = &n->set.data[variable];
  if (*set == ANY_VALUE) return false;
  uint32_t more = unite (n, *set, leaves_of (n, value));
  bool grew = more != *set;
  n->set.data[variable] = more;
  return grew;
}

// 0 and 1 come first, so that a flag keeps its values.
static void find_values (narrowing *n) {
  number_of (n, 0);
  number_of (n, 1);
  for (uint32_t v = 0; v < n->m->variables.count; v++) {
    term initial = n->m->variables.data[v].initial;
    vec_push (&n->set, IDSET_EMPTY);
    if (initial.i == TERM_NONE.i) n->set.data[v] = ANY_VALUE;
    else take_values (n, v, initial);
  }
  for (bool grew = true; grew;) {
    grew = false;
    map_clear (&n->leaves);
    for (uint32_t p = 0; p < n->m->points.count; p++)
      for (uint32_t k = 0; k < n->m->points.data[p].updates.count; k++) {
        const efsm_update *u = &n->m->points.data[p].updates.data[k];
        grew |= take_values (n, u->variable, u->value);
      }
  }
}

// ---- constant bits ----------------------------------------------------------------------------------
static ir_value ones (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }

// The term of the variable, in which its known bits are visible.
static term with_known_bits (narrowing *n, uint32_t v) {
  term t = n->m->variables.data[v].now;
  unsigned bits = term_bits (&n->m->terms, t);
  ir_value zeros = n->bits.data[v].zeros, set = n->bits.data[v].ones;
  t = term_apply (&n->m->terms, IR_X_AND, bits, t, term_const (&n->m->terms, bits, ~zeros & ones (bits)), TERM_NONE);
  return term_apply (&n->m->terms, IR_X_OR, bits, t, term_const (&n->m->terms, bits, set), TERM_NONE);
}

static term known_variable (void *state, term variable) {
  narrowing *n = state;
  const uint64_t *v = map_find (&n->m->variable_of, variable.i);
  return v ? with_known_bits (n, (uint32_t) *v) : variable;
}

static bool take_bits (narrowing *n, uint32_t variable, term value, bool in_a_hurry) {
  term_known *old = &n->bits.data[variable];
  if (!old->zeros && !old->ones) return false;
  term_known k = term_known_bits (&n->m->terms, value), both = {old->zeros & k.zeros, old->ones & k.ones};
  if (both.zeros == old->zeros && both.ones == old->ones) return false;
  *old = in_a_hurry ? (term_known){0} : both;
  return true;
}

static void find_bits (narrowing *n) {
  term_pool *p = &n->m->terms;
  for (uint32_t v = 0; v < n->m->variables.count; v++) {
    term initial = n->m->variables.data[v].initial;
    vec_push (&n->bits, (initial.i == TERM_NONE.i ? (term_known){0} : term_known_bits (p, initial)));
  }
  bool grew = true;
  for (uint32_t round = 0; grew; round++) {
    grew = false;
    term_substitution s;
    substitution_init (&s, p);
    substitution_begin (&s, known_variable, n);
    for (uint32_t k = 0; k < n->m->points.count; k++)
      for (uint32_t u = 0; u < n->m->points.data[k].updates.count; u++) {
        efsm_update x = n->m->points.data[k].updates.data[u];
        if (n->bits.data[x.variable].zeros || n->bits.data[x.variable].ones)
          grew |= take_bits (n, x.variable, substitute_term (&s, x.value), round > BIT_ROUNDS);
      }
    substitution_release (&s);
  }
}

// ---- new variables ----------------------------------------------------------------------------------
static unsigned bits_for (uint32_t count) {
  unsigned bits = 0;
  while (count > (uint32_t) 1 << bits) bits++;
  return bits;
}

static ir_value value_number (const narrowing *n, uint32_t variable, uint32_t k) {
  uint32_t count;
  return n->values.data[idset_items (&n->sets, n->set.data[variable], &count)[k]];
}

static uint32_t num_values (const narrowing *n, uint32_t variable) {
  uint32_t count;
  idset_items (&n->sets, n->set.data[variable], &count);
  return count;
}

static bool is_few (const narrowing *n, uint32_t v) { return n->set.data[v] != ANY_VALUE; }

static term value_with_number (narrowing *n, uint32_t v, term number) {
  term_pool *p = &n->m->terms;
  unsigned bits = term_bits (p, n->m->variables.data[v].now), width = bits_for (num_values (n, v));
  term value = term_const (p, bits, value_number (n, v, 0));
  for (uint32_t k = 1; k < num_values (n, v); k++)
    value = term_ite (p, term_eq (p, number, term_const (p, width, k)), term_const (p, bits, value_number (n, v, k)),
                      value);
  return value;
}

static term number_in (narrowing *n, uint32_t v, term value) {
  term_pool *p = &n->m->terms;
  unsigned bits = term_bits (p, value), width = bits_for (num_values (n, v));
  term number = term_const (p, width, 0);
  for (uint32_t k = 1; k < num_values (n, v); k++)
    number = term_ite (p, term_eq (p, value, term_const (p, bits, value_number (n, v, k))), term_const (p, width, k),
                       number);
  return number;
}

static ir_value changing (const narrowing *n, uint32_t v) {
  unsigned bits = term_bits (&n->m->terms, n->m->variables.data[v].now);
  return ~(n->bits.data[v].zeros | n->bits.data[v].ones) & ones (bits);
}

// The bits of the mask, without gaps.
static term gather (term_pool *p, term value, ir_value mask) {
  term all = TERM_NONE;
  for (unsigned k = 0; k < term_bits (p, value);) {
    unsigned end = k;
    while (end < term_bits (p, value) && (mask >> end & 1)) end++;
    if (end > k) {
      term part = term_extract (p, value, k, end - k);
      all = all.i == TERM_NONE.i ? part : term_concat (p, part, all);
    }
    k = end > k ? end : k + 1;
  }
  return all;
}

static term spread (term_pool *p, term narrow, ir_value mask, ir_value constant, unsigned bits) {
  term all = TERM_NONE;
  for (unsigned k = 0, used = 0; k < bits;) {
    unsigned end = k + 1;
    bool changes = mask >> k & 1;
    while (end < bits && (bool) (mask >> end & 1) == changes) end++;
    term part =
        changes ? term_extract (p, narrow, used, end - k) : term_const (p, end - k, constant >> k & ones (end - k));
    if (changes) used += end - k;
    all = all.i == TERM_NONE.i ? part : term_concat (p, part, all);
    k = end;
  }
  return all;
}

static unsigned width_of (const narrowing *n, uint32_t v) {
  return is_few (n, v) ? bits_for (num_values (n, v))
                       : (unsigned) (__builtin_popcountll ((uint64_t) changing (n, v)) +
                                     __builtin_popcountll ((uint64_t) (changing (n, v) >> 64)));
}

static void make_variable (narrowing *n, uint32_t v) {
  term_pool *p = &n->m->terms;
  efsm_variable *x = &n->m->variables.data[v];
  unsigned bits = term_bits (p, x->now), width = width_of (n, v);
  vec_push (&n->width, width);
  if (!width) {
    vec_push (&n->now, x->initial);
    return;
  }
  term narrow = term_var (p, width);
  map_insert (&n->m->variable_of, narrow.i, v, NULL);
  vec_push (&n->now, is_few (n, v) ? value_with_number (n, v, narrow)
                                   : spread (p, narrow, changing (n, v), n->bits.data[v].ones, bits));
  if (x->initial.i != TERM_NONE.i)
    x->initial = is_few (n, v) ? number_in (n, v, x->initial) : gather (p, x->initial, changing (n, v));
}

static term new_variable (void *state, term variable) {
  narrowing *n = state;
  const uint64_t *v = map_find (&n->m->variable_of, variable.i);
  return v ? n->now.data[*v] : variable;
}

// ---- rebuilding -------------------------------------------------------------------------------------
static term rebuilt (void *state, term t) {
  narrowing *n = state;
  return t.i == TERM_NONE.i ? t : substitute_term (&n->substitution, t);
}

static void rebuild_updates (narrowing *n, efsm_point *p) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < p->updates.count; k++) {
    efsm_update u = p->updates.data[k];
    if (!n->width.data[u.variable]) continue;
    term value = rebuilt (n, u.value);
    u.value = is_few (n, u.variable) ? number_in (n, u.variable, value)
                                     : gather (&n->m->terms, value, changing (n, u.variable));
    p->updates.data[kept++] = u;
  }
  p->updates.count = kept;
}

static void rebuild_point (narrowing *n, efsm_point *p) {
  rebuild_updates (n, p);
  for (uint32_t k = 0; k < p->exits.count; k++) p->exits.data[k].guard = rebuilt (n, p->exits.data[k].guard);
  efsm_map_conditions (p, rebuilt, n);
}

static void rebuild_view (narrowing *n, efsm_view *v) {
  for (uint32_t k = 0; k < v->bytes.count; k++) v->bytes.data[k] = rebuilt (n, v->bytes.data[k]);
  for (uint32_t k = 0; k < v->started.count; k++) v->started.data[k] = rebuilt (n, v->started.data[k]);
}

// A variable that is a constant now has no entry; the other ones are found by their new terms.
static void rename_variables (narrowing *n) {
  efsm *m = n->m;
  map old = m->variable_of;
  m->variable_of = (map){0};
  for (uint32_t k = 0; k < old.entries.count; k++) {
    term t = {(uint32_t) old.entries.data[k].key};
    uint32_t v = (uint32_t) old.entries.data[k].value;
    if (t.i == m->variables.data[v].now.i || !n->width.data[v]) continue;
    map_insert (&m->variable_of, t.i, v, NULL);
  }
  map_release (&old);
  for (uint32_t k = 0; k < m->variable_of.entries.count; k++)
    m->variables.data[m->variable_of.entries.data[k].value].now = (term){(uint32_t) m->variable_of.entries.data[k].key};
  for (uint32_t v = 0; v < m->variables.count; v++) {
    m->variables.data[v].value = n->now.data[v];
    if (!n->width.data[v]) m->variables.data[v].owner = 0;
  }
}

void efsm_narrow (efsm *m) {
  narrowing n = {.m = m};
  idsets_init (&n.sets);
  find_values (&n);
  find_bits (&n);
  uint32_t count = m->variables.count;
  for (uint32_t v = 0; v < count; v++) make_variable (&n, v);
  substitution_init (&n.substitution, &m->terms);
  substitution_begin (&n.substitution, new_variable, &n);
  for (uint32_t k = 0; k < m->points.count; k++) rebuild_point (&n, &m->points.data[k]);
  for (uint32_t k = 0; k < m->sites.count; k++) m->sites.data[k].current = rebuilt (&n, m->sites.data[k].current);
  rebuild_view (&n, &m->view);
  rename_variables (&n);
  substitution_release (&n.substitution);
  idsets_release (&n.sets);
  map_release (&n.leaves);
  vec_release (&n.values);
  vec_release (&n.set);
  vec_release (&n.bits);
  vec_release (&n.now);
  vec_release (&n.width);
}
