// The reader: accepted programs, the programs that it builds from them, and its error messages.
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "boolean/text_test.h"

// ---- errors --------------------------------------------------------------------------------------------------

static const struct {
  const char *text;
  unsigned line, column;
  const char *says;
} wrong[] = {
    {"", 1, 1, "there is no procedure `main`"},
    {"decl a;\nvoid main() begin\n  b := a;\nend", 3, 3, "there is no variable `b`"},
    {"decl first;\nvoid main() begin first := frist; end", 2, 28, "there is no variable `frist`; did you mean first?"},
    {"decl a, a;", 1, 9, "`a` is declared twice; it is declared in line 1 already"},
    {"void f(x) begin decl x; skip; end", 1, 22, "`x` is declared twice"},
    {"decl _;", 1, 6, "cannot be declared"},
    {"void f() begin skip; end\nvoid f() begin skip; end", 2, 6,
     "procedure `f` is defined twice; it is defined in line 1"},
    {"void main() begin goto there; end", 1, 24, "there is no label `there`"},
    {"void main() begin L: skip; goto M; L: skip; end", 1, 36, "label `L` stands twice"},
    {"void main() begin f(); end", 1, 19, "there is no procedure `f`"},
    {"void f(a) begin skip; end void main() begin f(); end", 1, 45, "`f` has 1 parameter, but 0 arguments are given"},
    {"void f() begin skip; end void main() begin f(1); end", 1, 44, "`f` has 0 parameters, but 1 argument is given"},
    {"decl a; bool<2> f() begin return 0, 1; end void main() begin a := f(); end", 1, 67,
     "`f` has 2 results, but they are assigned to 1 variable"},
    {"decl a; void f() begin skip; end void main() begin a := f(); end", 1, 57, "`f` has 0 results"},
    {"bool f() begin return; end", 1, 16, "`f` has 1 result, but 0 are returned"},
    {"void f() begin return 1; end", 1, 16, "`f` has 0 results, but 1 is returned"},
    {"decl a, b; void main() begin a, b := 1; end", 1, 30, "2 variables are assigned, but there is 1 value"},
    {"decl a; void main() begin a, a := 1, 0; end", 1, 30, "`a` is assigned twice at once"},
    {"decl a; void main() begin assume(a'); end", 1, 34,
     "a' is the value after an assignment; it can stand in `constrain` only"},
    {"decl a; void main() begin a := 'a; end", 1, 33, "in `constrain` only"},
    {"decl a := 1, b := a;", 1, 19, "an initial value is a constant or `*`"},
    {"void main() begin main(); end", 1, 19, "recursion is not supported: main -> main"},
    {"void f() begin g(); end void g() begin h(); end void h() begin g(); end void main() begin f(); end", 1, 40,
     "recursion is not supported: g -> h -> g"},
    {"void main() begin atomic_end; end", 1, 19, "no atomic region has begun"},
    {"void main() begin if * then atomic_begin; fi; skip; end", 1, 47, "inside and outside of an atomic region"},
    {"void main() begin atomic_begin; start_thread goto L; L: skip; end", 1, 57, "inside and outside"},
    {"void main() begin skip end", 1, 1, NULL},
    {"void main() begin skip skip; end", 1, 24, "expected `;`, but found the keyword `skip`"},
    {"void main() begin a b; end", 1, 21, "expected `:=`, but found `b`"},
    {"void main() begin assume(2); end", 1, 26, "`2` is no Boolean constant"},
    {"void main() begin assume(); end", 1, 26, "expected an expression, but found `)`"},
    {"void main() begin goto end; end", 1, 24, "expected a label, but found the keyword `end`"},
    {"void main() begin @; end", 1, 19, "expected a statement, but found `@`"},
    {"void main() begin \x01; end", 1, 19, "a byte that no program has (0x01)"},
    {"void main() begin skip;", 1, 24, "expected `end`, but the file ends"},
    {"void main() begin /* skip; end", 1, 19, "this comment has no end"},
    {"bool<0> f() begin return; end", 1, 6, "expected the number of results"},
    {"int main;", 1, 1, "expected `decl, void, bool or enforce`"},
    {"void main() begin if 1 then skip; end", 1, 35, "expected `fi`, but found the keyword `end`"},
};

