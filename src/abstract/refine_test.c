// Tests paths: paths that the machine can execute, and what is learnt from paths that it cannot.
#include "abstract/abstract_test.h"

// x := 0; then `steps` times x := x + 1; then a goal is violated if x is `wrong`.
static void make_counter (small_machine *s, uint32_t steps, unsigned wrong) {
  small_machine_init (s, steps + 2);
  for (uint32_t k = 0; k < steps; k++)
    efsm_set (&s->m, k, s->x, term_add (&s->m.terms, now_of (s, s->x), small_const (s, 1)));
  for (uint32_t k = 0; k <= steps; k++) efsm_add_exit (&s->m, k, k + 1, s->m.terms.truth);
  vec_push (&s->m.points.data[steps].goals,
            ((efsm_goal){.property = IR_P_ASSERT,
                         .condition = term_eq (&s->m.terms, now_of (s, s->x), small_const (s, wrong))}));
  small_machine_fold (s, ABSTRACT_CARTESIAN);
}

static abstract_path whole_path (uint32_t steps) {
  abstract_path p = {.end = {.step = steps}};
  for (uint32_t k = 0; k < steps; k++) vec_push (&p.moves, ((abstract_move){k, 0}));
  return p;
}

// Do the abstract edges along the path lead to the goal?
static bool is_abstract_path (small_machine *s, const abstract_path *p) {
  uint32_t num = 1u << s->a.predicates.all.count;
  bool *now = mem_zalloc (num), *next = mem_zalloc (num), any = false;
  abstract_edge e;
  edge_abstract_start (&s->a, &e);
  for (uint32_t b = 0; b < num; b++)
    for (uint32_t a = 0; a < num; a++) now[a] |= small_admits (&e, b, a);
  edge_release (&e);
  for (uint32_t k = 0; k < p->moves.count; k++) {
    edge_abstract (&s->a, p->moves.data[k].step, p->moves.data[k].exit, &e);
    for (uint32_t a = 0; a < num; a++) next[a] = false;
    for (uint32_t b = 0; b < num; b++)
      for (uint32_t a = 0; now[b] && a < num; a++) next[a] |= small_admits (&e, b, a);
    for (uint32_t a = 0; a < num; a++) now[a] = next[a];
    edge_release (&e);
  }
  clauses wrong = {0};
  edge_abstract_goal (&s->a, &p->end, &wrong);
  for (uint32_t b = 0; b < num; b++) any |= now[b] && small_satisfied (&wrong, b, b);
  clauses_release (&wrong);
  mem_free (now, num);
  mem_free (next, num);
  return any;
}

static void what_can_happen_is_real (void **state) {
  (void) state;
  small_machine s;
  path_check c;
  abstract_path p = whole_path (3);
  make_counter (&s, 3, 3);
  assert_int_equal (path_decide (&c, &s.a, &p), PATH_IS_REAL);
  assert_int_equal (path_start_value (&c, s.x), 0);
  assert_true (path_is_exact (&c));
  path_check_release (&c);
  vec_release (&p.moves);
  small_machine_release (&s);
}

static void what_cannot_is_excluded_by_preconditions (void **state) {
  (void) state;
  for (unsigned wrong = 0; wrong < 8; wrong++) {
    small_machine s;
    path_check c;
    abstract_path p = whole_path (3);
    make_counter (&s, 3, wrong);
    if (wrong != 3) {
      assert_int_equal (path_decide (&c, &s.a, &p), PATH_IS_NOT);
      assert_int_equal (c.length, 4);
      assert_true (is_abstract_path (&s, &p));
      uint32_t added = refine_predicates (&s.a, &p, c.length);
      assert_in_range (added, 4, 5);  // x == wrong, x == wrong - 1, ...
      assert_false (is_abstract_path (&s, &p));
      assert_int_equal (refine_predicates (&s.a, &p, c.length), 0);
      path_check_release (&c);
    }
    vec_release (&p.moves);
    small_machine_release (&s);
  }
}

