"""Commands of lockstep that a lockstep-server (server.c) executes, one server for each thread that asks."""
import os
import select
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from .driver import Output


class Servers:
    """Called as driver.execute is; all commands work in the folder of the first one."""

    def __init__(self, program):
        self.program, self.local = str(Path(program).resolve()), threading.local()

    def __call__(self, command, seconds, cwd=None):
        if not hasattr(self.local, "process"):
            self.local.folder = tempfile.TemporaryDirectory(prefix="lockstep-server-")
            self.local.process = subprocess.Popen([self.program], cwd=cwd, stdin=subprocess.PIPE,
                                                  stdout=subprocess.PIPE, bufsize=0)
        return ask(self.local.process, Path(self.local.folder.name), [str(word) for word in command[1:]], seconds)


def ask(server, folder, words, seconds):
    output, errors = folder / "out", folder / "err"
    request = f"{len(words)} {output} {errors}\n".encode() + b"".join(os.fsencode(word) + b"\0" for word in words)
    server.stdin.write(request)
    group = int(server.stdout.readline())
    late = not select.select([server.stdout], [], [], seconds)[0]
    if late:
        os.killpg(group, signal.SIGKILL)
    status = int(server.stdout.readline())
    try:
        os.killpg(group, signal.SIGKILL)  # what it left behind
    except ProcessLookupError:
        pass
    code = None if late else os.waitstatus_to_exitcode(status)
    return Output(code, output.read_bytes(), errors.read_bytes())