static void errors_name_place_and_cause (void **state) {
  (void) state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    bp_error error = {0};
    bp_program *p = bp_parse (wrong[i].text, "test.bp", &error);
    const char *text = strbuf_text (&error.text);
    if (!wrong[i].says != (p != NULL)) fail_msg ("%s: %s", wrong[i].text, p ? "accepted" : text);
    if (p) bp_program_free (p);
    else if (error.line != wrong[i].line || error.column != wrong[i].column || !strstr (text, wrong[i].says))
      fail_msg ("%s\nsays at %u:%u: %s", wrong[i].text, error.line, error.column, text);
    strbuf_release (&error.text);
  }
}

// ---- results ---------------------------------------------------------------------------------------------------

static void assert_text (const char *source, const char *expected) {
  bp_program *p = program_of (source);
  strbuf text = {0};
  bp_print (p, &text);
  if (strcmp (strbuf_text (&text), expected)) fail_msg ("%s\nis printed as\n%s", source, strbuf_text (&text));
  strbuf_release (&text);
  bp_program_free (p);
}

static void calls_are_inlined (void **state) {
  (void) state;
  assert_text ("decl g; bool f(x) begin decl y; return x ^ g; end void main() begin decl x; x := f(!g); end",
               "decl g;\nvoid main() begin\n  decl x;\n  decl y;\n  decl main_x;\n"
               "  x, y := !g, *;\n  main_x := x ^ g;\n  end_thread;\nend\n");
}

static void threads_end_with_their_procedure (void **state) {
  (void) state;
  assert_text ("void f() begin start_thread goto L; return; L: skip; end void main() begin f(); end",
               "void main() begin\n  skip;\n  start_thread goto L;\n  skip;\n  end_thread;\nL:\n  skip;\n  "
               "end_thread;\nend\n");
}

static void enforced_is_part_of_statements (void **state) {
  (void) state;
  assert_text ("decl a; void main() begin enforce a; a := *; assert(a); end",
               "decl a;\nvoid main() begin\n  a := * constrain (a & a');\n  atomic_begin;\n  assume(a);\n  assert(a);\n"
               "  atomic_end;\n  assume(a);\n  end_thread;\nend\n");
}

static void conditions_become_gotos (void **state) {
  (void) state;
  assert_text (
      "decl a; void main() begin while a do a := 0; od; if * then skip; fi; while 1 do skip; od; end",
      "decl a;\nvoid main() begin\nL1:\n  goto L2, L3;\nL2:\n  assume(a);\n  a := 0;\n  goto L1;\nL3:\n  assume(!a);\n"
      "  goto L4, L5;\nL4:\n  skip;\n  skip;\n  goto L6;\nL5:\n  skip;\nL6:\n  goto L7;\nL7:\n  skip;\n  skip;\n"
      "  goto L6;\nend\n");
}

