"""Audits on PoCL, and their run files."""
import sqlite3

import gridlock_test
from gridlock_test import EXIT_OK

EXIT_SURPRISE, EXIT_STOPPED = 1, 75

# PoCL leaves out the local memory of kernels that a kernel calls. 3.1 says that it has atomics for all devices, and its
# compiler does not know memory_scope_all_svm_devices; at times it dies at exit while kernels run. 6.0 says of no kernel
# how much local memory it has, and its compiler dies of inline assembly in groups of some size.
BROKEN_BY_POCL = {
    "3.1": {"kernel-local-called", "atomic-relaxed-all", "atomic-acq-rel-all", "atomic-seq-cst-all", "exit-queued"},
    "6.0": {"kernel-local-called", "kernel-local-declared", "kernel-local-argument", "group-size-assembly"},
}
BROKEN_BY_OTHERS = {"kernel-local-called"}
FEW = ("group-size", "item-sizes-x", "item-sizes-y", "kernel-local-called")  # quick ones; PoCL breaks the last
NOT_OFFERED = "uneven-groups"  # by any version of PoCL


def broken_by(version):
    """What is known to be broken by the driver of this version, such as "3.1+debian"."""
    return BROKEN_BY_POCL.get(version.partition("+")[0], BROKEN_BY_OTHERS)


def named(*names):
    """The options that choose these promises."""
    return [word for name in names for word in ("--promise", name)]


def broken_here(case):
    """By the PoCL of this machine."""
    (device,) = case.run_gridlock("devices", "-d", "pocl", "--format", "json").json()["devices"]
    return broken_by(device["driver_version"])


@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = str(self.folder / "a.run")

    def audit(self, *arguments, code=None, **variables):
        """Without `code` the audit has a result: a driver may break its word."""
        variables.setdefault("POCL_MAX_PTHREAD_COUNT", 2)
        return self.with_result("audit", "-d", "pocl", "-o", self.path, *arguments, code=code, **variables)

    def with_result(self, *arguments, code=None, **variables):
        result = self.run_gridlock(*arguments, code=code, **variables)
        if code is None:
            self.assertIn(result.code, (EXIT_OK, EXIT_SURPRISE), result.err)
        return result

    def audit_few(self, *arguments, code=EXIT_SURPRISE, **variables):
        return self.audit(*named(*FEW), *arguments, code=code, **variables)

    def list_of(self, *lines):
        path = self.folder / "list"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return str(path)

    def promises(self, form_of):
        """{name: promise} of the only device."""
        device, = form_of["devices"]
        return {promise["name"]: promise for promise in device["promises"]}

    def report(self, form, code=None):
        return self.with_result("report", "--format", form, self.path, code=code).out

    def change_run_file(self, *statements):
        with sqlite3.connect(self.path) as database:
            for statement in statements:
                database.execute(statement)
        database.close()
