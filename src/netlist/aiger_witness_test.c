// Witnesses: known texts, round trips, mistakes, and the counterexamples of ABC itself.
#include <stdlib.h>
#include <unistd.h>

#include "netlist/aiger.h"
#include "netlist/aiger_witness.h"
#include "netlist/random_netlist_test.h"
#include "netlist/netlist_simulate.h"

// Two latches in a row behind the first of two inputs; bad: the second latch.
static void make_delay (netlist *n) {
  netlist_init (n);
  aig_lit in = netlist_add_input (n, NULL);
  netlist_add_input (n, NULL);
  aig_lit first = netlist_add_latch (n, NET_ZERO, NULL), second = netlist_add_latch (n, NET_ZERO, NULL);
  netlist_add_latch (n, NET_ONE, NULL);
  netlist_set_next (n, 0, in);
  netlist_set_next (n, 1, first);
  netlist_add_bad (n, AIG_FALSE, NULL);
  netlist_add_bad (n, second, NULL);
  net_justice *j = netlist_add_justice (n, NULL);
  vec_push (&j->conditions, second);
}

static bool parse (const netlist *n, const char *text, aiger_witness *w, strbuf *why) {
  return aiger_witness_parse (n, text, strlen (text), w, why);
}

static void a_violation_is_read_and_written (void **state) {
  (void) state;
  netlist n;
  aiger_witness w;
  strbuf why = {0}, out = {0};
  make_delay (&n);
  assert_true (parse (&n, "c hello\nu1\n1\nb1\n00x\n1x\nx0\nxx\n.\nc the end\n", &w, &why));
  assert_true (net_path_shows (&n, 1, &w.path));
  assert_false (net_path_shows (&n, 0, &w.path));
  aiger_witness_print (&n, &w, &out);
  assert_string_equal (strbuf_text (&out), "1\nb1\n001\n10\n00\n00\n.\n");
  aiger_witness_release (&w);
  strbuf_release (&out);
  netlist_release (&n);
}

static void a_lasso_goes_back_to_the_first_equal_state (void **state) {
  (void) state;
  netlist n;
  aiger_witness w;
  strbuf why = {0};
  make_delay (&n);
  assert_true (parse (&n, "1\nj0\n001\n10\n10\n10\n10\n.\n", &w, &why));
  assert_int_equal (w.path.loop, 2);
  assert_true (net_path_shows_justice (&n, 0, &w.path));
  aiger_witness_release (&w);
  assert_false (parse (&n, "1\nj0\n001\n10\n.\n", &w, &why));
  assert_string_equal (strbuf_text (&why), "line 5: the path does not come back to one of its states");
  strbuf_release (&why);
  netlist_release (&n);
}

static void other_answers_have_no_path (void **state) {
  (void) state;
  netlist n;
  aiger_witness w;
  strbuf why = {0}, out = {0};
  make_delay (&n);
  assert_true (parse (&n, "0\nb1\n.\n", &w, &why));
  assert_int_equal (w.status, AIGER_HOLDS);
  aiger_witness_print (&n, &w, &out);
  assert_true (parse (&n, "2\nj0\n.\n", &w, &why));
  assert_int_equal (w.status, AIGER_UNKNOWN);
  aiger_witness_print (&n, &w, &out);
  assert_string_equal (strbuf_text (&out), "0\nb1\n.\n2\nj0\n.\n");
  strbuf_release (&out);
  netlist_release (&n);
}

// clang-format off
static const char *const wrong_texts[][2] = {
  {"", "line 1: the text ends before the status"},
  {"3\n", "line 1: expected the status: 0, 1 or 2"},
  {"sat\n", "line 1: expected the status: 0, 1 or 2"},
  {"1\n", "line 2: the text ends before the property"},
  {"1\nx0\n", "line 2: expected the property: b or j, and its number"},
  {"1\nb\n", "line 2: expected a number after `b`"},
  {"1\nb2\n", "line 2: the circuit has only 2 such properties"},
  {"1\nj99999999999999999999999\n", "line 2: the circuit has only 1 such properties"},
  {"1\nb0\n", "line 3: the text ends before the latches"},
  {"1\nb0\n00\n", "line 3: expected 3 latches, but the line has 2 characters"},
  {"1\nb0\n0a1\n", "line 3: expected 0, 1 or x at column 2"},
  {"1\nb0\n001\n", "line 4: the text ends before the `.` that ends a witness"},
  {"1\nb0\n001\n.\n", "line 4: a path should have a step"},
  {"1\nb0\n001\n0\n.\n", "line 4: expected 2 inputs, but the line has 1 characters"},
  {"1\nb0\n001\n00\n", "line 5: the text ends before the `.` that ends a witness"},
  {"0\nb0\n", "line 3: the text ends before the `.` that ends a witness"},
  {"0\nb0\n001\n", "line 3: expected `.`"},
};
static const char *const wrong_abc[][2] = {
  {"", "line 1: the text ends before the latches"},
  {"00# DONE\n", "line 1: expected 3 latches, but the line has 2 characters"},
  {"001\n00\n", "line 3: the text ends before `# DONE`"},
  {"001# DONE\n", "line 1: a path should have a step"},
  {"001\n0# DONE\n", "line 2: expected 2 inputs, but the line has 1 characters"},
};
// clang-format on

