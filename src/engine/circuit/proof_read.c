// Reads proofs. The reader only takes what a line says; certificate.c checks that the invariant is one.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/circuit/circuit_proof.h"

typedef struct certificate_reading {
  proof_reader *r;
  const netlist *n;
  prove_certificate *c;
  strbuf *why;
  strmap latches;  // name -> number
  map gates;       // number in the text -> literal of the graph
  strbuf line;
  VEC (aig_lit) inputs;
} certificate_reading;

static bool certificate_error (certificate_reading *x, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
static bool certificate_error (certificate_reading *x, const char *format, ...) {
  va_list list;
  va_start (list, format);
  strbuf_printf (x->why, "line %u: ", x->r->line);
  strbuf_vprintf (x->why, format, list);
  va_end (list);
  return false;
}

// False: there are no more lines.
static bool next_certificate_line (certificate_reading *x) {
  if (!*x->r->text) return false;
  size_t length = strcspn (x->r->text, "\n");
  strbuf_clear (&x->line);
  strbuf_add_bytes (&x->line, x->r->text, length);
  x->r->text += length + (x->r->text[length] == '\n');
  x->r->line++;
  return true;
}

// Returns the text after the word and a blank, or NULL.
static char *text_after_word (certificate_reading *x, const char *word) {
  size_t length = strlen (word);
  char *text = (char *) strbuf_text (&x->line);
  if (strncmp (text, word, length) || (text[length] && text[length] != ' ')) return NULL;
  return text + length + (text[length] == ' ');
}

// ---- literals ---------------------------------------------------------------------------------------
static bool find_latch (certificate_reading *x, const char *name, uint32_t *latch) {
  const uint64_t *found = strmap_find (&x->latches, name);
  if (!found) return certificate_error (x, "the circuit has no latch `%s`", name);
  *latch = (uint32_t) *found;
  return true;
}

static bool read_clause (certificate_reading *x, char *text) {
  while (*text) {
    char *bar = strstr (text, " | ");
    if (bar) *bar = 0;
    bool negative = *text == '!';
    uint32_t latch = 0;
    if (!find_latch (x, text + negative, &latch)) return false;
    vec_push (&x->c->clauses, negative ? -(int32_t) latch - 1 : (int32_t) latch + 1);
    text = bar ? bar + 3 : text + strlen (text);
  }
  vec_push (&x->c->clauses, 0);
  return true;
}

static bool read_operand (certificate_reading *x, char *text, aig_lit *out) {
  bool negative = *text == '!';
  text += negative;
  if (!strcmp (text, "true") || !strcmp (text, "false")) *out = *text == 't' ? AIG_TRUE : AIG_FALSE;
  else if (*text == '#') {
    const uint64_t *gate = map_find (&x->gates, strtoul (text + 1, NULL, 10));
    if (!gate) return certificate_error (x, "there is no gate %s before", text);
    *out = (aig_lit){(uint32_t) *gate};
  } else {
    uint32_t latch = 0;
    if (!find_latch (x, text, &latch)) return false;
    *out = x->inputs.data[latch];
  }
  out->i ^= negative;
  return true;
}

static void add_missing_graph (certificate_reading *x) {
  if (x->c->graph.nodes.count) return;
  aig_init (&x->c->graph);
  for (uint32_t k = 0; k < x->n->latches.count; k++) vec_push (&x->inputs, aig_input (&x->c->graph));
}

// Reads "#7 = A & B".
static bool read_gate (certificate_reading *x, char *text) {
  char *is = strstr (text, " = "), *and = is ? strstr (is, " & ") : NULL;
  aig_lit left, right;
  if (*text != '#' || !and) return certificate_error (x, "expected a gate: #number = ... & ...");
  *and = 0;
  add_missing_graph (x);
  if (!read_operand (x, is + 3, &left) || !read_operand (x, and+3, &right)) return false;
  *map_insert (&x->gates, strtoul (text + 1, NULL, 10), 0, NULL) = aig_and (&x->c->graph, left, right).i;
  return true;
}

// ---- a proof ----------------------------------------------------------------------------------------
static bool read_certificate_line (certificate_reading *x) {
  char *rest;
  if ((rest = text_after_word (x, "depth"))) {
    x->c->depth = (uint32_t) strtoul (rest, &rest, 10);
    x->c->simple = !strcmp (rest, " simple");
    return x->c->depth ? true : certificate_error (x, "the depth should be a number from 1 on");
  }
  if ((rest = text_after_word (x, "clause"))) return read_clause (x, rest);
  if ((rest = text_after_word (x, "gate"))) return read_gate (x, rest);
  if ((rest = text_after_word (x, "holds"))) {
    add_missing_graph (x);
    return read_operand (x, rest, &x->c->holds);
  }
  return certificate_error (x, "expected depth, clause, gate, holds or end");
}

static bool read_proof (certificate_reading *x) {
  char *property = text_after_word (x, "proof");
  if (!property || !*property) return certificate_error (x, "expected `proof` and the property");
  strbuf_clear (&x->r->property);
  strbuf_add (&x->r->property, property);
  for (uint32_t k = 0; k < x->n->latches.count; k++)
    if (x->n->latches.data[k].name) strmap_insert (&x->latches, x->n->latches.data[k].name, k, NULL);
  for (;;) {
    if (!next_certificate_line (x)) return certificate_error (x, "the text ends before the `end` of a proof");
    if (text_after_word (x, "end"))
      return x->c->depth ? true : certificate_error (x, "the proof does not say its depth");
    if (!read_certificate_line (x)) return false;
  }
}

bool proof_read (proof_reader *r, const netlist *named, prove_certificate *c, strbuf *why) {
  certificate_reading x = {.r = r, .n = named, .c = c, .why = why};
  *c = (prove_certificate){0};
  bool good = next_certificate_line (&x) && read_proof (&x);
  if (!good) proof_release (c);
  strmap_release (&x.latches);
  map_release (&x.gates);
  strbuf_release (&x.line);
  vec_release (&x.inputs);
  return good;
}
