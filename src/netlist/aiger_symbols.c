// Reads the names at the end of an AIGER file, up to the comment: `i0 name`, with i l o b c j f for the sections.
#include "netlist/aiger_impl.h"

#include <string.h>

// Returns the number of items of this kind in the file, or UINT32_MAX if there is no such kind.
static uint32_t count_of (const aiger_sizes *s, char kind) {
  switch (kind) {
  case 'i': return s->inputs;
  case 'l': return s->latches;
  case 'o': return s->outputs;
  case 'b': return s->bads;
  case 'c': return s->constraints;
  case 'j': return s->justice;
  case 'f': return s->fairness;
  default: return UINT32_MAX;
  }
}

static void set_name (const aiger_reader *r, netlist *n, char kind, uint32_t k, const char *name) {
  switch (kind) {
  case 'i': n->inputs.data[k].name = name; break;
  case 'l': n->latches.data[k].name = name; break;
  case 'b': n->bads.data[k].name = name; break;
  case 'c': n->constraints.data[k].name = name; break;
  case 'j': n->justice.data[k].name = name; break;
  case 'f': n->fairness.data[k].name = name; break;
  default:
    if (aiger_outputs_are_bads (r)) n->bads.data[k].name = name;
  }
}

// Copies the rest of the line.
static bool read_name (aiger_reader *r, netlist *n, const char **name) {
  const char *start = r->bytes + r->at, *end = memchr (start, '\n', r->count - r->at);
  if (!end) return aiger_fail (r, "the file ends in the middle of a line");
  *name = arena_printf (n->arena, "%.*s", (int) (end - start), start);
  r->at += (size_t) (end - start) + 1;
  r->line++;
  return true;
}

static bool read_symbol (aiger_reader *r, netlist *n) {
  char kind = r->bytes[r->at++];
  uint32_t count = count_of (&r->sizes, kind), k;
  const char *name = NULL;
  if (count == UINT32_MAX) return aiger_fail (r, "expected a symbol (i, l, o, b, c, j, f) or a comment (c)");
  if (!aiger_number (r, "the number of a symbol", UINT32_MAX / 4, &k)) return false;
  if (k >= count) return aiger_fail (r, "symbol %c%u names what is not there", kind, k);
  if (!aiger_take (r, ' ')) return aiger_fail (r, "expected a space before the name");
  if (!read_name (r, n, &name)) return false;
  set_name (r, n, kind, k, name);
  return true;
}

static bool at_comment (const aiger_reader *r) {
  return r->bytes[r->at] == 'c' && (r->at + 1 == r->count || r->bytes[r->at + 1] == '\n');
}

bool aiger_symbols (aiger_reader *r, netlist *n) {
  while (r->at < r->count && !at_comment (r))
    if (!read_symbol (r, n)) return false;
  return true;
}
