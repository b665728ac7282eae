"""tests/cli/*.sh: each prints lines `ok WHAT` and `FAIL WHAT: why`, which are counted."""
import concurrent.futures
import glob
import os
import re

from . import common


def run(results, options):
    scripts = sorted(glob.glob(os.path.join(common.ROOT, "tests", "cli", "*.sh")))
    scripts = [s for s in scripts if not s.endswith("/lib.sh")]
    scripts = [s for s in scripts if not options.match or re.search(options.match, s)]
    scripts = common.sample(scripts, options.sample, os.path.basename, lambda s: "cli")
    environment = {"LOCKSTEP": common.LOCKSTEP, "ROOT": common.ROOT}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(lambda s: common.run(["sh", s], 300, env=environment), scripts)
        for script, outcome in zip(scripts, outcomes):
            name = common.relative(script)
            results.ok(len(re.findall(r"^ok ", outcome.out, re.M)))
            failures = re.findall(r"^FAIL (.*(?:\n  .*)*)", outcome.out, re.M)
            for failure in failures:
                results.fail(name, failure, ["env", "LOCKSTEP=" + common.relative(common.LOCKSTEP), "sh", script])
            if outcome.code != 0 or (not failures and "ok " not in outcome.out):
                results.fail(name, "exit %s\n%s" % (outcome.code, outcome.err or outcome.out), ["sh", script])
