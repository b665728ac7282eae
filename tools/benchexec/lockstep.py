"""How BenchExec (https://github.com/sosy-lab/benchexec) runs lockstep and reads its answers; see README.md here."""
import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import UnsupportedFeatureException

# The part of the time limit that stays for writing reports.
REPORT_SHARE = 0.05

FALSE = {
    "assert": "unreach-call",
    "race": "no-data-race",
    "deadlock": "no-deadlock",
    "overflow": "no-overflow",
}


class Tool(benchexec.tools.template.BaseTool2):
    """lockstep, a model checker for multi-threaded C."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("lockstep", subdir="bin")

    def name(self):
        return "lockstep"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="lockstep")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command.append("--property=" + task.property_file)
        command += self.data_model(task)
        limit = rlimits.cputime or rlimits.walltime
        if limit and not any(option.startswith("--timeout") for option in options):
            command.append("--timeout=%d" % max(1, int(limit * (1 - REPORT_SHARE))))
        if rlimits.memory and not any(option.startswith("--memory") for option in options):
            command.append("--memory=%d" % int(rlimits.memory * (1 - REPORT_SHARE)))
        return command + list(task.input_files)

    @staticmethod
    def data_model(task):
        wanted = task.options.get("data_model") if isinstance(task.options, dict) else None
        if wanted is None:
            return []
        if wanted not in ("ILP32", "LP64"):
            raise UnsupportedFeatureException("lockstep knows the data models ILP32 and LP64, not %r" % wanted)
        return ["--data-model=" + wanted]

    def determine_result(self, run):
        verdict = ""
        for line in run.output:
            if line.startswith("VERDICT: "):
                verdict = line[len("VERDICT: "):].strip()
        if verdict.startswith("BUG"):
            return self.violated(run.output)
        if verdict == "SAFE" and run.exit_code.value == 0:
            return result.RESULT_TRUE_PROP
        if verdict.startswith("SAFE"):  # beside findings that a baseline accepts
            return result.RESULT_UNKNOWN
        if verdict.startswith("NO BUG WITHIN BOUNDS"):
            return result.RESULT_UNKNOWN + "(bounded)"
        if verdict.startswith("UNKNOWN"):
            reason = verdict[len("UNKNOWN"):].strip().strip("()")
            return "TIMEOUT" if reason.startswith("time") else result.RESULT_UNKNOWN
        if run.exit_code.value == 1:
            return result.RESULT_ERROR + "(input)"
        return result.RESULT_ERROR

    @staticmethod
    def violated(output):
        """The first bug decides: its line reads `race-1: data race on ...`."""
        for line in output:
            title, separator, text = line.partition(": ")
            kind, dash, number = title.partition("-")
            if not (separator and dash and number.strip().isdigit()):
                continue
            if kind in FALSE:
                return "%s(%s)" % (result.RESULT_FALSE_PROP, FALSE[kind])
            if kind == "memory":
                frees = text.startswith(("double free", "free of an invalid pointer"))
                return result.RESULT_FALSE_FREE if frees else result.RESULT_FALSE_DEREF
        return result.RESULT_FALSE_PROP
