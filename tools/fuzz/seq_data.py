"""Sections about data: structs of any shape passed and returned by value, unions, bit-fields, arrays, storage
classes."""
from fuzz.seq_text import INT_TYPES, NARROW_TYPES, indent

REALS = ["float", "double"]


def member_kinds(program, names):
    """Members (declaration, names of their scalars) of a struct; `names` are structs it may contain by value."""
    rng, members = program.rng, []
    for k in range(rng.randint(1, 6)):
        name, kind = f"m{k}", rng.random()
        if kind < 0.45:
            members.append((f"{rng.choice(INT_TYPES).name} {name};", [name]))
        elif kind < 0.6:
            members.append((f"{rng.choice(REALS)} {name};", [name]))
        elif kind < 0.8:
            n = rng.randint(1, 5)
            members.append((f"{rng.choice(NARROW_TYPES).name} {name}[{n}];", [f"{name}[{i}]" for i in range(n)]))
        elif kind < 0.9:
            width = rng.randint(1, 31)
            members.append((f"{rng.choice(['u32', 'i32'])} {name} : {width};", [name]))
        elif names:
            inner, paths = rng.choice(names)
            members.append((f"struct {inner} {name};", [f"{name}.{p}" for p in paths]))
        else:
            members.append((f"char {name};", [name]))
    return members


def struct_passing(program):
    """Structs of random shape by value: small ones travel in registers, large ones as byval and sret."""
    rng, names = program.rng, []
    for _ in range(rng.randint(1, 3)):
        name = program.fresh("shape")
        members = member_kinds(program, names)
        paths = [p for _, ps in members for p in ps]
        attribute = rng.choice(["", "", "", " __attribute__ ((packed))", " __attribute__ ((aligned (16)))"])
        program.add(f"struct {name}\n{{\n" + indent("\n".join(d for d, _ in members)) + f"}}{attribute};\n")
        names.append((name, paths))
        write_struct_functions(program, name, paths)
    for name, _ in names:
        program.run(f"{name}_test ();")


def write_struct_functions(program, name, paths):
    rng = program.rng
    fill = "".join(f"  s.{p} = (start + {rng.randint(0, 99)}) % {rng.choice([7, 100, 65521])};\n" for p in paths)
    fold = "".join(f"  h = h * 31u + (u64) (i64) s.{p};\n" for p in paths)
    one = rng.choice(paths)
    program.add(f"""
static struct {name}
{name}_make (u32 start)
{{
  struct {name} s;
{fill}  return s;
}}

static u64
{name}_hash (struct {name} s)
{{
  u64 h = sizeof s;
{fold}  s.{one} = 0;
  return h;
}}

static struct {name}
{name}_change (u8 a, struct {name} s, double b, struct {name} *other)
{{
  s.{one} = a + (int) b;
  *other = s;
  other->{rng.choice(paths)} = 3;
  return s;
}}

static void
{name}_test (void)
{{
  struct {name} a = {name}_make ({rng.randint(0, 999)}), b, c[3] = {{ {{ 0 }} }};
  struct {name} (*change) (u8, struct {name}, double, struct {name} *) = {name}_change;
  b = change ({rng.randint(0, 50)}, a, {rng.randint(0, 20)}.75, &c[1]);
  c[2] = c[1];
  c[0] = {name}_hash (a) & 1 ? a : b;
  show ("{name}", {name}_hash (a) ^ {name}_hash (b));
  for (int k = 0; k < 3; k++)
    show ("{name}[]", {name}_hash (c[k]));
  show ("{name}.{one}", (u64) (i64) {name}_change (1, {name}_make (2), 3.5, &a).{one});
}}
""")


