// The circuit of a program as a result of its own, which can be written to a file. Answers of other tools about the
// file can be brought back to the program.
//
//   circuit_model c;
//   if (!circuit_model_init (&c, run, (circuit_form){.plain = true})) return;        // run->verdict says why
//   circuit_print (&c, CIRCUIT_AIG, "from x.c", &bytes);
//   ... a path p of circuit_written (&c) ...
//   if (circuit_model_claim (&c, bad, &p, &claim)) verdict_confirm (...);
//   circuit_model_release (&c);
//
// Bad states: one for each property that was asked for, in the order of ir_property; the last is what the circuit
// omits, such as a thread too many. That another bad state is never reached means something for the program only if the
// last one is not reached, either.
#ifndef LOCKSTEP_CIRCUIT_MODEL_H
#define LOCKSTEP_CIRCUIT_MODEL_H

#include "base/strbuf.h"
#include "engine/circuit/circuit_lower.h"
#include "engine/engine.h"
#include "netlist/netlist_reduce.h"

typedef struct circuit_form {
  // without reduction: keep states on which no bad state depends, and latches that are constant or equal
  bool whole;
  bool plain;                  // for checkers that do not know all of AIGER 1.9 (netlist/plain.h)
} circuit_form;

typedef struct circuit_model {
  const ir_program *program;
  uint32_t properties;
  circuit_form form;
  efsm machine;
  transition_system system;
  lowered lowered;
  net_reduction reduction;     // unused if the circuit is whole
  netlist plain;               // used if the circuit is plain
} circuit_model;

bool circuit_model_init (circuit_model *, engine_run *, circuit_form);     // false: there is nothing to release
void circuit_model_release (circuit_model *);
const netlist *circuit_written (const circuit_model *);
ir_property circuit_property (const circuit_model *, uint32_t bad);        // IR_NUM_PROPERTIES: the omissions

typedef enum circuit_language { CIRCUIT_AIG, CIRCUIT_AAG, CIRCUIT_BTOR2, NUM_CIRCUIT_LANGUAGES } circuit_language;
// By the suffix of the path; NUM_CIRCUIT_LANGUAGES: unknown.
circuit_language circuit_language_of (const char *path);
void circuit_print (const circuit_model *, circuit_language, const char *comment, strbuf *out);

// Makes an execution from a path of circuit_written to one of its bad states that is a property. Returns false if the
// path does not lead to a violation.
bool circuit_model_claim (circuit_model *, uint32_t bad, const net_path *, claim *);

#endif
