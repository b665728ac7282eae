"""Sections about control flow: switches, jumps, recursion, varargs, tables of functions."""
from fuzz.seq_text import NARROW_TYPES, indent


def switch_values(program):
    """Dense, sparse, negative and range labels, with and without fall-through, on every width."""
    rng = program.rng
    t = rng.choice([t for t in NARROW_TYPES if t.bits >= 8])
    low = -(1 << (t.bits - 1)) if t.signed else 0
    high = (1 << (t.bits - 1)) - 1 if t.signed else (1 << t.bits) - 1
    dense = range(max(low, -3), 5)
    labels = set(rng.sample(list(dense), rng.randint(2, 5)))
    labels |= {rng.randint(low, high) for _ in range(3)} | {high}
    name = program.fresh("switch_values")
    cases, probes = "", set(dense)
    for label in sorted(labels, key=lambda _: rng.random()):
        cases += f"case {literal(label, t)}: result = result * 3 + {rng.randint(1, 99)};"
        cases += " break;\n" if rng.random() < 0.6 else " /* falls through */\n"
        probes |= {label, max(low, label - 1), min(high, label + 1)}
    first = next((x for x in range(30, 90) if not labels & set(range(x, x + 6))), None)
    if first is not None:
        cases += f"case {first} ... {first + 5}: result += 1000; break;\n"
        probes |= {first - 1, first, first + 3, first + 5, first + 6}
    default = rng.choice(["", "default: result ^= 77;\n"])
    program.add(f"static u32\n{name} ({t.name} x)\n{{\n  u32 result = 1;\n  switch (x)\n    {{\n"
                + indent(indent(cases + default)) + "    }\n  return result;\n}\n")
    table = program.fresh("probes")
    values = [literal(p, t) for p in sorted(probes) if low <= p <= high]
    program.add(f"static const {t.name} {table}[] = {{ {', '.join(values)} }};")
    program.run(f"for (size_t k = 0; k < sizeof {table} / sizeof *{table}; k++)\n"
                f'  show ("{name}", {name} ({table}[k]));')


def literal(value, t):
    if value == -(1 << 63):
        return "(-9223372036854775807ll - 1)"
    return f"{value}{'ull' if not t.signed and t.bits == 64 else 'll' if t.bits == 64 else ''}"


def computed_goto(program):
    """A small byte-code interpreter with labels as values, from a table of label addresses."""
    rng, name = program.rng, program.fresh("interpret")
    ops = ["acc += code[pc++];", "acc = acc * 3 ^ code[pc++];", "acc ^= acc >> 7;", "acc = ~acc;",
           "if (acc & 1) pc++;", "if (code[pc++] & 4) acc -= 11;"]
    rng.shuffle(ops)
    code = [rng.randrange(len(ops)) for _ in range(rng.randint(8, 20))]
    labels = ", ".join(f"&&op{k}" for k in range(len(ops)))
    bodies = "".join(f"op{k}: {op} NEXT;\n" for k, op in enumerate(ops))
    program.section(name, f"""\
static const u8 code[32] = {{ {", ".join(map(str, code))} }};
static void *const labels[] = {{ {labels} }};
u32 acc = {rng.randint(1, 1000)}, steps = 0;
int pc = 0;
#define NEXT do {{ if (++steps > 40 || pc >= 28) goto done; goto *labels[code[pc++] % {len(ops)}]; }} while (0)
NEXT;
{bodies}done:
#undef NEXT
show ("{name}", acc + steps);
""")


def goto_maze(program):
    """Labels visited in an order that data decides, backwards too; a fuel counter ends it."""
    rng, name, n = program.rng, program.fresh("maze"), program.rng.randint(4, 7)
    rooms = ""
    for k in range(n):
        rooms += (f"room{k}:\n  mix ({k});\n  x = x * {rng.randrange(3, 99, 2)}u + {rng.randint(1, 50)};\n"
                  f"  if (fuel-- == 0) goto out;\n"
                  f"  if (x >> {rng.randint(3, 20)} & 1) goto room{rng.randrange(n)};"
                  f" else if (x & {rng.choice([2, 4, 8])}) goto room{rng.randrange(n)};\n")
    program.section(name, f"u32 x = {rng.randint(1, 999)}, fuel = {rng.randint(10, 40)};\n{rooms}"
                    f'out:\nshow ("{name}", x);\n')