def bit_fields(program):
    """Neighbouring bit-fields of odd widths: writing one must leave the others."""
    rng, name = program.rng, program.fresh("bits")
    fields, declarations = [], ""
    for k in range(rng.randint(3, 8)):
        base = rng.choice(["unsigned", "signed", "unsigned", "u64", "i64", "u8", "_Bool"])
        width = {"u64": rng.randint(1, 50), "i64": rng.randint(2, 50), "u8": rng.randint(1, 8), "_Bool": 1}.get(base,
            rng.randint(2, 31))
        declarations += f"{base} f{k} : {width};\n"
        fields.append((f"f{k}", width))
        if rng.random() < 0.2:
            declarations += rng.choice([f"{rng.choice(['unsigned', 'u8'])} : 0;\n", "unsigned : 3;\n",
                                        "char gap%d;\n" % k])
    program.add(f"struct {name}\n{{\n{indent(declarations)}}};\nstatic struct {name} {name}_all[3] = "
                f"{{ {{ .{fields[-1][0]} = 1 }} }};\n")
    steps = "".join(
        f"s->{f} = (v >> {rng.randint(0, 9)}) & {(1 << w) - 1 if w < 32 else 0x7fffffff}ull;\n" if rng.random() < 0.6
        or w < 6 else f"s->{f} ^= v & 5;\n"
        for f, w in rng.sample(fields, len(fields)))
    shows = "".join(f'show ("{name}.{f}", (u64) (i64) s->{f});\n' for f, _ in fields)
    program.section(name + "_test", f"""\
struct {name} *s = &{name}_all[{rng.randrange(3)}];
u64 v = {rng.getrandbits(60)}ull;
for (int k = 0; k < 4; k++, v = v * 6364136223846793005ull + 1)
  {{
{indent(steps)}  }}
{shows}show ("size", sizeof *s);
""")


def unions(program):
    """One storage seen as integers, bytes, floats and a struct."""
    rng, name = program.rng, program.fresh("either")
    program.add(f"""
union {name}
{{
  u64 whole;
  u8 bytes[8];
  u16 halves[4];
  float single;
  double real;
  struct {{ u32 low; i16 middle; u8 : 4; u8 nibble : 4; }} parts;
}};
static u64 {name}_pass (union {name} u) {{ u.bytes[{rng.randrange(8)}] ^= {rng.randint(1, 255)}; return u.whole; }}
static union {name} {name}_static = {{ .parts = {{ {rng.getrandbits(31)}, -{rng.randint(1, 999)}, 0 }} }};
""")
    program.section(name + "_test", f"""\
union {name} u = {{ .whole = {rng.getrandbits(63)}ull }}, v = u;
u.halves[{rng.randrange(4)}] = {rng.getrandbits(16)};
show ("{name}", u.whole);
show ("{name}", (u32) u.parts.middle + u.parts.nibble);
u.parts.nibble = {rng.randrange(16)};
show ("{name}", {name}_pass (u));
u.real = {rng.randint(-99, 99)}.5;
v.single = {rng.randint(-99, 99)}.25f;
show ("{name}", u.whole);
show ("{name}", v.parts.low);
show ("{name}", {name}_static.bytes[{rng.randrange(4)}] + {name}_static.parts.low);
""")


def arrays(program):
    """Several dimensions, negative steps, whole rows through pointers, arrays of structs."""
    rng, name, t = program.rng, program.fresh("grid"), program.rng.choice(NARROW_TYPES)
    a, b, c = rng.randint(2, 4), rng.randint(2, 5), rng.randint(1, 4)
    program.add(f"static {t.name} {name}[{a}][{b}][{c}] = "
                f"{{ {{ {{ {program.constant(t)} }} }}, [1] = {{ [1] = {{ {program.constant(t)} }} }} }};\n"
                f"struct {name}_cell {{ u8 key; {t.name} row[{b}]; struct {{ i16 x, y; }} at; }};\n"
                f"static u64 {name}_sum ({t.name} rows[][{c}], int "
                f"n)\n{{\n  u64 s = 0;\n  for (int i = 0; i < n; i++)\n"
                f"    for (int j = {c} - 1; j >= 0; j--)\n      s = s * 7u + (u64) (i64) rows[i][j];\n  return "
                f"s;\n}}\n")
    program.section(name + "_test", f"""\
for (int i = 0; i < {a}; i++)
  for (int j = 0; j < {b}; j++)
    for (int k = 0; k < {c}; k++)
      {name}[i][j][k] += ({t.name}) (i * 17 + j * 5 - k);
{t.name} (*row)[{c}] = {name}[{rng.randrange(a)}];
show ("{name}", {name}_sum (row, {b}));
show ("{name}", {name}_sum (&{name}[0][0], {a * b}));
struct {name}_cell cells[4] = {{ [2] = {{ 9, {{ {program.constant(t)} }}, {{ 1, -2 }} }}, {{ .at = {{ .y = {rng.randint(-99, 99)} }} }} }};
cells[{rng.randrange(4)}] = cells[2];
cells[1].row[{rng.randrange(b)}]++;
for (struct {name}_cell *p = cells + 3; p >= cells; p--)
  show ("{name}", p->key + (u64) (i64) p->row[{rng.randrange(b)}] * 3u + (u32) p->at.x + (u32) p->at.y);
show ("{name}", (u64) (&cells[3].at - &cells[3].at) + sizeof cells + sizeof {name}[0]);
""")


