// States of the program as a formula sees them: with the propositions that hold, and with what it remembers of the past (whether a thread of some kind has
// been there).  They are expanded on demand: every thread that can step takes its step, with every choice.
//
// Without X, a step is one operation of a thread and then its local ones, which nobody else notices, as far as the formula does not notice them either: done
// at once or later, they give the same word but for repeated letters.  An operation that changes the letter is always the first of its step, because in between
// others might change it too.  That it does is known only when it is done; then the step is done again, up to there.  With X each edge is a step.
//
// When the process ends only the letter is left of it, and an execution that ends in an error or at an unfulfilled assume leads nowhere.
#include "base/diag.h"
#include "engine/explicit/product.h"
#include "ir/reason.h"

enum { CHECK_INTERVAL = 256 };

typedef struct moment_key {
  uint64_t started, letter;  // letter: only if the process has ended
  uint32_t state, padding;
} moment_key;

// ---- numbering -----------------------------------------------------------------------------------------
static uint32_t number_of (moments *m, moment_key key, uint64_t letter) {
  bool is_new;
  uint32_t number = intern_add (&m->numbers, &key, sizeof key, &is_new);
  if (is_new) vec_push (&m->all, ((moment){.letter = letter, .started = key.started, .state = key.state}));
  return number;
}

// The world, committed, is there.
static uint32_t add_state (moments *m) {
  world *w = &m->world;
  uint64_t letter = letters_now (w, &m->watch, false);
  bool is_new;
  store_enter (&m->store);
  state_id state = store_add_state (&m->store, w->current.data, w->current.count, w->hash,
                                    (tuple_origin){.parent = IR_NONE}, &is_new);
  store_leave (&m->store);
  return number_of (m, (moment_key){.started = m->watch.started, .state = state}, letter);
}

static uint32_t add_end (moments *m) {
  uint64_t letter = letters_now (&m->world, &m->watch, true);
  return number_of (m, (moment_key){.letter = letter, .state = IR_NONE}, letter);
}

static void go_to (moments *m, uint32_t number) {
  const moment *from = &m->all.data[number];
  uint32_t count;
  const uint32_t *ids = store_state (&m->store, from->state, &count);
  world_load (&m->world, ids, count);
  world_begin_step (&m->world);
  m->watch.letter = from->letter;
  m->watch.started = from->started;
  m->watch.most = m->watch.unnoticed = 0;
}

// ---- limits --------------------------------------------------------------------------------------------
static void show_progress (moments *m) {
  engine_progress (m->run, "%u states, %llu transitions, %.0f states/s, %zu MB", store_num_states (&m->store),
                   (unsigned long long) m->transitions, store_num_states (&m->store) / budget_elapsed (m->run->budget),
                   mem_live_bytes () >> 20);
}

static void check_limits (moments *m) {
  if (m->transitions < m->next_check) return;
  m->next_check = m->transitions + CHECK_INTERVAL;
  store_tell (&m->store);
  m->stopped = reason_of_budget (m->run->verdict->arena, m->run->budget);
  show_progress (m);
}

// ---- expanding -----------------------------------------------------------------------------------------
static const reason *reason_at_edge (moments *m, const char *what, uint32_t edge) {
  return reason_of_edge (m->run->verdict->arena, m->world.program, (ir_edge){edge}, (ir_edge){edge}, what);
}

static void note_end (moments *m, uint32_t slot, step_result result) {
  world *w = &m->world;
  if (result == STEP_VIOLATION && m->error == IR_NONE) m->error = xs_exec_insn (w, slot)->edge;
  if (result == STEP_CUT) {
    m->cut = true;
    verdict_add_bound (m->run->verdict, "%s", reason_at_edge (m, w->step.stop_message, w->step.stop_edge)->text);
  }
  if (result == STEP_UNSUPPORTED && !m->unsupported)
    m->unsupported = reason_at_edge (m, w->step.stop_message, w->step.stop_edge);
}

static bool came_too_far (moments *m) {
  return m->watch.unnoticed && letters_now (&m->world, &m->watch, false) != m->watch.letter;
}

static step_result execute (moments *m, uint32_t from, uint32_t slot) {
  go_to (m, from);
  step_result result = xs_exec_step (&m->world, slot);
  if (result != STEP_DONE || !came_too_far (m)) return result;
  uint32_t most = m->watch.unnoticed;
  go_to (m, from);
  m->watch.most = most;
  result = xs_exec_step (&m->world, slot);
  m->world.step.choices.count = m->world.step.next_choice;  // those behind it are made in the next step
  return result;
}

