"""What the drivers of random tests share: running commands under a time limit, a pool of workers, the count at the
end."""
import os
import re
import signal
import subprocess
import sys
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
ROOT = TOOLS.parent
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"

Output = namedtuple("Output", "code out err")  # code None: it took too long
Outcome = namedtuple("Outcome", "kind name text")  # text: about a failure; else a few words to count by, or nothing


def execute(command, seconds, **options):
    """Runs a command; when the time is up, ends it with all its children."""
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True, **options)
    try:
        out, err = process.communicate(timeout=seconds)
        return Output(process.returncode, out, err)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Output(None, out, err)


def lockstep_path(given):
    """The program under test: the option, else $LOCKSTEP, else build/lockstep."""
    path = Path(given or os.environ.get("LOCKSTEP") or ROOT / "build" / "lockstep").resolve()
    if not os.access(path, os.X_OK):
        sys.exit(f"{Path(sys.argv[0]).name}: there is no program {path}; build it first (make)")
    return path


def seed_range(text):
    """`3`, `1-20`."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        raise ValueError(f"not a range of seeds: {text}")
    first = int(match[1])
    return range(first, int(match[2] or first) + 1)


def run_all(jobs, workers, quiet):
    """Runs the jobs (functions without arguments), tells failures as they come and counts.  The exit code: 1 after a
    failure."""
    counts, reasons = Counter(), Counter()
    terminal = sys.stderr.isatty() and not quiet
    with ThreadPoolExecutor(workers) as pool:
        for done, outcome in enumerate(pool.map(lambda job: job(), jobs), 1):
            counts[outcome.kind] += 1
            if outcome.kind == FAILED:
                print(f"FAILED {outcome.name}: {outcome.text}", flush=True)
            elif outcome.text:
                reasons[outcome.kind, outcome.text] += 1
            if terminal:
                print(f"\r{done} of {len(jobs)}, {counts[FAILED]} failed ", end="", file=sys.stderr, flush=True)
    if terminal:
        print("\r\033[K", end="", file=sys.stderr)
    for (kind, reason), count in sorted(reasons.items()):
        print(f"{kind} {count}: {reason}")
    print(f"{counts[PASSED]} passed, {counts[FAILED]} failed, {counts[SKIPPED]} skipped")
    return 1 if counts[FAILED] else 0


def keep(directory, name, source, command):
    """Saves a failing program with the command that shows the failure as its last line (so that line numbers stay)."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_bytes(source + f"// {command}\n".encode())
    return path
