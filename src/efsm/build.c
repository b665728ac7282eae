// Procedures become control points: a point is a run of edges up to a branch, a call, a location at which paths join,
// or the second access of shared memory. An atomic region is part of a point's identity, so inside a region points need
// not end.
#include "efsm/build.h"

#include "base/diag.h"
#include "base/limits.h"
#include "base/scc.h"
#include "efsm/build_impl.h"

// ---- points -----------------------------------------------------------------------------------------
static uint32_t add_point (build *b, uint32_t copy, uint32_t region, ir_loc location, bool to_do) {
  uint32_t p = efsm_add_point (b->m, b->thread, NULL);
  b->m->points.data[p].copy = copy;
  b->m->points.data[p].location = location;
  while (b->places.count < p) vec_push (&b->places, ((point_origin){0, 0, {IR_NONE}}));
  vec_push (&b->places, ((point_origin){copy, region, location}));
  if (to_do) vec_push (&b->work, p);
  return p;
}

uint32_t build_place (build *b, uint32_t copy, uint32_t region, ir_loc location) {
  uint64_t key = (uint64_t) copy << 40 | (uint64_t) region << 32 | location.i, *found = map_find (&b->point_of, key);
  if (found) return (uint32_t) *found;
  uint32_t p = add_point (b, copy, region, location, true);
  map_insert (&b->point_of, key, p, NULL);
  return p;
}

uint32_t build_entry (build *b, build_copy c, uint32_t *copy) {
  *copy = build_facts_copy (b->facts, c);
  return build_place (b, *copy, c.region, ir_proc_at (b->program, c.proc)->entry);
}

// ---- calls and returns ------------------------------------------------------------------------------
static void add_call (build *b, ir_proc callee, term condition) {
  const ir_edge_data *d = ir_edge_at (b->program, b->edge);
  const build_copy caller = b->facts->copies.data[b->copy];
  bool circle = b->facts->circle.data[callee.i] == b->facts->circle.data[caller.proc.i];
  uint32_t level = !circle ? 0 : caller.level == START_LEVEL ? 1 : caller.level + 1, copy, site = b->m->sites.count;
  if (over_limit (MACHINE_RECURSION, level)) {
    build_cut (b, condition, "recursion");
    return;
  }
  build_copy of = {b->thread, level, b->region, callee, IR_NONE, {IR_NONE}};
  ir_proc direct;
  if (is_call_of (b->program, d, &direct) && direct.i == callee.i && b->facts->small.data[callee.i])
    of.caller = b->copy, of.call = b->edge;
  uint32_t entry = build_entry (b, of, &copy);
  const ir_proc_data *proc = ir_proc_at (b->program, callee);
  for (uint32_t k = 0; k < proc->num_params; k++) {
    uint32_t reg = build_reg (b, copy, (ir_reg){k});
    unsigned bits = proc->regs.data[k].bits;
    term value = k + 1 < d->num_args ? build_arg (b, k + 1) : build_number (b, bits, 0);
    build_put (b, reg, term_resize (b->terms, value, bits), condition);
  }
  uint32_t returns_to = build_variable (b, V_RETURN_TO, copy, 0, 32, b->thread, build_number (b, 32, 0));
  term here = build_number (b, 32, site - b->first_site);
  build_put (b, returns_to, here, condition);
  vec_push (&b->m->sites, ((efsm_site){b->point, copy, IR_NONE,
                                       term_eq (b->terms, b->m->variables.data[returns_to].now, here), b->edge}));
  vec_push (&b->calls, ((build_call){site, copy, d->dst, b->copy, d->to}));
  vec_push (&b->m->points.data[b->point].exits,
            ((efsm_exit){entry, term_and (b->terms, b->alive, condition), site, IR_NONE}));
}

