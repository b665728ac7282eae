// What both encodings share: frames, values of terms at a frame, goals.
#include "engine/lazy/lazy.h"

// ---- frames -----------------------------------------------------------------------------------------
static bool is_of (const efsm *m, uint32_t variable, uint32_t thread) {
  uint32_t owner = m->variables.data[variable].owner;
  return owner == IR_NONE || owner == thread || thread == IR_NONE;
}

static term *initial_values (lazy_model *u, uint32_t thread) {
  const efsm *m = u->m;
  term *v = arena_alloc (u->arena, sizeof *v * (m->variables.count + 1));
  for (uint32_t k = 0; k < m->variables.count; k++) {
    term initial = m->variables.data[k].initial;
    if (!is_of (m, k, thread)) v[k] = TERM_NONE;
    else
      v[k] = initial.i != TERM_NONE.i ? initial : term_var (u->terms, term_bits (u->terms, m->variables.data[k].now));
  }
  return v;
}

// Shared variables have the same values for all at the beginning.
static void share_initial (lazy_model *u, term *values) {
  for (uint32_t k = 0; k < u->m->variables.count; k++)
    if (u->m->variables.data[k].owner == IR_NONE) values[k] = u->lanes.data[0].frames.data[0].value[k];
}

static void add_first_frame (lazy_model *u, uint32_t thread) {
  lazy_lane *l = &u->lanes.data[thread];
  lazy_frame f = {.takes = u->terms->falsity, .gives = u->terms->falsity};
  f.value = thread && u->options.eager ? u->lanes.data[0].frames.data[0].value
                                       : initial_values (u, u->options.eager ? IR_NONE : thread);
  if (thread) share_initial (u, f.value);
  const reach_depth *d = &l->reach.depths.data[0];
  for (uint32_t k = 0; k < d->points.count; k++)
    vec_push (&f.at, d->points.data[k].point == u->m->threads.data[thread].start ? u->terms->truth : u->terms->falsity);
  vec_push (&l->frames, f);
}

// A lock that a thread may release without holding it protects nothing.
static void find_sure_locks (lazy_model *u) {
  u->sure_locks = UINT64_MAX;
  for (uint32_t t = 0; t < u->lanes.count; t++) {
    const reach *r = &u->lanes.data[t].reach;
    for (uint32_t n = 0; n < r->nodes.count; n++)
      u->sure_locks &= ~(u->m->points.data[r->nodes.data[n].point].releases & ~r->nodes.data[n].held);
  }
}

void lazy_model_init (lazy_model *u, efsm *m, decider *d, lazy_model_options o) {
  *u = (lazy_model){
      .m = m, .options = o, .terms = &m->terms, .decider = d, .arena = arena_new (), .last_depth = m->terms.truth};
  substitution_init (&u->substitution, u->terms);
  reach_options r = {.everywhere = !o.csr, .cxt = o.cxt, .waits = o.eager ? WAITS_AFTER_SYNC : WAITS_NOWHERE};
  for (uint32_t t = 0; t < m->threads.count; t++) {
    vec_push (&u->lanes, ((lazy_lane){0}));
    reach_init (&u->lanes.data[t].reach, m, t, r);
    reach_grow (&u->lanes.data[t].reach);
    add_first_frame (u, t);
  }
  find_sure_locks (u);
  touched_init (&u->touched, m);
  lazy_find_readers (u);
  lazy_begin_values (u);
  if (o.eager) eager_begin (u);
  else token_begin (u);
}

void lazy_model_release (lazy_model *u) {
  for (uint32_t t = 0; t < u->lanes.count; t++) {
    lazy_lane *l = &u->lanes.data[t];
    for (uint32_t k = 0; k < l->frames.count; k++) {
      vec_release (&l->frames.data[k].at);
      map_release (&l->frames.data[k].inputs);
    }
    vec_release (&l->frames);
    reach_release (&l->reach);
  }
  vec_release (&u->lanes);
  vec_release (&u->goals);
  vec_release (&u->losses);
  vec_release (&u->passes);
  vec_release (&u->carried);
  vec_release (&u->holder);
  vec_release (&u->access);
  map_release (&u->open);
  map_release (&u->written);
  map_release (&u->readers);
  map_release (&u->begins_race);
  touched_release (&u->touched);
  map_release (&u->order);
  substitution_release (&u->substitution);
  arena_free (u->arena);
}

