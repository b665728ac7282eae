// The contents of one memory object as a history of stores over initial contents; conditions and addresses are terms.
// Contents are named by numbers and never change: a store, or a choice between two contents, makes new ones.
//
//   contents_pool p;
//   contents_pool_init (&p, &terms, program);
//   contents c = contents_store (&p, CONTENTS_UNDEFINED, offset, 4, (cells){value, none});
//   cells found = contents_load (&p, c, offset, 4);       // found.value.i == value.i
#ifndef LOCKSTEP_ORDER_CONTENTS_H
#define LOCKSTEP_ORDER_CONTENTS_H

#include "symbolic/executor.h"

typedef struct { uint32_t i; } contents;
#define CONTENTS_UNDEFINED ((contents){0})
#define CONTENTS_ZERO ((contents){1})

typedef enum contents_kind {
  CONTENTS_K_UNDEFINED, CONTENTS_K_ZERO, CONTENTS_K_INITIAL, CONTENTS_K_STORE, CONTENTS_K_CHOICE 
} contents_kind;
typedef struct contents_node {
  contents_kind kind;
  uint32_t bytes;              // STORE
  ir_object object;            // INITIAL
  term at;                     // STORE: offset; CHOICE: condition
  cells stored;                // STORE
  // STORE: the contents stored into; CHOICE: the contents if the condition is true, and if it is false
  contents before, otherwise;
} contents_node;

typedef struct contents_pool {
  term_pool *terms;
  const ir_program *program;
  VEC (contents_node) nodes;
  map initial;                 // object -> contents
  map choices;                 // pair of contents, mixed with the condition -> node; a cache that may lose entries
  map loads[9];                // by number of bytes: contents << 32 | offset -> index into found
  VEC (cells) found;
  bool gave_up;  // a table was too large for a load at a symbolic offset: the loaded value is unconstrained
} contents_pool;

void contents_pool_init (contents_pool *, term_pool *, const ir_program *);
void contents_pool_release (contents_pool *);
contents contents_initial (contents_pool *, ir_object);               // of a static object
contents contents_store (contents_pool *, contents, term offset, uint32_t bytes, cells);
contents contents_choose (contents_pool *, term condition, contents, contents otherwise);
cells contents_load (contents_pool *, contents, term offset, uint32_t bytes);  // 1..8 bytes

#endif
