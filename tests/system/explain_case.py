"""What the tests of `gridlock explain` share: run files with a failed launch, written without a device."""
import json

import gridlock_test
from gridlock_test import EXIT_OK
from run_builder import Board, Builder


def starved_barrier(groups, resident, ids=None):
    """A barrier over `groups` groups of which only some are resident."""
    board = Board(groups, 1)
    for group in ids or range(resident):
        board.start(group, round=1)
        board.wait(group, 0, groups, "ALL")
    board.words[board.sync] = resident
    return board


def dining(count):
    """Philosophers: each holds the fork with its own number, and waits for the next one's."""
    board = Board(count, count)
    for group in range(count):
        board.start(group, round=1, locks_held=1)
        board.wait(group, (group + 1) % count, 0, "OWNER", "EQUAL")
        board.words[board.sync + group] = group + 1
    return board


def chain(groups, resident):
    """Each group waits for a flag of the next one; those behind `resident` never started."""
    board = Board(groups, groups)
    for group in range(resident):
        board.start(group, round=1)
        board.wait(group, group + 1, 1, group + 1)
    return board


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "run.gridlock"

    def write(self, verdict, board, cause=None, device=None, command="gridlock run", **values):
        """A run file with one failed launch, and what is counted on its board."""
        builder = Builder(self.path, command_line=command)
        waiting = sum(board.phase(group) == "WAITING" for group in range(board.groups))
        done = sum(board.phase(group) == "DONE" for group in range(board.groups))
        observed = {"started": board.words[32], "waiting": waiting, "done": done, "witnesses": done, "judged": 1,
                    "confirmed": 1, **values.pop("observed", {})}
        builder.trial(builder.device(**(device or {})), (verdict,), observed, cause=cause, board=board,
                      groups=board.groups, sync_words=len(board.words) - board.sync, **values)
        builder.close()

    def write_starved(self, groups=64, resident=8, **values):
        observed = {"never_started": resident, "starved_from": 0}
        self.write("starved", starved_barrier(groups, resident), "occupancy", resident=resident, observed=observed,
                   **values)

    def write_dining(self, count=5, **values):
        observed = {"circle_at": 0, "circle_groups": count}
        self.write("deadlock", dining(count), "circular-wait", observed=observed, **values)

    def explain(self, form="text", trial=None, code=EXIT_OK, **variables):
        argument = str(self.path) + (f":{trial}" if trial is not None else "")
        return self.run_gridlock("explain", argument, "--format", form, code=code, **variables)

    def explain_json(self, trial=None):
        return json.loads(self.explain("json", trial).out)

    def never_started(self, trial=None):
        """The groups that never started, by the explanation as JSON."""
        classes = self.explain_json(trial)["classes"]
        return {group for kind in classes if kind["state"] == "not started" for group in kind["groups"]}

    def measure(self, *scenarios, pthreads=2, **variables):
        """Runs scenarios on PoCL; the run file is then what explain() reads."""
        self.path.unlink(missing_ok=True)
        self.run_gridlock("run", "-d", "pocl", "-q", "--run", str(self.path), *map(str, scenarios), code=None,
                          POCL_MAX_PTHREAD_COUNT=pthreads, **variables)
