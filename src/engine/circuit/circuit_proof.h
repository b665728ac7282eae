// Proofs that other processes can check: docs/formats/certificate.md. An invariant names latches of the whole circuit,
// so a checker need not know how it was found.
//
//   prove_certificate c;
//   proof_make_whole (&reduction, &whole, &result.certificate, &c);      // from the reduced to the whole circuit
//   if (certificate_is_good (&whole, bad, &c, budget)) proof_print (&system, &lowered, "race", &c, &text);
//   ... in another process, with circuit_model_init (..., {.whole = true}) ...
//   proof_reader r = {.text = text};
//   while (proof_read (&r, circuit_written (&model), &c, &why)) ... strbuf_text (&r.property) ...
#ifndef LOCKSTEP_CIRCUIT_PROOF_H
#define LOCKSTEP_CIRCUIT_PROOF_H

#include "base/strbuf.h"
#include "engine/circuit/circuit_lower.h"
#include "netlist/netlist_reduce.h"
#include "prove/prove.h"

void proof_make_whole (const net_reduction *, const netlist *whole, const prove_certificate *of_reduced,
                       prove_certificate *);
void proof_release (prove_certificate *);
// Says that the proofs that follow are about the circuit for these properties.
void proof_print_circuit (uint32_t properties, strbuf *out);
void proof_print (const transition_system *, const lowered *, const char *property, const prove_certificate *,
                  strbuf *out);

typedef struct proof_reader {
  const char *text;            // the text that is not read yet
  uint32_t line;               // number of the line that was read last
  strbuf property;             // of the last proof; the caller releases it in the end
} proof_reader;
// Reads the next proof. False with an empty `why`: there is none.
bool proof_read (proof_reader *, const netlist *named, prove_certificate *, strbuf *why);

// Writes the invariant as sentences about the program, one line each. Returns false if there are too many for a reader.
bool proof_explain (const transition_system *, const lowered *, const net_reduction *, const ir_program *,
                    const prove_certificate *of_reduced, strbuf *out);

#endif
