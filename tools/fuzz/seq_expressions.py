"""Random integer expressions without undefined behaviour.

Arithmetic happens in an unsigned type of at least 32 bits and is converted back; divisions and shifts are
guarded in the expression itself.  Operands have no side effects, so the order of evaluation does not show.
"""
from fuzz.seq_text import INT_TYPES, U32, wide_unsigned


class Expressions:
    """`variables` are (text, type) pairs that may be read."""

    def __init__(self, program, variables):
        self.program, self.rng, self.variables = program, program.rng, variables

    def make(self, t, depth):
        """An expression of type `t`."""
        if depth <= 0:
            return self.leaf(t)
        forms = [self.arithmetic, self.arithmetic, self.bitwise, self.shift, self.division, self.comparison,
                 self.conditional, self.conversion, self.unary, self.logical, self.builtin, self.comma]
        return self.rng.choice(forms)(t, depth - 1)

    def leaf(self, t):
        if self.variables and self.rng.random() < 0.75:
            name, own = self.rng.choice(self.variables)
            return name if own == t else f"({t.name}) {name}"
        return self.program.number(t)

    def arithmetic(self, t, depth):
        w = wide_unsigned(t).name
        a, b = self.make(t, depth), self.make(t, depth)
        return f"({t.name}) (({w}) ({a}) {self.rng.choice('+-*')} ({w}) ({b}))"

    def bitwise(self, t, depth):
        return f"({t.name}) (({self.make(t, depth)}) {self.rng.choice('&|^')} ({self.make(t, depth)}))"

    def shift(self, t, depth):
        value, amount = self.make(t, depth), f"(({self.make(U32, depth)}) & {t.bits - 1})"
        if self.rng.random() < 0.5:
            return f"({t.name}) (({wide_unsigned(t).name}) ({value}) << {amount})"
        return f"({t.name}) (({value}) >> {amount})"

    def division(self, t, depth):
        """The divisor is made positive and not 0, so neither x / 0 nor MIN / -1 occurs."""
        a, b, op = self.make(t, depth), self.make(t, depth), self.rng.choice("/%")
        return f"({t.name}) (({a}) {op} ((({b}) & {(1 << min(t.bits - 2, 40)) - 1}) + 1))"

    def comparison(self, t, depth):
        of = self.rng.choice(INT_TYPES)
        op = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({t.name}) (({self.make(of, depth)}) {op} ({self.make(of, depth)}))"

    def conditional(self, t, depth):
        of = self.rng.choice(INT_TYPES)
        return f"(({self.make(of, depth)}) ? {self.make(t, depth)} : {self.make(t, depth)})"

    def conversion(self, t, depth):
        through = self.rng.choice(INT_TYPES)
        if self.rng.random() < 0.15:
            real = self.rng.choice(["float", "double", "long double"])
            return f"({t.name}) (u8) ({real}) (({self.make(U32, depth)}) & 127)"
        return f"({t.name}) ({through.name}) ({self.make(through, depth)})"

    def unary(self, t, depth):
        op = self.rng.choice(["~", "!", "-"])
        return f"({t.name}) {op}({wide_unsigned(t).name}) ({self.make(t, depth)})"

    def logical(self, t, depth):
        a, b = self.rng.choice(INT_TYPES), self.rng.choice(INT_TYPES)
        op = self.rng.choice(["&&", "||"])
        return f"({t.name}) (({self.make(a, depth)}) {op} ({self.make(b, depth)}))"

    def builtin(self, t, depth):
        form = self.rng.choice(["popcount", "clz", "ctz", "parity", "bswap32", "bswap16", "ffs", "abs"])
        arg = self.make(U32, depth)
        if form in ("clz", "ctz"):
            arg = f"({arg}) | 1u"
        if form == "abs":
            return f"({t.name}) abs ((int) (({arg}) & 0x7fffffff))"
        return f"({t.name}) __builtin_{form} ({arg})"

    def comma(self, t, depth):
        return f"((void) ({self.make(U32, depth)}), {self.make(t, depth)})"
