// What the files of the lock states share among themselves; states.h lists them in reading order.
#ifndef LOCKSTEP_LOCKS_STATES_IMPL_H
#define LOCKSTEP_LOCKS_STATES_IMPL_H

#include "engine/locks/states/states.h"

// ---- effect.c -------------------------------------------------------------------------------------------------------
void effects_init (effects *, lock_table *);
void effects_release (effects *);
bool held_is_may (const effects *, const held_use *);            // may-held or unresolved: it excludes no other thread
void held_merge_may (held_use *into, const held_use *other);
void effect_push_held (effect *, held_use);
void effect_note_released (effect *, lock_use);                  // a lock of the beginning
void effect_canonicalise (const effects *, effect *);            // equal effects get equal representations
// False: the path ends here, because the thread waits for a lock that it holds itself.
bool effect_acquire (effects *, effect *, lock_use, ir_edge, bool threaded);
bool effect_relock_may_fail (const effects *, lock_use);         // its holder gets an error and keeps it
void effect_release (effects *, effect *, lock_use);
void effect_release_fully (effects *, effect *, lock_use);       // however often it is held here
void effect_create (effects *, effect *, ir_edge create);
uint32_t effect_pair_item (effects *, held_since);
bool effect_compose (effects *, effect *first, const effect *second, bool threaded);  // first becomes first;second
void effect_track (effect *, value_term, ir_value);

// ---- effect_rename.c ------------------------------------------------------------------------------------------------
void effect_kill_register (effects *, effect *, ir_proc, uint32_t reg);  // assigned: terms over it lose their meaning
void effect_drop_histories (effects *, effect *);                // the result subsumes the effect as it was
// Gives every lock another name.  Sets drop locks that become unresolved.
typedef uint32_t lock_renamer (void *state, uint32_t use);
void effect_rename (effects *, effect *, lock_renamer *, void *state);

// ---- effect_order.c -------------------------------------------------------------------------------------------------
// The weaker effect allows whatever the stronger one allows to happen in parallel with it.
bool effect_subsumes (const effects *, const effect *weaker, const effect *stronger);
// If the effects differ only in may-held and unresolved locks, adds those of the second to the first.
void effect_join (const effects *, effect *, const effect *);

// ---- cas_lock.c -----------------------------------------------------------------------------------------------------
void find_cas_locks (lock_analysis *);
void check_cas_locks (lock_analysis *);              // marks those that are also written in other ways as undisciplined

// ---- semaphore_lock.c -----------------------------------------------------------------------------------------------
void find_semaphores (lock_analysis *);
void check_semaphore_locks (lock_analysis *);        // marks those that are written in other ways as undisciplined

// ---- progress_flag.c ------------------------------------------------------------------------------------------------
void find_flags (lock_analysis *);
void flags_release (lock_analysis *);
bool flag_observed (lock_analysis *, ir_edge assume, lock_use *fact);  // behind the edge the flag was certainly changed

// ---- tracked_values.c -----------------------------------------------------------------------------------------------
void find_tracked_values (lock_analysis *);          // fills summaries[].tracked and `live`
bool value_is_tracked (const lock_analysis *, ir_proc, value_term);

// ---- lock_summary.c -------------------------------------------------------------------------------------------------
void find_summaries (lock_analysis *);

// ---- call_context.c -------------------------------------------------------------------------------------------------
void find_contexts (lock_analysis *);

// ---- discipline.c ---------------------------------------------------------------------------------------------------
void find_discipline (lock_analysis *);              // after find_contexts
void mark_undisciplined (lock_analysis *, pointsto_target);

// ---- nesting.c ------------------------------------------------------------------------------------------------------
void find_nesting (lock_analysis *);                 // after find_discipline; sets well_nested and the fields behind it

#endif