// The number of the moment behind the step; IR_NONE: none.
static uint32_t step (moments *m, uint32_t from, uint32_t slot) {
  step_result result = execute (m, from, slot);
  m->transitions++;
  if (m->world.misused != IR_NONE && !m->unsupported)
    m->unsupported = reason_at_edge (m, "use of an uninitialised or destroyed lock", m->world.misused);
  if (result == STEP_EXITED) return add_end (m);
  if (result != STEP_DONE) {
    note_end (m, slot, result);
    return IR_NONE;
  }
  world_commit (&m->world);
  return add_state (m);
}

static void add_move (moments *m, uint32_t first, move new_move) {
  for (uint32_t k = first; k < m->moves.count; k++) {
    move *old = &m->moves.data[k];
    if (old->target != new_move.target || old->slot != new_move.slot) continue;
    old->spurious &= new_move.spurious;
    return;
  }
  vec_push (&m->moves, new_move);
}

static void step_all_ways (moments *m, uint32_t from, uint32_t slot, uint32_t first) {
  vec_clear (&m->world.step.choices);
  do {
    uint32_t target = step (m, from, slot);
    if (target != IR_NONE) add_move (m, first, (move){target, slot, m->world.step.spurious});
    check_limits (m);
  } while (!m->stopped && world_next_choices (&m->world));
}

static void fill_idle (moments *m, uint32_t number, const uint32_t *slots, uint32_t enabled) {
  thread_set *idle = &m->all.data[number].idle;
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) thread_set_add (idle, slot);
  for (uint32_t k = 0; k < enabled; k++) idle->words[slots[k] / 64] &= ~(UINT64_C (1) << slots[k] % 64);
}

void moments_expand (moments *m, uint32_t number) {
  uint32_t slots[IR_MAX_THREADS], enabled = 0, first = m->moves.count;
  if (m->all.data[number].expanded) return;
  if (m->all.data[number].state != IR_NONE) {
    go_to (m, number);
    enabled = xs_detect_enabled (&m->world, slots);
  }
  fill_idle (m, number, slots, enabled);
  for (uint32_t k = 0; k < enabled && !m->stopped; k++) step_all_ways (m, number, slots[k], first);
  moment *done = &m->all.data[number];
  done->expanded = true;
  done->stays = !enabled;
  done->first_move = first;
  done->num_moves = m->moves.count - first;
}

// ---- schedules -----------------------------------------------------------------------------------------
static void append (const world *w, schedule *out) {
  for (uint32_t k = 0; k < w->step.parts.count; k++)
    schedule_add (out, w->step.parts.data[k].thread, w->step.parts.data[k].edges);
  for (uint32_t k = 0; k < w->step.chosen.count; k++) vec_push (&out->choices, w->step.chosen.data[k]);
}

void moments_append (moments *m, uint32_t from, move taken, schedule *out) {
  vec_clear (&m->world.step.choices);
  do {
    if (step (m, from, taken.slot) != taken.target || (m->world.step.spurious && !taken.spurious)) continue;
    append (&m->world, out);
    if (m->all.data[taken.target].state == IR_NONE) schedule_add (out, taken.slot, 1);  // the exit itself
    return;
  } while (world_next_choices (&m->world));
  BUG ("moment %u should follow moment %u", taken.target, from);
}

// ---- life cycle ----------------------------------------------------------------------------------------
void moments_init (moments *m, engine_run *run, const temporal *formula, bool every_edge) {
  *m = (moments){.run = run, .formula = formula, .error = IR_NONE};
  code_init_anywhere (&m->code, run->program);
  store_tables_init (&m->tables, false);
  position_names_init (&m->names);
  store_init (&m->store, &m->tables);
  world_init (&m->world, &m->code, &run->task->semantics, &m->store, &m->names);
  m->watch = (watch){.formula = formula, .every_edge = every_edge};
  m->world.watch = &m->watch;
  xs_thread_start (&m->world, run->program->start.i, 0);
  xs_exec_settle (&m->world, 0);
  world_commit (&m->world);
  add_state (m);
}

void moments_release (moments *m) {
  intern_release (&m->numbers);
  vec_release (&m->all);
  vec_release (&m->moves);
  world_release (&m->world);
  store_release (&m->store);
  store_tables_release (&m->tables);
  position_names_release (&m->names);
  code_release (&m->code);
}