static void call (build *b) {
  targets t = {0};
  pointers_targets (&b->facts->pointers, build_arg (b, 0), &t);
  build_check_function (b, &t);
  for (uint32_t k = 0; k < t.list.count; k++) {
    ir_proc callee = build_proc_of (b, t.list.data[k].object);
    if (callee.i != IR_NONE) add_call (b, callee, t.list.data[k].condition);
  }
  pointers_release_targets (&t);
}

static bool is_first_copy (const build *b) { return b->facts->copies.data[b->copy].level == START_LEVEL; }

// The end of a procedure is the end of its thread if the thread started there; otherwise control returns to the call
// sites of the procedure, which are complete after all points are built.
static void end_thread (build *b, term result) {
  unsigned bits = b->program->pointer_bits;
  store_end_thread (b);
  life_end (b, result.i == TERM_NONE.i ? build_number (b, bits, 0) : term_resize (b->terms, result, bits));
  efsm_add_exit (b->m, b->point, b->end, b->alive);
}

static void return_from (build *b, const ir_edge_data *d) {
  term value = d->num_args ? build_arg (b, 0) : TERM_NONE;
  if (is_first_copy (b)) {
    end_thread (b, value);
    return;
  }
  store_end_frame (b);
  vec_push (&b->returns, ((build_return){b->point, b->copy, b->region, value, b->alive}));
}

// ---- one edge ---------------------------------------------------------------------------------------
static void build_edge (build *b, const ir_edge_data *d) {
  executor x = build_executor (b);
  if (executor_perform (&x)) return;
  switch (d->op) {
  case IR_ASSUME: build_require (b, build_arg (b, 0)); break;
  case IR_NONDET:
    build_set (b, d->dst,
               build_choice (b,
                             ir_proc_at (b->program, ir_loc_at (b->program, d->from)->proc)->regs.data[d->dst.i].bits,
                             b->terms->truth));
    break;
  case IR_STACK_SAVE: build_set (b, d->dst, build_number (b, 32, 0)); break;
  case IR_STACK_RESTORE: build_doubt (b, b->terms->truth, "an array of variable length ends with its block"); break;
  case IR_ALLOC: store_alloc (b); break;
  case IR_OBJECT_SIZE: store_object_size (b); break;
  case IR_ATOMIC_BEGIN: b->region++; break;
  case IR_ATOMIC_END: b->region -= b->region > 0; break;
  case IR_THREAD_CREATE: life_create (b); break;
  case IR_THREAD_JOIN: life_join (b); break;
  case IR_THREAD_DETACH: life_detach (b); break;
  case IR_THREAD_SELF:
    build_set (b, d->dst, crowd_has (b, b->thread) ? crowd_self (b) : build_number (b, 64, b->thread + 1));
    break;
  case IR_FREE: store_free (b); break;
  case IR_FORGET: store_forget (b); break;
  case IR_CALL:
  case IR_RETURN:
  case IR_THREAD_EXIT:
  case IR_EXIT:
  case IR_OBJECT_OPERATIONS: primitive_execute (b); break;
  case IR_NOP:
  case IR_ASSIGN:
  case IR_CHECK:
  case IR_UNSUPPORTED:
  case IR_LOAD ... IR_OWN:
  case IR_OUTPUT: BUG ("%s should have been executed by executor_perform", ir_op_table[d->op].text);
  }
}

// Whether the edge accesses memory that other threads see.
static bool edge_accesses_shared (build *b, ir_edge e) {
  ir_op op = ir_edge_at (b->program, e)->op;
  char group = ir_op_table[op].group;
  if (op == IR_RETURN && is_first_copy (b)) return true;
  if (op == IR_ALLOC || op == IR_RETURN || op == IR_OBJECT_SIZE) return store_is_shared (b, e);
  if (op == IR_ATOMIC_BEGIN || op == IR_ATOMIC_END || op == IR_OUTPUT) return false;
  if (group == 'L') return false;
  return group == 'M' ? store_is_shared (b, e) : true;
}