def recursion(program):
    """Plain, mutual and through a pointer to the function itself; with an array in each frame."""
    rng, f = program.rng, program.fresh("descend")
    depth, k = rng.randint(5, 12), rng.randint(1, 3)
    program.add(f"""
static u32 {f}_odd (u32 n, u32 *trail);
static u32
{f}_even (u32 n, u32 *trail)
{{
  u32 here[4] = {{ n, n + 1, n * n, *trail }};
  if (n < {k})
    return here[n & 3];
  return {f}_odd (n - 1, &here[n & 3]) * 3u + here[1];
}}
static u32
{f}_odd (u32 n, u32 *trail)
{{
  *trail += n;
  return n < {k} ? *trail : {f}_even (n - {k}, trail) ^ *trail;
}}
static u32 {f}_fib (u32 n) {{ return n < 2 ? n : {f}_fib (n - 1) + {f}_fib (n - 2); }}
typedef u32 (*{f}_self) (void *, u32);
static u32 {f}_via (void *self, u32 n) {{ return n ? ((u32 (*) (void *, u32)) self) (self, n / 2) * 5u + n : 1; }}
""")
    program.run(f'{{ u32 start = {rng.randint(0, 9)}; show ("{f}", {f}_even ({depth}, &start)); show ("{f}", start); }}')
    program.run(f'show ("{f}_fib", {f}_fib ({rng.randint(5, 10)}));')
    program.run(f'show ("{f}_via", {f}_via ((void *) (uintptr_t) {f}_via, {rng.randint(1, 5000)}));')


def varargs(program):
    """Arguments of every class in one list, read directly, through a passed va_list and through va_copy."""
    rng, f = program.rng, program.fresh("collect")
    letters = [rng.choice("iulqdspLS") for _ in range(rng.randint(3, 12))]
    pair, big = program.fresh("pair"), program.fresh("big")
    program.add(f"""
struct {pair} {{ i32 a; double b; }};
static struct {pair} {pair}_of (i32 a, double b) {{ return (struct {pair}) {{ a, b }}; }}
static i32 {f}_target = {rng.randint(1, 99)};
static void
{f}_list (const char *format, va_list list)
{{
  for (; *format; format++)
    switch (*format)
      {{
      case 'i': show ("i", (u32) va_arg (list, int)); break;
      case 'u': show ("u", va_arg (list, unsigned)); break;
      case 'l': show ("l", (u64) va_arg (list, long)); break;
      case 'q': show ("q", va_arg (list, unsigned long long)); break;
      case 'd': show_double ("d", va_arg (list, double)); break;
      case 'L': show_double ("L", (double) va_arg (list, long double)); break;
      case 's': show ("s", strlen (va_arg (list, char *))); break;
      case 'p': show ("p", (u32) *va_arg (list, i32 *)); break;
      case 'S': {{ struct {pair} s = va_arg (list, struct {pair}); show ("S", (u32) s.a); show_double ("S", s.b); break; }}
      }}
}}
static int
{f} (const char *format, ...)
{{
  va_list list, again;
  va_start (list, format);
  va_copy (again, list);
  {f}_list (format, list);
  va_end (list);
  {f}_list (format, again);
  va_end (again);
  return (int) strlen (format);
}}
""")
    make = {
        "i": lambda: str(rng.randint(-99, 99)), "u": lambda: f"{rng.getrandbits(32)}u",
        "l": lambda: f"{rng.randint(-9999, 9999)}l",
        "q": lambda: f"{rng.getrandbits(64)}ull", "d": lambda: f"{rng.randint(-99, 99)}.25",
        "L": lambda: f"{rng.randint(0, 99)}.5L",
        "s": lambda: '"' + "x" * rng.randint(0, 9) + '"', "p": lambda: f"&{f}_target",
        "S": lambda: f"{pair}_of ({rng.randint(-9, 9)}, {rng.randint(0, 9)}.5)",
    }
    arguments = ", ".join(make[c]() for c in letters)
    program.run(f'show ("{f}", (u32) {f} ("{"".join(letters)}", {arguments}));')


