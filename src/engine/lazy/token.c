// The paper's encoding (LAZY, 5.2, tables 1 to 3).  Every thread is unrolled by itself; what is shared is a copy of its
// own.  At a read sync it may take the token, and with it the values of the thread that gives it at a write sync.
// Differences from the printed constraints:
//  - (1) is an implication.  As an equivalence it would make the token pass wherever it can, and exclude the paper's
//    own witness of figure 3, in which P2 keeps the token at its write syncs at depths 3 and 6 although r1@1 could take
//    it.
//  - (13), a write needs the token, and (12), a lock must be free, stop a thread instead of contradicting: a thread
//    whose further steps no goal needs must not make the formula unsatisfiable.
//  - (4) is added variable by variable, when its value is found to matter (carried.c).
//  - (8) to (11) are part of the next values instead of clauses.
#include "engine/lazy/lazy.h"

// ---- the token --------------------------------------------------------------------------------------
// (15): exactly one thread has it at first.  A thread that another one has to start does not.
void token_begin (lazy_model *u) {
  VEC (term) holders = {0};
  for (uint32_t t = 0; t < u->lanes.count; t++) {
    lazy_frame *f = &u->lanes.data[t].frames.data[0];
    f->has_only_read = u->terms->falsity;
    f->token = u->m->threads.data[t].started == IR_NONE ? term_var (u->terms, 1) : u->terms->falsity;
    vec_push (&holders, f->token);
    for (uint32_t q = 0; q < t; q++)
      decider_clause (u->decider, (term[]){term_not (u->terms, holders.data[q]), term_not (u->terms, f->token)}, 2);
  }
  decider_clause (u->decider, holders.data, holders.count);
  vec_release (&holders);
}

// Whether it takes and gives the token in the step from this frame.
static void decide_token (lazy_model *u, uint32_t t, uint32_t d) {
  lazy_frame *f = &u->lanes.data[t].frames.data[d];
  term reads = lazy_any_sync (u, t, d, POINT_READ_SYNC), writes = lazy_any_sync (u, t, d, POINT_WRITE_SYNC);
  if (!term_is_false (u->terms, reads)) {
    f->takes = term_var (u->terms, 1);
    f->taken = u->terms->falsity;
    term never = term_not (u->terms, f->takes);
    decider_clause (u->decider, (term[]){never, reads}, 2);
    decider_clause (u->decider, (term[]){never, term_not (u->terms, f->token)}, 2);
    f->fresh = arena_alloc (u->arena, sizeof *f->fresh * (u->m->variables.count + 1));
    for (uint32_t v = 0; v < u->m->variables.count; v++)
      if (u->m->variables.data[v].owner == IR_NONE)
        f->fresh[v] = term_var (u->terms, term_bits (u->terms, u->m->variables.data[v].now));
  }
  if (!term_is_false (u->terms, writes)) {
    f->gives = term_var (u->terms, 1);
    f->given = u->terms->falsity;
    term never = term_not (u->terms, f->gives);
    decider_clause (u->decider, (term[]){never, writes}, 2);
    decider_clause (u->decider, (term[]){never, f->token}, 2);
  }
}

// ---- unnecessary passes -----------------------------------------------------------------------------
// As in the proof of theorem 1: a thread that has only read since its last write sync could have given the token there,
// and reads the same values without it. So a thread gives the token at a write sync only if it has written since the
// last one or has just taken the token. A race of such a read shows in the other order of the two accesses.
static void give_after_writing (lazy_model *u, uint32_t t, uint32_t d) {
  const lazy_frame *f = &u->lanes.data[t].frames.data[d];
  if (!u->options.few_passes || term_is_false (u->terms, f->gives)) return;
  decider_clause (u->decider, (term[]){term_not (u->terms, f->gives), term_not (u->terms, f->has_only_read)}, 2);
}

static term writes_at (lazy_model *u, uint32_t t, uint32_t d) {
  const lazy_lane *l = &u->lanes.data[t];
  const reach_depth *here = &l->reach.depths.data[d];
  term any = u->terms->falsity;
  for (uint32_t k = 0; k < here->points.count; k++)
    if (u->m->points.data[here->points.data[k].point].writes)
      any = term_or (u->terms, any, l->frames.data[d].at.data[k]);
  return any;
}

static term only_read_after (lazy_model *u, uint32_t t, uint32_t d) {
  const lazy_frame *f = &u->lanes.data[t].frames.data[d];
  if (!u->options.few_passes) return u->terms->falsity;
  term changed = term_or (u->terms, writes_at (u, t, d), f->takes),
       still = term_and (u->terms, f->has_only_read, term_not (u->terms, changed));
  return term_or (u->terms, lazy_any_sync (u, t, d, POINT_WRITE_SYNC), still);
}

