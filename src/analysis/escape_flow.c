// The state of sources at every location: a forward data-flow analysis in which bits are only added.
//
// A procedure is analysed once per *context*: whether what its parameters point into at the call is private, is kept in
// memory, has contents from elsewhere. So a memcpy from shared into private memory does not spoil a memcpy between
// private objects. The effect of an activation on its parameters, and what is known of its result, is the summary of
// the context; when it grows, the contexts that use it are analysed again, callees first.
//
// As long as no thread was created, everything is private: procedures that prepare data for all threads and are also
// used later get contexts of their own for that.
#include "analysis/escape_impl.h"
#include "base/limits.h"

enum { LEVEL_KEPT = 1, LEVEL_MIXED = 2, LEVEL_OUT = 4, LEVEL_BITS = 3 };  // level of one parameter
#define KEY_OTHERS ((uint64_t) 1 << 63)                                   // other threads may have been created before

typedef struct escape_context {
  ir_proc proc;
  uint64_t key;  // level of parameter k at bit LEVEL_BITS * k, and KEY_OTHERS
  bool waiting;
  fate params[LIMIT_ESCAPE_PARAMETERS];  // state of the parameters at the return
  fate result;                           // state of the fresh part of the result
  bool others;                           // threads may have been created at the return
  VEC (uint32_t) users;                  // contexts that call it
} escape_context;

typedef VEC (uint32_t) id_list;
typedef struct waiting_list {
  id_list ids;
  uint32_t first;
} waiting_list;

typedef struct escape_flow {
  const allocation_sources *s;
  const ir_program *p;
  VEC (escape_context) contexts;
  id_list *of_proc;       // [proc]: contexts of the procedure
  waiting_list *waiting;  // [rank]: contexts to analyse, in the order in which they were added
  uint32_t next;          // no context of a smaller rank is waiting
  bool settled;           // all contexts are known, and their summaries are final
  uint32_t *position;     // [loc]: index in its procedure
  // The context being analysed:
  uint32_t current;
  const frame_sources *frame;
  VEC (uint64_t) states;                               // [position * state_words]
  VEC (uint8_t) reached, pending;                      // [position]
  uint64_t scratch[2][NUM_PLANES * SOURCE_WORDS + 1];  // the state after an edge; the state before a call
  uint8_t *exposed;
} escape_flow;

static uint32_t state_words (const escape_flow *w) { return NUM_PLANES * w->frame->words + 1; }

static frame_state state_in (const escape_flow *w, uint64_t *planes) {
  return (frame_state){.planes = planes, .words = w->frame->words, .num_params = w->frame->num_params};
}

static frame_state state_at_location (const escape_flow *w, ir_loc l) {
  return state_in (w, w->states.data + (size_t) state_words (w) * w->position[l.i]);
}

// ---- contexts -----------------------------------------------------------------------------------------

static void wake_context (escape_flow *w, uint32_t id) {
  escape_context *c = &w->contexts.data[id];
  uint32_t rank = calls_rank (w->s->calls, c->proc);
  CHECK (!w->settled, "the summary of a procedure should not grow any more");
  if (c->waiting) return;
  c->waiting = true;
  vec_push (&w->waiting[rank].ids, id);
  if (rank < w->next) w->next = rank;
}

static uint64_t worst_key (const frame_sources *frame) {
  uint64_t key = KEY_OTHERS;
  for (uint32_t k = 0; k < frame->num_params; k++)
    if (frame->followed >> k & 1) key |= (uint64_t) LEVEL_OUT << LEVEL_BITS * k;
  return key;
}

static uint32_t find_known_context (const escape_flow *w, ir_proc f, uint64_t key) {
  const id_list *known = &w->of_proc[f.i];
  for (uint32_t k = 0; k < known->count; k++)
    if (w->contexts.data[known->data[k]].key == key) return known->data[k];
  return IR_NONE;
}

