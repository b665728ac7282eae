"""The frame of a sequential test program: preamble, sections, main; and the integer types sections draw from.

A section adds definitions with `add` and a statement of main with `run`.  Results go through `show` in
the C program, which prints them and folds them into a checksum, so a wrong value early is seen at its own
line and a wrong value that is only used is seen at the end.
"""
import random
import textwrap
from collections import namedtuple

IntType = namedtuple("IntType", "name bits signed")

INT_TYPES = [IntType(f"{sign}{bits}", bits, sign == "i") for bits in (8, 16, 32, 64, 128) for sign in "iu"]
BY_NAME = {t.name: t for t in INT_TYPES}
NARROW_TYPES = [t for t in INT_TYPES if t.bits <= 64]
U32, I32, U64, I64 = BY_NAME["u32"], BY_NAME["i32"], BY_NAME["u64"], BY_NAME["i64"]


def unsigned(t):
    return BY_NAME[f"u{t.bits}"]


def wide_unsigned(t):
    """The unsigned type to compute in: at least 32 bits, because narrower ones are promoted to signed int."""
    return BY_NAME[f"u{max(t.bits, 32)}"]


PREAMBLE = """\
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int8_t i8; typedef int16_t i16; typedef int32_t i32; typedef int64_t i64; typedef __int128 i128;
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64; typedef unsigned __int128 u128;

static u64 checksum = 14695981039346656037u;

static void
mix (u64 value)
{
  checksum = (checksum ^ value) * 1099511628211u;
  checksum ^= checksum >> 29;
}

static void
show (const char *what, u128 value)
{
  mix ((u64) value);
  mix ((u64) (value >> 64));
  if (value >> 64)
    printf ("%s = %llx:%016llx\\n", what, (unsigned long long) (value >> 64), (unsigned long long) value);
  else
    printf ("%s = %llx\\n", what, (unsigned long long) value);
}

static void
show_double (const char *what, double value)
{
  u64 bits;
  memcpy (&bits, &value, sizeof bits);
  if (value != value)
    bits = 1;
  mix (bits);
  printf ("%s = %.10g\\n", what, value != value ? 0.0 : value);
}
"""


class SequentialProgram:
    def __init__(self, seed):
        self.seed = seed
        self.rng = random.Random(seed)
        self.parts = []
        self.body = []
        self.names = 0
        self.functions = []  # pure functions the random statements may call: (name, result type, parameter types, cost)

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}_{self.names}"

    def add(self, text):
        self.parts.append(textwrap.dedent(text).strip("\n") + "\n")

    def run(self, statement):
        self.body.append(statement)

    def section(self, name, body, result="void", parameters="void"):
        """A function called once from main."""
        self.add(f"static {result}\n{name} ({parameters})\n{{\n" + indent(body) + "}\n")
        self.run(f"{name} ();")

    def number(self, t):
        """A literal of type `t`; mostly small, sometimes at the limits, sometimes any bits."""
        rng, top = self.rng, (1 << t.bits) - 1
        kind = rng.random()
        if kind < 0.45:
            bits = rng.randint(0, 20)
        elif kind < 0.65:
            bits = rng.choice([top, top >> 1, (top >> 1) + 1, top - 1, 1 << rng.randrange(t.bits)])
        else:
            bits = rng.getrandbits(t.bits)
        if t.bits == 128:
            return f"({t.name}) ((u128) {bits >> 64:#x}u << 64 | {bits & (1 << 64) - 1:#x}u)"
        suffix = "u" if t.bits < 64 else "ull"
        return f"({t.name}) {bits:#x}{suffix}" if bits > 20 else f"({t.name}) {bits}"

    def constant(self, t):
        """As a decimal where the type's own value is wanted, for initialisers and case labels."""
        low = -(1 << (t.bits - 1)) if t.signed else 0
        high = (1 << (t.bits - 1)) - 1 if t.signed else (1 << t.bits) - 1
        value = self.rng.choice([self.rng.randint(-9, 9), self.rng.randint(low, high)])
        value = max(low, min(high, value))
        if value == -(1 << 63):
            value += 1
        if value < 0:
            return f"({value}{'ll' if t.bits == 64 else ''})"
        return f"{value}{'ull' if t.bits == 64 and not t.signed else 'll' if t.bits == 64 else ''}"

    def text(self):
        finish = "exit ((int) (checksum & 63));" if self.rng.random() < 0.3 else "return (int) (checksum & 63);"
        lines = self.body + ['printf ("checksum %016llx\\n", (unsigned long long) checksum);', finish]
        return (f"// seqfuzz {self.seed}\n" + PREAMBLE + "\n" + "\n".join(self.parts)
                + "\nint\nmain (void)\n{\n" + indent("\n".join(lines)) + "}\n")


def indent(text):
    return textwrap.indent(textwrap.dedent(text).strip("\n"), "  ") + "\n"
