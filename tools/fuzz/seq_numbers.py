"""Sections about arithmetic: wide integers, overflow builtins, floats of three formats and their conversions."""
from fuzz.seq_expressions import Expressions
from fuzz.seq_text import BY_NAME, INT_TYPES, indent


def wide_integers(program):
    """128-bit arithmetic, shifts across the middle, conversions to and from floats, as struct members and arguments."""
    rng, name = program.rng, program.fresh("wide")
    i128, u128 = BY_NAME["i128"], BY_NAME["u128"]
    ops = "".join(f"b = {Expressions(program, [('a', u128), ('b', u128), ('n', i128)]).make(u128, 2)};\n"
                  f'show ("{name}", b);\n' for _ in range(rng.randint(2, 4)))
    program.add(f"struct {name} {{ u8 a; i128 big; u16 b; }};\n"
                f"static i128 {name}_add (u8 k, i128 a, struct {name} s, u128 b) "
                f"{{ return (i128) ((u128) a + b * k + (u128) s.big); }}\n"
                f"static u128 {name}_constant = {program.number(u128)};\n")
    program.section(name + "_test", f"""\
u128 a = {program.number(u128)}, b = {name}_constant;
i128 n = {program.number(i128)};
{ops}for (int k = 0; k < 128; k += {rng.randint(9, 31)})
  {{
    a ^= b >> k;
    b += a << (127 - k);
    n = n / {rng.randint(2, 99)} + (n >> k) % {rng.randint(2, 999)};
  }}
show ("{name}", a / (b | 1) + b % (a | 1));
show ("{name}", (u128) {name}_add (3, n, (struct {name}) {{ 1, n, 2 }}, b));
show_double ("{name}", (double) a);
show_double ("{name}", (double) n);
show ("{name}", (u128) {rng.randint(1, 99)}e{rng.randint(0, 30)} + (n < 0) + (a > b));
""")


def integer_mix(program):
    """Expressions over variables of all widths: promotions, sign extension, comparisons of mixed signs."""
    rng, name = program.rng, program.fresh("integers")
    variables = [(f"x{k}", rng.choice(INT_TYPES)) for k in range(6)]
    body = "".join(f"{t.name} {v} = {program.number(t)};\n" for v, t in variables)
    for _ in range(rng.randint(4, 8)):
        t = rng.choice(INT_TYPES)
        body += f'show ("{name}", (u128) ({Expressions(program, variables).make(t, 3)}));\n'
    narrow = [(v, t) for v, t in variables if t.bits <= 16]
    for v, _ in narrow:  # promoted to int, where the sum of two cannot overflow
        body += (f"show (\"{name}\", (u64) (i64) ({v} + {rng.choice(narrow)[0]} - ({v} > "
                 f"{rng.choice(variables)[0]})));\n")
    program.section(name, body)


def overflow_builtins(program):
    """__builtin_*_overflow on operands at the limits; the builtins that count and reverse bits."""
    rng, name = program.rng, program.fresh("overflow")
    body = ""
    for _ in range(rng.randint(3, 6)):
        t, op = rng.choice([t for t in INT_TYPES if 32 <= t.bits <= 64]), rng.choice(["add", "sub", "mul"])
        r = program.fresh("r")
        body += (f"{t.name} {r};\nshow (\"{name}\", __builtin_{op}_overflow ({program.number(t)}, {program.number(t)}, "
                 f"&{r}));\n"
                 f'show ("{name}", (u128) {r});\n')
    x = rng.getrandbits(64) | 1
    body += f"""\
u64 x = {x}ull;
show ("{name}", (u64) __builtin_popcountll (x) * 10000u + (u64) __builtin_clzll (x) * 100u + (u64) __builtin_ctzll (x << {rng.randint(0, 9)}));
show ("{name}", __builtin_bswap64 (x) ^ (u64) __builtin_parityll (x) ^ __builtin_bswap32 ((u32) x));
show ("{name}", x << {rng.randint(1, 63)} | x >> {rng.randint(1, 63)});
show ("{name}", __builtin_expect (x > 5, 1) ? (u64) __builtin_ffsll ((long long) x) : 0);
"""
    program.section(name, body)


def real(rng):
    return f"{rng.randint(-999, 999)}.{rng.choice(['0', '5', '25', '125', '1', '3333'])}"


