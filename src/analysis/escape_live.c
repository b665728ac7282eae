// An edge in a loop gives a new object each time.  What is known of the older ones may be forgotten if no register that is still
// used can point into them.  So: which registers are live (used before they get a new value) behind each such edge?  Only
// registers whose origin is such a source are looked at.
#include "analysis/escape_impl.h"

typedef struct liveness {
  const sources *s;
  const ir_program *p;
  ir_proc proc;
  frame_sources *frame;
  uint64_t *repeated;  // set of sources whose edge may be taken again
  uint32_t *number;    // [register]: its bit, IR_NONE: not looked at
  VEC (ir_reg) regs;   // by bit
  uint32_t words;
  uint64_t *at_loc;    // [words * position of the location in the procedure]
  uint32_t *position;  // [location - smallest]: in the procedure's list
  uint32_t smallest, span;
} liveness;

static uint64_t *live_at (const liveness *v, ir_loc l) {
  return v->at_loc + (size_t) v->words * v->position[l.i - v->smallest];
}

// ---- what is looked at -----------------------------------------------------------------------------------------

static bool find_repeated (liveness *v) {
  bool found = false;
  for (uint32_t k = 0; k < v->frame->edges.count; k++) {
    if (!calls_repeats (v->s->calls, (ir_edge){v->frame->edges.data[k]})) continue;
    bits_add (v->repeated, v->frame->num_params + k);
    found = true;
  }
  return found;
}

static void choose_regs (liveness *v) {
  uint32_t words = v->frame->words;
  for (uint32_t r = 0; r < v->frame->num_regs; r++) {
    bool meets = bits_meet (reg_objects (v->frame, (ir_reg){r}), v->repeated, words) ||
                 bits_meet (reg_contents (v->frame, (ir_reg){r}), v->repeated, words);
    v->number[r] = meets ? v->regs.count : IR_NONE;
    if (meets) vec_push (&v->regs, (ir_reg){r});
  }
  v->words = (v->regs.count + 63) / 64;
}

static void place_locs (liveness *v) {
  const ir_proc_data *d = ir_proc_at (v->p, v->proc);
  uint32_t largest = 0;
  v->smallest = IR_NONE;
  for (uint32_t k = 0; k < d->locs.count; k++) {
    uint32_t l = d->locs.data[k].i;
    if (l < v->smallest) v->smallest = l;
    if (l > largest) largest = l;
  }
  v->span = largest - v->smallest + 1;
  v->position = mem_zalloc (sizeof (uint32_t) * v->span);
  for (uint32_t k = 0; k < d->locs.count; k++) v->position[d->locs.data[k].i - v->smallest] = k;
  v->at_loc = mem_zalloc (sizeof (uint64_t) * v->words * d->locs.count);
}

// ---- backwards -------------------------------------------------------------------------------------------------

static bool use_expr (const liveness *v, ir_expr x, uint64_t *live) {
  const ir_expr_node *n = ir_expr_at (v->p, x);
  bool grew = false;
  if (n->op == IR_X_REG && v->number[n->reg.i] != IR_NONE) {
    grew = !bits_have (live, v->number[n->reg.i]);
    bits_add (live, v->number[n->reg.i]);
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) grew |= use_expr (v, n->arg[k], live);
  return grew;
}

static uint64_t bit_of (const liveness *v, ir_reg r, uint32_t word) {
  uint32_t number = r.i == IR_NONE ? IR_NONE : v->number[r.i];
  return number != IR_NONE && number / 64 == word ? (uint64_t) 1 << number % 64 : 0;
}

static bool step_back (const liveness *v, const ir_edge_data *e) {
  uint64_t *live = live_at (v, e->from);
  bool grew = false;
  for (uint32_t k = 0; k < e->num_args; k++) grew |= use_expr (v, v->p->args.data[e->first_arg + k], live);
  if (e->to.i == IR_NONE) return grew;
  const uint64_t *behind = live_at (v, e->to);
  for (uint32_t w = 0; w < v->words; w++) {
    uint64_t kept = behind[w] & ~bit_of (v, e->dst, w) & ~bit_of (v, e->dst2, w);
    grew |= (kept & ~live[w]) != 0;
    live[w] |= kept;
  }
  return grew;
}

static void find_live (liveness *v) {
  const ir_proc_data *d = ir_proc_at (v->p, v->proc);
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t k = d->locs.count; k-- > 0;) {
      const ir_loc_data *loc = ir_loc_at (v->p, d->locs.data[k]);
      for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++)
        grew |= step_back (v, &v->p->edges.data[e]);
    }
  }
}

// ---- the answer ------------------------------------------------------------------------------------------------

static void keep_old (liveness *v, uint32_t source, const uint64_t *objects, const uint64_t *contents) {
  if (bits_have (objects, source)) bits_add (v->frame->old_objects, source);
  if (bits_have (contents, source)) bits_add (v->frame->old_contents, source);
}

// A callee may hand back an older object that it was given.
static void keep_passed (liveness *v, uint32_t source, ir_edge e) {
  result_shape shape = sources_call_shape (v->s, e);
  origin passed;
  origin_of_passed (v->s, e, &shape, &passed);
  keep_old (v, source, passed.objects, passed.contents);
}

static void find_survivors_of (liveness *v, uint32_t source) {
  ir_edge e = {v->frame->edges.data[source - v->frame->num_params]};
  const ir_edge_data *d = ir_edge_at (v->p, e);
  const uint64_t *live = live_at (v, d->to);
  for (uint32_t k = 0; k < v->regs.count; k++) {
    ir_reg r = v->regs.data[k];
    if (r.i != d->dst.i && bits_have (live, k))
      keep_old (v, source, reg_objects (v->frame, r), reg_contents (v->frame, r));
  }
  if (d->op == IR_CALL) keep_passed (v, source, e);
}

void sources_find_survivors (sources *s, ir_proc f) {
  frame_sources *frame = &s->frames[f.i];
  liveness v = {.s = s, .p = s->program, .proc = f, .frame = frame};
  frame->old_objects = mem_zalloc (sizeof (uint64_t) * 2 * frame->words);
  frame->old_contents = frame->old_objects + frame->words;
  v.repeated = mem_zalloc (sizeof (uint64_t) * frame->words);
  if (find_repeated (&v)) {
    v.number = mem_zalloc (sizeof (uint32_t) * frame->num_regs);
    choose_regs (&v);
    place_locs (&v);
    find_live (&v);
    for (uint32_t k = frame->num_params; k < frame->count; k++)
      if (bits_have (v.repeated, k)) find_survivors_of (&v, k);
    mem_free (v.number, sizeof (uint32_t) * frame->num_regs);
    mem_free (v.position, sizeof (uint32_t) * v.span);
    mem_free (v.at_loc, sizeof (uint64_t) * v.words * ir_proc_at (s->program, f)->locs.count);
    vec_release (&v.regs);
  }
  mem_free (v.repeated, sizeof (uint64_t) * frame->words);
}
