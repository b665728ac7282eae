// Proofs that others can check: docs/formats/certificate.md.  An invariant is about latches of the whole circuit by their names, so that who checks it needs to know nothing of how it was found.
//
//   prove_certificate c;
//   proof_make_whole (&reduction, &whole, &result.certificate, &c);           // from the circuit that was reduced to the whole one
//   if (certificate_is_good (&whole, bad, &c, budget)) proof_print (&system, &lowered, "race", &c, &text);
//   ... in another process, with circuit_model_init (..., {.whole = true}) ...
//   proof_reader r = {.text = text};
//   while (proof_read (&r, circuit_written (&model), &c, &why)) ... strbuf_text (&r.property) ...
#ifndef LOCKSTEP_CIRCUIT_PROOF_H
#define LOCKSTEP_CIRCUIT_PROOF_H

#include "base/strbuf.h"
#include "engine/circuit/lower.h"
#include "netlist/reduce.h"
#include "prove/prove.h"

void proof_make_whole (const net_reduction *, const netlist *whole, const prove_certificate *of_reduced, prove_certificate *);
void proof_release (prove_certificate *);
void proof_print_circuit (uint32_t properties, strbuf *out);               // the proofs that follow are about the circuit for these
void proof_print (const transition_system *, const lowered *, const char *property, const prove_certificate *, strbuf *out);

typedef struct proof_reader {
  const char *text;            // the rest of it
  uint32_t line;               // that was read last
  strbuf property;             // of the proof that was read; to be released in the end
} proof_reader;
// The next proof.  False with an empty `why`: there is none.
bool proof_read (proof_reader *, const netlist *named, prove_certificate *, strbuf *why);

// The invariant as sentences about the program, one line each, if there are only a few.  False: it is too long for people.
bool proof_explain (const transition_system *, const lowered *, const net_reduction *, const ir_program *, const prove_certificate *of_reduced, strbuf *out);

#endif
