// Replicated threads: the threads of a creation that may be executed again and again are symmetric, and a few tracked
// ones stand for any number. An input chooses which tracked thread a creation starts, if any; otherwise it starts a
// thread that the machine does not model. So the machine has at least the program's behaviours of the tracked threads,
// whatever the other threads do; the client has to model what these may do (engine/circuit/parametric.h).
//
// Only the owner of a lock may distinguish such threads: their handles are any values that name no tracked thread, a
// join of an unknown handle ends at any time with any result, and pthread_self returns any value, the same each time.
// Each variable of a replicated thread has a twin, so that a client can exchange two replicated threads.
#include "base/limits.h"
#include "efsm/build_impl.h"

enum { HANDLE_BITS = 30, NAMES_NOBODY = 1 << HANDLE_BITS };

bool crowd_is_wanted (const build *b) { return b->facts->options->crowd; }
bool crowd_has (const build *b, uint32_t thread) { return b->facts->threads.data[thread].crowd != IR_NONE; }

term crowd_choice_of_threads (build *b, unsigned more) {
  term choice = build_choice (b, b->facts->threads.count + more, b->terms->truth);
  vec_push (&b->m->thread_choices, choice);
  return choice;
}

term crowd_self (build *b) { return build_get (b, build_variable (b, V_SELF, b->thread, 0, 64, b->thread, TERM_NONE)); }

// ---- creation ---------------------------------------------------------------------------------------
static void join_crowd (build *b, uint32_t thread, uint32_t first) {
  build_thread *t = &b->facts->threads.data[thread];
  b->facts->grew |= t->crowd != first;
  t->crowd = first;
  t->created_by = b->edge;
}

// Exactly this replicated thread is chosen.
static term is_chosen (build *b, term choice, const uint32_t *members, uint32_t member) {
  term it = b->terms->truth;
  for (uint32_t k = 0; k < b->facts->options->crowd; k++) {
    if (members[k] == IR_NONE) continue;
    term bit = term_extract (b->terms, choice, members[k], 1);
    it = term_and (b->terms, it, k == member ? bit : term_not (b->terms, bit));
  }
  return it;
}

term crowd_start (build *b, const creation *c) {
  uint32_t members[LIMIT_MACHINE_REPEATS + 1], count = b->facts->options->crowd;
  for (uint32_t k = 0; k < count; k++) {
    members[k] = life_thread_for (b, c, k);
    if (members[k] != IR_NONE) join_crowd (b, members[k], members[0]);
  }
  term choice = crowd_choice_of_threads (b, HANDLE_BITS);
  for (uint32_t k = 0; k < count; k++) {
    if (members[k] == IR_NONE) {
      build_cut (b, b->terms->truth, "threads");
      continue;
    }
    term can = term_not (b->terms, life_started (b, members[k]));
    life_start_one (b, c, k, term_and (b->terms, is_chosen (b, choice, members, k), can));
  }
  term any = term_extract (b->terms, choice, term_bits (b->terms, choice) - HANDLE_BITS, HANDLE_BITS);
  return term_add (b->terms, term_resize (b->terms, any, 32), build_number (b, 32, NAMES_NOBODY));
}

// ---- twins ------------------------------------------------------------------------------------------
static uint32_t copy_like (const build *b, uint32_t copy, uint32_t thread) {
  const build_copy *of = &b->facts->copies.data[copy];
  uint32_t caller = of->caller == IR_NONE ? IR_NONE : copy_like (b, of->caller, thread);
  for (uint32_t k = 0; k < b->facts->copies.count; k++) {
    const build_copy *x = &b->facts->copies.data[k];
    if (x->thread == thread && x->level == of->level && x->region == of->region && x->proc.i == of->proc.i &&
        x->caller == caller && x->call.i == of->call.i)
      return k;
  }
  return IR_NONE;
}

// Index of the object among the objects of the same kind, procedure copy and allocation.
static uint32_t ordinal_of (const build *b, uint32_t object) {
  const build_object *o = &b->facts->objects.data[object];
  uint32_t before = 0;
  for (uint32_t k = 0; k < object; k++) {
    const build_object *x = &b->facts->objects.data[k];
    before += x->kind == o->kind && x->copy == o->copy && x->made_by.i == o->made_by.i;
  }
  return before;
}

static bool is_made (const build_object *o) { return o->kind == OBJECT_STACK || o->kind == OBJECT_HEAP; }

static uint32_t object_like (const build *b, uint32_t object, uint32_t thread) {
  const build_object *o = &b->facts->objects.data[object];
  uint32_t copy = is_made (o) ? copy_like (b, o->copy, thread) : IR_NONE,
           ordinal = is_made (o) ? ordinal_of (b, object) : 0;
  for (uint32_t k = 0; k < b->facts->objects.count; k++) {
    const build_object *x = &b->facts->objects.data[k];
    if (x->kind != o->kind) continue;
    if (!is_made (o) && x->source.i == o->source.i && x->thread == thread) return k;
    if (is_made (o) && x->copy == copy && x->made_by.i == o->made_by.i && !ordinal--) return k;
  }
  return IR_NONE;
}

typedef enum belongs_to { A_COPY, AN_OBJECT, A_THREAD, NOBODY } belongs_to;

static belongs_to what_has (variable_kind kind) {
  switch (kind) {
  case V_REG:
  case V_RETURN_TO:
  case V_MADE: return A_COPY;
  case V_CELL:
  case V_UNDEFINED:
  case V_ALIVE:
  case V_SIZE: return AN_OBJECT;
  case V_OVER:
  case V_RUNNER: return NOBODY;
  default: return A_THREAD;
  }
}

static uint32_t thread_of_object (const build *b, uint32_t object) {
  const build_object *o = &b->facts->objects.data[object];
  return is_made (o) ? b->facts->copies.data[o->copy].thread : o->kind == OBJECT_LOCAL ? o->thread : IR_NONE;
}

static void name_twin (build *b, uint32_t variable) {
  uint64_t key = b->keys.data[variable];
  variable_kind kind = (variable_kind) (key >> 58);
  uint32_t x = (uint32_t) (key >> 29) & KEY_MASK, y = (uint32_t) key & KEY_MASK;
  belongs_to what = what_has (kind);
  efsm_variable *v = &b->m->variables.data[variable];
  v->names_thread = kind == V_RUNNER || (kind == V_CELL && map_find (&b->facts->owners, (uint64_t) x << 32 | y));
  uint32_t thread = what == A_COPY      ? b->facts->copies.data[x].thread
                    : what == AN_OBJECT ? thread_of_object (b, x)
                    : what == A_THREAD  ? x
                                        : IR_NONE;
  if (thread == IR_NONE || !crowd_has (b, thread)) return;
  uint32_t first = b->facts->threads.data[thread].crowd, like = what == A_COPY      ? copy_like (b, x, first)
                                                                : what == AN_OBJECT ? object_like (b, x, first)
                                                                                    : first;
  const uint64_t *twin = like == IR_NONE ? NULL : map_find (&b->variable_of, VARIABLE_KEY (kind, like, y));
  v->crowd_thread = thread;
  v->twin = twin ? (uint32_t) *twin : IR_NONE;
}

void crowd_name_twins (build *b) {
  if (!crowd_is_wanted (b)) return;
  for (uint32_t v = 0; v < b->keys.count; v++) name_twin (b, v);
  for (uint32_t t = 0; t < b->m->threads.count; t++) {
    b->m->threads.data[t].crowd = b->facts->threads.data[t].crowd;
    b->m->threads.data[t].created_by = b->facts->threads.data[t].created_by;
  }
}