// ---- a point ----------------------------------------------------------------------------------------
static void init_build (build *b, uint32_t point) {
  b->point = point;
  b->copy = b->places.data[point].copy;
  b->region = b->places.data[point].region;
  b->alive = b->terms->truth;
  b->shared = b->writes = b->shows = false;
  b->step = 0;
  map_clear (&b->now);
}

static void finish (build *b, uint32_t first_region, bool has_region) {
  efsm_point *p = &b->m->points.data[b->point];
  for (uint32_t k = 0; k < b->now.entries.count; k++) {
    const map_entry *e = &b->now.entries.data[k];
    efsm_set (b->m, b->point, (uint32_t) e->key, (term){(uint32_t) e->value});
  }
  p = &b->m->points.data[b->point];
  p->shared = b->shared;
  p->writes = b->writes;
  p->opens = !first_region && (b->shared || has_region || b->region);
  p->closes = !b->region && (b->shared || has_region || first_region);
  p->inside = first_region;
  p->shows |= b->shows && !first_region;
  if (!b->shared) vec_clear (&p->accesses);
}

static bool branches (const build *b, ir_loc l) { return ir_loc_at (b->program, l)->num_edges != 1; }

static void branch (build *b, ir_loc l) {
  const ir_loc_data *at = ir_loc_at (b->program, l);
  for (uint32_t k = 0; k < at->num_edges; k++) {
    b->edge = (ir_edge){at->first_edge + k};
    term guard = term_and (b->terms, b->alive, build_arg (b, 0));
    if (term_is_false (b->terms, guard)) continue;
    uint32_t to = build_place (b, b->copy, b->region, ir_edge_at (b->program, b->edge)->to);
    efsm_add_exit (b->m, b->point, to, guard);
  }
  if (at->num_edges) vec_push (&b->m->points.data[b->point].steps, ((efsm_step){b->edge, TERM_NONE, TERM_NONE}));
}

static bool stops (const ir_edge_data *d) { return d->op == IR_CHECK || d->op == IR_ASSUME || d->op == IR_UNSUPPORTED; }

// An execution may also end where memory may be misused.
static bool may_fail (const build *b, const ir_edge_data *d) {
  ir_proc callee;
  return ir_op_table[d->op].group == 'M' || (is_call_of (b->program, d, &callee) && callee.i == IR_NONE);
}

// A thread that stops after a write of the same point has already written, and other threads may see the write before
// the execution ends. And a race is detected when the point of its first access is left. So no edge after an access in
// a point may stop the thread.
static bool may_stop_too_late (const build *b, const ir_edge_data *d) {
  if (b->writes) return stops (d) || may_fail (b, d);
  return b->shared && build_selected (b, IR_P_RACE) && stops (d);
}

// Whether the point ends before this edge, because the edge is a second thing that other threads can notice.
static bool ends_before (build *b, ir_edge e, ir_loc start) {
  const ir_edge_data *d = ir_edge_at (b->program, e);
  if (d->from.i == start.i && !b->step) return false;
  if (b->facts->indegree.data[d->from.i] > 1) return true;
  if (b->region) return false;
  if (d->op == IR_ATOMIC_BEGIN) return true;
  if (b->shows && (watch_shows (b, e) || edge_accesses_shared (b, e))) return true;
  return may_stop_too_late (b, d) || (b->shared && edge_accesses_shared (b, e));
}

static bool ends_before_branch (const build *b, ir_loc at, ir_loc start) {
  if (at.i == start.i) return false;
  return b->facts->indegree.data[at.i] > 1 || (b->shows && !b->region && watch_branch_shows (b, at));
}

static bool is_last (const ir_edge_data *d) {
  return d->op == IR_CALL || d->op == IR_RETURN || d->op == IR_THREAD_EXIT || d->op == IR_EXIT;
}

