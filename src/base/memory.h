// The heap that all other modules use. It counts live bytes. When memory is exhausted it calls a handler that does not
// return: by default one that prints a message and exits with 5; an engine run installs a longjmp that ends the run as
// `unknown`. All functions are thread-safe.
#ifndef LOCKSTEP_MEMORY_H
#define LOCKSTEP_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum { MEM_EXHAUSTED_EXIT_CODE = 5 };          // of a process that ends for lack of memory

void *mem_alloc (size_t bytes);
void *mem_zalloc (size_t bytes);
void *mem_realloc (void *, size_t old_bytes, size_t new_bytes);
void mem_free (void *, size_t bytes);
size_t mem_live_bytes (void);
size_t mem_peak_bytes (void);
void mem_note_peak (size_t bytes);               // peak of a worker process, for the report

// Growing arrays double.  Returns the new data and updates *capacity (in elements).
void *mem_grow (void *data, size_t element, uint32_t count_needed, uint32_t *capacity);

void mem_set_limit (size_t bytes);               // 0: none
// of this thread; NULL: default; must not return
void mem_set_exhausted_handler (void (*handler) (void *), void *state);
_Noreturn void mem_exhausted (void);             // runs this thread's handler

#endif
