// An edge in a loop gives a new object each time. The state of its older objects may be dropped if no register that is
// live after the edge can point into them. Only registers whose origin is such an edge are tracked.
#include "analysis/escape_impl.h"
#include "analysis/live_registers.h"

typedef struct survival {
  const allocation_sources *s;
  const ir_program *p;
  frame_sources *frame;
  uint64_t *repeated;  // set of sources whose edge may be taken again
  uint32_t *number;    // [register]: its bit, IR_NONE: not tracked
  VEC (ir_reg) regs;   // tracked registers, by bit
  proc_liveness live;  // liveness of these registers
} survival;

// ---- tracked registers --------------------------------------------------------------------------------

static bool find_repeated (survival *v) {
  bool found = false;
  for (uint32_t k = 0; k < v->frame->edges.count; k++) {
    if (!calls_repeats (v->s->calls, (ir_edge){v->frame->edges.data[k]})) continue;
    bits_add (v->repeated, v->frame->num_params + k);
    found = true;
  }
  return found;
}

static void choose_regs (survival *v) {
  uint32_t words = v->frame->words;
  for (uint32_t r = 0; r < v->frame->num_regs; r++) {
    bool meets = bits_intersect (reg_objects (v->frame, (ir_reg){r}), v->repeated, words) ||
                 bits_intersect (reg_contents (v->frame, (ir_reg){r}), v->repeated, words);
    v->number[r] = meets ? v->regs.count : IR_NONE;
    if (meets) vec_push (&v->regs, (ir_reg){r});
  }
}

// ---- the answer ---------------------------------------------------------------------------------------

static void keep_old (survival *v, uint32_t source, const uint64_t *objects, const uint64_t *contents) {
  if (bits_have (objects, source)) bits_add (v->frame->old_objects, source);
  if (bits_have (contents, source)) bits_add (v->frame->old_contents, source);
}

// A callee may return an older object that it got as an argument.
static void keep_passed (survival *v, uint32_t source, ir_edge e) {
  result_shape shape = sources_call_shape (v->s, e);
  origin passed;
  origin_of_passed (v->s, e, &shape, &passed);
  keep_old (v, source, passed.objects, passed.contents);
}

static void find_survivors_of (survival *v, uint32_t source) {
  ir_edge e = {v->frame->edges.data[source - v->frame->num_params]};
  const ir_edge_data *d = ir_edge_at (v->p, e);
  for (uint32_t k = 0; k < v->regs.count; k++) {
    ir_reg r = v->regs.data[k];
    if (r.i != d->dst.i && proc_liveness_at (&v->live, d->to, k))
      keep_old (v, source, reg_objects (v->frame, r), reg_contents (v->frame, r));
  }
  if (d->op == IR_CALL) keep_passed (v, source, e);
}

void sources_find_survivors (allocation_sources *s, ir_proc f) {
  frame_sources *frame = &s->frames[f.i];
  survival v = {.s = s, .p = s->program, .frame = frame};
  frame->old_objects = mem_zalloc (sizeof (uint64_t) * 2 * frame->words);
  frame->old_contents = frame->old_objects + frame->words;
  v.repeated = mem_zalloc (sizeof (uint64_t) * frame->words);
  if (find_repeated (&v)) {
    v.number = mem_zalloc (sizeof (uint32_t) * frame->num_regs);
    choose_regs (&v);
    proc_liveness_find (&v.live, v.p, f, v.number, v.regs.count);
    for (uint32_t k = frame->num_params; k < frame->count; k++)
      if (bits_have (v.repeated, k)) find_survivors_of (&v, k);
    mem_free (v.number, sizeof (uint32_t) * frame->num_regs);
    proc_liveness_release (&v.live);
    vec_release (&v.regs);
  }
  mem_free (v.repeated, sizeof (uint64_t) * frame->words);
}
