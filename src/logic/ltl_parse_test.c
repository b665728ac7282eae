// The formula language: precedence, alternative spellings of operators, and the column of each error.
#include "logic/words_test.h"

// Parses "A text" with in(p0), in(p1), in(p2) as atoms 0, 1, 2.
static ltl body (ltl_pool *p, const char *text) {
  strbuf whole = {0};
  ltl_property property;
  ltl_error error = {0};
  strbuf_printf (&whole, "A %s", text);
  if (!ltl_parse (p, strbuf_text (&whole), &property, &error)) fail_msg ("%s: %s", text, error.message);
  strbuf_release (&whole);
  return property.body;
}

static void same_meaning (const char *a, const char *b) {
  ltl_pool *p = pool_with_atoms ();
  ltl f = body (p, a), g = body (p, b);
  rng r = {3};
  for (uint32_t k = 0; k < 300; k++) {
    word w = word_random (&r, k % 2);
    if (formula_holds (p, f, &w) != formula_holds (p, g, &w)) fail_msg ("%s is not %s", a, b);
  }
  ltl_pool_free (p);
}

static void operators_bind_as_documented (void **state) {
  (void) state;
  same_meaning ("in(p0) && in(p1) U in(p2)", "in(p0) && (in(p1) U in(p2))");
  same_meaning ("in(p0) || in(p1) && in(p2)", "in(p0) || (in(p1) && in(p2))");
  same_meaning ("in(p0) -> in(p1) -> in(p2)", "in(p0) -> (in(p1) -> in(p2))");
  same_meaning ("in(p0) U in(p1) U in(p2)", "in(p0) U (in(p1) U in(p2))");
  same_meaning ("in(p0) <-> in(p1) -> in(p2)", "in(p0) <-> (in(p1) -> in(p2))");
  same_meaning ("!in(p0) U in(p1)", "(!in(p0)) U in(p1)");
  same_meaning ("G F in(p0) || in(p1)", "(G (F in(p0))) || in(p1)");
}

static void operators_mean_what_they_should (void **state) {
  (void) state;
  same_meaning ("[]<>in( p0 )", "G F in(p0)");
  same_meaning ("in(p0) W in(p1)", "(in(p0) U in(p1)) || G in(p0)");
  same_meaning ("in(p0) R in(p1)", "!(!in(p0) U !in(p1))");
  same_meaning ("!(in(p0) <-> in(p1))", "in(p0) <-> !in(p1)");
  same_meaning ("!(G in(p0) -> F in(p1))", "G in(p0) && G !in(p1)");
  same_meaning ("true U in(p1) && !false", "F in(p1)");
}

static void properties_name_threads_and_locks (void **state) {
  (void) state;
  ltl_pool *p = ltl_pool_new ();
  ltl_property property;
  ltl_error error;
  assert_true (ltl_parse (p, "thread(worker): E F holds(table(i)->lock[3])", &property, &error));
  assert_string_equal (property.thread, "worker");
  assert_false (property.for_all);
  assert_int_equal (p->atoms.count, 1);
  assert_int_equal (p->atoms.data[0].kind, LTL_HOLDS);
  assert_string_equal (p->atoms.data[0].argument, "table(i)->lock[3]");
  assert_int_equal (p->atoms.data[0].column, 21);
  ltl_pool_free (p);
}

static void mistakes_are_pointed_at (void **state) {
  (void) state;
  static const struct {
    const char *text;
    uint32_t column;
    const char *part;
  } rows[] = {
      {"A G X in(f)", 5, "X (next) is not available"},
      {"G in(f)", 1, "path quantifier"},
      {"A G (A F in(f))", 6, "only once"},
      {"A GF in(f)", 3, "blanks between"},
      {"A G (in(f)", 5, "never closed"},
      {"A G in(f", 7, "never closed"},
      {"A in(f))", 8, "nothing open"},
      {"A in(f) in(g)", 9, "operator is missing"},
      {"A in(f) &&", 11, "ends where"},
      {"A in(f) & in(g)", 9, "operator is missing"},
      {"A in()", 3, "empty"},
      {"A at 3", 6, "parentheses"},
      {"A foo(3)", 3, "unknown proposition `foo`"},
      {"thread(): A true", 9, "chosen like this"},
      {"thread(f) A true", 11, "colon"},
      {"", 1, "path quantifier"},
  };
  for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    ltl_pool *p = ltl_pool_new ();
    ltl_property property;
    ltl_error error = {0};
    assert_false (ltl_parse (p, rows[k].text, &property, &error));
    if (!strstr (error.message, rows[k].part)) print_error ("%s: %s\n", rows[k].text, error.message);
    if (error.column != rows[k].column) print_error ("%s: column %u\n", rows[k].text, error.column);
    assert_true (strstr (error.message, rows[k].part) && error.column == rows[k].column);
    ltl_pool_free (p);
  }
}

// ---- properties of programs --------------------------------------------------------------------------