// A thread that takes the token uses it: it executes its next access, or reaches a violation, unless it may race with
// a lock that it waits for.
static void use_token (lazy_model *u, uint32_t t) {
  uint32_t d = u->depth - 2;
  lazy_lane *l = &u->lanes.data[t];
  if (!u->options.few_passes || u->m->data || u->depth < 2 || term_is_false (u->terms, l->frames.data[d].takes)) return;
  VEC (term) clause = {0};
  vec_push (&clause, term_not (u->terms, l->frames.data[d].takes));
  for (uint32_t k = 0; k < l->frames.data[d + 2].at.count; k++) vec_push (&clause, l->frames.data[d + 2].at.data[k]);
  for (uint32_t k = 0; k < u->goals.count; k++)
    if (u->goals.data[k].thread == t && u->goals.data[k].depth == d + 1) vec_push (&clause, u->goals.data[k].literal);
  for (uint32_t k = 0; k < u->losses.count; k++)
    if (u->losses.data[k].thread == t && u->losses.data[k].depth == d + 1)
      vec_push (&clause, u->losses.data[k].literal);
  decider_clause (u->decider, clause.data, clause.count);
  vec_release (&clause);
}

// (5), (6), (9) to (11)
static void move_token (lazy_model *u, const lazy_frame *f, lazy_frame *next) {
  next->token = term_or (u->terms, f->takes, term_and (u->terms, f->token, term_not (u->terms, f->gives)));
  for (uint32_t v = 0; f->fresh && v < u->m->variables.count; v++)
    if (u->m->variables.data[v].owner == IR_NONE)
      next->value[v] = term_ite (u->terms, f->takes, f->fresh[v], next->value[v]);
}

// ---- one step of one thread -------------------------------------------------------------------------
static void arrive (lazy_model *u, const lazy_lane *l, uint32_t depth, lazy_frame *f, uint32_t point, term condition) {
  const reach_at *a = reach_find (&l->reach, depth, point);
  if (!a) return;
  term *at = &f->at.data[a - l->reach.depths.data[depth].points.data];
  *at = term_or (u->terms, *at, condition);
}

// Where the thread can be at one point only, its next values need no condition that it is there: if it is not, no
// clause reads them.
static void leave_point (lazy_model *u, uint32_t t, uint32_t d, uint32_t index, lazy_frame *next) {
  const lazy_lane *l = &u->lanes.data[t];
  const reach_depth *here = &l->reach.depths.data[d];
  const efsm_point *p = &u->m->points.data[here->points.data[index].point];
  const lazy_frame *f = &l->frames.data[d];
  term at = f->at.data[index];
  if (term_is_false (u->terms, at)) return;
  term may = p->writes ? term_and (u->terms, at, f->token) : at;
  for (uint32_t k = 0; k < p->exits.count; k++)
    arrive (u, l, d + 1, next, p->exits.data[k].to,
            term_and (u->terms, may, lazy_at (u, t, d, p->exits.data[k].guard)));
  for (uint32_t k = 0; k < p->updates.count; k++) {
    const efsm_update *x = &p->updates.data[k];
    term value = lazy_at (u, t, d, x->value);
    next->value[x->variable] =
        here->points.count == 1 ? value : term_ite (u->terms, at, value, next->value[x->variable]);
  }
}

void token_step (lazy_model *u, uint32_t t) {
  lazy_lane *l = &u->lanes.data[t];
  uint32_t d = u->depth;
  decide_token (u, t, d);
  give_after_writing (u, t, d);
  lazy_add_goals (u, t, d, l->frames.data[d].token);
  lazy_frame next = {.takes = u->terms->falsity, .gives = u->terms->falsity};
  next.has_only_read = only_read_after (u, t, d);
  next.value = arena_alloc (u->arena, sizeof *next.value * (u->m->variables.count + 1));
  for (uint32_t v = 0; v < u->m->variables.count; v++) next.value[v] = l->frames.data[d].value[v];
  for (uint32_t k = 0; k < l->reach.depths.data[d + 1].points.count; k++) vec_push (&next.at, u->terms->falsity);
  for (uint32_t k = 0; k < l->reach.depths.data[d].points.count; k++) leave_point (u, t, d, k, &next);
  move_token (u, &l->frames.data[d], &next);
  vec_push (&l->frames, next);
}

