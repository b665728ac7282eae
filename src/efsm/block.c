// Values within a point: the value of a variable is the term that the point last assigned to it, or the term that
// stands for its value when the step begins.
#include "efsm/build_impl.h"

bool build_selected (const build *b, ir_property p) { return b->facts->options->properties >> p & 1; }
term build_number (build *b, unsigned bits, uint64_t value) { return term_const (b->terms, bits, value); }

// ---- variables --------------------------------------------------------------------------------------
uint32_t build_variable (build *b, variable_kind kind, uint32_t x, uint32_t y, unsigned bits, uint32_t owner,
                         term initial) {
  uint64_t key = VARIABLE_KEY (kind, x, y), *found = map_find (&b->variable_of, key);
  if (found) return (uint32_t) *found;
  uint32_t v = efsm_add_variable (b->m, bits, owner, initial, NULL);
  map_insert (&b->variable_of, key, v, NULL);
  vec_push (&b->keys, key);
  if (initial.i != TERM_NONE.i) build_facts_hold (b->facts, key, pointers_in (&b->facts->pointers, initial));
  const uint64_t *set = map_find (&b->facts->holds, key);
  map_insert (&b->facts->pointers.of_variable, b->m->variables.data[v].now.i, set ? *set : IDSET_EMPTY, NULL);
  return v;
}

// A race is possible also for memory whose value never changes.
static void note_touch (build *b, uint32_t variable, bool write) {
  uint64_t kind = b->keys.data[variable] >> 58;
  if (!build_selected (b, IR_P_RACE) || (kind != V_CELL && kind != V_ALIVE)) return;
  efsm_point *p = &b->m->points.data[b->point];
  for (uint32_t k = 0; k < p->touches.count; k++)
    if (p->touches.data[k].variable == variable) {
      p->touches.data[k].written |= write;
      return;
    }
  vec_push (&p->touches, ((efsm_touch){variable, write}));
}

static void note_use (build *b, uint32_t variable, bool write) {
  if (b->m->variables.data[variable].owner != IR_NONE) return;
  note_touch (b, variable, write);
  b->shared = true;
  b->writes |= write;
}

term build_get (build *b, uint32_t variable) {
  note_use (b, variable, false);
  const uint64_t *now = map_find (&b->now, variable);
  return now ? (term){(uint32_t) *now} : b->m->variables.data[variable].now;
}

void build_put (build *b, uint32_t variable, term value, term condition) {
  if (term_is_false (b->terms, condition)) return;
  note_use (b, variable, true);
  build_facts_hold (b->facts, b->keys.data[variable], pointers_in (&b->facts->pointers, value));
  term old = term_is_true (b->terms, condition) ? value : build_get (b, variable);
  *map_insert (&b->now, variable, 0, NULL) = term_ite (b->terms, condition, value, old).i;
}

uint32_t build_reg (build *b, uint32_t copy, ir_reg r) {
  const build_copy *c = &b->facts->copies.data[copy];
  unsigned bits = ir_proc_at (b->program, c->proc)->regs.data[r.i].bits;
  return build_variable (b, V_REG, copy, r.i, bits, c->thread, build_number (b, bits, 0));
}

// ---- whether the thread goes on ---------------------------------------------------------------------
static efsm_point *here (build *b) { return &b->m->points.data[b->point]; }

void build_require (build *b, term condition) { b->alive = term_and (b->terms, b->alive, condition); }

static void lose (build *b, term condition, const char *what, bool is_cut) {
  term lost = term_and (b->terms, b->alive, condition);
  if (!term_is_false (b->terms, lost)) vec_push (&here (b)->losses, ((efsm_loss){lost, what, is_cut, b->edge}));
  build_require (b, term_not (b->terms, condition));
}

void build_doubt (build *b, term condition, const char *what) { lose (b, condition, what, false); }
void build_cut (build *b, term condition, const char *what) { lose (b, condition, what, true); }

static void add_goal (build *b, ir_property p, term condition) {
  if (!term_is_false (b->terms, condition)) vec_push (&here (b)->goals, ((efsm_goal){p, condition, b->step, b->edge}));
}

void build_goal (build *b, ir_property p, term wrong) {
  if (build_selected (b, p)) add_goal (b, p, term_and (b->terms, b->alive, wrong));
  else if (ir_end_of_undefined (p)) build_doubt (b, wrong, ir_end_of_undefined (p));
  build_require (b, term_not (b->terms, wrong));
}

void build_misuse (build *b, term wrong) {
  if (build_selected (b, IR_P_LOCKS)) add_goal (b, IR_P_LOCKS, term_and (b->terms, b->alive, wrong));
}

void build_note_wait (build *b, term blocked, waiting w) {
  term owner = w.owner.i == TERM_NONE.i ? build_number (b, 32, 0) : w.owner;
  blocked = term_and (b->terms, b->alive, blocked);
  if (build_selected (b, IR_P_DEADLOCK) && !term_is_false (b->terms, blocked))
    vec_push (&here (b)->waits, ((efsm_wait){blocked, owner, w.by_any_thread, w.by, w.rwlock, b->step, b->edge}));
}

void build_waits (build *b, term enabled, waiting w) {
  build_note_wait (b, term_not (b->terms, enabled), w);
  if (b->region) build_doubt (b, term_not (b->terms, enabled), "an atomic region has to wait");
  build_require (b, enabled);
}

term build_choice (build *b, unsigned bits, term condition) {
  efsm_step *s = &vec_last (&here (b)->steps);
  s->choice = term_var (b->terms, bits);
  s->chooses = condition;
  return s->choice;
}

// ---- results ----------------------------------------------------------------------------------------
void build_set (build *b, ir_reg r, term value) {
  if (r.i == IR_NONE) return;
  uint32_t v = build_reg (b, b->copy, r);
  unsigned bits = term_bits (b->terms, b->m->variables.data[v].now);
  build_put (b, v, term_resize (b->terms, value, bits), b->terms->truth);
}

void build_result (build *b, term value) { build_set (b, ir_edge_at (b->program, b->edge)->dst, value); }

// ---- functions --------------------------------------------------------------------------------------
ir_proc build_proc_of (const build *b, uint32_t object) {
  const build_object *o = &b->facts->objects.data[object];
  return o->kind == OBJECT_FUNCTION ? ir_object_at (b->program, o->source)->proc : (ir_proc){IR_NONE};
}

void build_check_function (build *b, const targets *t) {
  term any = b->terms->falsity;
  if (t->wild) build_doubt (b, b->terms->truth, "the function that is called comes from an input");
  build_doubt (b, t->crowded, "a pointer may be too many functions");
  for (uint32_t k = 0; k < t->list.count; k++) {
    const target *x = &t->list.data[k];
    term starts = term_eq (b->terms, x->offset, build_number (b, 32, 0));
    if (build_proc_of (b, x->object).i != IR_NONE)
      any = term_or (b->terms, any, term_and (b->terms, x->condition, starts));
  }
  build_goal (b, IR_P_MEMORY, term_not (b->terms, any));
}
