// Explains an invariant to people. A clause of the invariant excludes the states in which all its literals are false.
// The explanation goes variable by variable: locations for the bits of a program counter, values or a range of values
// for the bits of a variable if these are exactly what the bits mean, else the bits. If the reduction knows that some
// bits of a variable never change, the explanation says which values the variable always has.
#include <string.h>

#include "engine/circuit/circuit_names.h"
#include "engine/circuit/circuit_proof.h"

enum { SHOWN_CLAUSES = 8, SHOWN_WORDS = 3, SHOWN_LOCATIONS = 6, LISTED_BITS = 6 };

// Fixed bits of one state.
typedef struct fixed_bits {
  uint32_t state;
  ir_value mask, value;
} fixed_bits;

typedef struct proof_explanation {
  const transition_system *s;
  const ir_program *program;
  naming names;
  VEC (uint32_t) state_of;  // by latch of the whole circuit
  VEC (uint32_t) bit_of;
  VEC (fixed_bits) parts;  // of the clause
  strbuf *out;
} proof_explanation;

static unsigned state_width (const proof_explanation *e, uint32_t state) {
  return term_bits (&e->s->m->terms, e->s->states.data[state].now);
}

// ---- locations --------------------------------------------------------------------------------------
static void append_location (proof_explanation *e, uint32_t point) {
  const efsm_point *p = &e->s->m->points.data[point];
  ir_position pos = {0};
  if (p->location.i != IR_NONE) {
    const ir_loc_data *l = ir_loc_at (e->program, p->location);
    if (l->num_edges) pos = ir_edge_at (e->program, (ir_edge){l->first_edge})->pos;
  }
  if (pos.file) strbuf_printf (e->out, "%s:%u", pos.file, pos.line);
  else strbuf_add (e->out, p->name ? p->name : "its start");
}

typedef struct location_lists {
  VEC (uint32_t) in, out;  // points
} location_lists;

static void find_locations (const proof_explanation *e, const fixed_bits *p, uint32_t thread, location_lists *x) {
  const transition_system *s = e->s;
  for (uint32_t k = 0; k < s->steps.steps.count; k++) {
    uint32_t point = s->steps.steps.data[k].point;
    if (s->m->points.data[point].thread != thread) continue;
    if ((s->code.data[k] & p->mask) == p->value) vec_push (&x->in, point);
    else vec_push (&x->out, point);
  }
}

static void explain_bits (proof_explanation *e, const fixed_bits *p);

// Says where a thread is. A stuck thread has no location: it counts as not being at the listed locations only if the
// list says where the thread is instead.
static void explain_location (proof_explanation *e, const fixed_bits *p) {
  uint32_t thread = e->s->states.data[p->state].thread;
  location_lists x = {0};
  find_locations (e, p, thread, &x);
  bool stuck_in = (system_stuck_code (e->s, thread) & p->mask) == p->value;
  bool listed = !stuck_in && x.in.count && x.in.count <= SHOWN_LOCATIONS;
  bool others = !listed && stuck_in && x.out.count && x.out.count <= SHOWN_LOCATIONS;
  if (!listed && !others) explain_bits (e, p);
  else {
    const char *name = e->s->m->threads.data[thread].name;
    strbuf_printf (e->out, "%s is %s", name ? name : "a thread", listed ? "at " : "not at ");
    for (uint32_t k = 0; k < (listed ? x.in.count : x.out.count); k++) {
      strbuf_add (e->out, k ? listed ? " or " : " nor " : "");
      append_location (e, listed ? x.in.data[k] : x.out.data[k]);
    }
  }
  vec_release (&x.in);
  vec_release (&x.out);
}

// ---- values -----------------------------------------------------------------------------------------
static void explain_bits (proof_explanation *e, const fixed_bits *p) {
  const char *before = "";
  for (unsigned bit = 0; bit < state_width (e, p->state); bit++) {
    if (!(p->mask >> bit & 1)) continue;
    strbuf_printf (e->out, "%s%s is %u", before, name_of_bit (&e->names, p->state, bit),
                   (unsigned) (p->value >> bit & 1));
    before = " and ";
  }
}

