// Writes and reads witnesses, line by line.
#include "netlist/aiger_witness.h"

#include <stdarg.h>
#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "netlist/netlist_simulate.h"

// ---- writing ----------------------------------------------------------------------------------------

static void print_bits (const uint8_t *bits, uint32_t count, strbuf *out) {
  for (uint32_t k = 0; k < count; k++) strbuf_add_char (out, bits[k] ? '1' : '0');
  strbuf_add_char (out, '\n');
}

void aiger_witness_print (const netlist *n, const aiger_witness *w, strbuf *out) {
  strbuf_printf (out, "%d\n%c%u\n", w->status, w->is_justice ? 'j' : 'b', w->property);
  if (w->status == AIGER_VIOLATED) {
    CHECK (net_path_fits (n, &w->path), "the path of a witness should be one of its circuit");
    uint32_t inputs = n->inputs.count;
    print_bits (w->path.start.data, w->path.start.count, out);
    for (uint32_t step = 0; step < w->path.length; step++)
      print_bits (inputs ? w->path.inputs.data + (size_t) step * inputs : NULL, inputs, out);
  }
  strbuf_add (out, ".\n");
}

void aiger_witness_release (aiger_witness *w) { net_path_release (&w->path); }

// ---- lines ------------------------------------------------------------------------------------------

typedef struct lines {
  const netlist *n;
  const char *rest;  // the text after the line
  size_t left;
  const char *text;  // the line
  size_t length;
  uint32_t number;  // number of the line, from 1 on
  strbuf *why;
} lines;