def function_table(program):
    """Pointers to functions in an array and in an array of structs, as parameter and as result."""
    rng, f, n = program.rng, program.fresh("apply"), program.rng.randint(2, 4)
    program.add(f"typedef u32 (*{f}_fn) (u32, u32);\n" + "".join(
        f"static u32 {f}_{k} (u32 a, u32 b) "
        f"{{ return a {rng.choice('+-*^|&')} b {rng.choice('+^')} {rng.randint(0, 99)}u; }}\n" for k in range(n))
        + f"static {f}_fn {f}_table[{n}] = {{ {', '.join(f'{f}_{k}' for k in rng.sample(range(n), n))} }};\n"
        + f"static const struct {{ const char *name; {f}_fn fn; u8 twice; }} {f}_named[] = {{\n"
        + "".join(f'  {{ "n{k}", {rng.choice(["", "&"])}{f}_{k}, {rng.randint(0, 1)} }},\n' for k in range(n)) + "};\n"
        + f"static {f}_fn {f}_pick (u32 x) {{ return {f}_table[x % {n}]; }}\n"
        + f"static u32 {f}_twice ({f}_fn fn, u32 x) {{ return fn (fn (x, 3), x); }}\n")
    program.section(f, f"""\
u32 x = {rng.randint(1, 999)};
for (u32 k = 0; k < {rng.randint(3, 8)}; k++)
  x = {f}_pick (k + x) (x, k) + ({f}_table[k % {n}] == {f}_0);
for (u32 k = 0; k < {n}; k++)
  {{
    x ^= {f}_named[k].twice ? {f}_twice ({f}_named[k].fn, x) : (*{f}_named[k].fn) (x, k);
    printf ("%s ", {f}_named[k].name);
  }}
show ("{f}", x);
""")


def loops(program):
    """Nested loops with break and continue; the comma and conditional operators in their heads."""
    rng, name = program.rng, program.fresh("loops")
    a, b, c = rng.randint(3, 9), rng.randint(2, 6), rng.randint(2, 9)
    program.section(name, f"""\
u32 x = {rng.randint(0, 99)};
int i, j, tries = 0;
for (i = 0, j = {a}; i < j; i++, j -= x & 1 ? 0 : 1)
  {{
    if ((x + (u32) i) % {b} == {rng.randrange(b)})
      continue;
    do
      {{
        x = x * 5u + (u32) i;
        if (x % {c} == 0 || ++tries > 60)
          break;
      }}
    while ((x >> 3) % {b} != 0);
    while (1)
      if (x++ & {rng.choice([1, 3, 7])})
        break;
    if (i > {rng.randint(5, 20)})
      break;
  }}
show ("{name}", x + (u32) i * 100u + (u32) j);
""")


def early_exit(program):
    """Returns from inside loops and switches, and a statement expression."""
    rng, name = program.rng, program.fresh("search")
    program.add(f"""
static int
{name} (const i16 *cells, int n, int wanted)
{{
  for (int i = 0; i < n; i++)
    switch (cells[i] - wanted)
      {{
      case 0: return i;
      case 1: case -1: if (i & 1) return -i; break;
      default: continue;
      }}
  return ({{ int t = wanted * 2; t > 9 ? t : -t; }});
}}
""")
    cells = ", ".join(str(rng.randint(-5, 5)) for _ in range(10))
    program.run(f"{{ static const i16 cells[10] = {{ {cells} }};\n    for (int k = -6; k < 7; k++)\n"
                f'      show ("{name}", (u32) {name} (cells, 10, k)); }}')


SECTIONS = [switch_values, switch_values, computed_goto, goto_maze, recursion, varargs, function_table, loops,
            early_exit]
