// Which registers of a procedure are still read behind a location.  Computed per procedure when first asked for, backwards over its edges
// until nothing changes.
#include "verdict/verdict_impl.h"

typedef struct proc_live {
  uint64_t *at;    // [words * position of the location]
  uint32_t words;  // 0: not computed
} proc_live;

struct live_registers {
  const ir_program *program;
  proc_live *procs;
  uint32_t *position;  // of a location among those of its procedure
};

live_registers *live_new (const ir_program *p) {
  live_registers *l = mem_zalloc (sizeof *l);
  l->program = p;
  l->procs = mem_zalloc (p->procs.count * sizeof *l->procs);
  l->position = mem_zalloc (p->locs.count * sizeof *l->position);
  for (uint32_t f = 0; f < p->procs.count; f++)
    for (uint32_t k = 0; k < p->procs.data[f].locs.count; k++) l->position[p->procs.data[f].locs.data[k].i] = k;
  return l;
}

static size_t bytes_of (const live_registers *l, uint32_t f) {
  return sizeof (uint64_t) * l->procs[f].words * l->program->procs.data[f].locs.count;
}

void live_free (live_registers *l) {
  const ir_program *p = l->program;
  for (uint32_t f = 0; f < p->procs.count; f++)
    if (l->procs[f].words) mem_free (l->procs[f].at, bytes_of (l, f));
  mem_free (l->procs, p->procs.count * sizeof *l->procs);
  mem_free (l->position, p->locs.count * sizeof *l->position);
  mem_free (l, sizeof *l);
}

static uint64_t *set_at (const live_registers *l, const proc_live *f, ir_loc at) {
  return f->at + (size_t) f->words * l->position[at.i];
}

static bool use (const ir_program *p, ir_expr x, uint64_t *set) {
  const ir_expr_node *n = ir_expr_at (p, x);
  bool grew = false;
  if (n->op == IR_X_REG) {
    uint64_t bit = UINT64_C (1) << n->reg.i % 64;
    grew = !(set[n->reg.i / 64] & bit);
    set[n->reg.i / 64] |= bit;
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) grew |= use (p, n->arg[k], set);
  return grew;
}

static uint64_t without (uint64_t word, uint32_t index, ir_reg r) {
  return r.i != IR_NONE && r.i / 64 == index ? word & ~(UINT64_C (1) << r.i % 64) : word;
}

static bool step_back (const live_registers *l, const proc_live *f, const ir_edge_data *e) {
  uint64_t *set = set_at (l, f, e->from);
  bool grew = false;
  for (uint32_t k = 0; k < e->num_args; k++) grew |= use (l->program, l->program->args.data[e->first_arg + k], set);
  if (e->to.i == IR_NONE) return grew;
  const uint64_t *behind = set_at (l, f, e->to);
  for (uint32_t w = 0; w < f->words; w++) {
    uint64_t kept = without (without (behind[w], w, e->dst), w, e->dst2);
    grew |= (kept & ~set[w]) != 0;
    set[w] |= kept;
  }
  return grew;
}

static void compute (live_registers *l, uint32_t number) {
  const ir_proc_data *d = &l->program->procs.data[number];
  proc_live *f = &l->procs[number];
  f->words = d->regs.count / 64 + 1;
  f->at = mem_zalloc (bytes_of (l, number));
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t k = d->locs.count; k-- > 0;) {
      const ir_loc_data *at = ir_loc_at (l->program, d->locs.data[k]);
      for (uint32_t e = at->first_edge; e < at->first_edge + at->num_edges; e++)
        grew |= step_back (l, f, &l->program->edges.data[e]);
    }
  }
}

bool live_at (live_registers *l, ir_loc at, ir_reg r) {
  uint32_t number = ir_loc_at (l->program, at)->proc.i;
  if (!l->procs[number].words) compute (l, number);
  return set_at (l, &l->procs[number], at)[r.i / 64] >> r.i % 64 & 1;
}