static bool witness_error (lines *l, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
static bool witness_error (lines *l, const char *format, ...) {
  va_list list;
  va_start (list, format);
  strbuf_printf (l->why, "line %u: ", l->number);
  strbuf_vprintf (l->why, format, list);
  va_end (list);
  return false;
}

// Goes to the next line.  False: there is none.
static bool read_next_line (lines *l) {
  l->number++;
  if (!l->left) return false;
  const char *end = memchr (l->rest, '\n', l->left);
  l->text = l->rest;
  l->length = end ? (size_t) (end - l->rest) : l->left;
  size_t taken = l->length + (end != NULL);
  l->rest += taken, l->left -= taken;
  return true;
}

static bool need_line (lines *l, const char *what) {
  return read_next_line (l) || witness_error (l, "the text ends before %s", what);
}

static bool line_is (const lines *l, const char *text) {
  return l->length == strlen (text) && !memcmp (l->text, text, l->length);
}

static bool check_bits (lines *l, const char *what, uint32_t count) {
  if (l->length != count)
    return witness_error (l, "expected %u %s, but the line has %zu characters", count, what, l->length);
  for (uint32_t k = 0; k < count; k++)
    if (!strchr ("01x", l->text[k]) || !l->text[k]) return witness_error (l, "expected 0, 1 or x at column %u", k + 1);
  return true;
}

static bool read_start (lines *l, net_path *p) {
  if (!check_bits (l, "latches", l->n->latches.count)) return false;
  for (uint32_t k = 0; k < l->n->latches.count; k++) {
    bool bit = l->text[k] == 'x' ? l->n->latches.data[k].reset == NET_ONE : l->text[k] == '1';
    vec_push (&p->start, bit);
  }
  return true;
}

static bool read_inputs (lines *l, net_path *p) {
  if (!check_bits (l, "inputs", l->n->inputs.count)) return false;
  for (uint32_t k = 0; k < l->n->inputs.count; k++) vec_push (&p->inputs, l->text[k] == '1');
  p->length++;
  return true;
}

// ---- AIGER's witness --------------------------------------------------------------------------------

static bool read_status (lines *l, aiger_witness *w) {
  do {
    if (!need_line (l, "the status")) return false;
    // comments, and bounds up to which the property holds
  } while (l->length && (l->text[0] == 'c' || l->text[0] == 'u'));
  if (l->length != 1 || l->text[0] < '0' || l->text[0] > '2')
    return witness_error (l, "expected the status: 0, 1 or 2");
  w->status = (aiger_status) (l->text[0] - '0');
  return true;
}

// Reads the properties, `b2` or `j0`, and uses the first of several.
static bool read_property (lines *l, aiger_witness *w) {
  if (!need_line (l, "the property")) return false;
  uint32_t count = 0, k = 1;
  uint64_t number = 0;
  w->is_justice = l->length && l->text[0] == 'j';
  if (l->length && (w->is_justice || l->text[0] == 'b')) count = w->is_justice ? l->n->justice.count : l->n->bads.count;
  else return witness_error (l, "expected the property: b or j, and its number");
  for (; k < l->length && l->text[k] >= '0' && l->text[k] <= '9' && number <= count; k++)
    number = 10 * number + (uint64_t) (l->text[k] - '0');
  if (k == 1) return witness_error (l, "expected a number after `%c`", l->text[0]);
  if (number >= count) return witness_error (l, "the circuit has only %u such properties", count);
  w->property = (uint32_t) number;
  return true;
}

static bool state_is (const net_simulation *s, const uint8_t *state) {
  for (uint32_t k = 0; k < s->circuit->latches.count; k++)
    if ((net_value (s, s->circuit->latches.data[k].now) != 0) != state[k]) return false;
  return true;
}

static void to_step (net_simulation *s, const net_path *p, uint32_t length) {
  net_path_start (s, p);
  for (uint32_t step = 0; step < length; step++) {
    net_path_inputs (s, p, step);
    net_step (s);
  }
}

// Finds the step at which the loop of a lasso begins, since the format does not contain it.
static bool find_lasso_loop (const netlist *n, net_path *p) {
  VEC (uint8_t) end = {0};
  net_simulation s;
  net_simulation_init (&s, n);
  to_step (&s, p, p->length);
  for (uint32_t k = 0; k < n->latches.count; k++) vec_push (&end, net_value (&s, n->latches.data[k].now) != 0);
  net_path_start (&s, p);
  uint32_t step = 0;
  for (; step < p->length && !state_is (&s, end.data); step++) {
    net_path_inputs (&s, p, step);
    net_step (&s);
  }
  p->loop = step;
  net_simulation_release (&s);
  vec_release (&end);
  return step < p->length;
}

static bool read_path (lines *l, aiger_witness *w) {
  if (!need_line (l, "the latches") || !read_start (l, &w->path)) return false;
  for (;;) {
    if (!need_line (l, "the `.` that ends a witness")) return false;
    if (line_is (l, ".")) break;
    if (!read_inputs (l, &w->path)) return false;
  }
  if (!w->path.length) return witness_error (l, "a path should have a step");
  if (w->is_justice && !find_lasso_loop (l->n, &w->path))
    return witness_error (l, "the path does not come back to one of its states");
  return true;
}

bool aiger_witness_parse (const netlist *n, const char *text, size_t count, aiger_witness *w, strbuf *why) {
  lines l = {.n = n, .rest = text, .left = count, .why = why};
  *w = (aiger_witness){.path = {.loop = NET_NO_LOOP}};
  bool good = read_status (&l, w) && read_property (&l, w);
  if (good && w->status == AIGER_VIOLATED) good = read_path (&l, w);
  else if (good)
    good = need_line (&l, "the `.` that ends a witness") && (line_is (&l, ".") || witness_error (&l, "expected `.`"));
  if (!good) aiger_witness_release (w);
  return good;
}

// ---- ABC's counterexamples --------------------------------------------------------------------------

// Removes the mark at the end of the path's last line; the text before the mark belongs to the path.
static bool take_mark (lines *l) {
  static const char mark[] = "# DONE";
  size_t length = sizeof mark - 1;
  if (l->length < length || memcmp (l->text + l->length - length, mark, length)) return false;
  l->length -= length;
  return true;
}

static bool run_until_bad (lines *l, uint32_t bad, net_path *p) {
  net_simulation s;
  net_simulation_init (&s, l->n);
  net_path_start (&s, p);
  bool found = false;
  for (; !found && !at_limit (WITNESS_STEPS, p->length); p->length++) {
    net_evaluate (&s);
    found = net_value (&s, l->n->bads.data[bad].holds);
    net_step (&s);
  }
  net_simulation_release (&s);
  return found || witness_error (l, "the bad state does not hold within %u steps", p->length);
}

static bool read_abc (lines *l, uint32_t bad, net_path *p) {
  if (!need_line (l, "the latches")) return false;
  bool last = take_mark (l);
  if (!read_start (l, p)) return false;
  while (!last) {
    if (!need_line (l, "`# DONE`")) return false;
    last = take_mark (l);
    if (!read_inputs (l, p)) return false;
  }
  if (!l->n->inputs.count) {
    p->length = 0;
    return run_until_bad (l, bad, p);
  }
  return p->length || witness_error (l, "a path should have a step");
}

bool aiger_parse_abc (const netlist *n, uint32_t bad, const char *text, size_t count, net_path *p, strbuf *why) {
  CHECK (bad < n->bads.count, "a counterexample should be of a bad state of the circuit");
  lines l = {.n = n, .rest = text, .left = count, .why = why};
  *p = (net_path){.loop = NET_NO_LOOP};
  bool good = read_abc (&l, bad, p);
  if (!good) net_path_release (p);
  return good;
}
