// Circuits as AIGER files, version 1.9 (Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", 2011), ASCII and binary.
//
//   strbuf why = {0};
//   if (!aiger_write (&n, "circuit.aig", "from x.c", &why)) diag_error (NULL, 0, 0, "%s", strbuf_text (&why));
//   if (!aiger_read (&copy, "circuit.aig", &why)) ...
//
// The writer writes inputs, latches with their reset values, bad states, constraints, justice, fairness, names, and the
// ands on which they depend.  The second of two equal names gets a number, because ABC requires different names.
// The reader also reads outputs: as bad states if the file has neither bad states nor justice, as in version 1.0;
// otherwise it ignores them.
#ifndef LOCKSTEP_AIGER_H
#define LOCKSTEP_AIGER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "netlist/netlist.h"

typedef enum aiger_form { AIGER_ASCII, AIGER_BINARY } aiger_form;

void aiger_print (const netlist *, aiger_form, const char *comment /* or NULL */, strbuf *out);
// Writes a file, as ASCII if its name ends in ".aag".  False: `why` is the system's message, and there is no partial
// file.
bool aiger_write (const netlist *, const char *path, const char *comment, strbuf *why);

// Initialises the netlist.  False: there is nothing to release, and `why` names the mistake and its line, or its byte
// in the binary part.
bool aiger_parse (netlist *, const char *bytes, size_t count, strbuf *why);
bool aiger_read (netlist *, const char *path, strbuf *why);

#endif