static uint32_t find_context (escape_flow *w, ir_proc f, uint64_t key) {
  uint32_t found = find_known_context (w, f, key);
  if (found == IR_NONE && at_limit (ESCAPE_CONTEXTS, w->of_proc[f.i].count)) {
    key = worst_key (&w->s->frames[f.i]);
    found = find_known_context (w, f, key);
  }
  if (found != IR_NONE) return found;
  CHECK (!w->settled, "no way to call a procedure should be left to find");
  vec_push (&w->contexts, ((escape_context){.proc = f, .key = key}));
  vec_push (&w->of_proc[f.i], w->contexts.count - 1);
  wake_context (w, w->contexts.count - 1);
  return w->contexts.count - 1;
}

static void add_user (escape_flow *w, uint32_t id) {
  escape_context *c = &w->contexts.data[id];
  for (uint32_t k = 0; k < c->users.count; k++)
    if (c->users.data[k] == w->current) return;
  vec_push (&c->users, w->current);
}

// ---- calls --------------------------------------------------------------------------------------------

typedef struct escape_call {
  ir_edge edge;
  uint32_t num_args;  // arguments that are tracked
  origin args[LIMIT_ESCAPE_PARAMETERS];
  uint8_t levels[LIMIT_ESCAPE_PARAMETERS];
  frame_state before;
} escape_call;

static bool is_passed_twice (const escape_call *c, uint32_t k, uint32_t words) {
  for (uint32_t j = 0; j < c->num_args; j++)
    if (j != k && bits_intersect (c->args[j].objects, c->args[k].objects, words)) return true;
  return false;
}

static uint8_t argument_level (const escape_flow *w, const escape_call *c, uint32_t k) {
  const origin *o = &c->args[k];
  uint32_t words = w->frame->words;
  if (!state_is_private (&c->before, o)) return LEVEL_OUT;
  bool kept = !bits_empty (o->contents, words) ||
              bits_intersect (o->objects, state_plane (&c->before, OBJECTS_KEPT), words) ||
              is_passed_twice (c, k, words);
  bool mixed = w->s->wild_stores || !state_is_private_throughout (&c->before, o);
  return (uint8_t) ((kept ? LEVEL_KEPT : 0) | (mixed ? LEVEL_MIXED : 0));
}

static void prepare_escape_call (escape_flow *w, ir_edge e, const frame_state *s, escape_call *c) {
  uint32_t num_args = ir_edge_at (w->p, e)->num_args - 1;
  c->edge = e;
  c->num_args = over_limit (ESCAPE_PARAMETERS, num_args) ? LIMIT_ESCAPE_PARAMETERS : num_args;
  c->before = state_in (w, w->scratch[1]);
  memcpy (c->before.planes, s->planes, sizeof (uint64_t) * state_words (w));
  for (uint32_t k = 0; k < c->num_args; k++) origin_of_arg (w->s, e, k + 1, &c->args[k]);
  for (uint32_t k = 0; k < c->num_args; k++) c->levels[k] = argument_level (w, c, k);
}

static uint64_t call_context_key (const escape_call *c, const frame_sources *callee) {
  uint64_t key = *state_others (&c->before) ? KEY_OTHERS : 0;
  for (uint32_t k = 0; k < c->num_args; k++)
    if (callee->followed >> k & 1) key |= (uint64_t) c->levels[k] << LEVEL_BITS * k;
  return key;
}

// Arguments beyond the limit are not tracked: they count as passed elsewhere.
static void expose_untracked_arguments (const escape_flow *w, const escape_call *c, const frame_state *s) {
  for (uint32_t k = c->num_args + 1; k < ir_edge_at (w->p, c->edge)->num_args; k++) {
    origin o;
    origin_of_arg (w->s, c->edge, k, &o);
    state_expose (s, &o);
  }
}