static const char *lock_name (const char *name, size_t *length) {
  const char *end = strrchr (name, '.');
  if (!end || strcmp (end, ".owner")) return NULL;
  *length = (size_t) (end - name);
  return name;
}

// The owner of a mutex is the number of a thread plus 1.
static bool explain_owner (proof_explanation *e, const char *name, ir_value value) {
  size_t length;
  if (!lock_name (name, &length) || value > e->s->m->threads.count) return false;
  const char *owner = value ? e->s->m->threads.data[value - 1].name : NULL;
  if (value && !owner) return false;
  if (value) strbuf_printf (e->out, "%.*s is held by %s", (int) length, name, owner);
  else strbuf_printf (e->out, "%.*s is free", (int) length, name);
  return true;
}

typedef VEC (ir_value) value_list;

static void insert_sorted (value_list *list, ir_value x) {
  uint32_t at = 0;
  while (at < list->count && list->data[at] < x) at++;
  if (at < list->count && list->data[at] == x) return;
  vec_push (list, x);
  for (uint32_t k = list->count - 1; k > at; k--) list->data[k] = list->data[k - 1];
  list->data[at] = x;
}

static void explain_value_list (proof_explanation *e, const fixed_bits *p, const value_list *v) {
  const char *name = name_of_state (&e->names, p->state);
  ir_value low = v->data[0], high = v->data[v->count - 1];
  if (v->count == 1 && explain_owner (e, name, low)) return;
  if (v->count <= SHOWN_WORDS) {
    for (uint32_t k = 0; k < v->count; k++)
      strbuf_printf (e->out, "%s%llu", k ? " or " : arena_printf (e->s->m->arena, "%s is ", name),
                     (unsigned long long) v->data[k]);
  } else if (high - low + 1 == v->count)
    strbuf_printf (e->out, "%s is %llu to %llu", name, (unsigned long long) low, (unsigned long long) high);
  else explain_bits (e, p);
}

static void explain_listed_values (proof_explanation *e, const fixed_bits *p) {
  value_list values = {0};
  for (ir_value x = 0; x < (ir_value) 1 << state_width (e, p->state); x++)
    if ((x & p->mask) == p->value) insert_sorted (&values, state_meaning (&e->names, p->state, x));
  explain_value_list (e, p, &values);
  vec_release (&values);
}

// Do the fixed bits make a range: the upper bits of a word that has all its bits, with the sign bit 0?
static bool is_range (const proof_explanation *e, const fixed_bits *p, unsigned *low_bits) {
  unsigned bits = state_width (e, p->state), low = 0;
  uint32_t v = e->s->states.data[p->state].variable;
  term value = e->s->m->variables.data[v].value, now = e->s->states.data[p->state].now;
  if ((value.i != TERM_NONE.i && value.i != now.i) || bits > 64) return false;
  while (low < bits && !(p->mask >> low & 1)) low++;
  for (unsigned k = low; k < bits; k++)
    if (!(p->mask >> k & 1)) return false;
  *low_bits = low;
  return !(p->value >> (bits - 1) & 1);
}

static void explain_variable (proof_explanation *e, const fixed_bits *p) {
  unsigned low;
  if (state_width (e, p->state) <= LISTED_BITS) explain_listed_values (e, p);
  else if (is_range (e, p, &low)) {
    ir_value last = p->value | (((ir_value) 1 << low) - 1);
    const char *name = name_of_state (&e->names, p->state);
    if (!low) strbuf_printf (e->out, "%s is %llu", name, (unsigned long long) last);
    else strbuf_printf (e->out, "%s is %llu to %llu", name, (unsigned long long) p->value, (unsigned long long) last);
  } else explain_bits (e, p);
}