// ---- pairs ------------------------------------------------------------------------------------------
// MTX: the thread that takes the token holds, or is about to take, a lock that the giving thread holds as well.
static bool is_excluded (const lazy_model *u, const lazy_pass *p, const reach_at *r, const reach_at *w) {
  if (!u->options.mtx || !p->h) return false;
  const efsm_point *reader = &u->m->points.data[u->m->points.data[r->point].block];
  const reach_at *left = reach_find (&u->lanes.data[p->j].reach, p->h - 1, u->m->points.data[w->point].block);
  uint64_t just_held = w->held | (left ? left->held : 0);
  return ((r->held & just_held) | (reader->acquires & w->held & ~u->m->data)) & u->sure_locks;
}

typedef struct race_search {
  lazy_pass pass;
  uint32_t number;
} race_search;

// The access at its own frame.
static efsm_access at_frame (lazy_model *u, efsm_access a, uint32_t thread, uint32_t depth) {
  a.condition = lazy_at (u, thread, depth, a.condition);
  a.address = lazy_at (u, thread, depth, a.address);
  return a;
}

// (7): the one has just accessed what the other is about to.
static void add_races (lazy_model *u, const race_search *s, uint32_t r, uint32_t w, term both) {
  const lazy_pass *p = &s->pass;
  const efsm_point *second = &u->m->points.data[u->m->points.data[r].block],
                   *first = &u->m->points.data[u->m->points.data[w].block];
  if (!p->h) return;
  for (uint32_t x = 0; x < second->accesses.count; x++)
    for (uint32_t y = 0; y < first->accesses.count; y++) {
      efsm_access a = at_frame (u, second->accesses.data[x], p->i, p->k + 1),
                  b = at_frame (u, first->accesses.data[y], p->j, p->h - 1);
      term race = term_and (u->terms, both, efsm_conflict (u->terms, &a, &b));
      lazy_goal g = {.property = IR_P_RACE,
                     .literal = race,
                     .thread = p->i,
                     .depth = p->k + 1,
                     .point = u->m->points.data[r].block,
                     .step = a.step,
                     .other_step = b.step,
                     .pass = s->number,
                     .edge = a.edge,
                     .other_edge = b.edge};
      if (!term_is_false (u->terms, race)) vec_push (&u->goals, g);
    }
}

// The combinations of syncs at these depths that locks do not exclude.
static bool find_combinations (lazy_model *u, const lazy_pass *p, term *some) {
  const reach_depth *reads = &u->lanes.data[p->i].reach.depths.data[p->k],
                    *writes = &u->lanes.data[p->j].reach.depths.data[p->h];
  *some = u->terms->falsity;
  bool all = true;
  for (uint32_t x = 0; x < reads->points.count; x++)
    for (uint32_t y = 0; y < writes->points.count; y++) {
      const reach_at *r = &reads->points.data[x], *w = &writes->points.data[y];
      if (u->m->points.data[r->point].kind != POINT_READ_SYNC || u->m->points.data[w->point].kind != POINT_WRITE_SYNC)
        continue;
      if (is_excluded (u, p, r, w)) all = false;
      else
        *some = term_or (u->terms, *some,
                         term_and (u->terms, u->lanes.data[p->i].frames.data[p->k].at.data[x],
                                   u->lanes.data[p->j].frames.data[p->h].at.data[y]));
    }
  return all;
}

static void find_races (lazy_model *u, const race_search *s) {
  const lazy_pass *p = &s->pass;
  const reach_depth *reads = &u->lanes.data[p->i].reach.depths.data[p->k],
                    *writes = &u->lanes.data[p->j].reach.depths.data[p->h];
  for (uint32_t x = 0; x < reads->points.count; x++)
    for (uint32_t y = 0; y < writes->points.count; y++) {
      const reach_at *r = &reads->points.data[x], *w = &writes->points.data[y];
      if (u->m->points.data[r->point].kind != POINT_READ_SYNC || u->m->points.data[w->point].kind != POINT_WRITE_SYNC)
        continue;
      if (is_excluded (u, p, r, w)) continue;
      term both = term_and (u->terms, u->lanes.data[p->i].frames.data[p->k].at.data[x],
                            u->lanes.data[p->j].frames.data[p->h].at.data[y]);
      add_races (u, s, r->point, w->point, term_and (u->terms, p->literal, both));
    }
}

// ---- clocks -----------------------------------------------------------------------------------------
// In unary, and in depths: after(i, k, j, h) says that what thread i does from its read sync at depth k on comes after
// the write sync of thread j at depth h.
static term after (lazy_model *u, uint32_t i, uint32_t k, uint32_t j, uint32_t h) {
  bool is_new;
  uint64_t key = (uint64_t) i << 58 | (uint64_t) k << 32 | (uint64_t) j << 26 | h;
  uint64_t *found = map_insert (&u->order, key, 0, &is_new);
  if (!is_new) return (term){(uint32_t) *found};
  term t = term_var (u->terms, 1);
  *map_find (&u->order, key) = t.i;
  return t;
}