def initialisers(program):
    """Addresses inside static data: members, elements, strings, functions, each other."""
    rng, name, n = program.rng, program.fresh("static"), program.rng.randint(3, 6)
    i, j = rng.randrange(n), rng.randrange(n)
    program.add(f"""
struct {name}_node {{ i32 value; struct {name}_node *next; const char *label; u16 *cell; int (*compare) (const char *, const char *); }};
static u16 {name}_cells[{n}] = {{ {", ".join(str(rng.randint(0, 999)) for _ in range(n))} }};
static struct {{ char pad[3]; struct {{ i64 deep[{n}]; }} in; }} {name}_nest = {{ "ab", {{ {{ {", ".join(str(rng.randint(-9, 9)) for _ in range(n))} }} }} }};
static struct {name}_node {name}_nodes[{n}];
static i64 *const {name}_deep = &{name}_nest.in.deep[{i}];
static char {name}_text[] = "{"".join(rng.choice("abcdef") for _ in range(6))}\\0tail";
static const char *{name}_words[] = {{ "{rng.choice(["one", "eins", "un"])}", {name}_text + {rng.randrange(4)}, "x\\ty\\x41" + 1, &{name}_text[{rng.randrange(3)}] }};
static struct {name}_node {name}_nodes[{n}] = {{
""" + "".join(f'  {{ {rng.randint(-99, 99)}, &{name}_nodes[{rng.randrange(n)}], {name}_text + {k}, &{name}_cells[{rng.randrange(n)}], strcmp }},\n' for k in range(n)) + f"""}};
static void *{name}_any[] = {{ &{name}_nodes[{j}].next, (char *) &{name}_cells[{j}] + 1, &{name}_any[1], 0 }};
""")
    program.section(name + "_test", f"""\
struct {name}_node *p = {name}_nodes;
for (int k = 0; k < 6; k++, p = p->next)
  {{
    show (p->label, (u32) p->value + *p->cell);
    p->value += (i32) (p - {name}_nodes);
    (*p->cell)++;
  }}
show ("{name}", (u64) *{name}_deep + (u64) ({name}_deep - {name}_nest.in.deep));
show ("{name}", (u64) (*(struct {name}_node **) {name}_any[0] - {name}_nodes));
show ("{name}", *((u8 *) {name}_any[1]) + ({name}_any[2] == (void *) ({name}_any + 1)) + !{name}_any[3]);
for (int k = 0; k < 4; k++)
  printf ("%s;%c ", {name}_words[k], {name}_words[k][1]);
show ("{name}", (u32) p->compare ({name}_words[1], {name}_words[3]) >> 31);
""")


def literals(program):
    """Compound literals (also static ones and of arrays), designators, string initialisers, enums, sizeof."""
    rng, name = program.rng, program.fresh("literal")
    n, first = rng.randint(3, 6), rng.randint(-5, 5)
    program.add(f"""
enum {name}_kind {{ {name}_A = {first}, {name}_B, {name}_C = {name}_B * 3 + {rng.randint(1, 9)}, {name}_D = -{rng.randint(1, 99)}, {name}_E }};
struct {name} {{ enum {name}_kind kind; int cells[{n}]; const char *text; }};
static struct {name} *{name}_global = &(struct {name}) {{ .text = "global", .cells = {{ [{rng.randrange(n)}] = {rng.randint(1, 99)} }} }};
static u32 {name}_fold (const struct {name} *s)
{{
  u32 h = (u32) s->kind;
  for (int k = 0; k < {n}; k++)
    h = h * 5u + (u32) s->cells[k];
  return h + (u32) strlen (s->text ? s->text : "none");
}}
""")
    program.section(name + "_test", f"""\
show ("{name}", {name}_fold ({name}_global));
for (int k = 0; k < 3; k++)
  show ("{name}", {name}_fold (&(struct {name}) {{ {name}_C, {{ k, {rng.randint(0, 9)}, [{n - 1}] = k * k }}, k & 1 ? "odd" : 0 }}));
int *p = (int[]) {{ {rng.randint(0, 99)}, {rng.randint(0, 99)}, {name}_D, {name}_E }};
show ("{name}", (u32) (p[0] * p[1] + p[2] - p[3]));
char a[] = "{"z" * rng.randint(1, 20)}", b[9] = "short", c[3] = "abc", d[] = {{ 'x', [5] = 'y' }};
show ("{name}", sizeof a + sizeof d + (u8) b[{rng.randint(0, 8)}] + (u8) c[2] + (u8) d[5]);
{name}_global->cells[0] += {rng.randint(1, 9)};
*{name}_global = (struct {name}) {{ .kind = {name}_B, .text = {name}_global->text, .cells = {{ {name}_global->cells[0] }} }};
show ("{name}", {name}_fold ({name}_global));
const wchar_t *wide = L"w\\u00e9";
show ("{name}", (u32) wide[1] + sizeof (struct {name}));
""")


