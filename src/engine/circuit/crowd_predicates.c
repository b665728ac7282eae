// Conditions that an invariant may speak of besides single bits.  That one word is less than another takes as many clauses over their bits as there are values; so comparisons that the program makes become bits of a view of their own
// (as the predicates of Graf and Saidi, "Construction of abstract state graphs with PVS", 1997, but beside the bits instead of in their place).  Where a variable gets a value, that it still has it is one, too.
#include "base/limits.h"
#include "engine/circuit/crowd.h"

#include "encode/substitute.h"

enum { FEWER_PREDICATES = 40, ROUNDS_BACK = 2 };

typedef enum mention {
  UNKNOWN,
  CONSTANT,
  WORDS,
  OTHERS
} mention;  // of a term: nothing; variables that are seen; inputs, or what is not seen

typedef struct finding {
  transition_system *s;
  uint32_t followed;
  VEC (uint8_t) mentions;  // by term
  VEC (uint8_t) visited;   // by term
  VEC (term) work;
  uint32_t most;            // predicates
  const efsm_point *point;  // whose weakest preconditions are found
} finding;

static bool is_comparison (ir_expr_op op) {
  return op == IR_X_EQ || op == IR_X_NE || op == IR_X_ULT || op == IR_X_ULE || op == IR_X_SLT || op == IR_X_SLE;
}

static bool is_followed (const finding *f, uint32_t thread) {
  const efsm *m = f->s->m;
  uint32_t before = 0;
  for (uint32_t t = 0; t < thread; t++) before += m->threads.data[t].crowd == m->threads.data[thread].crowd;
  return before < f->followed;
}

static mention of_variable (const finding *f, term t) {
  const uint64_t *v = map_find (&f->s->m->variable_of, t.i);
  if (!v) return OTHERS;
  const efsm_variable *x = &f->s->m->variables.data[*v];
  return !x->names_thread && (x->crowd_thread == IR_NONE || is_followed (f, x->crowd_thread)) ? WORDS : OTHERS;
}

static mention mentions (finding *f, term t) {
  while (f->mentions.count <= t.i) vec_push (&f->mentions, UNKNOWN);
  if (f->mentions.data[t.i]) return (mention) f->mentions.data[t.i];
  const term_node n = *term_at (&f->s->m->terms, t);
  mention all = n.op == IR_X_REG ? of_variable (f, t) : CONSTANT;
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) {
    mention one = mentions (f, n.arg[k]);
    if (one > all) all = one;
  }
  f->mentions.data[t.i] = (uint8_t) all;
  return all;
}

static void add (finding *f, term condition) {
  if (f->s->predicates.count >= f->most || term_is_const (&f->s->m->terms, condition)) {
    if (f->s->predicates.count >= LIMIT_CROWD_PREDICATES) limit_met (CROWD_PREDICATES);
    return;
  }
  for (uint32_t k = 0; k < f->s->predicates.count; k++)
    if (f->s->predicates.data[k].i == condition.i) return;
  if (mentions (f, condition) == WORDS) vec_push (&f->s->predicates, condition);
}

static void visit (finding *f, term t) {
  while (f->visited.count <= t.i) vec_push (&f->visited, 0);
  if (f->visited.data[t.i]) return;
  f->visited.data[t.i] = 1;
  vec_push (&f->work, t);
}

// Comparisons anywhere below it.
static void find_comparisons (finding *f, term root) {
  term_pool *p = &f->s->m->terms;
  visit (f, root);
  while (f->work.count) {
    term t = vec_pop (&f->work);
    const term_node n = *term_at (p, t);
    if (is_comparison (n.op) && term_bits (p, n.arg[0]) >= CROWD_WORD_BITS)
      add (f, n.op == IR_X_NE ? term_eq (p, n.arg[0], n.arg[1]) : t);
    for (unsigned k = 0; k < ir_expr_arity (n.op); k++) visit (f, n.arg[k]);
  }
}

// The values that a choice is among.
static void find_values (finding *f, term now, term next) {
  term_pool *p = &f->s->m->terms;
  const term_node n = *term_at (p, next);
  while (f->visited.count <= next.i) vec_push (&f->visited, 0);
  if (f->visited.data[next.i]) return;
  f->visited.data[next.i] = 1;
  if (n.op == IR_X_ITE) {
    find_values (f, now, n.arg[1]);
    find_values (f, now, n.arg[2]);
  } else if (next.i != now.i && mentions (f, next) <= WORDS) add (f, term_eq (p, now, next));
}

