// AIGER files: known texts, round trips of random circuits in both forms, damaged files, and reading written files with
// ABC.
#include <stdlib.h>
#include <unistd.h>

#include "netlist/aiger.h"
#include "netlist/random_netlist_test.h"
#include "netlist/netlist_simulate.h"

// ---- known texts ------------------------------------------------------------------------------------

static const char switch_text[] = "aag 5 1 1 0 3 1\n"
                                  "2\n"
                                  "4 10 1\n"
                                  "6\n"
                                  "6 4 2\n"
                                  "8 5 3\n"
                                  "10 9 7\n"
                                  "i0 tick\n"
                                  "b0 switched off\n"
                                  "c\n"
                                  "a switch\n";

static void make_switch (netlist *n) {
  netlist_init (n);
  aig_lit on = netlist_add_latch (n, NET_ONE, NULL), tick = netlist_add_input (n, "tick");
  netlist_add_bad (n, aig_and (&n->graph, on, tick), "switched\noff");
  aig_and (&n->graph, on, aig_not (tick));  // not used by any property
  netlist_set_next (n, 0, aig_xor (&n->graph, on, tick));
}

static void a_circuit_is_written_as_expected (void **state) {
  (void) state;
  netlist n;
  strbuf out = {0};
  make_switch (&n);
  aiger_print (&n, AIGER_ASCII, "a switch", &out);
  assert_string_equal (strbuf_text (&out), switch_text);
  strbuf_clear (&out);
  aiger_print (&n, AIGER_BINARY, NULL, &out);
  static const char binary[] = "aig 5 1 1 0 3 1\n10 1\n6\n\2\2\3\2\1\2i0 tick\nb0 switched off\n";
  assert_int_equal (out.count, sizeof binary - 1);
  assert_memory_equal (out.data, binary, out.count);
  strbuf_release (&out);
  netlist_release (&n);
}

static void parse_or_fail (netlist *n, const char *text) {
  strbuf why = {0};
  if (!aiger_parse (n, text, strlen (text), &why)) fail_msg ("%s", strbuf_text (&why));
  strbuf_release (&why);
}

static void a_circuit_is_read_as_expected (void **state) {
  (void) state;
  netlist n;
  parse_or_fail (&n, switch_text);
  assert_int_equal (n.inputs.count, 1);
  assert_string_equal (n.inputs.data[0].name, "tick");
  assert_int_equal (n.latches.data[0].reset, NET_ONE);
  assert_string_equal (n.bads.data[0].name, "switched off");
  aig_lit on = n.latches.data[0].now, tick = n.inputs.data[0].now;
  assert_int_equal (n.latches.data[0].next.i, aig_xor (&n.graph, on, tick).i);
  assert_int_equal (n.bads.data[0].holds.i, aig_and (&n.graph, on, tick).i);
  netlist_release (&n);
}

static void outputs_are_bads_if_there_are_none (void **state) {
  (void) state;
  netlist n;
  parse_or_fail (&n, "aag 1 1 0 2 0\n2\n3\n1\no1 always\n");
  assert_int_equal (n.bads.count, 2);
  assert_int_equal (n.bads.data[0].holds.i, aig_not (n.inputs.data[0].now).i);
  assert_string_equal (n.bads.data[1].name, "always");
  netlist_release (&n);
  parse_or_fail (&n, "aag 1 1 0 1 0 1\n2\n3\n2\no0 output\nb0 bad\n");
  assert_int_equal (n.bads.count, 1);
  assert_int_equal (n.bads.data[0].holds.i, n.inputs.data[0].now.i);
  assert_string_equal (n.bads.data[0].name, "bad");
  netlist_release (&n);
}

