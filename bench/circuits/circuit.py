"""A small builder of sequential circuits, written as binary AIGER 1.0: inputs, latches that start at 0, one output
that is the bad state."""


class Circuit:
    """Literals are 2 * node + sign; 0 is false, 1 true."""

    def __init__(self):
        self.kinds = [None]      # by node: None, "input", "latch" or the two operands
        self.nexts = {}          # by literal of a latch
        self.known = {}          # operands -> literal

    def input(self):
        self.kinds.append("input")
        return 2 * (len(self.kinds) - 1)

    def inputs(self, count):
        return [self.input() for _ in range(count)]

    def latch(self):
        self.kinds.append("latch")
        return 2 * (len(self.kinds) - 1)

    def latches(self, count):
        return [self.latch() for _ in range(count)]

    def set_next(self, latch, value):
        self.nexts[latch] = value

    def set_word(self, latches, values):
        for latch, value in zip(latches, values):
            self.set_next(latch, value)

    def both(self, a, b):
        a, b = min(a, b), max(a, b)
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        if (a, b) not in self.known:
            self.kinds.append((a, b))
            self.known[a, b] = 2 * (len(self.kinds) - 1)
        return self.known[a, b]

    def either(self, a, b):
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a, b):
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def choose(self, condition, a, b):
        return self.either(self.both(condition, a), self.both(condition ^ 1, b))

    def all_of(self, literals):
        result = 1
        for x in literals:
            result = self.both(result, x)
        return result

    def one_of(self, literals):
        return self.all_of([x ^ 1 for x in literals]) ^ 1

    def two_of(self, literals):
        seen, twice = 0, 0
        for x in literals:
            twice = self.either(twice, self.both(seen, x))
            seen = self.either(seen, x)
        return twice

    # Words: literals, the lowest bit first.
    def number(self, value, width):
        return [value >> k & 1 for k in range(width)]

    def words_differ(self, a, b):
        return self.one_of([self.differ(x, y) for x, y in zip(a, b)])

    def equals(self, word, value):
        return self.words_differ(word, self.number(value, len(word))) ^ 1

    def add(self, a, b, carry=0):
        result = []
        for x, y in zip(a, b):
            odd = self.differ(x, y)
            result.append(self.differ(odd, carry))
            carry = self.either(self.both(x, y), self.both(odd, carry))
        return result

    def increment(self, word):
        return self.add(word, self.number(0, len(word)), 1)

    def subtract(self, a, b):
        return self.add(a, [x ^ 1 for x in b], 1)

    def choose_word(self, condition, a, b):
        return [self.choose(condition, x, y) for x, y in zip(a, b)]

    def select(self, index, words):
        """words[index], for as many words as the index can name."""
        for bit in index:
            words = [self.choose_word(bit, odd, even) for even, odd in zip(words[::2], words[1::2])]
        return words[0]

    def aiger(self, bad):
        order = [i for i, kind in enumerate(self.kinds) if kind == "input"] + [i for i,
            kind in enumerate(self.kinds) if kind == "latch"]
        order += [i for i, kind in enumerate(self.kinds) if isinstance(kind, tuple)]
        place = {0: 0, **{node: k + 1 for k, node in enumerate(order)}}
        new = lambda x: 2 * place[x // 2] + x % 2
        latches = [2 * i for i, kind in enumerate(self.kinds) if kind == "latch"]
        ands = [i for i, kind in enumerate(self.kinds) if isinstance(kind, tuple)]
        text = [f"aig {len(order)} {len(order) - len(latches) - len(ands)} {len(latches)} 1 {len(ands)}"]
        text += [str(new(self.nexts[x])) for x in latches] + [str(new(bad))]
        gates = bytearray()
        for i in ands:
            right, left = sorted(map(new, self.kinds[i]))
            gates += delta(new(2 * i) - left) + delta(left - right)
        return "\n".join(text).encode() + b"\n" + bytes(gates)


def delta(x):
    result = bytearray()
    while x > 127:
        result.append(x % 128 + 128)
        x //= 128
    result.append(x)
    return result
