"""Commands in the README and the manual: an indented line that begins with `$ ` is one, lines with `> ` continue it,
and the rest is what it prints, with `...` for lines that are left out."""
import re

from gridlock_test import ROOT

DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "manual").glob("*.rst")))
NOT_RUN = ROOT / "tests" / "system" / "not_run.txt"
# What looks like a command, and does not say that it is one.
UNMARKED = re.compile(r"^ {4,}(?:env |\w+=\S+ )*(?:\S*/)?(?:gridlock|git|cmake|setup|test|cc|make|mpirun|apt-get|xz) ")


class Command:
    def __init__(self, where, text):
        self.where, self.text, self.output = where, text, []

    def name(self):
        """Its first line, without a comment: how the list of those that are not run has it."""
        return re.sub(r"\s+# .*", "", self.text.split("\n")[0])

    def parts(self):
        """What it prints, in parts between those that are left out; None if nothing is shown."""
        text = "\n".join(self.output)
        return re.split(r"(?m)^\s*\.\.\.$", text) if text.strip() else None


def commands(path):
    found, current = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        shown = line[4:]
        if line and not line.startswith("    "):
            current = None
        elif shown.startswith("$ "):
            current = Command(f"{path.name}:{number}", shown[2:].rstrip())
            found.append(current)
        elif current and shown.startswith("> ") and not current.output:
            current.text += "\n" + shown[2:]
        elif current:
            current.output.append(shown)
    return found


def unmarked(path):
    """Lines that look like a command outside of what one prints."""
    shown, current = [], False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        current = line.startswith("    $ ") or current and (not line or line.startswith("    "))
        if not current and UNMARKED.match(line):
            shown.append(f"{path.name}:{number}: {line.strip()}")
    return shown


def not_run():
    """{command: why no test runs it}"""
    listed, reason = {}, None
    for line in NOT_RUN.read_text().splitlines():
        if line.startswith("    "):
            listed[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line
    return listed