static void ands_stand_in_any_order (void **state) {
  (void) state;
  netlist n;
  parse_or_fail (&n, "aag 9 2 1 0 2 1 1 2 1\n4\n2\n18 12 18\n12\n2\n1\n2\n4\n4\n13\n0\n12 14 18\n14 2 5\nc0 only\nj1 "
                     "both\nf0 fair\nc");
  assert_int_equal (n.latches.data[0].reset, NET_ANY);
  aig_lit x = n.inputs.data[1].now, y = n.inputs.data[0].now, l = n.latches.data[0].now;
  aig_lit all = aig_and (&n.graph, aig_and (&n.graph, x, aig_not (y)), l);
  assert_int_equal (n.bads.data[0].holds.i, all.i);
  assert_int_equal (n.justice.data[0].conditions.count, 1);
  assert_int_equal (n.justice.data[1].conditions.data[1].i, aig_not (all).i);
  assert_int_equal (n.fairness.data[0].holds.i, AIG_FALSE.i);
  assert_string_equal (n.constraints.data[0].name, "only");
  assert_string_equal (n.justice.data[1].name, "both");
  assert_string_equal (n.fairness.data[0].name, "fair");
  netlist_release (&n);
}

static void equal_names_get_numbers (void **state) {
  (void) state;
  netlist n;
  strbuf out = {0};
  netlist_init (&n);
  netlist_add_input (&n, "x");
  netlist_add_bad (&n, AIG_TRUE, "x (2)");
  netlist_add_constraint (&n, AIG_TRUE, "x");
  aiger_print (&n, AIGER_BINARY, NULL, &out);
  assert_string_equal (strbuf_text (&out), "aig 1 1 0 0 0 1 1\n1\n1\ni0 x\nb0 x (2)\nc0 x (3)\n");
  strbuf_release (&out);
  netlist_release (&n);
}

// ---- mistakes ---------------------------------------------------------------------------------------

typedef struct wrong_file {
  const char *bytes;
  size_t count;
  const char *why;
} wrong_file;
#define WRONG(BYTES, WHY) \
  { BYTES, sizeof BYTES - 1, WHY }

// clang-format off
static const wrong_file wrong_files[] = {
  WRONG ("", "line 1: expected `aag` or `aig`: this is no AIGER file"),
  WRONG ("aig", "line 1: expected `aag` or `aig`: this is no AIGER file"),
  WRONG ("aag 1 1 0 0\n", "line 1: expected a space"),
  WRONG ("aag x", "line 1: expected a size, a number"),
  WRONG ("aag 1 0 0 0 0 0 0 0 0 0\n", "line 1: expected the end of the line"),
  WRONG ("aag 99999999999 0 0 0 0\n", "line 1: a size should be at most 1073741823"),
  WRONG ("aag 1000000000 0 0 0 0\n", "line 1: a file of 23 bytes cannot have 1000000000 variables"),
  WRONG ("aig 1000000000 1000000000 0 0 0\n", "line 1: a file of 32 bytes cannot have 1000000000 variables"),
  WRONG ("aig 90 0 0 0 90\n", "line 1: a file of 16 bytes cannot have 90 variables"),
  WRONG ("aag 1 1 1 0 0\n", "line 1: inputs, latches and ands make 2 variables, but the largest is said to be 1"),
  WRONG ("aig 2 1 0 0 0\n", "line 1: inputs, latches and ands make 1 variables, but the largest is said to be 2"),
  WRONG ("aag 1 1 0 0 0\n", "line 2: the file ends before an input"),
  WRONG ("aag 1 1 0 0 0\n2", "line 2: the file ends in the middle of a line"),
  WRONG ("aag 1 1 0 0 0\n3\n", "line 2: literal 3 is defined, but it is odd"),
  WRONG ("aag 1 1 0 0 0\n0\n", "line 2: the constant 0 is defined again"),
  WRONG ("aag 2 2 0 0 0\n2\n2\n", "line 3: literal 2 is defined a second time"),
  WRONG ("aag 1 1 0 0 0\n4\n", "line 2: an input should be at most 3"),
  WRONG ("aag 2 1 1 0 0\n2\n4 2 2\n", "line 3: a reset value is 0, 1 or the latch (4), not 2"),
  WRONG ("aag 1 1 0 1 0\n2\n-1\n", "line 3: expected an output, a number"),
  WRONG ("aag 3 1 0 1 1\n2\n4\n4 6 2\n", "line 4: literal 6 is used, but not defined"),
  WRONG ("aag 3 1 0 1 0\n2\n7\n", "line 3: literal 7 is used, but not defined"),
  WRONG ("aag 3 1 0 0 2\n2\n4 6 2\n6 2 5\n", "line 4: the and of literal 5 needs itself"),
  WRONG ("aag 2 1 0 0 1\n2\n4 4 2\n", "line 3: the and of literal 4 needs itself"),
  WRONG ("aig 2 1 0 0 1\n\2", "byte 15: the file ends after 0 of 1 ands"),
  WRONG ("aig 2 1 0 0 1\n\0\0", "byte 15: and 0 is its own operand"),
  WRONG ("aig 2 1 0 0 1\n\5\0", "byte 14: an operand of and 0 is not below it"),
  WRONG ("aig 2 1 0 0 1\n\2\3", "byte 15: an operand of and 0 is not below it"),
  WRONG ("aig 2 1 0 0 1\n\200\200\200\200\200\0", "byte 19: an operand of and 0 is not below it"),
  WRONG ("aig 1 1 0 0 0\ni1 x\n", "line 2: symbol i1 names what is not there"),
  WRONG ("aig 1 1 0 0 0\ni0 x", "line 2: the file ends in the middle of a line"),
  WRONG ("aig 1 1 0 0 0\ni0\n", "line 2: expected a space before the name"),
  WRONG ("aig 1 1 0 0 0\nx0 x\n", "line 2: expected a symbol (i, l, o, b, c, j, f) or a comment (c)"),
};
// clang-format on

