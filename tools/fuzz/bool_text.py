"""Random Boolean programs: as a tree, and as text in the various ways it can be written.

Expressions are tuples: ("const", 0 or 1), ("var", name), ("next", name), ("choice",), ("not", e), (operator, e, e),
("schoose", e, e). Statements are lists [kind, line, ...]; the line is filled in when the text is written.
"""
import random

SIGNS = {"and": ["&", "&&"], "or": ["|", "||"], "xor": ["^", "!="], "equal": ["=", "=="], "implies": ["->", "=>"]}
OPERATORS = list(SIGNS)


class Procedure:
    def __init__(self, name, params, results):
        self.name, self.params, self.results = name, params, results
        self.locals, self.enforced, self.body = [], None, []


class BooleanProgram:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.globals = ["a", "b", "c"][: self.random.randint(1, 3)]
        self.enforced = None
        self.procedures = []
        for k in range(self.random.randint(0, 2)):
            self.procedures.append(self.procedure(f"f{k}", k))
        self.main = self.make_main()
        self.procedures.append(self.main)
        self.source = self.write()

    # ---- the tree ----

    def maybe(self, percent):
        return self.random.randrange(100) < percent

    def expression(self, names, height=2, choices=True, primes=()):
        kind = self.random.randrange(10)
        if height == 0 or kind < 3:
            if choices and self.maybe(20):
                return ("choice",)
            if primes and self.maybe(60):
                return ("next", self.random.choice(primes))
            return ("const", self.random.randrange(2)) if not names or self.maybe(10) else ("var",
                self.random.choice(names))
        deeper = lambda: self.expression(names, height - 1, choices, primes)
        if kind < 5:
            return ("not", deeper())
        if kind == 5 and choices:
            return ("schoose", deeper(), deeper())
        return (self.random.choice(OPERATORS), deeper(), deeper())

    def targets(self, names):
        return self.random.sample(names, self.random.randint(1, min(3, len(names))))

    def assignment(self, names):
        targets = self.targets(names)
        constraint = self.expression(names, 2, self.maybe(20), names) if self.maybe(25) else None
        return ["assign", 0, targets, [self.expression(names) for _ in targets], constraint]

    def call(self, names, known):
        callee = self.random.choice(self.procedures[:known])
        arguments = [self.expression(names, 1) for _ in callee.params]
        fitting = callee.results and len(names) >= callee.results and self.maybe(80)
        targets = self.random.sample(names, callee.results) if fitting else []
        if targets and self.maybe(15):
            targets[0] = "_"
        return ["call", 0, targets, callee.name, arguments]

    def statement(self, names, known, depth, region):
        kind = self.random.randrange(100)
        if kind < 34:
            return self.assignment(names)
        if kind < 44:
            return ["assume", 0, self.expression(names)]
        if kind < 56:
            return ["assert", 0, ("or", self.expression(names), self.expression(names))]
        if kind < 66 and known:
            return self.call(names, known)
        if kind < 70:
            return ["skip", 0]
        if kind < 73:
            return ["dead", 0, self.targets(names)]
        if kind < 80 and not region:
            return ["atomic", 0, self.block(names, known, depth - 1, True)]
        if depth <= 0:
            return self.assignment(names)
        if kind < 92:
            other = self.block(names, known, depth - 1, region) if self.maybe(60) else []
            return ["if", 0, self.expression(names), self.block(names, known, depth - 1, region), other]
        return ["while", 0, self.expression(names), self.block(names, known, depth - 1, region)]

    def block(self, names, known, depth, region):
        return [self.statement(names, known, depth, region) for _ in range(self.random.randint(1, 3))]

    def procedure(self, name, known):
        f = Procedure(name, ["x", "y"][: self.random.randint(0, 2)], self.random.randint(0, 2))
        f.locals = ["a", "z"][: self.random.randint(0, 2)]  # `a` hides the global
        names = sorted(set(self.globals + f.params + f.locals))
        if self.maybe(15):
            f.enforced = self.expression(names, 1, False)
        f.body = self.block(names, known, 1, False)
        if f.results and self.maybe(85):
            f.body.append(["return", 0, [self.expression(names, 1) for _ in range(f.results)]])
        if self.maybe(25):
            f.body = [["start", 0, "T" + name], ["if", 0, ("choice",), f.body, []], ["goto", 0, ["E" + name]],
                      ["label", 0, "T" + name],
                      *self.block(names, 0, 0, False), ["end", 0], ["label", 0, "E" + name], ["skip", 0]]
        return f

    def make_main(self):
        f = Procedure("main", [], 0)
        f.locals = ["p", "q"][: self.random.randint(0, 2)]
        names, known = self.globals + f.locals, len(self.procedures)
        if self.maybe(10):
            self.enforced = self.expression(self.globals, 1, False)
        threads = self.random.randint(0, 2)
        first = [["assign", 0, list(self.globals), [("const", self.random.randrange(2)) for _ in self.globals],
                  None]] if self.maybe(80) else []
        body = first + self.block(names, known, 2, False)
        for k in range(threads):
            body.append(["start", 0, f"L{k}"])
        body += self.block(names, known, 2, False)
        if self.maybe(30):
            body += [["goto", 0, ["M1", "M2", "9"]], ["label", 0, "M1"], *self.block(names, known, 1, False),
                     ["label", 0, "M2"],
                     *self.block(names, known, 1, False), ["label", 0, "9"], ["skip", 0]]
        body.append(["end", 0])
        for k in range(threads):
            body += [["label", 0, f"L{k}"], *self.block(names, known, 1, False), ["end", 0]]
        f.body = body
        return f

    # ---- the text ----

    def text(self, e):
        if e[0] == "const":
            return self.random.choice(["01", "FT", ["false", "true"]])[e[1]]
        if e[0] == "var":
            return e[1]
        if e[0] == "next":
            return self.random.choice(["'" + e[1], e[1] + "'"])
        if e[0] == "choice":
            return self.random.choice("*?*")
        if e[0] == "not":
            return self.random.choice("!!~") + self.text_in(e[1])
        if e[0] == "schoose":
            return f"schoose [{self.text(e[1])}, {self.text(e[2])}]"
        return f"{self.text_in(e[1])} {self.random.choice(SIGNS[e[0]])} {self.text_in(e[2])}"

    def text_in(self, e):
        return self.text(e) if e[0] in ("const", "var", "next", "choice") else f"({self.text(e)})"

    def line(self, text):
        self.lines.append(text)

    def write_block(self, block):
        for s in block:
            self.write_statement(s)

    def write_statement(self, s):
        s[1] = len(self.lines) + 1
        kind = s[0]
        if kind == "assign":
            constraint = f" constrain ({self.text(s[4])})" if s[4] else ""
            self.line(f"{', '.join(s[2])} {self.random.choice([':=', '='])} "
                      f"{', '.join(map(self.text, s[3]))}{constraint};")
        elif kind == "call":
            targets = f"{', '.join(s[2])} := " if s[2] else ""
            self.line(f"{targets}{s[3]}({', '.join(map(self.text, s[4]))});")
        elif kind in ("assume", "assert"):
            self.line(f"{kind}({self.text(s[2])});")
        elif kind == "return":
            self.line(f"return {', '.join(map(self.text, s[2]))};")
        elif kind == "goto":
            self.line(f"goto {', '.join(s[2])};")
        elif kind == "label":
            self.line(f"{s[2]}:")
        elif kind == "start":
            self.line(f"start_thread goto {s[2]};")
        elif kind == "end":
            self.line("end_thread;")
        elif kind == "dead":
            self.line(f"dead {', '.join(s[2])};")
        elif kind == "skip":
            self.line("skip;")
        elif kind == "atomic":
            self.line("atomic_begin;")
            self.write_block(s[2])
            self.line("atomic_end;")
        elif kind == "while":
            braces = self.braces
            self.line(f"while {self.text_in(s[2])} {'{' if braces else 'do'}")
            self.write_block(s[3])
            self.line("}" if braces else "od;")
        else:
            self.write_if(s)

    def write_if(self, s):
        braces = self.braces
        self.line(f"if ({self.text(s[2])}) {'{' if braces else 'then'}")
        self.write_block(s[3])
        if s[4]:
            self.line("} else {" if braces else "else")
            self.write_block(s[4])
        self.line("}" if braces else "fi;")

    def write(self):
        self.braces = self.maybe(30)
        self.lines = [f"decl {', '.join(self.globals)};"]
        if self.enforced:
            self.line(f"enforce {self.text(self.enforced)};")
        for f in self.procedures:
            kind = "void" if not f.results else "bool" if f.results == 1 else f"bool<{f.results}>"
            self.line(f"{kind} {f.name}({', '.join(f.params)}) begin")
            if f.locals:
                self.line(f"decl {', '.join(f.locals)};")
            if f.enforced:
                self.line(f"enforce {self.text(f.enforced)};")
            self.write_block(f.body)
            self.line("end")
        return "\n".join(self.lines) + "\n"
