// Memory as a history of stores: under all values of offsets and conditions, every load agrees with a reference model
// that is an array of bytes.
#include "engine/order/contents.h"

#include "base/rng.h"
#include "base/test.h"
#include "encode/decider.h"

enum { SIZE = 24, ROUNDS = 60, STEPS = 40, NUM_VARIABLES = 8, MAX_CONTENTS = STEPS + 4 };

static const char program_text[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 "
    "global #1 bytes : 24 bytes init "
    "\"\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09\\x0a\\x0b\\x0c\\x0d\\x0e\\x0f\\x10\\x11\\x12\\x13\\x14\\x15\\x16\\"
    "x17\\x18\" "
    "global #2 pointer : 24 bytes init \"\\xaa\" reloc 8 &bytes+4 function #3 start : 0 bytes start &start "
    "proc start = #3 () entry L0 { regs r0:32 L0: exit 0:32 }";

// ---- the reference model: bytes under one assignment of the variables -------------------------------
typedef struct reference_bytes {
  uint8_t value[SIZE];
  bool undefined[SIZE];
} reference_bytes;

typedef struct known_term {
  term term;
  uint64_t value;
} known_term;  // a term and its value under the assignment

typedef struct contents_fixture {
  rng r;
  term_pool terms;
  contents_pool pool;
  ir_program *program;
  decider *decider;
  known_term variables[NUM_VARIABLES];  // small numbers, 32 bits
  contents contents[MAX_CONTENTS];
  reference_bytes models[MAX_CONTENTS];
  uint32_t count;
} contents_fixture;

static const budget no_limit = {0};

static ir_program *parse (void) {
  char *error = NULL;
  ir_program *p = ir_parse (program_text, "t.ir", &error);
  if (!p) fail_msg ("%s", error);
  return p;
}

static void add_contents (contents_fixture *w, contents c, const reference_bytes *m) {
  assert_true (w->count < MAX_CONTENTS);
  w->contents[w->count] = c;
  w->models[w->count++] = *m;
}

static void add_initial (contents_fixture *w) {
  reference_bytes undefined = {0}, zero = {0}, bytes = {0}, pointer = {.value = {0xAA}};
  for (uint32_t k = 0; k < SIZE; k++) {
    undefined.undefined[k] = true;
    bytes.value[k] = (uint8_t) (k + 1);
  }
  pointer.value[8] = 4;  // object 1, offset 4
  pointer.value[12] = 1;
  add_contents (w, CONTENTS_UNDEFINED, &undefined);
  add_contents (w, CONTENTS_ZERO, &zero);
  add_contents (w, contents_initial (&w->pool, (ir_object){1}), &bytes);
  add_contents (w, contents_initial (&w->pool, (ir_object){2}), &pointer);
}

static void contents_fixture_init (contents_fixture *w, uint64_t seed) {
  *w = (contents_fixture){.r = {seed}, .program = parse ()};
  term_pool_init (&w->terms);
  contents_pool_init (&w->pool, &w->terms, w->program);
  w->decider = decider_new (&w->terms, DECIDE_BY_SAT, &no_limit);
  for (uint32_t k = 0; k < NUM_VARIABLES; k++)
    w->variables[k] = (known_term){term_var (&w->terms, 32), rng_below (&w->r, SIZE)};
  add_initial (w);
}

static void contents_fixture_release (contents_fixture *w) {
  decider_free (w->decider);
  contents_pool_release (&w->pool);
  term_pool_release (&w->terms);
  ir_program_free (w->program);
}

// ---- random terms -----------------------------------------------------------------------------------
static known_term constant (contents_fixture *w, unsigned bits, uint64_t value) {
  return (known_term){term_const (&w->terms, bits, value), value};
}
static known_term variable (contents_fixture *w) { return w->variables[rng_below (&w->r, NUM_VARIABLES)]; }

// A multiple of `unit`, at most `most`: a constant, a variable, or a variable whose term shows that it is aligned.
static known_term offset (contents_fixture *w, uint32_t bytes) {
  uint32_t most = SIZE - bytes;
  known_term v = variable (w);
  switch (rng_below (&w->r, 4)) {
  case 0:
    if (v.value <= most) return v;
    break;
  case 1: {
    uint32_t mask = ~(bytes == 8 ? 7u : bytes == 4 ? 3u : bytes == 2 ? 1u : 0u), at = (uint32_t) v.value & mask;
    if (at <= most)
      return (known_term){term_apply (&w->terms, IR_X_AND, 32, v.term, term_const (&w->terms, 32, mask), TERM_NONE),
                          at};
    break;
  }
  case 2:
    if (v.value + 1 <= most)
      return (known_term){term_add (&w->terms, v.term, term_const (&w->terms, 32, 1)), v.value + 1};
    break;
  default: break;
  }
  return constant (w, 32, rng_below (&w->r, most + 1));
}

static known_term condition (contents_fixture *w) {
  known_term a = variable (w), b = rng_below (&w->r, 2) ? variable (w) : constant (w, 32, rng_below (&w->r, SIZE));
  return (known_term){term_ult (&w->terms, a.term, b.term), a.value < b.value};
}

static known_term value (contents_fixture *w, unsigned bits) {
  uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t) 1 << bits) - 1;
  if (rng_below (&w->r, 3)) return constant (w, bits, rng_next (&w->r) & mask);
  known_term v = variable (w);
  return (known_term){term_resize (&w->terms, v.term, bits), v.value & mask};
}