static void implies (lazy_model *u, term a, term b) {
  decider_clause (u->decider, (term[]){term_not (u->terms, a), b}, 2);
}

// The sync of this kind nearest to the depth, at or before it (or behind it); IR_NONE: none so far.
static uint32_t sync_before (const lazy_model *u, uint32_t t, uint32_t depth, bool write) {
  for (uint32_t d = depth + 1; d-- > 0;) {
    const lazy_frame *f = &u->lanes.data[t].frames.data[d];
    if (!term_is_false (u->terms, write ? f->gives : f->takes)) return d;
  }
  return IR_NONE;
}

static uint32_t sync_after (const lazy_model *u, uint32_t t, uint32_t depth, bool write) {
  for (uint32_t d = depth; d < u->depth; d++) {
    const lazy_frame *f = &u->lanes.data[t].frames.data[d];
    if (!term_is_false (u->terms, write ? f->gives : f->takes)) return d;
  }
  return IR_NONE;
}

// A new pair of syncs: it grows with both depths, both cannot be after the other, and it is transitive over a third.
static void relate (lazy_model *u, uint32_t i, uint32_t k, uint32_t j, uint32_t h) {
  term it = after (u, i, k, j, h);
  uint32_t earlier_k = k ? sync_before (u, i, k - 1, false) : IR_NONE,
           earlier_h = h ? sync_before (u, j, h - 1, true) : IR_NONE;
  if (earlier_k != IR_NONE) implies (u, after (u, i, earlier_k, j, h), it);
  if (earlier_h != IR_NONE) implies (u, it, after (u, i, k, j, earlier_h));
  uint32_t take = sync_before (u, j, h, false), give = sync_after (u, i, k, true);
  if (take != IR_NONE && give != IR_NONE)
    decider_clause (u->decider, (term[]){term_not (u->terms, it), term_not (u->terms, after (u, j, take, i, give))}, 2);
  for (uint32_t x = 0; x < u->lanes.count && take != IR_NONE; x++)
    for (uint32_t y = 0; x != i && x != j && y < u->depth; y++)
      if (!term_is_false (u->terms, u->lanes.data[x].frames.data[y].gives))
        decider_clause (
            u->decider,
            (term[]){term_not (u->terms, it), term_not (u->terms, after (u, j, take, x, y)), after (u, i, k, x, y)}, 3);
}

// A later thread i that comes after the first thing that j gives from depth k on comes after what j came after.
static void relate_later (lazy_model *u, uint32_t j, uint32_t k, uint32_t x, uint32_t y) {
  uint32_t give = sync_after (u, j, k, true);
  for (uint32_t i = 0; i < u->lanes.count && give != IR_NONE; i++)
    for (uint32_t d = 0; i != j && i != x && d < u->depth; d++)
      if (!term_is_false (u->terms, u->lanes.data[i].frames.data[d].takes))
        decider_clause (u->decider,
                        (term[]){term_not (u->terms, after (u, i, d, j, give)),
                                 term_not (u->terms, after (u, j, k, x, y)), after (u, i, d, x, y)},
                        3);
}

// What is given is what comes last: not what the giver gives later.
static void keep_order (lazy_model *u, const lazy_pass *p) {
  implies (u, p->literal, after (u, p->i, p->k, p->j, p->h));
  uint32_t later = sync_after (u, p->j, p->h + 1, true);
  if (later != IR_NONE) implies (u, p->literal, term_not (u->terms, after (u, p->i, p->k, p->j, later)));
}

// The token is taken once at a read sync, and given once at a write sync.
static void only_once (lazy_model *u, term pass, term *before) {
  term now = term_var (u->terms, 1);
  decider_clause (u->decider, (term[]){term_not (u->terms, pass), term_not (u->terms, *before)}, 2);
  implies (u, pass, now);
  implies (u, *before, now);
  *before = now;
}

// (1) to (6)
static void constrain_pass (lazy_model *u, const lazy_pass *p, term combination, bool all) {
  lazy_frame *r = &u->lanes.data[p->i].frames.data[p->k], *w = &u->lanes.data[p->j].frames.data[p->h];
  term never = term_not (u->terms, p->literal);
  decider_clause (u->decider, (term[]){never, r->takes}, 2);
  decider_clause (u->decider, (term[]){never, w->gives}, 2);
  if (!all) decider_clause (u->decider, (term[]){never, combination}, 2);
  only_once (u, p->literal, &r->taken);
  only_once (u, p->literal, &w->given);
  keep_order (u, p);
  lazy_carry_values (u, p);
}