static void programs_are_spoken_of_by_variables (void **state) {
  (void) state;
  static const char *const texts[] = {"request", "s.f[2].g>=-0x1F", "a [1]", "x", "x != y", "3<x", "x<-2", "granted"};
  ltl_pool *p = ltl_pool_new ();
  ltl f;
  ltl_error error = {0};
  const char *whole = "G(request -> F granted) && (s.f[2].g>=-0x1F U a[1]) <-> x && x != y <-> 3<x || x<-2";
  if (!ltl_parse_program (p, whole, &f, &error)) fail_msg ("%u: %s", error.column, error.message);
  assert_int_equal (p->atoms.count, 8);
  assert_string_equal (p->atoms.data[0].argument, texts[0]);
  assert_int_equal (p->atoms.data[0].column, 3);
  assert_string_equal (p->atoms.data[1].argument, texts[7]);
  assert_string_equal (p->atoms.data[2].argument, texts[1]);
  assert_string_equal (p->atoms.data[3].argument, "a[1]");
  for (uint32_t k = 4; k < 8; k++) assert_string_equal (p->atoms.data[k].argument, texts[k == 4 ? 3 : k - 1]);
  for (uint32_t k = 0; k < 8; k++) assert_int_equal (p->atoms.data[k].kind, LTL_COMPARE);
  ltl_pool_free (p);
}

static void words_of_programs (void **state) {
  (void) state;
  ltl_pool *p = ltl_pool_new ();
  ltl f;
  ltl_error error = {0};
  assert_true (ltl_parse_program (p, "X X at(worker, 12) R (locked(m) W ended(main)) && at && []<>holds( f , a[0].m)",
                                  &f, &error));
  static const ltl_atom_kind kinds[] = {LTL_AT, LTL_LOCKED, LTL_ENDED, LTL_COMPARE, LTL_HOLDS};
  for (uint32_t k = 0; k < 5; k++) assert_int_equal (p->atoms.data[k].kind, kinds[k]);
  assert_string_equal (p->atoms.data[4].argument, "f , a[0].m");
  assert_true (ltl_has_next (p, f));
  ltl_pool_free (p);
  assert_true (ltl_is_of_threads ("A G in(f)") && ltl_is_of_threads (" E true") &&
               ltl_is_of_threads ("thread (f): A x"));
  assert_false (ltl_is_of_threads ("G A") || ltl_is_of_threads ("thread == 3") || ltl_is_of_threads (""));
}

static void mistakes_about_programs_are_pointed_at (void **state) {
  (void) state;
  static const struct {
    const char *text;
    uint32_t column;
    const char *part;
  } rows[] = {
      {"G(request -> F)", 15, "operand is missing"},
      {"G lockd(m)", 3, "did you mean `locked`?"},
      {"G in(f)", 3, "of single threads"},
      {"G inn(f)", 3, "unknown proposition `inn`"},
      {"GF x", 1, "blanks between"},
      {"G x = 3", 5, "write =="},
      {"G x ==", 7, "variable or a number is missing"},
      {"G x == -", 8, "variable or a number is missing"},
      {"G x == 3 y", 10, "operator is missing"},
      {"G (x y)", 6, "operator"},
      {"", 1, "ends where"},
  };
  for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    ltl_pool *p = ltl_pool_new ();
    ltl f;
    ltl_error error = {0};
    assert_false (ltl_parse_program (p, rows[k].text, &f, &error));
    if (!strstr (error.message, rows[k].part) || error.column != rows[k].column)
      fail_msg ("%s: %u: %s", rows[k].text, error.column, error.message);
    ltl_pool_free (p);
  }
}

static void the_caret_stands_below (void **state) {
  (void) state;
  ltl_error error = {.column = 5, .message = "wrong"};
  strbuf out = {0};
  ltl_error_show ("A G X in(f)", &error, &out);
  assert_string_equal (strbuf_text (&out), "wrong\n    A G X in(f)\n        ^");
  strbuf_release (&out);
}

static void deep_nesting_is_refused (void **state) {
  (void) state;
  strbuf text = {0};
  strbuf_add (&text, "A ");
  for (int k = 0; k < 5000; k++) strbuf_add_char (&text, '(');
  ltl_pool *p = ltl_pool_new ();
  ltl_property property;
  ltl_error error = {0};
  assert_false (ltl_parse (p, strbuf_text (&text), &property, &error));
  assert_non_null (strstr (error.message, "too deeply"));
  ltl_pool_free (p);
  strbuf_release (&text);
}

TEST_MAIN (cmocka_unit_test (operators_bind_as_documented), cmocka_unit_test (operators_mean_what_they_should),
           cmocka_unit_test (properties_name_threads_and_locks), cmocka_unit_test (mistakes_are_pointed_at),
           cmocka_unit_test (the_caret_stands_below), cmocka_unit_test (programs_are_spoken_of_by_variables),
           cmocka_unit_test (words_of_programs), cmocka_unit_test (mistakes_about_programs_are_pointed_at),
           cmocka_unit_test (deep_nesting_is_refused))
