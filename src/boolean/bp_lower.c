// Lowers a Boolean program: adds objects for globals, a procedure for each location at which a thread can start, and
// the locations of these procedures.
#include "base/diag.h"
#include "base/limits.h"
#include "boolean/bp_lower_impl.h"

// ---- functions for statements ------------------------------------------------------------------------------

ir_loc lower_loc (bp_lowering *w, bp_loc l) {
  bool is_new;
  uint64_t *made = map_insert (&w->locs, l.i, 0, &is_new);
  if (!is_new) return (ir_loc){(uint32_t) *made};
  ir_loc to = ir_add_loc (w->out, w->proc);
  *made = to.i;
  const char *label = bp_loc_at (w->p, l)->label;
  if (label) ir_loc_at (w->out, to)->label = arena_strdup (w->out->arena, label);
  vec_push (&w->work, l);
  return to;
}

ir_edge lower_edge_to (bp_lowering *w, ir_op op, ir_loc to) {
  ir_edge e = ir_add_edge (w->out, op, w->at, to);
  ir_edge_at (w->out, e)->pos = w->pos;
  ir_edge_at (w->out, e)->statement = w->statement;
  return e;
}

ir_edge lower_edge (bp_lowering *w, ir_op op) {
  ir_loc to = ir_add_loc (w->out, w->proc);
  ir_edge e = lower_edge_to (w, op, to);
  w->at = to;
  return e;
}

void lower_goto (bp_lowering *w, bp_loc l) { lower_edge_to (w, IR_NOP, lower_loc (w, l)); }

void lower_assign_reg (bp_lowering *w, ir_reg r, ir_expr value) {
  ir_edge e = lower_edge (w, IR_ASSIGN);
  ir_edge_at (w->out, e)->dst = r;
  ir_add_arg (w->out, e, value);
}

ir_reg lower_local (bp_lowering *w, bp_var v) {
  if (w->local[v.i].i == IR_NONE) w->local[v.i] = ir_add_reg (w->out, w->proc, 1, bp_var_at (w->p, v)->shown);
  return w->local[v.i];
}

// ---- objects -----------------------------------------------------------------------------------------------

// Returns the position with a file name of the result, since the Boolean program, which owns the strings of its
// positions, may be freed earlier.
ir_position lower_position (const bp_lowering *w, ir_position pos) {
  pos.file = pos.file ? w->out->files.data[0] : NULL;
  return pos;
}

static void lower_objects (bp_lowering *w) {
  ir_type type = ir_add_type (w->out, IR_T_BOOL, "bool", 1);
  for (uint32_t v = 0; v < w->p->vars.count; v++) {
    const bp_variable *var = &w->p->vars.data[v];
    if (!var->global) continue;
    w->object[v] = ir_add_object (w->out, var->shown, IR_O_GLOBAL, 1);
    ir_object_data *d = ir_object_at (w->out, w->object[v]);
    d->align = 1, d->type = type, d->pos = lower_position (w, var->pos);
  }
  w->handle = ir_add_object (w->out, "thread", IR_O_GLOBAL, 8);
  ir_object_at (w->out, w->handle)->align = 8;
  ir_object_at (w->out, w->handle)->internal = true;
}

// ---- procedures --------------------------------------------------------------------------------------------

static void set_unknown_value (bp_lowering *w, bp_var v) {
  ir_expr value = lower_choice (w, v.i);
  if (bp_var_at (w->p, v)->global) lower_store (w, v, value);
  else lower_assign_reg (w, lower_local (w, v), value);
}

// Begins the first thread: gives arbitrary values to variables that are read before they are assigned.
static void begin_first_procedure (bp_lowering *w) {
  for (uint32_t v = 0; v < w->p->vars.count; v++)
    if (bp_is_live (&w->live, w->p->start, (bp_var){v})) set_unknown_value (w, (bp_var){v});
}