// Two conditions that contradict each other: what was before them does not matter.
static void only_the_part_that_contradicts_counts (void **state) {
  (void) state;
  small_machine s;
  path_check c;
  small_machine_init (&s, 5);
  term x = now_of (&s, s.x), y = now_of (&s, s.y), input = term_var (&s.m.terms, SMALL_BITS);
  efsm_set (&s.m, 0, s.y, input);
  efsm_set (&s.m, 1, s.x, term_add (&s.m.terms, x, small_const (&s, 1)));
  efsm_add_exit (&s.m, 0, 1, s.m.terms.truth);
  efsm_add_exit (&s.m, 1, 2, s.m.terms.truth);
  efsm_add_exit (&s.m, 2, 3, term_ult (&s.m.terms, y, small_const (&s, 3)));
  efsm_add_exit (&s.m, 3, 4, s.m.terms.truth);
  vec_push (&s.m.points.data[3].goals,
            ((efsm_goal){.property = IR_P_ASSERT, .condition = term_eq (&s.m.terms, y, small_const (&s, 5))}));
  small_machine_fold (&s, ABSTRACT_CARTESIAN);
  abstract_path p = whole_path (3);
  assert_int_equal (path_decide (&c, &s.a, &p), PATH_IS_NOT);
  assert_int_equal (refine_predicates (&s.a, &p, c.length), 2);
  for (uint32_t k = 0; k < 2; k++) {
    assert_int_equal (s.a.predicates.all.data[k].variables.count, 1);
    assert_int_equal (s.a.predicates.all.data[k].variables.data[0], s.y);
  }
  assert_false (is_abstract_path (&s, &p));
  path_check_release (&c);
  vec_release (&p.moves);
  small_machine_release (&s);
}

// x and y get the same input: predicates that are computed separately do not express that.
static void a_step_that_cannot_be_taken_is_a_clause (void **state) {
  (void) state;
  small_machine s;
  abstract_edge e;
  small_machine_init (&s, 3);
  term input = term_var (&s.m.terms, SMALL_BITS);
  efsm_set (&s.m, 0, s.x, input);
  efsm_set (&s.m, 0, s.y, input);
  efsm_add_exit (&s.m, 0, 1, s.m.terms.truth);
  efsm_add_exit (&s.m, 1, 2, s.m.terms.truth);
  vec_push (&s.m.points.data[1].goals, ((efsm_goal){.property = IR_P_ASSERT, .condition = s.m.terms.truth}));
  small_machine_fold (&s, ABSTRACT_CARTESIAN);
  predicates_add (&s.a.predicates, term_eq (&s.m.terms, now_of (&s, s.x), small_const (&s, 1)));
  predicates_add (&s.a.predicates, term_eq (&s.m.terms, now_of (&s, s.y), small_const (&s, 1)));
  abstract_path p = whole_path (1);
  for (uint32_t k = 0; k < 6; k++) vec_push (&p.valuations, k == 2 || k == 4);  // 00, then 10
  edge_abstract (&s.a, 0, 0, &e);
  for (uint32_t after = 0; after < 4; after++) assert_true (small_admits (&e, 0, after));
  edge_release (&e);
  assert_int_equal (constrain_steps (&s.a, &p, 2), 1);
  edge_abstract (&s.a, 0, 0, &e);
  for (uint32_t after = 0; after < 4; after++) assert_int_equal (small_admits (&e, 0, after), after != 1);
  edge_release (&e);
  vec_release (&p.valuations);
  vec_release (&p.moves);
  small_machine_release (&s);
}

static const bp_location *location_of_exit (const small_machine *s, const bp_program *b, uint32_t step) {
  for (uint32_t l = 0; l < b->locs.count; l++)
    if (s->a.meanings.data[l].kind == MEANS_EXIT && s->a.meanings.data[l].step == step) return &b->locs.data[l];
  fail ();
  return NULL;
}