static void apply_callee (escape_flow *w, const escape_call *c, ir_proc f, const frame_state *s, fate *result) {
  const frame_sources *callee = &w->s->frames[f.i];
  uint32_t id = find_context (w, f, call_context_key (c, callee));
  const escape_context *summary = &w->contexts.data[id];
  add_user (w, id);
  for (uint32_t k = 0; k < c->num_args && k < ir_proc_at (w->p, f)->num_params; k++) {
    bool followed = k < callee->num_params && callee->followed >> k & 1;
    if (followed && c->levels[k] != LEVEL_OUT) state_disturb (s, &c->args[k], summary->params[k]);
    else state_expose (s, &c->args[k]);
  }
  if (callee->result.fresh) *result |= summary->result;
  *state_others (s) |= summary->others;
}

static void forget_older_objects (const escape_flow *w, uint32_t source, const frame_state *s) {
  bool old_objects = bits_have (w->frame->old_objects, source),
       old_contents = bits_have (w->frame->old_contents, source);
  if (!old_objects) state_drop_fate (s, source, FATE_OF_OBJECTS);
  if (!old_objects && !old_contents) state_drop_fate (s, source, FATE_OF_CONTENTS);
  if (w->s->wild_stores) state_add_fate (s, source, 1 << CONTENTS_MIXED);
}

// Returns whether the call yields fresh memory that is not tracked.
static bool loses_result (const escape_flow *w, ir_edge e) {
  ir_reg dst = ir_edge_at (w->p, e)->dst;
  if (dst.i == IR_NONE || pointsto_reg (w->s->pointsto, edge_procedure (w->p, e), dst) == POINTSTO_HOLDS_NOTHING)
    return false;
  return w->s->of_edge[e.i] == IR_NONE && sources_call_shape (w->s, e).fresh;
}

// Any procedure may be called: nothing is known afterwards.
static void apply_anything (escape_flow *w, const escape_call *c, const frame_state *s, fate *result) {
  for (uint32_t k = 0; k < c->num_args; k++) state_expose (s, &c->args[k]);
  for (uint32_t f = 0; f < w->p->procs.count; f++) find_context (w, (ir_proc){f}, worst_key (&w->s->frames[f]));
  *result = FATE_OUT;
  *state_others (s) = true;
}

static void execute_escape_call (escape_flow *w, ir_edge e, const frame_state *s) {
  escape_call c;
  calls_list list = calls_of (w->s->calls, e);
  uint32_t source = w->s->of_edge[e.i];
  fate result = 0;
  prepare_escape_call (w, e, s, &c);
  if (list.anything) apply_anything (w, &c, s, &result);
  else
    for (uint32_t k = 0; k < list.count; k++) apply_callee (w, &c, list.procs[k], s, &result);
  expose_untracked_arguments (w, &c, s);
  if (loses_result (w, e)) state_expose_kept (s);  // the result may keep some of the arguments
  if (source == IR_NONE) return;
  forget_older_objects (w, source, s);
  state_add_fate (s, source, result);
}

static void execute_escape_create (escape_flow *w, ir_edge e, const frame_state *s) {
  calls_list list = calls_of (w->s->calls, e);
  origin argument;
  origin_of_arg (w->s, e, 2, &argument);
  state_expose (s, &argument);
  *state_others (s) = true;
  for (uint32_t k = 0; k < list.count; k++) find_context (w, list.procs[k], worst_key (&w->s->frames[list.procs[k].i]));
}

// ---- edges --------------------------------------------------------------------------------------------

static void execute_escape_store (escape_flow *w, ir_edge e, unsigned k, const frame_state *s) {
  origin address, value;
  if (!escape_set_used (pointsto_arg (w->s->pointsto, e, k))) return;
  origin_of_arg (w->s, e, 0, &address);
  origin_of_arg (w->s, e, k, &value);
  state_store (s, &address, &value);
}

static fate fate_of_contents (fate f) {
  bool out = f & (1 << CONTENTS_OUT | 1 << CONTENTS_MIXED);
  return (fate) (1 << OBJECTS_KEPT | 1 << CONTENTS_KEPT | (out ? FATE_OUT : 0));
}