static void take_last (build *b, const ir_edge_data *d) {
  if (d->op == IR_CALL) call (b);
  else if (d->op == IR_RETURN) return_from (b, d);
  else if (d->op == IR_THREAD_EXIT) end_thread (b, build_arg (b, 0));
  else {
    life_exit_process (b);
    efsm_add_exit (b->m, b->point, b->end, b->alive);
  }
}

static void not_after_the_end (build *b) {
  term over = life_over (b);
  build_require (b, term_not (b->terms, over));
}

static void fill_point (build *b, uint32_t point) {
  init_build (b, point);
  ir_loc start = b->places.data[point].location, at = start;
  uint32_t first_region = b->region;
  bool has_region = false, checked = false;
  for (;;) {
    if (branches (b, at)) {
      b->shows |= watch_branch_shows (b, at) && !ends_before_branch (b, at, start);
      if (!ends_before_branch (b, at, start)) branch (b, at);
      else efsm_add_exit (b->m, b->point, build_place (b, b->copy, b->region, at), b->alive);
      break;
    }
    ir_edge e = {ir_loc_at (b->program, at)->first_edge};
    const ir_edge_data *d = ir_edge_at (b->program, e);
    b->edge = e;
    if (ends_before (b, e, start)) {
      efsm_add_exit (b->m, b->point, build_place (b, b->copy, b->region, at), b->alive);
      break;
    }
    bool shared = edge_accesses_shared (b, e);
    b->shows |= watch_shows (b, e) || (shared && b->facts->options->watch);
    if (shared && !checked) not_after_the_end (b), checked = true;
    vec_push (&b->m->points.data[point].steps, ((efsm_step){e, TERM_NONE, TERM_NONE}));
    if (is_last (d)) {
      take_last (b, d);
      break;
    }
    bool before = b->shared;
    b->shared = false;
    build_edge (b, d);
    CHECK (!b->shared || shared || b->region, "an edge should touch shared memory only if it seems so");
    b->shared |= before;
    has_region |= b->region > 0;
    b->step++;
    at = d->to;
    if (d->op == IR_ATOMIC_END && !b->region) {
      efsm_add_exit (b->m, b->point, build_place (b, b->copy, b->region, at), b->alive);
      break;
    }
    if (term_is_false (b->terms, b->alive)) break;
  }
  finish (b, first_region, has_region);
}

// ---- returns, each with each call that it may end ---------------------------------------------------
// Continues the point where its building was interrupted.
static void begin_again (build *b, uint32_t point, uint32_t region) {
  init_build (b, point);
  b->region = region;
  const efsm_point *p = &b->m->points.data[point];
  for (uint32_t k = 0; k < p->updates.count; k++)
    map_insert (&b->now, p->updates.data[k].variable, p->updates.data[k].value.i, NULL);
  b->shared = p->shared, b->writes = p->writes;
}

static void link_return (build *b, const build_return *r, const build_call *c) {
  bool has_region = b->m->points.data[r->point].closes;
  begin_again (b, r->point, r->region);
  term to = build_get (b, build_variable (b, V_RETURN_TO, r->copy, 0, 32, b->thread, build_number (b, 32, 0)));
  term is_it = term_and (b->terms, r->alive, term_eq (b->terms, to, build_number (b, 32, c->site - b->first_site)));
  if (c->result.i != IR_NONE && r->value.i != TERM_NONE.i) {
    uint32_t reg = build_reg (b, c->caller, c->result);
    unsigned bits = term_bits (b->terms, b->m->variables.data[reg].now);
    build_put (b, reg, term_resize (b->terms, r->value, bits), is_it);
  }
  uint32_t target = build_place (b, c->caller, r->region, c->to);
  b->m->sites.data[c->site].to = target;
  vec_push (&b->m->points.data[r->point].exits, ((efsm_exit){target, is_it, IR_NONE, c->site}));
  finish (b, b->places.data[r->point].region, has_region);
}

