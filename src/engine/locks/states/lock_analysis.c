// Life cycle of the lock analysis, and the order of its parts.
#include "engine/locks/states/states_impl.h"

static void release_summaries (lock_analysis *a) {
  for (uint32_t f = 0; f < a->program->procs.count; f++) {
    lock_summary *s = &a->summaries[f];
    vec_release (&s->exits);
    vec_release (&s->exports);
    vec_release (&s->waiting);
    vec_release (&s->tracked);
  }
  mem_free (a->summaries, sizeof *a->summaries * (a->program->procs.count + 1));
  for (uint32_t l = 0; l < a->program->locs.count; l++) vec_release (&a->at[l]);
  mem_free (a->at, sizeof *a->at * (a->program->locs.count + 1));
  mem_free (a->live, sizeof *a->live * (a->program->locs.count + 1));
  for (uint32_t k = 0; k < a->lists.count; k++) vec_release (&a->lists.data[k].items);
  vec_release (&a->lists);
  vec_release (&a->contexts);
  vec_release (&a->nodes);
  vec_release (&a->worklist);
  map_release (&a->context_lists);
}

static void find_lock_states (lock_analysis *a) {
  find_summaries (a);
  find_contexts (a);
  find_discipline (a);
}

// A path ends where the thread acquires a lock that it holds, unless another thread may release that lock.
static bool ended_paths_may_continue (const lock_analysis *a) {
  if (threads_count (a->threads) == 1) return false;
  for (uint32_t k = 0; k < a->effects.self_blocked.entries.count; k++)
    if (!lock_is_disciplined (a, (uint32_t) a->effects.self_blocked.entries.data[k].key)) return true;
  return false;
}

static void redo_without_self_blocking (lock_analysis *a) {
  release_summaries (a);
  a->effects.others_may_release = true;
  find_lock_states (a);
}

void lock_analysis_init (lock_analysis *a, const ir_program *p, const budget *b) {
  *a = (lock_analysis){
      .program = p,
      .budget = b,
  };
  a->targets = pointsto_new (p);
  a->calls = calls_new (p, a->targets);
  a->threads = threads_new (p, a->targets);
  a->escape = escape_new (p, a->targets);
  a->unique = unique_new (p, a->targets);
  stable_init (&a->stable, p, a->targets);
  values_table_init (&a->values, p, &a->stable, a->unique);
  lock_table_init (&a->locks, p, a->targets, &a->values);
  effects_init (&a->effects, &a->locks);
  find_cas_locks (a);
  find_semaphores (a);
  find_flags (a);
  find_lock_states (a);
  if (ended_paths_may_continue (a)) redo_without_self_blocking (a);
  find_nesting (a);
}

void lock_analysis_release (lock_analysis *a) {
  release_summaries (a);
  map_release (&a->substituted);
  map_release (&a->bound);
  intern_release (&a->bindings);
  map_release (&a->cas_locks);
  map_release (&a->semaphores);
  flags_release (a);
  map_release (&a->lock_objects);
  map_release (&a->lock_places);
  map_release (&a->initialised_objects);
  map_release (&a->undisciplined);
  map_release (&a->undisciplined_objects);
  map_release (&a->partly_undisciplined);
  effects_release (&a->effects);
  lock_table_release (&a->locks);
  values_table_release (&a->values);
  stable_release (&a->stable);
  unique_free (a->unique);
  escape_free (a->escape);
  threads_free (a->threads);
  calls_free (a->calls);
  pointsto_free (a->targets);
}
