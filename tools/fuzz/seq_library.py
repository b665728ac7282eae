"""Sections about the library: string.h, block moves of every size, the malloc family, qsort, formatted output."""
from fuzz.seq_text import NARROW_TYPES


def word(rng, low, high, letters="abcxyz"):
    return "".join(rng.choice(letters) for _ in range(rng.randint(low, high)))


def strings(program):
    """What string.h says about a few words, results printed as lengths, signs and offsets."""
    rng, name = program.rng, program.fresh("strings")
    body = f'char a[64] = "{word(rng, 3, 12)}", b[64] = "{word(rng, 3, 12)}", c[64] = "";\n'
    forms = [
        lambda x, y: f'show ("strlen", strlen ({x}) * 100u + strnlen ({y}, 5));',
        lambda x, y: f'show ("strcmp", (u64) (strcmp ({x}, {y}) < 0) + 2u * (u64) (strcmp ({x}, {y}) == 0));',
        lambda x, y: f'show ("strncmp", (u64) (strncmp ({x}, {y}, {rng.randint(0, 6)}) > 0));',
        lambda x, y: f"if ({x} != c) strcpy (c, {x});",
        lambda x, y: f"if ({x} != c) strncpy (c, {x}, {rng.randint(0, 40)});",
        lambda x, y: f"if (strlen ({x}) + strlen ({y}) < 60 && {x} != {y}) strcat ({x}, {y});",
        lambda x, y: f"if (strlen (c) < 40 && {x} != c) strncat (c, {x}, {rng.randint(0, 9)});",
        lambda x, y: f'{{ char *p = strchr ({x}, \'{rng.choice("abcxyz")}\'); show ("strchr", p ? (u64) (p - {x}) : 99); }}',
        lambda x, y: f'{{ char *p = strrchr ({x}, \'{rng.choice("abcxyz")}\'); show ("strrchr", p ? (u64) (p - {x}) : 99); }}',
        lambda x, y: f'{{ char *p = strstr ({x}, "{word(rng, 0, 2)}"); show ("strstr", p ? (u64) (p - {x}) : 99); }}',
        lambda x, y: f'show ("memcmp", (u64) (memcmp ({x}, {y}, {rng.randint(0, 9)}) < 0));',
        lambda x, y: f'{{ void *p = memchr ({x}, {rng.choice([0, 97, 120])}, 20); show ("memchr", p ? (u64) ((char *) p - {x}) : 99); }}',
        lambda x, y: f'show ("strspn", strspn ({x}, "abc") * 10u + strcspn ({x}, "xy"));',
        lambda x, y: f'{{ char *p = strdup ({x}); if (p[0]) p[0]++; printf ("%s ", p); free (p); }}',
        lambda x, y: f'printf ("[%s|%s|%.3s|%10s|%-6s]\\n", {x}, {y}, {x}, {y}, {x});',
    ]
    for _ in range(rng.randint(6, 12)):
        body += rng.choice(forms)(rng.choice("abc"), rng.choice("abc")) + "\n"
    program.section(name, body + f'c[63] = 0;\nshow ("{name}", strlen (a) + strlen (b) * 3u + (u8) c[2]);\n')