static void link_new (build *b) {
  for (uint32_t k = 0; k < b->returns.count; k++)
    for (uint32_t c = 0; c < b->calls.count; c++) {
      const build_return r = b->returns.data[k];
      const build_call call = b->calls.data[c];
      bool is_new = false;
      if (r.copy == call.copy) map_insert (&b->linked, (uint64_t) r.point << 32 | call.site, 0, &is_new);
      if (is_new) link_return (b, &r, &call);
    }
}

// ---- a thread ---------------------------------------------------------------------------------------
static void add_start (build *b) {
  const build_thread *t = &b->facts->threads.data[b->thread];
  uint32_t start = add_point (b, 0, 0, (ir_loc){IR_NONE}, false), copy;
  init_build (b, start);
  if (b->thread) life_start (b);
  unsigned bits = b->program->pointer_bits;
  term function =
      b->thread ? build_get (b, build_variable (b, V_FUNCTION, b->thread, 0, bits, IR_NONE, build_number (b, bits, 0)))
                : TERM_NONE;
  for (uint32_t k = 0; k < t->procs.count; k++) {
    ir_proc proc = t->procs.data[k];
    uint32_t entry = build_entry (b, (build_copy){b->thread, START_LEVEL, 0, proc, IR_NONE, {IR_NONE}}, &copy);
    const ir_proc_data *d = ir_proc_at (b->program, proc);
    if (b->thread && d->num_params) {
      term argument =
          build_get (b, build_variable (b, V_ARGUMENT, b->thread, 0, bits, IR_NONE, build_number (b, bits, 0)));
      build_put (b, build_reg (b, copy, (ir_reg){0}), term_resize (b->terms, argument, d->regs.data[0].bits),
                 b->terms->truth);
    }
    term is_it = t->procs.count == 1 ? b->terms->truth
                                     : term_eq (b->terms, function, pointers_to (&b->facts->pointers, d->object.i, 0));
    efsm_add_exit (b->m, start, entry, term_and (b->terms, b->alive, is_it));
    if (!k) b->m->points.data[start].copy = copy;
  }
  finish (b, 0, false);
  if (!b->thread) b->m->points.data[start].opens = b->m->points.data[start].closes = false;
  b->m->threads.data[b->thread].start = start;
}

static void build_one_thread (build *b, uint32_t thread) {
  b->thread = thread;
  b->first_site = b->m->sites.count;
  vec_clear (&b->returns);
  vec_clear (&b->calls);
  b->end = add_point (b, 0, 0, (ir_loc){IR_NONE}, false);
  b->m->points.data[b->end].name = "end";
  b->m->threads.data[thread].end = b->end;
  add_start (b);
  b->m->points.data[b->end].copy = b->m->points.data[b->m->threads.data[thread].start].copy;
  while (b->work.count) {
    fill_point (b, vec_pop (&b->work));
    if (!b->work.count) link_new (b);
  }
}

// ---- the machine ------------------------------------------------------------------------------------
static void name_copies (build *b) {
  for (uint32_t c = 0; c < b->facts->copies.count; c++) {
    const build_copy *x = &b->facts->copies.data[c];
    ir_loc entry = ir_proc_at (b->program, x->proc)->entry;
    const uint64_t *at = map_find (&b->point_of, (uint64_t) c << 40 | (uint64_t) x->region << 32 | entry.i);
    vec_push (&b->m->copies, ((efsm_copy){at ? (uint32_t) *at : IR_NONE, x->proc, x->level == START_LEVEL}));
  }
  for (uint32_t t = 0; t < b->m->threads.count; t++) {
    uint32_t start = b->m->threads.data[t].start;
    b->m->copies.data[b->m->points.data[start].copy].entry = start;
  }
}

static uint32_t flag_of (const build *b, variable_kind kind, uint32_t thread) {
  const uint64_t *v = map_find (&b->variable_of, VARIABLE_KEY (kind, thread, 0));
  return v ? (uint32_t) *v : IR_NONE;
}

