"""Functions of random statements over locals, globals, an array, a struct and a pointer into them.

Every loop counts to a small constant of its own, and a call is made only while the product of the loops
around it stays affordable, so all programs end soon.
"""
from fuzz.seq_expressions import Expressions
from fuzz.seq_text import INT_TYPES, U32, indent

BUDGET = 1500  # statements one function may execute, roughly


class StatementWriter:
    def __init__(self, program, variables, places, pointer, of):
        self.program, self.rng = program, program.rng
        self.expressions = Expressions(program, variables)
        self.variables, self.places = variables, places  # readable; assignable (text, type)
        self.pointer, self.pointer_type = pointer, of
        self.targets = [text for text, t in places if t == of]
        self.cost, self.factor, self.loops = 0, 1, 0

    def block(self, depth, length):
        return "".join(self.statement(depth) for _ in range(length))

    def statement(self, depth):
        self.cost += self.factor
        simple = [self.assignment, self.assignment, self.compound, self.indexed, self.through_pointer, self.call]
        nested = [self.branch, self.counted, self.while_loop, self.do_loop, self.switch, self.forward_goto]
        if self.loops:
            simple.append(self.leave)
        form = self.rng.choice(simple + nested if depth > 0 else simple)
        return form(depth - 1)

    def value(self, t):
        return self.expressions.make(t, self.rng.randint(1, 3))

    def assignment(self, depth):
        text, t = self.rng.choice(self.places)
        return f"{text} = {self.value(t)};\n"

    def compound(self, depth):
        text, t = self.rng.choice([p for p in self.places if not p[1].signed and p[1].bits >= 32])
        if self.rng.random() < 0.3:
            return self.rng.choice([f"{text}++;\n", f"--{text};\n"])
        return f"{text} {self.rng.choice('+-*^|&')}= {self.value(t)};\n"

    def indexed(self, depth):
        return f"cells[({self.value(U32)}) & 7] = (u16) ({self.value(U32)});\n"

    def through_pointer(self, depth):
        if self.rng.random() < 0.4:
            return f"{self.pointer} = &{self.rng.choice(self.targets)};\n"
        return f"*{self.pointer} = {self.value(self.pointer_type)};\n"

    def call(self, depth):
        affordable = [f for f in self.program.functions if self.cost + self.factor * f[3] < BUDGET]
        if not affordable:
            return self.assignment(depth)
        name, result, parameters, cost = self.rng.choice(affordable)
        self.cost += self.factor * cost
        text, t = self.rng.choice(self.places)
        return f"{text} = ({t.name}) {name} ({', '.join(self.value(p) for p in parameters)});\n"

    def branch(self, depth):
        text = f"if ({self.value(U32)})\n{braces(self.block(depth, 2))}"
        if self.rng.random() < 0.5:
            text += f"else\n{braces(self.block(depth, 2))}"
        return text

    def in_loop(self, depth, rounds):
        self.factor *= rounds
        self.loops += 1
        body = self.block(depth, self.rng.randint(1, 3))
        self.loops -= 1
        self.factor //= rounds
        return body

    def counted(self, depth):
        i, rounds = self.program.fresh("i"), self.rng.randint(1, 6)
        if self.rng.random() < 0.5:
            head = f"for (int {i} = 0; {i} < {rounds}; {i}++)\n"
        else:
            head = f"for (u64 {i} = {rounds}; {i}-- > 0;)\n"
        return head + braces(self.in_loop(depth, rounds))

    def while_loop(self, depth):
        i, rounds = self.program.fresh("i"), self.rng.randint(1, 5)
        body = self.in_loop(depth, rounds)
        return f"int {i} = {rounds};\nwhile ({i}-- > 0 && ({self.value(U32)} || {i} & 1))\n" + braces(body)

    def do_loop(self, depth):
        i, rounds = self.program.fresh("i"), self.rng.randint(1, 5)
        body = self.in_loop(depth, rounds)
        return f"int {i} = 0;\ndo\n{braces(body)}while (++{i} < {rounds});\n"

    def switch(self, depth):
        labels = sorted(self.rng.sample(range(8), self.rng.randint(2, 5)))
        text = ""
        for label in labels:
            text += f"case {label}: ;\n" + indent(self.block(depth, 1))
            if self.rng.random() < 0.7:
                text += "  break;\n"
        if self.rng.random() < 0.6:
            text += "default: ;\n" + indent(self.block(depth, 1)) + "  break;\n"
        else:
            text += "default: ;\n"
        return f"switch (({self.value(U32)}) & 7)\n" + braces(text)

    def forward_goto(self, depth):
        label = self.program.fresh("skip")
        return f"if ({self.value(U32)})\n  goto {label};\n" + self.block(depth, 1) + f"{label}: ;\n"

    def leave(self, depth):
        return f"if ({self.value(U32)})\n  {self.rng.choice(['break', 'continue'])};\n"


def braces(body):
    return "  {\n" + "".join("    " + line + "\n" for line in body.rstrip("\n").split("\n")) + "  }\n"


def random_function(program):
    """One function; later ones may call it.  A `break` in a switch inside a loop leaves only the switch, which is as
    good."""
    rng = program.rng
    name, record = program.fresh("compute"), program.fresh("record")
    fields = [(f"f{k}", rng.choice(INT_TYPES)) for k in range(3)]
    parameters = [(f"p{k}", rng.choice(INT_TYPES)) for k in range(rng.randint(1, 3))]
    local = [(f"v{k}", rng.choice(INT_TYPES)) for k in range(3)] + [("w", U32)]
    shared = [(program.fresh("global"), rng.choice(INT_TYPES)) for _ in range(2)]
    places = parameters + local + shared + [(f"r.{f}", t) for f, t in fields]
    of = rng.choice([t for _, t in places])
    variables = places + [("*p", of)] + [(f"cells[{rng.randrange(8)}]", rng_type(16))]
    writer = StatementWriter(program, variables, places, "p", of)
    body = writer.block(2, rng.randint(4, 7))
    result = rng.choice(INT_TYPES)
    program.add(f"struct {record} {{ " + " ".join(f"{t.name} {f};" for f, t in fields) + " };\n"
                + "\n".join(f"static {t.name} {g} = {program.number(t)};" for g, t in shared))
    declarations = "\n".join(f"{t.name} {v} = {program.number(t)};" for v, t in local)
    head = ", ".join(f"{t.name} {p}" for p, t in parameters)
    keyword = rng.choice(["static", "static inline", "__attribute__ ((noinline))"])
    program.add(f"{keyword} {result.name}\n{name} ({head})\n{{\n" + indent(
        f"{declarations}\nstruct {record} r = {{ {program.number(fields[0][1])} }};\n"
        f"u16 cells[8] = {{ 1, 2, [5] = 7 }};\n{of.name} *p = &{rng.choice(writer.targets)};\n"
        + body + f"mix (cells[3]);\nreturn {Expressions(program, variables).make(result, 2)};\n") + "}\n")
    program.functions.append((name, result, [t for _, t in parameters], writer.cost))
    arguments = ", ".join(program.number(t) for _, t in parameters)
    program.run(f'show ("{name}", (u128) {name} ({arguments}));')
    for g, _ in shared:
        program.run(f'show ("{g}", (u128) {g});')


def rng_type(bits):
    return next(t for t in INT_TYPES if t.bits == bits and not t.signed)


SECTIONS = [random_function]
