// Unrolls loops that create threads or objects: every iteration gets a copy of the loop's points; the last copy is the
// original loop again. If constants (propagate.h) do not show that the last copy is unreachable, the first iteration
// leads back to itself as before, and the copies are unreachable.
#include "efsm/rounds.h"

#include "base/limits.h"
#include "base/scc.h"
#include "efsm/propagate.h"
#include "encode/substitute.h"

enum { COPIES = LIMIT_MACHINE_ROUNDS + 1 /* a round may find that there is nothing left to do */ };

typedef struct loop {
  uint32_t header;  // the point at which the loop is entered and every iteration begins
  VEC (uint32_t) members;
  uint32_t first_copy;  // first point of the second iteration; the points of one iteration have the order of `members`
} loop;

typedef struct layout {
  efsm *m;
  const ir_program *program;
  VEC (uint32_t) component;  // by point
  VEC (uint32_t) size;       // by component
  map left_alone;            // headers of loops that are not unrolled
  map number_of;             // member of the current loop -> index
  VEC (loop) loops;
  const efsm_made_list *made;
  uint32_t known;  // number of entries that were counted before
} layout;

// ---- which loops ------------------------------------------------------------------------------------
static bool makes (const ir_program *p, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (p, e);
  return d->op == IR_THREAD_CREATE || (d->op == IR_ALLOC && d->aux != IR_ALLOC_STACK);
}

static const efsm_made *find_made (const efsm_made_list *made, uint32_t count, uint32_t copy, ir_edge e) {
  for (uint32_t k = 0; k < count; k++)
    if (made->data[k].copy == copy && made->data[k].edge.i == e.i) return &made->data[k];
  return NULL;
}

// The point makes threads or objects, and none of them is already known to have an uncountable number of executions.
static bool may_be_counted (const layout *l, const efsm_point *p) {
  bool some = false;
  for (uint32_t s = 0; s < p->steps.count; s++) {
    ir_edge e = p->steps.data[s].edge;
    if (!makes (l->program, e)) continue;
    const efsm_made *known = find_made (l->made, l->known, p->copy, e);
    if (known && !known->times) return false;
    some = true;
  }
  return some;
}

static void find_components (layout *l) {
  efsm *m = l->m;
  VEC (uint32_t) first = {0};
  VEC (uint32_t) targets = {0};
  vec_reserve (&l->component, m->points.count + 1);
  vec_clear (&l->size);
  for (uint32_t k = 0; k < m->points.count; k++) {
    vec_push (&first, targets.count);
    for (uint32_t x = 0; x < m->points.data[k].exits.count; x++)
      vec_push (&targets, m->points.data[k].exits.data[x].to);
    vec_push (&l->size, 0);
  }
  vec_push (&first, targets.count);
  scc_find (m->points.count, first.data, targets.data, l->component.data);
  for (uint32_t k = 0; k < m->points.count; k++) l->size.data[l->component.data[k]]++;
  vec_release (&first);
  vec_release (&targets);
}

static bool leads_to_itself (const efsm_point *p, uint32_t point) {
  for (uint32_t x = 0; x < p->exits.count; x++)
    if (p->exits.data[x].to == point) return true;
  return false;
}

static bool is_repeated (const layout *l, uint32_t point) {
  return l->size.data[l->component.data[point]] > 1 || leads_to_itself (&l->m->points.data[point], point);
}

typedef struct entry {
  uint32_t point;
  bool several;
} entry;

static void enter_at (const layout *l, uint32_t component, uint32_t point, entry *e) {
  if (point == IR_NONE || l->component.data[point] != component) return;
  e->several |= e->point != IR_NONE && e->point != point;
  e->point = point;
}

// Returns the header of the loop, or IR_NONE.
static uint32_t header_of (const layout *l, uint32_t component) {
  const efsm *m = l->m;
  entry e = {.point = IR_NONE};
  for (uint32_t t = 0; t < m->threads.count; t++) enter_at (l, component, m->threads.data[t].start, &e);
  for (uint32_t k = 0; k < m->points.count; k++)
    for (uint32_t x = 0; x < m->points.data[k].exits.count; x++) {
      const efsm_exit *exit = &m->points.data[k].exits.data[x];
      bool inside = l->component.data[k] == component;
      if (inside && (exit->call != IR_NONE || exit->returns != IR_NONE)) return IR_NONE;
      if (!inside) enter_at (l, component, exit->to, &e);
    }
  return e.several ? IR_NONE : e.point;
}

static bool take_loop (layout *l, uint32_t component, loop *out) {
  *out = (loop){.header = header_of (l, component)};
  bool is_new = out->header != IR_NONE && !over_limit (MACHINE_ROUND_POINTS, l->size.data[component] * COPIES);
  if (is_new) map_insert (&l->left_alone, out->header, 0, &is_new);
  for (uint32_t k = 0; is_new && k < l->m->points.count; k++)
    if (l->component.data[k] == component) vec_push (&out->members, k);
  return is_new;
}