def floats(program):
    """float, double and long double through arithmetic, comparison and every conversion; NaN and infinities."""
    rng, name = program.rng, program.fresh("floats")
    steps = ""
    for _ in range(rng.randint(4, 8)):
        target = rng.choice("fdl")
        a, b = rng.choice(["f", "d", "l", real(rng), real(rng) + "f", "i", "u"]), rng.choice(["f", "d", "l", real(rng)])
        op = rng.choice(["+", "-", "*", "/"])
        steps += f"{target} = {f'{a} / ({b} * {b} + 1)' if op == '/' else f'{a} {op} {b}'};\n"
        steps += rng.choice([f"{target} = -{target};\n",
                             f"if ({target} > 1e6 || {target} < -1e6) {target} = {real(rng)};\n",
                             f"{target} *= {real(rng)};\n", f"d = {target} < {a} ? d : f * d + {b};\n",
                             f"{target}++;\n"])
        steps += (f'if (!(d < 1e15 && d > -1e15)) d = 2.5;\nif (!(f < 1e15f && f > -1e15f)) f = 1.5f;\nif (!(l < 1e15L '
                  f'&& l > -1e15L)) l = 0.5L;\n')
        steps += f'show_double ("{name}", (double) {target});\n'
    program.section(name, f"""\
float f = {real(rng)}f;
double d = {real(rng)};
long double l = {real(rng)}L;
int i = {rng.randint(-99, 99)};
u64 u = {rng.getrandbits(64)}ull;
{steps}show ("{name}", (u64) (i64) (i32) (f / 1e7f) ^ (u64) (i64) (d / 4) ^ (u64) (i64) l);
show ("{name}", (u8) ((i64) d & 127) + (d == (double) (float) d) * 2u + (f != f) * 4u);
double zero = 0.0, infinite = 1 / zero, not = zero * infinite;
show ("{name}", (not == not) + (not < 1) * 2u + (infinite > 1e300) * 4u + (-infinite < not) * 8u + !zero * 16u + (1 / -zero < 0) * 32u);
show_double ("{name}", (double) (float) u + (double) (i64) u + (float) (u16) u);
printf ("%f %.3f %e %g %8.2f %.0f %Lf\\n", d, (double) f, d, d, d, d, l);
_Bool truth = d;
show ("{name}", truth + (_Bool) 0.0 + (f && l) * 2u + sizeof (long double));
""")


def real_library(program):
    """The functions of math.h that are exact by their definition."""
    rng, name = program.rng, program.fresh("exact")
    body = f"double x = {real(rng)}, y = {real(rng)};\nfloat g = {real(rng)}f;\n"
    for _ in range(rng.randint(4, 7)):
        call = rng.choice(["sqrt (fabs (x))", "floor (x)", "ceil (y)", "trunc (x / 3)", "round (y / 2)", "fabs (y)",
                           "fabsf (g)", "sqrtf (fabsf (g))",
                           "fmod (x, fabs (y) + 1)", "copysign (x, y)", "fmax (x, y)", "fmin (x, y)", "rint (x / 4)",
                           "floorf (g)"])
        body += f'show_double ("{name}", {call});\nx = x * 1.25 - {rng.randint(0, 9)};\n'
    body += (f'show ("{name}", (isnan (x) ? 1u : 0u) + (isinf (y / 0.0) ? 2u : 0u) + (signbit (x) ? 4u : 0u) + '
             f'(isfinite (g) ? 8u : 0u));\n')
    body += (f'show ("{name}", (isnormal (g / {rng.choice(["1", "1e30f", "1e38f", "0.0f"])}) ? 1u : 0u) + (isnan (x - '
             f'x * {rng.choice(["1", "1e400"])}) ? 2u : 0u)')
    body += (f' + (isfinite ((long double) y / {rng.choice(["3", "0.0L"])}) ? 4u : 0u) + (fpclassify (x) == FP_NORMAL '
             f'? 8u : 0u));\n')
    program.section(name, body)


def float_structs(program):
    """Structs of floats travel in vector registers, two to a register; mixed ones in both kinds; complex numbers."""
    rng, name = program.rng, program.fresh("point")
    program.add(f"""
struct {name}_2f {{ float x, y; }};
struct {name}_3f {{ float x, y, z; }};
struct {name}_di {{ double d; i32 i; }};
struct {name}_if {{ i32 i; float f; double d; }};
struct {name}_ld {{ long double l; }};
static struct {name}_2f {name}_swap (struct {name}_2f p) {{ return (struct {name}_2f) {{ p.y, p.x + {rng.randint(0, 9)} }}; }}
static struct {name}_3f {name}_turn (struct {name}_3f p, struct {name}_2f q) {{ p.z += q.x; return (struct {name}_3f) {{ p.z, p.x, p.y }}; }}
static struct {name}_di {name}_di (i32 i, double d) {{ return (struct {name}_di) {{ d * i, i }}; }}
static struct {name}_if {name}_if (struct {name}_di s) {{ return (struct {name}_if) {{ s.i, (float) s.d, s.d + 1 }}; }}
static struct {name}_ld {name}_ld (struct {name}_if s) {{ return (struct {name}_ld) {{ s.d * s.f }}; }}
static double _Complex {name}_square (double _Complex z) {{ return z * z + {rng.randint(0, 9)}.5; }}
""")
    program.section(name + "_test", f"""\
struct {name}_2f p = {name}_swap ((struct {name}_2f) {{ {real(rng)}f, {real(rng)}f }});
struct {name}_3f t = {name}_turn ((struct {name}_3f) {{ 1, p.y, {rng.randint(0, 9)} }}, p);
struct {name}_if s = {name}_if ({name}_di ({rng.randint(-9, 9)}, {real(rng)}));
show_double ("{name}", p.x + p.y * 3);
show_double ("{name}", t.x - t.y + t.z * 2);
show_double ("{name}", s.d + s.f + s.i);
show_double ("{name}", (double) {name}_ld (s).l);
double _Complex z = {name}_square ({rng.randint(1, 9)} + {rng.randint(1, 9)}.0i);
show_double ("{name}", __real__ z + __imag__ z * 2);
""")


SECTIONS = [wide_integers, integer_mix, integer_mix, overflow_builtins, floats, floats, real_library, float_structs]
