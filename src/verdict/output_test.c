// The `output` operation against the host's printf.
#include "verdict/verdict_test.h"

typedef struct value {
  unsigned bits;
  ir_value value;
} value;

static ir_value bits_of_double (double x) {
  uint64_t u;
  memcpy (&u, &x, 8);
  return u;
}
static ir_value bits_of_long_double (long double x) {
  ir_value u = 0;
  memcpy (&u, &x, 10);
  return u;
}

static void text_object (world *w, ir_object *o, const char *text) {
  *o = ir_add_object (w->p, "text", IR_O_CONSTANT, (uint32_t) strlen (text) + 1);
  ir_object_at (w->p, *o)->init = (uint8_t *) (uintptr_t) text;
}

// Formats with up to three values; a value of 0 bits stands for the address of "hello".
static void expect (const char *expected, const char *format, const value *values, unsigned count) {
  world w;
  world_init (&w, 1);
  ir_object f, hello;
  text_object (&w, &f, format);
  text_object (&w, &hello, "hello");
  ir_expr args[5] = {number (&w, 32, 1), at (&w, f, 0)};
  for (unsigned i = 0; i < count; i++)
    args[2 + i] = values[i].bits ? number (&w, values[i].bits, values[i].value) : at (&w, hello, 0);
  ir_reg n = reg (&w, 0, 32, NULL);
  emit (&w, 0, IR_OUTPUT, n, args, 2 + count);
  world_start (&w);
  go (&w, 0, 1);
  assert_string_equal (strbuf_text (&w.m.text), expected);
  assert_int_equal (value_of (&w, 0, n), strlen (expected));
  world_release (&w);
}
#define EXPECT(TEXT, FORMAT, ...) \
  expect ((TEXT), (FORMAT), (value[]){__VA_ARGS__}, sizeof ((value[]){__VA_ARGS__}) / sizeof (value))

static void integers (void **state) {
  (void) state;
  EXPECT ("-5", "%d", {32, (uint32_t) -5});
  EXPECT ("4294967291", "%u", {32, (uint32_t) -5});
  EXPECT ("[   42|42   |00042]", "[%5d|%-5d|%05d]", {32, 42}, {32, 42}, {32, 42});
  EXPECT ("-1 18446744073709551615", "%lld %zu", {64, UINT64_MAX}, {64, UINT64_MAX});
  EXPECT ("ff 0XFF 0377", "%x %#X %#o", {32, 255}, {32, 255}, {32, 255});
  EXPECT ("-1 -1 65535", "%hhd %hd %hu", {32, 255}, {32, 65535}, {32, 65535});
  EXPECT ("+7", "%+i", {32, 7});
  EXPECT ("  007", "%*.*d", {32, 5}, {32, 3}, {32, 7});
  EXPECT ("7  |", "%*d|", {32, (uint32_t) -3}, {32, 7});
  EXPECT ("100%", "%d%%", {32, 100});
}

static void texts (void **state) {
  (void) state;
  EXPECT ("hello", "%s", {0, 0});
  EXPECT ("[     hello]", "[%10s]", {0, 0});
  EXPECT ("[hel  ]", "[%-5.3s]", {0, 0});
  EXPECT ("(null)", "%s", {64, 0});
  EXPECT ("A|  B", "%c|%3c", {32, 'A'}, {32, 'B'});
  EXPECT ("(nil) 0x10", "%p %p", {64, 0}, {64, 16});
}

static void floats (void **state) {
  (void) state;
  EXPECT ("1.500000 1.50 2", "%f %.2f %.0f", {64, bits_of_double (1.5)}, {64, bits_of_double (1.5)},
          {64, bits_of_double (2)});
  EXPECT ("1.5e+10 1e-05", "%g %g", {64, bits_of_double (1.5e10)}, {64, bits_of_double (1e-5)});
  EXPECT ("1.250000e+00", "%e", {64, bits_of_double (1.25)});
  EXPECT ("   0.333", "%8.3Lf", {80, bits_of_long_double (1.0L / 3)});
}

static void odd_formats (void **state) {
  (void) state;
  EXPECT ("0", "%d", {32, 0});
  EXPECT ("end", "end%", {32, 0});
  EXPECT ("0 0", "%d %d", {32, 0});  // a missing argument
  EXPECT ("", "", {32, 0});
}

TEST_MAIN (cmocka_unit_test (integers), cmocka_unit_test (texts), cmocka_unit_test (floats),
           cmocka_unit_test (odd_formats))
