"""What the scripts in Python share: the tools, built or named, and stores of their own."""

import json
import os
import subprocess
import sys
import tempfile

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def built_tools():
    """The directory of the tools: $GROUPLOG_TOOLS, or that of a build made now."""
    named = os.environ.get("GROUPLOG_TOOLS")
    if named:
        return named
    build = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
    for tool in ["grouplog-capture", "grouplog-reader"]:
        subprocess.run([*build, "--product", tool], cwd=PACKAGE, check=True, stdout=sys.stderr)
    run = subprocess.run(
        [*build, "--show-bin-path"], cwd=PACKAGE, check=True, stdout=subprocess.PIPE)
    return run.stdout.decode().strip()


class Store:
    """A store in a directory that goes with the script."""

    def __init__(self, tools, directory=None):
        self.tools = tools
        self.directory = directory or tempfile.TemporaryDirectory(prefix="grouplog-")
        self.path = tempfile.mkdtemp(dir=self.directory.name) + "/store.grouplog"

    def sibling(self):
        return Store(self.tools, self.directory)

    def run(self, tool, *arguments, data=b""):
        command = [os.path.join(self.tools, "grouplog-" + tool), *arguments, "--store", self.path]
        return subprocess.run(command, input=data, capture_output=True)

    def records(self):
        """What `list --json` prints, oldest first, without the state of the upload."""
        run = self.run("reader", "list", "--json")
        if run.returncode != 0:
            raise SystemExit("list failed: " + run.stderr.decode())
        # Only LF ends a line of JSON; texts may hold other line ends.
        records = [json.loads(line) for line in run.stdout.split(b"\n") if line]
        for record in records:
            del record["syncStatus"]
        return records[::-1]


def can_be_argument(text):
    """Whether a program can be given the text: no NUL, no half of a surrogate pair."""
    return "\0" not in text and is_text(text)


def is_text(text):
    return not any(0xD800 <= ord(character) < 0xE000 for character in text)


class Account:
    """Counts what was looked at, and tells what differs."""

    def __init__(self):
        self.counts = {}
        self.differences = 0

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def differs(self, what, expected, found):
        self.differences += 1
        if self.differences <= 20:
            print(f"{what}: expected {expected!a}, found {found!a}")

    def compare(self, what, expected, found):
        if expected == found:
            self.count(what)
        else:
            self.differs(what, expected, found)

    def end(self):
        for what, number in self.counts.items():
            print(f"{number:6} {what}")
        print(f"{self.differences:6} differences")
        sys.exit(1 if self.differences else 0)
