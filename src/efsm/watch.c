// What a formula observes (build.h): the edges at which the observed location of a thread changes, and the terms from
// which an observed state is read.
//
// One more thread, the observer, reads the observed bytes. So they count as shared: each step that changes them gets a
// control point of its own.
#include "efsm/build_impl.h"

// The formula does not distinguish locations of one class.
static uint64_t location_class (const build_facts *f, ir_loc l) { return f->options->watch->class_of.data[l.i]; }

static bool is_internal (const build_facts *f, ir_loc l) {
  return ir_proc_at (f->program, ir_loc_at (f->program, l)->proc)->internal;
}

// ---- edges ------------------------------------------------------------------------------------------
// While a thread executes a library function, its observed location is that of the call.
static bool call_shows (const build_facts *f, const ir_edge_data *d, ir_proc callee) {
  if (callee.i == IR_NONE) return true;
  const ir_proc_data *to = ir_proc_at (f->program, callee);
  if (to->internal) return false;
  return is_internal (f, d->from) || location_class (f, d->from) != location_class (f, to->entry);
}

static bool return_to_shows (const build_facts *f, const ir_edge_data *from, const ir_edge_data *call) {
  bool in_library = is_internal (f, from->from), to_library = is_internal (f, call->from);
  if (to_library) return !in_library;
  return location_class (f, in_library ? call->from : from->from) != location_class (f, call->to);
}

static bool return_shows (const build_facts *f, const ir_edge_data *d) {
  const ir_program *p = f->program;
  for (uint32_t e = 0; e < p->edges.count; e++) {
    ir_proc callee;
    if (!is_call_of (p, &p->edges.data[e], &callee)) continue;
    if (callee.i != IR_NONE && callee.i != ir_loc_at (p, d->from)->proc.i) continue;
    if (return_to_shows (f, d, &p->edges.data[e])) return true;
  }
  return false;
}

static bool edge_shows (const build_facts *f, const ir_edge_data *d) {
  ir_proc callee;
  if (is_call_of (f->program, d, &callee)) return call_shows (f, d, callee);
  if (d->op == IR_RETURN) return return_shows (f, d);
  return d->to.i != IR_NONE && !is_internal (f, d->from) && location_class (f, d->from) != location_class (f, d->to);
}

void watch_find_edges (build_facts *f) {
  for (uint32_t e = 0; e < f->program->edges.count; e++)
    vec_push (&f->shows, edge_shows (f, &f->program->edges.data[e]));
}

bool watch_shows (const build *b, ir_edge e) { return b->facts->options->watch && b->facts->shows.data[e.i]; }

bool watch_branch_shows (const build *b, ir_loc l) {
  const ir_loc_data *at = ir_loc_at (b->program, l);
  for (uint32_t k = 0; k < at->num_edges; k++)
    if (watch_shows (b, (ir_edge){at->first_edge + k})) return true;
  return false;
}

// ---- states -----------------------------------------------------------------------------------------
static term read_bytes (build *b, const efsm_bytes *x) {
  targets one = {0};
  vec_push (&one.list,
            ((target){.condition = b->terms->truth, .object = x->object.i, .offset = build_number (b, 32, x->offset)}));
  term value = store_read (b, &one, 0, x->bytes).value;
  pointers_release_targets (&one);
  return value;
}

static term observed_value (const build *b, variable_kind kind, uint32_t number, term otherwise) {
  const uint64_t *v = map_find (&b->variable_of, VARIABLE_KEY (kind, number, 0));
  return v ? b->m->variables.data[*v].now : otherwise;
}

void watch_view (build *b) {
  const efsm_watch *w = b->facts->options->watch;
  efsm_view *v = &b->m->view;
  map_clear (&b->now);
  b->point = b->m->threads.data[0].start;
  b->thread = OBSERVER;
  for (uint32_t k = 0; k < w->bytes.count; k++) vec_push (&v->bytes, read_bytes (b, &w->bytes.data[k]));
  for (uint32_t t = 0; t < b->m->threads.count; t++)
    vec_push (&v->started, t ? observed_value (b, V_STARTED, t, b->terms->falsity) : b->terms->truth);
}