static fate fate_of_result (const escape_flow *w, ir_edge e, const frame_state *s) {
  fate result = 0;
  origin o;
  if (!ir_edge_at (w->p, e)->num_args) return 0;
  origin_of_arg (w->s, e, 0, &o);
  for (uint32_t k = w->frame->num_params; k < w->frame->count; k++) {
    if (bits_have (o.objects, k)) result |= state_fate (s, k);
    if (bits_have (o.contents, k)) result |= fate_of_contents (state_fate (s, k));
  }
  return result;
}

static void execute_escape_return (escape_flow *w, ir_edge e, const frame_state *s) {
  escape_context *c = &w->contexts.data[w->current];
  fate more = fate_of_result (w, e, s) & ~c->result;
  bool grown = more || (*state_others (s) && !c->others);
  c->result |= more;
  c->others |= *state_others (s) != 0;
  for (uint32_t k = 0; k < w->frame->num_params; k++) {
    more = state_fate (s, k) & ~c->params[k];
    c->params[k] |= more;
    grown |= more != 0;
  }
  for (uint32_t k = 0; grown && k < c->users.count; k++) wake_context (w, c->users.data[k]);
}

static void execute_escape_edge (escape_flow *w, ir_edge e, const frame_state *s) {
  ir_op op = ir_edge_at (w->p, e)->op;
  unsigned value = escape_stored_value (op);
  if (value) execute_escape_store (w, e, value, s);
  else if (op == IR_CALL) execute_escape_call (w, e, s);
  else if (op == IR_THREAD_CREATE) execute_escape_create (w, e, s);
  else if (op == IR_RETURN) execute_escape_return (w, e, s);
  else if (op == IR_ALLOC && w->s->of_edge[e.i] != IR_NONE) forget_older_objects (w, w->s->of_edge[e.i], s);
}

// ---- one context --------------------------------------------------------------------------------------

static void arrive_at_location (escape_flow *w, ir_loc l, const frame_state *s) {
  uint32_t at = w->position[l.i];
  bool grew = bits_unite (state_at_location (w, l).planes, s->planes, state_words (w));
  if (w->reached.data[at] && !grew) return;
  w->reached.data[at] = w->pending.data[at] = true;
}

static void leave_escape_location (escape_flow *w, ir_loc l) {
  const ir_loc_data *loc = ir_loc_at (w->p, l);
  frame_state s = state_in (w, w->scratch[0]);
  for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
    memcpy (s.planes, state_at_location (w, l).planes, sizeof (uint64_t) * state_words (w));
    execute_escape_edge (w, (ir_edge){e}, &s);
    if (w->p->edges.data[e].to.i != IR_NONE) arrive_at_location (w, w->p->edges.data[e].to, &s);
  }
}

static void enter_escape_context (escape_flow *w, ir_loc entry) {
  const escape_context *c = &w->contexts.data[w->current];
  frame_state s = state_in (w, w->scratch[0]);
  memset (s.planes, 0, sizeof (uint64_t) * state_words (w));
  *state_others (&s) = (c->key & KEY_OTHERS) != 0;
  for (uint32_t k = 0; k < w->frame->num_params; k++) {
    unsigned level = c->key >> LEVEL_BITS * k & (LEVEL_KEPT | LEVEL_MIXED | LEVEL_OUT);
    state_add_fate (&s, k,
                    (fate) ((level & LEVEL_KEPT ? 1 << OBJECTS_KEPT : 0) |
                            (level & LEVEL_MIXED ? 1 << CONTENTS_MIXED : 0) | (level & LEVEL_OUT ? FATE_OUT : 0)));
  }
  arrive_at_location (w, entry, &s);
}

