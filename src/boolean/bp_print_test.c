// Printing: the text of a program can be read, and printing the result gives the same text.
#include <string.h>

#include "base/rng.h"
#include "boolean/text_test.h"

static void assert_stable (const bp_program *p) {
  strbuf once = {0}, twice = {0};
  bp_print (p, &once);
  bp_program *again = program_of (strbuf_text (&once));
  bp_print (again, &twice);
  assert_string_equal (strbuf_text (&once), strbuf_text (&twice));
  strbuf_release (&once);
  strbuf_release (&twice);
  bp_program_free (again);
}

static void printing_is_stable (void **state) {
  (void) state;
  static const char *const programs[] = {
      "void main() begin end",
      "decl a; void main() begin L: 13: a := !a; goto 13, L; end",
      "decl a, b; void main() begin a, b := *, b constrain (a' != b & 'b); _ := *; assert(a -> b); end",
      "decl a; bool f(x) begin L: if x then return *; fi; goto L; end void main() begin a := f(a); a := f(!a); end",
      "decl {x > 0}; void f(a) begin start_thread goto S; S: atomic_begin; {x > 0} := a; end void main() begin f(1); "
      "f(0); end",
      "decl a; enforce a | !a; void main() begin decl b := 0; while b do dead a; od; if a then skip; else end_thread; "
      "fi; end",
  };
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    bp_program *p = program_of (programs[i]);
    assert_stable (p);
    bp_program_free (p);
  }
}

static bp_expr random_expr (bp_program *p, rng *r, unsigned height) {
  bp_var v = {rng_below (r, p->vars.count)};
  uint32_t kind = rng_below (r, height ? 7 : 3);
  if (kind == 0) return bp_use (p, v);
  if (kind == 1) return bp_choice (p);
  if (kind == 2) return bp_const (p, rng_below (r, 2));
  bp_expr a = random_expr (p, r, height - 1);
  if (kind == 3) return bp_not (p, a);
  bp_expr b = random_expr (p, r, height - 1);
  return kind == 4 ? bp_and (p, a, b) : kind == 5 ? bp_or (p, a, b) : bp_xor (p, a, b);
}

static void random_location (bp_program *p, rng *r, bp_loc l, uint32_t count) {
  bp_location *d = bp_loc_at (p, l);
  if (d->kind == BP_ASSIGN)
    for (uint32_t v = rng_below (r, 2); v < p->vars.count; v += 1 + rng_below (r, 2))
      bp_add_target (p, l, (bp_var){v}, random_expr (p, r, 3));
  if (d->kind == BP_ASSIGN && rng_below (r, 2))
    bp_loc_at (p, l)->condition = bp_xor (p, bp_use_next (p, (bp_var){0}), random_expr (p, r, 2));
  if (d->kind == BP_ASSERT) bp_loc_at (p, l)->condition = random_expr (p, r, 3);
  if (d->kind == BP_START_THREAD) bp_loc_at (p, l)->thread.i = rng_below (r, count);
  uint32_t next = bp_loc_at (p, l)->kind == BP_END_THREAD ? 0
                  : bp_loc_at (p, l)->kind == BP_GOTO     ? 1 + rng_below (r, 3)
                                                          : 1;
  for (; next; next--) bp_add_next (p, l, (bp_loc){rng_below (r, count)});
}

// Random programs, whose locations are connected in any order, are printed like this, too.
static void random_programs_are_stable (void **state) {
  (void) state;
  static const bp_kind kinds[] = {BP_SKIP, BP_ASSIGN, BP_ASSERT, BP_GOTO, BP_START_THREAD, BP_END_THREAD};
  rng r = {11};
  for (int round = 0; round < 300; round++) {
    bp_program *p = bp_program_new ("random.bp");
    bp_add_var (p, "g", true), bp_add_var (p, "{h == 1}", true), bp_add_var (p, "x", false);
    uint32_t count = 1 + rng_below (&r, 8);
    for (uint32_t l = 0; l < count; l++) bp_add_loc (p, kinds[rng_below (&r, 6)]);
    for (uint32_t l = 0; l < count; l++) random_location (p, &r, (bp_loc){l}, count);
    p->start.i = rng_below (&r, count);
    bp_error error = {0};
    assert_true (bp_find_regions (p, &error));
    assert_stable (p);
    bp_program_free (p);
  }
}

TEST_MAIN (cmocka_unit_test (printing_is_stable), cmocka_unit_test (random_programs_are_stable))