// A thread takes the token in one of the passes in the formula, or in one that is added later.
typedef VEC (term) term_list;

// A pass is for what it brings, or for a race.  False: for neither.
static bool restrict_pass (lazy_model *u, const lazy_pass *p, uint32_t first_race) {
  term useful = lazy_useful (u, p);
  if (term_is_true (u->terms, useful)) return true;
  if (term_is_false (u->terms, useful) && first_race == u->goals.count) return false;
  term_list clause = {0};
  vec_push (&clause, term_not (u->terms, p->literal));
  vec_push (&clause, useful);
  for (uint32_t k = first_race; k < u->goals.count; k++) vec_push (&clause, u->goals.data[k].literal);
  decider_clause (u->decider, clause.data, clause.count);
  vec_release (&clause);
  return true;
}

static void add_pass (lazy_model *u, lazy_pass p, term_list *passes) {
  const lazy_frame *r = &u->lanes.data[p.i].frames.data[p.k], *w = &u->lanes.data[p.j].frames.data[p.h];
  if (p.i == p.j || term_is_false (u->terms, r->takes) || term_is_false (u->terms, w->gives)) return;
  term combination;
  bool all = find_combinations (u, &p, &combination);
  if (term_is_false (u->terms, combination)) {
    u->excluded++;
    return;
  }
  p.literal = term_var (u->terms, 1);
  uint32_t first_race = u->goals.count;
  race_search s = {p, u->passes.count};
  if (u->options.properties >> IR_P_RACE & 1) find_races (u, &s);
  if (u->options.few_passes && !restrict_pass (u, &p, first_race)) {
    u->excluded++;
    return;
  }
  constrain_pass (u, &p, combination, all);
  vec_push (&u->passes, p);
  vec_push (passes, p.literal);
}

static void add_passes_to (lazy_model *u, uint32_t i, uint32_t k, uint32_t from) {
  uint64_t key = (uint64_t) i << 32 | k;
  bool is_new;
  if (term_is_false (u->terms, u->lanes.data[i].frames.data[k].takes)) return;
  uint64_t *open = map_insert (&u->open, key, u->lanes.data[i].frames.data[k].takes.i, &is_new);
  term_list clause = {0};
  vec_push (&clause, term_not (u->terms, ((term){(uint32_t) *open})));
  for (uint32_t j = 0; j < u->lanes.count; j++)
    for (uint32_t h = from; h < u->depth; h++) add_pass (u, (lazy_pass){.i = i, .k = k, .j = j, .h = h}, &clause);
  term later = term_var (u->terms, 1);
  *map_find (&u->open, key) = later.i;
  vec_push (&clause, later);
  decider_clause (u->decider, clause.data, clause.count);
  decider_clause (u->decider, (term[]){term_not (u->terms, later), term_not (u->terms, u->last_depth)}, 2);
  vec_release (&clause);
}

static void relate_new (lazy_model *u, uint32_t newest) {
  for (uint32_t i = 0; i < u->lanes.count; i++)
    for (uint32_t j = 0; j < u->lanes.count; j++)
      for (uint32_t d = 0; i != j && d <= newest; d++) {
        const lazy_frame *ri = &u->lanes.data[i].frames.data[newest], *wj = &u->lanes.data[j].frames.data[newest];
        if (!term_is_false (u->terms, ri->takes) && !term_is_false (u->terms, u->lanes.data[j].frames.data[d].gives))
          relate (u, i, newest, j, d);
        if (d < newest && !term_is_false (u->terms, wj->gives) &&
            !term_is_false (u->terms, u->lanes.data[i].frames.data[d].takes))
          relate (u, i, d, j, newest), relate_later (u, i, d, j, newest);
      }
}

// Syncs at the depth before the last are new: those frames are decided, and what follows them is there.
void token_connect (lazy_model *u) {
  uint32_t newest = u->depth - 1, first_goal = u->goals.count;
  u->last_depth = term_var (u->terms, 1);
  relate_new (u, newest);
  for (uint32_t i = 0; i < u->lanes.count; i++) use_token (u, i);
  for (uint32_t i = 0; i < u->lanes.count; i++) {
    for (uint32_t k = 0; k < newest; k++) add_passes_to (u, i, k, newest);
    add_passes_to (u, i, newest, 0);
  }
  lazy_connect_races (u, first_goal);
}