static void mistakes_are_named (void **state) {
  (void) state;
  for (unsigned k = 0; k < sizeof wrong_files / sizeof *wrong_files; k++) {
    netlist n;
    strbuf why = {0};
    assert_false (aiger_parse (&n, wrong_files[k].bytes, wrong_files[k].count, &why));
    assert_string_equal (strbuf_text (&why), wrong_files[k].why);
    strbuf_release (&why);
  }
}

// ---- round trips ------------------------------------------------------------------------------------

// Are the names equal, except for the number that the second of two equal names gets?
static bool same_name (const char *a, const char *b) { return a && b ? !strncmp (a, b, strlen (a)) : a == b; }

static void check_outputs (const net_output *a, const net_output *b, uint32_t count, const net_simulation *s,
                           const net_simulation *t) {
  for (uint32_t k = 0; k < count; k++) {
    assert_true (same_name (a[k].name, b[k].name));
    assert_true (net_value (s, a[k].holds) == net_value (t, b[k].holds));
  }
}

static void check_justice (const netlist *a, const netlist *b, const net_simulation *s, const net_simulation *t) {
  for (uint32_t k = 0; k < a->justice.count; k++) {
    const net_justice *x = &a->justice.data[k], *y = &b->justice.data[k];
    assert_true (same_name (x->name, y->name));
    assert_int_equal (x->conditions.count, y->conditions.count);
    for (uint32_t i = 0; i < x->conditions.count; i++)
      assert_true (net_value (s, x->conditions.data[i]) == net_value (t, y->conditions.data[i]));
  }
}

// Evaluates both circuits in the same 64 random states and inputs.
static void check_functions (const netlist *a, const netlist *b, rng *r) {
  net_simulation s, t;
  net_simulation_init (&s, a);
  net_simulation_init (&t, b);
  for (uint32_t k = 0; k < a->inputs.count; k++) {
    uint64_t word = rng_next (r);
    net_set_input (&s, k, word), net_set_input (&t, k, word);
  }
  for (uint32_t k = 0; k < a->latches.count; k++) {
    uint64_t word = rng_next (r);
    net_set_latch (&s, k, word), net_set_latch (&t, k, word);
  }
  net_evaluate (&s), net_evaluate (&t);
  for (uint32_t k = 0; k < a->latches.count; k++)
    assert_true (net_value (&s, a->latches.data[k].next) == net_value (&t, b->latches.data[k].next));
  check_outputs (a->bads.data, b->bads.data, a->bads.count, &s, &t);
  check_outputs (a->constraints.data, b->constraints.data, a->constraints.count, &s, &t);
  check_outputs (a->fairness.data, b->fairness.data, a->fairness.count, &s, &t);
  check_justice (a, b, &s, &t);
  net_simulation_release (&s);
  net_simulation_release (&t);
}

