"""Sections about pointers: arithmetic, round trips through integers, lists and trees on the heap."""
from fuzz.seq_text import NARROW_TYPES


def round_trips(program):
    """A pointer survives being an integer, a byte string, a tagged word, a difference."""
    rng, name, t = program.rng, program.fresh("trip"), program.rng.choice(NARROW_TYPES)
    program.section(name, f"""\
static {t.name} cells[8] = {{ {", ".join(program.constant(t) for _ in range(8))} }};
uintptr_t n = (uintptr_t) &cells[{rng.randrange(4)}];
{t.name} *p = ({t.name} *) (n + {rng.randint(0, 3)} * sizeof *p), *q;
unsigned char image[sizeof p];
memcpy (image, &p, sizeof p);
for (size_t k = 0; k < sizeof p; k++)
  ((unsigned char *) &q)[k] = image[k];
show ("{name}", (u64) (i64) *q + (u64) (p == q) + (u64) (p - cells));
u64 local[2] = {{ {rng.getrandbits(40)}ull, 7 }};
uintptr_t tagged = (uintptr_t) &local[1] | {rng.randint(1, 7)};
show ("{name}", *(u64 *) (tagged & ~(uintptr_t) 7) + (tagged & 7));
intptr_t mask = (intptr_t) &local[0] ^ (intptr_t) &cells[{rng.randrange(8)}];
show ("{name}", *(u64 *) ((intptr_t) &cells[{rng.randrange(8)}] * 0 + ((intptr_t) &local[0] ^ mask ^ mask)));
u32 low = (u32) n, high = (u32) (n >> 32);
show ("{name}", (u64) (i64) *({t.name} *) ((uintptr_t) high << 32 | low));
void *null = 0;
show ("{name}", (null == (void *) 0) + !null * 2u + (p != null) * 4u + ((uintptr_t) null == 0) * 8u);
""")


def arithmetic(program):
    """Steps in both directions, differences and comparisons, one past the end, negative indices, pointers to
    pointers."""
    rng, name, t = program.rng, program.fresh("walk"), program.rng.choice(NARROW_TYPES)
    n = rng.randint(5, 12)
    program.section(name, f"""\
{t.name} cells[{n}], *p = cells, *end = cells + {n}, **pp = &p;
for (int k = 0; p < end; k += {rng.randint(1, 9)})
  *p++ = ({t.name}) (k * {rng.randint(1, 99)});
show ("{name}", (u64) (end - cells) + (u64) (p == end));
for (p = end; p-- > cells;)
  if ((p - cells) % {rng.randint(2, 4)} == 0)
    *p ^= p[(cells - p) / 2];
p = &cells[{n // 2}];
**pp += p[-1];
*pp += 1;
show ("{name}", (u64) (i64) (*p - p[-{rng.randint(1, n // 2)}]) + (u64) ((char *) p - (char *) cells));
u8 *byte = (u8 *) cells;
u32 h = 0;
for (size_t k = 0; k < sizeof cells; k++)
  h = h * 3u + byte[k];
show ("{name}", h);
u32 pair[2][3] = {{ {{ 1, 2, 3 }}, {{ {rng.randint(4, 99)} }} }};
u32 (*row)[3] = pair;
show ("{name}", (*(row + 1))[0] + *(*row + 2) + row[1][{rng.randrange(3)}] + 1[pair][0]);
""")


def containers(program):
    """From a member back to its struct; an intrusive list sorted by relinking."""
    rng, name, n = program.rng, program.fresh("item"), program.rng.randint(4, 8)
    program.add(f"""
struct {name}_link {{ struct {name}_link *next, **before; }};
struct {name} {{ {rng.choice(["u8", "i16", "u64"])} pad; i32 key; struct {name}_link link; }};
#define {name}_OF(l) ((struct {name} *) ((char *) (l) - offsetof (struct {name}, link)))
""")
    program.section(name + "_test", f"""\
static struct {name} items[{n}];
struct {name}_link *head = 0;
static const i32 keys[] = {{ {", ".join(str(rng.randint(-50, 50)) for _ in range(n))} }};
for (int k = 0; k < {n}; k++)
  {{
    struct {name}_link **at = &head;
    items[k].key = keys[k];
    while (*at && {name}_OF (*at)->key {rng.choice(["<", ">", "<="])} keys[k])
      at = &(*at)->next;
    items[k].link = (struct {name}_link) {{ *at, at }};
    if (*at)
      (*at)->before = &items[k].link.next;
    *at = &items[k].link;
  }}
struct {name}_link *gone = &items[{rng.randrange(n)}].link;
*gone->before = gone->next;
if (gone->next)
  gone->next->before = gone->before;
for (struct {name}_link *l = head; l; l = l->next)
  printf ("%d ", {name}_OF (l)->key), mix ((u64) ({name}_OF (l) - items));
show ("{name}", head != 0);
""")


def heap_tree(program):
    """A binary search tree by malloc, deletion by recursion; an array that grows by realloc."""
    rng, name, n = program.rng, program.fresh("tree"), program.rng.randint(5, 12)
    program.add(f"""
struct {name} {{ struct {name} *child[2]; i32 key; u8 count; }};
static struct {name} *
{name}_add (struct {name} *t, i32 key)
{{
  if (!t)
    {{
      t = malloc (sizeof *t);
      *t = (struct {name}) {{ .key = key, .count = 1 }};
    }}
  else if (t->key == key)
    t->count++;
  else
    t->child[key > t->key] = {name}_add (t->child[key > t->key], key);
  return t;
}}
static u32
{name}_drop (struct {name} *t, u32 depth)
{{
  if (!t)
    return 0;
  u32 left = {name}_drop (t->child[0], depth + 1);
  printf ("%d*%u ", t->key, t->count);
  u32 sum = left * 3u + (u32) t->key + depth + {name}_drop (t->child[1], depth + 1) * 5u;
  free (t);
  return sum;
}}
""")
    program.section(name + "_test", f"""\
struct {name} *root = NULL;
u32 x = {rng.randint(1, 9999)};
i32 *seen = NULL;
size_t used = 0, room = 0;
for (int k = 0; k < {n}; k++, x = x * 1103515245u + 12345u)
  {{
    if (used == room)
      seen = realloc (seen, (room = room * 2 + 1) * sizeof *seen);
    seen[used++] = (i32) (x >> 16) % {rng.randint(5, 60)} - 9;
    root = {name}_add (root, seen[used - 1]);
  }}
show ("{name}", {name}_drop (root, 0));
u32 h = 0;
while (used)
  h = h * 7u + (u32) seen[--used];
free (seen);
show ("{name}", h);
""")


SECTIONS = [round_trips, arithmetic, containers, heap_tree]
