"""Formulas for the bench of the SAT solver: questions that our engines ask, saved while they work, and a few
generated ones."""
import os
import random
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "circuits"))
import families

LEAST = 0.03        # seconds that a question must have taken CaDiCaL to be saved
MOST_BYTES = 60e6   # of one formula
GROWTH = ROOT / "bench" / "lazy-growth"
GROWTH_ENGINES = {"order": ["--engine=order"], "lazy": ["--engine=lazy"],
                  "eager": ["--engine=lazy", "--encoding=eager"]}
DAISY = ROOT / "examples" / "daisy"
CIRCUITS = ["counter", "fifo", "arbiter", "pipeline", "peterson", "machines", "lfsr", "gray"]


def programs():
    """Name and arguments of `lockstep check`."""
    for n in (4, 8, 16, 32):
        for name, flags in (("increments", []), ("increments", ["-DLOCKED"]), ("queue", [])):
            for engine in GROWTH_ENGINES:
                yield f"growth-{engine}-{name}{''.join(flags)}-{n}", [*GROWTH_ENGINES[engine], f"-DN={n}", *flags,
                                                                      GROWTH / f"{name}.c"]
    for n in (2, 4, 8):
        for name, flags in (("increments", []), ("increments", ["-DLOCKED"]), ("queue", [])):
            for backend in ("bmc", "induction", "ic3"):
                yield f"circuit-{backend}-{name}{''.join(flags)}-{n}", ["--engine=circuit", f"--backend={backend}",
                    f"-DN={n}", *flags, GROWTH / f"{name}.c"]
    sources = [DAISY / f"{name}.c"
               for name in ("check", "directory", "disk", "file", "layout", "locks")] + [DAISY / "drivers"
                   / "two_files.c"]
    for engine in (["--engine=order"], ["--engine=circuit", "--backend=bmc"]):
        yield f"daisy-{engine[0][9:]}", [*engine, "--property=race", "-DFIX_LOCK_TABLE", "-DDAISY_LOCK_GROWTH=1",
                                         *sources]


def commands(options, scratch):
    """Name and command of everything that is asked to ask."""
    for name, arguments in programs():
        properties = [] if any(str(a).startswith("--property") for a in arguments) else ["--property=assert"]
        yield name, [options.lockstep, "check", "-q", f"--timeout={options.gather}", *properties, *arguments]
    for task in families.tasks():
        if not task.name.startswith(tuple(CIRCUITS)):
            continue
        circuit, bad = task.build()
        path = scratch / f"{task.name}.aig"
        path.write_bytes(circuit.aiger(bad))
        for backend in ("bmc", "induction"):
            yield f"{backend}-{task.name}", [options.prover, backend, str(options.gather), path]


def spread(files, most):
    """So many of them, evenly, with the last."""
    if len(files) <= most:
        return files
    return [files[(i + 1) * len(files) // most - 1] for i in range(most)]


def number_of(path):
    return [int(part) for part in path.stem.split("-")]


def gather_from(options, command, scratch):
    environment = dict(os.environ, LOCKSTEP_SAVE_CNF=f"{scratch}:{LEAST}")
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   timeout=options.gather + 30)
    files = sorted(scratch.glob("*.cnf"), key=number_of)
    chosen = spread([f for f in files if f.stat().st_size <= MOST_BYTES], options.per_run)
    for file in set(files) - set(chosen):
        file.unlink()
    return chosen


def gather(options, folder):
    """Fills the folder with at most options.count questions."""
    scratch = folder / "scratch"
    scratch.mkdir(parents=True)
    kept = []
    for name, command in commands(options, scratch):
        for number, file in enumerate(gather_from(options, command, scratch)):
            kept.append(file.rename(folder / f"{name}-{number}.cnf"))
        print(f"gathering: {len(kept)} questions, after {name}", file=sys.stderr, flush=True)
    for file in set(kept) - set(spread(kept, options.count)):
        file.unlink()
    for file in scratch.iterdir():
        file.unlink()
    scratch.rmdir()


def write(path, num_vars, clauses):
    path.write_text(f"p cnf {num_vars} {len(clauses)}\n"
                    + "".join(" ".join(map(str, clause)) + " 0\n" for clause in clauses))


def random_formula(variables, ratio, seed):
    r = random.Random(seed)
    return variables, [[v if r.random() < 0.5 else -v for v in r.sample(range(1, variables + 1), 3)]
                       for _ in range(int(variables * ratio))]


def pigeons(holes):
    def inside(pigeon, hole):
        return pigeon * holes + hole + 1
    clauses = [[inside(p, h) for h in range(holes)] for p in range(holes + 1)]
    clauses += [[-inside(p, h), -inside(q, h)] for h in range(holes) for p in range(holes + 1) for q in range(p)]
    return holes * (holes + 1), clauses


def generate(folder):
    folder.mkdir(parents=True)
    for seed in range(5):
        write(folder / f"random-200-{seed}.cnf", *random_formula(200, 4.26, seed))
        write(folder / f"random-230-{seed}.cnf", *random_formula(230, 4.26, seed))
        write(folder / f"random-400-{seed}.cnf", *random_formula(400, 3.9, seed))
    for holes in (7, 8, 9):
        write(folder / f"pigeons-{holes}.cnf", *pigeons(holes))