// ---- operations on contents and reference model -----------------------------------------------------
static void store (contents_fixture *w) {
  uint32_t from = rng_below (&w->r, w->count), bytes = 1 + rng_below (&w->r, 8);
  reference_bytes m = w->models[from];
  known_term at = offset (w, bytes), x = value (w, 8 * bytes);
  uint32_t mask = rng_below (&w->r, 4) ? 0 : rng_below (&w->r, 1u << bytes);
  uint64_t stored = x.value;
  for (uint32_t k = 0; k < bytes; k++) {
    m.undefined[at.value + k] = mask >> k & 1;
    if (mask >> k & 1) stored &= ~((uint64_t) 0xFF << 8 * k);  // undefined bytes have value 0
    m.value[at.value + k] = (uint8_t) (stored >> 8 * k);
  }
  term kept = mask ? term_const (&w->terms, 8 * bytes, stored) : x.term;
  cells c = {kept, term_const (&w->terms, bytes, mask)};
  add_contents (w, contents_store (&w->pool, w->contents[from], at.term, bytes, c), &m);
}

static void choose (contents_fixture *w) {
  uint32_t a = rng_below (&w->r, w->count), b = rng_below (&w->r, w->count);
  known_term c = condition (w);
  add_contents (w, contents_choose (&w->pool, c.term, w->contents[a], w->contents[b]), &w->models[c.value ? a : b]);
}

// ---- comparison -------------------------------------------------------------------------------------
static void assume_values (contents_fixture *w) {
  for (uint32_t k = 0; k < NUM_VARIABLES; k++)
    decider_assert (w->decider,
                    term_eq (&w->terms, w->variables[k].term, term_const (&w->terms, 32, w->variables[k].value)));
  assert_int_equal (decider_check (w->decider, NULL, 0), DECIDED_YES);
}

static void assert_load_agrees (contents_fixture *w, uint32_t which, uint32_t bytes, known_term at) {
  const reference_bytes *m = &w->models[which];
  cells c = contents_load (&w->pool, w->contents[which], at.term, bytes);
  uint64_t expected = 0, mask = 0;
  for (uint32_t k = 0; k < bytes; k++) {
    expected |= (uint64_t) m->value[at.value + k] << 8 * k;
    mask |= (uint64_t) m->undefined[at.value + k] << k;
  }
  assert_int_equal (term_bits (&w->terms, c.value), 8 * bytes);
  assert_int_equal (term_bits (&w->terms, c.undefined), bytes);
  assert_int_equal ((uint64_t) decider_value (w->decider, c.undefined), mask);
  assert_int_equal ((uint64_t) decider_value (w->decider, c.value), expected);
}

static void loads_agree_with_bytes (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    contents_fixture w;
    contents_fixture_init (&w, seed);
    for (uint32_t k = 0; k < STEPS; k++) {
      if (rng_below (&w.r, 4)) store (&w);
      else choose (&w);
    }
    assume_values (&w);
    for (uint32_t which = 0; which < w.count; which++)
      for (uint32_t bytes = 1; bytes <= 8; bytes++)
        for (uint32_t k = 0; k < 3; k++) assert_load_agrees (&w, which, bytes, offset (&w, bytes));
    assert_false (w.pool.gave_up);
    contents_fixture_release (&w);
  }
}

// ---- the form of the loaded term --------------------------------------------------------------------
static void what_was_stored_is_found (void **state) {
  (void) state;
  contents_fixture w;
  contents_fixture_init (&w, 1);
  term at = w.variables[0].term, x = w.variables[1].term, zero = term_const (&w.terms, 4, 0);
  contents c = contents_store (&w.pool, CONTENTS_UNDEFINED, at, 4, (cells){x, zero});
  assert_int_equal (contents_load (&w.pool, c, at, 4).value.i, x.i);
  contents other = contents_store (&w.pool, c, at, 4, (cells){w.variables[2].term, zero});
  assert_int_equal (contents_load (&w.pool, other, at, 4).value.i, w.variables[2].term.i);
  assert_int_equal (contents_load (&w.pool, c, at, 4).value.i, x.i);  // the old contents have not changed
  contents_fixture_release (&w);
}

static void equal_contents_have_one_name (void **state) {
  (void) state;
  contents_fixture w;
  contents_fixture_init (&w, 1);
  term c = condition (&w).term;
  assert_int_equal (contents_choose (&w.pool, c, CONTENTS_ZERO, CONTENTS_ZERO).i, CONTENTS_ZERO.i);
  assert_int_equal (contents_choose (&w.pool, w.terms.truth, CONTENTS_ZERO, CONTENTS_UNDEFINED).i, CONTENTS_ZERO.i);
  assert_int_equal (contents_choose (&w.pool, w.terms.falsity, CONTENTS_ZERO, CONTENTS_UNDEFINED).i,
                    CONTENTS_UNDEFINED.i);
  contents one = contents_choose (&w.pool, c, CONTENTS_ZERO, CONTENTS_UNDEFINED);
  assert_int_equal (contents_choose (&w.pool, c, CONTENTS_ZERO, CONTENTS_UNDEFINED).i, one.i);
  assert_int_not_equal (contents_choose (&w.pool, c, CONTENTS_UNDEFINED, CONTENTS_ZERO).i, one.i);
  assert_int_equal (contents_initial (&w.pool, (ir_object){1}).i, contents_initial (&w.pool, (ir_object){1}).i);
  contents_fixture_release (&w);
}

TEST_MAIN (cmocka_unit_test (loads_agree_with_bytes), cmocka_unit_test (what_was_stored_is_found),
           cmocka_unit_test (equal_contents_have_one_name))
