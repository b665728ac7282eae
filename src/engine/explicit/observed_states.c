// States of the program as a formula observes them: a state with the propositions that are true in it and with what the
// formula remembers of the past (whether a thread of some kind has existed). They are expanded on demand: every enabled
// thread takes its step, with every choice.
//
// Without X, a step is one operation of a thread and the following local ones, which no other thread notices, up to the
// first that changes the letter. Executing such local operations at once or later gives the same word except for
// repeated letters. An operation that changes the letter is always the first of its step, because before it other
// threads might change the letter, too. Whether an operation changes the letter is only known afterwards; then the step
// is executed again and stops before that operation. With X each edge is a step.
//
// After the end of the process only the letter matters. An execution that ends in an error or at an infeasible assume
// is no run.
#include "base/diag.h"
#include "engine/explicit/explicit_search.h"
#include "engine/explicit/product.h"
#include "ir/reason.h"

enum { CHECK_INTERVAL = 256 };

typedef struct observed_state_key {
  uint64_t started, letter;  // letter: set only if the process has ended
  uint32_t state, padding;
} observed_state_key;

// ---- numbering ----------------------------------------------------------------------------------------
static uint32_t observed_state_number (observed_states *m, observed_state_key key, uint64_t letter) {
  bool is_new;
  uint32_t number = intern_add (&m->numbers, &key, sizeof key, &is_new);
  if (is_new) vec_push (&m->all, ((observed_state){.letter = letter, .started = key.started, .state = key.state}));
  return number;
}

// Adds the current state, which must be committed.
static uint32_t add_observed_state (observed_states *m) {
  current_state *w = &m->current;
  uint64_t letter = true_propositions (w, &m->observer, false);
  bool is_new;
  store_enter (&m->store);
  state_id state =
      store_add_state (&m->store, w->ids.data, w->ids.count, w->hash, (tuple_origin){.parent = IR_NONE}, &is_new);
  store_leave (&m->store);
  return observed_state_number (m, (observed_state_key){.started = m->observer.started, .state = state}, letter);
}

static uint32_t add_process_end (observed_states *m) {
  uint64_t letter = true_propositions (&m->current, &m->observer, true);
  return observed_state_number (m, (observed_state_key){.letter = letter, .state = IR_NONE}, letter);
}

static void load_observed_state (observed_states *m, uint32_t number) {
  const observed_state *from = &m->all.data[number];
  uint32_t count;
  const uint32_t *ids = store_state (&m->store, from->state, &count);
  xs_state_load (&m->current, ids, count);
  xs_step_begin (&m->current);
  m->observer.letter = from->letter;
  m->observer.started = from->started;
  m->observer.most = m->observer.unnoticed = 0;
}

// ---- limits -------------------------------------------------------------------------------------------
static void show_product_progress (observed_states *m) {
  engine_progress (m->run, "%u states, %llu transitions, %.0f states/s, %zu MB", store_num_states (&m->store),
                   (unsigned long long) m->transitions, store_num_states (&m->store) / budget_elapsed (m->run->budget),
                   mem_live_bytes () >> 20);
}

static void check_limits (observed_states *m) {
  if (m->transitions < m->next_check) return;
  m->next_check = m->transitions + CHECK_INTERVAL;
  store_tell (&m->store);
  m->stopped = reason_of_budget (m->run->verdict->arena, m->run->budget);
  show_product_progress (m);
}

// ---- expanding ----------------------------------------------------------------------------------------
static const reason *reason_at_edge (observed_states *m, const char *what, uint32_t edge) {
  return reason_of_edge (m->run->verdict->arena, m->current.program, (ir_edge){edge}, (ir_edge){edge}, what);
}

static void record_execution_end (observed_states *m, uint32_t slot, step_result result) {
  current_state *w = &m->current;
  if (result == STEP_VIOLATION && m->error == IR_NONE) m->error = xs_exec_insn (w, slot)->edge;
  if (result == STEP_CUT) {
    m->cut = true;
    verdict_add_bound (m->run->verdict, "%s", reason_at_edge (m, w->step.stop_message, w->step.stop_edge)->text);
  }
  if (result == STEP_UNSUPPORTED && !m->unsupported)
    m->unsupported = reason_at_edge (m, w->step.stop_message, w->step.stop_edge);
}

static bool changed_letter_late (observed_states *m) {
  return m->observer.unnoticed && true_propositions (&m->current, &m->observer, false) != m->observer.letter;
}