static void mistakes_are_named (void **state) {
  (void) state;
  netlist n;
  make_delay (&n);
  for (unsigned k = 0; k < sizeof wrong_texts / sizeof *wrong_texts; k++) {
    aiger_witness w;
    strbuf why = {0};
    assert_false (parse (&n, wrong_texts[k][0], &w, &why));
    assert_string_equal (strbuf_text (&why), wrong_texts[k][1]);
    strbuf_release (&why);
  }
  for (unsigned k = 0; k < sizeof wrong_abc / sizeof *wrong_abc; k++) {
    net_path p;
    strbuf why = {0};
    assert_false (aiger_parse_abc (&n, 0, wrong_abc[k][0], strlen (wrong_abc[k][0]), &p, &why));
    assert_string_equal (strbuf_text (&why), wrong_abc[k][1]);
    strbuf_release (&why);
  }
  netlist_release (&n);
}

static void random_paths_come_back (void **state) {
  (void) state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng r = {seed};
    netlist n;
    aiger_witness w = {.status = AIGER_VIOLATED, .path = {.length = 1 + rng_below (&r, 5), .loop = NET_NO_LOOP}}, copy;
    strbuf text = {0}, why = {0};
    random_netlist (&n, &r, random_small_shape (&r));
    for (uint32_t k = 0; k < n.latches.count; k++) vec_push (&w.path.start, rng_below (&r, 2));
    for (uint32_t k = 0; k < w.path.length * n.inputs.count; k++) vec_push (&w.path.inputs, rng_below (&r, 2));
    aiger_witness_print (&n, &w, &text);
    assert_true (aiger_witness_parse (&n, strbuf_text (&text), text.count, &copy, &why));
    assert_int_equal (copy.path.length, w.path.length);
    assert_memory_equal (copy.path.start.data, w.path.start.data, w.path.start.count);
    if (n.inputs.count) assert_memory_equal (copy.path.inputs.data, w.path.inputs.data, w.path.inputs.count);
    aiger_witness_release (&w);
    aiger_witness_release (&copy);
    strbuf_release (&text);
    netlist_release (&n);
  }
}

// ---- ABC --------------------------------------------------------------------------------------------

static void read_all (const char *path, char *text, size_t size) {
  FILE *f = fopen (path, "r");
  text[f ? fread (text, 1, size - 1, f) : 0] = 0;
  if (f) fclose (f);
}

// ABC's answer is that of the enumeration, and its counterexample shows the bad state.
static void compare_with_abc (const netlist *n, const char *directory) {
  char circuit[64], trace[64], command[256], text[1024];
  strbuf why = {0};
  naive all;
  net_path p;
  snprintf (circuit, sizeof circuit, "%s/x.aig", directory);
  snprintf (trace, sizeof trace, "%s/x.cex", directory);
  snprintf (command, sizeof command,
            "timeout 20 /usr/bin/berkeley-abc -q 'read_aiger %s; pdr; write_cex -a %s' >/dev/null 2>&1", circuit,
            trace);
  assert_true (aiger_write (n, circuit, NULL, &why));
  unlink (trace);
  assert_int_equal (system (command), 0);
  read_all (trace, text, sizeof text);
  naive_explore (n, &all);
  if (!naive_shortest (n, &all, n->bads.data[0].holds)) assert_string_equal (text, "");
  else {
    if (!aiger_parse_abc (n, 0, text, strlen (text), &p, &why)) fail_msg ("%s: %s", text, strbuf_text (&why));
    assert_true (net_path_shows (n, 0, &p));
    net_path_release (&p);
  }
  unlink (circuit);
  unlink (trace);
}

// ABC starts latches without reset value as 0, requires constraints folded into the properties, and does not answer for
// circuits without latches.
static void abc_counterexamples_are_read (void **state) {
  (void) state;
  if (access ("/usr/bin/berkeley-abc", X_OK)) skip ();
  char directory[] = "/tmp/aiger_test.XXXXXX";
  assert_non_null (mkdtemp (directory));
  for (uint64_t seed = 0; seed < 25; seed++) {
    rng r = {seed};
    netlist n;
    random_shape shape = random_small_shape (&r);
    shape.constraints = 0, shape.bads = 1;
    random_netlist (&n, &r, shape);
    for (uint32_t k = 0; k < n.latches.count; k++)
      if (n.latches.data[k].reset == NET_ANY) n.latches.data[k].reset = NET_ZERO;
    compare_with_abc (&n, directory);
    netlist_release (&n);
  }
  rmdir (directory);
}

TEST_MAIN (cmocka_unit_test (a_violation_is_read_and_written),
           cmocka_unit_test (a_lasso_goes_back_to_the_first_equal_state), cmocka_unit_test (other_answers_have_no_path),
           cmocka_unit_test (mistakes_are_named), cmocka_unit_test (random_paths_come_back),
           cmocka_unit_test (abc_counterexamples_are_read))