// x < 3 and not x < 5, before and after a step that changes nothing: the program must know that this is impossible.
static void a_clause_of_a_step_that_changes_nothing (void **state) {
  (void) state;
  small_machine s;
  bp_error error = {0};
  strbuf text = {0};
  small_machine_init (&s, 3);
  efsm_add_exit (&s.m, 0, 1, s.m.terms.truth);
  efsm_add_exit (&s.m, 1, 2, s.m.terms.truth);
  vec_push (&s.m.points.data[1].goals, ((efsm_goal){.property = IR_P_ASSERT, .condition = s.m.terms.truth}));
  small_machine_fold (&s, ABSTRACT_CARTESIAN);
  predicates_add (&s.a.predicates, term_ult (&s.m.terms, now_of (&s, s.x), small_const (&s, 3)));
  predicates_add (&s.a.predicates, term_ult (&s.m.terms, now_of (&s, s.x), small_const (&s, 5)));
  abstract_path p = whole_path (1);
  for (uint32_t k = 0; k < 6; k++) vec_push (&p.valuations, k % 2 == 0);
  assert_int_equal (constrain_steps (&s.a, &p, 1), 1);
  bp_program *b = abstraction_program (&s.a);
  assert_int_equal (location_of_exit (&s, b, 0)->kind, BP_ASSUME);
  assert_false (bp_is_const (b, location_of_exit (&s, b, 0)->condition, true));
  bp_print (b, &text);
  bp_program *again = bp_parse (strbuf_text (&text), "again", &error);
  assert_non_null (again);
  bp_program_free (again);
  bp_program_free (b);
  strbuf_release (&text);
  strbuf_release (&error.text);
  vec_release (&p.valuations);
  vec_release (&p.moves);
  small_machine_release (&s);
}

static void atoms_are_taken_out_of_choices (void **state) {
  (void) state;
  small_machine s;
  small_machine_init (&s, 1);
  term_pool *p = &s.m.terms;
  term x = now_of (&s, s.x), y = now_of (&s, s.y), c = term_ult (p, x, small_const (&s, 4));
  term_list atoms = {0};
  atoms_of (p, term_and (p, term_eq (p, term_ite (p, c, x, y), small_const (&s, 6)), term_ult (p, y, x)), &atoms);
  for (uint32_t k = 0; k < atoms.count; k++) assert_true (term_at (p, atoms.data[k])->op != IR_X_ITE);
  assert_in_range (atoms.count, 3,
                   4);  // x < 4, x == 6, y == 6, y < x; the rewriting may know that the second is part of the first
  vec_release (&atoms);
  small_machine_fold (&s, ABSTRACT_CARTESIAN);
  small_machine_release (&s);
}

static void an_atom_of_an_input_is_no_predicate (void **state) {
  (void) state;
  small_machine s;
  small_machine_init (&s, 1);
  term input = term_var (&s.m.terms, SMALL_BITS);
  small_machine_fold (&s, ABSTRACT_CARTESIAN);
  assert_int_equal (predicates_add (&s.a.predicates, term_eq (&s.m.terms, now_of (&s, s.x), input)), 0);
  assert_int_equal (predicates_add (&s.a.predicates, term_eq (&s.m.terms, now_of (&s, s.x), now_of (&s, s.y))), 1);
  assert_int_equal (
      predicates_add (&s.a.predicates, term_not (&s.m.terms, term_eq (&s.m.terms, now_of (&s, s.x), now_of (&s, s.y)))),
      0);
  small_machine_release (&s);
}

TEST_MAIN (cmocka_unit_test (what_can_happen_is_real), cmocka_unit_test (what_cannot_is_excluded_by_preconditions),
           cmocka_unit_test (only_the_part_that_contradicts_counts),
           cmocka_unit_test (a_step_that_cannot_be_taken_is_a_clause),
           cmocka_unit_test (a_clause_of_a_step_that_changes_nothing),
           cmocka_unit_test (atoms_are_taken_out_of_choices), cmocka_unit_test (an_atom_of_an_input_is_no_predicate))