// ---- copies -----------------------------------------------------------------------------------------
// Each iteration has its own choices: inputs are fresh in each copy.
typedef struct renewal {
  efsm *m;
  map inputs;
} renewal;

static term renew (void *state, term variable) {
  renewal *r = state;
  if (map_find (&r->m->variable_of, variable.i)) return variable;
  bool is_new;
  uint64_t *found = map_insert (&r->inputs, variable.i, 0, &is_new);
  if (is_new) *found = term_var (&r->m->terms, term_bits (&r->m->terms, variable)).i;
  return (term){(uint32_t) *found};
}

static term put_renewed (void *substitution_, term t) { return substitute_term (substitution_, t); }

#define copy_list(TO, FROM)                                                            \
  do {                                                                                 \
    (TO)->data = NULL;                                                                 \
    (TO)->count = (TO)->capacity = 0;                                                  \
    for (uint32_t k_ = 0; k_ < (FROM)->count; k_++) vec_push ((TO), (FROM)->data[k_]); \
  } while (0)

static uint32_t copy_point (efsm *m, uint32_t point, term_substitution *s) {
  const efsm_point *from = &m->points.data[point];
  efsm_point p = *from;
  copy_list (&p.updates, &from->updates);
  copy_list (&p.exits, &from->exits);
  copy_list (&p.steps, &from->steps);
  copy_list (&p.accesses, &from->accesses);
  copy_list (&p.touches, &from->touches);
  copy_list (&p.goals, &from->goals);
  copy_list (&p.losses, &from->losses);
  copy_list (&p.waits, &from->waits);
  for (uint32_t k = 0; k < p.updates.count; k++) p.updates.data[k].value = substitute_term (s, p.updates.data[k].value);
  for (uint32_t k = 0; k < p.exits.count; k++) p.exits.data[k].guard = substitute_term (s, p.exits.data[k].guard);
  for (uint32_t k = 0; k < p.steps.count; k++)
    if (p.steps.data[k].choice.i != TERM_NONE.i) p.steps.data[k].choice = substitute_term (s, p.steps.data[k].choice);
  efsm_map_conditions (&p, put_renewed, s);
  vec_push (&m->points, p);
  return m->points.count - 1;
}

// Exits to the header lead to `next`; exits to other members lead to their copies in the iteration that begins at point
// `base`.
static void lead_on (layout *l, uint32_t point, uint32_t header, uint32_t next, uint32_t base) {
  efsm_point *p = &l->m->points.data[point];
  for (uint32_t x = 0; x < p->exits.count; x++) {
    uint32_t *to = &p->exits.data[x].to;
    const uint64_t *number = map_find (&l->number_of, *to);
    if (*to == header) *to = next;
    else if (number && base != IR_NONE) *to = base + (uint32_t) *number;
  }
}

static uint32_t header_in (const layout *l, const loop *x, uint32_t round) {
  return x->first_copy + (round - 1) * x->members.count + (uint32_t) *map_find (&l->number_of, x->header);
}

static void number_members (layout *l, const loop *x) {
  map_release (&l->number_of);
  for (uint32_t k = 0; k < x->members.count; k++) map_insert (&l->number_of, x->members.data[k], k, NULL);
}

static void copy_round (layout *l, const loop *x) {
  renewal r = {.m = l->m};
  term_substitution s;
  substitution_init (&s, &l->m->terms);
  substitution_begin (&s, renew, &r);
  for (uint32_t k = 0; k < x->members.count; k++) copy_point (l->m, x->members.data[k], &s);
  substitution_release (&s);
  map_release (&r.inputs);
}

static void lay_out (layout *l, loop *x) {
  number_members (l, x);
  x->first_copy = l->m->points.count;
  for (uint32_t round = 1; round <= COPIES; round++) copy_round (l, x);
  for (uint32_t round = 1; round <= COPIES; round++) {
    uint32_t base = x->first_copy + (round - 1) * x->members.count;
    uint32_t next = header_in (l, x, round < COPIES ? round + 1 : round);
    for (uint32_t k = 0; k < x->members.count; k++) lead_on (l, base + k, x->header, next, base);
  }
  for (uint32_t k = 0; k < x->members.count; k++)
    lead_on (l, x->members.data[k], x->header, header_in (l, x, 1), IR_NONE);
}

static void take_back (layout *l, const loop *x) {
  number_members (l, x);
  uint32_t second = header_in (l, x, 1);
  for (uint32_t k = 0; k < x->members.count; k++) {
    efsm_point *p = &l->m->points.data[x->members.data[k]];
    for (uint32_t e = 0; e < p->exits.count; e++)
      if (p->exits.data[e].to == second) p->exits.data[e].to = x->header;
  }
}