// ---- clauses ----------------------------------------------------------------------------------------
static void add_literal (proof_explanation *e, uint32_t latch, bool excluded_when) {
  uint32_t state = e->state_of.data[latch], k = 0;
  ir_value bit = (ir_value) 1 << e->bit_of.data[latch];
  while (k < e->parts.count && e->parts.data[k].state != state) k++;
  if (k == e->parts.count) vec_push (&e->parts, ((fixed_bits){.state = state}));
  e->parts.data[k].mask |= bit;
  if (excluded_when) e->parts.data[k].value |= bit;
}

static void explain_clause (proof_explanation *e) {
  strbuf_add (e->out, "never: ");
  for (uint32_t k = 0; k < e->parts.count; k++) {
    const fixed_bits *p = &e->parts.data[k];
    if (k) strbuf_add (e->out, " and ");
    if (e->s->states.data[p->state].variable == IR_NONE && e->s->states.data[p->state].thread != IR_NONE)
      explain_location (e, p);
    else if (e->s->states.data[p->state].variable == IR_NONE) explain_bits (e, p);
    else explain_variable (e, p);
  }
  strbuf_add (e->out, "\n");
  vec_clear (&e->parts);
}

static void find_states (proof_explanation *e, const lowered *l) {
  for (uint32_t state = 0; state < e->s->states.count; state++)
    for (unsigned bit = 0; bit < state_width (e, state) && e->state_of.count < l->circuit.latches.count; bit++) {
      vec_push (&e->state_of, state);
      vec_push (&e->bit_of, bit);
    }
}

// ---- bits that never change -------------------------------------------------------------------------
static void find_fixed_bits (proof_explanation *e, const net_reduction *r) {
  for (uint32_t latch = 0; latch < e->state_of.count; latch++)
    if (r->same.data[latch].i < 2) add_literal (e, latch, r->same.data[latch].i);
}

// Is the variable worth a sentence: it changes, but its upper bits do not?
static bool is_worth_saying (const proof_explanation *e, const fixed_bits *p) {
  unsigned bits = state_width (e, p->state), low;
  return e->s->states.data[p->state].variable != IR_NONE && p->mask + 1 != (ir_value) 1 << bits &&
         is_range (e, p, &low);
}

static uint32_t explain_fixed_bits (proof_explanation *e, const net_reduction *r) {
  uint32_t said = 0;
  find_fixed_bits (e, r);
  for (uint32_t k = 0; k < e->parts.count; k++) {
    if (!is_worth_saying (e, &e->parts.data[k])) continue;
    strbuf_add (e->out, "always: ");
    explain_variable (e, &e->parts.data[k]);
    strbuf_add (e->out, "\n");
    said++;
  }
  vec_clear (&e->parts);
  return said;
}

static uint32_t count_clauses (const prove_certificate *c) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < c->clauses.count; k++) count += !c->clauses.data[k];
  return count;
}

bool proof_explain (const transition_system *s, const lowered *l, const net_reduction *r, const ir_program *program,
                    const prove_certificate *c, strbuf *out) {
  uint32_t count = count_clauses (c);
  if (count > SHOWN_CLAUSES || c->graph.nodes.count || c->depth != 1) return false;
  proof_explanation e = {.s = s, .program = program, .out = out};
  naming_init (&e.names, s);
  find_states (&e, l);
  count += explain_fixed_bits (&e, r);
  for (uint32_t k = 0; k < c->clauses.count; k++) {
    int32_t x = c->clauses.data[k];
    if (x) add_literal (&e, r->latches.data[(x < 0 ? -x : x) - 1], x < 0);
    else explain_clause (&e);
  }
  naming_release (&e.names);
  vec_release (&e.state_of);
  vec_release (&e.bit_of);
  vec_release (&e.parts);
  if (count > SHOWN_CLAUSES) strbuf_clear (out);
  return count <= SHOWN_CLAUSES;
}
