// Counts what jansson allocates as memory of lockstep: a report or a compile_commands.json of some hundred megabytes
// becomes a tree that is larger, and --memory limits both.  A block begins with its size, which mem_free needs.
#include <jansson.h>
#include <stddef.h>

#include "base/memory.h"
#include "report/report.h"

typedef union header {
  size_t bytes;
  max_align_t align;
} header;

static void *allocate (size_t bytes) {
  if (bytes > SIZE_MAX - sizeof (header)) return NULL;
  header *h = mem_alloc (bytes + sizeof *h);
  h->bytes = bytes;
  return h + 1;
}

static void free_json_block (void *block) {
  header *h = block ? (header *) block - 1 : NULL;
  if (h) mem_free (h, h->bytes + sizeof *h);
}

void json_memory_count (void) { json_set_alloc_funcs (allocate, free_json_block); }
