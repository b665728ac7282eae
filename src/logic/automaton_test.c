// The translation to automata against the definition of the logic on random words, and against two independent
// translators: the never claims of `spin -f` and the automata of `lbt`, where these programs are installed.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "logic/words_test.h"

enum { FORMULAS = 600, FORMULAS_OUTSIDE = 120, WORDS = 25, MOST_STATES = 4000 };

static void automata_accept_what_satisfies (void **state) {
  (void) state;
  rng r = {7};
  for (uint32_t k = 0; k < FORMULAS; k++) {
    ltl_pool *p = pool_with_atoms ();
    ltl f = formula_random (p, &r, 2 + rng_below (&r, 9));
    buchi b;
    machine m;
    assert_true (buchi_build (&b, p, f, MOST_STATES));
    machine_from_buchi (&b, &m);
    for (uint32_t j = 0; j < WORDS; j++) {
      word lasso = word_random (&r, false), finite = word_random (&r, true);
      assert_int_equal (machine_accepts_lasso (&m, &lasso), formula_holds (p, f, &lasso));
      assert_int_equal (buchi_accepts_finite (&b, &finite), formula_holds (p, f, &finite));
    }
    machine_release (&m);
    buchi_release (&b);
    ltl_pool_free (p);
  }
}

// With "next", on infinite words; and the evaluation that confirmations use agrees with the one of the tests.
static void next_is_understood (void **state) {
  (void) state;
  rng r = {9};
  uint32_t with_next = 0;
  for (uint32_t k = 0; k < FORMULAS; k++) {
    ltl_pool *p = pool_with_atoms ();
    ltl f = formula_random_with (p, &r, 2 + rng_below (&r, 9), true);
    buchi b;
    machine m;
    assert_true (buchi_build (&b, p, f, MOST_STATES));
    machine_from_buchi (&b, &m);
    with_next += ltl_has_next (p, f);
    for (uint32_t j = 0; j < WORDS; j++) {
      word w = word_random (&r, false);
      uint64_t letters[LONGEST];
      for (uint32_t i = 0; i < w.length; i++) letters[i] = w.letters[i];
      bool holds = formula_holds (p, f, &w);
      assert_int_equal (machine_accepts_lasso (&m, &w), holds);
      assert_int_equal (ltl_holds_on (p, f, letters, w.length, w.back), holds);
      assert_int_equal (ltl_holds_on (p, ltl_not (p, f), letters, w.length, w.back), !holds);
    }
    machine_release (&m);
    buchi_release (&b);
    ltl_pool_free (p);
  }
  assert_true (with_next > FORMULAS / 4);
}

// Without "next", a finite word means the same as the infinite one that repeats its last letter.
static void finite_words_are_stuttered_ones (void **state) {
  (void) state;
  rng r = {8};
  for (uint32_t k = 0; k < FORMULAS; k++) {
    ltl_pool *p = pool_with_atoms ();
    ltl f = formula_random (p, &r, 2 + rng_below (&r, 12));
    word finite = word_random (&r, true), lasso = finite;
    lasso.back = lasso.length - 1;
    assert_int_equal (formula_holds (p, f, &finite), formula_holds (p, f, &lasso));
    assert_int_not_equal (formula_holds (p, f, &lasso), formula_holds (p, ltl_not (p, f), &lasso));
    ltl_pool_free (p);
  }
}

static void settled_states_accept_everything (void **state) {
  (void) state;
  ltl_pool *p = pool_with_atoms ();
  ltl eventually = ltl_until (p, ltl_constant (true), ltl_literal (p, 0, false));
  buchi b;
  assert_true (buchi_build (&b, p, eventually, MOST_STATES));
  assert_int_equal (b.states.count, 2);
  assert_true (!b.states.data[0].settled && b.states.data[1].settled && b.states.data[1].final);
  buchi_release (&b);
  assert_true (buchi_build (&b, p, ltl_release (p, ltl_constant (false), eventually), MOST_STATES));
  for (uint32_t s = 0; s < b.states.count; s++) assert_false (b.states.data[s].settled);
  buchi_release (&b);
  ltl_pool_free (p);
}

static void small_formulas_have_small_automata (void **state) {
  (void) state;
  ltl_pool *p = pool_with_atoms ();
  ltl p0 = ltl_literal (p, 0, false), p1 = ltl_literal (p, 1, false);
  ltl reacts =
      ltl_release (p, ltl_constant (false), ltl_or (p, ltl_not (p, p0), ltl_until (p, ltl_constant (true), p1)));
  buchi b;
  assert_true (buchi_build (&b, p, reacts, MOST_STATES));
  assert_true (b.states.count <= 3);
  buchi_release (&b);
  assert_true (buchi_build (&b, p, ltl_not (p, reacts), MOST_STATES));
  assert_true (b.states.count <= 2);
  buchi_release (&b);
  assert_true (buchi_build (&b, p, ltl_constant (false), MOST_STATES));
  assert_int_equal (b.edges.count, 0);
  buchi_release (&b);
  assert_false (buchi_build (&b, p, reacts, 1));
  ltl_pool_free (p);
}

