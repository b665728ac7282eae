// The heap below everything else: counts live bytes, and turns exhaustion into one call that does not
// return (by default: message and exit 5; an engine run installs a longjmp back to its own `unknown`).  Any thread may call.
#ifndef LOCKSTEP_MEMORY_H
#define LOCKSTEP_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *mem_alloc (size_t bytes);
void *mem_zalloc (size_t bytes);
void *mem_realloc (void *, size_t old_bytes, size_t new_bytes);
void mem_free (void *, size_t bytes);
size_t mem_live_bytes (void);
size_t mem_peak_bytes (void);
void mem_note_peak (size_t bytes);               // so much was live at once in another process of ours

// Growing arrays double.  Returns the new data and updates *capacity (in elements).
void *mem_grow (void *data, size_t element, uint32_t count_needed, uint32_t *capacity);

void mem_set_limit (size_t bytes);               // 0: none
void mem_set_exhausted_handler (void (*handler) (void *), void *state);  // of this thread; NULL: default; must not return
_Noreturn void mem_exhausted (void);             // as if this thread had asked for too much

#endif