def variable_length(program):
    """Variable-length arrays in loops (their space comes back), of two dimensions, as parameters; alloca."""
    rng, name = program.rng, program.fresh("variable")
    program.add(f"""
static u32
{name}_fold (int n, int m, const u16 cells[n][m])
{{
  u32 h = (u32) sizeof (u16[n][m]);
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++)
      h = h * 3u + cells[i][j];
  return h;
}}
""")
    program.section(name + "_test", f"""\
for (int n = 1; n < {rng.randint(3, 5)}; n++)
  {{
    u16 grid[n][n + {rng.randint(0, 3)}];
    i64 row[n * 2];
    for (size_t i = 0; i < sizeof grid / sizeof **grid; i++)
      (&grid[0][0])[i] = (u16) (i * {rng.randint(1, 99)}u + (u32) n);
    memset (row, {rng.randint(0, 255)}, sizeof row);
    row[n] ^= n;
    show ("{name}", {name}_fold (n, (int) (sizeof grid[0] / sizeof (u16)), grid));
    show ("{name}", (u64) (row[0] + row[n] % 1000));
    char *more = __builtin_alloca ((size_t) n + 3);
    strcpy (more, "ab");
    show ("{name}", strlen (more) + sizeof row);
    if (n == {rng.randint(1, 4)})
      continue;
    mix (grid[0][0]);
  }}
""")


def storage_classes(program):
    """Static locals, thread-locals (also static and initialised with an address), registers, volatile, const."""
    rng, name = program.rng, program.fresh("storage")
    program.add(f"""
static _Thread_local u32 {name}_local = {rng.randint(1, 99)};
__thread struct {{ i16 a[3]; u32 *at; }} {name}_record = {{ {{ 1, -{rng.randint(1, 9)}, 3 }}, 0 }};
static volatile int {name}_volatile = {rng.randint(0, 9)};
static u32
{name}_next (int step)
{{
  static u32 calls, total = {rng.randint(0, 99)};
  static u8 ring[4] = {{ 1, 2, 3 }};
  static u32 *last = &total;
  register u32 r = ring[calls++ & 3];
  ring[calls & 3] += (u8) step;
  *last += r;
  return total + calls + (*last == total);
}}
static u32 {name}_other (void) {{ static u32 calls = 1; return calls *= 3; }}
""")
    program.section(name + "_test", f"""\
for (int k = 0; k < {rng.randint(3, 7)}; k++)
  {{
    {name}_record.at = &{name}_local;
    *{name}_record.at += {name}_next (k) + {name}_other ();
    {name}_record.a[k % 3] ^= (i16) {name}_local;
    {name}_volatile++;
    {name}_volatile ^= {name}_volatile << 1 & 0xff;
  }}
show ("{name}", {name}_local + (u32) {name}_record.a[{rng.randrange(3)}] + (u32) {name}_volatile);
""")


def flexible(program):
    """A flexible array member, anonymous members, a struct that contains a union that contains a struct."""
    rng, name, n = program.rng, program.fresh("flexible"), program.rng.randint(1, 9)
    program.add(f"""
struct {name}
{{
  u8 kind;
  union {{ struct {{ i32 x, y; }}; double real; struct {{ char text[8]; }} named; }};
  int count;
  u16 items[];
}};
""")
    program.section(name + "_test", f"""\
struct {name} *f = calloc (1, sizeof *f + {n} * sizeof f->items[0]);
f->count = {n};
f->x = {rng.randint(-99, 99)};
f->y = -f->x * 3;
for (int k = 0; k < f->count; k++)
  f->items[k] = (u16) (k * {rng.randint(1, 9999)});
struct {name} head = *f;
strcpy (f->named.text, "{rng.choice(["abc", "text", "longer!"])}");
show ("{name}", (u32) (head.x + head.y * 7) + f->items[{n - 1}] + (u32) f->x);
show ("{name}", offsetof (struct {name}, items) + sizeof head);
free (f);
""")


SECTIONS = [struct_passing, struct_passing, struct_passing, bit_fields, unions, arrays, initialisers, literals,
            variable_length,
            storage_classes, flexible]