// ---- other translators -------------------------------------------------------------------------------

static bool is_installed (const char *program) {
  char command[64];
  snprintf (command, sizeof command, "command -v %s >/dev/null", program);
  bool found = !system (command);
  if (!found) print_message ("%s is not installed: not compared with it\n", program);
  return found;
}

static void read_output (const char *command, strbuf *out) {
  FILE *f = popen (command, "r");
  assert_non_null (f);
  char line[4096];
  strbuf_clear (out);
  while (fgets (line, sizeof line, f)) strbuf_add (out, line);
  assert_int_equal (pclose (f), 0);
}

// How the languages of the translators differ: infix or prefix, and their words.
typedef struct notation {
  bool prefix;
  const char *yes, *no, *and, * or ;
} notation;
static const notation spin_notation = {false, "true", "false", "&&", "||"}, lbt_notation = {true, "t", "f", "&", "|"};

static void write_formula (const ltl_pool *p, ltl f, const notation *how, strbuf *out) {
  const ltl_node *n = ltl_at (p, f);
  const char *const ops[] = {how->no, how->yes, "", how->and, how->or, "X", "U", "V"};
  if (n->op < LTL_LITERAL) strbuf_add (out, ops[n->op]);
  else if (n->op == LTL_LITERAL) strbuf_printf (out, n->negated ? "! p%u" : "p%u", n->atom);
  else {
    strbuf_printf (out, how->prefix ? "%s " : "(", ops[n->op]);
    write_formula (p, n->left, how, out);
    strbuf_printf (out, how->prefix ? " " : " %s ", ops[n->op]);
    write_formula (p, n->right, how, out);
    if (!how->prefix) strbuf_add (out, ")");
  }
}

// Conditions of never claims: || && ! ( ) 1 false pN.
static bool read_or (const char **c, uint32_t letter);

static bool read_operand (const char **c, uint32_t letter) {
  while (**c == ' ') ++*c;
  char first = *(*c)++;
  if (first == '!') return !read_operand (c, letter);
  if (first == '1') return true;
  if (!strncmp (*c - 1, "false", 5)) return *c += 4, false;
  if (first == 'p') return letter >> (*(*c)++ - '0') & 1;
  assert_int_equal (first, '(');
  bool value = read_or (c, letter);
  while (**c == ' ') ++*c;
  assert_int_equal (*(*c)++, ')');
  return value;
}

static bool read_and (const char **c, uint32_t letter) {
  bool value = read_operand (c, letter);
  for (;;) {
    while (**c == ' ') ++*c;
    if (strncmp (*c, "&&", 2)) return value;
    *c += 2;
    value &= read_operand (c, letter);
  }
}

static bool read_or (const char **c, uint32_t letter) {
  bool value = read_and (c, letter);
  for (;;) {
    while (**c == ' ') ++*c;
    if (strncmp (*c, "||", 2)) return value;
    *c += 2;
    value |= read_and (c, letter);
  }
}

typedef struct claim_reader {
  machine *out;
  strmap states;  // several names may stand for one state
  uint32_t state;
  bool is_accepting;  // a name of `state` begins with accept: all its edges get the mark
  bool is_fresh;      // it has no edges yet
} claim_reader;

static uint32_t claim_state (claim_reader *c, const char *name, size_t length) {
  char copy[64];
  snprintf (copy, sizeof copy, "%.*s", (int) length, name);
  return (uint32_t) *strmap_insert (&c->states, copy, c->states.entries.count, NULL);
}

static void claim_label (claim_reader *c, const char *name, size_t length) {
  bool is_accepting = !strncmp (name, "accept", 6);
  uint32_t state = claim_state (c, name, length);
  if (c->is_fresh) {  // a second name
    c->states.entries.data[state].value = c->state;
    is_accepting |= c->is_accepting;
  } else c->state = state;
  c->is_accepting = is_accepting;
  c->is_fresh = true;
}

static void claim_edge (claim_reader *c, const char *condition, uint32_t to) {
  machine_edge e = {.from = c->state, .to = to};
  e.marks = c->is_accepting;
  c->is_fresh = false;
  for (uint32_t letter = 0; letter < LETTERS; letter++) {
    const char *at = condition;
    e.letters[letter] = read_or (&at, letter);
  }
  vec_push (&c->out->edges, e);
}

