#!/usr/bin/env python3
"""Shards by the schedulers themselves: ranks of Open MPI, and a job array of Slurm on a cluster of this one machine.

ctest does not run it. What is missing is skipped, with a sentence; on Debian it comes with the packages openmpi-bin,
slurmctld, slurmd, slurm-client and munge. The cluster has its own key, ports and folders, needs no rights, and is
ended with the test.
"""
import contextlib
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402

PARTS = 3
SCENARIOS = "barrier_central lock_ticket handover_down -x pairing=random"
POINTS = """
SELECT rtrim(rtrim(t.name, '0123456789'), '#') AS identity, v.verdict FROM trial t JOIN verdict v ON v.trial = t.id
WHERE t.estimator = 'work' GROUP BY 1, 2 ORDER BY 1, 2"""

PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))


def needs(*programs):
    missing = [program for program in programs if shutil.which(program, path=PATH) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


class Case(gridlock_test.Case):
    def environment(self, **changes):
        return super().environment(PATH=PATH, POCL_MAX_PTHREAD_COUNT=2, **changes)

    def run_command(self, *command, **changes):
        result = subprocess.run(command, env=self.environment(**changes), cwd=self.folder, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
        return result

    def part_command(self, number):
        """A shell's; `number` is the variable that tells the parts' files apart."""
        return (f"exec '{gridlock_test.PROGRAM}' run {SCENARIOS} -d pocl --shard env --exit-zero "
                f"-o \"{self.folder}/part-${number}.run\"")

    def check_parts(self, names):
        """Each has ended, they are different shards, and together they are a run that was never divided."""
        parts = [str(self.folder / f"part-{name}.run") for name in names]
        shards = [self.run_file(part).one("SELECT shard, shards, shard_by FROM run") for part in parts]
        self.assertEqual([(row["shard"], row["shards"]) for row in shards], [(index, PARTS) for index in range(PARTS)])
        self.assertTrue(all(row["shard_by"] != "--shard" for row in shards))
        merged, whole = str(self.folder / "merged.run"), str(self.folder / "whole.run")
        merge = self.run_command(gridlock_test.PROGRAM, "merge", "-o", merged, *parts)
        self.assertNotIn("missing", merge.stderr)
        self.run_command("sh", "-c", f"'{gridlock_test.PROGRAM}' run {SCENARIOS} -d pocl -o '{whole}'")
        self.assertEqual(self.run_file(merged).rows(POINTS), self.run_file(whole).rows(POINTS))
        for part in parts:
            self.assertEqual(self.run_file(part).rows("SELECT id FROM trial WHERE duration_ns IS NULL"), [])
        counts = [self.run_file(part).one("SELECT count(*) AS n FROM trial WHERE estimator = 'work'")["n"]
                  for part in parts]
        print(f"{' + '.join(map(str, counts))} trials", flush=True)


@needs("mpirun")
class OpenMpi(Case):
    def test_each_rank_is_a_shard(self):
        """They share one device, and so take turns."""
        self.run_command("mpirun", "-n", str(PARTS), "--oversubscribe", "sh", "-c",
                         self.part_command("OMPI_COMM_WORLD_RANK"),
                         OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
        self.check_parts(range(PARTS))


CONFIGURATION = """\
ClusterName=gridlock
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CryptoType=crypto/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state-of-slurm
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:{parts}
"""


@needs("munged", "slurmctld", "slurmd", "sbatch", "sinfo")
class Slurm(Case):
    def setUp(self):
        super().setUp()
        self.host = socket.gethostname().split(".")[0]
        for name in ("munge", "state-of-slurm", "spool"):
            (self.folder / name).mkdir(mode=0o700)
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(
            host=self.host, user=getpass.getuser(), folder=self.folder, ports=self.free_ports(2), parts=PARTS,
            cpus=len(os.sched_getaffinity(0))))
        self.start_munge()
        self.start_daemon("slurmctld", "-D", "-f", str(self.configuration))
        self.start_daemon("slurmd", "-D", "-f", str(self.configuration), "-N", self.host)
        self.wait_until(lambda: "idle" in self.node_state(), "a node that is idle")

    def environment(self, **changes):
        return super().environment(SLURM_CONF=self.folder / "slurm.conf", **changes)

    @staticmethod
    def free_ports(count):
        with contextlib.ExitStack() as stack:
            sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
            for each in sockets:
                each.bind(("127.0.0.1", 0))
            return [each.getsockname()[1] for each in sockets]

    def start_daemon(self, *command):
        """In the foreground, so that it is known which process it is."""
        with open(self.folder / f"{command[0]}.out", "w", encoding="utf-8") as out:
            process = subprocess.Popen(command, env=self.environment(), cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=out)
        self.addCleanup(self.end_daemon, process)

    @staticmethod
    def end_daemon(process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def start_munge(self):
        folder = self.folder / "munge"
        key = folder / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        # --force: folders above may be writable for others, and the node is this test's alone.
        self.start_daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/socket",
                          f"--pid-file={folder}/pid", f"--log-file={folder}/log", f"--seed-file={folder}/seed")
        self.wait_until((folder / "socket").exists, "munge's socket")

    def node_state(self):
        result = subprocess.run(("sinfo", "-h", "-o", "%T"), env=self.environment(), capture_output=True, text=True,
                                check=False)
        return result.stdout

    def submit(self, array):
        script = self.folder / "job.sh"
        script.write_text(f"#!/bin/sh\n{self.part_command('SLURM_ARRAY_TASK_ID')}\n")
        self.run_command("sbatch", "--wait", f"--array={array}", "-n", "1", "-D", str(self.folder),
                         "-o", str(self.folder / "task-%a.out"), str(script))

    def test_each_task_of_an_array_is_a_shard(self):
        self.submit(f"0-{PARTS - 1}")
        self.check_parts(range(PARTS))

    def test_array_may_begin_anywhere_and_have_a_step(self):
        self.submit("11-15:2")
        self.check_parts((11, 13, 15))


if __name__ == "__main__":
    gridlock_test.main()