def block_moves(program):
    """memcpy, memmove (overlapping both ways) and memset of constant and computed sizes, of structs with pointers
    inside."""
    rng, name = program.rng, program.fresh("blocks")
    body, size = "", rng.randint(24, 90)
    for _ in range(rng.randint(3, 6)):
        n = rng.randint(0, size // 2)
        a, b = rng.randint(0, size - n), rng.randint(0, size - n)
        kind = rng.choice(["memmove", "memset", "memcpy", "variable"])
        if kind == "memmove":
            body += f"memmove (bytes + {a}, bytes + {b}, {n});\n"
        elif kind == "memset":
            body += f"memset (bytes + {a}, {rng.randint(0, 255)}, {n});\n"
        elif kind == "memcpy":
            body += f"memcpy (copy + {a}, bytes + {b}, {n});\nmemcpy (bytes, copy, {rng.randint(1, size)});\n"
        else:
            body += (f"n = bytes[{rng.randrange(size)}] % {size // 2 + 1};\nmemmove (bytes + {size // 2 - size // 4}, "
                     f"bytes + {size - size // 2 - 1}, n / 2);\nmemset (copy, (int) n, n);\n")
    program.add(f"struct {name} {{ u8 kind; const char *text; u32 cells[{rng.randint(1, 9)}]; struct {name} *self; }};")
    program.section(name + "_test", f"""\
u8 bytes[{size}], copy[{size}] = {{ 0 }};
size_t n = 0;
for (size_t k = 0; k < sizeof bytes; k++)
  bytes[k] = (u8) (k * {rng.randrange(1, 255, 2)}u);
{body}u32 h = 0;
for (size_t k = 0; k < sizeof bytes; k++)
  h = h * 31u + bytes[k] + copy[k];
show ("{name}", h + n);
struct {name} s = {{ 1, "{word(rng, 2, 9)}", {{ {rng.randint(1, 99)} }}, &s }}, *heap = malloc (2 * sizeof s);
memcpy (&heap[1], &s, sizeof s);
heap[0] = heap[1].self[0];
heap[0].cells[0]++;
show (heap[0].text, heap[0].self->cells[0] + heap[0].cells[0] + (memcmp (heap[1].cells, s.cells, sizeof s.cells) == 0));
free (heap);
""")


def allocation(program):
    """malloc, calloc (zeros), realloc (keeps what fits), free of null; blocks that live across calls."""
    rng, name, t = program.rng, program.fresh("blocks"), program.rng.choice(NARROW_TYPES)
    n = rng.randint(2, 8)
    program.add(f"static {t.name} *{name}_kept[3];\nstatic void {name}_keep (int k, {t.name} *p) "
                f"{{ free ({name}_kept[k]); {name}_kept[k] = p; }}\n")
    program.section(name + "_test", f"""\
for (int k = 0; k < {rng.randint(3, 6)}; k++)
  {{
    {t.name} *p = k & 1 ? calloc ({n}, sizeof *p) : malloc ({n} * sizeof *p);
    if (!(k & 1))
      for (int i = 0; i < {n}; i++)
        p[i] = ({t.name}) (i * {rng.randint(1, 99)} + k);
    p = realloc (p, {rng.randint(n, 2 * n)} * sizeof *p);
    p[{n - 1}] += 1;
    mix ((u64) (i64) p[0] + (u64) (i64) p[{n - 1}]);
    {name}_keep (k % 3, p);
  }}
free (NULL);
show ("{name}", (u64) (i64) {name}_kept[0][{rng.randrange(n)}]);
for (int k = 0; k < 3; k++)
  {name}_keep (k, NULL);
char *c = realloc (NULL, {rng.randint(1, 9)});
c[0] = 'x';
show ("{name}", (u8) *c);
free (c);
""")


def sorting(program):
    """qsort and bsearch with comparison functions of the program; keys are distinct, so any correct sort agrees."""
    rng, name, n = program.rng, program.fresh("sort"), program.rng.randint(4, 9)
    keys = rng.sample(range(-60, 60), n)
    program.add(f"""
struct {name} {{ i16 key; u8 pad[{rng.randint(1, 9)}]; }};
static int {name}_calls;
static int
{name}_compare (const void *a, const void *b)
{{
  const struct {name} *x = a, *y = b;
  {name}_calls = 1;
  return {rng.choice(["", "-"])}((x->key > y->key) - (x->key < y->key));
}}
""")
    program.section(name + "_test", f"""\
struct {name} cells[{n}] = {{ {", ".join(f"{{ {k}, {{ {abs(k)} }} }}" for k in keys)} }};
qsort (cells, {n}, sizeof *cells, {name}_compare);
for (int k = 0; k < {n}; k++)
  printf ("%d:%u ", cells[k].key, cells[k].pad[0]);
struct {name} wanted = {{ {rng.choice(keys)}, {{ 0 }} }}, *found = bsearch (&wanted, cells, {n}, sizeof *cells, {name}_compare);
show ("{name}", found ? (u64) (found - cells) : 99);
show ("{name}", (u64) {name}_calls);
""")


def output(program):
    """Every conversion of printf with flags, widths and precisions; puts, putchar, fputs, fprintf."""
    rng, name = program.rng, program.fresh("print")
    specs = [
        ("%d", "(int) x"), ("%5d|", "(int) x"), ("%-5d|", "(int) x"), ("%05d", "(int) (x & 255)"), ("%+d", "(int) x"),
        ("% i", "(int) x"), ("%u", "(u32) x"),
        ("%x", "(u32) x"), ("%#X", "(u32) x"), ("%o", "(u32) x"), ("%hhd", "(i8) x"), ("%hu", "(u16) x"),
        ("%ld", "(long) x"), ("%lld", "(long long) x"),
        ("%llu", "(unsigned long long) x"), ("%lx", "(unsigned long) x"), ("%zu", "sizeof x"),
        ("%c", "'a' + (int) (x & 15)"), ("%s", '"text"'), ("%8s|", '"right"'),
        ("%-8s|", '"left"'), ("%.2s", '"cut"'), ("%*d", "7, (int) (x & 255)"), ("%.*s", '(int) (x & 3), "abcdef"'),
        ("%f", "y"), ("%.2f", "y"), ("%10.3e|", "y"), ("%g", "y"),
        ("%G", "y * 1e20"), ("%a", "0.5"), ("%.1Lf", "(long double) y"), ("%%", None), ("%td", "(ptrdiff_t) 3"),
        ("%jd", "(intmax_t) x"), ("%.3d", "(int) (x & 7)"),
    ]
    body = f"i64 x = {rng.randint(-10**12, 10**12)};\ndouble y = {rng.randint(-999, 999)}.{rng.randint(0, 99)};\n"
    for _ in range(rng.randint(2, 4)):
        chosen = rng.sample(specs, rng.randint(2, 7))
        arguments = "".join(", " + a for _, a in chosen if a)
        call = rng.choice(["printf (", "printf (", "fprintf (stdout, "])
        body += f'{call}"{" ".join(s for s, _ in chosen)}\\n"{arguments});\nx = x / {rng.randint(2, 999)} - 7;\n'
    body += rng.choice(['puts ("a line");\n', "putchar ('0' + (int) (x & 7));\nputchar ('\\n');\n",
                        'fputs ("put\\n", stdout);\n', 'printf ("plain\\n");\n',
                        'fprintf (stderr, "to standard error\\n");\n'])
    program.section(name, body)


def formatted_buffers(program):
    """snprintf, sprintf and vsnprintf into arrays: what was written and how long it would have been."""
    rng, name = program.rng, program.fresh("format")
    n = rng.randint(4, 30)
    reals = [f"{rng.randint(-99999, 99999)}e{rng.randint(-12, 12)}",
             f"{rng.randint(-999, 999)} / {rng.choice(['8.0', '3.0', '1e5', '0.7'])}", "0.0", "1e300",
             f"{rng.randint(0, 99)}.5"]
    specs = "".join(f"%{rng.choice(['', '-', '0', '+', ' '])}{rng.choice(['', '9', '14'])}{rng.choice(['', '.0', '.1', '.3', '.9'])}{c}|"
                    for c in rng.sample(["f", "e", "g", "E", "G", "a"], 3))
    program.add(f"""
static int
{name}_write (char *text, size_t size, const char *format, ...)
{{
  va_list list;
  va_start (list, format);
  int length = vsnprintf (text, size, format, list);
  va_end (list);
  return length;
}}
""")
    program.section(name + "_test", f"""\
char text[64], long_text[1200];
int length = snprintf (text, {n}, "%d-%s-%c", {rng.randint(-9999, 9999)}, "{word(rng, 2, 9)}", 'q');
show (text, (u64) length);
length = sprintf (text, "%04x|%-6s|%%", {rng.randint(0, 99999)}u, "{word(rng, 1, 9)}");
show (text, (u64) length + strlen (text));
length = {name}_write (long_text, sizeof long_text, "{specs}", {", ".join(rng.choice(reals) for _ in range(3))});
show (long_text, (u64) length);
length = {name}_write (long_text, {n}, "%.{rng.randint(0, 6)}L{rng.choice("feg")} %d", (long double) ({rng.choice(reals)}) / 3, {n});
show (long_text, (u64) length);
""")


def small_calls(program):
    """abs, labs, atoi, strtol, the ctype functions' usual replacements, nested calls as arguments."""
    rng, name = program.rng, program.fresh("calls")
    program.add(f"""
static inline int {name}_digit (char c) {{ return c >= '0' && c <= '9'; }}
static int {name}_max (int a, int b) {{ return a > b ? a : b; }}
static int
{name}_number (const char *text)
{{
  int n = 0, sign = *text == '-' ? text++, -1 : 1;
  while ({name}_digit (*text))
    n = n * 10 + *text++ - '0';
  return sign * n;
}}
""")
    a, b = rng.randint(-99999, 99999), rng.randint(-999, 999)
    program.section(name + "_test", f"""\
int a = {name}_number ("{a}"), b = {name}_number ("{b}tail");
show ("{name}", (u32) {name}_max ({name}_max (a, b), {name}_max (-b, {name}_max (a / 2, {rng.randint(-9, 9)}))));
show ("{name}", (u64) abs (a) + (u64) labs ((long) b * 3) + (u64) llabs (b));
show ("{name}", (u32) (a ? b ? a % (abs (b) + 1) : 1 : 2));

if (a != {a} || b != {b})
  abort ();
""")


SECTIONS = [strings, strings, block_moves, block_moves, allocation, sorting, output, output, formatted_buffers,
            small_calls]
