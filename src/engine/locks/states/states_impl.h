// What the files of the lock states share among themselves; states.h lists them in reading order.
#ifndef LOCKSTEP_LOCKS_STATES_IMPL_H
#define LOCKSTEP_LOCKS_STATES_IMPL_H

#include "engine/locks/states/states.h"

// ---- effect.c ------------------------------------------------------------------------------------------
void effects_init (effects *, lock_table *);
void effects_release (effects *);
// Taking and giving back.  False: the path ends here, because it waits for a lock that it holds itself.
bool effect_acquire (effects *, effect *, lock_use, ir_edge, bool late);
bool effect_may_fail_for_holder (const effects *, lock_use);     // without waiting, and nothing changes
void effect_release (effects *, effect *, lock_use);
void effect_release_fully (effects *, effect *, lock_use);       // however often it is held here
void effect_create (effects *, effect *, ir_edge create);
uint32_t effect_pair_item (effects *, held_since);
bool effect_then (effects *, effect *first, const effect *second, bool late);  // first becomes first;second
void effect_forget (effects *, effect *, ir_proc, uint32_t reg); // the register is assigned: terms over it lose their meaning
void effect_forget_histories (effects *, effect *);              // what was taken on the way: the effect covers what it was before
// Every lock gets another name; in sets, those that become vague are dropped.
typedef uint32_t lock_renamer (void *state, uint32_t use);
void effect_rename (effects *, effect *, lock_renamer *, void *state);
bool effect_covers (const effects *, const effect *weaker, const effect *stronger);  // whatever meets `stronger` meets `weaker` as well
// If both differ only in what is not sure or vague, the first gets what the second has of that.
void effect_join (const effects *, effect *, const effect *);
void effect_learn (effect *, value, ir_value);

// ---- cas_lock.c ----------------------------------------------------------------------------------------
void find_cells (lock_analysis *);                  // variables that some thread takes so
void distrust_cells (lock_analysis *);              // those that are also written in other ways

// ---- semaphore_lock.c ----------------------------------------------------------------------------------
void find_semaphores (lock_analysis *);              // that are only ever initialised to 1
void distrust_semaphores (lock_analysis *);          // those that are written to in other ways

// ---- progress_flag.c -----------------------------------------------------------------------------------
void find_flags (lock_analysis *);
void flags_release (lock_analysis *);
bool flag_seen (lock_analysis *, ir_edge assume, lock_use *fact);  // behind the edge it is known that the flag was written

// ---- tracked_values.c ----------------------------------------------------------------------------------
// Which values of a procedure are worth knowing on a path, and where: those that decide what happens to locks.
void find_knowledge (lock_analysis *);                                 // fills summaries[].interesting and `live`
bool knowledge_wants (const lock_analysis *, ir_proc, value);

// ---- lock_summary.c ------------------------------------------------------------------------------------
void summarise (lock_analysis *);

// ---- call_context.c ------------------------------------------------------------------------------------
void find_contexts (lock_analysis *);

// ---- discipline.c --------------------------------------------------------------------------------------
void find_trust (lock_analysis *);                       // after find_contexts
void trust_not (lock_analysis *, pointsto_target);       // a lock there is not to be trusted

// ---- nesting.c -----------------------------------------------------------------------------------------
void find_nesting (lock_analysis *);                             // after find_trust; sets nested, unnested, later, uncertain

#endif