static step_result execute_observed_step (observed_states *m, uint32_t from, uint32_t slot) {
  load_observed_state (m, from);
  step_result result = xs_exec_step (&m->current, slot);
  if (result != STEP_DONE || !changed_letter_late (m)) return result;
  uint32_t most = m->observer.unnoticed;
  load_observed_state (m, from);
  m->observer.most = most;
  result = xs_exec_step (&m->current, slot);
  m->current.step.choices.count = m->current.step.next_choice;  // later choices belong to the next step
  return result;
}

// Returns the number of the observed state after the step; IR_NONE: there is none.
static uint32_t take_observed_step (observed_states *m, uint32_t from, uint32_t slot) {
  step_result result = execute_observed_step (m, from, slot);
  m->transitions++;
  if (m->current.misused != IR_NONE && !m->unsupported)
    m->unsupported = reason_at_edge (m, "use of an uninitialised or destroyed lock", m->current.misused);
  if (result == STEP_EXITED) return add_process_end (m);
  if (result != STEP_DONE) {
    record_execution_end (m, slot, result);
    return IR_NONE;
  }
  xs_state_commit (&m->current);
  return add_observed_state (m);
}

static void add_move (observed_states *m, uint32_t first, product_move new_move) {
  for (uint32_t k = first; k < m->moves.count; k++) {
    product_move *old = &m->moves.data[k];
    if (old->target != new_move.target || old->slot != new_move.slot) continue;
    old->spurious &= new_move.spurious;
    return;
  }
  vec_push (&m->moves, new_move);
}

static void step_with_all_choices (observed_states *m, uint32_t from, uint32_t slot, uint32_t first) {
  vec_clear (&m->current.step.choices);
  do {
    uint32_t target = take_observed_step (m, from, slot);
    if (target != IR_NONE) add_move (m, first, (product_move){target, slot, m->current.step.spurious});
    check_limits (m);
  } while (!m->stopped && xs_step_next_choices (&m->current));
}

static void fill_idle (observed_states *m, uint32_t number, const uint32_t *slots, uint32_t enabled) {
  thread_set *idle = &m->all.data[number].idle;
  for (uint32_t slot = 0; slot < IR_MAX_THREADS; slot++) thread_set_add (idle, slot);
  for (uint32_t k = 0; k < enabled; k++) idle->words[slots[k] / 64] &= ~(UINT64_C (1) << slots[k] % 64);
}

void observed_states_expand (observed_states *m, uint32_t number) {
  uint32_t slots[IR_MAX_THREADS], enabled = 0, first = m->moves.count;
  if (m->all.data[number].expanded) return;
  if (m->all.data[number].state != IR_NONE) {
    load_observed_state (m, number);
    enabled = xs_detect_enabled (&m->current, slots);
  }
  fill_idle (m, number, slots, enabled);
  for (uint32_t k = 0; k < enabled && !m->stopped; k++) step_with_all_choices (m, number, slots[k], first);
  observed_state *done = &m->all.data[number];
  done->expanded = true;
  done->stays = !enabled;
  done->first_move = first;
  done->num_moves = m->moves.count - first;
}

// ---- schedules ----------------------------------------------------------------------------------------
void observed_states_append (observed_states *m, uint32_t from, product_move taken, schedule *out) {
  vec_clear (&m->current.step.choices);
  do {
    if (take_observed_step (m, from, taken.slot) != taken.target || (m->current.step.spurious && !taken.spurious))
      continue;
    path_append_step (&m->current, out);
    // the exit itself is one more edge
    if (m->all.data[taken.target].state == IR_NONE) schedule_add (out, taken.slot, 1);
    return;
  } while (xs_step_next_choices (&m->current));
  BUG ("moment %u should follow moment %u", taken.target, from);
}

// ---- life cycle ---------------------------------------------------------------------------------------
void observed_states_init (observed_states *m, engine_run *run, const temporal *formula, bool every_edge) {
  *m = (observed_states){.run = run, .formula = formula, .error = IR_NONE};
  code_init_anywhere (&m->code, run->program);
  store_tables_init (&m->tables, false);
  position_names_init (&m->names);
  store_init (&m->store, &m->tables);
  xs_state_init (&m->current, &m->code, &run->task->semantics, &m->store, &m->names);
  m->observer = (formula_observer){.formula = formula, .every_edge = every_edge};
  m->current.observer = &m->observer;
  xs_thread_start (&m->current, run->program->start.i, 0);
  xs_exec_settle (&m->current, 0);
  xs_state_commit (&m->current);
  add_observed_state (m);
}

void observed_states_release (observed_states *m) {
  intern_release (&m->numbers);
  vec_release (&m->all);
  vec_release (&m->moves);
  xs_state_release (&m->current);
  store_release (&m->store);
  store_tables_release (&m->tables);
  position_names_release (&m->names);
  code_release (&m->code);
}