// ---- terms at a frame -------------------------------------------------------------------------------
static term value_at (void *state, term variable) {
  lazy_model *u = state;
  lazy_frame *f = &u->lanes.data[u->at_thread].frames.data[u->at_depth];
  const uint64_t *v = map_find (&u->m->variable_of, variable.i);
  if (v) return f->value[*v];
  bool is_new;
  uint64_t *here = map_insert (&f->inputs, variable.i, 0, &is_new);
  if (is_new) *here = term_var (u->terms, term_bits (u->terms, variable)).i;
  return (term){(uint32_t) *here};
}

// Calls for the same frame in a row share their work.
term lazy_at (lazy_model *u, uint32_t thread, uint32_t depth, term t) {
  if (!u->substitution.now || u->at_thread != thread || u->at_depth != depth) {
    u->at_thread = thread, u->at_depth = depth;
    substitution_begin (&u->substitution, value_at, u);
  }
  return substitute_term (&u->substitution, t);
}

term lazy_any_sync (lazy_model *u, uint32_t thread, uint32_t depth, point_kind kind) {
  const lazy_lane *l = &u->lanes.data[thread];
  const reach_depth *d = &l->reach.depths.data[depth];
  term any = u->terms->falsity;
  for (uint32_t k = 0; k < d->points.count; k++)
    if (u->m->points.data[d->points.data[k].point].kind == kind)
      any = term_or (u->terms, any, l->frames.data[depth].at.data[k]);
  return any;
}

// ---- goals ------------------------------------------------------------------------------------------
void lazy_add_goals (lazy_model *u, uint32_t thread, uint32_t depth, term condition) {
  const reach_depth *d = &u->lanes.data[thread].reach.depths.data[depth];
  for (uint32_t k = 0; k < d->points.count; k++) {
    const efsm_point *p = &u->m->points.data[d->points.data[k].point];
    term here = term_and (u->terms, condition, u->lanes.data[thread].frames.data[depth].at.data[k]);
    if (term_is_false (u->terms, here)) continue;
    for (uint32_t g = 0; g < p->goals.count; g++) {
      term wrong = term_and (u->terms, here, lazy_at (u, thread, depth, p->goals.data[g].condition));
      lazy_goal goal = {.property = p->goals.data[g].property,
                        .literal = wrong,
                        .thread = thread,
                        .depth = depth,
                        .point = d->points.data[k].point,
                        .step = p->goals.data[g].step,
                        .edge = p->goals.data[g].edge};
      if (!term_is_false (u->terms, wrong)) vec_push (&u->goals, goal);
    }
    for (uint32_t x = 0; x < p->losses.count; x++) {
      term lost = term_and (u->terms, here, lazy_at (u, thread, depth, p->losses.data[x].condition));
      if (!term_is_false (u->terms, lost))
        vec_push (&u->losses, ((lazy_loss){lost, thread, depth, p->losses.data[x].what, p->losses.data[x].is_cut,
                                           p->losses.data[x].edge}));
    }
  }
}

// ---- growing ----------------------------------------------------------------------------------------
void lazy_model_grow (lazy_model *u) {
  for (uint32_t t = 0; t < u->lanes.count; t++) reach_grow (&u->lanes.data[t].reach);
  if (u->options.eager) eager_step (u);
  else
    for (uint32_t t = 0; t < u->lanes.count; t++) token_step (u, t);
  u->depth++;
  if (!u->options.eager) token_connect (u);
}

bool lazy_model_ended (const lazy_model *u) {
  for (uint32_t t = 0; t < u->lanes.count; t++) {
    const lazy_frame *f = &u->lanes.data[t].frames.data[u->depth];
    for (uint32_t k = 0; k < f->at.count; k++)
      if (!term_is_false (u->terms, f->at.data[k])) return false;
  }
  return true;
}
