// Plain circuits: the answers are those of the original by enumeration, paths can be translated back, and ABC gives
// right answers about circuits whose originals it does not support.
#include <stdlib.h>
#include <unistd.h>

#include "netlist/aiger.h"
#include "netlist/aiger_witness.h"
#include "netlist/plain.h"
#include "netlist/random_netlist_test.h"
#include "netlist/netlist_simulate.h"

// Makes a circuit so small that its plain circuit can be enumerated, too: few inputs and latches, few of these without
// reset value.
static void make_original (netlist *n, rng *r, bool with_justice) {
  random_shape shape = {.inputs = rng_below (r, 2),
                        .latches = rng_below (r, 5),
                        .ands = rng_below (r, 20),
                        .bads = 1,
                        .constraints = rng_below (r, 3),
                        .justice = with_justice,
                        .fairness = with_justice && rng_below (r, 2)};
  random_netlist (n, r, shape);
  unsigned without = 0;
  for (uint32_t k = 0; k < n->latches.count; k++)
    if (n->latches.data[k].reset == NET_ANY && ++without > 2) n->latches.data[k].reset = NET_ONE;
}

static void check_is_plain (const netlist *plain) {
  assert_int_equal (plain->constraints.count, 0);
  assert_true (plain->latches.count > 0);
  for (uint32_t k = 0; k < plain->latches.count; k++) assert_int_equal (plain->latches.data[k].reset, NET_ZERO);
}

// Translates a random path of the plain circuit, and compares what both paths show.
static bool check_path (const netlist *n, const netlist *plain, rng *r) {
  net_path p = {.length = 1 + rng_below (r, 5)}, original;
  p.loop = rng_below (r, p.length);
  for (uint32_t k = 0; k < plain->latches.count; k++) vec_push (&p.start, 0);
  for (uint32_t k = 0; k < p.length * plain->inputs.count; k++) vec_push (&p.inputs, rng_below (r, 2));
  net_path_from_plain (n, plain, &p, &original);
  bool shows = net_path_shows (plain, 0, &p);
  assert_int_equal (net_path_shows (n, 0, &original), shows);
  if (net_path_shows_justice (plain, 0, &p)) assert_true (net_path_shows_justice (n, 0, &original));
  net_path_release (&p);
  net_path_release (&original);
  return shows;
}

static void answers_are_the_same (void **state) {
  (void) state;
  unsigned shown = 0;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    rng r = {seed};
    netlist n, plain;
    naive all, of_plain;
    make_original (&n, &r, true);
    netlist_make_plain (&plain, &n);
    check_is_plain (&plain);
    naive_explore (&n, &all);
    naive_explore (&plain, &of_plain);
    for (uint32_t k = 0; k < n.bads.count; k++)
      assert_int_equal (naive_shortest (&plain, &of_plain, plain.bads.data[k].holds),
                        naive_shortest (&n, &all, n.bads.data[k].holds));
    assert_int_equal (naive_justice_violated (&plain, &of_plain, &plain.justice.data[0]),
                      naive_justice_violated (&n, &all, &n.justice.data[0]));
    for (unsigned k = 0; k < 5; k++) shown += check_path (&n, &plain, &r);
    netlist_release (&n);
    netlist_release (&plain);
  }
  assert_true (shown > 100);
}

static void ask_abc (const netlist *plain, const char *directory, char *text, size_t size) {
  char circuit[64], trace[64], command[256];
  strbuf why = {0};
  snprintf (circuit, sizeof circuit, "%s/x.aig", directory);
  snprintf (trace, sizeof trace, "%s/x.cex", directory);
  snprintf (command, sizeof command,
            "timeout 20 /usr/bin/berkeley-abc -q 'read_aiger %s; pdr; write_cex -a %s' >/dev/null 2>&1", circuit,
            trace);
  assert_true (aiger_write (plain, circuit, NULL, &why));
  assert_int_equal (system (command), 0);
  FILE *f = fopen (trace, "r");
  text[f ? fread (text, 1, size - 1, f) : 0] = 0;
  if (f) fclose (f);
  unlink (circuit);
  unlink (trace);
}

static void abc_answers_as_enumeration (void **state) {
  (void) state;
  if (access ("/usr/bin/berkeley-abc", X_OK)) skip ();
  char directory[] = "/tmp/plain_test.XXXXXX", text[1024];
  assert_non_null (mkdtemp (directory));
  for (uint64_t seed = 0; seed < 25; seed++) {
    rng r = {seed};
    netlist n, plain;
    naive all;
    strbuf why = {0};
    net_path p, original;
    make_original (&n, &r, false);
    naive_explore (&n, &all);
    netlist_make_plain (&plain, &n);
    ask_abc (&plain, directory, text, sizeof text);
    if (!naive_shortest (&n, &all, n.bads.data[0].holds)) assert_string_equal (text, "");
    else {
      if (!aiger_parse_abc (&plain, 0, text, strlen (text), &p, &why)) fail_msg ("%s: %s", text, strbuf_text (&why));
      net_path_from_plain (&n, &plain, &p, &original);
      assert_true (net_path_shows (&n, 0, &original));
      net_path_release (&p);
      net_path_release (&original);
    }
    netlist_release (&n);
    netlist_release (&plain);
  }
  rmdir (directory);
}

TEST_MAIN (cmocka_unit_test (answers_are_the_same), cmocka_unit_test (abc_answers_as_enumeration))