static void run_context (escape_flow *w, uint32_t id) {
  const ir_proc_data *d = ir_proc_at (w->p, w->contexts.data[id].proc);
  w->current = id;
  w->frame = &w->s->frames[w->contexts.data[id].proc.i];
  w->contexts.data[id].waiting = false;
  vec_reserve (&w->states, d->locs.count * state_words (w));
  vec_reserve (&w->reached, d->locs.count);
  vec_reserve (&w->pending, d->locs.count);
  memset (w->states.data, 0, sizeof (uint64_t) * d->locs.count * state_words (w));
  memset (w->reached.data, 0, d->locs.count);
  memset (w->pending.data, 0, d->locs.count);
  enter_escape_context (w, d->entry);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = 0; k < d->locs.count; k++) {
      if (!w->pending.data[k]) continue;
      w->pending.data[k] = false;
      again = true;
      leave_escape_location (w, d->locs.data[k]);
    }
  }
}

// Runs the waiting contexts, callees first; procedures that call each other take turns.
static void run_waiting (escape_flow *w) {
  while (w->next < w->p->procs.count) {
    waiting_list *list = &w->waiting[w->next];
    if (list->first < list->ids.count) {
      run_context (w, list->ids.data[list->first++]);
      continue;
    }
    vec_clear (&list->ids);
    list->first = 0;
    w->next++;
  }
}

// ---- answers ------------------------------------------------------------------------------------------

static void expose_operands (escape_flow *w, ir_edge e, const frame_state *s) {
  const ir_edge_data *d = ir_edge_at (w->p, e);
  for (uint32_t k = 0; k < d->num_args; k++) {
    origin o;
    if (w->exposed[d->first_arg + k]) continue;
    origin_of_arg (w->s, e, k, &o);
    w->exposed[d->first_arg + k] = !state_is_private (s, &o);
  }
}

// Marks operands as exposed: computes the states of a context once more, now that summaries are final.
static void expose_in (escape_flow *w, uint32_t id) {
  run_context (w, id);
  const ir_proc_data *d = ir_proc_at (w->p, w->contexts.data[id].proc);
  for (uint32_t k = 0; k < d->locs.count; k++) {
    const ir_loc_data *loc = ir_loc_at (w->p, d->locs.data[k]);
    frame_state s = state_at_location (w, d->locs.data[k]);
    if (!w->reached.data[k] || !*state_others (&s)) continue;
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) expose_operands (w, (ir_edge){e}, &s);
  }
}

static void escape_flow_init (escape_flow *w, const allocation_sources *s, uint8_t *exposed) {
  const ir_program *p = s->program;
  *w = (escape_flow){.s = s, .p = p, .exposed = exposed};
  w->of_proc = mem_zalloc (sizeof (id_list) * p->procs.count);
  w->waiting = mem_zalloc (sizeof (waiting_list) * p->procs.count);
  w->position = mem_zalloc (sizeof (uint32_t) * p->locs.count);
  for (uint32_t k = 0; k < p->procs.count; k++) {
    const ir_proc_data *d = &p->procs.data[k];
    for (uint32_t l = 0; l < d->locs.count; l++) w->position[d->locs.data[l].i] = l;
  }
}

static void escape_flow_release (escape_flow *w) {
  for (uint32_t k = 0; k < w->contexts.count; k++) vec_release (&w->contexts.data[k].users);
  for (uint32_t k = 0; k < w->p->procs.count; k++) {
    vec_release (&w->of_proc[k]);
    vec_release (&w->waiting[k].ids);
  }
  vec_release (&w->contexts);
  mem_free (w->of_proc, sizeof (id_list) * w->p->procs.count);
  mem_free (w->waiting, sizeof (waiting_list) * w->p->procs.count);
  mem_free (w->position, sizeof (uint32_t) * w->p->locs.count);
  vec_release (&w->states);
  vec_release (&w->reached);
  vec_release (&w->pending);
}

void escape_find_exposed (const allocation_sources *s, uint8_t *exposed) {
  escape_flow w;
  escape_flow_init (&w, s, exposed);
  find_context (&w, s->program->start, 0);
  run_waiting (&w);
  w.settled = true;
  for (uint32_t k = 0; k < w.contexts.count; k++) expose_in (&w, k);
  escape_flow_release (&w);
}