static void check_tables (const netlist *a, const netlist *b) {
  assert_int_equal (a->inputs.count, b->inputs.count);
  assert_int_equal (a->latches.count, b->latches.count);
  assert_int_equal (a->bads.count, b->bads.count);
  assert_int_equal (a->constraints.count, b->constraints.count);
  assert_int_equal (a->fairness.count, b->fairness.count);
  assert_int_equal (a->justice.count, b->justice.count);
  for (uint32_t k = 0; k < a->inputs.count; k++)
    assert_true (same_name (a->inputs.data[k].name, b->inputs.data[k].name));
  for (uint32_t k = 0; k < a->latches.count; k++) {
    assert_true (same_name (a->latches.data[k].name, b->latches.data[k].name));
    assert_int_equal (a->latches.data[k].reset, b->latches.data[k].reset);
  }
}

static random_shape any_shape (rng *r) {
  return (random_shape){.inputs = rng_below (r, 30),
                        .latches = rng_below (r, 30),
                        .ands = rng_below (r, 300),
                        .bads = rng_below (r, 3),
                        .constraints = rng_below (r, 3),
                        .justice = rng_below (r, 3),
                        .fairness = rng_below (r, 3)};
}

static void round_trips (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng r = {seed};
    netlist n, copy;
    strbuf text = {0}, why = {0};
    random_netlist (&n, &r, any_shape (&r));
    aiger_print (&n, seed % 2 ? AIGER_ASCII : AIGER_BINARY, seed % 3 ? "a comment\nof two lines" : NULL, &text);
    if (!aiger_parse (&copy, strbuf_text (&text), text.count, &why))
      fail_msg ("seed %u: %s", (unsigned) seed, strbuf_text (&why));
    check_tables (&n, &copy);
    check_functions (&n, &copy, &r);
    netlist_release (&n);
    netlist_release (&copy);
    strbuf_release (&text);
  }
}

// Truncated and changed files are read or rejected with a reason; a circuit that was read can be written.
static void damaged_files_do_no_harm (void **state) {
  (void) state;
  unsigned refused = 0;
  for (uint64_t seed = 0; seed < 4000; seed++) {
    rng r = {seed};
    netlist n, copy;
    strbuf text = {0}, why = {0}, again = {0};
    random_netlist (
        &n, &r,
        (random_shape){.inputs = 3, .latches = 4, .ands = 9, .bads = 1, .constraints = 1, .justice = 2, .fairness = 1});
    aiger_print (&n, seed % 2 ? AIGER_ASCII : AIGER_BINARY, NULL, &text);
    if (rng_below (&r, 2)) text.count = rng_below (&r, text.count);
    for (unsigned k = rng_below (&r, 4); text.count && k > 0; k--)
      text.data[rng_below (&r, text.count)] =
          rng_below (&r, 2) ? (char) rng_next (&r) : (char) ('0' + rng_below (&r, 10));
    if (aiger_parse (&copy, text.data, text.count, &why)) {
      aiger_print (&copy, AIGER_BINARY, NULL, &again);
      netlist_release (&copy);
    } else {
      refused++;
      assert_true (why.count > 10);
    }
    netlist_release (&n);
    strbuf_release (&text);
    strbuf_release (&why);
    strbuf_release (&again);
  }
  assert_in_range (refused, 1000, 3900);
}

// ---- files ------------------------------------------------------------------------------------------