static void name_flags (build *b) {
  b->m->over = flag_of (b, V_OVER, 0);
  for (uint32_t t = 1; t < b->m->threads.count; t++) {
    b->m->threads.data[t].started = flag_of (b, V_STARTED, t);
    b->m->threads.data[t].gone = flag_of (b, V_GONE, t);
    b->m->threads.data[t].ended = flag_of (b, V_ENDED, t);
    b->m->threads.data[t].given[0] = flag_of (b, V_FUNCTION, t);
    b->m->threads.data[t].given[1] = flag_of (b, V_ARGUMENT, t);
  }
}

static void name_readers (build *b) {
  for (uint32_t v = 0; v < b->keys.count; v++) {
    uint64_t key = b->keys.data[v];
    if (key >> 58 != V_READS) continue;
    vec_push (&b->m->readers, ((efsm_reader){(uint32_t) (key >> 29 & KEY_MASK), (uint32_t) (key & KEY_MASK), v}));
  }
}

// Threads and heap objects whose creation the thread may execute again: several are followed, as many as the loop has
// iterations if these can be counted.
static void count_repeats (build *b) {
  uint32_t known = b->facts->made.count;
  efsm_lay_out_rounds (b->m, b->program, &b->facts->made);
  b->facts->grew |= b->facts->made.count > known;
}

static void build_release (build *b) {
  map_release (&b->variable_of);
  map_release (&b->point_of);
  map_release (&b->linked);
  map_release (&b->now);
  vec_release (&b->keys);
  vec_release (&b->places);
  vec_release (&b->work);
  vec_release (&b->returns);
  vec_release (&b->calls);
}

// ---- reasons why there is no machine ----------------------------------------------------------------
static const reason too_many_points = {
    REASON_ENGINE,
    "the program is too large for a finite-state machine: it has more than 100000 control points "
    "(--engine=explicit needs none)",
    {0}};
static const reason no_failing_calls = {
    REASON_ENGINE, "finite-state machines have no calls that may fail (--may-fail); --engine=explicit has", {0}};
static const reason unknown_sharing = {
    REASON_ENGINE,
    "which memory threads share was not known after 100 attempts to build a finite-state machine "
    "(--engine=explicit does not need it)",
    {0}};

static const reason *build_once (build_facts *f, efsm *m) {
  build b = {.facts = f, .program = f->program, .m = m, .terms = &m->terms};
  const reason *why = NULL;
  efsm_init (m);
  m->offset_bits = f->program->offset_bits;
  m->shows_waits = f->options->properties >> IR_P_DEADLOCK & 1;
  pointers_begin (&f->pointers, &m->terms);
  build_facts_begin (f);
  for (uint32_t t = 0; t < f->threads.count && !why; t++) {
    efsm_add_thread (m);
    build_one_thread (&b, t);
    why = reason_of_budget (f->options->reasons, f->options->budget);
    _Static_assert(LIMIT_MACHINE_POINTS == 100000, "the reason says so");
    if (!why && over_limit (MACHINE_POINTS, m->points.count)) why = &too_many_points;
  }
  if (!why) name_copies (&b), name_flags (&b), name_readers (&b), count_repeats (&b);
  if (!why && f->options->watch) watch_view (&b);
  if (!why && !f->grew) build_name_all (&b), crowd_name_twins (&b);
  build_release (&b);
  return why;
}

bool efsm_build (const efsm_options *o, efsm *out, const reason **why) {
  build_facts f;
  build_facts_init (&f, o);
  *why = o->may_fail ? &no_failing_calls : NULL;
  bool built = false;
  for (uint32_t k = 0; !*why && !built && !at_limit (MACHINE_BUILDS, k); k++) {
    *why = build_once (&f, out);
    built = !*why && !f.grew;
    if (!built) efsm_release (out);
  }
  if (!built && !*why) *why = &unknown_sharing;
  build_facts_release (&f);
  return built;
}