// ---- all of them ------------------------------------------------------------------------------------
static void find_outermost (layout *l, const bool *reached) {
  map seen = {0};
  find_components (l);
  for (uint32_t k = 0; k < l->m->points.count; k++) {
    bool is_new;
    loop x;
    if (!reached[k] || !is_repeated (l, k) || !may_be_counted (l, &l->m->points.data[k])) continue;
    map_insert (&seen, l->component.data[k], 0, &is_new);
    if (is_new && take_loop (l, l->component.data[k], &x)) vec_push (&l->loops, x);
  }
  map_release (&seen);
}

static void take_back_the_uncounted (layout *l, const bool *reached) {
  for (uint32_t k = 0; k < l->loops.count; k++) {
    loop *x = &l->loops.data[k];
    number_members (l, x);
    if (!reached || reached[header_in (l, x, COPIES)]) take_back (l, x);
    vec_release (&x->members);
  }
}

static bool lay_out_outermost (layout *l) {
  bool *reached = efsm_reached (l->m);
  size_t bytes = sizeof *reached * l->m->points.count;
  vec_clear (&l->loops);
  if (!reached) return false;
  find_outermost (l, reached);
  mem_free (reached, bytes);
  for (uint32_t k = 0; k < l->loops.count; k++) lay_out (l, &l->loops.data[k]);
  if (!l->loops.count) return false;
  reached = efsm_reached (l->m);
  take_back_the_uncounted (l, reached);
  if (reached) mem_free (reached, sizeof *reached * l->m->points.count);
  return true;
}

// ---- unreachable copies -----------------------------------------------------------------------------
static void keep_exits (efsm_point *p, const uint32_t *moved) {
  uint32_t kept = 0;
  for (uint32_t x = 0; x < p->exits.count; x++) {
    efsm_exit e = p->exits.data[x];
    e.to = moved[e.to];
    if (e.to != IR_NONE) p->exits.data[kept++] = e;
  }
  p->exits.count = kept;
}

// Removes unreachable points from `first` on. No exit to a removed point is ever taken.
static void drop_unreached (efsm *m, uint32_t first) {
  bool *reached = efsm_reached (m);
  uint32_t points = m->points.count, kept = 0, *moved = mem_alloc (sizeof *moved * points);
  for (uint32_t k = 0; k < points; k++) moved[k] = k < first || !reached || reached[k] ? kept++ : IR_NONE;
  for (uint32_t k = 0; k < points; k++) {
    if (moved[k] == IR_NONE) efsm_release_point (&m->points.data[k]);
    else keep_exits (&m->points.data[k], moved), m->points.data[moved[k]] = m->points.data[k];
  }
  m->points.count = kept;
  mem_free (moved, sizeof *moved * points);
  if (reached) mem_free (reached, sizeof *reached * points);
}

static void layout_release (layout *l) {
  map_release (&l->left_alone);
  map_release (&l->number_of);
  vec_release (&l->component);
  vec_release (&l->size);
  vec_release (&l->loops);
}

// ---- number of iterations ---------------------------------------------------------------------------
static void note_made (const efsm_point *p, const ir_program *program, efsm_made_list *made) {
  for (uint32_t s = 0; s < p->steps.count; s++) {
    ir_edge e = p->steps.data[s].edge;
    if (makes (program, e) && !find_made (made, made->count, p->copy, e)) vec_push (made, ((efsm_made){p->copy, e, 0}));
  }
}

static void find_made_in_loops (layout *l, efsm_made_list *made) {
  find_components (l);
  for (uint32_t k = 0; k < l->m->points.count; k++)
    if (is_repeated (l, k)) note_made (&l->m->points.data[k], l->program, made);
}

static bool executes (const efsm_point *p, ir_edge e) {
  for (uint32_t s = 0; s < p->steps.count; s++)
    if (p->steps.data[s].edge.i == e.i) return true;
  return false;
}

static uint32_t count_points (const layout *l, const bool *reached, efsm_made x) {
  uint32_t times = 0;
  for (uint32_t k = 0; k < l->m->points.count; k++) {
    const efsm_point *p = &l->m->points.data[k];
    if (!reached[k] || p->copy != x.copy || !executes (p, x.edge)) continue;
    if (is_repeated (l, k)) return 0;
    times++;
  }
  return over_limit (MACHINE_ROUNDS, times) ? 0 : times;
}

static void count_made (layout *l, efsm_made_list *made) {
  bool *reached = efsm_reached (l->m);
  if (!reached) return;
  find_components (l);
  for (uint32_t k = l->known; k < made->count; k++) made->data[k].times = count_points (l, reached, made->data[k]);
  mem_free (reached, sizeof *reached * l->m->points.count);
}

// An inner loop is considered in each iteration of the outer one.
void efsm_lay_out_rounds (efsm *m, const ir_program *program, efsm_made_list *made) {
  layout l = {.m = m, .program = program, .made = made, .known = made->count};
  uint32_t points = m->points.count, depth = 0;
  find_made_in_loops (&l, made);
  if (made->count) {
    while (!at_limit (MACHINE_ROUND_NESTING, depth) && lay_out_outermost (&l)) depth++;
    if (m->points.count > points) drop_unreached (m, points);
    count_made (&l, made);
  }
  layout_release (&l);
}
