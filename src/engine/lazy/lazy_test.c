// Figure 1 of paper LAZY, as it stands there: which points each thread can be at, where the eager model saturates,
// which passes of the token locks leave, and at which depth the race between 3a and 7b is found.
#include "engine/lazy/lazy.h"

#include "base/test.h"
#include "efsm/balance.h"

typedef struct figure {
  efsm m;
  uint32_t g1, l1, point[2][8];  // by thread, by the number of the statement
} figure;

static term now (figure *f, uint32_t v) { return f->m.variables.data[v].now; }
static term word (figure *f, uint64_t value) { return term_const (&f->m.terms, 8, value); }

static void mark_access (figure *f, uint32_t point, bool write, bool plain, uint32_t variable) {
  efsm_point *p = &f->m.points.data[point];
  p->shared = p->opens = p->closes = true;
  p->writes = write;
  efsm_access a = {.condition = f->m.terms.truth,
                   .address = term_const (&f->m.terms, 64, (uint64_t) (variable + 1) << 32),
                   .bytes = 1,
                   .write = write,
                   .plain = plain,
                   .edge = {point}};
  vec_push (&p->accesses, a);
}

// 1. local = 0;  2. lock (l1);  3. if (g1 == `skip`) goto 6;  4. g1 = `set`;  5. local++;  6. unlock (l1);  7. assert
// or g1 = 1
static void add_figure_thread (figure *f, uint32_t t, uint64_t skip, uint64_t set, bool writes_last) {
  static const char *const names[2][8] = {{"", "1a", "2a", "3a", "4a", "5a", "6a", "7a"},
                                          {"", "1b", "2b", "3b", "4b", "5b", "6b", "7b"}};
  efsm *m = &f->m;
  term truth = m->terms.truth;
  efsm_add_thread (m);
  uint32_t local = efsm_add_variable (m, 8, t, word (f, 0), "local"), *p = f->point[t];
  for (uint32_t k = 1; k <= 7; k++) p[k] = efsm_add_point (m, t, names[t][k]), m->points.data[p[k]].copy = t;
  m->threads.data[t].start = p[1];
  vec_push (&m->copies, ((efsm_copy){.entry = p[1]}));
  efsm_set (m, p[1], local, word (f, 0));
  efsm_set (m, p[2], f->l1, word (f, 1));
  m->points.data[p[2]].acquires = 1;
  efsm_set (m, p[4], f->g1, word (f, set));
  efsm_set (m, p[5], local, term_add (&m->terms, now (f, local), word (f, 1)));
  efsm_set (m, p[6], f->l1, word (f, 0));
  m->points.data[p[6]].releases = 1;
  if (writes_last) efsm_set (m, p[7], f->g1, word (f, 1));
  term jumps = term_eq (&m->terms, now (f, f->g1), word (f, skip));
  efsm_add_exit (m, p[1], p[2], truth);
  efsm_add_exit (m, p[2], p[3], term_eq (&m->terms, now (f, f->l1), word (f, 0)));
  efsm_add_exit (m, p[3], p[6], jumps);
  efsm_add_exit (m, p[3], p[4], term_not (&m->terms, jumps));
  for (uint32_t k = 4; k < 7; k++) efsm_add_exit (m, p[k], p[k + 1], truth);
  mark_access (f, p[2], true, false, f->l1);
  mark_access (f, p[3], false, true, f->g1);
  mark_access (f, p[4], true, true, f->g1);
  mark_access (f, p[6], true, false, f->l1);
  if (writes_last) mark_access (f, p[7], true, true, f->g1);
}

static void make_figure (figure *f) {
  *f = (figure){0};
  efsm_init (&f->m);
  f->g1 = efsm_add_variable (&f->m, 8, IR_NONE, word (f, 0), "g1");
  f->l1 = efsm_add_variable (&f->m, 8, IR_NONE, word (f, 0), "l1");
  f->m.num_locks = 1;
  add_figure_thread (f, 0, 1, 1, false);
  add_figure_thread (f, 1, 0, 0, true);
}

static void assert_points (const reach *r, uint32_t depth, const char *names) {
  strbuf text = {0};
  for (uint32_t k = 0; k < r->depths.data[depth].points.count; k++)
    strbuf_printf (&text, "%s%s", k ? " " : "", r->m->points.data[r->depths.data[depth].points.data[k].point].name);
  assert_string_equal (strbuf_text (&text), names);
  strbuf_release (&text);
}

static void points_by_depth (void **state) {
  (void) state;
  figure f;
  make_figure (&f);
  reach r;
  reach_init (&r, &f.m, 0, (reach_options){0});
  for (uint32_t d = 0; d <= 6; d++) reach_grow (&r);
  static const char *const expected[] = {"1a", "2a", "3a", "4a 6a", "5a 7a", "6a", "7a"};
  for (uint32_t d = 0; d <= 6; d++) assert_points (&r, d, expected[d]);
  reach_release (&r);
  efsm_release (&f.m);
}

