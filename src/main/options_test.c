// The option table: initial values, good and bad words, saving to a report and restoring.
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "engine/boolean/boolean_options.h"
#include "engine/circuit/circuit_options.h"
#include "engine/random/random_options.h"
#include "main/options.h"

enum { MOST_WORDS = 16 };

// Words in one string, separated by blanks.
static bool parse (options *o, option_use command, const char *line) {
  char copy[200], *words[MOST_WORDS];
  int count = 0;
  snprintf (copy, sizeof copy, "%s", line);
  for (char *state = NULL, *w = strtok_r (copy, " ", &state); w && count < MOST_WORDS; w = strtok_r (NULL, " ", &state))
    words[count++] = w;
  options_init (o, command);
  return options_parse (o, count, words);
}

static void every_initial_value_is_valid (void **state) {
  (void) state;
  options o;
  options_init (&o, FOR_CHECK);
  uint64_t usual = 1 << IR_P_ASSERT | 1 << IR_P_RACE | 1 << IR_P_DEADLOCK | 1 << IR_P_LOCKS | 1 << IR_P_MEMORY;
  assert_int_equal (o.value[OPT_PROPERTY].number, usual);
  assert_int_equal (o.value[OPT_MEMORY].number, (uint64_t) 4 << 30);
  assert_int_equal (o.value[OPT_MAX_THREADS].number, IR_MAX_THREADS);
  assert_string_equal (o.value[OPT_ENTRY].text, "main");
  assert_null (o.value[OPT_JSON].text);
  options_release (&o);
}