static void claim_line (claim_reader *c, char *line) {
  while (isspace ((unsigned char) *line)) line++;
  char *arrow = strstr (line, "->"), *jump = strstr (line, "goto "), *colon = strchr (line, ':'),
       *option = strstr (line, "::");
  if (!strncmp (line, "skip", 4)) claim_edge (c, "1", c->state);
  else if (option && jump) claim_edge (c, strchr (option, '('), claim_state (c, jump + 5, strcspn (jump + 5, " ;\n")));
  else if (option && arrow) claim_edge (c, strchr (option, '('), claim_state (c, "accept_all", 10));
  else if (!option && colon && strncmp (line, "never", 5)) claim_label (c, line, (size_t) (colon - line));
}

static void machine_from_claim (char *text, machine *out) {
  *out = (machine){.num_marks = 1};
  claim_reader c = {.out = out};
  for (char *line = strtok (text, "\n"); line; line = strtok (NULL, "\n")) claim_line (&c, line);
  out->initial = 0;  // the first one named
  out->num_states = c.states.entries.count;
  strmap_release (&c.states);
}

// The automata of lbt: "states sets", per state "id initial sets... -1" and edges "to condition" up to -1; conditions
// are prefix.
static bool read_prefix (const char **c, uint32_t letter) {
  while (isspace ((unsigned char) **c)) ++*c;
  char first = *(*c)++;
  if (first == 't' || first == 'f') return first == 't';
  if (first == '!') return !read_prefix (c, letter);
  if (first == 'p') return letter >> (*(*c)++ - '0') & 1;
  bool a = read_prefix (c, letter), b = read_prefix (c, letter);
  assert_true (first == '&' || first == '|');
  return first == '&' ? a && b : a || b;
}

static void machine_from_lbt (const char *text, machine *out) {
  char *c;
  *out = (machine){.num_states = (uint32_t) strtoul (text, &c, 10)};
  out->num_marks = (uint32_t) strtoul (c, &c, 10);
  for (uint32_t k = 0; k < out->num_states; k++) {
    machine_edge e = {.from = (uint32_t) strtol (c, &c, 10)};
    if (strtol (c, &c, 10)) out->initial = e.from;
    for (long set; (set = strtol (c, &c, 10)) >= 0;) e.marks |= 1u << set;
    for (long to; (to = strtol (c, &c, 10)) >= 0;) {
      const char *condition = c, *end = c;
      e.to = (uint32_t) to;
      for (uint32_t letter = 0; letter < LETTERS; letter++)
        end = condition, e.letters[letter] = read_prefix (&end, letter);
      vec_push (&out->edges, e);
      c = (char *) end;
    }
  }
  if (out->num_marks) return;
  out->num_marks = 1;  // every infinite run is accepted
  for (uint32_t k = 0; k < out->edges.count; k++) out->edges.data[k].marks = 1;
}

static void compare_on_words (rng *r, const machine *ours, const machine *theirs, const char *formula) {
  for (uint32_t j = 0; j < 2 * WORDS; j++) {
    word w = word_random (r, false);
    bool a = machine_accepts_lasso (ours, &w), b = machine_accepts_lasso (theirs, &w);
    if (a != b) print_error ("%s: ours %d, theirs %d\n", formula, a, b);
    assert_int_equal (a, b);
  }
}

static void compare_with (const char *program, const notation *how, const char *command) {
  rng r = {9};
  if (!is_installed (program)) return;
  for (uint32_t k = 0; k < FORMULAS_OUTSIDE; k++) {
    ltl_pool *p = pool_with_atoms ();
    ltl f = formula_random (p, &r, 2 + rng_below (&r, 6));
    strbuf text = {0}, line = {0}, answer = {0};
    write_formula (p, f, how, &text);
    strbuf_printf (&line, command, strbuf_text (&text));
    read_output (strbuf_text (&line), &answer);
    buchi b;
    machine ours, theirs;
    assert_true (buchi_build (&b, p, f, MOST_STATES));
    machine_from_buchi (&b, &ours);
    if (how->prefix) machine_from_lbt (strbuf_text (&answer), &theirs);
    else machine_from_claim (answer.data, &theirs);
    if (theirs.num_states) compare_on_words (&r, &ours, &theirs, strbuf_text (&text));
    machine_release (&ours);
    machine_release (&theirs);
    buchi_release (&b);
    strbuf_release (&text);
    strbuf_release (&line);
    strbuf_release (&answer);
    ltl_pool_free (p);
  }
}

static void spin_agrees (void **state) {
  (void) state;
  compare_with ("spin", &spin_notation, "spin -f '%s'");
}

static void lbt_agrees (void **state) {
  (void) state;
  compare_with ("lbt", &lbt_notation, "echo '%s' | lbt");
}

TEST_MAIN (cmocka_unit_test (automata_accept_what_satisfies), cmocka_unit_test (next_is_understood),
           cmocka_unit_test (finite_words_are_stuttered_ones), cmocka_unit_test (settled_states_accept_everything),
           cmocka_unit_test (small_formulas_have_small_automata), cmocka_unit_test (spin_agrees),
           cmocka_unit_test (lbt_agrees))