static void eager_points_saturate (void **state) {
  (void) state;
  figure f;
  make_figure (&f);
  reach r;
  reach_init (&r, &f.m, 0, (reach_options){.waits = WAITS_AT_SHARED});
  for (uint32_t d = 0; d <= 7; d++) reach_grow (&r);
  static const char *const expected[] = {"1a", "2a", "2a 3a", "2a 3a 4a 6a", "2a 3a 4a 5a 6a 7a", "2a 3a 4a 5a 6a 7a"};
  for (uint32_t d = 0; d <= 5; d++) assert_points (&r, d, expected[d]);
  assert_int_equal (r.saturated, 4);
  reach_release (&r);
  efsm_release (&f.m);
}

// ---- unrolled ---------------------------------------------------------------------------------------
static const budget unlimited = {0};

static void unroll (figure *f, lazy_model *u, lazy_model_options o) {
  make_figure (f);
  efsm_add_syncs (&f->m);
  o.properties = 1u << IR_P_RACE;
  lazy_model_init (u, &f->m, decider_new (&f->m.terms, DECIDE_BY_SAT, &unlimited), o);
}

static void release (figure *f, lazy_model *u) {
  decider *d = u->decider;
  lazy_model_release (u);
  decider_free (d);
  efsm_release (&f->m);
}

// ---- the race ---------------------------------------------------------------------------------------
// Grows until a race between 3a and 7b exists; its depth.
static uint32_t find_race (figure *f, lazy_model *u, lazy_goal *out) {
  for (;;) {
    lazy_model_grow (u);
    for (uint32_t k = 0; k < u->goals.count; k++) {
      const lazy_goal *g = &u->goals.data[k];
      bool is_it =
          g->thread == 1 && g->point == f->point[1][7] && (u->options.eager || g->other_edge.i == f->point[0][3]);
      if (!is_it || decider_check (u->decider, (term[]){g->literal, u->last_depth}, 2) != DECIDED_YES) continue;
      *out = *g;
      return u->depth;
    }
    assert_true (u->depth < 30);
  }
}

static void race_of_figure (bool eager, uint32_t depth, const char *switches) {
  figure f;
  lazy_model u;
  unroll (&f, &u, (lazy_model_options){.eager = eager, .csr = true, .cxt = true, .mtx = true});
  lazy_goal g;
  assert_int_equal (find_race (&f, &u, &g), depth);
  lazy_switches all = {0};
  lazy_find_switches (&u, &g, &all);
  strbuf text = {0};
  for (uint32_t k = 0; k < all.count; k++)
    strbuf_printf (&text, "(r%u@%u,w%u@%u)", all.data[k].to + 1, all.data[k].to_depth, all.data[k].from + 1,
                   all.data[k].from_depth);
  assert_string_equal (strbuf_text (&text), switches);
  strbuf_release (&text);
  vec_release (&all);
  release (&f, &u);
}

// The paper prints w1@5, but its own count 11 + 7 is that of w1@6: with a sync before and after each access, 3a is at
// depth 5 and its write sync at 6.
static void race_in_the_lazy_model (void **state) {
  (void) state;
  race_of_figure (false, 11, "(r1@1,w2@9)(r2@10,w1@6)");
}

static void race_in_the_eager_model (void **state) {
  (void) state;
  race_of_figure (true, 18, "(r1@0,w2@9)(r2@10,w1@6)");
}

// With locks (MTX) only these passes are left up to depth 11 (section 4.1).
static void passes_that_locks_leave (void **state) {
  (void) state;
  figure f;
  lazy_model u;
  unroll (&f, &u, (lazy_model_options){.csr = true, .mtx = true});
  while (u.depth < 11) lazy_model_grow (&u);
  strbuf text = {0};
  for (uint32_t k = 0; k < u.passes.count; k++) {
    const lazy_pass *p = &u.passes.data[k];
    strbuf_printf (&text, "(r%u@%u,w%u@%u)", p->i + 1, p->k, p->j + 1, p->h);
  }
  assert_string_equal (strbuf_text (&text), "(r1@1,w2@9)(r2@1,w1@9)(r2@10,w1@3)(r2@10,w1@6)(r2@10,w1@9)");
  strbuf_release (&text);
  release (&f, &u);
}

TEST_MAIN (cmocka_unit_test (points_by_depth), cmocka_unit_test (eager_points_saturate),
           cmocka_unit_test (race_in_the_lazy_model), cmocka_unit_test (race_in_the_eager_model),
           cmocka_unit_test (passes_that_locks_leave))
