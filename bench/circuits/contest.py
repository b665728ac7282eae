"""One circuit put to our back ends and to ABC's, measured: what the benches of circuits share."""
import math
import subprocess
import time
from collections import namedtuple

Answer = namedtuple("Answer", "verdict seconds")
ABC_COMMANDS = {"ic3": "pdr -T {seconds}", "bmc": "bmc3 -T {seconds}"}
LEAST = 0.01  # seconds: faster runs count as equal
START = 0.3   # ABC takes a while to start: from here on that does not matter


def measure(command, seconds, verdict_of):
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 10)
        verdict = verdict_of(done)
    except subprocess.TimeoutExpired:
        verdict = "time"
    return Answer(verdict, time.monotonic() - start)


def our_verdict(done):
    words = done.stdout.split()
    return "failed" if done.returncode or not words else words[0]


def abc_verdict(done):
    text = done.stdout
    return "safe" if "Property proved" in text else "bug" if "was asserted in frame" in text else "bounded"


def ask_us(prover, backend, seconds, path):
    return measure([prover, backend, str(seconds), str(path)], seconds, our_verdict)


def ask_abc(backend, seconds, path, before=""):
    """before: commands between reading the circuit and the question."""
    return measure(["berkeley-abc", "-c",
                    f"read_aiger {path}; {before}" + ABC_COMMANDS[backend].format(seconds=seconds)], seconds,
                    abc_verdict)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def in_words(backend, ratios):
    """ratios: of (our time over ABC's, the longer of both times)."""
    every, longer = [ratio for ratio, _ in ratios], [ratio for ratio, seconds in ratios if seconds > START]
    return (f"{backend}: {len(every)} answers, our time over ABC's is {mean(every):.2f} in the geometric mean, at most "
            f"{max(every):.2f};"
            f" {mean(longer):.2f} for the {len(longer)} that take one of us more than {START} s")