static void files_that_cannot_be_used_are_reported (void **state) {
  (void) state;
  netlist n, copy;
  strbuf why = {0};
  make_switch (&n);
  assert_false (aiger_read (&copy, "/nowhere/x.aig", &why));
  assert_string_equal (strbuf_text (&why), "cannot read /nowhere/x.aig: No such file or directory");
  strbuf_clear (&why);
  assert_false (aiger_read (&copy, "/dev/null", &why));
  assert_string_equal (strbuf_text (&why), "/dev/null: line 1: expected `aag` or `aig`: this is no AIGER file");
  strbuf_clear (&why);
  assert_false (aiger_read (&copy, "/", &why));
  assert_string_equal (strbuf_text (&why), "cannot read /: Is a directory");
  strbuf_clear (&why);
  assert_false (aiger_write (&n, "/nowhere/x.aig", NULL, &why));
  assert_string_equal (strbuf_text (&why), "cannot write /nowhere/x.aig: No such file or directory");
  strbuf_clear (&why);
  assert_false (aiger_write (&n, "/dev/full", NULL, &why));
  assert_string_equal (strbuf_text (&why), "cannot write /dev/full: No space left on device");
  strbuf_release (&why);
  netlist_release (&n);
}

static void names_of_files_choose_the_form (void **state) {
  (void) state;
  static const char *const endings[] = {".aag", ".aig"};
  char directory[] = "/tmp/aiger_test.XXXXXX", path[64];
  assert_non_null (mkdtemp (directory));
  for (unsigned k = 0; k < 2; k++) {
    netlist n, copy;
    strbuf why = {0};
    make_switch (&n);
    snprintf (path, sizeof path, "%s/x%s", directory, endings[k]);
    assert_true (aiger_write (&n, path, NULL, &why));
    assert_true (aiger_read (&copy, path, &why));
    FILE *f = fopen (path, "rb");
    assert_int_equal (fgetc (f), 'a');
    assert_int_equal (fgetc (f), k ? 'i' : 'a');
    fclose (f);
    unlink (path);
    netlist_release (&n);
    netlist_release (&copy);
    strbuf_release (&why);
  }
  rmdir (directory);
}

// ABC does not read liveness properties.  Its bad states and constraints are outputs.
static void abc_reads_what_is_written (void **state) {
  (void) state;
  if (access ("/usr/bin/berkeley-abc", X_OK)) skip ();
  char directory[] = "/tmp/aiger_test.XXXXXX", path[64], command[256], answer[512], expected[128];
  assert_non_null (mkdtemp (directory));
  snprintf (path, sizeof path, "%s/x.aig", directory);
  snprintf (command, sizeof command, "timeout 20 /usr/bin/berkeley-abc -q 'read_aiger %s; print_stats' 2>&1", path);
  for (uint64_t seed = 0; seed < 10; seed++) {
    rng r = {seed};
    netlist n;
    strbuf why = {0};
    random_shape shape = any_shape (&r);
    shape.inputs++, shape.latches++, shape.bads++, shape.justice = shape.fairness = 0;
    random_netlist (&n, &r, shape);
    assert_true (aiger_write (&n, path, "from a test", &why));
    FILE *f = popen (command, "r");
    answer[fread (answer, 1, sizeof answer - 1, f)] = 0;
    assert_int_equal (pclose (f), 0);
    snprintf (expected, sizeof expected, "i/o = %4u/ %4u", shape.inputs, shape.bads + shape.constraints);
    assert_non_null (strstr (answer, expected));
    snprintf (expected, sizeof expected, "lat = %4u", shape.latches);
    assert_non_null (strstr (answer, expected));
    netlist_release (&n);
    strbuf_release (&why);
  }
  unlink (path);
  rmdir (directory);
}

TEST_MAIN (cmocka_unit_test (a_circuit_is_written_as_expected), cmocka_unit_test (a_circuit_is_read_as_expected),
           cmocka_unit_test (outputs_are_bads_if_there_are_none), cmocka_unit_test (ands_stand_in_any_order),
           cmocka_unit_test (equal_names_get_numbers), cmocka_unit_test (mistakes_are_named),
           cmocka_unit_test (round_trips), cmocka_unit_test (damaged_files_do_no_harm),
           cmocka_unit_test (files_that_cannot_be_used_are_reported), cmocka_unit_test (names_of_files_choose_the_form),
           cmocka_unit_test (abc_reads_what_is_written))