// ---- more of them ------------------------------------------------------------------------------------------------------------
// Large steps hide what holds between variables that are set on the way: so what each point sets, as it says.
static void find_what_points_set (finding *f) {
  efsm *m = f->s->m;
  for (uint32_t k = 0; k < m->points.count; k++)
    for (uint32_t u = 0; u < m->points.data[k].updates.count; u++) {
      const efsm_update x = m->points.data[k].updates.data[u];
      term now = m->variables.data[x.variable].now;
      if (term_bits (&m->terms, now) >= CROWD_WORD_BITS && !term_is_const (&m->terms, x.value))
        add (f, term_eq (&m->terms, now, x.value));
    }
}

static term value_after (void *state, term variable) {
  const finding *f = state;
  const uint64_t *v = map_find (&f->s->m->variable_of, variable.i);
  for (uint32_t k = 0; v && k < f->point->updates.count; k++)
    if (f->point->updates.data[k].variable == *v) return f->point->updates.data[k].value;
  return variable;
}

// What has to hold before a point so that a predicate holds after it (Dijkstra 1975).
static void go_back (finding *f, uint32_t first, uint32_t end) {
  efsm *m = f->s->m;
  for (uint32_t k = 0; k < m->points.count; k++) {
    substitution s;
    f->point = &m->points.data[k];
    if (!f->point->updates.count) continue;
    substitution_init (&s, &m->terms);
    substitution_begin (&s, value_after, f);
    for (uint32_t i = first; i < end; i++) add (f, substitute (&s, f->s->predicates.data[i]));
    substitution_release (&s);
  }
}

static bool is_word (const finding *f, term t) {
  return map_find (&f->s->m->variable_of, t.i) && mentions ((finding *) f, t) == WORDS;
}

// The same variable of another thread that is followed.
static void compare_with_twins (finding *f, term a) {
  efsm *m = f->s->m;
  const efsm_variable *v = &m->variables.data[*map_find (&m->variable_of, a.i)];
  for (uint32_t k = 0; k < m->variables.count && v->twin != IR_NONE; k++) {
    const efsm_variable *w = &m->variables.data[k];
    if (w->twin == v->twin && w->crowd_thread > v->crowd_thread && is_word (f, w->now))
      add (f, term_eq (&m->terms, a, w->now));
  }
}

// Of two variables that are compared for being equal, which is smaller; and whether threads have the same there.
static void find_orders (finding *f, uint32_t end) {
  term_pool *p = &f->s->m->terms;
  for (uint32_t k = 0; k < end; k++) {
    const term_node n = *term_at (p, f->s->predicates.data[k]);
    if (n.op != IR_X_EQ || !is_word (f, n.arg[0]) || !is_word (f, n.arg[1])) continue;
    add (f, term_ult (p, n.arg[0], n.arg[1]));
    add (f, term_ult (p, n.arg[1], n.arg[0]));
    compare_with_twins (f, n.arg[0]);
    compare_with_twins (f, n.arg[1]);
  }
}

static void find_more (finding *f) {
  uint32_t first = 0;
  f->most = LIMIT_CROWD_PREDICATES;
  find_what_points_set (f);
  find_orders (f, f->s->predicates.count);
  for (unsigned k = 0; k < ROUNDS_BACK; k++) {
    uint32_t end = f->s->predicates.count;
    go_back (f, first, end);
    first = end;
  }
}

void crowds_find_predicates (transition_system *s, uint32_t followed, const bool *asked, bool more) {
  finding f = {.s = s, .followed = followed, .most = FEWER_PREDICATES};
  for (uint32_t k = 0; k < s->goals.count; k++)
    if (asked[k]) find_comparisons (&f, s->goals.data[k].holds);
  for (uint32_t k = 0; k < s->states.count; k++) {
    const system_state *x = &s->states.data[k];
    if (x->variable == IR_NONE || term_bits (&s->m->terms, x->now) < CROWD_WORD_BITS || mentions (&f, x->now) != WORDS)
      continue;
    for (uint32_t i = 0; i < f.visited.count; i++) f.visited.data[i] = 0;
    find_values (&f, x->now, x->next);
    if (x->initial.i != TERM_NONE.i) find_values (&f, x->now, x->initial);
  }
  for (uint32_t i = 0; i < f.visited.count; i++) f.visited.data[i] = 0;
  for (uint32_t k = 0; k < s->states.count; k++) find_comparisons (&f, s->states.data[k].next);
  if (more) find_more (&f);
  vec_release (&f.mentions);
  vec_release (&f.visited);
  vec_release (&f.work);
}
