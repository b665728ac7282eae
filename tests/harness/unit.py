"""Unit tests: every program that src/**/*_test.c became.  Their results come as TAP lines, one per test."""
import concurrent.futures
import glob
import os
import re

from . import common


def programs():
    """(name, path) of each unit test in the sources; the path is where the build puts it."""
    src = os.path.join(common.ROOT, "src")
    found = sorted(glob.glob(os.path.join(src, "**", "*_test.c"), recursive=True))
    names = [os.path.relpath(f, src)[:-2].replace(os.sep, "-") for f in found]
    return [(n, os.path.join(common.BUILD, n)) for n in names]


def run_one(item):
    name, path = item
    if not os.path.exists(path):
        return name, path, None
    return name, path, common.run([path], 120, env={"CMOCKA_MESSAGE_OUTPUT": "TAP"})


def run(results, options):
    chosen = [p for p in programs() if not options.match or re.search(options.match, p[0])]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, path, outcome in pool.map(run_one, chosen):
            if outcome is None:
                results.fail(name, "was not built: is it in the meson.build of its folder?")
                continue
            text = outcome.out + outcome.err
            passed = re.findall(r"^ok \d+", text, re.M)
            skipped = re.findall(r"^not ok \d+ # SKIP.*", text, re.M)
            failed = re.findall(r"^not ok \d+\b(?! # SKIP).*", text, re.M)
            results.ok(len(passed))
            results.skip(len(skipped))
            for line in failed:
                results.fail("%s: %s" % (name, line), text, [path])
            if not failed and (outcome.code != 0 or not passed):
                results.fail(name, "exit %s\n%s" % (outcome.code, text), [path])