// Begins a new thread: takes the values of its locals from the argument, and detaches the thread, since no thread joins
// it.
static void begin_thread_procedure (bp_lowering *w, bp_loc start) {
  ir_expr argument = ir_use (w->out, w->proc, (ir_reg){0});
  uint32_t k = 0;
  for (uint32_t v = 0; v < w->p->vars.count; v++) {
    if (w->p->vars.data[v].global || !bp_is_live (&w->live, start, (bp_var){v})) continue;
    ir_expr shifted = ir_binary (w->out, IR_X_LSHR, argument, ir_const (w->out, 64, k++));
    lower_assign_reg (w, lower_local (w, (bp_var){v}), ir_unary (w->out, IR_X_TRUNC, 1, shifted));
  }
  ir_reg self = ir_add_reg (w->out, w->proc, 64, NULL);
  ir_edge e = lower_edge (w, IR_THREAD_SELF);
  ir_edge_at (w->out, e)->dst = self;
  e = lower_edge (w, IR_THREAD_DETACH);
  ir_edge_at (w->out, e)->aux = IR_UNSEEN;
  ir_add_arg (w->out, e, ir_use (w->out, w->proc, self));
}

static void fill_proc (bp_lowering *w, ir_proc proc, bp_loc start, bool first) {
  w->proc = proc;
  w->pos = lower_position (w, bp_loc_at (w->p, start)->pos);
  w->statement = 0;
  map_clear (&w->locs);
  for (uint32_t v = 0; v < w->p->vars.count; v++) w->local[v].i = IR_NONE;
  w->at = ir_add_loc (w->out, proc);
  ir_proc_data *d = ir_proc_at (w->out, proc);
  d->entry = w->at;
  d->pos = w->pos;
  if (first) begin_first_procedure (w);
  else begin_thread_procedure (w, start);
  lower_goto (w, start);
  while (w->work.count) lower_step (w, vec_pop (&w->work));
}

static bool check_passed_locals (const bp_lowering *w, const bp_location *d) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < w->p->vars.count; v++)
    count += !w->p->vars.data[v].global && bp_is_live (&w->live, d->thread, (bp_var){v});
  if (!over_limit (BOOLEAN_HANDED_ON, count)) return true;  // each is one bit of the thread's argument
  diag_error (d->pos.file, d->pos.line, d->pos.column,
              "the new thread needs %u of its creator's locals; at most %d can be passed", count,
              LIMIT_BOOLEAN_HANDED_ON);
  return false;
}

// Adds an empty procedure for each location at which threads start.
static bool declare_threads (bp_lowering *w) {
  for (uint32_t l = 0; l < w->p->locs.count; l++) {
    const bp_location *d = &w->p->locs.data[l];
    if (!d->reached || d->kind != BP_START_THREAD || w->thread[d->thread.i].i != IR_NONE) continue;
    if (!check_passed_locals (w, d)) return false;
    const bp_location *start = bp_loc_at (w->p, d->thread);
    ir_proc proc = ir_add_proc (w->out, start->label ? start->label : start->procedure ? start->procedure : "thread");
    ir_add_reg (w->out, proc, 64, NULL);
    ir_proc_at (w->out, proc)->num_params = 1;
    ir_proc_at (w->out, proc)->result_bits = 64;
    w->thread[d->thread.i] = proc;
    vec_push (&w->starts, d->thread);
  }
  return true;
}

static bool lower_all (bp_lowering *w) {
  vec_push (&w->out->files, arena_strdup (w->out->arena, w->p->file));
  lower_objects (w);
  w->out->start = ir_add_proc (w->out, "main");
  if (!declare_threads (w)) return false;
  fill_proc (w, w->out->start, w->p->start, true);
  for (uint32_t i = 0; i < w->starts.count; i++)
    fill_proc (w, w->thread[w->starts.data[i].i], w->starts.data[i], false);
  ir_finish (w->out);
  return true;
}

ir_program *bp_lower (const bp_program *p) {
  uint32_t vars = p->vars.count, locs = p->locs.count;
  bp_lowering w = {.p = p,
                   .out = ir_program_new (),
                   .object = mem_zalloc (sizeof *w.object * vars),
                   .local = mem_zalloc (sizeof *w.local * vars),
                   .thread = mem_alloc (sizeof *w.thread * locs)};
  for (uint32_t l = 0; l < locs; l++) w.thread[l].i = IR_NONE;
  bp_find_live (&w.live, p);
  bool good = lower_all (&w);
  dataflow_release (&w.live);
  mem_free (w.object, sizeof *w.object * vars);
  mem_free (w.local, sizeof *w.local * vars);
  mem_free (w.thread, sizeof *w.thread * locs);
  map *maps[] = {&w.locs, &w.now, &w.after, &w.choice, &w.built};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_release (maps[i]);
  vec_release (&w.leaves);
  vec_release (&w.starts);
  vec_release (&w.work);
  if (good) return w.out;
  ir_program_free (w.out);
  return NULL;
}