// Operators of one level are left associative; && is &, || is |.
static void operators_bind (void **state) {
  (void) state;
  static const struct {
    const char *source, *printed;
  } cases[] = {
      {"a & b | c && d", "(a & b) | (c & d)"},
      {"!a = b", "!(!a ^ b)"},
      {"a ^ b & c", "a ^ (b & c)"},
      {"a -> b => c", "!a | (!b | c)"},
      {"a ? b : c", "c ^ (a & (b ^ c))"},
      {"a & T & !F", "a"},
      {"a | !a", "1"},
      {"schoose [a, b]", "a | (!b & *)"},
      {"a & b & c & d", "(a & b) & (c & d)"},
      {"(~a)", "!a"},
      {"a != b == c", "!((a ^ b) ^ c)"},
      {"a ^ 1", "!a"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char source[200], expected[300];
    snprintf (source, sizeof source, "decl a, b, c, d; void main() begin a := %s; end", cases[i].source);
    snprintf (expected, sizeof expected,
              "decl a;\ndecl b;\ndecl c;\ndecl d;\nvoid main() begin\n  a := %s;\n  end_thread;\nend\n",
              cases[i].printed);
    assert_text (source, expected);
  }
}

// After a block in braces, an `else` that is not followed by a brace belongs to the enclosing `if .. then`.
static void else_belongs_to_its_if (void **state) {
  (void) state;
  bp_program *p = program_of (
      "decl a; void main() begin if a then if a { skip; } else a := 0; fi; if a { skip; } else { skip; } end");
  bp_program_free (p);
}

// ---- sizes and damaged texts -----------------------------------------------------------------------------------

// Deep nesting, long lists and many items are accepted or rejected, without a crash.
static void large_programs (void **state) {
  (void) state;
  static const struct {
    const char *before, *repeated, *after;
    bool good;
  } cases[] = {
      {"decl a; void main() begin assume(", "(", "", false},
      {"decl a; void main() begin assume(", "!", "a); end", false},
      {"decl a; void main() begin assume(a", " & a", "); end", true},
      {"decl a; void main() begin assume(a", " -> a", "); end", false},
      {"void main() begin ", "if * then ", "", false},
      {"void main() begin ", "{", "", false},
      {"void main() begin ", "skip;", "end", true},
      {"void main() begin ", "if * then skip; else ", "", false},
      {"void main() begin skip", ";", " end", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    strbuf text = {0};
    strbuf_add (&text, cases[i].before);
    for (int k = 0; k < 20000; k++) strbuf_add (&text, cases[i].repeated);
    strbuf_add (&text, cases[i].after);
    bp_error error = {0};
    bp_program *p = bp_parse (strbuf_text (&text), "test.bp", &error);
    assert_int_equal (p != NULL, cases[i].good);
    if (p) bp_program_free (p);
    strbuf_release (&error.text);
    strbuf_release (&text);
  }
}

// f0 calls f1 twice, f1 calls f2 twice, ...
static void inlining_has_a_limit (void **state) {
  (void) state;
  strbuf text = {0};
  for (int k = 0; k < 30; k++) strbuf_printf (&text, "void f%d() begin f%d(); f%d(); end\n", k, k + 1, k + 1);
  strbuf_add (&text, "void f30() begin skip; end void main() begin f0(); end");
  bp_error error = {0};
  assert_null (bp_parse (strbuf_text (&text), "test.bp", &error));
  assert_non_null (strstr (strbuf_text (&error.text), "statements after inlining"));
  strbuf_release (&error.text);
  strbuf_release (&text);
}

static const char sample[] = "decl a := 0, {x > 0}; enforce !(a & {x > 0});\n"
                             "bool<2> f(x, y) begin decl z; 13: z := schoose [x, y]; return z, !y; end\n"
                             "void main() begin decl b, c; b, _ := f(*, a); start_thread goto L; atomic_begin; b, c := "
                             "*, ? constrain (b' | 'c);\n"
                             "atomic_end; if b then goto L, M; elsif c then dead b; else skip; fi; while (a -> b) do a "
                             ":= !a ^ c; od; assert(a = b);\n"
                             "L: M: end_thread; end\n";

// Programs in which words are removed, duplicated, or exchanged are accepted or rejected, without a crash.
static void damaged_programs (void **state) {
  (void) state;
  rng r = {7};
  uint32_t accepted = 0;
  for (int round = 0; round < 4000; round++) {
    char text[2 * sizeof sample];
    strcpy (text, sample);
    for (uint32_t change = rng_below (&r, 3) + 1; change; change--) {
      size_t length = strlen (text), at = rng_below (&r, (uint32_t) length), from = rng_below (&r, (uint32_t) length);
      if (rng_below (&r, 3) == 0) memmove (text + at, text + at + 1, length - at);
      else if (rng_below (&r, 2)) text[at] = text[from];
      else if (length + 1 < sizeof text) memmove (text + at + 1, text + at, length - at + 1);
    }
    bp_error error = {0};
    bp_program *p = bp_parse (text, "test.bp", &error);
    accepted += p != NULL;
    assert_int_equal (p == NULL, error.text.count != 0);
    if (p) bp_program_free (p);
    strbuf_release (&error.text);
  }
  assert_in_range (accepted, 20, 3980);
}

TEST_MAIN (cmocka_unit_test (errors_name_place_and_cause), cmocka_unit_test (calls_are_inlined),
           cmocka_unit_test (threads_end_with_their_procedure), cmocka_unit_test (enforced_is_part_of_statements),
           cmocka_unit_test (conditions_become_gotos), cmocka_unit_test (operators_bind),
           cmocka_unit_test (else_belongs_to_its_if), cmocka_unit_test (large_programs),
           cmocka_unit_test (inlining_has_a_limit), cmocka_unit_test (damaged_programs))