static void numbers_and_units (void **state) {
  (void) state;
  static const struct {
    const char *word;
    option_id id;
    uint64_t value;
  } cases[] = {{"--timeout=30", OPT_TIMEOUT, 30000},
               {"--timeout=30s", OPT_TIMEOUT, 30000},
               {"--timeout=5m", OPT_TIMEOUT, 300000},
               {"--timeout=1h", OPT_TIMEOUT, 3600000},
               {"--timeout=10ms", OPT_TIMEOUT, 10},
               {"--timeout=0.5", OPT_TIMEOUT, 500},
               {"--timeout=1.25m", OPT_TIMEOUT, 75000},
               {"--timeout=0.0001", OPT_TIMEOUT, 1},
               {"--timeout 7", OPT_TIMEOUT, 7000},
               {"--memory=500M", OPT_MEMORY, 500u << 20},
               {"--memory=4g", OPT_MEMORY, (uint64_t) 4 << 30},
               {"--memory=0", OPT_MEMORY, 0},
               {"-j4", OPT_JOBS, 4},
               {"-j 2", OPT_JOBS, 2},
               {"--depth=18446744073709551615", OPT_DEPTH, UINT64_MAX},
               {"-v -v", OPT_VERBOSE, 2},
               {"--may-fail", OPT_MAY_FAIL, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    options o;
    assert_true (parse (&o, FOR_CHECK, cases[i].word));
    assert_int_equal (o.value[cases[i].id].number, cases[i].value);
    assert_int_equal (o.files.count, 0);
    options_release (&o);
  }
}

static void bad_words_are_refused (void **state) {
  (void) state;
  static const char *const bad[] = {"--timeout=",
                                    "--timeout=x",
                                    "--timeout=3d",
                                    "--timeout=-1",
                                    "--timeout=99999999999999999999",
                                    "--timeout=9999999999999999999h",
                                    "--timeout",
                                    "--memory=4GB",
                                    "--bitstate=many",
                                    "-j0",
                                    "-j",
                                    "--max-threads=0",
                                    "--max-threads=129",
                                    "--depth=1.5",
                                    "--search=best",
                                    "--search=",
                                    "--search=df",
                                    "--reduction=some",
                                    "--property=none",
                                    "--json=",
                                    "--unwindset=",
                                    "--encoding=none",
                                    "--csr=yes",
                                    "--solver=minisat",
                                    "--context-bound=x",
                                    "--sarif=",
                                    "--timeot=3",
                                    "--may-fail=1",
                                    "-m32=1",
                                    "--step",
                                    "--goal=x",
                                    "-O2",
                                    "-std",
                                    "-std gnu11",
                                    "-I",
                                    "--data-model=LLP64",
                                    "---",
                                    "--=3"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    options o;
    if (parse (&o, FOR_CHECK, bad[i])) fail_msg ("%s should be refused", bad[i]);
    options_release (&o);
  }
}

static void compiler_flags_keep_their_order (void **state) {
  (void) state;
  options o;
  assert_true (parse (&o, FOR_CHECK, "-Ia a.c -D X -std=c99 -pthread -m32 -- -Wall b.c"));
  static const char *const flags[] = {"-Ia", "-D", "X", "-std=c99", "-pthread", "-Wall"};
  assert_int_equal (o.files.count, 1);
  assert_int_equal (o.clang_flags.count, 6 + 1);  // b.c after -- is clang's
  for (size_t i = 0; i < 6; i++) assert_string_equal (o.clang_flags.data[i], flags[i]);
  assert_string_equal (o.value[OPT_DATA_MODEL].text, "ILP32");
  options_release (&o);
}

static void build_directory_is_not_pthread (void **state) {
  (void) state;
  options o;
  assert_true (parse (&o, FOR_CHECK, "-pbuild"));
  assert_string_equal (o.value[OPT_BUILD_DIR].text, "build");
  assert_int_equal (o.clang_flags.count, 0);
  options_release (&o);
}

static void a_report_restores_what_loads_the_program (void **state) {
  (void) state;
  options o, again;
  assert_true (parse (&o, FOR_CHECK, "--property=race,overflow --max-threads=5 --may-fail -m32 --timeout=9 -DX a.c"));
  report_input in = {0};
  options_record (&o, &in);
  report_saved saved = {.files = o.files, .clang_flags = o.clang_flags};
  for (uint32_t i = 0; i < in.options.count; i++) vec_push (&saved.options, in.options.data[i]);
  options_init (&again, FOR_CHECK);
  assert_true (options_restore (&again, &saved));
  for (uint32_t id = 0; id < o.num_known; id++) {
    if (!(o.known[id].row->uses & IS_SAVED)) continue;
    assert_int_equal (again.value[id].number, o.value[id].number);
    if (o.value[id].text) assert_string_equal (again.value[id].text, o.value[id].text);
    else assert_null (again.value[id].text);
  }
  assert_int_equal (again.value[OPT_TIMEOUT].number, 0);  // budgets are not saved
  assert_string_equal (again.files.data[0], "a.c");
  assert_string_equal (again.clang_flags.data[0], "-DX");
  vec_release (&in.options);
  vec_release (&saved.options);
  options_release (&o);
  options_release (&again);
}

static void engines_get_their_options (void **state) {
  (void) state;
  options o;
  task t = {0};
  assert_true (parse (&o, FOR_CHECK, "--por=off --reduction=stubborn --backend=ic3 --seed=18446744073709551615"));
  options_pass_to_engines (&o, &t);
  const boolean_options *b = boolean_options_of (&t);
  const circuit_options *c = circuit_options_of (&t);
  const random_options *r = random_options_of (&t);
  assert_true (b->por == POR_OFF && b->qbf == QBF_OWN && b->qbf_form == QBF_AUTO);
  assert_true (c->reduction == REDUCTION_STUBBORN && c->backend == BACKEND_IC3);
  assert_true (r->seed == UINT64_MAX && r->runs == 200);
  const option_row *row = option_find (engine_explicit.options, "--reduction");
  reduction_choice both;
  memcpy (&both, (const char *) task_options (&t, &engine_explicit) + row->offset, sizeof both);
  assert_int_equal (both, REDUCTION_STUBBORN);  // two engines have this option
  options_release (&o);
  task none = {0};
  assert_true (boolean_options_of (&none)->por == POR_DECIDE && random_options_of (&none)->runs == 200);
}

// A name stands for one option, whichever engine has it; each bound is an option of `check`.
static void names_are_different (void **state) {
  (void) state;
  options o;
  options_init (&o, FOR_CHECK);
  for (uint32_t i = 0; i < o.num_known; i++) {
    for (uint32_t k = 0; k < i; k++) assert_string_not_equal (o.known[i].row->name, o.known[k].row->name);
    if (o.known[i].row->uses & IS_BOUND) assert_true (o.known[i].row->uses & FOR_CHECK);
  }
  options_release (&o);
}

static void nearest_words (void **state) {
  (void) state;
  static const char *const words[] = {"--timeout", "--memory", "--json", "-I"};
  assert_string_equal (nearest_word ("--timeot", words, 4), "--timeout");
  assert_string_equal (nearest_word ("--JSON", words, 4), "--json");
  assert_null (nearest_word ("--frobnicate", words, 4));
  assert_null (nearest_word ("", words, 4));
  char *huge = malloc (100001);
  memset (huge, 'x', 100000);
  huge[100000] = 0;
  assert_null (nearest_word (huge, words, 4));
  free (huge);
}

TEST_MAIN (cmocka_unit_test (every_initial_value_is_valid), cmocka_unit_test (numbers_and_units),
           cmocka_unit_test (bad_words_are_refused), cmocka_unit_test (compiler_flags_keep_their_order),
           cmocka_unit_test (build_directory_is_not_pthread),
           cmocka_unit_test (a_report_restores_what_loads_the_program), cmocka_unit_test (engines_get_their_options),
           cmocka_unit_test (names_are_different), cmocka_unit_test (nearest_words))
