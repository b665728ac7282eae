// The circuit of a program as a thing of its own, which can be written to a file, and on which answers that others gave about the file mean something.
//
//   circuit_model c;
//   if (!circuit_model_init (&c, run, (circuit_form){.plain = true})) return;        // run->verdict says why
//   circuit_print (&c, CIRCUIT_AIG, "from x.c", &bytes);
//   ... a path p of circuit_written (&c) ...
//   if (circuit_model_claim (&c, bad, &p, &claim)) verdict_confirm (...);
//   circuit_model_release (&c);
//
// Bad states: one for each property that was asked for, in the order of ir_property; the last is what the circuit leaves out, such as a thread too many.  If one of the
// others is never reached that means something for the program only if this one is not, either.
#ifndef LOCKSTEP_CIRCUIT_MODEL_H
#define LOCKSTEP_CIRCUIT_MODEL_H

#include "base/strbuf.h"
#include "engine/circuit/lower.h"
#include "engine/engine.h"
#include "netlist/reduce.h"

typedef struct circuit_form {
  bool whole;                  // with what no bad state depends on, and latches that are constant or equal
  bool plain;                  // for checkers that know less than AIGER 1.9 (netlist/plain.h)
} circuit_form;

typedef struct circuit_model {
  const ir_program *program;
  uint32_t properties;
  circuit_form form;
  efsm machine;
  transition_system system;
  lowered lowered;
  net_reduction reduction;     // if it is not whole
  netlist plain;               // if it is plain
} circuit_model;

bool circuit_model_init (circuit_model *, engine_run *, circuit_form);     // false: nothing to release
void circuit_model_release (circuit_model *);
const netlist *circuit_written (const circuit_model *);
ir_property circuit_property (const circuit_model *, uint32_t bad);        // IR_NUM_PROPERTIES: the losses

typedef enum circuit_language { CIRCUIT_AIG, CIRCUIT_AAG, CIRCUIT_BTOR2, NUM_CIRCUIT_LANGUAGES } circuit_language;
circuit_language circuit_language_of (const char *path);                   // by its suffix; NUM_CIRCUIT_LANGUAGES: none
void circuit_print (const circuit_model *, circuit_language, const char *comment, strbuf *out);

// An execution from a path of circuit_written to one of its bad states, a property.  False: it leads to none.
bool circuit_model_claim (circuit_model *, uint32_t bad, const net_path *, claim *);

#endif
